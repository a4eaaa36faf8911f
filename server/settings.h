/*
 * server/settings.h - options that others hold copies of.
 *
 * Purpose:   takes options to where they have their effect without being
 *            asked for: terminals of panes, the table of widths,
 *            the client's decoder and painter.
 * Ownership: strings are the caller's.
 * Units:     as the options'.
 * Errors:    entries that mean nothing are skipped.
 * Source:    tmux(1): codepoint-widths, variation-selector-always-wide,
 *            terminal-features, terminal-overrides, user-keys, escape-time.
 * Tests:     regress/e2e/options_panes.sh, regress/e2e/options_client.sh
 */
#ifndef SERVER_SETTINGS_H
#define SERVER_SETTINGS_H

#include "mux/sync/view.h"

struct client;
struct server;

/* After any option has changed. */
void settings_apply(struct server *sv);

/* What the terminal of C shall do; strings of *OUT are replaced. */
void settings_client(
    struct server *sv, const struct client *c, struct sync_tty *out);

#endif
