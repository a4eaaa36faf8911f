/*
 * client/term/caps.h - capabilities of the user's terminal.
 *
 * Purpose:   computes a set of features from TERM and COLORTERM, the terminal's
 *            answers and the user's options.
 * Ownership: plain value.
 * Units:     bits of enum term_cap.
 * Errors:    unknown feature names are skipped and reported.
 * Source:    tmux's terminal-features; a table of TERM names (libtickit's and
 *            ncurses' drivers abort or guess on names they do not know).
 * Tests:     regress/unit/check_term_out.c
 */
#ifndef CLIENT_TERM_CAPS_H
#define CLIENT_TERM_CAPS_H

#include <stdbool.h>

#include "client/term/in.h"

enum term_cap_index {
#define X(name, text, what) TERM_CAP_INDEX_##name,
#include "client/term/caps.def"
#undef X
	TERM_CAP_COUNT
};

typedef uint64_t term_caps;

#define TERM_CAP(name) (UINT64_C(1) << TERM_CAP_INDEX_##name)

/*
 * Returns the capabilities that TERM and COLORTERM (each may be NULL) promise.
 * An unknown name is treated as a plain ECMA-48 terminal.
 */
term_caps term_caps_from_name(const char *term, const char *colorterm);

/* Adds the capabilities that an answer of the terminal proves. */
term_caps term_caps_from_reply(term_caps caps, const struct term_event *ev);

/*
 * Changes CAPS by "name,name,-name..."; sets *UNKNOWN to the number of unknown
 * names.
 */
term_caps term_caps_change(
    term_caps caps, const char *list, size_t n, size_t *unknown);

/*
 * Sets *LIGHT to whether the background that a terminal answered to OSC 11 is
 * light; -ERR_SYNTAX: the answer is no colour.
 */
int term_background_light(const uint8_t *answer, size_t n, bool *light);

/* Returns "256,RGB,..." in order of the table (mem_free). */
char *term_caps_names_new(term_caps caps);

#endif
