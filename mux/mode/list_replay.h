/*
 * mux/mode/list_replay.h - a copy of a chooser's list elsewhere.
 *
 * Purpose:   does what the list does with keys that the server has not seen,
 *            with the list's own code over the items on the wire.
 * Ownership: a replay owns all but the graphemes and the picture, which it
 *            references.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PREDICTION.md; doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 *
 * The preview is not known: it stays as it was, dim if it is another item's.
 */
#ifndef MUX_MODE_LIST_REPLAY_H
#define MUX_MODE_LIST_REPLAY_H

#include "base/buf.h"
#include "base/key.h"
#include "mux/mode/pick_did.h"
#include "mux/vt/frame.h"

struct grapheme_table;
struct list_replay;

/* PICTURE shows the confirmed state. */
int list_replay_new(
    struct list_replay **out, const struct pick_cfg *cfg) WARN_UNUSED;
void list_replay_free(struct list_replay *r); /* NULL is fine */

enum pick_did list_replay_key(struct list_replay *r, key_code key);

struct list_wire;

/* Its questions, and the one that was open. */
const struct list_wire *list_replay_wire(const struct list_replay *r);

/*
 * Returns the text of the question that KEY opens, a new string, and stores its
 * number, from 1; NULL: it opens none.  The number is 0 if that is not known.
 */
char *list_replay_ask(const struct list_replay *r, key_code key, unsigned *ask);

/* EV is in cells of the pane. */
enum pick_did list_replay_mouse(
    struct list_replay *r, const struct mouse_event *ev);

struct vt_frame *list_replay_draw(struct list_replay *r);

/* The part of the picture that is not known; false: all is. */
bool list_replay_unknown(const struct list_replay *r, struct vt_rect *out);

struct list_open;

/* Appends the state, for tests: that of list_wire_put. */
void list_replay_state(
    const struct list_replay *r, const struct list_open *open, struct buf *out);

#endif
