/* display-panes: a pane by its number. */
#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/face/numbers.h"

/* What the chosen pane goes into. */
struct numbers_wait {
	struct server *sv;
	struct cmd_state state;
	uint64_t token; /* 0: nobody waits */
	uint32_t client;
	char *template;
};

static void
numbers_done(void *arg, uint32_t pane)
{
	struct numbers_wait *w = arg;
	struct client *cl = mux_client(w->sv->run.mux, w->client);
	struct viewer *vw =
	    cl == NULL ? NULL : viewer_find(&w->sv->viewers, cl);
	struct parse sp;
	struct cmdlist *list = NULL;
	char *id, *text;
	const char *values[1];
	struct cmdq *q = NULL;

	if (pane != MUX_NONE) {
		q = cmdq_for(&w->sv->run, w->state.conn);
		id = mem_printf("%%%u", pane);
		values[0] = id;
		text = args_template_new(w->template, values, 1);
		parse_init(&sp, &w->sv->run, &w->state);
		if (parser_parse(
			text, strlen(text), NULL, 1, &sp.hooks, &list) == 0)
			cmdq_append(q, list, &w->state, NULL, NULL);
		else if (vw != NULL)
			viewer_message(vw, 4000, buf_cstr(&sp.errors));
		cmdlist_unref(list);
		parse_fini(&sp);
		mem_free(text);
		mem_free(id);
	}
	if (w->token != 0)
		cmdq_continue(&w->sv->run, w->token, false);
	if (q != NULL)
		cmdq_turn(q);
	mem_free(w->template);
	mem_free(w);
}

enum cmd_result
cmd_exec_display_panes(struct cmd_context *c)
{
	const char *template = args_string(c->args, 0);
	struct numbers_wait *w;
	struct cause why = { NULL };
	int64_t ms;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (c->viewer->numbers != NULL)
		return CMD_NORMAL;
	ms = options_number(
	    &c->client->session->options, OPTION_DISPLAY_PANES_TIME);
	if (args_get(c->args, 'd') != NULL &&
	    args_number(c->args, 'd', 0, UINT32_MAX, &ms, &why) != 0)
		return cmd_fault(c, "delay", &why);
	w = mem_zalloc(sizeof(*w));
	w->sv = c->sv;
	w->state = *c->state;
	w->state.hook = NULL;
	w->client = c->client->id;
	if (args_block(c->args, 0) != NULL)
		w->template = cmdlist_print_new(args_block(c->args, 0), 0);
	else
		w->template = mem_strdup(
		    template == NULL ? "select-pane -t \"%%%\"" : template);
	if (!args_has(c->args, 'b'))
		w->token = cmdq_wait(c->item);
	numbers_open(
	    c->viewer, (mono_ms)ms, !args_has(c->args, 'N'), numbers_done, w);
	return w->token != 0 ? CMD_WAIT : CMD_NORMAL;
}
