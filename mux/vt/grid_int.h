/*
 * mux/vt/grid_int.h - what grid.c and reflow.c share.
 *
 * Purpose:   the allocation row pointers live in.
 * Ownership: as in grid.h.
 * Units:     rows.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_vt_grid.c
 */
#ifndef MUX_VT_GRID_INT_H
#define MUX_VT_GRID_INT_H

#include "mux/vt/grid.h"

/* Room for ROWS row pointers; the present ones are kept as far as they fit. */
void vt_grid_store(struct vt_grid *g, unsigned rows);

#endif
