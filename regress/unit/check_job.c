#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/environ.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/io/job.h"

struct ended {
	unsigned calls;
	int status;
	size_t len;
	char text[256];
};

static struct jobs jobs;

static void
done(void *arg, int status, const char *output, size_t len)
{
	struct ended *e = arg;

	e->calls++;
	e->status = status;
	e->len = len;
	(void)snprintf(e->text, sizeof(e->text), "%s", output);
}

static void
reaped(UNUSED struct run_util *u, pid_t pid, int status)
{
	(void)job_reaped(&jobs, pid, status);
}

static void
setup(struct run_util *u)
{
	run_util_init(u);
	u->reaped = reaped;
	jobs_init(&jobs, &u->run);
}

static struct job *
start(const char *command, bool stderr_too, struct ended *e)
{
	const struct job_spec spec = {
		.command = command,
		.cwd = "/tmp",
		.stderr_too = stderr_too,
	};
	struct job *j = job_start(&jobs, &spec, done, e);

	ck_assert_ptr_nonnull(j);
	return j;
}

START_TEST(a_job_gives_its_output_and_status)
{
	struct ended a = { 0 }, b = { 0 };
	struct run_util u;

	setup(&u);
	(void)start("pwd; echo err >&2; exit 3", false, &a);
	(void)start("echo out; echo err >&2; kill -9 $$", true, &b);
	ck_assert_uint_eq(jobs.all.count, 2);
	RUN_UNTIL(&u, a.calls == 1 && b.calls == 1);
	ck_assert_str_eq(a.text, "/tmp\n");
	ck_assert_int_eq(WEXITSTATUS(a.status), 3);
	ck_assert_str_eq(b.text, "out\nerr\n");
	ck_assert(WIFSIGNALED(b.status));
	ck_assert_uint_eq(jobs.all.count, 0);
	ck_assert_uint_ge(u.drains, 2);
	ck_assert(!job_reaped(&jobs, 999999, 0));
	jobs_fini(&jobs);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_job_has_an_environment)
{
	struct environ env;
	struct job_spec spec = { .command = "echo $A-$B-$RMUX", .env = &env };
	struct ended e = { 0 };
	struct run_util u;

	setup(&u);
	environ_init(&env);
	(void)environ_set(&env, "A", "session", false, NULL);
	(void)environ_set(&u.run.mux->environ, "A", "global", false, NULL);
	(void)environ_set(&u.run.mux->environ, "B", "global", false, NULL);
	ck_assert_ptr_nonnull(job_start(&jobs, &spec, done, &e));
	RUN_UNTIL(&u, e.calls == 1);
	ck_assert_ptr_eq(
	    strstr(e.text, "session-global-/tmp/rmux-test,"), e.text);
	environ_fini(&env);
	jobs_fini(&jobs);
	run_util_fini(&u);
}
END_TEST

START_TEST(output_is_kept_up_to_a_limit)
{
	struct ended e = { 0 };
	struct run_util u;

	setup(&u);
	(void)start("dd if=/dev/zero bs=65536 count=32 2>/dev/null", false, &e);
	RUN_UNTIL(&u, e.calls == 1);
	ck_assert_uint_le(e.len, JOB_OUTPUT_MAX);
	ck_assert_uint_gt(e.len, JOB_OUTPUT_MAX / 2);
	jobs_fini(&jobs);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_job_that_is_cancelled_says_nothing)
{
	struct ended e = { 0 }, other = { 0 };
	struct run_util u;
	struct buf b;
	struct job *j;

	setup(&u);
	j = start("echo begin; sleep 60", false, &e);
	buf_init(&b, 4096);
	job_print(&jobs, &b);
	ck_assert_ptr_eq(strstr(buf_cstr(&b), "Job 0: echo begin; sleep 60 ["),
	    buf_cstr(&b));
	buf_fini(&b);
	/* At once: the process may not lead its group yet. */
	job_cancel(j);
	RUN_UNTIL(&u, jobs.all.count == 0);
	ck_assert_uint_eq(e.calls, 0);
	/* The end of the server kills the rest. */
	(void)start("sleep 60", false, &other);
	jobs_fini(&jobs);
	ck_assert_uint_eq(jobs.all.count, 0);
	ck_assert_uint_eq(other.calls, 0);
	run_util_fini(&u);
}
END_TEST

UNIT_SUITE(job)
{
	Suite *s = suite_create("job");
	TCase *tc = tcase_create("job");

	tcase_add_test(tc, a_job_gives_its_output_and_status);
	tcase_add_test(tc, a_job_has_an_environment);
	tcase_add_test(tc, output_is_kept_up_to_a_limit);
	/* valgrind loses a signal that comes between fork and exec. */
	if (getenv("UNIT_SHORT") == NULL)
		tcase_add_test(tc, a_job_that_is_cancelled_says_nothing);
	suite_add_tcase(s, tc);
	return s;
}
