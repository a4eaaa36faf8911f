#!/usr/bin/env python3
"""Every benchmark in one command: rmux, tmux, screen and mosh on the same work.

    bench.py [-l] [-o DIR] BUILD [SECTION...]

Sections: terminal (the parser alone), live (latency, throughput, memory,
command round trip; tmux and screen beside), keys (recorded keys over a lossy
link with and without prediction, mosh beside), wire (bytes for the same work,
mosh and ssh with tmux inside beside), many (clients on one session).

The short form takes less than ten minutes; -l is the long one (about an hour:
all links of issue 6, all recordings, more rounds).  Writes DIR (BUILD/bench):
bench.txt, bench.json and plots as SVG.
"""
import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time

import people_plot

HERE = os.path.dirname(os.path.abspath(__file__))


def version(*argv):
    try:
        got = subprocess.run(argv, capture_output=True, text=True,
                             check=False, stdin=subprocess.DEVNULL)
        return (got.stdout + got.stderr).strip().split('\n')[0]
    except OSError:
        return 'not installed'


def machine():
    cpu = 'unknown'
    try:
        with open('/proc/cpuinfo', encoding='ascii', errors='replace') as f:
            cpu = re.search(r'model name\s*: (.*)', f.read()).group(1)
    except (OSError, AttributeError):
        pass
    return {'date': time.strftime('%Y-%m-%d %H:%M %Z'), 'cpu': cpu,
            'cores': os.cpu_count(), 'kernel': platform.release(),
            'load': os.getloadavg()[0],
            'tmux': version('tmux', '-V'), 'screen': version('screen', '-v'),
            'mosh': version('mosh', '--version'),
            'ssh': version('ssh', '-V')}


class Run:
    def __init__(self, opts):
        self.opts = opts
        self.build = os.path.abspath(opts.build)
        self.dir = os.path.abspath(opts.out or
                                   os.path.join(self.build, 'bench'))
        os.makedirs(self.dir, exist_ok=True)
        self.text = open(os.path.join(self.dir, 'bench.txt'), 'w',
                         encoding='utf-8')
        self.data = {'machine': machine(), 'sections': {}}
        self.child = None

    def say(self, line):
        print(line, flush=True)
        print(line, file=self.text, flush=True)

    def call(self, argv):
        """Runs ARGV, shows what it says, returns its lines."""
        lines = []
        self.child = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True,
                                      stdin=subprocess.DEVNULL)
        for line in self.child.stdout:
            lines.append(line.rstrip('\n'))
            self.say(lines[-1])
        if self.child.wait() != 0:
            self.say('# %s: exit code %d' % (os.path.basename(argv[0]),
                                             self.child.returncode))
        return lines

    def script(self, name, *args):
        return self.call([sys.executable, os.path.join(HERE, name)] +
                         list(args))

    def program(self, name):
        return os.path.join(self.build, 'regress', 'bench', name)

    def load(self, name):
        try:
            with open(os.path.join(self.dir, name), encoding='utf-8') as f:
                return json.load(f)
        except (OSError, ValueError):
            return None


def terminal(run):
    if not os.path.exists(run.program('vt_speed')):
        run.say('# vt_speed is not built')
        return []
    return run.call([run.program('vt_speed')])


LIVE = re.compile(r'^(\S.{21}) (\w+) +median +([\d.]+)(?: p95 +([\d.]+) p99 '
                  r'+([\d.]+))? ?(\S*)')


def live(run):
    args = ['-s'] if run.opts.long else [
        '-s', '-r', '2', 'echo', 'flood-pane', 'throughput', 'memory',
        'message', 'new-window', 'start']
    out = []
    for line in run.script('live.py', os.path.join(run.build, 'rmux'), *args):
        m = LIVE.match(line)
        if m:
            out.append({'what': m.group(1).strip(), 'system': m.group(2),
                        'median': float(m.group(3)), 'unit': m.group(6),
                        'p99': float(m.group(5)) if m.group(5) else None})
    for what in dict.fromkeys(r['what'] for r in out):
        mine = [r for r in out if r['what'] == what]
        people_plot.bars(
            os.path.join(run.dir, 'live-%s.svg' % what.replace(
                ' ', '-').replace(',', '')), what + ' (median)',
            {r['system']: r['median'] for r in mine}, mine[0]['unit'])
    return out


def keys(run):
    args = [run.build, '-o', run.dir]
    if not run.opts.long:
        args += ['loss29', '-r', 'bash,vim-write,chat,less,fish']
    run.script('people_keys.py', *args)
    data = run.load('keys.json') or []
    return [{k: r[k] for k in ('row', 'note', 'systems', 'demands')}
            for r in data]


def wire(run):
    args = [run.build, '-o', run.dir] + ([] if run.opts.long else ['-s'])
    run.script('wire_bytes.py', *args)
    return run.load('wire.json')


def many(run):
    out = os.path.join(run.dir, 'many.json')
    run.script('bench_many.py', run.build, '-o', out, '-n',
               '1,10,50,200' if run.opts.long else '1,10,50', '-t',
               '10' if run.opts.long else '4')
    data = run.load('many.json') or []
    curves = {}
    for r in data:
        curves.setdefault(r['side'], []).append(
            (r['clients'], max(r['cpu_percent_each'], .001)))
    people_plot.lines(os.path.join(run.dir, 'many.svg'),
                      'CPU of the server for each client at 30 Hz', curves,
                      'clients', '% of a core', logx=True, logy=True)
    return data


SECTIONS = {'terminal': terminal, 'live': live, 'keys': keys, 'wire': wire,
            'many': many}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('build')
    ap.add_argument('sections', nargs='*')
    ap.add_argument('-l', '--long', action='store_true')
    ap.add_argument('-o', '--out', default='')
    opts = ap.parse_intermixed_args()
    for name in opts.sections:
        if name not in SECTIONS:
            ap.error('no section %s (%s)' % (name, ' '.join(SECTIONS)))
    run = Run(opts)

    def stop(*_):
        if run.child is not None and run.child.poll() is None:
            run.child.terminate()
        sys.exit(1)
    signal.signal(signal.SIGTERM, stop)
    for k, v in run.data['machine'].items():
        run.say('%-8s %s' % (k, v))
    for name in opts.sections or SECTIONS:
        begin = time.monotonic()
        run.say('\n== %s' % name)
        run.data['sections'][name] = SECTIONS[name](run)
        run.say('== %s: %.0f s' % (name, time.monotonic() - begin))
        with open(os.path.join(run.dir, 'bench.json'), 'w',
                  encoding='utf-8') as f:
            json.dump(run.data, f, indent=1)
    run.say('\n%s: bench.txt, bench.json, *.svg' % run.dir)
    return 0


if __name__ == '__main__':
    sys.exit(main())
