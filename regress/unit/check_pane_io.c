#include <sys/wait.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io/sys.h"
#include "base/mem.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/pane_util.h"
#include "regress/unit/unit.h"
#include "server/io/pane_input.h"

/* --- the program -------------------------------------------------------------- */

START_TEST(output_reaches_the_terminal_and_the_floor_above)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "printf 'hello\\033]2;a title\\007\\a'; cat");
	ck_assert_ptr_eq(pane_io_find(&pu.ios, pu.p->id), io);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "hello"));
	ck_assert_uint_ge(pu.outputs, 1);
	RUN_UNTIL(&pu.u, strstr(buf_cstr(&pu.effects), "bell") != NULL);
	ck_assert_str_eq(buf_cstr(&pu.effects), "title a title|bell |");
	ck_assert_uint_gt(io->written, 5);
	ck_assert_uint_eq(pu.exits, 0);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(input_reaches_the_program)
{
	struct pane_util pu;
	struct pane_io *io;
	struct pty_modes m;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "read x; echo got-$x; cat");
	ck_assert_int_eq(pane_io_write(io, "abc\n", 4), 0);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "got-abc"));
	ck_assert(pane_io_modes(io, &m));
	ck_assert(m.echo && m.canonical);
	pane_util_fini(&pu);
}
END_TEST

/* A question of the program is answered; the floor above never sees it. */
START_TEST(replies_go_to_the_program)
{
	struct pane_util pu;

	pane_util_init(&pu);
	(void)pane_util_start(&pu,
	    "stty -echo -icanon min 4; printf '\\033[5n'; "
	    "dd bs=1 count=4 2>/dev/null | tr '\\033' E; cat");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "E[0n"));
	ck_assert_str_eq(buf_cstr(&pu.effects), "");
	pane_util_fini(&pu);
}
END_TEST

START_TEST(the_end_of_a_program_is_told_after_its_output)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "echo last words; exit 3");
	RUN_UNTIL(&pu.u, pu.exits == 1);
	ck_assert(pane_util_shows(&pu, "last words"));
	ck_assert_int_eq(io->pid, 0);
	ck_assert_int_eq(io->fd, -1);
	ck_assert_int_eq(WEXITSTATUS(io->status), 3);
	ck_assert_int_eq(pane_io_write(io, "x", 1), -ERR_CLOSED);
	pane_io_resize(io, (struct cell_size){ 10, 10 }, 0, 0);
	ck_assert_uint_eq(pu.exits, 1);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_pane_may_be_freed_when_its_program_ends)
{
	struct pane_util pu;

	pane_util_init(&pu);
	pu.free_on_exit = true;
	(void)pane_util_start(&pu, "echo last words");
	RUN_UNTIL(&pu.u, pu.exits == 1);
	ck_assert_ptr_null(pane_io_find(&pu.ios, pu.p->id));
	ck_assert(pane_util_shows(&pu, "last words"));
	pane_io_free(NULL);
	pane_util_fini(&pu);
}
END_TEST

/* A command that waits for an event of the output kills the pane. */
START_TEST(a_pane_may_be_freed_by_its_output)
{
	struct pane_util pu;
	struct pane_io *io;
	siginfo_t info;
	pid_t pid;
	int status;

	pane_util_init(&pu);
	pu.free_on_output = true;
	io = pane_util_start(&pu, "echo last words");
	pid = io->pid;
	/* The loop does not turn: nothing is read before the end is known. */
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(pane_io_reaped(&pu.ios, pid, status));
	ck_assert_uint_eq(pu.outputs, 1);
	ck_assert_ptr_null(pane_io_find(&pu.ios, pu.p->id));
	pane_util_fini(&pu);
}
END_TEST

/* A background process keeps the pty open: the pane ends with its shell. */
START_TEST(output_of_a_dead_program_is_drained)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu,
	    "i=0; while [ $i -lt 200 ]; do echo line $i; i=$((i+1)); done");
	RUN_UNTIL(&pu.u, pu.exits == 1);
	ck_assert(pane_util_shows(&pu, "line 199"));
	ck_assert_uint_gt(io->written, 200u * 6);
	ck_assert(!pane_io_reaped(&pu.ios, 999999, 0));
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_program_stopped_by_the_tty_goes_on)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "echo begin; kill -TTOU $$; echo on; cat");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "on"));
	ck_assert_int_gt(io->pid, 0);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_program_that_reads_nothing_gets_no_more)
{
	char *text = mem_zalloc(1 << 20);
	struct pane_util pu;
	struct pane_io *io;
	unsigned i;
	int r = 0;

	pane_util_init(&pu);
	memset(text, 'x', 1 << 20);
	io = pane_util_start(&pu, "stty -echo raw; echo ready; sleep 60");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "ready"));
	for (i = 0; i < 20 && r == 0; i++)
		r = pane_io_write(io, text, 1 << 20);
	ck_assert_int_eq(r, -ERR_LIMIT);
	ck_assert_uint_ge(i, PANE_INPUT_MAX >> 20);
	ck_assert_uint_le(io->input.len, PANE_INPUT_MAX);
	/* A little is still taken. */
	ck_assert_int_eq(pane_io_write(io, "y", 1), 0);
	mem_free(text);
	pane_util_fini(&pu);
}
END_TEST

/* However fast the program reads: the server has other things to do. */
START_TEST(a_long_paste_goes_in_many_turns)
{
	char *text = mem_zalloc(1 << 20);
	struct pane_util pu;
	struct pane_io *io;
	size_t before;

	pane_util_init(&pu);
	memset(text, 'x', 1 << 20);
	io = pane_util_start(
	    &pu, "stty -echo raw; echo ready; exec cat >/dev/null");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "ready"));
	ck_assert_int_eq(pane_io_write(io, text, 1 << 20), 0);
	ck_assert_uint_ge(io->input.len, (1 << 20) - PANE_WRITE);
	while ((before = io->input.len) > 0) {
		run_util_turn(&pu.u);
		ck_assert_uint_ge(io->input.len + PANE_WRITE, before);
	}
	mem_free(text);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_resize_reaches_the_program)
{
	struct pane_util pu;
	struct pane_io *io;
	char name[64];

	pane_util_init(&pu);
	io = pane_util_start(&pu, "read x; stty size; exec cat");
	pane_io_resize(io, (struct cell_size){ 50, 17 }, 0, 0);
	ck_assert_int_eq(pane_io_write(io, "\n", 1), 0);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "17 50"));
	RUN_UNTIL(&pu.u, (pane_io_command(io, name, sizeof(name)),
			     strcmp(name, "cat") == 0 || name[0] == '\0'));
	io->looks = 0;
	pane_io_look(&pu.ios, pu.p->id + 7, false);
	ck_assert_uint_eq(io->looks, 0);
	pane_io_look(&pu.ios, pu.p->id, false);
	ck_assert_uint_eq(io->looks, PANE_LOOKS);
	io->looks = 0;
	pane_io_look(&pu.ios, 0, true);
	ck_assert_uint_eq(io->looks, PANE_LOOKS);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_synchronised_update_that_never_ends_is_shown)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "printf '\\033[?2026hinside'; cat");
	RUN_UNTIL(&pu.u, vt_term_sync_pending(io->term));
	RUN_UNTIL(&pu.u, !vt_term_sync_pending(io->term));
	ck_assert(pane_util_shows(&pu, "inside"));
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_flood_rests_while_somebody_types_elsewhere)
{
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "yes");
	RUN_UNTIL(&pu.u, io->written > 100000);
	ck_assert(!io->rests);
	RUN_UNTIL(&pu.u, (pu.ios.typing = (struct pace_typing){ pu.p->id + 1,
			      loop_now(pu.u.run.loop) },
			     io->rests));
	/* It goes on by itself. */
	RUN_UNTIL(&pu.u, !io->rests);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_program_that_cannot_be_started_has_a_cause)
{
	const char *const argv[] = { "/no/such/program", NULL };
	const char *const env[] = { NULL };
	const struct pty_spec spec = {
		.argv = argv,
		.envp = env,
		.size = { 80, 24 },
	};
	struct cause c = { NULL };
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_io_new(&pu.ios, pu.p->id, pu.p->term, &spec, &c);
	if (io == NULL)
		ck_assert_str_ne(cause_text(&c), "");
	else
		RUN_UNTIL(&pu.u, pu.exits == 1);
	cause_fini(&c);
	pane_util_fini(&pu);
}
END_TEST

/* --- taps --------------------------------------------------------------------------- */

struct reader {
	struct pane_tap tap;
	struct pane_io *io;
	size_t bytes;
	unsigned rooms;
	bool is_full;
	bool closed;
	bool leaves; /* removes itself at its first bytes */
};

static struct reader *
reader_of(const struct pane_tap *t)
{
	return container_of(t, struct reader, tap);
}

static void
reader_bytes(struct pane_tap *t, UNUSED const void *p, size_t n)
{
	struct reader *r = reader_of(t);

	r->bytes += n;
	if (r->leaves)
		pane_io_untap(r->io, t);
}

static bool
reader_full(const struct pane_tap *t)
{
	return reader_of(t)->is_full;
}

static void
reader_room(struct pane_tap *t)
{
	reader_of(t)->rooms++;
}

static void
reader_closed(struct pane_tap *t)
{
	struct reader *r = reader_of(t);

	r->closed = true;
	pane_io_untap(r->io, t);
}

static void
reader_add(struct reader *r, struct pane_io *io)
{
	memset(r, 0, sizeof(*r));
	r->tap.bytes = reader_bytes;
	r->tap.full = reader_full;
	r->tap.closed = reader_closed;
	r->io = io;
	pane_io_tap(io, &r->tap);
}

START_TEST(several_taps_read_the_same_output)
{
	struct reader a, b, once;
	struct pane_util pu;
	struct pane_io *io;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "stty -echo; echo ready; read x; "
				  "printf 12345; cat");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "ready"));
	reader_add(&a, io);
	reader_add(&once, io);
	reader_add(&b, io);
	b.tap.room = reader_room;
	once.leaves = true;
	ck_assert_int_eq(pane_io_write(io, "\n", 1), 0);
	ck_assert_uint_ge(b.rooms, 1);
	RUN_UNTIL(&pu.u, a.bytes >= 5);
	ck_assert_uint_eq(a.bytes, b.bytes);
	ck_assert_uint_le(once.bytes, a.bytes);
	ck_assert_uint_ge(once.bytes, 1);
	pane_io_untap(io, &a.tap);
	ck_assert(!a.closed);
	pane_io_free(io);
	ck_assert(b.closed && !a.closed && !once.closed);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(a_full_tap_stops_reading)
{
	struct reader a, b;
	struct pane_util pu;
	struct pane_io *io;
	uint64_t at;
	unsigned i;

	pane_util_init(&pu);
	io = pane_util_start(&pu, "yes");
	reader_add(&a, io);
	reader_add(&b, io);
	RUN_UNTIL(&pu.u, io->written > 100000);
	b.is_full = true;
	pane_io_arm(io);
	at = io->written;
	for (i = 0; i < 10; i++)
		run_util_turn(&pu.u);
	ck_assert_uint_eq(io->written, at);
	b.is_full = false;
	pane_io_arm(io);
	RUN_UNTIL(&pu.u, io->written > at + 100000);
	/* One that was full and leaves holds nobody up. */
	b.is_full = true;
	pane_io_arm(io);
	at = io->written;
	pane_io_untap(io, &b.tap);
	RUN_UNTIL(&pu.u, io->written > at);
	ck_assert_uint_gt(a.bytes, b.bytes);
	pane_util_fini(&pu);
	ck_assert(a.closed);
}
END_TEST

/* --- keys ------------------------------------------------------------------------------ */

START_TEST(keys_and_pastes_are_encoded_for_the_program)
{
	const struct key_event up = { .key = KEY_UP };
	struct pane_util pu;

	pane_util_init(&pu);
	(void)pane_util_start(&pu, "stty -echo -icanon min 1; "
				   "printf '\\033[?2004h\\033[?1hready'; "
				   "dd bs=1 count=19 2>/dev/null | od -c; cat");
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "ready"));
	pane_input_keys(&pu.ios, pu.p, &up);
	ck_assert_int_eq(pane_input_paste(&pu.ios, pu.p, "abc", 3, true), 0);
	ck_assert_int_eq(pane_input_paste(&pu.ios, pu.p, "z", 1, false), 0);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "0000020"));
	ck_assert(pane_util_shows(&pu, "033   O   A 033   [   2   0   0   ~"
				       "   a   b   c 033   [   2   0"));
	pane_set_flags(pu.p, PANE_INPUT_OFF, true);
	ck_assert_int_eq(pane_input_bytes(&pu.ios, pu.p, "x", 1), -ERR_CLOSED);
	pane_util_fini(&pu);
}
END_TEST

START_TEST(synchronised_panes_get_the_same_keys)
{
	struct key_event key = { .key = 'q', .text = "q" };
	struct mouse_event mouse;
	struct pane_util pu;
	struct pane *first, *second;

	pane_util_init(&pu);
	memset(&mouse, 0, sizeof(mouse));
	first = pu.p;
	second = mux_util_split(first, LAYOUT_ROW);
	pu.p = second;
	(void)pane_util_start(&pu, "read x; echo second-$x; cat");
	/* The first pane has no program. */
	pane_input_keys(&pu.ios, first, &key);
	ck_assert_int_eq(options_set_text(&first->window->options,
			     "synchronize-panes", "on", NULL),
	    0);
	pane_input_keys(&pu.ios, first, &key);
	/* No mouse events were asked for. */
	pane_input_mouse(&pu.ios, second, &mouse);
	key.key = KEY_ENTER;
	key.text[0] = '\0';
	pane_input_keys(&pu.ios, first, &key);
	RUN_UNTIL(&pu.u, pane_util_shows(&pu, "second-q"));
	ck_assert(!pane_util_shows(&pu, "second-qq"));
	pane_util_fini(&pu);
}
END_TEST

UNIT_SUITE(pane_io)
{
	Suite *s = suite_create("pane_io");
	TCase *tc = tcase_create("pane_io");

	tcase_add_test(tc, output_reaches_the_terminal_and_the_floor_above);
	tcase_add_test(tc, input_reaches_the_program);
	tcase_add_test(tc, replies_go_to_the_program);
	tcase_add_test(tc, the_end_of_a_program_is_told_after_its_output);
	tcase_add_test(tc, a_pane_may_be_freed_when_its_program_ends);
	tcase_add_test(tc, a_pane_may_be_freed_by_its_output);
	tcase_add_test(tc, output_of_a_dead_program_is_drained);
	tcase_add_test(tc, a_program_stopped_by_the_tty_goes_on);
	tcase_add_test(tc, a_program_that_reads_nothing_gets_no_more);
	tcase_add_test(tc, a_long_paste_goes_in_many_turns);
	tcase_add_test(tc, a_resize_reaches_the_program);
	tcase_add_test(tc, a_synchronised_update_that_never_ends_is_shown);
	/* Under valgrind reading is slower than any flood. */
	if (getenv("UNIT_SHORT") == NULL)
		tcase_add_test(
		    tc, a_flood_rests_while_somebody_types_elsewhere);
	tcase_add_test(tc, a_program_that_cannot_be_started_has_a_cause);
	tcase_add_test(tc, several_taps_read_the_same_output);
	tcase_add_test(tc, a_full_tap_stops_reading);
	tcase_add_test(tc, keys_and_pastes_are_encoded_for_the_program);
	tcase_add_test(tc, synchronised_panes_get_the_same_keys);
	suite_add_tcase(s, tc);
	return s;
}
