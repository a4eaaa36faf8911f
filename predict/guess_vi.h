/*
 * predict/guess_vi.h - the modes of vi, as far as they can be followed.
 *
 * Purpose:   knows from what was typed in which mode a vi (vim, nvim) is that
 *            has shown "-- INSERT --", and what keys do there that do little:
 *            Escape, moving in a line or by one, opening a row, changing and
 *            deleting words, beginning to insert.
 * Ownership: none; values.
 * Units:     cells, 0-based.
 * Errors:    what is not known makes the guess lost (guess.h).
 * Source:    vi(1p), vim's help.
 * Tests:     regress/predict/30_vi.predict
 */
#ifndef PREDICT_GUESS_VI_H
#define PREDICT_GUESS_VI_H

#include "base/compiler.h"
#include "mux/vt/frame.h"

enum guess_vi {
	GUESS_VI_NONE,    /* no vi, or none that was seen to be one */
	GUESS_VI_UNSURE,  /* until Escape, or until it says INSERT */
	GUESS_VI_INSERT,  /* text is text */
	GUESS_VI_NORMAL,  /* at the beginning of a command */
	GUESS_VI_PREFIX,  /* one key of a command was typed: see vi_op */
	GUESS_VI_COMMAND, /* the last row is typed at, after ':' */
};

struct guess;
struct guess_key;

/* The mode after key K in MODE; *OP is the first key of a longer command. */
enum guess_vi guess_vi_next(
    enum guess_vi mode, uint32_t *op, const struct guess_key *k);

/* Does F say that a vi inserts? */
bool guess_vi_inserts(const struct vt_frame *f);

/* How many rows at the bottom of F do not belong to the text. */
unsigned guess_vi_fixed(const struct vt_frame *f);

/* A guess that begins in NORMAL at a frame that has not seen Escape yet. */
void guess_vi_init(struct guess *g);

/*
 * Key K, numbered KEY, where it is not one that every editor knows.
 * Returns: true if it was taken (g->vi is then the mode after it).
 */
bool guess_vi_step(struct guess *g, const struct guess_key *k, size_t key);

#endif
