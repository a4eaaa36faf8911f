/*
 * mux/mode/switch.h - switch-mode: a session or window by letters of its name.
 *
 * Purpose:   a list that typing narrows to the items whose text has the typed
 *            letters in order, the best match first.
 * Ownership: mode_switch_open makes the mode.
 * Units:     at most MODE_SWITCH_MAX items and MODE_SWITCH_TYPED bytes; more
 *            are left out.
 * Errors:    as mode_push.
 * Source:    tmux(1), switch-mode.
 * Tests:     regress/unit/check_mode_list.c, regress/e2e/choose_more.sh
 */
#ifndef MUX_MODE_SWITCH_H
#define MUX_MODE_SWITCH_H

#include "mux/mode/list.h"

#define MODE_SWITCH_MAX 100000u
#define MODE_SWITCH_TYPED 256u

/* Uses host, client, template, format, zoom and kills of START. */
int mode_switch_open(struct pane *p, bool windows,
    const struct mode_list_start *start) WARN_UNUSED;

#endif
