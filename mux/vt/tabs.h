/*
 * mux/vt/tabs.h - tab stops.
 *
 * Purpose:   a set of columns, initially every eighth one.
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
	uint32_t *bits; /* NULL while all stops are the initial ones */
	unsigned cols;
};

void vt_tabs_init(struct vt_tabs *t, unsigned cols);
void vt_tabs_fini(struct vt_tabs *t);

/* Sets the initial stops: every eighth column. */
void vt_tabs_reset(struct vt_tabs *t);

/* Changes the width; new columns get the initial stops. */
void vt_tabs_resize(struct vt_tabs *t, unsigned cols);

void vt_tabs_set(struct vt_tabs *t, unsigned x, bool on);
void vt_tabs_clear_all(struct vt_tabs *t);
bool vt_tabs_has(const struct vt_tabs *t, unsigned x);

/* Returns the next stop to the right of X, or the last column. */
unsigned vt_tabs_next(const struct vt_tabs *t, unsigned x);

/* Returns the next stop to the left of X, or column 0. */
unsigned vt_tabs_prev(const struct vt_tabs *t, unsigned x);

#endif
