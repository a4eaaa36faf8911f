#include "mux/view/column.h"

#include <string.h>

#include "base/mem.h"
#include "conf/format_text.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"

/* The rows of windows and panes, and the ones that fit. */
struct column {
	struct view_builder *b;
	const struct pen *base;
	bool panes; /* panes have rows */
	int at;     /* number of the next row, all rows counted */
	int first;  /* number of the row that is drawn at row TOP */
	int top;
	int bottom; /* the row after the last one */
};

/* Draws an expanded format over row Y; a click on the row hits RANGE. */
static void
draw_row(struct column *sd, int y, struct pane *p, const char *format,
    const struct style_range *range)
{
	struct view_builder *b = sd->b;
	const struct view_context *cx = &b->cx;
	struct format_drawn *d = &b->ranges[y];
	char *text = cx->host->expand(
	    cx->arg, cx->client, p, NULL, 0, format, FORMAT_STRFTIME);

	view_text_draw(cx, b->status, (unsigned)y, text, sd->base, d);
	mem_free(text);
	/* The format's own ranges come first. */
	d->ranges =
	    mem_resize(d->ranges, d->range_count + 1, sizeof(*d->ranges));
	d->ranges[d->range_count++] =
	    (struct format_range){ *range, 0, d->width };
}

#define END_COLS 512 /* of a long status-left or status-right */
#define END_ROWS 3   /* on which it may lie; on a quarter of a low column */

/*
 * Returns where the row of LINE that begins at column AT ends, in a column of
 * COLS: at the last blank, if the rest is longer and has one.
 */
static unsigned
row_end(const struct vt_line *line, unsigned at, unsigned cols)
{
	const unsigned used = vt_line_used(line);
	unsigned end = at + cols;

	if (end >= used)
		return used;
	while (end > at && vt_line_cell(line, end).ch != ' ')
		end--;
	return end == at ? at + cols : end;
}

/* Breaks LINE at blanks into at most ROOM rows; returns their number. */
static int
break_rows(const struct vt_line *line, unsigned cols, int room, unsigned *from,
    unsigned *to)
{
	const unsigned used = vt_line_used(line);
	unsigned at = 0;
	int n = 0;

	do {
		from[n] = at;
		at = to[n] = row_end(line, at, cols);
		while (at < used && vt_line_cell(line, at).ch == ' ')
			at++;
	} while (++n < room && at < used);
	return n;
}

/*
 * Draws status-left from row Y down, or status-right from row Y up.  Words that
 * do not fit in one row go to further ones.  Returns the number of rows.
 */
static int
draw_end(struct column *sd, int y, bool up, const char *format,
    const struct style_range *range)
{
	struct view_builder *b = sd->b;
	const struct view_context *cx = &b->cx;
	const int room = CLAMP(b->status_area.h / 4, 1, END_ROWS);
	unsigned from[END_ROWS], to[END_ROWS];
	struct format_drawn d;
	struct vt_frame *wide;
	size_t width;
	char *text;
	int n = 1, i;

	text = cx->host->expand(
	    cx->arg, cx->client, NULL, NULL, 0, format, FORMAT_STRFTIME);
	width = format_text_width(
	    cx->client->mux->setup.graphemes, text, strlen(text));
	if (room == 1 || width <= b->status->cols) {
		draw_row(sd, y, NULL, format, range);
		mem_free(text);
		return 1;
	}
	wide = vt_frame_new((unsigned)MIN_OF(width, (size_t)END_COLS), 1);
	view_text_draw(cx, wide, 0, text, sd->base, &d);
	n = break_rows(wide->lines[0], b->status->cols, room, from, to);
	for (i = 0; i < n; i++) {
		const int row = up ? y - n + 1 + i : y + i;

		draw_row(sd, row, NULL, "", range);
		vt_line_copy(NULL, vt_frame_own(b->status, (unsigned)row), 0,
		    wide->lines[0], from[i], to[i] - from[i]);
	}
	format_drawn_fini(&d);
	vt_frame_unref(wide);
	mem_free(text);
	return n;
}

/* Draws the next row if it is visible. */
static void
next_row(struct column *sd, struct pane *p, enum option_id format,
    const struct style_range *range)
{
	const struct options *o = &sd->b->cx.client->session->options;
	int y = sd->top + sd->at++ - sd->first;

	if (y >= sd->top && y < sd->bottom)
		draw_row(sd, y, p, options_string(o, format), range);
}

static void
draw_window(struct column *sd, const struct winlink *wl)
{
	struct style_range r = { .kind = STYLE_RANGE_WINDOW,
		.argument = (uint32_t)wl->index };
	struct list_node *n;
	struct pane *p;

	next_row(sd, wl->window->active, OPTION_STATUS_COLUMN_FORMAT, &r);
	if (!sd->panes)
		return;
	WINDOW_FOREACH_PANE(p, n, wl->window)
	{
		r = (struct style_range){ .kind = STYLE_RANGE_PANE,
			.argument = p->id };
		next_row(sd, p, OPTION_STATUS_COLUMN_PANE_FORMAT, &r);
	}
}

static int
window_rows(const struct column *sd, const struct winlink *wl)
{
	return 1 + (sd->panes ? (int)wl->window->panes.count : 0);
}

/* Scrolls as little as needed to show the rows of the current window. */
static void
scroll(struct column *sd, const struct session *s)
{
	const struct list_node *n;
	const struct winlink *wl;
	const int room = sd->bottom - sd->top;
	int all = 0, from = 0, to = 0;

	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (wl == s->current) {
			from = all;
			to = all + window_rows(sd, wl);
		}
		all += window_rows(sd, wl);
	}
	if (to > room)
		sd->first = MIN_OF(to - room, from);
}

void
view_column_draw(struct view_builder *b, const struct pen *base)
{
	static const struct style_range left = { .kind = STYLE_RANGE_LEFT },
					right = { .kind = STYLE_RANGE_RIGHT };
	const struct session *s = b->cx.client->session;
	struct column sd = { .b = b, .base = base, .bottom = b->status_area.h };
	const struct list_node *n;
	const struct winlink *wl;

	sd.panes = *options_string(
		       &s->options, OPTION_STATUS_COLUMN_PANE_FORMAT) != '\0';
	/* A low client shows windows alone. */
	if (sd.bottom >= 3) {
		sd.top += draw_end(&sd, 0, false,
		    "#[#{E:status-left-style}]#{T:status-left}", &left);
		sd.bottom -= draw_end(&sd, sd.bottom - 1, true,
		    "#[#{E:status-right-style}]#{T:status-right}", &right);
	}
	scroll(&sd, s);
	SESSION_FOREACH_LINK(wl, n, s)
	{
		draw_window(&sd, wl);
	}
	/* Fill the rows that are left. */
	for (sd.at -= sd.first; sd.top + sd.at < sd.bottom; sd.at++)
		vt_frame_fill(b->status,
		    &(struct vt_rect){ 0, (unsigned)(sd.top + sd.at),
			(unsigned)b->status_area.w,
			(unsigned)(sd.top + sd.at + 1) },
		    base);
}
