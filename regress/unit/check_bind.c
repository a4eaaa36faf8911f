#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/key_name.h"
#include "regress/unit/unit.h"

/* Runs a line of commands; returns the message or "". */
static char *
run(struct keytables *set, const char *line)
{
	struct parser_hooks hooks = { .arg = NULL };
	struct cause cause = { NULL };
	struct cmdlist *list;
	char *text;
	size_t i;

	ck_assert_msg(
	    parser_parse(line, strlen(line), NULL, 1, &hooks, &list) == 0, "%s",
	    line);
	for (i = 0; i < list->count; i++) {
		if (list->cmds[i]->row->name[0] == 'b')
			(void)bind_run(set, list->cmds[i]->args, NULL, &cause);
		else
			(void)bind_unbind(set, list->cmds[i]->args, &cause);
	}
	text = mem_strdup(cause_text(&cause));
	cause_fini(&cause);
	cmdlist_unref(list);
	return text;
}

static void
check_run(struct keytables *set, const char *line, const char *want)
{
	char *text = run(set, line);

	ck_assert_msg(
	    strcmp(text, want) == 0, "%s: [%s] not [%s]", line, text, want);
	mem_free(text);
}

/* Prints each binding on a line. */
static char *
list_keys(struct keytables *set)
{
	struct keytable_widths w = { 0, 0, false };
	const struct keytable *t;
	struct buf out;
	size_t i, k;

	buf_init(&out, 1 << 20);
	for (i = 0; i < keytables_count(set); i++) {
		t = keytables_at(set, i);
		for (k = 0; k < t->count; k++) {
			keytables_print(set, t, &t->bindings[k], &w, &out);
			buf_add_u8(&out, '\n');
		}
	}
	return buf_steal(&out, NULL);
}

START_TEST(commands_bind_and_unbind)
{
	struct keytables *set = keytables_new(&bind_ops);
	char *s;

	check_run(set, "bind c new-window", "");
	check_run(set, "bind -r -N note C-Up resize-pane -U", "");
	check_run(
	    set, "bind -n MouseDown1Pane { select-pane ; send-keys -M }", "");
	check_run(set, "bind -T mine x 'kill-pane ; kill-window'", "");
	check_run(set, "bind -T mine y kill-pane \\; kill-window", "");
	check_run(set, "bind nosuchkey new-window", "unknown key: nosuchkey");
	check_run(set, "bind None new-window", "unknown key: None");
	check_run(set, "bind -N 'a note' z", "");
	check_run(set, "bind -N 'a note' c", "");
	s = list_keys(set);
	ck_assert_str_eq(s,
	    "bind-key -T mine x kill-pane \\; kill-window\n"
	    "bind-key -T mine y kill-pane \\; kill-window\n"
	    "bind-key -T prefix c new-window\n"
	    "bind-key -r -T prefix C-Up resize-pane -U --\n"
	    "bind-key -T root MouseDown1Pane select-pane \\; send-keys -M\n");
	mem_free(s);
	ck_assert_str_eq(
	    keytable_get(keytables_find(set, "prefix"), 'c')->note, "a note");
	check_run(set, "unbind c", "");
	check_run(set, "unbind c", "");
	check_run(set, "unbind -a x", "key given with -a");
	check_run(set, "unbind -T nosuch x", "table nosuch doesn't exist");
	check_run(set, "unbind -q -T nosuch x", "");
	check_run(set, "unbind foo", "unknown key: foo");
	check_run(set, "unbind -q foo", "");
	check_run(set, "unbind", "missing key");
	check_run(set, "unbind -a -T mine", "");
	check_run(set, "unbind -a -T mine", "table mine doesn't exist");
	check_run(set, "unbind -an", "");
	s = list_keys(set);
	ck_assert_str_eq(s, "bind-key -r -T prefix C-Up resize-pane -U --\n");
	mem_free(s);
	keytables_free(set);
}
END_TEST

START_TEST(the_built_in_bindings_load)
{
	static const struct {
		const char *table;
		size_t count;
	} tables[] = { { "copy-mode", 78 }, { "copy-mode-vi", 88 },
		{ "move", 19 }, { "prefix", 102 }, { "root", 30 } };
	struct keytables *set = keytables_new(&bind_ops);
	struct cause cause = { NULL };
	const struct keytable *t;
	char name[KEY_NAME_MAX];
	key_code key;
	size_t i, k;
	int r;

	r = bind_load_defaults(set, &cause);
	ck_assert_msg(r == 0, "%s", cause_text(&cause));
	ck_assert_uint_eq(keytables_count(set), ARRAY_LEN(tables));
	for (i = 0; i < ARRAY_LEN(tables); i++) {
		t = keytables_at(set, i);
		ck_assert_str_eq(t->name, tables[i].table);
		ck_assert_msg(
		    t->count == tables[i].count, "%s: %zu", t->name, t->count);
		ck_assert_uint_eq(t->default_count, t->count);
		for (k = 0; k < t->count; k++) {
			(void)key_name_format(
			    t->bindings[k].key, name, sizeof(name));
			ck_assert_int_eq(key_name_parse(name, &key), 0);
			ck_assert(key == t->bindings[k].key);
			/* Each binding of the table prefix has a note. */
			if (strcmp(t->name, "prefix") == 0)
				ck_assert_msg(
				    t->bindings[k].note != NULL, "%s", name);
		}
	}
	keytables_free(set);
}
END_TEST

START_TEST(what_is_listed_binds_the_same_again)
{
	struct keytables *set = keytables_new(&bind_ops);
	struct keytables *again = keytables_new(&bind_ops);
	struct cause cause = { NULL };
	char *a, *b, *error;

	ck_assert_int_eq(bind_load_defaults(set, &cause), 0);
	a = list_keys(set);
	error = run(again, a);
	ck_assert_str_eq(error, "");
	b = list_keys(again);
	ck_assert_str_eq(a, b);
	mem_free(error);
	mem_free(a);
	mem_free(b);
	keytables_free(set);
	keytables_free(again);
}
END_TEST

UNIT_SUITE(bind)
{
	Suite *s = suite_create("bind");
	TCase *tc = tcase_create("bind");

	tcase_add_test(tc, commands_bind_and_unbind);
	tcase_add_test(tc, the_built_in_bindings_load);
	tcase_add_test(tc, what_is_listed_binds_the_same_again);
	suite_add_tcase(s, tc);
	return s;
}
