#!/usr/bin/env python3
"""Copy mode over a long history, a long choose-tree and a popup, beside tmux.

    copy.py RMUX TMUX [-l LINES] [-r ROUNDS] [-o FILE] [SCENARIO...]

Scenarios: copy tree popup.  Both systems run in turn, step by step, in private
directories.  Prints the median of the rounds (of "worst" rows the maximum) and
the ratio to tmux (below 1 is better).  FILE gets the same as JSON.

"Other client meanwhile" is the longest time from a key to its echo in another
client of the same server, which types without pause during all searches: the
longest silence of the server, with the way of a key.  Times of
searches and copies are those of `send-keys -X`, a new process each: the row
"command" is one that does nothing.  The bench ends all its processes.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

import live

PAGE_SECONDS = 3
FRAMES = 60
ENTER = b'\x02['
POPUP = ('display-popup', '-E', '-T', 'POPPED', '-w', '40', '-h', '10',
         'exec sleep 1000')

# A line of about 100 bytes; the first and the last one have a word of their own.
FILL = """awk 'BEGIN { for (i = 1; i <= %d; i++)
 printf "%%08d host daemon[%%d]: %%s request %%d took %%d ms: the quick brown " \\
  "fox jumps over the lazy dog %%s\\n", i, i * 7919 %% 32768,
  i %% 3 ? "info" : "debug", i * 31 %% 1000, i * 17 %% 977,
  i == 1 ? "oldestword" : i == %d ? "newestword" : "" }'
printf 'all%%s' ready; exec cat"""

SEARCHES = (
    ('word on the last line, backwards', 'search-backward-text', 'newestword'),
    ('word on the first line', 'search-backward-text', 'oldestword'),
    ('word that is absent', 'search-backward-text', 'nowhere'),
    ('expression, first line', 'search-backward', 'old[a-f]stw.rd'),
    ('expression that is absent', 'search-backward', 'took [0-9]+ s'),
    ('expression that explodes', 'search-backward', '(a*)*b$'),
)


def one_key(t, key):
    """Milliseconds from KEY to its echo, which a busy server may delay."""
    begin = time.perf_counter()
    t.write(key)
    tail = b''
    while key not in tail:
        got = t.read(120)
        if not got:
            raise ValueError('no echo')
        tail = live.text_only(tail + got)
    return (time.perf_counter() - begin) * 1000


class System:
    """One server with the long history and a client in another session."""

    def __init__(self, name, program, top, lines):
        self.m = live.Mux(name, program, top, 0)
        self.name = name
        self.lines = lines
        m = self.m
        m.run('new-session', '-d', '-s', 'other', '-x', '80', '-y', '24',
              'stty -echo; exec cat')
        # In a narrow terminal, as at the start of an attach, a line has more
        # rows than one, and the limit counts rows.
        m.run('set-option', '-g', 'history-limit', str(lines * 3))
        m.run('set-option', '-g', 'buffer-limit', '3')
        m.run('set-option', '-g', 'mode-keys', 'vi')
        m.run('set-option', '-g', 'set-clipboard', 'off')

    def fill(self):
        m = self.m
        path = os.path.join(m.dir, 'fill')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(FILL % (self.lines, self.lines))
        m.run('new-session', '-d', '-s', 'long', '-x', '120', '-y', '40',
              'exec sh ' + path)
        while 'allready' not in m.run('capture-pane', '-p', '-t', 'long:'):
            time.sleep(0.2)
        # Time to pack: it is not what is measured.
        time.sleep(5)
        m.run('new-session', '-d', '-s', 'echo', '-x', '80', '-y', '24',
              'exec cat')
        self.long = m.attach('attach-session', '-t', 'long')
        self.echo = m.attach('attach-session', '-t', 'echo')
        self.long.quiet(0.5)
        self.echo.quiet(0.5)
        self.pid = m.server()
        kept = int(m.run('display-message', '-p', '-t', 'long:',
                         '#{history_size}'))
        if kept < self.lines - 100:
            raise ValueError('%s kept %d lines' % (self.name, kept))

    def x(self, *words):
        return subprocess.Popen(
            self.m.argv + ['send-keys', '-t', 'long:', '-X'] + list(words),
            env=self.m.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def timed(self, *words):
        """Milliseconds of a command, and the worst echo meanwhile."""
        self.echo.drain(0.05)
        begin = time.perf_counter()
        p = self.x(*words)
        worst, i, took = 0.0, 0, None
        while took is None:
            worst = max(worst, one_key(
                self.echo, live.KEYS[i % 26:i % 26 + 1]))
            i += 1
            if p.poll() is not None:
                took = (time.perf_counter() - begin) * 1000
            # Reading all output keeps the client from being the bottleneck.
            self.long.read(0)
        self.echo.write(b'\r')
        self.echo.drain(0.05)
        self.long.quiet(0.1)
        return took, worst

    def enter(self):
        self.long.quiet(0.1)
        begin = time.perf_counter()
        self.long.write(ENTER)
        got = self.long.until(b'[0/', 20)
        if got is None:
            raise ValueError('%s: no copy mode' % self.name)
        return (time.perf_counter() - begin) * 1000

    def leave(self):
        self.m.run('copy-mode', '-q', '-t', 'long:')
        self.long.quiet(0.1)

    def pages(self):
        """Percent of a core while page-up is held at 60 keys a second."""
        begin, at = live.cpu_seconds(self.pid), time.perf_counter()
        for i in range(PAGE_SECONDS * FRAMES):
            self.long.write(b'\x1b[5~')
            self.long.drain(max(0, at + (i + 1) / FRAMES -
                                time.perf_counter()))
        spent = time.perf_counter() - at
        return (live.cpu_seconds(self.pid) - begin) / spent * 100

    def end(self):
        self.m.end()


class Table:
    def __init__(self):
        self.rows = {}

    def add(self, row, name, value):
        self.rows.setdefault(row, {}).setdefault(name, []).append(value)

    def value(self, row, name):
        got = self.rows[row].get(name)
        if not got:
            return None
        return max(got) if 'worst' in row else statistics.median(got)

    def show(self):
        print('%-46s %10s %10s %8s' % ('', 'rmux', 'tmux', 'ratio'))
        for row in self.rows:
            a, b = self.value(row, 'rmux'), self.value(row, 'tmux')
            print('%-46s %10s %10s %8s' % (
                row, number(a), number(b),
                '' if not a or not b else '%.3g' % (a / b)))


def number(v):
    if v is None:
        return ''
    return '%.0f' % v if v >= 100 else '%.3g' % v


def sc_copy(args, top, table):
    systems = [System(n, p, top, args.lines)
               for n, p in (('rmux', args.rmux), ('tmux', args.tmux))]
    try:
        for s in systems:
            s.fill()
        for r in range(args.rounds):
            for s in systems if r % 2 == 0 else systems[::-1]:
                one_copy(s, table)
    finally:
        for s in systems:
            s.end()


def one_copy(s, table):
    table.add('copy-mode: key to picture, ms', s.name, s.enter())
    s.leave()
    s.enter()
    table.add('page-up held, 60/s: % of a core', s.name, s.pages())
    s.leave()
    s.enter()
    took, _ = s.timed('clear-selection')
    table.add('command, ms', s.name, took)
    silent = 0
    for what, command, text in SEARCHES:
        s.m.run('send-keys', '-t', 'long:', '-X', 'history-bottom')
        took, worst = s.timed(command, '--', text)
        table.add(what + ', ms', s.name, took)
        silent = max(silent, worst)
    table.add('  other client meanwhile, worst, ms', s.name, silent)
    s.m.run('send-keys', '-t', 'long:', '-X', 'history-top')
    s.m.run('send-keys', '-t', 'long:', '-X', 'begin-selection')
    s.m.run('send-keys', '-t', 'long:', '-X', 'history-bottom')
    before = live.private_kib(s.pid)
    took, worst = s.timed('copy-selection')
    table.add('copy everything, ms', s.name, took)
    table.add('  while it copies, worst, ms', s.name, worst)
    table.add('  memory of it, MiB', s.name,
              (live.private_kib(s.pid) - before) / 1024)
    s.m.run('delete-buffer')
    s.leave()


def bound(m, key, *command):
    m.run('bind-key', '-n', key, *command)


def keyed(t, key, text):
    """Milliseconds from a key to TEXT on the terminal."""
    t.quiet(0.15)
    begin = time.perf_counter()
    t.write(key)
    if t.until(text, 20) is None:
        raise ValueError('no %r' % text)
    return (time.perf_counter() - begin) * 1000


def sc_tree(args, top, table):
    both = []
    try:
        for name, program in (('rmux', args.rmux), ('tmux', args.tmux)):
            m = live.Mux(name, program, top, 1)
            both.append(m)
            m.run('new-session', '-d', '-x', '120', '-y', '40',
                  'exec sleep 1000')
            path = os.path.join(m.dir, 'windows')
            with open(path, 'w', encoding='utf-8') as f:
                for i in range(999):
                    f.write('new-window -d -n w%d "exec sleep 1000"\n' % i)
            m.run('source-file', path)
            bound(m, 'F5', 'choose-tree', '-w', '-F', 'MARK#{window_index}')
            m.t = m.attach('attach-session')
            m.t.quiet(1)
        for _ in range(args.rounds * 4):
            for m in both:
                table.add('choose-tree, 1,000 windows, ms', m.name,
                          keyed(m.t, b'\x1b[15~', b'MARK'))
                m.t.quiet(0.1)
                m.t.write(b'q')
    finally:
        for m in both:
            m.end()


def sc_popup(args, top, table):
    both = []
    try:
        for name, program in (('rmux', args.rmux), ('tmux', args.tmux)):
            m = live.Mux(name, program, top, 2)
            both.append(m)
            m.run('new-session', '-d', '-x', '120', '-y', '40',
                  'exec sleep 1000')
            bound(m, 'F5', *POPUP)
            m.t = m.attach('attach-session')
            m.t.quiet(1)
        for _ in range(args.rounds * 4):
            for m in both:
                table.add('popup, ms', m.name,
                          keyed(m.t, b'\x1b[15~', b'POPPED'))
                m.run('display-popup', '-C')
    finally:
        for m in both:
            m.end()


SCENARIOS = {'copy': sc_copy, 'tree': sc_tree, 'popup': sc_popup}


def main():
    p = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    p.add_argument('rmux')
    p.add_argument('tmux')
    p.add_argument('-l', dest='lines', type=int, default=1000000)
    p.add_argument('-r', dest='rounds', type=int, default=3)
    p.add_argument('-o', dest='file')
    p.add_argument('scenarios', nargs='*')
    args = p.parse_intermixed_args()
    for name in set(args.scenarios) - set(SCENARIOS):
        p.error('no scenario ' + name)
    args.rmux = os.path.abspath(args.rmux)
    args.tmux = shutil.which(args.tmux)
    table = Table()
    top = tempfile.mkdtemp(prefix='copy-bench-')
    try:
        for name in args.scenarios or SCENARIOS:
            SCENARIOS[name](args, top, table)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    table.show()
    if args.file:
        with open(args.file, 'w', encoding='utf-8') as f:
            json.dump(table.rows, f, indent=1)


if __name__ == '__main__':
    main()
