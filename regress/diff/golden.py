"""The recorded sample: probes and tmux's answers as text.

  S scene       the probes below start from it
  + words       prepares; - the same, for a probe that resets its scene
  $ words       the command ($$: several of them may share one call)
  ? words       is read afterwards
  =code 1text 2text    the answers in their order; text is escaped, one line each
"""
import re
import shlex

# What depends on the machine or the user.
LOCAL = re.compile(
    r'host|#[hH]\b|user|uid|pid|_tty|HOME|PATH|SHELL|DIR|~|socket|config_files|'
    r'client_|start_time|TIME|DATE|/dev/|show-environment( -\w+)*$|lock|'
    r'server-access|[a-z]_bytes|bytes\]|screen|version|#\(|default-shell|pane_current|editor', re.M)


def escape(text):
    out = text.encode('unicode_escape').decode('ascii')
    return out.replace(' ', r'\x20') if out.endswith(' ') else out


def unescape(text):
    return text.encode('ascii').decode('unicode_escape')


def words_out(words):
    return escape(shlex.join(words))


def words_in(text):
    return shlex.split(unescape(text))


def choose_golden(same, rng, number=2150):
    """At most NUMBER of the (area, probe, answers) SAME that do not depend on a
    host, as many of each area as there are."""
    fit = {}
    for area, p, a in same:
        text = p.text() + ''.join(x[1] + x[2] for x in a)
        if (len(text) < 1300 and not LOCAL.search(text) and
                p.scene not in ('client', 'hooked')):
            fit.setdefault(area, []).append(p)
    chosen = set()
    areas = sorted(fit, key=lambda area: len(fit[area]))
    for n, area in enumerate(areas):
        share = (number - len(chosen)) // (len(areas) - n)
        chosen.update(id(p) for p in rng.sample(
            fit[area], min(share, len(fit[area]))))
    return [p for _, p, _ in same if id(p) in chosen]


def write_golden(path, records, limit=1400000):
    """Writes (probe, answers) within LIMIT bytes."""
    size = 0
    scene = None
    with open(path, 'w', encoding='ascii') as f:
        for p, answers in records:
            lines = [] if p.scene == scene else ['S ' + p.scene]
            scene = p.scene
            lines += ['+ ' + words_out(s) for s in p.setup]
            lines.append(('$$ ' if p.batch else '$- ' if p.reset else '$ ') +
                         words_out(p.cmd))
            lines += ['? ' + words_out(s) for s in p.reads]
            for code, out, err in answers:
                lines.append('=%s' % code)
                lines += ['1' + escape(t) for t in [out] if t]
                lines += ['2' + escape(t) for t in [err] if t]
            text = '\n'.join(lines) + '\n'
            size += len(text)
            if size > limit:
                break
            f.write(text)


def read_golden(path, make):
    """A list of (probe, answers); MAKE makes a probe."""
    records = []
    scene = None
    setup = []
    probe = None
    with open(path, encoding='ascii') as f:
        for line in f:
            line = line.rstrip('\n')
            kind, _, rest = line.partition(' ')
            if kind == 'S':
                scene = rest
            elif kind == '+':
                setup.append(words_in(rest))
            elif kind in ('$', '$$', '$-'):
                probe = make(words_in(rest), setup=setup, scene=scene,
                             reset=kind == '$-', batch=kind == '$$')
                records.append((probe, []))
                setup = []
            elif kind == '?':
                probe.reads.append(words_in(rest))
            elif line[0] == '=':
                code = line[1:]
                records[-1][1].append(
                    (int(code) if code.lstrip('-').isdigit() else code, '', ''))
            else:
                code, out, err = records[-1][1].pop()
                text = unescape(line[1:])
                records[-1][1].append((code, text, err) if line[0] == '1'
                                      else (code, out, text))
    return records
