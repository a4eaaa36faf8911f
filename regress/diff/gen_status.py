"""What a client draws: status lines, styles, borders, messages, prompts."""
from diff import Probe

SCREEN = ['!', 'screen']
STYLES = ('default', 'fg=red', 'bg=blue', 'fg=colour200,bg=#303030', 'bold,underscore',
          'reverse', 'italics,fg=green', 'dim', 'curly-underscore,us=red', 'overline',
          'fill=red', 'align=right', 'nobold,fg=default', 'none', 'blink,strikethrough',
          'fg=themered', 'bg=themeblue,fg=themewhite', 'dim=50', 'hidden',
          'double-underscore', 'fg=brightcyan', 'bg=terminal')
FORMATS = ('plain', '#[fg=red]red#[default] x', '#[align=centre]mid', '#S:#I.#P #W',
           '#[align=left]l#[align=centre]c#[align=right]r', '#{W:#I }', '##x', '#[bold',
           '#[nope]x', '#[fg=red,bg=blue]x#[reverse]y#[noreverse]z', '%H'[:0] + '%%',
           '#[list=on]#{W:#[range=window|#I]#I:#W#[norange] }#[nolist]end', '',
           '#[fill=green]filled', '#[push-default]#[fg=red]a#[pop-default]b',
           '#[fg=red]a#[bg=blue]b#[none]c', 'é你好', '#[underscore]u#[nounderscore]n',
           '#{=5:session_name}', '#[align=right]#{p20:window_name}',
           '#[list=on align=centre]#{W:#W ,#[bold]#W }#[list=left-marker]<'
           '#[list=right-marker]>#[nolist]', '#[dim]d#[nodim]e', '#[link=http://x]l',
           '#[fg=#{?1,red,blue}]c', '#[width=10]wide', '#[pad=5]x', '#[ignore]x')
SETS = (
    ('-g', 'status-left'), ('-g', 'status-right'), ('-g', 'window-status-format'),
    ('-g', 'window-status-current-format'), ('-g', 'status-format[0]'),
    ('-g', 'window-status-separator'), ('-g', 'pane-border-format'),
)
STYLED = ('status-style', 'status-left-style', 'status-right-style',
          'window-status-style', 'window-status-current-style',
          'window-status-last-style', 'window-status-bell-style', 'pane-border-style',
          'pane-active-border-style', 'message-style', 'window-style',
          'window-active-style', 'mode-style', 'copy-mode-position-style',
          'pane-status-style', 'pane-status-current-style', 'prompt-cursor-style',
          'popup-style', 'popup-border-style', 'menu-style', 'tree-mode-preview-style')
OTHER = (
    ('status', 'off'), ('status', '2'), ('status', '3'), ('status', '5'),
    ('status', 'on'), ('status-position', 'top'), ('status-position', 'bottom'),
    ('status-justify', 'left'), ('status-justify', 'centre'),
    ('status-justify', 'right'), ('status-justify', 'absolute-centre'),
    ('status-left-length', '3'), ('status-left-length', '40'),
    ('status-right-length', '0'), ('status-right-length', '40'),
    ('pane-border-status', 'top'), ('pane-border-status', 'bottom'),
    ('pane-border-status', 'off'), ('pane-border-lines', 'double'),
    ('pane-border-lines', 'heavy'), ('pane-border-lines', 'simple'),
    ('pane-border-lines', 'number'), ('pane-border-lines', 'spaces'),
    ('pane-border-lines', 'single'), ('pane-border-indicators', 'off'),
    ('pane-border-indicators', 'arrows'), ('pane-border-indicators', 'both'),
    ('pane-border-indicators', 'colour'), ('pane-scrollbars', 'on'),
    ('pane-scrollbars', 'off'), ('pane-scrollbars-position', 'left'),
    ('fill-character', 'x'), ('automatic-rename', 'off'), ('base-index', '1'),
    ('message-line', '1'), ('theme', 'terminal'), ('theme', 'light'),
    ('theme', 'dark'), ('theme', 'detect'))
MODEL = (
    ['select-window', '-t', 's:1'], ['select-window', '-t', 's:0'],
    ['select-window', '-t', 's:2'], ['select-pane', '-t', 's:1.1'],
    ['select-pane', '-t', 's:1.0'], ['resize-pane', '-Z', '-t', 's:1'],
    ['rename-window', '-t', 's:0', 'renamed'], ['rename-session', '-t', 's', 'sess'],
    ['rename-session', '-t', 'sess', 's'], ['new-window', '-d', '-t', 's:', 'cat'],
    ['split-window', '-h', '-t', 's:1', 'cat'], ['swap-pane', '-t', 's:1.0', '-s',
                                               's:1.1'],
    ['select-layout', '-t', 's:1', 'tiled'], ['kill-pane', '-t', 's:1.1'],
    ['set-option', '-w', '-t', 's:2', 'monitor-activity', 'on'],
    ['!', 'tty', 's:2', r'\007activity'], ['!', 'tty', 's:0', 'some text'],
    ['clock-mode', '-t', 's:2'], ['send-keys', '-t', 's:2', 'q'],
    ['copy-mode', '-t', 's:1'], ['send-keys', '-t', 's:1', '-X', 'cancel'],
    ['new-pane', '-t', 's:1', 'cat'], ['display-panes', '-t', 's:1', '-d', '0'],
    ['display-message', '-d', '0', 'a message'], ['!', 'type', 'q'],
    ['command-prompt', '-b'], ['!', 'type', 'abc'], ['!', 'type', r'\033'],
    ['command-prompt', '-b', '-p', 'one,two', '-I', 'x,y', 'display "%1 %2"'],
    ['!', 'type', r'\r'], ['!', 'type', r'\003'],
    ['confirm-before', '-b', 'kill-window'], ['!', 'type', 'n'],
    ['display-menu', '-x', '5', '-y', '8', 'Item', 'i', '', '', 'Two', 't', ''],
    ['!', 'type', 'q'], ['select-pane', '-m', '-t', 's:0'], ['switch-client', '-t', 't'],
    ['switch-client', '-t', 's'], ['select-pane', '-T', 'a title', '-t', 's:0'],
)


def probes(rng):
    out = []

    def add(cmd):
        out.append(Probe(cmd, reads=[SCREEN], scene='client'))
    for _ in range(220):
        scope, name = rng.choice(SETS)
        add(['set-option', scope, name, rng.choice(FORMATS)])
    for name in STYLED:
        for style in rng.sample(STYLES, 5):
            add(['set-option', '-g', name, style])
    for name, value in OTHER:
        add(['set-option', '-g', name, value])
    for _ in range(60):
        name, value = rng.choice(OTHER)
        add(['set-option', '-g', name, value])
        add(rng.choice(MODEL[:16]))
    for m in MODEL:
        add(list(m))
    return out
