"""Layouts: random operations on panes, and layouts given as text."""
from diff import Probe

READ = ['list-panes', '-t', 's:0', '-F',
        '#{pane_id} #{pane_index} #{pane_left},#{pane_top} #{pane_width}x'
        '#{pane_height} #{pane_active}#{pane_last}#{pane_floating_flag} z#{pane_z} '
        '#{pane_at_top}#{pane_at_bottom}#{pane_at_left}#{pane_at_right}']
LAYOUT = ['display-message', '-p', '-t', 's:0',
          '#{window_layout} #{window_visible_layout} #{window_flags} '
          '#{window_panes}']
PRESETS = ('even-horizontal', 'even-vertical', 'main-horizontal',
           'main-horizontal-mirrored', 'main-vertical', 'main-vertical-mirrored',
           'tiled', 'nope', 'even', 'main')
OPTIONS = (['main-pane-width', '30'], ['main-pane-height', '50%'],
           ['other-pane-width', '20'], ['other-pane-height', '5'],
           ['main-pane-width', '80'], ['pane-border-status', 'top'],
           ['pane-border-status', 'bottom'], ['pane-border-status', 'off'],
           ['pane-base-index', '1'], ['pane-base-index', '0'],
           ['tiled-layout-max-columns', '2'], ['tiled-layout-max-columns', '0'])
TEXTS = ('', 'x', '0000,100x40,0,0,0', 'b25d,80x24,0,0,0', '{', '{}', '[]',
         'f2dd,100x40,0,0{50x40,0,0,0,49x40,51,0,1}',
         '{"v":1}', '100x40,0,0,0', 'b25f,80x24,0,0,0',
         '5f6d,80x24,0,0[80x12,0,0,0,80x11,0,13,1]')


def pane(rng):
    return rng.choice(('s:0', 's:0.0', 's:0.1', 's:0.2', 's:0.3', 's:0.{last}',
                       's:0.{top-right}', 's:0.{bottom-left}', 's:0.+'))


def size(rng):
    return rng.choice(('1', '2', '5', '10', '20', '30%', '50%', '90%', '200', '0',
                       '100%'))


def operation(rng):
    kind = rng.randrange(17)
    t = pane(rng)
    if kind <= 3:
        words = ['split-window', '-t', t]
        words += rng.choice(([], ['-h'], ['-v']))
        words += rng.choice(([], [], ['-b'], ['-f'], ['-d'], ['-Z'], ['-bf']))
        words += rng.choice(([], [], ['-l', size(rng)]))
        return words + ['cat']
    if kind == 4:
        return ['resize-pane', '-t', t, rng.choice(('-L', '-R', '-U', '-D')),
                str(rng.randint(0, 12))]
    if kind == 5:
        return ['resize-pane', '-t', t, rng.choice(('-x', '-y')), size(rng)]
    if kind == 6:
        return ['resize-pane', '-t', t, '-Z']
    if kind == 7:
        return ['select-layout', '-t', 's:0', rng.choice(PRESETS)]
    if kind == 8:
        return ['select-layout', '-t', t, rng.choice(('-E', '-n', '-p', '-o'))]
    if kind == 9:
        return ['swap-pane', '-s', t, '-t', pane(rng), *rng.choice(
            ([], ['-d'], ['-Z']))]
    if kind == 10:
        return ['rotate-window', '-t', 's:0', rng.choice(('-U', '-D', '-Z'))]
    if kind == 11:
        return ['kill-pane', '-t', t] if rng.random() < 0.7 else [
            'break-pane', '-d', '-s', t, *rng.choice(([], ['-W'], [
                '-W', '-x', '20', '-y', '6', '-X', '3', '-Y', '4']))]
    if kind == 12:
        return ['new-pane', '-d', '-t', t, *rng.choice(
            ([], ['-x', '30', '-y', '10'], ['-x', '40%', '-y', '5', '-X', '3', '-Y',
                                            '2'], ['-X', '90', '-Y', '38'])), 'cat']
    if kind == 13:
        return ['move-pane', '-t', t, *rng.choice(
            (['-L', '3'], ['-R', '5'], ['-U', '2'], ['-D', '4'], ['-P', 'top-left'],
             ['-P', 'bottom-right'], ['-P', 'centre'], ['-X', '5', '-Y', '5'],
             ['-z', '0'], ['-z', '1']))]
    if kind == 14:
        return ['join-pane', '-s', pane(rng), '-t', t, *rng.choice(
            ([], ['-h'], ['-b'], ['-f'], ['-d'], ['-l', '5']))]
    if kind == 15:
        return ['resize-window', '-t', 's:0', '-x', str(rng.randint(20, 150)), '-y',
                str(rng.randint(8, 60))]
    return ['set-option', '-w', '-t', 's:0', *rng.choice(OPTIONS)]


def probes(rng):
    out = []
    for _ in range(160):
        n = rng.randint(3, 9)
        for k in range(n):
            out.append(Probe(operation(rng), reads=[LAYOUT, READ], scene='panes',
                             reset=k == n - 1))
    for text in TEXTS + PRESETS:
        for panes in range(3):
            setup = [['split-window', '-d', '-t', 's:0', 'cat']] * panes
            out.append(Probe(['select-layout', '-t', 's:0', text], setup=setup,
                             reads=[LAYOUT, READ], scene='panes', reset=True))
    return out
