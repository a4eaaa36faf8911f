/*
 * conf/format_text.h - text with #[styles] in it, cluster by cluster.
 *
 * Purpose:   reads expanded formats for the code that measures, trims and draws
 *            them.
 * Ownership: items point into the text that is read.
 * Units:     bytes and cells.
 * Errors:    control bytes and malformed UTF-8 are items of width 0 that show
 *            nothing; an unterminated #[ ends the text.
 * Source:    tmux(1), STYLES: "##" shows one #, an even run of # before [ is
 *            text, an odd one ends in a style.
 * Tests:     regress/unit/check_format.c
 */
#ifndef CONF_FORMAT_TEXT_H
#define CONF_FORMAT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/grapheme.h"

enum format_text_kind {
	FORMAT_TEXT_END,
	FORMAT_TEXT_CLUSTER, /* a grapheme cluster of WIDTH cells */
	FORMAT_TEXT_STYLE, /* #[...]; SHOWN is the text between the brackets */
	FORMAT_TEXT_NOTHING, /* bytes that show nothing */
};

struct format_text_item {
	enum format_text_kind kind;
	const char *source; /* bytes in the text */
	size_t source_len;
	const char *shown; /* the text to draw */
	size_t shown_len;
	int width;
};

struct format_text {
	const char *p;
	const char *end;
	const struct grapheme_table *widths; /* NULL: one cell a code point */
	bool no_hashes; /* "#[" is text; there are no styles */
	size_t run;     /* of the # from P on; 0: not counted */
};

/* Starts reading N bytes at P. */
void format_text_init(struct format_text *t,
    const struct grapheme_table *widths, const char *p, size_t n);

/* Reads the next item. */
enum format_text_kind format_text_next(
    struct format_text *t, struct format_text_item *item);

/* Returns the width of expanded text without its styles. */
size_t format_text_width(
    const struct grapheme_table *widths, const char *p, size_t n);

/* Returns the width of text in which # has no meaning. */
size_t format_text_plain_width(
    const struct grapheme_table *widths, const char *p, size_t n);

/*
 * Appends the first or last LIMIT cells of text, with the styles that stand
 * before the end of the part that is kept.
 */
void format_text_trim_left(const struct grapheme_table *widths, const char *p,
    size_t n, size_t limit, struct buf *out);
void format_text_trim_right(const struct grapheme_table *widths, const char *p,
    size_t n, size_t limit, struct buf *out);

#endif
