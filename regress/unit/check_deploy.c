#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "client/deploy_file.h"
#include "client/far.h"
#include "regress/unit/unit.h"

/* --- programs ------------------------------------------------------------- */

#define PROGRAM 512
#define MARK "@(#)rmux " PACKAGE_VERSION

/* Makes a program of 64 bits for x86-64 with one program header of TYPE. */
static void
program_make(uint8_t p[static PROGRAM], uint8_t type, const char *mark)
{
	memset(p, 0, PROGRAM);
	memcpy(p, "\177ELF\2\1\1", 7);
	p[16] = 3;  /* position-independent */
	p[18] = 62; /* x86-64 */
	p[32] = 64; /* program headers: where, size, count */
	p[54] = 56;
	p[56] = 1;
	p[64] = type;
	memcpy(p + 200, mark, strlen(mark) + 1);
}

static int
look(struct deploy_file *f, const void *p, size_t n, char why[static 256])
{
	struct cause c = { NULL };
	int r;

	memset(f, 0, sizeof(*f));
	strcpy(f->path, "file");
	r = deploy_file_look(f, p, n, &c);
	snprintf(why, 256, "%s", cause_text(&c));
	cause_fini(&c);
	return r;
}

START_TEST(a_program_says_what_it_is)
{
	uint8_t p[PROGRAM];
	struct deploy_file f;
	char why[256];

	program_make(p, 1, MARK);
	ck_assert_int_eq(look(&f, p, sizeof(p), why), 0);
	ck_assert_str_eq(f.machine, "x86_64");
	ck_assert(!f.needs_libs);
	ck_assert_uint_eq(f.size, sizeof(p));
	ck_assert_uint_eq(strlen(f.sum), 64);
	ck_assert(deploy_file_fits(&f, "x86_64"));
	ck_assert(deploy_file_fits(&f, "amd64"));
	ck_assert(!deploy_file_fits(&f, "aarch64"));
	ck_assert(!deploy_file_fits(&f, ""));
	program_make(p, 3, MARK);
	ck_assert_int_eq(look(&f, p, sizeof(p), why), 0);
	ck_assert(f.needs_libs);
	p[18] = 183;
	ck_assert_int_eq(look(&f, p, sizeof(p), why), 0);
	ck_assert_str_eq(f.machine, "aarch64");
}
END_TEST

START_TEST(other_files_are_refused)
{
	uint8_t p[PROGRAM];
	struct deploy_file f;
	char why[256];

	program_make(p, 1, "@(#)rmux 0.0.1");
	ck_assert_int_eq(look(&f, p, sizeof(p), why), -ERR_VERSION);
	ck_assert_str_eq(
	    why, "file is rmux 0.0.1, and this is rmux " PACKAGE_VERSION);
	program_make(p, 1, "another program");
	ck_assert_int_eq(look(&f, p, sizeof(p), why), -ERR_VERSION);
	ck_assert_str_eq(why, "file is not rmux");
	program_make(p, 1, MARK);
	p[18] = 99;
	ck_assert_int_eq(look(&f, p, sizeof(p), why), -ERR_TYPE);
	program_make(p, 1, MARK);
	p[7] = 9; /* FreeBSD */
	ck_assert_int_eq(look(&f, p, sizeof(p), why), -ERR_TYPE);
	ck_assert_int_eq(look(&f, "#!/bin/sh\n", 10, why), -ERR_TYPE);
	ck_assert_str_eq(why, "file is not a program for Linux");
	ck_assert_int_eq(look(&f, p, 0, why), -ERR_TYPE);
}
END_TEST

/* Every length, and every byte of the header: no read beyond the file. */
START_TEST(a_damaged_program_does_no_harm)
{
	uint8_t p[PROGRAM], *copy;
	struct deploy_file f;
	char why[256];
	unsigned v;
	size_t i;

	for (i = 0; i <= PROGRAM; i++) {
		program_make(p, 3, MARK);
		copy = mem_alloc(i + 1);
		memcpy(copy, p, i);
		(void)look(&f, copy, i, why);
		mem_free(copy);
	}
	for (i = 0; i < 72; i++)
		for (v = 0; v < 256; v += 5) {
			program_make(p, 3, MARK);
			p[i] = (uint8_t)v;
			(void)look(&f, p, sizeof(p), why);
		}
	/* A version without an end. */
	program_make(p, 1, MARK);
	memset(p + 200, 'x', PROGRAM - 200);
	memcpy(p + 200, MARK, strlen(MARK));
	ck_assert_int_eq(look(&f, p, sizeof(p), why), -ERR_VERSION);
}
END_TEST

/* --- the far side --------------------------------------------------------- */

static bool
missing(const char *text, struct far_machine *m)
{
	return far_missing_parse(text, strlen(text), m);
}

START_TEST(the_far_machine_is_named)
{
	struct far_machine m;

	ck_assert(
	    missing("Welcome\nto RMUX MISSING none Linux x86_64\r\n", &m));
	ck_assert(!m.other);
	ck_assert_str_eq(m.system, "Linux");
	ck_assert_str_eq(m.machine, "x86_64");
	ck_assert(missing("RMUX MISSING other Linux aarch64\n", &m));
	ck_assert(m.other);
}
END_TEST

/* security: nothing of another machine reaches the terminal. */
START_TEST(damaged_names_are_refused)
{
	static const char *const bad[] = { "", "RMUX MISSING",
		"RMUX MISSING none Linux x86_64", "RMUX MISSING none Linux\n",
		"RMUX MISSING none  x86_64\n",
		"RMUX MISSING none Linux x86_64 more\n",
		"RMUX MISSING none Li\033[31m x86_64\n",
		"RMUX MISSING none Linux ../../etc\n",
		"RMUX MISSING none Linux $(reboot)\n",
		"RMUX MISSING none Linux x86_64x86_64x86_64x86_64x86_64x86\n" };
	struct far_machine m;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		ck_assert_msg(!missing(bad[i], &m), "%s", bad[i]);
		ck_assert_str_eq(m.system, "");
	}
}
END_TEST

START_TEST(the_result_of_a_copy)
{
	const struct far_step *step;
	bool summed;

	ck_assert(
	    far_take_parse("hello\nRMUX TAKEN sum\n", 21, &summed, &step));
	ck_assert(summed);
	ck_assert(far_take_parse("RMUX TAKEN size\n", 16, &summed, &step));
	ck_assert(!summed);
	ck_assert(!far_take_parse("RMUX TAKEN \033[m\n", 15, &summed, &step));
	ck_assert(!far_take_parse("RMUX TAKEN sum", 14, &summed, &step));
	ck_assert_ptr_null(step);
	ck_assert(!far_take_parse("RMUX FAILED write\n", 18, &summed, &step));
	ck_assert_str_eq(step->text, "the file cannot be written");
	ck_assert(!far_take_parse("RMUX FAILED else\n", 17, &summed, &step));
	ck_assert_ptr_null(step);
}
END_TEST

/* Login shells other than sh must pass the commands on to sh as they are. */
START_TEST(commands_suit_every_login_shell)
{
	struct buf b;

	buf_init(&b, 1 << 16);
	far_find(&b, "0123 4567", FAR_SAY, "user@host");
	far_take(&b, 12345, "0123");
	ck_assert_ptr_null(strpbrk(buf_cstr(&b), "!\\\n"));
	ck_assert_ptr_nonnull(
	    strstr(buf_cstr(&b), " '0123 4567' user@host sh "));
	buf_clear(&b);
	far_quote(&b, "it's");
	far_quote(&b, "plain-1.2/x");
	far_quote(&b, "");
	ck_assert_str_eq(buf_cstr(&b), "'it'\\''s' plain-1.2/x ''");
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(deploy)
{
	Suite *s = suite_create("deploy");
	TCase *tc = tcase_create("deploy");

	tcase_add_test(tc, a_program_says_what_it_is);
	tcase_add_test(tc, other_files_are_refused);
	tcase_add_test(tc, a_damaged_program_does_no_harm);
	tcase_add_test(tc, the_far_machine_is_named);
	tcase_add_test(tc, damaged_names_are_refused);
	tcase_add_test(tc, the_result_of_a_copy);
	tcase_add_test(tc, commands_suit_every_login_shell);
	suite_add_tcase(s, tc);
	return s;
}
