#include "server/face/keys.h"

#include <string.h>

#include "conf/keylayer.h"
#include "conf/keytable.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/key_panel.h"
#include "server/face/people.h"
#include "server/face/prefix.h"
#include "server/face/requests.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/pane_input.h"
#include "server/io/pane_io.h"
#include "server/run/cmdq.h"

void
keys_state(const struct viewer *vw, struct cmd_state *st)
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
	/* A client that follows another one acts in its own session. */
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
keys_set_table(struct viewer *vw, const char *name)
{
	const struct options *so = &vw->run->mux->server_options;
	bool prefix = name != NULL && strcmp(name, "prefix") == 0;

	client_set_table(vw->client, name);
	client_set_flags(vw->client, CLIENT_PREFIX, prefix);
	vw->keys.repeat_until = 0;
	key_panel_close(vw);
	due_set(&vw->due, VIEWER_DUE_TABLE,
	    prefix ? after(vw, options_number(so, OPTION_PREFIX_TIMEOUT))
		   : MONO_NEVER);
	due_set(&vw->due, VIEWER_DUE_KEYS,
	    name != NULL && vw->client->session != NULL
		? after(vw, options_number(
				&vw->client->options, OPTION_PREFIX_PANEL_TIME))
		: MONO_NEVER);
	vw->builder.status_dirty = true;
	viewer_dirty(vw);
}

static void
run_binding(struct viewer *vw, const struct keybinding *kb, key_code key,
    const struct cmd_state *mouse)
{
	struct cmdq *q = cmdq_for(vw->run, vw->conn_id);
	struct cmd_state st;

	slices_typed(vw->all, vw->conn_id);
	if (mouse != NULL)
		st = *mouse;
	else
		keys_state(vw, &st);
	st.key = key;
	cmdq_append(q, kb->commands, &st, NULL, NULL);
	cmdq_turn(q);
}

/* Keeps the key table active for repeat-time after a repeatable key. */
static bool
repeat_begin(struct viewer *vw)
{
	const struct options *o = &vw->client->options;
	int64_t ms = options_number(o, OPTION_REPEAT_TIME), first;

	if (ms <= 0)
		return false;
	first = options_number(o, OPTION_INITIAL_REPEAT_TIME);
	if (vw->keys.repeat_until == 0 && first > 0)
		ms = first;
	vw->keys.repeat_until = after(vw, ms);
	due_set(&vw->due, VIEWER_DUE_TABLE, vw->keys.repeat_until);
	due_set(&vw->due, VIEWER_DUE_KEYS, MONO_NEVER);
	key_panel_close(vw);
	viewer_dirty(vw);
	return true;
}

/*
 * The client's key table; a mode in its pane, or in the one under the mouse, may
 * replace root by its own.
 */
static const char *
table_name(const struct client *c, const struct cmd_state *state)
{
	const struct pane *p =
	    state != NULL && (state->flags & CMD_STATE_MOUSE) != 0
		? mux_pane(c->mux, state->mouse_pane)
		: client_pane(c);
	const char *name = c->table == NULL && p != NULL ? mode_table(p) : NULL;

	return name != NULL ? name : client_table(c);
}

/* The binding of KEY in the table NAME, or with ANY that of any key there. */
static const struct keybinding *
binding(const struct viewer *vw, const char *name, key_code key, bool any)
{
	const struct keytable *t =
	    client_find_table(vw->client, vw->run->keys, name);
	const struct keybinding *kb;

	if (t == NULL)
		return NULL;
	kb = keytable_typed(t, key);
	return kb == NULL && any ? keytable_get(t, KEY_ANY) : kb;
}

static bool
look_up(struct viewer *vw, key_code key, const struct cmd_state *state)
{
	struct client *c = vw->client;
	const struct options *o = &c->options;
	const char *name = table_name(c, state);
	const struct keybinding *kb;
	mono_ms now = loop_now(vw->run->loop);
	bool own = c->table != NULL;

	key &= ~(key_code)KEY_LOCKS;
	if (vw->keys.repeat_until != 0 && now >= vw->keys.repeat_until) {
		keys_set_table(vw, NULL);
		own = false;
		name = table_name(c, state);
	}
	if (!own && (key == options_key(o, OPTION_PREFIX2) ||
			(key == options_key(o, OPTION_PREFIX) &&
			    !prefix_is_inner(vw)))) {
		keys_set_table(vw, "prefix");
		return true;
	}
	kb = binding(vw, name, key, false);
	if (kb != NULL && vw->keys.repeat_until != 0 && !kb->repeat)
		kb = NULL;
	if (kb == NULL && vw->keys.repeat_until != 0) {
		/* The key ends the repeat: look it up again without it. */
		keys_set_table(vw, NULL);
		return look_up(vw, key, state);
	}
	if (kb == NULL && !own)
		kb = binding(vw, name, key, true);
	/* Keys that the table of a mode leaves free are those of root. */
	if (kb == NULL && !own && name != client_table(c))
		kb = binding(vw, client_table(c), key, true);
	if (kb == NULL) {
		if (!own)
			return false;
		keys_set_table(vw, NULL);
		return true;
	}
	/*
	 * Without a prefix, a binding that the role forbids is ignored; after
	 * a prefix it runs, and the command's refusal is shown.
	 */
	if (!own && !role_list(c, kb->commands))
		return false;
	if ((!kb->repeat || !repeat_begin(vw)) && own)
		keys_set_table(vw, NULL);
	run_binding(vw, kb, key, state);
	return true;
}

/*
 * Whether a key of a table may change what remote clients know of the tables: a
 * mode's own does not, nor the mouse over panes.
 */
static bool
is_noted(const struct client *c, key_code key, const struct cmd_state *state)
{
	const enum key_mouse_place place = key_mouse_place(key);

	if (c->table != NULL)
		return true;
	if (key_is_mouse(key))
		return place >= KEY_MOUSE_AT_STATUS &&
		       place <= KEY_MOUSE_AT_STATUS_DEFAULT;
	return table_name(c, state) == client_table(c);
}

void
keys_noted(struct viewer *vw)
{
	vw->keys.looked = vw->input_done - 1;
}

bool
keys_lookup(struct viewer *vw, key_code key, const struct cmd_state *state)
{
	const bool noted =
	    is_noted(vw->client, key, state) ||
	    key == options_key(&vw->client->options, OPTION_PREFIX);

	if (!look_up(vw, key, state))
		return false;
	if (noted)
		keys_noted(vw);
	return true;
}

size_t
keys_taken(const struct viewer *vw, key_code *keys, size_t max)
{
	const struct client *c = vw->client;
	const struct options *o = &c->options;
	const struct keytable *table;
	const key_code prefixes[] = { options_key(o, OPTION_PREFIX),
		options_key(o, OPTION_PREFIX2) };
	const struct pane *p = client_pane(c);
	const enum overlay_grab grab = overlays_grab(&vw->overlays);
	size_t i, n = 0;

	if (grab == OVERLAY_GRAB_TEXT)
		return 0;
	if (grab == OVERLAY_GRAB_ALL || c->table != NULL ||
	    (p != NULL && pane_mode(p) != NULL)) {
		keys[0] = KEY_ANY;
		return 1;
	}
	if (p != NULL && p == p->window->modal) {
		if ((p->flags & PANE_MODAL_ESCAPE) != 0) {
			keys[0] = KEY_ANY;
			return 1;
		}
		if ((p->flags & PANE_MODAL_KEYS) != 0)
			return 0;
	}
	for (i = 0; i < ARRAY_LEN(prefixes) && n < max; i++)
		if (prefixes[i] != KEY_NONE)
			keys[n++] = prefixes[i];
	table = client_find_table(vw->client, vw->run->keys, client_table(c));
	for (i = 0; table != NULL && i < table->count && n < max; i++)
		if (!key_is_mouse(table->bindings[i].key))
			keys[n++] = table->bindings[i].key;
	return n;
}

/*
 * assume-paste-time: whether keys arrive too fast for typing, from a terminal
 * without bracketed paste.  Not on remote links: datagrams bundle keys.
 */
static bool
key_pasted(struct viewer *vw)
{
	int64_t ms = options_number(
	    &vw->client->session->options, OPTION_ASSUME_PASTE_TIME);
	const char *features = vw->client->term_features;
	mono_ms now = loop_now(vw->run->loop);
	bool fast = vw->keys.fast, soon = (int64_t)(now - vw->keys.key_at) < ms;

	vw->keys.key_at = now;
	vw->keys.fast = soon;
	return ms > 0 && soon && fast && !vw->link->ops->far &&
	       *features != '\0' && strstr(features, "bpaste") == NULL;
}

static bool
closes_by_key(const struct pane *p)
{
	const int64_t remain =
	    options_number(&p->options, OPTION_REMAIN_ON_EXIT);

	return (p->flags & PANE_DEAD) != 0 &&
	       (remain == REMAIN_ON_EXIT_KEY ||
		   remain == REMAIN_ON_EXIT_FAILED_KEY);
}

/* Gives a key to the mode or the program of a pane, or closes a dead pane. */
static void
key_to_pane(struct viewer *vw, struct pane *p, const struct key_event *key)
{
	struct pane_ios *ps = vw->all->panes;

	if (mode_key(p, key)) {
		requests_run(vw->all, vw, p);
		run_drain(vw->run);
		return;
	}
	if (closes_by_key(p)) {
		(void)window_close_pane(p);
		run_drain(vw->run);
		return;
	}
	people_typed_into(vw, p, AUDIT_KEYS, 1);
	ps->typing.pane = p->id;
	ps->typing.at = loop_now(vw->run->loop);
	pane_input_keys(ps, p, key);
}

/* Returns the modal pane of the client's window, or NULL. */
static struct pane *
modal_pane(const struct client *c)
{
	const struct winlink *wl = client_link(c);

	return wl == NULL ? NULL : wl->window->modal;
}

/* new-pane -D: Escape and C-c close the modal pane. */
static bool
key_closes(struct viewer *vw, struct pane *p, key_code key)
{
	key &= ~(key_code)KEY_LOCKS;
	if ((p->flags & PANE_MODAL_ESCAPE) == 0 || !role_types(vw->client, p) ||
	    (key != KEY_ESCAPE && key != ('c' | KEY_CTRL)))
		return false;
	(void)window_close_pane(p);
	run_drain(vw->run);
	return true;
}

void
keys_typed(struct viewer *vw, const struct key_event *key)
{
	struct client *c = vw->client;
	struct pane *p;

	if (c->session == NULL)
		return;
	/* Shift alone is for programs: it neither answers nor ends a prefix. */
	if (key->type != KEY_RELEASE && !key_is_modifier(key->key)) {
		if (!list_empty(&vw->all->slices.jobs))
			slices_typed(vw->all, vw->conn_id);
		client_touch(c);
		/* security: only admins answer prompts (OVERLAY_ADMIN). */
		if (!overlays_none(&vw->overlays) &&
		    overlays_key(&vw->overlays, key, role_prompts(c))) {
			keys_noted(vw);
			return;
		}
		/* An overlay that closed may have run commands. */
		if (c->session == NULL)
			return;
		p = modal_pane(c);
		if (p != NULL && key_closes(vw, p, key->key))
			return;
		if ((p == NULL || (p->flags & PANE_MODAL_KEYS) == 0) &&
		    !key_pasted(vw) && keys_lookup(vw, key->key, NULL))
			return;
	}
	p = client_pane(c);
	if (p != NULL && role_types(c, p) &&
	    (overlays_none(&vw->overlays) || !overlays_cover(&vw->overlays)))
		key_to_pane(vw, p, key);
}

/* Whether a key of one of the tables is extended. */
static bool
tables_extended(const struct keytables *set)
{
	const struct keytable *t;
	size_t i, k;

	for (i = 0; i < keytables_count(set); i++) {
		t = keytables_at(set, i);
		for (k = 0; k < t->count; k++)
			if (key_is_extended(t->bindings[k].key))
				return true;
	}
	return false;
}

void
keys_ask(struct viewer *vw)
{
	const struct client *c = vw->client;
	const uint64_t changes =
	    keytables_changes(vw->run->keys) + keylayer_changes(c->keys) + 1;

	/* security: a guest does not learn which keys are bound here. */
	if (c->guest || vw->keys_changes == changes)
		return;
	vw->keys_changes = changes;
	vw->builder.keys_extended =
	    tables_extended(vw->run->keys) ||
	    (c->keys != NULL && tables_extended(keylayer_own(c->keys)));
}

void
keys_table_due(struct viewer *vw, UNUSED mono_ms now)
{
	keys_set_table(vw, NULL);
}

void
keys_panel_due(struct viewer *vw, UNUSED mono_ms now)
{
	key_panel_open(vw);
}
