/*
 * server/cmd/copy.h - what commands of a mode ask of the server.
 *
 * Purpose:   makes paste buffers, fills clipboards and runs programs with text
 *            from a mode.
 * Ownership: takes effects over; the server owns copies on their way.
 * Tests:     regress/e2e/copy.sh
 */
#ifndef SERVER_CMD_COPY_H
#define SERVER_CMD_COPY_H

#include "mux/mode/mode.h"
#include "server/run/run.h"

struct cmd_context;

/*
 * Does what EFFECTS ask and empties them; reports errors to the command.
 * CMD_WAIT: a long text is collected in slices first.
 */
enum cmd_result cmd_mode_effects(
    struct cmd_context *c, struct mode_effects *effects);

/* The mouse event of the command and the one before it, in cells of P. */
void cmd_mouse_in_pane(struct cmd_context *c, const struct pane *p,
    struct mouse_event *from, struct mouse_event *to);

#endif
