#include "server/prompt.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "conf/format_draw.h"
#include "conf/key_name.h"
#include "server/scope.h"
#include "server/server.h"
#include "server/viewer.h"

struct prompt {
	char *message;
	unsigned flags;
	enum prompt_type type;
	prompt_done_fn done;
	void *arg;
	struct buf text;
	size_t at;      /* cursor, in bytes */
	size_t history; /* entries back from the newest; 0: the text itself */
	char *saved;    /* the text while history is looked at */
};

static void
prompt_finish(struct viewer *vw, const char *text)
{
	struct prompt *p = vw->prompt;

	vw->prompt = NULL;
	p->done(p->arg, text);
	p->done = NULL;
	prompt_free(p);
	viewer_dirty(vw);
}

void
prompt_open(struct viewer *vw, const struct prompt_spec *spec)
{
	struct prompt *p;

	prompt_close(vw);
	p = mem_zalloc(sizeof(*p));
	p->message = mem_strdup(spec->message);
	p->flags = spec->flags;
	p->type = spec->type;
	p->done = spec->done;
	p->arg = spec->arg;
	buf_init(&p->text, PROMPT_MAX);
	if (spec->input != NULL)
		(void)buf_add_str(&p->text, spec->input);
	p->at = p->text.len;
	vw->prompt = p;
	viewer_dirty(vw);
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
		p->done(p->arg, NULL);
	buf_fini(&p->text);
	mem_free(p->message);
	mem_free(p->saved);
	mem_free(p);
}

/* --- editing -------------------------------------------------------------------- */

/* Start of the code point before AT. */
static size_t
prompt_left_of(const struct prompt *p, size_t at)
{
	while (at > 0 && (p->text.data[--at] & 0xc0) == 0x80)
		;
	return at;
}

static size_t
prompt_right_of(const struct prompt *p, size_t at)
{
	if (at < p->text.len)
		at++;
	while (at < p->text.len && (p->text.data[at] & 0xc0) == 0x80)
		at++;
	return at;
}

/* Start of the word before AT. */
static size_t
prompt_word_of(const struct prompt *p, size_t at)
{
	while (at > 0 && p->text.data[at - 1] == ' ')
		at--;
	while (at > 0 && p->text.data[at - 1] != ' ')
		at--;
	return at;
}

static void
prompt_cut(struct prompt *p, size_t from, size_t to)
{
	if (to > from) {
		memmove(
		    p->text.data + from, p->text.data + to, p->text.len - to);
		buf_truncate(&p->text, p->text.len - (to - from));
	}
	p->at = from;
}

static void
prompt_insert(struct prompt *p, const char *s, size_t n)
{
	uint8_t *room;

	if (buf_reserve(&p->text, n, &room) != 0) {
		p->text.overflow = false;
		return;
	}
	buf_commit(&p->text, n);
	memmove(p->text.data + p->at + n, p->text.data + p->at,
	    p->text.len - n - p->at);
	memcpy(p->text.data + p->at, s, n);
	p->at += n;
}

static void
prompt_history(struct viewer *vw, int step)
{
	struct prompt *p = vw->prompt;
	const struct prompt_log *log = &vw->sv->prompts;
	size_t count = log->count[p->type];
	const char *s;

	if ((step > 0 && p->history >= count) || (step < 0 && p->history == 0))
		return;
	if (p->history == 0) {
		mem_free(p->saved);
		p->saved = mem_strdup(buf_cstr(&p->text));
	}
	p->history += (size_t)step;
	s = p->history == 0 ? p->saved
			    : log->lines[p->type][count - p->history];
	buf_clear(&p->text);
	(void)buf_add_str(&p->text, s);
	p->at = p->text.len;
}

static void
prompt_remember(struct viewer *vw, const char *text)
{
	struct server *sv = vw->sv;

	prompt_log_add(&sv->prompts, vw->prompt->type,
	    (size_t)options_number(
		&sv->mux->server_options, OPTION_PROMPT_HISTORY_LIMIT),
	    text);
}

/* --- one function a key ------------------------------------------------------------ */

static void
do_accept(struct viewer *vw)
{
	char *text = mem_strdup(buf_cstr(&vw->prompt->text));

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
do_left(struct viewer *vw)
{
	vw->prompt->at = prompt_left_of(vw->prompt, vw->prompt->at);
}

static void
do_right(struct viewer *vw)
{
	vw->prompt->at = prompt_right_of(vw->prompt, vw->prompt->at);
}

static void
do_home(struct viewer *vw)
{
	vw->prompt->at = 0;
}

static void
do_end(struct viewer *vw)
{
	vw->prompt->at = vw->prompt->text.len;
}

static void
do_backspace(struct viewer *vw)
{
	struct prompt *p = vw->prompt;

	prompt_cut(p, prompt_left_of(p, p->at), p->at);
}

static void
do_delete(struct viewer *vw)
{
	struct prompt *p = vw->prompt;

	prompt_cut(p, p->at, prompt_right_of(p, p->at));
}

static void
do_kill(struct viewer *vw)
{
	prompt_cut(vw->prompt, vw->prompt->at, vw->prompt->text.len);
}

static void
do_clear(struct viewer *vw)
{
	prompt_cut(vw->prompt, 0, vw->prompt->text.len);
}

static void
do_word(struct viewer *vw)
{
	struct prompt *p = vw->prompt;

	prompt_cut(p, prompt_word_of(p, p->at), p->at);
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

static const struct prompt_row {
	key_code key;
	void (*fn)(struct viewer *vw);
} prompt_rows[] = {
	{ KEY_ENTER, do_accept },
	{ 'm' | KEY_CTRL, do_accept },
	{ 'j' | KEY_CTRL, do_accept },
	{ KEY_ESCAPE, do_leave },
	{ 'c' | KEY_CTRL, do_leave },
	{ 'g' | KEY_CTRL, do_leave },
	{ KEY_LEFT, do_left },
	{ 'b' | KEY_CTRL, do_left },
	{ KEY_RIGHT, do_right },
	{ 'f' | KEY_CTRL, do_right },
	{ KEY_HOME, do_home },
	{ 'a' | KEY_CTRL, do_home },
	{ KEY_END, do_end },
	{ 'e' | KEY_CTRL, do_end },
	{ KEY_BSPACE, do_backspace },
	{ 'h' | KEY_CTRL, do_backspace },
	{ KEY_DC, do_delete },
	{ 'd' | KEY_CTRL, do_delete },
	{ 'k' | KEY_CTRL, do_kill },
	{ 'u' | KEY_CTRL, do_clear },
	{ 'w' | KEY_CTRL, do_word },
	{ KEY_UP, do_older },
	{ 'p' | KEY_CTRL, do_older },
	{ KEY_DOWN, do_newer },
	{ 'n' | KEY_CTRL, do_newer },
};

void
prompt_key(struct viewer *vw, const struct key_event *key)
{
	struct prompt *p = vw->prompt;
	key_code k = key->key & ~(key_code)KEY_LOCKS;
	uint8_t bytes[UTF8_MAX + 1];
	char name[64];
	size_t i, n;

	if (p->flags & PROMPT_KEY) {
		prompt_finish(vw, key_name_format(k, name, sizeof(name)));
		return;
	}
	if (k < KEY_SPECIAL && k >= 0x20) {
		n = utf8_encode((uint32_t)k, bytes);
		bytes[n] = '\0';
		if (p->flags & PROMPT_SINGLE) {
			prompt_finish(vw, (const char *)bytes);
			return;
		}
		if ((p->flags & PROMPT_NUMERIC) && (k < '0' || k > '9')) {
			do_accept(vw);
			return;
		}
		prompt_insert(p, (const char *)bytes, n);
		viewer_dirty(vw);
		return;
	}
	if ((p->flags & PROMPT_SINGLE) && k != KEY_ENTER) {
		prompt_finish(vw, NULL);
		return;
	}
	for (i = 0; i < ARRAY_LEN(prompt_rows); i++)
		if (prompt_rows[i].key == k) {
			prompt_rows[i].fn(vw);
			break;
		}
	viewer_dirty(vw);
}

void
prompt_paste(struct viewer *vw, const char *text, size_t n)
{
	size_t i, start = 0;

	/* Control bytes end a piece; nothing pasted is run. */
	for (i = 0; i <= n; i++)
		if (i == n || (unsigned char)text[i] < 0x20) {
			prompt_insert(vw->prompt, text + start, i - start);
			start = i + 1;
		}
	viewer_dirty(vw);
}

void
prompt_draw(const struct prompt *p, struct viewer *vw, struct vt_frame *f,
    const struct pen *pen)
{
	struct grapheme_table *gt = vw->sv->graphemes;
	struct format_drawn d;
	char *message;
	unsigned x = 0, room, before, skip = 0;
	const char *text = (const char *)p->text.data;
	size_t i, len = p->text.len, from = 0;
	int w;

	message = scope_expand_client_new(vw->sv, vw->client, p->message, 0);
	format_draw(&d, gt, pen, message, strlen(message), f->cols);
	for (i = 0; i < d.run_count; i++) {
		/* Blanks behind the message are the text's. */
		if (d.runs[i].len > 0)
			x = vt_frame_text(f, gt, (unsigned)d.runs[i].x, 0,
			    f->cols, d.runs[i].text, d.runs[i].len,
			    &d.runs[i].pen);
	}
	x = MIN_OF(
	    (unsigned)grapheme_text_width(gt, message, strlen(message)), x);
	format_drawn_fini(&d);
	mem_free(message);
	if (x + 1 >= f->cols)
		x = 0;
	room = f->cols - x - 1;
	before = len == 0 ? 0 : (unsigned)grapheme_text_width(gt, text, p->at);
	/* A long text scrolls so that the cursor stays in sight. */
	while (before - skip > room && from < p->at) {
		from += grapheme_next(
		    gt, (const uint8_t *)text + from, p->at - from, &w);
		skip += (unsigned)w;
	}
	if (len > from)
		vt_frame_text(
		    f, gt, x, 0, f->cols, text + from, len - from, pen);
	f->state.x = (uint16_t)(x + before - skip);
	f->state.y = 0;
	f->state.modes |= VT_FRAME_CURSOR_VISIBLE;
}
