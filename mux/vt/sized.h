/*
 * mux/vt/sized.h - blocks (block.h) on the screen of a terminal.
 *
 * Purpose:   what writing, erasing, inserting, deleting and scrolling do to
 *            blocks.  A block of which a part goes is erased as a whole.
 * Ownership: as in ctl.h.
 * Units:     columns and rows from 0; spans half-open.
 * Source:    kitty's text-sizing-protocol.
 * Tests:     regress/vt/37_sized.vt
 *
 * The functions are for screens with odd rows (odd.h); on others there are no
 * blocks.  Rows that the history took keep their cells when the rest of their
 * block is erased; what is not whole is shown as plain text.
 */
#ifndef MUX_VT_SIZED_H
#define MUX_VT_SIZED_H

#include "mux/vt/block.h"
#include "mux/vt/odd.h"

/* Most bytes of the text of one OSC 66; a longer one is refused. */
#define VT_SIZED_TEXT_MAX 4096

/*
 * Removes the blocks that columns [x0, x1) of row Y belong to.  OVER: text is
 * about to be written there, so a block whose first cell stays becomes spaces.
 * PROTECT: leaves those with protected cells there.
 */
void vt_sized_clear(
    struct vt_term *t, int y, int x0, int x1, bool over, bool protect);

/* Removes blocks that go across the upper edge of columns [x0, x1) of row Y. */
void vt_sized_cut_row(struct vt_term *t, int y, int x0, int x1);

/*
 * Removes what a shift of columns [x, end) of row Y by N to the right (INSERT)
 * or left would tear.
 */
void vt_sized_shift(
    struct vt_term *t, int y, int x, int n, int end, bool insert);

/*
 * Removes what moving the rows within the margins from TOP on would tear.
 * KEEP: rows that leave the screen at its top go on in the history.
 */
void vt_sized_scroll(struct vt_term *t, int top, int n, bool up, bool keep);

/* Makes plain text of blocks that are not whole, after copying or resizing. */
void vt_sized_settle(struct vt_term *t);

/*
 * Returns the column after the lower rows of a block that text in columns
 * [x, x + w) of row Y would meet; -1 if there are none.
 */
int vt_sized_past(const struct vt_term *t, int y, int x, int w);

/* What a block shows: TEXT is LEN bytes of UTF-8. */
struct vt_sized {
	struct vt_block block;
	const char *text;
	size_t len;
};

/*
 * Writes row ROW of a block at (X, Y), over blank cells.
 * In: over  the cells' hyperlink, or NULL
 */
void vt_sized_put_row(struct vt_term *t, int x, int y, const struct vt_sized *s,
    unsigned row, const struct pen *pen, struct vt_link *over);

/*
 * Adds a code point without width to the block before the cursor, or at it.
 * Returns false if there is none.
 */
bool vt_sized_append(struct vt_term *t, uint32_t cp);

#endif
