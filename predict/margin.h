/*
 * predict/margin.h - where and how a program breaks lines of text.
 *
 * Purpose:   remembers, for a window on a surface, at which columns typed text
 *            stayed in its row and at which the program moved the end of it to
 *            another row, and how that row looked; says how likely the next
 *            character stays.
 * Ownership: a plain value of fixed size. It holds columns, no text.
 * Units:     cells, 0-based; an extent is the first column after the text;
 *            chances 0..1.
 * Errors:    none; a contradiction forgets the older observation.
 * Tests:     regress/unit/check_predict_margin.c
 */
#ifndef PREDICT_MARGIN_H
#define PREDICT_MARGIN_H

#include <stdbool.h>

#include "base/compiler.h"
#include "predict/context.h"
#include "predict/params.h"

/* Programs treat a blank at the margin differently from other text. */
enum margin_class {
	MARGIN_TEXT,
	MARGIN_BLANK,
	MARGIN_CLASSES,
};

/* The part of the row that moves to the new one with the character typed. */
enum margin_carry {
	MARGIN_AFTER, /* nothing; the cursor goes to the new row */
	MARGIN_CHAR,  /* the character alone */
	MARGIN_WORD,  /* the word that it ends */
	MARGIN_HANG,  /* no new row: a blank is not shown, the cursor stays */
	MARGIN_SLIDE, /* no new row: the text moves left in its row */
	MARGIN_LOST,  /* unknown */
};

/* Where the text of a new row begins, by the row that was broken. */
struct margin_start {
	bool known;
	unsigned indent; /* of the broken row */
	unsigned mark;   /* its first character, if that is no letter */
	unsigned left;
	bool copies; /* the columns before LEFT from the broken row */
};

struct margin {
	bool used;
	bool wraps;      /* a full row went on in the next one */
	unsigned window; /* first column of the window */
	unsigned area;   /* least column at which the cursor was seen */
	unsigned stays[MARGIN_CLASSES];  /* greatest extent that stayed */
	unsigned breaks[MARGIN_CLASSES]; /* least that did not; 0: none */
	/* Columns before BREAKS where it may be: several keys came at once. */
	unsigned vague[MARGIN_CLASSES];
	enum margin_carry carry[MARGIN_CLASSES];
	/* Extent at which a blank moved nothing because its word fitted; 0 */
	unsigned fits;
	struct margin_start start[PREDICT_MARGIN_STARTS];
	unsigned nstarts;
	unsigned up_y;    /* row that has none below: the rows above move up */
	unsigned up_rows; /* rows that move; 0: not seen */
	unsigned up_by;   /* rows by which they move */
	unsigned ups;     /* times in a row that it was so */
	unsigned opens;   /* times in a row that OPEN was so */
	unsigned slide;   /* columns of MARGIN_SLIDE */
	bool jumps;       /* from a full field to another one */
	unsigned slides;  /* times in a row that it was so */
	unsigned open;    /* as in struct context_enter, for other rows */
	unsigned deep;    /* greatest row at which the cursor was seen */
	unsigned seen;    /* where the longest row of other text ends; 0: few */
	/* Words that backspace moved back to the row above, or did not. */
	struct context_score soft;
	/* Outcomes of breaks predicted, for rows that go down and up. */
	double hit[2], miss[2];
};

/* Whether text of this class with this extent breaks, for certain or not. */
bool margin_breaks(
    const struct margin *m, enum margin_class class, unsigned extent);

/*
 * Returns the chance that text with this extent stays in its row, if it did one
 * column before. FULL: the
 * columns of the row. SCREEN: a full-screen program, which may break anywhere.
 */
double margin_stays(const struct margin *m, enum margin_class class,
    unsigned extent, unsigned full, bool screen);

/*
 * Returns the chance that a break of row Y, of ROWS, is right as predicted.
 */
double margin_chance(const struct margin *m, unsigned y, unsigned rows);

/* Returns how text begins after a break of a row; NULL if unknown. */
const struct margin_start *margin_start(
    const struct margin *m, unsigned indent, unsigned mark);

/*
 * Record that text stayed, that it broke, and the outcome of a prediction.
 * VAGUE: it may have broken up to so many columns before.
 */
void margin_stayed(struct margin *m, enum margin_class class, unsigned extent);
void margin_broke(struct margin *m, enum margin_class class, unsigned extent,
    unsigned vague, enum margin_carry carry);
void margin_began(struct margin *m, unsigned indent, unsigned mark,
    unsigned left, bool copies);
void margin_score(struct margin *m, unsigned y, bool right);

#endif
