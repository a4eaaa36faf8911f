#!/usr/bin/env python3
"""Draws throughput against self-inflicted delay, one small plot a link.

usage: ssp_frontier.py SVG CSV...

The CSVs are those of ssp_pace, of tcp_link.py (the kernel's TCP), or of
ssp_cell.  Delay falls to the right, as the papers draw it, so up and to the
right is better.  Self-inflicted: the 95th percentile of the age of the newest
datagram that has come, less that of a sender who knows the link.  Sprout's
published points are drawn where its paper has the link.  Needs only Python's
library.
"""
import csv
import math
import sys

# Colour and shape of each rule; others are black discs.
RULES = {
    "auto": ("#c0392b", "disc"), "window": ("#2471a3", "disc"),
    "follow": ("#e67e22", "disc"), "sprout": ("#1e8449", "disc"),
    "remy": ("#7d3c98", "square"), "remy-0.1": ("#bb8fce", "square"),
    "remy-10": ("#4a235a", "square"), "remy-cell": ("#d81b60", "square"),
    "mosh": ("#7d6608", "disc"), "plain": ("#616a6b", "disc"),
    "cubic": ("#000000", "cross"), "bbr": ("#5d6d7e", "cross"),
    "Sprout's paper": ("#1e8449", "ring"),
}
# Kernel's, as they are named in the legend.
NAMES = {"cubic": "cubic (Linux)", "bbr": "BBR (Linux)", "plain": "Reno"}
PAPER = {  # kbit/s, ms: Winstein and others, NSDI 2013
    "Verizon LTE down": (4741, 73), "Verizon LTE up": (3703, 332),
    "Verizon EV-DO down": (209, 1287), "Verizon EV-DO up": (239, 199),
    "AT&T LTE down": (2304, 52), "AT&T LTE up": (412, 127),
    "T-Mobile UMTS down": (680, 331), "T-Mobile UMTS up": (370, 136),
}
WIDTH, HEIGHT, GAP, COLUMNS = 300, 200, 46, 3


def mark(shape, x, y, colour):
    if shape == "square":
        return (f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" '
                f'fill="{colour}"/>')
    if shape == "cross":
        return (f'<path d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10" '
                f'stroke="{colour}" stroke-width="2.5"/>')
    fill = "none" if shape == "ring" else colour
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{fill}" '
            f'stroke="{colour}" stroke-width="2"/>')


def plot(link, rows, left, top):
    capacity = max(r["capacity"] for r in rows)
    points = [(r["rule"], r["self95"], r["kbits"]) for r in rows]
    if link in PAPER:
        points.append(("Sprout's paper", PAPER[link][1], PAPER[link][0]))
    delays = [max(p[1], 10) for p in points]
    low = math.floor(math.log10(min(delays)))
    high = max(math.ceil(math.log10(max(delays))), low + 1)

    def x(ms):
        part = (math.log10(max(ms, 10)) - low) / (high - low)
        return left + WIDTH * (1 - part)

    def y(kbits):
        return top + HEIGHT * (1 - min(kbits / capacity, 1))

    name = link.replace("&", "&amp;")
    out = [f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" '
           'fill="none" stroke="#999"/>',
           f'<text x="{left}" y="{top - 6}" font-weight="bold">{name}</text>']
    for power in range(low, high + 1):
        out.append(f'<text x="{x(10 ** power):.0f}" y="{top + HEIGHT + 14}" '
                   f'text-anchor="middle">{10 ** power} ms</text>')
    out.append(f'<text x="{left - 4}" y="{top + 10}" text-anchor="end">'
               f'{capacity:.0f}</text>')
    for rule, ms, kbits in points:
        colour, shape = RULES.get(rule, ("#000", "disc"))
        out.append(mark(shape, x(ms), y(kbits), colour))
    return out


def read(paths):
    """{link: rows}; the kernel's ages become delays by those of ssp_pace."""
    links, best = {}, {}
    for path in paths:
        with open(path, newline="", encoding="utf-8") as f:
            for r in csv.DictReader(f):
                row = {"rule": r["rule"], "kbits": float(r["kbits"]),
                       "capacity": float(r["capacity"])}
                if "self95_ms" in r:
                    row["self95"] = float(r["self95_ms"])
                else:
                    row["age95"] = float(r["age95_ms"])
                if "best95_ms" in r:
                    best[r["link"]] = float(r["best95_ms"])
                if r["rule"] != "-":
                    links.setdefault(r["link"].replace(" (short)", ""),
                                     []).append(row)
    for link, rows in links.items():
        for row in rows:
            if "self95" not in row:
                row["self95"] = row["age95"] - best.get(link, 20)
    return links


def legend(rules, left, top):
    out = []
    for i, rule in enumerate(rules):
        colour, shape = RULES.get(rule, ("#000", "disc"))
        x, y = left + i % 7 * 150, top + i // 7 * 20
        out.append(mark(shape, x, y - 4, colour))
        out.append(f'<text x="{x + 10}" y="{y}">{NAMES.get(rule, rule)}'
                   '</text>')
    return out


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    links = read(sys.argv[2:])
    used = [r for r in RULES if any(row["rule"] == r for rows in links.values()
                                    for row in rows)]
    if any(link in PAPER for link in links):
        used.append("Sprout's paper")
    lines = -(-len(links) // COLUMNS)
    width = COLUMNS * (WIDTH + GAP + 60) + GAP
    height = lines * (HEIGHT + 2 * GAP) + GAP + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{height}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{GAP}" y="18">kbit/s against self-inflicted delay '
           '(95th percentile, falling to the right)</text>']
    out += legend(used, GAP + 6, 40)
    for i, (link, rows) in enumerate(links.items()):
        out += plot(link, rows, GAP + i % COLUMNS * (WIDTH + GAP + 60),
                    GAP + 50 + i // COLUMNS * (HEIGHT + 2 * GAP))
    out.append("</svg>")
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


main()
