#!/usr/bin/env python3
"""configs.py - configurations of people, loaded by tmux 3.8 and by rmux.

  configs.py TMUX RMUX [FILE...]

Each file of dotfiles/ starts a server of each side.  All options, keys, hooks,
the environment, windows and what a client shows must be the same, but for what
also differs without a configuration, and for lines of configs.list.  Prints TAP.
"""
import os
import re
import sys
import tempfile
import time
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'diff'))
sys.path.insert(0, os.path.join(HERE, '..', 'e2e'))
import cells  # noqa: E402
from side import Outer, Side  # noqa: E402

READ = (
    ['show-options', '-s'], ['show-options', '-g'], ['show-options', '-gw'],
    ['show-options', '-A'], ['show-hooks', '-g'], ['show-hooks', '-gw'],
    ['list-keys'], ['list-keys', '-N'],
    ['list-keys', '-T', 'copy-mode-vi'], ['show-environment', '-g'],
    ['list-sessions', '-F', '#S #{session_windows}'],
    ['list-windows', '-a', '-F', '#S:#I #W #F #{?window_active,#{window_layout},}'],
)
MEANT = [re.compile(p) for p in open(
    os.path.join(HERE, 'configs.list'), encoding='utf-8').read().split('\n')
    if p and not p.startswith('#')]


def lines(answer):
    code, out, err = answer
    rows = sorted(out.splitlines()) + ['err: ' + e for e in err.splitlines()]
    rows += ['exit %s' % code] if code else []
    return [r for r in rows if not any(m.search(r) for m in MEANT)]


def screen(side):
    text = side.step(['!', 'screen'])[1]
    return [r for r in cells.look(text).splitlines()
            if not any(m.search(r) for m in MEANT)]


def differences(sides):
    """What the two say differently, a line each."""
    bad = []
    for words in READ:
        a, b = (lines(s.step(words)) for s in sides)
        bad += ['%s: tmux: %s' % (words, r) for r in a if r not in b]
        bad += ['%s: rmux: %s' % (words, r) for r in b if r not in a]
    a, b = (screen(s) for s in sides)
    if a != b:  # a minute may have begun between the two
        a, b = (screen(s) for s in sides)
    return bad + ['screen: tmux: %s' % r for r in a if r not in b] + [
        'screen: rmux: %s' % r for r in b if r not in a]


def compare(sides, path, always):
    """The differences after both have loaded PATH, but for those of ALWAYS."""
    for s in sides:
        s.base[s.base.index('-f') + 1] = path
        s.env['HOME'] = s.dir
        s.start([['new-session', '-d', '-s', 'work', '-x', '80', '-y', '24',
                  '-n', 'one', 'cat', ';', 'new-window', '-d', '-n', 'two', 'cat']])
    # The reference's default colours depend on the terminal.
    sides[0].step(['set-option', '-g', 'theme', 'terminal'])
    for s in sides:
        s.step(['!', 'attach', '80', '24', 'attach-session', '-t', 'work'])
    end = time.monotonic() + (5 if always else 1)
    while True:
        bad = [b for b in differences(sides) if b not in always]
        if not bad or time.monotonic() > end:
            break
        time.sleep(0.1)
    for s in sides:
        s.stop()
    return bad


def main():
    tmux, rmux = sys.argv[1:3]
    place = os.path.join(HERE, 'dotfiles')
    files = sys.argv[3:] or sorted(os.listdir(place))
    top = tempfile.mkdtemp(prefix='rmux-configs.')
    outer = Outer(tmux, top)
    sides = [Side('t', tmux, top), Side('r', os.path.abspath(rmux), top)]
    for s in sides:
        s.outer = outer
    failed = 0
    always = set(compare(sides, '/dev/null', ()))
    for number, name in enumerate(files, 1):
        bad = compare(sides, os.path.join(place, name), always)
        failed += bool(bad)
        print('%s %d - %s' % ('not ok' if bad else 'ok', number, name))
        for line in bad:
            print('# ' + line, flush=True)
    print('1..%d' % len(files))
    outer.stop()
    shutil.rmtree(top)
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
