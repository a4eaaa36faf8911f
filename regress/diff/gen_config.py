"""The language of configuration files, right and wrong."""
from diff import Probe

PIECES = (
    'set -g @a 1', 'set -g @b "two words"', "set -g @c 'single $PROBE'",
    'set -g @d $PROBE', 'set -g @e "${PROBE}x"', 'set -g @f a\\ b', 'set -g @g "a\\tb"',
    'set -g @h "\\u00e9\\101\\e"', 'set -g @i ~/x', '# comment', '', '   ',
    'set -g @j 1 ; set -g @k 2', 'set -g @l 1 \\; set -g @m 2', 'set -g @n 1 # end',
    'set -g @o a#b', 'set -g @p "#{session_name}"', 'set -gF @q "#{session_name}"',
    'if -F 1 { set -g @r yes } { set -g @r no }', 'if -F 0 {\n set -g @s yes\n} {\n'
    ' set -g @s no\n}', 'display -p hello', 'display -p "a\\"b"', "display -p 'a\"b'",
    'display -p a"b"c\'d\'e', 'display -p one\\\ntwo', 'display -p "one\\\ntwo"',
    '%if 1\ndisplay -p in\n%endif', '%if 0\ndisplay -p in\n%else\ndisplay -p out\n%endif',
    '%if #{==:a,a}\ndisplay -p eq\n%elif 1\ndisplay -p no\n%endif',
    '%if ""\ndisplay -p x\n%elif "#{session_name}"\ndisplay -p y\n%else\nnope\n%endif',
    'bind -T mine x { display a ; display b }', 'bind -T mine y "display a"',
    'set -g @t {a b}', 'set -g @u { a ; b }', 'set -g @v "{"', 'A=b', 'C="d e"',
    '%hidden H=x', 'display -p "$A$C"', 'setenv -g Z 1', 'set -g status-left "x"',
    'display -p \\$PROBE', 'display -p "\\$PROBE"', 'display -p a\\;b', 'display -p a;',
    "display -p '\\;'", 'display -p ;display -p x', ';', ' ; ', 'display -p "\t"',
    'display -p \\101\\102', 'display -p "\\x"', "display -p 'é'", 'display -p %1',
    'display -p "%if"', 'source -q nowhere', 'source nowhere')
WRONG = (
    'nope', 'nope a b', 'set', 'set -g', 'set -g nope 1', 'set -g @a 1 2 3',
    'set -Q @a 1', 'display -p "open', "display -p 'open", 'if -F 1 { display',
    '}', '{', 'display -p }', 'display -p {', '%if 1', '%endif', '%else', '%elif 1',
    '%if\n%endif', '%nope', '%if 1 2\n%endif', 'bind', 'bind Nope', 'bind -T', 'a=',
    '1=2', '=x', 'display -t nope -p x', 'set -g status maybe',
    'set -g status-style nope', 'set -g prefix Nope', 'new-window -t nope:',
    'display -p "\\u12"', 'display -p "\\400"', 'display -p "${"', 'display -p "${}"',
    'display -p ~nobody', '; ;', 'display -p a ;; display -p b', ';display -p x',
    'display -p a\n}\ndisplay -p b', '%if 1\ndisplay -p a\n%else\n%else\n%endif',
    'if -F 1 { nope }', 'bind -T mine z { nope }', 'bind -T mine z nope',
    'kill-session -t nope', 'lis', 'new-', 's', 'set -g base-index x',
    'set -g default-size 1', 'select-layout nope', 'source-file', 'display -p a b',
    'resize-pane -x', 'display -d x y', '\\', '"', "'", '"" x', "'' ", '$', '$PROBE',
    '~', 'A=b nope', '%hidden', '%hidden x', 'display -p "a" "b"')
AFTER = [['display-message', '-p', '|'.join('#{@%s}' % c for c in
                                          'abcdefghijklmnopqrstuv') +
          '#{status-left}'], ['list-keys', '-T', 'mine'],
         ['show-environment', '-g', 'A']]


def probes(rng):
    out = []
    for piece in PIECES + WRONG:
        for flags in ([], ['-n'], ['-v'], ['-q'], ['-nv'], ['-F']):
            out.append(conf(piece + '\n', flags))
        out.append(conf(piece, []))
        out.append(Probe(['if-shell', '-F', '1', piece], reads=AFTER[1:]))
        out.append(Probe(['run-shell', '-C', piece], reads=AFTER[1:]))
        out.append(Probe(['bind-key', '-T', 'mine', 'F5', piece], reads=AFTER[1:2]))
        out.append(Probe(['set-hook', '-g', 'alert-bell', piece],
                         reads=[['show-hooks', '-g', 'alert-bell']]))
        out.append(Probe(['set-option', '-s', 'default-client-command', piece],
                         reads=[['show-options', '-s', 'default-client-command']]))
        out.append(Probe(['set-option', '-s', 'command-alias[50]', 'zap=' + piece],
                         reads=[['zap'], ['zap', 'more']]))
    for _ in range(500):
        lines = [rng.choice(PIECES if rng.random() < 0.85 else WRONG)
                 for _ in range(rng.randint(2, 9))]
        if rng.random() < 0.3:
            at = rng.randrange(len(lines))
            lines[at:at] = ['%if ' + rng.choice(('1', '0', '#{==:1,1}', '""'))]
            if rng.random() < 0.9:
                lines.append('%endif')
        out.append(conf('\n'.join(lines) + '\n', rng.choice(([], [], ['-n'], ['-v']))))
    out.append(Probe(['source-file', 'a', 'b', 'nowhere'],
                     setup=[['!', 'write', 'a', 'display -p a\n'],
                            ['!', 'write', 'b', 'nope\n']]))
    for pattern in ('*.cf', 'x*.none', '/nowhere/*', '-', '', '.', '/'):
        for f in ([], ['-q'], ['-n']):
            out.append(Probe(['source-file', *f, pattern],
                             setup=[['!', 'write', '1.cf', 'display -p one\n'],
                                    ['!', 'write', '2.cf',
                                     'display -p "#{current_file}"\n']]))
    return out


def conf(text, flags):
    return Probe(['source-file', *flags, 'f.conf'],
                 setup=[['!', 'write', 'f.conf', escaped(text)]],
                 reads=AFTER)


def escaped(text):
    return ''.join(c if ' ' <= c <= '~' and c != '\\' else ''.join(
        '\\%03o' % b for b in c.encode()) for c in text)
