#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/environ.h"
#include "regress/unit/unit.h"

START_TEST(attaching_updates_by_globs_and_removes_what_is_missing)
{
	struct environ env, client;
	struct options session;
	struct option_name n;

	environ_init(&env);
	environ_init(&client);
	options_init(&session, NULL);
	options_set_defaults(&session, OPT_SESSION);
	ck_assert_int_eq(options_set_text(&session, "update-environment",
			     "DISPLAY SSH_* GONE", NULL),
	    0);
	environ_put(&env, "DISPLAY=:0");
	environ_put(&env, "GONE=1");
	environ_put(&env, "KEEP=1");
	environ_put(&client, "DISPLAY=:1");
	environ_put(&client, "SSH_A=a");
	environ_put(&client, "SSH_B=b");
	environ_put(&client, "OTHER=1");
	ck_assert_int_eq(option_match("update-environment", &n, NULL), 0);
	environ_update(&env, &client, options_find(&session, &n));
	ck_assert_str_eq(environ_get(&env, "DISPLAY"), ":1");
	ck_assert_str_eq(environ_get(&env, "SSH_B"), "b");
	ck_assert_str_eq(environ_get(&env, "KEEP"), "1");
	ck_assert_ptr_null(environ_get(&env, "OTHER"));
	ck_assert_ptr_null(environ_get(&env, "GONE"));
	ck_assert_ptr_nonnull(environ_find(&env, "GONE"));
	environ_fini(&env);
	environ_fini(&client);
	options_fini(&session);
}
END_TEST

START_TEST(programs_get_neither_hidden_nor_removed_variables)
{
	struct environ global, session, out;

	environ_init(&global);
	environ_init(&session);
	environ_init(&out);
	environ_put(&global, "A=1");
	environ_put(&global, "B=1");
	environ_put(&global, "C=x=y");
	environ_put(&global, "nothing");
	environ_put(&global, "=nothing");
	(void)environ_set(&global, "H", "secret", true, NULL);
	(void)environ_set(&session, "A", NULL, false, NULL);
	(void)environ_set(&session, "B", "2", false, NULL);
	environ_spawn(&out, &global, &session);
	ck_assert_uint_eq(out.vars.count, 2);
	ck_assert_str_eq(environ_get(&out, "B"), "2");
	ck_assert_str_eq(environ_get(&out, "C"), "x=y");
	environ_fini(&global);
	environ_fini(&session);
	environ_fini(&out);
}
END_TEST

static const struct {
	const char *name, *value;
	unsigned flags;
	const char *want; /* expected message, "" for none */
} sets[] = {
	{ "A", "1", 0, "" },
	{ "B", "a\"b$c`d\\e", 0, "" },
	{ "H", "2", ENVIRON_HIDDEN, "" },
	{ "R", NULL, ENVIRON_REMOVE, "" },
	{ "U", "1", 0, "" },
	{ "U", NULL, ENVIRON_UNSET, "" },
	{ "", "1", 0, "empty variable name" },
	{ "A=b", "1", 0, "variable name contains =" },
	{ "A", NULL, 0, "no value specified" },
	{ "A", "1", ENVIRON_UNSET, "can't specify a value with -u" },
	{ "A", "1", ENVIRON_REMOVE, "can't specify a value with -r" },
};

static const struct {
	const char *name;
	unsigned flags;
	const char *want;
} shows[] = {
	{ NULL, 0, "A=1\nB=a\"b$c`d\\e\n-R\n" },
	{ NULL, ENVIRON_HIDDEN, "H=2\n" },
	{ NULL, ENVIRON_SHELL,
	    "A=\"1\"; export A;\nB=\"a\\\"b\\$c\\`d\\\\e\"; export B;\n"
	    "unset R;\n" },
	{ "A", 0, "A=1\n" },
	{ "H", 0, "" },
	{ "H", ENVIRON_HIDDEN, "H=2\n" },
	{ "U", 0, "unknown variable: U" },
};

START_TEST(set_and_show_speak_as_tmux)
{
	struct cause cause = { NULL };
	struct environ env;
	struct buf out;
	size_t i;

	environ_init(&env);
	for (i = 0; i < ARRAY_LEN(sets); i++) {
		(void)environ_request_set(
		    &env, sets[i].name, sets[i].value, sets[i].flags, &cause);
		ck_assert_str_eq(cause_text(&cause), sets[i].want);
		cause_fini(&cause);
	}
	for (i = 0; i < ARRAY_LEN(shows); i++) {
		buf_init(&out, 4096);
		if (environ_request_show(
			&env, shows[i].name, shows[i].flags, &out, &cause) != 0)
			(void)buf_add_str(&out, cause_text(&cause));
		ck_assert_str_eq(buf_cstr(&out), shows[i].want);
		buf_fini(&out);
		cause_fini(&cause);
	}
	environ_fini(&env);
}
END_TEST

START_TEST(variables_are_bounded)
{
	struct environ env;
	char *name;
	int i, r = 0;

	environ_init(&env);
	for (i = 0; i < ENVIRON_MAX + 1 && r == 0; i++) {
		name = mem_printf("V%d", i);
		r = environ_set(&env, name, "", false, NULL);
		mem_free(name);
	}
	ck_assert_int_eq(r, -ERR_LIMIT);
	ck_assert_int_eq(environ_set(&env, "V0", "again", false, NULL), 0);
	environ_fini(&env);
}
END_TEST

UNIT_SUITE(environ)
{
	Suite *s = suite_create("environ");
	TCase *tc = tcase_create("environ");

	tcase_add_test(
	    tc, attaching_updates_by_globs_and_removes_what_is_missing);
	tcase_add_test(tc, programs_get_neither_hidden_nor_removed_variables);
	tcase_add_test(tc, set_and_show_speak_as_tmux);
	tcase_add_test(tc, variables_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
