/*
 * Which servers on this machine a client talks to, and what another user's
 * server may ask of it.
 */
#include <sys/stat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io/sock.h"
#include "base/io/sys.h"
#include "client/trust.h"
#include "regress/unit/unit.h"

/* Users that no machine has, so that the messages show their numbers. */
#define ME 3000000001u
#define OTHER 3000000002u
#define THIRD 3000000003u

static const struct row {
	uid_t peer, owner, dir_owner;
	mode_t dir_mode;
	const char *names;
	const char *why; /* part of the error, NULL: trusted */
} rows[] = {
	{ ME, ME, ME, 0700, NULL, NULL },
	{ 0, 0, 0, 0755, NULL, NULL },
	{ 0, ME, ME, 0700, NULL, NULL },
	{ ME, ME, 0, 01777, NULL, NULL },
	{ ME, ME, OTHER, 01777, NULL, NULL },
	{ OTHER, ME, ME, 0700, NULL, "the server at /t/s belongs to" },
	{ OTHER, OTHER, OTHER, 0700, NULL, "--trust=3000000002" },
	{ ME, OTHER, ME, 0700, NULL, "the socket /t/s belongs to" },
	{ ME, ME, OTHER, 0755, NULL, "the directory of /t/s belongs to" },
	{ ME, ME, ME, 0777, NULL, "chmod o-w" },
	{ ME, ME, ME, 0770, NULL, NULL },
	{ OTHER, OTHER, OTHER, 0700, "3000000002", NULL },
	{ OTHER, OTHER, OTHER, 0700, "root,3000000002", NULL },
	{ OTHER, OTHER, OTHER, 0700, "3000000002,x", NULL },
	{ OTHER, OTHER, OTHER, 0700, "300000000", "belongs" },
	{ OTHER, OTHER, OTHER, 0700, "33000000002", "belongs" },
	{ OTHER, OTHER, OTHER, 0700, ",", "belongs" },
	{ OTHER, OTHER, OTHER, 0700, "", "belongs" },
	{ OTHER, OTHER, OTHER, 0777, "3000000002", "chmod o-w" },
	{ OTHER, OTHER, THIRD, 0700, "3000000002", "the directory" },
	{ OTHER, THIRD, THIRD, 0700, "3000000002", "the socket" },
};

START_TEST(facts)
{
	const struct row *row = &rows[_i];
	struct trust_facts f = { "/t/s", ME, row->peer, row->owner,
		row->dir_owner, S_IFDIR | row->dir_mode };
	struct cause c = { NULL };

	if (row->why == NULL) {
		ck_assert_int_eq(trust_facts_check(&f, row->names, &c), 0);
	} else {
		ck_assert_int_eq(
		    trust_facts_check(&f, row->names, &c), -ERR_DENIED);
		ck_assert_msg(strstr(cause_text(&c), row->why) != NULL, "%s",
		    cause_text(&c));
	}
	cause_fini(&c);
}
END_TEST

START_TEST(an_own_server)
{
	char dir[] = "/tmp/rmux-trust.XXXXXX", path[64];
	struct cause c = { NULL };
	int fd = -1, lock = -1, peer = -1;
	bool foreign = true;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/s", dir);
	ck_assert_int_eq(sock_listen(path, &fd, &lock, &c), 0);
	ck_assert_int_eq(sock_connect(path, &peer, &c), 0);
	ck_assert_int_eq(trust_server(peer, path, NULL, &foreign, &c), 0);
	ck_assert(!foreign);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	ck_assert_int_eq(
	    trust_server(peer, path, NULL, &foreign, &c), -ERR_DENIED);
	cause_fini(&c);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(
	    trust_server(peer, path, NULL, &foreign, &c), -ERR_DENIED);
	cause_fini(&c);
	close(peer);
	close(fd);
	close(lock);
	snprintf(path, sizeof(path), "%s/s.lock", dir);
	(void)unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(files_that_the_user_named)
{
	static const char *const argv[] = { "load-buffer", "-b", "x", "in.txt",
		";", "source-file 'conf/a'", "/abs/file", NULL };

	ck_assert(trust_asked_file(argv, "/home/me", "in.txt"));
	ck_assert(trust_asked_file(argv, "/home/me", "/home/me/in.txt"));
	ck_assert(trust_asked_file(argv, "/home/me", "/home/me/conf/a"));
	ck_assert(trust_asked_file(argv, NULL, "/abs/file"));
	ck_assert(!trust_asked_file(argv, "/home/me", "/home/you/in.txt"));
	ck_assert(!trust_asked_file(argv, "/home/me", "/home/me/.profile"));
	ck_assert(!trust_asked_file(argv, "/home/me", "/etc/passwd"));
	ck_assert(!trust_asked_file(argv, "/home/me", "n.txt"));
	ck_assert(!trust_asked_file(argv, "/home/me", ""));
	ck_assert(!trust_asked_file(argv, "/home/me", "/home/me/"));
}
END_TEST

START_TEST(variables)
{
	ck_assert(trust_may_know("LANG=C"));
	ck_assert(trust_may_know("LC_CTYPE=C.UTF-8"));
	ck_assert(!trust_may_know("LANGX=1"));
	ck_assert(!trust_may_know("SSH_AUTH_SOCK=/tmp/a"));
	ck_assert(!trust_may_know("TOKEN=x"));
}
END_TEST

UNIT_SUITE(trust)
{
	Suite *s = suite_create("trust");
	TCase *tc = tcase_create("trust");

	tcase_add_loop_test(tc, facts, 0, (int)ARRAY_LEN(rows));
	tcase_add_test(tc, an_own_server);
	tcase_add_test(tc, files_that_the_user_named);
	tcase_add_test(tc, variables);
	suite_add_tcase(s, tc);
	return s;
}
