/*
 * mux/vt/charset.h - the 94-character sets G0 to G3 and their shifts.
 *
 * Purpose:   the set that the bytes 0x20..0x7e select, and its characters.
 * Ownership: plain values.
 * Units:     code points.
 * Source:    ECMA-35; the DEC special graphics set of the VT100 manual.
 * Tests:     regress/unit/check_vt_tabs.c, regress/vt/
 */
#ifndef MUX_VT_CHARSET_H
#define MUX_VT_CHARSET_H

#include <stdbool.h>

#include "base/compiler.h"

enum vt_charset {
	VT_CHARSET_ASCII,
	VT_CHARSET_UK,  /* # is a pound sign */
	VT_CHARSET_DEC, /* special graphics: line drawing */
};

struct vt_charsets {
	uint8_t g[4];   /* enum vt_charset */
	uint8_t gl;     /* 0..3: the set in GL */
	uint8_t gr;     /* for reports only: UTF-8 does not use GR */
	uint8_t single; /* 2 or 3 after SS2, SS3; 0 otherwise */
};

/* Sets the initial state: ASCII in all sets, G0 in GL, G2 in GR. */
void vt_charsets_init(struct vt_charsets *c);

/* Returns the set that a final byte designates, or -1. */
int vt_charset_of_final(uint8_t final);

/* Returns the final byte of a set: B, A or 0. */
uint8_t vt_charset_final(enum vt_charset set);

/* True if no byte needs a translation. */
static inline bool
vt_charsets_plain(const struct vt_charsets *c)
{
	return c->g[c->gl] == VT_CHARSET_ASCII && c->single == 0;
}

/* Returns the code point of byte B (0x20..0x7e) in a set. */
uint32_t vt_charset_map(enum vt_charset set, uint8_t b);

#endif
