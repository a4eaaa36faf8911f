/*
 * One list of operations for tmux and for the model.
 *
 *     layout_ref tmux SEED   prints them as tmux commands, each followed by one
 *                            that prints the layout
 *     layout_ref model SEED  does them and prints the layouts
 *
 * What to do next never depends on what came of it, but for which panes there
 * are, so both see the same list.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/layout_preset.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/vt/pool.h"
#include "regress/chance.h"

static struct mux *m;
static struct session *s;
static struct window *w;
static bool for_tmux;
static uint64_t state;

static unsigned
dice(unsigned n)
{
	return chance_below(&state, n);
}

/* Prints a command for tmux. */
#define SAY(...)        \
 do {                   \
  if (for_tmux)         \
   printf(__VA_ARGS__); \
 } while (0)

static void
show(const char *what)
{
	char *text, *visible;

	if (for_tmux) {
		printf("display-message -p -t @%u "
		       "'%s #{window_width}x#{window_height} #{window_layout} "
		       "#{window_visible_layout}'\n",
		    w->id, what);
		return;
	}
	text = window_layout_text(w, false);
	visible = window_layout_text(w, true);
	printf("%s %dx%d %s %s\n", what, w->w, w->h, text, visible);
	mem_free(text);
	mem_free(visible);
}

static void
open_window(int cols, int rows)
{
	struct pane_start start = { 0 };
	struct winlink *wl = NULL;

	w = window_new(m, 80, 24, &start);
	(void)session_link(s, w, -1, &wl, NULL);
	if (s->links.count > 1)
		SAY("new-window -d -t ref:\n");
	SAY("resize-window -t @%u -x %d -y %d\n", w->id, cols, rows);
	(void)options_set_text(&w->options, "window-size", "manual", NULL);
	w->manual_w = cols;
	w->manual_h = rows;
	client_fit_window(w);
}

static struct pane *
any_pane(void)
{
	return window_next_pane(
	    w, window_first_pane(w), dice((unsigned)w->panes.count));
}

static void
split(struct pane *p, const struct layout_split *how)
{
	struct pane_start start = { 0 };
	struct pane *fresh;
	char size[32] = "";

	if (how->size >= 0)
		snprintf(size, sizeof(size), " -l %d", how->size);
	SAY("split-window -d %s%s%s%s -t %%%u\n",
	    how->kind == LAYOUT_ROW ? "-h" : "-v", how->before ? " -b" : "",
	    how->full ? " -f" : "", size, p->id);
	(void)window_unzoom(w); /* tmux does also when there is no space */
	(void)window_split(w, p, how, &start, &fresh, NULL);
}

static void
presets(int cols, int rows)
{
	static const char *const names[] = { "even-horizontal", "even-vertical",
		"main-horizontal", "main-vertical", "tiled" };
	struct layout_split how = { .kind = LAYOUT_COLUMN, .size = -1 };
	size_t n, i;

	open_window(cols, rows);
	for (n = 1; n <= 12; n++) {
		if (n > 1) {
			split(window_first_pane(w), &how);
			SAY("select-layout -t @%u tiled\n", w->id);
			(void)window_apply_preset(w, LAYOUT_PRESET_TILED);
		}
		for (i = 0; i < ARRAY_LEN(names); i++) {
			SAY("select-layout -t @%u %s\n", w->id, names[i]);
			(void)window_apply_preset(
			    w, layout_preset_find(names[i]));
			show(names[i]);
		}
	}
}

static void
set_option(const char *name, const char *value)
{
	SAY("set-option -w -t @%u %s %s\n", w->id, name, value);
	(void)options_set_text(&w->options, name, value, NULL);
	window_options_changed(w);
}

/*
 * A size that fits: with -b and one that does not, tmux 3.3a makes the new pane
 * as small as can be; we make it as large as can be.
 */
static void
do_split(void)
{
	struct layout_split how;
	struct pane *p = any_pane();
	const struct layout_cell *c = layout_find(&w->layout, p->id);
	int most;

	how.kind = dice(2) ? LAYOUT_ROW : LAYOUT_COLUMN;
	how.before = dice(2);
	how.full = dice(4) == 0;
	if (how.full)
		c = w->layout.root;
	most = how.kind == LAYOUT_ROW ? c->w : c->h;
	how.size = dice(3) ? -1 : (int)dice((unsigned)CLAMP(most - 1, 1, 40));
	if (w->panes.count < 20)
		split(p, &how);
}

static void
do_close(void)
{
	struct pane *p = any_pane();

	if (w->panes.count < 2)
		return;
	SAY("kill-pane -t %%%u\n", p->id);
	(void)window_close_pane(p);
}

static void
do_resize(void)
{
	static const struct {
		const char *flag;
		enum layout_kind kind;
		int sign; /* 0: to a size */
	} rows[] = { { "L", LAYOUT_ROW, -1 }, { "R", LAYOUT_ROW, 1 },
		{ "U", LAYOUT_COLUMN, -1 }, { "D", LAYOUT_COLUMN, 1 },
		{ "x", LAYOUT_ROW, 0 }, { "y", LAYOUT_COLUMN, 0 } };
	struct pane *p = any_pane();
	size_t i = dice(ARRAY_LEN(rows));
	int n = 1 + (int)dice(30);

	SAY("resize-pane -t %%%u -%s %d\n", p->id, rows[i].flag, n);
	if (rows[i].sign == 0)
		(void)window_resize_pane_to(p, rows[i].kind, n);
	else
		(void)window_resize_pane(p, rows[i].kind, rows[i].sign * n);
}

static void
do_swap(void)
{
	struct pane *a = any_pane(), *b = any_pane();

	if (a == b)
		return;
	SAY("swap-pane -d -s %%%u -t %%%u\n", a->id, b->id);
	(void)window_swap_panes(b, a, true);
}

static void
do_rotate(void)
{
	bool up = dice(2);

	SAY("rotate-window -t @%u %s\n", w->id, up ? "-U" : "-D");
	window_rotate(w, up);
}

static void
do_spread(void)
{
	struct pane *p = any_pane();

	SAY("select-layout -E -t %%%u\n", p->id);
	(void)window_spread(p);
}

static void
do_preset(void)
{
	static const char *const names[] = { "even-horizontal", "even-vertical",
		"main-horizontal", "main-vertical", "tiled" };
	const char *name = names[dice(ARRAY_LEN(names))];

	/* Too many panes and a line for each: tmux 3.3a breaks its tree. */
	if (w->layout.edge != LAYOUT_EDGE_NONE &&
	    w->h < 2 * (int)w->panes.count + 1)
		set_option("pane-border-status", "off");
	SAY("select-layout -t @%u %s\n", w->id, name);
	(void)window_apply_preset(w, layout_preset_find(name));
}

static void
do_window_size(void)
{
	int cols = 20 + (int)dice(150), rows = 5 + (int)dice(60);

	SAY("resize-window -t @%u -x %d -y %d\n", w->id, cols, rows);
	w->manual_w = cols;
	w->manual_h = rows;
	client_fit_window(w);
}

static void
do_join(void)
{
	struct pane *p = any_pane(), *to = any_pane();
	struct layout_split how = { .size = -1 };

	how.kind = dice(2) ? LAYOUT_ROW : LAYOUT_COLUMN;
	how.before = dice(2);
	if (p == to)
		return;
	SAY("join-pane -d %s%s -s %%%u -t %%%u\n",
	    how.kind == LAYOUT_ROW ? "-h" : "-v", how.before ? " -b" : "",
	    p->id, to->id);
	(void)window_join(p, to, &how, NULL);
}

static void
do_zoom(void)
{
	struct pane *p = any_pane();

	SAY("resize-pane -Z -t %%%u\n", p->id);
	if (!window_unzoom(w))
		(void)window_zoom(p);
}

static void
do_status(void)
{
	static const char *const values[] = { "off", "top", "bottom" };

	set_option("pane-border-status", values[dice(3)]);
}

static void
do_main_size(void)
{
	static const char *const names[] = { "main-pane-width",
		"main-pane-height", "other-pane-width", "other-pane-height" };
	static const char *const values[] = { "10", "30%", "7", "60%", "200",
		"30" };

	set_option(
	    names[dice(ARRAY_LEN(names))], values[dice(ARRAY_LEN(values))]);
}

/* The random actions and their weights. */
static const struct {
	const char *name;
	void (*fn)(void);
	unsigned weight;
} op_rows[] = {
	{ "split", do_split, 30 },
	{ "close", do_close, 14 },
	{ "resize", do_resize, 30 },
	{ "swap", do_swap, 6 },
	{ "rotate", do_rotate, 5 },
	{ "spread", do_spread, 5 },
	{ "preset", do_preset, 4 },
	{ "window", do_window_size, 4 },
	{ "join", do_join, 6 },
	{ "zoom", do_zoom, 3 },
	{ "status", do_status, 2 },
	{ "main", do_main_size, 4 },
};

static void
random_ops(unsigned n)
{
	unsigned total = 0, roll;
	size_t i;

	for (i = 0; i < ARRAY_LEN(op_rows); i++)
		total += op_rows[i].weight;
	open_window(80, 24);
	while (n-- > 0) {
		roll = dice(total);
		for (i = 0; roll >= op_rows[i].weight; i++)
			roll -= op_rows[i].weight;
		op_rows[i].fn();
		show(op_rows[i].name);
	}
}

int
main(int argc, char **argv)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 40 }, { 200, 50 },
		{ 41, 11 }, { 20, 6 } };
	struct mux_setup setup;
	size_t i;

	if (argc < 3)
		return 2;
	for_tmux = strcmp(argv[1], "tmux") == 0;
	setup.pool = vt_pool_new();
	setup.graphemes = grapheme_table_new(NULL);
	m = mux_new(&setup);
	if (session_new(m, "ref", NULL, &s, NULL) != 0)
		return 2;
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		presets(sizes[i][0], sizes[i][1]);
	state = strtoull(argv[2], NULL, 10);
	for (i = 0; i < 3; i++)
		random_ops(150);
	mux_free(m);
	vt_pool_free(setup.pool);
	grapheme_table_free(
	    (struct grapheme_table *)(uintptr_t)setup.graphemes);
	return 0;
}
