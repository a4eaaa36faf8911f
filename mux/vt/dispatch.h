/*
 * mux/vt/dispatch.h - calls the handler of a parsed sequence.
 *
 * Purpose:   looks up controls, sequences and strings in the tables and calls
 *            their handlers; counts sequences that no table has.
 * Tests:     regress/vt/
 */
#ifndef MUX_VT_DISPATCH_H
#define MUX_VT_DISPATCH_H

#include "mux/vt/ctl.h"

/* Executes the control C: C0, or C1 as the escape sequence of its 7-bit form. */
void vt_dispatch_control(struct vt_term *t, uint32_t c);

/* Executes an escape sequence. */
void vt_dispatch_esc(struct vt_term *t, const struct vt_seq *seq);

/* Executes the sequence "ESC B"; false if no row has it. */
bool vt_dispatch_esc_short(struct vt_term *t, uint8_t b);

/* Executes a control sequence without prefix, intermediates, sub-parameters. */
void vt_dispatch_plain(
    struct vt_term *t, uint8_t final, const struct vt_params *params);

/* Callbacks of struct vt_parser_ops; ARG is the terminal. */
void vt_dispatch_csi(
    void *arg, const struct vt_seq *seq, const struct vt_params *params);
size_t vt_dispatch_string_begin(
    void *arg, enum vt_string kind, const struct vt_seq *seq);
void vt_dispatch_string_end(void *arg, enum vt_string kind,
    const struct vt_seq *seq, const struct vt_params *params, const char *s,
    size_t n, bool bel);

#endif
