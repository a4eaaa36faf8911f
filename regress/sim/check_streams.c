/*
 * Streams of bytes over simulated links: how much of the link they use, and
 * what keys take meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/stack.h"
#include "regress/unit/unit.h"
#include "ssp/streams.h"

#define COPY_KEYS 400

/* A copy from the server to the client. */
struct copy {
	struct stack *s;
	uint64_t id, size, put, got;
	sim_us key_at; /* a key is under way since then */
	double ms[COPY_KEYS];
	unsigned keys;
};

static uint8_t
copy_byte(uint64_t at)
{
	return (uint8_t)((at * 2654435761U) >> 11);
}

static struct ssp_streams *
copy_streams(const struct stack_end *e)
{
	return ssp_transport_streams(e->bind.tp);
}

static void
copy_put(struct copy *c, struct stack_end *e)
{
	struct ssp_streams *ss = copy_streams(e);
	uint8_t b[16384];
	size_t n, i;

	while ((n = (size_t)MIN_OF((uint64_t)ssp_streams_room(ss, c->id),
		    c->size - c->put)) > 0) {
		n = MIN_OF(n, sizeof(b));
		for (i = 0; i < n; i++)
			b[i] = copy_byte(c->put + i);
		c->put += ssp_streams_put(ss, c->id, b, n);
	}
	if (c->put == c->size)
		ssp_streams_end(ss, c->id);
}

static void
copy_take(struct copy *c, struct stack_end *e)
{
	struct ssp_streams *ss = copy_streams(e);
	const uint8_t *p;
	size_t n, i;

	while ((p = ssp_streams_peek(ss, c->id, &n)) != NULL) {
		for (i = 0; i < n && p[i] == copy_byte(c->got + i); i++)
			;
		ck_assert_uint_eq(i, n);
		c->got += n;
		ssp_streams_taken(ss, stack_now(e), c->id, n);
	}
}

static void
copy_turn(void *arg, struct stack_end *e)
{
	struct copy *c = arg;
	const struct toy_screen *scr;
	uint64_t num;

	while (ssp_streams_news(copy_streams(e)) != SSP_STREAM_NONE)
		;
	if (e->i == 1) {
		copy_put(c, e);
		return;
	}
	copy_take(c, e);
	scr = ssp_transport_remote(e->bind.tp, &num);
	if (c->key_at == 0 || scr->echo != stack_log(c->s)->end)
		return;
	if (c->keys < COPY_KEYS)
		c->ms[c->keys++] = (double)(c->s->sim.now - c->key_at) / SIM_MS;
	c->key_at = 0;
}

static int
copy_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* clang-format off */
static const struct row {
	const char *name;
	uint64_t rate; /* bytes a second */
	unsigned rtt, queue; /* ms */
	double loss;
	double size;   /* MB */
	double share;  /* of the rate, at least */
	double median, p99; /* ms of a key beyond the round trip */
} rows[] = {
	{ "100 Mbit/s, 40 ms",         12500000,  40, 40, 0,    60, .88, 40, 60 },
	{ "100 Mbit/s, 40 ms, 0.1 %",  12500000,  40, 40, .001, 60, .86, 40, 60 },
	{ "100 Mbit/s, 40 ms, 1 %",    12500000,  40, 40, .01,  60, .82, 40, 60 },
	{ "100 Mbit/s, 40 ms, 5 %",    12500000,  40, 40, .05,  60, .68, 40, 60 },
	{ "20 Mbit/s, 100 ms",          2500000, 100, 100, 0,   15, .86, 50, 80 },
	{ "1 Gbit/s, 100 ms",         125000000, 100, 40, 0,   300, .33, 40, 60 },
	{ "1 Gbit/s, no delay",       125000000,   0, 10, 0,    60, .60, 40, 60 },
	{ "5 Mbit/s, 60 ms, 5 s queue",  625000,  60, 5000, 0,   6, .90, 50, 80 },
	{ "1 Mbit/s, 200 ms, 2 s queue", 125000, 200, 2000, 0,   2, .90, 60, 80 },
};
/* clang-format on */

START_TEST(a_copy_fills_the_link_and_keys_pass)
{
	const struct row *r = &rows[_i];
	struct stack_cfg cfg = { .cols = 80, .rows = 24, .streams = true };
	struct sim_link_cfg link = { .delay = r->rtt / 2 * SIM_MS,
		.loss = r->loss,
		.rate = r->rate,
		.queue = (size_t)(r->rate * r->queue / 1000) };
	struct stack *s = mem_zalloc(sizeof(*s));
	struct copy *c = mem_zalloc(sizeof(*c));
	double share, median, p99;
	sim_us start, type;
	unsigned i;

	c->s = s;
	c->size = (uint64_t)(r->size * 1e6);
	stack_init(s, &cfg, 1);
	sim_links(&s->sim, &link);
	stack_pump(&s->end[0]);
	stack_run(s, 3 * SIM_S);
	for (i = 0; i < 2; i++) {
		s->end[i].turn = copy_turn;
		s->end[i].turn_arg = c;
	}
	c->id = ssp_streams_open(
	    copy_streams(&s->end[1]), SSP_PRIO_BULK, "copy", 4);
	ck_assert_uint_ne(c->id, SSP_STREAM_NONE);
	start = s->sim.now;
	type = start + SIM_S;
	stack_pump(&s->end[1]);
	while (c->got < c->size) {
		ck_assert_msg(s->sim.now < start + 300 * (sim_us)SIM_S,
		    "%s: %llu of %llu", r->name, (unsigned long long)c->got,
		    (unsigned long long)c->size);
		if (s->sim.now >= type && c->key_at == 0) {
			c->key_at = s->sim.now;
			toy_log_add(stack_log(s), "x", 1);
			stack_kick(s, 0);
			type = s->sim.now + 100 * SIM_MS +
			       sim_below(&s->rng, 100 * SIM_MS);
		}
		ck_assert_ptr_null(stack_run(s, s->sim.now + SIM_MS));
	}
	share = (double)c->size / ((double)(s->sim.now - start) / SIM_S) /
		(double)r->rate;
	qsort(c->ms, c->keys, sizeof(*c->ms), copy_order);
	median = c->keys == 0 ? 0 : c->ms[c->keys / 2] - r->rtt;
	p99 = c->keys == 0 ? 0 : c->ms[c->keys * 99 / 100] - r->rtt;
	printf("# copy, %s: %.2f of the link, keys +%.0f median, +%.0f p99 ms "
	       "(%u)\n",
	    r->name, share, median, p99, c->keys);
	stack_fini(s);
	mem_free(s);
	mem_free(c);
	if (getenv("STREAMS_LOOK") != NULL)
		return;
	ck_assert_double_ge(share, r->share);
	ck_assert_double_le(median, r->median);
	ck_assert_double_le(p99, r->p99);
}
END_TEST

UNIT_SUITE(streams)
{
	Suite *s = suite_create("sim/streams");
	TCase *tc = tcase_create("copies");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, a_copy_fills_the_link_and_keys_pass, 0, (int)ARRAY_LEN(rows));
	suite_add_tcase(s, tc);
	return s;
}
