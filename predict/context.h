/*
 * predict/context.h - how guesses fared lately, by where they were made.
 *
 * Purpose:   the estimate of a guess being right, per context (surface,
 *            screen, prompt, echo state), kind of key and run of hits; what
 *            Enter did in it; whether text right of the cursor is moved.
 * Ownership: a table is a plain value of fixed size; rows handed out stay good
 *            until the next context_find.
 * Units:     chances 0..1.
 * Errors:    none; the row used longest ago makes room.
 * Source:    our own.
 * Tests:     regress/unit/check_predict_context.c
 */
#ifndef PREDICT_CONTEXT_H
#define PREDICT_CONTEXT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "predict/params.h"

/* What is believed of a context before anything was seen in it. */
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

/* Hits in a row since the last Enter, unknown key or miss: 0, 1, 2, more. */
#define CONTEXT_RUNS 4

struct context_score {
	double hit;
	double miss;
};

struct context {
	uint64_t key; /* 0: free */
	uint64_t used;
	enum context_kind kind;
	bool suggests; /* text was suggested behind the cursor */
	unsigned wrap; /* text goes on in the next row before it; 0: no */
	int keep;      /* > 0: text right of the cursor stays in its place */
	struct context_score score[CONTEXT_CLASSES][CONTEXT_RUNS];
};

/* Where the cursor goes after Enter. */
enum context_place {
	CONTEXT_COL0,
	CONTEXT_PROMPT, /* after another prompt like the last */
	CONTEXT_INDENT, /* under the first character of the row left */
	CONTEXT_SAME,   /* the row is as it was when the line began */
};

struct context_enter {
	uint64_t key; /* 0: free */
	uint8_t rows; /* how far down, 1..8 */
	uint8_t place;
	/*
	 * n: a new row is opened, what is below moves down, but the last n-1
	 * rows of the screen; 0: it was there.
	 */
	uint8_t open;
	struct context_score score;
};

struct context_table {
	uint64_t clock;
	struct context rows[PREDICT_CONTEXTS_MAX];
	struct context_enter enters[PREDICT_ENTERS_MAX];
};

/* The row of KEY (not 0), made if there is none. */
struct context *context_find(
    struct context_table *t, uint64_t key, enum context_kind kind);

/*
 * The chance that a guess of this class after RUN hits is right.  LINE: the
 * run was begun by Enter, which says less of what is typed being commands.
 */
double context_chance(
    const struct context *c, enum context_class class, unsigned run, bool line);

/* The same, as if the context had never been seen. */
double context_chance_new(enum context_kind kind, unsigned run);

/* A guess turned out right or wrong. */
void context_learn(
    struct context *c, enum context_class class, unsigned run, bool right);

/* The same, for a score that is kept elsewhere. */
void context_score_add(struct context_score *s, bool right);

/* What a key of an Enter is of. */
enum context_enter_kind {
	CONTEXT_ENTER_LINE, /* the same line was typed before */
	CONTEXT_ENTER_WORD, /* the same command */
	CONTEXT_ENTER_ALL,  /* other commands of a shell */
	CONTEXT_ENTER_ANY,  /* other lines of a program that is none */
};

/*
 * What Enter did under KEY, or NULL; its chance of doing so again.  OTHERS (or
 * NULL) is what all commands do, where that tells of this one.
 */
const struct context_enter *context_enter_find(
    const struct context_table *t, uint64_t key);

/* Was Enter seen under KEY, and what it did could never be guessed? */
bool context_enter_lost(const struct context_table *t, uint64_t key);
double context_enter_chance(const struct context_enter *e,
    enum context_enter_kind kind, const struct context_enter *others);

/* Enter did as WHAT says (rows 0: something that cannot be guessed). */
void context_enter_learn(
    struct context_table *t, uint64_t key, const struct context_enter *what);

#endif
