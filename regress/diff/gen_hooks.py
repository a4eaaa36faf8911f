"""Hooks: which fire, in which order, with which payload."""
import os

from diff import Probe

HERE = os.path.dirname(os.path.abspath(__file__))
LOG = ('#{@log}#{hook}:#{hook_session_name}:#{hook_window_name}:#{hook_window}:'
       '#{hook_pane}:#{hook_session}:#{hook_client} ')
SHOW = ['~', 'show-options', '-gqv', '@log']
MODEL = ['~', 'list-panes', '-a', '-F',
         '#{session_name}:#{window_index}.#{pane_index} #{pane_id} #{window_id} '
         '#{?window_active,*,}#{?window_last_flag,-,}#{?window_zoomed_flag,Z,} '
         '#{pane_active}#{pane_floating_flag} '
         '#{pane_width}x#{pane_height}']
CLEAR = ['set-option', '-g', '@log', '']
DO = (
    ['new-window', '-d', '-t', 't:', '-n', 'w', 'cat'], ['new-window', 'cat'],
    ['new-window', '-t', 's:1', 'cat'], ['split-window', '-t', 's:0', 'cat'],
    ['split-window', '-d', '-t', 's:1', 'cat'], ['kill-pane', '-t', 's:1.1'],
    ['kill-pane', '-t', 's:0'], ['kill-window', '-t', 's:1'],
    ['kill-session', '-t', 't'], ['kill-session', '-t', 's'],
    ['new-session', '-d', '-s', 'u', 'cat'],
    ['new-session', '-d', '-s', 'u', '-t', 's'], ['rename-session', '-t', 's', 'x'],
    ['rename-window', '-t', 's:0', 'x'], ['rename-window', '-t', 's:0', 'one'],
    ['select-window', '-t', 's:1'], ['select-window', '-t', 's:0'],
    ['select-window', '-t', 's:9'], ['select-pane', '-t', 's:1.0'],
    ['select-pane', '-t', 's:1.1'], ['select-pane', '-m', '-t', 's:1.1'],
    ['select-pane', '-M'], ['select-pane', '-T', 'name', '-t', 's:1.1'],
    ['swap-pane', '-s', 's:1.0', '-t', 's:1.1'], ['swap-window', '-s', 's:0', '-t',
                                                 's:2'],
    ['move-window', '-s', 's:0', '-t', 's:7'], ['move-window', '-r', '-t', 's'],
    ['link-window', '-s', 's:0', '-t', 't:5'], ['unlink-window', '-k', '-t', 's:2'],
    ['join-pane', '-s', 's:1.1', '-t', 's:0'], ['break-pane', '-s', 's:1.1'],
    ['break-pane', '-d', '-s', 's:1.1', '-n', 'b'], ['resize-pane', '-Z', '-t', 's:1'],
    ['resize-pane', '-t', 's:1.0', '-D', '3'], ['resize-window', '-t', 's:0', '-x',
                                               '50'],
    ['select-layout', '-t', 's:1', 'even-horizontal'],
    ['select-layout', '-t', 's:1', 'nope'], ['rotate-window', '-t', 's:1'],
    ['copy-mode', '-t', 's:0'], ['clock-mode', '-t', 's:0'],
    ['respawn-pane', '-k', '-t', 's:0', 'cat'], ['respawn-window', '-k', '-t', 's:2',
                                               'cat'],
    ['send-keys', '-t', 's:0', 'x'], ['set-buffer', 'x'], ['set-option', '-g', '@z',
                                                        '1'],
    ['set-option', '-g', 'nope', '1'], ['show-options', '-g', 'status'],
    ['bind-key', 'F7', 'new-window'], ['unbind-key', 'F7'], ['list-keys', '-T', 'nope'],
    ['list-windows'], ['list-panes'], ['list-sessions'], ['list-buffers'],
    ['list-clients'], ['capture-pane', '-p', '-t', 's:0'], ['pipe-pane', '-t', 's:0',
                                                           'cat >/dev/null'],
    ['paste-buffer', '-t', 's:0'], ['load-buffer', '/dev/null'], ['save-buffer',
                                                                '/dev/null'],
    ['display-message', '-p', 'x'], ['refresh-client'], ['set-environment', 'A', 'b'],
    ['show-environment', 'A'], ['set-hook', '-g', 'alert-bell[9]', ''],
    ['show-messages'], ['last-window', '-t', 's'], ['next-window', '-t', 's'],
    ['previous-window', '-t', 's'], ['new-pane', '-t', 's:0', 'cat'],
    ['new-pane', '-d', '-t', 's:0', 'cat'], ['set-hook', '-R', 'after-new-window'],
    ['set-hook', '-E', '@mine'], ['set-hook', '-E', 'alert-bell'],
    ['if-shell', '-F', '1', 'new-window -d cat'], ['nope'], ['new-window', '-Q'],
    ['kill-session', '-a', '-t', 's'], ['detach-client'], ['switch-client', '-t', 't'],
    ['new-window', '-d', '-t', 's:0', 'cat'], ['new-window', '-dk', '-t', 's:0', 'cat'],
    ['find-window', 'one'], ['choose-tree', '-t', 's:0'], ['lock-server'],
    ['resize-pane', '-t', 's:1.0', '-y', '5'], ['swap-window', '-d', '-s', 's:0', '-t',
                                                't:0'],
    ['last-pane', '-t', 's:1'], ['next-layout', '-t', 's:1'], ['run-shell', 'true'],
    ['select-layout', '-o', '-t', 's:1'], ['select-pane', '-d', '-t', 's:0'],
    ['new-window', '-d', '-t', 's:8', 'true'], ['split-window', '-d', '-t', 's:0',
                                               'exit 3'],
)
TTY = (r'\007', r'\033]2;title\033\\', r'\033kname\033\\', r'text\r\n',
       r'\033]52;c;eA==\033\\', r'\033]133;A\033\\', r'\033]133;C\033\\',
       r'\033]133;C\033\\\033]133;D;3\033\\', r'\033[?1049h')

BEFORE = (
    ['resize-pane', '-Z', '-t', 's:1'], ['select-window', '-t', 's:1'],
    ['select-pane', '-t', 's:1.1'], ['link-window', '-d', '-s', 's:0', '-t', 't:5'],
    ['new-pane', '-d', '-t', 's:1', 'cat'], ['new-pane', '-t', 's:0', 'cat'],
    ['split-window', '-d', '-t', 's:0', 'cat'], ['select-window', '-t', 's:2'],
    ['split-window', '-h', '-d', '-t', 's:1', 'cat'],
    ['select-pane', '-m', '-t', 's:1.1'], ['rotate-window', '-t', 's:1'],
    ['select-layout', '-t', 's:1', 'even-vertical'],
    ['set-option', '-g', 'remain-on-exit', 'on'],
    ['set-option', '-g', 'renumber-windows', 'on'],
    ['set-option', '-g', 'detach-on-destroy', 'off'],
    ['new-session', '-d', '-s', 'g', '-t', 's'],
)
# Windows that a client has shown have its size, and focus hooks run in both.
SEEN = (['set-option', '-s', 'focus-events', 'on'], ['select-window', '-t', 's:1'],
        ['select-window', '-t', 's:2'], ['select-window', '-t', 's:0'])
PLACES = ('s:0', 's:1', 's:1.0', 's:1.1', 's:2', 't:0', 's:', 't:')
FREE = ('s:7', 't:7', 't:5', 's:0', 's:1', 't:', 's:')


def change(rng):
    """One command that changes panes, windows or sessions."""
    here, there = rng.choice(PLACES), rng.choice(PLACES)
    end = rng.choice(('cat', 'cat', 'true', 'exit 3'))
    detached = rng.choice(([], ['-d']))
    return rng.choice((
        ['swap-pane', '-s', here, '-t', there, *rng.choice(([], ['-d'], ['-Z'],
                                                           ['-dZ']))],
        ['swap-pane', rng.choice(('-U', '-D', '-UZ', '-DZ')), '-t', here],
        ['rotate-window', '-t', here, *rng.choice(([], ['-D'], ['-Z'], ['-DZ']))],
        ['join-pane', '-s', here, '-t', there, *detached,
         *rng.choice(([], ['-h'], ['-b'], ['-f']))],
        ['break-pane', '-s', here, '-t', rng.choice(FREE), *detached,
         *rng.choice(([], ['-n', 'b'], ['-a'], ['-W']))],
        ['link-window', '-s', here, '-t', rng.choice(FREE), *detached,
         *rng.choice(([], ['-k'], ['-a'], ['-b']))],
        ['move-window', '-s', here, '-t', rng.choice(FREE), *detached,
         *rng.choice(([], ['-k'], ['-a'], ['-b']))],
        ['swap-window', '-s', here, '-t', there, *detached],
        ['unlink-window', '-t', here, *rng.choice(([], ['-k']))],
        ['kill-window', '-t', here, *rng.choice(([], ['-a']))],
        ['kill-pane', '-t', here, *rng.choice(([], ['-a']))],
        ['new-window', '-t', rng.choice(FREE), *detached,
         *rng.choice(([], ['-k'], ['-a'], ['-b'], ['-S', '-n', 'two'])), end],
        ['split-window', '-t', here, *detached,
         *rng.choice(([], ['-h'], ['-b'], ['-f'], ['-Z'], ['-I'])), end],
        ['new-pane', '-t', here, *detached, end],
        ['respawn-pane', '-t', here, *rng.choice(([], ['-k'])), end],
        ['respawn-window', '-t', here, *rng.choice(([], ['-k'])), end],
        ['resize-pane', '-t', here, *rng.choice((['-Z'], ['-D', '2'], ['-x', '20'],
                                                 ['-y', '200']))],
        ['resize-window', '-t', here, *rng.choice((['-x', '50'], ['-A'], ['-a'],
                                                   ['-D', '3']))],
        ['select-layout', '-t', here, rng.choice(('tiled', '-o', '-n', '-E',
                                                  'even-horizontal', '-p'))],
        ['select-pane', '-t', here, *rng.choice(([], ['-Z'], ['-m'], ['-l'], ['-U'],
                                                 ['-T', 'x'], ['-e'], ['-d']))],
        ['select-window', '-t', here, *rng.choice(([], ['-n'], ['-p'], ['-l'],
                                                   ['-T']))],
        ['last-pane', '-t', here, *rng.choice(([], ['-Z'], ['-d'], ['-e']))],
        ['move-pane', '-s', here, '-t', there, *detached],
        ['send-keys', '-t', here, '-X', 'cancel'],
        ['copy-mode', '-t', here], ['clock-mode', '-t', here],
        ['new-session', '-d', '-s', 'v', *rng.choice(([], ['-n', 'w'],
                                                      ['-x', '50'])), end],
        ['kill-session', '-t', rng.choice('st'), *rng.choice(([], ['-a'], ['-C']))],
        ['rename-window', '-t', here, 'new'],
        ['move-window', '-r', '-t', 's'],
    ))


def changes(rng, groups, number=600):
    """Probes: commands on windows that others have changed before."""
    for _ in range(number):
        scene = rng.choice(('hooks', 'hooks', 'hooked'))
        before = list(SEEN) if scene == 'hooked' else []
        before += [rng.choice(BEFORE) for _ in range(rng.randint(0, 2))]
        p = Probe(change(rng), setup=before + [hooked(groups[0]), CLEAR],
                  reads=[SHOW, MODEL], scene=scene)
        p.fresh = True
        yield p


def hooked(every):
    words = []
    for h in every:
        words += ['set-hook', '-g', h, 'set-option -gF @log "%s"' % LOG, ';']
    return words[:-1]


def names():
    with open(os.path.join(HERE, 'hooks.names'), encoding='ascii') as f:
        return f.read().split()


def probes(rng):
    out = []
    every = [h for h in names() if h not in (
        'after-set-option', 'after-show-options', 'pane-activity',
        'after-display-message', 'after-list-clients')]
    groups = (
        [h for h in every if not h.startswith('after-')],
        [h for h in every if h.startswith('after-')], every)
    for scene in ('hooks', 'hooked'):
        for cmd in DO:
            for group in groups:
                out.append(Probe(cmd, setup=[hooked(group), CLEAR], reads=[SHOW],
                                 scene=scene, reset=False))
                out[-1].fresh = True
    out += changes(rng, groups)
    for text in TTY:
        out.append(Probe(['!', 'tty', 's:0', text],
                         setup=[['set-option', '-g', 'monitor-bell', 'on'],
                                ['set-option', '-s', 'set-clipboard', 'on'],
                                hooked(groups[0]), CLEAR],
                         reads=[SHOW], scene='hooks'))
        out[-1].fresh = True
    for h in every:
        for scope in (['-g'], [], ['-w'], ['-p'], ['-gw']):
            out.append(Probe(['set-hook', *scope, h, 'display x'],
                             reads=[['show-hooks', *scope, h],
                                    ['show-hooks', *scope],
                                    ['show-options', '-H', *scope, h]],
                             scene='plain'))
        out.append(Probe(['set-hook', '-ga', h, 'display -p "a b" ; new-window'],
                         reads=[['show-hooks', '-g', h]], scene='plain'))
        out.append(Probe(['set-hook', '-g', h + '[%s]' % rng.choice(
            ('3', 'x', '-1', '')), 'if -F 1 { display x }'],
            reads=[['show-hooks', '-g', h]], scene='plain'))
        out.append(Probe(['set-hook', '-R', h], scene='plain'))
        out.append(Probe(['set-hook', '-gu', h],
                         reads=[['show-hooks', '-g', h]], scene='plain'))
    for words in (['nope', 'x'], ['@mine', 'display x'], ['alert-bell', 'nope'],
                  ['alert-bell', 'display -Q'], ['-E', 'nope'], ['-E', '@mine'],
                  ['-B', 'x'], ['-B', '@a:%*:#{pane_id}'], ['-B', 'a:%*:x'],
                  ['-B', '@a:@*:#{window_name}', 'display x'], ['-uB', '@a'],
                  ['-T', 'alert-bell', 'x'], [], ['-R'], ['-E'],
                  ['-R', '@mine'], ['-gR', '@mine']):
        out.append(Probe(['set-hook', *words],
                         reads=[['show-hooks'], ['show-hooks', '-B']], scene='plain'))
    return out
