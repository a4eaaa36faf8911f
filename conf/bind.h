/*
 * conf/bind.h - bind-key and unbind-key over key tables; the built-in keys.
 *
 * Purpose:   runs the two commands, and holds the bindings of default.conf,
 *            which is built into the program as text.
 * Ownership: bindings share the command lists of the commands that made them.
 * Errors:    -ERR_* with a message for the user in CAUSE.
 * Source:    tmux(1), KEY BINDINGS.
 * Tests:     regress/unit/check_bind.c, regress/e2e/bindings.sh
 */
#ifndef CONF_BIND_H
#define CONF_BIND_H

#include "base/err.h"
#include "conf/args.h"
#include "conf/keytable.h"
#include "conf/parser.h"

/* conf/default.conf, NUL-terminated; LEN does not count the NUL. */
extern const char bind_default_text[];
extern const size_t bind_default_len;

/* Callbacks for keytables_new; commands are struct cmdlist. */
extern const struct keytable_ops bind_ops;

/*
 * Runs bind-key with the arguments ARGS.
 * In:      hooks for the parse of commands given as words (members may be NULL)
 */
int bind_run(struct keytables *set, const struct args *args,
    const struct parser_hooks *hooks, struct cause *cause);

/* Returns the key table of a command: -n is root, -T names one, or prefix. */
const char *bind_table(const struct args *args);

/* Runs unbind-key. */
int bind_unbind(
    struct keytables *set, const struct args *args, struct cause *cause);

/*
 * Runs the bind-key commands of default.conf and stores them as the defaults.
 */
int bind_load_defaults(struct keytables *set, struct cause *cause);

#endif
