/*
 * mux/glyphs.h - big characters made of blocks.
 *
 * Purpose:   draws digits for display-panes and the text of clock-mode.
 * Units:     cells.
 * Source:    the look is tmux's.
 * Tests:     regress/unit/check_mode.c, regress/unit/check_view_overlay.c
 */
#ifndef MUX_GLYPHS_H
#define MUX_GLYPHS_H

#include "mux/vt/frame.h"

#define GLYPH_W 5
#define GLYPH_H 5
#define GLYPH_STEP (GLYPH_W + 1) /* columns from one to the next */

/*
 * Fills the blocks of TEXT from (X, Y) with the character BLOCK in PEN.
 * Characters other than digits, ':', 'A', 'M' and 'P' stay blank.
 */
void glyphs_draw(struct vt_frame *f, unsigned x, unsigned y, const char *text,
    uint32_t block, const struct pen *pen);

#endif
