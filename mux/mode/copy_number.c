/*
 * The line numbers of copy mode: the gutter, and the numbers in the indicator
 * and of goto-line.
 */
#include <stdio.h>

#include "mux/mode/copy_int.h"

#define NUMBER_MIN 3 /* columns of a number */

/* The kind of numbers that are shown, COPY_MODE_LINE_NUMBERS_... */
static int64_t
kind(const struct copy *c)
{
	const int64_t k = c->env.line_numbers;

	if (c->numbers == 0)
		return COPY_MODE_LINE_NUMBERS_OFF;
	if (c->numbers > 0 && k == COPY_MODE_LINE_NUMBERS_OFF)
		return COPY_MODE_LINE_NUMBERS_DEFAULT;
	return k;
}

bool
copy_numbers(const struct copy *c)
{
	return kind(c) != COPY_MODE_LINE_NUMBERS_OFF;
}

/* Whether the indicator and goto-line count from the oldest line. */
static bool
is_absolute(const struct copy *c)
{
	const int64_t k = kind(c);

	return k != COPY_MODE_LINE_NUMBERS_OFF &&
	       k != COPY_MODE_LINE_NUMBERS_DEFAULT;
}

static uint64_t
history(const struct copy *c)
{
	return copy_base(c) - copy_first(c);
}

/* The columns of the numbers, with the blank after them. */
static unsigned
number_cols(const struct copy *c)
{
	uint64_t all = history(c) + c->rows;
	unsigned n = 0;

	for (; all > 0; all /= 10)
		n++;
	return MAX_OF(n, (unsigned)NUMBER_MIN) + 1;
}

unsigned
copy_gutter(const struct copy *c)
{
	return copy_numbers(c) ? MIN_OF(number_cols(c), c->cols - 1) : 0;
}

uint64_t
copy_position(const struct copy *c, uint64_t *limit)
{
	const bool absolute = is_absolute(c);

	*limit = history(c) + (absolute ? c->rows : 0);
	return absolute ? c->top - MIN_OF(copy_first(c), c->top) + 1
			: copy_base(c) - c->top;
}

void
copy_go_number(struct copy *c, uint64_t line)
{
	const uint64_t n = history(c);

	if (is_absolute(c))
		c->top = copy_first(c) + MIN_OF(MAX_OF(line, 1U) - 1, n);
	else
		c->top = copy_base(c) - MIN_OF(line, n);
}

static uint64_t
distance(vt_row a, vt_row b)
{
	return a > b ? a - b : b - a;
}

/* The number of the row Y of the screen. */
static uint64_t
number_of(const struct copy *c, unsigned y)
{
	const vt_row row = c->top + y;
	const int64_t k = kind(c);

	if (k == COPY_MODE_LINE_NUMBERS_DEFAULT)
		return distance(copy_base(c), row);
	if (k == COPY_MODE_LINE_NUMBERS_RELATIVE ||
	    (k == COPY_MODE_LINE_NUMBERS_HYBRID && y != c->cy))
		return distance(c->cy, y);
	return row - copy_first(c) + 1;
}

void
copy_draw_numbers(
    struct copy *c, struct vt_frame *f, const struct mode_paint *paint)
{
	static const struct pen plain;
	const unsigned gutter = MIN_OF(copy_gutter(c), f->cols);
	const unsigned cols = number_cols(c);
	struct pen pen, here;
	char text[32];
	unsigned y;
	int n;

	if (gutter == 0)
		return;
	pen = paint->style(
	    paint->arg, OPTION_COPY_MODE_LINE_NUMBER_STYLE, &plain);
	here = paint->style(
	    paint->arg, OPTION_COPY_MODE_CURRENT_LINE_NUMBER_STYLE, &plain);
	/* See copy_style_base. */
	pen.attrs &= ~(uint32_t)PEN_PROTECTED;
	here.attrs &= ~(uint32_t)PEN_PROTECTED;
	for (y = 0; y < MIN_OF(c->rows, f->rows); y++) {
		vt_line_insert(vt_frame_own(f, y), 0, gutter, f->cols, 0);
		vt_line_truncate(vt_frame_own(f, y), f->cols);
		n = snprintf(text, sizeof(text), "%*llu ", (int)cols - 1,
		    (unsigned long long)number_of(c, y));
		(void)vt_frame_text(f, paint->graphemes, 0, y, gutter, text,
		    (size_t)n, y == c->cy ? &here : &pen);
	}
}

/* --- commands -------------------------------------------------------------------- */

DO(line_numbers_on)
{
	c->numbers = 1;
	return COPY_REDRAW;
}

DO(line_numbers_off)
{
	c->numbers = 0;
	return COPY_REDRAW;
}

DO(line_numbers_toggle)
{
	c->numbers = copy_numbers(c) ? 0 : 1;
	return COPY_REDRAW;
}
