/*
 * mux/sync/copy.h - copy mode in the view, for clients that replay it.
 *
 * Purpose:   with the mode's state, the newest input in it and the lines of the
 *            last screen, a client that holds the history can show what keys in
 *            flight will do.
 * Ownership: reference counts; a shared object does not change.
 * Units:     input indices; bytes.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md; mux/mode/copy_wire.h has the bytes of the state.
 * Tests:     regress/unit/check_sync_frame.c, check_copy_replay.c
 */
#ifndef MUX_SYNC_COPY_H
#define MUX_SYNC_COPY_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_COPY_STATE_MAX 4096          /* bytes */
#define SYNC_COPY_SETUP_MAX (32u << 10)   /* bytes */
#define SYNC_COPY_TYPED_MAX 4096          /* bytes */
#define SYNC_COPY_ASKS_MAX (16u << 10)    /* bytes */
#define SYNC_COPY_SCREEN_MAX (256u << 10) /* bytes, as a whole frame */

/* How a client itself has opened the mode; 0: the server has. */
#define SYNC_COPY_OPENED 1u
#define SYNC_COPY_OPENED_UP 2u    /* with a page up */
#define SYNC_COPY_OPENED_EXITS 4u /* it ends at the end of its text */

struct sync_copy {
	uint32_t refs;
	uint64_t surface;        /* the surface that shows the mode */
	uint64_t seen;           /* newest input in STATE */
	struct vt_str *state;    /* opaque here */
	struct vt_frame *screen; /* last screen of the text; never NULL */
	/* The prompt that a key of the mode has opened. */
	uint32_t ask;         /* which of the view's ASKS; 0: none */
	uint32_t sign;        /* of an incremental search: '=', '+' or '-' */
	uint32_t at;          /* the cursor in TYPED, in bytes */
	struct vt_str *typed; /* UTF-8 */
	struct vt_str *last;  /* what an empty search repeats */
	/* Of the client alone: the surface does not show the mode yet. */
	unsigned opened; /* SYNC_COPY_OPENED and how, or 0 */
};

/* Returns a copy of C that takes over its members. */
struct sync_copy *sync_copy_new(const struct sync_copy *c);
struct sync_copy *sync_copy_ref(struct sync_copy *c); /* NULL is fine */
void sync_copy_unref(struct sync_copy *c);            /* NULL is fine */
bool sync_copy_equal(const struct sync_copy *a, const struct sync_copy *b);

/*
 * Appends C as an array; NULL: none.  The screen is written as its difference
 * to BASE (NULL: to a blank one).  -ERR_LIMIT: OUT is full.
 */
int sync_copy_put(
    struct buf *out, const struct sync_copy *c, const struct vt_frame *base);

/* Reads a new object into *SLOT, with the BASE that the writer used. */
int sync_copy_get(
    struct rd *r, struct sync_copy **slot, const struct vt_frame *base);

#endif
