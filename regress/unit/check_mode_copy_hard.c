/*
 * Copy mode and view mode where things go wrong, and how they look: panes of one
 * cell, panes that end, are cleared, made anew or flooded below the mode; styles.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/style.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/copy_view.h"
#include "mux/mode/list.h"
#include "mux/window.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static struct mux *m;
static uint64_t chance;

static unsigned
below(unsigned n)
{
	return chance_below(&chance, n);
}

static void
new_term(struct pane *p, unsigned w, unsigned h)
{
	struct vt_term_options opt = { .cols = w,
		.rows = h,
		.history_rows = 300,
		.history_bytes = SIZE_MAX,
		.pool = m->setup.pool,
		.graphemes = m->setup.graphemes };

	vt_term_free(p->term);
	p->term = vt_term_new(&opt);
	pane_place(p, &(struct cell_rect){ .w = (int)w, .h = (int)h });
}

static void
feed(struct pane *p, const char *s)
{
	vt_term_write(p->term, (const uint8_t *)s, strlen(s));
	mode_event(p, MODE_EVENT_OUTPUT);
}

static struct copy *
copy(struct pane *p)
{
	struct mode *top = copy_mode_top(p);

	ck_assert_ptr_nonnull(top);
	return copy_of(top);
}

static void
run(struct pane *p, const char *name, const char *word, unsigned repeat)
{
	const char *words[] = { name, word };
	struct mode_effects effects;
	struct mode_command cmd = { .words = words,
		.count = word == NULL ? 1 : 2,
		.repeat = repeat,
		.effects = &effects };
	struct cause why = { NULL };

	mode_effects_init(&effects);
	if (mode_command(p, &cmd, &why) != 0)
		cause_fini(&why);
	while (mode_work(p) != MODE_IDLE)
		;
	while (mode_effects_more(&effects))
		;
	mode_effects_fini(&effects);
}

static void
set_option(struct pane *p, const char *name, const char *value)
{
	struct cause why = { NULL };

	ck_assert_int_eq(
	    options_set_text(&p->window->options, name, value, &why), 0);
}

/* --- how it looks --------------------------------------------------------------- */

/* The styles of the test; the others are empty. */
static const struct {
	enum option_id id;
	const char *text;
} styles[] = {
	{ OPTION_COPY_MODE_SELECTION_STYLE, "bg=red,bold" },
	{ OPTION_COPY_MODE_MARK_STYLE, "fg=green,bg=white,italics" },
	{ OPTION_COPY_MODE_MATCH_STYLE, "bg=cyan,dim" },
	{ OPTION_COPY_MODE_CURRENT_MATCH_STYLE, "bg=magenta" },
};
static const char *selection_style;

static struct pen
style(UNUSED void *arg, enum option_id id, const struct pen *base)
{
	struct pen pen = *base;
	const char *text = "";
	struct style sy;
	size_t i;

	for (i = 0; i < ARRAY_LEN(styles); i++)
		if (styles[i].id == id)
			text = styles[i].text;
	if (id == OPTION_COPY_MODE_SELECTION_STYLE && selection_style != NULL)
		text = selection_style;
	style_init(&sy);
	ck_assert_int_eq(style_parse(&sy, NULL, text, strlen(text)), 0);
	style_apply(&sy, &pen);
	return pen;
}

static struct vt_frame *
picture(struct pane *p)
{
	const struct mode_paint paint = { .graphemes = m->setup.graphemes,
		.style = style };

	return mode_frame(mode_top(p), &paint);
}

/* Column X of row Y has the colours FG and BG (-1: none), and ATTRS. */
static void
expect(struct pane *p, unsigned x, unsigned y, int fg, int bg, uint32_t attrs)
{
	struct vt_frame *f = picture(p);
	const struct pen *pen = vt_line_pen(f->lines[y], x);

	ck_assert_msg(
	    pen->fg == (fg < 0 ? COLOUR_DEFAULT : colour_index((unsigned)fg)) &&
		pen->bg ==
		    (bg < 0 ? COLOUR_DEFAULT : colour_index((unsigned)bg)) &&
		pen->attrs == attrs,
	    "cell %u,%u: fg %x, bg %x, attributes %x", x, y, pen->fg, pen->bg,
	    pen->attrs);
	vt_frame_unref(f);
}

/*
 * As in tmux 3.8 (copy_styles.py): a selection keeps attributes and colours
 * that its style does not have, unless that has noattr; a mark and a match keep
 * nothing, and the cell of the mark has its colours reversed.
 */
START_TEST(styles_lie_over_cells)
{
	struct pane *p;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	new_term(p, 20, 4);
	feed(p, "\033[4;34mone\033[m two\r\nrow\r\n\033[3;32msix\033[m one");
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	selection_style = NULL;
	run(p, "history-top", NULL, 1);
	run(p, "begin-selection", NULL, 1);
	run(p, "cursor-right", NULL, 5);
	expect(p, 0, 0, 4, 1, PEN_BOLD | 1 << PEN_UL_SHIFT);
	expect(p, 4, 0, -1, 1, PEN_BOLD);
	expect(p, 6, 0, -1, -1, 0);
	selection_style = "bg=red,noattr";
	expect(p, 0, 0, 4, 1, 0);
	selection_style = "bg=red,noattr,reverse";
	expect(p, 0, 0, 4, 1, PEN_REVERSE);
	/* A selection that ends after the end of a line is shown up to there. */
	selection_style = NULL;
	run(p, "cursor-down", NULL, 1);
	run(p, "cursor-centre-horizontal", NULL, 1);
	run(p, "begin-selection", NULL, 1);
	copy_of(mode_top(p))->at[COPY_AT_END].col = 10;
	expect(p, 9, 1, -1, 1, PEN_BOLD);
	expect(p, 10, 1, -1, -1, 0);
	run(p, "clear-selection", NULL, 1);
	run(p, "history-top", NULL, 1);
	run(p, "cursor-right", NULL, 6);
	run(p, "search-forward-text", "one", 1);
	/* The cursor stands after the match, which is the current one. */
	expect(p, 0, 0, -1, 6, PEN_DIM);
	expect(p, 4, 2, -1, 5, 0);
	run(p, "history-top", NULL, 1);
	run(p, "cursor-down", NULL, 2);
	run(p, "cursor-right", NULL, 1);
	run(p, "set-mark", NULL, 1);
	expect(p, 0, 2, 2, 7, PEN_ITALIC);
	expect(p, 1, 2, 7, 2, PEN_ITALIC);
	expect(p, 19, 2, 2, 7, PEN_ITALIC);
	run(p, "search-forward-text", "i", 1);
	expect(p, 0, 2, 2, 7, PEN_ITALIC);
	expect(p, 1, 2, 5, -1, 0);
	mux_util_free(m);
}
END_TEST

/* Columns of a tab, which the wire gives one style, become blanks. */
START_TEST(a_part_of_a_tab)
{
	struct vt_frame *f;
	struct pane *p;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	new_term(p, 30, 4);
	feed(p, "a\tb\tc\td");
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	selection_style = NULL;
	run(p, "history-top", NULL, 1);
	run(p, "begin-selection", NULL, 1);
	copy_of(mode_top(p))->at[COPY_AT_SEL].col = 4;
	copy_of(mode_top(p))->at[COPY_AT_END].col = 20;
	expect(p, 3, 0, -1, -1, 0);
	expect(p, 4, 0, -1, 1, PEN_BOLD);
	expect(p, 19, 0, -1, 1, PEN_BOLD);
	expect(p, 20, 0, -1, -1, 0);
	f = picture(p);
	ck_assert_uint_eq(f->lines[0]->cells[4].width, VT_NARROW);
	ck_assert_uint_eq(f->lines[0]->cells[10].width, VT_TAB_REST);
	ck_assert_uint_eq(f->lines[0]->cells[20].width, VT_NARROW);
	vt_frame_unref(f);
	mux_util_free(m);
}
END_TEST

/* --- hardships -------------------------------------------------------------------- */

static void
top_is_sane(struct pane *p)
{
	struct copy *c = copy_of(mode_top(p));
	struct vt_frame *f;

	copy_sync(c);
	ck_assert_uint_le(c->cx, c->cols);
	ck_assert_uint_lt(c->cy, c->rows);
	ck_assert_uint_ge(c->top, copy_first(c));
	ck_assert_uint_le(c->top, copy_base(c));
	f = picture(p);
	ck_assert_uint_eq(f->rows, c->rows);
	vt_frame_unref(f);
}

static void
place_is_sane(struct pane *p)
{
	if (copy_mode_top(p) == NULL)
		ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	else
		top_is_sane(p);
}

/* Something that may happen to a pane below its mode. */
static void
happen(struct pane *p)
{
	static const char *const lines[] = { "\033[2J\033[H", "\033c",
		"\033[3J", "\033[?1049h\tx", "\033[?1049l",
		"\xe6\x97\xa5\xe6\x9c\xac a\tb (x) {y}\r\n\r\n",
		"\033]133;A\a$ ls\r\n\033]133;C\aout\r\n" };
	unsigned w = 1, h = 1, i;

	switch (below(6)) {
	case 0:
		new_term(p, 1 + below(3), 1 + below(3));
		mode_resize(p);
		break;
	case 1:
		vt_grid_clear_history(vt_term_main_grid(p->term));
		break;
	case 2:
		if (below(2) == 0) {
			w += below(9);
			h += below(4);
		}
		pane_place(p, &(struct cell_rect){ .w = (int)w, .h = (int)h });
		mode_resize(p);
		break;
	case 3:
		for (i = below(500); i > 0; i--)
			feed(p, "flood of words\r\n");
		break;
	default:
		feed(p, lines[below(ARRAY_LEN(lines))]);
		break;
	}
	mode_event(p, MODE_EVENT_OUTPUT);
}

/* Every command at random in a pane of one cell to which all things happen. */
START_TEST(small_panes_bear_everything)
{
	static const char *const words[] = { "x", "one", "-1", "2", "a", "+x",
		"=o", "(", "cat", "line" };
	const unsigned long seed = unit_seed(20261123);
	const unsigned n = unit_rounds(12000);
	const struct copy_row *row;
	struct mux_event e;
	struct pane *p;
	unsigned i;

	chance = seed;
	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	new_term(p, 1, 1);
	feed(p, "one two (x)\tlast");
	for (i = 0; i < n; i++) {
		if (below(400) == 0)
			set_option(
			    p, "mode-keys", below(2) == 0 ? "vi" : "emacs");
		if (below(200) == 0)
			set_option(p, "copy-mode-line-numbers",
			    below(2) == 0 ? "off" : "hybrid");
		place_is_sane(p);
		if (below(8) == 0) {
			happen(p);
			continue;
		}
		row = &copy_rows[below((unsigned)copy_row_count)];
		run(p, row->name,
		    row->max == 0 || (row->min == 0 && below(2) == 0)
			? NULL
			: words[below(ARRAY_LEN(words))],
		    below(4) == 0 ? 1 + below(2000) : 1);
		while (mux_next_event(m, &e))
			mux_event_fini(&e);
	}
	mux_util_free(m);
}
END_TEST

/* The pane whose text is shown ends, is made anew, or floods. */
START_TEST(the_source_may_go)
{
	struct pane *p, *from;
	struct copy *c;
	unsigned i;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	from = mux_util_split(p, LAYOUT_COLUMN);
	new_term(p, 20, 5);
	new_term(from, 20, 5);
	for (i = 0; i < 50; i++)
		feed(from, "text of the source\r\n");
	ck_assert_int_eq(copy_mode_open(p, from, 0), 0);
	c = copy(p);
	run(p, "refresh-on", NULL, 1);
	new_term(from, 9, 3);
	run(p, "refresh-now", NULL, 1);
	ck_assert_uint_eq(copy_base(c), copy_first(c));
	for (i = 0; i < 5000; i++)
		feed(from, "flood\r\n");
	run(p, "refresh-now", NULL, 1);
	/* The copy keeps no more lines than the history may have. */
	ck_assert_uint_le(copy_base(c) - copy_first(c), 310);
	ck_assert_uint_gt(copy_base(c) - copy_first(c), 290);
	(void)window_close_pane(from);
	run(p, "refresh-now", NULL, 1);
	run(p, "search-backward-text", "flood", 3);
	run(p, "page-up", NULL, 1);
	ck_assert_ptr_eq(copy_mode_top(p), &c->mode);
	pane_place(p, &(struct cell_rect){ .w = 7, .h = 3 });
	mode_resize(p);
	run(p, "copy-line", NULL, 1);
	place_is_sane(p);
	mux_util_free(m);
}
END_TEST

/* --- view mode -------------------------------------------------------------------- */

static struct mode_requests requests;
static const struct mode_host host = { .requests = &requests };

static bool
is_view(const struct pane *p)
{
	return mode_top(p) != NULL &&
	       strcmp(pane_mode(p)->name, "view-mode") == 0;
}

static void
say(struct pane *p, const char *text)
{
	ck_assert_int_eq(copy_view_say(p, &host, text, strlen(text)), 0);
	ck_assert(is_view(p));
}

/* Each command, key and line of output at random over such a pane. */
START_TEST(view_mode_bears_everything)
{
	static const char *const texts[] = { "one\ntwo (x)\n", "no newline",
		"\n", "\033[3J\033cx\n", "\xe6\x97\xa5\xe6\x9c\xac\ta\n" };
	static const key_code keys[] = { 'j', 'k', 'b', 'G', '/', '?' };
	static const char *const words[] = { "x", "one", "2", "+t", "(" };
	const unsigned n = unit_rounds(8000);
	const struct copy_row *row;
	struct key_event key = { 0 };
	struct mux_event e;
	struct pane *p;
	unsigned i;

	chance = unit_seed(20261124);
	m = mux_util_new();
	mode_requests_init(&requests);
	p = mux_util_session(m, "s")->current->window->active;
	new_term(p, 1, 1);
	for (i = 0; i < n; i++) {
		if (!is_view(p) || below(10) == 0)
			say(p, texts[below(ARRAY_LEN(texts))]);
		top_is_sane(p);
		if (below(8) == 0) {
			happen(p);
			continue;
		}
		key.key = keys[below(ARRAY_LEN(keys))];
		if (below(20) == 0)
			(void)mode_key(p, &key);
		row = &copy_rows[below((unsigned)copy_row_count)];
		run(p, row->name,
		    row->max == 0 || (row->min == 0 && below(2) == 0)
			? NULL
			: words[below(ARRAY_LEN(words))],
		    below(4) == 0 ? 1 + below(2000) : 1);
		while (mux_next_event(m, &e))
			mux_event_fini(&e);
		mode_requests_fini(&requests);
		mode_requests_init(&requests);
	}
	mode_requests_fini(&requests);
	mux_util_free(m);
}
END_TEST

/* The rows that the view mode shows are the numbers FROM.. */
static void
shows_numbers(struct pane *p, unsigned from)
{
	struct copy *c = copy_of(mode_top(p));
	char want[16], cell[VT_CLUSTER_MAX + 1];
	unsigned y, x;
	size_t n;

	top_is_sane(p);
	for (y = 0; y < c->rows; y++) {
		(void)snprintf(want, sizeof(want), "%u", from + y);
		for (x = 0; want[x] != '\0'; x++) {
			n = copy_cell(
			    c, (struct vt_pos){ c->top + y, x }, cell);
			ck_assert_msg(n == 1 && cell[0] == want[x],
			    "row %u of %s", y, want);
		}
	}
}

/* The program below ends, is cleared, made anew, or floods. */
START_TEST(a_view_keeps_its_lines)
{
	struct pane *p, *other;
	char line[16];
	unsigned i;

	m = mux_util_new();
	mode_requests_init(&requests);
	other = mux_util_session(m, "s")->current->window->active;
	p = mux_util_split(other, LAYOUT_COLUMN);
	new_term(p, 20, 5);
	for (i = 10; i < 60; i++) {
		(void)snprintf(line, sizeof(line), "%u\n", i);
		say(p, line);
	}
	run(p, "history-top", NULL, 1);
	shows_numbers(p, 10);
	feed(p, "\033[3J\033c");
	vt_grid_clear_history(vt_term_main_grid(p->term));
	shows_numbers(p, 10);
	for (i = 0; i < 5000; i++)
		feed(p, "flood\r\n");
	shows_numbers(p, 10);
	run(p, "search-forward-text", "flood", 1);
	shows_numbers(p, 10);
	/* A program that is started again has another terminal. */
	new_term(p, 20, 5);
	mode_resize(p);
	shows_numbers(p, 10);
	pane_place(p, &(struct cell_rect){ .w = 9, .h = 3 });
	mode_resize(p);
	shows_numbers(p, 10);
	run(p, "search-forward-text", "42", 1);
	ck_assert_str_eq(pane_mode(p)->name, "view-mode");
	run(p, "history-bottom", NULL, 1);
	shows_numbers(p, 57);
	(void)window_close_pane(p);
	ck_assert(!is_view(other));
	say(other, "later");
	top_is_sane(other);
	mode_requests_fini(&requests);
	mux_util_free(m);
}
END_TEST

static struct pane *
pane(unsigned w, unsigned h)
{
	struct pane *p;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	new_term(p, w, h);
	return p;
}

/* Moves the mouse that selects in P to row Y; returns when to scroll on. */
static mono_ms
drag(struct pane *p, int x, int y, mono_ms now)
{
	static const struct mouse_event from = {
		.action = MOUSE_PRESS, .button = MOUSE_LEFT, .x = 1, .y = 3
	};
	const struct mouse_event to = {
		.action = MOUSE_MOTION, .button = MOUSE_LEFT, .x = x, .y = y
	};

	copy_mode_drag(p, &from, &to);
	return copy_mode_drag_next(p, now);
}

/* How many lines such a drag scrolls in MS milliseconds. */
static unsigned
scrolls(struct pane *p, mono_ms due, mono_ms ms)
{
	const vt_row top = copy(p)->top;
	const mono_ms end = ms + 1000;

	while (due <= end)
		due = copy_mode_drag_next(p, due);
	return (unsigned)(top - copy(p)->top);
}

/* As in tmux: a line at once, then one each 50 ms, wherever the mouse is. */
START_TEST(drags_at_an_edge)
{
	static const int outside[] = { 0, 1, 3, 10 };
	struct pane *p = pane(20, 6);
	struct copy *c;
	vt_row top;
	mono_ms due;
	size_t i;

	for (i = 0; i < 200; i++)
		feed(p, "some text\r\n");
	for (i = 0; i < ARRAY_LEN(outside); i++) {
		ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
		c = copy(p);
		top = c->top;
		ck_assert_uint_eq(drag(p, 2, 2, 1000), MONO_NEVER);
		due = drag(p, 2, -outside[i], 1000);
		ck_assert_uint_eq(due, 1050);
		ck_assert_uint_eq(c->top, top - 1);
		/* Called early it waits. */
		ck_assert_uint_eq(copy_mode_drag_next(p, 1049), 1050);
		ck_assert_uint_eq(c->top, top - 1);
		ck_assert_uint_eq(scrolls(p, due, 3000), 60);
		/* Elsewhere in the pane it stands still. */
		ck_assert_uint_eq(drag(p, 2, 1, 5000), MONO_NEVER);
		top = c->top;
		ck_assert_uint_eq(drag(p, 2, 5 + outside[i], 5000), 5050);
		ck_assert_uint_eq(c->top, top + 1);
		copy_mode_drag_end(p);
		ck_assert_uint_eq(copy_mode_drag_next(p, 5050), MONO_NEVER);
		ck_assert_uint_eq(c->top, top + 1);
		ck_assert(pane_pop_mode(p));
	}
	mux_util_free(m);
}
END_TEST

/* The mouse that moves on beyond the edge neither hurries nor delays it. */
START_TEST(drags_beyond_an_edge)
{
	struct pane *p = pane(20, 6);
	struct copy *c;
	vt_row top;
	int i;

	for (i = 0; i < 50; i++)
		feed(p, "some text\r\n");
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	c = copy(p);
	top = c->top;
	(void)drag(p, 2, 2, 1000);
	ck_assert_uint_eq(drag(p, 2, -1, 1000), 1050);
	for (i = 1; i < 5; i++)
		ck_assert_uint_eq(
		    drag(p, 2 + i, -1 - i, 1000 + 10 * (mono_ms)i), 1050);
	ck_assert_uint_eq(c->top, top - 1);
	/* At the edge each step is a line; one along the row stops it. */
	(void)drag(p, 4, 0, 1046);
	ck_assert_uint_eq(drag(p, 5, 0, 1047), MONO_NEVER);
	top = c->top;
	ck_assert_uint_eq(drag(p, 5, 0, 1048), 1098);
	ck_assert_uint_eq(c->top, top - 1);
	/* The end of the text ends it. */
	ck_assert_uint_eq(scrolls(p, 1098, 60000), top - 1 - copy_first(c));
	ck_assert_uint_eq(copy_mode_drag_next(p, 99999), MONO_NEVER);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(mode_copy_hard)
{
	Suite *s = suite_create("mode_copy_hard");
	TCase *tc = tcase_create("copy_hard");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, styles_lie_over_cells);
	tcase_add_test(tc, a_part_of_a_tab);
	tcase_add_test(tc, small_panes_bear_everything);
	tcase_add_test(tc, the_source_may_go);
	tcase_add_test(tc, view_mode_bears_everything);
	tcase_add_test(tc, a_view_keeps_its_lines);
	tcase_add_test(tc, drags_at_an_edge);
	tcase_add_test(tc, drags_beyond_an_edge);
	suite_add_tcase(s, tc);
	return s;
}
