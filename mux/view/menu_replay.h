/*
 * mux/view/menu_replay.h - a copy of a menu elsewhere.
 *
 * Purpose:   writes a menu for a client that chooses its rows before the server
 *            answers.  The rows are pictures: the menu with no row chosen, and
 *            with all.
 * Ownership: a replay owns all of it.
 * Units:     cells of the client.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 */
#ifndef MUX_VIEW_MENU_REPLAY_H
#define MUX_VIEW_MENU_REPLAY_H

#include "mux/mode/pick_did.h"
#include "mux/view/menu.h"

struct menu_replay;

/* Append menu M.  False: it is too large. */
bool menu_replay_put(const struct view_context *cx, const struct view_menu *m,
    struct buf *rows, struct buf *state);

int menu_replay_new(
    struct menu_replay **out, const struct pick_cfg *cfg) WARN_UNUSED;
void menu_replay_free(struct menu_replay *r); /* NULL is fine */
enum pick_did menu_replay_key(struct menu_replay *r, key_code key);
enum pick_did menu_replay_mouse(
    struct menu_replay *r, const struct mouse_event *ev);
struct vt_frame *menu_replay_draw(const struct menu_replay *r);
void menu_replay_state(const struct menu_replay *r, struct buf *out);

#endif
