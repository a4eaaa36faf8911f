/*
 * Chooses the congestion personality of a transport: the client's user decides
 * for both directions, else the server's option, else the path (auto).
 *
 * PACE frame: varint choice (enum ssp_pacing).  It is in all datagrams from the
 * choice on until one of them is known to have arrived.
 */
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "ssp/cc.h"
#include "ssp/frame.h"
#include "ssp/transport_int.h"

static const struct ssp_cc_ops *
pace_ops(enum ssp_pacing p)
{
	switch (p) {
	case SSP_PACING_WINDOW:
		return &ssp_cc_window;
	case SSP_PACING_FOLLOW:
		return &ssp_cc_follow;
	case SSP_PACING_SPROUT:
		return &ssp_cc_sprout;
	case SSP_PACING_REMY:
		return &ssp_cc_remy;
	case SSP_PACING_MOSH:
		return &ssp_cc_mosh;
	default:
		return &ssp_cc_auto;
	}
}

/* Returns the choice that counts. */
static enum ssp_pacing
pace_choice(const struct ssp_transport *tp)
{
	enum ssp_pacing client = tp->core.asks ? tp->pace_mine : tp->pace_peer;
	enum ssp_pacing server = tp->core.asks ? tp->pace_peer : tp->pace_mine;

	return client != SSP_PACING_NONE   ? client
	       : server != SSP_PACING_NONE ? server
					   : SSP_PACING_AUTO;
}

/* Returns Sprout's tables, or NULL. */
static const struct ssp_sprout_tab *
pace_tab(struct ssp_transport *tp)
{
	if (tp->sprout == NULL && tp->sprout_get != NULL)
		tp->sprout = tp->sprout_get(tp->sprout_arg);
	return tp->sprout;
}

static void
pace_deaf(struct ssp_core *c)
{
	if (c->hear != NULL && c->hear != c->cc)
		c->hear_ops->free(c->hear);
	c->hear = NULL;
	c->hear_ops = NULL;
}

void
tp_resize(struct ssp_transport *tp)
{
	struct ssp_core *c = &tp->core;
	const struct ssp_cc_ops *ops = c->cc_ops;
	size_t full;

	c->mtu = ops == NULL || ops->resize != NULL
		     ? tp->mtu
		     : MIN_OF(tp->mtu, (size_t)TP_MTU_ETHERNET);
	full = c->mtu + c->overhead;
	if (c->cc == NULL || ops->resize == NULL ||
	    (full <= 2 * c->cc_mtu && c->cc_mtu <= 2 * full))
		return;
	ops->resize(c->cc, full);
	c->cc_mtu = full;
}

void
tp_set_cc(struct ssp_transport *tp, mono_ms now, const struct ssp_cc_ops *ops)
{
	struct ssp_core *c = &tp->core;
	struct ssp_cc_cfg cfg = {
		.now = now, .tab = tp->sprout, .counted = c->counted
	};

	pace_deaf(c);
	if (c->cc_ops != NULL)
		c->cc_ops->free(c->cc);
	c->cc = NULL;
	c->cc_ops = ops;
	tp_resize(tp);
	if (ops == NULL)
		return;
	c->cc_mtu = cfg.mtu = c->mtu + c->overhead;
	c->cc = ops->new (&cfg);
	if (ops->put != NULL) {
		c->hear_ops = ops;
		c->hear = c->cc;
	}
}

void
tp_pace(struct ssp_transport *tp, mono_ms now)
{
	const struct ssp_cc_ops *ops = tp->pinned;

	tp->pace_lacks = false;
	if (ops == NULL && tp->core.link == SSP_LINK_DATAGRAM) {
		ops = pace_ops(pace_choice(tp));
		/* Sprout is nothing without the peer's forecasts. */
		tp->pace_lacks = ops == &ssp_cc_sprout &&
				 (!tp->pace_reads || pace_tab(tp) == NULL);
		if (tp->pace_lacks)
			ops = &ssp_cc_auto;
	} else if (ops == NULL && tp->core.link == SSP_LINK_STREAM) {
		ops = &ssp_cc_window;
	}
	if (ops != tp->core.cc_ops)
		tp_set_cc(tp, now, ops);
}

void
tp_hear(struct ssp_transport *tp, mono_ms now, uint64_t id)
{
	struct ssp_core *c = &tp->core;
	struct ssp_cc_cfg cfg = { .now = now,
		.mtu = MIN_OF(c->mtu, (size_t)TP_MTU_ETHERNET) + c->overhead,
		.counted = c->counted };

	if (c->hear != NULL || id != ssp_cc_sprout.id ||
	    c->link != SSP_LINK_DATAGRAM || (cfg.tab = pace_tab(tp)) == NULL)
		return;
	c->hear_ops = &ssp_cc_sprout;
	c->hear = ssp_cc_sprout.new(&cfg);
}

void
tp_put_pace(struct ssp_transport *tp, uint64_t pn, struct wr *w)
{
	uint8_t body[1] = { (uint8_t)tp->pace_mine };

	if (!tp->pace_tell || !tp->pace_reads)
		return;
	if (tp->pace_pn == 0)
		tp->pace_pn = pn;
	ssp_frame_put(w, SSP_FRAME_PACE, body, sizeof(body));
}

int
tp_on_pace(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const struct ssp_frame *f)
{
	struct rd r;
	uint64_t p;

	rd_init(&r, f->body, f->len);
	p = rd_varint(&r);
	peer_check(r.err == 0);
	/* An earlier choice may come late. */
	if (pn < tp->pace_peer_pn)
		return 0;
	tp->pace_peer_pn = pn;
	/* A later release may know more. */
	tp->pace_peer = p > SSP_PACING_NONE && p < SSP_PACINGS
			    ? (enum ssp_pacing)p
			    : SSP_PACING_AUTO;
	tp_pace(tp, now);
	return 0;
}

void
ssp_transport_pace(struct ssp_transport *tp, mono_ms now, enum ssp_pacing p)
{
	if (p == tp->pace_mine)
		return;
	/* A server that never chose leaves it to its client. */
	tp->pace_tell = tp->pace_told || p != SSP_PACING_NONE;
	if (p == SSP_PACING_NONE)
		p = tp->pace_told ? SSP_PACING_AUTO : p;
	tp->pace_told = tp->pace_tell;
	tp->pace_mine = p;
	tp->pace_pn = 0;
	tp_pace(tp, now);
}

void
ssp_transport_pace_allow(struct ssp_transport *tp, mono_ms now, bool allow)
{
	tp->pace_reads = allow;
	tp_pace(tp, now);
}

void
ssp_transport_pace_tell(const struct ssp_transport *tp, char *out, size_t size)
{
	const struct ssp_core *c = &tp->core;

	if (c->cc_ops == NULL)
		snprintf(out, size, "none");
	else if (c->cc_ops->tell != NULL)
		c->cc_ops->tell(c->cc, out, size);
	else
		snprintf(out, size, "%s", c->cc_ops->name);
	if (tp->pace_lacks)
		str_append(out, " (the other end lacks sprout)", size);
}
