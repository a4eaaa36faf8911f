/*
 * mux/alert.h - bells, activity and silence.
 *
 * Purpose:   turns output and bells of panes into flags of winlinks and ALERT_
 *            events, as the options ask for.
 * Ownership: struct window has the alerts just seen, struct winlink the alerts
 *            reported but not looked at yet.
 * Units:     mono_ms.
 * Source:    tmux(1): monitor-bell, -activity, -silence and *-action.
 * Tests:     regress/unit/check_client.c
 *
 * The server decides whether an ALERT_ event makes a sound or a message
 * (visual-bell ...).
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

/* Records output of a pane's program. */
void alert_output(struct pane *p);

/* Records a bell of a pane's program. */
void alert_bell(struct pane *p);

/* Records that a person looks at the window: silence counts from now. */
void alert_visited(struct window *w);

/* Clears the flags of a winlink and of all others to the same window. */
void alert_seen(struct winlink *wl);

/* Clears the alerts of every window of a session: kill-session -C. */
void alert_clear_session(struct session *s);

/*
 * Turns recorded alerts into flags and events, and finds windows that were
 * silent for their monitor-silence. The server calls it after each batch and at
 * the time it returns.
 * Returns: the latest time of the next call, or MONO_NEVER.
 */
mono_ms alert_run(struct mux *m);

#endif
