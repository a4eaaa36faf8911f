/* Helpers of several families: indexes, sizes, numbers, environments. */
#include "server/cmd/shared.h"

#include <string.h>

#include "base/str.h"
#include "conf/keytable.h"
#include "server/cmd/resolve.h"
#include "server/core/agents.h"

bool
cmd_window_index(struct cmd_context *c, const struct cmd_target *t, int *index)
{
	struct winlink *at = t->wl != NULL ? t->wl : t->s->current;
	bool before = args_has(c->args, 'b') != 0;

	*index = t->index;
	if (!before && !args_has(c->args, 'a'))
		return true;
	if (at != NULL && session_shuffle(at, before, index) == 0)
		return true;
	(void)cmd_error(c, "no free index");
	return false;
}

void
cmd_renumber(struct session *s)
{
	if (s->current != NULL &&
	    options_flag(&s->options, OPTION_RENUMBER_WINDOWS))
		session_renumber(s);
}

void
cmd_renumber_all(struct mux *m)
{
	struct map_entry *e;

	MAP_FOREACH(e, &m->session_ids)
		cmd_renumber(e->value);
}

static int
split_size(struct cmd_context *c, int whole, int *size, struct cause *why)
{
	int64_t n = -1;
	int r;

	*size = -1;
	if (args_get(c->args, 'l') != NULL)
		r = args_percentage(c->args, 'l', 0, INT32_MAX, whole, &n, why);
	else if (args_get(c->args, 'p') != NULL) {
		r = args_number(c->args, 'p', 0, 100, &n, why);
		n = n * whole / 100;
	} else
		return 0;
	if (r == 0)
		*size = (int)n;
	return r;
}

int
cmd_split_how(struct cmd_context *c, struct layout_split *how)
{
	struct cause why = { NULL };
	const struct window *w = c->target.w;
	const struct pane *p = c->target.p;
	int whole, r;

	how->kind = args_has(c->args, 'h') ? LAYOUT_ROW : LAYOUT_COLUMN;
	how->before = args_has(c->args, 'b') != 0;
	how->full = args_has(c->args, 'f') != 0;
	if (how->kind == LAYOUT_ROW)
		whole = how->full ? w->w : p->w;
	else
		whole = how->full ? w->h : p->h;
	if ((r = split_size(c, whole, &how->size, &why)) != 0)
		(void)cmd_fault(c,
		    c->cmd->row->id == COMMAND_join_pane ||
			    c->cmd->row->id == COMMAND_move_pane
			? "size or position invalid tiled geometry"
			: "invalid tiled geometry",
		    r, &why);
	return r;
}

bool
cmd_adjustment(struct cmd_context *c, int *out)
{
	const char *text = args_string(c->args, 0);
	struct cause why = { NULL };
	int64_t n = 1;
	int r;

	if (text != NULL &&
	    (r = args_text_number(text, 1, INT32_MAX, &n, &why)) != 0) {
		(void)cmd_fault(c, "adjustment", r, &why);
		return false;
	}
	*out = (int)n;
	return true;
}

void
cmd_update_environment(struct server *sv, struct conn *cn, struct session *s)
{
	struct environ env;
	const char *const *e;

	if (cn == NULL)
		return;
	environ_init(&env);
	for (e = conn_env(cn); *e != NULL; e++)
		environ_put(&env, *e);
	agents_environ(sv->agents, cn, &env);
	environ_update(&s->environ, &env,
	    options_get(&s->options, OPTION_UPDATE_ENVIRONMENT));
	environ_fini(&env);
}

struct client *
cmd_person(struct cmd_context *c, const char *text, struct cause *why)
{
	const bool current = strcmp(text, ".") == 0;
	struct client *cl = resolve_client(c, current ? NULL : text);

	if (cl == NULL && current)
		(void)cause_set(why, -ERR_NOTFOUND, "no current client");
	else if (cl == NULL)
		(void)cause_set(
		    why, -ERR_NOTFOUND, "can't find client: %s", text);
	return cl;
}

const struct keytable *
cmd_find_table(const struct cmd_context *c, const char *name)
{
	const struct keytables *all = c->sv->run.keys;

	return c->client == NULL ? keytables_find(all, name)
				 : client_find_table(c->client, all, name);
}

bool
cmd_order_known(const char *name)
{
	static const char *const names[] = { "activity", "creation", "index",
		"key", "modifier", "name", "order", "size", "z" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (str_eq_nocase(name, names[i]))
			return true;
	return false;
}

bool
cmd_empty_conflict(struct cmd_context *c)
{
	const char *word = args_string(c->args, 0);

	if ((!args_has(c->args, 'E') && !args_has(c->args, 'I')) ||
	    c->args->count == 0 ||
	    (c->args->count == 1 && word != NULL && *word == '\0'))
		return false;
	(void)cmd_error(c, "command cannot be given for empty pane");
	return true;
}
