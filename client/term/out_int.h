/*
 * client/term/out_int.h - inside the painter.
 *
 * Purpose:   what out.c (driver, life), out_cell.c (pens, cells, rows),
 *            out_paint.c (frames) and out_modes.c share.
 * Ownership: see out.h.
 * Units:     see out.h.
 * Errors:    see out.h.
 * Source:    see out.h.
 * Tests:     regress/unit/check_term_out.c
 */
#ifndef CLIENT_TERM_OUT_INT_H
#define CLIENT_TERM_OUT_INT_H

#include <tickit-termdrv.h>
#include <tickit.h>

#include "client/term/out.h"

struct term_out {
	TickitTermDriver drv; /* first: TickitTerm hands it to the vtable */
	TickitTerm *tt;
	struct buf out;
	term_caps caps;
	unsigned cols;
	unsigned rows;
	struct vt_frame *shown; /* NULL: nothing is known */
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

/* A string into libtickit's buffer, as it is. */
void out_puts(struct term_out *o, const char *s);

/* Puts PEN, as far as the terminal can show it, and LINK (may be NULL) in force. */
void out_cell_pen(
    struct term_out *o, const struct pen *pen, struct vt_link *link);
void out_cell_link(struct term_out *o, struct vt_link *link);

/* DEC special graphics instead of ASCII, or not. */
void out_cell_graphics(struct term_out *o, bool on);

/* Paints what differs between rows OLD and NEW. */
void out_cell_row(struct term_out *o, unsigned y, const struct vt_line *old,
    const struct vt_line *new);

#endif
