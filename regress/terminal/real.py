#!/usr/bin/env python3
"""real.py - rmux in real terminals: what is drawn, and what keys arrive.

  real.py [-p [-o PROGRAM;...]] [-t TERMINAL,...] [-d DIR] RMUX [TMUX]

For each of xterm, kitty, alacritty (Xvfb, xdotool) and foot (sway without a
display, wtype) that is installed:

- a page of text, colours, underlines and wide characters is shown by the
  terminal alone and by rmux inside it: the pictures must be the same;
- keys are typed by the display's own tool, first at a program in the terminal
  alone, then at the same program in a pane: the same bytes must arrive, but for
  those of IN_PANE.  A program that asks for extended keys gets them (not in
  alacritty, of which old versions have none).

With -p, programs are run instead (vim, neovim, helix, emacs, mc, less, bat, fish), in each X11
terminal alone, in rmux and in TMUX; keys and clicks are given to them, and a table
tells how many pixels differ from the terminal alone.

Prints TAP.  With TMUX it prints as comments how many keys arrive there.  DIR
keeps the pictures.  Nothing is left running.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PAGE = r'''
import sys
out = ['\033[H\033[2J']
for row in range(6):
    out.append(''.join('\033[48;5;%dm ' % (16 + row * 36 + c) for c in range(36)) + '\033[m\r\n')
out.append(''.join('\033[%dm%d' % (30 + c, c) for c in range(8)))
out.append(''.join('\033[%dm%d' % (90 + c, c) for c in range(8)) + '\033[m\r\n')
out.append(''.join('\033[48;2;%d;%d;%dm ' % (c * 3, 255 - c * 3, 128) for c in range(78)) + '\033[m\r\n')
out.append('\033[1mbold\033[m \033[3mitalic\033[m \033[4msingle\033[m \033[9mstruck\033[m \033[7mreverse\033[m \033[2mdim\033[m\r\n')
if 'rich' in sys.argv[1]:
    out.append('\033[4:2mdouble\033[m \033[4:3mcurly\033[m \033[4:3m\033[58:2::255:0:0mred curly\033[m \033[4:4mdotted\033[m \033[4:5mdashed\033[m\r\n')
out.append('漢字 かな é ñ ß ← → ─│┌┐└┘ ▀▄█ ½\r\n')
out.append('e\u0301 a\u0308 (combined)\r\n')
if 'double' in sys.argv[1]:
    out.append('\033[18H\033#6double \033[31mwide\033[m\033[19H\033#3double high\033[20H\033#4double high')
if 'sized' in sys.argv[1]:
    out.append('\033[17H\033]66;s=3;Abc\a\033[32;44m\033]66;s=2;\u5b57 text\a\033[m'
               '\033[20H\033]66;s=2:w=4:n=1:d=2:v=2:h=2;centred\a'
               '\033[31m\033]66;s=2;over\a\033[m\033[21;12Hpast\033[22Hx'
               '\033]66;n=1:d=2:w=1;su\a\033]66;n=1:d=2:w=1;p\a\033]66;n=1:d=2:w=1:v=1;su\a'
               '\033]66;w=3;wid\a|\033[23H\033]66;s=2;gone\a\033[24;2H\033[X')
out.append('\033[14;30Hover here\033[16;1H\033[?25l')
sys.stdout.write(''.join(out))
sys.stdout.flush()
import time
time.sleep(600)
'''

# Reads what arrives until a file says that all was typed, and writes it as hex.
READER = r'''
import os, select, sys, termios, time, tty
name, ask = sys.argv[1], sys.argv[2].encode().decode('unicode_escape')
tty.setraw(0)
os.write(1, ('\033[H\033[2Jready' + ask).encode())
time.sleep(0.5)
open(name + '.ready', 'w').close()
got = b''
while not os.path.exists(name + '.end'):
    if select.select([0], [], [], 0.05)[0]:
        got += os.read(0, 4096)
        with open(name + '.now', 'w') as f:
            f.write(got.hex())
        os.rename(name + '.now', name)
'''

# The name for reports, xdotool's words, wtype's.
KEYS = (
    ('a', 'a', ['a']), ('A', 'shift+a', ['A']),
    ('C-b', 'ctrl+b', ['-M', 'ctrl', '-k', 'b', '-m', 'ctrl']),
    ('M-x', 'alt+x', ['-M', 'alt', '-k', 'x', '-m', 'alt']),
    ('C-M-f', 'ctrl+alt+f', ['-M', 'ctrl', '-M', 'alt', '-k', 'f', '-m', 'alt', '-m', 'ctrl']),
    ('Enter', 'Return', ['-k', 'Return']),
    ('S-Enter', 'shift+Return', ['-M', 'shift', '-k', 'Return', '-m', 'shift']),
    ('C-Enter', 'ctrl+Return', ['-M', 'ctrl', '-k', 'Return', '-m', 'ctrl']),
    ('Tab', 'Tab', ['-k', 'Tab']),
    ('S-Tab', 'shift+Tab', ['-M', 'shift', '-k', 'Tab', '-m', 'shift']),
    ('BSpace', 'BackSpace', ['-k', 'BackSpace']),
    ('Escape', 'Escape', ['-k', 'Escape']),
    ('Up', 'Up', ['-k', 'Up']), ('C-Up', 'ctrl+Up', ['-M', 'ctrl', '-k', 'Up', '-m', 'ctrl']),
    ('M-Left', 'alt+Left', ['-M', 'alt', '-k', 'Left', '-m', 'alt']),
    ('Home', 'Home', ['-k', 'Home']), ('DC', 'Delete', ['-k', 'Delete']),
    ('F1', 'F1', ['-k', 'F1']), ('F5', 'F5', ['-k', 'F5']),
    ('C-F5', 'ctrl+F5', ['-M', 'ctrl', '-k', 'F5', '-m', 'ctrl']),
    ('C-i', 'ctrl+i', ['-M', 'ctrl', '-k', 'i', '-m', 'ctrl']),
    ('C-Space', 'ctrl+space', ['-M', 'ctrl', '-k', 'space', '-m', 'ctrl']),
)
KITTY = r'\033[>1u'
OTHER = r'\033[>4;2m'


def wait(cond, secs=60, step=0.2):
    end = time.time() + secs
    while time.time() < end:
        if cond():
            return True
        time.sleep(step)
    return False


class X11:
    """Terminals on a display of ours."""

    def __init__(self, work):
        self.work = work
        for n in range(90, 190):
            if not os.path.exists('/tmp/.X11-unix/X%d' % n):
                break
        self.env = dict(os.environ, DISPLAY=':%d' % n, LIBGL_ALWAYS_SOFTWARE='1')
        self.env.pop('WAYLAND_DISPLAY', None)
        self.server = subprocess.Popen(
            ['Xvfb', ':%d' % n, '-screen', '0', '1000x700x24', '-nolisten', 'tcp'],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if not wait(lambda: os.path.exists('/tmp/.X11-unix/X%d' % n)):
            raise RuntimeError('Xvfb did not start')

    def start(self, argv):
        return subprocess.Popen(argv, env=self.env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def key(self, key):
        subprocess.run(['xdotool', 'key', '--clearmodifiers', key[1]], env=self.env, check=False)

    def act(self, action, cell):
        """Types text or a key, or clicks at a cell."""
        if action[0] == '<':
            words = ['key', '--clearmodifiers', action[1:-1]]
        elif action[0] == '@':
            x, y = (int(n) for n in action[1:].split(','))
            words = ['mousemove', str(int((x + 0.5) * cell[0])), str(int((y + 0.5) * cell[1])),
                     'click', '1']
        else:
            words = ['type', '--delay', '30', action]
        subprocess.run(['xdotool'] + words, env=self.env, check=False)

    def picture(self, path):
        subprocess.run(['import', '-window', 'root', path], env=self.env, check=False)

    def close(self):
        self.server.terminate()
        self.server.wait()


class Wayland:
    """A terminal in sway without a display; as root, sway runs as nobody."""

    def __init__(self, work):
        self.work = os.path.join(work, 'wayland')
        os.mkdir(self.work, 0o700)
        self.as_user = []
        if os.getuid() == 0:
            os.chown(self.work, 65534, 65534)
            self.as_user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
        self.env = {'PATH': os.environ['PATH'], 'HOME': self.work, 'LANG': 'C.UTF-8',
                    'XDG_RUNTIME_DIR': self.work, 'WLR_BACKENDS': 'headless',
                    'WLR_LIBINPUT_NO_DEVICES': '1', 'WLR_RENDERER': 'pixman'}
        conf = os.path.join(self.work, 'sway.conf')
        with open(conf, 'w') as f:
            f.write('xwayland disable\ndefault_border none\n'
                    'output * resolution 1000x700\n')
        self.server = self.start(['sway', '-c', conf])

        def there():
            found = [n for n in os.listdir(self.work)
                     if n.startswith('wayland-') and not n.endswith('.lock')]
            if found:
                self.env['WAYLAND_DISPLAY'] = found[0]
            return found
        if not wait(there):
            raise RuntimeError('sway did not start')

    def start(self, argv):
        return subprocess.Popen(self.as_user + argv, env=self.env, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, start_new_session=True)

    def key(self, key):
        # Its keyboard is new each time; a program needs a moment to see it.
        subprocess.run(self.as_user + ['wtype', '-s', '150'] + key[2] + ['-s', '50'],
                       env=self.env, check=False)

    def picture(self, path):
        own = os.path.join(self.work, 'picture.png')
        subprocess.run(self.as_user + ['grim', own], env=self.env, check=False)
        if os.path.exists(own):
            shutil.copy(own, path)
            os.unlink(own)

    def close(self):
        self.server.terminate()
        self.server.wait()


TERMINALS = {
    'xterm': (X11, ['xterm', '-fa', 'DejaVu Sans Mono', '-fs', '10', '-geometry', '80x24+0+0',
                    '-xrm', 'xterm*metaSendsEscape: true', '-e'], OTHER, 'double'),
    'kitty': (X11, ['kitty', '--config', 'NONE', '-o', 'remember_window_size=no',
                    '-o', 'initial_window_width=80c', '-o', 'initial_window_height=24c',
                    '-o', 'cursor_blink_interval=0', '-o', 'update_check_interval=0'],
              KITTY, 'rich'),
    'alacritty': (X11, ['alacritty', '-o', 'window.dimensions.columns=80',
                        '-o', 'window.dimensions.lines=24', '-e'], None, 'plain'),
    'foot': (Wayland, ['foot', '--config=/dev/null', '--override=pad=0x0'], KITTY, 'rich'),
}
CELLS = {'xterm': (8, 17), 'kitty': (8, 18), 'alacritty': (7, 14)}  # pixels, for clicks
NEEDS = {X11: ('Xvfb', 'xdotool', 'import', 'compare'), Wayland: ('sway', 'wtype', 'grim', 'compare')}


# Programs, their arguments, and what is typed: "text", <key>, @column,row for a click.
PROGRAMS = (
    ('vim', ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-c',
             'set nocp mouse=a t_Co=256 ttymouse=sgr hls ruler bs=2 | syntax on | set ft=c', 'FILE'],
     ['ione two', '<Escape>', 'yyp', '@3,5', '/int', '<Return>', 'v', '<ctrl+Right>']),
    ('nvim', ['nvim', '-u', 'NONE', '-i', 'NONE', '-n', '-c',
              'set mouse=a termguicolors | syntax on | set ft=c', 'FILE'],
     ['ione two', '<Escape>', 'yyp', '@3,5', '/int', '<Return>', 'v', '<ctrl+Right>']),
    ('helix', ['hx', '-c', 'CONF', 'FILE'],
     ['ione two', '<Escape>', 'xd', '@9,5', '/int', '<Return>', '<ctrl+d>', ' ', 'f', '<Escape>', 'gg']),
    ('emacs', ['emacs', '-nw', '-Q', 'FILE'],
     ['one two', '<ctrl+a>', '<alt+f>', '<ctrl+Down>', '<F10>', '<Escape>', '<Escape>', '<Escape>']),
    ('mc', ['mc', '-u', '-d', 'DIR'], []),
    ('mc, mouse', ['mc', '-u', 'DIR'], ['@10,4', '<Down>', '<F9>', '<Right>']),
    ('less', ['less', '-R', 'FILE'], ['/int', '<Return>', '<Page_Down>']),
    ('bat', ['batcat', '--paging=never', '--color=always', 'FILE'], []),
    # Its theme follows the colours that the terminal tells.
    ('bat, paged', ['batcat', '--paging=always', '--pager=less -RS', 'FILE'], ['/seven', '<Return>']),
    ('fish', ['fish', '--no-config', '-C', 'function fish_prompt; echo -n "> "; end'],
     ['echo (ls /etc/host', '<Tab>', '<ctrl+u>', 'for i in 1 2', '<alt+Return>', 'echo $i', '<Return>',
      'end', '<Return>']),
)
TEXT = '/* A file. */\n#include <stdio.h>\n\nint\nmain(void)\n{\n\tint i = 7; /* seven */\n\n' + \
    ''.join('\tprintf("%%d, %d\\n", i + %d);\n' % (n, n) for n in range(60)) + '\treturn 0;\n}\n'


def kitty_has_sizes():
    """Whether it knows OSC 66: from 0.40."""
    words = subprocess.run(['kitty', '--version'], stdout=subprocess.PIPE, text=True,
                           check=False).stdout.split()
    return len(words) > 1 and [int(n) for n in words[1].split('.')[:2]] >= [0, 40]


class Trial:
    def __init__(self, opts, name, display):
        self.opts, self.name, self.display = opts, name, display
        _, self.argv, self.ask, self.rich = TERMINALS[name]
        if name == 'kitty' and kitty_has_sizes():
            self.rich += ' sized'
        self.dir = tempfile.mkdtemp(prefix=name, dir=display.work)
        if getattr(display, 'as_user', None):
            os.chown(self.dir, 65534, 65534)
        self.script('page.py', PAGE)
        self.script('reader.py', READER)
        self.script('mux.conf', 'set -g status off\nset -g escape-time 10\nset -s extended-keys on\n'
                    'set -s extended-keys-format %s\nset -g prefix None\n'
                    'set -as terminal-features "*:extkeys"\n'
                    'unbind -a\nset -s theme terminal\n'
                    % ('csi-u' if self.ask == KITTY else 'xterm'))

    def script(self, name, text):
        with open(os.path.join(self.dir, name), 'w') as f:
            f.write(text)
        os.chmod(f.name, 0o644)

    def path(self, name):
        return os.path.join(self.dir, name)

    def command(self, mux, program):
        """PROGRAM alone, or in a pane of MUX."""
        if mux is None:
            return program
        sock = ['-S', self.path('s')]
        return [mux] + sock + ['-f', self.path('mux.conf'), 'new-session', '-s', 't'] + program

    def stop(self, term, mux):
        if mux is not None:
            subprocess.run(getattr(self.display, 'as_user', []) + [mux, '-S', self.path('s'), 'kill-server'],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        try:
            os.killpg(term.pid, signal.SIGTERM)
        except OSError:
            pass
        try:
            term.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(term.pid, signal.SIGKILL)
            term.wait()

    def picture(self, mux, path):
        term = self.display.start(self.argv + self.command(
            mux, ['python3', self.path('page.py'), self.rich]))
        ok = self.rests(path, 200)
        self.stop(term, mux)
        return ok

    def program(self, mux, argv, actions, path):
        """A picture of a program after ACTIONS; False: it did not come to rest."""
        place = self.path('place')
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place, 0o777)
        name = os.path.join(place, 'file.c')
        with open(name, 'w') as f:
            f.write(TEXT)
        conf = self.path('helix.toml')
        with open(conf, 'w') as f:
            f.write('[editor.lsp]\nenable = false\n')
        argv = [{'FILE': name, 'DIR': place, 'CONF': conf}.get(a, a) for a in argv]
        argv = ['sh', '-c', 'cd "$0" && "$@"; exec sleep 60', place] + argv
        term = self.display.start(self.argv + self.command(mux, argv))
        ok = self.rests(path)
        for action in actions:
            self.display.act(action, self.cell)
            time.sleep(0.3)
        ok = ok and (actions == [] or self.rests(path))
        self.stop(term, mux)
        return ok

    def rests(self, path, least=4):
        """Takes pictures until two are the same, of more than LEAST colours."""
        last = path + '.last.png'

        def still():
            self.display.picture(path)
            same = os.path.exists(last) and differ(path, last) == 0 and colours(path) > least
            if os.path.exists(path):
                shutil.copy(path, last)
            return same
        ok = wait(still, 60, 0.7)
        if os.path.exists(last):
            os.unlink(last)
        return ok

    def keys(self, mux, ask):
        """Returns what arrived for each key, as text in hex."""
        name = self.path('got')
        for end in ('', '.end', '.ready', '.now'):
            if os.path.exists(name + end):
                os.unlink(name + end)
        term = self.display.start(self.argv + self.command(
            mux, ['python3', self.path('reader.py'), name, ask]))
        out, before = [], ''

        def got():
            if not os.path.exists(name):
                return ''
            with open(name) as f:
                return f.read()
        if wait(lambda: os.path.exists(name + '.ready')):
            time.sleep(1)
            before = got()
            for key in KEYS:
                self.display.key(key)
                wait(lambda: len(got()) > len(before), 3, 0.05)
                time.sleep(0.1)
                now = got()
                out.append(now[len(before):])
                before = now
        with open(name + '.end', 'w'):
            pass
        self.stop(term, mux)
        return out


def differ(a, b):
    """How many pixels differ; all, if it cannot be told."""
    p = subprocess.run(['compare', '-metric', 'AE', a, b, 'null:'], capture_output=True,
                       text=True, check=False)
    try:
        return int(float(p.stderr.split()[0]))
    except (ValueError, IndexError):
        return 1 << 30


def colours(path):
    p = subprocess.run(['identify', '-format', '%k', path], capture_output=True, text=True,
                       check=False)
    return int(p.stdout or 0)


# Keys of a pane that asked for nothing: those of terminfo's tmux-256color, and the
# Enter that it knows (foot sends S-Enter extended at once).
IN_PANE = {'\033[H': '\033[1~', '\033[F': '\033[4~',
           '\033[27;2;13~': '\r', '\033[27;5;13~': '\r'}


def passed_on(want, got, ask):
    """Whether GOT in a pane is WANT of the terminal; it may keep a key for itself."""
    pane = IN_PANE.get(bytes.fromhex(want).decode('latin1'), '')
    return want in ('', got) or (pane != '' and got == pane.encode().hex()
                                 and (ask == '' or len(pane) > 1))


def text(got):
    return bytes.fromhex(got).decode('latin1').replace('\033', '^[').replace('\r', '^M') or '-'


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def test(self, ok, name, *notes):
        self.count += 1
        self.failed += not ok
        print('%s %d - %s' % ('ok' if ok else 'not ok', self.count, name), flush=True)
        for n in notes if not ok else ():
            print('# ' + n)

    def skip(self, name, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, name, why), flush=True)


def runs(display, program):
    """Whether the user of the display may run it."""
    return subprocess.run(getattr(display, 'as_user', []) + [program, '-V'], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def try_terminal(opts, name, display, tap):
    t = Trial(opts, name, display)
    keep = opts.dir or t.dir
    alone, inside = (os.path.join(keep, '%s-%s.png' % (name, x)) for x in ('alone', 'rmux'))
    ok = t.picture(None, alone) and t.picture(opts.rmux, inside)
    n = differ(alone, inside) if ok else -1
    tap.test(n == 0, name + ': the picture is that of the terminal alone',
             '%d pixels differ' % n)
    for way, ask in (('plain', ''), ('extended', t.ask)):
        if ask is None:
            continue
        want = t.keys(None, ask)
        got = t.keys(opts.rmux, ask)
        bad = ['%s: %s, alone %s' % (KEYS[i][0], text(g), text(w))
               for i, (w, g) in enumerate(zip(want, got)) if not passed_on(w, g, ask)]
        tap.test(len(got) == len(want) == len(KEYS) and want.count('') < 3 and not bad,
                 '%s: %d keys, %s' % (name, len(KEYS), way), *bad)
        if opts.tmux and runs(display, opts.tmux):
            other = t.keys(opts.tmux, ask)
            same = sum(passed_on(w, g, ask) for w, g in zip(want, other))
            print('# %s: tmux passes on %d of %d keys, %s' % (name, same, len(KEYS), way),
                  flush=True)


def try_programs(opts, name, display, tap):
    """Prints rows of a table; fails where rmux is further from the terminal than tmux."""
    t = Trial(opts, name, display)
    t.cell = CELLS[name]
    keep = opts.dir or t.dir
    for what, argv, actions in PROGRAMS:
        if opts.only and what not in opts.only.split(';'):
            continue
        if shutil.which(argv[0]) is None:
            tap.skip('%s: %s' % (name, what), 'not installed')
            continue
        pics = []
        for side, mux in (('alone', None), ('rmux', opts.rmux), ('tmux', opts.tmux)):
            path = os.path.join(keep, '%s-%s-%s.png' % (name, what.replace(', ', '-'), side))
            pics.append(path if (mux or side == 'alone') and t.program(mux, argv, actions, path)
                        else None)
        counts = [differ(pics[0], p) if p and pics[0] else -1 for p in pics[1:]]
        print('# | %s | %s | %d | %d |' % (name, what, counts[0], counts[1]), flush=True)
        # xterm cuts edges of letters where it draws the next one apart.
        tap.test(0 <= counts[0] <= max(counts[1], 0) + 16 or counts[0] >= 0 > counts[1],
                 '%s: %s looks as alone, or as near as in tmux' % (name, what))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('-t', dest='terminals', default=','.join(TERMINALS))
    p.add_argument('-d', dest='dir')
    p.add_argument('-p', dest='programs', action='store_true')
    p.add_argument('-o', dest='only', default='', help='names of programs for -p')
    p.add_argument('rmux')
    p.add_argument('tmux', nargs='?')
    opts = p.parse_args()
    opts.rmux = os.path.abspath(opts.rmux)
    for name in ('RMUX', 'RMUX_PANE', 'TMUX', 'TMUX_PANE'):
        os.environ.pop(name, None)
    os.environ.update(LC_ALL='C.UTF-8', SHELL='/bin/sh')
    work = tempfile.mkdtemp(prefix='rmux-real')
    os.chmod(work, 0o711)
    tap, displays = Tap(), {}
    try:
        for name in opts.terminals.split(','):
            kind = TERMINALS[name][0]
            missing = [n for n in NEEDS[kind] + (name,) if shutil.which(n) is None]
            if missing:
                tap.skip(name, 'not installed: ' + ' '.join(missing))
                continue
            if kind not in displays:
                displays[kind] = kind(work)
            if not opts.programs:
                try_terminal(opts, name, displays[kind], tap)
            elif kind is X11:
                try_programs(opts, name, displays[kind], tap)
    finally:
        for d in displays.values():
            d.close()
        shutil.rmtree(work, ignore_errors=True)
    print('1..%d' % tap.count)
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
