#!/usr/bin/env python3
"""A program in a pane that does harm to its terminal.

    pane.py ATTACK [SECONDS]

Runs inside the pane, writes for so long (0.3) and then "\\r\\nDONE ATTACK\\r\\n".
"""
import os
import pty
import random
import signal
import sys
import termios
import time
import tty

ESC = '\x1b'
HUGE = ['0', '1', '80', '65535', '65536', '2147483647', '2147483648',
        '4294967295', '18446744073709551615', '9' * 200, '-1', '']
RNG = random.Random(int(os.environ.get('UNIT_SEED', '1')))


def numbers():
    """Every control function with numbers of every size."""
    out = ''
    for final in map(chr, range(0x40, 0x7f)):
        for private in ('', '?', '>', '<', '=', '!', '$', ' ', '"', "'", '#'):
            n = [RNG.choice(HUGE) for _ in range(RNG.randrange(6))]
            lead, tail = (private, '') if private in '?><=' else ('', private)
            # Resets would undo the others; they come at the end.
            if final not in 'cp':
                out += ESC + '[' + lead + ';'.join(n) + tail + final + 'x'
    return out


def parameters():
    """Thousands of parameters, sub-parameters and intermediates."""
    return (ESC + '[' + '1;' * 20000 + 'm' + ESC + '[' + '4:3:' * 20000 + 'm' +
            ESC + '[' + ' ' * 20000 + 'q' + ESC + '[?' + '1049;47;' * 5000 + 'h')


def endless():
    """Strings without an end: OSC, DCS, APC, PM, SOS in turn."""
    kind = RNG.choice([']0;', ']52;c;', ']8;;', ']1337;', ']4;1;', 'P', 'Pq',
                       'P+q', 'P$q', 'Ptmux;', '_G', '^', 'X', 'k'])
    return ESC + kind + 'A' * 400000


def strings():
    """Control strings with an end and all lengths of content."""
    out = ''
    for kind in (']0;', ']2;', ']7;file://', ']8;id=x;', ']9;', ']9;4;1;',
                 ']10;', ']11;', ']12;', ']52;c;', ']133;A;', ']1337;File=',
                 ']777;notify;', 'P$q', 'P+q', 'Pq', 'P1000p', '_G', '^', 'X'):
        for n in (0, 1, 255, 4096, 70000):
            fill = RNG.choice(['A', '\u65e5', '\x9b', ';', '%', '\x00', 'QUJD',
                               '#1;2;3'])
            out += ESC + kind + fill * n + RNG.choice(['\a', ESC + '\\', '\x18'])
    return out


def queries():
    """Asks, and never reads the answers."""
    return (ESC + '[c' + ESC + '[>c' + ESC + '[=c' + ESC + '[6n' + ESC + '[5n' +
            ESC + '[?6n' + ESC + '[18t' + ESC + '[14t' + ESC + '[21t' + ESC +
            '[>q' + ESC + '[?u' + ESC + '[?2026$p' + ESC + 'P+q544e' + ESC +
            '\\' + ESC + 'P$qm' + ESC + '\\' + ESC + ']10;?\a' + ESC + ']4;' +
            ';'.join('%d;?' % n for n in range(256)) + '\a' + ESC + ']52;c;?\a'
            ) * 60


def screens():
    return (ESC + '[?1049h' + 'x' * 2000 + ESC + '[2J' + ESC + '[?47h' + ESC +
            '[?1047l' + ESC + '[?1049l' + ESC + 'c') * 40


def modes():
    out = ''
    for n in list(range(0, 130)) + [1000, 1001, 1002, 1003, 1004, 1005, 1006,
                                    1007, 1015, 1016, 1034, 1036, 1047, 1048,
                                    2004, 2026, 2027, 2031, 2048, 7727, 9001]:
        out += ESC + '[?%d%s' % (n, RNG.choice('hlsr')) + ESC + '[%d%s' % (
            n, RNG.choice('hl'))
    return out


def keyboards():
    """Stacks of the kitty keyboard protocol, and modifyOtherKeys."""
    return (ESC + '[>31u') * 3000 + (ESC + '[<9999u') + (ESC + '[>4;2m') * 500 \
        + (ESC + '[=31;3u') * 500 + (ESC + '7') * 1000 + (ESC + '[s') * 1000


def titles():
    return ''.join(ESC + ']2;%s\a' % ('#{%s}#(touch $PWNED)' % ('q:' * n))
                   + ESC + '[22;2t' for n in range(400)) + ESC + '[23;2t' * 900


def links():
    return ''.join(ESC + ']8;id=%d;http://x/%s\aL' % (n, 'y' * 500)
                   for n in range(500))


def clusters():
    return ('e' + '\u0301' * 3000 + '\U0001f469\u200d' * 3000 +
            '\U0001f1e9' * 3001 + '\u202e' * 500 + '\ufe0f' * 500)


def sixel():
    return ESC + 'P0;1;0q"1;1;99999;99999' + '#0;2;100;0;0!2147483647~$-' * 3000 \
        + ESC + '\\'


def repeat():
    return ('x' + ESC + '[2147483647b' + ESC + '[65535L' + ESC + '[65535M' + ESC
            + '[65535@' + ESC + '[65535P' + ESC + '[65535S' + ESC + '[65535T' +
            ESC + '[65535X' + ESC + '[65535I' + ESC + '[65535Z') * 300


def scroll():
    """Margins, marks and tabs in every order."""
    out = ''
    for _ in range(3000):
        out += ESC + RNG.choice(['[%d;%dr', '[%d;%ds', '[%d;%dH']) % (
            RNG.randrange(99), RNG.randrange(99))
        out += RNG.choice(['\n', ESC + 'M', ESC + 'D', ESC + 'H', '\t', '\v',
                           ESC + '[?69h', ESC + '[?6h', ESC + ']133;A\a', 'w'])
    return out


def noise():
    return RNG.randbytes(200000).decode('latin-1')


def forks(until):
    """Children that keep the terminal, leave it, or open others."""
    n = 0
    while time.monotonic() < until and n < 60:
        n += 1
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            if n % 3 == 0:
                os.setsid()
            if n % 3 == 1:
                for fd in (0, 1, 2):
                    os.close(fd)
            else:
                os.write(1, b'child\r\n')
            os._exit(0)
        os.waitpid(pid, 0)


def settings(until):
    """Settings of the terminal that no program needs."""
    while time.monotonic() < until:
        attrs = termios.tcgetattr(0)
        for i in range(4):
            attrs[i] ^= RNG.getrandbits(12)
        # A stop of output, or no access for the owner, would stop this test.
        attrs[0] &= ~(termios.IXON | termios.IXOFF)
        termios.tcsetattr(0, termios.TCSANOW, attrs)
        termios.tcflow(1, RNG.choice([termios.TCOOFF]))
        termios.tcflow(1, termios.TCOON)
        os.write(1, b'x')


def main():
    name = sys.argv[1]
    until = time.monotonic() + (float(sys.argv[2]) if len(sys.argv) > 2 else 0.3)
    before = termios.tcgetattr(0)
    tty.setraw(0)
    if name in ('forks', 'settings'):
        globals()[name](until)
        termios.tcsetattr(0, termios.TCSANOW, before)
        tty.setraw(0)
    else:
        while True:
            data = globals()[name]()
            enc = 'latin-1' if name == 'noise' else 'utf-8'
            data = data.encode(enc, 'surrogatepass')
            while data:
                data = data[os.write(1, data[:65536]):]
            if time.monotonic() >= until:
                break
    # Out of every string and state; the end is text again.
    end = '\x18' + ESC + '\\' + ESC + 'c' + ESC + '[?1049l' + ESC + 'c'
    os.write(1, (end + '\r\nDONE ' + name + '\r\n').encode())
    signal.pause()


if __name__ == '__main__':
    main()
