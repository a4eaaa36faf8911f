/*
 * mux/sync/view.h - the view: the state of one user's screen, which the server
 * synchronises to a client.
 *
 * Purpose:   an ordered list of surfaces with their places, the focus, the
 *            modes of the user's terminal, and effects that happen once
 *            (clipboard, notification, bell).
 * Ownership: a view owns references to its frames and effects; clones share
 *            them.
 * Units:     cells, 0-based, on the client's terminal; a surface may be partly
 *            or wholly outside and is clipped.
 * Errors:    -ERR_PEER for bytes that do not decode.
 * Source:    idea 4 of ARCHITECTURE.md.
 * Tests:     regress/unit/check_sync_frame.c, check_sync_part.c,
 *            regress/fuzz/fuzz_sync_view.c
 */
#ifndef MUX_SYNC_VIEW_H
#define MUX_SYNC_VIEW_H

#include "base/key.h"
#include "mux/sync/copy.h"
#include "mux/sync/pick.h"
#include "mux/sync/prompt.h"
#include "mux/sync/switch.h"
#include "mux/vt/frame.h"
#include "ssp/object.h"

#define SYNC_SURFACES_MAX 1024
#define SYNC_EFFECTS_MAX 16               /* the newest are kept */
#define SYNC_EFFECT_DATA_MAX (896u << 10) /* fits in one instruction */
#define SYNC_EFFECT_PEER_MAX (1u << 20)   /* accepted from a peer */
#define SYNC_KEYS_MAX 64
#define SYNC_VIEW_BYTES_MAX (32u << 20)

enum sync_surface_kind {
	/* A pane's screen; the client may predict on it. */
	SYNC_SURFACE_PANE = 0,
	SYNC_SURFACE_CHROME = 1,  /* borders, status lines */
	SYNC_SURFACE_OVERLAY = 2, /* prompt, message, menu, popup */
	SYNC_SURFACE_CURSOR = 3,  /* a cursor of another user */
};

struct sync_surface {
	uint64_t id; /* kind << 32 | the pane's or chrome's number */
	enum sync_surface_kind kind;
	int x;
	int y;
	struct vt_frame *frame;
};

/* Effects that happen once; their numbers only grow. */
enum sync_effect_kind {
	SYNC_EFFECT_BELL = 1,
	SYNC_EFFECT_CLIPBOARD = 2,       /* data: "selection;base64" */
	SYNC_EFFECT_CLIPBOARD_QUERY = 3, /* data: selection */
	SYNC_EFFECT_NOTIFY = 4,          /* data: UTF-8 text */
	SYNC_EFFECT_PASSTHROUGH = 5,     /* data: bytes for the terminal */
	SYNC_EFFECT_PALETTE_QUERY = 6,   /* data: "10", "11" or "4;n" */
	SYNC_EFFECT_CONTROL = 7,         /* data: a message of control.h */
	SYNC_EFFECT_PROGRESS = 8,        /* data: "state;percent" of OSC 9;4 */
	SYNC_EFFECT_NOTICE = 9,          /* data: see notice.h */
};

struct sync_effect {
	uint32_t refs;
	uint64_t num; /* 1, 2, ... */
	enum sync_effect_kind kind;
	size_t len;
	char data[]; /* LEN bytes and a NUL */
};

#define SYNC_ESCAPE_DEFAULT 10

/* Settings of the user's terminal. */
enum sync_tty_flag {
	SYNC_TTY_FOCUS = 1, /* report focus */
	SYNC_TTY_PASTE = 2, /* bracketed paste */
	SYNC_TTY_APP_CURSOR = 4,
	SYNC_TTY_APP_KEYPAD = 8,
	SYNC_TTY_TITLE = 16,    /* set the terminal's title */
	SYNC_TTY_READONLY = 32, /* keys other than detach are dropped */
	SYNC_TTY_PREDICT_OFF = 64,
	SYNC_TTY_LOCKED = 128,
	SYNC_TTY_SPENT = 256,  /* the guest's ticket is used up */
	SYNC_TTY_PIXELS = 512, /* report the mouse in pixels */
	/* What a remote client uses a second path for; none of them: standby. */
	SYNC_TTY_PATHS_SINGLE = 1024,
	SYNC_TTY_PATHS_DUPLICATE = 2048,
	SYNC_TTY_PATHS_AGGREGATE = 4096,
};

struct sync_tty {
	uint32_t flags;
	uint8_t mouse; /* enum vt_mouse_mode */
	uint8_t kitty; /* keyboard protocol flags */
	uint8_t modify_other;
	uint8_t predict; /* 0 adaptive, 1 always, 2 never, 3 experimental */
	struct vt_str *title;
	struct vt_str *path; /* OSC 7 for the outer terminal */
	/* escape-time; SYNC_ESCAPE_DEFAULT: the client's own */
	uint32_t escape_ms;
	/* Features to set and, with a "-" in front, to clear. */
	struct vt_str *caps;
	struct vt_str *keys; /* user-keys: lines "N hex" */
};

struct sync_view {
	uint16_t cols; /* the client's size for which this view was made */
	uint16_t rows;
	uint64_t focus;    /* id of the surface that has the cursor, 0 none */
	uint64_t echo_ack; /* newest input whose effect the view shows */
	/*
	 * Newest input of a paste in pieces that the server has handed on; 0:
	 * it takes whole pastes only.
	 */
	uint64_t pasted;
	struct sync_tty tty;
	size_t nsurfaces;
	size_t clipped;                /* surfaces that are too large to send */
	struct sync_surface *surfaces; /* bottom first; ids are unique */
	size_t neffects;
	struct sync_effect *effects[SYNC_EFFECTS_MAX]; /* oldest first */
	size_t nkeys;
	/* NULL: no prompt, or one that cannot be predicted */
	struct sync_prompt *prompt;
	/* NULL: no copy mode, or one that cannot be replayed */
	struct sync_copy *copy;
	/* NULL: nothing to pick from, or nothing that can be replayed */
	struct sync_pick *pick;
	/* Options and keys of copy mode (copy_wire.h); outlives COPY. */
	struct vt_str *setup;
	/* The prompts that its keys open (ask_replay.h); outlives COPY. */
	struct vt_str *asks;
	/* NULL: which window keys show cannot be known */
	struct sync_switch *switches;
	struct vt_str
	    *switch_setup;  /* its keys and windows; outlives SWITCHES */
	struct vt_str *bar; /* sync_switch_bar of this view, or NULL */
	bool moves;         /* the client reads FRAME_MOVE; not on the wire */
	/* Keys of the key table: never predicted. */
	key_code keys[SYNC_KEYS_MAX];
};

struct sync_view *sync_view_new(unsigned cols, unsigned rows);
void sync_view_free(struct sync_view *v);
struct sync_view *sync_view_clone(const struct sync_view *v);
bool sync_view_equal(const struct sync_view *a, const struct sync_view *b);

/* Compares views except for frames and acknowledged inputs. */
bool sync_view_same_places(
    const struct sync_view *a, const struct sync_view *b);

/*
 * Adds a surface on top; takes a reference of FRAME. Of a frame with more than
 * SYNC_FRAME_CELLS_MAX cells it takes the rows that fit, and counts it as
 * clipped.
 */
void sync_view_add(struct sync_view *v, uint64_t id,
    enum sync_surface_kind kind, int x, int y, struct vt_frame *frame);

/* Removes all surfaces. */
void sync_view_clear(struct sync_view *v);

/* Returns the surface with an id, or NULL. */
const struct sync_surface *sync_view_find(
    const struct sync_view *v, uint64_t id);

/*
 * Adds an effect with the next number, and drops the oldest of too many.
 * Returns -ERR_LIMIT for more than SYNC_EFFECT_DATA_MAX bytes.
 */
int sync_view_effect(
    struct sync_view *v, enum sync_effect_kind kind, const void *p, size_t n);

/* Drops a reference. */
void sync_effect_unref(struct sync_effect *e);

/* Returns the number of the newest effect ever, 0 if none. */
uint64_t sync_view_last_effect(const struct sync_view *v);

extern const struct ssp_object_ops sync_view_ops;

#endif
