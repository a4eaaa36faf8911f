#include "mux/view/status.h"

#include <string.h>

#include "base/mem.h"
#include "conf/format_text.h"
#include "mux/session.h"
#include "mux/view/column.h"
#include "mux/view/pane.h"
#include "mux/view/text.h"
#include "mux/window.h"

/* --- status lines --------------------------------------------------------------- */

/* status-style, overridden by the older status-fg and status-bg. */
static struct pen
status_pen(const struct view_context *cx)
{
	static const struct pen plain;
	const struct options *o = &cx->client->session->options;
	struct pen pen = view_text_style(cx, o, OPTION_STATUS_STYLE, &plain);
	colour old;

	old = options_colour(o, OPTION_STATUS_FG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		pen.fg = view_text_colour(cx, old);
	old = options_colour(o, OPTION_STATUS_BG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		pen.bg = view_text_colour(cx, old);
	return pen;
}

static void
forget_ranges(struct view_builder *b)
{
	unsigned i;

	for (i = 0; i < b->range_count; i++)
		format_drawn_fini(&b->ranges[i]);
	mem_free(b->ranges);
	b->ranges = NULL;
	b->range_count = 0;
}

void
view_status_fini(struct view_builder *b)
{
	forget_ranges(b);
	vt_frame_unref(b->status);
	b->status = NULL;
}

/* Draws status-format: one line for each row. */
static void
draw_lines(struct view_builder *b, const struct pen *base)
{
	const struct view_context *cx = &b->cx;
	const struct option_entry *e =
	    options_get(&cx->client->session->options, OPTION_STATUS_FORMAT);
	const struct option_value *item;
	unsigned y;
	char *text;

	for (y = 0; y < b->range_count; y++) {
		item = option_entry_item(e, y);
		text = cx->host->expand(cx->arg, cx->client, NULL, NULL, 0,
		    item == NULL ? "" : item->string,
		    FORMAT_STRFTIME | FORMAT_ANIMATE);
		view_text_draw(cx, b->status, y, text, base, &b->ranges[y]);
		mem_free(text);
	}
}

static void
draw_status(struct view_builder *b, mono_ms now)
{
	const struct options *o = &b->cx.client->session->options;
	const struct pen base = status_pen(&b->cx);
	int64_t interval;

	view_status_fini(b);
	b->status = vt_frame_new(
	    (unsigned)b->status_area.w, (unsigned)b->status_area.h);
	b->status->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	b->range_count = b->status->rows;
	b->ranges = mem_calloc(b->range_count, sizeof(*b->ranges));
	if (b->side == CLIENT_LEFT || b->side == CLIENT_RIGHT)
		view_column_draw(b, &base);
	else
		draw_lines(b, &base);
	/* Serialize the frame once, not with every change of a pane. */
	vt_frame_share(b->status);
	b->status_dirty = false;
	interval = options_number(o, OPTION_STATUS_INTERVAL);
	b->status_at = interval <= 0 ? MONO_NEVER
				     : mono_add(now, (mono_ms)interval * 1000);
}

void
view_status_add(struct view_builder *b, struct sync_view *v, mono_ms now)
{
	if (!view_status_shown(b))
		return;
	if (b->status_dirty || b->status == NULL ||
	    b->status->cols != b->status_area.w ||
	    b->status->rows != b->status_area.h)
		draw_status(b, now);
	sync_view_add(v, VIEW_SURFACE_STATUS, SYNC_SURFACE_CHROME,
	    b->status_area.x, b->status_area.y, b->status);
}

/* --- message and prompt ------------------------------------------------------- */

/* The line's message in message-format. */
static char *
line_text_new(const struct view_context *cx, const struct view_line *line)
{
	const struct format_var vars[] = {
		{ "message", line->message },
		{ "command_prompt", line->command ? "1" : "0" },
	};

	return cx->host->expand(cx->arg, cx->client, NULL, vars,
	    ARRAY_LEN(vars),
	    options_string(
		&cx->client->session->options, OPTION_MESSAGE_FORMAT),
	    FORMAT_STRFTIME);
}

/* The pen of the typed text: that of the prompt before its own styles. */
static struct pen
line_pen(const struct view_context *cx, const struct view_line *line)
{
	static const struct pen plain;

	return view_text_style(cx, &cx->client->session->options,
	    line->command ? OPTION_MESSAGE_COMMAND_STYLE : OPTION_MESSAGE_STYLE,
	    &plain);
}

/* Draws the edited text from column X, and its cursor. */
static void
draw_edit(const struct view_context *cx, struct vt_frame *f, unsigned x,
    const struct view_line *line, const struct pen *pen)
{
	const struct options *o = &cx->client->session->options;

	prompt_edit_draw(
	    line->edit, cx->client->mux->setup.graphemes, f, x, pen);
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
	view_pane_cursor(cx, &f->state,
	    options_number(o, line->command ? OPTION_PROMPT_COMMAND_CURSOR_STYLE
					    : OPTION_PROMPT_CURSOR_STYLE),
	    view_text_option_colour(cx, NULL, o,
		line->command ? OPTION_PROMPT_COMMAND_CURSOR_COLOUR
			      : OPTION_PROMPT_CURSOR_COLOUR));
}

int
view_status_line_row(const struct view_builder *b)
{
	const struct client *c = b->cx.client;
	unsigned rows = (unsigned)MAX_OF(view_status_rows(b), 1);
	unsigned row =
	    (unsigned)options_number(&c->session->options, OPTION_MESSAGE_LINE);

	row = MIN_OF(row, rows - 1);
	return b->side == CLIENT_TOP ? (int)row : c->h - (int)rows + (int)row;
}

/* Where LINE stands: over its pane if the client shows that, or at the edge. */
static struct cell_rect
line_place(const struct view_builder *b, const struct view_line *line)
{
	const struct client *c = b->cx.client;
	const struct winlink *wl = client_link(c);
	const struct pane *p = line->pane;
	struct cell_rect r = { 0, view_status_line_row(b), c->w, 1 };
	int left, right, y;

	if (p == NULL || wl == NULL || p->window != wl->window ||
	    (p->window->zoomed && p->window->active != p))
		return r;
	left = MAX_OF(b->window_x + p->x, 0);
	right = MIN_OF(b->window_x + p->x + p->w, c->w);
	y = b->window_y + p->y + (b->side == CLIENT_TOP ? 0 : p->h - 1);
	if (left >= right || y < 0 || y >= c->h)
		return r;
	return (struct cell_rect){ left, y, right - left, 1 };
}

struct vt_frame *
view_status_line_new(const struct view_builder *b, const struct view_line *line,
    struct cell_rect *at, unsigned *x, struct pen *pen)
{
	static const struct pen plain;
	const struct view_context *cx = &b->cx;
	struct format_drawn drawn;
	struct vt_frame *f;
	size_t width;
	char *text;

	*at = line_place(b, line);
	*x = 0;
	f = vt_frame_new((unsigned)at->w, 1);
	text = line_text_new(cx, line);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	view_text_draw(cx, f, 0, text, &plain, &drawn);
	if (line->edit != NULL) {
		/* Include blanks at the end of the message. */
		width = format_text_width(
		    cx->client->mux->setup.graphemes, text, strlen(text));
		*x = (unsigned)MIN_OF(width, (size_t)f->cols);
		*pen = line_pen(cx, line);
		draw_edit(cx, f, *x, line, pen);
	}
	format_drawn_fini(&drawn);
	mem_free(text);
	return f;
}

unsigned
view_status_line_add(
    struct view_builder *b, struct sync_view *v, const struct view_line *line)
{
	struct cell_rect at;
	struct pen pen;
	unsigned x;
	struct vt_frame *f = view_status_line_new(b, line, &at, &x, &pen);

	if (line->edit != NULL)
		v->focus = VIEW_SURFACE_LINE;
	sync_view_add(
	    v, VIEW_SURFACE_LINE, SYNC_SURFACE_OVERLAY, at.x, at.y, f);
	vt_frame_unref(f);
	return x;
}
