/*
 * mux/vt/cell.h - one cell of a line, eight bytes.
 *
 * Purpose:   the content of one column: a code point or a cluster in the line's
 *            own text, its width class, and its style in the line's table.
 * Ownership: plain value, meaningless outside its line.
 * Units:     ch is a code point, or VT_CELL_CLUSTER | offset into the line's
 *            text (one length byte, then that many bytes of UTF-8).
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_CELL_H
#define MUX_VT_CELL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

enum vt_width {
	VT_NARROW = 0, /* one column */
	VT_WIDE = 1,   /* first of two columns; a VT_TAIL follows */
	VT_TAIL = 2,   /* second column of a wide cell; ch is 0 */
	/* free last columns: the wide cell or tab after them did not fit */
	VT_PAD = 3,
	VT_TAB = 4,      /* first column of a tab; ch is a space */
	VT_TAB_REST = 6, /* its further columns; ch is a space */
};

#define VT_CELL_CLUSTER UINT32_C(0x80000000)

/*
 * ch 0 is a column that was not written since it was erased.  It shows as a
 * space, but selection and reflow may trim it.  Its style is the erase colour.
 */
struct vt_cell {
	uint32_t ch;
	uint16_t style; /* index in the line's styles; 0 is the default style */
	uint8_t width;  /* enum vt_width */
	uint8_t flags;  /* in a block (block.h): 1 + the column in it; else 0 */
};

_Static_assert(sizeof(struct vt_cell) == 8, "a cell is eight bytes");

/* A column that was never written. */
#define VT_CELL_BLANK ((struct vt_cell){ 0, 0, VT_NARROW, 0 })

static inline bool
vt_cell_equal(struct vt_cell a, struct vt_cell b)
{
	return a.ch == b.ch && a.style == b.style && a.width == b.width &&
	       a.flags == b.flags;
}

/* True for a column that a wide cell or a tab has after its first one. */
static inline bool
vt_cell_continues(struct vt_cell c)
{
	_Static_assert((VT_TAIL & 3) == VT_TAIL && (VT_TAB_REST & 3) == VT_TAIL,
	    "the lower bits say so");
	return (c.width & 3) == VT_TAIL;
}

/*
 * True for an erased cell of the default style: there is nothing to store, draw
 * or copy.
 */
static inline bool
vt_cell_is_blank(struct vt_cell c)
{
	return c.ch == 0 && c.style == 0 && c.width == VT_NARROW;
}

/*
 * Builds a cell as one number, which takes fewer instructions than storing its
 * fields.
 */
static inline uint64_t
vt_cell_bits(uint32_t ch, unsigned style, unsigned width)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (uint64_t)width << 48 | (uint64_t)style << 32 | ch;
#else
	return (uint64_t)ch << 32 | (uint64_t)style << 16 | width << 8;
#endif
}

/* Returns a cell as one number, whose lowest bits are the character. */
static inline uint64_t
vt_cell_get(struct vt_cell c)
{
	uint64_t bits;

	memcpy(&bits, &c, sizeof(bits));
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	bits = bits >> 32 | bits << 32;
#endif
	return bits;
}

/* The bits that are indexes into tables of the line: cluster and style. */
#define VT_CELL_LOCAL \
 vt_cell_get((struct vt_cell){ VT_CELL_CLUSTER, UINT16_MAX, 0, 0 })

static inline void
vt_cell_set(struct vt_cell *c, uint64_t bits)
{
	memcpy(c, &bits, sizeof(*c));
}

#endif
