#include <stdio.h>
#include <string.h>

#include "mux/vt/history_int.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_model.h"

static const struct pen pen_default;

static struct vt_line *
numbered(struct vt_pool *pool, unsigned i)
{
	struct vt_line *line = vt_line_new(pool);
	struct pen pen = pen_default;
	unsigned style = 0;
	char text[64];
	int n;

	n = snprintf(text, sizeof(text), "line %u of the log", i);
	if (i % 3 == 0) {
		pen.fg = colour_rgb(i, i >> 8, 7);
		style = vt_line_style(pool, line, &pen, NULL);
	}
	vt_line_put_ascii(line, 0, (const uint8_t *)text, (unsigned)n, style);
	if (i % 5 == 0)
		vt_line_put(line, (unsigned)n, 0x4e2d, VT_WIDE, 0);
	if (i % 7 == 0)
		line->flags |= VT_LINE_PROMPT;
	return line;
}

static void
expect(struct vt_pool *pool, struct vt_history *h, size_t row, unsigned i)
{
	struct vt_line *want = numbered(pool, i);

	ck_assert_msg(vt_line_equal(want, vt_history_row(h, row)),
	    "row %zu is not line %u", row, i);
	vt_line_unref(pool, want);
}

START_TEST(all_rows_come_back_as_they_were)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, SIZE_MAX, 0);
	uint64_t seed = unit_seed(11);
	unsigned i, n = 50000;

	for (i = 0; i < n; i++)
		vt_history_push(h, numbered(pool, i));
	ck_assert_uint_eq(vt_history_rows(h), n);
	while (vt_history_settle(h, 3))
		;
	ck_assert_uint_lt(vt_history_bytes(h), n * 20u + 300000);
	for (i = 0; i < n; i++)
		expect(pool, h, i, i);
	for (i = 0; i < 2000; i++) {
		unsigned k = model_rand(&seed) % n;

		expect(pool, h, k, k);
	}
	ck_assert_ptr_null(vt_history_check(h));
	/* Rows are popped in order, through pages of every kind. */
	for (i = n; i-- > 0;) {
		struct vt_line *line = vt_history_pop(h);
		struct vt_line *want = numbered(pool, i);

		ck_assert(vt_line_equal(line, want));
		vt_line_unref(pool, line);
		vt_line_unref(pool, want);
		if (i % 5000 == 0)
			ck_assert_ptr_null(vt_history_check(h));
	}
	ck_assert_ptr_null(vt_history_pop(h));
	ck_assert_uint_eq(vt_history_rows(h), 0);
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

START_TEST(limits_hold_exactly)
{
	static const size_t limits[] = { 0, 1, 100, 128, 129, 700, 3000, 4097 };
	struct vt_pool *pool = vt_pool_new();
	unsigned i, j, n = 5000;

	for (j = 0; j < ARRAY_LEN(limits); j++) {
		struct vt_history *h = vt_history_new(pool, 80, limits[j], 0);

		for (i = 0; i < n; i++) {
			vt_history_push(h, numbered(pool, i));
			ck_assert_uint_eq(vt_history_rows(h),
			    MIN_OF((size_t)i + 1, limits[j]));
		}
		ck_assert_uint_eq(vt_history_dropped(h), n - limits[j]);
		while (j % 2 == 0 && vt_history_settle(h, 1))
			ck_assert_ptr_null(vt_history_check(h));
		for (i = 0; i < limits[j]; i++)
			expect(pool, h, i, (unsigned)(n - limits[j] + i));
		ck_assert_ptr_null(vt_history_check(h));
		while (vt_history_rows(h) > 0) {
			expect(pool, h, 0, (unsigned)(n - limits[j]));
			vt_line_unref(pool, vt_history_pop(h));
		}
		ck_assert_ptr_null(vt_history_check(h));
		vt_history_free(h);
	}
	vt_pool_free(pool);
}
END_TEST

START_TEST(bytes_are_bounded)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, SIZE_MAX, 300000);
	unsigned i;

	for (i = 0; i < 200000; i++) {
		vt_history_push(h, numbered(pool, i));
		ck_assert_uint_le(vt_history_bytes(h), 300000);
	}
	ck_assert_uint_gt(vt_history_rows(h), 2000);
	expect(pool, h, vt_history_rows(h) - 1, i - 1);
	expect(pool, h, 0, (unsigned)vt_history_dropped(h));
	ck_assert_ptr_null(vt_history_check(h));
	vt_history_clear(h);
	ck_assert_uint_eq(vt_history_rows(h), 0);
	ck_assert_uint_eq(vt_history_dropped(h), 200000);
	vt_history_push(h, numbered(pool, 3));
	vt_history_push(h, numbered(pool, 4));
	expect(pool, h, vt_history_rows(h) - 1, 4);
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

/* When idle, rows of a short history are packed. */
START_TEST(quiet_times_pack_what_waits)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, 2000, 0);
	unsigned i, n = 5000, steps = 0;

	for (i = 0; i < n; i++)
		vt_history_push(h, numbered(pool, i));
	ck_assert_uint_eq(vt_history_hot(h), 2000);
	while (vt_history_settle(h, 2)) {
		ck_assert_uint_lt(steps++, 16);
		ck_assert_uint_eq(vt_history_rows(h), 2000);
	}
	ck_assert_uint_gt(steps, 1);
	/* An unfinished wrapped line may keep one or two rows more. */
	ck_assert_uint_lt(vt_history_hot(h), VT_HISTORY_HOT + 64);
	ck_assert_uint_lt(vt_history_bytes(h), 400000);
	ck_assert_ptr_null(vt_history_check(h));
	for (i = 0; i < 2000; i++)
		expect(pool, h, i, n - 2000 + i);
	/* The flood continues. */
	for (i = n; i < n + 3000; i++)
		vt_history_push(h, numbered(pool, i));
	ck_assert_ptr_null(vt_history_check(h));
	for (i = 0; i < 2000; i++)
		expect(pool, h, i, n + 1000 + i);
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

START_TEST(one_endless_line_is_bounded)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, 100000, 0);
	uint8_t text[80];
	unsigned i;

	memset(text, 'x', sizeof(text));
	for (i = 0; i < 50000; i++) {
		struct vt_line *line = vt_line_new(pool);

		vt_line_put_ascii(line, 0, text, 80, 0);
		line->flags |= VT_LINE_WRAPPED;
		vt_history_push(h, line);
	}
	ck_assert_uint_eq(vt_history_rows(h), 50000);
	ck_assert_uint_lt(vt_history_bytes(h), VT_HISTORY_RAW_MAX + 1000000);
	while (vt_history_settle(h, 1))
		;
	ck_assert_uint_lt(vt_history_bytes(h), 500000);
	ck_assert_ptr_null(vt_history_check(h));
	for (i = 0; i < 50000; i += 7) {
		const struct vt_line *line = vt_history_row(h, i);

		ck_assert_uint_eq(vt_line_used(line), 80);
		ck_assert_uint_eq(line->flags, VT_LINE_WRAPPED);
	}
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

/* Changes the width like a resize: pops the hot rows first. */
static void
set_cols(struct vt_pool *pool, struct vt_history *h, unsigned cols)
{
	while (vt_history_hot(h) > 0)
		vt_line_unref(pool, vt_history_pop(h));
	vt_history_set_cols(h, cols);
	ck_assert_ptr_null(vt_history_check(h));
}

START_TEST(a_cut_line_of_many_widths)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 20, 2000, 0);
	static const unsigned widths[] = { 2, 3, 1, 20, 2, 5, 200, 7 };
	struct vt_line *line;
	unsigned i;

	/*
	 * One line of 1,500 rows, which the limit cuts, and 1,100 more lines:
	 * packed, all would fit one page.
	 */
	for (i = 0; i < 2600; i++) {
		line = vt_line_new(pool);
		if (i < 1500) {
			vt_line_put_ascii(line, 0,
			    (const uint8_t *)"xxxxxxxxxxxxxxxxxxxx", 20, 0);
			if (i < 1499)
				line->flags |= VT_LINE_WRAPPED;
		}
		vt_history_push(h, line);
	}
	while (vt_history_settle(h, 1))
		;
	for (i = 0; i < ARRAY_LEN(widths); i++) {
		set_cols(pool, h, widths[i]);
		ck_assert_uint_gt(vt_history_rows(h), 0);
		ck_assert_uint_le(vt_history_rows(h), 2000);
		ck_assert_uint_le(
		    vt_line_used(vt_history_row(h, 0)), widths[i]);
	}
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

/* Rows as they were, whatever happens to the history that they come from. */
START_TEST(a_snapshot_keeps_its_rows)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, 6000, 0), *s;
	uint64_t seed = unit_seed(12);
	unsigned i, k, first, pushed = 0, round;
	size_t rows;

	for (round = 0; round < unit_rounds(60); round++) {
		for (k = model_rand(&seed) % 3000; k > 0; k--)
			vt_history_push(h, numbered(pool, pushed++));
		if (model_rand(&seed) % 3 == 0)
			(void)vt_history_settle(h, model_rand(&seed) % 8);
		first = (unsigned)vt_history_dropped(h);
		rows = vt_history_rows(h);
		s = vt_history_snapshot(h);
		ck_assert_uint_eq(vt_history_rows(s), rows);
		switch (model_rand(&seed) % 4) {
		case 0:
			vt_history_clear(h);
			break;
		case 1:
			vt_history_free(h);
			h = vt_history_new(pool, 80, 6000, 0);
			pushed = 0;
			break;
		case 2:
			for (k = 0; k < 200; k++)
				vt_line_unref(pool, vt_history_pop(h));
			pushed -= (unsigned)MIN_OF(rows, (size_t)200);
			break;
		default:
			for (k = model_rand(&seed) % 9000; k > 0; k--)
				vt_history_push(h, numbered(pool, pushed++));
			while (vt_history_settle(h, 8))
				;
			break;
		}
		ck_assert_ptr_null(vt_history_check(s));
		for (i = 0; i < rows; i += 1 + model_rand(&seed) % 50)
			expect(pool, s, i, first + i);
		/* It goes on by itself. */
		vt_history_push(s, numbered(pool, first + (unsigned)rows));
		while (vt_history_settle(s, 8))
			;
		expect(pool, s, rows, first + (unsigned)rows);
		ck_assert_ptr_null(vt_history_check(s));
		ck_assert_ptr_null(vt_history_check(h));
		vt_history_free(s);
	}
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

/*
 * After a fork each page of memory that a snapshot writes to is copied: there must
 * be few of them.
 */
START_TEST(a_snapshot_writes_to_few_pages_of_memory)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, SIZE_MAX, 0), *copy;
	uintptr_t at, last = 0;
	size_t i, blocks = 0;
	unsigned k;

	for (k = 0; k < 100000; k++)
		vt_history_push(h, numbered(pool, k));
	while (vt_history_settle(h, 100))
		;
	copy = vt_history_snapshot(h);
	ck_assert_uint_gt(h->npages, 300);
	for (i = 0; i < h->npages; i++, last = at) {
		ck_assert_ptr_eq(h->pages[i].refs, copy->pages[i].refs);
		ck_assert_uint_eq(h->pages[i].refs->refs, 2);
		at = (uintptr_t)h->pages[i].refs / 4096;
		blocks += at != last;
	}
	ck_assert_uint_le(blocks, h->npages / 100);
	vt_history_free(h);
	ck_assert_uint_eq(copy->pages[0].refs->refs, 1);
	expect(pool, copy, 0, 0);
	vt_history_free(copy);
	vt_pool_free(pool);
}
END_TEST

/* Paging upwards, also where a screen lies in two pages. */
START_TEST(each_page_is_decompressed_once)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_history *h = vt_history_new(pool, 80, SIZE_MAX, 0);
	const unsigned n = 20000, screen = 40;
	unsigned i, top;

	for (i = 0; i < n; i++)
		vt_history_push(h, numbered(pool, i));
	while (vt_history_settle(h, 3))
		;
	ck_assert_uint_eq(h->unpacked, 0);
	for (top = n - screen; top >= screen; top -= screen - 2) {
		expect(pool, h, top, top);
		for (i = top; i < top + screen; i++)
			expect(pool, h, i, i);
	}
	ck_assert_uint_le(h->unpacked, n / VT_HISTORY_PAGE + 1);
	vt_history_free(h);
	vt_pool_free(pool);
}
END_TEST

UNIT_SUITE(vt_history)
{
	Suite *s = suite_create("vt_history");
	TCase *tc = tcase_create("vt_history");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, all_rows_come_back_as_they_were);
	tcase_add_test(tc, limits_hold_exactly);
	tcase_add_test(tc, bytes_are_bounded);
	tcase_add_test(tc, quiet_times_pack_what_waits);
	tcase_add_test(tc, one_endless_line_is_bounded);
	tcase_add_test(tc, a_cut_line_of_many_widths);
	tcase_add_test(tc, a_snapshot_keeps_its_rows);
	tcase_add_test(tc, a_snapshot_writes_to_few_pages_of_memory);
	tcase_add_test(tc, each_page_is_decompressed_once);
	suite_add_tcase(s, tc);
	return s;
}
