/*
 * conf/option_set.h - set-option, set-hook and show-options.
 *
 * Purpose:   finds the tree by flags and name, sets or unsets with tmux's rules
 *            and messages, and prints as show-options does.
 * Ownership: the caller owns the trees.
 * Errors:    as option.h, and "already set: X", "no such session: X", "no
 *            current window" ...; -q hides the errors that tmux hides.
 * Source:    tmux(1), set-option and show-options.
 * Tests:     regress/unit/check_option.c, regress/ref/conf-options.sh
 */
#ifndef CONF_OPTION_SET_H
#define CONF_OPTION_SET_H

#include "conf/option.h"

/* The trees for one command; NULL for a missing target. */
struct option_trees {
	struct options *server;
	struct options *global_session;
	struct options *global_window;
	struct options *session;
	struct options *window;
	struct options *pane;
	struct options *const *panes; /* all panes of the window, for -U */
	size_t pane_count;
	const char *target; /* the argument of -t for messages, or NULL */
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
	OPTION_REQ_ONLY_HOOKS = 1 << 12, /* set-hook, show-hooks */
};

/*
 * Returns the flags of set-option, set-window-option, set-hook, show-options,
 * show-window-options or show-hooks.
 */
unsigned option_request_flags(const struct cmd *cmd);

/*
 * Finds the tree of an option with ROW (NULL: an @option).
 * In:      flags enum option_request_flag
 * Returns: 0, or -ERR_NOTFOUND with "no current session" and so on.
 */
int option_scope_find(const struct option_trees *trees,
    const struct option_row *row, unsigned flags, struct options **out,
    struct cause *cause);

/*
 * Runs set-option NAME [TEXT]; -F is expanded already.
 * In:      text NULL if there is no value; commands the value if it was a block
 *          (not taken over), or NULL
 * Out:     *changed the row that was set, NULL if none was or for an @option
 * Returns: 0 (also when -q or -o hides an error), or the error.
 */
int option_request_set(const struct option_trees *trees, unsigned flags,
    const char *name, const char *text, struct cmdlist *commands,
    const struct option_hooks *hooks, const struct option_row **changed,
    struct cause *cause);

/* One line of show-options. */
struct option_line {
	const struct option_entry *e;
	const struct option_value *value; /* NULL: it has no value */
	bool has_index;                   /* an item of an array ... */
	uint32_t index;                   /* ... with this index */
	const char *word;                 /* or this word, or NULL */
	bool inherited;
};
typedef void (*option_line_fn)(void *arg, const struct option_line *line);

/*
 * Calls FN for each line of show-options NAME (NULL: all, @options even if only
 * hooks are asked for, because a monitor is one).
 */
int option_request_each(const struct option_trees *trees, unsigned flags,
    const char *name, option_line_fn fn, void *arg, struct cause *cause);

/* Prints a line with its newline; OPTION_REQ_VALUE: only the value. */
void option_line_print(
    const struct option_line *line, unsigned flags, struct buf *out);

#endif
