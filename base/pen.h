/*
 * base/pen.h - how a cell is drawn: colours and attributes.
 *
 * Purpose:   the value that SGR sets, styles parse to and painting uses.  It
 *            has no hyperlink (see mux/vt/line.h).
 * Ownership: plain value; a hyperlink is not part of it (see mux/vt/line.h).
 * Units:     attribute bits; underline style 0..5 in PEN_UL_MASK.
 * Source:    ECMA-48 SGR, kitty's underline styles.
 * Tests:     regress/unit/check_pen.c
 */
#ifndef BASE_PEN_H
#define BASE_PEN_H

#include <stdbool.h>

#include "base/colour.h"

enum pen_attr {
	PEN_BOLD = 1 << 0,
	PEN_DIM = 1 << 1,
	PEN_ITALIC = 1 << 2,
	PEN_BLINK = 1 << 3,
	PEN_REVERSE = 1 << 4,
	PEN_CONCEAL = 1 << 5,
	PEN_STRIKE = 1 << 6,
	PEN_OVERLINE = 1 << 7,
	PEN_UL_SHIFT = 8,     /* three bits: 0 none, 1 single, 2 double, */
	PEN_UL_MASK = 7 << 8, /* 3 curly, 4 dotted, 5 dashed */
	PEN_ACS = 1 << 11,    /* drawn with the terminal's line set (styles) */
	PEN_PROTECTED = 1 << 12, /* DECSCA: not erased by DECSED, DECSEL */
};

enum pen_underline {
	PEN_UL_NONE,
	PEN_UL_SINGLE,
	PEN_UL_DOUBLE,
	PEN_UL_CURLY,
	PEN_UL_DOTTED,
	PEN_UL_DASHED,
};

struct pen {
	colour fg;
	colour bg;
	colour ul;      /* underline colour */
	uint32_t attrs; /* enum pen_attr */
};

static inline bool
pen_equal(const struct pen *a, const struct pen *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->ul == b->ul &&
	       a->attrs == b->attrs;
}

static inline enum pen_underline
pen_underline(const struct pen *p)
{
	return (enum pen_underline)((p->attrs & PEN_UL_MASK) >> PEN_UL_SHIFT);
}

static inline void
pen_set_underline(struct pen *p, enum pen_underline u)
{
	p->attrs = (p->attrs & ~(uint32_t)PEN_UL_MASK) | (uint32_t)u
							     << PEN_UL_SHIFT;
}

/*
 * Writes the SGR sequence (with its CSI and m) that changes FROM into TO to OUT
 * (at least PEN_SGR_MAX bytes, not terminated).  Returns its length, or 0 if a
 * terminal draws both alike.  The sequence is the shorter of the difference and
 * a reset (CSI 0 m; CSI m for the default pen) with all of TO.  Underline
 * styles and colours take the colon form (4:3, 58:2::r:g:b), RGB 38;2;r;g;b.
 * Colours other than palette index or RGB count as default (the caller resolves
 * themes); PEN_ACS and PEN_PROTECTED are not part of SGR.
 */
#define PEN_SGR_MAX 128
size_t pen_sgr(const struct pen *from, const struct pen *to, char *out);

#endif
