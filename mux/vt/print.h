/*
 * mux/vt/print.h - printable characters onto the screen.
 *
 * Purpose:   runs of ASCII and of other code points to cells: deferred wrap,
 *            insert mode, charsets, wide characters, grapheme clusters.
 * Ownership: as ctl.h.
 * Units:     code points.
 * Errors:    none; a cluster that is full drops what would join it.
 * Source:    xterm for wrapping; UAX #29 through base/grapheme.h.
 * Tests:     regress/unit/check_vt_term.c, regress/vt/
 */
#ifndef MUX_VT_PRINT_H
#define MUX_VT_PRINT_H

#include "mux/vt/screen.h"

/* N bytes of 0x20..0x7e; P[0..ROOM) may be read. */
void vt_print_ascii(struct vt_term *t, const uint8_t *p, size_t n, size_t room);

/* Code points that are no controls. */
void vt_print_text(struct vt_term *t, const uint32_t *cp, size_t n);

/* Prints the last cluster N times more (REP). */
void vt_print_repeat(struct vt_term *t, int n);

#endif
