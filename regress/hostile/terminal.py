#!/usr/bin/env python3
"""A terminal that answers wrongly, endlessly, late or not at all.

    terminal.py RMUX SOCKET

Each terminal attaches a client.  Whatever it says, nothing of an answer reaches
the program in the pane, a line that is typed afterwards does, the client grows
by GROW at most, and ends when it is detached.  Prints TAP.
"""
import fcntl
import os
import pty
import random
import select
import struct
import subprocess
import sys
import termios
import time

RMUX, PATH = sys.argv[1], sys.argv[2]
GROW = 24 << 10  # KiB
if os.environ.get('ASAN_OPTIONS') or b'__asan' in open(RMUX, 'rb').read():
    GROW *= 8
rng = random.Random(int(os.environ.get('UNIT_SEED', '1')))
count = failed = 0


def rmux(*argv):
    done = subprocess.run([RMUX, '-S', PATH] + list(argv), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=60, check=False)
    return done.stdout.decode(errors='replace')


def wait(cond, secs=30):
    end = time.time() + secs
    while not cond():
        if time.time() > end:
            return False
        time.sleep(0.05)
    return True


class Terminal:
    """A client on a pty; what it writes is read, and given to ANSWER."""

    def __init__(self, number, answer=None):
        self.name = 'hostile%d' % number
        # cat shows what arrives, without an echo of the tty.
        rmux('new-session', '-d', '-s', self.name, '-x', '80', '-y', '24',
             'stty raw -echo; echo up; exec cat -v')
        wait(lambda: 'up' in self.pane())
        self.seen, self.answer = b'', answer
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ['TERM'] = 'xterm-256color'
            os.execv(RMUX, [RMUX, '-S', PATH, 'attach-session', '-t', self.name])
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
        self.pump_until(lambda: b'up' in self.seen)
        self.start = self.memory()

    def pane(self):
        return rmux('capture-pane', '-p', '-t', self.name + ':').rstrip('\n')

    def memory(self):
        with open('/proc/%d/status' % self.pid) as f:
            for line in f:
                if line.startswith('VmHWM'):
                    return int(line.split()[1])
        return 0

    def pump(self, secs=0.05):
        end = time.time() + 5
        while time.time() < end and select.select([self.fd], [], [], secs)[0]:
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.seen = (self.seen + data)[-65536:]
            if self.answer is not None:
                self.answer(self, data)
        return True

    def pump_until(self, cond, secs=30):
        end = time.time() + secs
        while not cond() and time.time() < end:
            if not self.pump():
                time.sleep(0.05)
        return cond()

    def say(self, data):
        """Writes all of DATA, and reads meanwhile."""
        while data:
            r, w, _ = select.select([self.fd], [self.fd], [], 30)
            if r and not self.pump(0):
                return
            if w:
                data = data[os.write(self.fd, data[:4096]):]
            elif not r:
                return

    def judge(self):
        """What is wrong afterwards, or ''."""
        # CAN ends a sequence that has begun.
        self.say(b'\x18')
        self.pump(0.3)
        self.say(b'typed')
        # A key that looks like the end of what went before is none of an answer.
        # A report of a size may have made the pane narrow.
        if not self.pump_until(
                lambda: 'typed' in self.pane().replace('\n', ''), 30):
            return 'what is typed does not arrive: %r' % self.pane()[-200:]
        text = self.pane()
        grown = self.memory() - self.start
        rmux('detach-client', '-s', self.name)
        self.pump_until(lambda: not self.alive(), 20)
        if self.alive():
            return 'the client does not end'
        if grown > GROW:
            return 'the client has grown by %d KiB' % grown
        self.text = text
        return ''

    def alive(self):
        if self.pid < 0:
            return False
        pid, _ = os.waitpid(self.pid, os.WNOHANG)
        if pid == self.pid:
            self.pid = -1
        return self.pid > 0

    def close(self):
        if self.alive():
            os.kill(self.pid, 9)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
        rmux('kill-session', '-t', self.name)


def case(name, attack, answer=None, clean=True):
    """CLEAN: the pane has nothing but what was typed."""
    global count, failed
    count += 1
    t = Terminal(count, answer)
    try:
        attack(t)
        why = t.judge()
        shown = getattr(t, 'text', '').replace('up', '', 1).strip().replace('^X', '')
        if not why and clean and shown != 'typed':
            why = 'the pane has %r' % shown[-300:]
    finally:
        t.close()
    if not why and rmux('display-message', '-p', 'alive') != 'alive\n':
        why = 'the server does not answer'
    failed += why != ''
    print('%s %d - %s' % ('ok' if not why else 'not ok', count, name), flush=True)
    if why:
        print('# ' + why)


def nothing(t):
    t.pump(0.2)


WRONG = (
    b'\x1b[?99999999999999999999;;;;;;c', b'\x1b[>1;' + b'9' * 300 + b'c',
    b'\x1bP>|' + b'x' * 5000 + b'\x1b\\', b'\x1bP>|a\nb\xff\x1b\\',
    b'\x1b]11;rgb:zzzz/0/0\x1b\\', b'\x1b]11;\x1b\\', b'\x1b]11;#12\x07',
    b'\x1b]4;999;rgb:0/0/0\x1b\\', b'\x1b]4;-1;rgb:ff/ff/ff;7;rgb:1/2/3\x1b\\',
    b'\x1b]4;' + b'1;rgb:1/1/1;' * 400 + b'\x1b\\', b'\x1b]10;rgb:1/1/1;rgb:2/2/2\x1b\\',
    b'\x1b[999999;999999R', b'\x1b[?4294967295u', b'\x1b[?2026;99$y',
    b'\x1b[?99999999999;1$y', b'\x1b[8;65535;65535t', b'\x1b[4;0;0t', b'\x1b[6;99999;99999t',
    b'\x1b[6;0;0t', b'\x1b[?997;7n', b'\x1b[?997n', b'\x1b]99;i=rmux:p=?;a=\xff\xfe\x1b\\',
    b'\x1b]99;i=nobody:p=close;untracked\x1b\\', b'\x1b]52;c;!!!!\x1b\\',
    b'\x1bP1+r' + b'41' * 2000 + b'\x1b\\', b'\x1bP0$r\x1b\\', b'\x1b_Gi=1;OK\x1b\\',
    b'\x1b^private\x1b\\', b'\x1bXstring\x1b\\', b'\x1b[?62;' + b'1;' * 3000 + b'c',
)


def wrong(t):
    for data in WRONG:
        t.say(data)
        t.pump(0.01)


def endless(introducer):
    def attack(t):
        t.say(introducer)
        for _ in range(256):
            t.say(b'9;' * 16384)
    return attack


def unasked(t):
    for data in (b'\x1b[12;34R', b'\x1b]11;rgb:%02x/00/00\x1b\\' % rng.randrange(256),
                 b'\x1b[?62;4c', b'\x1b[?997;1n\x1b[?997;2n', b'\x1b[4;700;1000t'):
        t.say(data * 20000)


def late(t):
    """Answers long after the questions, in pieces, between keys."""
    time.sleep(2.5)
    for data in (b'\x1b[?62;4;22c', b'\x1b]11;rgb:0000/0000/0000\x1b\\',
                 b'\x1bP>|late(1)\x1b\\', b'\x1b[2;2R'):
        for byte in data:
            t.say(bytes([byte]))
            time.sleep(0.002)


def echoes_questions(t, data):
    """Sends back all that it is asked: each question is also an answer, badly."""
    t.echoed = getattr(t, 'echoed', 0) + 1
    if t.echoed < 50:
        os.write(t.fd, data[:2000])


def noise(t):
    alphabet = b'\x1b\x1b\x1b[]P_^X?;:0123456789$>=<!cntuyRrmMhl\\\x07\x9b\x9d\x90'
    for _ in range(400):
        t.say(bytes(rng.choice(alphabet) for _ in range(200)) + b'\x18')
        t.pump(0)
    # Keys among it may detach, list or kill what C-b begins; none is in the alphabet.


case('no answer at all', nothing)
case('wrong answers', wrong)
case('an OSC without an end', endless(b'\x1b]11;'))
case('a DCS without an end', endless(b'\x1bP>|'))
case('a CSI without an end', endless(b'\x1b['), clean=False)
case('an APC without an end', endless(b'\x1b_G'))
# The pty may cut an answer behind its ESC, which is a key then.
case('twenty thousand answers to each question, unasked', unasked, clean=False)
case('late answers, byte by byte', late)
case('a terminal that sends back what it gets', nothing, echoes_questions, clean=False)
case('noise', noise, clean=False)
print('1..%d' % count)
sys.exit(failed > 0)
