/*
 * mux/vt/wrap.h - rows joined to one long line, and cut into rows again.
 *
 * Purpose:   the one rule by which history and resizing wrap: a row that
 *            wrapped counts with its full width, padding before a wide cell is
 *            left out and put back, erased columns at the end need no row of
 *            their own.  Joining rows and wrapping them at the same width
 *            gives the same rows.
 * Ownership: results are new references of the caller.
 * Units:     columns.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_reflow.c
 */
#ifndef MUX_VT_WRAP_H
#define MUX_VT_WRAP_H

#include "mux/vt/line.h"

/* A joined line is at most so long; longer ones are kept in pieces. */
#define VT_WRAP_CELLS 16384
#define VT_WRAP_ROWS 1024

/* How far a line reaches, for wrapping. */
struct vt_extent {
	unsigned width; /* columns that need room; later ones are erased */
	bool wide;      /* it holds wide cells: widths do not simply divide */
};

/* The extent of a single row. */
struct vt_extent vt_wrap_extent(const struct vt_line *row);

/*
 * Joins N rows (at least 1) of COLS columns; all but the last have wrapped.
 * Flags: all marks, and VT_LINE_WRAPPED if the last row has it.
 */
struct vt_line *vt_wrap_join(struct vt_pool *pool, struct vt_line *const *rows,
    size_t n, unsigned cols, struct vt_extent *ext);

/*
 * How many of the N rows make one line that may be joined: up to the first
 * that has not wrapped, bounded by the limits above; at least 1.
 */
size_t vt_wrap_group(struct vt_line *const *rows, size_t n, unsigned cols);

/* Columns a wrapped ROW adds to the joined line, NEXT being the row after. */
unsigned vt_wrap_joined(
    const struct vt_line *row, const struct vt_line *next, unsigned cols);

/* The column after the row of COLS columns that begins at column FROM. */
unsigned vt_wrap_end(const struct vt_line *line, const struct vt_extent *ext,
    unsigned from, unsigned cols);

/* Rows of COLS columns the line needs; LINE is read only if ext->wide. */
size_t vt_wrap_rows(
    const struct vt_line *line, const struct vt_extent *ext, unsigned cols);

/* The row FROM..END of a line, as vt_wrap_end bounded it. */
struct vt_line *vt_wrap_cut(struct vt_pool *pool, const struct vt_line *line,
    const struct vt_extent *ext, unsigned from, unsigned end, unsigned cols);

#endif
