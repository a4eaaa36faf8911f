/*
 * mux/vt/select.h - parts of screen and history as a user picks them.
 *
 * Purpose:   ranges of characters, words, lines and blocks: what belongs to
 *            them, which columns of a row to highlight, and their text; and
 *            the output of a command, by the shell's marks (OSC 133).
 * Ownership: plain values; text goes to the caller's buf.
 * Units:     grid addresses; both ends belong to the selection.
 * Errors:    -ERR_LIMIT when the buffer is full, -ERR_NOTFOUND as said.
 * Source:    xterm's and tmux's habits.
 * Tests:     regress/unit/check_vt_select.c
 *
 * To keep a selection while text scrolls or is resized, hold its ends in
 * anchors (grid.h).
 */
#ifndef MUX_VT_SELECT_H
#define MUX_VT_SELECT_H

#include "base/buf.h"
#include "mux/vt/logical.h"

enum vt_select_kind {
	VT_SELECT_CHAR,
	VT_SELECT_WORD,  /* whole words at both ends */
	VT_SELECT_LINE,  /* whole wrapped lines */
	VT_SELECT_BLOCK, /* a rectangle */
};

struct vt_selection {
	enum vt_select_kind kind;
	struct vt_pos a; /* where it began */
	struct vt_pos b; /* where it is now; may lie before a */
};

/*
 * The range a selection covers: start not after end, both included, whole
 * words or lines by its kind, never half a wide cell (for a block: its left
 * top and right bottom corner).  Rows outside the grid are clamped.
 * In: separators  characters (UTF-8) that end a word besides space; may be NULL
 */
struct vt_range {
	struct vt_pos start;
	struct vt_pos end;
	bool block;
};
struct vt_range vt_select_range(
    struct vt_grid *g, const struct vt_selection *sel, const char *separators);

/* The word (or the run of spaces, or of separators) at POS. */
struct vt_range vt_select_word(
    struct vt_grid *g, struct vt_pos pos, const char *separators);

/* Columns *from..*to-1 of a row that lie in the range; false for none. */
bool vt_select_columns(struct vt_grid *g, const struct vt_range *range,
    vt_row row, unsigned *from, unsigned *to);

/*
 * Appends the text of a range: a newline between lines (none where a line
 * wrapped, except in blocks), erased columns at the end of lines left out.
 */
int vt_select_text(
    struct buf *out, struct vt_grid *g, const struct vt_range *range);

/*
 * The output of the command that ROW belongs to, or of the last one before:
 * from the row marked as output up to the next prompt.
 * Returns: 0, or -ERR_NOTFOUND if there are no marks.
 */
int vt_select_output(struct vt_grid *g, vt_row row, struct vt_range *range);

/* The next row after (DIR > 0) or before ROW with one of the flags MASK. */
int vt_select_mark(
    struct vt_grid *g, vt_row row, int dir, unsigned mask, vt_row *out);

#endif
