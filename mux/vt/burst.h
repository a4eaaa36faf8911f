/*
 * mux/vt/burst.h - the terminal's quick way through what programs send most.
 *
 * Purpose:   short control sequences, escape sequences, controls, ASCII and RGB
 *            colours in the ground state, from bytes to screen in one place.
 * Ownership: as ctl.h.
 * Units:     bytes.
 * Errors:    none.
 * Source:    our own; it consults the same rows as dispatch.c.
 * Tests:     regress/vt/ (whole and split: the ways must agree), fuzz_vt_split
 */
#ifndef MUX_VT_BURST_H
#define MUX_VT_BURST_H

#include "mux/vt/ctl.h"

/* The parser's callback `quick`; ARG is the terminal. */
const uint8_t *vt_burst(void *arg, const uint8_t *s, const uint8_t *end);

#endif
