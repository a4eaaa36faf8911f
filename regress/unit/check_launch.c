/*
 * The launcher, whose client may be anybody.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io/sys.h"
#include "client/launch_int.h"
#include "mux/sync/control.h"
#include "regress/unit/unit.h"
#include "ssp/io/reach_int.h"

static char dir[64], script[96];
static struct bootstrap_cfg ssh;
static struct launch_cfg cfg;
static const char *const words[] = { "list-sessions", NULL };

/* Makes a program in place of ssh. */
static void
setup(void)
{
	FILE *f;

	snprintf(dir, sizeof(dir), "/tmp/rmux-launch-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(script, sizeof(script), "%s/ssh", dir);
	ck_assert_ptr_nonnull(f = fopen(script, "w"));
	/*
	 * "noise" prints without end; -G prints the host's name; "wait" waits;
	 * "deaf" ignores SIGTERM; "late" has something to do after its input;
	 * "keep" keeps its input in a file; else it ends with 7.
	 */
	fprintf(f, "#!/bin/sh\n"
		   "case \" $* \" in\n"
		   "*' noise '*) exec yes ;;\n"
		   "*' -G '*) echo hostname 192.0.2.7 ;;\n"
		   "*' wait '*) echo; exec sleep 90 ;;\n"
		   "*' deaf '*) trap '' TERM; echo; exec sleep 90 ;;\n"
		   "*' keep '*) cat >\"$0.said\" ;;\n"
		   "*' late '*) cat >/dev/null; sleep 0.1; echo last ;;\n"
		   "*) echo out \"$@\"; echo err >&2; exit 7 ;;\n"
		   "esac\n");
	fclose(f);
	ck_assert_int_eq(chmod(script, 0700), 0);
	ssh = (struct bootstrap_cfg){ .ssh = script,
		.target = { "me@host", "host", "" },
		.server = "rmux",
		.argv = words };
	cfg = (struct launch_cfg){ .ssh = &ssh };
}

static void
teardown(void)
{
	unlink(script);
	rmdir(dir);
}

static struct launch *
started(void)
{
	struct cause c = { NULL };
	struct launch *l;

	ck_assert_int_eq(launch_new(&cfg, &l, &c), 0);
	return l;
}

/* Reads all of FD. */
static void
read_all(int fd, char *out, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len + 1 < size && (n = read(fd, out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	out[len] = '\0';
	close(fd);
}

START_TEST(ssh_runs_with_the_users_words)
{
	struct launch *l = started();
	struct cause c = { NULL };
	char out[512], err[64];
	uint32_t run;
	int fds[3], status;

	ck_assert_int_eq(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	read_all(fds[1], out, sizeof(out));
	read_all(fds[2], err, sizeof(err));
	ck_assert_str_eq(out,
	    "out -T -oBatchMode=yes -oConnectTimeout=10 me@host rmux "
	    "__connect\n");
	ck_assert_str_eq(err, "err\n");
	status = launch_status(l, run);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	/* A number that never was, and one that is over. */
	status = launch_status(l, run + 9);
	ck_assert_int_eq(WEXITSTATUS(status), 255);
	launch_kill(l, run + 9);
	launch_kill(l, run);
	close(fds[0]);
	launch_free(l);
}
END_TEST

/* The pipe ends when the process does: it holds the other end. */
static bool
ends(int fd)
{
	struct pollfd p = { .fd = fd, .events = 0 };

	return poll(&p, 1, 20000) == 1 && (p.revents & POLLHUP) != 0;
}

START_TEST(programs_are_few_and_end_with_the_client)
{
	char words_wait[160];
	struct cause c = { NULL };
	int fds[LAUNCH_RUNS_MAX + 2][3], i;
	uint32_t run = 0;
	struct launch *l;
	char byte;

	snprintf(words_wait, sizeof(words_wait), "%s wait", script);
	ssh.ssh = words_wait;
	l = started();
	for (i = 0; i < LAUNCH_RUNS_MAX + 1; i++)
		ck_assert_int_eq(
		    launch_ssh(l, BOOTSTRAP_BATCH, 0, fds[i], &run, &c), 0);
	/* One more than there may be: the first is gone, the second not. */
	ck_assert(ends(fds[0][1]));
	ck_assert_int_eq(
	    poll(&(struct pollfd){ .fd = fds[1][1], .events = 0 }, 1, 0), 0);
	/* Valgrind loses a signal that comes before exec. */
	ck_assert_int_eq(read(fds[LAUNCH_RUNS_MAX][1], &byte, 1), 1);
	launch_kill(l, run);
	ck_assert(ends(fds[LAUNCH_RUNS_MAX][1]));
	launch_free(l);
	for (i = 1; i < LAUNCH_RUNS_MAX; i++)
		ck_assert(ends(fds[i][1]));
}
END_TEST

/* The last datagram of a client is on its way when the client has ended. */
START_TEST(ssh_may_finish_what_it_has_read)
{
	char words_late[160], out[64];
	struct cause c = { NULL };
	struct launch *l;
	uint32_t run;
	int fds[3];

	snprintf(words_late, sizeof(words_late), "%s late", script);
	ssh.ssh = words_late;
	l = started();
	ck_assert_int_eq(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	close(fds[0]);
	launch_free(l);
	read_all(fds[1], out, sizeof(out));
	ck_assert_str_eq(out, "last\n");
	close(fds[2]);
}
END_TEST

/* One that is killed before it has become ssh takes no other with it. */
START_TEST(an_early_kill_ends_one_program)
{
	char words_wait[160];
	struct cause c = { NULL };
	struct launch *l;
	uint32_t run;
	int first[3], fds[3];
	unsigned i;

	snprintf(words_wait, sizeof(words_wait), "%s wait", script);
	ssh.ssh = words_wait;
	l = started();
	ck_assert_int_eq(launch_ssh(l, BOOTSTRAP_BATCH, 0, first, &run, &c), 0);
	for (i = 0; i < unit_rounds(50); i++) {
		ck_assert_int_eq(
		    launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
		launch_kill(l, run);
		(void)launch_status(l, run);
		close(fds[0]);
		close(fds[1]);
		close(fds[2]);
		ck_assert_int_eq(
		    poll(&(struct pollfd){ .fd = first[1] }, 1, 0), 0);
	}
	launch_free(l);
}
END_TEST

/* The launcher serves one request at a time: no program may hold it for ever. */
START_TEST(what_does_not_end_when_told_is_killed)
{
	char words_deaf[160], line[2];
	struct cause c = { NULL };
	struct launch *l;
	uint32_t run;
	int fds[3], status;

	snprintf(words_deaf, sizeof(words_deaf), "%s deaf", script);
	ssh.ssh = words_deaf;
	l = started();
	ck_assert_int_eq(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	ck_assert_int_eq(read(fds[1], line, sizeof(line)), 1);
	launch_kill(l, run);
	status = launch_status(l, run);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	close(fds[0]);
	close(fds[1]);
	close(fds[2]);
	launch_free(l);
}
END_TEST

START_TEST(names_are_looked_up)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	struct launch *l;
	char text[64];

	cfg.nnames = 3;
	strcpy(cfg.names[0].host, "127.0.0.1");
	cfg.names[0].port = 5;
	strcpy(cfg.names[1].host, "::1");
	/* The third is what ssh calls its host. */
	l = started();
	ck_assert_uint_eq(launch_lookup(l, 77, -1, a), 3);
	udp_addr_format(&a[0], text, sizeof(text));
	ck_assert_str_eq(text, "127.0.0.1:5");
	udp_addr_format(&a[1], text, sizeof(text));
	ck_assert_str_eq(text, "[::1]:77");
	udp_addr_format(&a[2], text, sizeof(text));
	ck_assert_str_eq(text, "192.0.2.7:77");
	launch_free(l);
}
END_TEST

/* A late reply is not taken for that of the next request. */
START_TEST(late_replies_are_dropped)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	struct cause c = { NULL };
	struct launch *l;
	uint32_t run;
	int fds[3];

	cfg.nnames = 1;
	l = started();
	ck_assert_uint_eq(launch_lookup(l, 1, 0, a), 0);
	ck_assert_int_eq(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	ck_assert_int_ge(fds[2], 0);
	ck_assert_uint_eq(launch_lookup(l, 9, -1, a), 1);
	ck_assert_uint_eq(udp_addr_port(&a[0]), 9);
	launch_free(l);
}
END_TEST

/* A program that prints without end is not ssh: the host keeps its name. */
START_TEST(endless_options_end)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	char words_noise[160], text[64];
	struct launch *l;

	snprintf(words_noise, sizeof(words_noise), "%s noise", script);
	ssh.ssh = words_noise;
	strcpy(ssh.target.host, "127.0.0.9");
	cfg.nnames = 1;
	l = started();
	ck_assert_uint_eq(launch_lookup(l, 1, -1, a), 1);
	udp_addr_format(&a[0], text, sizeof(text));
	ck_assert_str_eq(text, "127.0.0.9:1");
	launch_free(l);
}
END_TEST

/* A reply that came before it was asked for is kept. */
START_TEST(a_lookup_may_begin_ahead)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	struct cause c = { NULL };
	struct launch *l;
	uint32_t run;
	unsigned i;
	int fds[3];

	cfg.nnames = 1;
	l = started();
	for (i = 0; i < 3; i++) {
		launch_lookup_ahead(l);
		if (i > 0)
			ck_assert_int_eq(
			    launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c),
			    0);
		ck_assert_uint_eq(
		    launch_lookup(l, (uint16_t)(i + 1), -1, a), 1);
		ck_assert_uint_eq(udp_addr_port(&a[0]), i + 1);
	}
	launch_free(l);
}
END_TEST

/* Without ssh, as for a guest, it runs nothing and looks up names. */
START_TEST(a_guests_launcher_runs_nothing)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	struct cause c = { NULL };
	uint8_t secret[4] = { 1, 2, 3, 4 };
	struct launch *l;
	uint32_t run;
	int fds[3];

	cfg.ssh = NULL;
	cfg.nnames = 1;
	cfg.secret = secret;
	cfg.nsecret = sizeof(secret);
	strcpy(cfg.names[0].host, "127.0.0.1");
	l = started();
	ck_assert_int_ne(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	ck_assert_str_eq(cause_text(&c), "rmux: no ssh");
	cause_fini(&c);
	ck_assert_uint_eq(launch_lookup(l, 3, -1, a), 1);
	/* The client's copy is its own. */
	ck_assert_uint_eq(secret[3], 4);
	launch_free(l);
}
END_TEST

/* --- the door -------------------------------------------------------------- */

/* Waits until the launcher has made the door, and connects to it. */
static int
door_connected(const char *path)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0), i;

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);
	for (i = 0; i < 1000; i++) {
		if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0)
			return fd;
		(void)poll(NULL, 0, 10);
	}
	close(fd);
	return -1;
}

static void
helper_says(int fd, struct reach_reply *a)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	ck_assert_int_eq(poll(&p, 1, 5000), 1);
	ck_assert_int_eq(recv(fd, a, sizeof(*a), 0), sizeof(*a));
}

START_TEST(the_door_starts_a_sealed_helper)
{
	struct reach_request q = { .number = 5, .what = REACH_OWN };
	char path[96], too_long[200];
	struct launch *l, *other;
	struct reach_reply a;
	struct pollfd p;
	int fd, user, i;

	snprintf(path, sizeof(path), "%s/door", dir);
	cfg.door = path;
	l = started();
	ck_assert_int_ge(fd = launch_reach(l), 0);
	ck_assert_int_eq(launch_reach(l), -1);
	/* The client alone starts none. */
	q.spec.kind = FORWARD_REMOTE;
	ck_assert_int_eq(send(fd, &q, sizeof(q), 0), sizeof(q));
	p = (struct pollfd){ .fd = fd, .events = POLLIN };
	ck_assert_int_eq(poll(&p, 1, 50), 0);
	ck_assert_int_ge(user = door_connected(path), 0);
	helper_says(fd, &a);
	ck_assert_uint_eq(a.number, 5);
	ck_assert_ptr_nonnull(strstr(a.text, "not asked for"));
	/* A list. */
	ck_assert_int_eq(send(user, "\1\4", 2, 0), 2);
	helper_says(fd, &a);
	ck_assert_uint_eq(a.what, REACH_COUNT);
	close(user);
	/* The file goes with the client. */
	launch_free(l);
	for (i = 0; i < 1000 && access(path, F_OK) == 0; i++)
		(void)poll(NULL, 0, 10);
	ck_assert_int_ne(access(path, F_OK), 0);
	close(fd);
	/* A path that no socket can have: the session is worth more. */
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = '\0';
	cfg.door = too_long;
	other = started();
	launch_free(other);
}
END_TEST

/* --- a client that was taken over ----------------------------------------- */

static void
get_reply(int fd, struct launch_reply *a)
{
	uint8_t *p = (uint8_t *)a;
	size_t got = 0;
	ssize_t n;

	while (got < sizeof(*a)) {
		ck_assert_int_gt(n = recv(fd, p + got, sizeof(*a) - got, 0), 0);
		got += (size_t)n;
	}
}

START_TEST(any_request_gets_a_reply)
{
	unsigned long seed = unit_seed((unsigned long)time(NULL));
	unsigned i, rounds = unit_rounds(200);
	uint32_t run = 0;
	struct launch_request q;
	struct launch_reply a;
	int fd[2], status;
	pid_t pid;

	printf("seed %lu\n", seed);
	srandom((unsigned)seed);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	fflush(NULL);
	if ((pid = fork()) == 0) {
		close(fd[0]);
		launch_run(&cfg, fd[1], -1, -1, NULL);
		_exit(9);
	}
	close(fd[1]);
	for (i = 0; i < rounds; i++) {
		q = (struct launch_request){
			.number = i,
			.what = (uint32_t)random() % 8,
			.how = (uint32_t)random(),
			.run = random() % 2 ? (uint32_t)random() : run,
			.cid = (uint64_t)random(),
		};
		ck_assert_int_eq(sys_write_all(fd[0], &q, sizeof(q)), 0);
		get_reply(fd[0], &a);
		ck_assert_uint_eq(a.number, i);
		if (q.what < LAUNCH_SSH || q.what > LAUNCH_MIND)
			ck_assert_int_ne(a.error, 0);
		if (a.run != 0)
			run = a.run;
	}
	/* Half a request is the end, too. */
	ck_assert_int_eq(sys_write_all(fd[0], &q, sizeof(q) / 2), 0);
	close(fd[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(it_is_said_that_the_launcher_has_ended)
{
	struct udp_addr a[LAUNCH_ADDRS_MAX];
	struct cause c = { NULL };
	struct launch *l;
	int fds[3], status;
	uint32_t run;
	pid_t pid;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGTERM, SIG_IGN);
	(void)setpgid(0, 0);
	l = started();
	ck_assert_uint_eq(launch_lookup(l, 1, -1, a), 0);
	ck_assert_int_eq(kill(0, SIGTERM), 0);
	ck_assert_int_gt(pid = waitpid(-1, &status, 0), 0);
	ck_assert_int_ne(launch_ssh(l, BOOTSTRAP_BATCH, 0, fds, &run, &c), 0);
	ck_assert_ptr_nonnull(strstr(cause_text(&c), "has ended"));
	cause_fini(&c);
	ck_assert_uint_eq(launch_lookup(l, 1, -1, a), 0);
	launch_kill(l, 1);
	launch_free(l);
}
END_TEST

/* Reads the request that the stand-in for ssh has kept; false: none. */
static bool
said(struct control_msg *m)
{
	static uint8_t bytes[4096];
	char path[128];
	size_t n, used;
	FILE *f;

	snprintf(path, sizeof(path), "%s.said", script);
	if ((f = fopen(path, "r")) == NULL)
		return false;
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	unlink(path);
	ck_assert_int_eq(control_decode(bytes, n, m, &used), 0);
	return true;
}

START_TEST(an_end_without_a_word_is_told)
{
	char text[160];
	struct control_msg m;
	struct launch *l;
	int status;

	snprintf(text, sizeof(text), "%s keep", script);
	ssh.ssh = text;
	l = started();
	launch_mind(l, 77);
	launch_free(l);
	ck_assert_int_gt(waitpid(-1, &status, 0), 0);
	ck_assert(said(&m));
	ck_assert_uint_eq(m.type, CONTROL_ROAM);
	ck_assert(m.flags & CONTROL_FLAG_GONE);
	ck_assert_uint_eq(m.id, 77);
	/* The client has said it itself. */
	l = started();
	launch_mind(l, 78);
	launch_mind(l, 0);
	launch_free(l);
	ck_assert_int_gt(waitpid(-1, &status, 0), 0);
	ck_assert(!said(&m));
}
END_TEST

UNIT_SUITE(launch)
{
	Suite *s = suite_create("launch");
	TCase *tc = tcase_create("launch");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, ssh_runs_with_the_users_words);
	tcase_add_test(tc, programs_are_few_and_end_with_the_client);
	tcase_add_test(tc, ssh_may_finish_what_it_has_read);
	tcase_add_test(tc, an_early_kill_ends_one_program);
	tcase_add_test(tc, what_does_not_end_when_told_is_killed);
	tcase_add_test(tc, names_are_looked_up);
	tcase_add_test(tc, late_replies_are_dropped);
	tcase_add_test(tc, a_lookup_may_begin_ahead);
	tcase_add_test(tc, endless_options_end);
	tcase_add_test(tc, a_guests_launcher_runs_nothing);
	tcase_add_test(tc, the_door_starts_a_sealed_helper);
	tcase_add_test(tc, any_request_gets_a_reply);
	tcase_add_test(tc, an_end_without_a_word_is_told);
	tcase_add_test(tc, it_is_said_that_the_launcher_has_ended);
	suite_add_tcase(s, tc);
	return s;
}
