#!/usr/bin/env python3
"""Control mode measured: control.py RMUX [TMUX]

1. MB/s of %output for each payload, one client that reads (median of three,
   the programs take turns);
2. 100 clients of one session and one that has stopped, under a flood: memory of
   the server, and the time to an answer for one of the clients.
"""
import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time

import live

CLIENTS = 100
FLOOD_S = 10


class Client:
    def __init__(self, program, sock, *words):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(('TMUX', 'RMUX'))}
        env.update(TERM='screen', LC_ALL='C.UTF-8', SHELL='/bin/sh')
        self.p = subprocess.Popen(
            [program, '-f', '/dev/null', '-S', sock, '-C', *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=env)
        self.fd = self.p.stdout.fileno()

    def send(self, line):
        self.p.stdin.write(line.encode() + b'\n')

    def until(self, mark, seconds=60):
        """Reads until MARK; returns its bytes around it, or None."""
        end, tail = time.monotonic() + seconds, b''
        while time.monotonic() < end:
            if not select.select([self.fd], [], [], 1)[0]:
                continue
            data = os.read(self.fd, 1 << 20)
            if not data:
                return None
            tail = tail[-200:] + data
            if mark in tail:
                return tail
        return None

    def ask(self, line):
        self.send(line)
        self.send('display-message -p FENCE')
        return self.until(b'FENCE\n%end')


def throughput(program, path, directory):
    sock = os.path.join(directory, 's%d' % time.monotonic_ns())
    c = Client(program, sock, 'new-session', 'cat')
    c.ask('set-option -g history-limit 2000')
    start = time.monotonic()
    c.send("new-window 'cat %s; printf FO%%sNE X; exec cat'" % path)
    ok = c.until(b'FOXNE')
    seconds = time.monotonic() - start
    c.send('kill-server')
    c.until(b'%exit', 10)
    c.p.wait()
    return os.path.getsize(path) / 1e6 / seconds if ok else 0


def size_of(pid):
    with open('/proc/%d/statm' % pid) as f:
        return int(f.read().split()[1]) * os.sysconf('SC_PAGESIZE') / (1 << 20)


def ask_for(client, seconds, path):
    """Asks for SECONDS, writes the milliseconds of each answer to PATH and ends.

    It is a process of its own: one that also read the flood would measure itself.
    """
    end = time.monotonic() + seconds
    with open(path, 'w') as f:
        while time.monotonic() < end:
            asked = time.monotonic()
            client.send('display-message -p FENCE')
            client.until(b'FENCE\n%end')
            f.write('%f\n' % (1000 * (time.monotonic() - asked)))
            time.sleep(0.05)
    os._exit(0)


def crowd(program, directory):
    sock = os.path.join(directory, 'crowd%d' % time.monotonic_ns())
    first = Client(program, sock, 'new-session', '-s', 'x', 'cat')
    got = first.ask("display-message -p 'pid #{pid}'")
    pid = int(re.search(rb'pid (\d+)', got)[1])
    others = [Client(program, sock, 'attach-session', '-t', 'x')
              for _ in range(CLIENTS)]
    for c in others:
        c.ask('display-message -p ready')
    stopped = Client(program, sock, 'attach-session', '-t', 'x')
    stopped.ask('display-message -p ready')
    before = most = size_of(pid)
    first.ask('refresh-client -f no-output')
    first.send("new-window 'while :; do printf %0800d 1; done'")
    asker = os.fork()
    if asker == 0:
        ask_for(first, FLOOD_S, os.path.join(directory, 'answers'))
    fds, total = [c.fd for c in others], 0
    end = time.monotonic() + FLOOD_S
    while time.monotonic() < end:
        for fd in select.select(fds, [], [], 0.1)[0]:
            data = os.read(fd, 1 << 18)
            total += len(data)
            if not data:
                sys.exit('%s: a client that reads has ended' % program)
        most = max(most, size_of(pid))
    os.waitpid(asker, 0)
    with open(os.path.join(directory, 'answers')) as f:
        answers = [float(line) for line in f]
    subprocess.run([program, '-S', sock, 'kill-server'], check=False)
    for c in [first, stopped, *others]:
        c.p.kill()
        c.p.wait()
    answers.sort()
    return (most - before, total / 1e6 / FLOOD_S, statistics.median(answers),
            answers[int(len(answers) * 0.99)], len(answers))


def main():
    programs = [os.path.abspath(p) for p in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as top:
        live.payloads(top)
        print('%-12s' % 'MB/s', *('%14s' % os.path.basename(p)
                                  for p in programs))
        for name, path in live.PAYLOADS.items():
            rounds = [[throughput(p, path, top) for p in programs]
                      for _ in range(3)]
            print('%-12s' % name, *('%14.1f' % statistics.median(c)
                                    for c in zip(*rounds)), flush=True)
        for p in programs:
            more, rate, middle, late, n = crowd(p, top)
            print('%s: %d clients and a stopped one: %.0f MiB more, %.0f MB/s '
                  'to all, answers %.1f ms (99 %%: %.1f ms; %d)' % (
                      os.path.basename(p), CLIENTS, more, rate, middle, late, n))


main()
