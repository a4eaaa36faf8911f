/*
 * mux/vt/block.h - blocks: rectangles of cells that together show one text.
 *
 * Purpose:   what a program writes with kitty's text sizing protocol (OSC 66):
 *            text in s * w columns and s rows, large, small, or just of a width
 *            that the program has decided.
 * Ownership: a block's row is a vt_link in the tables of its line, of which it
 *            takes a style's place for a hyperlink.
 * Units:     columns and rows from 0.
 * Source:    kitty's text-sizing-protocol.
 * Tests:     regress/unit/check_vt_block.c, regress/vt/37_sized.vt
 *
 * The cells of a block hold what a terminal without the feature shows: the text
 * in the usual size in the first row, cut at the block's edge, and blanks.  So a
 * cell that loses its block becomes plain text.  A cell's `flags` say its column
 * in the block, the link its row.  Each cell so names the whole block, and a
 * block is whole if each of its cells names it.  Writers that know nothing of
 * blocks clear `flags`; then the rest of the block is not whole, and is plain.
 *
 * A line that has such cells has the flag VT_LINE_BLOCKS; a line with the flag
 * may have none.
 */
#ifndef MUX_VT_BLOCK_H
#define MUX_VT_BLOCK_H

#include "mux/vt/line.h"

#define VT_BLOCK_SCALE_MAX 7
#define VT_BLOCK_WIDTH_MAX 7
#define VT_BLOCK_FRACTION_MAX 15
#define VT_BLOCK_ALIGN_MAX 2
#define VT_BLOCK_TEXT_MAX 255 /* bytes of text that a block keeps */

/*
 * Returns one row of a block with one reference.  Cuts the text at
 * VT_BLOCK_TEXT_MAX bytes, between code points.
 * In: over  the cells' hyperlink, or NULL; no block
 */
struct vt_link *vt_block_new(const struct vt_block *block, const char *text,
    size_t n, struct vt_link *over);

/* Whether the sizes are within the bounds above. */
bool vt_block_valid(const struct vt_block *block);

static inline unsigned
vt_block_cols(const struct vt_link *k)
{
	return (unsigned)k->block.scale * k->block.width;
}

/* Whether both are rows of equal blocks. */
bool vt_block_same(const struct vt_link *a, const struct vt_link *b);

/*
 * Whether all cells of the block of cell (X, Y) are there.  ABOVE: rows above
 * the first one count as there.
 */
bool vt_block_whole(struct vt_line *const *rows, unsigned nrows, unsigned x,
    unsigned y, bool above);

/*
 * Makes the N cells from COL on the columns from DX on of the row K of a block;
 * they keep their text.  Their style must have K as its link.
 */
void vt_block_mark(struct vt_line *line, unsigned col, unsigned n,
    const struct vt_link *k, unsigned dx);

/* Makes cells FROM..TO-1 of a line with one owner plain text. */
void vt_block_strip(
    struct vt_pool *pool, struct vt_line *line, unsigned from, unsigned to);

/* Returns a reference to LINE, or to a copy whose blocks have all columns. */
struct vt_line *vt_block_tidy(struct vt_pool *pool, const struct vt_line *line);

/*
 * Makes plain text of the cells in ROWS whose block is not whole; of all if
 * not KEEP.  Returns whether there are blocks left.
 */
bool vt_block_settle(struct vt_pool *pool, struct vt_line **rows,
    unsigned nrows, bool keep, bool above);

#endif
