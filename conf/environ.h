/*
 * conf/environ.h - sets of environment variables.
 *
 * Purpose:   holds the global environment and each session's: values, hidden
 *            variables, and variables that are removed from the environment of
 *            programs.
 * Ownership: a struct environ owns names and values; pointers from getters are
 *            valid until the next change.
 * Errors:    -ERR_SYNTAX with tmux's message; -ERR_LIMIT over ENVIRON_MAX
 *            variables or ENVIRON_VALUE_MAX bytes of one value.
 * Source:    tmux(1), GLOBAL AND SESSION ENVIRONMENT.
 * Tests:     regress/unit/check_environ.c
 */
#ifndef CONF_ENVIRON_H
#define CONF_ENVIRON_H

#include "conf/option.h"

#define ENVIRON_MAX 10000
#define ENVIRON_VALUE_MAX ((size_t)1 << 20)

struct environ_var {
	char *value; /* NULL: removed before a program starts */
	bool hidden; /* for formats and configuration only */
};

struct environ {
	struct map vars; /* struct environ_var *, by name */
};

void environ_init(struct environ *env);
void environ_fini(struct environ *env);

/* Sets a variable; VALUE NULL marks it as removed. */
int environ_set(struct environ *env, const char *name, const char *value,
    bool hidden, struct cause *cause);

/* Sets "NAME=value"; ignores text without "=". */
void environ_put(struct environ *env, const char *text);

/* Deletes a variable. */
void environ_unset(struct environ *env, const char *name);

/* Returns the variable, or NULL. */
const struct environ_var *environ_find(
    const struct environ *env, const char *name);

/* Returns the value, or NULL if the variable is missing or removed. */
const char *environ_get(const struct environ *env, const char *name);

/* Sets all variables of FROM in ENV. */
void environ_copy(struct environ *env, const struct environ *from);

/*
 * Updates ENV as an attach does: takes from CLIENT all variables whose names
 * match an item of PATTERNS (update-environment). An item that matches none is
 * marked as removed.
 */
void environ_update(struct environ *env, const struct environ *client,
    const struct option_entry *patterns);

/*
 * Makes the environment of a new program: GLOBAL, then SESSION over it (may be
 * NULL), without hidden and removed variables. OUT must be empty.
 */
void environ_spawn(struct environ *out, const struct environ *global,
    const struct environ *session);

enum environ_flag {
	ENVIRON_UNSET = 1 << 0,  /* set-environment -u */
	ENVIRON_REMOVE = 1 << 1, /* set-environment -r */
	ENVIRON_HIDDEN = 1 << 2, /* set- and show-environment -h */
	ENVIRON_SHELL = 1 << 3,  /* show-environment -s */
};

/* Runs set-environment NAME [VALUE]; -F is expanded already. */
int environ_request_set(struct environ *env, const char *name,
    const char *value, unsigned flags, struct cause *cause);

/* Prints the output of show-environment [NAME]. */
int environ_request_show(const struct environ *env, const char *name,
    unsigned flags, struct buf *out, struct cause *cause);

#endif
