/*
 * server/core/settings.h - options that other parts of the server keep copies of.
 *
 * Purpose:   copies options to the terminals of panes and to the table of
 *            widths.
 * Errors:    entries that do not parse are skipped.
 * Source:    tmux(1): codepoint-widths, variation-selector-always-wide.
 * Tests:     regress/unit/check_core.c, regress/e2e/options_panes.sh
 */
#ifndef SERVER_CORE_SETTINGS_H
#define SERVER_CORE_SETTINGS_H

struct run;
struct settings;

struct settings *settings_new(struct run *run);
void settings_free(struct settings *st); /* NULL is fine */

/* Applies a changed option; EFFECTS is enum option_effect of its row. */
void settings_apply(struct settings *st, unsigned effects);

#endif
