/*
 * conf/changes.h - what a configuration has changed, in words.
 *
 * Purpose:   keeps global options and key bindings as they are, and compares
 *            them with those of another moment: "status-style, 2 keys".
 * Ownership: a struct changes owns copies of its texts.
 * Errors:    none.
 * Tests:     regress/unit/check_changes.c
 */
#ifndef CONF_CHANGES_H
#define CONF_CHANGES_H

#include "base/map.h"
#include "conf/keytable.h"
#include "conf/option_set.h"

#define CHANGES_NAMES_MAX 6 /* options that are named; more are counted */

struct changes {
	struct map options; /* name, and its lines of show-options */
	struct map keys;    /* table and key, and the binding */
};

/* Takes the server's and the global options of TREES, and all bindings. */
void changes_init(struct changes *c, const struct option_trees *trees,
    const struct keytables *keys);
void changes_fini(struct changes *c);

/*
 * Appends the options that differ by name and the number of bindings that do;
 * "nothing" if none does.
 */
void changes_text(
    const struct changes *was, const struct changes *is, struct buf *out);

#endif
