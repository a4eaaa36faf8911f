/*
 * mux/vt/wrap.h - joins rows to one long line and cuts it into rows again.
 *
 * Purpose:   the rule by which history and resizing wrap.  A wrapped row counts
 *            with its full width.  Padding before a wide cell is dropped when
 *            rows are joined and restored when the line is cut.  Erased columns
 *            at the end need no row of their own.  Joining rows and wrapping
 *            them at the same width gives the same rows.
 * Ownership: results are new references of the caller.
 * Units:     columns.
 * Tests:     regress/unit/check_vt_reflow.c
 */
#ifndef MUX_VT_WRAP_H
#define MUX_VT_WRAP_H

#include "mux/vt/line.h"

/* Limits of a joined line; longer lines are stored in pieces. */
#define VT_WRAP_CELLS 16384
#define VT_WRAP_ROWS 1024

/* The columns of a line, for wrapping. */
struct vt_extent {
	unsigned width; /* columns that need room; later ones are erased */
	bool wide;      /* it holds wide cells: counting rows reads them */
};

/* Returns the extent of a single row. */
struct vt_extent vt_wrap_extent(const struct vt_line *row);

/*
 * Joins N rows (at least 1) of COLS columns; all but the last have wrapped.
 * The result has all marks, and VT_LINE_WRAPPED if the last row has it.
 */
struct vt_line *vt_wrap_join(struct vt_pool *pool, struct vt_line *const *rows,
    size_t n, unsigned cols, struct vt_extent *ext);

/*
 * Returns how many of the N rows form one line: up to the first row that has
 * not wrapped, within the limits above; at least 1.
 */
size_t vt_wrap_group(struct vt_line *const *rows, size_t n, unsigned cols);

/*
 * Returns the columns that a wrapped ROW adds to the joined line; NEXT is the
 * following row.
 */
unsigned vt_wrap_joined(
    const struct vt_line *row, const struct vt_line *next, unsigned cols);

/* Returns the column after the row of COLS columns that begins at FROM. */
unsigned vt_wrap_end(const struct vt_line *line, const struct vt_extent *ext,
    unsigned from, unsigned cols);

/*
 * Returns how many rows of COLS columns the line needs.  Reads LINE only if
 * ext->wide.
 */
size_t vt_wrap_rows(
    const struct vt_line *line, const struct vt_extent *ext, unsigned cols);

/* Returns the row FROM..END of a line; END is a result of vt_wrap_end. */
struct vt_line *vt_wrap_cut(struct vt_pool *pool, const struct vt_line *line,
    const struct vt_extent *ext, unsigned from, unsigned end, unsigned cols);

#endif
