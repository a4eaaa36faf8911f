#!/usr/bin/env python3
"""Every mode and overlay times every event that can pull its subject away.

modes_bad.py RMUX SOCKET [ROUNDS [SEED [ONLY]]]

Each round opens a face (a mode of a pane or an overlay of a client), lets an
event happen (its pane ends, the terminal shrinks to 1x1, output floods...) and
types.  Then the server must live and answer a command within PATIENCE seconds;
a command that fails must say why; the keys that leave a face must leave it, no
pane may remain in a mode, and text that is typed must reach the program again.
ROUNDS 0: all combinations; ONLY: those whose "face event" contains it.
$MODES_BAD_PATIENCE is for slow builds.  Prints TAP; a failure prints its seed.
"""
import fcntl
import os
import random
import re
import select
import shlex
import struct
import subprocess
import sys
import termios
import time

RMUX, SOCKET = sys.argv[1:3]
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 40
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
ONLY = sys.argv[5] if len(sys.argv) > 5 else ""
PATIENCE = float(os.environ.get("MODES_BAD_PATIENCE", "2"))
BASE = [RMUX, "-S", SOCKET, "-f", "/dev/null"]
# Programs that outlive the keys that leave a face.
CAT = "trap '' INT QUIT; exec cat"

# Steps (see World.do) that open a face; then the mode of the pane, or a word
# that the terminal shows.
FACES = {
    "copy": (["copy-mode -t =v:.0"], "copy-mode"),
    "copy-select": ([
        "copy-mode -u -t =v:.0", "send-keys -X -t =v:.0 begin-selection ; "
        "send-keys -X -N 20 -t =v:.0 cursor-up"], "copy-mode"),
    "copy-search": ([
        "copy-mode -t =v:.0 ; send-keys -X -t =v:.0 search-backward line"],
        "copy-mode"),
    "copy-prompt": (["copy-mode -t =v:.0", b"\x12li"], "copy-mode"),
    "copy-source": (["copy-mode -s =v:.1 -t =v:.0"], "copy-mode"),
    "copy-numbers": (["set-option -g copy-mode-line-numbers hybrid ; "
                      "copy-mode -t =v:.0"], "copy-mode"),
    "view": (["run-shell -t =v:.0 'seq 500'"], "view-mode"),
    "clock": (["clock-mode -t =v:.0"], "clock-mode"),
    "tree": (["choose-tree -t =v:.0"], "tree-mode"),
    "tree-kill": (["choose-tree -w -t =v:.0", b"jtx"], "tree-mode"),
    "tree-filter": (["choose-tree -s -t =v:.0", b"f#{m:*v*,"], "tree-mode"),
    "tree-pane": (["choose-tree -k -t =v:.0"], "tree-mode"),
    "buffers": (["choose-buffer -t =v:.0"], "buffer-mode"),
    "buffers-edit": (["set-option -g editor cat ; choose-buffer -t =v:.0",
                      b"e"], None),
    "clients": (["choose-client -t =v:.0"], "client-mode"),
    "customize": (["customize-mode -t =v:.0"], "options-mode"),
    "customize-set": (["customize-mode -t =v:.0 -f '#{m:*@user*,#{option_name}}'",
                       b"\x1b[1;3Cj\r"], "options-mode"),
    "panes": (["display-panes -d 0 -t =v:.0"], "panes-mode"),
    "find": (["find-window -t =v:.0 v"], "tree-mode"),
    "switch": (["switch-mode -w -t =v:.0"], "switch-mode"),
    "switch-float": (["new-pane -E -t =v:.0 -x 40 -y 8 ; switch-mode -kw"],
                     "switch-mode"),
    "hints": (["hints -t =v:.0"], "hints-mode"),
    "search": (["search-panes -t =v:.0 line"], "search-mode"),
    "palette": (["& command-palette -c CLIENT"], None),
    "palette-text": (["& command-palette -c CLIENT", b"kill"], None),
    "panel": ([b"\x02"], None),
    "keys": (["list-keys -N -t CLIENT"], None),
    "help": ([b"\x02?"], None),
    "menu": (["& display-menu -c CLIENT -t =v:.0 -T head m1 a 'kill-pane' '' "
              "m2 b 'rename-window x'"], "m1"),
    "menu-long": (["& display-menu -c CLIENT -t =v:.0 " + " ".join(
        "'row number %d' '' ''" % i for i in range(300))], "row number 1"),
    "menu-pane": ([b"\x02>"], "Kill"),
    "popup": (["& display-popup -c CLIENT -t =v:.0 'echo popped; cat'"],
              "popped"),
    "popup-shut": (["& display-popup -E -c CLIENT -t =v:.0 "
                    "'echo popped; cat'"], "popped"),
    "popup-flood": (["& display-popup -E -c CLIENT -t =v:.0 yes"], "y"),
    "prompt": (["command-prompt -b -t CLIENT -p asked "
                "'rename-window %%'"], "asked"),
    "prompt-pane": (["command-prompt -b -P -t CLIENT -p asked "
                     "'rename-window %%'"], "asked"),
    "confirm": (["confirm-before -b -t CLIENT -p sure 'rename-window x'"],
                "sure"),
    "float": (["new-pane -t =v:.0 -x 20 -y 5 \"%s\"" % CAT], None),
    "modal": (["new-pane -O -t =v:.0 -x 20 -y 5 \"%s\"" % CAT], None),
    "modal-copy": (["new-pane -O -t =v:.0 -x 20 -y 5 \"%s\" ; "
                    "copy-mode" % CAT], None),
    "message": (["display-message -d 0 -c CLIENT noted"], "noted"),
    "two": (["copy-mode -t =v:.0 ; choose-tree -t =v:.0 ; "
             "clock-mode -t =v:.0"], "clock-mode"),
}

SIZES = [(1, 1), (2, 2), (10, 3), (200, 60), (3, 40), (150, 2)]


def size(cols, rows):
    return [("size", cols, rows), b"\x1b[Bv\x1b[A", ("size", 80, 24)]


# What happens to the face: steps.
EVENTS = {
    "nothing": [],
    "program-ends": [("kill",)],
    "remains": ["set-option -g remain-on-exit on", ("kill",)],
    "kill-pane": ["kill-pane -t =v:0.0"],
    "kill-other": ["kill-pane -t =v:0.1"],
    "kill-active": ["kill-pane"],
    "kill-window": ["kill-window -t =v:0"],
    "kill-session": ["kill-session -t =v"],
    "kill-session-stay": ["set-option -g detach-on-destroy off ; "
                          "kill-session -t =v"],
    "kill-others": ["kill-session -a -t =v"],
    "clear-history": ["clear-history -t =v:0.0"],
    "clear-links": ["clear-history -H -t =v:0.0"],
    "reset": ["send-keys -R -t =v:0.0"],
    "clear": [("write", "\033[2J\033[3J\033[H")],
    "ris": [("write", "\033c\033[?1049h\033[5;5Halt\033[?1049l")],
    "output": [("write", "more line\r\n" * 40)],
    "flood": [("flood",)],
    "resize-pane": ["resize-pane -t =v:0.0 -x 1 -y 1",
                    "resize-pane -t =v:0.0 -x 70 -y 20"],
    "resize-window": ["resize-window -t =v:0 -x 1 -y 1",
                      "resize-window -t =v:0 -x 300 -y 100",
                      "resize-window -A -t =v:0"],
    "respawn-pane": ["respawn-pane -k -t =v:0.0 \"%s\"" % CAT],
    "respawn-window": ["respawn-window -k -t =v:0 \"%s\"" % CAT],
    "delete-buffers": ["delete-buffer -b b0 ; delete-buffer -b b1 ; "
                       "delete-buffer -b b2"],
    "new-buffers": ["set-option -g buffer-limit 1 ; set-buffer new"],
    "unset-option": ["set-option -gu @user", "set-option -su @user",
                     "set-option -gu status-left"],
    "set-option": ["set-option -g @user other ; set-option -g @more x"],
    "detach-other": ["detach-client -s =o"],
    "other-attaches": [("attach",)],
    "detach": ["detach-client -t CLIENT", ("gone",)],
    "hang-up": [("leave",)],
    "suspend": ["refresh-client -t CLIENT"],
    "lock": ["lock-client -t CLIENT", ("back",)],
    "mode-keys": ["set-option -g mode-keys vi ; set-option -g status-keys vi"],
    "status": ["set-option -g status off", "set-option -g status 5",
               "set-option -g status-position left"],
    "mouse": ["set-option -g mouse off", b"\x1b[<0;3;3M\x1b[<0;3;3m",
              "set-option -g mouse on",
              b"\x1b[<0;3;3M\x1b[<32;30;9M\x1b[<0;30;9m\x1b[<64;5;5M"
              b"\x1b[<2;5;5M\x1b[<2;5;5m"],
    "scrollbars": ["set-option -g pane-scrollbars on ; "
                   "set-option -g pane-border-status top"],
    "prefix": ["set-option -g prefix C-a"],
    "bindings": ["bind-key -T copy-mode Down send-keys -X cancel", b"\x1b[B",
                 "unbind-key -T copy-mode Down"],
    "styles": ["set-option -g mode-style bg=red ; set-option -g "
               "copy-mode-position-format '#{q:#{l:x}}#{' ; "
               "set-option -g menu-border-lines none"],
    "history-limit": ["set-option -g history-limit 1"],
    "layout": ["select-layout -t =v:0 tiled", "next-layout -t =v:0",
               "rotate-window -t =v:0"],
    "join": ["join-pane -d -s =v:0.0 -t =v:1.0"],
    "join-away": ["join-pane -d -s =v:0.0 -t =o:"],
    "break": ["break-pane -d -s =v:0.0"],
    "break-float": ["break-pane -W -d -s =v:0.0", "break-pane -W -s =v:0.0"],
    "swap": ["swap-pane -d -s =v:0.0 -t =v:0.1"],
    "swap-away": ["swap-pane -d -s =v:0.0 -t =v:1.0"],
    "move-window": ["move-window -d -s =v:0 -t =o:7"],
    "link": ["link-window -d -s =v:0 -t =o:7", "unlink-window -k -t =v:0"],
    "rename": ["rename-session -t =v w ; rename-window -t =w: other",
               "rename-session -t =w v"],
    "zoom": ["resize-pane -Z -t =v:0.0", b"\x1b[B",
             "resize-pane -Z -t =v:0.0"],
    "zoom-other": ["resize-pane -Z -t =v:0.1"],
    "select-window": ["select-window -t =v:1", b"\x1b[B",
                      "select-window -t =v:0"],
    "switch-client": ["switch-client -c CLIENT -t =o", b"\x1b[B",
                      "switch-client -c CLIENT -t =v"],
    "new-window": ["new-window -t =v: \"%s\"" % CAT],
    "split": ["split-window -t =v:0.0 \"%s\"" % CAT],
    "another": ["copy-mode -t =v:0.0 ; choose-tree -t =v:0.0 ; "
                "display-panes -d 0 -t =v:0.0 ; clock-mode -t =v:0.0"],
    "cancel": ["copy-mode -q -t =v:0.0 ; send-keys -X -t =v:0.0 cancel",
               "display-popup -C -c CLIENT"],
    "paste": [b"\x1b[200~pasted\rline\x1b[201~"],
    "keys": [b"\x1b[5~\x1b[6~\x1b[H\x1b[F/x\r n N 9 \t\x01\x05\x0b"],
    "letters": [b"".join(b"%c" % c for c in range(33, 127) if c not in
                         b"dDxXeE:!|")],
}
for c, r in SIZES:
    EVENTS["size-%dx%d" % (c, r)] = size(c, r)

RESET = ("buffer-limit detach-on-destroy mode-keys status-keys remain-on-exit "
         "status status-position mouse pane-scrollbars pane-border-status "
         "prefix mode-style copy-mode-position-format menu-border-lines "
         "history-limit status-left copy-mode-line-numbers").split()
SETUP = [
    "set-option -gu " + o for o in RESET
] + [
    "set-option -g exit-empty off",
    "set-option -g mouse on",
    "set-option -g prefix-panel-time 1",
    "set-option -g lock-command 'echo is locked'",
    "set-option -sg escape-time 5",
    "set-option -g assume-paste-time 0",
    "set-option -g @user value",
    "bind-key -T copy-mode Down send-keys -X cursor-down",
    "kill-session -a -t =keep",
    "kill-window -a -t =keep:",
    "new-session -d -s o -x 80 -y 24 \"%s\"" % CAT,
    "new-session -d -s v -x 80 -y 24 \"seq 200 | sed 's|.*|line & /tmp/x &|'; %s\""
    % CAT,
    "split-window -d -t =v: \"%s\"" % CAT,
    "new-window -d -t =v:1 \"%s\"" % CAT,
    "set-buffer -b b0 text",
    "set-buffer -b b1 text",
    "set-buffer -b b2 text",
]
GONE = re.compile("no server running|lost server|server exited")
INTERNAL = re.compile("internal|assert|bug|(null)|unknown error", re.I)


class Died(Exception):
    pass


def run(*args, fails=True):
    """What a command says.  It must answer in time, twice at most late."""
    for late in (False, True):
        begun = time.monotonic()
        try:
            p = subprocess.run(BASE + list(args), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, check=False,
                               timeout=10 * PATIENCE)
        except subprocess.TimeoutExpired as e:
            raise Died("no answer to " + " ".join(args)) from e
        took = time.monotonic() - begun
        if took < PATIENCE:
            break
        if late:
            raise Died("%.1f s for %s" % (took, " ".join(args)))
        args = ("list-buffers",)
    out = p.stdout.decode(errors="replace")
    if GONE.search(out):
        raise Died("the server is gone: " + out.strip())
    if p.returncode != 0:
        if len(out.strip()) < 4 or INTERNAL.search(out):
            raise Died("%s fails without clear words: %r" % (args, out))
        if not fails:
            raise Died("%s: %s" % (" ".join(args), out.strip()))
    return out


class Terminal:
    """A client with a terminal of its own."""

    def __init__(self, session):
        self.master, slave = os.openpty()
        self.seen = b""
        self.size(80, 24)
        self.name = os.ttyname(slave)
        self.process = subprocess.Popen(
            BASE + ["attach-session", "-t", session], stdin=slave,
            stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    def size(self, cols, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, cols, 0, 0))

    def drain(self, wait=0.0):
        """Reads what is there; false when the client has ended."""
        while select.select([self.master], [], [], wait)[0]:
            try:
                more = os.read(self.master, 65536)
                if not more:
                    return False
                self.seen = (self.seen + more)[-1000000:]
            except OSError:
                return False
            wait = 0
        return self.process.poll() is None

    def close(self):
        os.close(self.master)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired as e:
            self.process.kill()
            self.process.wait()
            raise Died("a client outlives its terminal") from e


class World:
    def __init__(self):
        self.terminals = []  # the client, one in session o, more
        self.waiting = []
        self.count = 0
        self.tty = self.pane_pid = None
        self.setup = SOCKET + ".setup"
        run("new-session", "-d", "-s", "keep", "-x", "80", "-y", "24", CAT)
        self.pid = int(run("display-message", "-p", "#{pid}"))

    def drain(self, wait=0.0):
        for t in self.terminals:
            t.drain(wait)
            wait = 0

    def until(self, what, test):
        end = time.monotonic() + 5 * PATIENCE
        while not test():
            self.drain(0.02)
            if time.monotonic() > end:
                raise Died("in vain: " + what)

    def attach(self, session):
        t = Terminal(session)
        self.terminals.append(t)
        self.until("client of %s" % session,
                   lambda: t.name in run("list-clients", "-F",
                                         "#{client_name}").split())
        return t

    def clear(self):
        for p in self.waiting:
            p.terminate()
            p.wait(10)
        self.waiting = []
        for t in self.terminals:
            t.close()
        self.terminals = []

    def set_up(self):
        self.clear()
        with open(self.setup, "w", encoding="ascii") as f:
            f.write("\n".join(SETUP) + "\n")
        if "can't find" in run("has-session", "-t", "=keep"):
            run("new-session", "-d", "-s", "keep", CAT)
        run("source-file", self.setup, fails=False)
        self.tty, self.pane_pid = run("display-message", "-p", "-t", "=v:.0",
                                      "#{pane_tty} #{pane_pid}").split()
        self.attach("=o")
        self.attach("=v")
        self.terminals.reverse()
        self.until("text", lambda: "line 200" in run(
            "capture-pane", "-p", "-t", "=v:.0"))

    def words(self, text):
        return shlex.split(text.replace("CLIENT", self.terminals[0].name))

    def type(self, text):
        """Keys one by one, as a person types them."""
        t = self.terminals[0]
        for key in re.findall(rb"\x1b\[[^A-Za-z~]*[A-Za-z~]|\x1b?[^\x1b]|\x1b",
                              text, re.S):
            if not t.drain():
                return
            os.write(t.master, key)

    def write(self, text):
        """As if the program of the first pane wrote it."""
        try:
            fd = os.open(self.tty, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except OSError:
            return
        try:
            os.write(fd, text)
        except OSError:
            pass
        finally:
            os.close(fd)

    def do(self, steps):
        for step in steps:
            if isinstance(step, bytes):
                self.type(step)
                run("list-buffers")
            elif isinstance(step, str) and step.startswith("& "):
                self.waiting.append(subprocess.Popen(
                    BASE + self.words(step[2:]), stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            elif isinstance(step, str):
                run(*self.words(step))
            elif step[0] == "size":
                self.terminals[0].size(step[1], step[2])
                run("list-clients")
            elif step[0] == "kill":
                os.kill(int(self.pane_pid), 9)
                run("list-buffers")
            elif step[0] == "write":
                self.write(step[1].encode())
                run("list-buffers")
            elif step[0] == "flood":
                for _ in range(30):
                    self.write(b"flood of lines \xe8\xaa\x9e\r\n" * 150)
                    self.type(b"\x1b[B")
                run("list-buffers")
            elif step[0] == "attach":
                self.attach("=v").size(40, 10)
                run("list-clients")
            elif step[0] == "gone":
                self.until("end of the client",
                           lambda: not self.terminals[0].drain())
            elif step[0] == "back":
                # What is typed meanwhile is the lock command's.
                t = self.terminals[0]
                self.until("lock", lambda: b"is locked" in t.seen)
                self.until("screen after the lock", lambda: len(t.seen) >
                           t.seen.rfind(b"is locked") + 100)
            elif step[0] == "leave":
                self.terminals.pop(0).close()
                self.attach("=keep")
                self.terminals.reverse()
            self.drain()

    def modes(self):
        return [x.split() for x in run(
            "list-panes", "-a", "-F", "#{pane_id} #{pane_mode} #{pane_dead}"
        ).splitlines() if len(x.split()) > 2]

    def opened(self, want):
        if want is None:
            return
        if want.endswith("-mode"):
            self.until("mode " + want, lambda: want in [
                m[1] for m in self.modes()])
        else:
            self.until("word " + want, lambda: self.terminals[0].seen.find(
                want.encode()) >= 0)

    def attached(self):
        """The client; another one where it has ended."""
        t = self.terminals[0]
        if t.drain() and t.name in run("list-clients").replace(":", " ").split():
            return t
        self.terminals.pop(0).close()
        self.attach("=keep")
        self.terminals.insert(0, self.terminals.pop())
        return self.terminals[0]

    def leave(self):
        """The keys that leave every face; none may remain."""
        t = self.attached()
        for _ in range(3):
            self.type(b"\x1b")
            self.drain(0.01)
            self.type(b"\x03")
            run("list-buffers")
            self.type(b"q")
            run("list-buffers")
        run("display-popup", "-C", "-c", t.name)
        # A modal pane takes the keys of those below it.
        for pane in run("list-panes", "-a", "-F",
                        "#{pane_id} #{pane_flags}").splitlines():
            if "O" in pane:
                run("kill-pane", "-t", pane.split()[0])
        for _ in range(6):
            left = self.modes()
            if not left:
                return
            run("switch-client", "-c", t.name, "-t", left[0][0])
            for key in (b"q", b"\x1b", b"\x03"):
                self.drain(0.02)
                self.type(key)
                run("list-buffers")
        raise Died("modes remain: %s" % left)

    def types_again(self):
        """What is typed reaches the program."""
        t = self.attached()
        pane, dead = run("display-message", "-p", "-c", t.name,
                         "#{pane_id} #{pane_dead}").split()
        if dead == "1":
            return
        self.count += 1
        word = "typed%dword" % self.count
        # Behind what the keys before have left in the terminal's line.
        self.type(b"\x15" + word.encode() + b"\r")
        self.until("typed text in %s; it shows %r" % (
            pane, run("capture-pane", "-p", "-t", pane)[-200:]),
            lambda: word in run("capture-pane", "-pJ", "-t", pane, "-S", "-50"))

    def alive(self):
        return run("display-message", "-p", "#{pid}").strip() == str(self.pid)

    def close(self):
        try:
            run("kill-server")
        except Died:
            pass
        for t in self.terminals:
            t.drain()
        try:
            self.clear()
        except Died:
            pass


def one(world, face, event):
    steps, want = FACES[face]
    world.set_up()
    world.do(steps)
    world.opened(want)
    world.do([b"\x1b[B"])
    world.do(EVENTS[event])
    world.do([b"\x1b[B\x1b[Av\x1b[6~"] if world.terminals[0].drain() else [])
    world.leave()
    world.types_again()
    if not world.alive():
        raise Died("it is another server")


def main():
    print("# seed %d" % SEED)
    todo = [(f, e) for f in FACES for e in EVENTS if ONLY in f + " " + e]
    random.Random(SEED).shuffle(todo)
    world = World()
    failed = count = 0
    begun = time.monotonic()
    for face, event in todo[:ROUNDS or len(todo)]:
        count += 1
        try:
            one(world, face, event)
        except (Died, OSError) as e:
            failed += 1
            print("not ok %d - %s over %s: %s" % (count, event, face, e))
            sys.stdout.flush()
            world.close()
            if "gone" in str(e) and failed > 20:
                break
            world = World()
    world.close()
    if not failed:
        print("ok 1 - %d of %d combinations" % (count, len(todo)))
        count = 1
    print("# %.0f s" % (time.monotonic() - begun))
    print("1..%d" % count)
    return 1 if failed else 0


sys.exit(main())
