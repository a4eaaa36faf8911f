/*
 * conf/me.h - me.conf, the file of a person that goes along with a client.
 *
 * Purpose:   reads own options (set-option) and own keys (bind-key, unbind-key)
 *            of one client; refuses all other commands.
 * Ownership: the caller owns the text and the target.
 * Units:     bytes; lines count from 1.
 * Errors:    lines "me.conf:3: text"; what is right is applied.
 * Tests:     regress/unit/check_me.c, regress/fuzz/fuzz_me.c, regress/e2e/me.sh
 *
 * security: the text comes from a client and may be a guest's.  It runs nothing,
 * reads no variable, file or format and changes nothing but the target.
 */
#ifndef CONF_ME_H
#define CONF_ME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct keytables;
struct options;

#define ME_BYTES_MAX 65536u
#define ME_LINES_MAX 2000u
#define ME_ERRORS_MAX 20u /* then the rest of the file is not read */
#define ME_NOTE_MAX 256u
#define ME_TABLE_MAX 64u /* bytes of the name of a key table */

/* The options and keys of one client, which the file changes. */
struct me_target {
	struct options *options;
	struct keytables *keys;
	/* Returns the text of the alias NAME, or NULL; may be NULL. */
	const char *(*alias)(void *arg, const char *name);
	void *arg;
	/*
	 * The file is a guest's: words of its commands have letters, digits
	 * and - _ . : % @ + = ! { } ~ ^ only.
	 */
	bool guest;
};

/* Reads N bytes of TEXT; returns the number of errors, whose lines go to OUT. */
unsigned me_load(
    const char *text, size_t n, const struct me_target *to, struct buf *out);

#endif
