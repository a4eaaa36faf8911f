/*
 * base/io/filewatch.h - reports changes in folders.
 *
 * Purpose:   a descriptor for the event loop that becomes readable when a file
 *            of a folder is written, made, renamed or removed.
 * Ownership: the caller closes the descriptor.
 * Errors:    -ERR_UNSUPPORTED where the system has no such descriptor, -ERR_SYS
 *            with errno set.
 * Source:    inotify(7).
 * Tests:     regress/e2e/config_watch.sh
 */
#ifndef BASE_IO_FILEWATCH_H
#define BASE_IO_FILEWATCH_H

#include "base/err.h"

/* Returns a non-blocking, close-on-exec descriptor, or an error. */
int filewatch_open(void);

/* Watches the folder DIR, too. */
int filewatch_add(int fd, const char *dir);

/* Reads and drops what has been reported. */
void filewatch_drain(int fd);

#endif
