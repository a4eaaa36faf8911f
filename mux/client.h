/*
 * mux/client.h - an attached client as the model sees it.
 *
 * Purpose:   identity, size, session, key table, flags and role of a client;
 *            what it shows; which clients decide the size of a window.
 * Ownership: the mux owns clients; the server keeps links and views by id.
 * Units:     cells and pixels; wall clock in milliseconds.
 * Errors:    none.
 * Source:    tmux(1), CLIENTS AND SESSIONS; window-size, aggressive-resize,
 *            default-size, detach-on-destroy, destroy-unattached.
 * Tests:     regress/unit/check_client.c
 */
#ifndef MUX_CLIENT_H
#define MUX_CLIENT_H

#include "mux/mux.h"

enum client_flag {
	CLIENT_READONLY = 1 << 0,
	CLIENT_IGNORE_SIZE = 1 << 1, /* does not count for window sizes */
	CLIENT_CONTROL = 1 << 2,     /* control mode */
	CLIENT_FOCUSED = 1 << 3,     /* its terminal has the focus */
	CLIENT_SUSPENDED = 1 << 4,   /* stopped or locked: no size */
	CLIENT_UTF8 = 1 << 5,
	CLIENT_NO_OUTPUT = 1 << 6,    /* attach -f no-output */
	CLIENT_WAIT_EXIT = 1 << 7,    /* attach -f wait-exit */
	CLIENT_NO_DETACH = 1 << 8,    /* attach -f no-detach-on-destroy */
	CLIENT_PREFIX = 1 << 9,       /* the prefix was pressed */
	CLIENT_SIZE_SET = 1 << 10,    /* control mode: said its size */
	CLIENT_ACTIVE_PANE = 1 << 11, /* attach -f active-pane */
	CLIENT_PAUSE_AFTER = 1 << 12, /* attach -f pause-after */
};

/* What the person at a client may do; server/role.c is where it is enforced. */
enum client_role {
	CLIENT_VIEW, /* look */
	CLIENT_TYPE, /* and type into panes */
	CLIENT_ADMIN /* and run commands */
};

enum client_theme {
	CLIENT_THEME_UNKNOWN,
	CLIENT_THEME_LIGHT,
	CLIENT_THEME_DARK
};

/* The size a control client wants for one window (refresh-client -C @1:...). */
struct client_window {
	uint32_t window;
	int w;
	int h;
};

#define CLIENT_WINDOWS_MAX 1024

/* The pane that is active for one client alone. */
struct client_own {
	uint32_t window;
	uint32_t pane;
	uint32_t last; /* the one before, or MUX_NONE */
};

struct client {
	uint32_t id;
	struct mux *mux;
	char *name; /* the tty or "client-PID" */
	char *tty;  /* or "" */
	char *user; /* or "" */
	char *term; /* TERM, or "" */
	char *term_type;
	char *term_features;
	int64_t pid;
	int64_t uid;
	int w; /* of the terminal, with status lines */
	int h;
	int cell_w; /* pixels of a cell, 0 unknown */
	int cell_h;
	unsigned colours;
	unsigned flags; /* enum client_flag */
	enum client_role role;
	bool guest; /* came with an invitation: not the server's user */
	unsigned pause_after; /* seconds */
	enum client_theme theme;
	struct session *session; /* or NULL */
	uint32_t last_session;   /* or MUX_NONE */
	char *table;             /* key table, NULL: the session's key-table */
	struct client_window *windows;
	size_t window_count;
	int64_t created;
	int64_t activity;
	uint64_t used;      /* grows with every use */
	uint64_t written;   /* bytes out, the server counts */
	uint64_t discarded; /* bytes dropped when slow */
	int pan_window;     /* id of the window panned, or -1 */
	int pan_x;          /* offset into a window larger than the client */
	int pan_y;
	uint32_t follow; /* client whose view it shows, or MUX_NONE */
	uint32_t zoom;   /* pane that it alone sees zoomed, or MUX_NONE */
	struct client_own *own; /* with panes of its own */
	size_t own_count;
};

struct client *client_new(struct mux *m, const char *name);

/* Detaches and removes a client. */
void client_free(struct client *c);

/* Replaces one of the strings above (field is &c->term ...). */
void client_set_text(struct client *c, char **field, const char *value);

/*
 * Attaches a client or moves it to S (NULL: detaches it).  Sizes follow.
 */
void client_set_session(struct client *c, struct session *s);

/* Another size of the terminal. */
void client_set_size(struct client *c, int w, int h, int cell_w, int cell_h);

/* Sets or clears flags, with what follows from them. */
void client_set_flags(struct client *c, unsigned flags, bool on);

/* A control client's size for one window; w = 0 forgets it. */
int client_set_window_size(struct client *c, uint32_t window, int w, int h);

/*
 * Another role: VIEW is CLIENT_READONLY, and whoever is no admin decides no
 * size while there is one.
 */
void client_set_role(struct client *c, enum client_role role);

/* Whether its active pane is its own (attach -f active-pane; own-panes). */
bool client_own_panes(const struct client *c);

/*
 * What it shows: the current window of its session, or what the client that
 * it follows shows; and the pane that is active for it.  NULL: nothing.
 */
struct winlink *client_link(const struct client *c);
struct pane *client_pane(const struct client *c);

/* The pane that it alone sees, zoomed; or NULL. */
struct pane *client_zoomed(const struct client *c);

/* With panes of its own: another active one; the one before, or NULL. */
void client_set_pane(struct client *c, struct pane *p);
struct pane *client_last_pane(const struct client *c);

/* "view", "type", "admin"; and back, -ERR_NOTFOUND for another word. */
const char *client_role_name(enum client_role role);
int client_role_find(const char *name, enum client_role *out);

void client_set_theme(struct client *c, enum client_theme theme);
void client_set_table(struct client *c, const char *table); /* NULL: default */

/* The key table in force. */
const char *client_table(const struct client *c);

/* Says that a person used this client now. */
void client_touch(struct client *c);

/* "attached,focused,UTF-8": what #{client_flags} says; mem_free. */
char *client_flags_text(const struct client *c);

/*
 * Sets or clears flags by their names: "read-only,!ignore-size,pause-after=5".
 * -ERR_NOTFOUND for a name that is none; the others are set.
 */
int client_parse_flags(struct client *c, const char *text, struct cause *cause);

/* The client used last (of S, or of all when NULL), or NULL. */
struct client *client_best(const struct mux *m, const struct session *s);

/* What a client shows of its window (or of the pane that it has zoomed for
 * itself): the visible part, and whether there is more. */
bool client_view(const struct client *c, struct cell_rect *out);

/* Pans the client's view of its window (refresh-client -L ...). */
void client_pan(struct client *c, int dx, int dy);
void client_pan_reset(struct client *c);

/* --- sizes of windows ------------------------------------------------------ */

/*
 * The size for a window that is new in S (NULL: a new session), asked for by
 * C (or NULL): window-size and default-size.
 */
void client_new_window_size(const struct mux *m, const struct session *s,
    const struct client *c, int *w, int *h);

/* Gives W the size that its clients and window-size say. */
void client_fit_window(struct window *w);

/* The same for all windows. */
void client_fit_windows(struct mux *m);

/* The size of the largest (smallest) client that shows W; false if none. */
bool client_window_limit(
    const struct window *w, bool largest, int *width, int *height);

/* --- for the other files of mux/ ------------------------------------------- */

/* S is going: moves its clients as detach-on-destroy says. */
void client_session_gone(struct session *s);

/* PANE_FOCUS_ events for panes whose focus changed. */
void client_update_focus(struct mux *m);

#endif
