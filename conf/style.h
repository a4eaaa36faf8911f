/*
 * conf/style.h - style strings: "fg=red,bold,align=right,range=window|2".
 *
 * Purpose:   what options such as status-style hold and what stands between
 *            #[ and ] in formats, as values and back as text.
 * Ownership: struct style is a plain value.
 * Units:     percentages 0..100; widths in cells.
 * Errors:    -ERR_SYNTAX for a word that is none; the style is then as before.
 * Source:    tmux(1), STYLES.  Deviation: the kinds of underline exclude each
 *            other, the last one said holds.
 * Tests:     regress/unit/check_style.c, regress/fuzz/fuzz_style.c
 */
#ifndef CONF_STYLE_H
#define CONF_STYLE_H

#include <stdbool.h>

#include "base/pen.h"

#define STYLE_WORD_MAX 255u  /* bytes of one word of a style */
#define STYLE_TEXT_MAX 1024u /* bytes style_format needs at most */

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

/* What a click on a part of a line means. */
struct style_range {
	enum style_range_kind kind;
	uint32_t argument;
	char name[16];
};

/* The themes' named colours, values of COLOUR_KIND_THEME. */
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
	bool no_attr; /* noattr: attributes below are dropped */
	bool ignore;  /* text is not drawn */
	colour fill;  /* COLOUR_NONE: no filling */
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

/* The style that says nothing. */
void style_init(struct style *sy);

/*
 * Reads the words of TEXT into SY, which keeps what they do not mention.
 * In:      base  what "default" and fg=default ... mean; NULL: no colour
 *          n     bytes of TEXT
 * Returns: 0, or -ERR_SYNTAX with SY as it was.
 */
int style_parse(
    struct style *sy, const struct pen *base, const char *text, size_t n);

/* The text of a style; "default" if it says nothing.  Returns BUF. */
const char *style_format(const struct style *sy, char *buf, size_t size);

/* Lays an option's style over PEN: default colours leave what is there. */
void style_apply(const struct style *sy, struct pen *pen);

/* As colour_parse and colour_format, with the themes' names too. */
int style_colour_parse(const char *s, colour *out);
const char *style_colour_format(colour c, char *buf, size_t size);

/* "window", a user's own name, ...; NULL for none.  Borrowed from R. */
const char *style_range_name(const struct style_range *r);

#endif
