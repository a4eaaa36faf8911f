/*
 * mux/vt/turn.h - rows with text from right to left, in the order of display.
 *
 * Purpose:   implicit level resolution of a paragraph, which is a run of wrapped
 *            rows, and the reordering of the cells of each of its rows.
 * Ownership: results are new references of the caller.
 * Units:     rows and columns.
 * Errors:    a paragraph of over VT_TURN_CELLS cells, or of only one direction,
 *            stays as it is.
 * Source:    UAX #9 (base/bidi.h).  A cell's first code point stands for it.
 * Tests:     regress/unit/check_vt_turn.c
 */
#ifndef MUX_VT_TURN_H
#define MUX_VT_TURN_H

#include "mux/vt/line.h"

/* Cells of a paragraph that are reordered; more take too long. */
#define VT_TURN_CELLS 65536

/* Whether LINE has a character that may be written from right to left. */
bool vt_turn_needed(const struct vt_line *line);

/*
 * Reorders a paragraph of N rows of COLS columns, of which the first SKIP are
 * read only.  Replaces each other row that changes by one with VT_LINE_TURNED,
 * and sets maps[i] of row I to its columns: maps[i][x] is the column of the old
 * row that column X shows (mem_free); NULL for a row that stays.
 */
void vt_turn(struct vt_line **rows, size_t n, size_t skip, unsigned cols,
    uint16_t **maps);

#endif
