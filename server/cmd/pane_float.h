/*
 * server/cmd/pane_float.h - commands on floating panes.
 *
 * Purpose:   the parts of break-pane, move-pane, resize-pane and new-pane that
 *            place floating panes.
 * Ownership: everything is borrowed for the call.
 * Errors:    as each function says; "reported" means by cmd_error.
 * Source:    tmux(1); messages and limits are those of tmux 3.8.
 * Tests:     regress/e2e/floats.sh, regress/ref/floats.py
 */
#ifndef SERVER_CMD_PANE_FLOAT_H
#define SERVER_CMD_PANE_FLOAT_H

#include "server/cmd/cmd.h"
#include "server/face/mouse.h"

/*
 * Reads -x -y -X -Y of a floating pane with BORDER in W: formats that give
 * cells or percentages. False: reported.
 */
bool cmd_float_place(struct cmd_context *c, const struct window *w, int border,
    struct cell_rect *at, struct window_given *given);

/* break-pane -W: makes the source pane float. */
enum cmd_result cmd_float_pane(struct cmd_context *c);

/* move-pane with a flag for floating panes. */
enum cmd_result cmd_move_float(struct cmd_context *c);

/* resize-pane of a floating target. */
enum cmd_result cmd_resize_float(struct cmd_context *c);

/* Returns the floating pane under the mouse of a mouse key, or NULL. */
struct pane *cmd_mouse_float(struct cmd_context *c);

/*
 * Makes P active and begins to drag it with the mouse; does nothing without a
 * mouse key.
 */
enum cmd_result cmd_drag_float(
    struct cmd_context *c, struct pane *p, enum drag_kind kind);

#endif
