"""Every variable in every context."""
from diff import Probe
from names import VARIABLES

TARGETS = ('alpha:', 'alpha:0.1', 'alpha:0.2', 'alpha:1', 'alpha:5.1', 'beta:',
           'beta:9', 'gamma:')
LOOPS = ('S', 'W', 'P', 'L', 'W/n', 'S/nr', 'P/r')
LISTS = (['list-sessions'], ['list-windows', '-a'], ['list-panes', '-a'],
         ['list-buffers'], ['list-clients'], ['list-windows', '-t', 'alpha'],
         ['list-panes', '-s', '-t', 'beta'],
         ['list-keys', '-T', 'prefix', '-1'],
         ['show-options', '-t', 'alpha'],
         ['list-commands', 'new-window'],
         ['show-hooks', '-g'])

# Who asks from outside, while a client shows a session.
ASKERS = (['list-sessions'], ['list-windows', '-t', 't'], ['list-panes', '-t', 's:0'],
          ['list-buffers'], ['list-commands', 'new-window'],
          ['show-options', '-g', 'status'], ['list-keys', '-T', 'prefix', 'c'])


def asked(name):
    """The variable NAME in commands whose caller shows no session."""
    text = '<#{%s}>' % name
    out = [Probe(words + ['-F', text], scene='client', batch=True)
           for words in ASKERS]
    for words in (['if-shell', '-F', '-t', 't:', '#{%s}' % name,
                   'display-message -p yes', 'display-message -p no'],
                  ['set-environment', '-gF', 'ASKED', text],
                  ['set-option', '-gF', '-t', 't:', '@asked', text],
                  ['set-option', '-F', '@asked', text]):
        if name.endswith('pid') and words[0] != 'if-shell':
            continue
        out.append(Probe(words, [['set-option', '-g', '@asked', 'x']],
                         [['show-options', '-v', '@asked'],
                          ['show-options', '-gv', '@asked'],
                          ['show-environment', '-g', 'ASKED']],
                         scene='client'))
    return out


def probes(_rng):
    out = []
    for name in VARIABLES:
        for t in TARGETS:
            out.append(Probe(['display-message', '-p', '-t', t,
                              '%s=#{%s}' % (t, name)],
                             scene='formats', batch=True))
        for loop in LOOPS:
            out.append(Probe(['display-message', '-p', '-t', 'alpha:0',
                              '#{%s:<#{%s}>}' % (loop, name)],
                             scene='formats', batch=True))
        out.append(Probe(['display-message', '-p', '-t', 'alpha:0',
                          '#{W:#{%s},[#{P:#{%s},(#{%s})}]}' %
                          (name, name, name)], scene='formats', batch=True))
        out.append(Probe(['display-message', '-p', '-t', 'alpha:0',
                          '#{?%s,yes,no}#{!:%s}#{n:%s}' % (
                              name, name, 'pane_id' if name == 'pane_tty'
                              else name)],
                         scene='formats', batch=True))
        for words in LISTS:
            out.append(Probe(words + ['-F', '<#{%s}>' % name], scene='formats',
                             batch='list-clients' not in words))
        out.append(Probe(['display-message', '-p', '<#{%s}>' % name],
                         scene='client', batch=True))
        out.append(Probe(['list-clients', '-F', '<#{%s}>' % name],
                         scene='client', batch=True))
        out.append(Probe(['display-message', '-p', '-t', 't:', '<#{%s}>' % name],
                         scene='client', batch=True))
        out.append(Probe(['if-shell', '-F', '#{%s}' % name,
                          'display-message -p yes', 'display-message -p no'],
                         scene='formats'))
        out += asked(name)
    return sorted(out, key=lambda p: p.scene)
