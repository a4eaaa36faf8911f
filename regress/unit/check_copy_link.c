/*
 * Copy mode over a link with delay and loss, in virtual time: what share of the
 * keys is shown right at once, and whether anything shown is wrong.
 *
 * The server's side is a real mode, whose views travel as differences; the
 * client's is copy_echo with a copy of the history.  A second pane with the
 * same text is the truth: its mode gets each key at once.  Prompts are those of
 * a plain line of text, written anew here.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "client/copy_echo.h"
#include "client/history_copy.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_wire.h"
#include "mux/session.h"
#include "mux/sync/feed.h"
#include "mux/sync/opening.h"
#include "mux/view/ask_replay.h"
#include "mux/window.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define COLS 80
#define ROWS 24
#define KEYS_MAX 2048
#define SURFACE 7

/* The keys of a person who reads, selects and searches, by frequency. */
static const struct {
	key_code key;
	unsigned often;
	const char *word;
} keys[] = {
	{ 'k', 30, "cursor-up" },
	{ 'j', 30, "cursor-down" },
	{ 'h', 6, "cursor-left" },
	{ 'l', 6, "cursor-right" },
	{ KEY_CTRL | 'u', 10, "halfpage-up" },
	{ KEY_CTRL | 'd', 8, "halfpage-down" },
	{ KEY_CTRL | 'b', 6, "page-up" },
	{ KEY_CTRL | 'f', 4, "page-down" },
	{ KEY_CTRL | 'y', 6, "scroll-up" },
	{ KEY_CTRL | 'e', 6, "scroll-down" },
	{ 'w', 8, "next-word" },
	{ 'b', 8, "previous-word" },
	{ 'e', 4, "next-word-end" },
	{ '0', 3, "start-of-line" },
	{ '$', 3, "end-of-line" },
	{ 'H', 2, "top-line" },
	{ 'L', 2, "bottom-line" },
	{ 'g', 1, "history-top" },
	{ 'G', 1, "history-bottom" },
	{ '{', 3, "previous-paragraph" },
	{ '}', 3, "next-paragraph" },
	{ ' ', 4, "begin-selection" },
	{ 'V', 2, "select-line" },
	{ 'v', 2, "rectangle-toggle" },
	{ KEY_ESCAPE, 4, "clear-selection" },
	{ 'n', 8, "search-again" },
	{ 'N', 4, "search-reverse" },
	{ 'y', 2, "copy-selection" },
	{ 'X', 1, "set-mark" },
	{ 'M', 1, "jump-to-mark" },
};

/* The prompts that keys open. */
static const struct prompt {
	key_code key;
	unsigned often;
	unsigned flags;
	const char *message;
	const char *word;
	const char *input;
} prompts[] = {
	{ '/', 4, 0, "(search down) ", "search-forward", "" },
	{ '?', 4, 0, "(search up) ", "search-backward", "" },
	{ ':', 2, 0, "(goto line) ", "goto-line", "" },
	{ 'f', 3, ASK_SINGLE, "(jump) ", "jump-forward", "" },
	{ KEY_CTRL | 's', 3, ASK_INCREMENTAL, "(search on) ",
	    "search-forward-incremental", "" },
	{ KEY_CTRL | 'r', 3, ASK_INCREMENTAL, "(search back) ",
	    "search-backward-incremental", "" },
	{ '3', 3, ASK_NUMERIC, "(repeat) ", NULL, "3" },
};

/* What is typed at them. */
#define LINES 3 /* so many are numbers */
static const char *const texts[] = { "12", "400", "7", "error", "make", "foo.c",
	"done", "[0]", "no such text", "the file" };

struct link {
	unsigned rtt;
	unsigned loss;   /* per cent, each way */
	mono_ms cut;     /* the link is cut for so long, every 20 s */
	unsigned lines;  /* of output before the mode began */
	unsigned mirror; /* of these the client holds so many */
};

struct result {
	unsigned long keys, right, wrong, marked;
};

/* A pane in copy mode, and the prompt over it. */
struct side {
	struct pane *p;
	const struct prompt *open; /* or NULL */
	char text[64];
};

struct packet {
	mono_ms at;
	struct sync_view *view; /* what the client then has */
};

struct world {
	const struct link *link;
	uint64_t random;
	mono_ms now;
	struct mux *m;
	bool asks;         /* prompts are opened, too */
	struct side there; /* the server's */
	struct side truth;
	const char *script; /* still to be typed at the prompt */
	struct copy_setup setup;
	struct asks prompts;
	const struct grapheme_table *gt;
	struct history_copy *history;
	struct copy_echo *echo;
	struct sync_view *sent; /* the server's last view */
	struct sync_view *view; /* the client's */
	struct packet packets[KEYS_MAX];
	size_t npackets, received;
	key_code key[KEYS_MAX];
	struct echo_typed log[KEYS_MAX];
	mono_ms reach[KEYS_MAX];
	size_t typed, arrived;
	uint64_t pictures[KEYS_MAX + 1]; /* of the truth after so many keys */
	struct result *out;
};

/* --- panes ------------------------------------------------------------------------- */

static void
output(struct world *w, struct pane *p, unsigned lines)
{
	static const char *const words[] = { "error", "warning", "the", "file",
		"make", "note:", "foo.c", "in", "(a + b)", "[0]", "done" };
	uint64_t random = 5;
	char line[256];
	unsigned i, k;

	(void)w;
	for (i = 0; i < lines; i++) {
		(void)snprintf(line, sizeof(line), "%u ", i);
		for (k = chance_below(&random, 14); k > 0; k--) {
			(void)str_append(line,
			    words[chance_below(&random, ARRAY_LEN(words))],
			    sizeof(line));
			(void)str_append(line, " ", sizeof(line));
		}
		if (chance_below(&random, 6) == 0)
			line[0] = '\0';
		(void)str_append(line, "\r\n", sizeof(line));
		vt_term_write(p->term, line, strlen(line));
	}
}

static struct pane *
open_pane(struct world *w, const char *name)
{
	struct vt_term_options opt = { .cols = COLS,
		.rows = ROWS,
		.history_rows = 20000,
		.history_bytes = SIZE_MAX };
	struct cause why = { NULL };
	struct pane *p;

	p = mux_util_session(w->m, name)->current->window->active;
	vt_term_free(p->term);
	opt.pool = w->m->setup.pool;
	opt.graphemes = w->m->setup.graphemes;
	p->term = vt_term_new(&opt);
	pane_place(p, &(struct cell_rect){ .w = COLS, .h = ROWS });
	ck_assert_int_eq(
	    options_set_text(&p->window->options, "mode-keys", "vi", &why), 0);
	output(w, p, w->link->lines);
	mem_free(p->search);
	p->search = mem_strdup("error");
	ck_assert_int_eq(copy_mode_open(p, p, COPY_OPEN_HIDE_POSITION), 0);
	return p;
}

static void
run(struct pane *p, const char *word, const char *answer)
{
	const char *const words[] = { word, "--", answer };
	const struct mode_command cmd = { .words = words,
		.count = answer == NULL ? 1 : ARRAY_LEN(words),
		.separators = " -_@" };
	struct cause why = { NULL };

	if (mode_command(p, &cmd, &why) != 0)
		ck_assert_str_ne(cause_text(&why), "");
	cause_fini(&why);
	ck_assert_ptr_nonnull(mode_top(p));
	while (mode_work(p) != MODE_IDLE)
		;
}

/* The text of an incremental search has changed. */
static void
tell(struct side *s)
{
	char text[80];

	if ((s->open->flags & ASK_INCREMENTAL) == 0)
		return;
	(void)snprintf(text, sizeof(text), "=%s", s->text);
	run(s->p, s->open->word, text);
}

static void side_key(struct side *s, key_code key);

/* A key that does not go to a prompt. */
static void
mode_key_of(struct side *s, key_code key)
{
	unsigned i;

	for (i = 0; i < ARRAY_LEN(prompts); i++)
		if (prompts[i].key == key) {
			s->open = &prompts[i];
			(void)strcpy(s->text, prompts[i].input);
			tell(s);
			return;
		}
	for (i = 0; keys[i].key != key; i++)
		;
	run(s->p, keys[i].word, NULL);
}

static void
put_char(struct side *s, key_code key)
{
	const size_t n = strlen(s->text);

	s->text[n] = (char)key;
	s->text[n + 1] = '\0';
}

/* What the server does with a key. */
static void
side_key(struct side *s, key_code key)
{
	const struct prompt *k = s->open;
	const size_t n = strlen(s->text);

	if (k == NULL) {
		mode_key_of(s, key);
	} else if ((k->flags & ASK_NUMERIC) != 0) {
		if (key >= '0' && key <= '9') {
			put_char(s, key);
			return;
		}
		s->open = NULL;
		ck_assert(mode_repeat(s->p, (unsigned)atoi(s->text)));
		side_key(s, key);
	} else if (key == (KEY_CTRL | 'c') ||
		   ((k->flags & ASK_SINGLE) != 0 && (key & KEY_META) != 0)) {
		s->open = NULL;
	} else if (key == KEY_ENTER || (k->flags & ASK_SINGLE) != 0) {
		if (key != KEY_ENTER)
			put_char(s, key);
		s->open = NULL;
		if ((k->flags & ASK_INCREMENTAL) == 0)
			run(s->p, k->word, s->text);
	} else if (key == KEY_BSPACE) {
		s->text[n - (n > 0)] = '\0';
		tell(s);
	} else {
		put_char(s, key);
		tell(s);
	}
}

static struct pen
style(void *arg, enum option_id id, UNUSED const struct pen *base)
{
	const struct world *w = arg;
	size_t i;

	for (i = 0; copy_style_options[i] != id; i++)
		;
	return w->setup.styles[i];
}

static struct vt_frame *
picture(struct world *w, struct pane *p)
{
	const struct mode_paint paint = {
		.graphemes = w->gt, .style = style, .arg = w
	};

	return mode_frame(mode_top(p), &paint);
}

static uint64_t
hash(const struct vt_frame *f)
{
	const uint64_t n[2] = { f->state.x, f->state.y };
	uint64_t h = str_hash(n, sizeof(n), 0), l;
	unsigned y;

	for (y = 0; y < f->rows; y++) {
		l = vt_line_hash(f->lines[y]);
		h = str_hash(&l, sizeof(l), h);
	}
	return h;
}

/* The row of a prompt that shows TEXT. */
static struct vt_frame *
line_of(struct world *w, const struct prompt *k, const char *text)
{
	static const struct pen plain;
	struct vt_frame *f = vt_frame_new(COLS, 1);
	const unsigned x = vt_frame_text(
	    f, w->gt, 0, 0, COLS, k->message, strlen(k->message), &plain);

	f->state.x = (uint16_t)vt_frame_text(
	    f, w->gt, x, 0, COLS, text, strlen(text), &plain);
	return f;
}

/* What the user sees of a side. */
static uint64_t
seen_of(struct world *w, const struct side *s)
{
	struct vt_frame *f = picture(w, s->p), *line;
	uint64_t h = hash(f);

	vt_frame_unref(f);
	if (s->open != NULL) {
		line = line_of(w, s->open, s->text);
		h ^= hash(line);
		vt_frame_unref(line);
	}
	return h;
}

static void
fill_prompts(struct world *w)
{
	struct ask *a;
	unsigned i;

	for (i = 0; w->asks && i < ARRAY_LEN(prompts); i++) {
		a = &w->prompts.rows[w->prompts.count++];
		a->flags = prompts[i].flags;
		a->y = ROWS;
		a->col = (unsigned)strlen(prompts[i].message);
		a->template = prompts[i].word == NULL
				  ? mem_strdup("send-keys -N \"%%\"")
				  : mem_printf("send-keys -X %s -- \"%%%%\"",
					prompts[i].word);
		a->input = mem_strdup(prompts[i].input);
		a->line = line_of(w, &prompts[i], "");
		a->keys[a->nkeys++] = prompts[i].key;
		copy_setup_bind(&w->setup, prompts[i].key, 1, NULL, 0);
	}
}

/* Gives the client its share of the history. */
static void
mirror(struct world *w)
{
	struct vt_grid *g = vt_term_main_grid(w->there.p->term);
	struct sync_feed feed;
	struct sync_tail_lines l;
	struct buf raw, prefix, out;

	sync_feed_init(&feed, w->there.p->id);
	buf_init(&raw, SYNC_TAIL_RAW_MAX);
	buf_init(&prefix, BUF_MAX);
	buf_init(&out, BUF_MAX);
	while (sync_feed_next(&feed, g, w->link->mirror, &l, &raw, &prefix)) {
		l.body = raw.data;
		l.len = raw.len;
		buf_clear(&out);
		sync_tail_put_lines(&out, &l);
		ck_assert_int_eq(
		    history_copy_message(w->history, out.data, out.len), 0);
		buf_clear(&raw);
		buf_clear(&prefix);
	}
	buf_clear(&out);
	sync_tail_put_epoch(&out, w->there.p->id, vt_grid_remade(g));
	ck_assert_int_eq(
	    history_copy_message(w->history, out.data, out.len), 0);
	sync_feed_fini(&feed);
	buf_fini(&raw);
	buf_fini(&prefix);
	buf_fini(&out);
}

/* --- the link ---------------------------------------------------------------------- */

/* The time at which something sent now arrives. */
static mono_ms
arrival(struct world *w)
{
	mono_ms at = w->now + w->link->rtt / 2 + chance_below(&w->random, 20);

	while (chance_below(&w->random, 100) < w->link->loss)
		at += MAX_OF(w->link->rtt, 50u);
	if (w->link->cut > 0 && at % 20000 < w->link->cut)
		at += w->link->cut - at % 20000;
	return at;
}

/* The mode and the prompt of S, whose state is in B. */
static struct sync_copy *
copy_of_side(const struct world *w, const struct side *s, const struct buf *b)
{
	const size_t n = s->open == NULL ? 0 : strlen(s->text);

	return sync_copy_new(&(struct sync_copy){
	    .surface = SURFACE,
	    .seen = w->arrived,
	    .state = vt_str_new((const char *)b->data, b->len),
	    .screen = vt_frame_ref(copy_state_screen(mode_top(s->p))),
	    .ask = s->open == NULL ? 0 : (uint32_t)(s->open - prompts + 1),
	    .sign = s->open == NULL ? 0 : '=',
	    .at = (uint32_t)n,
	    .typed = n == 0 ? NULL : vt_str_new(s->text, n),
	});
}

/* The server's view after all keys that have arrived. */
static struct sync_view *
view_new(struct world *w)
{
	struct sync_view *v = sync_view_clone(w->sent);
	const struct side *s = &w->there;
	struct mode *m = mode_top(s->p);
	struct vt_frame *f = picture(w, s->p);
	struct buf b;
	bool known;

	sync_view_clear(v);
	sync_view_add(v, SURFACE, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
	v->focus = SURFACE;
	if (s->open != NULL) {
		f = line_of(w, s->open, s->text);
		sync_view_add(v, ask_surface, SYNC_SURFACE_OVERLAY, 0, ROWS, f);
		vt_frame_unref(f);
		v->focus = ask_surface;
	}
	v->echo_ack = w->arrived;
	v->keys[0] = KEY_ANY;
	v->nkeys = 1;
	buf_init(&b, SYNC_COPY_STATE_MAX);
	known = copy_state_put(m, &b);
	ck_assert(known);
	sync_copy_unref(v->copy);
	v->copy = NULL;
	if (known)
		v->copy = copy_of_side(w, s, &b);
	if (w->asks && v->asks == NULL) {
		buf_clear(&b);
		ck_assert(asks_put(&w->prompts, &b));
		v->asks = vt_str_new((const char *)b.data, b.len);
	}
	buf_clear(&b);
	w->setup.env = copy_of(m)->env;
	ck_assert(copy_setup_put(&w->setup, &b));
	vt_str_unref(v->setup);
	v->setup = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
	return v;
}

/* Sends a view; it arrives after all before it. */
static void
send_view(struct world *w)
{
	struct sync_view *v = view_new(w), *far = sync_view_clone(w->sent);
	struct packet *k = &w->packets[w->npackets++];
	struct buf b;

	buf_init(&b, SYNC_VIEW_BYTES_MAX);
	ck_assert_int_eq(sync_view_ops.diff(w->sent, v, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert(sync_view_equal(far, v));
	buf_fini(&b);
	k->at = arrival(w);
	if (w->npackets > 1)
		k->at = MAX_OF(k->at, k[-1].at);
	k->view = far;
	sync_view_free(w->sent);
	w->sent = v;
}

static void
receive(struct world *w)
{
	while (
	    w->received < w->npackets && w->packets[w->received].at <= w->now) {
		sync_view_free(w->view);
		w->view = w->packets[w->received++].view;
	}
}

/* --- the client --------------------------------------------------------------------- */

/* Judges what is on the client's screen; returns whether it is up to date. */
static bool
look(struct world *w)
{
	struct sync_view *v = sync_view_clone(w->view);
	const struct sync_surface *line;
	struct vt_frame *f;
	char text[VT_CLUSTER_MAX + 1];
	uint64_t h;
	size_t i;
	bool right;

	if (v->copy == NULL) {
		copy_echo_clear(w->echo);
		f = vt_frame_ref(v->surfaces[0].frame);
	} else
		f = copy_echo_draw(w->echo, w->view, w->view->surfaces[0].frame,
		    w->log + w->view->echo_ack, w->typed - w->view->echo_ack);
	/* The mark stands in the last columns; it is no claim. */
	(void)vt_line_text(f->lines[ROWS - 1], COLS - 9, text);
	if (strcmp(text, "f") == 0 &&
	    vt_line_pen(f->lines[ROWS - 1], COLS - 9)->attrs == PEN_REVERSE) {
		w->out->marked++;
		sync_view_free(v);
		vt_frame_unref(f);
		return false;
	}
	if (v->copy != NULL)
		copy_echo_prompt(w->echo, v);
	h = hash(f);
	if ((line = sync_view_find(v, ask_surface)) != NULL)
		h ^= hash(line->frame);
	right = h == w->pictures[w->typed];
	for (i = 0; !right && i <= w->typed; i++)
		if (h == w->pictures[i])
			break;
	w->out->wrong += i > w->typed;
	sync_view_free(v);
	vt_frame_unref(f);
	return right;
}

/* The next key at an open prompt. */
static key_code
prompt_key_of(struct world *w)
{
	if (chance_below(&w->random, 12) == 0)
		return chance_below(&w->random, 3) == 0 ? KEY_CTRL | 'c'
							: KEY_BSPACE;
	return *w->script == '\0' ? KEY_ENTER : (key_code)*w->script++;
}

/* A key that opens a prompt, and what is to be typed there. */
static key_code
ask_key(struct world *w, const struct prompt *k)
{
	w->script = k->key == ':'
			? texts[chance_below(&w->random, LINES)]
			: texts[chance_below(&w->random, ARRAY_LEN(texts))];
	return k->key;
}

static key_code
next_key(struct world *w)
{
	const unsigned flags = w->truth.open == NULL ? 0 : w->truth.open->flags;
	unsigned n = 0, i;

	if ((flags & ASK_SINGLE) != 0)
		return (key_code) "eamno"[chance_below(&w->random, 5)] |
		       (chance_below(&w->random, 4) == 0 ? KEY_META : 0);
	if (w->truth.open != NULL && (flags & ASK_NUMERIC) == 0)
		return prompt_key_of(w);
	for (i = 0; i < ARRAY_LEN(keys); i++)
		n += keys[i].often;
	for (i = 0; w->asks && i < ARRAY_LEN(prompts); i++)
		n += prompts[i].often;
	n = chance_below(&w->random, n);
	for (i = 0; i < ARRAY_LEN(keys); n -= keys[i++].often)
		if (n < keys[i].often)
			return keys[i].key;
	for (i = 0; n >= prompts[i].often; i++)
		n -= prompts[i].often;
	return ask_key(w, &prompts[i]);
}

static void
type(struct world *w)
{
	const key_code key = next_key(w);

	side_key(&w->truth, key);
	w->key[w->typed] = key;
	w->reach[w->typed] = arrival(w);
	if (w->typed > 0)
		w->reach[w->typed] =
		    MAX_OF(w->reach[w->typed], w->reach[w->typed - 1]);
	w->typed++;
	w->pictures[w->typed] = seen_of(w, &w->truth);
	w->log[w->typed - 1] =
	    (struct echo_typed){ .index = w->typed, .key = key };
	w->out->keys++;
	w->out->right += look(w);
}

static void
serve(struct world *w)
{
	const size_t before = w->arrived;

	while (w->arrived < w->typed && w->reach[w->arrived] <= w->now)
		side_key(&w->there, w->key[w->arrived++]);
	if (w->arrived != before)
		send_view(w);
}

static void
world_init(struct world *w, const struct link *link, bool asks, unsigned seed)
{
	const char *word;
	unsigned i;

	memset(w, 0, sizeof(*w));
	w->asks = asks;
	w->link = link;
	w->random = seed;
	w->m = mux_util_new();
	w->gt = w->m->setup.graphemes;
	w->there.p = open_pane(w, "there");
	w->truth.p = open_pane(w, "truth");
	w->setup.separators = mem_strdup(" -_@");
	w->setup.position = mem_strdup("");
	for (i = 0; i < COPY_STYLES; i++)
		w->setup.styles[i].bg = colour_index(i + 1);
	w->setup.styles[COPY_STYLE_CURRENT_LINE] = (struct pen){ 0 };
	for (i = 0; i < ARRAY_LEN(keys); i++) {
		word = keys[i].word;
		copy_setup_bind(&w->setup, keys[i].key, 1, &word, 1);
	}
	fill_prompts(w);
	w->history = history_copy_new(NULL);
	w->echo = copy_echo_new(w->gt);
	copy_echo_history(w->echo, w->history);
	w->sent = sync_view_new(COLS, ROWS);
	w->view = sync_view_new(COLS, ROWS);
}

static void
world_fini(struct world *w)
{
	while (w->received < w->npackets)
		sync_view_free(w->packets[w->received++].view);
	sync_view_free(w->view);
	sync_view_free(w->sent);
	copy_echo_free(w->echo);
	history_copy_free(w->history);
	copy_setup_fini(&w->setup);
	asks_fini(&w->prompts);
	mux_util_free(w->m);
}

static void
world_run(const struct link *link, bool asks, unsigned seed, unsigned n,
    struct result *out)
{
	struct world *w = mem_alloc(sizeof(*w));
	mono_ms next = 2000;

	world_init(w, link, asks, seed);
	w->out = out;
	mirror(w);
	w->pictures[0] = seen_of(w, &w->truth);
	send_view(w);
	for (w->now = 1; w->typed < n; w->now++) {
		receive(w);
		serve(w);
		if (w->now >= next && w->view->nsurfaces > 0) {
			type(w);
			next = w->now + 60 + chance_below(&w->random, 300);
		}
	}
	world_fini(w);
	mem_free(w);
}

static const struct {
	struct link link;
	double least; /* share of keys shown right at once */
	bool asks;
} cases[] = {
	{ { 100, 0, 0, 1500, 2000 }, 0.99, false },
	{ { 500, 0, 0, 1500, 2000 }, 0.99, false },
	{ { 500, 10, 0, 1500, 2000 }, 0.99, false },
	{ { 500, 10, 8000, 1500, 2000 }, 0.99, false },
	{ { 500, 10, 0, 4000, 2000 }, 0.20, false },
	{ { 500, 10, 0, 4000, 0 }, 0.00, false },
	{ { 500, 10, 0, 1500, 2000 }, 0.99, true },
	{ { 500, 10, 8000, 1500, 2000 }, 0.99, true },
	{ { 500, 10, 0, 4000, 2000 }, 0.00, true },
};

START_TEST(keys_are_shown_at_once_and_right)
{
	const unsigned runs = unit_rounds(3);
	struct result r = { 0 };
	double share;
	unsigned i;

	for (i = 0; i < runs; i++)
		world_run(&cases[_i].link, cases[_i].asks,
		    i + (unsigned)unit_seed(1), 300, &r);
	share = (double)r.right / (double)r.keys;
	fprintf(stderr,
	    "# %srtt %u ms, loss %u %%, cut %llu ms, %u of %u lines held: "
	    "%.3f of %lu keys at once, %lu wrong\n",
	    cases[_i].asks ? "with prompts, " : "", cases[_i].link.rtt,
	    cases[_i].link.loss, (unsigned long long)cases[_i].link.cut,
	    MIN_OF(cases[_i].link.mirror, cases[_i].link.lines),
	    cases[_i].link.lines, share, r.keys, r.wrong);
	ck_assert_uint_eq(r.wrong, 0);
	ck_assert_msg(share >= cases[_i].least, "%.3f of the keys", share);
}
END_TEST

/* --- opening ------------------------------------------------------------------------ */

/* Any text, with the cursor anywhere, also behind the last column. */
static void
scribble(struct world *w, struct pane *p)
{
	char text[200];
	unsigned i, n;

	output(w, p, chance_below(&w->random, 90));
	n = chance_below(&w->random, 2) == 0 ? COLS
					     : chance_below(&w->random, 190);
	for (i = 0; i < n; i++)
		text[i] = (char)(' ' + chance_below(&w->random, 90));
	vt_term_write(p->term, text, n);
	if (chance_below(&w->random, 3) > 0)
		return;
	n = (unsigned)snprintf(text, sizeof(text), "\033[%u;%uH",
	    1 + chance_below(&w->random, ROWS),
	    1 + chance_below(&w->random, COLS));
	vt_term_write(p->term, text, n);
}

/* Returns the view of a client that opens copy mode over P itself. */
static struct sync_view *
view_opened(struct world *w, struct pane *p, unsigned opened)
{
	struct sync_view *v = sync_view_new(COLS, ROWS);
	struct vt_frame *f = vt_term_frame(p->term, 0);
	struct mode *m = copy_mode_try(p);
	struct buf b;

	ck_assert(sync_opening_same(copy_state_screen(m), f));
	sync_view_add(v, SURFACE, SYNC_SURFACE_PANE, 0, 0, f);
	v->focus = SURFACE;
	buf_init(&b, SYNC_COPY_STATE_MAX);
	ck_assert(copy_state_put(m, &b));
	v->copy = sync_copy_new(&(struct sync_copy){ .surface = SURFACE,
	    .seen = 2,
	    .state = vt_str_new((const char *)b.data, b.len),
	    .screen = vt_frame_ref(f),
	    .opened = SYNC_COPY_OPENED | opened });
	buf_clear(&b);
	w->setup.env = copy_of(m)->env;
	ck_assert(copy_setup_put(&w->setup, &b));
	v->setup = vt_str_new((const char *)b.data, b.len);
	buf_fini(&b);
	copy_mode_drop(m);
	vt_frame_unref(f);
	return v;
}

START_TEST(the_mode_opens_as_at_the_server)
{
	static const struct link link = { 500, 10, 0, 0, 2000 };
	const unsigned rounds = unit_rounds(400);
	static const char *const scroll = "scroll-down";
	const struct mode_command down = { .words = &scroll, .count = 1 };
	struct cause why = { NULL };
	const struct echo_typed next[] = { { .index = 3, .key = 'k' },
		{ .index = 4, .key = 'D' }, { .index = 5, .key = 'k' } };
	struct vt_frame *got, *want;
	struct sync_view *v;
	struct world *w = mem_alloc(sizeof(*w));
	struct pane *p;
	unsigned i, opened, ends = 0;

	for (i = 0; i < rounds; i++) {
		world_init(w, &link, false, (unsigned)unit_seed(1) + i);
		p = w->there.p;
		pane_pop_modes(p);
		scribble(w, p);
		mirror(w);
		opened = chance_below(&w->random, 4) * SYNC_COPY_OPENED_UP;
		copy_setup_bind(&w->setup, 'D', 1, &scroll, 1);
		v = view_opened(w, p, opened);
		got = copy_echo_draw(w->echo, v, v->surfaces[0].frame, NULL, 0);
		ck_assert_int_eq(copy_mode_open(p, p,
				     (opened & SYNC_COPY_OPENED_EXITS) != 0
					 ? COPY_OPEN_SCROLL_EXIT
					 : 0),
		    0);
		if ((opened & SYNC_COPY_OPENED_UP) != 0)
			copy_mode_page_up(p);
		want = picture(w, p);
		ck_assert_msg(hash(got) == hash(want), "round %u", i);
		vt_frame_unref(got);
		vt_frame_unref(want);
		/* And goes on from there. */
		got = copy_echo_draw(w->echo, v, v->surfaces[0].frame, next, 1);
		run(p, "cursor-up", NULL);
		want = picture(w, p);
		ck_assert_msg(hash(got) == hash(want), "round %u, a key", i);
		vt_frame_unref(got);
		/* Where the mode ends, the client waits. */
		got = copy_echo_draw(w->echo, v, v->surfaces[0].frame, next, 3);
		ck_assert_int_eq(mode_command(p, &down, &why), 0);
		ends += mode_top(p) == NULL;
		if (mode_top(p) != NULL) {
			run(p, "cursor-up", NULL);
			vt_frame_unref(want);
			want = picture(w, p);
		}
		ck_assert_msg(hash(got) == hash(want), "round %u, down", i);
		vt_frame_unref(got);
		vt_frame_unref(want);
		sync_view_free(v);
		world_fini(w);
	}
	ck_assert_uint_gt(ends, rounds / 8);
	mem_free(w);
}
END_TEST

UNIT_SUITE(copy_link)
{
	Suite *s = suite_create("copy_link");
	TCase *tc = tcase_create("copy_link");

	tcase_set_timeout(tc, 300);
	tcase_add_loop_test(
	    tc, keys_are_shown_at_once_and_right, 0, (int)ARRAY_LEN(cases));
	tcase_add_test(tc, the_mode_opens_as_at_the_server);
	suite_add_tcase(s, tc);
	return s;
}
