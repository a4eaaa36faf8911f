#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "mux/paste.h"
#include "regress/unit/conn_util.h"
#include "regress/unit/unit.h"
#include "server/io/conn_sink.h"
#include "server/run/notes.h"

struct ended {
	unsigned calls;
	int error;
	char *data;
	size_t len;
};

static void
was_read(void *arg, int error, char *data, size_t len)
{
	struct ended *e = arg;

	e->calls++;
	e->error = error;
	mem_free(e->data);
	e->data = data;
	e->len = len;
}

static void
was_written(void *arg, int error)
{
	struct ended *e = arg;

	e->calls++;
	e->error = error;
}

START_TEST(nobody_and_the_configuration_take_no_output)
{
	struct run_util u;
	struct sink s;
	char *text;
	bool hint;

	run_util_init(&u);
	s = sink_nobody(&u.run);
	ck_assert(s.ops->places);
	sink_lines(&s, "line\n", 5);
	sink_bytes(&s, "bytes", 5);
	sink_error(&s, "error");
	sink_exit_code(&s, 3);
	ck_assert_ptr_null(notes_take(u.run.notes, &hint));
	s = sink_config(&u.run);
	ck_assert(s.ops->places);
	sink_lines(&s, "line\n", 5);
	sink_bytes(&s, "bytes", 5);
	sink_exit_code(&s, 3);
	sink_error(&s, "a:1: error");
	text = notes_take(u.run.notes, &hint);
	ck_assert_str_eq(text, "a:1: error");
	mem_free(text);
	run_util_fini(&u);
}
END_TEST

START_TEST(without_a_caller_files_are_the_servers_own)
{
	struct sink_file f = { "file", false, "one", 3 };
	struct ended e = { 0 };
	struct run_util u;
	struct sink s;
	char dir[256], *text;

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	s = sink_nobody(&u.run);
	sink_write(&s, &f, was_written, &e);
	ck_assert_int_eq(e.error, 0);
	f.append = true;
	sink_write(&s, &f, was_written, &e);
	text = run_util_read("file");
	ck_assert_str_eq(text, "oneone");
	mem_free(text);
	f.append = false;
	sink_write(&s, &f, was_written, &e);
	sink_read(&s, "file", was_read, &e);
	ck_assert_int_eq(e.error, 0);
	ck_assert_uint_eq(e.len, 3);
	ck_assert_int_eq(memcmp(e.data, "one", 3), 0);
	sink_read(&s, "none", was_read, &e);
	ck_assert_int_eq(e.error, ENOENT);
	sink_read(&s, "-", was_read, &e);
	ck_assert_int_eq(e.error, EBADF);
	f.path = "-";
	sink_write(&s, &f, was_written, &e);
	ck_assert_int_eq(e.error, EBADF);
	f.path = "none/file";
	sink_write(&s, &f, was_written, &e);
	ck_assert_int_eq(e.error, ENOENT);
	f.path = "/dev/full";
	if (access(f.path, W_OK) == 0) {
		sink_write(&s, &f, was_written, &e);
		ck_assert_int_eq(e.error, ENOSPC);
	}
	(void)unlink("file");
	ck_assert_int_eq(rmdir(dir), 0);
	ck_assert_uint_ge(e.calls, 8);
	run_util_fini(&u);
}
END_TEST

/* A pipe may be another user's, who reads nothing. */
START_TEST(a_full_pipe_holds_nobody_up)
{
	const size_t n = 1 << 22;
	char *zeros = mem_zalloc(n), dir[256];
	struct sink_file f = { "pipe", false, zeros, n };
	struct ended e = { 0 };
	struct run_util u;
	struct sink s;
	int fd;

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	s = sink_nobody(&u.run);
	ck_assert_int_eq(mkfifo("pipe", 0600), 0);
	sink_write(&s, &f, was_written, &e);
	ck_assert_int_eq(e.error, ENXIO);
	fd = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	sink_write(&s, &f, was_written, &e);
	ck_assert_int_eq(e.error, EAGAIN);
	(void)close(fd);
	sink_read(&s, "pipe", was_read, &e);
	ck_assert_int_ne(e.error, 0);
	(void)unlink("pipe");
	ck_assert_int_eq(rmdir(dir), 0);
	mem_free(zeros);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_file_that_is_too_large_is_refused)
{
	struct ended e = { 0 };
	struct run_util u;
	struct sink s;
	char dir[256];

	run_util_init(&u);
	(void)run_util_dir(dir, sizeof(dir));
	run_util_file("large", "");
	ck_assert_int_eq(truncate("large", (off_t)PASTE_SIZE_MAX + 1), 0);
	s = sink_nobody(&u.run);
	sink_read(&s, "large", was_read, &e);
	ck_assert_int_eq(e.error, EFBIG);
	(void)unlink("large");
	ck_assert_int_eq(rmdir(dir), 0);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_process_gets_output_errors_and_its_exit_code)
{
	struct conn_util cu;
	struct peer p;
	struct sink s;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	s = conn_sink(&cu.u.run, p.cn);
	ck_assert(s.ops->places);
	sink_lines(&s, "a line\n", 7);
	sink_lines(&s, "", 0);
	sink_bytes(&s, "no newline", 10);
	peer_expect(&cu, &p, "OUT:a line\n|OUT:no newline|");
	ck_assert_int_eq(conn_exit_code(p.cn), 0);
	sink_error(&s, "wrong");
	peer_expect(&cu, &p, "ERR:wrong|ERR:\n|");
	ck_assert_int_eq(conn_exit_code(p.cn), 1);
	sink_exit_code(&s, 4);
	conn_exit(p.cn, conn_exit_code(p.cn), NULL);
	peer_expect(&cu, &p, "EXIT 4|END|");
	peer_close(&p);
	conn_util_fini(&cu);
}
END_TEST

START_TEST(a_process_reads_and_writes_its_own_files)
{
	const struct sink_file f = { "-", false, "text", 4 };
	struct ended read = { 0 }, written = { 0 };
	struct conn_util cu;
	struct peer p;
	struct sink s;

	conn_util_init(&cu);
	peer_greet(&cu, &p, 0);
	s = conn_sink(&cu.u.run, p.cn);
	sink_read(&s, "/etc/hosts", was_read, &read);
	sink_write(&s, &f, was_written, &written);
	peer_expect(&cu, &p, "OPEN 0:/etc/hosts|OPEN 1:-|");
	ck_assert_uint_eq(read.calls + written.calls, 0);
	peer_close(&p);
	RUN_UNTIL(&cu.u, read.calls + written.calls == 2);
	ck_assert_int_eq(read.error, EPIPE);
	ck_assert_int_eq(written.error, EPIPE);
	mem_free(read.data);
	conn_util_fini(&cu);
}
END_TEST

UNIT_SUITE(sink)
{
	Suite *s = suite_create("sink");
	TCase *tc = tcase_create("sink");

	tcase_add_test(tc, nobody_and_the_configuration_take_no_output);
	tcase_add_test(tc, without_a_caller_files_are_the_servers_own);
	tcase_add_test(tc, a_full_pipe_holds_nobody_up);
	tcase_add_test(tc, a_file_that_is_too_large_is_refused);
	tcase_add_test(tc, a_process_gets_output_errors_and_its_exit_code);
	tcase_add_test(tc, a_process_reads_and_writes_its_own_files);
	suite_add_tcase(s, tc);
	return s;
}
