/*
 * conf/option_set.h - what set-option, set-hook and show-options do.
 *
 * Purpose:   finds the tree that flags and name mean, sets or unsets with
 *            tmux's rules and messages, and prints as show-options does.
 * Ownership: trees are the caller's; requests only point.
 * Units:     none.
 * Errors:    as option.h, and "already set: X", "no such session: X", "no
 *            current window" ...; -q silences what tmux silences.
 * Source:    tmux(1), set-option and show-options.
 * Tests:     regress/unit/check_option.c, regress/ref/conf-options.sh
 */
#ifndef CONF_OPTION_SET_H
#define CONF_OPTION_SET_H

#include "conf/option.h"

/* The trees in reach of one command; those of a missing target are NULL. */
struct option_trees {
	struct options *server;
	struct options *global_session;
	struct options *global_window;
	struct options *session;
	struct options *window;
	struct options *pane;
	struct options *const *panes; /* all of the window, for -U */
	size_t pane_count;
	const char *target; /* what -t said, for messages; or NULL */
};

enum option_request_flag {
	OPTION_REQ_APPEND = 1 << 0,      /* -a */
	OPTION_REQ_GLOBAL = 1 << 1,      /* -g */
	OPTION_REQ_ONCE = 1 << 2,        /* -o */
	OPTION_REQ_PANE = 1 << 3,        /* -p */
	OPTION_REQ_QUIET = 1 << 4,       /* -q */
	OPTION_REQ_SERVER = 1 << 5,      /* -s */
	OPTION_REQ_UNSET = 1 << 6,       /* -u */
	OPTION_REQ_UNSET_PANES = 1 << 7, /* -U */
	OPTION_REQ_WINDOW = 1 << 8,      /* -w, and the -window- commands */
	OPTION_REQ_VALUE = 1 << 9,       /* -v of show */
	OPTION_REQ_INHERIT = 1 << 10,    /* -A of show */
	OPTION_REQ_HOOKS = 1 << 11,      /* -H of show */
	OPTION_REQ_ONLY_HOOKS = 1 << 12, /* show-hooks */
};

/*
 * Flags of set-option, set-window-option, set-hook, show-options,
 * show-window-options or show-hooks as given.
 */
unsigned option_request_flags(const struct cmd *cmd);

/*
 * The tree that an option of ROW (NULL: an @option) lives in.
 * In:      flags  enum option_request_flag
 * Returns: 0, or -ERR_NOTFOUND with "no current session" and so on.
 */
int option_scope_find(const struct option_trees *trees,
    const struct option_row *row, unsigned flags, struct options **out,
    struct cause *cause);

/*
 * Does what set-option NAME [TEXT] does, after -F was expanded.
 * In:      text      NULL if there is no value
 *          commands  the value if it was a block (not taken over), or NULL
 * Out:     *changed  the row that was set, NULL if none was or for an @option
 * Returns: 0 (also when -q or -o kept an error silent), or the error.
 */
int option_request_set(const struct option_trees *trees, unsigned flags,
    const char *name, const char *text, struct cmdlist *commands,
    const struct option_hooks *hooks, const struct option_row **changed,
    struct cause *cause);

/* One line of show-options. */
struct option_line {
	const struct option_entry *e;
	const struct option_value *value; /* NULL: it has none */
	bool has_index;                   /* one of an array's items ... */
	uint32_t index;                   /* ... this one */
	bool inherited;
};
typedef void (*option_line_fn)(void *arg, const struct option_line *line);

/* As option_request_show, but calls FN for each line. */
int option_request_each(const struct option_trees *trees, unsigned flags,
    const char *name, option_line_fn fn, void *arg, struct cause *cause);

/* Prints a line, with its newline; OPTION_REQ_VALUE: the bare value. */
void option_line_print(
    const struct option_line *line, unsigned flags, struct buf *out);

#endif
