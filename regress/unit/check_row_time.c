/* When rows entered the history. */
#include "mux/vt/term.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

struct times_util {
	struct mux *m;
	struct pane *p;
};

static void
start(struct times_util *u)
{
	u->m = mux_util_new();
	u->p = mux_util_session(u->m, "s")->current->window->active;
	mux_util_history(u->p, 200);
}

/* N lines come at second AT. */
static void
lines(struct times_util *u, unsigned n, int64_t at)
{
	while (n-- > 0)
		vt_term_write(u->p->term, "x\r\n", 3);
	u->m->wall = at * 1000;
	pane_output(u->p);
}

static int64_t
get(const struct times_util *u, vt_row row)
{
	return row_times_get(&u->p->times, row);
}

START_TEST(rows_get_the_time_at_which_they_leave)
{
	struct times_util u;

	start(&u);
	lines(&u, 10, 5);
	ck_assert_int_eq(get(&u, 0), 0);
	lines(&u, 20, 7); /* 31 rows: 7 left the screen */
	ck_assert_int_eq(get(&u, 0), 7);
	ck_assert_int_eq(get(&u, 6), 7);
	ck_assert_int_eq(get(&u, 7), 0);
	lines(&u, 1, 7);
	ck_assert_uint_eq(u.p->times.count, 1);
	lines(&u, 3, 9);
	ck_assert_int_eq(get(&u, 7), 7);
	ck_assert_int_eq(get(&u, 8), 9);
	ck_assert_int_eq(get(&u, 10), 9);
	ck_assert_int_eq(get(&u, 11), 0);
	mux_util_free(u.m);
}
END_TEST

START_TEST(a_taller_screen_takes_rows_back)
{
	struct times_util u;

	start(&u);
	lines(&u, 30, 7);
	vt_term_resize(u.p->term, 80, 28); /* rows 3 to 6 return */
	lines(&u, 0, 8);
	ck_assert_int_eq(get(&u, 2), 7);
	ck_assert_int_eq(get(&u, 3), 0);
	lines(&u, 2, 9);
	ck_assert_int_eq(get(&u, 2), 7);
	ck_assert_int_eq(get(&u, 4), 9);
	/* Another width counts rows anew. */
	vt_term_resize(u.p->term, 40, 28);
	lines(&u, 0, 10);
	ck_assert_int_eq(get(&u, 2), 0);
	lines(&u, 1, 11);
	ck_assert_int_eq(get(&u, 5), 11);
	mux_util_free(u.m);
}
END_TEST

/* The times of dropped rows are dropped as well. */
START_TEST(the_array_is_bounded)
{
	struct times_util u;
	const struct vt_grid *g;
	unsigned i;

	start(&u);
	g = vt_term_main_grid(u.p->term);
	for (i = 0; i < 20000; i++)
		lines(&u, 1, 100 + i);
	ck_assert_int_eq(get(&u, vt_grid_screen(g) - 1), 20099);
	ck_assert_int_eq(get(&u, vt_grid_first(g)),
	    20099 - (int64_t)(vt_grid_screen(g) - 1 - vt_grid_first(g)));
	ck_assert_uint_le(
	    u.p->times.room, 4 * (vt_grid_screen(g) - vt_grid_first(g)) + 64);
	mux_util_free(u.m);
}
END_TEST

UNIT_SUITE(row_time)
{
	Suite *s = suite_create("row_time");
	TCase *tc = tcase_create("row_time");

	tcase_add_test(tc, rows_get_the_time_at_which_they_leave);
	tcase_add_test(tc, a_taller_screen_takes_rows_back);
	tcase_add_test(tc, the_array_is_bounded);
	suite_add_tcase(s, tc);
	return s;
}
