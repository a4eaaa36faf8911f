"""Every command with every flag and wrong use."""
from diff import Probe
from names import ALIASES, commands

STATE = ['list-panes', '-a', '-F',
         '#{session_name}:#{window_index} #{window_id} #{pane_id} '
         '#{window_name} #{window_flags} #{pane_active} #{pane_width}x'
         '#{pane_height}+#{pane_left}+#{pane_top} #{pane_floating_flag} '
         '#{pane_mode} #{pane_title} #{pane_input_off}']
GOOD = {
    'dir': ('/', '/tmp'), 'word': ('word', '', '#{session_name}', '-x'),
    'flags': ('read-only', 'ignore-size,no-output', '!read-only'),
    'session': ('s', 't:', '=s', '$0'), 'window': ('s:1', 't:', '@1', 's:three'),
    'pane': ('s:1.1', '%2', 's:0', 't:'), 'client': ('/dev/none',),
    'table': ('root', 'prefix', 'mine'), 'buffer': ('alpha', 'beta'),
    'line': ('0', '-', '-5', '3'), 'format': ('#{session_name}', 'x', ''),
    'filter': ('1', '0', '#{==:#{window_index},1}'), 'order': ('name', 'index'),
    'prompt': ('command', 'search', 'target', 'window-target'),
    'lines': ('single', 'double', 'none'), 'number': ('1', '0', '7'),
    'style': ('fg=red', 'bg=blue,bold', 'default'), 'env': ('A=b', 'C='),
    'size': ('10', '50%', '5', '-1'), 'position': ('top-left', 'centre'),
}
BAD = {
    'dir': ('/nowhere',), 'word': (), 'flags': ('nope', 'read-only,nope'),
    'session': ('nope', '$99', '', '=', 'nope:'),
    'window': ('nope', 's:9', '@99', 'nope:1', ':', 's:nope', '=s:thre'),
    'pane': ('nope', '%99', 's:1.7', 's:9.0', '.9', '{nope}', 's:1.{x}'),
    'client': ('nope', '/dev/pts/999'), 'table': ('nope', ''),
    'buffer': ('nope', ''), 'line': ('x', '', '999999999999', '--'),
    'format': ('#{',), 'filter': ('#{',), 'order': ('nope', ''),
    'prompt': ('nope', ''), 'lines': ('nope', ''),
    'number': ('x', '-1', '', '99999999999', '1.5'),
    'style': ('nope', 'fg=nope', ''), 'env': ('novalue', '', '=x'),
    'size': ('x', '', '0', '101%', '-5%', '99999999999', '1x'),
    'position': ('nope', ''),
}
# What waits for ever, ends the server or talks to a terminal.
DEFAULTS = {
    'if-shell': ('true', 'set -g @x 1'), 'confirm-before': ('set -g @x 1',),
    'display-menu': ('name', 'k', 'set -g @x 1'), 'find-window': ('one',),
    'load-buffer': ('/nowhere/file',), 'rename-session': ('newname',),
    'rename-window': ('newname',), 'save-buffer': ('/nowhere/file',),
    'bind-key': ('F5', 'set -g @x 1'), 'unbind-key': ('F5',),
    'set-environment': ('NAME', 'value'), 'set-hook': ('alert-bell', 'set -g @x 1'),
    'set-option': ('@user', 'value'), 'set-window-option': ('@user', 'value'),
    'source-file': ('/dev/null',), 'send-keys': ('a',),
    'new-window': ('cat',), 'new-session': ('cat',), 'split-window': ('cat',),
    'new-pane': ('cat',), 'respawn-pane': ('cat',), 'respawn-window': ('cat',),
    'run-shell': ('true',), 'set-buffer': ('data',), 'pipe-pane': ('cat',),
    'server-access': ('nobody-here',), 'if': (),
}
NEEDS = {'respawn-pane': ['-k'], 'respawn-window': ['-k'], 'unlink-window': ['-k'],
         'new-session': ['-d']}


def skipped(name, words):
    """Probes that would wait, or that do what no probe can compare."""
    if name in ('new-pane', 'split-window') and any(
            w in ('-W', '-I') for w in words):
        return True
    return name == 'new-session' and '-d' not in words


def with_flags(rng, name, flags, kinds):
    for f in flags:
        yield ['-' + f]
    for f, kind in kinds.items():
        for v in GOOD[kind] + BAD[kind]:
            yield ['-' + f, v]
        yield ['-' + f + GOOD[kind][0]]
        yield ['-' + f]
    for _ in range(14):
        words = []
        for f in rng.sample(flags, min(len(flags), rng.randint(0, 3))):
            words.append('-' + f)
        for f in rng.sample(sorted(kinds), min(len(kinds), rng.randint(0, 3))):
            kind = kinds[f]
            values = GOOD[kind] if rng.random() < 0.8 else GOOD[kind] + BAD[kind]
            words += ['-' + f, rng.choice(values)]
        yield words


def uses(rng, name, flags, kinds, fewest, most):
    """Lists of words behind the name."""
    rest = list(DEFAULTS.get(name, ()))
    need = NEEDS.get(name, [])
    yield need + rest
    yield need
    yield ['-y'] if 'y' not in flags else ['-j']
    yield ['-' + flags + 'Q']
    yield ['--'] + rest
    yield ['-']
    yield ['-?']
    yield ['--help']
    for n in range(1, 5):
        yield need + ['word'] * n
    yield need + [''] + rest
    for words in with_flags(rng, name, flags, kinds):
        yield need + words + rest
    for n in range(3):
        if flags:
            yield need + ['-' + ''.join(rng.sample(flags, min(3, len(flags))))] + rest


def probes(rng):
    out = []
    for name, flags, kinds, fewest, most in commands():
        seen = set()
        for words in uses(rng, name, flags, kinds, fewest, most):
            if tuple(words) in seen or skipped(name, words):
                continue
            seen.add(tuple(words))
            out.append(Probe([name] + words, reads=[STATE], reset=True))
    for a in ALIASES:
        out.append(Probe([a, '-y'], reset=True))
        out.append(Probe(['list-commands', a]))
    for name, *_ in commands():
        for cut in range(1, len(name), 3):
            out.append(Probe(['list-commands', name[:cut]]))
        for cut in range(2, len(name), 4):
            if not 'kill-server'.startswith(name[:cut]):
                out.append(Probe([name[:cut], '-y'], reset=True))
        for f in ('#{command_list_name}', '#{command_list_alias}|x',
                  '#{command_list_usage}'):
            out.append(Probe(['list-commands', '-F', f, name], batch=True))
    for c in ('nope', '', 'new-windowx', 'lis', 'n', 'list', 's', 'k', ';', '\\;'):
        out.append(Probe([c], reset=True))
    return out
