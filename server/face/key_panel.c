#include "server/face/key_panel.h"

#include "base/mem.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/view/panel.h"
#include "server/face/viewer.h"

static void
key_panel_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	const struct viewer *vw = o->stack->viewer;
	const struct keytable *table =
	    keytables_find(vw->run->keys, client_table(vw->client));
	struct view_panel *panel;

	if (table == NULL)
		return;
	panel = view_panel_keys_new(table);
	view_panel_add(b, v, panel, VIEW_PANEL_ON_STATUS);
	view_panel_free(panel);
}

static void
key_panel_free(struct overlay *o)
{
	mem_free(o);
}

static const struct overlay_ops key_panel_ops = {
	.name = "keys",
	.z = OVERLAY_KEYS,
	.layer = VIEW_LAYER_TOP,
	.draw = key_panel_draw,
	.close = key_panel_free,
};

void
key_panel_open(struct viewer *vw)
{
	struct overlay *o = mem_zalloc(sizeof(*o));

	overlay_open(&vw->overlays, o, &key_panel_ops);
}

void
key_panel_close(struct viewer *vw)
{
	struct overlay *o = overlays_find(&vw->overlays, &key_panel_ops);

	if (o != NULL)
		overlay_close(o);
}
