/*
 * server/core/effects.h - the effects of panes' terminals.
 *
 * Purpose:   a row for each effect: bell, titles, clipboard, notifications,
 *            progress, passthrough, prompt marks.
 *            ARG is the server (pane_io_ops).
 * Source:    mux/vt/effects.def; tmux(1): set-clipboard, allow-rename,
 *            allow-set-title, allow-passthrough.
 * Tests:     regress/e2e/options.sh, regress/e2e/options_panes.sh
 */
#ifndef SERVER_CORE_EFFECTS_H
#define SERVER_CORE_EFFECTS_H

#include <stdint.h>

struct vt_effect;

/* Applies effect E of pane ID. */
void effects_pane(void *arg, uint32_t id, const struct vt_effect *e);

#endif
