/*
 * mux/row_time.h - when the rows of a history entered it.
 *
 * Purpose:   remembers the second at which each row left the screen, for
 *            top_line_time.
 * Ownership: struct row_times owns its array; its pane owns it.
 * Units:     absolute rows (vt_row); seconds since 1970.
 * Errors:    a change of the width forgets all times.
 * Source:    tmux(1), FORMATS.
 * Tests:     regress/unit/check_row_time.c
 *
 * Rows that left the screen in the same second share one entry.
 */
#ifndef MUX_ROW_TIME_H
#define MUX_ROW_TIME_H

#include "mux/vt/grid.h"

struct row_time {
	vt_row end; /* the row after the last one of this time */
	int64_t at;
};

struct row_times {
	struct row_time *all; /* [count], in order */
	size_t count;
	size_t room;
	unsigned cols;
	vt_row from; /* the first row whose time is known */
};

void row_times_fini(struct row_times *t);

/* Notes that the rows above the screen of G that have no time left it at NOW. */
void row_times_note(struct row_times *t, const struct vt_grid *g, int64_t now);

/* The time of a row, or 0. */
int64_t row_times_get(const struct row_times *t, vt_row row);

#endif
