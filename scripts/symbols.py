#!/usr/bin/env python3
"""Lint over the linker symbols of the product's objects.

    symbols.py circles|unused BUILDDIR

An object belongs to the product if its source does: base conf mux ssp predict
server client with all subfolders, and rmux.c.  BUILDDIR must hold the objects
of a plain build (no link-time optimisation).

circles: object files that need each other, by symbols, form a circle.  None may
have more than three files, unless scripts/circles has a row

    FILE FILE FILE ...<TAB>reason

with exactly its files, in any order.  A row without such a circle is stale.
Prints the circle and the symbols that close it: those used against the order of
the files that leaves the fewest.

unused: every exported function has a caller in another object of the product
(tests do not count), or is one of the library's (ssp/lib/ssp.h), or scripts/unused
has a row

    function<TAB>reason
    FILE<TAB>reason

A row of a function that has a caller, or is gone, is stale; so is a row of a
file of which the product uses a function: the program links no such file.
"""
import collections
import os
import re
import subprocess
import sys

TREE = os.path.realpath(os.path.join(os.path.dirname(__file__), '..'))
FOLDERS = ('base', 'conf', 'mux', 'ssp', 'predict', 'server', 'client')
CIRCLE = 3


def read(path):
    with open(os.path.join(TREE, path), encoding='utf-8') as f:
        return f.read()


def rows(path):
    """{first column: reason} of a table of exceptions."""
    out = {}
    for line in read(path).splitlines():
        if line and not line.startswith('#'):
            name, _, why = line.partition('\t')
            if not why.strip():
                sys.exit('%s: no reason: %s' % (path, line))
            out[name] = why.strip()
    return out


def objects(build):
    """{source: object} of the product; objects without a source are old."""
    out = {}
    for top in FOLDERS:
        for where, _, names in os.walk(os.path.join(build, top)):
            for name in names:
                # automake: libclient_a-main.o is main.c with flags of its own
                m = re.fullmatch(r'(?:lib\w+_a-)?(\w+)\.o', name)
                folder = os.path.relpath(where, build)
                source = m and os.path.join(folder, m.group(1) + '.c')
                if source and os.path.exists(os.path.join(TREE, source)):
                    out[source] = os.path.join(where, name)
    if os.path.exists(os.path.join(build, 'rmux.o')):
        out['rmux.c'] = os.path.join(build, 'rmux.o')
    if len(out) < 10:
        sys.exit('%s: no objects of the product; run make there' % build)
    return out


class Symbols:
    def __init__(self, build):
        self.objects = found = objects(build)
        by_object = {o: s for s, o in found.items()}
        self.files = sorted(found)
        self.home = {}                  # symbol: file that defines it
        self.functions = {}             # exported function: file
        self.wants = collections.defaultdict(set)
        done = subprocess.run(['nm', '-A'] + sorted(by_object),
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            path, _, rest = line.partition(':')
            kind, name = rest.split()[-2:]
            source = by_object[path]
            if kind == 'U':
                self.wants[source].add(name)
            elif kind in 'TDBRVWC':
                self.home.setdefault(name, source)
                if kind == 'T':
                    self.functions[name] = source

    def edges(self):
        """{file: {file it needs: symbols}}"""
        out = {f: collections.defaultdict(list) for f in self.files}
        for f in self.files:
            for name in sorted(self.wants[f]):
                to = self.home.get(name, f)
                if to != f:
                    out[f][to].append(name)
        return out


def components(edges):
    """Strongly connected components (Tarjan), without recursion."""
    index, low, stack, on, out = {}, {}, [], set(), []
    for root in edges:
        if root in index:
            continue
        work = [(root, None)]
        while work:
            v, it = work.pop()
            if it is None:
                index[v] = low[v] = len(index)
                stack.append(v)
                on.add(v)
                it = iter(edges[v])
            for w in it:
                if w not in index:
                    work += [(v, it), (w, None)]
                    break
                if w in on:
                    low[v] = min(low[v], index[w])
            else:
                if low[v] == index[v]:
                    at = stack.index(v)
                    out.append(stack[at:])
                    on.difference_update(stack[at:])
                    del stack[at:]
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[v])
    return out


def order(files, edges):
    """Callers before callees, few symbols against it (Eades, Lin, Smyth)."""
    left, first, last = set(files), [], []

    def outward(f):
        return sum(len(n) for t, n in edges[f].items() if t in left)

    def inward(f):
        return sum(len(edges[t][f]) for t in left if f in edges[t])

    while left:
        for f in sorted(left):
            if outward(f) == 0:
                last.insert(0, f)
                left.discard(f)
        for f in sorted(left):
            if inward(f) == 0:
                first.append(f)
                left.discard(f)
        if left:
            f = max(sorted(left), key=lambda x: outward(x) - inward(x))
            first.append(f)
            left.discard(f)
    return first + last


def circles(symbols):
    edges, bad = symbols.edges(), 0
    allowed = {tuple(sorted(k.split())) for k in rows('scripts/circles')}
    for found in sorted(components(edges), key=len, reverse=True):
        name = tuple(sorted(found))
        if name in allowed:
            allowed.discard(name)
            continue
        if len(found) <= CIRCLE:
            continue
        bad = 1
        line = order(found, edges)
        print('circle of %d files: %s' % (len(found), ' '.join(line)))
        for at, f in enumerate(line):
            for to in line[:at]:
                if to in edges[f]:
                    print('\t%s needs %s: %s' % (f, to,
                                                 ' '.join(edges[f][to])))
    for name in sorted(allowed):
        bad = 1
        print('scripts/circles: no such circle: %s' % ' '.join(name))
    return bad


def code(path):
    """The file without comments and strings."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', ' ', read(path),
                  flags=re.S)


def tests():
    """{word: files of regress/ and scripts/ that have it}"""
    out = collections.defaultdict(set)
    for top in ('regress', 'scripts'):
        for where, _, names in os.walk(os.path.join(TREE, top)):
            for name in names:
                if name.endswith(('.c', '.h')):
                    path = os.path.relpath(os.path.join(where, name), TREE)
                    for word in re.findall(r'\w+', code(path)):
                        out[word].add(path)
    return out


def refers(path):
    """Symbols that the object's relocations name: its rows of tables, too."""
    done = subprocess.run(['objdump', '-r', path], capture_output=True,
                          text=True, check=True)
    return {line.split()[2].partition('+')[0].partition('-')[0]
            for line in done.stdout.splitlines() if ' R_' in line}


def unused(symbols):
    used = {n for f, names in symbols.wants.items() for n in names
            if symbols.home.get(n, f) != f}
    allowed, bad, words = rows('scripts/unused'), 0, tests()
    text, names = {}, {}
    public = set(re.findall(r'\bSSP_API\b[^;(]*?(\w+)\(', code('ssp/lib/ssp.h')))
    found = sorted((f, n) for n, f in symbols.functions.items()
                   if n not in used and n not in public and n != 'main')
    for f, name in found:
        if name in allowed or f in allowed:
            continue
        bad = 1
        if f not in text:
            text[f] = code(f)
            names[f] = refers(symbols.objects[f])
        own = (name in names[f] or
               len(re.findall(r'\b%s\b' % name, text[f])) > 1)
        where = sorted(words[name])
        if own:
            what = 'only this file uses it: make it static'
        else:
            what = 'nothing in the product calls it'
        if where:
            what += ' (tests: %s)' % ' '.join(where[:3])
        print('%s: %s: %s' % (f, name, what))
    needed = {symbols.home[n] for n in used if n in symbols.home}
    for name in sorted(set(allowed) - {n for _, n in found}):
        if name in symbols.files and name not in needed:
            continue
        bad = 1
        print('scripts/unused: %s: %s' % (
            name, 'it has a caller' if name in symbols.functions
            else 'the product uses it' if name in needed
            else 'no such function or file'))
    return bad


def main():
    what = {'circles': circles, 'unused': unused}
    if len(sys.argv) != 3 or sys.argv[1] not in what:
        sys.exit(__doc__)
    sys.exit(what[sys.argv[1]](Symbols(os.path.realpath(sys.argv[2]))))


if __name__ == '__main__':
    main()
