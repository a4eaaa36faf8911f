/*
 * mux/mode/clock.h - clock-mode.
 *
 * Purpose:   shows the time in big characters until a key is pressed.
 * Source:    tmux(1), clock-mode, clock-mode-colour, clock-mode-style.
 * Tests:     regress/unit/check_mode.c, regress/e2e/clock.sh
 */
#ifndef MUX_MODE_CLOCK_H
#define MUX_MODE_CLOCK_H

#include "base/err.h"

struct pane;

/* Shows a clock on the pane; does nothing if it already shows one. */
int mode_clock_open(struct pane *p) WARN_UNUSED;

#endif
