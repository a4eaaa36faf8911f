/*
 * client/term/caps.h - what the user's terminal can do.
 *
 * Purpose:   a set of features, begun from TERM and COLORTERM, widened by what
 *            the terminal answers, changed by the user's options.
 * Ownership: plain value.
 * Units:     bits of enum term_cap.
 * Errors:    unknown feature names are skipped and told.
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
 * What TERM (may be NULL) and COLORTERM (may be NULL) promise.  A name nobody
 * knows is taken for a plain ECMA-48 terminal.
 */
term_caps term_caps_from_name(const char *term, const char *colorterm);

/* Adds what an answer of the terminal proves. */
term_caps term_caps_from_reply(term_caps caps, const struct term_event *ev);

/* Changes CAPS by "name,name,-name..."; unknown ones go to *UNKNOWN. */
term_caps term_caps_change(
    term_caps caps, const char *list, size_t n, size_t *unknown);

/* "256,RGB,..." in order of the table (mem_free). */
char *term_caps_names_new(term_caps caps);

#endif
