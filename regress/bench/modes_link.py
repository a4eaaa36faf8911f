#!/usr/bin/env python3
"""Keys of copy mode and windows over bad links: rmux, and tmux in mosh.

    modes_link.py [options] BUILD [ROW...]

For each row (a link) the same keys go to a client of rmux (`rmux attach --udp`,
a stand-in for ssh) and to tmux inside mosh, each through a udp_relay of its own
with the same link.  The screens that are right are those that the same keys
lead to in a client of the same server without a network.  keyplay judges (see
regress/tools/keyjudge.h): a key is answered when its effect is on the screen; a
character is wrong if its cell never had it.  Choosers are left out: keyplay sees
characters alone, not the look of the chosen row.  tmux is $TMUX_PEER, else tmux.

    -n N       plays of each (3), one after another
    -W SECONDS from the first screen to the first key (12): the history comes
    -l         list rows and end
"""
import argparse
import os
import shutil
import subprocess
import sys

import people_keys as pk

CONF = ('set -g status off\nset -s escape-time 10\nset -g history-limit 5000\n'
        'set -g set-titles off\nset -g automatic-rename off\n'
        'set -g default-terminal screen-256color\n')
# The position has no time of the line, which a local client shows and a far one not.
OWN = ('set -g prefix-panel-time 0\n'
       'set -g copy-mode-position-format "#[align=right]'
       '[#{copy_position}/#{copy_position_limit}]"\n')
LINES = "seq -f '%s %%g of some words to look at' 1 800; exec cat"
NAME = 's'


def rows():
    return [pk.Row('clean', 100, 'delay=50', note='100 ms, nothing lost'),
            pk.Row('far', 500, 'delay=250,loss=.1',
                   note='500 ms, 10 % lost each way'),
            pk.Row('loss29', 100, 'delay=50,loss=.29',
                   note='100 ms, 29 % lost each way')]


def keys_copy():
    out = ['\x02', '[']
    out += ['\x1b[A'] * 12 + ['\x1b[5~'] * 6 + ['\x1b[D', '\x1b[C'] * 3
    out += ['\x01', '\x05', '\x1bf', '\x1bb', '\x1b<', '\x1b>']
    out += ['\x12'] + list('line 7') + ['\r'] + ['n'] * 5 + ['N'] * 2
    out += ['\x00'] + ['\x1b[B'] * 5 + ['\x1b[C'] * 5 + ['\x07']
    out += ['\x1b[5~'] * 4 + ['\x1b[6~'] * 3
    return out


def keys_windows():
    return ['\x02', 'n', '\x02', 'p', '\x02', '1', '\x02', '0'] * 6


SCRIPTS = {'copy mode': keys_copy, 'windows': keys_windows}


def text(key):
    return ''.join({'\x1b': '\\e', '\r': '\\r', '"': '\\"', '\\': '\\\\'}.get(
        c, c if ' ' <= c <= '~' else '\\x%02x' % ord(c)) for c in key)


def write_keys(path, keys):
    with open(path, 'w', encoding='utf-8') as f:
        f.write('keys 1\nsize 80 24\nname modes\nready "line 800 "\n')
        for k in keys:
            f.write('k 300 "%s"\n' % text(k))


class Link(pk.Bench):
    def __init__(self, build, opts, tmux):
        super().__init__(build, opts)
        self.tmux = tmux
        self.server = pk.Server(self, 'adaptive', CONF + OWN)
        self.sock = self.path('tmux')
        self.conf = self.path('tmux.conf')
        with open(self.conf, 'w', encoding='utf-8') as f:
            f.write(CONF)

    def in_tmux(self, *args):
        return [self.tmux, '-S', self.sock, '-f', self.conf] + list(args)

    @staticmethod
    def session(run):
        run('new-session', '-d', '-s', NAME, '-n', 'a', '-x', '80', '-y', '24',
            LINES % 'line')
        run('new-window', '-d', '-t', NAME, '-n', 'b', LINES % 'Line')
        pk.wait_for('lines', 20, lambda: 'Line 800' in run(
            'capture-pane', '-p', '-t', NAME + ':1') and 'line 800' in run(
                'capture-pane', '-p', '-t', NAME + ':0'))

    def run_tmux(self, *args):
        got = subprocess.run(self.in_tmux(*args), capture_output=True,
                             text=True, check=False)
        return got.stdout + got.stderr

    def end(self):
        self.server.end()
        self.run_tmux('kill-server')
        super().end()

    def setting(self, system):
        """How to talk to the server, and the argv of a client beside it."""
        if system == 'rmux':
            return self.server.run, \
                ['env', 'RMUX_TMPDIR=' + self.server.dir, self.rmux]
        return self.run_tmux, self.in_tmux()

    def right(self, system, script, file):
        run, argv = self.setting(system)
        self.session(run)
        out = self.path('%s-%s' % (system, script.split()[0]))
        subprocess.run(
            [os.path.join(self.tools, 'keyplay'), '-q', '400', '-T', out, file]
            + argv + ['attach', '-t', NAME], check=True,
            stderr=subprocess.DEVNULL)
        run('kill-session', '-t', NAME)
        return out

    def start(self, system, row, seed):
        if system == 'rmux':
            relay, port = self.relay(self.server.port, row, seed)
            return relay, self.server.env, \
                self.server.attach(port) + ['-t', NAME], lambda: None
        keep = self.program
        self.program = lambda *_: self.in_tmux('attach', '-t', NAME)
        try:
            return self.start_mosh('adaptive', row, NAME, 0, seed)
        finally:
            self.program = keep

    def one(self, system, row, script, file, right, n):
        run, _ = self.setting(system)
        self.session(run)
        relay, env, argv, stop = self.start(system, row, n)
        out = self.path('out%d' % self.number())
        subprocess.run(
            [os.path.join(self.tools, 'keyplay'), '-t', right, '-o', out,
             '-w', '30', '-b', '60', '-W', str(self.opts.wait),
             '-r', str(row.least), file] + argv, env=dict(os.environ, **env),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        relay.stdin.write('quit\n')
        relay.stdin.close()
        relay.wait()
        stop()
        run('kill-session', '-t', NAME)
        return pk.parse(out)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('rows', nargs='*')
    ap.add_argument('-n', type=int, default=3)
    ap.add_argument('-W', '--wait', type=float, default=12)
    ap.add_argument('-l', '--list', action='store_true')
    opts = ap.parse_intermixed_args()
    opts.truth = ''
    if opts.list:
        for r in rows():
            print('%-10s %s' % (r.name, r.note))
        return 0
    systems = ['rmux']
    tmux = os.environ.get('TMUX_PEER', 'tmux')
    if shutil.which('mosh-server') and shutil.which(tmux):
        systems.append('tmux')
    bench = Link(opts.build, opts, tmux)
    try:
        print('%-10s %-12s %-5s %5s %7s %7s %7s %7s %6s' % (
            'link', 'keys of', '', 'keys', '<50 ms', 'median', 'mean', 'p99',
            'wrong'))
        files, right = {}, {}
        for script, keys in SCRIPTS.items():
            files[script] = bench.path(script.split()[0] + '.keys')
            write_keys(files[script], keys())
            for system in systems:
                right[system, script] = bench.right(
                    system, script, files[script])
        for row in rows():
            if opts.rows and row.name not in opts.rows:
                continue
            for script in SCRIPTS:
                plays = {s: [] for s in systems}
                for n in range(opts.n):
                    for s in systems:
                        plays[s].append(bench.one(
                            s, row, script, files[script], right[s, script],
                            n + 1))
                for s in systems:
                    got = pk.summary(plays[s])
                    print('%-10s %-12s %-5s %5d %7.3f %7.0f %7.0f %7.0f %6d'
                          % (row.name, script, s, got['n'],
                             got.get('fast', 0), got.get('median', -1),
                             got.get('mean', -1), got.get('p99', -1),
                             got['wrong']), flush=True)
    finally:
        bench.end()
    return 0


if __name__ == '__main__':
    sys.exit(main())
