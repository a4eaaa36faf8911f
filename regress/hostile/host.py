#!/usr/bin/env python3
"""Guests of hostile hosts: what reaches their terminals.

    host.py RMUX EVIL_HOST [ATTACK...]

For each attack of evil_host a guest joins in a pseudo terminal.  The bytes that
it writes must be text, movements, looks, and the modes that it sets by itself;
it must stay within its bounds of memory, run no command, tell nothing of its
terminal, and leave on its user's key with the terminal restored.  Prints TAP.
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
import tempfile
import termios
import time

RMUX, EVIL = sys.argv[1:3]
MILLISECONDS = '400'
MEMORY = 400 << 10  # KiB: a view may have 2^22 cells, twice
ATTACKS = ['idle', 'effects', 'exec', 'farewell', 'strings', 'modes', 'mutants',
           'huge', 'objects', 'frames', 'side', 'flood']
HONEST_END = ['idle', 'effects', 'strings', 'modes', 'huge', 'side', 'flood']
QUIT = b'\x1e.'

# What a guest's client may write: everything else is the host's voice.
ALLOWED = re.compile(
    rb'\x1b\[[0-9:;]*[ABCDEFGHJKLMPSTXZ@`abdefrm]'     # place, erase, look
    rb'|\x1b\[[0-9]* q|\x1b\[[0-9;]*r'                 # cursor, margins
    rb'|\x1b\[\?(?:1|7|12|25|45|47|66|1004|1047|1049|2004|2026|2027|69)[hl]'
    rb'|\x1b\[\?(?:9|100[0-6]|1015|1016)l'             # mouse off
    rb'|\x1b\[\?[0-9;]*[hl]'                           # judged below
    rb'|\x1b\[2[23];0;0t'                                # smcup, rmcup
    rb'|\x1b\[[<=>?]?[0-9;]*u|\x1b\[>[0-9;]*m'         # keys
    rb'|\x1b\[>?[0-9]*c|\x1b\[>[0-9]*q|\x1b\[\?u|\x1b\[6n|\x1b\[16t|\x1b\[\?[0-9]*\$p'
    rb'|\x1b\][ ]?8;[^\x00-\x1f\x7f-\x9f]*(?:\x1b\\|\a)'  # links
    rb'|\x1b[()][0AB]|\x1b[=>78DEMc\\]|\x1b\[!p|\x1b\[4[lh]|\x1b\[0?n'
    rb'|\x1bP\+q[0-9a-fA-F;]*\x1b\\'                   # asks for abilities
    rb'|\x1b\]11;\?(?:\x1b\\|\a)'                     # and for the background
    rb'|[\r\n\b\t\x0e\x0f\a]')
MODES = {1, 7, 12, 25, 45, 47, 66, 69, 1004, 1047, 1048, 1049, 2004, 2026,
         2027, 2031}
failed = 0
count = 0


def report(good, name, notes=()):
    global count, failed
    count += 1
    failed += not good
    print('%sok %d - %s' % ('' if good else 'not ', count, name))
    for note in notes if not good else ():
        print('# ' + note)
    sys.stdout.flush()


def judge(data):
    """What DATA has beside text and the allowed sequences."""
    bad = []
    for number in re.findall(rb'\x1b\[\?([0-9;]+)h', data):
        bad += ['mode %d set' % int(n) for n in number.split(b';')
                if int(n) not in MODES]
    rest = ALLOWED.sub(b'', data)
    for found in re.finditer(rb'[\x00-\x1f\x7f]|\xc2[\x80-\x9f]', rest):
        at = found.start()
        bad.append('bytes %r' % rest[max(0, at - 20):at + 40])
    return bad[:5]


class Guest:
    """rmux join in a pseudo terminal that answers the usual questions."""

    def __init__(self, word, top):
        env = {'TERM': 'xterm-256color', 'PATH': os.environ['PATH'],
               'HOME': top, 'LC_ALL': 'C.UTF-8', 'SHELL': '/bin/sh',
               'RMUX_TMPDIR': top, 'PWNED': os.path.join(top, 'pwned')}
        for name in os.environ:
            if name.startswith(('ASAN_', 'UBSAN_')):
                env[name] = os.environ[name]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(RMUX, [RMUX, 'join', '--name', 'g', word], env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
        self.out = b''
        self.code = None
        self.peak = 0

    def read(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            got = os.read(self.fd, 1 << 16)
        except OSError:
            got = b''
        self.out += got
        if b'\x1b[c' in got:
            os.write(self.fd, b'\x1b[?62;22c')
        return got != b''

    def memory(self):
        try:
            with open('/proc/%d/status' % self.pid) as f:
                for line in f:
                    if line.startswith('VmHWM:'):
                        self.peak = int(line.split()[1])
        except OSError:
            pass
        return self.peak

    def ended(self):
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code is not None

    def until(self, done, seconds):
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            if not self.read(0.02) and self.ended():
                break
        return done()


def line_of(process, guest, word, seconds=20):
    """Waits for the evil host's line WORD while the guest is read."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ready, _, _ = select.select([process.stdout], [], [], 0.01)
        if ready:
            line = process.stdout.readline().decode()
            return line if line.startswith(word) else None
        guest.read(0.01)
        guest.ended()
    return None


def attack(name, asan):
    with tempfile.TemporaryDirectory(prefix='rmux-host.') as top:
        host = subprocess.Popen([EVIL, name, MILLISECONDS],
                                stdout=subprocess.PIPE)
        guest = Guest(host.stdout.readline().decode().strip(), top)
        notes = []
        try:
            if line_of(host, guest, 'in') is None:
                notes.append('the guest never came in')
            out = line_of(host, guest, 'out')
            if out is None or out.split()[-1] != '0':
                notes.append('the host says: %r' % out)
            guest.memory()
            # A host that is honest at last is shown.
            if name in HONEST_END and not guest.until(
                    lambda: b'goodbye' in guest.out, 10):
                notes.append('the last view is not shown: %r' %
                             guest.out[-1500:])
            if not guest.ended():
                # It answers its user, whatever the host did.
                os.write(guest.fd, QUIT)
                guest.until(guest.ended, 10)
            if guest.code is None:
                notes.append('it does not leave')
            elif guest.code not in (0, 1):
                notes.append('it ended with %d' % guest.code)
            if b'\x1b[?1049l' not in guest.out[-2000:]:
                notes.append('terminal not restored: %r' % guest.out[-200:])
            if guest.peak > (MEMORY if not asan else 4 * MEMORY):
                notes.append('%d KiB' % guest.peak)
            if os.path.exists(os.path.join(top, 'pwned')):
                notes.append('a command ran')
            notes += judge(guest.out)
        finally:
            if guest.code is None:
                os.kill(guest.pid, signal.SIGKILL)
                os.waitpid(guest.pid, 0)
            host.kill()
            host.wait()
            host.stdout.close()
            os.close(guest.fd)
        report(not notes, 'a host with %s: %d KiB, %d bytes' %
               (name, guest.peak, len(guest.out)), notes)


def main():
    with open(RMUX, 'rb') as f:
        asan = b'__asan_init' in f.read()
    for name in sys.argv[3:] or ATTACKS:
        attack(name, asan)
    print('1..%d' % count)
    return 1 if failed else 0


sys.exit(main())
