/*
 * mux/view/palette_replay.h - a copy of the palette elsewhere.
 *
 * Purpose:   writes the palette's query and the rows around those in sight, for
 *            a client that moves in them and edits the query before the server
 *            answers.
 * Ownership: a replay owns all but the graphemes and the picture, which it
 *            references.
 * Units:     rows of the palette; cells of the client.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 *
 * Which rows an edited query finds is not known: the rows stay as they were.
 */
#ifndef MUX_VIEW_PALETTE_REPLAY_H
#define MUX_VIEW_PALETTE_REPLAY_H

#include "mux/mode/pick_did.h"
#include "mux/view/palette.h"

struct palette_replay;

/* Append palette P.  False: it is too large, or not shown. */
bool palette_replay_put(const struct view_context *cx,
    const struct view_palette *p, struct buf *rows, struct buf *state);

int palette_replay_new(
    struct palette_replay **out, const struct pick_cfg *cfg) WARN_UNUSED;
void palette_replay_free(struct palette_replay *r); /* NULL is fine */
enum pick_did palette_replay_key(struct palette_replay *r, key_code key);
enum pick_did palette_replay_mouse(
    struct palette_replay *r, const struct mouse_event *ev);
struct vt_frame *palette_replay_draw(struct palette_replay *r);
struct vt_frame *palette_replay_query(struct palette_replay *r);

/* Whether the query differs from that of the rows. */
bool palette_replay_edited(const struct palette_replay *r);
void palette_replay_state(struct palette_replay *r, struct buf *out);

#endif
