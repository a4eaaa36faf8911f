#include <string.h>

#include "base/buf.h"
#include "client/doctor.h"
#include "client/doctor_probe.h"
#include "regress/unit/unit.h"

START_TEST(probes_are_answered_once_and_only_with_the_key)
{
	static const size_t sizes[] = { DOCTOR_PROBE_MIN, 200, 1472 };
	struct doctor_key k = { .id = 0x1122334455667788 }, other;
	uint8_t p[DOCTOR_PROBE_MAX + 1];
	uint32_t number;
	uint64_t wall;
	size_t i, at;

	ck_assert_int_eq(ssp_crypto_init(), 0);
	memset(k.key, 7, sizeof(k.key));
	other = k;
	other.key[31] ^= 1;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		doctor_probe_make(&k, 41, p, sizes[i]);
		/* A probe with another key or a changed byte gets no answer. */
		ck_assert_int_ne(
		    doctor_probe_answer(&other, 1, p, sizes[i]), 0);
		for (at = 0; at < sizes[i]; at += sizes[i] / 40) {
			p[at] ^= 0x10;
			ck_assert_int_ne(
			    doctor_probe_answer(&k, 1, p, sizes[i]), 0);
			p[at] ^= 0x10;
		}
		ck_assert_int_ne(
		    doctor_probe_answer(&k, 1, p, sizes[i] - 1), 0);
		/* A probe is not an answer, and an answer is not a probe. */
		ck_assert_int_ne(
		    doctor_probe_read(&k, p, sizes[i], &number, &wall), 0);
		ck_assert_int_eq(
		    doctor_probe_answer(&k, 1234567890123, p, sizes[i]), 0);
		ck_assert_int_ne(doctor_probe_answer(&k, 1, p, sizes[i]), 0);
		ck_assert_int_eq(
		    doctor_probe_read(&k, p, sizes[i], &number, &wall), 0);
		ck_assert_uint_eq(number, 41);
		ck_assert_uint_eq(wall, 1234567890123);
	}
	for (i = 0; i < DOCTOR_PROBE_MIN; i++)
		ck_assert_int_ne(doctor_probe_answer(&k, 1, p, i), 0);
	ck_assert_int_ne(doctor_probe_answer(&k, 1, p, sizeof(p)), 0);
}
END_TEST

START_TEST(round_trips_and_clocks)
{
	struct doctor_trips t = { .sent = 5 };

	ck_assert_uint_eq(doctor_trips_median(&t), 0);
	t = (struct doctor_trips){ 5, 1, { 700 } };
	ck_assert_uint_eq(doctor_trips_median(&t), 700);
	t = (struct doctor_trips){ 5, 5, { 9000, 100, 300, 50, 200 } };
	ck_assert_uint_eq(doctor_trips_median(&t), 200);
	ck_assert_int_eq(doctor_skew(1000000, 100000, 1000050), 0);
	ck_assert_int_eq(doctor_skew(1000000, 0, 997000), -3000);
	ck_assert_int_eq(doctor_skew(1000000, 4000, 1060002), 60000);
}
END_TEST

START_TEST(findings_travel_as_lines)
{
	struct doctor_finding f, g;
	struct buf b;
	char name[64];

	memset(&f, 0, sizeof(f));
	buf_init(&b, 4096);
	doctor_find(&f, DOCTOR_NOTE, "do\tthis", "it is %d\033[31m\n", 42);
	doctor_line_format(&b, "some thing", &f);
	ck_assert_str_eq(
	    buf_cstr(&b), "CHECK\tnote\tsome thing\tit is 42?[31m?\tdo?this\n");
	b.len--;
	ck_assert(doctor_line_parse(buf_cstr(&b), name, sizeof(name), &g));
	ck_assert_str_eq(name, "some thing");
	ck_assert_int_eq(g.verdict, DOCTOR_NOTE);
	ck_assert_str_eq(g.text, "it is 42?[31m?");
	ck_assert_str_eq(g.advice, "do?this");
	buf_fini(&b);
}
END_TEST

START_TEST(lines_of_others_are_not_trusted)
{
	static const char *const bad[] = { "", "CHECK", "CHECK\tok",
		"CHECK\tok\tname\ttext", "CHECK\tfine\tname\ttext\tadvice",
		"CHECK\tok\tname\ttext\tadvice\tmore", "CHECKS\tok\ta\tb\tc",
		"CHECK ok a b c" };
	struct doctor_finding f;
	char name[8], line[2048];
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(
		    !doctor_line_parse(bad[i], name, sizeof(name), &f),
		    "row %zu", i);
	ck_assert(
	    doctor_line_parse("CHECK\tok\tvery long name\t\033]0;x\a\xc2\x9b"
			      "31m\t\x7f",
		name, sizeof(name), &f));
	ck_assert_str_eq(name, "very lo");
	ck_assert_str_eq(f.text, "?]0;x???31m");
	ck_assert_str_eq(f.advice, "?");
	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	memcpy(line, "CHECK\tok\tn\t", 11);
	line[1500] = '\t';
	ck_assert(doctor_line_parse(line, name, sizeof(name), &f));
	ck_assert_uint_eq(strlen(f.text), sizeof(f.text) - 1);
}
END_TEST

UNIT_SUITE(doctor)
{
	Suite *s = suite_create("doctor");
	TCase *tc = tcase_create("doctor");

	tcase_add_test(tc, probes_are_answered_once_and_only_with_the_key);
	tcase_add_test(tc, round_trips_and_clocks);
	tcase_add_test(tc, findings_travel_as_lines);
	tcase_add_test(tc, lines_of_others_are_not_trusted);
	suite_add_tcase(s, tc);
	return s;
}
