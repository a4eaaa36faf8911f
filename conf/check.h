/*
 * conf/check.h - checks a configuration without applying it.
 *
 * Purpose:   rmux -n: parses files, looks at commands, flags, numbers of
 *            arguments, names and values of options, names of keys, commands
 *            in strings and the balance of formats; tells every error.
 * Ownership: struct check owns its scratch options and environment.
 * Units:     lines from 1.
 * Errors:    in check.source; source_error_new makes "file:line: what".
 * Source:    our own.
 * Tests:     regress/unit/check_check.c, regress/conf/check.sh
 *
 * Options are set in scratch trees and variables in a scratch environment, so
 * that what a file says first is known to %if and formats after it.  Of %if
 * the part that is true here is checked.
 */
#ifndef CONF_CHECK_H
#define CONF_CHECK_H

#include "conf/environ.h"
#include "conf/option_set.h"
#include "conf/source.h"

/* What a check asks of its caller; all but read may be NULL. */
struct check_hooks {
	void *arg;
	/* As source_hooks.read. */
	int (*read)(void *arg, const char *path, char **text, size_t *len,
	    struct cause *cause);
	/* As parser_hooks.home. */
	const char *(*home)(void *arg, const char *user);
	/* Value of a format variable such as host, or NULL. */
	const char *(*variable)(void *arg, const char *name);
	/* As option_hooks.shell_ok. */
	bool (*shell_ok)(void *arg, const char *path);
};

struct check {
	const struct check_hooks *hooks;
	struct source_hooks source_hooks;
	struct source source;
	struct option_hooks option_hooks;
	struct parser_hooks parser; /* for commands in values */
	struct options server;
	struct options global_session;
	struct options global_window;
	struct options session;
	struct options window;
	struct options pane;
	struct options *panes[1];
	struct option_trees trees;
	struct environ environ;
	size_t commands; /* that were looked at */
	unsigned depth;  /* of texts with commands in commands */
	unsigned inner;  /* of commands in commands: not run at once */
};

void check_init(struct check *c, const struct check_hooks *hooks);
void check_fini(struct check *c);

/* Checks a file and those it sources; 0, or the first kind of error. */
int check_file(struct check *c, const char *path);

/* The number of errors so far, those not kept too. */
size_t check_errors(const struct check *c);

#endif
