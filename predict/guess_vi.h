/*
 * predict/guess_vi.h - the modes of vi, as far as the client can follow them.
 *
 * Purpose:   tracks from the typed keys the mode of a vi (vim, nvim) that has
 *            shown "-- INSERT --", and predicts simple keys: Escape, moves in a
 *            line or by one, opening a row, changing and deleting words,
 *            starting to insert.
 * Ownership: plain values.
 * Units:     cells, 0-based.
 * Errors:    an unknown effect makes the guess lost (guess.h).
 * Source:    vi(1p), vim's help.
 * Tests:     regress/predict/30_vi.predict
 */
#ifndef PREDICT_GUESS_VI_H
#define PREDICT_GUESS_VI_H

#include "base/compiler.h"
#include "mux/vt/frame.h"

enum guess_vi {
	GUESS_VI_NONE,    /* no vi, or none recognised yet */
	GUESS_VI_UNSURE,  /* until Escape, or until vi shows INSERT */
	GUESS_VI_INSERT,  /* letters are text */
	GUESS_VI_NORMAL,  /* at the start of a command */
	GUESS_VI_PREFIX,  /* after one key of a command: see vi_op */
	GUESS_VI_COMMAND, /* on the last row, after ':' */
};

struct guess;
struct guess_key;

/*
 * Returns the mode after key K in MODE; *OP is the first key of a longer
 * command.
 */
enum guess_vi guess_vi_next(
    enum guess_vi mode, uint32_t *op, const struct guess_key *k);

/* Returns whether F shows vi's insert mode. */
bool guess_vi_inserts(const struct vt_frame *f);

/* Returns how many rows at the bottom of F are not part of the text. */
unsigned guess_vi_fixed(const struct vt_frame *f);

/*
 * Starts a guess in NORMAL mode at a frame that does not show Escape's effect
 * yet.
 */
void guess_vi_init(struct guess *g);

/*
 * Applies key K, numbered KEY, unless every editor knows it. Returns true if it
 * did (g->vi is then the mode after K).
 */
bool guess_vi_step(struct guess *g, const struct guess_key *k, size_t key);

#endif
