/*
 * mux/sync/move.h - rectangles of a frame that are elsewhere in the next one.
 *
 * Purpose:   finds what a program scrolls beside other columns (one window of
 *            an editor, a table beside a list), which no copy of whole rows
 *            can say.
 * Ownership: plain values; frames are borrowed.
 * Units:     cells, 0-based; ranges are half-open.
 * Errors:    none; a move that the search misses costs bytes only.
 * Tests:     regress/unit/check_sync_frame.c
 */
#ifndef MUX_SYNC_MOVE_H
#define MUX_SYNC_MOVE_H

#include "mux/vt/frame.h"

#define SYNC_MOVE_ROWS 3 /* of the smallest move */

/* Columns LEFT..RIGHT-1 of ROWS rows from FROM on are at TO afterwards. */
struct sync_move {
	unsigned to;
	unsigned from;
	unsigned rows;
	unsigned left;
	unsigned right;
};

/*
 * Finds a rectangle of OLD that brings CUR closer to NEW; false if there is
 * none worth a move.  All have the same size; CUR is OLD after other changes.
 */
bool sync_move_find(const struct vt_frame *old, const struct vt_frame *cur,
    const struct vt_frame *new, struct sync_move *m);

/* Copies the rectangle of OLD into F. */
void sync_move_apply(
    struct vt_frame *f, const struct vt_frame *old, const struct sync_move *m);

#endif
