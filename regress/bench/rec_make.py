#!/usr/bin/env python3
"""Makes the recordings that people_keys.py plays: no person typed them.

    rec_make.py [-s SEED] DIRECTORY

What is typed is written below, as a person would; the gaps are drawn from
log-normal distributions with a fixed seed: median 130 ms within a word (sigma
0.4), longer between words and after a line, 3 % of letters mistyped, noticed a
letter or two later and taken back.  Each recording is of the form described in
regress/tools/keyfile.h; its program is the one rec_env.sh starts.
"""
import argparse
import math
import os
import random

UP, DOWN, RIGHT, LEFT = '\033[A', '\033[B', '\033[C', '\033[D'
ESC, BS, TAB = '\033', '\x7f', '\t'


def ctrl(c):
    return chr(ord(c.upper()) ^ 64)


class Typist:
    def __init__(self, name, ready, seed):
        self.name, self.ready = name, ready
        self.rnd = random.Random('%s %d' % (name, seed))
        self.keys = []
        self.think = 900

    def lognormal(self, median, sigma, low, high):
        ms = median * math.exp(self.rnd.gauss(0, sigma))
        return min(max(ms, low), high)

    def key(self, data, median=130, sigma=0.4, low=45, high=4000):
        self.keys.append((self.lognormal(median, sigma, low, high), data))

    def pause(self):
        """The next key comes after some thought."""
        gap, data = self.keys.pop()
        self.keys.append((self.lognormal(self.think, .5, 500, 4000), data))

    def text(self, text, typos=0.03):
        for c in text:
            if c.isalpha() and self.rnd.random() < typos:
                wrong = self.rnd.choice('asdfghjklqwertyuiop')
                after = self.rnd.choice((0, 1, 1, 2))
                self.key(wrong)
                for _ in range(after):
                    self.key(self.rnd.choice('aeiou'))
                for i in range(after + 1):
                    self.key(BS, 300 if i == 0 else 140)
            self.key(c, 190 if c in ' ,.;:' else 130)

    def line(self, text, typos=0.03):
        first = len(self.keys)
        self.text(text, typos)
        if len(self.keys) > first:
            gap = self.lognormal(self.think, .5, 500, 4000)
            self.keys[first] = (gap, self.keys[first][1])
        self.key('\r', 260)

    def press(self, *keys, median=220, think=True):
        for i, k in enumerate(keys):
            self.key(k, median)
            if i == 0 and think:
                self.pause()

    def times(self, k, n, median=170):
        self.press(*[k] * n, median=median)

    def write(self, directory):
        def quote(s):
            out = ''
            for c in s:
                plain = {'\033': '\\e', '\r': '\\r', '\n': '\\n', '\t': '\\t',
                         '\b': '\\b', '\\': '\\\\', '"': '\\"'}
                out += plain.get(c) or (c if ord(c) >= 32 and c != '\x7f'
                                        else '\\x%02x' % ord(c))
            return '"%s"' % out
        path = os.path.join(directory, self.name + '.keys')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('keys 1\n# made by rec_make.py, not typed by a person\n'
                    'size 80 24\nname %s\nready %s\n' % (
                        self.name, quote(self.ready)))
            for gap, data in self.keys:
                f.write('k %.0f %s\n' % (gap, quote(data)))
        return len(self.keys)


def shell(t, extra):
    t.line('ls')
    t.line('cat todo.txt')
    t.line('echo the weather is fine today')
    extra(t)
    t.press(ctrl('l'))
    t.line('cd src')
    t.line('grep -n printf hello.c')
    t.line('cd ..')
    t.press(UP, UP)
    t.press('\r', think=False)
    t.line('wc -l notes.txt')
    t.text('echo one two three')
    t.press(ctrl('w'), BS, BS, BS)
    t.text('2 and 4')
    t.press('\r', median=300, think=False)
    t.press(ctrl('l'))
    t.text('cp todo.txt list')
    t.press(*[LEFT] * 5, think=False)
    t.text('my')
    t.press(ctrl('e'), '\r', think=False)
    t.line('ls')


def rec_bash(t):
    def extra(t):
        t.text('cat no')
        t.press(TAB, think=False)
        t.text('| head -n 3')
        t.press('\r', think=False)
        t.text('echo forgot the quotes here')
        t.press(ctrl('a'), RIGHT, RIGHT, RIGHT, RIGHT, RIGHT)
        t.text("'")
        t.press(ctrl('e'), think=False)
        t.text("'")
        t.press('\r', think=False)
    shell(t, extra)
    t.line('for i in 1 2 3; do echo round $i; done')
    t.line('x=42; echo $((x * 2))')
    t.line('echo "a longer line that a person may type when writing a remark '
           'for later" >>list')


def rec_zsh(t):
    shell(t, lambda t: t.line('print -l red green blue'))
    t.line('echo $((7 * 6))')


def rec_fish(t):
    def extra(t):
        t.text('echo the wea')
        t.press(RIGHT, '\r')
    shell(t, extra)
    t.line('echo (math 6 x 7)')


def rec_password(t):
    t.line("read -s -p 'Password: ' x; echo; echo thanks")
    t.line('correct horse', typos=0)
    t.line('echo logged in')
    t.press(ctrl('l'))
    t.line("read -s -p 'Password for root: ' y; echo; echo ok")
    t.line('hunter2', typos=0)
    t.line('date -u -d @0 +%Y')


PROSE = ('Dear Anna, thank you for the letter that came on Monday.',
         'We have been busy with the garden; the apples are ripe and',
         'the children pick them every afternoon. Will you come and',
         'see us in October? There is a good train at nine.')


def rec_vim_write(t):
    t.press('G', 'o')
    for i, line in enumerate(PROSE):
        t.text(line)
        t.press('\r' if i < 3 else ESC, think=False)
    t.press('k', '0', 'w', 'c', 'w')
    t.text('some')
    t.press(ESC, 'o', think=False)
    t.text('And bring the book.')
    t.press(ESC, think=False)
    t.line(':w', typos=0)


def rec_vim_move(t):
    t.times('j', 8)
    t.times('w', 5)
    t.press('d', 'w', 'j', '0', 'x', 'x')
    t.press('d', 'd', 'p', 'k', 'y', 'y', 'j', 'p')
    t.line('/number 12', typos=0)
    t.times('n', 3)
    t.press('g', 'g')
    t.times(ctrl('d'), 4, 600)
    t.times('k', 5)
    t.times('l', 10, 90)
    t.times('h', 4, 90)
    t.press('A')
    t.text(' and runs away')
    t.press(ESC, 'j', '^', 'i', think=False)
    t.text('the ')
    t.press(ESC, think=False)
    t.line(':s/fox/wolf/', typos=0)
    t.press('G', 'k', 'k', 'J')


def rec_nano(t):
    t.times(DOWN, 4)
    t.press(ctrl('e'))
    t.press('\r', think=False)
    for line in PROSE[:3]:
        t.text(line)
        t.press('\r', think=False)
    t.times(UP, 3)
    t.times(RIGHT, 6, 100)
    t.text('very ')
    t.press(ctrl('k'), ctrl('u'))
    t.press(ctrl('v'), ctrl('v'), ctrl('y'), median=700)


def rec_emacs(t):
    t.press(ctrl('n'), ctrl('n'), ctrl('e'))
    t.press('\r', think=False)
    for line in PROSE[:2] + PROSE[3:]:
        t.text(line)
        t.press('\r', think=False)
    t.press(ctrl('p'), ctrl('p'), ctrl('a'))
    t.times(ctrl('f'), 6, 110)
    t.text('so ')
    t.press(ctrl('k'), ctrl('y'))
    t.press(ctrl('s'))
    t.text('app', typos=0)
    t.press('\r', think=False)
    t.times(ctrl('p'), 3)
    t.press(ctrl('e'))
    t.text(', pears')


def rec_less(t):
    t.times(' ', 4, 900)
    t.times('j', 8, 150)
    t.times('k', 3, 150)
    t.press('b', 'b', median=700)
    t.line('/number 9', typos=0)
    t.times('n', 6, 500)
    t.press('G', 'g', median=900)
    t.times('\r', 6, 180)
    t.times('d', 4, 500)
    t.line('?quick', typos=0)
    t.times(' ', 3, 900)
    t.times('j', 12, 110)
    t.line('50g', typos=0)
    t.times('u', 2, 600)


CHAT = ('hello there', 'did you see the match yesterday evening?',
        'I think they will win the cup, what about you',
        'no idea, but the second half was great',
        'my brother was in the stadium and said it was very loud',
        'see you tomorrow then', 'bring the tickets please',
        'and do not forget the sandwiches', 'bye')


def rec_chat(t):
    t.think = 1300
    for line in CHAT:
        t.line(line)
    t.text('one word to many')
    t.press(*[LEFT] * 5, think=False)
    t.text('o')
    t.press(ctrl('e'), '\r', think=False)


def rec_talk(t):
    t.think = 1300
    for line in CHAT[:6]:
        t.line(line)
    t.text('this line is all wrong')
    t.press(ctrl('u'))
    t.text('this one is right')
    t.press('\r', think=False)


def rec_python(t):
    t.line('x = 6 * 7')
    t.line('print("the answer is", x)')
    t.line('def double(n):')
    t.line('    return n * 2')
    t.line('', typos=0)
    t.line('[double(i) for i in range(10)]')
    t.line('import math')
    t.line('math.sqrt(1764) == x')
    t.text('len("abc") + 39')
    t.times(BS, 2)
    t.text('40')
    t.press('\r', think=False)
    t.line('"spam".upper() + "!"')


def rec_outage(t):
    """Steady typing for as long as an outage and more, no line like another."""
    t.think = 600
    words = ('amber', 'birch', 'cedar', 'daisy', 'elder', 'fern', 'grass',
             'hazel', 'iris', 'jasmine', 'kale', 'lilac', 'maple', 'nettle',
             'oak', 'pine', 'quince', 'rose', 'sage', 'thyme')
    for i in range(36):
        t.line(' '.join(t.rnd.choice(words) for _ in range(4)) +
               ' %d' % (i * 37 % 101), typos=0)


def rec_bash_long(t):
    for _ in range(2):
        rec_bash(t)


def rec_chat_long(t):
    for _ in range(2):
        rec_chat(t)


def rec_talk_long(t):
    for _ in range(3):
        rec_talk(t)


def rec_vim_long(t):
    for _ in range(2):
        rec_vim_write(t)


RECORDINGS = (
    ('bash', '$ ', rec_bash), ('zsh', '[work]', rec_zsh),
    ('fish', '> ', rec_fish), ('password', '$ ', rec_password),
    ('vim-write', 'line 1 ', rec_vim_write),
    ('vim-move', 'line 1 ', rec_vim_move), ('nano', 'line 1 ', rec_nano),
    ('emacs', 'milk', rec_emacs), ('less', 'line 1 ', rec_less),
    ('chat', '[#rmux]', rec_chat), ('talk', 'you> ', rec_talk),
    ('python', '>>> ', rec_python), ('outage', '[#rmux]', rec_outage),
    # For links on which a round trip is as long as a line.
    ('bash-long', '$ ', rec_bash_long), ('vim-long', 'line 1 ', rec_vim_long),
    ('chat-long', '[#rmux]', rec_chat_long),
    ('talk-long', 'you> ', rec_talk_long))
EXTRA = ('outage', 'bash-long', 'vim-long', 'chat-long', 'talk-long')


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('directory')
    ap.add_argument('-s', '--seed', type=int, default=1)
    opts = ap.parse_args()
    total = 0
    for name, ready, fn in RECORDINGS:
        t = Typist(name, ready, opts.seed)
        fn(t)
        # Give the client time: the first key comes late enough.
        t.keys[0] = (max(t.keys[0][0], 500), t.keys[0][1])
        n = t.write(opts.directory)
        span = sum(k[0] for k in t.keys) / 1000
        print('%-10s %5d keys %6.1f s' % (name, n, span))
        total += n if name not in EXTRA else 0
    print('%-10s %5d keys' % ('all', total))


if __name__ == '__main__':
    main()
