#include "server/face/face.h"

#include "server/face/input.h"
#include "server/face/numbers.h"
#include "server/face/pager.h"
#include "server/face/prompt.h"
#include "server/face/redraw.h"

static mono_ms
face_due(const struct viewer *vw)
{
	return mono_min(
	    numbers_due(vw), mono_min(vw->table_until, vw->panel_at));
}

static void
face_expire(struct viewer *vw, mono_ms now)
{
	if (now >= numbers_due(vw))
		numbers_close(vw);
	if (now >= vw->table_until)
		input_set_table(vw, NULL);
	if (now >= vw->panel_at) {
		vw->panel_at = MONO_NEVER;
		vw->panel_on = true;
		vw->dirty = true;
	}
}

static void
face_close(struct viewer *vw)
{
	numbers_close(vw);
	prompt_close(vw);
	pager_free(vw);
}

void
face_ops_init(struct viewer_ops *ops)
{
	ops->host = &redraw_host;
	ops->build = redraw_view;
	ops->input = input_event;
	ops->flush = pager_flush;
	ops->due = face_due;
	ops->expire = face_expire;
	ops->close = face_close;
}
