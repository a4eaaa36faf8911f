/*
 * mux/view/ask_replay.h - copy mode elsewhere, with the prompts that its keys
 * open.
 *
 * Purpose:   a client that has the line of each prompt and the command that the
 *            answer goes to can open the prompt, edit its text and run the
 *            command on its copy of the mode (mux/mode/copy_replay.h).
 * Ownership: struct asks owns its rows; a replay owns all but the source of
 *            history.
 * Units:     cells of the client for places.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PREDICTION.md; doc/PROTOCOL.md, C.5.
 * Tests:     regress/unit/check_copy_link.c, regress/fuzz/fuzz_ask.c,
 *            regress/e2e/replay.sh
 *
 * A replay is exact or silent, as that of copy mode.
 */
#ifndef MUX_VIEW_ASK_REPLAY_H
#define MUX_VIEW_ASK_REPLAY_H

#include "base/key.h"
#include "base/pen.h"
#include "base/wire.h"
#include "mux/mode/copy_replay.h"
#include "mux/sync/view.h"

#define ASKS_MAX 32      /* prompts */
#define ASK_KEYS_MAX 16  /* keys of one */
#define ASK_TEXT_MAX 512 /* bytes of its command and of its first text */

/* Part of the protocol. */
enum ask_flag {
	ASK_SINGLE = 1,      /* one character is the answer */
	ASK_NUMERIC = 2,     /* digits; another key ends it */
	ASK_INCREMENTAL = 4, /* the command runs after each change */
	ASK_EXIT_EMPTY = 8,  /* Backspace in an empty one ends it */
	ASK_VI = 16,         /* Escape begins a mode of commands */
	/* Its first text is the pane's last search. */
	ASK_LAST_SEARCH = 32,
	ASK_FLAGS_ALL = 63,
};

struct ask {
	unsigned flags; /* enum ask_flag */
	int x;          /* of the line */
	int y;
	unsigned col;          /* the first one of the text */
	struct pen pen;        /* of the text */
	char *message;         /* at the server; else NULL */
	bool in_pane;          /* at the server: over the pane */
	char *template;        /* send-keys with a place for the answer */
	char *input;           /* first text, or what an empty search repeats */
	struct vt_frame *line; /* without text; one row */
	unsigned nkeys;
	key_code keys[ASK_KEYS_MAX];
};

struct asks {
	unsigned count;
	struct ask rows[ASKS_MAX];
};

void ask_fini(struct ask *a);
void asks_fini(struct asks *as);

/* False: too large. */
bool asks_put(const struct asks *as, struct buf *out);

struct args;
struct cmdlist;

/*
 * Returns the arguments if LIST is one send-keys -X with no flag but -N, which
 * goes to *REPEAT (0: none); NULL otherwise.
 */
const struct args *ask_command(const struct cmdlist *list, int64_t *repeat);

/* --- the replay -------------------------------------------------------------- */

struct ask_replay;

/* The surface of prompts. */
extern const uint64_t ask_surface;

/* V has copy mode. */
int ask_replay_new(struct ask_replay **out, const struct sync_view *v,
    const struct grapheme_table *gt,
    const struct copy_history *history) WARN_UNUSED;
void ask_replay_free(struct ask_replay *r); /* NULL is fine */

/* The mode under the prompt; it belongs to R. */
struct copy_replay *ask_replay_mode(struct ask_replay *r);

/* Does what the server does with KEY. */
enum copy_replay_did ask_replay_key(struct ask_replay *r, key_code key);

/*
 * Returns the line of the open prompt, and its place, or NULL: there is none.
 */
struct vt_frame *ask_replay_line(const struct ask_replay *r,
    const struct grapheme_table *gt, int *x, int *y);

#endif
