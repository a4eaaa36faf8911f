#include "ssp/stream.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void
ssp_stream_init(struct ssp_stream *s)
{
	memset(s, 0, sizeof(*s));
	buf_init(&s->out.bytes, SSP_STREAM_BUFFER);
	s->in.ring = mem_alloc(SSP_STREAM_WINDOW);
	s->out.limit = s->in.limit = SSP_STREAM_WINDOW;
}

void
ssp_stream_fini(struct ssp_stream *s)
{
	buf_fini(&s->out.bytes);
	mem_free(s->in.ring);
}

/* --- sending --- */

size_t
ssp_stream_put(struct ssp_stream *s, const void *p, size_t n)
{
	n = MIN_OF(n, SSP_STREAM_BUFFER - s->out.bytes.len);
	return n > 0 && buf_add(&s->out.bytes, p, n) == 0 ? n : 0;
}

/* Returns the first lost piece, or NULL. */
static struct ssp_stream_piece *
stream_lost_piece(struct ssp_stream_out *o)
{
	unsigned i;

	for (i = 0; i < o->npieces; i++)
		if (o->pieces[i].lost)
			return &o->pieces[i];
	return NULL;
}

/* Returns how many new bytes the credit allows. */
static uint64_t
stream_fresh(const struct ssp_stream_out *o)
{
	const uint64_t end = MIN_OF(o->base + o->bytes.len, o->limit);

	return o->npieces < SSP_STREAM_PIECES && end > o->tried ? end - o->tried
								: 0;
}

bool
ssp_stream_waits(const struct ssp_stream *s)
{
	unsigned i;

	for (i = 0; i < s->out.npieces; i++)
		if (s->out.pieces[i].lost)
			return true;
	return stream_fresh(&s->out) > 0;
}

/* Returns the piece that goes next, at most N bytes of it; NULL: none. */
static struct ssp_stream_piece *
stream_next(struct ssp_stream_out *o, size_t n)
{
	struct ssp_stream_piece *p = stream_lost_piece(o);
	const uint64_t fresh = stream_fresh(o);
	unsigned i;

	if (p == NULL && fresh == 0)
		return NULL;
	if (p == NULL) {
		p = &o->pieces[o->npieces++];
		p->pn = UINT64_MAX;
		p->at = o->tried;
		p->len = MIN_OF(n, (size_t)fresh);
		o->tried += p->len;
	} else if (p->len > n) {
		if (o->npieces == SSP_STREAM_PIECES)
			return NULL;
		/* The rest stays lost. */
		i = (unsigned)(p - o->pieces);
		memmove(p + 1, p, (o->npieces++ - i) * sizeof(*p));
		p[1].at += n;
		p[1].len -= n;
		p->len = n;
	}
	return p;
}

bool
ssp_stream_write(struct ssp_stream *s, uint64_t pn, struct wr *w)
{
	struct ssp_stream_out *o = &s->out;
	struct ssp_stream_piece *p;

	if (wr_left(w) < SSP_STREAM_HEAD + SSP_STREAM_LEAST ||
	    (p = stream_next(o, wr_left(w) - SSP_STREAM_HEAD)) == NULL)
		return false;
	p->before = p->pn == UINT64_MAX ? pn : p->pn;
	p->pn = pn;
	p->lost = false;
	wr_varint(w, p->at);
	wr_bytes(w, o->bytes.data + (p->at - o->base), p->len);
	return true;
}

void
ssp_stream_again(struct ssp_stream *s)
{
	if (s->out.npieces > 0)
		s->out.pieces[s->out.npieces - 1].lost = true;
}

/*
 * Returns the piece that flies in datagram PN (ARRIVED: or flew in it before),
 * or NULL.
 */
static struct ssp_stream_piece *
stream_find(struct ssp_stream_out *o, uint64_t pn, bool arrived)
{
	struct ssp_stream_piece *p;
	unsigned i;

	for (i = 0; i < o->npieces; i++) {
		p = &o->pieces[i];
		if ((arrived && (p->pn == pn || p->before == pn)) ||
		    (!p->lost && p->pn == pn))
			return p;
	}
	return NULL;
}

void
ssp_stream_acked(struct ssp_stream *s, uint64_t pn)
{
	struct ssp_stream_out *o = &s->out;
	struct ssp_stream_piece *p;
	uint64_t base;
	unsigned i;

	if (s->in.credit_sent && s->in.credit_pn == pn)
		s->in.credit_sent = false;
	/* Two, if one was cut before it went again. */
	while ((p = stream_find(o, pn, true)) != NULL) {
		i = (unsigned)(p - o->pieces);
		memmove(p, p + 1, (--o->npieces - i) * sizeof(*p));
	}
	base = o->npieces > 0 ? o->pieces[0].at : o->tried;
	buf_consume(&o->bytes, (size_t)(base - o->base));
	o->base = base;
}

void
ssp_stream_lost(struct ssp_stream *s, uint64_t pn)
{
	struct ssp_stream_piece *p = stream_find(&s->out, pn, false);

	if (p != NULL)
		p->lost = true;
	if (s->in.credit_sent && s->in.credit_pn == pn) {
		s->in.credit_sent = false;
		s->in.credit_lost = true;
	}
}

int
ssp_stream_credit_read(struct ssp_stream *s, const uint8_t *body, size_t n)
{
	uint64_t limit;
	struct rd r;

	rd_init(&r, body, n);
	limit = rd_varint(&r);
	peer_check(rd_done(&r) == 0);
	/* An older frame may come late. */
	s->out.limit = MAX_OF(s->out.limit, limit);
	return 0;
}

/* --- receiving --- */

bool
ssp_stream_credit_waits(const struct ssp_stream *s)
{
	return s->in.credit_lost ||
	       s->in.taken + SSP_STREAM_WINDOW - s->in.limit >=
		   SSP_STREAM_WINDOW / 4;
}

bool
ssp_stream_credit_write(struct ssp_stream *s, uint64_t pn, struct wr *w)
{
	struct ssp_stream_in *in = &s->in;

	if (!ssp_stream_credit_waits(s) || wr_left(w) < SSP_STREAM_HEAD)
		return false;
	in->limit = in->taken + SSP_STREAM_WINDOW;
	wr_varint(w, in->limit);
	in->credit_pn = pn;
	in->credit_sent = true;
	in->credit_lost = false;
	return true;
}

/* Adds the bytes FROM..TO-1 to those here; false: too many gaps. */
static bool
stream_add(struct ssp_stream_in *in, uint64_t from, uint64_t to)
{
	struct ssp_stream_range *r = in->here;
	unsigned i = 0, k;

	while (i < in->nhere && r[i].to < from)
		i++;
	for (k = i; k < in->nhere && r[k].from <= to; k++) {
		from = MIN_OF(from, r[k].from);
		to = MAX_OF(to, r[k].to);
	}
	if (k == i && in->nhere == ARRAY_LEN(in->here))
		return false;
	memmove(r + i + 1, r + k, (in->nhere - k) * sizeof(*r));
	in->nhere = in->nhere - k + i + 1;
	r[i] = (struct ssp_stream_range){ from, to };
	return true;
}

int
ssp_stream_read(struct ssp_stream *s, const uint8_t *body, size_t n)
{
	struct ssp_stream_in *in = &s->in;
	uint64_t at;
	size_t pos, first;
	struct rd r;

	rd_init(&r, body, n);
	at = rd_varint(&r);
	n = rd_left(&r);
	peer_check(
	    r.err == 0 && n > 0 && at <= in->limit && n <= in->limit - at);
	if (at + n <= in->taken)
		return 0;
	if (at < in->taken) {
		(void)rd_bytes(&r, (size_t)(in->taken - at));
		n = rd_left(&r);
		at = in->taken;
	}
	/* Each gap is a piece that has not arrived: their number is bounded. */
	peer_check(stream_add(in, at, at + n));
	pos = (size_t)(at % SSP_STREAM_WINDOW);
	first = MIN_OF(n, SSP_STREAM_WINDOW - pos);
	memcpy(in->ring + pos, r.p, first);
	memcpy(in->ring, r.p + first, n - first);
	return 0;
}

const uint8_t *
ssp_stream_peek(const struct ssp_stream *s, size_t *n)
{
	const struct ssp_stream_in *in = &s->in;
	const size_t pos = (size_t)(in->taken % SSP_STREAM_WINDOW);

	if (in->nhere == 0 || in->here[0].from != in->taken)
		return NULL;
	*n = MIN_OF(
	    (size_t)(in->here[0].to - in->taken), SSP_STREAM_WINDOW - pos);
	return in->ring + pos;
}

void
ssp_stream_taken(struct ssp_stream *s, size_t n)
{
	struct ssp_stream_in *in = &s->in;

	bug_assert(in->nhere > 0 && in->here[0].from == in->taken &&
		   n <= in->here[0].to - in->taken);
	in->taken += n;
	in->here[0].from = in->taken;
	if (in->here[0].from == in->here[0].to)
		memmove(
		    in->here, in->here + 1, --in->nhere * sizeof(in->here[0]));
}
