#!/usr/bin/env python3
"""real_notify.py - a build that ends in a hidden window, in three real terminals.

  real_notify.py [-d DIR] [-k KITTY] RMUX

kitty and xterm (Xvfb) show a session of one server, foot (sway without a display)
attaches to it over UDP.  A window that none of them shows ends its build with OSC 9,
777, 99 and the bell.  Prints TAP and, as comments, what each terminal told its desktop:
kitty over a D-Bus of its own, foot to a program in notify-send's place, xterm by its
message and its bell.  DIR keeps pictures of all three.  KITTY is another kitty.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import real

# Stands in for ssh: remote_lib.sh has the same one.
SSH = '''#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in -G) exit 1 ;; -p) shift 2 ;; -*) shift ;; *) break ;; esac
done
shift
unset RMUX TMUX
exec sh -c "$*"
'''
ENDS = (
    ('OSC 9', r'\033]9;all tests pass\007', 'build', 'all tests pass'),
    ('OSC 777', r'\033]777;notify;Built;in 3 s\007', 'build: Built', 'in 3 s'),
    ('OSC 99', r'\033]99;i=1:d=0:u=2;Broken\033\\\033]99;i=1:p=body;3 tests fail\033\\',
     'build: Broken', '3 tests fail'),
    ('bell', r'\007', None, None),
)


class Session:
    """A server of a user who may use both displays, and its clients."""

    def __init__(self, rmux, work, wayland):
        self.rmux, self.dir, self.user = rmux, os.path.join(work, 's'), wayland.as_user
        os.mkdir(self.dir, 0o700)
        self.ssh = os.path.join(work, 'ssh')
        with open(self.ssh, 'w', encoding='ascii') as f:
            f.write(SSH)
        os.chmod(self.ssh, 0o755)
        if self.user:
            os.chown(self.dir, 65534, 65534)
        self.env = ['env', 'RMUX_TMPDIR=' + self.dir, 'HOME=' + self.dir, 'RMUX=']
        self.run('new-session', '-d', '-s', 't', '-n', 'main', 'cat')
        self.run('set-option', '-g', 'display-time', '0')
        self.run('new-window', '-d', '-n', 'build', 'cat')

    def run(self, *words):
        p = subprocess.run(self.user + self.env + [self.rmux, '-f', '/dev/null'] + list(words),
                           capture_output=True, text=True, check=False)
        return p.stdout.strip()

    def attach(self, user, far):
        words = ['--ssh=' + self.ssh, '--server=' + self.rmux, '127.0.0.1'] if far else []
        return user + self.env + [self.rmux, '-f', '/dev/null', 'attach'] + words


def read(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as f:
            return f.read()
    except OSError:
        return ''


def told_dbus(log):
    """The titles and bodies of D-Bus calls of Notify."""
    out = []
    for call in re.split(r'^method call ', log, flags=re.M):
        if 'member=Notify' in call.partition('\n')[0]:
            strings = re.findall(r'^   string "(.*)"$', call, flags=re.M)
            out.append(tuple(strings[2:4]))
    return out


def start(opts, work, shown):
    """Starts the three terminals, and returns their parts."""
    x, w = real.X11(work), real.Wayland(work)
    shown += [x, w]
    s = Session(opts.rmux, work, w)
    told = os.path.join(w.work, 'told')
    notify = os.path.join(work, 'notify')
    with open(notify, 'w', encoding='ascii') as f:
        f.write('#!/bin/sh\nprintf "%%s\\t%%s\\n" "$1" "$2" >>%s\n' % told)
    os.chmod(notify, 0o755)
    bus = os.path.join(work, 'bus')
    daemon = subprocess.Popen(
        ['dbus-daemon', '--session', '--nofork', '--address=unix:path=' + bus],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    real.wait(lambda: os.path.exists(bus))
    x.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=' + bus
    with open(os.path.join(work, 'dbus'), 'wb') as log:
        monitor = subprocess.Popen(['dbus-monitor', '--address', 'unix:path=' + bus], stdout=log)
    kitty = [opts.kitty] + real.TERMINALS['kitty'][1][1:]
    xterm = list(real.TERMINALS['xterm'][1])
    xterm[xterm.index('80x24+0+0')] = '80x10+0+450'
    xterm[-1:] = ['-vb', '-e']
    foot = real.TERMINALS['foot'][1] + ['--override=notify=%s ${title} ${body}' % notify]
    procs = [daemon, monitor, x.start(kitty + s.attach(s.user, False)), x.start(xterm + s.attach(s.user, False)),
             w.start(foot + s.attach([], True))]
    return x, w, s, procs, told


def lines(s, want):
    return real.wait(lambda: len(s.run('list-clients', '-F', 'x').split()) == want, 30)


def main():
    p = argparse.ArgumentParser()
    p.add_argument('-d', dest='dir')
    p.add_argument('-k', dest='kitty', default='kitty')
    p.add_argument('rmux')
    opts = p.parse_args()
    opts.rmux = os.path.abspath(opts.rmux)
    for name in ('RMUX', 'RMUX_PANE', 'TMUX', 'TMUX_PANE'):
        os.environ.pop(name, None)
    os.environ.update(LC_ALL='C.UTF-8', SHELL='/bin/sh')
    needs = real.NEEDS[real.X11] + real.NEEDS[real.Wayland] + (
        'xterm', 'foot', 'dbus-daemon', 'dbus-monitor', opts.kitty)
    missing = [n for n in needs if shutil.which(n) is None]
    if missing:
        print('1..0 # SKIP not installed: ' + ' '.join(missing))
        return 0
    work = tempfile.mkdtemp(prefix='rmux-real')
    os.chmod(work, 0o711)
    tap, shown, procs = real.Tap(), [], []
    try:
        x, w, s, procs, told = start(opts, work, shown)
        tap.test(lines(s, 3), 'three terminals attach')
        time.sleep(2)  # sleep-ok: what the terminals answer about themselves
        for line in s.run('list-clients', '-F',
                          '#{client_termname}: #{client_termtype}, #{client_termfeatures}').split('\n'):
            print('# ' + line)
        for name, seq, title, body in ENDS:
            s.run('respawn-pane', '-k', '-t', 't:build', "printf 'cc\\r\\nld\\r\\n%s'; exec cat" % seq)
            time.sleep(1.5)  # sleep-ok: desktops answer in their own time
            dbus = told_dbus(read(os.path.join(work, 'dbus')))
            foot = [tuple(t.split('\t')) for t in read(told).splitlines()]
            print('# %s: kitty %s, foot %s' % (name, dbus[-1:], foot[-1:]))
            if title is not None:
                said = ' '.join(dbus[-1]) if dbus else ''  # OSC 9 has no title
                tap.test(title in said and body in said, 'kitty tells the desktop of ' + name, repr(dbus))
                tap.test(foot and foot[-1] == (title, body), 'foot, over UDP, of ' + name, repr(foot))
            if opts.dir:
                x.picture(os.path.join(opts.dir, 'notify-%s-x11.png' % name.replace(' ', '')))
                w.picture(os.path.join(opts.dir, 'notify-%s-foot.png' % name.replace(' ', '')))
        seen = s.run('show-notifications', '-F', '#{notification_kind}').split()
        tap.test(seen == ['bell', 'osc99', 'osc777', 'osc9'], 'all are in the list', repr(seen))
        s.run('kill-server')
    finally:
        for proc in procs:
            proc.terminate()
            proc.wait()
        for d in shown:
            d.close()
        shutil.rmtree(work, ignore_errors=True)
    print('1..%d' % tap.count)
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
