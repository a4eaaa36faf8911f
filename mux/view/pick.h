/*
 * mux/view/pick.h - copies of choosers, menus and palettes elsewhere.
 *
 * Purpose:   one interface for the replays of all that a user picks rows from:
 *            the server writes them, a client does what keys in flight will do.
 * Ownership: a pick owns its replay; the picture is referenced.
 * Units:     cells of the client for the mouse, of the surface for pictures.
 * Errors:    -ERR_PEER for bytes that do not decode or an unknown kind.
 * Source:    doc/PREDICTION.md; doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 */
#ifndef MUX_VIEW_PICK_H
#define MUX_VIEW_PICK_H

#include "base/key.h"
#include "mux/mode/pick_did.h"
#include "mux/sync/view.h"

/* Things to pick from; the numbers are part of the protocol. */
enum pick_kind {
	PICK_LIST = 1,    /* a chooser: mux/mode/list_wire.h */
	PICK_MENU = 2,    /* mux/view/menu_replay.h */
	PICK_PALETTE = 3, /* mux/view/palette_replay.h */
	PICK_SWITCH = 4,  /* mux/mode/switch_replay.h */
};

struct pick;

/* Makes a pick from V->pick; V must have its surface. */
int pick_new(struct pick **out, const struct sync_view *v,
    const struct grapheme_table *gt) WARN_UNUSED;
void pick_free(struct pick *p); /* NULL is fine */

enum pick_did pick_key(struct pick *p, key_code key);
enum pick_did pick_mouse(struct pick *p, const struct mouse_event *ev);

/* Whether SURFACE shows a part of P. */
bool pick_shows(const struct pick *p, uint64_t surface);

/* Returns its picture, with unknown parts as they were. */
struct vt_frame *pick_draw(struct pick *p, uint64_t surface);

/*
 * Returns the line of the prompt that is open over P, on VIEW_SURFACE_LINE, and
 * its place on the client; NULL: none is.
 */
struct vt_frame *pick_line(const struct pick *p, int *x, int *y);

/* The part of the picture that is not known; false: all is. */
bool pick_unknown(const struct pick *p, uint64_t surface, struct vt_rect *out);

/* Appends the state, for tests. */
void pick_state(struct pick *p, struct buf *out);

#endif
