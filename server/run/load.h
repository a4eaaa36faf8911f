/*
 * server/run/load.h - reading configuration files.
 *
 * Purpose:   at start: the user's files; later: source-file.
 * Ownership: nothing is kept but the errors to show to the first client.
 * Units:     none.
 * Errors:    "file:line: what"; the server stays up.
 * Source:    tmux(1).
 * Tests:     regress/e2e
 */
#ifndef SERVER_RUN_LOAD_H
#define SERVER_RUN_LOAD_H

#include "server/server.h"

/* Loads -f files, or the user's; then server_config_loaded is called. */
void config_load(struct server *sv);

/* Reads a configuration file (mem_free): 0, or -ERR_* with a cause. */
int config_read(
    const char *path, char **text, size_t *len, struct cause *cause);

#endif
