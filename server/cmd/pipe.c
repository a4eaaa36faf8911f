/*
 * pipe-pane.
 */
#include "server/io/pipe.h"

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/cmd/shared.h"
#include "server/io/scope.h"

enum cmd_result
cmd_exec_pipe_pane(struct cmd_context *c)
{
	struct pane *p = c->target.p;
	struct pane_io *io = pane_io_find(&c->sv->panes, p->id);
	const char *command = args_string(c->args, 0);
	struct scope_where w = {
		.client = c->shown,
		.session = c->target.s,
		.link = c->target.wl,
		.pane = p,
		.state = c->state,
	};
	struct cause why = { NULL };
	bool in = args_has(c->args, 'I') != 0, open;
	char *text, *cwd;
	int r;

	if ((p->flags & PANE_DEAD) != 0 || io == NULL || io->fd < 0)
		return cmd_error(c, "target pane has exited");
	open = pipe_is_open(io);
	pipe_close(io);
	if (command == NULL || *command == '\0' ||
	    (args_has(c->args, 'o') && open))
		return CMD_NORMAL;
	text = scope_new(c->sv->scope, &w, command, FORMAT_STRFTIME);
	cwd = cmd_start_path(c, &c->target, false);
	r = pipe_open(io, text, cwd, in, args_has(c->args, 'O') || !in, &why);
	mem_free(cwd);
	mem_free(text);
	return r == 0 ? CMD_NORMAL : cmd_cause(c, &why);
}
