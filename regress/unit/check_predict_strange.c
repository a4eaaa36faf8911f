/* The generated programs are the same for the same seed, and sound. */
#include <string.h>

#include "mux/vt/frame.h"
#include "regress/predict/strange.h"
#include "regress/unit/unit.h"

#define KEYS 300

/* Adds the typist's keys and the answers to OUT. */
static void
play(uint64_t seed, unsigned keys, struct buf *out)
{
	struct strange *s = strange_new(seed, 80, 24);
	const struct strange_piece *p;
	struct strange_press k;
	size_t n, i;

	buf_init(out, SIZE_MAX / 16);
	for (; keys > 0; keys--) {
		strange_press(s, &k);
		strange_key(s, k.key);
		buf_addf(out, "%llx %u %d ", (unsigned long long)k.key, k.gap,
		    k.secret);
		n = strange_pieces(s, &p);
		ck_assert_uint_ge(n, 1);
		for (i = 0; i < n; i++, p++) {
			ck_assert_uint_le(p->from, p->to);
			buf_addf(out, "%u %x ", p->wait, p->tty);
			buf_add(
			    out, strange_output(s) + p->from, p->to - p->from);
		}
	}
	strange_free(s);
}

START_TEST(a_seed_is_a_program_and_a_typist)
{
	uint64_t seed = unit_seed(1), i;
	struct buf a, b, c;

	for (i = 0; i < unit_rounds(40); i++) {
		play(seed + i, KEYS, &a);
		play(seed + i, KEYS, &b);
		play(seed + i + 1, KEYS, &c);
		ck_assert_uint_eq(a.len, b.len);
		ck_assert_int_eq(memcmp(a.data, b.data, a.len), 0);
		ck_assert(a.len != c.len || memcmp(a.data, c.data, a.len) != 0);
		buf_fini(&a);
		buf_fini(&b);
		buf_fini(&c);
	}
}
END_TEST

START_TEST(every_group_is_made)
{
	unsigned seen[STRANGE_GROUPS] = { 0 }, g;
	struct strange *s;
	uint64_t i;

	for (i = 0; i < 200; i++) {
		s = strange_new(i, 80, 24);
		seen[strange_group(s)]++;
		strange_free(s);
	}
	for (g = 0; g < STRANGE_GROUPS; g++)
		ck_assert_uint_gt(seen[g], 5);
}
END_TEST

START_TEST(keys_have_bytes_and_back)
{
	static const key_code keys[] = { KEY_ENTER, KEY_BSPACE, KEY_TAB, KEY_UP,
		KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_DC,
		KEY_ESCAPE, KEY_CTRL | 'a', KEY_META | 'b', 'x', 0x2603 };
	key_code key;
	char text[8];
	size_t i, n;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		n = strange_bytes(keys[i], text);
		ck_assert_uint_eq(strange_decode(text, n, &key), n);
		ck_assert_uint_eq(key, keys[i]);
	}
	ck_assert_uint_eq(strange_decode(text, 0, &key), 0);
}
END_TEST

/* Any key in any program, at any size. */
START_TEST(wild_keys_break_nothing)
{
	static const key_code keys[] = { KEY_ENTER, KEY_BSPACE, KEY_TAB, KEY_UP,
		KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_DC,
		KEY_ESCAPE, KEY_CTRL | 'u', KEY_CTRL | 'w', KEY_CTRL | 'k', ' ',
		'(', '"', '-', 'i', 'x', '/' };
	uint64_t seed = unit_seed(1), i;
	struct strange *s;
	unsigned k;

	for (i = 0; i < unit_rounds(60); i++) {
		s = strange_new(
		    seed + i, (unsigned)(50 + i % 80), (unsigned)(16 + i % 30));
		for (k = 0; k < 600; k++)
			strange_key(s, keys[(k * 7 + k / 13 + i) %
					    (sizeof(keys) / sizeof(keys[0]))]);
		strange_line(s, "text");
		strange_free(s);
	}
}
END_TEST

UNIT_SUITE(predict_strange)
{
	Suite *s = suite_create("predict/strange");
	TCase *t = tcase_create("strange");

	suite_add_tcase(s, t);
	tcase_set_timeout(t, 120);
	tcase_add_test(t, a_seed_is_a_program_and_a_typist);
	tcase_add_test(t, every_group_is_made);
	tcase_add_test(t, keys_have_bytes_and_back);
	tcase_add_test(t, wild_keys_break_nothing);
	return s;
}
