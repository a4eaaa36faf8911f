#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/io/loop_int.h"
#include "base/io/pty.h"
#include "base/io/sock.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "regress/unit/unit.h"

struct seen {
	struct loop *loop;
	bool stop;
	int timers;
	int signals;
	int deferred;
	char text[256];
	size_t len;
};

static void
turn_until_stop(struct seen *s)
{
	s->stop = false;
	while (!s->stop)
		loop_turn(s->loop, true);
}

static void
on_timer(void *arg)
{
	struct seen *s = arg;

	s->timers++;
	s->stop = true;
}

static void
on_signal(void *arg, int signo)
{
	struct seen *s = arg;

	s->signals += signo == SIGUSR1;
	s->stop = true;
}

static void
on_defer(void *arg)
{
	struct seen *s = arg;

	s->deferred++;
	s->stop = true;
}

/* Callbacks that record their letters in call order. */
struct order {
	struct loop *loop;
	struct loop_timer *t[4];
	char seen[32];
	size_t n;
};

static void
note(struct order *o, char letter)
{
	ck_assert_uint_lt(o->n, sizeof(o->seen) - 1);
	o->seen[o->n++] = letter;
}

static void
on_b(void *arg)
{
	note(arg, 'b');
}

static void
on_c(void *arg)
{
	note(arg, 'c');
}

/* Defers B (already queued: no effect) and C, cancels D. */
static void
on_chain_a(void *arg)
{
	struct order *c = arg;

	note(c, 'a');
	loop_defer(c->loop, on_b, c);
	loop_defer(c->loop, on_c, c);
	loop_defer_cancel(c->loop, &c->n);
}

START_TEST(deferred_calls_keep_their_order_and_turn)
{
	struct order c = { .loop = loop_new() };

	loop_defer(c.loop, on_chain_a, &c);
	loop_defer(c.loop, on_b, &c);
	loop_defer(c.loop, on_c, &c.n); /* cancelled by the first */
	loop_turn(c.loop, false);
	ck_assert_str_eq(c.seen, "ab");
	loop_defer_new(c.loop, on_b, &c);
	loop_turn(c.loop, true);
	ck_assert_str_eq(c.seen, "abcb");
	loop_turn(c.loop, false);
	ck_assert_str_eq(c.seen, "abcb");
	loop_free(c.loop);
}
END_TEST

static void
on_end(void *arg)
{
	struct order *o = arg;

	note(o, loop_stop(o->loop) ? 'e' : 'f');
}

START_TEST(a_loop_runs_until_it_is_stopped_and_knows_by_whom)
{
	struct order o = { .loop = loop_new() };

	loop_defer(o.loop, on_b, &o);
	loop_defer(o.loop, on_end, &o);
	loop_run(o.loop);
	ck_assert_str_eq(o.seen, "be");
	ck_assert(loop_stopped(o.loop));
	on_end(&o);
	/* loop_stop stays in effect. */
	loop_run(o.loop);
	ck_assert_str_eq(o.seen, "bef");
	loop_free(o.loop);
}
END_TEST

START_TEST(timers_signals_and_deferred_calls_arrive)
{
	struct seen s = { .loop = loop_new() };
	struct loop_timer *t = loop_timer_new(s.loop, on_timer, &s);
	struct loop_signal *sig;
	mono_ms start = sys_now();

	loop_timer_set(t, start + 5);
	turn_until_stop(&s);
	ck_assert_int_eq(s.timers, 1);
	ck_assert_uint_ge(sys_now(), start + 5);
	ck_assert_uint_ge(sys_now_us(), (start + 5) * 1000);
	sig = loop_signal_add(s.loop, SIGUSR1, on_signal, &s);
	kill(getpid(), SIGUSR1);
	turn_until_stop(&s);
	ck_assert_int_eq(s.signals, 1);
	loop_defer(s.loop, on_defer, &s);
	loop_defer(s.loop, on_defer, &s);
	turn_until_stop(&s);
	ck_assert_int_eq(s.deferred, 1);
	loop_signal_del(sig);
	loop_timer_free(t);
	loop_free(s.loop);
}
END_TEST

static void
on_order_a(void *arg)
{
	struct order *o = arg;

	note(o, 'a');
	/* Due at once, but in the next turn; the other is cancelled. */
	loop_timer_set(o->t[0], loop_now(o->loop));
	loop_timer_set(o->t[3], 1);
	loop_timer_set(o->t[2], MONO_NEVER);
}

static void
on_order_d(void *arg)
{
	struct order *o = arg;

	note(o, 'd');
	loop_timer_free(o->t[0]);
	loop_timer_free(o->t[3]);
	o->t[0] = o->t[3] = NULL;
}

START_TEST(timers_run_in_order_and_may_change_each_other)
{
	struct order o = { .loop = loop_new() };
	mono_ms now = sys_now();
	size_t i;

	o.t[0] = loop_timer_new(o.loop, on_order_a, &o);
	o.t[1] = loop_timer_new(o.loop, on_b, &o);
	o.t[2] = loop_timer_new(o.loop, on_b, &o);
	o.t[3] = loop_timer_new(o.loop, on_order_d, &o);
	loop_timer_set(o.t[3], now + 60000);
	loop_timer_set(o.t[2], 9);
	loop_timer_set(o.t[1], 5);
	loop_timer_set(o.t[0], 5);
	loop_turn(o.loop, true);
	ck_assert_str_eq(o.seen, "ba");
	/* The earlier one that A set runs first, and frees the other. */
	loop_turn(o.loop, true);
	ck_assert_str_eq(o.seen, "bad");
	for (i = 1; i < 3; i++)
		loop_timer_free(o.t[i]);
	loop_free(o.loop);
}
END_TEST

static void
on_heap(void *arg)
{
	struct order *o = arg;

	o->n++;
}

START_TEST(many_timers_keep_their_order)
{
	enum {
		MANY = 500
	};
	struct loop_timer *t[MANY];
	struct order o = { .loop = loop_new() };
	mono_ms now = sys_now();
	uint32_t r = 1;
	size_t i, due = 0;

	for (i = 0; i < MANY; i++)
		t[i] = loop_timer_new(o.loop, on_heap, &o);
	for (i = 0; i < 20 * MANY; i++) {
		r = r * 1664525 + 1013904223;
		loop_timer_set(t[(r >> 8) % MANY],
		    (r & 3) == 0   ? MONO_NEVER
		    : (r & 4) != 0 ? 1 + (r >> 20) % 1000
				   : now + 100000 + (r >> 20));
	}
	for (i = 0; i < MANY; i += 3) {
		loop_timer_free(t[i]);
		t[i] = NULL;
	}
	for (i = 0; i < MANY; i++)
		if (t[i] != NULL && i % 2 == 0) {
			loop_timer_set(t[i], 1 + i);
			due++;
		} else if (t[i] != NULL) {
			loop_timer_set(t[i], now + 100000 + i);
		}
	loop_turn(o.loop, false);
	ck_assert_uint_eq(o.n, due);
	loop_turn(o.loop, false);
	ck_assert_uint_eq(o.n, due);
	for (i = 0; i < MANY; i++)
		loop_timer_free(t[i]);
	loop_free(o.loop);
}
END_TEST

static void
on_byte(UNUSED void *arg, int fd, UNUSED unsigned events)
{
	char c;

	ck_assert_int_eq(read(fd, &c, 1), 1);
}

/* A later deadline leaves the clock as it is. */
START_TEST(a_turn_makes_no_call_for_a_later_deadline)
{
	struct seen s = { .loop = loop_new() };
	struct loop_timer *t = loop_timer_new(s.loop, on_timer, &s);
	struct loop_stats before, after;
	struct loop_io *io;
	int p[2], i;

	ck_assert_int_eq(pipe(p), 0);
	io = loop_io_add(s.loop, p[0], LOOP_READ, on_byte, &s);
	loop_timer_set(t, sys_now() + 100000);
	ck_assert_int_eq(write(p[1], "x", 1), 1);
	loop_turn(s.loop, true);
	before = s.loop->stats;
	for (i = 0; i < 50; i++) {
		ck_assert_int_eq(write(p[1], "x", 1), 1);
		loop_timer_set(t, sys_now() + 200000 + (mono_ms)i);
		loop_turn(s.loop, true);
	}
	after = s.loop->stats;
	ck_assert_uint_eq(after.events - before.events, 50);
	ck_assert_uint_eq(after.turns - before.turns, 50);
	ck_assert_uint_eq(after.arms, before.arms);
	/* An earlier deadline sets the clock once. */
	loop_timer_set(t, sys_now() + 2);
	turn_until_stop(&s);
	ck_assert_int_eq(s.timers, 1);
	before = s.loop->stats;
	ck_assert_uint_eq(before.arms, after.arms + 1);
	loop_timer_free(t);
	loop_io_del(io);
	close(p[0]);
	close(p[1]);
	loop_free(s.loop);
}
END_TEST

static void
on_pty(void *arg, int fd, UNUSED unsigned events)
{
	struct seen *s = arg;
	ssize_t n;

	n = read(fd, s->text + s->len, sizeof(s->text) - 1 - s->len);
	if (n > 0) {
		s->len += (size_t)n;
		return;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	s->stop = true;
}

#ifdef SYS_sched_getattr
/* Returns the slice of a turn in ns from the kernel, 0 if unknown. */
static uint64_t
turn_of_this(void)
{
	/* struct sched_attr: size and policy, flags, nice and priority ... */
	uint64_t attr[6] = { 0 };

	return syscall(SYS_sched_getattr, 0, attr, sizeof(attr), 0) == 0
		   ? attr[3]
		   : 0;
}

static void
in_child(void (*fn)(uint64_t before), uint64_t before)
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		fn(before);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}

NORETURN static void
turn_is_as_before(uint64_t before)
{
	_exit(turn_of_this() == before ? 0 : 1);
}

NORETURN static void
turn_is_short(uint64_t before)
{
	uint64_t now;

	sys_interactive();
	now = turn_of_this();
	/* Older kernels report nothing and change nothing. */
	if (now != before && now != SYS_TURN_US * 1000)
		_exit(2);
	if (before != 0 && now == before && getpriority(PRIO_PROCESS, 0) >= 0)
		_exit(3);
	in_child(turn_is_as_before, before);
	_exit(0);
}
#endif

START_TEST(who_is_interactive_has_short_turns_and_its_children_have_not)
{
#ifdef SYS_sched_getattr
	in_child(turn_is_short, turn_of_this());
#endif
}
END_TEST

START_TEST(text_is_read_until_its_end_a_time_or_a_size)
{
	static const char text[] = "one two";
	const size_t n = sizeof(text) - 1;
	char out[64];
	mono_ms end;
	int p[2];

	ck_assert_int_eq(pipe(p), 0);
	ck_assert_int_eq(sys_write_all(p[1], text, n), 0);
	/* The other end stays open. */
	end = sys_now() + 20;
	ck_assert(!sys_read_until(p[0], end, out, sizeof(out)));
	ck_assert_uint_ge(sys_now(), end);
	ck_assert_str_eq(out, text);
	/* A time that is over: nothing is read. */
	ck_assert_int_eq(sys_write_all(p[1], text, n), 0);
	ck_assert(!sys_read_until(p[0], end, out, sizeof(out)));
	ck_assert_str_eq(out, "");
	ck_assert(sys_read_until(p[0], MONO_NEVER, out, 4));
	ck_assert_str_eq(out, "one");
	close(p[1]);
	ck_assert(sys_read_until(p[0], MONO_NEVER, out, sizeof(out)));
	ck_assert_str_eq(out, " two");
	ck_assert(sys_read_until(p[0], MONO_NEVER, out, sizeof(out)));
	ck_assert_str_eq(out, "");
	close(p[0]);
	/* An error ends it, too. */
	ck_assert(sys_read_until(p[0], MONO_NEVER, out, sizeof(out)));
}
END_TEST

START_TEST(pty_runs_a_program_with_size_and_environment)
{
	const char *argv[] = { "sh", "-c", "stty size; echo $GREETING", NULL };
	const char *env[] = { "PATH=/usr/bin:/bin", "GREETING=hello", NULL };
	struct pty_spec spec = {
		.argv = argv,
		.envp = env,
		.cwd = "/",
		.size = { .cols = 91, .rows = 17 },
	};
	struct seen s = { .loop = loop_new() };
	struct loop_io *io;
	struct cause c = { NULL };
	struct pty_modes m;
	pid_t pid;
	int fd, status;

	ck_assert_int_eq(pty_spawn(&spec, &fd, &pid, &c), 0);
	ck_assert_int_eq(pty_get_modes(fd, &m), 0);
	ck_assert(m.echo && m.canonical);
	io = loop_io_add(s.loop, fd, LOOP_READ, on_pty, &s);
	turn_until_stop(&s);
	ck_assert_str_eq(s.text, "17 91\r\nhello\r\n");
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 0);
	loop_io_del(io);
	close(fd);
	loop_free(s.loop);
}
END_TEST

static unsigned modes_set; /* calls of tcsetattr in this process */

/* Counts its calls, and passes them on to the C library. */
int
tcsetattr(int fd, int when, const struct termios *tio)
{
	union {
		void *symbol;
		int (*call)(int, int, const struct termios *);
	} real = { dlsym(RTLD_NEXT, "tcsetattr") };

	modes_set++;
	return real.call == NULL ? -1 : real.call(fd, when, tio);
}

/* Modes set by the parent could undo those that a program sets first. */
START_TEST(the_child_sets_its_first_modes)
{
	const char *argv[] = { "sh", "-c",
		"stty -a | grep -o 'erase = ^?\\|[^-]iutf8'", NULL };
	const char *env[] = { "PATH=/usr/bin:/bin", NULL };
	struct pty_spec spec = {
		.argv = argv,
		.envp = env,
		.cwd = "/",
		.size = { .cols = 80, .rows = 24 },
	};
	struct seen s = { .loop = loop_new() };
	struct loop_io *io;
	struct cause c = { NULL };
	pid_t pid;
	int fd, status;

	modes_set = 0;
	ck_assert_int_eq(pty_spawn(&spec, &fd, &pid, &c), 0);
	ck_assert_uint_eq(modes_set, 0);
	io = loop_io_add(s.loop, fd, LOOP_READ, on_pty, &s);
	turn_until_stop(&s);
	ck_assert_str_eq(s.text, "erase = ^?\r\n iutf8\r\n");
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	loop_io_del(io);
	close(fd);
	loop_free(s.loop);
}
END_TEST

START_TEST(socket_is_private_replaced_when_stale_and_knows_its_peer)
{
	char dir[] = "/tmp/rmux-check.XXXXXX";
	struct cause c = { NULL };
	char *path, *sdir;
	int fd, lock, fd2, lock2, cl, sv;
	struct stat st;
	uid_t uid;
	pid_t pid;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	setenv("RMUX_TMPDIR", dir, 1);
	ck_assert_int_eq(sys_socket_dir_new(&sdir, &c), 0);
	path = mem_printf("%s/default", sdir);
	ck_assert_int_eq(sock_connect(path, &cl, &c), -ERR_NOTFOUND);
	cause_fini(&c);
	ck_assert_int_eq(sock_listen(path, &fd, &lock, &c), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 077, 0);
	ck_assert_int_eq(sock_listen(path, &fd2, &lock2, &c), -ERR_EXISTS);
	cause_fini(&c);
	/* A dead server leaves its socket; the next server replaces it. */
	close(fd);
	close(lock);
	ck_assert_int_eq(sock_connect(path, &cl, &c), -ERR_NOTFOUND);
	cause_fini(&c);
	ck_assert_int_eq(sock_listen(path, &fd, &lock, &c), 0);
	ck_assert_int_eq(sock_accept(fd, &sv), -ERR_AGAIN);
	ck_assert_int_eq(sock_connect(path, &cl, &c), 0);
	ck_assert_int_eq(sock_accept(fd, &sv), 0);
	ck_assert_int_eq(sock_peer(sv, &uid, &pid), 0);
	ck_assert_int_eq(uid, getuid());
	ck_assert_int_eq(pid, getpid());
	/* Other users must not enter the directory. */
	chmod(sdir, 0755);
	mem_free(sdir);
	ck_assert_int_eq(sys_socket_dir_new(&sdir, &c), -ERR_DENIED);
	ck_assert_ptr_nonnull(strstr(cause_text(&c), "chmod 700"));
	cause_fini(&c);
	unlink(path);
	mem_free(path);
	path = mem_printf("rm -r %s", dir);
	ck_assert_int_eq(system(path), 0);
	mem_free(path);
	mem_free(sdir);
}
END_TEST

UNIT_SUITE(loop)
{
	Suite *s = suite_create("base_io");
	TCase *tc = tcase_create("loop");

	tcase_add_test(tc, a_loop_runs_until_it_is_stopped_and_knows_by_whom);
	tcase_add_test(tc, timers_signals_and_deferred_calls_arrive);
	tcase_add_test(tc, deferred_calls_keep_their_order_and_turn);
	tcase_add_test(tc, timers_run_in_order_and_may_change_each_other);
	tcase_add_test(tc, many_timers_keep_their_order);
	tcase_add_test(tc, a_turn_makes_no_call_for_a_later_deadline);
	tcase_add_test(
	    tc, who_is_interactive_has_short_turns_and_its_children_have_not);
	tcase_add_test(tc, text_is_read_until_its_end_a_time_or_a_size);
	tcase_add_test(tc, pty_runs_a_program_with_size_and_environment);
	tcase_add_test(tc, the_child_sets_its_first_modes);
	tcase_add_test(
	    tc, socket_is_private_replaced_when_stale_and_knows_its_peer);
	suite_add_tcase(s, tc);
	return s;
}
