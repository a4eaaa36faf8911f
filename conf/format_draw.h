/*
 * conf/format_draw.h - an expanded format laid out on one line.
 *
 * Purpose:   turns text with #[styles] into runs of text and pen that fill a
 *            given width: left, centre, right and absolute-centre parts, a list
 *            trimmed around its focus with markers, fill colours, and the
 *            ranges that a mouse click can hit. It knows no screen.
 * Ownership: struct format_drawn owns all of its result; format_drawn_fini.
 * Units:     cells; columns from 0.
 * Errors:    none: an invalid style is skipped; text after
 *            FORMAT_DRAW_CELLS_MAX clusters is left out.
 * Source:    tmux(1), STYLES; layout compared with tmux in
 *            regress/ref/draw-tmux.sh.
 * Tests:     regress/unit/check_format_draw.c
 */
#ifndef CONF_FORMAT_DRAW_H
#define CONF_FORMAT_DRAW_H

#include "base/grapheme.h"
#include "conf/style.h"

#define FORMAT_DRAW_WIDTH_MAX 16384  /* columns of a line */
#define FORMAT_DRAW_CELLS_MAX 65536u /* clusters in one text */
#define FORMAT_DRAW_PENS_MAX 4096u   /* styles in one text */

/* Neighbouring cells with the same pen and link. */
struct format_run {
	int x;
	int width;
	struct pen pen;
	const char *link; /* URI, "" none */
	const char *text; /* UTF-8 clusters, not terminated */
	size_t len;
	bool blank; /* a column without text and fill */
};

/* The columns start..end-1, where a click hits RANGE. */
struct format_range {
	struct style_range range;
	int start;
	int end;
};

struct format_drawn {
	int width;
	struct format_run *runs; /* cover 0..width-1 without gaps */
	size_t run_count;
	struct format_range *ranges; /* in order of their start */
	size_t range_count;
	char *text;  /* storage for the text of runs */
	void *links; /* storage for the links */
};

/*
 * Lays out N bytes of TEXT in WIDTH columns.
 * In:      base the pen of blanks and of text without a style
 * Out:     *out free with format_drawn_fini
 */
void format_draw(struct format_drawn *out, const struct grapheme_table *widths,
    const struct pen *base, const char *text, size_t n, int width);

void format_drawn_fini(struct format_drawn *d);

/* Returns the range at column X, or NULL. */
const struct format_range *format_drawn_at(const struct format_drawn *d, int x);

#endif
