/* The scope of the model: rows, options, loops. */
#include "mux/fmt/vars.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/match.h"
#include "mux/fmt/vars_int.h"
#include "mux/notify.h"
#include "mux/vt/dump.h"

#define VARS_LINE_MAX 65536u /* bytes of a row that is searched */

/* clang-format off */
static const struct vars_row {
	const char *name;
	enum vars_need need;
	vars_fn get;
	const char *help;
} vars_rows[] = {
#define X(name, need, help) { #name, NEED_##need, var_##name, help },
#include "mux/fmt/vars.def"
#undef X
};
/* clang-format on */

void
vars_init(struct vars *v, struct mux *m, const struct vars_host *host,
    struct client *c, const struct target *t)
{
	*v = (struct vars){ .m = m, .host = host, .client = c };
	v->buffer = paste_top(m->paste);
	if (t == NULL || t->session == NULL)
		return;
	v->kind = t->pane != NULL   ? VARS_PANE
		  : t->link != NULL ? VARS_WINDOW
				    : VARS_SESSION;
	v->session = t->session;
	v->link = t->link;
	v->window = t->window;
	v->pane = t->pane;
}

void
vars_each(vars_row_fn fn, void *arg)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(vars_rows); i++)
		fn(arg, vars_rows[i].name, vars_rows[i].help);
}

static bool
vars_has(const struct vars *v, enum vars_need need)
{
	switch (need) {
	case NEED_NONE:
		return true;
	case NEED_CLIENT:
		return v->client != NULL;
	case NEED_SESSION:
		return v->session != NULL;
	case NEED_LINK:
		return v->link != NULL;
	case NEED_WINDOW:
		return v->window != NULL;
	case NEED_PANE:
		return v->pane != NULL;
	case NEED_BUFFER:
		return v->buffer != NULL;
	case NEED_MOUSE:
		return v->mouse != NULL && v->mouse->valid;
	}
	return false;
}

static int
row_compare(const void *key, const void *row)
{
	return strcmp(key, ((const struct vars_row *)row)->name);
}

bool
vars_server(const struct vars *v, const char *name, struct buf *out)
{
	return v->host != NULL && v->host->server != NULL &&
	       v->host->server(v->host->arg, name, out);
}

/* --- options ------------------------------------------------------------------- */

/* Appends the text of an option in a tree or above it. */
static bool
tree_text(
    const struct options *o, const struct option_name *name, struct buf *out)
{
	char *text = options_text_new(o, name);
	bool ok;

	if (text == NULL)
		return false;
	if (name->row != NULL && name->row->type == OPTION_FLAG)
		ok = put_flag(out, strcmp(text, "on") == 0);
	else
		ok = put_str(out, text);
	mem_free(text);
	return ok;
}

/* Accepts whole names only, not beginnings. */
static bool
option_name_make(const char *text, struct option_name *name)
{
	const struct option_row *row;
	size_t n;

	if (*text != '@' && strchr(text, '[') == NULL) {
		if ((row = option_row_find(text)) == NULL)
			return false;
		name->row = row;
		name->index = OPTION_NO_INDEX;
		(void)str_copy(name->text, row->name, sizeof(name->text));
		return true;
	}
	if (option_match(text, name, NULL) != 0)
		return false;
	/* An option that is no array has its value at any index. */
	if (name->row != NULL && (name->row->flags & OPT_ARRAY) == 0)
		name->index = OPTION_NO_INDEX;
	n = strlen(name->text);
	return strncmp(text, name->text, n) == 0 &&
	       (text[n] == '\0' || text[n] == '[');
}

static bool
scope_option(void *ctx, const char *text, struct buf *out)
{
	const struct vars *v = ctx;
	const struct option_name *n;
	struct option_name name;

	if (!option_name_make(text, &name))
		return false;
	if (name.row == NULL && v->user_option != NULL)
		*v->user_option = true;
	n = &name;
	if (tree_text(&v->m->server_options, n, out))
		return true;
	if (v->pane != NULL && tree_text(&v->pane->options, n, out))
		return true;
	if (v->pane == NULL && v->window != NULL &&
	    tree_text(&v->window->options, n, out))
		return true;
	if (tree_text(&v->m->window_options, n, out))
		return true;
	return tree_text(
	    v->session != NULL ? &v->session->options : &v->m->session_options,
	    n, out);
}

/*
 * Looks up next_@x and prev_@x of a round of W:: options of that window alone,
 * as in tmux.
 */
static bool
neighbour_option(const struct vars *v, const char *name, struct buf *out)
{
	const struct option_entry *e;
	struct winlink *wl;

	if (!v->in_windows)
		return false;
	if (str_starts(name, "next_@"))
		wl = v->next;
	else if (str_starts(name, "prev_@"))
		wl = v->prev;
	else
		return false;
	if (v->user_option != NULL)
		*v->user_option = true;
	if (wl == NULL)
		return false;
	e = map_get(&wl->window->options.user, name + 5);
	if (e != NULL)
		option_value_print(NULL, &e->value, false, out);
	return e != NULL;
}

/* --- variables ------------------------------------------------------------------ */

/* Looks up pane_uservar_NAME, a variable that the pane's program has set. */
static bool
program_variable(const struct vars *v, const char *name, struct buf *out)
{
	static const char head[] = "pane_uservar_";

	return v->pane != NULL && str_starts(name, head) &&
	       put_str(
		   out, pane_vars_get(&v->pane->vars, name + sizeof head - 1));
}

/* Appends one variable; returns false if it does not exist. */
static bool
vars_get(struct vars *v, const char *name, struct buf *out)
{
	const struct vars_row *row;
	size_t start = out->len;

	row = bsearch(
	    name, vars_rows, ARRAY_LEN(vars_rows), sizeof(*row), row_compare);
	if (row != NULL) {
		if (vars_has(v, row->need) && row->get(v, out))
			return true;
		buf_truncate(out, start);
		return false;
	}
	if (neighbour_option(v, name, out) || program_variable(v, name, out))
		return true;
	if (v->pane != NULL && pane_mode_format(v->pane, name, out))
		return true;
	return v->host != NULL && v->host->other != NULL &&
	       v->host->other(v->host->arg, name, out);
}

void
vars_values(struct vars *v, vars_value_fn fn, void *arg)
{
	const struct vars_row *row;
	struct buf b;

	buf_init(&b, BUF_MAX);
	for (row = vars_rows; row < vars_rows + ARRAY_LEN(vars_rows); row++) {
		buf_clear(&b);
		if (vars_has(v, row->need) && row->get(v, &b))
			fn(arg, row->name, buf_cstr(&b));
	}
	buf_fini(&b);
}

static bool
scope_variable(void *ctx, const char *name, struct buf *out)
{
	return vars_get(ctx, name, out);
}

static bool
scope_environ(void *ctx, const char *name, struct buf *out)
{
	const struct vars *v = ctx;
	const struct environ_var *var = NULL;

	if (v->session != NULL)
		var = environ_find(&v->session->environ, name);
	if (var == NULL)
		var = environ_find(&v->m->environ, name);
	return var != NULL && put_str(out, var->value);
}

/* --- other callbacks --------------------------------------------------------------- */

static bool
scope_exists(void *ctx, enum format_loop_kind kind, const char *name)
{
	const struct vars *v = ctx;
	const struct list_node *n;
	struct winlink *wl;

	if (kind == FORMAT_LOOP_SESSIONS)
		return mux_session_named(v->m, name) != NULL;
	if (kind != FORMAT_LOOP_WINDOWS || v->session == NULL)
		return false;
	SESSION_FOREACH_LINK(wl, n, v->session)
	{
		if (strcmp(wl->window->name, name) == 0)
			return true;
	}
	return false;
}

/* Matches like match_glob "*text*"; the caller's pattern is a glob already. */
static bool
line_matches(const char *line, const char *pattern, bool regex, bool nocase)
{
	unsigned flags = nocase ? MATCH_NOCASE : 0;
	char *glob;
	bool found = false;

	if (regex)
		return match_regex(pattern, line, flags, &found, NULL) == 0 &&
		       found;
	glob = mem_printf("*%s*", pattern);
	found = match_glob(glob, line, flags);
	mem_free(glob);
	return found;
}

static uint32_t
scope_search(void *ctx, const char *pattern, bool regex, bool nocase)
{
	const struct vars *v = ctx;
	struct vt_grid *g;
	struct buf line;
	uint32_t found = 0;
	unsigned y;

	if (v->pane == NULL)
		return 0;
	g = vt_term_grid(v->pane->term);
	buf_init(&line, VARS_LINE_MAX);
	for (y = 0; y < g->rows && found == 0; y++) {
		buf_clear(&line);
		(void)vt_dump_line(
		    &line, vt_grid_line(g, y), 0, g->cols, VT_DUMP_TRIM);
		if (line_matches(buf_cstr(&line), pattern, regex, nocase))
			found = y + 1;
	}
	buf_fini(&line);
	return found;
}

static void
scope_job(void *ctx, const char *command, struct buf *out)
{
	const struct vars *v = ctx;

	if (v->host != NULL && v->host->job != NULL)
		v->host->job(v->host->arg, v, command, out);
}

static bool
scope_has_client(void *ctx)
{
	const struct vars *v = ctx;

	return v->client != NULL;
}

static bool
scope_client_has(void *ctx, char what, const char *name, struct buf *out)
{
	const struct vars *v = ctx;

	if (v->client == NULL)
		return false;
	if (what == 'f')
		return put_flag(out, client_has_feature(v->client, name));
	if (what == 'e')
		return put_str(out, environ_get(&v->client->environ, name));
	return v->host != NULL && v->host->client_has != NULL &&
	       v->host->client_has(v->host->arg, v->client, what, name, out);
}

static void
scope_local_time(void *ctx, int64_t t, struct tm *tm)
{
	const struct vars *v = ctx;

	v->host->local_time(v->host->arg, t, tm);
}

/* clang-format off */
#define VARS_OPS \
	.option = scope_option, \
	.variable = scope_variable, \
	.environ = scope_environ, \
	.loop = vars_loop, \
	.exists = scope_exists, \
	.search = scope_search, \
	.job = scope_job, \
	.client_has = scope_client_has, \
	.has_client = scope_has_client
/* clang-format on */

static const struct format_ops vars_ops_utc = { VARS_OPS };
static const struct format_ops vars_ops = { VARS_OPS,
	.local_time = scope_local_time };

struct format_scope
vars_scope(struct vars *v)
{
	bool local = v->host != NULL && v->host->local_time != NULL;

	return (struct format_scope){ local ? &vars_ops : &vars_ops_utc, v };
}

/* --- events ------------------------------------------------------------------------ */

static void
event_var(struct vars_event *ve, const char *name, const char *value)
{
	if (value == NULL || ve->count >= VARS_EVENT_MAX)
		return;
	ve->vars[ve->count++] = (struct format_var){ name, value };
}

static void
event_id(struct vars_event *ve, size_t slot, const char *name, char letter,
    uint32_t id)
{
	struct buf b;

	if (id == MUX_NONE)
		return;
	buf_init(&b, sizeof(ve->text[slot]) - 1);
	(void)buf_addf(&b, "%c%u", letter, id);
	(void)str_copy(ve->text[slot], buf_cstr(&b), sizeof(ve->text[slot]));
	buf_fini(&b);
	event_var(ve, name, ve->text[slot]);
}

/* Copies a name, which lives as long as VE. */
static void
event_name(
    struct vars_event *ve, size_t slot, const char *name, const char *value)
{
	if (value == NULL)
		return;
	ve->names[slot] = mem_strdup(value);
	event_var(ve, name, ve->names[slot]);
}

/*
 * The session of E. A new pane, and one whose shell reports a command, is of the
 * first session of its window.
 */
static const struct session *
event_session(
    const struct mux *m, const struct mux_event *e, const struct window *w)
{
	const struct list_node *n;

	if (w == NULL || (e->type != MUX_EVENT_PANE_CREATED &&
			     e->type != MUX_EVENT_PANE_COMMAND_STARTED &&
			     e->type != MUX_EVENT_PANE_COMMAND_FINISHED))
		return mux_session(m, e->session);
	n = list_first(&w->links);
	return n == NULL
		   ? NULL
		   : container_of(n, struct winlink, window_node)->session;
}

/* What a program said. */
static void
event_notification(struct vars_event *ve, const struct mux *m, const char *text)
{
	static const char *const urgencies[] = { "low", "normal", "critical" };
	const struct notify_entry *e;
	int64_t number;

	if (text == NULL || str_to_int(text, 1, INT64_MAX, &number) != 0 ||
	    (e = notify_find(m->notify, (uint64_t)number)) == NULL)
		return;
	event_name(ve, 3, "notification_number", text);
	event_name(ve, 4, "notification_title", e->title);
	event_name(ve, 5, "notification_body", e->body);
	event_var(ve, "notification_kind", notify_kind_name(e->kind));
	event_var(ve, "notification_urgency", urgencies[e->note.urgency]);
}

void
vars_event_init(
    struct vars_event *ve, const struct mux *m, const struct mux_event *e)
{
	const struct mux_event_row *row = mux_event_row(e->type);
	const struct window *w = mux_window(m, e->window);
	const struct session *s = event_session(m, e, w);
	const struct client *c = mux_client(m, e->client);
	bool of_session = str_starts(row->name, "SESSION_"),
	     of_client = str_starts(row->name, "CLIENT_");

	*ve = (struct vars_event){ 0 };
	event_var(ve, "hook", row->hook);
	event_id(ve, 0, "hook_session", '$', s != NULL ? s->id : e->session);
	event_id(ve, 1, "hook_window", '@', e->window);
	event_id(ve, 2, "hook_pane", '%', e->pane);
	event_name(ve, 0, "hook_session_name",
	    s != NULL                        ? s->name
	    : of_session && e->owner == NULL ? e->text
					     : e->owner);
	/* A new window gets its name behind the event. */
	event_name(ve, 1, "hook_window_name",
	    e->titled != NULL && *e->titled != '\0' ? e->titled
	    : w != NULL                             ? w->name
						    : NULL);
	event_name(ve, 2, "hook_client",
	    c != NULL   ? c->name
	    : of_client ? e->text
			: NULL);
	if (str_starts(row->name, "PASTE_"))
		event_name(ve, 3, "hook_buffer", e->text);
	if (e->type == MUX_EVENT_PANE_USER_VAR)
		event_name(ve, 3, "hook_user_var", e->text);
	if (e->type == MUX_EVENT_PANE_NOTIFICATION)
		event_notification(ve, m, e->text);
	if (e->index >= 0) {
		struct buf b;

		buf_init(&b, sizeof(ve->text[3]) - 1);
		(void)buf_addf(&b, "%d", e->index);
		(void)str_copy(ve->text[3], buf_cstr(&b), sizeof(ve->text[3]));
		buf_fini(&b);
		event_var(ve, "hook_window_index", ve->text[3]);
	}
}

void
vars_event_fini(struct vars_event *ve)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(ve->names); i++)
		mem_free(ve->names[i]);
	*ve = (struct vars_event){ 0 };
}
