/*
 * Rows of a screen.
 *
 * The row pointers are in an allocation with slack after them.  A scroll of the
 * whole screen by one row advances `lines` and writes one pointer; only when
 * the slack is used up are the pointers moved back.  Rows that were never
 * written share one blank line, so a grid of 10,000 rows costs only its
 * pointers.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/grid_int.h"

static unsigned
grid_slack(unsigned rows)
{
	return MAX_OF(rows, 32u);
}

void
vt_grid_store(struct vt_grid *g, unsigned rows)
{
	unsigned cap = rows + grid_slack(rows);
	struct vt_line **store = mem_calloc(cap, sizeof(*store));

	if (g->lines != NULL)
		memcpy(store, g->lines, MIN_OF(rows, g->rows) * sizeof(*store));
	mem_free(g->store);
	g->store = g->lines = store;
	g->capstore = cap;
}

struct vt_grid *
vt_grid_new(struct vt_pool *pool, unsigned cols, unsigned rows,
    size_t history_rows, size_t history_bytes)
{
	struct vt_grid *g = mem_zalloc(sizeof(*g));
	unsigned y;

	g->pool = pool;
	g->cols = CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	rows = CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	g->blank = vt_line_new(pool);
	if (history_rows > 0)
		g->history =
		    vt_history_new(pool, g->cols, history_rows, history_bytes);
	vt_grid_store(g, rows);
	g->rows = rows;
	for (y = 0; y < rows; y++)
		g->lines[y] = vt_line_ref(g->blank);
	list_init(&g->anchors);
	return g;
}

void
vt_grid_free(struct vt_grid *g)
{
	struct list_node *n, *tmp;
	unsigned y;

	if (g == NULL)
		return;
	LIST_FOREACH_SAFE(n, &g->anchors, tmp)
		list_remove(&g->anchors, n);
	for (y = 0; y < g->rows; y++)
		vt_line_unref(g->pool, g->lines[y]);
	vt_line_unref(g->pool, g->blank);
	vt_history_free(g->history);
	mem_free(g->store);
	mem_free(g);
}

struct vt_grid *
vt_grid_snapshot(const struct vt_grid *g, const struct vt_grid *shown)
{
	struct vt_grid *n =
	    vt_grid_new(g->pool, shown->cols, shown->rows, 0, 0);
	unsigned y;

	n->history = g->history != NULL ? vt_history_snapshot(g->history)
					: vt_history_new(n->pool, n->cols,
					      VT_HISTORY_SNAPSHOT_ROWS, 0);
	n->scrolled = g->scrolled;
	for (y = 0; y < n->rows; y++) {
		vt_line_unref(n->pool, n->lines[y]);
		n->lines[y] = vt_line_ref(shown->lines[y]);
	}
	return n;
}

/* Returns a row of blanks with the background of ERASE. */
static struct vt_line *
grid_blank(struct vt_grid *g, const struct pen *erase)
{
	struct vt_line *line;
	unsigned style;

	if (erase == NULL)
		return vt_line_ref(g->blank);
	line = vt_line_new(g->pool);
	style = vt_line_style(g->pool, line, erase, NULL);
	vt_line_erase(line, 0, g->cols, style);
	return line;
}

/* Returns ERASE, or NULL if it erases to default blanks. */
static const struct pen *
grid_erase_pen(const struct pen *erase)
{
	return erase != NULL &&
		       (erase->fg | erase->bg | erase->ul | erase->attrs) != 0
		   ? erase
		   : NULL;
}

static bool
grid_clip(const struct vt_grid *g, const struct vt_rect *in, struct vt_rect *r)
{
	r->left = in->left;
	r->top = in->top;
	r->right = MIN_OF(in->right, g->cols);
	r->bottom = MIN_OF(in->bottom, g->rows);
	return r->left < r->right && r->top < r->bottom;
}

static bool
grid_full_width(const struct vt_grid *g, const struct vt_rect *r)
{
	return r->left == 0 && r->right == g->cols;
}

/*
 * Scrolls by one row: the top row goes to the history if KEEP, a blank one
 * appears at the bottom.
 */
static void
grid_advance(struct vt_grid *g, const struct pen *erase, bool keep)
{
	struct vt_line *top = g->lines[0];

	if (keep && g->history != NULL) {
		vt_history_push(g->history, top);
		g->scrolled++;
	} else
		vt_line_unref(g->pool, top);
	g->lines++;
	if (unlikely(g->lines + g->rows > g->store + g->capstore)) {
		memmove(g->store, g->lines, (g->rows - 1) * sizeof(*g->lines));
		g->lines = g->store;
	}
	g->lines[g->rows - 1] = grid_blank(g, erase);
}

/*
 * Moves the row pointers of top..bottom-1 up by N and releases the lost rows.
 */
static void
grid_shift_up(struct vt_grid *g, const struct vt_rect *r, unsigned n,
    const struct pen *erase, bool keep)
{
	unsigned y;

	for (y = r->top; y < r->top + n; y++) {
		if (keep && g->history != NULL) {
			vt_history_push(g->history, g->lines[y]);
			g->scrolled++;
		} else
			vt_line_unref(g->pool, g->lines[y]);
	}
	memmove(g->lines + r->top, g->lines + r->top + n,
	    (r->bottom - r->top - n) * sizeof(*g->lines));
	for (y = r->bottom - n; y < r->bottom; y++)
		g->lines[y] = grid_blank(g, erase);
}

static void
grid_erase_row(struct vt_grid *g, unsigned y, const struct vt_rect *r,
    const struct pen *erase)
{
	struct vt_line *line;
	unsigned style;

	if (grid_full_width(g, r)) {
		vt_line_unref(g->pool, g->lines[y]);
		g->lines[y] = grid_blank(g, erase);
		return;
	}
	if (erase == NULL && g->lines[y]->len <= r->left)
		return;
	line = vt_grid_own(g, y);
	style = erase == NULL ? 0 : vt_line_style(g->pool, line, erase, NULL);
	vt_line_erase(line, r->left, r->right, style);
}

static void
grid_copy_row(
    struct vt_grid *g, unsigned dst, unsigned src, const struct vt_rect *r)
{
	struct vt_line *line = vt_grid_own(g, dst);

	vt_line_copy(
	    g->pool, line, r->left, g->lines[src], r->left, r->right - r->left);
}

void
vt_grid_scroll_up(struct vt_grid *g, const struct vt_rect *in, unsigned n,
    const struct pen *erase, bool keep)
{
	struct vt_rect r;
	unsigned y;

	if (n == 0 || !grid_clip(g, in, &r))
		return;
	n = MIN_OF(n, r.bottom - r.top);
	erase = grid_erase_pen(erase);
	if (grid_full_width(g, &r)) {
		keep = keep && r.top == 0;
		if (r.top == 0 && r.bottom == g->rows && n == 1)
			grid_advance(g, erase, keep);
		else
			grid_shift_up(g, &r, n, erase, keep);
		return;
	}
	for (y = r.top; y + n < r.bottom; y++)
		grid_copy_row(g, y, y + n, &r);
	for (; y < r.bottom; y++)
		grid_erase_row(g, y, &r, erase);
}

void
vt_grid_scroll_down(struct vt_grid *g, const struct vt_rect *in, unsigned n,
    const struct pen *erase)
{
	struct vt_rect r;
	unsigned y;

	if (n == 0 || !grid_clip(g, in, &r))
		return;
	n = MIN_OF(n, r.bottom - r.top);
	erase = grid_erase_pen(erase);
	if (grid_full_width(g, &r)) {
		for (y = r.bottom - n; y < r.bottom; y++)
			vt_line_unref(g->pool, g->lines[y]);
		memmove(g->lines + r.top + n, g->lines + r.top,
		    (r.bottom - r.top - n) * sizeof(*g->lines));
		for (y = r.top; y < r.top + n; y++)
			g->lines[y] = grid_blank(g, erase);
		return;
	}
	for (y = r.bottom; y-- > r.top + n;)
		grid_copy_row(g, y, y - n, &r);
	for (y = r.top; y < r.top + n; y++)
		grid_erase_row(g, y, &r, erase);
}

void
vt_grid_erase(
    struct vt_grid *g, const struct vt_rect *in, const struct pen *erase)
{
	struct vt_rect r;
	unsigned y;

	if (!grid_clip(g, in, &r))
		return;
	erase = grid_erase_pen(erase);
	for (y = r.top; y < r.bottom; y++)
		grid_erase_row(g, y, &r, erase);
}

void
vt_grid_keep_screen(struct vt_grid *g, const struct pen *erase)
{
	struct vt_rect r = { 0, 0, g->cols, g->rows };
	unsigned n = g->rows;

	while (n > 0 && vt_line_used(g->lines[n - 1]) == 0)
		n--;
	if (n > 0)
		vt_grid_scroll_up(g, &r, n, erase, true);
	g->scrolled = 0;
}

void
vt_grid_copy_rect(
    struct vt_grid *g, const struct vt_rect *in, unsigned x, unsigned y)
{
	struct vt_rect r;
	unsigned i, h, w, row;

	if (!grid_clip(g, in, &r) || x >= g->cols || y >= g->rows)
		return;
	w = MIN_OF(r.right - r.left, g->cols - x);
	h = MIN_OF(r.bottom - r.top, g->rows - y);
	for (i = 0; i < h; i++) {
		row = y > r.top ? h - 1 - i : i;
		vt_line_copy(g->pool, vt_grid_own(g, y + row), x,
		    g->lines[r.top + row], r.left, w);
	}
}

void
vt_grid_set(struct vt_grid *g, unsigned y, struct vt_line *line)
{
	vt_line_unref(g->pool, g->lines[y]);
	g->lines[y] = line;
}

/* --- screen and history together -------------------------------------------- */

vt_row
vt_grid_first(const struct vt_grid *g)
{
	return g->history == NULL ? 0 : vt_history_dropped(g->history);
}

vt_row
vt_grid_screen(const struct vt_grid *g)
{
	return g->history == NULL ? 0
				  : vt_history_dropped(g->history) +
					vt_history_rows(g->history);
}

uint64_t
vt_grid_remade(const struct vt_grid *g)
{
	return g->history == NULL ? 0 : vt_history_remade(g->history);
}

vt_row
vt_grid_end(const struct vt_grid *g)
{
	return vt_grid_screen(g) + g->rows;
}

const struct vt_line *
vt_grid_row(struct vt_grid *g, vt_row row)
{
	vt_row screen = vt_grid_screen(g);

	if (row >= screen)
		return row - screen < g->rows ? g->lines[row - screen] : NULL;
	if (row < vt_grid_first(g))
		return NULL;
	return vt_history_row(g->history, (size_t)(row - vt_grid_first(g)));
}

void
vt_grid_clear_history(struct vt_grid *g)
{
	struct list_node *n;
	struct vt_anchor *a;

	if (g->history != NULL)
		vt_history_clear(g->history);
	g->scrolled = 0;
	LIST_FOREACH(n, &g->anchors) {
		a = container_of(n, struct vt_anchor, node);
		if (a->row < vt_grid_first(g)) {
			a->row = vt_grid_first(g);
			a->col = 0;
			a->lost = true;
		}
	}
}

bool
vt_grid_settle(struct vt_grid *g)
{
	return g->history != NULL && vt_history_settle(g->history, 8);
}

void
vt_grid_anchor(struct vt_grid *g, struct vt_anchor *a, vt_row row, unsigned col)
{
	a->row = row;
	a->col = col;
	a->lost = false;
	a->node.prev = a->node.next = NULL;
	list_push_back(&g->anchors, &a->node);
}

void
vt_grid_unanchor(struct vt_grid *g, struct vt_anchor *a)
{
	if (list_linked(&a->node))
		list_remove(&g->anchors, &a->node);
}

size_t
vt_grid_bytes(const struct vt_grid *g)
{
	size_t n = sizeof(*g) + g->capstore * sizeof(*g->store);
	unsigned y;

	n += vt_line_bytes(g->blank);
	for (y = 0; y < g->rows; y++)
		if (g->lines[y] != g->blank)
			n += vt_line_bytes(g->lines[y]);
	if (g->history != NULL)
		n += vt_history_bytes(g->history);
	return n;
}
