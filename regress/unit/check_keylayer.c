#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "conf/bind.h"
#include "conf/key_name.h"
#include "conf/keylayer.h"
#include "regress/unit/unit.h"

/* Runs one bind-key or unbind-key in SET. */
static int
run(struct keytables *set, const char *text)
{
	struct parser_hooks none = { .arg = NULL };
	struct cause why = { NULL };
	struct cmdlist *list;
	int r;

	ck_assert_int_eq(
	    parser_parse(text, strlen(text), NULL, 1, &none, &list), 0);
	ck_assert_uint_eq(list->count, 1);
	if (strcmp(list->cmds[0]->row->name, "bind-key") == 0)
		r = bind_run(set, list->cmds[0]->args, NULL, &why);
	else
		r = bind_unbind(set, list->cmds[0]->args, &why);
	cause_fini(&why);
	cmdlist_unref(list);
	return r;
}

static key_code
key(const char *name)
{
	key_code k = 0;

	ck_assert_msg(key_name_parse(name, &k) == 0, "%s", name);
	return k;
}

/* Asserts that a typed NAME runs TEXT in TABLE; NULL: nothing. */
static void
runs(struct keylayer *l, const struct keytables *all, const char *table,
    const char *name, const char *text)
{
	const struct keytable *t = keylayer_find(l, all, table);
	const struct keybinding *kb =
	    t == NULL ? NULL : keytable_typed(t, key(name));
	struct buf b;

	if (text == NULL) {
		ck_assert_msg(kb == NULL, "%s", name);
		return;
	}
	ck_assert_msg(kb != NULL, "%s", name);
	buf_init(&b, 4096);
	bind_ops.print(kb->commands, &b);
	ck_assert_str_eq(buf_cstr(&b), text);
	buf_fini(&b);
}

/* Asserts that the bindings of T are in the order of listing. */
static void
sorted(const struct keytable *t)
{
	size_t i;

	for (i = 1; i < t->count; i++)
		ck_assert_int_lt(keytable_compare(t->bindings[i - 1].key,
				     t->bindings[i].key),
		    0);
}

START_TEST(own_keys_lie_above)
{
	struct keytables *all = keytables_new(&bind_ops), *own;
	struct keylayer *l = keylayer_new(&bind_ops);

	own = keylayer_own(l);
	ck_assert_int_eq(run(all, "bind c new-window"), 0);
	ck_assert_int_eq(run(all, "bind d detach-client"), 0);
	ck_assert_int_eq(run(all, "bind -T only x kill-pane"), 0);
	/* Without own keys the table is the server's. */
	ck_assert_ptr_eq(
	    keylayer_find(NULL, all, "prefix"), keytables_find(all, "prefix"));
	ck_assert_ptr_eq(
	    keylayer_find(l, all, "prefix"), keytables_find(all, "prefix"));
	ck_assert_ptr_null(keylayer_find(l, all, "none"));

	ck_assert_int_eq(run(own, "bind c kill-window"), 0);
	ck_assert_int_eq(run(own, "bind e clock-mode"), 0);
	ck_assert_int_eq(run(own, "bind -T mine y last-window"), 0);
	runs(l, all, "prefix", "c", "kill-window");
	runs(l, all, "prefix", "d", "detach-client");
	runs(l, all, "prefix", "e", "clock-mode");
	runs(l, all, "only", "x", "kill-pane");
	runs(l, all, "mine", "y", "last-window");
	runs(NULL, all, "prefix", "c", "new-window");
	runs(NULL, all, "mine", "y", NULL);
	ck_assert_uint_eq(keylayer_find(l, all, "prefix")->count, 3);
	sorted(keylayer_find(l, all, "prefix"));

	/* The layer shows changes of both sets. */
	ck_assert_int_eq(run(all, "bind a next-window"), 0);
	runs(l, all, "prefix", "a", "next-window");
	ck_assert_int_eq(run(all, "unbind c"), 0);
	runs(l, all, "prefix", "c", "kill-window");
	ck_assert_int_eq(run(own, "unbind c"), 0);
	runs(l, all, "prefix", "c", NULL);
	ck_assert_int_eq(run(own, "unbind -a -T prefix"), 0);
	ck_assert_ptr_eq(
	    keylayer_find(l, all, "prefix"), keytables_find(all, "prefix"));
	keylayer_free(l);
	keytables_free(all);
}
END_TEST

/* The client's table is asked first, also for the other name of a key. */
START_TEST(other_names_of_keys)
{
	struct keytables *all = keytables_new(&bind_ops), *own;
	struct keylayer *l = keylayer_new(&bind_ops);

	own = keylayer_own(l);
	ck_assert_int_eq(run(all, "bind Enter new-window"), 0);
	ck_assert_int_eq(run(all, "bind Any kill-pane"), 0);
	ck_assert_int_eq(run(all, "bind C-i clock-mode"), 0);
	ck_assert_int_eq(run(own, "bind C-m kill-window"), 0);
	ck_assert_int_eq(run(own, "bind Tab last-window"), 0);
	runs(l, all, "prefix", "Enter", "kill-window");
	runs(l, all, "prefix", "C-m", "kill-window");
	runs(l, all, "prefix", "Tab", "last-window");
	runs(l, all, "prefix", "C-i", "clock-mode");
	runs(l, all, "prefix", "Any", "kill-pane");
	sorted(keylayer_find(l, all, "prefix"));
	keylayer_free(l);
	keytables_free(all);
}
END_TEST

static const char *const names[] = { "a", "b", "Enter", "C-m", "Tab", "C-i",
	"M-Enter", "M-C-m", "BSpace", "C-?", "Any", "F1", "M-x", "C-Space",
	"C-@", "Up" };

/* Asserts that L finds what one lookup after the other finds. */
static void
finds_same(struct keylayer *l, const struct keytables *all)
{
	const struct keytable *own = keytables_find(keylayer_own(l), "t");
	const struct keytable *base = keytables_find(all, "t");
	const struct keytable *t = keylayer_find(l, all, "t");
	const struct keybinding *want, *got;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		want = own == NULL ? NULL : keytable_typed(own, key(names[i]));
		if (want == NULL && base != NULL)
			want = keytable_typed(base, key(names[i]));
		got = t == NULL ? NULL : keytable_typed(t, key(names[i]));
		ck_assert_ptr_eq(got == NULL ? NULL : got->commands,
		    want == NULL ? NULL : want->commands);
	}
	if (t != NULL)
		sorted(t);
}

START_TEST(like_two_lookups)
{
	uint64_t state = unit_seed(1);
	unsigned round, n, rounds = unit_rounds(200);
	struct keytables *all;
	struct keylayer *l;
	char text[64];

	for (round = 0; round < rounds; round++) {
		all = keytables_new(&bind_ops);
		l = keylayer_new(&bind_ops);
		for (n = 0; n < 24; n++) {
			state =
			    state * 6364136223846793005u + 1442695040888963407u;
			snprintf(text, sizeof(text), "%s -T t %s%s",
			    state >> 62 == 0 ? "unbind -q" : "bind",
			    names[(state >> 40) % ARRAY_LEN(names)],
			    state >> 62 == 0 ? "" : " new-window");
			(void)run(
			    state >> 33 & 1 ? all : keylayer_own(l), text);
			finds_same(l, all);
		}
		keylayer_free(l);
		keytables_free(all);
	}
}
END_TEST

START_TEST(a_person_has_so_many_keys)
{
	struct keylayer *l = keylayer_new(&bind_ops);
	struct keytables *own = keylayer_own(l);
	char text[64];
	unsigned i;

	for (i = 0; i < KEYLAYER_BINDINGS_MAX; i++) {
		snprintf(text, sizeof(text), "bind -T t%u F%u new-window",
		    i / 12, i % 12 + 1);
		ck_assert_int_eq(run(own, text), 0);
	}
	ck_assert_uint_eq(keytables_bindings(own), KEYLAYER_BINDINGS_MAX);
	ck_assert_int_eq(run(own, "bind -T z a new-window"), -ERR_LIMIT);
	ck_assert_ptr_null(keytables_find(own, "z"));
	/* A binding that exists may change, and one that goes makes room. */
	ck_assert_int_eq(run(own, "bind -T t0 F1 kill-window"), 0);
	ck_assert_int_eq(run(own, "unbind -T t0 F1"), 0);
	ck_assert_int_eq(run(own, "bind -T z a new-window"), 0);
	for (i = 0; i < KEYLAYER_BINDINGS_MAX; i += 12) {
		snprintf(text, sizeof(text), "unbind -a -T t%u", i / 12);
		ck_assert_int_eq(run(own, text), 0);
	}
	ck_assert_uint_eq(keytables_bindings(own), 1);
	keylayer_free(l);
}
END_TEST

/* Returns bind-key of KEY with N bytes more (mem_free). */
static char *
big_new(const char *head, size_t n, const char *tail)
{
	char *s, *fill = mem_alloc(n + 1);

	memset(fill, 'x', n);
	fill[n] = '\0';
	s = mem_printf("%s%s%s", head, fill, tail);
	mem_free(fill);
	return s;
}

static int
run_big(struct keytables *set, const char *head, size_t n, const char *tail)
{
	char *text = big_new(head, n, tail);
	int r = run(set, text);

	mem_free(text);
	return r;
}

START_TEST(a_person_has_so_many_bytes)
{
	const size_t half = KEYLAYER_BYTES_MAX / 2 + 4096;
	struct keylayer *l = keylayer_new(&bind_ops);
	struct keytables *own = keylayer_own(l);

	ck_assert_int_eq(
	    run_big(own, "bind a display ", KEYLAYER_BYTES_MAX - 64, ""),
	    -ERR_LIMIT);
	ck_assert_ptr_null(keytables_find(own, "prefix"));
	ck_assert_int_eq(run_big(own, "bind a display ", half, ""), 0);
	ck_assert_int_eq(
	    run_big(own, "bind b { display ", half, " }"), -ERR_LIMIT);
	ck_assert_int_eq(
	    run_big(own, "bind b { display -t ", half, " x }"), -ERR_LIMIT);
	ck_assert_int_eq(
	    run_big(own, "bind -N ", half, " b display"), -ERR_LIMIT);
	ck_assert_int_eq(
	    run_big(own, "bind -T ", half, " b display"), -ERR_LIMIT);
	/* Also a note for a binding that exists. */
	ck_assert_int_eq(run_big(own, "bind -N ", half, " a"), -ERR_LIMIT);
	ck_assert_ptr_null(
	    keytable_get(keytables_find(own, "prefix"), 'a')->note);
	ck_assert_int_eq(run(own, "bind -N short a"), 0);
	/* The bytes of what goes count no more. */
	ck_assert_int_eq(run(own, "bind a new-window"), 0);
	ck_assert_int_eq(run_big(own, "bind -T ", half, " b display"), 0);
	ck_assert_int_eq(run_big(own, "unbind -a -T ", half, ""), 0);
	ck_assert_int_eq(run_big(own, "bind b { display ", half, " }"), 0);
	ck_assert_int_eq(run(own, "unbind b"), 0);
	ck_assert_int_eq(run_big(own, "bind -N ", half, " b display"), 0);
	ck_assert_int_eq(run(own, "bind -N short b"), 0);
	ck_assert_int_eq(run_big(own, "bind -N ", half, " c display"), 0);
	keylayer_free(l);
}
END_TEST

UNIT_SUITE(keylayer)
{
	Suite *s = suite_create("keylayer");
	TCase *tc = tcase_create("keylayer");

	tcase_add_test(tc, own_keys_lie_above);
	tcase_add_test(tc, other_names_of_keys);
	tcase_add_test(tc, like_two_lookups);
	tcase_add_test(tc, a_person_has_so_many_keys);
	tcase_add_test(tc, a_person_has_so_many_bytes);
	suite_add_tcase(s, tc);
	return s;
}
