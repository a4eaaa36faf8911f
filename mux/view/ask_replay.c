#include "mux/view/ask_replay.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/str.h"
#include "conf/args.h"
#include "conf/parser.h"
#include "mux/mode/wire_pen.h"
#include "mux/sync/frame.h"
#include "mux/sync/prompt_edit.h"
#include "mux/view/ask_key.h"
#include "mux/view/build.h"

/* A prompt is an array: these items, and then its keys. */
enum ask_item {
	ASK_ITEM_FLAGS = 0, /* enum ask_flag */
	ASK_ITEM_X = 1,
	ASK_ITEM_Y = 2,
	ASK_ITEM_COL = 3,
	ASK_ITEM_PEN = 4, /* four numbers */
	ASK_ITEM_COMMAND = 8,
	ASK_ITEM_INPUT = 9,
	ASK_ITEM_LINE = 10, /* a frame of one row */
	ASK_ITEM_KEYS = 11, /* the first one, if there are any */
};

const uint64_t ask_surface = VIEW_SURFACE_LINE;

struct ask_replay {
	struct copy_replay *mode;
	struct asks asks;
	const struct ask *open; /* in ASKS, or NULL */
	struct prompt_edit edit;
	char *last; /* what an empty search repeats, or NULL */
	char sign;  /* first character of incremental answers */
};

/* --- the wire ------------------------------------------------------------------- */

void
ask_fini(struct ask *a)
{
	mem_free(a->message);
	mem_free(a->template);
	mem_free(a->input);
	vt_frame_unref(a->line);
}

void
asks_fini(struct asks *as)
{
	while (as->count > 0)
		ask_fini(&as->rows[--as->count]);
}

static bool
row_put(const struct ask *a, struct buf *out)
{
	struct buf line;
	unsigned i;
	bool ok;

	pack_put_array(out, ASK_ITEM_KEYS + a->nkeys);
	pack_put_uint(out, a->flags);
	pack_put_int(out, a->x);
	pack_put_int(out, a->y);
	pack_put_uint(out, a->col);
	wire_pen_put(out, &a->pen);
	pack_put_cstr(out, a->template);
	pack_put_cstr(out, a->input);
	buf_init(&line, SYNC_COPY_ASKS_MAX);
	ok = sync_frame_diff(NULL, a->line, &line) == 0 && !line.overflow;
	pack_put_bin(out, line.data, line.len);
	buf_fini(&line);
	for (i = 0; i < a->nkeys; i++)
		pack_put_uint(out, a->keys[i]);
	return ok;
}

bool
asks_put(const struct asks *as, struct buf *out)
{
	const size_t before = out->len;
	bool ok = true;
	unsigned i;

	pack_put_array(out, as->count);
	for (i = 0; ok && i < as->count; i++)
		ok = row_put(&as->rows[i], out);
	return ok && !out->overflow && out->len - before <= SYNC_COPY_ASKS_MAX;
}

static int
place_get(struct rd *r)
{
	const int64_t n = pack_get_int(r);

	if (n < INT16_MIN || n > INT16_MAX)
		rd_fail(r, -ERR_PEER);
	return r->err != 0 ? 0 : (int)n;
}

static struct vt_frame *
line_get(struct rd *r)
{
	struct vt_frame *f = NULL;
	const uint8_t *p;
	struct rd body;
	size_t len = 0;

	p = pack_get_bin(r, SYNC_COPY_ASKS_MAX, &len);
	if (r->err == 0 && len == 0)
		rd_fail(r, -ERR_PEER);
	rd_init(&body, p, len);
	if (r->err == 0 && sync_frame_apply(NULL, &body, &f) != 0)
		rd_fail(r, -ERR_PEER);
	return f;
}

static void
row_get(struct rd *r, struct ask *a)
{
	const uint32_t n = pack_get_array(r, ASK_ITEM_KEYS + ASK_KEYS_MAX);
	uint32_t i;

	if (r->err == 0 && n < ASK_ITEM_KEYS)
		rd_fail(r, -ERR_PEER);
	a->flags = (unsigned)pack_get_uint(r, ASK_FLAGS_ALL);
	a->x = place_get(r);
	a->y = place_get(r);
	a->col = (unsigned)pack_get_uint(r, VT_COLS_MAX);
	a->pen = wire_pen_get(r);
	a->template = wire_text_get(r, ASK_TEXT_MAX);
	a->input = wire_text_get(r, ASK_TEXT_MAX);
	a->line = line_get(r);
	for (i = ASK_ITEM_KEYS; i < n && r->err == 0; i++)
		a->keys[a->nkeys++] = pack_get_uint(r, UINT64_MAX);
	if (r->err == 0 && (a->line->rows != 1 || a->col + 1 >= a->line->cols))
		rd_fail(r, -ERR_PEER);
}

static int
asks_get(struct rd *r, struct asks *as)
{
	const uint32_t n = pack_get_array(r, ASKS_MAX);

	while (r->err == 0 && as->count < n)
		row_get(r, &as->rows[as->count++]);
	return r->err != 0 ? r->err : rd_done(r);
}

/* --- life ------------------------------------------------------------------------ */

void
ask_replay_free(struct ask_replay *r)
{
	if (r == NULL)
		return;
	copy_replay_free(r->mode);
	asks_fini(&r->asks);
	prompt_edit_fini(&r->edit);
	mem_free(r->last);
	mem_free(r);
}

/* Opens the prompt that the server shows. */
static int
load_open(struct ask_replay *r, const struct sync_copy *c)
{
	peer_check(c->ask <= r->asks.count);
	peer_check(c->sign == '=' || c->sign == '+' || c->sign == '-');
	r->open = &r->asks.rows[c->ask - 1];
	prompt_edit_set(&r->edit, vt_str_text(c->typed));
	peer_check(c->at <= r->edit.text.len);
	r->edit.at = c->at;
	r->sign = (char)c->sign;
	if (c->last != NULL)
		r->last = mem_strdup(vt_str_text(c->last));
	return 0;
}

static int
load(struct ask_replay *r, const struct sync_view *v,
    const struct grapheme_table *gt, const struct copy_history *history)
{
	const struct copy_replay_cfg cfg = {
		.state = vt_str_text(v->copy->state),
		.state_len = v->copy->state == NULL ? 0 : v->copy->state->len,
		.setup = vt_str_text(v->setup),
		.setup_len = v->setup == NULL ? 0 : v->setup->len,
		.screen = v->copy->screen,
		.graphemes = gt,
		.history = *history,
	};
	struct rd rd;
	int e;

	if ((e = copy_replay_new(&r->mode, &cfg)) != 0)
		return e;
	rd_init(&rd, vt_str_text(v->asks), v->asks == NULL ? 0 : v->asks->len);
	if (v->asks != NULL && v->asks->len > 0 &&
	    (e = asks_get(&rd, &r->asks)) != 0)
		return e;
	r->edit.separators = copy_replay_separators(r->mode);
	return v->copy->ask == 0 ? 0 : load_open(r, v->copy);
}

int
ask_replay_new(struct ask_replay **out, const struct sync_view *v,
    const struct grapheme_table *gt, const struct copy_history *history)
{
	struct ask_replay *r = mem_zalloc(sizeof(*r));
	int e;

	prompt_edit_init(&r->edit, " ");
	e = load(r, v, gt, history);
	if (e != 0) {
		ask_replay_free(r);
		r = NULL;
	}
	*out = r;
	return e;
}

struct copy_replay *
ask_replay_mode(struct ask_replay *r)
{
	return r->mode;
}

/* --- the command ------------------------------------------------------------------ */

const struct args *
ask_command(const struct cmdlist *list, int64_t *repeat)
{
	const struct args *a;
	size_t i;

	*repeat = 0;
	if (list->count != 1 || list->cmds[0]->row->id != COMMAND_send_keys)
		return NULL;
	a = list->cmds[0]->args;
	for (i = 0; i < a->flag_count; i++)
		if (a->flags[i].flag != 'X' && a->flags[i].flag != 'N')
			return NULL;
	if (args_has(a, 'N') &&
	    (args_get(a, 'N') == NULL ||
		str_to_int(args_get(a, 'N'), 1, UINT16_MAX, repeat) != 0))
		return NULL;
	for (i = 0; i < a->count; i++)
		if (a->values[i].text == NULL)
			return NULL;
	return a;
}

/* What the parser asks of the server: it is not known here. */

static const char *
ask_variable(void *arg, UNUSED const char *name)
{
	*(bool *)arg = true;
	return NULL;
}

static char *
ask_expand(void *arg, UNUSED const char *format)
{
	*(bool *)arg = true;
	return mem_strdup("");
}

static void
ask_assign(void *arg, UNUSED const char *name, UNUSED const char *value,
    UNUSED bool hidden)
{
	*(bool *)arg = true;
}

static const char *
ask_alias(void *arg, const char *name)
{
	/* The server has looked: there is no alias of this name. */
	if (strcmp(name, "send-keys") != 0)
		*(bool *)arg = true;
	return NULL;
}

/* Runs the parsed command. */
static enum copy_replay_did
run_list(struct ask_replay *r, const struct cmdlist *list)
{
	const char *words[4];
	const struct args *a;
	int64_t repeat;
	size_t i;

	if ((a = ask_command(list, &repeat)) == NULL)
		return COPY_REPLAY_UNKNOWN;
	if (!args_has(a, 'X')) {
		/* send-keys -N alone repeats the next command. */
		if (a->count > 0 || repeat == 0)
			return COPY_REPLAY_UNKNOWN;
		copy_replay_repeat(r->mode, (unsigned)repeat);
		return COPY_REPLAY_DONE;
	}
	if (a->count > ARRAY_LEN(words))
		return COPY_REPLAY_UNKNOWN;
	for (i = 0; i < a->count; i++)
		words[i] = a->values[i].text;
	return copy_replay_run(r->mode, words, a->count, (unsigned)repeat);
}

/* Runs the prompt's command with an answer. */
static enum copy_replay_did
run(struct ask_replay *r, const char *answer)
{
	enum copy_replay_did did = COPY_REPLAY_UNKNOWN;
	struct cmdlist *list = NULL, *filled;
	bool unknown = false;
	const struct parser_hooks hooks = {
		.arg = &unknown,
		.variable = ask_variable,
		.home = ask_variable,
		.expand = ask_expand,
		.assign = ask_assign,
		.alias = ask_alias,
		.one_group = true,
	};
	const char *text = r->open->template;

	if (parser_parse(text, strlen(text), NULL, 1, &hooks, &list) == 0 &&
	    !unknown) {
		filled = args_template_fill(list, &answer, 1);
		did = run_list(r, filled);
		cmdlist_unref(filled);
	}
	cmdlist_unref(list);
	return did;
}

/* --- keys --------------------------------------------------------------------------- */

/* The text has changed: an incremental search looks for it. */
static enum copy_replay_did
tell(struct ask_replay *r)
{
	enum copy_replay_did did;
	char *text;

	if ((r->open->flags & ASK_INCREMENTAL) == 0)
		return COPY_REPLAY_DONE;
	text = mem_printf("%c%s", r->sign, prompt_edit_text(&r->edit));
	did = run(r, text);
	mem_free(text);
	return did;
}

static enum copy_replay_did
shut(struct ask_replay *r)
{
	r->open = NULL;
	return COPY_REPLAY_DONE;
}

static enum copy_replay_did
accept(struct ask_replay *r)
{
	enum copy_replay_did did = COPY_REPLAY_DONE;

	if ((r->open->flags & ASK_INCREMENTAL) == 0)
		did = run(r, prompt_edit_text(&r->edit));
	return did == COPY_REPLAY_DONE ? shut(r) : did;
}

/* A prompt that takes one character. */
static enum copy_replay_did
single(struct ask_replay *r, key_code k)
{
	switch (ask_key_single(&r->edit, k)) {
	case ASK_DID_ACCEPTED:
		return accept(r);
	case ASK_DID_LEFT:
		return shut(r);
	default:
		return COPY_REPLAY_DONE;
	}
}

/* A prompt for a number: the key that ends it is handled as usual. */
static enum copy_replay_did
numeric(struct ask_replay *r, key_code k)
{
	const char digit = (char)k;
	enum copy_replay_did did;

	if (k >= '0' && k <= '9') {
		prompt_edit_insert(&r->edit, &digit, 1);
		return COPY_REPLAY_DONE;
	}
	did = accept(r);
	return did == COPY_REPLAY_DONE ? ask_replay_key(r, k) : did;
}

/* C-r and C-s: the direction, or the last search again. */
static enum copy_replay_did
search_way(struct ask_replay *r, char sign)
{
	if ((r->open->flags & ASK_INCREMENTAL) == 0)
		return COPY_REPLAY_DONE;
	if (r->edit.text.len > 0) {
		r->sign = sign;
		return tell(r);
	}
	r->sign = '=';
	if (r->last != NULL)
		prompt_edit_set(&r->edit, r->last);
	return tell(r);
}

/* A key while a line is typed. */
static enum copy_replay_did
line_key(struct ask_replay *r, key_code k)
{
	const unsigned flags = r->open->flags;

	switch (ask_key_line(&r->edit, (flags & ASK_VI) != 0,
	    (flags & ASK_EXIT_EMPTY) != 0, k)) {
	case ASK_DID_STAYS:
		return COPY_REPLAY_DONE;
	case ASK_DID_CHANGED:
		return tell(r);
	case ASK_DID_ACCEPTED:
		return accept(r);
	case ASK_DID_LEFT:
		return shut(r);
	case ASK_DID_BACK:
		return search_way(r, '-');
	case ASK_DID_ON:
		return search_way(r, '+');
	case ASK_DID_UNKNOWN:
		break;
	}
	return COPY_REPLAY_UNKNOWN;
}

static const struct ask *
find(const struct ask_replay *r, key_code k)
{
	const struct ask *a;
	unsigned i, n;

	for (i = 0; i < r->asks.count; i++) {
		a = &r->asks.rows[i];
		for (n = 0; n < a->nkeys; n++)
			if (a->keys[n] == k)
				return a;
	}
	return NULL;
}

static enum copy_replay_did
open_ask(struct ask_replay *r, const struct ask *a)
{
	const char *text = a->input;

	if ((a->flags & ASK_LAST_SEARCH) != 0 &&
	    copy_replay_searched(r->mode) != NULL)
		text = copy_replay_searched(r->mode);
	r->open = a;
	r->sign = '=';
	mem_free(r->last);
	r->last = NULL;
	mem_free(r->edit.cut);
	r->edit.cut = NULL;
	if ((a->flags & ASK_INCREMENTAL) != 0)
		r->last = mem_strdup(text);
	prompt_edit_set(&r->edit, r->last != NULL ? "" : text);
	return tell(r);
}

enum copy_replay_did
ask_replay_key(struct ask_replay *r, key_code key)
{
	const key_code k = key & ~(key_code)KEY_LOCKS;
	const struct ask *a;

	if (r->open == NULL) {
		a = find(r, k);
		return a == NULL ? copy_replay_key(r->mode, key)
				 : open_ask(r, a);
	}
	if (key_is_mouse(k))
		return COPY_REPLAY_UNKNOWN;
	if ((r->open->flags & ASK_NUMERIC) != 0)
		return numeric(r, k);
	if ((r->open->flags & ASK_SINGLE) != 0)
		return single(r, k);
	return line_key(r, k);
}

/* --- drawing --------------------------------------------------------------------------- */

struct vt_frame *
ask_replay_line(
    const struct ask_replay *r, const struct grapheme_table *gt, int *x, int *y)
{
	const struct ask *a = r->open;
	struct vt_frame *f;

	if (a == NULL)
		return NULL;
	f = vt_frame_clone(a->line);
	prompt_edit_draw(&r->edit, gt, f, a->col, &a->pen);
	*x = a->x;
	*y = a->y;
	return f;
}
