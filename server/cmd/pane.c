#include <string.h>

#include "base/mem.h"
#include "mux/layout_size.h"
#include "server/cmd/cmd.h"
#include "server/cmd/resolve.h"
#include "server/pane_io.h"
#include "server/spawn.h"

/* -l size or -p percentage of the space there is. */
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

enum cmd_result
cmd_exec_split_window(struct cmd_context *c)
{
	struct layout_split how = { .kind = LAYOUT_COLUMN };
	struct pane_start st = { 0 };
	struct cause why = { NULL };
	struct window *w = c->target.w;
	char *argv[256], *path;
	struct cmd_target t;
	struct pane *p;
	bool zoomed = w->zoomed;

	if (args_has(c->args, 'h'))
		how.kind = LAYOUT_ROW;
	how.before = args_has(c->args, 'b') != 0;
	how.full = args_has(c->args, 'f') != 0;
	if (split_size(c,
		how.kind == LAYOUT_ROW ? (how.full ? w->w : c->target.p->w)
				       : (how.full ? w->h : c->target.p->h),
		&how.size, &why) != 0) {
		cause_prefix(&why, "size");
		return cmd_cause(c, &why);
	}
	st.history =
	    (size_t)options_number(&c->target.s->options, OPTION_HISTORY_LIMIT);
	path = cmd_start_path(c, &c->target, false);
	st.path = path;
	cmd_pane_start(c, &st, argv, ARRAY_LEN(argv));
	if (window_split(w, c->target.p, &how, &st, &p, &why) != 0) {
		mem_free(path);
		return cmd_cause(c, &why);
	}
	mem_free(path);
	if (cmd_spawn(c, c->target.s, p, &why) != 0) {
		window_close_pane(p);
		return cmd_cause(c, &why);
	}
	if (!args_has(c->args, 'd'))
		window_set_active(w, p);
	if (zoomed && args_has(c->args, 'Z'))
		(void)window_zoom(w->active);
	t = resolve_pane(c->target.wl, p);
	cmd_say_target(c, &t, "#{session_name}:#{window_index}.#{pane_index}");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_kill_pane(struct cmd_context *c)
{
	struct list_node *n, *tmp;
	struct pane *p;

	if (!args_has(c->args, 'a')) {
		window_close_pane(c->target.p);
		return CMD_NORMAL;
	}
	(void)window_unzoom(c->target.w);
	LIST_FOREACH_SAFE(n, &c->target.w->panes, tmp) {
		p = container_of(n, struct pane, node);
		if (p != c->target.p)
			window_close_pane(p);
	}
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
		    (mux_get_mark(c->sv->mux, &mwl, &mp) && mp == p))
			mux_set_mark(c->sv->mux, NULL, NULL);
		else
			mux_set_mark(c->sv->mux, c->target.wl, p);
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
		if ((p = window_last_pane(w)) == NULL)
			return cmd_error(c, "no last pane");
	}
	for (i = 0; i < ARRAY_LEN(sides); i++)
		if (args_has(c->args, sides[i].flag)) {
			to = window_neighbour(p, sides[i].side);
			if (to == NULL)
				return CMD_NORMAL;
			p = to;
		}
	if (w->zoomed && p != w->active && !args_has(c->args, 'Z'))
		(void)window_unzoom(w);
	window_set_active(w, p);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_last_pane(struct cmd_context *c)
{
	struct pane *p = window_last_pane(c->target.w);

	if (p == NULL)
		return cmd_error(c, "no last pane");
	if (args_has(c->args, 'd') || args_has(c->args, 'e')) {
		pane_set_flags(p, PANE_INPUT_OFF, args_has(c->args, 'd') != 0);
		return CMD_NORMAL;
	}
	if (c->target.w->zoomed && !args_has(c->args, 'Z'))
		(void)window_unzoom(c->target.w);
	window_set_active(c->target.w, p);
	return CMD_NORMAL;
}
