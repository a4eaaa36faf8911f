/*
 * predict/guess.h - a small model of what is at the other end of a pane.
 *
 * Purpose:   replays keys over a true frame as a line editor or the kernel's
 *            line discipline would answer them.
 * Ownership: a guess owns its frame (lines are shared until touched) and its
 *            marks; guess_fini frees them.
 * Units:     cells, 0-based.
 * Errors:    a key whose effect is not known makes the guess lost; from then
 *            on it stays as it is.
 * Source:    our own; readline, zle and the Linux tty for what keys do.
 * Tests:     regress/unit/check_predict_guess.c, regress/predict/
 */
#ifndef PREDICT_GUESS_H
#define PREDICT_GUESS_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"
#include "predict/context.h"
#include "predict/guess_vi.h"

enum guess_act {
	GUESS_TEXT,
	GUESS_BACKSPACE,
	GUESS_DELETE,
	GUESS_LEFT,
	GUESS_RIGHT,
	GUESS_HOME,
	GUESS_END,
	GUESS_WORD_LEFT,
	GUESS_WORD_RIGHT,
	GUESS_KILL_WORD,  /* back to white space */
	GUESS_KILL_ALPHA, /* back over letters and digits */
	GUESS_KILL_LINE,  /* back to the beginning */
	GUESS_KILL_END,
	GUESS_ENTER,
	GUESS_CLEAR,   /* the line at the top of an empty screen */
	GUESS_UNKNOWN, /* a key that can do anything */
	GUESS_ACTS,
};

/* Another size, another focus: nothing was typed into the line. */
#define GUESS_NO_KEY 1

struct guess_key {
	enum guess_act act;
	uint32_t
	    cp; /* of GUESS_TEXT; of GUESS_UNKNOWN: 033 Escape, GUESS_NO_KEY */
};

/* What key EV means to a program that edits lines. */
struct guess_key guess_key_of(const struct key_event *ev);

/* What is known about the other end; borrowed while a guess is alive. */
struct guess_env {
	const struct grapheme_table *gt;
	bool canonical; /* the kernel edits the line */
	bool alternate; /* a full-screen program */
	bool keep;      /* text to the right stays */
	unsigned wrap;  /* the column that text does not reach; 0: all */
	bool suggests;  /* the shell says how lines may go on */
	const struct vt_line *prompt; /* NULL: not known */
	unsigned prompt_cols;
	/* The cursor's row when the line began, on any screen. */
	const struct vt_line *edge; /* NULL: not known */
	unsigned edge_cols;
	enum guess_vi vi; /* the mode at the true frame */
	bool vi_late;     /* ... which has not seen Escape yet */
	uint32_t vi_op;
};

/* What Enter will do; rows 0: not known. */
struct guess_enter {
	unsigned rows;
	enum context_place place;
	unsigned open; /* as in struct context_enter */
};

/* A cell that a key has written. */
struct guess_mark {
	size_t key; /* number given to guess_step */
	int row;
	unsigned col;
	bool alive; /* not erased since */
	bool fresh; /* the true frame had something else there */
};

struct guess {
	const struct guess_env *env;
	struct vt_frame *f;
	unsigned x;
	unsigned y;
	bool pending; /* behind the last column */
	bool lost;
	bool broken; /* the last key was an Enter */
	bool tail;   /* blanks may be left at the end of the line */
	enum guess_vi vi;
	uint32_t vi_op;
	int vi_want; /* the column that j and k go to; -1: not known */
	struct guess_mark *marks;
	size_t nmarks;
	size_t cap;
};

/* Begins at the true frame F. */
void guess_init(
    struct guess *g, const struct guess_env *env, const struct vt_frame *f);
void guess_fini(struct guess *g);

/* One key, numbered KEY; ENTER says what Enter would do. */
void guess_step(struct guess *g, const struct guess_key *k, size_t key,
    const struct guess_enter *enter);

/* Does line L begin with the prompt of ENV? */
bool guess_at_prompt(const struct guess_env *env, const struct vt_line *l);

/* Is there a suggestion of the shell: dim or grey text, never typed? */
bool guess_dim(const struct vt_line *l, unsigned col);

/* Does one begin at COL, or after a blank or two? */
bool guess_suggested(const struct vt_line *l, unsigned col, unsigned cols);

/* Is the cursor where F has it? */
bool guess_cursor_is(const struct guess *g, const struct vt_frame *f);

/* Does F show what mark M says? */
bool guess_mark_is(const struct guess *g, const struct guess_mark *m,
    const struct vt_frame *f);

/* Do A and B show the same text in columns from..to-1 (pens aside)? */
bool guess_same_text(const struct vt_line *a, const struct vt_line *b,
    unsigned from, unsigned to);

/* Does L begin as the row did when the line was begun? */
bool guess_at_edge(const struct guess_env *env, const struct vt_line *l);

/* The first column of a line that is not blank (COLS: none). */
unsigned guess_indent(const struct vt_line *l, unsigned cols);

#endif
