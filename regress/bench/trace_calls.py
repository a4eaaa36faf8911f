#!/usr/bin/env python3
"""Count the functions and files that the server enters for one event.

    trace_calls.py [-r REPEATS] [-b DIR] [-o FILE] [-t] [EVENT...]

Builds the tree in a temporary folder with -pg -mfentry, links trace_calls.c
into it, runs a private server with one client on a terminal of 80 x 24
(status-interval 3600, automatic-rename off), and records every function that
the server enters from one event until nothing was entered for a quarter of a
second.  An event begins just after one of the server's ticks (two a second), so
no tick belongs to it.  Events:

    set         "rmux set -g @foo x" in a shell, no client being attached
    set-shown   the same, a client being attached
    key         one key typed by the attached client into a pane that runs cat;
                the echo and its confirmation belong to it
    output      one byte written by the program of the pane

Reports for each, of the event in the middle of REPEATS (7) events:

    calls       functions entered
    files       source files of these functions
    moves       entries of a function in another file than the one before
    server      the same among the functions of server/ only: the files that
                the reader of this event opens there, in order

Functions of the C library and of outside packages do not count, callbacks from
them do.  A function that the compiler (-O2) inlines does not count.  The order
of two timers can differ between two events, so two runs can differ by a few
calls.

With -o writes the files of server/ in order, a line for each move, with the
function entered; with -t all calls, as a tree.  With -b keeps the build in DIR
and uses it the next time.

Goals: at most 300 calls for "set"; at most 25 moves between files of server/
for "key" and for "output".  Needs x86-64, Linux and gcc.
"""
import argparse
import bisect
import fcntl
import mmap
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

COLS, ROWS = 80, 24
QUIET = 0.25
TICK = 1.5
EVENTS = ('set', 'set-shown', 'key', 'output')
GOALS = {'set': ('calls', 300), 'set-shown': ('calls', 300), 'key': ('server', 25),
         'output': ('server', 25)}
TREE = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..'))


def command(argv, where, **kw):
    done = subprocess.run(argv, cwd=where, capture_output=True, text=True,
                          check=False, **kw)
    if done.returncode != 0:
        sys.exit('%s:\n%s%s' % (' '.join(argv), done.stdout[-2000:],
                                done.stderr[-2000:]))
    return done.stdout


def build(where):
    """The instrumented program in the folder WHERE."""
    rmux = os.path.join(where, 'rmux')
    if not os.path.exists(os.path.join(TREE, 'configure')):
        command(['./autogen.sh'], TREE)
    cc = os.environ.get('CC', 'cc')
    runtime = os.path.join(where, 'trace_calls.o')
    if not os.path.exists(os.path.join(where, 'Makefile')):
        os.makedirs(where, exist_ok=True)
        command(cc.split() + ['-O2', '-mgeneral-regs-only', '-c', '-o', runtime,
                              os.path.join(TREE, 'regress', 'bench',
                                           'trace_calls.c')], where)
        # In CPPFLAGS, since -pg in CFLAGS links gprof's start-up code, too.
        command([os.path.join(TREE, 'configure'), '-q', '--disable-hardening',
                 'CC=' + cc, 'LIBS=' + runtime, 'CPPFLAGS=-pg -mfentry',
                 'CFLAGS=-O2 -g -fno-pie', 'LDFLAGS=-no-pie'], where)
    command(['make', '-s', '-j%d' % (os.cpu_count() or 1), 'rmux'], where)
    return rmux


class Symbols:
    """The function and the source file of an address."""

    def __init__(self, rmux):
        self.rows = []
        for line in command(['nm', '-nl', rmux], TREE).splitlines():
            head, _, place = line.partition('\t')
            w = head.split()
            if len(w) == 3 and w[1] in 'tT' and place:
                path = os.path.relpath(os.path.realpath(
                    place.rpartition(':')[0]), TREE)
                self.rows.append((int(w[0], 16), w[2].split('.')[0], path))
        self.starts = [r[0] for r in self.rows]

    def find(self, address):
        """(function, file)"""
        at = bisect.bisect_right(self.starts, address) - 1
        return self.rows[at][1:]


class Terminal:
    """A client on a terminal of its own."""

    def __init__(self, argv, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            time.sleep(0.05)
            os.execvpe(argv[0], argv, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', ROWS, COLS, 0, 0))

    def read(self, timeout):
        if select.select([self.fd], [], [], timeout)[0]:
            try:
                return os.read(self.fd, 1 << 16)
            except OSError:
                pass
        return b''

    def until(self, text):
        seen, end = b'', time.monotonic() + 20
        while text not in seen:
            seen += self.read(0.2)
            if time.monotonic() > end:
                sys.exit('%r never came: %r' % (text, seen[-300:]))


class World:
    """A server that records and a client that looks at it."""

    def __init__(self, rmux, symbols):
        self.symbols = symbols
        self.top = tempfile.mkdtemp(prefix='rmux-trace-')
        path = os.path.join(self.top, 'calls')
        self.fifo = os.path.join(self.top, 'fifo')
        os.mkfifo(self.fifo)
        self.out = os.open(self.fifo, os.O_RDWR)
        conf = os.path.join(self.top, 'conf')
        with open(conf, 'w', encoding='ascii') as f:
            f.write('set -g status-interval 3600\n'
                    'set -g automatic-rename off\n')
        self.env = {'TERM': 'xterm-256color', 'PATH': os.environ['PATH'],
                    'HOME': self.top, 'SHELL': '/bin/sh', 'LC_ALL': 'C.UTF-8',
                    'RMUX_TMPDIR': self.top}
        self.base = [rmux, '-f', conf]
        with open(path, 'wb'):
            pass
        self.server = subprocess.Popen(
            self.base + ['-D'], stdin=subprocess.DEVNULL,
            env=dict(self.env, RMUX_TRACE_CALLS=path))
        while os.path.getsize(path) == 0:
            time.sleep(0.05)
        self.file = os.open(path, os.O_RDONLY)
        self.map = mmap.mmap(self.file, 0, prot=mmap.PROT_READ)
        self.terminal = None

    def attach(self, program):
        self.terminal = Terminal(self.base + ['new-session', program],
                                 self.env)
        self.terminal.until(b'[0]')
        self.rest()

    def detach(self):
        self.run('detach-client')
        self.terminal.until(b'detached')
        self.rest()

    def run(self, *argv):
        command(self.base + list(argv), self.top, env=self.env,
                stdin=subprocess.DEVNULL)

    def count(self):
        return struct.unpack_from('Q', self.map, 0)[0]

    def rest(self, gap=QUIET):
        """Wait until no function was entered for GAP seconds."""
        begin = time.monotonic()
        last, since = self.count(), begin
        while time.monotonic() - since < gap:
            if time.monotonic() - begin > 20:
                sys.exit('the server does not come to rest')
            if self.terminal is not None:
                self.terminal.read(0.01)
            if self.count() != last:
                last, since = self.count(), time.monotonic()
        return last

    def tick(self):
        """Wait until a tick is over, so that the next one is far off."""
        begin, last = time.monotonic(), self.rest()
        while self.count() == last and time.monotonic() - begin < TICK:
            self.terminal.read(0.01)
        return self.rest(0.05)

    def event(self, do):
        """[(depth, function, file)] from what DO starts until rest."""
        begin = self.tick()
        do()
        end = self.rest()
        out = []
        for record in struct.unpack_from('%dQ' % (end - begin), self.map,
                                         8 * (begin + 1)):
            out.append((record >> 48,
                        *self.symbols.find(record & ((1 << 48) - 1))))
        return out

    def end(self):
        subprocess.run(self.base + ['kill-server'], env=self.env, check=False,
                       stdin=subprocess.DEVNULL, capture_output=True)
        self.server.wait()
        if self.terminal is not None:
            while self.terminal.read(0.5):
                pass
            os.close(self.terminal.fd)
            os.waitpid(self.terminal.pid, 0)
        self.map.close()
        os.close(self.file)
        os.close(self.out)
        shutil.rmtree(self.top, ignore_errors=True)


def moves(calls):
    """The calls whose file is another than that of the call before."""
    return [c for c, before in zip(calls, [None] + calls[:-1])
            if before is None or c[2] != before[2]]


def of_server(calls):
    return [c for c in calls if c[2].startswith('server/')]


def figures(calls):
    return {'calls': len(calls), 'files': len({c[2] for c in calls}),
            'moves': len(moves(calls)), 'server': len(moves(of_server(calls)))}


def measure(name, rmux, symbols, repeats):
    """The event in the middle of REPEATS, ordered by its number of calls."""
    world = World(rmux, symbols)
    try:
        world.attach('cat' if name == 'key' else
                     'stty -echo; exec cat ' + world.fifo
                     if name == 'output' else 'exec cat')
        if name == 'set':
            world.detach()
        keys = iter(b'abcdefghijklmnopqrstuvwxyz' * repeats)

        def option():
            world.run('set', '-g', '@foo', 'x')

        do = {'set': option, 'set-shown': option,
              'key': lambda: os.write(world.terminal.fd, bytes([next(keys)])),
              'output': lambda: os.write(world.out, bytes([next(keys)]))}[name]
        # The first ones set up what the next find there.
        for _ in range(3):
            world.event(do)
        all_calls = sorted((world.event(do) for _ in range(repeats)), key=len)
    finally:
        world.end()
    return all_calls[len(all_calls) // 2]


def main():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument('-r', '--repeats', type=int, default=7)
    ap.add_argument('-b', '--build', default='')
    ap.add_argument('-o', '--output', default='')
    ap.add_argument('-t', '--tree', action='store_true')
    ap.add_argument('event', nargs='*', choices=EVENTS + ([],), default=[])
    opts = ap.parse_args()
    where = opts.build or tempfile.mkdtemp(prefix='rmux-trace-build-')
    text = []
    try:
        rmux = build(os.path.realpath(where))
        symbols = Symbols(rmux)
        print('%-10s%7s%7s%7s%8s  goal' % ('event', 'calls', 'files', 'moves',
                                          'server'))
        for name in opts.event or EVENTS:
            calls = measure(name, rmux, symbols, opts.repeats)
            found = figures(calls)
            what, most = GOALS[name]
            print('%-10s%7d%7d%7d%8d  %s at most %d: %s' % (
                name, found['calls'], found['files'], found['moves'],
                found['server'], what, most,
                'yes' if found[what] <= most else 'no'), flush=True)
            text.append('%s: %s' % (name, ' '.join(
                '%s %d' % x for x in found.items())))
            rows = calls if opts.tree else moves(of_server(calls))
            text += ['%s%-28s %s' % ('  ' * c[0] if opts.tree else '    ',
                                     c[2], c[1]) for c in rows]
    finally:
        if not opts.build:
            shutil.rmtree(where, ignore_errors=True)
    if opts.output:
        with open(opts.output, 'w', encoding='ascii') as f:
            f.write('\n'.join(text) + '\n')


if __name__ == '__main__':
    main()
