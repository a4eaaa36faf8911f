#include <stdio.h>
#include <string.h>

#include "mux/vt/grid.h"
#include "regress/unit/unit.h"
#include "regress/unit/vt_model.h"

#define ROWS 12

static const struct pen pen_default;

struct rig {
	uint64_t seed;
	struct vt_grid *g;
	struct model_line m[ROWS];
};

static void
model_erase_row(
    struct model_line *m, const struct vt_rect *r, const struct pen *pen)
{
	model_erase(m, r->left, r->right, pen, NULL);
}

static void
model_scroll_up(struct model_line *m, const struct vt_rect *r, unsigned n,
    const struct pen *pen)
{
	unsigned y;

	n = MIN_OF(n, r->bottom - r->top);
	for (y = r->top; y + n < r->bottom; y++)
		model_copy(
		    &m[y], r->left, &m[y + n], r->left, r->right - r->left);
	for (; y < r->bottom; y++)
		model_erase_row(&m[y], r, pen);
}

static void
model_scroll_down(struct model_line *m, const struct vt_rect *r, unsigned n,
    const struct pen *pen)
{
	unsigned y;

	n = MIN_OF(n, r->bottom - r->top);
	for (y = r->bottom; y-- > r->top + n;)
		model_copy(
		    &m[y], r->left, &m[y - n], r->left, r->right - r->left);
	for (y = r->top; y < r->top + n; y++)
		model_erase_row(&m[y], r, pen);
}

static void
model_copy_rect(
    struct model_line *m, const struct vt_rect *r, unsigned x, unsigned y)
{
	unsigned i, h = MIN_OF(r->bottom - r->top, ROWS - y);
	unsigned w = MIN_OF(r->right - r->left, MODEL_COLS - x);
	struct model_line old[ROWS];

	memcpy(old, m, sizeof(old));
	for (i = 0; i < h; i++)
		model_copy(&m[y + i], x,
		    y == r->top ? &m[y + i] : &old[r->top + i], r->left, w);
}

static void
rig_write(struct rig *r, const struct pen *pen)
{
	unsigned y = model_rand(&r->seed) % ROWS, i, n;
	unsigned col = model_rand(&r->seed) % MODEL_COLS;
	struct vt_line *line = vt_grid_own(r->g, y);
	unsigned style = vt_line_style(r->g->pool, line, pen, NULL);
	char text[2] = { 0, 0 };

	if (model_rand(&r->seed) % 2 == 0 && col + 1 < MODEL_COLS) {
		vt_line_put(line, col, 0x4e2d, VT_WIDE, style);
		model_put(&r->m[y], col, "中", true, pen, NULL);
		return;
	}
	n = 1 + model_rand(&r->seed) % (MODEL_COLS - col);
	for (i = 0; i < n; i++) {
		text[0] = (char)('a' + (y + i) % 26);
		vt_line_put_ascii(
		    line, col + i, (const uint8_t *)text, 1, style);
		model_put(&r->m[y], col + i, text, false, pen, NULL);
	}
}

static struct vt_rect
rig_rect(struct rig *r)
{
	struct vt_rect a;

	a.top = model_rand(&r->seed) % ROWS;
	a.bottom = a.top + 1 + model_rand(&r->seed) % (ROWS - a.top);
	a.left = 0;
	a.right = MODEL_COLS;
	if (model_rand(&r->seed) % 2 == 0) {
		a.left = model_rand(&r->seed) % MODEL_COLS;
		a.right =
		    a.left + 1 + model_rand(&r->seed) % (MODEL_COLS - a.left);
	}
	return a;
}

static void
rig_step(struct rig *r, char *what, size_t size)
{
	unsigned op = model_rand(&r->seed) % 7, n, x, y;
	struct vt_rect a = rig_rect(r);
	struct pen pen = pen_default;

	n = 1 + model_rand(&r->seed) % 4;
	x = model_rand(&r->seed) % MODEL_COLS;
	y = model_rand(&r->seed) % ROWS;
	if (model_rand(&r->seed) % 2 == 0)
		pen.bg = colour_index(model_rand(&r->seed) % 8);
	snprintf(what, size, "op %u n %u to %u,%u rect %u,%u-%u,%u", op, n, x,
	    y, a.left, a.top, a.right, a.bottom);
	switch (op) {
	case 0:
	case 1:
	case 2:
		rig_write(r, &pen);
		break;
	case 3:
		vt_grid_scroll_up(r->g, &a, n, &pen, n % 2 == 0);
		model_scroll_up(r->m, &a, n, &pen);
		break;
	case 4:
		vt_grid_scroll_down(r->g, &a, n, &pen);
		model_scroll_down(r->m, &a, n, &pen);
		break;
	case 5:
		vt_grid_erase(r->g, &a, &pen);
		for (n = a.top; n < a.bottom; n++)
			model_erase_row(&r->m[n], &a, &pen);
		break;
	default:
		vt_grid_copy_rect(r->g, &a, x, y);
		model_copy_rect(r->m, &a, x, y);
		break;
	}
}

START_TEST(random_screens_match_the_model)
{
	struct vt_pool *pool = vt_pool_new();
	struct rig r;
	const char *bad;
	char what[128];
	unsigned i, y;
	int at;

	memset(&r, 0, sizeof(r));
	r.seed = unit_seed(20261121);
	r.g = vt_grid_new(pool, MODEL_COLS, ROWS, 500, 0);
	for (i = 0; i < unit_rounds(100000); i++) {
		rig_step(&r, what, sizeof(what));
		if (i % 4096 == 0)
			vt_grid_settle(r.g);
		bad = i % 64 == 0 ? vt_grid_check(r.g) : NULL;
		ck_assert_msg(bad == NULL, "seed %lu step %u: %s: %s",
		    unit_seed(20261121), i, what, bad);
		for (y = 0; y < ROWS; y++) {
			bad = vt_line_check(r.g->lines[y]);
			at = model_compare(&r.m[y], r.g->lines[y]);
			ck_assert_msg(bad == NULL && at < 0,
			    "seed %lu step %u: %s: row %u col %d: %s",
			    unit_seed(20261121), i, what, y, at,
			    bad == NULL ? "differs" : bad);
		}
	}
	ck_assert_uint_le(vt_history_rows(r.g->history), 500);
	ck_assert_uint_ge(vt_history_rows(r.g->history), unit_rounds(500));
	vt_grid_free(r.g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(sizes_of_any_kind_are_taken)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 0, 100000, 0, 0);
	struct vt_point pt = { 5, 5, false };

	ck_assert_uint_eq(g->cols, 1);
	ck_assert_uint_eq(g->rows, VT_ROWS_MAX);
	vt_grid_resize(g, 10000, 10000, true, &pt, 1);
	ck_assert_uint_lt(vt_grid_bytes(g), 200000);
	vt_grid_resize(g, 0, 0, true, &pt, 1);
	ck_assert_uint_eq(g->cols, 1);
	ck_assert_uint_eq(g->rows, 1);
	ck_assert_uint_eq(pt.x, 0);
	ck_assert_uint_eq(pt.y, 0);
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(a_scrolled_screen_allocates_nothing)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 80, 24, 0, 0);
	struct vt_rect all = { 0, 0, 80, 24 };
	size_t bytes = 0;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		vt_line_put_ascii(vt_grid_own(g, 23), 0,
		    (const uint8_t *)"a line of a log, as it goes by", 30, 0);
		vt_grid_scroll_up(g, &all, 1, NULL, true);
		if (i == 100)
			bytes = vt_grid_bytes(g) + vt_pool_bytes(pool);
	}
	ck_assert_uint_eq(bytes, vt_grid_bytes(g) + vt_pool_bytes(pool));
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

UNIT_SUITE(vt_grid)
{
	Suite *s = suite_create("vt_grid");
	TCase *tc = tcase_create("vt_grid");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, random_screens_match_the_model);
	tcase_add_test(tc, sizes_of_any_kind_are_taken);
	tcase_add_test(tc, a_scrolled_screen_allocates_nothing);
	suite_add_tcase(s, tc);
	return s;
}
