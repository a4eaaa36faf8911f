/*
 * mux/mode/clients.h - choose-client.
 *
 * Purpose:   a list (list.h) of the attached clients.
 * Source:    tmux(1), choose-client.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose.sh
 */
#ifndef MUX_MODE_CLIENTS_H
#define MUX_MODE_CLIENTS_H

#include "mux/mode/list.h"

/* Opens it over P. */
int mode_clients_open(
    struct pane *p, const struct mode_list_start *start) WARN_UNUSED;

#endif
