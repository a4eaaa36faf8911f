/* display-panes: a pane by its number. */
#include "base/mem.h"
#include "conf/cmdlist.h"
#include "mux/mode/panes.h"
#include "server/cmd/cmd.h"

enum cmd_result
cmd_exec_display_panes(struct cmd_context *c)
{
	const struct args *a = c->args;
	struct mode_panes_start st = {
		.host = &c->sv->viewers.modes,
		.window = args_get(a, 's') != NULL ? c->source.w : c->target.w,
		.template = args_string(a, 0),
		.keys = !args_has(a, 'N'),
		.zoom = !args_has(a, 'Z'),
		.kills = args_has(a, 'k') != 0,
	};
	struct cause why = { NULL };
	char *text = NULL;
	int64_t ms;
	int r;

	ms = options_number(&st.window->options, OPTION_DISPLAY_PANES_TIME);
	if (args_get(a, 'd') != NULL &&
	    (r = args_number(a, 'd', 0, UINT32_MAX, &ms, &why)) != 0)
		return cmd_fault(c, "delay", r, &why);
	st.ms = (mono_ms)ms;
	if (args_block(a, 0) != NULL)
		st.template = text = cmdlist_print_new(args_block(a, 0), 0);
	else if (st.template == NULL)
		st.template = "select-pane -t \"%%%\"";
	r = mode_panes_open(c->target.p, &st);
	mem_free(text);
	if (r == -ERR_LIMIT)
		return cmd_error(c, "too many modes in the pane");
	return CMD_NORMAL;
}
