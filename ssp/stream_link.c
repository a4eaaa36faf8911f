#include "ssp/stream_link.h"

#include "base/err.h"
#include "base/wire.h"

#define STREAM_CHUNK 16384 /* bytes read at once */
#define STREAM_HEAD 4      /* maximum bytes of a length */

void
ssp_stream_link_init(struct ssp_stream_link *l)
{
	buf_init(&l->in, SSP_STREAM_RECORD_MAX + STREAM_HEAD + STREAM_CHUNK);
	buf_init(&l->out, SSP_STREAM_BACKLOG);
	l->used = 0;
	l->err = 0;
}

void
ssp_stream_link_fini(struct ssp_stream_link *l)
{
	buf_fini(&l->in);
	buf_fini(&l->out);
}

/* Drops the record that was returned last. */
static void
stream_drop(struct ssp_stream_link *l)
{
	buf_consume(&l->in, l->used);
	l->used = 0;
}

size_t
ssp_stream_link_room(struct ssp_stream_link *l, uint8_t **p)
{
	size_t n;

	stream_drop(l);
	n = l->in.max - l->in.len;
	n = MIN_OF(n, (size_t)STREAM_CHUNK);
	if (l->err != 0 || n == 0 || buf_reserve(&l->in, n, p) != 0)
		return 0;
	return n;
}

void
ssp_stream_link_commit(struct ssp_stream_link *l, size_t n)
{
	buf_commit(&l->in, n);
}

int
ssp_stream_link_next(struct ssp_stream_link *l, uint8_t **p, size_t *len)
{
	struct rd r;
	uint64_t n;
	size_t head;

	stream_drop(l);
	if (l->err != 0)
		return l->err;
	rd_init(&r, l->in.data, l->in.len);
	n = rd_varint(&r);
	if (r.err != 0)
		return 0;
	if (n == 0 || n > SSP_STREAM_RECORD_MAX)
		return l->err = -ERR_PEER;
	if (rd_left(&r) < n)
		return 0;
	head = l->in.len - rd_left(&r);
	*p = l->in.data + head;
	*len = (size_t)n;
	l->used = head + *len;
	return 1;
}

int
ssp_stream_link_put(struct ssp_stream_link *l, const uint8_t *p, size_t len)
{
	uint8_t *q;
	struct wr w;
	int r;

	if (len == 0 || len > SSP_STREAM_RECORD_MAX)
		return -ERR_LIMIT;
	if ((r = buf_reserve(&l->out, STREAM_HEAD + len, &q)) != 0)
		return r;
	wr_init(&w, q, STREAM_HEAD + len);
	wr_varint(&w, len);
	wr_bytes(&w, p, len);
	if (w.err != 0)
		return -ERR_LIMIT;
	buf_commit(&l->out, wr_len(&w));
	return 0;
}

size_t
ssp_stream_link_pending(const struct ssp_stream_link *l, const uint8_t **p)
{
	*p = l->out.data;
	return l->out.len;
}

void
ssp_stream_link_written(struct ssp_stream_link *l, size_t n)
{
	buf_consume(&l->out, n);
}
