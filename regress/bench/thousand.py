#!/usr/bin/env python3
"""Memory and processor time of many forwarded connections.

    thousand.py [-n STREAMS] [-s SECONDS] BUILD

STREAMS connections go through one client's -L, in three states, each with
processes of its own: idle, with a program behind the port that sends without
end while nobody reads ("down"), and with the reader and the writer exchanged
("up").  After the bytes stand still: resident memory of server and client
(without helper processes), the bytes that each connection has taken, and the
processor time that both need in SECONDS seconds of that.
"""
import argparse
import os
import resource
import shutil
import socket
import sys
import threading
import time

from forward import Forward, cpu, free_port, tree
from people_keys import Bench, wait_for

STILL = .5   # s without a byte: the bytes stand still
LIMIT = 60   # s


def small(c):
    """Leaves the system little room for the bytes of a connection."""
    for which in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        c.setsockopt(socket.SOL_SOCKET, which, 16384)
    c.setblocking(False)
    return c


class Behind:
    """The programs behind the port: one thread, sockets that never wait."""

    def __init__(self):
        self.bytes = 0
        self.moved = time.monotonic()
        self.conns = []
        self.listener = socket.create_server(('127.0.0.1', 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                c = self.listener.accept()[0]
            except OSError:
                return
            self.conns.append(small(c))

    def push(self, conns):
        """Sends as much as each of CONNS takes; returns the bytes."""
        total, block = 0, bytes(16384)
        for c in conns:
            try:
                for _ in range(16):
                    total += c.send(block)
            except (BlockingIOError, ConnectionError):
                pass
        self.bytes += total
        if total > 0:
            self.moved = time.monotonic()
        return total

    def end(self):
        self.listener.close()
        for c in self.conns:
            c.close()


def rss(pid):
    with open('/proc/%d/status' % pid, encoding='ascii') as f:
        for line in f:
            if line.startswith('VmRSS'):
                return int(line.split()[1]) / 1024
    return 0


def largest(pids):
    """Returns (MiB, pid) of the process that holds most."""
    return max((rss(p), p) for p in pids if os.path.exists('/proc/%d' % p))


class Thousand(Forward):
    def measure(self, what, opts):
        behind = Behind()
        port = free_port()
        p, _ = self.start('rmux', port, behind.port)
        far = int(self.server.run('display-message', '-p', '#{pid}'))
        ours = []

        def up():
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                return True
            except OSError:
                return False
        try:
            wait_for('forward', 20, up)
            before = rss(far), largest(tree(p.pid))[0]
            for n in range(opts.streams):
                ours.append(small(
                    socket.create_connection(('127.0.0.1', port), 20)))
                # The client's queue of connections is short.
                if n % 50 == 49 or n == opts.streams - 1:
                    wait_for('connections', LIMIT,
                             lambda n=n: len(behind.conns) > n)
            end = time.monotonic() + LIMIT
            while what != 'idle' and time.monotonic() < end:
                if behind.push(behind.conns if what == 'down' else ours) == 0:
                    if time.monotonic() - behind.moved > STILL:
                        break
                    time.sleep(.02)
            both = [far, largest(tree(p.pid))[1]]
            used, begin = cpu(both), time.monotonic()
            time.sleep(opts.seconds)
            used = (cpu(both) - used) / (time.monotonic() - begin)
            print('%-6s %8.1f %8.1f %8.1f %8.1f %12.0f %10.2f' % (
                what, before[0], rss(far), before[1], rss(both[1]),
                behind.bytes / opts.streams, used * 100))
            sys.stdout.flush()
        finally:
            for c in ours:
                c.close()
            behind.end()
            p.terminate()
            p.wait()


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    ap.add_argument('build')
    ap.add_argument('-n', '--streams', type=int, default=1000)
    ap.add_argument('-s', '--seconds', type=float, default=5)
    opts = ap.parse_args()
    opts.truth, opts.verbose, opts.jobs = '', False, 8
    if shutil.which('script') is None:
        print('# no script(1)')
        return 77
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print('%-6s %17s %17s %12s %10s' % (
        '', 'server, MiB', 'client, MiB', 'bytes each', '% of a core'))
    for what in ('idle', 'down', 'up'):
        bench = Bench(opts.build, opts)
        try:
            Thousand(bench, 'none').measure(what, opts)
        finally:
            bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
