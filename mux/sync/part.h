/*
 * mux/sync/part.h - a partial view, when the whole difference is too large for
 * one instruction.
 *
 * Purpose:   builds the first part of a large change: as many rows, pieces of
 *            rows and effects of the new view as fit; the rest stays as in the
 *            old view.
 * Ownership: the result belongs to the caller.
 * Units:     cells; bytes.
 * Errors:    none: every change has a part that fits.
 * Tests:     regress/unit/check_sync_part.c
 *
 * Size of a part's difference. These always go whole: places, 21 bytes each and
 * 20 for a new surface (1,024 of them: 41 KiB), four strings of the terminal
 * (16 KiB), keys (1 KiB), keys and names of windows (13 KiB). Effects and then cells add at most SSP_PART_MAX bytes
 * together; or one larger effect of at most SYNC_EFFECT_DATA_MAX (896 KiB). The
 * sum is 967 KiB, below SSP_INS_MAX even without compression. The smallest
 * piece is one cell: a pen, a link and a cluster, 2.5 KiB, beside a frame's
 * state of 15 KiB.
 */
#ifndef MUX_SYNC_PART_H
#define MUX_SYNC_PART_H

#include "mux/sync/view.h"

/*
 * Returns a view between OLD (NULL: an empty one) and NEW, nearer to NEW or
 * equal to it. Only an equal view acknowledges the user's input. TURN,
 * different in each call, chooses the first rows, so that all rows are sent
 * however often NEW changes.
 */
struct sync_view *sync_view_part(
    const struct sync_view *old, const struct sync_view *new, uint64_t turn);

#endif
