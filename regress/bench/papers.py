#!/usr/bin/env python3
"""The published results that rmux descends from, again, on links made here.

    papers.py [-l] [-o DIR] [-t TRACES] BUILD [PART...]

Parts: links (the tables of "Mosh: An Interactive Remote Shell for Mobile
Clients", USENIX ATC 2012: half of all round trips lost, EV-DO, a deep buffer
kept full, MIT to Singapore), sweeps (loss, round trip), collect (the curve of
the interval for which output gathers), cells (Sprout, NSDI 2013, on recorded
links: only with -t, a folder of mahimahi's traces, which are not ours to ship).

Mosh's and rmux's numbers are of this run, side by side; the papers' are theirs,
of other machines, links and typists.  SSH's of the paper are shown too; here
it is not run.  The short form types a few of the recordings, all links at
once, and takes some eight minutes; -l all of them, one link after the other.
Writes papers.txt, papers.json and plots into DIR (BUILD/bench).
"""
import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import people_plot
from forward import end_programs

HERE = os.path.dirname(os.path.abspath(__file__))
# Median, mean, sigma in ms: ssh, mosh; prediction.  None: not published.
LINKS = (
    ('loss29', 'half of the round trips lost (100 ms, 29 % each way)', 'never',
     (416, 16800, 52200), (222, 329, 1630)),
    ('evdo', 'EV-DO-like (500 ms, jitter, 600 kbit/s)', 'adaptive',
     (503, 515, None), (5, 173, None)),
    ('bulk', 'deep buffer kept full (5 Mbit/s, 5 s of queue)', 'adaptive',
     (5360, 5030, 2140), (5, 1700, 2600)),
    ('singapore', 'MIT to Singapore (273 ms)', 'adaptive',
     (273, 272, 9), (5, 86, 132)),
)
SWEEPS = {
    'loss': ('loss each way, %, at 100 ms', (0, 1, 5, 10, 15, 20)),
    'rtt': ('round trip, ms, 10 % lost each way', (10, 25, 50, 100, 175, 250)),
}
SHORT_SWEEPS = {'loss': (0, 5, 15), 'rtt': (10, 50, 250)}
SHORT = 'less,python,vim-write,nano,fish'
COLLECT = ('bash', 'zsh', 'fish', 'vim-write', 'nano', 'less', 'python')


def arguments(doc, kind, names, **more):
    """Add the common options of benches with parts; MORE: own options."""
    ap = argparse.ArgumentParser(description=doc.split('\n', maxsplit=1)[0])
    ap.add_argument('build')
    ap.add_argument(kind + 's', nargs='*')
    ap.add_argument('-l', '--long', action='store_true')
    ap.add_argument('-o', '--out', default='')
    for name, short in more.items():
        ap.add_argument(short, '--' + name, default='')
    opts = ap.parse_intermixed_args()
    for name in getattr(opts, kind + 's'):
        if name not in names:
            ap.error('no %s %s (%s)' % (kind, name, ' '.join(names)))
    return opts


def results_dir(opts):
    """The folder that results go to, made."""
    path = os.path.abspath(opts.out or os.path.join(
        os.path.abspath(opts.build), 'bench'))
    os.makedirs(path, exist_ok=True)
    return path


class Papers:
    def __init__(self, opts):
        self.opts = opts
        self.build = os.path.abspath(opts.build)
        self.dir = results_dir(opts)
        self.top = tempfile.mkdtemp(prefix='rmux-papers-')
        self.text = open(os.path.join(self.dir, 'papers.txt'), 'w',
                         encoding='utf-8')
        self.children, self.data = [], {}
        self.failed = 0

    def say(self, line=''):
        print(line, flush=True)
        print(line, file=self.text, flush=True)

    def end(self):
        end_programs(self.children)
        shutil.rmtree(self.top, ignore_errors=True)

    def save(self):
        with open(os.path.join(self.dir, 'papers.json'), 'w',
                  encoding='utf-8') as f:
            json.dump(self.data, f, indent=1)

    # --- links and sweeps: people_keys.py, several at once -----------------

    def keys(self, groups):
        """Runs each group of rows in a people_keys.py; {row: its result}."""
        running = []
        for i, rows in enumerate(groups):
            out = os.path.join(self.top, 'keys%d' % i)
            argv = [sys.executable, os.path.join(HERE, 'people_keys.py'),
                    self.build, '-o', out] + rows
            if not self.opts.long:
                argv += ['-r', SHORT]
            log = open(os.path.join(self.top, 'log%d' % i), 'w+',
                       encoding='utf-8')
            p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log,
                                 stderr=subprocess.STDOUT)
            self.children.append(p)
            running.append((p, out, log, rows))
            if self.opts.long:
                p.wait()
        got = {}
        for p, out, log, rows in running:
            rc = p.wait()
            log.seek(0)
            said = log.read()
            log.close()
            for line in said.splitlines():
                if line.startswith('#') or rc != 0 and line:
                    self.say('# ' + line.lstrip('# '))
            try:
                with open(os.path.join(out, 'keys.json'),
                          encoding='utf-8') as f:
                    got.update((r['row'], r) for r in json.load(f))
            except (OSError, ValueError):
                pass
            for row in rows:
                if row not in got:
                    self.failed += 1
                    self.say('# FAILED: nothing of %s' % row)
        return got

    def link_table(self, got):
        def numbers(n):
            return '%8s %8s %8s' % tuple('-' if x is None else '%.0f' % x
                                         for x in n)
        self.say('\nms from key to its answer          median     mean    '
                 'sigma    <50 ms')
        out = []
        for row, what, mode, ssh, mosh in LINKS:
            if row not in got:
                continue
            self.say('%s, prediction %s' % (what, mode))
            self.say('  %-28s %s' % ('ssh, the paper', numbers(ssh)))
            # The paper gives its medians as "under 5 ms".
            self.say('  %-28s %s' % ('mosh, the paper', numbers(
                mosh).replace('       5', '      <5', 1)))
            for side in ('mosh', 'rmux'):
                s = got[row]['systems'].get('%s %s' % (side, mode))
                if s and s.get('n'):
                    self.say('  %-28s %8.1f %8.1f %8.1f   %6.3f' % (
                        side + ' here', s['median'], s['mean'], s['sd'],
                        s['fast']))
                    out.append(dict(row=row, system=side, mode=mode,
                                    **{k: s[k] for k in ('n', 'median',
                                                         'mean', 'sd',
                                                         'fast')}))
        self.data['links'] = out

    def sweep_table(self, got):
        out = []
        for kind, (what, _) in SWEEPS.items():
            curves = {}
            self.say('\n%s (no paper has this sweep)' % what)
            self.say('%8s  %s' % ('', ''.join('%-26s' % s for s in (
                'mosh', 'rmux', 'mosh, predicting', 'rmux, predicting'))))
            self.say('%8s  %s' % ('', '  median     mean        ' * 4))
            for row in sorted((r for r in got if re.match(
                    kind + r'\d+$', r)), key=lambda r: int(r[len(kind):])):
                n = int(row[len(kind):])
                text = '%8d  ' % n
                for mode in ('never', 'adaptive'):
                    for side in ('mosh', 'rmux'):
                        s = got[row]['systems'].get('%s %s' % (side, mode))
                        if not s or not s.get('n'):
                            text += '%-26s' % '       -'
                            continue
                        text += '%8.1f %8.1f         ' % (s['median'],
                                                          s['mean'])
                        curves.setdefault('%s, prediction %s' % (
                            side, mode), []).append((n, s['mean']))
                        out.append({'kind': kind, 'at': n, 'system': side,
                                    'mode': mode, 'median': s['median'],
                                    'mean': s['mean']})
                self.say(text.rstrip())
            if curves and len(next(iter(curves.values()))) > 1:
                people_plot.lines(
                    os.path.join(self.dir, 'papers-%s.svg' % kind),
                    'Mean response time', curves, what, 'ms')
        self.data['sweeps'] = out

    # --- the collection interval --------------------------------------------

    def record(self, name):
        """Microseconds at which the program of a recording wrote."""
        path = os.path.join(HERE, 'recordings', name + '.keys')
        keys = []
        with open(path, encoding='utf-8') as f:
            for line in f:
                m = re.match(r'k (\S+) "(.*)"$', line)
                if m:
                    keys.append((float(m.group(1)) / 1000, unquote(
                        m.group(2))))
        if not self.opts.long:
            keys = keys[:150]
        pid, fd = pty.fork()
        if pid == 0:
            os.execvp('sh', ['sh', os.path.join(HERE, 'rec_env.sh'), name,
                             os.path.join(self.top, 'rec-' + name)])
        times = []
        begin = time.monotonic()

        def read(until):
            while (left := until - time.monotonic()) > 0:
                if not select.select([fd], [], [], left)[0]:
                    return True
                try:
                    if not os.read(fd, 4096):
                        return False
                except OSError:
                    return False
                times.append((time.monotonic() - begin) * 1e6)
            return True
        try:
            alive = read(begin + 2)
            for gap, data in keys:
                alive = alive and read(time.monotonic() + min(gap, 1.5))
                if not alive:
                    break
                os.write(fd, data)
            read(time.monotonic() + 1)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.close(fd)
            os.waitpid(pid, 0)
        return times

    def collect(self):
        program = os.path.join(self.build, 'regress', 'bench', 'ssp_collect')
        names = [n for n in COLLECT if shutil.which(
            {'vim-write': 'vim', 'python': 'python3'}.get(n, n))]
        files = []

        def one(name):
            times = self.record(name)
            if len(times) > 10:
                path = os.path.join(self.top, name + '.writes')
                with open(path, 'w', encoding='ascii') as f:
                    f.write(''.join('%.0f\n' % t for t in times))
                files.append(path)
            else:
                self.say('# %s wrote nothing' % name)
        threads = [threading.Thread(target=one, args=(n,)) for n in names]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.say('\nmean delay that gathering adds to a write, ms, on a link '
                 'of 500 ms (%s)' % ', '.join(names))
        self.say('the paper: lowest at 8 ms')
        got = subprocess.run([program] + sorted(files), capture_output=True,
                             text=True, check=False)
        curves, rows = {}, []
        for line in (got.stdout + got.stderr).splitlines():
            self.say(line)
            w = line.split()
            try:
                rows.append({'interval': float(w[0]), 'mosh': float(w[1]),
                             'rmux': None if w[2] == '-' else float(w[2])})
            except (ValueError, IndexError):
                continue
            for side in ('mosh', 'rmux'):
                if rows[-1][side] is not None:
                    curves.setdefault(side + "'s rule", []).append(
                        (rows[-1]['interval'], rows[-1][side]))
        if got.returncode != 0 or not rows:
            self.failed += 1
            self.say('# FAILED: ssp_collect')
            return
        people_plot.lines(os.path.join(self.dir, 'papers-collect.svg'),
                          'Delay of screen updates by gathering', curves,
                          'interval, ms', 'ms', logx=True)
        best = min(rows, key=lambda r: r['mosh'])
        self.say("lowest for mosh's rule here: %g ms" % best['interval'])
        self.data['collect'] = rows

    # --- cellular links -------------------------------------------------------

    def cells(self):
        if not self.opts.traces:
            self.say('\n# no traces (-t), so without Sprout on recorded links')
            return
        subprocess.run(['make', '-s', '-C', self.build,
                        'regress/bench/ssp_cell'], check=False,
                       stdin=subprocess.DEVNULL)
        self.say()
        got = subprocess.run(
            [os.path.join(self.build, 'regress', 'bench', 'ssp_cell'), '-k',
             '60', '-s', '300' if self.opts.long else '60', '-r', 'sprout',
             self.opts.traces], capture_output=True, text=True, check=False)
        for line in (got.stdout + got.stderr).splitlines():
            self.say(line)
        self.data['cells'] = got.stdout.splitlines()
        if got.returncode != 0:
            self.failed += 1
            self.say('# FAILED: ssp_cell')


def unquote(text):
    """The bytes of a string in a recording (regress/tools/keyfile.h)."""
    plain = {'e': '\033', 'r': '\r', 'n': '\n', 't': '\t', 'b': '\b'}

    def one(m):
        s = m.group(1)
        if s[0] == 'x':
            return chr(int(s[1:], 16))
        return plain.get(s, s)
    return re.sub(r'\\(x[0-9a-fA-F]{2}|.)', one, text).encode(
        'latin-1' if all(ord(c) < 256 for c in text) and '\\x' in text
        else 'utf-8')


def groups_of(parts, long_form):
    """Rows of people_keys.py, in groups that run at one time."""
    links, sweeps = [], []
    if 'links' in parts:
        links = [['bulk'], ['loss29', 'evdo', 'singapore']]
    if 'sweeps' in parts:
        for kind, (_, all_of) in SWEEPS.items():
            sweeps.append([kind + str(n) for n in (
                all_of if long_form else SHORT_SWEEPS[kind])])
    return links + sweeps


PARTS = ('collect', 'links', 'sweeps', 'cells')


def main():
    opts = arguments(__doc__, 'part', PARTS, traces='-t')
    parts = opts.parts or PARTS
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    papers = Papers(opts)
    try:
        if 'collect' in parts:
            papers.collect()
            papers.save()
        groups = groups_of(parts, opts.long)
        if groups:
            got = papers.keys(groups)
            if 'links' in parts:
                papers.link_table(got)
            if 'sweeps' in parts:
                papers.sweep_table(got)
            papers.save()
        if 'cells' in parts:
            papers.cells()
            papers.save()
    finally:
        papers.end()
    return 1 if papers.failed else 0


if __name__ == '__main__':
    sys.exit(main())
