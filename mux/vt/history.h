/*
 * mux/vt/history.h - the rows that have left the top of a screen.
 *
 * Purpose:   holds them in little memory, bounded in lines and in bytes, and
 *            shows them wrapped for the width the screen has now.
 * Ownership: the grid owns its history; pushed lines are taken over.
 * Units:     rows as displayed at the present width, 0 the oldest; bytes.
 * Errors:    none; what exceeds a limit is dropped from the oldest end.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_history.c
 */
#ifndef MUX_VT_HISTORY_H
#define MUX_VT_HISTORY_H

#include "mux/vt/line.h"

struct vt_history;

/* MAX_ROWS 0 keeps nothing. */
struct vt_history *vt_history_new(
    struct vt_pool *pool, unsigned cols, size_t max_rows, size_t max_bytes);
void vt_history_free(struct vt_history *h);

void vt_history_set_limits(
    struct vt_history *h, size_t max_rows, size_t max_bytes);

/* Appends the newest row; takes the caller's reference. */
void vt_history_push(struct vt_history *h, struct vt_line *line);

/* Takes the newest row out (the caller owns the reference), or NULL. */
struct vt_line *vt_history_pop(struct vt_history *h);

/* Rows held, and rows dropped at the old end since the beginning. */
size_t vt_history_rows(const struct vt_history *h);
uint64_t vt_history_dropped(const struct vt_history *h);

/* Heap bytes held for all of it. */
size_t vt_history_bytes(const struct vt_history *h);

/*
 * Row ROW (below vt_history_rows), borrowed until the next call for this
 * history; vt_line_ref it to keep it.
 */
const struct vt_line *vt_history_row(struct vt_history *h, size_t row);

/* Forgets everything and gives the memory back. */
void vt_history_clear(struct vt_history *h);

/* NULL, or which invariant is broken. */
const char *vt_history_check(struct vt_history *h);

#endif
