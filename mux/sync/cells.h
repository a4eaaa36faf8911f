/*
 * mux/sync/cells.h - the bytes that stand for cells of a row on the wire.
 *
 * Purpose:   one encoding of a run of columns by value (text, widths, pens,
 *            links), used whole for rows and in pieces for edits.
 * Ownership: nothing is kept.
 * Units:     columns; bytes.  The table of codes is in cells.c and, for a
 *            second implementation, in doc/PROTOCOL.md.
 * Errors:    decoding fails with -ERR_PEER for codes, lengths or columns out
 *            of bounds; the line is then partly written and to be dropped.
 * Source:    our own.  Widths travel with the cells, because two machines may
 *            have different Unicode tables.
 * Tests:     regress/unit/check_sync_frame.c
 */
#ifndef MUX_SYNC_CELLS_H
#define MUX_SYNC_CELLS_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/line.h"

/* Appends V as wire.h's varint. */
void sync_put_varint(struct buf *b, uint64_t v);

/*
 * Appends the columns from..to-1 of a line.  ERASE says that the rest of the
 * row, from TO on, is blank.  FROM and TO may not split a wide cell.
 */
void sync_cells_put(struct buf *b, const struct vt_line *line, unsigned from,
    unsigned to, bool erase);

/*
 * Writes what R holds to LINE (ours alone) from column FROM on, up to COLS.
 * Returns 0 or -ERR_PEER.
 */
int sync_cells_get(
    struct rd *r, struct vt_line *line, unsigned from, unsigned cols);

#endif
