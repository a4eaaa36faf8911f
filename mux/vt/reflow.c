/*
 * Changing the size of a grid.
 *
 * The hot rows of the history and the screen, down to the cursor or the last
 * used row, are joined where they wrapped, wrapped again and put back.  Packed
 * history only counts its rows again.
 *
 * As in tmux, the height changes before the width.  If a lower screen has too
 * little room, blank rows under the contents go first; then rows move up into the
 * history.  A higher one takes back rows that have scrolled there since the screen
 * was last cleared, so that a cleared screen does not fill with old text.  At
 * another width the screen is the last rows of all, blank ones included, and comes
 * back with the old width.  A cursor keeps its place in the text.
 *
 * Wrapping is measured first, and then done only for rows that the screen shows
 * or the history may keep.  Otherwise a full screen of 10,000 by 10,000 cells
 * would become 100,000,000 rows on its way to a single column.
 *
 * Deviations: a resize without reflow keeps padding and wrap flags of the rows
 * that it cuts.  At a width of 1 wide cells become spaces, permanently in rows
 * that are not packed.  Unlike tmux, a lower screen keeps rows below the cursor,
 * a wide cell takes two columns, and columns that were erased need no row.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/vt/grid_int.h"
#include "mux/vt/wrap.h"

/* The most rows that a change of width makes, unless the history keeps more. */
#define ROWS_MADE_MAX (1 << 18)

/* A place to follow.  Rows count from the first row of the list. */
struct place {
	size_t row;
	unsigned x; /* column; after the last one if a wrap is pending */
	bool pending;
	bool done;    /* moved already; if packed: dropped */
	bool packed;  /* in packed history, at `pos` */
	bool outside; /* below the rows in the list */
	struct vt_history_pos pos;
	vt_row number; /* of a packed row, after places_resolve */
};

/* Rows base..base+n-1; earlier ones are already in the history. */
struct rows {
	struct vt_line **list;
	size_t n;
	size_t cap;
	size_t base;
};

static void
rows_add(struct rows *r, struct vt_line *line)
{
	if (r->n == r->cap) {
		r->cap = r->cap + r->cap / 2 + 64;
		r->list = mem_resize(r->list, r->cap, sizeof(*r->list));
	}
	r->list[r->n++] = line;
}

/* Returns the rows of the screen up to the last used one or the cursor. */
static unsigned
screen_content(const struct vt_grid *g, const struct vt_point *pts, size_t npts)
{
	unsigned n = g->rows;

	while (n > 0 && g->lines[n - 1]->flags == 0 &&
	       vt_line_used(g->lines[n - 1]) == 0)
		n--;
	if (npts > 0)
		n = MAX_OF(n, MIN_OF(pts[0].y, g->rows - 1) + 1);
	return n;
}

/* Takes the hot rows of the history and the screen's CONTENT rows. */
static void
rows_take(struct vt_grid *g, unsigned content, struct rows *r, size_t *hot)
{
	size_t i, n = g->history == NULL ? 0 : vt_history_hot(g->history);
	unsigned y;

	r->n = r->base = 0;
	r->cap = n + content + 1;
	r->list = mem_calloc(r->cap, sizeof(*r->list));
	for (i = n; i > 0; i--)
		r->list[i - 1] = vt_history_pop(g->history);
	r->n = n;
	for (y = 0; y < content; y++)
		r->list[r->n++] = g->lines[y];
	for (; y < g->rows; y++)
		vt_line_unref(g->pool, g->lines[y]);
	*hot = n;
}

/*
 * Moves the places of rows FIRST..FIRST+N-1 to the rewrapped rows.  START are
 * the columns of those rows in the joined line, OUT is the first new row.
 */
static void
places_move(struct place *p, size_t np, size_t first, size_t n,
    const unsigned *start, const struct vt_line *line,
    const struct vt_extent *ext, unsigned cols, size_t out)
{
	unsigned at, from, end;
	size_t row;

	for (; np > 0; np--, p++) {
		if (p->done || p->packed || p->outside || p->row < first ||
		    p->row >= first + n)
			continue;
		at = start[p->row - first] + p->x + (p->pending ? 1 : 0);
		from = 0;
		row = out;
		while (
		    (end = vt_wrap_end(line, ext, from, cols)) < ext->width &&
		    (p->pending ? at > end : at >= end)) {
			from = end;
			row++;
		}
		at -= from;
		/* Directly after a full row the wrap stays pending. */
		p->pending = (at == cols && p->pending) ||
			     (at >= cols && ext->width - from == cols);
		p->x = MIN_OF(at, cols - 1);
		p->row = row;
		p->done = true;
	}
}

/* A group: N rows from FIRST on that form one line. */
struct group {
	size_t first;
	size_t n;
	size_t out; /* number of rows after wrapping */
};

/*
 * Joins a group to measure it and moves the places in it; ROW is the number of
 * its first row after wrapping.
 */
static void
group_join(struct vt_grid *g, const struct rows *in, struct group *gr,
    unsigned cols, struct place *p, size_t np, size_t row)
{
	struct vt_line *const *rows = in->list + gr->first, *line;
	struct vt_extent ext;
	unsigned *start;
	size_t i;

	line = vt_wrap_join(g->pool, rows, gr->n, g->cols, &ext);
	gr->out = vt_wrap_rows(line, &ext, cols);
	if (np > 0) {
		start = mem_alloc(gr->n * sizeof(*start));
		start[0] = 0;
		for (i = 1; i < gr->n; i++)
			start[i] = start[i - 1] + vt_wrap_joined(rows[i - 1],
						      rows[i], g->cols);
		places_move(
		    p, np, gr->first, gr->n, start, line, &ext, cols, row);
		mem_free(start);
	}
	vt_line_unref(g->pool, line);
}

/* Counts the rows that a group becomes; joins it only if necessary. */
static void
group_measure(
    struct vt_grid *g, const struct rows *in, struct group *gr, unsigned cols)
{
	struct vt_extent ext = { 0, false };
	size_t i;

	for (i = 0; i < gr->n; i++) {
		ext = vt_wrap_extent(in->list[gr->first + i]);
		if (ext.wide && gr->n > 1) {
			group_join(g, in, gr, cols, NULL, 0, 0);
			return;
		}
	}
	/* Count the last row, even if it is empty. */
	if (gr->n > 1)
		ext.width =
		    (unsigned)(gr->n - 1) * g->cols + MAX_OF(ext.width, 1u);
	gr->out = vt_wrap_rows(in->list[gr->first], &ext, cols);
}

/* True if a group holds a place that has not been moved. */
static bool
group_has_place(const struct group *gr, const struct place *p, size_t np)
{
	for (; np > 0; np--, p++)
		if (!p->done && !p->packed && !p->outside &&
		    p->row >= gr->first && p->row < gr->first + gr->n)
			return true;
	return false;
}

/*
 * Measures all rows of R for COLS and moves the places.
 * Out: *total  number of rows after wrapping
 *      *count  number of groups
 * Returns: the groups, mem_free them.
 */
static struct group *
rows_measure(struct vt_grid *g, const struct rows *r, unsigned cols,
    struct place *p, size_t np, size_t *count, size_t *total)
{
	struct group *all = mem_calloc(r->n + 1, sizeof(*all)), *gr = all;
	size_t i;

	*total = 0;
	for (i = 0; i < r->n; i += gr->n, gr++) {
		gr->first = i;
		gr->n = vt_wrap_group(r->list + i, r->n - i, g->cols);
		if (group_has_place(gr, p, np))
			group_join(g, r, gr, cols, p, np, *total);
		else
			group_measure(g, r, gr, cols);
		*total += gr->out;
		if (i + gr->n >= r->n) {
			gr++;
			break;
		}
	}
	*count = (size_t)(gr - all);
	return all;
}

/* Moves the first N rows into the history; drops them if there is none. */
static void
rows_give(struct vt_grid *g, struct rows *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (g->history != NULL)
			vt_history_push(g->history, r->list[i]);
		else
			vt_line_unref(g->pool, r->list[i]);
	}
	r->n -= n;
	r->base += n;
	if (r->n > 0)
		memmove(r->list, r->list + n, r->n * sizeof(struct vt_line *));
}

/*
 * Appends rows FROM..TO of a group, counted from its first one, to OUT; then
 * releases the group's own rows.
 */
static void
group_wrap(struct vt_grid *g, const struct rows *in, const struct group *gr,
    unsigned cols, size_t from, size_t to, struct rows *out)
{
	struct vt_line *line;
	struct vt_extent ext;
	unsigned at = 0, end;
	size_t i;

	if (from < to) {
		line = vt_wrap_join(
		    g->pool, in->list + gr->first, gr->n, g->cols, &ext);
		for (i = 0; i < to; i++, at = end) {
			end = vt_wrap_end(line, &ext, at, cols);
			if (i >= from)
				rows_add(out, vt_wrap_cut(g->pool, line, &ext,
						  at, end, cols));
		}
		vt_line_unref(g->pool, line);
	}
	for (i = 0; i < gr->n; i++)
		vt_line_unref(g->pool, in->list[gr->first + i]);
}

/*
 * Rewraps R for COLS.  Makes only rows LOW..HIGH-1; those above TOP, where the
 * screen begins, go to the history at once.
 */
static void
rows_wrap(struct vt_grid *g, struct rows *r, const struct group *gr,
    size_t count, unsigned cols, size_t low, size_t top, size_t high)
{
	struct rows out = { NULL, 0, 0, low };
	size_t at = 0, from, to;

	for (; count > 0; count--, at += gr->out, gr++) {
		from = low > at ? MIN_OF(low - at, gr->out) : 0;
		to = high > at ? MIN_OF(high - at, gr->out) : 0;
		group_wrap(g, r, gr, cols, from, to, &out);
		if (out.base + out.n <= top)
			rows_give(g, &out, out.n);
	}
	mem_free(r->list);
	*r = out;
}

/* Returns how many rows above the screen are made; older ones are dropped. */
static size_t
rows_kept(const struct vt_grid *g)
{
	size_t most = 0;

	if (g->history != NULL)
		most = vt_history_max_rows(g->history);
	return most == 0 ? 0 : MAX_OF(most, (size_t)ROWS_MADE_MAX);
}

/* Cuts rows at COLS, for screens that do not reflow. */
static void
rows_cut(struct vt_grid *g, struct rows *r, unsigned cols)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (r->list[i]->len > cols)
			vt_line_truncate(
			    vt_line_own(g->pool, &r->list[i]), cols);
}

/*
 * Returns the row of the N rows at which a screen of ROWS rows begins after a
 * change of height, given its old first row and the cursor's row.  Rows that do
 * not fit under the cursor are lost, as in xterm.
 * Out: *pull  rows to take back from packed history
 */
static size_t
screen_top_by_height(struct vt_grid *g, size_t n, size_t old_top, size_t cursor,
    unsigned rows, size_t *pull)
{
	size_t back = 0, top;

	*pull = 0;
	if (n - MIN_OF(old_top, n) > rows) {
		top = MIN_OF(n - rows, cursor);
		g->scrolled += top - MIN_OF(old_top, top);
		return top;
	}
	if (rows > g->rows)
		back = MIN_OF((size_t)(rows - g->rows), g->scrolled);
	g->scrolled -= back;
	if (back <= old_top)
		return old_top - back;
	if (g->history != NULL)
		*pull = MIN_OF(back - old_top, vt_history_rows(g->history));
	return 0;
}

/*
 * The same after a change of width: the screen is the last rows of all.  Rows
 * that leave it count as scrolled if the screen was NEVER_CLEARED.
 */
static size_t
screen_top_by_width(struct vt_grid *g, size_t n, size_t old_top,
    bool never_cleared, unsigned rows, size_t *pull)
{
	size_t have = g->history == NULL ? 0 : vt_history_rows(g->history);
	size_t top = n > rows ? n - rows : 0;

	*pull = n < rows ? MIN_OF(rows - n, have) : 0;
	if (top > old_top)
		g->scrolled += never_cleared ? top - old_top : 0;
	else
		g->scrolled -= MIN_OF(g->scrolled, old_top - top + *pull);
	return top;
}

/* Makes rows TOP.. the screen, below PULL rows of packed history. */
static void
screen_put(struct vt_grid *g, struct rows *r, size_t top, size_t pull,
    unsigned cols, unsigned rows)
{
	unsigned y = 0;
	size_t i;

	rows_give(g, r, top - r->base);
	g->rows = 0;
	vt_grid_store(g, rows);
	g->rows = rows;
	g->cols = cols;
	for (i = pull; i > 0; i--)
		g->lines[i - 1] = vt_history_pop(g->history);
	y = (unsigned)pull;
	for (i = 0; i < r->n && y < rows; i++)
		g->lines[y++] = r->list[i];
	for (; i < r->n; i++)
		vt_line_unref(g->pool, r->list[i]);
	for (; y < rows; y++)
		g->lines[y] = vt_line_ref(g->blank);
}

/* --- cursors and anchors as places ------------------------------------------- */

static void
place_of_anchor(struct vt_grid *g, const struct vt_anchor *a, size_t hot,
    size_t content, struct place *p)
{
	vt_row first = vt_grid_first(g), screen = vt_grid_screen(g);

	memset(p, 0, sizeof(*p));
	p->x = a->col;
	if (a->row + hot >= screen) {
		p->row = (size_t)(a->row + hot - screen);
		p->outside = p->row >= hot + content;
		if (p->outside)
			p->row -= hot + content;
	} else if (a->row < first ||
		   !vt_history_locate(
		       g->history, (size_t)(a->row - first), a->col, &p->pos)) {
		p->done = true; /* dropped already */
		p->packed = true;
	} else {
		p->packed = true;
	}
}

static void
place_of_point(
    const struct vt_point *pt, size_t hot, size_t content, struct place *p)
{
	memset(p, 0, sizeof(*p));
	p->x = pt->x;
	p->pending = pt->pending;
	p->outside = pt->y >= content;
	p->row = p->outside ? pt->y - content : hot + pt->y;
}

static void
point_put(struct vt_point *pt, const struct place *p, size_t top, size_t pull,
    size_t n, const struct vt_grid *g)
{
	size_t row = p->outside ? n + p->row : p->row;

	if (row + pull < top) {
		*pt = (struct vt_point){ 0 };
		return;
	}
	pt->y = (unsigned)MIN_OF(row + pull - top, (size_t)g->rows - 1);
	pt->pending = p->pending;
	if (p->x >= g->cols) {
		pt->x = g->cols - 1;
		pt->pending = false;
	} else {
		pt->x = p->x;
	}
}

/*
 * Finds packed places at the new width.  Call it before rows are pushed to the
 * history or popped, while its pages are still those of place_of_anchor.
 */
static void
places_resolve(struct vt_grid *g, struct place *p, size_t np)
{
	size_t row;

	for (; np > 0; np--, p++) {
		if (!p->packed || p->done)
			continue;
		if (vt_history_resolve(g->history, &p->pos, &row, &p->x))
			p->number = vt_grid_first(g) + row;
		else
			p->done = true;
	}
}

static void
anchor_put(struct vt_grid *g, struct vt_anchor *a, const struct place *p,
    size_t top, size_t pull, size_t n)
{
	vt_row first = vt_grid_first(g), screen = vt_grid_screen(g);
	size_t row = p->outside ? n + p->row : p->row;

	if (p->packed && !p->done && p->number >= first) {
		a->row = p->number;
		a->col = MIN_OF(p->x, g->cols);
	} else if (!p->packed && row + screen + pull >= first + top) {
		a->row = MIN_OF(screen + pull + row - top, vt_grid_end(g) - 1);
		/* It may stand after the last column, as a cursor does. */
		a->col = MIN_OF(p->x + (p->pending ? 1U : 0U), g->cols);
	} else {
		a->row = first;
		a->col = 0;
		a->lost = true;
	}
}

/* Moves a point behind the last character of its row there. */
static void
point_to_text(const struct vt_grid *g, struct vt_point *pt)
{
	if (!pt->pending && pt->y < g->rows)
		pt->x = MIN_OF(pt->x, vt_line_written(g->lines[pt->y]));
}

/* Changes the size; with REFLOW only the width or only the height. */
static void
grid_resize(struct vt_grid *g, unsigned cols, unsigned rows, bool reflow,
    struct vt_point *pts, size_t npts)
{
	const bool wrap = reflow && cols != g->cols;
	unsigned content = wrap ? g->rows : screen_content(g, pts, npts);
	size_t np = npts + g->anchors.count, i, n, hot, top, pull, count, keep;
	const size_t no_cursor = SIZE_MAX, *cursor;
	bool never_cleared;
	struct group *groups;
	struct place *places;
	struct list_node *node;
	struct rows r;

	if (cols == g->cols && rows == g->rows)
		return;
	places = mem_calloc(np + 1, sizeof(*places));
	/* Packed rows cost nothing to wrap. */
	if (g->history != NULL && cols < g->cols)
		vt_history_pack(g->history);
	hot = g->history == NULL ? 0 : vt_history_hot(g->history);
	never_cleared =
	    g->history != NULL && vt_history_rows(g->history) <= g->scrolled;
	for (i = 0; i < npts; i++) {
		if (wrap && i == 0)
			point_to_text(g, &pts[i]);
		place_of_point(&pts[i], hot, content, &places[i]);
	}
	LIST_FOREACH(node, &g->anchors)
		place_of_anchor(g, container_of(node, struct vt_anchor, node),
		    hot, content, &places[i++]);
	rows_take(g, content, &r, &hot);
	n = r.n;
	if (g->history != NULL) {
		vt_history_hold(g->history, true);
		vt_history_set_cols(g->history, cols);
		places_resolve(g, places, np);
	}
	cursor = npts > 0 ? &places[0].row : &no_cursor;
	if (wrap) {
		/* Follow the first row of the screen like a place. */
		places[np].row = hot;
		groups = rows_measure(g, &r, cols, places, np + 1, &count, &n);
		top = screen_top_by_width(
		    g, n, places[np].row, never_cleared, rows, &pull);
		keep = rows_kept(g);
		if (top > keep && g->history != NULL)
			vt_history_clear(g->history);
		rows_wrap(g, &r, groups, count, cols,
		    top > keep ? top - keep : 0, top, top + rows);
		mem_free(groups);
	} else {
		if (cols < g->cols)
			rows_cut(g, &r, cols);
		top = screen_top_by_height(g, n, hot, *cursor, rows, &pull);
	}
	screen_put(g, &r, top, pull, cols, rows);
	if (g->history != NULL)
		vt_history_hold(g->history, false);
	for (i = 0; i < npts; i++)
		point_put(&pts[i], &places[i], top, pull, n, g);
	LIST_FOREACH(node, &g->anchors)
		anchor_put(g, container_of(node, struct vt_anchor, node),
		    &places[i++], top, pull, n);
	mem_free(r.list);
	mem_free(places);
}

void
vt_grid_resize(struct vt_grid *g, unsigned cols, unsigned rows, bool reflow,
    struct vt_point *pts, size_t npts)
{
	cols = CLAMP(cols, 1u, (unsigned)VT_COLS_MAX);
	rows = CLAMP(rows, 1u, (unsigned)VT_ROWS_MAX);
	if (reflow)
		grid_resize(g, g->cols, rows, reflow, pts, npts);
	grid_resize(g, cols, rows, reflow, pts, npts);
}
