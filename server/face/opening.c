#include "server/face/opening.h"

#include <string.h>

#include "base/str.h"
#include "conf/keylayer.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_wire.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/sync/copy.h"
#include "mux/sync/opening.h"
#include "mux/window.h"
#include "server/face/replay.h"
#include "server/face/viewer.h"
#include "ssp/compress.h"
#include "ssp/transport.h"

#define OPENING_STILL_MS 400 /* without a change */
#define OPENING_GAP_MS 2000  /* between two messages */

void
opening_fini(struct opening *o)
{
	vt_frame_unref(o->frame);
}

/* Returns the surface of P in the last view, or NULL: it is not in focus. */
static const struct sync_surface *
surface_of(const struct viewer *vw, const struct pane *p)
{
	const struct sync_view *v = vw->builder.view;
	const uint64_t id = VIEW_SURFACE_PANE(p->id);

	return v == NULL || v->focus != id ? NULL : sync_view_find(v, id);
}

/* Returns a number that changes whenever the text of P or an option may. */
static uint64_t
stamp_of(const struct viewer *vw, const struct pane *p)
{
	const struct client *c = vw->client;
	const struct vt_grid *g = vt_term_main_grid(p->term);
	const uint64_t n[] = { p->id, vt_grid_first(g), vt_grid_screen(g),
		vt_grid_remade(g),
		p->search == NULL ? 0
				  : str_hash(p->search, strlen(p->search), 1),
		keytables_changes(vw->run->keys), keylayer_changes(c->keys),
		c->options.changes, c->session->options.changes,
		p->options.changes, p->window->options.changes,
		c->mux->session_options.changes,
		c->mux->server_options.changes };

	return str_hash(n, sizeof(n), 0);
}

/* Notes what the pane shows; returns whether copy mode could open over it. */
static const struct sync_surface *
look(struct viewer *vw, struct pane *p, mono_ms now)
{
	struct opening *o = &vw->opening;
	const struct sync_surface *s = surface_of(vw, p);
	uint64_t stamp;

	if (s == NULL || mode_top(p) != NULL || p->window->modal != NULL ||
	    (s->frame->state.modes & VT_FRAME_ALTERNATE) != 0)
		return NULL;
	stamp = stamp_of(vw, p);
	if (o->frame == s->frame && o->stamp == stamp)
		return s;
	vt_frame_unref(o->frame);
	o->frame = vt_frame_ref(s->frame);
	o->stamp = stamp;
	o->still_at = now;
	o->done = false;
	return s;
}

/*
 * Fills OUT; adds the setup only if the client has another one.  Returns false if
 * the pane has no opening.
 */
static bool
make(struct viewer *vw, struct pane *p, const struct vt_frame *f,
    struct sync_opening *out, uint64_t *setups)
{
	struct mode *m = copy_mode_try(p);
	struct buf state;
	bool ok;

	buf_init(&state, SYNC_COPY_STATE_MAX);
	out->pane = p->id;
	out->screen = sync_opening_screen(f);
	/* Styles of the window may give the pane other colours. */
	ok = sync_opening_same(copy_state_screen(m), f) &&
	     copy_state_put(m, &state) && !state.overflow &&
	     replay_setup(vw, m, m->ops->table(m), &out->setup, &out->asks) &&
	     out->setup != NULL;
	if (ok) {
		out->state = vt_str_new((const char *)state.data, state.len);
		*setups = str_hash(out->setup->text, out->setup->len, 1);
		if (out->asks != NULL)
			*setups =
			    str_hash(out->asks->text, out->asks->len, *setups);
	}
	if (ok && *setups == vw->opening.setups) {
		vt_str_unref(out->setup);
		vt_str_unref(out->asks);
		out->setup = out->asks = NULL;
	}
	buf_fini(&state);
	copy_mode_drop(m);
	return ok;
}

/* Packs an opening as a message; false: it is too large. */
static bool
compose(struct viewer *vw, const struct sync_opening *o, struct buf *out)
{
	struct sync_opening_message m = { 0 };
	struct buf raw, packed;
	bool whole, ok;

	buf_init(&raw, SYNC_OPENING_MAX);
	buf_init(&packed, SYNC_OPENING_MAX);
	ok = sync_opening_put(&raw, o);
	m.raw = (uint32_t)raw.len;
	m.body = raw.data;
	m.len = raw.len;
	if (ok && ssp_zip_pack(vw->run->zip, NULL, 0, raw.data, raw.len,
		      &packed, &whole) == 0) {
		m.form = whole ? 2 : 1;
		m.body = packed.data;
		m.len = packed.len;
	}
	if (ok)
		sync_opening_put_message(out, &m);
	buf_fini(&raw);
	buf_fini(&packed);
	return ok;
}

/* Returns a hash of what the client has after O, whose setup has the hash SETUPS. */
static uint64_t
hash_of(const struct sync_opening *o, uint64_t setups)
{
	const uint64_t n[] = { o->pane, o->screen, setups,
		str_hash(o->state->text, o->state->len, 1) };

	return str_hash(n, sizeof(n), 0) | 1;
}

/* Sends the opening of P, which shows F, unless the client has it. */
static void
send(struct viewer *vw, struct pane *p, const struct vt_frame *f, mono_ms now)
{
	struct opening *o = &vw->opening;
	struct sync_opening open = { 0 };
	uint64_t setups = 0, hash;
	struct buf out;

	o->done = true;
	buf_init(&out, SYNC_OPENING_MAX + 16);
	if (make(vw, p, f, &open, &setups) &&
	    (hash = hash_of(&open, setups)) != o->had &&
	    compose(vw, &open, &out) &&
	    ssp_transport_side_put(vw->link->tp, now, out.data, out.len)) {
		o->had = hash;
		o->setups = setups;
		o->sent_at = now;
	}
	sync_opening_fini(&open);
	buf_fini(&out);
}

mono_ms
opening_pump(struct viewer *vw, mono_ms now)
{
	struct opening *o = &vw->opening;
	struct pane *p = client_pane(vw->client);
	const struct sync_surface *s;
	mono_ms due, ready;

	if (p == NULL || (s = look(vw, p, now)) == NULL || o->done)
		return MONO_NEVER;
	due =
	    MAX_OF(o->still_at + OPENING_STILL_MS, o->sent_at + OPENING_GAP_MS);
	ready = ssp_transport_side_ready(vw->link->tp, now);
	if (ready == MONO_NEVER || MAX_OF(due, ready) > now)
		return ready == MONO_NEVER ? MONO_NEVER : MAX_OF(due, ready);
	send(vw, p, s->frame, now);
	return MONO_NEVER;
}
