#include "server/face/prompt_keys.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
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

/* Whether A has flags of KNOWN alone. */
static bool
has_only(const struct args *a, const char *known)
{
	size_t i;

	for (i = 0; i < a->flag_count; i++)
		if (strchr(known, a->flags[i].flag) == NULL)
			return false;
	return true;
}

/* Returns a new message of command-prompt with the arguments A. */
static char *
message_new(const struct args *a)
{
	const char *text = args_get(a, 'p');

	return text != NULL ? mem_printf("%s ", text)
			    : prompt_default_new(a, " ");
}

/* Adds a row; false: no room.  Frees MESSAGE. */
static bool
add_row(struct prompt_keys *pk, char *message, const char *input, bool single,
    uint32_t *number)
{
	/* The commands of #() run when the key is pressed, not before. */
	const bool fits = pk->count < SYNC_SWITCH_ASKS_MAX &&
			  strlen(message) < PROMPT_KEYS_TEXT &&
			  strlen(input) < PROMPT_KEYS_TEXT &&
			  strstr(message, "#(") == NULL &&
			  strstr(input, "#(") == NULL;

	if (fits) {
		strcpy(pk->rows[pk->count].message, message);
		strcpy(pk->rows[pk->count].input, input);
		pk->rows[pk->count].single = single;
		*number = pk->count++;
	}
	mem_free(message);
	return fits;
}

bool
prompt_keys_add(const struct viewer *vw, struct prompt_keys *pk,
    const struct cmd *cmd, uint32_t *number)
{
	const struct args *a = cmd->args;
	const char *input = args_get(a, 'I'), *type = args_get(a, 'T');
	const char *message = args_get(a, 'p');

	/* security: only admins answer prompts. */
	if (!role_prompts(vw->client))
		return false;
	if (cmd->row->id == COMMAND_confirm_before)
		return message != NULL && has_only(a, "bpcy") &&
		       add_row(
			   pk, mem_printf("%s ", message), "", true, number);
	/* A comma separates prompts; a client can open only one. */
	if (cmd->row->id != COMMAND_command_prompt || !has_only(a, "bIpTFt") ||
	    (type != NULL && prompt_type_find(type) == PROMPT_TYPES) ||
	    (message != NULL && strchr(message, ',') != NULL) ||
	    (input != NULL && strchr(input, ',') != NULL) ||
	    args_get(a, 't') != NULL)
		return false;
	return add_row(
	    pk, message_new(a), input == NULL ? "" : input, false, number);
}

/* --- as they would open now ---------------------------------------------------------- */

/* What the row NUMBER shows. */
struct texts {
	char *message;
	char *input;
};

static char *
expand(const struct viewer *vw, const char *format, unsigned flags)
{
	const struct view_context *cx = &vw->builder.cx;

	/* Most are plain text, and each view asks for all of them. */
	if (strpbrk(format, "#%") == NULL)
		return mem_strdup(format);
	return cx->host->expand(
	    cx->arg, cx->client, NULL, NULL, 0, format, flags);
}

static void
draw(const struct viewer *vw, const struct texts *t, bool single,
    struct sync_switch_setup *out)
{
	struct view_line line = { .message = t->message };
	struct sync_switch_ask a;
	struct prompt_edit edit;
	struct cell_rect at;
	struct vt_frame *f;
	struct pen pen;

	prompt_edit_init(&edit, " ");
	prompt_edit_set(&edit, t->input);
	line.edit = &edit;
	f = view_status_line_new(&vw->builder, &line, &at, &a.col, &pen);
	prompt_edit_fini(&edit);
	a.x = at.x;
	a.y = at.y;
	/* Without a column for its text it could not be edited. */
	if (at.x < 0 || at.y < 0 || at.y >= vw->client->h ||
	    (!single && (a.col == 0 || a.col + 1 >= f->cols))) {
		vt_frame_unref(f);
		f = NULL;
	}
	if (single)
		a.col = 0;
	sync_switch_add_ask(out, &a, t->input, f);
	vt_frame_unref(f);
}

static void
draw_all(struct viewer *vw, struct prompt_keys *pk, const struct texts *texts)
{
	const struct options *o = &vw->client->session->options;
	const char *separators = options_string(o, OPTION_WORD_SEPARATORS);
	struct sync_switch_setup *s = &pk->drawn;
	const size_t n = strlen(separators);
	unsigned i;

	s->nasks = 0;
	s->ask_len = 0;
	if (n >= SYNC_SWITCH_ASK_BYTES / 8)
		return;
	memcpy(s->ask_bytes, separators, n);
	s->separators = (unsigned)n;
	s->ask_len = n;
	for (i = 0; i < pk->count; i++)
		draw(vw, &texts[i], pk->rows[i].single, s);
}

void
prompt_keys_put(
    struct viewer *vw, struct prompt_keys *pk, struct sync_switch_setup *out)
{
	const struct client *c = vw->client;
	struct texts texts[SYNC_SWITCH_ASKS_MAX];
	uint64_t n[] = { (uint64_t)c->w, (uint64_t)c->h,
		c->session->options.changes, c->mux->session_options.changes };
	uint64_t stamp = str_hash(n, sizeof(n), 0);
	unsigned i;

	for (i = 0; i < pk->count; i++) {
		texts[i].message =
		    expand(vw, pk->rows[i].message, FORMAT_STRFTIME);
		texts[i].input = expand(vw, pk->rows[i].input, 0);
		stamp = str_hash(
		    texts[i].message, strlen(texts[i].message) + 1, stamp);
		stamp =
		    str_hash(texts[i].input, strlen(texts[i].input) + 1, stamp);
	}
	if (pk->stamp != (stamp | 1)) {
		draw_all(vw, pk, texts);
		pk->stamp = stamp | 1;
	}
	for (i = 0; i < pk->count; i++) {
		mem_free(texts[i].message);
		mem_free(texts[i].input);
	}
	out->nasks = pk->drawn.nasks;
	memcpy(out->asks, pk->drawn.asks, sizeof(out->asks));
	out->separators = pk->drawn.separators;
	out->ask_len = pk->drawn.ask_len;
	memcpy(out->ask_bytes, pk->drawn.ask_bytes, pk->drawn.ask_len);
}
