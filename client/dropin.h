/*
 * client/dropin.h - this program under the name tmux.
 *
 * Purpose:   gives the variables of tmux the meaning of ours, so that scripts,
 *            plugins and programs that call tmux work on a server of rmux.
 * Source:    tmux(1), ENVIRONMENT.
 * Tests:     regress/e2e/dropin.sh
 */
#ifndef CLIENT_DROPIN_H
#define CLIENT_DROPIN_H

#include <stdbool.h>

#include "base/err.h"

/* Returns whether the program was started under the name tmux. */
bool dropin_is(const char *argv0);

/*
 * Puts TMUX, TMUX_PANE and TMUX_TMPDIR in the place of RMUX, RMUX_PANE and
 * RMUX_TMPDIR. A script that unsets TMUX so leaves the pane's server, as with
 * tmux.
 * Returns: 0, or -ERR_TYPE with a cause if TMUX names a server of tmux itself.
 */
int dropin_environment(struct cause *c);

#endif
