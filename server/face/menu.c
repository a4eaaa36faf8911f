#include "server/face/menu.h"

#include "base/mem.h"
#include "mux/client.h"
#include "server/face/viewer.h"

struct menu {
	struct overlay over;
	struct view_menu *view;
	size_t chosen;
	menu_done_fn done;
	void *arg;
};

static struct menu *
menu_of(struct overlay *o)
{
	return container_of(o, struct menu, over);
}

static void
menu_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	view_menu_show(b, v, menu_of(o)->view);
}

/* O may be closed afterwards. */
static enum overlay_did
menu_did(struct overlay *o, enum view_menu_did did)
{
	struct menu *m = menu_of(o);

	switch (did) {
	case VIEW_MENU_NOTHING:
		break;
	case VIEW_MENU_MOVED:
		overlay_dirty(o);
		break;
	case VIEW_MENU_CHOSEN:
		m->chosen = m->view->rows[m->view->choice].item;
		overlay_close(o);
		break;
	case VIEW_MENU_CLOSED:
		overlay_close(o);
		break;
	}
	return OVERLAY_TAKEN;
}

static enum overlay_did
menu_key(struct overlay *o, const struct key_event *key)
{
	return menu_did(o, view_menu_key(menu_of(o)->view, key->key));
}

static enum overlay_did
menu_mouse(struct overlay *o, const struct mouse_event *ev)
{
	return menu_did(o, view_menu_mouse(menu_of(o)->view, ev));
}

static enum overlay_did
menu_paste(UNUSED struct overlay *o, UNUSED const char *text, UNUSED size_t n)
{
	return OVERLAY_TAKEN;
}

static void
menu_resize(struct overlay *o)
{
	const struct client *c = o->stack->viewer->client;

	if (!view_menu_fit(menu_of(o)->view, c->w, c->h))
		overlay_close(o);
	else
		overlay_dirty(o);
}

static void
menu_free(struct overlay *o)
{
	struct menu *m = menu_of(o);

	view_menu_free(m->view);
	m->done(m->arg, m->chosen);
	mem_free(m);
}

static const struct overlay_ops menu_ops = {
	.name = "menu",
	.z = OVERLAY_MENU,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_COVERS,
	.draw = menu_draw,
	.key = menu_key,
	.mouse = menu_mouse,
	.paste = menu_paste,
	.resize = menu_resize,
	.close = menu_free,
};

void
menu_open(
    struct viewer *vw, struct view_menu *view, menu_done_fn done, void *arg)
{
	struct menu *m = mem_zalloc(sizeof(*m));

	m->view = view;
	m->chosen = MENU_NOTHING;
	m->done = done;
	m->arg = arg;
	vw->menu_x = view->x;
	vw->menu_y = view->y + view->count + VIEW_MENU_FRAME_H;
	overlay_open(&vw->overlays, &m->over, &menu_ops);
	m->over.grab = OVERLAY_GRAB_ALL;
}

void
menu_close(struct viewer *vw)
{
	struct overlay *o = overlays_find(&vw->overlays, &menu_ops);

	if (o != NULL)
		overlay_close(o);
}

bool
menu_shown(const struct viewer *vw)
{
	return overlays_find(&vw->overlays, &menu_ops) != NULL;
}
