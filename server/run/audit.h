/*
 * server/run/audit.h - the audit trail: who did what in this server's sessions.
 *
 * Purpose:   writes one line for each record: time, kind, fields.  Counts what
 *            a guest types, its sizes and its refusals, and writes the counts
 *            every ten seconds and when the guest goes.  Never what was typed.
 * Ownership: the server owns it; struct run points to it.
 * Units:     wall clock in milliseconds.
 * Errors:    of the file: audit_open; of the disk: told once in show-messages,
 *            and by a record "lost" when there is room.
 * Source:    option audit-log; doc/rmux.1, GUESTS.
 * Tests:     regress/unit/check_audit.c, regress/e2e/audit.sh
 *
 * All functions do nothing while the option is empty, and take a NULL client.
 */
#ifndef SERVER_RUN_AUDIT_H
#define SERVER_RUN_AUDIT_H

#include "base/buf.h"
#include "base/err.h"

struct audit;
struct client;
struct run;

enum audit_count {
	AUDIT_KEYS,
	AUDIT_PASTED, /* bytes */
	AUDIT_MOUSE,
	AUDIT_REFUSED_ROLE,   /* events */
	AUDIT_REFUSED_BUDGET, /* events */
	AUDIT_COUNTS
};

struct audit *audit_new(struct run *run);
void audit_free(struct audit *a);

/* Applies the options audit-log and audit-log-size; an error keeps no file. */
int audit_apply(struct audit *a, struct cause *c) WARN_UNUSED;

/* Opens the file again. */
void audit_reopen(struct audit *a);

/*
 * Writes a record of KIND about C: pairs of names and values, ended by NULL. A
 * pair without a value (NULL) is left out.
 */
void audit_say(struct audit *a, const char *kind, const struct client *c, ...)
    __attribute__((sentinel));

/* Counts N of WHAT; PANE: that gets it, or MUX_NONE. */
void audit_add(struct audit *a, const struct client *c, enum audit_count what,
    uint32_t pane, uint64_t n);

/* Counts a new size, and a refused command. */
void audit_size(struct audit *a, const struct client *c);
void audit_refused(
    struct audit *a, const struct client *c, const char *command);

#endif
