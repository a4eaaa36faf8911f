#include "server/face/message.h"

#include "base/mem.h"
#include "mux/client.h"
#include "mux/view/status.h"
#include "server/face/viewer.h"

struct line_message {
	struct overlay over;
	char *text;
};

static void
message_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	const struct line_message *m =
	    container_of(o, struct line_message, over);

	(void)view_status_line_add(
	    b, v, &(struct view_line){ .message = m->text });
}

/* A message that ignores keys takes the input; it still counts as activity. */
static enum overlay_did
swallow(struct overlay *o, enum overlay_did other)
{
	if ((o->flags & OVERLAY_COVERS) == 0)
		return other;
	client_touch(o->stack->viewer->client);
	return OVERLAY_TAKEN;
}

static enum overlay_did
message_key(struct overlay *o, UNUSED const struct key_event *key)
{
	return swallow(o, OVERLAY_LEFT);
}

static enum overlay_did
message_mouse(struct overlay *o, const struct mouse_event *ev)
{
	return swallow(
	    o, ev->action == MOUSE_PRESS ? OVERLAY_LEFT : OVERLAY_PASSED);
}

static enum overlay_did
message_paste(struct overlay *o, UNUSED const char *text, UNUSED size_t n)
{
	return swallow(o, OVERLAY_LEFT);
}

static void
message_close(struct overlay *o)
{
	struct line_message *m = container_of(o, struct line_message, over);

	mem_free(m->text);
	mem_free(m);
}

static const struct overlay_ops message_ops = {
	.name = "message",
	.z = OVERLAY_MESSAGE,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_LINE,
	.draw = message_draw,
	.key = message_key,
	.mouse = message_mouse,
	.paste = message_paste,
	.close = message_close,
};

static struct overlay *
message_open(struct viewer *vw, mono_ms ms, const char *text)
{
	struct overlay *old = overlays_find(&vw->overlays, &message_ops);
	struct line_message *m = mem_zalloc(sizeof(*m));

	run_message(vw->run, "%s message: %s", vw->client->name, text);
	m->text = mem_strdup(text);
	if (old != NULL)
		overlay_close(old);
	overlay_open(&vw->overlays, &m->over, &message_ops);
	if (ms != 0)
		overlay_set_due(
		    &m->over, mono_add(loop_now(vw->run->loop), ms));
	return &m->over;
}

void
message_show(struct viewer *vw, mono_ms ms, const char *text)
{
	(void)message_open(vw, ms, text);
}

void
message_show_alone(struct viewer *vw, mono_ms ms, const char *text)
{
	message_open(vw, ms, text)->flags |= OVERLAY_COVERS;
}
