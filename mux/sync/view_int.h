/*
 * mux/sync/view_int.h - internals of the view, for view.c and view_wire.c.
 *
 * Purpose:   compares parts of views, adds effects.
 * Tests:     regress/unit/check_sync_frame.c
 */
#ifndef MUX_SYNC_VIEW_INT_H
#define MUX_SYNC_VIEW_INT_H

#include "mux/sync/view.h"

/* Compares the settings of the terminal. */
bool sync_view_tty_equal(const struct sync_tty *a, const struct sync_tty *b);

/* Compares the surfaces' ids and places. */
bool sync_view_places_equal(
    const struct sync_view *a, const struct sync_view *b);

/* Compares the keys of the key table. */
bool sync_view_keys_equal(const struct sync_view *a, const struct sync_view *b);

/* Appends an effect with the number NUM, and drops the oldest of too many. */
void sync_view_effect_push(struct sync_view *v, uint64_t num,
    enum sync_effect_kind kind, const void *p, size_t n);

#endif
