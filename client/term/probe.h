/*
 * client/term/probe.h - measures the terminal's widths of clusters on which
 * terminals disagree.
 *
 * Purpose:   at the attach, prints one concealed cluster of each class, asks
 *            after each for the cursor, and erases them. The painter then
 *            trusts the cursor after clusters of classes whose measured width
 *            is that of the cells, and addresses the cursor after all others.
 * Ownership: plain values.
 * Units:     columns; rows and columns of answers are 1-based.
 * Errors:    a terminal that does not answer leaves widths unknown: trust stays
 *            as it was.
 * Source:    Unicode 15 (grapheme clusters, East Asian Width); DSR 6 and CPR of
 *            ECMA-48.
 * Tests:     regress/unit/check_term_probe.c, regress/e2e/width.sh
 */
#ifndef CLIENT_TERM_PROBE_H
#define CLIENT_TERM_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * The row of the probe. Below the first row, CSI row ; column R cannot be F3
 * with modifiers.
 */
#define TERM_PROBE_ROW 2

/* Smaller terminals are not measured. */
#define TERM_PROBE_COLS 20

enum term_class {
	TERM_CLASS_PLAIN,     /* all terminals agree */
	TERM_CLASS_AMBIGUOUS, /* one column except in East Asian terminals */
	TERM_CLASS_WIDE,
	TERM_CLASS_EMOJI,    /* wide by itself, from a recent Unicode */
	TERM_CLASS_REGIONAL, /* half a flag */
	TERM_CLASS_FLAG,
	TERM_CLASS_VARIATION, /* an emoji through U+FE0F */
	TERM_CLASS_KEYCAP,
	TERM_CLASS_SKIN,
	TERM_CLASS_FAMILY, /* joined by U+200D */
	TERM_CLASS_JAMO,
	TERM_CLASS_ACCENT, /* a letter and a combining mark */
	TERM_CLASS_OTHER,  /* never trusted */
	TERM_CLASS_COUNT
};

/* Measured columns of a cluster of each class; 0: unknown. */
struct term_widths {
	uint8_t of[TERM_CLASS_COUNT];
};

struct term_probe {
	struct term_widths got;
	enum term_class next; /* class of the next answer; COUNT: none */
	bool asked;           /* answers are still to come */
};

/* Returns whether the cursor is where the cells say after such a cluster. */
bool term_widths_trust(
    const struct term_widths *w, const char *text, size_t n, unsigned cells);

/* Forgets earlier results and appends the questions to OUT. */
void term_probe_begin(struct term_probe *p, struct buf *out);

/*
 * Takes an answer of DSR 6; returns false if it answers no question of the
 * probe.
 */
bool term_probe_cursor(struct term_probe *p, uint32_t row, uint32_t col);

/*
 * Ends the probe when another answer comes; missing answers stay unknown.
 * Returns true if a measured width differs from an assumed one: earlier output
 * may be in the wrong columns.
 */
bool term_probe_end(struct term_probe *p);

#endif
