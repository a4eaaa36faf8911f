/* The library that others link (ssp/lib), by its public functions alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regress/unit/lib_world.h"
#include "regress/unit/unit.h"

static bool
same(struct lib_world *w)
{
	int s;

	for (s = 0; s < LW_SIDES; s++)
		if (!board_object.equal(lw_local(w, s), lw_remote(w, !s)))
			return false;
	return true;
}

START_TEST(both_values_cross)
{
	struct lib_world w;

	lib_world_init(&w, 1);
	lib_world_open(&w);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_OPENING);
	lw_set(&w, LW_CLIENT, 3, 33);
	lw_set(&w, LW_SERVER, 4, 44);
	ck_assert(lib_world_settle(&w, 2000));
	ck_assert_uint_eq(lw_remote(&w, LW_SERVER)->cell[3], 33);
	ck_assert_uint_eq(lw_remote(&w, LW_CLIENT)->cell[4], 44);
	ck_assert_uint_eq(w.events[LW_CLIENT][SSP_EVENT_UP], 1);
	ck_assert_uint_eq(w.events[LW_SERVER][SSP_EVENT_UP], 1);
	ck_assert_uint_ge(w.events[LW_CLIENT][SSP_EVENT_REMOTE], 1);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_UP);
	ck_assert_uint_eq(ssp_id(w.end[0]), ssp_id(w.end[1]));
	lib_world_fini(&w);
}
END_TEST

/* However much is lost, both ends agree once nothing changes. */
START_TEST(values_cross_a_lossy_link)
{
	struct lib_world w;
	unsigned i, round;

	for (round = 0; round < unit_rounds(20); round++) {
		lib_world_init(&w, unit_seed(77) + round);
		w.loss = 100 + 30 * (round % 10);
		w.jitter = 60;
		lib_world_open(&w);
		for (i = 0; i < 400; i++) {
			lw_set(&w, (int)(i & 1), (unsigned)lw_random(&w),
			    (uint32_t)lw_random(&w));
			lib_world_run(&w, 10);
		}
		ck_assert_msg(lib_world_settle(&w, 60000), "round %u", round);
		ck_assert(same(&w));
		lib_world_fini(&w);
	}
}
END_TEST

/* A client's address changes while it runs. */
START_TEST(the_client_moves)
{
	struct ssp_stats st;
	struct lib_world w;

	lib_world_init(&w, 5);
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 2000));
	w.way.local.bytes[5] = 9;
	lw_set(&w, LW_CLIENT, 1, 2);
	ck_assert(lib_world_settle(&w, 5000));
	lw_set(&w, LW_SERVER, 1, 3);
	ck_assert(lib_world_settle(&w, 5000));
	ck_assert(same(&w));
	ssp_stats(w.end[LW_SERVER], w.now, &st, sizeof st);
	ck_assert_uint_ge(st.moves, 1);
	ck_assert_uint_ge(w.events[LW_SERVER][SSP_EVENT_ROUTE], 2);
	lib_world_fini(&w);
}
END_TEST

static void
expect_no_connection(struct lib_world *w)
{
	struct ssp_stats st;

	lib_world_open(w);
	lw_set(w, LW_CLIENT, 1, 2);
	ck_assert(!lib_world_settle(w, 5000));
	ck_assert_int_eq(ssp_state(w->end[LW_SERVER]), SSP_STATE_OPENING);
	ck_assert_uint_eq(w->events[LW_SERVER][SSP_EVENT_UP], 0);
	ck_assert_uint_eq(lw_remote(w, LW_SERVER)->cell[1], 0);
	ssp_stats(w->end[LW_SERVER], w->now, &st, sizeof st);
	ck_assert_uint_gt(st.dropped, 0);
	ck_assert_uint_eq(st.sent, 0);
	lib_world_fini(w);
}

START_TEST(another_secret_is_refused)
{
	uint8_t other[SSP_SECRET_SIZE] = { 1 };
	struct lib_world w;

	lib_world_init(&w, 6);
	w.cfg[LW_CLIENT].secret = other;
	w.cfg[LW_CLIENT].id = w.cfg[LW_SERVER].id = 99;
	expect_no_connection(&w);
	lib_world_init(&w, 6);
	w.cfg[LW_CLIENT].name = "one";
	w.cfg[LW_CLIENT].name_size = 3;
	w.cfg[LW_SERVER].name = "two";
	w.cfg[LW_SERVER].name_size = 3;
	w.cfg[LW_CLIENT].id = w.cfg[LW_SERVER].id = 99;
	expect_no_connection(&w);
	/* The id itself is part of the key, and made of the name. */
	lib_world_init(&w, 6);
	w.cfg[LW_CLIENT].id = 98;
	expect_no_connection(&w);
	lib_world_init(&w, 6);
	w.cfg[LW_CLIENT].name = "one";
	w.cfg[LW_CLIENT].name_size = 3;
	expect_no_connection(&w);
}
END_TEST

/* Writes the client's next datagram to OUT, as late as it may be. */
static size_t
next_datagram(struct lib_world *w, uint8_t out[SSP_DATAGRAM_MAX])
{
	struct ssp_route to;
	size_t n, i;

	for (i = 0; i < 100; i++) {
		w->now = ssp_deadline(w->end[0], w->now);
		n = ssp_send(w->end[0], w->now, &to, out, SSP_DATAGRAM_MAX);
		if (n > 0)
			return n;
	}
	ck_abort_msg("nothing to send");
}

START_TEST(garbage_and_replays_are_dropped)
{
	uint8_t junk[3000], out[SSP_DATAGRAM_MAX];
	struct ssp_route from;
	struct ssp_stats st, before;
	struct lib_world w;
	uint64_t id;
	size_t n, i;

	lib_world_init(&w, 7);
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 2000));
	ssp_stats(w.end[1], w.now, &before, sizeof before);
	memset(&from, 0, sizeof from);
	from.remote = w.way.local;
	from.local = w.way.remote;
	for (i = 0; i < 2000; i++) {
		n = lw_random(&w) % (i == 0 ? 1 : sizeof junk);
		for (size_t k = 0; k < n; k++)
			junk[k] = (uint8_t)lw_random(&w);
		ck_assert_int_lt(
		    ssp_receive(w.end[1], w.now, &from, 0, junk, n), 0);
		(void)ssp_datagram_id(junk, n, &id);
		ck_assert(!ssp_datagram_opens(junk, n, w.secret, NULL, 0));
	}
	lw_set(&w, LW_CLIENT, 1, 2);
	n = next_datagram(&w, out);
	ck_assert_int_eq(ssp_receive(w.end[1], w.now, &from, 0, out, n), 0);
	ck_assert_int_eq(
	    ssp_receive(w.end[1], w.now, &from, 0, out, n), SSP_E_REPLAY);
	out[n - 1] ^= 1;
	ck_assert_int_lt(ssp_receive(w.end[1], w.now, &from, 0, out, n), 0);
	ssp_stats(w.end[1], w.now, &st, sizeof st);
	ck_assert_uint_ge(st.dropped, before.dropped + 2000);
	ck_assert_int_eq(ssp_state(w.end[1]), SSP_STATE_UP);
	ck_assert(lib_world_settle(&w, 2000));
	ck_assert_uint_eq(lw_remote(&w, LW_SERVER)->cell[1], 2);
	lib_world_fini(&w);
}
END_TEST

/* A server reads whom a datagram is for, and whether it has the secret. */
START_TEST(datagrams_name_their_connection)
{
	uint8_t out[SSP_DATAGRAM_MAX], other[SSP_SECRET_SIZE] = { 0 };
	struct lib_world w;
	struct ssp_route to;
	uint64_t id;
	size_t n;

	lib_world_init(&w, 8);
	w.cfg[0].id = w.cfg[1].id = UINT64_C(0x1234567890abcdef);
	w.cfg[0].name = w.cfg[1].name = "sensors";
	w.cfg[0].name_size = w.cfg[1].name_size = 7;
	lib_world_open(&w);
	n = ssp_send(w.end[0], w.now, &to, out, sizeof out);
	ck_assert_uint_gt(n, 0);
	ck_assert_int_eq(
	    memcmp(&to.remote, &w.way.remote, sizeof to.remote), 0);
	ck_assert_int_eq(ssp_datagram_id(out, n, &id), 1);
	ck_assert_uint_eq(id, UINT64_C(0x1234567890abcdef));
	ck_assert(ssp_datagram_opens(out, n, w.secret, "sensors", 7));
	ck_assert(!ssp_datagram_opens(out, n, w.secret, "sensor", 6));
	ck_assert(!ssp_datagram_opens(out, n, other, "sensors", 7));
	ck_assert(!ssp_datagram_opens(out, 60, w.secret, "sensors", 7));
	out[20] ^= 1;
	ck_assert(!ssp_datagram_opens(out, n, w.secret, "sensors", 7));
	ck_assert(lib_world_settle(&w, 3000));
	lw_set(&w, LW_CLIENT, 1, 1);
	n = next_datagram(&w, out);
	ck_assert_int_eq(ssp_datagram_id(out, n, &id), 0);
	ck_assert_uint_eq(id, UINT64_C(0x1234567890abcdef));
	ck_assert(!ssp_datagram_opens(out, n, w.secret, "sensors", 7));
	ck_assert_int_lt(ssp_datagram_id("", 0, &id), 0);
	lib_world_fini(&w);
}
END_TEST

/* Whoever recorded the first datagram gets an end that never is up. */
START_TEST(a_repeated_beginning_is_not_up)
{
	uint8_t first[SSP_DATAGRAM_MAX], out[SSP_DATAGRAM_MAX];
	struct ssp_route to, from;
	struct lib_world w;
	struct ssp_event ev;
	struct ssp *s;
	unsigned sent = 0;
	size_t n, len, total = 0;

	lib_world_init(&w, 19);
	lib_world_open(&w);
	n = ssp_send(w.end[0], w.now, &to, first, sizeof first);
	ck_assert(lib_world_settle(&w, 3000));
	w.cfg[1].local = board_new();
	w.cfg[1].remote = board_new();
	ck_assert_int_eq(ssp_new(&s, &w.cfg[1], w.now), 0);
	memset(&from, 0, sizeof from);
	from.remote = w.way.local;
	ck_assert(ssp_datagram_opens(first, n, w.secret, NULL, 0));
	ck_assert_int_eq(ssp_receive(s, w.now, &from, 0, first, n), 0);
	for (; w.now < 100000; w.now += 50) {
		while ((len = ssp_send(s, w.now, &to, out, sizeof out)) > 0) {
			total += len;
			sent++;
		}
		while (ssp_event(s, &ev))
			ck_assert_int_ne(ev.type, SSP_EVENT_UP);
	}
	ck_assert_int_eq(ssp_state(s), SSP_STATE_OPENING);
	/* Nobody is flooded with the answers. */
	ck_assert_uint_le(total, 3 * n);
	ck_assert_uint_ge(sent, 1);
	ssp_free(s);
	lib_world_fini(&w);
}
END_TEST

/* --- streams ------------------------------------------------------------------ */

#define FLOOD 200000

struct flow {
	uint64_t id;
	size_t put, got, echoed;
	bool ended, over;
	uint8_t held[1000]; /* bytes that the server could not send back yet */
	size_t nheld;
	char what[16];
};

static uint8_t
flow_byte(size_t i)
{
	return (uint8_t)(i * 7 + i / 251);
}

/* The server sends back all that comes, and ends when the client has. */
static void
flow_server(struct lib_world *w, uint64_t id)
{
	struct flow *f = w->arg;
	const char *what;
	int64_t n;
	size_t len;

	what = ssp_stream_what(w->end[1], id, &len);
	ck_assert_uint_lt(len, sizeof f->what);
	memcpy(f->what, what, len);
	do {
		len = ssp_stream_send(w->end[1], id, f->held, f->nheld);
		f->echoed += len;
		f->nheld -= len;
		memmove(f->held, f->held + len, f->nheld);
		/* The rest waits for room. */
		if (f->nheld > 0)
			return;
		n = ssp_stream_receive(
		    w->end[1], w->now, id, f->held, sizeof f->held);
		f->nheld = n > 0 ? (size_t)n : 0;
	} while (n > 0);
	if (n == SSP_E_ENDED && !f->ended) {
		f->ended = true;
		ssp_stream_end(w->end[1], id);
		ssp_stream_close(w->end[1], id);
	}
}

static void
flow_client(struct lib_world *w, uint64_t id)
{
	struct flow *f = w->arg;
	uint8_t b[700];
	int64_t n, i;

	while ((n = ssp_stream_receive(w->end[0], w->now, id, b, sizeof b)) > 0)
		for (i = 0; i < n; i++)
			ck_assert_uint_eq(b[i], flow_byte(f->got++));
	if (n == SSP_E_ENDED && !f->over) {
		f->over = true;
		ssp_stream_close(w->end[0], id);
	}
}

static void
flow_news(struct lib_world *w, int side, uint64_t id)
{
	if (side == LW_SERVER)
		flow_server(w, id);
	else
		flow_client(w, id);
}

static void
flow_put(struct lib_world *w, struct flow *f)
{
	uint8_t b[512];
	size_t n, i;

	do {
		n = FLOOD - f->put < sizeof b ? FLOOD - f->put : sizeof b;
		for (i = 0; i < n; i++)
			b[i] = flow_byte(f->put + i);
		n = ssp_stream_send(w->end[0], f->id, b, n);
		f->put += n;
	} while (n > 0);
	if (f->put == FLOOD)
		ssp_stream_end(w->end[0], f->id);
}

START_TEST(a_stream_carries_bytes_both_ways)
{
	struct flow f = { 0 };
	struct lib_world w;
	int i;

	lib_world_init(&w, 9);
	w.loss = 100;
	w.jitter = 30;
	w.stream = flow_news;
	w.arg = &f;
	lib_world_open(&w);
	ck_assert_uint_eq(
	    ssp_stream_open(w.end[0], SSP_URGENCY_FLOW, "", 0), SSP_NO_STREAM);
	ck_assert(lib_world_settle(&w, 20000));
	ssp_stream_accept(w.end[1], true);
	f.id = ssp_stream_open(w.end[0], SSP_URGENCY_FLOW, "echo", 4);
	ck_assert_uint_ne(f.id, SSP_NO_STREAM);
	for (i = 0; i < 20000 && !f.over; i++) {
		flow_put(&w, &f);
		if (f.nheld > 0)
			flow_server(&w, f.id);
		lib_world_run(&w, 20);
	}
	ck_assert_str_eq(f.what, "echo");
	ck_assert_uint_eq(f.echoed, FLOOD);
	ck_assert_uint_eq(f.got, FLOOD);
	ck_assert(f.over);
	lib_world_run(&w, 5000);
	ck_assert_int_eq(
	    ssp_stream_receive(w.end[0], w.now, f.id, &i, 1), SSP_E_NOTFOUND);
	lib_world_fini(&w);
}
END_TEST

static void
refuse_news(struct lib_world *w, int side, uint64_t id)
{
	if (side == LW_SERVER)
		ssp_stream_reset(w->end[side], id, 17, "no such thing");
}

START_TEST(a_stream_is_refused_with_a_reason)
{
	struct lib_world w;
	const char *text;
	uint64_t id;
	char b;

	lib_world_init(&w, 10);
	w.stream = refuse_news;
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 5000));
	ssp_stream_accept(w.end[1], true);
	id = ssp_stream_open(w.end[0], SSP_URGENCY_TALK, "tape", 4);
	lib_world_run(&w, 2000);
	ck_assert_int_eq(
	    ssp_stream_receive(w.end[0], w.now, id, &b, 1), SSP_E_RESET);
	ck_assert_uint_eq(ssp_stream_why(w.end[0], id, &text), 17);
	ck_assert_str_eq(text, "no such thing");
	ssp_stream_close(w.end[0], id);
	/* Numbers that nobody knows do nothing. */
	ssp_stream_end(w.end[0], 12345);
	ssp_stream_close(w.end[0], 12345);
	ck_assert_uint_eq(ssp_stream_send(w.end[0], 12345, "x", 1), 0);
	ck_assert_ptr_null(ssp_stream_what(w.end[0], 12345, &(size_t){ 0 }));
	lib_world_fini(&w);
}
END_TEST

/* --- the end -------------------------------------------------------------------- */

START_TEST(close_delivers_the_last_value)
{
	struct lib_world w;

	lib_world_init(&w, 11);
	w.loss = 200;
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 20000));
	lw_set(&w, LW_CLIENT, 5, 55);
	ssp_close(w.end[0], w.now);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_CLOSING);
	lib_world_run(&w, 30000);
	ck_assert_uint_eq(lw_remote(&w, LW_SERVER)->cell[5], 55);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_ENDED);
	ck_assert_int_eq(ssp_state(w.end[1]), SSP_STATE_ENDED);
	ck_assert_uint_eq(w.events[0][SSP_EVENT_CLOSED], 1);
	ck_assert_uint_eq(w.events[1][SSP_EVENT_CLOSED], 1);
	ck_assert_uint_eq(w.code[0], 0);
	ck_assert_uint_eq(ssp_deadline(w.end[0], w.now), SSP_NEVER);
	lib_world_fini(&w);
}
END_TEST

START_TEST(close_gives_up_without_a_peer)
{
	struct lib_world w;

	lib_world_init(&w, 12);
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 2000));
	w.loss = 1000;
	ssp_close(w.end[1], w.now);
	lib_world_run(&w, 120000);
	ck_assert_int_eq(ssp_state(w.end[1]), SSP_STATE_ENDED);
	ck_assert_uint_eq(w.events[1][SSP_EVENT_CLOSED], 1);
	ck_assert_uint_eq(w.code[1], 1);
	ck_assert_uint_eq(w.events[0][SSP_EVENT_SILENT], 1);
	lib_world_fini(&w);
}
END_TEST

START_TEST(abort_tells_the_code)
{
	struct lib_world w;

	lib_world_init(&w, 13);
	lib_world_open(&w);
	ck_assert(lib_world_settle(&w, 2000));
	ssp_abort(w.end[1], w.now, 4711);
	lib_world_run(&w, 10000);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_ENDED);
	ck_assert_int_eq(ssp_state(w.end[1]), SSP_STATE_ENDED);
	ck_assert_uint_eq(w.events[0][SSP_EVENT_ABORTED], 1);
	ck_assert_uint_eq(w.code[0], 4711);
	lib_world_fini(&w);
	/* Before anybody answered there is nobody to tell. */
	lib_world_init(&w, 14);
	lib_world_open(&w);
	ssp_close(w.end[0], w.now);
	ck_assert_int_eq(ssp_state(w.end[0]), SSP_STATE_ENDED);
	ck_assert_uint_eq(ssp_deadline(w.end[0], w.now), SSP_NEVER);
	lib_world_fini(&w);
}
END_TEST

/* --- large values and logs -------------------------------------------------------- */

#define BLOB 1600000 /* bytes; more than one instruction carries */

/* Bytes that are only appended, of which the first START may be forgotten. */
struct blob {
	size_t start, end;
	uint8_t *p; /* those from START on */
};

static struct blob *
blob_make(size_t start, size_t end, const uint8_t *p)
{
	struct blob *b = malloc(sizeof *b);

	ck_assert_ptr_nonnull(b);
	b->start = start;
	b->end = end;
	b->p = malloc(end - start + 1);
	ck_assert_ptr_nonnull(b->p);
	if (end > start)
		memcpy(b->p, p, end - start);
	return b;
}

static void *
blob_clone(const void *value)
{
	const struct blob *b = value;

	return blob_make(b->start, b->end, b->p);
}

static void
blob_free(void *value)
{
	free(((struct blob *)value)->p);
	free(value);
}

static bool
blob_equal(const void *a, const void *b)
{
	return ((const struct blob *)a)->end == ((const struct blob *)b)->end;
}

static int
blob_diff(const void *from, const void *to, struct ssp_out *out)
{
	const struct blob *x = from, *y = to;

	return ssp_put(out, y->p + (x->end - y->start), y->end - x->end);
}

static int
blob_apply(void *value, const uint8_t *diff, size_t n)
{
	struct blob *b = value;
	size_t len = b->end - b->start;

	if (n > BLOB)
		return SSP_E_PEER;
	b->p = realloc(b->p, len + n + 1);
	ck_assert_ptr_nonnull(b->p);
	if (n > 0)
		memcpy(b->p + len, diff, n);
	b->end += n;
	return 0;
}

static void *
blob_part(const void *from, const void *to, uint64_t turn)
{
	const struct blob *x = from, *y = to;
	size_t end = (x == NULL ? y->start : x->end) + 400000;

	(void)turn;
	return blob_make(y->start, end < y->end ? end : y->end, y->p);
}

static void
blob_subtract(void *value, const void *prefix)
{
	const struct blob *p = prefix;
	struct blob *b = value;
	size_t n;

	if (p->end <= b->start || p->end > b->end)
		return;
	n = p->end - b->start;
	memmove(b->p, b->p + n, b->end - b->start - n);
	b->start += n;
}

static size_t
blob_own(const void *value, const void *base)
{
	const struct blob *b = value, *x = base;

	return b->end - x->end;
}

static const struct ssp_object blob_object = {
	.size = sizeof(struct ssp_object),
	.clone = blob_clone,
	.free = blob_free,
	.equal = blob_equal,
	.diff = blob_diff,
	.apply = blob_apply,
	.own = blob_own,
};

/* Appends N random bytes, which do not compress, to the client's value. */
static void
blob_add(struct lib_world *w, size_t n)
{
	uint8_t *p = malloc(n);
	size_t i;

	ck_assert_ptr_nonnull(p);
	for (i = 0; i < n; i++)
		p[i] = (uint8_t)lw_random(w);
	ck_assert_int_eq(blob_apply(ssp_local(w->end[0]), p, n), 0);
	ssp_changed(w->end[0], w->now);
	free(p);
}

static void
blob_open(struct lib_world *w, const struct ssp_object *object, size_t max)
{
	int s;

	lib_world_init(w, 20);
	w->cfg[0].local_object = w->cfg[1].remote_object = object;
	w->cfg[0].local = blob_make(0, 0, NULL);
	w->cfg[1].remote = blob_make(0, 0, NULL);
	for (s = 0; s < LW_SIDES; s++)
		w->cfg[s].remote_max = s == LW_SERVER ? max : 0;
	lib_world_open(w);
}

START_TEST(a_large_value_goes_in_parts)
{
	struct ssp_object object = blob_object;
	const struct blob *got;
	struct lib_world w;

	object.part = blob_part;
	blob_open(&w, &object, 0);
	w.loss = 20;
	lib_world_run(&w, 500);
	blob_add(&w, BLOB);
	ck_assert(lib_world_settle(&w, 120000));
	got = ssp_remote(w.end[1], NULL);
	ck_assert_uint_eq(got->end, BLOB);
	ck_assert_mem_eq(got->p, ((struct blob *)ssp_local(w.end[0]))->p, BLOB);
	ck_assert_uint_ge(w.events[1][SSP_EVENT_REMOTE], 4);
	lib_world_fini(&w);
}
END_TEST

/* What the peer has is forgotten here, what the program has used, there. */
START_TEST(a_log_forgets_its_beginning)
{
	struct ssp_object object = blob_object;
	const struct blob *mine, *got;
	struct lib_world w;
	unsigned i;

	object.subtract = blob_subtract;
	blob_open(&w, &object, 0);
	w.loss = 100;
	for (i = 0; i < 200; i++) {
		blob_add(&w, 100);
		lib_world_run(&w, 30);
		ssp_remote_used(w.end[1]);
	}
	ck_assert(lib_world_settle(&w, 20000));
	ssp_remote_used(w.end[1]);
	mine = ssp_local(w.end[0]);
	got = ssp_remote(w.end[1], NULL);
	ck_assert_uint_eq(got->end, 20000);
	ck_assert_uint_eq(mine->end, 20000);
	ck_assert_uint_gt(mine->start, 19000);
	ck_assert_uint_gt(got->start, 15000);
	lib_world_fini(&w);
}
END_TEST

/* A peer cannot make this end keep more than remote_max. */
START_TEST(kept_values_have_a_limit)
{
	struct lib_world w;

	blob_open(&w, &blob_object, 50000);
	lib_world_run(&w, 500);
	blob_add(&w, 40000);
	ck_assert(lib_world_settle(&w, 20000));
	blob_add(&w, 60000);
	ck_assert(!lib_world_settle(&w, 5000));
	ck_assert_uint_eq(
	    ((const struct blob *)ssp_remote(w.end[1], NULL))->end, 40000);
	lib_world_fini(&w);
}
END_TEST

/* --- a hostile program ------------------------------------------------------------ */

static int
never_fits(const void *from, const void *to, struct ssp_out *out)
{
	static const uint8_t zero[65536];
	int e = 0;

	(void)from;
	(void)to;
	while (e == 0)
		e = ssp_put(out, zero, sizeof zero);
	return e;
}

static int
gives_up(const void *from, const void *to, struct ssp_out *out)
{
	(void)from;
	(void)to;
	(void)out;
	return SSP_E_LIMIT;
}

/* A value that no datagrams can carry is counted, and harms nothing else. */
START_TEST(a_value_too_large_is_counted)
{
	struct ssp_object big = board_object;
	struct ssp_stats st;
	struct lib_world w;

	big.diff = _i == 0 ? never_fits : gives_up;
	big.save = NULL;
	big.load = NULL;
	big.save_max = 0;
	lib_world_init(&w, 15);
	w.cfg[0].local_object = w.cfg[1].remote_object = &big;
	lib_world_open(&w);
	lib_world_run(&w, 1000);
	lw_set(&w, LW_CLIENT, 1, 1);
	lw_set(&w, LW_SERVER, 2, 2);
	lib_world_run(&w, 3000);
	ssp_stats(w.end[0], w.now, &st, sizeof st);
	ck_assert_uint_gt(st.values_failed, 0);
	ck_assert(!ssp_synced(w.end[0], w.now));
	ck_assert_uint_eq(w.events[1][SSP_EVENT_REMOTE], 0);
	ck_assert_uint_eq(lw_remote(&w, LW_CLIENT)->cell[2], 2);
	lib_world_fini(&w);
}
END_TEST

static int
refuse_all(void *value, const uint8_t *diff, size_t n)
{
	(void)value;
	(void)diff;
	(void)n;
	return SSP_E_PEER;
}

/* A value that the receiver refuses leaves its own as it was. */
START_TEST(a_value_refused_is_not_seen)
{
	struct ssp_object no = board_object;
	struct lib_world w;

	no.apply = refuse_all;
	no.load = refuse_all;
	lib_world_init(&w, 16);
	w.cfg[1].remote_object = &no;
	lib_world_open(&w);
	lw_set(&w, LW_CLIENT, 1, 1);
	lw_set(&w, LW_SERVER, 2, 2);
	ck_assert(!lib_world_settle(&w, 5000));
	ck_assert_uint_eq(lw_remote(&w, LW_SERVER)->cell[1], 0);
	ck_assert_uint_eq(lw_remote(&w, LW_CLIENT)->cell[2], 2);
	ck_assert_uint_eq(w.events[1][SSP_EVENT_REMOTE], 0);
	lib_world_fini(&w);
}
END_TEST

START_TEST(configs_without_sense_are_refused)
{
	struct ssp_object bad = board_object;
	struct ssp_config c;
	struct lib_world w;
	struct board *a = board_new(), *b = board_new();
	struct ssp_route none;
	struct ssp *s;

	lib_world_init(&w, 17);
	w.cfg[0].local = a;
	w.cfg[0].remote = b;
	c = w.cfg[0];
	c.secret = NULL;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	ck_assert_ptr_null(s);
	c = w.cfg[0];
	c.name_size = 1;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	c.name = "x";
	c.name_size = SSP_NAME_MAX + 1;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	c = w.cfg[0];
	c.local = NULL;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	c = w.cfg[0];
	bad.load = NULL;
	c.remote_object = &bad;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	bad = board_object;
	bad.size = sizeof bad + 8;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	bad = board_object;
	bad.apply = NULL;
	ck_assert_int_eq(ssp_new(&s, &c, 1), SSP_E_ARGUMENT);
	/* An older program's config ends before the last fields. */
	c = w.cfg[0];
	c.size = offsetof(struct ssp_config, remote_max);
	c.remote_max = 1;
	ck_assert_int_eq(ssp_new(&s, &c, 1), 0);
	memset(&none, 0, sizeof none);
	ck_assert_int_eq(ssp_route_add(s, 1, &none), SSP_E_ARGUMENT);
	ssp_free(s);
	ssp_free(NULL);
	free(w.queue);
}
END_TEST

START_TEST(secrets_have_a_text)
{
	uint8_t a[SSP_SECRET_SIZE], b[SSP_SECRET_SIZE];
	char text[SSP_SECRET_TEXT_SIZE];
	uint64_t id = 0;

	ck_assert_int_eq(ssp_secret_new(a), 0);
	ssp_secret_format(a, text);
	ck_assert_uint_eq(strlen(text), SSP_SECRET_TEXT_SIZE - 1);
	ck_assert_int_eq(ssp_secret_parse(text, b), 0);
	ck_assert_mem_eq(a, b, sizeof a);
	text[3] = text[3] == 'A' ? 'B' : 'A';
	ck_assert_int_eq(ssp_secret_parse(text, b), SSP_E_ARGUMENT);
	ck_assert_int_eq(ssp_secret_parse("", b), SSP_E_ARGUMENT);
	ck_assert_int_eq(ssp_id_new(&id), 0);
	ck_assert_uint_ne(id, 0);
}
END_TEST

START_TEST(errors_and_version_have_texts)
{
	char text[32];
	int e;

	for (e = 0; e >= SSP_E_RESET; e--)
		ck_assert_str_ne(ssp_strerror(e), "unknown error");
	ck_assert_str_eq(ssp_strerror(1), "unknown error");
	ck_assert_str_eq(ssp_strerror(SSP_E_RESET - 1), "unknown error");
	ck_assert_str_eq(ssp_version(), SSP_VERSION);
	snprintf(text, sizeof text, "%d.%d.%d", SSP_VERSION_MAJOR,
	    SSP_VERSION_MINOR, SSP_VERSION_PATCH);
	ck_assert_str_eq(text, SSP_VERSION);
}
END_TEST

/* --- sockets -------------------------------------------------------------------- */

struct hall {
	struct lib_world w; /* for its configs */
	struct ssp *ends[4];
	unsigned n;
};

static struct ssp *
hall_accept(void *arg, uint64_t id)
{
	struct hall *h = arg;
	struct ssp_config c = h->w.cfg[LW_SERVER];

	if (h->n == 4)
		return NULL;
	c.id = id;
	c.local = board_new();
	c.remote = board_new();
	ck_assert_int_eq(ssp_new(&h->ends[h->n], &c, ssp_udp_now()), 0);
	return h->ends[h->n++];
}

static void
drain(struct ssp *s)
{
	struct ssp_event ev;

	while (ssp_event(s, &ev))
		;
}

/* Three clients of one socket, and one without the secret. */
START_TEST(a_socket_serves_several)
{
	struct ssp_udp *server, *u[4];
	struct ssp *s[4];
	struct hall h;
	unsigned i, k, done = 0;
	uint64_t end;

	memset(&h, 0, sizeof h);
	lib_world_init(&h.w, 18);
	ck_assert_int_eq(ssp_udp_serve(&server, "nowhere", 0), SSP_E_ARGUMENT);
	ck_assert_int_eq(ssp_udp_serve(&server, "127.0.0.1", 0), 0);
	ck_assert_int_ge(ssp_udp_fd(server, 0), 0);
	ck_assert_int_eq(ssp_udp_fd(server, 1), -1);
	ck_assert_int_eq(
	    ssp_udp_accept(server, h.w.secret, NULL, 0, hall_accept, &h), 0);
	for (i = 0; i < 4; i++) {
		struct ssp_config c = h.w.cfg[LW_CLIENT];
		uint8_t other[SSP_SECRET_SIZE] = { 9 };

		c.local = board_new();
		c.remote = board_new();
		c.id = 100 + i;
		if (i == 3)
			c.secret = other;
		ck_assert_int_eq(ssp_new(&s[i], &c, ssp_udp_now()), 0);
		ck_assert_int_eq(ssp_udp_connect(&u[i], s[i], "127.0.0.1",
				     ssp_udp_port(server)),
		    0);
		ck_assert_int_eq(ssp_udp_add(u[i], s[i]), SSP_E_STATE);
		((struct board *)ssp_local(s[i]))->cell[0] = i + 1;
		ssp_changed(s[i], ssp_udp_now());
	}
	end = ssp_udp_now() + 20000;
	while (done != 7 && ssp_udp_now() < end) {
		ck_assert_int_eq(ssp_udp_step(server, 5), 0);
		for (i = 0; i < 4; i++) {
			ck_assert_int_eq(ssp_udp_step(u[i], 0), 0);
			drain(s[i]);
		}
		for (k = 0; k < h.n; k++) {
			const struct board *b = ssp_remote(h.ends[k], NULL);

			drain(h.ends[k]);
			if (b->cell[0] > 0)
				done |= 1u << (b->cell[0] - 1);
		}
	}
	ck_assert_uint_eq(done, 7);
	ck_assert_uint_eq(h.n, 3);
	ck_assert_int_eq(ssp_state(s[3]), SSP_STATE_OPENING);
	/* An end that is removed gets nothing more. */
	ssp_udp_remove(server, h.ends[0]);
	ssp_udp_remove(server, h.ends[0]);
	/* In any order; the socket forgets an end that is freed. */
	for (i = 0; i < 4; i++) {
		if (i % 2 == 0)
			ssp_udp_free(u[i]);
		ssp_free(s[i]);
		if (i % 2 == 1) {
			ck_assert_int_eq(ssp_udp_step(u[i], 0), 0);
			ssp_udp_free(u[i]);
		}
	}
	ssp_free(h.ends[0]);
	ssp_free(h.ends[1]);
	ck_assert_int_eq(ssp_udp_step(server, 0), 0);
	ssp_udp_free(server);
	ssp_free(h.ends[2]);
	free(h.w.queue);
}
END_TEST

UNIT_SUITE(ssp_lib)
{
	Suite *s = suite_create("ssp_lib");
	TCase *t = tcase_create("lib");

	tcase_set_timeout(t, 60);
	tcase_add_test(t, both_values_cross);
	tcase_add_test(t, values_cross_a_lossy_link);
	tcase_add_test(t, the_client_moves);
	tcase_add_test(t, another_secret_is_refused);
	tcase_add_test(t, garbage_and_replays_are_dropped);
	tcase_add_test(t, a_repeated_beginning_is_not_up);
	tcase_add_test(t, datagrams_name_their_connection);
	tcase_add_test(t, a_stream_carries_bytes_both_ways);
	tcase_add_test(t, a_stream_is_refused_with_a_reason);
	tcase_add_test(t, close_delivers_the_last_value);
	tcase_add_test(t, close_gives_up_without_a_peer);
	tcase_add_test(t, abort_tells_the_code);
	tcase_add_test(t, a_large_value_goes_in_parts);
	tcase_add_test(t, a_log_forgets_its_beginning);
	tcase_add_test(t, kept_values_have_a_limit);
	tcase_add_loop_test(t, a_value_too_large_is_counted, 0, 2);
	tcase_add_test(t, a_value_refused_is_not_seen);
	tcase_add_test(t, configs_without_sense_are_refused);
	tcase_add_test(t, secrets_have_a_text);
	tcase_add_test(t, errors_and_version_have_texts);
	tcase_add_test(t, a_socket_serves_several);
	suite_add_tcase(s, t);
	return s;
}
