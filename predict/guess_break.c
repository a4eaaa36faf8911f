/*
 * Line breaks at a margin that the program has shown, and rows that move.
 */
#include <string.h>

#include "predict/guess_int.h"

void
guess_window(const struct guess *g, unsigned *from, unsigned *to)
{
	*from = 0;
	while ((*to = guess_border(g, *from)) < g->x)
		*from = *to + 1;
}

/* Copies columns FROM..TO-1 of row A (-1: blanks) to row B. */
static void
guess_copy_row(struct guess *g, int a, unsigned b, unsigned from, unsigned to)
{
	struct vt_line *l = vt_frame_own(g->f, b);

	vt_line_erase(l, from, to, 0);
	if (a >= 0)
		vt_line_copy(
		    NULL, l, from, g->f->lines[(unsigned)a], from, to - from);
}

static void
guess_marks_move(struct guess *g, unsigned first, unsigned last, int by,
    unsigned from, unsigned to)
{
	struct guess_mark *m;
	size_t i;

	for (i = 0; i < g->nmarks; i++) {
		m = &g->marks[i];
		if (m->row < (int)first || m->row > (int)last ||
		    m->col < from || m->col >= to)
			continue;
		m->row += by;
		if (m->row < (int)first || m->row > (int)last)
			m->alive = false;
	}
}

void
guess_move_rows(struct guess *g, unsigned first, unsigned last, int by)
{
	struct vt_frame *f = g->f;
	unsigned from, to, n = last - first, y;
	struct vt_line *l;

	guess_window(g, &from, &to);
	g->border.y = 0;
	guess_marks_move(g, first, last, by, from, to);
	if (from > 0 || to < f->cols) {
		for (y = 0; y < n; y++)
			if (by < 0)
				guess_copy_row(g, (int)(first + y) + 1,
				    first + y, from, to);
			else
				guess_copy_row(
				    g, (int)(last - y) - 1, last - y, from, to);
		guess_copy_row(g, -1, by < 0 ? last : first, from, to);
		return;
	}
	l = f->lines[by < 0 ? first : last];
	if (by < 0)
		memmove(&f->lines[first], &f->lines[first + 1],
		    n * sizeof(f->lines[0]));
	else
		memmove(&f->lines[first + 1], &f->lines[first],
		    n * sizeof(f->lines[0]));
	vt_line_unref(NULL, l);
	f->lines[by < 0 ? last : first] = vt_line_new(NULL);
}

unsigned
guess_area(const struct guess *g, const struct margin *m)
{
	unsigned start = 0;

	if (g->env->alternate)
		return MAX_OF(m->area, m->window);
	return guess_start(g, &start) ? start : 0;
}

unsigned
guess_row_start(
    const struct vt_line *l, unsigned area, unsigned x, unsigned *mark)
{
	uint32_t ch;
	unsigned c = area;

	while (c < x && guess_blank(l, c))
		c++;
	ch = vt_line_cell(l, c).ch;
	*mark = ch > ' ' && ch < 0x80 && strchr("-*+#/>;%", (int)ch) ? ch : 0;
	return c;
}

/*
 * Rows above move up. If by one, the new row looks as the old one without its
 * text.
 */
static void
guess_new_up(struct guess *g, unsigned from, unsigned end)
{
	const struct margin *m = g->env->margin;
	unsigned y = g->y, x, i;
	struct vt_line *l;

	for (i = 0; i < m->up_by; i++)
		guess_move_rows(g, y - m->up_rows, y, -1);
	g->y = y + 1 - m->up_by;
	if (m->up_by > 1)
		return;
	guess_window(g, &from, &x);
	guess_copy_row(g, (int)y - 1, y, from, x);
	l = vt_frame_own(g->f, y);
	for (x = from; x < end; x++)
		if (!guess_is_box(vt_line_cell(l, x).ch))
			vt_line_erase(l, x, x + 1, 0);
}

/* Makes the row to which the end of the cursor's row goes, and goes there. */
static void
guess_new_row(struct guess *g, unsigned left, unsigned end)
{
	const struct margin *m = g->env->margin;
	unsigned from, to;

	guess_window(g, &from, &to);
	if (m->up_rows > 0 && m->up_rows <= g->y && g->y == m->up_y) {
		/* Programs scroll in many ways: once says too little. */
		g->lost = m->ups < PREDICT_MARGIN_SCROLLS;
		if (g->lost)
			return;
		guess_new_up(g, from, end);
		g->moved++;
		return;
	}
	if (g->y + 1u >= g->f->rows) {
		g->lost = true;
		return;
	}
	if (guess_blank_from(g->f->lines[g->y + 1], left, to))
		g->y++;
	else if (m->open > 0 && m->opens >= PREDICT_MARGIN_SCROLLS) {
		/* The window may end above, and its text scroll. */
		if (g->y + 1u > m->deep)
			g->sure *= PREDICT_MARGIN_DEEPER;
		guess_open(g, m->open - 1);
		g->moved++;
	} else
		g->lost = true;
}

/* Moves columns C..X-1 of row Y to column LEFT of the cursor's row. */
static void
guess_carry(struct guess *g, unsigned y, unsigned c, unsigned x, unsigned left)
{
	struct guess_mark *m;
	size_t i;

	vt_line_copy(
	    NULL, vt_frame_own(g->f, g->y), left, g->f->lines[y], c, x - c);
	vt_line_erase(vt_frame_own(g->f, y), c, x, 0);
	for (i = 0; i < g->nmarks; i++) {
		m = &g->marks[i];
		if (m->row != (int)y || m->col < c || m->col >= x)
			continue;
		m->row = (int)g->y;
		m->col = m->col - c + left;
		g->marks_end = MAX_OF(g->marks_end, m->col + 1);
	}
}

/* Moves the text of the cursor's row left. */
static void
guess_slide(struct guess *g, unsigned start, unsigned x)
{
	unsigned by = g->env->margin->slide;

	if (start + by > x || g->env->margin->jumps ||
	    g->env->margin->slides < PREDICT_MARGIN_SCROLLS) {
		g->lost = true;
		return;
	}
	vt_line_delete(vt_frame_own(g->f, g->y), start, by, x, 0);
	guess_marks_shift(g, start, start + by, 0);
	guess_marks_shift(g, start + by, x, -(int)by);
	g->x = x - by;
	g->pending = false;
}

void
guess_break(struct guess *g, enum margin_class class)
{
	const struct margin *m = g->env->margin;
	const struct margin_start *s;
	unsigned x = g->x + g->pending, c = x, start, mark;

	g->breaks++;
	g->end.row = 0;
	g->broke_y = g->y;
	g->sure *= margin_chance(m, g->y, g->f->rows);
	start = guess_row_start(guess_line(g), guess_area(g, m), x, &mark);
	if (m->carry[class] == MARGIN_HANG)
		return;
	if (m->carry[class] == MARGIN_SLIDE) {
		guess_slide(g, guess_area(g, m), x);
		return;
	}
	/* A blank behind a longer word may move that word. */
	if (class == MARGIN_BLANK && m->carry[class] == MARGIN_AFTER &&
	    x > m->fits)
		g->sure *= PREDICT_MARGIN_OTHER;
	/* A blank that is not shown has ended the word. */
	if (m->carry[class] == MARGIN_WORD && !g->blank &&
	    !(class == MARGIN_BLANK && x == m->fits))
		while (c > start && !guess_blank(guess_line(g), c - 1))
			c--;
	s = margin_start(m, start, mark);
	if (m->carry[class] == MARGIN_LOST || c <= start || s == NULL ||
	    s->left + x - c + 2 >= g->f->cols) {
		g->lost = true;
		return;
	}
	guess_new_row(g, s->left, x);
	if (g->lost)
		return;
	if (s->copies && s->left > start)
		vt_line_copy(NULL, vt_frame_own(g->f, g->y), start,
		    g->f->lines[g->y - 1], start, s->left - start);
	if (x > c)
		guess_carry(g, g->y - 1, c, x, s->left);
	g->x = s->left + x - c;
	g->pending = false;
}

/*
 * Finds the first word of the row, columns START..X-1, and the END of the row
 * above; returns false if X is not the end of one, or lines do not break.
 */
static bool
guess_first_word(
    const struct guess *g, unsigned x, unsigned *start, unsigned *end)
{
	const struct margin *m = g->env->margin;
	const struct vt_line *l;
	unsigned from, to;

	if (m == NULL || !g->env->alternate || g->y == 0 ||
	    m->breaks[MARGIN_TEXT] == 0)
		return false;
	guess_window(g, &from, &to);
	for (*start = x; *start > from; --*start)
		if (guess_blank(guess_line(g), *start - 1))
			break;
	if (*start == x || !guess_blank_to(guess_line(g), from, *start))
		return false;
	l = g->f->lines[g->y - 1];
	for (*end = to; *end > from && guess_blank(l, *end - 1); --*end)
		;
	return true;
}

bool
guess_reflows(const struct guess *g, unsigned x, unsigned *start, unsigned *end)
{
	const struct margin *m = g->env->margin;
	unsigned last;

	if (!guess_first_word(g, x, start, end))
		return false;
	/* A blank stands between them, or the row was broken in a word. */
	last = *end + x - *start;
	return last + 1 >= m->breaks[MARGIN_TEXT] &&
	       last <= m->breaks[MARGIN_TEXT] + 1;
}

bool
guess_splits(const struct guess *g)
{
	const struct margin *m = g->env->margin;
	unsigned start, end;

	if (m == NULL || m->soft.miss > m->soft.hit ||
	    guess_blank(guess_line(g), g->x) || guess_text_end(g, g->x) == g->x)
		return false;
	/* The row above has room for the part before the cursor. */
	return guess_first_word(g, g->x, &start, &end) &&
	       end + g->x - start <= m->breaks[MARGIN_TEXT] + 1;
}

void
guess_reflow(struct guess *g, unsigned start, unsigned end)
{
	const struct margin *m = g->env->margin;
	unsigned x = g->x, y = g->y;
	double soft = m->soft.hit, hard = m->soft.miss;

	if (hard >= soft) {
		g->sure *= (hard + PREDICT_REFLOW) /
			   (hard + soft + 2 * PREDICT_REFLOW);
		return;
	}
	g->sure *= (soft + PREDICT_REFLOW) / (hard + soft + 2 * PREDICT_REFLOW);
	/* The text behind it would move, too. */
	if (m->carry[MARGIN_TEXT] != MARGIN_WORD ||
	    !guess_blank_from(guess_line(g), x, g->f->cols) ||
	    end + 1 + x - start >= g->f->cols) {
		g->lost = true;
		return;
	}
	g->y--;
	g->end.row = 0;
	guess_carry(g, y, start, x, end + 1);
	g->x = end + 1 + x - start;
}
