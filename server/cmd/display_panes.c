/* display-panes: a pane by its number. */
#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/face/numbers.h"

/* The command whose template gets the chosen pane. */
struct numbers_wait {
	struct cmd_late late;
	char *template;
};

static void
numbers_done(void *arg, uint32_t pane)
{
	struct numbers_wait *w = arg;
	char *id, *text;
	const char *values[1];
	struct cmdq *q = NULL;

	if (pane != MUX_NONE) {
		id = mem_printf("%%%u", pane);
		values[0] = id;
		text = args_template_new(w->template, values, 1);
		q = cmd_late_append(&w->late, text);
		mem_free(text);
		mem_free(id);
	}
	cmd_late_end(&w->late, false);
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
	int r;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (numbers_shown(c->viewer))
		return CMD_NORMAL;
	ms = options_number(
	    &c->client->session->options, OPTION_DISPLAY_PANES_TIME);
	if (args_get(c->args, 'd') != NULL &&
	    (r = args_number(c->args, 'd', 0, UINT32_MAX, &ms, &why)) != 0)
		return cmd_fault(c, "delay", r, &why);
	w = mem_zalloc(sizeof(*w));
	cmd_late_init(&w->late, c, !args_has(c->args, 'b'));
	if (args_block(c->args, 0) != NULL)
		w->template = cmdlist_print_new(args_block(c->args, 0), 0);
	else
		w->template = mem_strdup(
		    template == NULL ? "select-pane -t \"%%%\"" : template);
	numbers_open(
	    c->viewer, (mono_ms)ms, !args_has(c->args, 'N'), numbers_done, w);
	return args_has(c->args, 'b') ? CMD_NORMAL : CMD_WAIT;
}
