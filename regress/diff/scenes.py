"""What servers look like before a probe: steps that start and that reset one."""
import collections

Scene = collections.namedtuple('Scene', 'start reset')


def joined(*commands):
    """One step that runs COMMANDS in a row."""
    step = []
    for c in commands:
        step += list(c) + [';']
    return step[:-1]


OFF = 'set-option -g automatic-rename off'.split()
MODEL = [
    'new-session -d -s s -x 80 -y 24 -n one cat'.split(),
    'new-window -d -t s:1 -n two cat'.split(),
    'split-window -d -t s:1 cat'.split(),
    'new-window -d -t s:2 -n three cat'.split(),
    'new-session -d -s t -x 80 -y 24 -n other cat'.split(),
]
BUFFERS = [
    ['set-buffer', '-b', 'alpha', 'text of alpha'],
    ['set-buffer', '-b', 'beta', 'second\nline'],
]
NEW_MODEL = joined(
    'new-session -d -s zz -x 80 -y 24 cat'.split(),
    'kill-session -a -t zz'.split(),
    *MODEL,
    'kill-session -t zz'.split())

PLAIN = Scene([joined(*MODEL, OFF, *BUFFERS)], [NEW_MODEL])

CLIENT = Scene(
    [joined(*MODEL, OFF, *BUFFERS),
     ['!', 'attach', '80', '24', 'attach-session', '-t', 's']],
    [joined('new-session -d -s zz -x 80 -y 24 cat'.split(),
            'switch-client -t zz'.split(),
            'kill-session -a -t zz'.split(), *MODEL,
            'switch-client -t s'.split(),
            'kill-session -t zz'.split())])

FORMATS = Scene(
    [joined(
        'new-session -d -s alpha -n one -x 80 -y 24 cat'.split(),
        'split-window -d -h -t alpha:0 cat'.split(),
        'split-window -d -t alpha:0.1 cat'.split(),
        'new-window -d -t alpha:1 -n two cat'.split(),
        'new-window -d -t alpha:5 -n three cat'.split(),
        'split-window -d -t alpha:5 cat'.split(),
        'new-session -d -s beta -n only -x 80 -y 24 cat'.split(),
        'new-session -d -s gamma -t beta'.split(),
        'link-window -d -s alpha:1 -t beta:9'.split(),
        'select-window -t alpha:5'.split(),
        'select-window -t alpha:0'.split(),
        'select-pane -m -t alpha:1'.split(),
        'resize-pane -Z -t alpha:5'.split(),
        'select-pane -t alpha:0.1 -T'.split() + ['a title'],
        'set-option -w -t alpha:0 @mine w'.split(),
        'set-option -t alpha @other s'.split(),
        'set-option -gw @all g'.split(),
        'set-option -g @list'.split() + ['one two three'],
        'set-option -g @fmt'.split() + ['#{session_name}#,#{@all}'],
        'set-option -w -t alpha:1 synchronize-panes on'.split(),
        'set-environment -g GLOBAL'.split() + ['of the globe'],
        'set-environment -t alpha LOCAL here'.split(),
        ['set-buffer', '-b', 'buf', 'text of it'])],
    [])

RAW = 'stty raw -echo; exec cat >>keys'
KEYS = Scene(
    [joined(['new-session', '-d', '-s', 's', '-x', '80', '-y', '24', RAW]),
     ['!', 'tty', 's:', 'ready']],
    [])

PANES = Scene(
    [joined(['new-session', '-d', '-s', 's', '-x', '100', '-y', '40', '-n',
             'one', 'cat'],
            ['new-window', '-d', '-t', 's:1', '-n', 'two', 'cat'])],
    [joined(['new-session', '-d', '-s', 'zz', '-x', '80', '-y', '24', 'cat'],
            ['kill-session', '-t', 's'],
            ['new-session', '-d', '-s', 's', '-x', '100', '-y', '40', '-n',
             'one', 'cat'],
            ['new-window', '-d', '-t', 's:1', '-n', 'two', 'cat'],
            ['kill-session', '-t', 'zz'])])

CAPTURE = Scene(
    [joined(['new-session', '-d', '-s', 's', '-x', '40', '-y', '8', '-n',
             'one', 'stty -echo; exec cat'])],
    [['respawn-pane', '-k', '-t', 's:0', 'stty -echo; exec cat']])

SCENES = {
    'plain': PLAIN, 'client': CLIENT, 'formats': FORMATS, 'keys': KEYS,
    'panes': PANES, 'capture': CAPTURE,
}
SCENES['hooks'] = Scene(PLAIN.start, [])
SCENES['hooked'] = Scene(CLIENT.start, [])
