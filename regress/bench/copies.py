#!/usr/bin/env python3
"""Commands and copies on another machine: rmux exec and cp beside ssh and scp.

    copies.py [-m MB] [-f FILES] [-r RUNS] BUILD [LINK...]

LINK is that of udp_relay, or "none", as for forward.py.  Rows: the output of a
command of MB megabytes, the same as its input, one file of that size up, and
FILES small files up.  The systems run in turn, each with its sign-in; medians
of seconds.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time

from forward import Forward
from people_keys import Bench


def exec_words(system, words, command):
    """WORDS, which log in with a terminal, instead run COMMAND."""
    if system == 'rmux':
        return [words[0], 'exec'] + words[2:] + [command]
    return [w for w in words if w != '-tt'] + [command]


def cp_words(system, words, source, to, many):
    """The same, for a copy; SOURCE or TO begins with the host's colon."""
    host = words[-1]
    ends = [host + w if w.startswith(':') else w for w in (source, to)]
    flags = ['-r'] if many else []
    if system == 'rmux':
        return [words[0], 'cp'] + words[2:-1] + flags + ends
    out = ['scp'] + [w for w in words[1:-1] if w != '-tt']
    out[out.index('-p')] = '-P'
    # The server has no sftp.
    return out + ['-O', '-q'] + flags + ends


class Copies(Forward):
    def __init__(self, bench, link, size, files):
        super().__init__(bench, link)
        self.top = os.path.join(bench.dir, 'copies')
        os.makedirs(os.path.join(self.top, 'many'))
        self.size = size
        self.big = os.path.join(self.top, 'big')
        with open(self.big, 'wb') as f:
            left = size
            while left > 0:
                left -= f.write(os.urandom(min(left, 1 << 20)))
        for i in range(files):
            d = os.path.join(self.top, 'many', str(i // 200))
            os.makedirs(d, exist_ok=True)
            with open(os.path.join(d, str(i)), 'w', encoding='ascii') as f:
                f.write('x' * (i * 37 % 5000))
        self.udp = self.relay(False, self.server.port)
        self.tcp = self.relay(True, self.sshd.port)

    def argv(self, system, row):
        to = os.path.join(self.top, 'to-' + system)
        shutil.rmtree(to, ignore_errors=True)
        os.makedirs(to)
        command = {'output': 'head -c %d %s' % (self.size, self.big),
                   'input': 'cat >/dev/null'}.get(row)
        words = self.server.attach(self.udp) if system == 'rmux' else \
            self.sshd.client(self.tcp)
        if command is not None:
            return exec_words(system, words, command)
        many = row == 'files'
        return cp_words(system, words, os.path.join(self.top, 'many')
                        if many else self.big, ':' + to, many)

    def once(self, system, row):
        argv = self.argv(system, row)
        with open(self.big if row == 'input' else '/dev/null', 'rb') as f:
            begin = time.monotonic()
            subprocess.run(argv, stdin=f, stdout=subprocess.DEVNULL,
                           check=True,
                           env=dict(os.environ, **self.server.env))
            return time.monotonic() - begin


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('links', nargs='*', default=['none'])
    ap.add_argument('-m', '--mb', type=float, default=200)
    ap.add_argument('-f', '--files', type=int, default=5000)
    ap.add_argument('-r', '--runs', type=int, default=3)
    opts = ap.parse_args()
    opts.truth, opts.verbose, opts.jobs = '', False, 8
    if shutil.which('scp') is None:
        print('# no scp(1)')
        return 77
    print('%-26s %-8s %8s %8s %8s' % ('link', 's', 'rmux', 'ssh', 'ratio'))
    for link in opts.links:
        bench = Bench(opts.build, opts)
        try:
            c = Copies(bench, link, int(opts.mb * 1e6), opts.files)
            for row in ('output', 'input', 'file', 'files'):
                got = {'rmux': [], 'ssh': []}
                for _ in range(opts.runs):
                    for system, times in got.items():
                        times.append(c.once(system, row))
                a, b = (statistics.median(got[s]) for s in ('rmux', 'ssh'))
                print('%-26s %-8s %8.2f %8.2f %8.2f' % (link, row, a, b, b / a))
                sys.stdout.flush()
        finally:
            bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
