/* Variables of sessions. */
#include "mux/fmt/vars_int.h"

/* Characters for alerts, in tmux's order. */
static const struct {
	unsigned alert;
	const char *sign;
} alert_signs[] = {
	{ ALERT_ACTIVITY, "#" },
	{ ALERT_BELL, "!" },
	{ ALERT_SILENCE, "~" },
};

/* Returns the alerts of all windows together. */
static unsigned
session_alerts(const struct vars *v)
{
	const struct list_node *n;
	const struct winlink *wl;
	unsigned alerts = 0;

	SESSION_FOREACH_LINK(wl, n, v->session)
	{
		alerts |= wl->alerts;
	}
	return alerts;
}

bool
var_session_id(const struct vars *v, struct buf *out)
{
	return buf_addf(out, "$%u", v->session->id) == 0;
}

bool
var_session_name(const struct vars *v, struct buf *out)
{
	return put_str(out, v->session->name);
}

bool
var_session_path(const struct vars *v, struct buf *out)
{
	return put_str(out, v->session->path);
}

bool
var_session_created(const struct vars *v, struct buf *out)
{
	return put_time(out, v->session->created);
}

bool
var_session_activity(const struct vars *v, struct buf *out)
{
	return put_time(out, v->session->activity);
}

bool
var_session_last_attached(const struct vars *v, struct buf *out)
{
	return put_time(out, v->session->last_attached);
}

bool
var_session_active(const struct vars *v, struct buf *out)
{
	return v->client != NULL &&
	       put_flag(out, v->client->session == v->session);
}

bool
var_session_attached(const struct vars *v, struct buf *out)
{
	return put_int(out, v->session->attached);
}

bool
var_session_many_attached(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->session->attached > 1);
}

bool
var_session_windows(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->session->links.count);
}

bool
var_active_window_index(const struct vars *v, struct buf *out)
{
	return v->session->current != NULL &&
	       put_int(out, v->session->current->index);
}

bool
var_session_group(const struct vars *v, struct buf *out)
{
	return v->session->group != NULL &&
	       put_str(out, v->session->group->name);
}

bool
var_session_group_size(const struct vars *v, struct buf *out)
{
	return v->session->group != NULL &&
	       put_int(out, (int64_t)v->session->group->sessions.count);
}

bool
var_session_group_attached(const struct vars *v, struct buf *out)
{
	return v->session->group != NULL &&
	       put_int(out, session_group_attached(v->session->group));
}

bool
var_session_group_many_attached(const struct vars *v, struct buf *out)
{
	return v->session->group != NULL &&
	       put_flag(out, session_group_attached(v->session->group) > 1);
}

bool
var_session_grouped(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->session->group != NULL);
}

bool
var_session_activity_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, session_alerts(v) & ALERT_ACTIVITY);
}

bool
var_session_bell_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, session_alerts(v) & ALERT_BELL);
}

bool
var_session_silence_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, session_alerts(v) & ALERT_SILENCE);
}

bool
var_session_marked(const struct vars *v, struct buf *out)
{
	return put_flag(
	    out, v->m->mark.session == v->session->id && mux_mark_holds(v->m));
}

bool
var_last_window_index(const struct vars *v, struct buf *out)
{
	const struct winlink *wl = session_final_link(v->session);

	return wl != NULL && put_int(out, wl->index);
}

/* Appends the names of the clients of S, or of all sessions of G. */
static bool
put_clients(const struct vars *v, const struct session *s,
    const struct session_group *g, struct buf *out)
{
	const struct map_entry *e;
	const struct client *c;
	size_t start = out->len;

	MAP_FOREACH(e, &v->m->clients) {
		c = e->value;
		if (c->session != NULL &&
		    (g != NULL ? c->session->group == g : c->session == s))
			put_item(out, start, c->name);
	}
	return true;
}

/* Guests who see S; TYPING: who may type there, too. */
static int64_t
count_guests(const struct session *s, bool typing)
{
	const struct map_entry *e;
	const struct client *c;
	int64_t count = 0;

	MAP_FOREACH(e, &s->mux->clients) {
		c = e->value;
		count += c->guest && c->session == s &&
			 (!typing || c->role != CLIENT_VIEW);
	}
	return count;
}

bool
var_session_guest_names(const struct vars *v, struct buf *out)
{
	const struct map_entry *e;
	const struct client *c;
	size_t start = out->len;

	MAP_FOREACH(e, &v->session->mux->clients) {
		c = e->value;
		if (!c->guest || c->session != v->session)
			continue;
		(void)buf_addf(out, "%s%s%s", out->len > start ? ", " : "",
		    c->name, c->role != CLIENT_VIEW ? " may type" : "");
	}
	return out->len > start;
}

bool
var_session_others(const struct vars *v, struct buf *out)
{
	const struct map_entry *e;
	const struct client *c;
	int64_t count = 0;

	MAP_FOREACH(e, &v->session->mux->clients) {
		c = e->value;
		count +=
		    !c->guest && c != v->client && c->session == v->session;
	}
	return put_int(out, count);
}

bool
var_session_guests(const struct vars *v, struct buf *out)
{
	return put_int(out, count_guests(v->session, false));
}

bool
var_session_guests_typing(const struct vars *v, struct buf *out)
{
	return put_int(out, count_guests(v->session, true));
}

bool
var_session_attached_list(const struct vars *v, struct buf *out)
{
	return put_clients(v, v->session, NULL, out);
}

bool
var_session_group_attached_list(const struct vars *v, struct buf *out)
{
	return v->session->group != NULL &&
	       put_clients(v, NULL, v->session->group, out);
}

bool
var_session_group_list(const struct vars *v, struct buf *out)
{
	const struct list_node *n;
	size_t start = out->len;

	if (v->session->group == NULL)
		return false;
	LIST_FOREACH(n, &v->session->group->sessions)
		put_item(out, start,
		    container_of(n, struct session, group_node)->name);
	return true;
}

bool
var_session_stack(const struct vars *v, struct buf *out)
{
	const struct list_node *n;

	if (v->session->current == NULL)
		return false;
	(void)put_int(out, v->session->current->index);
	LIST_FOREACH(n, &v->session->last_links)
		(void)buf_addf(out, ",%d",
		    container_of(n, struct winlink, last_node)->index);
	return true;
}

static void
put_signs(struct buf *out, unsigned alerts)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(alert_signs); i++)
		if (alerts & alert_signs[i].alert)
			(void)buf_add_str(out, alert_signs[i].sign);
}

bool
var_session_alert(const struct vars *v, struct buf *out)
{
	put_signs(out, session_alerts(v));
	return true;
}

bool
var_session_alerts(const struct vars *v, struct buf *out)
{
	const struct list_node *n;
	const struct winlink *wl;
	size_t start = out->len;

	SESSION_FOREACH_LINK(wl, n, v->session)
	{
		if (wl->alerts == 0)
			continue;
		if (out->len > start)
			(void)buf_add_u8(out, ',');
		(void)put_int(out, wl->index);
		put_signs(out, wl->alerts);
	}
	return true;
}
