/*
 * regress/unit/vt_model.h - a slow and simple model of a line.
 *
 * Purpose:   an array of cells by value, with every operation of line.h done
 *            cell by cell; tests compare the two after each random step.
 * Ownership: plain values.
 * Units:     columns, at most MODEL_COLS.
 */
#ifndef REGRESS_VT_MODEL_H
#define REGRESS_VT_MODEL_H

#include <string.h>

#include "mux/vt/line.h"

#define MODEL_COLS 48

struct model_cell {
	char text[VT_CLUSTER_MAX + 1]; /* "": erased */
	uint8_t width;
	struct pen pen;
	struct vt_link *link;
};

struct model_line {
	struct model_cell c[MODEL_COLS];
};

static inline uint32_t
model_rand(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) +
		UINT64_C(1442695040888963407);
	return (uint32_t)(*seed >> 33);
}

/* Turns the tab at COL, if there is one, into spaces. */
static inline void
model_untab(struct model_line *m, unsigned col)
{
	if (m->c[col].width < VT_TAB)
		return;
	while (m->c[col].width == VT_TAB_REST && col > 0 &&
	       m->c[col - 1].width >= VT_TAB)
		col--;
	do
		m->c[col].width = VT_NARROW;
	while (++col < MODEL_COLS && m->c[col].width == VT_TAB_REST);
}

/* Turns a wide cell or tab across the border before COL into spaces. */
static inline void
model_cut(struct model_line *m, unsigned col)
{
	if (col < MODEL_COLS && m->c[col].width == VT_TAB_REST)
		model_untab(m, col);
	if (col >= MODEL_COLS || m->c[col].width != VT_TAIL)
		return;
	strcpy(m->c[col - 1].text, " ");
	strcpy(m->c[col].text, " ");
	m->c[col - 1].width = m->c[col].width = VT_NARROW;
}

static inline void
model_set(struct model_line *m, unsigned col, const char *text,
    const struct pen *pen, struct vt_link *link)
{
	strcpy(m->c[col].text, text);
	m->c[col].width = VT_NARROW;
	m->c[col].pen = *pen;
	m->c[col].link = link;
}

static inline void
model_put(struct model_line *m, unsigned col, const char *text, bool wide,
    const struct pen *pen, struct vt_link *link)
{
	model_cut(m, col);
	model_cut(m, col + (wide ? 2 : 1));
	model_set(m, col, text, pen, link);
	if (wide) {
		m->c[col].width = VT_WIDE;
		model_set(m, col + 1, "", pen, link);
		m->c[col + 1].width = VT_TAIL;
	}
}

static inline void
model_erase(struct model_line *m, unsigned from, unsigned to,
    const struct pen *pen, struct vt_link *link)
{
	if (from >= to)
		return;
	model_cut(m, from);
	model_cut(m, to);
	for (; from < to; from++)
		model_set(m, from, "", pen, link);
}

static inline void
model_tab(struct model_line *m, unsigned from, unsigned to,
    const struct pen *pen, struct vt_link *link)
{
	unsigned i;

	model_erase(m, from, to, pen, link);
	for (i = from; i < to; i++) {
		strcpy(m->c[i].text, " ");
		m->c[i].width = i == from ? VT_TAB : VT_TAB_REST;
	}
}

static inline void
model_unpad(struct model_line *m, unsigned from, unsigned to)
{
	for (; from < to; from++)
		if (m->c[from].width == VT_PAD)
			m->c[from].width = VT_NARROW;
}

static inline void
model_insert(struct model_line *m, unsigned col, unsigned n, unsigned right,
    const struct pen *pen, struct vt_link *link)
{
	unsigned i;

	if (n == 0 || col >= right)
		return;
	n = MIN_OF(n, right - col);
	model_cut(m, col);
	model_cut(m, right);
	model_cut(m, right - n);
	model_unpad(m, col, right - n);
	for (i = right; i-- > col + n;)
		m->c[i] = m->c[i - n];
	for (i = col; i < col + n; i++)
		model_set(m, i, "", pen, link);
}

static inline void
model_delete(struct model_line *m, unsigned col, unsigned n, unsigned right,
    const struct pen *pen, struct vt_link *link)
{
	unsigned i;

	if (n == 0 || col >= right)
		return;
	n = MIN_OF(n, right - col);
	model_cut(m, col);
	model_cut(m, right);
	model_cut(m, col + n);
	model_unpad(m, col + n, right);
	for (i = col; i + n < right; i++)
		m->c[i] = m->c[i + n];
	for (; i < right; i++)
		model_set(m, i, "", pen, link);
}

static inline void
model_copy(struct model_line *d, unsigned dcol, const struct model_line *s,
    unsigned scol, unsigned n)
{
	struct model_line tmp = *s;
	unsigned i;

	if (n == 0 || (d == s && dcol == scol))
		return;
	model_cut(d, dcol);
	model_cut(d, dcol + n);
	memcpy(&d->c[dcol], &tmp.c[scol], n * sizeof(d->c[0]));
	if (d->c[dcol].width == VT_TAB_REST &&
	    (dcol == 0 || d->c[dcol - 1].width < VT_TAB))
		model_untab(d, dcol);
	if (d->c[dcol].width == VT_TAIL) {
		strcpy(d->c[dcol].text, " ");
		d->c[dcol].width = VT_NARROW;
	}
	if (d->c[dcol + n - 1].width == VT_WIDE) {
		strcpy(d->c[dcol + n - 1].text, " ");
		d->c[dcol + n - 1].width = VT_NARROW;
	}
	for (i = 0; i < n; i++)
		if (d->c[dcol + i].width == VT_PAD)
			d->c[dcol + i].width = VT_NARROW;
}

/* Returns the first column where the line differs from the model, or -1. */
static inline int
model_compare(const struct model_line *m, const struct vt_line *line)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned i;

	for (i = 0; i < MODEL_COLS; i++) {
		struct vt_cell c = vt_line_cell(line, i);

		if (c.width != m->c[i].width)
			return (int)i;
		vt_line_text(line, i, text);
		if (c.ch == 0)
			text[0] = '\0';
		if (strcmp(text, m->c[i].text) != 0 ||
		    !pen_equal(vt_line_pen(line, i), &m->c[i].pen) ||
		    !vt_link_equal(vt_line_link(line, i), m->c[i].link))
			return (int)i;
	}
	return -1;
}

#endif
