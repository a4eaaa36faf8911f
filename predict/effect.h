/*
 * predict/effect.h - what keys do to a screen that they do not edit.
 *
 * Purpose:   remembers which keys select another row of a list (the rendition
 *            or a mark of two rows is exchanged, a number counts), which empty
 *            a field, and which change nothing at the cursor.
 * Ownership: a plain value of fixed size. It holds renditions, marks and
 *            places, no text of rows.
 * Units:     cells, 0-based; chances 0..1.
 * Errors:    none; the least recently used key makes room.
 * Tests:     regress/predict/60_effect.predict
 */
#ifndef PREDICT_EFFECT_H
#define PREDICT_EFFECT_H

#include "mux/vt/frame.h"
#include "predict/context.h"

#define EFFECT_KEYS 16
#define EFFECT_ROWS 64     /* of a screen, that are remembered */
#define EFFECT_SCROLLS 255 /* a row at which the list scrolls */
#define EFFECT_PENS 8
#define EFFECT_MARKS 4
#define EFFECT_COUNTS 2

/* How a selected row differs from the others. */
struct effect_look {
	bool known;
	unsigned col;  /* a column that tells */
	unsigned to;   /* columns behind the text that change end here */
	unsigned row;  /* the selected one, as last seen */
	uint64_t bars; /* rows that look so, but are no choice, as bits */
	unsigned npens;
	struct effect_pen {
		struct pen off, on;
		bool text; /* of text; else of the blanks around it */
	} pen[EFFECT_PENS];
	unsigned nmarks;
	struct effect_mark {
		unsigned col;
		uint32_t off, on;
	} mark[EFFECT_MARKS];
};

struct effect {
	uint64_t key; /* 0: free */
	uint64_t used;
	struct context_score stays; /* text and cursor stay */
	/* Another row is selected: BY rows away, or TO[row] - 1. */
	int by;
	uint8_t to[EFFECT_ROWS];
	struct context_score picks;
	bool follows; /* the cursor goes with the selection */
	/* It changed nothing with the cursor, and the selection, there. */
	struct effect_place {
		unsigned x, y;
		int row;
	} idle;
	unsigned idles; /* times in a row; 0: other effects only */
	unsigned ncounts;
	struct effect_count {
		unsigned row, col;
		int step;
	} count[EFFECT_COUNTS];
	/* The row is blank, or FILL, from COL on, and the cursor there. */
	struct context_score clears;
	unsigned col, row;
	uint32_t fill;
};

struct effect_table {
	uint64_t clock;
	unsigned deaf; /* letters in a row that changed nothing */
	struct effect_look look;
	struct effect effect[EFFECT_KEYS];
};

/* Returns what the key with this hash (not 0) does; NULL: unknown. */
const struct effect *effect_find(const struct effect_table *t, uint64_t key);

/*
 * Learns from frame F, which differs from B by TIMES presses of the key alone.
 * Returns whether that explains all of F.
 */
bool effect_learn(struct effect_table *t, uint64_t key, unsigned times,
    const struct vt_frame *b, const struct vt_frame *f);

/* Returns the row that is selected in F; -1: none, or unknown. */
int effect_row(const struct effect_table *t, const struct vt_frame *f);

/* Returns the row that E selects when ROW of F is selected; -1: unknown. */
int effect_target(
    const struct effect *e, const struct vt_frame *f, unsigned row);

/*
 * Returns whether E changed nothing at least N times, the last ones, with the
 * cursor at X, Y and the same row of F selected.
 */
bool effect_idle(const struct effect_table *t, const struct effect *e,
    const struct vt_frame *f, unsigned x, unsigned y, unsigned n);

/* Return the chances that E leaves text alone, selects, and empties. */
double effect_stays(const struct effect *e);
double effect_picks(const struct effect *e);
double effect_clears(const struct effect *e);

/*
 * Draws in F that row TO is selected, not row FROM. Returns false, and may have
 * drawn a part, if the rows do not look as expected.
 */
bool effect_draw(const struct effect_table *t, struct vt_frame *f,
    unsigned from, unsigned to);

/*
 * Draws the numbers that E counts; returns false if one of them would pass its
 * end.
 */
bool effect_count(const struct effect *e, struct vt_frame *f);

#endif
