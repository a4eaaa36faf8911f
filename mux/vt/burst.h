/*
 * mux/vt/burst.h - the terminal's fast path for the most frequent output.
 *
 * Purpose:   short control sequences, escape sequences, controls, ASCII and RGB
 *            colours in the ground state, from bytes to screen in one place; it
 *            uses the rows of dispatch.c.
 * Ownership: as in ctl.h.
 * Units:     bytes.
 * Tests:     regress/vt/ (whole and split: both paths must agree),
 *            fuzz_vt_split
 */
#ifndef MUX_VT_BURST_H
#define MUX_VT_BURST_H

#include "mux/vt/ctl.h"

/* The parser's callback `quick`. ARG is the terminal. */
const uint8_t *vt_burst(void *arg, const uint8_t *s, const uint8_t *end);

#endif
