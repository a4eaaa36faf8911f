"""Targets: names, patterns, offsets, tokens, ids, marks."""
from diff import Probe

FORMAT = '#{session_name}:#{window_index}.#{pane_index} #{pane_id}'
SESSIONS = ('', 'alpha', 'al', '=alpha', '=al', 'a*', '*', '?????', 'nope', '$0',
            '$1', '$2', '$99', '$x', 'beta', 'gamma', 'g', '[ab]*', '=a*', '{last}',
            '!', '+', '-', '@0', '%0', '~', '{mouse}', '=')
WINDOWS = ('', '0', '1', '5', '9', '99', 'one', 'two', 'thr', '=three', '=thr', 't*',
           '*', '^', '$', '!', '+', '-', '+1', '+2', '+9', '-1', '-2', '+x', '{start}',
           '{end}', '{last}', '{next}', '{previous}', '{nope}', '@0', '@1', '@9',
           '%2', '00', '1x', '=', '{mouse}', '{marked}', '~')
PANES = ('', '0', '1', '2', '7', '!', '+', '-', '+1', '-1', '+2', '{last}', '{next}',
         '{previous}', '{top}', '{bottom}', '{left}', '{right}', '{top-left}',
         '{top-right}', '{bottom-left}', '{bottom-right}', '{up-of}', '{down-of}',
         '{left-of}', '{right-of}', '{nope}', '%0', '%1', '%9', 'x', '=', '{marked}',
         '{active}', '{current}', '~', '@1')
COMMANDS = (['select-window'], ['select-pane'], ['has-session'], ['list-panes'],
            ['list-windows'], ['rename-window', 'renamed'], ['swap-window', '-d'],
            ['move-window', '-d'], ['link-window', '-d', '-s', 'beta:0'],
            ['new-window', '-d', '-P'], ['split-window', '-d', '-P'],
            ['kill-pane'], ['last-window'], ['next-window'], ['switch-client'],
            ['resize-pane', '-Z'], ['send-keys', 'x'], ['capture-pane', '-p'],
            ['rename-session', 'new'], ['join-pane', '-d', '-s', 'beta:0'],
            ['clock-mode'], ['show-options'], ['show-environment'],
            ['set-option', '@x', 'y'], ['swap-pane', '-s', 'alpha:0.0'],
            ['break-pane', '-d', '-s', 'alpha:0.1'])


def show(target, flags=()):
    return Probe(['display-message', '-p', *flags, '-t', target, FORMAT],
                 scene='formats')


def probes(rng):
    out = [show(s + tail) for s in SESSIONS for tail in ('', ':', '.')]
    for w in WINDOWS:
        for s in ('alpha:', '', ':', 'beta:', 'al:', 'gamma:', 'nope:'):
            out.append(show(s + w))
    for p in PANES:
        for w in ('alpha:0.', 'alpha:.', '.', ':.', 'alpha:5.', '', 'nope.', '@1.'):
            out.append(show(w + p))
    for _ in range(500):
        out.append(show(rng.choice(SESSIONS) + rng.choice((':', ':', '')) +
                        rng.choice(WINDOWS) + rng.choice(('.', '.', '')) +
                        rng.choice(PANES)))
    for c in COMMANDS:
        for _ in range(24):
            t = rng.choice(('alpha', 'beta', '', 'a*', 'nope', '$1')) + rng.choice((
                '', ':')) + rng.choice(WINDOWS) + rng.choice(('', '', '.' + rng.choice(
                    PANES)))
            out.append(Probe([*c, '-t', t], reads=[
                ['list-panes', '-a', '-F', FORMAT + ' #{window_flags} #{pane_active}'
                 ' #{window_name}']], scene='formats'))
    for c in (['list-clients', '-t', 'nope'], ['detach-client', '-t', 'nope'],
              ['switch-client', '-c', 'nope'], ['refresh-client', '-t', 'nope'],
              ['display-message', '-c', 'nope', 'x'], ['select-pane', '-M'],
              ['select-pane', '-m', '-t', 'beta:0'], ['swap-pane'],
              ['join-pane'], ['swap-pane', '-s', '{marked}', '-t', 'alpha:0.0'],
              ['display-message', '-p', '-t', '~', FORMAT]):
        out.append(Probe(c, scene='formats', reads=[
            ['list-panes', '-a', '-F', FORMAT + ' #{pane_marked}']]))
    return out
