#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "regress/unit/conf_equal.h"
#include "regress/unit/conf_util.h"
#include "regress/unit/unit.h"

/* A text and the printed result; errors follow as file:line: what. */
static const struct {
	const char *text, *want;
} good[] = {
	{ "", "" },
	{ "   \n\n# comment\n", "" },
	{ "display a", "display-message a\n" },
	{ "display a ; display b", "display-message a ; display-message b\n" },
	{ "display a;display b;", "display-message a ; display-message b\n" },
	{ "display a\ndisplay b", "display-message a\ndisplay-message b\n" },
	{ "display a ;; display b", "display-message a\ndisplay-message b\n" },
	{ "display a\r\ndisplay b\r\n",
	    "display-message a\ndisplay-message b\n" },
	{ "bind x display a \\; display b",
	    "bind-key x display a \\; display b\n" },
	{ "bind y if-shell true { display a\ndisplay b ; display c }",
	    "bind-key y if-shell true { display-message a ;; display-message b "
	    "; display-message c }\n" },
	{ "bind z {\n  if -F 1 { display \"a b\" } { display c; }\n}",
	    "bind-key z { if-shell -F 1 { display-message \"a b\" } { "
	    "display-message c } }\n" },
	{ "bind x {}", "bind-key x {  }\n" },
	{ "bind x {\n\n}", "bind-key x {  }\n" },
	{ "bind x {display x}{display y}",
	    "bind-key x { display-message x } { display-message y }\n" },
	{ "A=1 display -p $A", "display-message -p 1\n" },
	{ "B=2\ndisplay \"x$B${B}y$NOPE-\"", "display-message x22y-\n" },
	{ "display $SP", "display-message \"a b;c\"\n" },
	{ "display '$V'", "display-message \"\\$V\"\n" },
	{ "display \"$\"", "display-message \\$\n" },
	{ "display a$", "display-message \"a$\"\n" },
	{ "display ~/foo", "display-message /home/me/foo\n" },
	{ "display \"~/q\"", "display-message /home/me/q\n" },
	{ "display ~root/x", "display-message /root/x\n" },
	{ "display '~/r'", "display-message \\~/r\n" },
	{ "display a~/b", "display-message a~/b\n" },
	{ "display \"\\u00e9\\U0001f600\\101\\e\\t\\n\\r\\q\"",
	    "display-message é😀A\\033\\t\\n\\rq\n" },
	{ "display 'a\n  b'", "display-message a\\nb\n" },
	{ "display \"a\n   # comment\n   b\"", "display-message a\\n\\nb\n" },
	{ "display \"a\n   #{b}\"", "display-message \"a\\n#{b}\"\n" },
	{ "display \"a \\\nb\"", "display-message \"a b\"\n" },
	{ "neww c\\\nd", "new-window cd\n" },
	{ "# comment \\\nstill\ndisplay a", "display-message a\n" },
	{ "# comment \\\\\ndisplay a", "display-message a\n" },
	{ "display 'a\\\\\n'", "display-message a\\\\\\\\\\n\n" },
	{ "display 'a\\\nb'", "display-message ab\n" },
	{ "display \\\n  a", "display-message a\n" },
	{ "set -g @x \"a'b\"", "set-option -g @x \"a'b\"\n" },
	{ "set -g @y 'a\"b'", "set-option -g @y 'a\"b'\n" },
	{ "set -g @z \"a\\\"b'c\"", "set-option -g @z \"a\\\"b'c\"\n" },
	{ "set -g @w 'a\"\\b'", "set-option -g @w \"a\\\"\\\\b\"\n" },
	{ "set -g @x ''", "set-option -g @x ''\n" },
	{ "set -g @x 'a\\b'", "set-option -g @x a\\\\b\n" },
	{ "set -g @x '~'", "set-option -g @x \\~\n" },
	{ "set -g @x ';'", "set-option -g @x \\;\n" },
	{ "set -g @x 'a;'", "set-option -g @x \"a;\"\n" },
	{ "set -g @x '{'", "set-option -g @x \\{\n" },
	{ "set -g @x '%x'", "set-option -g @x \"%x\"\n" },
	{ "set -g @x A=b", "set-option -g @x A=b\n" },
	{ "set -g @x -x", "set-option -g @x -x\n" },
	{ "display -- -x", "display-message -- -x\n" },
	{ "display -", "display-message -\n" },
	{ "display \"a\"b'c'd", "display-message abcd\n" },
	{ "display a#foo", "display-message \"a#foo\"\n" },
	{ "display #foo", "display-message\n" },
	{ "bind % splitw -h", "bind-key \\% splitw -h\n" },
	{ "display %%1", "display-message \"%%1\"\n" },
	{ "display a{b", "display-message \"a{b\"\n" },
	{ "bind \\} display", "bind-key \\} display\n" },
	{ "bind -n C-\\; display", "bind-key -n \"C-;\" display\n" },
	{ "display \"}\"", "display-message \\}\n" },
	{ "neww -dP -n foo -c /tmp 'a b' c",
	    "new-window -Pd -c /tmp -n foo \"a b\" c\n" },
	{ "select-window -t:+2", "select-window -t :+2\n" },
	{ "resize-pane -D 5", "resize-pane -D 5\n" },
	{ "resize-pane -D5", "resize-pane -D 5\n" },
	{ "resize-pane -D", "resize-pane -D --\n" },
	{ "resize-pane -D -t %1 5", "resize-pane -D -t \"%1\" 5\n" },
	{ "resize-pane -D-5", "resize-pane -D -5\n" },
	{ "resize-pane -D -5", "resize-pane -D -5\n" },
	{ "resize-pane -DDD", "resize-pane -D DD\n" },
	{ "capturep -S -10 -E-", "capture-pane -E - -S -10\n" },
	{ "neww -e A=1 -e B=2", "new-window -e A=1 -e B=2\n" },
	{ "choose-window -N", "choose-tree -Nw\n" },
	{ "splitw -v", "split-window -hv\n" },
	{ "two x ; ls", "display-message one ; display-message -p x ; "
			"list-sessions\n" },
	{ "bind x { display a ; splitw }",
	    "bind-key x { display-message a ; split-window -h }\n" },
	{ "run -C { display a }", "run-shell -C { display-message a }\n" },
	{ "menu -T x a b {display x} \"\" d e {display y}",
	    "display-menu -T x a b { display-message x } '' d e { "
	    "display-message y }\n" },
	{ "%if 1\ndisplay a\n%elif 1\ndisplay b\n%else\ndisplay c\n%endif",
	    "display-message a\n" },
	{ "%if 0\ndisplay a\n%elif 1\ndisplay b\n%else\ndisplay c\n%endif",
	    "display-message b\n" },
	{ "%if 0\ndisplay a\n%elif 0\ndisplay b\n%else\ndisplay c\n%endif",
	    "display-message c\n" },
	{ "%if #{==:a,a} display one %else display two %endif",
	    "display-message one\n" },
	{ "%if '#{==:a,b}' display one %else display two %endif ; display x",
	    "display-message two ; display-message x\n" },
	{ "%if 0\n%if 1\ndisplay a\n%else\ndisplay b\n%endif\n%endif", "" },
	{ "%if 1\n%if 0\ndisplay a\n%else\ndisplay b\n%endif\n%endif",
	    "display-message b\n" },
	{ "%if 0\nX=1\nnope \\q ~nouser\n%endif\ndisplay \"$X-\"",
	    "display-message -\n" },
	{ "bind x {\n%if 1\ndisplay a\n%else\ndisplay b\n%endif\n}",
	    "bind-key x { display-message a }\n" },
	{ "%hidden H=1\ndisplay $H", "display-message 1\n" },
	{ "A=b=c\ndisplay $A", "display-message b=c\n" },
	{ "set -g status-left { display a }",
	    "set-option -g status-left { display-message a }\n" },
};

START_TEST(texts_print_as_they_should)
{
	size_t i;
	char *got;

	for (i = 0; i < ARRAY_LEN(good); i++) {
		got = conf_test_print_new(good[i].text);
		ck_assert_msg(strcmp(got, good[i].want) == 0,
		    "text <%s>\ngot  <%s>\nwant <%s>", good[i].text, got,
		    good[i].want);
		mem_free(got);
	}
}
END_TEST

/* As in tmux 3.8: key bindings, hooks and aliases are no files. */
START_TEST(a_text_that_is_no_file_is_one_group)
{
	static const char text[] =
	    "display a\nif -F 1 { display b\ndisplay c } ;; display d";
	struct cmdlist *list;
	struct conf_test t;
	char *print;

	conf_test_init(&t);
	t.hooks.one_group = true;
	list = conf_test_parse(&t, text);
	print = cmdlist_print_new(list, 0);
	ck_assert_str_eq(print,
	    "display-message a ; if-shell -F 1 { display-message b ; "
	    "display-message c } ; display-message d");
	mem_free(print);
	cmdlist_unref(list);
	/* Words of a shell show no groups, blocks do. */
	t.hooks.one_group = false;
	list = conf_test_parse(&t, text);
	print = cmdlist_print_new(list, CMDLIST_ESCAPED);
	ck_assert_str_eq(print,
	    "display-message a \\; if-shell -F 1 { display-message b ;; "
	    "display-message c } \\; display-message d");
	mem_free(print);
	cmdlist_unref(list);
	conf_test_fini(&t);
}
END_TEST

START_TEST(print_parses_back_to_the_same_tree)
{
	struct cmdlist *a, *b;
	struct conf_test t;
	struct buf out;
	size_t i;

	for (i = 0; i < ARRAY_LEN(good); i++) {
		conf_test_init(&t);
		a = conf_test_parse(&t, good[i].text);
		t.hooks.alias = NULL;
		buf_init(&out, 1 << 20);
		cmdlist_print(a, CMDLIST_LINES, &out);
		b = conf_test_parse(&t, buf_cstr(&out));
		ck_assert_msg(t.error_count == 0 && cmdlist_equal(a, b),
		    "text <%s> printed <%s> errors <%s>", good[i].text,
		    buf_cstr(&out), buf_cstr(&t.errors));
		buf_fini(&out);
		cmdlist_unref(a);
		cmdlist_unref(b);
		conf_test_fini(&t);
	}
}
END_TEST

static const struct {
	const char *text, *want;
} bad[] = {
	{ "foo", "f:1: unknown command: foo\n" },
	{ "\n\nrename-", "f:3: ambiguous command: rename-, could be: "
			 "rename-session, rename-window\n" },
	{ "display -y", "f:1: command display-message: unknown flag -y\n" },
	{ "neww -_", "f:1: command new-window: invalid flag -_\n" },
	{ "bind",
	    "f:1: command bind-key: too few arguments (need at least 1)\n" },
	{ "kill-server x",
	    "f:1: command kill-server: too many arguments (need at most 0)\n" },
	{ "neww -t", "f:1: command new-window: -t expects an argument\n" },
	{ "neww {display x}",
	    "f:1: command new-window: argument 1 must be \"string\"\n" },
	{ "neww -t {display x}",
	    "f:1: command new-window: -t argument must be a string\n" },
	{ "run { display a }",
	    "f:1: command run-shell: argument 1 must be \"string\"\n" },
	{ "lockc -?", "f:1: usage: lock-client [-t target-client]\n" },
	{ "display \"abc", "f:1: quote \" is not closed\n" },
	{ "display a\ndisplay 'abc\nx", "display-message a\n"
					"f:2: quote ' is not closed\n" },
	{ "display {abc", "f:1: unknown command: abc\nf:1: { is not closed\n" },
	{ "display a }", "f:1: unexpected }\n" },
	{ "{ display a }", "f:1: unexpected {\n" },
	{ "%if", "f:1: condition is missing\nf:1: %if is not closed\n" },
	{ "%if 1", "f:1: %if is not closed\n" },
	{ "%else", "f:1: %else without %if\n" },
	{ "%endif", "f:1: %endif without %if\n" },
	{ "%elif 1", "f:1: %elif without %if\n" },
	{ "%if 1\n%else\n%else\n%endif", "f:3: second %else\n" },
	{ "%if 1\n%else\n%elif 1\n%endif", "f:3: %elif after %else\n" },
	{ "%foo bar ; display a",
	    "display-message a\nf:1: unknown directive: %foo\n" },
	{ "; display", "display-message\nf:1: unexpected ;\n" },
	{ "display \"\\400\"", "f:1: invalid octal escape\n" },
	{ "display \"\\18\"", "f:1: invalid octal escape\n" },
	{ "display \"\\u12\"", "f:1: invalid \\u argument\n" },
	{ "display \\Uffffffff", "f:1: invalid \\U argument\n" },
	{ "display ${A", "f:1: invalid environment variable\n" },
	{ "display ${}", "f:1: invalid environment variable\n" },
	{ "display ~nouser/x", "f:1: no such user: nouser\n" },
	{ "%hidden A", "f:1: %hidden needs NAME=value\n" },
	{ "%if #{==:a", "f:1: format is not closed\nf:1: %if is not closed\n" },
	{ "bind x { foo }", "f:1: unknown command: foo\n" },
	{ "bind x {\n foo\n bar\n}\nbaz",
	    "f:2: unknown command: foo\nf:3: unknown command: bar\n"
	    "f:5: unknown command: baz\n" },
	{ "wrong", "f:1: unknown command: nope\n" },
	{ "display a %if 1 display b %endif",
	    "display-message b\nf:1: unexpected %if\n" },
	{ "bind x { %if 1 }", "f:1: %if is not closed\n" },
	{ "%if 1\nbind x { %endif }",
	    "f:2: %endif without %if\nf:1: %if is not closed\n" },
};

START_TEST(errors_say_where_and_all_are_told)
{
	size_t i;
	char *got;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		got = conf_test_print_new(bad[i].text);
		ck_assert_msg(strcmp(got, bad[i].want) == 0,
		    "text <%s>\ngot  <%s>\nwant <%s>", bad[i].text, got,
		    bad[i].want);
		mem_free(got);
	}
}
END_TEST

/* Repeats PART COUNT times. */
static char *
repeat_new(const char *part, size_t count)
{
	size_t n = strlen(part), i;
	char *s = mem_alloc(n * count + 1);

	for (i = 0; i < count; i++)
		memcpy(s + i * n, part, n);
	s[n * count] = '\0';
	return s;
}

START_TEST(hostile_input_is_bounded)
{
	static const struct {
		const char *part;
		size_t count;
		const char *want; /* beginning of the errors */
	} cases[] = {
		{ "if 1 { ", 10000, "f:1: blocks nested over 50 deep\n" },
		{ "%if 1\n", 10000, "f:51: %if nested over 50 deep\n" },
		{ "x", 100000000, "f:1: line over 1048576 bytes\n" },
		{ "display 'x' ; ", 8000000, "f:1: line over 1048576 bytes\n" },
		{ "nope\n", 100000, "f:1: unknown command: nope\n" },
		{ "}", 100000, "f:1: unexpected }\n" },
		{ ";", 100000, "f:1: unexpected ;\n" },
		{ "A=xxxxxxxxxxxxxxx$A$A$A$A$A$A$A$A$A\n", 10,
		    "f:7: word over 1048576 bytes\n" },
		{ "display \\\n", 400000,
		    "f:1: command display-message: over 10000 arguments" },
	};
	struct conf_test t;
	struct cmdlist *list;
	size_t i;
	char *text;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		conf_test_init(&t);
		text = repeat_new(cases[i].part, cases[i].count);
		list = conf_test_parse(&t, text);
		ck_assert_msg(strncmp(buf_cstr(&t.errors), cases[i].want,
				  strlen(cases[i].want)) == 0,
		    "<%s>: %.200s", cases[i].part, buf_cstr(&t.errors));
		ck_assert_uint_le(t.error_count, PARSER_ERRORS_MAX + 1);
		cmdlist_unref(list);
		mem_free(text);
		conf_test_fini(&t);
	}
}
END_TEST

START_TEST(stopping_in_the_middle_of_a_word_reads_no_further)
{
	static const char bytes[] = { '\0', '"' };
	struct cmdlist *list;
	struct conf_test t;
	char *text;
	size_t i, n;

	/*
	 * One word with more errors than are reported; no read beyond the text.
	 */
	for (i = 0; i < sizeof bytes; i++) {
		conf_test_init(&t);
		n = 3 * PARSER_ERRORS_MAX;
		text = mem_zalloc(n);
		text[0] = bytes[i];
		ck_assert_int_lt(
		    parser_parse(text, n, "f", 1, &t.hooks, &list), 0);
		ck_assert_uint_eq(t.error_count, PARSER_ERRORS_MAX + 1);
		cmdlist_unref(list);
		mem_free(text);
		conf_test_fini(&t);
	}
}
END_TEST

START_TEST(memory_of_one_result_is_bounded)
{
	struct conf_test t;
	struct cmdlist *list;
	struct buf text;
	char *big;
	int i;

	conf_test_init(&t);
	buf_init(&text, 1 << 24);
	big = repeat_new("y", 1000000);
	buf_addf(&text, "B=%s\n", big);
	for (i = 0; i < 1000; i++)
		buf_add_str(&text, "display $B\n");
	list = conf_test_parse(&t, buf_cstr(&text));
	ck_assert(strstr(buf_cstr(&t.errors), "over 64 megabytes") != NULL);
	ck_assert_uint_le(list->count, 64);
	cmdlist_unref(list);
	mem_free(big);
	buf_fini(&text);
	conf_test_fini(&t);
}
END_TEST

START_TEST(words_end_commands_at_semicolons)
{
	static const struct {
		const char *words[8];
		const char *want;
	} cases[] = {
		{ { "neww", ";", "splitw" }, "new-window ; split-window -h\n" },
		{ { "neww;", "ls" }, "new-window ; list-sessions\n" },
		{ { "neww", "foo\\;", "bar" }, "new-window \"foo;\" bar\n" },
		{ { "neww", "a;b" }, "new-window \"a;b\"\n" },
		{ { "neww", "\\;" }, "new-window \\;\n" },
		{ { "neww", ";", ";" }, "new-window\n" },
		{ { "neww", "$V", "~" }, "new-window \"\\$V\" \\~\n" },
		{ { ";" }, "" },
		{ { "foo", ";", "neww" }, "-:0: unknown command: foo\n" },
		{ { "foo", ";", "bar" }, "-:0: unknown command: foo\n" },
	};
	struct args_value words[8];
	struct conf_test t;
	struct cmdlist *list;
	struct buf out;
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		conf_test_init(&t);
		for (n = 0; cases[i].words[n] != NULL; n++) {
			words[n].text = mem_strdup(cases[i].words[n]);
			words[n].block = NULL;
		}
		(void)parser_words(words, n, NULL, 0, &t.hooks, &list);
		buf_init(&out, 4096);
		cmdlist_print(list, CMDLIST_LINES, &out);
		buf_add_str(&out, buf_cstr(&t.errors));
		ck_assert_str_eq(buf_cstr(&out), cases[i].want);
		buf_fini(&out);
		cmdlist_unref(list);
		while (n > 0)
			args_value_fini(&words[--n]);
		conf_test_fini(&t);
	}
}
END_TEST

START_TEST(lines_and_groups_are_kept)
{
	struct conf_test t;
	struct cmdlist *list;

	conf_test_init(&t);
	list = conf_test_parse(
	    &t, "display a ; display \\\nb\n\nbind x { display c\n }");
	ck_assert_uint_eq(list->count, 3);
	ck_assert_uint_eq(list->cmds[1]->line, 1);
	ck_assert_uint_eq(list->cmds[2]->line, 4);
	ck_assert_uint_eq(list->cmds[0]->group, list->cmds[1]->group);
	ck_assert_uint_ne(list->cmds[1]->group, list->cmds[2]->group);
	ck_assert_str_eq(cmd_file_name(list->cmds[0]), "f");
	cmdlist_unref(list);
	conf_test_fini(&t);
}
END_TEST

UNIT_SUITE(parser)
{
	Suite *s = suite_create("parser");
	TCase *tc = tcase_create("parser");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, texts_print_as_they_should);
	tcase_add_test(tc, a_text_that_is_no_file_is_one_group);
	tcase_add_test(tc, print_parses_back_to_the_same_tree);
	tcase_add_test(tc, errors_say_where_and_all_are_told);
	tcase_add_test(tc, hostile_input_is_bounded);
	tcase_add_test(tc, stopping_in_the_middle_of_a_word_reads_no_further);
	tcase_add_test(tc, memory_of_one_result_is_bounded);
	tcase_add_test(tc, words_end_commands_at_semicolons);
	tcase_add_test(tc, lines_and_groups_are_kept);
	suite_add_tcase(s, tc);
	return s;
}
