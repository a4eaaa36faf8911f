#!/usr/bin/env python3
"""unicode_new.py FOLDER [LIBRARY]: prints base/unicode_new.def.
unicode_new.py -v FOLDER: prints base/emoji_vs16.def; -a: base/ambiguous.def.

FOLDER holds the Unicode Character Database (Debian: unicode-data); LIBRARY is
the oldest utf8proc that rmux supports.  The table has the code points whose
break class (UAX #29) or width differs between the two, so that clusters and
widths do not depend on the age of the library.  It leaves conjuncts (GB9c) to
the library: terminals that lack the rule give each consonant its own cell.
"""
import ctypes
import os
import re
import sys


def ranges(folder, name):
    """Yields first, last and the fields of each line of a UCD file."""
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        for line in f:
            fields = [x.strip() for x in line.split("#")[0].split(";")]
            if len(fields) < 2 or not fields[0]:
                continue
            ends = fields[0].split("..")
            yield int(ends[0], 16), int(ends[-1], 16), fields[1:]


CLASSES = {"Control": "CONTROL", "Extend": "EXTEND", "L": "L", "V": "V",
           "T": "T", "LV": "LV", "LVT": "LVT", "Regional_Indicator": "RI",
           "SpacingMark": "SPACING", "Prepend": "PREPEND", "ZWJ": "ZWJ",
           "CR": "CR", "LF": "LF"}
# By number of utf8proc's boundclass.
LIBRARY = ["OTHER", "OTHER", "CR", "LF", "CONTROL", "EXTEND", "L", "V", "T",
           "LV", "LVT", "RI", "SPACING", "PREPEND", "ZWJ", "OTHER", "OTHER",
           "OTHER", "OTHER", "PICT", "OTHER"]
COUNT = 0x110000


def classes(folder):
    gc = ["OTHER"] * COUNT
    for a, b, f in ranges(folder, "emoji/emoji-data.txt"):
        if f[0] == "Extended_Pictographic":
            gc[a:b + 1] = ["PICT"] * (b + 1 - a)
    for a, b, f in ranges(folder, "auxiliary/GraphemeBreakProperty.txt"):
        gc[a:b + 1] = [CLASSES[f[0]]] * (b + 1 - a)
    return gc


def widths(folder):
    """Widths of assigned code points, as base/grapheme.h says."""
    wide, width = [False] * COUNT, [None] * COUNT
    for a, b, f in ranges(folder, "EastAsianWidth.txt"):
        if f[0] in ("W", "F"):
            wide[a:b + 1] = [True] * (b + 1 - a)
    for a, b, f in ranges(folder, "extracted/DerivedGeneralCategory.txt"):
        for cp in range(a, b + 1):
            if f[0] in ("Mn", "Me", "Mc", "Cf", "Zl", "Zp", "Cc"):
                width[cp] = 0
            elif f[0] not in ("Cn", "Co", "Cs"):
                width[cp] = 2 if wide[cp] else 1
    return width


def version_of(folder):
    with open(os.path.join(folder, "EastAsianWidth.txt"), encoding="utf-8") as f:
        return re.search(r"-([0-9]+\.[0-9]+)\.[0-9]+\.txt", f.readline())[1]


def print_set(cps, text):
    print("/*\n * X(first, last): %s\n */" % text)
    rows = []
    for cp in sorted(cps):
        if rows and rows[-1][1] == cp - 1:
            rows[-1][1] = cp
        else:
            rows.append([cp, cp])
    for a, b in rows:
        print("X(0x%04x, 0x%04x)" % (a, b))


def emoji_vs16(folder):
    cps = set()
    path = os.path.join(folder, "emoji/emoji-variation-sequences.txt")
    with open(path, encoding="utf-8") as f:
        for line in f:
            words = line.split()
            if len(words) > 1 and words[1] == "FE0F":
                cps.add(int(words[0], 16))
    print_set(cps, "code points that VS16 (U+FE0F) turns into emoji, as in\n"
              " * Unicode %s emoji-variation-sequences.txt (%d code points)." %
              (version_of(folder), len(cps)))


def ambiguous(folder):
    cps = set()
    for a, b, f in ranges(folder, "EastAsianWidth.txt"):
        if f[0] == "A" and not 0xe000 <= a < 0xf900 and a < 0xf0000:
            cps.update(range(a, b + 1))
    print_set(cps, 'East Asian Width "Ambiguous" in Unicode %s, without the\n'
              " * private use areas (%d code points, marks included)." %
              (version_of(folder), len(cps)))


def main():
    if sys.argv[1] in ("-v", "-a"):
        {"-v": emoji_vs16, "-a": ambiguous}[sys.argv[1]](sys.argv[2])
        return
    folder = sys.argv[1]
    lib = ctypes.CDLL(sys.argv[2] if len(sys.argv) > 2 else "libutf8proc.so.2")
    lib.utf8proc_get_property.restype = ctypes.POINTER(ctypes.c_ubyte * 24)
    lib.utf8proc_unicode_version.restype = ctypes.c_char_p
    gc, width, rows = classes(folder), widths(folder), []
    for cp in range(COUNT):
        if 0xd800 <= cp < 0xe000:
            continue
        p = lib.utf8proc_get_property(cp).contents
        new = lib.utf8proc_category(cp) == 0 and width[cp] is not None
        if not new and gc[cp] == LIBRARY[p[21]]:
            continue
        # A prepended mark stands alone, too.
        w = max(width[cp], gc[cp] == "PREPEND") if new else -1
        if rows and rows[-1][1] == cp - 1 and rows[-1][2:] == [gc[cp], w]:
            rows[-1][1] = cp
        else:
            rows.append([cp, cp, gc[cp], w])
    print("/*\n * Break classes and widths of Unicode %s that differ from those "
          "of\n * utf8proc for Unicode %s: X(first, last, class, width; -1: as "
          "utf8proc\n * has it).  Written by scripts/unicode_new.py.\n */" %
          (version_of(folder), lib.utf8proc_unicode_version().decode()))
    for a, b, c, w in rows:
        print("X(0x%04x, 0x%04x, GC_%s, %d)" % (a, b, c, w))


if __name__ == "__main__":
    main()
