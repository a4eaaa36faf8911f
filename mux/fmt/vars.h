/*
 * mux/fmt/vars.h - format variables that read the model.
 *
 * Purpose:   is the scope for conf/format.h: variables, options, loops over
 *            sessions, windows, panes and clients. A table of callbacks
 *            supplies what only the server knows.
 * Ownership: struct vars is a plain value that points into the model; it is
 *            valid as long as its objects, and must outlive the expansion.
 * Units:     times of variables are seconds since 1970.
 * Errors:    a variable whose subject is missing is not found (empty).
 * Source:    tmux(1), FORMATS; values are compared with tmux 3.3a in
 *            regress/ref/vars.sh.
 * Tests:     regress/unit/check_vars.c
 */
#ifndef MUX_FMT_VARS_H
#define MUX_FMT_VARS_H

#include "conf/format.h"
#include "mux/client.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/target.h"

struct vars;

/*
 * Callbacks of the server. Each member may be NULL. Lookups append to OUT and
 * return true, or return false and leave OUT unchanged.
 */
struct vars_host {
	void *arg;

	/* host host_short pid uid user socket_path start_time config_files
	 * current_file sixel_support tmux_compat_dir */
	bool (*server)(void *arg, const char *name, struct buf *out);

	/* client_address client_forwards client_history_held
	 * client_key_exchange client_last_heard client_link client_loss
	 * client_pace client_rtt client_silence */
	bool (*client)(void *arg, const struct client *c, const char *name,
	    struct buf *out);

	/* pane_current_command pane_current_path pane_nested */
	bool (*pane)(
	    void *arg, const struct pane *p, const char *name, struct buf *out);

	/* Any other name (command lists, trees); asked last. */
	bool (*other)(void *arg, const char *name, struct buf *out);

	/* As in conf/format.h. */
	void (*job)(void *arg, const struct vars *v, const char *command,
	    struct buf *out);
	bool (*client_has)(void *arg, const struct client *c, char what,
	    const char *name, struct buf *out);
	void (*local_time)(void *arg, int64_t t, struct tm *tm);
};

/* The position of the mouse, for mouse_*. */
struct vars_mouse {
	bool valid;
	int x; /* within the pane, or within the status line */
	int y;
	uint32_t pane;     /* or MUX_NONE */
	int status_line;   /* or -1 */
	const char *range; /* "window" "left" ..., or NULL */
};

/* The kind of the subject: session_format, window_format, pane_format. */
enum vars_kind {
	VARS_NONE,
	VARS_SESSION,
	VARS_WINDOW,
	VARS_PANE,
	VARS_CLIENT
};

struct vars {
	struct mux *m;
	const struct vars_host *host; /* or NULL */
	enum vars_kind kind;
	struct client *client; /* each may be NULL */
	struct session *session;
	struct winlink *link;
	struct window *window;
	struct pane *pane;
	struct paste_buffer *buffer;
	const struct vars_mouse *mouse;
	bool *user_option;    /* set when an @option is asked for; or NULL */
	bool in_windows;      /* in a round of W:, with ... */
	struct winlink *next; /* ... these neighbours, or NULL */
	struct winlink *prev;
	const struct vars_item *item;  /* of a round of O: or V:, or NULL */
	const char *const *caller_env; /* "NAME=value" and NULL, of the program
	                                  that gave the command; or NULL */
};

/* Sets V to a target and a client (each may be NULL). */
void vars_init(struct vars *v, struct mux *m, const struct vars_host *host,
    struct client *c, const struct target *t);

/* Returns the scope for format_args; V must outlive it. */
struct format_scope vars_scope(struct vars *v);

/* Calls FN for each row of vars.def in the order of names. */
typedef void (*vars_row_fn)(void *arg, const char *name, const char *help);
void vars_each(vars_row_fn fn, void *arg);

/* Calls FN for those that have a value in V, with it. */
typedef void (*vars_value_fn)(void *arg, const char *name, const char *value);
void vars_values(struct vars *v, vars_value_fn fn, void *arg);

/*
 * The hook_* variables of an event, for format_args.vars. Its storage holds the
 * strings.
 */
#define VARS_EVENT_MAX 12
struct vars_event {
	struct format_var vars[VARS_EVENT_MAX];
	size_t count;
	char text[6][32]; /* ids */
	char *names[6];   /* freed by vars_event_fini */
};
void vars_event_init(
    struct vars_event *ve, const struct mux *m, const struct mux_event *e);
void vars_event_fini(struct vars_event *ve);

#endif
