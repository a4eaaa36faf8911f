/*
 * SGR, its reports and its stack.
 */
#include <stdio.h>
#include <string.h>

#include "mux/vt/screen.h"

static int
sgr_reset(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	uint32_t keep = pen->attrs & PEN_PROTECTED;

	memset(pen, 0, sizeof *pen);
	pen->attrs = keep;
	return vt_params_width(p, slot);
}

static int
sgr_on(struct pen *pen, const struct vt_params *p, int slot, uint32_t arg)
{
	pen->attrs |= arg;
	return vt_params_width(p, slot);
}

static int
sgr_off(struct pen *pen, const struct vt_params *p, int slot, uint32_t arg)
{
	pen->attrs &= ~arg;
	return vt_params_width(p, slot);
}

static int
sgr_underline(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg)
{
	int style = vt_param_sub(p, slot, 1, (int)arg);

	if (style <= PEN_UL_DASHED)
		pen_set_underline(pen, (enum pen_underline)style);
	return vt_params_width(p, slot);
}

static int
sgr_fg(struct pen *pen, const struct vt_params *p, int slot, uint32_t arg)
{
	pen->fg = colour_index(arg);
	return vt_params_width(p, slot);
}

static int
sgr_bg(struct pen *pen, const struct vt_params *p, int slot, uint32_t arg)
{
	pen->bg = colour_index(arg);
	return vt_params_width(p, slot);
}

static int
sgr_fg_off(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	pen->fg = COLOUR_DEFAULT;
	return vt_params_width(p, slot);
}

static int
sgr_bg_off(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	pen->bg = COLOUR_DEFAULT;
	return vt_params_width(p, slot);
}

static int
sgr_ul_off(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	pen->ul = COLOUR_DEFAULT;
	return vt_params_width(p, slot);
}

/* Sets an RGB colour if all components are in range. */
static void
sgr_rgb(colour *c, int r, int g, int b)
{
	if ((unsigned)r <= 255 && (unsigned)g <= 255 && (unsigned)b <= 255)
		*c = colour_rgb((unsigned)r, (unsigned)g, (unsigned)b);
}

/* Handles 38:5:n, 38:2:r:g:b and 38:2:space:r:g:b(:tolerance...). */
static int
sgr_colour_colon(colour *c, const struct vt_params *p, int slot, int width)
{
	int kind = vt_param_sub(p, slot, 1, 0), v, from;

	if (kind == 5 && width > 2) {
		v = vt_param_sub(p, slot, 2, 0);
		if (v <= 255)
			*c = colour_index((unsigned)v);
	} else if (kind == 2 && width > 4) {
		from = width > 5 ? 3 : 2;
		sgr_rgb(c, vt_param_sub(p, slot, from, 0),
		    vt_param_sub(p, slot, from + 1, 0),
		    vt_param_sub(p, slot, from + 2, 0));
	}
	return width;
}

/* Returns the value in a slot, 0 if there is none. */
static int
sgr_value(const struct vt_params *p, int slot)
{
	return slot < p->count && p->v[slot] > 0 ? p->v[slot] : 0;
}

/* Reads a colour from SLOT (the 38, 48 or 58) on; returns the slots used. */
static int
sgr_colour(colour *c, const struct vt_params *p, int slot)
{
	const int32_t *rgb = p->v + slot + 2;
	int width;
	int left = p->count - slot, kind, v;

	/* The usual form in dense truecolour output. */
	if (likely(p->sub == 0 && left >= 5 && p->v[slot + 1] == 2 &&
		   (uint32_t)(rgb[0] | rgb[1] | rgb[2]) <= 255)) {
		*c = colour_rgb(
		    (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
		return 5;
	}
	width = p->sub == 0 ? 1 : vt_params_width(p, slot);
	if (width > 1)
		return sgr_colour_colon(c, p, slot, width);
	if (left < 2)
		return left;
	kind = p->v[slot + 1];
	/* A missing value is 0, as in xterm. */
	if (kind == 2) {
		sgr_rgb(c, sgr_value(p, slot + 2), sgr_value(p, slot + 3),
		    sgr_value(p, slot + 4));
		return 5;
	}
	if (kind == 5) {
		v = sgr_value(p, slot + 2);
		if (v <= 255)
			*c = colour_index((unsigned)v);
		return 3;
	}
	/* Unknown kind: its length is unknown, so skip the rest. */
	return left;
}

static int
sgr_fg_ext(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	return sgr_colour(&pen->fg, p, slot);
}

static int
sgr_bg_ext(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	return sgr_colour(&pen->bg, p, slot);
}

static int
sgr_ul_ext(
    struct pen *pen, const struct vt_params *p, int slot, uint32_t arg UNUSED)
{
	return sgr_colour(&pen->ul, p, slot);
}

struct sgr_row {
	vt_sgr_fn fn;
	uint32_t arg;
};

static const struct sgr_row sgr_rows[VT_SGR_CODES] = {
#define X(code, name, handler, a, help) [code] = { sgr_##handler, a },
#include "mux/vt/sgr.def"
#undef X
};

/* --- as data ---------------------------------------------------------------- */

/* clang-format off */
#define ALL UINT32_MAX
#define DATA(fk, f, bk, b, uk, u, ak, a) { { fk, bk, uk, ak }, { f, b, u, a } }
#define DATA_reset(a) DATA(0, 0, 0, 0, 0, 0, PEN_PROTECTED, 0)
#define DATA_on(a) DATA(ALL, 0, ALL, 0, ALL, 0, ALL, a)
#define DATA_off(a) DATA(ALL, 0, ALL, 0, ALL, 0, ALL & ~(uint32_t)(a), 0)
#define DATA_underline(a) DATA(ALL, 0, ALL, 0, ALL, 0, \
    ALL & ~(uint32_t)PEN_UL_MASK, (uint32_t)(a) << PEN_UL_SHIFT)
#define DATA_fg(a) DATA(0, SGR_INDEX(a), ALL, 0, ALL, 0, ALL, 0)
#define DATA_bg(a) DATA(ALL, 0, 0, SGR_INDEX(a), ALL, 0, ALL, 0)
#define DATA_fg_off(a) DATA(0, COLOUR_DEFAULT, ALL, 0, ALL, 0, ALL, 0)
#define DATA_bg_off(a) DATA(ALL, 0, 0, COLOUR_DEFAULT, ALL, 0, ALL, 0)
#define DATA_ul_off(a) DATA(ALL, 0, ALL, 0, 0, COLOUR_DEFAULT, ALL, 0)
#define DATA_fg_ext(a) DATA(0, 0, 0, 0, 0, 0, 0, 0)
#define DATA_bg_ext DATA_fg_ext
#define DATA_ul_ext DATA_fg_ext
/* clang-format on */

#define SGR_INDEX(a) ((uint32_t)COLOUR_KIND_INDEX << 24 | (uint32_t)(a))

/* The rows of sgr.def for vt_sgr_change; 38, 48 and 58 are empty. */
const struct vt_sgr_change vt_sgr_changes[VT_SGR_CODES] = {
#define X(code, name, handler, a, help) [code] = DATA_##handler(a),
#include "mux/vt/sgr.def"
#undef X
};

void
vt_sgr_apply(struct pen *pen, const struct vt_params *p, int from)
{
	int slot, code;

	for (slot = from; slot < p->count;) {
		code = MAX_OF(p->v[slot], 0);
		if (code < (int)ARRAY_LEN(sgr_rows) &&
		    sgr_rows[code].fn != NULL)
			slot +=
			    sgr_rows[code].fn(pen, p, slot, sgr_rows[code].arg);
		else
			slot += vt_params_width(p, slot);
	}
}

void
vt_ctl_sgr(struct vt_term *t, const struct vt_params *p)
{
	if (p->count == 0)
		sgr_reset(&t->pen, p, 0, 0);
	else
		vt_sgr_apply(&t->pen, p, 0);
	vt_pen_changed(t);
}

/* --- as text ---------------------------------------------------------------- */

struct sgr_name {
	uint32_t attr;
	const char *code;
};

/* In xterm's order; the single underline comes after bold. */
static const struct sgr_name sgr_names[] = {
	{ PEN_BOLD, ";1" },
	{ PEN_BLINK, ";5" },
	{ PEN_REVERSE, ";7" },
	{ PEN_CONCEAL, ";8" },
	{ PEN_DIM, ";2" },
	{ PEN_ITALIC, ";3" },
	{ PEN_STRIKE, ";9" },
};

/* Underlines by style; sgr_names has the position of the single one. */
static const char *const sgr_underlines[] = { "", ";4", ";21", ";4:3", ";4:4",
	";4:5" };

/* Appends ";31", ";91", ";38:5:123" or ";38:2::1:2:3"; BASE is 30, 40 or 50. */
static void
sgr_format_colour(char *out, size_t size, colour c, int base)
{
	unsigned v = c & 0xffffff;
	size_t n = strlen(out);

	if (colour_kind(c) == COLOUR_KIND_RGB)
		snprintf(out + n, size - n, ";%d:2::%u:%u:%u", base + 8,
		    v >> 16, v >> 8 & 255, v & 255);
	else if (colour_kind(c) != COLOUR_KIND_INDEX)
		return;
	else if (v < 8 && base != 50)
		snprintf(out + n, size - n, ";%d", base + (int)v);
	else if (v < 16 && base != 50)
		snprintf(out + n, size - n, ";%d", base + 60 + (int)v - 8);
	else
		snprintf(out + n, size - n, ";%d:5:%u", base + 8, v);
}

void
vt_sgr_format(const struct pen *pen, char *out, size_t size)
{
	size_t i, n = 1;

	out[0] = '0';
	out[1] = '\0';
	for (i = 0; i < ARRAY_LEN(sgr_names); i++) {
		if (i == 1 && pen_underline(pen) == PEN_UL_SINGLE)
			snprintf(out + n, size - n, ";4");
		n = strlen(out);
		if ((pen->attrs & sgr_names[i].attr) == 0)
			continue;
		snprintf(out + n, size - n, "%s", sgr_names[i].code);
		n = strlen(out);
	}
	if (pen_underline(pen) > PEN_UL_SINGLE &&
	    pen_underline(pen) <= PEN_UL_DASHED)
		snprintf(out + n, size - n, "%s",
		    sgr_underlines[pen_underline(pen)]);
	n = strlen(out);
	if ((pen->attrs & PEN_OVERLINE) != 0)
		snprintf(out + n, size - n, ";53");
	sgr_format_colour(out, size, pen->fg, 30);
	sgr_format_colour(out, size, pen->bg, 40);
	sgr_format_colour(out, size, pen->ul, 50);
}

/* --- the stack --------------------------------------------------------------- */

/* Attribute masks by XTPUSHSGR parameter. */
static const uint32_t sgr_push_mask[] = { [1] = PEN_BOLD,
	[2] = PEN_DIM,
	[3] = PEN_ITALIC,
	[4] = PEN_UL_MASK,
	[5] = PEN_BLINK,
	[7] = PEN_REVERSE,
	[8] = PEN_CONCEAL,
	[9] = PEN_STRIKE };

#define SGR_PUSH_FG (UINT32_C(1) << 30)
#define SGR_PUSH_BG (UINT32_C(1) << 31)

void
vt_ctl_xtpushsgr(struct vt_term *t, const struct vt_params *p)
{
	struct vt_rare *rare = vt_rare(t);
	uint32_t mask = p->count == 0 ? UINT32_MAX : 0;
	int i, v;

	if (rare->nsgr >= VT_SGR_STACK_MAX)
		return;
	for (i = 0; i < p->count; i++) {
		v = p->v[i];
		if (v == 30)
			mask |= SGR_PUSH_FG;
		else if (v == 31)
			mask |= SGR_PUSH_BG;
		else if (v == 21)
			mask |= PEN_UL_MASK;
		else if (v > 0 && v < (int)ARRAY_LEN(sgr_push_mask))
			mask |= sgr_push_mask[v];
	}
	rare->sgr[rare->nsgr].pen = t->pen;
	rare->sgr[rare->nsgr].mask = mask;
	rare->nsgr++;
}

void
vt_ctl_xtpushsgr_brace(struct vt_term *t, const struct vt_params *p)
{
	vt_ctl_xtpushsgr(t, p);
}

void
vt_ctl_xtpopsgr(struct vt_term *t, const struct vt_params *p UNUSED)
{
	struct vt_rare *rare = vt_rare(t);
	const struct pen *old;
	uint32_t mask, attrs;

	if (rare->nsgr == 0)
		return;
	rare->nsgr--;
	old = &rare->sgr[rare->nsgr].pen;
	mask = rare->sgr[rare->nsgr].mask;
	attrs = mask & ~(SGR_PUSH_FG | SGR_PUSH_BG);
	t->pen.attrs = (t->pen.attrs & ~attrs) | (old->attrs & attrs);
	if ((mask & SGR_PUSH_FG) != 0)
		t->pen.fg = old->fg;
	if ((mask & SGR_PUSH_BG) != 0)
		t->pen.bg = old->bg;
	if (mask == UINT32_MAX)
		t->pen.ul = old->ul;
	vt_pen_changed(t);
}

void
vt_ctl_xtpopsgr_brace(struct vt_term *t, const struct vt_params *p)
{
	vt_ctl_xtpopsgr(t, p);
}
