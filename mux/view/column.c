#include "mux/view/column.h"

#include "base/mem.h"
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
		draw_row(&sd, sd.top++, NULL,
		    "#[#{E:status-left-style}]#{T:status-left}", &left);
		draw_row(&sd, --sd.bottom, NULL,
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
