#!/usr/bin/env python3
"""Compares scrollbars, line numbers and mouse events of rmux and tmux 3.8.

usage: scroll_random.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-v] [-o ONLY]
       scroll_random.py -r TMUX [-n SCRIPTS] [-s SEED] >regress/unit/slider.list

Every script starts both programs inside an outer terminal (TMUX), gives them
the same text, options and bytes of a mouse, and compares after each step what
the client's terminal shows (text and colours of every cell), the geometry of
panes and the state of copy mode.  -r records the slider of TMUX for random
heights, histories and positions: ROWS HISTORY POSITION AT SIZE, where POSITION
is - outside copy mode.  ONLY is one of bars, numbers, mouse.

Differences on purpose: with emacs keys tmux colours the first column of a row at
whose beginning a selection ends, and with line numbers not the last column of
the last row of one that goes on beyond it; what both copy is equal.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'e2e'))
import cells  # noqa: E402

STATE = ('#{pane_left},#{pane_top} #{pane_width}x#{pane_height} '
         '#{pane_in_mode} #{scroll_position} #{copy_cursor_x},'
         '#{copy_cursor_y} #{copy_position}/#{copy_position_limit} '
         '#{copy_line_numbers} #{selection_present} #{selection_start_x},'
         '#{selection_start_y}-#{selection_end_x},#{selection_end_y}')


class Inner:
    """A program of the given size inside an outer terminal."""

    def __init__(self, program, tmux, where, name, cols, rows, text):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(('TMUX', 'RMUX'))}
        env.update(TMUX_TMPDIR=where, RMUX_TMPDIR=where, HOME=where,
                   SHELL='/bin/sh', LC_ALL='C.UTF-8', TERM='xterm-256color')
        self.env = env
        self.inner = [program, '-L', name, '-f', '/dev/null']
        self.outer = [tmux, '-L', name + 'o', '-f', '/dev/null']
        self.run(self.inner, 'new-session', '-d', '-s', 's', '-x', str(cols),
                 '-y', str(rows), text)
        for option in ('status off', 'mouse on', 'mode-style bg=yellow',
                       'copy-mode-position-format '
                       '[#{copy_position}/#{copy_position_limit}]'):
            self.m('set', '-g', *option.split(' ', 1))
        for option in ('copy-mode-line-number-style fg=green',
                       'copy-mode-current-line-number-style fg=red',
                       'pane-border-style fg=default',
                       'pane-active-border-style fg=default',
                       'pane-scrollbars-style bg=blue,fg=red'):
            self.m('set', '-gw', *option.split(' ', 1))
        self.run(self.outer, 'set', '-g', 'default-terminal',
                 'xterm-256color', ';', 'set', '-g', 'status', 'off', ';',
                 'set', '-sg', 'escape-time', '0', ';', 'new-session', '-d',
                 '-x', str(cols), '-y', str(rows),
                 ' '.join("'%s'" % w for w in self.inner + ['attach']))
        self.wait(lambda: self.m('list-clients').strip())

    def run(self, base, *words):
        r = subprocess.run(base + list(words), env=self.env, timeout=20,
                           capture_output=True, text=True)
        return r.stdout + r.stderr

    def m(self, *words):
        return self.run(self.inner, *words)

    def wait(self, condition, seconds=5):
        end = time.time() + seconds
        while not condition() and time.time() < end:
            time.sleep(0.03)

    def mouse(self, button, x, y, up=False):
        text = '\033[<%d;%d;%d%s' % (button, x + 1, y + 1, 'm' if up else 'M')
        self.run(self.outer, 'send-keys', '-H',
                 *('%02x' % b for b in text.encode()))

    def screen(self):
        """The rows of the terminal in the normal form of cells.py."""
        text = self.run(self.outer, 'capture-pane', '-peN')
        lines = cells.look(text).split('\n')
        while lines and (not lines[-1] or lines[-1].endswith('|')):
            lines.pop()
        return lines

    def state(self):
        out = self.m('list-panes', '-t', 's:', '-F', STATE)
        return out + self.m('show-buffer').replace('rmux', 'tmux')

    def close(self):
        self.m('kill-server')
        self.run(self.outer, 'kill-server')


def bar(inner, rows):
    """First row and size of the slider in the last column."""
    text = inner.run(inner.outer, 'capture-pane', '-peN')
    marks = []
    for line in text.split('\n')[:rows]:
        on = ''
        for part in line.split('\033[')[1:]:
            codes = part.split('m')[0].split(';')
            on = '#' if '41' in codes else '.' if '44' in codes else on
        marks.append(on)
    marks = ''.join(marks)
    return marks.find('#'), marks.count('#')


def record(args, where):
    rng = random.Random(args.seed)
    print('# Sliders of tmux 3.8: rows, history, position, first row, size.')
    print('# Made by regress/ref/scroll_random.py -r.')
    for k in range(args.n):
        rows = rng.choice([2, 3, 4, 5, 8, 11, 16, 24, 30, 47])
        size = rng.choice([0, 1, 2, 3, 5, 8, 13, rng.randint(1, 60),
                           rng.randint(1, 400), rng.randint(1, 1900)])
        x = Inner(args.tmux, args.tmux, where, 'r%d' % k, 20, rows,
                  'seq %d; exec cat' % (rows - 1 + size))
        x.m('set', '-gw', 'pane-scrollbars', 'on')
        x.wait(lambda: x.m('display-message', '-p', '-t', 's:',
                           '#{history_size}').strip() == str(size))
        places = ['-', '0', '1', str(size)]
        places += [str(rng.randint(0, max(size, 1))) for _ in range(12)]
        for place in dict.fromkeys(places):
            if place == '0':
                x.m('copy-mode', '-t', 's:')
            if place != '-':
                x.m('send-keys', '-X', '-t', 's:', 'goto-line', place)
                if int(place) > size:
                    continue
            old = None
            while old != (old := bar(x, rows)):
                time.sleep(0.08)
            print(rows, size, place, *old)
        sys.stdout.flush()
        x.close()


def script(rng, only):
    """The size, the text and the steps of one script."""
    kind = only or rng.choice(['bars', 'numbers', 'mouse'])
    cols, rows = rng.randint(12, 50), rng.randint(4, 20)
    count = rng.choice([rng.randint(1, 30), rng.randint(30, 300)])
    text = ('i=0; while [ $i -lt %d ]; do i=$((i + 1)); '
            'echo "line $i word foo/bar"; done; exec cat' % count)
    steps = []

    def at():
        return rng.randint(0, cols - 1), rng.randint(0, rows - 1)

    def drag(x, y):
        steps.append(('mouse', 0, x, y))
        for _ in range(rng.randint(1, 3)):
            x = min(cols - 1, max(1, x + rng.randint(-6, 6)))
            # Not at an edge: there the selection scrolls on with time.
            y = min(rows - 2, max(1, y + rng.randint(-3, 3)))
            steps.append(('mouse', 32, x, y))

    if kind == 'bars':
        steps.append(('set', '-gw', 'pane-scrollbars', 'on'))
        steps.append(('set', '-gw', 'pane-scrollbars-position',
                      rng.choice(['left', 'right'])))
        steps.append(('set', '-gw', 'pane-scrollbars-style',
                      'bg=blue,fg=red,width=%d,pad=%d'
                      % (rng.randint(1, 3), rng.randint(0, 2))))
        for _ in range(rng.randint(0, 2)):
            steps.append(('split-window', '-d', rng.choice(['-h', '-v']),
                          text))
        if rng.random() < 0.2:
            steps.append(('resize-pane', '-Z', '-t', 's:0.0'))
    elif kind == 'numbers':
        steps.append(('set', '-gw', 'copy-mode-line-numbers',
                      rng.choice(['default', 'absolute', 'relative',
                                  'hybrid'])))
    steps.append(('copy-mode', '-t', 's:0.0'))
    for _ in range(rng.randint(3, 8)):
        pick = rng.random()
        if pick < 0.25:
            steps.append(('send-keys', '-X', '-t', 's:0.0', 'goto-line',
                          str(rng.randint(0, count + 3))))
        elif pick < 0.5:
            steps.append(('send-keys', '-X', '-t', 's:0.0', rng.choice(
                ['page-up', 'page-down', 'history-top', 'history-bottom',
                 'halfpage-up', 'cursor-up', 'end-of-line', 'cursor-right',
                 'begin-selection', 'line-numbers-toggle'])))
        elif pick < 0.75:
            steps.append(('mouse', rng.choice([64, 65]), *at()))
        elif kind == 'mouse':
            x, y = at()
            drag(x, max(1, min(rows - 2, y)))
            steps.append(('mouse', 0, steps[-1][2], steps[-1][3], True))
            steps.append(('copy-mode', '-t', 's:0.0'))
        elif kind == 'bars':
            # A click on the bar.
            x, y = rng.choice([0, cols - 1]), rng.randint(0, rows - 1)
            steps.append(('click', x, y))
    return cols, rows, text, steps


def play(inner, step):
    if step[0] == 'mouse':
        if step[1] == 0 and len(step) == 4:
            time.sleep(0.35)  # no double click
        inner.mouse(*step[1:])
    elif step[0] == 'click':
        inner.mouse(0, *step[1:])
        inner.mouse(0, *step[1:], True)
        time.sleep(0.35)
    else:
        inner.m(*step)


def compare(args, where, k):
    rng = random.Random('%s %d' % (args.seed, k))
    cols, rows, text, steps = script(rng, args.only)
    pair = [Inner(p, args.tmux, where, '%s%d' % (w, k), cols, rows, text)
            for w, p in (('t', args.tmux), ('r', args.rmux))]

    def same():
        return (pair[0].state() == pair[1].state() and
                pair[0].screen() == pair[1].screen())

    bad = None
    for i, step in enumerate([('display-message',)] + steps):
        if i > 0:
            for inner in pair:
                play(inner, step)
        pair[0].wait(same, 2)
        if not same():
            bad = (i, step)
            break
    if bad:
        print('script %d (%dx%d) differs after step %d: %s' %
              (k, cols, rows, bad[0], ' '.join(map(str, bad[1]))))
        if args.v:
            print('  steps', steps[:bad[0]])
            for name, inner in zip(('tmux', 'rmux'), pair):
                print('--- %s\n%s' % (name, inner.state()), end='')
                print('\n'.join(inner.screen()))
    for inner in pair:
        inner.close()
    sys.stdout.flush()
    return bad is not None


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('programs', nargs='+')
    p.add_argument('-n', type=int, default=30)
    p.add_argument('-s', dest='seed', default='1')
    p.add_argument('-k', type=int, default=0)
    p.add_argument('-o', dest='only')
    p.add_argument('-v', action='store_true')
    p.add_argument('-r', dest='record', action='store_true')
    args = p.parse_args()
    args.tmux = args.programs[-1]
    args.rmux = args.programs[0]
    with tempfile.TemporaryDirectory() as where:
        if args.record:
            record(args, where)
            return
        bad = sum(compare(args, where, k)
                  for k in range(args.k, args.k + args.n))
    print('%d of %d scripts differ' % (bad, args.n))
    sys.exit(bad > 0)


if __name__ == '__main__':
    main()
