/*
 * A replay of copy mode does what the mode does: random texts, states and keys.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/format.h"
#include "conf/format_draw.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_replay.h"
#include "mux/mode/copy_wire.h"
#include "mux/session.h"
#include "mux/window.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

#define SEPARATORS " -_@.,"
#define POSITION                                                       \
 "#[align=right]#{?#{e|>:#{top_line_time},0}, ,}"                      \
 "[#{scroll_position}/#{history_size}]"                                \
 "#{?search_count, (#{search_count}#{?search_count_partial,+,} hits)," \
 "}#{?selection_present,#[fg=red]S,}"

/* --- random numbers -------------------------------------------------------- */

static uint64_t seed;

static unsigned
random_below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static bool
chance(unsigned percent)
{
	return random_below(100) < percent;
}

/* --- the world --------------------------------------------------------------- */

struct world {
	struct mux *m;
	struct pane *p;
	struct copy_setup setup;
	vt_row held; /* rows below it are not at the client */
};

static void
write_text(struct pane *p, const char *s, size_t n)
{
	vt_term_write(p->term, (const uint8_t *)s, n);
}

static void
write_random(struct pane *p, unsigned lines)
{
	static const char *const words[] = { "one", "two", "tree", "foo.bar",
		"x", "(a [b] {c})", "a-b_c", "\xe4\xbd\xa0\xe5\xa5\xbd", "  ",
		"\t", "e\xcc\x81t\xc3\xa9", "\033[31mred\033[m", "@", "}{][",
		"\033]133;A\007$ ", "The", "foo", "bar,baz" };
	const char *w;
	unsigned i;

	while (lines-- > 0) {
		for (i = random_below(chance(20) ? 30 : 8); i > 0; i--) {
			w = words[random_below(ARRAY_LEN(words))];
			write_text(p, w, strlen(w));
			if (chance(70))
				write_text(p, " ", 1);
		}
		write_text(p, "\r\n", 2);
	}
}

static const char *const lines[] = { "cursor-up", "cursor-down", "cursor-left",
	"cursor-right", "page-up", "page-down", "halfpage-up", "halfpage-down",
	"scroll-up", "scroll-down", "scroll-down-and-cancel", "history-top",
	"history-bottom", "top-line", "middle-line", "bottom-line",
	"start-of-line", "end-of-line", "back-to-indentation", "next-word",
	"next-word-end", "next-space", "next-space-end", "previous-word",
	"previous-space", "next-paragraph", "previous-paragraph",
	"next-matching-bracket", "previous-matching-bracket", "begin-selection",
	"stop-selection", "clear-selection", "other-end", "select-line",
	"select-word", "rectangle-toggle", "rectangle-on", "rectangle-off",
	"selection-mode word", "selection-mode line", "selection-mode char",
	"set-mark", "jump-to-mark", "jump-forward o", "jump-backward e",
	"jump-to-forward o", "jump-to-backward a", "jump-again", "jump-reverse",
	"search-forward foo", "search-backward o.b", "search-forward-text a",
	"search-backward-text x", "search-forward T", "search-again",
	"search-again", "search-reverse", "search-forward-incremental =ba",
	"search-backward-incremental =fo", "goto-line 7", "goto-line 100",
	"recentre-top-bottom", "scroll-top", "scroll-middle", "scroll-bottom",
	"cursor-centre-vertical", "cursor-centre-horizontal", "toggle-position",
	"copy-selection", "copy-selection-no-clear", "copy-line",
	"copy-end-of-line", "append-selection", "copy-selection-and-cancel",
	"cancel", "line-numbers-toggle", "scroll-exit-toggle", "next-prompt",
	"previous-prompt", "refresh-now", "scroll-to-mouse", "no-such-command",
	"cursor-down-and-cancel", "page-down-and-cancel", "select-output" };

/* Binds code point 'A' + i to the command LINES[i]. */
static void
bind_all(struct copy_setup *s)
{
	char text[64], *word[COPY_WIRE_WORDS_MAX], *save, *w;
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(lines); i++) {
		(void)str_copy(text, lines[i], sizeof(text));
		n = 0;
		save = NULL;
		for (w = strtok_r(text, " ", &save); w != NULL;
		     w = strtok_r(NULL, " ", &save))
			word[n++] = w;
		copy_setup_bind(s, 'A' + i,
		    chance(80) ? 1 : random_below(6) + 1,
		    (const char *const *)word, n);
	}
}

static void
set_option(struct pane *p, const char *name, const char *text)
{
	struct cause why = { NULL };

	ck_assert_int_eq(
	    options_set_text(&p->window->options, name, text, &why), 0);
}

static void
world_init(struct world *w)
{
	struct vt_term_options opt = { .cols = 4 + random_below(40),
		.rows = 1 + random_below(12),
		.history_rows = chance(15) ? 20 : 400,
		.history_bytes = SIZE_MAX };
	unsigned i;

	memset(w, 0, sizeof(*w));
	w->m = mux_util_new();
	w->p = mux_util_session(w->m, "s")->current->window->active;
	vt_term_free(w->p->term);
	opt.pool = w->m->setup.pool;
	opt.graphemes = w->m->setup.graphemes;
	w->p->term = vt_term_new(&opt);
	pane_place(w->p,
	    &(struct cell_rect){ .w = (int)opt.cols, .h = (int)opt.rows });
	set_option(w->p, "mode-keys", chance(50) ? "vi" : "emacs");
	set_option(w->p, "wrap-search", chance(70) ? "on" : "off");
	write_random(w->p, random_below(chance(30) ? 120 : 30));
	ck_assert_int_eq(
	    copy_mode_open(w->p, w->p, chance(20) ? COPY_OPEN_SCROLL_EXIT : 0),
	    0);
	w->setup.separators = mem_strdup(SEPARATORS);
	w->setup.position = mem_strdup(POSITION);
	for (i = 0; i < COPY_STYLES; i++)
		w->setup.styles[i] = (struct pen){ .fg = colour_index(i + 1),
			.attrs = i % 2 != 0 ? PEN_REVERSE : 0 };
	if (chance(50))
		w->setup.styles[COPY_STYLE_CURRENT_LINE] = (struct pen){ 0 };
	bind_all(&w->setup);
}

static void
world_fini(struct world *w)
{
	copy_setup_fini(&w->setup);
	mux_util_free(w->m);
}

/* --- the server's side --------------------------------------------------------- */

/* Runs the command of bind I on the mode itself. */
static void
run(struct world *w, size_t i)
{
	const struct copy_bind *b = &w->setup.binds[i];
	struct mode_command cmd = { .words = (const char *const *)b->words,
		.count = b->count,
		.repeat = b->repeat,
		.separators = SEPARATORS };
	struct mode_effects effects;
	struct cause why = { NULL };

	mode_effects_init(&effects);
	cmd.effects = &effects;
	ck_assert_int_eq(mode_command(w->p, &cmd, &why), 0);
	mode_effects_fini(&effects);
}

static struct pen
style(void *arg, enum option_id id, UNUSED const struct pen *base)
{
	const struct world *w = arg;
	size_t i;

	for (i = 0; i < COPY_STYLES; i++)
		if (copy_style_options[i] == id)
			return w->setup.styles[i];
	ck_abort_msg("a style that the wire does not carry");
	return w->setup.styles[0];
}

static bool
variable(void *arg, const char *name, struct buf *out)
{
	const struct world *w = arg;
	struct vt_grid *g = vt_term_main_grid(w->p->term);

	if (strcmp(name, "history_size") == 0)
		return buf_addf(out, "%llu",
			   (unsigned long long)(vt_grid_screen(g) -
						vt_grid_first(g))) == 0;
	return copy_format(mode_top(w->p), name, out);
}

static void
row(void *arg, struct vt_frame *f, unsigned x, unsigned y,
    UNUSED struct pane *p, UNUSED enum option_id format, const struct pen *base)
{
	const struct world *w = arg;
	const struct grapheme_table *gt = w->m->setup.graphemes;
	const struct format_ops ops = { .variable = variable };
	const struct format_args args = { .scope = { &ops, arg },
		.widths = gt };
	char *text = format_expand_new(&args, POSITION);
	struct format_drawn d;
	const struct format_run *r;
	size_t i;

	format_draw(&d, gt, base, text, strlen(text), (int)f->cols - (int)x);
	for (i = 0; i < d.run_count; i++) {
		r = &d.runs[i];
		if (!r->blank)
			vt_frame_text(f, gt, x + (unsigned)r->x, y,
			    x + (unsigned)(r->x + r->width), r->text, r->len,
			    &r->pen);
	}
	format_drawn_fini(&d);
	mem_free(text);
}

static struct vt_frame *
picture(struct world *w)
{
	const struct mode_paint paint = { .graphemes = w->m->setup.graphemes,
		.style = style,
		.row = row,
		.arg = w };

	return mode_frame(mode_top(w->p), &paint);
}

static struct vt_line *
history_row(void *arg, vt_row num)
{
	const struct world *w = arg;
	struct vt_grid *g = vt_term_main_grid(w->p->term);
	struct vt_line *l;

	if (num < w->held || num < vt_grid_first(g))
		return NULL;
	/* A client gets no marks. */
	l = vt_line_clone(NULL, vt_grid_row(g, num));
	l->flags &= (uint16_t)~VT_LINE_MARKS;
	return l;
}

/* --- comparing ---------------------------------------------------------------------- */

static struct copy_replay *
confirm(struct world *w)
{
	struct mode *m = mode_top(w->p);
	struct copy_replay *r;
	struct buf state, setup;
	struct copy_replay_cfg cfg = { .graphemes = w->m->setup.graphemes };
	uint32_t pane;

	buf_init(&state, COPY_WIRE_STATE_MAX);
	buf_init(&setup, COPY_WIRE_SETUP_MAX);
	/* A count that goes on changes by itself. */
	if (!copy_state_put(m, &state)) {
		ck_assert(copy_of(m)->counting);
		buf_fini(&state);
		buf_fini(&setup);
		return NULL;
	}
	w->setup.env = copy_of(m)->env;
	ck_assert(copy_setup_put(&w->setup, &setup));
	cfg.state = state.data;
	cfg.state_len = state.len;
	cfg.setup = setup.data;
	cfg.setup_len = setup.len;
	cfg.screen = copy_state_screen(m);
	cfg.history = (struct copy_history){ history_row, w,
		text_remade(&copy_of(m)->text.text) };
	ck_assert_int_eq(copy_replay_pane(state.data, state.len, &pane), 0);
	ck_assert_uint_eq(pane, w->p->id);
	ck_assert_int_eq(copy_replay_new(&r, &cfg), 0);
	buf_fini(&state);
	buf_fini(&setup);
	return r;
}

/* Counts of what the sequences did, so that none of it goes untested. */
static struct {
	unsigned long done, unknown, missed, undrawn;
} seen;

static void
print_row(const char *who, const struct vt_line *l, unsigned y)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned x;

	fprintf(stderr, "# %s %2u |", who, y);
	for (x = 0; x < l->len; x++) {
		text[0] = '\0';
		text[vt_line_text(l, x, text)] = '\0';
		fprintf(stderr, "%s/%x", text, vt_line_pen(l, x)->fg);
	}
	fprintf(stderr, "| flags %x\n", l->flags);
}

/* Prints how two pictures differ. */
static void
print_both(const struct vt_frame *a, const struct vt_frame *b)
{
	unsigned y;

	fprintf(stderr, "# cursor %u,%u %u,%u\n", a->state.x, a->state.y,
	    b->state.x, b->state.y);
	for (y = 0; y < a->rows; y++)
		if (!vt_line_equal(a->lines[y], b->lines[y])) {
			print_row("mode", a->lines[y], y);
			print_row("copy", b->lines[y], y);
		}
}

/* Drops the marks of prompts, which nobody sees and history does not carry. */
static struct vt_frame *
unmarked(struct vt_frame *f)
{
	unsigned y;

	for (y = 0; f != NULL && y < f->rows; y++)
		if (f->lines[y]->flags & VT_LINE_MARKS)
			vt_frame_own(f, y)->flags &= (uint16_t)~VT_LINE_MARKS;
	return f;
}

static void
same(struct world *w, struct copy_replay *r, unsigned long s, const char *what)
{
	struct vt_frame *a = unmarked(picture(w));
	struct vt_frame *b = unmarked(copy_replay_draw(r));
	struct buf x, y;

	buf_init(&x, COPY_WIRE_STATE_MAX);
	buf_init(&y, COPY_WIRE_STATE_MAX);
	ck_assert(copy_state_put(mode_top(w->p), &x));
	copy_replay_state(r, &y);
	ck_assert_msg(x.len == y.len && memcmp(x.data, y.data, x.len) == 0,
	    "sequence %lu: another state after %s", s, what);
	if (b != NULL && !vt_frame_equal(a, b))
		print_both(a, b);
	ck_assert_msg(b == NULL || vt_frame_equal(a, b),
	    "sequence %lu: another picture after %s", s, what);
	ck_assert_msg(b != NULL || w->held > 0 ||
			  vt_grid_first(vt_term_main_grid(w->p->term)) > 0,
	    "sequence %lu: no picture after %s", s, what);
	seen.undrawn += b == NULL;
	vt_frame_unref(a);
	vt_frame_unref(b);
	buf_fini(&x);
	buf_fini(&y);
}

/* Replays keys until the mode ends or must be confirmed anew. */
static void
replay(struct world *w, unsigned long s)
{
	struct copy_replay *r = confirm(w);
	enum copy_replay_did did = COPY_REPLAY_DONE;
	unsigned n = 1 + random_below(12);
	size_t i;

	if (r == NULL)
		return;
	same(w, r, s, "confirming");
	while (n-- > 0 && did == COPY_REPLAY_DONE && mode_top(w->p) != NULL) {
		i = random_below(ARRAY_LEN(lines));
		did = copy_replay_key(r, 'A' + i);
		if (did == COPY_REPLAY_DONE) {
			seen.done++;
			run(w, i);
			ck_assert_ptr_nonnull(mode_top(w->p));
			same(w, r, s, lines[i]);
			continue;
		}
		/* Nothing has changed. */
		same(w, r, s, "a key that is not replayed");
		seen.unknown += did == COPY_REPLAY_UNKNOWN;
		seen.missed += did == COPY_REPLAY_MISSED;
		run(w, i);
	}
	copy_replay_free(r);
}

static void
sequence(unsigned long s)
{
	struct world w;
	unsigned rounds = 1 + random_below(4), k;
	vt_row base;

	world_init(&w);
	for (; rounds > 0 && mode_top(w.p) != NULL; rounds--) {
		base = vt_grid_screen(vt_term_main_grid(w.p->term));
		w.held = chance(60) ? 0 : base - MIN_OF(base, random_below(60));
		for (k = random_below(6); k > 0 && mode_top(w.p) != NULL; k--)
			run(&w, random_below(ARRAY_LEN(lines)));
		if (chance(30))
			write_random(w.p, random_below(20));
		if (mode_top(w.p) != NULL)
			replay(&w, s);
	}
	world_fini(&w);
}

START_TEST(a_replay_equals_the_mode)
{
	const unsigned long n = unit_rounds(10000);
	const unsigned long first = unit_seed(1);
	unsigned long s;

	memset(&seen, 0, sizeof(seen));
	for (s = first; s < first + n; s++) {
		seed = s * 2654435761u + 1;
		sequence(s);
	}
	fprintf(stderr,
	    "# %lu keys replayed, %lu unknown, %lu missed, %lu undrawn\n",
	    seen.done, seen.unknown, seen.missed, seen.undrawn);
	ck_assert_uint_gt(seen.done, n * 4);
	ck_assert_uint_gt(seen.unknown, n / 100);
	ck_assert_uint_gt(seen.missed, n / 100);
}
END_TEST

START_TEST(broken_bytes_are_refused)
{
	struct world w;
	struct buf state, setup;
	struct copy_replay_cfg cfg = { 0 };
	struct copy_replay *r;
	struct vt_frame *f;
	unsigned rounds = unit_rounds(3000), i;
	size_t at;

	seed = unit_seed(1);
	world_init(&w);
	buf_init(&state, COPY_WIRE_STATE_MAX);
	buf_init(&setup, COPY_WIRE_SETUP_MAX);
	ck_assert(copy_state_put(mode_top(w.p), &state));
	ck_assert(copy_setup_put(&w.setup, &setup));
	cfg.graphemes = w.m->setup.graphemes;
	cfg.screen = copy_state_screen(mode_top(w.p));
	cfg.history = (struct copy_history){ history_row, &w, 0 };
	cfg.state = state.data;
	cfg.setup = setup.data;
	/* Every beginning of the bytes. */
	cfg.setup_len = setup.len;
	for (cfg.state_len = 0; cfg.state_len < state.len; cfg.state_len++)
		ck_assert_int_ne(copy_replay_new(&r, &cfg), 0);
	for (cfg.setup_len = 0; cfg.setup_len < setup.len; cfg.setup_len++)
		ck_assert_int_ne(copy_replay_new(&r, &cfg), 0);
	cfg.setup_len = setup.len;
	/* Changed bytes: refused, or a mode that runs. */
	for (i = 0; i < rounds; i++) {
		at = random_below((unsigned)state.len);
		state.data[at] ^= (uint8_t)(1u << random_below(8));
		if (copy_replay_new(&r, &cfg) != 0)
			continue;
		(void)copy_replay_key(r, 'A' + random_below(80));
		f = copy_replay_draw(r);
		vt_frame_unref(f);
		copy_replay_free(r);
	}
	buf_fini(&state);
	buf_fini(&setup);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(copy_replay)
{
	Suite *s = suite_create("copy_replay");
	TCase *tc = tcase_create("copy_replay");

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, a_replay_equals_the_mode);
	tcase_add_test(tc, broken_bytes_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
