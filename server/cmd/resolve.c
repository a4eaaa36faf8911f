#include "server/cmd/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct cmd_target
resolve_session(struct session *s)
{
	return s->current == NULL ? (struct cmd_target){ .s = s, .index = -1 }
				  : resolve_winlink(s->current);
}

struct cmd_target
resolve_winlink(struct winlink *wl)
{
	return (struct cmd_target){
		.s = wl->session,
		.wl = wl,
		.w = wl->window,
		.p = wl->window->active,
		.index = wl->index,
	};
}

struct cmd_target
resolve_pane(struct winlink *wl, struct pane *p)
{
	struct cmd_target t = resolve_winlink(wl);

	t.p = p;
	return t;
}

/* The session used last. */
static struct session *
best_session(struct mux *m)
{
	struct map_entry *e;
	struct session *best = NULL, *s;

	MAP_FOREACH(e, &m->session_ids) {
		s = e->value;
		if (best == NULL || s->used > best->used)
			best = s;
	}
	return best;
}

/* The pane that a process of the caller's terminal or environment names. */
static struct pane *
pane_of_conn(struct cmd_context *c)
{
	const char *const *env;
	uint32_t id;
	size_t i;

	if (c->conn == NULL)
		return NULL;
	env = conn_env(c->conn);
	for (i = 0; env[i] != NULL; i++)
		if (strncmp(env[i], "RMUX_PANE=%", 11) == 0) {
			id = (uint32_t)strtoul(env[i] + 11, NULL, 10);
			return mux_pane(c->sv->mux, id);
		}
	return NULL;
}

static void
resolve_current(struct cmd_context *c)
{
	struct mux *m = c->sv->mux;
	struct session *s = mux_session(m, c->state->session);
	struct pane *p = mux_pane(m, c->state->pane);
	struct window *w;
	struct winlink *wl = NULL;

	if (s == NULL && c->client != NULL)
		s = c->client->session;
	if (s == NULL && p == NULL && (p = pane_of_conn(c)) != NULL &&
	    !list_empty(&p->window->links)) {
		wl = container_of(
		    list_first(&p->window->links), struct winlink, window_node);
		s = wl->session;
	}
	if (s == NULL)
		s = best_session(m);
	c->current.index = -1;
	if (s == NULL)
		return;
	w = mux_window(m, c->state->window);
	if (wl == NULL && w != NULL)
		wl = session_link_to(s, w);
	if (wl == NULL && p != NULL)
		wl = session_link_to(s, p->window);
	if (wl == NULL)
		wl = s->current;
	if (wl == NULL) {
		c->current.s = s;
		return;
	}
	c->current = p != NULL && p->window == wl->window ? resolve_pane(wl, p)
							  : resolve_winlink(wl);
}

struct client *
resolve_client(struct cmd_context *c, const char *text)
{
	struct map_entry *e;
	struct client *cl;
	size_t n;

	if (text == NULL) {
		if (c->client != NULL)
			return c->client;
		return client_best(c->sv->mux, c->current.s);
	}
	n = strlen(text);
	if (n > 0 && text[n - 1] == ':')
		n--;
	MAP_FOREACH(e, &c->sv->mux->clients) {
		cl = e->value;
		if ((strlen(cl->name) == n && memcmp(cl->name, text, n) == 0) ||
		    (strlen(cl->tty) == n && memcmp(cl->tty, text, n) == 0) ||
		    (strncmp(cl->tty, "/dev/", 5) == 0 &&
			strlen(cl->tty) == n + 5 &&
			memcmp(cl->tty + 5, text, n) == 0))
			return cl;
	}
	return NULL;
}

/* --- targets ---------------------------------------------------------------------- */

static struct session *
find_session(struct cmd_context *c, const char *text)
{
	struct mux *m = c->sv->mux;
	struct map_entry *e;
	struct session *s, *found = NULL;
	bool exact = *text == '=';

	if (exact)
		text++;
	if (*text == '$')
		return mux_session(m, (uint32_t)strtoul(text + 1, NULL, 10));
	if ((s = mux_session_named(m, text)) != NULL || exact)
		return s;
	MAP_FOREACH(e, &m->sessions)
		if (str_starts(e->name, text)) {
			if (found != NULL)
				return NULL;
			found = e->value;
		}
	return found;
}

static struct winlink *
find_window(struct session *s, const char *text, int *index)
{
	struct list_node *n;
	struct winlink *wl, *found = NULL;
	int64_t number;
	bool exact = *text == '=';

	*index = -1;
	if (exact)
		text++;
	if (*text == '@') {
		struct window *w =
		    mux_window(s->mux, (uint32_t)strtoul(text + 1, NULL, 10));

		return w == NULL ? NULL : session_link_to(s, w);
	}
	if (strcmp(text, "!") == 0 || strcmp(text, "{last}") == 0)
		return session_last_link(s);
	if (strcmp(text, "^") == 0 || strcmp(text, "{start}") == 0)
		return session_first_link(s);
	if (strcmp(text, "$") == 0 || strcmp(text, "{end}") == 0)
		return session_final_link(s);
	if ((*text == '+' || *text == '-') && s->current != NULL) {
		number = 1;
		if (text[1] != '\0' &&
		    str_to_int(text + 1, 1, 10000, &number) != 0)
			return NULL;
		return winlink_step(
		    s->current, *text == '+' ? (int)number : -(int)number);
	}
	if (str_to_int(text, 0, SESSION_INDEX_MAX, &number) == 0) {
		*index = (int)number;
		return session_link_at(s, (int)number);
	}
	SESSION_FOREACH_LINK(wl, n, s)
	{
		if (strcmp(wl->window->name, text) == 0)
			return wl;
		if (!exact && str_starts(wl->window->name, text)) {
			if (found != NULL)
				return NULL;
			found = wl;
		}
	}
	return found;
}

static struct pane *
find_pane(struct window *w, const char *text)
{
	int64_t number;

	if (*text == '%')
		return mux_pane(w->mux, (uint32_t)strtoul(text + 1, NULL, 10));
	if (strcmp(text, "!") == 0 || strcmp(text, "{last}") == 0)
		return window_last_pane(w);
	if (strcmp(text, "{up-of}") == 0)
		return window_neighbour(w->active, WINDOW_UP);
	if (strcmp(text, "{down-of}") == 0)
		return window_neighbour(w->active, WINDOW_DOWN);
	if (strcmp(text, "{left-of}") == 0)
		return window_neighbour(w->active, WINDOW_LEFT);
	if (strcmp(text, "{right-of}") == 0)
		return window_neighbour(w->active, WINDOW_RIGHT);
	if (*text == '+')
		return window_next_pane(w, w->active, 1);
	if (*text == '-')
		return window_prev_pane(w, w->active, 1);
	if (str_to_int(text, 0, INT32_MAX, &number) == 0)
		return window_pane_at_index(w, (int)number);
	return NULL;
}

/* {mouse} or =: what the mouse is over. */
static int
target_mouse(struct cmd_context *c, struct cmd_target *out, struct cause *why)
{
	struct mux *m = c->sv->mux;
	struct session *s = mux_session(m, c->state->mouse_session);
	struct pane *p = mux_pane(m, c->state->mouse_pane);
	struct winlink *wl;

	if ((c->state->flags & CMD_STATE_MOUSE) == 0 || s == NULL)
		return cause_set(why, -ERR_NOTFOUND, "no mouse target");
	if (p == NULL) {
		*out = resolve_session(s);
		return 0;
	}
	wl = session_link_to(s, p->window);
	if (wl == NULL)
		return cause_set(why, -ERR_NOTFOUND, "no mouse target");
	*out = resolve_pane(wl, p);
	return 0;
}

static int
target_parts(struct cmd_context *c, unsigned kind, const char *spart,
    const char *wpart, const char *ppart, struct cmd_target *out,
    struct cause *why)
{
	struct session *s = c->current.s;
	struct winlink *wl = NULL;
	struct pane *p;
	int index = -1;

	(void)kind;
	if (spart != NULL && *spart != '\0' &&
	    (s = find_session(c, spart)) == NULL)
		return cause_set(
		    why, -ERR_NOTFOUND, "can't find session: %s", spart);
	if (s == NULL)
		return cause_set(why, -ERR_NOTFOUND, "no current session");
	if (wpart != NULL && *wpart != '\0') {
		wl = find_window(s, wpart, &index);
		if (wl == NULL && index < 0)
			return cause_set(
			    why, -ERR_NOTFOUND, "can't find window: %s", wpart);
	} else
		wl = spart != NULL || c->current.s != s ? s->current
							: c->current.wl;
	if (wl == NULL) {
		*out = (struct cmd_target){ .s = s, .index = index };
		return 0;
	}
	*out = resolve_winlink(wl);
	if (wpart == NULL && spart == NULL && c->current.p != NULL &&
	    c->current.wl == wl)
		out->p = c->current.p;
	if (ppart == NULL || *ppart == '\0')
		return 0;
	if ((p = find_pane(wl->window, ppart)) == NULL)
		return cause_set(
		    why, -ERR_NOTFOUND, "can't find pane: %s", ppart);
	out->p = p;
	return 0;
}

int
resolve_target(struct cmd_context *c, unsigned what, const char *text,
    struct cmd_target *out, struct cause *why)
{
	unsigned kind = what & TGT_KIND;
	char *copy, *colon, *dot;
	struct pane *p;
	struct winlink *wl;
	int r;

	if (text == NULL || *text == '\0') {
		*out = c->current;
		return c->current.s != NULL || (what & TGT_CANFAIL) != 0
			   ? 0
			   : cause_set(why, -ERR_NOTFOUND, "no current target");
	}
	if (strcmp(text, "=") == 0 || strcmp(text, "{mouse}") == 0)
		return target_mouse(c, out, why);
	if (strcmp(text, "~") == 0 || strcmp(text, "{marked}") == 0) {
		if (!mux_get_mark(c->sv->mux, &wl, &p))
			return cause_set(
			    why, -ERR_NOTFOUND, "no marked target");
		*out = resolve_pane(wl, p);
		return 0;
	}
	if (*text == '%') {
		p = mux_pane(c->sv->mux, (uint32_t)strtoul(text + 1, NULL, 10));
		if (p == NULL || list_empty(&p->window->links))
			return cause_set(
			    why, -ERR_NOTFOUND, "can't find pane: %s", text);
		wl = c->current.s == NULL
			 ? NULL
			 : session_link_to(c->current.s, p->window);
		if (wl == NULL)
			wl = container_of(list_first(&p->window->links),
			    struct winlink, window_node);
		*out = resolve_pane(wl, p);
		return 0;
	}
	copy = mem_strdup(text);
	colon = strchr(copy, ':');
	dot = strrchr(colon == NULL ? copy : colon, '.');
	if (dot != NULL)
		*dot++ = '\0';
	if (colon != NULL) {
		*colon++ = '\0';
		r = target_parts(c, kind, copy, colon, dot, out, why);
	} else if (dot != NULL)
		r = target_parts(c, kind, NULL, copy, dot, out, why);
	else if (kind == TGT_SESSION || *copy == '$')
		r = target_parts(c, kind, copy, NULL, NULL, out, why);
	else if (kind == TGT_WINDOW || *copy == '@')
		r = target_parts(c, kind, NULL, copy, NULL, out, why);
	else if (c->current.w != NULL && find_pane(c->current.w, copy) != NULL)
		r = target_parts(c, kind, NULL, NULL, copy, out, why);
	else
		r = target_parts(c, kind, NULL, copy, NULL, out, why);
	/* A session's name also stands for its current window or pane. */
	if (r != 0 && colon == NULL && dot == NULL && kind != TGT_SESSION &&
	    find_session(c, copy) != NULL) {
		cause_fini(why);
		r = target_parts(c, kind, copy, NULL, NULL, out, why);
	}
	mem_free(copy);
	return r;
}

static int
resolve_flag(struct cmd_context *c, unsigned what, int flag,
    struct cmd_target *out, struct cause *why)
{
	int r;

	if ((what & TGT_KIND) == TGT_NONE) {
		*out = c->current;
		return 0;
	}
	r = resolve_target(c, what, args_get(c->args, flag), out, why);
	if (r != 0 && (what & TGT_CANFAIL) != 0) {
		cause_fini(why);
		*out = (struct cmd_target){ .index = -1 };
		r = 0;
	}
	if (r == 0 && out->wl == NULL && out->index >= 0 &&
	    (what & TGT_INDEX) == 0)
		return cause_set(
		    why, -ERR_NOTFOUND, "can't find window: %d", out->index);
	return r;
}

int
resolve_context(struct cmd_context *c, struct cause *why)
{
	const struct command_row *row = c->cmd->row;
	const char *name = NULL;
	int r;

	c->client = mux_client(c->sv->mux, c->state->client);
	if (c->client == NULL && c->conn != NULL &&
	    conn_viewer(c->conn) != NULL)
		c->client = conn_viewer(c->conn)->client;
	resolve_current(c);
	if (row->what & CMD_CFLAG)
		name = args_get(c->args, 'c');
	else if (row->what & CMD_TFLAG)
		name = args_get(c->args, 't');
	if (name != NULL || (row->what & (CMD_CFLAG | CMD_TFLAG)) != 0) {
		c->client = resolve_client(c, name);
		if (c->client == NULL && name != NULL &&
		    (row->what & CMD_CANFAIL) == 0)
			return cause_set(
			    why, -ERR_NOTFOUND, "can't find client: %s", name);
	}
	if (c->client != NULL)
		c->viewer = viewer_find(c->sv, c->client);
	if ((r = resolve_flag(c, row->source, 's', &c->source, why)) != 0)
		return r;
	return resolve_flag(c, row->target, 't', &c->target, why);
}
