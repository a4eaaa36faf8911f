#include "mux/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/style.h"
#include "mux/client.h"
#include "mux/layout_size.h"

static struct pane *
pane_of(const struct list_node *n)
{
	return list_entry((struct list_node *)(uintptr_t)n, struct pane, node);
}

struct window *
window_new(struct mux *m, int cols, int rows, const struct pane_start *start)
{
	struct window *w = mem_zalloc(sizeof(*w));
	struct pane *p;

	w->id = m->next_window++;
	w->mux = m;
	w->name = mem_strdup("");
	w->w = CLAMP(cols, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	w->h = CLAMP(rows, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	w->manual_w = w->w;
	w->manual_h = w->h;
	outer_init(&w->outer);
	outer_copy(&w->outer, &m->outer);
	if (w->outer.cell_w == 0 || w->outer.cell_h == 0) {
		w->outer.cell_w = WINDOW_CELL_W;
		w->outer.cell_h = WINDOW_CELL_H;
	}
	w->preset = -1;
	w->latest = MUX_NONE;
	w->created = w->activity = m->wall;
	w->activity_at = m->now;
	list_init(&w->panes);
	list_init(&w->last_panes);
	list_init(&w->stack);
	list_init(&w->links);
	options_init(&w->options, &m->window_options);
	(void)map_set_id(&m->windows, w->id, w);
	mux_say(m, MUX_EVENT_WINDOW_CREATED, NULL, w, NULL, NULL);
	if (start != NULL) {
		p = pane_new(w, start, w->w, w->h);
		list_push_back(&w->panes, &p->node);
		list_push_back(&w->stack, &p->z_node);
		layout_init(&w->layout, p->id, w->w, w->h);
		w->active = p;
		pane_options_changed(p);
		p->used = ++m->ticks;
		mux_say(m, MUX_EVENT_PANE_CREATED, NULL, w, p, NULL);
		window_options_changed(w);
	}
	return w;
}

void
window_set_name(struct window *w, const char *name)
{
	const uint8_t *p = (const uint8_t *)name;
	size_t left = strlen(name), n, out = 0;
	char *clean;
	uint32_t cp;

	left = MIN_OF(left, WINDOW_NAME_MAX);
	clean = mem_alloc(left * 3 + 1);
	for (; left > 0; p += n, left -= n) {
		n = utf8_decode_final(p, left, &cp);
		if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
			continue;
		out += utf8_encode(cp, (uint8_t *)clean + out);
	}
	clean[out] = '\0';
	if (strcmp(clean, w->name) == 0) {
		mem_free(clean);
		return;
	}
	mem_free(w->name);
	w->name = clean;
	mux_say(w->mux, MUX_EVENT_WINDOW_RENAMED, NULL, w, NULL, clean);
}

void
window_set_foreign_name(struct window *w, const char *name)
{
	char *safe = mem_strdup(name), *p;

	for (p = safe; (p = strstr(p, "#(")) != NULL; p++)
		*p = '_';
	window_set_name(w, safe);
	mem_free(safe);
}

/* --- positions --------------------------------------------------------------- */

static bool
place_pane(struct pane *p, const struct cell_rect *r)
{
	bool moved =
	    p->x != r->x || p->y != r->y || p->w != r->w || p->h != r->h;

	pane_place(p, r);
	return moved;
}

/*
 * The place of pane P in the leaf C. Beside it is its scrollbar, but not on the
 * alternate screen, which has no history.
 */
static struct cell_rect
pane_rect(const struct window *w, const struct layout_cell *c, struct pane *p)
{
	struct cell_rect r = layout_pane_rect(&w->layout, c);

	p->bar = c->w - r.w;
	if (p->bar > 0 && vt_term_alternate(p->term)) {
		r.x = c->x;
		r.w = c->w;
		p->bar = 0;
	}
	return r;
}

void
window_place_pane(struct pane *p)
{
	const struct layout_cell *c = layout_find(&p->window->layout, p->id);
	struct cell_rect r = pane_rect(p->window, c, p);

	pane_place(p, &r);
}

bool
window_place_panes(struct window *w)
{
	struct layout_cell *c = NULL, whole = { 0 };
	struct cell_rect r;
	struct pane *p;
	bool moved = false;

	while ((c = layout_next_leaf(&w->layout, c)) != NULL) {
		p = mux_pane(w->mux, c->pane);
		bug_assert(p != NULL && p->window == w);
		p->floating = c->floating;
		if (c->floating)
			p->float_at =
			    (struct cell_rect){ c->x, c->y, c->w, c->h };
		if (w->zoomed && p == w->zoom) {
			list_init(&whole.children);
			whole.w = w->w;
			whole.h = w->h;
			r = pane_rect(w, &whole, p);
			if (pane_whole(p)) {
				r.y = 0;
				r.h = w->h;
			}
		} else {
			r = pane_rect(w, c, p);
		}
		moved |= place_pane(p, &r);
	}
	return moved;
}

void
window_say_layout(struct window *w)
{
	mux_say(w->mux, MUX_EVENT_WINDOW_LAYOUT, NULL, w, NULL, NULL);
}

/* Places the panes; tells if one moved. */
static void
window_fix_panes(struct window *w)
{
	if (window_place_panes(w))
		window_say_layout(w);
}

/* Makes the window as large as its layout; returns whether that changes it. */
static bool
take_size(struct window *w)
{
	int cols = layout_cols(&w->layout), rows = layout_rows(&w->layout);

	if (cols == w->w && rows == w->h)
		return false;
	w->w = cols;
	w->h = rows;
	return true;
}

/* The same, and tells of it. */
static void
fit_window(struct window *w)
{
	if (take_size(w))
		mux_say(w->mux, MUX_EVENT_WINDOW_RESIZED, NULL, w, NULL, NULL);
}

void
window_bar_changed(struct pane *p)
{
	const bool alternate = vt_term_alternate(p->term);

	if (p->window->layout.scrollbar == 0 || p->alternate == alternate)
		return;
	p->alternate = alternate;
	window_fix_panes(p->window);
}

void
window_mode_changed(struct pane *p)
{
	if (p->window->zoomed && p->window->zoom == p)
		window_fix_panes(p->window);
}

static void
apply_layout(struct window *w, const char *how)
{
	fit_window(w);
	(void)window_place_panes(w);
	mux_say(w->mux, MUX_EVENT_WINDOW_LAYOUT, NULL, w, NULL, how);
}

void
window_layout_changed(struct window *w)
{
	apply_layout(w, NULL);
}

bool
window_take_layout(struct window *w)
{
	const bool resized = take_size(w);

	(void)window_place_panes(w);
	return resized;
}

void
window_turned(struct window *w)
{
	apply_layout(w, "rotated");
}

void
window_set_outer(struct window *w, const struct outer *o)
{
	const int cell_w = w->outer.cell_w, cell_h = w->outer.cell_h;
	struct outer copy = *o; /* the palette stays O's */
	struct list_node *n;
	struct pane *p;

	if (o->cell_w == 0 || o->cell_h == 0) {
		copy.cell_w = cell_w;
		copy.cell_h = cell_h;
	}
	if (outer_equal(&w->outer, &copy))
		return;
	outer_copy(&w->outer, &copy);
	WINDOW_FOREACH_PANE(p, n, w)
	{
		pane_outer_changed(p);
		mux_say(w->mux, MUX_EVENT_PANE_OUTER, NULL, w, p, NULL);
	}
}

void
window_resize(struct window *w, int cols, int rows)
{
	cols = CLAMP(cols, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	rows = CLAMP(rows, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	layout_resize(&w->layout, cols, rows);
	if (layout_cols(&w->layout) != w->w ||
	    layout_rows(&w->layout) != w->h) {
		fit_window(w);
		window_floats_clamp(w);
	}
	window_fix_panes(w);
}

/* Computes the columns of a scrollbar in each pane, and its side. */
static void
scrollbar_size(const struct window *w, int *columns, bool *left)
{
	const struct options *o = &w->options;
	const char *text;
	const char *p;
	int width = 1, pad = 0;

	*columns = 0;
	*left = options_number(o, OPTION_PANE_SCROLLBARS_POSITION) ==
		PANE_SCROLLBARS_POSITION_LEFT;
	if (options_number(o, OPTION_PANE_SCROLLBARS) != PANE_SCROLLBARS_ON)
		return;
	text = options_string(o, OPTION_PANE_SCROLLBARS_STYLE);
	if ((p = strstr(text, "width=")) != NULL)
		width = (int)strtol(p + 6, NULL, 10);
	if ((p = strstr(text, "pad=")) != NULL)
		pad = (int)strtol(p + 4, NULL, 10);
	*columns = CLAMP(width, 1, SCROLLBAR_COLS_MAX) +
		   CLAMP(pad, 0, SCROLLBAR_COLS_MAX);
}

void
window_options_changed(struct window *w)
{
	struct layout *l = &w->layout;
	int64_t status = options_number(&w->options, OPTION_PANE_BORDER_STATUS);

	l->edge = status == PANE_BORDER_STATUS_TOP      ? LAYOUT_EDGE_TOP
		  : status == PANE_BORDER_STATUS_BOTTOM ? LAYOUT_EDGE_BOTTOM
							: LAYOUT_EDGE_NONE;
	scrollbar_size(w, &l->scrollbar, &l->scrollbar_left);
	window_fix_panes(w);
}

/* --- splitting and closing --------------------------------------------------- */

void
window_list_pane(struct window *w, struct pane *target, struct pane *p,
    const struct layout_split *how)
{
	if (how->before && how->full)
		list_push_front(&w->panes, &p->node);
	else if (how->before)
		list_insert_before(&w->panes, &target->node, &p->node);
	else if (how->full)
		list_push_back(&w->panes, &p->node);
	else
		list_insert_after(&w->panes, &target->node, &p->node);
	list_push_back(&w->stack, &p->z_node);
}

int
window_split(struct window *w, struct pane *target,
    const struct layout_split *how, const struct pane_start *start,
    struct pane **out, struct cause *cause)
{
	struct cell_rect r;
	struct list_node *n;
	struct pane *p, *q;

	/* As in tmux, also without space. */
	(void)window_unzoom(w);
	if (!layout_can_split(&w->layout, target->id, how) ||
	    w->panes.count >= LAYOUT_PANES_MAX)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	if (layout_split(&w->layout, target->id, w->mux->next_pane, how) != 0)
		return cause_set(cause, -ERR_LIMIT, "no space for a new pane");
	/* The terminal has its final size from the start. */
	r = layout_pane_rect(
	    &w->layout, layout_find(&w->layout, w->mux->next_pane));
	p = pane_new(w, start, r.w, r.h);
	p->x = r.x;
	p->y = r.y;
	window_list_pane(w, target, p, how);
	mux_say(w->mux, MUX_EVENT_PANE_CREATED, NULL, w, p, NULL);
	/* Hooks hear of the sizes in the order of the panes. */
	WINDOW_FOREACH_PANE(q, n, w)
	{
		if (q == p)
			mux_say(
			    w->mux, MUX_EVENT_PANE_RESIZED, NULL, w, p, NULL);
		else
			window_place_pane(q);
	}
	window_layout_changed(w);
	*out = p;
	return 0;
}

bool
window_set_active(struct window *w, struct pane *p)
{
	struct pane *old = w->active;

	bug_assert(p->window == w);
	if (old == p || (w->modal != NULL && p != w->modal))
		return false;
	if (list_linked(&p->last_node))
		list_remove(&w->last_panes, &p->last_node);
	if (old != NULL)
		list_push_front(&w->last_panes, &old->last_node);
	w->active = p;
	p->used = ++w->mux->ticks;
	if (!pane_visible(p)) {
		/* The old pane returns to its place in the layout. */
		w->zoomed = false;
		(void)window_place_panes(w);
		w->zoomed = true;
		w->zoom = p;
		window_fix_panes(w);
	}
	if (old != NULL)
		pane_options_changed(old);
	pane_options_changed(p);
	client_update_focus(w->mux);
	mux_say(w->mux, MUX_EVENT_WINDOW_PANE, NULL, w, p, NULL);
	return true;
}

/* --- lookup ------------------------------------------------------------------ */

struct pane *
window_first_pane(const struct window *w)
{
	return pane_of(list_first(&w->panes));
}

struct pane *
window_last_pane(const struct window *w)
{
	return list_entry(list_first(&w->last_panes), struct pane, last_node);
}

struct pane *
window_next_pane(const struct window *w, const struct pane *p, unsigned n)
{
	const struct list_node *node = &p->node;

	for (n %= (unsigned)w->panes.count; n > 0; n--) {
		node = list_next(&w->panes, node);
		if (node == NULL)
			node = list_first(&w->panes);
	}
	return pane_of(node);
}

struct pane *
window_prev_pane(const struct window *w, const struct pane *p, unsigned n)
{
	unsigned count = (unsigned)w->panes.count;

	return window_next_pane(w, p, count - n % count);
}

struct pane *
window_pane_at_index(const struct window *w, int index)
{
	struct list_node *n;

	index -= (int)options_number(&w->options, OPTION_PANE_BASE_INDEX);
	LIST_FOREACH(n, &w->panes)
		if (index-- == 0)
			return pane_of(n);
	return NULL;
}

/* A cell's extent across SIDE, and the borders before and after it. */
struct span {
	int lo;
	int hi;   /* last one */
	int near; /* border before */
	int far;  /* border after */
};

static struct span
cell_span(const struct layout_cell *c, bool vertical)
{
	if (vertical)
		return (struct span){ c->x, c->x + c->w - 1, c->y - 1,
			c->y + c->h };
	return (struct span){ c->y, c->y + c->h - 1, c->x - 1, c->x + c->w };
}

struct pane *
window_neighbour(const struct pane *p, enum window_side side)
{
	const struct window *w = p->window;
	const struct layout_cell *c = layout_find(&w->layout, p->id), *o = NULL;
	bool vertical = side == WINDOW_UP || side == WINDOW_DOWN;
	bool back = side == WINDOW_UP || side == WINDOW_LEFT;
	int size = vertical ? layout_rows(&w->layout) : layout_cols(&w->layout);
	int edge;
	struct pane *best = NULL, *q;
	struct span me, other;

	if (c == NULL)
		return NULL;
	me = cell_span(c, vertical);
	edge = back ? me.near : me.far;
	if (back && edge < 0) /* wrap around the window */
		edge = size;
	else if (!back && edge >= size)
		edge = -1;
	while ((o = layout_next_leaf(&w->layout, o)) != NULL) {
		if (o == c)
			continue;
		other = cell_span(o, vertical);
		if ((back ? other.far : other.near) != edge)
			continue;
		/* A pane one column further touches too: at the corner. */
		if (other.hi < me.lo || other.lo > me.hi + 1)
			continue;
		q = mux_pane(w->mux, o->pane);
		if (best == NULL || q->used > best->used)
			best = q;
	}
	return best;
}

struct pane *
window_pane_at(const struct window *w, int x, int y)
{
	const struct layout_cell *c = NULL;
	struct pane *p = window_float_at(w, x, y);
	/* A row of titles belongs to the pane below it. */
	const int up = w->layout.edge == LAYOUT_EDGE_TOP ? 1 : 0;

	if (p != NULL)
		return p;
	if (w->zoomed)
		return w->zoom;
	while ((c = layout_next_leaf(&w->layout, c)) != NULL)
		if (!c->floating && x >= c->x && x <= c->x + c->w &&
		    y >= c->y - up && y <= c->y + c->h - up)
			return mux_pane(w->mux, c->pane);
	return NULL;
}

struct pane *
window_pane_described(const struct window *w, const char *where)
{
	static const struct {
		const char *name;
		int x; /* halves of the window: 0, 1, 2 */
		int y;
	} rows[] = {
		{ "top", 1, 0 },
		{ "bottom", 1, 2 },
		{ "left", 0, 1 },
		{ "right", 2, 1 },
		{ "top-left", 0, 0 },
		{ "top-right", 2, 0 },
		{ "bottom-left", 0, 2 },
		{ "bottom-right", 2, 2 },
	};
	int right = w->w - 1, bottom = w->h - 1;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, where) == 0)
			return window_pane_at(w,
			    rows[i].x == 2   ? right
			    : rows[i].x == 1 ? w->w / 2
					     : 0,
			    rows[i].y == 2   ? bottom
			    : rows[i].y == 1 ? w->h / 2
					     : 0);
	return NULL;
}

bool
window_unzoom(struct window *w)
{
	if (!w->zoomed)
		return false;
	w->zoomed = false;
	w->zoom = NULL;
	mux_step(w->mux);
	(void)window_place_panes(w);
	mux_say(w->mux, MUX_EVENT_WINDOW_UNZOOMED, NULL, w, NULL, NULL);
	window_say_layout(w);
	mux_step(w->mux);
	return true;
}
