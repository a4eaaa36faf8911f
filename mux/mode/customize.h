/*
 * mux/mode/customize.h - customize-mode: options, environment and keys.
 *
 * Purpose:   a list (list.h) of all options with their values, of the
 *            environment and of the key tables; changes are commands that the
 *            server runs (set-option, bind-key ...).
 * Source:    tmux(1), customize-mode.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose.sh
 */
#ifndef MUX_MODE_CUSTOMIZE_H
#define MUX_MODE_CUSTOMIZE_H

#include "mux/mode/list.h"

/* Opens the mode over P. It lists the options of S, of P and of P's window. */
int mode_customize_open(struct pane *p, struct session *s,
    const struct mode_list_start *start) WARN_UNUSED;

#endif
