/*
 * client/term/probe.h - how wide the user's terminal is for what terminals
 * disagree on.
 *
 * Purpose:   prints one cluster of each class, concealed, at the attach, asks
 *            after each where the cursor is, and erases them; the painter then
 *            trusts the cursor behind clusters of the classes that are as wide
 *            as the cells say, and says where it is behind all others.
 * Ownership: plain values.
 * Units:     columns; rows and columns of answers are 1-based.
 * Errors:    a terminal that does not answer leaves widths unknown: nothing
 *            is trusted that was not before.
 * Source:    Unicode 15 (grapheme clusters, East Asian Width); DSR 6 and CPR
 *            of ECMA-48.
 * Tests:     regress/unit/check_term_probe.c, regress/e2e/width.sh
 */
#ifndef CLIENT_TERM_PROBE_H
#define CLIENT_TERM_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The row of the probe.  Below the first one CSI row ; column R cannot be F3
 * with modifiers.
 */
#define TERM_PROBE_ROW 2

/* A terminal smaller than this is not asked. */
#define TERM_PROBE_COLS 20

enum term_class {
	TERM_CLASS_PLAIN,     /* nobody disagrees */
	TERM_CLASS_AMBIGUOUS, /* one column but in East Asian terminals */
	TERM_CLASS_WIDE,
	TERM_CLASS_EMOJI,    /* wide by itself, of a recent Unicode */
	TERM_CLASS_REGIONAL, /* half a flag */
	TERM_CLASS_FLAG,
	TERM_CLASS_VARIATION, /* an emoji by U+FE0F */
	TERM_CLASS_KEYCAP,
	TERM_CLASS_SKIN,
	TERM_CLASS_FAMILY, /* joined by U+200D */
	TERM_CLASS_JAMO,
	TERM_CLASS_ACCENT, /* a letter and a combining mark */
	TERM_CLASS_OTHER,  /* never trusted */
	TERM_CLASS_COUNT
};

/* Columns that a cluster of each class takes there; 0: not known. */
struct term_widths {
	uint8_t of[TERM_CLASS_COUNT];
};

struct term_probe {
	struct term_widths got;
	enum term_class next; /* the answer that is waited for; COUNT: none */
	bool asked;           /* and its end has not come */
};

/* Whether the cursor stands where it should behind such a cluster. */
bool term_widths_trust(
    const struct term_widths *w, const char *text, size_t n, unsigned cells);

/* Forgets what was measured; what to write is added to OUT. */
void term_probe_begin(struct term_probe *p, struct buf *out);

/* The answer of DSR 6; false if it is none to a question of ours. */
bool term_probe_cursor(struct term_probe *p, uint32_t row, uint32_t col);

/*
 * An answer to a later question has come: who was silent till now stays so.
 * True if something measured is not what was taken for granted: what was
 * painted up to here may stand in the wrong columns.
 */
bool term_probe_end(struct term_probe *p);

#endif
