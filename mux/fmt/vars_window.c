/* Variables of windows and their links. */
#include "base/mem.h"
#include "mux/fmt/vars_int.h"

/* Tells whether the marked pane is in this link's window. */
static bool
link_marked(const struct vars *v)
{
	const struct mux_mark *mark = &v->m->mark;

	return mark->pane != MUX_NONE &&
	       v->link->session->id == mark->session &&
	       v->link->index == mark->index && mux_mark_holds(v->m);
}

static bool
put_flags(const struct vars *v, struct buf *out, bool escape)
{
	const struct winlink *wl = v->link;

	if (wl->alerts & ALERT_ACTIVITY)
		(void)buf_add_str(out, escape ? "##" : "#");
	if (wl->alerts & ALERT_BELL)
		(void)buf_add_u8(out, '!');
	if (wl->alerts & ALERT_SILENCE)
		(void)buf_add_u8(out, '~');
	if (wl == wl->session->current)
		(void)buf_add_u8(out, '*');
	if (wl == session_last_link(wl->session))
		(void)buf_add_u8(out, '-');
	if (link_marked(v))
		(void)buf_add_u8(out, 'M');
	if (wl->window->modal != NULL)
		(void)buf_add_u8(out, 'O');
	if (wl->window->zoomed)
		(void)buf_add_u8(out, 'Z');
	return true;
}

static bool
put_layout(const struct vars *v, struct buf *out, bool visible)
{
	const unsigned flags = v->client == NULL ? 0 : v->client->flags;
	const bool old =
	    (flags & CLIENT_CONTROL) != 0 && (flags & CLIENT_NEW_LAYOUTS) == 0;
	char *text = old ? window_layout_text_old(v->window, visible)
			 : window_layout_text(v->window, visible);
	bool ok = put_str(out, text);

	mem_free(text);
	return ok;
}

bool
var_window_index(const struct vars *v, struct buf *out)
{
	return put_int(out, v->link->index);
}

bool
var_window_active(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->link == v->link->session->current);
}

bool
var_window_activity_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->link->alerts & ALERT_ACTIVITY);
}

bool
var_window_bell_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->link->alerts & ALERT_BELL);
}

bool
var_window_silence_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->link->alerts & ALERT_SILENCE);
}

bool
var_window_last_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->link == session_last_link(v->link->session));
}

bool
var_window_marked_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, link_marked(v));
}

bool
var_window_start_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, winlink_prev(v->link) == NULL);
}

bool
var_window_end_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, winlink_next(v->link) == NULL);
}

bool
var_window_flags(const struct vars *v, struct buf *out)
{
	return put_flags(v, out, true);
}

bool
var_window_raw_flags(const struct vars *v, struct buf *out)
{
	return put_flags(v, out, false);
}

bool
var_window_id(const struct vars *v, struct buf *out)
{
	return buf_addf(out, "@%u", v->window->id) == 0;
}

bool
var_window_name(const struct vars *v, struct buf *out)
{
	return put_str(out, v->window->name);
}

bool
var_window_activity(const struct vars *v, struct buf *out)
{
	return put_time(out, v->window->activity);
}

bool
var_window_width(const struct vars *v, struct buf *out)
{
	return put_int(out, v->window->w);
}

bool
var_window_height(const struct vars *v, struct buf *out)
{
	return put_int(out, v->window->h);
}

bool
var_window_cell_width(const struct vars *v, struct buf *out)
{
	return put_int(out, v->window->outer.cell_w);
}

bool
var_window_cell_height(const struct vars *v, struct buf *out)
{
	return put_int(out, v->window->outer.cell_h);
}

static bool
is_manual(const struct vars *v)
{
	return options_number(&v->window->options, OPTION_WINDOW_SIZE) ==
	       WINDOW_SIZE_MANUAL;
}

bool
var_window_manual_width(const struct vars *v, struct buf *out)
{
	return is_manual(v) && put_int(out, v->window->manual_w);
}

bool
var_window_manual_height(const struct vars *v, struct buf *out)
{
	return is_manual(v) && put_int(out, v->window->manual_h);
}

bool
var_window_panes(const struct vars *v, struct buf *out)
{
	return put_int(out, (int64_t)v->window->panes.count);
}

bool
var_window_layout(const struct vars *v, struct buf *out)
{
	return put_layout(v, out, false);
}

bool
var_window_visible_layout(const struct vars *v, struct buf *out)
{
	return put_layout(v, out, true);
}

bool
var_window_modal_pane(const struct vars *v, struct buf *out)
{
	const struct pane *p = v->window->modal;

	return p != NULL && buf_addf(out, "%%%u", p->id) == 0;
}

bool
var_window_zoomed_flag(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->window->zoomed);
}

/* Tells whether a link before WL is of the same session or group. */
static bool
linked_before(const struct window *w, const struct winlink *wl)
{
	const struct list_node *n;
	const struct session *s;

	LIST_FOREACH(n, &w->links) {
		if (n == &wl->window_node)
			break;
		s = container_of(n, struct winlink, window_node)->session;
		if (s == wl->session ||
		    (s->group != NULL && s->group == wl->session->group))
			return true;
	}
	return false;
}

/* Sessions of one group count once. */
bool
var_window_linked_sessions(const struct vars *v, struct buf *out)
{
	const struct list_node *n;
	int count = 0;

	LIST_FOREACH(n, &v->window->links) {
		count += !linked_before(
		    v->window, container_of(n, struct winlink, window_node));
	}
	return put_int(out, count);
}

bool
var_next_window_index(const struct vars *v, struct buf *out)
{
	return v->in_windows && v->next != NULL && put_int(out, v->next->index);
}

bool
var_prev_window_index(const struct vars *v, struct buf *out)
{
	return v->in_windows && v->prev != NULL && put_int(out, v->prev->index);
}

bool
var_next_window_active(const struct vars *v, struct buf *out)
{
	return v->in_windows && v->next != NULL &&
	       put_flag(out, v->next == v->next->session->current);
}

bool
var_prev_window_active(const struct vars *v, struct buf *out)
{
	return v->in_windows && v->prev != NULL &&
	       put_flag(out, v->prev == v->prev->session->current);
}

bool
var_window_stack_index(const struct vars *v, struct buf *out)
{
	const struct list_node *n;
	int i = 0;

	LIST_FOREACH(n, &v->link->session->last_links) {
		i++;
		if (n == &v->link->last_node)
			return put_int(out, i);
	}
	return put_int(out, 0);
}

/* Gets the part of the window that a smaller client shows; else false. */
static bool
client_sees(const struct vars *v, struct cell_rect *r)
{
	return v->client != NULL && v->client->session != NULL &&
	       v->client->session->current != NULL &&
	       v->client->session->current->window == v->link->window &&
	       client_view(v->client, r);
}

bool
var_window_bigger(const struct vars *v, struct buf *out)
{
	struct cell_rect r;

	return v->client != NULL && put_flag(out, client_sees(v, &r));
}

bool
var_window_offset_x(const struct vars *v, struct buf *out)
{
	struct cell_rect r;

	return client_sees(v, &r) && put_int(out, r.x);
}

bool
var_window_offset_y(const struct vars *v, struct buf *out)
{
	struct cell_rect r;

	return client_sees(v, &r) && put_int(out, r.y);
}

bool
var_window_linked(const struct vars *v, struct buf *out)
{
	return put_flag(out, v->window->links.count > 1);
}

/* Appends the sessions that link the window; ACTIVE: where it is current. */
static bool
put_sessions(const struct vars *v, bool active, struct buf *out, int *count)
{
	const struct list_node *n;
	const struct winlink *wl;
	size_t start = out == NULL ? 0 : out->len;

	*count = 0;
	LIST_FOREACH(n, &v->window->links) {
		wl = container_of(n, struct winlink, window_node);
		if (active && wl != wl->session->current)
			continue;
		(*count)++;
		if (out != NULL)
			put_item(out, start, wl->session->name);
	}
	return true;
}

bool
var_window_linked_sessions_list(const struct vars *v, struct buf *out)
{
	int n;

	return put_sessions(v, false, out, &n);
}

bool
var_window_active_sessions(const struct vars *v, struct buf *out)
{
	int n;

	return put_sessions(v, true, NULL, &n) && put_int(out, n);
}

bool
var_window_active_sessions_list(const struct vars *v, struct buf *out)
{
	int n;

	return put_sessions(v, true, out, &n);
}

/* Appends the clients that show the window. */
static int
put_viewers(const struct vars *v, struct buf *out)
{
	const struct map_entry *e;
	const struct client *c;
	size_t start = out == NULL ? 0 : out->len;
	int n = 0;

	MAP_FOREACH(e, &v->m->clients) {
		c = e->value;
		if (c->session == NULL || c->session->current == NULL ||
		    c->session->current->window != v->window)
			continue;
		n++;
		if (out != NULL)
			put_item(out, start, c->name);
	}
	return n;
}

bool
var_window_active_clients(const struct vars *v, struct buf *out)
{
	return put_int(out, put_viewers(v, NULL));
}

bool
var_window_active_clients_list(const struct vars *v, struct buf *out)
{
	(void)put_viewers(v, out);
	return true;
}
