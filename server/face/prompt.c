#include "server/face/prompt.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/view/panel.h"
#include "mux/view/status.h"
#include "server/face/prompt_complete.h"
#include "server/face/role.h"
#include "server/face/viewer.h"
#include "server/io/scope.h"

struct prompt {
	char *message;
	unsigned flags;
	enum prompt_type type;
	prompt_done_fn done;
	void *arg;
	struct prompt_edit edit;
	size_t history; /* entries back from the newest; 0: the text itself */
	char *saved;    /* the text while history is looked at */
	char *last;     /* what is searched again when nothing was typed */
	char sign;      /* of incremental answers */
	bool command;   /* vi: command mode */
	bool quote;     /* the next key is put in as it is */
	bool ended;     /* a key function has left it */
	struct view_panel *panel;
};

static const struct options *
prompt_options(const struct viewer *vw)
{
	return vw->client->session != NULL ? &vw->client->session->options
					   : &vw->run->mux->session_options;
}

static void
prompt_finish(struct viewer *vw, const char *text)
{
	struct prompt *p = vw->prompt;

	vw->prompt = NULL;
	p->ended = true;
	p->done(p->arg, text, true);
	p->done = NULL;
	prompt_free(p);
	viewer_dirty(vw);
}

/* Tells an incremental prompt's owner; the prompt may be gone behind it. */
static void
prompt_tell(struct viewer *vw)
{
	struct prompt *p = vw->prompt;
	char *text;

	if ((p->flags & PROMPT_INCREMENTAL) == 0)
		return;
	text = mem_printf("%c%s", p->sign, prompt_edit_text(&p->edit));
	p->done(p->arg, text, false);
	mem_free(text);
}

void
prompt_open(struct viewer *vw, const struct prompt_spec *spec)
{
	struct prompt *p;

	prompt_close(vw);
	/* security: no question is put to a guest. */
	if (!role_prompts(vw->client)) {
		spec->done(spec->arg, NULL, true);
		return;
	}
	p = mem_zalloc(sizeof(*p));
	p->message = mem_strdup(spec->message);
	p->flags = spec->flags;
	p->type = spec->type;
	p->done = spec->done;
	p->arg = spec->arg;
	p->sign = '=';
	prompt_edit_init(&p->edit,
	    options_string(prompt_options(vw), OPTION_WORD_SEPARATORS));
	if (spec->input != NULL && (p->flags & PROMPT_INCREMENTAL) != 0)
		p->last = mem_strdup(spec->input);
	else if (spec->input != NULL)
		prompt_edit_set(&p->edit, spec->input);
	vw->prompt = p;
	viewer_dirty(vw);
	prompt_tell(vw);
}

bool
prompt_is_key(const struct prompt *p)
{
	return (p->flags & (PROMPT_SINGLE | PROMPT_NUMERIC | PROMPT_KEY)) != 0;
}

void
prompt_close(struct viewer *vw)
{
	if (vw->prompt != NULL)
		prompt_finish(vw, NULL);
}

void
prompt_free(struct prompt *p)
{
	if (p == NULL)
		return;
	if (p->done != NULL)
		p->done(p->arg, NULL, true);
	prompt_edit_fini(&p->edit);
	view_panel_free(p->panel);
	mem_free(p->message);
	mem_free(p->saved);
	mem_free(p->last);
	mem_free(p);
}

/* --- history -------------------------------------------------------------------- */

static void
prompt_history(struct viewer *vw, int step)
{
	struct prompt *p = vw->prompt;
	const struct prompt_log *log = &vw->run->prompts;
	size_t count = log->count[p->type];

	if ((step > 0 && p->history >= count) || (step < 0 && p->history == 0))
		return;
	if (p->history == 0) {
		mem_free(p->saved);
		p->saved = mem_strdup(prompt_edit_text(&p->edit));
	}
	p->history += (size_t)step;
	prompt_edit_set(&p->edit,
	    p->history == 0 ? p->saved
			    : log->lines[p->type][count - p->history]);
	prompt_tell(vw);
}

static void
prompt_remember(struct viewer *vw, const char *text)
{
	struct run *run = vw->run;

	prompt_log_add(&run->prompts, vw->prompt->type,
	    (size_t)options_number(
		&run->mux->server_options, OPTION_PROMPT_HISTORY_LIMIT),
	    text);
}

/* --- what keys do ------------------------------------------------------------------ */

static void
do_accept(struct viewer *vw)
{
	char *text = mem_strdup(prompt_edit_text(&vw->prompt->edit));

	prompt_remember(vw, text);
	prompt_finish(vw, text);
	mem_free(text);
}

static void
do_leave(struct viewer *vw)
{
	prompt_finish(vw, NULL);
}

static void
do_older(struct viewer *vw)
{
	prompt_history(vw, 1);
}

static void
do_newer(struct viewer *vw)
{
	prompt_history(vw, -1);
}

static void
do_backspace(struct viewer *vw)
{
	struct prompt *p = vw->prompt;

	if ((p->flags & PROMPT_EXIT_EMPTY) != 0 && p->edit.text.len == 0) {
		prompt_finish(vw, NULL);
		return;
	}
	prompt_edit_backspace(&p->edit);
	prompt_tell(vw);
}

/* What was cut here, else the newest paste buffer's first line. */
static void
do_yank(struct viewer *vw)
{
	struct prompt *p = vw->prompt;
	const struct paste_buffer *b = paste_top(vw->run->mux->paste);
	size_t n = 0;

	if (p->edit.cut != NULL)
		prompt_edit_yank(&p->edit);
	else if (b != NULL) {
		while (n < b->size && b->data[n] >= 0x20 && b->data[n] != 0x7f)
			n++;
		if (utf8_valid(b->data, n))
			prompt_edit_insert(&p->edit, (const char *)b->data, n);
	}
	prompt_tell(vw);
}

static void
do_quote(struct viewer *vw)
{
	vw->prompt->quote = true;
}

/* C-r and C-s of an incremental prompt turn round or search again. */
static void
search_way(struct viewer *vw, char sign)
{
	struct prompt *p = vw->prompt;

	if ((p->flags & PROMPT_INCREMENTAL) == 0)
		return;
	if (p->edit.text.len == 0) {
		p->sign = '=';
		if (p->last != NULL)
			prompt_edit_set(&p->edit, p->last);
	} else
		p->sign = sign;
	prompt_tell(vw);
}

static void
do_search_back(struct viewer *vw)
{
	search_way(vw, '-');
}

static void
do_search_on(struct viewer *vw)
{
	search_way(vw, '+');
}

/* Replaces the word by what all words that fit have in common. */
static void
do_complete(struct viewer *vw)
{
	struct prompt *p = vw->prompt;
	struct completion c;
	size_t i, at = p->edit.at;
	bool grew;

	completion_init(
	    &c, vw, p->type, prompt_edit_text(&p->edit), p->edit.at);
	if (c.common != NULL) {
		grew = strlen(c.common) > at - c.from;
		prompt_edit_remove(&p->edit, c.from, at);
		prompt_edit_insert(&p->edit, c.common, strlen(c.common));
		/* A target may go on behind its colon. */
		if (c.count == 1 && p->type == PROMPT_TYPE_COMMAND &&
		    c.common[strlen(c.common) - 1] != ':')
			prompt_edit_insert(&p->edit, " ", 1);
		if (c.count > 1 && !grew) {
			p->panel = view_panel_new();
			for (i = 0; i < c.count; i++)
				view_panel_add_item(p->panel, NULL, c.words[i]);
		}
		prompt_tell(vw);
	}
	completion_fini(&c);
}

/* An edit that only changes the text and tells of it. */
static void
edit(struct viewer *vw, void (*fn)(struct prompt_edit *e))
{
	fn(&vw->prompt->edit);
	prompt_tell(vw);
}

#define EDIT(name, fn)              \
 static void name(struct viewer *v) \
 {                                  \
  edit(v, fn);                      \
 }
#define MOVE(name, call)                    \
 static void name(struct viewer *v)         \
 {                                          \
  struct prompt_edit *e = &v->prompt->edit; \
  call;                                     \
 }
/* clang-format off */
EDIT(do_delete, prompt_edit_delete)
EDIT(do_kill, prompt_edit_kill)
EDIT(do_clear, prompt_edit_clear)
MOVE(do_left, prompt_edit_left(e))
MOVE(do_right, prompt_edit_right(e))
MOVE(do_home, prompt_edit_home(e))
MOVE(do_end, prompt_edit_end(e))
MOVE(do_word_back, prompt_edit_word_back(e, false))
MOVE(do_big_back, prompt_edit_word_back(e, true))
MOVE(do_vi_next, prompt_edit_word_next(e, false, true))
MOVE(do_big_next, prompt_edit_word_next(e, true, true))
MOVE(do_word_end, prompt_edit_word_end(e, false))
MOVE(do_big_end, prompt_edit_word_end(e, true))
/* clang-format on */

static void
do_nothing(UNUSED struct viewer *vw)
{
}

struct prompt_row {
	key_code key;
	void (*fn)(struct viewer *vw);
	bool insert; /* vi: and text can be typed behind it */
};

/* status-keys emacs, and vi while text is typed: beside prompt_edit_bound. */
static const struct prompt_row prompt_rows[] = {
	{ KEY_ENTER, do_accept, false },
	{ 'm' | KEY_CTRL, do_accept, false },
	{ 'j' | KEY_CTRL, do_accept, false },
	{ KEY_ESCAPE, do_leave, false },
	{ 'c' | KEY_CTRL, do_leave, false },
	{ 'g' | KEY_CTRL, do_leave, false },
	{ '[' | KEY_CTRL, do_leave, false },
	{ KEY_TAB, do_complete, false },
	{ 'i' | KEY_CTRL, do_complete, false },
	{ KEY_BSPACE, do_backspace, false },
	{ 'h' | KEY_CTRL, do_backspace, false },
	{ 'y' | KEY_CTRL, do_yank, false },
	{ 'v' | KEY_CTRL, do_quote, false },
	{ 'r' | KEY_CTRL, do_search_back, false },
	{ 's' | KEY_CTRL, do_search_on, false },
	{ KEY_UP, do_older, false },
	{ 'p' | KEY_CTRL, do_older, false },
	{ KEY_DOWN, do_newer, false },
	{ 'n' | KEY_CTRL, do_newer, false },
};

/* status-keys vi in command mode; what is not here is looked up above. */
static const struct prompt_row prompt_vi_rows[] = {
	{ 'i', do_nothing, true },
	{ 'a', do_right, true },
	{ 'A', do_end, true },
	{ 'I', do_home, true },
	{ 'C', do_kill, true },
	{ 's', do_delete, true },
	{ 'S', do_clear, true },
	{ KEY_ESCAPE, do_nothing, false },
	{ '[' | KEY_CTRL, do_nothing, false },
	{ '$', do_end, false },
	{ '0', do_home, false },
	{ '^', do_home, false },
	{ 'D', do_kill, false },
	{ 'X', do_backspace, false },
	{ KEY_BSPACE, do_left, false },
	{ 'h', do_left, false },
	{ 'l', do_right, false },
	{ 'j', do_newer, false },
	{ 'k', do_older, false },
	{ 'b', do_word_back, false },
	{ 'B', do_big_back, false },
	{ 'w', do_vi_next, false },
	{ 'W', do_big_next, false },
	{ 'e', do_word_end, false },
	{ 'E', do_big_end, false },
	{ 'd', do_clear, false },
	{ 'x', do_delete, false },
	{ 'p', do_yank, false },
	{ 'q', do_leave, false },
};

static const struct prompt_row *
find_row(const struct prompt_row *rows, size_t n, key_code k)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rows[i].key == k)
			return &rows[i];
	return NULL;
}

/* --- keys --------------------------------------------------------------------------- */

static void
put_key(struct viewer *vw, key_code k)
{
	struct prompt *p = vw->prompt;
	uint8_t bytes[UTF8_MAX + 1];
	size_t n = prompt_edit_typed(k, bytes);

	if (n == 0)
		return;
	bytes[n] = '\0';
	if (p->flags & PROMPT_SINGLE) {
		if (bytes[0] == 0x1b || bytes[0] == 0x03 || bytes[0] == 0x07)
			prompt_finish(vw, NULL);
		else
			prompt_finish(vw, (const char *)bytes);
		return;
	}
	p->quote = false;
	prompt_edit_insert(&p->edit, (const char *)bytes, n);
	prompt_tell(vw);
}

static bool
is_digit_key(key_code k)
{
	return k >= '0' && k <= '9';
}

bool
prompt_key(struct viewer *vw, const struct key_event *key)
{
	struct prompt *p = vw->prompt;
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	const struct prompt_row *row = NULL;
	enum prompt_edit_did did;
	char name[KEY_NAME_MAX];
	char *text;
	bool vi;

	view_panel_free(p->panel);
	p->panel = NULL;
	viewer_dirty(vw);
	if (p->flags & PROMPT_KEY) {
		prompt_finish(vw, key_name_format(k, name, sizeof(name)));
		return true;
	}
	if ((p->flags & PROMPT_NUMERIC) && !is_digit_key(k)) {
		/* The key that ends the number also does what it does. */
		text = mem_strdup(prompt_edit_text(&p->edit));
		prompt_finish(vw, text);
		mem_free(text);
		return false;
	}
	if ((p->flags & (PROMPT_SINGLE | PROMPT_NUMERIC)) || p->quote) {
		put_key(vw, k);
		return true;
	}
	vi = options_number(prompt_options(vw), OPTION_STATUS_KEYS) ==
	     STATUS_KEYS_VI;
	if (vi && !p->command && (k == KEY_ESCAPE || k == ('[' | KEY_CTRL))) {
		p->command = true;
		return true;
	}
	if (vi && p->command)
		row = find_row(prompt_vi_rows, ARRAY_LEN(prompt_vi_rows), k);
	if (row == NULL)
		row = find_row(prompt_rows, ARRAY_LEN(prompt_rows), k);
	if (row != NULL) {
		if (row->insert)
			p->command = false;
		row->fn(vw);
		return true;
	}
	did = prompt_edit_bound(&p->edit, k);
	if (did == PROMPT_EDIT_CHANGED)
		prompt_tell(vw);
	else if (did == PROMPT_EDIT_NONE && !p->command && (k & KEY_CTRL) == 0)
		put_key(vw, k);
	return true;
}

void
prompt_paste(struct viewer *vw, const char *text, size_t n)
{
	size_t i, start = 0;

	/* Control bytes end a piece; nothing pasted is run. */
	for (i = 0; i <= n; i++)
		if (i == n || (unsigned char)text[i] < 0x20) {
			prompt_edit_insert(
			    &vw->prompt->edit, text + start, i - start);
			start = i + 1;
		}
	prompt_tell(vw);
	viewer_dirty(vw);
}

/* --- drawing -------------------------------------------------------------------------- */

/*
 * Tells a remote client what it needs to edit the text, which begins at column
 * X, itself; nothing where keys do more than that.
 */
static void
say_text(const struct viewer *vw, const struct prompt *p, unsigned x,
    struct sync_view *v)
{
	/* Of those it is not only the text that a key changes. */
	if ((p->flags & ~(unsigned)PROMPT_INCREMENTAL) != 0 || p->command ||
	    p->quote || !vw->link->ops->far)
		return;
	sync_prompt_unref(v->prompt);
	v->prompt = sync_prompt_new(&(struct sync_prompt){
	    .surface = VIEW_SURFACE_LINE,
	    .x = (uint16_t)x,
	    .at = (uint32_t)p->edit.at,
	    .seen = vw->input_done - 1,
	    .text =
		vt_str_new((const char *)p->edit.text.data, p->edit.text.len),
	    .separators =
		vt_str_new(p->edit.separators, strlen(p->edit.separators)),
	});
}

void
prompt_draw(struct viewer *vw, struct sync_view *v)
{
	const struct prompt *p = vw->prompt;
	char *message = scope_expand_client_new(
	    vw->all->scope, vw->client, p->message, FORMAT_STRFTIME);
	const struct view_line line = {
		.message = message, .edit = &p->edit, .command = p->command
	};

	if (p->panel != NULL)
		view_panel_add(&vw->builder, v, p->panel, VIEW_PANEL_ON_LINE);
	say_text(vw, p, view_status_line_add(&vw->builder, v, &line), v);
	mem_free(message);
}
