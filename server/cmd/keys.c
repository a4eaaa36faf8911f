#include "conf/bind.h"
#include "server/cmd/cmd.h"

enum cmd_result
cmd_exec_bind_key(struct cmd_context *c)
{
	struct cause why = { NULL };
	struct server_parse sp;
	int r;

	server_parse_init(&sp, c->sv, c->state);
	r = bind_run(c->sv->keys, c->args, &sp.hooks, &why);
	server_parse_fini(&sp);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}

enum cmd_result
cmd_exec_unbind_key(struct cmd_context *c)
{
	struct cause why = { NULL };

	if (bind_unbind(c->sv->keys, c->args, &why) != 0)
		return cmd_cause(c, &why);
	return CMD_NORMAL;
}
