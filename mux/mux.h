/*
 * mux/mux.h - the model: all objects of a server, without I/O.
 *
 * Purpose:   registers sessions, windows, panes and clients by id; holds the
 *            global options, the marked pane, paste buffers, and the queue of
 *            events. Each change of the model appends events there.
 * Ownership: struct mux owns all objects. Members of the objects may be read
 *            freely and are changed only by the functions of their headers.
 *            Pointers to objects are valid until the call that removes the
 *            object: store ids between commands.
 * Units:     ids count from 0; mono_ms for deadlines, wall clock in
 *            milliseconds since 1970 for times that users see.
 * Errors:    mux_session ... return NULL for an id that no longer exists.
 * Source:    tmux(1).
 * Tests:     regress/unit/check_session.c
 */
#ifndef MUX_MUX_H
#define MUX_MUX_H

#include "base/err.h"
#include "base/list.h"
#include "base/map.h"
#include "base/types.h"
#include "conf/environ.h"
#include "conf/option.h"
#include "mux/event.h"
#include "mux/outer.h"

struct client;
struct grapheme_table;
struct notify;
struct pane;
struct paste;
struct session;
struct vt_pool;
struct window;
struct winlink;

/* Shared by the terminals of panes; the owner of the mux keeps both. */
struct mux_setup {
	struct vt_pool *pool;
	const struct grapheme_table *graphemes;
};

/* The pane of select-pane -m. */
struct mux_mark {
	uint32_t session; /* MUX_NONE: no pane is marked */
	uint32_t window;
	uint32_t pane;
	int index; /* of the winlink */
};

struct mux {
	struct mux_setup setup;
	struct map sessions;    /* by name: struct session * */
	struct map session_ids; /* by id */
	struct map windows;     /* by id: struct window * */
	struct map panes;       /* by id: struct pane * */
	struct map clients;     /* by id: struct client * */
	struct list groups;     /* struct session_group */
	uint32_t next_session;
	uint32_t next_window;
	uint32_t next_pane;
	uint32_t next_client;
	struct options server_options;
	struct options session_options; /* global */
	struct options window_options;  /* global */
	struct environ environ;         /* global */
	struct mux_mark mark;
	struct paste *paste;
	/* Notifications of programs. */
	struct notify *notify;
	struct mux_events events;
	mono_ms now;        /* set by mux_set_now */
	int64_t wall;       /* milliseconds since 1970 */
	uint64_t ticks;     /* counts uses, for "most recently used" */
	struct outer outer; /* the terminal of the client used last */
};

struct mux *mux_new(const struct mux_setup *setup);
void mux_free(struct mux *m);

/*
 * Sets the time of the changes that follow. The server calls it once before
 * each batch; the model never reads a clock.
 */
void mux_set_now(struct mux *m, mono_ms now, int64_t wall);

/* By id, or NULL. */
struct session *mux_session(const struct mux *m, uint32_t id);
struct window *mux_window(const struct mux *m, uint32_t id);
struct pane *mux_pane(const struct mux *m, uint32_t id);
struct client *mux_client(const struct mux *m, uint32_t id);

/* By name, or NULL. */
struct session *mux_session_named(const struct mux *m, const char *name);

/* Takes the oldest event (mux_event_fini); returns false when there is none. */
bool mux_next_event(struct mux *m, struct mux_event *out);

/* Marks a pane of a winlink; NULL removes the mark. */
void mux_set_mark(struct mux *m, const struct winlink *wl, struct pane *p);

/* Tells whether the marked pane is still in the window of its winlink. */
bool mux_mark_holds(const struct mux *m);

/*
 * Gets the marked pane and its winlink. Returns false if no pane is marked or
 * the mark is stale.
 */
bool mux_get_mark(struct mux *m, struct winlink **wl, struct pane **p);

/*
 * Records that an option of a tree of S, W or P (all NULL: global) was set, and
 * fits sizes and places if the option affects them. Call it after each change.
 */
void mux_option_changed(struct mux *m, struct session *s, struct window *w,
    struct pane *p, const char *name);

/* --- for the other files of mux/ ------------------------------------------ */

/* Appends an event about the objects given (each may be NULL). */
void mux_say(struct mux *m, enum mux_event_type type, const struct session *s,
    const struct window *w, const struct pane *p, const char *text);

/* The same about a client, and the window and the pane that S shows. */
void mux_say_client(struct mux *m, enum mux_event_type type,
    const struct client *c, const struct session *s, const char *text);
void mux_say_link(
    struct mux *m, enum mux_event_type type, const struct winlink *wl);

/*
 * Ends a step of a command: hooks of what follows run behind those of what was
 * said before.
 */
void mux_step(struct mux *m);

#endif
