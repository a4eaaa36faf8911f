/*
 * predict/guess.h - a guess: the predicted state of a pane.
 *
 * Purpose:   replays keys over a true frame as a line editor or the kernel's
 *            line discipline would answer them.
 * Ownership: a guess owns its frame (lines are shared until written) and its
 *            marks; guess_fini frees them.
 * Units:     cells, 0-based.
 * Errors:    a key with an unknown effect makes the guess lost; it does not
 *            change from then on.
 * Source:    readline, zle and the Linux tty, for the effects of keys.
 * Tests:     regress/unit/check_predict_guess.c, regress/predict/
 */
#ifndef PREDICT_GUESS_H
#define PREDICT_GUESS_H

#include "base/grapheme.h"
#include "base/key.h"
#include "mux/vt/frame.h"
#include "predict/context.h"
#include "predict/effect.h"
#include "predict/guess_vi.h"
#include "predict/habit.h"
#include "predict/margin.h"
#include "predict/recall.h"

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
	GUESS_KILL_WORD,  /* delete back to white space */
	GUESS_KILL_ALPHA, /* delete back over letters and digits */
	GUESS_KILL_LINE,  /* delete back to the start */
	GUESS_KILL_END,
	GUESS_ENTER,
	GUESS_CLEAR,   /* move the line to the top of an empty screen */
	GUESS_UNKNOWN, /* a key with an unknown effect */
	GUESS_ACTS,
};

/* An input that is no key: another size, another focus. */
#define GUESS_NO_KEY 1
/* Keys that go to another row or field of a full-screen program. */
#define GUESS_ARROWS 0x100000  /* plus enum habit_arrow */
#define GUESS_OTHER 0x40000000 /* plus a hash of another key */

struct guess_key {
	enum guess_act act;
	/* of GUESS_TEXT; of GUESS_UNKNOWN: 033 Escape, GUESS_NO_KEY, ... */
	uint32_t cp;
};

/* Returns the meaning of EV to a program that edits lines. */
struct guess_key guess_key_of(const struct key_event *ev);

/* Known facts about the program; borrowed while a guess exists. */
struct guess_env {
	const struct grapheme_table *gt;
	bool canonical; /* the kernel edits the line */
	bool alternate; /* a full-screen program */
	bool keep;      /* text right of the cursor does not move */
	bool moves;     /* ... it does: that was seen */
	/* Where lines break; NULL: at the last column alone. */
	const struct margin *margin;
	const struct habit *habit;          /* of the program; NULL: unknown */
	const struct effect_table *effects; /* the same */
	bool learns;   /* where lines break: text goes up to the border */
	bool suggests; /* the shell suggests how to complete the line */
	const struct vt_line *prompt; /* NULL: unknown */
	unsigned prompt_cols;
	uint64_t varies; /* columns of the prompt that change, as bits */
	/* The cursor's row when the line began, on any screen. */
	const struct vt_line *edge; /* NULL: unknown */
	unsigned edge_cols;
	bool vi_says;     /* the true frame shows vi's insert mode */
	enum guess_vi vi; /* vi's mode in the true frame */
	bool blank;       /* the last key in the true frame was a blank */
	bool far;         /* the link is slow: many keys are pending */
	uint32_t sign;    /* shown for each letter of a secret; 0: none */
	/* The end of a row's text that blanks may hide; row 0: unknown. */
	struct guess_end {
		unsigned row; /* plus one */
		unsigned col;
	} end;
	bool vi_late; /* ... which does not show the effect of Escape yet */
	uint32_t vi_op;
};

/* The predicted effect of Enter; rows 0: unknown. */
struct guess_enter {
	unsigned rows;
	enum context_place place;
	unsigned open; /* as in struct context_enter */
};

/* A cell that a key has written. */
struct guess_mark {
	size_t key; /* the number given to guess_step */
	int row;
	unsigned col;
	bool alive; /* not erased since then */
	bool fresh; /* the true frame has other text there */
};

struct guess {
	const struct guess_env *env;
	struct vt_frame *f;
	unsigned x;
	unsigned y;
	bool blank;       /* the last key was a blank */
	unsigned broke_y; /* the row last broken */
	/* The border found last: that of columns FROM..TO of row Y-1. */
	struct {
		unsigned y, from, to;
	} border;
	/* Rows scrolled, and of these the ones that depend on a program's output. */
	unsigned scrolled, unsure;
	unsigned moved; /* breaks of lines that moved rows */
	bool pending;   /* the cursor waits after the last column */
	bool lost;
	bool broken; /* the last key was an Enter */
	bool tail;   /* the line may end with blanks */
	struct guess_end end;
	double sure;     /* chance that lines broke, or did not, as predicted */
	unsigned breaks; /* of lines, predicted */
	unsigned wraps;  /* of full rows */
	/* What the next key does, if it edits nothing; NULL: unknown. */
	const struct effect *effect;
	unsigned effects; /* keys so far that edit nothing */
	/* The screen to which the next key leads; NULL: unknown. */
	const struct vt_frame *recall;
	unsigned recalled;  /* rows of one that did: letters wait */
	bool unsure_recall; /* ... which was seen only once */
	bool unpicked;      /* a selection may have moved that is not drawn */
	enum guess_vi vi;
	uint32_t vi_op;
	int vi_want; /* the column that j and k keep; -1: unknown */
	struct guess_mark *marks;
	size_t nmarks;
	size_t cap;
	unsigned marks_end; /* every mark is left of this column */
};

/* Starts at the true frame F. */
void guess_init(
    struct guess *g, const struct guess_env *env, const struct vt_frame *f);
void guess_fini(struct guess *g);

/* Applies one key, numbered KEY; ENTER is the predicted effect of Enter. */
void guess_step(struct guess *g, const struct guess_key *k, size_t key,
    const struct guess_enter *enter);

/* Returns whether line L begins with ENV's prompt, whatever its digits. */
bool guess_at_prompt(const struct guess_env *env, const struct vt_line *l);

/*
 * Returns whether COL shows a shell's suggestion: dim or grey text, never
 * typed.
 */
bool guess_dim(const struct vt_line *l, unsigned col);

/* Returns whether a suggestion begins at COL, or after a blank or two. */
bool guess_suggested(const struct vt_line *l, unsigned col, unsigned cols);

/* Returns whether the cursor is where F has it. */
bool guess_cursor_is(const struct guess *g, const struct vt_frame *f);

/* Returns whether F shows the text of mark M. */
bool guess_mark_is(const struct guess *g, const struct guess_mark *m,
    const struct vt_frame *f);

/*
 * Returns whether A and B show the same text in columns FROM..TO-1, ignoring
 * pens.
 */
bool guess_same_text(const struct vt_line *a, const struct vt_line *b,
    unsigned from, unsigned to);

/* Returns whether L begins as the row did when the line began. */
bool guess_at_edge(const struct guess_env *env, const struct vt_line *l);

/* Returns the arrow that K is, or -1. */
int guess_arrow_of(const struct guess_key *k);

/* Returns the first column of a line that is not blank (COLS: none). */
unsigned guess_indent(const struct vt_line *l, unsigned cols);

#endif
