#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/run/waits.h"

static uint64_t tokens[8];

/* A word of one digit waits; its token is kept under that digit. */
static enum cmd_result
wait_digit(UNUSED struct run_util *u, struct cmdq_item *item, const char *word)
{
	if (word[0] < '0' || word[0] > '7')
		return CMD_NORMAL;
	tokens[word[0] - '0'] = cmdq_wait(item);
	return CMD_WAIT;
}

/* Commands "1; gone-on-1" of connections 1 to N wait. */
static void
waiters(struct run_util *u, unsigned n)
{
	char text[64];
	unsigned i;

	u->command = wait_digit;
	for (i = 1; i <= n; i++) {
		(void)snprintf(text, sizeof(text),
		    "rename-window %u ; rename-window on%u", i, i);
		run_util_append(cmdq_for(&u->run, i), text, NULL, NULL);
		cmdq_turn(cmdq_for(&u->run, i));
	}
	(void)run_util_log(u);
}

static const char *
listed(struct waits *ws, const char *name)
{
	static char text[256];
	struct buf b;

	buf_init(&b, sizeof(text));
	waits_list(ws, name, &b);
	(void)snprintf(text, sizeof(text), "%s", buf_cstr(&b));
	buf_fini(&b);
	return text;
}

START_TEST(a_signal_wakes_all_that_wait)
{
	struct run_util u;
	struct waits *ws;

	run_util_init(&u);
	ws = waits_new(&u.run);
	waiters(&u, 3);
	ck_assert(!waits_woken(ws, "c"));
	ck_assert_int_eq(waits_wait(ws, "c", tokens[1], "one"), 0);
	ck_assert_int_eq(waits_wait(ws, "c", tokens[2], "two"), 0);
	ck_assert_int_eq(waits_wait(ws, "other", tokens[3], "three"), 0);
	ck_assert_str_eq(listed(ws, "c"), "one\ntwo\n");
	ck_assert_int_eq(waits_signal(ws, "c"), 0);
	ck_assert_str_eq(run_util_log(&u), "on1|dry 1|on2|dry 2|");
	ck_assert_str_eq(listed(ws, "c"), "");
	ck_assert(!waits_woken(ws, "c"));
	waits_free(ws);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_signal_that_nobody_awaits_is_kept)
{
	struct run_util u;
	struct waits *ws;

	run_util_init(&u);
	ws = waits_new(&u.run);
	ck_assert_int_eq(waits_signal(ws, "c"), 0);
	ck_assert_int_eq(waits_signal(ws, "c"), 0);
	ck_assert(waits_woken(ws, "c"));
	ck_assert(!waits_woken(ws, "c"));
	/* A waiter whose caller is gone does not take the signal. */
	waiters(&u, 1);
	ck_assert_int_eq(waits_wait(ws, "c", tokens[1], "one"), 0);
	cmdq_forget(&u.run, 1);
	ck_assert_str_eq(listed(ws, "c"), "");
	ck_assert_int_eq(waits_signal(ws, "c"), 0);
	ck_assert(waits_woken(ws, "c"));
	waits_free(ws);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_lock_goes_from_hand_to_hand)
{
	struct run_util u;
	struct waits *ws;
	int error;

	run_util_init(&u);
	ws = waits_new(&u.run);
	ck_assert_int_eq(waits_unlock(ws, "l"), -ERR_STATE);
	ck_assert(waits_try_lock(ws, "l", &error));
	ck_assert(!waits_try_lock(ws, "l", &error));
	ck_assert_int_eq(error, 0);
	waiters(&u, 3);
	ck_assert_int_eq(waits_lock(ws, "l", tokens[1], "one"), 0);
	ck_assert_int_eq(waits_lock(ws, "l", tokens[2], "two"), 0);
	ck_assert_int_eq(waits_lock(ws, "l", tokens[3], "three"), 0);
	cmdq_forget(&u.run, 2);
	ck_assert_int_eq(waits_unlock(ws, "l"), 0);
	ck_assert_str_eq(run_util_log(&u), "on1|dry 1|");
	ck_assert(!waits_try_lock(ws, "l", &error));
	ck_assert_int_eq(waits_unlock(ws, "l"), 0);
	ck_assert_str_eq(run_util_log(&u), "on3|dry 3|");
	ck_assert_int_eq(waits_unlock(ws, "l"), 0);
	ck_assert_int_eq(waits_unlock(ws, "l"), -ERR_STATE);
	waits_free(ws);
	run_util_fini(&u);
}
END_TEST

START_TEST(one_waiter_may_be_woken_by_name)
{
	struct run_util u;
	struct waits *ws;
	int error;

	run_util_init(&u);
	ws = waits_new(&u.run);
	waiters(&u, 3);
	ck_assert(waits_try_lock(ws, "c", &error));
	ck_assert_int_eq(waits_wait(ws, "c", tokens[1], "one"), 0);
	ck_assert_int_eq(waits_wait(ws, "c", tokens[2], "two"), 0);
	ck_assert_int_eq(waits_lock(ws, "c", tokens[3], "two"), 0);
	waits_wake(ws, "none", "two");
	waits_wake(ws, "c", "nobody");
	ck_assert_str_eq(run_util_log(&u), "");
	waits_wake(ws, "c", "two");
	ck_assert_str_eq(run_util_log(&u), "on2|dry 2|");
	waits_wake(ws, "c", "two");
	ck_assert_str_eq(run_util_log(&u), "on3|dry 3|");
	ck_assert_str_eq(listed(ws, "c"), "one\n");
	waits_free(ws);
	run_util_fini(&u);
}
END_TEST

START_TEST(channels_and_waiters_are_bounded)
{
	struct run_util u;
	struct waits *ws;
	char name[16];
	unsigned i;
	int error;

	run_util_init(&u);
	ws = waits_new(&u.run);
	for (i = 0; i < WAITS_MAX; i++) {
		(void)snprintf(name, sizeof(name), "c%u", i);
		ck_assert_int_eq(waits_signal(ws, name), 0);
	}
	ck_assert_int_eq(waits_signal(ws, "one more"), -ERR_LIMIT);
	ck_assert_int_eq(waits_wait(ws, "one more", 1, "x"), -ERR_LIMIT);
	ck_assert_int_eq(waits_lock(ws, "one more", 1, "x"), -ERR_LIMIT);
	ck_assert(!waits_try_lock(ws, "one more", &error));
	ck_assert_int_eq(error, -ERR_LIMIT);
	ck_assert(waits_woken(ws, "c7"));
	ck_assert_int_eq(waits_signal(ws, "one more"), 0);
	waits_free(ws);
	run_util_fini(&u);
}
END_TEST

UNIT_SUITE(waits)
{
	Suite *s = suite_create("waits");
	TCase *tc = tcase_create("waits");

	tcase_add_test(tc, a_signal_wakes_all_that_wait);
	tcase_add_test(tc, a_signal_that_nobody_awaits_is_kept);
	tcase_add_test(tc, a_lock_goes_from_hand_to_hand);
	tcase_add_test(tc, one_waiter_may_be_woken_by_name);
	tcase_add_test(tc, channels_and_waiters_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
