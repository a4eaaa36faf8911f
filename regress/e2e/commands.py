"""Print the commands and flags that no end-to-end script runs.

commands.py TOP: compares TOP/conf/command.def with regress/e2e/commands.list
and the words of regress/e2e/*.sh; prints what is missing.
"""
import glob
import os
import re
import sys

ROW = re.compile(
    r'^X\(\w+, "([^"]+)", (?:NULL|"([^"]*)"),\s+"([^"]*)",[^;]*?(NOW|LATER),'
    r'\s+((?:"[^"]*"\s*)+),', re.M)
WORD = re.compile(r"""\\;|[;|&(){}<>`\n]|"[^"]*"|'[^']*'|[^\s;|&(){}<>`"']+""")


def table(path):
    """Commands by name: flags as the parser has them, flags of the usage."""
    commands, names = {}, {}
    with open(path, encoding='utf-8') as f:
        text = f.read()
    for name, alias, flags, when, usage in ROW.findall(text):
        usage = ''.join(re.findall(r'"([^"]*)"', usage))
        said = set(''.join(re.findall(r'\[-(\w+)', usage)))
        commands[name] = (flags, said, when)
        names[name] = name
        if alias:
            names[alias] = name
    return commands, names


def flags_of(words, spec):
    """The flags that begin WORDS."""
    found = set()
    at = 0
    while at < len(words):
        m = re.match(r'-([A-Za-z0-9]+)', words[at])
        if not m:
            break
        at += 1
        for k, flag in enumerate(m.group(1)):
            if flag not in spec:
                break
            found.add(flag)
            kind = spec[spec.index(flag) + 1:spec.index(flag) + 3]
            if kind.startswith(':'):
                if kind != '::' and k == len(m.group(1)) - 1:
                    at += 1
                break
    return found


def scan(text, commands, names, used):
    words = WORD.findall(text)
    for i, word in enumerate(words):
        name = names.get(word.strip('"\''))
        if name:
            used.setdefault(name, set()).update(
                flags_of(words[i + 1:], commands[name][0]))
        elif len(word) > 2 and word[0] in '"\'':
            scan(word[1:-1], commands, names, used)


def listed(path):
    scripts, reasons = {}, {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.startswith('#') or not line.strip():
                continue
            name, where = line.rstrip('\n').split('\t')
            if ' -' in name:
                name, flags = name.split(' -')
                for flag in flags:
                    reasons[name, flag] = where
            else:
                scripts[name] = where
    return scripts, reasons


def without_effect(path):
    """Flags that help and the manual say to be taken for tmux's sake only."""
    with open(path, encoding='utf-8') as f:
        found = re.findall(
            r"""^F\((\w+), '(.)', "[^"]*",((?:\s*"(?:[^"\\]|\\.)*")+)\)$""",
            f.read(), re.M)
    return {(name.replace('_', '-'), flag) for name, flag, text in found
            if 'without effect' in re.sub(r'"\s*"', '', text)}


def main(top):
    e2e = os.path.join(top, 'regress/e2e')
    commands, names = table(os.path.join(top, 'conf/command.def'))
    scripts, reasons = listed(os.path.join(e2e, 'commands.list'))
    used, runs = {}, {}
    for path in glob.glob(os.path.join(e2e, '*.sh')):
        with open(path, encoding='utf-8') as f:
            here = {}
            scan(f.read().replace('\\\n', ' '), commands, names, here)
        for name, flags in here.items():
            used.setdefault(name, set()).update(flags)
            runs.setdefault(name, set()).add(os.path.basename(path))
    idle = {flag for flag, why in reasons.items()
            if 'without effect' in why or 'monitors are' in why}
    for name, flag in sorted(
            idle ^ without_effect(os.path.join(top, 'conf/command_flag.def'))):
        print(name, ' -', flag, ': without effect in one of commands.list '
              'and command_flag.def only', sep='')
    for name in sorted(set(commands) ^ set(scripts)):
        print(name, ': in one of command.def and commands.list only', sep='')
    for name, (_, said, when) in sorted(commands.items()):
        where = scripts.get(name, '- ?')
        if not where.startswith('- ') and where not in runs.get(name, ()):
            print(name, ': ', where, ' does not run it', sep='')
        if when == 'LATER' or where.startswith('- '):
            continue
        for flag in sorted(said):
            if flag not in used.get(name, ()) and \
                    (name, flag) not in reasons:
                print(name, ' -', flag, ': no script runs it', sep='')


main(sys.argv[1])
