/*
 * regress/unit/mux_util.h - a model for the tests of mux/.
 *
 * Purpose:   makes a mux with its pool and widths, sessions and splits by one
 *            call each, and collects events as text.
 * Ownership: mux_util_free frees all.
 * Errors:    asserts.
 */
#ifndef REGRESS_MUX_UTIL_H
#define REGRESS_MUX_UTIL_H

#include "mux/client.h"
#include "mux/mux.h"
#include "mux/pane.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/window.h"

struct mux *mux_util_new(void);
void mux_util_free(struct mux *m);

/* Makes a session with one linked window of 80x24. */
struct session *mux_util_session(struct mux *m, const char *name);

/* Adds a window. */
struct winlink *mux_util_window(struct session *s, int index, const char *name);

/* Splits P; KIND as layout.h; the new pane is active. */
struct pane *mux_util_split(struct pane *p, enum layout_kind kind);

/* Gives P a terminal with a history of ROWS rows. */
void mux_util_history(struct pane *p, size_t rows);

/* Makes a client of S, W by H. */
struct client *mux_util_client(
    struct session *s, const char *name, int w, int h);

/*
 * Drains the events: "SESSION_CREATED $0|..." (mem_free). NAME selects those
 * whose name begins with it.
 */
char *mux_util_events(struct mux *m, const char *name);

/* Lists the indexes of a session: "0* 1- 3" with current and last marked. */
char *mux_util_links(const struct session *s);

/* Returns NULL, or the broken invariant of the model. */
const char *mux_util_check(struct mux *m);

#endif
