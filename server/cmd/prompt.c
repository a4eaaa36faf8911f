#include "server/prompt.h"

#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"

/* What a prompt's answer goes into. */
struct prompt_wait {
	struct server *sv;
	struct cmd_state state;
	uint64_t token;
	uint32_t client;
	char *template; /* text with %1 and %%, or NULL */
	struct cmdlist *list;
	char **prompts;
	char **inputs;
	size_t count;
	size_t next;
	char **answers;
	unsigned flags;
	char confirm_key;
};

static void
prompt_wait_free(struct prompt_wait *w)
{
	size_t i;

	if (w->token != 0)
		(void)cmdq_continue(w->sv, w->token, false);
	for (i = 0; i < w->count; i++) {
		mem_free(w->prompts[i]);
		mem_free(w->inputs[i]);
		mem_free(w->answers[i]);
	}
	mem_free(w->prompts);
	mem_free(w->inputs);
	mem_free(w->answers);
	mem_free(w->template);
	cmdlist_unref(w->list);
	mem_free(w);
}

static void
prompt_run(struct prompt_wait *w)
{
	struct cmdq *q = server_queue_for(w->sv, w->state.conn);
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	struct server_parse sp;
	struct cmdlist *list;
	union {
		char **in;
		const char *const *out;
	} values = { .in = w->answers };
	char *text;

	if (w->list != NULL) {
		cmdq_append(q, w->list, &w->state, NULL, NULL);
		server_run_queue(w->sv, q);
		return;
	}
	text = args_template_new(w->template, values.out, w->count);
	server_parse_init(&sp, w->sv, &w->state);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) == 0) {
		cmdq_append(q, list, &w->state, NULL, NULL);
		server_run_queue(w->sv, q);
	} else if (vw != NULL) {
		buf_truncate(
		    &sp.errors, sp.errors.len > 0 ? sp.errors.len - 1 : 0);
		viewer_message(vw, 4000, buf_cstr(&sp.errors));
	}
	cmdlist_unref(list);
	server_parse_fini(&sp);
	mem_free(text);
}

static void prompt_answer(void *arg, const char *text);

static void
prompt_next(struct prompt_wait *w)
{
	struct client *cl = mux_client(w->sv->mux, w->client);
	struct viewer *vw = cl == NULL ? NULL : viewer_find(w->sv, cl);
	struct prompt_spec spec = {
		.message = w->prompts[w->next],
		.input = w->inputs[w->next],
		.flags = w->flags,
		.done = prompt_answer,
		.arg = w,
	};

	if (vw == NULL) {
		prompt_wait_free(w);
		return;
	}
	prompt_open(vw, &spec);
}

static void
prompt_answer(void *arg, const char *text)
{
	struct prompt_wait *w = arg;

	if (text == NULL) {
		prompt_wait_free(w);
		return;
	}
	w->answers[w->next++] = mem_strdup(text);
	if (w->next < w->count) {
		prompt_next(w);
		return;
	}
	prompt_run(w);
	prompt_wait_free(w);
}

/* Splits "a,b" into the prompts (or inputs) of one command-prompt. */
static void
prompt_split(char **out, size_t max, const char *text, bool whole)
{
	size_t i, n;

	for (i = 0; i < max && text != NULL; i++) {
		n = whole ? strlen(text) : strcspn(text, ",");
		out[i] = mem_strndup(text, n);
		text = text[n] == ',' ? text + n + 1 : NULL;
	}
}

enum cmd_result
cmd_exec_command_prompt(struct cmd_context *c)
{
	const char *prompts = args_get(c->args, 'p');
	const char *inputs = args_get(c->args, 'I');
	struct prompt_wait *w;
	const char *s;
	size_t i;
	bool whole = args_has(c->args, 'l') != 0;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if (c->viewer->prompt != NULL)
		return CMD_NORMAL;
	w = mem_zalloc(sizeof(*w));
	w->sv = c->sv;
	w->state = *c->state;
	w->client = c->client->id;
	if (args_block(c->args, 0) != NULL)
		w->template = cmdlist_print_new(args_block(c->args, 0), 0);
	else
		w->template = mem_strdup(args_string(c->args, 0) == NULL
					     ? "%1"
					     : args_string(c->args, 0));
	w->count = 1;
	for (s = prompts; s != NULL && !whole && *s != '\0'; s++)
		w->count += *s == ',';
	w->prompts = mem_calloc(w->count, sizeof(*w->prompts));
	w->inputs = mem_calloc(w->count, sizeof(*w->inputs));
	w->answers = mem_calloc(w->count, sizeof(*w->answers));
	prompt_split(w->prompts, w->count, prompts, whole);
	prompt_split(w->inputs, w->count, inputs, whole);
	for (i = 0; i < w->count; i++) {
		char *old = w->prompts[i];

		if (old == NULL)
			w->prompts[i] =
			    args_string(c->args, 0) == NULL
				? mem_strdup(":")
				: mem_printf("(%s) ", args_string(c->args, 0));
		else
			w->prompts[i] = mem_printf("%s ", old);
		mem_free(old);
		if (w->inputs[i] != NULL) {
			old = w->inputs[i];
			w->inputs[i] = cmd_format_new(c, &c->current, old);
			mem_free(old);
		}
	}
	if (args_has(c->args, '1'))
		w->flags |= PROMPT_SINGLE;
	if (args_has(c->args, 'N'))
		w->flags |= PROMPT_NUMERIC;
	if (args_has(c->args, 'k'))
		w->flags |= PROMPT_KEY;
	prompt_next(w);
	return CMD_NORMAL;
}

static void
confirm_answer(void *arg, const char *text)
{
	struct prompt_wait *w = arg;

	if (text != NULL && text[0] == w->confirm_key)
		prompt_run(w);
	prompt_wait_free(w);
}

enum cmd_result
cmd_exec_confirm_before(struct cmd_context *c)
{
	const char *prompt = args_get(c->args, 'p');
	const char *key = args_get(c->args, 'c');
	struct prompt_wait *w;
	enum cmd_result r;
	struct cmdlist *list;
	char *text;

	if (c->viewer == NULL)
		return cmd_error(c, "no current client");
	if ((list = cmd_commands(c, 0, &r)) == NULL)
		return r;
	w = mem_zalloc(sizeof(*w));
	w->sv = c->sv;
	w->state = *c->state;
	w->client = c->client->id;
	w->list = list;
	w->confirm_key = key == NULL || *key == '\0' ? 'y' : *key;
	if (prompt != NULL)
		text = mem_printf("%s ", prompt);
	else
		text = mem_printf("Confirm '%s'? (%c/n) ",
		    list->count > 0 ? list->cmds[0]->row->name : "",
		    w->confirm_key);
	prompt_open(c->viewer, &(struct prompt_spec){
				   .message = text,
				   .flags = PROMPT_SINGLE,
				   .done = confirm_answer,
				   .arg = w,
			       });
	mem_free(text);
	return CMD_NORMAL;
}
