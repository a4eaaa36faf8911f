#!/usr/bin/env python3
"""Runs random scripts of copy mode in rmux and in tmux and compares them.

usage: copy_random.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-k STEPS] [-v]
                      [-g GROUPS] [-c] [-V | -w FILE]

Every script writes the same text into panes of the same size, enters copy
mode and sends the same commands and keys, writes more and changes the size.
After each step the formats of copy mode must be equal (copy_peer.py), with -c
also the drawn screen; at the end the paste buffers must be.  With -w the scripts
that are equal go to FILE with tmux's answers (regress/ref/copy-tmux.list).
With -V the text is in view mode: run-shell prints it over an empty pane.
"""
import argparse
import os
import sys
import tempfile
import unicodedata

from copy_peer import Peer
from copy_script import HEAD, Script, record


def place(state):
    """The cursor of a state, or None."""
    part = state.get('c', '').split(',')
    return (int(part[0]), int(part[1])) if part[0] else None


def is_tail(line, column):
    """Whether that column is the second half of a wide character."""
    at = 0
    for ch in line:
        if unicodedata.combining(ch):
            continue
        at += (8 - at % 8 if ch == '\t' else
               2 if unicodedata.east_asian_width(ch) in 'WF' else 1)
        if at > column:
            return (at == column + 1 and
                    unicodedata.east_asian_width(ch) in 'WF')
    return False


def row_of(script, state, rows):
    """The cursor's row, counted from the oldest one."""
    limit = int(state['q'].split('/')[1])
    if state['N'] == '1' and script.numbers not in ('off', 'default'):
        limit -= rows  # the indicator counts the rows of the screen, too
    return limit - int(state['p']) + place(state)[1]


def is_half(script, a, b, rows):
    """Whether states differ only because a place of tmux (B) is the second
    half of a character, and ours (A) is beside it."""
    keys = differing(a, b)
    if not place(a) or not place(b) or set(keys) - set('cseMwa'):
        return False
    row = row_of(script, b, rows)
    # Such a place also makes a selection of one character present ("a").
    for k in keys:
        if k not in 'cse':
            continue
        ours, theirs = ([int(n) for n in x[k].split(',')] for x in (a, b))
        if ours[1] != theirs[1] or abs(ours[0] - theirs[0]) != 1:
            return False
        if theirs[1] == row or k == 'c':
            half = is_tail(b['l'], theirs[0])
        else:  # the text of that row is not known
            half = bool(set(script.text) & set('日本語'))
        if not half:
            return False
    return bool(set(keys) & set('cse'))


def word_end(script, step):
    """Whether a step is next-word-end or next-space-end with vi keys."""
    kind, arg = script.steps[step]
    return script.vi and (
        kind == 'X' and arg[1][0] in ('next-word-end', 'next-space-end') or
        kind == 'key' and arg[1] in ('e', 'E'))


def full(state, rows):
    """Whether rows have left a screen of so many rows for the history."""
    limit = int(state['q'].split('/')[1] or 0)
    # Line numbers count the rows of the screen, too.
    return limit > (rows if state['N'] == '1' else 0)


def had_room(script, step, states):
    """Whether a size before STEP changed while the screen was not full."""
    rows = script.size[1]
    for i, (kind, arg) in enumerate(script.steps[:step + 1]):
        if kind != 'size':
            continue
        if not full(states[i - 1], rows) or not full(states[i], arg[1]):
            return True
        rows = arg[1]
    return False


def excuse(script, step, a, b, before, states):
    """The reason why a difference is wanted, or None."""
    at, ours = place(b), place(a)
    done = [k for k, _ in script.steps[:step + 1]]
    if had_room(script, step, states):
        return 'tmux resizes its copy of the screen, rmux shows the pane'
    widths = [s[1][0] for s in script.steps[:step + 1] if s[0] == 'size']
    text = script.text + (script.steps[0][1] if done[0] == 'view' else '')
    if set(widths) - {script.size[0]} and (
            '\t' in text or any(
                unicodedata.east_asian_width(ch) in 'WF' for ch in text)):
        return 'tmux wraps wide characters and tabs elsewhere'
    if 'out' in done and before.get('r') == '1':
        return 'tmux shows new output some time later'
    rows = [s[1][1] for s in script.steps[:step + 1] if s[0] == 'size']
    rows = (rows or [script.size[1]])[-1]
    cols = [s[1][0] for s in script.steps[:step + 1] if s[0] == 'size']
    cols = (cols or [script.size[0]])[-1]
    for state in (b, before):
        if place(state) and (place(state)[1] >= rows or
                             place(state)[0] > cols):
            return "the cursor has left tmux's screen"
    if is_half(script, a, b, rows):
        return 'the cursor stands in half a character in tmux'
    if differing(a, b) == ['n']:
        return 'tmux counts a match again in each row of a wrapped line'
    kind, arg = script.steps[step]
    name = arg[1][0] if kind == 'X' else arg[1] if kind == 'key' else ''
    if name.endswith('-incremental') and arg[1][2][1:] != before['S']:
        return ('an incremental search of another text begins at the end of '
                'the line in tmux')
    if differing(a, b) == ['M'] and name.startswith('goto-line'):
        return 'tmux does not look for matches after goto-line'
    if script.vi and name and arg[0] > 1 and name in (
            'scroll-up', 'scroll-down', 'K', 'J', 'C-y', 'C-e', 'C-Up',
            'C-Down', 'scroll-down-and-cancel') and a['p'] == b['p'] and (
                a['p'] in ('0', a['q'].split('/')[1])):
        return 'tmux moves the cursor by more lines than it scrolls'
    if script.vi and name in '*#nN' or name.startswith('search-'):
        name = 'search-'
    if name == 'search-' and '\t' in a['l'] + b['l']:
        return 'a tab before a match counts as one column in tmux'
    if name == 'search-' and (
            set(b['S']) & set('日本語') or differing(a, b) == ['M']):
        return 'a match lies across the end of a row'
    if name.startswith('jump-to') and arg[0] > 1 and set(b['l']) & set('日本語'):
        return 'the cursor stands in half a character in tmux'
    if name == 'selection-mode' and at and int(a['p']) - ours[1] == int(
            b['p']) - at[1] and a['s'] == b['s'] and a['e'] == b['e']:
        return 'tmux scrolls further for selection-mode line'
    if word_end(script, step) and at and is_tail(b['l'], at[0]):
        return 'the cursor stands in half a character in tmux'
    if word_end(script, step) and at and (
            at == place(before) or script.steps[step][1][0] > 1):
        return 'next-word-end stays at the end of a line in tmux'
    return None


def padded(script, ours, theirs):
    """Whether THEIRS is OURS with a blank before some wide characters."""
    at = 0
    if theirs == ours + ' ' and any(
            ours[-4:] + ch in script.text for ch in '日本語'):
        return True
    for ch in theirs:
        if ours[at:at + 1] == ch:
            at += 1
        elif ch != ' ' or not ours[at:at + 1] or (
                unicodedata.east_asian_width(ours[at]) not in 'WF'):
            return False
    return at == len(ours)


def show(step):
    kind, arg = step
    if kind == 'X':
        return '%s%s' % ('' if arg[0] == 1 else '%d * ' % arg[0],
                         ' '.join(arg[1]))
    return '%s %r' % (kind, arg)


def differing(a, b):
    return [k for k in b if a.get(k) != b[k]]


def compare(script, got, want, o):
    """Prints the first difference; returns 'same', 'bad' or an excuse."""
    for i, step in enumerate(script.steps):
        a, b = got[0][i], want[0][i]
        keys = differing(a, b)
        if not keys:
            continue
        why = excuse(script, i, a, b, want[0][i - 1] if i > 0 else {},
                     want[0])
        if why is not None:
            return why
        print('seed %d %dx%d %s%s step %d: %s' % (
            script.seed, script.size[0], script.size[1],
            'vi' if script.vi else 'emacs', '' if script.wrap else ' nowrap',
            i, show(step)))
        if o.v:
            print('  text %r separators %r' % (script.text,
                                               script.separators))
            for k in range(max(0, i - o.b), i):
                print('   %3d %s' % (k, show(script.steps[k])))
                print('       ', {x: y for x, y in want[0][k].items()
                                  if k == max(0, i - o.b) or
                                  y != want[0][k - 1][x]})
        if o.v:
            print('       ', b)
        for k in keys:
            print('  %s rmux %r' % (k, a.get(k)))
            print('  %s tmux %r' % (k, b[k]), flush=True)
        return 'bad'
    if got[1] != want[1] and len(got[1]) == len(want[1]) and all(
            padded(script, a, b) for a, b in zip(got[1], want[1])):
        return 'tmux copies the blank before a wide character that wrapped'
    widths = {s[1][0] for s in script.steps if s[0] == 'size'}
    if got[1] != want[1] and widths - {script.size[0]} and (
            set(script.text) & set('日本語')) and (
            [b.replace(' ', '') for b in got[1]] ==
            [b.replace(' ', '') for b in want[1]]):
        return 'tmux wraps wide characters and tabs elsewhere'
    if got[1] != want[1] and had_room(script, len(script.steps), want[0]):
        return 'tmux resizes its copy of the screen, rmux shows the pane'
    if got[1] != want[1]:
        print('seed %d: the buffers differ, %dx%d' % (
            (script.seed,) + script.size))
        print('  rmux', got[1])
        print('  tmux', want[1], flush=True)
        if o.v:
            print('  text %r separators %r' % (script.text,
                                               script.separators))
            for k, step in enumerate(script.steps):
                print('   %3d %s' % (k, show(step)))
        return 'bad'
    return 'same'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('tmux')
    ap.add_argument('-n', type=int, default=400)
    ap.add_argument('-s', type=int, default=1)
    ap.add_argument('-k', type=int, default=25)
    ap.add_argument('-b', type=int, default=4)
    ap.add_argument('-g')
    ap.add_argument('-c', action='store_true')
    ap.add_argument('-w')
    ap.add_argument('-V', action='store_true', dest='view')
    ap.add_argument('-v', action='store_true')
    o = ap.parse_args()
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as conf:
        name = 'copy%d' % os.getpid()
        sides = [Peer(p, name + s, conf.name)
                 for p, s in ((o.rmux, 'r'), (o.tmux, 't'))]
        counts = {}
        kept = []
        try:
            for seed in range(o.s, o.s + o.n):
                script = Script(seed, o.k, o.g.split(',') if o.g else None,
                                o.view)
                got = sides[0].answers(script, o.c)
                try:
                    want = sides[1].answers(script, o.c)
                except RuntimeError:
                    sides[1].start()
                    how = 'tmux crashed'
                else:
                    how = compare(script, got, want, o)
                counts[how] = counts.get(how, 0) + 1
                if how == 'same':
                    kept += record(script, want)
        finally:
            for s in sides:
                s.close()
            if o.w:
                with open(o.w, 'w', encoding='utf-8') as f:
                    f.write(HEAD % sides[1].version + '\n'.join(kept) + '\n')
    for how in sorted(counts):
        print('%5d %s' % (counts[how], how))
    return 1 if counts.get('bad') else 0


if __name__ == '__main__':
    sys.exit(main())
