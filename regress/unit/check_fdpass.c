/*
 * Descriptors over a Unix socket: as many as were sent come, all others are
 * closed.
 */
#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/io/fdpass.h"
#include "regress/unit/unit.h"

#define MANY 20
#define PROBED 256 /* descriptors that are counted */

static int ends[2];

static void
setup(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}

static void
teardown(void)
{
	(void)close(ends[0]);
	(void)close(ends[1]);
}

/* Returns how many descriptors this process has. */
static int
open_fds(void)
{
	int fd, n = 0;

	for (fd = 0; fd < PROBED; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* Sends a byte and N times the end ends[0], in one header or in N. */
static void
send_raw(size_t n, bool apart)
{
	union {
		struct cmsghdr align;
		uint8_t space[MANY * CMSG_SPACE(sizeof(int))];
	} ctl;
	char byte = 'x';
	struct iovec iov = { &byte, 1 };
	struct msghdr mh = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cm;
	size_t i;

	memset(&ctl, 0, sizeof(ctl));
	mh.msg_control = &ctl;
	mh.msg_controllen =
	    apart ? n * CMSG_SPACE(sizeof(int)) : CMSG_SPACE(n * sizeof(int));
	cm = CMSG_FIRSTHDR(&mh);
	for (i = 0; i < n; i++) {
		if (i == 0 || apart) {
			cm->cmsg_level = SOL_SOCKET;
			cm->cmsg_type = SCM_RIGHTS;
			cm->cmsg_len = CMSG_LEN((apart ? 1 : n) * sizeof(int));
		}
		memcpy(CMSG_DATA(cm) + (apart ? 0 : i * sizeof(int)), &ends[0],
		    sizeof(int));
		if (apart)
			cm = CMSG_NXTHDR(&mh, cm);
	}
	ck_assert_int_eq(sendmsg(ends[0], &mh, 0), 1);
}

START_TEST(descriptors_come_with_bytes)
{
	int pipes[2], fds[3] = { -1, -1, -1 };
	char text[8] = "", byte;
	size_t n;

	ck_assert_int_eq(pipe(pipes), 0);
	ck_assert_int_eq(fdpass_send(ends[0], "hello", 5, pipes, 2, 0), 5);
	ck_assert_int_eq(
	    fdpass_recv(ends[1], text, sizeof(text), fds, 3, &n, 0), 5);
	ck_assert_str_eq(text, "hello");
	ck_assert_uint_eq(n, 2);
	ck_assert_int_eq(fds[2], -1);
	ck_assert_int_ne(fcntl(fds[0], F_GETFD) & FD_CLOEXEC, 0);
	/* They are the pipe. */
	ck_assert_int_eq(write(fds[1], "y", 1), 1);
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	ck_assert_int_eq(byte, 'y');
	(void)close(fds[0]);
	(void)close(fds[1]);
	(void)close(pipes[0]);
	(void)close(pipes[1]);
}
END_TEST

START_TEST(none_come_with_bytes_alone)
{
	char byte;
	size_t n = 9;
	int fd = -1;

	ck_assert_int_eq(fdpass_send(ends[0], "x", 1, NULL, 0, 0), 1);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, &fd, 1, &n, 0), 1);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(
	    fdpass_recv(ends[1], &byte, 1, &fd, 1, &n, MSG_DONTWAIT), -1);
	ck_assert_int_eq(errno, EAGAIN);
	(void)shutdown(ends[0], SHUT_WR);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, &fd, 1, &n, 0), 0);
	ck_assert_uint_eq(n, 0);
}
END_TEST

/* One too many of what the caller wants, of what there is room for, and far. */
START_TEST(too_many_are_closed)
{
	static const size_t sent[] = { 4, FDPASS_MAX, FDPASS_MAX + 1,
		FDPASS_MAX + 2, MANY };
	const size_t count = sent[_i / 2];
	int fds[3], before = open_fds();
	char byte;
	size_t n;

	send_raw(count, _i % 2);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, fds, 3, &n, 0), 1);
	ck_assert_int_eq(byte, 'x');
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(open_fds(), before);
	/* The next message is as any other. */
	send_raw(3, _i % 2);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, fds, 3, &n, 0), 1);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(open_fds(), before + 3);
	while (n > 0)
		(void)close(fds[--n]);
}
END_TEST

START_TEST(a_full_table_keeps_none)
{
	struct rlimit was, full;
	int fds[3], before, fd;
	char byte;
	size_t n;

	/* valgrind, which the short form is for, keeps the limit to itself. */
	if (unit_stride(2) > 1)
		return;
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &was), 0);
	send_raw(3, false);
	/* There is room for two. */
	fd = dup(ends[0]);
	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	full = was;
	full.rlim_cur = (rlim_t)fd + 2;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &full), 0);
	before = open_fds();
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, fds, 3, &n, 0), 1);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &was), 0);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(open_fds(), before);
}
END_TEST

#ifdef SO_PASSCRED
START_TEST(other_control_data_is_no_descriptor)
{
	const int on = 1;
	int fds[2];
	char byte;
	size_t n;

	ck_assert_int_eq(
	    setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)), 0);
	ck_assert_int_eq(fdpass_send(ends[0], "x", 1, &ends[0], 1, 0), 1);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, fds, 2, &n, 0), 1);
	ck_assert_uint_eq(n, 1);
	(void)close(fds[0]);
	ck_assert_int_eq(fdpass_send(ends[0], "x", 1, NULL, 0, 0), 1);
	ck_assert_int_eq(fdpass_recv(ends[1], &byte, 1, fds, 2, &n, 0), 1);
	ck_assert_uint_eq(n, 0);
}
END_TEST
#endif

START_TEST(what_cannot_be_sent)
{
	int fds[FDPASS_MAX + 1] = { 0 };

	ck_assert_int_eq(
	    fdpass_send(ends[0], "x", 1, fds, FDPASS_MAX + 1, 0), -1);
	ck_assert_int_eq(errno, EINVAL);
	/* A peer that has gone is no signal. */
	(void)shutdown(ends[1], SHUT_RDWR);
	ck_assert_int_eq(fdpass_send(ends[0], "x", 1, fds, 0, 0), -1);
	ck_assert_int_eq(errno, EPIPE);
}
END_TEST

UNIT_SUITE(fdpass)
{
	Suite *s = suite_create("fdpass");
	TCase *tc = tcase_create("fdpass");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, descriptors_come_with_bytes);
	tcase_add_test(tc, none_come_with_bytes_alone);
	tcase_add_loop_test(tc, too_many_are_closed, 0, 10);
	tcase_add_test(tc, a_full_table_keeps_none);
#ifdef SO_PASSCRED
	tcase_add_test(tc, other_control_data_is_no_descriptor);
#endif
	tcase_add_test(tc, what_cannot_be_sent);
	suite_add_tcase(s, tc);
	return s;
}
