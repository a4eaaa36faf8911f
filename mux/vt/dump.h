/*
 * mux/vt/dump.h - lines, screens and history as text.
 *
 * Purpose:   plain text, text with SGR and OSC 8, and the exact contents.
 * Ownership: appends to the caller's buf.
 * Units:     columns and grid addresses, half-open.
 * Errors:    -ERR_LIMIT if the buffer's maximum is reached; the text written up
 *            to then stays.
 * Source:    the options of tmux's capture-pane.
 * Tests:     regress/unit/check_vt_dump.c
 */
#ifndef MUX_VT_DUMP_H
#define MUX_VT_DUMP_H

#include "base/buf.h"
#include "base/map.h"
#include "mux/vt/frame.h"

enum vt_dump_flag {
	VT_DUMP_JOIN = 1 << 0,    /* no newline between wrapped rows */
	VT_DUMP_TRIM = 1 << 1,    /* drop spaces at the end of a line too */
	VT_DUMP_FULL = 1 << 2,    /* keep erased columns up to the width */
	VT_DUMP_ANSI = 1 << 3,    /* pens as SGR, links as OSC 8 */
	VT_DUMP_ESCAPE = 1 << 4,  /* controls and backslash as \ooo (ANSI: the
	                            sequences too, as tmux's capture-pane -C) */
	VT_DUMP_WRITTEN = 1 << 5, /* ANSI: end at the last character, even if
	                             coloured cells follow */
	VT_DUMP_NUMBER = 1 << 6, /* each row's number, 0 the screen's first, and
	                            a space before it */
	VT_DUMP_FLAGS = 1 << 7,  /* H (a link) O (output begins) P (a prompt) W
	                            (wrapped) X (characters that tmux stores in
	                            a large form) or -, and a space, before a
	                            row */
	VT_DUMP_TABS = 1 << 8,   /* tabs as such, else as spaces */
	VT_DUMP_CARRY = 1 << 9,  /* ANSI: as tmux's capture-pane -e; the pen
	                            goes on in the next row (dump_sgr.h) */
	VT_DUMP_ROOM = 1 << 10,  /* spaces up to the quarter, half or whole of
	                            the width that holds the row */
};

/*
 * Writes columns from..to-1 of a line, without a newline.  Leaves out columns
 * after the last written one (ANSI: the last coloured one) unless VT_DUMP_FULL.
 */
int vt_dump_line(struct buf *out, const struct vt_line *line, unsigned from,
    unsigned to, unsigned flags);

/* Says when rows entered the history. */
struct vt_dump_times {
	int64_t (*at)(
	    const void *arg, vt_row row); /* seconds since 1970, or 0 */
	const void *arg;
};

/*
 * Writes rows first..last-1 of screen and history, a newline after each.
 * In: times  written after the number of each row; may be NULL
 */
int vt_dump_rows(struct buf *out, struct vt_grid *g, vt_row first, vt_row last,
    unsigned flags, const struct vt_dump_times *times);

/*
 * Writes the URIs of the links in rows first..last-1: one line for each row
 * that has a link not in SEEN, its URIs separated by spaces, after the number,
 * time and flags as in vt_dump_rows.  Adds the URIs to SEEN (names
 * without a value).
 */
int vt_dump_links(struct buf *out, struct map *seen, struct vt_grid *g,
    vt_row first, vt_row last, unsigned flags,
    const struct vt_dump_times *times);

/* Writes all rows of a frame. */
int vt_dump_frame(struct buf *out, const struct vt_frame *f, unsigned flags);

/*
 * Writes the exact content of a line as one line of text: its characters, with
 * '.' for erased cells, '>' for tails and '#' for padding, its flags, and
 * "from-to pen link" for every run of a style that is not the default.
 */
int vt_dump_raw(struct buf *out, const struct vt_line *line);
int vt_dump_raw_frame(struct buf *out, const struct vt_frame *f);

#endif
