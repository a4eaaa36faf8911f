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

static struct ssp_chunk *
chunk_new(const uint8_t *data, size_t len)
{
	struct ssp_chunk *c = mem_alloc(sizeof *c + len);

	c->refs = 1;
	c->len = len;
	memcpy(c->data, data, len);
	return c;
}

/*
 * Adds N bytes at DATA to the *COUNT chunks of LIST, and drops the oldest beyond
 * MOST chunks or MAX bytes.
 */
static void
chunks_add(struct ssp_chunk **list, unsigned *count, unsigned most, size_t max,
    const uint8_t *data, size_t n)
{
	size_t bytes = n;
	unsigned i;

	for (i = 0; i < *count; i++)
		bytes += list[i]->len;
	while (*count == most || bytes > max) {
		bytes -= list[0]->len;
		chunk_unref(list[0]);
		--*count;
		memmove(list, list + 1, *count * sizeof list[0]);
	}
	list[(*count)++] = chunk_new(data, n);
}

static void
trail_unref(struct ssp_trail *t)
{
	unsigned i;

	if (t == NULL || --t->refs > 0)
		return;
	for (i = 0; i < t->n; i++)
		chunk_unref(t->chunk[i]);
	mem_free(t);
}

void
ssp_past_fini(struct ssp_past *p)
{
	unsigned i;

	for (i = 0; i < p->n; i++)
		chunk_unref(p->chunk[i]);
	trail_unref(p->trail);
	p->n = 0;
	p->trail = NULL;
}

void
ssp_past_same(struct ssp_past *p, const struct ssp_past *old)
{
	unsigned i;

	*p = *old;
	for (i = 0; i < p->n; i++)
		p->chunk[i]->refs++;
	if (p->trail != NULL)
		p->trail->refs++;
}

void
ssp_past_after(
    struct ssp_past *p, const struct ssp_past *old, const struct buf *ser)
{
	ssp_past_same(p, old);
	if (ser->len > 0 && ser->len <= SSP_PAST_BYTES)
		chunks_add(p->chunk, &p->n, SSP_PAST_MAX, SSP_PAST_BYTES,
		    ser->data, ser->len);
}

void
ssp_past_trail(struct ssp_past *p, const uint8_t *diff, size_t len)
{
	struct ssp_trail *t;
	unsigned i;

	if (len < SSP_TRAIL_FROM || len > SSP_TRAIL_BYTES)
		return;
	t = mem_zalloc(sizeof *t);
	if (p->trail != NULL)
		*t = *p->trail;
	t->refs = 1;
	for (i = 0; i < t->n; i++)
		t->chunk[i]->refs++;
	chunks_add(t->chunk, &t->n, SSP_TRAIL_MAX, SSP_TRAIL_BYTES, diff, len);
	trail_unref(p->trail);
	p->trail = t;
}

int
ssp_past_prefix(const struct ssp_past *p, bool past, bool trail,
    const struct buf *ser, struct buf *out)
{
	unsigned i;
	int r = 0;

	for (i = 0; past && i < p->n && r == 0; i++)
		r = buf_add(out, p->chunk[i]->data, p->chunk[i]->len);
	if (r == 0)
		r = buf_add(out, ser->data, ser->len);
	for (i = 0; trail && p->trail != NULL && i < p->trail->n && r == 0; i++)
		r = buf_add(
		    out, p->trail->chunk[i]->data, p->trail->chunk[i]->len);
	return r;
}
