#!/usr/bin/env python3
"""Measure what hostile datagrams cost the owner of a server.

    flood.py BUILD [-r ROUNDS] [-k KEYS] [-d RATE] [-m] [-o FILE] [ROW...]

Types KEYS keys (150) into cat, in turn through a client on this machine and
through one over UDP without prediction, while others attack the server, and
prints for both the milliseconds from key to echo: median, 99th percentile,
worst.  RATE (100000) is the number of datagrams a second of a flood.  Rows:

    quiet    nobody attacks
    random   random bytes
    tags     the headers of the owner's own datagrams before random bytes
    replay   the owner's own datagrams again
    mixed    the three in turn
    half     10,000 first datagrams of guests with a ticket, each from a port of
             its own, repeated every second; nobody reads the answers
    guests1, guests2, guests3
             64 guests, 16 of each of four attacks of evil_guest

With -m the floods also hit a mosh-server, whose client is measured the same way.
Further columns: the server's share of a core, its resident memory before and
after the row in KiB and its peak, the datagrams sent to its port and those that
the kernel dropped because its queue was full.  Everything runs on this machine,
as if on machines of their own: floods at a lower priority, guests in the idle
class, which has the time that the others leave.  On a busy
machine run it with `chrt -r 20`: then other work does not count.  FILE gets the
table as JSON.
"""
import argparse
import json
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from live import KEYS, Mux, Remote, Terminal, cpu_seconds, one_key

FLOODS = ('random', 'tags', 'replay', 'mixed')
GUESTS = {'guests1': ('keys', 'mouse', 'paste', 'resize'),
          'guests2': ('focus', 'replies', 'names', 'objects'),
          'guests3': ('frames', 'side', 'rekey', 'idle')}
ROWS = ('quiet',) + FLOODS + ('half',) + tuple(GUESTS) + ('quiet',)


def status(pid, field):
    with open('/proc/%d/status' % pid, encoding='ascii') as f:
        return int(re.search(field + r':\s*(\d+)', f.read()).group(1))


def dropped(port):
    """Datagrams for PORT that the kernel had no room for."""
    total = 0
    for name in ('udp', 'udp6'):
        with open('/proc/net/' + name, encoding='ascii') as f:
            for line in f.readlines()[1:]:
                words = line.split()
                if int(words[1].rsplit(':', 1)[1], 16) == port:
                    total += int(words[-1])
    return total


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(('', 0))
        return s.getsockname()[1]


class Relay:
    """udp_relay in front of PORT, which keeps the client's datagrams."""

    def __init__(self, build, port, keep):
        self.keep = keep
        self.process = subprocess.Popen(
            [os.path.join(build, 'regress/tools/udp_relay'), '-w', keep, '0',
             str(port)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])

    def end(self):
        self.process.terminate()
        self.process.communicate()


class Attack:
    """Processes that attack, from the time of their first line on."""

    def __init__(self, commands, guests=False):
        lower = ['nice', '-n', '5']
        if guests:
            lower = ['chrt', '-i', '0']
        elif os.sched_getscheduler(0) != os.SCHED_OTHER:
            lower = ['chrt', '-r', '1']
        self.processes = [subprocess.Popen(
            lower + c, stdout=subprocess.PIPE, text=True) for c in commands]
        for p in self.processes:
            p.stdout.readline()

    def end(self):
        """Returns how many datagrams were sent, as far as they say it."""
        sent = 0
        for p in self.processes:
            said = p.communicate()[0]
            found = re.search(r'sent (\d+) in ([\d.]+)', said)
            sent += int(found.group(1)) if found else 0
        return sent


class Rmux:
    """A server with an owner here and one over UDP, each with a cat."""

    def __init__(self, build, top, number):
        program = os.path.join(build, 'rmux')
        self.build = build
        self.far = Remote('far', program, top, number)
        self.far.run('new-session', '-d', '-s', 's', '-x', '80', '-y', '24',
                     'stty raw -echo; exec cat >/dev/null')
        self.far.run('new-session', '-d', '-s', 'near', 'cat')
        self.far.run('new-session', '-d', '-s', 'over', 'cat')
        self.pid = self.far.server()
        self.port = free_port()
        self.far.run('set-option', '-s', 'remote-ports', str(self.port))
        self.relay = Relay(build, self.port, os.path.join(top, 'kept%d' % number))
        self.near = Mux.attach(self.far, 'attach-session', '-t', 'near')
        self.over = self.attach_far()
        for t in (self.near, self.over):
            t.quiet(0.7)
        # What the attackers replay.
        for i in range(30):
            one_key(self.over, KEYS[i % 26:i % 26 + 1])
            self.over.drain(0.02)

    def attach_far(self):
        ssh = os.path.join(self.far.dir, 'ssh')
        with open(ssh, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nwhile [ $# -gt 0 ]; do\ncase $1 in\n'
                    '-G) exit 1 ;;\n-p) shift 2 ;;\n-*) shift ;;\n'
                    '*) break ;;\nesac\ndone\nshift\nexec sh -c "$*"\n')
        os.chmod(ssh, 0o700)
        t = Terminal([self.far.argv[0], 'attach', '--ssh=' + ssh,
                      '--server=' + self.far.argv[0], '--predict=never',
                      '--udp=127.0.0.1:%d' % self.relay.port, '-t', 'over',
                      '127.0.0.1'], self.far.env)
        self.far.terminals.append(t)
        return t

    def tickets(self, n):
        return [self.far.run('invite', '-a', '127.0.0.1', '--type', '-t', 's',
                             '--for', '10m').split()[-1] for _ in range(n)]

    def terminals(self):
        return {'here': self.near, 'UDP': self.over}

    def settle(self):
        self.far.run('invite', '-k')

    def end(self):
        self.far.end()
        self.relay.end()


class Mosh:
    """mosh-server with cat, and its client through a relay."""

    def __init__(self, build, top, number):
        self.build = build
        env = {'TERM': 'xterm-256color', 'PATH': os.environ['PATH'],
               'HOME': top, 'SHELL': '/bin/sh', 'LC_ALL': 'C.UTF-8',
               'MOSH_PREDICTION_DISPLAY': 'never',
               'MOSH_SERVER_NETWORK_TMOUT': '120'}
        got = subprocess.run(
            ['mosh-server', 'new', '-i', '127.0.0.1', '-p', '61000:61999',
             '-c', '256', '--', 'cat'], env=env, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=True)
        found = re.search(r'CONNECT (\d+) (\S+)', got.stdout)
        self.port = int(found.group(1))
        self.pid = int(re.search(r'pid = (\d+)',
                                 got.stdout + got.stderr).group(1))
        self.relay = Relay(build, self.port, os.path.join(top, 'mosh%d' % number))
        self.client = Terminal(['mosh-client', '127.0.0.1', str(self.relay.port)],
                               dict(env, MOSH_KEY=found.group(2)))
        self.client.quiet(0.7)
        for i in range(30):
            one_key(self.client, KEYS[i % 26:i % 26 + 1])
            self.client.drain(0.02)

    def terminals(self):
        return {'mosh': self.client}

    def settle(self):
        pass

    def end(self):
        os.kill(self.pid, 15)
        while self.client.read(2):
            pass
        self.client.close()
        self.relay.end()


def attack_of(row, system, rate, seconds):
    """The attack ROW for at least SECONDS, or None where there is none."""
    hostile = os.path.join(system.build, 'regress/hostile/')
    if row == 'quiet':
        return Attack([])
    if row in FLOODS:
        return Attack([[hostile + 'junk', row, str(system.port), str(rate),
                        str(seconds), system.relay.keep]])
    if not isinstance(system, Rmux):
        return None
    if row == 'half':
        return Attack([[hostile + 'junk', 'half', str(system.port), '10000',
                        str(seconds)] + system.tickets(1)])
    return Attack([[hostile + 'evil_guest', t, what,
                    str(int(seconds * 1000)), '16']
                   for t, what in zip(system.tickets(4), GUESTS[row])], True)


def type_keys(system, keys, times):
    """KEYS keys into each terminal in turn; too late ones count as 2 s."""
    rnd = random.Random(1)
    for i in range(keys):
        for name, t in system.terminals().items():
            t.drain(rnd.uniform(0.004, 0.016))
            try:
                ms = one_key(t, KEYS[i % 26:i % 26 + 1])
            except ValueError:
                ms = 2000.0
            times.setdefault(name, []).append(ms)
            if i % 40 == 39:
                t.write(b'\r')


def measure(row, system, opts, table):
    """One row of one round."""
    # The keys' own time, with some for a slow echo.
    seconds = opts.keys * len(system.terminals()) * 0.0125 + 1.5
    before = status(system.pid, 'VmRSS')
    lost = dropped(system.port)
    attack = attack_of(row, system, opts.rate, seconds)
    if attack is None:
        return
    cpu, begin = cpu_seconds(system.pid), time.monotonic()
    got = table.setdefault((type(system).__name__, row), {'times': {}})
    type_keys(system, opts.keys, got['times'])
    share = (cpu_seconds(system.pid) - cpu) / (time.monotonic() - begin)
    sent = attack.end()
    system.settle()
    got.setdefault('share', []).append(share)
    got.setdefault('sent', []).append(sent)
    got.setdefault('seconds', []).append(seconds)
    got.setdefault('dropped', []).append(dropped(system.port) - lost)
    got.setdefault('before', []).append(before)
    got.setdefault('after', []).append(status(system.pid, 'VmRSS'))
    got.setdefault('peak', []).append(status(system.pid, 'VmHWM'))


def show(table):
    print('%-8s %-5s %7s %7s %7s %6s %9s %9s %7s %7s %7s' % (
        'attack', 'key', 'p50', 'p99', 'max', 'core', 'sent/s', 'dropped',
        'before', 'after', 'peak'))
    out = []
    for (_, row), got in table.items():
        for name, times in got['times'].items():
            times.sort()
            line = {
                'attack': row, 'key': name, 'keys': len(times),
                'p50': statistics.median(times),
                'p99': times[min(len(times) - 1, int(len(times) * .99))],
                'max': times[-1], 'core': statistics.median(got['share']),
                'sent': sum(got['sent']) / sum(got['seconds']),
                'dropped': sum(got['dropped']) / max(1, sum(got['sent'])),
                'before': got['before'][0], 'after': got['after'][-1],
                'peak': max(got['peak'])}
            out.append(line)
            print('%-8s %-5s %7.2f %7.2f %7.2f %5.0f%% %9.0f %8.1f%% %7d %7d %7d'
                  % (row, name, line['p50'], line['p99'], line['max'],
                     100 * line['core'], line['sent'], 100 * line['dropped'],
                     line['before'], line['after'], line['peak']), flush=True)
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('rows', nargs='*')
    ap.add_argument('-r', '--rounds', type=int, default=3)
    ap.add_argument('-k', '--keys', type=int, default=150)
    ap.add_argument('-d', '--rate', type=int, default=100000)
    ap.add_argument('-m', '--mosh', action='store_true')
    ap.add_argument('-o', '--out', default='')
    opts = ap.parse_intermixed_args()
    # A terminated run also ends its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    build = os.path.abspath(opts.build)
    kinds = [Rmux] + ([Mosh] if opts.mosh else [])
    table = {}
    with tempfile.TemporaryDirectory(prefix='rmux-flood-') as top:
        for number in range(opts.rounds):
            for kind in kinds:
                system = kind(build, top, number)
                try:
                    for row in opts.rows or ROWS:
                        measure(row, system, opts, table)
                finally:
                    system.end()
    with open('/proc/loadavg', encoding='ascii') as f:
        print('# load %s, %d rounds of %d keys' % (
            f.read().split()[0], opts.rounds, opts.keys))
    out = show(table)
    if opts.out:
        with open(opts.out, 'w', encoding='utf-8') as f:
            json.dump(out, f, indent=1)


if __name__ == '__main__':
    sys.exit(main())
