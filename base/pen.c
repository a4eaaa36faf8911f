#include "config.h"

#include <string.h>

#include "base/pen.h"

/* A sequence under construction: "ESC [ 1 ; 2" without the final byte. */
struct sgr {
	char text[PEN_SGR_MAX];
	size_t len;
	bool any;
};

/* Attributes with one parameter for on and one for off. */
static const struct {
	uint32_t bit;
	uint8_t on;
	uint8_t off;
} sgr_attrs[] = {
	{ PEN_ITALIC, 3, 23 },
	{ PEN_BLINK, 5, 25 },
	{ PEN_REVERSE, 7, 27 },
	{ PEN_CONCEAL, 8, 28 },
	{ PEN_STRIKE, 9, 29 },
	{ PEN_OVERLINE, 53, 55 },
};

static void
sgr_char(struct sgr *s, char c)
{
	bug_assert(s->len < sizeof(s->text));
	s->text[s->len++] = c;
}

static void
sgr_digits(struct sgr *s, unsigned n)
{
	if (n >= 100)
		sgr_char(s, (char)('0' + n / 100 % 10));
	if (n >= 10)
		sgr_char(s, (char)('0' + n / 10 % 10));
	sgr_char(s, (char)('0' + n % 10));
}

static void
sgr_start(struct sgr *s)
{
	s->text[0] = '\033';
	s->text[1] = '[';
	s->len = 2;
	s->any = false;
}

/* Appends a parameter. */
static void
sgr_add(struct sgr *s, unsigned n)
{
	if (s->any)
		sgr_char(s, ';');
	s->any = true;
	sgr_digits(s, n);
}

/* Appends SEP and a sub-parameter or a component of a colour. */
static void
sgr_sub(struct sgr *s, char sep, unsigned n)
{
	sgr_char(s, sep);
	sgr_digits(s, n);
}

/*
 * Appends foreground (BASE 30) or background (40).  The 16 ANSI colours have
 * their own codes; 39 and 49 select the default.
 */
static void
sgr_colour(struct sgr *s, unsigned base, colour c)
{
	unsigned v = c & 0xffffff;

	if (c == COLOUR_DEFAULT) {
		sgr_add(s, base + 9);
	} else if (colour_kind(c) == COLOUR_KIND_RGB) {
		sgr_add(s, base + 8);
		sgr_sub(s, ';', 2);
		sgr_sub(s, ';', v >> 16);
		sgr_sub(s, ';', v >> 8 & 0xff);
		sgr_sub(s, ';', v & 0xff);
	} else if (v < 8) {
		sgr_add(s, base + v);
	} else if (v < 16) {
		sgr_add(s, base + 60 + v - 8);
	} else {
		sgr_add(s, base + 8);
		sgr_sub(s, ';', 5);
		sgr_sub(s, ';', v & 0xff);
	}
}

static void
sgr_underline_colour(struct sgr *s, colour c)
{
	unsigned v = c & 0xffffff;

	if (c == COLOUR_DEFAULT) {
		sgr_add(s, 59);
		return;
	}
	sgr_add(s, 58);
	if (colour_kind(c) == COLOUR_KIND_INDEX) {
		sgr_sub(s, ':', 5);
		sgr_sub(s, ':', v & 0xff);
		return;
	}
	sgr_sub(s, ':', 2);
	sgr_char(s, ':'); /* no colour space */
	sgr_sub(s, ':', v >> 16);
	sgr_sub(s, ':', v >> 8 & 0xff);
	sgr_sub(s, ':', v & 0xff);
}

/* Appends the parameters that change FROM into TO. */
static void
sgr_change(struct sgr *s, const struct pen *from, const struct pen *to)
{
	uint32_t on = to->attrs & ~from->attrs, off = from->attrs & ~to->attrs;
	enum pen_underline u = pen_underline(to);
	size_t i;

	if (off & (PEN_BOLD | PEN_DIM)) {
		/* 22 resets both. */
		sgr_add(s, 22);
		on |= to->attrs & (PEN_BOLD | PEN_DIM);
	}
	if (on & PEN_BOLD)
		sgr_add(s, 1);
	if (on & PEN_DIM)
		sgr_add(s, 2);
	if (u != pen_underline(from)) {
		sgr_add(s, u == PEN_UL_NONE ? 24 : 4);
		if (u > PEN_UL_SINGLE)
			sgr_sub(s, ':', u);
	}
	for (i = 0; i < ARRAY_LEN(sgr_attrs); i++) {
		if (on & sgr_attrs[i].bit)
			sgr_add(s, sgr_attrs[i].on);
		else if (off & sgr_attrs[i].bit)
			sgr_add(s, sgr_attrs[i].off);
	}
	if (to->fg != from->fg)
		sgr_colour(s, 30, to->fg);
	if (to->bg != from->bg)
		sgr_colour(s, 40, to->bg);
	if (to->ul != from->ul)
		sgr_underline_colour(s, to->ul);
}

/* SGR encodes only an index or RGB; other colours become the default. */
static colour
sgr_plain(colour c)
{
	return colour_kind(c) == COLOUR_KIND_INDEX ||
		       colour_kind(c) == COLOUR_KIND_RGB
		   ? c
		   : COLOUR_DEFAULT;
}

static struct pen
sgr_pen(const struct pen *p)
{
	struct pen q = { sgr_plain(p->fg), sgr_plain(p->bg), sgr_plain(p->ul),
		p->attrs };

	q.attrs &= ~(uint32_t)(PEN_ACS | PEN_PROTECTED);
	return q;
}

size_t
pen_sgr(const struct pen *from, const struct pen *to, char *out)
{
	static const struct pen zero = { 0, 0, 0, 0 };
	struct pen a = sgr_pen(from), b = sgr_pen(to);
	struct sgr change, reset;
	const struct sgr *s = &change;

	if (pen_equal(&a, &b))
		return 0;
	sgr_start(&reset);
	if (!pen_equal(&b, &zero)) {
		sgr_start(&change);
		sgr_change(&change, &a, &b);
		sgr_add(&reset, 0);
		sgr_change(&reset, &zero, &b);
		if (reset.len < change.len)
			s = &reset;
	} else {
		s = &reset;
	}
	memcpy(out, s->text, s->len);
	out[s->len] = 'm';
	return s->len + 1;
}
