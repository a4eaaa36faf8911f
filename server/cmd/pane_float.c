/* Floating panes: their places, new-pane, move-pane, resize-pane. */
#include "server/cmd/pane_float.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/layout_size.h"
#include "server/cmd/shared.h"

/* --- places ---------------------------------------------------------------- */

/*
 * Reads a size or position: a format that gives cells, or a percentage of
 * WHOLE. False: reported.
 */
static bool
read_place(struct cmd_context *c, char flag, int whole, int min, int max,
    bool *given, int *out)
{
	const char *what = c->cmd->row->id == COMMAND_break_pane
			       ? "failed to float pane: position"
			       : "position";
	const char *value = args_get(c->args, flag);
	size_t len;
	int64_t n = 0;
	char *text;
	int r;

	if (value == NULL)
		return true;
	text = cmd_format_new(c, &c->target, value);
	len = strlen(text);
	if (len > 0 && text[len - 1] == '%') {
		r = str_to_intn(text, len - 1, 0, INT32_MAX, &n);
		n = n * whole / 100;
	} else
		r = str_to_int(text, INT32_MIN, INT32_MAX, &n);
	if (r == -ERR_RANGE)
		r = *text == '-' ? -ERR_SMALL : -ERR_LARGE;
	mem_free(text);
	if (r == 0 && n < min)
		r = -ERR_SMALL;
	if (r == 0 && n > max)
		r = -ERR_LARGE;
	if (r != 0) {
		(void)cmd_error(c, "%s %s", what, cmd_fault_name(r));
		return false;
	}
	*given = true;
	*out = (int)n;
	return true;
}

bool
cmd_float_place(struct cmd_context *c, const struct window *w, int border,
    struct cell_rect *at, struct window_given *given)
{
	int cols, rows;

	if (!read_place(c, 'x', w->w, 0, LAYOUT_SIZE_MAX, &given->w, &at->w) ||
	    !read_place(c, 'y', w->h, 0, LAYOUT_SIZE_MAX, &given->h, &at->h))
		return false;
	cols = given->w ? at->w - 2 * border : w->w / 2;
	rows = given->h ? at->h - 2 * border : w->h / 4;
	return read_place(c, 'X', w->w, -cols, w->w, &given->x, &at->x) &&
	       read_place(c, 'Y', w->h, -rows, w->h, &given->y, &at->y);
}

/* --- break-pane -W, join-pane ------------------------------------------------ */

enum cmd_result
cmd_float_pane(struct cmd_context *c)
{
	struct window *w = c->source.w;
	struct pane *p = c->source.p;
	struct cause why = { NULL };
	struct window_given given = { 0 };
	struct cell_rect at = { 0 };
	int border = pane_border(p);
	const struct cell_rect *was = &layout_find(&w->layout, p->id)->saved;
	bool before = was->w > 0;

	if (w->zoomed)
		return cmd_error(
		    c, "can't float a pane while window is zoomed");
	if (p == w->modal)
		return cmd_error(c, "pane is modal");
	if (p->floating)
		return cmd_error(c, "pane is already floating");
	if (!cmd_float_place(c, w, border, &at, &given))
		return CMD_ERROR;
	/* What is not given is as it was when the pane last floated. */
	if (before && !given.w)
		at.w = was->w + 2 * border;
	if (before && !given.h)
		at.h = was->h + 2 * border;
	if (before && !given.x)
		at.x = was->x - border;
	if (before && !given.y)
		at.y = was->y - border;
	if (before)
		given = (struct window_given){ true, true, true, true };
	if (window_float_rect(w, &given, border, &at, &why) != 0) {
		cause_prefix(&why, "failed to float pane");
		return cmd_cause(c, &why);
	}
	(void)window_float(p, &at);
	if (!args_has(c->args, 'd'))
		(void)window_set_active(w, p);
	return CMD_NORMAL;
}

/* --- move-pane --------------------------------------------------------------- */

enum place {
	PLACE_START,
	PLACE_CENTRE,
	PLACE_END,
	PLACE_QUARTER, /* the centre of the first half */
	PLACE_THREE_QUARTERS,
};

static int
place_at(enum place where, int whole, int size, int border)
{
	int outer = size + 2 * border;

	switch (where) {
	case PLACE_CENTRE:
		return (whole - outer) / 2 + border;
	case PLACE_END:
		return whole - outer + border;
	case PLACE_QUARTER:
		return whole / 4 - outer / 2 + border;
	case PLACE_THREE_QUARTERS:
		return whole * 3 / 4 - outer / 2 + border;
	case PLACE_START:
		break;
	}
	return border;
}

/* Moves P in the stack; false if NAME is none of these places. */
static bool
move_depth(struct pane *p, const char *name)
{
	int count, z = window_float_depth(p, &count), last = count - 1;

	if (strcmp(name, "front") == 0)
		z = 0;
	else if (strcmp(name, "back") == 0)
		z = last;
	else if (strcmp(name, "forward") == 0)
		z = MAX_OF(z - 1, 0);
	else if (strcmp(name, "backward") == 0)
		z = MIN_OF(z + 1, last);
	else if (strcmp(name, "forward-loop") == 0)
		z = z == 0 ? last : z - 1;
	else if (strcmp(name, "backward-loop") == 0)
		z = z == last ? 0 : z + 1;
	else
		return false;
	window_restack(p, z);
	return true;
}

/* -P: moves to a named place. */
static bool
move_named(struct cmd_context *c, struct pane *p, const char *name)
{
	static const struct {
		const char *name;
		enum place x;
		enum place y;
	} rows[] = {
		{ "top-left", PLACE_START, PLACE_START },
		{ "top-centre", PLACE_CENTRE, PLACE_START },
		{ "top-center", PLACE_CENTRE, PLACE_START },
		{ "top-right", PLACE_END, PLACE_START },
		{ "centre-left", PLACE_START, PLACE_CENTRE },
		{ "center-left", PLACE_START, PLACE_CENTRE },
		{ "centre", PLACE_CENTRE, PLACE_CENTRE },
		{ "center", PLACE_CENTRE, PLACE_CENTRE },
		{ "centre-right", PLACE_END, PLACE_CENTRE },
		{ "center-right", PLACE_END, PLACE_CENTRE },
		{ "bottom-left", PLACE_START, PLACE_END },
		{ "bottom-centre", PLACE_CENTRE, PLACE_END },
		{ "bottom-center", PLACE_CENTRE, PLACE_END },
		{ "bottom-right", PLACE_END, PLACE_END },
		{ "top-left-centre", PLACE_QUARTER, PLACE_QUARTER },
		{ "top-left-center", PLACE_QUARTER, PLACE_QUARTER },
		{ "top-right-centre", PLACE_THREE_QUARTERS, PLACE_QUARTER },
		{ "top-right-center", PLACE_THREE_QUARTERS, PLACE_QUARTER },
		{ "bottom-left-centre", PLACE_QUARTER, PLACE_THREE_QUARTERS },
		{ "bottom-left-center", PLACE_QUARTER, PLACE_THREE_QUARTERS },
		{ "bottom-right-centre", PLACE_THREE_QUARTERS,
		    PLACE_THREE_QUARTERS },
		{ "bottom-right-center", PLACE_THREE_QUARTERS,
		    PLACE_THREE_QUARTERS },
	};
	const struct window *w = p->window;
	struct cell_rect at = p->float_at;
	int border = pane_border(p);
	size_t i;

	if (move_depth(p, name))
		return true;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, name) == 0)
			break;
	if (i == ARRAY_LEN(rows)) {
		(void)cmd_error(c, "unknown position: %s", name);
		return false;
	}
	at.x = place_at(rows[i].x, w->w, at.w, border);
	at.y = place_at(rows[i].y, w->h, at.h, border);
	(void)window_float_place(p, &at);
	return true;
}

/* Reads the number of cells of -L and the like; false: reported. */
static bool
read_offset(struct cmd_context *c, char flag, int *n)
{
	const char *text = args_get(c->args, flag);
	struct cause why = { NULL };
	int64_t value = 1;
	int r;

	*n = 1;
	if (text == NULL)
		return true;
	r = args_text_number(text, INT16_MIN, INT16_MAX, &value, &why);
	if (r != 0) {
		(void)cmd_fault(c, "offset", r, &why);
		return false;
	}
	*n = (int)value;
	return true;
}

/* -L -R -U -D: moves by cells. */
static bool
move_by(struct cmd_context *c, struct pane *p)
{
	static const struct {
		char flag;
		int x;
		int y;
	} ways[] = { { 'D', 0, 1 }, { 'L', -1, 0 }, { 'R', 1, 0 },
		{ 'U', 0, -1 } };
	struct cell_rect at = p->float_at;
	bool moved = false;
	size_t i;
	int n;

	for (i = 0; i < ARRAY_LEN(ways); i++) {
		if (!args_has(c->args, ways[i].flag))
			continue;
		if (!read_offset(c, ways[i].flag, &n))
			return false;
		at.x += ways[i].x * n;
		at.y += ways[i].y * n;
		moved = true;
	}
	if (moved)
		(void)window_float_place(p, &at);
	return true;
}

/* -X and -Y: moves to a place. */
static bool
move_to(struct cmd_context *c, struct pane *p)
{
	const struct window *w = p->window;
	struct cell_rect at = p->float_at;
	int border = pane_border(p);
	bool x = false, y = false;

	if (!read_place(c, 'X', w->w, -w->w, w->w, &x, &at.x) ||
	    !read_place(c, 'Y', w->h, -w->h, w->h, &y, &at.y))
		return false;
	if (x)
		at.x += border;
	if (y)
		at.y += border;
	if (x || y)
		(void)window_float_place(p, &at);
	return true;
}

enum cmd_result
cmd_move_float(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	struct cause why = { NULL };
	int64_t z;
	int r;

	if (args_has(c->args, 'M')) {
		p = cmd_mouse_float(c);
		return p == NULL ? CMD_NORMAL : cmd_drag_float(c, p, DRAG_MOVE);
	}
	if (!pane_floats(p))
		return cmd_error(c, "pane is not floating");
	if (args_get(c->args, 'P') != NULL &&
	    !move_named(c, p, args_get(c->args, 'P')))
		return CMD_ERROR;
	if (!move_by(c, p) || !move_to(c, p))
		return CMD_ERROR;
	if (args_get(c->args, 'z') == NULL)
		return CMD_NORMAL;
	if ((r = args_number(c->args, 'z', 0, INT32_MAX, &z, &why)) != 0)
		return cmd_fault(c, "z-index", r, &why);
	window_restack(p, (int)MIN_OF(z, (int64_t)LAYOUT_PANES_MAX));
	return CMD_NORMAL;
}

/* --- resize-pane ---------------------------------------------------------------- */

/* -x or -y: the size with the border, if it is that large. */
static bool
size_to(struct cmd_context *c, char flag, int whole, int border, int *size)
{
	const char *text = args_get(c->args, flag);
	size_t len = text == NULL ? 0 : strlen(text);
	int64_t n = 0;
	int r;

	if (text == NULL)
		return true;
	if (len > 0 && text[len - 1] == '%') {
		r = str_to_intn(text, len - 1, 0, INT32_MAX, &n);
		n = n * whole / 100;
	} else
		r = str_to_int(text, 0, INT32_MAX, &n);
	if (r != 0) {
		(void)cmd_error(c, "%s %s", flag == 'x' ? "width" : "height",
		    cmd_fault_name(r));
		return false;
	}
	if (n > 2 * border)
		n -= 2 * border;
	if (n < LAYOUT_PANE_MIN || n > LAYOUT_SIZE_MAX) {
		(void)cmd_error(c, "size size is too big or too small");
		return false;
	}
	*size = (int)n;
	return true;
}

/* Moves one border of R outwards by the value of FLAG. */
static bool
size_by(struct cmd_context *c, char flag, struct cell_rect *r)
{
	const char *text = args_get(c->args, flag);
	bool wide = flag == 'L' || flag == 'R';
	struct cause why = { NULL };
	int64_t n = 1, size;
	int rc;

	if (text == NULL)
		text = args_string(c->args, 0);
	if (text != NULL && (rc = args_text_number(
				 text, INT16_MIN, INT16_MAX, &n, &why)) != 0) {
		(void)cmd_fault(c, "adjustment", rc, &why);
		return false;
	}
	size = (wide ? r->w : r->h) + n;
	if (size < LAYOUT_PANE_MIN || size > LAYOUT_SIZE_MAX) {
		(void)cmd_error(c, "adjustment change is too big or too small");
		return false;
	}
	if (wide)
		r->w = (int)size;
	else
		r->h = (int)size;
	if (flag == 'L')
		r->x -= (int)n;
	else if (flag == 'U')
		r->y -= (int)n;
	return true;
}

enum cmd_result
cmd_resize_float(struct cmd_context *c)
{
	static const char ways[] = "LRUD";
	struct pane *p = c->target.p;
	struct cell_rect r = p->float_at;
	int border = pane_border(p);
	bool ok;
	size_t i;

	ok = size_to(c, 'x', p->window->w, border, &r.w) &&
	     size_to(c, 'y', p->window->h, border, &r.h);
	for (i = 0; ok && ways[i] != '\0'; i++)
		if (args_has(c->args, ways[i]))
			ok = size_by(c, ways[i], &r);
	(void)window_float_place(p, &r);
	return ok ? CMD_NORMAL : CMD_ERROR;
}

/* --- the mouse ------------------------------------------------------------------ */

struct pane *
cmd_mouse_float(struct cmd_context *c)
{
	struct pane *p;

	if ((c->state->flags & CMD_STATE_MOUSE) == 0)
		return NULL;
	p = mux_pane(c->sv->run.mux, c->state->mouse_pane);
	return p != NULL && pane_floats(p) ? p : NULL;
}

enum cmd_result
cmd_drag_float(struct cmd_context *c, struct pane *p, enum drag_kind kind)
{
	const struct mouse_event *at = &c->state->mouse;

	if ((c->state->flags & CMD_STATE_MOUSE) == 0 || c->viewer == NULL ||
	    at->action != MOUSE_MOTION)
		return CMD_NORMAL;
	if (window_set_active(p->window, p))
		window_restack(p, 0);
	mouse_drag_float(c->viewer, p, at, kind);
	return CMD_NORMAL;
}
