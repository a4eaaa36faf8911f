#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/io/pane_io.h"
#include "server/io/spawn.h"

/* split-window -I: the pane that gets the caller's standard input. */
struct feed {
	struct server *sv;
	uint32_t pane;
	uint64_t token;
};

static void
feed_done(void *arg, UNUSED int error, char *data, size_t len)
{
	struct feed *f = arg;
	struct pane *p = mux_pane(f->sv->run.mux, f->pane);

	if (p != NULL && len > 0) {
		/* Lines end in LF: set LNM (new line mode). */
		vt_term_write(p->term, "\033[20h", 5);
		vt_term_write(p->term, data, len);
		pane_output(p);
	}
	mem_free(data);
	cmdq_continue(&f->sv->run, f->token, false);
	mem_free(f);
}

/* Shows the caller's standard input in P, which has no program. */
static enum cmd_result
feed_pane(struct cmd_context *c, struct pane *p)
{
	struct feed *f;

	if (c->conn == NULL || viewer_of_conn(c->conn) != NULL)
		return CMD_NORMAL;
	f = mem_zalloc(sizeof(*f));
	f->sv = c->sv;
	f->pane = p->id;
	f->token = cmdq_wait(c->item);
	conn_read_file(c->conn, "-", feed_done, f);
	return CMD_WAIT;
}

/* Returns whether the pane gets no program: -I, or an empty command. */
static bool
wants_empty(const struct cmd_context *c)
{
	const char *word = args_string(c->args, 0);

	return args_has(c->args, 'I') != 0 ||
	       (c->args->count == 1 && word != NULL && *word == '\0');
}

/* Sets the new pane's options from flags; 0, or an error with a cause. */
static int
split_options(struct cmd_context *c, struct pane *p, struct cause *why)
{
	static const struct {
		char flag;
		const char *option;
		const char *value; /* NULL: the flag's value */
	} rows[] = { { 'B', "pane-border-lines", NULL },
		{ 'k', "remain-on-exit", "key" },
		{ 'm', "remain-on-exit-format", NULL },
		{ 'R', "pane-border-style", NULL },
		{ 's', "window-style", NULL },
		{ 's', "window-active-style", NULL },
		{ 'S', "pane-active-border-style", NULL } };
	const char *value;
	size_t i;
	int r = 0;

	for (i = 0; i < ARRAY_LEN(rows) && r == 0; i++) {
		if (!args_has(c->args, rows[i].flag))
			continue;
		value = rows[i].value == NULL ? args_get(c->args, rows[i].flag)
					      : rows[i].value;
		r = options_set_text(&p->options, rows[i].option, value, why);
	}
	return r;
}

enum cmd_result
cmd_exec_split_window(struct cmd_context *c)
{
	struct layout_split how = { 0 };
	struct pane_start st = { .empty = wants_empty(c) };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	char *argv[256], *path, *title;
	struct cmd_target t;
	struct pane *p;
	int r;

	if (args_has(c->args, 'W'))
		return cmd_error(c, "floating panes are not built yet");
	if (cmd_split_how(c, &how) != 0)
		return CMD_ERROR;
	st.history =
	    (size_t)options_number(&c->target.s->options, OPTION_HISTORY_LIMIT);
	path = cmd_start_path(c, &c->target, false);
	st.path = path;
	if (!st.empty)
		cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	r = window_split(w, c->target.p, &how, &st, &p, &why);
	mem_free(path);
	if (r != 0)
		return cmd_cause(c, &why);
	if (split_options(c, p, &why) != 0) {
		window_close_pane(p);
		return cmd_cause(c, &why);
	}
	if (!st.empty && cmd_spawn(c, c->target.s, p, &why) != 0) {
		window_close_pane(p);
		cause_prefix(&why, "create pane failed");
		return cmd_cause(c, &why);
	}
	t = resolve_pane(c->target.wl, p);
	if (args_get(c->args, 'T') != NULL) {
		title = cmd_format_new(c, &t, args_get(c->args, 'T'));
		pane_set_title(p, title);
		mem_free(title);
	}
	if (!args_has(c->args, 'd')) {
		(void)window_set_active(w, p);
		cmd_set_current(c, &t);
	}
	if (args_has(c->args, 'Z'))
		(void)window_zoom(w->active);
	cmd_set_after(c, &t);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return args_has(c->args, 'I') ? feed_pane(c, p) : CMD_NORMAL;
}

enum cmd_result
cmd_exec_kill_pane(struct cmd_context *c)
{
	struct list_node *n, *tmp;
	struct cmd_target t;
	struct pane *p;

	if (!args_has(c->args, 'a')) {
		if (cmd_filter(c, &c->target))
			(void)window_close_pane(c->target.p);
		cmd_renumber_all(c->sv->run.mux);
		return CMD_NORMAL;
	}
	(void)window_unzoom(c->target.w);
	LIST_FOREACH_SAFE(n, &c->target.w->panes, tmp) {
		p = container_of(n, struct pane, node);
		t = resolve_pane(c->target.wl, p);
		if (p != c->target.p && cmd_filter(c, &t))
			(void)window_close_pane(p);
	}
	return CMD_NORMAL;
}

/* Returns whether a key of a client with panes of its own runs the command. */
static bool
has_own(const struct cmd_context *c)
{
	return c->state->client != MUX_NONE && c->client != NULL &&
	       c->client->id == c->state->client &&
	       client_own_panes(c->client) && client_link(c->client) != NULL &&
	       client_link(c->client)->window == c->target.w;
}

/* Makes P active; unzooms unless -Z was given. */
static enum cmd_result
activate(struct cmd_context *c, struct pane *p)
{
	struct window *w = c->target.w;
	struct cmd_target t = resolve_pane(c->target.wl, p);
	bool zoomed = w->zoomed;

	if (has_own(c)) {
		/*
		 * A pane that a zoom hides cannot be a client's own active
		 * pane.
		 */
		if (pane_visible(p))
			client_set_pane(c->client, p);
		cmd_set_current(c, &t);
		return CMD_NORMAL;
	}
	if (p == w->active)
		return CMD_NORMAL;
	(void)window_unzoom(w);
	(void)window_set_active(w, p);
	if (zoomed && args_has(c->args, 'Z'))
		(void)window_zoom(p);
	cmd_set_current(c, &t);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_select_pane(struct cmd_context *c)
{
	static const struct {
		char flag;
		enum window_side side;
	} sides[] = { { 'U', WINDOW_UP }, { 'D', WINDOW_DOWN },
		{ 'L', WINDOW_LEFT }, { 'R', WINDOW_RIGHT } };
	struct window *w = c->target.w;
	struct pane *p = c->target.p, *to;
	char *title;
	size_t i;

	if (args_has(c->args, 'm') || args_has(c->args, 'M')) {
		struct winlink *mwl;
		struct pane *mp;

		if (args_has(c->args, 'M') ||
		    (mux_get_mark(c->sv->run.mux, &mwl, &mp) && mp == p))
			mux_set_mark(c->sv->run.mux, NULL, NULL);
		else
			mux_set_mark(c->sv->run.mux, c->target.wl, p);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'e') || args_has(c->args, 'd')) {
		pane_set_flags(p, PANE_INPUT_OFF, args_has(c->args, 'd') != 0);
		return CMD_NORMAL;
	}
	if (args_get(c->args, 'T') != NULL) {
		title = cmd_format_new(c, &c->target, args_get(c->args, 'T'));
		pane_set_title(p, title);
		mem_free(title);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'l')) {
		p = has_own(c) ? client_last_pane(c->client)
			       : window_last_pane(w);
		if (p == NULL)
			return cmd_error(c, "no last pane");
	}
	for (i = 0; i < ARRAY_LEN(sides); i++)
		if (args_has(c->args, sides[i].flag)) {
			to = window_neighbour(p, sides[i].side);
			if (to == NULL)
				return CMD_NORMAL;
			p = to;
		}
	return activate(c, p);
}

enum cmd_result
cmd_exec_last_pane(struct cmd_context *c)
{
	struct pane *p = has_own(c) ? client_last_pane(c->client)
				    : window_last_pane(c->target.w);

	if (p == NULL)
		return cmd_error(c, "no last pane");
	if (args_has(c->args, 'd') || args_has(c->args, 'e')) {
		pane_set_flags(p, PANE_INPUT_OFF, args_has(c->args, 'd') != 0);
		return CMD_NORMAL;
	}
	return activate(c, p);
}
