#include "mux/layout_preset.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/str.h"
#include "mux/layout_size.h"

#define MAIN_HEIGHT 24 /* used when main-pane-height is no size */
#define MAIN_WIDTH 80

/* The arguments of an arrange function. */
struct arrange {
	struct layout *l;
	const uint32_t *ids;
	int n;
	int w;
	int h;
	bool mirrored;
	const struct layout_preset_options *opt;
};

static struct layout_cell *
make_root(struct arrange *a, enum layout_kind kind, int w, int h)
{
	struct layout_cell *root = layout_cell_new(NULL);

	root->kind = kind;
	root->w = w;
	root->h = h;
	a->l->root = root;
	return root;
}

/* Returns the smallest size of a pane in a KIND. */
static int
least(const struct arrange *a, enum layout_kind kind)
{
	return LAYOUT_PANE_MIN + (kind == LAYOUT_ROW ? a->l->scrollbar : 0);
}

/* Returns the cells that N panes in a KIND need, with their borders. */
static int
room_for(const struct arrange *a, enum layout_kind kind, int n)
{
	int edge = kind == LAYOUT_COLUMN && a->l->edge != LAYOUT_EDGE_NONE;

	return n * (least(a, kind) + 1) - 1 + edge;
}

/*
 * Puts the panes from number FROM on into C, which has its size, and spreads
 * them.
 */
static void
fill(struct arrange *a, struct layout_cell *c, int from)
{
	enum layout_kind kind = c->kind;
	int n = a->n - from, min = least(a, kind), i;
	int left = (kind == LAYOUT_ROW ? c->w : c->h) - (n * (min + 1) - 1);

	for (i = 0; i < n; i++)
		layout_cell_add(c, kind == LAYOUT_ROW ? min : c->w,
		    kind == LAYOUT_ROW ? c->h : min, a->ids[from + i]);
	layout_adjust(a->l, layout_last(c), kind, left);
	(void)layout_spread_cell(a->l, c);
}

static void
arrange_even(struct arrange *a, enum layout_kind kind)
{
	struct layout_cell *root;
	int w = a->w, h = a->h, room = room_for(a, kind, a->n);

	if (kind == LAYOUT_ROW)
		w = MAX_OF(w, room);
	else
		h = MAX_OF(h, room);
	root = make_root(a, kind, w, h);
	fill(a, root, 0);
}

static void
arrange_even_row(struct arrange *a)
{
	arrange_even(a, LAYOUT_ROW);
}

static void
arrange_even_column(struct arrange *a)
{
	arrange_even(a, LAYOUT_COLUMN);
}

/*
 * Parses "30" or "30%" (of TOTAL) as cells; returns -1 if it is neither or is
 * outside 0..MAX.
 */
static int
layout_cells(const char *text, int total, int max)
{
	size_t n = text == NULL ? 0 : strlen(text);
	int64_t v;

	if (n == 0)
		return -1;
	if (text[n - 1] != '%') {
		if (str_to_int(text, 0, max, &v) != 0)
			return -1;
		return (int)v;
	}
	if (str_to_intn(text, n - 1, 0, 100, &v) != 0)
		return -1;
	v = total * v / 100;
	return v > max ? -1 : (int)v;
}

/*
 * Computes the sizes of the main and the other side out of TOTAL, without the
 * border.
 */
static void
main_sizes(const char *main_text, const char *other_text, int fallback,
    int total, int *main_size, int *other_size)
{
	int main_n = layout_cells(main_text, total, total), other_n;

	if (main_n < 0)
		main_n = fallback;
	if (main_n + LAYOUT_PANE_MIN >= total) {
		main_n = total <= 2 * LAYOUT_PANE_MIN ? LAYOUT_PANE_MIN
						      : total - LAYOUT_PANE_MIN;
		other_n = LAYOUT_PANE_MIN;
	} else {
		other_n = layout_cells(other_text, total, total);
		if (other_n <= 0 || total - other_n < main_n)
			other_n = total - main_n;
		else
			main_n = total - other_n;
	}
	*main_size = MAX_OF(main_n, LAYOUT_PANE_MIN);
	*other_size = MAX_OF(other_n, LAYOUT_PANE_MIN);
}

/* Adds the other panes as one leaf or as a KIND of several, filled later. */
static struct layout_cell *
add_others(struct arrange *a, struct layout_cell *root, enum layout_kind kind,
    int w, int h)
{
	struct layout_cell *others = layout_cell_add(root, w, h, a->ids[1]);

	if (a->n > 2) {
		others->kind = kind;
		others->pane = LAYOUT_NO_PANE;
	}
	return others;
}

static void
arrange_main(struct arrange *a, enum layout_kind kind)
{
	bool wide = kind == LAYOUT_COLUMN; /* main-horizontal */
	enum layout_kind inner = wide ? LAYOUT_ROW : LAYOUT_COLUMN;
	struct layout_cell *root, *others;
	int along, across, main_n, other_n;

	along = (wide ? a->h : a->w) - 1;
	across = MAX_OF(wide ? a->w : a->h, room_for(a, inner, a->n - 1));
	if (wide)
		main_sizes(a->opt->main_height, a->opt->other_height,
		    MAIN_HEIGHT, along, &main_n, &other_n);
	else
		main_sizes(a->opt->main_width, a->opt->other_width, MAIN_WIDTH,
		    along, &main_n, &other_n);
	along = main_n + other_n + 1;
	root = make_root(a, kind, wide ? across : along, wide ? along : across);
	if (!a->mirrored)
		layout_cell_add(root, wide ? across : main_n,
		    wide ? main_n : across, a->ids[0]);
	others = add_others(
	    a, root, inner, wide ? across : other_n, wide ? other_n : across);
	if (a->mirrored)
		layout_cell_add(root, wide ? across : main_n,
		    wide ? main_n : across, a->ids[0]);
	if (others->kind != LAYOUT_LEAF)
		fill(a, others, 1);
}

static void
arrange_main_horizontal(struct arrange *a)
{
	arrange_main(a, LAYOUT_COLUMN);
}

static void
arrange_main_vertical(struct arrange *a)
{
	arrange_main(a, LAYOUT_ROW);
}

static void
arrange_tiled(struct arrange *a)
{
	struct layout_cell *root, *row;
	int rows = 1, columns = 1, max = a->opt->max_columns, w, h, i = 0, j, k;

	while (rows * columns < a->n) {
		rows++;
		if (rows * columns < a->n && (max <= 0 || columns < max))
			columns++;
	}
	w = MAX_OF((a->w - (columns - 1)) / columns, least(a, LAYOUT_ROW));
	h = MAX_OF((a->h - (rows - 1)) / rows, LAYOUT_PANE_MIN);
	root = make_root(a, LAYOUT_COLUMN, MAX_OF(a->w, (w + 1) * columns - 1),
	    MAX_OF(a->h, (h + 1) * rows - 1));
	for (j = 0; j < rows && i < a->n; j++) {
		row = layout_cell_add(root, root->w, h, a->ids[i]);
		if (a->n - i == 1 || columns == 1) {
			i++;
			continue;
		}
		row->kind = LAYOUT_ROW;
		row->pane = LAYOUT_NO_PANE;
		for (k = 0; k < columns && i < a->n; k++)
			layout_cell_add(row, w, h, a->ids[i++]);
		/* The last pane of a row takes the rest. */
		if (root->w > k * (w + 1) - 1)
			layout_adjust(a->l, layout_last(row), LAYOUT_ROW,
			    root->w - (k * (w + 1) - 1));
	}
	if (root->h > j * (h + 1) - 1)
		layout_adjust(a->l, layout_last(root), LAYOUT_COLUMN,
		    root->h - (j * (h + 1) - 1));
	if (root->children.count == 1) { /* two panes side by side */
		row = layout_first(root);
		list_remove(&root->children, &row->node);
		row->parent = NULL;
		a->l->root = row;
		layout_cell_free(root);
	}
}

/* clang-format off */
static const struct {
	const char *name;
	void (*arrange)(struct arrange *a);
	bool mirrored;
} preset_rows[LAYOUT_PRESET_COUNT] = {
#define X(id, name, arrange, mirrored, help) { name, arrange, mirrored },
#include "mux/layout_preset.def"
#undef X
};
/* clang-format on */

const char *
layout_preset_name(int preset)
{
	if (preset < 0 || preset >= LAYOUT_PRESET_COUNT)
		return "";
	return preset_rows[preset].name;
}

struct layout_cell *
layout_preset_spread(const struct layout *l, int preset)
{
	struct layout_cell *c;

	if (l->root->kind == LAYOUT_LEAF ||
	    preset_rows[preset].arrange == arrange_tiled)
		return NULL;
	if (preset_rows[preset].arrange == arrange_even_row ||
	    preset_rows[preset].arrange == arrange_even_column)
		return l->root;
	c = preset_rows[preset].mirrored ? layout_first(l->root)
					 : layout_last(l->root);
	return c->kind == LAYOUT_LEAF ? NULL : c;
}

int
layout_preset_find(const char *name)
{
	int i, found = -1;

	for (i = 0; i < LAYOUT_PRESET_COUNT; i++)
		if (strcmp(preset_rows[i].name, name) == 0)
			return i;
	for (i = 0; i < LAYOUT_PRESET_COUNT; i++)
		if (str_starts(preset_rows[i].name, name)) {
			if (found != -1) /* ambiguous */
				return -1;
			found = i;
		}
	return found;
}

int
layout_preset_apply(struct layout *l, int preset, const uint32_t *ids, size_t n,
    int w, int h, const struct layout_preset_options *opt)
{
	static const struct layout_preset_options none = { 0 };
	struct arrange a = { .l = l, .ids = ids, .w = w, .h = h };

	if (preset < 0 || preset >= LAYOUT_PRESET_COUNT || n < 2 ||
	    n > LAYOUT_PANES_MAX)
		return -ERR_STATE;
	a.n = (int)n;
	a.opt = opt == NULL ? &none : opt;
	a.mirrored = preset_rows[preset].mirrored;
	layout_cell_free(l->root);
	l->root = NULL;
	preset_rows[preset].arrange(&a);
	layout_fix_offsets(l);
	return 0;
}
