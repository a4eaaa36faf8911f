#include "ssp/past.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

static_assert(SSP_TRAIL_MAX <= SSP_PAST_MAX, "both are lists of one kind");

/* Bytes of a piece of text that is compared. */
#define MARK_LEN 12
/* Of all pieces of the text, one in so many is compared. */
#define MARK_ONE_IN 24u
/* A page is shown again if one of the past has so many pieces of it, */
#define PAST_SHOWS_LEAST 3u
/* and one in so many of those that the old page has not. */
#define PAST_SHOWS_SHARE 4u

/*
 * Returns the hash of the MARK_LEN bytes at P.  Its high bits choose the pieces
 * that are compared: by content, so that the same text has the same pieces
 * wherever it stands.
 */
static uint64_t
mark_hash(const uint8_t *p)
{
	uint64_t a;
	uint32_t b;

	memcpy(&a, p, sizeof a);
	memcpy(&b, p + sizeof a, sizeof b);
	a = (a ^ (uint64_t)b << 17) * UINT64_C(0x9e3779b97f4a7c15);
	return (a ^ a >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static bool
mark_chosen(uint64_t h)
{
	return (h >> 32) % MARK_ONE_IN == 0;
}

static bool
marks_have(const struct ssp_marks *m, uint64_t h)
{
	h = (h >> 48) % SSP_MARKS_BITS;
	return (m->bits[h / 64] >> h % 64 & 1) != 0;
}

static void
marks_fill(struct ssp_marks *m, const uint8_t *data, size_t len)
{
	uint64_t h;
	size_t i;

	memset(m, 0, sizeof *m);
	for (i = 0; i + MARK_LEN <= len; i++) {
		h = mark_hash(data + i);
		if (!mark_chosen(h))
			continue;
		h = (h >> 48) % SSP_MARKS_BITS;
		m->bits[h / 64] |= UINT64_C(1) << h % 64;
	}
}

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
	memset(&c->marks, 0, sizeof c->marks);
	memcpy(c->data, data, len);
	return c;
}

static void
chunks_unref(struct ssp_chunks *t)
{
	unsigned i;

	if (t == NULL || --t->refs > 0)
		return;
	for (i = 0; i < t->n; i++)
		chunk_unref(t->chunk[i]);
	mem_free(t);
}

/*
 * Returns the chunks of OLD (NULL: none) and then C, without the oldest ones
 * beyond MOST chunks or MAX bytes.  The list takes over C.
 */
static struct ssp_chunks *
chunks_after(const struct ssp_chunks *old, unsigned most, size_t max,
    struct ssp_chunk *c)
{
	struct ssp_chunks *t = mem_zalloc(sizeof *t);
	unsigned n = old != NULL ? old->n : 0, from = n, i;
	size_t bytes = c->len;

	while (from > 0 && n - from + 1 < most &&
	       bytes + old->chunk[from - 1]->len <= max)
		bytes += old->chunk[--from]->len;
	for (i = from; i < n; i++) {
		t->chunk[t->n++] = old->chunk[i];
		old->chunk[i]->refs++;
	}
	t->chunk[t->n++] = c;
	t->refs = 1;
	return t;
}

void
ssp_past_fini(struct ssp_past *p)
{
	chunks_unref(p->pages);
	chunks_unref(p->trail);
	p->pages = p->trail = NULL;
}

void
ssp_past_same(struct ssp_past *p, const struct ssp_past *old)
{
	*p = *old;
	if (p->pages != NULL)
		p->pages->refs++;
	if (p->trail != NULL)
		p->trail->refs++;
}

void
ssp_past_after(
    struct ssp_past *p, const struct ssp_past *old, const struct buf *ser)
{
	struct ssp_chunks *t;
	struct ssp_chunk *c;

	ssp_past_same(p, old);
	if (ser->len == 0 || ser->len > SSP_PAST_ONE)
		return;
	c = chunk_new(ser->data, ser->len);
	marks_fill(&c->marks, c->data, c->len);
	t = chunks_after(p->pages, SSP_PAST_MAX, SSP_PAST_BYTES, c);
	chunks_unref(p->pages);
	p->pages = t;
}

void
ssp_past_trail(struct ssp_past *p, const uint8_t *diff, size_t len)
{
	struct ssp_chunks *t;

	if (len < SSP_TRAIL_FROM || len > SSP_TRAIL_BYTES)
		return;
	t = chunks_after(
	    p->trail, SSP_TRAIL_MAX, SSP_TRAIL_BYTES, chunk_new(diff, len));
	chunks_unref(p->trail);
	p->trail = t;
}

/* Returns the number of the first page that USE includes, P->pages->n: none. */
static unsigned
past_from(const struct ssp_past *p, enum ssp_past_use use)
{
	unsigned i = p->pages != NULL ? p->pages->n : 0, n;
	size_t bytes = 0;

	if (use == SSP_PAST_NONE)
		return i;
	if (use == SSP_PAST_LONG)
		return 0;
	for (n = 0; i > 0 && n < SSP_PAST_SHORT_MAX; n++, i--) {
		bytes += p->pages->chunk[i - 1]->len;
		if (bytes > SSP_PAST_SHORT_BYTES)
			break;
	}
	return i;
}

bool
ssp_past_shows(const struct ssp_past *p, enum ssp_past_use use,
    const struct buf *old, const struct buf *new)
{
	const unsigned n = p->pages != NULL ? p->pages->n : 0;
	unsigned from = past_from(p, use), found[SSP_PAST_MAX] = { 0 };
	unsigned all = 0, best = 0, k;
	struct ssp_marks was;
	uint64_t h;
	size_t i;

	if (from == n)
		return false;
	marks_fill(&was, old->data, old->len);
	for (i = 0; i + MARK_LEN <= new->len; i++) {
		h = mark_hash(new->data + i);
		if (!mark_chosen(h) || marks_have(&was, h))
			continue;
		all++;
		for (k = from; k < n; k++)
			found[k] += marks_have(&p->pages->chunk[k]->marks, h);
	}
	for (k = from; k < n; k++)
		best = MAX_OF(best, found[k]);
	return best >= PAST_SHOWS_LEAST && best * PAST_SHOWS_SHARE >= all;
}

int
ssp_past_prefix(const struct ssp_past *p, enum ssp_past_use use, bool trail,
    const struct buf *ser, struct buf *out)
{
	const unsigned n = p->pages != NULL ? p->pages->n : 0;
	unsigned i;
	int r = 0;

	for (i = past_from(p, use); i < n && r == 0; i++)
		r = buf_add(
		    out, p->pages->chunk[i]->data, p->pages->chunk[i]->len);
	if (r == 0)
		r = buf_add(out, ser->data, ser->len);
	for (i = 0; trail && p->trail != NULL && i < p->trail->n && r == 0; i++)
		r = buf_add(
		    out, p->trail->chunk[i]->data, p->trail->chunk[i]->len);
	return r;
}
