#include "server/face/popup.h"

#include <sys/wait.h>

#include <signal.h>
#include <stdlib.h>

#include "base/mem.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/view/show.h"
#include "mux/vt/term.h"
#include "mux/window.h"
#include "server/face/clipboard.h"
#include "server/face/menu.h"
#include "server/face/message.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"

#define POPUP_SIGNAL_STATUS 128 /* more than a signal's number, as in sh */
/* The status of a program that is closed with its popup: SIGHUP, as in tmux. */
#define POPUP_CLOSED_STATUS (POPUP_SIGNAL_STATUS + SIGHUP)
#define POPUP_MESSAGE_MS 2000
#define POPUP_HISTORY_BYTES ((size_t)1 << 20)

struct popup {
	struct overlay over;
	struct view_popup view;
	struct vt_term *term;
	struct pane_io *io; /* NULL once the program has ended */
	unsigned flags;     /* enum popup_flag */
	int status;
	bool menu; /* its menu is open */
	popup_done_fn done;
	void *arg;
};

static struct popup *
popup_of(struct overlay *o)
{
	return container_of(o, struct popup, over);
}

static struct viewer *
viewer_of(const struct popup *p)
{
	return p->over.stack->viewer;
}

static struct pane_input_cell
cell_of(const struct popup *p)
{
	const struct client *c = viewer_of(p)->client;

	return (struct pane_input_cell){ (uint16_t)c->outer.cell_w,
		(uint16_t)c->outer.cell_h };
}

/* --- the program ------------------------------------------------------------------ */

static void
popup_output(void *arg, UNUSED uint32_t id)
{
	struct popup *p = arg;

	pump_dirty(viewer_of(p), false);
}

static void
popup_clipboard(struct popup *p, const struct vt_effect *e)
{
	struct viewer *vw = viewer_of(p);
	struct mux *m = vw->run->mux;

	/* Programs may with on only; external is for commands. */
	if (options_number(&m->server_options, OPTION_SET_CLIPBOARD) !=
	    SET_CLIPBOARD_ON)
		return;
	if (e->len > 0)
		(void)paste_add(m->paste, NULL, e->data, e->len);
	clipboard_set(vw, e->data2, e->data, e->len);
}

static void
popup_effect(void *arg, UNUSED uint32_t id, const struct vt_effect *e)
{
	struct popup *p = arg;

	if (e->kind == VT_EFFECT_CLIPBOARD_SET)
		popup_clipboard(p, e);
	else if (e->kind == VT_EFFECT_BELL)
		viewer_effect(viewer_of(p), SYNC_EFFECT_BELL, NULL, 0);
}

static void
popup_exited(void *arg, UNUSED uint32_t id)
{
	struct popup *p = arg;
	int status = p->io->status;

	if (WIFEXITED(status))
		p->status = WEXITSTATUS(status);
	else if (WIFSIGNALED(status))
		p->status = WTERMSIG(status) + POPUP_SIGNAL_STATUS;
	pane_io_free(p->io);
	p->io = NULL;
	if ((p->flags & POPUP_CLOSE_EXIT) != 0 ||
	    ((p->flags & POPUP_CLOSE_GOOD) != 0 && p->status == 0))
		overlay_close(&p->over);
	else
		overlay_dirty(&p->over);
}

static const struct pane_io_ops popup_io_ops = {
	.output = popup_output,
	.effect = popup_effect,
	.exited = popup_exited,
};

/* Gives terminal and program the size of the box. */
static void
popup_resized(struct popup *p)
{
	const struct cell_rect in = view_popup_inside(&p->view);
	const struct pane_input_cell cell = cell_of(p);
	const struct cell_size size = { (uint16_t)in.w, (uint16_t)in.h };

	if (vt_term_cols(p->term) != size.cols ||
	    vt_term_rows(p->term) != size.rows) {
		vt_term_resize(p->term, size.cols, size.rows);
		if (p->io != NULL)
			pane_io_resize(p->io, size,
			    (unsigned)size.cols * cell.w,
			    (unsigned)size.rows * cell.h);
	}
	overlay_dirty(&p->over);
}

/* --- its menu ------------------------------------------------------------------------ */

static void
menu_quit(struct popup *p)
{
	overlay_close(&p->over);
}

static void
menu_fill(struct popup *p)
{
	const struct client *c = viewer_of(p)->client;
	const struct cell_rect all = { 0, 0, c->w, c->h };

	view_popup_place(&p->view, &all, c->w, c->h);
	popup_resized(p);
}

static void
menu_centre(struct popup *p)
{
	const struct client *c = viewer_of(p)->client;
	struct cell_rect r = p->view.box;

	r.x = c->w / 2 - r.w / 2;
	r.y = c->h / 2 - r.h / 2;
	view_popup_place(&p->view, &r, c->w, c->h);
	popup_resized(p);
}

static void
menu_paste(struct popup *p)
{
	const struct pane_input_cell cell = cell_of(p);
	const struct paste_buffer *pb =
	    paste_top(viewer_of(p)->run->mux->paste);

	if (pb != NULL && p->io != NULL)
		(void)pane_input_io_paste(
		    p->io, &cell, pb->data, pb->size, true);
}

/* Makes the popup's program that of a new pane beside the active one. */
static void
menu_to_pane(struct popup *p, enum layout_kind kind)
{
	struct viewer *vw = viewer_of(p);
	struct pane *at = client_pane(vw->client), *wp;
	const struct layout_split how = { .kind = kind, .size = -1 };
	const struct pane_start start = { .empty = true };
	struct cause why = { NULL };
	const char *tty;

	if (at == NULL || p->io == NULL)
		return;
	if (window_split(at->window, at, &how, &start, &wp, &why) != 0) {
		message_show(vw, POPUP_MESSAGE_MS, cause_text(&why));
		cause_fini(&why);
		return;
	}
	pane_set_term(wp, p->term);
	pane_io_move(p->io, wp->id);
	pane_io_resize(p->io,
	    (struct cell_size){ (uint16_t)wp->w, (uint16_t)wp->h }, 0, 0);
	tty = ptsname(p->io->fd);
	pane_set_alive(wp, p->io->pid, tty == NULL ? "" : tty);
	(void)window_set_active(wp->window, wp);
	p->io = NULL;
	p->term = NULL;
	p->status = 0;
	overlay_close(&p->over);
	run_drain(vw->run);
}

static void
menu_to_right(struct popup *p)
{
	menu_to_pane(p, LAYOUT_ROW);
}

static void
menu_to_below(struct popup *p)
{
	menu_to_pane(p, LAYOUT_COLUMN);
}

/* Rows without a function are lines. */
static const struct popup_row {
	const char *name;
	key_code key;
	void (*fn)(struct popup *p);
} popup_rows[] = {
	{ "Close", 'q', menu_quit },
	{ "Paste", 'p', menu_paste },
	{ "", KEY_NONE, NULL },
	{ "Fill Space", 'F', menu_fill },
	{ "Centre", 'C', menu_centre },
	{ "", KEY_NONE, NULL },
	{ "To Horizontal Pane", 'h', menu_to_right },
	{ "To Vertical Pane", 'v', menu_to_below },
};

static void
popup_menu_done(void *arg, size_t item)
{
	struct popup *p = arg;

	p->menu = false;
	if (item < ARRAY_LEN(popup_rows))
		popup_rows[item].fn(p);
}

static void
popup_menu(struct popup *p, const struct mouse_event *ev)
{
	struct viewer *vw = viewer_of(p);
	const struct grapheme_table *gt = vw->run->graphemes;
	const struct client *c = vw->client;
	struct view_menu *m = view_menu_new(gt, "");
	int r = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(popup_rows) && r == 0; i++) {
		if (popup_rows[i].fn == NULL)
			r = view_menu_add_line(m);
		else if (popup_rows[i].fn != menu_paste ||
			 paste_top(vw->run->mux->paste) != NULL)
			r = view_menu_add(m, gt, popup_rows[i].name,
			    popup_rows[i].key, i, c->w);
	}
	m->x = ev->x - (m->width + VIEW_MENU_FRAME_W) / 2;
	m->y = ev->y;
	if (r != 0 || !view_menu_fit(m, c->w, c->h)) {
		view_menu_free(m);
		return;
	}
	p->menu = true;
	menu_open(vw, m, popup_menu_done, p);
}

/* --- input ---------------------------------------------------------------------------- */

/* Whether KEY closes the popup, as in tmux. */
static bool
is_closing(const struct popup *p, key_code key)
{
	const unsigned at_exit = POPUP_CLOSE_EXIT | POPUP_CLOSE_GOOD;

	key &= ~(key_code)KEY_LOCKS;
	if (p->io == NULL && (p->flags & POPUP_CLOSE_KEY) != 0)
		return true;
	return (p->io == NULL || (p->flags & at_exit) == 0) &&
	       (key == KEY_ESCAPE || key == ('c' | KEY_CTRL));
}

static enum overlay_did
popup_key(struct overlay *o, const struct key_event *key)
{
	struct popup *p = popup_of(o);
	const struct pane_input_cell cell = cell_of(p);
	struct viewer *vw = viewer_of(p);

	if (is_closing(p, key->key)) {
		overlay_close(o);
		return OVERLAY_TAKEN;
	}
	if (p->io != NULL) {
		vw->all->panes->typing.pane = p->io->pane_id;
		vw->all->panes->typing.at = loop_now(vw->run->loop);
		(void)pane_input_io_key(p->io, &cell, key);
	}
	return OVERLAY_TAKEN;
}

static enum overlay_did
popup_mouse(struct overlay *o, const struct mouse_event *ev)
{
	struct popup *p = popup_of(o);
	const struct client *c = viewer_of(p)->client;
	const struct pane_input_cell cell = cell_of(p);
	const struct cell_rect in = view_popup_inside(&p->view);
	struct mouse_event inside = *ev;

	switch (view_popup_mouse(&p->view, ev, c->w, c->h)) {
	case VIEW_POPUP_NOTHING:
		break;
	case VIEW_POPUP_PROGRAM:
		inside.x = in.x + view_show_popup_column(&viewer_of(p)->builder,
				      ev->x - in.x, ev->y - in.y);
		outer_mouse(&inside, in.x, in.y, &c->outer, &c->outer);
		if (p->io != NULL)
			pane_input_io_mouse(p->io, &cell, &inside);
		break;
	case VIEW_POPUP_MENU:
		popup_menu(p, ev);
		break;
	case VIEW_POPUP_CHANGED:
		popup_resized(p);
		break;
	}
	return OVERLAY_TAKEN;
}

static enum overlay_did
popup_paste(struct overlay *o, const char *text, size_t n)
{
	struct popup *p = popup_of(o);
	const struct pane_input_cell cell = cell_of(p);

	if (p->io != NULL)
		(void)pane_input_io_paste(p->io, &cell, text, n, true);
	return OVERLAY_TAKEN;
}

static void
popup_client_resized(struct overlay *o)
{
	struct popup *p = popup_of(o);
	const struct client *c = viewer_of(p)->client;

	view_popup_fit(&p->view, c->w, c->h);
	popup_resized(p);
}

/* --- the overlay ------------------------------------------------------------------------- */

static void
popup_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	struct popup *p = popup_of(o);
	struct vt_frame *f = view_show_popup(vt_term_frame(p->term, 0));

	view_popup_show(b, v, &p->view, f);
	vt_frame_unref(f);
}

static void
popup_free(struct overlay *o)
{
	struct popup *p = popup_of(o);

	if (p->menu)
		menu_close(viewer_of(p));
	pane_io_free(p->io);
	vt_term_free(p->term);
	view_popup_fini(&p->view);
	p->done(p->arg, p->status);
	mem_free(p);
}

static const struct overlay_ops popup_ops = {
	.name = "popup",
	.z = OVERLAY_POPUP,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_COVERS,
	.draw = popup_draw,
	.key = popup_key,
	.mouse = popup_mouse,
	.paste = popup_paste,
	.resize = popup_client_resized,
	.close = popup_free,
};

static struct popup *
popup_find(const struct viewer *vw)
{
	struct overlay *o = overlays_find(&vw->overlays, &popup_ops);

	return o == NULL ? NULL : popup_of(o);
}

bool
popup_shown(const struct viewer *vw)
{
	return popup_find(vw) != NULL;
}

void
popup_close(struct viewer *vw)
{
	struct popup *p = popup_find(vw);

	if (p != NULL)
		overlay_close(&p->over);
}

static void
replace(char **text, const char *with)
{
	if (with == NULL)
		return;
	mem_free(*text);
	*text = mem_strdup(with);
}

void
popup_change(struct viewer *vw, const struct popup_change *ch)
{
	struct popup *p = popup_find(vw);

	if (p == NULL)
		return;
	replace(&p->view.look.style, ch->look->style);
	replace(&p->view.look.border, ch->look->border);
	replace(&p->view.title, ch->title);
	if (ch->look->lines >= 0)
		p->view.look.lines = ch->look->lines;
	if (ch->set_flags)
		p->flags = ch->flags;
	popup_resized(p);
}

int
popup_open(struct viewer *vw, const struct popup_spec *spec, struct cause *c)
{
	struct popup *p = mem_zalloc(sizeof(*p));
	const struct client *client = vw->client;
	struct spawn_program what = spec->program;
	struct vt_term_options opt = { .pool = vw->run->pool,
		.graphemes = vw->run->graphemes,
		.history_bytes = POPUP_HISTORY_BYTES };
	struct cell_rect in;

	view_popup_init(&p->view, &spec->box, spec->lines, spec->title);
	replace(&p->view.look.style, spec->style);
	replace(&p->view.look.border, spec->border);
	view_popup_fit(&p->view, client->w, client->h);
	in = view_popup_inside(&p->view);
	opt.cols = (unsigned)in.w;
	opt.rows = (unsigned)in.h;
	p->term = vt_term_new(&opt);
	vt_term_set_theme(p->term, &client->outer.theme);
	vt_term_set_base(p->term, vt_palette_ref(client->outer.palette));
	vt_term_set_cell_pixels(p->term, (unsigned)client->outer.cell_w,
	    (unsigned)client->outer.cell_h);
	what.size = (struct cell_size){ (uint16_t)in.w, (uint16_t)in.h };
	what.xpixel = (uint16_t)(in.w * client->outer.cell_w);
	what.ypixel = (uint16_t)(in.h * client->outer.cell_h);
	p->io = spawn_program(vw->all->panes, pane_io_other_id(vw->all->panes),
	    p->term, &what, c);
	if (p->io == NULL) {
		vt_term_free(p->term);
		view_popup_fini(&p->view);
		mem_free(p);
		return -ERR_SYS;
	}
	pane_io_set_ops(p->io, &popup_io_ops, p);
	p->flags = spec->flags;
	p->status = POPUP_CLOSED_STATUS;
	p->done = spec->done;
	p->arg = spec->arg;
	overlay_open(&vw->overlays, &p->over, &popup_ops);
	p->over.grab = OVERLAY_GRAB_ALL;
	return 0;
}
