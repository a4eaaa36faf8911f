/*
 * predict/recall.h - screens to which keys led before.
 *
 * Purpose:   remembers, for a full-screen program, which key on which screen was
 *            answered by which screen: a dialog that comes again, a page, a
 *            panel that opens and closes.
 * Ownership: a table owns references of frames; recall_fini drops them. Frames
 *            hold nothing that was not on the screen.
 * Units:     chances 0..1.
 * Errors:    none; the least recently used screen makes room.
 * Tests:     regress/predict/60_effect.predict
 */
#ifndef PREDICT_RECALL_H
#define PREDICT_RECALL_H

#include "mux/vt/frame.h"
#include "predict/context.h"

#define RECALL_SCREENS 16

struct recall {
	uint64_t key; /* of key and screen; 0: free */
	uint64_t used;
	struct vt_frame *to;
	struct context_score score;
};

struct recall_table {
	uint64_t clock;
	struct recall recall[RECALL_SCREENS];
	struct context_score score; /* of all */
};

void recall_fini(struct recall_table *t);

/*
 * Returns the answer to the key with the hash KEY on screen F with the cursor in
 * row Y; NULL: unknown. Text in that row does not count.
 */
const struct recall *recall_find(const struct recall_table *t, uint64_t key,
    const struct vt_frame *f, unsigned y);

/* Returns the chance that R is the answer again. */
double recall_chance(const struct recall_table *t, const struct recall *r);

/* Learns that KEY on screen B was answered by screen F. */
void recall_learn(struct recall_table *t, uint64_t key,
    const struct vt_frame *b, const struct vt_frame *f);

#endif
