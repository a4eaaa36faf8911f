"""Every option set, appended, unset and shown in every scope."""
import os

from diff import Probe

HERE = os.path.dirname(os.path.abspath(__file__))
SCOPES = (['-g'], [], ['-w'], ['-p'], ['-s'], ['-gw'], ['-gp'], ['-t', 't:'],
          ['-w', '-t', 's:1'], ['-p', '-t', 's:1.1'], ['-t', 'nope'])
VALUES = ('on', 'off', 'yes', 'no', '1', '0', '2', '-1', '5', '999999999999', 'x',
          '', 'red', '#123456', 'colour300', 'fg=red', 'fg=red,bg=nope', 'bold',
          'C-a', 'Nope', 'None', 'top', 'bottom', 'left', 'centre', 'vi', 'emacs',
          'any', 'other', 'single', 'double', 'all', 'external', 'always', 'key',
          'latest', 'manual', '80x24', '10x', '50%', '#{session_name}', 'a,b', 'a b',
          'a;b', 'new-window', 'if {', 'x=y', '/bin/sh', '/nowhere', 'xterm*:RGB',
          "it's", 'é', '~/x', '$HOME', '%1', 'default', 'terminal', 'blinking-bar',
          'bl', 'o', 'csi-u', 'both', 'number')
NAMES = os.path.join(HERE, 'options.names')


def names():
    with open(NAMES, encoding='ascii') as f:
        # These end the server at once, or a little later.
        return [n for n in f.read().split() if 'unattached' not in n]


def show(scope, name):
    where = [w for w in scope]
    return [['show-options', *where, name], ['show-options', '-v', *where, name],
            ['display-message', '-p', '-t', 's:1.1',
             '#{%s}' % name.replace('[', '[')]]


def probes(rng):
    out = []
    base = [n for n in names()]
    for name in base:
        out += setting(rng, name)
    out += arrays(rng)
    out += showing(rng, base)
    out += user()
    return out


def setting(rng, name):
    out = []
    main = (['-g'],)
    for scope in main:
        for v in rng.sample(VALUES, 18):
            out.append(Probe(['set-option', *scope, name, v],
                             reads=show(scope, name)))
        out.append(Probe(['set-option', *scope, name], reads=show(scope, name)))
        out.append(Probe(['set-option', *scope, '-u', name],
                         reads=show(scope, name)))
        out.append(Probe(['set-option', *scope, '-a', name, rng.choice(VALUES)],
                         reads=show(scope, name)))
        out.append(Probe(['set-option', *scope, '-u', name],
                         reads=show(scope, name)))
    for scope in SCOPES:
        flags = rng.choice(([], [], ['-q'], ['-o'], ['-F'], ['-a'], ['-u'], ['-U']))
        out.append(Probe(['set-option', *scope, *flags, name,
                          rng.choice(VALUES)], reads=show(scope, name)))
        out.append(Probe(['show-options', '-A', *scope, name]))
        out.append(Probe(['set-option', *scope, '-u', name],
                         reads=show(scope, name)[:1]))
    out.append(Probe(['set-option', '-g', '-u', name], reads=show(['-g'], name)))
    return out


def arrays(rng):
    out = []
    for name in ('command-alias', 'user-keys', 'terminal-features',
                 'terminal-overrides', 'update-environment', 'status-format',
                 'pane-colours', 'codepoint-widths', 'alert-bell', 'status-left',
                 'after-new-window', '@array', 'nope'):
        for key in ('0', '5', 'name', '', '-1', 'x y', '99999999999', '[', '1][2',
                    '00', 'é'):
            full = '%s[%s]' % (name, key)
            for v in rng.sample(VALUES, 4) + ['a=b', 'red']:
                out.append(Probe(['set-option', '-g', full, v],
                                 reads=[['show-options', '-g', name],
                                        ['show-options', '-gv', full],
                                        ['display-message', '-p',
                                         '#{%s}|#{%s}' % (full, name)]]))
            out.append(Probe(['set-option', '-ga', full, 'more'],
                             reads=[['show-options', '-g', name]]))
            out.append(Probe(['set-option', '-gu', full],
                             reads=[['show-options', '-g', name]]))
        for v in ('', 'a,b,c', 'a\\,b,c', 'one', 'xterm:RGB,foo:bar'):
            out.append(Probe(['set-option', '-g', name, v],
                             reads=[['show-options', '-g', name]]))
            out.append(Probe(['set-option', '-ga', name, v],
                             reads=[['show-options', '-g', name]]))
        out.append(Probe(['set-option', '-gu', name],
                         reads=[['show-options', '-g', name]]))
    return out


def showing(rng, base):
    out = []
    flags = 'AgHpqsvw'
    for n in range(1 << len(flags)):
        words = [f for i, f in enumerate(flags) if n >> i & 1]
        if words:
            out.append(Probe(['show-options', '-' + ''.join(words)]))
            out.append(Probe(['show-options', '-' + ''.join(words),
                              rng.choice(base)]))
    for words in (['show-window-options'], ['show-window-options', '-g'],
                  ['show-window-options', '-v'], ['show-hooks'], ['show-hooks', '-g'],
                  ['show-hooks', '-gw'], ['show-hooks', '-p'], ['show-hooks', '-B'],
                  ['show-hooks', '-g', 'alert-bell'], ['show-hooks', 'nope'],
                  ['show-options', '-g', 'nope'], ['show-options', '-gq', 'nope']):
        out.append(Probe(words))
    for f in ('#{option_name}', '#{option_name}=#{option_value}',
              '#{option_is_array}#{option_is_hook}#{option_is_string}'
              '#{option_is_parent}#{option_has_value} #{option_name}',
              '#{option_array_key} #{option_value_only}'):
        for w in ([], ['-g'], ['-gw'], ['-s'], ['-A'], ['-Aw'], ['-p'], ['-Ap'],
                  ['-gH'], ['-gv']):
            out.append(Probe(['show-options', *w, '-F', f]))
    for name in base:
        for cut in (3, 6, 9, len(name) - 1):
            if cut < len(name):
                out.append(Probe(['show-options', '-g', name[:cut]]))
                out.append(Probe(['set-option', '-g', name[:cut], 'nope value']))
        out.append(Probe(['set-window-option', name, rng.choice(VALUES)],
                         reads=[['show-window-options', name]]))
        out.append(Probe(['set-window-option', '-u', name]))
    return out


def user():
    out = []
    for scope in SCOPES:
        for words in (['@u', 'v'], ['-a', '@u', 'w'], ['-o', '@u', 'x'],
                      ['-F', '@u', '#{session_name}'], ['@u'], ['-u', '@u'],
                      ['@', 'x'], ['@a b', 'x'], ['-u', '@none'], ['@u[0]', 'x'],
                      ['@q', 'a "b" \'c\' $d \\e'], ['@q', ''], ['-q', '@u', 'x', 'y'],
                      ['-uo', '@u'], ['-U', '@u'], ['-q', 'nope', 'x']):
            out.append(Probe(['set-option', *scope, *words],
                             reads=[['show-options', *scope],
                                    ['show-options', '-v', *scope, '@u'],
                                    ['display-message', '-p', '-t', 's:1.1',
                                     '#{@u}|#{@q}']]))
    return out
