/* The layout tree: presets, text, and properties over random operations. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/layout_float.h"
#include "mux/layout_json.h"
#include "mux/layout_preset.h"
#include "mux/layout_size.h"
#include "mux/layout_text.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

#define sound(l) ck_assert_pstr_eq(layout_check(l), NULL)

static uint64_t state;

static unsigned
dice(unsigned n)
{
	return chance_below(&state, n);
}

static void
expect_text(const struct layout *l, const char *want)
{
	char *text = layout_text_new(l);

	ck_assert_str_eq(text, want);
	mem_free(text);
}

START_TEST(text_is_tmux_text_both_ways)
{
	static const char *const good[] = {
		"b25d,80x24,0,0,0",
		"bb26,80x24,0,0{40x24,0,0,48,39x24,41,0,46}",
		"9342,80x24,0,0[80x1,0,0,47,80x22,0,2,46]",
		("d6c3,80x24,0,0[80x11,0,0{39x11,0,0,49,40x11,40,0,46},"
		 "80x12,0,12{39x12,0,12,48,40x12,40,12,50}]"),
	};
	struct layout l;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_LEN(good); i++) {
		ck_assert_int_eq(layout_parse(good[i], &l, NULL), 0);
		sound(&l);
		expect_text(&l, good[i]);
		layout_fini(&l);
	}
	/* Leaves without pane numbers, as in tmux 1.x. */
	text = mem_printf("%04x,80x24,0,0{40x24,0,0,39x24,41,0}",
	    layout_checksum("80x24,0,0{40x24,0,0,39x24,41,0}"));
	ck_assert_int_eq(layout_parse(text, &l, NULL), 0);
	ck_assert_uint_eq(layout_count(&l), 2);
	ck_assert_uint_eq(layout_first(l.root)->pane, LAYOUT_NO_PANE);
	expect_text(&l, text);
	layout_fini(&l);
	mem_free(text);
}
END_TEST

START_TEST(bad_text_is_refused)
{
	static const char *const bad[] = {
		"",
		"b25d",
		"b25d,",
		"0000,80x24,0,0,0",
		"zzzz,80x24,0,0,0",
		"@80x24,0,0,0}",
		"@80x24,0,0{40x24,0,0,1}",
		"@80x24,0,0{40x24,0,0,1,9999x24,41,0,2}",
		"@80x24,0,0{40x24,0,0,1,39x23,41,0,2}",
		"@0x24,0,0,1",
		"@99999999x24,0,0,1",
		"@80x24,0,0{40x24,0,0,1,39x24,41,0,2]",
		"@80x24,0,0{",
		"@80x24,0,0{}",
		"@80x24,0,0,99999999999",
		"@80x24,-1,0,0",
		"@80,24,0,0",
	};
	struct cause cause = { NULL };
	struct layout l;
	char *text;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		/* @ stands for a correct checksum. */
		text = *bad[i] == '@'
			   ? mem_printf("%04x,%s", layout_checksum(bad[i] + 1),
				 bad[i] + 1)
			   : mem_strdup(bad[i]);
		ck_assert_msg(
		    layout_parse(text, &l, &cause) != 0, "%s", bad[i]);
		ck_assert_ptr_null(l.root);
		ck_assert_str_ne(cause_text(&cause), "");
		cause_fini(&cause);
		mem_free(text);
	}
}
END_TEST

/* A valid text with deeper nesting than any screen has. */
START_TEST(deep_text_is_refused)
{
	struct layout l;
	char *body = mem_zalloc(200000), *text;
	size_t n = 0, i;

	for (i = 0; i < 10000; i++)
		n += (size_t)snprintf(body + n, 20, "1x1,0,0{");
	text = mem_printf("%04x,%s", layout_checksum(body), body);
	ck_assert_int_lt(layout_parse(text, &l, NULL), 0);
	mem_free(text);
	mem_free(body);
}
END_TEST

/* Compares places of panes, turned over for the mirrored presets. */
static void
expect_mirror(const struct layout *a, const struct layout *b, bool columns,
    const uint32_t *ids, size_t n)
{
	const struct layout_cell *ca, *cb;
	size_t i;

	for (i = 0; i < n; i++) {
		ca = layout_find(a, ids[i]);
		cb = layout_find(b, ids[i]);
		ck_assert_ptr_nonnull(ca);
		ck_assert_ptr_nonnull(cb);
		ck_assert_int_eq(ca->w, cb->w);
		ck_assert_int_eq(ca->h, cb->h);
		if (columns) {
			ck_assert_int_eq(ca->y, cb->y);
			ck_assert_int_eq(a->root->w - ca->x - ca->w, cb->x);
		} else {
			ck_assert_int_eq(ca->x, cb->x);
			ck_assert_int_eq(a->root->h - ca->y - ca->h, cb->y);
		}
	}
}

START_TEST(mirrored_presets_are_mirrors)
{
	static const int sizes[][2] = { { 80, 24 }, { 120, 40 }, { 200, 50 },
		{ 41, 11 }, { 20, 6 } };
	static const char *const texts[][2] = { { NULL, NULL }, { "30%", "0" },
		{ "10", "50%" }, { "nonsense", "-1" } };
	struct layout_preset_options opt = { 0 };
	struct layout plain, mirrored;
	uint32_t ids[12];
	size_t n, s, o;

	for (n = 0; n < 12; n++)
		ids[n] = (uint32_t)n;
	for (s = 0; s < ARRAY_LEN(sizes); s++)
		for (o = 0; o < ARRAY_LEN(texts); o++)
			for (n = 2; n <= 12; n++) {
				opt.main_width = opt.main_height = texts[o][0];
				opt.other_width = opt.other_height =
				    texts[o][1];
				layout_init(&plain, 0, 80, 24);
				layout_init(&mirrored, 0, 80, 24);
#define BOTH(id, columns)                                                  \
 ck_assert_int_eq(layout_preset_apply(&plain, LAYOUT_PRESET_##id, ids, n,  \
		      sizes[s][0], sizes[s][1], &opt),                     \
     0);                                                                   \
 ck_assert_int_eq(                                                         \
     layout_preset_apply(&mirrored, LAYOUT_PRESET_##id##_MIRRORED, ids, n, \
	 sizes[s][0], sizes[s][1], &opt),                                  \
     0);                                                                   \
 sound(&plain);                                                            \
 sound(&mirrored);                                                         \
 expect_mirror(&plain, &mirrored, columns, ids, n)
				BOTH(MAIN_VERTICAL, true);
				BOTH(MAIN_HORIZONTAL, false);
#undef BOTH
				layout_fini(&plain);
				layout_fini(&mirrored);
			}
}
END_TEST

START_TEST(every_preset_is_sound_in_any_size)
{
	struct layout_preset_options opt = { "20", "30%", "10%", "5", 2 };
	struct layout l;
	uint32_t ids[40];
	unsigned i;
	size_t n;
	int preset, w, h;

	for (i = 0; i < 40; i++)
		ids[i] = 100 + i;
	state = unit_seed(7);
	for (i = 0; i < 3000; i++) {
		preset = (int)dice(LAYOUT_PRESET_COUNT);
		n = 2 + dice(39);
		w = 1 + (int)dice(200);
		h = 1 + (int)dice(60);
		layout_init(&l, 0, 10, 10);
		l.edge = (enum layout_edge)dice(3);
		l.scrollbar = (int)dice(3);
		opt.max_columns = (int)dice(4);
		ck_assert_int_eq(layout_preset_apply(&l, preset, ids, n, w, h,
				     dice(2) ? &opt : NULL),
		    0);
		ck_assert_msg(layout_check(&l) == NULL,
		    "%s %zu panes %dx%d edge %d: %s",
		    layout_preset_name(preset), n, w, h, (int)l.edge,
		    layout_check(&l));
		ck_assert_int_ge(l.root->w, w);
		ck_assert_int_ge(l.root->h, MIN_OF(h, 3));
		ck_assert_uint_eq(layout_count(&l), n);
		layout_fini(&l);
	}
	ck_assert_int_eq(layout_preset_find("tiled"), LAYOUT_PRESET_TILED);
	ck_assert_int_eq(layout_preset_find("ti"), LAYOUT_PRESET_TILED);
	ck_assert_int_eq(layout_preset_find("even"), -1);
	ck_assert_int_eq(layout_preset_find("nosuch"), -1);
	ck_assert_int_eq(
	    layout_preset_find("main-vertical"), LAYOUT_PRESET_MAIN_VERTICAL);
}
END_TEST

/* Makes one random change of floating leaves. */
static bool
change_float(struct layout *l, uint32_t *next, const uint32_t *ids, size_t n)
{
	struct cell_rect r = { (int)dice(120) - 20, (int)dice(60) - 10,
		1 + (int)dice(60), 1 + (int)dice(30) };
	uint32_t a = ids[dice((unsigned)n)];
	size_t tiled = layout_count_tiled(l);
	bool floating = layout_find(l, a)->floating;
	int rc;

	switch (dice(4)) {
	case 0:
		if (n < 40)
			ck_assert_int_eq(
			    layout_float_add(l, a, (*next)++, &r), 0);
		return false;
	case 1:
		rc = layout_float(l, a, &r);
		ck_assert_int_eq(rc, floating ? -ERR_STATE : 0);
		ck_assert_uint_eq(
		    layout_count_tiled(l), floating ? tiled : tiled - 1);
		return true;
	case 2:
		rc = layout_tile(l, a);
		if (!floating)
			ck_assert_int_eq(rc, -ERR_STATE);
		ck_assert_uint_eq(
		    layout_count_tiled(l), rc == 0 ? tiled + 1 : tiled);
		return true;
	default:
		rc = layout_float_place(l, a, &r);
		ck_assert_int_eq(rc, floating ? 0 : -ERR_STATE);
		return true;
	}
}

/* Gives each leaf its pane's number as index and place in the stack. */
static void
describe(UNUSED void *arg, const struct layout_cell *c, struct layout_leaf *out)
{
	out->index = c->pane;
	out->z = (int)c->pane;
}

/* The text restores the layout: undo. */
static void
expect_restored(const char *text)
{
	struct layout_leaf *leaves;
	struct layout back;
	char *again;
	size_t n, i;

	ck_assert_int_eq(layout_json_parse(text, &back, &leaves, &n, NULL), 0);
	for (i = 0; i < n; i++)
		leaves[i].cell->pane = leaves[i].index;
	again = layout_json_new(&back, describe, NULL);
	/* Of a window without tiled panes the root's place is not kept. */
	if (layout_tiled(back.root))
		ck_assert_str_eq(text, again);
	mem_free(leaves);
	mem_free(again);
	layout_fini(&back);
}

/* Makes one random change; returns whether the panes are the same. */
static bool
change(struct layout *l, uint32_t *next)
{
	uint32_t ids[64], a, b;
	struct layout_cell *c = NULL;
	size_t n = 0;
	struct layout_split how;
	enum layout_kind kind = dice(2) ? LAYOUT_ROW : LAYOUT_COLUMN;

	while ((c = layout_next_leaf(l, c)) != NULL)
		ids[n++] = c->pane;
	if (dice(4) == 0)
		return change_float(l, next, ids, n);
	a = ids[dice((unsigned)n)];
	b = ids[dice((unsigned)n)];
	switch (dice(10)) {
	case 0:
	case 1:
	case 2:
		how.kind = kind;
		how.size = dice(2) ? -1 : (int)dice(100);
		how.before = dice(2);
		how.full = dice(4) == 0;
		if (n < 40 && layout_can_split(l, a, &how)) {
			ck_assert_int_eq(layout_split(l, a, *next, &how), 0);
			ck_assert_ptr_nonnull(layout_find(l, (*next)++));
			ck_assert_uint_eq(layout_count(l), n + 1);
		}
		return false;
	case 3:
		if (n > 1) {
			ck_assert_int_eq(layout_close(l, a), 0);
			ck_assert_uint_eq(layout_count(l), n - 1);
		}
		return false;
	case 4:
		(void)layout_resize_pane(l, a, kind, (int)dice(61) - 30);
		return true;
	case 5:
		(void)layout_resize_pane_to(l, a, kind, (int)dice(100));
		return true;
	case 6:
		ck_assert_int_eq(layout_swap(l, a, l, b), 0);
		return true;
	case 7:
		layout_rotate(l, ids, n, dice(2));
		return true;
	case 8:
		(void)layout_spread(l, a);
		return true;
	default:
		layout_resize(l, 1 + (int)dice(250), 1 + (int)dice(100));
		return true;
	}
}

START_TEST(hundred_thousand_changes_keep_it_sound)
{
	unsigned long seed = unit_seed(42);
	struct layout l;
	uint32_t next = 1;
	char *before;
	int i;

	state = seed;
	layout_init(&l, 0, 80, 24);
	for (i = 0; i < (int)unit_rounds(100000); i++) {
		if (i % 5000 == 0) { /* another kind of border */
			l.edge = (enum layout_edge)dice(3);
			l.scrollbar = (int)dice(2);
		}
		before = layout_json_new(&l, describe, NULL);
		(void)change(&l, &next);
		ck_assert_msg(layout_check(&l) == NULL,
		    "seed %lu step %d: %s\nfrom %s", seed, i, layout_check(&l),
		    before);
		expect_restored(before);
		mem_free(before);
	}
	layout_fini(&l);
}
END_TEST

START_TEST(borders_are_found_and_moved)
{
	struct layout l;
	struct layout_split row = { LAYOUT_ROW, -1, false, false };
	struct layout_split column = { LAYOUT_COLUMN, -1, false, false };
	enum layout_kind kind = LAYOUT_LEAF;
	struct layout_cell *c;

	layout_init(&l, 0, 80, 24);
	ck_assert_int_eq(layout_split(&l, 0, 1, &row), 0);
	ck_assert_int_eq(layout_split(&l, 1, 2, &column), 0);
	c = layout_border_at(&l, 40, 3, &kind);
	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(c->pane, 0);
	ck_assert_int_eq(kind, LAYOUT_ROW);
	ck_assert_int_eq(layout_resize_cell(&l, c, kind, 5), 0);
	ck_assert_int_eq(c->w, 45);
	c = layout_border_at(&l, 60, 12, &kind);
	ck_assert_ptr_nonnull(c);
	ck_assert_uint_eq(c->pane, 1);
	ck_assert_int_eq(kind, LAYOUT_COLUMN);
	ck_assert_ptr_null(layout_border_at(&l, 3, 3, &kind));
	ck_assert_ptr_null(layout_border_at(&l, 100, 3, &kind));
	ck_assert_int_eq(layout_split(&l, 99, 3, &row), -ERR_NOTFOUND);
	ck_assert_int_eq(layout_close(&l, 99), -ERR_NOTFOUND);
	ck_assert_int_eq(
	    layout_resize_pane(&l, 99, LAYOUT_ROW, 1), -ERR_NOTFOUND);
	ck_assert_int_eq(layout_close(&l, 0), 0);
	ck_assert_int_eq(layout_close(&l, 1), 0);
	ck_assert_int_eq(layout_resize_pane(&l, 2, LAYOUT_ROW, 1), -ERR_LIMIT);
	ck_assert_int_eq(layout_close(&l, 2), 0);
	ck_assert_ptr_null(l.root);
	layout_fini(&l);
}
END_TEST

UNIT_SUITE(layout)
{
	Suite *s = suite_create("layout");
	TCase *tc = tcase_create("layout");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, text_is_tmux_text_both_ways);
	tcase_add_test(tc, bad_text_is_refused);
	tcase_add_test(tc, deep_text_is_refused);
	tcase_add_test(tc, mirrored_presets_are_mirrors);
	tcase_add_test(tc, every_preset_is_sound_in_any_size);
	tcase_add_test(tc, hundred_thousand_changes_keep_it_sound);
	tcase_add_test(tc, borders_are_found_and_moved);
	suite_add_tcase(s, tc);
	return s;
}
