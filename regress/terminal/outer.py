#!/usr/bin/env python3
"""A terminal that answers, for the tests of what reaches the user's terminal.

usage: outer.py [-p PROFILE] [-s COLSxROWS[xWIDTHxHEIGHT]] FOLDER COMMAND...

Runs COMMAND on a tty of its own and is its terminal: it draws what COMMAND
writes, and answers queries as PROFILE, a row of terminals.list, says.  FOLDER
gets the files
  bytes    what COMMAND wrote, as it was
  screen   the rows as text, written anew after each change
  state    modes and answers: lines "name value", written anew after each change
  bad      sequences that this terminal does not have: "row: sequence"
and FOLDER/in is a fifo that takes lines:
  type TEXT     types TEXT (with \\xNN, \\e, \\r ... as in Python)
  size C R W H  resizes the tty; W and H are the pixels of a cell
  dark, light   changes its theme and tells so where mode 2031 is on
  end           closes the tty
It ends when COMMAND does.

The profile's columns are in terminals.list.  Everything is bounded by what the
test makes COMMAND write.
"""
import codecs
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))


class Profile:
    """A row of terminals.list."""

    def __init__(self, row):
        cols = row.rstrip("\n").split("\t")
        (self.name, self.term, self.colorterm, self.da1, self.da2, self.version,
         modes, self.has) = (c.strip() for c in cols[:8])
        self.modes = {int(m) for m in modes.split(",") if m.isdigit()}
        self.has = set(self.has.split(","))


def profiles():
    with open(os.path.join(HERE, "terminals.list"), encoding="utf-8") as f:
        return [Profile(l) for l in f if l.strip() and not l.startswith("#")]


# The colours of the two themes: 0 to 15, foreground, background, cursor.
def colour(n, light):
    if n < 16:
        return ((n * 16 + 5) % 256, (n * 7 + 3) % 256, (n * 3 + (128 if light else 0)) % 256)
    return {"fg": (0x20, 0x21, 0x22), "bg": (0xfa, 0xfb, 0xfc), "cursor": (0x80, 0, 0)}[
        {16: "fg", 17: "bg", 18: "cursor"}[n]] if light else {
        "fg": (0xd0, 0xd1, 0xd2), "bg": (0x10, 0x11, 0x12), "cursor": (0, 0x80, 0)}[
        {16: "fg", 17: "bg", 18: "cursor"}[n]]


def rgb(c):
    return "rgb:" + "/".join("%02x%02x" % (v, v) for v in c)


def width(ch):
    if unicodedata.combining(ch) or unicodedata.category(ch) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1


class Screen:
    """Rows of text; enough of a terminal for what the painter writes."""

    def __init__(self, cols, rows):
        self.cols, self.rows = cols, rows
        self.saved = None
        self.kept = (0, 0)
        self.clear()

    def clear(self):
        self.cell = [[" "] * self.cols for _ in range(self.rows)]
        self.x = self.y = 0
        self.wrap = False
        self.top, self.bottom = 0, self.rows - 1

    def resize(self, cols, rows):
        self.cols, self.rows = cols, rows
        self.clear()

    def text(self):
        return "".join("".join(r).rstrip() + "\n" for r in self.cell)

    def scroll(self, n, top=None):
        top = self.top if top is None else top
        for _ in range(min(abs(n), self.rows)):
            if n > 0:
                del self.cell[top]
                self.cell.insert(self.bottom, [" "] * self.cols)
            else:
                del self.cell[self.bottom]
                self.cell.insert(top, [" "] * self.cols)

    def newline(self):
        if self.y == self.bottom:
            self.scroll(1)
        elif self.y < self.rows - 1:
            self.y += 1

    def put(self, ch):
        w = width(ch)
        if w == 0:
            x = max(self.x - (0 if self.wrap else 1), 0)
            if self.cell[self.y][x] == "":
                x -= 1
            self.cell[self.y][x] += ch
            return
        if self.wrap or self.x + w > self.cols:
            self.x = 0
            self.newline()
        self.wrap = False
        row = self.cell[self.y]
        row[self.x] = ch
        if w == 2:
            row[self.x + 1] = ""
        self.x += w
        if self.x >= self.cols:
            self.x, self.wrap = self.cols - 1, True

    def c0(self, b):
        if b == 10:
            self.newline()
        elif b == 13:
            self.x = 0
        elif b == 8:
            self.x = max(self.x - 1, 0)
        elif b == 9:
            self.x = min(self.x // 8 * 8 + 8, self.cols - 1)
        self.wrap = False

    def csi(self, p, final):
        n = p[0] if p and p[0] else 1
        self.wrap = self.wrap and final in "mhlqtn"
        if final in "Hf":
            self.y = min(n, self.rows) - 1
            self.x = min(p[1] if len(p) > 1 and p[1] else 1, self.cols) - 1
        elif final == "A":
            self.y = max(self.y - n, 0)
        elif final == "B":
            self.y = min(self.y + n, self.rows - 1)
        elif final == "C":
            self.x = min(self.x + n, self.cols - 1)
        elif final == "D":
            self.x = max(self.x - n, 0)
        elif final == "G":
            self.x = min(n, self.cols) - 1
        elif final == "d":
            self.y = min(n, self.rows) - 1
        elif final == "J":
            self.erase(p[0] if p else 0)
        elif final == "K":
            k = p[0] if p else 0
            a, b = {0: (self.x, self.cols), 1: (0, self.x + 1), 2: (0, self.cols)}[k]
            self.cell[self.y][a:b] = [" "] * (b - a)
        elif final == "X":
            b = min(self.x + n, self.cols)
            self.cell[self.y][self.x:b] = [" "] * (b - self.x)
        elif final == "@":
            row = self.cell[self.y]
            row[self.x:] = ([" "] * n + row[self.x:])[:self.cols - self.x]
        elif final == "P":
            row = self.cell[self.y]
            row[self.x:] = (row[self.x + n:] + [" "] * n)[:self.cols - self.x]
        elif final == "L" and self.top <= self.y <= self.bottom:
            self.scroll(-n, self.y)
        elif final == "M" and self.top <= self.y <= self.bottom:
            self.scroll(n, self.y)
        elif final == "S":
            self.scroll(n)
        elif final == "T":
            self.scroll(-n)
        elif final == "b" and self.x > 0:
            ch = self.cell[self.y][self.x - 1]
            for _ in range(n):
                self.put(ch)
        elif final == "r":
            self.top = n - 1
            self.bottom = min(p[1] if len(p) > 1 and p[1] else self.rows, self.rows) - 1
            self.x = self.y = 0

    def erase(self, k):
        for y in range(self.rows):
            if k == 2 or (k == 0 and y > self.y) or (k == 1 and y < self.y):
                self.cell[y] = [" "] * self.cols
        if k != 2:
            self.csi([k], "K")


TOKEN = re.compile(
    rb"\x1b\[([<=>?]?)([\d;:]*)([ -/]*)([@-~])"  # 1 to 4: CSI
    rb"|\x1b\](\d*);?((?:[^\x07\x1b])*)(?:\x07|\x1b\\)"  # 5, 6: OSC
    rb"|\x1b[P_^X]((?:[^\x1b])*)\x1b\\"  # 7: other strings
    rb"|\x1b([ -/]*)([0-~])"  # 8, 9: ESC
    rb"|([\x00-\x1a\x1c-\x1f\x7f])"  # 10: C0
    rb"|((?:[\x20-\x7e]|[\x80-\xff])+)")  # 11: text


class Outer:
    def __init__(self, profile, size, folder):
        self.p = profile
        self.size = size
        self.folder = folder
        self.screen = Screen(size[0], size[1])
        self.on = set()
        self.kitty = [0]
        self.other = 0
        self.title = ""
        self.light = False
        self.alternate = False
        self.old = b""
        self.bells = 0
        self.bad = []
        self.strings = []
        self.utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    def has(self, what):
        return what in self.p.has

    def wrong(self, token):
        self.bad.append("%s" % token.decode("latin-1").replace("\x1b", "ESC"))

    # --- what the command writes -------------------------------------------------

    def feed(self, data):
        """Draws DATA; returns the answers."""
        out = []
        data = self.old + data
        at = 0
        while at < len(data):
            m = TOKEN.match(data, at)
            if m is None or (m.end() == len(data) and m.group(0)[:1] == b"\x1b" and m.group(9)
                             and m.group(9) in b"[]P_^X"):
                break
            if m.group(9) and m.group(9) in b"[]P_^X":
                break
            self.token(m, out)
            at = m.end()
        self.old = data[at:]
        return b"".join(out)

    def token(self, m, out):
        if m.group(11) is not None:
            for ch in self.utf8.decode(m.group(11)):
                self.screen.put(ch)
        elif m.group(10) is not None:
            b = m.group(10)[0]
            if b == 7:
                self.bells += 1
            self.screen.c0(b)
        elif m.group(4) is not None:
            self.csi(m, out)
        elif m.group(5) is not None:
            self.osc(m, out)
        elif m.group(7) is not None:
            if not self.has("strings"):
                self.wrong(m.group(0))
        elif m.group(9) == b"7":
            self.screen.kept = (self.screen.x, self.screen.y)
        elif m.group(9) == b"8" and not m.group(8):
            self.screen.x, self.screen.y = self.screen.kept
        elif m.group(9) == b"M":
            if self.screen.y == self.screen.top:
                self.screen.scroll(-1)
            else:
                self.screen.y = max(self.screen.y - 1, 0)

    def csi(self, m, out):
        private, inter, final = m.group(1).decode(), m.group(3).decode(), m.group(4).decode()
        p = [int(v) if v.isdigit() else 0 for v in re.split(rb"[;:]", m.group(2))] if m.group(2) else []
        key = private + inter + final
        n = p[0] if p else 0
        if key == "c":
            self.answer(out, self.p.da1, "\x1b[%sc")
        elif key == ">c":
            self.answer(out, self.p.da2, "\x1b[>%sc")
        elif key == ">q":
            self.answer(out, self.p.version, "\x1bP>|%s\x1b\\")
        elif key == "?$p":
            if self.has("decrqm"):
                v = (1 if n in self.on else 2) if n in self.p.modes else 0
                out.append(b"\x1b[?%d;%d$y" % (n, v))
        elif key == "?u":
            if self.has("kitty"):
                out.append(b"\x1b[?%du" % self.kitty[-1])
        elif key == "n":
            if n == 5:
                out.append(b"\x1b[0n")
            elif n == 6:
                out.append(b"\x1b[%d;%dR" % (self.screen.y + 1, self.screen.x + 1))
        elif key == "?n" and n == 996 and 2031 in self.p.modes:
            out.append(self.theme())
        elif key == "t":
            self.window(n, out)
        elif key in ("?h", "?l"):
            for mode in p:
                self.mode(mode, final == "h", m.group(0))
        elif key == ">u":
            self.kitty_is(m, lambda: self.kitty.append(n))
        elif key == "<u":
            self.kitty_is(m, lambda: self.kitty.__setitem__(
                slice(max(len(self.kitty) - max(n, 1), 1), None), []))
        elif key == "=u":
            self.kitty_is(m, lambda: self.kitty.__setitem__(-1, n))
        elif key == ">m":
            if not self.has("other"):
                self.wrong(m.group(0))
            if n == 4:
                self.other = p[1] if len(p) > 1 else 0
        elif key == " q":
            if not self.has("cstyle"):
                self.wrong(m.group(0))
        elif key == "m":
            self.sgr(p, m.group(0))
        elif private == "" and inter == "":
            self.screen.csi(p, final)
        else:
            self.wrong(m.group(0))

    def kitty_is(self, m, do):
        if self.has("kitty"):
            do()
        else:
            self.wrong(m.group(0))

    def sgr(self, p, token):
        if b":" in token and not self.has("ul"):
            self.wrong(token)
        i = 0
        while i < len(p):
            v = p[i]
            if v in (38, 48, 58) and i + 1 < len(p):
                need = {2: "rgb", 5: "256"}.get(p[i + 1], "?")
                i += {2: 4, 5: 2}.get(p[i + 1], 1)
                if not self.has(need):
                    self.wrong(token)
            elif 30 <= v <= 49 and v not in (38, 48) and not self.has("colour"):
                self.wrong(token)
            elif 90 <= v <= 107 and not self.has("16"):
                self.wrong(token)
            i += 1

    def window(self, n, out):
        c, r, w, h = self.size
        if n == 14 and self.has("pixels"):
            out.append(b"\x1b[4;%d;%dt" % (r * h, c * w))
        elif n == 16 and self.has("pixels"):
            out.append(b"\x1b[6;%d;%dt" % (h, w))
        elif n == 18 and self.has("cells"):
            out.append(b"\x1b[8;%d;%dt" % (r, c))

    def mode(self, mode, on, token):
        # Terminals ignore modes that they do not know; the oldest do not.
        if mode not in self.p.modes and (mode == 1049 or not self.has("osc")):
            self.wrong(token)
        (self.on.add if on else self.on.discard)(mode)
        if mode == 1049 and on != self.alternate:
            self.alternate = on
            if on:
                self.screen.saved = (self.screen.cell, self.screen.x, self.screen.y)
                self.kitty.append(0)
                self.screen.clear()
            else:
                self.kitty = self.kitty[:1]
                self.screen.cell, self.screen.x, self.screen.y = self.screen.saved

    def answer(self, out, text, form):
        if text:
            out.append((form % text).encode())

    def osc(self, m, out):
        num, text = int(m.group(5) or b"-1"), m.group(6).decode("utf-8", "replace")
        if not self.has("osc"):
            self.wrong(m.group(0))
            return
        if num in (0, 2):
            self.title = text
        elif num == 4 and text.endswith("?") and self.has("colours"):
            n = int(text.split(";")[0])
            if n < 16:
                out.append(b"\x1b]4;%d;%s\x1b\\" % (n, rgb(colour(n, self.light)).encode()))
        elif num in (10, 11, 12) and text == "?" and self.has("colours"):
            out.append(b"\x1b]%d;%s\x1b\\" % (num, rgb(colour(num + 6, self.light)).encode()))
        elif num == 99 and text.endswith(":p=?;"):
            if self.has("notices"):
                out.append(b"\x1b]99;%s;a=focus,report:p=title,body,close,?\x1b\\" %
                           text[:-1].encode())
        elif text != "?":
            self.strings.append("%d;%s" % (num, text))

    def theme(self):
        return b"\x1b[?997;%dn" % (2 if self.light else 1)

    # --- what the test says ----------------------------------------------------------

    def said(self, line, fd):
        word, _, rest = line.partition(" ")
        if word == "type":
            os.write(fd, codecs.decode(rest.replace("\\e", "\\x1b"), "unicode_escape").encode("latin-1"))
        elif word == "size":
            self.size = tuple(int(v) for v in rest.split())
            self.screen.resize(*self.size[:2])
            set_size(fd, self.size, self.has("winsize"))
        elif word in ("dark", "light"):
            self.light = word == "light"
            if 2031 in self.on:
                os.write(fd, self.theme())
        elif word == "end":
            return False
        return True

    def write(self):
        keyboard = ["kitty %d" % self.kitty[-1], "depth %d" % len(self.kitty), "other %d" % self.other]
        lines = ["modes " + ",".join(str(m) for m in sorted(self.on)), *keyboard,
                 "title " + self.title, "bells %d" % self.bells,
                 "alternate %d" % self.alternate, *("osc " + s for s in self.strings)]
        for name, text in (("screen", self.screen.text()), ("state", "\n".join(lines) + "\n"),
                           ("bad", "".join(b + "\n" for b in self.bad))):
            path = os.path.join(self.folder, name)
            with open(path + ".new", "w", encoding="utf-8") as f:
                f.write(text)
            os.replace(path + ".new", path)


def set_size(fd, size, pixels):
    c, r, w, h = size
    fcntl.ioctl(fd, termios.TIOCSWINSZ,
                struct.pack("HHHH", r, c, c * w if pixels else 0, r * h if pixels else 0))


def run(o, command):
    fifo = os.path.join(o.folder, "in")
    os.mkfifo(fifo, 0o600)
    said = os.open(fifo, os.O_RDWR)
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = o.p.term
        os.environ.pop("COLORTERM", None)
        if o.p.colorterm:
            os.environ["COLORTERM"] = o.p.colorterm
        os.execvp(command[0], command)
    set_size(fd, o.size, o.has("winsize"))
    lines = b""
    with open(os.path.join(o.folder, "bytes"), "wb", buffering=0) as log:
        o.write()
        while True:
            ready = select.select([fd, said], [], [])[0]
            if said in ready:
                lines += os.read(said, 65536)
                *whole, lines = lines.split(b"\n")
                if not all([o.said(l.decode("latin-1"), fd) for l in whole]):
                    break
            if fd in ready:
                try:
                    data = os.read(fd, 65536)
                except OSError:
                    break
                if not data:
                    break
                log.write(data)
                answers = o.feed(data)
                if answers:
                    os.write(fd, answers)
            o.write()
    o.write()
    os.close(fd)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main(argv):
    profile, size = "xterm", (80, 24, 10, 20)
    while argv and argv[0] in ("-p", "-s"):
        if argv[0] == "-p":
            profile = argv[1]
        else:
            size = tuple(int(v) for v in argv[1].split("x"))
            size += (10, 20)[len(size) - 2:]
        argv = argv[2:]
    if len(argv) < 2:
        sys.exit(__doc__)
    row = [p for p in profiles() if p.name == profile]
    if not row:
        sys.exit("outer.py: no terminal %s in terminals.list" % profile)
    return run(Outer(row[0], size, argv[0]), argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
