#include <string.h>

#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/view/border.h"
#include "mux/window.h"
#include "server/face/input.h"
#include "server/face/numbers.h"
#include "server/face/pager.h"
#include "server/face/people.h"
#include "server/face/redraw_int.h"
#include "server/face/tty.h"
#include "server/face/viewer.h"
#include "server/io/pane_io.h"
#include "server/io/scope.h"

unsigned
redraw_status_rows(const struct session *s)
{
	int64_t n = options_number(&s->options, OPTION_STATUS);

	/* The value of each choice is its number of rows. */
	return (unsigned)CLAMP(n, STATUS_OFF, STATUS_5);
}

/* --- what the client's guesses go by ---------------------------------------------- */

/* Bits of the focused pane's tty; false if they are not to be had. */
bool
redraw_pane_modes(struct viewer *vw, const struct pane *p, uint32_t *bits)
{
	struct pane_io *io = pane_io_find(vw->all->panes, p->id);
	struct pty_modes m;

	*bits = 0;
	if (io == NULL || !pane_io_modes(io, &m))
		return false;
	*bits = (m.echo ? VT_FRAME_ECHO : 0) |
		(m.canonical ? VT_FRAME_CANONICAL : 0);
	return true;
}

/* The focused pane as the client has it, and its surface. */
static struct pane *
redraw_focus(const struct viewer *vw, const struct sync_surface **sf)
{
	struct pane *p = client_pane(vw->client);

	if (vw->view == NULL || p == NULL)
		return NULL;
	*sf = sync_view_find(vw->view, SURFACE_PANE(p->id));
	return *sf == NULL ? NULL : p;
}

bool
redraw_echoes(const struct viewer *vw)
{
	const struct sync_surface *sf;

	return redraw_focus(vw, &sf) != NULL &&
	       (sf->frame->state.modes & VT_FRAME_ECHO) != 0;
}

bool
redraw_modes_changed(struct viewer *vw)
{
	const struct sync_surface *sf;
	struct pane *p = redraw_focus(vw, &sf);
	uint32_t bits;

	return p != NULL && redraw_pane_modes(vw, p, &bits) &&
	       bits != (sf->frame->state.modes &
			   (VT_FRAME_ECHO | VT_FRAME_CANONICAL));
}

/* --- panes and borders ---------------------------------------------------------- */

static unsigned
pane_number(UNUSED void *arg, uint32_t id)
{
	struct pane *p = mux_pane(arg, id);

	return p == NULL ? 0 : (unsigned)pane_index(p);
}

/* FORMAT of a pane in COLS columns of a row; what it leaves free shows through. */
static void
pane_text(struct viewer *vw, struct vt_frame *f, unsigned x, unsigned y,
    int cols, struct pane *p, enum option_id format, const struct pen *base)
{
	const struct format_run *run;
	struct format_drawn drawn;
	struct pen pen;
	char *text;
	size_t i;

	text = scope_expand_pane_new(vw->all->scope, vw->client, p,
	    options_string(&p->options, format), 0);
	format_draw(&drawn, vw->run->graphemes, base, text, strlen(text), cols);
	for (i = 0; i < drawn.run_count; i++) {
		run = &drawn.runs[i];
		if (run->blank)
			continue;
		pen = run->pen;
		pen.fg = redraw_text_colour(vw, pen.fg);
		pen.bg = redraw_text_colour(vw, pen.bg);
		vt_frame_text(f, vw->run->graphemes, x + (unsigned)run->x, y,
		    x + (unsigned)(run->x + run->width), run->text, run->len,
		    &pen);
	}
	format_drawn_fini(&drawn);
	mem_free(text);
}

void
redraw_pane_text(struct viewer *vw, struct vt_frame *f, struct pane *p,
    enum option_id format, const struct pen *base)
{
	pane_text(vw, f, 0, 0, (int)f->cols, p, format, base);
}

static void
chrome_titles(
    struct viewer *vw, struct window *w, const struct border_style *st)
{
	int64_t where = options_number(&w->options, OPTION_PANE_BORDER_STATUS);
	const struct pen *pen;
	struct list_node *n;
	struct pane *p;
	int y;

	if (where == PANE_BORDER_STATUS_OFF)
		return;
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!pane_visible(p) || p->w < 4)
			continue;
		y = where == PANE_BORDER_STATUS_TOP ? p->y - 1 : p->y + p->h;
		if (y < 0 || y >= vw->chrome->rows)
			continue;
		pen = p == client_pane(vw->client) ? &st->active : &st->normal;
		/* A pane that fills the window keeps its line, but no border.
		 */
		if (w->zoomed)
			vt_frame_repeat(vw->chrome, (unsigned)p->x, (unsigned)y,
			    (unsigned)p->w, view_border_across(st->lines), pen);
		pane_text(vw, vw->chrome, (unsigned)p->x + 2, (unsigned)y,
		    p->w - 2, p, OPTION_PANE_BORDER_FORMAT, pen);
	}
}

/* What the status lines leave of the client. */
static int
area_rows(const struct viewer *vw)
{
	return vw->client->h - (int)vw->status_rows;
}

/* fill-character, or the middle dot where it is none of width 1. */
static uint32_t
fill_character(const struct viewer *vw, const struct window *w)
{
	const char *s = options_string(&w->options, OPTION_FILL_CHARACTER);
	size_t n = strlen(s);
	uint32_t cp = 0;

	if (n == 0 || utf8_decode_final((const uint8_t *)s, n, &cp) != n ||
	    cp < 0x20 || cp == 0x7f ||
	    grapheme_cp_width(vw->run->graphemes, cp) != 1)
		return 0xb7;
	return cp;
}

/* What a window leaves free of a larger client. */
static void
add_outside(struct viewer *vw, struct sync_view *v, const struct window *w)
{
	static const struct pen plain;
	struct vt_frame *f;
	uint32_t fill;
	int y, rows = area_rows(vw);

	if (rows <= 0 || (w->w + 1 >= vw->client->w && w->h + 1 >= rows))
		return;
	fill = fill_character(vw, w);
	f = vt_frame_new((unsigned)vw->client->w, (unsigned)rows);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	for (y = 0; y < rows; y++)
		vt_frame_repeat(
		    f, 0, (unsigned)y, (unsigned)vw->client->w, fill, &plain);
	sync_view_add(v, SURFACE_OUTSIDE, SYNC_SURFACE_CHROME, 0,
	    vw->status_top ? (int)vw->status_rows : 0, f);
	vt_frame_unref(f);
}

_Static_assert((int)BORDER_SINGLE == PANE_BORDER_LINES_SINGLE &&
		   (int)BORDER_NONE == PANE_BORDER_LINES_NONE &&
		   (int)BORDER_IND_OFF == PANE_BORDER_INDICATORS_OFF &&
		   (int)BORDER_IND_BOTH == PANE_BORDER_INDICATORS_BOTH,
    "mux/view/border.h has the choices of the options");

static void
chrome_build(struct viewer *vw, struct window *w)
{
	static const struct pen plain;
	struct border_style st = {
		.lines = (enum border_lines)options_number(
		    &w->options, OPTION_PANE_BORDER_LINES),
		.indicators = (enum border_indicators)options_number(
		    &w->options, OPTION_PANE_BORDER_INDICATORS),
		.active_pane = client_pane(vw->client)->id,
		.right = w->w < vw->client->w,
		.below = w->h < area_rows(vw),
		.alone = w->zoomed,
		.number = pane_number,
		.arg = vw->run->mux,
	};

	st.normal = redraw_text_style(
	    vw, &w->options, OPTION_PANE_BORDER_STYLE, &plain);
	st.active = redraw_text_style(
	    vw, &w->options, OPTION_PANE_ACTIVE_BORDER_STYLE, &plain);
	if (vw->numbers != NULL &&
	    strcmp(
		options_string(&w->options, OPTION_DISPLAY_PANES_BORDER_STYLE),
		option_row(OPTION_DISPLAY_PANES_BORDER_STYLE)->text) != 0)
		st.normal = st.active = redraw_text_style(
		    vw, &w->options, OPTION_DISPLAY_PANES_BORDER_STYLE, &plain);
	vt_frame_unref(vw->chrome);
	vw->chrome =
	    vt_frame_new((unsigned)w->w + st.right, (unsigned)w->h + st.below);
	vw->chrome->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (!w->zoomed || st.right || st.below)
		view_borders(vw->chrome, 0, 0, &w->layout, &st);
	chrome_titles(vw, w, &st);
	vt_frame_share(vw->chrome);
	vw->chrome_dirty = false;
}

/* Where the window's cell (0, 0) lies: the model pans large windows. */
static void
place_window(struct viewer *vw)
{
	struct cell_rect r = { 0 };

	(void)client_view(vw->client, &r);
	vw->window_x = -r.x;
	vw->window_y = -r.y;
}

static void
add_panes(struct viewer *vw, struct sync_view *v, struct window *w)
{
	const struct pane *active = client_pane(vw->client);
	const struct pane *only = client_zoomed(vw->client);
	struct list_node *n;
	struct vt_frame *f;
	struct pane *p;

	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!pane_visible(p) || (only != NULL && p != only))
			continue;
		f = redraw_pane_frame(vw, p, p == active);
		sync_view_add(v, SURFACE_PANE(p->id), SYNC_SURFACE_PANE,
		    vw->window_x + p->x, vw->window_y + p->y, f);
		vt_frame_unref(f);
	}
	v->focus = SURFACE_PANE(active->id);
}

/* --- the terminal's modes ------------------------------------------------------------- */

static void
set_tty(struct viewer *vw, struct sync_view *v, struct window *w)
{
	struct session *s = vw->client->session;
	const struct options *so = &vw->run->mux->server_options;
	const struct vt_frame_state *st =
	    vt_term_state(client_pane(vw->client)->term);
	char *title;

	v->tty.flags = SYNC_TTY_PASTE;
	v->tty.predict = (uint8_t)options_number(&s->options, OPTION_PREDICT);
	if (vw->client->flags & CLIENT_READONLY)
		v->tty.flags |= SYNC_TTY_READONLY;
	if (w->active->flags & PANE_INPUT_OFF)
		v->tty.flags |= SYNC_TTY_PREDICT_OFF;
	if (vw->guest.spent)
		v->tty.flags |= SYNC_TTY_SPENT;
	if (options_flag(so, OPTION_FOCUS_EVENTS))
		v->tty.flags |= SYNC_TTY_FOCUS;
	v->tty.mouse = st->mouse_mode;
	if (options_flag(&s->options, OPTION_MOUSE))
		v->tty.mouse = MAX_OF(st->mouse_mode,
		    options_flag(&s->options, OPTION_FOCUS_FOLLOWS_MOUSE)
			? VT_MOUSE_ANY
			: VT_MOUSE_BUTTON);
	v->tty.modify_other =
	    options_number(so, OPTION_EXTENDED_KEYS) == EXTENDED_KEYS_ALWAYS
		? 2
		: st->modify_other;
	/* Else it stands in the view before. */
	if (vw->settings_seq != vw->all->options_seq + 1) {
		tty_settings(vw->run->mux, vw->client, &v->tty);
		vw->settings_seq = vw->all->options_seq + 1;
	}
	vt_str_unref(v->tty.title);
	v->tty.title = NULL;
	if (!options_flag(&s->options, OPTION_SET_TITLES))
		return;
	v->tty.flags |= SYNC_TTY_TITLE;
	title = scope_expand_client_new(vw->all->scope, vw->client,
	    options_string(&s->options, OPTION_SET_TITLES_STRING),
	    FORMAT_STRFTIME);
	v->tty.title = vt_str_new(title, strlen(title));
	mem_free(title);
}

/* Which inputs count as answered once V is shown. */
static uint64_t
view_echo(struct viewer *vw, const struct sync_view *v)
{
	const struct sync_surface *sf = sync_view_find(v, v->focus);

	if (vw->link->ops->far)
		(void)echo_look(&vw->echo, loop_now(vw->run->loop), v->focus,
		    sf == NULL || sf->kind != SYNC_SURFACE_PANE ? NULL
								: sf->frame);
	return vw->echo.ack;
}

void
redraw_view(struct viewer *vw)
{
	struct client *c = vw->client;
	struct session *s = c->session;
	struct sync_view *v;
	struct window *w;
	unsigned status;

	if (client_link(c) == NULL)
		return;
	w = client_link(c)->window;
	run_set_now(vw->run);
	v = vw->view == NULL ? sync_view_new(0, 0) : sync_view_clone(vw->view);
	sync_view_clear(v);
	sync_prompt_unref(v->prompt);
	v->prompt = NULL;
	v->cols = (uint16_t)c->w;
	v->rows = (uint16_t)c->h;
	status = MIN_OF(redraw_status_rows(s), (unsigned)c->h);
	vw->status_top = options_number(&s->options, OPTION_STATUS_POSITION) ==
			 STATUS_POSITION_TOP;
	if (status != vw->status_rows)
		vw->status_dirty = true;
	vw->status_rows = status;
	place_window(vw);
	if (vw->status_top)
		vw->window_y += (int)status;
	if (vw->chrome_dirty || vw->chrome == NULL ||
	    vw->chrome_window != w->id ||
	    vw->chrome->cols != w->w + (w->w < c->w) ||
	    vw->chrome->rows != w->h + (w->h < area_rows(vw)))
		chrome_build(vw, w);
	vw->chrome_window = w->id;
	if (client_zoomed(c) == NULL) {
		add_outside(vw, v, w);
		sync_view_add(v, SURFACE_CHROME, SYNC_SURFACE_CHROME,
		    vw->window_x, vw->window_y, vw->chrome);
	}
	add_panes(vw, v, w);
	vw->panes_dirty = false;
	people_draw(vw, v, w, SURFACE_PEOPLE);
	numbers_draw(vw, v, w, SURFACE_NUMBERS);
	if (status > 0) {
		if (vw->status_dirty || vw->status == NULL ||
		    vw->status->cols != c->w || vw->status_at == MONO_NEVER)
			redraw_text_status(vw, status);
		sync_view_add(v, SURFACE_STATUS, SYNC_SURFACE_CHROME, 0,
		    vw->status_top ? 0 : (int)((unsigned)c->h - status),
		    vw->status);
	}
	pager_draw(vw, v, SURFACE_PAGER, vw->status_top ? (int)status : 0,
	    area_rows(vw));
	redraw_text_keys(vw, v, status);
	redraw_text_line(vw, v, status);
	set_tty(vw, v, w);
	v->nkeys = !vw->link->ops->far
		       ? 0
		       : input_taken(vw, v->keys, ARRAY_LEN(v->keys));
	v->echo_ack = view_echo(vw, v);
	sync_view_free(vw->view);
	vw->view = v;
}
