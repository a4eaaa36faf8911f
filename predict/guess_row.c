/*
 * The rows of a guess, and the marks of cells that keys have written.
 */
#include <string.h>

#include "base/mem.h"
#include "predict/guess_int.h"

/* --- marks ---------------------------------------------------------------- */

void
guess_mark_add(struct guess *g, size_t key, unsigned col, bool fresh)
{
	if (g->nmarks == g->cap) {
		g->cap = g->cap == 0 ? 16 : g->cap * 2;
		g->marks = mem_resize(g->marks, g->cap, sizeof(*g->marks));
	}
	g->marks[g->nmarks++] =
	    (struct guess_mark){ key, (int)g->y, col, true, fresh };
	g->marks_end = MAX_OF(g->marks_end, col + 1);
}

void
guess_marks_shift(struct guess *g, unsigned from, unsigned end, int by)
{
	struct guess_mark *m;
	size_t i;

	/* Behind the end of what was typed there is no mark. */
	if (from >= g->marks_end)
		return;
	for (i = 0; i < g->nmarks; i++) {
		m = &g->marks[i];
		if (m->row != (int)g->y || m->col < from || m->col >= end)
			continue;
		if (by == 0)
			m->alive = false;
		else
			m->col = (unsigned)((int)m->col + by);
	}
	if (by > 0)
		g->marks_end += (unsigned)by;
}

bool
guess_marked(const struct guess *g, unsigned col)
{
	size_t i;

	for (i = 0; i < g->nmarks; i++)
		if (g->marks[i].alive && g->marks[i].row == (int)g->y &&
		    g->marks[i].col == col)
			return true;
	return false;
}

/* --- rows ----------------------------------------------------------------- */

/* Scrolls all rows up by one. */
static void
guess_scroll(struct guess *g)
{
	struct vt_frame *f = g->f;
	size_t i;

	g->scrolled++;
	g->border.y = 0;
	vt_line_unref(NULL, f->lines[0]);
	memmove(
	    &f->lines[0], &f->lines[1], (f->rows - 1u) * sizeof(f->lines[0]));
	f->lines[f->rows - 1] = vt_line_new(NULL);
	for (i = 0; i < g->nmarks; i++)
		g->marks[i].row--;
}

void
guess_down(struct guess *g)
{
	if (g->y + 1u < g->f->rows)
		g->y++;
	else if (g->env->alternate)
		g->lost = true;
	else
		guess_scroll(g);
}

void
guess_wrap(struct guess *g)
{
	const struct margin *m = g->env->margin;

	/* Some line editors move the line sideways instead. */
	if (m != NULL && !g->env->alternate && !m->wraps)
		g->sure *= PREDICT_MARGIN_WRAPS;
	g->wraps++;
	vt_frame_own(g->f, g->y)->flags |= VT_LINE_WRAPPED;
	guess_down(g);
	g->x = 0;
	g->pending = false;
	if (!guess_blank_from(guess_line(g), 0, g->f->cols))
		g->lost = true;
}

void
guess_open(struct guess *g, unsigned fixed)
{
	unsigned rows = g->f->rows;
	unsigned end = rows - MIN_OF(fixed, rows - 1);

	if (g->y >= end) {
		g->lost = true;
	} else if (g->y + 1 == end) { /* the rows above move up */
		guess_move_rows(g, 0, end - 1, -1);
	} else {
		guess_move_rows(g, g->y + 1, end - 1, 1);
		g->y++;
	}
}
