#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "regress/unit/pane_util.h"
#include "regress/unit/unit.h"
#include "server/io/pipe.h"

static bool
file_has(const char *path, const char *text)
{
	char *data = run_util_read(path);
	bool has = strstr(data, text) != NULL;

	mem_free(data);
	return has;
}

START_TEST(the_command_reads_the_output)
{
	struct pane_util pu;
	struct pane_io *io;
	char dir[256];

	pane_util_init(&pu);
	(void)run_util_dir(dir, sizeof(dir));
	io = pane_util_start(&pu, "stty -echo; echo before; cat");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "before"));
	ck_assert(!pipe_is_open(io));
	ck_assert_int_eq(pipe_open(io, "cat >out", dir, false, true, NULL), 0);
	ck_assert(pipe_is_open(io));
	ck_assert_uint_eq(
	    pu.p->flags & (PANE_PIPE_OUT | PANE_PIPE_IN), PANE_PIPE_OUT);
	ck_assert_int_gt(pu.p->pipe_pid, 0);
	ck_assert_int_eq(pane_io_write(io, "piped\n", 6), 0);
	RUN_UNTIL(&pu.u, file_has("out", "piped"));
	ck_assert(!file_has("out", "before"));
	pipe_close(io);
	pipe_close(io);
	ck_assert(!pipe_is_open(io));
	ck_assert_uint_eq(pu.p->flags & PANE_PIPE_OUT, 0);
	ck_assert_int_eq(pu.p->pipe_pid, -1);
	(void)unlink("out");
	ck_assert_int_eq(rmdir(dir), 0);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(the_command_types)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "stty -echo; read x; echo got-$x; cat");
	ck_assert_int_eq(
	    pipe_open(io, "echo typed; sleep 60", NULL, true, false, NULL), 0);
	ck_assert_uint_eq(
	    pu.p->flags & (PANE_PIPE_OUT | PANE_PIPE_IN), PANE_PIPE_IN);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "got-typed"));
	ck_assert(pipe_is_open(io));
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_pipe_ends_with_its_command)
{
	struct pane_util pu;
	struct pane_io *io;
	unsigned drains;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "cat");
	ck_assert_int_eq(pipe_open(io, "true", NULL, false, true, NULL), 0);
	drains = pu.u.drains;
	RUN_UNTIL(&pu.u, !pipe_is_open(io));
	ck_assert_uint_gt(pu.u.drains, drains);
	ck_assert_uint_eq(pu.p->flags & PANE_PIPE_OUT, 0);
	/* It ends with its pane as well. */
	ck_assert_int_eq(pipe_open(io, "cat", NULL, false, true, NULL), 0);
	pane_io_free(io);
	ck_assert_uint_eq(pu.p->flags & PANE_PIPE_OUT, 0);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_command_that_reads_nothing_holds_up_for_a_while)
{
	struct pane_util pu;
	struct pane_io *io;
	uint64_t at;
	unsigned i;

	pane_util_init(&pu);
	io = pane_util_start(
	    &pu, "yes 0123456789012345678901234567890123456789");
	ck_assert_int_eq(pipe_open(io, "sleep 60", NULL, false, true, NULL), 0);
	RUN_UNTIL(&pu.u, io->written > PIPE_FULL);
	at = 0;
	RUN_UNTIL(
	    &pu.u, at == io->written || (at = io->written, run_util_turn(&pu.u),
					    run_util_turn(&pu.u), false));
	for (i = 0; i < 5; i++)
		run_util_turn(&pu.u);
	ck_assert_uint_eq(io->written, at);
	/* After PIPE_STALL_MS the program goes on without the command. */
	RUN_UNTIL(&pu.u, io->written > at);
	ck_assert_ptr_nonnull(strstr(run_util_message(&pu.u), "bytes dropped"));
	ck_assert(pipe_is_open(io));
	pane_util_fini(&pu);
}
END_TEST

UNIT_SUITE(pipe)
{
	Suite *s = suite_create("pipe");
	TCase *tc = tcase_create("pipe");

	tcase_add_test(tc, the_command_reads_the_output);
	tcase_add_test(tc, the_command_types);
	tcase_add_test(tc, a_pipe_ends_with_its_command);
	tcase_add_test(tc, a_command_that_reads_nothing_holds_up_for_a_while);
	suite_add_tcase(s, tc);
	return s;
}
