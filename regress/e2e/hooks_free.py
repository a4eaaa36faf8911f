#!/usr/bin/env python3
"""Hooks that free everything, set on every hook and run by every trigger.

hooks_free.py RMUX SOCKET LIST learn
hooks_free.py RMUX SOCKET LIST [ROUNDS [SEED]]

LIST names for each hook the triggers (below) that fire it; "learn" writes it. A
hook without a line fails the test. Each round takes a hook, a command that frees
something, a trigger that fires the hook, and a state of the client, and looks
whether the server lives. ROUNDS 0: all combinations. Prints TAP; a failure
prints the seed and the last rounds. For HACKING.md, "Hooks free what they like".
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

RMUX, SOCKET, LIST = sys.argv[1:4]
LEARN = sys.argv[4:5] == ["learn"]
ROUNDS = int(sys.argv[4]) if len(sys.argv) > 4 and not LEARN else 40
SEED = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)
BASE = [RMUX, "-S", SOCKET, "-f", "/dev/null"]
PATIENCE = 20

# Frees something that a hook's caller may hold. HOOK: the hook that runs.
FREERS = [
    "kill-session -t =v",
    "kill-session -a -t =keep",
    "kill-window -t =v:",
    "kill-window -a -t =v:",
    "kill-pane",
    "kill-pane -t =v:.0",
    "kill-pane -a -t =v:",
    "unlink-window -k -t =v:",
    "detach-client -s =v",
    "detach-client -a",
    "guest -r",
    "switch-client -t =keep",
    "invite -k all",
    "delete-buffer -b b ; delete-buffer",
    "respawn-pane -k cat",
    "respawn-window -k -t =v: cat",
    "display-popup -C",
    "break-pane -d -s =v:.0",
    "join-pane -d -s =v:.0 -t =keep:",
    "set-hook -gu HOOK ; set-hook -gu -w HOOK",
    "set-option -g @x y ; unbind-key -a ; unbind-key -a -T prefix",
    "source-file FILE",
    "kill-pane ; kill-window ; kill-session -t =v ; detach-client -a",
    "send-keys -t =v: -X cancel ; clear-history",
    "run-shell -C 'kill-session -t =v'",
]

# What the client shows meanwhile: commands to run before; & does not wait.
STATES = {
    "nothing": [],
    "popup": ["& display-popup -c CLIENT cat"],
    "menu": ["& display-menu -c CLIENT a b 'kill-pane' c d ''"],
    "prompt": ["command-prompt -b -t CLIENT 'kill-window'"],
    "panes": ["display-panes -t =v:"],
    "copy": ["copy-mode -t =v:"],
    "tree": ["choose-tree -t =v:"],
    "clock": ["clock-mode -t =v:"],
    "message": ["display-message -c CLIENT hello"],
    "zoom": ["resize-pane -Z -t =v:.0"],
}


def osc(text):
    return "respawn-pane -k -t =v:.0 \"printf '%s'; exec cat\"" % text


# Each is a list: commands (& does not wait), or bytes for the client's terminal, or ("size",).
TRIGGERS = {
    "bind-key": ["bind-key F9 list-keys"],
    "capture-pane": ["capture-pane -p -t =v:"],
    "copy-mode": ["copy-mode -t =v:", "send-keys -X -t =v: cancel"],
    "clock-mode": ["clock-mode -t =v:"],
    "display-message": ["display-message -p -t =v: hello"],
    "display-panes": ["display-panes -d 1 -t =v:"],
    "kill-pane": ["kill-pane -t =v:.0"],
    "list-buffers": ["list-buffers"],
    "list-clients": ["list-clients"],
    "list-keys": ["list-keys"],
    "list-panes": ["list-panes -t =v:"],
    "list-sessions": ["list-sessions"],
    "list-windows": ["list-windows -t =v"],
    "load-buffer": ["load-buffer -b l /dev/null", "load-buffer -b l FILE"],
    "lock-server": ["lock-server"],
    "lock-session": ["lock-session -t =v"],
    "lock-client": ["lock-client -t CLIENT"],
    "new-session": ["new-session -d -s n cat"],
    "new-window": ["new-window -t =v: cat"],
    "paste-buffer": ["paste-buffer -b b -t =v:"],
    "pipe-pane": ["pipe-pane -t =v: cat"],
    "refresh-client": ["refresh-client -t CLIENT"],
    "rename-session": ["rename-session -t =v w", "rename-session -t =w v"],
    "rename-window": ["rename-window -t =v: named"],
    "resize-pane": ["resize-pane -t =v:.0 -D 2"],
    "resize-window": ["resize-window -t =v: -x 60 -y 20"],
    "save-buffer": ["save-buffer -b b /dev/null"],
    "select-layout": ["select-layout -t =v: even-horizontal"],
    "next-layout": ["next-layout -t =v:"],
    "select-pane": ["select-pane -t =v:.0"],
    "select-window": ["select-window -t =v:1"],
    "last-window": ["select-window -t =v:1", "last-window -t =v"],
    "send-keys": ["send-keys -t =v: a Enter"],
    "set-buffer": ["set-buffer -b b other", "set-buffer text"],
    "set-environment": ["set-environment -g X y"],
    "set-hook": ["set-hook -g @nothing ''"],
    "set-option": ["set-option -g @nothing ''"],
    "show-environment": ["show-environment -g"],
    "show-messages": ["show-messages"],
    "show-options": ["show-options -g"],
    "split-window": ["split-window -t =v: cat"],
    "swap-window": ["swap-window -s =v:0 -t =v:1"],
    "swap-pane": ["swap-pane -s =v:.0 -t =v:.1"],
    "unbind-key": ["unbind-key F9"],
    "error": ["kill-pane -t =nowhere:"],
    "mark": ["select-pane -m -t =v:.0", "select-pane -M"],
    "break-pane": ["break-pane -d -s =v:.0"],
    "join-pane": ["join-pane -s =v:1.0 -t =v:0.0"],
    "link-window": ["link-window -s =v:0 -t =keep:9"],
    "unlink-window": ["unlink-window -k -t =v:1"],
    "kill-window": ["kill-window -t =v:1"],
    "kill-session": ["kill-session -t =v"],
    "group": ["new-session -d -t =v -s h", "kill-session -t =h"],
    "respawn": ["respawn-pane -k -t =v:.0 cat"],
    "zoom": ["resize-pane -Z -t =v:.0", "resize-pane -Z -t =v:.0"],
    "switch-client": ["switch-client -c CLIENT -t =keep"],
    "switch-back": ["switch-client -c CLIENT -t =keep",
                    "switch-client -c CLIENT -l"],
    "detach-client": ["detach-client -t CLIENT"],
    "suspend-session": ["detach-client -s =v"],
    "choose-tree": ["choose-tree -t =v:", b"\r"],
    "choose-kill": ["choose-tree -t =v:", b"xy"],
    "menu-key": ["& display-menu -c CLIENT a b 'rename-window m' c d ''", b"b"],
    "popup-exit": ["& display-popup -c CLIENT -E true"],
    "popup-key": ["& display-popup -c CLIENT cat", b"\x03"],
    "prompt-key": ["command-prompt -b -t CLIENT 'rename-window %%'", b"x\r"],
    "prompt-escape": ["command-prompt -b -t CLIENT 'rename-window %%'",
                      b"\x03"],
    "confirm-key": ["confirm-before -b -t CLIENT 'kill-pane'", b"y"],
    "panes-key": ["display-panes -t =v:", b"1"],
    "panes-left": ["& display-panes -t =v: ; kill-session -t =v", b"x"],
    "panes-paste": ["& display-panes -t =v: ; kill-session -t =v",
                    b"\x1b[200~x\x1b[201~"],
    "panes-mouse": ["set-option -g mouse on",
                    "& display-panes -t =v: ; kill-session -t =v",
                    b"\x1b[<0;5;5M"],
    "menu-away": ["& display-menu -c CLIENT a b '' ; kill-session -t =v",
                  "select-window -t =v:1", b"x"],
    "key": [b"x"],
    "key-split": ["bind-key -n F5 split-window cat", b"\x1b[15~"],
    "key-copy": [b"\x02[", b"q"],
    "key-kill": ["bind-key -n F5 kill-pane", b"\x1b[15~"],
    "key-next": [b"\x02n"],
    "key-last": [b"\x02o"],
    "key-zoom": [b"\x02z"],
    "mouse": ["set-option -g mouse on",
              b"\x1b[<0;5;5M\x1b[<0;5;5m\x1b[<0;5;20M\x1b[<0;5;20m"],
    "mouse-drag": ["set-option -g mouse on",
                   b"\x1b[<0;5;5M\x1b[<32;9;6M\x1b[<0;9;6m"],
    "mouse-border": ["set-option -g mouse on",
                     b"\x1b[<0;5;12M\x1b[<32;5;9M\x1b[<0;5;9m"],
    "mouse-status": ["set-option -g mouse on", b"\x1b[<0;12;24M\x1b[<0;12;24m"],
    "mouse-wheel": ["set-option -g mouse on", b"\x1b[<64;5;5M"],
    "paste": [b"\x1b[200~pasted\x1b[201~"],
    "focus": ["set-option -g focus-events on", b"\x1b[O\x1b[I"],
    "theme": [b"\x1b[?997;1n\x1b[?997;2n"],
    "size": [("size",)],
    "attach": [("attach",)],
    "leave": [("leave",)],
    "prompt-open": ["command-prompt -b -t CLIENT", b"\x03"],
    "bell": [osc("\\a")],
    "bell-away": ["respawn-pane -k -t =v:1 \"printf '\\a'; exec cat\""],
    "title": [osc("\\033]2;t%s\\007" % "1")],
    "user-var": [osc("\\033]1337;SetUserVar=a=eA==\\007")],
    "notify": [osc("\\033]9;hello\\007")],
    "notify-jump": ["respawn-pane -k -t =v:1 \"printf '\\033]9;x\\007'; exec cat\"",
                    "show-notifications -j"],
    "clipboard": ["set-option -g set-clipboard on",
                  osc("\\033]52;c;aGVsbG8=\\007")],
    "marks": [osc("\\033]133;A\\007$ \\033]133;B\\007x\\n\\033]133;C\\007o\\n"
                  "\\033]133;D;0\\007")],
    "flood": ["respawn-pane -k -t =v:.0 \"printf '\\033]2;f\\007\\a';"
              " yes | head -c 300000; printf '\\033]2;g\\007'; exec cat\""],
    "exit": ["respawn-pane -k -t =v:.0 true"],
    "died": ["set-option -g remain-on-exit on",
             "respawn-pane -k -t =v:.0 true"],
    "activity": ["set-option -g monitor-activity on",
                 "respawn-pane -k -t =v:1 'echo x; exec cat'"],
    "silence": ["set-option -g monitor-silence 1"],
    "job": ["if-shell -b true 'split-window -t =v: cat'"],
    "job-wait": ["run-shell 'exit 1'"],
    "wait": ["wait-for -S channel"],
    "source": ["source-file FILE"],
    "event": ["set-hook -g @e 'kill-pane -t =v:.0'", "set-hook -E @e"],
}

# Seconds until the server's tick has seen them.
TICKS = {"silence": 3, "activity": 1.5, "bell-away": 1.5, "notify-jump": 1, "title": 1}

# Hooks that exist for tmux's configurations; rmux never runs them.
NEVER = {"after-queue", "pane-activity", "pane-prompt-closed",
         "pane-prompt-opened"}

# What has ended a server, with commands that wait: always tried, and so often.
FOUND = [("pane-bell", "source-file FILE", "flood", "clock")] * 20

# Ends the round before. Sessions v and g share two windows.
SETUP = [
    "set-option -gu mouse ; set-option -gu remain-on-exit ; "
    "set-option -gu monitor-activity ; set-option -gu monitor-silence ; "
    "set-option -gu focus-events",
    "set-option -g lock-command true",
    "set-option -g exit-empty off",
    "new-session -d -s keep -x 80 -y 24 cat",
    "kill-session -a -t =keep",
    "kill-pane -a -t =keep:",
    "kill-window -a -t =keep:",
    "new-session -d -s v -x 80 -y 24 cat",
    "split-window -t =v: cat",
    "new-window -d -t =v: cat",
    "new-session -d -t =v -s g",
    "set-buffer -b b text",
]


GONE = re.compile("no server running|error connecting to|lost server|server exited")


class Died(Exception):
    pass


def run(*args):
    out = subprocess.run(BASE + list(args), stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         timeout=PATIENCE, check=False).stdout.decode()
    if GONE.search(out):
        raise Died("the server is gone: " + out.strip())
    return out


class Terminal:
    """A client with a terminal of its own."""

    def __init__(self):
        self.master, slave = os.openpty()
        self.wide = False
        self.seen = b""
        self.size()
        self.name = os.ttyname(slave)
        self.process = subprocess.Popen(
            BASE + ["attach-session", "-t", "=keep"], stdin=slave,
            stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)

    def size(self):
        cols = 70 if self.wide else 80
        self.wide = not self.wide
        fcntl.ioctl(self.master, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, cols, 0, 0))

    def attached(self):
        end = time.monotonic() + PATIENCE
        while self.name not in run("list-clients"):
            if not self.drain() or time.monotonic() > end:
                return False
        return True

    def drain(self):
        while select.select([self.master], [], [], 0)[0]:
            try:
                self.seen = os.read(self.master, 65536)
                if not self.seen:
                    return False
            except OSError:
                return False
        return self.process.poll() is None

    def close(self):
        """The terminal hangs up."""
        os.close(self.master)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class World:
    def __init__(self):
        self.terminal = None
        self.waiting = []
        self.file = SOCKET + ".conf"
        self.setup = SOCKET + ".setup"
        with open(self.file, "w", encoding="ascii") as f:
            f.write("kill-pane -t =v:.0\nkill-window -t =v:\n"
                    "delete-buffer -b b\nkill-session -t =v\n")
        run("new-session", "-d", "-s", "keep", "-x", "80", "-y", "24", "cat")
        self.pid = int(run("display-message", "-p", "#{pid}"))

    def alive(self):
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return run("display-message", "-p", "#{pid}").strip() == str(self.pid)

    def attach(self, clients):
        """A terminal that is attached."""
        if self.terminal is not None and self.terminal.drain() and \
                self.terminal.name in clients:
            return
        if self.terminal is not None:
            self.terminal.close()
        self.terminal = Terminal()
        if not self.terminal.attached():
            raise Died("the server does not attach: %r" %
                       self.terminal.seen[-200:])

    def source(self, lines, *more):
        with open(self.setup, "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")
        return run("source-file", self.setup, *more)

    def set_up(self, state, hook_lines):
        for process in self.waiting:
            process.terminate()
            process.wait(PATIENCE)
        self.waiting = []
        self.attach(self.source(SETUP, ";", "list-clients"))
        self.source([self.words(x) for x in [
            "switch-client -c CLIENT -t =v"] + hook_lines])
        self.trigger(STATES[state])

    def drain(self):
        if self.terminal is not None:
            self.terminal.drain()

    def words(self, text):
        return text.replace("CLIENT", self.terminal.name).replace(
            "FILE", self.file)

    def trigger(self, steps):
        for step in steps:
            if isinstance(step, str) and step.startswith("& "):
                self.waiting.append(subprocess.Popen(
                    BASE + shlex.split(self.words(step[2:])),
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL))
                run("list-buffers")
            elif isinstance(step, str):
                run(*shlex.split(self.words(step)))
            elif not self.terminal.drain():
                return
            elif isinstance(step, bytes):
                os.write(self.terminal.master, step)
            elif step[0] == "leave":
                self.terminal.close()
                self.terminal = None
                return
            elif step[0] == "attach":
                more = Terminal()
                more.attached()
                os.write(more.master, b"x")
                self.terminal.drain()
                os.write(self.terminal.master, b"x")
                run("list-buffers")
                more.drain()
                more.close()
            else:
                self.terminal.size()
            # No answer tells that a key was handled: ask a few times.
            for _ in range(0 if isinstance(step, str) else 2):
                run("list-buffers")
                self.terminal.drain()

    def close(self):
        try:
            run("kill-server")
        except Died:
            pass
        for process in self.waiting:
            process.wait(PATIENCE)
        if self.terminal is not None:
            self.terminal.drain()
            self.terminal.close()


def hooks():
    """All hooks: (name, is a window's)."""
    session = re.findall(r"^([a-z-]+)", run("show-hooks", "-g"), re.M)
    window = re.findall(r"^([a-z-]+)", run("show-hooks", "-gw"), re.M)
    return [(h, False) for h in session] + [(h, True) for h in window]


def set_hook(hook, text):
    return "set-hook -g%s %s { %s }" % (
        "w" if hook[1] else "", hook[0], text.replace("HOOK", hook[0]))


def unset(hook):
    return "set-hook -gu%s %s" % ("w" if hook[1] else "", hook[0])


def learn(world, all_hooks):
    """Which triggers fire each hook."""
    fires = {h: [] for h in all_hooks}
    for name, steps in TRIGGERS.items():
        world.set_up("nothing", ["set-option -g @ran ''"] + [
            set_hook(h, "set-option -ga @ran ' %s '" % h[0])
            for h in all_hooks])
        run("set-option", "-g", "@ran", "")
        world.trigger(steps)
        # Alerts come with the server's tick.
        keys = any(not isinstance(x, str) or "respawn" in x for x in steps)
        end = time.monotonic() + TICKS.get(name, 0.4 if keys else 0)
        while True:
            ran = run("show-options", "-gv", "@ran")
            if time.monotonic() >= end or " alert-" in ran:
                break
            world.drain()
        for h in all_hooks:
            if " %s " % h[0] in ran:
                fires[h].append(name)
    return fires


def read_list(all_hooks):
    fires = {h: [] for h in all_hooks}
    with open(LIST, encoding="ascii") as f:
        for line in f:
            if line.startswith("#"):
                continue
            name, _, triggers = line.partition(":")
            for h in all_hooks:
                if h[0] == name:
                    fires[h] = triggers.split()
    return fires


def write_list(fires):
    with open(LIST, "w", encoding="ascii") as f:
        f.write("# Hooks and the triggers of hooks_free.py that fire them.\n")
        for h, triggers in fires.items():
            if triggers:
                f.write("%s: %s\n" % (h[0], " ".join(triggers)))


def rounds(world, fires, done):
    rng = random.Random(SEED)
    todo = [(h, f, t) for h in fires for t in fires[h] for f in FREERS]
    if ROUNDS > 0:
        todo = [x for x in todo if x[2] not in TICKS]
    rng.shuffle(todo)
    todo = [(h, f, t, None) for h, f, t in todo[:ROUNDS or len(todo)]]
    todo[:0] = [(h, f, t, s) for h in fires for n, f, t, s in FOUND
                if h[0] == n]
    for hook, freer, trigger, state in todo:
        # A command that waits for the event runs amid the drain.
        waits = state is not None or rng.random() < 0.4
        state = state or rng.choice(sorted(STATES))
        done.append("%s%s { %s } by %s over %s" % (
            "wait for " if waits else "", hook[0], freer, trigger, state))
        world.set_up(state, [] if waits else [set_hook(hook, freer)])
        if waits:
            world.trigger(["& wait-for -E %s ; %s" % (
                hook[0], freer.replace("HOOK", hook[0]))])
        world.trigger(TRIGGERS[trigger])
    if not world.alive():
        raise Died("the server is gone")


def main():
    print("# seed %d" % SEED)
    world = World()
    done = []
    failed = False
    try:
        all_hooks = hooks()
        SETUP.insert(0, " ; ".join(unset(h) for h in all_hooks))
        if LEARN:
            write_list(learn(world, all_hooks))
        fires = read_list(all_hooks)
        missing = [h[0] for h in all_hooks
                   if not fires[h] and h[0] not in NEVER]
        failed = bool(missing)
        print("%sok 1 - a trigger fires each of %d hooks%s" % (
            "not " if missing else "", len(all_hooks),
            "".join("\n# none: " + h for h in missing)))
        rounds(world, fires, done)
        print("ok 2 - the server lives after %d rounds" % len(done))
    except (Died, subprocess.TimeoutExpired, OSError) as e:
        print("not ok 2 - %s (seed %d, round %d)" % (e, SEED, len(done)))
        for line in done[-4:]:
            print("# " + line)
        failed = True
    finally:
        world.close()
    print("1..2")
    return 1 if failed else 0


sys.exit(main())
