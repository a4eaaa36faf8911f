#!/usr/bin/env python3
"""Runs random commands of copy mode in rmux and in tmux and compares them.

usage: copy_random.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-k STEPS] [-v] [-V]
       [-g GROUPS]

Every script puts the same text into panes of the same size, enters copy mode
and sends the same commands.  After each one cursor, scroll position and
selection must be equal; at the end the paste buffers must be as well.
With -V the text is in view mode: run-shell prints it over an empty pane.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

FORMAT = ('#{pane_mode}|#{copy_cursor_x},#{copy_cursor_y}|#{scroll_position}'
          '|#{selection_active} #{selection_present} #{selection_mode}'
          '|#{selection_start_x},#{selection_start_y}'
          '|#{selection_end_x},#{selection_end_y}|#{rectangle_toggle}'
          '|#{search_present}|#{search_match}|#{copy_cursor_word}')

MOVES = '''back-to-indentation bottom-line cursor-down cursor-left
cursor-right cursor-up cursor-centre-vertical cursor-centre-horizontal
end-of-line halfpage-down halfpage-up history-bottom history-top middle-line
next-matching-bracket next-paragraph next-space next-space-end next-word
next-word-end page-down page-up previous-matching-bracket previous-paragraph
previous-space previous-word recentre-top-bottom scroll-bottom scroll-down
scroll-middle scroll-top scroll-up start-of-line top-line jump-again
jump-reverse set-mark jump-to-mark'''.split()
SELECT = '''begin-selection clear-selection stop-selection other-end
rectangle-on rectangle-off rectangle-toggle select-line
select-word'''.split() + ['selection-mode char', 'selection-mode word',
                          'selection-mode line']
COPY = '''copy-selection copy-selection-no-clear append-selection copy-line
copy-end-of-line'''.split()
EXITS = '''cursor-down-and-cancel halfpage-down-and-cancel
page-down-and-cancel scroll-down-and-cancel scroll-exit-on scroll-exit-off
scroll-exit-toggle copy-selection-and-cancel copy-line-and-cancel
copy-end-of-line-and-cancel append-selection-and-cancel cancel'''.split()
SEARCH = '''search-again search-reverse'''.split()
WORDS = ['one', 'two', 'f(x)', '{a}', '[b', 'c]', 'a.b.c', '--', '..', '日本',
         'é', 'x', 'longerword', '(', ')', '}', 'foo-bar', '/usr/lib',
         'zz9', '"q"']
PATTERNS = ['one', 'o', 'x', 'a.b', 'zz9', '日', '[a-c]', 'foo', 'longer',
            'nothere']


def text(rng, cols):
    lines = []
    for _ in range(rng.randint(4, 30)):
        kind = rng.random()
        if kind < 0.15:
            lines.append('')
        elif kind < 0.25:
            lines.append('w' * rng.randint(cols - 2, cols * 2 + 3))
        else:
            line = ' ' * rng.choice([0, 0, 0, 1, 4])
            for _ in range(rng.randint(1, 9)):
                line += rng.choice(WORDS) + rng.choice([' ', ' ', '  ', ''])
            lines.append(line)
    return '\n'.join(lines)


def step(rng, groups):
    pick = rng.random()
    count = '' if rng.random() < 0.8 else '-N %d ' % rng.randint(1, 4)
    if 'exit' in groups and pick < 0.08:
        return 'send-keys %s-X %s' % (count, rng.choice(EXITS))
    if 'search' in groups and pick < 0.25:
        if rng.random() < 0.5:
            return 'send-keys %s-X %s' % (count, rng.choice(SEARCH))
        kind = rng.choice(['', '-text', '-incremental'])
        prefix = rng.choice('=+-') if kind == '-incremental' else ''
        return "send-keys %s-X search-%s%s -- '%s%s'" % (
            count, rng.choice(['forward', 'backward']), kind, prefix,
            rng.choice(PATTERNS))
    if 'select' in groups and pick < 0.40:
        return 'send-keys -X %s' % rng.choice(SELECT)
    if 'copy' in groups and pick < 0.48:
        return 'send-keys %s-X %s' % (count, rng.choice(COPY))
    if pick < 0.55:
        return "send-keys %s-X jump-%s '%s'" % (
            count, rng.choice(['forward', 'backward', 'to-forward',
                               'to-backward']), rng.choice('oe x(日'))
    if pick < 0.58:
        return 'send-keys -X goto-line %d' % rng.randint(-1, 30)
    return 'send-keys %s-X %s' % (count, rng.choice(MOVES))


class Side:
    def __init__(self, program, name, conf):
        self.base = [program, '-L', name, '-f', conf]
        subprocess.run(self.base + ['kill-server'], capture_output=True,
                       check=False)
        self.run('new-session', '-d', '-x', '40', '-y', '12', 'cat')
        self.run('set', '-g', 'status', 'off')
        self.run('set', '-g', 'window-size', 'manual')

    def run(self, *words):
        r = subprocess.run(self.base + list(words), capture_output=True,
                           check=False, timeout=60)
        return (r.stdout + r.stderr).decode('utf-8', 'replace')

    @staticmethod
    def off_screen(line, rows):
        """tmux lets the cursor leave a screen of less than four rows."""
        part = line.split('|')
        return len(part) > 1 and part[1] != ',' and int(
            part[1].split(',')[1]) >= rows

    def script(self, textfile, commands, size, vi, view=False):
        self.run('new-window', '-d', '-t', ':9', "sleep 100"
                 )
        self.run('resize-window', '-t', ':9', '-x', str(size[0]), '-y',
                 str(size[1]))
        self.run('select-window', '-t', ':9')
        self.run('clear-history', '-t', ':9')
        self.run('respawn-pane', '-k', '-t', ':9',
                 "printf '\\033[3J'; cat '%s'; exec tail -f /dev/null"
                 % ('/dev/null' if view else textfile))
        end = time.time() + 5
        want = None
        while time.time() < end:
            got = self.run('display', '-p', '-t', ':9',
                           '#{pane_current_command} #{cursor_y} '
                           '#{history_size}')
            if got.startswith('tail') and got == want:
                break
            want = got
            time.sleep(0.03)
        self.run('set', '-w', '-t', ':9', 'mode-keys',
                 'vi' if vi else 'emacs')
        with tempfile.NamedTemporaryFile('w', suffix='.conf',
                                         delete=False) as f:
            f.write('run-shell -t :9 "cat %s"\n' % textfile if view
                    else 'copy-mode -t :9\n')
            for c in commands:
                f.write(c.replace('send-keys', 'send-keys -t :9', 1) + '\n')
                f.write("display -p -t :9 '%s'\n" % FORMAT)
            f.write("list-buffers -F '#{buffer_name} #{buffer_size}"
                    " #{buffer_sample}'\n")
        out = self.run('source-file', f.name).split('\n')
        os.unlink(f.name)
        self.run('kill-window', '-t', ':9')
        for _ in range(60):
            if self.run('delete-buffer'):
                break
        return out


def half_cell(a, b, i):
    """tmux may leave the cursor in the second half of a wide cell."""
    if i >= min(len(a), len(b)) or a[i].count('|') < 5:
        return False
    x, y = ([int(n) for n in s[i].split('|')[1].split(',') if n]
            for s in (a, b))
    word = a[i].split('|')[-1]
    return (len(x) == 2 and len(y) == 2 and x[1] == y[1] and
            x[0] + 1 == y[0] and '日' in word)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('tmux')
    ap.add_argument('-n', type=int, default=400)
    ap.add_argument('-s', type=int, default=1)
    ap.add_argument('-k', type=int, default=25)
    ap.add_argument('-g', default='select,copy,exit,search')
    ap.add_argument('-v', action='store_true')
    ap.add_argument('-V', action='store_true', dest='view')
    o = ap.parse_args()
    conf = tempfile.NamedTemporaryFile('w', suffix='.conf', delete=False)
    conf.close()
    name = 'copy%d' % os.getpid()
    sides = [Side(p, name + s, conf.name)
             for p, s in ((o.rmux, 'r'), (o.tmux, 't'))]
    bad = excused = 0
    for seed in range(o.s, o.s + o.n):
        rng = random.Random(seed)
        size = (rng.choice([10, 20, 40]), rng.choice([2, 3, 5, 8, 12]))
        vi = rng.random() < 0.5
        t = tempfile.NamedTemporaryFile('w', delete=False)
        t.write(text(rng, size[0]))
        t.close()
        commands = [step(rng, o.g.split(',')) for _ in range(o.k)]
        a, b = [s.script(t.name, commands, size, vi, o.view) for s in sides]
        if a != b:
            i = next((i for i in range(min(len(a), len(b)))
                      if a[i] != b[i]), min(len(a), len(b)))
            if half_cell(a, b, i):
                excused += 1
                continue
            if i < len(b) and any(Side.off_screen(x, size[1])
                                  for x in b[:i + 1]):
                excused += 1
                continue
            bad += 1
            print('seed %d %dx%d %s step %d: %s' % (
                seed, size[0], size[1], 'vi' if vi else 'emacs', i,
                commands[i] if i < len(commands) else 'buffers'))
            if o.v:
                with open(t.name) as f:
                    print(f.read())
                for k in range(max(0, i - 5), i):
                    print('      ', commands[k] if k < len(commands) else '',
                          b[k])
            print('  rmux', a[i] if i < len(a) else None)
            print('  tmux', b[i] if i < len(b) else None, flush=True)
        os.unlink(t.name)
    for s in sides:
        s.run('kill-server')
    os.unlink(conf.name)
    print('%d of %d scripts differ; in %d the cursor left tmux\'s screen'
          % (bad, o.n, excused))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
