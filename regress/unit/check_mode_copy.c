/* Copy mode: every command, and that places stay with their text. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/copy_take.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static const char text[] = "one two\r\n"
			   "f(x) {a [b c] d}\r\n"
			   "\r\n"
			   "  three  four.five\r\n"
			   "six\r\n"
			   "\033]133;A\007$ ls\r\n"
			   "\033]133;C\007seven\r\n"
			   "\r\n"
			   "eight nine\r\n"
			   "ten";

static struct mux *m;

/* A pane of that size, with a history. */
static struct pane *
pane(int w, int h)
{
	struct vt_term_options opt = { .cols = (unsigned)w,
		.rows = (unsigned)h,
		.history_rows = 200,
		.history_bytes = SIZE_MAX };
	struct pane *p;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	vt_term_free(p->term);
	opt.pool = m->setup.pool;
	opt.graphemes = m->setup.graphemes;
	p->term = vt_term_new(&opt);
	pane_place(p, &(struct cell_rect){ .w = w, .h = h });
	return p;
}

static void
feed(struct pane *p, const char *s)
{
	vt_term_write(p->term, (const uint8_t *)s, strlen(s));
}

static struct copy *
copy(struct pane *p)
{
	struct mode *top = copy_mode_top(p);

	ck_assert_ptr_nonnull(top);
	return copy_of(top);
}

/* Runs words separated by blanks; the text of all effects goes to OUT. */
static void
run(struct pane *p, const char *line, unsigned repeat, char *out, size_t size)
{
	char words[128], *word[8], *save = NULL, *w;
	struct mode_effects effects;
	struct mode_command cmd = { .repeat = repeat, .effects = &effects };
	struct cause why = { NULL };
	const struct list_node *n;

	(void)str_copy(words, line, sizeof(words));
	for (w = strtok_r(words, " ", &save); w != NULL && cmd.count < 8;
	     w = strtok_r(NULL, " ", &save))
		word[cmd.count++] = w;
	cmd.words = (const char *const *)word;
	mode_effects_init(&effects);
	ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
	while (mode_effects_more(&effects))
		;
	if (out != NULL) {
		out[0] = '\0';
		LIST_FOREACH(n, &effects.list)
			(void)str_append(out,
			    container_of(n, const struct mode_effect, node)
				->text,
			    size);
	}
	mode_effects_fini(&effects);
}

/* What a command does from "three", column 2 of the fourth row, emacs keys. */
static const struct {
	const char *line;
	int row; /* of the text; -1: the mode ends */
	unsigned col;
	const char *text; /* that it copies */
} cases[] = {
	{ "append-selection", 3, 2, "" },
	{ "append-selection-and-cancel", -1, 0, "" },
	{ "back-to-indentation", 3, 2, "" },
	{ "begin-selection", 3, 2, "" },
	{ "bottom-line", 5, 0, "" },
	{ "cancel", -1, 0, "" },
	{ "clear-selection", 3, 2, "" },
	{ "copy-end-of-line", 3, 2, "three  four.five" },
	{ "copy-end-of-line-and-cancel", -1, 0, "three  four.five" },
	{ "copy-line", 3, 2, "  three  four.five" },
	{ "copy-line-and-cancel", -1, 0, "  three  four.five" },
	{ "copy-pipe", 3, 2, "" },
	{ "copy-pipe-and-cancel", -1, 0, "" },
	{ "copy-pipe-end-of-line cat", 3, 2, "three  four.five" },
	{ "copy-pipe-end-of-line-and-cancel", -1, 0, "three  four.five" },
	{ "copy-pipe-line", 3, 2, "  three  four.five" },
	{ "copy-pipe-line-and-cancel", -1, 0, "  three  four.five" },
	{ "copy-pipe-no-clear", 3, 2, "" },
	{ "copy-selection", 3, 2, "" },
	{ "copy-selection-and-cancel", -1, 0, "" },
	{ "copy-selection-no-clear", 3, 2, "" },
	{ "cursor-centre-horizontal", 3, 10, "" },
	{ "cursor-centre-vertical", 3, 2, "" },
	{ "cursor-down", 4, 2, "" },
	{ "cursor-down-and-cancel", 4, 2, "" },
	{ "cursor-left", 3, 1, "" },
	{ "cursor-right", 3, 3, "" },
	{ "cursor-up", 2, 0, "" },
	{ "end-of-line", 3, 18, "" },
	{ "goto-line 4", 3, 2, "" },
	{ "halfpage-down", 6, 2, "" },
	{ "halfpage-down-and-cancel", 6, 2, "" },
	{ "halfpage-up", 0, 2, "" },
	{ "history-bottom", 9, 3, "" },
	{ "history-top", 0, 0, "" },
	{ "jump-again", 3, 2, "" },
	{ "jump-backward f", 3, 2, "" },
	{ "jump-forward f", 3, 9, "" },
	{ "jump-reverse", 3, 2, "" },
	{ "jump-to-backward f", 3, 2, "" },
	{ "jump-to-forward f", 3, 8, "" },
	{ "jump-to-mark", 9, 3, "" },
	{ "line-numbers-off", 3, 2, "" },
	{ "line-numbers-on", 3, 2, "" },
	{ "line-numbers-toggle", 3, 2, "" },
	{ "middle-line", 2, 0, "" },
	{ "next-matching-bracket", 3, 7, "" },
	{ "next-paragraph", 7, 0, "" },
	{ "next-prompt", 5, 0, "" },
	{ "next-space", 3, 9, "" },
	{ "next-space-end", 3, 7, "" },
	{ "next-word", 3, 9, "" },
	{ "next-word-end", 3, 7, "" },
	{ "other-end", 3, 2, "" },
	{ "page-down", 7, 0, "" },
	{ "page-down-and-cancel", -1, 0, "" },
	{ "page-up", 0, 2, "" },
	{ "pipe", 3, 2, "" },
	{ "pipe-and-cancel", -1, 0, "" },
	{ "pipe-no-clear", 3, 2, "" },
	{ "previous-matching-bracket", 1, 15, "" },
	{ "previous-paragraph", 2, 0, "" },
	{ "previous-prompt", 3, 2, "" },
	{ "previous-space", 1, 14, "" },
	{ "previous-word", 1, 15, "" },
	{ "recentre-top-bottom", 3, 2, "" },
	{ "rectangle-off", 3, 2, "" },
	{ "rectangle-on", 3, 2, "" },
	{ "rectangle-toggle", 3, 2, "" },
	{ "refresh-from-pane", 3, 2, "" },
	{ "refresh-now", 3, 2, "" },
	{ "refresh-off", 3, 2, "" },
	{ "refresh-on", 3, 2, "" },
	{ "refresh-toggle", 3, 2, "" },
	{ "scroll-bottom", 3, 2, "" },
	{ "scroll-down", 4, 2, "" },
	{ "scroll-down-and-cancel", 4, 2, "" },
	{ "scroll-exit-off", 3, 2, "" },
	{ "scroll-exit-on", 3, 2, "" },
	{ "scroll-exit-toggle", 3, 2, "" },
	{ "scroll-middle", 3, 2, "" },
	{ "scroll-to-mouse", 3, 2, "" },
	{ "scroll-top", 3, 2, "" },
	{ "scroll-up", 3, 2, "" },
	{ "search-again", 3, 2, "" },
	{ "search-backward tw[o]", 0, 4, "" },
	{ "search-backward-incremental -- -two", 0, 4, "" },
	{ "search-backward-text two", 0, 4, "" },
	{ "search-forward s[e]ven", 6, 5, "" },
	{ "search-forward-incremental =seven", 6, 5, "" },
	{ "search-forward-text seven", 6, 5, "" },
	{ "search-reverse", 3, 2, "" },
	{ "select-line", 3, 18, "" },
	{ "select-output", 3, 2, "" },
	{ "select-word", 3, 7, "" },
	{ "selection-mode word", 3, 2, "" },
	{ "set-mark", 3, 2, "" },
	{ "start-of-line", 3, 0, "" },
	{ "stop-selection", 3, 2, "" },
	{ "toggle-position", 3, 2, "" },
	{ "top-line", 0, 0, "" },
};

static bool
is_case(size_t i, const char *name)
{
	const size_t n = strcspn(cases[i].line, " ");

	return strlen(name) == n && strncmp(cases[i].line, name, n) == 0;
}

START_TEST(every_command_has_a_case)
{
	const char *name;
	size_t i, k;

	for (k = 0; k < copy_row_count; k++) {
		name = copy_rows[k].name;
		for (i = 0; i < ARRAY_LEN(cases); i++)
			if (is_case(i, name))
				break;
		ck_assert_msg(i < ARRAY_LEN(cases), "%s has no case", name);
	}
}
END_TEST

START_TEST(commands_do_what_they_say)
{
	struct pane *p;
	struct copy *c;
	char out[256];
	vt_row first;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		p = pane(20, 6);
		feed(p, text);
		ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
		c = copy(p);
		first = copy_first(c);
		run(p, "history-top", 1, NULL, 0);
		run(p, "cursor-down", 3, NULL, 0);
		run(p, "cursor-right", 2, NULL, 0);
		run(p, cases[i].line, 1, out, sizeof(out));
		ck_assert_msg(strcmp(out, cases[i].text) == 0, "%s: \"%s\"",
		    cases[i].line, out);
		if (cases[i].row < 0) {
			ck_assert_msg(
			    copy_mode_top(p) == NULL, "%s", cases[i].line);
		} else {
			ck_assert_msg(
			    copy_row_here(c) == first + (vt_row)cases[i].row &&
				c->cx == cases[i].col,
			    "%s: %llu,%u", cases[i].line,
			    (unsigned long long)(copy_row_here(c) - first),
			    c->cx);
		}
		mux_util_free(m);
	}
}
END_TEST

START_TEST(selections_become_text)
{
	struct pane *p = pane(20, 6);
	char out[256];

	feed(p, text);
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	run(p, "history-top", 1, NULL, 0);
	run(p, "begin-selection", 1, NULL, 0);
	run(p, "cursor-down", 1, NULL, 0);
	run(p, "cursor-right", 4, NULL, 0);
	run(p, "copy-selection-no-clear", 1, out, sizeof(out));
	ck_assert_str_eq(out, "one two\nf(x)");
	run(p, "other-end", 1, NULL, 0);
	run(p, "cursor-right", 4, NULL, 0);
	run(p, "copy-selection", 1, out, sizeof(out));
	ck_assert_str_eq(out, "two\nf(x)");
	run(p, "copy-selection", 1, out, sizeof(out));
	ck_assert_str_eq(out, "");
	mux_util_free(m);
}
END_TEST

/* Another width, and back: the same text is selected. */
/* The text of the selection after LINE at row Y. */
static void
selects(struct pane *p, unsigned y, unsigned repeat, const char *want)
{
	char out[256];

	run(p, "history-top", 1, NULL, 0);
	if (y > 0)
		run(p, "cursor-down", y, NULL, 0);
	run(p, "select-output", repeat, NULL, 0);
	run(p, "copy-selection", 1, out, sizeof(out));
	ck_assert_str_eq(out, want);
}

START_TEST(select_output)
{
	struct pane *p = pane(20, 8);

	feed(p, "\033]133;A\007$ one\r\n\033]133;C\007a\r\nb\r\n"
		"\033]133;D\007\033]133;A\007$ two\r\n\033]133;C\007"
		"\033]133;D\007\033]133;A\007$ three\r\n"
		"\033]133;C\007c\033]133;D\007\033]133;A\007$ ");
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	selects(p, 0, 1, "");
	selects(p, 1, 1, "a\nb");
	selects(p, 2, 1, "a\nb");
	selects(p, 3, 1, "a\nb");
	/* "two" has printed nothing: the one before it. */
	selects(p, 4, 1, "a\nb");
	selects(p, 5, 1, "c");
	selects(p, 5, 2, "a\nb");
	options_set_text(&m->window_options, "mode-keys", "vi", NULL);
	selects(p, 5, 1, "c");
	selects(p, 2, 1, "a\nb");
	mux_util_free(m);
}
END_TEST

START_TEST(a_selection_survives_a_resize)
{
	struct pane *p = pane(20, 6);
	char before[256], after[256];

	feed(p, text);
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	run(p, "search-backward four", 1, NULL, 0);
	run(p, "begin-selection", 1, NULL, 0);
	run(p, "next-paragraph", 1, NULL, 0);
	run(p, "copy-selection-no-clear", 1, before, sizeof(before));
	pane_place(p, &(struct cell_rect){ .w = 13, .h = 4 });
	mode_resize(p);
	run(p, "copy-selection-no-clear", 1, after, sizeof(after));
	ck_assert_str_eq(before, after);
	mux_util_free(m);
}
END_TEST

/* The event of a resize may come after the mode: nothing moves. */
START_TEST(a_late_event_of_a_resize_changes_nothing)
{
	struct pane *p = pane(20, 6);
	char before[64], after[64];
	struct copy *c;

	feed(p, text);
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	run(p, "page-up", 1, NULL, 0);
	run(p, "cursor-down", 2, NULL, 0);
	c = container_of(mode_top(p), struct copy, mode);
	(void)snprintf(before, sizeof(before), "%u %u %llu", c->cx, c->cy,
	    (unsigned long long)c->top);
	mode_resize(p);
	(void)snprintf(after, sizeof(after), "%u %u %llu", c->cx, c->cy,
	    (unsigned long long)c->top);
	ck_assert_str_eq(before, after);
	mux_util_free(m);
}
END_TEST

/* Random commands, output, sizes: all places lie within the text. */
START_TEST(random_commands_keep_places)
{
	static const char *const more[] = { "a b\r\n",
		"\xe6\x97\xa5\xe6\x9c\xac", "\033[2J\033[H", "\033[3J",
		"\033[?1049h", "\033[?1049l",
		"long (line) [of] words that wraps somewhere\r\n", "\033c" };
	struct pane *p = pane(20, 6);
	struct copy *c;
	unsigned i, k;
	uint32_t r = 1;
	size_t j;

	for (i = 0; i < 20000; i++) {
		r = r * 1664525 + 1013904223;
		k = r >> 16;
		if (copy_mode_top(p) == NULL)
			ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
		if (k % 8 == 0) {
			feed(p, more[(k >> 3) % ARRAY_LEN(more)]);
		} else if (k % 32 == 1) {
			pane_place(
			    p, &(struct cell_rect){ .w = 1 + (int)(k >> 5) % 30,
				   .h = 1 + (int)(k >> 9) % 9 });
			mode_resize(p);
		} else {
			run(p, cases[(k >> 3) % ARRAY_LEN(cases)].line,
			    1 + (k >> 12) % 3, NULL, 0);
		}
		if (copy_mode_top(p) == NULL)
			continue;
		c = copy(p);
		copy_sync(c);
		ck_assert(c->top >= copy_first(c) && c->top <= copy_base(c));
		ck_assert(c->cy < c->rows && c->cx <= c->cols);
		for (j = 0; j < COPY_PLACES; j++)
			ck_assert(c->at[j].row >= copy_first(c) &&
				  c->at[j].row <= copy_last(c));
	}
	mux_util_free(m);
}
END_TEST

/* --- long texts ------------------------------------------------------------------ */

#define LONG_LINES 30000

/* A pane with many lines; LONG_LINES / 3 has a word of its own. */
static struct pane *
long_pane(void)
{
	struct pane *p = pane(60, 10);
	struct vt_term_options opt = { .cols = 60,
		.rows = 10,
		.history_rows = LONG_LINES,
		.history_bytes = SIZE_MAX,
		.pool = m->setup.pool,
		.graphemes = m->setup.graphemes };
	char line[128];
	unsigned i;

	vt_term_free(p->term);
	p->term = vt_term_new(&opt);
	for (i = 0; i < LONG_LINES; i++) {
		(void)snprintf(line, sizeof(line),
		    "line %u of the log: request %u, %s%s\r\n", i,
		    i * 7919 % 32768, i % 977 == 0 ? "rare" : "usual",
		    i == LONG_LINES / 3 ? " unique" : "");
		feed(p, line);
	}
	while (vt_grid_settle(vt_term_main_grid(p->term)))
		;
	return p;
}

/* A search in slices ends where one without slices does. */
START_TEST(slices_find_what_one_search_finds)
{
	static const char *const patterns[] = { "unique", "rare", "usual",
		"absent", "line 2[0-9]*7 of", "(re|un)[a-z]*e$", "uest 1+,",
		"(a*)*b", "[0-9]+, rare" };
	struct pane *p = long_pane();
	struct vt_search_count count;
	struct vt_search *s;
	struct vt_match at;
	struct vt_pos here;
	struct copy *c;
	unsigned i, waited = 0, back;
	char command[64];
	bool found;

	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	c = copy(p);
	run(p, "goto-line 5000", 1, NULL, 0);
	for (i = 0; i < 2 * ARRAY_LEN(patterns); i++) {
		back = i % 2;
		here = copy_here(c);
		ck_assert_int_eq(
		    vt_search_new(&s, patterns[i / 2], strlen(patterns[i / 2]),
			VT_SEARCH_REGEX | VT_SEARCH_SMART | VT_SEARCH_WRAP |
			    (back ? VT_SEARCH_BACKWARD : 0U),
			NULL),
		    0);
		vt_search_start(s, &c->text.text,
		    back || here.col == 0
			? here
			: (struct vt_pos){ here.row, here.col - 1 });
		while (vt_search_step(s, &c->text.text, SIZE_MAX, &at) ==
		       VT_SEARCH_MORE)
			;
		memset(&count, 0, sizeof(count));
		while (vt_search_count(s, &c->text.text, &count, SIZE_MAX))
			;
		vt_search_free(s);
		found = count.all > 0;
		(void)snprintf(command, sizeof(command), "%s %s",
		    back ? "search-backward" : "search-forward",
		    patterns[i / 2]);
		if (strchr(patterns[i / 2], ' ') != NULL)
			continue;
		run(p, command, 1, NULL, 0);
		while (mode_top(p)->work == MODE_BUSY) {
			ck_assert_int_eq(vt_pos_compare(copy_here(c), here), 0);
			(void)mode_work(p);
			waited++;
		}
		ck_assert_int_eq(c->search_marks, found);
		if (!found)
			at.start = at.end = here;
		ck_assert_msg(
		    vt_pos_compare(copy_here(c), back ? at.start : at.end) == 0,
		    "%s: row %llu, not %llu", command,
		    (unsigned long long)copy_here(c).row,
		    (unsigned long long)at.start.row);
		while (mode_work(p) != MODE_IDLE)
			;
		ck_assert_uint_eq(found ? c->count.all : 0, count.all);
	}
	ck_assert_uint_gt(waited, 10);
	mux_util_free(m);
}
END_TEST

/* Another command, and mode_stop, end a search; the cursor stays. */
START_TEST(a_search_can_be_ended)
{
	struct pane *p = long_pane();
	struct vt_pos here;
	struct copy *c;

	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	c = copy(p);
	here = copy_here(c);
	run(p, "search-backward un[i]que", 1, NULL, 0);
	ck_assert_int_eq(mode_top(p)->work, MODE_BUSY);
	run(p, "cursor-up", 1, NULL, 0);
	ck_assert_int_eq(mode_work(p), MODE_IDLE);
	ck_assert_uint_eq(copy_here(c).row, here.row - 1);
	run(p, "search-again", 1, NULL, 0);
	(void)mode_work(p);
	mode_stop(p, true);
	ck_assert_int_eq(mode_work(p), MODE_IDLE);
	ck_assert(!c->search_marks && c->search_late);
	ck_assert_uint_eq(copy_here(c).row, here.row - 1);
	/* A resize ends it, too. */
	run(p, "search-again", 1, NULL, 0);
	pane_place(p, &(struct cell_rect){ .w = 30, .h = 5 });
	mode_resize(p);
	ck_assert_int_eq(mode_work(p), MODE_IDLE);
	mux_util_free(m);
}
END_TEST

/* Selects all but the ends of the text; returns what is selected. */
static void
select_long(struct pane *p, bool rect, struct buf *want)
{
	struct copy *c = copy(p);
	struct copy_span span;
	vt_row row;

	run(p, "history-top", 1, NULL, 0);
	run(p, "cursor-right", 7, NULL, 0);
	run(p, "begin-selection", 1, NULL, 0);
	run(p, "history-bottom", 1, NULL, 0);
	run(p, "cursor-up", 2, NULL, 0);
	run(p, "cursor-right", 12, NULL, 0);
	if (rect)
		run(p, "rectangle-on", 1, NULL, 0);
	span = copy_span(c);
	row = span.a.row;
	ck_assert_int_eq(copy_span_rows(c, &span, &row, SIZE_MAX, want), 0);
	copy_span_end(c, &span, want);
}

/* A long selection is collected after its mode and its text have gone. */
START_TEST(slices_copy_what_is_selected)
{
	struct mode_effects effects;
	const struct mode_command cmd = {
		.words = (const char *const[]){ "copy-selection-and-cancel" },
		.count = 1,
		.effects = &effects
	};
	struct pane *p = long_pane();
	struct cause why = { NULL };
	struct mode_text *rest = NULL;
	struct list_node *n;
	struct mode_effect *e;
	struct buf want, small;
	unsigned i, slices;
	int r;

	for (i = 0; i < 2; i++) {
		buf_init(&want, SIZE_MAX);
		ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
		select_long(p, i > 0, &want);
		buf_init(&small, want.len - 1);
		ck_assert_int_eq(copy_take(copy(p), &small, &rest), 0);
		while ((r = rest->more(rest)) == -ERR_AGAIN)
			;
		ck_assert_int_eq(r, -ERR_LIMIT);
		buf_fini(&rest->text);
		rest->free(rest);
		buf_fini(&small);
		mode_effects_init(&effects);
		ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
		ck_assert_ptr_null(mode_top(p));
		if (i > 0)
			vt_grid_clear_history(vt_term_main_grid(p->term));
		for (slices = 0; mode_effects_more(&effects); slices++)
			;
		ck_assert_uint_gt(slices, 10);
		n = list_first(&effects.list);
		if (n == NULL)
			ck_abort_msg("no effect");
		e = container_of(n, struct mode_effect, node);
		ck_assert(!e->failed && e->len == want.len);
		ck_assert_int_eq(memcmp(e->text, want.data, e->len), 0);
		mode_effects_fini(&effects);
		buf_fini(&want);
	}
	mux_util_free(m);
}
END_TEST

static void
refused(struct pane *p, const char *pattern, const char *why)
{
	const char *words[] = { "search-backward", pattern };
	const struct mode_command cmd = {
		.words = words, .count = 2, .repeat = 1
	};
	struct cause cause = { NULL };

	ck_assert_int_eq(mode_command(p, &cmd, &cause), -ERR_STATE);
	ck_assert_msg(strstr(cause_text(&cause), why) != NULL, "%s: %s",
	    pattern, cause_text(&cause));
	cause_fini(&cause);
}

START_TEST(bad_expressions_are_named)
{
	struct pane *p = pane(20, 6);

	feed(p, text);
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	refused(p, "(", "bad regular expression");
	refused(p, "(a)\\1", "back-references are not supported");
	refused(p, "a{999}(", "repeats over 256 times");
	mux_util_free(m);
}
END_TEST

/* What the history drops stays in the mode. */
START_TEST(a_cleared_history_is_shown)
{
	struct pane *p = long_pane();
	struct copy *c;

	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	c = copy(p);
	vt_grid_clear_history(vt_term_main_grid(p->term));
	ck_assert_uint_eq(
	    copy_base(c) - copy_first(c) + 10, (vt_row)LONG_LINES + 1);
	run(p, "search-backward line", 1, NULL, 0);
	ck_assert(c->search_marks);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(mode_copy)
{
	Suite *s = suite_create("mode_copy");
	TCase *tc = tcase_create("copy");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_command_has_a_case);
	tcase_add_test(tc, commands_do_what_they_say);
	tcase_add_test(tc, selections_become_text);
	tcase_add_test(tc, select_output);
	tcase_add_test(tc, a_selection_survives_a_resize);
	tcase_add_test(tc, a_late_event_of_a_resize_changes_nothing);
	tcase_add_test(tc, random_commands_keep_places);
	tcase_add_test(tc, slices_find_what_one_search_finds);
	tcase_add_test(tc, a_search_can_be_ended);
	tcase_add_test(tc, slices_copy_what_is_selected);
	tcase_add_test(tc, bad_expressions_are_named);
	tcase_add_test(tc, a_cleared_history_is_shown);
	suite_add_tcase(s, tc);
	return s;
}
