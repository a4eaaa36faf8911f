#include "ssp/streams.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"

#define STREAMS_ID 8         /* maximum bytes of an id */
#define STREAMS_HEAD 4       /* maximum bytes of type and length */
#define STREAMS_FRAME 16000u /* bytes of a body: a length of two bytes */
#define STREAMS_BACKOFF 10u
#define STREAMS_PAUSE 5 /* ms; another datagram may have more room */

struct streams_one {
	uint64_t id;
	struct ssp_stream s;
};

struct ssp_streams {
	struct ssp_core *core;
	struct streams_one *all[SSP_STREAMS_MAX];
	unsigned n;
	unsigned turn; /* whose bytes go first */
	bool allowed;

	/*
	 * While the peer is silent one datagram at a time goes, less and less
	 * often.
	 */
	bool silent;
	unsigned backoff;
	mono_ms next;
	mono_ms pause; /* nothing before this */

	/* Repetitions of the last bytes, before an ack or a loss is due. */
	mono_ms sent; /* last datagram with bytes that are no repetition */
	unsigned tails;
};

struct ssp_streams *
ssp_streams_new(struct ssp_core *core)
{
	struct ssp_streams *ss = mem_zalloc(sizeof(*ss));

	ss->core = core;
	return ss;
}

void
ssp_streams_free(struct ssp_streams *ss)
{
	unsigned i;

	if (ss == NULL)
		return;
	for (i = 0; i < ss->n; i++) {
		ssp_stream_fini(&ss->all[i]->s);
		mem_free(ss->all[i]);
	}
	mem_free(ss);
}

bool
ssp_streams_open(struct ssp_streams *ss, uint64_t id)
{
	struct streams_one *one;

	if (ss->n == SSP_STREAMS_MAX || ssp_streams_find(ss, id) != NULL)
		return false;
	one = mem_zalloc(sizeof(*one));
	one->id = id;
	ssp_stream_init(&one->s);
	ss->all[ss->n++] = one;
	return true;
}

struct ssp_stream *
ssp_streams_find(const struct ssp_streams *ss, uint64_t id)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		if (ss->all[i]->id == id)
			return &ss->all[i]->s;
	return NULL;
}

void
ssp_streams_allow(struct ssp_streams *ss, bool allow)
{
	ss->allowed = allow;
}

/* --- when --- */

bool
ssp_streams_more(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < ss->n && ss->allowed; i++)
		if (ssp_stream_waits(&ss->all[i]->s))
			return true;
	return false;
}

bool
ssp_streams_flying(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		if (ss->all[i]->s.out.npieces > 0)
			return true;
	return false;
}

bool
ssp_streams_flushed(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < ss->n && ss->allowed; i++)
		if (ss->all[i]->s.out.bytes.len > 0)
			return false;
	return true;
}

/* Whether credit should be granted. */
static bool
streams_credit(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		if (ssp_stream_credit_waits(&ss->all[i]->s))
			return true;
	return false;
}

/* Returns the stream whose newest bytes are in flight alone, or NULL. */
static struct ssp_stream *
streams_last(const struct ssp_streams *ss)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		if (ss->all[i]->s.out.npieces > 0)
			return &ss->all[i]->s;
	return NULL;
}

/*
 * Returns when to repeat the last bytes, so that their loss costs less than a
 * timeout: as copies of small states go, then once when the ack is overdue.
 */
static mono_ms
streams_tail(const struct ssp_streams *ss)
{
	const struct ssp_core *c = ss->core;
	const struct ssp_stream *s = streams_last(ss);
	mono_ms srtt = ssp_rtt_srtt(&c->rtt);
	unsigned copies;
	size_t len;

	if (s == NULL || ss->silent || c->link != SSP_LINK_DATAGRAM ||
	    !c->rtt.have)
		return MONO_NEVER;
	len = s->out.pieces[s->out.npieces - 1].len;
	copies = len > SSP_STREAMS_COPY ? 0 : ssp_core_copies(c);
	copies = MIN_OF(copies, (unsigned)SSP_STREAMS_TAILS - 1);
	if (ss->tails < copies)
		return ss->sent + ssp_redundancy_at(
				      ssp_redundancy_spread(), ss->tails + 1);
	if (ss->tails > copies)
		return MONO_NEVER;
	return ss->sent + srtt + srtt / 8 + ssp_core_ack_delay(c) +
	       SSP_STREAMS_LATE;
}

mono_ms
ssp_streams_time(const struct ssp_streams *ss, mono_ms now, mono_ms room)
{
	mono_ms t;

	if (!ss->allowed)
		return MONO_NEVER;
	if (streams_credit(ss))
		t = now;
	else if (ssp_streams_more(ss))
		t = room;
	else
		t = streams_tail(ss);
	t = MAX_OF(t, ss->pause);
	return ss->silent ? MAX_OF(t, ss->next) : t;
}

/* --- sending --- */

/*
 * Writes one frame of TYPE, whose length is known afterwards. Returns whether
 * there was one.
 */
static bool
streams_frame(struct streams_one *one, uint64_t type, uint64_t pn, struct wr *w)
{
	uint8_t body[STREAMS_ID], *at;
	struct wr b, id;
	size_t head;
	bool some;

	wr_init(&id, body, sizeof(body));
	wr_varint(&id, one->id);
	head = wr_len(&id);
	if (wr_left(w) < STREAMS_HEAD + head)
		return false;
	at = w->p + STREAMS_HEAD;
	wr_init(&b, at + head,
	    MIN_OF(wr_left(w) - STREAMS_HEAD - head, (size_t)STREAMS_FRAME));
	some = type == SSP_FRAME_STREAM
		   ? ssp_stream_write(&one->s, pn, &b)
		   : ssp_stream_credit_write(&one->s, pn, &b);
	if (!some)
		return false;
	memcpy(at, body, head);
	wr_varint(w, type);
	wr_varint(w, head + wr_len(&b));
	memmove(w->p, at, head + wr_len(&b));
	w->p += head + wr_len(&b);
	return true;
}

/* Writes bytes of each stream, in turn; returns whether there were any. */
static bool
streams_data(struct ssp_streams *ss, uint64_t pn, struct wr *w)
{
	const unsigned first = ss->turn;
	bool some = false;
	unsigned i;

	for (i = 0; i < ss->n; i++) {
		if (!streams_frame(
			ss->all[(first + i) % ss->n], SSP_FRAME_STREAM, pn, w))
			continue;
		/* Next time it is the last one. */
		if (!some)
			ss->turn = (first + i + 1) % ss->n;
		some = true;
	}
	return some;
}

unsigned
ssp_streams_write(struct ssp_streams *ss, mono_ms now, uint64_t pn,
    struct wr *w, mono_ms room)
{
	const bool more = ssp_streams_more(ss), data = room <= now;
	unsigned i, wrote = 0;

	if (ssp_streams_time(ss, now, room) > now)
		return 0;
	for (i = 0; i < ss->n; i++)
		if (ssp_stream_credit_waits(&ss->all[i]->s) &&
		    streams_frame(ss->all[i], SSP_FRAME_CREDIT, pn, w))
			wrote |= SSP_STREAMS_CREDIT;
	if (more && data && streams_data(ss, pn, w)) {
		wrote |= SSP_STREAMS_DATA;
		ss->sent = now;
		ss->tails = 0;
	} else if (!more && streams_tail(ss) <= now) {
		ss->tails++;
		ssp_stream_again(streams_last(ss));
		if (streams_data(ss, pn, w))
			wrote |= SSP_STREAMS_DATA;
	}
	if (wrote == 0)
		ss->pause = now + STREAMS_PAUSE;
	else if (ss->silent) {
		ss->next = now + mono_min(2 * ssp_rtt_rto(&ss->core->rtt)
					      << ss->backoff,
				     SSP_RTO_MAX);
		ss->backoff = MIN_OF(ss->backoff + 1, STREAMS_BACKOFF);
	}
	return wrote;
}

void
ssp_streams_acked(struct ssp_streams *ss, uint64_t pn)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		ssp_stream_acked(&ss->all[i]->s, pn);
}

void
ssp_streams_lost(struct ssp_streams *ss, mono_ms now, uint64_t pn, bool silent)
{
	unsigned i;

	for (i = 0; i < ss->n; i++)
		ssp_stream_lost(&ss->all[i]->s, pn);
	if (!silent || ss->silent)
		return;
	ss->silent = true;
	ss->backoff = 0;
	ss->next = now;
}

void
ssp_streams_heard(struct ssp_streams *ss)
{
	ss->silent = false;
}

/* --- receiving --- */

/* Gives READ the body behind the id of its stream, if that stream is open. */
static int
streams_take(const struct ssp_streams *ss, const uint8_t *body, size_t n,
    int (*read)(struct ssp_stream *s, const uint8_t *body, size_t n))
{
	struct ssp_stream *s;
	uint64_t id;
	struct rd r;

	rd_init(&r, body, n);
	id = rd_varint(&r);
	peer_check(r.err == 0);
	s = ssp_streams_find(ss, id);
	return s == NULL ? 0 : read(s, r.p, rd_left(&r));
}

int
ssp_streams_read(struct ssp_streams *ss, const uint8_t *body, size_t n)
{
	return streams_take(ss, body, n, ssp_stream_read);
}

int
ssp_streams_credit_read(struct ssp_streams *ss, const uint8_t *body, size_t n)
{
	return streams_take(ss, body, n, ssp_stream_credit_read);
}

bool
ssp_streams_check(const struct ssp_streams *ss)
{
	const struct ssp_stream_out *o;
	unsigned i, k;

	for (i = 0; i < ss->n; i++) {
		o = &ss->all[i]->s.out;
		if (o->npieces > SSP_STREAM_PIECES || o->tried < o->base ||
		    o->tried - o->base > o->bytes.len)
			return false;
		for (k = 1; k < o->npieces; k++)
			if (o->pieces[k].at <
			    o->pieces[k - 1].at + o->pieces[k - 1].len)
				return false;
	}
	return true;
}
