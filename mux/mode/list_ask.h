/*
 * mux/mode/list_ask.h - the questions of a list as bytes.
 *
 * Purpose:   for list_wire.c: which keys open which prompt, and the open one.
 * Ownership: struct list_wire owns what is read.
 * Errors:    a reader that does not fit fails with -ERR_PEER.
 * Source:    doc/PROTOCOL.md, C.7.
 * Tests:     regress/unit/check_pick.c, regress/fuzz/fuzz_pick.c
 */
#ifndef MUX_MODE_LIST_ASK_H
#define MUX_MODE_LIST_ASK_H

#include "mux/mode/list_wire.h"

/* Appends the questions; returns the number of the open one, 0: none. */
unsigned list_asks_put(
    const struct mode_list *l, const struct list_line *line, struct buf *out);
void list_asks_get(struct rd *r, struct list_wire *w);

void list_open_put(const struct list_open *open, struct buf *out);
void list_open_get(struct rd *r, struct list_wire *w);

void list_ask_free(struct list_wire_ask *a);

#endif
