/*
 * A sealed helper and its door, whose client may be anybody's.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io/fdpass.h"
#include "base/io/sys.h"
#include "regress/unit/unit.h"
#include "ssp/door.h"
#include "ssp/io/reach_int.h"

static char dir[64], door[96], target[96], other[96];
static int client; /* the client's end of the helper */
static pid_t helper;

static void
setup(void)
{
	snprintf(dir, sizeof(dir), "/tmp/rmux-reach-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(door, sizeof(door), "%s/door", dir);
	snprintf(target, sizeof(target), "%s/target", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
}

static void
teardown(void)
{
	unlink(door);
	unlink(target);
	unlink(other);
	rmdir(dir);
}

static int
unix_socket(const char *path, int type, bool listens)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, type, 0);

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	ck_assert_int_ge(fd, 0);
	if (listens) {
		ck_assert_int_eq(
		    bind(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
		ck_assert_int_eq(listen(fd, 8), 0);
	} else if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Starts a helper that is SEALED or not; the door is open. */
static void
start(bool sealed)
{
	int fds[2], at;

	ck_assert_int_ge(at = reach_door_open(door), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	ck_assert_int_ge(helper = fork(), 0);
	if (helper == 0) {
		close(fds[0]);
		_exit(reach_main(fds[1], sealed, at, NULL));
	}
	close(fds[1]);
	close(at);
	client = fds[0];
}

static void
stop(void)
{
	int status;

	close(client);
	ck_assert_int_eq(waitpid(helper, &status, 0), helper);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static struct forward_spec
spec(enum forward_kind kind, const char *at, const char *to)
{
	struct forward_spec s = { .kind = kind,
		.listen = { .kind = SSP_PLACE_UNIX },
		.connect = { .kind = SSP_PLACE_UNIX } };

	snprintf(s.listen.host, sizeof(s.listen.host), "%s", at);
	snprintf(s.connect.host, sizeof(s.connect.host), "%s", to);
	return s;
}

/* Waits for a message of FD; false: its end, or five seconds. */
static bool
comes(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 5000) == 1;
}

/* --- the client's side ------------------------------------------------------- */

static void
client_says(enum reach_what what, uint32_t number, uint32_t entry,
    const struct forward_spec *s, const char *text)
{
	struct reach_request q;

	memset(&q, 0, sizeof(q));
	q.what = what;
	q.number = number;
	q.entry = entry;
	q.counts.connections = 3;
	if (s != NULL)
		q.spec = *s;
	snprintf(q.text, sizeof(q.text), "%s", text);
	ck_assert_int_eq(send(client, &q, sizeof(q), 0), sizeof(q));
}

/* Reads what the helper says; returns its first descriptor, or -1. */
static int
client_hears(struct reach_reply *a)
{
	int fds[REACH_LISTENS] = { -1 };
	size_t n;

	ck_assert(comes(client));
	ck_assert_int_eq(
	    fdpass_recv(client, a, sizeof(*a), fds, REACH_LISTENS, &n, 0),
	    sizeof(*a));
	while (n > 1)
		(void)close(fds[--n]);
	return fds[0];
}

/* --- the user's side --------------------------------------------------------- */

static int
user_asks(enum door_what what, const struct forward_spec *s)
{
	struct door_request q = { .what = what };
	uint8_t out[DOOR_MESSAGE];
	struct wr w;
	int fd = unix_socket(door, SOCK_SEQPACKET, false);

	ck_assert_int_ge(fd, 0);
	if (s != NULL)
		q.spec = *s;
	wr_init(&w, out, sizeof(out));
	door_request_put(&w, &q);
	ck_assert_int_eq(w.err, 0);
	ck_assert_int_eq(send(fd, out, wr_len(&w), 0), (ssize_t)wr_len(&w));
	return fd;
}

/* Reads an answer; false: there is none. */
static bool
user_hears(int fd, struct door_answer *a)
{
	uint8_t in[DOOR_MESSAGE];
	ssize_t n;

	ck_assert(comes(fd));
	n = recv(fd, in, sizeof(in), 0);
	if (n <= 0)
		return false;
	ck_assert_int_eq(door_answer_get(a, in, (size_t)n), 0);
	return true;
}

/* --- the tests ---------------------------------------------------------------- */

/* The open door gives the client's side nothing. */
START_TEST(sealed_the_client_names_no_place)
{
	const struct forward_spec here = spec(FORWARD_LOCAL, other, target),
				  there =
				      spec(FORWARD_REMOTE, "/there", target);
	const enum reach_what tries[] = { REACH_CONNECT, REACH_LISTEN,
		REACH_OWN, REACH_CONNECT_TARGET };
	struct reach_reply a;
	int fd, lfd;
	size_t i;

	start(true);
	lfd = unix_socket(target, SOCK_STREAM, true);
	for (i = 0; i < ARRAY_LEN(tries); i++) {
		client_says(tries[i], 7, 0, i % 2 == 0 ? &there : &here, "");
		ck_assert_int_eq(client_hears(&a), -1);
		ck_assert_uint_eq(a.number, 7);
		ck_assert_ptr_nonnull(strstr(a.text, "not asked for"));
	}
	client_says(REACH_CONNECT_TARGET, 8, REACH_ENTRIES + 9, NULL, "");
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_int_ne(access(other, F_OK), 0);
	/* A word without a question, and one about an entry that is none. */
	client_says(REACH_TOLD, 1, 0, NULL, "x");
	client_says(REACH_COUNTS, 0, 99999, NULL, "x");
	client_says(REACH_FORGET, 0, 99999, NULL, "x");
	client_says((enum reach_what)77, 0, 0, NULL, "x");

	/* What the user asks for is the client's; its neighbours are not. */
	fd = user_asks(DOOR_ADD, &there);
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_uint_eq(a.what, REACH_ADDED);
	ck_assert_uint_eq(a.entry, 0);
	client_says(REACH_CONNECT_TARGET, 9, a.entry + 1, NULL, "");
	ck_assert_int_eq(client_hears(&a), -1);
	/* Its own place in the message changes nothing. */
	client_says(REACH_CONNECT_TARGET, 10, 0,
	    &(const struct forward_spec){ .connect = { .host = "x" } }, "");
	ck_assert_int_ge(client_hears(&a), 0);
	client_says(REACH_CONNECT, 11, 0, &there, "");
	ck_assert_int_eq(client_hears(&a), -1);
	close(fd);

	/* A cancelled one is nobody's. */
	fd = user_asks(DOOR_CANCEL, &there);
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_uint_eq(a.what, REACH_CANCELLED);
	client_says(REACH_CONNECT_TARGET, 12, 0, NULL, "");
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_ptr_nonnull(strstr(a.text, "not asked for"));
	close(fd);
	close(lfd);
	stop();
}
END_TEST

/* The client keeps its copy of the descriptor. */
START_TEST(a_cancelled_listener_is_shut)
{
	const struct forward_spec s = spec(FORWARD_LOCAL, other, "/x");
	struct forward_spec at = s;
	struct door_answer d;
	struct reach_reply a;
	int user, fd;

	start(true);
	user = user_asks(DOOR_ADD, &s);
	ck_assert_int_ge(fd = client_hears(&a), 0);
	ck_assert_uint_eq(a.nfds, 1);
	client_says(REACH_TOLD, a.number, 0, NULL, "");
	ck_assert(user_hears(user, &d));
	ck_assert(d.what == DOOR_END && !d.failed);
	close(user);
	close(unix_socket(other, SOCK_STREAM, false));
	/* The place where it listens is enough. */
	memset(&at.connect, 0, sizeof(at.connect));
	user = user_asks(DOOR_CANCEL, &at);
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_int_ne(access(other, F_OK), 0);
	close(user);
	/* After the connection from before, nobody can come. */
	close(accept(fd, NULL, NULL));
	ck_assert_int_lt(accept(fd, NULL, NULL), 0);
	close(fd);
	user = user_asks(DOOR_CANCEL, &at);
	ck_assert(user_hears(user, &d));
	ck_assert(d.failed && strstr(d.text, "no such forward") != NULL &&
		  strstr(d.text, "::0") == NULL);
	close(user);
	stop();
}
END_TEST

/* A row's words are the helper's; only numbers are the client's. */
START_TEST(the_client_says_numbers_and_a_text)
{
	const struct forward_spec s = spec(FORWARD_LOCAL, other, "/x");
	struct door_answer d;
	struct reach_reply a;
	unsigned rows = 0;
	int user, fd, i;

	start(true);
	user = user_asks(DOOR_ADD, &s);
	ck_assert_int_ge(fd = client_hears(&a), 0);
	client_says(REACH_TOLD, a.number, 0, NULL, "bad\033]0;words\a\x9b");
	ck_assert(user_hears(user, &d));
	ck_assert_str_eq(d.text, "bad?]0;words??");
	close(user);
	user = user_asks(DOOR_LIST, NULL);
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_uint_eq(a.what, REACH_COUNT);
	client_says(REACH_COUNTS, a.number + 1, 0, NULL, "");
	client_says(REACH_COUNTS, a.number, 1, NULL, "");
	client_says(REACH_COUNTS, a.number, UINT32_MAX, NULL, "");
	client_says(REACH_COUNTS, a.number, 0,
	    &(const struct forward_spec){ .listen = { .host = "lie" } }, "");
	ck_assert(user_hears(user, &d));
	ck_assert(d.what == DOOR_ROW && d.connections == 3);
	ck_assert_str_eq(d.spec.listen.host, other);
	/* More rows than there can be forwards end; the answer still comes. */
	for (i = 0; i < 3 * REACH_ENTRIES; i++) {
		client_says(REACH_COUNTS, a.number, 0, NULL, "");
		while (recv(user, &d, sizeof(d), MSG_DONTWAIT) > 0)
			rows++;
	}
	client_says(REACH_TOLD, a.number, 0, NULL, "");
	while (user_hears(user, &d) && d.what == DOOR_ROW)
		rows++;
	ck_assert_uint_eq(rows, REACH_ENTRIES - 1);
	ck_assert(d.what == DOOR_END);
	close(user);
	close(fd);
	stop();
}
END_TEST

/* Nobody is served before the seal, and then at once. */
START_TEST(the_door_waits_for_the_seal)
{
	const struct forward_spec s = spec(FORWARD_REMOTE, "/there", target);
	struct pollfd p;
	struct reach_reply a;
	int user;

	start(false);
	user = user_asks(DOOR_ADD, &s);
	client_says(REACH_OWN, 3, 0, &s, "");
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_uint_eq(a.what, REACH_ANSWER);
	ck_assert_str_eq(a.text, "");
	p = (struct pollfd){ .fd = client, .events = POLLIN };
	ck_assert_int_eq(poll(&p, 1, 50), 0);
	client_says(REACH_SEAL, 4, 0, NULL, "");
	ck_assert_int_eq(client_hears(&a), -1);
	ck_assert_uint_eq(a.what, REACH_ADDED);
	ck_assert_uint_eq(a.entry, 1);
	close(user);
	stop();
}
END_TEST

START_TEST(wrong_requests)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *says;
	} rows[] = {
		{ "\1\4", 2, NULL },
		{ "\1\1\0", 3, "no request" },
		{ "\1\1\3\0\0\0\0\0\0", 9, "no request" }, /* an agent */
		{ "\0\0", 2, "no request" },
		{ "\2\4", 2, "another version" },
		{ "\1\11", 2, "another version" },
	};
	struct door_answer d;
	struct reach_reply a;
	size_t i;
	int fd;

	start(true);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		fd = unix_socket(door, SOCK_SEQPACKET, false);
		ck_assert_int_eq(
		    send(fd, rows[i].bytes, rows[i].n, 0), (ssize_t)rows[i].n);
		if (rows[i].says == NULL) {
			(void)client_hears(&a);
			/* A second request of one connection ends it. */
			ck_assert_int_eq(send(fd, "\1\4", 2, 0), 2);
			ck_assert(!user_hears(fd, &d));
		} else {
			ck_assert(user_hears(fd, &d));
			ck_assert(d.failed);
			ck_assert_ptr_nonnull(strstr(d.text, rows[i].says));
			ck_assert(!user_hears(fd, &d));
		}
		close(fd);
	}
	stop();
}
END_TEST

START_TEST(another_user_is_refused)
{
	struct pollfd p;
	int status, fd;
	pid_t pid;
	char b;

	/* Only root can try. */
	if (geteuid() != 0)
		return;
	start(true);
	ck_assert_int_eq(chmod(dir, 0777), 0);
	ck_assert_int_eq(chmod(door, 0777), 0);
	ck_assert_int_ge(pid = fork(), 0);
	if (pid == 0) {
		if (setgid(65534) != 0 || setuid(65534) != 0)
			_exit(2);
		fd = unix_socket(door, SOCK_SEQPACKET, false);
		/* A list; the socket may be closed by now. */
		(void)send(fd, "\1\4", 2, MSG_NOSIGNAL);
		_exit(fd >= 0 && comes(fd) && recv(fd, &b, 1, 0) <= 0 ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	p = (struct pollfd){ .fd = client, .events = POLLIN };
	ck_assert_int_eq(poll(&p, 1, 0), 0);
	stop();
}
END_TEST

UNIT_SUITE(reach)
{
	Suite *s = suite_create("reach");
	TCase *tc = tcase_create("reach");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, sealed_the_client_names_no_place);
	tcase_add_test(tc, a_cancelled_listener_is_shut);
	tcase_add_test(tc, the_client_says_numbers_and_a_text);
	tcase_add_test(tc, the_door_waits_for_the_seal);
	tcase_add_test(tc, wrong_requests);
	tcase_add_test(tc, another_user_is_refused);
	suite_add_tcase(s, tc);
	return s;
}
