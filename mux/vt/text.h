/*
 * mux/vt/text.h - rows of text by absolute number, wherever they are stored.
 *
 * Purpose:   lets searching, selecting and copy mode work on a grid with its
 *            history (server) and on a mirrored history (client) alike.
 * Ownership: the implementation embeds struct text and outlives its users.  It
 *            keeps the rows; text_row lends one.
 * Units:     vt_row: rows since the first one ever written; columns.
 * Errors:    NULL for rows outside first..end-1.
 * Tests:     regress/unit/check_vt_search.c, check_vt_select.c
 *
 * Row numbers stay valid while text scrolls; the oldest rows disappear.  When
 * text_remade changes, numbers or contents of rows may have changed: compute
 * places again, or follow them with anchors (grid.h).
 */
#ifndef MUX_VT_TEXT_H
#define MUX_VT_TEXT_H

#include "mux/vt/grid.h"
#include "mux/vt/wrap.h"

/* A cell of a text. */
struct vt_pos {
	vt_row row;
	unsigned col;
};

static inline int
vt_pos_compare(struct vt_pos a, struct vt_pos b)
{
	if (a.row != b.row)
		return a.row < b.row ? -1 : 1;
	return a.col < b.col ? -1 : a.col > b.col;
}

struct text;

struct text_ops {
	/* Return the first row, and the row after the last; first < end. */
	vt_row (*first)(const struct text *t);
	vt_row (*end)(const struct text *t);
	unsigned (*cols)(const struct text *t);
	/* Returns a count; see above. */
	uint64_t (*remade)(const struct text *t);
	/* Returns a row of first..end-1, borrowed until the next call. */
	const struct vt_line *(*row)(struct text *t, vt_row row);
	/*
	 * Both may be NULL.  They find the joined line, and the page of packed
	 * lines (history.h), that hold ROW; false if it is stored as a row.
	 */
	bool (*stored)(struct text *t, vt_row row, struct vt_stored *out);
	bool (*page)(struct text *t, vt_row row, struct vt_page *out);
};

struct text {
	const struct text_ops *ops;
	struct vt_pool *pool; /* for joined lines; may be NULL */
};

static inline vt_row
text_first(const struct text *t)
{
	return t->ops->first(t);
}

static inline vt_row
text_end(const struct text *t)
{
	return t->ops->end(t);
}

static inline unsigned
text_cols(const struct text *t)
{
	return t->ops->cols(t);
}

static inline uint64_t
text_remade(const struct text *t)
{
	return t->ops->remade(t);
}

/* Returns row ROW, borrowed until the next call for this text, or NULL. */
static inline const struct vt_line *
text_row(struct text *t, vt_row row)
{
	if (row < text_first(t) || row >= text_end(t))
		return NULL;
	return t->ops->row(t, row);
}

/* Return the first and the last row of the wrapped line that ROW is part of. */
vt_row text_line_first(struct text *t, vt_row row);
vt_row text_line_last(struct text *t, vt_row row);

/* A grid and its history.  Copy and move it freely; it owns nothing. */
struct text_grid {
	struct text text;
	struct vt_grid *grid;
};

void text_grid_init(struct text_grid *t, struct vt_grid *g);

#endif
