/*
 * regress/fuzz/fuzz_vt.h - the common part of the terminal's fuzz targets.
 *
 * Purpose:   makes fresh terminals cheaply, and compares two.
 * Ownership: the pool and table live as long as the program.
 * Units:     cells, bytes.
 * Errors:    a broken invariant aborts (bug_assert).
 */
#ifndef REGRESS_FUZZ_VT_H
#define REGRESS_FUZZ_VT_H

#include "mux/vt/dump.h"
#include "mux/vt/term.h"

/* Returns a fresh terminal of this size. */
struct vt_term *fuzz_term(unsigned cols, unsigned rows, size_t history);

/* Aborts unless the terminal's invariants are true. */
void fuzz_check(struct vt_term *t);

/* Takes all effects; replies and the rest are appended to OUT (or NULL). */
void fuzz_effects(struct vt_term *t, struct buf *out);

/* Returns the visible state of T as text. */
void fuzz_picture(struct vt_term *t, struct buf *out);

/* Writes P in pieces of 1 to STEP bytes; SEED chooses them. */
void fuzz_write(struct vt_term *t, const uint8_t *p, size_t n, size_t step,
    uint64_t seed, struct buf *effects);

#endif
