#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/scope.h"

enum cmd_result
cmd_exec_display_message(struct cmd_context *c)
{
	const char *format = args_string(c->args, 0);
	struct scope_where w = {
		.client = c->client,
		.session = c->target.s,
		.link = c->target.wl,
		.pane = c->target.p,
		.state = c->state,
	};
	int64_t delay;
	char *text;

	if (format == NULL)
		format = args_get(c->args, 'F');
	if (format == NULL)
		format = "[#{session_name}] #{window_index}:#{window_name}, "
			 "current pane #{pane_index} - (%H:%M %d-%b-%y)";
	text = scope_new(c->sv, &w, format, FORMAT_STRFTIME);
	if (args_has(c->args, 'p')) {
		cmd_say(c, "%s", text);
	} else if (c->viewer != NULL) {
		delay = options_number(
		    &c->client->session->options, OPTION_DISPLAY_TIME);
		(void)args_number(c->args, 'd', 0, UINT32_MAX, &delay, NULL);
		viewer_message(c->viewer, (mono_ms)delay, text);
	}
	mem_free(text);
	return CMD_NORMAL;
}
