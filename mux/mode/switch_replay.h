/*
 * mux/mode/switch_replay.h - a copy of switch-mode elsewhere.
 *
 * Purpose:   does what switch-mode does with keys that the server has not seen,
 *            with its own code (switch_int.h) over the items on the wire.
 * Ownership: a replay owns all but the graphemes.
 * Units:     at most SWITCH_WIRE_ITEMS items go; a longer list has no copy.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PREDICTION.md; doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 */
#ifndef MUX_MODE_SWITCH_REPLAY_H
#define MUX_MODE_SWITCH_REPLAY_H

#include "base/buf.h"
#include "base/key.h"
#include "mux/mode/list_wire.h"
#include "mux/mode/pick_did.h"
#include "mux/vt/frame.h"

#define SWITCH_WIRE_ITEMS 2048     /* items on the wire, at most */
#define SWITCH_WIRE_ROWS_MAX 65536 /* bytes of them */

/* The looks of the picture. */
struct switch_look {
	struct pen selection;
	struct pen match;
	struct pen message;
	colour theme[STYLE_THEME_COUNT];
};

/* Whether M is switch-mode. */
bool mode_is_switch(const struct mode *m);

/*
 * Append the rows and the state of switch-mode M; false: a copy elsewhere could
 * not follow it.
 */
bool switch_wire_put(struct mode *m, const struct switch_look *look,
    const struct list_taken *taken, struct buf *rows, struct buf *state);

struct switch_replay;

int switch_replay_new(
    struct switch_replay **out, const struct pick_cfg *cfg) WARN_UNUSED;
void switch_replay_free(struct switch_replay *r); /* NULL is fine */

enum pick_did switch_replay_key(struct switch_replay *r, key_code key);

/* EV is in cells of the pane. */
enum pick_did switch_replay_mouse(
    struct switch_replay *r, const struct mouse_event *ev);

struct vt_frame *switch_replay_draw(struct switch_replay *r);

/* Appends the state, for tests: that of switch_wire_put. */
void switch_replay_state(const struct switch_replay *r, struct buf *out);

#endif
