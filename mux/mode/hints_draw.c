/*
 * What hints show: the text in hints-style, hints in hints-match-style, and
 * over each the part of its label that is yet to be typed.
 */
#include <string.h>

#include "mux/mode/hints_int.h"
#include "mux/pane.h"

static void
over(struct pen *pen, void *arg)
{
	const struct pen *style = arg;

	if (style->fg != 0)
		pen->fg = style->fg;
	if (style->bg != 0)
		pen->bg = style->bg;
	pen->attrs = (pen->attrs & (uint32_t)PEN_PROTECTED) | style->attrs;
}

static struct pen
style_of(const struct mode_paint *paint, enum option_id id)
{
	static const struct pen plain;

	return paint->style(paint->arg, id, &plain);
}

static void
draw_text(
    struct hints_mode *hm, struct vt_frame *f, const struct mode_paint *paint)
{
	struct pen style = style_of(paint, OPTION_HINTS_STYLE);
	const struct vt_line *l;
	unsigned y;

	for (y = 0; y < f->rows && hm->text.top + y < hm->text.count; y++) {
		l = hm->text.lines[hm->text.top + y];
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(l);
		if (l->len > f->cols)
			vt_line_truncate(vt_frame_own(f, y), f->cols);
		vt_line_repen(
		    NULL, vt_frame_own(f, y), 0, f->cols, over, &style);
	}
}

/* Draws the part of hint H in row Y of the pane. */
static void
draw_row(const struct hints_mode *hm, const struct hint *h, struct vt_frame *f,
    unsigned y, struct pen *style)
{
	const vt_row row = hm->text.top + y;
	const unsigned from = row == h->at.start.row ? h->at.start.col : 0;
	const unsigned to = row == h->at.end.row ? h->at.end.col : f->cols;

	if (from < MIN_OF(to, (unsigned)f->cols))
		vt_line_repen(NULL, vt_frame_own(f, y), from,
		    MIN_OF(to, (unsigned)f->cols), over, style);
}

static void
draw_label(const struct hints_mode *hm, const struct hint *h,
    struct vt_frame *f, const struct pen *style, const struct mode_paint *paint)
{
	char label[HINT_LABEL_MAX + 1];
	const char *rest;
	unsigned x = h->at.start.col, y, n;

	hint_labels_get(&hm->hints.labels, h->label, label);
	rest = label + strlen(hm->typed);
	n = (unsigned)strlen(rest);
	/* A hint that begins above has its label in the first row in sight. */
	if (h->at.start.row < hm->text.top) {
		y = 0;
		x = 0;
	} else {
		y = (unsigned)(h->at.start.row - hm->text.top);
	}
	if (y >= f->rows || n == 0 || n > f->cols)
		return;
	x = MIN_OF(x, f->cols - n);
	(void)vt_frame_text(f, paint->graphemes, x, y, x + n, rest, n, style);
}

void
hints_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	struct hints_mode *hm = container_of(m, struct hints_mode, mode);
	struct pen match = style_of(paint, OPTION_HINTS_MATCH_STYLE);
	const struct pen label = style_of(paint, OPTION_HINTS_LABEL_STYLE);
	struct pen picked = match;
	const struct hint *h;
	vt_row row;
	size_t i;

	picked.attrs ^= PEN_REVERSE;
	draw_text(hm, f, paint);
	for (i = 0; i < hm->hints.count; i++) {
		h = &hm->hints.all[i];
		if (!hints_matches(hm, h))
			continue;
		row = MAX_OF(h->at.start.row, (vt_row)hm->text.top);
		for (; row <= h->at.end.row && row < hm->text.top + f->rows;
		     row++)
			draw_row(hm, h, f, (unsigned)(row - hm->text.top),
			    hm->picked[h->label] ? &picked : &match);
	}
	for (i = 0; i < hm->hints.count; i++) {
		h = &hm->hints.all[i];
		if (hints_matches(hm, h) && !hm->picked[h->label])
			draw_label(hm, h, f, &label, paint);
	}
}
