#include <sys/socket.h>

#include <unistd.h>

#include "base/err.h"
#include "base/io/sock.h"
#include "base/mem.h"
#include "regress/unit/unit.h"
#include "server/run/access.h"

#define OWNER 1000

/* What a peer of user UID and groups 20 and GID may do. */
static enum access
may(const struct access_list *l, uid_t uid, gid_t gid)
{
	gid_t gids[] = { 20, gid };
	const struct access_peer p = { uid, gids, 2 };

	return access_of(l, OWNER, &p);
}

START_TEST(nobody_but_owner_and_root_has_access_at_first)
{
	struct access_list l = { NULL, 0 };

	ck_assert_int_eq(may(&l, OWNER, 20), ACCESS_WRITE);
	ck_assert_int_eq(may(&l, 0, 20), ACCESS_WRITE);
	ck_assert_int_eq(may(&l, 1001, 20), ACCESS_NONE);
	/* Group 0 and a group of the owner's number are no users. */
	ck_assert_int_eq(may(&l, 1001, 0), ACCESS_NONE);
	ck_assert_int_eq(may(&l, 1001, OWNER), ACCESS_NONE);
	access_fini(&l);
}
END_TEST

START_TEST(a_user_counts_before_its_groups)
{
	struct access_list l = { NULL, 0 };

	ck_assert_int_eq(access_set(&l, true, 20, true), 0);
	ck_assert_int_eq(may(&l, 1001, 7), ACCESS_WRITE);
	ck_assert_int_eq(access_set(&l, false, 1001, false), 0);
	ck_assert_int_eq(may(&l, 1001, 7), ACCESS_READ);
	/* Number 20 as a user is nobody here. */
	ck_assert(!access_remove(&l, false, 20));
	ck_assert(access_remove(&l, false, 1001));
	ck_assert(!access_remove(&l, false, 1001));
	ck_assert_int_eq(may(&l, 1001, 7), ACCESS_WRITE);
	access_fini(&l);
}
END_TEST

START_TEST(the_strongest_group_counts)
{
	struct access_list l = { NULL, 0 };

	ck_assert_int_eq(access_set(&l, true, 20, false), 0);
	ck_assert_int_eq(access_set(&l, true, 30, true), 0);
	ck_assert_int_eq(may(&l, 1001, 7), ACCESS_READ);
	ck_assert_int_eq(may(&l, 1001, 30), ACCESS_WRITE);
	ck_assert_int_eq(access_set(&l, true, 30, false), 0);
	ck_assert_int_eq(may(&l, 1001, 30), ACCESS_READ);
	access_fini(&l);
}
END_TEST

START_TEST(the_list_is_in_order_and_bounded)
{
	struct access_list l = { NULL, 0 };
	id_t i;

	for (i = 0; i < ACCESS_MAX; i++)
		ck_assert_int_eq(
		    access_set(&l, i % 2 == 0, (i * 7919) % 65536, true), 0);
	ck_assert_uint_eq(l.count, ACCESS_MAX);
	ck_assert_int_eq(access_set(&l, false, 70000, true), -ERR_LIMIT);
	for (i = 1; i < l.count; i++)
		ck_assert(l.entries[i - 1].group < l.entries[i].group ||
			  (l.entries[i - 1].group == l.entries[i].group &&
			      l.entries[i - 1].id < l.entries[i].id));
	ck_assert_int_eq(access_set(&l, true, 0, false), 0);
	ck_assert(!access_find(&l, true, 0)->write);
	ck_assert_uint_eq(l.count, ACCESS_MAX);
	access_fini(&l);
}
END_TEST

START_TEST(a_socket_tells_the_groups_of_its_peer)
{
	gid_t *gids;
	size_t n;
	int fd[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	ck_assert_int_eq(sock_peer_groups(fd[0], &gids, &n), 0);
	ck_assert_uint_ge(n, 1);
	ck_assert_uint_eq(gids[0], getegid());
	mem_free(gids);
	close(fd[0]);
	ck_assert_int_lt(sock_peer_groups(fd[0], &gids, &n), 0);
	close(fd[1]);
}
END_TEST

UNIT_SUITE(access)
{
	Suite *s = suite_create("access");
	TCase *tc = tcase_create("access");

	tcase_add_test(tc, nobody_but_owner_and_root_has_access_at_first);
	tcase_add_test(tc, a_user_counts_before_its_groups);
	tcase_add_test(tc, the_strongest_group_counts);
	tcase_add_test(tc, the_list_is_in_order_and_bounded);
	tcase_add_test(tc, a_socket_tells_the_groups_of_its_peer);
	suite_add_tcase(s, tc);
	return s;
}
