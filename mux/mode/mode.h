/*
 * mux/mode/mode.h - modes: they replace a pane's screen and input handling.
 *
 * Purpose:   one interface for the clock, copy mode and choosers.  A pane has a
 *            stack of modes; the top one is drawn and gets the input.
 * Ownership: a mode is an object on the heap that embeds struct mode; ops->free
 *            frees it after removal from the stack or with its pane.
 * Units:     cells of the pane; mono_ms.
 * Errors:    mode_push: -ERR_EXISTS if the pane has a mode of this name, which
 *            then is on top,
 *            -ERR_LIMIT if the stack is full.
 * Source:    tmux(1), WINDOWS AND PANES.
 * Tests:     regress/unit/check_mode.c
 *
 * A mode does no I/O and reads no clock: times are arguments.
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
struct mux;
struct pane;

enum mode_did {
	MODE_PASSED, /* not handled */
	MODE_TAKEN,
	MODE_LEFT /* remove the mode */
};

/* Work that a command of a mode began and that takes several slices. */
enum mode_work {
	MODE_IDLE,
	MODE_BEHIND, /* nobody waits for it */
	MODE_BUSY    /* the command has not ended yet */
};

/* Events of the pane under a mode. */
enum mode_event {
	MODE_EVENT_OUTPUT, /* the program has written */
	MODE_EVENT_TITLE,
	/* For modes that list the model: */
	MODE_EVENT_MODEL, /* sessions, windows, panes or buffers changed */
	MODE_EVENT_OTHERS /* a program of another pane has written */
};

/* The inputs of a picture besides the mode: the time and one client. */
struct mode_paint {
	mono_ms now;
	int64_t wall;    /* milliseconds since 1970 */
	struct tm local; /* wall as local time */
	const struct grapheme_table *graphemes;
	/* The client's colours of the theme, styles and formats. */
	colour (*colour)(void *arg, colour c);
	/* That of an option of P's window, whose format sees P. */
	colour (*window_colour)(void *arg, struct pane *p, enum option_id id);
	struct pen (*style)(
	    void *arg, enum option_id id, const struct pen *base);
	char *(*expand)(void *arg, const char *format); /* mem_free */
	/* Draws a format option of P over row Y from column X. */
	void (*row)(void *arg, struct vt_frame *f, unsigned x, unsigned y,
	    struct pane *p, enum option_id format, const struct pen *base);
	void *arg;
};

/* A long text that is collected in slices; a member of its collector. */
struct mode_text {
	struct buf text;
	/* Collects some: 0 at the end, -ERR_AGAIN before it, or an error. */
	int (*more)(struct mode_text *t);
	void (*free)(struct mode_text *t);
};

/* A task of a command of a mode for its caller. */
struct mode_effect {
	struct list_node node;
	bool buffer;    /* add a paste buffer */
	bool append;    /* append to the newest one instead */
	bool clipboard; /* give it to the terminals, by set-clipboard */
	bool pipe;      /* write it to a program */
	char *text;     /* NULL while `rest` is not; mem_free */
	size_t len;
	char *prefix;           /* of the buffer's name, or NULL */
	char *command;          /* NULL: that of copy-command */
	struct mode_text *rest; /* a text still to be collected, or NULL */
	bool failed;            /* that text was too long */
};

#define MODE_TEXT_MAX ((size_t)128 << 20) /* bytes that a command copies */
/* The error of `failed`, with MODE_TEXT_MAX in MiB. */
#define MODE_TEXT_TOO_LONG "more than %zu MiB are selected: copy them in parts"

struct mode_effects {
	struct list list; /* struct mode_effect, in order */
	bool kill;        /* the pane is to be killed */
};

void mode_effects_init(struct mode_effects *e);
void mode_effects_fini(struct mode_effects *e);
/*
 * Collects a slice of the texts, about a millisecond of work; returns whether
 * some text is left.  It needs neither mode nor pane.
 */
bool mode_effects_more(struct mode_effects *e);

/* A command of send-keys -X with its arguments. */
struct mode_command {
	const char *const *words; /* [count], at least one */
	size_t count;
	unsigned repeat; /* send-keys -N; 0: what mode_repeat has set, or 1 */
	const struct mouse_event *mouse; /* in cells of the pane, or NULL */
	const struct mouse_event *mouse_from; /* the event before it */
	int grab; /* the row of the scrollbar's slider at mouse_from */
	const char *separators;       /* word-separators, or NULL */
	bool read_only;               /* the client may not copy */
	struct mode_effects *effects; /* or NULL: they are dropped */
};

/* All members but name and free may be NULL. */
struct mode_ops {
	const char *name; /* #{pane_mode} */
	/* Called after the mode is on the stack; m->pane is set. */
	void (*init)(struct mode *m);
	/* Called before another mode lies over it; may pop it. */
	void (*covered)(struct mode *m);
	/*
	 * Draws into F, a blank frame of the pane's size without a cursor.
	 * Sets m->due if time alone changes the picture.
	 */
	void (*draw)(
	    struct mode *m, struct vt_frame *f, const struct mode_paint *paint);
	/* Keys that the mode's key table does not bind. */
	enum mode_did (*key)(struct mode *m, const struct key_event *key);
	/* Positions are cells of the pane. */
	enum mode_did (*mouse)(struct mode *m, const struct mouse_event *ev);
	/* Stores the text of an error in WHY. */
	enum mode_did (*command)(
	    struct mode *m, const struct mode_command *cmd, struct cause *why);
	/* The text that a prompt asked for; never NULL. */
	enum mode_did (*answer)(
	    struct mode *m, unsigned what, const char *text);
	void (*resize)(struct mode *m);
	void (*event)(struct mode *m, enum mode_event event);
	/* Called when m->due has passed; it is off by then. */
	enum mode_did (*expire)(struct mode *m, mono_ms now);
	/*
	 * Does a slice of the work of m->work, about a millisecond of it, and
	 * updates m->work.  A command does its first slices itself: with short
	 * texts no work is left when it returns.
	 */
	void (*work)(struct mode *m);
	/* Ends the work of MODE_BUSY; LATE: because it took too long. */
	void (*stop)(struct mode *m, bool late);
	/* The rows of text above the first one shown, and above the last page. */
	void (*scrolled)(
	    const struct mode *m, uint64_t *above, uint64_t *history);
	/* Adds the value of NAME to OUT; false: no variable of the mode. */
	bool (*format)(const struct mode *m, const char *name, struct buf *out);
	/* The key table that replaces root; NULL: root. */
	const char *(*table)(const struct mode *m);
	void (*free)(struct mode *m);
};

struct mode {
	const struct mode_ops *ops;
	struct pane *pane;
	mono_ms due; /* time of the next change without input */
	enum mode_work work;
	uint64_t version; /* of the picture; differs from any terminal's */
	uint64_t serial;  /* unique among all modes ever pushed */
	unsigned repeat;  /* of the next command, 0: once */
};

/* Pushes M, with the calls OPS, on top of the pane's modes. */
int mode_push(
    struct pane *p, struct mode *m, const struct mode_ops *ops) WARN_UNUSED;

/* The top mode, or NULL. */
struct mode *mode_top(const struct pane *p);

/* Marks the picture of M as changed. */
void mode_dirty(struct mode *m);

/*
 * Pass an event to the top mode of a pane and remove the mode if it asks for
 * that.  False if the pane has no mode: the event is for the program.
 */
bool mode_key(struct pane *p, const struct key_event *key);
bool mode_mouse(struct pane *p, const struct mouse_event *ev);

/*
 * Runs a command of send-keys -X.  -ERR_NOTFOUND: no mode, or it has no
 * commands; -ERR_STATE: the command has stored an error in WHY.
 */
int mode_command(struct pane *p, const struct mode_command *cmd,
    struct cause *why) WARN_UNUSED;

/* Repeats the next command of the top mode; false if it has no commands. */
bool mode_repeat(struct pane *p, unsigned n);

/* Gives TEXT to the mode SERIAL over pane PANE; false if it is gone. */
bool mode_answer(struct mux *m, uint32_t pane, uint64_t serial, unsigned what,
    const char *text);

/*
 * Does a slice of the work of the pane's top mode; returns its state.  The
 * owner calls it until it returns MODE_IDLE, between other events.
 */
enum mode_work mode_work(struct pane *p);

/* Ends the work that a command waits for; see mode_ops. */
void mode_stop(struct pane *p, bool late);

/* The key table of the top mode, or NULL. */
const char *mode_table(const struct pane *p);

/*
 * Stores how far the top mode has scrolled (mode_ops.scrolled); false: it does
 * not scroll.
 */
bool mode_scrolled(const struct pane *p, uint64_t *above, uint64_t *history);

/* Call all modes of the pane. */
void mode_resize(struct pane *p);
void mode_event(struct pane *p, enum mode_event event);

/* Draws the top mode into a new frame of the pane's size. */
struct vt_frame *mode_frame(struct mode *m, const struct mode_paint *paint);

/*
 * Runs the top mode's deadline if it has passed; returns whether it has.  The
 * mode may then be gone.
 */
bool mode_expire(struct pane *p, mono_ms now);

#endif
