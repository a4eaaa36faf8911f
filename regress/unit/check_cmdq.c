#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "regress/unit/run_util.h"
#include "regress/unit/unit.h"
#include "server/run/notes.h"

struct ends {
	unsigned good, bad;
};

static void
ended(void *arg, bool failed)
{
	struct ends *e = arg;

	e->good += !failed;
	e->bad += failed;
}

static uint64_t token; /* of the last command that waits */

static void
insert(struct cmdq_item *item, const char *text)
{
	struct cmdlist *list = run_util_list(text);

	(void)cmdq_insert(item, list, cmdq_state(item), NULL, NULL);
	cmdlist_unref(list);
}

/* Does what its word says. */
static enum cmd_result
script(struct run_util *u, struct cmdq_item *item, const char *word)
{
	if (strcmp(word, "fail") == 0)
		return CMD_ERROR;
	if (strcmp(word, "stop") == 0)
		return CMD_STOP;
	if (strcmp(word, "wait") == 0) {
		token = cmdq_wait(item);
		return CMD_WAIT;
	}
	if (strcmp(word, "wait-no-more") == 0) {
		ck_assert(cmdq_continue(&u->run, cmdq_wait(item), false));
		return CMD_WAIT;
	}
	if (strcmp(word, "insert") == 0) {
		insert(item, "rename-window x");
		insert(item, "rename-window y ; rename-window again");
	}
	if (strcmp(word, "again") == 0)
		insert(item, "rename-window z");
	if (strcmp(word, "for-ever") == 0)
		insert(item, "rename-window for-ever ; rename-window for-ever");
	if (strcmp(word, "forget") == 0) {
		cmdq_forget(&u->run, 1);
		cmdq_forget(&u->run, 2);
		cmdq_forget(&u->run, 4);
	}
	return CMD_NORMAL;
}

static void
setup(struct run_util *u)
{
	run_util_init(u);
	u->command = script;
	token = 0;
}

START_TEST(commands_run_in_order)
{
	struct ends e = { 0, 0 };
	struct run_util u;
	struct cmdq *q;

	setup(&u);
	q = u.run.queue;
	ck_assert(cmdq_empty(q));
	run_util_append(
	    q, "rename-window a ; rename-window b\nrename-window c", ended, &e);
	run_util_append(q, "rename-window d", ended, &e);
	ck_assert(!cmdq_empty(q));
	cmdq_run(q);
	ck_assert_str_eq(run_util_log(&u), "a|b|c|d|");
	ck_assert(cmdq_empty(q));
	ck_assert_uint_eq(e.good, 2);
	ck_assert_uint_eq(u.drains, 2);
	run_util_fini(&u);
}
END_TEST

START_TEST(an_error_ends_the_group_and_no_more)
{
	struct ends e = { 0, 0 };
	struct run_util u;

	setup(&u);
	run_util_append(u.run.queue,
	    "rename-window a ; rename-window fail ; rename-window b\n"
	    "rename-window c",
	    ended, &e);
	run_util_append(u.run.queue, "rename-window d", ended, &e);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "a|fail|c|d|");
	ck_assert_uint_eq(e.bad, 1);
	ck_assert_uint_eq(e.good, 1);
	run_util_append(u.run.queue,
	    "rename-window stop ; rename-window b\nrename-window c", ended, &e);
	run_util_append(u.run.queue, "rename-window d", NULL, NULL);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "stop|d|");
	ck_assert_uint_eq(e.good, 2);
	run_util_fini(&u);
}
END_TEST

START_TEST(inserted_commands_run_before_the_rest_of_the_list)
{
	struct ends e = { 0, 0 };
	struct run_util u;

	setup(&u);
	run_util_append(u.run.queue,
	    "rename-window a ; rename-window insert ; rename-window b", ended,
	    &e);
	run_util_append(u.run.queue, "rename-window c", ended, &e);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "a|insert|x|y|again|z|b|c|");
	ck_assert_uint_eq(e.good, 2);
	run_util_fini(&u);
}
END_TEST

/* The error of a command before the insertion counts for the whole list. */
START_TEST(a_list_that_was_split_fails_as_one)
{
	struct ends e = { 0, 0 };
	struct run_util u;

	setup(&u);
	run_util_append(u.run.queue,
	    "rename-window fail\nrename-window insert\nrename-window b", ended,
	    &e);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "fail|insert|x|y|again|z|b|");
	ck_assert_uint_eq(e.bad, 1);
	ck_assert_uint_eq(e.good, 0);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_command_waits_until_its_token_is_continued)
{
	struct ends e = { 0, 0 };
	struct run_util u;
	uint64_t first;

	setup(&u);
	run_util_append(u.run.queue,
	    "rename-window wait ; rename-window a ; rename-window wait ; "
	    "rename-window b\nrename-window c",
	    ended, &e);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "wait|");
	first = token;
	ck_assert(cmdq_waits(&u.run, first));
	ck_assert(!cmdq_waits(&u.run, first + 1));
	ck_assert(!cmdq_waits(&u.run, 0));
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "");
	ck_assert(cmdq_continue(&u.run, first, false));
	ck_assert_str_eq(run_util_log(&u), "a|wait|");
	ck_assert(!cmdq_continue(&u.run, first, false));
	ck_assert_uint_ne(token, first);
	/* The command turns out to have failed: its group ends. */
	ck_assert(cmdq_continue(&u.run, token, true));
	ck_assert_str_eq(run_util_log(&u), "c|");
	ck_assert_uint_eq(e.bad, 1);
	ck_assert(!cmdq_waits(&u.run, token));
	run_util_append(u.run.queue,
	    "rename-window wait-no-more ; rename-window a", ended, &e);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "wait-no-more|a|");
	ck_assert_uint_eq(e.good, 1);
	run_util_fini(&u);
}
END_TEST

START_TEST(the_result_of_if_shell_goes_before_what_follows)
{
	struct cmdlist *list = run_util_list("rename-window then");
	struct ends e = { 0, 0 };
	struct cmd_state st;
	struct run_util u;

	setup(&u);
	cmd_state_init(&st);
	run_util_append(
	    u.run.queue, "rename-window wait ; rename-window a", ended, &e);
	run_util_append(u.run.queue, "rename-window b", ended, &e);
	cmdq_run(u.run.queue);
	cmdq_insert_first(u.run.queue, list, &st);
	ck_assert(cmdq_continue(&u.run, token, false));
	ck_assert_str_eq(run_util_log(&u), "wait|then|a|b|");
	ck_assert_uint_eq(e.good, 2);
	cmdq_insert_first(u.run.queue, list, &st);
	cmdq_run(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "then|");
	cmdlist_unref(list);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_queue_may_be_freed_by_its_own_command)
{
	struct ends e = { 0, 0 };
	struct run_util u;
	struct cmdq *q;

	setup(&u);
	q = cmdq_for(&u.run, 1);
	ck_assert_ptr_eq(cmdq_for(&u.run, 1), q);
	ck_assert_ptr_eq(cmdq_for(&u.run, 0), u.run.queue);
	run_util_append(q, "rename-window forget ; rename-window a", ended, &e);
	run_util_append(q, "rename-window b", ended, &e);
	cmdq_turn(q);
	ck_assert_str_eq(run_util_log(&u), "forget|");
	ck_assert_uint_eq(e.good + e.bad, 2);
	ck_assert_uint_eq(u.run.queues.count, 1);
	run_util_fini(&u);
}
END_TEST

static void
ended_and_forgets(void *arg, UNUSED bool failed)
{
	cmdq_forget(arg, 1);
}

static void
drain_forgets(struct run_util *u)
{
	cmdq_forget(&u->run, 1);
}

/* Between two commands, when no item runs. */
START_TEST(a_queue_may_be_freed_when_an_item_ends)
{
	struct ends e = { 0, 0 };
	struct run_util u;

	setup(&u);
	run_util_append(
	    cmdq_for(&u.run, 1), "rename-window a", ended_and_forgets, &u.run);
	run_util_append(cmdq_for(&u.run, 1), "rename-window b", ended, &e);
	cmdq_turn(cmdq_for(&u.run, 1));
	ck_assert_str_eq(run_util_log(&u), "a|");
	ck_assert_uint_eq(e.bad, 1);
	ck_assert_uint_eq(u.run.queues.count, 1);
	u.drain = drain_forgets;
	run_util_append(cmdq_for(&u.run, 1), "rename-window a", ended, &e);
	run_util_append(cmdq_for(&u.run, 1), "rename-window b", ended, &e);
	cmdq_turn(cmdq_for(&u.run, 1));
	ck_assert_str_eq(run_util_log(&u), "a|");
	ck_assert_uint_eq(e.bad, 2);
	ck_assert_uint_eq(u.run.queues.count, 1);
	run_util_fini(&u);
}
END_TEST

START_TEST(a_queue_takes_so_many_items)
{
	struct cmdlist *list = run_util_list("rename-window insert");
	struct ends e = { 0, 0 };
	struct cmd_state st;
	struct run_util u;
	unsigned i;

	setup(&u);
	cmd_state_init(&st);
	for (i = 0; i < CMDQ_ITEMS_MAX; i++)
		cmdq_append(u.run.queue, list, &st, ended, &e);
	ck_assert_uint_eq(e.bad, 0);
	cmdq_append(u.run.queue, list, &st, ended, &e);
	ck_assert_uint_eq(e.bad, 1);
	cmdlist_unref(list);
	run_util_fini(&u);
	ck_assert_uint_eq(e.good, 0);
}
END_TEST

START_TEST(a_connection_is_told_when_its_queue_is_empty)
{
	struct run_util u;

	setup(&u);
	run_util_append(cmdq_for(&u.run, 5), "rename-window a", NULL, NULL);
	cmdq_turn(cmdq_for(&u.run, 5));
	ck_assert_str_eq(run_util_log(&u), "a|dry 5|");
	run_util_append(cmdq_for(&u.run, 5), "rename-window wait", NULL, NULL);
	cmdq_turn(cmdq_for(&u.run, 5));
	ck_assert_str_eq(run_util_log(&u), "wait|");
	ck_assert(cmdq_continue(&u.run, token, false));
	ck_assert_str_eq(run_util_log(&u), "dry 5|");
	run_util_append(u.run.queue, "rename-window a", NULL, NULL);
	cmdq_turn(u.run.queue);
	ck_assert_str_eq(run_util_log(&u), "a|");
	run_util_fini(&u);
}
END_TEST

START_TEST(queues_may_go_while_all_are_turned)
{
	struct ends e = { 0, 0 };
	struct run_util u;

	setup(&u);
	run_util_append(cmdq_for(&u.run, 1), "rename-window a", ended, &e);
	run_util_append(cmdq_for(&u.run, 3), "rename-window forget", ended, &e);
	run_util_append(cmdq_for(&u.run, 2), "rename-window b", ended, &e);
	run_util_append(cmdq_for(&u.run, 4), "rename-window c", ended, &e);
	run_util_append(cmdq_for(&u.run, 5), "rename-window d", ended, &e);
	run_util_append(u.run.queue, "rename-window hook", ended, &e);
	cmdq_turn_all(&u.run);
	ck_assert_str_eq(run_util_log(&u), "a|dry 1|forget|dry 3|d|dry 5|");
	ck_assert_uint_eq(e.bad, 2);
	ck_assert_uint_eq(u.run.queues.count, 3);
	run_util_fini(&u);
}
END_TEST

START_TEST(hooks_wait_for_the_configuration)
{
	struct run_util u;

	setup(&u);
	cmdq_run_hooks(&u.run);
	notes_set_loading(u.run.notes, true);
	run_util_append(u.run.queue, "rename-window a", NULL, NULL);
	cmdq_run_hooks(&u.run);
	ck_assert_str_eq(run_util_log(&u), "");
	notes_set_loading(u.run.notes, false);
	cmdq_run_hooks(&u.run);
	ck_assert_str_eq(run_util_log(&u), "a|");
	run_util_fini(&u);
}
END_TEST

START_TEST(items_share_the_variables_of_a_hook)
{
	struct cmdlist *list = run_util_list("rename-window a");
	struct hook_vars *hv = hook_vars_new();
	struct cmd_state st;
	struct run_util u;
	char name[16];
	unsigned i;

	setup(&u);
	cmd_state_init(&st);
	for (i = 0; i < HOOK_VARS_MAX + 2; i++) {
		(void)snprintf(name, sizeof(name), "hook_%u", i);
		hook_vars_add(hv, name, "value");
	}
	ck_assert_uint_eq(hv->count, HOOK_VARS_MAX);
	st.hook = hv;
	cmdq_append(u.run.queue, list, &st, NULL, NULL);
	ck_assert_uint_eq(hv->refs, 2);
	cmdq_run(u.run.queue);
	ck_assert_uint_eq(hv->refs, 1);
	hook_vars_unref(hv);
	ck_assert_ptr_null(hook_vars_ref(NULL));
	hook_vars_unref(NULL);
	cmdlist_unref(list);
	run_util_fini(&u);
}
END_TEST

START_TEST(lists_that_insert_themselves_end)
{
	struct run_util u;
	struct ends e = { 0, 0 };

	setup(&u);
	run_util_append(u.run.queue, "rename-window for-ever", ended, &e);
	run_util_append(u.run.queue, "rename-window for-ever", ended, &e);
	cmdq_run(u.run.queue);
	ck_assert(cmdq_empty(u.run.queue));
	ck_assert_uint_eq(e.good, 2);
	ck_assert_uint_gt(strlen(run_util_log(&u)), 8000);
	run_util_fini(&u);
}
END_TEST

UNIT_SUITE(cmdq)
{
	Suite *s = suite_create("cmdq");
	TCase *tc = tcase_create("cmdq");

	tcase_add_test(tc, commands_run_in_order);
	tcase_add_test(tc, an_error_ends_the_group_and_no_more);
	tcase_add_test(tc, inserted_commands_run_before_the_rest_of_the_list);
	tcase_add_test(tc, a_list_that_was_split_fails_as_one);
	tcase_add_test(tc, a_command_waits_until_its_token_is_continued);
	tcase_add_test(tc, the_result_of_if_shell_goes_before_what_follows);
	tcase_add_test(tc, a_queue_may_be_freed_by_its_own_command);
	tcase_add_test(tc, a_queue_may_be_freed_when_an_item_ends);
	tcase_add_test(tc, a_queue_takes_so_many_items);
	tcase_add_test(tc, a_connection_is_told_when_its_queue_is_empty);
	tcase_add_test(tc, queues_may_go_while_all_are_turned);
	tcase_add_test(tc, hooks_wait_for_the_configuration);
	tcase_add_test(tc, items_share_the_variables_of_a_hook);
	tcase_add_test(tc, lists_that_insert_themselves_end);
	suite_add_tcase(s, tc);
	return s;
}
