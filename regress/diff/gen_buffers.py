"""Paste buffers."""
from diff import Probe

TEXTS = ('', 'a', 'text', 'two\nlines', 'é你', 'a\tb', '\x01\x1b[31m', 'x' * 60,
         '#{session_name}', '-n', ' lead', 'a\\b"c')
LIST = [['list-buffers'],
        ['list-buffers', '-F', '#{buffer_name}|#{buffer_size}|#{buffer_sample}|'
         '#{n:buffer_full}']]


def probes(rng):
    out = []
    for t in TEXTS:
        for flags in ([], ['-b', 'mine'], ['-a', '-b', 'mine'], ['-a'],
                      ['-b', 'mine', '-n', 'yours'], ['-b', 'a b:c'], ['-w'],
                      ['-n', 'only']):
            out.append(Probe(['set-buffer', *flags, '--', t],
                             reads=LIST + [['show-buffer'], ['show-buffer', '-b',
                                                            'mine']]))
        out.append(Probe(['load-buffer', 'file'], setup=[['!', 'write', 'file', t]],
                         reads=LIST + [['show-buffer']]))
        out.append(Probe(['load-buffer', '-b', 'loaded', 'file'], reads=LIST))
        for flags in ([], ['-a']):
            out.append(Probe(['save-buffer', *flags, 'saved'],
                             setup=[['set-buffer', '--', t or 'z']],
                             reads=[['run-shell', 'od -c saved']]))
            out.append(Probe(['save-buffer', *flags, '-']))
        out.append(Probe(['delete-buffer'], reads=LIST[:1]))
    for words in (['delete-buffer', '-b', 'mine'], ['delete-buffer', '-b', 'nope'],
                  ['show-buffer', '-b', 'nope'], ['set-buffer'], ['set-buffer', '-n',
                                                               'x'],
                  ['set-buffer', '-b', 'nope', '-n', 'x'], ['load-buffer', '/nowhere'],
                  ['load-buffer', '/'], ['save-buffer', '-b', 'nope', 'x'],
                  ['save-buffer', '/nowhere/x'], ['save-buffer', '-b', 'alpha', '-'],
                  ['paste-buffer', '-b', 'nope'], ['load-buffer', '-'],
                  ['set-buffer', '-b', 'alpha', '-n', 'beta'],
                  ['set-buffer', '-b', 'beta', '-n', 'beta']):
        out.append(Probe(words, reads=LIST))
    for f in ('#{==:#{buffer_name},alpha}', '0', '1', '#{m:*text*,#{buffer_sample}}',
              '#{>:#{buffer_size},5}', '#{', ''):
        for o in ('name', 'size', 'creation', 'nope', '', 'activity', 'index', 'key'):
            out.append(Probe(['list-buffers', '-f', f, '-O', o]))
    for limit in ('0', '1', '3', '-1', '50'):
        for _ in range(5):
            out.append(Probe(['set-buffer', 'another %s' % limit],
                             setup=[['set-option', '-s', 'buffer-limit', limit]],
                             reads=LIST))
    for n in range(120):
        words = rng.choice((['set-buffer', '-b', rng.choice('abcd'), rng.choice(
            TEXTS) or 'q'], ['set-buffer', '-ab', rng.choice('abcd'), 'more'],
            ['delete-buffer', '-b', rng.choice('abcd')],
            ['set-buffer', '-b', rng.choice('abcd'), '-n', rng.choice('abcd')],
            ['set-buffer', 'auto %d' % n], ['delete-buffer'], ['show-buffer']))
        out.append(Probe([w for w in words], reads=LIST))
    return out
