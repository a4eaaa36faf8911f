/* Floating panes of a window: places, order of the stack, splits. */
#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_float.h"
#include "mux/layout_size.h"
#include "mux/window.h"

#define CASCADE_X 4 /* step from one float to the next */
#define CASCADE_Y 2

/* Runs the body with `struct pane *p` for each pane, the front first. */
/* clang-format off */
#define FOREACH_IN_STACK(p, n, w) \
	LIST_FOREACH(n, &(w)->stack) \
		if (((p) = container_of(n, struct pane, z_node)) != NULL)
/* clang-format on */

/* --- the stack --------------------------------------------------------------- */

int
window_pane_z(const struct pane *p)
{
	struct list_node *n;
	const struct pane *o;
	int z = 0;

	FOREACH_IN_STACK(o, n, p->window)
	{
		if (o == p)
			break;
		z += pane_floats(o);
	}
	return pane_floats(p) ? z : z + 1;
}

int
window_float_depth(const struct pane *p, int *count)
{
	struct list_node *n;
	const struct pane *o;
	int z = 0;

	*count = 0;
	FOREACH_IN_STACK(o, n, p->window)
	{
		if (o == p)
			z = *count;
		*count += o->floating;
	}
	return z;
}

static void
restack(struct pane *p, int z)
{
	struct window *w = p->window;
	struct list_node *n, *last = NULL, *before = NULL;
	const struct pane *o;

	if (w->modal != NULL && w->modal->floating)
		z = p == w->modal ? 0 : MAX_OF(z, 1);
	list_remove(&w->stack, &p->z_node);
	FOREACH_IN_STACK(o, n, w)
	{
		if (z == 0 && last == NULL)
			break;
		if (!o->floating)
			continue;
		if (z-- == 0) {
			before = n;
			break;
		}
		last = n;
	}
	if (before != NULL)
		list_insert_before(&w->stack, before, &p->z_node);
	else if (last != NULL)
		list_insert_after(&w->stack, last, &p->z_node);
	else
		list_push_front(&w->stack, &p->z_node);
}

void
window_restack(struct pane *p, int z)
{
	restack(p, z);
	window_say_layout(p->window);
}

struct pane *
window_float_at(const struct window *w, int x, int y)
{
	struct list_node *n;
	struct pane *p;
	int b;

	FOREACH_IN_STACK(p, n, w)
	{
		if (!pane_floats(p))
			continue;
		b = pane_border(p);
		/* A scrollbar is within the borders. */
		if (x >= p->float_at.x - b &&
		    x < p->float_at.x + p->float_at.w + b && y >= p->y - b &&
		    y < p->y + p->h + b)
			return p;
	}
	return NULL;
}

/* --- places ------------------------------------------------------------------ */

/* Returns the next position of a cascade. */
static int
cascade(int *last, int step, int size, int border, int whole)
{
	int at = *last == 0 ? step : *last + step;

	if (*last != 0 && at + size + border > whole)
		at = step;
	*last = at;
	return at;
}

/* Tells whether the window shows floats. */
static bool
shows_floats(const struct window *w)
{
	struct list_node *n;
	const struct pane *p;

	FOREACH_IN_STACK(p, n, w)
	{
		if (pane_floats(p))
			return true;
	}
	return false;
}

int
window_float_rect(struct window *w, const struct window_given *given,
    int border, struct cell_rect *at, struct cause *cause)
{
	if (!shows_floats(w))
		w->cascade_x = w->cascade_y = 0;
	if (!given->w)
		at->w = w->w / 2;
	else
		at->w -= 2 * border;
	if (!given->h)
		at->h = w->h / 4;
	else
		at->h -= 2 * border;
	if (given->x)
		at->x += border;
	else
		at->x = cascade(&w->cascade_x, CASCADE_X, at->w, border, w->w);
	if (given->y)
		at->y += border;
	else
		at->y = cascade(&w->cascade_y, CASCADE_Y, at->h, border, w->h);
	if (at->w < LAYOUT_PANE_MIN || at->w > LAYOUT_SIZE_MAX)
		return cause_set(cause, -ERR_RANGE, "invalid width");
	if (at->h < LAYOUT_PANE_MIN || at->h > LAYOUT_SIZE_MAX)
		return cause_set(cause, -ERR_RANGE, "invalid height");
	return 0;
}

void
window_floats_clamp(struct window *w)
{
	struct list_node *n;
	struct cell_rect r;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!p->floating)
			continue;
		r = p->float_at;
		layout_float_clamp(&r, pane_border(p), w->w, w->h);
		(void)layout_float_place(&w->layout, p->id, &r);
	}
}

int
window_float_place(struct pane *p, const struct cell_rect *r)
{
	struct cell_rect at = *r;
	int far = 2 * LAYOUT_SIZE_MAX, rc;
	bool resized;

	at.x = CLAMP(at.x, -far, far);
	at.y = CLAMP(at.y, -far, far);
	resized = at.w != p->float_at.w || at.h != p->float_at.h;
	rc = layout_float_place(&p->window->layout, p->id, &at);
	if (rc == 0 && resized)
		layout_fix_offsets(&p->window->layout);
	if (rc == 0)
		window_layout_changed(p->window);
	return rc;
}

/* --- making ------------------------------------------------------------------ */

/*
 * Starts the pane of the new leaf, in front of the other floats and in order
 * before NEXT (NULL: at the end).
 */
static struct pane *
start_float(struct window *w, struct pane *next, const struct cell_rect *r,
    const struct pane_start *start)
{
	struct pane *p = pane_new(w, start, r->w, r->h);

	p->x = r->x;
	p->y = r->y;
	p->floating = true;
	p->float_at = *r;
	if (next == NULL)
		list_push_back(&w->panes, &p->node);
	else
		list_insert_before(&w->panes, &next->node, &p->node);
	list_push_front(&w->stack, &p->z_node);
	window_restack(p, 0);
	mux_say(w->mux, MUX_EVENT_PANE_CREATED, NULL, w, p, NULL);
	mux_say(w->mux, MUX_EVENT_PANE_RESIZED, NULL, w, p, NULL);
	return p;
}

int
window_float_new(struct window *w, struct pane *target, struct pane *next,
    const struct cell_rect *r, unsigned flags, bool modal,
    const struct pane_start *start, struct pane **out, struct cause *cause)
{
	struct pane *p;

	bug_assert(!modal || w->modal == NULL);
	if ((flags & PANE_ABOVE_ZOOM) == 0)
		(void)window_unzoom(w);
	if (w->panes.count >= LAYOUT_PANES_MAX ||
	    layout_float_add(&w->layout, target->id, w->mux->next_pane, r) != 0)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	p = start_float(w, next, r, start);
	p->flags |= flags;
	if (modal) {
		w->modal = p;
		window_restack(p, 0);
	}
	window_layout_changed(w);
	*out = p;
	return 0;
}

int
window_float_split(struct window *w, struct pane *target,
    const struct layout_split *how, const struct pane_start *start,
    struct pane **out, struct cause *cause)
{
	const struct layout_float_split split = { how->kind, how->before,
		how->full };
	struct cell_rect old = target->float_at, fresh;
	struct pane *next;

	if (w->panes.count >= LAYOUT_PANES_MAX ||
	    layout_float_split(&split, &old, &fresh, w->w, w->h) != 0)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	(void)window_unzoom(w);
	(void)layout_float_place(&w->layout, target->id, &old);
	if (layout_float_add(
		&w->layout, target->id, w->mux->next_pane, &fresh) != 0)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	next = !how->before ? NULL : how->full ? window_first_pane(w) : target;
	*out = start_float(w, next, &fresh, start);
	window_layout_changed(w);
	return 0;
}

/* --- floating and tiling ------------------------------------------------------- */

int
window_float(struct pane *p, const struct cell_rect *r)
{
	struct window *w = p->window;
	int rc;

	if (w->zoomed)
		return -ERR_STATE;
	if ((rc = layout_float(&w->layout, p->id, r)) != 0)
		return rc;
	p->floating = true;
	restack(p, 0);
	window_layout_changed(w);
	return 0;
}

int
window_tile(struct pane *p, struct cause *cause)
{
	struct window *w = p->window;
	struct list_node *n;
	struct pane *q;

	(void)window_unzoom(w);
	if (layout_tile(&w->layout, p->id) != 0)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	p->floating = false;
	list_remove(&w->stack, &p->z_node);
	list_push_back(&w->stack, &p->z_node);
	/* Hooks hear of the panes in their order. */
	WINDOW_FOREACH_PANE(q, n, w)
	{
		window_place_pane(q);
	}
	window_layout_changed(w);
	client_fit_window(w);
	return 0;
}
