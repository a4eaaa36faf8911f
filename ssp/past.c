#include "ssp/past.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

static void
chunk_unref(struct ssp_chunk *c)
{
	if (--c->refs == 0)
		mem_free(c);
}

void
ssp_past_fini(struct ssp_past *p)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		chunk_unref(p->chunk[i]);
	p->n = 0;
}

void
ssp_past_same(struct ssp_past *p, const struct ssp_past *old)
{
	unsigned i;

	*p = *old;
	for (i = 0; i < p->n; i++)
		p->chunk[i]->refs++;
}

static void
past_drop_oldest(struct ssp_past *p)
{
	chunk_unref(p->chunk[0]);
	p->n--;
	memmove(p->chunk, p->chunk + 1, p->n * sizeof p->chunk[0]);
}

void
ssp_past_after(
    struct ssp_past *p, const struct ssp_past *old, const struct buf *ser)
{
	struct ssp_chunk *c;
	size_t bytes = ser->len;
	unsigned i;

	ssp_past_same(p, old);
	if (ser->len == 0 || ser->len > SSP_PAST_BYTES)
		return;
	for (i = 0; i < p->n; i++)
		bytes += p->chunk[i]->len;
	while (p->n == SSP_PAST_MAX || bytes > SSP_PAST_BYTES) {
		bytes -= p->chunk[0]->len;
		past_drop_oldest(p);
	}
	c = mem_alloc(sizeof *c + ser->len);
	c->refs = 1;
	c->len = ser->len;
	memcpy(c->data, ser->data, ser->len);
	p->chunk[p->n++] = c;
}

int
ssp_past_prefix(
    const struct ssp_past *p, const struct buf *ser, struct buf *out)
{
	unsigned i;
	int r = 0;

	for (i = 0; i < p->n && r == 0; i++)
		r = buf_add(out, p->chunk[i]->data, p->chunk[i]->len);
	if (r == 0)
		r = buf_add(out, ser->data, ser->len);
	return r;
}
