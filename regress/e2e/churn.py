#!/usr/bin/env python3
"""Use a server hard: windows, panes, clients, resizes, floods, at random.

    churn.py RMUX [-s SEED] [-n OPERATIONS] [-b BATCHES] [-v]

The server of -L e2e must run, with one session "s" of one window.  After each
batch it closes everything else and prints the server's descriptors, children
and private memory.  The numbers of descriptors and children must return to the
first values, memory must not grow from one batch to the next.
17,280 operations are a day of one every five seconds.
"""
import argparse
import fcntl
import os
import pty
import random
import select
import signal
import struct
import subprocess
import sys
import termios
import time

rnd = random.Random()
clients = []
rmux = ''
failures = {}


def run(*args, check=False):
    r = subprocess.run([rmux, '-L', 'e2e', *args], capture_output=True,
                       stdin=subprocess.DEVNULL, text=True, check=False,
                       timeout=60)
    if 'unexpected' in r.stderr or r.returncode not in (0, 1):
        print('failed:', args, r.returncode, r.stderr)
        sys.exit(1)
    if r.returncode:
        failures[args[0]] = failures.get(args[0], 0) + 1
    if check and r.returncode:
        print('failed:', args, r.stderr)
        sys.exit(1)
    return r.stdout.strip()


def drain(seconds=0.0):
    """Read and discard the output of the clients that read."""
    end = time.monotonic() + seconds
    while True:
        fds = [c[1] for c in clients if c[2]]
        ready = select.select(fds, [], [], max(0, end - time.monotonic()))[0] \
            if fds else time.sleep(max(0, end - time.monotonic()))
        for fd in ready or ():
            try:
                os.read(fd, 65536)
            except OSError:
                pass
        if time.monotonic() >= end:
            return


def size():
    return struct.pack('HHHH', rnd.randrange(2, 60), rnd.randrange(5, 200),
                       0, 0)


def attach():
    if len(clients) >= 6:
        return
    pid, fd = pty.fork()
    if pid == 0:
        # The hangup of a terminal sends SIGCONT, which undoes the SIGSTOP of
        # a leak check at exit: the check would wait for ever.
        os.environ['ASAN_OPTIONS'] = \
            os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'
        os.execv(rmux, [rmux, '-L', 'e2e', 'attach', '-t', 's'])
    # The next client must not inherit this one's terminal.
    os.set_inheritable(fd, False)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, size())
    # One of four never reads.
    clients.append((pid, fd, rnd.random() < 0.75))


def leave(how):
    if not clients:
        return
    pid, fd, _ = clients.pop(rnd.randrange(len(clients)))
    if how:
        os.kill(pid, how)
    os.close(fd)
    os.waitpid(pid, 0)


def client_resize():
    if clients:
        fcntl.ioctl(rnd.choice(clients)[1], termios.TIOCSWINSZ, size())


def client_keys():
    if clients:
        try:
            os.write(rnd.choice(clients)[1], rnd.choice(
                [b'text\r', b'\x02c', b'\x02%', b'\x02"', b'\x02n', b'\x02o',
                 b'\x02z', b'\x02x' + b'y', b'\x1b[A', b'\x02[q', b'\x02wq',
                 b'\x1b[<0;3;3M\x1b[<0;3;3m', b'\x1b[200~paste\x1b[201~']))
        except OSError:
            pass


FLOODS = ['seq 20000', 'yes | head -n 5000',
          "awk 'BEGIN{for(i=0;i<3000;i++)printf \"\\033[%dm\\033[%d;%dHx é你\","
          "i%49,i%50,i%150}'",
          'head -c 200000 /dev/urandom', 'printf "\\033[?1049h"; seq 300']


def shell_flood():
    return rnd.choice(FLOODS) + '; exec sleep 1000'


OPS = [
    (6, lambda: run('new-window', '-d', shell_flood())),
    (5, lambda: run('split-window', '-d', rnd.choice('-h -v'.split()),
                    shell_flood())),
    (3, lambda: run('new-session', '-d', 'exec sleep 1000')),
    (5, lambda: run('new-session', '-d', '-s', 's', 'exec sleep 1000')),
    (4, lambda: run('kill-pane')),
    (3, lambda: run('kill-window')),
    (3, lambda: run('resize-pane', '-' + rnd.choice('LRUD'),
                    str(rnd.randrange(9)))),
    (2, lambda: run('resize-window', '-x', str(rnd.randrange(2, 300)), '-y',
                    str(rnd.randrange(2, 100)))),
    (3, lambda: run('select-layout', rnd.choice(
        'tiled even-horizontal even-vertical main-vertical'.split()))),
    (2, lambda: run('swap-pane', '-D')),
    (2, lambda: run('break-pane', '-d')),
    (2, lambda: run('next-window')),
    (2, lambda: run('respawn-pane', '-k', shell_flood())),
    (2, lambda: run('pipe-pane', 'cat >/dev/null')),
    (2, lambda: run('run-shell', 'echo out')),
    (2, lambda: run('set-buffer', 'x' * rnd.randrange(10000))),
    (2, lambda: run('capture-pane', '-p', '-S', '-')),
    (2, lambda: run('clear-history')),
    (2, lambda: run('display-message', '-p', '#{W:#{P:#{pane_title}}}')),
    (1, lambda: run('set', '-g', '@x' + str(rnd.randrange(50)), 'y')),
    (6, attach),
    (2, lambda: leave(0)),
    (2, lambda: leave(signal.SIGTERM)),
    (2, lambda: leave(signal.SIGKILL)),
    (6, client_resize),
    (12, client_keys),
    (4, drain),
]


def measure(pid):
    rss = 0
    with open('/proc/%d/smaps_rollup' % pid) as f:
        for line in f:
            if line.startswith('Private_Dirty'):
                rss = int(line.split()[1])
    fds = len(os.listdir('/proc/%d/fd' % pid))
    with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
        children = len(f.read().split())
    return fds, children, rss


def hang_up_again(pid):
    """valgrind eats a SIGHUP that comes while a child begins its program."""
    with open('/proc/%d/task/%d/children' % (pid, pid)) as f:
        children = [int(c) for c in f.read().split()]
    for child in children:
        try:
            with open('/proc/%d/cmdline' % child, 'rb') as f:
                if f.read().startswith(b'sleep\0'):
                    os.kill(child, signal.SIGHUP)
        except OSError:
            pass


def close_all():
    """Back to one session of one window of one quiet pane."""
    while clients:
        leave(rnd.choice([0, signal.SIGTERM, signal.SIGKILL]))
    run('set', '-g', 'history-limit', '2000')
    if 's' not in run('list-sessions', '-F', '#S').split():
        run('new-session', '-d', '-s', 's', 'cat')
    run('new-window', '-t', '=s:', '-n', 'base', 'cat', check=True)
    run('kill-session', '-a', '-t', '=s', check=True)
    run('kill-window', '-a', '-t', '=s:', check=True)
    for name in run('list-buffers', '-F', '#{buffer_name}').split():
        run('delete-buffer', '-b', name)


def main():
    global rmux
    ap = argparse.ArgumentParser()
    ap.add_argument('rmux')
    ap.add_argument('-s', '--seed', type=int, default=0)
    ap.add_argument('-n', '--operations', type=int, default=300)
    ap.add_argument('-b', '--batches', type=int, default=5)
    ap.add_argument('-v', '--valgrind', action='store_true')
    opts = ap.parse_args()
    rmux = opts.rmux
    rnd.seed(opts.seed)
    pid = int(run('display-message', '-p', '#{pid}'))
    run('set', '-s', 'exit-empty', 'off', check=True)
    names = [op for weight, op in OPS for _ in range(weight)]
    close_all()
    # A connection that just ended may still be there.
    first = measure(pid)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        first = min(first, measure(pid))
        drain(0.1)
    rows = []
    print('seed %d; batch operations seconds descriptors children KiB' %
          opts.seed, flush=True)
    for batch in range(opts.batches):
        begin = time.monotonic()
        for _ in range(opts.operations // opts.batches):
            rnd.choice(names)()
            drain()
        close_all()
        # Waits until pending work has ended and the server is idle.
        end = time.monotonic() + 30
        while measure(pid)[:2] != first[:2] and time.monotonic() < end:
            if opts.valgrind:
                hang_up_again(pid)
            drain(0.05)
        low = None
        end = time.monotonic() + 4
        while time.monotonic() < end:
            now = measure(pid)
            low = now if low is None or now[2] < low[2] else low
            drain(0.2)
        rows.append(low)
        print('%d %d %.1f %d %d %d' % (
            batch, opts.operations // opts.batches,
            time.monotonic() - begin, *low), flush=True)
    print('refused:', failures)
    bad = [r for r in rows if r[:2] != first[:2]]
    if bad:
        print('descriptors or children stay:', first, bad)
    early = max(r[2] for r in rows[:max(2, len(rows) // 4)])
    grown = rows[-1][2] - early
    print('grown by %d KiB' % grown)
    if 'RMUX_ASAN' not in os.environ and grown > 256 + early // 10:
        print('memory grows')
        bad = True
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
