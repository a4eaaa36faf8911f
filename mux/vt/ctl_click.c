/*
 * Clicks into the line that a shell edits: cursor keys, or a report, for a shell
 * that says with OSC 133;A that it understands them.
 */
#include "mux/vt/screen.h"

/* The row in which the user's input begins, or -1. */
static int
click_first_row(const struct vt_term *t)
{
	int y = t->y;

	while (y >= 0 && (vt_row_line(t, y)->flags & VT_LINE_INPUT) == 0)
		y--;
	return y;
}

/* The characters of row Y from column X0 to X1, which cursor keys step over. */
static unsigned
click_steps(const struct vt_term *t, int y, int x0, int x1)
{
	const struct vt_line *line = vt_row_line(t, y);
	unsigned n = 0, x;

	for (x = (unsigned)x0; x < (unsigned)x1; x++)
		n += !vt_cell_continues(vt_line_cell(line, x));
	return n;
}

/* The columns of row Y that have text; all of a row that is continued. */
static int
click_end(const struct vt_term *t, int y)
{
	const struct vt_line *line = vt_row_line(t, y);

	return (line->flags & VT_LINE_WRAPPED) != 0 ? t->cols
						    : (int)vt_line_used(line);
}

/*
 * Counts the characters from (x0, y0) forward to (x1, y1); false if a row between
 * them ends with a newline, where keys would do other things.
 */
static bool
click_count(
    const struct vt_term *t, int x0, int y0, int x1, int y1, unsigned *steps)
{
	unsigned n = 0;
	int y;

	for (y = y0; y < y1; y++) {
		if ((vt_row_line(t, y)->flags & VT_LINE_WRAPPED) == 0)
			return false;
		n += click_steps(t, y, y == y0 ? x0 : 0, t->cols);
	}
	*steps = n + click_steps(t, y, y == y0 ? x0 : 0, x1);
	return true;
}

bool
vt_term_click(const struct vt_term *t, int x, int y, struct vt_click_keys *out)
{
	int first;
	bool back;

	*out = (struct vt_click_keys){ 0 };
	if (t->click == VT_CLICK_NONE || t->alternate ||
	    t->state.prompt != VT_PROMPT_INPUT || x < 0 || x >= t->cols ||
	    y >= t->rows || (first = click_first_row(t)) < 0 || y < first)
		return false;
	if (t->click == VT_CLICK_EVENTS) {
		out->report = true;
		return true;
	}
	if (y == first)
		x = MAX_OF(x, (int)t->click_x);
	/* A click behind the text goes to its end, not left of the cursor. */
	if (x > click_end(t, y))
		x = y == t->y ? MAX_OF(click_end(t, y), t->x) : click_end(t, y);
	back = y < t->y || (y == t->y && x < t->x);
	if (!(back ? click_count(t, x, y, t->x, t->y, &out->steps)
		   : click_count(t, t->x, t->y, x, y, &out->steps)))
		return false;
	out->back = back;
	return out->steps > 0 && out->steps <= VT_CLICK_STEPS_MAX;
}
