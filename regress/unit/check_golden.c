#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/check.h"
#include "conf/format.h"
#include "regress/unit/conf_equal.h"
#include "regress/unit/conf_util.h"
#include "regress/unit/conf_world.h"
#include "regress/unit/unit.h"

/* Configurations of regress/conf: NAME.conf, and as printed NAME.print. */
static const char *const golden_names[] = { "everyday", "corners", "ours" };

static char *
golden_path_new(const char *name, const char *end)
{
	const char *top = getenv("top_srcdir");

	return mem_printf(
	    "%s/regress/conf/%s%s", top == NULL ? ".." : top, name, end);
}

static int
golden_read(
    void *arg, const char *path, char **text, size_t *len, struct cause *cause)
{
	struct buf b;
	uint8_t *p;
	FILE *f;
	size_t n;

	(void)arg;
	if ((f = fopen(path, "r")) == NULL)
		return cause_set(cause, -ERR_IO, "cannot open %s", path);
	buf_init(&b, 1 << 20);
	while (buf_reserve(&b, 4096, &p) == 0 && (n = fread(p, 1, 4096, f)) > 0)
		buf_commit(&b, n);
	fclose(f);
	*text = buf_steal(&b, len);
	buf_fini(&b);
	return 0;
}

static char *
golden_new(const char *name, const char *end)
{
	struct cause cause = { NULL };
	char *path = golden_path_new(name, end), *text = NULL;
	size_t n;

	ck_assert_msg(golden_read(NULL, path, &text, &n, &cause) == 0, "%s",
	    cause_text(&cause));
	mem_free(path);
	return text;
}

/* Writes the printed text; UNIT_RECORD=1 asks for it. */
static void
golden_record(const char *name, const char *text)
{
	char *path = golden_path_new(name, ".print");
	FILE *f;

	if ((f = fopen(path, "w")) != NULL) {
		fputs(text, f);
		fclose(f);
	}
	mem_free(path);
}

static struct options golden_server;

static const char *
golden_alias(void *arg, const char *name)
{
	(void)arg;
	return options_alias(&golden_server, name);
}

START_TEST(configurations_print_as_recorded_and_parse_back)
{
	struct cmdlist *a, *b;
	struct conf_test t;
	char *text, *want;
	struct buf out;

	conf_test_init(&t);
	options_init(&golden_server, NULL);
	options_set_defaults(&golden_server, OPT_SERVER);
	t.hooks.expand = conf_world_expand;
	t.hooks.alias = golden_alias;
	text = golden_new(golden_names[_i], ".conf");
	want = golden_new(golden_names[_i], ".print");
	a = conf_test_parse(&t, text);
	ck_assert_msg(t.error_count == 0, "%s", buf_cstr(&t.errors));
	buf_init(&out, 1 << 20);
	cmdlist_print(a, CMDLIST_LINES, &out);
	if (getenv("UNIT_RECORD") != NULL)
		golden_record(golden_names[_i], buf_cstr(&out));
	else
		conf_test_same(buf_cstr(&out), want);
	t.hooks.alias = NULL;
	b = conf_test_parse(&t, buf_cstr(&out));
	ck_assert_msg(t.error_count == 0, "%s", buf_cstr(&t.errors));
	ck_assert(cmdlist_equal(a, b));
	cmdlist_unref(a);
	cmdlist_unref(b);
	mem_free(text);
	mem_free(want);
	buf_fini(&out);
	options_fini(&golden_server);
	conf_test_fini(&t);
}
END_TEST

START_TEST(what_is_in_daily_use_has_no_error)
{
	static const struct check_hooks hooks = { .read = golden_read };
	struct check c;
	char *path = golden_path_new("everyday", ".conf"), *error = NULL;

	check_init(&c, &hooks);
	(void)environ_set(&c.environ, "HOME", "/home/me", false, NULL);
	(void)check_file(&c, path);
	if (check_errors(&c) > 0)
		error = source_error_new(&c.source, 0);
	ck_assert_msg(error == NULL, "%s", error);
	check_fini(&c);
	mem_free(path);
}
END_TEST

UNIT_SUITE(golden)
{
	Suite *s = suite_create("golden");
	TCase *tc = tcase_create("golden");

	tcase_add_loop_test(tc, configurations_print_as_recorded_and_parse_back,
	    0, (int)ARRAY_LEN(golden_names));
	tcase_add_test(tc, what_is_in_daily_use_has_no_error);
	suite_add_tcase(s, tc);
	return s;
}
