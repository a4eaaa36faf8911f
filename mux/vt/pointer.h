/*
 * mux/vt/pointer.h - names of the mouse pointer's shapes (OSC 22).
 *
 * Purpose:   a pane keeps the shape that its program asks for as a number; the
 *            client gives it to the user's terminal by the name that this
 *            terminal knows.
 * Errors:    a name that no row has is no shape.
 * Source:    kitty's pointer-shape protocol; CSS; X11's font of cursors.
 * Tests:     regress/vt/56_pointer.vt, regress/unit/check_term_out.c
 */
#ifndef MUX_VT_POINTER_H
#define MUX_VT_POINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vt_pointer {
#define X(name, css, x11, others) VT_POINTER_##name,
#include "mux/vt/pointer.def"
#undef X
	VT_POINTER_COUNT
};

#define VT_POINTER_STACK_MAX 16 /* shapes of a screen; kitty asks for 16 */

/* Return the CSS name and the X11 name of a shape. */
const char *vt_pointer_css(uint8_t shape);
const char *vt_pointer_x11(uint8_t shape);

/* Finds a shape by any of its names; false if there is none. */
bool vt_pointer_find(const char *s, size_t n, uint8_t *shape);

#endif
