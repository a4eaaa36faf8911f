/*
 * regress/unit/frame_util.h - frames with a word in them.
 *
 * Purpose:   makes frames of panes for tests that compare two.
 * Ownership: the caller owns the frame.
 * Units:     rows and columns from 0.
 */
#ifndef REGRESS_FRAME_UTIL_H
#define REGRESS_FRAME_UTIL_H

#include "mux/vt/frame.h"

/* Writes TEXT (ASCII) at the start of row Y of F; the cursor follows it. */
static inline struct vt_frame *
frame_with(struct vt_frame *f, unsigned y, const char *text)
{
	unsigned x;

	for (x = 0; text[x] != 0; x++)
		vt_line_put(
		    vt_frame_own(f, y), x, (uint32_t)text[x], VT_NARROW, 0);
	f->state.x = (uint16_t)x;
	f->state.y = (uint16_t)y;
	return f;
}

#endif
