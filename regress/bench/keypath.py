#!/usr/bin/env python3
"""Count the cold lines and pages that one key touches.

    keypath.py RMUX

Runs the server and then the client under valgrind's lackey, types one key into
cat, and counts the instructions and the lines of 64 bytes (of code, of data)
and pages that each process touches from the key until it is quiet again.  A
process that has slept finds few of them in the caches, and each costs some 50
to 100 ns: most of the time of an echo.  Unlike a time, the count does not depend
on other load.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import time

F_SETPIPE_SZ = 1031
QUIET = 0.3  # seconds that belong to the key; valgrind is slow


class Trace:
    """Reads lackey's output from a fifo, and keeps it on request."""

    def __init__(self, path):
        self.path, self.kept = path, []
        os.mkfifo(path)
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self.fd, F_SETPIPE_SZ, 1 << 20)

    def pump(self, seconds, keep, also=None):
        """Read for SECONDS; return the input of the descriptor ALSO."""
        end, out = time.monotonic() + seconds, b''
        fds = [self.fd] + ([also] if also is not None else [])
        while (left := end - time.monotonic()) > 0:
            for fd in select.select(fds, [], [], left)[0]:
                try:
                    got = os.read(fd, 1 << 20)
                except OSError:
                    got = b''
                if fd != self.fd:
                    out += got
                elif keep:
                    self.kept.append(got)
                if not got:
                    time.sleep(0.002)
        return out

    def lines(self):
        pattern = re.compile(r'^(I| S| L| M)  ?([0-9a-f]+),\d+$')
        for line in b''.join(self.kept).decode('ascii',
                                               'replace').splitlines():
            m = pattern.match(line)
            if m:
                yield m.group(1) == 'I', int(m.group(2), 16)


def measure(rmux, who, top):
    """(instructions, code lines, data lines, code pages, data pages)."""
    home = os.path.join(top, who)
    os.mkdir(home, 0o700)
    env = {'TERM': 'xterm-256color', 'PATH': os.environ['PATH'],
           'HOME': home, 'SHELL': '/bin/sh', 'LC_ALL': 'C.UTF-8',
           'RMUX_TMPDIR': home}
    trace = Trace(os.path.join(home, 'trace'))
    lackey = ['valgrind', '--tool=lackey', '--trace-mem=yes',
              '--basic-counts=no', '--log-file=' + trace.path]
    base = [rmux, '-f', '/dev/null', '-L', 'k']
    server = subprocess.Popen((lackey if who == 'server' else []) + base +
                              ['-D'], env=env, stdin=subprocess.DEVNULL)
    while not [d for d, _, f in os.walk(home) if 'k' in f]:
        trace.pump(0.1, False)
    pid, fd = pty.fork()
    if pid == 0:
        time.sleep(0.01)
        argv = (lackey if who == 'client' else []) + base + ['new-session',
                                                             'cat']
        os.execvpe(argv[0], argv, env)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))

    def until(text):
        seen, end = b'', time.monotonic() + 300
        while text not in seen:
            seen += trace.pump(0.1, False, fd)
            if time.monotonic() > end:
                raise SystemExit('%s: %r never came: %r' % (who, text, seen[-300:]))

    until(b'[0]')
    trace.pump(3, False, fd)
    for key in b'XYZWVU':
        os.write(fd, bytes([key]))
        until(bytes([key]))
    trace.pump(4, False, fd)
    os.write(fd, b'q')
    trace.pump(QUIET, True, fd)
    killer = subprocess.Popen(base + ['kill-server'], env=env,
                              stdin=subprocess.DEVNULL)
    while killer.poll() is None or server.poll() is None:
        trace.pump(0.1, False, fd)
    os.close(fd)
    os.waitpid(pid, 0)
    code, data, count = set(), set(), 0
    for is_code, addr in trace.lines():
        (code if is_code else data).add(addr >> 6)
        count += is_code
    return count, len(code), len(data), len({a >> 6 for a in code}), \
        len({a >> 6 for a in data})


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    opts = ap.parse_args()
    opts.rmux = os.path.realpath(opts.rmux)
    top = tempfile.mkdtemp(prefix='rmux-keypath-')
    try:
        for who in ('server', 'client'):
            print('%s: %d instructions, lines of code %d, of data %d, pages '
                  'of code %d, of data %d' % (
                      who, *measure(opts.rmux, who, top)), flush=True)
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == '__main__':
    main()
