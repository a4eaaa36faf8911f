/*
 * server/run/audit_file.h - the file of the audit trail.
 *
 * Purpose:   appends whole lines to a file that nobody else can change, from a
 *            thread of its own: a slow disk does not stop the server.
 * Ownership: audit_file_close frees it.  The thread alone uses the descriptors.
 * Units:     bytes.
 * Errors:    -ERR_DENIED for a file or directory that others may change,
 *            -ERR_SYS.  Errors of later writes: audit_file_error.
 * Tests:     regress/unit/check_audit.c, regress/e2e/audit.sh
 */
#ifndef SERVER_RUN_AUDIT_FILE_H
#define SERVER_RUN_AUDIT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define AUDIT_FILE_QUEUE (256u << 10) /* lines that wait for the disk */
#define AUDIT_FILE_OLD 5 /* files that rotation keeps: FILE.1 ... */

struct audit_file;

/*
 * Opens PATH, which is absolute, or makes it with mode 0600. MAX: it is renamed
 * when it would grow beyond; 0: never.
 */
struct audit_file *audit_file_open(
    const char *path, uint64_t max, struct cause *c);

/* Writes what waits, for a second at most; NULL is fine. */
void audit_file_close(struct audit_file *f);

/* Queues N bytes, whole lines; false: they are lost, the queue is full. */
bool audit_file_put(struct audit_file *f, const char *p, size_t n);

/* The errno of a failed write since the last call, or 0. */
int audit_file_error(struct audit_file *f);

/* Opens the file again under its name, after another program has moved it. */
void audit_file_reopen(struct audit_file *f);

#endif
