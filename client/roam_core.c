/*
 * Functions that every part of a roaming client uses. They call upper files
 * (the pump, the farewell, the next ssh) through roam->upcalls.
 */
#include "base/mem.h"
#include "client/roam_int.h"
#include "mux/sync/view.h"

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

void
roam_side(struct roam *r)
{
	mono_ms now = loop_now(r->loop);
	const uint8_t *p;
	struct buf b;
	size_t n;

	p = ssp_transport_side_take(r->bind.tp, &n);
	if (p != NULL && history_copy_message(r->history, p, n) != 0)
		r->want_due = true;
	if (p != NULL && r->attach != NULL)
		attach_history(r->attach);
	if (!r->want_due)
		return;
	buf_init(&b, 4096);
	history_copy_want(r->history, r->cfg->mirror, &b);
	if (ssp_transport_side_put(r->bind.tp, now, b.data, b.len))
		r->want_due = false;
	buf_fini(&b);
}

void
roam_changed(void *arg)
{
	struct roam *r = arg;

	r->upcalls->pump(r);
}
