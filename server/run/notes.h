/*
 * server/run/notes.h - errors and hints of the configuration for the first client.
 *
 * Purpose:   the files loaded at start, their errors, the hint for a user
 *            without a configuration, and whether files are still loading.
 * Ownership: struct notes owns its texts; struct run points to it.
 * Tests:     regress/unit/check_run.c
 */
#ifndef SERVER_RUN_NOTES_H
#define SERVER_RUN_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define NOTES_FILES_MAX 256   /* of notes_read */
#define NOTES_ERRORS_MAX 1000 /* kept; show-messages has all of them */

struct notes;
struct run;

struct notes *notes_new(void);
void notes_free(struct notes *n);

/* Adds an error of the configuration, "file:line: text", or lines of them. */
void notes_error(struct run *run, const char *text);
void notes_errors(struct run *run, const char *lines);

/* Adds a file that is read at start, whether it can be read or not. */
void notes_file(struct notes *n, const char *path);

/* Tells whether there are errors that no client has seen. */
bool notes_failed(const struct notes *n);

/* The paths of these files, separated by commas. */
void notes_files(const struct notes *n, struct buf *out);

/*
 * Notes that PATH, below the directory of the process if it is relative, has
 * been read because PARENT sources it (NULL: it was named at start).
 */
void notes_read(struct notes *n, const char *path, const char *parent);

/* Forgets the files that PATH has sourced, and what those have. */
void notes_forget(struct notes *n, const char *path);

/* The absolute path of read file I, or NULL; *top: it was named at start. */
const char *notes_read_at(const struct notes *n, size_t i, bool *top);

/* Files are being loaded; commands of clients wait meanwhile. */
bool notes_loading(const struct notes *n);
void notes_set_loading(struct notes *n, bool loading);

/* Sets the hint for the first client, a format; takes TEXT over. */
void notes_set_hint(struct notes *n, char *text);

/*
 * Returns the text for the first client, once (mem_free; NULL: none): a line for
 * each error (*hint false), else the hint (*hint true).
 */
char *notes_take(struct notes *n, bool *hint);

#endif
