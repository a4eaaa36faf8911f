/*
 * mux/vt/spread.h - text of any script from UTF-8 to cells.
 *
 * Purpose:   converts simple characters (base/grapheme.h) directly to cells.
 * Ownership: the caller's bytes and cells.
 * Units:     columns.
 * Errors:    none: stops at ill-formed text.
 * Source:    Unicode's table 3-7 defines well-formed UTF-8.
 * Tests:     regress/unit/check_vt_spread.c
 */
#ifndef MUX_VT_SPREAD_H
#define MUX_VT_SPREAD_H

#include "base/grapheme.h"
#include "mux/vt/cell.h"

#define VT_SPREAD_LOOK 16 /* bytes read at a time */
#define VT_SPREAD_SLACK 8 /* cells that may be written after the last one */

/*
 * Fills cells at DST, COLS at most, with the simple characters at *SP while
 * VT_SPREAD_LOOK bytes remain before END.  Leaves ASCII runs of that length to
 * faster paths, and may stop earlier near END.  Cells after the filled ones
 * hold garbage, up to VT_SPREAD_SLACK beyond COLS.
 *
 * Returns: the columns filled; advances *SP.
 */
unsigned vt_spread(const struct grapheme_table *g, const uint8_t **sp,
    const uint8_t *end, struct vt_cell *dst, unsigned cols, unsigned style);

#endif
