/* Cells of the layout tree and the steps from one to the next. */
#include "base/mem.h"
#include "mux/layout.h"

struct layout_cell *
layout_cell_new(struct layout_cell *parent)
{
	struct layout_cell *c = mem_zalloc(sizeof(*c));

	c->parent = parent;
	c->kind = LAYOUT_LEAF;
	c->pane = LAYOUT_NO_PANE;
	list_init(&c->children);
	return c;
}

void
layout_cell_free(struct layout_cell *c)
{
	struct layout_cell *child;

	if (c == NULL)
		return;
	while ((child = layout_first(c)) != NULL) {
		list_remove(&c->children, &child->node);
		layout_cell_free(child);
	}
	mem_free(c);
}

struct layout_cell *
layout_cell_add(struct layout_cell *parent, int w, int h, uint32_t pane)
{
	struct layout_cell *c = layout_cell_new(parent);

	c->w = w;
	c->h = h;
	c->pane = pane;
	list_push_back(&parent->children, &c->node);
	return c;
}

struct layout_cell *
layout_first(const struct layout_cell *c)
{
	return list_entry(list_first(&c->children), struct layout_cell, node);
}

struct layout_cell *
layout_last(const struct layout_cell *c)
{
	return list_entry(list_last(&c->children), struct layout_cell, node);
}

struct layout_cell *
layout_next(const struct layout_cell *c)
{
	if (c->parent == NULL)
		return NULL;
	return list_entry(list_next(&c->parent->children, &c->node),
	    struct layout_cell, node);
}

struct layout_cell *
layout_prev(const struct layout_cell *c)
{
	if (c->parent == NULL)
		return NULL;
	return list_entry(list_prev(&c->parent->children, &c->node),
	    struct layout_cell, node);
}

/* --- tiled cells --------------------------------------------------------- */

bool
layout_tiled(const struct layout_cell *c)
{
	if (c->kind == LAYOUT_LEAF)
		return !c->floating;
	return layout_first_tiled(c) != NULL;
}

struct layout_cell *
layout_first_tiled(const struct layout_cell *c)
{
	struct layout_cell *o = layout_first(c);

	return o == NULL || layout_tiled(o) ? o : layout_next_tiled(o);
}

struct layout_cell *
layout_last_tiled(const struct layout_cell *c)
{
	struct layout_cell *o = layout_last(c);

	return o == NULL || layout_tiled(o) ? o : layout_prev_tiled(o);
}

struct layout_cell *
layout_next_tiled(const struct layout_cell *c)
{
	struct layout_cell *o = layout_next(c);

	while (o != NULL && !layout_tiled(o))
		o = layout_next(o);
	return o;
}

struct layout_cell *
layout_prev_tiled(const struct layout_cell *c)
{
	struct layout_cell *o = layout_prev(c);

	while (o != NULL && !layout_tiled(o))
		o = layout_prev(o);
	return o;
}

int
layout_cols(const struct layout *l)
{
	return l->root != NULL && layout_tiled(l->root) ? l->root->w : l->w;
}

int
layout_rows(const struct layout *l)
{
	return l->root != NULL && layout_tiled(l->root) ? l->root->h : l->h;
}

struct layout_cell *
layout_next_leaf(const struct layout *l, const struct layout_cell *c)
{
	struct layout_cell *next;

	if (c == NULL)
		next = l->root;
	else {
		while (c != NULL && layout_next(c) == NULL)
			c = c->parent;
		next = c == NULL ? NULL : layout_next(c);
	}
	while (next != NULL && next->kind != LAYOUT_LEAF)
		next = layout_first(next);
	return next;
}
