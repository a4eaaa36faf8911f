/*
 * mux/sync/frame.h - frames on the wire: whole, and as differences.
 *
 * Purpose:   writes the canonical bytes of a frame (equal frames give equal
 *            bytes on any machine), and the bytes that turn one frame into
 *            another.
 * Ownership: results of sync_frame_apply are new references.
 * Units:     cells; bytes.
 * Errors:    -ERR_PEER for bytes that do not fit; -ERR_LIMIT when OUT is full.
 * Source:    a row map (rows copied from the old frame), moved parts of rows
 *            (move.h), then edited runs of columns; see doc/PROTOCOL.md.
 * Tests:     regress/unit/check_sync_frame.c, regress/fuzz/fuzz_sync_frame.c
 */
#ifndef MUX_SYNC_FRAME_H
#define MUX_SYNC_FRAME_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_FRAME_CELLS_MAX (4u << 20) /* cells of a peer's frame */
#define SYNC_STRING_MAX 4096            /* title, icon, directory */

/*
 * Appends the difference from OLD to NEW (no bytes if they are equal). OLD may
 * be NULL: a blank frame of NEW's size. The result is canonical then.
 */
int sync_frame_diff(
    const struct vt_frame *old, const struct vt_frame *new, struct buf *out);

/* The same; MOVES: the reader knows FRAME_MOVE (sync_view.moves). */
int sync_frame_diff_for(const struct vt_frame *old, const struct vt_frame *new,
    bool moves, struct buf *out);

/* Applies the difference in R, up to its end, to OLD (may be NULL as above). */
int sync_frame_apply(
    const struct vt_frame *old, struct rd *r, struct vt_frame **out);

#endif
