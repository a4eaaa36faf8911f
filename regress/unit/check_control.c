#include <string.h>

#include "base/mem.h"
#include "mux/sync/control.h"
#include "regress/unit/unit.h"

static const char *const control_argv[] = { "new-session", "-s", "a b", NULL };
static const char *const control_env[] = { "PATH=/bin", NULL };

static void
control_make(struct control_msg *m)
{
	memset(m, 0, sizeof(*m));
	m->type = CONTROL_HELLO;
	m->has = CONTROL_HAS_VERSION | CONTROL_HAS_LIST | CONTROL_HAS_ENV |
		 CONTROL_HAS_CWD | CONTROL_HAS_SIZE | CONTROL_HAS_FLAGS;
	m->version_min = 1;
	m->version_max = 7;
	m->argv = control_argv;
	m->env = control_env;
	m->cwd = (struct control_str){ "/tmp", 4 };
	m->size[0] = 80;
	m->size[3] = 65535;
	m->flags = CONTROL_FLAG_TTY;
}

START_TEST(what_is_encoded_is_decoded)
{
	struct control_msg m, d;
	struct control_str s;
	struct buf b;
	size_t used, n;
	char *text;

	buf_init(&b, CONTROL_MESSAGE_MAX);
	control_make(&m);
	ck_assert_int_eq(control_encode(&m, &b), 0);
	ck_assert_int_eq(
	    control_put_code(&b, CONTROL_EXIT, -3, "lost server"), 0);
	for (n = 0; n < b.len; n++) {
		int r = control_decode(b.data, n, &d, &used);

		ck_assert(r == 0 || r == -ERR_AGAIN);
	}
	ck_assert_int_eq(control_decode(b.data, b.len, &d, &used), 0);
	ck_assert_int_eq(d.type, CONTROL_HELLO);
	ck_assert_uint_eq(d.has, m.has);
	ck_assert_uint_eq(d.version_max, 7);
	ck_assert_uint_eq(d.size[3], 65535);
	ck_assert_uint_eq(d.list.count, 3);
	ck_assert(control_list_next(&d.list, &s));
	ck_assert(control_list_next(&d.list, &s));
	ck_assert(control_list_next(&d.list, &s));
	text = control_str_new(s);
	ck_assert_str_eq(text, "a b");
	mem_free(text);
	ck_assert(!control_list_next(&d.list, &s));
	buf_consume(&b, used);
	ck_assert_int_eq(control_decode(b.data, b.len, &d, &used), 0);
	ck_assert_int_eq(d.type, CONTROL_EXIT);
	ck_assert_int_eq(d.code, -3);
	ck_assert_uint_eq(used, b.len);
	buf_fini(&b);
}
END_TEST

START_TEST(every_flipped_byte_is_decoded_or_refused)
{
	struct control_msg m, d;
	struct control_str s;
	struct buf b;
	size_t used, i;
	int bit;

	buf_init(&b, CONTROL_MESSAGE_MAX);
	control_make(&m);
	ck_assert_int_eq(control_encode(&m, &b), 0);
	for (i = 0; i < b.len; i++)
		for (bit = 0; bit < 8; bit++) {
			b.data[i] ^= (uint8_t)(1 << bit);
			if (control_decode(b.data, b.len, &d, &used) == 0)
				while (control_list_next(&d.list, &s))
					ck_assert_uint_le(s.len, b.len);
			b.data[i] ^= (uint8_t)(1 << bit);
		}
	buf_fini(&b);
}
END_TEST

START_TEST(unknown_codes_and_fields_are_skipped_and_needed_ones_demanded)
{
	/* {0: 99, 77: [1, {2: nil}]} */
	static const uint8_t unknown[] = { 0, 0, 0, 10, 0x82, 0, 99, 77, 0x92,
		1, 0x81, 2, 0xc0, 0xc0 };
	static const uint8_t lacks[] = { 0, 0, 0, 3, 0x81, 0, 22 };
	static const uint8_t huge[] = { 0xff, 0xff, 0xff, 0xff };
	struct control_msg d;
	size_t used;

	ck_assert_int_eq(
	    control_decode(unknown, sizeof(unknown), &d, &used), -ERR_PEER);
	uint8_t good[sizeof(unknown)];
	memcpy(good, unknown, sizeof(good));
	good[3] = 9;
	ck_assert_int_eq(control_decode(good, sizeof(good), &d, &used), 0);
	ck_assert_int_eq(d.type, CONTROL_NONE);
	ck_assert_uint_eq(used, 13);
	ck_assert_int_eq(
	    control_decode(lacks, sizeof(lacks), &d, &used), -ERR_PEER);
	ck_assert_int_eq(
	    control_decode(huge, sizeof(huge), &d, &used), -ERR_LIMIT);
}
END_TEST

UNIT_SUITE(control)
{
	Suite *s = suite_create("control");
	TCase *tc = tcase_create("control");

	tcase_add_test(tc, what_is_encoded_is_decoded);
	tcase_add_test(tc, every_flipped_byte_is_decoded_or_refused);
	tcase_add_test(
	    tc, unknown_codes_and_fields_are_skipped_and_needed_ones_demanded);
	suite_add_tcase(s, tc);
	return s;
}
