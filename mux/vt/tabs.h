/*
 * mux/vt/tabs.h - tab stops.
 *
 * Purpose:   a set of columns; every eighth one to begin with.
 * Ownership: the caller embeds struct vt_tabs; vt_tabs_fini frees the bits.
 * Units:     columns from 0.
 * Errors:    columns outside are ignored.
 * Source:    VT100; xterm's behaviour at the edges.
 * Tests:     regress/unit/check_vt_tabs.c
 */
#ifndef MUX_VT_TABS_H
#define MUX_VT_TABS_H

#include <stdbool.h>

#include "base/compiler.h"

struct vt_tabs {
	uint32_t *bits; /* NULL while all stops are where they begin */
	unsigned cols;
};

void vt_tabs_init(struct vt_tabs *t, unsigned cols);
void vt_tabs_fini(struct vt_tabs *t);

/* Every eighth column again. */
void vt_tabs_reset(struct vt_tabs *t);

/* New columns get the stops they begin with. */
void vt_tabs_resize(struct vt_tabs *t, unsigned cols);

void vt_tabs_set(struct vt_tabs *t, unsigned x, bool on);
void vt_tabs_clear_all(struct vt_tabs *t);
bool vt_tabs_has(const struct vt_tabs *t, unsigned x);

/* The next stop right of X, or the last column. */
unsigned vt_tabs_next(const struct vt_tabs *t, unsigned x);

/* The next stop left of X, or column 0. */
unsigned vt_tabs_prev(const struct vt_tabs *t, unsigned x);

#endif
