/*
 * mux/vt/history.h - the scrollback: rows that left the top of a screen.
 *
 * Purpose:   stores rows compactly, bounded in rows and in bytes, and returns
 *            them wrapped for the screen's present width.
 * Ownership: the grid owns its history, which owns the lines pushed to it.
 * Units:     rows as displayed at the present width, 0 the oldest; bytes.
 * Errors:    none; rows over a limit are dropped, the oldest first.
 * Tests:     regress/unit/check_vt_history.c
 *
 * The newest rows (about VT_HISTORY_HOT) stay as they were pushed: hot rows.
 * Older rows are joined where they wrapped, packed (pack.h) and collected in
 * pages of VT_HISTORY_PAGE lines; old pages are compressed.  A packed line does
 * not depend on a width, so a change of width only counts rows again.
 *
 * During a flood of output a short history drops most rows before anybody can
 * look at them.  So work on them is delayed: a history of at most
 * VT_HISTORY_SHORT rows packs rows only when more than VT_HISTORY_HOT_BYTES of
 * hot rows have accumulated, and every history compresses pages only when more
 * than VT_HISTORY_RAW_MAX bytes are uncompressed.  vt_history_settle does the
 * remaining work when the terminal is idle.
 */
#ifndef MUX_VT_HISTORY_H
#define MUX_VT_HISTORY_H

#include "mux/vt/wrap.h"

struct vt_history;

#define VT_HISTORY_HOT 128           /* hot rows */
#define VT_HISTORY_SHORT 4096        /* a longer history packs rows at once */
#define VT_HISTORY_HOT_BYTES 8388608 /* of hot rows in short histories */
#define VT_HISTORY_PAGE 256          /* lines in a page */
#define VT_HISTORY_PAGE_BYTES 65536  /* a page with so many is full, too */
#define VT_HISTORY_RAW 65536         /* uncompressed bytes of newest pages */
#define VT_HISTORY_RAW_MAX 4194304   /* the same while output pours in */
#define VT_HISTORY_SNAPSHOT_ROWS ((size_t)1 << 26)

/* Creates a history.  MAX_ROWS 0 keeps nothing, MAX_BYTES 0 is no limit. */
struct vt_history *vt_history_new(
    struct vt_pool *pool, unsigned cols, size_t max_rows, size_t max_bytes);
void vt_history_free(struct vt_history *h);

/*
 * Returns a history with the rows of H, which H does not change any more.  It
 * shares lines and closed pages with H, so its cost is a pointer for each page
 * and each hot row.  It keeps all rows (VT_HISTORY_SNAPSHOT_ROWS, which only
 * wrapping can reach), so its memory is bounded by that of H at this moment.
 * It uses the pool of H.
 */
struct vt_history *vt_history_snapshot(const struct vt_history *h);

/* Appends the newest row; takes the caller's reference. */
void vt_history_push(struct vt_history *h, struct vt_line *line);

/*
 * Does delayed work: packs up to PAGES pages of rows and compresses up to PAGES
 * pages (about 0.1 ms each).  Call it when idle.  Returns true if work remains.
 */
bool vt_history_settle(struct vt_history *h, size_t pages);

/* Packs all rows but the newest VT_HISTORY_HOT. */
void vt_history_pack(struct vt_history *h);

/* Removes the newest row and returns the caller's reference to it, or NULL. */
struct vt_line *vt_history_pop(struct vt_history *h);

/* Return the number of rows, and of rows ever dropped at the old end. */
size_t vt_history_rows(const struct vt_history *h);
uint64_t vt_history_dropped(const struct vt_history *h);

/*
 * Returns a count that changes whenever row numbers, or the contents of a row
 * number, may have changed: rows were popped, or counted for another width.
 */
uint64_t vt_history_remade(const struct vt_history *h);

/* Returns the most rows that the history keeps. */
size_t vt_history_max_rows(const struct vt_history *h);

/*
 * While ON no row is dropped because there are too many, unless MAX_ROWS is 0:
 * a narrow screen makes more rows of the same text.  Those above the limit go
 * afterwards, a tenth of the limit with each row that is pushed, as in tmux.
 */
void vt_history_hold(struct vt_history *h, bool on);

/* Returns the heap bytes of the history. */
size_t vt_history_bytes(const struct vt_history *h);

/*
 * Returns row ROW (below vt_history_rows), borrowed until the next call for
 * this history; use vt_line_ref to keep it.
 */
const struct vt_line *vt_history_row(struct vt_history *h, size_t row);

/* Row numbers below count from the first row ever pushed, dropped ones too. */

/* A wrapped line in packed history, joined. */
struct vt_stored {
	const struct vt_line *line; /* borrowed, as by vt_history_row */
	uint64_t first;             /* number of its first row still kept */
	size_t rows;                /* rows from there on */
	struct vt_extent ext;
};

/* A page of packed history, for searching it without unpacking lines. */
struct vt_page {
	const uint8_t *bytes; /* borrowed, as by vt_history_row */
	const uint32_t *off;  /* line i (pack.h): bytes off[i]..off[i+1]-1 */
	unsigned lines;
	/* Number of each line's first row, and of the row after the page. */
	uint64_t start[VT_HISTORY_PAGE + 1];
};

/*
 * Find the wrapped line (a piece of it, if it exceeds the limits in wrap.h) and
 * the page that row number ROW is part of.  Return false for hot rows.
 */
bool vt_history_line(struct vt_history *h, uint64_t row, struct vt_stored *out);
bool vt_history_page(struct vt_history *h, uint64_t row, struct vt_page *out);

/* Returns the number of hot rows. */
size_t vt_history_hot(const struct vt_history *h);

/* Changes the width.  There must be no hot rows: pop them first. */
void vt_history_set_cols(struct vt_history *h, unsigned cols);

/* A place in packed history that a change of width does not move. */
struct vt_history_pos {
	uint64_t page; /* number since creation */
	unsigned line; /* in the page */
	unsigned cell; /* in the line */
};

/* Finds the place of column COL of a packed row; false for a hot row. */
bool vt_history_locate(
    struct vt_history *h, size_t row, unsigned col, struct vt_history_pos *pos);

/*
 * Finds the cell of a place at the present width, up to the column after the
 * last one; false if it was dropped.
 */
bool vt_history_resolve(struct vt_history *h, const struct vt_history_pos *pos,
    size_t *row, unsigned *col);

/* Drops all rows and frees the memory. */
void vt_history_clear(struct vt_history *h);

/* Returns NULL, or the name of a broken invariant. */
const char *vt_history_check(struct vt_history *h);

#endif
