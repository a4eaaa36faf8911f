#!/usr/bin/env python3
"""clients_random.py - several clients of random sizes, in tmux 3.8 and in rmux.

  clients_random.py SEED NUMBER TMUX RMUX

Each script attaches two clients, resizes, types, switches, groups and kills; after
each step both programs must tell the same of windows, sessions and clients.  The
sizes of windows that no client shows are not compared: rmux gives them the size
of the client at once, tmux when they are shown.
"""
import os
import random
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'diff'))
from side import Outer, Side  # noqa: E402

WINDOWS = ['list-windows', '-a', '-F',
           '#{session_name}:#{window_index} #{window_name} '
           '#{?window_active_clients,#{window_width}x#{window_height},} '
           '#{window_raw_flags} #{window_active_clients} '
           '#{window_linked_sessions} #{session_attached} #{session_group} '
           '#{session_many_attached}']
CLIENTS = ['list-clients', '-F',
           '#{client_width}x#{client_height} #{session_name} '
           '#{client_last_session} #{client_flags} #{window_name}']
MODEL = ('new-session -d -s s -x 80 -y 24 -n one cat ; '
         'new-window -d -n two cat ; new-window -d -n three cat ; '
         'new-session -d -s u -x 80 -y 24 -n other cat ; '
         'set-option -g automatic-rename off').split()
KEYS = ('x', 'n', 'p', 'l', '1', '0', '(', 'L', 'c', 'd')
SIZES = ((60, 20), (90, 30), (100, 15), (70, 40), (40, 12))
SESSIONS = ('s', 's', 'u', 'g')
PLACES = ('s:0', 's:1', 's:2', 'u:0', 'g:0', 'g:1')


def command(rng):
    session, place = rng.choice(SESSIONS), rng.choice(PLACES)
    return rng.choice((
        ['select-window', '-t', place], ['switch-client', '-t', session],
        ['switch-client', '-t', place],
        ['switch-client', rng.choice(('-n', '-p', '-l', '-r'))],
        ['switch-client'],
        ['new-session', '-d', '-t', rng.choice('su'), '-s', 'g'],
        ['link-window', '-d', '-s', 's:1', '-t', 'u:5'],
        ['unlink-window', '-t', 'u:5'], ['kill-session', '-t', session],
        ['kill-window', '-t', place], ['detach-client', '-s', session],
        ['set-option', '-g', 'window-size',
         rng.choice(('latest', 'largest', 'smallest', 'manual'))],
        ['set-option', '-g', 'aggressive-resize', rng.choice(('on', 'off'))],
        ['set-option', '-g', 'status', rng.choice(('on', 'off', '2'))],
        ['set-option', '-g', 'detach-on-destroy',
         rng.choice(('on', 'off', 'no-detached', 'previous', 'next'))],
        ['resize-window', '-t', place, rng.choice(('-A', '-a', '-x50'))],
        ['new-window', '-t', session + ':', '-n', 'new', 'cat'],
        ['display-message', '-p', '#{session_name} #{window_name}'],
        ['select-window', '-l', '-t', session]))


class Script:
    """One script on both SIDES."""

    def __init__(self, sides, outer, rng):
        self.sides, self.outer, self.rng = sides, outer, rng
        self.clients = set()
        self.log = []

    def both(self, words):
        return [s.step(words) for s in self.sides]

    def agree(self, words, sort):
        """Asks until both answer alike; returns their last answers."""
        end = time.monotonic() + 3
        while True:
            got = []
            for code, out, err in self.both(words):
                lines = out.splitlines()
                got.append((code, sorted(lines) if sort else lines, err))
            if got[0] == got[1] or time.monotonic() > end:
                return got
            time.sleep(0.05)

    def terminal(self, side, name):
        return side.name + name

    def step(self):
        """Runs a step; returns whether both sides did the same."""
        rng = self.rng
        name = rng.choice('AB')
        kind = rng.randrange(8)
        if kind == 0 or not self.clients:
            if name in self.clients:
                return True
            cols, rows = rng.choice(SIZES)
            words = ['attach-session', '-t', rng.choice(SESSIONS)] + rng.choice(
                ([], [], ['-r'], ['-f', 'ignore-size'], ['-d']))
            self.log.append('attach %s %dx%d %s' % (name, cols, rows, words))
            for s in self.sides:
                self.outer.run('new-session', '-d', '-s', self.terminal(s, name),
                               '-x', str(cols), '-y', str(rows),
                               *s.client_words(words))
            self.clients.add(name)
            time.sleep(0.25)
        elif kind == 1 and name in self.clients:
            cols, rows = rng.choice(SIZES)
            self.log.append('resize %s %dx%d' % (name, cols, rows))
            for s in self.sides:
                self.outer.run('resize-window', '-t', self.terminal(s, name) + ':',
                               '-x', str(cols), '-y', str(rows))
            time.sleep(0.15)
        elif kind == 2 and name in self.clients:
            key = rng.choice(KEYS)
            self.log.append('key %s %s' % (name, key))
            for s in self.sides:
                self.outer.run('send-keys', '-t', self.terminal(s, name) + ':',
                               *(['C-b'] if key != 'x' else []), key)
            self.clients -= {name} if key == 'd' else set()
            time.sleep(0.2)
        else:
            words = command(rng)
            self.log.append(' '.join(words))
            got = self.both(words)
            if got[0] != got[1]:
                self.log += ['tmux: %r' % (got[0],), 'rmux: %r' % (got[1],)]
                return False
        for words, sort in ((WINDOWS, False), (CLIENTS, True)):
            got = self.agree(words, sort)
            if got[0] != got[1]:
                self.log += ['tmux: ' + '\n      '.join(got[0][1]),
                             'rmux: ' + '\n      '.join(got[1][1])]
                return False
        return True

    def run(self):
        for s in self.sides:
            s.start([MODEL])
        same = all(self.step() for _ in range(self.rng.randrange(4, 12)))
        for s in self.sides:
            for name in 'AB':
                self.outer.run('kill-session', '-t', '=' + self.terminal(s, name))
            s.stop()
        return same


def main():
    seed, number, tmux, rmux = sys.argv[1:5]
    top = tempfile.mkdtemp(prefix='rmux-clients.')
    outer = Outer(tmux, top)
    sides = [Side('t', tmux, top), Side('r', os.path.abspath(rmux), top)]
    bad = 0
    try:
        for i in range(int(number)):
            script = Script(sides, outer, random.Random('%s.%d' % (seed, i)))
            if not script.run():
                bad += 1
                print('== %s.%d' % (seed, i), *script.log, sep='\n', flush=True)
    finally:
        for s in sides:
            s.stop()
        outer.stop()
        shutil.rmtree(top)
    print('%d of %s scripts differ' % (bad, number))
    return bad != 0


if __name__ == '__main__':
    sys.exit(main())
