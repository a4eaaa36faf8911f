#include <string.h>

#include "mux/vt/params.h"
#include "regress/unit/unit.h"

static void
feed(struct vt_params *p, const char *s)
{
	vt_params_clear(p);
	for (; *s != '\0'; s++)
		vt_params_byte(p, (uint8_t)*s);
}

START_TEST(empty_and_zero_are_told_apart)
{
	struct vt_params p;

	feed(&p, "");
	ck_assert_int_eq(p.count, 0);
	ck_assert_int_eq(vt_param(&p, 0, 7), 7);
	feed(&p, "0");
	ck_assert_int_eq(vt_param(&p, 0, 7), 0);
	ck_assert_int_eq(vt_param_nz(&p, 0, 7), 7);
	feed(&p, ";5");
	ck_assert_int_eq(p.count, 2);
	ck_assert_int_eq(vt_param(&p, 0, 7), 7);
	ck_assert_int_eq(vt_param(&p, 1, 7), 5);
	feed(&p, "3;");
	ck_assert_int_eq(p.count, 2);
	ck_assert_int_eq(vt_param(&p, 1, 9), 9);
}
END_TEST

START_TEST(sub_parameters_belong_to_their_parameter)
{
	struct vt_params p;

	feed(&p, "1;38:2::10:20:30;4:3");
	ck_assert_int_eq(vt_params_slot(&p, 1), 1);
	ck_assert_int_eq(vt_params_width(&p, 1), 6);
	ck_assert_int_eq(vt_param(&p, 1, 0), 38);
	ck_assert_int_eq(vt_param_sub(&p, 1, 2, 99), 99);
	ck_assert_int_eq(vt_param_sub(&p, 1, 3, 0), 10);
	ck_assert_int_eq(vt_param_sub(&p, 1, 6, -5), -5);
	ck_assert_int_eq(vt_param(&p, 2, 0), 4);
	ck_assert_int_eq(vt_params_slot(&p, 3), -1);
}
END_TEST

START_TEST(values_saturate_and_surplus_is_dropped)
{
	struct vt_params p;
	int i;

	feed(&p, "99999999999999999999");
	ck_assert_int_eq(vt_param(&p, 0, 0), VT_PARAM_VALUE_MAX);
	vt_params_clear(&p);
	for (i = 0; i < 70000; i++)
		(void)vt_params_run(&p, (const uint8_t *)"7;", 2);
	ck_assert_int_eq(p.count, VT_PARAM_SLOTS);
	ck_assert(p.dropped);
	for (i = 0; i < VT_PARAM_SLOTS; i++)
		ck_assert_int_eq(p.v[i], 7);
}
END_TEST

START_TEST(a_run_stops_at_what_is_no_parameter)
{
	struct vt_params p;

	vt_params_clear(&p);
	ck_assert_uint_eq(vt_params_run(&p, (const uint8_t *)"12;3:4m5", 8), 6);
	ck_assert_int_eq(p.count, 3);
	ck_assert_uint_eq(vt_params_run(&p, (const uint8_t *)"<", 1), 0);
}
END_TEST

/* Runs of any length and split equal single bytes. */
START_TEST(runs_equal_single_bytes)
{
	static const char alphabet[] = "0123456789;;;:::12;;m";
	unsigned long seed = unit_seed(7), r = seed;
	struct vt_params a, b;
	uint8_t s[200];
	size_t n, i, at, k;
	int round;

	for (round = 0; round < 20000; round++) {
		n = 1 + (size_t)(round % (int)sizeof s);
		for (i = 0; i < n; i++) {
			r = r * 6364136223846793005u + 1442695040888963407u;
			s[i] = (uint8_t)
			    alphabet[(r >> 33) % (sizeof alphabet - 1)];
			if (s[i] == 'm' && (r >> 50) % 4 != 0)
				s[i] = ';';
		}
		vt_params_clear(&a);
		for (i = 0; i < n && s[i] != 'm'; i++)
			vt_params_byte(&a, s[i]);
		vt_params_clear(&b);
		for (at = 0; at < n && s[at] != 'm'; at += k) {
			r = r * 6364136223846793005u + 1442695040888963407u;
			k = vt_params_run(&b, s + at, 1 + (r >> 33) % (n - at));
			ck_assert_uint_gt(k, 0);
		}
		ck_assert_msg(
		    at == i && a.count == b.count && a.sub == b.sub &&
			a.dropped == b.dropped &&
			memcmp(a.v, b.v, a.count * sizeof a.v[0]) == 0,
		    "seed %lu round %d", seed, round);
	}
}
END_TEST

UNIT_SUITE(vt_params)
{
	Suite *s = suite_create("vt_params");
	TCase *tc = tcase_create("params");

	tcase_add_test(tc, empty_and_zero_are_told_apart);
	tcase_add_test(tc, sub_parameters_belong_to_their_parameter);
	tcase_add_test(tc, values_saturate_and_surplus_is_dropped);
	tcase_add_test(tc, runs_equal_single_bytes);
	tcase_add_test(tc, a_run_stops_at_what_is_no_parameter);
	suite_add_tcase(s, tc);
	return s;
}
