/*
 * Copy mode over text that the client holds, without a server.
 */
#include <string.h>

#include "base/mem.h"
#include "mux/mode/copy_replay_int.h"

/* Keys of a mode whose server has sent none: those of copy-mode-vi. */
static const struct {
	key_code key;
	const char *word;
} local_keys[] = {
	{ KEY_UP, "cursor-up" },
	{ 'k', "cursor-up" },
	{ KEY_DOWN, "cursor-down" },
	{ 'j', "cursor-down" },
	{ KEY_LEFT, "cursor-left" },
	{ 'h', "cursor-left" },
	{ KEY_RIGHT, "cursor-right" },
	{ 'l', "cursor-right" },
	{ KEY_PPAGE, "page-up" },
	{ KEY_CTRL | 'b', "page-up" },
	{ KEY_NPAGE, "page-down" },
	{ KEY_CTRL | 'f', "page-down" },
	{ KEY_CTRL | 'u', "halfpage-up" },
	{ KEY_CTRL | 'd', "halfpage-down" },
	{ KEY_CTRL | 'y', "scroll-up" },
	{ KEY_CTRL | 'e', "scroll-down" },
	{ 'g', "history-top" },
	{ 'G', "history-bottom" },
	{ '0', "start-of-line" },
	{ KEY_HOME, "start-of-line" },
	{ '$', "end-of-line" },
	{ KEY_END, "end-of-line" },
	{ '^', "back-to-indentation" },
	{ 'w', "next-word" },
	{ 'b', "previous-word" },
	{ 'e', "next-word-end" },
	{ '{', "previous-paragraph" },
	{ '}', "next-paragraph" },
	{ 'H', "top-line" },
	{ 'M', "middle-line" },
	{ 'L', "bottom-line" },
	{ ' ', "begin-selection" },
	{ 'V', "select-line" },
	{ 'v', "rectangle-toggle" },
	{ 'o', "other-end" },
	{ KEY_ESCAPE, "clear-selection" },
	{ KEY_ENTER, "copy-selection-and-cancel" },
	{ 'y', "copy-selection-and-cancel" },
	{ 'n', "search-again" },
	{ 'N', "search-reverse" },
	{ 'q', "cancel" },
	{ KEY_CTRL | 'c', "cancel" },
};

#define LOCAL_POSITION                                                  \
 "#[align=right][#{scroll_position}/#{history_size}]#{?search_present," \
 " (#{search_count} results),}"

static void
local_setup(struct copy_setup *s)
{
	size_t i;

	s->env = (struct copy_env){ .vi = true, .wrap_search = true };
	s->separators = mem_strdup("!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~");
	for (i = 0; i < ARRAY_LEN(local_keys); i++)
		copy_setup_bind(
		    s, local_keys[i].key, 1, &local_keys[i].word, 1);
	for (i = 0; i < COPY_STYLES; i++)
		s->styles[i] = (struct pen){ .attrs = PEN_REVERSE };
	s->styles[COPY_STYLE_CURRENT_LINE] = copy_style_base;
}

static void
local_text(struct copy_replay *r, const struct copy_local_cfg *cfg)
{
	struct copy *c = &r->copy;
	struct copy_text *t = &c->text;
	unsigned y;

	r->local = true;
	r->wire.first = cfg->first;
	r->wire.history_size = cfg->count - cfg->rows;
	c->cols = cfg->cols;
	c->rows = cfg->rows;
	t->base = cfg->first + cfg->count - cfg->rows;
	t->text.ops = &copy_replay_text;
	r->lines = mem_calloc(c->rows, sizeof(struct vt_line *));
	for (y = 0; y < c->rows; y++) {
		r->lines[y] = cfg->history.row(cfg->history.arg, t->base + y);
		if (r->lines[y] == NULL)
			r->lines[y] = vt_line_new(NULL);
	}
	c->top = CLAMP(cfg->top, cfg->first, t->base);
	c->cy = c->top == t->base ? cfg->rows - 1 : 0;
	c->at[COPY_AT_MARK] = copy_here(c);
}

struct copy_replay *
copy_local_new(const struct copy_local_cfg *cfg)
{
	struct copy_replay *r = mem_zalloc(sizeof(*r));
	struct rd rd;

	r->blank = vt_line_new(NULL);
	r->graphemes = cfg->graphemes;
	r->history = cfg->history;
	rd_init(&rd, cfg->setup, cfg->setup_len);
	if (copy_setup_get(&rd, &r->setup) != 0) {
		copy_setup_fini(&r->setup);
		local_setup(&r->setup);
	}
	mem_free(r->setup.position);
	r->setup.position = mem_strdup(LOCAL_POSITION);
	r->copy.env = r->setup.env;
	r->copy.separators = mem_strdup(r->setup.separators);
	local_text(r, cfg);
	return r;
}

/* Runs one command; appends what it copies to COPIED. */
static enum mode_did
local_run(
    struct copy_replay *r, const struct mode_command *what, struct buf *copied)
{
	struct mode_command cmd = *what;
	const struct mode_effect *e;
	const struct list_node *n;
	struct mode_effects effects;
	struct cause why = { NULL };
	enum mode_did did;

	mode_effects_init(&effects);
	cmd.effects = &effects;
	did = copy_command(&r->copy.mode, &cmd, &why);
	while (r->copy.mode.work != MODE_IDLE)
		copy_search_work(&r->copy.mode);
	LIST_FOREACH(n, &effects.list) {
		e = container_of(n, const struct mode_effect, node);
		if (copied != NULL)
			(void)buf_add(copied, e->text, e->len);
	}
	mode_effects_fini(&effects);
	cause_fini(&why);
	r->copy.missed = false;
	return did;
}

enum copy_local_did
copy_local_key(struct copy_replay *r, key_code key, struct buf *copied)
{
	struct mode_command cmd = { 0 };
	const struct copy_bind *b;
	size_t i;

	key &= ~(key_code)KEY_LOCKS;
	/* The prefix means nothing here. */
	for (i = 0; i < r->setup.count; i++) {
		b = &r->setup.binds[i];
		if (b->key != key || b->count == 0 ||
		    b->repeat > REPLAY_REPEAT_MAX ||
		    !copy_replay_knows(b->words[0]))
			continue;
		cmd.words = (const char *const *)b->words;
		cmd.count = b->count;
		cmd.repeat = b->repeat;
		return local_run(r, &cmd, copied) == MODE_LEFT
			   ? COPY_LOCAL_LEFT
			   : COPY_LOCAL_DONE;
	}
	return COPY_LOCAL_UNKNOWN;
}

bool
copy_local_search(struct copy_replay *r, const char *text, bool down)
{
	const char *const words[] = {
		down ? "search-forward" : "search-backward", "--", text
	};
	struct mode_command cmd = {
		.words = words, .count = ARRAY_LEN(words), .repeat = 1
	};

	(void)local_run(r, &cmd, NULL);
	return r->copy.search_marks;
}

vt_row
copy_local_top(const struct copy_replay *r)
{
	return r->copy.top;
}

struct vt_frame *
copy_local_draw(struct copy_replay *r)
{
	return copy_replay_paint(r);
}
