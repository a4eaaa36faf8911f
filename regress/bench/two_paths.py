#!/usr/bin/env python3
"""Typing, and copies, while either of two network paths fails at random moments.

usage: two_paths.py [-n CUTS] [-s SEED] [-c RATE] BUILD [MODE ...]

MODE is single, standby, duplicate or aggregate.

Makes two network namespaces with two cables between them (needs root), a
server in one and `rmux attach --paths=MODE` in the other, with a program in
the pane that echoes each key at once; no prediction.  A key is typed every
100 ms.  CUTS times, for 1 to 2 s each, one of the cables loses all, both ways
and without a sign of it.  Prints for each mode the time of a key and its
echo: the median, p99 and worst, and those above 25 ms and above 100 ms.

With -c, cables of RATE (as for tc, such as 20mbit) and `rmux exec` in place of
the terminal: a copy from there, whose bytes are compared, with as many cuts.
Prints the Mbit/s without cuts (the first 3 s) and with them, and the longest ms
without a byte.
"""

import argparse
import fcntl
import os
import pty
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

CABLES = (("one", 1, 10), ("two", 2, 20))
NOBODY = "02:00:00:00:00:77"
# Keys that no sequence to a terminal has.
MARKS = [b"#", b"%", b"&", b"*", b"^", b"|", b"+"]


class Net:
    """The two namespaces; they end with the processes that hold them."""

    def __init__(self):
        self.hold = [
            subprocess.Popen(["unshare", "-n", "sleep", "3600"]) for _ in range(2)
        ]
        mine = os.readlink("/proc/self/ns/net")
        for p in self.hold:
            while os.readlink(f"/proc/{p.pid}/ns/net") == mine:
                time.sleep(0.01)
        there, here = self.hold
        self.run(there, "ip link set lo up")
        self.run(here, "ip link set lo up")
        self.run(there, "ip addr add 10.77.9.1/32 dev lo")
        for name, net, metric in CABLES:
            self.run(there, f"ip link add t{name} type veth peer name {name}")
            self.run(there, f"ip link set {name} netns {here.pid}")
            self.run(there, f"ip addr add 10.77.{net}.1/24 dev t{name}")
            self.run(there, f"ip link set t{name} up")
            self.run(here, f"ip addr add 10.77.{net}.2/24 dev {name}")
            self.run(here, f"ip link set {name} up")
            self.run(
                here,
                f"ip route add default via 10.77.{net}.1 dev {name} metric {metric}",
            )
        script = "for f in /proc/sys/net/ipv4/conf/*/rp_filter; do echo 0 >$f; done"
        subprocess.run(["nsenter", "-t", str(here.pid), "-n", "sh", "-c", script], check=True)

    def inside(self, holder, words):
        return ["nsenter", "-t", str(holder.pid), "-n", *words]

    def run(self, holder, line):
        subprocess.run(self.inside(holder, line.split()), check=True)

    def set(self, cable, cut):
        name, net, _ = CABLES[cable]
        there, here = self.hold
        for holder, host, dev in ((there, 2, f"t{name}"), (here, 1, name)):
            addr = f"10.77.{net}.{host}"
            self.run(
                holder,
                f"ip neigh replace {addr} lladdr {NOBODY} dev {dev} nud permanent"
                if cut
                else f"ip neigh del {addr} dev {dev}",
            )

    def slow(self, rate):
        for name, _, _ in CABLES:
            for holder, dev in zip(self.hold, (f"t{name}", name)):
                self.run(
                    holder,
                    f"tc qdisc add dev {dev} root tbf rate {rate} burst 15kb latency 60ms",
                )

    def end(self):
        for p in self.hold:
            p.kill()
            p.wait()


def stand_in(net, directory):
    """Writes the program that is ssh here; returns its name."""
    ssh = os.path.join(directory, "ssh")
    with open(ssh, "w", encoding="ascii") as f:
        f.write(
            "#!/bin/sh\n"
            "while [ $# -gt 0 ]; do case $1 in -G) exit 1 ;; -p) shift 2 ;;\n"
            "-*) shift ;; *) break ;; esac; done; shift\n"
            f"unset RMUX TMUX; export RMUX_TMPDIR={directory}\n"
            f'exec nsenter -t {net.hold[0].pid} -n sh -c "$*"\n'
        )
    os.chmod(ssh, 0o755)
    return ssh


class Client:
    """An attached client in a terminal of 80 by 24 that nobody looks at."""

    def __init__(self, net, rmux, directory, mode):
        here = net.hold[1]
        ssh = stand_in(net, directory)
        words = [rmux, "attach", f"--paths={mode}", "--predict=never"]
        words += ["--again=0", f"--ssh={ssh}", f"--server={rmux}", "10.77.9.1"]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for name in ("RMUX", "TMUX"):
                os.environ.pop(name, None)
            os.environ["TERM"] = "xterm-256color"
            line = net.inside(here, words)
            os.execvp(line[0], line)
        size = struct.pack("HHHH", 24, 80, 0, 0)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)

    def read(self, seconds):
        """Returns what the client writes within the time, or at once."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        return os.read(self.fd, 65536)

    def wait(self, text, seconds):
        end = time.monotonic() + seconds
        had = b""
        while time.monotonic() < end:
            had += self.read(0.1)
            if text in had:
                return
        raise SystemExit(f"two_paths.py: the client does not show {text!r}")


class Cuts:
    """Cuts one path or the other and mends it, LEFT times, beginning at CHANGE."""

    def __init__(self, net, left, rng, change):
        self.net, self.left, self.rng, self.change = net, left, rng, change
        self.down = None

    def over(self):
        return self.left <= 0 and self.down is None

    def turn(self, now):
        """Cuts, or mends, if it is time."""
        if now < self.change:
            return False
        if self.down is None:
            self.down = self.rng.randrange(2)
            self.net.set(self.down, True)
            self.change = now + self.rng.uniform(1, 2)
        else:
            self.net.set(self.down, False)
            self.down = None
            self.left -= 1
            self.change = now + self.rng.uniform(0.5, 1.5)
        return True


def play(net, client, cuts, seed):
    """Types, cuts and mends; returns the ms of each key."""
    rng = random.Random(seed)
    times = []
    plan = Cuts(net, cuts, rng, time.monotonic() + 2)
    key = 0
    while not plan.over():
        start = time.monotonic()
        if plan.turn(start):
            time.sleep(rng.uniform(0, 0.1))
            start = time.monotonic()
        text = MARKS[key % len(MARKS)]
        key += 1
        while client.read(0):
            pass
        os.write(client.fd, text)
        sent = time.monotonic()
        seen = b""
        while text not in seen and time.monotonic() < sent + 20:
            seen += client.read(0.05)
        times.append(1000 * (time.monotonic() - sent))
        rest = start + 0.1 - time.monotonic()
        if rest > 0:
            time.sleep(rest)
    return times


ECHO = r"""
import os, sys, termios, tty
tty.setraw(0)
os.write(1, b"\x1b[2J\x1b[H")
os.write(1, b"ready")
while True:
    for c in os.read(0, 100):
        os.write(1, b"\x1b[2;1H" + bytes([c]))
"""


class Source:
    """The bytes that the copy should bring: a file, again and again."""

    def __init__(self, directory, seed):
        self.data = random.Random(seed).randbytes(1 << 20)
        self.name = os.path.join(directory, "data")
        self.got = 0
        with open(self.name, "wb") as f:
            f.write(self.data)

    def take(self, got):
        while got:
            at = self.got % len(self.data)
            part = got[: len(self.data) - at]
            if part != self.data[at : at + len(part)]:
                raise SystemExit(f"two_paths.py: another byte after {self.got}")
            self.got += len(part)
            got = got[len(part) :]


def copy(net, rmux, directory, mode, cuts, seed):
    """Copies, cuts and mends; returns the Mbit/s before and with cuts, and the
    longest ms without a byte."""
    rng = random.Random(seed)
    source = Source(directory, seed)
    words = [rmux, "exec", f"--paths={mode}", "--again=0", "--server=" + rmux]
    words += ["--ssh=" + stand_in(net, directory), "10.77.9.1"]
    words += [f"while cat {source.name}; do :; done"]
    env = {k: v for k, v in os.environ.items() if k not in ("RMUX", "TMUX")}
    with subprocess.Popen(
        net.inside(net.hold[1], words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        env=env,
    ) as p:
        source.take(os.read(p.stdout.fileno(), 65536))
        time.sleep(1)
        source.take(os.read(p.stdout.fileno(), 65536))
        begin = last = time.monotonic()
        had = source.got
        first = None
        plan = Cuts(net, cuts, rng, begin + 3)
        worst = 0
        while not plan.over():
            now = time.monotonic()
            if select.select([p.stdout], [], [], 0.01)[0]:
                got = os.read(p.stdout.fileno(), 1 << 20)
                if not got:
                    raise SystemExit("two_paths.py: the copy has ended")
                source.take(got)
                worst = max(worst, time.monotonic() - last)
                last = time.monotonic()
            if plan.turn(now) and first is None:
                first = (source.got - had) / (now - begin)
                begin, had = now, source.got
        rate = (source.got - had) / (time.monotonic() - begin)
        worst = max(worst, time.monotonic() - last)
        p.kill()
    return first * 8e-6, rate * 8e-6, 1000 * worst


def measure(rmux, mode, cuts, seed, rate):
    net = Net()
    directory = tempfile.mkdtemp(prefix="two_paths.")
    env = dict(os.environ, RMUX_TMPDIR=directory)
    for name in ("RMUX", "TMUX"):
        env.pop(name, None)
    program = os.path.join(directory, "echo.py")
    with open(program, "w", encoding="ascii") as f:
        f.write(ECHO)
    client = None

    def far(*words):
        line = net.inside(net.hold[0], [rmux, "-f", "/dev/null", *words])
        return subprocess.run(line, env=env, check=True, stdout=subprocess.PIPE).stdout

    try:
        far("new-session", "-d", "-s", "far", f"{sys.executable} {program}")
        far("set-option", "-s", "remote-bind", "10.77.9.1")
        far("set-option", "-g", "status", "off")
        if rate is not None:
            net.slow(rate)
            return copy(net, rmux, directory, mode, cuts, seed)
        client = Client(net, rmux, directory, mode)
        client.wait(b"ready", 20)
        time.sleep(1)
        return play(net, client, cuts, seed)
    finally:
        if client is not None:
            os.kill(client.pid, 9)
            os.waitpid(client.pid, 0)
            os.close(client.fd)
        subprocess.run(
            net.inside(net.hold[0], [rmux, "kill-server"]), env=env, check=False
        )
        net.end()
        shutil.rmtree(directory, ignore_errors=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-n", type=int, default=100, metavar="CUTS")
    p.add_argument("-s", type=int, default=1, metavar="SEED")
    p.add_argument("-c", metavar="RATE")
    p.add_argument("build")
    p.add_argument("modes", nargs="*")
    a = p.parse_args()
    rmux = os.path.abspath(os.path.join(a.build, "rmux"))
    modes = a.modes or ("single", "standby", "duplicate", "aggregate")
    if a.c is not None:
        print(f"{a.n} cuts of either path of {a.c}; a copy from there")
        print(f"{'':10}  {'Mbit/s':>6} {'with cuts':>9} {'ms without a byte':>18}")
        for mode in modes:
            whole, cut, worst = measure(rmux, mode, a.n, a.s, a.c)
            print(f"{mode:10}  {whole:6.1f} {cut:9.1f} {worst:18.0f}", flush=True)
        return
    print(f"{a.n} cuts of either path; ms from a key to its echo")
    print(f"{'':10}  {'keys':>6} {'median':>7} {'p99':>7} {'worst':>7} {'> 25':>5} {'> 100':>5}")
    for mode in modes:
        t = sorted(measure(rmux, mode, a.n, a.s, None))
        print(
            f"{mode:10}  {len(t):6} {t[len(t) // 2]:7.1f}"
            f" {t[len(t) * 99 // 100]:7.1f} {t[-1]:7.1f}"
            f" {sum(x > 25 for x in t):5} {sum(x > 100 for x in t):5}",
            flush=True,
        )


if __name__ == "__main__":
    main()
