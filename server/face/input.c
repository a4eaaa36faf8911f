#include "server/face/input.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/view/text.h"
#include "mux/window.h"
#include "server/face/guest.h"
#include "server/face/numbers.h"
#include "server/face/pager.h"
#include "server/face/people.h"
#include "server/face/prompt.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"
#include "server/run/cmdq.h"
#include "server/run/run.h"

/* --- key tables ------------------------------------------------------------------- */

static struct pane *
viewer_pane(const struct viewer *vw)
{
	return client_pane(vw->client);
}

static void
viewer_state(const struct viewer *vw, struct cmd_state *st)
{
	const struct session *s = vw->client->session;

	cmd_state_init(st);
	st->conn = vw->conn_id;
	st->client = vw->client->id;
	if (s == NULL || s->current == NULL)
		return;
	st->session = s->id;
	st->window = s->current->window->id;
	st->index = s->current->index;
	/* Who follows somebody acts in his own session. */
	st->pane = client_link(vw->client) == s->current
		       ? client_pane(vw->client)->id
		       : s->current->window->active->id;
}

/* MS from now; NEVER for 0. */
static mono_ms
after(const struct viewer *vw, int64_t ms)
{
	return ms <= 0 ? MONO_NEVER
		       : mono_add(loop_now(vw->run->loop), (mono_ms)ms);
}

void
input_set_table(struct viewer *vw, const char *name)
{
	const struct options *so = &vw->run->mux->server_options;
	bool prefix = name != NULL && strcmp(name, "prefix") == 0;

	client_set_table(vw->client, name);
	client_set_flags(vw->client, CLIENT_PREFIX, prefix);
	vw->repeat_until = 0;
	vw->table_until = vw->panel_at = MONO_NEVER;
	vw->panel_on = false;
	if (prefix)
		vw->table_until =
		    after(vw, options_number(so, OPTION_PREFIX_TIMEOUT));
	if (name != NULL && vw->client->session != NULL)
		vw->panel_at =
		    after(vw, options_number(&vw->client->session->options,
				  OPTION_PREFIX_PANEL_TIME));
	vw->builder.status_dirty = true;
	viewer_dirty(vw);
}

static void
run_binding(struct viewer *vw, const struct keybinding *kb, key_code key,
    const struct cmd_state *mouse)
{
	struct cmdq *q = cmdq_for(vw->run, vw->conn_id);
	struct cmd_state st;

	if (mouse != NULL)
		st = *mouse;
	else
		viewer_state(vw, &st);
	st.key = key;
	cmdq_append(q, kb->commands, &st, NULL, NULL);
	cmdq_turn(q);
}

/* A key that repeats was pressed: the table stays for a while. */
static bool
repeat_begin(struct viewer *vw)
{
	const struct options *o = &vw->client->session->options;
	int64_t ms = options_number(o, OPTION_REPEAT_TIME), first;

	if (ms <= 0)
		return false;
	first = options_number(o, OPTION_INITIAL_REPEAT_TIME);
	if (vw->repeat_until == 0 && first > 0)
		ms = first;
	vw->repeat_until = vw->table_until = after(vw, ms);
	vw->panel_at = MONO_NEVER;
	vw->panel_on = false;
	viewer_dirty(vw);
	return true;
}

/* Looks a key up; true if a table took it. */
static bool
key_in_tables(struct viewer *vw, key_code key, const struct cmd_state *mouse)
{
	struct client *c = vw->client;
	const struct options *o = &c->session->options;
	const char *name = client_table(c);
	const struct keybinding *kb = NULL;
	const struct keytable *table;
	mono_ms now = loop_now(vw->run->loop);
	bool own = c->table != NULL;

	key &= ~(key_code)KEY_LOCKS;
	if (vw->repeat_until != 0 && now >= vw->repeat_until) {
		input_set_table(vw, NULL);
		own = false;
		name = client_table(c);
	}
	if (!own && (key == options_key(o, OPTION_PREFIX) ||
			key == options_key(o, OPTION_PREFIX2))) {
		input_set_table(vw, "prefix");
		return true;
	}
	table = keytables_find(vw->run->keys, name);
	if (table != NULL)
		kb = keytable_typed(table, key);
	if (kb != NULL && vw->repeat_until != 0 && !kb->repeat)
		kb = NULL;
	if (kb == NULL && vw->repeat_until != 0) {
		/* The repeat ends; the key counts as typed afresh. */
		input_set_table(vw, NULL);
		return key_in_tables(vw, key, mouse);
	}
	if (kb == NULL && table != NULL && !own)
		kb = keytable_get(table, KEY_ANY);
	if (kb == NULL) {
		if (!own)
			return false;
		input_set_table(vw, NULL);
		return true;
	}
	/* What it must not do is no binding for it; behind a prefix it is told. */
	if (!own && !role_list(c, kb->commands))
		return false;
	if ((!kb->repeat || !repeat_begin(vw)) && own)
		input_set_table(vw, NULL);
	run_binding(vw, kb, key, mouse);
	return true;
}

size_t
input_taken(const struct viewer *vw, key_code *keys, size_t max)
{
	const struct client *c = vw->client;
	const struct options *o = &c->session->options;
	const struct keytable *table;
	const key_code prefixes[] = { options_key(o, OPTION_PREFIX),
		options_key(o, OPTION_PREFIX2) };
	size_t i, n = 0;

	if (vw->prompt != NULL && !prompt_is_key(vw->prompt))
		return 0;
	if (vw->prompt != NULL || vw->numbers != NULL || c->table != NULL ||
	    pager_is_open(vw)) {
		keys[0] = KEY_ANY;
		return 1;
	}
	for (i = 0; i < ARRAY_LEN(prefixes) && n < max; i++)
		if (prefixes[i] != KEY_NONE)
			keys[n++] = prefixes[i];
	table = keytables_find(vw->run->keys, client_table(c));
	for (i = 0; table != NULL && i < table->count && n < max; i++)
		if (!key_is_mouse(table->bindings[i].key))
			keys[n++] = table->bindings[i].key;
	return n;
}

/*
 * assume-paste-time: keys come faster than anyone types, from a terminal that
 * does not bracket what is pasted.  Far away the network bundles keys.
 */
static bool
key_pasted(struct viewer *vw)
{
	int64_t ms = options_number(
	    &vw->client->session->options, OPTION_ASSUME_PASTE_TIME);
	const char *features = vw->client->term_features;
	mono_ms now = loop_now(vw->run->loop);
	bool fast = vw->fast, soon = (int64_t)(now - vw->key_at) < ms;

	vw->key_at = now;
	vw->fast = soon;
	return ms > 0 && soon && fast && !vw->link->ops->far &&
	       *features != '\0' && strstr(features, "bpaste") == NULL;
}

void
input_key(struct viewer *vw, const struct key_event *key)
{
	struct client *c = vw->client;
	struct pane *p;

	if (c->session == NULL)
		return;
	if (key->type != KEY_RELEASE) {
		client_touch(c);
		if (vw->message.text != NULL)
			viewer_message(vw, 0, NULL);
		/* security: what takes keys before the tables is for admins. */
		if (role_prompts(c) && vw->prompt != NULL &&
		    prompt_key(vw, key))
			return;
		if (role_prompts(c) && numbers_key(vw, key))
			return;
		if (c->table == NULL && pager_key(vw, key))
			return;
		if (!key_pasted(vw) && key_in_tables(vw, key->key, NULL))
			return;
	}
	p = viewer_pane(vw);
	if (p == NULL || !role_types(c) || pager_is_open(vw))
		return;
	if ((p->flags & PANE_DEAD) != 0 &&
	    options_number(&p->options, OPTION_REMAIN_ON_EXIT) ==
		REMAIN_ON_EXIT_KEY) {
		(void)window_close_pane(p);
		run_drain(vw->run);
		return;
	}
	vw->all->panes->typing.pane = p->id;
	vw->all->panes->typing.at = loop_now(vw->run->loop);
	pane_input_keys(vw->all->panes, p, key);
}

/* --- mouse -------------------------------------------------------------------------- */

static enum key_mouse_place
range_place(const struct style_range *r)
{
	switch (r->kind) {
	case STYLE_RANGE_LEFT:
		return KEY_MOUSE_AT_STATUS_LEFT;
	case STYLE_RANGE_RIGHT:
		return KEY_MOUSE_AT_STATUS_RIGHT;
	case STYLE_RANGE_WINDOW:
	case STYLE_RANGE_SESSION:
	case STYLE_RANGE_PANE:
	case STYLE_RANGE_USER:
	case STYLE_RANGE_CONTROL:
		return KEY_MOUSE_AT_STATUS;
	case STYLE_RANGE_NONE:
		break;
	}
	return KEY_MOUSE_AT_STATUS_DEFAULT;
}

/* What a part of the status line stands for, for -t =. */
static void
range_target(
    struct session *s, const struct style_range *r, struct cmd_state *st)
{
	struct winlink *wl;
	struct pane *p;

	if (r->kind == STYLE_RANGE_WINDOW &&
	    (wl = session_link_at(s, (int)r->argument)) != NULL) {
		st->mouse_window = wl->window->id;
		st->mouse_pane = wl->window->active->id;
		st->index = wl->index;
	} else if (r->kind == STYLE_RANGE_PANE &&
		   (p = mux_pane(s->mux, r->argument)) != NULL) {
		st->mouse_window = p->window->id;
		st->mouse_pane = p->id;
	} else if (r->kind == STYLE_RANGE_SESSION &&
		   mux_session(s->mux, r->argument) != NULL)
		st->mouse_session = r->argument;
}

/* The status line at row Y of the client, or -1. */
static int
status_row(const struct viewer *vw, int y)
{
	int row = y;

	if (!vw->builder.status_top)
		row -= vw->client->h - (int)vw->builder.status_rows;
	return row >= 0 && row < (int)vw->builder.status_rows ? row : -1;
}

/* Where in the pane or in the status line it is, for mouse_x and others. */
static void
mouse_within(
    struct viewer *vw, const struct mouse_event *ev, struct cmd_state *st)
{
	struct pane *p = mux_pane(vw->run->mux, st->mouse_pane);
	const struct format_range *r;
	int x, y;

	st->mouse_x = st->mouse_y = -1;
	st->mouse_line = status_row(vw, ev->y);
	if (st->mouse_line >= 0) {
		st->mouse_x = ev->x;
		st->mouse_y = st->mouse_line;
		r = format_drawn_at(&vw->builder.ranges[st->mouse_line], ev->x);
		if (r != NULL)
			st->mouse_range = r->range;
		return;
	}
	if (p == NULL)
		return;
	x = ev->x - vw->builder.window_x - p->x;
	y = ev->y - vw->builder.window_y - p->y;
	if (x >= 0 && x < p->w && y >= 0 && y < p->h) {
		st->mouse_x = x;
		st->mouse_y = y;
	}
}

/* What lies under (x, y) of the client; fills the mouse fields of ST. */
static bool
mouse_place(struct viewer *vw, int x, int y, struct cmd_state *st,
    enum key_mouse_place *place)
{
	struct session *s = vw->client->session;
	const struct format_range *r;
	struct winlink *wl;
	struct pane *p;
	int row;

	row = status_row(vw, y);
	st->mouse_session = s->id;
	if (row >= 0) {
		r = format_drawn_at(&vw->builder.ranges[row], x);
		*place = r == NULL ? KEY_MOUSE_AT_STATUS_DEFAULT
				   : range_place(&r->range);
		if (r != NULL)
			range_target(s, &r->range, st);
		return true;
	}
	x -= vw->builder.window_x;
	y -= vw->builder.window_y;
	wl = client_link(vw->client);
	if (wl == NULL || (p = window_pane_at(wl->window, x, y)) == NULL)
		return false;
	st->mouse_window = wl->window->id;
	st->mouse_pane = p->id;
	*place = x >= p->x && x < p->x + p->w && y >= p->y && y < p->y + p->h
		     ? KEY_MOUSE_AT_PANE
		     : KEY_MOUSE_AT_BORDER;
	return true;
}

static key_code
mouse_key(
    struct viewer *vw, const struct mouse_event *ev, enum key_mouse_place place)
{
	enum key_mouse_kind kind;
	unsigned button = (unsigned)ev->button;

	if (ev->button == MOUSE_WHEEL_UP || ev->button == MOUSE_WHEEL_DOWN)
		return key_mouse(ev->button == MOUSE_WHEEL_UP
				     ? KEY_MOUSE_WHEEL_UP
				     : KEY_MOUSE_WHEEL_DOWN,
			   0, place) |
		       ev->mods;
	if (ev->action == MOUSE_MOTION) {
		kind =
		    ev->button == MOUSE_NONE ? KEY_MOUSE_MOVE : KEY_MOUSE_DRAG;
		vw->dragging |= ev->button != MOUSE_NONE;
	} else if (ev->action == MOUSE_PRESS) {
		kind = KEY_MOUSE_DOWN;
		vw->button = button;
		vw->dragging = false;
	} else {
		kind = vw->dragging ? KEY_MOUSE_DRAG_END : KEY_MOUSE_UP;
		if (button == 0)
			button = vw->button;
		vw->dragging = false;
	}
	if (kind == KEY_MOUSE_MOVE)
		button = 0;
	return key_mouse(kind, button, place) | ev->mods;
}

/* A border follows the mouse until the button is let go. */
static bool
drag_border(struct viewer *vw, const struct mouse_event *ev)
{
	struct session *s = vw->client->session;
	int x = vw->builder.window_x, y = vw->builder.window_y;

	if (!vw->border_drag || !role_prompts(vw->client))
		return false;
	if (ev->action != MOUSE_MOTION || ev->button == MOUSE_NONE) {
		vw->border_drag = vw->dragging = false;
		return true;
	}
	if (s->current != NULL &&
	    window_drag_border(s->current->window, vw->drag_x - x,
		vw->drag_y - y, ev->x - x, ev->y - y) == 0) {
		vw->drag_x = ev->x;
		vw->drag_y = ev->y;
	}
	run_drain(vw->run);
	return true;
}

static void
mouse_dispatch(struct viewer *vw, const struct mouse_event *ev)
{
	struct client *c = vw->client;
	enum key_mouse_place place;
	struct mouse_event in_pane = *ev;
	struct cmd_state st;
	struct pane *p;
	key_code key;
	int x = ev->x, y = ev->y;

	/* A drag is where it comes from: it starts where the press was. */
	if (ev->action == MOUSE_MOTION && ev->button != MOUSE_NONE) {
		x = vw->drag_x;
		y = vw->drag_y;
	}
	viewer_state(vw, &st);
	if (!mouse_place(vw, x, y, &st, &place))
		return;
	if (ev->action == MOUSE_MOTION && ev->button == MOUSE_NONE &&
	    options_flag(&c->session->options, OPTION_FOCUS_FOLLOWS_MOUSE) &&
	    (p = mux_pane(vw->run->mux, st.mouse_pane)) != NULL &&
	    place == KEY_MOUSE_AT_PANE && !p->window->zoomed &&
	    window_set_active(p->window, p))
		run_drain(vw->run);
	client_touch(c);
	st.flags |= CMD_STATE_MOUSE;
	st.mouse = *ev;
	st.mouse_where = place;
	mouse_within(vw, ev, &st);
	if (options_flag(&c->session->options, OPTION_MOUSE)) {
		key = mouse_key(vw, ev, place);
		if (key_in_tables(vw, key, &st))
			return;
	}
	if (!mouse_place(vw, ev->x, ev->y, &st, &place))
		return;
	p = mux_pane(vw->run->mux, st.mouse_pane);
	if (p == NULL || place != KEY_MOUSE_AT_PANE || !role_types(c))
		return;
	in_pane.x -= vw->builder.window_x + p->x;
	in_pane.y -= vw->builder.window_y + p->y;
	pane_input_mouse(vw->all->panes, p, &in_pane);
}

static void
input_mouse(struct viewer *vw, const struct mouse_event *ev)
{
	if (vw->client->session == NULL || ev->px >= 0 || drag_border(vw, ev) ||
	    pager_wheel(vw, ev))
		return;
	mouse_dispatch(vw, ev);
	if (!vw->border_drag) {
		vw->drag_x = ev->x;
		vw->drag_y = ev->y;
	}
}

/* --- events --------------------------------------------------------------------------- */

static void
event_text(struct viewer *vw, const struct sync_event *ev)
{
	struct key_event key = { .key = ev->cp };

	key.text[utf8_encode(ev->cp, (uint8_t *)key.text)] = '\0';
	input_key(vw, &key);
}

static void
event_key(struct viewer *vw, const struct sync_event *ev)
{
	input_key(vw, &ev->key);
}

static void
event_paste(struct viewer *vw, const struct sync_event *ev)
{
	struct pane *p = viewer_pane(vw);

	if (ev->flags & SYNC_PASTE_BEGIN)
		buf_clear(&vw->paste);
	(void)buf_add(&vw->paste, ev->data, ev->len);
	if ((ev->flags & SYNC_PASTE_END) == 0)
		return;
	if (vw->prompt != NULL && role_prompts(vw->client))
		prompt_paste(vw, (const char *)vw->paste.data, vw->paste.len);
	else if (p != NULL && role_types(vw->client) && !pager_is_open(vw))
		(void)pane_input_paste(
		    vw->all->panes, p, vw->paste.data, vw->paste.len, true);
	buf_clear(&vw->paste);
}

static void
event_mouse(struct viewer *vw, const struct sync_event *ev)
{
	input_mouse(vw, &ev->mouse);
}

static void
event_focus(struct viewer *vw, const struct sync_event *ev)
{
	client_set_flags(vw->client, CLIENT_FOCUSED, ev->flags != 0);
}

static void
event_resize(struct viewer *vw, const struct sync_event *ev)
{
	int cw = 0, ch = 0;

	if (ev->size[2] > 0 && ev->size[3] > 0) {
		cw = ev->size[2] / ev->size[0];
		ch = ev->size[3] / ev->size[1];
	}
	client_set_size(vw->client, ev->size[0], ev->size[1], cw, ch);
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
}

/* Programs that asked (mode 2031) hear of the theme of who looks at them. */
static void
tell_theme(struct viewer *vw)
{
	const struct vt_theme theme = {
		.fg = VT_PALETTE_UNSET,
		.bg = VT_PALETTE_UNSET,
		.cursor = VT_PALETTE_UNSET,
		.dark = !view_text_light(&vw->builder.cx),
	};
	struct map_entry *e;
	struct pane *p;

	MAP_FOREACH(e, &vw->run->mux->panes) {
		p = e->value;
		vt_term_set_theme(p->term, &theme);
	}
	vw->builder.status_dirty = vw->builder.chrome_dirty = true;
	viewer_dirty(vw);
}

static void
event_reply(struct viewer *vw, const struct sync_event *ev)
{
	char *text;

	if (ev->flags == SYNC_REPLY_UNLOCKED) {
		viewer_unlocked(vw);
		return;
	}
	if (ev->flags == SYNC_REPLY_CLIPBOARD) {
		clipboard_answered(vw, ev->data, ev->len);
		return;
	}
	if (ev->flags == SYNC_REPLY_VERSION) {
		text = guest_word_new(vw->client, ev->data, ev->len);
		client_set_text(vw->client, &vw->client->term_type, text);
		mem_free(text);
		return;
	}
	if (ev->flags == SYNC_REPLY_DARK)
		client_set_theme(vw->client, CLIENT_THEME_DARK);
	else if (ev->flags == SYNC_REPLY_LIGHT)
		client_set_theme(vw->client, CLIENT_THEME_LIGHT);
	tell_theme(vw);
}

static void
event_caps(struct viewer *vw, const struct sync_event *ev)
{
	char *text = guest_word_new(vw->client, ev->data, ev->len);

	client_set_text(vw->client, &vw->client->term_features, text);
	mem_free(text);
}

static void
event_hello(struct viewer *vw, const struct sync_event *ev)
{
	guest_hello(vw, ev);
	viewer_dirty(vw);
}

static void
event_shown(struct viewer *vw, const struct sync_event *ev)
{
	vw->shown = ev->flags != 0;
}

static const struct input_row {
	enum sync_event_kind kind;
	void (*fn)(struct viewer *vw, const struct sync_event *ev);
} input_rows[] = {
	{ SYNC_TEXT, event_text },
	{ SYNC_KEY, event_key },
	{ SYNC_PASTE, event_paste },
	{ SYNC_MOUSE, event_mouse },
	{ SYNC_FOCUS, event_focus },
	{ SYNC_RESIZE, event_resize },
	{ SYNC_REPLY, event_reply },
	{ SYNC_CAPS, event_caps },
	{ SYNC_HELLO, event_hello },
	{ SYNC_SHOWN, event_shown },
};

/* display-message -N: nothing typed or clicked goes anywhere. */
static bool
input_unheard(struct viewer *vw, const struct sync_event *ev)
{
	if (vw->message.text == NULL || !vw->message.deaf ||
	    (ev->kind != SYNC_TEXT && ev->kind != SYNC_KEY &&
		ev->kind != SYNC_MOUSE && ev->kind != SYNC_PASTE))
		return false;
	client_touch(vw->client);
	return true;
}

void
input_event(struct viewer *vw, const struct sync_event *ev)
{
	size_t i;

	if (!role_event(vw->client, ev) || input_unheard(vw, ev))
		return;
	if (ev->kind == SYNC_TEXT || ev->kind == SYNC_KEY)
		people_typed(vw);
	for (i = 0; i < ARRAY_LEN(input_rows); i++)
		if (input_rows[i].kind == ev->kind) {
			input_rows[i].fn(vw, ev);
			return;
		}
}
