#!/usr/bin/env python3
"""ansi2svg.py - a terminal's text with SGR (stdin) as SVG (stdout).

What `tmux capture-pane -ep` prints of a real run becomes a picture; see
scripts/screenshot.sh.  Standard library only.
"""
import html
import re
import sys
import unicodedata

CW, CH, PAD = 9, 19, 12
BASE = ["#1d1f21", "#cc6666", "#8fae5d", "#e0b252", "#6f9bc2", "#a884b5",
        "#6fb3ab", "#c5c8c6", "#6b6f73", "#e07a7a", "#aecb78", "#f0c674",
        "#81a2be", "#b294bb", "#8abeb7", "#ffffff"]


def colour(n):
    if n < 16:
        return BASE[n]
    if n >= 232:
        v = 8 + (n - 232) * 10
        return "#%02x%02x%02x" % (v, v, v)
    n -= 16
    part = [0, 95, 135, 175, 215, 255]
    return "#%02x%02x%02x" % (part[n // 36], part[n // 6 % 6], part[n % 6])


def sgr(codes, st):
    i = 0
    while i < len(codes):
        c = codes[i]
        if c == 0:
            st.update(fg=None, bg=None, bold=False, rev=False, ul=False)
        elif c == 1:
            st["bold"] = True
        elif c == 4:
            st["ul"] = True
        elif c == 7:
            st["rev"] = True
        elif c == 22:
            st["bold"] = False
        elif c == 24:
            st["ul"] = False
        elif c == 27:
            st["rev"] = False
        elif 30 <= c <= 37:
            st["fg"] = BASE[c - 30]
        elif 90 <= c <= 97:
            st["fg"] = BASE[c - 82]
        elif 40 <= c <= 47:
            st["bg"] = BASE[c - 40]
        elif 100 <= c <= 107:
            st["bg"] = BASE[c - 92]
        elif c in (38, 48) and i + 1 < len(codes):
            key = "fg" if c == 38 else "bg"
            if codes[i + 1] == 5 and i + 2 < len(codes):
                st[key] = colour(codes[i + 2])
                i += 2
            elif codes[i + 1] == 2 and i + 4 < len(codes):
                st[key] = "#%02x%02x%02x" % tuple(codes[i + 2:i + 5])
                i += 4
        elif c == 39:
            st["fg"] = None
        elif c == 49:
            st["bg"] = None
        i += 1


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    st = dict(fg=None, bg=None, bold=False, rev=False, ul=False)
    out, width = [], 0
    for y, line in enumerate(lines):
        x = 0
        for part in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if part.startswith("\x1b["):
                codes = re.findall(r"\d+", part) or ["0"]
                sgr([int(c) for c in codes], st)
                continue
            part = re.sub(r"\x1b\][^\x1b]*\x1b\\|[\x0e\x0f]", "", part)
            for ch in part:
                w = 2 if unicodedata.east_asian_width(ch) in "WF" else 1
                fg = st["fg"] or BASE[7]
                bg = st["bg"] or BASE[0]
                if st["rev"]:
                    fg, bg = bg, fg
                px, py = PAD + x * CW, PAD + y * CH
                if bg != BASE[0]:
                    out.append('<rect x="%d" y="%d" width="%d" height="%d" '
                               'fill="%s"/>' % (px, py, w * CW, CH, bg))
                if ch != " ":
                    out.append('<text x="%d" y="%d" fill="%s"%s>%s</text>' % (
                        px, py + 14, fg,
                        ' font-weight="bold"' if st["bold"] else "",
                        html.escape(ch)))
                x += w
        width = max(width, x)
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
          'font-family="DejaVu Sans Mono" font-size="15">' % (
              width * CW + 2 * PAD, len(lines) * CH + 2 * PAD))
    print('<rect width="100%%" height="100%%" fill="%s"/>' % BASE[0])
    print("\n".join(out))
    print("</svg>")


main()
