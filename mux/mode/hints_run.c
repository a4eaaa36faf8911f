/*
 * What happens with the text of a hint.
 *
 * security: the text comes from a program, perhaps of another machine.  It is
 * one quoted word of a command of rmux, and one quoted word for the shell.
 */
#include <string.h>

#include "base/mem.h"
#include "conf/args.h"
#include "mux/client.h"
#include "mux/mode/hints_int.h"
#include "mux/mux.h"
#include "mux/session.h"
#include "mux/window.h"

#define OPEN_MAX 65536 /* bytes of a command */

/* Runs a template with TEXT in place of %1%, for use inside double quotes. */
static void
run(struct hints_mode *hm, const char *template, const char *text)
{
	const char *values[1] = { text };
	char *command = args_template_new(template, values, 1);

	mode_request_run(hm->host->requests, command);
	mem_free(command);
}

static void
copy(struct hints_mode *hm, const char *text, bool paste)
{
	const struct options *o = &hm->mode.pane->mux->server_options;
	const bool clipboard =
	    options_number(o, OPTION_SET_CLIPBOARD) != SET_CLIPBOARD_OFF;
	char *command;

	run(hm,
	    clipboard ? "set-buffer -w -- \"%1%\"" : "set-buffer -- \"%1%\"",
	    text);
	if (!paste) {
		run(hm, "display-message -l -- \"copied: %1%\"", text);
		return;
	}
	command = mem_printf("paste-buffer -p -t %%%u", hm->mode.pane->id);
	mode_request_run(hm->host->requests, command);
	mem_free(command);
}

/*
 * Adds TEXT as one word of the shell.  Characters that formats and run-shell
 * would read are printed by the shell instead.
 */
static void
add_word(struct buf *b, const char *text)
{
	(void)buf_add_u8(b, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			(void)buf_add_str(b, "'\\''");
		else if (*text == '#' || *text == '%')
			(void)buf_addf(
			    b, "'\"$(printf '\\%03o')\"'", (unsigned)*text);
		else
			(void)buf_add_u8(b, (uint8_t)*text);
	}
	(void)buf_add_u8(b, '\'');
}

/* The directory of the pane's program, a new string. */
static char *
path_of(struct hints_mode *hm)
{
	struct mode_where at = {
		.client = mux_client(hm->mode.pane->mux, hm->client),
		.pane = hm->mode.pane,
	};
	const struct list_node *n = list_first(&hm->mode.pane->window->links);

	if (n != NULL) {
		at.link = container_of(n, struct winlink, window_node);
		at.session = at.link->session;
	}
	/* cppcheck-suppress returnDanglingLifetime; it returns a new string */
	return hm->host->expand(
	    hm->host->arg, &at, NULL, 0, "#{pane_current_path}");
}

static void
open_text(struct hints_mode *hm, const char *text, enum hint_kind kind)
{
	const char *command = options_string(
	    &hm->mode.pane->window->options, OPTION_HINTS_OPEN_COMMAND);
	struct buf b;
	char *path, *words;

	if (command == NULL || *command == '\0') {
		mode_request_run(hm->host->requests,
		    "display-message -l -- \"nothing opens hints: set "
		    "hints-open-command, for example to xdg-open\"");
		return;
	}
	if (*text == '-') {
		run(hm,
		    "display-message -l -- \"not opened, because it looks "
		    "like an option: %1%\"",
		    text);
		return;
	}
	buf_init(&b, OPEN_MAX);
	path = path_of(hm);
	(void)buf_add_str(&b, "cd ");
	add_word(&b, *path == '\0' ? "/" : path);
	(void)buf_addf(&b,
	    " 2>/dev/null; RMUX_HINT_KIND=%s; export RMUX_HINT_KIND; ",
	    hint_kind_name(kind));
	(void)buf_addf(&b, "%s ", command);
	add_word(&b, text);
	mem_free(path);
	if (b.overflow) {
		mode_request_run(hm->host->requests,
		    "display-message -l -- \"too long to be opened\"");
		buf_fini(&b);
		return;
	}
	words = buf_steal(&b, NULL);
	run(hm, "run-shell -b \"%1%\"", words);
	run(hm, "display-message -l -- \"opened: %1%\"", text);
	mem_free(words);
}

void
hints_run(struct hints_mode *hm, const struct hint *h, enum hints_do what)
{
	if (what == HINTS_OPEN)
		open_text(hm, h->text, h->kind);
	else
		copy(hm, h->text, what == HINTS_PASTE);
}

void
hints_run_picked(struct hints_mode *hm, enum hints_do what)
{
	struct buf b;
	size_t i;
	char *text;

	if (what == HINTS_OPEN) {
		for (i = 0; i < hm->picks; i++)
			hints_run(hm, hints_labelled(hm, hm->order[i]), what);
		return;
	}
	buf_init(&b, (size_t)HINTS_MAX * (HINT_TEXT_MAX + 1));
	for (i = 0; i < hm->picks; i++) {
		if (i > 0)
			(void)buf_add_u8(&b, ' ');
		(void)buf_add_str(&b, hints_labelled(hm, hm->order[i])->text);
	}
	text = buf_steal(&b, NULL);
	if (*text != '\0')
		copy(hm, text, what == HINTS_PASTE);
	mem_free(text);
}
