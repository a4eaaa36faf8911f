/*
 * mux/view/pick_ask.h - the prompts over a copy of a chooser's list.
 *
 * Purpose:   opens the prompts of a list (search, filter, command, questions)
 *            from their keys, edits their text, and ends them.
 * Ownership: the replay of the list is borrowed.
 * Units:     cells of the client for places.
 * Errors:    -ERR_PEER for a line that does not decode.
 * Source:    doc/PREDICTION.md; doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c,
 *            regress/e2e/pick.sh
 *
 * What an answer does is the server's, unless it changes nothing.
 */
#ifndef MUX_VIEW_PICK_ASK_H
#define MUX_VIEW_PICK_ASK_H

#include "base/key.h"
#include "mux/mode/list_replay.h"
#include "mux/mode/list_wire.h"

struct pick_ask;
struct prompt_edit;

/* *OUT is NULL if the list's questions are not known. */
int pick_ask_new(struct pick_ask **out, struct list_replay *list,
    const struct grapheme_table *gt) WARN_UNUSED;
void pick_ask_free(struct pick_ask *a); /* NULL is fine */

/* False: the key is the list's. */
bool pick_ask_key(struct pick_ask *a, key_code key, enum pick_did *did);

/* Whether a prompt is open. */
bool pick_ask_open(const struct pick_ask *a);

/* Whether its text has narrowed the list, in a way that is not known. */
bool pick_ask_narrows(const struct pick_ask *a);

/* Returns its line and place; NULL: none is open. */
struct vt_frame *pick_ask_line(const struct pick_ask *a, int *x, int *y);

/* Describes it for list_state_put; borrowed. */
void pick_ask_state(struct pick_ask *a, struct list_open *out);

/*
 * Draws a line with MESSAGE and the text of EDIT over FRAME, which has neither;
 * NULL: there is no room, or the message would have styles.
 */
struct vt_frame *pick_ask_draw(const struct vt_frame *frame,
    const struct grapheme_table *gt, const char *message,
    const struct prompt_edit *edit, const struct pen *pen);

#endif
