#include "mux/view/text.h"

#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
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
	unsigned n = c & 0xffffff;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	if (n >= STYLE_THEME_COUNT)
		return COLOUR_DEFAULT;
	return format_colour(cx, NULL, &cx->client->mux->server_options,
	    rows[client_light(cx->client)][n]);
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

/* Draws one run with its column 0 at X. */
static void
draw_run(const struct view_context *cx, struct vt_frame *f, unsigned x,
    unsigned y, const struct format_run *run)
{
	struct pen pen = run->pen;

	pen.fg = view_text_colour(cx, pen.fg);
	pen.bg = view_text_colour(cx, pen.bg);
	vt_frame_link(f, cx->client->mux->setup.graphemes, x + (unsigned)run->x,
	    y, x + (unsigned)(run->x + run->width), run->text, run->len, &pen,
	    run->link);
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
