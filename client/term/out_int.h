/*
 * client/term/out_int.h - internals of the painter.
 *
 * Purpose:   shared by out.c (driver, life), out_cell.c (pens, cells, rows),
 *            out_double.c (rows of double size), out_block.c (blocks of cells),
 *            out_paint.c (frames) and out_modes.c.
 * Tests:     regress/unit/check_term_out.c
 */
#ifndef CLIENT_TERM_OUT_INT_H
#define CLIENT_TERM_OUT_INT_H

#include <tickit-termdrv.h>
#include <tickit.h>

#include "client/term/out.h"

struct term_out {
	/* First member: libtickit's vtable functions cast it. */
	TickitTermDriver drv;
	TickitTerm *tt;
	struct buf out;
	term_caps caps;
	unsigned cols;
	unsigned rows;
	struct vt_frame *shown; /* NULL: the screen's contents are unknown */
	struct pen pen;         /* in force on the terminal, downsampled */
	struct vt_link *link;
	int x; /* cursor, -1 unknown */
	int y;
	bool visible;
	uint8_t shape;
	bool blink;
	uint32_t cursor_rgb;
	struct term_out_modes modes;
	char *title;
	char *path;
	bool started;
	bool kitty_pushed;
	bool graphics; /* DEC special graphics is in force */
	struct term_widths widths;
};

/* Writes a string unchanged into libtickit's buffer. */
void out_puts(struct term_out *o, const char *s);

/*
 * Whether CP turns the text behind it round: U+202A to U+202E and U+2066 to
 * U+2069.
 */
static inline bool
out_is_turn(uint32_t cp)
{
	return (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

/*
 * Writes text of the peer without control characters, turns and invalid
 * bytes.
 */
void out_text(struct term_out *o, const char *text, size_t n);

/* Sets PEN, reduced to what the terminal supports, and LINK (may be NULL). */
void out_cell_pen(
    struct term_out *o, const struct pen *pen, struct vt_link *link);
void out_cell_link(struct term_out *o, struct vt_link *link);

/* Switches DEC special graphics on or off. */
void out_cell_graphics(struct term_out *o, bool on);

/* Paints the differences between rows OLD and NEW, of usual size. */
void out_cell_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new);

/*
 * The same for columns FROM..TO-1 alone.  BITS: the columns that differ
 * (vt_line_differ), up to TO at least.
 */
void out_cell_span(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new, const uint64_t *bits, unsigned from,
    unsigned to);

/* Returns a reference to F, or to a copy with the blocks that can be drawn. */
struct vt_frame *out_block_frame(
    const struct term_out *o, const struct vt_frame *f);

/*
 * Erases the shown blocks that F does not have.  Returns whether there are any
 * blocks: then the rows must not be scrolled, and out_block_end follows them.
 */
bool out_block_begin(struct term_out *o, const struct vt_frame *f);
void out_block_end(struct term_out *o, const struct vt_frame *f);

/*
 * Paints the columns of row NEW that differ from OLD's by BITS, except those of
 * NEW's blocks.
 */
void out_block_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new, const uint64_t *bits);

/* The same for rows of any size. */
void out_double_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new);

/* Returns the terminal's column of the cursor of F. */
int out_double_column(const struct term_out *o, const struct vt_frame *f);

/* Makes the rows that are shown of usual size again. */
void out_double_stop(struct term_out *o);

#endif
