/*
 * mux/sync/window.h - pictures of windows that a client does not show.
 *
 * Purpose:   a picture is the view of another window as the client would get
 *            it; messages (ssp/side.h) keep the client's pictures up to date.
 * Ownership: a picture owns its bytes; items borrow the message's.
 * Units:     bytes of serialised views.
 * Errors:    -ERR_PEER for messages that do not decode or fit; the picture is
 *            then as before.
 * Source:    doc/PROTOCOL.md, B.11.
 * Tests:     regress/unit/check_sync_switch.c, regress/fuzz/fuzz_sync_window.c
 */
#ifndef MUX_SYNC_WINDOW_H
#define MUX_SYNC_WINDOW_H

#include "base/buf.h"
#include "base/wire.h"

struct sync_view;

#define SYNC_WINDOWS_MAX 16u              /* pictures */
#define SYNC_WINDOWS_BYTES_MAX (1u << 20) /* of all pictures */
#define SYNC_WINDOW_BYTES_MAX (48u << 10) /* of one */
#define SYNC_WINDOW_CELLS_MAX (1u << 18)  /* of one, in all its surfaces */
#define SYNC_WINDOW_SURFACES_MAX 256u
#define SYNC_WINDOW_RAW_MAX (63u << 10) /* of a message, unpacked */

#define SYNC_WINDOW_ITEMS_MAX 64u /* of a message */

enum sync_window_kind {
	SYNC_WINDOW_WANT = 5,     /* from the client: bytes of all pictures */
	SYNC_WINDOW_PICTURES = 6, /* from the server */
};

struct sync_window {
	uint32_t session;
	uint32_t window;
	struct buf bytes; /* the serialised view; empty: none */
};

void sync_window_init(struct sync_window *w, uint32_t session, uint32_t window);
void sync_window_fini(struct sync_window *w);

/* Returns the view of a picture, which has one. */
struct sync_view *sync_window_view(const struct sync_window *w);

/* --- messages ---------------------------------------------------------------- */

enum sync_window_flag {
	SYNC_WINDOW_NEW = 1,    /* the difference is to an empty view */
	SYNC_WINDOW_FORGET = 2, /* the picture goes; nothing follows */
};

/* A change of one picture. */
struct sync_window_item {
	uint32_t session;
	uint32_t window;
	uint8_t flags;
	uint32_t hash; /* of the picture's bytes afterwards */
	const uint8_t *diff;
	size_t len;
};

/* Appends the request; BYTES 0: no pictures. The server begins anew. */
void sync_window_put_want(struct buf *out, uint32_t bytes);
int sync_window_get_want(struct rd *r, uint32_t *bytes) WARN_UNUSED;

/*
 * Appends the head of PICTURES.  FORM is 0 for a plain body, 1 for a zstd block
 * and 2 for a zstd frame; RAW is the length of the plain body, the items.
 */
void sync_window_put_head(struct buf *out, uint8_t form, uint32_t raw);
int sync_window_get_head(
    struct rd *r, uint8_t *form, uint32_t *raw) WARN_UNUSED;

void sync_window_put_item(struct buf *out, const struct sync_window_item *it);
int sync_window_get_item(struct rd *r, struct sync_window_item *it) WARN_UNUSED;

uint32_t sync_window_hash(const struct buf *bytes);

/*
 * Changes a picture by an item that does not forget it.
 * security: the result is bounded by the limits above.
 */
int sync_window_apply(
    struct sync_window *w, const struct sync_window_item *it) WARN_UNUSED;

/* Returns whether V keeps the limits of a picture. */
bool sync_window_fits(const struct sync_view *v);

#endif
