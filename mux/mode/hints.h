/*
 * mux/mode/hints.h - hints: letters over the URLs, paths, hashes ... of a pane.
 *
 * Purpose:   labels what people copy from a screen; typing a label copies it,
 *            pastes it into the pane (in capitals) or opens it (with Alt).
 * Ownership: the mode belongs to its pane; it keeps the rows as they were when
 *            it began.
 * Errors:    see mode_hints_open.
 * Source:    the options hints-*; hints.def has the kinds.
 * Tests:     regress/unit/check_hints.c, regress/e2e/hints.sh
 *
 * security: text of a screen comes from anywhere.  It leaves the mode only as
 * one quoted word: see hints_run.c.
 */
#ifndef MUX_MODE_HINTS_H
#define MUX_MODE_HINTS_H

#include "mux/mode/list.h"

struct mode_hints_start {
	const struct mode_host *host;
	struct client *client; /* or NULL */
	const char *kinds;     /* -k, or NULL: all */
};

/*
 * Puts hints over P, or over its copy mode; 0 if it has hints.
 * Returns: -ERR_STATE over another mode, -ERR_LIMIT for too many modes,
 *          -ERR_NOTFOUND for an unknown kind or if there is nothing to label;
 *          CAUSE has the message.  0 with a message for a bad pattern of
 *          hints-patterns, which is left out.
 */
int mode_hints_open(
    struct pane *p, const struct mode_hints_start *start, struct cause *cause);

#endif
