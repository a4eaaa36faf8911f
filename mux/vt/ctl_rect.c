/*
 * Rectangles of the VT420: fill, erase, copy, change attributes, checksum.
 * Coordinates are relative to the origin (DECOM); otherwise margins are
 * ignored.
 */
#include <string.h>

#include "base/utf8.h"
#include "mux/vt/screen.h"
#include "mux/vt/sized.h"

struct rect {
	int x0; /* half-open */
	int y0;
	int x1;
	int y1;
};

/*
 * Reads top, left, bottom, right from parameter FROM on and clips them; false
 * if the rectangle is empty or upside down.
 */
static bool
rect_get(const struct vt_term *t, const struct vt_params *p, int from,
    struct rect *r)
{
	int oy = vt_origin_y(t), ox = vt_origin_x(t);
	bool origin = vt_mode_on(t, VT_MODE_DECOM);
	int bottom = origin ? t->bottom + 1 : t->rows;
	int right = origin ? t->right + 1 : t->cols;

	r->y0 = vt_param_nz(p, from, 1) - 1 + oy;
	r->x0 = vt_param_nz(p, from + 1, 1) - 1 + ox;
	r->y1 = vt_param_nz(p, from + 2, bottom - oy) + oy;
	r->x1 = vt_param_nz(p, from + 3, right - ox) + ox;
	r->y1 = MIN_OF(r->y1, bottom);
	r->x1 = MIN_OF(r->x1, right);
	return r->x0 < r->x1 && r->y0 < r->y1;
}

/* DECFRA - fills with one character in the current pen. */
void
vt_ctl_decfra(struct vt_term *t, const struct vt_params *p)
{
	int ch = vt_param_nz(p, 0, ' ');
	struct vt_line *line;
	struct rect r;
	uint32_t cp;
	int y;

	if (ch < 0x20 || (ch >= 0x7f && ch < 0xa0) ||
	    grapheme_cp_width(t->graphemes, (uint32_t)ch) != 1 ||
	    !rect_get(t, p, 1, &r))
		return;
	cp = ch < 0x7f ? vt_charset_map(
			     (enum vt_charset)t->charsets.g[t->charsets.gl],
			     (uint8_t)ch)
		       : (uint32_t)ch;
	for (y = r.y0; y < r.y1; y++) {
		if (unlikely(vt_odd(t)))
			vt_sized_clear(t, y, r.x0, r.x1, true, false);
		line = vt_row_own(t, y);
		vt_line_fill(line, (unsigned)r.x0, (unsigned)r.x1, cp,
		    vt_pen_style(t, line));
	}
	vt_unjoin(t);
}

void
vt_ctl_decera(struct vt_term *t, const struct vt_params *p)
{
	struct rect r;
	int y;

	if (!rect_get(t, p, 0, &r))
		return;
	for (y = r.y0; y < r.y1; y++)
		vt_erase_span(t, y, r.x0, r.x1, false);
	vt_unjoin(t);
}

/* DECSERA - keeps renditions; erases also what SPA has protected. */
void
vt_ctl_decsera(struct vt_term *t, const struct vt_params *p)
{
	struct vt_line *line;
	struct rect r;
	int y;

	if (!rect_get(t, p, 0, &r))
		return;
	for (y = r.y0; y < r.y1; y++) {
		if (unlikely(vt_odd(t)))
			vt_sized_clear(t, y, r.x0, r.x1, false,
			    t->protect != VT_PROTECT_ISO);
		line = vt_row_own(t, y);
		vt_row_split(t, line, r.x0);
		vt_row_split(t, line, r.x1);
		vt_line_wipe(line, (unsigned)r.x0, (unsigned)r.x1,
		    t->protect != VT_PROTECT_ISO);
	}
	vt_unjoin(t);
}

/* DECCRA - copies; ignores the page parameters, since there is one page. */
void
vt_ctl_deccra(struct vt_term *t, const struct vt_params *p)
{
	int dy = vt_param_nz(p, 5, 1) - 1 + vt_origin_y(t);
	int dx = vt_param_nz(p, 6, 1) - 1 + vt_origin_x(t);
	bool origin = vt_mode_on(t, VT_MODE_DECOM);
	struct vt_rect from;
	struct rect r;
	int w, h;

	if (!rect_get(t, p, 0, &r))
		return;
	w = MIN_OF(r.x1 - r.x0, (origin ? t->right + 1 : t->cols) - dx);
	h = MIN_OF(r.y1 - r.y0, (origin ? t->bottom + 1 : t->rows) - dy);
	if (w <= 0 || h <= 0)
		return;
	from = (struct vt_rect){ (unsigned)r.x0, (unsigned)r.y0,
		(unsigned)(r.x0 + w), (unsigned)(r.y0 + h) };
	vt_grid_copy_rect(t->grid, &from, (unsigned)dx, (unsigned)dy);
	if (unlikely(vt_odd(t)))
		vt_sized_settle(t);
	vt_unjoin(t);
}

/* --- attributes ------------------------------------------------------------- */

/* DECSACE - 2 selects a rectangle, other values a stream of characters. */
void
vt_ctl_decsace(struct vt_term *t, const struct vt_params *p)
{
	int what = vt_param(p, 0, 0);

	if (what <= 2)
		t->sace = (uint8_t)what;
}

struct rect_sgr {
	const struct vt_params *params;
	uint32_t flip;
};

static void
rect_pen_set(struct pen *pen, void *arg)
{
	const struct rect_sgr *s = arg;

	vt_sgr_apply(pen, s->params, 4);
}

static void
rect_pen_flip(struct pen *pen, void *arg)
{
	const struct rect_sgr *s = arg;

	pen->attrs ^= s->flip & ~(uint32_t)PEN_UL_MASK;
	if ((s->flip & PEN_UL_MASK) != 0)
		pen_set_underline(pen, pen_underline(pen) == PEN_UL_NONE
					   ? PEN_UL_SINGLE
					   : PEN_UL_NONE);
}

/* Calls FN for the pens of the rectangle or stream. */
static void
rect_repen(struct vt_term *t, const struct vt_params *p, vt_pen_fn fn,
    struct rect_sgr *arg)
{
	struct vt_line *line;
	struct rect r;
	int y, x0, x1;

	/* xterm also refuses a stream that ends left of its beginning. */
	if (!rect_get(t, p, 0, &r))
		return;
	for (y = r.y0; y < r.y1; y++) {
		x0 = t->sace == 2 || y == r.y0 ? r.x0 : 0;
		x1 = t->sace == 2 || y == r.y1 - 1 ? r.x1 : t->cols;
		line = vt_row_own(t, y);
		vt_line_repen(
		    t->pool, line, (unsigned)x0, (unsigned)x1, fn, arg);
	}
	t->pen_gen = 0;
}

/* DECCARA - the SGR parameters follow those of the rectangle. */
void
vt_ctl_deccara(struct vt_term *t, const struct vt_params *p)
{
	struct rect_sgr s = { p, 0 };

	if (p->count > 4)
		rect_repen(t, p, rect_pen_set, &s);
}

/* SGR parameters that DECRARA reverses. */
static const uint32_t rect_flips[] = { [1] = PEN_BOLD,
	[4] = PEN_UL_SINGLE << PEN_UL_SHIFT,
	[5] = PEN_BLINK,
	[7] = PEN_REVERSE,
	[8] = PEN_CONCEAL };

void
vt_ctl_decrara(struct vt_term *t, const struct vt_params *p)
{
	struct rect_sgr s = { p, 0 };
	unsigned i, all = 0;
	int k, v;

	for (i = 0; i < ARRAY_LEN(rect_flips); i++)
		all |= rect_flips[i];
	for (k = 4; k < p->count; k++) {
		v = vt_param(p, k, 0);
		if (v == 0)
			s.flip ^= all & ~(uint32_t)PEN_CONCEAL;
		else if (v < (int)ARRAY_LEN(rect_flips))
			s.flip ^= rect_flips[v];
	}
	rect_repen(t, p, rect_pen_flip, &s);
}

/* --- checksum --------------------------------------------------------------- */

/*
 * Returns a cell's part of the sum: its code points, and DEC's values for
 * attributes.
 */
static unsigned
rect_cell_sum(const struct vt_line *line, int x, unsigned how)
{
	struct vt_cell c = vt_line_cell(line, (unsigned)x);
	const struct pen *pen;
	char text[VT_CLUSTER_MAX + 1];
	size_t n, i = 0;
	unsigned sum = 0;
	uint32_t cp;

	if (c.ch == 0)
		return c.width == VT_TAIL || (how & VT_CHECKSUM_NO_BLANKS) != 0
			   ? 0
			   : ' ';
	n = vt_line_text(line, (unsigned)x, text);
	while (i < n) {
		i += utf8_decode_final((const uint8_t *)text + i, n - i, &cp);
		sum += cp;
	}
	pen = vt_line_pen(line, (unsigned)x);
	if ((pen->attrs & PEN_CONCEAL) != 0)
		sum = ' ';
	if ((how & VT_CHECKSUM_NO_ATTRS) != 0)
		return sum;
	if ((pen->attrs & PEN_PROTECTED) != 0)
		sum += 0x04;
	if ((pen->attrs & PEN_CONCEAL) != 0)
		sum += 0x08;
	if ((pen->attrs & PEN_UL_MASK) != 0)
		sum += 0x10;
	if ((pen->attrs & PEN_REVERSE) != 0)
		sum += 0x20;
	if ((pen->attrs & PEN_BLINK) != 0)
		sum += 0x40;
	if ((pen->attrs & PEN_BOLD) != 0)
		sum += 0x80;
	return sum;
}

/*
 * DECRQCRA - reports the negated sum of characters and attributes, like DEC,
 * unless XTCHECKSUM says otherwise.
 */
void
vt_ctl_decrqcra(struct vt_term *t, const struct vt_params *p)
{
	unsigned sum = 0;
	struct rect r;
	int x, y;

	if (rect_get(t, p, 2, &r)) {
		for (y = r.y0; y < r.y1; y++) {
			for (x = r.x0; x < r.x1; x++)
				sum += rect_cell_sum(
				    vt_row_line(t, y), x, t->checksum);
		}
	}
	if ((t->checksum & VT_CHECKSUM_POSITIVE) == 0)
		sum = 0u - sum;
	vt_reply(t, "\033P%d!~%04X\033\\", vt_param(p, 0, 0), sum & 0xffff);
}

/* XTREPORTSGR - reports the attributes common to all cells of a rectangle. */
void
vt_ctl_xtreportsgr(struct vt_term *t, const struct vt_params *p)
{
	char text[PEN_SGR_MAX];
	struct pen all = { 0 };
	const struct pen *pen;
	bool first = true;
	struct rect r;
	int x, y;

	if (!rect_get(t, p, 0, &r))
		return;
	for (y = r.y0; y < r.y1; y++) {
		for (x = r.x0; x < r.x1; x++) {
			pen = vt_line_pen(vt_row_line(t, y), (unsigned)x);
			if (first)
				all = *pen;
			first = false;
			all.attrs &= pen->attrs;
			if (all.fg != pen->fg)
				all.fg = COLOUR_DEFAULT;
			if (all.bg != pen->bg)
				all.bg = COLOUR_DEFAULT;
			if (all.ul != pen->ul)
				all.ul = COLOUR_DEFAULT;
		}
	}
	vt_sgr_format(&all, text, sizeof text);
	vt_reply(t, "\033[%sm", text);
}
