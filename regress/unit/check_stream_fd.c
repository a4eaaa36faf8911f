#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/stream.h"
#include "regress/unit/unit.h"
#include "ssp/io/stream_fd.h"

/* More records than fit a pipe pass in order and whole. */
START_TEST(records_pass_through_a_full_pipe)
{
	struct ssp_stream_link a, b;
	uint8_t record[1000], *p;
	size_t sent = 0, got = 0, n;
	bool full = false;
	int fds[2], r;

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(stream_prepare(fds[0]), 0);
	ck_assert_int_eq(stream_prepare(fds[1]), 0);
	ssp_stream_link_init(&a);
	ssp_stream_link_init(&b);
	ck_assert_int_eq(stream_fd_read(&b, fds[0]), -ERR_AGAIN);
	while (got < 500) {
		if (sent < 500) {
			memset(record, (int)(sent & 0xff), sizeof(record));
			if (ssp_stream_link_put(&a, record, sizeof(record)) ==
			    0)
				sent++;
			else
				full = true;
		}
		r = stream_fd_write(&a, fds[1]);
		ck_assert(r == 0 || r == -ERR_AGAIN);
		/* Read only when the pipe and the stream are full. */
		if (!full && sent < 500)
			continue;
		r = stream_fd_read(&b, fds[0]);
		ck_assert(r == 0 || r == -ERR_AGAIN);
		while ((r = ssp_stream_link_next(&b, &p, &n)) == 1) {
			ck_assert_uint_eq(n, sizeof(record));
			ck_assert_uint_eq(p[0], got & 0xff);
			ck_assert_uint_eq(p[n - 1], got & 0xff);
			got++;
		}
		ck_assert_int_eq(r, 0);
	}
	ck_assert(full);
	close(fds[1]);
	r = stream_fd_read(&b, fds[0]);
	ck_assert(r != 0 && r != -ERR_AGAIN);
	close(fds[0]);
	ssp_stream_link_fini(&a);
	ssp_stream_link_fini(&b);
}
END_TEST

/* A closed reader is an error, not a wait. */
START_TEST(a_broken_pipe_is_told)
{
	struct ssp_stream_link a;
	int fds[2], r;

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(stream_prepare(fds[1]), 0);
	signal(SIGPIPE, SIG_IGN);
	ssp_stream_link_init(&a);
	close(fds[0]);
	ck_assert_int_eq(ssp_stream_link_put(&a, (const uint8_t *)"x", 1), 0);
	r = stream_fd_write(&a, fds[1]);
	ck_assert(r != 0 && r != -ERR_AGAIN);
	close(fds[1]);
	ssp_stream_link_fini(&a);
}
END_TEST

UNIT_SUITE(stream_fd)
{
	Suite *s = suite_create("stream_fd");
	TCase *tc = tcase_create("stream_fd");

	tcase_add_test(tc, records_pass_through_a_full_pipe);
	tcase_add_test(tc, a_broken_pipe_is_told);
	suite_add_tcase(s, tc);
	return s;
}
