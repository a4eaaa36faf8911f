/* Applies presets and layout strings to a window. */
#include <string.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_preset.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"
#include "mux/window.h"

/* Lists the panes of W in order; mem_free. */
static uint32_t *
pane_ids(const struct window *w)
{
	uint32_t *ids = mem_calloc(w->panes.count + 1, sizeof(*ids));
	struct list_node *n;
	struct pane *p;
	size_t i = 0;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		ids[i++] = p->id;
	}
	return ids;
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
	uint32_t *ids;
	int r;

	if (preset < 0 || preset >= LAYOUT_PRESET_COUNT)
		return -ERR_NOTFOUND;
	(void)window_unzoom(w);
	w->preset = preset;
	ids = pane_ids(w);
	r = layout_preset_apply(
	    &w->layout, preset, ids, w->panes.count, w->w, w->h, &opt);
	mem_free(ids);
	if (r == 0) {
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

int
window_apply_text(struct window *w, const char *text, struct cause *cause)
{
	struct layout l, old;
	struct layout_cell *c, *last;
	uint32_t *ids;
	size_t cells;
	int r, cols = w->w, rows = w->h;

	if ((r = layout_parse(text, &l, cause)) != 0)
		return r;
	cells = layout_count(&l);
	if (w->panes.count > cells) {
		layout_fini(&l);
		return cause_set(cause, -ERR_RANGE,
		    "have %zu panes but need %zu", w->panes.count, cells);
	}
	for (; cells > w->panes.count; cells--) {
		for (c = last = l.root; c != NULL; c = layout_last(c))
			last = c;
		layout_cell_close(&l, last);
	}
	(void)window_unzoom(w);
	old = w->layout;
	w->layout = l;
	w->layout.edge = old.edge;
	w->layout.scrollbar = old.scrollbar;
	w->layout.scrollbar_left = old.scrollbar_left;
	layout_fini(&old);
	ids = pane_ids(w);
	layout_set_panes(&w->layout, ids, w->panes.count);
	mem_free(ids);
	layout_fix_offsets(&w->layout);
	window_layout_changed(w);
	if (w->w != cols || w->h != rows) {
		w->manual_w = w->w;
		w->manual_h = w->h;
		client_fit_window(w);
	}
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
	if (kind == LAYOUT_COLUMN && layout_edge_row(l, c))
		size++;
	r = layout_resize_pane_to(l, p->id, kind, size);
	if (r == 0)
		window_layout_changed(p->window);
	return r;
}

int
window_drag_border(struct window *w, int x, int y, int to_x, int to_y)
{
	enum layout_kind kind;
	struct layout_cell *c;
	int r;

	if (w->zoomed)
		return -ERR_STATE;
	if ((c = layout_border_at(&w->layout, x, y, &kind)) == NULL)
		return -ERR_NOTFOUND;
	r = layout_resize_cell(
	    &w->layout, c, kind, kind == LAYOUT_ROW ? to_x - x : to_y - y);
	if (r == 0)
		window_layout_changed(w);
	return r;
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

char *
window_remember_layout(struct window *w)
{
	char *before = w->old_layout;

	w->old_layout = layout_text_new(&w->layout);
	return before;
}

char *
window_layout_text(const struct window *w, bool visible)
{
	struct layout one;
	char *text;

	if (!visible || !w->zoomed)
		return layout_text_new(&w->layout);
	layout_init(&one, w->active->id, w->w, w->h);
	text = layout_text_new(&one);
	layout_fini(&one);
	return text;
}
