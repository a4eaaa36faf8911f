/*
 * server/face/tty.h - options for the client's terminal.
 *
 * Purpose:   capabilities, user keys and the escape time that the client's
 *            decoder and painter work by.
 * Ownership: strings of the result are replaced and the result's.
 * Errors:    entries that mean nothing are skipped.
 * Source:    tmux(1): terminal-features, terminal-overrides, user-keys,
 *            escape-time.
 * Tests:     regress/e2e/options_client.sh
 */
#ifndef SERVER_FACE_TTY_H
#define SERVER_FACE_TTY_H

#include "mux/sync/view.h"

struct client;
struct mux;

void tty_settings(
    const struct mux *m, const struct client *c, struct sync_tty *out);

#endif
