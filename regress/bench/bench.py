#!/usr/bin/env python3
"""Every benchmark in one command: rmux, tmux, screen and mosh on the same work.

    bench.py [-l] [-o DIR] BUILD [SECTION...]

Sections: terminal (the parser alone, beside libvterm), live (key to echo,
throughput, memory, command round trip, start), keys (recorded keys over a
lossy link with and without prediction), wire (bytes for the same work), many
(clients on one session).  Only when named: papers (the published results
again, see papers.py).

The short form ends within ten minutes whatever happens: each part has a time
of its own and is cut off after it.  -l is the long form (about an hour: all
links, all recordings, more rounds).  A program that is not here is named and
does not take part; a part that fails is named and the rest goes on (exit code
1).  Writes DIR (BUILD/bench): bench.txt, bench.json and plots as SVG;
tables.py puts the closing table into README and doc/BENCHMARKS.md.
"""
import glob
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

import people_plot
from papers import arguments, results_dir
from tables import whole_table

HERE = os.path.dirname(os.path.abspath(__file__))
SHORT = 570  # seconds that the short form may take in all
STOP = 8     # seconds that a part has to clean up when it is cut off
PEERS = {'tmux': ('-V',), 'screen': ('-v',), 'mosh-server': ('--version',),
         'mosh-client': ('--version',), 'ssh': ('-V',), 'htop': ('--version',),
         'vim': ('--version',), 'less': ('--version',),
         'fish': ('--version',), 'bash': ('--version',)}


def version(*argv):
    if not shutil.which(argv[0]):
        return 'not installed'
    try:
        got = subprocess.run(argv, capture_output=True, text=True, timeout=10,
                             check=False, stdin=subprocess.DEVNULL)
        return ((got.stdout + got.stderr).strip() or '?').split('\n')[0]
    except (OSError, subprocess.SubprocessError):
        return 'does not run'


def commit():
    try:
        return subprocess.run(
            ['git', '-C', HERE, 'describe', '--always', '--dirty'],
            capture_output=True, text=True, check=False,
            stdin=subprocess.DEVNULL).stdout.strip() or 'unknown'
    except OSError:
        return 'unknown'


def machine():
    cpu = platform.processor() or 'unknown'
    try:
        with open('/proc/cpuinfo', encoding='ascii', errors='replace') as f:
            cpu = re.search(r'model name\s*: (.*)', f.read()).group(1)
    except (OSError, AttributeError):
        pass
    out = {'date': time.strftime('%Y-%m-%d %H:%M %Z'), 'cpu': cpu,
           'cores': os.cpu_count(), 'kernel': platform.release(),
           'load': round(os.getloadavg()[0], 2), 'commit': commit()}
    out.update((k, version(k, *v)) for k, v in PEERS.items())
    return out


class Run:
    def __init__(self, opts):
        self.opts = opts
        self.build = os.path.abspath(opts.build)
        self.dir = results_dir(opts)
        # No file of an earlier run may be taken for one of this run.
        for pattern in ('*.svg', '*.json', '*.txt'):
            for path in glob.glob(os.path.join(self.dir, pattern)):
                os.unlink(path)
        self.text = open(os.path.join(self.dir, 'bench.txt'), 'w',
                         encoding='utf-8')
        self.begin = time.monotonic()
        self.data = {'machine': machine(), 'sections': {}, 'failed': []}
        self.child = None
        self.limit = None

    def say(self, line):
        print(line, flush=True)
        print(line, file=self.text, flush=True)

    def failed(self, what):
        self.data['failed'].append(what)
        self.say('# FAILED: %s' % what)

    def left(self):
        """Return the seconds left for the running bench; None: no limit."""
        if self.opts.long:
            return None
        return SHORT - STOP - (time.monotonic() - self.begin)

    def kill(self):
        """End the running bench: by SIGTERM first, since it ends servers."""
        if self.child is None or self.child.poll() is not None:
            return
        for sig in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.child.pid, sig)
                self.child.wait(STOP)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass

    def call(self, argv, limit):
        """Runs ARGV, LIMIT seconds at most; shows what it says, returns its
        lines."""
        script = argv[0] in ('sh', sys.executable)
        name = os.path.basename(argv[1 if script else 0])
        left = self.left()
        if left is not None:
            limit = min(limit, left)
            if limit < 5:
                self.failed('%s: not begun, the ten minutes are over' % name)
                return []
        else:
            limit *= 30
        lines, late = [], []

        def cut():
            late.append(True)
            self.kill()
        self.child = subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors='replace', stdin=subprocess.DEVNULL,
            start_new_session=True)
        timer = threading.Timer(limit, cut)
        timer.start()
        for line in self.child.stdout:
            lines.append(line.rstrip('\n'))
            self.say(lines[-1])
        rc = self.child.wait()
        timer.cancel()
        timer.join()
        if late:
            self.failed('%s: cut off after %.0f s' % (name, limit))
        elif rc != 0:
            self.failed('%s: exit code %d' % (name, rc))
        return lines

    def script(self, name, limit, *args):
        return self.call([sys.executable, os.path.join(HERE, name)] +
                         list(args), limit)

    def program(self, name):
        return os.path.join(self.build, 'regress', 'bench', name)

    def path(self, name):
        return os.path.join(self.dir, name)

    def load(self, name):
        try:
            with open(self.path(name), encoding='utf-8') as f:
                return json.load(f)
        except (OSError, ValueError):
            return []


def terminal(run):
    out = []
    for line in run.call([run.program('vt_speed')], 60):
        w = line.split()
        if len(w) >= 3 and re.match(r'[\d.]+$', w[1]):
            out.append({'payload': w[0], 'rmux': float(w[1]),
                        'rmux_history': float(w[2]), 'libvterm':
                        float(w[3]) if len(w) > 3 else None})
    people_plot.bars(run.path('terminal.svg'), 'The parser alone, MB/s',
                     {'%s %s' % (r['payload'], k): r[k] for r in out
                      for k in ('rmux', 'libvterm')}, 'MB/s')
    return out


def live(run):
    args = ['-s', '-m', '-o', run.path('live.json')]
    if not run.opts.long:
        args += ['-r', '2', 'echo', 'echo-loopback', 'flood-pane',
                 'throughput', 'memory', 'message', 'new-window', 'start']
    run.script('live.py', 200, os.path.join(run.build, 'rmux'), *args)
    out = run.load('live.json')
    for what in dict.fromkeys(r['what'] for r in out):
        mine = [r for r in out if r['what'] == what]
        people_plot.bars(
            run.path('live-%s.svg' % what.replace(' ', '-').replace(',', '')),
            what + ' (median)', {r['system']: r['median'] for r in mine},
            mine[0]['unit'])
    return out


def keys(run):
    args = [run.build, '-o', run.dir]
    if not run.opts.long:
        args += ['loss29', '-r', 'bash,vim-write,chat,less,fish']
    run.script('people_keys.py', 240, *args)
    return [{k: r[k] for k in ('row', 'note', 'systems', 'demands')}
            for r in run.load('keys.json')]


def wire(run):
    args = [run.build, '-o', run.dir] + ([] if run.opts.long else ['-s'])
    run.script('wire_bytes.py', 200, *args)
    return run.load('wire.json')


MANY = re.compile(r'(\w+) +(\d+) clients, +(\d+) live, +([\d.]+) frames/s '
                  r'each, latency +([\d.]+) ms median +([\d.]+) p99, server '
                  r'+([\d.]+) % of a core, ([\d.]+) % each'
                  r'.*; (\d+) of (\d+) frames late')


def many(run):
    names = ('live', 'frames_per_s', 'lag_median_ms', 'lag_p99_ms',
             'cpu_percent', 'cpu_percent_each', 'frames_late', 'frames')
    data, curves = [], {}
    for line in run.call(
            ['sh', os.path.join(HERE, 'many_clients.sh'), run.build]
            + (['10', '1 10 50 200'] if run.opts.long
               else ['3', '1 10 50']), 120):
        m = MANY.match(line)
        if m:
            r = {'side': m.group(1), 'clients': int(m.group(2))}
            r.update(zip(names, (float(x) for x in m.groups()[2:])))
            data.append(r)
            name = {'local': 'rmux', 'udp': 'rmux by UDP'}.get(
                r['side'], r['side'])
            curves.setdefault(name, []).append(
                (r['clients'], max(r['cpu_percent_each'], .001)))
    people_plot.lines(run.path('many.svg'),
                      'CPU of the server for each client at 30 Hz', curves,
                      'clients', '% of a core', logx=True, logy=True)
    return data


def papers(run):
    run.script('papers.py', 900, run.build, '-o', run.dir,
               *(['-l'] if run.opts.long else []))
    return run.load('papers.json')


SECTIONS = {'terminal': terminal, 'live': live, 'keys': keys, 'wire': wire,
            'many': many, 'papers': papers}


def summary(sections):
    """Rows (what, {side: text}) of the closing table."""
    rows = []
    table = {}
    for r in sections.get('live') or []:
        table.setdefault(r['what'], {})[r['system']] = r
    for what, title in (
            ('echo', 'key to echo, ms'),
            ('echo-one-core', '  all on one core'),
            ('echo-loopback', '  over UDP (bare: rmux without)'),
            ('flood-pane', 'beside a pane that floods, ms'),
            ('throughput logs', 'throughput, logs, MB/s'),
            ('throughput truecolour', '  truecolour'),
            ('throughput alternate', '  alternate screen'),
            ('throughput unicode', '  Unicode'),
            ('memory', 'memory of an idle pane, KiB'),
            ('idle', '100 panes, 10 clients idle, 1/1000'),
            ('message', 'command round trip, ms'),
            ('new-window', '  new-window'), ('start', 'start, ms')):
        if 'udp' in table.get(what, ()):
            t = table[what]
            t['bare'], t['rmux'] = t.get('rmux'), t.pop('udp')
        if what in table:
            rows.append((title, {k: '%.3g' % v['median']
                                 for k, v in table[what].items() if v}))
    for r in sections.get('keys') or []:
        for mode, title in (('never', 'no prediction'),
                            ('adaptive', 'prediction')):
            got = {k.split()[0]: v for k, v in r['systems'].items()
                   if k.split()[1] == mode and v.get('n')}
            if got:
                rows.append(('%s, %s: ms, mean' % (r['row'], title),
                             {k: '%.0f' % v['mean']
                              for k, v in got.items()}))
                rows.append(('  answered under 50 ms, %', {
                    k: '%.1f' % (100 * v['fast']) for k, v in got.items()}))
    by_work = {}
    for r in sections.get('wire') or []:
        by_work.setdefault(r['work'], {})[r['system']] = (
            r['up_bytes'] + r['down_bytes']) / 1e3
    for work, got in by_work.items():
        # mosh and ssh have tmux inside.
        rows.append(('%s, kB on the wire' % work, {
            'rmux': '%.1f' % got['rmux'] if 'rmux' in got else '-',
            'mosh': '%.1f' % got['mosh+tmux'] if 'mosh+tmux' in got else '-',
            'bare': '%.1f (ssh -C)' % got['ssh-C+tmux']
                    if 'ssh-C+tmux' in got else '-'}))
        if 'rmux+history' in got:
            rows.append(('  and then its newest 1,000 lines', {
                'rmux': '%.1f' % got['rmux+history']}))
    by_n = {}
    for r in sections.get('many') or []:
        by_n.setdefault(r['clients'], {})[r['side']] = r
    for n, got in sorted(by_n.items()):
        rows.append(('%d clients, %% of a core each' % n, {
            {'local': 'rmux', 'udp': 'bare'}.get(k, k): '%.3f%s' % (
                v['cpu_percent_each'], ' (rmux UDP)' if k == 'udp' else '')
            for k, v in got.items()}))
    return rows


def closing(run):
    rows = summary(run.data['sections'])
    run.data['table'] = [{'what': t, **g} for t, g in rows]
    if rows:
        run.say('\n== table (medians; "bare": no multiplexer, or as it says)')
        run.say(whole_table(run.data))
    absent = [k for k in PEERS if run.data['machine'][k] in
              ('not installed', 'does not run')]
    if absent:
        run.say('\n# not here, so without: %s' % ' '.join(absent))
    for what in run.data['failed']:
        run.say('# FAILED: %s' % what)
    run.data['seconds'] = round(time.monotonic() - run.begin)
    run.say('\n%d s, %d failed parts; %s: bench.txt, bench.json, *.svg' % (
        run.data['seconds'], len(run.data['failed']), run.dir))


def main():
    opts = arguments(__doc__, 'section', SECTIONS)
    run = Run(opts)

    def stop(*_):
        run.kill()
        os._exit(1)
    for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(sig, stop)
    for k, v in run.data['machine'].items():
        run.say('%-11s %s' % (k, v))
    for name in opts.sections or [s for s in SECTIONS if s != 'papers']:
        begin = time.monotonic()
        run.say('\n== %s' % name)
        try:
            run.data['sections'][name] = SECTIONS[name](run)
            if not run.data['sections'][name]:
                run.failed('%s: nothing was measured' % name)
        except Exception as e:  # whatever it is, the rest goes on
            run.failed('%s: %r' % (name, e))
            run.say(traceback.format_exc())
        run.say('== %s: %.0f s' % (name, time.monotonic() - begin))
        with open(run.path('bench.json'), 'w', encoding='utf-8') as f:
            json.dump(run.data, f, indent=1)
    closing(run)
    with open(run.path('bench.json'), 'w', encoding='utf-8') as f:
        json.dump(run.data, f, indent=1)
    return 1 if run.data['failed'] else 0


if __name__ == '__main__':
    sys.exit(main())
