/*
 * server/cmd/resolve.h - the caller, its client and the targets of a command.
 *
 * Purpose:   fills a context before the body runs.
 * Ownership: pointers into the model are borrowed.
 * Errors:    tmux's messages in the cause.
 * Source:    tmux(1), COMMANDS (targets).
 * Tests:     regress/e2e/commands.sh
 */
#ifndef SERVER_CMD_RESOLVE_H
#define SERVER_CMD_RESOLVE_H

#include "server/cmd/cmd.h"

int resolve_context(struct cmd_context *c, struct cause *why);

/* Returns the client that TEXT names (NULL: the caller's, else the best). */
struct client *resolve_client(struct cmd_context *c, const char *text);

/* Finds a target of another kind than the row's. */
int resolve_target(struct cmd_context *c, unsigned what, const char *text,
    struct cmd_target *out, struct cause *why);

/* Makes a target of a session: its current window and pane. */
struct cmd_target resolve_session(struct session *s);
struct cmd_target resolve_winlink(struct winlink *wl);
struct cmd_target resolve_pane(struct winlink *wl, struct pane *p);

#endif
