/*
 * mux/outer.h - the user's terminal as programs in panes may ask for it.
 *
 * Purpose:   a client has the cells and colours that its terminal told; a window
 *            has those of the client that decides its size, for its panes; the
 *            mux has those of the client used last, for new windows.
 * Ownership: holds a reference to the palette.
 * Units:     pixels of a cell, 0 unknown; colours 0xRRGGBB, VT_PALETTE_UNSET
 *            where the terminal told nothing.
 * Tests:     regress/unit/check_client.c, regress/terminal/outer.sh
 */
#ifndef MUX_OUTER_H
#define MUX_OUTER_H

#include "base/key.h"
#include "mux/vt/term.h"

struct outer {
	int cell_w;
	int cell_h;
	struct vt_theme theme;
	struct vt_palette *palette; /* colours 0 to 255; NULL: none is known */
};

/* Nothing is known, and the ground is dark. */
void outer_init(struct outer *o);
void outer_fini(struct outer *o);

/* Takes the cells of a terminal of SIZE (columns, rows, pixels), if known. */
void outer_size(struct outer *o, const uint16_t size[4]);

void outer_copy(struct outer *to, const struct outer *from);
bool outer_equal(const struct outer *a, const struct outer *b);

/*
 * Takes the colours at P, OUTER_BYTES for each: the index in two bytes, the
 * higher one first (0 to 255, or VT_DYN_FG, _BG, _CURSOR), then red, green,
 * blue.  Returns how many it took; it skips others.
 */
#define OUTER_BYTES 5
unsigned outer_read(struct outer *o, const void *p, size_t n);

/*
 * Moves an event of the client's terminal into a pane or popup with its first
 * cell at X and Y, whose programs take cells for those of TARGET.
 */
void outer_mouse(struct mouse_event *ev, int x, int y,
    const struct outer *client, const struct outer *target);

#endif
