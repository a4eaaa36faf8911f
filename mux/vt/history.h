/*
 * mux/vt/history.h - the rows that have left the top of a screen.
 *
 * Purpose:   holds them in little memory, bounded in rows and in bytes, and
 *            shows them wrapped for the width the screen has now.
 * Ownership: the grid owns its history; pushed lines are taken over.
 * Units:     rows as displayed at the present width, 0 the oldest; bytes.
 * Errors:    none; what exceeds a limit is dropped from the oldest end.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_history.c
 *
 * The newest VT_HISTORY_HOT rows or so are kept as they were pushed.  Older
 * ones are joined where they wrapped, packed (pack.h) and gathered in pages of
 * VT_HISTORY_PAGE lines; old pages are compressed.  Because packed lines know
 * nothing of a width, changing it only counts rows anew.
 *
 * During a flood most rows of a short history are dropped before anybody could
 * have looked at them, so work that may turn out to be for nothing waits: rows
 * of a history of at most VT_HISTORY_SHORT are packed, and pages compressed,
 * only when more than VT_HISTORY_HOT_BYTES, or VT_HISTORY_RAW_MAX, wait for it.
 * vt_history_settle does the rest in quiet times.
 */
#ifndef MUX_VT_HISTORY_H
#define MUX_VT_HISTORY_H

#include "mux/vt/line.h"

struct vt_history;

#define VT_HISTORY_HOT 128           /* rows kept as they are */
#define VT_HISTORY_SHORT 4096        /* more rows: packed as they come */
#define VT_HISTORY_HOT_BYTES 8388608 /* of rows not packed in short ones */
#define VT_HISTORY_PAGE 256          /* lines in a page */
#define VT_HISTORY_PAGE_BYTES 65536  /* a page is full with so many, too */
#define VT_HISTORY_RAW 65536         /* bytes of newest pages not compressed */
#define VT_HISTORY_RAW_MAX 4194304   /* the same while output pours in */

/* MAX_ROWS 0 keeps nothing, MAX_BYTES 0 is no limit. */
struct vt_history *vt_history_new(
    struct vt_pool *pool, unsigned cols, size_t max_rows, size_t max_bytes);
void vt_history_free(struct vt_history *h);

/* Appends the newest row; takes the caller's reference. */
void vt_history_push(struct vt_history *h, struct vt_line *line);

/*
 * Packs up to PAGES pages of rows and compresses up to PAGES pages (about 0.1
 * ms each) that were left for later: to be called when nothing else is to do.
 * Returns true if there is more.
 */
bool vt_history_settle(struct vt_history *h, size_t pages);

/* Takes the newest row out (the caller owns the reference), or NULL. */
struct vt_line *vt_history_pop(struct vt_history *h);

/* Rows held, and rows dropped at the old end since the beginning. */
size_t vt_history_rows(const struct vt_history *h);
uint64_t vt_history_dropped(const struct vt_history *h);

/*
 * A count that changes whenever rows may have other numbers, or other contents
 * under the same: rows were taken back, or counted for another width.
 */
uint64_t vt_history_remade(const struct vt_history *h);

/* The most rows it holds. */
size_t vt_history_max_rows(const struct vt_history *h);

/* Heap bytes held for all of it. */
size_t vt_history_bytes(const struct vt_history *h);

/*
 * Row ROW (below vt_history_rows), borrowed until the next call for this
 * history; vt_line_ref it to keep it.
 */
const struct vt_line *vt_history_row(struct vt_history *h, size_t row);

/* Rows at the new end that are still rows, not packed. */
size_t vt_history_hot(const struct vt_history *h);

/* Another width.  There may be no hot rows: pop them first. */
void vt_history_set_cols(struct vt_history *h, unsigned cols);

/* Forgets everything and gives the memory back. */
void vt_history_clear(struct vt_history *h);

/* NULL, or which invariant is broken. */
const char *vt_history_check(struct vt_history *h);

#endif
