#!/usr/bin/env python3
"""A user with read access who writes the control socket's bytes itself.

    reader.py RMUX SOCKET PID UID GID COMMANDS

Root's server PID has let user UID in to read.  Each attack runs as that user.
Behind it the server serves its owner, nothing of the owner's has changed, no
descriptor is lost, and memory has grown by GROW at most.  COMMANDS is a file
with the name of a command in each line.  Prints TAP.
"""
import os
import random
import resource
import select
import signal
import socket
import subprocess
import sys
import time
import traceback

import raw
from raw import (CONTROL, DATA, ERR, EXIT, INPUT, MODE, OPENED, OUT, REFUSED, ROAM,
                 ROAMED, SIGNAL, SSP, TUNNEL, VALUES, WELCOME, command, hello, message,
                 send)

RMUX, PATH, PID, UID, GID = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
GROW = 160 << 10  # KiB
SEED = int(os.environ.get('UNIT_SEED', '1'))
KEY_MS = 100     # half of the owner's keys are back by then
READY = os.path.join(os.path.dirname(PATH), 'open', 'ready')
PWNED = os.path.join(os.path.dirname(PATH), 'pwned')
failed = 0
count = 0


# --- the owner --------------------------------------------------------------------

def owner(*words, timeout=60):
    return subprocess.run([RMUX, '-S', PATH, *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=timeout).stdout


def state():
    """All that a reader must not change."""
    return owner(
        'display-message', '-p', '-t', 'own:0', '#{pid} #{socket_path}', ';',
        'list-sessions', '-F', '#{session_id} #{session_name} '
        '#{session_path} #{session_environ}', ';',
        'list-panes', '-a', '-F', '#{pane_id} #{window_name} #{window_layout} '
        '#{window_active} #{pane_active} #{pane_mode} #{pane_pid}', ';',
        'list-buffers', ';', 'list-keys', ';', 'show-options', '-g', ';',
        'show-options', '-s', ';', 'show-options', '-gw', ';',
        'show-hooks', '-g', ';', 'show-environment', '-g', ';',
        'server-access', '-l', ';', 'capture-pane', '-p', '-t', 'own:0')


def high_water():
    with open('/proc/%d/status' % PID) as f:
        for line in f:
            if line.startswith('VmHWM:'):
                return int(line.split()[1])
    return 1 << 40


def fds():
    return len(os.listdir('/proc/%d/fd' % PID))


class Keys:
    """Measures how long the owner waits for the echo of a key."""

    def __init__(self):
        import pty
        pid, self.fd = pty.fork()
        if pid == 0:
            os.execv(RMUX, [RMUX, '-S', PATH, 'attach', '-t', 'keys'])
        self.pid = pid
        seen, start = b'', time.monotonic()
        while b'0:cat' not in seen:
            if time.monotonic() > start + 20:
                raise OSError('the owner cannot attach')
            if select.select([self.fd], [], [], 1)[0]:
                seen += os.read(self.fd, 65536)
        self.attached = (time.monotonic() - start) * 1000

    def echo(self, key):
        """Milliseconds until KEY is back."""
        while select.select([self.fd], [], [], 0)[0]:
            os.read(self.fd, 65536)
        start = time.monotonic()
        os.write(self.fd, key)
        seen = b''
        while key not in seen and time.monotonic() < start + 20:
            if select.select([self.fd], [], [], 1)[0]:
                seen += os.read(self.fd, 65536)
        return (time.monotonic() - start) * 1000

    def wait(self, seconds):
        """Reads what comes for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.01)[0]:
                os.read(self.fd, 65536)

    def measure(self, n=40):
        """Returns the median and the longest of N keys, 30 ms apart."""
        got = []
        self.wait(0.5)
        for i in range(n):
            got.append(self.echo(b'%c' % (97 + i % 26)))
            self.wait(0.03)
        got.sort()
        return got[n // 2], got[-1]

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


# --- the frame of an attack ----------------------------------------------------------

def as_user(fn):
    """Starts FN as the user; its exit code is 0 unless FN returns something."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.alarm(100)
            os.setgroups([])
            os.setgid(GID)
            os.setuid(UID)
            note = fn()
            if note:
                print('# ' + note)
            code = 2 if note else 0
        except BaseException:
            for line in traceback.format_exc().splitlines():
                print('# ' + line)
        sys.stdout.flush()
        os._exit(code)
    return pid


def attack(name, fn, times=1, keys=False, spare=0):
    global failed, count
    count += 1
    was = state()
    before, open_before = high_water(), fds() + spare
    notes = []
    waited = None
    pids = [as_user(fn) for _ in range(times)]
    try:
        if keys:
            k = Keys()
            waited, longest = k.measure()
            if waited > KEY_MS:
                notes.append('the owner waits %d ms for a key' % waited)
            for pid in pids:
                os.kill(pid, signal.SIGTERM)
            k.close()
        for pid in pids:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if code not in (0, -signal.SIGTERM):
                notes.append('code %d' % code)
        end = time.monotonic() + 20
        while True:
            now = state()
            open_now = fds()
            if (now == was and open_now <= open_before) or \
                    time.monotonic() > end:
                break
            time.sleep(0.02)  # sleep-ok: a poll with a deadline
        if now != was:
            a, b = was.splitlines(), now.splitlines()
            notes += ['changed: %r' % x for x in b if x not in a][:5]
            notes += ['gone: %r' % x for x in a if x not in b][:5]
        if open_now > open_before:
            notes.append('%d descriptors, then %d' % (open_before, open_now))
        grown = high_water() - before
        if grown > LIMIT:
            notes.append('grew by %d KiB' % grown)
        if os.path.exists(PWNED):
            notes.append('a command ran')
    except (OSError, subprocess.TimeoutExpired) as e:
        notes.append('%s' % e)
    failed += bool(notes)
    print('%sok %d - %s' % ('not ' if notes else '', count, name))
    if waited is not None:
        print('# to attach: %.0f ms; a key: %.1f ms, the longest %.0f; '
              '%d KiB more' % (k.attached, waited, longest,
                               high_water() - before))
    for note in notes:
        print('# ' + note)
    sys.stdout.flush()


def connect(timeout=5):
    return raw.connect(PATH, timeout)


# --- attacks --------------------------------------------------------------------

def shapes(first):
    """Every type of message, with fields of every wrong kind."""
    rng = random.Random(SEED)
    for kind in range(0, 40):
        for _ in range(2):
            s = connect()
            send(s, first)
            for _ in range(3):
                fields = {0: kind}
                for field in rng.sample(range(1, 20), rng.randrange(1, 8)):
                    fields[field] = rng.choice(VALUES)
                if not send(s, message(fields)):
                    break
            s.close()


def lines():
    """Lines that would change something, if they ran."""
    with open(sys.argv[6]) as f:
        names = f.read().split()
    rest = [[], ['-t', 'own:0', 'x'], ['-a'], ['-g', '@x', '1'], ['-d', 'true'],
            ['-b', 'touch ' + PWNED], [PWNED], ['#(touch %s)' % PWNED, '-p'],
            ['-F', '#(touch %s)' % PWNED], ['-f', '#(touch %s)' % PWNED]]
    out = [[name] + r for name in names for r in rest]
    # Only the reader's own end may follow these.
    return [x for x in out if x[0] not in ('attach-session', 'list-clients')]


def answer(s):
    """Returns whether the server ended with an error, and what it said."""
    said, code = b'', None
    for m in raw.read_messages(s):
        if m.get(0) in (OUT, ERR):
            said += m.get(4, b'')
        elif m.get(0) in (EXIT, REFUSED):
            code = m.get(2)
            said += m.get(3, b'')
        elif m.get(0) != WELCOME:
            return None, b'message %d' % m.get(0)
    return code, said


def commands():
    for words in lines():
        s = connect(10)
        send(s, hello() + command(*words))
        code, said = answer(s)
        if code != 1 or b'own' in said.replace(b'own:0', b'').replace(
                b'unknown', b''):
            return '%r: %r %r' % (words, code, said[:200])
        s.close()


def roamed_commands():
    """The same as ROAM; then many in one connection, and behind attach."""
    every = lines()
    for words in every[::7]:
        s = connect(10)
        send(s, hello() + message({0: ROAM, 5: words}))
        code, said = answer(s)
        if code != 1:
            return '%r: %r %r' % (words, code, said[:200])
        s.close()
    s = connect(1)
    for words in every:
        if not send(s, hello() + command('list-clients', ';', *words)):
            break
    s.close()
    s = connect(1)
    send(s, hello() + command('attach-session'))
    for words in every:
        if not send(s, command(*words)):
            break
    for _ in raw.read_messages(s):
        pass
    s.close()


def quote(word):
    return "'" + word.replace("'", "'\\''") + "'"


def control_lines():
    """The same as lines of control mode."""
    s = connect(3)
    send(s, hello({10: CONTROL}.items()) + command('attach-session'))
    text = '\n'.join(' '.join(map(quote, x)) for x in lines()
                     if x[0] != 'detach-client') + '\n'
    text += '%%if #(touch %s)\nX=1 list-clients\nlist-clients $HOME\n' % PWNED
    pid = os.fork()
    if pid == 0:
        for _ in raw.read_messages(s):
            pass
        os._exit(0)
    data = text.encode()
    while data:
        if not send(s, message({0: INPUT, 4: data[:50000]})):
            break
        data = data[50000:]
    s.shutdown(socket.SHUT_WR)
    os.waitpid(pid, 0)
    s.close()


def sizes():
    """Terminals of all sizes, and of names that are none."""
    held = []
    for n, size in enumerate(((1, 1), (0, 0), (10000, 10000), (65535, 65535),
                              (65535, 1), (1, 65535))):
        s = connect()
        held.append(s)
        send(s, hello({12: [*size, 0, 0], 8: 'x\x1b]0;#(touch %s)\a' % PWNED,
                       9: '/dev/#(touch %s)' % PWNED, 7: '/' + 'x' * 60000,
                       6: ['RMUX_PANE=%0', 'TERM=#(touch %s)' % PWNED]}.items()) +
             command('attach-session', '-f', '!read-only,active-pane'))
    for _ in raw.read_messages(held[0]):
        pass
    for s in held:
        s.close()


def displays():
    """Attaches, and sends the nonsense of a display; then a second HELLO."""
    rng = random.Random(SEED)
    for n in range(20):
        s = connect()
        send(s, hello() + command('attach-session'))
        for _ in range(60):
            if not send(s, message({0: SSP, 4: rng.randbytes(
                    rng.choice((1, 20, 400, 65536)))})):
                break
            send(s, message({0: SIGNAL, 2: rng.randrange(-5, 100)}))
            send(s, message({0: INPUT, 4: b'kill-server\n'}))
        send(s, hello({10: CONTROL}.items()) + command('attach-session'))
        send(s, message({0: INPUT, 4: b'kill-server\n'}))
        s.close()


def others():
    """Asks for the connections of others, and sends into them."""
    for n in range(300):
        s = connect()
        send(s, hello() + message({0: ROAM, 1: n, 5: ['kill-server']}) +
             message({0: TUNNEL, 4: os.urandom(1200)}) +
             message({0: OPENED, 1: n, 2: 0}) +
             message({0: DATA, 1: n, 4: b'x' * 100}) +
             message({0: DATA, 1: n}))
        s.close()


def gets_in(data, answer_of, seconds):
    """Sends DATA in new connections until one has the answer."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        s = connect(5)
        send(s, data)
        got = any(m.get(0) == answer_of for m in first_messages(s))
        s.close()
        if got:
            return True
        time.sleep(0.02)  # sleep-ok: a poll with a deadline
    return False


def remote():
    """Attaches by datagrams as often as it may, and never uses the keys."""
    held = []
    for _ in range(200):
        s = connect(0.2)
        held.append(s)
        send(s, hello() + message({0: ROAM, 5: ['attach-session'], 8: 'xterm',
                                   9: 'x\x1b]0;x\a', 10: 2}))
        for _ in range(5):
            send(s, message({0: TUNNEL, 4: os.urandom(1200)}))
    for s in held:
        s.close()
    # The oldest of them gives way: the user attaches here and by datagrams.  The
    # server may not have seen yet that the others have gone.
    attach = hello({10: CONTROL}.items()) + command('attach-session')
    if not gets_in(attach, MODE, 30):
        return 'unused keys keep the user out'
    for n in range(80):
        if not gets_in(hello() + message({0: ROAM, 5: ['attach-session'],
                                          8: 'xterm'}), ROAMED, 30):
            return 'key %d: there is no place' % n


def first_messages(s):
    """What the server says until the connection is in control mode."""
    for m in raw.read_messages(s):
        yield m
        if m.get(0) in (MODE, ROAMED, EXIT, REFUSED):
            return


def deaf():
    """Control clients that never read: no program waits for them."""
    held = []
    for _ in range(8):
        s = connect(5)
        held.append(s)
        send(s, hello({10: CONTROL}.items()) + command('attach-session', '-t', 'own'))
        if not any(m.get(0) == MODE for m in first_messages(s)):
            return 'refused'
    end = time.monotonic() + 60
    open(READY, 'w').close()
    while os.path.exists(READY) and time.monotonic() < end:
        time.sleep(0.05)  # sleep-ok: a poll with a deadline
    for s in held:
        s.close()
    return None if time.monotonic() < end else 'the program waits'


def greedy():
    """Large messages, in as many connections as it may have."""
    held = []
    env = ['X%d=%s' % (n, 'y' * 500) for n in range(7000)]
    for _ in range(100):
        s = connect(0.2)
        held.append(s)
        send(s, hello({6: env}.items()))
        send(s, message({0: DATA, 1: 1, 4: b'z' * (1 << 20)}) * 2)
        send(s, (4 << 20).to_bytes(4, 'big') + b'\xdf' * (3 << 20))
    for s in held:
        s.close()


def rushing(data):
    """Sends DATA without end in as many connections as it may have."""
    held = []
    for _ in range(64):
        try:
            held.append(connect(0.2))
        except OSError:
            break
    for s in held:
        send(s, hello())
        s.setblocking(False)
    left = {s: b'' for s in held}
    while left:
        ready = select.select(list(left), list(left), [], 5)
        for s in ready[0]:
            try:
                if not s.recv(65536):
                    left.pop(s, None)
            except OSError:
                left.pop(s, None)
        for s in ready[1]:
            if s not in left:
                continue
            try:
                rest = left[s] or data
                left[s] = rest[s.send(rest):]
            except BlockingIOError:
                pass
            except OSError:
                left.pop(s, None)
    time.sleep(60)  # sleep-ok: until the parent ends it


def flood_asks(words, crowd=0):
    """The same question again and again, beside clients that it lists."""
    held = []
    for _ in range(crowd):
        s = connect(0.2)
        held.append(s)
        send(s, hello({10: CONTROL}.items()) + command('attach-session'))
    data = hello() + command(*words)
    while True:
        try:
            s = connect(20)
            s.sendall(data)
            while s.recv(1 << 20):
                pass
            s.close()
        except OSError:
            pass


def flood_commands():
    flood_asks(['list-clients'])


def flood_lists():
    flood_asks(['list-clients', ';'] * 4000, 20)


def flood_refused():
    flood_asks(['new-window', 'x' * 100000])


def flood_parse():
    flood_asks(['list-clients', ';'] * 4000 + ['no-such-command'])


def flood_hello():
    rushing(hello({6: ['A=' + 'b' * 50] * 1000}.items()))


def flood_connect():
    """Connects and leaves without end."""
    while True:
        try:
            s = connect(0.5)
            send(s, hello() + command('new-window'))
            s.close()
        except OSError:
            pass


def flood_control():
    """Lines of control mode without end."""
    held = []
    for _ in range(60):
        s = connect(0.2)
        held.append(s)
        send(s, hello({10: CONTROL}.items()) + command('attach-session'))
        s.setblocking(False)
    data = message({0: INPUT, 4: b'list-clients\n' * 3000})
    left = {s: b'' for s in held}
    while left:
        for s in list(left):
            try:
                s.recv(1 << 20)
            except BlockingIOError:
                pass
            except OSError:
                left.pop(s, None)
                continue
            try:
                rest = left[s] or data
                left[s] = rest[s.send(rest):]
            except BlockingIOError:
                pass
            except OSError:
                left.pop(s, None)
    time.sleep(60)  # sleep-ok: until the parent ends it


def main():
    global LIMIT
    with open(RMUX, 'rb') as f:
        LIMIT = GROW * (10 if b'__asan_init' in f.read() else 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    attack('messages of every type, before a greeting', lambda: shapes(b''))
    attack('messages of every type, behind a greeting', lambda: shapes(hello()))
    attack('messages of every type, attached',
           lambda: shapes(hello() + command('attach-session')))
    attack('every command, with words that would write', commands)
    attack('the same for datagrams, and many in one connection', roamed_commands)
    attack('the same as lines of control mode', control_lines)
    attack('terminals of all sizes, with names that run', sizes)
    attack('displays that send nonsense', displays)
    attack('connections and files of others', others)
    attack('control clients that read nothing of what a program writes', deaf)
    attack('large messages in many connections', greedy)
    attack('a flood of commands', flood_commands, 4, True)
    attack('a flood of refused commands', flood_refused, 4, True)
    attack('a flood of lists of commands that end in an error', flood_parse, 4, True)
    attack('a flood of long lists of commands', flood_lists, 3, True)
    attack('a flood of greetings', flood_hello, 1, True)
    attack('a flood of connections', flood_connect, 4, True)
    attack('a flood of lines of control mode', flood_control, 1, True)
    # Last: the port is kept for two minutes.
    attack('keys for datagrams that nobody uses', remote, 1, False, 3)
    print('1..%d' % count)
    return 1 if failed else 0


sys.exit(main())
