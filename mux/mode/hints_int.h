/*
 * mux/mode/hints_int.h - what the files of the hints mode share.
 *
 * Purpose:   the state of the mode; what its keys do.
 * Ownership: struct hints_mode owns everything but the host.
 * Units:     absolute rows of the kept text.
 * Tests:     regress/unit/check_hints.c
 */
#ifndef MUX_MODE_HINTS_INT_H
#define MUX_MODE_HINTS_INT_H

#include "mux/mode/hints.h"
#include "mux/mode/hints_collect.h"
#include "mux/mode/hints_text.h"

#define HINTS_PATTERNS_MAX 32 /* of hints-patterns; more are left out */

enum hints_do {
	HINTS_COPY,
	HINTS_PASTE,
	HINTS_OPEN
};

struct hints_mode {
	struct mode mode;
	const struct mode_host *host;
	uint32_t client; /* that opened it, or MUX_NONE */
	unsigned kinds;
	struct hints_text text;
	struct vt_pos cursor; /* of the text */
	struct hints hints;
	struct vt_search *pattern[HINTS_PATTERNS_MAX];
	size_t patterns;
	char typed[HINT_LABEL_MAX + 1];
	bool several;  /* Tab: labels add to a set */
	bool *picked;  /* [hints.texts] that set */
	size_t *order; /* [picks] in the order of typing */
	size_t picks;
	bool stale; /* the pane has another size: take its text again */
};

/* Whether the label of hint H begins with what has been typed. */
bool hints_matches(const struct hints_mode *hm, const struct hint *h);

/* Any hint with label I. */
const struct hint *hints_labelled(const struct hints_mode *hm, size_t i);

/* --- hints_run.c --------------------------------------------------------------- */

/* Asks the server to do that with the text of a hint, or of all picked. */
void hints_run(struct hints_mode *hm, const struct hint *h, enum hints_do what);
void hints_run_picked(struct hints_mode *hm, enum hints_do what);

/* --- hints_draw.c -------------------------------------------------------------- */

void hints_draw(
    struct mode *m, struct vt_frame *f, const struct mode_paint *paint);

#endif
