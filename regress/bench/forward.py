#!/usr/bin/env python3
"""Bytes through a forwarded port: rmux attach -L beside ssh -L.

    forward.py [-m MB] [-n STREAMS] [-r RUNS] BUILD [LINK...]

LINK is that of udp_relay (delay, jitter, rate; queue and loss for rmux alone,
since the relay must not lose TCP's bytes), or "none": no relay.  A program behind the port sends MB
megabytes to each of STREAMS connections at a time.  The systems run in turn;
medians of MB/s, and of the processor time of client and server a gigabyte.
"""
import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import threading
import time

from people_keys import Bench, Row, Server, wait_for
from wire_bytes import Sshd

CHUNK = os.urandom(1 << 20)


def source(size):
    """Listens; sends SIZE bytes to whoever connects.  Returns the port."""
    s = socket.create_server(('127.0.0.1', 0), backlog=128)

    def one(c):
        with c:
            left = size
            try:
                while left > 0:
                    left -= c.send(CHUNK[:left])
            except OSError:
                pass

    def serve():
        while True:
            threading.Thread(target=one, args=(s.accept()[0],),
                             daemon=True).start()
    threading.Thread(target=serve, daemon=True).start()
    return s.getsockname()[1]


def fetch(port, got, until=None):
    """Appends (bytes, time of the first, time of the last) to GOT."""
    n, first, last, buf = 0, None, None, bytearray(1 << 20)
    with socket.create_connection(('127.0.0.1', port), 20) as s:
        try:
            while until is None or time.monotonic() < until:
                if until is not None:
                    s.settimeout(max(until - time.monotonic(), .01))
                k = s.recv_into(buf)
                if k == 0:
                    break
                n += k
                last = time.monotonic()
                first = first or last
        except OSError:
            pass
    got.append((n, first, last))


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as s:
        return s.getsockname()[1]


def cpu(pids):
    """Returns the processor seconds of processes and of their children that have
    ended."""
    total = 0
    for pid in pids:
        try:
            with open('/proc/%d/stat' % pid, encoding='ascii') as f:
                w = f.read().rsplit(')', 1)[1].split()
            total += sum(int(n) for n in w[11:15])
        except OSError:
            pass
    return total / os.sysconf('SC_CLK_TCK')


def tree(pid):
    """Returns PID and all below it."""
    out = [pid]
    got = subprocess.run(['ps', '-o', 'pid=', '--ppid', str(pid)],
                         capture_output=True, text=True, check=False)
    for child in got.stdout.split():
        out += tree(int(child))
    return out


def end_programs(programs):
    """Asks them to end, and kills those that do not."""
    for p in programs:
        if p.poll() is None:
            p.terminate()
    for p in programs:
        try:
            p.wait(10)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


def forward_words(system, words, port, to):
    """WORDS, which log in with a terminal, that instead forward PORT to TO."""
    spec = ['-L', '%d:127.0.0.1:%d' % (port, to)]
    if system == 'rmux':
        return words + spec  # it wants a terminal
    return [words[0], '-N'] + spec + [w for w in words[1:] if w != '-tt']


class Forward:
    def __init__(self, bench, link):
        self.bench = bench
        self.link = link
        self.server = Server(bench, 'never', 'set -g status off\n')
        bench.servers['never'] = self.server
        self.sshd = Sshd(bench)
        self.relays = []

    def relay(self, tcp, port):
        if self.link == 'none':
            return int(port)
        link = self.link
        if tcp:
            link = ','.join(w for w in link.split(',')
                            if w.split('=')[0] not in ('queue', 'loss'))
        p = self.bench.spawn(
            [os.path.join(self.bench.tools, 'udp_relay')] +
            (['-t'] if tcp else []) + ['-c', '-b', link, '0', str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.relays.append(p)
        return int(p.stdout.readline().split()[1])

    def start(self, system, port, to):
        """Returns the client's process and the pids to count."""
        if system == 'rmux':
            argv = forward_words(system, self.server.attach(
                self.relay(False, self.server.port)), port, to)
            # A terminal, as the client wants one.
            p = self.bench.spawn(
                ['script', '-qfc', ' '.join(argv), '/dev/null'],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(os.environ, **self.server.env))
            far = int(self.server.run('display-message', '-p', '#{pid}'))
            return p, lambda: tree(p.pid) + tree(far)
        argv = forward_words(system, self.sshd.client(
            self.relay(True, self.sshd.port)), port, to)
        p = self.bench.spawn(argv, stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL,
                             stderr=sys.stderr)
        return p, lambda: tree(p.pid) + tree(self.sshd.process.pid)

    def run(self, system, size, streams):
        port, to = free_port(), source(size)
        p, pids = self.start(system, port, to)

        def up():
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                return True
            except OSError:
                return False
        wait_for('forward of ' + system, 20, up)
        time.sleep(1)
        got = []
        before, begin = cpu(pids()), time.monotonic()
        threads = [threading.Thread(target=fetch, args=(port, got))
                   for _ in range(streams)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        took = time.monotonic() - begin
        used = cpu(pids()) - before
        p.terminate()
        p.wait()
        total = sum(g[0] for g in got)
        if total != size * streams:
            print('# %s: %d of %d bytes' % (system, total, size * streams))
        return total / took / 1e6, used / (total / 1e9)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('links', nargs='*', default=['none'])
    ap.add_argument('-m', '--mb', type=float, default=100)
    ap.add_argument('-n', '--streams', type=int, default=1)
    ap.add_argument('-r', '--runs', type=int, default=3)
    opts = ap.parse_args()
    opts.truth, opts.verbose, opts.jobs = '', False, 8
    if shutil.which('script') is None:
        print('# no script(1)')
        return 77
    print('%-34s %-5s %8s %12s' % ('link', '', 'MB/s', 'CPU s a GB'))
    for link in opts.links:
        bench = Bench(opts.build, opts)
        try:
            f = Forward(bench, link)
            got = {'rmux': [], 'ssh': []}
            for _ in range(opts.runs):
                for system in got:
                    got[system].append(f.run(
                        system, int(opts.mb * 1e6 / opts.streams),
                        opts.streams))
            for system, runs in got.items():
                print('%-34s %-5s %8.1f %12.1f' % (
                    link, system, statistics.median(r[0] for r in runs),
                    statistics.median(r[1] for r in runs)))
            sys.stdout.flush()
        finally:
            bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
