/* show-messages, show-prompt-history, clear-prompt-history. */
#include <sys/types.h>

#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"
#include "server/io/job.h"

static void
show_terminals(struct cmd_context *c, struct buf *out)
{
	const struct list_node *n;
	const struct viewer *vw;
	unsigned i = 0;

	LIST_FOREACH(n, &c->sv->viewers.list) {
		vw = container_of(n, struct viewer, node);
		(void)buf_addf(out, "Terminal %u: %s for %s, %dx%d\n", i++,
		    vw->client->term, vw->client->name, vw->client->w,
		    vw->client->h);
	}
}

enum cmd_result
cmd_exec_show_messages(struct cmd_context *c)
{
	const struct messages *ms = &c->sv->run.messages;
	const struct message *m;
	char *text, number[24], when[24];
	struct buf out;
	size_t i, above;

	buf_init(&out, (size_t)64 << 20);
	if (args_has(c->args, 'T'))
		show_terminals(c, &out);
	if (args_has(c->args, 'J')) {
		above = out.len;
		if (above > 0)
			(void)buf_add_str(&out, "\n");
		job_print(&c->sv->jobs, &out);
		if (above > 0 && out.len == above + 1)
			buf_truncate(&out, above);
	}
	if (!args_has(c->args, 'T') && !args_has(c->args, 'J'))
		for (i = ms->count; i > 0; i--) {
			m = &ms->all[i - 1];
			const struct format_var vars[] = {
				{ "message_text", m->text },
				{ "message_number", number },
				{ "message_time", when },
			};

			snprintf(number, sizeof(number), "%llu",
			    (unsigned long long)m->number);
			snprintf(
			    when, sizeof(when), "%lld", (long long)m->time);
			text = cmd_format_vars_new(c, &c->current,
			    "#{t/p:message_time}: #{message_text}", vars,
			    ARRAY_LEN(vars));
			(void)buf_addf(&out, "%s\n", text);
			mem_free(text);
		}
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return CMD_NORMAL;
}

/* --- prompts -------------------------------------------------------------------- */

/* Finds the types of -T, FROM to TO - 1; CMD_ERROR if there is none. */
static enum cmd_result
prompt_types_of(struct cmd_context *c, unsigned *from, unsigned *to)
{
	const char *name = args_get(c->args, 'T');

	*from = 0;
	*to = PROMPT_TYPES;
	if (name == NULL)
		return CMD_NORMAL;
	*from = prompt_type_find(name);
	*to = *from + 1;
	/* Others have no history in tmux. */
	if (*from >= PROMPT_TYPE_TARGET)
		return cmd_error(c, "invalid type: %s", name);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_show_prompt_history(struct cmd_context *c)
{
	const struct prompt_log *pl = &c->sv->run.prompts;
	struct buf out;
	unsigned i, to;
	size_t n;

	if (prompt_types_of(c, &i, &to) != CMD_NORMAL)
		return CMD_ERROR;
	/* Those of tmux; others only by name. */
	if (args_get(c->args, 'T') == NULL)
		to = PROMPT_TYPE_TARGET;
	buf_init(&out, (size_t)64 << 20);
	for (; i < to; i++) {
		(void)buf_addf(&out, "History for %s:\n\n",
		    prompt_type_name((enum prompt_type)i));
		for (n = 0; n < pl->count[i]; n++)
			(void)buf_addf(
			    &out, "%zu: %s\n", n + 1, pl->lines[i][n]);
		(void)buf_add_str(&out, "\n");
	}
	cmd_say_lines(c, &out);
	buf_fini(&out);
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_clear_prompt_history(struct cmd_context *c)
{
	unsigned i, to;

	if (prompt_types_of(c, &i, &to) != CMD_NORMAL)
		return CMD_ERROR;
	for (; i < to; i++)
		prompt_log_clear(&c->sv->run.prompts, (enum prompt_type)i);
	return CMD_NORMAL;
}
