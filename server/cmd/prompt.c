/*
 * Prompts: command-prompt, confirm-before.
 */
#include "server/face/prompt.h"

#include <string.h>

#include "base/mem.h"
#include "server/cmd/cmd.h"

/* A command that waits for the answers of a prompt. */
struct prompt_wait {
	struct cmd_late late;
	char *template;        /* text with %1 and %%, or NULL */
	struct cmdlist *block; /* the template is this block; or NULL */
	struct cmdlist *list;  /* of confirm-before */
	char **prompts;
	char **inputs;
	size_t count;
	size_t next;
	char **answers;
	unsigned flags;
	enum prompt_type type;
	char confirm_key;
	bool default_yes;
	bool in_pane; /* -P: over the client's active pane */
};

static void
prompt_wait_free(struct prompt_wait *w)
{
	size_t i;

	for (i = 0; i < w->count; i++) {
		mem_free(w->prompts[i]);
		mem_free(w->inputs[i]);
		mem_free(w->answers[i]);
	}
	mem_free(w->prompts);
	mem_free(w->inputs);
	mem_free(w->answers);
	mem_free(w->template);
	cmdlist_unref(w->block);
	cmdlist_unref(w->list);
	mem_free(w);
}

/* MUX_NONE if the client shows no pane. */
static uint32_t
client_pane_id(const struct client *c)
{
	const struct pane *p = client_link(c) == NULL ? NULL : client_pane(c);

	return p == NULL ? MUX_NONE : p->id;
}

/* Runs LIST before the rest of the waiting list, or at the queue's end. */
static void
prompt_queue(struct prompt_wait *w, struct cmdlist *list)
{
	struct cmdq *q = cmdq_for(&w->late.sv->run, w->late.ids.conn);

	if (cmdq_waits(&w->late.sv->run, w->late.token)) {
		cmdq_insert_first(q, list, &w->late.state);
		return;
	}
	cmdq_append(q, list, &w->late.state, NULL, NULL);
	cmdq_turn(q);
}

/* Runs the template with COUNT answers. */
static void
prompt_run(struct prompt_wait *w, size_t count)
{
	struct server *sv = w->late.sv;
	struct parse sp;
	struct cmdlist *list;
	union {
		char **in;
		const char *const *out;
	} values = { .in = w->answers };
	char *text;

	/* security: what is typed stays one argument of a block. */
	if (w->block != NULL) {
		list = args_template_fill(w->block, values.out, count);
		prompt_queue(w, list);
		cmdlist_unref(list);
		return;
	}
	text = args_template_new(w->template, values.out, count);
	parse_init(&sp, &sv->run, &w->late.state);
	if (parser_parse(text, strlen(text), NULL, 1, &sp.hooks, &list) == 0)
		prompt_queue(w, list);
	else {
		cmd_late_error(&w->late, "%s", parse_errors(&sp));
	}
	cmdlist_unref(list);
	parse_fini(&sp);
	mem_free(text);
}

/* Ends the wait; FAILED: a caller without client gets exit code 1. */
static void
prompt_end(struct prompt_wait *w, bool failed)
{
	struct sink s = cmd_late_sink(&w->late);
	struct cmd_late late = w->late;

	if (failed)
		sink_exit_code(&s, 1);
	prompt_wait_free(w);
	cmd_late_end(&late, false);
}

/* --- command-prompt -------------------------------------------------------------- */

static void prompt_answer(void *arg, const char *text, bool done);

static bool
prompt_next(struct prompt_wait *w)
{
	struct viewer *vw = cmd_late_viewer(&w->late);

	if (vw == NULL)
		return false;
	prompt_open(
	    vw, &(struct prompt_spec){
		    .message = w->prompts[w->next],
		    .input = w->inputs[w->next],
		    .flags = w->flags,
		    .type = w->type,
		    .in_pane = w->in_pane,
		    .pane = client_pane_id(vw->client),
		    .template =
			w->count == 1 && w->block != NULL ? w->template : NULL,
		    .done = prompt_answer,
		    .arg = w,
		});
	return true;
}

static void
prompt_answer(void *arg, const char *text, bool done)
{
	struct prompt_wait *w = arg;

	if (text == NULL) {
		prompt_end(w, false);
		return;
	}
	w->answers[w->next] = mem_strdup(text);
	if (!done) {
		prompt_run(w, w->next + 1);
		mem_free(w->answers[w->next]);
		w->answers[w->next] = NULL;
		return;
	}
	if (++w->next < w->count && prompt_next(w))
		return;
	/* An incremental search has found its text already. */
	if (w->next == w->count && (w->flags & PROMPT_INCREMENTAL) == 0)
		prompt_run(w, w->count);
	prompt_end(w, false);
}

/* Returns item I of "a,b", or all of it with WHOLE; NULL: no such item. */
static char *
prompt_item_new(const char *text, size_t i, bool whole)
{
	if (text == NULL)
		return NULL;
	if (whole)
		return i == 0 ? mem_strdup(text) : NULL;
	for (; i > 0; i--) {
		text += strcspn(text, ",");
		if (*text == '\0')
			return NULL;
		text++;
	}
	return mem_strndup(text, strcspn(text, ","));
}

static void
prompt_fill(struct cmd_context *c, struct prompt_wait *w)
{
	const char *prompts = args_get(c->args, 'p');
	const char *inputs = args_get(c->args, 'I');
	bool whole = args_has(c->args, 'l') != 0;
	/* As in tmux, a literal prompt gets no blank. */
	const char *gap = whole ? "" : " ";
	const char *s;
	char *item;
	size_t i;

	w->count = 1;
	for (s = prompts; s != NULL && !whole && *s != '\0'; s++)
		w->count += *s == ',';
	w->prompts = mem_calloc(w->count, sizeof(*w->prompts));
	w->inputs = mem_calloc(w->count, sizeof(*w->inputs));
	w->answers = mem_calloc(w->count, sizeof(*w->answers));
	for (i = 0; i < w->count; i++) {
		item = prompt_item_new(prompts, i, whole);
		w->prompts[i] = item == NULL ? prompt_default_new(c->args, gap)
					     : mem_printf("%s%s", item, gap);
		mem_free(item);
		item = prompt_item_new(inputs, i, whole);
		if (item != NULL)
			w->inputs[i] = cmd_format_new(c, &c->current, item);
		mem_free(item);
	}
}

static void
prompt_template(struct cmd_context *c, struct prompt_wait *w)
{
	struct cmdlist *list = args_block(c->args, 0);
	const char *text = args_string(c->args, 0);
	char *plain;

	if (list != NULL) {
		w->block = cmdlist_ref(list);
		w->template = cmdlist_print_new(list, 0);
		return;
	}
	w->template = mem_strdup(text == NULL ? "%1" : text);
	if (!args_has(c->args, 'F'))
		return;
	plain = w->template;
	w->template = cmd_format_new(c, &c->current, plain);
	mem_free(plain);
}

/* Makes the state of a command with a prompt; *WAIT: without -b. */
static struct prompt_wait *
prompt_wait_new(struct cmd_context *c, bool *wait)
{
	struct prompt_wait *w = mem_zalloc(sizeof(*w));

	*wait = !args_has(c->args, 'b') && !args_has(c->args, 'i');
	cmd_late_init(&w->late, c, *wait);
	return w;
}

/* tmux waits for an answer that a control client cannot give. */
static enum cmd_result
no_prompt(struct cmd_context *c)
{
	if (controller_of(&c->sv->controllers, c->client) != NULL)
		return cmd_error(c, "a client in control mode has no prompt");
	return cmd_error(c, "no current client");
}

enum cmd_result
cmd_exec_command_prompt(struct cmd_context *c)
{
	static const struct {
		char flag;
		unsigned bit;
	} bits[] = { { '1', PROMPT_SINGLE }, { 'N', PROMPT_NUMERIC },
		{ 'k', PROMPT_KEY }, { 'i', PROMPT_INCREMENTAL },
		{ 'e', PROMPT_EXIT_EMPTY } };
	const char *type = args_get(c->args, 'T');
	struct prompt_wait *w;
	enum prompt_type t = PROMPT_TYPE_COMMAND;
	size_t i;
	bool wait;

	if (type != NULL && (t = prompt_type_find(type)) == PROMPT_TYPES)
		return cmd_error(c, "unknown type: %s", type);
	if (c->viewer == NULL)
		return no_prompt(c);
	if (prompt_shown(c->viewer))
		return CMD_NORMAL;
	w = prompt_wait_new(c, &wait);
	w->type = t;
	w->in_pane = args_has(c->args, 'P') != 0;
	prompt_template(c, w);
	prompt_fill(c, w);
	for (i = 0; i < ARRAY_LEN(bits); i++)
		if (args_has(c->args, bits[i].flag))
			w->flags |= bits[i].bit;
	(void)prompt_next(w);
	return wait ? CMD_WAIT : CMD_NORMAL;
}

/* --- confirm-before -------------------------------------------------------------- */

static void
confirm_answer(void *arg, const char *text, UNUSED bool done)
{
	struct prompt_wait *w = arg;
	bool yes =
	    text != NULL && text[0] != '\0' && text[1] == '\0' &&
	    (text[0] == w->confirm_key || (text[0] == '\r' && w->default_yes));

	if (yes)
		prompt_queue(w, w->list);
	prompt_end(w, !yes);
}

enum cmd_result
cmd_exec_confirm_before(struct cmd_context *c)
{
	const char *prompt = args_get(c->args, 'p');
	const char *key = args_get(c->args, 'c');
	struct cmdlist *list;
	struct prompt_wait *w;
	enum cmd_result r;
	char *text;
	bool wait;

	if (c->viewer == NULL)
		return no_prompt(c);
	if (key != NULL && (key[0] < ' ' || key[0] > '~' || key[1] != '\0'))
		return cmd_error(c, "invalid confirm key");
	if ((list = cmd_commands(c, 0, &r)) == NULL)
		return r;
	w = prompt_wait_new(c, &wait);
	w->list = list;
	w->confirm_key = key == NULL ? 'y' : *key;
	w->default_yes = args_has(c->args, 'y') != 0;
	if (prompt != NULL)
		text = mem_printf("%s ", prompt);
	else
		text = mem_printf("Confirm '%s'? (%c/n) ",
		    list->count > 0 ? list->cmds[0]->row->name : "",
		    w->confirm_key);
	prompt_open(c->viewer, &(struct prompt_spec){
				   .message = text,
				   .flags = PROMPT_SINGLE,
				   .type = PROMPT_TYPE_COMMAND,
				   .done = confirm_answer,
				   .arg = w,
			       });
	mem_free(text);
	return wait ? CMD_WAIT : CMD_NORMAL;
}
