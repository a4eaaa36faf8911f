/*
 * mosh's rule: a frame every SRTT/2 and no other control.  Three additions: an
 * ECN mark sets the longest interval for a while; the datagrams of one large
 * frame are paced; a peer that is silent gets no bulk (the transport's timeouts
 * ensure that).
 */
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/pacer.h"

#define MOSH_RATE 4000000 /* bytes a second within one frame */
#define MOSH_BURST 16384  /* bytes back to back */
#define MOSH_CE_HOLD 1000 /* ms that an ECN mark has effect */
#define MOSH_CE_INTERVAL 250

struct cc_mosh {
	struct ssp_pacer pacer;
	size_t mtu;
	mono_ms ce_until;
};

static void *
mosh_new(const struct ssp_cc_cfg *cfg)
{
	struct cc_mosh *m = mem_zalloc(sizeof *m);

	ssp_pacer_init(&m->pacer, cfg->now, MOSH_BURST);
	ssp_pacer_set(&m->pacer, cfg->now, MOSH_RATE, MOSH_BURST);
	m->mtu = cfg->mtu;
	return m;
}

static void
mosh_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_mosh *m = cc;

	if (bulk)
		ssp_pacer_sent(&m->pacer, now, bytes);
}

static void
mosh_on_ack(
    UNUSED void *cc, UNUSED mono_ms now, UNUSED const struct ssp_cc_ack *a)
{
}

static void
mosh_on_loss(UNUSED void *cc, UNUSED mono_ms now, UNUSED mono_ms sent,
    UNUSED size_t bytes)
{
}

static void
mosh_on_ce(void *cc, mono_ms now)
{
	struct cc_mosh *m = cc;

	m->ce_until = now + MOSH_CE_HOLD;
}

static size_t
mosh_budget(void *cc, mono_ms now, UNUSED size_t in_flight)
{
	struct cc_mosh *m = cc;

	return (size_t)ssp_pacer_budget(&m->pacer, now);
}

static mono_ms
mosh_next_send(void *cc, mono_ms now, UNUSED size_t in_flight)
{
	struct cc_mosh *m = cc;

	return ssp_pacer_next(&m->pacer, now, m->mtu);
}

static mono_ms
mosh_interval(void *cc, mono_ms now, const struct ssp_rtt *rtt)
{
	struct cc_mosh *m = cc;

	return now < m->ce_until ? MOSH_CE_INTERVAL : ssp_cc_interval(rtt);
}

static void
mosh_reset(void *cc, UNUSED mono_ms now)
{
	struct cc_mosh *m = cc;

	m->ce_until = 0;
}

const struct ssp_cc_ops ssp_cc_mosh = {
	.name = "mosh",
	.new = mosh_new,
	.free = mem_free,
	.on_sent = mosh_on_sent,
	.on_ack = mosh_on_ack,
	.on_loss = mosh_on_loss,
	.on_ce = mosh_on_ce,
	.budget = mosh_budget,
	.next_send = mosh_next_send,
	.interval = mosh_interval,
	.reset = mosh_reset,
};
