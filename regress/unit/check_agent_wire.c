/* Requests to an ssh agent are counted, however they are cut. */
#include "base/agent_wire.h"
#include "regress/unit/unit.h"

/* Four requests: of 1 byte, of none, of 300 and of 2; the last lacks a byte. */
static size_t
requests(uint8_t out[400])
{
	memset(out, 0xff, 400);
	memcpy(out, "\0\0\0\1", 4);
	memcpy(out + 5, "\0\0\0\0", 4);
	memcpy(out + 9, "\0\0\1\x2c", 4);
	memcpy(out + 313, "\0\0\0\2", 4);
	return 318;
}

START_TEST(each_end_counts)
{
	struct agent_wire w = { .got = 0 };
	uint8_t b[400];
	size_t n = requests(b);

	ck_assert_uint_eq(agent_wire_count(&w, b, n), 2);
	ck_assert_uint_eq(w.left, 1);
	ck_assert_uint_eq(agent_wire_count(&w, b, 1), 1);
	ck_assert_uint_eq(agent_wire_count(&w, b, 0), 0);
	ck_assert_uint_eq(w.left, 0);
}
END_TEST

START_TEST(any_cut_counts_the_same)
{
	uint8_t b[400];
	size_t n = requests(b), at, ended, cut;

	for (cut = 1; cut <= n; cut++) {
		struct agent_wire w = { .got = 0 };

		ended = 0;
		for (at = 0; at < n; at += cut)
			ended += agent_wire_count(
			    &w, b + at, at + cut < n ? cut : n - at);
		ck_assert_uint_eq(ended, 2);
		ck_assert_uint_eq(w.left, 1);
	}
}
END_TEST

/* The longest length that can be said is no allocation, only a number. */
START_TEST(a_length_of_4_gb_is_counted_down)
{
	struct agent_wire w = { .got = 0 };
	static uint8_t b[1 << 20];
	unsigned i;

	ck_assert_uint_eq(
	    agent_wire_count(&w, (const uint8_t *)"\xff\xff\xff\xff", 4), 0);
	for (i = 0; i < 4095; i++)
		ck_assert_uint_eq(agent_wire_count(&w, b, sizeof(b)), 0);
	ck_assert_uint_eq(agent_wire_count(&w, b, sizeof(b) - 1), 1);
}
END_TEST

UNIT_SUITE(agent_wire)
{
	Suite *s = suite_create("base/agent_wire");
	TCase *tc = tcase_create("agent_wire");

	tcase_add_test(tc, each_end_counts);
	tcase_add_test(tc, any_cut_counts_the_same);
	tcase_add_test(tc, a_length_of_4_gb_is_counted_down);
	suite_add_tcase(s, tc);
	return s;
}
