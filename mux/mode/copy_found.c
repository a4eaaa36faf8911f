/*
 * Where a search of copy mode starts, where the cursor goes, and which matches
 * are shown.
 */
#include <string.h>

#include "mux/mode/copy_int.h"
#include "mux/pane.h"

/* The position after P, which may be the start of the next row. */
static struct vt_pos
after(const struct copy *c, struct vt_pos p)
{
	if (p.col < c->cols)
		return p;
	if (p.row < copy_last(c))
		return (struct vt_pos){ p.row + 1, 0 };
	p.col = c->cols - 1;
	return p;
}

/* The match at P. */
static bool
match_at(struct copy *c, struct vt_pos p, struct vt_match *out)
{
	struct vt_match found[256];
	size_t i, n;

	n = copy_search_rows(c, p.row, p.row + 1, found, ARRAY_LEN(found));
	for (i = 0; i < n; i++)
		if (vt_pos_compare(found[i].start, p) <= 0 &&
		    vt_pos_compare(p, found[i].end) < 0) {
			*out = found[i];
			return true;
		}
	return false;
}

struct vt_pos
copy_search_start(struct copy *c, bool down)
{
	struct vt_pos here = copy_here(c);
	struct vt_match m;

	/* As in tmux, upwards a match at the first place counts. */
	if (!down && !c->env.wrap_search && here.col == 0 &&
	    here.row == copy_first(c))
		here.col = 1;
	/* With emacs keys a match that starts at the cursor counts. */
	if (!down || !copy_is_vi(c))
		return here;
	if (c->search_marks && match_at(c, here, &m))
		return after(c, m.end);
	if (!c->search_marks) {
		here.col++;
		return after(c, here);
	}
	return here;
}

void
copy_search_went(struct copy *c, const struct vt_match *m, bool down)
{
	struct vt_pos end;

	copy_scroll_to(c, m->start);
	if (!down || copy_is_vi(c))
		return;
	/* With emacs keys the cursor stands after the match. */
	end = after(c, m->end);
	/* tmux's cursor leaves the screen here. */
	if (end.row >= c->top + c->rows)
		c->top = end.row - c->rows + 1;
	c->cx = end.col;
	c->cy = (unsigned)(end.row - c->top);
	copy_clamp(c);
}

bool
copy_search_is_new(struct copy *c)
{
	const struct pane *p = c->mode.pane;

	if (p == NULL)
		return !c->searched || c->search_other;
	return !c->searched || p->search == NULL ||
	       p->search_regex != c->search_regex ||
	       strcmp(p->search, c->search_text) != 0;
}

/* The match at the cursor or right before it. */
static bool
match_here(struct copy *c, struct vt_match *out)
{
	struct vt_pos here = after(c, copy_here(c));

	if (match_at(c, here, out))
		return true;
	/* The position after a match is one of it. */
	if (here.col > 0)
		here.col--;
	else if (here.row > c->top)
		here = (struct vt_pos){ here.row - 1, c->cols - 1 };
	else
		return false;
	return match_at(c, here, out);
}

int
copy_search_text(struct copy *c, struct buf *out)
{
	char text[VT_CLUSTER_MAX + 1];
	struct vt_match m;
	struct vt_pos p;
	unsigned end;

	if (!c->search_marks || !match_here(c, &m))
		return 0;
	for (p = m.start; p.row <= m.end.row;
	     p = (struct vt_pos){ p.row + 1, 0 }) {
		end = p.row == m.end.row ? m.end.col : c->cols;
		for (; p.col < end; p.col++)
			if (!copy_is_tail(c, p) &&
			    buf_add(out, text, copy_cell(c, p, text)) != 0)
				return -ERR_LIMIT;
	}
	return 0;
}
