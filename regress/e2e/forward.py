#!/usr/bin/env python3
"""Programs for forward.sh.

    forward.py serve PATH|0 FILE      listens; writes its port (or path) to FILE;
                                      answers each connection with what it sends,
                                      and with "size sha256" after its end
    forward.py send PLACE BYTES [SOCKS HOST:PORT]
                                      sends BYTES to PLACE (port or path), and
                                      checks all of the answer; through SOCKS 4a, 5
                                      or 6 (5 with an address in IPv6)
"""
import hashlib
import os
import random
import socket
import struct
import sys
import threading


def answer(c):
    total, digest = 0, hashlib.sha256()
    with c:
        while True:
            try:
                b = c.recv(65536)
            except OSError:
                return
            if not b:
                break
            total += len(b)
            digest.update(b)
            c.sendall(b)
        c.sendall(('%d %s' % (total, digest.hexdigest())).encode())
        c.shutdown(socket.SHUT_WR)


def serve(place, told):
    if place == '0':
        s = socket.socket(socket.AF_INET6)
        s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        s.bind(('::', 0))
        place = str(s.getsockname()[1])
    else:
        s = socket.socket(socket.AF_UNIX)
        s.bind(place)
    s.listen(128)
    with open(told + '.new', 'w', encoding='ascii') as f:
        f.write(place + '\n')
    os.rename(told + '.new', told)
    while True:
        threading.Thread(target=answer, args=(s.accept()[0],),
                         daemon=True).start()


def exactly(s, n):
    b = b''
    while len(b) < n:
        got = s.recv(n - len(b))
        if not got:
            raise OSError('closed')
        b += got
    return b


def socks(s, version, place):
    host, port = place.rsplit(':', 1)
    if version == '4a':
        s.sendall(struct.pack('>BBH', 4, 1, int(port)) + b'\0\0\0\1me\0' +
                  host.encode() + b'\0')
        if exactly(s, 8)[1] != 90:
            raise OSError('socks 4a refused')
        return
    s.sendall(b'\5\2\2\0')
    if exactly(s, 2) != b'\5\0':
        raise OSError('socks 5: no method')
    name = b'\4' + socket.inet_pton(socket.AF_INET6, host) \
        if version == '6' else b'\3' + bytes([len(host)]) + host.encode()
    s.sendall(b'\5\1\0' + name + struct.pack('>H', int(port)))
    if exactly(s, 10)[1] != 0:
        raise OSError('socks 5 refused')


def send(place, size, version=None, to=None):
    if place.isdigit():
        s = socket.create_connection(('127.0.0.1', int(place)), 30)
    else:
        s = socket.socket(socket.AF_UNIX)
        s.connect(place)
    s.settimeout(120)
    if version:
        socks(s, version, to)
    data = random.Random(size).randbytes(size)

    def put():
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass
    writer = threading.Thread(target=put, daemon=True)
    writer.start()
    got = b''.join(iter(lambda: s.recv(65536), b''))
    writer.join(10)
    want = data + ('%d %s' % (
        size, hashlib.sha256(data).hexdigest())).encode()
    if got != want:
        print('%d bytes of %d' % (len(got), len(want)))
        return 1
    print('whole')
    return 0


def main():
    if sys.argv[1] == 'serve':
        serve(sys.argv[2], sys.argv[3])
    try:
        return send(sys.argv[2], int(sys.argv[3]), *sys.argv[4:6])
    except OSError as e:
        print('failed: %s' % e)
        return 1


if __name__ == '__main__':
    sys.exit(main())
