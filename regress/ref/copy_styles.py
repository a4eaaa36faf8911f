#!/usr/bin/env python3
"""Compares how copy mode looks in rmux and in tmux: text, colours, attributes.

usage: copy_styles.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-k STEPS] [-v]

Both run in panes of the same size of a third server, TMUX's, which plays the
terminal.  Both do the same random commands of copy mode, with a style of its
own for each option of copy mode; after each step the two screens must have the
same cells (capture-pane -e) and the cursor at the same place.  Where the states
differ, too, the excuses of copy_random.py hold; excuse_look has the others.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata

from copy_peer import FIELDS, FORMAT, MARK, Peer, quote
from copy_random import excuse, show
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
            if unicodedata.east_asian_width(part[1]) in 'WF':
                out.append(('', fg, bg, ','.join(sorted(attrs))))
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


def pair(text):
    return tuple(int(n) for n in text.split(','))


def gutter(state, rows):
    n = int(state['h']) + rows
    return max(len(str(n)), 3) + 1 if state['N'] == '1' else 0


def marked(script, state):
    """The cells that tmux marks as selected: a range of its screen."""
    cols, rows = script.size
    top = int(state['h']) - int(state['p'])
    rect, emacs = state['R'] == '1', not script.vi
    left = gutter(state, rows)
    ends, off = [], []
    for x, y in (pair(state['s']), pair(state['e'])):
        off.append(-1 if y < top else 1 if y >= top + rows else 0)
        if off[-1] and not rect:
            x = 0 if off[-1] < 0 else cols - 1
        else:
            x = min(x + left, cols - 1)
        ends.append((x, min(max(y - top, 0), rows - 1)))
    (sx, sy), (ex, ey) = ends
    if off[0] and off[0] == off[1]:
        return set()
    out = set()
    for y in range(min(sy, ey), max(sy, ey) + 1):
        for x in range(left, cols):
            if rect:
                on = min(sx, ex) <= x <= max(sx, ex)
            elif (sy, sx) <= (ey, ex):
                last = max(ex - 1, 0) if emacs else ex
                on = (y > sy or x >= sx) and (y < ey or x <= last)
            else:
                last = sx - 1 if emacs else sx
                on = (y > ey or x >= ex) and (
                    y < sy or x <= last and (sx > 0 or sy == ey))
            if on:
                out.add((x, y))
    return out


def copied(script, state, fixed):
    """The cells of the screen that tmux copies.  FIXED is the column of a
    rectangle's end that does not move."""
    cols, rows = script.size
    top = int(state['h']) - int(state['p'])
    left = gutter(state, rows)
    a, b = sorted((pair(state['s'])[::-1], pair(state['e'])[::-1]))
    after = 1 if script.vi else 0
    out = set()
    for y in range(max(a[0], top), min(b[0], top + rows - 1) + 1):
        first = a[1] if y == a[0] else 0
        last = b[1] + after if y == b[0] else cols
        if state['R'] == '1':
            cx = pair(state['c'])[0]
            first = min(fixed, cx)
            last = cx + after if fixed < cx else fixed + 1
        out |= {(x + left, y - top) for x in range(first, last)
                if x + left < cols}
    return out


def is_covered(a, b):
    """Whether the first rows differ because A has a blank where B has a wide
    character, and B lacks what lies over its second half; or in a blank that
    the indicator has left of a character."""
    x = next((i for i, c in enumerate(a[0]) if b[0][i:i + 1] != [c]), None)
    if x is None:
        return False
    if len(a[0]) == len(b[0]) and a[0][x + 1:] == b[0][x + 1:]:
        return a[0][x][0] == ' ' and b[0][x] == (' ', None, None, '')
    shown = b[0][x][0] if x < len(b[0]) else ' '
    return (shown != '' and unicodedata.east_asian_width(shown) in 'WF' and
            a[0][x][0] == ' ' and a[0][x + 2:] == b[0][x + 2:])


def excuse_look(script, step, got, before, state, was):
    """The reason why screens differ although the states do not, or None.
    GOT and BEFORE are the screens now and before the step, ours first; STATE
    and WAS tmux's states (WAS may be {})."""
    rows = [got[0][:-1], got[1][:-1]]
    n = max(len(r) for r in rows)
    rows = [r + [[]] * (n - len(r)) for r in rows]
    blank = (' ', None, None, '')
    where = {}
    for y, (a, b) in enumerate(zip(*rows)):
        m = max(len(a), len(b))
        a, b = (r + [blank] * (m - len(r)) for r in (a, b))
        where.update({(x, y): (a[x], b[x]) for x in range(m) if a[x] != b[x]})
    kind, arg = step
    name = arg[1][0] if kind == 'X' else arg[1] if kind == 'key' else ''
    start = gutter(state, script.size[1])
    if state['f'][:1] == '1' and all(
            y == 0 and x < start + len(state['S']) for x, y in where):
        return 'a match lies across the end of a row'
    if where and {y for _, y in where} == {0} and is_covered(*rows):
        return 'tmux keeps a character half under the indicator'
    on = marked(script, state) if state['s'] != ',' else set()
    # Which end of a rectangle moves is not among the formats.
    wrong = [on ^ copied(script, state, pair(state[k])[0])
             for k in 'se' if state['s'] != ',']
    if any(set(where) <= w for w in wrong):
        return 'tmux shows other cells as selected than it copies'
    if set(script.text) & set('日本語') and all(
            x == script.size[0] - 1 and a[0] == b[0] == ' '
            for (x, _), (a, b) in where.items()):
        return 'tmux paints a blank where a wide character does not fit anew'
    if '\t' in script.text and all(
            a[0] == b[0] == ' ' and (x, y) not in on and any(
                (x - i, y) in on for i in range(1, 8))
            for (x, y), (a, b) in where.items()):
        return 'rmux shows the whole of a tab as selected'
    if all(a[0] == b[0] == ' ' and a[2] and b[2] is None
           for a, b in where.values()):
        return 'tmux loses the background of a row that scrolled in'
    if was and was['s'] != ',':
        old = marked(script, was)
        if state['s'] == ',' and set(where) <= old:
            return 'tmux goes on showing a selection that has ended'
        if state['N'] != was['N'] and set(where) <= (old ^ on).union(*wrong):
            return 'tmux leaves the selection where line numbers moved it'
        d = int(was['p']) - int(state['p'])
        moved = {(x, y - d) for x, y in old}
        if set(where) <= (on ^ moved).union(*wrong):
            return 'tmux draws a row before it moves the selection'
    # Its rows as they were, or where it has scrolled them.
    for d in {0, int(was['p'] or 0) - int(state['p'])} if was else ():
        old = [[]] * abs(d) + before[1][:-1] + [[]] * (n + abs(d))
        left = gutter(state, script.size[1])
        if all(rows[1][y][left:] == old[y + d + abs(d)][left:]
               for _, y in where):
            return 'tmux does not draw these rows anew'
    if state['f'][:1] == '1' and name.startswith('goto-line'):
        return 'tmux does not look for matches after goto-line'
    return None


def wait_equal(sides):
    """Both screens, when they are equal or do not change any more."""
    end = time.time() + 1.5
    while True:
        got = [s.screen() for s in sides]
        if got[0] == got[1] or time.time() > end:
            return got
        time.sleep(0.03)


LOOK = MARK.join([FORMAT, '#{history_size}'])


def states_of(sides):
    """The states of both, with the size of the history as h."""
    keys = [k for k, _ in FIELDS] + ['h']
    return [dict(zip(keys, '\n'.join(
        s.run('display -p -t :9 ' + quote(LOOK))).split(MARK)))
        for s in sides]


def report(script, i, got, o):
    print('seed %d %dx%d %s step %d: %s' % (
        script.seed, script.size[0], script.size[1],
        'vi' if script.vi else 'emacs', i, show(script.steps[i])))
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


def one(script, sides, terminal, o):
    """Returns 'same', 'bad' or an excuse."""
    for s in sides:
        terminal.send('resize-window -t :%d -x %d -y %d' % (
            (s.number,) + script.size))
    terminal.flush()
    for s in sides:
        s.begin(script)
        for k, v in script.styles.items():
            s.send('set -w -t :9 %s %s' % (k, quote(v)))
        s.flush()
    how = 'same'
    got = wait_equal(sides)
    if got[0] != got[1]:
        how = 'the text wraps at another place in tmux'
    states = []
    for i, step in enumerate(script.steps if how == 'same' else []):
        before = got
        for s in sides:
            s.step(step)
            s.flush()
        got = wait_equal(sides)
        a, b = states_of(sides)
        states.append(b)
        if got[0] == got[1]:
            continue
        how = None
        if a != b:
            how = excuse(script, i, a, b, states[i - 1] if i else {}, states)
        elif b['m'] == '1':
            how = excuse_look(script, step, got, before, b,
                              states[i - 1] if i else {})
        if how is None:
            how = 'bad'
            report(script, i, got, o)
        break
    for s in sides:
        s.run('kill-window -t :9')
        for name in s.run("list-buffers -F '#{buffer_name}'"):
            s.send('delete-buffer -b ' + name)
        s.flush()
    return how


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
        counts = {}
        try:
            for i, s in enumerate(sides):
                s.attach(terminal, 5 + i)
            for seed in range(o.s, o.s + o.n):
                how = one(Painted(seed, o.k), sides, terminal, o)
                counts[how] = counts.get(how, 0) + 1
        finally:
            for s in sides + [terminal]:
                s.close()
    for how in sorted(counts):
        print('%5d %s' % (counts[how], how))
    return 1 if counts.get('bad') else 0


if __name__ == '__main__':
    sys.exit(main())
