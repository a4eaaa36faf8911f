/*
 * Modes over panes: clock-mode.
 */
#include "mux/mode/clock.h"
#include "server/cmd/cmd.h"

enum cmd_result
cmd_exec_clock_mode(struct cmd_context *c)
{
	if (mode_clock_open(c->target.p) != 0)
		return cmd_error(c, "too many modes in the pane");
	return CMD_NORMAL;
}
