#include "server/face/ask.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "server/face/people.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/remote.h"
#include "server/run/run.h"

#define ASK_ROWS 3
#define ASK_ROW_MAX 256

size_t
ask_count(const struct viewers *vs)
{
	const struct list_node *n;
	size_t count = 0;

	LIST_FOREACH(n, &vs->list)
		count += container_of(n, struct viewer, node)->guest.waits;
	return count;
}

struct viewer *
ask_first(const struct viewers *vs)
{
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->guest.waits && vw->guest.greeted)
			return vw;
	}
	return NULL;
}

/* Three rows about VW, for a client whose prefix key is PREFIX. */
static void
ask_rows(struct viewer *vw, key_code prefix, char rows[ASK_ROWS][ASK_ROW_MAX])
{
	const struct session *s = mux_session(vw->run->mux, vw->guest.session);
	struct remote_info info;
	size_t more = ask_count(vw->all) - 1;
	char key[KEY_NAME_MAX];
	int n;

	remote_info(remote_of_link(vw->link), &info);
	(void)snprintf(rows[0], ASK_ROW_MAX, "%s asks to join %s, to %s",
	    vw->client->name, s == NULL ? "" : s->name,
	    client_role_name(vw->client->role));
	(void)snprintf(rows[1], ASK_ROW_MAX, "from %s, words %s", info.address,
	    info.words);
	(void)key_name_format(prefix, key, sizeof(key));
	if (prefix == KEY_NONE)
		n = snprintf(
		    rows[2], ASK_ROW_MAX, "guest -a lets in, guest -r refuses");
	else
		n = snprintf(rows[2], ASK_ROW_MAX, "%s Y lets in, %s N refuses",
		    key, key);
	if (more > 0)
		(void)snprintf(rows[2] + n, ASK_ROW_MAX - (size_t)n,
		    "; %zu more wait%s", more, more == 1 ? "s" : "");
}

/* A frame with centred rows; its width is that of the longest. */
static struct vt_frame *
rows_frame(const struct grapheme_table *gt, unsigned cols,
    char rows[ASK_ROWS][ASK_ROW_MAX], const struct pen *pen)
{
	unsigned width[ASK_ROWS], wide = 1, i;
	struct vt_frame *f;

	for (i = 0; i < ASK_ROWS; i++) {
		width[i] =
		    (unsigned)grapheme_text_width(gt, rows[i], strlen(rows[i]));
		wide = MAX_OF(wide, width[i] + 2);
	}
	wide = MIN_OF(wide, MAX_OF(cols, 1u));
	f = vt_frame_new(wide, ASK_ROWS);
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	vt_frame_fill(f, &(struct vt_rect){ 0, 0, wide, ASK_ROWS }, pen);
	for (i = 0; i < ASK_ROWS; i++)
		(void)vt_frame_text(f, gt,
		    width[i] < wide ? (wide - width[i]) / 2 : 0, i, wide,
		    rows[i], strlen(rows[i]), pen);
	return f;
}

/* --- the box of an admin ----------------------------------------------------------- */

struct ask_box {
	struct overlay over;
};

static void
box_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	struct viewer *vw = o->stack->viewer, *guest = ask_first(vw->all);
	const struct client *c = vw->client;
	struct pen pen = view_text_message_pen(&b->cx);
	char rows[ASK_ROWS][ASK_ROW_MAX];
	struct vt_frame *f;

	if (guest == NULL)
		return;
	ask_rows(guest,
	    c->session == NULL ? KEY_NONE
			       : options_key(&c->options, OPTION_PREFIX),
	    rows);
	f = rows_frame(c->mux->setup.graphemes, (unsigned)c->w, rows, &pen);
	sync_view_add(v, VIEW_SURFACE_ASK, SYNC_SURFACE_OVERLAY,
	    (c->w - (int)f->cols) / 2, b->area.y, f);
	vt_frame_unref(f);
}

static void
box_close(struct overlay *o)
{
	mem_free(container_of(o, struct ask_box, over));
}

static const struct overlay_ops box_ops = {
	.name = "ask",
	.z = OVERLAY_ASK,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN,
	.draw = box_draw,
	.close = box_close,
};

void
ask_show(struct viewers *vs)
{
	const bool any = ask_first(vs) != NULL;
	struct list_node *n;
	struct overlay *o;
	struct ask_box *box;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		o = overlays_find(&vw->overlays, &box_ops);
		/* security: guests do not learn who else comes. */
		if (any && o == NULL && role_prompts(vw->client) &&
		    vw->client->session != NULL && !vw->detaching) {
			box = mem_zalloc(sizeof(*box));
			overlay_open(&vw->overlays, &box->over, &box_ops);
		} else if (!any && o != NULL)
			overlay_close(o);
		else if (o != NULL)
			overlay_dirty(o);
	}
}

/* --- decisions --------------------------------------------------------------------- */

void
ask_begin(struct viewer *vw)
{
	vw->guest.waits = true;
	due_set(&vw->due, VIEWER_DUE_ASK,
	    mono_add(loop_now(vw->run->loop), ASK_MS));
	viewer_dirty(vw);
}

static void
ask_end(struct viewer *vw)
{
	vw->guest.waits = false;
	due_set(&vw->due, VIEWER_DUE_ASK, MONO_NEVER);
	ask_show(vw->all);
}

void
ask_admit(struct viewer *vw, const char *by)
{
	struct session *s = mux_session(vw->run->mux, vw->guest.session);

	if (s == NULL) {
		ask_refuse(vw, by, "the session has ended");
		return;
	}
	ask_end(vw);
	audit_say(vw->run->audit, "approve", vw->client, "by", by, NULL);
	run_message(vw->run, "%s let %s in", by, vw->client->name);
	client_set_session(vw->client, s);
	people_joined(vw->all, vw->client);
	viewer_dirty(vw);
}

void
ask_refuse(struct viewer *vw, const char *by, const char *why)
{
	ask_end(vw);
	audit_say(vw->run->audit, "disapprove", vw->client, "by", by, "why",
	    why, NULL);
	viewer_detach(vw, 0, why);
}

void
ask_due(struct viewer *vw, UNUSED mono_ms now)
{
	if (vw->guest.waits)
		ask_refuse(vw, "time", "nobody let you in");
}

void
ask_list(const struct viewers *vs, struct buf *out)
{
	struct remote_info info;
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (!vw->guest.waits || !vw->guest.greeted)
			continue;
		remote_info(remote_of_link(vw->link), &info);
		(void)buf_addf(out,
		    "%s: %s, invitation %u, from %s, words %s\n",
		    vw->client->name, client_role_name(vw->client->role),
		    vw->guest.invite, info.address, info.words);
	}
}

/* --- the guest's screen -------------------------------------------------------------- */

struct sync_view *
ask_view(struct viewer *vw)
{
	static const struct pen plain;
	const struct client *c = vw->client;
	char rows[ASK_ROWS][ASK_ROW_MAX] = { "waiting for approval", "",
		"Ctrl-^ ? shows the words to compare; Ctrl-^ . leaves" };
	struct sync_view *v = vw->builder.view == NULL
				  ? sync_view_new(0, 0)
				  : sync_view_clone(vw->builder.view);
	struct vt_frame *f;

	sync_view_clear(v);
	v->cols = (uint16_t)c->w;
	v->rows = (uint16_t)c->h;
	f = rows_frame(c->mux->setup.graphemes, (unsigned)c->w, rows, &plain);
	sync_view_add(v, VIEW_SURFACE_ASK, SYNC_SURFACE_OVERLAY,
	    (c->w - (int)f->cols) / 2, MAX_OF(c->h / 2 - 2, 0), f);
	vt_frame_unref(f);
	sync_view_free(vw->builder.view);
	vw->builder.view = v;
	return v;
}
