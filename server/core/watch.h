/*
 * server/core/watch.h - loads a configuration again when its files change.
 *
 * Purpose:   the option config-watch: watches the files that were read at
 *            start and those that they source. When they have rested, it checks
 *            the whole configuration; without errors it reads the changed files
 *            again, and tells the clients what that has changed.
 * Ownership: the server owns it.
 * Units:     milliseconds.
 * Errors:    shown to the clients, or to the next one.
 * Tests:     regress/e2e/config_watch.sh
 */
#ifndef SERVER_CORE_WATCH_H
#define SERVER_CORE_WATCH_H

#include <stdbool.h>

struct server;
struct watch;

struct watch *watch_new(struct server *sv);
void watch_free(struct watch *w); /* NULL is fine */

/* Begins or ends as config-watch says; call it when the files were read. */
void watch_apply(struct watch *w);

/*
 * security: while files are read again, returns true for a file that users other
 * than the server's own and root may write, and tells the clients.
 */
bool watch_refuses(struct watch *w, const char *path);

#endif
