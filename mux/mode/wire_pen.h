/*
 * mux/mode/wire_pen.h - pens and texts in the states of modes on the wire.
 *
 * Purpose:   what the wires of copy mode, lists, menus and palettes share.
 * Ownership: a text read belongs to the caller (mem_free).
 * Errors:    sticky in struct rd: -ERR_PEER for pens that no server draws with
 *            and for texts that are no UTF-8 or have a NUL.
 * Source:    doc/PROTOCOL.md, C.5 and C.7.
 * Tests:     regress/unit/check_copy_replay.c, check_pick.c
 */
#ifndef MUX_MODE_WIRE_PEN_H
#define MUX_MODE_WIRE_PEN_H

#include "base/buf.h"
#include "base/pen.h"
#include "base/wire.h"

#define WIRE_PEN 4 /* numbers of a pen */

/* Four numbers: text, background, underline, attributes. */
void wire_pen_put(struct buf *out, const struct pen *p);
struct pen wire_pen_get(struct rd *r);

/* Reads a colour.  Colours of a theme are errors: the server resolves them. */
colour wire_colour_get(struct rd *r);

/* Reads a string of at most MAX bytes; NULL after an error. */
char *wire_text_get(struct rd *r, size_t max);

#endif
