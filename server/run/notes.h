/*
 * server/run/notes.h - what the configuration leaves to be told.
 *
 * Purpose:   the files read at start, their errors for the first client, the
 *            hint for a user without a configuration, and whether files are
 *            still being read.
 * Ownership: struct notes owns its texts; struct run points to it.
 * Tests:     regress/unit/check_run.c
 */
#ifndef SERVER_RUN_NOTES_H
#define SERVER_RUN_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define NOTES_ERRORS_MAX 1000 /* kept; the log has all of them */

struct notes;
struct run;

struct notes *notes_new(void);
void notes_free(struct notes *n);

/* Adds an error of the configuration, "file:line: what" or lines of them. */
void notes_error(struct run *run, const char *text);
void notes_errors(struct run *run, const char *lines);

/* Adds a file that is read at start, whether it can be read or not. */
void notes_file(struct notes *n, const char *path);

/* The paths of these files, separated by commas. */
void notes_files(const struct notes *n, struct buf *out);

/* Files are being read: commands of clients wait. */
bool notes_loading(const struct notes *n);
void notes_set_loading(struct notes *n, bool loading);

/* A format for the first client (takes TEXT over). */
void notes_set_hint(struct notes *n, char *text);

/*
 * The text for the first client, once: the first error and how many follow
 * (*hint false), else the hint, a format (*hint true).  mem_free; NULL: none.
 */
char *notes_take(struct notes *n, bool *hint);

#endif
