/*
 * Modes that find text: hints, search-panes.
 */
#include "mux/mode/hints.h"

#include "mux/mode/hits.h"
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

enum cmd_result
cmd_exec_search_panes(struct cmd_context *c)
{
	struct mode_hits_start start = {
		.list = { .host = &c->sv->viewers.modes,
		    .client = c->client,
		    .zoom = args_has(c->args, 'Z') != 0 },
		.pattern = args_string(c->args, 0),
		.regex = args_has(c->args, 'r') != 0,
		.nocase = args_has(c->args, 'i') != 0,
		.scope = args_has(c->args, 'a')   ? MODE_HITS_SERVER
			 : args_has(c->args, 'w') ? MODE_HITS_WINDOW
						  : MODE_HITS_SESSION,
	};
	struct cause why = { NULL };
	int r;

	if (cmd_nobody(c))
		return cmd_error(c, "no client shows the list of matches");
	r = mode_hits_open(c->target.p, c->target.wl, &start, &why);
	if (r == -ERR_LIMIT && *cause_text(&why) == '\0')
		return cmd_error(c, "too many modes in the pane");
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}
