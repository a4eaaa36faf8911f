/*
 * display-message.
 */
#include "server/face/message.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "mux/fmt/vars.h"
#include "server/cmd/cmd.h"
#include "server/core/effects.h"
#include "server/core/programs.h"
#include "server/io/pane_io.h"
#include "server/io/scope.h"

#define MESSAGE_JSON_MAX ((size_t)8 << 20)

/* -I: copies standard input to a pane without a program. */
struct message_input {
	struct cmd_late late;
	uint32_t pane;
};

static void
message_input_done(void *arg, int error, char *data, size_t len)
{
	struct message_input *in = arg;
	struct server *sv = in->late.sv;
	struct pane *p = mux_pane(sv->run.mux, in->pane);
	struct vt_effect e;

	if (error != 0)
		cmd_late_error(&in->late, "-: %s", strerror(error));
	else if (p != NULL) {
		vt_term_write(p->term, data, len);
		/* There is no client to show the message. */
		while (vt_term_next_effect(p->term, &e)) {
			if (e.kind != VT_EFFECT_REPLY)
				effects_pane(sv, p->id, &e);
			vt_effect_fini(&e);
		}
		programs_output(sv, p->id);
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
	sink_read(&c->sink, "-", message_input_done, in);
	return CMD_WAIT;
}

static void
message_variable(void *arg, const char *name, const char *value)
{
	(void)buf_addf(arg, "%s=%s\n", name, value);
}

/* -a: prints all variables that have a value. */
static enum cmd_result
message_all(struct cmd_context *c, const struct scope_where *where)
{
	struct buf out;

	buf_init(&out, (size_t)8 << 20);
	scope_variables(c->sv->scope, where, message_variable, &out);
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return CMD_NORMAL;
}

/* -v: prints each step of the expansion as a comment. */
static void
message_trace(void *arg, unsigned depth, const char *text)
{
	cmd_say(arg, "# %*s%s", (int)depth, "", text);
}

/* -j: TEXT as JSON in its normal form, or NULL and WHY it is none. */
static char *
message_json(const char *text, struct cause *why)
{
	struct buf out;

	buf_init(&out, MESSAGE_JSON_MAX);
	if (json_print(&out, text, why) != 0) {
		buf_fini(&out);
		return NULL;
	}
	return buf_steal(&out, NULL);
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
		.command = c->cmd->row->name,
		.file = cmd_file_name(c->cmd),
		.env = c->conn == NULL ? NULL : conn_env(c->conn),
	};
	struct cause why = { NULL };
	struct controller *ct;
	int64_t delay = 0;
	char *text;
	int r;

	if (args_has(c->args, 'I') && !args_has(c->args, 'j'))
		return message_input(c);
	if (args_has(c->args, 'v')) {
		w.trace = message_trace;
		w.trace_arg = c;
	}
	if (args_has(c->args, 'a') && !args_has(c->args, 'j'))
		return message_all(c, &w);
	if (format != NULL && args_get(c->args, 'F') != NULL)
		return cmd_error(c, "only one of -F or argument must be given");
	r = args_number(c->args, 'd', 0, UINT32_MAX, &delay, &why);
	if (r != 0 && r != -ERR_NOTFOUND)
		return cmd_fault(c, "delay", r, &why);
	if (r != 0 && c->client != NULL && c->client->session != NULL)
		delay = options_number(
		    &c->client->session->options, OPTION_DISPLAY_TIME);
	cause_fini(&why);
	if (format == NULL)
		format = args_get(c->args, 'F');
	if (format == NULL && args_has(c->args, 'j'))
		format = "";
	if (format == NULL)
		format = "[#{session_name}] #{window_index}:#{window_name}, "
			 "current pane #{pane_index} - (%H:%M %d-%b-%y)";
	text = args_has(c->args, 'l')
		   ? mem_strdup(format)
		   : scope_new(c->sv->scope, &w, format, FORMAT_STRFTIME);
	if (args_has(c->args, 'j')) {
		char *json = message_json(text, &why);

		mem_free(text);
		if (json == NULL)
			return cmd_cause(c, &why);
		text = json;
	}
	if (args_has(c->args, 'p'))
		cmd_say(c, "%s", text);
	else if ((ct = controller_of(&c->sv->controllers, c->client)) != NULL)
		controller_word(ct, "message", text);
	else if (c->viewer != NULL) {
		/* A message without a time must let keys end it. */
		if (args_has(c->args, 'N') && delay > 0)
			message_show_alone(c->viewer, (mono_ms)delay, text);
		else
			message_show(c->viewer, (mono_ms)delay, text);
	}
	mem_free(text);
	return CMD_NORMAL;
}
