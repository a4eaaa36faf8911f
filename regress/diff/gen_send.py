"""send-keys read back by a raw program in the pane, in every encoding."""
from diff import Probe
from names import KEYS, MODIFIERS

MODES = (('\\e[?1l\\e>', 'plain'), ('\\e[?1h', 'cursor keys'), ('\\e=', 'keypad'),
         ('\\e[>4;1m', 'modify 1'), ('\\e[>4;2m', 'modify 2'),
         ('\\e[?2004h\\e[?1004h', 'brackets'), ('\\e[>4;0m\\e[?1l\\e>', 'plain'))
SERVER = (('off', 'xterm'), ('on', 'xterm'), ('always', 'xterm'), ('on', 'csi-u'),
          ('always', 'csi-u'), ('off', 'csi-u'))
END = ['send-keys', '-t', 's:', '-l', '<<']
OTHER = ([], ['-l'], ['-H'], ['-N', '3'], ['-lN', '2'], ['-R'], ['-N', '0'],
         ['-N', 'x'], ['-F'])
TEXTS = (['abc'], ['a b', 'c'], ['Enter'], ['C-a', 'x'], ['61', '0a'], ['0x61'],
         ['zz'], [''], ['é'], ['#{session_name}'], ['a;'], ['1ff'], ['Up', 'Down'],
         ['--', '-x'], ['M-é'], ['C-é'], ['C-Space'], ['Space', 'Tab'], ['\t\r'],
         ['F1F2'], ['C-M-S-F5'], ['ctrl-a'], ['\x1b[A'], ['c-x'], ['m-x'], ['s-x'])


def key_reads():
    return [END, ['!', 'keys', 'keys']]


def probes(rng):
    out = []
    for extended, form in SERVER:
        for escapes, _ in MODES:
            setup = [['set-option', '-s', 'extended-keys', extended],
                     ['set-option', '-s', 'extended-keys-format', form],
                     ['!', 'tty', 's:', escapes.replace('\\e', '\\033')]]
            keys = [m + k for k in KEYS for m in MODIFIERS]
            for k in rng.sample(keys, 110):
                out.append(Probe(['send-keys', '-t', 's:', k, '|', 'x'],
                                 setup=setup, reads=key_reads(), scene='keys'))
                setup = []
    out.sort(key=lambda p: 0)
    for words in OTHER:
        for text in TEXTS:
            out.append(Probe(['send-keys', '-t', 's:', *words, *text],
                             reads=key_reads(), scene='keys'))
    for o in ('C-h', 'C-?', '\x7f', 'x', 'Nope'):
        out.append(Probe(['send-keys', '-t', 's:', 'BSpace', 'M-BSpace', 'C-BSpace',
                          'C-h', 'C-?'],
                         setup=[['set-option', '-s', 'backspace', o]],
                         reads=key_reads(), scene='keys'))
    for p in ('C-b', 'C-a', 'M-x', 'F5', 'None', 'Up'):
        out.append(Probe(['send-prefix', '-t', 's:'],
                         setup=[['set-option', '-g', 'prefix', p]],
                         reads=key_reads(), scene='keys'))
        out.append(Probe(['send-prefix', '-2', '-t', 's:'],
                         setup=[['set-option', '-g', 'prefix2', p]],
                         reads=key_reads(), scene='keys'))
    for flags in ([], ['-p'], ['-r'], ['-S'], ['-s', '+'], ['-pr'], ['-d'], ['-dprS'],
                  ['-s', '']):
        for text in ('abc', 'a\nb\n', 'x\x1b[201~y', '\x1b', 'é\n', '', '\x01\x7f\t'):
            for mode in ('\\033[?2004h', '\\033[?2004l'):
                out.append(Probe(['paste-buffer', '-t', 's:', '-b', 'p', *flags],
                                 setup=[['set-buffer', '-b', 'p', text],
                                        ['!', 'tty', 's:', mode]],
                                 reads=key_reads(), scene='keys'))
    return out
