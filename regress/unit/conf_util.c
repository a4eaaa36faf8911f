#include "config.h"

#include <string.h>

#include "base/mem.h"
#include "regress/unit/conf_util.h"
#include "regress/unit/unit.h"

static const char *
conf_test_variable(void *arg, const char *name)
{
	struct conf_test *t = arg;
	const char *value = map_get(&t->variables, name);

	return value != NULL && *value == '!' ? value + 1 : value;
}

static const char *
conf_test_home(void *arg, const char *user)
{
	(void)arg;
	if (*user == '\0')
		return "/home/me";
	return strcmp(user, "root") == 0 ? "/root" : NULL;
}

/* Expands only #{==:a,b}. */
static char *
conf_test_expand(void *arg, const char *format)
{
	const char *comma;
	size_t n;

	(void)arg;
	if (strncmp(format, "#{==:", 5) != 0 ||
	    (comma = strchr(format, ',')) == NULL)
		return mem_strdup(format);
	n = (size_t)(comma - (format + 5));
	return mem_strdup(
	    strlen(comma + 1) == n + 1 && strncmp(format + 5, comma + 1, n) == 0
		? "1"
		: "0");
}

static void
conf_test_assign(void *arg, const char *name, const char *value, bool hidden)
{
	struct conf_test *t = arg;

	mem_free(map_set(
	    &t->variables, name, mem_printf("%s%s", hidden ? "!" : "", value)));
}

static const char *
conf_test_alias(void *arg, const char *name)
{
	(void)arg;
	if (strcmp(name, "choose-window") == 0)
		return "choose-tree -w";
	if (strcmp(name, "two") == 0)
		return "display-message one ; display-message -p;";
	if (strcmp(name, "wrong") == 0)
		return "nope -x";
	if (strcmp(name, "splitw") == 0)
		return "splitw -h";
	return NULL;
}

static void
conf_test_error(void *arg, const char *file, unsigned line, const char *text)
{
	struct conf_test *t = arg;

	t->error_count++;
	(void)buf_addf(
	    &t->errors, "%s:%u: %s\n", file == NULL ? "-" : file, line, text);
}

void
conf_test_init(struct conf_test *t)
{
	memset(t, 0, sizeof *t);
	map_init_names(&t->variables);
	buf_init(&t->errors, 1 << 20);
	t->hooks.arg = t;
	t->hooks.variable = conf_test_variable;
	t->hooks.home = conf_test_home;
	t->hooks.expand = conf_test_expand;
	t->hooks.assign = conf_test_assign;
	t->hooks.alias = conf_test_alias;
	t->hooks.error = conf_test_error;
	conf_test_assign(t, "V", "value", false);
	conf_test_assign(t, "SP", "a b;c", false);
}

void
conf_test_fini(struct conf_test *t)
{
	struct map_entry *e;

	MAP_FOREACH(e, &t->variables)
		mem_free(e->value);
	map_fini(&t->variables);
	buf_fini(&t->errors);
}

struct cmdlist *
conf_test_parse(struct conf_test *t, const char *text)
{
	struct cmdlist *list;

	(void)parser_parse(text, strlen(text), "f", 1, &t->hooks, &list);
	return list;
}

char *
conf_test_print_new(const char *text)
{
	struct conf_test t;
	struct cmdlist *list;
	struct buf out;
	char *s;

	conf_test_init(&t);
	list = conf_test_parse(&t, text);
	buf_init(&out, 1 << 24);
	cmdlist_print(list, CMDLIST_LINES, &out);
	if (t.error_count != 0)
		(void)buf_add_str(&out, buf_cstr(&t.errors));
	s = buf_steal(&out, NULL);
	buf_fini(&out);
	cmdlist_unref(list);
	conf_test_fini(&t);
	return s;
}

void
conf_test_same(const char *got, const char *want)
{
	size_t n, m, line = 1;

	for (; *got != '\0' || *want != '\0'; line++) {
		n = strcspn(got, "\n");
		m = strcspn(want, "\n");
		ck_assert_msg(n == m && memcmp(got, want, n) == 0,
		    "line %zu:\ngot  <%.*s>\nwant <%.*s>", line, (int)n, got,
		    (int)m, want);
		got += n + (got[n] == '\n');
		want += m + (want[m] == '\n');
	}
}
