/*
 * conf/check.h - checks a configuration without applying it.
 *
 * Purpose:   runs rmux -n. It parses files and checks commands, flags, numbers,
 *            names and values of options, names of keys, commands in strings,
 *            and the balance of formats. It reports every error.
 * Ownership: struct check owns its scratch options and environment.
 * Units:     lines count from 1.
 * Errors:    in check.source; source_error_new makes "file:line: what". What is
 *            valid and does nothing is in check.warnings in the same form.
 * Tests:     regress/unit/check_check.c, regress/conf/check.sh
 *
 * Options are set in scratch trees and variables in a scratch environment, so
 * %if and formats see what earlier lines of a file set. Of an %if, only the
 * part that is true here is checked.
 */
#ifndef CONF_CHECK_H
#define CONF_CHECK_H

#include "conf/environ.h"
#include "conf/option_set.h"
#include "conf/source.h"

/* Callbacks of a check; all but read may be NULL. */
struct check_hooks {
	void *arg;
	/* As source_hooks.read. */
	int (*read)(void *arg, const char *path, char **text, size_t *len,
	    struct cause *cause);
	/* As parser_hooks.home. */
	const char *(*home)(void *arg, const char *user);
	/* Returns the value of a format variable such as host, or NULL. */
	const char *(*variable)(void *arg, const char *name);
	/* As option_hooks.shell_ok. */
	bool (*shell_ok)(void *arg, const char *path);
};

struct check {
	const struct check_hooks *hooks;
	struct source_hooks source_hooks;
	struct source source;
	struct source warnings; /* only its errors: what does nothing */
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
	size_t commands; /* number of commands checked */
	unsigned depth;  /* nesting of texts with commands */
	unsigned inner;  /* nesting of commands that do not run at once */
};

void check_init(struct check *c, const struct check_hooks *hooks);
void check_fini(struct check *c);

/*
 * Checks a file and the files that it sources. Returns 0 or the code of the
 * first error.
 */
int check_file(struct check *c, const char *path);

/* Returns the number of errors, not of warnings, so far, including those not kept. */
size_t check_errors(const struct check *c);

#endif
