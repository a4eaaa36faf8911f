/*
 * server/io/scope.h - expands formats with the variables of the server.
 *
 * Purpose:   joins the model's variables (mux/fmt) with those that only the
 *            server has: host, time, foreground programs, jobs.
 * Ownership: the caller frees results of functions named "new" (mem_free).
 * Units:     flags are enum format_flag of conf/format.h.
 * Errors:    a variable or format that cannot be expanded is empty.
 * Source:    tmux(1), FORMATS.
 * Tests:     regress/unit/check_scope.c
 */
#ifndef SERVER_IO_SCOPE_H
#define SERVER_IO_SCOPE_H

#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "server/run/cmdq.h"

struct client;
struct pane;
struct session;
struct tm;
struct winlink;

/* The place where a format is expanded; every member may be NULL. */
struct scope_where {
	struct client *client;
	struct session *session;
	struct winlink *link;
	struct pane *pane;
	const struct cmd_state *state;
	const struct format_var *vars;
	size_t var_count;
	const char *command;    /* #{command} */
	const char *file;       /* #{current_file}: of the command, or NULL */
	const char *const *env; /* of the program that gave the command */
	int kind;               /* enum vars_kind; 0: by what is given */
	bool bare; /* no session or pane stands for a missing one */
	/* Called for each step (display-message -v), or NULL. */
	void (*trace)(void *arg, unsigned depth, const char *text);
	void *trace_arg;
	bool *user_option; /* set when an @option is asked for; or NULL */
	bool idle;         /* #() gives its last output and starts no command */
};

struct jobs;
struct mirror;
struct pane_ios;
struct remote;
struct scope;

/* Calls to the floors above. */
struct scope_ops {
	/* The output of a #() command has changed. */
	void (*changed)(void *arg);
	/*
	 * Returns whether client C is attached; *REMOTE and *MIRROR may stay
	 * NULL.
	 */
	bool (*client)(void *arg, const struct client *c,
	    const struct remote **remote, const struct mirror **mirror);
};

struct scope *scope_make(struct run *run, const struct pane_ios *panes,
    struct jobs *jobs, const struct scope_ops *ops, void *arg);

/* Cancels the #() commands that run; NULL is fine. */
void scope_free(struct scope *sc);

/* Calls FN for each variable that has a value there, with it. */
void scope_variables(struct scope *sc, const struct scope_where *where,
    vars_value_fn fn, void *arg);

char *scope_new(struct scope *sc, const struct scope_where *where,
    const char *format, unsigned flags);

/* Expands FORMAT for the state of a command, its session and pane. */
char *scope_expand_new(struct scope *sc, const struct cmd_state *st,
    struct client *c, const char *format, unsigned flags);

/* Expands FORMAT for the client's current session and pane. */
char *scope_expand_client_new(
    struct scope *sc, struct client *c, const char *format, unsigned flags);

/* Gives the local time of T, seconds since 1970. */
void scope_local_time(void *arg, int64_t t, struct tm *tm);

/* Expands FORMAT for a pane as a client sees it (C may be NULL). */
char *scope_expand_pane_new(struct scope *sc, struct client *c, struct pane *p,
    const char *format, unsigned flags);

#endif
