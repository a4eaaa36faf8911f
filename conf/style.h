/*
 * conf/style.h - style strings: "fg=red,bold,align=right,range=window|2".
 *
 * Purpose:   parses options such as status-style and the text between #[ and ]
 *            of formats, and prints styles as text.
 * Ownership: struct style is a plain value.
 * Units:     percentages 0..100; widths in cells.
 * Errors:    -ERR_SYNTAX for an unknown word; the style is then unchanged.
 * Source:    tmux(1), STYLES. Deviation: the kinds of underline exclude each
 *            other; the last one counts.
 * Tests:     regress/unit/check_style.c, regress/fuzz/fuzz_style.c
 */
#ifndef CONF_STYLE_H
#define CONF_STYLE_H

#include <stdbool.h>

#include "base/pen.h"

#define STYLE_WORD_MAX 255u  /* bytes of one word of a style */
#define STYLE_TEXT_MAX 1024u /* limit of style_format in bytes */

enum style_align {
	STYLE_ALIGN_DEFAULT,
	STYLE_ALIGN_LEFT,
	STYLE_ALIGN_CENTRE,
	STYLE_ALIGN_RIGHT,
	STYLE_ALIGN_ABSOLUTE_CENTRE,
};

enum style_list {
	STYLE_LIST_OFF,
	STYLE_LIST_ON,
	STYLE_LIST_FOCUS,
	STYLE_LIST_LEFT_MARKER,
	STYLE_LIST_RIGHT_MARKER,
};

enum style_default {
	STYLE_DEFAULT_BASE,
	STYLE_DEFAULT_PUSH,
	STYLE_DEFAULT_POP,
	STYLE_DEFAULT_SET,
};

enum style_range_kind {
	STYLE_RANGE_NONE,
	STYLE_RANGE_LEFT,
	STYLE_RANGE_RIGHT,
	STYLE_RANGE_PANE,    /* argument: N of %N */
	STYLE_RANGE_WINDOW,  /* argument: index */
	STYLE_RANGE_SESSION, /* argument: N of $N */
	STYLE_RANGE_USER,    /* name */
	STYLE_RANGE_CONTROL, /* argument: 0..9 */
};

/* The target of a click on a part of a line. */
struct style_range {
	enum style_range_kind kind;
	uint32_t argument;
	char name[16];
};

/* The named colours of themes, values of COLOUR_KIND_THEME. */
enum style_theme {
	STYLE_THEME_BLACK,
	STYLE_THEME_WHITE,
	STYLE_THEME_LIGHTGREY,
	STYLE_THEME_DARKGREY,
	STYLE_THEME_GREEN,
	STYLE_THEME_YELLOW,
	STYLE_THEME_RED,
	STYLE_THEME_BLUE,
	STYLE_THEME_CYAN,
	STYLE_THEME_MAGENTA,
	STYLE_THEME_COUNT
};

struct style {
	struct pen pen;
	bool no_attr; /* noattr: drops the attributes below */
	bool ignore;  /* text is not drawn */
	colour fill;  /* COLOUR_NONE: no fill */
	enum style_align align;
	enum style_list list;
	enum style_default action;
	struct style_range range;
	int width; /* -1 not given */
	bool width_percent;
	int pad;                       /* -1 not given */
	int dim;                       /* percent, -1 not given */
	char link[STYLE_WORD_MAX + 1]; /* URI, "" none */
};

/* Sets the empty style. */
void style_init(struct style *sy);

/*
 * Adds the words of TEXT to SY, which keeps everything else.
 * In:      base the pen of "default" and fg=default ...; NULL: no colour. n
 *          bytes of TEXT
 * Returns: 0, or -ERR_SYNTAX with SY unchanged.
 */
int style_parse(
    struct style *sy, const struct pen *base, const char *text, size_t n);

/* Prints a style; "default" for the empty one. Returns BUF. */
const char *style_format(const struct style *sy, char *buf, size_t size);

/* Applies an option's style to PEN; default colours change nothing. */
void style_apply(const struct style *sy, struct pen *pen);

/* As colour_parse and colour_format, and the names of theme colours. */
int style_colour_parse(const char *s, colour *out);
const char *style_colour_format(colour c, char *buf, size_t size);

/*
 * Returns "window", a user's own name, ...; NULL for none. The string belongs
 * to R.
 */
const char *style_range_name(const struct style_range *r);

#endif
