#include <string.h>

#include "base/list.h"
#include "regress/unit/unit.h"

struct item {
	int n;
	struct list_node node;
};

/* Formats the numbers of a list; checks the backward links too. */
static const char *
shown(const struct list *l, char *text)
{
	const struct list_node *n;
	size_t len = 0, count = 0;

	for (n = list_first(l); n != NULL; n = list_next(l, n)) {
		text[len++] =
		    (char)('0' + container_of(n, const struct item, node)->n);
		count++;
	}
	text[len] = '\0';
	ck_assert_uint_eq(count, l->count);
	for (n = list_last(l); n != NULL; n = list_prev(l, n))
		ck_assert_int_eq(text[--count],
		    '0' + container_of(n, const struct item, node)->n);
	ck_assert_uint_eq(count, 0);
	return text;
}

START_TEST(order_is_kept)
{
	struct item it[5] = { { 0, { 0 } } };
	struct list_node *n, *tmp;
	struct list l;
	char text[8];
	int i, sum = 0;

	list_init(&l);
	ck_assert(list_empty(&l));
	ck_assert_ptr_null(list_first(&l));
	ck_assert_ptr_null(list_entry(list_last(&l), struct item, node));
	for (i = 0; i < 5; i++)
		it[i].n = i;
	list_push_back(&l, &it[1].node);
	list_push_back(&l, &it[2].node);
	list_push_front(&l, &it[0].node);
	list_insert_after(&l, &it[0].node, &it[3].node);
	list_insert_before(&l, &it[0].node, &it[4].node);
	ck_assert_str_eq(shown(&l, text), "40312");
	ck_assert(list_linked(&it[3].node));
	list_remove(&l, &it[3].node);
	ck_assert(!list_linked(&it[3].node));
	ck_assert_str_eq(shown(&l, text), "4012");
	LIST_FOREACH(n, &l)
		sum += container_of(n, struct item, node)->n;
	ck_assert_int_eq(sum, 7);
	LIST_FOREACH_SAFE(n, &l, tmp)
		list_remove(&l, n);
	ck_assert(list_empty(&l));
	list_push_back(&l, &it[3].node);
	ck_assert_str_eq(shown(&l, text), "3");
}
END_TEST

START_TEST(inserting_twice_is_a_bug)
{
	struct item it = { 0, { 0 } };
	struct list l;

	list_init(&l);
	list_push_back(&l, &it.node);
	list_push_back(&l, &it.node);
}
END_TEST

START_TEST(removing_twice_is_a_bug)
{
	struct item it = { 0, { 0 } };
	struct list l;

	list_init(&l);
	list_push_back(&l, &it.node);
	list_remove(&l, &it.node);
	list_remove(&l, &it.node);
}
END_TEST

UNIT_SUITE(list)
{
	Suite *s = suite_create("list");
	TCase *tc = tcase_create("list");

	tcase_add_test(tc, order_is_kept);
	tcase_add_test_raise_signal(tc, inserting_twice_is_a_bug, 6);
	tcase_add_test_raise_signal(tc, removing_twice_is_a_bug, 6);
	suite_add_tcase(s, tc);
	return s;
}
