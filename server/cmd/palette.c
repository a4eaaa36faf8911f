/* command-palette: one list of keys, windows, commands and options. */
#include "server/face/palette.h"

#include <string.h>

#include "base/mem.h"
#include "conf/cmdlist.h"
#include "server/cmd/cmd.h"
#include "server/cmd/palette.h"
#include "server/face/menu.h"
#include "server/face/popup.h"
#include "server/face/prompt.h"
#include "server/face/role.h"

struct palette_wait {
	struct cmd_late late;
	struct palette_items items;
	size_t chosen;
};

static void
palette_wait_free(struct palette_wait *w)
{
	palette_items_fini(&w->items);
	mem_free(w);
}

/* Ends the command; Q, which may be NULL, then runs. */
static void
palette_end(struct palette_wait *w, struct cmdq *q)
{
	cmd_late_end(&w->late, false);
	if (q != NULL)
		cmdq_turn(q);
	palette_wait_free(w);
}

/* --- prompts ------------------------------------------------------------------------ */

static void
command_typed(void *arg, const char *text, UNUSED bool done)
{
	struct palette_wait *w = arg;

	palette_end(w, text == NULL ? NULL : cmd_late_append(&w->late, text));
}

/* Queues set-option NAME VALUE; the words are not parsed. */
static struct cmdq *
set_option(
    struct palette_wait *w, const struct palette_entry *e, const char *value)
{
	struct cmdq *q = cmdq_for(&w->late.sv->run, w->late.ids.conn);
	const size_t n = strlen(value);
	/* A semicolon at the end would end the command. */
	char *last = n > 0 && value[n - 1] == ';'
			 ? mem_printf("%.*s\\;", (int)n - 1, value)
			 : mem_strdup(value);
	char command[] = "set-option", end[] = "--";
	char *flags = e->flags == NULL ? NULL : mem_strdup(e->flags);
	struct args_value words[5] = { { .text = command } };
	struct cmdlist *list = NULL;
	struct parse sp;
	size_t count = 1;

	if (flags != NULL)
		words[count++].text = flags;
	words[count++].text = end;
	words[count++].text = e->option;
	words[count++].text = last;
	parse_init(&sp, &w->late.sv->run, &w->late.state);
	if (parser_words(words, count, NULL, 0, &sp.hooks, &list) == 0)
		cmdq_append(q, list, &w->late.state, NULL, NULL);
	else
		cmd_late_error(&w->late, "%s", parse_errors(&sp));
	cmdlist_unref(list);
	parse_fini(&sp);
	mem_free(flags);
	mem_free(last);
	return q;
}

static void
option_typed(void *arg, const char *text, UNUSED bool done)
{
	struct palette_wait *w = arg;
	const struct palette_entry *e = &w->items.all[w->chosen];

	palette_end(w, text == NULL ? NULL : set_option(w, e, text));
}

/* Asks for the rest of a command, or for the value of an option. */
static void
ask(struct palette_wait *w, struct viewer *vw, const struct palette_entry *e)
{
	char *message =
	    e->row == NULL ? mem_strdup(":") : mem_printf("(%s) ", e->option);

	prompt_open(
	    vw, &(struct prompt_spec){
		    .message = message,
		    .input = e->text,
		    .type = PROMPT_TYPE_COMMAND,
		    .done = e->row == NULL ? command_typed : option_typed,
		    .arg = w,
		});
	mem_free(message);
}

/* --- the choice --------------------------------------------------------------------- */

static void
palette_done(void *arg, size_t item, bool edit)
{
	struct palette_wait *w = arg;
	struct server *sv = w->late.sv;
	struct viewer *vw = cmd_late_viewer(&w->late);
	const struct palette_entry *e;
	struct cmdq *q;

	if (item >= w->items.count || vw == NULL ||
	    vw->client->session == NULL) {
		palette_end(w, NULL);
		return;
	}
	e = &w->items.all[item];
	w->chosen = item;
	palette_recent_add(&sv->palette_recent, vw->client->session->id,
	    w->items.view->items[item].id);
	w->items.view = NULL; /* it is freed after this call */
	if (edit || e->ask || e->row != NULL) {
		ask(w, vw, e);
	} else if (e->list != NULL) {
		q = cmdq_for(&sv->run, w->late.ids.conn);
		cmdq_append(q, e->list, &w->late.state, NULL, NULL);
		palette_end(w, q);
	} else {
		palette_end(w, cmd_late_append(&w->late, e->text));
	}
}

/* Reads -k, names of kinds between commas; 0 with the error reported. */
static unsigned
wanted_kinds(struct cmd_context *c)
{
	const char *text = args_get(c->args, 'k');
	const char *name;
	unsigned kinds = 0, k;
	size_t n;

	if (text == NULL)
		return (1u << VIEW_PALETTE_KINDS) - 1;
	for (;; text += n + 1) {
		n = strcspn(text, ",");
		for (k = 0; k < VIEW_PALETTE_KINDS; k++) {
			name =
			    view_palette_kind_name((enum view_palette_kind)k);
			if (strlen(name) == n && strncmp(name, text, n) == 0)
				break;
		}
		if (k == VIEW_PALETTE_KINDS) {
			(void)cmd_error(c,
			    "unknown kind: %.*s (keys, windows, sessions, "
			    "panes, commands or options)",
			    (int)n, text);
			return 0;
		}
		kinds |= 1u << k;
		if (text[n] == '\0')
			return kinds;
	}
}

enum cmd_result
cmd_exec_command_palette(struct cmd_context *c)
{
	const char *filter = args_get(c->args, 'f');
	const unsigned kinds = wanted_kinds(c);
	struct palette_wait *w;
	struct view_palette *view;

	if (kinds == 0)
		return CMD_ERROR;
	if (c->viewer == NULL || c->client->session == NULL)
		return cmd_error(c, "no current client");
	/* security: a guest gets no palette, which would run commands for it. */
	if (!role_prompts(c->client))
		return cmd_error(c, "client is read-only");
	if (palette_shown(c->viewer) || menu_shown(c->viewer) ||
	    popup_shown(c->viewer) || prompt_shown(c->viewer))
		return CMD_NORMAL;
	view = view_palette_new(options_string(
	    &c->client->session->options, OPTION_WORD_SEPARATORS));
	view_palette_fit(view, c->client->w, c->client->h);
	if (view->w == 0) {
		view_palette_free(view);
		return cmd_error(c, "the client is too small for the palette");
	}
	w = mem_zalloc(sizeof(*w));
	w->items.view = view;
	w->items.kinds = kinds;
	palette_items_add(c, &w->items);
	palette_recent_mark(
	    &c->sv->palette_recent, c->client->session->id, view);
	if (filter != NULL)
		prompt_edit_set(&view->edit, filter);
	view_palette_filter(view);
	cmd_late_init(&w->late, c, true);
	palette_open(c->viewer, view, palette_done, w);
	return CMD_WAIT;
}
