"""The bytes of the control socket, written by hand.

For the programs of this folder that harm a server through its Unix socket
(mux/sync/control.h).  Values are packed as msgpack; a Raw is packed as its own
bytes, so that a message may be wrong in any way.
"""
import socket
import struct

HELLO, COMMAND, DATA, OPENED, SSP, SIGNAL, ROAM, TUNNEL, INPUT = range(1, 10)
WELCOME, REFUSED, OUT, ERR, OPEN, CLOSE, EXIT, ATTACH = range(16, 24)
ROAMED, MODE = 28, 29
CONTROL = 4  # the flag of -C in HELLO


class Raw:
    """Bytes that stand for a value."""

    def __init__(self, raw):
        self.raw = raw


def pack(v):
    if v is None:
        return b'\xc0'
    if isinstance(v, bool):
        return b'\xc3' if v else b'\xc2'
    if isinstance(v, int):
        if 0 <= v < 128:
            return bytes([v])
        return b'\xcf' + struct.pack('>Q', v) if v >= 0 else \
            b'\xd3' + struct.pack('>q', v)
    if isinstance(v, str):
        b = v.encode()
        return b'\xdb' + struct.pack('>I', len(b)) + b
    if isinstance(v, bytes):
        return b'\xc6' + struct.pack('>I', len(v)) + v
    if isinstance(v, list):
        return b'\xdd' + struct.pack('>I', len(v)) + b''.join(map(pack, v))
    if isinstance(v, dict):
        return b'\xdf' + struct.pack('>I', len(v)) + b''.join(
            pack(k) + pack(x) for k, x in v.items())
    return v.raw


def message(fields):
    body = fields if isinstance(fields, bytes) else pack(fields)
    return struct.pack('>I', len(body)) + body


def hello(more=()):
    fields = {0: HELLO, 11: [1, 1], 6: ['A=b'], 7: '/', 8: 'xterm', 9: '',
              10: 3, 12: [80, 24, 0, 0], 13: '1'}
    fields.update(more)
    return message(fields)


def command(*words):
    return message({0: COMMAND, 5: list(words)})


VALUES = [None, True, -1, 0, 2**32, 2**63, 'x' * 70000, '\x1b]0;x\a\n', b'\0' * 70000,
          [], [[]] * 9000, ['a'] * 9000, {}, {1: 1}, [2**40] * 4, [0, 0], [9, 9],
          Raw(b'\xdd\xff\xff\xff\xff'), Raw(b'\xdb\xff\xff\xff\xff'),
          Raw(b'\x91' * 100000), Raw(b'\xc1'), Raw(b'\xd9'), Raw(b'\x81' * 5000)]


def connect(path, timeout=5):
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    s.settimeout(timeout)
    return s


def send(s, data):
    """Sends what the server takes; false once it has hung up."""
    try:
        s.sendall(data)
        return True
    except OSError:
        return False


# --- what the server says ---------------------------------------------------------

def unpack(b, at=0):
    """Returns the value at AT and where the next one begins."""
    t = b[at]
    at += 1
    if t < 0x80:
        return t, at
    if t >= 0xe0:
        return t - 256, at
    if t < 0x90:
        return pairs(b, at, t & 15)
    if t < 0xa0:
        return items(b, at, t & 15)
    if t < 0xc0:
        return b[at:at + (t & 31)], at + (t & 31)
    if t < 0xc4:
        return (None, None, False, True)[t & 3], at
    if t in SIZED:
        kind, form = SIZED[t]
        n = struct.unpack_from(form, b, at)[0]
        at += struct.calcsize(form)
        if kind == 'number':
            return n, at
        if kind == 'bytes':
            return b[at:at + n], at + n
        return (items if kind == 'items' else pairs)(b, at, n)
    raise ValueError('msgpack 0x%02x' % t)


SIZED = {0xc4: ('bytes', '>B'), 0xc5: ('bytes', '>H'), 0xc6: ('bytes', '>I'),
         0xcc: ('number', '>B'), 0xcd: ('number', '>H'), 0xce: ('number', '>I'),
         0xcf: ('number', '>Q'), 0xd0: ('number', '>b'), 0xd1: ('number', '>h'),
         0xd2: ('number', '>i'), 0xd3: ('number', '>q'), 0xd9: ('bytes', '>B'),
         0xda: ('bytes', '>H'), 0xdb: ('bytes', '>I'), 0xdc: ('items', '>H'),
         0xdd: ('items', '>I'), 0xde: ('pairs', '>H'), 0xdf: ('pairs', '>I')}


def items(b, at, n):
    out = []
    for _ in range(n):
        v, at = unpack(b, at)
        out.append(v)
    return out, at


def pairs(b, at, n):
    out = {}
    for _ in range(n):
        k, at = unpack(b, at)
        out[k], at = unpack(b, at)
    return out, at


def read_messages(s):
    """Yields messages until the server hangs up or the time is over."""
    held = b''
    while True:
        try:
            part = s.recv(65536)
        except OSError:
            return
        if not part:
            return
        held += part
        while len(held) >= 4:
            n = struct.unpack_from('>I', held)[0]
            if len(held) < 4 + n:
                break
            yield unpack(held[4:4 + n])[0]
            held = held[4 + n:]
