/*
 * mux/vt/pack_int.h - the bits of the packed form.
 *
 * Purpose:   constants that pack.c and unpack.c share.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_PACK_INT_H
#define MUX_VT_PACK_INT_H

#include "mux/vt/pack.h"

enum pack_kind {
	PACK_PLAIN = 1 << 0, /* ASCII and erased cells only */
	PACK_RUNS = 1 << 1,  /* the line has styles */
	PACK_FLAGS = 1 << 2, /* the line has flags */
};

enum pack_special {
	SPECIAL_WIDE = 0,    /* code: the number of wide cells */
	SPECIAL_CLUSTER = 1, /* code: the bytes of a narrow cluster */
	SPECIAL_WIDE_CLUSTER = 2,
	SPECIAL_PAD = 3, /* code: the columns of a tab, or 0: padding */
};

/* The form of a colour; two bits each for fg and bg in the style's mask. */
enum pack_colour {
	COLOUR_ABSENT,
	COLOUR_BYTE, /* palette index */
	COLOUR_STEP, /* RGB, as differences */
	COLOUR_FULL, /* four bytes */
};

#define STYLE_UL (1 << 4)
#define STYLE_ATTRS (1 << 5)
#define STYLE_LINK (1 << 6)

/* In the place of a URI's length: a block, and then perhaps its link. */
#define LINK_BLOCK (VT_LINK_MAX + 1)

/* State carried from one style to the next in a line. */
struct pack_styles {
	uint32_t fg; /* the last RGB of each kind */
	uint32_t bg;
};

#endif
