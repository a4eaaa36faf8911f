#include "regress/tools/link_heap.h"

#include <stdbool.h>

#include "base/mem.h"

static bool
packet_before(const struct packet *a, const struct packet *b)
{
	return a->time < b->time || (a->time <= b->time && a->order < b->order);
}

void
link_heap_push(struct link_heap *h, const struct packet *packet)
{
	struct packet p = *packet;
	size_t i;

	p.order = h->order++;
	if (h->n == h->cap) {
		h->cap = h->cap * 2 + 64;
		h->heap = mem_resize(h->heap, h->cap, sizeof(*h->heap));
	}
	for (i = h->n++; i > 0; i = (i - 1) / 2) {
		if (!packet_before(&p, &h->heap[(i - 1) / 2]))
			break;
		h->heap[i] = h->heap[(i - 1) / 2];
	}
	h->heap[i] = p;
}

struct packet
link_heap_pop(struct link_heap *h)
{
	struct packet top = h->heap[0], last = h->heap[--h->n];
	size_t i = 0, c;

	while ((c = 2 * i + 1) < h->n) {
		if (c + 1 < h->n && packet_before(&h->heap[c + 1], &h->heap[c]))
			c++;
		if (!packet_before(&h->heap[c], &last))
			break;
		h->heap[i] = h->heap[c];
		i = c;
	}
	h->heap[i] = last;
	return top;
}

void
link_heap_fini(struct link_heap *h)
{
	while (h->n > 0)
		mem_free(link_heap_pop(h).data);
	mem_free(h->heap);
}
