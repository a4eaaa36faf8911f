/*
 * mux/auto_name.h - names that windows get from what runs in them.
 *
 * Purpose:   finds windows whose name may have changed and asks for it, not
 *            more often than is useful.
 * Ownership: nothing is kept but a time in each window.
 * Units:     mono_ms.
 * Errors:    none.
 * Source:    tmux(1), automatic-rename.
 * Tests:     regress/unit/check_window.c
 */
#ifndef MUX_AUTO_NAME_H
#define MUX_AUTO_NAME_H

#include "mux/mux.h"

#define AUTO_NAME_INTERVAL 500 /* ms between two names of one window */

/*
 * Makes the name of a window: automatic-rename-format, expanded for its active
 * pane.  Returns a new string (mem_free), or NULL to leave the name alone.
 */
typedef char *(*auto_name_fn)(void *arg, struct window *w);

/*
 * Names what has to be named.  The server calls it after each batch and at the
 * time it returns.
 * Returns: when it must be called again at the latest, or MONO_NEVER.
 */
mono_ms auto_name_run(struct mux *m, auto_name_fn make, void *arg);

#endif
