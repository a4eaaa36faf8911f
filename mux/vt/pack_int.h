/*
 * mux/vt/pack_int.h - the packed form, as its writer and reader share it.
 *
 * Purpose:   the bits of pack.h's form.
 * Ownership: nothing.
 * Units:     none.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_PACK_INT_H
#define MUX_VT_PACK_INT_H

#include "mux/vt/pack.h"

enum pack_kind {
	PACK_PLAIN = 1 << 0, /* ASCII and erased cells only */
	PACK_RUNS = 1 << 1,  /* there are styles */
	PACK_FLAGS = 1 << 2, /* there are line flags */
};

enum pack_special {
	SPECIAL_WIDE = 0,    /* code: so many wide cells */
	SPECIAL_CLUSTER = 1, /* a cluster of so many bytes, narrow */
	SPECIAL_WIDE_CLUSTER = 2,
	SPECIAL_PAD = 3,
};

/* How a colour is given; two bits each for fg and bg in the style's mask. */
enum pack_colour {
	COLOUR_ABSENT,
	COLOUR_BYTE, /* palette index */
	COLOUR_STEP, /* RGB, as differences */
	COLOUR_FULL, /* four bytes */
};

#define STYLE_UL (1 << 4)
#define STYLE_ATTRS (1 << 5)
#define STYLE_LINK (1 << 6)

/* What is remembered between the styles of one line. */
struct pack_styles {
	uint32_t fg; /* the last RGB of each kind */
	uint32_t bg;
};

#endif
