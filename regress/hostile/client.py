#!/usr/bin/env python3
"""Processes that do harm through the server's Unix socket.

    client.py RMUX SOCKET PID

Each attack ends with a look at the server PID: it serves its owner, holds no
descriptor more than before, and has grown by GROW at most.  Prints TAP.
"""
import array
import os
import random
import resource
import socket
import struct
import subprocess
import sys
import time

import raw
from raw import (COMMAND, DATA, OPENED, ROAM, SIGNAL, SSP, TUNNEL, VALUES,
                 command, hello, message, send)

RMUX, PATH, PID = sys.argv[1], sys.argv[2], int(sys.argv[3])
GROW = 96 << 10  # KiB
SEED = int(os.environ.get('UNIT_SEED', '1'))
failed = 0
count = 0


# --- the victim -----------------------------------------------------------------

def connect(timeout=5):
    return raw.connect(PATH, timeout)


def served():
    done = subprocess.run([RMUX, '-S', PATH, 'display-message', '-p', 'alive'],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=30)
    return done.stdout == b'alive\n'


def high_water():
    with open('/proc/%d/status' % PID) as f:
        for line in f:
            if line.startswith('VmHWM:'):
                return int(line.split()[1])
    return 1 << 40


def fds():
    return len(os.listdir('/proc/%d/fd' % PID))


def attack(name, fn):
    global failed, count
    count += 1
    before, open_before = high_water(), fds()
    notes = []
    try:
        note = fn()
        if note:
            notes.append(note)
        if not served():
            notes.append('the owner is not served')
        end = time.monotonic() + 10
        while fds() > open_before and time.monotonic() < end:
            time.sleep(0.02)  # sleep-ok: a poll with a deadline
        if fds() > open_before:
            notes.append('%d descriptors, then %d' % (open_before, fds()))
        grown = high_water() - before
        if grown > LIMIT:
            notes.append('grew by %d KiB' % grown)
    except (OSError, subprocess.TimeoutExpired) as e:
        notes.append('%s' % e)
    failed += bool(notes)
    print('%sok %d - %s' % ('not ' if notes else '', count, name))
    for note in notes:
        print('# ' + note)
    sys.stdout.flush()


# --- attacks --------------------------------------------------------------------

def halves():
    whole = hello() + command('display-message', '-p', 'x')
    held = [connect() for _ in range(0, len(whole), 2)]
    for n, s in enumerate(held):
        send(s, whole[:2 * n])
    ok = served()
    for s in held:
        s.close()
    return None if ok else 'not served meanwhile'


def lengths():
    held = []
    for n in (0, 1, 2, (4 << 20) - 1, 4 << 20, (4 << 20) + 1, 1 << 31,
              0xffffffff):
        s = connect()
        held.append(s)
        send(s, struct.pack('>I', n) + b'\xdf' * 100000)
    ok = served()
    for s in held:
        s.close()
    return None if ok else 'not served meanwhile'


def shapes():
    rng = random.Random(SEED)
    for kind in range(0, 40):
        for first in (True, False):
            s = connect()
            if not first:
                send(s, hello())
            for _ in range(3):
                fields = {0: kind}
                for field in rng.sample(range(1, 20), rng.randrange(1, 8)):
                    fields[field] = rng.choice(VALUES)
                if not send(s, message(fields)):
                    break
            s.close()


def out_of_order():
    s = connect()
    for kind in (DATA, OPENED, SSP, SIGNAL, TUNNEL, 16, 17, 18, 20, 23, 28):
        for n in (0, 1, 2**63):
            t = connect()
            send(t, message({0: kind, 1: n, 2: n - 1, 3: 'x', 4: b'x' * 99}))
            send(t, hello())
            send(t, message({0: kind, 1: n, 2: n - 1, 3: 'x', 4: b'x' * 99}))
            t.close()
    for _ in range(300):
        if not send(s, hello()):
            break
    s.close()


def unread():
    """Asks for much, and never reads."""
    held = []
    for _ in range(8):
        s = connect(0.3)
        held.append(s)
        send(s, hello() + command('list-keys') * 4000)
    ok = served()
    for s in held:
        s.close()
    return None if ok else 'not served meanwhile'


def sessions():
    """Attaches and sends the nonsense of a display that has the key."""
    rng = random.Random(SEED)
    for n in range(20):
        s = connect()
        send(s, hello() + command('attach-session', '-t', 's'))
        for _ in range(60):
            if not send(s, message({0: SSP, 4: rng.randbytes(
                    rng.choice((1, 20, 400, 65536)))})):
                break
            send(s, message({0: SIGNAL, 2: rng.randrange(-5, 100)}))
        s.close()


def roaming():
    """Asks for keys for remote clients, and never uses one."""
    held = []
    for n in range(200):
        s = connect()
        held.append(s)
        fields = {0: ROAM, 5: ['attach-session', '-t', 's'], 8: 'xterm',
                  9: 'x\x1b]0;x\a', 10: 2}
        if n % 3 == 1:
            fields[1] = 2**64 - n
        send(s, message(fields))
        for _ in range(5):
            send(s, message({0: TUNNEL, 4: os.urandom(1200)}))
    ok = served()
    for s in held:
        s.close()
    return None if ok else 'not served meanwhile'


def descriptors():
    """Passes descriptors that nobody asked for."""
    own = [os.open('/dev/null', os.O_RDONLY) for _ in range(200)]
    for _ in range(20):
        s = connect()
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', own))]
        whole = hello() + command('display-message', '-p', 'x')
        for b in (whole[:3], whole[3:50], whole[50:]):
            try:
                s.sendmsg([b], rights)
            except OSError:
                break
        s.recv(1)
        s.close()
    for fd in own:
        os.close(fd)


def crowd():
    """As many connections as fit, each with half a message."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    held = []
    try:
        for n in range(min(hard, 4096) - 50):
            s = connect()
            held.append(s)
            send(s, hello()[:n % 20])
    finally:
        ok = served()
        for s in held:
            s.close()
    return None if ok else 'not served meanwhile'


def strangers():
    """Another user, whose way to the socket is open by mistake."""
    if os.getuid() != 0:
        return None
    top = os.path.dirname(PATH)
    modes = [(p, os.stat(p).st_mode & 0o7777) for p in
             (os.path.dirname(os.path.dirname(top)), os.path.dirname(top), top,
              PATH)]
    for p, _ in modes:
        os.chmod(p, 0o777)
    pid = os.fork()
    if pid == 0:
        os.setgid(65534)
        os.setuid(65534)
        code = 1
        try:
            s = connect()
            send(s, hello() + command('set-buffer', 'stolen'))
            said = b''
            while True:
                part = s.recv(4096)
                if not part:
                    break
                said += part
            # A word of refusal is all that it may hear.
            code = 0 if len(said) < 64 and (
                not said or b'access not allowed' in said) else 2
        except ConnectionResetError:
            code = 0
        except OSError:
            code = 3
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    for p, mode in modes:
        os.chmod(p, mode)
    buffers = subprocess.run([RMUX, '-S', PATH, 'list-buffers'],
                             stdout=subprocess.PIPE).stdout
    if code != 0 or buffers != b'':
        return 'code %d, buffers %r' % (code, buffers)
    return None


def main():
    global LIMIT
    with open(RMUX, 'rb') as f:
        LIMIT = GROW * (10 if b'__asan_init' in f.read() else 1)
    attack('half messages, cut at every second byte', halves)
    attack('lengths that are not true', lengths)
    attack('fields of every wrong kind', shapes)
    attack('messages out of order', out_of_order)
    attack('eight who ask for much and never read', unread)
    attack('displays that send nonsense', sessions)
    attack('keys for remote clients that nobody uses', roaming)
    attack('descriptors that nobody asked for', descriptors)
    attack('thousands of connections with half a message', crowd)
    attack('another user at an open door', strangers)
    print('1..%d' % count)
    return 1 if failed else 0


sys.exit(main())
