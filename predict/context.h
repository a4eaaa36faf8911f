/*
 * predict/context.h - how recent predictions turned out, by context.
 *
 * Purpose:   estimates the chance that a prediction is right, per context
 *            (surface, screen, prompt, echo state), kind of key and run of
 *            confirmed predictions; remembers what Enter did in it, and whether
 *            text right of the cursor moves.
 * Ownership: a table is a plain value of fixed size; returned rows are valid
 *            until the next context_find.
 * Units:     chances 0..1.
 * Errors:    none; the least recently used row makes room.
 * Tests:     regress/unit/check_predict_context.c
 */
#ifndef PREDICT_CONTEXT_H
#define PREDICT_CONTEXT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "predict/params.h"

/* The prior of a context. */
enum context_kind {
	CONTEXT_PLAIN,
	CONTEXT_SCREEN, /* full-screen: letters may be commands */
	CONTEXT_EDITOR, /* a line editor that has printed its prompt */
	CONTEXT_KINDS,
};

enum context_class {
	CONTEXT_TEXT,
	CONTEXT_ERASE,
	CONTEXT_MOVE,
	CONTEXT_CLASSES,
};

/*
 * Confirmed predictions in a row since the last Enter, unknown key or wrong
 * prediction: 0, 1, 2, more.
 */
#define CONTEXT_RUNS 4

struct context_score {
	double hit;
	double miss;
};

struct context {
	uint64_t key; /* 0: free */
	uint64_t used;
	enum context_kind kind;
	bool suggests; /* the program has suggested text after the cursor */
	int keep;      /* > 0: text right of the cursor does not move */
	struct context_score score[CONTEXT_CLASSES][CONTEXT_RUNS];
	struct context_score text; /* the sum of those of CONTEXT_TEXT */
};

/* Where the cursor goes at Enter. */
enum context_place {
	CONTEXT_COL0,
	CONTEXT_PROMPT, /* after a prompt like the last one */
	CONTEXT_INDENT, /* under the first character of the row it leaves */
	/* The new row looks as the old one did before the line was typed. */
	CONTEXT_SAME,
};

struct context_enter {
	uint64_t key; /* 0: free */
	uint8_t rows; /* how many rows down, 1..8 */
	uint8_t place;
	/*
	 * n: Enter opens a new row and moves the rows below down, except the
	 * last n-1 rows of the screen; 0: it opens none.
	 */
	uint8_t open;
	struct context_score score;
};

struct context_table {
	uint64_t clock;
	struct context rows[PREDICT_CONTEXTS_MAX];
	struct context_enter enters[PREDICT_ENTERS_MAX];
};

/* Returns the row of KEY (not 0); makes it if needed. */
struct context *context_find(
    struct context_table *t, uint64_t key, enum context_kind kind);

/*
 * Returns the chance that a prediction of this kind after a run of RUN
 * confirmed ones is right. LINE: Enter began the run, which says less about
 * letters being commands.
 */
double context_chance(
    const struct context *c, enum context_class class, unsigned run, bool line);

/* Returns the same chance for a context without outcomes. */
double context_chance_new(enum context_kind kind, unsigned run);

/* Records an outcome: the prediction was right or wrong. */
void context_learn(
    struct context *c, enum context_class class, unsigned run, bool right);

/* Records an outcome in a score outside the table. */
void context_score_add(struct context_score *s, bool right);

/* The scope of a key under which Enter's effect is remembered. */
enum context_enter_kind {
	CONTEXT_ENTER_LINE, /* the same line */
	CONTEXT_ENTER_WORD, /* the same command */
	CONTEXT_ENTER_ALL,  /* other commands of a shell */
	CONTEXT_ENTER_ANY,  /* other lines of a program that is no shell */
};

/*
 * Returns what Enter did under KEY, or NULL, with the chance that it does so
 * again. OTHERS (or NULL) is the effect of all commands, for scopes where that
 * matters.
 */
const struct context_enter *context_enter_find(
    const struct context_table *t, uint64_t key);

/*
 * Returns whether Enter was seen under KEY with an effect that cannot be
 * predicted.
 */
bool context_enter_lost(const struct context_table *t, uint64_t key);
double context_enter_chance(const struct context_enter *e,
    enum context_enter_kind kind, const struct context_enter *others);

/* Records that Enter did WHAT (rows 0: an effect that cannot be predicted). */
void context_enter_learn(
    struct context_table *t, uint64_t key, const struct context_enter *what);

#endif
