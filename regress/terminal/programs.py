#!/usr/bin/env python3
"""programs.py - what programs ask of a terminal, and what of it gets through.

  programs.py [-t PROFILE,...] [-p PROGRAM,...] RMUX [TMUX]

Runs each program that is installed in a terminal of outer.py alone, in RMUX and in
TMUX, gives it keys as the terminal sends them in the protocol that is in force, and
prints a row of a table:

- what the program asks the terminal alone for;
- for RMUX and for TMUX, what of that it does not ask for in a pane (in brackets), and
  what it asks for there that does not reach the terminal;
- how many rows of the screen differ from the terminal alone, or from the first terminal
  alone: in a pane a program may know more keys than in the terminal.

A program's answers show in its screen: the colours that it chose, keys that it knows.
Programs decide by TERM and by answers.  A terminal is not asked for what it has not,
by RMUX: "other keys" stand for kitty's where it has no others.

Prints TAP: fails where RMUX lets less through, or shows less, than TMUX.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import outer
from real import wait

HERE = os.path.dirname(os.path.abspath(__file__))
CONF = ('set -g status off\nset -g escape-time 10\nset -s extended-keys on\n'
        'set -g focus-events on\nset -g set-titles on\nset -g prefix None\nunbind -a\nset -s theme terminal\n'
        'set -s set-clipboard on\nset -as terminal-features "*:extkeys"\n'
        'set -as terminal-features "*:progressbar"\n')

# What a program may ask for, and the bytes that do.
ASKS = (
    ('kitty keys', rb'\x1b\[[>=][1-9]\d*(;\d)?u'),
    ('other keys', rb'\x1b\[>4;[12]m'),
    ('mouse', rb'\x1b\[\?(\d+;)*100[023][\d;]*h'),
    ('focus', rb'\x1b\[\?(\d+;)*1004[\d;]*h'),
    ('paste', rb'\x1b\[\?(\d+;)*2004[\d;]*h'),
    ('theme', rb'\x1b\[\?(\d+;)*2031[\d;]*h'),
    ('synchronized', rb'\x1b\[\?2026h'),
    ('cursor shape', rb'\x1b\[[1-6] q'),
    ('colours', rb'\x1b\]1[01];\?'),
    ('24-bit', rb'\x1b\[[\d;:]*[34]8[;:]2[;:]'),
    ('curly', rb'\x1b\[[\d;:]*4:3'),
    ('links', rb'\x1b\]8;[^;]*;\w'),
    ('title', rb'\x1b\][02];'),
    ('progress', rb'\x1b\]9;4;[1-4]'),
    ('clipboard', rb'\x1b\]52;'),
)
MODES = {'theme': 2031, 'synchronized': 2026}
# Keys that need a protocol: legacy, modifyOtherKeys, kitty.
KEYS = {
    '<C-Enter>': ('\r', r'\e[27;5;13~', r'\e[13;5u'),
    '<S-Enter>': ('\r', r'\e[27;2;13~', r'\e[13;2u'),
    '<M-Enter>': (r'\e\r', r'\e\r', r'\e[13;3u'),
    '<C-i>': (r'\t', r'\e[27;5;105~', r'\e[105;5u'),
    '<Escape>': (r'\e', r'\e', r'\e[27u'),
    '<Enter>': (r'\r', r'\r', r'\r'),
    '<C-u>': (r'\x15', r'\x15', r'\e[117;5u'),
    '<C-d>': (r'\x04', r'\x04', r'\e[100;5u'),
    '<C-x>': (r'\x18', r'\x18', r'\e[120;5u'),
}
TEXT = '/* A file. */\n#include <stdio.h>\n\nint\nmain(void)\n{\n\tint i = 7; /* seven */\n\n' + \
    ''.join('\tprintf("%%d, %d\\n", i + %d);\n' % (n, n) for n in range(60)) + '\treturn 0;\n}\n'
LUA = ('for _, k in ipairs({"<C-CR>", "<S-CR>", "<C-i>"}) do vim.keymap.set("n", k, '
       '"A[" .. k:gsub("<", "<lt>") .. "]<Esc>") end')

PROGRAMS = (
    ('vim', 'vim -u NONE -i NONE -n -c "set nocp mouse=a ttymouse=sgr hls ru bs=2 tgc | syn on" file.c',
     ['ione', '<Escape>', '<Escape>', '/int', '<Enter>']),
    ('nvim', 'nvim -u NONE -i NONE -n -c "set mouse=a | syntax on" -c \'lua %s\' file.c' % LUA,
     ['ione', '<Escape>', '<C-Enter>', '<S-Enter>', '<C-i>', '/int', '<Enter>']),
    ('helix', 'hx -c helix.toml file.c', ['ione', '<Escape>', 'o', '<C-Enter>', 'two', '<Escape>', '<C-d>']),
    ('emacs', 'emacs -nw -Q file.c', ['one', '<C-x>', '2']),
    ('fish', 'fish --no-config -C "function fish_prompt; echo -n \'> \'; end"',
     ['for i in 1 2', '<M-Enter>', 'echo $i', '<Enter>', 'end', '<Enter>', 'echo a', '<S-Enter>', 'b', '<C-u>']),
    ('mc', 'mc -u .', ['<Escape>', '0']),
    ('htop', 'htop -d 600', ['<Escape>']),
    ('less', 'less -R file.c', ['/int', '<Enter>']),
    ('bat', 'batcat --paging=never --color=always --terminal-width=80 file.c', []),
    ('ls', 'ls --hyperlink=always --color=always', []),
    ('cargo', 'cd crate && CARGO_TERM_PROGRESS_TERM_INTEGRATION=true cargo build -j1; clear', []),
    ('apt', 'apt-get install -y -o Dpkg::Progress-Fancy=1 -o Dpkg::Options::=--no-act ./trial.deb', []),
)
SLOW = ('cargo', 'apt')
MAKES = {'cargo': 'cargo', 'apt': 'apt-get', 'helix': 'hx', 'bat': 'batcat'}


def prepare(place):
    """The files that the programs work on."""
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(os.path.join(place, 'crate', 'src'))
    files = {'file.c': TEXT, 'helix.toml': '[editor.lsp]\nenable = false\n',
             'crate/Cargo.toml': '[package]\nname = "trial"\nversion = "0.1.0"\nedition = "2021"\n',
             'crate/src/main.rs': 'fn main() { println!("hello"); }\n',
             'crate/build.rs': 'fn main() { std::thread::sleep(std::time::Duration::from_secs(1)); }\n',
             'deb/DEBIAN/control': 'Package: rmux-trial\nVersion: 1\nArchitecture: all\n'
                                   'Maintainer: nobody <nobody@example.com>\nDescription: a trial\n'}
    for name, text in files.items():
        path = os.path.join(place, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
    if shutil.which('dpkg-deb'):
        subprocess.run(['dpkg-deb', '-b', 'deb', 'trial.deb'], cwd=place, check=False,
                       stdout=subprocess.DEVNULL)


class Run:
    """A program in a terminal, alone or in a multiplexer."""

    def __init__(self, work, profile, mux, line):
        self.place = os.path.join(work, 'place')
        prepare(self.place)
        self.dir = tempfile.mkdtemp(dir=work)
        self.mux, self.sock = mux, os.path.join(self.dir, 's')
        conf = os.path.join(work, 'mux.conf')
        with open(conf, 'w', encoding='ascii') as f:
            f.write(CONF)
        script = os.path.join(self.dir, 'line')
        with open(script, 'w', encoding='utf-8') as f:
            f.write('echo $$ >%s/pid\ncd %s\n%s\nexec sleep 600\n' % (self.dir, self.place, line))
        # script(1) notes what the program writes to the pane.
        self.log = os.path.join(self.dir, 'log')
        argv = ['script', '-q', '-f', '-c', 'sh ' + script, self.log]
        if mux:
            argv = [mux, '-S', self.sock, '-f', conf, 'new-session', '-s', 't'] + argv
        self.out = os.path.join(self.dir, 'out')
        os.mkdir(self.out)
        self.proc = subprocess.Popen(
            [sys.executable, os.path.join(HERE, 'outer.py'), '-p', profile, '-s', '80x24x10x20',
             self.out] + argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def read(self, name):
        try:
            with open(os.path.join(self.out, name), 'rb') as f:
                return f.read()
        except OSError:
            return b''

    def rests(self, secs, idle):
        """Waits until nothing was written for IDLE seconds."""
        last, since = None, time.time()
        end = time.time() + secs
        while time.time() < end:
            now = self.read('bytes')
            if now != last:
                last, since = now, time.time()
            elif now and time.time() > since + idle:
                return
            time.sleep(0.05)

    def types(self, key):
        state = dict(l.split(' ', 1) for l in self.read('state').decode().splitlines() if ' ' in l)
        if key in KEYS:
            kitty, other = int(state.get('kitty', 0)), int(state.get('other', 0))
            text = KEYS[key][2 if kitty & 1 else 1 if other else 0]
        else:
            text = key
        try:
            fd = os.open(os.path.join(self.out, 'in'), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return  # the terminal has ended
        os.write(fd, b'type %s\n' % text.replace('\r', r'\r').encode())
        os.close(fd)

    def end(self):
        if self.mux:
            subprocess.run([self.mux, '-S', self.sock, 'kill-server'], check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait(lambda: self.proc.poll() is not None, 3)
        # script(1) and what it runs outlive their terminals.
        pid = self.read('../pid').decode().strip()
        for group in (self.proc.pid, pid and self.group(int(pid))):
            try:
                if group:
                    os.killpg(group, signal.SIGKILL)
            except OSError:
                pass
        self.proc.wait()

    @staticmethod
    def group(pid):
        try:
            return os.getpgid(pid)
        except OSError:
            return 0


def run(work, profile, mux, name, line, actions):
    """Returns what was asked for, and the rows of the screen."""
    r = Run(work, profile, mux, line)
    try:
        wait(lambda: r.read('bytes'), 10)
        r.rests(40, 4 if name.startswith(SLOW) else 0.8)
        for a in actions:
            r.types(a)
            r.rests(5, 0.6)
        data, screen = r.read('bytes'), r.read('screen').decode('utf-8', 'replace').splitlines()
        said = r.read(r.log)
    finally:
        r.end()
    return asks(said), asks(data), screen


def asks(data):
    return [ask for ask, what in ASKS if re.search(what, data)]


def lost(profile, asked, said, outside):
    """What is asked for in the pane, and does not get outside, where the terminal has it."""
    keys = {'kitty keys', 'other keys'}
    modes = next(p.modes for p in outer.profiles() if p.name == profile)
    return [a for a in asked if a in said and a not in outside
            and not (a in keys and keys & set(outside)) and MODES.get(a, 25) in modes | {25}]


def cell(rest):
    words = (['(%s)' % ', '.join(rest[0])] if rest[0] else []) + rest[1]
    return ' '.join(words) or '-'


def differ(a, b):
    return sum(x != y for x, y in zip(a, b)) + abs(len(a) - len(b))


def main():
    p = argparse.ArgumentParser()
    p.add_argument('-t', dest='terminals', default='kitty,xterm')
    p.add_argument('-p', dest='programs', default=','.join(n.replace(', ', '-') for n, _, _ in PROGRAMS))
    p.add_argument('-v', dest='verbose', action='store_true')
    p.add_argument('rmux')
    p.add_argument('tmux', nargs='?')
    opts = p.parse_args()
    for name in ('RMUX', 'RMUX_PANE', 'TMUX', 'TMUX_PANE', 'COLORTERM', 'TERM_PROGRAM'):
        os.environ.pop(name, None)
    os.environ.update(LC_ALL='C.UTF-8', SHELL='/bin/sh')
    work = tempfile.mkdtemp(prefix='rmux-programs')
    count = failed = 0
    print('# | terminal | program | it asks for | not outside: rmux | tmux | rows that differ: rmux | tmux |')
    best = {}  # screens of the first terminal
    try:
        for profile in opts.terminals.split(','):
            for name, line, actions in PROGRAMS:
                count += 1
                program = MAKES.get(name, line.split()[0])
                if name.replace(', ', '-') not in opts.programs.split(','):
                    count -= 1
                    continue
                if shutil.which(program) is None or (program == 'apt-get' and os.getuid() != 0):
                    print('ok %d - %s: %s # SKIP not here' % (count, profile, name))
                    continue
                asked, _, want = run(work, profile, None, name, line, actions)
                best.setdefault(name, want)
                rest, rows = [], []
                for mux in (opts.rmux, opts.tmux):
                    if mux is None:
                        rest.append((asked, asked))
                        rows.append(99)
                        continue
                    said, got, screen = run(work, profile, os.path.abspath(mux), name, line, actions)
                    rest.append(([a for a in asked if a not in said], lost(profile, asked, said, got)))
                    rows.append(min(differ(want, screen), differ(best[name], screen)))
                    if opts.verbose and rows[-1] > 0:
                        for x, y in zip(want, screen):
                            if x != y:
                                print('#   alone %r\n#   in %s %r' % (x, os.path.basename(mux), y))
                print('# | %s | %s | %s | %s | %s | %d | %d |' % (
                    profile, name, ', '.join(asked) or '-', cell(rest[0]), cell(rest[1]),
                    rows[0], rows[1]), flush=True)
                ok = set(rest[0][1]) <= set(rest[1][1]) and rows[0] <= rows[1]
                failed += not ok
                print('%s %d - %s: %s' % ('ok' if ok else 'not ok', count, profile, name), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print('1..%d' % count)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
