#include "mux/layout_float.h"

#include "base/err.h"
#include "mux/layout_size.h"

/* The part of the window that splits of floating panes use. */
#define MARGIN_X 4
#define MARGIN_Y 2
#define GAP 2 /* cells between the two panes: their borders */

static int
along(const struct layout_cell *c, enum layout_kind kind)
{
	return kind == LAYOUT_ROW ? c->w : c->h;
}

static void
set_place(struct layout_cell *c, const struct cell_rect *r)
{
	c->x = r->x;
	c->y = r->y;
	c->w = CLAMP(r->w, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	c->h = CLAMP(r->h, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
}

int
layout_float_add(struct layout *l, uint32_t beside, uint32_t added,
    const struct cell_rect *r)
{
	struct layout_cell *c = layout_find(l, beside), *parent, *fresh;

	if (c == NULL)
		return -ERR_NOTFOUND;
	if (layout_count(l) >= LAYOUT_PANES_MAX)
		return -ERR_LIMIT;
	parent = c->parent;
	if (parent == NULL)
		parent = layout_cell_wrap(l, c, LAYOUT_COLUMN);
	fresh = layout_cell_new(parent);
	fresh->pane = added;
	fresh->floating = true;
	set_place(fresh, r);
	list_insert_after(&parent->children, &c->node, &fresh->node);
	return 0;
}

void
layout_float_append(struct layout *l, uint32_t added, const struct cell_rect *r)
{
	struct layout_cell *root = l->root, *c;

	if (root->kind == LAYOUT_LEAF)
		root = layout_cell_wrap(l, root, LAYOUT_COLUMN);
	c = layout_cell_add(root, 0, 0, added);
	c->floating = true;
	set_place(c, r);
}

struct layout_cell *
layout_float_insert(struct layout_cell *parent, struct layout_cell *behind,
    uint32_t added, const struct cell_rect *r)
{
	struct layout_cell *c = layout_cell_new(parent);

	c->pane = added;
	c->floating = true;
	set_place(c, r);
	if (behind == NULL)
		list_push_front(&parent->children, &c->node);
	else
		list_insert_after(&parent->children, &behind->node, &c->node);
	return c;
}

int
layout_float(struct layout *l, uint32_t pane, const struct cell_rect *r)
{
	struct layout_cell *c = layout_find(l, pane);

	if (c == NULL)
		return -ERR_NOTFOUND;
	if (c->floating)
		return -ERR_STATE;
	layout_cell_release(l, c);
	c->floating = true;
	set_place(c, r);
	layout_fix_offsets(l);
	return 0;
}

/* --- tiling -------------------------------------------------------------- */

/* Returns the tiled neighbour that makes room for C, or NULL. */
static struct layout_cell *
donor(const struct layout_cell *c)
{
	struct layout_cell *o = layout_next_tiled(c);

	return o != NULL ? o : layout_prev_tiled(c);
}

/* Gives FROM's size to the cells from C up to it; each has no tiled sibling. */
static void
fill_down(struct layout_cell *c, const struct layout_cell *from)
{
	for (; c != from; c = c->parent) {
		c->w = from->w;
		c->h = from->h;
	}
}

int
layout_tile(struct layout *l, uint32_t pane)
{
	struct layout_cell *c = layout_find(l, pane), *top, *from;
	struct cell_rect floated;
	enum layout_kind kind;
	int total, size;

	if (c == NULL)
		return -ERR_NOTFOUND;
	if (!c->floating)
		return -ERR_STATE;
	floated = (struct cell_rect){ c->x, c->y, c->w, c->h };
	for (top = c; top->parent != NULL; top = top->parent)
		if (donor(top) != NULL)
			break;
	if (top->parent == NULL) {
		top->w = l->w;
		top->h = l->h;
	} else {
		from = donor(top);
		kind = top->parent->kind;
		total = along(from, kind);
		size = total / 2;
		if (size < LAYOUT_PANE_MIN ||
		    layout_can_shrink(l, from, kind) < size + 1)
			return -ERR_LIMIT;
		layout_adjust(l, from, kind, -(size + 1));
		top->w = kind == LAYOUT_ROW ? size : top->parent->w;
		top->h = kind == LAYOUT_ROW ? top->parent->h : size;
	}
	fill_down(c, top);
	c->floating = false;
	c->saved = floated;
	layout_fix_offsets(l);
	return 0;
}

/* --- places -------------------------------------------------------------- */

int
layout_float_place(struct layout *l, uint32_t pane, const struct cell_rect *r)
{
	struct layout_cell *c = layout_find(l, pane);

	if (c == NULL)
		return -ERR_NOTFOUND;
	if (!c->floating)
		return -ERR_STATE;
	set_place(c, r);
	return 0;
}

static void
clamp_along(int *at, int *size, int border, int whole)
{
	int most = MAX_OF(whole - 2 * border, LAYOUT_PANE_MIN);

	*size = MIN_OF(*size, most);
	if (*at + *size + border > whole)
		*at = MAX_OF(whole - *size - border, border);
}

void
layout_float_clamp(struct cell_rect *r, int border, int cols, int rows)
{
	clamp_along(&r->x, &r->w, border, cols);
	clamp_along(&r->y, &r->h, border, rows);
}

/*
 * Divides the cells from LO to HI between two panes; the first gets one more if
 * they do not divide evenly.
 */
static int
share(int lo, int hi, int *at1, int *size1, int *at2, int *size2)
{
	int room = hi - lo - GAP;

	if (room < 2 * LAYOUT_PANE_MIN)
		return -ERR_LIMIT;
	*size2 = room / 2;
	*size1 = room - *size2;
	*at1 = lo;
	*at2 = lo + *size1 + GAP;
	return 0;
}

/* Moves a side of a pane between the margins of the window. */
static void
into_margins(int *at, int size, int margin, int whole)
{
	if (*at < margin)
		*at = margin;
	if (*at + size > whole - margin)
		*at = whole - margin - size;
}

/* Grows a pane up to the margin. */
static void
fill_rest(bool before, int margin, int whole, int *at, int *size)
{
	if (before) {
		*size += *at - margin;
		*at = margin;
	} else
		*size = whole - margin - *at;
}

int
layout_float_split(const struct layout_float_split *how, struct cell_rect *old,
    struct cell_rect *added, int cols, int rows)
{
	struct cell_rect o = *old, n;
	int r = 0;

	into_margins(&o.x, o.w, MARGIN_X, cols);
	into_margins(&o.y, o.h, MARGIN_Y, rows);
	n = o;
	if (how->kind == LAYOUT_ROW)
		n.x += how->before ? -(o.w + GAP) : o.w + GAP;
	else
		n.y += how->before ? -(o.h + GAP) : o.h + GAP;
	if (how->full && how->kind == LAYOUT_ROW) {
		n.y = MARGIN_Y;
		n.h = rows - 2 * MARGIN_Y;
	} else if (how->full) {
		n.x = MARGIN_X;
		n.w = cols - 2 * MARGIN_X;
	}
	if (n.w < LAYOUT_PANE_MIN || n.h < LAYOUT_PANE_MIN)
		return -ERR_LIMIT;
	if (n.x < MARGIN_X)
		r = share(MARGIN_X, o.x + o.w, &n.x, &n.w, &o.x, &o.w);
	else if (n.x + n.w > cols - MARGIN_X)
		r = share(o.x, cols - MARGIN_X, &o.x, &o.w, &n.x, &n.w);
	else if (n.y < MARGIN_Y)
		r = share(MARGIN_Y, o.y + o.h, &n.y, &n.h, &o.y, &o.h);
	else if (n.y + n.h > rows - MARGIN_Y)
		r = share(o.y, rows - MARGIN_Y, &o.y, &o.h, &n.y, &n.h);
	else if (how->full && how->kind == LAYOUT_ROW)
		fill_rest(how->before, MARGIN_X, cols, &n.x, &n.w);
	else if (how->full)
		fill_rest(how->before, MARGIN_Y, rows, &n.y, &n.h);
	if (r != 0)
		return r;
	*old = o;
	*added = n;
	return 0;
}
