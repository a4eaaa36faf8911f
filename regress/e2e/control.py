#!/usr/bin/env python3
"""Control mode: drives a program (rmux or tmux 3.8) by -C and prints what it
says, in a form that two programs can be compared by.

    control.py say PROGRAM DIR             the fixed conversation
    control.py random PROGRAM DIR N SEED...   N random commands of each seed
    control.py compare TMUX RMUX DIR SEED COUNT N   differences, by seed
    control.py hard RMUX DIR               rmux alone: hostile and slow clients
    control.py far RMUX DIR                the same but for the slow ones
    control.py link|over|slow|ends|sleep RMUX DIR SSH RELAY   control_far.sh

With CONTROL_FAR in the environment, PROGRAM reaches a server of another machine,
which starts when a client needs it.

Times, numbers of blocks and names of clients are left out, and the notifications
between two blocks are sorted: their order among themselves is not compared.
"""
import atexit
import os
import random
import re
import select
import signal
import socket
import subprocess
import sys
import time

TIMEOUT = 10


def environment():
    env = {k: v for k, v in os.environ.items() if not k.startswith(("TMUX", "RMUX"))}
    env.update(TERM="screen", LC_ALL="C.UTF-8", SHELL="/bin/sh", PS1="$ ", TZ="UTC")
    if "RMUX_TMPDIR" in os.environ:
        env["RMUX_TMPDIR"] = os.environ["RMUX_TMPDIR"]
    return env


SERVERS = set()


CLIENTS = []


@atexit.register
def end_servers():
    """Nothing outlives the script, whatever went wrong."""
    for c in CLIENTS:
        if c.poll() is None:
            c.kill()
    for program, sock in SERVERS:
        if os.path.exists(sock):
            run(program, sock, ["kill-server"])


class Client:
    """One client in control mode."""

    def __init__(self, program, sock, *words):
        SERVERS.add((program, sock))
        self.argv = [program, "-f", "/dev/null", "-S", sock]
        self.p = subprocess.Popen(
            self.argv + ["-C", *words], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, bufsize=0,
            env=environment())
        CLIENTS.append(self.p)
        self.data = b""
        self.at = 0
        self.count = 0

    def read(self, seconds):
        """Reads once; false at the end of file or after SECONDS."""
        fd = self.p.stdout.fileno()
        if not select.select([fd], [], [], seconds)[0]:
            return False
        got = os.read(fd, 1 << 20)
        self.data += got
        return bool(got)

    def until(self, found, what):
        """Reads until FOUND of the new bytes; returns them."""
        end = time.monotonic() + TIMEOUT
        while not found(self.data[self.at:]):
            if not self.read(max(0, end - time.monotonic())):
                raise SystemExit("%s: no %s after %r" % (
                    self.argv[0], what, self.data[-400:]))
        new = self.data[self.at:]
        return new

    def take(self):
        new = self.data[self.at:]
        self.at = len(self.data)
        return new

    def send(self, line):
        if isinstance(line, str):
            line = line.encode()
        self.p.stdin.write(line + b"\n")

    def sync(self):
        """Returns what comes before the answer to a command of our own."""
        self.count += 1
        word = b"sync%d" % self.count
        self.send(b"display-message -p " + word)
        pattern = re.compile(
            rb"%begin [^\n]*\n" + word + rb"\n%end [^\n]*\n")
        self.until(pattern.search, word)
        new = self.take()
        return pattern.sub(b"", new)

    def command(self, line):
        self.send(line)
        return self.sync()

    def answer(self, line):
        """The lines inside the block of the answer."""
        found = re.search(rb"%begin [^\n]*\n(.*?)%(?:end|error) ", self.command(line), re.S)
        return found[1].decode()

    def name(self):
        return self.answer("display-message -p '#{client_name}'").strip()

    def end(self):
        """Closes standard input; returns the rest and the exit code."""
        self.p.stdin.close()
        while self.read(TIMEOUT):
            pass
        return self.take(), self.p.wait(TIMEOUT)


def unescape(text):
    return re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), text)


def stream(data):
    """The output of panes in the lines of DATA."""
    return b"".join(unescape(x) for x in re.findall(
        rb"^%(?:output %\d+|extended-output %\d+ \d+ :) (.*)\n", data, re.M))


def normal(data, names=()):
    """The comparable form of what a client got."""
    for i, name in enumerate(names):
        data = data.replace(name.encode(), b"CLIENT%d" % i)
    data = re.sub(rb"(\S*@\S*:)?client-\d+", b"CLIENT", data)
    out, notes, panes, inside = [], set(), {}, False

    def flush():
        out.extend(sorted(notes))
        out.extend(b"output " + k + b" " + repr(unescape(v)).encode()
                   for k, v in sorted(panes.items()))
        notes.clear()
        panes.clear()

    for line in data.split(b"\n"):
        guard = re.match(rb"%(begin|end|error) \d+ \d+ (\d)$", line)
        if guard:
            flush()
            inside = guard[1] == b"begin"
            out.append(b"%" + guard[1] + b" " + guard[2])
        elif inside or not line.startswith(b"%"):
            if line or inside:
                out.append(line)
        elif line.startswith((b"%output ", b"%extended-output ")):
            words = line.split(b" ", 2)
            text = words[2] if words[0] == b"%output" else words[2].split(b" : ", 1)[1]
            panes[words[1]] = panes.get(words[1], b"") + text
        else:
            notes.add(line)
    flush()
    return b"\n".join(out).decode("utf-8", "backslashreplace") + "\n"


def server(program, directory, name):
    sock = os.path.join(directory, name)
    first = Client(program, sock, "new-session", "-s", "s", "-x", "80", "-y", "24", "cat")
    for line in ("set -g automatic-rename off", "set -g default-command cat",
                 "rename-window first"):
        first.command(line)
    return sock, first


SAY = """display-message hello
display-message -p hi
display-message -p '#{client_flags} #{client_control_mode} #{client_width}x#{client_height}'
new-window -n two
rename-window 'a b' ; split-window
bad-command
display-message -p a ; bad ; display-message -p b
display-message -p a ; has-session -t zz ; display-message -p b
new-window -t zz:
rename-session other
split-window -h
list-windows
refresh-client -f new-layouts
list-windows
resize-pane -Z
resize-pane -Z
list-panes -F '#{pane_id} #{pane_width}x#{pane_height} #{pane_active}'
refresh-client -f '!new-layouts'
select-pane -t 0
select-layout even-vertical
set-buffer -b q foo
delete-buffer -b q
kill-pane
copy-mode
send-keys -X cancel
clock-mode
send-keys q
kill-window
run-shell 'echo one; echo two; exit 3'
if-shell true 'display-message -p yes' 'display-message -p no'
if-shell -F 1 'display-message -p yes' 'display-message -p no'
set-hook -g after-new-window 'display-message -p hook'
new-window
set-hook -gu after-new-window
kill-window
new-session -d -s c
switch-client -t c
new-window -d -t other: -n unseen
rename-window -t other:0 zzz
kill-session -t other
list-sessions -F '#{session_name} #{session_windows} #{session_attached}'
#comment
 
source-file /dev/null
refresh-client -C 100x30
refresh-client -C 100,31
refresh-client -C foo
refresh-client -C 0x5
display-message -p '#{client_width} #{window_width}x#{window_height}'
refresh-client -A '%99:on'
refresh-client -A '%0:on'
refresh-client -f no-output,wait-exit,ignore-size,no-detach-on-destroy,pause-after=7
display-message -p '#{client_flags}'
refresh-client -f '!no-output,!wait-exit,!ignore-size,!no-detach-on-destroy,!pause-after'
display-message -p '#{client_flags}'
refresh-client -f read-only
display-message -p '#{client_flags}'
switch-client -r
display-message -p '#{client_flags}'
lock-client
display-popup true
display-menu a b c
show-options -g status
list-commands ls-nothing
display-message -p ok"""


def say(program, directory):
    """The fixed conversation."""
    out = []
    sock, c = server(program, directory, "say")
    d = Client(program, sock, "new-session", "-s", "d", "cat")
    # Nobody reads keys of d, but it sees the notifications.
    out.append(normal(d.sync()))
    names = [c.name(), d.name()]
    c.sync()
    for line in SAY.split("\n"):
        out.append(">> %s\n%s" % (line, normal(c.command(line), names)))
        seen = normal(d.sync(), names).strip("\n")
        if seen:
            out.append("other client: %s\n" % seen)
    out.append(output(c))
    out.append(subscribe(c))
    c.send("detach-client -t " + names[1])
    d.until(lambda b: b"%exit" in b, "%exit")
    out.append("detached: " + normal(d.take(), names))
    out.append("code %d\n" % d.end()[1])
    out.append(normal(c.sync(), names))
    got, code = c.end()
    out.append(normal(got) + "code %d\n" % code)
    out.append(ends(program, directory))
    return "".join(out)


def output(c):
    """Output of a program in all states of its pane."""
    out = []
    c.command("new-window -n out")
    pane = re.search(rb"%\d+", c.command("display-message -p '#{pane_id}'"))[0].decode()
    for text, before in (
            ("plain", ""), ("b\\\\c", ""), ("ä", ""),
            ("paused", "pause"), ("again", "continue"), ("late", "off on")):
        for state in before.split():
            out.append(normal(c.command("refresh-client -A '%s:%s'" % (pane, state))))
        if before == "pause":
            c.command("send-keys -t '%s' gone Enter" % pane)
            # The pane has it when the screen shows it twice.
            while c.command("capture-pane -p -t '%s'" % pane).count(b"gone") < 2:
                pass
            continue
        c.send("send-keys -t '%s' '%s' Enter" % (pane, text))
        want = text.encode()
        c.until(lambda b: stream(b).count(want + b"\r\n") >= 2, text)
        out.append(normal(c.sync()))
    out.append(normal(c.command("refresh-client -f pause-after=100")))
    c.send("send-keys -t '%s' aged Enter" % pane)
    c.until(lambda b: stream(b).count(b"aged\r\n") >= 2, "aged")
    got = c.sync()
    out.append("extended: %s\n" % bool(re.search(
        rb"^%extended-output " + pane.encode() + rb" \d+ : ", got, re.M)))
    c.command("refresh-client -f '!pause-after'")
    c.command("kill-window")
    return "".join(out)


def subscribe(c):
    """Subscriptions of all kinds; a change comes within seconds."""
    out = []
    c.command("set-option @v 1")
    for spec in ("a::#{session_name} #{@v}", "b:@*:#{window_name}",
                 "c:%*:#{pane_width}:x", "d:@1:#{@v}", "e:%1:#{@v}", "f"):
        c.send("refresh-client -B '%s'" % spec)
    c.until(lambda b: b.count(b"%subscription-changed") >= 3, "subscriptions")
    c.take()
    c.command("set-option @v 2")
    c.until(lambda b: b"%subscription-changed a" in b, "changed a")
    out.append(normal(c.sync()))
    for name in "abcde":
        c.command("refresh-client -B " + name)
    c.sync()
    return "".join(out)


def run(program, sock, words, data=b""):
    r = subprocess.run(
        [program, "-f", "/dev/null", "-S", sock, *words], input=data,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(),
        timeout=TIMEOUT)
    return r.stdout, r.returncode


def ends(program, directory):
    """How clients end: output and exit code."""
    out = []
    sock = os.path.join(directory, "ends")

    def one(words, data=b""):
        got, code = run(program, sock, ["-C", *words], data)
        got = got.replace(sock.encode(), b"SOCK")
        out.append("== %s %r\n%scode %d\n" % (" ".join(words), data, normal(got), code))

    if "CONTROL_FAR" not in os.environ:
        one(["attach-session"])
    keep = Client(program, sock, "new-session", "-s", "keep", "cat")
    keep.command("set-option -g automatic-rename off")
    one(["bad"])
    one(["list-sessions", "-F", "#{session_name}"])
    one(["attach-session", "-t", "zz"])
    one(["new-session", "-d", "-s", "x", "cat"])
    one(["attach-session", ";", "display-message", "-p", "x"])
    one(["attach-session"], b"display-message -p a\nhas-session -t zz\n")
    one(["attach-session"], b"display-message -p a\n\ndisplay-message -p b\n")
    one(["attach-session"], b"display-message -p half")
    one(["attach-session"], b"detach-client\n")
    one(["attach-session", "-t", "x"], b"kill-session\n")
    one(["attach-session", "-f", "wait-exit"], b"detach-client\n\n")
    c = Client(program, sock, "attach-session")
    c.sync()
    c.p.send_signal(signal.SIGTERM)
    c.until(lambda b: b"%exit" in b, "%exit")
    out.append("SIGTERM: %scode %d\n" % (normal(c.take()), c.end()[1]))
    keep.send("kill-server")
    keep.until(lambda b: b"%exit" in b, "%exit")
    out.append("kill-server: %scode %d\n" % (normal(keep.take()), keep.end()[1]))
    return "".join(out)


# --- random commands ------------------------------------------------------------


def pick(r):
    """One random command line."""
    w = lambda: r.choice(["", " -t :0", " -t :1", " -t :2", " -t :9", " -t :+", " -t nope"])
    p = lambda: r.choice(["", " -t .0", " -t .1", " -t '{last}'", " -t '%1'", " -t '%77'"])
    n = lambda: r.choice(["a", "b", "'x y'", "ä", "'#{window_index}'"])
    return r.choice([
        lambda: "new-window" + r.choice(["", " -d"]) + " -n " + n(),
        lambda: "kill-window" + w(),
        lambda: "rename-window" + w() + " " + n(),
        lambda: "split-window" + r.choice(["", " -h", " -d", " -hb", " -f"]) + p(),
        lambda: "split-window" + p(),
        lambda: "kill-pane" + p(),
        lambda: "select-pane" + p(),
        lambda: "select-window" + w(),
        lambda: r.choice(["next-window", "previous-window", "last-window"]),
        lambda: "last-pane",
        lambda: "resize-pane " + r.choice(["-L 3", "-R 2", "-U 1", "-D 2", "-Z", "-x 20"]) + p(),
        lambda: "select-layout " + r.choice(["even-horizontal", "even-vertical", "tiled", "nope"]),
        lambda: "move-window -t :%d" % r.randrange(8),
        lambda: "rename-session " + n(),
        lambda: "set-buffer -b %s text" % r.choice("ab"),
        lambda: "delete-buffer -b " + r.choice("ab"),
        lambda: "display-message " + n(),
        lambda: "display-message -p '#{session_name} #{window_index} #{pane_id} #{window_layout}'",
        lambda: "list-windows -F '#{window_index} #{window_id} #{window_name} #{window_layout}'",
        lambda: "list-panes -s -F '#{pane_id} #{pane_width}x#{pane_height} #{pane_active}'",
        lambda: "refresh-client -C %dx%d" % (r.randrange(40, 120), r.randrange(20, 50)),
        lambda: "refresh-client -f '%s'" % r.choice(
            ["new-layouts", "!new-layouts", "no-output", "!no-output", "ignore-size", "!ignore-size"]),
        lambda: "display-message -p '#{client_flags}'",
        lambda: "refresh-client -A '%%%d:%s'" % (
            r.randrange(5), r.choice(["on", "off", "pause", "continue"])),
        lambda: "has-session -t " + r.choice(["s", "nope", "'$0'"]),
        lambda: r.choice(["nope", "new-window -t", "kill-pane -Q", "select-layout a b c", ""]) or "#",
        lambda: "if-shell -F %d 'display-message -p yes' 'display-message -p no'" % r.randrange(2),
        lambda: "set-option -g @x %d ; show-options -gv @x" % r.randrange(99),
        lambda: "new-session -d -s %s" % r.choice("pqr"),
        lambda: "kill-session -t %s" % r.choice("pqr"),
        lambda: "switch-client -t " + r.choice(["p", "q", "'$0'", "nope"]),
        lambda: "copy-mode",
        lambda: "send-keys -X cancel",
        lambda: "set-option -w @y 1",
        lambda: "swap-window -d -s :0 -t :1",
    ])()


def changed_layouts(data, layouts, command):
    """
    Leaves out layouts that are no news or not the last of their window, and the
    index of panes and which of them is active: tmux sends some layouts twice,
    and before it has chosen and counted the panes.
    """
    out, seen = [], {}
    for line in data.split(b"\n"):
        if line.startswith(b"%layout-change "):
            line = re.sub(rb'"(a":true|l":\d+|i":\d+),', b"", line)
            seen[line.split(b" ")[1]] = line
        else:
            out.append(line)
    for window, line in seen.items():
        # A pane alone in its window has one layout only.
        same = not re.search(rb"\[|,0,0{|:\[", line) and command.startswith(
            ("select-layout", "resize-pane", "switch-client"))
        if layouts.get(window) != line and not same:
            out.append(line)
        layouts[window] = line
    return b"\n".join(out)


def random_steps(program, directory, seed, count):
    """Command lines of a seed and what they say, to the end of the client."""
    r = random.Random(seed)
    sock, c = server(program, directory, "r%d" % seed)
    name = ["client-%d" % c.p.pid]
    steps, layouts = [], {}
    try:
        for i in range(count):
            line = pick(r)
            word = b"sync%d" % i
            pattern = rb"%begin [^\n]*\n" + word + rb"\n%end [^\n]*\n"
            try:
                c.send(line)
                c.send(b"display-message -p " + word)
            except BrokenPipeError:
                pass
            c.until(lambda b: re.search(pattern, b) or b"%exit" in b, "answer")
            got = re.sub(pattern, b"", c.take())
            if b"%exit" in got:
                # The end may be seen with the command behind it.
                if got == b"%exit\n":
                    line = steps.pop()[0]
                steps.append((line, "(ends)\n"))
                break
            steps.append((line, normal(changed_layouts(got, layouts, line), name)))
    finally:
        run(program, sock, ["kill-server"])
        c.p.wait(TIMEOUT)
    return steps


def random_run(program, directory, seed, count):
    steps = random_steps(program, directory, seed, count)
    return "".join(">> %s\n%s" % s for s in steps)


def compare(tmux, rmux, directory, seed, count, length):
    bad = commands = 0
    places = []
    for name in "tmux", "rmux":
        places.append(os.path.join(directory, name))
        os.makedirs(places[-1], exist_ok=True)
    for s in range(seed, seed + count):
        a = random_steps(tmux, places[0], s, length)
        b = random_steps(rmux, places[1], s, length)
        commands += len(a)
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else ("", "(end)")
            y = b[i] if i < len(b) else ("", "(end)")
            if x != y:
                bad += 1
                print("seed %d, command %d: %s\ntmux:\n%srmux:\n%s" % (
                    s, i, x[0], x[1], y[1]))
                break
    print("%d commands, %d of %d seeds differ" % (commands, bad, count))
    return bad


# --- rmux alone -------------------------------------------------------------------


def check(condition, what):
    if not condition:
        raise SystemExit("wrong: " + what)


def bad_input(rmux, directory):
    """Lines that are too long, broken or many."""
    _, c = server(rmux, directory, "bad")
    c.p.stdin.write(b"x" * (3 << 20) + b"\n")
    got = c.sync()
    check(got.count(b"parse error: line too long") == 1, "one long line: %r" % got[:200])
    c.send(b"display-message -p a\0b")
    check(b"parse error: the line has a NUL byte" in c.sync(), "NUL")
    c.send(b"display-message -p '\xff\xfe'")
    check(b"\n\xff\xfe\n" in c.sync(), "invalid UTF-8")
    c.p.stdin.write(b"display-mess")
    c.p.stdin.write(b"age -p half\n")
    check(b"\nhalf\n" in c.sync(), "half lines")
    count = 3000
    c.p.stdin.write(b"".join(b"display-message -p n%d\n" % i for i in range(count)))
    got = c.sync()
    check(re.findall(rb"^n(\d+)$", got, re.M) == [b"%d" % i for i in range(count)],
          "many lines")
    # Lines behind a command that waits come after it.
    c.p.stdin.write(b"run-shell 'echo first'\n" + b"display-message -p next\n" * 3)
    got = c.sync()
    check(got.index(b"first") < got.index(b"next"), "lines wait")
    got, code = c.end()
    check(code == 0 and got.endswith(b"%exit\n"), "end")
    print("# bad input")


def size_of(pid):
    with open("/proc/%d/statm" % pid) as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") >> 20


def stopped(rmux, directory):
    """A client that stops reading under a flood, beside one that reads."""
    sock, c = server(rmux, directory, "stop")
    pid = int(re.search(rb"\n(\d+)\n", c.command("display-message -p '#{pid}'"))[1])
    slow = Client(rmux, sock, "attach-session", "-t", "s")
    slow.sync()
    paused = Client(rmux, sock, "attach-session", "-t", "s", "-f", "pause-after=3000")
    paused.sync()
    before = size_of(pid)
    c.command("refresh-client -f no-output")
    c.command("new-window -n flood 'yes 0123456789012345678901234567890123456789'")
    # The slow one ends, and the paused one is paused; c goes on.
    most = 0
    end = time.monotonic() + 4 * TIMEOUT
    while b"%client-detached" not in c.sync():
        most = max(most, size_of(pid))
        check(time.monotonic() < end, "the slow client stays")
    # The queue of the paused one may be a little shorter: the flood goes on.
    end = time.monotonic() + 2
    while time.monotonic() < end:
        c.sync()
    c.command("kill-window -t flood")
    slow.p.kill()
    slow.p.wait()
    paused.until(lambda b: b"%pause" in b, "%pause")
    paused.take()
    check(b"%exit" not in paused.data, "paused client ends")
    paused.command("refresh-client -f '!pause-after'")
    check(paused.end()[1] == 0, "code of the paused client")
    check(most - before < 100, "%d MiB more" % (most - before))
    c.send("kill-server")
    c.end()
    print("# stopped client")


def behind(rmux, directory):
    """A client that reads 3 MB a second stays beside one that reads all it gets."""
    sock, quick = server(rmux, directory, "behind")
    slow = Client(rmux, sock, "attach-session", "-t", "s")
    slow.sync()
    quick.command("new-window -n flood 'yes 0123456789012345678901234567890123456789'")
    got, last = 0, time.monotonic()
    while got < 32 << 20:
        if select.select([quick.p.stdout], [], [], 0.02)[0]:
            data = os.read(quick.p.stdout.fileno(), 1 << 20)
            check(data, "the quick client has ended")
        if time.monotonic() - last > 0.02:
            last = time.monotonic()
            data = os.read(slow.p.stdout.fileno(), 1 << 16)
            got += len(data)
            check(data, "the slow client has ended after %d bytes" % got)
    for c in (slow, quick):
        c.p.kill()
        c.p.wait()
    run(rmux, sock, ["kill-server"])
    print("# a client that is behind")


def terminal(rmux, directory):
    """-CC in a terminal: no echo, DCS 1000p before, ST behind."""
    import pty
    import termios
    sock = os.path.join(directory, "tty")
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(environment())
        os.execv(rmux, [rmux, "-f", "/dev/null", "-S", sock, "-CC", "new-session", "cat"])
    data = b""

    def until(what):
        nonlocal data
        end = time.monotonic() + TIMEOUT
        while what not in data and time.monotonic() < end:
            if not select.select([fd], [], [], TIMEOUT)[0]:
                break
            try:
                got = os.read(fd, 65536)
            except OSError:
                break
            if not got:
                break
            data += got
        check(what in data, "%r in %r" % (what, data))

    until(b"%session-changed $0 0\r\n")
    check(data.startswith(b"\033P1000p%begin "), "DCS: %r" % data[:40])
    os.write(fd, b"display-message -p hello\n")
    until(b"\r\nhello\r\n%end ")
    check(b"display-message" not in data, "echo")
    check(not termios.tcgetattr(fd)[3] & termios.ECHO, "echo is on")
    os.write(fd, b"\n")
    until(b"%exit\r\n\033\\")
    check(os.waitpid(pid, 0)[1] == 0, "exit code")
    check(termios.tcgetattr(fd)[3] & termios.ECHO, "the terminal is restored")
    run(rmux, sock, ["kill-server"])
    print("# terminal")


HOOKS = ["window-renamed", "window-unlinked", "client-attached", "client-session-changed",
         "client-detached", "session-closed", "after-new-window", "after-refresh-client",
         "pane-mode-changed", "window-layout-changed", "command-error"]
ACTIONS = ["kill-session", "detach-client -a", "detach-client", "kill-server", "kill-pane",
           "kill-window", "switch-client -t o", "detach-client -s s"]
TRIGGERS = ["rename-window q", "split-window cat", "new-window cat", "copy-mode",
            "switch-client -t o", "has-session -t zz", "refresh-client -C 50x20",
            "run-shell 'echo x'", "if-shell true 'rename-window r'", "kill-pane"]


def hooks(rmux, directory):
    """Hooks that free clients, sessions and panes; HOOKS_ROUNDS for more."""
    seed = int(os.environ.get("HOOKS_SEED", time.time()))
    r = random.Random(seed)
    for i in range(int(os.environ.get("HOOKS_ROUNDS", "4"))):
        hook, action = r.choice(HOOKS), r.choice(ACTIONS)
        sock = os.path.join(directory, "h%d" % i)
        clients = []
        for words in ("new-session -s s cat", "new-session -s o cat",
                      "attach-session -t s"):
            clients.append(Client(rmux, sock, *words.split()))
            clients[-1].sync()
        try:
            clients[0].send("set-hook -g %s '%s'" % (hook, action))
            for line in TRIGGERS:
                clients[0].send(line)
                clients[2].send(line)
        except BrokenPipeError:
            pass
        run(rmux, sock, ["kill-server"])
        for c in clients:
            try:
                c.p.stdin.close()
            except BrokenPipeError:
                pass
            while c.read(TIMEOUT):
                pass
            check(c.p.wait(TIMEOUT) in (0, 1), "seed %d" % seed)
            check(b"%exit server exited" not in c.data, "seed %d, %s: %s" % (seed, hook, action))
    print("# hooks, seed %d" % seed)


def hard(rmux, directory):
    bad_input(rmux, directory)
    hooks(rmux, directory)
    stopped(rmux, directory)
    behind(rmux, directory)
    terminal(rmux, directory)


def far(rmux, directory):
    bad_input(rmux, directory)
    hooks(rmux, directory)
    terminal(rmux, directory)


# --- a bad link -------------------------------------------------------------------

GENERATOR = """import sys, time
end, n = time.monotonic() + float(sys.argv[1]), 0
while time.monotonic() < end:
    for _ in range(40):
        n += 1
        print("line%d." % n, flush=True)
    time.sleep(0.02)
print("last%d." % n, flush=True)
time.sleep(3600)
"""


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Link:
    """Clients on a link that a relay spoils, and the server at its other end."""

    def __init__(self, rmux, directory, ssh, relay):
        self.rmux, self.directory = rmux, directory
        self.sock = os.path.join(directory, "link")
        self.port = free_port()
        self.relay = subprocess.Popen(
            [relay, "-c", "-s", "7", "-b", "delay=10,loss=0.1", "0", str(self.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.udp = int(self.relay.stdout.readline().split()[-1])
        self.script = self.file("generator.py", GENERATOR)
        self.ssh = self.file("ssh", "#!/bin/sh\necho $$ >'%s/ssh.pid'\nexec '%s' \"$@\"\n" % (
            directory, ssh))
        self.there = self.file("there", "#!/bin/sh\nexec '%s' -f /dev/null \"$@\"\n" % rmux)
        self.start("s")

    def file(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, 0o755)
        return path

    def start(self, name):
        SERVERS.add((self.rmux, self.sock))
        run(self.rmux, self.sock, ["new-session", "-d", "-s", name, "-x", "200", "cat"])

    def say(self, line):
        self.relay.stdin.write(line.encode() + b"\n")

    def client(self, *options):
        c = Client(self.rmux, self.sock, "attach-session", "--ssh=" + self.ssh,
                   "--server=" + self.there, "--ports=%d" % self.port,
                   "--udp=127.0.0.1:%d" % self.udp, *options, "127.0.0.1")
        c.sync()
        return c

    def end(self):
        self.relay.stdin.close()
        self.relay.wait(TIMEOUT)

    def over(self, c):
        return c.answer("display-message -p '#{client_link}'").strip()


def count_lines(data, pane):
    """Every line of the generator came once, in order, and none is missing."""
    text = b"".join(unescape(x) for x in re.findall(
        rb"^%output " + pane + rb" (.*)\n", data, re.M))
    got = [int(x) for x in re.findall(rb"line(\d+)\.", text)]
    last = re.search(rb"last(\d+)\.", text)
    check(last, "the generator's end is missing")
    check(got == list(range(1, int(last[1]) + 1)), "%d lines of %d, first wrong: %r" % (
        len(got), int(last[1]), [(i, x) for i, x in enumerate(got, 1) if i != x][:3]))
    return len(got)


def check_guards(data):
    """Blocks are whole, and their numbers rise."""
    number = 0
    inside = None
    for word, n in re.findall(rb"^%(begin|end|error) \d+ (\d+) \d$", data, re.M):
        if word == b"begin":
            check(inside is None and int(n) > number, "block %r in %r" % (n, inside))
            number = int(n)
            inside = n
        else:
            check(inside == n, "end of block %r in %r" % (n, inside))
            inside = None


def generate(link, c, seconds, events):
    """Runs the generator for SECONDS and EVENTS (time, function) meanwhile."""
    c.take()
    start = len(c.data)
    pane = c.answer("new-window -P -F '#{pane_id}' '%s %s %s'" % (
        sys.executable, link.script, seconds)).strip().encode()
    began = time.monotonic()
    events = sorted(events, key=lambda e: e[0])
    asked = answered = 0
    done = re.compile(rb"^%output " + pane + rb" .*last\d+\.", re.M)
    end = began + seconds + 60
    looked = start
    while True:
        now = time.monotonic()
        check(now < end, "the generator's end does not come: %r" % c.data[-300:])
        while events and now - began >= events[0][0]:
            events.pop(0)[1]()
        if asked < (now - began) * 10 and now - began < seconds:
            asked += 1
            c.send("display-message -p ask%d" % asked)
        c.read(0.02)
        if done.search(c.data, max(start, looked - 5000)):
            break
        looked = len(c.data)
    c.sync()
    data = c.data[start:]
    for answered in re.findall(rb"^ask(\d+)$", data, re.M):
        check(int(answered) <= asked, "an answer to nothing")
    check([int(x) for x in re.findall(rb"^ask(\d+)$", data, re.M)] == list(range(1, asked + 1)),
          "%d commands were not answered in order" % asked)
    check_guards(data)
    c.command("kill-window -t " + pane.decode())
    return count_lines(data, pane), asked


def bad_link(link, seconds):
    """Loss, new addresses, cuts, and a client that sleeps."""
    c = link.client("--again=0")
    check(link.over(c) == "udp", "not over UDP: " + link.over(c))
    with open("/proc/%d/status" % c.p.pid) as f:
        check("NoNewPrivs:\t1" in f.read(), "the client is not confined")

    def at(t, what):
        return (t, (lambda: what()) if callable(what) else (lambda: link.say(what)))

    def stop():
        c.p.send_signal(signal.SIGSTOP)

    def go():
        c.p.send_signal(signal.SIGCONT)

    events = []
    t = 0.0
    while t + 5 < seconds + 1:
        events += [at(t + 0.5, "rebind"), at(t + 1, "both off=1"),
                   at(t + 2, "both off=0,loss=0.1"), at(t + 2.5, stop), at(t + 3.3, go),
                   at(t + 3.6, "rebind"), at(t + 4.2, "both loss=0.3,reorder=0.2"),
                   at(t + 4.8, "both loss=0.1,reorder=0")]
        t += 5
    lines, asked = generate(link, c, seconds, events)
    link.say("both loss=0")
    got, code = c.end()
    check(code == 0 and got.endswith(b"%exit\n"), "end: %d %r" % (code, got[-100:]))
    print("# %d lines and %d commands over a bad link" % (lines, asked))


def through_ssh(link):
    """UDP fails: the client signs in again, and ssh carries the same session."""
    c = link.client("--again=1")
    lines, asked = generate(link, c, 3, [(0.3, lambda: link.say("both off=1"))])
    check(link.over(c) == "ssh", "not through ssh: %s" % link.over(c))
    check(c.answer("list-clients").count("\n") == 1, "another client")

    def end_ssh():
        with open(os.path.join(link.directory, "ssh.pid")) as f:
            os.kill(int(f.read()), signal.SIGKILL)

    more, _ = generate(link, c, 3, [(0.3, end_ssh)])
    link.say("both off=0")
    check(c.end()[1] == 0, "code")
    print("# %d lines through ssh and its successor" % (lines + more))


def wait_gone(pid):
    """Its port is free then."""
    end = time.monotonic() + TIMEOUT
    while os.path.exists("/proc/%d" % pid):
        check(time.monotonic() < end, "the server stays")
        time.sleep(0.02)


def server_ends(link):
    """Its end, orderly and not: the client says so and ends."""
    mark = os.path.join(link.directory, "ran")
    c = link.client()
    c.send("detach-client -E 'touch %s'" % mark)
    c.until(lambda b: b"%exit detached" in b, "%exit")
    check(c.end()[1] == 0 and not os.path.exists(mark), "a command ran")
    c = link.client()
    pid = int(c.answer("display-message -p '#{pid}'"))
    c.send("kill-session")
    c.until(lambda b: b"%exit\n" in b, "%exit")
    check(c.end()[1] == 0, "code")
    wait_gone(pid)
    link.start("s")
    c = link.client("--again=1")
    pid = int(c.answer("display-message -p '#{pid}'"))
    os.kill(pid, signal.SIGKILL)
    wait_gone(pid)
    link.start("other")
    # Something unanswered makes the silence noticed soon.
    c.send("display-message -p x")
    c.until(lambda b: b"%exit" in b, "%exit")
    check(b"%exit the server does not know this client any more\n" in c.take(), "reason")
    check(c.end()[1] == 1, "code")
    got, _ = run(link.rmux, link.sock, ["list-clients"])
    check(got == b"", "a client of the new server: %r" % got)
    print("# ends of the server")


def dead_end(link):
    """Nobody is there: neither the server nor the program that had the client."""
    c = link.client("--again=0")
    link.say("both off=1")
    c.p.stdin.close()
    end = time.monotonic() + 90
    while c.read(max(0, end - time.monotonic())):
        pass
    check(c.take().endswith(b"%exit the server does not answer\n"), "reason")
    check(c.p.wait(TIMEOUT) == 1, "code")
    link.say("both off=0")
    print("# a dead end")


def slow_reader(link):
    """Who does not read, pauses panes or ends, and memory is bounded."""
    c = link.client("-f", "pause-after=1")
    pid = int(c.answer("display-message -p '#{pid}'"))
    before = size_of(pid)
    c.send("new-window 'yes 0123456789012345678901234567890123456789'")
    c.until(lambda b: b.count(b"%extended-output") > 20, "output")
    c.p.send_signal(signal.SIGSTOP)
    end = time.monotonic() + 2
    most = 0
    while time.monotonic() < end:
        most = max(most, size_of(pid))
        time.sleep(0.05)
    c.p.send_signal(signal.SIGCONT)
    c.until(lambda b: b"%pause" in b, "%pause")
    c.take()
    c.command("kill-window")
    check(most - before < 60, "%d MiB more" % (most - before))
    c.command("display-message -p still")
    check(c.end()[1] == 0, "code")
    print("# slow reader")


RATTLE = """import sys, time
n = 0
while True:
    for _ in range(20):
        n += 1
        sys.stdout.write("line%d.%s\\n" % (n, "x" * 180))
    sys.stdout.flush()
    time.sleep(0.1)
"""


def numbers(data):
    return [int(x) for x in re.findall(rb"line(\d+)\.x", stream(data))]


def in_order(got, first, what):
    check(got and got == list(range(first, first + len(got))),
          "%s: %d lines from %r to %r" % (what, len(got), got[:1], got[-1:]))


def sleepers(link, seconds):
    """Machines that sleep, one with pause-after and one without."""
    pausing = link.client("--again=0", "-f", "pause-after=1")
    plain = link.client("--again=0")
    link.file("rattle.py", RATTLE)
    both = (pausing, plain)
    for c in both:
        c.take()
    pausing.send("new-window -P -F 'pane #{pane_id}' \"'%s' '%s'\"" % (
        sys.executable, os.path.join(link.directory, "rattle.py")))
    pausing.until(lambda b: b.count(b"%extended-output") > 5, "output")
    plain.until(lambda b: b.count(b"%output") > 5, "output")
    pane = re.search(rb"^pane (%\d+)$", pausing.data, re.M)[1].decode()
    for c in both:
        c.p.send_signal(signal.SIGSTOP)
    link.say("both off=1")
    end = time.monotonic() + seconds
    other = Client(link.rmux, link.sock, "attach-session", "-f", "no-output")
    while time.monotonic() < end:
        other.command("display-message -p awake")
        time.sleep(0.1)
    link.say("both off=0,loss=0")
    for c in both:
        c.p.send_signal(signal.SIGCONT)
    # The program has not waited for them, and both are there.
    pausing.until(lambda b: b"\n%pause " in b, "%pause")
    before = numbers(pausing.data)
    in_order(before, 1, "before the sleep")
    at = len(pausing.data)
    pausing.command("refresh-client -A '%s:continue'" % pane)
    pausing.at = at
    pausing.until(lambda b: b"%continue" in b and b.count(b"%extended-output") > 9,
                  "output after %continue")
    after = numbers(pausing.data[at:])
    in_order(after, after[0], "after the sleep")
    check(after[0] > before[-1] + 20 * seconds, "lines %d to %d, the program waited" % (
        before[-1], after[0]))
    # The pane has the lines that the client missed.
    pausing.take()
    shown = pausing.command("capture-pane -p -S - -t '%s'" % pane)
    kept = [int(x) for x in re.findall(rb"^line(\d+)\.x", shown, re.M)]
    check(kept[-1] >= after[0] and kept == list(range(kept[0], kept[-1] + 1)), "capture-pane")
    if seconds < 200:
        plain.until(lambda b: b"line%d." % after[0] in b, "the lines of the sleep")
        in_order(numbers(plain.data), 1, "without pause-after")
    else:
        plain.until(lambda b: b"%exit" in b, "%exit")
        in_order(numbers(plain.data), 1, "before the end")
        check(b"%exit too far behind\n" in plain.data, plain.data[-100:])
    pausing.command("kill-window -t '%s'" % pane)
    for c in (*both, other):
        c.end()
    print("# machines that slept for %d seconds" % seconds)


def too_far_behind(link, seconds):
    """A machine that slept for too long hears why it ends."""
    c = link.client("--again=0")
    # The program does not wait, because another client could show it.
    other = Client(link.rmux, link.sock, "attach-session", "-f", "no-output")
    other.sync()
    c.p.send_signal(signal.SIGSTOP)
    link.say("both off=1")
    other.send("new-window 'yes %s | head -c 20000000; exec cat'" % ("x" * 100))
    end = time.monotonic() + 60
    while other.command("list-clients -F '#{client_name}'").count(b"client-") > 1:
        check(time.monotonic() < end, "the client is not ended")
        time.sleep(0.05)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        other.command("display-message -p awake")
        time.sleep(0.1)
    link.say("both off=0,loss=0")
    c.p.send_signal(signal.SIGCONT)
    c.until(lambda b: b"%exit" in b, "%exit")
    check(c.data.endswith(b"%exit too far behind\n"), c.data[-100:])
    other.end()
    print("# a machine that slept for too long")


def bad_links(what, *args):
    link = Link(*args)
    if what == "link":
        bad_link(link, float(os.environ.get("CONTROL_FAR_SECONDS", "5")))
    elif what == "over":
        through_ssh(link)
    elif what == "sleep":
        sleepers(link, float(os.environ.get("CONTROL_FAR_SECONDS", "5")))
        # Longer than an end waits for a client that is awake.
        too_far_behind(link, 25)
    elif what == "slow":
        slow_reader(link)
        # It takes a minute.
        if "CONTROL_FAR_SECONDS" in os.environ:
            dead_end(link)
    else:
        server_ends(link)
    link.end()


def record(program, directory, length, seeds):
    for seed in seeds:
        sys.stdout.write("seed %d\n" % seed)
        sys.stdout.write(random_run(program, directory, seed, length))


def main():
    what, args = sys.argv[1], sys.argv[2:]
    if what == "say":
        sys.stdout.write(say(*args))
    elif what == "random":
        record(args[0], args[1], int(args[2]), map(int, args[3:]))
    elif what == "compare":
        sys.exit(compare(*args[:3], *map(int, args[3:])) != 0)
    elif what == "hard":
        hard(*args)
    elif what == "far":
        far(*args)
    elif what in ("link", "over", "slow", "ends", "sleep"):
        bad_links(what, *args)
    else:
        sys.exit(__doc__)


main()
