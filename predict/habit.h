/*
 * predict/habit.h - small habits of a program that edits text.
 *
 * Purpose:   remembers whether a program closes the brackets that it is given,
 *            whether it takes letters beyond ASCII and each punctuation mark as
 *            they are, and whether Enter removes text right of the cursor.
 * Ownership: a plain value of fixed size. It holds counts, no text.
 * Units:     chances 0..1.
 * Errors:    none.
 * Tests:     regress/unit/check_predict_habit.c
 */
#ifndef PREDICT_HABIT_H
#define PREDICT_HABIT_H

#include "predict/context.h"

#define HABIT_PAIRS 5 /* ( [ { " ' */
/* Characters of which each is remembered; the last: all beyond ASCII. */
#define HABIT_SIGNS 34

enum habit_state {
	HABIT_UNKNOWN,
	HABIT_YES,
	HABIT_NO,
};

/* Keys that go to another row or field. */
enum habit_arrow {
	HABIT_UP,
	HABIT_DOWN,
	HABIT_TAB,
	HABIT_ARROWS,
};

#define HABIT_ROWS 64 /* of a screen, that are remembered */

struct habit_move {
	int by;                    /* rows, the last time */
	uint8_t to[HABIT_ROWS];    /* row plus one to which it went from here */
	struct context_score clip; /* the column stays, or is the text's end */
	struct context_score back; /* it is the one last seen in that row */
};

struct habit {
	struct context_score pair[HABIT_PAIRS];
	struct context_score sign[HABIT_SIGNS];
	unsigned below; /* rows that the program draws below its line, */
	struct context_score rise; /* which it did, without room for them */
	struct habit_move move[HABIT_ARROWS];
	uint16_t col[HABIT_ROWS]; /* the cursor's last column plus one */
	unsigned left;            /* least one, plus one */
	/* Whether the finished line is seen above the last row at Enter there. */
	struct context_score echo;
	int right; /* > 0: text right of the line stays at Enter; < 0: goes */
};

/* Returns the pair that CP opens, or closes; -1: none. */
int habit_opens(uint32_t cp);
int habit_closes(uint32_t cp);
uint32_t habit_closer(int pair);

/* Returns whether the program closes PAIR when it is opened. */
enum habit_state habit_pairs(const struct habit *h, int pair);

/* Returns the chance that the program shows CP where others show text. */
double habit_chance(const struct habit *h, uint32_t cp);

/* Records whether it did. */
void habit_learn(struct habit *h, uint32_t cp, bool right);

/* Records whether it closed PAIR. */
void habit_learn_pair(struct habit *h, int pair, bool closed);

/*
 * Records that text was typed in a line with ROWS rows below it, and whether
 * the line had to move up to have as many.
 */
void habit_learn_below(struct habit *h, unsigned rows, bool rose);

/* Returns the chance that a line with ROWS rows below it stays there. */
double habit_below(const struct habit *h, unsigned rows);

/*
 * Return the row to which ARROW goes from row Y (-1: unknown), whether it did so
 * before, and the chance of its column, which is the one before (CLIP), or the
 * one last seen in the new row.
 */
int habit_row(const struct habit *h, enum habit_arrow arrow, unsigned y);
bool habit_knows_row(const struct habit *h, enum habit_arrow arrow, unsigned y);
double habit_arrow_chance(
    const struct habit *h, enum habit_arrow arrow, bool *clip);

/* Returns the column at which the cursor was in row Y; -1: unknown. */
int habit_col(const struct habit *h, unsigned y);

/* Records where the cursor is. */
void habit_learn_place(struct habit *h, unsigned x, unsigned y);

/*
 * Records that ARROW went from row FROM to row TO, and whether either column
 * was right.
 */
void habit_learn_arrow(struct habit *h, enum habit_arrow arrow, unsigned from,
    unsigned to, bool clip, bool back);

/* Records whether text right of the line stayed at Enter. */
void habit_learn_right(struct habit *h, bool stayed);

#endif
