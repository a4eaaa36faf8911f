/*
 * Notifications of programs. security: a guest's formats tell nothing of them.
 */
#include "base/mem.h"
#include "mux/fmt/vars_int.h"
#include "mux/notify.h"
#include "mux/window.h"

static bool
for_guest(const struct vars *v)
{
	return v->client != NULL && v->client->guest;
}

static bool
put_unseen(const struct vars *v, struct buf *out, const struct session *s,
    const struct window *w, const struct pane *p)
{
	size_t n = for_guest(v) ? 0 : notify_unseen(v->m, s, w, p);

	return put_int(out, (int64_t)n);
}

bool
var_notifications(const struct vars *v, struct buf *out)
{
	return put_unseen(v, out, NULL, NULL, NULL);
}

bool
var_session_notifications(const struct vars *v, struct buf *out)
{
	return put_unseen(v, out, v->session, NULL, NULL);
}

bool
var_window_notifications(const struct vars *v, struct buf *out)
{
	return put_unseen(v, out, NULL, v->window, NULL);
}

bool
var_pane_notifications(const struct vars *v, struct buf *out)
{
	return put_unseen(v, out, NULL, NULL, v->pane);
}

bool
var_pane_notification(const struct vars *v, struct buf *out)
{
	return v->pane->notify != NULL && !for_guest(v) &&
	       put_str(out, v->pane->notify->last);
}

bool
var_notifications_dropped(const struct vars *v, struct buf *out)
{
	return put_int(out, for_guest(v) ? 0 : (int64_t)v->m->notify->dropped);
}

bool
var_pane_notifications_dropped(const struct vars *v, struct buf *out)
{
	const struct notify_pane *np = v->pane->notify;

	return put_int(
	    out, np == NULL || for_guest(v) ? 0 : (int64_t)np->dropped);
}
