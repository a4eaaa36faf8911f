/* Moves panes to other places and windows. */
#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_size.h"
#include "mux/session.h"
#include "mux/window.h"

/* Makes P a pane of W. */
static void
enter_window(struct window *w, struct pane *p)
{
	p->window = w;
	p->options.parent = &w->options;
	pane_outer_changed(p);
	pane_options_changed(p);
	mux_say(w->mux, MUX_EVENT_PANE_MOVED, NULL, w, p, NULL);
}

/* Exchanges A and B in the orders of their windows. */
static void
swap_order(struct pane *a, struct pane *b)
{
	struct list *la = &a->window->panes, *lb = &b->window->panes;
	struct list_node mark = { NULL, NULL };

	list_insert_before(la, &a->node, &mark);
	list_remove(la, &a->node);
	list_insert_before(lb, &b->node, &a->node);
	list_remove(lb, &b->node);
	list_insert_before(la, &mark, &b->node);
	list_remove(la, &mark);
}

/* Exchanges A and B in the stacks of their windows. */
static void
swap_depth(struct pane *a, struct pane *b)
{
	struct list *la = &a->window->stack, *lb = &b->window->stack;
	struct list_node mark = { NULL, NULL };

	list_insert_before(la, &a->z_node, &mark);
	list_remove(la, &a->z_node);
	list_insert_before(lb, &b->z_node, &a->z_node);
	list_remove(lb, &b->z_node);
	list_insert_before(la, &mark, &b->z_node);
	list_remove(la, &mark);
}

/* Exchanges A and B in the stacks of panes once active. */
static void
swap_stack(struct pane *a, struct pane *b)
{
	if (list_linked(&a->last_node))
		list_remove(&a->window->last_panes, &a->last_node);
	if (list_linked(&b->last_node))
		list_remove(&b->window->last_panes, &b->last_node);
}

int
window_swap_panes(struct pane *a, struct pane *b, bool keep)
{
	struct window *wa = a->window, *wb = b->window;
	bool was_a = wa->active == a, was_b = wb->active == b;
	bool was_floating;

	if (a == b)
		return 0;
	(void)window_unzoom(wa);
	(void)window_unzoom(wb);
	(void)layout_swap(&wa->layout, a->id, &wb->layout, b->id);
	swap_order(a, b);
	swap_depth(a, b);
	was_floating = a->floating;
	a->floating = b->floating;
	b->floating = was_floating;
	if (wa != wb) {
		swap_stack(a, b);
		if (was_a)
			wa->active = b;
		if (was_b)
			wb->active = a;
		enter_window(wb, a);
		enter_window(wa, b);
		if (was_a)
			mux_say(
			    wa->mux, MUX_EVENT_WINDOW_PANE, NULL, wa, b, NULL);
		if (was_b)
			mux_say(
			    wb->mux, MUX_EVENT_WINDOW_PANE, NULL, wb, a, NULL);
		if (!keep) {
			(void)window_set_active(wa, b);
			(void)window_set_active(wb, a);
		}
		window_layout_changed(wb);
	} else {
		/* Hooks hear of A first. */
		window_place_pane(a);
		window_place_pane(b);
		if (!keep)
			(void)window_set_active(wa, b);
	}
	window_layout_changed(wa);
	return 0;
}

void
window_rotate(struct window *w, bool up)
{
	uint32_t *ids;
	struct list_node *n;
	struct pane *p;
	size_t i = 0, count;

	if (w->panes.count < 2)
		return;
	(void)window_unzoom(w);
	ids = mem_calloc(w->panes.count, sizeof(*ids));
	WINDOW_FOREACH_PANE(p, n, w)
	{
		ids[i++] = p->id;
	}
	layout_rotate(&w->layout, ids, i, up);
	count = i;
	/* Hooks hear of the panes in the order in which they turn. */
	for (i = 0; i < count; i++)
		window_place_pane(
		    mux_pane(w->mux, ids[up ? i : count - 1 - i]));
	mem_free(ids);
	window_turned(w);
	if (up) {
		n = list_first(&w->panes);
		list_remove(&w->panes, n);
		list_push_back(&w->panes, n);
		(void)window_set_active(w, window_next_pane(w, w->active, 1));
	} else {
		n = list_last(&w->panes);
		list_remove(&w->panes, n);
		list_push_front(&w->panes, n);
		(void)window_set_active(w, window_prev_pane(w, w->active, 1));
	}
}

/* Takes P out of its window; kills the window if P was its last pane. */
static void
take_pane(struct pane *p)
{
	struct window *w = p->window;

	(void)window_unzoom(w);
	(void)layout_close(&w->layout, p->id);
	window_unlist_pane(w, p);
	if (w->panes.count == 0)
		window_kill(w);
	else
		window_layout_changed(w);
}

int
window_join(struct pane *p, struct pane *target, const struct layout_split *how,
    struct cause *cause)
{
	struct window *w = target->window;
	struct layout_split beside = *how;

	if (p == target)
		return cause_set(cause, -ERR_STATE,
		    "source and target panes must be different");
	(void)window_unzoom(w);
	if (!layout_can_split(&w->layout, target->id, how))
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	if (p->window == w) {
		/* Remove the old place only after the new one exists. */
		(void)layout_split(&w->layout, target->id, LAYOUT_NO_PANE, how);
		(void)layout_close(&w->layout, p->id);
		layout_find(&w->layout, LAYOUT_NO_PANE)->pane = p->id;
		list_remove(&w->panes, &p->node);
		list_remove(&w->stack, &p->z_node);
	} else {
		(void)layout_split(&w->layout, target->id, p->id, how);
		take_pane(p);
		enter_window(w, p);
	}
	/* Like tmux, also for a place at the edge of the window. */
	beside.full = false;
	window_list_pane(w, target, p, &beside);
	window_layout_changed(w);
	client_fit_window(
	    w); /* it may have been larger than its size because of too many panes */
	return 0;
}

struct window *
window_break(struct pane *p)
{
	struct window *from = p->window, *w;

	if (from->panes.count < 2)
		return NULL;
	w = window_new(from->mux, from->w, from->h, NULL);
	take_pane(p);
	layout_init(&w->layout, p->id, w->w, w->h);
	list_push_back(&w->panes, &p->node);
	list_push_back(&w->stack, &p->z_node);
	w->active = p;
	enter_window(w, p);
	window_options_changed(w);
	return w;
}
