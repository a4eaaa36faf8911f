/*
 * Arithmetic. All changes go through layout_adjust, which gives single cells to
 * the children in turn. It must work one cell at a time: a row within a row
 * gives each single cell to its first child, and users know the result.
 */
#include "mux/layout_size.h"

#include "base/err.h"

static int
along(const struct layout_cell *c, enum layout_kind kind)
{
	return kind == LAYOUT_ROW ? c->w : c->h;
}

bool
layout_edge_row(const struct layout *l, const struct layout_cell *c)
{
	switch (l->edge) {
	case LAYOUT_EDGE_TOP:
		return layout_at_top(c);
	case LAYOUT_EDGE_BOTTOM:
		return layout_at_bottom(c);
	case LAYOUT_EDGE_NONE:
		break;
	}
	return false;
}

/* Returns the smallest width or height of a leaf. */
static int
layout_leaf_min(
    const struct layout *l, const struct layout_cell *c, enum layout_kind kind)
{
	if (kind == LAYOUT_ROW)
		return LAYOUT_PANE_MIN + l->scrollbar;
	return LAYOUT_PANE_MIN + (layout_edge_row(l, c) ? 1 : 0);
}

int
layout_can_shrink(
    const struct layout *l, const struct layout_cell *c, enum layout_kind kind)
{
	const struct layout_cell *child;
	int n, sum = 0, least = INT32_MAX;

	if (c->kind == LAYOUT_LEAF)
		return MAX_OF(0, along(c, kind) - layout_leaf_min(l, c, kind));
	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child)) {
		n = layout_can_shrink(l, child, kind);
		sum += n;
		least = MIN_OF(least, n);
	}
	return c->kind == kind ? sum : least;
}

void
layout_adjust(
    struct layout *l, struct layout_cell *c, enum layout_kind kind, int change)
{
	struct layout_cell *child;

	if (kind == LAYOUT_ROW)
		c->w += change;
	else
		c->h += change;
	if (c->kind == LAYOUT_LEAF)
		return;
	if (c->kind != kind) {
		for (child = layout_first_tiled(c); child != NULL;
		     child = layout_next_tiled(child))
			layout_adjust(l, child, kind, change);
		return;
	}
	while (change != 0) {
		int before = change;

		for (child = layout_first_tiled(c);
		     child != NULL && change != 0;
		     child = layout_next_tiled(child)) {
			if (change > 0) {
				layout_adjust(l, child, kind, 1);
				change--;
			} else if (layout_can_shrink(l, child, kind) > 0) {
				layout_adjust(l, child, kind, -1);
				change++;
			}
		}
		bug_assert(change != before);
	}
}

void
layout_fix_offsets(struct layout *l)
{
	struct layout_cell *c, *child;
	int x, y;

	if ((c = l->root) == NULL || (c->kind == LAYOUT_LEAF && c->floating))
		return;
	c->x = c->y = 0;
	/* Visit a cell before its children. */
	while (c != NULL) {
		x = c->x;
		y = c->y;
		for (child = layout_first_tiled(c); child != NULL;
		     child = layout_next_tiled(child)) {
			child->x = x;
			child->y = y;
			if (c->kind == LAYOUT_ROW)
				x += child->w + 1;
			else
				y += child->h + 1;
		}
		if (layout_first_tiled(c) != NULL)
			c = layout_first_tiled(c);
		else {
			while (c != NULL && layout_next_tiled(c) == NULL)
				c = c->parent;
			c = c == NULL ? NULL : layout_next_tiled(c);
		}
	}
}

static int
tiled_children(const struct layout_cell *c)
{
	const struct layout_cell *child;
	int n = 0;

	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child))
		n++;
	return n;
}

/* Returns the sum of a cell's children and of the borders between them. */
static int
children_size(const struct layout_cell *c)
{
	const struct layout_cell *child;
	int n = -1;

	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child))
		n += along(child, c->kind) + 1;
	return n;
}

/*
 * Computes the size of CHILD when its row or column, PREVIOUS cells long,
 * becomes SIZE long: in proportion, but with room for the COUNT - 1 children
 * after it in LEFT.
 */
static int
child_share(const struct layout *l, const struct layout_cell *child,
    enum layout_kind kind, int previous, int size, int count, int left)
{
	int need, n, max;

	if (count == 1)
		return left;
	need = (LAYOUT_PANE_MIN + 1) * (count - 1);
	n = along(child, kind) - layout_can_shrink(l, child, kind);
	need = MAX_OF(need, n);
	n = previous <= 0
		? 0
		: (int)((int64_t)along(child, kind) * size / previous);
	max = left - need;
	n = MIN_OF(n, max);
	return MAX_OF(n, LAYOUT_PANE_MIN);
}

void
layout_fit_children(struct layout *l, struct layout_cell *c)
{
	struct layout_cell *child;
	int previous, left, count;

	if (c->kind == LAYOUT_LEAF)
		return;
	previous = children_size(c);
	count = tiled_children(c);
	left = along(c, c->kind);
	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child)) {
		int n = child_share(l, child, c->kind, previous,
		    along(c, c->kind), count--, left);

		left -= n + 1;
		if (c->kind == LAYOUT_ROW) {
			child->w = n;
			child->h = c->h;
		} else {
			child->h = n;
			child->w = c->w;
		}
		layout_fit_children(l, child);
	}
}

bool
layout_can_be(const struct layout *l, const struct layout_cell *c,
    enum layout_kind kind, int size)
{
	const struct layout_cell *child;
	int count, left, previous, n;

	if (c->kind == LAYOUT_LEAF)
		return size >= LAYOUT_PANE_MIN;
	if (c->kind != kind) {
		for (child = layout_first_tiled(c); child != NULL;
		     child = layout_next_tiled(child))
			if (!layout_can_be(l, child, kind, size))
				return false;
		return true;
	}
	count = tiled_children(c);
	if (size < count * 2 - 1)
		return false;
	previous = children_size(c);
	left = size;
	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child)) {
		n = child_share(l, child, kind, previous, size, count--, left);
		if (n + (count == 0 ? 0 : 1) > left)
			return false;
		left -= n + 1;
		if (!layout_can_be(l, child, kind, n))
			return false;
	}
	return true;
}

/* --- the window ---------------------------------------------------------- */

static void
resize_root(struct layout *l, enum layout_kind kind, int size)
{
	int change = size - along(l->root, kind), limit;

	limit = layout_can_shrink(l, l->root, kind);
	if (change < -limit)
		change = -limit;
	if (change != 0)
		layout_adjust(l, l->root, kind, change);
}

void
layout_resize(struct layout *l, int w, int h)
{
	l->w = CLAMP(w, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	l->h = CLAMP(h, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	if (l->root == NULL)
		return;
	if (!layout_tiled(l->root)) {
		if (l->root->kind != LAYOUT_LEAF) {
			l->root->w = l->w;
			l->root->h = l->h;
			layout_fix_offsets(l);
		}
		return;
	}
	resize_root(l, LAYOUT_ROW, CLAMP(w, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX));
	resize_root(
	    l, LAYOUT_COLUMN, CLAMP(h, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX));
	layout_fix_offsets(l);
}

/* --- one border ---------------------------------------------------------- */

/* Moves at most N cells into C, from the cells after it or else before it. */
static int
grow_cell(struct layout *l, struct layout_cell *c, enum layout_kind kind, int n)
{
	struct layout_cell *from;
	int have = 0;

	for (from = layout_next_tiled(c); from != NULL;
	     from = layout_next_tiled(from))
		if ((have = layout_can_shrink(l, from, kind)) > 0)
			break;
	if (from == NULL)
		for (from = layout_prev_tiled(c); from != NULL;
		     from = layout_prev_tiled(from))
			if ((have = layout_can_shrink(l, from, kind)) > 0)
				break;
	if (from == NULL)
		return 0;
	n = MIN_OF(n, have);
	layout_adjust(l, c, kind, n);
	layout_adjust(l, from, kind, -n);
	return n;
}

/* Moves at most N cells from C, or from one before it, to the one after. */
static int
shrink_cell(
    struct layout *l, struct layout_cell *c, enum layout_kind kind, int n)
{
	struct layout_cell *from, *to = layout_next_tiled(c);
	int have = 0;

	for (from = c; from != NULL; from = layout_prev_tiled(from))
		if ((have = layout_can_shrink(l, from, kind)) > 0)
			break;
	if (from == NULL || to == NULL)
		return 0;
	n = MIN_OF(n, have);
	layout_adjust(l, to, kind, n);
	layout_adjust(l, from, kind, -n);
	return n;
}

int
layout_resize_cell(
    struct layout *l, struct layout_cell *c, enum layout_kind kind, int change)
{
	int left = change > 0 ? change : -change, n, done = 0;

	left = MIN_OF(left, LAYOUT_SIZE_MAX);
	while (left > 0) {
		n = change > 0 ? grow_cell(l, c, kind, left)
			       : shrink_cell(l, c, kind, left);
		if (n == 0)
			break;
		left -= n;
		done += n;
	}
	layout_fix_offsets(l);
	return done > 0 || change == 0 ? 0 : -ERR_LIMIT;
}

/*
 * Returns the cell around C (or C) that is a child of a KIND with several tiled
 * children; NULL if there is none.
 */
static struct layout_cell *
child_of_kind(struct layout_cell *c, enum layout_kind kind)
{
	while (c->parent != NULL &&
	       (c->parent->kind != kind || tiled_children(c->parent) < 2))
		c = c->parent;
	return c->parent == NULL ? NULL : c;
}

int
layout_resize_pane(
    struct layout *l, uint32_t pane, enum layout_kind kind, int change)
{
	struct layout_cell *c = layout_find(l, pane);

	if (c == NULL || c->floating)
		return -ERR_NOTFOUND;
	if ((c = child_of_kind(c, kind)) == NULL)
		return -ERR_LIMIT;
	if (layout_next_tiled(c) == NULL)
		c = layout_prev_tiled(c);
	return layout_resize_cell(l, c, kind, change);
}

int
layout_resize_pane_to(
    struct layout *l, uint32_t pane, enum layout_kind kind, int size)
{
	struct layout_cell *c = layout_find(l, pane);
	int change;

	if (c == NULL || c->floating)
		return -ERR_NOTFOUND;
	if ((c = child_of_kind(c, kind)) == NULL)
		return -ERR_LIMIT;
	size = CLAMP(size, 0, LAYOUT_SIZE_MAX);
	if (layout_next_tiled(c) == NULL) {
		change = along(c, kind) - size;
		c = layout_prev_tiled(c);
	} else
		change = size - along(c, kind);
	return layout_resize_cell(l, c, kind, change);
}

/* --- spreading ----------------------------------------------------------- */

/* The sizes of the children of a cell that is spread. */
struct even_size {
	int each;
	int rest; /* the first ones get one cell more */
};

/* Computes the size of CHILD, number I among the tiled children of C. */
static int
spread_share(const struct layout *l, const struct layout_cell *c,
    const struct layout_cell *child, const struct even_size *sp, int i)
{
	int want = sp->each + (i < sp->rest);

	if (c->kind == LAYOUT_COLUMN && layout_edge_row(l, child))
		want++;
	return want;
}

bool
layout_spread_cell(struct layout *l, struct layout_cell *c)
{
	struct layout_cell *child;
	int n = tiled_children(c), size, change, i = 0;
	struct even_size sp;
	bool changed = false;

	if (c->kind == LAYOUT_LEAF || n < 2)
		return false;
	size = along(c, c->kind);
	if (c->kind == LAYOUT_COLUMN && layout_edge_row(l, c))
		size--;
	sp.each = (size - (n - 1)) / n;
	if (size < n - 1 || sp.each == 0)
		return false;
	sp.rest = size - (n - 1) - sp.each * n;
	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child)) {
		change =
		    spread_share(l, c, child, &sp, i++) - along(child, c->kind);
		if (change < 0 &&
		    -change > layout_can_shrink(l, child, c->kind))
			return false;
	}
	i = 0;
	for (child = layout_first_tiled(c); child != NULL;
	     child = layout_next_tiled(child)) {
		change =
		    spread_share(l, c, child, &sp, i++) - along(child, c->kind);
		layout_adjust(l, child, c->kind, change);
		changed |= change != 0;
	}
	return changed;
}

bool
layout_spread(struct layout *l, uint32_t pane)
{
	struct layout_cell *c = layout_find(l, pane);

	for (c = c == NULL ? NULL : c->parent; c != NULL; c = c->parent)
		if (layout_spread_cell(l, c)) {
			layout_fix_offsets(l);
			return true;
		}
	return false;
}
