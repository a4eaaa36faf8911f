#!/usr/bin/env python3
"""Drives choosers, menus and popups of rmux and of tmux and compares screens.

usage: face_random.py RMUX TMUX [-n SCRIPTS] [-s SEED] [-g GROUPS] [-v] [-w DIR]
       face_random.py --record LIST RMUX TMUX [-n SCRIPTS] ...
       face_random.py --replay LIST RMUX

Each script is made from its seed: options, sessions and panes, then keys, mouse
events, commands and sizes.  Both programs get it, each as a client of an outer
terminal (TMUX; for --replay the tmux of the PATH); after each step the cells, their looks and the
cursor must be equal.  --record appends those that are equal to LIST, with the
sums of tmux's screens;
--replay plays them to rmux alone.

Differences on purpose.  The scripts avoid most of them; a script ends early,
and is counted by its reason, where one of some others is seen at once:

- popups can be moved and resized by mouse and have a menu, as in tmux 3.7;
  those of 3.8 stay where they are
- C-b and C-f page in menus, as in tmux 3.7
- a menu without room for all its rows scrolls, and one without room for its
  title or keys is as wide as the screen; 3.8 does not show the one and cuts the
  other
- while a message is shown tmux hides the cursor
- Down behind the newest entry of a prompt's history returns to the typed text;
  tmux clears it
- -1, -k and -N together with -i, and keys that are no text there
- inside padded borders and those of the option's none, tmux leaves blanks
  without the popup's colours
- without display-panes-format tmux shows no number in a small pane
- a menu for another window than the one shown is shown; tmux hides it
- a prompt whose style has no fill clears its line
- M-- goes to the parent of the current item
- at the right edge of a popup tmux puts the cursor beyond it
- help has rows for F and c, and is shown in small panes, too
- customize-mode shows its list in panes of any size, has the options, texts
  and some defaults of rmux, names a key also beside -F, and does not count hooks
- the wheel moves in lists; keys of a chooser's prompt belong to the prompt, the
  prefix key, too
- the frame around a preview's label does not go over that of the preview
- a pager has no time beside its position
- a tiled pane's own border styles (new-pane -L -S) have no effect; status-position
  left and right are rmux's own
- the scaled borders of display-panes have no joints where two lines become one
  cell
- beside something that lies over a border, tmux aligns the title of the border
  within what is left of it
- with a scrollbar at the left tmux takes the last columns of a pane for its
  border
- with vi keys tmux stops to scroll for a drag at the edge after one line
- the release of a button does not end a message
- choose-client's preview has the status line below the pane, wherever it is
- narrow previews have no arrows, and prompts show the last typed character
- a selection goes on, at the edge of its pane, while the mouse that drags it is
  elsewhere, and its release there copies; tmux leaves it, and copy mode stays
- a selection stays when its pane changes its size, and so does a modal bar
- a border that is dragged too far stays in the hand, also that of a float
- rows that a narrower pane wraps go down while there are empty ones below
- display-panes leaves room for scrollbars
- with vi keys a selection upwards from the first column shows that column, too,
  which both copy
- with emacs keys tmux shows the first column of a row at whose beginning a
  selection ends, which it does not copy
- a press or the wheel at the place of a scrollbar that hides shows it, too
- the width of a scrollbar is its window's; a pane's own pane-scrollbars-style
  has colours
- display-panes shows at once which pane has become the active one
- behind a resize tmux cuts the position of a pane in copy mode, or takes rows
  that have come back from the history to be there
- a wheel over the status line leaves the clock of the pane; with tmux it ends it
- a quote that is not closed is an error that says so
- the cursor of a client with a prompt stays there when another client acts
- a window that no client shows has the size of the client at once (clients_random.py)
- tmux draws a popup's shadow of a resize: blanks in the border below it
- a popup with one row inside scrolls
- with modal bars and no history tmux cuts the position
- windows in choose-tree stay collapsed when a filter finds nothing or a kill
  takes others
- with emacs keys and line numbers tmux leaves the last column of a selection's
  last row uncoloured when the selection goes on beyond it; both copy it
- with status off a pane that draws itself again wipes the message over it in
  tmux
- display-panes draws floats as they lie; tmux draws the lowest one last
- text with tabs that another width has wrapped wraps again; in tmux a tab keeps
  a line from it
"""
import argparse
import collections
from concurrent import futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'e2e'))
from cells import look  # noqa: E402 pylint: disable=wrong-import-position
import face_mouse  # noqa: E402 pylint: disable=wrong-import-position

GROUPS = ('tree', 'buffer', 'client', 'switch', 'menu', 'popup', 'find',
          'prompt', 'customize', 'panes', 'float', 'bars', 'copym', 'barm',
          'defmenu', 'place', 'floatm', 'border', 'panesm', 'two')

KEYS = {'Up': '\x1b[A', 'Down': '\x1b[B', 'Right': '\x1b[C', 'Left': '\x1b[D',
        'S-Up': '\x1b[1;2A', 'S-Down': '\x1b[1;2B', 'Home': '\x1bOH',
        'End': '\x1bOF', 'PPage': '\x1b[5~', 'NPage': '\x1b[6~',
        'Enter': '\r', 'Escape': '\x1b', 'Tab': '\t', 'BTab': '\x1b[Z',
        'BSpace': '\x7f', 'Space': ' ', 'DC': '\x1b[3~', 'F1': '\x1bOP', 'F5': '\x1b[15~',
        'F6': '\x1b[17~', 'F7': '\x1b[18~', 'F8': '\x1b[19~'}

MASKS = [(re.compile(r'/dev/pts/\d+'), '/dev/pts/N'),
         (re.compile(r'PID \d+'), 'PID N'),
         (re.compile(r'[A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 0-9]\d \d\d:\d\d:\d\d'
                     r' \d{4}( \(\w+ ago\)| \(\d+\w+\))?'), 'TIME'),
         (re.compile(r'\(\d+[a-z]\)'), '(AGE)'),
         (re.compile(r'\b\d\d:\d\d\b'), 'HH:MM'),
         (re.compile(r', did you mean: [^ ]*\?'), ''),
         (re.compile(r'/tmp/tmp\w+\.conf'), '/tmp/tmp.conf'),
         (re.compile(r'/tmp/face\w+'), '/tmp/face'),
         (re.compile(r'client-\d+'), 'client-N'),
         (re.compile(r'/face\d*[rt]\d*\b'), '/face')]


def key(name):
    if name in KEYS:
        return KEYS[name]
    if name.startswith('C-'):
        return chr(ord(name[2]) & 31)
    if name.startswith('M-'):
        return '\x1b' + key(name[2:])
    return name


def mouse(button, x, y, up=False):
    return '\x1b[<%d;%d;%d%s' % (button, x + 1, y + 1, 'm' if up else 'M')


# --- scripts -------------------------------------------------------------------

class Script:
    """Steps: ['k', name, bytes to type] with the seconds that follow, for the
    second client 'K'; ['c', command words]; ['z', columns, rows]."""

    def __init__(self, seed, group):
        self.rng = random.Random(seed)
        self.seed = seed
        self.group = group
        self.conf = []
        self.steps = []
        self.cols = self.rng.choice([80, 80, 60, 40, 100])
        self.rows = self.rng.choice([24, 24, 16, 30, 10])
        self.status = self.rng.random() < 0.7
        # Sorting by time would depend on milliseconds; without its filter
        # customize-mode shows options that only one of both has.
        self.avoid = {'buffer': '', 'customize': 'O c'}.get(group, 'O')
        self.top = self.status and self.rng.random() < 0.3
        self.first = None  # the size before the first step that changes it
        self.gap = False  # presses come apart
        self.clients = 1

    def keys(self, *names):
        for n in names:
            self.steps.append(['k', n, key(n)])

    def text(self, text):
        self.steps.append(['k', 'text ' + text, text])

    def mouse(self, button, x, y, up=False):
        # No terminal sends cells beyond its edges.
        x, y = min(x, self.cols - 1), min(y, self.rows - 1)
        self.steps.append(['k', 'mouse %d %d,%d%s' % (
            button, x, y, ' up' if up else ''), mouse(button, x, y, up)])

    def command(self, *words):
        self.steps.append(['c', list(words)])

    def size(self, cols, rows):
        self.first = self.first or (self.cols, self.rows)
        self.cols, self.rows = cols, rows
        self.steps.append(['z', cols, rows])

    def as_json(self):
        cols, rows = self.first or (self.cols, self.rows)
        out = {'seed': self.seed, 'group': self.group, 'cols': cols,
               'rows': rows, 'conf': self.conf, 'steps': self.steps}
        if self.gap:
            out['gap'] = 1
        if self.clients > 1:
            out['clients'] = self.clients
        return out


QUIET = 'stty -echo; exec cat >/dev/null'

# The status line of rmux counts the other clients; this one does not.
ALONE = ('#[align=left]#{T:status-left}#{W:' + ','.join(
    '#[range=window|#{window_index}]#{T:window-status-%sformat}#[norange]'
    '#{?window_end_flag,,#{window-status-separator}}' % kind
    for kind in ('', 'current-')) + '}')

BASE = ['set -g status-right ""', 'set -g status-left "[#S] "',
        'set -sg escape-time 15', 'set -g mouse on', 'set -g allow-rename off',
        'set -g automatic-rename off', 'set -g default-shell /bin/sh',
        'set -g display-time 60000', 'set -g display-panes-time 60000',
        'set -g repeat-time 0', 'set -g theme dark',
        *['set -s dark-theme-%s %s' % (n, c) for n, c in zip(
            ('black', 'white', 'green', 'yellow', 'red', 'blue', 'cyan',
             'magenta', 'light-grey', 'dark-grey'),
            ('black', 'white', 'green', 'yellow', 'red', 'blue', 'cyan',
             'magenta', 'colour250', 'colour238'))],
        'set -g window-status-current-style default',
        'set -g pane-border-style default',
        'set -g pane-active-border-style "fg=green"',
        'set -g mode-style "noattr,bg=yellow,fg=black"',
        'set -g message-style "bg=yellow,fg=black,fill=yellow"',
        'set -g fill-character " "', 'unbind -n WheelUpPane',
        # Keys that tmux leaves free.
        'unbind e', 'unbind h', 'unbind y', 'unbind F',
        'unbind N', 'unbind X', 'unbind Y', 'unbind u', 'unbind U',
        'set -gq prefix-panel-time 0',
        'unbind -n MouseDrag1Pane', 'unbind -n DoubleClick1Pane',
        'unbind -n TripleClick1Pane', 'set -s editor "/bin/cat"',
        'set -g window-status-format "#I:#W"',
        'set -g window-status-current-format "#I:#W*"',
        'set -g set-titles off', 'set -g focus-events off',
        'set -g tree-mode-preview-format "#{?pane_format,p#{pane_index},'
        'w#{window_index}}"',
        # Without the types that ours have.
        'bind . command-prompt "move-window -t \'%%\'"',
        'bind "\'" command-prompt -p index "select-window -t \':%%\'"',
        'set -g default-command "%s"' % QUIET]

WORDS = ['alpha', 'beta', 'gamma', 'delta', 'long-window-name', 'x', 'Zeta',
         'édition', '日本', 'a b', 'omega', 'al', 'test', 'tmp']


def sessions(s, many):
    """Sessions a, b ... with windows and panes that show a text."""
    rng = s.rng
    for i in range(rng.randint(0, many)):
        name = 'abcdefgh'[i] + rng.choice(['', 'ux', 'lpha'])
        s.conf.append('new-session -d -s %s -n "%s" -x %d -y %d '
                      '"printf \'one %d\\n\'; exec $Q"' % (
                          name, rng.choice(WORDS), s.cols, s.rows - s.status, i))
        for j in range(rng.randint(0, 2)):
            s.conf.append('new-window -d -t %s: -n "%s" '
                          '"printf \'two %d\\n\'; exec $Q"' % (
                              name, rng.choice(WORDS), j))
        if rng.random() < 0.5:
            s.conf.append('split-window -d -t %s: %s "exec $Q"' % (
                name, rng.choice(['-h', '-v'])))
    for i in range(rng.randint(0, 2)):
        s.conf.append('split-window -d -t s: %s "printf %d; exec $Q"'
                      % (rng.choice(['-h', '-v']), i))
    for i in range(rng.randint(0, 3)):
        s.conf.append('new-window -d -t s: -n "%s" "printf \'w%d\\n\'; '
                      'exec $Q"' % (rng.choice(WORDS), i))


LIST_KEYS = ['Up', 'Down', 'j', 'k', 'C-n', 'C-p', 'g', 'G', 'PPage', 'NPage',
             'C-b C-b', 'C-f', 'Home', 'End', 'Left', 'Right', 'h', 'l', '-',
             '+', 'M-+', 't', 'T', 'C-t', 'n', 'N', 'c', 'O', 'r', 'v', 'v',
             'Down', 'Down', 'Up']


def list_step(s, own, words, filters):
    rng = s.rng
    pick = rng.random()
    if pick < 0.62:
        s.keys(*rng.choice([k for k in LIST_KEYS
                            if k not in s.avoid.split()]).split())
    elif pick < 0.72 and own:
        s.keys(rng.choice([k for k in own if k not in s.avoid.split()]))
        if s.steps[-1][1] == ':':
            s.text(rng.choice(['set -g @x 1', 'list-x', '']))
            s.keys(rng.choice(['Enter', 'Enter', 'C-c']))
    elif pick < 0.80:
        s.keys(rng.choice(['/', '?', 'C-s']))
        s.text(rng.choice(words))
        s.keys('Enter')
    elif pick < 0.85:
        s.keys('f')
        if s.group == 'customize':
            s.keys('C-u')
        s.text(rng.choice(filters))
        s.keys('Enter')
    elif pick < 0.88:
        # Not F1: our help has more rows.
        s.keys('v', 'v', 'v')
    elif pick < 0.96:
        x, y = rng.randrange(s.cols), rng.randrange(s.rows)
        kind = rng.random()
        if kind < 0.55:
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
        elif kind < 0.85:
            list_menu(s, x, y)
        else:
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
    elif pick < 0.98:
        s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16, 30, 12]))
    else:
        s.keys(rng.choice(['q', 'Escape', 'C-g', 'Enter']))


def list_menu(s, x, y):
    rng = s.rng
    s.mouse(2, x, y)
    for _ in range(rng.randint(0, 3)):
        s.mouse(34, max(x + rng.randint(-3, 3), 0),
                max(y + rng.randint(-1, 8), 0))
    s.mouse(2, max(x + rng.randint(-3, 3), 0), max(y + rng.randint(0, 8), 0),
            True)
    s.keys(rng.choice(['q', 'Escape', 'Enter', 'Down', 'T', 't']))


def flags(s, choices, options=()):
    out = [f for f in choices if s.rng.random() < 0.15]
    for o, values in options:
        if s.rng.random() < 0.15:
            out += [o, s.rng.choice(values)]
    return out


def make_tree(s):
    s.cols, s.rows = max(s.cols, 80), max(s.rows, 24)
    sessions(s, 4)
    if s.rng.random() < 0.15:
        s.conf.append('new-session -d -s grp -t s')
        s.avoid += ' S-Up S-Down'
    s.command('choose-tree', *flags(
        s, ['-s', '-w', '-s', '-w', '-N', '-r', '-Z', '-G', '-h', '-y'],
        [('-O', ['index', 'name', 'z']),
         ('-F', ['#{window_index} x', '#[bold]#{session_name}', '']),
         ('-f', ['#{==:#{session_name},s}', '0', '#{pane_active}',
                 '#{==:#{window_name},beta}']),
         ('-K', ['#{?#{e|<:#{line},5},#{line},}', 'M-#{line}', 'a'])]))
    for _ in range(s.rng.randint(5, 14)):
        list_step(s, ['<', '>', 'm', 'M', 'S-Up', 'S-Down', 'H', 'xyes',
                      'Xno', ':', '3', '1', 'M-a'] if False else
                  ['<', '>', 'S-Up', 'S-Down', 'H', 'x', 'X', ':', '2'],
                  ['a', 'al', 'beta', 'W', 'cat', 'zz', 's'],
                  ['#{==:#{session_name},s}', '#{window_zoomed_flag}',
                   '#{==:#{window_index},0}', '1', '', '#{m:*a*,'
                   '#{window_name}}'])


def make_buffer(s):
    s.cols, s.rows = max(s.cols, 80), max(s.rows, 24)
    sessions(s, 1)
    for i in range(s.rng.randint(0, 9)):
        s.conf.append('set-buffer %s "%s"' % (
            '-b %s' % s.rng.choice(['n1', 'zed', 'alpha', 'q9'])
            if s.rng.random() < 0.4 else '',
            s.rng.choice(['text', 'a\\nb\\nc', 'long ' * 30, 'tab\\tx', 'é日本',
                          '\\e[31mred', 'alpha beta', '#{pid}', '#[bold]x'])))
    s.command('choose-buffer', *flags(
        s, ['-N', '-r', '-Z'],
        [('-O', ['name', 'size']),
         ('-F', ['#{buffer_name} x', '#[bold]#{buffer_size}']),
         ('-f', ['#{==:#{buffer_name},zed}', '0', '#{m:*a*,'
                 '#{buffer_sample}}']),
         ('-K', ['#{?#{e|<:#{line},5},#{line},}', 'M-#{line}'])]))
    for _ in range(s.rng.randint(5, 14)):
        list_step(s, ['d', 'D', 'p', 'P', '1'],
                  ['text', 'alpha', 'zz', 'b', 'buffer'],
                  ['#{==:#{buffer_name},zed}', '#{m:*e*,#{buffer_name}}', '1',
                   '', '#{e|>:#{buffer_size},5}'])


def make_client(s):
    # tmux draws a status line at the top over the preview's line.
    s.conf = [c for c in s.conf if 'position' not in c]
    s.cols, s.rows = max(s.cols, 80), max(s.rows, 24)
    sessions(s, 2)
    # Narrow previews have no arrows.
    s.conf = [c for c in s.conf if not c.startswith('new-window -d -t s:')]
    s.command('choose-client', *flags(
        s, ['-N', '-r', '-Z'],
        [('-O', ['name', 'size', 'creation', 'activity']),
         ('-F', ['#{client_width} x', '#[bold]#{client_session}']),
         ('-f', ['#{client_utf8}', '0']),
         ('-K', ['#{?#{e|<:#{line},5},#{line},}', 'M-#{line}'])]))
    for _ in range(s.rng.randint(4, 10)):
        list_step(s, ['v'], ['pts', 'zz', 's'], ['1', '', '#{client_utf8}'])


# Options that both have, by names that the other's own ones do not match.
SHARED = ['mouse', 'status-left-st*', 'lock-*', 'command-alias', 'mode-*',
          'update-env*', 'message-line', 'word-sep*', 'pane-base*',
          'status-right-style', 'remain-*', 'after-new*', 'alert-*', 'default-*',
          'monitor-a*', '@*', 'window-st*', 'visual-*']


def shared(s):
    rng = s.rng
    pick = rng.random()
    if pick < 0.15:
        return '#{m:[GHS][GHS],#{environment_name}}'
    if pick < 0.3:
        return '#{m:%s,#{key}}' % rng.choice(['F[5-9]', 'M-[0-9]', 'C-b'])
    if pick < 0.4:
        return rng.choice(['0', '#{m:@*,#{option_name}}'])
    if pick < 0.5:
        return '#{||:#{m:%s,#{option_name}},#{m:F8,#{key}}}' % (
            rng.choice(SHARED))
    return '#{m:%s,#{option_name}}' % rng.choice(SHARED)


def make_customize(s):
    rng = s.rng
    s.conf.append('unbind -aq -T move')
    s.rows = max(s.rows, 24)
    s.cols = max(s.cols, 60)
    for text in ('set -g @one 1', 'set -w @two "#[fg=red]x"', 'set @three s',
                 'set -p @four "#{window_index}"', 'set mouse on',
                 'set -g status-left "#S#[bold]x"', 'setenv GG 1',
                 'setenv -g HH "a b"', 'setenv -h SS x', 'setenv -r GS',
                 'set -s command-alias[9] zz=list-keys',
                 'set update-environment[2] ZZ', 'setw mode-keys vi',
                 'set-hook -g after-new-window[3] "list-keys"',
                 'bind -N note -n F8 list-buffers',
                 'bind -r -T copy-mode F9 "set @x a; list-keys"',
                 'set -p remain-on-exit on'):
        if rng.random() < 0.3:
            s.conf.append(text)
    words = flags(s, ['-N', '-Z', '-y'],
                  [('-F', ['#{option_name}', 'v=#{option_value}',
                           '#{option_scope}|#{option_is_global}'])])
    if '-F' in words:
        # tmux has no name before such a text of a key.
        s.command('customize-mode', *words, '-f', '#{is_option}' if 0 else
                  '#{m:%s,#{option_name}}' % rng.choice(SHARED))
    else:
        s.command('customize-mode', *words, '-f', shared(s))
    if rng.random() < 0.6:
        s.keys('M-+')
    for _ in range(rng.randint(5, 14)):
        pick = rng.random()
        if pick < 0.35:
            s.keys(rng.choice(['Enter', 's', 'S', 'w', 'd', 'D', 'u', 'U',
                               'a', 'Enter', 's', 'a']))
            if s.steps[-1][1] in 'dDuU':
                # Each reads one key, if it asks at all.
                s.keys(rng.choice(['y', 'n', 'y']))
            else:
                if rng.random() < 0.2:
                    s.keys('C-u')
                # A number would choose a line where there is no prompt.
                s.text(rng.choice(['zz', 'A', 'Y y', '=Q', 'AB=b x']))
                s.keys(rng.choice(['Enter', 'Enter', 'C-c']))
                # Enter may have opened a prompt: end it.
                s.keys('C-c')
        elif pick < 0.42:
            s.keys('f', 'C-u')
            s.text(shared(s))
            s.keys('Enter')
        else:
            list_step(s, ['v'], ['mouse', 'status', 'mode', 'zz', 'time'],
                      ['#{m:mouse,#{option_name}}',
                       '#{m:status-left-s*,#{option_name}}'])


def make_switch(s):
    s.cols = max(s.cols, 80)
    sessions(s, 4)
    s.command('switch-mode', *flags(
        s, ['-s', '-w', '-w', '-w', '-Z'],
        [('-F', ['#{window_index} x', '#[bold]#{session_name}'])]))
    for _ in range(s.rng.randint(4, 12)):
        s.keys(s.rng.choice(['a', 'b', 'l', 'e', 's', 'Up', 'Down', 'Up',
                             'Down', 'BSpace', 'BSpace', 'C-u', 'x',
                             '0', ':',
                             'G', 'o', 't']))
    if s.rng.random() < 0.4:
        s.keys(s.rng.choice(['Enter', 'Escape', 'C-c', 'C-g']))


STYLES = ['fg=red', 'bg=blue,fg=yellow', 'bold', 'reverse', 'default',
          'bg=colour22', 'fg=#123456,underscore', 'bg=themegreen']
LINES = ['single', 'double', 'heavy', 'simple', 'rounded', 'padded', 'none']
PLACES = ['C', 'R', 'P', 'M', 'L', 'W', 'S', '0', '5', '200', '-3',
          '#{popup_width}', '#{popup_height}',
          '#{popup_centre_x}', '#{popup_pane_left}', '#{popup_pane_top}',
          '#{popup_pane_right}', '#{popup_pane_bottom}', '#{popup_mouse_x}',
          '#{popup_mouse_top}', '#{popup_mouse_bottom}',
          '#{popup_mouse_centre_y}', '#{popup_status_line_y}',
          '#{popup_window_status_line_x}', '#{popup_window_status_line_y}']
ITEMS = ['One', 'Two words', '-Off', 'Third #{window_index}', '日本語 wide',
         '#[fg=red]Red', '#[align=right]right', 'Long item text that goes on '
         'and on and on until it ends', 'x', '#{?0,yes,}', '-#[bold]dim',
         'a#[bold]b#[default]c', '##', '#{session_name}']
ITEM_KEYS = ['', '', '1', 'a', 'b', 'q', 'C-x', 'M-z', 'Enter', 'F3', 'j',
             'none?', 'Space', 'S-Up']


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


def menu_command(s):
    rng = s.rng
    words = ['display-menu']
    for f in ('-O', '-M'):
        if rng.random() < 0.25:
            words.append(f)
    for o, values in (('-b', LINES), ('-H', STYLES), ('-s', STYLES),
                      ('-S', STYLES), ('-T', ['title', '#[align=centre]#S',
                                              '#[fg=red]t', '', 'a longer '
                                              'title of a menu']),
                      ('-C', ['0', '1', '3', '99', '-'])):
        if rng.random() < 0.25:
            words += [o, rng.choice(values)]
    for o in ('-x', '-y'):
        if rng.random() < 0.8:
            words += [o, rng.choice(PLACES)]
    words.append('--')
    count = rng.choice([1, 3, 5, 5, 8])
    for i in range(count):
        if rng.random() < 0.2:
            words.append('')
            continue
        words += [rng.choice(ITEMS), rng.choice(ITEM_KEYS),
                  'set -g @did%d "#{window_index}"' % i]
    if words[-1] == '':
        words += ['End', '', 'set -g @did x']
    return ' '.join(quote(w) for w in words)


MENU_KEYS = ['Up', 'Down', 'j', 'k', 'PPage', 'NPage', 'Home',
             'End', 'g', 'G', 'Tab', 'BTab', 'Down', 'Up', '1', 'a', 'x',
             'Enter', 'q', 'Escape', 'C-c', 'C-g', 'Left', 'Right', 'Space']


def make_menu(s):
    rng = s.rng
    s.rows = max(s.rows, 16)
    sessions(s, 1)
    for o, values in (('menu-style', STYLES), ('menu-border-style', STYLES),
                      ('menu-selected-style', STYLES),
                      ('menu-border-lines', LINES)):
        if rng.random() < 0.15:
            s.conf.append('set -g %s %s' % (o, rng.choice(values)))
    builtin = rng.random() < 0.3
    if not builtin:
        s.conf.append('bind -n F5 ' + menu_command(s))
        s.conf.append('bind -n F6 ' + menu_command(s))
        for where in ('Pane', 'Status', 'StatusLeft', 'Border'):
            s.conf.append('bind -n MouseDown3%s %s' % (where,
                                                       menu_command(s)))
    for _ in range(rng.randint(1, 4)):
        x, y = rng.randrange(s.cols), rng.randrange(s.rows)
        held = False
        if builtin:
            pick = rng.random()
            if pick < 0.25:
                s.keys('C-b')
                s.keys(rng.choice('<>'))
            else:
                if pick < 0.6:
                    y = 0 if s.top else s.rows - 1
                    x = rng.choice([0, 1, 4, 5, 6, 9])
                s.mouse(2 + (8 if rng.random() < 0.2 else 0), x, y)
                held = True
        elif rng.random() < 0.5:
            s.keys(rng.choice(['F5', 'F6']))
        else:
            if rng.random() < 0.3:
                y = 0 if s.top else s.rows - 1
                x = rng.choice([0, 1, 4, 5, 6, 9])
            s.mouse(2, x, y)
            held = True
        for _ in range(rng.randint(0, 5)):
            pick = rng.random()
            nx = min(max(x + rng.randint(-6, 12), 0), s.cols - 1)
            ny = min(max(y + rng.randint(-8, 8), 0), s.rows - 1)
            if held and pick < 0.6:
                s.mouse(34, nx, ny)
            elif not held and pick < 0.25:
                s.mouse(rng.choice([35, 0, 64, 65]), nx, ny)
                if rng.random() < 0.5:
                    s.mouse(0, nx, ny, True)
            elif held and pick < 0.8:
                s.mouse(2, nx, ny, True)
                held = False
            else:
                s.keys(rng.choice(MENU_KEYS))
        if held:
            s.mouse(2, x, y, True)
        if rng.random() < 0.1:
            s.size(rng.choice([80, 60, 40]), rng.choice([24, 16, 12]))
        s.keys(rng.choice(['q', 'Escape', 'Enter']))
    s.command('show-options', '-g', '@did1')


def popup_command(s):
    rng = s.rng
    words = ['display-popup']
    for f in ('-B', '-E', '-EE', '-k', '-N'):
        if rng.random() < 0.2:
            words.append(f)
    for o, values in (('-b', LINES[:5]), ('-s', STYLES), ('-S', STYLES),
                      ('-T', ['title', '#[align=centre]#S', '#[fg=red]t',
                              'long title ' * 12]),
                      ('-d', ['/', '/tmp', '/nonexistent']),
                      ('-e', ['A=b', 'PS1=x', 'nothing']),
                      ('-w', ['10', '50%', '100%', '9', '200', '0', 'x']),
                      ('-h', ['5', '50%', '100%', '3', '200'])):
        if rng.random() < 0.3:
            words += [o, rng.choice(values)]
    for o in ('-x', '-y'):
        if rng.random() < 0.5:
            words += [o, rng.choice(PLACES)]
    words.append(rng.choice([
        'cat', 'printf "hello\\nworld"', 'exit 3', 'true', 'pwd; echo $A; cat',
        'printf "\\033[31mred\\033[44m blue"; cat',
        'stty raw -echo; printf "\\033[?1000h\\033[?1006hgo"; cat -v',
        'seq 40; cat', 'printf "\\033]2;title\\007x"; cat',
        'stty raw -echo; printf "\\033[?2004hgo"; cat -v']))
    return ' '.join(quote(w) for w in words)


def make_popup(s):
    rng = s.rng
    sessions(s, 1)
    for o, values in (('popup-style', STYLES),
                      ('popup-border-style', STYLES),
                      ('popup-border-lines', LINES[:5])):
        if rng.random() < 0.15:
            s.conf.append('set -g %s %s' % (o, rng.choice(values)))
    s.conf.append('set-buffer "pasted text"')
    s.conf.append('bind -n F5 ' + popup_command(s))
    s.conf.append('bind -n F6 ' + popup_command(s))
    for _ in range(rng.randint(1, 3)):
        s.keys(rng.choice(['F5', 'F6']))
        for _ in range(rng.randint(0, 6)):
            pick = rng.random()
            x, y = rng.randrange(s.cols), rng.randrange(s.rows)
            if pick < 0.3:
                s.text(rng.choice(['abc', 'x', 'q', 'ls']))
            elif pick < 0.4:
                s.keys(rng.choice(['Enter', 'Up', 'C-d', 'M-x', 'F1']))
            elif pick < 0.8:
                # No drags, nor the right button: tmux 3.8's popups stay.
                s.mouse(1, x, y)
                s.mouse(1, x, y, True)
                s.keys(rng.choice(['q', 'p', 'F', 'C', 'h', 'v', 'Down']))
            elif pick < 0.87:
                s.size(rng.choice([80, 60, 40, 100]),
                       rng.choice([24, 16, 12]))
            elif pick < 0.93:
                s.text('\x1b[200~in\x1b[201~')
            else:
                s.mouse(rng.choice([0, 64, 65]), x, y)
                s.mouse(0, x, y, True)
        s.keys(rng.choice(['Escape', 'C-c', 'q']))
        if rng.random() < 0.5:
            s.command('display-popup', '-C')


def make_panes(s):
    rng = s.rng
    s.cols, s.rows = max(s.cols, 80), max(s.rows, 24)
    for i in range(rng.randint(0, 5)):
        # With a blank the cursor is not behind the right edge.
        s.conf.append('split-window -d -t s:0.%d %s "echo %d; exec '
                      '$Q"' % (rng.randint(0, i), rng.choice(['-h', '-v']),
                                i))
    if rng.random() < 0.5:
        s.conf.append('select-layout -t s: %s' % rng.choice(
            ['tiled', 'even-vertical', 'main-vertical']))
    for o, values in (('display-panes-colour', ['green', '#ff0000']),
                      ('display-panes-active-colour', ['yellow']),
                      ('display-panes-format', ['#{pane_id}', 'x'])):
        if rng.random() < 0.2:
            s.conf.append('set -g %s "%s"' % (o, rng.choice(values)))
    s.conf.append('bind -n F5 display-panes %s' % ' '.join(
        quote(w) for w in flags(s, ['-N', '-Z'], [('-d', ['0', '20000'])])))
    s.conf.append('bind -n F6 display-panes "set -g @did \'%%\'"')
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.3:
            s.keys('C-b', 'q')
        else:
            s.keys(rng.choice(['F5', 'F6']))
        if rng.random() < 0.2:
            s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16, 12]))
        if rng.random() < 0.3:
            x, y = rng.randrange(s.cols), rng.randrange(s.rows)
            s.mouse(0, x, y)
            s.mouse(0, x, y, True)
        for _ in range(rng.randint(0, 2)):
            s.keys(rng.choice(['0', '1', '2', '5', 'a', 'Escape', 'x', 'q',
                               'Down']))
    s.keys('Escape')


PROMPT_KEYS = ['Left', 'Right', 'Home', 'End', 'BSpace', 'C-a', 'C-e', 'C-b',
               'C-f', 'C-k', 'C-u', 'C-w', 'C-t', 'C-y', 'C-d', 'M-b', 'M-f',
               'Up', 'Tab', 'DC', 'C-h', 'S-Up', 'F1']
VI_KEYS = ['h', 'l', 'w', 'b', 'e', 'W', 'B', 'E', '0', '$', '^', 'x', 'X',
           'D', 'd', 'p', 'i', 'a', 'A', 'I', 'k', 'C', 's', 'S', 'BSpace']


def prompt_command(s, answer):
    rng = s.rng
    words = ['command-prompt']
    words += flags(s, ['-e', '-F', '-l', '-C', '-P'])
    if rng.random() < 0.3:
        words.append(rng.choice(['-1', '-k', '-N', '-i']))
    for o, values in (('-I', ['text', 'two words', '1,2', '#S', '7', 'é日本',
                              'a-b c_d']),
                      ('-p', ['ask', 'one,two', '#[fg=red]red', 'a,b,c',
                              '(#S)', '日本']),
                      ('-T', ['command', 'search'])):
        if rng.random() < 0.4:
            words += [o, rng.choice(values)]
    if rng.random() < 0.9:
        words.append(rng.choice([
            "set -g %s '%%%%'" % answer, 'set -g %s "%%1 %%2"' % answer,
            'set -g %s "%%%%%%"' % answer, "set -ag %s '<%%1>'" % answer]))
    return ' '.join(quote(w) for w in words)


def confirm_command(s):
    rng = s.rng
    words = ['confirm-before']
    if rng.random() < 0.2:
        words.append('-y')
    for o, values in (('-c', ['y', 'x', 'Y', ' ']),
                      ('-p', ['sure?', '#[fg=red]#S?', '日本 (y/n)'])):
        if rng.random() < 0.4:
            words += [o, rng.choice(values)]
    words.append('set -g @sure %d' % rng.randrange(9))
    return ' '.join(quote(w) for w in words)


def prompt_keys(s, vi):
    rng = s.rng
    if any("'-%s'" % f in ' '.join(s.conf) for f in '1kN'):
        # Each key may end the prompt.
        s.keys(rng.choice(['7', 'a', 'x']))
        return
    narrow = any("'-i'" in c for c in s.conf)
    for _ in range(rng.randint(1, 9)):
        pick = rng.random() * (0.45 if narrow else 1)
        if pick < 0.45:
            s.text(rng.choice(['a', 'bc d', 'list-w', 'x_y-z', 'é', '日', '12',
                               "it's", '"q"', 'kill', ' ', 'set -g ']))
        elif vi and pick < 0.75:
            if rng.random() < 0.3:
                s.keys('Escape')
            s.keys(rng.choice(VI_KEYS))
        elif pick < 0.92:
            s.keys(rng.choice(PROMPT_KEYS))
        elif pick < 0.95:
            s.text('\x1b[200~in serted\x1b[201~')
        else:
            s.keys(rng.choice(['C-c', 'C-g', 'Enter']))


def make_prompt(s):
    rng = s.rng
    s.cols = max(s.cols, 60)
    sessions(s, 1)
    vi = rng.random() < 0.35
    s.conf.append('set -g status-keys %s' % ('vi' if vi else 'emacs'))
    for o, values in (('message-line', ['0', '1']),
                      ('word-separators', [' -', '" _"', '""']),
                      ('prompt-cursor-style', ['bar']),
                      ('status-justify', ['centre'])):
        if rng.random() < 0.15:
            s.conf.append('set -g %s %s' % (o, quote(rng.choice(values))))
    s.conf.append('set-buffer "buf fer\\nx"')
    s.conf.append('bind -n F5 ' + prompt_command(s, '@did'))
    s.conf.append('bind -n F6 ' + prompt_command(s, '@was'))
    s.conf.append('bind -n F7 ' + confirm_command(s))
    for _ in range(rng.randint(1, 4)):
        pick = rng.random()
        if pick < 0.2:
            s.keys('C-b', rng.choice([':', ',', '$', '.', '&', 'x', "'", 'T']))
        else:
            s.keys(rng.choice(['F5', 'F6', 'F5', 'F6', 'F7']))
        if s.steps[-1][1] in ('F7', '&', 'x'):
            s.keys(rng.choice(['y', 'n', 'q', 'Enter', 'Escape', 'x', 'C-c',
                               'Space', 'Y']))
            continue
        prompt_keys(s, vi)
        if rng.random() < 0.1:
            s.size(rng.choice([80, 60, 100]), rng.choice([24, 16, 12]))
        s.keys(rng.choice(['Enter', 'Enter', 'Enter', 'C-c']))
        if vi:
            s.keys('C-c')
    s.command('show-options', '-gqv', '@did')
    s.command('show-options', '-gqv', '@was')
    s.command('show-options', '-gqv', '@sure')


def float_command(s):
    rng = s.rng
    pick = rng.random()
    if pick < 0.4:
        words = ['new-pane']
        words += [f for f in ['-A', '-C', '-D', '-d', '-k', '-L', '-O', '-b',
                              '-f', '-h', '-v'] if rng.random() < 0.1]
        for o, values in (('-x', ['10', '20', '50%', '100%', '2', '200']),
                          ('-y', ['3', '6', '50%', '100%', '1', '60']),
                          ('-X', ['0', '5', '25%', '-2', '70', '100%']),
                          ('-Y', ['0', '3', '25%', '-1', '18', '100%']),
                          ('-B', LINES), ('-s', STYLES), ('-S', STYLES),
                          ('-R', STYLES), ('-T', ['title', '#[fg=red]t']),
                          ('-m', ['bye']), ('-l', ['5', '30%']),
                          ('-p', ['20'])):
            if rng.random() < 0.25:
                words += [o, rng.choice(values)]
        return words + ["echo in; stty -echo; exec cat >/dev/null"]
    if pick < 0.5:
        return ['break-pane', '-W'] + flags(s, ['-d'], [
            ('-x', ['20', '50%']), ('-y', ['5', '50%']),
            ('-X', ['3', '10%']), ('-Y', ['2', '20%'])])
    if pick < 0.6:
        return ['join-pane'] + flags(s, ['-d', '-h', '-v', '-b', '-f']) + [
            '-s', 's:.%d' % rng.randrange(3), '-t', 's:.%d' % rng.randrange(3)]
    if pick < 0.68:
        return ['swap-pane'] + flags(s, ['-d', '-Z']) + [
            '-s', 's:.%d' % rng.randrange(3), '-t', 's:.%d' % rng.randrange(3)]
    if pick < 0.82:
        return ['move-pane', *rng.choice([
            ['-P', rng.choice(['top-left', 'centre', 'bottom-right', 'front',
                               'back', 'top-centre', 'centre-left'])],
            ['-L'], ['-R', '5'], ['-U', '2'], ['-D', '3'],
            ['-X', '10', '-Y', '4'], ['-z', '1']])]
    return rng.choice([
        ['resize-pane', '-Z'], ['resize-pane', '-x', '30'],
        ['resize-pane', '-R', '4'], ['resize-pane', '-D', '-2'],
        ['select-pane', '-t', 's:.%d' % rng.randrange(3)],
        ['select-pane', '-m'], ['kill-pane'], ['select-layout', 'tiled'],
        ['split-window', '-h', 'stty -echo; exec cat >/dev/null'],
        ['set', '-g', 'pane-border-status', rng.choice(['top', 'bottom',
                                                         'off'])],
        ['set', '-g', 'pane-border-lines', rng.choice(LINES[:5])]])


def make_float(s):
    rng = s.rng
    s.cols, s.rows = max(s.cols, 60), max(s.rows, 16)
    s.conf.append('set -g remain-on-exit on')
    for i in range(rng.randint(0, 2)):
        s.conf.append('split-window -d -t s: %s "echo %d; exec $Q"' % (
            rng.choice(['-h', '-v']), i))
    for _ in range(rng.randint(3, 9)):
        if rng.random() < 0.75:
            s.command(*float_command(s))
            continue
        x, y = rng.randrange(s.cols), rng.randrange(s.rows)
        s.mouse(0, x, y)
        if rng.random() < 0.5:
            nx = min(max(x + rng.randint(-9, 9), 0), s.cols - 1)
            ny = min(max(y + rng.randint(-5, 5), 0), s.rows - 1)
            s.mouse(32, nx, ny)
            x, y = nx, ny
        s.mouse(0, x, y, True)
    s.command('list-panes', '-F', '#{pane_index} #{pane_width}x#{pane_height}'
              '+#{pane_left}+#{pane_top} #{pane_flags}#{pane_z}')


def make_bars(s):
    rng = s.rng
    s.cols, s.rows = max(s.cols, 40), max(s.rows, 12)
    s.conf = [c for c in s.conf if 'position' not in c]
    # Lines may have times; and the defaults differ.
    s.conf.append('set -g copy-mode-position-format '
                  '"#[align=right][#{copy_position}/#{copy_position_limit}]"')
    s.conf.append('set -g pane-scrollbars-style "bg=black,fg=white,width=1,'
                  'pad=0"')
    s.conf.append('set -g status-position %s' % rng.choice(['top', 'bottom']))
    s.conf.append('set -g pane-scrollbars %s' % rng.choice(
        ['on', 'modal', 'on', 'auto-hide', 'off']))
    for o, values in (('pane-scrollbars-position', ['left', 'right']),
                      ('pane-scrollbars-style', [
                          'fg=red,bg=blue,width=2,pad=1', 'width=3',
                          'bg=green,pad=2', 'fg=cyan,width=1,pad=0']),
                      ('pane-scrollbars-timeout', ['0', '60000']),
                      ('pane-border-status', ['top', 'bottom']),
                      ('status-style', ['bg=blue,fg=white'])):
        if rng.random() < 0.3:
            s.conf.append('set -g %s %s' % (o, rng.choice(values)))
    for i in range(rng.randint(0, 3)):
        s.conf.append('new-window -d -t s: -n "%s" "exec $Q"' % (
            rng.choice(WORDS)))
    lines = rng.choice([5, 30, 100, 400])
    s.conf.append('split-window -t s: %s "seq %d; exec $Q"' % (
        rng.choice(['-h', '-v']), lines))
    if rng.random() < 0.4:
        s.conf.append('split-window -d -t s: %s "seq 60; exec $Q"' % (
            rng.choice(['-h', '-v'])))
    for _ in range(rng.randint(3, 9)):
        pick = rng.random()
        if pick < 0.3:
            s.command(*rng.choice([
                ['copy-mode'], ['copy-mode', '-u'], ['copy-mode', '-q'],
                ['send-keys', '-X', 'page-up'],
                ['send-keys', '-X', 'history-top'],
                ['send-keys', '-X', 'cancel'], ['resize-pane', '-Z'],
                ['select-pane', '-t', '.+'], ['next-window'],
                ['set', '-g', 'status', rng.choice(['on', 'off', '2'])],
                ['set', '-g', 'status-position', rng.choice(
                    ['top', 'bottom'])],
                ['set', '-g', 'pane-scrollbars', rng.choice(
                    ['on', 'off', 'modal'])]]))
        elif pick < 0.5:
            s.keys(*rng.choice([['C-b', '['], ['PPage'], ['Up'], ['q'],
                                ['C-b', 'z'], ['C-b', 'o']]))
        elif pick < 0.6:
            s.size(rng.choice([80, 60, 40, 100]), rng.choice([24, 16, 30]))
        else:
            x = rng.choice([0, 1, s.cols - 1, s.cols - 2, s.cols // 2 - 1,
                            s.cols // 2, rng.randrange(s.cols)])
            y = rng.randrange(s.rows)
            s.mouse(0, x, y)
            if rng.random() < 0.6:
                y = min(max(y + rng.randint(-6, 6), 0), s.rows - 1)
                s.mouse(32, x, y)
            s.mouse(0, x, y, True)


def make_find(s):
    s.cols, s.rows = max(s.cols, 80), max(s.rows, 24)
    sessions(s, 3)
    s.command('find-window', *flags(s, ['-C', '-N', '-T', '-i', '-r', '-Z']),
              s.rng.choice(['al', 'one', 'p0', 'BETA', 'a.*a', '*', 'zz',
                            'w[01]', '', '日', 'cat']))
    for _ in range(s.rng.randint(2, 6)):
        list_step(s, ['c'], ['a', 'be'], ['1', ''])


def make(seed, groups):
    group = groups[seed % len(groups)]
    s = Script(seed, group)
    if not s.status:
        s.conf.append('set -g status off')
    if s.top:
        s.conf.append('set -g status-position top')
    if group == 'two':
        s.conf.append("set -g status-format[0] '%s'" % ALONE)
    maker = 'make_' + group
    (globals().get(maker) or getattr(face_mouse, maker))(s)
    return s.as_json()


# --- playing -------------------------------------------------------------------

class Outer:
    """The terminals: one session for each side."""

    def __init__(self, names, program='tmux', first=True):
        self.base = [program, '-L', 'face%d' % os.getpid(), '-f', '/dev/null']
        self.names = names
        self.second = False  # a second client of each
        self.pressed = 0
        if not first:
            return
        self.run('new-session', '-d', '-s', 'keep', 'cat', ';',
                 'set', '-g', 'status', 'off', ';', 'set', '-sg',
                 'escape-time', '0', ';', 'set', '-g', 'remain-on-exit', 'on',
                 ';', 'set', '-g', 'history-limit', '0')

    def run(self, *words):
        r = subprocess.run(self.base + list(words), capture_output=True,
                           check=False, timeout=60)
        if r.returncode != 0:
            sys.stderr.write(r.stderr.decode('utf-8', 'replace'))
        return r.stdout.decode('utf-8', 'replace')

    def start(self, name, cols, rows, command):
        self.run('new-session', '-d', '-s', name, '-x', str(cols), '-y',
                 str(rows), command)

    def stop(self):
        for n in self.terminals():
            self.run('kill-session', '-t', n)

    def terminals(self):
        return [n + c for n in self.names for c in ['', 'b'][:1 + self.second]]

    def size(self, cols, rows):
        for n in self.names:
            self.run('resize-window', '-t', n + ':', '-x', str(cols), '-y',
                     str(rows))

    def type(self, data, which=''):
        words = []
        codes = ['%02x' % b for b in data.encode()]
        for n in self.names:
            words += ['send-keys', '-t', n + which + ':', '-H'] + codes + [';']
        self.run(*words[:-1])

    def screens(self):
        """A look for each side."""
        words = []
        for n in self.terminals():
            words += ['display-message', '-p', '-t', n + ':',
                      '@@@#{cursor_x},#{cursor_y},#{cursor_flag}', ';',
                      'capture-pane', '-ep', '-t', n + ':', ';']
        out = [self.plain(t) for t in self.run(*words[:-1]).split('@@@')[1:]]
        n = 1 + self.second
        return ['\n'.join(out[i:i + n]) for i in range(0, len(out), n)]

    @staticmethod
    def plain(text):
        cursor, _, cells = text.partition('\n')
        # How tmux writes C-t there.
        cells = re.sub(r'Tag All( +)\(\[DC4\]\)', r'Tag All\1  (C-t)', cells)
        out = look(cells).replace('rmux', 'tmux').replace('RMUX', 'TMUX')
        for pattern, word in MASKS:
            out = pattern.sub(word, out)
        if 'This is a' in out:
            out = Outer.described(out)
        out = re.sub(r'(\n *\d+\|)+\n*$', '', out).rstrip('\n')
        if cursor.endswith(',0'):
            cursor = 'off'
        if Outer.has_message(out, cursor):
            cursor = 'message'
        return 'cursor %s\n%s' % (cursor, out)

    @staticmethod
    def described(out):
        """customize-mode: without the text about an option, which is ours."""
        rows = out.split('\n')
        top = next((i for i, r in enumerate(rows)
                    if re.match(r' *\d+\|(.*\|)?┌ ', r)), None)
        said = next((i for i, r in enumerate(rows) if re.search(
            r'│ This is (a|an) .*(option|hook)\.', r)), None)
        if top is None or said is None:
            return out
        kept = rows[:top + 1] + ['(description)']
        box = [re.sub(r'^ *\d+\|', '', r) for r in rows[said:]
               if not r.startswith('     ')]
        # Counts of hooks; and the last rows may be cut.
        box = [r for r in box if not re.search(
            r'has been fired|^[│ ]*$|^└|style option|colour option', r)]
        return '\n'.join(kept + box[:5])

    @staticmethod
    def has_message(out, cursor):
        """Whether a message, not a prompt, is on the first or last line."""
        rows = [m for m in re.finditer(r'^ *(\d+)\|(.*)\n +0-\d+ bg=i3',
                                       out, re.M)]
        if not rows or (rows[-1].group(1) != rows[0].group(1)):
            return False
        at = cursor.split(',')
        return len(at) < 2 or at[1] != rows[0].group(1)

    def end(self):
        self.run('kill-server')


class Side:
    def __init__(self, program, name):
        self.program = program
        self.name = name
        self.base = [program, '-L', 'face%d%s' % (os.getpid(), name)]
        self.waiting = []

    def run(self, *words):
        p = subprocess.Popen(self.base + list(words), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            out, _ = p.communicate(timeout=4)
            return out.decode('utf-8', 'replace')
        except subprocess.TimeoutExpired:
            self.waiting.append(p)
            return 'waits\n'

    def start(self, script):
        conf = tempfile.NamedTemporaryFile('w', suffix='.conf', delete=False)
        first = 'new-session -d -s s -n first -x %d -y %d "exec $Q"' % (
            script['cols'], script['rows'] - (
                'set -g status off' not in script['conf']))
        conf.write(('\n'.join(BASE + [first] + script['conf']) + '\n').replace(
            'exec $Q', QUIET))
        conf.close()
        self.conf = conf.name
        return self.run('-f', conf.name, 'start-server', ';', 'list-sessions')

    def attach(self):
        return 'exec env -u TMUX -u TMUX_PANE TERM=xterm-256color %s attach ' \
            '-t s' % ' '.join(self.base)

    def end(self):
        self.run('kill-server')
        for p in self.waiting:
            try:
                p.wait(timeout=3)
            except subprocess.TimeoutExpired:
                p.kill()
        self.waiting = []
        os.unlink(self.conf)


def settled(outer, good, seconds):
    """Screens that are as GOOD wants them, or the last ones."""
    end = time.time() + seconds
    while True:
        screens = outer.screens()
        if good(screens) or time.time() > end:
            return screens
        time.sleep(0.03)


def started(side, seconds):
    """Waits until no pane has a shell that starts the pane's program."""
    end = time.time() + seconds
    while time.time() < end:
        names = side.run('list-panes', '-a', '-F',
                         '#{pane_dead}#{pane_current_command}').split()
        if not {'0sh', '0dash', '0stty', '0seq', '0sed'} & set(names):
            return
        time.sleep(0.03)


def start_all(outer, sides, script):
    for s in sides:
        s.start(script)
    outer.second = script.get('clients', 1) > 1
    for s in sides:
        for name in [s.name, s.name + 'b'][:1 + outer.second]:
            if name != s.name:
                # The first one comes first.
                settled(outer, lambda x, i=sides.index(s): len(x[i]) > 60, 3)
            outer.start(name, script['cols'], script['rows'], s.attach())


PRESS = re.compile(r'\x1b\[<([0-9]+);[0-9]+;[0-9]+M')


def wait_gap(outer, data):
    """Waits until a press is not the second click of another."""
    m = PRESS.match(data)
    if m and not int(m.group(1)) & 0x60:
        time.sleep(max(0, outer.pressed + 0.36 - time.time()))
        outer.pressed = time.time()


def do_step(outer, sides, step, gap=False):
    """What commands print; a resize is known by its kind."""
    if step[0] in 'kK':
        if gap:
            wait_gap(outer, step[2])
        outer.type(step[2], 'b' if step[0] == 'K' else '')
        if len(step) > 3:
            time.sleep(step[3])
            outer.pressed = 0
        if step[2] == '\x1b':
            # tmux waits longer while the terminal owes it answers.
            time.sleep(0.05 if len(sides) == 1 else 0.6)
        return None
    if step[0] == 'z':
        outer.size(step[1], step[2])
        return None
    return [re.sub(r'/face\d+[rt]\b', '/face', re.sub(
        'rmux', 'tmux', s.run(*step[1]))) for s in sides]


def label(step):
    return ' '.join(str(w) for w in (step[1] if step[0] == 'c' else step[:2]))


def digest(screen):
    """Of the cursor and the text: how tmux captures blanks is its own."""
    rows = [r.rstrip() for r in screen.split('\n')
            if not r.startswith('     ')]
    return hashlib.sha256('\n'.join(rows).encode()).hexdigest()[:10]


def play_both(outer, sides, script, verbose):
    """None, or (number of the step, screens)."""
    same = lambda screens: len(set(screens)) == 1  # noqa: E731
    script['sums'] = []
    start_all(outer, sides, script)
    screens = settled(outer, lambda x: same(x) and 'cursor off' not in x[0]
                      and len(x[0]) > 60, 3)
    try:
        if not same(screens) or any('Pane is dead' in x for x in screens):
            return -1, screens
        before = screens[1]
        names = [s.run('display-message', '-p', '#{client_name}')
                 for s in sides]
        if script['group'] == 'client' and len(names[0]) != len(names[1]):
            return -2, names
        for i, step in enumerate(script['steps']):
            said = do_step(outer, sides, step, 'gap' in script)
            if said is not None and hidden_sizes(step, said):
                del script['steps'][i:]
                script['why'] = 'the size of a window that no client shows'
                return None
            if said is not None and not same(said):
                return i, said
            # Programs of popups print before anything is typed to them.
            slow = script['group'] == 'popup' and step[1] in ('F5', 'F6')
            time.sleep(0.4 if slow else 0.04)
            # A drag at the edge scrolls on.
            patience = 4 if 'gap' in script else 1.5
            screens = settled(outer, same, patience)
            if same(screens):
                # One of them may have been late.
                time.sleep(0.04)
                screens = settled(outer, same, patience)
            if verbose:
                print('--- %s\n%s' % (label(step), screens[1]))
            why = None if same(screens) else explained(
                screens, script, step, before)
            before = screens[1]
            if why:
                # What follows is not looked at.
                del script['steps'][i:]
                script['why'] = why
                return None
            if not same(screens):
                return i, screens
            script['sums'].append(digest(screens[1]))
    finally:
        outer.stop()
        for s in sides:
            s.end()
    return None


JOINTS = str.maketrans('├┤┬┴┼', '│││││')


ANY_LINE = str.maketrans('├┤┬┴┼─│', '+' * 7)
LOOK = re.compile(r'^     .*\n?', re.M)
CUT = re.compile(r'(\|.*?) *\[[0-9]*(/[0-9]*)?$', re.M)
WHOLE = re.compile(r'(\|.*?) *\[[0-9]+/[0-9]+\]$', re.M)


def beyond_popup(ours, theirs):
    """Whether only the cursor differs, and tmux's is on a frame."""
    (our_at, ours), (at, theirs) = (x.split('\n', 1) for x in (ours, theirs))
    m = re.match(r'cursor (\d+),(\d+),1$', at)
    if ours != theirs or not m:
        return False
    x, y = int(m.group(1)), int(m.group(2))
    row = re.search(r'^ *%d\|(.*)' % y, theirs, re.M)
    cells = ''.join(c + '\0' * (unicodedata.east_asian_width(c) in 'WF')
                    for c in row.group(1)) if row else ''
    return our_at == 'cursor %d,%d,1' % (x - 1, y) and (
        cells[x:x + 1] in '│║┃|')


def beside_prompt(ours, theirs):
    """Whether only the cursor of a client with a prompt differs."""
    at = re.compile(r'^cursor .*', re.M)
    return at.sub('', ours) == at.sub('', theirs) and all(
        a == b or b == 'cursor message'
        for a, b in zip(at.findall(ours), at.findall(theirs)))


def same_cut(ours, theirs):
    """Whether tmux has the same text but for a position that it cuts."""
    ours, theirs = (LOOK.sub('', x).split('\n') for x in (ours, theirs))
    return len(ours) == len(theirs) and all(
        a == b or WHOLE.search(a) and CUT.search(b) and
        WHOLE.sub(r'\1', a) == CUT.sub(r'\1', b)
        for a, b in zip(ours[1:], theirs[1:]))


def shades(screen):
    """Without joints of lines and the colours of numbers."""
    return re.sub(r'(fg|bg)=(i[1-4]|rgb255-0-0)\b', r'\1=N',
                  screen.translate(ANY_LINE))


def hidden_sizes(step, said):
    """Whether lists of windows differ only in the sizes of hidden ones."""
    if step[1][0] != 'list-windows' or said[0] == said[1]:
        return False
    ours, theirs = (x.split('\n') for x in said)
    size = re.compile(r'"[whxy]":\d+')
    return len(ours) == len(theirs) and all(
        a == b or ' * ' not in a and ' *Z ' not in a and
        size.sub('', a) == size.sub('', b) for a, b in zip(ours, theirs))


def plain(screen):
    """The rows of a screen without looks and cursor."""
    return LOOK.sub('', screen).split('\n')[1:]


EVENT = re.compile(r"mouse (\d+) (\d+),(\d+)( up)?$")


def other_window(step, ours, theirs, before):
    """Whether a button was pressed on the name of a window that is not the
    current one, for whose menu tmux shows nothing."""
    m = EVENT.match(str(step[1]))
    if not m or theirs != before or int(m.group(1)) not in (2, 10):
        return False
    x = int(m.group(2))
    rows = dict(re.findall(r'^ *(\d+)\|(.*)', theirs, re.M))
    return any(w.start() <= x < w.end() and '*' not in w.group()
               for w in re.finditer(r'\d+:\S+', rows.get(m.group(3), '')))


def mouse_reason(step, script, ours, theirs, before):
    """Reasons that begin with an event of the mouse."""
    m = EVENT.match(str(step[1]))
    if not m:
        return None
    hides = any('auto-hide' in str(w) for w in script['conf'] +
                script['steps'])
    same_text = len(plain(ours)) == len(plain(theirs)) and all(
        a == b or WHOLE.search(b) and CUT.search(a) and
        WHOLE.sub(r'\1', b) == CUT.sub(r'\1', a)
        for a, b in zip(plain(ours), plain(theirs)))
    button = int(m.group(1))
    if hides and same_text and not m.group(4) and (
            plain(ours) != plain(theirs)):
        return 'a scrollbar that shows itself for a press or the wheel'
    if plain(ours) == plain(theirs) and 'bg=i3' in ours and (
            button & 0x63) == 32 and not m.group(4):
        return 'a selection whose mouse has left the pane goes on'
    if m.group(4) and 'bg=i3' in before and 'bg=i3' in theirs and (
            theirs == before and 'bg=i3' not in ours):
        return 'a selection whose mouse has left the pane is copied'
    if other_window(step, ours, theirs, before):
        return 'a menu for another window than the one shown'
    return None


def explained(screens, script, step=(), before=''):
    """Why they may differ: one of the reasons above that is seen at once."""
    ours, theirs = screens
    group = script['group']
    why = mouse_reason(step, script, ours, theirs, before)
    if why:
        return why
    if theirs.startswith('cursor message\n') and (
            ours.split('\n')[1:] == theirs.split('\n')[1:]):
        return 'the cursor while a message is shown'
    if re.search(r'\|Quote . is not closed', ours) and (
            not re.search(r'\|Quote . is not closed', theirs)):
        return 'a quote that is not closed'
    if group in ('popup', 'place', 'two') and beyond_popup(ours, theirs):
        return 'the cursor beyond a popup'
    if group == 'two' and beside_prompt(ours, theirs):
        return 'the cursor outside a prompt while another client acts'
    if group in ('panes', 'panesm') and shades(ours) == shades(theirs):
        return 'display-panes shows the active pane at once'
    if step[:1] == ['z'] and same_cut(ours, theirs):
        return 'the position of copy mode, cut behind a resize'
    if str(step[1:2]).endswith(" up']") and ours.startswith('cursor message'):
        return 'a message that outlives the release of a button'
    if screens[0].translate(JOINTS) == screens[1].translate(JOINTS):
        return 'joints of scaled borders'
    if 'server exited unexpectedly' in theirs:
        return 'tmux has crashed'
    if re.search(r'\|.*└[^│]*└─+┘', theirs) and not re.search(
            r'\|.*└[^│]*└─+┘', ours):
        return 'a label over the frame of its preview'
    return None


def show(script, at, screens):
    import difflib
    print('seed %d (%s) %dx%d differs after step %d' % (
        script['seed'], script['group'], script['cols'], script['rows'], at))
    for line in script['conf']:
        print('  conf: ' + line)
    for step in script['steps'][:at + 1]:
        print('  ' + label(step))
    for line in difflib.unified_diff(
            screens[1].split('\n'), screens[0].split('\n'), 'tmux', 'rmux',
            lineterm='', n=2):
        print('    ' + line)
    sys.stdout.flush()


def died(screen):
    """Whether tmux has ended: 3.8 does so now and then."""
    return 'Pane is dead' in screen or not re.search(r'\|.*\S', re.sub(
        r'(?m)^     .*', '', screen))


def compare(o, groups):
    sides = [Side(o.programs[0], 'r'), Side(o.programs[1], 't')]
    # Names of terminals are equally long.
    ptys = []
    while not ptys or int(os.ttyname(ptys[-1]).split('/')[-1]) < 10:
        ptys += os.openpty()
    outer = Outer(['r', 't'], o.programs[1])
    bad = steps = 0
    whys = collections.Counter()
    try:
        for seed in range(o.s, o.s + o.n):
            script = make(seed, groups)
            for _ in range(6):
                # Names of terminals must be equally long.
                result = play_both(outer, sides, script, o.v)
                if result is None or result[0] != -2 and not died(
                        result[1][1]):
                    break
            steps += len(script['steps'])
            if result is not None:
                bad += 1
                show(script, *result)
                continue
            why = script.pop('why', None)
            if why:
                whys[why] += 1
            # What the commands at the end say is not recorded.
            while len(script['steps']) > 1 and script['steps'][-1][0] == 'c':
                script['steps'].pop()
                script['sums'].pop()
            if o.record and not any(s[0] == 'z' for s in script['steps']):
                with open(o.record, 'a', encoding='utf-8') as f:
                    f.write(json.dumps(script, ensure_ascii=False) + '\n')
    finally:
        outer.end()
    print('%d scripts, %d steps, %d differ, %d end early:' % (
        o.n, steps, bad, sum(whys.values())))
    for why, count in whys.most_common():
        print('%6d %s' % (count, why))
    return bad != 0


def replay_one(o, number, script):
    """Plays a script to rmux; returns what is to be printed."""
    side = Side(o.programs[0], 'r%d' % number)
    outer = Outer([side.name], first=False)
    said = []
    start_all(outer, [side], script)
    settled(outer, lambda x: 'cursor off' not in x[0] and len(x[0]) > 60, 5)
    started(side, 5)
    name = '%d - seed %d (%s)' % (number, script['seed'], script['group'])
    for i, (step, want) in enumerate(zip(script['steps'], script['sums'])):
        do_step(outer, [side], step, 'gap' in script)
        screens = settled(outer, lambda x, w=want: digest(x[0]) == w, 5)
        if digest(screens[0]) != want:
            said = ['not ok %s: step %d, %s' % (name, i, label(step))]
            said += ['# ' + text for text in screens[0].split('\n')]
            break
    outer.stop()
    side.end()
    return said or ['ok ' + name]


def replay(o):
    with open(o.replay, encoding='utf-8') as f:
        scripts = [json.loads(line) for line in f if line[0] != '#']
    outer = Outer([])
    bad = 0
    try:
        # They mostly wait for screens.
        with futures.ThreadPoolExecutor(max_workers=24) as pool:
            for said in pool.map(lambda x: replay_one(o, *x),
                                 enumerate(scripts, 1)):
                bad += said[0].startswith('not')
                print('\n'.join(said))
                sys.stdout.flush()
    finally:
        outer.end()
    print('1..%d' % len(scripts))
    return bad != 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('programs', nargs='+')
    ap.add_argument('-n', type=int, default=300)
    ap.add_argument('-s', type=int, default=1)
    ap.add_argument('-g', default=','.join(GROUPS))
    ap.add_argument('-v', action='store_true')
    ap.add_argument('--record')
    ap.add_argument('--replay')
    o = ap.parse_args()
    os.environ.update(LC_ALL='C.UTF-8', SHELL='/bin/sh', TERM='xterm-256color')
    for name in ('TMUX', 'TMUX_PANE', 'RMUX', 'RMUX_PANE', 'EDITOR', 'VISUAL',
                 'ENV', 'DISPLAY'):
        os.environ.pop(name, None)
    o.programs = [os.path.abspath(p) if '/' in p else p for p in o.programs]
    o.replay, o.record = (p and os.path.abspath(p)
                          for p in (o.replay, o.record))
    directory = tempfile.mkdtemp(prefix='face')
    os.environ.update(TMUX_TMPDIR=directory, RMUX_TMPDIR=directory,
                      HOME=directory)
    os.chdir(directory)
    try:
        if o.replay:
            return replay(o)
        return compare(o, o.g.split(','))
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
