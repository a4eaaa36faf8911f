#!/usr/bin/env python3
"""Writes the results of one bench run into the documents.

    tables.py BENCH.JSON     copy the results to doc/bench.json, and write
                             them into README.md and doc/BENCHMARKS.md
    tables.py --check        compare both documents with doc/bench.json

This script writes the text between "<!-- BEGIN MEASURED -->" and
"<!-- END MEASURED -->": date and machine, the table, and the rows in which
another system is better.  Nobody edits that text by hand.  BENCH.JSON is the
output of bench.py.  The script refuses a run that failed in part, and a run
that lacks a row of README.  TABLES_TOP names the folder of README.md; the
default is the source tree of this script.
"""
import json
import os
import re
import sys

TOP = os.environ.get('TABLES_TOP') or os.path.dirname(os.path.dirname(
    os.path.dirname(os.path.abspath(__file__))))
BEGIN, END = '<!-- BEGIN MEASURED -->', '<!-- END MEASURED -->'
SIDES = ('rmux', 'tmux', 'screen', 'mosh', 'bare')
PEERS = SIDES[1:4]
BEHIND = 1.1  # list a row if another system is better by this factor
# The rows of README: the key in the table (see keyed) and the label.
README_ROWS = (
    ('key to echo, ms', 'key to echo, same machine, ms'),
    ('throughput, logs, MB/s', 'throughput to one client, log text, MB/s'),
    ('throughput, logs, MB/s|Unicode', 'throughput to one client, mixed Unicode, MB/s'),
    ('memory of an idle pane, KiB', 'memory of an idle pane, KiB'),
    ('command round trip, ms|new-window', '`new-window`, ms'),
    ('start, ms', 'start, ms'),
    ('loss29, no prediction: ms, mean',
     'mean response, 100 ms RTT, 29 % loss each way, ms'),
    ('loss29, prediction: ms, mean|answered under 50 ms, %',
     'the same with prediction: responses under 50 ms'),
    ('typing, kB on the wire', 'typing 300 keys, kB on the wire'),
    ('cat, kB on the wire', '`cat` of a large file, kB on the wire'),
    ('50 clients, % of a core each', '50 clients at 30 frames/s, % of a core each'),
)
MORE_IS_BETTER = re.compile('throughput|answered')


def number(x):
    """Three significant digits, thousands separated."""
    return '{:,.0f}'.format(x) if abs(x) >= 1000 else '%.3g' % x


def cell(text):
    """Formats a cell: a number, which words may follow."""
    m = re.match(r'[-+.\de]+', text or '')
    if not m:
        return text or ''
    return number(float(m.group(0))) + text[m.end():]


def value(text):
    m = re.match(r'[-+.\de]+', text or '')
    return float(m.group(0)) if m and m.group(0) != '-' else None


def keyed(table):
    """[(key, row)].  The key of an indented row begins with its parent's."""
    out, over = [], ''
    for row in table:
        what = row['what']
        if what.startswith('  '):
            out.append((over + '|' + what.strip(), row))
        else:
            over = what
            out.append((what, row))
    return out


def told(key):
    return dict(README_ROWS).get(key, key.replace('|', ': '))


def whole_table(data):
    lines = ['%-36s' % '' + ''.join('%-10s' % s for s in SIDES)]
    for row in data['table']:
        lines.append('%-36s' % row['what'][:35] + ''.join(
            '%-10s' % cell(row.get(s, '')) for s in SIDES))
    return '\n'.join(s.rstrip() for s in lines)


def behind(data, keys=None):
    """Rows in which another system is better, largest ratio first."""
    out = []
    for key, row in keyed(data['table']):
        mine = value(row.get('rmux'))
        if mine is None or (keys is not None and key not in keys):
            continue
        better = []
        for side in PEERS:
            theirs = value(row.get(side))
            if theirs is None:
                continue
            pair = (mine, theirs)
            if MORE_IS_BETTER.search(key):
                pair = (theirs, mine)
            ratio = pair[0] / max(pair[1], 1e-9)
            if ratio >= BEHIND:
                better.append((ratio, '%s %s' % (side, number(theirs))))
        # The cell of ssh on the wire stands in the column "bare".
        ssh = row.get('bare', '')
        if '(ssh' in ssh and mine >= BEHIND * value(ssh):
            better.append((mine / value(ssh),
                           'ssh -C %s' % number(value(ssh))))
        if better:
            better.sort(reverse=True)
            out.append((better[0][0], '%s: %s (%s)' % (
                told(key), number(mine), ', '.join(b[1] for b in better))))
    return [text for _, text in sorted(out, reverse=True)]


def wrapped(text, width=108):
    lines = ['']
    for word in text.split(' '):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append('')
        lines[-1] += (' ' if lines[-1] else '') + word
    return '\n'.join(lines)


def versions(m):
    def short(name):
        return re.search(r'\d+(\.\d+)+[a-z]?', m.get(name, '?') or '?')
    return ', '.join('%s %s' % (label, short(name).group(0))
                     for name, label in (('tmux', 'tmux'),
                                         ('screen', 'screen'),
                                         ('mosh-server', 'mosh'))
                     if short(name))


def machine(data):
    m = data['machine']
    return ('Measured on %s at commit %s: %s cores (%s), load %s at the '
            'start, %s' % (m['date'].split()[0], m['commit'], m['cores'],
                           m['cpu'], m['load'], versions(m)))


def readme(data):
    rows = dict(keyed(data['table']))
    lines = [wrapped(machine(data) +
                     '. Medians unless the row says otherwise.'),
             '', '| | rmux | tmux | screen | mosh |', '|---|---|---|---|---|']
    for key, name in README_ROWS:
        unit = ' %' if key.endswith('50 ms, %') else ''
        cells = []
        for side in SIDES[:4]:
            text = cell(rows[key].get(side, ''))
            cells.append(text + unit if text else '')
        lines.append('| %s | %s |' % (name, ' | '.join(cells)))
    worse = behind(data, dict(README_ROWS))
    lines += ['', wrapped(
        'Rows in which another system is better by 10 % or more: ' +
        '; '.join(worse) + '.' if worse else
        'In no row is another system better by 10 % or more.')]
    return '\n'.join(lines)


def benchmarks(data):
    worse = behind(data)
    lines = [wrapped(
        machine(data) + ', Linux %s. The run took %d min %d s. Medians '
        'unless the row says otherwise. The column "bare" has no '
        'multiplexer, or is what its cell names. In the wire rows, mosh and '
        'ssh run tmux inside. An idle pane of mosh is a whole server '
        'process.' % (data['machine']['kernel'], data['seconds'] // 60,
                      data['seconds'] % 60)),
        '', '```', whole_table(data), '```', '',
        'Rows in which another system is better by 10 % or more:' if worse
        else 'In no row is another system better by 10 % or more.']
    if worse:
        lines.append('')
        lines += ['- ' + w for w in worse]
    return '\n'.join(lines)


PAGES = (('README.md', readme), ('doc/BENCHMARKS.md', benchmarks))


def page(name, text):
    """The page NAME with TEXT between its markers, and the page as it is."""
    with open(os.path.join(TOP, name), encoding='utf-8') as f:
        old = f.read()
    parts = re.split('(%s\n|%s)' % (re.escape(BEGIN), re.escape(END)), old)
    if len(parts) != 5:
        sys.exit('%s: needs exactly one pair of markers' % name)
    parts[2] = text + '\n'
    return ''.join(parts), old


def taken(data):
    """The results to keep; exits if the run is not complete."""
    if data.get('failed'):
        sys.exit('parts of this run failed: %s' % '; '.join(data['failed']))
    have = dict(keyed(data.get('table') or []))
    lacking = [k for k, _ in README_ROWS if k not in have]
    if lacking:
        sys.exit('this run lacks these rows: %s' % '; '.join(lacking))
    return {k: data[k] for k in ('machine', 'seconds', 'table')}


def main():
    kept = os.path.join(TOP, 'doc', 'bench.json')
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check = sys.argv[1] == '--check'
    with open(kept if check else sys.argv[1], encoding='utf-8') as f:
        data = taken(json.load(f))
    rc = 0
    for name, text in PAGES:
        new, old = page(name, text(data))
        if new == old:
            continue
        if check:
            print('%s: differs from doc/bench.json; run tables.py' % name)
            rc = 1
            continue
        with open(os.path.join(TOP, name), 'w', encoding='utf-8') as f:
            f.write(new)
        print('%s: written' % name)
    if not check:
        with open(kept, 'w', encoding='utf-8') as f:
            json.dump(data, f, indent=1)
            f.write('\n')
    return rc


if __name__ == '__main__':
    sys.exit(main())
