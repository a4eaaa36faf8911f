#!/usr/bin/env python3
"""Recorded keys over bad links: rmux and mosh, response times and mistakes.

    people_keys.py [options] BUILD [ROW...]

For each row (a link) every recording of regress/bench/recordings is played by
keyplay into a client of each system, all at the same time, each through a
udp_relay of its own with the same link.  What "answered" and "wrong" mean is
in regress/tools/keyjudge.h; the screens that are right are made first, by the
same keys without any network.  rmux is reached by `rmux attach --udp` with a
stand-in for ssh; mosh is mosh-server and mosh-client (Debian's) run directly.
Both have the program alone on an 80 by 24 screen.

    -m MODES     never,adaptive (default both): prediction
    -r NAMES     recordings, with commas; FILE.keys is one of your own, made by
                 keyrec (doc/KEYS.md), whose program runs here and again
    -S FROM:TO   instead: programs and typists that these seeds generate
                 (regress/predict/strange.h), as recordings strange-SEED
    -K N         keys of each of these (400)
    -o DIR       results: keys.json, keys.txt, keys-ROW.svg (build/bench)
    -j N         plays at once (default 26)
    -a           all rows at once: no play waits for the slowest of its row
    -l           list rows and end
    -v           say which keys were not answered, and what was wrong
    --only NAME  rmux or mosh alone
    --truth DIR  keep the right screens there for the next run
    --again FILE tables and plots of results kept before (keys.json)
"""
import argparse
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import people_plot

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = ['bash', 'zsh', 'fish', 'password', 'vim-write', 'vim-move', 'nano',
         'emacs', 'less', 'chat', 'talk', 'python']
SWEEP = ['bash', 'fish', 'vim-write', 'nano', 'less', 'chat', 'talk']
LONG = ['bash-long', 'vim-long', 'chat-long', 'talk-long']
MODES = ('never', 'adaptive')


class Row:
    """A link, the person who types over it, and the goals."""

    def __init__(self, name, rtt, up, down=None, names=NAMES, modes=MODES,
                 wait=60, events=None, note=''):
        self.name, self.rtt, self.names = name, rtt, names
        self.up, self.down = up, down or up
        self.modes, self.wait = modes, wait
        self.events, self.note = events, note
        # Sooner than that nothing comes back: 70 % of the queue, jitter.
        self.least = rtt * (0.7 if rtt > 1000 else 0.92)


def rows():
    out = [Row('loss29', 100, 'delay=50,loss=.29',
               note='100 ms, 29 % lost each way')]
    for loss in (0, 1, 5, 10, 15, 20):
        out.append(Row('loss%d' % loss, 100, 'delay=50,loss=%g' %
                       (loss / 100), names=SWEEP,
                       note='100 ms, %d %% lost each way' % loss))
    for rtt in (10, 25, 50, 100, 175, 250):
        out.append(Row('rtt%d' % rtt, rtt, 'delay=%g,loss=.1' % (rtt / 2),
                       names=SWEEP,
                       note='%d ms, 10 %% lost each way' % rtt))
    out.append(Row('clean250', 250, 'delay=125',
                   note='250 ms, nothing lost'))
    out.append(Row('singapore', 273, 'delay=136.5',
                   note='273 ms, nothing lost'))
    out.append(Row('evdo', 500, 'delay=230,jitter=40,rate=75000,queue=60000',
                   note='500 ms, jitter, 600 kbit/s'))
    out.append(Row('bulk', 4500, 'delay=25',
                   'delay=25,rate=625000,queue=3125000,bulk=1', wait=120,
                   names=LONG, note='5 Mbit/s, 5 s of queue kept full by a download'))
    out.append(Row('outage', 100, 'delay=50', names=['outage'] * 5, wait=90,
                   events='outage', note='30 s without a link, thrice'))
    out.append(Row('rebind', 100, 'delay=50', names=['outage'] * 3, wait=60,
                   events='rebind', note='another source address'))
    out.append(Row('local', 0, 'delay=0.05',
                   modes=('never',), note='loopback'))
    return out


def wait_for(what, seconds, fn):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got = fn()
        if got:
            return got
        time.sleep(0.03)
    raise RuntimeError('no ' + what)


def read_file(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except OSError:
        return ''


def own(name):
    return name.endswith('.keys')


def strange(name):
    """The seed of a generated program, or None."""
    return name[8:] if name.startswith('strange-') else None


class Bench:
    def __init__(self, build, opts):
        self.build = os.path.abspath(build)
        self.opts = opts
        self.tools = os.path.join(self.build, 'regress', 'tools')
        self.rmux = os.path.join(self.build, 'rmux')
        self.strange = os.path.join(self.build, 'regress', 'predict',
                                    'strange_run')
        self.dir = tempfile.mkdtemp(prefix='rmux-keys-')
        self.children = []
        self.servers = {}
        self.count = 0
        self.lock = threading.Lock()
        for k in ('TMUX', 'RMUX', 'RMUX_PANE', 'TMUX_PANE', 'ENV',
                  'XDG_RUNTIME_DIR'):
            os.environ.pop(k, None)
        os.environ.update(LC_ALL='C.UTF-8', TERM='xterm-256color',
                          SHELL='/bin/sh', MOSH_SERVER_NETWORK_TMOUT='300')

    def path(self, *words):
        return os.path.join(self.dir, *words)

    def number(self):
        with self.lock:
            self.count += 1
            return self.count

    def truth(self, name):
        return os.path.join(self.opts.truth or self.dir,
                            name.replace('/', '_') + '.truth')

    def recording(self, name):
        if own(name):
            return name
        if strange(name):
            return self.path(name + '.keys')
        return os.path.join(HERE, 'recordings', name + '.keys')

    def program(self, name, number):
        if own(name):
            words = re.search('^name (.*)', read_file(name), re.M)
            if not words:
                raise RuntimeError(name + ': no line "name COMMAND"')
            return ['sh', '-c', 'printf "\\033[H\\033[2J"; exec ' + words[1]]
        if strange(name):
            return [self.strange, strange(name)]
        return ['sh', os.path.join(HERE, 'rec_env.sh'), name,
                self.path('work%d' % number)]

    def spawn(self, argv, **kw):
        p = subprocess.Popen(argv, **kw)
        self.children.append(p)
        return p

    def end(self):
        for server in self.servers.values():
            server.end()
        for p in self.children:
            if p.poll() is None:
                p.kill()
            p.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def generate(self, names):
        """Writes the keys of generated programs; returns their groups."""
        groups = {}
        for name in names:
            with open(self.recording(name), 'w', encoding='utf-8') as f:
                subprocess.run([self.strange, '-k', str(self.opts.keys),
                                strange(name)], stdout=f, check=True)
            groups[name] = re.search('^name (.*)', read_file(
                self.recording(name)), re.M)[1]
        return groups

    # --- truth ------------------------------------------------------------

    def truths(self, names):
        jobs = []
        for name in sorted(set(names)):
            if os.path.exists(self.truth(name)):
                continue
            log = open(self.path(name + '.log'), 'w', encoding='utf-8')
            jobs.append((name, self.spawn(
                [os.path.join(self.tools, 'keyplay'), '-d', '-T',
                 self.truth(name), self.recording(name)] +
                self.program(name, self.number()), stderr=log)))
        bad = [n for n, p in jobs if p.wait() != 0]
        for n in bad:
            print('# %s: no truth: %s' % (n, read_file(
                self.path(n + '.log'))[:300]))
        return [n for n in names if n not in bad]

    # --- one play ---------------------------------------------------------

    def relay(self, port, row, seed, *more):
        p = self.spawn(
            [os.path.join(self.tools, 'udp_relay'), '-c', '-s', str(seed),
             '-u', row.up, '-d', row.down, *more, '0', str(port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = p.stdout.readline()
        return p, int(line.split()[1])

    def play(self, system, mode, row, name, seed):
        number = self.number()
        begin = self.systems[system](self, mode, row, name, number, seed)
        relay, env, argv, stop = begin
        out = self.path('out%d' % number)
        player = subprocess.Popen(
            [os.path.join(self.tools, 'keyplay'), '-t',
             self.truth(name), '-o', out, '-w', str(row.wait),
             '-b', '60', '-r', str(row.least), '-W', str(1.5 + 2.5 * row.rtt / 1000)] + (['-d'] if self.opts.verbose else []) +
            [self.recording(name)] + argv,
            env=dict(os.environ, **env), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.children.append(player)
        line = player.stdout.readline().split()
        events = []
        if row.events and line[:1] == ['begin']:
            EVENTS[row.events](relay, player, events, seed)
        said = player.communicate()[1]
        relay.stdin.write('stats\nquit\n')
        relay.stdin.close()
        stats = relay.stdout.read()
        relay.wait()
        stop()
        result = parse(out)
        result.update(system=system, mode=mode, row=row.name, name=name,
                      events=events, said=said, relay=stats)
        if result['keys'] and 'down in=0 ' in stats:
            raise RuntimeError('nothing came back through the relay')
        if self.opts.verbose and (said or not result['whole']):
            print('# %s %s %s %s: %s' % (row.name, system, mode, name, said))
        return result

    def start_mosh(self, mode, row, name, number, seed):
        got = subprocess.run(
            ['mosh-server', 'new', '-i', '127.0.0.1', '-p', '61000:61999',
             '-c', '256', '--'] + self.program(name, number), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=True)
        words = got.stdout.split()
        at = words.index('CONNECT')
        pid = int((got.stdout + got.stderr).split('pid = ')[1].split(']')[0])
        relay, port = self.relay(words[at + 1], row, seed)

        def stop():
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        return relay, {'MOSH_KEY': words[at + 2],
                       'MOSH_PREDICTION_DISPLAY': mode,
                       'MOSH_NO_TERM_INIT': '1'}, \
            ['mosh-client', '127.0.0.1', str(port)], stop

    def start_rmux(self, mode, row, name, number, seed):
        with self.lock:
            server = self.servers.get(mode)
            if server is None:
                server = Server(self, mode)
                self.servers[mode] = server
        relay, port = self.relay(server.port, row, seed)
        session = 'p%d' % number
        server.run('new-session', '-d', '-s', session, '-x', '80', '-y', '24',
                   *self.program(name, number))

        def stop():
            server.run('kill-session', '-t', session)
        return relay, server.env, server.attach(port) + ['-t', session], stop

    systems = {'rmux': start_rmux, 'mosh': start_mosh}


class Server:
    """An rmux server that clients reach through a fake ssh."""

    CONF = ('set -g status off\nset -g prefix None\n'
            'set -s escape-time 10\nset -g set-titles off\n'
            'set -g default-terminal xterm-256color\n')

    def __init__(self, bench, mode, conf=None):
        self.bench = bench
        self.host = '127.0.0.1'
        self.dir = bench.path('far-' + mode)
        os.mkdir(self.dir, 0o700)
        self.env = {'RMUX_TMPDIR': bench.path('near-' + mode)}
        os.makedirs(self.env['RMUX_TMPDIR'], 0o700, exist_ok=True)
        self.conf = os.path.join(self.dir, 'conf')
        with open(self.conf, 'w', encoding='utf-8') as f:
            f.write(self.CONF if conf is None else conf)
        self.ssh = os.path.join(self.dir, 'ssh')
        with open(self.ssh, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\nwhile [ $# -gt 0 ]; do case $1 in\n'
                    '-G) exit 1 ;;\n-p) shift 2 ;;\n-*) shift ;;\n'
                    '*) break ;;\nesac done\nshift\n'
                    'export RMUX_TMPDIR="%s"\n'
                    'sh -c "$*" | tee -a "%s/connect"\n' %
                    (self.dir, self.dir))
        os.chmod(self.ssh, 0o755)
        self.run('new-session', '-d', '-s', 'boot', '-x', '80', '-y', '24',
                 'sleep', '100000')
        said = self.run('set', '-g', 'predict', mode)
        if said:
            print('# rmux: %s' % said.strip())
        self.port = self.learn()

    def run(self, *args):
        got = subprocess.run(
            [self.bench.rmux, '-f', self.conf] + list(args),
            env=dict(os.environ, RMUX_TMPDIR=self.dir),
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
            check=False)
        return got.stdout + got.stderr

    def attach(self, port):
        return [self.bench.rmux, 'attach', '--ssh=' + self.ssh,
                '--server=' + self.bench.rmux] + (
                    ['--udp=%s:%d' % (self.host, port)] if port else []) + \
            [self.host]

    def learn(self):
        """Attaches once to see which port the server has."""
        import pty
        pid, fd = pty.fork()
        if pid == 0:
            os.environ.update(self.env)
            argv = self.attach(0) + ['-t', 'boot']
            os.execv(argv[0], argv)

        def connected():
            words = read_file(os.path.join(self.dir, 'connect')).split()
            if 'CONNECT' in words:
                at = words.index('CONNECT')
                if len(words) > at + 2:
                    return int(words[at + 2])
            return None
        try:
            return wait_for('answer of rmux', 30, connected)
        finally:
            os.kill(pid, signal.SIGTERM)
            os.close(fd)
            os.waitpid(pid, 0)

    def end(self):
        self.run('kill-server')


# --- events ---------------------------------------------------------------

def say(relay, line):
    relay.stdin.write(line + '\n')
    relay.stdin.flush()
    return time.clock_gettime(time.CLOCK_MONOTONIC) * 1000


def sleep_while(player, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if player.poll() is not None:
            return False
        time.sleep(min(0.2, max(0, end - time.monotonic())))
    return True


def outages(relay, player, events, seed):
    rnd = random.Random(seed)
    for _ in range(3):
        if not sleep_while(player, 5 + rnd.random() * 4):
            return
        down = say(relay, 'both off=1')
        sleep_while(player, 30)
        events.append((down, say(relay, 'both off=0')))


def rebinds(relay, player, events, seed):
    rnd = random.Random(seed)
    while sleep_while(player, 3 + rnd.random() * 3):
        events.append((0, say(relay, 'rebind')))


EVENTS = {'outage': outages, 'rebind': rebinds}


# --- results --------------------------------------------------------------

def parse(path):
    keys, wrong, whole = [], [], 0
    for line in read_file(path).splitlines():
        w = line.split(' ', 5)
        if w[0] == 'key':
            keys.append((int(w[1]), float(w[2]), w[3], float(w[4]), w[5]))
        elif w[0] == 'wrong':
            rest = w[5].split(' ', 1)
            wrong.append((float(w[1]), float(w[2]), int(w[3]), int(w[4]),
                          int(rest[0]), rest[1]))
        elif w[0] == 'end':
            whole = int(w[2])
    return {'keys': keys, 'wrong': wrong, 'whole': whole}


def summary(plays):
    ms, wrong, count, unseen, waiting, bad = [], [], 0, 0, 0, 0
    for p in plays:
        for _, _, state, t, _ in p['keys']:
            if state == 'answered':
                ms.append(t)
            unseen += state == 'unseen'
            waiting += state == 'waiting'
        count += len(p['keys'])
        wrong += [w[1] for w in p['wrong']]
        bad += len({w[4] for w in p['wrong']})
    s = {'typed': count, 'n': len(ms), 'unseen': unseen,
         'unanswered': waiting, 'wrong': len(wrong), 'wrong_keys': bad,
         'wrong_share': bad / count if count else 0,
         'unfinished': sum(1 for p in plays if not p['whole'])}
    if ms:
        ms.sort()
        s.update(median=statistics.median(ms), mean=statistics.fmean(ms),
                 sd=statistics.pstdev(ms), p99=ms[int(len(ms) * .99)],
                 max=ms[-1], fast=sum(t < 50 for t in ms) / len(ms))
    lasted = sorted(w for w in wrong if w >= 0)
    s['wrong_ms'] = lasted[len(lasted) // 2] if lasted else 0
    s['wrong_max'] = lasted[-1] if lasted else 0
    return s


def after_events(plays):
    """ms from the return of the link (a new address) to the next echo."""
    out = []
    for p in plays:
        for down, up in p['events']:
            shown = [(k[1] + k[3], k[1]) for k in p['keys']
                     if k[2] == 'answered']
            if down:
                after = [s - up for s, _ in shown if s > up]
                if after:
                    out.append(min(after))
            else:
                # The first key typed at the new address.
                after = sorted((t, s - t) for s, t in shown if t >= up)
                if after:
                    out.append(after[0][1])
    return out


HEAD = '%-10s %-5s %-8s %5s %8s %8s %8s %8s %8s %6s %6s %7s %7s' % (
    'row', '', 'predict', 'keys', 'median', 'mean', 'sd', 'p99', 'max',
    '<50ms', 'wrong%', 'med ms', 'max ms')
# wrong%: of 100 keys typed, after how many something wrong stood on the screen;
# med, max: how long a wrong character stood there.


def line_of(row, system, mode, s):
    if not s['n']:
        return '%-10s %-5s %-8s no key answered' % (row.name, system, mode)
    text = '%-10s %-5s %-8s %5d %8.1f %8.1f %8.1f %8.1f %8.1f %6.3f %6.2f ' \
        '%7.0f %7.0f' % (
            row.name, system, mode, s['n'], s['median'], s['mean'], s['sd'],
            s['p99'], s['max'], s['fast'], 100 * s['wrong_share'],
            s['wrong_ms'], s['wrong_max'])
    for what in ('unseen', 'unanswered', 'unfinished'):
        if s[what]:
            text += ' %s %d' % (what, s[what])
    return text


def demands(row, got):
    """(what, is, limit, holds) for each aim of this row."""
    out = []

    def demand(what, value, limit, below=True):
        out.append((what, value, limit,
                    value <= limit if below else value >= limit))
    for mode in row.modes:
        r, m = got.get(('rmux', mode)), got.get(('mosh', mode))
        if not r or not r.get('n'):
            continue
        if mode == 'never' and not row.events:
            if row.name == 'loss29':
                demand('median / RTT', r['median'] / row.rtt, 1.2)
                demand('mean / RTT', r['mean'] / row.rtt, 1.3)
            if m and m.get('n'):
                demand('median beside mosh', r['median'], m['median'] + .5)
                demand('mean beside mosh', r['mean'], m['mean'] + .5)
        if mode == 'adaptive' and not row.events:
            if m and m.get('n') and m['fast'] >= 0.7:
                demand('share < 50 ms, mosh + .03', r['fast'],
                       min(m['fast'] + .03, 1), False)
            if row.name in ('evdo', 'bulk'):
                demand('share < 50 ms', r['fast'], .75, False)
            demand('wrong % of keys', 100 * r['wrong_share'], .5)
            demand('wrong gone in ms', r['wrong_max'], row.rtt * 1.05 + 50)
        if row.events and r.get('after'):
            demand('first echo after, median ms',
                   statistics.median(r['after']),
                   500 if row.events == 'outage' else row.rtt + 20)
    return out


# --- main -----------------------------------------------------------------

def run_row(bench, row, modes, names, systems, gate):
    jobs = [(s, m, n, 1000 * i + 7) for m in row.modes if m in modes
            for i, n in enumerate(row.names)
            if n in names or n not in NAMES for s in systems]
    plays = []

    def one(job):
        with gate:
            try:
                plays.append(bench.play(job[0], job[1], row, job[2], job[3]))
            except (RuntimeError, OSError, ValueError, IndexError,
                    subprocess.CalledProcessError) as e:
                print('# %s %s: %r' % (row.name, job[:3], e), flush=True)
    threads = []
    for job in jobs:
        t = threading.Thread(target=one, args=(job,), daemon=True)
        t.start()
        threads.append(t)
        time.sleep(0.05)
    for t in threads:
        t.join()
    return tally(plays, row)


def run_rows(bench, table, modes, names, systems, done):
    """Runs the rows one by one, or all at once, and calls DONE for each."""
    gate = threading.Semaphore(bench.opts.jobs)
    if not bench.opts.all:
        for row in table:
            done(run_row(bench, row, modes, names, systems, gate))
        return
    got = {}

    def one(row):
        got[row.name] = run_row(bench, row, modes, names, systems, gate)
    threads = [threading.Thread(target=one, args=(r,), daemon=True)
               for r in table]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for row in table:
        if row.name in got:
            done(got[row.name])


def report(result, out):
    row, got = result['row'], result['got']
    for key, s in sorted(got.items(), key=lambda k: (k[0][1] != 'never',
                                                     k[0][0] != 'rmux')):
        print(line_of(row, key[0], key[1], s), file=out)
        if s.get('after'):
            a = sorted(s['after'])
            print('    first echo after: %d times, median %.0f max %.0f ms' %
                  (len(a), statistics.median(a), a[-1]), file=out)
    for what, value, limit, holds in demands(row, got):
        print('    %-30s %8.3f  limit %8.3f  %s' % (
            what, value, limit, 'holds' if holds else 'DOES NOT HOLD'),
            file=out)


def programs(result, out, groups=None):
    """Hit and wrong rates for each program, or group of programs."""
    row = result['row']
    for m in row.modes:
        for n in dict.fromkeys((groups or {}).get(n, n) for n in row.names):
            text = '    %-9s %-9s' % (n, m)
            for s in ('rmux', 'mosh'):
                mine = [p for p in result['plays'] if p['system'] == s and
                        p['mode'] == m and
                        (groups or {}).get(p['name'], p['name']) == n]
                if mine:
                    r = summary(mine)
                    text += ' | %s %4d keys, median %7.1f mean %7.1f, <50 ms ' \
                        '%.3f, wrong %2d of %2d keys' % (
                            s, r['n'], r.get('median', 0), r.get('mean', 0),
                            r.get('fast', 0), r['wrong'],
                            r['wrong_keys'])
                    if r['unanswered'] or r['unfinished']:
                        text += ' (%d unanswered)' % r['unanswered']
            if '|' in text:
                print(text, file=out)


def families(results, out, groups):
    """A table of the groups of generated programs, rmux beside mosh."""
    print('%-9s %-10s %-9s %-6s %6s %7s %8s %8s' % (
        'programs', 'row', 'predict', '', 'keys', '<50 ms', 'wrong k%',
        'wrong c%'), file=out)
    for g in list(dict.fromkeys(sorted(groups.values()))) + ['all']:
        for r in results:
            for mode in r['row'].modes:
                for s in ('rmux', 'mosh'):
                    mine = [p for p in r['plays'] if p['system'] == s and
                            p['mode'] == mode and
                            g in ('all', groups.get(p['name']))]
                    n = summary(mine) if mine else {'n': 0}
                    if n['n']:
                        print('%-9s %-10s %-9s %-6s %6d %7.3f %8.2f %8.2f' % (
                            g, r['row'].name, mode, s, n['n'], n['fast'],
                            100 * n['wrong_share'],
                            100 * n['wrong'] / n['typed']), file=out)


def save(results, directory):
    data = []
    for r in results:
        data.append({
            'row': r['row'].name, 'note': r['row'].note,
            'up': r['row'].up, 'down': r['row'].down,
            'systems': {'%s %s' % k: v for k, v in r['got'].items()},
            'demands': demands(r['row'], r['got']),
            'keys': [{k: p[k] for k in ('system', 'mode', 'name', 'keys',
                                        'wrong', 'events', 'whole')}
                     for p in r['plays']]})
        curves = {}
        for p in r['plays']:
            name = '%s, prediction %s' % (p['system'], p['mode'])
            curves.setdefault(name, []).extend(
                k[3] for k in p['keys'] if k[2] == 'answered')
        people_plot.cdf(os.path.join(directory, 'keys-%s.svg' %
                                     r['row'].name), r['row'].note, curves)
    for kind, what in (('loss', 'loss each way, %'),
                       ('rtt', 'round trip, ms (10 % lost each way)')):
        curves = {}
        for r in results:
            number = r['row'].name[len(kind):]
            if not r['row'].name.startswith(kind) or not number.isdigit():
                continue
            for (s, m), v in r['got'].items():
                if v['n']:
                    curves.setdefault('%s, prediction %s' % (s, m), []).append(
                        (int(number), v['mean']))
        if len(next(iter(curves.values()), [])) > 1:
            people_plot.lines(os.path.join(directory, 'sweep-%s.svg' % kind),
                              'Mean response time', curves, what, 'ms')
    with open(os.path.join(directory, 'keys.json'), 'w',
              encoding='utf-8') as f:
        json.dump(data, f)


def tables(results, out, each):
    print(HEAD, file=out)
    for r in results:
        report(r, out)
        if each and not r['row'].events:
            programs(r, out)


def tally(plays, row):
    got = {}
    for s in ('rmux', 'mosh'):
        for m in row.modes:
            mine = [p for p in plays if p['system'] == s and p['mode'] == m]
            if mine:
                got[s, m] = summary(mine)
                if row.events:
                    got[s, m]['after'] = after_events(mine)
    return {'row': row, 'plays': plays, 'got': got}


def again(opts, table):
    by_name = {r.name: r for r in table}
    results = []
    for path in opts.again.split(','):
        with open(path, encoding='utf-8') as f:
            for d in json.load(f):
                if d['row'] in by_name:
                    results.append(tally(d['keys'], by_name[d['row']]))
    order = [r.name for r in rows()]
    results.sort(key=lambda r: order.index(r['row'].name))
    tables(results, sys.stdout, opts.verbose)
    if opts.out:
        os.makedirs(opts.out, exist_ok=True)
        save(results, opts.out)
    return 0


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('rows', nargs='*')
    ap.add_argument('-m', '--modes', default='never,adaptive')
    ap.add_argument('-r', '--recordings', default=','.join(NAMES))
    ap.add_argument('-S', '--strange', default='')
    ap.add_argument('-K', '--keys', type=int, default=400)
    ap.add_argument('-o', '--out', default='')
    ap.add_argument('-j', '--jobs', type=int, default=26)
    ap.add_argument('-a', '--all', action='store_true')
    ap.add_argument('-l', '--list', action='store_true')
    ap.add_argument('-v', '--verbose', action='store_true')
    ap.add_argument('--only', default='')
    ap.add_argument('--truth', default='')
    ap.add_argument('--again', default='')
    opts = ap.parse_intermixed_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    table = rows()
    if opts.list:
        for r in table:
            print('%-10s %s' % (r.name, r.note))
        return 0
    table = [r for r in table if not opts.rows or r.name in opts.rows]
    if opts.again:
        return again(opts, table)
    names = opts.recordings.split(',')
    if opts.strange:
        seeds = opts.strange.split(':')
        names = ['strange-%d' % n for n in range(int(seeds[0]),
                                                 int(seeds[1]))]
    if opts.strange or any(own(n) for n in names):
        for r in table:
            r.names = names
    systems = [opts.only] if opts.only else ['rmux', 'mosh']
    if not shutil.which('mosh-server') and 'mosh' in systems:
        systems.remove('mosh')
        print('# no mosh here')
    directory = opts.out or os.path.join(opts.build, 'bench')
    os.makedirs(directory, exist_ok=True)
    bench = Bench(opts.build, opts)
    results = []
    groups = {}
    try:
        if opts.strange:
            groups = bench.generate(names)
        need = [n for r in table for n in r.names
                if n in names or n not in NAMES]
        good = bench.truths(need)
        names = [n for n in names if n in good]
        if not good:
            print('nothing can be played')
            return 1
        print(HEAD)

        def done(result):
            results.append(result)
            report(result, sys.stdout)
            if not result['row'].events:
                programs(result, sys.stdout, groups)
            sys.stdout.flush()
            save(results, directory)
        run_rows(bench, table, opts.modes.split(','), names, systems, done)
        with open(os.path.join(directory, 'keys.txt'), 'w',
                  encoding='utf-8') as f:
            tables(results, f, True)
            if groups:
                families(results, f, groups)
        if groups:
            families(results, sys.stdout, groups)
    finally:
        bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
