/*
 * mux/sync/opening.h - openings: the states that copy mode begins with.
 *
 * Purpose:   a client that holds the opening of a pane, and its history, opens
 *            copy mode before the server answers, and replays it as always.
 * Ownership: the strings of an opening belong to its holder.
 * Units:     bytes.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md, B.11 and C.5.
 * Tests:     regress/unit/check_sync_opening.c, check_copy_link.c
 *
 * The message goes beside those of tail.h.  An opening holds as long as the pane
 * shows the same screen.
 */
#ifndef MUX_SYNC_OPENING_H
#define MUX_SYNC_OPENING_H

#include "base/buf.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_OPENING_KIND 5     /* beside those of enum sync_tail_kind */
#define SYNC_OPENING_MAX 65536u /* bytes of a body, unpacked */

struct sync_opening {
	uint32_t pane;
	uint64_t screen;      /* sync_opening_screen of the pane */
	struct vt_str *state; /* as of struct sync_copy */
	/* NULL: those of the message before, whatever its pane was. */
	struct vt_str *setup;
	struct vt_str *asks;
};

void sync_opening_fini(struct sync_opening *o);

/* Returns a hash of what a pane shows, and of its cursor. */
uint64_t sync_opening_screen(const struct vt_frame *f);

/* Whether A and B show the same text and looks, whatever their cursors. */
bool sync_opening_same(const struct vt_frame *a, const struct vt_frame *b);

/* Appends the body of a message; false: it is too large. */
bool sync_opening_put(struct buf *out, const struct sync_opening *o);
/* Reads a body into O, which holds nothing. */
int sync_opening_get(
    const void *p, size_t n, struct sync_opening *o) WARN_UNUSED;

/* A message: its body is packed, or as it is. */
struct sync_opening_message {
	uint8_t form; /* 0 plain, 1 a zstd block, 2 a zstd frame */
	uint32_t raw; /* bytes of the body, unpacked */
	const uint8_t *body;
	size_t len;
};

void sync_opening_put_message(
    struct buf *out, const struct sync_opening_message *m);
int sync_opening_get_message(
    struct rd *r, struct sync_opening_message *m) WARN_UNUSED;

#endif
