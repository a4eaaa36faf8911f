#!/usr/bin/env python3
"""Many clients on one session that shows a screen at 30 Hz.

    bench_many.py [-n 1,10,50] [-t SECONDS] [-o FILE] BUILD [SIDE...]

Sides: rmux and tmux (local clients), udp (rmux clients over UDP on this
machine).  For each number of clients, all on terminals of 80 by 24 in this
process: the server's CPU per client (per cent of a core), and the time from
when the program wrote a frame until it came out of a client's terminal (a few
clients are looked at).
"""
import argparse
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time

from people_keys import Bench, Server

FRAMES = r'''
import sys, time
i, next = 0, time.monotonic()
while True:
    now = time.monotonic()
    out = ['\033[H']
    for y in range(22):
        out.append('\033[3%dm%s\033[K\r\n' % (y %% 7 + 1, ('row %%d of frame %%d '
                   %% (y, i // (y + 1))) * 3))
    out.append('\033[mT%%d.\033[K' %% (now * 1e4))
    sys.stdout.write(''.join(out).replace('%%%%', '%%'))
    sys.stdout.flush()
    i += 1
    next += 1 / 30
    time.sleep(max(0, next - time.monotonic()))
'''.replace('%%', '%')
LOOKED_AT = 3


def cpu(pid):
    with open('/proc/%d/stat' % pid, encoding='ascii') as f:
        words = f.read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


class Client:
    def __init__(self, argv, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(argv[0], argv, env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack('HHHH', 24, 80, 0, 0))
        self.tail = b''

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def frames(client, data, now, out):
    """Times of the frames in DATA; a painter may send only changed digits,
    so the screen's stamp is put together from what follows a move."""
    client.tail = (client.tail + data)[-4096:]
    for m in re.finditer(rb'T(\d{6,})\.', client.tail):
        stamp = int(m.group(1)) / 1e4
        if 0 <= now - stamp < 60:
            out.append((now - stamp) * 1000)
    last = client.tail.rfind(b'.')
    client.tail = client.tail[last + 1:]


def measure(clients, seconds, pid):
    ep = select.epoll()
    by_fd = {}
    for c in clients:
        ep.register(c.fd, select.EPOLLIN)
        by_fd[c.fd] = c
    looked = {c.fd for c in clients[:LOOKED_AT]}
    bytes_, lags = 0, []
    begin, before = time.monotonic(), cpu(pid)
    end = begin + seconds
    while (left := end - time.monotonic()) > 0:
        for fd, _ in ep.poll(left):
            try:
                data = os.read(fd, 65536)
            except OSError:
                ep.unregister(fd)
                continue
            now = time.monotonic()
            bytes_ += len(data)
            if fd in looked:
                frames(by_fd[fd], data, now, lags)
    used = cpu(pid) - before
    ep.close()
    lags.sort()
    return {'clients': len(clients),
            'cpu_percent_each': 100 * used / seconds / len(clients),
            'cpu_percent': 100 * used / seconds,
            'tty_kB_s_each': bytes_ / 1e3 / seconds / len(clients),
            'frames_seen': len(lags),
            'lag_median_ms': statistics.median(lags) if lags else None,
            'lag_p99_ms': lags[int(len(lags) * .99)] if lags else None}


def stamped_program(bench):
    # Every frame's stamp is on a row of its own that changes as a whole: a
    # letter in front that alternates makes painters write all of it.
    path = bench.path('frames.py')
    text = FRAMES.replace("'\\033[mT%d.\\033[K' % (now * 1e4)",
                          "'\\033[%dmT%d.\\033[K' % (i % 2 * 4, now * 1e4)")
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    return [sys.executable, path]


def run_side(bench, side, counts, seconds):
    program = ' '.join(stamped_program(bench))
    out = []
    if side == 'tmux':
        env = dict(os.environ, TMUX_TMPDIR=bench.dir)
        base = ['tmux', '-L', 'many', '-f', '/dev/null']

        def run(*a):
            return subprocess.run(base + list(a), env=env, text=True,
                                  stdin=subprocess.DEVNULL, check=False,
                                  capture_output=True).stdout.strip()
        run('new-session', '-d', '-s', 'm', '-x', '80', '-y', '24', program)
        attach = base + ['attach', '-t', 'm']

        def end():
            run('kill-server')
    else:
        server = bench.servers.get('never') or Server(
            bench, 'never', '' if side else None)
        bench.servers['never'] = server
        server.run('new-session', '-d', '-s', side, '-x', '80', '-y', '24',
                   program)
        run = server.run
        if side == 'udp':
            env = dict(os.environ, **server.env)
            attach = server.attach(server.port) + ['-t', side]
        else:
            env = dict(os.environ, RMUX_TMPDIR=server.dir)
            attach = [bench.rmux, 'attach', '-t', side]

        def end():
            run('kill-session', '-t', side)
    pid = int(run('display-message', '-p', '#{pid}'))
    clients = []
    try:
        for n in counts:
            while len(clients) < n:
                clients.append(Client(attach, env))
                if len(clients) % 10 == 0:
                    measure(clients, .3, pid)
            measure(clients, 2 + n / 50, pid)
            r = measure(clients, seconds, pid)
            r['side'] = side
            out.append(r)
            print('%-5s %4d clients: server %7.3f %% of a core each, frame '
                  'after %s ms (p99 %s), %5.1f kB/s each' % (
                      side, n, r['cpu_percent_each'],
                      '%.1f' % r['lag_median_ms']
                      if r['lag_median_ms'] is not None else '-',
                      '%.1f' % r['lag_p99_ms']
                      if r['lag_p99_ms'] is not None else '-',
                      r['tty_kB_s_each']), flush=True)
    finally:
        for c in clients:
            c.close()
        end()
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('sides', nargs='*')
    ap.add_argument('-n', '--numbers', default='1,10,50')
    ap.add_argument('-t', '--seconds', type=float, default=6)
    ap.add_argument('-o', '--out', default='')
    opts = ap.parse_intermixed_args()
    opts.truth, opts.verbose, opts.jobs = '', False, 8
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    counts = [int(n) for n in opts.numbers.split(',')]
    sides = opts.sides or ['rmux', 'tmux', 'udp']
    bench = Bench(opts.build, opts)
    results = []
    try:
        for side in sides:
            if side == 'tmux' and not shutil.which('tmux'):
                continue
            results += run_side(bench, side, counts, opts.seconds)
    finally:
        bench.end()
    if opts.out:
        with open(opts.out, 'w', encoding='utf-8') as f:
            json.dump(results, f, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
