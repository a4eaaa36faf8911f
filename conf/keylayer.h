/*
 * conf/keylayer.h - the key bindings of one person, above those of the server.
 *
 * Purpose:   finds a key table as one person has it: the person's own bindings,
 *            and those of the server for the other keys.
 * Ownership: a layer owns the person's bindings and copies of tables, which
 *            share notes and commands with the two sets.  A table that was
 *            found is valid until the next change of either set.
 * Errors:    keytables_bind gives -ERR_LIMIT over the limits below.
 * Tests:     regress/unit/check_keylayer.c, regress/e2e/person_keys.sh
 *
 * A key of the person's also stands before the server's binding of its other
 * name (keytable_typed): C-m before Enter.
 */
#ifndef CONF_KEYLAYER_H
#define CONF_KEYLAYER_H

#include "conf/keytable.h"

#define KEYLAYER_BINDINGS_MAX 1024u
#define KEYLAYER_BYTES_MAX (1u << 20)

struct keylayer;

struct keylayer *keylayer_new(const struct keytable_ops *ops);
void keylayer_free(struct keylayer *l); /* NULL is fine */

/* The person's own bindings, to change or list them. */
struct keytables *keylayer_own(struct keylayer *l);

/*
 * Returns the table NAME of a person with L (NULL: without own bindings) above
 * the server's tables BASE, or NULL.
 */
const struct keytable *keylayer_find(
    struct keylayer *l, const struct keytables *base, const char *name);

/* Returns a number that grows with every change of L; 0 for NULL. */
uint64_t keylayer_changes(const struct keylayer *l);

#endif
