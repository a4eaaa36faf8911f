#!/usr/bin/env python3
"""Completes hostile names in a real shell, and presses Enter.

    shells.py SHELL SCRIPT LOG
    shells.py names

SCRIPT is what `rmux completion SHELL` printed.  Sessions, hosts of ssh and files
have names that run `touch` if any shell reads them as a command: `names` prints
them.  A program called rmux writes its arguments to LOG, a line a call: most of
the names must be there, whole, and no file called "ran" in HOME or here.
"""
import os
import pty
import select
import sys
import time

SHELL = sys.argv[1]
HOME = os.environ['HOME']
KINDS = {'za': '$(touch${IFS}$HOME/ran)', 'zb': '`touch${IFS}$HOME/ran`',
         'zc': ';touch${IFS}$HOME/ran', 'zd': '&&touch${IFS}$HOME/ran',
         'ze': "'\"$(touch${IFS}$HOME/ran)", 'zf': '|touch${IFS}$HOME/ran',
         'zg': '\\$(touch${IFS}$HOME/ran)', 'zh': '(touch;$HOME)'}
START = {
    'bash': (['bash', '--norc', '--noprofile', '-i'], '. %s'),
    'zsh': (['zsh', '-f', '-i'],
            'autoload -U compinit && compinit -u -D; . %s; compdef _rmux rmux'),
    'fish': (['fish', '--no-config', '-i'], 'source %s'),
}


class Terminal:
    def __init__(self, argv):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvp(argv[0], argv)
        self.seen = b''

    def read(self, seconds):
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            part = os.read(self.fd, 65536)
        except OSError:
            return False
        self.seen += part
        # Shells ask terminals what they are, and wait for the answer.
        if b'\x1b[c' in part or b'\x1b[0c' in part:
            os.write(self.fd, b'\x1b[?62c')
        if b'\x1b[6n' in part:
            os.write(self.fd, b'\x1b[1;1R')
        return True

    def until(self, what, seconds=20):
        end = time.monotonic() + seconds
        while what not in self.seen and time.monotonic() < end:
            self.read(0.2)
        found = what in self.seen
        self.seen = b''
        return found

    def quiet(self, seconds=0.4):
        """Reads until nothing has come for a while."""
        while self.read(seconds):
            pass

    def type(self, text):
        os.write(self.fd, text.encode())


def file_of(name):
    """A file's name has no slash."""
    return name + KINDS[name].replace('$HOME/', '')


def write_names():
    os.makedirs(os.path.join(HOME, '.ssh'), exist_ok=True)
    with open(os.path.join(HOME, '.ssh', 'known_hosts'), 'w') as f:
        for name, text in KINDS.items():
            f.write('%s%s ssh-ed25519 AAAA\n' % (name, text))
    with open(os.path.join(HOME, '.ssh', 'config'), 'w') as f:
        for name, text in KINDS.items():
            f.write('Host c%s%s\n' % (name, text))
    for name, text in KINDS.items():
        with open(file_of(name), 'w'):
            pass


def main():
    if SHELL == 'names':
        for name, text in KINDS.items():
            print(name + text)
        return 0
    script, log = sys.argv[2:4]
    argv, start = START[SHELL]
    write_names()
    t = Terminal(argv)
    t.quiet(1)
    t.type('PS1=; %s; echo re""ady\r' % (start % script) if SHELL != 'fish'
           else '%s; echo re""ady\r' % (start % script))
    if not t.until(b'ready'):
        print('# no shell: %r' % t.seen)
        return 1
    tries, wanted = 0, []
    for head in ('rmux has-session -t %s', 'rmux attach c%s', 'rmux attach %s',
                 'rmux source-file %s'):
        for name in KINDS:
            t.type(head % name + '\t')
            t.quiet(0.2)
            before = os.path.getsize(log)
            t.type('\r')
            end = time.monotonic() + 4
            while os.path.getsize(log) == before and time.monotonic() < end:
                t.read(0.05)
            tries += 1
            # A line that is not whole is dropped.
            if os.path.getsize(log) == before:
                t.type('\x03')
                t.quiet(0.1)
            wanted.append(head.split()[1] + ' ' + (
                file_of(name) if 'source' in head else name + KINDS[name]))
            # A line that is not whole is dropped.
            t.type('\x03')
            t.quiet(0.05)
    # The interrupt may take what is typed behind it.
    for _ in range(4):
        t.type('\x15echo do""ne\r')
        done = t.until(b'done', 5)
        if done:
            break
    os.close(t.fd)
    os.waitpid(t.pid, 0)
    ran = [x for x in os.listdir(HOME) if 'ran' in x] + \
          [x for x in os.listdir('.') if x == 'ran']
    with open(log) as f:
        got = f.read()
    came = sum(x.split()[1] in got for x in wanted)
    print('# %s: %d tries, %d names completed' % (SHELL, tries, came))
    if not done:
        print('# the shell does not answer')
    if came < tries // 2:
        print('# too few:\n#' + got.replace('\n', '\n# '))
        done = False
    if ran:
        print('# ran: %s' % ran)
    return 1 if ran or not done else 0


sys.exit(main())
