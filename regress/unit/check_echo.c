#include "regress/unit/frame_util.h"
#include "regress/unit/unit.h"
#include "server/face/echo.h"

/* At any typing speed: never before ECHO_MS, never after twice that. */
START_TEST(every_input_is_answered_in_time)
{
	static const unsigned gaps[] = { 1, 7, 10, 30, 49, 50, 51, 99, 400 };
	struct echo e;
	mono_ms now, at[4096];
	uint64_t sent, acked, i;
	unsigned acks;

	echo_init(&e);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	ck_assert(!echo_expire(&e, 12345));
	at[0] = 0;
	for (i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		echo_init(&e);
		sent = acked = acks = 0;
		for (now = 1000; now < 5000; now++) {
			if (now < 4000 && now % gaps[i] == 0) {
				at[++sent] = now;
				echo_input(&e, now, sent, 0, false);
			}
			if (now < echo_deadline(&e))
				ck_assert(!echo_expire(&e, now));
			else
				acks += echo_expire(&e, now);
			for (; acked < e.ack; acked++)
				ck_assert(now >= at[acked + 1] + ECHO_MS);
			if (acked < sent)
				ck_assert(now < at[acked + 1] + 2 * ECHO_MS);
		}
		ck_assert_uint_eq(acked, sent);
		ck_assert(echo_deadline(&e) == MONO_NEVER);
		ck_assert_uint_le(acks, 3000 / ECHO_MS * 2 + 2);
	}
}
END_TEST

/* A late timer acknowledges both scheduled inputs. */
START_TEST(a_late_timer_takes_both)
{
	struct echo e;

	echo_init(&e);
	echo_input(&e, 100, 1, 0, false);
	echo_input(&e, 100, 2, 0, false);
	echo_input(&e, 120, 3, 0, false);
	echo_input(&e, 130, 4, 0, false);
	ck_assert(echo_deadline(&e) == 100 + ECHO_MS);
	ck_assert(echo_expire(&e, 160));
	ck_assert_uint_eq(e.ack, 2);
	ck_assert(echo_expire(&e, 900));
	ck_assert_uint_eq(e.ack, 4);
	echo_input(&e, 1000, 5, 0, false);
	echo_input(&e, 1020, 6, 0, false);
	echo_input(&e, 2000, 7, 0, false);
	ck_assert_uint_eq(e.ack, 6);
}
END_TEST

/* A pane of 20x4: TEXT in row Y, the cursor behind it. */
static struct vt_frame *
screen(unsigned y, const char *text, uint32_t modes)
{
	struct vt_frame *f = frame_with(vt_frame_new(20, 4), y, text);

	f->state.modes |= modes;
	return f;
}

/* The rows of a pager: a letter each, the cursor below. */
static struct vt_frame *
page(char first)
{
	struct vt_frame *f = screen(3, ":", VT_FRAME_ALTERNATE);
	unsigned y;

	for (y = 0; y < 3; y++)
		vt_line_put(
		    vt_frame_own(f, y), 0, (uint32_t)first + y, VT_NARROW, 0);
	return f;
}

/* Calls echo_look with F and drops F. */
static bool
look(struct echo *e, mono_ms now, uint64_t pane, struct vt_frame *f)
{
	bool r = echo_look(e, now, pane, f);

	vt_frame_unref(f);
	return r;
}

/* The frame that shows the typed text at the cursor answers it. */
START_TEST(text_that_stands_there_is_answered)
{
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	ck_assert(!look(&e, now, 1, screen(1, "$ ", 0)));
	now += 1000;
	echo_input(&e, now, 1, 'l', true);
	ck_assert(look(&e, now + 2, 1, screen(1, "$ l", 0)));
	ck_assert_uint_eq(e.ack, 1);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	/* two inputs at once, shown one after the other, then a third */
	echo_input(&e, now + 100, 2, 'l', true);
	echo_input(&e, now + 101, 3, ' ', true);
	ck_assert(look(&e, now + 102, 1, screen(1, "$ ll", 0)));
	ck_assert_uint_eq(e.ack, 2);
	echo_input(&e, now + 103, 4, 'x', true);
	ck_assert(look(&e, now + 104, 1, screen(1, "$ ll x", 0)));
	ck_assert_uint_eq(e.ack, 4);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	ck_assert(!echo_expire(&e, now + 500));
	/* another change is no answer */
	echo_input(&e, now + 600, 5, 'y', true);
	ck_assert(!look(&e, now + 601, 1, screen(1, "$ ll *", 0)));
	ck_assert(!look(&e, now + 602, 1, screen(2, "$ ll xy", 0)));
	ck_assert(!look(&e, now + 603, 2, screen(1, "$ ll xy", 0)));
	ck_assert(!look(&e, now + 604, 1, screen(1, "$ ll xy", 0)));
	ck_assert(echo_expire(&e, now + 650));
	ck_assert_uint_eq(e.ack, 5);
	echo_fini(&e);
}
END_TEST

/* A late answer is not taken for the answer to the next input. */
START_TEST(a_slow_program_is_waited_for)
{
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	(void)look(&e, now, 1, screen(0, "$ ", 0));
	echo_input(&e, now + 1000, 1, 'e', true);
	ck_assert(echo_expire(&e, now + 1050));
	echo_input(&e, now + 1080, 2, 'e', true);
	ck_assert(!look(&e, now + 1100, 1, screen(0, "$ e", 0)));
	ck_assert_uint_eq(e.ack, 1);
	ck_assert(!look(&e, now + 1110, 1, screen(0, "$ ee", 0)));
	ck_assert(echo_expire(&e, now + 1130));
	/* slow_until has passed */
	echo_input(&e, now + 4000, 3, 'x', true);
	ck_assert(look(&e, now + 4001, 1, screen(0, "$ eex", 0)));
	/* the last frame is out of date: no recognition */
	echo_input(&e, now + 5000, 4, 'x', false);
	ck_assert(!look(&e, now + 5001, 1, screen(0, "$ eexx", 0)));
	ck_assert(echo_expire(&e, now + 5050));
	echo_fini(&e);
}
END_TEST

/* On the alternate screen a quick change of any kind answers a key. */
START_TEST(a_pager_that_moves_is_answered)
{
	struct vt_frame *f = page('f');
	struct echo e;
	mono_ms now = 10000;

	vt_line_put(vt_frame_own(f, 3), 1, '!', VT_NARROW, 0);
	echo_init(&e);
	(void)look(&e, now, 1, page('a'));
	now += 5000;
	echo_input(&e, now, 1, ' ', true);
	ck_assert(look(&e, now + 3, 1, page('d')));
	echo_input(&e, now + 100, 2, 0, true);
	ck_assert(look(&e, now + 103, 1, page('e')));
	/* not with two pending inputs, nor at a second change */
	echo_input(&e, now + 200, 3, 'j', true);
	echo_input(&e, now + 201, 4, 'j', true);
	ck_assert(!look(&e, now + 203, 1, page('f')));
	ck_assert(echo_expire(&e, now + 251));
	echo_input(&e, now + 2000, 5, 'j', true);
	ck_assert(!look(&e, now + 2001, 1, f));
	ck_assert(!look(&e, now + 2001 + ECHO_PIECES, 1, page('k')));
	ck_assert(echo_expire(&e, now + 2050));
	/* nor in a pane that changes without input */
	(void)look(&e, now + 5000, 1, page('t'));
	echo_input(&e, now + 5100, 6, 'j', true);
	ck_assert(!look(&e, now + 5101, 1, page('u')));
	ck_assert(echo_expire(&e, now + 5150));
	/* nor on the main screen */
	(void)look(&e, now + 10000, 1, screen(0, "$ ", 0));
	echo_input(&e, now + 20000, 7, 0, true);
	ck_assert(!look(&e, now + 20001, 1, screen(1, "$ ", 0)));
	ck_assert(echo_expire(&e, now + 20050));
	ck_assert_uint_eq(e.ack, 7);
	echo_fini(&e);
}
END_TEST

/* A page of 40 rows that all differ from another's, the cursor in row Y. */
static struct vt_frame *
turned(char ch, unsigned y, bool visible)
{
	struct vt_frame *f = vt_frame_new(20, 40);
	unsigned i;

	for (i = 0; i < 40; i++)
		vt_line_put(vt_frame_own(f, i), 0, (uint32_t)ch, VT_NARROW, 0);
	f->state.y = (uint16_t)y;
	f->state.modes |= VT_FRAME_ALTERNATE;
	f->state.modes &= ~(uint32_t)VT_FRAME_CURSOR_VISIBLE;
	f->state.modes |= visible ? VT_FRAME_CURSOR_VISIBLE : 0;
	return f;
}

/* An editor turns a page; wrapped lines put the cursor in another row. */
START_TEST(a_page_is_an_answer_wherever_the_cursor_is)
{
	struct vt_frame *f = turned('a', 8, true);
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	(void)look(&e, now, 1, turned('a', 5, true));
	now += 5000;
	echo_input(&e, now, 1, 0, true);
	/* not while the cursor is hidden: it still draws */
	ck_assert(!look(&e, now + 2, 1, turned('b', 6, false)));
	ck_assert(look(&e, now + 3, 1, turned('b', 9, true)));
	ck_assert_uint_eq(e.ack, 1);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	(void)look(&e, now + 200, 1, turned('a', 5, true));
	/* a few rows are no page */
	now += 10000;
	echo_input(&e, now, 2, 0, true);
	vt_line_put(vt_frame_own(f, 7), 3, 'x', VT_NARROW, 0);
	vt_line_put(vt_frame_own(f, 6), 3, 'x', VT_NARROW, 0);
	vt_line_put(vt_frame_own(f, 3), 3, 'x', VT_NARROW, 0);
	ck_assert(!look(&e, now + 3, 1, f));
	echo_fini(&e);
}
END_TEST

/* After attaching, redraws for the new size are no noise. */
START_TEST(a_new_size_is_no_noise)
{
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	(void)look(&e, now, 1, page('a'));
	(void)look(&e, now + 450, 1, page('e'));
	echo_input(&e, now + 1200, 1, ' ', true);
	ck_assert(look(&e, now + 1203, 1, page('i')));
	(void)look(&e, now + 3000, 1, page('e'));
	echo_input(&e, now + 3200, 2, ' ', true);
	ck_assert(!look(&e, now + 3203, 1, page('i')));
	echo_fini(&e);
}
END_TEST

/* A flood after Enter is its answer. */
START_TEST(a_flood_answers_enter)
{
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	(void)look(&e, now, 1, screen(1, "$ cat x", 0));
	ck_assert(!echo_flooded(&e));
	echo_input(&e, now + 1000, 1, 0, true);
	ck_assert(!look(&e, now + 1001, 1, screen(2, "", 0)));
	ck_assert(echo_flooded(&e));
	ck_assert_uint_eq(e.ack, 1);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	/* two keys, text, a pane that floods already: no */
	echo_input(&e, now + 2000, 2, 0, true);
	echo_input(&e, now + 2001, 3, 0, true);
	ck_assert(!echo_flooded(&e));
	ck_assert(echo_expire(&e, now + 2100));
	echo_input(&e, now + 3000, 4, 'x', true);
	ck_assert(!echo_flooded(&e));
	ck_assert(echo_expire(&e, now + 3100));
	(void)look(&e, now + 4000, 1, screen(2, "x", 0));
	echo_input(&e, now + 4001, 5, 0, true);
	ck_assert(!echo_flooded(&e));
	echo_fini(&e);
}
END_TEST

/* An editor shifts the text behind; a split to the right stays in place. */
START_TEST(text_in_a_line_of_an_editor_is_answered)
{
	const uint32_t alt = VT_FRAME_ALTERNATE;
	static const struct {
		const char *before, *after;
		bool alternate, answered;
	} rows[] = {
		{ "ab cd  |x", "abxcd  |x", true, true },
		{ "abcd   |x", "abxcd  |x", true, true },
		{ "abcd   |x", "abxcd  |x", false, false },
		{ "abcd   |x", "abxcd  |y", true, false },
		{ "abxd   |x", "abxd   |x", true, true },
	};
	struct vt_frame *f;
	struct echo e;
	unsigned i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		echo_init(&e);
		f = screen(1, rows[i].before, rows[i].alternate ? alt : 0);
		f->state.x = 2;
		(void)look(&e, 10000, 1, f);
		echo_input(&e, 20000, 1, 'x', true);
		f = screen(1, rows[i].after, rows[i].alternate ? alt : 0);
		f->state.x = 3;
		ck_assert_msg(
		    look(&e, 20002, 1, f) == rows[i].answered, "row %u", i);
		ck_assert(e.exact == rows[i].answered);
		echo_fini(&e);
	}
}
END_TEST

/* A pager clears its prompt, then scrolls, then prompts again. */
START_TEST(an_answer_may_come_in_pieces)
{
	struct vt_frame *f = page('a');
	struct echo e;
	mono_ms now = 10000;

	echo_init(&e);
	(void)look(&e, now, 1, page('a'));
	echo_input(&e, now + 5000, 1, ' ', true);
	f->state.x = 0;
	vt_line_erase(vt_frame_own(f, 3), 0, 20, 0);
	ck_assert(!look(&e, now + 5001, 1, f));
	ck_assert(look(&e, now + 5004, 1, page('e')));
	ck_assert_uint_eq(e.ack, 1);
	ck_assert(echo_deadline(&e) == MONO_NEVER);
	echo_fini(&e);
}
END_TEST

/* Whether the ack of key CP may wait, given the frames before and after. */
static bool
waits(uint32_t cp, struct vt_frame *before, struct vt_frame *after)
{
	struct echo e;
	bool lazy;

	echo_init(&e);
	(void)look(&e, 10000, 1, before);
	echo_input(&e, 20000, 1, cp, true);
	if (look(&e, 20002, 1, after)) {
		echo_fini(&e);
		return false;
	}
	ck_assert(echo_expire(&e, 20050));
	ck_assert_uint_eq(e.ack, 1);
	lazy = e.lazy;
	echo_fini(&e);
	return lazy;
}

/* The ack of a key that moves the cursor may wait; that of text may not. */
START_TEST(a_command_of_an_editor_may_wait)
{
	const uint32_t alt = VT_FRAME_ALTERNATE;

	ck_assert(waits('j', screen(1, "abc", alt), screen(2, "abc", alt)));
	ck_assert(waits('h', screen(1, "abc", alt), screen(1, "ab", alt)));
	ck_assert(waits(0, screen(1, "abc", alt), screen(2, "abc", alt)));
	ck_assert(waits(' ', screen(3, ":", alt), screen(3, "", alt)));
	/* not on the main screen, not without any effect */
	ck_assert(!waits('j', screen(1, "abc", 0), screen(2, "abc", 0)));
	ck_assert(!waits('j', screen(1, "abc", alt), screen(1, "abc", alt)));
	/* the cursor moved right, the letter is shown, text follows */
	ck_assert(!waits('l', screen(1, "ab", alt), screen(1, "abc", alt)));
	ck_assert(!waits('c', screen(1, "ab", alt), screen(1, "abc ", alt)));
	ck_assert(!waits('A', screen(1, "ab", alt), screen(2, "ab", alt)));
	ck_assert(!waits('/', screen(1, "ab", alt), screen(3, "/", alt)));
}
END_TEST

UNIT_SUITE(echo)
{
	Suite *s = suite_create("echo");
	TCase *t = tcase_create("echo");

	tcase_add_test(t, every_input_is_answered_in_time);
	tcase_add_test(t, a_late_timer_takes_both);
	tcase_add_test(t, text_that_stands_there_is_answered);
	tcase_add_test(t, a_slow_program_is_waited_for);
	tcase_add_test(t, a_pager_that_moves_is_answered);
	tcase_add_test(t, text_in_a_line_of_an_editor_is_answered);
	tcase_add_test(t, an_answer_may_come_in_pieces);
	tcase_add_test(t, a_page_is_an_answer_wherever_the_cursor_is);
	tcase_add_test(t, a_new_size_is_no_noise);
	tcase_add_test(t, a_flood_answers_enter);
	tcase_add_test(t, a_command_of_an_editor_may_wait);
	suite_add_tcase(s, t);
	return s;
}
