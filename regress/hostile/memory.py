"""Looks for keys in the memory of processes.

    memory.py learn DIR PID...         adds the keys in the locked memory of
                                       each PID to DIR/known
    memory.py add DIR KIND TEXT        adds a secret: ticket, spoken, key or word
    memory.py search DIR PID...        fails if a known key is outside of the
                                       locked memory of a PID
    memory.py gone DIR PID...          fails if a known key is anywhere
    memory.py locked PID...            prints how many keys a PID holds

The locked memory of rmux is what /proc/PID/smaps marks as left out of core
dumps (dd).  A key is 16 bytes there that look random.  The search reads all
other writable memory: heap, stack, data, buffers.
"""
import base64
import hashlib
import os
import re
import sys

PIECE = 16


def maps(pid):
    """Yields (from, to, name, locked) of each readable mapping."""
    with open('/proc/%d/smaps' % pid, encoding='utf-8') as f:
        text = f.read()
    for m in re.finditer(
            r'^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+ *(.*)\n'
            r'(?:[A-Z]\w*:.*\n)*?VmFlags:(.*)$', text, re.M):
        name = m.group(4)
        # Nobody can have written a key elsewhere.
        if m.group(3).startswith('rw') and not name.startswith('[v'):
            # glibc's generator of random numbers is wiped on fork (wf).
            yield (int(m.group(1), 16), int(m.group(2), 16), name,
                   ' dd' in m.group(5) and ' wf' not in m.group(5))


def chunks(pid):
    with open('/proc/%d/mem' % pid, 'rb', 0) as f:
        for start, end, name, locked in maps(pid):
            try:
                f.seek(start)
                yield start, name, locked, f.read(end - start)
            except (OSError, ValueError):
                pass


def random_looking(piece):
    return (len(set(piece)) >= 12 and sum(c >= 128 for c in piece) >= 3 and
            sum(c < 128 for c in piece) >= 2)


def keys_once(pid):
    """The pieces of keys in locked memory.  libsodium's canary, the first bytes
    of each such region, is no secret; it may begin with zeros."""
    found = set()
    for _, _, locked, data in chunks(pid):
        if not locked:
            continue
        first = next((i for i, c in enumerate(data) if c), len(data))
        first -= first % PIECE
        canary = data[first:first + PIECE]
        for i in range(0, len(data) - PIECE + 1, PIECE):
            piece = data[i:i + PIECE]
            if piece != canary and random_looking(piece):
                found.add(piece)
    return found


def keys_of(pid):
    """Those that stay: a running handshake also keeps public keys there."""
    return keys_once(pid) & keys_once(pid)


def known(where):
    path = os.path.join(where, 'known')
    if not os.path.exists(path):
        return {}
    with open(path, encoding='ascii') as f:
        return dict((bytes.fromhex(a), b) for a, b in
                    (line.split() for line in f))


def remember(where, pieces, what):
    have = known(where)
    with open(os.path.join(where, 'known'), 'a', encoding='ascii') as f:
        for piece in sorted(pieces - have.keys()):
            f.write('%s %s\n' % (piece.hex(), what))


def halves(secret):
    return {secret[:PIECE], secret[PIECE:2 * PIECE]}


def decode(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def add_spoken(where, text):
    """A ticket of words: doc/PROTOCOL.md, A.11."""
    words = text.split(' ')[1]
    sets = ('bdfghjklmnprstvz', 'aiou')
    s = 0
    for word in words.split('-')[:8]:
        for i, c in enumerate(word):
            s = s << (4, 2)[i % 2] | sets[i % 2].index(c)
    said = s.to_bytes(16, 'big')
    more = hashlib.blake2b(b'rmux spoken', digest_size=32, key=said).digest()
    remember(where, {words[i:i + PIECE].encode() for i in (0, 16, 30)},
             'spoken-text')
    remember(where, halves(said + more[:16]), 'spoken')
    with open(os.path.join(where, 'tickets'), 'a', encoding='ascii') as f:
        f.write((b'\1' + more[16:20] + said + more[:16]).hex() + '\n')


def add(where, kind, text):
    """A ticket or a key: its text and its bytes."""
    if kind == 'word':
        remember(where, {text.encode()}, 'word')
        return
    if kind == 'spoken':
        add_spoken(where, text)
        return
    raw = decode(text)
    secret = raw[5:37] if kind == 'ticket' else raw[:32]
    # The part of the text that holds the secret, without its ends.
    at = 8 if kind == 'ticket' else 0
    remember(where, {text[at + i:at + i + PIECE].encode()
                     for i in (0, 16, 24)}, kind + '-text')
    remember(where, halves(secret), kind)
    if kind == 'ticket':
        with open(os.path.join(where, 'tickets'), 'a', encoding='ascii') as f:
            f.write(raw[:37].hex() + '\n')


def add_joins(where, pids):
    """The psk of each connection of a ticket: finds the connection ids, which
    are public, by the ticket's tag in the heaps."""
    path = os.path.join(where, 'tickets')
    if not os.path.exists(path):
        return
    with open(path, encoding='ascii') as f:
        tickets = [bytes.fromhex(line) for line in f]
    for t in tickets:
        # The server takes the tag as it lies in memory.
        for tag in (t[1:5], t[4:0:-1]):
            for pid in pids:
                for _, name, locked, data in chunks(pid):
                    if locked or name not in ('[heap]', '[stack]', ''):
                        continue
                    for m in re.finditer(re.escape(tag), data):
                        low = data[m.start() - 4:m.start()]
                        if len(low) < 4 or m.start() % 4:
                            continue
                        cid = t[1:5] + low[::-1]
                        psk = hashlib.blake2b(
                            b'rmux join', digest_size=32,
                            key=t[5:37] + cid).digest()
                        mac = hashlib.blake2b(b'rmux mac', digest_size=32,
                                              key=psk).digest()
                        remember(where, halves(psk), 'join-psk')
                        remember(where, halves(mac), 'join-mac')


def search(where, pids, everywhere):
    add_joins(where, pids)
    bad = 0
    pieces = known(where)
    for pid in pids:
        for start, name, locked, data in chunks(pid):
            if locked and not everywhere:
                continue
            for piece, what in pieces.items():
                at = data.find(piece)
                if at >= 0:
                    print('process %d: %s at %x, %s' % (
                        pid, what, start + at,
                        'locked' if locked else name or 'anonymous'))
                    bad = 1
    return bad


def main(args):
    what = args[0]
    if what == 'locked':
        print(' '.join(str(len(keys_of(int(p)))) for p in args[1:]))
        return 0
    where = args[1]
    if what == 'add':
        add(where, args[2], args[3])
        return 0
    pids = [int(p) for p in args[2:]]
    if what == 'learn':
        for pid in pids:
            remember(where, keys_of(pid), 'locked')
        return 0
    return search(where, pids, what == 'gone')


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
