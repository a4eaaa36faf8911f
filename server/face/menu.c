#include "server/face/menu.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/menu_replay.h"
#include "mux/view/pick.h"
#include "mux/window.h"
#include "server/face/popup.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

/* A menu, which several clients may show. */
struct menu_body {
	struct view_menu *view;
	struct list shown; /* struct menu */
	uint32_t window;   /* MUX_NONE: it stays on its client */
	int window_x;      /* of the client that opened it */
	int window_y;
	size_t chosen;
	menu_done_fn done;
	void *arg;
};

/* It on one client. */
struct menu {
	struct overlay over;
	struct list_node node; /* in body->shown */
	struct menu_body *body;
	int offset; /* the first row in sight */
};

static struct menu *
menu_of(struct overlay *o)
{
	return container_of(o, struct menu, over);
}

/* Whether the client shows the window of the menu. */
static bool
is_here(const struct menu *m)
{
	const struct winlink *wl = client_link(m->over.stack->viewer->client);

	return m->body->window == MUX_NONE ||
	       (wl != NULL && wl->window->id == m->body->window);
}

/*
 * Makes AT the menu as its client shows it, with the rows of B; false if that
 * has no room.
 */
static bool
place(struct menu *m, struct view_menu *at)
{
	const struct viewer *vw = m->over.stack->viewer;
	const struct menu_body *b = m->body;
	int h, top, rows;

	*at = *b->view;
	at->offset = m->offset;
	if (b->window != MUX_NONE) {
		at->x += vw->builder.window_x - b->window_x;
		at->y += vw->builder.window_y - b->window_y;
	}
	if (!view_menu_fit(at, vw->client->w, vw->client->h))
		return false;
	m->offset = at->offset;
	h = view_menu_height(at);
	top = vw->builder.area.y;
	rows = vw->builder.area.h;
	if (b->window != MUX_NONE && h <= rows)
		at->y = CLAMP(at->y, top, top + rows - h);
	return true;
}

static void
menu_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	struct menu *m = menu_of(o);
	struct view_menu at;

	if (is_here(m) && place(m, &at))
		view_menu_show(b, v, &at);
}

static bool
menu_pick(struct overlay *o, struct view_builder *b, struct overlay_pick *out)
{
	struct menu *m = menu_of(o);
	struct view_menu at;

	out->kind = PICK_MENU;
	out->surface = VIEW_SURFACE_MENU;
	return is_here(m) && place(m, &at) &&
	       menu_replay_put(&b->cx, &at, &out->rows, &out->state);
}

static void
redraw(const struct menu_body *b)
{
	struct list_node *n;

	LIST_FOREACH(n, &b->shown)
		overlay_dirty(&container_of(n, struct menu, node)->over);
}

/* Closes the menu on all clients; frees it. */
static void
close_all(struct menu_body *b)
{
	size_t left = b->shown.count;

	while (left-- > 0)
		overlay_close(
		    &container_of(list_first(&b->shown), struct menu, node)
			 ->over);
}

/* The menu may be closed afterwards. */
static enum overlay_did
menu_did(struct menu *m, enum view_menu_did did)
{
	struct menu_body *b = m->body;

	switch (did) {
	case VIEW_MENU_NOTHING:
		break;
	case VIEW_MENU_MOVED:
		redraw(b);
		break;
	case VIEW_MENU_CHOSEN:
		b->chosen = b->view->rows[b->view->choice].item;
		close_all(b);
		break;
	case VIEW_MENU_CLOSED:
		close_all(b);
		break;
	}
	return OVERLAY_TAKEN;
}

static enum overlay_did
menu_key(struct overlay *o, const struct key_event *key)
{
	struct menu *m = menu_of(o);

	if (!is_here(m))
		return OVERLAY_LEFT;
	return menu_did(m, view_menu_key(m->body->view, key->key));
}

static enum overlay_did
menu_mouse(struct overlay *o, const struct mouse_event *ev)
{
	struct menu *m = menu_of(o);
	struct view_menu at;
	enum view_menu_did did;

	if (!is_here(m) || !place(m, &at))
		return OVERLAY_LEFT;
	did = view_menu_mouse(&at, ev);
	m->body->view->choice = at.choice;
	m->offset = at.offset;
	return menu_did(m, did);
}

static enum overlay_did
menu_paste(UNUSED struct overlay *o, UNUSED const char *text, UNUSED size_t n)
{
	return OVERLAY_TAKEN;
}

static void
menu_resize(struct overlay *o)
{
	struct view_menu at;

	if (!place(menu_of(o), &at))
		overlay_close(o);
	else
		overlay_dirty(o);
}

static void
menu_free(struct overlay *o)
{
	struct menu *m = menu_of(o);
	struct menu_body *b = m->body;

	list_remove(&b->shown, &m->node);
	mem_free(m);
	if (!list_empty(&b->shown))
		return;
	view_menu_free(b->view);
	b->done(b->arg, b->chosen);
	mem_free(b);
}

static const struct overlay_ops menu_ops = {
	.name = "menu",
	.z = OVERLAY_MENU,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_COVERS,
	.draw = menu_draw,
	.pick = menu_pick,
	.key = menu_key,
	.mouse = menu_mouse,
	.paste = menu_paste,
	.resize = menu_resize,
	.close = menu_free,
};

static void
show(struct menu_body *b, struct viewer *vw)
{
	struct menu *m = mem_zalloc(sizeof(*m));

	m->body = b;
	list_push_back(&b->shown, &m->node);
	vw->menu_x = b->view->x;
	vw->menu_y = b->view->y;
	overlay_open(&vw->overlays, &m->over, &menu_ops);
	m->over.grab = OVERLAY_GRAB_ALL;
}

static struct menu_body *
body_new(
    struct viewer *vw, struct view_menu *view, menu_done_fn done, void *arg)
{
	struct menu_body *b = mem_zalloc(sizeof(*b));

	b->view = view;
	list_init(&b->shown);
	b->window = MUX_NONE;
	b->window_x = vw->builder.window_x;
	b->window_y = vw->builder.window_y;
	b->chosen = MENU_NOTHING;
	b->done = done;
	b->arg = arg;
	show(b, vw);
	return b;
}

void
menu_open(
    struct viewer *vw, struct view_menu *view, menu_done_fn done, void *arg)
{
	(void)body_new(vw, view, done, arg);
}

void
menu_open_window(
    struct viewer *vw, struct view_menu *view, menu_done_fn done, void *arg)
{
	struct menu_body *b = body_new(vw, view, done, arg);
	const struct window *w = client_link(vw->client)->window;
	struct viewer *other;
	struct list_node *n;

	b->window = w->id;
	LIST_FOREACH(n, &vw->all->list) {
		other = container_of(n, struct viewer, node);
		/* security: a guest gets no menu. */
		if (other == vw || client_link(other->client) == NULL ||
		    client_link(other->client)->window != w ||
		    !role_prompts(other->client) || menu_shown(other) ||
		    popup_shown(other))
			continue;
		show(b, other);
	}
}

void
menu_close(struct viewer *vw)
{
	struct overlay *o = overlays_find(&vw->overlays, &menu_ops);

	if (o != NULL)
		close_all(menu_of(o)->body);
}

bool
menu_shown(const struct viewer *vw)
{
	return overlays_find(&vw->overlays, &menu_ops) != NULL;
}
