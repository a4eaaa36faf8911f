#!/usr/bin/env python3
"""Draws the CSV of ssp_cell: throughput against self-inflicted delay.

usage: ssp_frontier.py CSV SVG
One small plot a link; delay falls to the right, as the papers draw it, so up
and to the right is better.  Needs only Python's library.
"""
import csv
import math
import sys

COLOURS = {"sprout": "#c0392b", "window": "#2471a3", "mosh": "#7d6608",
           "plain": "#616a6b"}
WIDTH, HEIGHT, GAP, COLUMNS = 300, 220, 46, 3


def plot(link, rows, left, top):
    capacity = max(float(r["capacity"]) for r in rows)
    delays = [max(float(r["self95_ms"]), 1) for r in rows]
    paper = max(float(rows[0]["paper_ms"]), 1)
    low = math.floor(math.log10(min(delays + [paper])))
    high = max(math.ceil(math.log10(max(delays + [paper]))), low + 1)

    def x(ms):
        part = (math.log10(max(ms, 1)) - low) / (high - low)
        return left + WIDTH * (1 - part)

    def y(kbits):
        return top + HEIGHT * (1 - min(kbits / capacity, 1))

    out = [f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" '
           'fill="none" stroke="#999"/>',
           f'<text x="{left}" y="{top - 6}" font-weight="bold">{link}</text>']
    for power in range(low, high + 1):
        out.append(f'<text x="{x(10 ** power):.0f}" y="{top + HEIGHT + 14}" '
                   f'text-anchor="middle">{10 ** power} ms</text>')
    out.append(f'<text x="{left - 4}" y="{top + 10}" text-anchor="end">'
               f'{capacity:.0f}</text>')
    marks = [(r["rule"], float(r["self95_ms"]), float(r["kbits"]),
              COLOURS.get(r["rule"], "#000")) for r in rows]
    marks.append(("Sprout's paper", paper, float(rows[0]["paper_kbits"]),
                  "#e59866"))
    for name, ms, kbits, colour in marks:
        out.append(f'<circle cx="{x(ms):.1f}" cy="{y(kbits):.1f}" r="5" '
                   f'fill="{colour}"/>'
                   f'<text x="{x(ms) + 7:.1f}" y="{y(kbits) + 4:.1f}">'
                   f'{name}</text>')
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    links = {}
    with open(sys.argv[1], newline="", encoding="utf-8") as f:
        for row in csv.DictReader(f):
            links.setdefault(row["link"], []).append(row)
    lines = -(-len(links) // COLUMNS)
    width = COLUMNS * (WIDTH + GAP + 60) + GAP
    height = lines * (HEIGHT + 2 * GAP) + GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{GAP}" y="18">kbit/s against self-inflicted delay '
           '(95th percentile, falling to the right)</text>']
    for i, (link, rows) in enumerate(links.items()):
        out += plot(link.replace("&", "&amp;"), rows,
                    GAP + i % COLUMNS * (WIDTH + GAP + 60),
                    GAP + i // COLUMNS * (HEIGHT + 2 * GAP))
    out.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()
