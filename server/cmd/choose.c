/*
 * The choosers: choose-buffer, choose-client, choose-tree, customize-mode,
 * find-window, switch-mode.
 */
#include <string.h>

#include "base/mem.h"
#include "conf/cmdlist.h"
#include "mux/mode/buffers.h"
#include "mux/mode/clients.h"
#include "mux/mode/customize.h"
#include "mux/mode/switch.h"
#include "mux/mode/tree.h"
#include "mux/paste.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"

/* Fills in what all choosers have; frees with mem_free(*TEMPLATE). */
static void
start_list(struct cmd_context *c, struct mode_list_start *st,
    const char *template, char **text)
{
	const struct args *a = c->args;

	*text = NULL;
	if (args_block(a, 0) != NULL)
		*text = cmdlist_print_new(args_block(a, 0), 0);
	st->host = &c->sv->viewers.modes;
	st->client = c->client;
	st->template = *text != NULL               ? *text
		       : args_string(a, 0) != NULL ? args_string(a, 0)
						   : template;
	st->format = args_get(a, 'F');
	st->filter = args_get(a, 'f');
	st->key_format = args_get(a, 'K');
	st->order = args_get(a, 'O');
	st->reversed = args_has(a, 'r') != 0;
	st->no_preview = (unsigned)args_has(a, 'N');
	st->yes = args_has(a, 'y') != 0;
	st->zoom = args_has(a, 'Z') != 0;
	st->kills = args_has(a, 'k') != 0;
	st->hides = args_has(a, 'h') != 0;
}

/* Whether -O names no order; reported. */
static bool
bad_order(struct cmd_context *c)
{
	const char *order = args_get(c->args, 'O');

	if (order == NULL || cmd_order_known(order))
		return false;
	(void)cmd_error(c, "invalid sort order");
	return true;
}

/* The command's result of opening a list. */
static enum cmd_result
opened(struct cmd_context *c, int r)
{
	if (r == -ERR_NOTFOUND)
		return cmd_error(c, "invalid sort order");
	if (r == -ERR_LIMIT)
		return cmd_error(c, "too many modes in the pane");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_choose_buffer(struct cmd_context *c)
{
	struct mode_list_start st = { .host = NULL };
	char *text;
	int r;

	if (bad_order(c))
		return CMD_ERROR;
	if (paste_count(c->sv->run.mux->paste) == 0)
		return CMD_NORMAL;
	start_list(c, &st, "paste-buffer -p -b \"%%%\"", &text);
	r = mode_buffers_open(c->target.p, &st);
	if (r == -ERR_NOTFOUND) {
		st.order = NULL;
		r = mode_buffers_open(c->target.p, &st);
	}
	mem_free(text);
	return opened(c, r);
}

enum cmd_result
cmd_exec_choose_client(struct cmd_context *c)
{
	struct mode_list_start st = { .host = NULL };
	char *text;
	int r;

	if (bad_order(c))
		return CMD_ERROR;
	if (cmd_nobody(c))
		return CMD_NORMAL;
	start_list(c, &st, "detach-client -t \"%%%\"", &text);
	st.info = args_has(c->args, 'i') != 0;
	r = mode_clients_open(c->target.p, &st);
	if (r == -ERR_NOTFOUND) {
		st.order = NULL;
		r = mode_clients_open(c->target.p, &st);
	}
	mem_free(text);
	return opened(c, r);
}

enum cmd_result
cmd_exec_choose_tree(struct cmd_context *c)
{
	struct mode_tree_start st = { .depth = MODE_TREE_PANES };
	char *text;
	int r;

	if (bad_order(c))
		return CMD_ERROR;
	start_list(c, &st.list, "switch-client -Zt \"%%%\"", &text);
	st.list.info = args_has(c->args, 'i') != 0;
	if (args_has(c->args, 's'))
		st.depth = MODE_TREE_SESSIONS;
	else if (args_has(c->args, 'w'))
		st.depth = MODE_TREE_WINDOWS;
	st.groups = args_has(c->args, 'G') != 0;
	r = mode_tree_open(c->target.p, c->target.s, &st);
	if (r == -ERR_NOTFOUND) {
		st.list.order = NULL;
		r = mode_tree_open(c->target.p, c->target.s, &st);
	}
	mem_free(text);
	return opened(c, r);
}

/* "#{C...}" or "#{m...}": the text as part of a format. */
static char *
find_part(struct cmd_context *c, char kind, const char *variable)
{
	const char *text = args_string(c->args, 0);
	const bool regex = args_has(c->args, 'r') != 0;
	const char *how = regex ? args_has(c->args, 'i') ? "/ri" : "/r"
			  : args_has(c->args, 'i') ? "/i"
						   : "";
	const char *star = regex || kind == 'C' ? "" : "*";

	if (kind == 'C')
		return mem_printf("#{C%s:%s}", how, text);
	return mem_printf(
	    "#{m%s:%s%s%s,#{%s}}", how, star, text, star, variable);
}

/* Any of those that -C, -N and -T ask for; all of them without. */
static char *
find_filter(struct cmd_context *c)
{
	static const struct {
		char flag;
		char kind;
		const char *variable;
	} parts[] = { { 'C', 'C', "" }, { 'N', 'm', "window_name" },
		{ 'T', 'm', "pane_title" } };
	const bool all = !args_has(c->args, 'C') && !args_has(c->args, 'N') &&
			 !args_has(c->args, 'T');
	char *filter = NULL, *part, *both;
	size_t i = ARRAY_LEN(parts);

	while (i-- > 0) {
		if (!all && !args_has(c->args, parts[i].flag))
			continue;
		part = find_part(c, parts[i].kind, parts[i].variable);
		if (filter == NULL) {
			filter = part;
			continue;
		}
		both = mem_printf("#{||:%s,%s}", part, filter);
		mem_free(filter);
		mem_free(part);
		filter = both;
	}
	return filter;
}

enum cmd_result
cmd_exec_find_window(struct cmd_context *c)
{
	struct mode_tree_start st = { .depth = MODE_TREE_PANES };
	char *filter;
	int r;

	filter = find_filter(c);
	st.list.host = &c->sv->viewers.modes;
	st.list.client = c->client;
	st.list.template = "switch-client -Zt \"%%%\"";
	st.list.filter = filter;
	st.list.zoom = args_has(c->args, 'Z') != 0;
	r = mode_tree_open(c->target.p, c->target.s, &st);
	mem_free(filter);
	return opened(c, r);
}

enum cmd_result
cmd_exec_switch_mode(struct cmd_context *c)
{
	struct mode_list_start st = { .host = NULL };
	char *text;
	int r;

	start_list(c, &st, "switch-client -Zt \"%%%\"", &text);
	r = mode_switch_open(c->target.p, args_has(c->args, 'w') != 0, &st);
	mem_free(text);
	return opened(c, r);
}

enum cmd_result
cmd_exec_customize_mode(struct cmd_context *c)
{
	struct mode_list_start st = { .host = NULL };
	char *text;
	int r;

	start_list(c, &st, NULL, &text);
	r = mode_customize_open(c->target.p, c->target.s, &st);
	mem_free(text);
	return opened(c, r);
}
