#include "server/face/notices.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/option_table.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/notify.h"
#include "mux/session.h"
#include "mux/sync/notice.h"
#include "mux/vt/effects.h"
#include "mux/window.h"
#include "server/face/message.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"
#include "server/io/remote.h"

/*
 * A remote client that was silent for longer is away: a person who comes back
 * gets no old notifications, but finds the mark.
 */
#define NOTICES_AWAY_MS 15000

/* Bytes of the ids in one answer to p=alive. */
#define NOTICES_ALIVE_MAX 1024

/* --- to programs --------------------------------------------------------------- */

static void
tell(struct viewers *vs, struct pane *p, struct buf *b)
{
	if (p != NULL && b->len > 0)
		(void)pane_input_bytes(vs->panes, p, b->data, b->len);
	buf_fini(b);
}

/* Tells the program of E, once, that its notification has ended. */
static void
tell_closed(struct viewers *vs, struct notify_entry *e)
{
	struct buf b;

	if (e->closed)
		return;
	e->closed = true;
	buf_init(&b, 4096);
	if (e->note.closes)
		notify99_put_closed(&b, e->note.id);
	tell(vs, mux_pane(vs->run->mux, e->pane), &b);
}

static void
tell_active(struct viewers *vs, const struct notify_entry *e, unsigned button)
{
	struct buf b;

	buf_init(&b, 4096);
	if (e->note.report)
		notify99_put_active(&b, e->note.id, button);
	tell(vs, mux_pane(vs->run->mux, e->pane), &b);
}

/* --- to terminals -------------------------------------------------------------- */

static bool
is_away(const struct viewer *vw)
{
	struct remote_info i;

	if (!vw->link->ops->far)
		return false;
	remote_info(remote_of_link(vw->link), &i);
	return i.heard != MONO_NEVER && i.heard > NOTICES_AWAY_MS;
}

/* Whether E, of P, goes to VW's terminal. */
static bool
goes_to(
    const struct viewer *vw, const struct pane *p, const struct notify_entry *e)
{
	const struct client *c = vw->client;
	const struct winlink *wl = client_link(c);
	const bool focused = (c->flags & CLIENT_FOCUSED) != 0;

	/* security: a guest is not told of what goes on elsewhere. */
	if (c->guest || wl == NULL || is_away(vw))
		return false;
	switch (options_number(&p->window->options, OPTION_NOTIFY)) {
	case NOTIFY_NONE:
		return false;
	case NOTIFY_CURRENT:
		if (wl->window != p->window)
			return false;
		break;
	}
	switch (e->note.occasion) {
	case NOTIFY99_UNFOCUSED:
		return !focused || client_pane(c) != p;
	case NOTIFY99_INVISIBLE:
		return !focused || !notify_shows(c, p);
	}
	return true;
}

/* Returns TEXT for a message, where # begins a style. */
static char *
message_new(const char *text)
{
	struct buf b;

	buf_init(&b, BUF_MAX);
	for (; *text != '\0'; text++) {
		if (*text == '#')
			(void)buf_add_u8(&b, '#');
		(void)buf_add_u8(&b, (uint8_t)*text);
	}
	return buf_steal(&b, NULL);
}

/* Rings, as bell-action and visual-bell ask for. */
static void
ring(struct viewer *vw, const struct pane *p)
{
	const struct options *o = &vw->client->session->options;
	const struct winlink *wl = vw->client->session->current;
	const bool current = wl != NULL && wl->window == p->window;
	const int64_t action = options_number(o, OPTION_BELL_ACTION);

	if (options_number(o, OPTION_VISUAL_BELL) != VISUAL_BELL_ON &&
	    (action == BELL_ACTION_ANY ||
		action == (current ? BELL_ACTION_CURRENT : BELL_ACTION_OTHER)))
		viewer_effect(vw, SYNC_EFFECT_BELL, NULL, 0);
}

/* A terminal without notifications: a bell and a message. */
static void
fall_back(struct viewer *vw, const struct pane *p, const struct notify_entry *e,
    const char *text)
{
	char *message;

	if ((vw->client->flags & CLIENT_FOCUSED) != 0 &&
	    notify_shows(vw->client, p))
		return;
	ring(vw, p);
	if (e->kind == NOTIFY_OSC99 && e->note.urgency == 0)
		return;
	message = message_new(text);
	message_show(vw,
	    (mono_ms)options_number(
		&vw->client->session->options, OPTION_DISPLAY_TIME),
	    message);
	mem_free(message);
}

static struct sync_notice_str
str(const char *s)
{
	if (s == NULL)
		s = "";
	return (struct sync_notice_str){ s, strlen(s) };
}

static bool
has_forms(const struct client *c)
{
	return client_has_feature(c, "notify-kitty") ||
	       client_has_feature(c, "notify-title");
}

static void
send_notice(struct viewer *vw, const struct sync_notice *nt)
{
	struct buf b;

	buf_init(&b, 5 * SYNC_NOTICE_TEXT_MAX);
	sync_notice_encode(&b, nt);
	if (!b.overflow)
		viewer_effect(vw, SYNC_EFFECT_NOTICE, b.data, b.len);
	buf_fini(&b);
}

/* Passes E, of P, on; each terminal gets it in the best form it knows. */
static void
send(struct viewers *vs, const struct pane *p, struct notify_entry *e)
{
	char *id = notify_outer_id_new(vs->run->mux->notify, e);
	char *text = notify_text_new(e), *line, *title;
	struct list_node *n;
	struct viewer *vw;

	line = mem_printf("%s: %s", e->window, text);
	title = *e->title == '\0' || *e->body == '\0'
		    ? mem_strdup(e->window)
		    : mem_printf("%s: %s", e->window, e->title);

	const struct sync_notice nt = {
		.flags = (e->note.focus ? SYNC_NOTICE_FOCUS : 0) |
			 (e->note.closes ? SYNC_NOTICE_CLOSES : 0),
		.urgency = e->note.urgency,
		.expires = e->note.expires,
		.id = str(id),
		.title = str(title),
		.body = str(*e->body == '\0' ? e->title : e->body),
		.buttons = str(e->note.buttons),
	};

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (!goes_to(vw, p, e))
			continue;
		e->sent |= client_has_feature(vw->client, "notify-kitty");
		if (has_forms(vw->client))
			send_notice(vw, &nt);
		else if (client_has_feature(vw->client, "notify"))
			viewer_effect(
			    vw, SYNC_EFFECT_NOTIFY, line, strlen(line));
		else
			fall_back(vw, p, e, line);
	}
	mem_free(id);
	mem_free(text);
	mem_free(line);
	mem_free(title);
}

/*
 * Closes E where terminals can: also where a client is new, since its terminal
 * may show E from the time of another one.
 */
static void
send_close(struct viewers *vs, const struct notify_entry *e)
{
	char *id = notify_outer_id_new(vs->run->mux->notify, e);
	const struct sync_notice nt = {
		.flags = SYNC_NOTICE_CLOSE,
		.id = str(id),
	};
	struct list_node *n;
	struct viewer *vw;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (e->sent && !vw->client->guest &&
		    client_has_feature(vw->client, "notify-kitty"))
			send_notice(vw, &nt);
	}
	mem_free(id);
}

/* Ends E everywhere: on terminals, for its program, in the list. */
static void
finish(struct viewers *vs, struct notify_entry *e)
{
	send_close(vs, e);
	tell_closed(vs, e);
	notify_remove(vs->run->mux->notify, e);
}

/* Adds T to the list; the oldest entry ends if the list is full. */
static struct notify_entry *
add(struct viewers *vs, struct pane *p, const struct notify_text *t, bool seen)
{
	struct notify_entry *oldest = notify_oldest(p, t);

	if (oldest != NULL)
		finish(vs, oldest);
	return notify_add(p, t, seen);
}

/* --- what programs say ----------------------------------------------------------- */

/* Whether nobody needs to be told, since the program asks for that. */
static bool
is_idle(const struct pane *p, const struct notify_text *t)
{
	return t->note != NULL && t->note->occasion != NOTIFY99_ALWAYS &&
	       notify_looked_at(p, t->note->occasion == NOTIFY99_UNFOCUSED);
}

static void
take(struct viewers *vs, struct pane *p, const struct notify_text *t)
{
	if (options_number(&p->window->options, OPTION_NOTIFY) == NOTIFY_NONE ||
	    is_idle(p, t) || !notify_admit(p))
		return;
	send(vs, p, add(vs, p, t, notify_looked_at(p, false)));
}

void
notices_said(struct viewers *vs, struct pane *p, const struct vt_effect *e)
{
	const struct notify_text t = {
		.kind = e->a == 777 ? NOTIFY_OSC777 : NOTIFY_OSC9,
		.title = e->data2 == NULL ? "" : e->data2,
		.body = e->data == NULL ? "" : e->data,
	};

	if (*t.title != '\0' || *t.body != '\0')
		take(vs, p, &t);
}

static void
kitty_close(struct viewers *vs, struct pane *p, const char *id)
{
	struct notify_entry *e = notify_find_id(p, id);

	if (e == NULL)
		return;
	finish(vs, e);
	viewers_redraw_status(vs, NULL);
}

/* Answers with the ids of P's notifications that have not ended. */
static void
kitty_alive(struct viewers *vs, struct pane *p, const char *id)
{
	const struct notify *n = vs->run->mux->notify;
	const struct notify_entry *e;
	struct buf ids, b;
	size_t i;

	buf_init(&ids, NOTICES_ALIVE_MAX);
	for (i = 0; i < n->count; i++) {
		e = n->all[i];
		if (e->pane != p->id || e->closed || *e->note.id == '\0' ||
		    ids.len + NOTIFY99_ID_MAX + 1 > NOTICES_ALIVE_MAX)
			continue;
		(void)buf_addf(
		    &ids, "%s%s", ids.len > 0 ? "," : "", e->note.id);
	}
	buf_init(&b, 4096);
	notify99_put_alive(&b, id, buf_cstr(&ids));
	buf_fini(&ids);
	tell(vs, p, &b);
}

void
notices_kitty(struct viewers *vs, struct pane *p, const struct vt_effect *e)
{
	struct notify_pane *np = notify_pane(p);
	struct notify99_note note;
	struct notify_text t = { .kind = NOTIFY_OSC99, .note = &note };
	struct buf b;

	switch (notify99_take(&np->parts, e->data2 == NULL ? "" : e->data2,
	    e->data == NULL ? "" : e->data, e->len, &note)) {
	case NOTIFY99_NOTHING:
		return;
	case NOTIFY99_SHOW:
		t.title = note.title;
		t.body = note.body;
		take(vs, p, &t);
		break;
	case NOTIFY99_CLOSE:
		kitty_close(vs, p, note.id);
		break;
	case NOTIFY99_QUERY:
		buf_init(&b, 4096);
		notify99_put_support(&b, note.id);
		tell(vs, p, &b);
		break;
	case NOTIFY99_ALIVE:
		kitty_alive(vs, p, note.id);
		break;
	}
	notify99_note_fini(&note);
}

void
notices_bell(struct viewers *vs, struct pane *p)
{
	const struct notify_text t = { NOTIFY_BELL, "bell", "", NULL };
	const struct options *o = &p->window->options;

	if (!options_flag(o, OPTION_MONITOR_BELL) ||
	    options_number(o, OPTION_NOTIFY) == NOTIFY_NONE ||
	    notify_looked_at(p, false))
		return;
	(void)add(vs, p, &t, false);
	viewers_redraw_status(vs, NULL);
}

/* --- progress -------------------------------------------------------------------- */

/* Shows each terminal the progress of the pane that has its cursor. */
static void
show_progress(struct viewers *vs)
{
	const struct vt_frame_state *st;
	const struct pane *p;
	struct list_node *n;
	struct viewer *vw;
	unsigned shown;
	char text[32];
	int len;

	LIST_FOREACH(n, &vs->list) {
		vw = container_of(n, struct viewer, node);
		if (vw->client->guest || client_link(vw->client) == NULL)
			continue;
		p = client_pane(vw->client);
		shown = 0;
		if (p != NULL && (p->flags & PANE_DEAD) == 0) {
			st = vt_term_state(p->term);
			if (st->progress != VT_PROGRESS_NONE)
				shown = (unsigned)st->progress << 8 |
					st->progress_percent;
		}
		if (shown == vw->progress)
			continue;
		vw->progress = shown;
		len = snprintf(
		    text, sizeof(text), "%u;%u", shown >> 8, shown & 255);
		viewer_effect(vw, SYNC_EFFECT_PROGRESS, text, (size_t)len);
	}
}

void
notices_progress(struct viewers *vs, struct pane *p, const struct vt_effect *e)
{
	const struct notify_text t = {
		.kind = NOTIFY_PROGRESS,
		.title = e->a == VT_PROGRESS_ERROR ? "progress: error"
						   : "progress ended",
		.body = "",
	};

	if (notify_progressed(p, e->a) &&
	    options_number(&p->window->options, OPTION_NOTIFY) != NOTIFY_NONE &&
	    !notify_looked_at(p, false) && notify_admit(p))
		(void)add(vs, p, &t, false);
	show_progress(vs);
}

/* --- what persons see ------------------------------------------------------------ */

void
notices_event(struct viewers *vs, const struct mux_event *e)
{
	switch (e->type) {
	case MUX_EVENT_PANE_NOTIFICATION:
	case MUX_EVENT_PANE_CLOSED:
	case MUX_EVENT_PANE_DIED:
	case MUX_EVENT_PANE_MOVED:
	case MUX_EVENT_SESSION_WINDOW:
	case MUX_EVENT_WINDOW_PANE:
	case MUX_EVENT_WINDOW_ZOOMED:
	case MUX_EVENT_WINDOW_UNZOOMED:
	case MUX_EVENT_CLIENT_ATTACHED:
	case MUX_EVENT_CLIENT_SESSION:
	case MUX_EVENT_CLIENT_TABLE:
	case MUX_EVENT_CLIENT_FOCUS_IN:
		vs->look = true;
		break;
	default:
		break;
	}
	if (e->type == MUX_EVENT_PANE_NOTIFICATION)
		viewers_redraw_status(vs, NULL);
}

void
notices_turn(struct viewers *vs)
{
	if (!vs->look)
		return;
	vs->look = false;
	if (notify_look(vs->run->mux))
		viewers_redraw_status(vs, NULL);
	show_progress(vs);
}

/* Makes P the active pane, for C alone if it has its own. */
static void
activate(struct client *c, struct pane *p)
{
	struct window *w = p->window;

	if (w->modal != NULL)
		return;
	if (p->floating && p != w->active)
		window_restack(p, 0);
	if (client_own_panes(c) && pane_visible(p)) {
		client_set_pane(c, p);
		return;
	}
	if (!pane_visible(p))
		(void)window_unzoom(w);
	if (p != w->active)
		(void)window_set_active(w, p);
}

bool
notices_jump(struct viewers *vs, struct client *c, struct notify_entry *e)
{
	struct pane *p = mux_pane(vs->run->mux, e->pane);
	struct winlink *wl;

	if (p == NULL || c->session == NULL)
		return false;
	wl = notify_link(c->session, p);
	/* security: a guest stays in the session of its invitation. */
	if (wl == NULL || (c->guest && wl->session != c->session))
		return false;
	(void)session_select(wl);
	if (c->session != wl->session)
		client_set_session(c, wl->session);
	activate(c, p);
	tell_active(vs, e, 0);
	(void)notify_see_pane(p);
	viewers_redraw_status(vs, NULL);
	return true;
}

void
notices_clear(struct viewers *vs)
{
	const struct notify *n = vs->run->mux->notify;

	while (n->count > 0)
		finish(vs, n->all[0]);
	notify_clear(vs->run->mux);
	viewers_redraw_status(vs, NULL);
}

void
notices_answered(struct viewer *vw, const void *p, size_t n)
{
	struct viewers *vs = vw->all;
	struct notify *list = vs->run->mux->notify;
	char id[NOTIFY99_ID_MAX + 1];
	struct notify_entry *e;
	enum notify99_said said;
	unsigned button;

	/* security: a guest's terminal has got no notification. */
	if (vw->client->guest)
		return;
	said = notify99_answer(p, n, id, &button);
	if ((e = notify_outer_find(list, id)) == NULL)
		return;
	if (said == NOTIFY99_SAID_ACTIVE && button == 0 && e->note.focus &&
	    notices_jump(vs, vw->client, e))
		; /* which has told the program */
	else if (said == NOTIFY99_SAID_ACTIVE)
		tell_active(vs, e, button);
	else if (said == NOTIFY99_SAID_CLOSED)
		tell_closed(vs, e);
	else
		return;
	notify_see(list, e);
	viewers_redraw_status(vs, NULL);
	run_drain(vs->run);
}
