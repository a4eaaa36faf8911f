/*
 * mux/mode/panes.h - panes-mode: the number of each pane, to choose one.
 *
 * Purpose:   shows a window as it is, smaller if it has no room, with the number
 *            of each pane over it, until a key, a click or a time.
 * Ownership: mode_panes_open makes the mode.
 * Units:     milliseconds.
 * Errors:    as mode_push.
 * Source:    tmux(1), display-panes.
 * Tests:     regress/unit/check_view_overlay.c, regress/e2e/client.sh
 */
#ifndef MUX_MODE_PANES_H
#define MUX_MODE_PANES_H

#include "mux/mode/list.h"

struct window;

struct mode_panes_start {
	const struct mode_host *host;
	const struct window *window; /* the one shown */
	const char *template;        /* gets the id of the chosen pane */
	mono_ms ms;                  /* 0: no end */
	bool
	    keys; /* keys and clicks choose or close; else q and Escape close */
	bool zoom;
	bool kills; /* the mode's pane is killed at the end */
};

int mode_panes_open(
    struct pane *p, const struct mode_panes_start *start) WARN_UNUSED;

#endif
