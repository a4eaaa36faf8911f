#include "mux/mode/copy_replay.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pack.h"
#include "base/str.h"
#include "conf/format.h"
#include "conf/format_draw.h"
#include "mux/mode/copy_replay_int.h"

/* Bytes of the names of variables, options and environment variables. */
#define NAME_BYTES                                                \
 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
 "_-@[]"

/* --- the text ---------------------------------------------------------------- */

static struct copy_replay *
replay_of(const struct text *t)
{
	return container_of(t, struct copy_replay, copy.text.text);
}

static vt_row
replay_first(const struct text *t)
{
	return replay_of(t)->wire.first;
}

static vt_row
replay_end(const struct text *t)
{
	const struct copy *c = &replay_of(t)->copy;

	return c->text.base + c->rows;
}

static unsigned
replay_cols(const struct text *t)
{
	return replay_of(t)->copy.cols;
}

static uint64_t
replay_remade(const struct text *t)
{
	return replay_of(t)->wire.remade;
}

/* Whether the source numbers its rows as the mode does. */
static bool
has_rows(const struct copy_replay *r)
{
	return r->local || (r->history.remade == r->wire.remade &&
			       r->wire.remade != COPY_REWRAPPED);
}

static const struct vt_line *
replay_row(struct text *t, vt_row row)
{
	struct copy_replay *r = replay_of(t);
	const size_t i = row % REPLAY_LINES;
	struct vt_line *l;

	if (row >= r->copy.text.base)
		return r->lines[row - r->copy.text.base];
	if (has_rows(r)) {
		if (r->kept[i].line != NULL && r->kept[i].row == row)
			return r->kept[i].line;
		if ((l = r->history.row(r->history.arg, row)) != NULL) {
			vt_line_unref(NULL, r->kept[i].line);
			r->kept[i].row = row;
			return r->kept[i].line = l;
		}
	}
	r->copy.missed = true;
	return r->blank;
}

const struct text_ops copy_replay_text = {
	.first = replay_first,
	.end = replay_end,
	.cols = replay_cols,
	.remade = replay_remade,
	.row = replay_row,
};

/* --- life ---------------------------------------------------------------------- */

static void
forget_rows(struct copy_replay *r)
{
	size_t i;

	for (i = 0; i < REPLAY_LINES; i++) {
		vt_line_unref(NULL, r->kept[i].line);
		r->kept[i].line = NULL;
	}
}

void
copy_replay_free(struct copy_replay *r)
{
	unsigned y;

	if (r == NULL)
		return;
	forget_rows(r);
	for (y = 0; r->lines != NULL && y < r->copy.rows; y++)
		vt_line_unref(NULL, r->lines[y]);
	mem_free(r->lines);
	vt_search_free(r->copy.pattern);
	copy_setup_fini(&r->setup);
	vt_line_unref(NULL, r->blank);
	mem_free(r->copy.separators);
	mem_free(r->copy.search_text);
	mem_free(r);
}

static int
replay_load(struct copy_replay *r, const struct copy_replay_cfg *cfg)
{
	struct copy_text *t = &r->copy.text;
	struct rd rd;
	unsigned y;
	int e;

	rd_init(&rd, cfg->state, cfg->state_len);
	if ((e = copy_state_get(&rd, &r->copy, &r->wire)) != 0)
		return e;
	rd_init(&rd, cfg->setup, cfg->setup_len);
	if ((e = copy_setup_get(&rd, &r->setup)) != 0)
		return e;
	peer_check(cfg->screen->rows == r->copy.rows &&
		   cfg->screen->cols == r->copy.cols);
	r->copy.env = r->setup.env;
	r->copy.separators = mem_strdup(r->setup.separators);
	t->text.ops = &copy_replay_text;
	r->lines = mem_calloc(r->copy.rows, sizeof(struct vt_line *));
	for (y = 0; y < r->copy.rows; y++)
		r->lines[y] = vt_line_ref(cfg->screen->lines[y]);
	return 0;
}

int
copy_replay_new(struct copy_replay **out, const struct copy_replay_cfg *cfg)
{
	struct copy_replay *r = mem_zalloc(sizeof(*r));
	int e;

	r->blank = vt_line_new(NULL);
	r->graphemes = cfg->graphemes;
	r->history = cfg->history;
	e = replay_load(r, cfg);
	if (e != 0) {
		copy_replay_free(r);
		r = NULL;
	}
	*out = r;
	return e;
}

int
copy_replay_pane(const void *state, size_t len, uint32_t *pane)
{
	struct copy_wire w;
	struct copy c = { 0 };
	struct rd rd;
	int e;

	rd_init(&rd, state, len);
	e = copy_state_get(&rd, &c, &w);
	mem_free(c.search_text);
	*pane = w.pane;
	return e;
}

void
copy_replay_history(struct copy_replay *r, uint64_t remade)
{
	forget_rows(r);
	r->history.remade = remade;
}

/* --- keys ----------------------------------------------------------------------- */

bool
copy_replay_knows(const char *word)
{
	static const char *const others[] = { "next-prompt", "previous-prompt",
		"refresh-from-pane", "refresh-now", "refresh-on", "refresh-off",
		"refresh-toggle", "scroll-to-mouse", "select-output" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(word, others[i]) == 0)
			return false;
	for (i = 0; i < copy_row_count; i++)
		if (strcmp(word, copy_rows[i].name) == 0)
			return true;
	return false;
}

static const struct copy_bind *
find_bind(const struct copy_setup *s, key_code key)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->binds[i].key == key || s->binds[i].key == KEY_ANY)
			return &s->binds[i];
	return NULL;
}

/* Runs CMD; nothing changes unless it is done. */
static enum copy_replay_did
replay_run(struct copy_replay *r, struct mode_command *cmd)
{
	struct copy before = r->copy;
	struct cause why = { NULL };
	enum mode_did did;
	bool fails;
	char *text;

	if (cmd->repeat == 0)
		cmd->repeat = MAX_OF(r->copy.mode.repeat, 1U);
	if (cmd->repeat > REPLAY_REPEAT_MAX)
		return COPY_REPLAY_UNKNOWN;
	text =
	    before.search_text == NULL ? NULL : mem_strdup(before.search_text);
	r->copy.missed = false;
	r->copy.mode.repeat = 0;
	did = copy_command(&r->copy.mode, cmd, &why);
	/* The server shows an error. */
	fails = why.text != NULL;
	cause_fini(&why);
	/* A search that takes long ends later, when the server says so. */
	if (r->copy.mode.work != MODE_IDLE)
		r->copy.missed = true;
	if (did == MODE_TAKEN && !r->copy.missed && !fails) {
		mem_free(text);
		return COPY_REPLAY_DONE;
	}
	mem_free(r->copy.search_text);
	vt_search_free(r->copy.pattern);
	before.pattern = NULL;
	before.separators = r->copy.separators;
	before.search_text = text;
	before.missed = false;
	/* What stands below the mode is not known. */
	fails = fails || !r->copy.missed;
	r->copy = before;
	return fails ? COPY_REPLAY_UNKNOWN : COPY_REPLAY_MISSED;
}

enum copy_replay_did
copy_replay_key(struct copy_replay *r, key_code key)
{
	const struct copy_bind *b =
	    find_bind(&r->setup, key & ~(key_code)KEY_LOCKS);

	/* The mode ignores keys without a binding, but not the mouse. */
	if (b == NULL)
		return key_is_mouse(key) ? COPY_REPLAY_UNKNOWN
					 : COPY_REPLAY_DONE;
	return copy_replay_run(r, (const char *const *)b->words, b->count,
	    b->repeat == 1 ? 0 : b->repeat);
}

enum copy_replay_did
copy_replay_run(struct copy_replay *r, const char *const *words, size_t count,
    unsigned repeat)
{
	struct mode_command cmd = {
		.words = words, .count = count, .repeat = repeat
	};

	if (count == 0 || !copy_replay_knows(words[0]))
		return COPY_REPLAY_UNKNOWN;
	return replay_run(r, &cmd);
}

void
copy_replay_repeat(struct copy_replay *r, unsigned n)
{
	r->copy.mode.repeat = n;
}

const char *
copy_replay_searched(const struct copy_replay *r)
{
	return r->copy.search_other ? NULL : r->copy.search_text;
}

const char *
copy_replay_separators(const struct copy_replay *r)
{
	return r->setup.separators == NULL ? "" : r->setup.separators;
}

/* --- drawing ----------------------------------------------------------------------- */

static struct pen
replay_style(void *arg, enum option_id id, UNUSED const struct pen *base)
{
	static const struct pen plain;
	struct copy_replay *r = arg;
	size_t i;

	for (i = 0; i < COPY_STYLES; i++)
		if (copy_style_options[i] == id)
			return r->setup.styles[i];
	r->copy.missed = true;
	return plain;
}

/* The variables that the mode itself knows; the rest is on the server. */
static bool
replay_variable(void *arg, const char *name, struct buf *out)
{
	struct copy_replay *r = arg;

	if (copy_format(&r->copy.mode, name, out))
		return true;
	if (strcmp(name, "history_size") == 0)
		return buf_addf(out, "%llu",
			   (unsigned long long)r->wire.history_size) == 0;
	/* The default position format shows times to local clients only. */
	if (strcmp(name, "client_link") == 0)
		return buf_add_str(out, "udp") == 0;
	/* A condition is first looked up as it is written: #{?#{...},a,b}. */
	if (name[strspn(name, NAME_BYTES)] == '\0')
		r->copy.missed = true;
	return false;
}

static void
replay_loop(void *arg, UNUSED const struct format_loop *loop,
    UNUSED format_item_fn each, UNUSED void *each_arg)
{
	((struct copy_replay *)arg)->copy.missed = true;
}

static bool
replay_exists(
    void *arg, UNUSED enum format_loop_kind kind, UNUSED const char *name)
{
	((struct copy_replay *)arg)->copy.missed = true;
	return false;
}

static uint32_t
replay_search(void *arg, UNUSED const char *pattern, UNUSED bool regex,
    UNUSED bool nocase)
{
	((struct copy_replay *)arg)->copy.missed = true;
	return 0;
}

static void
replay_job(void *arg, UNUSED const char *command, UNUSED struct buf *out)
{
	((struct copy_replay *)arg)->copy.missed = true;
}

static bool
replay_client(void *arg, UNUSED char what, UNUSED const char *name,
    UNUSED struct buf *out)
{
	((struct copy_replay *)arg)->copy.missed = true;
	return false;
}

static const struct format_ops replay_format = {
	.variable = replay_variable,
	.loop = replay_loop,
	.exists = replay_exists,
	.search = replay_search,
	.job = replay_job,
	.client_has = replay_client,
};

static void
draw_run(struct copy_replay *r, struct vt_frame *f, unsigned x, unsigned y,
    const struct format_run *run)
{
	if (run->blank)
		return;
	if (colour_kind(run->pen.fg) == COLOUR_KIND_THEME ||
	    colour_kind(run->pen.bg) == COLOUR_KIND_THEME)
		r->copy.missed = true;
	vt_frame_link(f, r->graphemes, x + (unsigned)run->x, y,
	    x + (unsigned)(run->x + run->width), run->text, run->len, &run->pen,
	    run->link);
}

static void
replay_draw_row(void *arg, struct vt_frame *f, unsigned x, unsigned y,
    UNUSED struct pane *p, UNUSED enum option_id format, const struct pen *base)
{
	struct copy_replay *r = arg;
	const struct format_args args = {
		.scope = { &replay_format, r },
		.widths = r->graphemes,
	};
	struct format_drawn drawn;
	char *text = format_expand_new(&args, r->setup.position);
	size_t i;

	format_draw(&drawn, r->graphemes, base, text, strlen(text),
	    (int)f->cols - (int)x);
	for (i = 0; i < drawn.run_count; i++)
		draw_run(r, f, x, y, &drawn.runs[i]);
	format_drawn_fini(&drawn);
	mem_free(text);
}

struct vt_frame *
copy_replay_paint(struct copy_replay *r)
{
	const struct mode_paint paint = {
		.graphemes = r->graphemes,
		.style = replay_style,
		.row = replay_draw_row,
		.arg = r,
	};
	struct vt_frame *f = vt_frame_new(r->copy.cols, r->copy.rows);

	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	r->copy.missed = false;
	copy_draw(&r->copy.mode, f, &paint);
	return f;
}

struct vt_frame *
copy_replay_draw(struct copy_replay *r)
{
	struct vt_frame *f = copy_replay_paint(r);

	if (!r->copy.missed)
		return f;
	r->copy.missed = false;
	vt_frame_unref(f);
	return NULL;
}

uint64_t
copy_replay_stamp(const struct copy_replay *r)
{
	const uint64_t n[] = { r->wire.pane, r->wire.remade, r->wire.first,
		r->wire.history_size, r->copy.text.base };

	return str_hash(n, sizeof(n), 0);
}

void
copy_replay_state(struct copy_replay *r, struct buf *out)
{
	copy_state_write(&r->copy, &r->wire, out);
}
