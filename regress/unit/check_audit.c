#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "regress/unit/unit.h"
#include "server/run/audit.h"
#include "server/run/audit_file.h"
#include "server/run/audit_text.h"

static char *audit_dir;

static void
setup(void)
{
	const char *base = getenv("TMPDIR");
	char *real;

	audit_dir =
	    mem_printf("%s/rmux-audit.XXXXXX", base == NULL ? "/tmp" : base);
	ck_assert_ptr_nonnull(mkdtemp(audit_dir));
	real = realpath(audit_dir, NULL);
	mem_free(audit_dir);
	audit_dir = mem_strdup(real);
	free(real);
}

static void
teardown(void)
{
	static const char *const names[] = { "log", "log.1", "log.2", "log.3",
		"log.4", "log.5", "link", "other", "sub" };
	char *path;
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		path = mem_printf("%s/%s", audit_dir, names[i]);
		(void)remove(path);
		mem_free(path);
	}
	ck_assert_int_eq(rmdir(audit_dir), 0);
	mem_free(audit_dir);
}

static char *
at(const char *name)
{
	return mem_printf("%s/%s", audit_dir, name);
}

/* The text of a file; the caller frees it. */
static char *
text_of(const char *name)
{
	char *path = at(name), *text = mem_zalloc(65536);
	FILE *f = fopen(path, "r");

	if (f != NULL) {
		(void)!fread(text, 1, 65535, f);
		fclose(f);
	}
	mem_free(path);
	return text;
}

static void
make(const char *name, mode_t mode)
{
	char *path = at(name);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
	mem_free(path);
}

static void
refused(const char *path, const char *why)
{
	struct cause c = { NULL };
	struct audit_file *f = audit_file_open(path, 0, &c);

	ck_assert_ptr_null(f);
	ck_assert_msg(
	    strstr(cause_text(&c), why) != NULL, "%s: %s", why, cause_text(&c));
	cause_fini(&c);
}

static void
refused_name(const char *name, const char *why)
{
	char *path = at(name);

	refused(path, why);
	mem_free(path);
}

/* security: others must not write, replace or redirect the file. */
START_TEST(unsafe_files_are_refused)
{
	char *link, *log, *sub;

	make("log", 0622);
	refused_name("log", "written by others");
	log = at("log");
	ck_assert_int_eq(chmod(log, 0600), 0);
	link = at("link");
	ck_assert_int_eq(symlink(log, link), 0);
	refused_name("link", "symbolic link");
	ck_assert_int_eq(unlink(link), 0);
	ck_assert_int_eq(mkfifo(link, 0600), 0);
	refused_name("link", "");
	ck_assert_int_eq(unlink(link), 0);
	sub = at("other");
	ck_assert_int_eq(symlink("/dev/null", sub), 0);
	refused_name("other", "symbolic link");
	ck_assert_int_eq(unlink(sub), 0);
	ck_assert_int_eq(chmod(audit_dir, 0777), 0);
	refused_name("log", "replace the file");
	ck_assert_int_eq(chmod(audit_dir, 0770), 0);
	refused_name("log", "replace the file");
	ck_assert_int_eq(chmod(audit_dir, 0700), 0);
	refused("relative", "no absolute path");
	refused("/dev/", "no absolute path");
	refused_name("sub/log", "No such file");
	mem_free(sub);
	mem_free(link);
	mem_free(log);
}
END_TEST

START_TEST(lines_are_appended_and_rotated)
{
	struct cause c = { NULL };
	char *path = at("log"), *text, line[101];
	struct audit_file *f;
	struct stat st;
	int i;

	memset(line, 'x', sizeof(line));
	line[99] = '\n';
	/* The file is reopened each time, so each line is written alone. */
	for (i = 0; i < 30; i++) {
		line[0] = (char)('a' + i % 26);
		f = audit_file_open(path, 1000, &c);
		ck_assert_msg(f != NULL, "%s", cause_text(&c));
		ck_assert(audit_file_put(f, line, 100));
		ck_assert_int_eq(audit_file_error(f), 0);
		audit_file_close(f);
	}
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
	ck_assert_int_eq(st.st_size, 1000);
	text = text_of("log.2");
	ck_assert_uint_eq(strlen(text), 1000);
	ck_assert_int_eq(text[0], 'a');
	mem_free(text);
	text = text_of("log");
	ck_assert_int_eq(text[0], 'a' + 20);
	mem_free(text);
	mem_free(path);
}
END_TEST

START_TEST(the_queue_is_bounded)
{
	struct cause c = { NULL };
	struct audit_file *f;
	char *big = mem_zalloc(AUDIT_FILE_QUEUE + 1);

	f = audit_file_open("/dev/full", 0, &c);
	ck_assert_ptr_null(f);
	cause_fini(&c);
	c.text = NULL;
	char *path = at("log");
	f = audit_file_open(path, 0, &c);
	ck_assert_ptr_nonnull(f);
	ck_assert(!audit_file_put(f, big, AUDIT_FILE_QUEUE + 1));
	ck_assert(audit_file_put(f, "one\n", 4));
	audit_file_reopen(f);
	ck_assert(audit_file_put(f, "two\n", 4));
	audit_file_close(f);
	audit_file_close(NULL);
	mem_free(big);
	big = text_of("log");
	ck_assert_str_eq(big, "one\ntwo\n");
	mem_free(big);
	mem_free(path);
}
END_TEST

START_TEST(values_are_escaped)
{
	static const struct {
		const char *value;
		const char *text;
	} rows[] = {
		{ "Ana", "Ana" },
		{ "type:%3", "type:%3" },
		{ "[::1]:60000", "[::1]:60000" },
		{ "", "\"\"" },
		{ "two words", "\"two words\"" },
		{ "a=b", "\"a=b\"" },
		{ "q\"\\", "\"q\\\"\\\\\"" },
		{ "x\n2026 leave\033[2J\x7f",
		    "\"x\\x0a2026 leave\\x1b[2J\\x7f\"" },
		{ "\xc3\xa9", "\"\\xc3\\xa9\"" },
	};
	struct buf b;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		buf_init(&b, 4096);
		audit_put_value(&b, rows[i].value);
		ck_assert_str_eq(buf_cstr(&b), rows[i].text);
		buf_fini(&b);
	}
}
END_TEST

UNIT_SUITE(audit)
{
	Suite *s = suite_create("audit");
	TCase *tc = tcase_create("audit");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, unsafe_files_are_refused);
	tcase_add_test(tc, lines_are_appended_and_rotated);
	tcase_add_test(tc, the_queue_is_bounded);
	tcase_add_test(tc, values_are_escaped);
	suite_add_tcase(s, tc);
	return s;
}
