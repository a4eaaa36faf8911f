/* respawn-pane, respawn-window. */
#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/cmd/shared.h"
#include "server/io/pane_io.h"

/* Returns whether a program still runs in P. */
static bool
pane_runs(struct cmd_context *c, const struct pane *p)
{
	const struct pane_io *io = pane_io_find(&c->sv->panes, p->id);

	return io != NULL && (p->flags & PANE_DEAD) == 0;
}

/*
 * Starts the given command, else P's own, in a reset terminal; with -E only notes
 * it and leaves the pane without a program.
 */
static int
respawn(struct cmd_context *c, struct pane *p, struct cause *why)
{
	struct pane_start st = { .history = p->history_limit };
	const char *cwd = args_get(c->args, 'c');
	char *argv[256], *path = NULL, **old = NULL;
	size_t i, count = 0;
	int r;

	pane_io_free(pane_io_find(&c->sv->panes, p->id));
	pane_pop_modes(p);
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	if (cwd != NULL)
		path = cmd_format_new(c, &c->target, cwd);
	else if (p->start_path != NULL)
		path = mem_strdup(p->start_path);
	st.path = path;
	st.shell = p->shell;
	if (st.argc == 0 && p->start_argc > 0) {
		/* pane_set_start frees the old command: pass a copy. */
		count = p->start_argc;
		old = mem_calloc(count, sizeof(*old));
		for (i = 0; i < count; i++)
			old[i] = mem_strdup(p->start_argv[i]);
		st.argv = old;
		st.argc = count;
	}
	pane_set_start(p, &st);
	for (i = 0; i < count; i++)
		mem_free(old[i]);
	mem_free(old);
	mem_free(path);
	/* As in tmux, the old screen does not go to the history. */
	vt_term_set_scroll_on_clear(p->term, false);
	vt_term_reset(p->term);
	pane_options_changed(p);
	if (args_has(c->args, 'E')) {
		pane_set_empty(p);
		return 0;
	}
	if ((r = cmd_spawn(c, c->target.s, p, why)) != 0)
		pane_set_dead(p, -1, 0);
	else
		mux_say(
		    p->mux, MUX_EVENT_PANE_CREATED, NULL, p->window, p, NULL);
	return r;
}

enum cmd_result
cmd_exec_respawn_pane(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	struct cause why = { NULL };

	if (pane_runs(c, p) && !args_has(c->args, 'k'))
		return cmd_error(c,
		    "respawn pane failed: pane %s:%d.%d still active",
		    c->target.s->name, c->target.wl->index, pane_index(p));
	if (respawn(c, p, &why) != 0) {
		cause_prefix(&why, "respawn pane failed");
		return cmd_cause(c, &why);
	}
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_respawn_window(struct cmd_context *c)
{
	struct window *w = c->target.w;
	struct pane *first, *p;
	struct cause why = { NULL };
	struct list_node *n, *tmp;

	WINDOW_FOREACH_PANE(p, n, w)
	if (pane_runs(c, p) && !args_has(c->args, 'k'))
		return cmd_error(c,
		    "respawn window failed: window %s:%d still active",
		    c->target.s->name, c->target.wl->index);
	(void)window_unzoom(w);
	first = window_first_pane(w);
	LIST_FOREACH_SAFE(n, &w->panes, tmp) {
		p = container_of(n, struct pane, node);
		if (p != first)
			(void)window_close_pane(p);
	}
	(void)window_set_active(w, first);
	if (respawn(c, first, &why) != 0) {
		cause_prefix(&why, "respawn window failed");
		return cmd_cause(c, &why);
	}
	(void)session_select(c->target.wl);
	session_sync(c->target.s); /* as in tmux */
	return CMD_NORMAL;
}
