/*
 * mux/vt/grid_int.h - shared by grid.c and reflow.c.
 *
 * Purpose:   the allocation of the row pointers.
 * Ownership: as in grid.h.
 * Units:     rows.
 * Tests:     regress/unit/check_vt_grid.c
 */
#ifndef MUX_VT_GRID_INT_H
#define MUX_VT_GRID_INT_H

#include "mux/vt/grid.h"

/* Makes room for ROWS row pointers; keeps the present ones that fit. */
void vt_grid_store(struct vt_grid *g, unsigned rows);

#endif
