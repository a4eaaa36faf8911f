/*
 * mux/mode/mode.h - modes: what a pane shows and does instead of its program.
 *
 * Purpose:   one interface for clock, copy mode, choosers and the like.  A pane
 *            has a stack of modes; the top one is drawn and gets the input.
 * Ownership: a mode is an object on the heap that embeds struct mode; ops->free
 *            frees it when it leaves the stack, at the latest with its pane.
 * Units:     cells of the pane; mono_ms.
 * Errors:    mode_push: -ERR_EXISTS if such a mode is on top, -ERR_LIMIT.
 * Source:    tmux(1), WINDOWS AND PANES.
 * Tests:     regress/unit/check_mode.c
 *
 * A mode reads no clock and writes to no program: times are arguments.
 */
#ifndef MUX_MODE_MODE_H
#define MUX_MODE_MODE_H

#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/key.h"
#include "base/types.h"
#include "conf/option.h"
#include "mux/vt/frame.h"

struct mode;
struct pane;

enum mode_did {
	MODE_PASSED, /* without effect */
	MODE_TAKEN,
	MODE_LEFT /* the mode is to be removed */
};

/* What happens to the pane under a mode. */
enum mode_event {
	MODE_EVENT_OUTPUT, /* its program has written */
	MODE_EVENT_TITLE
};

/* What a picture depends on besides the mode: the time and one client. */
struct mode_paint {
	mono_ms now;
	int64_t wall;    /* milliseconds since 1970 */
	struct tm local; /* the same as local time */
	const struct grapheme_table *graphemes;
	/* For the client: colours of its theme, styles, formats. */
	colour (*colour)(void *arg, colour c);
	struct pen (*style)(
	    void *arg, enum option_id id, const struct pen *base);
	char *(*expand)(void *arg, const char *format); /* mem_free */
	void *arg;
};

/* A command of send-keys -X with its arguments. */
struct mode_command {
	const char *const *words; /* [count], at least one */
	size_t count;
	unsigned repeat; /* send-keys -N, at least 1 */
};

/* All members but name and free may be NULL. */
struct mode_ops {
	const char *name; /* what #{pane_mode} says */
	/* It is on the pane now: m->pane is set. */
	void (*init)(struct mode *m);
	/*
	 * Draws into F, a blank frame of the pane's size without a cursor.
	 * Sets m->due if time alone changes the picture.
	 */
	void (*draw)(
	    struct mode *m, struct vt_frame *f, const struct mode_paint *paint);
	/* Keys that the mode's key table does not bind. */
	enum mode_did (*key)(struct mode *m, const struct key_event *key);
	/* Cells of the pane. */
	enum mode_did (*mouse)(struct mode *m, const struct mouse_event *ev);
	/* An error's text goes into WHY. */
	enum mode_did (*command)(
	    struct mode *m, const struct mode_command *cmd, struct cause *why);
	void (*resize)(struct mode *m);
	void (*event)(struct mode *m, enum mode_event event);
	/* m->due has passed and is off. */
	void (*expire)(struct mode *m, mono_ms now);
	/* Adds the value of a format variable to OUT, if it is the mode's. */
	bool (*format)(const struct mode *m, const char *name, struct buf *out);
	/* The key table instead of root; NULL: root. */
	const char *(*table)(const struct mode *m);
	void (*free)(struct mode *m);
};

struct mode {
	const struct mode_ops *ops;
	struct pane *pane;
	mono_ms due;      /* when the picture changes by itself */
	uint64_t version; /* of the picture; never that of a terminal */
};

/* Puts M, of which OPS are used, on top of the pane's modes. */
int mode_push(
    struct pane *p, struct mode *m, const struct mode_ops *ops) WARN_UNUSED;

/* The top mode, or NULL. */
struct mode *mode_top(const struct pane *p);

/* The picture of M is another one. */
void mode_dirty(struct mode *m);

/*
 * These act on the top mode of a pane, and remove it if it wants that.  False
 * if there is none: the event is for the program.
 */
bool mode_key(struct pane *p, const struct key_event *key);
bool mode_mouse(struct pane *p, const struct mouse_event *ev);

/* -ERR_NOTFOUND: no mode, or one without commands; -ERR_STATE with WHY. */
int mode_command(struct pane *p, const struct mode_command *cmd,
    struct cause *why) WARN_UNUSED;

/* The key table of the top mode, or NULL. */
const char *mode_table(const struct pane *p);

/* All modes of the pane are told. */
void mode_resize(struct pane *p);
void mode_event(struct pane *p, enum mode_event event);

/* Draws the top mode into a new frame of the pane's size. */
struct vt_frame *mode_frame(struct mode *m, const struct mode_paint *paint);

/* Runs what is due in the top mode; whether its picture may have changed. */
bool mode_expire(struct pane *p, mono_ms now);

#endif
