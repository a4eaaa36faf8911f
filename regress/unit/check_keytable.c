#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/key_name.h"
#include "conf/keytable.h"
#include "regress/unit/unit.h"

struct commands {
	int refs;
	const char *text;
};

static int live;

static void *
commands_ref(void *p)
{
	((struct commands *)p)->refs++;
	return p;
}

static void
commands_unref(void *p)
{
	struct commands *c = p;

	if (--c->refs == 0) {
		mem_free(c);
		live--;
	}
}

static void
commands_print(const void *p, struct buf *out)
{
	buf_add_str(out, ((const struct commands *)p)->text);
}

static size_t
commands_size(const void *p)
{
	return strlen(((const struct commands *)p)->text);
}

static const struct keytable_ops ops = { commands_ref, commands_unref,
	commands_print, commands_size };

static void *
commands_new(const char *text)
{
	struct commands *c = mem_zalloc(sizeof(*c));

	c->refs = 1;
	c->text = text;
	live++;
	return c;
}

static key_code
key(const char *name)
{
	key_code k = 0;

	ck_assert_msg(key_name_parse(name, &k) == 0, "%s", name);
	return k;
}

static void
bind(struct keytables *set, const char *table, const char *name, bool repeat,
    const char *note, const char *text)
{
	ck_assert_int_eq(keytables_bind(set, table, key(name), repeat, note,
			     commands_new(text)),
	    0);
}

static const char *
text_of(struct keytables *set, const char *table, const char *name)
{
	const struct keytable *t = keytables_find(set, table);
	const struct keybinding *kb;

	if (t == NULL || (kb = keytable_get(t, key(name))) == NULL)
		return NULL;
	return ((const struct commands *)kb->commands)->text;
}

START_TEST(bindings_are_made_found_replaced_and_removed)
{
	struct keytables *set = keytables_new(&ops);
	const struct keytable *t;

	bind(set, "prefix", "c", false, "Create a window", "new-window");
	bind(set, "prefix", "C-Up", true, NULL, "resize-pane -U");
	bind(set, "root", "MouseDown1Pane", false, NULL, "select-pane");
	ck_assert_uint_eq(keytables_count(set), 2);
	ck_assert_str_eq(keytables_at(set, 1)->name, "root");
	ck_assert_ptr_null(keytables_at(set, 2));
	ck_assert_str_eq(text_of(set, "prefix", "c"), "new-window");
	ck_assert_str_eq(text_of(set, "root", "MouseDown1Pane"), "select-pane");
	ck_assert_ptr_null(text_of(set, "prefix", "C"));
	ck_assert_ptr_null(text_of(set, "nosuch", "c"));
	t = keytables_find(set, "prefix");
	/* Caps lock does not hide a binding. */
	ck_assert_ptr_nonnull(keytable_get(t, key("c") | KEY_CAPS));
	bind(set, "prefix", "c", true, NULL, "other");
	ck_assert_str_eq(text_of(set, "prefix", "c"), "other");
	ck_assert_ptr_null(keytable_get(t, key("c"))->note);
	ck_assert_int_eq(
	    keytables_bind(set, "prefix", key("c"), false, "note", NULL), 0);
	ck_assert_str_eq(keytable_get(t, key("c"))->note, "note");
	ck_assert(keytable_get(t, key("c"))->repeat);
	ck_assert_int_eq(
	    keytables_bind(set, "prefix", key("z"), false, "note", NULL),
	    -ERR_NOTFOUND);
	ck_assert_int_eq(
	    keytables_bind(set, "bare", key("z"), false, NULL, NULL),
	    -ERR_NOTFOUND);
	ck_assert_ptr_nonnull(keytables_find(set, "bare"));
	ck_assert_int_eq(keytables_unbind(set, "prefix", key("c")), 0);
	ck_assert_int_eq(
	    keytables_unbind(set, "prefix", key("c")), -ERR_NOTFOUND);
	ck_assert_int_eq(keytables_unbind(set, "no", key("c")), -ERR_NOTFOUND);
	ck_assert_int_eq(keytables_unbind(set, "prefix", key("C-Up")), 0);
	ck_assert_ptr_null(keytables_find(set, "prefix"));
	ck_assert_int_eq(keytables_unbind_all(set, "root"), 0);
	ck_assert_int_eq(keytables_unbind_all(set, "root"), -ERR_NOTFOUND);
	keytables_free(set);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(last_bindings_take_their_tables)
{
	struct keytables *set = keytables_new(&ops);

	bind(set, "prefix", "c", false, NULL, "new-window");
	bind(set, "root", "F1", false, NULL, "new-window");
	keytables_set_defaults(set);
	ck_assert(!keytable_exists(NULL));
	ck_assert(keytable_exists(keytables_find(set, "prefix")));
	ck_assert_int_eq(keytables_unbind(set, "prefix", key("c")), 0);
	ck_assert(!keytable_exists(keytables_find(set, "prefix")));
	bind(set, "prefix", "x", false, NULL, "kill-pane");
	ck_assert(keytable_exists(keytables_find(set, "prefix")));
	ck_assert_int_eq(keytables_unbind_all(set, "prefix"), 0);
	ck_assert(!keytable_exists(keytables_find(set, "prefix")));
	/* A note without commands makes a table. */
	(void)keytables_bind(set, "prefix", key("z"), false, "note", NULL);
	ck_assert(keytable_exists(keytables_find(set, "prefix")));
	ck_assert_int_eq(keytables_unbind_all(set, "root"), 0);
	ck_assert(keytable_exists(keytables_find(set, "root")));
	keytables_free(set);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(defaults_come_back)
{
	struct keytables *set = keytables_new(&ops);

	bind(set, "prefix", "c", true, "a note", "new-window");
	keytables_set_defaults(set);
	bind(set, "prefix", "c", false, NULL, "mine");
	bind(set, "prefix", "d", false, NULL, "mine too");
	ck_assert_int_eq(keytables_reset(set, "prefix", key("c")), 0);
	ck_assert_str_eq(text_of(set, "prefix", "c"), "new-window");
	ck_assert_str_eq(
	    keytable_get(keytables_find(set, "prefix"), key("c"))->note,
	    "a note");
	ck_assert_int_eq(keytables_reset(set, "prefix", key("d")), 0);
	ck_assert_ptr_null(text_of(set, "prefix", "d"));
	ck_assert_int_eq(keytables_unbind_all(set, "prefix"), 0);
	ck_assert_int_eq(keytables_reset(set, "prefix", key("c")), 0);
	ck_assert_str_eq(text_of(set, "prefix", "c"), "new-window");
	ck_assert_int_eq(keytables_reset(set, "no", key("c")), -ERR_NOTFOUND);
	keytables_set_defaults(set);
	keytables_free(set);
	ck_assert_int_eq(live, 0);
}
END_TEST

START_TEST(keys_are_listed_in_the_order_of_tmux)
{
	static const char *const order[] = { "Tab", "Enter", "Escape", "Space",
		"!", "0", "9", ":", "A", "Z", "[", "a", "z", "~", "User0",
		"Any", "BSpace", "F1", "IC", "DC", "Home", "End", "NPage",
		"PPage", "BTab", "Up", "Down", "Left", "Right", "KP/",
		"MouseDown1Pane", "MouseDown1Status", "MouseDown1Border",
		"MouseDown1ScrollbarUp", "MouseDown1ScrollbarDown",
		"MouseDown1Control8", "MouseDown2Pane", "MouseDown3Pane",
		"MouseDrag1Pane", "MouseDragEnd1Pane", "WheelDownPane",
		"WheelUpPane", "DoubleClick1Pane", "TripleClick1Pane", "M-1",
		"M-a", "M-Up", "C-Space", "C-[", "C-a", "C-z", "C-Up", "C-M-b",
		"S-Up" };
	struct keytables *set = keytables_new(&ops);
	const struct keytable *t;
	char name[KEY_NAME_MAX];
	size_t i, n = ARRAY_LEN(order);

	for (i = 0; i < n; i++)
		bind(set, "t", order[i * 7 % n], false, NULL, "x");
	t = keytables_find(set, "t");
	ck_assert_uint_eq(t->count, n);
	for (i = 0; i < n; i++)
		ck_assert_str_eq(
		    key_name_format(t->bindings[i].key, name, sizeof(name)),
		    order[i]);
	keytables_free(set);
}
END_TEST

START_TEST(what_a_terminal_says_alike_is_found_alike)
{
	static const char *const alike[][2] = { { "Enter", "C-m" },
		{ "M-Enter", "C-M-m" }, { "Tab", "C-i" }, { "Escape", "C-[" },
		{ "BSpace", "C-?" }, { "C-Space", "C-@" } };
	struct keytables *set = keytables_new(&ops);
	const struct keytable *t;
	const struct keybinding *kb;
	size_t i;

	for (i = 0; i < ARRAY_LEN(alike); i++)
		bind(set, "t", alike[i][1], false, NULL, "x");
	t = keytables_find(set, "t");
	for (i = 0; i < ARRAY_LEN(alike); i++) {
		kb = keytable_typed(t, key(alike[i][0]));
		ck_assert_ptr_nonnull(kb);
		ck_assert_uint_eq(kb->key, key(alike[i][1]));
		ck_assert_ptr_null(keytable_get(t, key(alike[i][0])));
	}
	/* The own name comes first; S-Enter is not C-m. */
	bind(set, "t", "Enter", false, NULL, "y");
	kb = keytable_typed(t, key("Enter"));
	ck_assert_uint_eq(kb->key, key("Enter"));
	ck_assert_ptr_null(keytable_typed(t, key("S-Tab")));
	ck_assert_ptr_null(keytable_typed(t, key("S-Enter")));
	keytables_free(set);
}
END_TEST

START_TEST(lines_are_printed_as_list_keys_does)
{
	static const struct {
		const char *key;
		const char *quoted;
	} quotes[] = { { ";", "\\;" }, { "#", "\\#" }, { "\"", "\\\"" },
		{ "'", "\\'" }, { "$", "\\$" }, { "{", "\\{" }, { "~", "\\~" },
		{ "%", "\\%" }, { "\\", "\\\\" }, { "M-{", "\"M-{\"" },
		{ "M-\"", "'M-\"'" }, { "C-\\", "C-\\\\" }, { "a", "a" },
		{ "M-;", "\"M-;\"" }, { "M-~", "M-~" }, { "^", "^" } };
	struct keytables *set = keytables_new(&ops);
	struct keytable_widths w;
	const struct keytable *t;
	struct buf out;
	size_t i;

	buf_init(&out, 4096);
	for (i = 0; i < ARRAY_LEN(quotes); i++) {
		buf_clear(&out);
		keytable_quote_key(key(quotes[i].key), &out);
		ck_assert_str_eq(buf_cstr(&out), quotes[i].quoted);
	}
	bind(set, "prefix", "c", false, NULL, "new-window");
	bind(set, "prefix", "C-Up", true, NULL, "resize-pane -U");
	bind(set, "copy-mode", "M-{", false, NULL, "send-keys");
	w = (struct keytable_widths){ 9, 5, true };
	t = keytables_find(set, "prefix");
	buf_clear(&out);
	for (i = 0; i < t->count; i++) {
		keytables_print(set, t, &t->bindings[i], &w, &out);
		buf_add_u8(&out, '\n');
	}
	ck_assert_str_eq(buf_cstr(&out),
	    "bind-key    -T prefix    c     new-window\n"
	    "bind-key -r -T prefix    C-Up  resize-pane -U\n");
	w.repeat = false;
	t = keytables_find(set, "copy-mode");
	buf_clear(&out);
	keytables_print(set, t, &t->bindings[0], &w, &out);
	ck_assert_str_eq(
	    buf_cstr(&out), "bind-key -T copy-mode \"M-{\" send-keys");
	buf_fini(&out);
	keytables_free(set);
}
END_TEST

START_TEST(tables_and_bindings_have_a_limit)
{
	struct keytables *set = keytables_new(&ops);
	void *c;
	char name[16];
	unsigned i;

	for (i = 0; i < KEYTABLE_MAX; i++) {
		snprintf(name, sizeof(name), "t%u", i);
		bind(set, name, "a", false, NULL, "x");
	}
	c = commands_new("x");
	ck_assert_int_eq(
	    keytables_bind(set, "more", key("a"), false, NULL, c), -ERR_LIMIT);
	for (i = 1; i < KEYTABLE_BINDINGS_MAX; i++)
		ck_assert_int_eq(keytables_bind(set, "t0", 0x4e00 + i, false,
				     NULL, commands_ref(c)),
		    0);
	ck_assert_int_eq(
	    keytables_bind(set, "t0", key("b"), false, NULL, c), -ERR_LIMIT);
	commands_unref(c);
	keytables_free(set);
	ck_assert_int_eq(live, 0);
}
END_TEST

UNIT_SUITE(keytable)
{
	Suite *s = suite_create("keytable");
	TCase *tc = tcase_create("keytable");

	tcase_add_test(tc, bindings_are_made_found_replaced_and_removed);
	tcase_add_test(tc, last_bindings_take_their_tables);
	tcase_add_test(tc, defaults_come_back);
	tcase_add_test(tc, keys_are_listed_in_the_order_of_tmux);
	tcase_add_test(tc, what_a_terminal_says_alike_is_found_alike);
	tcase_add_test(tc, lines_are_printed_as_list_keys_does);
	tcase_add_test(tc, tables_and_bindings_have_a_limit);
	suite_add_tcase(s, tc);
	return s;
}
