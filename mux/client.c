#include "mux/client.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/str.h"
#include "conf/bind.h"
#include "conf/keylayer.h"
#include "mux/session.h"

struct client *
client_new(struct mux *m, const char *name)
{
	struct client_seen seen;

	client_see(m, &seen);
	return client_new_at(m, name, &seen);
}

struct client *
client_new_at(struct mux *m, const char *name, const struct client_seen *seen)
{
	struct mux_event e = mux_event_make(MUX_EVENT_CLIENT_CREATED);
	struct client *c = mem_zalloc(sizeof(*c));

	c->id = m->next_client++;
	c->mux = m;
	c->name = mem_strdup(name);
	c->tty = mem_strdup("");
	c->user = mem_strdup("");
	c->term = mem_strdup("");
	c->term_type = mem_strdup("");
	c->term_features = mem_strdup("");
	environ_init(&c->environ);
	options_init(&c->options, &m->session_options);
	outer_init(&c->outer);
	c->pid = c->uid = -1;
	c->predicted = -1;
	c->role = CLIENT_ADMIN;
	c->type_pane = c->type_window = MUX_NONE;
	c->w = 80;
	c->h = 24;
	c->last_session = MUX_NONE;
	c->pan_window = -1;
	c->follow = c->zoom = MUX_NONE;
	c->created = c->activity = m->wall;
	c->used = ++m->ticks;
	(void)map_set_id(&m->clients, c->id, c);
	/* As in tmux: it shows no session yet, so the one used last. */
	e.client = c->id;
	e.session = seen->session;
	e.window = seen->window;
	e.pane = seen->pane;
	mux_events_add(&m->events, &e);
	return c;
}

/* The end of a client, and what it showed, while its session lives. */
struct client_gone {
	struct mux_event event;
	char *session; /* its name, or NULL */
	char *titled;  /* name of the window, or NULL */
};

static void
gone_init(
    struct client_gone *g, enum mux_event_type type, const struct client *c)
{
	const struct session *s = c->session;

	g->event = mux_event_make(type);
	g->event.client = c->id;
	g->session = s == NULL ? NULL : mem_strdup(s->name);
	g->titled = NULL;
	if (s == NULL)
		return;
	g->event.session = s->id;
	if (s->current == NULL)
		return;
	g->event.window = s->current->window->id;
	g->titled = mem_strdup(s->current->window->name);
	if (s->current->window->active != NULL)
		g->event.pane = s->current->window->active->id;
}

/* Appends the event, and frees what G holds. */
static void
gone_say(struct client_gone *g, const struct client *c)
{
	g->event.text = c->name;
	g->event.owner = g->session;
	g->event.titled = g->titled;
	mux_events_add(&c->mux->events, &g->event);
	mem_free(g->session);
	mem_free(g->titled);
}

void
client_free(struct client *c)
{
	struct mux *m = c->mux;
	struct client_gone closed;

	gone_init(&closed, MUX_EVENT_CLIENT_CLOSED, c);
	client_set_session(c, NULL);
	(void)map_remove_id(&m->clients, c->id);
	gone_say(&closed, c);
	mem_free(c->name);
	mem_free(c->tty);
	mem_free(c->user);
	mem_free(c->term);
	mem_free(c->term_type);
	mem_free(c->term_features);
	environ_fini(&c->environ);
	options_fini(&c->options);
	outer_fini(&c->outer);
	keylayer_free(c->keys);
	mem_free(c->table);
	mem_free(c->windows);
	mem_free(c->own);
	mem_free(c);
}

void
client_set_text(struct client *c UNUSED, char **field, const char *value)
{
	char *copy = mem_strdup(value == NULL ? "" : value);

	mem_free(*field);
	*field = copy;
}

void
client_made_window(const struct client *c, struct window *w)
{
	/* A guest does not decide sizes, so it must not change W's either. */
	if (c != NULL && !c->guest)
		w->latest = c->id;
}

/* Makes C the one that decides the size of the window of S; whether it was not. */
static bool
use_window(const struct client *c, const struct session *s)
{
	struct window *w = s->current == NULL ? NULL : s->current->window;
	const uint32_t before = w == NULL ? MUX_NONE : w->latest;

	if (w == NULL)
		return false;
	client_made_window(c, w);
	return w->latest != before;
}

/* Like client_touch, without a new size; returns whether the window needs one. */
static bool
touch(struct client *c)
{
	struct client *best;

	c->activity = c->mux->wall;
	best = client_best(c->mux, NULL);
	c->used = ++c->mux->ticks;
	if (!c->guest)
		outer_copy(&c->mux->outer, &c->outer);
	if (best != c)
		mux_say_client(
		    c->mux, MUX_EVENT_CLIENT_ACTIVE, c, c->session, NULL);
	if (c->session == NULL)
		return false;
	session_touch(c->session);
	return use_window(c, c->session);
}

void
client_touch(struct client *c)
{
	if (touch(c))
		client_fit_window(c->session->current->window);
}

void
client_use_window(const struct client *c, const struct session *s)
{
	if (use_window(c, s))
		client_fit_window(s->current->window);
}

void
client_typed(struct client *c, mono_ms now)
{
	c->typed_at = now;
}

/*
 * Destroys a session without clients if destroy-unattached says so; returns
 * whether it did.
 */
static bool
check_unattached(struct session *s)
{
	bool shared = s->group != NULL && s->group->sessions.count > 1;
	int64_t choice = options_number(&s->options, OPTION_DESTROY_UNATTACHED);

	if (s->attached > 0)
		return false;
	if (choice != DESTROY_UNATTACHED_ON &&
	    !(choice == DESTROY_UNATTACHED_KEEP_LAST && shared) &&
	    !(choice == DESTROY_UNATTACHED_KEEP_GROUP && !shared))
		return false;
	session_destroy(s);
	return true;
}

void
client_check_unattached(struct mux *m)
{
	size_t i = 0;

	/* session_destroy removes the entry. */
	while (i < m->sessions.count)
		if (!check_unattached(m->sessions.entries[i].value))
			i++;
}

/* Like client_set_session to another session; windows keep their sizes. */
static void
client_move(struct client *c, struct session *s)
{
	struct mux *m = c->mux;
	struct session *old = c->session;
	struct client_gone detached;

	if (s == NULL)
		gone_init(&detached, MUX_EVENT_CLIENT_DETACHED, c);
	c->session = s;
	c->options.parent = s == NULL ? &m->session_options : &s->options;
	mem_free(c->table);
	c->table = NULL;
	if (old != NULL) {
		old->attached--;
		old->last_attached = m->wall;
		c->last_session = old->id;
	}
	client_update_focus(m);
	if (s == NULL)
		gone_say(&detached, c);
	else {
		s->attached++;
		s->last_attached = m->wall;
		mux_say_client(m, MUX_EVENT_CLIENT_SESSION, c, s, NULL);
		if (old == NULL)
			mux_say_client(
			    m, MUX_EVENT_CLIENT_ATTACHED, c, s, NULL);
		(void)touch(c);
		if (s->current != NULL) {
			alert_seen(s->current);
			alert_visited(s->current->window);
		}
	}
	client_pan_reset(c);
}

void
client_set_session(struct client *c, struct session *s)
{
	struct mux *m = c->mux;
	struct session *old = c->session;

	if (old == s) {
		if (s != NULL)
			client_use_window(c, s);
		return;
	}
	client_move(c, s);
	mux_step(m);
	client_fit_windows(m);
	if (old != NULL && mux_session(m, old->id) == old)
		(void)check_unattached(old);
}

void
client_set_size(struct client *c, int w, int h, int cell_w, int cell_h)
{
	const bool first = !(c->flags & CLIENT_SIZE_SET);
	bool changed;

	w = CLAMP(w, 1, LAYOUT_SIZE_MAX);
	h = CLAMP(h, 1, LAYOUT_SIZE_MAX);
	c->flags |= CLIENT_SIZE_SET;
	cell_w = CLAMP(cell_w, 0, 1000);
	cell_h = CLAMP(cell_h, 0, 1000);
	changed = c->w != w || c->h != h || c->outer.cell_w != cell_w ||
		  c->outer.cell_h != cell_h;
	if (!changed && !first)
		return;
	c->w = w;
	c->h = h;
	c->outer.cell_w = cell_w;
	c->outer.cell_h = cell_h;
	/* A client counts for windows from its first size on. */
	if (c->session != NULL)
		client_use_window(c, c->session);
	client_outer_changed(c);
	/* As in tmux, behind the windows, and the first size in any case. */
	if (changed || (first && !(c->flags & CLIENT_CONTROL)))
		mux_say_client(
		    c->mux, MUX_EVENT_CLIENT_RESIZED, c, c->session, NULL);
}

void
client_begin_size(struct client *c, const uint16_t size[4])
{
	if (size[0] == 0 || size[1] == 0)
		return;
	c->w = MIN_OF(size[0], LAYOUT_SIZE_MAX);
	c->h = MIN_OF(size[1], LAYOUT_SIZE_MAX);
	outer_size(&c->outer, size);
}

bool
client_light(const struct client *c)
{
	switch (options_number(&c->mux->server_options, OPTION_THEME)) {
	case THEME_LIGHT:
		return true;
	case THEME_DARK:
		return false;
	default:
		return c->theme == CLIENT_THEME_LIGHT;
	}
}

void
client_outer_changed(struct client *c)
{
	c->outer.theme.dark = !client_light(c);
	if (!c->guest && client_best(c->mux, NULL) == c)
		outer_copy(&c->mux->outer, &c->outer);
	client_fit_windows(c->mux);
}

void
client_set_flags(struct client *c, unsigned flags, bool on)
{
	unsigned old = c->flags, changed;

	c->flags = on ? old | flags : old & ~flags;
	if ((changed = old ^ c->flags) == 0)
		return;
	if (changed & CLIENT_READONLY) {
		c->role = on         ? CLIENT_VIEW
			  : c->guest ? CLIENT_TYPE
				     : CLIENT_ADMIN;
		c->type_pane = c->type_window = MUX_NONE;
	}
	if (changed & CLIENT_FOCUSED) {
		mux_say_client(c->mux,
		    c->flags & CLIENT_FOCUSED ? MUX_EVENT_CLIENT_FOCUS_IN
					      : MUX_EVENT_CLIENT_FOCUS_OUT,
		    c, c->session, NULL);
		client_update_focus(c->mux);
	}
	if (changed & (CLIENT_IGNORE_SIZE | CLIENT_SUSPENDED))
		client_fit_windows(c->mux);
	if (changed & ~(unsigned)CLIENT_FOCUSED)
		mux_say_client(
		    c->mux, MUX_EVENT_CLIENT_TABLE, c, c->session, NULL);
}

static const char *const role_names[] = { "view", "type", "admin" };

const char *
client_role_name(enum client_role role)
{
	return role_names[role];
}

int
client_role_find(const char *name, enum client_role *out)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(role_names); i++)
		if (strcmp(name, role_names[i]) == 0) {
			*out = (enum client_role)i;
			return 0;
		}
	return -ERR_NOTFOUND;
}

void
client_set_role(struct client *c, enum client_role role)
{
	client_set_flags(c, CLIENT_READONLY, role == CLIENT_VIEW);
	client_set_flags(
	    c, CLIENT_IGNORE_SIZE, role != CLIENT_ADMIN || c->guest);
	if (c->role == role && c->type_pane == MUX_NONE &&
	    c->type_window == MUX_NONE)
		return;
	c->role = role;
	c->type_pane = c->type_window = MUX_NONE;
	mux_say_client(c->mux, MUX_EVENT_CLIENT_TABLE, c, c->session, NULL);
	client_update_focus(c->mux);
}

void
client_set_role_in(struct client *c, uint32_t window, uint32_t pane)
{
	client_set_role(c, CLIENT_TYPE);
	c->type_window = window;
	c->type_pane = pane;
	client_update_focus(c->mux);
}

struct client *
client_role_gone(struct mux *m, uint32_t window, uint32_t pane)
{
	const struct map_entry *e;
	struct client *c;

	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if ((pane != MUX_NONE && c->type_pane == pane) ||
		    (window != MUX_NONE && c->type_window == window)) {
			client_set_role(c, CLIENT_VIEW);
			return c;
		}
	}
	return NULL;
}

int
client_role_put(const struct client *c, struct buf *out)
{
	if (c->type_pane != MUX_NONE)
		return buf_addf(out, "type:%%%u", c->type_pane);
	if (c->type_window != MUX_NONE)
		return buf_addf(out, "type:@%u", c->type_window);
	return buf_add_str(out, client_role_name(c->role));
}

/* Whether LIST, separated by commas, has WORD. */
static bool
has_feature(const char *list, const char *word)
{
	const size_t n = strlen(word);

	for (;; list++) {
		if (strcspn(list, ",") == n && strncmp(list, word, n) == 0)
			return true;
		list += strcspn(list, ",");
		if (*list == '\0')
			return false;
	}
}

void
client_set_features(struct client *c, const char *features)
{
	char *own = mem_strdup(features);

	c->moves = strcmp(own, "moves") == 0 || str_ends(own, ",moves");
	if (c->moves)
		own[MAX_OF(strlen(own), sizeof("moves")) - sizeof("moves")] =
		    '\0';
	client_set_text(c, &c->term_features, own);
	mem_free(own);
	features = c->term_features;
	if (*features == '\0')
		c->colours = 0;
	else if (has_feature(features, "RGB"))
		c->colours = 1 << 24;
	else if (has_feature(features, "256"))
		c->colours = 256;
	else if (has_feature(features, "16colours"))
		c->colours = 16;
	else
		c->colours = has_feature(features, "8colours") ? 8 : 0;
}

bool
client_has_feature(const struct client *c, const char *word)
{
	return has_feature(c->term_features, word);
}

void
client_set_theme(struct client *c, enum client_theme theme)
{
	if (c->theme == theme)
		return;
	c->theme = theme;
	if (theme != CLIENT_THEME_UNKNOWN)
		mux_say_client(c->mux,
		    theme == CLIENT_THEME_LIGHT ? MUX_EVENT_CLIENT_LIGHT_THEME
						: MUX_EVENT_CLIENT_DARK_THEME,
		    c, c->session, NULL);
}

void
client_set_table(struct client *c, const char *table)
{
	char *copy = table == NULL ? NULL : mem_strdup(table);
	bool same = copy == NULL
			? c->table == NULL
			: c->table != NULL && strcmp(c->table, copy) == 0;

	mem_free(c->table);
	c->table = copy;
	if (!same)
		mux_say_client(
		    c->mux, MUX_EVENT_CLIENT_TABLE, c, c->session, NULL);
}

const char *
client_table(const struct client *c)
{
	if (c->table != NULL)
		return c->table;
	if (c->session != NULL)
		return options_string(&c->options, OPTION_KEY_TABLE);
	return "root";
}

struct keytables *
client_own_keys(struct client *c)
{
	if (c->keys == NULL)
		c->keys = keylayer_new(&bind_ops);
	return keylayer_own(c->keys);
}

const struct keytable *
client_find_table(
    const struct client *c, const struct keytables *base, const char *name)
{
	return keylayer_find(c->keys, base, name);
}

/* --- clients of a session that ends ----------------------------------------- */

/*
 * Returns the session used last, except S; with DETACHED only one without
 * clients.
 */
static struct session *
newest_session(const struct session *s, bool detached)
{
	struct session *best = NULL, *o;
	const struct map_entry *e;

	MAP_FOREACH(e, &s->mux->sessions) {
		o = e->value;
		if (o == s || (detached && o->attached > 0) ||
		    o->current == NULL)
			continue;
		if (s->group != NULL && o->group == s->group &&
		    s->links.count == 0)
			continue;
		if (best == NULL || o->used > best->used)
			best = o;
	}
	return best;
}

/* Returns the session after or before S in the order of names. */
static struct session *
beside_session(const struct session *s, bool next)
{
	const struct map *names = &s->mux->sessions;
	size_t i = map_lower(names, s->name), n = names->count;

	if (n < 2)
		return NULL;
	return names->entries[(i + (next ? 1 : n - 1)) % n].value;
}

bool
client_session_gone(struct session *s)
{
	struct mux *m = s->mux;
	struct session *to = NULL, *other = newest_session(s, false);
	struct map_entry *e;
	struct client *c;
	bool moved = false;

	switch (options_number(&s->options, OPTION_DETACH_ON_DESTROY)) {
	case DETACH_ON_DESTROY_OFF:
		to = other;
		break;
	case DETACH_ON_DESTROY_NO_DETACHED:
		to = newest_session(s, true);
		break;
	case DETACH_ON_DESTROY_PREVIOUS:
		to = beside_session(s, false);
		break;
	case DETACH_ON_DESTROY_NEXT:
		to = beside_session(s, true);
		break;
	}
	/* Unregister it first, so that it is not destroyed twice. */
	(void)map_remove_id(&m->session_ids, s->id);
	MAP_FOREACH(e, &m->clients) {
		c = e->value;
		if (c->last_session == s->id)
			c->last_session = MUX_NONE;
		if (c->session != s)
			continue;
		/* security: a guest was let into this session only. */
		if (c->guest)
			client_move(c, NULL);
		else if (to == NULL && (c->flags & CLIENT_NO_DETACH))
			client_move(c, other);
		else
			client_move(c, to);
		c->last_session = MUX_NONE;
		moved = true;
	}
	return moved;
}
