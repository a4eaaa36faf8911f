/*
 * mux/mode/copy_replay.h - a copy of another machine's copy mode.
 *
 * Purpose:   does at once what the mode will do with keys that it has not
 *            received: the same commands over the same text.
 * Ownership: a replay owns its copy of the state; the source of history belongs
 *            to the caller and outlives it.
 * Units:     absolute rows; cells of the pane.
 * Errors:    copy_replay_new: -ERR_PEER for bytes that do not decode.
 * Tests:     regress/unit/check_copy_replay.c, regress/fuzz/fuzz_copy_wire.c
 *
 * A replay is exact or silent: where it lacks text, or cannot know the effect of
 * a key, it says so and stays as it was.
 */
#ifndef MUX_MODE_COPY_REPLAY_H
#define MUX_MODE_COPY_REPLAY_H

#include "base/buf.h"
#include "base/key.h"
#include "mux/vt/frame.h"
#include "mux/vt/grid.h"

struct copy_replay;
struct copy_setup;
struct grapheme_table;
struct keytable;
struct mode;

/* Where the rows above the last screen come from. */
struct copy_history {
	/* Returns a row (a reference), or NULL: it is not held. */
	struct vt_line *(*row)(void *arg, vt_row row);
	void *arg;
	/* text_remade of the rows; others are never asked for. */
	uint64_t remade;
};

/* What a replay must be given; the bytes are those of copy_wire.h. */
struct copy_replay_cfg {
	const void *state;
	size_t state_len;
	const void *setup;
	size_t setup_len;
	const struct vt_frame *screen; /* the last screen of the text */
	const struct grapheme_table *graphemes;
	struct copy_history history;
};

int copy_replay_new(
    struct copy_replay **out, const struct copy_replay_cfg *cfg) WARN_UNUSED;
void copy_replay_free(struct copy_replay *r); /* NULL is fine */

/* Reads the pane whose history a state needs. */
int copy_replay_pane(const void *state, size_t len, uint32_t *pane) WARN_UNUSED;

/* More history has come; REMADE as in struct copy_history. */
void copy_replay_history(struct copy_replay *r, uint64_t remade);

enum copy_replay_did {
	COPY_REPLAY_DONE,
	COPY_REPLAY_UNKNOWN, /* the effect of the key is not known */
	COPY_REPLAY_MISSED,  /* text is missing */
};

/* Does what the mode does with KEY; nothing changes unless it is done. */
enum copy_replay_did copy_replay_key(struct copy_replay *r, key_code key);

/*
 * The same with a command of send-keys -X; REPEAT 0: as often as
 * copy_replay_repeat has set.
 */
enum copy_replay_did copy_replay_run(struct copy_replay *r,
    const char *const *words, size_t count, unsigned repeat);

/* Sets how often the next command runs. */
void copy_replay_repeat(struct copy_replay *r, unsigned n);

/* Returns the pane's last search, if the mode's was later; else NULL. */
const char *copy_replay_searched(const struct copy_replay *r);

/* Returns the mode's picture, or NULL: a part of it is missing. */
struct vt_frame *copy_replay_draw(struct copy_replay *r);

/* Returns word-separators; valid as long as R. */
const char *copy_replay_separators(const struct copy_replay *r);

/* --- without a server ------------------------------------------------------- */

/* A mode over COUNT rows from FIRST on, all of which the source has. */
struct copy_local_cfg {
	vt_row first;
	size_t count; /* at least ROWS */
	unsigned cols;
	unsigned rows;
	vt_row top;        /* first row shown, within the text */
	const void *setup; /* as above; of no use: vi's keys */
	size_t setup_len;
	const struct grapheme_table *graphemes;
	struct copy_history history;
};

struct copy_replay *copy_local_new(const struct copy_local_cfg *cfg);

enum copy_local_did {
	COPY_LOCAL_DONE,
	COPY_LOCAL_UNKNOWN, /* the key is not one command of the mode */
	COPY_LOCAL_LEFT,    /* the mode has ended */
};

/* Runs the command of a key; appends the text that it copies to COPIED. */
enum copy_local_did copy_local_key(
    struct copy_replay *r, key_code key, struct buf *copied);

/* Searches for TEXT; returns whether it is there. */
bool copy_local_search(struct copy_replay *r, const char *text, bool down);

/* Returns the picture of the mode. */
struct vt_frame *copy_local_draw(struct copy_replay *r);

/* Returns the first row shown. */
vt_row copy_local_top(const struct copy_replay *r);

/* --- for tests --------------------------------------------------------------- */

/*
 * Returns a number that differs when the text has changed by other than keys:
 * pictures with different numbers need not be equal.
 */
uint64_t copy_replay_stamp(const struct copy_replay *r);

/* Appends the state, as copy_state_put does of the mode itself. */
void copy_replay_state(struct copy_replay *r, struct buf *out);

#endif
