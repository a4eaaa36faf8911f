#include "ssp/stream.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define STREAM_RING_MIN 4096u

/* --- rings --- */

/* Copies N bytes at P to offset AT. */
static void
ring_put(struct ssp_ring *r, uint64_t at, const uint8_t *p, size_t n)
{
	const size_t pos = (size_t)at & (r->size - 1);
	const size_t first = MIN_OF(n, r->size - pos);

	memcpy(r->data + pos, p, first);
	if (n > first)
		memcpy(r->data, p + first, n - first);
}

/* Returns the bytes at AT; *n becomes less if the ring ends before. */
static const uint8_t *
ring_at(const struct ssp_ring *r, uint64_t at, size_t *n)
{
	const size_t pos = (size_t)at & (r->size - 1);

	*n = MIN_OF(*n, r->size - pos);
	return r->data + pos;
}

/* Makes the ring hold the bytes FROM..END-1; those up to OLD are kept. */
static void
ring_hold(struct ssp_ring *r, uint64_t from, uint64_t old, uint64_t end)
{
	struct ssp_ring new = { .size =
				    MAX_OF(r->size, (size_t)STREAM_RING_MIN) };
	const uint8_t *p;
	uint64_t at;
	size_t n;

	while (new.size < end - from)
		new.size *= 2;
	if (new.size == r->size)
		return;
	new.data = mem_alloc(new.size);
	for (at = from; at < old; at += n) {
		n = (size_t)(old - at);
		p = ring_at(r, at, &n);
		ring_put(&new, at, p, n);
	}
	mem_free(r->data);
	*r = new;
}

/* Frees an empty ring if it is large. */
static void
ring_rest(struct ssp_ring *r)
{
	if (r->size <= SSP_STREAM_KEEP)
		return;
	mem_free(r->data);
	r->data = NULL;
	r->size = 0;
}

void
ssp_stream_init(struct ssp_stream *s, size_t window, unsigned most)
{
	memset(s, 0, sizeof(*s));
	s->out.limit = s->in.limit = s->in.window = window;
	s->out.most = most;
}

void
ssp_stream_fini(struct ssp_stream *s)
{
	mem_free(s->out.ring.data);
	ssp_ranges_fini(&s->out.got);
	ssp_ranges_fini(&s->out.lost);
	ssp_ranges_fini(&s->in.here);
	mem_free(s->in.ring.data);
}

/* --- sending --- */

size_t
ssp_stream_most(const struct ssp_stream *s)
{
	const struct ssp_stream_out *o = &s->out;
	size_t most = SSP_STREAM_BUFFER;

	/* What the peer lets fly, and some that waits. */
	if (o->limit > o->base)
		most += (size_t)MIN_OF(
		    o->limit - o->base, (uint64_t)SSP_STREAM_WINDOW_MAX);
	return most;
}

/* Returns how many bytes ssp_stream_put takes now. */
static size_t
stream_room(const struct ssp_stream *s)
{
	const uint64_t most = ssp_stream_most(s),
		       kept = s->out.end - s->out.base;

	return most > kept ? (size_t)(most - kept) : 0;
}

size_t
ssp_stream_put(struct ssp_stream *s, const void *p, size_t n)
{
	struct ssp_stream_out *o = &s->out;

	n = MIN_OF(n, stream_room(s));
	if (n == 0)
		return 0;
	ring_hold(&o->ring, o->base, o->end, o->end + n);
	ring_put(&o->ring, o->end, p, n);
	o->end += n;
	return n;
}

/* Returns how many new bytes the credit allows. */
static uint64_t
stream_fresh(const struct ssp_stream_out *o)
{
	const uint64_t end = MIN_OF(o->end, o->limit);

	return end > o->tried ? end - o->tried : 0;
}

/* Returns whether another piece may fly; the peer bounds the gaps. */
static bool
stream_may_fly(const struct ssp_stream_out *o)
{
	return o->flying + o->lost.n < o->most || (o->lost.n > 0 && !o->flying);
}

bool
ssp_stream_waits(const struct ssp_stream *s)
{
	return (s->out.lost.n > 0 || stream_fresh(&s->out) > 0) &&
	       stream_may_fly(&s->out);
}

uint64_t
ssp_stream_waiting(const struct ssp_stream *s, uint64_t enough)
{
	const struct ssp_stream_out *o = &s->out;
	uint64_t sum = stream_fresh(o);
	unsigned i;

	for (i = 0; i < o->lost.n && sum <= enough; i++)
		sum += o->lost.r[i].to - o->lost.r[i].from;
	return sum;
}

bool
ssp_stream_write(struct ssp_stream *s, struct wr *w, struct ssp_range *sent)
{
	struct ssp_stream_out *o = &s->out;
	const uint8_t *p;
	uint64_t n, at;
	size_t part;

	if (wr_left(w) < SSP_STREAM_HEAD + SSP_STREAM_LEAST ||
	    !ssp_stream_waits(s))
		return false;
	n = wr_left(w) - SSP_STREAM_HEAD;
	if (o->lost.n > 0) {
		*sent = o->lost.r[0];
		sent->to = MIN_OF(sent->to, sent->from + n);
		ssp_ranges_cut(&o->lost, sent->from, sent->to);
	} else {
		sent->from = o->tried;
		sent->to = o->tried + MIN_OF(n, stream_fresh(o));
		o->tried = sent->to;
	}
	o->flying++;
	wr_varint(w, sent->from);
	for (at = sent->from; at < sent->to; at += part) {
		part = (size_t)(sent->to - at);
		p = ring_at(&o->ring, at, &part);
		wr_bytes(w, p, part);
	}
	return true;
}

/* Marks those bytes of R as lost that have not arrived. */
static void
stream_mark(struct ssp_stream_out *o, const struct ssp_range *r)
{
	uint64_t at = MAX_OF(r->from, o->base);
	unsigned i;

	for (i = 0; i < o->got.n && at < r->to; i++) {
		if (o->got.r[i].to <= at)
			continue;
		if (o->got.r[i].from >= r->to)
			break;
		if (o->got.r[i].from > at)
			ssp_ranges_add(&o->lost, at, o->got.r[i].from);
		at = o->got.r[i].to;
	}
	ssp_ranges_add(&o->lost, at, r->to);
}

void
ssp_stream_again(struct ssp_stream *s, const struct ssp_range *r)
{
	stream_mark(&s->out, r);
}

void
ssp_stream_landed(struct ssp_stream *s)
{
	bug_assert(s->out.flying > 0);
	s->out.flying--;
}

void
ssp_stream_acked(struct ssp_stream *s, const struct ssp_range *r)
{
	struct ssp_stream_out *o = &s->out;
	uint64_t base;

	ssp_stream_landed(s);
	if (r->to <= o->base)
		return;
	ssp_ranges_cut(&o->lost, r->from, r->to);
	ssp_ranges_add(&o->got, MAX_OF(r->from, o->base), r->to);
	if (o->got.r[0].from > o->base)
		return;
	base = o->got.r[0].to;
	ssp_ranges_cut(&o->got, o->got.r[0].from, base);
	o->base = base;
	if (o->base == o->end)
		ring_rest(&o->ring);
}

void
ssp_stream_lost(struct ssp_stream *s, const struct ssp_range *r)
{
	ssp_stream_landed(s);
	stream_mark(&s->out, r);
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
	const struct ssp_stream_in *in = &s->in;

	return in->credit_lost ||
	       in->taken + in->window >= in->limit + in->window / 4;
}

bool
ssp_stream_credit_write(struct ssp_stream *s, struct wr *w)
{
	struct ssp_stream_in *in = &s->in;

	if (!ssp_stream_credit_waits(s) || wr_left(w) < SSP_STREAM_HEAD)
		return false;
	in->limit = MAX_OF(in->limit, in->taken + in->window);
	wr_varint(w, in->limit);
	in->credit_lost = false;
	return true;
}

void
ssp_stream_credit_lost(struct ssp_stream *s)
{
	s->in.credit_lost = true;
}

int
ssp_stream_read(struct ssp_stream *s, const uint8_t *body, size_t n)
{
	struct ssp_stream_in *in = &s->in;
	uint64_t at;
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
	peer_check(in->here.n <= s->out.most ||
		   ssp_ranges_near(&in->here, at, at + n));
	ring_hold(&in->ring, in->taken, ssp_stream_reach(s), at + n);
	ssp_ranges_add(&in->here, at, at + n);
	ring_put(&in->ring, at, r.p, n);
	return 0;
}

uint64_t
ssp_stream_reach(const struct ssp_stream *s)
{
	const struct ssp_ranges *here = &s->in.here;

	return here->n > 0 ? here->r[here->n - 1].to : s->in.taken;
}

const uint8_t *
ssp_stream_peek(const struct ssp_stream *s, size_t *n)
{
	const struct ssp_stream_in *in = &s->in;

	if (in->here.n == 0 || in->here.r[0].from != in->taken)
		return NULL;
	*n = (size_t)(in->here.r[0].to - in->taken);
	return ring_at(&in->ring, in->taken, n);
}

void
ssp_stream_taken(struct ssp_stream *s, size_t n)
{
	struct ssp_stream_in *in = &s->in;

	bug_assert(in->here.n > 0 && in->here.r[0].from == in->taken &&
		   n <= in->here.r[0].to - in->taken);
	ssp_ranges_cut(&in->here, in->taken, in->taken + n);
	in->taken += n;
	if (in->here.n == 0)
		ring_rest(&in->ring);
}

static bool
ranges_ok(const struct ssp_ranges *rs, uint64_t from, uint64_t to)
{
	unsigned i;

	for (i = 0; i < rs->n; i++) {
		if (rs->r[i].from < from || rs->r[i].to <= rs->r[i].from ||
		    rs->r[i].to > to)
			return false;
		from = rs->r[i].to + 1;
	}
	return true;
}

bool
ssp_stream_check(const struct ssp_stream *s)
{
	const struct ssp_stream_out *o = &s->out;
	const struct ssp_stream_in *in = &s->in;

	return o->tried >= o->base && o->tried <= o->end &&
	       o->end - o->base <= o->ring.size &&
	       ranges_ok(&o->got, o->base + 1, o->tried) &&
	       ranges_ok(&o->lost, o->base, o->tried) &&
	       ranges_ok(&in->here, in->taken, in->limit) &&
	       in->here.n <= o->most + 1;
}
