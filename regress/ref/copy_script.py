"""Random scripts of copy mode, for copy_random.py."""
import random

MOVES = '''back-to-indentation bottom-line cursor-down cursor-left
cursor-right cursor-up cursor-centre-vertical cursor-centre-horizontal
end-of-line halfpage-down halfpage-up history-bottom history-top middle-line
next-matching-bracket next-paragraph next-space next-space-end next-word
next-word-end page-down page-up previous-matching-bracket previous-paragraph
previous-space previous-word recentre-top-bottom scroll-bottom scroll-down
scroll-middle scroll-top scroll-up start-of-line top-line jump-again
jump-reverse set-mark jump-to-mark'''.split()
SELECT = [w.split() for w in '''begin-selection;clear-selection;stop-selection
other-end;rectangle-on;rectangle-off;rectangle-toggle;select-line;select-word
selection-mode char;selection-mode word;selection-mode line;begin-selection
begin-selection;selection-mode c;selection-mode
selection-mode x'''.replace('\n', ';').split(';')]
COPY = [w.split() for w in '''copy-selection;copy-selection-no-clear
append-selection;copy-line;copy-end-of-line;copy-pipe cat;copy-pipe-no-clear
copy-selection pre;copy-line -P;copy-selection-no-clear -C
copy-pipe-line cat;copy-pipe-end-of-line true pre;pipe cat;pipe-no-clear cat
append-selection'''.replace('\n', ';').split(';')]
EXITS = '''cursor-down-and-cancel halfpage-down-and-cancel
page-down-and-cancel scroll-down-and-cancel scroll-exit-on scroll-exit-off
scroll-exit-toggle copy-selection-and-cancel copy-line-and-cancel
copy-end-of-line-and-cancel append-selection-and-cancel cancel
copy-pipe-and-cancel copy-pipe-line-and-cancel pipe-and-cancel
copy-pipe-end-of-line-and-cancel'''.split()
NUMBERS = ['off', 'default', 'absolute', 'relative', 'hybrid']
MODE = '''line-numbers-on line-numbers-off line-numbers-toggle toggle-position
refresh-now refresh-on refresh-off refresh-toggle'''.split()
WORDS = ['one', 'two', 'f(x)', '{a}', '[b', 'c]', 'a.b.c', '--', '..', '日本',
         'é', 'x', 'longerword', '(', ')', '}', 'foo-bar', '/usr/lib',
         'zz9', '"q"', 'Foo', 'ONE', 'oneone', '語', '\t']
PATTERNS = ['one', 'o', 'x', 'a.b', 'zz9', '日', '[a-c]', 'foo', 'longer',
            'nothere', 'One', '日本', 'one two', 'f.x',
            '\\(', '(', 'o|x', 'ONE', 'lon[gj]er', 'é', 'f(x)']
SEPARATORS = ['!"#$%&\'()*+,-./:;<=>?@[\\]^`{|}~', '', ' -_@', '.', '(){}']
KEYS = {False: '''Space , ; N P R X n r Home End NPage PPage Up Down Left
Right M-< M-> M-R M-b M-f M-l M-m M-r M-v M-x M-{ M-} M-Up M-Down C-Space C-a
C-b C-e C-f C-g C-l C-n C-p C-v C-Up C-Down C-M-b C-M-f C-M-Up C-M-Down C-w
M-w C-k q Escape C-[ C-c'''.split(), True: '''Space Escape # $ % * , 0 ; B E G
H J K L M N P V W X ^ b e g h j k l n o r v w z { } BSpace Home End NPage PPage
Up Down Left Right M-x C-[ C-b C-d C-e C-f C-h C-u C-v C-y C-Up C-Down Enter
A D C-j q C-c'''.split()}
LEAVES = 'C-w M-w C-k q Escape C-[ C-c Enter A D C-j'.split()


# What these patterns leave out, because tmux differs and rmux does not want to:
# - ^ and $ match where a row begins, and at the last column of the pane, not
#   where a line begins and ends;
# - a dot and a blank match the cells after the end of a line;
# - a repetition that begins before the cursor matches again from there.
class Script:
    """What is written, and what is done then."""

    def __init__(self, seed, steps=25, groups=None, view=False):
        rng = random.Random(seed)
        self.groups = groups or ['select', 'copy', 'exit', 'search', 'mode',
                                 'key', 'size', 'out', 'prompt', 'wide',
                                 'tab', 'mark', 'number']
        if view:
            self.groups = [g for g in self.groups if g not in (
                'mode', 'out', 'prompt', 'tab')]
        self.seed = seed
        self.rng = rng
        self.size = (rng.choice([10, 20, 20, 40, 57]),
                     rng.choice([2, 3, 4, 5, 5, 8, 8, 12, 12]))
        self.vi = rng.random() < 0.5
        self.wrap = rng.random() < 0.7
        self.separators = rng.choice(SEPARATORS[:1] * 3 + SEPARATORS)
        self.numbers = 'off'
        if 'number' in self.groups and rng.random() < 0.4:
            self.numbers = rng.choice(NUMBERS)
        self.text = '\033[H' + self.lines(rng.randint(4, 30))
        self.steps = [('open', rng.choice([
            '', '', '', ' -e', ' -u', ' -H', ' -d', ' -eH', ' -s :9',
            ' -Hu']))]
        if view:
            self.steps = [('view', self.text[3:].replace('\r', ''))]
            self.text = ''
        while len(self.steps) <= steps:
            step = self.step()
            # The selection goes on in rmux, but not in tmux.
            if step[0] == 'size':
                self.steps.append(('X', (1, ['clear-selection'])))
            self.steps.append(step)

    def line(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.15:
            return ''
        if kind < 0.22:
            return 'w' * rng.randint(self.size[0] - 2, self.size[0] * 2 + 3)
        out = ' ' * rng.choice([0, 0, 0, 1, 4])
        if 'prompt' in self.groups and rng.random() < 0.15:
            out = rng.choice(['\033]133;A\007$ ', '\033]133;C\007',
                              '\033]133;A\007> \033]133;B\007'])
        for _ in range(rng.randint(1, 9)):
            word = rng.choice(WORDS)
            if 'wide' not in self.groups and ord(word[0]) > 0x1000:
                word = 'xy'
            if 'tab' not in self.groups and word == '\t':
                word = 'tab'
            out += word + rng.choice([' ', ' ', '  ', ''])
        return out

    def lines(self, n):
        return '\r\n'.join(self.line() for _ in range(n))

    def step(self):
        rng = self.rng
        groups = self.groups
        count = 1 if rng.random() < 0.8 else rng.randint(1, 4)
        if self.size[1] < 4:
            # The cursor of tmux may leave such a pane, and come back.
            count = 1
        pick = rng.random()

        def chance(group, share):
            nonlocal pick
            if group is not None and group not in groups:
                return False
            pick -= share
            return pick < 0

        if chance('exit', 0.04):
            return ('X', (count, [rng.choice(EXITS)]))
        if self.steps[0][0] == 'open' and chance('exit', 0.03):
            return ('open', rng.choice(
                ['', ' -e', ' -u', ' -d', ' -eu', ' -q', ' -H', ' -du']))
        if chance('search', 0.16):
            return self.search(count)
        if chance('select', 0.15):
            return ('X', (count if rng.random() < 0.2 else 1,
                          rng.choice(SELECT)))
        if chance('copy', 0.06):
            return ('X', (count, rng.choice(COPY)))
        if chance('mode', 0.03):
            return ('X', (1, [rng.choice(MODE)]))
        if chance('size', 0.03 if len(groups) > 3 else 0.2):
            return ('size', (rng.choice([self.size[0]] * 9 + [10, 33, 40]),
                             rng.choice([4, 5, 7, 8, 12, 15])))
        if chance('out', 0.03):
            return ('out', '\r\n' + self.lines(rng.randint(1, 4)))
        if chance('key', 0.2):
            key = rng.choice(KEYS[self.vi])
            if key in LEAVES and rng.random() < 0.6:
                key = 'Down'
            return ('key', (count, key))
        if chance('prompt', 0.03):
            return ('X', (count, [rng.choice(['next', 'previous']) +
                                  '-prompt'] + rng.choice([[], ['-o']])))
        if chance(None, 0.06):
            return ('X', (count, ['jump-' + rng.choice(
                ['forward', 'backward', 'to-forward', 'to-backward']), '--',
                rng.choice(['o', 'e', ' ', 'x', '(', '日', 'w', 'é', 'on',
                            ''])]))
        if chance(None, 0.03):
            return ('X', (1, ['goto-line', rng.choice(
                [str(rng.randint(-1, 30)), '0', '10x', ''])]))
        move = rng.choice(MOVES)
        if self.vi and move.endswith('-end') and rng.random() < 0.8:
            move = 'next-word'
        if 'mark' not in groups and 'mark' in move:
            move = 'cursor-up'
        return ('X', (count, [move]))

    def search(self, count):
        rng = self.rng
        if rng.random() < 0.5:
            return ('X', (count, [rng.choice(['search-again',
                                              'search-reverse'])]))
        kind = rng.choice(['', '-text', '-incremental'])
        text = rng.choice(PATTERNS)
        if kind == '-incremental':
            text = rng.choice('=+-') + rng.choice([text, text[:-1], text])
        return ('X', (count, ['search-%s%s' % (
            rng.choice(['forward', 'backward']), kind), '--', text]))


def escape(text):
    for a, b in (('\\', '\\\\'), ('\t', '\\t'), ('\n', '\\n'),
                 ('\r', '\\r'), ('\033', '\\e')):
        text = text.replace(a, b)
    return text


def word(text):
    return escape(text).replace(' ', '\\s') or '""'


HEAD = """\
# Scripts of copy mode with the answers of tmux %s; see copy_random.py -w.
# @ SIZE KEYS WRAP SEPARATORS NUMBERS   begins one: mode-keys, wrap-search,
#                               word-separators, copy-mode-line-numbers (off)
# < TEXT                        is in the pane before the mode begins
# +FLAGS                        copy-mode with these flags
# XCOUNT WORD WORD...           send-keys -N COUNT -X
# KCOUNT KEY                    send-keys -N COUNT
# OTEXT                         the program writes
# ZSIZE                         the pane has another size
# BTEXT                         a paste buffer at the end, newest first
# After a tab each line of a step has the fields that it changed: a letter of
# FIELDS in copy_peer.py and the value; one that is not named is as before.
"""


def record(script, answers):
    """The lines of a script for copy-tmux.list."""
    states, buffers = answers
    out = ['@%dx%d %s %s %s %s' % (
        script.size[0], script.size[1], 'vi' if script.vi else 'emacs',
        'wrap' if script.wrap else 'nowrap', word(script.separators),
        script.numbers),
        '<' + escape(script.text)]
    before = {}
    for (kind, arg), state in zip(script.steps, states):
        if kind == 'X':
            line = 'X%d %s' % (arg[0], ' '.join(word(w) for w in arg[1]))
        elif kind == 'key':
            line = 'K%d %s' % (arg[0], word(arg[1]))
        elif kind == 'out':
            line = 'O' + escape(arg)
        elif kind == 'size':
            line = 'Z%dx%d' % arg
        else:
            line = '+' + arg.strip()
        for k, v in state.items():
            if k != 'screen' and v != before.get(k, ''):
                line += '\t' + k + escape(v)
        before = state
        out.append(line)
    return out + ['B' + escape(b) for b in buffers]
