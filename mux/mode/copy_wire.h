/*
 * mux/mode/copy_wire.h - copy mode as bytes, for a copy elsewhere.
 *
 * Purpose:   the state changes with each key; the setup (options, styles, keys)
 *            hardly ever.  A client that has both, the lines of the last
 *            screen, and history can do what the mode does (copy_replay.h).
 * Ownership: a setup owns its strings.
 * Units:     rows are counted from the last row of the text.
 * Errors:    -ERR_PEER for bytes that do not decode or contradict each other.
 * Source:    doc/PROTOCOL.md, C.5.
 * Tests:     regress/unit/check_copy_replay.c, regress/fuzz/fuzz_copy_wire.c
 */
#ifndef MUX_MODE_COPY_WIRE_H
#define MUX_MODE_COPY_WIRE_H

#include "base/key.h"
#include "base/wire.h"
#include "mux/mode/copy_int.h"

#define COPY_WIRE_VERSION 1
#define COPY_WIRE_BINDS_MAX 1024
#define COPY_WIRE_WORDS_MAX 4
#define COPY_WIRE_TEXT_MAX 4096   /* bytes of any one string */
#define COPY_WIRE_STATE_MAX 2048  /* bytes of a state */
#define COPY_WIRE_SETUP_MAX 65536 /* bytes of a setup */

/* The styles of a picture, in the order of the wire. */
enum copy_style {
	COPY_STYLE_POSITION,
	COPY_STYLE_MATCH,
	COPY_STYLE_CURRENT_MATCH,
	COPY_STYLE_MARK,
	COPY_STYLE_SELECTION,
	COPY_STYLE_CURRENT_LINE,
	COPY_STYLE_NUMBER,
	COPY_STYLE_CURRENT_NUMBER,
	COPY_STYLES
};

extern const enum option_id copy_style_options[COPY_STYLES];

/* The command of a key. */
struct copy_bind {
	key_code key; /* KEY_ANY: all keys without a row */
	unsigned repeat;
	unsigned count; /* of words; 0: the key may do anything */
	char *words[COPY_WIRE_WORDS_MAX];
};

struct copy_setup {
	struct copy_env env;
	char *separators; /* word-separators */
	char *position;   /* copy-mode-position-format */
	struct pen styles[COPY_STYLES];
	size_t count;
	size_t cap;
	struct copy_bind *binds; /* the first row of a key counts */
};

/* The parts of a state that are not in struct copy. */
struct copy_wire {
	uint32_t pane;         /* whose history it is */
	uint64_t remade;       /* text_remade of it */
	uint64_t history_size; /* #{history_size} */
	vt_row first;          /* first row of the text */
};

/*
 * Appends the state of M, which must be copy mode.  False: a copy elsewhere
 * could not follow it.
 */
bool copy_state_put(struct mode *m, struct buf *out);

/* Returns the last screen of the text of copy mode M; borrowed. */
const struct vt_frame *copy_state_screen(struct mode *m);

/* Appends the state C with W, which is not checked. */
void copy_state_write(
    struct copy *c, const struct copy_wire *w, struct buf *out);

/*
 * Reads a state into C, which is zero, and W.  C then has all but its text:
 * base, rows and cols of c->text are set, its lines are not.
 */
int copy_state_get(struct rd *r, struct copy *c, struct copy_wire *w);

void copy_setup_fini(struct copy_setup *s);

/* Adds the row of a key; further words than fit make it a key of no effect. */
void copy_setup_bind(struct copy_setup *s, key_code key, unsigned repeat,
    const char *const *words, size_t count);

/* False: the setup is too large. */
bool copy_setup_put(const struct copy_setup *s, struct buf *out);
int copy_setup_get(struct rd *r, struct copy_setup *s);

#endif
