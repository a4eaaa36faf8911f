/* Adding and removing addresses, in a network namespace of the test. */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/netwatch.h"

#ifdef __linux__
# include <linux/netlink.h>
# include <linux/rtnetlink.h>
#endif

#include "regress/unit/unit.h"

#ifdef __linux__

enum {
	CHILD_OK = 0,
	CHILD_BAD = 1,
	CHILD_SKIP = 77
};

/*
 * Brings the loopback interface up or down, which adds or removes its
 * addresses.
 */
static bool
loopback(bool up)
{
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq ifr;
	bool done;

	memset(&ifr, 0, sizeof(ifr));
	memcpy(ifr.ifr_name, "lo", 3);
	if (s < 0 || ioctl(s, SIOCGIFFLAGS, &ifr) != 0)
		return false;
	if (up)
		ifr.ifr_flags |= IFF_UP;
	else
		ifr.ifr_flags &= (short)~IFF_UP;
	done = ioctl(s, SIOCSIFFLAGS, &ifr) == 0;
	close(s);
	return done;
}

static bool
told(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 10000) == 1 && netwatch_changed(fd);
}

/* Run it in a child: the namespace cannot be left. */
static int
child(void)
{
	int fd;

	if (unshare(CLONE_NEWNET) != 0)
		return CHILD_SKIP;
	fd = netwatch_open();
	if (fd < 0)
		return CHILD_SKIP;
	if (netwatch_changed(fd))
		return CHILD_BAD;
	if (!loopback(true))
		return CHILD_SKIP;
	if (!told(fd) || netwatch_changed(fd))
		return CHILD_BAD;
	if (!loopback(false) || !told(fd))
		return CHILD_BAD;
	close(fd);
	return CHILD_OK;
}

START_TEST(an_address_that_comes_or_goes_is_told)
{
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		_exit(child());
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_SKIP)
		fprintf(stderr, "skipped: no network namespace to be had\n");
	else
		ck_assert_int_eq(WEXITSTATUS(status), CHILD_OK);
}
END_TEST

/* Truncated messages, and wrong lengths, are no change. */
START_TEST(what_does_not_parse_is_no_change)
{
	struct nlmsghdr h = { .nlmsg_len = 4000, .nlmsg_type = RTM_NEWADDR };
	int fd[2];

	ck_assert_int_eq(
	    socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, fd), 0);
	ck_assert_int_eq(write(fd[1], &h, 5), 5);
	ck_assert_int_eq(write(fd[1], &h, sizeof(h)), (int)sizeof(h));
	h.nlmsg_len = 0;
	ck_assert_int_eq(write(fd[1], &h, sizeof(h)), (int)sizeof(h));
	ck_assert(!netwatch_changed(fd[0]));
	h.nlmsg_len = sizeof(h);
	ck_assert_int_eq(write(fd[1], &h, sizeof(h)), (int)sizeof(h));
	ck_assert(netwatch_changed(fd[0]));
	close(fd[0]);
	close(fd[1]);
}
END_TEST

#else

START_TEST(there_is_none)
{
	ck_assert_int_eq(netwatch_open(), -ERR_UNSUPPORTED);
}
END_TEST

#endif

UNIT_SUITE(netwatch)
{
	Suite *s = suite_create("netwatch");
	TCase *tc = tcase_create("netwatch");

#ifdef __linux__
	tcase_add_test(tc, an_address_that_comes_or_goes_is_told);
	tcase_add_test(tc, what_does_not_parse_is_no_change);
#else
	tcase_add_test(tc, there_is_none);
#endif
	suite_add_tcase(s, tc);
	return s;
}
