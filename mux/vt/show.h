/*
 * mux/vt/show.h - rows as a terminal with one cell a column shows them.
 *
 * Purpose:   a row of double width as pairs of columns: each character, then a
 *            space.  A terminal that has such rows gets them back from the
 *            pairs, unless something has been drawn over them.
 * Ownership: results are new references of the caller.
 * Units:     columns.
 * Tests:     regress/unit/check_vt_show.c
 */
#ifndef MUX_VT_SHOW_H
#define MUX_VT_SHOW_H

#include "mux/vt/line.h"

/*
 * Returns row SRC of double width as pairs of COLS columns; it keeps its flags.
 * Without TEXT its characters are left out.
 */
struct vt_line *vt_show_pairs(
    const struct vt_line *src, unsigned cols, bool text);

/* Whether a row of COLS columns has a flag of double width, and only pairs. */
bool vt_show_paired(const struct vt_line *line, unsigned cols);

/* Returns the row of half the columns that a paired row shows. */
struct vt_line *vt_show_halved(const struct vt_line *line, unsigned cols);

#endif
