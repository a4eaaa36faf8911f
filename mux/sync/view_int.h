/*
 * mux/sync/view_int.h - what view.c and view_wire.c share.
 *
 * Purpose:   parts of a view: compared, added.
 * Ownership: as in view.h.
 * Units:     cells.
 * Errors:    as in view.h.
 * Source:    our own.
 * Tests:     regress/unit/check_sync_frame.c
 */
#ifndef MUX_SYNC_VIEW_INT_H
#define MUX_SYNC_VIEW_INT_H

#include "mux/sync/view.h"

/* Whether the wanted modes and titles are the same. */
bool sync_view_tty_equal(const struct sync_tty *a, const struct sync_tty *b);

/* Whether the same surfaces stand at the same places. */
bool sync_view_places_equal(
    const struct sync_view *a, const struct sync_view *b);

/* Whether the same keys are the key table's. */
bool sync_view_keys_equal(const struct sync_view *a, const struct sync_view *b);

/* Appends an effect with the number NUM; of too many the oldest goes. */
void sync_view_effect_push(struct sync_view *v, uint64_t num,
    enum sync_effect_kind kind, const void *p, size_t n);

#endif
