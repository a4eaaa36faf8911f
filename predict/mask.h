/*
 * predict/mask.h - signs that a program shows in place of a secret's letters.
 *
 * Purpose:   remembers the questions at which each key was answered by the
 *            same sign (a star), from frames and the number of keys alone.
 * Ownership: a plain value of fixed size. It holds hashes of questions and
 *            signs, no typed text.
 * Units:     cells.
 * Errors:    none; the oldest question makes room.
 * Tests:     regress/predict/70_mask.predict
 */
#ifndef PREDICT_MASK_H
#define PREDICT_MASK_H

#include "mux/vt/frame.h"

#define MASK_QUESTIONS 8
/* Signs seen before one is predicted; more if a letter may be the sign. */
#define MASK_SEEN 2u
#define MASK_SEEN_LETTER 4u

struct mask {
	uint64_t where; /* hash of the question; 0: free */
	uint32_t sign;
	unsigned seen; /* signs in a row, each for one key */
};

struct mask_table {
	struct mask mask[MASK_QUESTIONS];
	unsigned next;
	unsigned typed; /* keys since the last frame that showed one */
};

/*
 * Returns the sign that answers a printable key at F's cursor, 0: unknown. It is
 * known if the question there was answered so, and the answer so far is signs.
 */
uint32_t mask_sign(const struct mask_table *t, const struct vt_frame *f);

/*
 * Learns from frame F behind frame B, between which at most N printable keys
 * were typed.
 */
void mask_learn(struct mask_table *t, const struct vt_frame *b,
    const struct vt_frame *f, unsigned n);

/* F shows something else for a key for which a sign was predicted at B. */
void mask_forget(struct mask_table *t, const struct vt_frame *b);

#endif
