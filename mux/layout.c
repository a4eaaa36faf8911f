/*
 * The tree. A cell with children is a row or a column and has at least two of
 * them. The tiled children of a row have its height. Their widths, with one
 * column between each two, add up to its width. Columns are alike. A child of a
 * row may be a row: tmux keeps and prints such trees, so rmux does too. A row
 * or column without a tiled leaf takes no room, like a floating leaf.
 */
#include "mux/layout.h"

#include "base/err.h"
#include "base/mem.h"
#include "mux/layout_size.h"

void
layout_init(struct layout *l, uint32_t pane, int w, int h)
{
	*l = (struct layout){ 0 };
	l->root = layout_cell_new(NULL);
	l->root->w = l->w = CLAMP(w, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	l->root->h = l->h = CLAMP(h, LAYOUT_PANE_MIN, LAYOUT_SIZE_MAX);
	l->root->pane = pane;
}

void
layout_fini(struct layout *l)
{
	layout_cell_free(l->root);
	l->root = NULL;
}

static struct layout_cell *
cell_copy(const struct layout_cell *src, struct layout_cell *parent)
{
	struct layout_cell *dst = layout_cell_new(parent), *child;
	const struct layout_cell *c;

	dst->kind = src->kind;
	dst->x = src->x;
	dst->y = src->y;
	dst->w = src->w;
	dst->h = src->h;
	dst->pane = src->pane;
	dst->floating = src->floating;
	dst->saved = src->saved;
	for (c = layout_first(src); c != NULL; c = layout_next(c)) {
		child = cell_copy(c, dst);
		list_push_back(&dst->children, &child->node);
	}
	return dst;
}

/* Copies SRC to DST, which is not initialised. */
static void
layout_copy(struct layout *dst, const struct layout *src)
{
	*dst = *src;
	dst->root = src->root == NULL ? NULL : cell_copy(src->root, NULL);
}

struct layout_cell *
layout_find(const struct layout *l, uint32_t pane)
{
	struct layout_cell *c = NULL;

	while ((c = layout_next_leaf(l, c)) != NULL)
		if (c->pane == pane)
			return c;
	return NULL;
}

size_t
layout_count(const struct layout *l)
{
	const struct layout_cell *c = NULL;
	size_t n = 0;

	while ((c = layout_next_leaf(l, c)) != NULL)
		n++;
	return n;
}

size_t
layout_count_tiled(const struct layout *l)
{
	const struct layout_cell *c = NULL;
	size_t n = 0;

	while ((c = layout_next_leaf(l, c)) != NULL)
		n += !c->floating;
	return n;
}

void
layout_set_panes(struct layout *l, const uint32_t *ids, size_t n)
{
	struct layout_cell *c = NULL;
	size_t i = 0;

	while ((c = layout_next_leaf(l, c)) != NULL)
		c->pane = i < n ? ids[i++] : LAYOUT_NO_PANE;
}

struct cell_rect
layout_pane_rect(const struct layout *l, const struct layout_cell *leaf)
{
	struct cell_rect r = { leaf->x, leaf->y, leaf->w, leaf->h };

	if (!leaf->floating && layout_edge_row(l, leaf)) {
		if (l->edge == LAYOUT_EDGE_TOP && r.y + 1 < l->h)
			r.y++;
		if (r.h > 1)
			r.h--;
	}
	if (l->scrollbar > 0 && r.w > l->scrollbar) {
		if (l->scrollbar_left)
			r.x += l->scrollbar;
		r.w -= l->scrollbar;
	}
	return r;
}

/* --- splitting ----------------------------------------------------------- */

/* The result of planning a split. */
struct split_plan {
	struct layout_cell *cell; /* the cell to split */
	int total;                /* its size in the direction of the split */
	int first;                /* size of the left or upper half */
	int second;
	int kept; /* size that the old content keeps */
};

static int
cell_size(const struct layout_cell *c, enum layout_kind kind)
{
	return kind == LAYOUT_ROW ? c->w : c->h;
}

static size_t
cell_depth(const struct layout_cell *c)
{
	size_t n = 0;

	for (; c != NULL; c = c->parent)
		n++;
	return n;
}

static size_t
cell_height(const struct layout_cell *c)
{
	size_t n = 0;

	for (c = layout_first(c); c != NULL; c = layout_next(c))
		n = MAX_OF(n, cell_height(c));
	return n + 1;
}

static int
plan_split(const struct layout *l, uint32_t pane,
    const struct layout_split *how, struct split_plan *p)
{
	size_t depth;
	int least;

	p->cell = layout_find(l, pane);
	if (p->cell == NULL)
		return -ERR_NOTFOUND;
	if (p->cell->floating)
		return -ERR_STATE;
	if (how->full)
		p->cell = l->root;
	p->total = cell_size(p->cell, how->kind);
	least = 2 * LAYOUT_PANE_MIN + 1;
	if (how->kind == LAYOUT_ROW)
		least += 2 * l->scrollbar;
	else if (layout_edge_row(l, p->cell))
		least++;
	depth = how->full ? 1 + cell_height(l->root) : 1 + cell_depth(p->cell);
	if (p->total < least || depth > LAYOUT_DEPTH_MAX)
		return -ERR_LIMIT;
	if (how->size < 0)
		p->second = (p->total + 1) / 2 - 1;
	else if (how->before)
		p->second = p->total - MIN_OF(how->size, LAYOUT_SIZE_MAX) - 1;
	else
		p->second = MIN_OF(how->size, LAYOUT_SIZE_MAX);
	p->second = p->second < LAYOUT_PANE_MIN ? LAYOUT_PANE_MIN
		    : p->second > p->total - 2  ? p->total - 2
						: p->second;
	p->first = p->total - 1 - p->second;
	p->kept = how->before ? p->second : p->first;
	if (how->full && !layout_can_be(l, p->cell, how->kind, p->kept))
		return -ERR_LIMIT;
	return 0;
}

static void
set_size(struct layout_cell *c, enum layout_kind kind, int along, int across)
{
	c->w = kind == LAYOUT_ROW ? along : across;
	c->h = kind == LAYOUT_ROW ? across : along;
}

struct layout_cell *
layout_cell_wrap(struct layout *l, struct layout_cell *c, enum layout_kind kind)
{
	struct layout_cell *parent = layout_cell_new(c->parent);

	parent->kind = kind;
	parent->x = c->x;
	parent->y = c->y;
	parent->w = c->w;
	parent->h = c->h;
	if (c->parent == NULL)
		l->root = parent;
	else {
		list_insert_before(
		    &c->parent->children, &c->node, &parent->node);
		list_remove(&c->parent->children, &c->node);
	}
	c->parent = parent;
	list_push_back(&parent->children, &c->node);
	return parent;
}

/*
 * Shrinks C and all cells below it to SIZE: in proportion as tmux does, or cell
 * by cell.
 */
static int
shrink_to(struct layout *l, struct layout_cell *c, enum layout_kind kind,
    int size, bool proportional)
{
	int less = cell_size(c, kind) - size;

	if (proportional) {
		if (kind == LAYOUT_ROW)
			c->w = size;
		else
			c->h = size;
		layout_fit_children(l, c);
		return 0;
	}
	if (less > layout_can_shrink(l, c, kind))
		return -ERR_LIMIT;
	layout_adjust(l, c, kind, -less);
	return 0;
}

static int
split_cell(struct layout *l, const struct split_plan *p, uint32_t added,
    const struct layout_split *how, bool proportional)
{
	struct layout_cell *c = p->cell, *fresh, *parent;
	int r = 0, across = how->kind == LAYOUT_ROW ? c->h : c->w;

	if (how->full && c->kind == how->kind) {
		/* The root has the right kind: its children make room. */
		r = shrink_to(l, c, how->kind, p->kept, proportional);
		set_size(c, how->kind, p->total, across);
		fresh = layout_cell_new(c);
		if (how->before)
			list_push_front(&c->children, &fresh->node);
		else
			list_push_back(&c->children, &fresh->node);
	} else {
		parent = c->parent;
		if (parent == NULL || parent->kind != how->kind)
			parent = layout_cell_wrap(l, c, how->kind);
		fresh = layout_cell_new(parent);
		if (how->before)
			list_insert_before(
			    &parent->children, &c->node, &fresh->node);
		else
			list_insert_after(
			    &parent->children, &c->node, &fresh->node);
		if (how->full)
			r = shrink_to(l, c, how->kind, p->kept, proportional);
		else
			set_size(c, how->kind, p->kept, across);
	}
	set_size(fresh, how->kind, p->total - 1 - p->kept, across);
	fresh->pane = added;
	layout_fix_offsets(l);
	return r;
}

/*
 * Splits a copy of the whole window first: proportional shares can leave a
 * nested row or column without room, although there is enough.
 */
static int
split_full(const struct layout *l, const struct split_plan *plan,
    uint32_t added, const struct layout_split *how, struct layout *out)
{
	struct split_plan p = *plan;
	int r;

	layout_copy(out, l);
	p.cell = out->root;
	r = split_cell(out, &p, added, how, true);
	if (r == 0 && layout_check(out) == NULL)
		return 0;
	layout_fini(out);
	layout_copy(out, l);
	p.cell = out->root;
	r = split_cell(out, &p, added, how, false);
	if (r != 0)
		layout_fini(out);
	return r;
}

int
layout_split(struct layout *l, uint32_t pane, uint32_t added,
    const struct layout_split *how)
{
	struct layout made;
	struct split_plan p;
	int r;

	if ((r = plan_split(l, pane, how, &p)) != 0)
		return r;
	if (layout_count(l) >= LAYOUT_PANES_MAX)
		return -ERR_LIMIT;
	if (!how->full)
		return split_cell(l, &p, added, how, true);
	if ((r = split_full(l, &p, added, how, &made)) != 0)
		return r;
	layout_cell_free(l->root);
	l->root = made.root;
	return 0;
}

bool
layout_can_split(
    const struct layout *l, uint32_t pane, const struct layout_split *how)
{
	struct layout made;
	struct split_plan p;

	if (plan_split(l, pane, how, &p) != 0)
		return false;
	if (!how->full)
		return true;
	if (split_full(l, &p, LAYOUT_NO_PANE, how, &made) != 0)
		return false;
	layout_fini(&made);
	return true;
}

/* --- closing and moving -------------------------------------------------- */

void
layout_cell_release(struct layout *l, struct layout_cell *c)
{
	struct layout_cell *heir, *parent;
	int room;

	while ((parent = c->parent) != NULL) {
		heir = layout_next_tiled(c);
		if (heir == NULL)
			heir = layout_prev_tiled(c);
		room = cell_size(c, parent->kind) + 1;
		c->x = c->y = c->w = c->h = 0;
		if (heir != NULL) {
			layout_adjust(l, heir, parent->kind, room);
			return;
		}
		/* The row or column becomes empty: it gives its room, too. */
		c = parent;
	}
}

void
layout_cell_close(struct layout *l, struct layout_cell *c)
{
	struct layout_cell *parent = c->parent, *only;

	if (parent == NULL) {
		layout_fini(l);
		return;
	}
	if (!c->floating)
		layout_cell_release(l, c);
	list_remove(&parent->children, &c->node);
	layout_cell_free(c);
	if (parent->children.count > 1)
		return;
	only = layout_first(parent);
	list_remove(&parent->children, &only->node);
	only->parent = parent->parent;
	if (parent->parent == NULL)
		l->root = only;
	else {
		list_insert_before(
		    &parent->parent->children, &parent->node, &only->node);
		list_remove(&parent->parent->children, &parent->node);
	}
	layout_cell_free(parent);
}

int
layout_close(struct layout *l, uint32_t pane)
{
	struct layout_cell *c = layout_find(l, pane);

	if (c == NULL)
		return -ERR_NOTFOUND;
	layout_cell_close(l, c);
	layout_fix_offsets(l);
	return 0;
}

int
layout_swap(struct layout *la, uint32_t a, struct layout *lb, uint32_t b)
{
	struct layout_cell *ca = layout_find(la, a), *cb = layout_find(lb, b);

	if (ca == NULL || cb == NULL)
		return -ERR_NOTFOUND;
	ca->pane = b;
	cb->pane = a;
	return 0;
}

void
layout_rotate(struct layout *l, const uint32_t *ids, size_t n, bool up)
{
	struct layout_cell **cells = mem_calloc(n + 1, sizeof(*cells));
	size_t i;

	for (i = 0; i < n; i++)
		cells[i] = layout_find(l, ids[i]);
	for (i = 0; i < n; i++)
		cells[i]->pane = ids[(i + (up ? 1 : n - 1)) % n];
	mem_free(cells);
}

/* --- lookup -------------------------------------------------------------- */

struct layout_cell *
layout_border_at(const struct layout *l, int x, int y, enum layout_kind *kind)
{
	struct layout_cell *c = l->root, *child, *prev;
	bool inside;

	while (c != NULL && c->kind != LAYOUT_LEAF) {
		prev = NULL;
		inside = false;
		for (child = layout_first_tiled(c); child != NULL;
		     child = layout_next_tiled(child)) {
			if (x >= child->x && x < child->x + child->w &&
			    y >= child->y && y < child->y + child->h) {
				inside = true;
				break;
			}
			if (prev != NULL &&
			    (c->kind == LAYOUT_ROW
				    ? x == child->x - 1 && y >= c->y &&
					  y < c->y + c->h
				    : y == child->y - 1 && x >= c->x &&
					  x < c->x + c->w)) {
				*kind = c->kind;
				return prev;
			}
			prev = child;
		}
		if (!inside)
			return NULL;
		c = child;
	}
	return NULL;
}

/*
 * Looks at the structure, not at positions: offsets may be stale while sizes
 * change. EDGE finds the child of a KIND at the edge.
 */
static bool
at_edge(const struct layout_cell *c, enum layout_kind kind,
    struct layout_cell *(*edge)(const struct layout_cell *))
{
	for (; c->parent != NULL; c = c->parent)
		if (c->parent->kind == kind && edge(c->parent) != c)
			return false;
	return true;
}

bool
layout_at_top(const struct layout_cell *c)
{
	return at_edge(c, LAYOUT_COLUMN, layout_first_tiled);
}

bool
layout_at_bottom(const struct layout_cell *c)
{
	return at_edge(c, LAYOUT_COLUMN, layout_last_tiled);
}

bool
layout_at_left(const struct layout_cell *c)
{
	return at_edge(c, LAYOUT_ROW, layout_first_tiled);
}

bool
layout_at_right(const struct layout_cell *c)
{
	return at_edge(c, LAYOUT_ROW, layout_last_tiled);
}

/* --- invariants ---------------------------------------------------------- */

static const char *
check_child(
    const struct layout_cell *c, const struct layout_cell *child, int at)
{
	if (cell_size(
		child, c->kind == LAYOUT_ROW ? LAYOUT_COLUMN : LAYOUT_ROW) !=
	    (c->kind == LAYOUT_ROW ? c->h : c->w))
		return "a child does not fill its row or column";
	if ((c->kind == LAYOUT_ROW ? child->x : child->y) != at ||
	    (c->kind == LAYOUT_ROW ? child->y != c->y : child->x != c->x))
		return "wrong offset";
	return NULL;
}

static const char *
check_cell(const struct layout *l, const struct layout_cell *c, size_t depth)
{
	const struct layout_cell *child;
	const char *wrong;
	int at, sum = 0;

	if (depth > LAYOUT_DEPTH_MAX)
		return "nested too deeply";
	if (c->kind == LAYOUT_LEAF) {
		if (c->children.count != 0)
			return "a leaf has children";
		if (c->w < LAYOUT_PANE_MIN || c->h < LAYOUT_PANE_MIN)
			return "a pane is under its minimum";
		if (c->w > LAYOUT_SIZE_MAX || c->h > LAYOUT_SIZE_MAX)
			return "a pane is over its maximum";
		return NULL;
	}
	if (c->floating)
		return "a row or column floats";
	if (c->children.count < 2)
		return "a row or column of less than two";
	at = c->kind == LAYOUT_ROW ? c->x : c->y;
	for (child = layout_first(c); child != NULL;
	     child = layout_next(child)) {
		if (child->parent != c)
			return "wrong parent";
		if ((wrong = check_cell(l, child, depth + 1)) != NULL)
			return wrong;
		if (!layout_tiled(child))
			continue;
		if ((wrong = check_child(c, child, at)) != NULL)
			return wrong;
		at += cell_size(child, c->kind) + 1;
		sum += cell_size(child, c->kind) + 1;
	}
	return sum == 0 || sum - 1 == cell_size(c, c->kind)
		   ? NULL
		   : "sizes do not add up";
}

const char *
layout_check(const struct layout *l)
{
	if (l->root == NULL)
		return NULL;
	if (l->root->parent != NULL ||
	    (layout_tiled(l->root) && (l->root->x != 0 || l->root->y != 0)))
		return "the root is not at the origin";
	return check_cell(l, l->root, 1);
}
