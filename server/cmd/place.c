/*
 * Where menus and popups stand: -x and -y with their variables.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "conf/format_draw.h"
#include "server/cmd/cmd.h"

#define PLACE_VARS_MAX 24

/* The variables popup_*; each value is a new string. */
struct box_place {
	struct cmd_context *c;
	int w; /* of the box */
	int h;
	int cols; /* of the client */
	int rows;
	int top; /* first row of what rows counts: the client, or its windows */
	struct format_var vars[PLACE_VARS_MAX];
	char *values[PLACE_VARS_MAX];
	size_t count;
};

static void
put(struct box_place *p, const char *name, int value)
{
	bug_assert(p->count < PLACE_VARS_MAX);
	p->values[p->count] = mem_printf("%d", value);
	p->vars[p->count] = (struct format_var){ name, p->values[p->count] };
	p->count++;
}

/* The status lines; on one of them the target's window may have a place. */
static void
put_status(struct box_place *p)
{
	const struct view_builder *b = &p->c->viewer->builder;
	const struct cell_rect *st = &b->status_area;
	const int all = p->c->client->h;
	const struct winlink *wl = p->c->target.wl;
	const struct format_drawn *drawn;
	size_t i;
	unsigned line;

	if (!view_status_shown(b))
		return;
	put(p, "popup_status_line_y",
	    (b->side == CLIENT_TOP         ? st->h + p->h
		: b->side == CLIENT_BOTTOM ? all - st->h
					   : all) -
		p->top);
	for (line = 0; wl != NULL && line < b->range_count; line++) {
		drawn = &b->ranges[line];
		for (i = 0; i < drawn->range_count; i++) {
			if (drawn->ranges[i].range.kind != STYLE_RANGE_WINDOW ||
			    drawn->ranges[i].range.argument !=
				(uint32_t)wl->index)
				continue;
			put(p, "popup_window_status_line_x",
			    b->side == CLIENT_LEFT    ? st->w
			    : b->side == CLIENT_RIGHT ? st->x - p->w
						      : drawn->ranges[i].start);
			put(p, "popup_window_status_line_y",
			    (b->side == CLIENT_TOP ? (int)line + 1 + p->h
				: b->side == CLIENT_BOTTOM
				    ? all - st->h + (int)line
				    : (int)line + p->h) -
				p->top);
			return;
		}
	}
}

static void
put_mouse(struct box_place *p)
{
	const struct mouse_event *ev = &p->c->state->mouse;

	/* As in tmux, a status line is the row of the window beside it. */
	const int y = CLAMP(ev->y - p->top, 0, p->rows - 1);

	if ((p->c->state->flags & CMD_STATE_MOUSE) == 0)
		return;
	put(p, "popup_mouse_x", ev->x);
	put(p, "popup_mouse_y", y);
	put(p, "popup_mouse_centre_x", MAX_OF(ev->x - p->w / 2, 0));
	put(p, "popup_mouse_centre_y", MIN_OF(y - p->h / 2, p->rows - p->h));
	put(p, "popup_mouse_top", MIN_OF(y + p->h, p->rows - 1));
	put(p, "popup_mouse_bottom", MAX_OF(y - p->h, 0));
}

static void
put_pane(struct box_place *p)
{
	const struct view_builder *b = &p->c->viewer->builder;
	const struct pane *wp = p->c->target.p;
	int x, y;

	if (wp == NULL)
		return;
	x = b->window_x + wp->x;
	y = b->window_y + wp->y - p->top;
	put(p, "popup_pane_top",
	    y + p->h >= p->rows ? p->rows - p->h : y + p->h);
	put(p, "popup_pane_bottom", y + wp->h);
	put(p, "popup_pane_left", x);
	put(p, "popup_pane_right", MAX_OF(x + wp->w - p->w, 0));
}

static void
put_all(struct box_place *p)
{
	const struct viewer *vw = p->c->viewer;
	int n;

	put(p, "popup_width", p->w);
	put(p, "popup_height", p->h);
	put(p, "popup_centre_x", MAX_OF((p->cols - 1) / 2 - p->w / 2, 0));
	n = (p->rows - 1) / 2 + p->h / 2;
	put(p, "popup_centre_y", n >= p->rows ? p->rows - p->h : n);
	put(p, "popup_last_x", vw->menu_x);
	put(p, "popup_last_y", MAX_OF(vw->menu_y - p->top, 0) + p->h);
	put_status(p);
	put_mouse(p);
	put_pane(p);
}

/* The values of -x and -y that stand for variables. */
static const struct box_word {
	const char *word;
	const char *x; /* NULL: not for -x */
	const char *y;
} place_words[] = {
	{ "C", "#{popup_centre_x}", "#{popup_centre_y}" },
	{ "R", "#{popup_pane_right}", NULL },
	{ "P", "#{popup_pane_left}", "#{popup_pane_bottom}" },
	{ "M", "#{popup_mouse_centre_x}", "#{popup_mouse_top}" },
	{ "L", "#{popup_last_x}", "#{popup_last_y}" },
	{ "W", "#{popup_window_status_line_x}",
	    "#{popup_window_status_line_y}" },
	{ "S", NULL, "#{popup_status_line_y}" },
};

static int
expand(struct box_place *p, int flag)
{
	const char *format = args_get(p->c->args, flag), *word;
	char *text;
	size_t i;
	long n;

	if (format == NULL)
		format = "C";
	for (i = 0; i < ARRAY_LEN(place_words); i++) {
		word = flag == 'x' ? place_words[i].x : place_words[i].y;
		if (word != NULL && strcmp(format, place_words[i].word) == 0) {
			format = word;
			break;
		}
	}
	text =
	    cmd_format_vars_new(p->c, &p->c->target, format, p->vars, p->count);
	n = strtol(text, NULL, 10);
	mem_free(text);
	return (int)CLAMP(n, -UINT16_MAX, UINT16_MAX);
}

/* Moves a box of width W off a status column, if it has room there. */
static void
fit_area(const struct view_builder *b, int w, int *x)
{
	const struct cell_rect *r = &b->area;

	if (w <= r->w)
		*x = CLAMP(*x, r->x, r->x + r->w - w);
}

bool
cmd_place(
    struct cmd_context *c, enum cmd_place where, int w, int h, int *x, int *y)
{
	struct box_place p = { .c = c,
		.w = w,
		.h = h,
		.cols = c->client->w,
		.rows = c->client->h };
	size_t i;

	/* A menu stands in the window, if that has room for it. */
	if (where == CMD_PLACE_WINDOW && h <= c->viewer->builder.area.h) {
		p.top = c->viewer->builder.area.y;
		p.rows = c->viewer->builder.area.h;
	}
	if (w > p.cols || h > p.rows)
		return false;
	put_all(&p);
	*x = CLAMP(expand(&p, 'x'), 0, p.cols - w);
	/* -y is the row below the box. */
	*y = p.top + CLAMP(expand(&p, 'y') - h, 0, p.rows - h);
	if (where == CMD_PLACE_WINDOW)
		fit_area(&c->viewer->builder, w, x);
	for (i = 0; i < p.count; i++)
		mem_free(p.values[i]);
	return true;
}

/* --- looks ---------------------------------------------------------------------- */

static char *
copy_flag(const struct cmd_context *c, int flag)
{
	const char *text = args_get(c->args, flag);

	return text == NULL ? NULL : mem_strdup(text);
}

int
cmd_box_look(struct cmd_context *c, enum option_id lines,
    struct view_box_look *look, struct cause *why)
{
	const char *text = args_get(c->args, 'b');
	const struct option_row *row = option_row(lines);
	int n = -1;

	if (text != NULL && (n = option_choice_find(row, text)) < 0)
		return cause_set(
		    why, -ERR_SYNTAX, "%s unknown value: %s", row->name, text);
	if (n >= 0)
		look->lines = n;
	if (args_get(c->args, 's') != NULL) {
		mem_free(look->style);
		look->style = copy_flag(c, 's');
	}
	if (args_get(c->args, 'S') != NULL) {
		mem_free(look->border);
		look->border = copy_flag(c, 'S');
	}
	return 0;
}
