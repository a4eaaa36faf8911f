/*
 * regress/tools/link_heap.h - packets on their way, in order of arrival.
 *
 * Purpose:   a heap by time; packets of one time keep their order.
 * Ownership: link_heap_fini frees the packets that are left.
 * Units:     ns from the start.
 * Tests:     regress/tools/link.sh, regress/e2e/remote_net.sh
 */
#ifndef REGRESS_LINK_HEAP_H
#define REGRESS_LINK_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct packet {
	double time;
	double in; /* when it entered the link */
	uint64_t order;
	unsigned dir;
	size_t flow;
	size_t len;
	uint8_t *data; /* mem_free */
};

struct link_heap {
	struct packet *heap;
	size_t n, cap;
	uint64_t order;
};

/* Takes over P's data. */
void link_heap_push(struct link_heap *h, const struct packet *p);

/* Takes the first packet out; there must be one. */
struct packet link_heap_pop(struct link_heap *h);

void link_heap_fini(struct link_heap *h);

#endif
