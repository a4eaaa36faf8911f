#!/usr/bin/env python3
"""plain_session.py - instructions of a plain session, of one build or of two.

  plain_session.py [-r RUNS] BUILD [OTHER]

A shell, `ls -l`, and vim in a pane of 80x24, on this machine: keys typed one by one, each
waits until nothing more is drawn.  Server and client run under callgrind; the terminal is
outer.py's xterm, or vt100, which answers nothing.  Prints the instructions of server and
client in millions, median of RUNS (3), less those of the same session without the keys;
for two builds the ratio OTHER / BUILD as well.
"""
import argparse
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OUTER = os.path.join(HERE, '..', 'terminal', 'outer.py')
LINES = ''.join('%04d the quick brown fox jumps over %d dogs\n' % (i, i * 7919 % 1000)
                for i in range(400))
WORKS = {
    'start': [],
    'shell': list('echo one two three') + ['\\r'] + list('cd /usr/include') + ['\\r', 'pwd', '\\r'],
    'ls -l': ['ls -l /usr/include', '\\r'] * 3,
    'vim': ['vim -u NONE -i NONE -n -N file', '\\r'] + ['j'] * 15 + ['\\x04'] * 6 + ['i'] +
           list('some words typed into it') + ['\\e'] + ['k'] * 10 + ['\\x15'] * 4 + [':q!', '\\r'],
}


class Session:
    def __init__(self, build, profile):
        self.rmux = os.path.join(os.path.abspath(build), 'rmux')
        self.dir = tempfile.mkdtemp(prefix='rmux-plain')
        self.sock = os.path.join(self.dir, 's')
        self.out = os.path.join(self.dir, 'out')
        os.mkdir(self.out)
        with open(os.path.join(self.dir, 'file'), 'w', encoding='ascii') as f:
            f.write(LINES)
        self.server = self.spawn('server', [self.rmux, '-D', '-S', self.sock, '-f', '/dev/null'])
        self.wait(lambda: os.path.exists(self.sock))
        self.run('new-session', '-d', '-s', 't', '-x', '80', '-y', '24', '-c', self.dir, 'sh')
        self.client = self.spawn('client', [self.rmux, '-S', self.sock, '-f', '/dev/null', 'attach'],
                                 [sys.executable, OUTER, '-p', profile, '-s', '80x24', self.out])
        self.wait(lambda: b'[t]' in self.read('screen'))

    def spawn(self, name, argv, before=()):
        return subprocess.Popen(
            list(before) + ['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null',
                            '--log-file=%s/%s.%%p' % (self.dir, name)] + argv,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def run(self, *words):
        subprocess.run([self.rmux, '-S', self.sock] + list(words), check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def read(self, name):
        try:
            with open(os.path.join(self.out, name), 'rb') as f:
                return f.read()
        except OSError:
            return b''

    @staticmethod
    def wait(cond, secs=60):
        end = time.time() + secs
        while not cond():
            if time.time() > end:
                raise RuntimeError('the session does not begin')
            time.sleep(0.02)

    def rests(self, idle):
        last, since = None, time.time()
        while time.time() < since + idle:
            now = os.path.getsize(os.path.join(self.out, 'bytes'))
            if now != last:
                last, since = now, time.time()
            time.sleep(0.01)

    def types(self, key):
        with open(os.path.join(self.out, 'in'), 'w', encoding='ascii') as f:
            f.write('type %s\n' % key)

    def end(self):
        """Returns the instructions of server and client."""
        self.run('detach-client', '-s', 't')
        self.client.wait(60)
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(60)
        out = []
        for name in ('server', 'client'):
            counts = [0]
            for log in os.listdir(self.dir):
                if log.startswith(name + '.'):
                    with open(os.path.join(self.dir, log), encoding='utf-8', errors='replace') as f:
                        counts += [int(n) for n in re.findall(r'Collected : (\d+)', f.read())]
            out.append(max(counts) / 1e6)
        shutil.rmtree(self.dir, ignore_errors=True)
        return out


def measure(build, profile, keys):
    s = Session(build, profile)
    s.rests(1.5)
    for key in keys:
        s.types(key)
        s.rests(0.25)
    return s.end()


def main():
    p = argparse.ArgumentParser()
    p.add_argument('-r', dest='runs', type=int, default=3)
    p.add_argument('-p', dest='profiles', default='xterm,vt100')
    p.add_argument('builds', nargs='+')
    opts = p.parse_args()
    for name in ('RMUX', 'RMUX_PANE', 'TMUX', 'TMUX_PANE', 'COLORTERM'):
        os.environ.pop(name, None)
    os.environ.update(LC_ALL='C.UTF-8', SHELL='/bin/sh', PS1='$ ')
    print('%-8s %-8s %s' % ('terminal', 'work', '   '.join(
        '%-18s' % ('server, client' if i == 0 else 'other: the same') for i in range(len(opts.builds)))
        + ('   ratios' if len(opts.builds) > 1 else '')))
    for profile in opts.profiles.split(','):
        base = []
        for work, keys in WORKS.items():
            got = []
            # The builds take turns.
            runs = [[measure(b, profile, keys) for b in opts.builds] for _ in range(opts.runs)]
            for i, _ in enumerate(opts.builds):
                got.append([statistics.median(r[i][k] for r in runs) for k in (0, 1)])
            if work == 'start':
                base = got
            else:
                got = [[max(g - b, 0) for g, b in zip(gs, bs)] for gs, bs in zip(got, base)]
            ratios = ['%.2f' % (got[1][k] / max(got[0][k], 1e-9)) for k in (0, 1)] if len(got) > 1 else []
            print('%-8s %-8s %s   %s' % (profile, work, '   '.join(
                '%8.2f %8.2f ' % tuple(g) for g in got), ' '.join(ratios)), flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
