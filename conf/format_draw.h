/*
 * conf/format_draw.h - an expanded format laid out on one line.
 *
 * Purpose:   text with #[styles] to runs of text and pen that fill a given
 *            width: left, centre, right and absolute-centre parts, a list that
 *            is trimmed around its focus with markers, fill colours, and the
 *            ranges that a mouse may hit.  Knows no screen.
 * Ownership: struct format_drawn owns all of its result; format_drawn_fini.
 * Units:     cells; columns from 0.
 * Errors:    none: a style that is wrong is skipped; text behind
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
#define FORMAT_DRAW_PENS_MAX 4096u   /* styles in one text; later ones repeat */

/* Neighbouring cells that are drawn alike. */
struct format_run {
	int x;
	int width;
	struct pen pen;
	const char *link; /* URI, "" none */
	const char *text; /* UTF-8 clusters, not terminated */
	size_t len;
	bool blank; /* nothing was put there: neither text nor fill */
};

/* Columns start..end-1 that a click on gives to RANGE. */
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
	char *text;  /* what runs point into */
	void *links; /* what link points into */
};

/*
 * Lays out N bytes of TEXT in WIDTH columns.
 * In:      base  the pen of what has no style, and of blanks
 * Out:     *out  to be freed with format_drawn_fini
 */
void format_draw(struct format_drawn *out, const struct grapheme_table *widths,
    const struct pen *base, const char *text, size_t n, int width);

void format_drawn_fini(struct format_drawn *d);

/* The range at column X, or NULL. */
const struct format_range *format_drawn_at(const struct format_drawn *d, int x);

#endif
