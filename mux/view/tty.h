/*
 * mux/view/tty.h - modes and settings of a client's own terminal.
 *
 * Purpose:   derives modes, title and settings of the user's terminal from
 *            options and the focused pane.
 * Ownership: strings of a struct sync_tty are replaced.
 * Errors:    entries of options that do not parse are skipped.
 * Source:    tmux(1): mouse, set-titles, extended-keys, focus-events,
 *            terminal-features, terminal-overrides, user-keys, escape-time.
 * Tests:     regress/unit/check_view_tty.c, regress/e2e/options_client.sh
 */
#ifndef MUX_VIEW_TTY_H
#define MUX_VIEW_TTY_H

#include "mux/view/build.h"

/* Level 2 of xterm's modifyOtherKeys: all modified keys. */
#define VIEW_MODIFY_OTHER_ALL 2

/* Sets modes and title of OUT; its settings when server options changed. */
void view_tty_set(
    struct view_builder *b, struct sync_tty *out, const struct window *w);

#endif
