#!/usr/bin/env python3
"""Random commands on panes, floating ones among them, and what follows.

    floats.py run MUX FIRST COUNT      prints commands and states
    floats.py record MUX FIRST COUNT   prints a list for check
    floats.py check MUX LIST [STEP]    compares MUX with a recorded list, every
                                       STEPth line of it

Each number makes one script. After each command the state of the window is
noted: sizes, places, order, z-order, flags and the texts of the layout. A line
of the list has a number and a checksum of each state. The recorded list is of
tmux 3.8: floats.list. SKIP names what differs on purpose.
"""
import os
import random
import shlex
import subprocess
import sys
import tempfile
import zlib

STATE = ('#{pane_id} #{pane_index} #{pane_width}x#{pane_height}'
         '+#{pane_left}+#{pane_top} #{?pane_floating_flag,z#{pane_z},}'
         ' #{pane_flags}'
         ' #{pane_floating_flag}#{pane_modal_flag}#{pane_zoomed_flag}'
         ' #{pane_unzoomed_width}x#{pane_unzoomed_height}')
PLACES = ('top-left top-centre top-right centre-left centre centre-right '
          'bottom-left bottom-centre bottom-right top-left-centre '
          'top-right-centre bottom-left-centre bottom-right-centre').split()
DEPTHS = 'front back forward backward forward-loop backward-loop'.split()
PRESETS = ('even-horizontal even-vertical main-horizontal main-vertical '
           'tiled main-horizontal-mirrored main-vertical-mirrored').split()


class Script:
    """The commands of one number."""

    def __init__(self, number):
        self.r = random.Random(number)
        self.cols = self.r.choice((80, 80, 81, 120, 61))
        self.rows = self.r.choice((24, 24, 25, 40, 31))
        self.panes = 1

    def pane(self):
        return '-t s:.%d' % self.r.randrange(self.panes)

    def size(self, least, most):
        if self.r.random() < 0.2:
            return '%d%%' % self.r.randrange(20, 90)
        return '%d' % self.r.randrange(least, most)

    def float_place(self):
        out = ''
        if self.r.random() < 0.8:
            out += ' -x ' + self.size(6, 40)
        if self.r.random() < 0.8:
            out += ' -y ' + self.size(4, 14)
        if self.r.random() < 0.6:
            out += ' -X %d' % self.r.randrange(-3, self.cols - 8)
        if self.r.random() < 0.6:
            out += ' -Y %d' % self.r.randrange(-2, self.rows - 4)
        return out

    def maybe(self, flags, chance=0.3):
        picked = [f for f in flags.split() if self.r.random() < chance]
        return ''.join(' ' + f for f in picked)

    def command(self):
        r = self.r
        kinds = {
            'new': 14, 'split': 12, 'break': 10, 'join': 8, 'return': 8,
            'swap': 5, 'select': 8, 'direction': 5, 'last': 3, 'kill': 5,
            'move': 8, 'depth': 6, 'resize': 8, 'layout': 4, 'rotate': 2,
            'spread': 2, 'zoom': 5, 'window': 3, 'above': 2, 'restore': 2,
        }
        if self.panes > 9:
            kinds['new'] = kinds['split'] = 1
        if self.panes < 3:
            kinds['kill'] = 0
        names = list(kinds)
        kind = r.choices(names, [kinds[n] for n in names])[0]
        return getattr(self, 'do_' + kind)()

    def do_new(self):
        return ('new-pane ' + self.pane() + self.maybe('-d') +
                self.float_place() +
                (' -B none' if self.r.random() < 0.1 else '') + ' cat')

    def do_above(self):
        return 'new-pane -A ' + self.pane() + self.float_place() + ' cat'

    def do_split(self):
        size = ''
        if self.r.random() < 0.4:
            size = ' -l ' + self.size(3, 12)
        return ('split-window ' + self.pane() + self.maybe('-d -h -b') +
                self.maybe('-f', 0.1) + size + ' cat')

    def do_break(self):
        return ('break-pane -W -s s:.%d' % self.r.randrange(self.panes) +
                self.maybe('-d') + self.float_place())

    def do_join(self):
        return ('join-pane -s s:.%d ' % self.r.randrange(self.panes) +
                self.pane() + self.maybe('-h -b -d'))

    def do_return(self):
        n = self.r.randrange(self.panes)
        return 'join-pane -s s:.%d -t s:.%d' % (n, n) + self.maybe('-d')

    def do_swap(self):
        return ('swap-pane -s s:.%d ' % self.r.randrange(self.panes) +
                self.pane() + self.maybe('-d'))

    def do_select(self):
        return 'select-pane ' + self.pane() + self.maybe('-Z', 0.2)

    def do_direction(self):
        return 'select-pane -t s: -' + self.r.choice('LRUD')

    def do_last(self):
        return 'last-pane -t s:'

    def do_kill(self):
        return 'kill-pane ' + self.pane()

    def do_move(self):
        r = self.r
        if r.random() < 0.3:
            return 'move-pane ' + self.pane() + ' -P ' + r.choice(PLACES)
        if r.random() < 0.5:
            return 'move-pane %s -%s %d' % (
                self.pane(), r.choice('LRUD'), r.randrange(1, 9))
        return 'move-pane %s -X %d -Y %d' % (
            self.pane(), r.randrange(0, self.cols), r.randrange(0, self.rows))

    def do_depth(self):
        if self.r.random() < 0.3:
            return 'move-pane %s -z %d' % (self.pane(), self.r.randrange(5))
        return 'move-pane ' + self.pane() + ' -P ' + self.r.choice(DEPTHS)

    def do_resize(self):
        r = self.r
        if r.random() < 0.3:
            return 'resize-pane %s -x %s -y %s' % (
                self.pane(), self.size(5, 50), self.size(3, 18))
        return 'resize-pane %s -%s %d' % (
            self.pane(), r.choice('LRUD'), r.randrange(1, 7))

    def do_layout(self):
        return 'select-layout -t s: ' + self.r.choice(PRESETS)

    def do_restore(self):
        return 'select-layout -t s: -o'

    def do_rotate(self):
        return 'rotate-window -t s:' + self.maybe('-D', 0.5)

    def do_spread(self):
        return 'select-layout -E ' + self.pane()

    def do_zoom(self):
        return 'resize-pane -Z ' + self.pane()

    def do_window(self):
        return 'resize-window -t s: -x %d -y %d' % (
            self.r.randrange(40, 140), self.r.randrange(15, 50))


class Mux:
    """A server of its own for one script."""

    def __init__(self, binary):
        self.binary = binary
        self.dir = tempfile.mkdtemp(prefix='floats')
        self.env = {k: v for k, v in os.environ.items()
                    if k not in ('TMUX', 'RMUX', 'TMUX_PANE', 'RMUX_PANE')}
        self.base = [binary, '-S', self.dir + '/s', '-f', '/dev/null']

    def run(self, *args):
        p = subprocess.run(self.base + list(args), env=self.env, timeout=20,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        return p.stdout.decode('utf-8', 'replace').rstrip('\n')

    def close(self):
        self.run('kill-server')
        subprocess.run(['rm', '-rf', self.dir], check=False)


def state(mux):
    return mux.run(
        'list-panes', '-t', 's:', '-F', STATE, ';',
        'display-message', '-p', '-t', 's:',
        '#{window_layout}\n#{window_visible_layout}\n'
        '#{window_flags} #{window_width}x#{window_height}')


def play(binary, number, steps=12):
    """Yields each command of a script with its message and the state."""
    s = Script(number)
    mux = Mux(binary)
    try:
        mux.run('new-session', '-d', '-s', 's', '-x', str(s.cols),
                '-y', str(s.rows), 'cat')
        for _ in range(steps):
            command = s.command()
            said = mux.run(*shlex.split(command))
            text = state(mux)
            s.panes = max(1, sum(1 for line in text.split('\n')
                                 if line.startswith('%')))
            yield command, said, text
    finally:
        mux.close()


def checksum(text):
    return '%08x' % (zlib.crc32(text.encode()) & 0xffffffff)


def main():
    what, binary = sys.argv[1:3]
    if what in ('run', 'record'):
        first, count = int(sys.argv[3]), int(sys.argv[4])
        for n in range(first, first + count):
            sums = []
            for command, said, text in play(binary, n):
                sums.append(checksum(text))
                if what == 'run':
                    print('%d> %s\n%s' % (n, command, text))
                    if said:
                        print('!', said)
            if what == 'record':
                print(n, ' '.join(sums), flush=True)
        return 0
    rows = [line.split() for line in open(sys.argv[3]) if line[0] != '#']
    rows = rows[::int((sys.argv + ['1'])[4])]
    bad = 0
    for row in rows:
        for want, (command, said, text) in zip(row[1:], play(binary, int(row[0]))):
            if checksum(text) != want:
                print('# script %s differs after: %s %s' % (row[0], command, said))
                for line in text.split('\n'):
                    print('#   ' + line)
                bad += 1
                break
    print('# %d of %d scripts as recorded' % (len(rows) - bad, len(rows)))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
