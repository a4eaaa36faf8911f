/*
 * mux/session.h - sessions, their links to windows, and groups.
 *
 * Purpose:   which windows a session shows under which index, which one is
 *            current and which were before; groups of sessions that share all
 *            their windows.
 * Ownership: the mux owns sessions, a session its winlinks; a window lives as
 *            long as a winlink leads to it.
 * Units:     window indexes; wall clock in milliseconds.
 * Errors:    -ERR_EXISTS with "index in use: 3", "duplicate session: x";
 *            -ERR_RANGE, -ERR_STATE, -ERR_NOTFOUND as said.
 * Source:    tmux(1), CLIENTS AND SESSIONS, WINDOWS AND PANES.
 * Tests:     regress/unit/check_session.c
 */
#ifndef MUX_SESSION_H
#define MUX_SESSION_H

#include "mux/alert.h"
#include "mux/mux.h"
#include "mux/window.h"

#define SESSION_NAME_MAX 1024 /* bytes; more is cut */
#define SESSION_INDEX_MAX INT32_MAX

struct winlink {
	int index;
	struct session *session;
	struct window *window;
	unsigned alerts;              /* enum alert_kind told, not yet seen */
	struct list_node node;        /* in session->links */
	struct list_node last_node;   /* in session->last_links */
	struct list_node window_node; /* in window->links */
};

struct session_group {
	struct list_node node; /* in mux->groups */
	char *name;
	struct list sessions; /* by group_node */
};

struct session {
	uint32_t id;
	struct mux *mux;
	char *name;
	char *path; /* where new windows start, or NULL */
	struct options options;
	struct environ environ;      /* variables of its own */
	struct list links;           /* struct winlink, in order of index */
	struct list last_links;      /* once current, the latest first */
	struct winlink *current;     /* never NULL once there are links */
	struct session_group *group; /* or NULL */
	struct list_node group_node;
	unsigned attached; /* clients */
	int64_t created;
	int64_t activity;
	int64_t last_attached; /* 0: never */
	uint64_t used;         /* grows with every use */
};

/*
 * A new session without windows.
 * In:      name  NULL: a number, or of a group its name and a number
 *          group NULL, or a group that it joins (session_group_get)
 * Returns: 0, -ERR_EXISTS ("duplicate session: x"), -ERR_SYNTAX ("invalid
 *          session: ").
 */
int session_new(struct mux *m, const char *name, struct session_group *group,
    struct session **out, struct cause *cause);

/* Removes a session; its clients go where detach-on-destroy says. */
void session_destroy(struct session *s);

int session_rename(struct session *s, const char *name, struct cause *cause);

/* Says that it was used by a person now. */
void session_touch(struct session *s);

/* --- links ----------------------------------------------------------------- */

/*
 * Links a window.
 * In:      index  or -1: the next free one from base-index
 * Returns: 0, -ERR_EXISTS ("index in use: 3"), -ERR_RANGE ("no free index").
 */
int session_link(struct session *s, struct window *w, int index,
    struct winlink **out, struct cause *cause);

/*
 * Removes a link.  The window is freed with its last link, the session (with
 * its group) with its last window.
 */
void session_unlink(struct winlink *wl);

/*
 * What link-window does, also across sessions.
 * In:      kill    a window at INDEX is unlinked first
 *          select  makes it current
 * Returns: as session_link; -ERR_STATE ("sessions are grouped"), -ERR_EXISTS
 *          ("same index: 3").
 */
int session_link_window(struct winlink *src, struct session *dst, int index,
    bool kill, bool select, struct winlink **out, struct cause *cause);

/* Exchanges the windows of two links. */
int session_swap(struct winlink *a, struct winlink *b, struct cause *cause);

/* Makes room before or after WL; *index is then free. */
int session_shuffle(struct winlink *wl, bool before, int *index);

/* Gives the windows successive indexes from base-index. */
void session_renumber(struct session *s);

/* The link with that index, the first one to W, or NULL. */
struct winlink *session_link_at(const struct session *s, int index);
struct winlink *session_link_to(
    const struct session *s, const struct window *w);

/* First, last, following and preceding link; NULL at the end. */
struct winlink *session_first_link(const struct session *s);
struct winlink *session_final_link(const struct session *s);
struct winlink *winlink_next(const struct winlink *wl);
struct winlink *winlink_prev(const struct winlink *wl);

/* N links after (before) WL around the ends. */
struct winlink *winlink_step(const struct winlink *wl, int n);

/* The link that was current before, or NULL. */
struct winlink *session_last_link(const struct session *s);

/* Makes WL current; false if it was.  Its alerts are seen. */
bool session_select(struct winlink *wl);

/* The next, previous (with ALERT: that has one) or last window; -ERR_NOTFOUND
 * if there is none. */
int session_next(struct session *s, bool alert);
int session_previous(struct session *s, bool alert);
int session_last(struct session *s);

/* --- for session.c (winlink.c): no events, no regard to groups ------------- */

/* The first free index from FROM on, or -1. */
int winlink_free_index(const struct session *s, int from);

struct winlink *winlink_make(struct session *s, struct window *w, int index);

/* --- groups ---------------------------------------------------------------- */

/* The group of that name, made if need be. */
struct session_group *session_group_get(struct mux *m, const char *name);

/* Puts a session into a group; it takes over its windows. */
void session_group_add(struct session_group *g, struct session *s);

/* Clients attached to any session of the group. */
unsigned session_group_attached(const struct session_group *g);

/* clang-format off */
#define SESSION_FOREACH_LINK(wl, n, s) \
	LIST_FOREACH(n, &(s)->links) \
		if (((wl) = container_of(n, struct winlink, node)) != NULL)
/* clang-format on */

#endif
