"""Scripts of face_random.py about the mouse, borders, bars and two clients.

Each make_ function takes a Script and fills its configuration and steps from
its random numbers.  A press waits until it cannot be the second click of
another (Script.gap); a step with a fourth word waits as long in seconds.
"""
STYLES = ['fg=red', 'bg=blue,fg=yellow', 'bold', 'reverse', 'default',
          'bg=colour22', 'fg=#123456,underscore']
LINES = ['single', 'double', 'heavy', 'simple', 'number', 'spaces', 'none']
MENU_LINES = ['single', 'double', 'heavy', 'simple', 'rounded', 'padded',
              'none']
MODS = [0, 0, 0, 0, 0, 4, 8, 16, 12, 20, 24]

# What BASE has unbound, as tmux 3.8 binds it.
ROOT = [
    'bind -n WheelUpPane if -F "#{||:#{alternate_on},#{pane_in_mode},'
    '#{mouse_any_flag}}" { send -M } { copy-mode -e }',
    'bind -n MouseDrag1Pane if -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" '
    '{ send -M } { copy-mode -M }',
    'bind -n DoubleClick1Pane select-pane -t = \\; if -F '
    '"#{||:#{pane_in_mode},#{mouse_any_flag}}" { send -M } { copy-mode -H ; '
    'send -X select-word ; run -d 0.3 ; send -X copy-pipe-and-cancel }',
    'bind -n TripleClick1Pane select-pane -t = \\; if -F '
    '"#{||:#{pane_in_mode},#{mouse_any_flag}}" { send -M } { copy-mode -H ; '
    'send -X select-line ; run -d 0.3 ; send -X copy-pipe-and-cancel }',
    'set -g copy-mode-position-format '
    '"#[align=right][#{copy_position}/#{copy_position_limit}]"',
    'set -g pane-scrollbars-style "bg=black,fg=white,width=1,pad=0"']

STATE = ('#{pane_index} #{pane_id} #{pane_width}x#{pane_height}+#{pane_left}'
         '+#{pane_top} #{pane_flags} z#{pane_z} #{pane_mode} '
         '#{copy_cursor_x},#{copy_cursor_y} #{scroll_position} '
         '#{selection_present} #{selection_start_x},#{selection_start_y}-'
         '#{selection_end_x},#{selection_end_y} #{rectangle_toggle}')
WINDOWS = '#{window_index} #{window_name} #{window_flags} #{window_layout}'


def mod(rng, button):
    return button + rng.choice(MODS)


def spot(s):
    """A cell; often one at an edge, in the middle or on the status line."""
    rng = s.rng
    x = rng.choice([rng.randrange(s.cols)] * 5 + [
        0, 1, s.cols - 1, s.cols - 2, s.cols // 2, s.cols // 2 - 1])
    y = rng.choice([rng.randrange(s.rows)] * 5 + [
        0, 1, s.rows - 1, s.rows - 2, s.rows // 2, s.rows // 2 - 1])
    return x, y


def near(s, x, y, dx, dy):
    rng = s.rng
    return (min(max(x + rng.randint(-dx, dx), 0), s.cols - 1),
            min(max(y + rng.randint(-dy, dy), 0), s.rows - 1))


def drag(s, button, at=None, dx=12, dy=6, within=None):
    """A press, some steps and the release, WITHIN columns and rows."""
    rng = s.rng
    x, y = at or spot(s)
    s.mouse(button, x, y)
    for _ in range(rng.randint(1, 3)):
        x, y = near(s, x, y, dx, dy)
        if within:
            x = min(max(x, within[0]), within[1])
            y = min(max(y, within[2]), within[3])
        s.mouse(button + 32, x, y)
    if rng.random() < 0.1 and not within:
        s.size(rng.choice([80, 60, 70]), rng.choice([24, 16, 20]))
    s.mouse(button, x, y, True)


def clicks(s, count, button, x, y):
    """COUNT clicks at once, and the time that their keys take."""
    one = '\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm' % (button, x + 1, y + 1, button,
                                            x + 1, y + 1)
    s.steps.append(['k', 'clicks %d %d %d,%d' % (count, button, x, y),
                    one * count, 0.9])


def state(s):
    s.command('list-panes', '-t', 's:', '-F', STATE)


def text(rng, lines):
    """A command that prints LINES lines and stays."""
    words = rng.choice(['word foo/bar-baz (a b) x', 'é日本 wide 日 end',
                        'a\\tb\\tc tab', '', 'http://example.org/a?b=c q',
                        'long ' * 12])
    return "seq %d | sed 's|.*|line & %s|'; exec $Q" % (lines, words)


def panes(s, lines, most=2):
    rng = s.rng
    s.conf.append('respawn-pane -k -t s:0.0 "%s"' % text(rng, lines))
    for i in range(rng.randint(0, most)):
        s.conf.append('split-window -d -t s:0.%d %s "%s"' % (
            rng.randint(0, i), rng.choice(['-h', '-v']),
            text(rng, rng.choice([3, 30, lines]))))


COPY_KEYS = {
    True: ['v', 'V', 'Space', 'C-v', 'Escape', 'h', 'j', 'k', 'l', 'w', 'b',
           '0', '$', 'H', 'L', 'g', 'G', 'C-b', 'C-f', 'o', 'y', 'q', 'z'],
    False: ['C-n', 'C-p', 'M-f', 'M-b', 'C-a', 'C-e', 'Up', 'Down', 'R',
            'PPage', 'NPage', 'M-w', 'C-w', 'C-g', 'q', 'M-m']}


def make_copym(s):
    """The mouse in copy mode, both tables."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = max(s.cols, 60), max(s.rows, 16)
    vi = rng.random() < 0.5
    s.conf += ROOT + ['set -g mode-keys %s' % ('vi' if vi else 'emacs')]
    bars = rng.random() < 0.4
    if bars:
        s.conf.append('set -g pane-scrollbars %s' % rng.choice(
            ['on', 'modal', 'on']))
        s.conf.append('set -g pane-scrollbars-timeout 60000')
    if rng.random() < 0.2:
        s.conf.append('set -g copy-mode-line-numbers %s' % rng.choice(
            ['absolute', 'relative', 'hybrid', 'default']))
    lines = rng.choice([10, 30, 60])
    # The one pane without its edges, where a drag of tmux with vi keys stops.
    panes(s, lines, 0)
    top = s.top * s.status
    area = (0, s.cols - 3, top + 1, top + s.rows - s.status - 2)
    for _ in range(rng.randint(4, 9)):
        pick = rng.random()
        x, y = spot(s)
        if pick < 0.08:
            s.keys('C-b', rng.choice(['[', '[', 'PPage']))
        elif pick < 0.3:
            drag(s, mod(rng, 0) if rng.random() < 0.3 else 0,
                 (min(x, area[1]), min(max(y, area[2]), area[3])),
                 within=area)
        elif pick < 0.36 and not vi:
            # At the border, until there is no more to scroll.
            s.mouse(0, x, s.rows // 2)
            s.mouse(32, x, s.rows // 2 - 1)
            edge = rng.choice([area[2] - 1, area[3] + 1])
            s.steps.append(['k', 'edge %d,%d' % (x, edge),
                            '\x1b[<32;%d;%dM' % (x + 1, edge + 1), 3.0])
            s.mouse(0, x, edge, True)
        elif pick < 0.46:
            clicks(s, rng.choice([2, 2, 3, 4]), mod(rng, 0)
                   if rng.random() < 0.2 else 0, x, y)
        elif pick < 0.62:
            for _ in range(rng.randint(1, 3)):
                s.mouse(mod(rng, rng.choice([64, 64, 65])), x, y)
        elif pick < 0.68:
            s.mouse(mod(rng, 1), x, y)
            s.mouse(1, x, y, True)
        elif pick < 0.76:
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
        elif pick < 0.9:
            s.keys(*rng.choices(COPY_KEYS[vi], k=rng.randint(1, 3)))
        elif pick < 0.95:
            s.command('show-buffer')
        else:
            state(s)
    state(s)
    s.command('show-buffer')


def make_barm(s):
    """Scrollbars by mouse: slider, track, hover; kinds and styles."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = max(s.cols, 40), max(s.rows, 12)
    s.conf += ROOT
    for o, values in (('pane-scrollbars', ['on', 'modal', 'auto-hide']),
                      ('pane-scrollbars-position', ['right']),
                      ('pane-scrollbars-timeout', ['60000']),
                      ('pane-scrollbars-style', [
                          'fg=red,bg=blue,width=2,pad=1', 'width=3,pad=0',
                          'bg=green,pad=2', 'fg=cyan,width=1,pad=0',
                          'bold,fg=red', 'width=0'])):
        s.conf.append('set -g %s %s' % (o, rng.choice(values)))
    if rng.random() < 0.3:
        s.conf.append('set -g mode-keys vi')
    if rng.random() < 0.3:
        s.conf.append('set -g pane-border-status %s' % rng.choice(
            ['top', 'bottom']))
    panes(s, rng.choice([5, 30, 60]))
    if rng.random() < 0.2:
        s.conf.append('new-pane -d -t s:0.0 -x 20 -y 8 -X 5 -Y 2 "%s"' %
                      text(rng, 40))
    edges = [0, 1, s.cols - 1, s.cols - 2, s.cols // 2, s.cols // 2 - 1,
             s.cols // 2 + 1]
    for _ in range(rng.randint(4, 9)):
        pick = rng.random()
        x, y = spot(s)
        if rng.random() < 0.6:
            x = rng.choice(edges)
        if pick < 0.35:
            drag(s, 0, (x, y), 1, 6)
        elif pick < 0.5:
            s.mouse(mod(rng, 0) if rng.random() < 0.2 else 0, x, y)
            s.mouse(0, x, y, True)
        elif pick < 0.65:
            s.mouse(35, x, y)
        elif pick < 0.75:
            s.mouse(rng.choice([64, 65]), x, y)
        elif pick < 0.85:
            s.keys(*rng.choice([['C-b', '['], ['PPage'], ['q'], ['C-b', 'z'],
                                ['C-b', 'o'], ['C-b', 't']]))
        elif pick < 0.93:
            s.command(*rng.choice([
                ['set', '-g', 'pane-scrollbars', rng.choice(
                    ['on', 'off', 'modal', 'auto-hide'])],
                ['set', '-p', 'pane-scrollbars', rng.choice(
                    ['on', 'off', 'modal', 'auto-hide'])],
                ['set', '-g', 'pane-scrollbars-position', rng.choice(
                    ['left', 'right'])],
                ['set', '-p', 'pane-scrollbars-style', 'bg=red,width=2'],
                ['resize-pane', '-Z'], ['clear-history'],
                ['resize-pane', '-x', '20'], ['swap-pane', '-D']]))
        else:
            state(s)
    state(s)


def make_defmenu(s):
    """The default menus, at any place, and what their items do."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = 80, max(s.rows, 30)
    s.conf += ROOT
    panes(s, 40)
    for i in range(rng.randint(0, 3)):
        s.conf.append('new-window -d -t s: -n w%d "exec $Q"' % i)
    for name in ['other', 'third', 'x y'][:rng.randint(0, 3)]:
        s.conf.append('new-session -d -s "%s" -x %d -y %d "exec $Q"' % (
            name, s.cols, s.rows - s.status))
    if rng.random() < 0.4:
        s.conf.append('new-pane -d -t s:0.0 -x 24 -y 8 -X 20 -Y 6 "%s"' %
                      text(rng, 4))
    for o in ('set-buffer "pasted text"', 'select-pane -m -t s:0.0',
              'resize-pane -Z -t s:0.0', 'set -g status 2'):
        if rng.random() < 0.2:
            s.conf.append(o)
    line = 0 if s.top else s.rows - 1
    for _ in range(rng.randint(1, 4)):
        pick = rng.random()
        x, y = spot(s)
        if pick < 0.15:
            s.keys('C-b', '[')
        elif pick < 0.25:
            s.keys('C-b', rng.choice(['<', '>']))
            menu_keys(s)
            continue
        if s.status and rng.random() < 0.5:
            x, y = rng.choice([0, 1, 2, 5, 6, 8, 12, 16, 20, 30, s.cols - 1,
                               s.cols - 5]), line
        button = 2 + (8 if rng.random() < 0.25 else 0)
        s.mouse(button, x, y)
        how = rng.random()
        if how < 0.5:
            for _ in range(rng.randint(1, 4)):
                nx, ny = near(s, x + 4, y, 8, 12)
                s.mouse(button + 32, nx, ny)
            s.mouse(button, nx, ny, True)
        elif how < 0.8:
            s.mouse(button, x, y, True)
            nx, ny = near(s, x + 4, y, 8, 12)
            for _ in range(rng.randint(0, 2)):
                nx, ny = near(s, x + 4, y, 8, 12)
                s.mouse(35, nx, ny)
            if rng.random() < 0.7:
                b = rng.choice([0, 0, 2, 1, 64])
                s.mouse(b, nx, ny)
                if b != 64:
                    s.mouse(b, nx, ny, True)
        else:
            menu_keys(s)
        if rng.random() < 0.4:
            menu_keys(s)
        s.keys(rng.choice(['q', 'Escape', 'Escape']))
        if rng.random() < 0.3:
            s.keys('C-c')
    state(s)
    s.command('list-windows', '-F', WINDOWS)
    s.command('list-sessions', '-F', '#{session_name} #{session_attached}')


def menu_keys(s):
    rng = s.rng
    for _ in range(rng.randint(1, 4)):
        s.keys(rng.choice(['Up', 'Down', 'Down', 'Home', 'End', 'z', 'h', 'v',
                           'X', 'm', 'u', 'd', 's', 't', 'f', 'p', 'l', 'w',
                           'Enter', 'Enter', 'n', 'g', 'G', 'L', 'r']))


PLACES = ['C', 'R', 'P', 'M', 'L', 'W', 'S', '0', '5', '200', '-3', '-200',
          '99999', '50%', '100%', 'Z', 'c', '', '7x', '#{popup_width}',
          '#{popup_height}', '#{popup_centre_x}', '#{popup_centre_y}',
          '#{popup_pane_left}', '#{popup_pane_top}', '#{popup_pane_right}',
          '#{popup_pane_bottom}', '#{popup_mouse_x}', '#{popup_mouse_y}',
          '#{popup_mouse_top}', '#{popup_mouse_bottom}', '#{popup_last_x}',
          '#{popup_last_y}', '#{popup_mouse_centre_x}',
          '#{popup_mouse_centre_y}', '#{popup_status_line_y}',
          '#{popup_window_status_line_x}', '#{popup_window_status_line_y}',
          '#{e|-:#{popup_centre_x},3}', '#{window_index}']


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


def placed(s, popup):
    rng = s.rng
    words = ['display-popup' if popup else 'display-menu']
    if rng.random() < 0.3:
        words += ['-t', rng.choice(['s:0.0', 's:0.1', 's:0.2', '='])]
    for o in ('-x', '-y'):
        if rng.random() < 0.9:
            words += [o, rng.choice(PLACES)]
    if rng.random() < 0.3:
        words += ['-b', rng.choice(MENU_LINES[:5] if popup else MENU_LINES)]
    if popup:
        for o, values in (('-w', ['10', '30', '50%', '100%', '4']),
                          ('-h', ['4', '8', '50%', '100%', '3'])):
            if rng.random() < 0.8:
                words += [o, rng.choice(values)]
        if rng.random() < 0.2:
            words.append('-B')
        words += ['stty -echo; printf in; exec cat >/dev/null']
    else:
        words += rng.choice([[], ['-O'], ['-M']])
        if rng.random() < 0.3:
            words += ['-T', rng.choice(['title', 'a long title of a menu'])]
        words.append('--')
        for i in range(rng.choice([1, 2, 4, 9])):
            words += ['item %d' % i, rng.choice(['', 'a', 'b']),
                      'set -g @did %d' % i]
    return ' '.join(quote(w) for w in words)


def make_place(s):
    """display-menu and display-popup at all places."""
    rng = s.rng
    s.gap = True
    s.rows = max(s.rows, 16)
    for i in range(rng.randint(0, 2)):
        s.conf.append('split-window -d -t s:0.%d %s "exec $Q"' % (
            rng.randint(0, i), rng.choice(['-h', '-v'])))
    for i in range(rng.randint(0, 3)):
        s.conf.append('new-window -d -t s: -n w%d "exec $Q"' % i)
    if s.status:
        s.conf.append('set -g status %s' % rng.choice(['on', 'on', '2', '3']))
        s.conf.append('set -g status-justify %s' % rng.choice(
            ['left', 'centre', 'right']))
    if rng.random() < 0.2:
        s.conf.append('set -g pane-border-status %s' % rng.choice(
            ['top', 'bottom']))
    popup = rng.random() < 0.4
    wheres = ('Pane', 'Status', 'StatusLeft', 'StatusRight', 'StatusDefault',
              'Border')
    for i in range(5, 9):
        s.conf.append('bind -n F%d %s' % (i, placed(s, popup)))
    for w in wheres:
        s.conf.append('bind -n MouseDown3%s %s' % (w, placed(s, popup)))
    for _ in range(rng.randint(3, 6)):
        held = None
        if rng.random() < 0.55:
            s.keys(rng.choice(['F5', 'F6', 'F7', 'F8']))
            if popup:
                s.steps[-1].append(0.4)
        else:
            x, y = spot(s)
            if s.status and rng.random() < 0.4:
                y = 0 if s.top else s.rows - 1
            s.mouse(2, x, y)
            held = x, y
            if popup:
                s.steps[-1].append(0.4)
        if rng.random() < 0.2:
            s.keys(rng.choice(['Down', 'Up', 'x']))
        if rng.random() < 0.1:
            s.size(rng.choice([80, 60, 40]), rng.choice([24, 16]))
        if popup:
            s.command('display-popup', '-C')
        else:
            s.keys('q')
        if held:
            s.mouse(2, *held, True)


MOVE_KEYS = ['0', '1', '2', '3', '4', 'Up', 'Down', 'Left', 'Right', 'M-1',
             'M-2', 'M-3', 'M-4', 'M-Up', 'M-Down', 'M-Left', 'M-Right', ',',
             '.', 'x', 'q']


def make_floatm(s):
    """Floating panes: mouse, keys behind C-b g, zoom, borders."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = max(s.cols, 60), max(s.rows, 16)
    s.conf += ROOT
    s.conf.append('set -g focus-follows-mouse %s' % rng.choice(
        ['off', 'off', 'on']))
    s.conf.append('set -g pane-border-status %s' % rng.choice(
        ['off', 'top', 'bottom', 'top-floating', 'bottom-floating']))
    s.conf.append('set -g pane-border-lines %s' % rng.choice(LINES))
    s.conf.append('set -g pane-border-format "#{pane_index}"')
    for i in range(rng.randint(0, 2)):
        s.conf.append('split-window -d -t s: %s "echo %d; exec $Q"' % (
            rng.choice(['-h', '-v']), i))
    if rng.random() < 0.3:
        s.conf.append('resize-pane -Z -t s:0.0')
    spots = []
    for i in range(rng.randint(1, 3)):
        x, y = rng.randrange(0, s.cols - 20), rng.randrange(0, s.rows - 6)
        w, h = rng.randrange(18, 30), rng.randrange(9, 13)
        flags = [f for f in ('-A', '-d') if rng.random() < 0.2]
        if rng.random() < 0.2:
            flags += ['-B', rng.choice(LINES)]
        s.conf.append('new-pane -t s: %s -x %d -y %d -X %d -Y %d "echo f%d; '
                      'exec $Q"' % (' '.join(flags), w, h, x, y, i))
        spots += [(x, y), (x + w - 1, y), (x, y + h - 1),
                  (x + w - 1, y + h - 1), (x + w // 2, y),
                  (x + w // 2, y + h - 1), (x, y + h // 2),
                  (x + w - 1, y + h // 2), (x + w // 2, y + h // 2),
                  (x + w - 2, y), (x + w - 4, y), (x + w - 6, y)]
    spots = [(min(x, s.cols - 1), min(y, s.rows - 1)) for x, y in spots]
    for _ in range(rng.randint(3, 8)):
        pick = rng.random()
        at = rng.choice(spots) if rng.random() < 0.75 else spot(s)
        if pick < 0.45:
            drag(s, rng.choice([0, 0, 0, 8, 16, 4]), at, 2, 1)
        elif pick < 0.55:
            s.mouse(0, *at)
            s.mouse(0, *at, True)
        elif pick < 0.6:
            clicks(s, 2, 0, *at)
        elif pick < 0.65:
            s.mouse(2, *at)
            s.mouse(2, *at, True)
            s.keys(rng.choice(['q', 't', 'f', 'z', 'h', 'v', 'X']), 'q')
        elif pick < 0.85:
            s.keys('C-b', 'g', rng.choice(MOVE_KEYS))
            if s.steps[-1][1] in ',.':
                menu_keys(s)
                s.keys('q')
        elif pick < 0.95:
            s.keys('C-b', rng.choice(['z', 'o', '@', '*', ';', 'Space', '{',
                                      'q', 'Up', 'Left', '!']))
            s.keys('Escape')
        else:
            s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16, 30]))
    state(s)
    s.command('list-windows', '-F', WINDOWS)


def make_border(s):
    """Borders, their indicators and texts; two status lines."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = max(s.cols, 40), max(s.rows, 12)
    options = [
        ('pane-border-lines', LINES),
        ('pane-border-indicators', ['off', 'colour', 'arrows', 'both']),
        ('pane-border-status', ['off', 'top', 'bottom', 'top-floating',
                                'bottom-floating']),
        ('pane-border-style', STYLES), ('pane-active-border-style', STYLES),
        ('pane-border-format', [
            '#{pane_index}', '#[align=right]#{pane_id}#[fg=red]x', '#[bold]T ',
            '#[align=centre]#{pane_title}', '', 'long ' * 30]),
        ('pane-base-index', ['1', '5']),
        ('status', ['on', '2', '3', '4', '5', 'off']),
        ('pane-status-style', STYLES), ('pane-status-current-style', STYLES),
        ('session-status-style', STYLES),
        ('session-status-current-style', STYLES),
        ('window-status-current-style', STYLES),
        ('status-style', STYLES), ('status-position', ['top', 'bottom']),
        ('status-justify', ['left', 'centre', 'right', 'absolute-centre']),
        ('fill-character', ['x', '.', '#{?is_inside,i,o}']),
        ('window-style', STYLES), ('window-active-style', STYLES)]
    for i in range(rng.choice([0, 1, 1, 1, 2, 3, 5])):
        s.conf.append('split-window -d -t s:0.%d %s "echo %d; exec $Q"' % (
            rng.randint(0, i), rng.choice(['-h', '-v']), i))
    if rng.random() < 0.3:
        s.conf.append('new-pane -d -t s: -x 20 -y 6 -X 4 -Y 2 "exec $Q"')
    for i in range(rng.randint(0, 2)):
        s.conf.append('new-session -d -s s%d "exec $Q"' % i)
    for o, values in options:
        if rng.random() < 0.3:
            s.conf.append('set -g %s %s' % (o, quote(rng.choice(values))))
    for _ in range(rng.randint(3, 7)):
        pick = rng.random()
        if pick < 0.45:
            o, values = rng.choice(options)
            flag = '-g'
            if o.startswith(('pane-border', 'pane-active', 'window-style',
                             'window-active')) and rng.random() < 0.4:
                flag = rng.choice(['-p', '-w'])
            s.command('set', flag, o, rng.choice(values))
        elif pick < 0.6:
            s.command(*rng.choice([
                ['select-pane', '-m'], ['resize-pane', '-Z'],
                ['select-pane', '-t', '.+'], ['swap-pane', '-D'],
                ['select-layout', rng.choice(['tiled', 'main-vertical',
                                              'even-horizontal'])],
                ['set', '-w', 'synchronize-panes', 'on'],
                ['resize-window', '-x', '30', '-y', '10'],
                ['resize-window', '-A'], ['select-pane', '-d'],
                ['rename-window', 'new'], ['select-pane', '-T', 'title']]))
        elif pick < 0.8:
            x, y = spot(s)
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
        elif pick < 0.9:
            drag(s, 0)
        else:
            s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16, 30]))
    state(s)


def make_panesm(s):
    """display-panes over layouts, zoom, floats and other windows."""
    rng = s.rng
    s.gap = True
    s.cols, s.rows = max(s.cols, 60), max(s.rows, 16)
    for i in range(rng.randint(1, 6)):
        s.conf.append('split-window -d -t s:0.%d %s "echo %d; exec $Q"' % (
            rng.randint(0, i), rng.choice(['-h', '-v']), i))
        s.conf.append('select-layout -t s: %s' % rng.choice(
            ['tiled', 'tiled', 'even-vertical', 'main-vertical']))
    s.conf.append('new-window -d -t s: -n w "exec $Q"')
    s.conf.append('split-window -d -t s:1 -h "exec $Q"')
    for o, values in (('pane-border-status', ['top', 'bottom']),
                      ('pane-border-lines', LINES),
                      ('display-panes-colour', ['green', '#ff0000']),
                      ('display-panes-active-colour', ['yellow']),
                      ('display-panes-border-style', ['fg=red', 'bg=blue']),
                      ('display-panes-format', [
                          '#{pane_id}', 'x', '#{pane_width}x#{pane_height} '
                          '#[fg=red]#{pane_index}', '#[bold]#{pane_title}',
                          '#[align=right]#{pane_index}']),
                      ('pane-base-index', ['1', '8', '11'])):
        if rng.random() < 0.25:
            s.conf.append('set -g %s %s' % (o, quote(rng.choice(values))))
    if rng.random() < 0.3:
        s.conf.append('new-pane -d -t s:0 -x 20 -y 6 -X 4 -Y 2 "exec $Q"')
    if rng.random() < 0.3:
        s.conf.append('resize-pane -Z -t s:0.%d' % rng.randrange(2))
    for i in range(5, 8):
        words = ['display-panes'] + [f for f in ('-N', '-Z', '-k')
                                     if rng.random() < 0.2]
        for o, values in (('-d', ['0', '20000']),
                          ('-t', ['s:0.0', 's:0.1', 's:1.1']),
                          ('-s', ['s:0', 's:1'])):
            if rng.random() < 0.25:
                words += [o, rng.choice(values)]
        if rng.random() < 0.3:
            words.append("set -g @did '%%'")
        s.conf.append('bind -n F%d %s' % (i, ' '.join(
            quote(w) for w in words)))
    for _ in range(rng.randint(2, 4)):
        if rng.random() < 0.2:
            s.keys('C-b', 'q')
        else:
            s.keys(rng.choice(['F5', 'F6', 'F7']))
        for _ in range(rng.randint(1, 3)):
            pick = rng.random()
            if pick < 0.3:
                x, y = spot(s)
                s.mouse(rng.choice([0, 0, 2]), x, y)
                s.mouse(0, x, y, True)
                s.keys('Escape')
            elif pick < 0.4:
                s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16]))
            elif pick < 0.5:
                s.keys('C-b', rng.choice(['o', 'z', 'n', 'Space', '[']))
            else:
                s.keys(rng.choice(['0', '1', '2', '5', 'a', 'b', 'Escape',
                                   'x', 'q', 'Down', 'Enter', 'C-c']))
    s.keys('Escape')
    state(s)
    s.command('show-options', '-gqv', '@did')


def make_two(s):
    """Two clients: menus, popups, choosers and messages of one of them."""
    rng = s.rng
    s.gap = True
    s.clients = 2
    s.cols, s.rows = max(s.cols, 60), max(s.rows, 30)
    panes(s, 20, 1)
    for i in range(rng.randint(0, 2)):
        s.conf.append('new-window -d -t s: -n w%d "exec $Q"' % i)
    s.conf.append('new-session -d -s other -x %d -y %d "exec $Q"' % (
        s.cols, s.rows - s.status))
    s.conf += ROOT
    for i in range(5, 8):
        s.conf.append('bind -n F%d %s' % (i, placed(s, rng.random() < 0.2)))
    for _ in range(rng.randint(4, 9)):
        at = len(s.steps)
        pick = rng.random()
        if pick < 0.3:
            s.keys(rng.choice(['F5', 'F6', 'F7']))
            s.steps[-1].append(0.4)
        elif pick < 0.5:
            s.keys('C-b', rng.choice(['<', '>', 's', 'w', ':', 'q', '[', 'n',
                                      '(', '?', 't']))
        elif pick < 0.7:
            x, y = spot(s)
            b = rng.choice([0, 2, 2])
            s.mouse(b, x, y)
            for _ in range(rng.randint(0, 2)):
                x, y = near(s, x, y, 6, 6)
                s.mouse(b + 32, x, y)
            s.mouse(b, x, y, True)
        elif pick < 0.8:
            s.keys(rng.choice(['Down', 'Up', 'Enter', 'a']))
        else:
            s.keys(rng.choice(['Escape', 'q', 'C-c']))
        if rng.random() < 0.5:
            for step in s.steps[at:]:
                step[0] = 'K'
    state(s)
    s.command('list-clients', '-F', '#{client_session} #{client_flags}')
