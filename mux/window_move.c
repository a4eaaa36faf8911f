/* Moves panes to other places and windows. */
#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_size.h"
#include "mux/session.h"
#include "mux/window.h"

/* Makes P a pane of W. */
static void
own_pane(struct window *w, struct pane *p)
{
	p->window = w;
	p->options.parent = &w->options;
	pane_outer_changed(p);
	pane_options_changed(p);
}

/* The same; tells of it. */
static void
enter_window(struct window *w, struct pane *p)
{
	own_pane(w, p);
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

/* Makes P, which has come from another window, active in W. */
static void
tell_active(struct window *w, struct pane *p)
{
	w->active = p;
	pane_options_changed(p);
	client_update_focus(w->mux);
	mux_say(w->mux, MUX_EVENT_WINDOW_PANE, NULL, w, p, NULL);
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
			wb->active = NULL;
		enter_window(wb, a);
		enter_window(wa, b);
		if (was_a)
			tell_active(wa, b);
		else if (!keep)
			(void)window_set_active(wa, b);
		if (was_b)
			tell_active(wb, a);
		else if (!keep)
			(void)window_set_active(wb, a);
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
	/* Hooks hear of the pane first that goes round the end. */
	for (i = 0; i < count; i++)
		window_place_pane(mux_pane(w->mux,
		    ids[up ? (count - i) % count : (i + count - 1) % count]));
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

/* Takes P out of its window, which may be without panes then. */
static void
take_pane(struct pane *p)
{
	struct window *w = p->window;

	(void)layout_close(&w->layout, p->id);
	if (w->panes.count > 1)
		window_layout_changed(w);
	else
		window_say_layout(w);
	mux_step(w->mux);
	window_unlist_pane(w, p);
}

/* Places the panes of W but P. */
static void
place_others(struct window *w, const struct pane *p)
{
	struct list_node *n;
	struct pane *q;

	WINDOW_FOREACH_PANE(q, n, w)
	{
		if (q != p)
			window_place_pane(q);
	}
}

/* Moves P within its window, to the place of the leaf that has no pane. */
static void
move_within(struct pane *p)
{
	struct window *w = p->window;

	/* The old place goes only after the new one exists. */
	(void)layout_close(&w->layout, p->id);
	place_others(w, p);
	window_say_layout(w);
	mux_step(w->mux);
	layout_find(&w->layout, LAYOUT_NO_PANE)->pane = p->id;
	list_remove(&w->panes, &p->node);
	list_remove(&w->stack, &p->z_node);
}

int
window_join(struct pane *p, struct pane *target, const struct layout_split *how,
    struct winlink *select, struct cause *cause)
{
	struct window *w = target->window, *from = p->window;
	struct layout_split beside = *how;

	if (p == target)
		return cause_set(cause, -ERR_STATE,
		    "source and target panes must be different");
	(void)window_unzoom(w);
	if (!layout_can_split(&w->layout, target->id, how))
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	(void)window_unzoom(from);
	(void)layout_split(
	    &w->layout, target->id, from == w ? LAYOUT_NO_PANE : p->id, how);
	if (from == w)
		move_within(p);
	else
		take_pane(p);
	/* Like tmux, also for a place at the edge of the window. */
	beside.full = false;
	p->floating = false;
	own_pane(w, p);
	window_list_pane(w, target, p, &beside);
	list_remove(&w->stack, &p->z_node);
	if (beside.before)
		list_insert_before(&w->stack, &target->z_node, &p->z_node);
	else
		list_insert_after(&w->stack, &target->z_node, &p->z_node);
	mux_step(w->mux);
	place_others(w, NULL);
	if (select != NULL) {
		(void)window_set_active(w, p);
		mux_step(w->mux);
		(void)session_select(select);
	}
	mux_step(w->mux);
	mux_say(w->mux, MUX_EVENT_PANE_MOVED, NULL, w, p, NULL);
	mux_step(w->mux);
	if (from->panes.count == 0)
		window_kill(from);
	else
		window_say_layout(from);
	mux_step(w->mux);
	window_layout_changed(w);
	/* It may have been larger than its size because of too many panes. */
	client_fit_window(w);
	client_update_focus(w->mux);
	return 0;
}

struct window *
window_break(struct pane *p)
{
	struct window *from = p->window, *w;

	if (from->panes.count < 2)
		return NULL;
	(void)window_unzoom(from);
	w = window_new(from->mux, from->w, from->h, NULL);
	(void)layout_close(&from->layout, p->id);
	window_unlist_pane(from, p);
	window_layout_changed(from);
	layout_init(&w->layout, p->id, w->w, w->h);
	list_push_back(&w->panes, &p->node);
	list_push_back(&w->stack, &p->z_node);
	w->active = p;
	enter_window(w, p);
	window_options_changed(w);
	return w;
}
