#include <string.h>

#include "base/err.h"
#include "regress/unit/unit.h"
#include "ssp/stream.h"

#define FLYING 48    /* maximum datagrams under way in one direction */
#define ROOM 900     /* bytes of a frame, at most */
#define TOTAL 150000 /* bytes each way */
#define WINDOW 65536
#define MOST 64

/* A datagram under way, with at most one frame of each kind. */
struct gram {
	struct ssp_range sent;
	bool over; /* its bytes were sent again */
	uint8_t data[ROOM], credit[SSP_STREAM_HEAD];
	size_t ndata, ncredit;
};

struct side {
	struct ssp_stream s;
	struct gram grams[FLYING];
	unsigned ngrams;
	uint64_t put, got;
};

static uint64_t state;

static unsigned
pick(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (unsigned)(state >> 33) % n;
}

/* The byte at offset AT of the stream. */
static uint8_t
byte_at(uint64_t at)
{
	return (uint8_t)((at * 2654435761U) >> 13);
}

static void
put_some(struct side *a)
{
	uint8_t b[5000];
	size_t i, n = pick(sizeof(b));

	n = MIN_OF(n, (size_t)(TOTAL - a->put));
	for (i = 0; i < n; i++)
		b[i] = byte_at(a->put + i);
	a->put += ssp_stream_put(&a->s, b, n);
}

static void
take_some(struct side *a)
{
	const uint8_t *p;
	const size_t most = pick(20000);
	size_t i, n;

	if ((p = ssp_stream_peek(&a->s, &n)) == NULL)
		return;
	n = MIN_OF(n, most);
	for (i = 0; i < n && p[i] == byte_at(a->got + i); i++)
		;
	ck_assert_uint_eq(i, n); /* one check: each costs a system call */
	a->got += n;
	if (n > 0)
		ssp_stream_taken(&a->s, n);
}

static void
send_one(struct side *a)
{
	struct gram *g = &a->grams[a->ngrams];
	struct wr w;

	if (a->ngrams == FLYING)
		return;
	g->over = false;
	wr_init(&w, g->data, 60 + pick(ROOM - 60));
	g->ndata = ssp_stream_write(&a->s, &w, &g->sent) ? wr_len(&w) : 0;
	ck_assert_int_eq(w.err, 0);
	wr_init(&w, g->credit, sizeof(g->credit));
	g->ncredit = ssp_stream_credit_write(&a->s, &w) ? wr_len(&w) : 0;
	if (g->ndata + g->ncredit > 0)
		a->ngrams++;
}

static void
fate(struct side *a, struct gram *g, bool acked)
{
	if (g->ncredit > 0 && !acked)
		ssp_stream_credit_lost(&a->s);
	if (g->ndata == 0)
		return;
	if (acked)
		ssp_stream_acked(&a->s, &g->sent);
	else if (g->over)
		ssp_stream_landed(&a->s);
	else
		ssp_stream_lost(&a->s, &g->sent);
}

/* One datagram of A, of any age, arrives at B, twice, late or never. */
static void
deliver(struct side *a, struct side *b, unsigned loss)
{
	const unsigned i = a->ngrams > 0 ? pick(a->ngrams) : 0;
	struct gram *g = &a->grams[i];
	const bool dropped = pick(100) < loss, repeated = pick(10) == 0;

	if (a->ngrams == 0)
		return;
	if (!dropped && g->ndata > 0)
		ck_assert_int_eq(ssp_stream_read(&b->s, g->data, g->ndata), 0);
	if (!dropped && g->ncredit > 0)
		ck_assert_int_eq(
		    ssp_stream_credit_read(&b->s, g->credit, g->ncredit), 0);
	if (!dropped && repeated)
		return; /* it comes again, and its ack is late */
	/* An ack that is lost too makes an arrived datagram count as lost. */
	fate(a, g, !dropped && pick(100) >= loss / 4);
	ck_assert(ssp_stream_check(&a->s) && ssp_stream_check(&b->s));
	a->grams[i] = a->grams[--a->ngrams];
}

/* The link was dead for a while: all under way is gone. */
static void
lose_all(struct side *a)
{
	while (a->ngrams > 0)
		fate(a, &a->grams[--a->ngrams], false);
}

static void
one_world(unsigned long seed)
{
	static struct side a, b;
	unsigned loss, turns = 0;

	state = seed;
	loss = pick(50);
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	ssp_stream_init(&a.s, WINDOW, MOST);
	ssp_stream_init(&b.s, WINDOW, MOST);
	while (a.got < TOTAL || b.got < TOTAL) {
		ck_assert_msg(++turns < 200000, "seed %lu stands still", seed);
		put_some(&a);
		put_some(&b);
		send_one(&a);
		send_one(&b);
		deliver(&a, &b, loss);
		deliver(&b, &a, loss);
		if (pick(4) == 0)
			take_some(&a);
		if (pick(40) == 0)
			take_some(&b);
		if (pick(20) == 0 && a.ngrams > 0 &&
		    a.grams[a.ngrams - 1].ndata > 0) {
			a.grams[a.ngrams - 1].over = true;
			ssp_stream_again(&a.s, &a.grams[a.ngrams - 1].sent);
		}
		if (pick(300) == 0) {
			lose_all(&a);
			lose_all(&b);
		}
	}
	ssp_stream_fini(&a.s);
	ssp_stream_fini(&b.s);
}

START_TEST(bytes_arrive_in_order_once)
{
	const unsigned n = unit_rounds(1000);
	const unsigned long seed = unit_seed(1);
	unsigned i;

	for (i = 0; i < n; i++)
		one_world(seed + i);
}
END_TEST

START_TEST(a_reader_that_stops_stops_the_sender)
{
	static uint8_t b[WINDOW + SSP_STREAM_BUFFER + 100], out[ROOM];
	struct ssp_stream s, t;
	struct ssp_range sent;
	struct wr w;

	ssp_stream_init(&s, WINDOW, MOST);
	ssp_stream_init(&t, WINDOW, MOST);
	ck_assert_uint_eq(
	    ssp_stream_put(&s, b, sizeof(b)), WINDOW + SSP_STREAM_BUFFER);
	ck_assert_uint_eq(ssp_stream_put(&s, b, 1), 0);
	for (wr_init(&w, out, ROOM); ssp_stream_write(&s, &w, &sent);
	     wr_init(&w, out, ROOM)) {
		ck_assert_int_eq(ssp_stream_read(&t, out, wr_len(&w)), 0);
		ssp_stream_acked(&s, &sent);
	}
	ck_assert_uint_eq(s.out.tried, WINDOW);
	ck_assert(!ssp_stream_waits(&s));
	ssp_stream_fini(&s);
	ssp_stream_fini(&t);
}
END_TEST

/* Writes a data frame of N bytes at AT to S. */
static int
hostile(struct ssp_stream *s, uint64_t at, size_t n)
{
	uint8_t b[64] = { 0 };
	struct wr w;

	wr_init(&w, b, sizeof(b));
	wr_varint(&w, at);
	return ssp_stream_read(s, b, wr_len(&w) + n);
}

START_TEST(hostile_frames_are_refused)
{
	struct ssp_stream s;
	uint64_t i;

	ssp_stream_init(&s, WINDOW, MOST);
	ck_assert_int_eq(ssp_stream_read(&s, NULL, 0), -ERR_PEER);
	ck_assert_int_eq(hostile(&s, 0, 0), -ERR_PEER);
	ck_assert_int_eq(hostile(&s, WINDOW, 1), -ERR_PEER);
	ck_assert_int_eq(hostile(&s, WINDOW - 1, 2), -ERR_PEER);
	ck_assert_int_eq(hostile(&s, WIRE_VARINT_MAX, 9), -ERR_PEER);
	ck_assert_int_eq(ssp_stream_credit_read(&s, NULL, 0), -ERR_PEER);
	for (i = 0; i <= MOST; i++)
		ck_assert_int_eq(hostile(&s, 2 + i * 2, 1), 0);
	ck_assert_int_eq(hostile(&s, 2 + i * 2, 1), -ERR_PEER);
	ssp_stream_fini(&s);
}
END_TEST

UNIT_SUITE(ssp_stream)
{
	Suite *s = suite_create("ssp_stream");
	TCase *t = tcase_create("ssp_stream");

	tcase_set_timeout(t, 300);
	tcase_add_test(t, bytes_arrive_in_order_once);
	tcase_add_test(t, a_reader_that_stops_stops_the_sender);
	tcase_add_test(t, hostile_frames_are_refused);
	suite_add_tcase(s, t);
	return s;
}
