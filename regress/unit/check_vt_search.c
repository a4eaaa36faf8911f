#include <stdio.h>
#include <string.h>

#include "mux/vt/search.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_fill.h"
#include "regress/unit/vt_model.h"

static enum vt_search_result
run(struct vt_search *s, struct vt_grid *g, struct vt_match *m)
{
	enum vt_search_result r;

	while ((r = vt_search_step(s, g, 10, m)) == VT_SEARCH_MORE)
		;
	return r;
}

/* All matches as "row,col-row,col " from the given place. */
static char *
matches(
    struct vt_grid *g, const char *pattern, unsigned flags, struct vt_pos from)
{
	static char out[1024];
	struct vt_search *s;
	struct vt_match m;
	size_t n = 0;
	int i;

	ck_assert_int_eq(
	    vt_search_new(&s, pattern, strlen(pattern), flags, NULL), 0);
	vt_search_start(s, g, from);
	out[0] = '\0';
	for (i = 0; i < 20 && run(s, g, &m) == VT_SEARCH_FOUND; i++)
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
	unsigned i;

	fill_text(&t, "one two\nabcdefghijkl  one\ntwo\n中x 文x\n"
		      "ÉéE\xcc\x81");
	/* Lower case cluster and a plain letter, after the upper ones. */
	t.pt.x = 2;
	t.pt.pending = false;
	fill_text(&t, "e\xcc\x81"
		      "e");
	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(strcmp(matches(t.g, rows[i].pattern,
					 rows[i].flags, *rows[i].from),
				  rows[i].want) == 0,
		    "row %u: %s: got '%s', want '%s'", i, rows[i].pattern,
		    matches(t.g, rows[i].pattern, rows[i].flags, *rows[i].from),
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
		{ "a**", 0 },
		{ "(a)\\1", -ERR_UNSUPPORTED },
		{ "((a{200}){200}){200}", -ERR_LIMIT },
		{ "[z-a]", -ERR_SYNTAX },
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
	uint64_t seed = unit_seed(3);
	unsigned i, k, steps, dir;
	struct vt_search *s;
	struct vt_match m;
	char text[64];

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
		vt_search_start(
		    s, t.g, (struct vt_pos){ dir == 0 ? 0 : UINT64_MAX, 0 });
		for (steps = 0;; steps++) {
			r = vt_search_step(s, t.g, 100, &m);
			if (r != VT_SEARCH_MORE)
				break;
		}
		ck_assert_int_eq(r, VT_SEARCH_FOUND);
		ck_assert_uint_le(steps, 201);
		/* Where the rows before it say: five rows each four lines. */
		ck_assert_uint_eq(m.end.row, k / 4 * 5 + k % 4 + 1);
		ck_assert_uint_eq(
		    vt_search_rows(s, t.g, m.start.row, m.end.row + 1, &m, 1),
		    1);
		ck_assert_int_eq(
		    vt_search_step(s, t.g, 100000, &m), VT_SEARCH_END);
		vt_search_free(s);
	}
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
	suite_add_tcase(s, tc);
	return s;
}
