/*
 * Remy: rules that a computer has searched (ssp/remy.h), one table for each
 * trade of throughput for delay, and one for cellular links.
 *
 * A rule is asked once for all datagrams that one ack covers.
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/pacer.h"
#include "ssp/remy.h"

#define REMY_BURST 3  /* datagrams sent back to back */
#define REMY_FIRST 24 /* datagrams of the very first burst */

struct cc_remy {
	const struct ssp_remy_table *table;
	struct ssp_remy m;
	struct ssp_pacer pacer;
	size_t mtu;
	/* an ack that is being read */
	mono_ms now, sent, rtt, least;
	size_t bytes;
};

static void
remy_start(struct cc_remy *r, mono_ms now)
{
	ssp_remy_init(&r->m);
	r->bytes = 0;
	ssp_pacer_init(&r->pacer, now, REMY_FIRST * r->mtu);
}

static void *
remy_new(const struct ssp_cc_cfg *cfg, const char *table)
{
	struct cc_remy *r = mem_zalloc(sizeof(*r));

	r->table = ssp_remy_table(table);
	r->mtu = cfg->mtu;
	remy_start(r, cfg->now);
	return r;
}

static void *
remy_new_1(const struct ssp_cc_cfg *cfg)
{
	return remy_new(cfg, "1");
}

static void *
remy_new_fast(const struct ssp_cc_cfg *cfg)
{
	return remy_new(cfg, "0.1");
}

static void *
remy_new_calm(const struct ssp_cc_cfg *cfg)
{
	return remy_new(cfg, "10");
}

static void *
remy_new_cell(const struct ssp_cc_cfg *cfg)
{
	return remy_new(cfg, "cell");
}

static void
remy_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_remy *r = cc;

	if (bulk)
		ssp_pacer_sent(&r->pacer, now, bytes);
}

/* Applies the rule to the ack that was read. */
static void
remy_turn(struct cc_remy *r)
{
	double rate;
	size_t n;

	if (r->bytes == 0)
		return;
	n = MAX_OF((r->bytes + r->mtu / 2) / r->mtu, (size_t)1);
	r->bytes = 0;
	(void)ssp_remy_ack(&r->m, r->table, (double)r->now, (double)r->sent,
	    (unsigned)n, (double)r->rtt, (double)r->least);
	rate = (double)r->mtu * 1000 / r->m.gap;
	/* Keep what accrues while a timer of 1 ms sleeps. */
	ssp_pacer_set(&r->pacer, r->now, (uint64_t)rate,
	    (uint64_t)MAX_OF(REMY_BURST * (double)r->mtu, rate / 250));
}

static void
remy_on_ack(void *cc, mono_ms now, const struct ssp_cc_ack *a)
{
	struct cc_remy *r = cc;

	if (now != r->now)
		remy_turn(r);
	if (!a->rtt->have)
		return;
	r->now = now;
	r->sent = MAX_OF(r->sent, a->sent);
	r->bytes += a->bytes;
	r->rtt = a->rtt->latest;
	r->least = ssp_rtt_min(a->rtt);
}

static void
remy_on_loss(UNUSED void *cc, UNUSED mono_ms now, UNUSED mono_ms sent,
    UNUSED size_t bytes)
{
}

static void
remy_on_ce(UNUSED void *cc, UNUSED mono_ms now)
{
}

static size_t
remy_budget(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_remy *r = cc;
	uint64_t most, room;

	remy_turn(r);
	most = (uint64_t)(r->m.window * (double)r->mtu);
	room = most > in_flight ? most - in_flight : 0;
	return (size_t)MIN_OF(room, ssp_pacer_budget(&r->pacer, now));
}

static mono_ms
remy_next_send(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_remy *r = cc;
	size_t least = in_flight + r->mtu / 2;

	remy_turn(r);
	if ((double)least > r->m.window * (double)r->mtu)
		return MONO_NEVER;
	return ssp_pacer_next(&r->pacer, now, r->mtu);
}

static mono_ms
remy_interval(UNUSED void *cc, UNUSED mono_ms now, const struct ssp_rtt *rtt)
{
	return ssp_cc_interval(rtt);
}

static void
remy_reset(void *cc, mono_ms now)
{
	remy_start(cc, now);
}

#define REMY(id, text, make)             \
 const struct ssp_cc_ops ssp_cc_##id = { \
	 .name = text,                   \
	 .new = make,                    \
	 .free = mem_free,               \
	 .on_sent = remy_on_sent,        \
	 .on_ack = remy_on_ack,          \
	 .on_loss = remy_on_loss,        \
	 .on_ce = remy_on_ce,            \
	 .budget = remy_budget,          \
	 .next_send = remy_next_send,    \
	 .interval = remy_interval,      \
	 .reset = remy_reset,            \
 }

REMY(remy, "remy", remy_new_1);
REMY(remy_fast, "remy-0.1", remy_new_fast);
REMY(remy_calm, "remy-10", remy_new_calm);
REMY(remy_cell, "remy-cell", remy_new_cell);
