#!/usr/bin/env python3
"""What one key touches: cold lines and pages of client and server.

    keypath.py RMUX [-w FILE]

Runs the server and then the client under valgrind's lackey, types one key into
cat, and counts the instructions and the lines of 64 bytes (of code, of data)
and pages that each touches from the key until all is quiet again.  A program
that was asleep finds few of them in the caches, and each costs some 50 to 100
ns, so most of what an echo takes is that count: unlike a time it does not
depend on what else the machine does.

With -w writes keypath.ld anew: the functions in the order in which
the key came to them, for the linker.
"""
import argparse
import bisect
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

HEAD = """/*
 * The functions that a key typed on this machine passes through, in client and
 * server, in the order in which it comes to them: together they are a few pages
 * instead of a hundred, and most of a key's time is cold code.  A name that the
 * program does not have does no harm.
 *
 * Written by regress/bench/keypath.py -w; read by GNU ld and lld.
 */
SECTIONS
{
	.text.keypath :
	{
"""
F_SETPIPE_SZ = 1031
QUIET = 0.3  # seconds that belong to the key; valgrind is slow


class Objects:
    """What lies where in a process."""

    def __init__(self, pid):
        self.maps, self.symbols = [], {}
        with open('/proc/%d/maps' % pid, encoding='ascii') as f:
            for line in f:
                w = line.split()
                low, high = (int(x, 16) for x in w[0].split('-'))
                if len(w) > 5:
                    self.maps.append((low, high, int(w[2], 16), w[5]))
        self.maps.sort()
        self.lows = [m[0] for m in self.maps]

    def load(self, path):
        if path not in self.symbols:
            segments, rows = [], []
            if os.path.isfile(path):
                for line in output('readelf', '-lW', path).splitlines():
                    w = line.split()
                    if w[:1] == ['LOAD']:
                        segments.append([int(w[i], 16) for i in (1, 2, 4)])
                for line in output('nm', '-n', path).splitlines():
                    w = line.split()
                    if len(w) == 3 and w[1] in 'tT':
                        rows.append((int(w[0], 16), w[2]))
            self.symbols[path] = (segments, [r[0] for r in rows], rows)
        return self.symbols[path]

    def name(self, addr):
        """(file, function) at ADDR; either may be empty."""
        i = bisect.bisect_right(self.lows, addr) - 1
        if i < 0 or addr >= self.maps[i][1]:
            return '', ''
        low, _, offset, path = self.maps[i]
        segments, starts, rows = self.load(path)
        for at, vaddr, size in segments:
            if at <= addr - low + offset < at + size:
                j = bisect.bisect_right(
                    starts, addr - low + offset - at + vaddr) - 1
                return path, rows[j][1] if j >= 0 else ''
        return path, ''


def output(*argv, **kw):
    return subprocess.run(argv, capture_output=True, text=True, check=False,
                          **kw).stdout


class Trace:
    """Reads lackey's words from a fifo, and keeps them while told to."""

    def __init__(self, path):
        self.path, self.kept = path, []
        os.mkfifo(path)
        self.fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self.fd, F_SETPIPE_SZ, 1 << 20)

    def pump(self, seconds, keep, also=None):
        """For SECONDS; returns what was read of the descriptor ALSO."""
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
    """(instructions, code lines, data lines, pages, functions in order)."""
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
    objects = Objects(server.pid if who == 'server' else pid)
    os.write(fd, b'q')
    trace.pump(QUIET, True, fd)
    killer = subprocess.Popen(base + ['kill-server'], env=env,
                              stdin=subprocess.DEVNULL)
    while killer.poll() is None or server.poll() is None:
        trace.pump(0.1, False, fd)
    os.close(fd)
    os.waitpid(pid, 0)
    code, data, order, count = set(), set(), {}, 0
    for is_code, addr in trace.lines():
        (code if is_code else data).add(addr >> 6)
        if is_code:
            count += 1
            path, name = objects.name(addr)
            if path == rmux:
                order.setdefault(name.split('.')[0])
    return count, len(code), len(data), len({a >> 6 for a in code}), \
        len({a >> 6 for a in data}), list(order)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('-w', '--write', default='')
    opts = ap.parse_args()
    opts.rmux = os.path.realpath(opts.rmux)
    top = tempfile.mkdtemp(prefix='rmux-keypath-')
    functions = {}
    try:
        for who in ('server', 'client'):
            *counts, order = measure(opts.rmux, who, top)
            functions.update(dict.fromkeys(order))
            print('%s: %d instructions, lines of code %d, of data %d, pages '
                  'of code %d, of data %d' % (who, *counts), flush=True)
    finally:
        shutil.rmtree(top, ignore_errors=True)
    if opts.write:
        with open(opts.write, 'w', encoding='ascii') as f:
            f.write(HEAD)
            for name in functions:
                if name and not name.startswith('_'):
                    f.write('\t\t*(.text.%s .text.%s.*)\n' % (name, name))
            f.write('\t}\n}\nINSERT BEFORE .text;\n')


if __name__ == '__main__':
    main()
