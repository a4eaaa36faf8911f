/*
 * mux/alert.h - bells, activity and silence.
 *
 * Purpose:   from what panes do and which options watch for it to the flags of
 *            winlinks and to ALERT_ events.
 * Ownership: flags live in struct window (seen now) and struct winlink (told,
 *            not yet looked at).
 * Units:     mono_ms.
 * Errors:    none.
 * Source:    tmux(1): monitor-bell, -activity, -silence and *-action.
 * Tests:     regress/unit/check_client.c
 *
 * Whether an ALERT_ event makes a sound or a message (visual-bell ...) is the
 * server's to decide from alert_wanted.
 */
#ifndef MUX_ALERT_H
#define MUX_ALERT_H

#include "mux/mux.h"

enum alert_kind {
	ALERT_BELL = 1 << 0,
	ALERT_ACTIVITY = 1 << 1,
	ALERT_SILENCE = 1 << 2,
};
#define ALERT_ALL (ALERT_BELL | ALERT_ACTIVITY | ALERT_SILENCE)

/* Output came from a pane's program. */
void alert_output(struct pane *p);

/* A pane's program rang. */
void alert_bell(struct pane *p);

/* Somebody looks at the window: silence counts from now. */
void alert_visited(struct window *w);

/* Clears the flags of a winlink and of all others to the same window. */
void alert_seen(struct winlink *wl);

/* Clears one kind (or all) in every window of a session: kill-session -C. */
void alert_clear_session(struct session *s);

/*
 * Turns what has been seen into flags and events, and finds windows that were
 * silent for their monitor-silence.  The server calls it after each batch and
 * at the time it returns.
 * Returns: when it must be called again at the latest, or MONO_NEVER.
 */
mono_ms alert_run(struct mux *m);

#endif
