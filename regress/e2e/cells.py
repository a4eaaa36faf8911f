#!/usr/bin/env python3
"""Put the output of capture-pane -e into a normal form.

    cells.py CAPTURE LOOK [CAPTURE LOOK]...

A line for each row: its text, then its attributes as runs of columns.  Two
captures that look the same give the same lines, however the escape sequences
in them were chosen; the exit code is 1 if those given do not.
"""
import re
import sys
import unicodedata

TOKEN = re.compile(r'\x1b\[([0-9;:]*)m|\x1b\]8;([^\x1b\a]*)(?:\x1b\\|\a)'
                   r'|[\x0e\x0f]|(.)', re.S)
BLANK = re.compile(r'  (bg=\S+)?')
ON = {1: 'bold', 2: 'dim', 3: 'italic', 5: 'blink', 7: 'reverse',
      8: 'hidden', 9: 'strike', 21: 'ul=2', 53: 'overline'}
OFF = {22: ('bold', 'dim'), 23: ('italic',), 25: ('blink',), 27: ('reverse',),
       28: ('hidden',), 29: ('strike',), 55: ('overline',)}


def colour(words):
    """Takes a colour from the words after 38, 48 or 58."""
    if words and words[0] == 5:
        value = 'i%d' % words[1]
        del words[:2]
    else:
        value = 'rgb%s' % '-'.join(str(w) for w in words[1:4])
        del words[:4]
    return value


def sgr(state, params):
    words = []
    for field in (params or '0').split(';'):
        sub = [int(w) if w else 0 for w in field.split(':')]
        if sub[0] == 4 and len(sub) > 1:
            words.append(('ul', sub[1]))
        elif sub[0] in (38, 48, 58) and len(sub) > 1:
            if sub[1] == 2 and len(sub) > 5:
                del sub[2]
            words += sub
        else:
            words.append(sub[0])
    while words:
        w = words.pop(0)
        if isinstance(w, tuple):
            state = {s for s in state if not s.startswith('ul=')}
            if w[1]:
                state.add('ul=%d' % w[1])
        elif w == 0:
            state = {s for s in state if s.startswith('link=')}
        elif w == 4:
            state.add('ul=1')
        elif w == 24:
            state = {s for s in state if not s.startswith('ul=')}
        elif w in ON:
            state.add(ON[w])
        elif w in OFF:
            state -= set(OFF[w])
        elif w in (38, 48, 58) or 30 <= w <= 49 or 90 <= w <= 107 or w == 59:
            kind = {38: 'fg', 48: 'bg', 58: 'uc', 59: 'uc'}.get(w) or (
                'fg' if w < 40 or 90 <= w < 100 else 'bg')
            state = {s for s in state if not s.startswith(kind + '=')}
            if w in (38, 48, 58):
                state.add('%s=%s' % (kind, colour(words)))
            elif w not in (39, 49, 59):
                state.add('%s=i%d' % (
                    kind, w % 10 if w < 90 else w % 10 + 8))
    return state


def rows(text):
    state = set()
    for line in text.split('\n'):
        cells = []
        for m in TOKEN.finditer(line):
            if m.group(1) is not None:
                state = sgr(set(state), m.group(1))
            elif m.group(2) is not None:
                uri = m.group(2).partition(';')[2]
                state = {s for s in state if not s.startswith('link=')}
                if uri:
                    state.add('link=' + uri)
            elif m.group(3):
                ch = m.group(3)
                if unicodedata.combining(ch) and cells:
                    cells[-1] = (cells[-1][0] + ch, cells[-1][1])
                else:
                    # The foreground of a blank is invisible.
                    seen = state
                    if ch == ' ' and not state & {'reverse'}:
                        seen = {s for s in state if not s.startswith('fg=')
                                and s not in ('bold', 'dim', 'italic',
                                              'hidden')}
                    cells.append((ch, ' '.join(sorted(seen))))
        # tmux does not capture cells that were only erased at the end of a
        # row, with any background.
        while cells and BLANK.fullmatch(' '.join(cells[-1])):
            cells.pop()
        yield cells


def look(text):
    """A screen as text, one way for each look."""
    out = []
    for number, cells in enumerate(rows(text.rstrip('\n'))):
        out.append('%2d|%s' % (number, ''.join(ch for ch, _ in cells)))
        begin = 0
        for i in range(1, len(cells) + 1):
            if i < len(cells) and cells[i][1] == cells[begin][1]:
                continue
            if cells[begin][1]:
                out.append('     %d-%d %s' % (begin, i - 1, cells[begin][1]))
            begin = i
    return '\n'.join(out) + '\n'


def main(words):
    """Pairs of a capture and a file for its look; 1 if they differ."""
    looks = []
    for i in range(0, len(words) - 1, 2):
        with open(words[i], 'rb') as f:
            text = f.read().decode('utf-8', 'replace')
        # Each side runs in a directory of its own.
        looks.append(look(text.replace('/two/', '/one/')))
        with open(words[i + 1], 'w', encoding='utf-8') as f:
            f.write(looks[-1])
    return 1 if len(set(looks)) > 1 else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
