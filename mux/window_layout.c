/* Applies presets and layout strings to a window. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_float.h"
#include "mux/layout_json.h"
#include "mux/layout_preset.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"
#include "mux/window.h"

/* Lists the tiled panes of W in order; mem_free. */
static uint32_t *
tiled_ids(const struct window *w, size_t *count)
{
	uint32_t *ids = mem_calloc(w->panes.count + 1, sizeof(*ids));
	struct list_node *n;
	struct pane *p;
	size_t i = 0;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!p->floating)
			ids[i++] = p->id;
	}
	*count = i;
	return ids;
}

/* Adds the floating panes of W to the end of L, which has tiled panes only. */
static void
append_floats(struct window *w, struct layout *l)
{
	struct list_node *n;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (p->floating)
			layout_float_append(l, p->id, &p->float_at);
	}
}

/* Adds the floating panes of W to a cell, all children in order of the panes. */
static void
insert_floats(struct window *w, struct layout_cell *into)
{
	struct layout_cell *c = NULL, *next = layout_first(into);
	struct list_node *n;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (p->floating)
			c = layout_float_insert(into, c, p->id, &p->float_at);
		else if (next != NULL && next->pane == p->id) {
			c = next;
			next = layout_next(next);
		}
	}
}

int
window_apply_preset(struct window *w, int preset)
{
	const struct options *o = &w->options;
	struct layout_preset_options opt = {
		.main_width = options_string(o, OPTION_MAIN_PANE_WIDTH),
		.main_height = options_string(o, OPTION_MAIN_PANE_HEIGHT),
		.other_width = options_string(o, OPTION_OTHER_PANE_WIDTH),
		.other_height = options_string(o, OPTION_OTHER_PANE_HEIGHT),
		.max_columns =
		    (int)options_number(o, OPTION_TILED_LAYOUT_MAX_COLUMNS),
	};
	struct layout_cell *spread;
	uint32_t *ids;
	size_t n;
	int r;

	if (preset < 0 || preset >= LAYOUT_PRESET_COUNT)
		return -ERR_NOTFOUND;
	(void)window_unzoom(w);
	w->preset = preset;
	ids = tiled_ids(w, &n);
	if (n < 2) {
		mem_free(ids);
		return 0;
	}
	r = layout_preset_apply(&w->layout, preset, ids, n, w->w, w->h, &opt);
	mem_free(ids);
	if (r == 0) {
		spread = layout_preset_spread(&w->layout, preset);
		if (spread == NULL)
			append_floats(w, &w->layout);
		else
			insert_floats(w, spread);
		window_layout_changed(w);
		client_fit_window(w);
	}
	return r;
}

int
window_cycle_preset(struct window *w, bool forward)
{
	int n = w->preset;

	if (forward)
		n = n < 0 || n == LAYOUT_PRESET_COUNT - 1 ? 0 : n + 1;
	else
		n = n <= 0 ? LAYOUT_PRESET_COUNT - 1 : n - 1;
	return window_apply_preset(w, n);
}

/* Replaces the layout of W by L, which it takes. */
static void
use_layout(struct window *w, struct layout *l)
{
	struct layout old = w->layout;

	w->layout = *l;
	w->layout.w = old.w;
	w->layout.h = old.h;
	w->layout.edge = old.edge;
	w->layout.scrollbar = old.scrollbar;
	w->layout.scrollbar_left = old.scrollbar_left;
	layout_fini(&old);
	layout_fix_offsets(&w->layout);
}

/* Text of version 1: the tiled panes take its places in order. */
static int
apply_tiled(struct window *w, const char *text, struct cause *cause)
{
	struct layout l;
	struct layout_cell *c, *last;
	uint32_t *ids;
	size_t cells, n;
	int r;

	if ((r = layout_parse(text, &l, cause)) != 0)
		return r;
	cells = layout_count(&l);
	ids = tiled_ids(w, &n);
	if (n > cells || n == 0) {
		mem_free(ids);
		layout_fini(&l);
		return cause_set(
		    cause, -ERR_RANGE, "have %zu panes but need %zu", n, cells);
	}
	for (; cells > n; cells--) {
		for (c = last = l.root; c != NULL; c = layout_last(c))
			last = c;
		layout_cell_close(&l, last);
	}
	(void)window_unzoom(w);
	layout_set_panes(&l, ids, n);
	mem_free(ids);
	append_floats(w, &l);
	use_layout(w, &l);
	return 0;
}

/* Leaves with their panes, for orders of the text. */
struct placed {
	struct pane *pane;
	int key;
};

static int
by_key(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Orders the stack, the panes once active and the active one as the text. */
static void
apply_orders(struct window *w, const struct layout_leaf *leaves)
{
	struct placed *p = mem_calloc(w->panes.count, sizeof(*p));
	struct pane *q, *active = NULL;
	struct list_node *n;
	size_t i, count = w->panes.count;

	i = 0;
	WINDOW_FOREACH_PANE(q, n, w)
	{
		if (leaves[i].active)
			active = q;
		p[i] = (struct placed){ q, leaves[i].z };
		q->floating = leaves[i].cell->floating;
		if (list_linked(&q->last_node))
			list_remove(&w->last_panes, &q->last_node);
		i++;
	}
	qsort(p, count, sizeof(*p), by_key);
	for (i = count; i-- > 0;)
		if (p[i].key >= 0) {
			list_remove(&w->stack, &p[i].pane->z_node);
			list_push_front(&w->stack, &p[i].pane->z_node);
		}
	if (active != NULL && (w->modal == NULL || active == w->modal))
		w->active = active;
	i = 0;
	WINDOW_FOREACH_PANE(q, n, w)
	{
		p[i] = (struct placed){ q, leaves[i].last };
		i++;
	}
	qsort(p, count, sizeof(*p), by_key);
	for (i = count; i-- > 0;)
		if (p[i].key >= 0 && p[i].pane != w->active)
			list_push_front(&w->last_panes, &p[i].pane->last_node);
	mem_free(p);
}

/* Text of version 2: the panes take its places in order of their index. */
static int
apply_json(struct window *w, const char *text, struct cause *cause)
{
	struct layout_leaf *leaves;
	struct list_node *node;
	const struct pane *was = w->active;
	struct layout l;
	struct pane *p;
	size_t n, i = 0;
	int r;

	if ((r = layout_json_parse(text, &l, &leaves, &n, cause)) != 0)
		return r;
	if (w->panes.count > n) {
		layout_fini(&l);
		mem_free(leaves);
		return cause_set(cause, -ERR_RANGE,
		    "have %zu panes but need %zu", w->panes.count, n);
	}
	(void)window_unzoom(w);
	WINDOW_FOREACH_PANE(p, node, w)
	{
		leaves[i++].cell->pane = p->id;
	}
	while (n > i)
		layout_cell_close(&l, leaves[--n].cell);
	apply_orders(w, leaves);
	mem_free(leaves);
	use_layout(w, &l);
	if (w->active != was) {
		mux_say(
		    w->mux, MUX_EVENT_WINDOW_PANE, NULL, w, w->active, NULL);
		client_update_focus(w->mux);
	}
	return 0;
}

int
window_apply_text(struct window *w, const char *text, struct cause *cause)
{
	int r, cols, rows;

	r = layout_json_is(text) ? apply_json(w, text, cause)
				 : apply_tiled(w, text, cause);
	if (r != 0)
		return r;
	if (!window_take_layout(w)) {
		window_say_layout(w);
		return 0;
	}
	/* As in tmux, the layout does not change a size that was given. */
	cols = w->w;
	rows = w->h;
	client_fit_window(w);
	if (w->w == cols && w->h == rows)
		mux_say(w->mux, MUX_EVENT_WINDOW_RESIZED, NULL, w, NULL, NULL);
	mux_step(w->mux);
	window_say_layout(w);
	return 0;
}

int
window_resize_pane(struct pane *p, enum layout_kind kind, int change)
{
	int r;

	(void)window_unzoom(p->window);
	r = layout_resize_pane(&p->window->layout, p->id, kind, change);
	if (r == 0)
		window_layout_changed(p->window);
	return r;
}

int
window_resize_pane_to(struct pane *p, enum layout_kind kind, int size)
{
	struct layout *l = &p->window->layout;
	const struct layout_cell *c = layout_find(l, p->id);
	int r;

	(void)window_unzoom(p->window);
	if (size < 0 || size > LAYOUT_SIZE_MAX)
		return -ERR_RANGE;
	if (c == NULL || c->floating)
		return -ERR_STATE;
	if (kind == LAYOUT_COLUMN && layout_edge_row(l, c))
		size++;
	r = layout_resize_pane_to(l, p->id, kind, size);
	if (r == 0)
		window_layout_changed(p->window);
	return r;
}

/* The borders at a place and beside it: those of a corner. */
struct corner {
	struct layout_cell *cell[5];
	enum layout_kind kind[5];
	size_t count;
};

static void
find_corner(const struct layout *l, int x, int y, struct corner *out)
{
	static const struct {
		int x;
		int y;
	} beside[] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } };
	struct layout_cell *c;
	enum layout_kind kind;
	size_t i, j;

	out->count = 0;
	for (i = 0; i < ARRAY_LEN(beside); i++) {
		c = layout_border_at(
		    l, x + beside[i].x, y + beside[i].y, &kind);
		/* Beside a border there is no corner. */
		if (c == NULL && i == 0)
			return;
		for (j = 0; j < out->count && out->cell[j] != c; j++)
			;
		if (c == NULL || j < out->count)
			continue;
		out->cell[out->count] = c;
		out->kind[out->count++] = kind;
	}
}

/* Moves one border by N cells; returns by how many it has moved. */
static int
drag_cell(struct window *w, struct layout_cell *c, enum layout_kind kind, int n)
{
	const bool row = kind == LAYOUT_ROW;
	const int was = row ? c->x + c->w : c->y + c->h;

	if (n == 0 || layout_resize_cell(&w->layout, c, kind, n) != 0)
		return 0;
	return (row ? c->x + c->w : c->y + c->h) - was;
}

int
window_drag_border(struct window *w, int *x, int *y, int to_x, int to_y)
{
	struct corner borders;
	int moved_x = to_x - *x, moved_y = to_y - *y;
	bool any = false;
	size_t i;

	if (w->zoomed)
		return -ERR_STATE;
	find_corner(&w->layout, *x, *y, &borders);
	for (i = 0; i < borders.count; i++) {
		if (borders.kind[i] == LAYOUT_ROW)
			moved_x = drag_cell(
			    w, borders.cell[i], LAYOUT_ROW, to_x - *x);
		else
			moved_y = drag_cell(
			    w, borders.cell[i], borders.kind[i], to_y - *y);
		any = true;
	}
	*x += moved_x;
	*y += moved_y;
	if (!any)
		return -ERR_NOTFOUND;
	window_layout_changed(w);
	return 0;
}

bool
window_spread(struct pane *p)
{
	(void)window_unzoom(p->window);
	if (!layout_spread(&p->window->layout, p->id))
		return false;
	window_layout_changed(p->window);
	client_fit_window(p->window);
	return true;
}

/* --- text -------------------------------------------------------------------- */

struct describe {
	const struct window *w;
	bool visible; /* only the panes that are shown */
};

static void
describe_leaf(void *arg, const struct layout_cell *c, struct layout_leaf *out)
{
	const struct describe *d = arg;
	struct pane *p = mux_pane(d->w->mux, c->pane);
	const struct list_node *n;
	int i = 0;

	bug_assert(p != NULL);
	out->index = (uint32_t)pane_index(p);
	out->active = p == d->w->active;
	LIST_FOREACH(n, &d->w->last_panes) {
		if (n == &p->last_node)
			out->last = i;
		i++;
	}
	out->z = d->visible ? window_pane_z(p) : window_float_depth(p, &i);
}

/* Makes the layout that a zoom shows: one pane, and the floats above it. */
static void
visible_layout(const struct window *w, struct layout *l)
{
	struct list_node *n;
	struct pane *p;

	layout_init(l, w->zoom->id, w->w, w->h);
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (pane_floats(p))
			layout_float_append(l, p->id, &p->float_at);
	}
}

static char *
text_of(const struct window *w, const struct layout *l)
{
	struct describe d = { w, l != &w->layout };

	return layout_json_new(l, describe_leaf, &d);
}

char *
window_remember_layout(struct window *w)
{
	char *before = w->old_layout;

	w->old_layout = text_of(w, &w->layout);
	return before;
}

char *
window_layout_text_old(const struct window *w, bool visible)
{
	struct layout shown;
	char *text;

	if (!visible || !w->zoomed)
		return layout_text_new(&w->layout);
	visible_layout(w, &shown);
	text = layout_text_new(&shown);
	layout_fini(&shown);
	return text;
}

char *
window_layout_text(const struct window *w, bool visible)
{
	struct layout shown;
	char *text;

	if (!visible || !w->zoomed)
		return text_of(w, &w->layout);
	visible_layout(w, &shown);
	text = text_of(w, &shown);
	layout_fini(&shown);
	return text;
}

/* --- zooms ------------------------------------------------------------------- */

int
window_zoom(struct pane *p)
{
	struct window *w = p->window;

	if (w->zoomed || w->panes.count < 2)
		return -ERR_STATE;
	mux_step(w->mux);
	/* A float above the zoomed pane stays active. */
	if (!w->active->floating || (w->active->flags & PANE_ABOVE_ZOOM) == 0) {
		(void)window_set_active(w, p);
		mux_step(w->mux);
		if (p->floating)
			window_restack(p, 0);
	}
	w->zoomed = true;
	w->zoom = p;
	(void)window_place_panes(w);
	mux_say(w->mux, MUX_EVENT_WINDOW_ZOOMED, NULL, w, NULL, NULL);
	window_say_layout(w);
	mux_step(w->mux);
	return 0;
}
