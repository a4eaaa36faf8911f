#include <string.h>

#include "predict/guess_int.h"

bool
guess_blank(const struct vt_line *l, unsigned col)
{
	struct vt_cell c = vt_line_cell(l, col);

	return (c.width == VT_NARROW || c.width >= VT_TAB) &&
	       (c.ch == 0 || c.ch == ' ');
}

bool
guess_blank_to(const struct vt_line *l, unsigned from, unsigned to)
{
	while (from < to && guess_blank(l, from))
		from++;
	return from >= to;
}

bool
guess_blank_from(const struct vt_line *l, unsigned from, unsigned cols)
{
	while (from < cols && guess_blank(l, from))
		from++;
	return from >= cols;
}

bool
guess_same_text(const struct vt_line *a, const struct vt_line *b, unsigned from,
    unsigned to)
{
	char s[VT_CLUSTER_MAX + 1], t[VT_CLUSTER_MAX + 1];
	struct vt_cell c, d;

	for (; from < to; from++) {
		c = vt_line_cell(a, from);
		d = vt_line_cell(b, from);
		if (guess_blank(a, from) && guess_blank(b, from))
			continue;
		if (c.width != d.width)
			return false;
		if (((c.ch | d.ch) & VT_CELL_CLUSTER) == 0) {
			if (c.ch != d.ch)
				return false;
			continue;
		}
		(void)vt_line_text(a, from, s);
		(void)vt_line_text(b, from, t);
		if (strcmp(s, t) != 0)
			return false;
	}
	return true;
}

unsigned
guess_indent(const struct vt_line *l, unsigned cols)
{
	unsigned x = 0;

	while (x < cols && guess_blank(l, x))
		x++;
	return x;
}

static bool
guess_digit(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch >= '0' && ch <= '9';
}

bool
guess_at_prompt(const struct guess_env *env, const struct vt_line *l)
{
	unsigned x;

	/* An empty prompt counts only where the kernel edits the line. */
	if (env->prompt == NULL || (env->prompt_cols == 0 && !env->canonical))
		return false;
	/* Counters and clocks change. */
	for (x = 0; x < env->prompt_cols; x++)
		if (!(guess_digit(l, x) && guess_digit(env->prompt, x)) &&
		    !guess_same_text(env->prompt, l, x, x + 1))
			return false;
	return true;
}

bool
guess_at_edge(const struct guess_env *env, const struct vt_line *l)
{
	return env->edge != NULL && env->edge_cols > 0 &&
	       guess_same_text(env->edge, l, 0, env->edge_cols);
}

bool
guess_cursor_is(const struct guess *g, const struct vt_frame *f)
{
	bool pending = (f->state.modes & VT_FRAME_WRAP_PENDING) != 0;

	if (g->x == f->state.x && g->y == f->state.y)
		return true;
	/* Line editors wrap at once, terminals at the next character. */
	if (g->pending)
		return f->state.x == 0 &&
		       (f->state.y == g->y + 1 || g->y + 1u == f->rows);
	return pending && g->x == 0 && g->y == f->state.y + 1u;
}

bool
guess_mark_is(
    const struct guess *g, const struct guess_mark *m, const struct vt_frame *f)
{
	const struct vt_line *l;
	unsigned to;

	if (m->row < 0 || m->row >= (int)f->rows || m->row >= (int)g->f->rows)
		return true;
	l = g->f->lines[m->row];
	to = m->col + (vt_line_cell(l, m->col).width == VT_WIDE ? 2 : 1);
	return guess_same_text(l, f->lines[m->row], m->col, to);
}

bool
guess_dim(const struct vt_line *l, unsigned col)
{
	const struct pen *p = vt_line_pen(l, col);
	unsigned n, r, gr, b;

	if (guess_blank(l, col))
		return false;
	if (p->attrs & PEN_DIM)
		return true;
	n = p->fg & 0xff;
	if (colour_kind(p->fg) == COLOUR_KIND_INDEX)
		return n == 8 || (n >= 234 && n <= 246);
	if (colour_kind(p->fg) != COLOUR_KIND_RGB)
		return false;
	r = p->fg >> 16 & 0xff;
	gr = p->fg >> 8 & 0xff;
	b = n;
	return r < 0xa0 &&
	       MAX_OF(r, MAX_OF(gr, b)) - MIN_OF(r, MIN_OF(gr, b)) < 0x18;
}

bool
guess_suggested(const struct vt_line *l, unsigned col, unsigned cols)
{
	unsigned end = MIN_OF(col + PREDICT_GAP, cols);

	while (col < end && guess_blank(l, col))
		col++;
	return col < end && guess_dim(l, col);
}

struct vt_line *
guess_line(const struct guess *g)
{
	return g->f->lines[g->y];
}

bool
guess_is_letter(uint32_t ch)
{
	return ch >= 0x80 || (ch >= '0' && ch <= '9') ||
	       (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

bool
guess_is_box(uint32_t ch)
{
	return ch == 0x2502 || ch == 0x2503 || ch == 0x2551;
}

static bool
guess_bar(const struct vt_line *l, unsigned x)
{
	uint32_t ch = vt_line_cell(l, x).ch;

	return ch == '|' || guess_is_box(ch);
}

static unsigned
guess_border_find(const struct guess *g, unsigned x)
{
	const struct vt_frame *f = g->f;
	unsigned need = MIN_OF(PREDICT_BORDER_ROWS, f->rows - 1u), y, n;

	for (; x < f->cols; x++) {
		if (!guess_bar(f->lines[g->y], x))
			continue;
		for (y = g->y; y > 0 && guess_bar(f->lines[y - 1], x); y--)
			;
		for (n = 0; y < f->rows && guess_bar(f->lines[y], x); y++)
			n++;
		/* Nobody types the line of a box. */
		if (n >= need ||
		    guess_is_box(vt_line_cell(f->lines[g->y], x).ch))
			break;
	}
	return x;
}

unsigned
guess_border(const struct guess *g, unsigned x)
{
	/* Text does not move borders: a search serves all keys of a row. */
	struct guess *cache = (struct guess *)(uintptr_t)g;

	if (!g->env->alternate)
		return g->f->cols;
	if (g->border.y != g->y + 1 || x < g->border.from || x > g->border.to) {
		cache->border.to = guess_border_find(g, x);
		cache->border.from = x;
		cache->border.y = g->y + 1;
	}
	return g->border.to;
}

unsigned
guess_text_end(const struct guess *g, unsigned x)
{
	const struct vt_line *l = guess_line(g);
	unsigned end = x, blank = 0, cols = guess_border(g, x), from = x;
	bool fill = g->env->alternate;

	for (; x < cols && blank < PREDICT_GAP; x++) {
		if (guess_blank(l, x)) {
			blank++;
		} else {
			blank = 0;
			end = x + 1;
			fill = fill && vt_line_cell(l, x).ch == '_';
		}
	}
	/* The rest of a field is drawn so. */
	return fill ? from : end;
}
