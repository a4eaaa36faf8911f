/*
 * base/list.h - intrusive doubly linked list.
 *
 * Purpose:   ordered sets of structs without allocation: embed a struct
 *            list_node, keep a struct list as the head.  The list owns no node.
 * Source:    circular list with a sentinel, as in many kernels.
 * Tests:     regress/unit/check_list.c
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>

#include "base/compiler.h"

struct list_node {
	struct list_node *prev; /* both NULL while in no list */
	struct list_node *next;
};

struct list {
	struct list_node head; /* sentinel */
	size_t count;
};

static inline void
list_init(struct list *l)
{
	l->head.prev = l->head.next = &l->head;
	l->count = 0;
}

static inline bool
list_empty(const struct list *l)
{
	return l->count == 0;
}

static inline bool
list_linked(const struct list_node *n)
{
	return n->next != NULL;
}

/* Inserts N (in no list) before AT, which may be &l->head. */
static inline void
list_insert_before(struct list *l, struct list_node *at, struct list_node *n)
{
	bug_assert(!list_linked(n));
	n->prev = at->prev;
	n->next = at;
	at->prev->next = n;
	at->prev = n;
	l->count++;
}

static inline void
list_insert_after(struct list *l, struct list_node *at, struct list_node *n)
{
	list_insert_before(l, at->next, n);
}

static inline void
list_push_back(struct list *l, struct list_node *n)
{
	list_insert_before(l, &l->head, n);
}

static inline void
list_push_front(struct list *l, struct list_node *n)
{
	list_insert_before(l, l->head.next, n);
}

static inline void
list_remove(struct list *l, struct list_node *n)
{
	bug_assert(list_linked(n) && l->count > 0);
	n->prev->next = n->next;
	n->next->prev = n->prev;
	n->prev = n->next = NULL;
	l->count--;
}

/* First, last, next and previous node; NULL at either end. */
static inline struct list_node *
list_first(const struct list *l)
{
	return l->count == 0 ? NULL : l->head.next;
}

static inline struct list_node *
list_last(const struct list *l)
{
	return l->count == 0 ? NULL : l->head.prev;
}

static inline struct list_node *
list_next(const struct list *l, const struct list_node *n)
{
	return n->next == &l->head ? NULL : n->next;
}

static inline struct list_node *
list_prev(const struct list *l, const struct list_node *n)
{
	return n->prev == &l->head ? NULL : n->prev;
}

/* clang-format off */

/*
 * The struct that contains NODE, or NULL for NULL (container_of needs
 * non-NULL).
 */
#define list_entry(node, type, member) \
	((node) == NULL ? NULL : container_of(node, type, member))

/* Runs the body for each node N of list L; the body must not remove N. */
#define LIST_FOREACH(n, l) \
	for ((n) = (l)->head.next; (n) != &(l)->head; (n) = (n)->next)

/* The same; the body may remove N (TMP is the next node). */
#define LIST_FOREACH_SAFE(n, l, tmp) \
	for ((n) = (l)->head.next; \
	    (n) != &(l)->head && ((tmp) = (n)->next, 1); (n) = (tmp))

/* clang-format on */

#endif
