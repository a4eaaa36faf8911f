/*
 * mux/sync/switch.h - which keys show which window, in the view.
 *
 * Purpose:   the server decides the meaning of keys; with its windows, their
 *            order and the keys that select them, a client can tell which window
 *            keys in flight will show.
 * Ownership: reference counts; a shared object does not change.  A replay is the
 *            caller's and refers to nothing.
 * Units:     input indices; indexes of winlinks; cells of the client's terminal.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    doc/PROTOCOL.md, C.6.
 * Tests:     regress/unit/check_sync_switch.c, check_pictures.c,
 *            regress/fuzz/fuzz_sync_switch.c
 *
 * A replay is exact or silent: at a key whose effect it cannot know it stops.
 */
#ifndef MUX_SYNC_SWITCH_H
#define MUX_SYNC_SWITCH_H

#include "base/buf.h"
#include "base/key.h"
#include "base/wire.h"
#include "mux/vt/frame.h"

#define SYNC_SWITCH_LINKS_MAX 128u /* windows of a session */
#define SYNC_SWITCH_SESSIONS_MAX 64u
#define SYNC_SWITCH_BINDS_MAX 64u
#define SYNC_SWITCH_PREFIXES 2u
#define SYNC_SWITCH_RANGES_MAX 256u
#define SYNC_SWITCH_ASKS_MAX 12u
#define SYNC_SWITCH_ASK_BYTES 4096u /* texts and lines of all prompts */
#define SYNC_SWITCH_STATE_MAX 1024u /* bytes */
#define SYNC_SWITCH_SETUP_MAX 8192u /* bytes */
#define SYNC_SWITCH_BAR_MAX 4096u   /* bytes */

/* Of the view: the newest input in STATE, which is opaque there. */
struct sync_switch {
	uint32_t refs;
	uint64_t seen;
	struct vt_str *state;
};

/* Returns an object that takes STATE over. */
struct sync_switch *sync_switch_new(uint64_t seen, struct vt_str *state);
struct sync_switch *sync_switch_ref(struct sync_switch *s); /* NULL is fine */
void sync_switch_unref(struct sync_switch *s);              /* NULL is fine */
bool sync_switch_equal(
    const struct sync_switch *a, const struct sync_switch *b);

/* Appends S as an array; NULL: none. */
void sync_switch_put(struct buf *out, const struct sync_switch *s);
int sync_switch_get(struct rd *r, struct sync_switch **slot);

/* --- state and setup ------------------------------------------------------- */

#define SYNC_SWITCH_NONE UINT32_MAX

struct sync_switch_state {
	bool prefix; /* the prefix was the last key */
	uint32_t session;
	uint32_t last_session; /* or SYNC_SWITCH_NONE */
	uint32_t current;      /* index of the current window */
	unsigned nlast;
	/* Indexes of the windows once current, the latest first. */
	uint32_t last[SYNC_SWITCH_LINKS_MAX];
};

/* What a key does. */
enum sync_switch_act {
	SYNC_SWITCH_UNKNOWN = 0, /* it may do anything */
	SYNC_SWITCH_NEXT = 1,
	SYNC_SWITCH_PREVIOUS = 2,
	SYNC_SWITCH_LAST = 3,
	SYNC_SWITCH_SELECT = 4,  /* the window with the index ARG */
	SYNC_SWITCH_CLICKED = 5, /* the window under the mouse */
	SYNC_SWITCH_NEXT_SESSION = 6,
	SYNC_SWITCH_PREVIOUS_SESSION = 7,
	SYNC_SWITCH_LAST_SESSION = 8,
	SYNC_SWITCH_STAYS = 9,   /* the same window is shown, perhaps changed */
	SYNC_SWITCH_ASKS = 10,   /* the prompt ARG opens */
	SYNC_SWITCH_COPIES = 11, /* copy mode opens; ARG: sync_switch_copies */
	SYNC_SWITCH_ACTS = 12,
};

/* How copy mode opens. */
enum sync_switch_copies {
	SYNC_SWITCH_COPIES_UP = 1,    /* with a page up */
	SYNC_SWITCH_COPIES_EXITS = 2, /* it ends at the end of its text */
};

/* The prompt that a key opens, as long as nothing else has changed. */
struct sync_switch_ask {
	int x; /* of its line */
	int y;
	unsigned col;  /* first column of its text; 0: any key ends it */
	unsigned text; /* bytes of its first text, in ASK_BYTES */
	unsigned line; /* then bytes of its line, a frame; 0: not known */
	unsigned at;   /* of the text in ASK_BYTES */
};

struct sync_switch_bind {
	bool prefix; /* in the table prefix; else in root */
	bool repeat; /* the next key may find the same table */
	enum sync_switch_act act;
	uint32_t arg;
	key_code key;
};

/*
 * A key of the table prefix without a bind may do anything, one of root nothing.
 */
struct sync_switch_setup {
	key_code prefixes[SYNC_SWITCH_PREFIXES]; /* KEY_NONE: none */
	unsigned nbinds;
	struct sync_switch_bind binds[SYNC_SWITCH_BINDS_MAX];
	unsigned nlinks;
	struct sync_switch_link {
		uint32_t index;
		uint32_t window;
	} links[SYNC_SWITCH_LINKS_MAX]; /* of the session, by index */
	unsigned nsessions;
	struct sync_switch_session {
		uint32_t session;
		uint32_t window;              /* its current one */
	} sessions[SYNC_SWITCH_SESSIONS_MAX]; /* in the order of -n */
	unsigned nasks;
	struct sync_switch_ask asks[SYNC_SWITCH_ASKS_MAX];
	unsigned separators; /* bytes of the prompts' word separators */
	size_t ask_len;
	uint8_t ask_bytes[SYNC_SWITCH_ASK_BYTES]; /* begin with separators */
};

/*
 * Adds a prompt to S: the first TEXT and LINE, a frame of one row.  Without room
 * the prompt is not known.
 */
void sync_switch_add_ask(struct sync_switch_setup *s,
    const struct sync_switch_ask *a, const char *text,
    const struct vt_frame *line);

/* Returns the line of A, a new reference, or NULL: it does not decode. */
struct vt_frame *sync_switch_ask_line(
    const struct sync_switch_setup *s, const struct sync_switch_ask *a);

/* Append the bytes; false: too many of something for the format. */
bool sync_switch_put_state(struct buf *out, const struct sync_switch_state *s);
bool sync_switch_put_setup(struct buf *out, const struct sync_switch_setup *s);

int sync_switch_get_state(
    const void *p, size_t n, struct sync_switch_state *s) WARN_UNUSED;
int sync_switch_get_setup(
    const void *p, size_t n, struct sync_switch_setup *s) WARN_UNUSED;

/* --- status lines ------------------------------------------------------------ */

/* Where the status lines of a view are, and the windows that they name. */
struct sync_switch_bar {
	int x;
	int y;
	int w; /* 0: none */
	int h;
	unsigned n;
	struct sync_switch_range {
		int row; /* of the status lines */
		int from;
		int to;
		uint32_t index;
	} ranges[SYNC_SWITCH_RANGES_MAX];
};

bool sync_switch_put_bar(struct buf *out, const struct sync_switch_bar *b);
int sync_switch_get_bar(
    const void *p, size_t n, struct sync_switch_bar *b) WARN_UNUSED;

/* --- the replay -------------------------------------------------------------- */

struct sync_switch_replay {
	struct sync_switch_setup setup;
	struct sync_switch_state at;
	bool repeats;    /* a bind with REPEAT was the last one */
	bool acted;      /* a bind has changed something */
	unsigned ask;    /* after SYNC_SWITCH_ASKED: the prompt */
	unsigned copies; /* after SYNC_SWITCH_COPIED: enum sync_switch_copies */
	uint32_t
	    home; /* session of the setup; the windows of others are unknown */
	uint32_t window; /* shown */
};

enum sync_switch_did {
	SYNC_SWITCH_PASSED,  /* the input is not for the key tables */
	SYNC_SWITCH_TAKEN,   /* the same window is shown */
	SYNC_SWITCH_SHOWS,   /* another window is shown */
	SYNC_SWITCH_ASKED,   /* a prompt is open, which takes the next keys */
	SYNC_SWITCH_COPIED,  /* copy mode is open, and takes them */
	SYNC_SWITCH_STOPPED, /* the effect is not known; nothing has changed */
};

/* The setup of the last view, for the next views with the same bytes. */
struct sync_switch_kept {
	struct vt_str *bytes; /* NULL: none; owned */
	struct sync_switch_setup setup;
};

void sync_switch_kept_fini(struct sync_switch_kept *k);

/*
 * Begins with the bytes of a view; -ERR_PEER: they do not fit.  If KEPT has the
 * same bytes as SETUP, its setup is copied; else SETUP is decoded, and KEPT
 * stores the result.  KEPT may be NULL.
 */
int sync_switch_begin(struct sync_switch_replay *r, const struct vt_str *state,
    struct vt_str *setup, struct sync_switch_kept *kept) WARN_UNUSED;

/* Does what the server does with a key. */
enum sync_switch_did sync_switch_key(
    struct sync_switch_replay *r, key_code key);

/*
 * The same for the mouse; BAR is what the user sees.  AGAIN: the press may be
 * the second of a double click.
 */
enum sync_switch_did sync_switch_mouse(struct sync_switch_replay *r,
    const struct sync_switch_bar *bar, const struct mouse_event *ev,
    bool again);

/*
 * Does what the server does with the wheel over the active pane.  KEY:
 * WheelUpPane, perhaps with modifiers, or KEY_NONE if the program gets the wheel.
 */
enum sync_switch_did sync_switch_wheel(
    struct sync_switch_replay *r, key_code key);

#endif
