"""Format modifiers with good, odd and bad arguments, and nested ones."""
from diff import Probe

OPERANDS = ('session_name', 'window_name', 'pane_title', 'window_index', '@list',
            '@fmt', '@none', 'a b c', 'l:text', '#{session_name}', '#{l:a#,b}',
            'one,two', 'a,b,c', '', 'pane_width', '0', '1', '-5', '3.25',
            'GLOBAL', 'über', '#{@list}', '/usr/lib/x.c', 'red', '#ff8000',
            'colour123', 'a$b"c\'d', '#[fg=red]x', '1445765102', 'alpha', 'a*,abc')
PAIRS = ('1,2', '2,1', '7,3', '7,0', '-7,3', '5.5,3', 'a,b', 'a,a', ',', 'a', '',
         '0,1', '1,0', '0,0', '1,1,1', '#{pane_width},80', 'alpha,#{session_name}',
         '10,9', '1e3,1', '0x10,1', ' 1, 2', '99999999999,1', 'a*,abc', '*b*,abc',
         '^a,abc', '[a-c]+,abc', '(,abc', 'A,abc', 'abc,3', 'ab,0', 'x,-1',
         'x,#{window_index}', '\'bc,abc', 'a | z,abc', '!z,abc', 'c$,abc',
         'dev bash,dev:1 bash')
SIMPLE = ('b', 'd', 'l', 'n', 'w', 'E', 'T', 'q', 'q/h', 'q/e', 'q/a', 'q/s',
          'q/x', 'a', 'c', 'c/f', 'c/b', 'c/x', '!', '!!', 't/p', 't/f/%%Y',
          't/f/%%H#:%%M', 't/x', '=5', '=-5', '=0', '=', '=x', '=/3/...',
          '=/-3/...', '=|4|+', '=/3', '=99999999999', 'p5', 'p-5', 'p0', 'p', 'px',
          'p/8', 'p/-8', 'p200', 's/a/b/', 's/a/b', 's/a/', 's//x/', 's/A/b/i',
          's/(a)(.)/\\2\\1/', 's/^/x/', 's/$/x/', 's/./&/', 's/a*/x/', 's|/|:|',
          's/[/x/', 's/a/b/;s/e/f/', '=3;b', 'b;=3', 'n;=3', 'E;T', 'E;E', 'N',
          'N/w', 'N/s', 'N/x', 'C', 'C/r', 'C/i', 'C/ri', 'S', 'W', 'P', 'L', 'I',
          'I/f', 'I/c', 'I/e', 'I/x', 'R', 'A', 'A/2', 'O', 'V', 'V/g', 'V/s',
          'V/c', 'V/x', 'm', 'm/r', 'm/i', 'm/ri', 'm/z', 'm/p', 'm/zi', 'm/x', '==',
          '!=', '<', '>', '<=', '>=', '||', '&&', 'x', 'zz', '%', 'e', 'e|+',
          'W/i', 'W/n', 'W/t', 'W/r', 'W/nr', 'W/x', 'S/i', 'S/n', 'S/r', 'P/r',
          'P/i', 'P/z', 'L/n', 'T;=10', 'q;=5', 'l;=5', 'd;b', 'w;p5')
OPERATORS = ('+', '-', '*', '/', 'm', '%', '%%', '==', '!=', '<', '<=', '>', '>=',
             '^', '', 'x')
PRECISION = ('', '|f', '|f|0', '|f|4', '|f|x', '|x', '|f|-1', '|f|101', '||3')
CONDITIONS = ('abc', '', '1', '0', '1,yes', '0,yes', '1,yes,no', '0,yes,no',
              'session_name,a', '@none,a,b', ',a,b', 'a,,b', '1,,b', '0,a,1,b',
              '0,a,0,b', '0,a,0,b,c', '1,a,0,b,c', '0,a,1,b,c', 'window_index,x',
              '#{==:a,a},t,f', '#{session_name},t,f', '1,#{?0,a,b},c',
              '1,a#,b,c', '1,a#}b,c', '1,#[fg=red#,bg=blue]x,y', '1,#{l:a,b},c',
              'nope,a,b', '#{nope},a,b', '00,a,b', ' ,a,b', '@fmt,#{E:@fmt},n',
              '1,a', '1,', ',', ',,', '#{,a,b', '1,a,b,c,d,e', 'GLOBAL,g,n',
              'session_format,s,window_format,w,pane_format,p,none')
ODD = ('#', '##', '###', '#{', '#}', '#{}', '#{{}}', '#{session_name', '}', '#,',
       '#(', '#()', '#[', '#[fg=red]', '##[x]', '#{:}', '#{::}', '#{;}', '#{;:a}',
       '#{=}', '#{=:}', '#{=5}', '#{session_name:}', '#{ session_name}',
       '#{session_name }', '#{SESSION_NAME}', '#S', '#W#F', '#I:#P', '#D', '#T',
       '#Z', '#x', '#1', '#H'[:0] + '#s', '#{#}', '#{##}', '#{a#}b}', '%H', '%%',
       '%Y%', '100%', 'a#{l:#}}b', '#{l:#{session_name}}', '#{l:a#,b}', '#{l:a#}b}',
       '#{E:@fmt}', '#{E:nope}', '#{T:@fmt}', '#{@}', '#{@list}', '#{E:@}',
       '\t', 'é', '#{é}', '#{n:é}', '#{w:你好}', '#{=1:你好}', '#{=3:l:你好}',
       '#{p10:l:x}', '#{e|+:1}', '#{e|+:}', '#{m:}', '#{m:a}', '#{?}', '#{?:a}',
       '#{==}', '#{==:}', '#{S}', '#{W}', '#{S:}', '#{W:}', '#{P:}', '#{L:}',
       '#{S:a,b}', '#{W:a,b}', '#{P:a,b,c}', '#{S:#{W:#{P:.}}}', '#{R:a}',
       '#{R:,3}', '#{R:a,99}', '#{a:98}', '#{a:0}', '#{a:300}', '#{a:x}', '#{a:-1}',
       '#{c:red}', '#{c:nope}', '#{c:#123456}', '#{c:brightblue}', '#{c:terminal}',
       '#{N/w:two}', '#{N:two}', '#{N/s:alpha}', '#{N/s:al}', '#{t:0}', '#{t:}',
       '#{t/p:0}', '#{t:1445765102}', '#{t/f/%%Y-%%m-%%d:1445765102}',
       '#{t/r:}', '#{t/d:}', '#{q:a b}', '#{q:l:a b}', '#{status-format[0]}'[:0] +
       '#{status-format[9]}', '#{command-alias[0]}', '#{user-keys[0]}',
       '#{command-alias}', '#{window_layout}')


def batch(text, target='alpha:0.1', flags=()):
    return Probe(['display-message', '-p', *flags, '-t', target, text],
                 scene='formats', batch=not text.endswith(';'))


def nested(rng, depth):
    kind = rng.randrange(9) if depth > 0 else rng.randrange(3)
    sub = lambda: nested(rng, depth - 1)  # noqa: E731
    if kind == 0:
        return rng.choice(('a', 'b c', '1', '0', '', 'x#,y', '-3', 'é'))
    if kind <= 2:
        return '#{%s}' % rng.choice((
            'session_name', 'window_name', 'window_index', 'pane_index', '@list',
            '@fmt', '@none', 'pane_title', 'GLOBAL', 'window_flags', 'pane_width'))
    if kind == 3:
        return '#{?%s,%s,%s}' % (sub(), sub(), sub())
    if kind == 4:
        return '#{%s:%s,%s}' % (rng.choice(('==', '!=', '<', '>', '||', '&&', 'm',
                                            'm/r', 'm/i', 'm/z')), sub(), sub())
    if kind == 5:
        return '#{%s:%s}' % (rng.choice(SIMPLE), sub())
    if kind == 6:
        return '#{%s;%s:%s}' % (rng.choice(SIMPLE), rng.choice(SIMPLE), sub())
    if kind == 7:
        return '#{e|%s%s:%s,%s}' % (rng.choice(OPERATORS), rng.choice(PRECISION),
                                    sub(), sub())
    return '#{%s:%s,%s}' % (rng.choice('SWPSWPL'), sub(), sub())


def probes(rng):
    out = []
    for m in SIMPLE:
        for o in OPERANDS:
            out.append(batch('#{%s:%s}' % (m, o)))
        for pair in rng.sample(PAIRS, 8):
            out.append(batch('#{%s:%s}' % (m, pair)))
        out.append(batch('#{%s}' % m))
    for op in OPERATORS:
        for pair in PAIRS[:24]:
            for precision in rng.sample(PRECISION, 3):
                out.append(batch('#{e|%s%s:%s}' % (op, precision, pair)))
    for m in ('==', '!=', '<', '>', '<=', '>=', '||', '&&', 'm', 'm/r', 'm/i',
              'm/ri', 'm/z', 'm/p', 'm/zi', 'R'):
        out += [batch('#{%s:%s}' % (m, pair)) for pair in PAIRS]
    out += [batch('#{?%s}' % c) for c in CONDITIONS]
    out += [batch('[#{?%s}]' % c, 'beta:9') for c in CONDITIONS]
    for o in ODD:
        out += [batch(o), batch('a%sb' % o, 'beta:'), batch(o, flags=('-l',))]
        out.append(Probe(['display-message', '-p', '-v', '-t', 'alpha:0', o],
                         scene='formats'))
    for _ in range(2600):
        out.append(batch(nested(rng, rng.randint(1, 4)),
                         rng.choice(('alpha:0.1', 'alpha:5', 'beta:9', 'gamma:'))))
    for o in ('', 'x', 's', 'w', 'p', 'v', 'g', 'gw', 'gs', 'sg', 'pg'):
        for body in ('<#{option_name}>', '#{?option_is_array,#{option_name} ,}',
                     '#{?option_is_user,#{option_name}=#{option_value} ,}',
                     '#{option_name}#{?option_has_array_key,[#{option_array_key}],} '):
            out.append(batch('#{O%s:%s}' % ('/' + o if o else '', body)))
            out.append(batch('#{O%s:%s}' % ('/' + o if o else '', body), 'beta:9'))
    return out
