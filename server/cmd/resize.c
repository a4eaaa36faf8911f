#include "mux/layout_size.h"
#include "server/cmd/cmd.h"
#include "server/cmd/pane_float.h"
#include "server/face/redraw.h"

/* Reads the amount of -L and the like: its value, else the argument, else 1. */
static bool
resize_by(struct cmd_context *c, int flag, int64_t *n)
{
	const char *text = args_get(c->args, flag);
	struct cause why = { NULL };
	int r;

	if (text == NULL)
		text = args_string(c->args, 0);
	*n = 1;
	if (text == NULL ||
	    (r = args_text_number(text, -INT32_MAX, INT32_MAX, n, &why)) == 0)
		return true;
	(void)cmd_fault(c, "adjustment", r, &why);
	return false;
}

/* -M: starts a drag of the border under the mouse. */
static enum cmd_result
resize_mouse(struct cmd_context *c)
{
	struct viewer *vw = c->viewer;
	const struct mouse_event *at = &c->state->mouse;
	struct pane *p;

	if ((c->state->flags & CMD_STATE_MOUSE) == 0 || vw == NULL ||
	    at->action != MOUSE_MOTION)
		return CMD_NORMAL;
	if ((p = cmd_mouse_float(c)) != NULL)
		return cmd_drag_float(c, p, DRAG_RESIZE);
	mouse_drag_border(vw, c->target.w, at);
	return CMD_NORMAL;
}

/* A key of a client with panes of its own zooms for that client only. */
static bool
zoom_own(struct cmd_context *c)
{
	struct client *cl = c->client;

	if (cl == NULL || c->state->client != cl->id || !client_own_panes(cl) ||
	    c->target.w->zoomed)
		return false;
	cl->zoom = client_zoomed(cl) != NULL ? MUX_NONE : c->target.p->id;
	if (cl->zoom != MUX_NONE)
		client_set_pane(cl, c->target.p);
	client_pan_reset(cl);
	if (c->viewer != NULL)
		viewer_dirty(c->viewer);
	return true;
}

/*
 * -T: removes the rows below the cursor and brings back as many rows of
 * history. Makes the terminal smaller and larger again; the program gets no
 * resize.
 */
static void
trim_below(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	struct vt_grid *g = vt_term_main_grid(p->term);
	vt_row history = vt_grid_screen(g) - vt_grid_first(g);
	struct vt_rect r = { 0, 0, (unsigned)p->w, (unsigned)p->h };
	unsigned below = (unsigned)p->h - 1 - vt_term_cursor(p->term).y, n;

	n = (unsigned)MIN_OF((vt_row)below, history);
	if (n == 0 || vt_term_alternate(p->term) || pane_mode(p) != NULL)
		return;
	r.top = r.bottom - n;
	vt_grid_erase(g, &r, NULL);
	vt_term_resize(p->term, (unsigned)p->w, (unsigned)p->h - n);
	vt_term_resize(p->term, (unsigned)p->w, (unsigned)p->h);
	viewers_redraw_window(&c->sv->viewers, c->target.w);
}

enum cmd_result
cmd_exec_resize_pane(struct cmd_context *c)
{
	static const struct {
		char flag;
		enum layout_kind kind;
		int sign;
	} ways[] = { { 'L', LAYOUT_ROW, -1 }, { 'R', LAYOUT_ROW, 1 },
		{ 'U', LAYOUT_COLUMN, -1 }, { 'D', LAYOUT_COLUMN, 1 } };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	struct pane *p = c->target.p;
	int64_t n;
	int r;
	size_t i;

	if (args_has(c->args, 'T')) {
		trim_below(c);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'Z')) {
		if (zoom_own(c))
			return CMD_NORMAL;
		if (w->zoomed)
			(void)window_unzoom(w);
		else
			(void)window_zoom(p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'M'))
		return resize_mouse(c);
	if (p->floating && (!w->zoomed || pane_floats(p)))
		return cmd_resize_float(c);
	(void)window_unzoom(w);
	if (p->floating)
		return cmd_resize_float(c);
	if (args_get(c->args, 'x') != NULL) {
		if (*args_get(c->args, 'x') == '\0')
			return cmd_error(c, "width empty");
		r = args_percentage(
		    c->args, 'x', 0, LAYOUT_SIZE_MAX, w->w, &n, &why);
		if (r != 0)
			return cmd_fault(c, "width", r, &why);
		(void)window_resize_pane_to(p, LAYOUT_ROW, (int)n);
	}
	if (args_get(c->args, 'y') != NULL) {
		if (*args_get(c->args, 'y') == '\0')
			return cmd_error(c, "height empty");
		r = args_percentage(
		    c->args, 'y', 0, LAYOUT_SIZE_MAX, w->h, &n, &why);
		if (r != 0)
			return cmd_fault(c, "height", r, &why);
		(void)window_resize_pane_to(p, LAYOUT_COLUMN, (int)n);
	}
	for (i = 0; i < ARRAY_LEN(ways); i++) {
		if (!args_has(c->args, ways[i].flag))
			continue;
		if (!resize_by(c, ways[i].flag, &n))
			return CMD_ERROR;
		(void)window_resize_pane(
		    p, ways[i].kind, ways[i].sign * (int)n);
	}
	/* As in tmux, also if nothing has changed its size. */
	window_say_layout(w);
	return CMD_NORMAL;
}
