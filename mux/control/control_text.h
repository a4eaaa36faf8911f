/*
 * mux/control/control_text.h - text of users in lines of control mode.
 *
 * Purpose:   escapes names and values, so that they cannot end their line.
 * Tests:     regress/unit/check_control_subs.c
 */
#ifndef MUX_CONTROL_CONTROL_TEXT_H
#define MUX_CONTROL_CONTROL_TEXT_H

#include "base/buf.h"

/* Appends TEXT; bytes below a blank, but not tabs, as \ooo. */
void control_text_add(struct buf *out, const char *text);

#endif
