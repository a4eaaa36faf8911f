#!/usr/bin/env python3
"""The kernel's TCP on recorded cellular links, as ssp_pace runs rmux there.

    tcp_link.py [-k SKIP] [-l LINK] [-o CSV] [-r RULE] [-s SECONDS] BUILD TRACES

A download by each congestion control of the kernel that the list below names,
through BUILD/regress/tools/link, and a small datagram beside it that is echoed,
one after the other, as a key is.  All links run at once.  TRACES as for
ssp_pace; columns, too.  Needs what regress/tools/link needs.
"""
import argparse
import csv
import os
import random
import select
import socket
import subprocess
import sys
import time

RULES = ('cubic', 'bbr')
DELAY = 20  # ms, one way
LINKS = (
    ('Verizon LTE down', 'Verizon-LTE-short.down', 'Verizon-LTE-short.up'),
    ('Verizon LTE up', 'Verizon-LTE-short.up', 'Verizon-LTE-short.down'),
    ('Verizon EV-DO down', 'Verizon-EVDO-driving.down',
     'Verizon-EVDO-driving.up'),
    ('Verizon EV-DO up', 'Verizon-EVDO-driving.up',
     'Verizon-EVDO-driving.down'),
    ('AT&T LTE down', 'ATT-LTE-driving.down', 'ATT-LTE-driving.up'),
    ('AT&T LTE up', 'ATT-LTE-driving.up', 'ATT-LTE-driving.down'),
    ('T-Mobile LTE down', 'TMobile-LTE-short.down', 'TMobile-LTE-short.up'),
    ('T-Mobile LTE up', 'TMobile-LTE-short.up', 'TMobile-LTE-short.down'),
    ('T-Mobile UMTS down', 'TMobile-UMTS-driving.down',
     'TMobile-UMTS-driving.up'),
    ('T-Mobile UMTS up', 'TMobile-UMTS-driving.up',
     'TMobile-UMTS-driving.down'),
)


def far(rule):
    """Sends to whoever connects, and echoes datagrams."""
    echo = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    echo.bind(('10.99.0.2', 5001))
    door = socket.socket()
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    door.bind(('10.99.0.2', 5000))
    door.listen(4)
    out, data = [], bytes(65536)
    while True:
        ready, room, _ = select.select([echo, door], out, [])
        if echo in ready:
            echo.sendto(*echo.recvfrom(2000))
        if door in ready:
            c = door.accept()[0]
            c.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION,
                         rule.encode())
            # Bytes that wait in the socket are not on the link.
            c.setsockopt(socket.IPPROTO_TCP, 25, 131072)  # NOTSENT_LOWAT
            c.setblocking(False)
            out.append(c)
        for c in room:
            try:
                c.send(data)
            except BlockingIOError:
                pass
            except OSError:
                out.remove(c)


def near(skip, seconds):
    """Downloads, and types; prints bytes and the times of keys."""
    keys = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    keys.connect(('10.99.0.2', 5001))
    begun = time.monotonic()
    while True:
        try:
            down = socket.create_connection(('10.99.0.2', 5000), 30)
            break
        except OSError:
            time.sleep(.1)
    down.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 << 20)
    rng = random.Random(1)
    got, ms, number, sent, due = 0, [], 0, None, begun + 1
    while True:
        now = time.monotonic()
        if now >= begun + skip + seconds:
            break
        if sent is None and now >= due:
            number += 1
            try:
                keys.send(b'%-40d' % number)
                sent = now
            except OSError:  # the far end is not there yet
                pass
            due = now + .1 + rng.random() / 10
        wait = max(0, due - now) if sent is None else .5
        ready = select.select([keys, down], [], [], wait)[0]
        if down in ready:
            n = len(down.recv(1 << 20))
            if time.monotonic() >= begun + skip:
                got += n
        if keys in ready:
            try:
                answer = int(keys.recv(2000))
            except OSError:
                answer = 0
            if answer == number and sent is not None:
                if sent >= begun + skip:
                    ms.append((time.monotonic() - sent) * 1000)
                sent = None
    if sent is not None and sent >= begun + skip:
        ms.append((time.monotonic() - sent) * 1000)
    ms.sort()
    print('got', got, *('%.1f' % ms[len(ms) * p // 100] if ms else '0'
                        for p in (50, 95, 99)))


def capacity(path, start, seconds):
    """kbit/s that the trace offers."""
    with open(path, encoding='ascii') as f:
        at = [int(x) for x in f]
    span = at[-1]
    n = sum(1 for k in range(int((start + seconds) * 1000 / span) + 1)
            for t in at if start * 1000 < k * span + t
            <= (start + seconds) * 1000)
    return n * 12 / seconds


def run(opts, link, rule):
    name, down, up = link
    me = '%s %s' % (sys.executable, os.path.abspath(__file__))
    traces = os.path.abspath(opts.traces)
    argv = [os.path.join(opts.build, 'regress/tools/link'),
            '-d', 'delay=%d,trace=%s' % (DELAY, os.path.join(traces, down)),
            '-u', 'delay=%d,trace=%s' % (DELAY, os.path.join(traces, up)),
            '-k', str(opts.skip), '-m', str(opts.seconds),
            '%s --far %s' % (me, rule),
            '%s --near %g %g' % (me, opts.skip, opts.seconds + 1)]
    return name, rule, subprocess.Popen(argv, stdout=subprocess.PIPE,
                                        universal_newlines=True)


def table(opts, running, out):
    for name, rule, p in running:
        text = p.communicate()[0].split()
        if 'got' not in text:
            print('# FAILED: %s %s' % (name, rule))
            continue
        at = text.index('got')
        keys = [float(x) - 2 * DELAY for x in text[at + 2:at + 5]]
        kbits = int(text[at + 1]) * 8 / 1000 / (opts.seconds + 1)
        age = float(text[text.index('down') + 2].split('=')[1])
        path = os.path.join(opts.traces, dict(
            (k[0], k[1]) for k in LINKS)[name])
        offers = capacity(path, opts.skip, opts.seconds)
        print('%-20s %-8s %8.0f %8.0f %4.0f%% %8.0f   %6.0f %6.0f %6.0f' % (
            name, rule, kbits, offers, kbits / offers * 100, age, *keys),
            flush=True)
        out.append([name, rule, round(kbits), round(offers), round(age)] +
                   [round(k) for k in keys])


def main():
    if sys.argv[1:2] == ['--far']:
        far(sys.argv[2])
    if sys.argv[1:2] == ['--near']:
        return near(float(sys.argv[2]), float(sys.argv[3]))
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('build')
    ap.add_argument('traces')
    ap.add_argument('-k', '--skip', type=int, default=13)
    ap.add_argument('-s', '--seconds', type=int, default=120)
    ap.add_argument('-l', '--link', default='')
    ap.add_argument('-r', '--rule', default='')
    ap.add_argument('-o', '--out', default='')
    opts = ap.parse_args()
    print('%-20s %-8s %8s %8s %5s %8s   %6s %6s %6s (ms beyond the round '
          'trip)' % ('link', 'rule', 'kbit/s', 'capacity', 'use', 'age95',
                     'key 50', '95', '99'))
    out = []
    for rule in RULES:
        if opts.rule in rule:
            table(opts, [run(opts, k, rule) for k in LINKS
                         if opts.link in k[0]], out)
    if opts.out:
        with open(opts.out, 'w', newline='', encoding='utf-8') as f:
            w = csv.writer(f)
            w.writerow('link rule kbits capacity age95_ms key50_ms key95_ms '
                       'key99_ms'.split())
            w.writerows(out)
    return 0


if __name__ == '__main__':
    sys.exit(main())
