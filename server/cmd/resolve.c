#include "server/cmd/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/target.h"

static struct cmd_target
from_target(const struct target *t)
{
	return (struct cmd_target){
		.s = t->session,
		.wl = t->link,
		.w = t->window,
		.p = t->pane,
		.index = t->index,
	};
}

static struct target
to_target(const struct cmd_target *t)
{
	return (struct target){
		.session = t->s,
		.link = t->wl,
		.window = t->w,
		.pane = t->p,
		.index = t->index,
	};
}

struct cmd_target
resolve_session(struct session *s)
{
	struct target t;

	target_from_session(&t, s);
	return from_target(&t);
}

struct cmd_target
resolve_winlink(struct winlink *wl)
{
	struct target t;

	target_from_link(&t, wl);
	return from_target(&t);
}

struct cmd_target
resolve_pane(struct winlink *wl, struct pane *p)
{
	struct target t;

	target_from_link_pane(&t, wl, p);
	return from_target(&t);
}

/* Returns the pane that the environment of the command's client names. */
static struct pane *
pane_of_conn(struct cmd_context *c)
{
	const char *const *env;
	size_t i;

	if (c->conn == NULL)
		return NULL;
	env = conn_env(c->conn);
	for (i = 0; env[i] != NULL; i++)
		if (strncmp(env[i], "RMUX_PANE=%", 11) == 0)
			return mux_pane(c->sv->run.mux,
			    (uint32_t)strtoul(env[i] + 11, NULL, 10));
	return NULL;
}

/* Takes the target that a binding, a hook or an earlier command has set. */
static bool
current_of_state(struct cmd_context *c, struct target *t)
{
	struct mux *m = c->sv->run.mux;
	struct session *s = mux_session(m, c->state->session);
	struct window *w = mux_window(m, c->state->window);
	struct pane *p = mux_pane(m, c->state->pane);
	struct winlink *wl;

	if (s == NULL)
		return (p != NULL && target_from_pane(t, p, NULL)) ||
		       (w != NULL && target_from_window(t, w, NULL));
	if (c->state->window == MUX_NONE && c->state->pane == MUX_NONE) {
		target_from_session(t, s);
		return true;
	}
	if (w == NULL && p != NULL)
		w = p->window;
	if (w == NULL)
		return false;
	wl = session_link_at(s, c->state->index);
	if (wl == NULL || wl->window != w)
		wl = session_link_to(s, w);
	if (wl == NULL)
		return false;
	if (p != NULL && p->window == w)
		target_from_link_pane(t, wl, p);
	else
		target_from_link(t, wl);
	return true;
}

static void
resolve_current(struct cmd_context *c)
{
	struct target t = { .index = -1 };
	struct pane *p;
	struct session *s;

	if (current_of_state(c, &t) || target_from_client(&t, c->client) ||
	    ((p = pane_of_conn(c)) != NULL && target_from_inside(&t, p)))
		c->current = from_target(&t);
	else if ((s = target_best_session(c->sv->run.mux, false)) != NULL) {
		c->current = resolve_session(s);
		c->nowhere = true;
	} else
		c->current = (struct cmd_target){ .index = -1 };
}

void
cmd_state_target(struct cmd_state *st, const struct cmd_target *t)
{
	st->session = t->s == NULL ? MUX_NONE : t->s->id;
	st->window = t->w == NULL ? MUX_NONE : t->w->id;
	st->pane = t->p == NULL ? MUX_NONE : t->p->id;
	st->index = t->wl == NULL ? -1 : t->wl->index;
}

void
cmd_set_current(struct cmd_context *c, const struct cmd_target *t)
{
	cmd_state_target(c->state, t);
}

/* --- targets ----------------------------------------------------------------- */

static struct target_context
context_of(const struct cmd_context *c)
{
	return (struct target_context){
		.current = to_target(&c->current),
		.client = c->client,
		.has_mouse = (c->state->flags & CMD_STATE_MOUSE) != 0,
		.mouse_session = c->state->mouse_session,
		.mouse_window = c->state->mouse_window,
		.mouse_pane = c->state->mouse_pane,
	};
}

struct client *
resolve_client(struct cmd_context *c, const char *text)
{
	struct target_context ctx = context_of(c);
	struct client *cl;

	if (target_find_client(c->sv->run.mux, &ctx, text, &cl, NULL) != 0)
		return NULL;
	return cl;
}

int
resolve_target(struct cmd_context *c, unsigned what, const char *text,
    struct cmd_target *out, struct cause *why)
{
	struct target_context ctx = context_of(c);
	struct target t;
	int r;

	/* A caller that is in no session may prefer one without clients. */
	if (c->nowhere && (what & TGT_UNATTACHED) != 0) {
		ctx.current.session = NULL;
		ctx.client = NULL;
	}
	r = target_find(c->sv->run.mux, &ctx, text, what, &t, why);
	*out = from_target(&t);
	return r;
}

static int
resolve_flag(struct cmd_context *c, unsigned what, int flag,
    struct cmd_target *out, struct cause *why)
{
	if ((what & TGT_KIND) == TGT_NONE) {
		*out = c->current;
		return 0;
	}
	return resolve_target(c, what, args_get(c->args, flag), out, why);
}

/*
 * Finds the client that the command works on, by its row. A command without
 * one shows the variables of the client that was used last.
 */
static int
resolve_row_client(struct cmd_context *c, struct cause *why)
{
	struct target_context ctx = context_of(c);
	unsigned what = c->cmd->row->what;
	struct cause mine = { NULL };
	struct client *cl;
	int r;

	c->shown = c->client;
	if ((what & (CMD_CFLAG | CMD_TFLAG)) == 0) {
		if (c->client == NULL)
			c->shown = resolve_client(c, NULL);
		return 0;
	}
	r = target_find_client(c->sv->run.mux, &ctx,
	    args_get(c->args, what & CMD_CFLAG ? 'c' : 't'), &cl, &mine);
	if (r == 0 || (what & CMD_CANFAIL) != 0) {
		cause_fini(&mine);
		c->client = c->shown = cl;
		return 0;
	}
	*why = mine;
	return r;
}

int
resolve_context(struct cmd_context *c, struct cause *why)
{
	const struct command_row *row = c->cmd->row;
	int r;

	if ((row->what & CMD_SESSIONS) != 0 &&
	    c->sv->run.mux->session_ids.count == 0)
		return cause_set(why, -ERR_NOTFOUND, "no sessions");
	c->client = mux_client(c->sv->run.mux, c->state->client);
	if (c->client == NULL)
		c->client = controller_client(c->conn);
	resolve_current(c);
	if ((r = resolve_row_client(c, why)) != 0)
		return r;
	if (c->client != NULL)
		c->viewer = viewer_find(&c->sv->viewers, c->client);
	if ((r = resolve_flag(c, row->source, 's', &c->source, why)) != 0)
		return r;
	return resolve_flag(c, row->target, 't', &c->target, why);
}
