#include "server/face/prompt.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/args.h"
#include "conf/cmdlist.h"
#include "conf/key_name.h"
#include "mux/client.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/view/panel.h"
#include "mux/view/status.h"
#include "mux/view/text.h"
#include "server/face/prompt_complete.h"
#include "server/face/role.h"
#include "server/face/viewer.h"

/* Prompts that take single keys, not a line of text. */
#define PROMPT_ONE_KEY (PROMPT_SINGLE | PROMPT_NUMERIC | PROMPT_KEY)

struct prompt {
	struct overlay over;
	char *message;
	bool plain;
	char *template; /* or NULL */
	uint64_t serial;
	unsigned what;
	unsigned flags;
	enum prompt_type type;
	prompt_done_fn done;
	void *arg;
	struct prompt_edit edit;
	size_t history; /* entries back from the newest; 0: the text itself */
	char *saved;    /* the typed text while history is shown */
	char *last;     /* the last search, for C-r or C-s on an empty text */
	char sign;      /* first character of incremental answers */
	bool in_pane;   /* over the pane PANE, not on the message line */
	uint32_t pane;
	bool command;       /* vi: in command mode */
	bool quote;         /* the next key is inserted literally */
	const char *answer; /* set before closing; NULL: cancelled */
	struct view_panel *panel;
};

static struct prompt *
prompt_of(struct overlay *o)
{
	return container_of(o, struct prompt, over);
}

static struct viewer *
viewer_of(const struct prompt *p)
{
	return p->over.stack->viewer;
}

static const struct options *
prompt_options(const struct viewer *vw)
{
	return &vw->client->options;
}

/* Closes the prompt with an answer; NULL: cancelled. */
static void
prompt_finish(struct prompt *p, const char *text)
{
	p->answer = text;
	overlay_close(&p->over);
}

static void
prompt_close(struct overlay *o)
{
	struct prompt *p = prompt_of(o);

	p->done(p->arg, p->answer, true);
	prompt_edit_fini(&p->edit);
	view_panel_free(p->panel);
	mem_free(p->message);
	mem_free(p->template);
	mem_free(p->saved);
	mem_free(p->last);
	mem_free(p);
}

/*
 * Calls the callback of an incremental prompt with the current text; the
 * callback may close the prompt.
 */
static void
prompt_tell(struct prompt *p)
{
	char *text;

	if ((p->flags & PROMPT_INCREMENTAL) == 0)
		return;
	text = mem_printf("%c%s", p->sign, prompt_edit_text(&p->edit));
	p->done(p->arg, text, false);
	mem_free(text);
}

/* --- history -------------------------------------------------------------------- */

static void
prompt_history(struct prompt *p, int step)
{
	const struct prompt_log *log = &viewer_of(p)->run->prompts;
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
	prompt_tell(p);
}

static void
prompt_remember(struct prompt *p, const char *text)
{
	struct run *run = viewer_of(p)->run;

	prompt_log_add(&run->prompts, p->type,
	    (size_t)options_number(
		&run->mux->server_options, OPTION_PROMPT_HISTORY_LIMIT),
	    text);
}

/* --- key functions ----------------------------------------------------------------- */

static void
do_accept(struct prompt *p)
{
	char *text = mem_strdup(prompt_edit_text(&p->edit));

	prompt_remember(p, text);
	prompt_finish(p, text);
	mem_free(text);
}

static void
do_leave(struct prompt *p)
{
	prompt_finish(p, NULL);
}

static void
do_older(struct prompt *p)
{
	prompt_history(p, 1);
}

static void
do_newer(struct prompt *p)
{
	prompt_history(p, -1);
}

static void
do_backspace(struct prompt *p)
{

	if ((p->flags & PROMPT_EXIT_EMPTY) != 0 && p->edit.text.len == 0) {
		prompt_finish(p, NULL);
		return;
	}
	prompt_edit_backspace(&p->edit);
	prompt_tell(p);
}

/* Inserts the text cut here, or the first line of the newest paste buffer. */
static void
do_yank(struct prompt *p)
{
	const struct paste_buffer *b = paste_top(viewer_of(p)->run->mux->paste);
	size_t n = 0;

	if (p->edit.cut != NULL)
		prompt_edit_yank(&p->edit);
	else if (b != NULL) {
		while (n < b->size && b->data[n] >= 0x20 && b->data[n] != 0x7f)
			n++;
		if (utf8_valid(b->data, n))
			prompt_edit_insert(&p->edit, (const char *)b->data, n);
	}
	prompt_tell(p);
}

static void
do_quote(struct prompt *p)
{
	p->quote = true;
}

/* C-r and C-s: sets the direction, or repeats the last search. */
static void
search_way(struct prompt *p, char sign)
{

	if ((p->flags & PROMPT_INCREMENTAL) == 0)
		return;
	if (p->edit.text.len == 0) {
		p->sign = '=';
		if (p->last != NULL)
			prompt_edit_set(&p->edit, p->last);
	} else
		p->sign = sign;
	prompt_tell(p);
}

static void
do_search_back(struct prompt *p)
{
	search_way(p, '-');
}

static void
do_search_on(struct prompt *p)
{
	search_way(p, '+');
}

/* Replaces the word by the common beginning of all completions. */
static void
do_complete(struct prompt *p)
{
	struct completion c;
	size_t i, at = p->edit.at;
	bool grew;

	completion_init(
	    &c, viewer_of(p), p->type, prompt_edit_text(&p->edit), p->edit.at);
	if (c.common != NULL) {
		grew = strlen(c.common) > at - c.from;
		prompt_edit_remove(&p->edit, c.from, at);
		prompt_edit_insert(&p->edit, c.common, strlen(c.common));
		/* No blank after a colon: the target may continue. */
		if (c.count == 1 && p->type == PROMPT_TYPE_COMMAND &&
		    c.common[strlen(c.common) - 1] != ':')
			prompt_edit_insert(&p->edit, " ", 1);
		if (c.count > 1 && !grew) {
			p->panel = view_panel_new();
			for (i = 0; i < c.count; i++)
				view_panel_add_item(p->panel, NULL, c.words[i]);
		}
		prompt_tell(p);
	}
	completion_fini(&c);
}

/* Runs an edit and calls the incremental callback. */
static void
edit(struct prompt *p, void (*fn)(struct prompt_edit *e))
{
	fn(&p->edit);
	prompt_tell(p);
}

#define EDIT(name, fn)              \
 static void name(struct prompt *p) \
 {                                  \
  edit(p, fn);                      \
 }
#define MOVE(name, call)            \
 static void name(struct prompt *p) \
 {                                  \
  struct prompt_edit *e = &p->edit; \
  call;                             \
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
do_nothing(UNUSED struct prompt *p)
{
}

struct prompt_row {
	key_code key;
	void (*fn)(struct prompt *p);
	bool insert; /* vi: also enters insert mode */
};

/* status-keys emacs, and vi in insert mode; see also prompt_edit_bound. */
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

/* status-keys vi in command mode; other keys are looked up in prompt_rows. */
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
put_key(struct prompt *p, key_code k)
{
	uint8_t bytes[UTF8_MAX + 1];
	size_t n = prompt_edit_typed(k, bytes);

	if (n == 0) {
		/* As in tmux, M-x is no answer. */
		if ((p->flags & PROMPT_SINGLE) != 0 && (k & KEY_META) != 0)
			prompt_finish(p, NULL);
		return;
	}
	bytes[n] = '\0';
	if (p->flags & PROMPT_SINGLE) {
		if (bytes[0] == 0x1b || bytes[0] == 0x03 || bytes[0] == 0x07)
			prompt_finish(p, NULL);
		else
			prompt_finish(p, (const char *)bytes);
		return;
	}
	p->quote = false;
	prompt_edit_insert(&p->edit, (const char *)bytes, n);
	prompt_tell(p);
}

static bool
is_digit_key(key_code k)
{
	return k >= '0' && k <= '9';
}

static enum overlay_did
prompt_key(struct overlay *o, const struct key_event *key)
{
	struct prompt *p = prompt_of(o);
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	const struct prompt_row *row = NULL;
	enum prompt_edit_did did;
	char name[KEY_NAME_MAX];
	char *text;
	bool vi;

	view_panel_free(p->panel);
	p->panel = NULL;
	overlay_dirty(o);
	if (p->flags & PROMPT_KEY) {
		prompt_finish(p, key_name_format(k, name, sizeof(name)));
		return OVERLAY_TAKEN;
	}
	if ((p->flags & PROMPT_NUMERIC) && !is_digit_key(k)) {
		/* The key that ends the number is then handled as usual. */
		text = mem_strdup(prompt_edit_text(&p->edit));
		prompt_finish(p, text);
		mem_free(text);
		return OVERLAY_PASSED;
	}
	if ((p->flags & (PROMPT_SINGLE | PROMPT_NUMERIC)) || p->quote) {
		put_key(p, k);
		return OVERLAY_TAKEN;
	}
	vi = options_number(prompt_options(viewer_of(p)), OPTION_STATUS_KEYS) ==
	     STATUS_KEYS_VI;
	if (vi && !p->command && (k == KEY_ESCAPE || k == ('[' | KEY_CTRL))) {
		p->command = true;
		prompt_edit_left(&p->edit);
		return OVERLAY_TAKEN;
	}
	if (vi && p->command)
		row = find_row(prompt_vi_rows, ARRAY_LEN(prompt_vi_rows), k);
	if (row == NULL)
		row = find_row(prompt_rows, ARRAY_LEN(prompt_rows), k);
	if (row != NULL) {
		if (row->insert)
			p->command = false;
		row->fn(p);
		return OVERLAY_TAKEN;
	}
	did = prompt_edit_bound(&p->edit, k);
	if (did == PROMPT_EDIT_CHANGED)
		prompt_tell(p);
	else if (did == PROMPT_EDIT_NONE && !p->command && (k & KEY_CTRL) == 0)
		put_key(p, k);
	return OVERLAY_TAKEN;
}

static enum overlay_did
prompt_paste(struct overlay *o, const char *text, size_t n)
{
	struct prompt *p = prompt_of(o);
	size_t i, start = 0;

	/* Drops control bytes, so that a paste runs nothing. */
	for (i = 0; i <= n; i++)
		if (i == n || (unsigned char)text[i] < 0x20) {
			prompt_edit_insert(&p->edit, text + start, i - start);
			start = i + 1;
		}
	overlay_dirty(o);
	prompt_tell(p);
	return OVERLAY_TAKEN;
}

/* --- drawing -------------------------------------------------------------------------- */

/*
 * Adds the state of the prompt, whose text begins at column X, to the view of a
 * remote client, so that the client can predict edits.
 */
static void
say_text(const struct prompt *p, unsigned x, struct sync_view *v)
{
	const struct viewer *vw = viewer_of(p);

	/* In these states keys do more than edit the text. */
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

static void
prompt_draw(struct overlay *o, struct view_builder *b, struct sync_view *v)
{
	const struct prompt *p = prompt_of(o);
	/* security: a name in a question runs no command of a format. */
	char *message = p->plain
			    ? view_text_plain_new(p->message)
			    : b->cx.host->expand(b->cx.arg, b->cx.client, NULL,
				  NULL, 0, p->message, FORMAT_STRFTIME);
	const struct view_line line = { .message = message,
		.edit = &p->edit,
		.command = p->command,
		.pane = p->in_pane ? mux_pane(viewer_of(p)->run->mux, p->pane)
				   : NULL };

	if (p->panel != NULL)
		view_panel_add(b, v, p->panel);
	say_text(p, view_status_line_add(b, v, &line), v);
	mem_free(message);
}

/* --- messages ------------------------------------------------------------------- */

char *
prompt_default_new(const struct args *a, const char *gap)
{
	const struct cmdlist *list = args_block(a, 0);
	const char *text = args_string(a, 0);

	if (list != NULL)
		return mem_printf("(%s)%s",
		    list->count > 0 ? list->cmds[0]->row->name : "", gap);
	if (text == NULL)
		return mem_strdup(":");
	return mem_printf("(%.*s)%s", (int)strcspn(text, " ,"), text, gap);
}

/* --- opening -------------------------------------------------------------------- */

static const struct overlay_ops prompt_ops = {
	.name = "prompt",
	.z = OVERLAY_PROMPT,
	.layer = VIEW_LAYER_TOP,
	.flags = OVERLAY_ADMIN | OVERLAY_LINE,
	.draw = prompt_draw,
	.key = prompt_key,
	.paste = prompt_paste,
	.close = prompt_close,
};

bool
prompt_shown(const struct viewer *vw)
{
	return overlays_find(&vw->overlays, &prompt_ops) != NULL;
}

bool
prompt_state(const struct viewer *vw, struct prompt_state *out)
{
	struct overlay *o = overlays_find(&vw->overlays, &prompt_ops);
	const struct prompt *p;

	if (o == NULL || vw->overlays.list.count != 1)
		return false;
	p = prompt_of(o);
	if ((p->template == NULL && p->serial == 0) || p->command || p->quote ||
	    p->panel != NULL || (p->flags & PROMPT_KEY) != 0)
		return false;
	*out = (struct prompt_state){ .message = p->message,
		.template = p->template,
		.serial = p->serial,
		.what = p->what,
		.flags = p->flags,
		.in_pane = p->in_pane,
		.pane = p->pane,
		.edit = &p->edit,
		.sign = p->sign,
		.last = p->last };
	return true;
}

void
prompt_open(struct viewer *vw, const struct prompt_spec *spec)
{
	struct overlay *old = overlays_find(&vw->overlays, &prompt_ops);
	struct prompt *p;

	if (old != NULL)
		overlay_close(old);
	/* security: only admins may answer prompts. */
	if (!role_prompts(vw->client)) {
		spec->done(spec->arg, NULL, true);
		return;
	}
	p = mem_zalloc(sizeof(*p));
	p->message = mem_strdup(spec->message);
	p->plain = spec->plain;
	p->serial = spec->serial;
	p->what = spec->what;
	p->template =
	    spec->template == NULL ? NULL : mem_strdup(spec->template);
	p->flags = spec->flags;
	p->type = spec->type;
	p->in_pane = spec->in_pane;
	p->pane = spec->pane;
	p->done = spec->done;
	p->arg = spec->arg;
	p->sign = '=';
	prompt_edit_init(&p->edit,
	    options_string(prompt_options(vw), OPTION_WORD_SEPARATORS));
	if (spec->input != NULL && (p->flags & PROMPT_INCREMENTAL) != 0)
		p->last = mem_strdup(spec->input);
	else if (spec->input != NULL)
		prompt_edit_set(&p->edit, spec->input);
	overlay_open(&vw->overlays, &p->over, &prompt_ops);
	p->over.grab = (p->flags & PROMPT_ONE_KEY) != 0 ? OVERLAY_GRAB_ALL
							: OVERLAY_GRAB_TEXT;
	prompt_tell(p);
}
