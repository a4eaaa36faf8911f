/*
 * Functions that every part of a roaming client uses. They call upper files
 * (the pump, the farewell, the next ssh) through roam->upcalls.
 */
#include "base/mem.h"
#include "client/roam_int.h"
#include "mux/sync/view.h"
#include "mux/sync/window.h"

void
roam_end(struct roam *r, int code)
{
	if (loop_stop(r->loop))
		r->exit_code = code;
}

void
roam_leave(struct roam *r, int code, const char *text)
{
	if (r->leaving)
		return;
	r->leaving = true;
	r->exit_code = code;
	mem_free(r->exit_text);
	r->exit_text = text == NULL ? NULL : mem_strdup(text);
	loop_defer(r->loop, r->upcalls->farewell, r);
}

bool
roam_spent(const struct roam *r)
{
	const struct sync_view *v = ssp_transport_remote(r->bind.tp, NULL);

	return r->cfg->ticket != NULL && (v->tty.flags & SYNC_TTY_SPENT) != 0;
}

void
roam_received(struct roam *r)
{
	uint64_t num;

	(void)ssp_transport_remote(r->bind.tp, &num);
	if (num != r->shown && r->attach != NULL) {
		r->shown = num;
		attach_update(r->attach);
		/* security: a ticket that admits nobody again is of no use. */
		if (roam_spent(r))
			ssp_wipe(r->cfg->ticket->key, SSP_KEY_LEN);
	}
	r->upcalls->pump(r);
}

/* Takes the messages of the server. */
static void
roam_side_take(struct roam *r)
{
	mono_ms now = loop_now(r->loop);
	bool any = false;
	const uint8_t *p;
	size_t n;

	while ((p = ssp_transport_side_take(r->bind.tp, &n)) != NULL) {
		any = true;
		if (window_copy_wants(p, n)) {
			if (window_copy_message(r->windows, now, p, n) != 0)
				r->windows_due = true;
		} else if (history_copy_message(r->history, p, n) != 0)
			r->want_due = true;
	}
	if (any && r->attach != NULL)
		attach_history(r->attach);
}

void
roam_side(struct roam *r)
{
	mono_ms now = loop_now(r->loop);
	struct buf b;

	roam_side_take(r);
	if (!r->want_due && !r->windows_due)
		return;
	buf_init(&b, 4096);
	if (r->want_due) {
		history_copy_want(r->history, r->cfg->mirror, &b);
		if (ssp_transport_side_put(r->bind.tp, now, b.data, b.len))
			r->want_due = false;
	} else {
		sync_window_put_want(&b, SYNC_WINDOWS_BYTES_MAX);
		if (ssp_transport_side_put(r->bind.tp, now, b.data, b.len)) {
			r->windows_due = false;
			window_copy_asked(r->windows, SYNC_WINDOWS_BYTES_MAX);
		}
	}
	buf_fini(&b);
}

void
roam_changed(void *arg)
{
	struct roam *r = arg;

	r->upcalls->pump(r);
}
