#!/usr/bin/env python3
"""xterm-random.py - random byte streams for xterm-compare.sh.

    xterm-random.py [-w] SEED COUNT     cases as in xterm.cases
    xterm-random.py -s OUTPUT [COMPARE] shrinks the differing cases that
                                        xterm-compare.sh printed into OUTPUT

The grammar leaves out what xterm.known explains: combining characters, C1,
bold with a colour (xterm reports it bright), SS2 and SS3 (xterm prints a wide
character again), guarded areas, reverse wrap, DECFRA in graphics, DECERA with
attributes and DECCRA over cells that were never written.  -w adds wide
characters: xterm leaves what stood in a last column that one of them does not
fit in, and halves of those that are cut, so such differences remain.
"""
import random
import re
import subprocess
import sys
import tempfile

COLS, ROWS = 20, 6
MOVES = "ABCDEFG@IJKLMPSXZ`abdeg"


class Stream:
    def __init__(self, seed, wide):
        self.r = random.Random(seed)
        self.wide = wide
        self.saved = False

    def number(self, high):
        some = str(self.r.randint(0, high))
        return self.r.choice(["", "0", "1", "2", "3", some, some])

    def rect(self):
        r = self.r
        left, right = sorted([r.randint(1, COLS), r.randint(1, COLS + 1)])
        return "%d;%d;%d;%d" % (r.randint(1, ROWS), left,
                                r.randint(1, ROWS + 1), right)

    def text(self):
        r = self.r
        n = r.choice([1, 2, 3, 5, 8, COLS - 1, COLS, COLS + 1, 25])
        s = "".join(r.choice("abcdefgXYZ0123 ") for _ in range(n))
        if self.wide and r.random() < .5:
            s += "".join(r.choice("漢字あ가") for _ in range(r.randint(1, 4)))
        return s

    def control(self):
        return self.r.choice(["\\r", "\\n", "\\t", "\\b", "\\v", "\\r\\n",
                              "\\n", "\\016", "\\017"])

    def escape(self):
        if self.r.random() < .2:
            # To restore what was never saved ends the rendition but not, in
            # xterm, the colours that a later SGR brings back.
            self.saved = not self.saved
            return "\\0337" if self.saved else "\\0338"
        return "\\033" + self.r.choice(["D", "E", "H", "M", "6", "9", "(B",
                                        ")0", ")B", "n", "o", "#8"])

    def move(self):
        return "\\033[%s%s" % (self.number(COLS + 1), self.r.choice(MOVES))

    def scroll_down(self):
        return "\\033[%sT" % self.r.choice(["", "1", "2", "3", "9"])

    def place(self):
        some = [self.number(COLS + 1) for _ in range(self.r.randint(1, 2))]
        return "\\033[%s%s" % (";".join(some), self.r.choice("HHf"))

    def mode(self):
        return "\\033[" + self.r.choice(
            ["?1", "?5", "?6", "?7", "?69", "4", "20", "?1047", "?47",
             "?40"]) + self.r.choice("hl")

    def margins(self):
        r = self.r
        if r.random() < .4:
            return "\\033[?69h\\033[%d;%ds" % (r.randint(1, 10),
                                              r.randint(2, COLS))
        if r.random() < .2:
            return "\\033[r"
        return "\\033[%d;%dr" % (r.randint(1, 5), r.randint(2, ROWS))

    def pen(self):
        return "\\033[%sm" % self.r.choice(
            ["0", "4", "7", "31", "42", "4;7", "24", "27", "38;5;123",
             "48;5;200", "39", "49", "93", "104"])

    def rare(self):
        r = self.r
        return "\\033[" + r.choice([
            self.number(2) + '"q', "?%sJ" % self.number(2),
            "?%sK" % self.number(2), self.rect() + "${",
            "88;" + self.rect() + "$x", self.rect() + ";4$r",
            self.rect() + ";4$t", self.number(5) + "'}",
            self.number(5) + "'~", self.number(5) + " @",
            self.number(5) + " A", "!p", self.number(8) + "b"])

    def case(self):
        kinds = ([self.text] * 30 + [self.control] * 10 + [self.escape] * 10 +
                 [self.move] * 25 + [self.scroll_down] * 2 +
                 [self.place] * 7 + [self.mode] * 4 + [self.margins] * 5 +
                 [self.pen] * 3 + [self.rare] * 6)
        self.saved = False
        return "".join(self.r.choice(kinds)()
                       for _ in range(self.r.randint(4, 24)))


TOKEN = re.compile(r"""\\033(?:\[[0-9;?]*[ '"$!]*[@-~]|[()#].|.)"""
                   r"|\\0\d\d|\\[a-z]|.")


def differing(text):
    """name -> bytes, of what xterm-compare.sh printed."""
    return dict(re.findall(r"^== (\S+) \| (.*)$", text, re.M))


def compare(script, cases):
    with tempfile.NamedTemporaryFile("w", suffix=".cases") as f:
        for name, tokens in cases.items():
            f.write("%s | %s\n" % (name, "".join(tokens)))
        f.flush()
        run = subprocess.run([script, f.name], capture_output=True, text=True)
    return run.stdout


def shrink(script, cases):
    """Takes tokens away for as long as the screens differ."""
    step = {n: max(1, len(t) // 2) for n, t in cases.items()}
    done = {}
    while cases:
        tries, now = {}, {}
        for name, t in cases.items():
            for i in range(0, len(t), step[name]):
                tries["%s#%d" % (name, i)] = t[:i] + t[i + step[name]:]
        bad = differing(compare(script, tries))
        for name, t in cases.items():
            hit = [i for i in range(0, len(t), step[name])
                   if "%s#%d" % (name, i) in bad]
            if hit:
                now[name] = tries["%s#%d" % (name, hit[0])]
                step[name] = max(1, min(step[name], len(now[name]) // 2))
            elif step[name] > 1:
                now[name], step[name] = t, step[name] // 2
            else:
                done[name] = t
        cases = now
    return done


def main(args):
    if args and args[0] == "-s":
        script = args[2] if len(args) > 2 else "regress/ref/xterm-compare.sh"
        with open(args[1]) as f:
            bad = differing(f.read())
        done = shrink(script, {n: TOKEN.findall(s) for n, s in bad.items()})
        print(compare(script, done), end="")
        return
    wide = args[0] == "-w"
    seed, count = args[wide:wide + 2]
    stream = Stream(int(seed), wide)
    for i in range(int(count)):
        print("r%s-%d | %s" % (seed, i, stream.case()))


if __name__ == "__main__":
    main(sys.argv[1:])
