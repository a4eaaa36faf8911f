/*
 * predict/judge_int.h - internals of judging, shared by its files.
 *
 * Purpose:   judge.c compares guesses with frames and learns what Enter does,
 *            judge_break.c where lines break.
 * Ownership: everything is borrowed.
 * Tests:     regress/unit/check_predict_world.c
 */
#ifndef PREDICT_JUDGE_INT_H
#define PREDICT_JUDGE_INT_H

#include "predict/surface.h"

/* How well a guess explains a frame. */
enum judge_match {
	JUDGE_NO,
	JUDGE_MARKS, /* the cursor and all written cells match */
	JUDGE_ROWS,  /* and the rows around the cursor show the same text */
	JUDGE_ALL,   /* and all rows */
};

enum judge_match judge_match(const struct guess *g, const struct vt_frame *f);

/* Records whether the breaks that were predicted for N keys are in F. */
void judge_breaks(
    struct predict *p, struct surface *s, const struct vt_frame *f, size_t n);

/*
 * Returns how many keys F contains, at least N, if it shows text that the
 * program broke in a new way; else N.
 */
size_t judge_broken(
    struct predict *p, struct surface *s, const struct vt_frame *f, size_t n);

/*
 * Learns from F, which contains the first N keys (SURE: certainly), where the
 * program breaks lines. Returns whether the keys are text that F shows in its
 * place, broken or not.
 */
bool judge_margin(struct predict *p, struct surface *s,
    const struct vt_frame *f, size_t n, bool sure);

#endif
