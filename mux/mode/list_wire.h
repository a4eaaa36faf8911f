/*
 * mux/mode/list_wire.h - a list of a chooser as bytes, for a copy elsewhere.
 *
 * Purpose:   the rows (items, texts, styles) change with the model; the state
 *            (current line, tags, open branches) with keys.  A client that has
 *            both can do what the list does with a key (list_replay.h).
 * Ownership: a wire owns its texts; the list that is read owns its items.
 * Units:     items of the wire count from 0; lines are those of the list.
 * Errors:    -ERR_PEER for bytes that do not decode or contradict each other.
 * Source:    doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 *
 * A short list goes whole, with the items that collapsed parents hide.  Of a
 * long one go the lines in sight and some around them, behind the parents of the
 * first one; then, if the caller says that it may grow, it goes whole, too.
 */
#ifndef MUX_MODE_LIST_WIRE_H
#define MUX_MODE_LIST_WIRE_H

#include "base/wire.h"
#include "conf/style.h"
#include "mux/mode/list.h"

#define LIST_WIRE_VERSION 1
#define LIST_WIRE_WHOLE 128      /* items of a list that goes whole, at most */
#define LIST_WIRE_ITEMS 6144     /* items on the wire, at most */
#define LIST_WIRE_TEXT_MAX 4096  /* bytes of any one string */
#define LIST_WIRE_ROWS_MAX 16384 /* bytes of the rows of a part */
#define LIST_WIRE_GROWN_MAX 262144 /* bytes of the rows of a long list */
#define LIST_WIRE_KEYS_MAX 256     /* keys that a key table takes */
#define LIST_WIRE_ASKS_MAX 16      /* questions */
#define LIST_WIRE_LINE_MAX 1024    /* bytes of the prompt's line */

/* The colours of the picture. */
struct list_look {
	struct pen selection;
	struct pen border;
	colour theme[STYLE_THEME_COUNT];
};

/* The keys that do not reach the mode: bindings and prefixes. */
struct list_taken {
	const key_code *keys;
	size_t count;
};

/* The line in which questions are asked, and the one that is open. */
struct list_line {
	const char *separators; /* word-separators */
	bool vi;                /* Escape begins a mode of commands */
	int x;                  /* of the line on the client */
	int y;
	struct pen pen;
	const void *frame; /* the line without text; opaque here */
	size_t frame_len;
	bool open;
	unsigned what; /* mode_list_ask.what of the open one */
	size_t at;     /* its cursor, in bytes */
	const char *text;
	const char *message;
};

/* Whether M is a list. */
bool mode_is_list(const struct mode *m);

/* Whether the list M goes in part unless it may grow. */
bool list_wire_grows(const struct mode *m);

/*
 * Append the rows and the state of the list M, which has just been drawn; GROWN:
 * a long one, whole.  Texts of items out of sight may then be some views old.
 * LINE may be NULL: a copy cannot ask.  False: a copy elsewhere could not
 * follow it.
 */
bool list_wire_put(struct mode *m, const struct list_look *look,
    const struct list_taken *taken, const struct list_line *line, bool grown,
    struct buf *rows, struct buf *state);

/* The question that is open. */
struct list_open {
	unsigned ask; /* from 1; 0: none */
	size_t at;
	const char *text;
	const char *message;
};

/*
 * Appends the state of L alone; ITEMS [COUNT], or NULL: the first ones.  OPEN
 * may be NULL.
 */
void list_state_put(const struct mode_list *l, const uint32_t *items,
    uint32_t count, const struct list_open *open, struct buf *out);

/* A question on the wire. */
struct list_wire_ask {
	struct mode_list_ask ask; /* `what` is its number, from 1 */
	char *input;
	char *texts[MODE_LIST_ASK_TEXTS]; /* those of ASK */
};

/* The parts of the rows that are not in struct mode_list. */
struct list_wire {
	struct list_look look;
	bool whole;
	bool own_keys; /* keys of lines by a format */
	uint32_t count;
	char **texts;    /* [count], NULL each: none */
	key_code *taken; /* [taken_count] */
	size_t taken_count;
	const char *orders[2];
	char *order;
	struct list_line line; /* as it is read: all strings below are its */
	char *separators;      /* NULL: questions are not known */
	char *frame;
	char *text;    /* of the open question, or NULL */
	char *message; /* the same */
	unsigned open; /* its number, from 1; 0: none */
	struct list_wire_ask asks[LIST_WIRE_ASKS_MAX];
	unsigned ask_count;
};

void list_wire_fini(struct list_wire *w);

/*
 * Reads both into L, W and OPS, which are zero.  After an error the caller frees
 * them as after success.
 */
int list_wire_get(struct rd *rows, struct rd *state, struct mode_list *l,
    struct list_wire *w, struct mode_list_ops *ops);

#endif
