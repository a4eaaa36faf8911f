/*
 * mux/sync/view_int.h - internals of the view, for view.c, view_wire.c and
 * view_read.c.
 *
 * Purpose:   compares parts of views, adds effects; the fields of the wire.
 * Tests:     regress/unit/check_sync_frame.c
 */
#ifndef MUX_SYNC_VIEW_INT_H
#define MUX_SYNC_VIEW_INT_H

#include "mux/sync/view.h"

/*
 * A view, and a difference of two, is a msgpack map of numbered fields; an
 * absent field has not changed (or has its initial value).
 */
enum view_field {
	VIEW_SIZE = 1,   /* [cols, rows] */
	VIEW_PLACES = 2, /* [[id, kind, x, y], ...]: all, bottom first */
	VIEW_FRAMES = 3, /* [id, bin, ...]: changed frames */
	VIEW_FOCUS = 4,
	VIEW_ECHO_ACK = 5,
	VIEW_TTY = 6,     /* map, see below */
	VIEW_EFFECTS = 7, /* [[num, kind, bin], ...] newer than the old ones */
	VIEW_KEYS = 8,    /* [key, ...] */
	VIEW_ALONE = 9,   /* as VIEW_FRAMES, for one surface: its position */
	VIEW_PROMPT = 10, /* [surface, seen, x, at, text, separators], or [] */
	VIEW_COPY = 11,   /* [surface, seen, state, screen], or [] */
	VIEW_SETUP = 12,  /* bin: options and keys of copy mode */
	VIEW_SWITCH = 13, /* [seen, state], or [] */
	VIEW_BINDS = 14,  /* bin: keys and windows for VIEW_SWITCH */
	VIEW_BAR = 15,    /* bin: names of windows in the status lines */
	/* [surface, seen, kind, state, front, back, rows], or [] */
	VIEW_PICK = 16,
	VIEW_ASKS = 17, /* bin: prompts that keys of copy mode open */
	VIEW_PASTED = 18,
};

enum tty_field {
	TTY_FLAGS = 1,
	TTY_MOUSE = 2,
	TTY_KITTY = 3,
	TTY_OTHER = 4,
	TTY_PREDICT = 5,
	TTY_TITLE = 6,
	TTY_PATH = 7,
	TTY_ESCAPE = 8,
	TTY_CAPS = 9,
	TTY_KEYS = 10,
};

/*
 * Returns the frame to which the screen of the next VIEW_COPY of V is written
 * as a difference: mostly the picture of the pane before the mode began.
 */
const struct vt_frame *sync_view_copy_base(
    const struct sync_view *v, uint64_t surface);

/* Applies the map at DATA to V. */
int sync_view_read(struct sync_view *v, const uint8_t *data, size_t len);

/* Compares the settings of the terminal. */
bool sync_view_tty_equal(const struct sync_tty *a, const struct sync_tty *b);

/* Compares the surfaces' ids and places. */
bool sync_view_places_equal(
    const struct sync_view *a, const struct sync_view *b);

/* Compares the keys of the key table. */
bool sync_view_keys_equal(const struct sync_view *a, const struct sync_view *b);

/* Appends an effect with the number NUM, and drops the oldest of too many. */
void sync_view_effect_push(struct sync_view *v, uint64_t num,
    enum sync_effect_kind kind, const void *p, size_t n);

#endif
