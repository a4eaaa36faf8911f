#include "server/redraw.h"

#include <string.h>

#include "base/io/pty.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "conf/format_draw.h"
#include "conf/format_text.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/border.h"
#include "mux/window.h"
#include "server/input.h"
#include "server/numbers.h"
#include "server/pane_io.h"
#include "server/panel.h"
#include "server/people.h"
#include "server/prompt.h"
#include "server/scope.h"
#include "server/server.h"
#include "server/viewer.h"

/* Surface ids: the kind in the upper half. */
#define SURFACE_PANE(id) ((UINT64_C(1) << 32) | (id))
#define SURFACE_CHROME (UINT64_C(2) << 32)
#define SURFACE_STATUS (UINT64_C(3) << 32)
#define SURFACE_LINE (UINT64_C(4) << 32) /* message or prompt */
#define SURFACE_NUMBERS (UINT64_C(5) << 32)
#define SURFACE_PANEL (UINT64_C(6) << 32)
#define SURFACE_PEOPLE (UINT64_C(7) << 32)
#define SURFACE_OUTSIDE (UINT64_C(8) << 32)

unsigned
redraw_status_rows(const struct session *s)
{
	int64_t n = options_number(&s->options, OPTION_STATUS);

	return n < 0 ? 0 : (unsigned)MIN_OF(n, 5);
}

/* --- who is to be drawn again ------------------------------------------------ */

static void
redraw_each(struct server *sv,
    bool (*match)(const struct viewer *, const void *), const void *arg,
    bool status)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->session == NULL ||
		    (match != NULL && !match(vw, arg)))
			continue;
		vw->status_dirty |= status;
		viewer_dirty(vw);
	}
}

static bool
match_window(const struct viewer *vw, const void *arg)
{
	const struct winlink *wl = client_link(vw->client);

	return wl != NULL && wl->window == arg;
}

static bool
match_session(const struct viewer *vw, const void *arg)
{
	return vw->client->session == arg;
}

void
redraw_window(struct server *sv, const struct window *w)
{
	redraw_each(sv, match_window, w, false);
}

void
redraw_session(struct server *sv, const struct session *s)
{
	redraw_each(sv, match_session, s, true);
}

void
redraw_status(struct server *sv, const struct session *s)
{
	redraw_each(sv, s == NULL ? NULL : match_session, s, true);
}

void
redraw_all(struct server *sv)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &sv->viewers) {
		vw = container_of(n, struct viewer, node);
		vw->chrome_dirty = vw->panes_dirty = true;
	}
	redraw_each(sv, NULL, NULL, true);
}

/* --- styles and lines of text -------------------------------------------------- */

/* The theme's named colours (theme... of styles) as they are for a client. */
static colour
theme_colour(const struct viewer *vw, colour c)
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
	const struct options *o = &vw->sv->mux->server_options;
	unsigned n = c & 0xffffff;

	if (colour_kind(c) != COLOUR_KIND_THEME)
		return c;
	if (n >= STYLE_THEME_COUNT)
		return COLOUR_DEFAULT;
	return options_colour(o, rows[redraw_light(vw)][n]);
}

bool
redraw_light(const struct viewer *vw)
{
	/* detect, terminal, light, dark */
	int64_t theme =
	    options_number(&vw->sv->mux->server_options, OPTION_THEME);

	return theme == 2 ||
	       (theme < 2 && vw->client->theme == CLIENT_THEME_LIGHT);
}

/* The pen of a style text over BASE, expanded for a pane (or NULL). */
static struct pen
text_pen(struct viewer *vw, struct pane *p, const char *style,
    const struct pen *base)
{
	struct style sy;
	struct pen pen = *base;
	char *text;

	text = p == NULL
		   ? scope_expand_client_new(vw->sv, vw->client, style, 0)
		   : scope_expand_pane_new(vw->sv, vw->client, p, style, 0);
	style_init(&sy);
	if (style_parse(&sy, base, text, strlen(text)) == 0)
		style_apply(&sy, &pen);
	pen.fg = theme_colour(vw, pen.fg);
	pen.bg = theme_colour(vw, pen.bg);
	mem_free(text);
	return pen;
}

/* The pen of a style option, expanded for the client. */
static struct pen
redraw_pen(struct viewer *vw, const struct options *o, enum option_id id,
    const struct pen *base)
{
	return text_pen(vw, NULL, options_string(o, id), base);
}

struct pen
redraw_message_pen(struct viewer *vw)
{
	static const struct pen plain;

	return redraw_pen(
	    vw, &vw->client->session->options, OPTION_MESSAGE_STYLE, &plain);
}

/* Draws an expanded format into row Y; its ranges are left in *DRAWN. */
static void
redraw_text(struct viewer *vw, struct vt_frame *f, unsigned y, const char *text,
    const struct pen *base, struct format_drawn *drawn)
{
	const struct format_run *run;
	struct pen pen;
	size_t i;

	format_draw(
	    drawn, vw->sv->graphemes, base, text, strlen(text), f->cols);
	for (i = 0; i < drawn->run_count; i++) {
		run = &drawn->runs[i];
		pen = run->pen;
		pen.fg = theme_colour(vw, pen.fg);
		pen.bg = theme_colour(vw, pen.bg);
		vt_frame_text(f, vw->sv->graphemes, (unsigned)run->x, y,
		    (unsigned)(run->x + run->width), run->text, run->len, &pen);
	}
}

static void
status_forget_ranges(struct viewer *vw)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(vw->ranges); i++)
		format_drawn_fini(&vw->ranges[i]);
	memset(vw->ranges, 0, sizeof(vw->ranges));
}

static void
status_build(struct viewer *vw, unsigned rows)
{
	static const struct pen plain;
	struct session *s = vw->client->session;
	const struct option_entry *e;
	const struct option_value *item;
	int64_t interval;
	struct pen base;
	colour old;
	unsigned y;
	char *text;

	vt_frame_unref(vw->status);
	status_forget_ranges(vw);
	vw->status = vt_frame_new((unsigned)vw->client->w, rows);
	vw->status->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	base = redraw_pen(vw, &s->options, OPTION_STATUS_STYLE, &plain);
	/* Older than status-style, and still over it. */
	old = options_colour(&s->options, OPTION_STATUS_FG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		base.fg = theme_colour(vw, old);
	old = options_colour(&s->options, OPTION_STATUS_BG);
	if (old != COLOUR_DEFAULT && old != COLOUR_NONE)
		base.bg = theme_colour(vw, old);
	e = options_get(&s->options, OPTION_STATUS_FORMAT);
	for (y = 0; y < rows; y++) {
		item = option_entry_item(e, y);
		text = scope_expand_client_new(vw->sv, vw->client,
		    item == NULL ? "" : item->string, FORMAT_STRFTIME);
		redraw_text(vw, vw->status, y, text, &base, &vw->ranges[y]);
		mem_free(text);
	}
	/* Its bytes are made once, not with every change of a pane. */
	vt_frame_share(vw->status);
	vw->status_dirty = false;
	interval = options_number(&s->options, OPTION_STATUS_INTERVAL);
	vw->status_at = interval <= 0 ? MONO_NEVER
				      : mono_add(loop_now(vw->sv->loop),
					    (mono_ms)interval * 1000);
}

/* --- what the client's guesses go by ---------------------------------------------- */

/* Bits of the focused pane's tty; false if they are not to be had. */
static bool
pane_modes(struct viewer *vw, const struct pane *p, uint32_t *bits)
{
	struct pane_io *io = pane_io_find(vw->sv, p->id);
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

	return p != NULL && pane_modes(vw, p, &bits) &&
	       bits != (sf->frame->state.modes &
			   (VT_FRAME_ECHO | VT_FRAME_CANONICAL));
}

/* --- panes and borders ---------------------------------------------------------- */

/* A colour as a palette's entry. */
static uint32_t
palette_entry(const struct viewer *vw, colour c)
{
	c = theme_colour(vw, c);
	if (colour_kind(c) == COLOUR_KIND_INDEX)
		return VT_PALETTE_INDEX | (c & 0xff);
	if (colour_kind(c) == COLOUR_KIND_RGB)
		return c & 0xffffff;
	return VT_PALETTE_UNSET;
}

/* Sets entry N unless the program has set it. */
static void
palette_default(
    struct vt_palette **slot, const struct viewer *vw, unsigned n, colour c)
{
	uint32_t entry = palette_entry(vw, c);

	if (entry != VT_PALETTE_UNSET &&
	    vt_palette_get(*slot, n) == VT_PALETTE_UNSET)
		vt_palette_own(slot)->rgb[n] = entry;
}

/* window-style, window-active-style and pane-colours under a pane. */
static void
pane_palette(
    struct viewer *vw, struct pane *p, bool active, struct vt_palette **slot)
{
	static const struct pen plain;
	const struct option_entry *e;
	struct pen pen = plain;
	size_t i;

	e = options_get(&p->options, OPTION_PANE_COLOURS);
	for (i = 0; e != NULL && i < e->count; i++)
		if (e->items[i].index < 256)
			palette_default(slot, vw, e->items[i].index,
			    (colour)e->items[i].value.number);
	pen = text_pen(
	    vw, p, options_string(&p->options, OPTION_WINDOW_STYLE), &plain);
	if (active)
		pen = text_pen(vw, p,
		    options_string(&p->options, OPTION_WINDOW_ACTIVE_STYLE),
		    &pen);
	palette_default(slot, vw, VT_DYN_FG, pen.fg);
	palette_default(slot, vw, VT_DYN_BG, pen.bg);
}

/* cursor-style and cursor-colour, where the program has no wish. */
static void
pane_cursor(struct viewer *vw, struct pane *p, struct vt_frame_state *st)
{
	int64_t style = options_number(&p->options, OPTION_CURSOR_STYLE);
	colour c =
	    theme_colour(vw, options_colour(&p->options, OPTION_CURSOR_COLOUR));
	uint32_t rgb = palette_entry(vw, c);

	if (st->cursor_shape == VT_CURSOR_DEFAULT)
		redraw_cursor_style(st, style);
	if (rgb != VT_PALETTE_UNSET && (rgb & VT_PALETTE_INDEX))
		rgb = colour_palette_rgb(rgb & 0xff);
	if (rgb != VT_PALETTE_UNSET &&
	    vt_palette_get(st->palette, VT_DYN_CURSOR) == VT_PALETTE_UNSET)
		vt_palette_own(&st->palette)->rgb[VT_DYN_CURSOR] = rgb;
}

void
redraw_cursor_style(struct vt_frame_state *st, int64_t style)
{
	/* In the order of the choices, default first. */
	static const struct {
		uint8_t shape;
		bool blink;
	} looks[] = { { VT_CURSOR_DEFAULT, false }, { VT_CURSOR_BLOCK, true },
		{ VT_CURSOR_BLOCK, false }, { VT_CURSOR_UNDERLINE, true },
		{ VT_CURSOR_UNDERLINE, false }, { VT_CURSOR_BAR, true },
		{ VT_CURSOR_BAR, false } };

	if (style <= 0 || style >= (int64_t)ARRAY_LEN(looks))
		return;
	st->cursor_shape = looks[style].shape;
	st->modes &= ~(uint32_t)VT_FRAME_CURSOR_BLINK;
	if (looks[style].blink)
		st->modes |= VT_FRAME_CURSOR_BLINK;
}

/* Whether an option changes how a pane looks: for most none does. */
static bool
pane_styled(const struct pane *p)
{
	static const enum option_id styles[] = { OPTION_WINDOW_STYLE,
		OPTION_WINDOW_ACTIVE_STYLE };
	const struct option_entry *e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(styles); i++)
		if (strcmp(options_string(&p->options, styles[i]), "default") !=
		    0)
			return true;
	e = options_get(&p->options, OPTION_PANE_COLOURS);
	return (e != NULL && e->count > 0) ||
	       options_number(&p->options, OPTION_CURSOR_STYLE) != 0 ||
	       options_colour(&p->options, OPTION_CURSOR_COLOUR) != COLOUR_NONE;
}

/* The pane's screen now: one frame for all who see it. */
static struct vt_frame *
shared_frame(struct pane_io *io, const struct pane *p, uint32_t bits)
{
	const uint32_t tty = VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	struct vt_frame **slot = io == NULL ? NULL : &io->frames[bits != 0];
	struct vt_frame *f;

	if (slot != NULL && *slot != NULL && (*slot)->version != 0 &&
	    (*slot)->version == vt_term_version(p->term) &&
	    ((*slot)->state.modes & tty) == bits)
		return vt_frame_ref(*slot);
	f = vt_term_frame(p->term, 0);
	f->state.modes &= ~tty;
	f->state.modes |= bits;
	if (slot == NULL)
		return f;
	vt_frame_share(f);
	vt_frame_unref(*slot);
	*slot = vt_frame_ref(f);
	return f;
}

static struct vt_frame *
pane_frame(struct viewer *vw, struct pane *p, bool active)
{
	const struct sync_surface *old;
	struct vt_frame *f;
	uint32_t bits = 0;
	bool styled = pane_styled(p);

	old = vw->view == NULL ? NULL
			       : sync_view_find(vw->view, SURFACE_PANE(p->id));
	/* On this machine nothing is predicted. */
	if (active && vw->remote != NULL)
		(void)pane_modes(vw, p, &bits);
	/* In the middle of an update the old picture stands. */
	if (old != NULL && vt_term_sync_pending(p->term) &&
	    old->frame->cols == p->w && old->frame->rows == p->h)
		return vt_frame_ref(old->frame);
	if (old != NULL && old->frame->version == vt_term_version(p->term) &&
	    old->frame->version != 0 &&
	    (old->frame->state.modes & (VT_FRAME_ECHO | VT_FRAME_CANONICAL)) ==
		bits &&
	    !vw->panes_dirty && !styled)
		return vt_frame_ref(old->frame);
	if (!styled)
		return shared_frame(pane_io_find(vw->sv, p->id), p, bits);
	f = vt_term_frame(p->term, 0);
	f->state.modes &= ~(uint32_t)(VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	f->state.modes |= bits;
	pane_palette(vw, p, active, &f->state.palette);
	pane_cursor(vw, p, &f->state);
	return f;
}

static unsigned
pane_number(UNUSED void *arg, uint32_t id)
{
	struct server *sv = arg;
	struct pane *p = mux_pane(sv->mux, id);

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

	text = scope_expand_pane_new(
	    vw->sv, vw->client, p, options_string(&p->options, format), 0);
	format_draw(&drawn, vw->sv->graphemes, base, text, strlen(text), cols);
	for (i = 0; i < drawn.run_count; i++) {
		run = &drawn.runs[i];
		if (run->blank)
			continue;
		pen = run->pen;
		pen.fg = theme_colour(vw, pen.fg);
		pen.bg = theme_colour(vw, pen.bg);
		vt_frame_text(f, vw->sv->graphemes, x + (unsigned)run->x, y,
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

	if (where == 0)
		return;
	WINDOW_FOREACH_PANE(p, n, w)
	{
		if (!pane_visible(p) || p->w < 4)
			continue;
		y = where == 1 ? p->y - 1 : p->y + p->h;
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
	    grapheme_cp_width(vw->sv->graphemes, cp) != 1)
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
		.arg = vw->sv,
	};

	st.normal =
	    redraw_pen(vw, &w->options, OPTION_PANE_BORDER_STYLE, &plain);
	st.active = redraw_pen(
	    vw, &w->options, OPTION_PANE_ACTIVE_BORDER_STYLE, &plain);
	if (vw->numbers != NULL &&
	    strcmp(
		options_string(&w->options, OPTION_DISPLAY_PANES_BORDER_STYLE),
		option_row(OPTION_DISPLAY_PANES_BORDER_STYLE)->text) != 0)
		st.normal = st.active = redraw_pen(
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
		f = pane_frame(vw, p, p == active);
		sync_view_add(v, SURFACE_PANE(p->id), SYNC_SURFACE_PANE,
		    vw->window_x + p->x, vw->window_y + p->y, f);
		vt_frame_unref(f);
	}
	v->focus = SURFACE_PANE(active->id);
}

/* --- message and prompt -------------------------------------------------------------- */

/* message-format around TEXT, which is a prompt's or a message. */
static char *
line_text_new(struct viewer *vw, const char *text)
{
	const struct format_var vars[] = {
		{ "message", text },
		{ "command_prompt",
		    vw->prompt != NULL && prompt_commanding(vw->prompt) ? "1"
									: "0" },
	};
	const struct scope_where w = {
		.client = vw->client,
		.vars = vars,
		.var_count = ARRAY_LEN(vars),
	};

	return scope_new(vw->sv, &w,
	    options_string(
		&vw->client->session->options, OPTION_MESSAGE_FORMAT),
	    FORMAT_STRFTIME);
}

/* The pen that a line ends with: what is typed behind it has it too. */
static struct pen
line_pen(struct viewer *vw, const struct format_drawn *drawn)
{
	struct pen pen;

	if (drawn->run_count == 0)
		return redraw_message_pen(vw);
	pen = drawn->runs[drawn->run_count - 1].pen;
	pen.fg = theme_colour(vw, pen.fg);
	pen.bg = theme_colour(vw, pen.bg);
	return pen;
}

static void
add_prompt(struct viewer *vw, struct vt_frame *f)
{
	char *message = prompt_message_new(vw->prompt, vw);
	char *text = line_text_new(vw, message);
	struct format_drawn drawn;
	struct pen pen = { 0 };
	unsigned x;

	redraw_text(vw, f, 0, text, &pen, &drawn);
	/* Blanks behind the message are the text's. */
	x = (unsigned)MIN_OF(
	    format_text_width(vw->sv->graphemes, text, strlen(text)),
	    (size_t)f->cols);
	pen = line_pen(vw, &drawn);
	prompt_draw(vw->prompt, vw, f, x, &pen);
	format_drawn_fini(&drawn);
	mem_free(text);
	mem_free(message);
}

static void
add_line(struct viewer *vw, struct sync_view *v, unsigned status)
{
	static const struct pen plain;
	struct session *s = vw->client->session;
	const struct panel *panel = NULL;
	struct format_drawn drawn;
	struct vt_frame *f;
	unsigned row;
	char *text;
	int y;

	if (vw->prompt == NULL && vw->message.text == NULL)
		return;
	row = (unsigned)options_number(&s->options, OPTION_MESSAGE_LINE);
	row = MIN_OF(row, MAX_OF(status, 1u) - 1);
	y = vw->status_top ? (int)row
			   : vw->client->h - (int)MAX_OF(status, 1u) + (int)row;
	f = vt_frame_new((unsigned)vw->client->w, 1);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	if (vw->prompt != NULL) {
		add_prompt(vw, f);
		v->focus = SURFACE_LINE;
		panel = prompt_panel(vw->prompt);
	} else {
		text = line_text_new(vw, vw->message.text);
		redraw_text(vw, f, 0, text, &plain, &drawn);
		format_drawn_fini(&drawn);
		mem_free(text);
	}
	if (panel != NULL)
		panel_draw(panel, vw, v, SURFACE_PANEL,
		    vw->status_top ? vw->client->h : y);
	sync_view_add(v, SURFACE_LINE, SYNC_SURFACE_OVERLAY, 0, y, f);
	vt_frame_unref(f);
}

/* The keys that can follow: those of the table in force. */
static void
add_key_panel(struct viewer *vw, struct sync_view *v, unsigned status)
{
	const struct keytable *table =
	    keytables_find(vw->sv->keys, client_table(vw->client));
	const struct keybinding *kb;
	char name[KEY_NAME_MAX];
	struct panel *panel;
	struct buf text;
	size_t i;

	if (!vw->panel_on || table == NULL)
		return;
	panel = panel_new();
	buf_init(&text, 1 << 20);
	for (i = 0; i < table->count; i++) {
		kb = &table->bindings[i];
		if ((kb->key & KEY_MASK) >= KEY_MOUSE0)
			continue;
		buf_clear(&text);
		if (kb->note != NULL && *kb->note != '\0')
			(void)buf_add_str(&text, kb->note);
		else
			cmdlist_print(kb->commands, 0, &text);
		panel_add(panel, key_name_format(kb->key, name, sizeof(name)),
		    buf_cstr(&text));
	}
	panel_draw(panel, vw, v, SURFACE_PANEL,
	    vw->client->h - (vw->status_top ? 0 : (int)status));
	buf_fini(&text);
	panel_free(panel);
}

/* --- the terminal's modes ------------------------------------------------------------- */

static void
set_tty(struct viewer *vw, struct sync_view *v, struct window *w)
{
	struct session *s = vw->client->session;
	const struct options *so = &vw->sv->mux->server_options;
	const struct vt_frame_state *st =
	    vt_term_state(client_pane(vw->client)->term);
	char *title;

	v->tty.flags = SYNC_TTY_PASTE;
	v->tty.predict = (uint8_t)options_number(&s->options, OPTION_PREDICT);
	if (vw->client->flags & CLIENT_READONLY)
		v->tty.flags |= SYNC_TTY_READONLY;
	if (w->active->flags & PANE_INPUT_OFF)
		v->tty.flags |= SYNC_TTY_PREDICT_OFF;
	if (options_flag(so, OPTION_FOCUS_EVENTS))
		v->tty.flags |= SYNC_TTY_FOCUS;
	v->tty.mouse = st->mouse_mode;
	if (options_flag(&s->options, OPTION_MOUSE))
		v->tty.mouse = MAX_OF(st->mouse_mode,
		    options_flag(&s->options, OPTION_FOCUS_FOLLOWS_MOUSE)
			? VT_MOUSE_ANY
			: VT_MOUSE_BUTTON);
	v->tty.modify_other = options_number(so, OPTION_EXTENDED_KEYS) == 2
				  ? 2
				  : st->modify_other;
	vt_str_unref(v->tty.title);
	v->tty.title = NULL;
	if (!options_flag(&s->options, OPTION_SET_TITLES))
		return;
	v->tty.flags |= SYNC_TTY_TITLE;
	title = scope_expand_client_new(vw->sv, vw->client,
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

	if (vw->remote != NULL)
		(void)echo_look(&vw->echo, loop_now(vw->sv->loop), v->focus,
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
	mux_set_now(vw->sv->mux, loop_now(vw->sv->loop), sys_wall() * 1000);
	v = vw->view == NULL ? sync_view_new(0, 0) : sync_view_clone(vw->view);
	sync_view_clear(v);
	v->cols = (uint16_t)c->w;
	v->rows = (uint16_t)c->h;
	status = MIN_OF(redraw_status_rows(s), (unsigned)c->h);
	vw->status_top =
	    options_number(&s->options, OPTION_STATUS_POSITION) == 0;
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
			status_build(vw, status);
		sync_view_add(v, SURFACE_STATUS, SYNC_SURFACE_CHROME, 0,
		    vw->status_top ? 0 : (int)((unsigned)c->h - status),
		    vw->status);
	}
	add_key_panel(vw, v, status);
	add_line(vw, v, status);
	set_tty(vw, v, w);
	v->nkeys = vw->remote == NULL
		       ? 0
		       : input_taken(vw, v->keys, ARRAY_LEN(v->keys));
	v->echo_ack = view_echo(vw, v);
	sync_view_free(vw->view);
	vw->view = v;
}
