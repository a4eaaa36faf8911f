#!/usr/bin/env python3
"""Draws captured terminal screens (stdin) as an SVG picture (stdout).

    ansi2svg.py [-l] [-f N]     -l: black on white
                                -f N: frame N alone, as a still picture

A line that begins with a form feed starts a frame:

    \\fMILLISECONDS COLUMN ROW CAPTION

It gives the time of the frame, the cell of the cursor (- - if hidden) and a
caption below the screen.  The screen follows, as `capture-pane -ep` prints it:
text with SGR sequences.  Several frames become one animation, which repeats.
Each row of the screen is a strip of the texts that it shows in turn; CSS
moves the strip.  Standard library only.
"""
import html
import re
import sys
import unicodedata

CW, CH, PAD = 9, 19, 12
HOLD = 3500  # ms for which the last frame stays
BASE = ["#1d1f21", "#cc6666", "#8fae5d", "#e0b252", "#6f9bc2", "#a884b5",
        "#6fb3ab", "#c5c8c6", "#6b6f73", "#e07a7a", "#aecb78", "#f0c674",
        "#81a2be", "#b294bb", "#8abeb7", "#ffffff"]
LIGHT = ["#2e3436", "#cc0000", "#4e9a06", "#c4a000", "#3465a4", "#75507b",
         "#24787a", "#d6d6d2", "#7b7f83", "#c8494b", "#658f25", "#a97c15",
         "#3d78ad", "#9160a3", "#2f8e90", "#ffffff"]
PAPER = {"fg": BASE[7], "bg": BASE[0]}
FONT = ("font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,"
        "'DejaVu Sans Mono',monospace\" font-size=\"15\"")
# Sides of the cell to which a line goes from its middle.
LINES = {"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu",
         "├": "rud", "┤": "lud", "┬": "lrd", "┴": "lru", "┼": "lrud",
         "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu"}
PLAIN = {"fg": None, "bg": None, "bold": False, "dim": False,
         "rev": False, "ul": False}
SWITCH = {1: ("bold", True), 2: ("dim", True), 4: ("ul", True),
          7: ("rev", True), 24: ("ul", False), 27: ("rev", False),
          39: ("fg", None), 49: ("bg", None)}


def colour(n):
    """Entry N of the palette of 256 colours."""
    if n < 16:
        return BASE[n]
    if n >= 232:
        return "#%02x%02x%02x" % ((8 + (n - 232) * 10,) * 3)
    n -= 16
    part = [0, 95, 135, 175, 215, 255]
    return "#%02x%02x%02x" % (part[n // 36], part[n // 6 % 6], part[n % 6])


def sgr(codes, st):
    """Applies the parameters of one SGR sequence to the style ST."""
    i = 0
    while i < len(codes):
        c = codes[i]
        if c == 0:
            st.update(PLAIN)
        elif c == 22:
            st["bold"] = st["dim"] = False
        elif c in SWITCH:
            st[SWITCH[c][0]] = SWITCH[c][1]
        elif c // 10 in (3, 9) and c % 10 < 8:
            st["fg"] = BASE[c - (30 if c < 90 else 82)]
        elif c // 10 in (4, 10) and c % 10 < 8:
            st["bg"] = BASE[c - (40 if c < 100 else 92)]
        elif c in (38, 48) and i + 1 < len(codes):
            key = "fg" if c == 38 else "bg"
            if codes[i + 1] == 5 and i + 2 < len(codes):
                st[key] = colour(codes[i + 2])
                i += 2
            elif codes[i + 1] == 2 and i + 4 < len(codes):
                st[key] = "#%02x%02x%02x" % tuple(codes[i + 2:i + 5])
                i += 4
        i += 1


def runs(line, st):
    """[(column, cells, text, style)] of one line; ST is carried on."""
    out, x = [], 0
    for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
        if part.startswith("\x1b["):
            sgr([int(c) for c in re.findall(r"\d+", part) or ["0"]], st)
            continue
        part = re.sub(r"\x1b\][^\x1b]*\x1b\\|[\x0e\x0f]", "", part)
        for ch in part:
            w = 2 if unicodedata.east_asian_width(ch) in "WF" else 1
            style = tuple(st.items())
            if out and out[-1][3] == style and w == 1 == out[-1][4]:
                at, n, text = out[-1][:3]
                out[-1] = (at, n + 1, text + ch, style, w)
            else:
                out.append((x, w, ch, style, w))
            x += w
    return [(at, n, text, dict(style)) for at, n, text, style, _ in out], x


def lines_path(at, what):
    """The path of the box-drawing characters in a text from column AT on."""
    out, end = [], None
    for i, ch in enumerate(what):
        x, sides = (at + i) * CW, LINES.get(ch, "")
        if "l" in sides or "r" in sides:
            begin = x if "l" in sides else x + CW // 2
            if end == begin:  # goes on
                out.pop()
            else:
                out.append("M%d %d.5" % (begin, CH // 2))
            end = x + (CW if "r" in sides else CW // 2 + 1)
            out.append("H%d" % end)
        else:
            end = None
        if "u" in sides or "d" in sides:
            out.append("M%d.5 %sV%s" % (
                x + CW // 2, "0" if "u" in sides else "%d.5" % (CH // 2),
                CH if "d" in sides else "%d.5" % (CH // 2)))
            end = None
    return "".join(out)


def row_svg(line, cursor, st):
    """One row, with its top at 0."""
    cells, _ = runs(line, st)
    back, text = [], []
    for at, n, what, style in cells:
        fg, bg = style["fg"] or PAPER["fg"], style["bg"] or PAPER["bg"]
        if style["rev"]:
            fg, bg = bg, fg
        if bg != PAPER["bg"]:
            back.append('<path fill="%s" d="M%d 0h%dv%dh-%dz"/>' % (
                bg, at * CW, n * CW, CH, n * CW))
        path = lines_path(at, what) if n == len(what) else ""
        if path:
            text.append('<path fill="none" stroke="%s" d="%s"/>' % (fg, path))
            what = "".join(" " if ch in LINES else ch for ch in what)
        # The viewer's font may be narrower or wider than a cell.
        for m in re.finditer(r"\S+(?: \S+)*", what):
            length = len(m.group(0))
            text.append('<text x="%d" y="14"%s%s%s%s%s>%s</text>' % (
                (at + m.start()) * CW,
                ' textLength="%d"' % (length * CW)
                if length > 1 and n == len(what) else "",
                ' fill="%s"' % fg if fg != PAPER["fg"] else "",
                ' font-weight="bold"' if style["bold"] else "",
                ' fill-opacity=".6"' if style["dim"] else "",
                ' text-decoration="underline"' if style["ul"] else "",
                html.escape(m.group(0), quote=False)))
    if cursor is not None:
        back.append('<path fill="#d0a050" fill-opacity=".75" '
                    'd="M%d 1h%dv%dh-%dz"/>' % (cursor * CW, CW, CH - 2, CW))
    return "".join(back + text)


def frames(text):
    """[(milliseconds, cursor or None, caption, [line])]."""
    if not text.startswith("\f"):
        text = "\f0 - - \n" + text
    out = []
    for part in text.split("\f")[1:]:
        head, _, body = part.partition("\n")
        at, x, y, caption = (head + " ").split(" ", 3)
        cursor = None if x == "-" else (int(x), int(y))
        out.append((int(at), cursor, caption.strip(), body.split("\n")[:-1]
                    if body.endswith("\n") else body.split("\n")))
    return out


def strips(shown, rows):
    """For each row and the caption: [(milliseconds, SVG)], changes only."""
    out = [[] for _ in range(rows + 1)]
    for at, cursor, caption, lines in shown:
        st = dict(PLAIN)
        for y in range(rows):
            svg = row_svg(lines[y] if y < len(lines) else "",
                          cursor[0] if cursor and cursor[1] == y else None, st)
            if not out[y] or out[y][-1][1] != svg:
                out[y].append((at, svg))
        svg = '<text x="0" y="16" class="c">%s</text>' % html.escape(caption)
        if not out[rows] or out[rows][-1][1] != svg:
            out[rows].append((at, svg))
    return out


def picture(shown):
    rows = max(len(f[3]) for f in shown)
    cols = max(runs(line, dict(PLAIN))[1] for f in shown for line in f[3])
    first, last = shown[0][0], shown[-1][0] + HOLD
    captions = any(f[2] for f in shown)
    style, body = [], []
    for y, strip in enumerate(strips(shown, rows)):
        if y == rows and not captions:
            break
        top = PAD + y * CH + (PAD if y == rows else 0)
        seen, keys = [], []
        for at, svg in strip:
            if svg not in seen:
                seen.append(svg)
            keys.append("%.2f%%{transform:translateY(-%dpx)}" % (
                (at - first) * 100 / (last - first), seen.index(svg) * 24))
        inner = "".join('<g transform="translate(0 %d)">%s</g>' % (
            i * 24, svg) if i else svg for i, svg in enumerate(seen))
        if len(seen) > 1:
            style.append("@keyframes r%d{%s}" % (y, "".join(keys)))
            inner = '<g class="a" style="animation-name:r%d">%s</g>' % (
                y, inner)
        if inner:
            body.append('<svg x="%d" y="%d" width="%d" height="%d">%s</svg>' % (
                PAD, top, cols * CW, CH if y < rows else 24, inner))
    width = cols * CW + 2 * PAD
    height = rows * CH + 2 * PAD
    whole = height + (24 if captions else 0)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
           'viewBox="0 0 %d %d" %s fill="%s">' % (
               width, whole, width, whole, FONT, PAPER["fg"]), "<style>",
           ".a{animation:%.1fs step-end infinite}" % ((last - first) / 1000),
           ".c{fill:#888;font-family:sans-serif;font-weight:bold}"]
    out += style
    out += ["</style>", '<rect width="%d" height="%d" rx="8" fill="%s"/>' % (
        width, height, PAPER["bg"])]
    return "\n".join(out + body + ["</svg>"])


def main():
    args = sys.argv[1:]
    shown = frames(sys.stdin.read().rstrip("\n") + "\n")
    if args[:1] == ["-l"]:
        args.pop(0)
        BASE[:] = LIGHT
        PAPER.update(fg=LIGHT[0], bg="#fafaf8")
    if args[:1] == ["-f"]:
        shown = [shown[int(args[1])]]
    print(picture(shown))


main()
