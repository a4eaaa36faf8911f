"""Environment: set, hidden, removed, shown, and what a program gets."""
from diff import Probe

NAMES = ('A', 'B_2', 'PROBE', 'lower', 'WITH SPACE', '', 'A=B', '1x', 'é', 'TERM',
         'DISPLAY', 'SSH_AUTH_SOCK', 'COLORTERM', 'TMUX_X')
VALUES = ('value', '', 'a b', 'a"b', "it's", '$HOME', 'a;b', '`x`', 'é', 'a\\b', '#{x}',
          'x=y', '-v', '~')
SCOPES = ([], ['-g'], ['-t', 't'], ['-t', 'nope'])
FLAGS = ([], ['-h'], ['-r'], ['-u'], ['-F'], ['-hF'], ['-ru'])


def shows(scope, name):
    return [['show-environment', *scope, name], ['show-environment', '-s', *scope, name],
            ['show-environment', '-h', *scope, name],
            ['display-message', '-p', '-t', 's:0', '#{%s}' % name]]


def probes(rng):
    out = []
    for name in NAMES:
        for scope in SCOPES:
            for f in FLAGS:
                v = [] if set(''.join(f)) & set('ru') and rng.random() < 0.8 else [
                    rng.choice(VALUES)]
                out.append(Probe(['set-environment', *scope, *f, '--', name, *v],
                                 reads=shows(scope, name)))
    for v in VALUES:
        out.append(Probe(['set-environment', '-g', 'V', v],
                         reads=shows(['-g'], 'V') + [
                             ['run-shell', 'printf "%s\\n" "$V"']]))
        for where in ('new-window', 'split-window', 'respawn-pane'):
            extra = ['-k'] if where == 'respawn-pane' else ['-d']
            out.append(Probe(
                [where, *extra, '-e', 'E=' + v, '-t', 's:', 'printenv E V >e; cat'],
                reads=[['~', 'run-shell', 'cat e']], reset=True))
    for scope in ([], ['-g'], ['-t', 't'], ['-h'], ['-gh'], ['-gs'], ['-s'], ['-hs']):
        out.append(Probe(['set-option', '-g', '@x', 'y'], reads=[
            ['show-environment', *scope], ['show-environment', *scope, 'PROBE'],
            ['show-environment', *scope, 'NOPE']]))
    for line in ('A=b display -p "$A"', 'A="b c" ; display -p "$A"', 'A=$PROBE',
                 '%hidden H=secret', 'A=b', 'display -p "${PROBE}x$NOPE"',
                 "display -p '$PROBE'", 'display -p $PROBE$A', 'display -p "$"',
                 'display -p "${}"', 'display -p "${PROBE"', 'A= ', '=x', 'a-b=c',
                 'display -p ~/x', 'display -p ~root', 'display -p ~nope', 'A=~'):
        out.append(Probe(['source-file', 'f.conf'],
                         setup=[['!', 'write', 'f.conf', line + '\n']],
                         reads=[['show-environment', '-g', 'A'],
                                ['show-environment', '-gh'],
                                ['show-environment', '-g', 'H']]))
    return out
