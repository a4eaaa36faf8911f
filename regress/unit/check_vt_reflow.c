#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/vt/dump.h"
#include "mux/vt/grid.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_fill.h"
#include "regress/unit/vt_model.h"

static char *
rows_of(struct vt_grid *g, vt_row first, unsigned flags)
{
	static struct buf b;

	buf_fini(&b);
	buf_init(&b, 1 << 26);
	vt_dump_rows(&b, g, first, vt_grid_end(g), flags, NULL);
	return (char *)(uintptr_t)buf_cstr(&b);
}

static char *
screen(struct vt_grid *g)
{
	return rows_of(g, vt_grid_screen(g), 0);
}

START_TEST(lines_rejoin_and_wrap)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 4, 100, 0), { 0, 0, false } };

	fill_text(&t, "abcdefghijklmno\nxy");
	ck_assert_str_eq(screen(t.g), "abcdefghij\nklmno\nxy\n\n");
	vt_grid_resize(t.g, 6, 4, true, &t.pt, 1);
	/* Blank rows stay: the first row leaves the screen. */
	ck_assert_str_eq(screen(t.g), "ghijkl\nmno\nxy\n\n");
	ck_assert(t.pt.x == 2 && t.pt.y == 2 && !t.pt.pending);
	ck_assert_uint_eq(vt_history_rows(t.g->history), 1);
	vt_grid_resize(t.g, 5, 3, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "fghij\nklmno\nxy\n");
	ck_assert_uint_eq(vt_history_rows(t.g->history), 1);
	vt_grid_resize(t.g, 20, 4, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "abcdefghijklmno\nxy\n\n\n");
	ck_assert(t.pt.x == 2 && t.pt.y == 1);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(a_pending_wrap_moves_with_its_text)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 4, 100, 0), { 0, 0, false } };

	fill_text(&t, "0123456789");
	ck_assert(t.pt.pending && t.pt.x == 9);
	vt_grid_resize(t.g, 12, 4, true, &t.pt, 1);
	ck_assert(!t.pt.pending && t.pt.x == 10 && t.pt.y == 0);
	vt_grid_resize(t.g, 10, 4, true, &t.pt, 1);
	ck_assert(t.pt.pending && t.pt.x == 9 && t.pt.y == 0);
	vt_grid_resize(t.g, 5, 4, true, &t.pt, 1);
	ck_assert(t.pt.pending && t.pt.x == 4 && t.pt.y == 0);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(wide_cells_are_not_split)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 8, 4, 100, 0), { 0, 0, false } };
	unsigned i;

	for (i = 0; i < 6; i++)
		fill_put(&t, 0x4e00 + i, true);
	vt_grid_resize(t.g, 5, 4, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "丂七\n丄丅\n\n\n");
	ck_assert_uint_eq(vt_line_cell(t.g->lines[0], 4).width, VT_PAD);
	vt_grid_resize(t.g, 12, 4, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "一丁丂七丄丅\n\n\n\n");
	ck_assert_ptr_null(vt_grid_check(t.g));
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(tabs_are_not_split)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 12, 4, 100, 0), { 0, 0, false } };

	vt_line_put_ascii(vt_grid_own(t.g, 0), 0, (const uint8_t *)"ab", 2, 0);
	vt_line_put_tab(vt_grid_own(t.g, 0), 2, 6, 0);
	vt_line_put_ascii(vt_grid_own(t.g, 0), 8, (const uint8_t *)"cd", 2, 0);
	vt_grid_resize(t.g, 7, 4, true, &t.pt, 1);
	ck_assert_str_eq(
	    rows_of(t.g, vt_grid_first(t.g), 0), "ab\n      c\nd\n\n\n\n");
	ck_assert_uint_eq(
	    vt_line_cell(vt_grid_row(t.g, vt_grid_first(t.g) + 1), 0).width,
	    VT_TAB);
	vt_grid_resize(t.g, 12, 4, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "ab      cd\n\n\n\n");
	ck_assert_uint_eq(vt_line_cell(t.g->lines[0], 2).width, VT_TAB);
	ck_assert_uint_eq(vt_line_cell(t.g->lines[0], 7).width, VT_TAB_REST);
	/* One that is longer than a row is cut. */
	vt_grid_resize(t.g, 4, 8, true, &t.pt, 1);
	ck_assert_uint_eq(
	    vt_line_cell(vt_grid_row(t.g, vt_grid_first(t.g) + 1), 3).width,
	    VT_TAB_REST);
	ck_assert_uint_eq(
	    vt_line_cell(vt_grid_row(t.g, vt_grid_first(t.g) + 2), 0).width,
	    VT_NARROW);
	ck_assert_ptr_null(vt_grid_check(t.g));
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(a_cleared_screen_does_not_fill_with_history)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 4, 100, 0), { 0, 0, false } };

	fill_text(&t, "1\n2\n3\n4\n5\n6\n7\n8");
	vt_grid_resize(t.g, 10, 6, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "3\n4\n5\n6\n7\n8\n");
	ck_assert_uint_eq(t.pt.y, 5);
	vt_grid_resize(t.g, 10, 4, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "5\n6\n7\n8\n");
	vt_grid_keep_screen(t.g, NULL);
	t.pt.x = t.pt.y = 0;
	fill_text(&t, "$ ");
	vt_grid_resize(t.g, 12, 8, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "$ \n\n\n\n\n\n\n\n");
	ck_assert_uint_eq(vt_history_rows(t.g->history), 8);
	/* Only rows that scroll after that come back. */
	fill_text(&t, "\n2\n3\n4\n5\n6\n7\n8\n9");
	vt_grid_resize(t.g, 12, 11, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "$ \n2\n3\n4\n5\n6\n7\n8\n9\n\n\n");
	ck_assert_uint_eq(vt_history_rows(t.g->history), 8);
	ck_assert_uint_eq(t.pt.y, 8);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/* Places behind the text go to its end, and those that leave to the corner. */
START_TEST(a_cursor_is_where_tmux_puts_it)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 3, 100, 0), { 0, 0, false } };

	fill_text(&t, "abcdefgh\nxy");
	t.pt.x = 7;
	vt_grid_resize(t.g, 8, 3, true, &t.pt, 1);
	ck_assert(t.pt.x == 2 && t.pt.y == 1);
	t.pt = (struct vt_point){ 3, 0, false };
	vt_grid_resize(t.g, 4, 3, true, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "efgh\nxy\n\n");
	ck_assert(t.pt.x == 0 && t.pt.y == 0);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(the_alternate_screen_is_cut)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10, 4, 0, 0), { 0, 0, false } };

	fill_text(&t, "0123456789abc\nx\ny");
	t.pt.y = 3;
	vt_grid_resize(t.g, 5, 3, false, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "abc\nx\ny\n");
	vt_grid_resize(t.g, 10, 4, false, &t.pt, 1);
	ck_assert_str_eq(screen(t.g), "abc\nx\ny\n\n");
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/* --- random text, random sizes -------------------------------------------------- */

#define ANCHORS 40

struct rig {
	uint64_t seed;
	struct vt_pool *pool;
	struct fill t;
	unsigned typed; /* characters since the last newline */
	struct vt_anchor anchors[ANCHORS];
	char texts[ANCHORS][VT_CLUSTER_MAX + 1];
};

static void
rig_type(struct rig *r)
{
	unsigned n = model_rand(&r->seed) % 200, kind;

	/*
	 * A line of more than VT_WRAP_ROWS rows is stored in pieces, and a row
	 * that ends a piece keeps blanks when the width changes.  So no line
	 * exceeds the limit at two columns: long ones hold narrow cells.
	 */
	kind = model_rand(&r->seed) % 3;
	if (r->typed == 0 && model_rand(&r->seed) % 40 == 0) {
		n = 2000;
		kind = 2;
	}
	r->typed += n;
	for (; n > 0; n--) {
		uint32_t k = model_rand(&r->seed);

		if (kind == 2 && k % 40 == 1) {
			fill_tab(&r->t, 1 + k / 64 % 8);
			continue;
		}
		bool wide = kind == 0 ? k % 3 == 0 : kind == 1 && k % 50 == 0;

		fill_put(&r->t,
		    wide ? 0x4e00 + k / 64 % 4000 : 'A' + k / 64 % 58, wide);
	}
	if (model_rand(&r->seed) % 8 != 0 || r->typed > 700) {
		fill_newline(&r->t);
		r->typed = 0;
	}
}

/* Puts anchors on random cells that hold text. */
static void
rig_anchor(struct rig *r)
{
	vt_row first = vt_grid_first(r->t.g), end = vt_grid_end(r->t.g), row;
	const struct vt_line *line;
	unsigned i, col;

	for (i = 0; i < ANCHORS; i++) {
		row = first + model_rand(&r->seed) % (end - first);
		line = vt_grid_row(r->t.g, row);
		col = model_rand(&r->seed) % r->t.g->cols;
		if (vt_line_cell(line, col).width == VT_TAIL)
			col--;
		r->texts[i][0] = '\0';
		if (vt_line_cell(line, col).ch != 0)
			vt_line_text(line, col, r->texts[i]);
		vt_grid_anchor(r->t.g, &r->anchors[i], row, col);
	}
}

static void
rig_expect(struct rig *r, unsigned step)
{
	char text[VT_CLUSTER_MAX + 1];
	const struct vt_line *line;
	struct vt_anchor *a;
	unsigned i;

	for (i = 0; i < ANCHORS; i++) {
		a = &r->anchors[i];
		if (r->texts[i][0] != '\0') {
			line = vt_grid_row(r->t.g, a->row);
			ck_assert_ptr_nonnull(line);
			vt_line_text(line, a->col, text);
			ck_assert_msg(
			    !a->lost && strcmp(text, r->texts[i]) == 0,
			    "seed %lu step %u: anchor %u on '%s', was '%s'",
			    unit_seed(5), step, i, text, r->texts[i]);
		}
		vt_grid_unanchor(r->t.g, a);
	}
}

/* Returns all text, without blank lines at the end. */
static char *
rig_text(struct rig *r)
{
	char *s = rows_of(r->t.g, vt_grid_first(r->t.g), VT_DUMP_JOIN);
	size_t n = strlen(s);

	while (n > 0 && s[n - 1] == '\n')
		n--;
	return strndup(s, n);
}

START_TEST(random_sizes_keep_text_cursor_and_anchors)
{
	struct rig r;
	unsigned step, i, cols, rows;
	char *before, *after, under[VT_CLUSTER_MAX + 1],
	    now[VT_CLUSTER_MAX + 1];
	const char *bad;
	unsigned round;

	memset(&r, 0, sizeof(r));
	r.seed = unit_seed(5);
	for (round = 0; round < unit_rounds(8); round++) {
		r.pool = vt_pool_new();
		r.t.g = vt_grid_new(r.pool, 80, 24, SIZE_MAX, 0);
		memset(&r.t.pt, 0, sizeof(r.t.pt));
		for (step = 0; step < 40; step++) {
			for (i = model_rand(&r.seed) % 30; i > 0; i--)
				rig_type(&r);
			rig_anchor(&r);
			cols = 2 + model_rand(&r.seed) % 120;
			rows = 1 + model_rand(&r.seed) % 50;
			before = rig_text(&r);
			vt_line_text(r.t.g->lines[r.t.pt.y], r.t.pt.x, under);
			if (r.t.pt.pending)
				under[0] = '\0';
			vt_grid_resize(r.t.g, cols, rows, true, &r.t.pt, 1);
			bad = vt_grid_check(r.t.g);
			ck_assert_msg(bad == NULL, "seed %lu step %u: %s",
			    unit_seed(5), step, bad);
			after = rig_text(&r);
			ck_assert_msg(strcmp(before, after) == 0,
			    "seed %lu round %u step %u: text changed",
			    unit_seed(5), round, step);
			vt_line_text(r.t.g->lines[r.t.pt.y], r.t.pt.x, now);
			if (under[0] != ' ' && under[0] != '\0' &&
			    !r.t.pt.pending)
				ck_assert_str_eq(under, now);
			rig_expect(&r, step);
			free(before);
			free(after);
		}
		vt_grid_free(r.t.g);
		vt_pool_free(r.pool);
	}
}
END_TEST

/*
 * A full history keeps the rows that a narrow screen makes of its lines; rows
 * above the limit go as others are pushed, a tenth of the limit with each.
 */
START_TEST(narrow_and_wide_again_loses_nothing)
{
	static const unsigned widths[] = { 20, 7, 1, 45 };
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 80, 10, 500, 0), { 0, 0, false } };
	char *before, *after;
	unsigned i, n;
	size_t rows;

	for (n = 0; n < 6000; n++) {
		for (i = 0; i < 60; i++)
			fill_put(&t, 'a' + (n + i) % 26, false);
		fill_newline(&t);
	}
	ck_assert_uint_eq(vt_history_rows(t.g->history), 500);
	before = mem_strdup(rows_of(t.g, vt_grid_first(t.g), 0));
	for (i = 0; i < ARRAY_LEN(widths); i++) {
		vt_grid_resize(t.g, widths[i], 3 + i, true, &t.pt, 1);
		ck_assert_ptr_null(vt_grid_check(t.g));
		vt_grid_resize(t.g, 80, 10, true, &t.pt, 1);
		ck_assert_ptr_null(vt_grid_check(t.g));
		after = mem_strdup(rows_of(t.g, vt_grid_first(t.g), 0));
		ck_assert_str_eq(before, after);
		mem_free(after);
	}
	mem_free(before);
	vt_grid_resize(t.g, 20, 10, true, &t.pt, 1);
	rows = vt_history_rows(t.g->history);
	ck_assert_uint_gt(rows, 1450);
	for (; rows > 550; rows -= 49) {
		ck_assert_uint_eq(vt_history_rows(t.g->history), rows);
		fill_newline(&t);
	}
	for (i = 0; i < 10; i++)
		fill_newline(&t);
	ck_assert_uint_eq(vt_history_rows(t.g->history), 500);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/* Resizes rows of 10,000 columns to one column, and back. */
START_TEST(the_narrowest_of_the_widest_is_bounded)
{
	struct vt_pool *pool = vt_pool_new();
	struct fill t = { vt_grid_new(pool, 10000, 100, 2000, 0),
		{ 0, 0, false } };
	unsigned i;
	size_t len;

	for (i = 0; i < 1500000; i++)
		fill_put(&t, 'a' + i % 26, false);
	vt_grid_resize(t.g, 1, 1, true, &t.pt, 1);
	ck_assert_ptr_null(vt_grid_check(t.g));
	/* Rows above the limit stay, but no more than are made at once. */
	ck_assert_uint_eq(vt_history_rows(t.g->history), 1 << 18);
	ck_assert_uint_eq(
	    vt_line_cell(t.g->lines[0], 0).ch, 'a' + 1499999 % 26);
	ck_assert_uint_lt(vt_grid_bytes(t.g) + vt_pool_bytes(pool), 3000000);
	vt_grid_resize(t.g, 10000, 10000, true, &t.pt, 1);
	ck_assert_ptr_null(vt_grid_check(t.g));
	/* A line of so many rows comes back in pieces, but whole. */
	len = strcspn(rows_of(t.g, vt_grid_first(t.g), VT_DUMP_JOIN), "\n");
	ck_assert_uint_eq(len, (1 << 18) + 1);
	vt_grid_free(t.g);
	vt_pool_free(pool);
}
END_TEST

/*
 * Resizes a full screen of the greatest size to the smallest, with the cursor
 * at the end, in the middle, and at the beginning, where all the rest is lost:
 * only rows that are kept are made.
 */
START_TEST(the_greatest_screen_made_the_smallest_is_bounded)
{
	static const unsigned cursors[] = { 9999, 5000, 0 };
	static const unsigned above[] = { 9989, 4994, 9989 };
	struct vt_pool *pool = vt_pool_new();
	struct vt_line *line = vt_line_new(pool);
	unsigned i, y, wide;

	for (wide = 0; wide < 2; wide++)
		for (y = 0; y < 10000; y += 1 + wide)
			vt_line_put(line, y, wide ? 0x4e00 : 'a' + y % 26,
			    wide ? VT_WIDE : VT_NARROW, 0);
	for (i = 0; i < ARRAY_LEN(cursors); i++) {
		struct vt_grid *g = vt_grid_new(pool, 10000, 10000, 3000, 0);
		struct vt_point pt = { 17, cursors[i], false };
		struct vt_anchor lost, held;

		for (y = 0; y < 10000; y++)
			vt_grid_set(g, y, vt_line_ref(line));
		vt_grid_anchor(g, &lost, cursors[i] > 0 ? 0 : 1, 5);
		vt_grid_anchor(g, &held, cursors[i], 10);
		vt_grid_resize(g, i == 1 ? 3 : 1, 1, true, &pt, 1);
		ck_assert_ptr_null(vt_grid_check(g));
		ck_assert_uint_eq(pt.y, 0);
		ck_assert_uint_eq(vt_history_rows(g->history),
		    cursors[i] > 0 ? 1 << 18 : 9999);
		ck_assert(!held.lost);
		/* Column 10 of a line whose last row is the screen. */
		ck_assert_uint_eq(held.row, vt_grid_screen(g) - above[i]);
		ck_assert_int_eq(lost.lost, cursors[i] > 0);
		ck_assert_uint_lt(vt_grid_bytes(g), 3000000);
		vt_grid_unanchor(g, &lost);
		vt_grid_unanchor(g, &held);
		vt_grid_free(g);
	}
	vt_line_unref(pool, line);
	vt_pool_free(pool);
}
END_TEST

/* Random sizes under small limits break no invariant. */
START_TEST(random_sizes_under_limits_are_safe)
{
	struct rig r;
	struct vt_point pts[3];
	const char *bad;
	unsigned step, i;

	memset(&r, 0, sizeof(r));
	r.seed = unit_seed(6);
	r.pool = vt_pool_new();
	r.t.g = vt_grid_new(r.pool, 80, 24, 700, 60000);
	memset(pts, 0, sizeof(pts));
	for (step = 0; step < 1000; step++) {
		r.t.pt = pts[0];
		for (i = model_rand(&r.seed) % 8; i > 0; i--)
			rig_type(&r);
		pts[0] = r.t.pt;
		if (step % 3 == 0)
			pts[0].y = model_rand(&r.seed) % r.t.g->rows;
		pts[1].y = model_rand(&r.seed) % r.t.g->rows;
		pts[1].x = model_rand(&r.seed) % r.t.g->cols;
		pts[0].pending = pts[0].pending && pts[0].x + 1 == r.t.g->cols;
		if (step % 50 == 0)
			vt_grid_clear_history(r.t.g);
		rig_anchor(&r);
		vt_grid_resize(r.t.g, 1 + model_rand(&r.seed) % 100,
		    1 + model_rand(&r.seed) % 60, model_rand(&r.seed) % 8 != 0,
		    pts, 3);
		bad = vt_grid_check(r.t.g);
		ck_assert_msg(bad == NULL, "seed %lu step %u: %s", unit_seed(6),
		    step, bad);
		for (i = 0; i < 3; i++)
			ck_assert(
			    pts[i].x < r.t.g->cols && pts[i].y < r.t.g->rows);
		for (i = 0; i < ANCHORS; i++) {
			ck_assert_uint_lt(r.anchors[i].row, vt_grid_end(r.t.g));
			ck_assert_uint_le(r.anchors[i].col, r.t.g->cols);
			vt_grid_unanchor(r.t.g, &r.anchors[i]);
		}
	}
	vt_grid_free(r.t.g);
	vt_pool_free(r.pool);
}
END_TEST

UNIT_SUITE(vt_reflow)
{
	Suite *s = suite_create("vt_reflow");
	TCase *tc = tcase_create("vt_reflow");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, lines_rejoin_and_wrap);
	tcase_add_test(tc, a_pending_wrap_moves_with_its_text);
	tcase_add_test(tc, wide_cells_are_not_split);
	tcase_add_test(tc, tabs_are_not_split);
	tcase_add_test(tc, a_cleared_screen_does_not_fill_with_history);
	tcase_add_test(tc, a_cursor_is_where_tmux_puts_it);
	tcase_add_test(tc, the_alternate_screen_is_cut);
	tcase_add_test(tc, random_sizes_keep_text_cursor_and_anchors);
	tcase_add_test(tc, narrow_and_wide_again_loses_nothing);
	tcase_add_test(tc, the_narrowest_of_the_widest_is_bounded);
	tcase_add_test(tc, the_greatest_screen_made_the_smallest_is_bounded);
	tcase_add_test(tc, random_sizes_under_limits_are_safe);
	suite_add_tcase(s, tc);
	return s;
}
