/* Paste buffers. */
#include <string.h>

#include "base/mem.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

/* The newest buffer, or NULL. */
static struct paste_buffer *
newest(const struct paste *ps)
{
	struct paste_buffer **all, *b;
	size_t n;

	all = paste_sorted_new(ps, PASTE_NEWEST, false, &n);
	b = n == 0 ? NULL : all[0];
	mem_free(all);
	return b;
}

START_TEST(buffers_are_named_ordered_and_limited)
{
	struct mux *m = mux_util_new();
	struct paste *ps = m->paste;
	struct cause cause = { NULL };
	struct paste_buffer *b;
	char text[8], *sample;
	int i;

	(void)options_set_text(&m->server_options, "buffer-limit", "3", NULL);
	ck_assert_ptr_null(paste_top(ps));
	ck_assert_int_eq(paste_add(ps, NULL, "", 0), 0);
	ck_assert_uint_eq(paste_count(ps), 0);
	for (i = 0; i < 5; i++) {
		text[0] = (char)('a' + i);
		ck_assert_int_eq(paste_add(ps, NULL, text, 1), 0);
	}
	ck_assert_uint_eq(paste_count(ps), 3);
	ck_assert_str_eq(paste_top(ps)->name, "buffer4");
	ck_assert_ptr_null(paste_find(ps, "buffer1"));
	ck_assert_int_eq(paste_set(ps, "mine", "hello", 5, NULL), 0);
	ck_assert_str_eq(newest(ps)->name, "mine");
	ck_assert_str_eq(paste_top(ps)->name, "buffer4");
	ck_assert_int_eq(paste_append(ps, "mine", " you", 4, NULL), 0);
	b = paste_find(ps, "mine");
	ck_assert_uint_eq(b->size, 9);
	ck_assert_str_eq((char *)b->data, "hello you");
	/* The bytes are part of the buffer that is replaced. */
	ck_assert_int_eq(paste_set(ps, b->name, b->data + 6, 3, NULL), 0);
	ck_assert_str_eq((char *)paste_find(ps, "mine")->data, "you");
	ck_assert_int_eq(paste_rename(ps, "none", "x", &cause), -ERR_NOTFOUND);
	ck_assert_str_eq(cause_text(&cause), "no buffer none");
	cause_fini(&cause);
	ck_assert_int_eq(paste_set(ps, "", "x", 1, &cause), -ERR_SYNTAX);
	ck_assert_str_eq(cause_text(&cause), "empty buffer name");
	cause_fini(&cause);
	mem_free(mux_util_events(m, NULL));
	ck_assert_int_eq(paste_rename(ps, "buffer4", "mine", NULL), 0);
	sample = mux_util_events(m, "PASTE");
	ck_assert_str_eq(
	    sample, "PASTE_DELETED 'buffer4'|PASTE_CHANGED 'mine'|");
	mem_free(sample);
	ck_assert_str_eq((char *)paste_find(ps, "mine")->data, "e");
	/* It is no longer automatic, so there is room for another. */
	ck_assert_int_eq(paste_add(ps, NULL, "f", 1), 0);
	ck_assert_uint_eq(paste_count(ps), 4);
	paste_remove(ps, paste_find(ps, "mine"));
	ck_assert_ptr_null(paste_find(ps, "mine"));
	ck_assert_int_eq(paste_set(ps, "s", "a\tb\033c\xff", 6, NULL), 0);
	sample = paste_sample(paste_find(ps, "s"), 100);
	ck_assert_str_eq(sample, "a\\tb\\033c\\377");
	mem_free(sample);
	sample = paste_sample(paste_find(ps, "s"), 3);
	ck_assert_str_eq(sample, "a\\t...");
	mem_free(sample);
	mux_util_free(m);
}
END_TEST

static void
expect_order(
    struct paste *ps, enum paste_order order, bool reversed, const char *names)
{
	struct paste_buffer **all;
	char got[64] = "";
	size_t i, n;

	all = paste_sorted_new(ps, order, reversed, &n);
	for (i = 0; i < n; i++)
		strcat(strcat(got, all[i]->name), " ");
	mem_free(all);
	ck_assert_str_eq(got, names);
}

START_TEST(buffers_are_sorted)
{
	struct mux *m = mux_util_new();
	struct paste *ps = m->paste;

	expect_order(ps, PASTE_NAME, true, "");
	(void)paste_set(ps, "b", "xx", 2, NULL);
	expect_order(ps, PASTE_NAME, true, "b ");
	(void)paste_set(ps, "c", "x", 1, NULL);
	(void)paste_set(ps, "a", "xx", 2, NULL);
	expect_order(ps, PASTE_NEWEST, false, "a c b ");
	expect_order(ps, PASTE_NEWEST, true, "b c a ");
	expect_order(ps, PASTE_NAME, false, "a b c ");
	expect_order(ps, PASTE_NAME, true, "c b a ");
	/* Of one size: by name. */
	expect_order(ps, PASTE_SIZE, false, "c a b ");
	expect_order(ps, PASTE_SIZE, true, "b a c ");
	/* A buffer that is replaced keeps its place. */
	ck_assert_int_eq(paste_replace(ps, paste_find(ps, "c"), "xxx", 3), 0);
	ck_assert_int_eq(paste_replace(ps, paste_find(ps, "b"), "", 0), 0);
	expect_order(ps, PASTE_NEWEST, false, "a c b ");
	expect_order(ps, PASTE_SIZE, false, "a b c ");
	mux_util_free(m);
}
END_TEST

/* Wipes until nothing is left; returns the number of pieces. */
static unsigned
wipes(struct paste *ps)
{
	unsigned n = 1;

	while (paste_wipe(ps))
		n++;
	return n;
}

START_TEST(large_buffers_are_wiped_in_pieces)
{
	struct mux *m = mux_util_new();
	struct paste *ps = m->paste;
	const size_t n = PASTE_PIECE * 3 + 1;
	char *big = mem_zalloc(n);
	unsigned i;

	memset(big, 'x', n);
	ck_assert(!paste_wipe(ps));
	/* A small one is gone at once. */
	(void)paste_set(ps, "a", big, PASTE_PIECE, NULL);
	paste_remove(ps, paste_find(ps, "a"));
	ck_assert(!paste_wipe(ps));
	/* Each piece is wiped, and given back. */
	(void)paste_set(ps, "a", big, n, NULL);
	paste_remove(ps, paste_find(ps, "a"));
	ck_assert_uint_eq(wipes(ps), 8);
	/* So are the bytes before a change. */
	(void)paste_set(ps, "a", big, n, NULL);
	(void)paste_set(ps, "a", big, n, NULL);
	(void)paste_replace(ps, paste_find(ps, "a"), big, n - 1);
	(void)paste_append(ps, "a", big, 2, NULL);
	ck_assert_uint_eq(wipes(ps), 8 + 8 + 6);
	ck_assert_uint_eq(paste_find(ps, "a")->size, n + 1);
	/* A name's next owner loses its bytes, too. */
	(void)paste_set(ps, "b", "text", 4, NULL);
	(void)paste_rename(ps, "b", "a", NULL);
	ck_assert_uint_eq(wipes(ps), 8);
	/* Bytes that wait are bounded: the oldest are wiped at once. */
	for (i = 0; i < PASTE_SIZE_MAX / n + 10; i++)
		(void)paste_set(ps, "a", big, n, NULL);
	ck_assert_uint_le(wipes(ps), PASTE_SIZE_MAX / n * 8 + 8);
	(void)paste_set(ps, "a", big, n, NULL);
	mem_free(big);
	mux_util_free(m);
}
END_TEST

UNIT_SUITE(paste)
{
	Suite *s = suite_create("paste");
	TCase *tc = tcase_create("paste");

	tcase_add_test(tc, buffers_are_named_ordered_and_limited);
	tcase_add_test(tc, buffers_are_sorted);
	tcase_add_test(tc, large_buffers_are_wiped_in_pieces);
	suite_add_tcase(s, tc);
	return s;
}
