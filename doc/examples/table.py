"""table - a program in Python that sends a table of numbers over UDP, by ssp.py.

    SSP_SECRET=$(python3 table.py secret); export SSP_SECRET
    python3 table.py collect 127.0.0.1 PORT       prints the table that it got
    python3 table.py send 127.0.0.1 PORT UPDATES  changes it so often, then ends
"""
import json
import os
import sys

import ssp


class Table(ssp.Object):
    """A dict of strings and numbers: a difference has the entries that changed."""

    def diff(self, a, b):
        new = {k: v for k, v in b.items() if a.get(k) != v}
        return json.dumps(new, sort_keys=True).encode() if new else b''

    def apply(self, old, data):
        new = json.loads(data) if data else {}
        if not all(isinstance(v, int) for v in new.values()):
            raise ValueError('not a table of numbers')
        return {**old, **new}


def collect(secret, address, port):
    ends = []

    def accept(number):
        ends.append(ssp.Connection(secret, Table(), {}, server=True, id=number))
        return ends[-1]

    socket = ssp.Socket(address, port, secret=secret, accept=accept)
    print('port', socket.port, flush=True)
    closed = False
    while not closed or ends:
        socket.step(1000)
        for end in list(ends):
            for what, _ in end.events():
                if what == 'closed':
                    print(json.dumps(end.remote, sort_keys=True))
                    closed = True
            if end.state == ssp.ENDED:
                end.free()
                ends.remove(end)
    socket.free()


def send(secret, address, port, updates):
    number = ssp.ffi.new('uint64_t *')
    ssp.check(ssp.lib.ssp_id_new(number))
    end = ssp.Connection(secret, Table(), {}, id=number[0])
    socket, turn = ssp.Socket(address, port, connection=end), 0
    while end.state != ssp.ENDED:
        if turn < updates:
            end.local = {**end.local, 'sensor %d' % (turn % 20): turn}
            turn += 1
        elif end.state == ssp.UP:
            end.close()
        socket.step(1)
        for what, _ in end.events():
            if what == 'silent':
                print('no answer', file=sys.stderr)
    socket.free()
    end.free()


def main(what, *args):
    secret = ssp.ffi.new('uint8_t[]', 32)
    if what == 'secret':
        text = ssp.ffi.new('char[]', 49)
        ssp.check(ssp.lib.ssp_secret_new(secret))
        ssp.lib.ssp_secret_format(secret, text)
        print(ssp.ffi.string(text).decode())
        return
    ssp.check(ssp.lib.ssp_secret_parse(os.environ['SSP_SECRET'].encode(), secret))
    {'collect': collect, 'send': send}[what](
        bytes(secret), args[0], *(int(a) for a in args[1:]))


if __name__ == '__main__':
    main(*sys.argv[1:])
