"""Names of keys: parsed, bound, listed with and without notes."""
from diff import Probe
from names import KEYS, MODIFIERS

LIST = ['list-keys', '-T', 'mine']


def probes(rng):
    out = []
    for key in KEYS:
        for m in MODIFIERS:
            out.append(Probe(['bind-key', '-T', 'mine', m + key, 'new-window'],
                             reads=[LIST, ['unbind-key', '-aq', '-T', 'mine']]))
    for key in rng.sample(KEYS, 60):
        k = rng.choice(MODIFIERS) + key
        for words in (['-n', k, 'set', '-g', '@x', '1'],
                      ['-r', k, 'display-message hello'],
                      ['-N', 'a note', k, 'kill-pane'], ['-N', 'note', k],
                      ['-T', 'prefix', k, 'a', ';', 'b'],
                      ['-T', 'new one', k, 'if -F 1 { display hi }'],
                      ['-r', '-N', "it's", k, 'send-keys', 'x', 'a b', '#{q}'], [k]):
            out.append(Probe(['bind-key', *words],
                             reads=[['list-keys', k], ['list-keys', '-N', k],
                                    ['list-keys', '-1', k]]))
        out.append(Probe(['unbind-key', k], reads=[['list-keys', k]]))
        out.append(Probe(['unbind-key', '-n', k], reads=[['list-keys', '-T', 'root']]))
        out.append(Probe(['unbind-key', '-q', '-T', 'nope', k]))
        out.append(Probe(['unbind-key', '-T', 'nope', k]))
    for t in ([], ['-T', 'prefix'], ['-T', 'root'], ['-T', 'copy-mode'],
              ['-T', 'copy-mode-vi'], ['-T', 'nope'], ['-T', 'mine'], ['-T', '']):
        for f in ([], ['-N'], ['-1'], ['-a'], ['-r'], ['-1N'], ['-aN'], ['-aN1r'],
                  ['-P', '>>'], ['-N', '-P', '>>'], ['-O', 'key'], ['-O', 'name'],
                  ['-O', 'modifier'], ['-O', 'nope'], ['-F', '#{key_string}'],
                  ['-F', '#{key_table}|#{key_string}|#{key_note}|#{key_repeat}|'
                   '#{key_command}|#{key_prefix}|#{key_has_repeat}|'
                   '#{key_string_width}|#{key_table_width}'],
                  ['-N', '-F', '#{key_string} #{key_note}']):
            out.append(Probe(['list-keys', *t, *f]))
            out.append(Probe(['list-keys', *t, *f, rng.choice(KEYS)]))
    for c in BODIES:
        out.append(Probe(['bind-key', '-T', 'mine', 'F5', *c],
                         reads=[LIST, ['list-keys', '-T', 'mine', '-F',
                                       '#{key_command}']]))
    out.append(Probe(['unbind-key', '-a'], reads=[['list-keys', '-T', 'prefix']]))
    out.append(Probe(['unbind-key', '-an'], reads=[['list-keys', '-T', 'root']]))
    out.append(Probe(['unbind-key', '-a', '-T', 'mine'], reads=[['list-keys']]))
    out.append(Probe(['unbind-key', '-a', '-T', 'nope']))
    out.append(Probe(['unbind-key', '-a', 'x']))
    return out


BODIES = (
    ['set', '-g', '@x', 'a b'], ["set -g @x 'a b'"], ['set -g @x "a $b"'],
    ['set', '-g', '@x', 'a;b'], ['set', '-g', '@x', 'a\\;'], ['a', 'b'],
    ['display', '-p', ''], ['display', '-p', "'"], ['display', '-p', '"'],
    ['display', '-p', '$x'], ['display', '-p', '~'], ['display', '-p', '~/x'],
    ['display', '-p', '\\'], ['display', '-p', '#{x}'], ['display', '-p', 'a\nb'],
    ['display', '-p', '\t'], ['display', '-p', 'é'], ['display', '-p', '%1'],
    ['display', '-p', '{'], ['display', '-p', '}'], ['display', '-p', 'a{b'],
    ['if', '-F', '1', 'display a', 'display b'],
    ['if -F 1 { display a } { display b }'],
    ['if -F 1 {\n display a\n display b ; display c\n}'],
    ['display a ; display b ; display c'], ['display', 'a', ';', 'display', 'b'],
    ['bind', '-T', 'x', 'F6', 'display', 'q'],
    ['bind -T x F6 { display "a b" ; kill-pane }'], ['command-prompt', '%%'],
    ['nope'], ['display', '-Q'], ['display -t'], ['new', '-A', '-s', 'x'], [''],
    ['run-shell', 'echo "a" | cat \'b\''], ['run "echo \\"a\\""'],
    ['send', '-X', 'cancel'], ['set-hook', '-g', 'alert-bell', 'display x'],
    ['confirm -p "kill? (y/n)" kill-pane'], ['X=1 display a'], ['{ display a }'])
