#!/usr/bin/env python3
"""Check that the tests and benches named in the documents exist.

    proof.py SOURCE

The tests of PROOF.md, their cases (in italics; "..." stands for the rest) and
scripts exist; and the benches that PROOF, BENCHMARKS and README name between
backquotes accept the options that follow them.  Prints one line a failure.
"""
import glob
import os
import re
import subprocess
import sys

SRC = sys.argv[1]
KINDS = ('.c', '.h', '.sh', '.py', '.sim', '.vt', '.predict', '.inc')


def text(path):
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def cases(proof, tests):
    """Names of cases that no test has."""
    for name in sorted(set(re.findall(r'(?<![\w/`.*])\*([^*|`]+)\*', proof))):
        for part in re.split(r'\s*\.\.\.,?\s*', name.replace('\n', ' ')):
            if part.strip(' ,') and part.strip(' ,') not in tests:
                yield 'no case "%s"' % name


def programs(proof, tests):
    """Tests and fuzz targets that no makefile has, scripts that are none."""
    for name in sorted(set(re.findall(r'\b(?:check|fuzz)_[a-z_0-9]+', proof))):
        if not re.search(r'\b%s\b' % name, tests):
            yield 'no test %s' % name
    for name in sorted(set(re.findall(
            r'\b(?:remote|fault|programs|people|churn)_?[a-z]*\.sh', proof) +
            [n + '.sh' for n in re.findall(
                r'\b(?:remote|fault|programs)_(?!runner)[a-z]+\b(?!\.)', proof)])):
        if not os.path.exists(os.path.join(SRC, 'regress', 'e2e', name)):
            yield 'no script %s' % name


def said(command):
    got = subprocess.run(command, capture_output=True, text=True, timeout=30,
                         check=False, stdin=subprocess.DEVNULL)
    return got.stdout + got.stderr


def options(documents):
    """Options that a bench does not take: its help, or its own source."""
    for path, rest in sorted(set(re.findall(
            r'`(?:[^`]* )?(regress/(?:bench|tools)/[a-z_]+(?:\.py|\.sh)?)'
            r'((?: [^`]*)?)`', documents))):
        flags = re.findall(r'(?<=\s)-[a-zA-Z](?=\s|$)', rest)
        source = os.path.join(SRC, path)
        if not flags:
            continue
        if path.endswith('.py'):
            has = said([sys.executable, '-B', source, '--help'])
        else:
            has = text(source if path.endswith('.sh') else source + '.c')
            m = re.search(r'getopt\([^"]*"([^"]*)"', has)
            has = ' '.join('-' + c for c in m.group(1)) if m else has
        for flag in flags:
            if not re.search(r'%s\b' % flag, has):
                yield '%s has no %s' % (path, flag)


def main():
    tests = '\n'.join(text(f) for f in glob.glob(
        os.path.join(SRC, '**', '*'), recursive=True)
        if f.endswith(KINDS) and os.path.isfile(f) and '/build' not in
        f[len(SRC):])
    proof = text(os.path.join(SRC, 'doc', 'PROOF.md'))
    more = proof + text(os.path.join(SRC, 'doc', 'BENCHMARKS.md')) + \
        text(os.path.join(SRC, 'README.md')) + \
        text(os.path.join(SRC, 'HACKING.md'))
    wrong = list(cases(proof, tests)) + list(programs(proof, tests)) + \
        list(options(more))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
