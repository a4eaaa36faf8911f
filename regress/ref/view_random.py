#!/usr/bin/env python3
"""Runs random output and moves in view mode of rmux and of tmux.

usage: view_random.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-k STEPS] [-v]

Each script prints random text into view mode with run-shell, more of it now
and then, moves, opens copy mode above and leaves it.  After each
step mode, cursor, scroll position and its limit must be equal.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

FORMAT = ('#{pane_mode} #{pane_in_mode}|#{copy_cursor_x},#{copy_cursor_y}'
          '|#{scroll_position}/#{copy_position_limit}')
WORDS = ['one', 'two', 'f(x)', '{a}', '[b', 'c]', 'a.b.c', '--', '..', '日本',
         'é', 'x', 'longerword', '(', ')', '}', 'foo-bar', '/usr/lib',
         'zz9', '"q"']
MOVES = ['history-top', 'history-bottom', 'top-line', 'bottom-line',
         'middle-line', 'start-of-line', 'cursor-down', 'cursor-up',
         'scroll-up', 'page-up']


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


def plain(rng, cols):
    """Lines without wide characters, whose halves have a test elsewhere."""
    return ''.join(c if c < '\x7f' else 'x' for c in text(rng, cols))


def step(rng, cols, files):
    pick = rng.random()
    if pick < 0.2:
        t = tempfile.NamedTemporaryFile('w', delete=False)
        t.write(plain(rng, cols))
        t.close()
        files.append(t.name)
        return 'run-shell -t :9 "cat %s"' % t.name
    if pick < 0.25:
        return "run-shell -t :9 'printf one; exit %d'" % rng.randint(0, 2)
    if pick < 0.3:
        return 'send-keys -t :9 -X cancel'
    if pick < 0.35:
        return 'copy-mode -t :9'
    return 'send-keys -t :9 -X %s' % rng.choice(MOVES)


def play(side, commands, size):
    side.run('new-window', '-d', '-t', ':9', 'sleep 100')
    side.run('resize-window', '-t', ':9', '-x', str(size[0]), '-y',
             str(size[1]))
    with tempfile.NamedTemporaryFile('w', suffix='.conf', delete=False) as f:
        f.write('run-shell -t :9 "echo first"\n')
        for c in commands:
            f.write('if-shell -F -t :9 "#{pane_in_mode}" { %s } '
                    '{ run-shell -t :9 "echo again" }\n' % c)
            f.write("display-message -p -t :9 '%s'\n" % FORMAT)
    out = side.run('source-file', f.name).split('\n')
    os.unlink(f.name)
    side.run('kill-window', '-t', ':9')
    return out


def row(state):
    """Mode, and the cursor's row, counted upwards from the last screen."""
    mode, cursor, scroll = state.split('|')
    return mode, int(scroll.split('/')[0]) - int(cursor.split(',')[1])


def excuse(command, ours, theirs):
    """The reason why states differ, or None."""
    if command.endswith('-X cancel') and ours and theirs:
        if 'view-mode' in ours and row(ours) == row(theirs):
            return 'tmux scrolls the mode below a mode that ends'
    return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('tmux')
    ap.add_argument('-n', type=int, default=200)
    ap.add_argument('-s', type=int, default=1)
    ap.add_argument('-k', type=int, default=20)
    ap.add_argument('-v', action='store_true')
    o = ap.parse_args()
    conf = tempfile.NamedTemporaryFile('w', suffix='.conf', delete=False)
    conf.close()
    name = 'view%d' % os.getpid()
    sides = [Side(p, name + s, conf.name)
             for p, s in ((o.rmux, 'r'), (o.tmux, 't'))]
    bad = 0
    excused = {}
    for seed in range(o.s, o.s + o.n):
        rng = random.Random(seed)
        size = (rng.choice([10, 20, 40]), rng.choice([4, 5, 8, 12]))
        files = []
        commands = [step(rng, size[0], files) for _ in range(o.k)]
        a, b = [play(s, commands, size) for s in sides]
        for f in files:
            os.unlink(f)
        if a == b:
            continue
        i = next((i for i in range(min(len(a), len(b))) if a[i] != b[i]),
                 min(len(a), len(b)))
        why = (excuse(commands[i], a[i], b[i])
               if i < min(len(a), len(b), len(commands)) else None)
        if why is not None:
            excused[why] = excused.get(why, 0) + 1
            continue
        bad += 1
        print('seed %d %dx%d step %d: %s' % (
            seed, size[0], size[1], i,
            commands[i] if i < len(commands) else ''))
        for k in range(max(0, i - 4 if o.v else i), i):
            print('      ', commands[k], b[k])
        print('  rmux', a[i] if i < len(a) else None)
        print('  tmux', b[i] if i < len(b) else None, flush=True)
    for s in sides:
        s.run('kill-server')
    os.unlink(conf.name)
    for why in sorted(excused):
        print('%5d %s' % (excused[why], why))
    print('%d of %d scripts differ' % (bad, o.n))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
