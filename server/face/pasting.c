#include "server/face/pasting.h"

#include <stdio.h>

#include "mux/client.h"
#include "mux/window.h"
#include "server/face/budget.h"
#include "server/face/guest.h"
#include "server/face/message.h"
#include "server/face/people.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_feed.h"
#include "server/io/pane_input.h"

#define PASTING_TELL_MS 4000

void
pasting_drop(struct viewer *vw)
{
	pane_feed_stop(vw->paste.feed);
	vw->paste.feed = NULL;
	vw->paste.cut = true;
	buf_clear(&vw->paste.whole);
}

uint64_t
pasting_done(const struct viewer *vw)
{
	return vw->client->guest || vw->client->role < CLIENT_TYPE
		   ? 0
		   : MAX_OF(vw->paste.done, 1u);
}

static void
tell(struct viewer *vw, const char *why)
{
	char text[160];

	snprintf(text, sizeof(text), "%s: the paste ends after %llu bytes", why,
	    (unsigned long long)vw->paste.bytes);
	message_show(vw, PASTING_TELL_MS, text);
}

/* The pane that takes a paste, or NULL. */
static struct pane *
target(struct viewer *vw)
{
	struct pane *p = client_pane(vw->client);

	return p != NULL && pane_mode(p) == NULL && role_types(vw->client, p) &&
		       !overlays_cover(&vw->overlays)
		   ? p
		   : NULL;
}

/* --- whole ------------------------------------------------------------------------ */

/* The end of a paste that has waited in `whole`. */
static void
whole_end(struct viewer *vw)
{
	struct buf *b = &vw->paste.whole;
	bool admin = role_prompts(vw->client);
	struct pane *p;

	/* All or nothing: half a paste could be a command. */
	if (b->overflow && vw->client->guest)
		guest_refused(vw);
	else if (b->overflow)
		message_show(vw, PASTING_TELL_MS,
		    "the paste is too long for this place: nothing of it was "
		    "taken");
	/* An overlay that closes may run commands: find the pane afterwards. */
	else if (!overlays_paste(
		     &vw->overlays, (const char *)b->data, b->len, admin) &&
		 (p = target(vw)) != NULL) {
		people_typed_into(vw, p, AUDIT_PASTED, b->len);
		if (pane_input_paste(
			vw->all->panes, p, b->data, b->len, true) == -ERR_LIMIT)
			message_show(vw, PASTING_TELL_MS,
			    "the program in the pane does not read its input: "
			    "nothing of the paste was taken");
	}
	buf_clear(b);
}

/* --- in pieces --------------------------------------------------------------------- */

/* The pane's program has read: ask the client for more. */
static void
feed_room(void *arg)
{
	struct viewer *vw = arg;

	if (vw->paste.done == vw->paste.newest)
		return;
	vw->paste.done = vw->paste.newest;
	viewer_dirty(vw);
}

static void
stream_begin(struct viewer *vw)
{
	struct viewer_paste *ps = &vw->paste;
	struct pane *p;

	pane_feed_free(ps->feed);
	ps->feed = NULL;
	ps->bytes = 0;
	ps->streams = true;
	ps->cut = false;
	/* Prompts and the like take a text as a whole. */
	if (overlays_cover(&vw->overlays) || (p = target(vw)) == NULL)
		return;
	ps->pane = p->id;
	ps->feed = pane_feed_new(vw->all->panes, p, feed_room, vw);
}

static void
stream_cut(struct viewer *vw, int r)
{
	pane_feed_free(vw->paste.feed);
	vw->paste.feed = NULL;
	vw->paste.cut = true;
	tell(vw, r == -ERR_CLOSED ? "the pane's program has ended"
				  : "the pane's program does not read");
}

static void
stream_end(struct viewer *vw, bool stopped)
{
	struct viewer_paste *ps = &vw->paste;
	struct pane *p = mux_pane(vw->run->mux, ps->pane);
	int r;

	ps->streams = false;
	if (ps->feed == NULL) {
		if (!ps->cut && !stopped)
			whole_end(vw);
		buf_clear(&ps->whole);
		return;
	}
	if (p != NULL)
		people_typed_into(vw, p, AUDIT_PASTED, ps->bytes);
	if ((r = pane_feed_end(ps->feed, stopped)) != 0) {
		stream_cut(vw, r);
		return;
	}
	pane_feed_free(ps->feed);
	ps->feed = NULL;
	if (stopped)
		tell(vw, "stopped");
}

static void
stream_piece(struct viewer *vw, const struct sync_event *ev)
{
	struct viewer_paste *ps = &vw->paste;
	int r;

	ps->bytes += ev->len;
	ps->newest = vw->input_done - 1;
	if (ps->feed == NULL && !ps->cut)
		(void)buf_add(&ps->whole, ev->data, ev->len);
	else if (ps->feed != NULL &&
		 (r = pane_feed_add(ps->feed, ev->data, ev->len)) != 0)
		stream_cut(vw, r);
	if (ev->flags & SYNC_PASTE_END)
		stream_end(vw, (ev->flags & SYNC_PASTE_STOP) != 0);
	if (ps->feed == NULL || pane_feed_room(ps->feed))
		feed_room(vw);
}

void
pasting_event(struct viewer *vw, const struct sync_event *ev)
{
	struct viewer_paste *ps = &vw->paste;

	if (ev->flags & SYNC_PASTE_BEGIN) {
		buf_clear(&ps->whole);
		ps->streams = false;
		if ((ev->flags & SYNC_PASTE_STREAM) && pasting_done(vw) != 0)
			stream_begin(vw);
	}
	if (ps->streams) {
		stream_piece(vw, ev);
		return;
	}
	(void)buf_add(&ps->whole, ev->data, ev->len);
	if (ev->flags & SYNC_PASTE_END)
		whole_end(vw);
}
