/*
 * regress/unit/pick_util.h - choosers, menus and a palette for tests of their
 * replays.
 *
 * Purpose:   makes one of them with random contents, gives it inputs as the
 *            server does, and builds the view that a client gets.
 * Ownership: pick_util_fini frees everything; a view is the caller's.
 * Errors:    asserts.
 */
#ifndef REGRESS_PICK_UTIL_H
#define REGRESS_PICK_UTIL_H

#include "mux/mode/list.h"
#include "mux/mode/request.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/menu.h"
#include "mux/view/palette.h"
#include "mux/view/pick.h"
#include "regress/unit/view_util.h"

enum pick_what {
	PICK_TREE,
	PICK_BUFFERS,
	PICK_OPTIONS,
	PICK_HITS,
	PICK_NAMES, /* switch-mode */
	PICK_A_MENU,
	PICK_A_PALETTE,
	PICK_WHATS
};

struct pick_util {
	enum pick_what what;
	uint64_t random;
	struct view_util u;
	struct mode_requests requests;
	struct mode_host host;
	struct view_menu *menu;
	struct view_palette *palette;
	bool grown;     /* a long list goes whole */
	bool asks;      /* random inputs open prompts */
	unsigned kills; /* commands to kill that the list has run */
	/* The prompt over the list, as the server has it. */
	struct pick_prompt {
		struct mode_request *request; /* NULL: none is open */
		struct prompt_edit edit;
	} prompt;
	int rows; /* of the pane */
	int cols;
};

/* An input of a user. */
struct pick_input {
	key_code key; /* 0: the mouse */
	struct mouse_event mouse;
};

/* The same SEED makes the same contents; LARGE: more than fit on the wire. */
void pick_util_init(
    struct pick_util *p, enum pick_what what, uint64_t seed, bool large);
void pick_util_fini(struct pick_util *p);

/* Returns a random input; MOVES: one that a replay knows. */
struct pick_input pick_util_random(
    const struct pick_util *p, uint64_t *random, bool moves);

/* Gives it to the server's side, unless it would end it: false. */
bool pick_util_input(struct pick_util *p, const struct pick_input *in);

/* Changes the model as programs and other clients do. */
void pick_util_change(struct pick_util *p, uint64_t *random);

/* The view with all inputs up to SEEN; OLD, or NULL, is the one before. */
struct sync_view *pick_util_view(
    struct pick_util *p, uint64_t seen, const struct sync_view *old);

/* What a replay has done with an input. */
enum pick_did pick_util_replay(struct pick *k, const struct pick_input *in);

#endif
