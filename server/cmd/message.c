/*
 * display-message.
 */
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/pane_io.h"
#include "server/scope.h"

/* -I: standard input that goes into a pane without a program. */
struct message_input {
	struct cmd_late late;
	uint32_t pane;
};

static void
message_input_done(void *arg, int error, char *data, size_t len)
{
	struct message_input *in = arg;
	struct server *sv = in->late.sv;
	struct pane *p = mux_pane(sv->mux, in->pane);
	struct vt_effect e;

	if (error != 0)
		cmd_late_error(&in->late, "-: %s", strerror(error));
	else if (p != NULL) {
		vt_term_write(p->term, data, len);
		/* Nobody is there to be answered. */
		while (vt_term_next_effect(p->term, &e)) {
			if (e.kind != VT_EFFECT_REPLY)
				server_pane_effect(sv, p->id, &e);
			vt_effect_fini(&e);
		}
		server_pane_output(sv, p->id);
	}
	mem_free(data);
	cmd_late_end(&in->late, error != 0);
	mem_free(in);
}

static enum cmd_result
message_input(struct cmd_context *c)
{
	struct message_input *in;

	if (c->target.p == NULL || (c->target.p->flags & PANE_EMPTY) == 0)
		return cmd_error(c, "pane is not empty");
	in = mem_zalloc(sizeof(*in));
	in->pane = c->target.p->id;
	cmd_late_init(&in->late, c, true);
	cmd_read_file(c, "-", message_input_done, in);
	return CMD_WAIT;
}

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
	struct cause why = { NULL };
	int64_t delay = 0;
	char *text;
	int r;

	if (args_has(c->args, 'I'))
		return message_input(c);
	if (format != NULL && args_get(c->args, 'F') != NULL)
		return cmd_error(c, "only one of -F or argument must be given");
	r = args_number(c->args, 'd', 0, UINT32_MAX, &delay, &why);
	if (r != 0 && r != -ERR_NOTFOUND) {
		cause_prefix(&why, "delay");
		return cmd_cause(c, &why);
	}
	if (r != 0 && c->client != NULL && c->client->session != NULL)
		delay = options_number(
		    &c->client->session->options, OPTION_DISPLAY_TIME);
	cause_fini(&why);
	if (format == NULL)
		format = args_get(c->args, 'F');
	if (format == NULL)
		format = "[#{session_name}] #{window_index}:#{window_name}, "
			 "current pane #{pane_index} - (%H:%M %d-%b-%y)";
	text = args_has(c->args, 'l')
		   ? mem_strdup(format)
		   : scope_new(c->sv, &w, format, FORMAT_STRFTIME);
	if (args_has(c->args, 'p'))
		cmd_say(c, "%s", text);
	else if (c->viewer != NULL)
		viewer_message(c->viewer, (mono_ms)delay, text);
	mem_free(text);
	return CMD_NORMAL;
}
