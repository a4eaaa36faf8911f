/*
 * mux/vt/cell.h - one cell of a line, eight bytes.
 *
 * Purpose:   what stands in a column: a code point or a cluster of the line's
 *            own table, its width class, and its style in the line's table.
 * Ownership: plain value, meaningless outside its line.
 * Units:     ch is a code point, or VT_CELL_CLUSTER | index.
 * Errors:    none.
 * Source:    our own; sizes asserted.
 * Tests:     regress/unit/check_vt_line.c
 */
#ifndef MUX_VT_CELL_H
#define MUX_VT_CELL_H

#include <stdbool.h>

#include "base/compiler.h"

enum vt_width {
	VT_NARROW = 0, /* one column */
	VT_WIDE = 1,   /* first of two columns; a VT_TAIL follows */
	VT_TAIL = 2,   /* second column of a wide cell; ch is 0 */
	VT_PAD = 3,    /* last column left free because a wide cell wrapped */
};

#define VT_CELL_CLUSTER UINT32_C(0x80000000)

/*
 * ch 0 is a column never written since it was erased: it shows as a space but
 * selection and reflow may trim it; its style is the erase colour.
 */
struct vt_cell {
	uint32_t ch;
	uint16_t style; /* index in the line's styles; 0 is the default style */
	uint8_t width;  /* enum vt_width */
	uint8_t flags;  /* reserved, 0 */
};

_Static_assert(sizeof(struct vt_cell) == 8, "a cell is eight bytes");

#endif
