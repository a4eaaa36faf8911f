#include <stdio.h>
#include <string.h>

#include "mux/vt/search.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_fill.h"
#include "regress/unit/vt_model.h"

static enum vt_search_result
run(struct vt_search *s, struct text *t, struct vt_match *m)
{
	enum vt_search_result r;

	while ((r = vt_search_step(s, t, 10, m)) == VT_SEARCH_MORE)
		;
	return r;
}

/* All matches as "row,col-row,col " from the given place. */
static char *
matches(struct text *t, const char *pattern, unsigned flags, struct vt_pos from)
{
	static char out[1024];
	struct vt_search *s;
	struct vt_match m;
	size_t n = 0;
	int i;

	ck_assert_int_eq(
	    vt_search_new(&s, pattern, strlen(pattern), flags, NULL), 0);
	vt_search_start(s, t, from);
	out[0] = '\0';
	for (i = 0; i < 20 && run(s, t, &m) == VT_SEARCH_FOUND; i++)
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%u,%u-%u,%u ",
		    (unsigned)m.start.row, m.start.col, (unsigned)m.end.row,
		    m.end.col);
	vt_search_free(s);
	return out;
}

START_TEST(matches_have_exact_places)
{
	static const struct vt_pos top = { 0, 0 }, mid = { 3, 0 },
				   end = { 99, 0 };
	static const struct {
		const char *pattern;
		unsigned flags;
		const struct vt_pos *from;
		const char *want;
	} rows[] = {
		{ "two", 0, &top, "0,4-0,7 3,0-3,3 " },
		{ "one", 0, &top, "2,4-2,7 " }, /* not under the cursor */
		{ "two", VT_SEARCH_BACKWARD, &end, "3,0-3,3 0,4-0,7 " },
		{ "TWO", VT_SEARCH_SMART, &top, "" },
		{ "tw", VT_SEARCH_SMART, &top, "0,4-0,6 3,0-3,2 " },
		{ "TWO", VT_SEARCH_ICASE, &mid, "" },
		{ "TWO", VT_SEARCH_ICASE | VT_SEARCH_WRAP, &mid,
		    "0,4-0,7 3,0-3,3 " },
		{ "TWO", VT_SEARCH_ICASE | VT_SEARCH_BACKWARD, &mid,
		    "0,4-0,7 " },
		/* across a wrap, with wide cells and clusters */
		{ "jkl", 0, &top, "1,9-2,2 " },
		{ "中x", 0, &top, "4,0-4,3 " },
		{ "x", 0, &mid, "4,2-4,3 4,6-4,7 " },
		{ "é", VT_SEARCH_ICASE, &top, "5,0-5,1 5,1-5,2 " },
		{ "e\xcc\x81", 0, &top, "5,2-5,3 " },
		{ "e", 0, &mid, "5,3-5,4 " }, /* never half a cluster */
		{ "t.o$", VT_SEARCH_REGEX, &top, "0,4-0,7 3,0-3,3 " },
		{ "t.o +one", VT_SEARCH_REGEX, &top, "" },
		{ "^[a-z]{12}", VT_SEARCH_REGEX, &top, "1,0-2,2 " },
		{ "(中|文)x", VT_SEARCH_REGEX, &top, "4,0-4,3 4,4-4,7 " },
		{ "x*", VT_SEARCH_REGEX, &mid, "4,2-4,3 4,6-4,7 " },
	};
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 7, 100, 0), { 0, 0, false } };
	struct text_grid g;
	unsigned i;

	text_grid_init(&g, t.g);
	fill_text(&t, "one two\nabcdefghijkl  one\ntwo\n中x 文x\n"
		      "ÉéE\xcc\x81");
	/* Lower case cluster and a plain letter, after the upper ones. */
	t.pt.x = 2;
	t.pt.pending = false;
	fill_text(&t, "e\xcc\x81"
		      "e");
	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(strcmp(matches(&g.text, rows[i].pattern,
					 rows[i].flags, *rows[i].from),
				  rows[i].want) == 0,
		    "row %u: %s: got '%s', want '%s'", i, rows[i].pattern,
		    matches(
			&g.text, rows[i].pattern, rows[i].flags, *rows[i].from),
		    rows[i].want);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(bad_patterns_are_refused)
{
	static const struct {
		const char *pattern;
		int r;
	} rows[] = {
		{ "", -ERR_SYNTAX },
		{ "(", -ERR_SYNTAX },
		{ "a*", 0 },
		{ "(a)\\1", -ERR_UNSUPPORTED },
		{ "((a{200}){200}){200}", -ERR_LIMIT },
		{ "[z-a]", -ERR_SYNTAX },
		{ "(a|b)*a(a|b){60}c", -ERR_LIMIT },
		{ "[0-9a-f]{60}", 0 },
	};
	struct cause cause = { NULL };
	struct vt_search *s;
	char big[VT_SEARCH_PATTERN_MAX + 1];
	unsigned i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_int_eq(
		    vt_search_new(&s, rows[i].pattern, strlen(rows[i].pattern),
			VT_SEARCH_REGEX, &cause),
		    rows[i].r);
		if (rows[i].r != 0)
			ck_assert_str_ne(cause_text(&cause), "");
		cause_fini(&cause);
		vt_search_free(s);
	}
	memset(big, 'a', sizeof(big));
	ck_assert_int_eq(
	    vt_search_new(&s, big, sizeof(big), 0, NULL), -ERR_LIMIT);
}
END_TEST

/* Every line holds its number once; each is found at its place, both ways. */
START_TEST(a_deep_history_is_searched_in_steps)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 20, 24, 50000, 0),
		{ 0, 0, false } };
	struct text_grid g;
	uint64_t seed = unit_seed(3);
	unsigned i, k, steps, dir;
	struct vt_search *s;
	struct vt_match m;
	char text[64];

	text_grid_init(&g, t.g);
	for (i = 0; i < 20000; i++) {
		snprintf(text, sizeof(text), "a %s line <%05u>\n",
		    i % 4 == 0 ? "rather long wrapped" : "short", i);
		fill_text(&t, text);
	}
	for (i = 0; i < unit_rounds(60); i++) {
		enum vt_search_result r;

		k = model_rand(&seed) % 20000;
		dir = i % 2 == 0 ? 0 : VT_SEARCH_BACKWARD;
		snprintf(text, sizeof(text), "<%05u>", k);
		ck_assert_int_eq(vt_search_new(&s, text, 7, dir, NULL), 0);
		vt_search_start(s, &g.text,
		    (struct vt_pos){ dir == 0 ? 0 : UINT64_MAX, 0 });
		for (steps = 0;; steps++) {
			r = vt_search_step(s, &g.text, 100, &m);
			if (r != VT_SEARCH_MORE)
				break;
		}
		ck_assert_int_eq(r, VT_SEARCH_FOUND);
		ck_assert_uint_le(steps, 201);
		/* Where the rows before it say: five rows each four lines. */
		ck_assert_uint_eq(m.end.row, k / 4 * 5 + k % 4 + 1);
		ck_assert_uint_eq(vt_search_rows(s, &g.text, m.start.row,
				      m.end.row + 1, &m, 1),
		    1);
		ck_assert_int_eq(
		    vt_search_step(s, &g.text, 100000, &m), VT_SEARCH_END);
		vt_search_free(s);
	}
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/* Finds all matches by one source, in order, as a hash; and their number. */
static size_t
search_all(struct text *t, const char *pattern, unsigned flags, uint64_t *hash)
{
	struct vt_pos from = { 0, 0 };
	struct vt_search *s;
	struct vt_match m;
	size_t n = 0;

	if ((flags & VT_SEARCH_BACKWARD) != 0)
		from.row = UINT64_MAX;
	*hash = 0;
	ck_assert_int_eq(
	    vt_search_new(&s, pattern, strlen(pattern), flags, NULL), 0);
	vt_search_start(s, t, from);
	while (run(s, t, &m) == VT_SEARCH_FOUND) {
		*hash = *hash * 31 + m.start.row * 1000 + m.start.col;
		*hash = *hash * 31 + m.end.row * 1000 + m.end.col;
		n++;
	}
	vt_search_free(s);
	return n;
}

/* Packed pages are filtered before lines are unpacked: this changes nothing. */
START_TEST(filters_lose_no_match)
{
	static const struct {
		const char *pattern;
		unsigned flags;
	} rows[] = {
		{ "ab", 0 },
		{ "aB", VT_SEARCH_ICASE },
		{ "a b", 0 },
		{ " ", 0 },
		{ "É", VT_SEARCH_ICASE },
		{ "中a", 0 },
		{ "e", 0 },
		{ "b中", VT_SEARCH_SMART },
		{ "a+b", VT_SEARCH_REGEX },
		{ "(a|b)c*é", VT_SEARCH_REGEX },
		{ "b?a中*B", VT_SEARCH_REGEX | VT_SEARCH_ICASE },
		{ "[a-b]\\.*É", VT_SEARCH_REGEX | VT_SEARCH_ICASE },
		{ "ab|ba", VT_SEARCH_REGEX },
		{ "a {2}b", VT_SEARCH_REGEX },
		{ "^a.b", VT_SEARCH_REGEX },
		{ "a.$", VT_SEARCH_REGEX },
		{ "a[])(]?b", VT_SEARCH_REGEX },
	};
	static const char *const words[] = { "a", "b", "B", " ", "é", "É", "中",
		"e\xcc\x81", "e", "A", "  ", "ab", "b.a" };
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 13, 5, 3000, 0), { 0, 0, false } };
	struct text_grid g, plain;
	struct text_ops ops;
	uint64_t seed = unit_seed(8), hash, same;
	unsigned i, back;
	size_t n;

	text_grid_init(&g, t.g);
	plain = g;
	ops = *g.text.ops;
	ops.page = NULL;
	plain.text.ops = &ops;
	for (i = 0; i < 20000; i++)
		fill_text(
		    &t, model_rand(&seed) % 9 == 0
			    ? "\n"
			    : words[model_rand(&seed) % ARRAY_LEN(words)]);
	while (vt_grid_settle(t.g))
		;
	for (i = 0; i < ARRAY_LEN(rows); i++)
		for (back = 0; back < 2; back++) {
			unsigned flags =
			    rows[i].flags | (back ? VT_SEARCH_BACKWARD : 0);
			struct vt_search_count c = { .max = 0 };
			struct vt_search *s;

			n = search_all(
			    &plain.text, rows[i].pattern, flags, &same);
			ck_assert_msg(search_all(&g.text, rows[i].pattern,
					  flags, &hash) == n &&
					  hash == same,
			    "seed %lu: %s", unit_seed(8), rows[i].pattern);
			if (back || rows[i].pattern[0] == '^')
				continue;
			ck_assert_int_eq(
			    vt_search_new(&s, rows[i].pattern,
				strlen(rows[i].pattern), flags, NULL),
			    0);
			c.at.row = UINT64_MAX;
			while (vt_search_count(s, &g.text, &c, 7))
				;
			ck_assert_uint_eq(c.before, c.all);
			/* A search does not find one at its first cell. */
			ck_assert(c.all == n || c.all == n + 1);
			memset(&c, 0, sizeof(c));
			c.max = 3;
			while (vt_search_count(s, &g.text, &c, 7))
				;
			ck_assert_uint_eq(c.all, MIN_OF(n, 3));
			ck_assert_int_eq(c.limited, n > 3);
			vt_search_free(s);
		}
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/* Expressions with very many states, on the longest line, end soon. */
START_TEST(an_expression_that_explodes_is_bounded)
{
	static const char *const patterns[] = { "(a|b)*a(a|b){15}c",
		"((a|b)*b)*c", "(a*)*(a|b)*(b*a*)*c", "(.*)(.*)(.*)(.*)[xyz]",
		"(a|b|ab){60}c" };
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 80, 24, 1000, 0), { 0, 0, false } };
	uint64_t seed = unit_seed(9), hash;
	struct text_grid g;
	unsigned i;

	text_grid_init(&g, t.g);
	for (i = 0; i < 16384; i++)
		fill_put(&t, model_rand(&seed) % 2 ? 'a' : 'b', false);
	for (i = 0; i < ARRAY_LEN(patterns); i++)
		ck_assert_uint_eq(
		    search_all(&g.text, patterns[i], VT_SEARCH_REGEX, &hash),
		    0);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

UNIT_SUITE(vt_search)
{
	Suite *s = suite_create("vt_search");
	TCase *tc = tcase_create("vt_search");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, matches_have_exact_places);
	tcase_add_test(tc, bad_patterns_are_refused);
	tcase_add_test(tc, a_deep_history_is_searched_in_steps);
	tcase_add_test(tc, filters_lose_no_match);
	tcase_add_test(tc, an_expression_that_explodes_is_bounded);
	suite_add_tcase(s, tc);
	return s;
}
