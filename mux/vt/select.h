/*
 * mux/vt/select.h - selections: ranges of characters, words, lines and blocks.
 *
 * Purpose:   computes the cells of a selection, the columns of a row to
 *            highlight, and the selected text.
 * Ownership: plain values; text is appended to the caller's buf.
 * Units:     places in a text (text.h); both ends belong to the selection.
 * Errors:    -ERR_LIMIT when the buffer is full, -ERR_NOTFOUND as documented.
 * Source:    xterm and tmux.
 * Tests:     regress/unit/check_vt_select.c
 *
 * To keep a selection while the grid is resized, store its ends in anchors
 * (grid.h).
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
	struct vt_pos a; /* the fixed end */
	struct vt_pos b; /* the moving end; may lie before a */
};

/* An ordered range, both ends included; of a block, two opposite corners. */
struct vt_range {
	struct vt_pos start;
	struct vt_pos end;
	bool block;
};

/*
 * Returns the range of a selection: whole words or lines by its kind, and no
 * half wide cells at the ends.  Clamps rows outside the text.
 * In: separators  characters (UTF-8) that end a word besides space; may be NULL
 */
struct vt_range vt_select_range(
    struct text *t, const struct vt_selection *sel, const char *separators);

/* Returns the word (or run of spaces, or of separators) at POS. */
struct vt_range vt_select_word(
    struct text *t, struct vt_pos pos, const char *separators);

/* Finds the columns *from..*to-1 of a row in the range; false for none. */
bool vt_select_columns(struct text *t, const struct vt_range *range, vt_row row,
    unsigned *from, unsigned *to);

/*
 * Appends the text of a range: a newline between lines, but none where a line
 * wrapped (except in blocks), and no erased columns at the end of a line.
 */
int vt_select_text(
    struct buf *out, struct text *t, const struct vt_range *range);

#endif
