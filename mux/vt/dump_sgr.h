/*
 * mux/vt/dump_sgr.h - the SGR that capture-pane -e writes.
 *
 * Purpose:   takes a terminal from one pen to another in the form of tmux, which
 *            programs compare byte for byte: attributes, foreground, background
 *            and underline colour are a sequence each; what ends an attribute
 *            begins with 0.
 * Units:     DUMP_SGR_MAX bytes are enough for any two pens.
 * Source:    observed output of tmux 3.8 (regress/diff/gen_capture.py).
 * Tests:     regress/unit/check_vt_dump.c
 */
#ifndef MUX_VT_DUMP_SGR_H
#define MUX_VT_DUMP_SGR_H

#include <stddef.h>

#include "base/pen.h"

#define DUMP_SGR_MAX 160

/* Writes the sequences from OLD to NEW; returns their length. */
size_t vt_dump_sgr(
    const struct pen *old, const struct pen *new, char out[DUMP_SGR_MAX]);

#endif
