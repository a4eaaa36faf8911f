#!/usr/bin/env python3
"""Bytes and datagrams on the wire for the same work on the same screen.

    wire_bytes.py [-s] [-o DIR] [-d MS] BUILD [SCENARIO...]

Systems: rmux attached over UDP (without the copy of the newest lines above the
screen that a client is sent when the link is idle; rmux+history has it, and
only cat leaves such lines); Debian's mosh with Debian's tmux inside; ssh
and ssh -C with tmux inside, where sshd can be started.  All run at the same
time on 120 by 40, with a status line, each through a udp_relay of its own
(delay 25 ms each way), and are counted there from when the screen stands until
everything is shown.  Bytes include IP and UDP headers (28 a datagram); for ssh
52 a piece that the relay read, without pure acknowledgements.

Scenarios: typing (2,000 characters into cat, at a person's gaps), less (pages
and lines), vim (a vertical split: scrolling, moving, typing), htop (10 Hz, recorded
first, so that all systems show the same), cat (10 MB), idle.  -s: shorter ones.  -r N: N runs, and the median of each
count.  Results: wire.txt, wire.json, wire.svg.  TMUX_BIN: another tmux.
"""
import argparse
import fcntl
import json
import math
import os
import pty
import random
import re
import select
import struct
import subprocess
import shutil
import signal
import statistics
import sys
import termios
import threading
import time

import people_keys
import people_plot
from people_keys import Bench, Row, Server, wait_for

COLS, ROWS = 120, 40
TMUX = os.environ.get('TMUX_BIN', 'tmux')


def quote(s):
    return '"%s"' % ''.join(
        '\\\\' if c == '\\' else '\\"' if c == '"' else
        '\\x%02x' % ord(c) if ord(c) < 32 or ord(c) == 127 else c for c in s)


# Writes the pieces of a recording when they came; then waits.
PLAYER = '''
import json, os, sys, time
pieces = json.load(open(sys.argv[1]))
begin = time.monotonic()
for at, piece in pieces:
    time.sleep(max(begin + at - time.monotonic(), 0))
    os.write(1, piece.encode('latin-1'))
time.sleep(1000)
'''


def record(argv, seconds):
    """Returns what a program writes to a pane of ROWS - 1 rows: [[s, text]]."""
    child, fd = pty.fork()
    if child == 0:
        os.environ.update(TERM='screen-256color', LC_ALL='C.UTF-8')
        os.execvp(argv[0], argv)
    fcntl.ioctl(fd, termios.TIOCSWINSZ,
                struct.pack('HHHH', ROWS - 1, COLS, 0, 0))
    begin, pieces = time.monotonic(), []
    while time.monotonic() < begin + seconds:
        if select.select([fd], [], [], .1)[0]:
            try:
                got = os.read(fd, 65536)
            except OSError:
                break
            pieces.append([time.monotonic() - begin, got.decode('latin-1')])
    os.kill(child, signal.SIGTERM)
    os.close(fd)
    os.waitpid(child, 0)
    return pieces


class Work:
    """The actions of a scenario: a program, keys, the time after them."""

    def __init__(self, name, program, ready, keys, stay):
        self.name, self.program, self.ready = name, program, ready
        self.keys, self.stay = keys, stay

    def write(self, path):
        with open(path, 'w', encoding='utf-8') as f:
            f.write('keys 1\nsize %d %d\nready %s\n' % (
                COLS, ROWS, quote(self.ready)))
            for gap, key in self.keys:
                f.write('k %.0f %s\n' % (gap, quote(key)))
            if not self.keys:
                f.write('# nothing is typed\n')


def gaps(rnd, median):
    return min(max(median * math.exp(rnd.gauss(0, .4)), 30), 2000)


def works(bench, short, wanted):
    rnd = random.Random(5)
    files = bench.path('files')
    os.mkdir(files)
    words = ('the quick brown fox jumps over a lazy dog while seven wizards '
             'box and every good boy does fine').split()
    for name in 'ab':
        with open(os.path.join(files, name + '.txt'), 'w',
                  encoding='utf-8') as f:
            for i in range(2000):
                f.write('%4d %s\n' % (i, ' '.join(
                    rnd.choice(words) for _ in range(rnd.randrange(3, 18)))))
    with open(os.path.join(files, 'big'), 'w', encoding='utf-8') as f:
        n = (1 if short else 10) * 1000000
        while f.tell() < n:
            for i in range(1000):
                f.write('%08x %s\n' % (rnd.getrandbits(32), ' '.join(
                    rnd.choice(words) for _ in range(9))))
    typed, col = [], 0
    for _ in range(300 if short else 2000):
        c = rnd.choice('etaoinshrdlu   cmfw')
        col += 1
        if col == 70:
            c, col = '\r', 0
        typed.append((gaps(rnd, 100), c))
    n = 1 if short else 3
    less = [(gaps(rnd, 350), ' ') for _ in range(10 * n)] + \
        [(gaps(rnd, 120), 'j') for _ in range(30 * n)] + \
        [(gaps(rnd, 350), 'b') for _ in range(10 * n)]
    vim = [(gaps(rnd, 120), 'j') for _ in range(60 * n)] + \
        [(gaps(rnd, 400), '\x04') for _ in range(8 * n)] + \
        [(gaps(rnd, 200), 'i')] + \
        [(gaps(rnd, 120), rnd.choice('etaoin shrdlu'))
         for _ in range(40 * n)] + \
        [(300, '\033')] + [(gaps(rnd, 120), 'k') for _ in range(40 * n)]
    a, b = (os.path.join(files, x + '.txt') for x in 'ab')
    big = os.path.join(files, 'big')
    stay = 8 if short else 20
    wanted = wanted or ['htop']
    out = [
        Work('typing', 'echo ready; exec cat', 'ready', typed, 2),
        Work('less', 'exec less %s' % a, ' 0 ', less, 2),
        Work('vim', 'exec vim -u NONE -i NONE -N -n -O --cmd '
             '"set t_RV= t_u7= ttimeoutlen=50 ruler" %s %s' % (a, b), ' 0 ',
             vim, 2),
        Work('cat', 'echo ready; read x; cat %s; echo; echo finished; '
             'exec sleep 1000' % big, 'ready', [(100, '\r')],
             6 if short else 20),
        Work('idle', 'echo ready; exec sleep 1000', 'ready', [],
             20 if short else 60)]
    if 'htop' in wanted and shutil.which('htop'):
        tape, player = bench.path('htop.json'), bench.path('player.py')
        with open(player, 'w', encoding='utf-8') as f:
            f.write(PLAYER)
        with open(tape, 'w', encoding='utf-8') as f:
            json.dump(record(['htop', '-d', '1'], stay + 4), f)
        out.insert(3, Work('htop', 'exec %s %s %s' % (
            sys.executable, player, tape), 'Tasks', [], stay))
    return out


class Sshd:
    def __init__(self, bench, host='127.0.0.1'):
        self.host = host
        self.dir = bench.path('sshd')
        os.mkdir(self.dir, 0o700)
        self.port = 20000 + os.getpid() % 20000
        self.made = False
        d = self.dir
        if os.getuid() == 0 and not os.path.isdir('/run/sshd'):
            os.mkdir('/run/sshd', 0o755)
            self.made = True
        for key in ('host', 'user'):
            subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '',
                            '-f', os.path.join(d, key)], check=True,
                           stdin=subprocess.DEVNULL)
        with open(os.path.join(d, 'conf'), 'w', encoding='utf-8') as f:
            f.write('Port %d\nListenAddress %s\nHostKey %s/host\n'
                    'AuthorizedKeysFile %s/user.pub\nStrictModes no\n'
                    'PidFile %s/pid\nUsePAM no\nPermitRootLogin yes\n'
                    'PasswordAuthentication no\nAcceptEnv LC_ALL\n' %
                    (self.port, host, d, d, d))
        self.process = bench.spawn([shutil.which('sshd') or '/usr/sbin/sshd',
                                    '-D', '-q', '-f',
                                    os.path.join(d, 'conf')])

    def client(self, port):
        return ['ssh', '-F', 'none', '-tt', '-p', str(port), '-i',
                os.path.join(self.dir, 'user'), '-o', 'SendEnv=LC_ALL',
                '-o', 'StrictHostKeyChecking=no', '-o', 'LogLevel=ERROR',
                '-o', 'IdentityAgent=none',
                '-o', 'UserKnownHostsFile=/dev/null', self.host]

    def works(self):
        for _ in range(50):
            if subprocess.run(self.client(self.port) + ['true'],
                              stdin=subprocess.DEVNULL, capture_output=True,
                              check=False).returncode == 0:
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(.1)
        return False

    def end(self):
        if self.made:
            try:
                os.rmdir('/run/sshd')
            except OSError:
                pass


def counts(relay):
    relay.stdin.write('stats\n')
    relay.stdin.flush()
    out = {}
    for _ in range(2):
        line = relay.stdout.readline()
        way = line.split()[0]
        out[way] = [int(re.search(r'\b%s=(\d+)' % k, line).group(1))
                    for k in ('in', 'in_bytes')]
    return out


class Wire:
    def __init__(self, bench, delay, directory):
        self.bench = bench
        self.directory = directory
        self.row = Row('wire', 2 * delay, 'delay=%g' % delay)
        self.server = Server(bench, 'adaptive', '')
        bench.servers['adaptive'] = self.server
        self.sshd = None
        self.tmux = []
        try:
            sshd = Sshd(bench)
            if sshd.works():
                self.sshd = sshd
        except (OSError, subprocess.CalledProcessError):
            pass
        if self.sshd is None:
            print('# no sshd here')

    def inside(self, work):
        """tmux with the program, for mosh and ssh."""
        n = 'wire%d-%d' % (os.getpid(), self.bench.number())
        self.tmux.append(n)
        return [TMUX, '-L', n, '-f', '/dev/null', 'new-session',
                work.program]

    def log(self, system, work):
        if not self.bench.opts.log:
            return []
        return ['-l', os.path.join(self.directory, '%s-%s.log' % (
            work.name, system))]

    def start(self, system, work):
        """Starts the far end; returns (relay, argv, env)."""
        bench = self.bench
        if system.startswith('rmux'):
            name = 'w%d' % bench.number()
            self.server.run('new-session', '-d', '-s', name, '-x', str(COLS),
                            '-y', str(ROWS), work.program)
            relay, port = bench.relay(self.server.port, self.row, 1,
                                      *self.log(system, work))
            # The screen as in the other systems, or the newest history, too.
            mirror = [] if system == 'rmux+history' else ['--mirror=0']
            return relay, self.server.attach(port) + mirror + \
                ['-t', name], self.server.env
        if system == 'mosh+tmux':
            got = subprocess.run(
                ['mosh-server', 'new', '-i', '127.0.0.1', '-p',
                 '61000:61999', '-c', '256', '--'] +
                self.inside(work), stdin=subprocess.DEVNULL,
                capture_output=True, text=True, check=True)
            words = got.stdout.split()
            at = words.index('CONNECT')
            relay, port = bench.relay(words[at + 1], self.row, 1,
                                      *self.log(system, work))
            return relay, ['mosh-client', '127.0.0.1', str(port)], {
                'MOSH_KEY': words[at + 2],
                'MOSH_PREDICTION_DISPLAY': 'adaptive'}
        relay = bench.spawn(
            [os.path.join(bench.tools, 'udp_relay'), '-t', '-c', '-b',
             self.row.up, '0', str(self.sshd.port)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        port = int(relay.stdout.readline().split()[1])
        inside = self.inside(work)
        inside[-1] = "'%s'" % inside[-1]
        return relay, self.sshd.client(port)[:-1] + \
            (['-C'] if system == 'ssh-C+tmux' else []) + \
            ['127.0.0.1', 'TERM=xterm-256color ' + ' '.join(inside)], {}

    def run(self, system, work, results):
        keys = self.bench.path('%s.keys' % work.name)
        relay, argv, env = self.start(system, work)
        player = self.bench.spawn(
            [os.path.join(self.bench.tools, 'keyplay'), '-b', '60', '-e',
             str(work.stay), keys] + argv,
            env=dict(os.environ, **env), stdout=subprocess.PIPE, text=True)
        before = after = None
        for line in player.stdout:
            if line.startswith('begin'):
                before = counts(relay)
            elif line.startswith('end'):
                after = counts(relay)
        player.wait()
        relay.stdin.close()
        relay.wait()
        if before is None or after is None:
            print('# %s %s: did not start' % (work.name, system))
            return
        head = 52 if system.startswith('ssh') else 28
        got = {}
        for way in ('up', 'down'):
            n = after[way][0] - before[way][0]
            got[way] = n
            got[way + '_bytes'] = after[way][1] - before[way][1] + head * n
        results.setdefault((work.name, system), []).append(got)

    def end(self):
        for n in self.tmux:
            subprocess.run([TMUX, '-L', n, 'kill-server'],
                           stdin=subprocess.DEVNULL, capture_output=True,
                           check=False)
        if self.sshd:
            self.sshd.end()


def medians(results):
    return {k: {f: statistics.median(r[f] for r in runs) for f in runs[0]}
            for k, runs in results.items()}


def table(results, names, systems, out):
    results = medians(results)
    print('%-8s %-12s %8s %8s %8s %8s   %s' % (
        'work', 'system', 'up kB', 'down kB', 'up dg', 'down dg',
        'both ways beside mosh+tmux: bytes, datagrams'), file=out)
    for name in names:
        for system in systems:
            r = results.get((name, system))
            if not r:
                continue
            text = '%-8s %-12s %8.1f %8.1f %8d %8d' % (
                name, system, r['up_bytes'] / 1e3, r['down_bytes'] / 1e3,
                r['up'], r['down'])
            m = results.get((name, 'mosh+tmux'))
            if m and system != 'mosh+tmux':
                share = (r['up_bytes'] + r['down_bytes']) / max(
                    m['up_bytes'] + m['down_bytes'], 1)
                datagrams = (r['up'] + r['down']) / max(
                    m['up'] + m['down'], 1)
                text += '   %.2f %.2f' % (share, datagrams)
                if system == 'rmux':
                    text += '  at most .5: ' + (
                        'holds' if max(share, datagrams) <= .5
                        else 'DOES NOT HOLD')
            print(text, file=out)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('scenarios', nargs='*')
    ap.add_argument('-s', '--short', action='store_true')
    ap.add_argument('-o', '--out', default='')
    ap.add_argument('-d', '--delay', type=float, default=25)
    ap.add_argument('-r', '--runs', type=int, default=1)
    ap.add_argument('--only', default='')
    ap.add_argument('-l', '--log', action='store_true',
                    help='every datagram of rmux and mosh to a file')
    opts = ap.parse_intermixed_args()
    opts.truth, opts.verbose, opts.jobs = '', False, 8
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    directory = opts.out or os.path.join(opts.build, 'bench')
    os.makedirs(directory, exist_ok=True)
    bench = Bench(opts.build, opts)
    wire, results = None, {}
    try:
        wire = Wire(bench, opts.delay, directory)
        systems = ['rmux', 'rmux+history']  # the latter for cat
        if shutil.which('mosh-server') and shutil.which(TMUX):
            systems.append('mosh+tmux')
        if wire.sshd and shutil.which(TMUX):
            systems += ['ssh+tmux', 'ssh-C+tmux']
        if opts.only:
            systems = opts.only.split(',')
        todo = [w for w in works(bench, opts.short, opts.scenarios)
                if not opts.scenarios or w.name in opts.scenarios]
        for work in todo * opts.runs:
            work.write(bench.path('%s.keys' % work.name))
            threads = [threading.Thread(target=wire.run,
                                        args=(s, work, results))
                       for s in systems
                       if s != 'rmux+history' or work.name == 'cat']
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            # At once, so that an interrupted run keeps its results.
            with open(os.path.join(directory, 'wire.json'), 'w',
                      encoding='utf-8') as f:
                json.dump([dict(r, work=k[0], system=k[1])
                           for k, r in medians(results).items()], f,
                          indent=1)
        names = [w.name for w in todo]
        table(results, names, systems, sys.stdout)
        with open(os.path.join(directory, 'wire.txt'), 'w',
                  encoding='utf-8') as f:
            table(results, names, systems, f)
        people_plot.bars(
            os.path.join(directory, 'wire.svg'), 'kB on the wire, both ways',
            {'%s %s' % k: (r['up_bytes'] + r['down_bytes']) / 1e3
             for k, r in sorted(medians(results).items())}, 'kB')
    finally:
        if wire:
            wire.end()
        bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
