/*
 * mux/mode/clock.h - clock-mode.
 *
 * Purpose:   shows the time in big characters; any key ends it.
 * Source:    tmux(1), clock-mode, clock-mode-colour, clock-mode-style.
 * Tests:     regress/unit/check_mode.c, regress/e2e/clock.sh
 */
#ifndef MUX_MODE_CLOCK_H
#define MUX_MODE_CLOCK_H

#include "base/err.h"

struct pane;

/* Puts a clock over the pane; nothing happens if there is one. */
int mode_clock_open(struct pane *p) WARN_UNUSED;

#endif
