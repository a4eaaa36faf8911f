/*
 * mux/client.h - an attached client as the model sees it.
 *
 * Purpose:   holds identity, size, session, key table, flags and role of a
 *            client; tells what it shows; decides the size of windows.
 * Ownership: the mux owns clients; the server keeps links and views by id.
 * Units:     cells and pixels; wall clock in milliseconds.
 * Source:    tmux(1), CLIENTS AND SESSIONS; window-size, aggressive-resize,
 *            default-size, detach-on-destroy, destroy-unattached.
 * Tests:     regress/unit/check_client.c
 */
#ifndef MUX_CLIENT_H
#define MUX_CLIENT_H

#include "mux/mux.h"

struct keylayer;
struct keytable;
struct keytables;

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
	CLIENT_SIZE_SET = 1 << 10,    /* the client has told its size */
	CLIENT_ACTIVE_PANE = 1 << 11, /* attach -f active-pane */
	CLIENT_PAUSE_AFTER = 1 << 12, /* attach -f pause-after */
	CLIENT_NEW_LAYOUTS = 1 << 13, /* attach -f new-layouts */
};

/* The rights of the person at a client; server/role.c enforces them. */
enum client_role {
	CLIENT_VIEW, /* may look */
	CLIENT_TYPE, /* may also type into panes */
	CLIENT_ADMIN /* may also run commands */
};

enum client_theme {
	CLIENT_THEME_UNKNOWN,
	CLIENT_THEME_LIGHT,
	CLIENT_THEME_DARK
};

/* The size of one window for a control client (refresh-client -C @1:...). */
struct client_window {
	uint32_t window;
	int w;
	int h;
};

#define CLIENT_WINDOWS_MAX 1024

/* The pane that is active for one client only. */
struct client_own {
	uint32_t window;
	uint32_t pane;
	uint32_t last; /* the active pane before, or MUX_NONE */
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
	bool moves; /* the program reads FRAME_MOVE (mux/sync/frame.h) */
	struct environ environ; /* of its process, if it is on this machine */
	int64_t pid;
	int64_t uid;
	int w; /* size of the terminal, with status lines */
	int h;
	struct outer outer; /* its theme is that of client_light */
	unsigned colours;
	int predicted;  /* percentage of the newest keys; -1: not told */
	unsigned flags; /* enum client_flag */
	enum client_role role;
	uint32_t type_pane;   /* the role TYPE is for this pane only, */
	uint32_t type_window; /* or for this window's; MUX_NONE: for all */
	bool guest; /* connected by an invitation: not the server's user */
	unsigned pause_after; /* seconds */
	enum client_theme theme;
	struct session *session; /* or NULL */
	uint32_t last_session;   /* or MUX_NONE */
	struct options options;  /* its person's own, above the session's */
	struct keylayer *keys;   /* above the server's; NULL: none */
	char *table;             /* key table, NULL: the session's key-table */
	struct client_window *windows;
	size_t window_count;
	int64_t created;
	int64_t activity;
	uint64_t used;      /* grows with every use */
	mono_ms typed_at;   /* when its person last typed; 0: never */
	uint64_t written;   /* bytes sent, counted by the server */
	uint64_t discarded; /* bytes dropped for a slow client */
	int pan_window;     /* id of the window panned, or -1 */
	int pan_x;          /* offset into a window larger than the client */
	int pan_y;
	uint32_t follow; /* client that it follows, or MUX_NONE */
	uint32_t zoom; /* pane that only this client sees zoomed, or MUX_NONE */
	struct client_own *own; /* panes that are active only for it */
	size_t own_count;
};

/* What the session used last shows; MUX_NONE: nothing. */
struct client_seen {
	uint32_t session;
	uint32_t window;
	uint32_t pane;
};

void client_see(const struct mux *m, struct client_seen *seen);

struct client *client_new(struct mux *m, const char *name);

/* The same; SEEN is what hooks are told of. */
struct client *client_new_at(
    struct mux *m, const char *name, const struct client_seen *seen);

/* Detaches and removes a client. */
void client_free(struct client *c);

/*
 * Sets the features of the terminal, as in terminal-features, and its colours.
 * A last word "moves" is none of them: it sets c->moves.
 */
void client_set_features(struct client *c, const char *features);

/* Whether its terminal has the feature WORD. */
bool client_has_feature(const struct client *c, const char *word);

/* Replaces one of the strings above (field is &c->term ...). */
void client_set_text(struct client *c, char **field, const char *value);

/*
 * Attaches a client or moves it to S (NULL: detaches it). Fits the sizes of
 * windows.
 */
void client_set_session(struct client *c, struct session *s);

/* Destroys each session without clients where destroy-unattached says so. */
void client_check_unattached(struct mux *m);

/* Sets the size of the terminal. */
void client_set_size(struct client *c, int w, int h, int cell_w, int cell_h);

/* Whether its terminal is light: by the option theme, or by its own word. */
bool client_light(const struct client *c);

/* Lends what C knows of its terminal to the windows whose size it decides. */
void client_outer_changed(struct client *c);

/* Sets or clears flags and applies their effects. */
void client_set_flags(struct client *c, unsigned flags, bool on);

/* Sets a control client's size for one window; w = 0 removes it. */
int client_set_window_size(struct client *c, uint32_t window, int w, int h);

/*
 * Sets the role. VIEW is CLIENT_READONLY. A client that is not admin does not
 * count for sizes while an admin is there.
 */
void client_set_role(struct client *c, enum client_role role);

/*
 * Sets the role TYPE for one pane, or for the panes of one window (the other is
 * MUX_NONE). When it closes, the role becomes VIEW.
 */
void client_set_role_in(struct client *c, uint32_t window, uint32_t pane);

/* Whether the role lets the client's person type into P. */
bool client_may_type(const struct client *c, const struct pane *p);

/*
 * Ends a role for a pane or window that has closed (the other is MUX_NONE).
 * Returns its client; NULL: there is none.
 */
struct client *client_role_gone(struct mux *m, uint32_t window, uint32_t pane);

/*
 * Tells whether its active pane is its own (attach -f active-pane; own-panes).
 */
bool client_own_panes(const struct client *c);

/*
 * Returns the window and the pane that the client shows: the current window of
 * its session, or what the client that it follows shows; NULL for nothing.
 */
struct winlink *client_link(const struct client *c);
struct pane *client_pane(const struct client *c);

/* Returns the pane that only this client sees zoomed, or NULL. */
struct pane *client_zoomed(const struct client *c);

/* Sets the client's own active pane; gets the one before it, or NULL. */
void client_set_pane(struct client *c, struct pane *p);
struct pane *client_last_pane(const struct client *c);

/* Appends the role: "view", "type:%3", "type:@2"; -ERR_LIMIT. */
int client_role_put(const struct client *c, struct buf *out);

/* "view", "type", "admin"; the reverse gives -ERR_NOTFOUND for other words. */
const char *client_role_name(enum client_role role);
int client_role_find(const char *name, enum client_role *out);

void client_set_theme(struct client *c, enum client_theme theme);
void client_set_table(struct client *c, const char *table); /* NULL: default */

/* Returns the key table in use. */
const char *client_table(const struct client *c);

/* Returns the key bindings of its person alone, to change them. */
struct keytables *client_own_keys(struct client *c);

/* Returns a table with the person's keys above those of BASE, or NULL. */
const struct keytable *client_find_table(
    const struct client *c, const struct keytables *base, const char *name);

/* Records that a person used this client now. */
void client_touch(struct client *c);

/*
 * Records that a person works with the current window of S from C: under
 * window-size latest C decides its size.
 */
void client_use_window(const struct client *c, const struct session *s);

/* The same of a new window W, which nobody has seen; C may be NULL. */
void client_made_window(const struct client *c, struct window *w);

/* Notes that the person at this client typed at NOW. */
void client_typed(struct client *c, mono_ms now);

/* Returns the text of #{client_flags}, "attached,focused,UTF-8" (mem_free). */
char *client_flags_text(const struct client *c);

/*
 * Sets or clears flags by name: "read-only,!ignore-size,pause-after=5". Returns
 * -ERR_NOTFOUND for an unknown name; the others are set.
 */
int client_parse_flags(struct client *c, const char *text, struct cause *cause);

/* Returns the client used last (of S; NULL: of all), or NULL. */
struct client *client_best(const struct mux *m, const struct session *s);

/* The side of a client where its status lines are. */
enum client_side {
	CLIENT_TOP,
	CLIENT_BOTTOM,
	CLIENT_LEFT,
	CLIENT_RIGHT
};

/*
 * Gets the cells of the client for the status lines (none: w or h is 0) and
 * those for its window. The client has a session.
 */
enum client_side client_status(
    const struct client *c, struct cell_rect *status, struct cell_rect *window);

/*
 * Gets the visible part of the client's window (or of the pane zoomed for it
 * alone). Returns whether there is more.
 */
bool client_view(const struct client *c, struct cell_rect *out);

/* Pans the client's view of its window (refresh-client -L ...). */
void client_pan(struct client *c, int dx, int dy);
void client_pan_reset(struct client *c);

/* --- sizes of windows ------------------------------------------------------ */

/*
 * Computes the size of a new window in S (NULL: a new session) for C (or NULL),
 * by window-size and default-size.
 */
void client_new_window_size(const struct mux *m, const struct session *s,
    const struct client *c, int *w, int *h);

/* Turns the size of a terminal into that of a new session's window in it. */
void client_new_session_size(const struct mux *m, int *w, int *h);

/*
 * Sets the size (columns, rows, pixels; 0: unknown) that a new client shows.
 * It counts for no window until client_set_size.
 */
void client_begin_size(struct client *c, const uint16_t size[4]);

/* Gives W the size by its clients and window-size. */
void client_fit_window(struct window *w);

/* The same for all windows. */
void client_fit_windows(struct mux *m);

/*
 * Gets the size of the largest (smallest) client that shows W; returns false if
 * there is none.
 */
bool client_window_limit(
    const struct window *w, bool largest, int *width, int *height);

/* --- for the other files of mux/ ------------------------------------------- */

/*
 * Moves the clients of S, which is destroyed, as detach-on-destroy says. Returns
 * whether there were some: the caller calls client_fit_windows.
 */
bool client_session_gone(struct session *s);

/* Appends PANE_FOCUS_ events for panes whose focus has changed. */
void client_update_focus(struct mux *m);

/*
 * The same for those that get it. A pane that may get it back at once, such as
 * one that moves, keeps it until the next client_update_focus.
 */
void client_gain_focus(struct mux *m);

#endif
