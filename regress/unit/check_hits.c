/* search-mode: matches in many panes. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "mux/mode/copy.h"
#include "mux/mode/hits.h"
#include "mux/mode/hits_int.h"
#include "regress/chance.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static struct mux *m;
static struct session *first;
static struct pane *p;
static struct mode_requests requests;
static struct mode_host host;

static char *
expand(void *arg, const struct mode_where *at, const struct format_var *vars,
    size_t count, const char *format)
{
	(void)arg, (void)at, (void)vars, (void)count;
	return mem_strdup(strchr(format, ':') != NULL ? "fg=red" : "name");
}

static colour
same(void *arg, colour c)
{
	(void)arg;
	return colour_kind(c) == COLOUR_KIND_THEME ? COLOUR_DEFAULT : c;
}

static struct pen
style(void *arg, enum option_id id, const struct pen *base)
{
	struct pen pen = *base;

	(void)arg;
	if (id == OPTION_COPY_MODE_CURRENT_MATCH_STYLE)
		pen.bg = colour_index(1);
	return pen;
}

/* Gives a pane a terminal with a history. */
static void
terminal(struct pane *q)
{
	struct vt_term_options opt = { .cols = (unsigned)q->w,
		.rows = (unsigned)q->h,
		.history_rows = 100000,
		.history_bytes = SIZE_MAX,
		.pool = m->setup.pool,
		.graphemes = m->setup.graphemes };

	vt_term_free(q->term);
	q->term = vt_term_new(&opt);
}

static void
feed(struct pane *q, const char *s)
{
	vt_term_write(q->term, (const uint8_t *)s, strlen(s));
}

static void
begin(void)
{
	m = mux_util_new();
	mux_set_now(m, 1000, INT64_C(1700000000000));
	mode_requests_init(&requests);
	host = (struct mode_host){ expand, NULL, &requests, NULL };
	first = mux_util_session(m, "alpha");
	p = first->current->window->active;
	terminal(p);
}

static void
end(void)
{
	mode_requests_fini(&requests);
	mux_util_free(m);
}

static int
search(const char *pattern, bool regex, enum mode_hits_scope scope)
{
	const struct mode_hits_start start = { .list = { .host = &host },
		.pattern = pattern,
		.regex = regex,
		.scope = scope };
	struct cause why = { NULL };
	int r = mode_hits_open(p, first->current, &start, &why);

	ck_assert_int_eq(r == 0, *cause_text(&why) == '\0');
	cause_fini(&why);
	return r;
}

static struct hits *
hits(void)
{
	return container_of(container_of(mode_top(p), struct mode_list, mode),
	    struct hits, list);
}

static struct vt_frame *
draw(void)
{
	const struct mode_paint paint = { .now = m->now,
		.wall = m->wall,
		.graphemes = m->setup.graphemes,
		.colour = same,
		.style = style };
	struct vt_frame *f = mode_frame(mode_top(p), &paint);

	ck_assert_ptr_null(vt_frame_check(f));
	return f;
}

/* Row Y without blanks at its end. */
static const char *
row(unsigned y)
{
	static char text[4096];
	struct vt_frame *f = draw();
	size_t n = 0;
	unsigned x;

	for (x = 0; x < f->cols && n + 64 < sizeof(text); x++)
		n += vt_line_text(f->lines[y], x, text + n);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	vt_frame_unref(f);
	return text;
}

/* Lets the time of all slices come; returns their number. */
static unsigned
slices(void)
{
	unsigned n = 0;

	vt_frame_unref(draw());
	while (mode_top(p)->due != MONO_NEVER) {
		m->now = mode_top(p)->due;
		ck_assert(mode_expire(p, m->now));
		vt_frame_unref(draw());
		ck_assert_uint_lt(++n, 100000);
	}
	return n;
}

static void
key(key_code k)
{
	const struct key_event ev = { .key = k };

	(void)mode_key(p, &ev);
}

static const char *
request(void)
{
	static char text[256];
	struct mode_request *r = mode_requests_take(&requests);

	if (r == NULL)
		return "";
	(void)snprintf(text, sizeof(text), "%s", r->text);
	mode_request_free(r);
	return text;
}

START_TEST(matches_of_all_panes)
{
	struct pane *q;
	struct winlink *wl;

	begin();
	feed(p, "a needle\r\nhay\r\nNeedle two\r\n");
	q = mux_util_split(p, LAYOUT_ROW);
	terminal(q);
	feed(q, "no such thing");
	wl = mux_util_window(first, 4, "other");
	terminal(wl->window->active);
	feed(wl->window->active, "#[x] needle #{y}");
	window_set_active(p->window, p);
	ck_assert_int_eq(search("needle", false, MODE_HITS_SESSION), 0);
	(void)slices();
	ck_assert_str_eq(row(0), "(0)   needle: 3 matches in 2 of 3 panes");
	ck_assert_str_eq(row(1), "(1) - alpha:0.0: name, 2 matches");
	ck_assert_ptr_nonnull(strstr(row(2), "3: Needle two"));
	ck_assert_ptr_nonnull(strstr(row(3), "1: a needle"));
	ck_assert_str_eq(row(4), "(4) - alpha:4.0: name, 1 match");
	ck_assert_ptr_nonnull(strstr(row(5), "1: #[x] needle #{y}"));
	end();
}
END_TEST

START_TEST(scopes)
{
	struct session *s;
	struct winlink *wl;

	begin();
	wl = mux_util_window(first, 4, "other");
	s = mux_util_session(m, "beta");
	terminal(wl->window->active);
	terminal(s->current->window->active);
	feed(p, "x");
	feed(wl->window->active, "x");
	feed(s->current->window->active, "x");
	ck_assert_int_eq(search("x", false, MODE_HITS_WINDOW), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 1);
	key('q');
	ck_assert_int_eq(search("x", false, MODE_HITS_SESSION), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 2);
	key('q');
	ck_assert_int_eq(search("X", false, MODE_HITS_SERVER), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 0);
	ck_assert_str_eq(row(0), "(0) X: 0 matches in 0 of 3 panes");
	key('q');
	ck_assert_int_eq(search("[xy]", true, MODE_HITS_SERVER), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 3);
	key('q');
	ck_assert_ptr_null(mode_top(p));
	end();
}
END_TEST

START_TEST(patterns_that_are_refused)
{
	begin();
	ck_assert_int_eq(search("", false, MODE_HITS_SESSION), -ERR_SYNTAX);
	ck_assert_int_eq(search("(a", true, MODE_HITS_SESSION), -ERR_SYNTAX);
	ck_assert_int_eq(
	    search("(a)\\1", true, MODE_HITS_SESSION), -ERR_UNSUPPORTED);
	ck_assert_int_eq(
	    search("(.*.*.*.*){200}", true, MODE_HITS_SESSION), -ERR_LIMIT);
	ck_assert_ptr_null(mode_top(p));
	end();
}
END_TEST

START_TEST(enter_goes_there)
{
	struct winlink *wl;
	struct pane *q;
	char line[40];
	int i;

	begin();
	wl = mux_util_window(first, 4, "other");
	q = wl->window->active;
	terminal(q);
	feed(q, "first\r\nthe needle is here\r\n");
	for (i = 0; i < 500; i++) {
		(void)snprintf(line, sizeof(line), "line %d\r\n", i);
		feed(q, line);
	}
	feed(p, "my needle");
	ck_assert_int_eq(search("needle", false, MODE_HITS_SESSION), 0);
	(void)slices();
	/* The first match is chosen; the other pane's is two rows below. */
	key(KEY_DOWN);
	key(KEY_DOWN);
	key(KEY_ENTER);
	ck_assert_ptr_null(mode_top(p));
	ck_assert_str_eq(request(), "switch-client -Zt '$0:@1.%1'");
	ck_assert_ptr_nonnull(copy_mode_top(q));
	{
		struct buf b;

		buf_init(&b, 256);
		ck_assert(pane_mode_format(q, "selection_present", &b));
		(void)buf_add_u8(&b, ' ');
		ck_assert(pane_mode_format(q, "copy_cursor_line", &b));
		ck_assert_str_eq(buf_cstr(&b), "1 the needle is here");
		buf_fini(&b);
	}
	/* A match of the list's own pane. */
	ck_assert_int_eq(search("needle", false, MODE_HITS_SESSION), 0);
	(void)slices();
	key(KEY_ENTER);
	ck_assert_ptr_nonnull(copy_mode_top(p));
	ck_assert_str_eq(request(), "switch-client -Zt '$0:@0.%0'");
	end();
}
END_TEST

START_TEST(long_histories_take_slices)
{
	struct buf b;
	int i;

	begin();
	buf_init(&b, BUF_MAX);
	for (i = 0; i < 30000; i++)
		(void)buf_addf(&b, "line %d of many\r\n", i);
	vt_term_write(p->term, b.data, b.len);
	buf_fini(&b);
	ck_assert_int_eq(search("line 1 of", false, MODE_HITS_SESSION), 0);
	ck_assert_uint_ge(slices(), 30000 / (HITS_SLICE * 2));
	ck_assert_uint_eq(hits()->count, 1);
	key('q');
	/* A key stops it and the list stays. */
	ck_assert_int_eq(search("line", false, MODE_HITS_SESSION), 0);
	vt_frame_unref(draw());
	(void)mode_expire(p, mode_top(p)->due);
	key('c' | KEY_CTRL);
	ck_assert_uint_eq(slices(), 0);
	ck_assert_uint_gt(hits()->count, 0);
	ck_assert_ptr_nonnull(strstr(row(0), "stopped"));
	key('q');
	/* No more than so many of a pane. */
	ck_assert_int_eq(search("line", false, MODE_HITS_SESSION), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, HITS_PANE_MAX);
	ck_assert_ptr_nonnull(strstr(row(0), "500+ matches"));
	end();
}
END_TEST

START_TEST(panes_change_and_go)
{
	struct pane *q;

	begin();
	q = mux_util_split(p, LAYOUT_ROW);
	terminal(q);
	feed(p, "needle");
	feed(q, "a needle with a long line that wraps when it is narrow\r\n");
	window_set_active(p->window, p);
	ck_assert_int_eq(search("needle", false, MODE_HITS_SESSION), 0);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 2);
	/* Other widths: rows have other numbers, and the search begins again. */
	pane_place(q, &(struct cell_rect){ .x = 60, .w = 20, .h = 24 });
	mode_event(p, MODE_EVENT_MODEL);
	(void)slices();
	ck_assert_uint_eq(hits()->count, 2);
	window_remove_pane(q);
	mode_event(p, MODE_EVENT_MODEL);
	(void)slices();
	ck_assert_ptr_nonnull(strstr(row(1), "alpha:0.0"));
	ck_assert_str_eq(row(3), "");
	end();
}
END_TEST

/* All matches of one pane, and no others, whatever the text. */
START_TEST(random_text)
{
	const unsigned long seed = unit_seed(5);
	uint64_t ch = seed;
	char line[256];
	unsigned round, i, n, want;
	const char *s;

	for (round = 0; round < unit_rounds(100); round++) {
		begin();
		pane_place(
		    p, &(struct cell_rect){
			   .w = 10 + (int)chance_below(&ch, 70), .h = 24 });
		want = 0;
		for (i = 0; i < 300; i++) {
			n = chance_below(&ch, 100);
			for (line[n] = '\0'; n > 0; n--)
				line[n - 1] = "ab "[chance_below(&ch, 3)];
			for (s = line; (s = strstr(s, "abba")) != NULL; s += 4)
				want++;
			feed(p, line);
			feed(p, "\r\n");
		}
		ck_assert_int_eq(search("abba", false, MODE_HITS_WINDOW), 0);
		(void)slices();
		ck_assert_msg(hits()->count == MIN_OF(want, HITS_PANE_MAX),
		    "seed %lu, round %u: %zu, not %u", seed, round,
		    hits()->count, want);
		for (i = 0; i < hits()->count; i++)
			ck_assert_int_eq(
			    strncmp(hits()->all[i].line + hits()->all[i].from,
				"abba", 4),
			    0);
		end();
	}
}
END_TEST

UNIT_SUITE(hits)
{
	Suite *s = suite_create("hits");
	TCase *tc = tcase_create("hits");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, matches_of_all_panes);
	tcase_add_test(tc, scopes);
	tcase_add_test(tc, patterns_that_are_refused);
	tcase_add_test(tc, enter_goes_there);
	tcase_add_test(tc, long_histories_take_slices);
	tcase_add_test(tc, panes_change_and_go);
	tcase_add_test(tc, random_text);
	suite_add_tcase(s, tc);
	return s;
}
