/*
 * mux/sync/part.h - a view on the way to another that is too far for one
 * instruction.
 *
 * Purpose:   the first part of a large change: as many rows, pieces of rows
 *            and effects of the new view as may go at once, the rest as it
 *            was.
 * Ownership: the result is the caller's.
 * Units:     cells; bytes.
 * Errors:    none: there is a part of every change.
 * Source:    our own.
 * Tests:     regress/unit/check_sync_part.c
 *
 * How large a part's difference may be.  What always goes whole: places, 21
 * bytes each and 20 for a surface that is new (1,024 of them: 41 KiB), four
 * strings of the terminal (16 KiB), keys (1 KiB).  Beside that effects, then
 * cells, of SSP_PART_MAX bytes together; or one effect that is larger, of at
 * most SYNC_EFFECT_DATA_MAX (896 KiB).  954 KiB in all, below SSP_INS_MAX even
 * where nothing is packed.  The smallest piece is one cell: a pen, a link and
 * a cluster, 2.5 KiB, beside a frame's state of 15 KiB.
 */
#ifndef MUX_SYNC_PART_H
#define MUX_SYNC_PART_H

#include "mux/sync/view.h"

/*
 * A view between OLD (NULL: an empty one) and NEW, nearer to NEW, or equal to
 * it; what the user typed counts as answered only then.  TURN, another one
 * each time, says which rows come first: so all have their turn however often
 * NEW changes.
 */
struct sync_view *sync_view_part(
    const struct sync_view *old, const struct sync_view *new, uint64_t turn);

#endif
