#!/usr/bin/env python3
"""The whole program beside tmux: what a person at a terminal waits for.

    live.py RMUX [-r ROUNDS] [-s] [-t TMUX] [SCENARIO...]

Scenarios: echo flood-pane flood-window throughput memory idle message
new-window start.  With -s GNU screen takes part where it can.  All multiplexers run in turn, round by round, in a private
directory, each with an empty configuration; what is printed is the median and
the ratio to tmux (below 1 is better).  Nothing is left running.
"""
import argparse
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

COLS, ROWS = 120, 40
KEYS = b'abcdefghijklmnopqrstuvwxyz'
FLOOD = "while :; do seq 1 2000; done"


class Terminal:
    """A terminal of its own with a program in it."""

    def __init__(self, argv, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            time.sleep(0.01)
            os.execvpe(argv[0], argv, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', ROWS, COLS, 0, 0))

    def write(self, data):
        os.write(self.fd, data)

    def read(self, timeout):
        ready, _, _ = select.select([self.fd], [], [], timeout)
        if not ready:
            return b''
        try:
            return os.read(self.fd, 1 << 16)
        except OSError:
            return b''

    def quiet(self, gap):
        """Reads until nothing came for GAP seconds."""
        out = b''
        while True:
            got = self.read(gap)
            if not got:
                return out
            out += got

    def drain(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def until(self, text, timeout=60):
        """Reads until TEXT came; returns the seconds, or None."""
        begin = time.perf_counter()
        tail, total = b'', 0
        while time.perf_counter() - begin < timeout:
            got = self.read(timeout)
            if not got:
                return None
            total += len(got)
            tail = tail[-len(text):] + got
            if text in tail:
                self.bytes = total
                return time.perf_counter() - begin
        return None

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


class Mux:
    """One multiplexer with a private server."""

    def __init__(self, name, program, top, number):
        self.name = name
        self.dir = os.path.join(top, '%s%d' % (name, number))
        os.mkdir(self.dir, 0o700)
        self.env = {
            'TERM': 'xterm-256color', 'PATH': os.environ['PATH'],
            'HOME': self.dir, 'SHELL': '/bin/sh',             'LC_ALL': 'C.UTF-8', 'TMUX_TMPDIR': self.dir,
            'RMUX_TMPDIR': self.dir}
        self.argv = [program, '-f', '/dev/null']
        self.terminals = []

    def run(self, *args):
        return subprocess.run(self.argv + list(args), env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False).stdout.strip()

    def attach(self, *args):
        t = Terminal(self.argv + list(args), self.env)
        self.terminals.append(t)
        return t

    def server(self):
        return int(self.run('display-message', '-p', '#{pid}'))

    def end(self):
        self.run('kill-server')
        for t in self.terminals:
            while t.read(2):
                pass
            t.close()


class Screen(Mux):
    """GNU screen, told in tmux's words."""

    def __init__(self, name, program, top, number):
        super().__init__(name, program, top, number)
        rc = os.path.join(self.dir, 'screenrc')
        with open(rc, 'w', encoding='utf-8') as f:
            f.write('startup_message off\ndefutf8 on\n'
                    'shell /bin/sh\ndefscrollback 2000\n')
        self.env['SCREENDIR'] = self.dir
        self.base = [program, '-c', rc, '-S', 'live']

    def call(self, *args):
        return subprocess.run(self.base + list(args), env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False).stdout.strip()

    def run(self, *args):
        program = [a for a in args[1:] if not a.startswith('-')][-1:]
        if args[0] == 'new-session':
            self.call('-dm', 'sh', '-c', *(program or ['exec sh']))
            for _ in range(200):
                if '.live' in self.call('-ls'):
                    return ''
                time.sleep(0.01)
        elif args[0] in ('new-window', 'split-window'):
            self.call('-X', 'screen', 'sh', '-c', *program)
            self.call('-X', 'other')
        elif args[0] == 'display-message':
            return self.call('-Q', 'number')
        return ''

    def server(self):
        return int(self.call('-ls').split('.live')[0].split()[-1])

    def attach(self, *args):
        program = ['sh', '-c', args[1]] if len(args) > 1 else []
        argv = self.base + (['-x'] if args[0] == 'attach-session'
                            else program)
        t = Terminal(argv, self.env)
        self.terminals.append(t)
        return t

    def end(self):
        self.call('-X', 'quit')
        for t in self.terminals:
            while t.read(2):
                pass
            t.close()


class Bare(Mux):
    def attach(self, *_):
        t = Terminal(['/bin/sh'], self.env)
        self.terminals.append(t)
        return t

    def end(self):
        for t in self.terminals:
            t.write(b'\x03\x04\x04')
            while t.read(0.3):
                pass
            t.close()


def key_times(t, count, mark):
    """Milliseconds from a key to its echo, the program being cat."""
    out = []
    for i in range(count):
        # A letter that the flood (digits) does not have.
        key = KEYS[i % 26:i % 26 + 1]
        begin = time.perf_counter()
        t.write(key)
        tail = b''
        while key not in tail:
            got = t.read(1)
            if not got:
                break
            # Letters inside escape sequences do not count.
            tail = mark(tail + got)
        out.append((time.perf_counter() - begin) * 1000)
        t.drain(0.004 + (i % 7) * 0.002)
        if i % 40 == 39:
            t.write(b'\r')
            t.drain(0.05)
    return out


def text_only(data):
    import re
    return re.sub(rb'\x1b(\[[0-?]*[ -/]*[@-~]|[()].|[=>78M])|\x0f', b'', data)


def cpu_ticks(pid):
    with open('/proc/%d/stat' % pid) as f:
        words = f.read().rsplit(')', 1)[1].split()
    return int(words[11]) + int(words[12])


def pss(pid):
    total = 0
    with open('/proc/%d/smaps_rollup' % pid) as f:
        for line in f:
            if line.startswith('Private_'):
                total += int(line.split()[1])
    return total


def sc_echo(m):
    t = m.attach('new-session')
    t.quiet(0.6)
    t.write(b'cat\r')
    t.quiet(0.3)
    return key_times(t, 120, text_only)


def sc_flood(m, where):
    t = m.attach('new-session')
    t.quiet(0.6)
    t.write(b'cat\r')
    t.quiet(0.3)
    m.run(*where, FLOOD)
    t.drain(0.4)
    return key_times(t, 80, text_only)


def sc_flood_pane(m):
    return sc_flood(m, ['split-window', '-d'])


def sc_flood_window(m):
    return sc_flood(m, ['new-window', '-d'])


PAYLOADS = {}


def payloads(top):
    """Files of the kinds a terminal sees, 8 MiB each."""
    import random
    rnd = random.Random(1)
    size = 8 << 20

    def logs():
        return b'%d 2026-01-01T00:00:00Z host service[%d]: request %x took ' \
               b'%d ms\n' % (rnd.randrange(1 << 30), rnd.randrange(9999),
                             rnd.randrange(1 << 60), rnd.randrange(500))

    def truecolour():
        return b''.join(b'\033[38;2;%d;%d;%dm#' % (
            rnd.randrange(256), rnd.randrange(256), rnd.randrange(256))
            for _ in range(100)) + b'\033[m\n'

    def alternate():
        return b''.join(b'\033[%d;%dH\033[3%dm%x' % (
            rnd.randrange(1, ROWS), rnd.randrange(1, COLS - 8),
            rnd.randrange(8), rnd.randrange(1 << 24)) for _ in range(50))

    def unicode_():
        words = ['tmux', 'привет', '你好世界', 'e\u0301a\u0308',
                 'ελλάδα', '한국어', '👍🏽', '🇫🇷', 'ok']
        return (' '.join(rnd.choice(words) for _ in range(12)) +
                '\n').encode()

    for name, fn in (('logs', logs), ('truecolour', truecolour),
                     ('alternate', alternate), ('unicode', unicode_)):
        parts, n = [], 0
        while n < 1 << 19:
            parts.append(fn())
            n += len(parts[-1])
        data = (b''.join(parts) * (size // n + 1))[:size]
        if name == 'alternate':
            data = b'\033[?1049h' + data + b'\033[?1049l'
        path = os.path.join(top, name)
        with open(path, 'wb') as f:
            # No half character at the end.
            f.write(data[:data.rfind(b'\n' if name != 'alternate' else b'l')
                         + 1])
        PAYLOADS[name] = path


def sc_throughput(m):
    """MB/s of cat until what follows it is on the screen."""
    out = {}
    t = m.attach('new-session')
    t.quiet(0.6)
    for i, (name, path) in enumerate(PAYLOADS.items()):
        t.write(b'cat %s; printf "\\033[m\\033[2J\\033[HD%%sNE%d\\n" O\r' %
                (path.encode(), i))
        seconds = t.until(b'DONE%d' % i, 120)
        out[name] = os.path.getsize(path) / 1e6 / seconds if seconds else 0
        out[name + ' to tty, kB'] = t.bytes / 1e3 if seconds else 0
        t.quiet(0.1)
    return out


def sc_memory(m):
    """KiB of private memory of the server for each idle pane of 100."""
    m.run('new-session', '-d', '-x', '80', '-y', '24', 'sleep 1000')
    pid = m.server()
    before = pss(pid)
    for _ in range(100):
        m.run('new-window', '-d', 'printf ready; exec sleep 1000')
    time.sleep(0.3)
    return [(pss(pid) - before) / 100]


def sc_idle(m):
    """Per mille of a core: server, 100 panes, 10 clients."""
    m.run('new-session', '-d', '-x', '80', '-y', '24', 'sleep 1000')
    for _ in range(99):
        m.run('new-window', '-d', 'sleep 1000')
    pid = m.server()
    clients = [m.attach('attach-session') for _ in range(10)]
    for t in clients:
        t.quiet(0.2)
    before = cpu_ticks(pid)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for t in clients:
            t.read(0.1)
    used = cpu_ticks(pid) - before
    return [used / os.sysconf('SC_CLK_TCK') / 10 * 1000]


def timed(fn, count):
    out = []
    for _ in range(count):
        begin = time.perf_counter()
        fn()
        out.append((time.perf_counter() - begin) * 1000)
    return out


def sc_message(m):
    m.run('new-session', '-d')
    return timed(lambda: m.run('display-message', '-p', 'x'), 40)


def sc_new_window(m):
    m.run('new-session', '-d', 'sleep 1000')
    return timed(lambda: m.run('new-window', '-d', 'sleep 1000'), 30)


def sc_start(m):
    # Not the user's shell: what its profile takes is no one's merit.
    t = m.attach('new-session', 'printf rea; printf dy; exec cat')
    seconds = t.until(b'ready', 5)
    return [seconds * 1000] if seconds else []


SCENARIOS = {
    # name: function, unit, with a bare terminal too, rounds
    'echo': (sc_echo, 'ms', True, 5),
    'flood-pane': (sc_flood_pane, 'ms', False, 3),
    'flood-window': (sc_flood_window, 'ms', False, 3),
    'throughput': (sc_throughput, 'MB/s', True, 3),
    'memory': (sc_memory, 'KiB/pane', False, 1),
    'idle': (sc_idle, 'per mille', False, 1),
    'message': (sc_message, 'ms', False, 3),
    'new-window': (sc_new_window, 'ms', False, 3),
    'start': (sc_start, 'ms', False, 9),
}


def show(name, unit, results):
    base = results.get('tmux')
    for mux, values in results.items():
        values.sort()
        mid = statistics.median(values) if values else float('nan')
        line = '%-22s %-6s median %9.3f' % (name, mux, mid)
        if len(values) > 20:
            line += ' p95 %8.3f p99 %8.3f' % (
                values[int(len(values) * .95)], values[int(len(values) * .99)])
        line += ' ' + unit
        if mux == 'rmux' and base and statistics.median(base) > 0:
            line += '   ratio %.2f' % (mid / statistics.median(base))
        print(line, flush=True)


def scenario(name, opts, top):
    fn, unit, bare, rounds = SCENARIOS[name]
    sides = [('tmux', opts.tmux, Mux), ('rmux', opts.rmux, Mux)]
    if opts.screen and name not in ('flood-pane', 'flood-window'):
        sides.append(('screen', 'screen', Screen))
    if bare:
        sides.insert(0, ('bare', '', Bare))
    results = {}
    for number in range(opts.rounds or rounds):
        for side, program, kind in sides:
            if side in ('tmux', 'screen') and not shutil.which(program):
                continue
            m = kind(side, program, top, scenario.count)
            scenario.count += 1
            try:
                got = fn(m)
            finally:
                m.end()
            if isinstance(got, dict):
                for k, v in got.items():
                    results.setdefault(k, {}).setdefault(side, []).append(v)
            else:
                results.setdefault('', {}).setdefault(side, []).extend(got)
    for k, r in results.items():
        show((name + ' ' + k).strip()[-22:],
             '' if 'kB' in k else unit, r)


scenario.count = 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('scenarios', nargs='*')
    ap.add_argument('-r', '--rounds', type=int, default=0)
    ap.add_argument('-s', '--screen', action='store_true')
    ap.add_argument('-t', '--tmux', default='tmux')
    opts = ap.parse_intermixed_args()
    # A terminated run also ends its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    opts.rmux = os.path.abspath(opts.rmux)
    top = tempfile.mkdtemp(prefix='rmux-live-')
    try:
        names = opts.scenarios or list(SCENARIOS)
        if 'throughput' in names:
            payloads(top)
        for name in names:
            scenario(name, opts, top)
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
