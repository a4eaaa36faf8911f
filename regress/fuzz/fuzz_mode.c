/*
 * Modes over a pane whose program writes arbitrary output: commands and keys of
 * copy mode and of the choosers, the mouse, sizes, pictures, formats, and the
 * end of the terminal below.
 * Properties: no place leaves the text, pictures are sound, memory is bounded,
 * work ends.
 *
 * A byte 0xfe begins a command of this driver (it cannot be in UTF-8).
 */
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "mux/mode/buffers.h"
#include "mux/mode/clients.h"
#include "mux/mode/clock.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/customize.h"
#include "mux/mode/tree.h"
#include "mux/mux.h"
#include "mux/pane.h"
#include "mux/paste.h"
#include "mux/session.h"
#include "mux/vt/pool.h"
#include "mux/window.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TEXT_MAX 64    /* bytes of an argument */
#define WORK_MAX 20000 /* slices, far more than any search here needs */

static struct mux *m;
static struct session *s;
static struct pane *p;
static struct mode_requests requests;
static struct mode_host host;

/* --- what the server does ---------------------------------------------------- */

static char *
expand(UNUSED void *arg, const struct mode_where *at,
    const struct format_var *vars, size_t count, const char *format)
{
	struct target t = {
		.session = at->session, .link = at->link, .pane = at->pane
	};
	struct format_args a = { .vars = vars, .var_count = count };
	struct vars v;

	if (t.session != NULL && t.link == NULL)
		t.link = t.session->current;
	if (t.link != NULL) {
		t.window = t.link->window;
		if (t.pane == NULL)
			t.pane = t.window->active;
	}
	vars_init(&v, m, NULL, at->client, &t);
	a.scope = vars_scope(&v);
	a.widths = m->setup.graphemes;
	return format_expand_new(&a, format);
}

static colour
option_colour(UNUSED void *arg, struct pane *of, enum option_id id)
{
	return options_colour(&of->window->options, id);
}

static colour
same_colour(UNUSED void *arg, colour c)
{
	return colour_kind(c) == COLOUR_KIND_THEME ? COLOUR_DEFAULT : c;
}

static struct pen
style(UNUSED void *arg, enum option_id id, const struct pen *base)
{
	struct pen pen = *base;

	pen.bg = colour_index((unsigned)id % 8);
	return pen;
}

static char *
expand_here(UNUSED void *arg, const char *format)
{
	return mem_strdup(format);
}

static void
row(UNUSED void *arg, struct vt_frame *f, unsigned x, unsigned y,
    UNUSED struct pane *shown, UNUSED enum option_id id, const struct pen *base)
{
	(void)vt_frame_text(
	    f, m->setup.graphemes, x, y, f->cols, "row", 3, base);
}

/* --- the model ------------------------------------------------------------------ */

static void
begin(unsigned cols, unsigned rows, unsigned history)
{
	static struct vt_pool *pool;
	static struct grapheme_table *graphemes;
	struct mux_setup setup = { 0 };
	struct pane_start start = { 0 };
	struct vt_term_options opt = { 0 };
	struct winlink *wl = NULL;
	struct window *w;

	if (pool == NULL) {
		pool = vt_pool_new();
		graphemes = grapheme_table_new(NULL);
	}
	setup.pool = opt.pool = pool;
	setup.graphemes = opt.graphemes = graphemes;
	m = mux_new(&setup);
	mux_set_now(m, 1000, INT64_C(1700000000000));
	mode_requests_init(&requests);
	host = (struct mode_host){ expand, NULL, &requests, NULL };
	bug_assert(session_new(m, "s", NULL, &s, NULL) == 0);
	w = window_new(m, (int)cols, (int)rows, &start);
	bug_assert(session_link(s, w, -1, &wl, NULL) == 0);
	p = w->active;
	vt_term_free(p->term);
	opt.cols = cols;
	opt.rows = rows;
	opt.history_rows = history;
	opt.history_bytes = SIZE_MAX;
	p->term = vt_term_new(&opt);
}

static void
end(void)
{
	mode_requests_fini(&requests);
	mux_free(m);
}

/* --- commands ------------------------------------------------------------------- */

/* Bytes of the input; zeros after its end. */
struct input {
	const uint8_t *p;
	size_t n;
};

static unsigned
byte(struct input *in)
{
	if (in->n == 0)
		return 0;
	in->n--;
	return *in->p++;
}

/* An argument: bytes up to the next zero, without it. */
static void
word(struct input *in, char *out)
{
	size_t n = 0;
	unsigned b;

	while (n < TEXT_MAX && (b = byte(in)) != 0)
		out[n++] = (char)b;
	out[n] = '\0';
}

static void
copy_run(struct input *in)
{
	char text[TEXT_MAX + 1];
	const unsigned which = byte(in), how = byte(in);
	const char *words[3] = { copy_rows[which % copy_row_count].name, text,
		"more" };
	struct mouse_event from = { .x = (int)(how % 50) - 2 },
			   to = { .y = (int)(how % 20) - 2 };
	struct mode_effects effects;
	struct mode_command cmd = { .words = words,
		.count = 1 + how % 3,
		.repeat = how < 200 ? 1 + how % 5 : how * how,
		.separators = how % 2 == 0 ? " -_@" : NULL,
		.effects = how % 16 == 1 ? NULL : &effects };
	struct cause why = { NULL };

	text[0] = '\0';
	if (cmd.count > 1)
		word(in, text);
	if (how % 8 == 3) {
		cmd.mouse_from = &from;
		cmd.mouse = &to;
	}
	mode_effects_init(&effects);
	(void)!mode_command(p, &cmd, &why);
	while (mode_effects_more(&effects))
		;
	mode_effects_fini(&effects);
	cause_fini(&why);
}

static void
open_mode(struct input *in)
{
	const struct mode_list_start list = { .host = &host,
		.template = "x '%%'" };
	const struct mode_tree_start tree = { .list = list,
		.depth = MODE_TREE_PANES };

	switch (byte(in) % 8) {
	case 0:
		(void)!mode_clock_open(p);
		break;
	case 1:
		(void)!mode_tree_open(p, s, &tree);
		break;
	case 2:
		(void)!mode_buffers_open(p, &list);
		break;
	case 3:
		(void)!mode_clients_open(p, &list);
		break;
	case 4:
		(void)!mode_customize_open(p, s, &list);
		break;
	default:
		(void)!copy_mode_open(p, p, byte(in) % 16);
		break;
	}
}

static void
press(struct input *in)
{
	static const key_code specials[] = { KEY_UP, KEY_DOWN, KEY_LEFT,
		KEY_RIGHT, KEY_PPAGE, KEY_NPAGE, KEY_HOME, KEY_END };
	const unsigned b = byte(in);
	struct key_event ev = { .key =
				    b < 128 ? (key_code)b : specials[b % 8] };

	(void)mode_key(p, &ev);
}

static void
mouse(struct input *in)
{
	const unsigned b = byte(in);
	struct mouse_event from = { .x = (int)(byte(in) % 60) - 3,
		.y = (int)(byte(in) % 30) - 3,
		.action = b % 2 == 0 ? MOUSE_PRESS : MOUSE_MOTION };
	struct mouse_event to = from;

	to.x += (int)(b >> 4);
	if (b % 4 == 3)
		copy_mode_drag(p, &from, &to);
	else
		(void)mode_mouse(p, &from);
	if (b % 8 == 5)
		(void)mode_expire(p, MONO_NEVER - 1);
}

static void
look(void)
{
	static const char *const names[] = { "copy_cursor_word",
		"copy_cursor_line", "copy_cursor_hyperlink", "selection_end_y",
		"search_match", "search_count", "scroll_position" };
	const struct mode_paint paint = { .now = 1000,
		.wall = m->wall,
		.graphemes = m->setup.graphemes,
		.colour = same_colour,
		.window_colour = option_colour,
		.style = style,
		.expand = expand_here,
		.row = row };
	struct mode *top = mode_top(p);
	struct vt_frame *f;
	struct buf out;
	size_t i;

	if (top == NULL)
		return;
	f = mode_frame(top, &paint);
	bug_assert(vt_frame_check(f) == NULL);
	vt_frame_unref(f);
	buf_init(&out, BUF_MAX);
	for (i = 0; i < ARRAY_LEN(names); i++)
		(void)pane_mode_format(p, names[i], &out);
	bug_assert(out.len < 16u << 20);
	buf_fini(&out);
}

static void
resize(unsigned cols, unsigned rows)
{
	pane_place(
	    p, &(struct cell_rect){ .w = 1 + (int)cols, .h = 1 + (int)rows });
	mode_resize(p);
}

/* --- properties ------------------------------------------------------------------ */

static void
check(void)
{
	struct mode *top = copy_mode_top(p);
	struct copy *c;
	size_t i;

	for (i = 0; mode_work(p) != MODE_IDLE; i++)
		bug_assert(i < WORK_MAX);
	if (top == NULL)
		return;
	c = copy_of(top);
	copy_sync(c);
	bug_assert(c->top >= copy_first(c) && c->top <= copy_base(c));
	bug_assert(c->cy < c->rows && c->cx <= c->cols);
	for (i = 0; i < COPY_PLACES; i++)
		bug_assert(c->at[i].row >= copy_first(c) &&
			   c->at[i].row <= copy_last(c));
	bug_assert(vt_grid_check(c->text.rows.grid) == NULL);
	bug_assert(vt_grid_bytes(c->text.rows.grid) < 64u << 20);
}

static void
command(struct input *in)
{
	switch (byte(in) % 10) {
	case 0:
		open_mode(in);
		break;
	case 1:
		press(in);
		break;
	case 2:
		mouse(in);
		break;
	case 3:
		look();
		break;
	case 4:
		resize(byte(in) % 80, byte(in) % 20);
		break;
	case 5:
		if (byte(in) % 4 == 0)
			(void)pane_pop_mode(p);
		vt_grid_clear_history(vt_term_main_grid(p->term));
		break;
	case 6:
		mode_stop(p, byte(in) % 2 != 0);
		break;
	default:
		copy_run(in);
		break;
	}
	check();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct vt_effect e;
	struct mux_event ev;
	struct mode_request *r;
	const uint8_t *next;
	size_t k;

	if (size < 2)
		return 0;
	begin(byte(&in) % 40u + 1, byte(&in) % 12u + 1, data[1] / 2u);
	while (in.n > 0) {
		next = memchr(in.p, 0xfe, in.n);
		k = next == NULL ? in.n : (size_t)(next - in.p);
		vt_term_write(p->term, in.p, k);
		mode_event(p, MODE_EVENT_OUTPUT);
		while (vt_term_next_effect(p->term, &e))
			vt_effect_fini(&e);
		in.p += k;
		in.n -= k;
		(void)byte(&in);
		if (next != NULL)
			command(&in);
		while ((r = mode_requests_take(&requests)) != NULL)
			mode_request_free(r);
		while (mux_next_event(m, &ev))
			mux_event_fini(&ev);
	}
	end();
	return 0;
}
