/*
 * regress/ref/model.h - windows and panes for comparisons with tmux.
 *
 * Purpose:   does to the model what new-window and split-window do, in short.
 * Ownership: the model's.
 * Units:     cells.
 * Errors:    none; the programs that use it are tests.
 */
#ifndef REGRESS_REF_MODEL_H
#define REGRESS_REF_MODEL_H

#include "mux/session.h"
#include "mux/window.h"

/* A window of 80x24 in S at INDEX. */
static inline struct winlink *
model_window(struct mux *m, struct session *s, int index, const char *name,
    const struct pane_start *start)
{
	struct window *w = window_new(m, 80, 24, start);
	struct winlink *wl = NULL;

	window_set_name(w, name);
	(void)session_link(s, w, index, &wl, NULL);
	return wl;
}

/* Splits pane number AT in halves. */
static inline void
model_split(struct mux *m, uint32_t at, enum layout_kind kind,
    const struct pane_start *start)
{
	struct layout_split how = { .kind = kind, .size = -1 };
	struct pane *p = mux_pane(m, at), *fresh;

	(void)window_split(p->window, p, &how, start, &fresh, NULL);
}

#endif
