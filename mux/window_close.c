/* Closes panes and windows, with their links. */
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/window.h"

static struct pane *
pane_at(const struct list_node *n)
{
	return list_entry((struct list_node *)(uintptr_t)n, struct pane, node);
}

void
window_unlist_pane(struct window *w, struct pane *p)
{
	struct pane *next = NULL;

	if (list_linked(&p->last_node))
		list_remove(&w->last_panes, &p->last_node);
	if (w->modal == p)
		w->modal = NULL;
	list_remove(&w->stack, &p->z_node);
	if (w->active == p) {
		next = window_last_pane(w);
		if (next == NULL)
			next = pane_at(list_prev(&w->panes, &p->node));
		if (next == NULL)
			next = pane_at(list_next(&w->panes, &p->node));
		if (next != NULL && list_linked(&next->last_node))
			list_remove(&w->last_panes, &next->last_node);
		w->active = next;
		if (next != NULL) {
			pane_options_changed(next);
			next->used = ++w->mux->ticks;
			mux_say(
			    w->mux, MUX_EVENT_WINDOW_PANE, NULL, w, next, NULL);
			client_gain_focus(w->mux);
		}
	}
	list_remove(&w->panes, &p->node);
}

static void
drop_pane(struct window *w, struct pane *p)
{
	struct mux *m = w->mux;

	/* As in tmux, no event tells that the mark goes with its pane. */
	if (m->mark.pane == p->id)
		m->mark = (struct mux_mark){ MUX_NONE, MUX_NONE, MUX_NONE, -1 };
	if (!p->told)
		mux_say(m, MUX_EVENT_PANE_CLOSED, NULL, w, p,
		    p->ended ? w->name : NULL);
	pane_free(p);
}

void
window_free(struct window *w)
{
	struct mux *m = w->mux;
	struct pane *p;

	bug_assert(list_empty(&w->links));
	w->active = NULL;
	/* The end of a mode must not place panes any more. */
	w->zoomed = false;
	w->zoom = NULL;
	while ((p = window_first_pane(w)) != NULL) {
		if (list_linked(&p->last_node))
			list_remove(&w->last_panes, &p->last_node);
		list_remove(&w->stack, &p->z_node);
		list_remove(&w->panes, &p->node);
		drop_pane(w, p);
	}
	mux_say(m, MUX_EVENT_WINDOW_CLOSED, NULL, w, NULL, w->name);
	(void)map_remove_id(&m->windows, w->id);
	layout_fini(&w->layout);
	options_fini(&w->options);
	outer_fini(&w->outer);
	mem_free(w->old_layout);
	mem_free(w->name);
	mem_free(w);
}

void
window_remove_pane(struct pane *p)
{
	struct window *w = p->window;

	bug_assert(w->panes.count > 1);
	if (!w->zoomed || !pane_floats(p))
		(void)window_unzoom(w);
	(void)layout_close(&w->layout, p->id);
	window_layout_changed(w);
	mux_step(w->mux);
	p->flags &= ~(unsigned)PANE_FOCUSED; /* no hook hears of that */
	window_unlist_pane(w, p);
	drop_pane(w, p);
	if (w->zoomed && !pane_visible(w->active))
		(void)window_unzoom(w);
}
