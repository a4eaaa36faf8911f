#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "mux/mode/mode.h"
#include "server/cmd/cmd.h"
#include "server/cmd/copy.h"
#include "server/cmd/shared.h"
#include "server/face/input.h"
#include "server/face/redraw.h"
#include "server/face/requests.h"
#include "server/io/pane_input.h"

/* Runs what the key table of the pane's mode binds; false: nothing. */
static bool
key_to_table(struct cmd_context *c, const struct key_event *key)
{
	const char *name = mode_table(c->target.p);
	const struct keytable *table;
	const struct keybinding *kb;
	struct cmd_state st = *c->state;

	if (name == NULL || (table = cmd_find_table(c, name)) == NULL)
		return false;
	kb = keytable_typed(table, key->key & ~(key_code)KEY_LOCKS);
	if (kb == NULL)
		return false; /* view mode has more keys of its own */
	st.session = c->target.s == NULL ? MUX_NONE : c->target.s->id;
	st.window = c->target.w->id;
	st.pane = c->target.p->id;
	st.index = c->target.wl == NULL ? -1 : c->target.wl->index;
	st.key = key->key;
	cmdq_insert(c->item, kb->commands, &st, NULL, NULL);
	return true;
}

/*
 * A key for the mode or the program of the target pane.  NAME is the argument
 * that names it, or NULL.
 */
static void
key_to_target(
    struct cmd_context *c, const struct key_event *key, const char *name)
{
	struct key_event as_written = *key;

	if (key_to_table(c, key))
		return;
	if (mode_key(c->target.p, key)) {
		requests_run(&c->sv->viewers, c->viewer, c->target.p);
		return;
	}
	if (name != NULL)
		(void)key_name_parse_case(name, &as_written.key);
	pane_input_named(&c->sv->panes, c->target.p, &as_written, name);
}

/* An argument, with -F the text of a format (mem_free). */
static char *
word_of(struct cmd_context *c, const char *word)
{
	if (word == NULL)
		return mem_strdup("");
	return args_has(c->args, 'F') ? cmd_format_new(c, &c->target, word)
				      : mem_strdup(word);
}

/* -X: a command of the pane's mode. */
static enum cmd_result
send_command(struct cmd_context *c, unsigned repeat)
{
	const size_t count = c->args->count;
	struct mouse_event from, to;
	struct mode_effects effects;
	struct mode_command cmd = {
		.count = count,
		.repeat = repeat,
		.separators = options_string(
		    &c->target.s->options, OPTION_WORD_SEPARATORS),
		.effects = &effects,
	};
	struct cause why = { NULL };
	enum cmd_result did;
	char **words;
	size_t i;
	int r;

	if (mode_top(c->target.p) == NULL || count == 0)
		return cmd_error(c, "not in a mode");
	words = mem_calloc(count, sizeof(*words));
	for (i = 0; i < count; i++)
		words[i] = word_of(c, args_string(c->args, i));
	cmd.words = (const char *const *)words;
	if ((c->state->flags & CMD_STATE_MOUSE) != 0 && c->viewer != NULL) {
		cmd_mouse_in_pane(c, c->target.p, &from, &to);
		cmd.mouse = &to;
		cmd.mouse_from = &from;
		cmd.grab = mouse_grab(c->viewer, c->target.p);
	}
	mode_effects_init(&effects);
	r = mode_command(c->target.p, &cmd, &why);
	if (cmd.mouse != NULL && cmd.mouse->action == MOUSE_MOTION)
		mouse_drag_mode(c->viewer, c->target.p);
	requests_run(&c->sv->viewers, c->viewer, c->target.p);
	for (i = 0; i < count; i++)
		mem_free(words[i]);
	mem_free(words);
	did = cmd_mode_effects(c, &effects);
	mode_effects_fini(&effects);
	if (effects.kill) {
		window_close_pane(c->target.p);
		return did;
	}
	if (did == CMD_WAIT)
		return did;
	if (r == -ERR_NOTFOUND)
		return cmd_error(c, "not in a mode");
	if (r != 0)
		return cmd_cause(c, &why);
	if (!slices_busy(c->target.p))
		return CMD_NORMAL;
	slices_wait(
	    &c->sv->viewers, c->target.p, c->state->conn, cmdq_wait(c->item));
	return CMD_WAIT;
}

static void
send_text(struct cmd_context *c, const char *text)
{
	struct key_event key;
	size_t n = strlen(text), used;
	uint32_t cp;

	while (n > 0) {
		used = utf8_decode_final((const uint8_t *)text, n, &cp);
		key = (struct key_event){ .key = cp };
		key.text[utf8_encode(cp, (uint8_t *)key.text)] = '\0';
		/* Maps a control byte to the key that sends it. */
		if (cp < 0x20 || cp == 0x7f)
			(void)pane_input_bytes(
			    &c->sv->panes, c->target.p, text, used);
		else
			key_to_target(c, &key, NULL);
		text += used;
		n -= used;
	}
}

/* A byte in hex, as strtol reads it; what is none is not sent, as in tmux. */
static void
send_hex(struct cmd_context *c, const char *text)
{
	char *end;
	long v = strtol(text, &end, 16);
	uint8_t byte = (uint8_t)v;

	if (*text == '\0' || *end != '\0' || v < 0 || v > UINT8_MAX)
		return;
	(void)pane_input_bytes(&c->sv->panes, c->target.p, &byte, 1);
}

static void
send_one(struct cmd_context *c, const char *text)
{
	struct key_event key = { .key = 0 };

	if (args_has(c->args, 'H')) {
		send_hex(c, text);
		return;
	}
	if (!args_has(c->args, 'l') && key_name_parse(text, &key.key) == 0 &&
	    key.key != KEY_NONE && !key_is_mouse(key.key)) {
		if (key.key < KEY_SPECIAL)
			key.text[utf8_encode(
			    (uint32_t)key.key, (uint8_t *)key.text)] = '\0';
		key_to_target(c, &key, text);
		return;
	}
	send_text(c, text);
}

/* -K: handles the key as if typed at the client, with key tables. */
static void
send_to_client(struct cmd_context *c, const char *text)
{
	struct key_event key = { .key = 0 };

	if (c->viewer == NULL || key_name_parse(text, &key.key) != 0 ||
	    key.key == KEY_NONE || key_is_mouse(key.key))
		return;
	if (key.key < KEY_SPECIAL)
		key.text[utf8_encode((uint32_t)key.key, (uint8_t *)key.text)] =
		    '\0';
	keys_typed(c->viewer, &key);
}

static void
send_word(struct cmd_context *c, const char *word)
{
	if (word == NULL)
		return;
	if (args_has(c->args, 'K'))
		send_to_client(c, word);
	else
		send_one(c, word);
}

/* The count of -N, a format; returns as args_number. */
static int
repeat_of(struct cmd_context *c, int64_t *repeat, struct cause *why)
{
	const char *word = args_get(c->args, 'N');
	char *text;
	int r;

	if (word == NULL)
		return -ERR_NOTFOUND;
	text = cmd_format_new(c, &c->target, word);
	r = args_text_number(text, 1, UINT32_MAX, repeat, why);
	mem_free(text);
	return r;
}

enum cmd_result
cmd_exec_send_keys(struct cmd_context *c)
{
	struct cause why = { NULL };
	int64_t repeat = 1;
	size_t i;
	int r;

	r = repeat_of(c, &repeat, &why);
	if (r != 0 && r != -ERR_NOTFOUND)
		return cmd_fault(c, "repeat count", r, &why);
	cause_fini(&why);
	if (args_has(c->args, 'M')) {
		struct viewer *vw = c->viewer;
		struct pane *p = mux_pane(c->sv->run.mux, c->state->mouse_pane);

		if ((c->state->flags & CMD_STATE_MOUSE) == 0 || p == NULL ||
		    vw == NULL)
			return cmd_error(c, "no mouse target");
		/* The program has both presses of a double click already. */
		if (key_is_mouse(c->state->key) &&
		    key_mouse_kind(c->state->key) == KEY_MOUSE_DOUBLE_CLICK)
			return CMD_NORMAL;
		mouse_to_pane(vw, p, &c->state->mouse);
		return CMD_NORMAL;
	}
	if (args_has(c->args, 'X'))
		return send_command(c, r == 0 ? (unsigned)repeat : 0);
	if (args_has(c->args, 'R')) {
		vt_term_reset(c->target.p->term);
		viewers_redraw_window(&c->sv->viewers, c->target.w);
	}
	/*
	 * Without keys, -N repeats the next command of the mode, or the key
	 * that runs this command.
	 */
	if (c->args->count == 0 && r == 0 &&
	    mode_repeat(c->target.p, (unsigned)repeat))
		return CMD_NORMAL;
	if (c->args->count == 0 && c->state->key != KEY_NONE && r == 0) {
		struct key_event key = { .key = c->state->key };

		for (; repeat > 0; repeat--)
			key_to_target(c, &key, NULL);
	}
	for (; repeat > 0; repeat--)
		for (i = 0; i < c->args->count; i++)
			send_word(c, args_string(c->args, i));
	return CMD_NORMAL;
}

enum cmd_result
cmd_exec_send_prefix(struct cmd_context *c)
{
	/* The prefix of the person who asks, in its own session. */
	const struct options *o =
	    c->client != NULL && c->client->session == c->target.s
		? &c->client->options
		: &c->target.s->options;
	struct key_event key = {
		.key = options_key(
		    o, args_has(c->args, '2') ? OPTION_PREFIX2 : OPTION_PREFIX),
	};

	key_to_target(c, &key, NULL);
	return CMD_NORMAL;
}
