/*
 * mux/mode/buffers.h - choose-buffer.
 *
 * Purpose:   a list (list.h) of the paste buffers.
 * Source:    tmux(1), choose-buffer.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose.sh
 */
#ifndef MUX_MODE_BUFFERS_H
#define MUX_MODE_BUFFERS_H

#include "mux/mode/list.h"

/* Opens it over P. */
int mode_buffers_open(
    struct pane *p, const struct mode_list_start *start) WARN_UNUSED;

#endif
