#include "mux/view/popup.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/pane.h"
#include "mux/view/show.h"
#include "mux/view/text.h"
#include "mux/window.h"

#define POPUP_BORDER_MIN 3 /* cells of a side with a border */

void
view_popup_init(struct view_popup *p, const struct cell_rect *box,
    enum view_box_lines lines, const char *title)
{
	*p = (struct view_popup){ .box = *box, .wanted = *box };
	view_box_look_init(&p->look);
	p->look.lines = (int)lines;
	p->title = mem_strdup(title);
}

void
view_popup_fini(struct view_popup *p)
{
	view_box_look_fini(&p->look);
	mem_free(p->title);
}

/* --- place and size -------------------------------------------------------------- */

static bool
has_border(const struct view_popup *p)
{
	return p->look.lines != VIEW_BOX_NONE;
}

bool
view_popup_sane(enum view_box_lines lines, int w, int h)
{
	int least = lines == VIEW_BOX_NONE ? 1 : POPUP_BORDER_MIN;

	return w >= least && h >= least;
}

struct cell_rect
view_popup_inside(const struct view_popup *p)
{
	struct cell_rect r = p->box;

	if (has_border(p)) {
		r.x++;
		r.y++;
		r.w -= 2;
		r.h -= 2;
	}
	r.w = MAX_OF(r.w, 1);
	r.h = MAX_OF(r.h, 1);
	return r;
}

void
view_popup_fit(struct view_popup *p, int cols, int rows)
{
	p->box.w = MIN_OF(p->wanted.w, MAX_OF(cols, 1));
	p->box.h = MIN_OF(p->wanted.h, MAX_OF(rows, 1));
	p->box.x = CLAMP(p->wanted.x, 0, MAX_OF(cols - p->box.w, 0));
	p->box.y = CLAMP(p->wanted.y, 0, MAX_OF(rows - p->box.h, 0));
}

void
view_popup_place(
    struct view_popup *p, const struct cell_rect *box, int cols, int rows)
{
	p->wanted = *box;
	view_popup_fit(p, cols, rows);
	p->wanted = p->box;
}

/* --- the mouse ------------------------------------------------------------------- */

static bool
is_drag(const struct mouse_event *ev)
{
	return ev->action == MOUSE_MOTION && ev->button != MOUSE_NONE;
}

static enum view_popup_did
drag(struct view_popup *p, const struct mouse_event *ev, int cols, int rows)
{
	struct cell_rect r = p->box;
	int least = has_border(p) ? POPUP_BORDER_MIN : 1;

	if (!is_drag(ev)) {
		p->drag = VIEW_POPUP_REST;
		return VIEW_POPUP_NOTHING;
	}
	if (p->drag == VIEW_POPUP_MOVE) {
		r.x = CLAMP(ev->x - p->grab_x, 0, MAX_OF(cols - r.w, 0));
		r.y = CLAMP(ev->y - p->grab_y, 0, MAX_OF(rows - r.h, 0));
		/* At the edge of the client the mouse goes on alone. */
		p->grab_x = ev->x - r.x;
		p->grab_y = ev->y - r.y;
	} else {
		r.w = ev->x - r.x;
		r.h = ev->y - r.y;
		if (r.w < least || r.h < least)
			return VIEW_POPUP_NOTHING;
	}
	view_popup_place(p, &r, cols, rows);
	return VIEW_POPUP_CHANGED;
}

/* Whether (X, Y), which is in the box, is on its border. */
static bool
on_border(const struct view_popup *p, int x, int y)
{
	const struct cell_rect *b = &p->box;

	return has_border(p) && (x == b->x || x == b->x + b->w - 1 ||
				    y == b->y || y == b->y + b->h - 1);
}

static bool
in_box(const struct cell_rect *b, int x, int y)
{
	return x >= b->x && x < b->x + b->w && y >= b->y && y < b->y + b->h;
}

/* Whether a button pressed by EV takes hold of the box: Meta, or its border. */
static bool
is_grip(const struct view_popup *p, const struct mouse_event *ev)
{
	return in_box(&p->box, ev->x, ev->y) &&
	       (ev->mods == KEY_META || on_border(p, ev->x, ev->y));
}

/* The button that was pressed at FROM moves: a drag of the box begins. */
static void
drag_begin(struct view_popup *p, const struct mouse_event *from)
{
	const struct cell_rect *b = &p->box;
	bool corner = has_border(p) && from->x == b->x + b->w - 1 &&
		      from->y == b->y + b->h - 1;

	if (from->button == MOUSE_LEFT)
		p->drag = corner ? VIEW_POPUP_SIZE : VIEW_POPUP_MOVE;
	else if (from->button == MOUSE_RIGHT)
		p->drag = VIEW_POPUP_SIZE;
	p->grab_x = from->x - b->x;
	p->grab_y = from->y - b->y;
}

enum view_popup_did
view_popup_mouse(
    struct view_popup *p, const struct mouse_event *ev, int cols, int rows)
{
	const struct mouse_event last = p->last;
	const bool right =
	    ev->action == MOUSE_PRESS && ev->button == MOUSE_RIGHT;

	p->last = *ev;
	if (p->drag != VIEW_POPUP_REST)
		return drag(p, ev, cols, rows);
	if (is_drag(ev) && last.action == MOUSE_PRESS && is_grip(p, &last)) {
		drag_begin(p, &last);
		return drag(p, ev, cols, rows);
	}
	if (!in_box(&p->box, ev->x, ev->y))
		return right ? VIEW_POPUP_MENU : VIEW_POPUP_NOTHING;
	if (right && ev->mods == 0 && has_border(p) &&
	    (ev->x == p->box.x || ev->y == p->box.y))
		return VIEW_POPUP_MENU;
	return is_grip(p, ev) ? VIEW_POPUP_NOTHING : VIEW_POPUP_PROGRAM;
}

/* --- the picture -------------------------------------------------------------------- */

/* As in tmux 3.8 only its colours count. */
static struct pen
pen_of(const struct view_context *cx, const struct window *w, const char *own,
    enum option_id id)
{
	struct pen pen = view_box_pen(cx, &w->options, own, id);

	pen.attrs = 0;
	return pen;
}

void
view_popup_show(struct view_builder *b, struct sync_view *v,
    const struct view_popup *p, struct vt_frame *f)
{
	const struct window *w = client_link(b->cx.client)->window;
	const struct pen pen =
	    pen_of(&b->cx, w, p->look.style, OPTION_POPUP_STYLE);
	const struct pen border =
	    pen_of(&b->cx, w, p->look.border, OPTION_POPUP_BORDER_STYLE);
	const struct cell_rect in = view_popup_inside(p);
	struct vt_frame *box;

	if (has_border(p)) {
		box = vt_frame_new((unsigned)p->box.w, (unsigned)p->box.h);
		box->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
		view_box_draw(&b->cx, box, (enum view_box_lines)p->look.lines,
		    p->title, &border);
		sync_view_add(v, VIEW_SURFACE_POPUP_BOX, SYNC_SURFACE_OVERLAY,
		    p->box.x, p->box.y, box);
		vt_frame_unref(box);
	}
	view_pane_default(&b->cx, &f->state, &pen);
	view_show_blocks(b, f);
	sync_view_add(
	    v, VIEW_SURFACE_POPUP, SYNC_SURFACE_OVERLAY, in.x, in.y, f);
	v->focus = VIEW_SURFACE_POPUP;
	b->mouse_wanted = MAX_OF(b->mouse_wanted, f->state.mouse_mode);
	b->kitty_wanted |= f->state.kitty_flags;
	b->other_wanted = MAX_OF(b->other_wanted, f->state.modify_other);
	b->pixels_wanted |= f->state.mouse_encoding == VT_MOUSE_SGR_PIXELS;
}
