/*
 * mux/mode/hints_collect.h - the hints of some rows of text, with their labels.
 *
 * Purpose:   joins wrapped lines, finds hyperlinks (OSC 8), matches of the
 *            user's patterns and the kinds of hints.def, and labels them: equal
 *            texts get one label, the nearest to the cursor the shortest.
 * Ownership: struct hints owns its texts.
 * Units:     absolute rows and columns of the text.
 * Errors:    at most HINTS_MAX hints; more are left out.
 * Tests:     regress/unit/check_hints.c, fuzz_hints.c
 */
#ifndef MUX_MODE_HINTS_COLLECT_H
#define MUX_MODE_HINTS_COLLECT_H

#include "mux/mode/hints_find.h"
#include "mux/mode/hints_label.h"
#include "mux/vt/search.h"

#define HINTS_MAX 4096
#define HINT_TEXT_MAX 4096 /* bytes; a longer text is no hint */

struct hint {
	char *text; /* to copy: printable UTF-8 */
	enum hint_kind kind;
	struct vt_match at;
	size_t near;  /* distance from the cursor */
	size_t label; /* hint_labels_get */
};

struct hints {
	struct hint *all; /* [count], in order of the place */
	size_t count;
	size_t room;
	size_t texts; /* different ones: the number of labels */
	struct hint_labels labels;
};

/* The texts to look for, and the rows to search. */
struct hints_ask {
	vt_row first; /* rows in sight: first..last - 1 */
	vt_row last;
	struct vt_pos cursor;
	unsigned kinds;             /* 1 << enum hint_kind */
	struct vt_search **pattern; /* [patterns], of the user */
	size_t patterns;
	const char *alphabet;
};

void hints_collect(
    struct hints *hs, struct text *t, const struct hints_ask *ask);
void hints_fini(struct hints *hs);

#endif
