/*
 * mux/mode/hits.h - search-mode: matches in the text of many panes, as a list.
 *
 * Purpose:   searches screens and histories of the panes of a window, a session
 *            or the server, newest lines first, and lists the matches below
 *            their panes with a picture of each; Enter goes there.
 * Ownership: the mode belongs to its pane.  It keeps ids of panes, rows and the
 *            text of each match, no pointers into the model.
 * Units:     absolute rows.
 * Errors:    see mode_hits_open.  At most HITS_MAX matches, HITS_PANE_MAX of a
 *            pane; the list says so.
 * Tests:     regress/unit/check_hits.c, regress/e2e/search_panes.sh
 *
 * Searches a slice of HITS_SLICE lines each time that the mode's time has come,
 * while a client shows it: other panes and clients go on meanwhile.
 */
#ifndef MUX_MODE_HITS_H
#define MUX_MODE_HITS_H

#include "mux/mode/list.h"

#define HITS_MAX 2000
#define HITS_PANE_MAX 500
#define HITS_SLICE 4096 /* lines */

enum mode_hits_scope {
	MODE_HITS_WINDOW,
	MODE_HITS_SESSION,
	MODE_HITS_SERVER
};

struct mode_hits_start {
	struct mode_list_start list;
	const char *pattern;
	bool regex;
	bool nocase; /* else only a pattern without capitals ignores case */
	enum mode_hits_scope scope;
};

/*
 * Puts a search over P, a pane of link WL.  -ERR_SYNTAX, -ERR_UNSUPPORTED or
 * -ERR_LIMIT for a pattern, with the reason in CAUSE; -ERR_EXISTS and
 * -ERR_LIMIT as mode_list_open.
 */
int mode_hits_open(struct pane *p, struct winlink *wl,
    const struct mode_hits_start *start, struct cause *cause);

/* Whether M is a list of hits whose search has ended. */
bool mode_hits_done(const struct mode *m);

#endif
