/*
 * mux/session.h - sessions, their links to windows, and groups.
 *
 * Purpose:   links windows to sessions under an index; knows the current window
 *            and the ones before; groups sessions that share all their windows.
 * Ownership: the mux owns sessions, a session its winlinks; a window lives as
 *            long as a winlink refers to it.
 * Units:     window indexes; wall clock in milliseconds.
 * Errors:    -ERR_EXISTS with "index in use: 3", "duplicate session: x";
 *            -ERR_RANGE, -ERR_STATE, -ERR_NOTFOUND as stated below.
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
	unsigned alerts; /* enum alert_kind, reported and not looked at yet */
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
	char *path; /* working directory of new windows, or NULL */
	struct options options;
	struct environ environ;      /* its own variables */
	struct list links;           /* struct winlink, in order of index */
	struct list last_links;      /* links once current, latest first */
	struct winlink *current;     /* never NULL if there are links */
	struct session_group *group; /* or NULL */
	struct list_node group_node;
	unsigned attached; /* number of attached clients */
	int64_t created;
	int64_t activity;
	int64_t last_attached; /* 0: never */
	uint64_t used;         /* grows with every use */
};

/*
 * Makes a session without windows.
 * In:      name NULL: a number, or in a group the group's name and a number;
 *          group NULL, or the group that it joins (session_group_get)
 * Returns: 0, -ERR_EXISTS ("duplicate session: x"), -ERR_SYNTAX ("invalid
 *          session: ").
 */
int session_new(struct mux *m, const char *name, struct session_group *group,
    struct session **out, struct cause *cause);

/* Whether a session may get this name; the same errors. */
int session_name_check(
    const struct mux *m, const char *name, struct cause *cause) WARN_UNUSED;

/* Removes a session; detach-on-destroy decides about its clients. */
void session_destroy(struct session *s);

int session_rename(struct session *s, const char *name, struct cause *cause);

/* Records that a person used it now. */
void session_touch(struct session *s);

/* --- links ----------------------------------------------------------------- */

/*
 * Links W in the place of OLD, which is gone then, whatever is returned. If it
 * was the current one, W is. Returns as session_link.
 */
int session_replace(struct winlink *old, struct window *w, struct winlink **out,
    struct cause *cause);

/*
 * Links a window.
 * In:      index or -1: the next free one from base-index
 * Returns: 0, -ERR_EXISTS ("index in use: 3"), -ERR_RANGE ("no free index").
 */
int session_link(struct session *s, struct window *w, int index,
    struct winlink **out, struct cause *cause);

/*
 * Removes a link. Frees the window with its last link, and the session (with
 * its group) with its last window.
 */
void session_unlink(struct winlink *wl);

/*
 * Implements link-window, also across sessions.
 * In:      kill a window at INDEX is unlinked first; select makes it current
 * Returns: as session_link; -ERR_STATE ("sessions are grouped"), -ERR_EXISTS
 *          ("same index: 3").
 */
int session_link_window(struct winlink *src, struct session *dst, int index,
    bool kill, bool select, struct winlink **out, struct cause *cause);

/* Copies the links of S to the other sessions of its group. */
void session_sync(struct session *s);

/* Exchanges the windows of two links; SELECT makes both links current. */
int session_swap(
    struct winlink *a, struct winlink *b, bool select, struct cause *cause);

/* Makes room before or after WL; *index is then free. */
int session_shuffle(struct winlink *wl, bool before, int *index);

/* Gives the windows successive indexes from base-index. */
void session_renumber(struct session *s);

/* Returns the link with that index, or the first one to W; or NULL. */
struct winlink *session_link_at(const struct session *s, int index);
struct winlink *session_link_to(
    const struct session *s, const struct window *w);

/* Returns the first, last, next and previous link; NULL at the end. */
struct winlink *session_first_link(const struct session *s);
struct winlink *session_final_link(const struct session *s);
struct winlink *winlink_next(const struct winlink *wl);
struct winlink *winlink_prev(const struct winlink *wl);

/* Returns the Nth link after (before) WL, around the ends. */
struct winlink *winlink_step(const struct winlink *wl, int n);

/* Returns the link that was current before, or NULL. */
struct winlink *session_last_link(const struct session *s);

/* Makes WL current and clears its alerts; returns false if it was current. */
bool session_select(struct winlink *wl);

/*
 * Selects the next, previous (with ALERT: the one with an alert) or last
 * window; returns -ERR_NOTFOUND if there is none.
 */
int session_next(struct session *s, bool alert);
int session_previous(struct session *s, bool alert);
int session_last(struct session *s);

/* --- winlink.c, for session.c: no events, no groups ------------------------ */

/* Returns the first free index from FROM on, or -1. */
int winlink_free_index(const struct session *s, int from);

struct winlink *winlink_make(struct session *s, struct window *w, int index);

/* --- groups ---------------------------------------------------------------- */

/* Returns the group of that name; makes it if needed. */
struct session_group *session_group_get(struct mux *m, const char *name);

/* Adds a session to a group, with the group's windows. */
void session_group_add(struct session_group *g, struct session *s);

/* Returns the number of clients attached to sessions of the group. */
unsigned session_group_attached(const struct session_group *g);

/* clang-format off */
#define SESSION_FOREACH_LINK(wl, n, s) \
	LIST_FOREACH(n, &(s)->links) \
		if (((wl) = container_of(n, struct winlink, node)) != NULL)
/* clang-format on */

/* --- for session_group.c ----------------------------------------------------- */

/* Removes a link; frees the window with its last link. */
void session_drop_link(struct winlink *wl);

/* Makes another window current, the last one if there is one. */
void session_leave_window(struct session *s);

/*
 * Copies the links of S to the other sessions of its group; TELL: appends
 * WINDOW_LINKED for each.
 */
void session_sync_group(struct session *s, bool tell);

/* Takes S out of its group, which ends with its last session. */
void session_leave_group(struct session *s);

#endif
