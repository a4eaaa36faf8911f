/*
 * wait-for.
 */
#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/core/hooks.h"
#include "server/run/waits.h"

static enum cmd_result
wait_result(struct cmd_context *c, int r, const char *name)
{
	if (r == -ERR_STATE)
		return cmd_error(c, "channel %s not locked", name);
	if (r != 0)
		return cmd_error(c, "too many channels or waiters");
	return CMD_NORMAL;
}

/* Returns the waiter's name (mem_free): its client's or its process's. */
static char *
waiter_name_new(const struct cmd_context *c)
{
	if (c->conn == NULL || controller_client(c->conn) != NULL)
		return mem_strdup(c->client == NULL ? "" : c->client->name);
	return mem_printf("client-%ld", (long)conn_pid(c->conn));
}

static enum cmd_result
wait_event(struct cmd_context *c, const char *name)
{
	const char *filter = args_get(c->args, 'F');
	struct hooks_wait w = {
		.conn = args_has(c->args, 'v') ? c->state->conn : 0,
	};

	if (c->conn == NULL)
		return cmd_error(c, "not able to wait");
	w.token = cmdq_wait(c->item);
	w.who = waiter_name_new(c);
	w.name = mem_strdup(name);
	w.filter = filter == NULL ? NULL : mem_strdup(filter);
	return hooks_wait_add(c->sv->hooks, &w) == 0
		   ? CMD_WAIT
		   : cmd_error(c, "too many channels or waiters");
}

/* -E: an event, not a channel. */
static enum cmd_result
event(struct cmd_context *c, const char *name)
{
	const char *who = args_get(c->args, 'w');
	struct cause why = { NULL };
	struct buf out;

	if (hooks_check(name, &why) != 0)
		return cmd_cause(c, &why);
	if (args_has(c->args, 'l')) {
		buf_init(&out, 1 << 20);
		hooks_wait_list(c->sv->hooks, name, &out);
		cmd_say_lines(c, &out);
		buf_fini(&out);
		return CMD_NORMAL;
	}
	if (who == NULL)
		return wait_event(c, name);
	if (!hooks_wait_wake(c->sv->hooks, name, who))
		return cmd_error(c, "waiter %s not found", who);
	return CMD_NORMAL;
}

static enum cmd_result
wait_queued(struct cmd_context *c, const char *name, bool lock)
{
	char *who = waiter_name_new(c);
	uint64_t token = cmdq_wait(c->item);
	int r;

	r = lock ? waits_lock(c->sv->waits, name, token, who)
		 : waits_wait(c->sv->waits, name, token, who);
	mem_free(who);
	return r == 0 ? CMD_WAIT : wait_result(c, r, name);
}

static enum cmd_result
wait_lock(struct cmd_context *c, const char *name)
{
	int r;

	if (waits_try_lock(c->sv->waits, name, &r))
		return CMD_NORMAL;
	if (r != 0)
		return wait_result(c, r, name);
	if (c->conn == NULL)
		return cmd_error(c, "not able to lock");
	return wait_queued(c, name, true);
}

static enum cmd_result
wait_list(struct cmd_context *c, const char *name)
{
	struct buf out;

	buf_init(&out, 1 << 20);
	waits_list(c->sv->waits, name, &out);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_wait_for(struct cmd_context *c)
{
	struct waits *ws = c->sv->waits;
	const char *name = args_string(c->args, 0);

	if (name == NULL)
		return cmd_error(c, "command wait-for: too few arguments (need "
				    "at least 1)");
	if (args_has(c->args, 'E'))
		return event(c, name);
	if (args_has(c->args, 'l'))
		return wait_list(c, name);
	if (args_get(c->args, 'w') != NULL) {
		waits_wake(ws, name, args_get(c->args, 'w'));
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'S'))
		return wait_result(c, waits_signal(ws, name), name);
	if (args_has(c->args, 'U'))
		return wait_result(c, waits_unlock(ws, name), name);
	if (args_has(c->args, 'L'))
		return wait_lock(c, name);
	if (c->conn == NULL)
		return cmd_error(c, "not able to wait");
	return waits_woken(ws, name) ? CMD_NORMAL : wait_queued(c, name, false);
}
