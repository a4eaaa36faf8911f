#include "mux/view/text.h"

#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "conf/option_table.h"
#include "conf/theme.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/vt/charset.h"
#include "mux/window.h"

#define FIT_BYTES_MAX 16 /* of text in a column, where it is to fit */

/*
 * Returns the colour of an option; a format is expanded for the pane P.
 * COLOUR_NONE: the result names no colour.
 */
static colour
format_colour(const struct view_context *cx, struct pane *p,
    const struct options *o, enum option_id id)
{
	const char *format = options_colour_format(o, id);
	colour c;
	char *text;

	if (format == NULL)
		return options_colour(o, id);
	text = cx->host->expand(cx->arg, cx->client, p, NULL, 0, format, 0);
	if (style_colour_parse(text, &c) != 0)
		c = COLOUR_NONE;
	mem_free(text);
	return c;
}

/* Whether the colour option ID has the value of its row. */
static bool
is_default(const struct options *o, enum option_id id)
{
	const char *format = options_colour_format(o, id);

	return format != NULL && strcmp(format, option_row(id)->text) == 0;
}

colour
view_text_colour(const struct view_context *cx, colour c)
{
	static const enum option_id rows[2][STYLE_THEME_COUNT] = {
		{ OPTION_DARK_THEME_BLACK, OPTION_DARK_THEME_WHITE,
		    OPTION_DARK_THEME_LIGHT_GREY, OPTION_DARK_THEME_DARK_GREY,
		    OPTION_DARK_THEME_GREEN, OPTION_DARK_THEME_YELLOW,
		    OPTION_DARK_THEME_RED, OPTION_DARK_THEME_BLUE,
		    OPTION_DARK_THEME_CYAN, OPTION_DARK_THEME_MAGENTA },
		{ OPTION_LIGHT_THEME_BLACK, OPTION_LIGHT_THEME_WHITE,
		    OPTION_LIGHT_THEME_LIGHT_GREY, OPTION_LIGHT_THEME_DARK_GREY,
		    OPTION_LIGHT_THEME_GREEN, OPTION_LIGHT_THEME_YELLOW,
		    OPTION_LIGHT_THEME_RED, OPTION_LIGHT_THEME_BLUE,
		    OPTION_LIGHT_THEME_CYAN, OPTION_LIGHT_THEME_MAGENTA },
	};
	const struct client *cl = cx->client;
	const struct options *o = &cl->mux->server_options;
	const bool light = client_light(cl);
	unsigned n = c & 0xffffff, name;
	int64_t theme;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	if (n >= STYLE_THEME_COUNT)
		return COLOUR_DEFAULT;
	theme = options_number(o, OPTION_THEME);
	if (theme == THEME_TERMINAL)
		return theme_terminal_colour((enum style_theme)n);
	if (is_default(o, rows[light][n])) {
		name = (unsigned)options_number(o, OPTION_THEME_NAME);
		if (name != THEME_NAME_DEFAULT && cl->colours >= 256)
			return theme_colour(name, light, (enum style_theme)n);
		/* As in tmux, a terminal of unknown background keeps its colours. */
		if (name != THEME_NAME_DEFAULT ||
		    (theme == THEME_DETECT &&
			cl->theme == CLIENT_THEME_UNKNOWN))
			return theme_terminal_colour((enum style_theme)n);
	}
	return format_colour(cx, NULL, o, rows[light][n]);
}

colour
view_text_option_colour(const struct view_context *cx, struct pane *p,
    const struct options *o, enum option_id id)
{
	return view_text_colour(cx, format_colour(cx, p, o, id));
}

void
view_text_option_style(const struct view_context *cx, struct pane *p,
    enum option_id id, struct style *sy)
{
	char *text;

	text = cx->host->expand(cx->arg, cx->client, p, NULL, 0,
	    options_string(&p->options, id), 0);
	style_init(sy);
	(void)style_parse(sy, NULL, text, strlen(text));
	mem_free(text);
}

struct pen
view_text_pen(const struct view_context *cx, struct pane *p, const char *style,
    const struct pen *base)
{
	struct style sy;
	struct pen pen = *base;
	char *text;

	text = cx->host->expand(cx->arg, cx->client, p, NULL, 0, style, 0);
	style_init(&sy);
	if (style_parse(&sy, base, text, strlen(text)) == 0)
		style_apply(&sy, &pen);
	pen.fg = view_text_colour(cx, pen.fg);
	pen.bg = view_text_colour(cx, pen.bg);
	mem_free(text);
	return pen;
}

struct pen
view_text_style(const struct view_context *cx, const struct options *o,
    enum option_id id, const struct pen *base)
{
	return view_text_pen(cx, NULL, options_string(o, id), base);
}

struct pen
view_text_message_pen(const struct view_context *cx)
{
	static const struct pen plain;

	return view_text_style(
	    cx, &cx->client->session->options, OPTION_MESSAGE_STYLE, &plain);
}

struct pen
view_text_mode_pen(const struct view_context *cx)
{
	static const struct pen plain;
	const struct winlink *wl = client_link(cx->client);

	if (wl == NULL)
		return plain;
	return view_text_style(
	    cx, &wl->window->options, OPTION_MODE_STYLE, &plain);
}

static bool
is_letter(char c)
{
	return c != '\0' && strchr(" -\"'{}()", c) == NULL;
}

size_t
view_text_fit(const struct grapheme_table *gt, const char *text, unsigned width)
{
	size_t i, best = 0;

	for (i = 1; text[i - 1] != '\0'; i++) {
		if (i > FIT_BYTES_MAX * (size_t)(width + 1))
			break;
		if (text[i] != '\0' && text[i] != ' ' &&
		    !(i > 1 && text[i - 1] == '-' && is_letter(text[i - 2]) &&
			is_letter(text[i])))
			continue;
		if ((unsigned)grapheme_text_width(gt, text, i) > width)
			break;
		best = i;
	}
	return best;
}

/* Returns TEXT with ASCII as in the line set, a new string. */
static char *
line_text_new(const char *text, size_t n)
{
	char *out = mem_alloc(4 * n + 1), *p = out;
	uint8_t c;
	size_t i;

	for (i = 0; i < n; i++) {
		c = (uint8_t)text[i];
		if (c >= 0x60 && c < 0x7f)
			p += utf8_encode(
			    vt_charset_map(VT_CHARSET_DEC, c), (uint8_t *)p);
		else
			*p++ = text[i];
	}
	*p = '\0';
	return out;
}

/* Draws one run with its column 0 at X. */
static void
draw_run(const struct view_context *cx, struct vt_frame *f, unsigned x,
    unsigned y, const struct format_run *run)
{
	const struct grapheme_table *gt = cx->client->mux->setup.graphemes;
	struct pen pen = run->pen;
	const char *text = run->text;
	char *lines = NULL;

	pen.fg = view_text_colour(cx, pen.fg);
	pen.bg = view_text_colour(cx, pen.bg);
	if (pen.attrs & PEN_ACS)
		text = lines = line_text_new(run->text, run->len);
	vt_frame_link(f, gt, x + (unsigned)run->x, y,
	    x + (unsigned)(run->x + run->width), text,
	    lines == NULL ? run->len : strlen(lines), &pen, run->link);
	mem_free(lines);
}

char *
view_text_plain_new(const char *text)
{
	char *out = mem_alloc(2 * strlen(text) + 1), *p = out;

	for (; *text != '\0'; text++) {
		if (*text == '#')
			*p++ = '#';
		*p++ = *text;
	}
	*p = '\0';
	return out;
}

uint32_t
view_text_fill(const struct view_context *cx, struct pane *p,
    const char *format, bool inside, struct pen *pen)
{
	static const struct pen plain;
	const struct format_var var = { "is_inside", inside ? "1" : "0" };
	const struct format_run *run;
	struct format_drawn drawn;
	uint32_t cp = 0;
	char *text;

	text = cx->host->expand(cx->arg, cx->client, p, &var, 1, format, 0);
	format_draw(&drawn, cx->client->mux->setup.graphemes, &plain, text,
	    strlen(text), 2);
	run = drawn.runs;
	if (drawn.run_count > 0 && !run->blank &&
	    utf8_decode_final((const uint8_t *)run->text, run->len, &cp) > 0) {
		*pen = run->pen;
		pen->fg = view_text_colour(cx, pen->fg);
		pen->bg = view_text_colour(cx, pen->bg);
		if ((pen->attrs & PEN_ACS) && cp < 0x7f)
			cp = vt_charset_map(VT_CHARSET_DEC, (uint8_t)cp);
	}
	format_drawn_fini(&drawn);
	mem_free(text);
	return cp;
}

void
view_text_draw(const struct view_context *cx, struct vt_frame *f, unsigned y,
    const char *text, const struct pen *base, struct format_drawn *drawn)
{
	size_t i;

	format_draw(drawn, cx->client->mux->setup.graphemes, base, text,
	    strlen(text), f->cols);
	for (i = 0; i < drawn->run_count; i++)
		draw_run(cx, f, 0, y, &drawn->runs[i]);
}

void
view_text_put(const struct view_context *cx, struct vt_frame *f, unsigned x,
    unsigned y, int cols, const char *text, const struct pen *base)
{
	struct format_drawn drawn;
	size_t i;

	format_draw(&drawn, cx->client->mux->setup.graphemes, base, text,
	    strlen(text), cols);
	for (i = 0; i < drawn.run_count; i++)
		if (!drawn.runs[i].blank)
			draw_run(cx, f, x, y, &drawn.runs[i]);
	format_drawn_fini(&drawn);
}

void
view_text_pane(const struct view_context *cx, struct vt_frame *f, unsigned x,
    unsigned y, int cols, struct pane *p, enum option_id format,
    const struct pen *base)
{
	char *text;

	text = cx->host->expand(cx->arg, cx->client, p, NULL, 0,
	    options_string(&p->options, format), 0);
	view_text_put(cx, f, x, y, cols, text, base);
	mem_free(text);
}
