#!/usr/bin/env python3
"""Compare the whole program with tmux: the delays that a user sees.

    live.py RMUX [-r ROUNDS] [-s] [-m] [-t TMUX] [-o FILE] [SCENARIO...]

Scenarios: echo echo-one-core echo-loopback flood-pane flood-window
flood-cat-pane flood-cat-window throughput memory idle message new-window
start.  With -s GNU screen and with -m mosh (on this machine, without
prediction) take part where they can.  All run in turn,
round by round, in a private directory, each with an empty configuration.
Prints the median and the ratio to tmux (below 1 is better, but for MB/s).  FILE
gets the same as JSON.  The bench ends all its processes.

The echo scenarios run all systems at once and type one key into each in turn,
in a changing order, so other load hits all of them alike.  Each round starts
them again, because the placement of their processes on the cores matters;
"rounds" are the medians of the rounds.  "Others ran" is the share of keys at
which another process was running: below 5 % the machine was quiet.  On a quiet
machine most of the time is the wake-up of idle cores; echo-one-core has all
processes on one core, where only work counts.  echo-loopback is rmux here, rmux
through `rmux attach` over UDP ("udp"), and mosh, none of them predicting; its
ratio is udp to rmux, and the difference is printed.
"""
import argparse
import fcntl
import json
import os
import pty
import random
import re
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
# Without letters, which are the keys.  The second one takes a whole core.
FLOOD = "while :; do seq 1 2000; done"
FLOOD_CAT = "seq 1 200000 >$HOME/n; while :; do cat $HOME/n; done"


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
            'HOME': self.dir, 'SHELL': '/bin/sh', 'LC_ALL': 'C.UTF-8', 'TMUX_TMPDIR': self.dir,
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

    def memory(self, panes):
        """KiB of private memory for each of PANES more idle panes."""
        self.run('new-session', '-d', '-x', '80', '-y', '24', 'sleep 1000')
        pid = self.server()
        before = private_kib(pid)
        for _ in range(panes):
            self.run('new-window', '-d', 'printf ready; exec sleep 1000')
        time.sleep(0.3)
        return (private_kib(pid) - before) / panes

    def end(self):
        self.run('kill-server')
        for t in self.terminals:
            while t.read(2):
                pass
            t.close()


class Screen(Mux):
    """GNU screen, driven by tmux's commands."""

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


class Mosh(Mux):
    """mosh-server and mosh-client on this machine: a server for each."""

    def __init__(self, name, program, top, number):
        super().__init__(name, program, top, number)
        self.env.update(MOSH_PREDICTION_DISPLAY='never',
                        MOSH_SERVER_NETWORK_TMOUT='120',
                        PATH=os.environ['PATH'])
        self.pids = []

    def start(self, *program):
        got = subprocess.run(
            ['mosh-server', 'new', '-i', '127.0.0.1', '-p', '61000:61999',
             '-c', '256', '--'] + list(program), env=self.env,
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=True)
        words = got.stdout.split()
        at = words.index('CONNECT')
        self.pids.append(int(re.search(r'pid = (\d+)', got.stdout +
                                       got.stderr).group(1)))
        return words[at + 1], words[at + 2]

    def attach(self, *args):
        port, key = self.start('/bin/sh', *(
            ['-c', args[1]] if len(args) > 1 else []))
        t = Terminal(['mosh-client', '127.0.0.1', port],
                     dict(self.env, MOSH_KEY=key))
        self.terminals.append(t)
        return t

    def memory(self, panes):
        """A server for each pane: one of them, in the middle."""
        for _ in range(5):
            t = self.attach('new-session', 'printf ready; exec sleep 1000')
            t.until(b'ready', 10)
        return statistics.median(private_kib(p) for p in self.pids)

    def end(self):
        for pid in self.pids:
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for t in self.terminals:
            while t.read(2):
                pass
            t.close()


class Remote(Mux):
    """rmux attach to this machine, over UDP; ssh is a shell script."""

    def attach(self, *args):
        ssh = os.path.join(self.dir, 'ssh')
        with open(ssh, 'w', encoding='utf-8') as f:
            # ssh [-G] [-T] [-p N] host command
            f.write('#!/bin/sh\nwhile [ $# -gt 0 ]; do\ncase $1 in\n'
                    '-G) exit 1 ;;\n-p) shift 2 ;;\n-*) shift ;;\n'
                    '*) break ;;\nesac\ndone\nshift\nexec sh -c "$*"\n')
        os.chmod(ssh, 0o700)
        self.run('new-session', '-d', '-x', str(COLS), '-y', str(ROWS),
                 *args[1:])
        t = Terminal([self.argv[0], 'attach', '--ssh=' + ssh,
                      '--server=' + self.argv[0], '--predict=never',
                      '127.0.0.1'], self.env)
        self.terminals.append(t)
        return t


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


def key_times(t, count):
    """Milliseconds from a key to its echo, the program being cat."""
    out = []
    for i in range(count):
        # A letter that the flood (digits) does not have.
        out.append(one_key(t, KEYS[i % 26:i % 26 + 1]))
        t.drain(0.004 + (i % 7) * 0.002)
        if i % 40 == 39:
            t.write(b'\r')
            t.drain(0.05)
    return out


def text_only(data):
    return re.sub(rb'\x1b(\[[0-?]*[ -/]*[@-~]|[()].|[=>78M])|\x0f', b'', data)


def cpu_seconds(pid):
    with open('/proc/%d/schedstat' % pid, encoding='ascii') as f:
        return int(f.read().split()[0]) / 1e9


def private_kib(pid):
    total = 0
    with open('/proc/%d/smaps_rollup' % pid) as f:
        for line in f:
            if line.startswith('Private_'):
                total += int(line.split()[1])
    return total


def others_run():
    """Whether some other process is running now."""
    with open('/proc/loadavg', encoding='ascii') as f:
        return int(f.read().split()[3].split('/')[0]) > 1


def one_key(t, key):
    """Milliseconds from KEY to its echo."""
    begin = time.perf_counter()
    t.write(key)
    tail = b''
    while key not in tail:
        got = t.read(2)
        if not got or time.perf_counter() - begin > 30:
            raise ValueError('no echo')
        # Letters inside escape sequences do not count.
        tail = text_only(tail + got)
    return (time.perf_counter() - begin) * 1000


def sc_echo(muxes):
    """A key into each in turn: {name: milliseconds}."""
    terminals = []
    for m in muxes:
        t = m.attach('new-session')
        t.quiet(0.5)
        t.write(b'cat\r')
        terminals.append((m.name, t))
    for _, t in terminals:
        t.quiet(0.3)
    out = {m.name: [] for m in muxes}
    rnd = random.Random(1)
    for i in range(40):
        for name, t in rnd.sample(terminals, len(terminals)):
            t.drain(rnd.uniform(0.012, 0.024))
            sc_echo.others.append(others_run())
            out[name].append(one_key(t, KEYS[i % 26:i % 26 + 1]))
    return out


sc_echo.others = []


def sc_flood(m, where, flood=FLOOD):
    t = m.attach('new-session')
    t.quiet(0.6)
    t.write(b'cat\r')
    t.quiet(0.3)
    m.run(*where, flood)
    t.drain(0.4)
    return key_times(t, 80)


def sc_flood_pane(m):
    return sc_flood(m, ['split-window', '-d'])


def sc_flood_window(m):
    return sc_flood(m, ['new-window', '-d'])


def sc_flood_cat_pane(m):
    return sc_flood(m, ['split-window', '-d'], FLOOD_CAT)


def sc_flood_cat_window(m):
    return sc_flood(m, ['new-window', '-d'], FLOOD_CAT)


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
    """MB/s of cat until a mark after it is on the screen."""
    out = {}
    t = m.attach('new-session')
    t.quiet(0.6)
    for i, (name, path) in enumerate(PAYLOADS.items()):
        # Capitals that no payload has, each time elsewhere: a painter that
        # sends only changed cells must send all of it.
        mark = b'NEJK'[i:i + 1] * 2
        t.write(b'cat %s; printf "\\033[m\\033[2J\\033[%d;%dHF%%sNE%s\\n" O\r'
                % (path.encode(), 5 + 3 * i, 11 + 7 * i, mark))
        seconds = t.until(b'FONE' + mark, 60)
        out[name] = os.path.getsize(path) / 1e6 / seconds if seconds else 0
        out[name + ' to tty, kB'] = t.bytes / 1e3 if seconds else 0
        t.quiet(0.1)
    return out


def sc_memory(m):
    """KiB of private memory for each idle pane, of 100."""
    return [m.memory(100)]


def drain_all(terminals, seconds):
    """Read the output of all terminals."""
    fds = {t.fd: t for t in terminals}
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for fd in select.select(list(fds), [], [], left)[0]:
            fds[fd].read(0)


def sc_idle(muxes):
    """Per mille of a core: servers of 100 panes and 10 clients, all at once."""
    terminals = []
    for m in muxes:
        m.run('new-session', '-d', '-x', '80', '-y', '24', 'sleep 1000')
        for _ in range(99):
            m.run('new-window', '-d', 'sleep 1000')
        terminals += [m.attach('attach-session') for _ in range(10)]
    pids = {m.name: m.server() for m in muxes}
    # Deferred work after the last activity does not count as idle.
    drain_all(terminals, 8)
    begin = time.monotonic()
    before = {k: cpu_seconds(p) for k, p in pids.items()}
    drain_all(terminals, 20)
    return {k: [(cpu_seconds(p) - before[k]) * 1000 /
                (time.monotonic() - begin)] for k, p in pids.items()}


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
    # Not the user's shell: its profile takes time of its own.
    t = m.attach('new-session', 'printf rea; printf dy; exec cat')
    seconds = t.until(b'ready', 5)
    return [seconds * 1000] if seconds else []


SCENARIOS = {
    # name: function, unit, systems beside tmux and rmux, rounds
    'echo': (sc_echo, 'ms', 'bare screen mosh', 8),
    'echo-one-core': (sc_echo, 'ms', 'bare screen', 8),
    'echo-loopback': (sc_echo, 'ms', 'udp mosh', 8),
    'flood-pane': (sc_flood_pane, 'ms', '', 3),
    'flood-window': (sc_flood_window, 'ms', '', 3),
    'flood-cat-pane': (sc_flood_cat_pane, 'ms', '', 3),
    'flood-cat-window': (sc_flood_cat_window, 'ms', '', 3),
    'throughput': (sc_throughput, 'MB/s', 'bare screen mosh', 3),
    'memory': (sc_memory, 'KiB/pane', 'screen mosh', 1),
    'idle': (sc_idle, 'per mille', 'screen', 1),
    'message': (sc_message, 'ms', 'screen', 3),
    'new-window': (sc_new_window, 'ms', 'screen', 3),
    'start': (sc_start, 'ms', 'screen mosh', 9),
}
TABLE = []  # what was measured, for -o


def show(name, unit, results):
    base = results.get('tmux') or results.get('rmux')
    for mux, values in results.items():
        values.sort()
        mid = statistics.median(values) if values else float('nan')
        row = {'what': name, 'system': mux, 'unit': unit, 'median': mid,
               'count': len(values)}
        line = '%-28s %-6s median %9.3f' % (name, mux, mid)
        if len(values) > 20:
            row['p95'] = values[int(len(values) * .95)]
            row['p99'] = values[int(len(values) * .99)]
            line += ' p95 %8.3f p99 %8.3f' % (row['p95'], row['p99'])
        line += ' ' + unit
        if base is not values and base and mux in ('rmux', 'udp') and \
                 statistics.median(base) > 0:
            row['ratio'] = mid / statistics.median(base)
            line += '   ratio %.2f' % row['ratio']
        TABLE.append(row)
        print(line, flush=True)


def sides_of(who, opts):
    """(name, program, kind) of all that take part in a scenario."""
    out = [('bare', '', Bare)] if 'bare' in who else []
    out += [('tmux', opts.tmux, Mux), ('rmux', opts.rmux, Mux)]
    if opts.screen and 'screen' in who:
        out.append(('screen', 'screen', Screen))
    if 'udp' in who:
        out.append(('udp', opts.rmux, Remote))
    if opts.mosh and 'mosh' in who:
        out.append(('mosh', 'mosh-server', Mosh))
    return [s for s in out if not s[1] or shutil.which(s[1])]


def one(fn, side, top):
    """Return the result of one run; on failure print it, return None."""
    name, program, kind = side
    m = kind(name, program, top, scenario.count)
    scenario.count += 1
    try:
        return fn(m)
    except (OSError, ValueError, IndexError, AttributeError, TypeError,
            subprocess.SubprocessError) as e:
        print('# %s %s: %r' % (fn.__name__, name, e), flush=True)
        return None
    finally:
        m.end()


def together(fn, sides, top):
    """Return the results of a round with all systems at once, or {}."""
    muxes = []
    try:
        for name, program, kind in sides:
            muxes.append(kind(name, program, top, scenario.count))
            scenario.count += 1
        return fn(muxes)
    except (OSError, ValueError, IndexError, AttributeError, TypeError,
            subprocess.SubprocessError) as e:
        print('# %s: %r' % (fn.__name__, e), flush=True)
        return {}
    finally:
        for m in muxes:
            m.end()


def echo(name, opts, top):
    """An echo scenario: everybody at once."""
    fn, unit, who, rounds = SCENARIOS[name]
    results, medians = {}, {}
    cores = os.sched_getaffinity(0)
    fn.others = []
    sides = sides_of(who, opts)
    if name == 'echo-loopback':
        sides = [s for s in sides if s[0] != 'tmux']
    try:
        if name == 'echo-one-core':
            os.sched_setaffinity(0, {min(cores)})
        for _ in range(opts.rounds * 2 or rounds):
            for k, v in together(fn, sides, top).items():
                results.setdefault(k, []).extend(v)
                medians.setdefault(k, []).append(statistics.median(v))
    finally:
        os.sched_setaffinity(0, cores)
    show(name, unit, results)
    for k, v in medians.items():
        print('# %s, rounds: %s' % (k, ' '.join('%.3f' % x for x in v)))
    if results.get('udp'):
        print('# udp minus rmux: %.3f ms' % (
            statistics.median(results['udp']) -
            statistics.median(results['rmux'])))
    if fn.others:
        print('# others ran at %.0f %% of the keys' %
              (100 * sum(fn.others) / len(fn.others)), flush=True)


def scenario(name, opts, top):
    fn, unit, who, rounds = SCENARIOS[name]
    if fn is sc_echo:
        echo(name, opts, top)
        return
    results = {}
    for _ in range(opts.rounds or rounds):
        if fn is sc_idle:
            for k, v in together(fn, sides_of(who, opts), top).items():
                results.setdefault('', {}).setdefault(k, []).extend(v)
            continue
        for side in sides_of(who, opts):
            got = one(fn, side, top)
            if isinstance(got, dict):
                for k, v in got.items():
                    results.setdefault(k, {}).setdefault(side[0],
                                                         []).append(v)
            elif got:
                results.setdefault('', {}).setdefault(side[0],
                                                      []).extend(got)
    for k, r in results.items():
        show((name + ' ' + k).strip(), '' if 'kB' in k else unit, r)


scenario.count = 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('scenarios', nargs='*')
    ap.add_argument('-r', '--rounds', type=int, default=0)
    ap.add_argument('-s', '--screen', action='store_true')
    ap.add_argument('-m', '--mosh', action='store_true')
    ap.add_argument('-o', '--out', default='')
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
            if opts.out:
                with open(opts.out, 'w', encoding='utf-8') as f:
                    json.dump(TABLE, f, indent=1)
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
