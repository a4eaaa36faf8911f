#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "regress/unit/conn_util.h"
#include "regress/unit/unit.h"
#include "server/io/listen.h"

struct door {
	struct conn_util cu;
	struct listen *l;
	char dir[256];
	char path[300];
};

static void
door_open(struct door *d)
{
	int fd, lock;

	conn_util_init(&d->cu);
	(void)run_util_dir(d->dir, sizeof(d->dir));
	(void)snprintf(d->path, sizeof(d->path), "%s/s", d->dir);
	ck_assert_int_eq(sock_listen(d->path, &fd, &lock, NULL), 0);
	d->l = listen_new(&d->cu.conns, d->path, fd, lock);
}

static void
door_close(struct door *d)
{
	char lock[310];

	listen_free(d->l);
	(void)snprintf(lock, sizeof(lock), "%s.lock", d->path);
	(void)unlink(lock);
	ck_assert_int_eq(rmdir(d->dir), 0);
	conn_util_fini(&d->cu);
}

START_TEST(callers_are_taken_in)
{
	struct door d;
	int a, b, c;

	door_open(&d);
	ck_assert_int_eq(sock_connect(d.path, &a, NULL), 0);
	ck_assert_int_eq(sock_connect(d.path, &b, NULL), 0);
	RUN_UNTIL(&d.cu.u, d.cu.conns.all.count == 2);
	/* One that waits may be taken in at once. */
	ck_assert_int_eq(sock_connect(d.path, &c, NULL), 0);
	listen_accept(d.l);
	ck_assert_uint_eq(d.cu.conns.all.count, 3);
	ck_assert(!listen_paused(d.l));
	close(a);
	close(b);
	close(c);
	RUN_UNTIL(&d.cu.u, d.cu.conns.all.count == 0);
	door_close(&d);
	listen_free(NULL);
}
END_TEST

START_TEST(a_socket_that_was_removed_is_made_again)
{
	struct door d;
	struct stat st;
	int fd;

	door_open(&d);
	ck_assert_int_eq(unlink(d.path), 0);
	ck_assert_int_ne(sock_connect(d.path, &fd, NULL), 0);
	listen_reopen(d.l);
	ck_assert_int_eq(sock_connect(d.path, &fd, NULL), 0);
	RUN_UNTIL(&d.cu.u, d.cu.conns.all.count == 1);
	close(fd);
	listen_close(d.l);
	ck_assert_int_ne(stat(d.path, &st), 0);
	listen_accept(d.l);
	listen_resume(d.l);
	door_close(&d);
}
END_TEST

/* Leaves no descriptor beyond those in use. */
static void
no_descriptors(void)
{
	struct rlimit l;
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &l), 0);
	l.rlim_cur = (rlim_t)fd;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &l), 0);
}

START_TEST(without_descriptors_a_caller_is_refused)
{
	struct control_msg m;
	struct door d;
	uint8_t bytes[256];
	size_t used;
	ssize_t n = -1;
	int fd;

	door_open(&d);
	ck_assert_int_eq(sock_connect(d.path, &fd, NULL), 0);
	no_descriptors();
	RUN_UNTIL(&d.cu.u, (n = read(fd, bytes, sizeof(bytes))) > 0);
	ck_assert_int_eq(control_decode(bytes, (size_t)n, &m, &used), 0);
	ck_assert_int_eq(m.type, CONTROL_REFUSED);
	ck_assert_uint_eq(d.cu.conns.all.count, 0);
	ck_assert(!listen_paused(d.l));
	close(fd);
	door_close(&d);
}
END_TEST

/* A silent connection is closed for one that may say who it is. */
START_TEST(without_descriptors_a_silent_caller_makes_room)
{
	struct door d;
	mono_ms begin;
	int silent, fd;

	door_open(&d);
	ck_assert_int_eq(sock_connect(d.path, &silent, NULL), 0);
	RUN_UNTIL(&d.cu.u, d.cu.conns.all.count == 1);
	begin = sys_now();
	RUN_UNTIL(&d.cu.u, sys_now() > begin + 510);
	ck_assert_int_eq(sock_connect(d.path, &fd, NULL), 0);
	no_descriptors();
	RUN_UNTIL(&d.cu.u, conn_find(&d.cu.conns, 2) != NULL);
	ck_assert_ptr_null(conn_find(&d.cu.conns, 1));
	close(silent);
	close(fd);
	door_close(&d);
}
END_TEST

UNIT_SUITE(listen)
{
	Suite *s = suite_create("listen");
	TCase *tc = tcase_create("listen");

	tcase_add_test(tc, callers_are_taken_in);
	tcase_add_test(tc, a_socket_that_was_removed_is_made_again);
	/* valgrind closes a connection beyond the limit instead of EMFILE. */
	if (getenv("UNIT_SHORT") == NULL) {
		tcase_add_test(tc, without_descriptors_a_caller_is_refused);
		tcase_add_test(
		    tc, without_descriptors_a_silent_caller_makes_room);
	}
	suite_add_tcase(s, tc);
	return s;
}
