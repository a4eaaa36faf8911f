"""capture-pane in all its flags, byte for byte.

Control functions in which rmux follows xterm are left out or made equal: insert
and delete line begin a row, only an alternate screen is left, it and the alignment
pattern begin without colours, a hyperlink that is open meets no SGR, and a
scrolling region begins at the top row: others do not feed the history.
"""
from diff import Probe

PARTS = (r'plain', r' ', r'   ', r'\t', r'\r\n', r'\r\n\r\n', r'\033[1mbold',
         r'\033[0m', r'\033[m', r'\033[31mred', r'\033[32;44mgreen', r'\033[38;5;200m',
         r'\033[38;2;1;2;3mrgb', r'\033[48;5;17m', r'\033[48;2;9;8;7m', r'\033[7mrev',
         r'\033[3;4;9mmany', r'\033[4:3mcurly', r'\033[58;5;3mul', r'\033[58;2;5;6;7m',
         r'\033[53mover', r'\033[5mblink', r'\033[8mhide', r'\033[2mdim', r'\033[21mdd',
         r'\033[22m', r'\033[24m', r'\033[39m', r'\033[49m', r'\033[59m',
         r'\033[97;103mbright', r'\303\251\344\275\240', r'e\314\201',
         r'\360\237\230\200', r'\033]8;;http://a.b/c\033\\link\033]8;;\033\\',
         r'\033]8;id=7;http://x/\033\\L\033]8;;\033\\', r'\033(0lqqk\033(B',
         r'\016abcx\017', r'\033[K', r'\033[1K', r'\033[2K', r'\033[J', r'\033[5X',
         r'\033[3@', r'\033[2P', r'\r\033[2L', r'\r\033[M', r'\033[3;5H', r'\033[H',
         r'\033[8;40Hend', r'\033[10C', r'\033[4D', r'\033[2b', r'\010\010',
         r'a long line that goes over the right margin of the pane and on ',
         r'\033[m\033#8', r'\033[1;6r', r'\033[r', r'\033[?7l', r'\033[?7h', r'\033M',
         r'\033[3S', r'\033[2T', r'x\r\n' * 9, r'\033[m\033[?1049h', r'\033[m\033[?1049h\033[?1049l',
         r'\033]133;A\033\\$ ', r'\033]133;C\033\\', r'\033[41m\033[K', r'\033[44m  ',
         r'\tb\tc', r'\033[3g', r'\033H', r'\033[30;1H')
# In tmux, a reset while the alternate screen shows deletes the history for good.
RESET = r'\033[?1049l\033c'
FLAGS = ('', 'e', 'C', 'eC', 'J', 'N', 'T', 'eN', 'JN', 'eJ', 'a', 'aq', 'F', 'I', 'H',
         'L', 'M', 'R', 'P', 'eH', 'eHJ', 'eCN', 'eT', 'FJ', 'LN', 'eF', 'q', 'PC', 'ae')
LINES = ([], ['-S', '-'], ['-S', '-', '-E', '-'], ['-S', '2', '-E', '4'],
         ['-S', '-3', '-E', '1'], ['-E', '0'], ['-S', '5', '-E', '2'], ['-S', '-999'],
         ['-E', '99'])


def probes(rng):
    out = []
    for n in range(150):
        text = ''.join(rng.choice(PARTS) for _ in range(rng.randint(1, 14)))
        setup = [['clear-history', '-t', 's:0'], ['!', 'tty', 's:0', text]]
        if rng.random() < 0.8:
            setup.insert(0, ['!', 'tty', 's:0', RESET])
        for flags in rng.sample(FLAGS, 7) + ['eJ', 'eN', '', 'eCS']:
            where = rng.choice(LINES)
            words = ['capture-pane', '-p' + flags.replace('S', ''), '-t', 's:0', *where]
            if 'R' in flags:
                words = ['capture-pane', '-pR', '-t', 's:0']
            out.append(Probe(words, setup=setup, scene='capture'))
            setup = []
        out.append(Probe(['capture-pane', '-t', 's:0', '-b', 'c', *rng.choice(LINES)],
                         reads=[['show-buffer', '-b', 'c']], scene='capture'))
    return out
