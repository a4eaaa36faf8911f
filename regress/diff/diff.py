#!/usr/bin/env python3
"""diff.py - the same probes in tmux 3.8 and in rmux.

  diff.py [-s SEED] [-n NUMBER] [-a AREA,...] [-k REGEX] TMUX RMUX
  diff.py --record FILE -n NUMBER TMUX RMUX    writes a sample of equal probes
  diff.py --golden FILE RMUX                   asks rmux alone, compares with FILE

A probe is commands that prepare, one command, and what is read afterwards.  The
modules gen_*.py make them, each an area; the seed makes the same ones again.
Exit code, stdout and stderr of command and readings must be equal byte for byte
after side.py has replaced what must differ.  differs.list names, with reasons,
the probes that may differ.  A probe that hangs ends after three seconds.
"""
import argparse
import collections
import difflib
import importlib
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from side import HANG, Outer, Side  # noqa: E402
from golden import choose_golden, read_golden, write_golden  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
AREAS = ('formats', 'variables', 'commands', 'options', 'keys', 'send',
         'targets', 'layouts', 'hooks', 'environ', 'buffers', 'capture',
         'status', 'config')
SPLIT = '@@@@'


class Probe:
    """One probe; STEP are its steps, the answer of each is compared from FIRST."""

    def __init__(self, cmd, setup=(), reads=(), scene='plain', reset=False,
                 batch=False):
        self.setup = [list(s) for s in setup]
        self.cmd = list(cmd)
        self.reads = [list(s) for s in reads]
        self.scene = scene
        self.reset = reset
        self.batch = batch
        self.fresh = False

    def text(self):
        words = [shlex.join(s) for s in self.setup] + ['$ ' + shlex.join(
            self.cmd)] + ['? ' + shlex.join(s) for s in self.reads]
        return '\n'.join(words)


class Listed:
    """differs.list: areas with commas between (or *), pattern, reason.

    A pattern that begins with "each " must match every line that differs.  If it
    begins with "less ", the lines must be equal without what the area's patterns
    of this kind match.  Others must occur somewhere in the probe and its
    difference."""

    def __init__(self, path):
        self.rows = []
        with open(path, encoding='utf-8') as f:
            for line in f:
                if line.strip() and not line.startswith('#'):
                    area, pattern, reason = line.rstrip('\n').split('\t')
                    kind = re.match('(each |less )?', pattern)[0]
                    self.rows.append((area, re.compile(
                        pattern[len(kind):], re.M | re.S), reason, kind))
        self.used = collections.Counter()

    @staticmethod
    def equal_less(rows, lines):
        """The rows whose matches are all that differs; [] if there is more."""
        sides = {'-': [], '+': []}
        used = {}
        for l in lines:
            text = l[3:]
            for row in rows:
                text, n = row[1].subn('', text)
                if n:
                    used[id(row)] = row
            sides[l[0]].append(text)
        return list(used.values()) if sides['-'] == sides['+'] else []

    def reason(self, area, text):
        lines = [l for l in text.split('\n') if re.match(
            r'[-+](> |err: |exit: )', l)]
        rows = [r for r in self.rows if r[0] == '*' or
                area in r[0].split(',')]
        less = self.equal_less([r for r in rows if r[3] == 'less '], lines)
        for row in rows:
            if (row in less if row[3] == 'less ' else
                    all(row[1].search(l) for l in lines) if row[3] else
                    row[1].search(text)):
                self.used[row[1].pattern] += 1
                return row[2]
        return None


class Runner:
    """Asks sides (one or two) the same probes."""

    def __init__(self, sides, scenes, every=100):
        self.sides = sides
        self.scenes = scenes
        self.every = every
        self.scene = None
        self.asked = 0
        self.restarts = 0

    def restart(self, scene):
        for s in self.sides:
            s.stop()
            s.start(self.scenes[scene].start)
        self.scene = scene
        self.asked = 0
        self.restarts += 1

    def stop(self):
        for s in self.sides:
            s.stop()
        self.scene = None

    def answers(self, words):
        """Each side's answer to the command WORDS; the sides work at once."""
        if words[0] == '!':
            return [s.step(words) for s in self.sides]
        end = time.monotonic() + HANG
        running = [s.spawn(words) for s in self.sides]
        return [s.reap(p, words, end) for s, p in zip(self.sides, running)]

    def reading(self, words, wanted):
        """Like answers; asks again until they agree (with WANTED, too)."""
        again = words[0] == '~' or words[:2] == ['!', 'screen']
        if words[0] == '~':
            words = words[1:]
        end = time.monotonic() + 1
        while True:
            all_of = self.answers(words)
            first = all_of[0] if wanted is None else wanted
            if not again or all(a == first for a in all_of):
                return all_of
            if time.monotonic() > end:
                return all_of
            time.sleep(0.02)

    def reset(self, scene):
        for words in self.scenes[scene].reset:
            for r in self.answers(list(words)):
                if r[0] != 0 or r[2]:
                    self.scene = None

    def ask(self, probe, wanted=None):
        """A list of answers for each side."""
        if (self.scene != probe.scene or self.asked >= self.every or
                probe.fresh):
            self.restart(probe.scene)
        self.asked += 1
        got = [[] for _ in self.sides]
        hung = False
        for words in probe.setup:
            for r in self.reading(words, None):
                hung |= r[0] == 'hangs'
        for n, words in enumerate([probe.cmd] + probe.reads):
            want = None if wanted is None else wanted[n]
            for g, r in zip(got, self.reading(words, want)):
                hung |= r[0] == 'hangs'
                g.append(tuple(r))
        if hung or any(g != got[0] for g in got):
            self.scene = None
        elif wanted is not None and got[0] != wanted:
            self.scene = None
        elif probe.reset:
            self.reset(probe.scene)
        return got

    def ask_batch(self, probes):
        """Answers of probes that only print; None if they cannot be told apart."""
        if self.scene != probes[0].scene or self.asked >= self.every:
            self.restart(probes[0].scene)
        self.asked += 1
        words = []
        for p in probes:
            words += p.cmd + [';', 'display-message', '-p', SPLIT, ';']
        result = []
        for code, out, err in self.answers(words[:-1]):
            parts = out.split(SPLIT + '\n')
            if code != 0 or err or len(parts) != len(probes) + 1 or parts[-1]:
                return None
            result.append([[(0, t, '')] for t in parts[:-1]])
        return result


def batches(probes):
    """Groups of probes that one call may ask."""
    group, size = [], 0
    for p in probes:
        n = len(' '.join(p.cmd)) + 40
        if group and (not p.batch or p.scene != group[0].scene or
                      len(group) >= 40 or size + n > 6000):
            yield group
            group, size = [], 0
        if p.batch:
            group.append(p)
            size += n
        else:
            yield [p]
    if group:
        yield group


def ask_all(runner, probes, wanted=None):
    """Yields (probe, answers of each side)."""
    for group in batches(probes):
        if len(group) > 1:
            got = runner.ask_batch(group)
            if got is not None:
                for n, p in enumerate(group):
                    yield p, [side[n] for side in got]
                continue
        for p in group:
            yield p, runner.ask(p, wanted(p) if wanted else None)


# --- what is said ------------------------------------------------------------------

def shown(answer):
    lines = []
    for code, out, err in answer:
        lines += ['> ' + l for l in out.splitlines()]
        if out and not out.endswith('\n'):
            lines.append('(no newline)')
        lines += ['err: ' + l for l in err.splitlines()]
        if code != 0:
            lines.append('exit: %s' % code)
        lines.append('--')
    return lines[:-1]


def difference(probe, theirs, ours):
    lines = list(difflib.unified_diff(shown(theirs), shown(ours), n=1,
                                      lineterm=''))[2:]
    return probe.text() + '\n' + '\n'.join(
        l for l in lines if not l.startswith('@@'))


def load_area(name, seed, number):
    module = importlib.import_module('gen_' + name)
    rng = random.Random('%s %s' % (seed, name))
    probes = module.probes(rng)
    if number is not None and len(probes) > number:
        keep = set(rng.sample(range(len(probes)), number))
        probes = [p for n, p in enumerate(probes) if n in keep]
    return probes


def ends(answers):
    """Whether a command has ended the server."""
    return any('server exited unexpectedly' in a[2] for a in answers)


def compare(opts, runner, listed, report):
    table = []
    equal_probes = []
    for area in opts.areas:
        begun = time.monotonic()
        count = collections.Counter()
        probes = load_area(area, opts.seed, opts.number)
        if opts.keep:
            probes = [p for p in probes if re.search(opts.keep, p.text())]
        for p, (theirs, ours) in ask_all(runner, probes):
            count['probes'] += 1
            if theirs == ours:
                count['equal'] += 1
                if not any(a[0] == 'hangs' for a in theirs):
                    equal_probes.append((area, p, theirs))
                else:
                    report.write('= %s: both hang\n%s\n\n' % (area, p.text()))
                continue
            if ends(theirs) and not ends(ours):
                count['listed'] += 1
                report.write('= %s: tmux ends\n%s\n\n' % (area, p.text()))
                continue
            text = difference(p, theirs, ours)
            reason = listed.reason(area, text)
            count['listed' if reason else 'different'] += 1
            if not reason or opts.listed:
                report.write('# %s%s\n%s\n\n' % (
                    area, ': ' + reason if reason else '', text))
                report.flush()
        table.append((area, count, time.monotonic() - begun))
        print_row(area, count, table[-1][2])
    total = sum((c for _, c, _ in table), collections.Counter())
    print_row('total', total, sum(t for _, _, t in table))
    return total, equal_probes


def print_row(area, count, seconds):
    print('%-12s %7d %7d %7d %7d %7.1f' % (
        area, count['probes'], count['equal'], count['listed'],
        count['different'], seconds), flush=True)


def manual_says(path):
    """The reasons of differs.list and those of rmux(1) are the same."""
    with open(path, encoding='utf-8') as f:
        section = f.read().split('Generated probes find these differences')[1]
    section = section.split('.Sh ')[0].replace('\\&', '')
    said = [' '.join(i.split()) for i in section.split('.It\n')[1:]]
    said = [re.sub(r' \.El$', '', i) for i in said]
    listed = Listed(os.path.join(HERE, 'differs.list')).rows
    reasons = list(dict.fromkeys(r[2] for r in listed))
    for r in set(said) ^ set(reasons):
        print('# only in %s: %s' % ('rmux.1' if r in said else
                                    'differs.list', r))
    return said == reasons


def golden(opts, runner):
    records = []
    if os.path.exists(opts.golden):
        records = read_golden(opts.golden, Probe)
    wanted = {id(p): a for p, a in records}
    failed = 0
    for p, (ours,) in ask_all(runner, [p for p, _ in records],
                              lambda p: wanted[id(p)]):
        if ours != wanted[id(p)]:
            failed += 1
            print('# ' + difference(p, wanted[id(p)], ours).replace(
                '\n', '\n# '))
    print('%s 1 - %d of %d recorded probes have the answers of tmux 3.8' % (
        'not ok' if failed else 'ok', len(records) - failed, len(records)))
    same = manual_says(os.path.join(HERE, '../../doc/rmux.1'))
    print('%s 2 - rmux(1) has the differences of differs.list' % (
        'ok' if same else 'not ok'))
    print('1..2')
    return 0 if same and not failed else 1


def record(opts, scenes, sides, same):
    """Writes a sample of the probes SAME with tmux's answers to the sample."""
    sample = choose_golden(same, random.Random(opts.seed))
    for _ in range(3):
        alone = Runner(sides[:1], scenes, opts.restart)
        answers = [a[0] for _, a in ask_all(alone, sample)]
        alone.stop()
        wanted = {id(p): a for p, a in zip(sample, answers)}
        alone = Runner(sides[1:], scenes, opts.restart)
        equal = [p for p, (ours,) in ask_all(alone, sample,
                                             lambda p: wanted[id(p)])
                 if ours == wanted[id(p)]]
        alone.stop()
        if len(equal) == len(sample):
            break
        sample = equal
    write_golden(opts.record, [(p, wanted[id(p)]) for p in equal])


def arguments():
    ap = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    ap.add_argument('-s', '--seed', default='1')
    ap.add_argument('-n', '--number', type=int, help='probes of each area')
    ap.add_argument('-a', '--areas', default=','.join(AREAS))
    ap.add_argument('-k', '--keep', help='only probes that match')
    ap.add_argument('-o', '--report', default='diff.report')
    ap.add_argument('-l', '--listed', action='store_true',
                    help='report listed differences, too')
    ap.add_argument('--record')
    ap.add_argument('--golden')
    ap.add_argument('--restart', type=int, default=100,
                    help='probes before a new server')
    ap.add_argument('programs', nargs='+')
    opts = ap.parse_args()
    opts.areas = opts.areas.split(',')
    if len(opts.programs) != (1 if opts.golden else 2):
        ap.error('give tmux and rmux (rmux alone with --golden)')
    return opts


def main():
    opts = arguments()
    for name in ('TMUX', 'TMUX_PANE', 'RMUX', 'RMUX_PANE'):
        os.environ.pop(name, None)
    top = os.path.realpath(tempfile.mkdtemp(prefix='rmux-diff.'))
    scenes = importlib.import_module('scenes').SCENES
    programs = [os.path.abspath(p) for p in opts.programs]
    sides = [Side(n, p, top) for n, p in
             zip(('r',) if opts.golden else ('t', 'r'), programs)]
    outer = None if opts.golden else Outer(programs[0], top)
    for s in sides:
        s.outer = outer
        s.unbinds = s.name == 'r'
    runner = Runner(sides, scenes, opts.restart)
    try:
        if opts.golden:
            return golden(opts, runner)
        print('seed %s' % opts.seed)
        print('%-12s %7s %7s %7s %7s %7s' % ('area', 'probes', 'equal',
                                             'listed', 'differ', 'seconds'))
        listed = Listed(os.path.join(HERE, 'differs.list'))
        with open(opts.report, 'w', encoding='utf-8') as report:
            total, same = compare(opts, runner, listed, report)
        if opts.record:
            runner.stop()
            record(opts, scenes, sides, same)
        return 1 if total['different'] else 0
    finally:
        runner.stop()
        if outer is not None:
            outer.stop()
        shutil.rmtree(top, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
