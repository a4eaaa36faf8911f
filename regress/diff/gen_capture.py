"""capture-pane in all its flags, byte for byte.

In control functions rmux follows xterm where tmux differs: XTERM has them, alone.
In PARTS they are left out or made equal: insert and delete line begin a row, only
an alternate screen is left, it and the alignment pattern begin without colours, a
hyperlink that is open meets no SGR, and a scrolling region begins at the top row:
others do not feed the history.
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
XTERM = (r'one\r\ntwo\033[1;3H\033[L^', r'one\r\ntwo\033[1;3H\033[M^',
         r'x\033[s\033[3;3H\033[?1049lY', r'\033[41mx\033[?1049hy',
         r'\033[41mx\033[?1049h\033[Ky\033[?1049l', r'\033[41mx\033#8',
         r'\033]8;;http://a\033\\a\033[1mb\033[mc\033]8;;\033\\d',
         r'\033[2;6ra\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh',
         r'\033[2;6r\033[6;1H\n\n\nx', r'\033[2;6r\033[3Sx',
         r'\033[1;6ra\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh', r'\033[3;6rxy\033[2Jz',
         r'ab\033[?47hx\033[?47ly', r'ab\033[?1047hx\033[?1047ly', r'a\033[5b',
         r'\033[?6h\033[2;6r\033[1;1Hx', r'a\tb\033[1;1H\033[2@',
         r'\033[4hab\033[1;1Hc', r'x\033[!pz', r'\033[31ma\033[s\033[mb\033[uc',
         r'\0337\033[5;5Hx\0338y', r'a\033[?3hb', r'a\033[20hb\nc',
         r'\033[1"qa\033[0"qb\033[?2Jc', r'abc\033[1;1H\033[2Xd', r'\033(Aa#b\033(B',
         r'\033Da\033Eb\033Zc', r'\033[?5hx', r'\033[38:2::1:2:3mb\033[58::2mx',
         r'\033[48:5:9mc\033[38;5;3md', r'\033[6nx\033[5n', r'a\x7fb\x00c',
         r'\033P$qm\033\\x', r'\033_hello\033\\x\033^p\033\\y\033Xz\033\\w')
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
    for text in XTERM:
        for flags in ('', 'e', 'eC'):
            out.append(Probe(['capture-pane', '-p' + flags, '-t', 's:0', '-S', '-'],
                             setup=[['!', 'tty', 's:0', RESET],
                                    ['clear-history', '-t', 's:0'],
                                    ['!', 'tty', 's:0', text]], scene='capture'))
    return out
