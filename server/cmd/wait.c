/*
 * wait-for.
 */
#include "server/cmd/cmd.h"
#include "server/waits.h"

static enum cmd_result
wait_result(struct cmd_context *c, int r, const char *name)
{
	if (r == -ERR_STATE)
		return cmd_error(c, "channel %s not locked", name);
	if (r != 0)
		return cmd_error(c, "too many channels or waiters");
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_wait_for(struct cmd_context *c)
{
	struct waits *ws = c->sv->waits;
	const char *name = args_string(c->args, 0);
	int r;

	if (args_has(c->args, 'E') || args_has(c->args, 'l') ||
	    args_has(c->args, 'v') || args_get(c->args, 'w') != NULL)
		return cmd_error(c, "wait-for: events are not built yet");
	if (name == NULL)
		return cmd_error(c, "command wait-for: too few arguments (need "
				    "at least 1)");
	if (args_has(c->args, 'S'))
		return wait_result(c, waits_signal(ws, name), name);
	if (args_has(c->args, 'U'))
		return wait_result(c, waits_unlock(ws, name), name);
	if (args_has(c->args, 'L')) {
		if (waits_try_lock(ws, name, &r))
			return CMD_NORMAL;
		if (c->conn == NULL && r == 0)
			return cmd_error(c, "not able to lock");
		if (r == 0)
			r = waits_lock(ws, name, cmdq_wait(c->item));
		return r == 0 ? CMD_WAIT : wait_result(c, r, name);
	}
	if (c->conn == NULL)
		return cmd_error(c, "not able to wait");
	if (waits_woken(ws, name))
		return CMD_NORMAL;
	r = waits_wait(ws, name, cmdq_wait(c->item));
	return r == 0 ? CMD_WAIT : wait_result(c, r, name);
}
