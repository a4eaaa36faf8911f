/*
 * mux/sync/switch_ask.h - the prompts that keys open, in a setup of switch.h.
 *
 * Purpose:   for mux/sync/switch.c alone: the prompts on the wire.
 * Errors:    a reader that does not fit fails with -ERR_PEER.
 * Source:    doc/PROTOCOL.md, C.6.
 * Tests:     regress/unit/check_sync_switch.c, regress/fuzz/fuzz_sync_switch.c
 */
#ifndef MUX_SYNC_SWITCH_ASK_H
#define MUX_SYNC_SWITCH_ASK_H

#include "mux/sync/switch.h"

/* Append and read [separators, x, y, col, text, line, ...]. */
void sync_switch_put_asks(struct buf *out, const struct sync_switch_setup *s);
void sync_switch_get_asks(struct rd *r, struct sync_switch_setup *s);

#endif
