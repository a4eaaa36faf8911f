"""An agent in terminals: one round after the other it types, waits, reads and
listens, and says the outcome of each step.

    agent.py SECONDS [ROUNDS]     with "tmux" of $PATH
    agent.py compare A B          the outcomes of both, as far as the shorter

Each round has a number, and does the same under each program: it runs commands
with send-keys and wait-for, reads them with capture-pane and in control mode,
pastes, splits, resizes, respawns, interrupts, and ends what it started.  One
line a step: the number of the round, the step, what it saw.  The last line
counts rounds, seconds, and the server's memory; compare leaves it out.
"""
import os
import random
import re
import subprocess
import sys
import time

TIMEOUT = 20


def tmux(*words, text=None):
    """What tmux prints, or its complaint."""
    r = subprocess.run(["tmux", *words], capture_output=True, input=text,
                       timeout=3 * TIMEOUT)
    out = (r.stdout if r.returncode == 0 else r.stderr).decode("utf-8", "replace")
    return out.rstrip("\n")


def until(see, what):
    end = time.monotonic() + TIMEOUT
    while True:
        seen = see()
        if seen:
            return seen
        if time.monotonic() > end:
            return "waited in vain for " + what
        time.sleep(0.02)


class Control:
    """One client in control mode, for the whole run."""

    def __init__(self):
        self.p = subprocess.Popen(
            ["tmux", "-C", "attach-session", "-t", "agent"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.count = 0
        self.notes = []
        self.command("refresh-client -C 80x24")

    def command(self, line):
        """The lines of LINE's answer; other lines go into notes."""
        self.count += 1
        mark = "mark-%d" % self.count
        self.p.stdin.write(("%s\ndisplay-message -p %s\n" % (line, mark)).encode())
        self.p.stdin.flush()
        answer, inside, block = [], False, []
        while True:
            got = self.p.stdout.readline()
            if not got:
                raise SystemExit("the control client ended behind %r" % line)
            text = got.decode("utf-8", "replace").rstrip("\n")
            if not inside and text.startswith("%begin "):
                inside, block = True, []
            elif inside and re.match(r"%(end|error) \d+ \d+ ", text):
                inside = False
                if block == [mark]:
                    return answer
                answer += block
            elif inside:
                block.append(text)
            else:
                self.notes.append(text)

    def take(self):
        """The kinds of the lines since the last call, but for output."""
        kinds = sorted({x.split(" ")[0] for x in self.notes
                        if not x.startswith(("%output", "%extended-output"))})
        self.notes = []
        return " ".join(kinds)

    def end(self):
        self.p.stdin.close()
        self.p.stdout.read()
        return self.p.wait(TIMEOUT)


class Round:
    def __init__(self, number, control):
        self.n = number
        self.control = control
        self.chance = random.Random(number)
        self.name = "r%d" % number
        self.at = self.name + ":0.0"

    def say(self, step, seen):
        print(self.n, step, repr(seen), flush=True)

    def run(self, command):
        """Types COMMAND, waits for its end, returns what it printed."""
        word = "%s-%d" % (self.name, self.chance.randrange(10 ** 6))
        tmux("send-keys", "-t", self.at, "-l",
             "echo '<<%s'; %s; echo '>>'; tmux wait-for -S %s" % (
                 word, command, word))
        tmux("send-keys", "-t", self.at, "Enter")
        tmux("wait-for", word)
        return until(lambda: self.last(word), "the end of " + command)

    def last(self, word):
        """What the command with WORD has printed, "" before its end."""
        shown = tmux("capture-pane", "-p", "-J", "-t", self.at, "-S", "-")
        # What is typed ahead of the shell's prompt stands above it.
        found = re.findall(r"^(?:> )?<<%s\n(.*?)^>>$" % word, shown + "\n",
                           re.M | re.S)
        # The prompt behind the last one shows that it is whole.
        return (found[-1] or "nothing") if found else ""

    def types(self):
        a, b = self.chance.randrange(1000), self.chance.randrange(1000)
        self.say("sum", self.run("echo $((%d * %d))" % (a, b)))
        n = self.chance.randrange(1, 300)
        self.say("lines", self.run("seq %d | tail -n 3" % n))
        self.say("many", self.run("seq %d" % n)[-40:])
        self.say("wide", self.run("printf '你好 %d\\n'" % a))
        self.say("status", self.run("(exit %d); echo $?" % (a % 256)))
        tmux("send-keys", "-t", self.at, "clear", "Enter")
        tmux("clear-history", "-t", self.at)

    def interrupts(self):
        tmux("send-keys", "-t", self.at, "sleep 1000", "Enter")
        self.say("sleeps", until(lambda: tmux(
            "display-message", "-p", "-t", self.at, "#{pane_current_command}") == "sleep"
            and "sleep", "sleep"))
        tmux("send-keys", "-t", self.at, "C-c")
        self.say("interrupted", until(lambda: tmux(
            "display-message", "-p", "-t", self.at, "#{pane_current_command}") != "sleep"
            and "a shell", "the shell"))

    def pastes(self):
        text = "".join(self.chance.choice("abc def-é好") for _ in range(200))
        tmux("load-buffer", "-b", self.name, "-", text=text.encode())
        tmux("send-keys", "-t", self.at, "cat >f%d" % self.n, "Enter")
        until(lambda: tmux("display-message", "-p", "-t", self.at,
                           "#{pane_current_command}") == "cat", "cat")
        tmux("paste-buffer", "-b", self.name, "-d", "-t", self.at)
        tmux("send-keys", "-t", self.at, "Enter", "C-d")
        until(lambda: tmux("display-message", "-p", "-t", self.at,
                           "#{pane_current_command}") != "cat", "the shell")
        self.say("pasted", self.run("cksum <f%d; rm f%d" % (self.n, self.n)))
        self.say("buffer", tmux("show-buffer", "-b", self.name))

    def windows(self):
        for _ in range(self.chance.randrange(1, 5)):
            tmux("split-window", "-d", "-t", self.name, self.chance.choice("-h -v".split()), "cat")
        tmux("new-window", "-d", "-t", self.name, "-n", "second", "cat")
        tmux("select-layout", "-t", self.name + ":0", self.chance.choice(
            "tiled even-vertical main-horizontal even-horizontal".split()))
        tmux("resize-window", "-t", self.name + ":0", "-x", str(self.chance.randrange(40, 200)),
             "-y", str(self.chance.randrange(20, 60)))
        self.say("windows", tmux(
            "list-panes", "-s", "-t", self.name, "-F",
            "#{window_index}.#{pane_index} #{window_name} #{pane_width}x#{pane_height}"
            " #{pane_left},#{pane_top}"))
        tmux("respawn-pane", "-k", "-t", self.name + ":second.0", "echo again; exec cat")
        self.say("respawned", until(lambda: tmux(
            "capture-pane", "-p", "-t", self.name + ":second.0").strip(), "again"))

    def listens(self):
        c = self.control
        c.command("display-message -p begin")
        c.take()
        c.command("switch-client -t " + self.name)
        self.say("panes", c.command("list-panes -s -F '#{pane_index} #{pane_active}'"))
        self.say("read", c.command("capture-pane -p -t %s:second.0" % self.name)[:1])
        c.command("rename-window -t %s:second third" % self.name)
        c.command("send-keys -t %s:third.0 -l word%d" % (self.name, self.n))
        self.say("echo", until(lambda: any(
            "word%d" % self.n in x for x in c.command(
                "capture-pane -p -t %s:third.0" % self.name)) and "word", "word"))
        self.say("error", c.command("select-pane -t %s:9.9" % self.name))
        self.say("notes", c.take())
        c.command("switch-client -t agent")
        c.take()

    def go(self):
        tmux("new-session", "-d", "-s", self.name, "-x", "80", "-y", "24",
             "env PS1='> ' sh")
        until(lambda: tmux("capture-pane", "-p", "-t", self.at).strip(), "the prompt")
        self.types()
        self.interrupts()
        self.pastes()
        self.windows()
        self.listens()
        tmux("kill-session", "-t", self.name)
        self.say("left", tmux("list-sessions", "-F", "#{session_name}"))


def memory():
    pid = tmux("display-message", "-p", "#{pid}")
    with open("/proc/%s/status" % pid) as f:
        return int(re.search(r"VmRSS:\s+(\d+)", f.read())[1])


def agent(seconds, rounds):
    begin = time.monotonic()
    tmux("new-session", "-d", "-s", "agent", "-x", "80", "-y", "24", "cat")
    tmux("set-option", "-g", "automatic-rename", "off")
    control, n, early = Control(), 0, 0
    while n < rounds and time.monotonic() - begin < seconds:
        n += 1
        Round(n, control).go()
        if n == 5:
            early = memory()
    late = memory()
    print("control", control.end())
    print("done: %d rounds in %d s, server %d KiB at round 5, %d KiB at the end" % (
        n, time.monotonic() - begin, early, late))


def outcomes(name):
    with open(name, encoding="utf-8") as f:
        lines = f.read().splitlines()
    if not lines or not lines[-1].startswith("done: "):
        raise SystemExit("%s ends with %r" % (name, lines[-1:]))
    return [x for x in lines if re.match(r"\d+ ", x)], lines[-2:]


def compare(a, b):
    """Whole rounds that both did must have the same outcome."""
    left, end_left = outcomes(a)
    right, end_right = outcomes(b)
    n = min(len(left), len(right))
    different = [(x, y) for x, y in zip(left[:n], right[:n]) if x != y]
    for x, y in different[:20]:
        print("-", x)
        print("+", y)
    vain = [x for x in left + right if "waited in vain" in x]
    print(*vain[:20], sep="\n")
    print(end_left, end_right, "%d outcomes compared, %d differ" % (n, len(different)))
    sys.exit(n == 0 or bool(different) or bool(vain) or end_left[0] != end_right[0])


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3])
    agent(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10 ** 9)
