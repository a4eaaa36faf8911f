#include <string.h>

#include "base/mem.h"
#include "conf/bind.h"
#include "conf/changes.h"
#include "conf/key_name.h"
#include "conf/option_table.h"
#include "regress/unit/unit.h"

struct world {
	struct options server, session, window;
	struct option_trees trees;
	struct keytables *keys;
};

static void
world_init(struct world *w)
{
	memset(w, 0, sizeof(*w));
	options_init(&w->server, NULL);
	options_init(&w->session, NULL);
	options_init(&w->window, NULL);
	options_set_defaults(&w->server, OPT_SERVER);
	options_set_defaults(&w->session, OPT_SESSION);
	options_set_defaults(&w->window, OPT_WINDOW | OPT_PANE);
	w->trees.server = &w->server;
	w->trees.global_session = &w->session;
	w->trees.global_window = &w->window;
	w->keys = keytables_new(&bind_ops);
}

static void
world_fini(struct world *w)
{
	keytables_free(w->keys);
	options_fini(&w->server);
	options_fini(&w->session);
	options_fini(&w->window);
}

static void
set(struct options *o, const char *name, const char *value)
{
	ck_assert_int_eq(options_set_text(o, name, value, NULL), 0);
}

static void
bind(struct world *w, const char *table, key_code key, bool repeat)
{
	struct cmdlist *l = cmdlist_new();

	ck_assert_int_eq(
	    keytables_bind(w->keys, table, key, repeat, NULL, l), 0);
}

/* Returns what has changed since WAS, which becomes the present. */
static const char *
differ(struct world *w, struct changes *was)
{
	static char text[512];
	struct changes is;
	struct buf b;

	changes_init(&is, &w->trees, w->keys);
	buf_init(&b, sizeof(text) - 1);
	changes_text(was, &is, &b);
	memcpy(text, buf_cstr(&b), b.len + 1);
	buf_fini(&b);
	changes_fini(was);
	*was = is;
	return text;
}

START_TEST(options_by_name_and_keys_by_number)
{
	struct world w;
	struct changes was;

	world_init(&w);
	changes_init(&was, &w.trees, w.keys);
	ck_assert_str_eq(differ(&w, &was), "nothing");
	set(&w.session, "status-style", "bg=red");
	set(&w.server, "escape-time", "7");
	set(&w.window, "mode-keys", "vi");
	ck_assert_str_eq(
	    differ(&w, &was), "escape-time, mode-keys, status-style");
	ck_assert_str_eq(differ(&w, &was), "nothing");
	bind(&w, "prefix", 'a', false);
	ck_assert_str_eq(differ(&w, &was), "1 key");
	bind(&w, "prefix", 'a', true);
	bind(&w, "root", 'a', false);
	set(&w.session, "@mine", "1");
	ck_assert_str_eq(differ(&w, &was), "@mine, 2 keys");
	/* A removed one differs, too. */
	ck_assert_int_eq(keytables_unbind(w.keys, "root", 'a'), 0);
	ck_assert_str_eq(differ(&w, &was), "1 key");
	/* An option with several lines counts once. */
	set(&w.server, "command-alias[7]", "a=b");
	set(&w.server, "command-alias[8]", "b=c");
	ck_assert_str_eq(differ(&w, &was), "command-alias");
	changes_fini(&was);
	world_fini(&w);
}
END_TEST

START_TEST(many_options_are_counted)
{
	struct world w;
	struct changes was;
	char name[8] = "@a";

	world_init(&w);
	changes_init(&was, &w.trees, w.keys);
	for (; name[1] < 'a' + CHANGES_NAMES_MAX + 3; name[1]++)
		set(&w.session, name, "1");
	ck_assert_str_eq(
	    differ(&w, &was), "@a, @b, @c, @d, @e, @f and 3 more options");
	changes_fini(&was);
	world_fini(&w);
}
END_TEST

UNIT_SUITE(changes)
{
	Suite *s = suite_create("changes");
	TCase *t = tcase_create("changes");

	suite_add_tcase(s, t);
	tcase_add_test(t, options_by_name_and_keys_by_number);
	tcase_add_test(t, many_options_are_counted);
	return s;
}
