#!/usr/bin/env python3
"""Compares how copy mode looks in rmux and in tmux: text, colours, attributes.

usage: copy_styles.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-k STEPS] [-v]

Both run in panes of the same size of a third server, TMUX's, which plays the
terminal.  Both do the same random commands of copy mode, with a style of its
own for each option of copy mode; after each step the two screens must have the
same cells (capture-pane -e) and the cursor at the same place.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

from copy_peer import Peer, quote
from copy_random import show
from copy_script import Script

STYLES = {
    'copy-mode-selection-style': ['bg=red', 'bg=red,bold', 'fg=blue,reverse',
                                  'bg=red,noattr', 'fg=blue,noattr,underscore',
                                  'reverse'],
    'copy-mode-mark-style': ['bg=green', 'italics', 'fg=green,bg=colour7'],
    'copy-mode-match-style': ['bg=cyan,fg=black', 'underscore', 'bg=cyan,dim'],
    'copy-mode-current-match-style': ['bg=magenta,fg=black', 'bold',
                                      'fg=magenta,noattr'],
    'copy-mode-position-style': ['bg=yellow,fg=black', 'bg=#102030', 'bold'],
    'copy-mode-position-format': [
        '#[align=right]#{t/p:top_line_time}#{?#{e|>:#{copy_position},0},@,}'
        '[#{copy_position}/#{copy_position_limit}]',
        '#[fg=red]x#[default]y#[align=centre,bold]mid#[align=right]#{E:@e}'
        '#{scroll_position}'],
    'copy-mode-line-number-style': ['fg=colour8', 'bg=colour17', 'dim'],
    'copy-mode-current-line-number-style': ['fg=yellow,bold', 'reverse'],
    'copy-mode-current-line-style': ['default', 'default', 'bg=colour18',
                                     'underscore'],
    'mode-style': ['bg=yellow,fg=black', 'reverse'],
}
COLOURS = ['\033[31m', '\033[1m', '\033[44m', '\033[m', '\033[7m', '\033[3;32m',
           '\033[38;5;200m', '\033[48;2;1;2;3m', '\033[m', '\033[4m']
HIDDEN = ['\033[31m', '\033[1m', '\033[m', '\033[3;32m', '\033[38;5;200m']


SHAPES = {'4', '7', '9', '53'}  # attributes that a blank shows, too


def cells(line, state):
    """The cells of a line of capture-pane -e: (text, colours, attributes).
    STATE is the pen that it begins with; it is changed."""
    out = []
    for part in re.findall(r'\033\[([\d;:]*)m|\033\][^\033]*\033\\\\|(.)',
                           line):
        if part[1]:
            fg, bg, attrs = state.get('fg'), state.get('bg'), state['attrs']
            if part[1] == ' ' and not attrs & SHAPES:
                fg = None
            if part[1] == ' ':
                attrs = attrs & SHAPES
            out.append((part[1], fg, bg, ','.join(sorted(attrs))))
            continue
        words = part[0].split(';')
        while words:
            w = words.pop(0)
            if w in ('', '0'):
                state.update(fg=None, bg=None, attrs=frozenset())
            elif w in ('38', '48'):
                n = 2 if words[0] == '5' else 4
                state['fg' if w == '38' else 'bg'] = tuple(words[:n])
                words = words[n:]
            elif w in ('39', '49'):
                state['fg' if w == '39' else 'bg'] = None
            elif len(w) in (2, 3) and w[:-1] in ('3', '9'):
                state['fg'] = w
            elif len(w) in (2, 3) and w[:-1] in ('4', '10'):
                state['bg'] = w
            else:
                state['attrs'] |= {w}
    while out and out[-1] == (' ', None, None, ''):
        out.pop()
    return out


class Painted(Script):
    """A script whose text has colours and whose options have styles."""

    def __init__(self, seed, steps):
        rng = random.Random(seed)
        wide = rng.random() < 0.4
        super().__init__(seed, steps, [
            'select', 'search', 'mode', 'key', 'tab', 'mark', 'number',
            'prompt'] + ['wide'] * wide)
        self.size = (max(self.size[0], 20), max(self.size[1], 4))
        self.styles = {k: rng.choice(v) for k, v in STYLES.items()}
        # What shows on blanks differs beside a wide character that wrapped,
        # and tmux's copy mode has no background after the end of a line.
        colours = [c for c in COLOURS if not wide or c in HIDDEN]
        out = ''
        for ch in self.text:
            if ch == '\r':
                out += '\033[m'
            out += ch
            if ch == ' ' and rng.random() < 0.2:
                out += rng.choice(colours)
        self.text = out + '\033[m'


class Shown(Peer):
    """A server with a client that stands in a pane of TERMINAL."""

    def attach(self, terminal, number):
        for c in ('set -g mode-keys vi', 'set -g escape-time 0',
                  'set -g default-terminal tmux-256color',
                  "set -as terminal-features ',*:RGB:hyperlinks'",
                  'set -g allow-passthrough off', 'set -g window-size latest',
                  'set -g display-time 1', 'set -g visual-bell on'):
            self.send(c)
        self.flush()
        self.terminal = terminal
        self.number = number
        words = self.program + ['attach']
        terminal.run('new-window -d -t :%d %s' % (
            number, quote('exec ' + ' '.join(words))))

    def screen(self):
        state = {'fg': None, 'bg': None, 'attrs': frozenset()}
        out = [cells(line, state) for line in self.terminal.run(
            'capture-pane -peN -t :%d' % self.number)]
        while out and not out[-1]:
            out.pop()
        at = self.terminal.run("display -p -t :%d '#{cursor_x},#{cursor_y}'" %
                               self.number)
        return out + at


def wait_equal(sides):
    """Both screens, when they are equal or do not change any more."""
    end = time.time() + 1.5
    while True:
        got = [s.screen() for s in sides]
        if got[0] == got[1] or time.time() > end:
            return got
        time.sleep(0.03)


def one(script, sides, terminal, o):
    for s in sides:
        terminal.send('resize-window -t :%d -x %d -y %d' % (
            (s.number,) + script.size))
    terminal.flush()
    for s in sides:
        s.begin(script)
        for k, v in script.styles.items():
            s.send('set -w -t :9 %s %s' % (k, quote(v)))
        s.flush()
    same = True
    for i, step in enumerate([None] + script.steps):
        if step is not None:
            for s in sides:
                s.step(step)
                s.flush()
        got = wait_equal(sides)
        if got[0] == got[1]:
            continue
        if step is None:
            # Blanks beside a wide character that wrapped, say.
            print('seed %d: the text differs' % script.seed)
            break
        same = False
        print('seed %d %dx%d %s step %d: %s' % (
            script.seed, script.size[0], script.size[1],
            'vi' if script.vi else 'emacs', i,
            'text' if step is None else show(step)))
        if o.v:
            for k, st in enumerate(script.steps[:i]):
                print('   %3d %s' % (k, show(st)))
            print('  ', script.styles)
        for y, (a, b) in enumerate(zip(*got)):
            if a != b:
                for x in range(max(len(a), len(b))):
                    if a[x:x + 1] != b[x:x + 1]:
                        print('  cell %d,%d rmux %s tmux %s' % (
                            x, y, a[x:x + 1], b[x:x + 1]), flush=True)
        break
    for s in sides:
        s.run('kill-window -t :9')
        for name in s.run("list-buffers -F '#{buffer_name}'"):
            s.send('delete-buffer -b ' + name)
        s.flush()
    return same


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('tmux')
    ap.add_argument('-n', type=int, default=50)
    ap.add_argument('-s', type=int, default=1)
    ap.add_argument('-k', type=int, default=12)
    ap.add_argument('-v', action='store_true')
    o = ap.parse_args()
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as conf:
        name = 'styles%d' % os.getpid()
        terminal = Peer(o.tmux, name + 'o', conf.name)
        for c in ('set -g default-terminal tmux-256color',
                  'set -g escape-time 0', 'set -g history-limit 0'):
            terminal.send(c)
        terminal.flush()
        sides = [Shown(p, name + s, conf.name)
                 for p, s in ((o.rmux, 'r'), (o.tmux, 't'))]
        bad = 0
        try:
            for i, s in enumerate(sides):
                s.attach(terminal, 5 + i)
            for seed in range(o.s, o.s + o.n):
                bad += not one(Painted(seed, o.k), sides, terminal, o)
        finally:
            for s in sides + [terminal]:
                s.close()
    print('%d scripts, %d look different' % (o.n, bad))
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
