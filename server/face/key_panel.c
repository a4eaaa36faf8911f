#include "server/face/key_panel.h"

#include "base/mem.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/view/key_panel.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

struct key_panel {
	struct overlay over;
	int page;
};

static struct key_panel *
key_panel_of(struct overlay *o)
{
	return container_of(o, struct key_panel, over);
}

static const struct keytable *
table_of(const struct overlay *o)
{
	const struct viewer *vw = o->stack->viewer;

	return client_find_table(
	    vw->client, vw->run->keys, client_table(vw->client));
}

/* Keys that do nothing for a client of this role are not shown. */
static bool
allowed(const void *arg, const struct keybinding *kb)
{
	const struct viewer *vw = arg;

	return role_list(vw->client, kb->commands);
}

static void
key_panel_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	const struct keytable *table = table_of(o);
	struct view_key_panel *panel;

	if (table == NULL)
		return;
	panel = view_key_panel_new(table, allowed, o->stack->viewer);
	view_key_panel_add(b, v, panel, &key_panel_of(o)->page);
	view_key_panel_free(panel);
}

static void
turn(struct overlay *o, bool back)
{
	/* The drawing knows the number of pages. */
	key_panel_of(o)->page += back ? -1 : 1;
	overlay_dirty(o);
}

static enum overlay_did
key_panel_key(struct overlay *o, const struct key_event *key)
{
	const struct keytable *table = table_of(o);
	bool back;

	if (table == NULL || !view_key_panel_turns(table, key->key, &back))
		return OVERLAY_PASSED;
	turn(o, back);
	return OVERLAY_TAKEN;
}

static enum overlay_did
key_panel_mouse(struct overlay *o, const struct mouse_event *ev)
{
	if (ev->button != MOUSE_WHEEL_UP && ev->button != MOUSE_WHEEL_DOWN)
		return OVERLAY_PASSED;
	turn(o, ev->button == MOUSE_WHEEL_UP);
	return OVERLAY_TAKEN;
}

static void
key_panel_free(struct overlay *o)
{
	mem_free(key_panel_of(o));
}

static const struct overlay_ops key_panel_ops = {
	.name = "keys",
	.z = OVERLAY_KEYS,
	.layer = VIEW_LAYER_TOP,
	.draw = key_panel_draw,
	.key = key_panel_key,
	.mouse = key_panel_mouse,
	.close = key_panel_free,
};

void
key_panel_open(struct viewer *vw)
{
	struct key_panel *p = mem_zalloc(sizeof(*p));

	overlay_open(&vw->overlays, &p->over, &key_panel_ops);
}

void
key_panel_close(struct viewer *vw)
{
	struct overlay *o = overlays_find(&vw->overlays, &key_panel_ops);

	if (o != NULL)
		overlay_close(o);
}
