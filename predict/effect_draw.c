/*
 * Draws what keys do to lists: the selected row and the numbers that count.
 */
#include "predict/effect_int.h"
#include "predict/guess_int.h"

struct effect_repen {
	const struct effect_look *look;
	bool text, on;
};

static void
effect_repen(struct pen *pen, void *arg)
{
	const struct effect_repen *r = arg;
	const struct pen *to = effect_pen(r->look, pen, r->text, r->on);

	if (to != NULL)
		*pen = *to;
}

static bool
effect_draw_row(
    const struct effect_look *k, struct vt_frame *f, unsigned y, bool on)
{
	struct effect_repen r = { k, true, on };
	unsigned from, to, i, style;
	struct vt_line *l = f->lines[y];
	struct pen pen;

	for (i = 0; i < k->nmarks; i++)
		if (vt_line_cell(l, k->mark[i].col).ch !=
			(on ? k->mark[i].off : k->mark[i].on) &&
		    k->mark[i].off + k->mark[i].on != 0)
			return false;
	effect_extent(l, f->cols, &from, &to);
	l = vt_frame_own(f, y);
	vt_line_repen(NULL, l, from, to, effect_repen, &r);
	r.text = false;
	if (from > 0)
		vt_line_repen(
		    NULL, l, 0, MIN_OF(from, k->to), effect_repen, &r);
	if (to < k->to)
		vt_line_repen(
		    NULL, l, to, MIN_OF(k->to, f->cols), effect_repen, &r);
	for (i = 0; i < k->nmarks; i++) {
		pen = *vt_line_pen(l, k->mark[i].col);
		style = vt_line_style(NULL, l, &pen, NULL);
		vt_line_put(l, k->mark[i].col,
		    MAX_OF(on ? k->mark[i].on : k->mark[i].off, (uint32_t)' '),
		    VT_NARROW, style);
	}
	return true;
}

bool
effect_draw(const struct effect_table *t, struct vt_frame *f, unsigned from,
    unsigned to)
{
	return from == to || (effect_draw_row(&t->look, f, from, false) &&
				 effect_draw_row(&t->look, f, to, true));
}

/* Returns the greatest number behind column X of L; -1: none. */
static int
effect_end(const struct vt_line *l, unsigned x, unsigned cols)
{
	int n, end = -1;

	while (x < cols) {
		if (!effect_digit(l, x)) {
			x++;
			continue;
		}
		n = effect_number(l, x, cols, &x);
		end = MAX_OF(end, n);
	}
	return end;
}

static bool
effect_count_one(const struct effect_count *c, struct vt_frame *f)
{
	struct vt_line *l = f->lines[c->row];
	unsigned x = c->col, end, n = 0, style, last, i;
	char digits[16];
	struct pen pen;
	int value, most;

	if (x >= f->cols || !effect_digit(l, x))
		return false;
	value = effect_number(l, x, f->cols, &end);
	most = effect_end(l, end, f->cols);
	value += c->step;
	if (value < 0 || (value == 0 && c->step < 0) ||
	    (most >= 0 && value > most))
		return false;
	for (; value > 0 || n == 0; value /= 10)
		digits[n++] = (char)('0' + value % 10);
	last = MIN_OF(vt_line_used(l) + 1u, (unsigned)f->cols);
	if (n > end - x + 1 || end - x > n + 1 || last <= end)
		return false;
	l = vt_frame_own(f, c->row);
	pen = *vt_line_pen(l, x);
	if (n > end - x)
		vt_line_insert(l, end, 1, last, 0);
	else if (n < end - x)
		vt_line_delete(l, x, 1, last, 0);
	for (i = 0; i < n; i++) {
		style = vt_line_style(NULL, l, &pen, NULL);
		vt_line_put(
		    l, x + i, (uint32_t)digits[n - 1 - i], VT_NARROW, style);
	}
	return true;
}

bool
effect_count(const struct effect *e, struct vt_frame *f)
{
	unsigned i;

	for (i = 0; i < e->ncounts; i++)
		if (e->count[i].row >= f->rows ||
		    !effect_count_one(&e->count[i], f))
			return false;
	return true;
}
