"""ssp - libssp for Python, by cffi without a compiler (ABI mode).

A value is any object that is never changed in place, such as a dict that a program
replaces. Derive from Object to say how two values differ. Connection and Socket are
struct ssp and struct ssp_udp of ssp(3), whose functions `lib` has. The environment
variable SSP_LIBRARY may name another file of the library. table.py uses all this.
"""
import os
import re
import subprocess

import cffi

OPENING, UP, CLOSING, ENDED = range(4)
EVENTS = (None, 'up', 'remote', 'stream', 'silent', 'heard', 'route', 'new socket',
          'route gone', 'closed', 'aborted', 'failed')


def declarations():
    """ssp.h in the form that cffi reads: without the preprocessor's lines."""
    where = subprocess.run(['pkg-config', '--variable=includedir', 'ssp'],
                           check=True, capture_output=True, text=True)
    with open(where.stdout.strip() + '/ssp.h', encoding='utf-8') as f:
        text = f.read()
    for name, number in re.findall(r'^# *define (SSP_\w+) +(\d+)\b', text, re.M):
        text = re.sub(r'\b%s\b' % name, number, text)
    text = re.sub(r'^(#.*|extern "C" \{|\}$)', '', text, flags=re.M)
    return text.replace('SSP_API', '')


ffi = cffi.FFI()
ffi.cdef(declarations())
lib = ffi.dlopen(os.environ.get('SSP_LIBRARY', 'libssp.so.1'))


def check(number):
    """Raises an error of the library."""
    if number < 0:
        raise OSError(ffi.string(lib.ssp_strerror(number)).decode())
    return number


class Cell:
    """What a void * of the library stands for; `kept` keeps it alive."""
    kept = {}

    def __init__(self, value):
        self.value, self.handle = value, ffi.new_handle(self)
        Cell.kept[self.handle] = self


def value(handle):
    return ffi.from_handle(handle).value


class Object:
    """How values of a kind differ: derive and define diff(a, b), which returns
    bytes, and apply(a, bytes), which returns b or raises ValueError."""

    def __init__(self):
        def put(out, data):
            return lib.ssp_put(out, data, len(data))

        def change(cell, p, n):
            held = ffi.from_handle(cell)
            held.value = self.apply(held.value, ffi.buffer(p, n)[:] if n else b'')
            return 0

        two = '(const void *, const void *'
        self.calls = {
            'clone': ffi.callback('void *(const void *)', lambda v: Cell(value(v)).handle),
            'free': ffi.callback('void(void *)', lambda v: Cell.kept.pop(v) and None),
            'equal': ffi.callback('bool%s)' % two, lambda a, b: value(a) == value(b)),
            'diff': ffi.callback('int%s, struct ssp_out *)' % two, lambda a, b, out: put(
                out, self.diff(value(a), value(b))), error=-6),
            # What the peer sent and apply refuses counts as lost.
            'apply': ffi.callback('int(void *, const uint8_t *, size_t)', change,
                                  error=-1, onerror=lambda *_: None)}
        self.table = ffi.new('struct ssp_object *', {
            'size': ffi.sizeof('struct ssp_object'), **self.calls})


class Connection:
    def __init__(self, secret, kind, start, server=False, id=0, name=b''):
        config, out = ffi.new('struct ssp_config *'), ffi.new('struct ssp **')
        lib.ssp_config_init(config, ffi.sizeof('struct ssp_config'))
        keep = ffi.new('uint8_t[]', secret), ffi.new('char[]', name)
        config.server, config.id, config.secret = server, id, keep[0]
        config.name, config.name_size = keep[1], len(name)
        config.local_object = config.remote_object = kind.table
        config.local, config.remote = Cell(start).handle, Cell(start).handle
        check(lib.ssp_new(out, config, lib.ssp_udp_now()))
        self.s, self.kind = out[0], kind

    state = property(lambda self: lib.ssp_state(self.s))
    remote = property(lambda self: value(lib.ssp_remote(self.s, ffi.NULL)))
    local = property(lambda self: value(lib.ssp_local(self.s)))

    @local.setter
    def local(self, new):
        ffi.from_handle(lib.ssp_local(self.s)).value = new
        lib.ssp_changed(self.s, lib.ssp_udp_now())

    def events(self):
        event = ffi.new('struct ssp_event *')
        while lib.ssp_event(self.s, event):
            yield EVENTS[event.type], event.number

    def close(self):
        lib.ssp_close(self.s, lib.ssp_udp_now())

    def free(self):
        lib.ssp_free(self.s)


class Socket:
    """A client's socket for CONNECTION, or a server's, for whose connections
    accept(id) makes the ends."""

    def __init__(self, address, port, connection=None, secret=b'', name=b'', accept=None):
        out, host = ffi.new('struct ssp_udp **'), address.encode()
        check(lib.ssp_udp_connect(out, connection.s, host, port) if connection
              else lib.ssp_udp_serve(out, host, port))
        self.u = out[0]
        self.begin = ffi.callback('struct ssp *(void *, uint64_t)', lambda _, n: accept(n).s)
        if accept:
            check(lib.ssp_udp_accept(self.u, secret, name, len(name), self.begin, ffi.NULL))

    port = property(lambda self: lib.ssp_udp_port(self.u))

    def step(self, ms=-1):
        check(lib.ssp_udp_step(self.u, ms))

    def free(self):
        lib.ssp_udp_free(self.u)
