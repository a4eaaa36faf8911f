/*
 * mux/vt/spread.h - text of any script from UTF-8 to cells.
 *
 * Purpose:   simple characters (base/grapheme.h) straight from bytes to cells.
 * Ownership: the caller's bytes and cells.
 * Units:     columns.
 * Errors:    none: what is ill-formed is left to others.
 * Source:    our own; Unicode's table 3-7 says what is well-formed.
 * Tests:     regress/unit/check_vt_spread.c
 */
#ifndef MUX_VT_SPREAD_H
#define MUX_VT_SPREAD_H

#include "base/grapheme.h"
#include "mux/vt/cell.h"

#define VT_SPREAD_LOOK 16 /* bytes that may be looked at at a time */
#define VT_SPREAD_SLACK 8 /* cells that may be written beyond the last one */

/*
 * Fills cells at DST, COLS at most, with the simple characters at *SP as long
 * as VT_SPREAD_LOOK bytes are there before END; ASCII of so many bytes is left
 * to quicker ways, and it may stop earlier near END.
 * Cells after those filled are garbage: VT_SPREAD_SLACK beyond COLS, too.
 * Returns: the columns filled; *SP is moved on.
 */
unsigned vt_spread(const struct grapheme_table *g, const uint8_t **sp,
    const uint8_t *end, struct vt_cell *dst, unsigned cols, unsigned style);

#endif
