#include "conf/style.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

static const char *const style_themes[STYLE_THEME_COUNT] = {
	[STYLE_THEME_BLACK] = "themeblack",
	[STYLE_THEME_WHITE] = "themewhite",
	[STYLE_THEME_LIGHTGREY] = "themelightgrey",
	[STYLE_THEME_DARKGREY] = "themedarkgrey",
	[STYLE_THEME_GREEN] = "themegreen",
	[STYLE_THEME_YELLOW] = "themeyellow",
	[STYLE_THEME_RED] = "themered",
	[STYLE_THEME_BLUE] = "themeblue",
	[STYLE_THEME_CYAN] = "themecyan",
	[STYLE_THEME_MAGENTA] = "thememagenta",
};

/* Attributes; the first of several names is the one that is printed. */
static const struct style_attr {
	const char *name;
	uint32_t bit; /* 0: an underline */
	enum pen_underline underline;
} style_attrs[] = {
	/* clang-format off */
	{ "acs", PEN_ACS, PEN_UL_NONE },
	{ "bold", PEN_BOLD, PEN_UL_NONE },
	{ "bright", PEN_BOLD, PEN_UL_NONE },
	{ "dim", PEN_DIM, PEN_UL_NONE },
	{ "underscore", 0, PEN_UL_SINGLE },
	{ "blink", PEN_BLINK, PEN_UL_NONE },
	{ "reverse", PEN_REVERSE, PEN_UL_NONE },
	{ "hidden", PEN_CONCEAL, PEN_UL_NONE },
	{ "italics", PEN_ITALIC, PEN_UL_NONE },
	{ "overline", PEN_OVERLINE, PEN_UL_NONE },
	{ "strikethrough", PEN_STRIKE, PEN_UL_NONE },
	{ "double-underscore", 0, PEN_UL_DOUBLE },
	{ "curly-underscore", 0, PEN_UL_CURLY },
	{ "dotted-underscore", 0, PEN_UL_DOTTED },
	{ "dashed-underscore", 0, PEN_UL_DASHED },
	/* clang-format on */
};

static const char *const style_aligns[] = { NULL, "left", "centre", "right",
	"absolute-centre" };
static const char *const style_lists[] = { NULL, "on", "focus", "left-marker",
	"right-marker" };
static const char *const style_actions[] = { NULL, "push-default",
	"pop-default", "set-default" };
static const char *const style_ranges[] = { "none", "left", "right", "pane",
	"window", "session", "user", "control" };

int
style_colour_parse(const char *s, colour *out)
{
	unsigned i;

	for (i = 0; i < STYLE_THEME_COUNT; i++) {
		if (str_eq_nocase(s, style_themes[i])) {
			*out = (colour)COLOUR_KIND_THEME << 24 | i;
			return 0;
		}
	}
	return colour_parse(s, out);
}

const char *
style_colour_format(colour c, char *buf, size_t size)
{
	if (colour_kind(c) == COLOUR_KIND_THEME &&
	    (c & 0xffffff) < STYLE_THEME_COUNT) {
		(void)str_copy(buf, style_themes[c & 0xffffff], size);
		return buf;
	}
	return colour_format(c, buf, size);
}

void
style_init(struct style *sy)
{
	memset(sy, 0, sizeof(*sy));
	sy->fill = COLOUR_NONE;
	sy->width = sy->pad = sy->dim = -1;
}

/* Returns the index of S among COUNT names (skips NULL), or -1. */
static int
style_index(const char *const *names, size_t count, const char *s)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (names[i] != NULL && str_eq_nocase(names[i], s))
			return (int)i;
	return -1;
}

/* State of one parse: the style, the default pen, and the value after "=". */
struct style_word {
	struct style *sy;
	const struct pen *base;
	const char *value;
};

typedef int (*style_word_fn)(const struct style_word *w);

static int
style_colour_word(const struct style_word *w, colour *field, colour base)
{
	colour c;

	if (style_colour_parse(w->value, &c) != 0 || c == COLOUR_NONE)
		return -ERR_SYNTAX;
	*field = c == COLOUR_DEFAULT ? base : c;
	return 0;
}

static int
style_word_fg(const struct style_word *w)
{
	return style_colour_word(w, &w->sy->pen.fg, w->base->fg);
}

static int
style_word_bg(const struct style_word *w)
{
	return style_colour_word(w, &w->sy->pen.bg, w->base->bg);
}

static int
style_word_us(const struct style_word *w)
{
	return style_colour_word(w, &w->sy->pen.ul, w->base->ul);
}

static int
style_word_fill(const struct style_word *w)
{
	colour c;

	if (style_colour_parse(w->value, &c) != 0)
		return -ERR_SYNTAX;
	w->sy->fill = c;
	return 0;
}

static int
style_word_align(const struct style_word *w)
{
	int i = style_index(style_aligns, ARRAY_LEN(style_aligns), w->value);

	if (i < 0)
		return -ERR_SYNTAX;
	w->sy->align = (enum style_align)i;
	return 0;
}

static int
style_word_list(const struct style_word *w)
{
	int i = style_index(style_lists, ARRAY_LEN(style_lists), w->value);

	if (i < 0)
		return -ERR_SYNTAX;
	w->sy->list = (enum style_list)i;
	return 0;
}

/* Parses the argument after the | of a range. */
static int
style_range_argument(struct style_range *r, const char *s)
{
	static const char sigils[] = { [STYLE_RANGE_PANE] = '%',
		[STYLE_RANGE_SESSION] = '$',
		[STYLE_RANGE_CONTROL] = '\0' };
	int64_t n, most = r->kind == STYLE_RANGE_CONTROL ? 9 : UINT32_MAX;

	if (r->kind == STYLE_RANGE_USER) {
		if (*s == '\0')
			return -ERR_SYNTAX;
		/* A longer name is cut, as in tmux. */
		(void)str_copy(r->name, s, sizeof(r->name));
		return 0;
	}
	if (sigils[r->kind] != '\0' && *s++ != sigils[r->kind])
		return -ERR_SYNTAX;
	if (str_to_int(s, 0, most, &n) != 0)
		return -ERR_SYNTAX;
	r->argument = (uint32_t)n;
	return 0;
}

static int
style_word_range(const struct style_word *w)
{
	struct style_range r = { STYLE_RANGE_NONE, 0, "" };
	const char *bar = strchr(w->value, '|');
	char kind[16];
	size_t n = bar != NULL ? (size_t)(bar - w->value) : strlen(w->value);
	int i;

	if (n >= sizeof(kind))
		return -ERR_SYNTAX;
	memcpy(kind, w->value, n);
	kind[n] = '\0';
	i = style_index(style_ranges, ARRAY_LEN(style_ranges), kind);
	if (i < 0)
		return -ERR_SYNTAX;
	r.kind = (enum style_range_kind)i;
	if ((bar != NULL) != (r.kind >= STYLE_RANGE_PANE))
		return -ERR_SYNTAX;
	if (bar != NULL && style_range_argument(&r, bar + 1) != 0)
		return -ERR_SYNTAX;
	w->sy->range = r;
	return 0;
}

static int
style_word_width(const struct style_word *w)
{
	size_t n = strlen(w->value);
	bool percent = n > 0 && w->value[n - 1] == '%';
	int64_t v;

	if (str_to_intn(w->value, n - percent, 0, percent ? 100 : 65535, &v) !=
	    0)
		return -ERR_SYNTAX;
	w->sy->width = (int)v;
	w->sy->width_percent = percent;
	return 0;
}

static int
style_word_pad(const struct style_word *w)
{
	int64_t v;

	if (str_to_int(w->value, 0, 65535, &v) != 0)
		return -ERR_SYNTAX;
	w->sy->pad = (int)v;
	return 0;
}

static int
style_word_dim(const struct style_word *w)
{
	size_t n = strlen(w->value);
	int64_t v;

	if (n > 0 && w->value[n - 1] == '%')
		n--;
	if (str_to_intn(w->value, n, 0, 100, &v) != 0)
		return -ERR_SYNTAX;
	w->sy->dim = (int)v;
	return 0;
}

static int
style_word_link(const struct style_word *w)
{
	(void)str_copy(w->sy->link, w->value, sizeof(w->sy->link));
	return 0;
}

static int
style_word_default(const struct style_word *w)
{
	w->sy->pen = *w->base;
	w->sy->link[0] = '\0';
	w->sy->no_attr = false;
	return 0;
}

static int
style_word_none(const struct style_word *w)
{
	w->sy->pen.attrs = 0;
	return 0;
}

static int
style_word_noattr(const struct style_word *w)
{
	w->sy->no_attr = true;
	return 0;
}

static int
style_word_ignore(const struct style_word *w)
{
	w->sy->ignore = true;
	return 0;
}

static int
style_word_noignore(const struct style_word *w)
{
	w->sy->ignore = false;
	return 0;
}

static int
style_word_push(const struct style_word *w)
{
	w->sy->action = STYLE_DEFAULT_PUSH;
	return 0;
}

static int
style_word_pop(const struct style_word *w)
{
	w->sy->action = STYLE_DEFAULT_POP;
	return 0;
}

static int
style_word_set(const struct style_word *w)
{
	w->sy->action = STYLE_DEFAULT_SET;
	return 0;
}

static int
style_word_nolist(const struct style_word *w)
{
	w->sy->list = STYLE_LIST_OFF;
	return 0;
}

static int
style_word_norange(const struct style_word *w)
{
	memset(&w->sy->range, 0, sizeof(w->sy->range));
	return 0;
}

static int
style_word_noalign(const struct style_word *w)
{
	w->sy->align = STYLE_ALIGN_DEFAULT;
	return 0;
}

static int
style_word_nolink(const struct style_word *w)
{
	w->sy->link[0] = '\0';
	return 0;
}

/* Every word that is not an attribute; words that end in = have a value. */
static const struct {
	const char *name;
	style_word_fn fn;
} style_words[] = {
	/* clang-format off */
	{ "fg=", style_word_fg },
	{ "bg=", style_word_bg },
	{ "us=", style_word_us },
	{ "fill=", style_word_fill },
	{ "align=", style_word_align },
	{ "list=", style_word_list },
	{ "range=", style_word_range },
	{ "width=", style_word_width },
	{ "pad=", style_word_pad },
	{ "dim=", style_word_dim },
	{ "link=", style_word_link },
	{ "default", style_word_default },
	{ "none", style_word_none },
	{ "noattr", style_word_noattr },
	{ "ignore", style_word_ignore },
	{ "noignore", style_word_noignore },
	{ "push-default", style_word_push },
	{ "pop-default", style_word_pop },
	{ "set-default", style_word_set },
	{ "nolist", style_word_nolist },
	{ "norange", style_word_norange },
	{ "noalign", style_word_noalign },
	{ "nolink", style_word_nolink },
	/* clang-format on */
};

static void
style_set_attr(struct pen *pen, const struct style_attr *a, bool on)
{
	if (a->bit != 0)
		pen->attrs = on ? pen->attrs | a->bit : pen->attrs & ~a->bit;
	else if (on)
		pen_set_underline(pen, a->underline);
	else if (pen_underline(pen) == a->underline)
		pen_set_underline(pen, PEN_UL_NONE);
}

/* Parses attributes: one name, several with | between them, or "no" and one. */
static int
style_attr_word(struct style *sy, const char *s)
{
	bool on = true;
	size_t i, n;

	if (strncmp(s, "no", 2) == 0) {
		on = false;
		s += 2;
	}
	for (;;) {
		n = strcspn(s, "|");
		for (i = 0; i < ARRAY_LEN(style_attrs); i++)
			if (strlen(style_attrs[i].name) == n &&
			    strncmp(style_attrs[i].name, s, n) == 0)
				break;
		if (i == ARRAY_LEN(style_attrs))
			return -ERR_SYNTAX;
		style_set_attr(&sy->pen, &style_attrs[i], on);
		if (s[n] == '\0')
			return 0;
		s += n + 1;
	}
}

static int
style_word(struct style *sy, const struct pen *base, const char *s)
{
	struct style_word w = { sy, base, NULL };
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(style_words); i++) {
		n = strlen(style_words[i].name);
		if (style_words[i].name[n - 1] == '=') {
			if (strncmp(s, style_words[i].name, n) == 0) {
				w.value = s + n;
				return style_words[i].fn(&w);
			}
		} else if (str_eq_nocase(s, style_words[i].name)) {
			return style_words[i].fn(&w);
		}
	}
	return style_attr_word(sy, s);
}

int
style_parse(
    struct style *sy, const struct pen *base, const char *text, size_t n)
{
	static const struct pen plain = { 0, 0, 0, 0 };
	struct style work = *sy;
	char word[STYLE_WORD_MAX + 1];
	const char *p = text, *end = text + n, *q;

	while (p < end) {
		if (*p == ' ' || *p == ',' || *p == '\n') {
			p++;
			continue;
		}
		for (q = p; q < end && *q != ' ' && *q != ',' && *q != '\n';
		     q++)
			if (*q == '\0')
				return -ERR_SYNTAX;
		if ((size_t)(q - p) > STYLE_WORD_MAX)
			return -ERR_SYNTAX;
		memcpy(word, p, (size_t)(q - p));
		word[q - p] = '\0';
		if (style_word(&work, base != NULL ? base : &plain, word) != 0)
			return -ERR_SYNTAX;
		p = q;
	}
	*sy = work;
	return 0;
}

/* Appends one word, with a comma before all but the first. */
static void
style_add(struct buf *b, const char *name, const char *value)
{
	(void)buf_addf(b, "%s%s%s", b->len > 0 ? "," : "", name, value);
}

const char *
style_range_name(const struct style_range *r)
{
	if (r->kind == STYLE_RANGE_NONE)
		return NULL;
	return r->kind == STYLE_RANGE_USER ? r->name : style_ranges[r->kind];
}

static void
style_format_range(struct buf *b, const struct style_range *r)
{
	const char *name = style_ranges[r->kind];

	if (r->kind == STYLE_RANGE_NONE)
		return;
	style_add(b, "range=", name);
	if (r->kind == STYLE_RANGE_USER)
		(void)buf_addf(b, "|%s", r->name);
	else if (r->kind >= STYLE_RANGE_PANE)
		(void)buf_addf(b, "|%s%u",
		    r->kind == STYLE_RANGE_PANE      ? "%"
		    : r->kind == STYLE_RANGE_SESSION ? "$"
						     : "",
		    r->argument);
}

static void
style_format_pen(struct buf *b, const struct pen *pen)
{
	const struct style_attr *a;
	char name[32];
	uint32_t done = 0;
	size_t i;

	if (pen->fg != COLOUR_DEFAULT)
		style_add(
		    b, "fg=", style_colour_format(pen->fg, name, sizeof(name)));
	if (pen->bg != COLOUR_DEFAULT)
		style_add(
		    b, "bg=", style_colour_format(pen->bg, name, sizeof(name)));
	if (pen->ul != COLOUR_DEFAULT)
		style_add(
		    b, "us=", style_colour_format(pen->ul, name, sizeof(name)));
	for (i = 0; i < ARRAY_LEN(style_attrs); i++) {
		a = &style_attrs[i];
		if (a->bit != 0 ? (pen->attrs & a->bit & ~done) != 0
				: pen_underline(pen) == a->underline)
			style_add(b, a->name, "");
		done |= a->bit;
	}
}

const char *
style_format(const struct style *sy, char *buf, size_t size)
{
	struct buf b;
	char name[32];

	buf_init(&b, STYLE_TEXT_MAX);
	if (sy->list != STYLE_LIST_OFF)
		style_add(&b, "list=", style_lists[sy->list]);
	style_format_range(&b, &sy->range);
	if (sy->align != STYLE_ALIGN_DEFAULT)
		style_add(&b, "align=", style_aligns[sy->align]);
	if (sy->action != STYLE_DEFAULT_BASE)
		style_add(&b, style_actions[sy->action], "");
	if (sy->fill != COLOUR_NONE)
		style_add(&b,
		    "fill=", style_colour_format(sy->fill, name, sizeof(name)));
	if (sy->no_attr)
		style_add(&b, "noattr", "");
	style_format_pen(&b, &sy->pen);
	if (sy->ignore)
		style_add(&b, "ignore", "");
	if (sy->width >= 0) {
		style_add(&b, "width=", "");
		(void)buf_addf(
		    &b, "%d%s", sy->width, sy->width_percent ? "%" : "");
	}
	if (sy->pad >= 0) {
		style_add(&b, "pad=", "");
		(void)buf_addf(&b, "%d", sy->pad);
	}
	if (sy->dim >= 0) {
		style_add(&b, "dim=", "");
		(void)buf_addf(&b, "%d", sy->dim);
	}
	if (sy->link[0] != '\0')
		style_add(&b, "link=", sy->link);
	(void)str_copy(buf, b.len > 0 ? buf_cstr(&b) : "default", size);
	buf_fini(&b);
	return buf;
}

void
style_apply(const struct style *sy, struct pen *pen)
{
	if (sy->pen.fg != COLOUR_DEFAULT)
		pen->fg = sy->pen.fg;
	if (sy->pen.bg != COLOUR_DEFAULT)
		pen->bg = sy->pen.bg;
	if (sy->pen.ul != COLOUR_DEFAULT)
		pen->ul = sy->pen.ul;
	if (sy->no_attr)
		pen->attrs = 0;
	if (pen_underline(&sy->pen) != PEN_UL_NONE)
		pen_set_underline(pen, PEN_UL_NONE);
	pen->attrs |= sy->pen.attrs;
}
