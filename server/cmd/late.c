/*
 * Commands that end after their body has returned (cmd.h).
 */
#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"

void
cmd_late_init(struct cmd_late *l, struct cmd_context *c, bool wait)
{
	*l = (struct cmd_late){
		.sv = c->sv,
		.ids = { .conn = c->state->conn,
		    .client = c->client == NULL ? MUX_NONE : c->client->id,
		    .flags = c->state->flags },
		.state = *c->state,
	};
	l->state.hook = NULL; /* its item may end first */
	if (wait)
		l->token = cmdq_wait(c->item);
}

struct sink
cmd_late_sink(const struct cmd_late *l)
{
	return cmd_sink(l->sv, &l->ids);
}

struct viewer *
cmd_late_viewer(const struct cmd_late *l)
{
	struct client *c = mux_client(l->sv->run.mux, l->ids.client);

	return c == NULL ? NULL : viewer_find(&l->sv->viewers, c);
}

void
cmd_late_error(const struct cmd_late *l, const char *fmt, ...)
{
	struct sink s = cmd_late_sink(l);
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	sink_error(&s, text);
	mem_free(text);
}

struct cmdq *
cmd_late_append(const struct cmd_late *l, const char *text)
{
	struct cmdq *q = cmdq_for(&l->sv->run, l->ids.conn);
	struct cmdlist *list = NULL;
	struct cmd_state st = l->state;
	struct parse ps;

	/* An answer of the user is no part of the event that has asked. */
	st.flags &= ~(unsigned)CMD_STATE_EVENT;
	parse_init(&ps, &l->sv->run, &l->state);
	if (parser_parse(text, strlen(text), NULL, 1, &ps.hooks, &list) == 0)
		cmdq_append(q, list, &st, NULL, NULL);
	else
		cmd_late_error(l, "%s", parse_errors(&ps));
	cmdlist_unref(list);
	parse_fini(&ps);
	return q;
}

void
cmd_late_end(struct cmd_late *l, bool failed)
{
	if (l->token != 0)
		(void)cmdq_continue(&l->sv->run, l->token, failed);
	l->token = 0;
}

char *
cmd_path_new(struct cmd_context *c, const char *path)
{
	const char *cwd = NULL;

	if (c->conn != NULL)
		cwd = conn_cwd(c->conn);
	else if (c->current.s != NULL)
		cwd = c->current.s->path;
	return *path == '/' || cwd == NULL || strcmp(path, "-") == 0
		   ? mem_strdup(path)
		   : mem_printf("%s/%s", cwd, path);
}
