/*
 * mux/layout.h - the layout tree: how panes share a window.
 *
 * Purpose:   is a tree of cells. Leaves are panes, rows lie left to right,
 *            columns top to bottom. A leaf is tiled, or it floats: it keeps its
 *            place in the tree but takes no room there. Splits, closes,
 *            exchanges and finds cells. Arithmetic is in layout_size.h,
 *            floating leaves in layout_float.h, presets in layout_preset.h,
 *            text in layout_text.h.
 * Ownership: struct layout owns its cells; pointers to cells are valid until
 *            the next call that changes the tree.
 * Units:     cells from 0; one column or row lies between two siblings.
 * Errors:    -ERR_LIMIT when there is no room, -ERR_NOTFOUND when a pane is not
 *            in the tree; the tree is then unchanged.
 * Source:    tmux(1), WINDOWS AND PANES; sizes as tmux 3.8 computes them
 *            (regress/ref/floats.py).
 * Tests:     regress/unit/check_layout.c
 *
 * Different from tmux: a new pane before the old one with a size that is too
 * large becomes as large as possible (tmux: as small as possible).
 */
#ifndef MUX_LAYOUT_H
#define MUX_LAYOUT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/list.h"
#include "base/types.h"

#define LAYOUT_PANE_MIN 1     /* cells of a pane, each way */
#define LAYOUT_SIZE_MAX 10000 /* cells of a window, each way */
#define LAYOUT_DEPTH_MAX 128  /* nested rows and columns */
#define LAYOUT_PANES_MAX 4096 /* leaves of one layout */
#define LAYOUT_NO_PANE UINT32_MAX

enum layout_kind {
	LAYOUT_LEAF,
	LAYOUT_ROW,    /* children left to right: { } */
	LAYOUT_COLUMN, /* children top to bottom: [ ] */
};

/* The border row that holds each pane's text (pane-border-status). */
enum layout_edge {
	LAYOUT_EDGE_NONE,
	LAYOUT_EDGE_TOP,
	LAYOUT_EDGE_BOTTOM,
};

struct layout_cell {
	struct list_node node; /* among its siblings */
	struct layout_cell *parent;
	enum layout_kind kind;
	struct list children;
	int x;
	int y;
	int w;
	int h;
	uint32_t pane; /* of a leaf */
	bool floating; /* a leaf that lies above the tiled ones, at any place */
	struct cell_rect saved; /* of a tiled leaf that floated; w 0: never */
};

struct layout {
	struct layout_cell *root; /* NULL: empty */
	int w; /* of the window, for a layout of floats only */
	int h;
	enum layout_edge edge;
	int scrollbar;       /* columns that each pane gives to a scrollbar */
	bool scrollbar_left; /* the scrollbar is on the left */
};

/* How to split a pane. */
struct layout_split {
	enum layout_kind
	    kind;    /* ROW: side by side; COLUMN: one above another */
	int size;    /* cells of the new pane; -1: half */
	bool before; /* put the new pane left or above */
	bool full;   /* split the whole window, not the pane */
};

/* Makes a layout of one pane, W by H. */
void layout_init(struct layout *l, uint32_t pane, int w, int h);
void layout_fini(struct layout *l);

/* Returns the leaf of a pane, or NULL. */
struct layout_cell *layout_find(const struct layout *l, uint32_t pane);

/* Returns the number of leaves, or of those that are tiled. */
size_t layout_count(const struct layout *l);
size_t layout_count_tiled(const struct layout *l);

/* Tells whether C is a tiled leaf or has one below it. */
bool layout_tiled(const struct layout_cell *c);

/* Returns the size of the tiled part; of the window if nothing is tiled. */
int layout_cols(const struct layout *l);
int layout_rows(const struct layout *l);

/* Assigns the N panes of IDS to the leaves, in order. */
void layout_set_panes(struct layout *l, const uint32_t *ids, size_t n);

/* Returns the part of a leaf's cell that the pane itself covers. */
struct cell_rect layout_pane_rect(
    const struct layout *l, const struct layout_cell *leaf);

/*
 * Splits PANE's cell (or the root) in two and puts ADDED into the new half.
 * Returns: 0, -ERR_LIMIT ("no space for a new pane"), -ERR_NOTFOUND.
 */
int layout_split(struct layout *l, uint32_t pane, uint32_t added,
    const struct layout_split *how);

/* Tells whether layout_split would succeed. */
bool layout_can_split(
    const struct layout *l, uint32_t pane, const struct layout_split *how);

/* Removes a pane; its neighbour grows. Without panes the layout is empty. */
int layout_close(struct layout *l, uint32_t pane);

/* Exchanges the places of two panes, also of different layouts. */
int layout_swap(struct layout *la, uint32_t a, struct layout *lb, uint32_t b);

/*
 * Moves each of the N panes of IDS to the place of the one before it (UP) or
 * after it.
 */
void layout_rotate(struct layout *l, const uint32_t *ids, size_t n, bool up);

/*
 * Returns the cell left of or above the border at X, Y; moving the border
 * resizes it. *kind is the kind of its parent. Returns NULL if there is no
 * border.
 */
struct layout_cell *layout_border_at(
    const struct layout *l, int x, int y, enum layout_kind *kind);

/* Tells whether a tiled cell touches that edge of the window. */
bool layout_at_top(const struct layout_cell *c);
bool layout_at_bottom(const struct layout_cell *c);
bool layout_at_left(const struct layout_cell *c);
bool layout_at_right(const struct layout_cell *c);

/* Returns NULL, or the invariant that is broken. */
const char *layout_check(const struct layout *l);

/* --- for the other layout_*.c -------------------------------------------- */

/* Makes a leaf cell without size and links. */
struct layout_cell *layout_cell_new(struct layout_cell *parent);
void layout_cell_free(struct layout_cell *c);

/* Adds a new last child to PARENT. */
struct layout_cell *layout_cell_add(
    struct layout_cell *parent, int w, int h, uint32_t pane);

/* Removes a cell from the tree; its neighbour grows. */
void layout_cell_close(struct layout *l, struct layout_cell *c);

/*
 * Gives the room of a tiled cell to the next tiled one, or to the one before.
 * C then has no size and is not tiled: the caller makes it float or removes it.
 */
void layout_cell_release(struct layout *l, struct layout_cell *c);

/* Replaces C by a row or column of its size with C as its only child. */
struct layout_cell *layout_cell_wrap(
    struct layout *l, struct layout_cell *c, enum layout_kind kind);

/* Returns the first child, next or previous sibling, or NULL. */
struct layout_cell *layout_first(const struct layout_cell *c);
struct layout_cell *layout_last(const struct layout_cell *c);
struct layout_cell *layout_next(const struct layout_cell *c);
struct layout_cell *layout_prev(const struct layout_cell *c);

/* The same among tiled cells. */
struct layout_cell *layout_first_tiled(const struct layout_cell *c);
struct layout_cell *layout_last_tiled(const struct layout_cell *c);
struct layout_cell *layout_next_tiled(const struct layout_cell *c);
struct layout_cell *layout_prev_tiled(const struct layout_cell *c);

/* Returns the next leaf after C (NULL: the first one) in order. */
struct layout_cell *layout_next_leaf(
    const struct layout *l, const struct layout_cell *c);

#endif
