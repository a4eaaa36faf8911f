#include "server/face/window_keys.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/keylayer.h"
#include "mux/client.h"
#include "mux/mode/mode.h"
#include "mux/session.h"
#include "mux/window.h"
#include "server/face/pictures.h"
#include "server/face/prefix.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/run/cmdq.h"

/* --- keys ------------------------------------------------------------------------- */

static bool
has_hook(const struct options *o, const char *name)
{
	const struct option_entry *e;
	struct option_name option;

	if (option_match(name, &option, NULL) != 0 || option.row == NULL)
		return false;
	e = options_find(o, &option);
	return e != NULL && e->count > 0;
}

/* Whether the commands of a hook may follow a change of window. */
static bool
is_hooked(const struct client *c)
{
	static const char *const names[] = { "session-window-changed",
		"client-session-changed", "after-select-window" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (has_hook(&c->session->options, names[i]))
			return true;
	return false;
}

/* Whether A has FLAG alone, or no flag for 0, and no arguments. */
static bool
only_flag(const struct args *a, unsigned char flag)
{
	if (a->count != 0)
		return false;
	if (flag == 0)
		return a->flag_count == 0;
	return a->flag_count == 1 && a->flags[0].flag == flag;
}

/* The targets N, :N and :=N are the window with the index N, if there is one. */
static bool
index_target(const char *text, uint32_t *index)
{
	int64_t n;

	if (text == NULL)
		return false;
	text += strncmp(text, ":=", 2) == 0 ? 2 : *text == ':';
	if (str_to_int(text, 0, SESSION_INDEX_MAX, &n) != 0)
		return false;
	*index = (uint32_t)n;
	return true;
}

static enum sync_switch_act
select_act(const struct args *a, bool mouse, uint32_t *arg)
{
	if (only_flag(a, 'n'))
		return SYNC_SWITCH_NEXT;
	if (only_flag(a, 'p'))
		return SYNC_SWITCH_PREVIOUS;
	if (only_flag(a, 'l'))
		return SYNC_SWITCH_LAST;
	if (!only_flag(a, 't'))
		return SYNC_SWITCH_UNKNOWN;
	if (index_target(args_get(a, 't'), arg))
		return SYNC_SWITCH_SELECT;
	return mouse && args_get(a, 't') != NULL &&
		       strcmp(args_get(a, 't'), "=") == 0
		   ? SYNC_SWITCH_CLICKED
		   : SYNC_SWITCH_UNKNOWN;
}

static enum sync_switch_act
client_act(const struct args *a, bool mouse)
{
	if (only_flag(a, 'n'))
		return SYNC_SWITCH_NEXT_SESSION;
	if (only_flag(a, 'p'))
		return SYNC_SWITCH_PREVIOUS_SESSION;
	if (only_flag(a, 'l'))
		return SYNC_SWITCH_LAST_SESSION;
	return mouse && only_flag(a, 't') && args_get(a, 't') != NULL &&
		       strcmp(args_get(a, 't'), "=") == 0
		   ? SYNC_SWITCH_CLICKED
		   : SYNC_SWITCH_UNKNOWN;
}

/* Whether the commands of a hook may follow a change of panes. */
static bool
panes_hooked(const struct client *c)
{
	static const char *const names[] = { "after-resize-pane",
		"after-rotate-window", "after-select-layout",
		"after-select-pane", "pane-focus-in", "pane-focus-out",
		"window-layout-changed", "window-pane-changed" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (has_hook(&c->session->options, names[i]) ||
		    has_hook(&c->session->current->window->options, names[i]))
			return true;
	return false;
}

/* Whether a pane of the client's window is in a mode: its keys do anything. */
static bool
has_modes(const struct client *c)
{
	const struct pane *p;
	struct list_node *n;

	WINDOW_FOREACH_PANE(p, n, c->session->current->window)
	if (mode_top(p) != NULL)
		return true;
	return false;
}

/*
 * Whether a command only changes panes of the window, and cannot fail: an error
 * shows a message, which takes the next key.
 */
static bool
stays(const struct client *c, const struct cmd *cmd)
{
	const struct args *a = cmd->args;
	const char *to = args_get(a, 't');

	switch (cmd->row->id) {
	case COMMAND_resize_pane:
		return only_flag(a, 'Z');
	case COMMAND_select_pane:
		return !has_modes(c) && only_flag(a, 't') && to != NULL &&
		       (strcmp(to, ":.+") == 0 || strcmp(to, ":.-") == 0);
	case COMMAND_next_layout:
	case COMMAND_previous_layout:
		return only_flag(a, 0);
	case COMMAND_rotate_window:
		return !has_modes(c) && (only_flag(a, 0) || only_flag(a, 'D'));
	default:
		return false;
	}
}

/* Tells whether copy-mode has only -u and -e; *HOW: enum sync_switch_copies. */
static bool
plain_copies(const struct args *a, uint32_t *how)
{
	size_t i;

	*how = 0;
	for (i = 0; i < a->flag_count; i++)
		if (a->flags[i].flag == 'u')
			*how |= SYNC_SWITCH_COPIES_UP;
		else if (a->flags[i].flag == 'e')
			*how |= SYNC_SWITCH_COPIES_EXITS;
		else
			return false;
	return a->count == 0;
}

/*
 * Tells whether a command opens copy mode over the active pane and changes
 * nothing else; *HOW: enum sync_switch_copies.
 */
static bool
copies(const struct client *c, const struct args *a, uint32_t *how)
{
	const struct options *o = &c->session->current->window->options;
	const int64_t bars = options_number(o, OPTION_PANE_SCROLLBARS);

	/* A scrollbar of the mode alone changes the pane's width. */
	return plain_copies(a, how) && !has_modes(c) &&
	       (bars == PANE_SCROLLBARS_OFF || bars == PANE_SCROLLBARS_ON) &&
	       !has_hook(&c->session->options, "after-copy-mode") &&
	       !has_hook(&c->session->options, "pane-mode-changed") &&
	       !has_hook(o, "pane-mode-changed");
}

/*
 * Tells whether an if-shell is the one that the default WheelUpPane has. It opens
 * copy mode over a pane on its main screen, if the program wants no mouse.
 */
static bool
wheel_copies(const struct client *c, const struct args *a, uint32_t *how)
{
	static const char *const unless =
	    "#{||:#{alternate_on},#{pane_in_mode},#{mouse_any_flag}}";
	const char *text = args_string(a, 0);
	const struct cmdlist *list = args_block(a, 2);

	return a->count == 3 && a->flag_count == 1 && args_has(a, 'F') &&
	       text != NULL && strcmp(text, unless) == 0 && list != NULL &&
	       list->count == 1 &&
	       list->cmds[0]->row->id == COMMAND_copy_mode &&
	       role_list(c, list) &&
	       !has_hook(&c->session->options, "after-if-shell") &&
	       copies(c, list->cmds[0]->args, how);
}

static bool
is_wheel(key_code key)
{
	return key_is_mouse(key) && key_mouse_place(key) == KEY_MOUSE_AT_PANE &&
	       key_mouse_kind(key) == KEY_MOUSE_WHEEL_UP;
}

/* Returns what a binding does to the window, if it does nothing else. */
static enum sync_switch_act
act_of(const struct viewer *vw, struct prompt_keys *prompts,
    const struct keybinding *kb, uint32_t *arg)
{
	const struct client *c = vw->client;
	const struct cmdlist *list = kb->commands;
	const bool mouse = key_is_mouse(kb->key);
	const struct cmd *cmd;

	*arg = 0;
	if (list->count != 1 || !role_list(c, list))
		return SYNC_SWITCH_UNKNOWN;
	cmd = list->cmds[0];
	switch (cmd->row->id) {
	case COMMAND_next_window:
		return only_flag(cmd->args, 0) ? SYNC_SWITCH_NEXT
					       : SYNC_SWITCH_UNKNOWN;
	case COMMAND_previous_window:
		return only_flag(cmd->args, 0) ? SYNC_SWITCH_PREVIOUS
					       : SYNC_SWITCH_UNKNOWN;
	case COMMAND_last_window:
		return only_flag(cmd->args, 0) ? SYNC_SWITCH_LAST
					       : SYNC_SWITCH_UNKNOWN;
	case COMMAND_select_window:
		return select_act(cmd->args, mouse, arg);
	case COMMAND_switch_client:
		return client_act(cmd->args, mouse);
	case COMMAND_copy_mode:
		return !mouse && copies(c, cmd->args, arg)
			   ? SYNC_SWITCH_COPIES
			   : SYNC_SWITCH_UNKNOWN;
	case COMMAND_if_shell:
		return is_wheel(kb->key) && wheel_copies(c, cmd->args, arg)
			   ? SYNC_SWITCH_COPIES
			   : SYNC_SWITCH_UNKNOWN;
	case COMMAND_command_prompt:
	case COMMAND_confirm_before:
		return !mouse && prompt_keys_add(vw, prompts, cmd, arg)
			   ? SYNC_SWITCH_ASKS
			   : SYNC_SWITCH_UNKNOWN;
	default:
		return !mouse && stays(c, cmd) && !panes_hooked(c)
			   ? SYNC_SWITCH_STAYS
			   : SYNC_SWITCH_UNKNOWN;
	}
}

/*
 * Of the mouse, only what happens over the name of a window is told, and the
 * wheel over a pane.
 */
static bool
is_told(const struct client *c, key_code key)
{
	if (!key_is_mouse(key))
		return true;
	if (!options_flag(&c->options, OPTION_MOUSE))
		return false;
	return is_wheel(key) ||
	       (key_mouse_place(key) == KEY_MOUSE_AT_STATUS &&
		   (key_mouse_kind(key) == KEY_MOUSE_DOWN ||
		       key_mouse_kind(key) == KEY_MOUSE_WHEEL_UP ||
		       key_mouse_kind(key) == KEY_MOUSE_WHEEL_DOWN));
}

/* Adds the keys of a table; false if one may be any key, or too many. */
static bool
add_table(struct viewer *vw, struct sync_switch_setup *s, const char *name,
    bool prefix)
{
	const struct keytable *t =
	    client_find_table(vw->client, vw->run->keys, name);
	const struct keybinding *kb;
	enum sync_switch_act act;
	uint32_t arg;
	size_t i;

	for (i = 0; t != NULL && i < t->count; i++) {
		kb = &t->bindings[i];
		if (kb->key == KEY_ANY && !prefix)
			return false;
		if (!is_told(vw->client, kb->key))
			continue;
		act = act_of(vw, &vw->window_keys.prompts, kb, &arg);
		/* Unknown without a word: those of the prefix, clicks. */
		if (act == SYNC_SWITCH_UNKNOWN &&
		    (prefix || key_is_mouse(kb->key)))
			continue;
		if (s->nbinds == SYNC_SWITCH_BINDS_MAX)
			return false;
		s->binds[s->nbinds++] = (struct sync_switch_bind){
			.prefix = prefix,
			.repeat = kb->repeat,
			.act = act,
			.arg = arg,
			.key = kb->key,
		};
	}
	return true;
}

/* Whether a key of copy mode is for the mode alone. */
static bool
is_moded(const struct keybinding *kb)
{
	const struct cmdlist *list = kb->commands;

	return list->count == 1 &&
	       list->cmds[0]->row->id == COMMAND_send_keys &&
	       args_has(list->cmds[0]->args, 'X');
}

/*
 * Adds the keys of the mode in the client's pane that do more than move in it:
 * they may open a prompt, which takes the keys that follow.
 */
static bool
add_mode(const struct viewer *vw, struct sync_switch_setup *s, const char *name)
{
	const struct keytable *t =
	    name == NULL ? NULL
			 : client_find_table(vw->client, vw->run->keys, name);
	const struct keybinding *kb;
	size_t i;

	for (i = 0; t != NULL && i < t->count; i++) {
		kb = &t->bindings[i];
		if (key_is_mouse(kb->key) || is_moded(kb))
			continue;
		if (kb->key == KEY_ANY || s->nbinds == SYNC_SWITCH_BINDS_MAX)
			return false;
		s->binds[s->nbinds++] = (struct sync_switch_bind){
			.act = SYNC_SWITCH_UNKNOWN,
			.key = kb->key,
		};
	}
	return true;
}

/* The table of the mode in the client's pane, or NULL. */
static const char *
mode_name(const struct viewer *vw)
{
	const struct pane *p = client_pane(vw->client);

	return p == NULL ? NULL : mode_table(p);
}

/* Returns a number that changes whenever a key of VW or its command does. */
static uint64_t
stamp_of(const struct viewer *vw)
{
	const struct client *c = vw->client;
	const struct mux *m = c->mux;
	const char *mode = mode_name(vw);
	const uint64_t n[] = { keytables_changes(vw->run->keys),
		keylayer_changes(c->keys),
		mode == NULL ? 0 : str_hash(mode, strlen(mode), 0),
		c->session->id, has_modes(c), c->session->options.changes,
		c->options.changes,
		c->session->current->window->options.changes,
		m->session_options.changes, m->server_options.changes,
		(uint64_t)c->role, prefix_is_inner(vw) };

	return str_hash(n, sizeof(n), 0) | 1;
}

/* Sets the keys of S; makes them again if they have changed. */
static bool
add_keys(struct viewer *vw, struct sync_switch_setup *out)
{
	struct window_keys *wk = &vw->window_keys;
	struct sync_switch_setup *s = &wk->keys;
	const struct options *o = &vw->client->options;
	const uint64_t stamp = stamp_of(vw);

	if (wk->stamp == stamp) {
		*out = *s;
		return wk->known;
	}
	memset(s, 0, sizeof(*s));
	wk->prompts.count = 0;
	wk->prompts.stamp = 0;
	s->prefixes[0] =
	    prefix_is_inner(vw) ? KEY_NONE : options_key(o, OPTION_PREFIX);
	s->prefixes[1] = options_key(o, OPTION_PREFIX2);
	wk->known =
	    !is_hooked(vw->client) && add_mode(vw, s, mode_name(vw)) &&
	    add_table(vw, s, options_string(o, OPTION_KEY_TABLE), false) &&
	    add_table(vw, s, "prefix", true);
	wk->stamp = stamp;
	*out = *s;
	return wk->known;
}

/* --- windows ------------------------------------------------------------------------ */

static bool
add_windows(const struct client *c, struct sync_switch_setup *s)
{
	const struct session *o;
	const struct map_entry *e;
	struct list_node *n;
	struct winlink *wl;

	SESSION_FOREACH_LINK(wl, n, c->session)
	{
		if (s->nlinks == SYNC_SWITCH_LINKS_MAX)
			return false;
		s->links[s->nlinks++] =
		    (struct sync_switch_link){ (uint32_t)wl->index,
			    wl->window->id };
	}
	/* In the order of switch-client -n. */
	MAP_FOREACH(e, &c->mux->sessions) {
		o = e->value;
		if (o->current == NULL)
			continue;
		if (s->nsessions == SYNC_SWITCH_SESSIONS_MAX)
			return false;
		s->sessions[s->nsessions++] =
		    (struct sync_switch_session){ o->id,
			    o->current->window->id };
	}
	return true;
}

static bool
state_of(const struct client *c, struct sync_switch_state *st)
{
	const struct session *s = c->session;
	struct list_node *n;

	memset(st, 0, sizeof(*st));
	st->prefix = c->table != NULL;
	st->session = s->id;
	st->last_session = c->last_session;
	st->current = (uint32_t)s->current->index;
	LIST_FOREACH(n, &s->last_links) {
		if (st->nlast == SYNC_SWITCH_LINKS_MAX)
			return false;
		st->last[st->nlast++] =
		    (uint32_t)container_of(n, struct winlink, last_node)->index;
	}
	return true;
}

/* --- the view ------------------------------------------------------------------------- */

/* Whether the next key finds its binding in root or prefix. */
static bool
is_plain(struct viewer *vw)
{
	const struct client *c = vw->client;
	const struct overlays *os = &vw->overlays;
	const struct pane *p = client_pane(c);

	if (!pictures_wanted(vw->pictures) || p == NULL ||
	    p->window->modal != NULL || vw->keys.repeat_until != 0 ||
	    (c->table != NULL && strcmp(c->table, "prefix") != 0) ||
	    !cmdq_empty(cmdq_for(vw->run, vw->conn_id)))
		return false;
	/* Keys of a chooser do anything. */
	if (mode_top(p) != NULL && mode_table(p) == NULL)
		return false;
	/* The panel of keys passes all keys that have a binding. */
	return overlays_none(os) ||
	       (os->list.count == 1 &&
		   container_of(list_first(&os->list), struct overlay, node)
			   ->ops->z == OVERLAY_KEYS);
}

/* Returns the bytes of the state, or NULL; sets the setup of V. */
static struct vt_str *
bytes_of(struct viewer *vw, struct sync_view *v)
{
	struct sync_switch_setup setup;
	struct sync_switch_state state;
	struct vt_str *text, *out = NULL;
	struct buf b;

	if (!is_plain(vw) || !add_keys(vw, &setup) ||
	    !add_windows(vw->client, &setup) || !state_of(vw->client, &state))
		return NULL;
	prompt_keys_put(vw, &vw->window_keys.prompts, &setup);
	buf_init(&b, SYNC_SWITCH_SETUP_MAX);
	if (sync_switch_put_setup(&b, &setup)) {
		text = vt_str_new((const char *)b.data, b.len);
		/* One object for all views with the same text. */
		if (vt_str_equal(text, v->switch_setup)) {
			vt_str_unref(text);
			text = vt_str_ref(v->switch_setup);
		}
		vt_str_unref(v->switch_setup);
		v->switch_setup = text;
		buf_clear(&b);
		if (sync_switch_put_state(&b, &state) &&
		    b.len <= SYNC_SWITCH_STATE_MAX)
			out = vt_str_new((const char *)b.data, b.len);
	}
	buf_fini(&b);
	return out;
}

struct vt_str *
window_keys_bar(const struct view_builder *b)
{
	struct sync_switch_bar bar = { .x = b->status_area.x,
		.y = b->status_area.y,
		.w = b->status_area.w,
		.h = b->status_area.h };
	const struct format_range *r;
	struct vt_str *text = NULL;
	struct buf out;
	unsigned y;
	size_t i;

	for (y = 0; y < b->range_count; y++)
		for (i = 0; i < b->ranges[y].range_count; i++) {
			r = &b->ranges[y].ranges[i];
			if (r->range.kind != STYLE_RANGE_WINDOW ||
			    bar.n == SYNC_SWITCH_RANGES_MAX)
				continue;
			bar.ranges[bar.n++] =
			    (struct sync_switch_range){ (int)y, r->start,
				    r->end, r->range.argument };
		}
	buf_init(&out, SYNC_SWITCH_BAR_MAX);
	if (view_status_shown(b) && sync_switch_put_bar(&out, &bar))
		text = vt_str_new((const char *)out.data, out.len);
	buf_fini(&out);
	return text;
}

void
window_keys_add(struct viewer *vw, struct sync_view *v)
{
	struct vt_str *state = bytes_of(vw, v);
	struct sync_switch *old = v->switches;
	uint64_t seen = vw->input_done - 1;

	/* Inputs that no table took change nothing here. */
	if (old != NULL)
		seen = MAX_OF(old->seen, vw->keys.looked);
	v->switches = state == NULL ? NULL : sync_switch_new(seen, state);
	sync_switch_unref(old);
	vt_str_unref(v->bar);
	v->bar = state == NULL ? NULL : window_keys_bar(&vw->builder);
}
