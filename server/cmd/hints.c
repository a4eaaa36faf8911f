/*
 * Modes that find text: hints.
 */
#include "mux/mode/hints.h"

#include "server/cmd/cmd.h"

enum cmd_result
cmd_exec_hints(struct cmd_context *c)
{
	const struct mode_hints_start start = {
		.host = &c->sv->viewers.modes,
		.client = c->client,
		.kinds = args_get(c->args, 'k'),
	};
	struct cause why = { NULL };

	if (mode_hints_open(c->target.p, &start, &why) != 0 ||
	    *cause_text(&why) != '\0')
		return cmd_cause(c, &why);
	return CMD_NORMAL;
}
