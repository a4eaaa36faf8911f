/* Floating leaves: places, splits, tiling, and layouts of version 2. */
#include <string.h>

#include "base/mem.h"
#include "mux/layout_float.h"
#include "mux/layout_json.h"
#include "mux/layout_size.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

#define sound(l) ck_assert_pstr_eq(layout_check(l), NULL)

static void
describe(UNUSED void *arg, const struct layout_cell *c, struct layout_leaf *out)
{
	out->index = c->pane;
	out->z = (int)c->pane;
	out->active = c->pane == 0;
	out->last = c->pane == 1 ? 0 : -1;
}

START_TEST(a_float_takes_no_room_and_comes_back)
{
	const struct layout_split row = { LAYOUT_ROW, -1, false, false };
	const struct cell_rect at = { 4, 2, 40, 6 };
	struct layout l;

	layout_init(&l, 0, 80, 24);
	ck_assert_int_eq(layout_split(&l, 0, 1, &row), 0);
	ck_assert_int_eq(layout_float(&l, 0, &at), 0);
	sound(&l);
	ck_assert_int_eq(layout_find(&l, 1)->w, 80);
	ck_assert_int_eq(layout_find(&l, 0)->x, 4);
	ck_assert_int_eq(layout_float(&l, 0, &at), -ERR_STATE);
	ck_assert_int_eq(layout_split(&l, 0, 2, &row), -ERR_STATE);
	/* Without tiled panes the window keeps its size. */
	ck_assert_int_eq(layout_float(&l, 1, &at), 0);
	sound(&l);
	ck_assert_uint_eq(layout_count_tiled(&l), 0);
	ck_assert_int_eq(layout_cols(&l), 80);
	layout_resize(&l, 100, 30);
	ck_assert_int_eq(layout_cols(&l), 100);
	ck_assert_int_eq(layout_tile(&l, 1), 0);
	ck_assert_int_eq(layout_find(&l, 1)->w, 100);
	ck_assert_int_eq(layout_tile(&l, 0), 0);
	sound(&l);
	ck_assert_int_eq(layout_find(&l, 0)->w, 50);
	ck_assert_int_eq(layout_find(&l, 0)->saved.w, 40);
	ck_assert_int_eq(layout_tile(&l, 0), -ERR_STATE);
	ck_assert_int_eq(layout_tile(&l, 9), -ERR_NOTFOUND);
	ck_assert_int_eq(layout_float_place(&l, 0, &at), -ERR_STATE);
	/* No room: both panes are one column wide. */
	layout_resize(&l, 3, 30);
	ck_assert_int_eq(layout_float(&l, 0, &at), 0);
	layout_resize(&l, 1, 30);
	ck_assert_int_eq(layout_tile(&l, 0), -ERR_LIMIT);
	sound(&l);
	layout_fini(&l);
}
END_TEST

START_TEST(floats_go_into_a_smaller_window)
{
	struct cell_rect r = { 61, 19, 18, 4 };

	layout_float_clamp(&r, 1, 60, 20);
	ck_assert_int_eq(r.x, 41);
	ck_assert_int_eq(r.y, 15);
	layout_float_clamp(&r, 1, 5, 3);
	ck_assert_int_eq(r.x, 1);
	ck_assert_int_eq(r.w, 3);
	ck_assert_int_eq(r.h, 1);
	layout_float_clamp(&r, 1, 1, 1);
	ck_assert_int_eq(r.w, 1);
	r = (struct cell_rect){ -4, -2, 8, 3 };
	layout_float_clamp(&r, 1, 77, 20);
	ck_assert_int_eq(r.x, -4);
}
END_TEST

START_TEST(a_split_float_has_room_beside_it)
{
	static const struct {
		struct layout_float_split how;
		struct cell_rect old, first, second; /* second: the new one */
	} rows[] = {
		{ { LAYOUT_COLUMN, false, false }, { 31, 9, 20, 6 },
		    { 31, 9, 20, 6 }, { 31, 17, 20, 5 } },
		{ { LAYOUT_ROW, false, false }, { 31, 9, 40, 6 },
		    { 31, 9, 22, 6 }, { 55, 9, 21, 6 } },
		{ { LAYOUT_COLUMN, true, false }, { 31, 9, 20, 6 },
		    { 31, 10, 20, 5 }, { 31, 2, 20, 6 } },
		{ { LAYOUT_ROW, true, false }, { 2, 2, 20, 6 }, { 15, 2, 9, 6 },
		    { 4, 2, 9, 6 } },
		{ { LAYOUT_ROW, false, true }, { 2, 2, 20, 6 }, { 4, 2, 20, 6 },
		    { 26, 2, 50, 20 } },
	};
	struct cell_rect old, added;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		old = rows[i].old;
		ck_assert_int_eq(
		    layout_float_split(&rows[i].how, &old, &added, 80, 24), 0);
		ck_assert_mem_eq(&old, &rows[i].first, sizeof(old));
		ck_assert_mem_eq(&added, &rows[i].second, sizeof(added));
	}
	old = (struct cell_rect){ 75, 9, 1, 1 };
	ck_assert_int_eq(
	    layout_float_split(&rows[1].how, &old, &added, 80, 24), -ERR_LIMIT);
}
END_TEST

static const char good[] =
    "{\"V\":2,\"L\":{\"t\":\"h\",\"w\":80,\"h\":24,\"x\":0,\"y\":0,\"c\":["
    "{\"t\":\"p\",\"w\":40,\"h\":24,\"x\":0,\"y\":0,\"a\":true,\"i\":0,"
    "\"I\":\"%0\"},"
    "{\"t\":\"p\",\"w\":39,\"h\":24,\"x\":41,\"y\":0,\"l\":0,\"i\":1,"
    "\"I\":\"%1\"},"
    "{\"t\":\"p\",\"w\":18,\"h\":4,\"x\":-3,\"y\":2,\"i\":2,\"z\":2,"
    "\"I\":\"%2\"}]}}";

START_TEST(json_is_the_text_of_tmux)
{
	struct layout_leaf *leaves;
	struct layout l;
	char *text;
	size_t n, i;

	ck_assert_int_eq(layout_json_parse(good, &l, &leaves, &n, NULL), 0);
	ck_assert_uint_eq(n, 3);
	sound(&l);
	ck_assert(leaves[0].active);
	ck_assert_int_eq(leaves[1].last, 0);
	ck_assert_int_eq(leaves[2].z, 2);
	ck_assert(leaves[2].cell->floating);
	for (i = 0; i < n; i++)
		leaves[i].cell->pane = (uint32_t)i;
	mem_free(leaves);
	text = layout_json_new(&l, describe, NULL);
	ck_assert_str_eq(text, good);
	mem_free(text);
	layout_fini(&l);
}
END_TEST

#define LEAF "\"w\":80,\"h\":24,\"x\":0,\"y\":0"

START_TEST(bad_json_is_refused)
{
	static const char *const rows[][2] = {
		{ "{", "invalid key: {" },
		{ "{}", "key \"V\" not found" },
		{ "{\"V\":2}", "key \"L\" not found" },
		{ "{\"V\":3,\"L\":{\"t\":\"p\"," LEAF ",\"i\":0}}",
		    "version mismatch" },
		{ "{\"V\":2,\"L\":{}}", "key \"t\" not found" },
		{ "{\"V\":2,\"L\":[]}", "key \"L\" expected an object" },
		{ "{\"V\":2,\"L\":{\"t\":\"z\"," LEAF "}}",
		    "unknown cell type \"z\"" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\"," LEAF "}}",
		    "key \"i\" not found" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\"," LEAF ",\"i\":-1}}",
		    "invalid index -1" },
		{ "{\"V\":2,\"L\":{\"t\":\"v\"," LEAF ",\"c\":[]}}",
		    "nodes must have more than one child" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\",\"w\":0,\"h\":1,\"x\":0,"
		  "\"y\":0,\"i\":0}}",
		    "invalid width 0" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\",\"w\":99999999999}}",
		    "invalid number: 9999999999..." },
		{ "{\"V\":2,\"V\":2}", "duplicate key: :2}" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\",\"t\"", "duplicate key: " },
		{ "{\"V\":2 \"L\":3}", "invalid object: \"L\":3}" },
		{ "{\"V\":2,\"q\":[1]}", "tokenization error: 1]}" },
		{ "{\"V\":2,\"L\":{\"t\":\"p\"," LEAF ",\"i\":0}}x",
		    "tokenization error: x" },
		{ "{\"V\":2,\"L\":{\"t\":\"v\"," LEAF ",\"c\":["
		  "{\"t\":\"p\"," LEAF ",\"i\":1,\"z\":0},"
		  "{\"t\":\"p\"," LEAF ",\"i\":1,\"z\":1}]}}",
		    "duplicate pane index" },
		{ "{\"V\":2,\"L\":{\"t\":\"v\"," LEAF ",\"c\":["
		  "{\"t\":\"p\"," LEAF ",\"i\":1,\"z\":0},"
		  "{\"t\":\"p\"," LEAF ",\"i\":2,\"z\":0}]}}",
		    "duplicate pane z-index" },
		{ "{\"V\":2,\"L\":{\"t\":\"v\"," LEAF ",\"c\":["
		  "{\"t\":\"p\"," LEAF ",\"i\":1},"
		  "{\"t\":\"p\",\"w\":79,\"h\":24,\"x\":0,\"y\":0,"
		  "\"i\":2}]}}",
		    "size mismatch after applying layout" },
	};
	struct cause cause = { NULL };
	struct layout_leaf *leaves;
	struct layout l;
	size_t n, i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_int_lt(
		    layout_json_parse(rows[i][0], &l, &leaves, &n, &cause), 0);
		ck_assert_ptr_null(l.root);
		ck_assert_ptr_null(leaves);
		ck_assert_str_eq(cause_text(&cause), rows[i][1]);
		cause_fini(&cause);
	}
}
END_TEST

/* Bytes changed at random, and nesting without end. */
START_TEST(hostile_json_is_refused)
{
	uint64_t state = unit_seed(7);
	struct layout_leaf *leaves;
	char *text = mem_zalloc(200001);
	struct layout l;
	size_t n, i, k;

	for (i = 0; i < unit_rounds(20000); i++) {
		memcpy(text, good, sizeof(good));
		for (k = chance_below(&state, 4); k-- > 0;)
			text[chance_below(&state, sizeof(good) - 1)] =
			    good[chance_below(&state, sizeof(good) - 1)];
		if (layout_json_parse(text, &l, &leaves, &n, NULL) != 0)
			continue;
		sound(&l);
		mem_free(leaves);
		layout_fini(&l);
	}
	memset(text, 0, 200001);
	for (i = 0; i + 40 < 200000; i += 5)
		memcpy(text + i, "{\"c\":", 5);
	ck_assert_int_lt(layout_json_parse(text, &l, &leaves, &n, NULL), 0);
	memcpy(text, "{\"V\":2,\"L\":", 11);
	for (i = 11; i + 40 < 200000; i += 6)
		memcpy(text + i, "{\"c\":[", 6);
	ck_assert_int_lt(layout_json_parse(text, &l, &leaves, &n, NULL), 0);
	mem_free(text);
}
END_TEST

UNIT_SUITE(layout_float)
{
	Suite *s = suite_create("layout_float");
	TCase *tc = tcase_create("layout_float");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, a_float_takes_no_room_and_comes_back);
	tcase_add_test(tc, floats_go_into_a_smaller_window);
	tcase_add_test(tc, a_split_float_has_room_beside_it);
	tcase_add_test(tc, json_is_the_text_of_tmux);
	tcase_add_test(tc, bad_json_is_refused);
	tcase_add_test(tc, hostile_json_is_refused);
	suite_add_tcase(s, tc);
	return s;
}
