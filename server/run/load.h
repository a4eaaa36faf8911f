/*
 * server/run/load.h - loads the configuration files at start.
 *
 * Purpose:   sets options from the environment (shell, editor), then queues the
 *            commands of the files of -f, or of the user's own.
 * Errors:    notes_error; files that can be read are loaded all the same.
 * Source:    tmux(1): a file with a syntax error runs nothing.
 * Tests:     regress/unit/check_run.c, regress/e2e/config.sh,
 *            regress/e2e/first_run.sh
 */
#ifndef SERVER_RUN_LOAD_H
#define SERVER_RUN_LOAD_H

#include <stddef.h>

#include "base/err.h"

struct run;

typedef void (*load_done_fn)(void *arg);

/*
 * Loads FILES (NULL-terminated; NULL or none: the user's files) and calls
 * DONE when all of their commands have ended.
 */
void load_start(
    struct run *run, const char *const *files, load_done_fn done, void *arg);

/*
 * Queues the commands of one file of the configuration again; as load_start
 * otherwise.
 */
void load_again(
    struct run *run, const char *path, load_done_fn done, void *arg);

/* Reads a configuration file (mem_free): 0, or -ERR_* with a cause. */
int load_read(const char *path, char **text, size_t *len, struct cause *cause);

#endif
