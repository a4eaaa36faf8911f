/*
 * server/cmd/resolve.h - the caller, its client and the targets of a command.
 *
 * Purpose:   fills a context before the body runs.
 * Ownership: borrowed pointers into the model.
 * Units:     none.
 * Errors:    tmux's messages in the cause.
 * Source:    tmux(1), COMMANDS (targets).
 * Tests:     regress/e2e
 */
#ifndef SERVER_CMD_RESOLVE_H
#define SERVER_CMD_RESOLVE_H

#include "server/cmd/cmd.h"

int resolve_context(struct cmd_context *c, struct cause *why);

/* The client that TEXT names (NULL: the caller's, else the best one). */
struct client *resolve_client(struct cmd_context *c, const char *text);

/* Finds a target of another kind than the row says. */
int resolve_target(struct cmd_context *c, unsigned what, const char *text,
    struct cmd_target *out, struct cause *why);

/* A target for a session: its current window and pane. */
struct cmd_target resolve_session(struct session *s);
struct cmd_target resolve_winlink(struct winlink *wl);
struct cmd_target resolve_pane(struct winlink *wl, struct pane *p);

#endif
