/*
 * mux/sync/cells.h - the wire encoding of a row's cells.
 *
 * Purpose:   encodes a run of columns by value (text, widths, pens, links),
 *            both for whole rows and for edits.
 * Units:     columns; bytes. The table of codes is in cells.c and, for a second
 *            implementation, in doc/PROTOCOL.md.
 * Errors:    decoding returns -ERR_PEER for codes, lengths or columns out of
 *            bounds; the line is then partly written and must be dropped.
 * Source:    widths travel with the cells, because two machines may have
 *            different Unicode tables.
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
 * Appends the columns FROM..TO-1 of a line. ERASE: the rest of the row, from TO
 * on, is blank. FROM and TO must not split a wide cell.
 */
void sync_cells_put(struct buf *b, const struct vt_line *line, unsigned from,
    unsigned to, bool erase);

/*
 * Writes the cells in R to LINE (not shared) from column FROM on, up to COLS.
 * Returns 0 or -ERR_PEER.
 */
int sync_cells_get(
    struct rd *r, struct vt_line *line, unsigned from, unsigned cols);

#endif
