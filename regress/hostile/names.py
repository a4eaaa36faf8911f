#!/usr/bin/env python3
"""Names and texts of others, wherever rmux shows them.

    names.py RMUX DIR

A program in a pane sets its title and its window's name, and fills the
clipboard; buffers and variables have any bytes.  Each face of an attached client
and of control mode then shows them.  The terminal gets no control character and
no invalid UTF-8, no command of theirs runs, and the server lives on.  Prints TAP.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

RMUX, DIR = sys.argv[1:3]
PWNED = os.path.join(DIR, 'pwned')
RUN = '(touch %s)' % PWNED
MARK = b'Zq'
# Names that try to do harm; without control characters, which end a title.
EVIL = ('Zq#' + RUN + '#{l:#}' + RUN + '#[fg=red]\u202e\u2066\u200b\u200d\ufeff$' +
        RUN + '`touch ' + PWNED + '`;kill-server"\'\\%').encode()
BYTES = EVIL + b'\x1b]0;Zq\x07\x9b31m\xc2\x9b1m\xff\xfe\n;kill-server\r\0\x7f\xc2'
ENV = dict(os.environ, TERM='xterm-256color', LANG='C.UTF-8')
for name in ('RMUX', 'TMUX'):
    ENV.pop(name, None)
SEQUENCE = re.compile(
    rb'\x1b\[[0-9;:?<>=!$ "\']*[@-~]|\x1b[()][0-9A-B]|\x1b[=>78MDEHc\\]|'
    rb'\x1b\][0-9]+;[^\x00-\x1f]*(?:\x07|\x1b\\)|\x1bP[^\x00-\x1f]*\x1b\\|'
    rb'[\r\n\x08\x0e\x0f\x07]')
count = failed = 0


def r(*words, data=b''):
    return subprocess.run([RMUX, '-L', 'names', '-f', '/dev/null', *words],
                          input=data, env=ENV, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60).stdout


def bad(out, lines=False):
    """What of OUT must not reach a terminal; LINES: tabs are fine."""
    text = SEQUENCE.sub(b'', out)
    try:
        text = text.decode()
    except UnicodeDecodeError as e:
        return ['invalid UTF-8: %r' % text[max(e.start - 20, 0):e.end + 20]]
    wrong = [c for c in text if (ord(c) < 0x20 and not (lines and c == '\t')) or
             0x7f <= ord(c) < 0xa0]
    return ['control characters: %r' % wrong[:5]] if wrong else []


def ok(name, notes):
    global count, failed
    count += 1
    if os.path.exists(PWNED):
        notes.append('a command ran')
        os.unlink(PWNED)
    failed += bool(notes)
    print('%sok %d - %s' % ('not ' if notes else '', count, name))
    for note in notes:
        print('# %s' % note)
    sys.stdout.flush()


class Client:
    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(RMUX, [RMUX, '-L', 'names', 'attach'], ENV)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 40, 200, 0, 0))
        self.left = b''

    def read(self, until, seconds=30):
        """Reads until UNTIL has come and nothing more; returns all of it."""
        out, end = b'', time.monotonic() + seconds
        while time.monotonic() < end:
            wait = 0.15 if until in out else 1
            if not select.select([self.fd], [], [], wait)[0]:
                if until in out:
                    break
                continue
            try:
                out += os.read(self.fd, 65536)
            except OSError:
                break
        return out

    def type(self, keys):
        os.write(self.fd, keys)


def face(c, name, words=(), keys=b'', leave=b'q'):
    """Shows a face: by a command or keys."""
    process = None
    if words:
        process = subprocess.Popen([RMUX, '-L', 'names', *words], env=ENV,
                                   stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
    c.type(keys)
    out = c.read(MARK)
    notes = bad(out)
    if MARK not in out:
        notes.append('not shown: %r' % out[-200:])
    c.type(leave)
    # The picture without it.
    r('display-message', '-p', 'x')
    c.read(b'', 0.5)
    if process is not None:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            notes.append('%s waits' % words[0])
    ok(name, notes)


def control():
    p = subprocess.Popen([RMUX, '-L', 'names', '-C', 'attach'], env=ENV,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    fd = p.stdout.fileno()
    p.stdin.write(b'list-windows\nlist-buffers\nlist-panes -F "#T"\n'
                  b'set-buffer -b fresh x\nshow-environment -g EVIL\n'
                  b'respawn-pane -k -t :1 "cat names; exec cat"\n'
                  b'display-message -p THE-END\n')
    p.stdin.flush()
    out, end = b'', time.monotonic() + 30
    while b'\nTHE-END' not in out and time.monotonic() < end:
        if select.select([fd], [], [], 1)[0]:
            out += os.read(fd, 65536)
    p.stdin.close()
    out += p.stdout.read()
    p.wait()
    notes = [] if MARK in out else ['not shown']
    # Values of variables and titles are given as they are, as in tmux.
    lines = [x for x in out.split(b'\n') if x.startswith(b'%')]
    for line in lines:
        # As in tmux, output has the program's bytes from 0x80 on.
        if line.startswith(b'%output '):
            line = re.sub(rb'[\x80-\xff]', b'', line)
        notes += bad(line)
        if not re.match(rb'%[a-z-]+( |$)', line):
            notes.append('no notification: %r' % line[:80])
    ok('control mode', notes)


def main():
    os.chdir(DIR)
    signal.alarm(500)
    with open('names', 'wb') as f:
        f.write(b'\x1b]2;' + EVIL + b'\x07\x1bk' + EVIL + b'\x1b\\')
        f.write(b'\x1b]52;c;Wnpr\x07A\xe2\x80\xaeB\xe2\x81\xa6C\xff\xc2D\n')
    r('new-session', '-d', '-s', 's', '-x', '200', '-y', '40', '-n', 'first', 'cat')
    for option in (('-g', 'allow-rename', 'on'), ('-g', 'set-titles', 'on'),
                   ('-s', 'set-clipboard', 'on'),
                   ('-g', 'set-titles-string', '#T #W'),
                   ('-g', 'status-left', '#{window_name} #{pane_title} '),
                   ('-g', 'status-right', '#{buffer_sample} #T'),
                   ('-g', 'status-interval', '1'),
                   ('-g', 'pane-border-status', 'top'),
                   ('-g', 'pane-border-format', '#{pane_title} #{window_name}'),
                   ('-g', 'automatic-rename-format', '#{pane_title}'),
                   ('-g', 'window-status-format', '#W #T'),
                   ('-g', 'window-status-current-format', '#W #T')):
        r('set-option', *option)
    r('load-buffer', '-b', 'bytes', '-', data=BYTES)
    r('set-environment', '-g', 'EVIL', EVIL.decode() + '\x1b[31m\n')
    ok('names with bytes of all kinds are refused, or harmless', bad(
        b''.join(r('set-buffer', '-b', x, 'x') for x in
                 ('a\x1b[31m', 'b\nc', EVIL.decode())) +
        r('list-buffers'), True))
    c = Client()
    notes = bad(c.read(b'first'))
    ok('the client attaches', notes)
    r('respawn-pane', '-k', '-t', ':0', 'cat names; exec cat')
    out = c.read(MARK)
    ok('title, name, status line, border and what the program prints',
       bad(out) + ([] if MARK in out else ['not shown']))
    ok('no text is written from right to left', [
        'U+%04X' % ord(x) for x in '\u202e\u2066'
        if x.encode() in out])
    r('new-window', '-d', 'cat names; exec cat')
    ok('a window that is not shown', bad(c.read(MARK)))
    face(c, 'choose-tree', ('choose-tree', '-t', ':0'))
    face(c, 'choose-buffer', ('choose-buffer', '-t', ':0'))
    face(c, 'a menu', ('display-menu', '-T', '#{pane_title}', '#{window_name}', 'a',
                       'display-message x', '#{pane_title}', 'b', ''))
    face(c, 'confirm-before', ('confirm-before', '-p', 'kill #W #T?',
                               'display-message x'), b'', b'n')
    face(c, 'the question of kill-window', (), b'\x02&', b'n')
    face(c, 'command-prompt', ('command-prompt', '-p', '#T', '-I', '#W',
                               'display-message -p "%%"'), b'', b'\r')
    face(c, 'a prompt with the name, and Enter', (), b'\x02,', b'\r')
    face(c, 'display-message', ('display-message', '#W #T #{buffer_sample}'))
    face(c, 'a popup', ('display-popup', '-T', '#T', '-E', 'cat names; read x'),
         b'', b'\r')
    face(c, 'show-messages', (), b'\x02~', b'q')
    face(c, 'paste-buffer', ('paste-buffer', '-b', 'bytes'), b'', b'\r')
    r('set-option', '-w', '-t', ':0', 'automatic-rename', 'on')
    r('respawn-pane', '-k', '-t', ':0', 'cat names; exec cat')
    ok('a window renamed after its title', bad(c.read(MARK)))
    for words in (('list-windows',), ('list-buffers',), ('list-panes',),
                  ('list-sessions',), ('list-clients',), ('show-messages',)):
        ok(words[0], bad(r(*words), True))
    control()
    ok('the server lives', [] if r('display-message', '-p', 'alive') == b'alive\n'
       else ['it does not'])
    r('kill-server')
    os.close(c.fd)
    os.waitpid(c.pid, 0)
    print('1..%d' % count)
    return 1 if failed else 0


sys.exit(main())
