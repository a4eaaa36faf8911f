#include <string.h>

#include "base/grapheme.h"
#include "mux/vt/dump.h"
#include "mux/vt/frame.h"
#include "regress/unit/unit.h"

static char *
text_of(const struct vt_frame *f)
{
	static struct buf b;

	buf_fini(&b);
	buf_init(&b, 1 << 20);
	vt_dump_frame(&b, f, 0);
	return (char *)(uintptr_t)buf_cstr(&b);
}

START_TEST(a_snapshot_shares_lines_and_stays)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 10, 3, 100, 0);
	struct vt_frame_state st;
	struct vt_frame *f, *h;

	vt_frame_state_init(&st);
	st.title = vt_str_new("title", 5);
	vt_palette_own(&st.palette)->rgb[VT_DYN_BG] = 0x102030;
	vt_line_put_ascii(
	    vt_grid_own(g, 1), 0, (const uint8_t *)"before", 6, 0);
	f = vt_frame_snapshot(g, 0, &st, 7);
	ck_assert_ptr_eq(f->lines[1], g->lines[1]);
	vt_line_put_ascii(
	    vt_grid_own(g, 1), 0, (const uint8_t *)"after!", 6, 0);
	vt_palette_own(&st.palette)->rgb[VT_DYN_BG] = 0;
	ck_assert_str_eq(text_of(f), "\nbefore\n\n");
	ck_assert_uint_eq(
	    vt_palette_get(f->state.palette, VT_DYN_BG), 0x102030);
	h = vt_frame_snapshot(g, 0, &st, 7);
	ck_assert(!vt_frame_equal(f, h));
	vt_frame_unref(h);
	vt_frame_state_fini(&st);
	vt_grid_free(g);
	vt_pool_free(pool);
	/* A frame outlives its grid and pool. */
	ck_assert_str_eq(text_of(f), "\nbefore\n\n");
	ck_assert_str_eq(vt_str_text(f->state.title), "title");
	ck_assert_ptr_null(vt_frame_check(f));
	vt_frame_unref(f);
}
END_TEST

START_TEST(a_scrolled_snapshot_shows_history)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 10, 2, 1000, 0);
	struct vt_rect all = { 0, 0, 10, 2 };
	struct vt_frame *f;
	unsigned i;

	for (i = 0; i < 500; i++) {
		uint8_t c = (uint8_t)('a' + i % 26);

		vt_line_put_ascii(vt_grid_own(g, 1), 0, &c, 1, 0);
		vt_grid_scroll_up(g, &all, 1, NULL, true);
	}
	f = vt_frame_snapshot(g, 400, NULL, 0);
	ck_assert_str_eq(text_of(f), "v\nw\n");
	vt_frame_unref(f);
	f = vt_frame_snapshot(g, 10000, NULL, 0);
	ck_assert_str_eq(text_of(f), "\na\n");
	vt_frame_unref(f);
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(equal_rows_share_a_line)
{
	struct vt_frame *f = vt_frame_new(4, 4);

	vt_frame_repeat(f, 0, 0, 2, 'a', NULL);
	vt_frame_repeat(f, 0, 1, 3, 'b', NULL);
	vt_frame_same_rows(f, 1);
	ck_assert_str_eq(text_of(f), "aa\nbbb\nbbb\nbbb\n");
	ck_assert_ptr_eq(f->lines[1], f->lines[3]);
	vt_frame_repeat(f, 0, 2, 1, 'c', NULL);
	ck_assert_str_eq(text_of(f), "aa\nbbb\ncbb\nbbb\n");
	ck_assert_ptr_null(vt_frame_check(f));
	vt_frame_same_rows(f, 3);
	vt_frame_same_rows(f, 9);
	vt_frame_unref(f);
}
END_TEST

START_TEST(frames_are_equal_by_value)
{
	struct vt_frame *a = vt_frame_new(8, 2), *b = vt_frame_new(8, 2), *c;
	struct pen pen = { colour_index(3), 0, 0, PEN_BOLD };

	vt_frame_repeat(a, 1, 0, 3, 'x', &pen);
	vt_frame_repeat(b, 0, 0, 8, 'y', NULL);
	vt_frame_fill(b, &(struct vt_rect){ 0, 0, 8, 2 }, NULL);
	vt_frame_repeat(b, 1, 0, 3, 'x', &pen);
	ck_assert(vt_frame_equal(a, b));
	(void)vt_palette_own(&b->state.palette); /* without entries: equal */
	ck_assert(vt_frame_equal(a, b));
	c = vt_frame_clone(b);
	ck_assert(vt_frame_equal(c, b));
	vt_frame_repeat(c, 7, 1, 1, 'z', NULL);
	ck_assert(!vt_frame_equal(c, b));
	ck_assert_str_eq(text_of(b), " xxx\n\n");
	vt_frame_unref(a);
	vt_frame_unref(b);
	vt_frame_unref(c);
}
END_TEST

START_TEST(chrome_is_drawn_and_clipped)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_frame *f = vt_frame_new(10, 3), *s = vt_frame_new(4, 2);
	unsigned x;

	x = vt_frame_text(f, gt, 2, 0, 100, "a中e\xcc\x81\x1b\nz", 10, NULL);
	ck_assert_uint_eq(x, 7);
	ck_assert_str_eq(text_of(f), "  a中e\xcc\x81z\n\n\n");
	/* A wide cluster that would cross the end is left out. */
	x = vt_frame_text(f, gt, 7, 1, 10, "ab中", 5, NULL);
	ck_assert_uint_eq(x, 9);
	ck_assert_uint_eq(vt_frame_text(f, gt, 3, 99, 10, "x", 1, NULL), 3);
	vt_frame_text(s, gt, 0, 0, 4, "1中4", 5, NULL);
	vt_frame_text(s, gt, 0, 1, 4, "5678", 4, NULL);
	vt_frame_blit(f, 8, 2, s, &(struct vt_rect){ 0, 0, 9, 9 });
	ck_assert_str_eq(
	    text_of(f), "  a中e\xcc\x81z\n       ab\n        1 \n");
	vt_frame_resize(f, 4, 5);
	ck_assert_ptr_null(vt_frame_check(f));
	ck_assert_str_eq(text_of(f), "  a \n\n\n\n\n");
	vt_frame_unref(f);
	vt_frame_unref(s);
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(vt_frame)
{
	Suite *s = suite_create("vt_frame");
	TCase *tc = tcase_create("vt_frame");

	tcase_add_test(tc, a_snapshot_shares_lines_and_stays);
	tcase_add_test(tc, a_scrolled_snapshot_shows_history);
	tcase_add_test(tc, equal_rows_share_a_line);
	tcase_add_test(tc, frames_are_equal_by_value);
	tcase_add_test(tc, chrome_is_drawn_and_clipped);
	suite_add_tcase(s, tc);
	return s;
}
