/*
 * server/load.h - reading configuration files.
 *
 * Purpose:   at start: the user's files; later: source-file.
 * Ownership: nothing is kept but the errors to show to the first client.
 * Units:     none.
 * Errors:    "file:line: what"; the server stays up.
 * Source:    tmux(1).
 * Tests:     regress/e2e
 */
#ifndef SERVER_LOAD_H
#define SERVER_LOAD_H

#include "server/server.h"

/* Loads -f files, or the user's; then server_config_loaded is called. */
void config_load(struct server *sv);

/*
 * Parses a file and puts its commands behind ITEM (source-file).
 * In:      quiet  a file that is not there is no error
 *          check  only parse
 * Returns: 0, or -ERR_* with all errors as lines in ERRORS.
 */
int config_source(struct server *sv, struct cmdq_item *item, const char *path,
    bool quiet, bool check, struct buf *errors);

/* The same for text that was read elsewhere (standard input). */
int config_source_text(struct server *sv, struct cmdq_item *item,
    const char *name, const char *text, size_t len, bool check,
    struct buf *errors);

#endif
