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

/*
 * Learns from F, which contains the first N keys, where the program breaks
 * lines. Returns whether the keys are text that F shows in its place, broken or
 * not.
 */
bool judge_margin(
    struct predict *p, struct surface *s, const struct vt_frame *f, size_t n);

#endif
