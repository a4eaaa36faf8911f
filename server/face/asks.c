#include "server/face/asks.h"

#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "mux/client.h"
#include "mux/session.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/status.h"
#include "server/face/prompt.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/run/messages.h"

#define LAST_SEARCH "#{pane_search_string}"

static const struct {
	unsigned char flag;
	unsigned prompt;
	unsigned ask;
} flags[] = {
	{ '1', PROMPT_SINGLE, ASK_SINGLE },
	{ 'N', PROMPT_NUMERIC, ASK_NUMERIC },
	{ 'i', PROMPT_INCREMENTAL, ASK_INCREMENTAL },
	{ 'e', PROMPT_EXIT_EMPTY, ASK_EXIT_EMPTY },
};

/* Whether a format gives its own text, at all times. */
static bool
is_plain(const char *format)
{
	return strpbrk(format, "#%") == NULL;
}

/* --- what a binding opens ----------------------------------------------------------- */

/* Whether command-prompt has only flags that ask_of reads. */
static bool
knows_flags(const struct args *a)
{
	const char *type = args_get(a, 'T');
	size_t i;

	for (i = 0; i < a->flag_count; i++)
		if (strchr("1NiebITpP", a->flags[i].flag) == NULL)
			return false;
	return type == NULL || prompt_type_find(type) != PROMPT_TYPES;
}

static unsigned
flags_of(const struct args *a)
{
	unsigned n = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(flags); i++)
		if (args_has(a, flags[i].flag))
			n |= flags[i].ask;
	return n;
}

/* Returns the template if it is one send-keys for the mode, else NULL. */
static char *
template_new(const struct args *a)
{
	const struct cmdlist *list = args_block(a, 0);
	const struct args *send;
	int64_t repeat;

	if (a->count != 1 || list == NULL || list->count != 1 ||
	    list->cmds[0]->row->id != COMMAND_send_keys)
		return NULL;
	send = list->cmds[0]->args;
	/* The count may be the answer. */
	if (ask_command(list, &repeat) == NULL &&
	    (args_has(send, 'X') || send->count > 0 || send->flag_count != 1 ||
		!args_has(send, 'N')))
		return NULL;
	return cmdlist_print_new(list, 0);
}

/* Stores the first text of a prompt; false: a client could not know it. */
static bool
input_new(const struct viewer *vw, const struct args *args, struct ask *a)
{
	const struct view_context *cx = &vw->builder.cx;
	const char *input = args_get(args, 'I');

	if (input == NULL)
		input = "";
	if (strcmp(input, LAST_SEARCH) == 0) {
		a->flags |= ASK_LAST_SEARCH;
		a->input = cx->host->expand(
		    cx->arg, cx->client, NULL, NULL, 0, LAST_SEARCH, 0);
		return true;
	}
	if (!is_plain(input) || strchr(input, ',') != NULL)
		return false;
	a->input = mem_strdup(input);
	return true;
}

/* Describes the prompt of a binding in A, which is zero. */
static bool
ask_of(const struct viewer *vw, const struct cmdlist *list, struct ask *a)
{
	const struct options *o = &vw->client->session->options;
	const struct args *args;
	const char *message;

	if (list->count != 1 ||
	    list->cmds[0]->row->id != COMMAND_command_prompt)
		return false;
	args = list->cmds[0]->args;
	message = args_get(args, 'p');
	if (!knows_flags(args) || message == NULL || !is_plain(message) ||
	    strchr(message, ',') != NULL ||
	    (a->template = template_new(args)) == NULL)
		return false;
	a->flags = flags_of(args);
	a->in_pane = args_has(args, 'P') != 0;
	if (options_number(o, OPTION_STATUS_KEYS) == STATUS_KEYS_VI)
		a->flags |= ASK_VI;
	a->message = mem_printf("%s ", message);
	return input_new(vw, args, a) && strlen(a->template) <= ASK_TEXT_MAX &&
	       strlen(a->input) <= ASK_TEXT_MAX;
}

/* Draws the line of A without text. */
static bool
draw(const struct viewer *vw, struct ask *a)
{
	const struct client *c = vw->client;
	const struct view_builder *b = &vw->builder;
	struct view_line line = { .message = a->message };
	struct prompt_edit edit;
	struct cell_rect at;

	prompt_edit_init(&edit, " ");
	line.edit = &edit;
	line.pane = a->in_pane ? client_pane(c) : NULL;
	a->line = view_status_line_new(b, &line, &at, &a->col, &a->pen);
	prompt_edit_fini(&edit);
	a->x = at.x;
	a->y = at.y;
	return at.y >= 0 && at.y < c->h && a->col + 1 < a->line->cols;
}

bool
asks_steady(const struct viewer *vw)
{
	const struct options *o = &vw->client->session->options;
	const char *style = options_string(o, OPTION_MESSAGE_STYLE);

	/* The default style reads only prompt_flags, which no prompt has here. */
	return strcmp(options_string(o, OPTION_MESSAGE_FORMAT),
		   option_row(OPTION_MESSAGE_FORMAT)->text) == 0 &&
	       (is_plain(style) ||
		   strcmp(style, option_row(OPTION_MESSAGE_STYLE)->text) == 0);
}

/* Whether that is so, and the commands are those that a client knows. */
static bool
is_steady(const struct viewer *vw)
{
	return asks_steady(vw) && options_alias(&vw->run->mux->server_options,
				      "send-keys") == NULL;
}

/* --- the list ----------------------------------------------------------------------- */

static bool
is_same(const struct ask *a, const struct ask *b)
{
	return a->flags == b->flags && a->in_pane == b->in_pane &&
	       strcmp(a->message, b->message) == 0 &&
	       strcmp(a->template, b->template) == 0 &&
	       strcmp(a->input, b->input) == 0;
}

/* Returns the row of AS like A, or NULL. */
static struct ask *
like(struct asks *as, const struct ask *a)
{
	unsigned i;

	for (i = 0; i < as->count; i++)
		if (is_same(&as->rows[i], a))
			return &as->rows[i];
	return NULL;
}

bool
asks_add(const struct viewer *vw, struct asks *as, key_code key,
    const struct cmdlist *list)
{
	struct ask a = { 0 }, *old;

	/* security: only admins answer prompts. */
	if (!role_prompts(vw->client) || !role_list(vw->client, list) ||
	    !is_steady(vw))
		return false;
	if (!ask_of(vw, list, &a)) {
		ask_fini(&a);
		return false;
	}
	if ((old = like(as, &a)) == NULL && as->count < ASKS_MAX &&
	    draw(vw, &a)) {
		old = &as->rows[as->count++];
		*old = a;
	} else
		ask_fini(&a);
	if (old == NULL || old->nkeys == ASK_KEYS_MAX)
		return false;
	old->keys[old->nkeys++] = key;
	return true;
}

unsigned
asks_find(const struct viewer *vw, const struct asks *as,
    const struct prompt_state *p)
{
	const struct pane *pane = client_pane(vw->client);
	const struct ask *a;
	unsigned i, n, k;

	if (pane == NULL || pane->id != p->pane || p->template == NULL)
		return 0;
	for (i = 0; i < as->count; i++) {
		a = &as->rows[i];
		for (n = 0, k = 0; k < ARRAY_LEN(flags); k++)
			if ((p->flags & flags[k].prompt) != 0)
				n |= flags[k].ask;
		if ((a->flags & ~(unsigned)(ASK_VI | ASK_LAST_SEARCH)) == n &&
		    a->in_pane == p->in_pane &&
		    strcmp(a->message, p->message) == 0 &&
		    strcmp(a->template, p->template) == 0)
			return i + 1;
	}
	return 0;
}
