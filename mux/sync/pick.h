/*
 * mux/sync/pick.h - a chooser, menu or palette in the view, for clients that
 * replay it.
 *
 * Purpose:   with its state, its rows and the newest input in them, a client can
 *            show which row keys in flight will choose.
 * Ownership: reference counts; a shared object does not change.
 * Units:     input indices; bytes.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md; mux/view/pick.h has the meaning of the bytes.
 * Tests:     regress/unit/check_pick.c
 */
#ifndef MUX_SYNC_PICK_H
#define MUX_SYNC_PICK_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_PICK_STATE_MAX 4096        /* bytes */
#define SYNC_PICK_ROWS_MAX (256u << 10) /* bytes */

struct sync_pick {
	uint32_t refs;
	uint32_t kind;        /* enum pick_kind */
	uint64_t surface;     /* the surface that shows it */
	uint64_t seen;        /* newest input in STATE */
	struct vt_str *state; /* changes with most keys; opaque here */
	struct vt_str *rows;  /* changes seldom; opaque here */
};

/* Returns a copy of P that takes over its strings. */
struct sync_pick *sync_pick_new(const struct sync_pick *p);
struct sync_pick *sync_pick_ref(struct sync_pick *p); /* NULL is fine */
void sync_pick_unref(struct sync_pick *p);            /* NULL is fine */
bool sync_pick_equal(const struct sync_pick *a, const struct sync_pick *b);

/*
 * Appends P as an array; NULL: none.  The rows are written as their difference
 * to those of OLD, which may be NULL.
 */
void sync_pick_put(
    struct buf *out, const struct sync_pick *p, const struct sync_pick *old);

/* Replaces *SLOT, which is the OLD that the writer used. */
int sync_pick_get(struct rd *r, struct sync_pick **slot);

#endif
