/*
 * base/grapheme.h - grapheme clusters and display widths.
 *
 * Purpose:   cluster boundaries (UAX #29) and widths in cells of Unicode 17,
 *            from a two-stage table built at start.
 * Ownership: struct grapheme_table is built once, then read only, and passed by
 *            pointer.
 * Units:     code points; widths 0, 1 or 2 cells.
 * Errors:    code points above U+10FFFF count as U+FFFD.
 * Source:    boundaries: UAX #29 with utf8proc's classes (GB9c only if the
 *            installed utf8proc is 2.9 or newer), and those that
 *            base/unicode_new.def adds or changes.  Widths: utf8proc's for
 *            UAX #11 and those of unicode_new.def, except that
 *             - unassigned code points of the wide blocks (CJK extension A,
 *               ideographs, compatibility ideographs, planes 2 and 3) are 2;
 *             - unassigned default ignorables are 0;
 *             - prepended marks (U+0600 ...) and U+00AD are 1 alone;
 *             - a single regional indicator is 1 (as in glibc);
 *             - C0, C1, U+2028, U+2029 are 0 (no grid contains them);
 *             - with ambiguous_wide, East Asian Ambiguous of width 1 is 2
 *               (private use stays 1, overrides can change it).
 *            Width of a cluster: the largest width of its members, except that
 *             - a pair of regional indicators is 2;
 *             - U+FE0F makes it 2 after a base of the emoji variation list
 *               (including # * 0-9, so keycaps are 2), and has no effect after
 *               any other code point;
 *             - U+FE0E never narrows;
 *             - U+0E33 U+0EB3 U+FF9E U+FF9F add 1;
 *             - the maximum is 2.
 * Tests:     regress/unit/check_grapheme.c (GraphemeBreakTest.txt and
 *            emoji-test.txt of Unicode 17, which regress/ref/peer.sh fetches)
 */
#ifndef BASE_GRAPHEME_H
#define BASE_GRAPHEME_H

#include <stdbool.h>

#include "base/compiler.h"

#define GRAPHEME_BLOCK 256u
#define GRAPHEME_BLOCKS (0x110000u / GRAPHEME_BLOCK)

/*
 * Public for grapheme_simple below: one byte for each code point, in two
 * stages.
 */
struct grapheme_table {
	uint16_t stage1[GRAPHEME_BLOCKS];
	uint8_t simple[256];     /* grapheme_simple of each byte */
	uint8_t plane0[0x10000]; /* grapheme_simple of the BMP */
	uint8_t (*blocks)[GRAPHEME_BLOCK];
};

#define GRAPHEME_OVERRIDE_MAX 4096 /* rows; more are ignored */

/* A later row wins; code points below U+00A0 keep their width. */
struct grapheme_override {
	uint32_t first;
	uint32_t last;
	uint8_t width; /* 0, 1 or 2 */
};

struct grapheme_options {
	bool ambiguous_wide; /* East Asian Ambiguous is 2 */
	const struct grapheme_override *overrides;
	size_t override_count;
	bool vs16_narrow; /* U+FE0F widens nothing */
};

/*
 * Builds a table (a few milliseconds, 110 KB); OPT may be NULL.  Free with
 * grapheme_table_free.
 */
struct grapheme_table *grapheme_table_new(const struct grapheme_options *opt);
void grapheme_table_free(struct grapheme_table *t);

/* Rebuilds T in place; its users get widths by OPT from then on. */
void grapheme_table_set(
    struct grapheme_table *t, const struct grapheme_options *opt);

/* Width of one code point on its own: 0, 1 or 2. */
int grapheme_cp_width(const struct grapheme_table *t, uint32_t cp);

/* State between two code points; zero-initialise at the start of text. */
struct grapheme_state {
	uint8_t prev;  /* class of the previous code point, 0 = start of text */
	uint8_t flags; /* regional indicator parity, emoji-ZWJ, conjunct */
};

/*
 * Steps over CP.  Returns true if a cluster boundary lies before CP (always
 * at the start of text).
 */
bool grapheme_break(
    const struct grapheme_table *t, struct grapheme_state *st, uint32_t cp);

/* grapheme_break and grapheme_cp_width with one table access. */
bool grapheme_step(const struct grapheme_table *t, struct grapheme_state *st,
    uint32_t cp, int *width);

/*
 * Returns the width of a cluster after adding CP.
 * In: width        width of the cluster so far (0 if empty)
 *     first, prev  its first and last code point so far (no rule uses
 *                  `first`)
 *     count        its number of code points so far
 */
int grapheme_width_add(const struct grapheme_table *t, int width,
    uint32_t first, uint32_t prev, size_t count, uint32_t cp);

/*
 * Returns whether no simple code point (see below) can join the text up to ST:
 * the text ends in no prepended mark, leading jamo, linker or emoji with ZWJ.
 */
bool grapheme_closed(const struct grapheme_state *st);

/*
 * Returns the width (1 or 2) of a simple code point up to U+10FFFF, else 0.  A
 * simple code point starts a new cluster at the start of text and after another
 * simple one, so a terminal can write runs of them without asking for breaks.
 */
static inline unsigned
grapheme_simple(const struct grapheme_table *t, uint32_t cp)
{
	if (likely(cp < 0x10000))
		return t->plane0[cp];
	return t->simple[t->blocks[t->stage1[cp / GRAPHEME_BLOCK]]
				  [cp % GRAPHEME_BLOCK]];
}

/*
 * Returns the bytes and sets the width of the first cluster of UTF-8 text (N at
 * least 1).  Each ill-formed part counts as U+FFFD; CR LF is one cluster of
 * width 0.
 */
size_t grapheme_next(
    const struct grapheme_table *t, const uint8_t *p, size_t n, int *width);

/* Display width of UTF-8 text by clusters. */
size_t grapheme_text_width(
    const struct grapheme_table *t, const char *s, size_t n);

#endif
