/*
 * server/settings.h - options that others hold copies of.
 *
 * Purpose:   takes options to where they have their effect without being
 *            asked for: terminals of panes, the table of widths.
 * Ownership: none.
 * Units:     as the options'.
 * Errors:    entries that mean nothing are skipped.
 * Source:    tmux(1): codepoint-widths, variation-selector-always-wide.
 * Tests:     regress/e2e/options_panes.sh
 */
#ifndef SERVER_SETTINGS_H
#define SERVER_SETTINGS_H

struct server;

/* After any option has changed. */
void settings_apply(struct server *sv);

#endif
