#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "conf/check.h"
#include "regress/unit/unit.h"

/* The files of these tests; /main is the one to check. */
static const char *main_text;

static int
test_read(
    void *arg, const char *path, char **text, size_t *len, struct cause *cause)
{
	const char *found = NULL;

	(void)arg;
	if (strcmp(path, "/main") == 0)
		found = main_text;
	else if (strcmp(path, "/good") == 0)
		found = "set -g mouse on\n";
	else if (strcmp(path, "/bad") == 0)
		found = "\nset -g mouse maybe\n";
	else if (strcmp(path, "/self") == 0)
		found = "source-file /self";
	if (found == NULL)
		return cause_set(cause, -ERR_IO, "no such file");
	*text = mem_strdup(found);
	*len = strlen(found);
	return 0;
}

static const char *
test_variable(void *arg, const char *name)
{
	(void)arg;
	return strcmp(name, "host") == 0 ? "here" : NULL;
}

static const struct check_hooks test_hooks = {
	.read = test_read,
	.variable = test_variable,
};

/* Returns all errors of a text, one on each line. */
static char *
check_new(const char *text)
{
	struct check c;
	struct buf out;
	char *s;
	size_t i;

	main_text = text;
	check_init(&c, &test_hooks);
	(void)check_file(&c, "/main");
	buf_init(&out, 1 << 20);
	for (i = 0; i < c.source.error_count; i++) {
		s = source_error_new(&c.source, i);
		(void)buf_addf(&out, "%s\n", s);
		mem_free(s);
	}
	s = buf_steal(&out, NULL);
	buf_fini(&out);
	check_fini(&c);
	return s;
}

static const struct {
	const char *text, *want;
} cases[] = {
	{ "", "" },
	{ "set -g mouse on\nbind x display x\nsetw -g mode-keys vi\n", "" },
	{ "set -g mose on", "/main:1: invalid option: mose\n" },
	{ "set -gq mose on", "" },
	{ "\nset -g st on\nset -g mouse maybe",
	    "/main:2: ambiguous option: st\n/main:3: bad value: maybe\n" },
	{ "bind foo display", "/main:1: unknown key: foo\n" },
	{ "unbind foo", "/main:1: unknown key: foo\n" },
	{ "unbind", "/main:1: missing key\n" },
	{ "unbind -a x", "/main:1: key given with -a\n" },
	{ "bind x nope", "/main:1: unknown command: nope\n" },
	{ "bind x nope a \\; display", "/main:1: unknown command: nope\n" },
	{ "bind x 'nope ; set -g foo x'",
	    "/main:1: unknown command: nope\n/main:1: invalid option: foo\n" },
	{ "bind x {\n set -g foo x\n}", "/main:2: invalid option: foo\n" },
	{ "bind x { if -F 1 'bind y \"set -g foo x\"' }",
	    "/main:1: invalid option: foo\n" },
	{ "if-shell x 'set -g foo x' nope",
	    "/main:1: invalid option: foo\n/main:1: unknown command: nope\n" },
	{ "if -F '#{host' ls", "/main:1: #{ without } in format: #{host\n" },
	{ "run -C nope", "/main:1: unknown command: nope\n" },
	{ "run nope", "" },
	{ "command-prompt '%1' ; command-prompt 'rename-window \"%%\"'", "" },
	{ "confirm nope", "/main:1: unknown command: nope\n" },
	{ "menu a b nope '' c d ls", "/main:1: unknown command: nope\n" },
	{ "set -g status-left '#[fg=red'",
	    "/main:1: #[ without ] in format: #[fg=red\n" },
	{ "set -g status-left '#(a'",
	    "/main:1: #( without ) in format: #(a\n" },
	{ "set -g status-left '##{ #{l:x} #H # '", "" },
	{ "display '#{?a,#{b},c'",
	    "/main:1: #{ without } in format: #{?a,#{b},c\n" },
	{ "%if #{==:#{host},here}\nnope\n%else\nbad\n%endif",
	    "/main:2: unknown command: nope\n" },
	{ "%if "
	  "#{==:#{status-keys}#{command-alias[1]},emacssplitp=split-window}\n"
	  "nope\n%endif\n%if #{status-key}\nbad\n%endif",
	    "/main:2: unknown command: nope\n" },
	{ "A=1\n%if #{==:#{A},1}\nnope\n%endif",
	    "/main:3: unknown command: nope\n" },
	{ "set-hook -g after-new-window nope",
	    "/main:1: unknown command: nope\n" },
	{ "set-hook -g nope ls", "/main:1: invalid option: nope\n" },
	{ "set-hook -R pane-died ; set-hook -B @x:y:z", "" },
	{ "set -g command-alias[9] zz=ls\nzz",
	    "/main:2: unknown command: zz\n" },
	{ "splitp -h ; info", "" },
	{ "source-file /good", "" },
	{ "source-file /bad", "/bad:2: bad value: maybe\n" },
	{ "ls\nsource-file /nope", "/main:2: /nope: no such file\n" },
	{ "bind r source-file /nope ; bind r { source-file /nope }\n"
	  "if-shell true 'source-file /main'",
	    "" },
	{ "source-file -q /nope ; source-file /x/* ; source-file a", "" },
	{ "source-file /self", "/self:1: /self: files nested over 50 deep\n" },
	{ "setenv A=b c", "/main:1: variable name contains =\n" },
};

START_TEST(every_error_is_told_with_its_line)
{
	size_t i;
	char *got;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		got = check_new(cases[i].text);
		ck_assert_msg(strcmp(got, cases[i].want) == 0,
		    "<%s>\ngot  <%s>\nwant <%s>", cases[i].text, got,
		    cases[i].want);
		mem_free(got);
	}
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_an_error)
{
	struct check c;
	char *s;

	check_init(&c, &test_hooks);
	ck_assert_int_eq(check_file(&c, "/missing"), -ERR_IO);
	ck_assert_uint_eq(check_errors(&c), 1);
	s = source_error_new(&c.source, 0);
	ck_assert_str_eq(s, "/missing: no such file");
	mem_free(s);
	check_fini(&c);
}
END_TEST

START_TEST(places_of_the_configuration_are_in_order)
{
	struct source_places places = { "/etc", "/home/me",
		"/home/me/.config" };
	struct source_paths p;

	source_paths_init(&p, &places);
	ck_assert_uint_eq(p.count, 6);
	ck_assert_uint_eq(p.ours, 3);
	ck_assert_str_eq(p.paths[0], "/etc/rmux.conf");
	ck_assert_str_eq(p.paths[1], "/home/me/.rmux.conf");
	ck_assert_str_eq(p.paths[2], "/home/me/.config/rmux/rmux.conf");
	ck_assert_str_eq(p.paths[4], "/home/me/.tmux.conf");
	source_paths_fini(&p);
	places.home = NULL;
	places.xdg_config = "/x";
	source_paths_init(&p, &places);
	ck_assert_uint_eq(p.count, 4);
	ck_assert_str_eq(p.paths[1], "/x/rmux/rmux.conf");
	source_paths_fini(&p);
}
END_TEST

START_TEST(errors_are_bounded)
{
	struct check c;
	struct buf text;
	int i;

	buf_init(&text, 1 << 20);
	for (i = 0; i < 5000; i++)
		(void)buf_add_str(&text, "set -g nope x\n");
	main_text = buf_cstr(&text);
	check_init(&c, &test_hooks);
	(void)check_file(&c, "/main");
	ck_assert_uint_eq(c.source.error_count, SOURCE_ERRORS_MAX);
	ck_assert_uint_eq(check_errors(&c), 5000);
	check_fini(&c);
	buf_fini(&text);
}
END_TEST

UNIT_SUITE(check)
{
	Suite *s = suite_create("check");
	TCase *tc = tcase_create("check");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, every_error_is_told_with_its_line);
	tcase_add_test(tc, a_file_that_cannot_be_read_is_an_error);
	tcase_add_test(tc, places_of_the_configuration_are_in_order);
	tcase_add_test(tc, errors_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
