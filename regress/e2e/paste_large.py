#!/usr/bin/env python3
"""A terminal that pastes: paste_large.py OPTIONS -- COMMAND...

Runs COMMAND in a terminal of its own, waits until the screen has READY, pastes
SIZE bytes within the marks of bracketed paste, types KEYS behind them, and goes
on until the file DONE exists, it has seen SAY, or the time is over.  Prints what it saw:

	sent BYTES	taken from this terminal
	peak KIB	the most memory that one process of COMMAND had
	took SECONDS	from the first byte to the end
	said TEXT	each new message of the client about the paste
"""
import argparse
import base64
import fcntl
import hashlib
import os
import pty
import random
import re
import select
import signal
import struct
import sys
import termios
import time


def blocks(size, mixed=False):
    """The pasted text: numbered lines of 64 bytes; MIXED: of random letters."""
    line, left, rng = 0, size, random.Random(size)
    while left > 0:
        if mixed:
            text = base64.b64encode(rng.randbytes(46500))
            chunk = b"".join(text[i:i + 62] + b"\r\n" for i in range(0, len(text), 62))
        else:
            chunk = b"".join(b"%062d\r\n" % (line + i) for i in range(1024))
        line += 1024
        yield chunk[:left]
        left -= len(chunk)


def pasted(size):
    """The SHA-256 of what a program reads of a paste of SIZE random letters."""
    h = hashlib.sha256(b"\033[200~")
    for chunk in blocks(size, True):
        h.update(chunk)
    h.update(b"\033[201~")
    return h.hexdigest()


def memory(pid):
    """The peak of PID or of a process below it, whichever had more."""
    peak = 0
    try:
        with open("/proc/%d/status" % pid, encoding="ascii") as f:
            for text in f:
                if text.startswith("VmHWM:"):
                    peak = int(text.split()[1])
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as f:
            below = [int(c) for c in f.read().split()]
    except OSError:
        return peak
    return max([peak] + [memory(c) for c in below])


class Terminal:
    def __init__(self, command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm-256color"
            os.execvp(command[0], command)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, 80, 0, 0))
        os.set_blocking(self.fd, False)
        self.text, self.said, self.peak = b"", [], 0
        self.out, self.source, self.sent = b"", iter(()), 0

    def read(self):
        try:
            got = os.read(self.fd, 65536)
        except OSError:
            return False
        # The answer of a terminal that knows nothing, after all questions.
        if b"\033[c" in got:
            self.out = b"\033[?62;22c" + self.out
        self.text = (self.text + got)[-65536:]
        return bool(got)

    def look(self):
        """Notes new messages of the client."""
        plain = re.sub(rb"\033\[[0-9;?:]*[ -/]*[@-~]", b"", self.text)
        for words in (rb"pasting: [^,]*, Escape stops",
                      rb"the paste was stopped after [0-9.]+ MB",
                      rb"the pane's program has ended"):
            for hit in re.findall(words, plain):
                hit = re.sub(rb"[0-9.]+", b"N", hit).decode()
                if hit not in self.said:
                    self.said.append(hit)

    def turn(self, wait):
        """One step; returns whether all has been written."""
        if not self.out:
            self.out = next(self.source, b"")
        r, w, _ = select.select([self.fd], [self.fd] if self.out else [], [],
                                wait)
        if r and not self.read():
            return None
        if w:
            try:
                n = os.write(self.fd, self.out[:65536])
            except BlockingIOError:
                n = 0
            self.sent += n
            self.out = self.out[n:]
        return not self.out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-s", "--size", type=int, required=True)
    p.add_argument("-m", "--mixed", action="store_true", help="of random letters")
    p.add_argument("-k", "--keys", default="")
    p.add_argument("--then", default="", help="typed once it has stopped")
    p.add_argument("-r", "--ready", default="ready")
    p.add_argument("-d", "--done", required=True)
    p.add_argument("-t", "--time", type=float, default=120)
    p.add_argument("--say", default="", help="until it has said that")
    p.add_argument("command", nargs="+")
    a = p.parse_args()
    end = time.monotonic() + a.time
    t = Terminal(a.command)
    while a.ready.encode() not in t.text and time.monotonic() < end:
        if t.turn(1) is None:
            break
    t.sent = 0
    begun = time.monotonic()

    def text():
        yield b"\033[200~"
        yield from blocks(a.size, a.mixed)
        yield b"\033[201~"
        yield a.keys.encode().decode("unicode_escape").encode("latin1")
        # What follows Escape at once would be a key with Meta.
        while a.then and not any("was stopped" in s for s in t.said):
            yield b""
        yield a.then.encode()

    t.source = text()
    looked = 0
    while time.monotonic() < end:
        if t.turn(0.2) is None:
            break
        if time.monotonic() > looked + 0.1:
            looked = time.monotonic()
            t.look()
            t.peak = max(t.peak, memory(t.pid))
            if a.say in t.said if a.say else os.path.exists(a.done):
                break
    t.look()
    t.peak = max(t.peak, memory(t.pid))
    print("sent", t.sent)
    print("peak", t.peak)
    print("took %.1f" % (time.monotonic() - begun))
    for text in t.said:
        print("said", text)
    os.kill(t.pid, signal.SIGHUP)
    os.waitpid(t.pid, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
