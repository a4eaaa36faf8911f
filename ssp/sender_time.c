/* Deadlines of the sender. */
#include "ssp/sender_int.h"

#define SENDER_RTO_FIRST 300 /* ms; before any round-trip sample */

mono_ms
sender_interval(const struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;

	if (c->link == SSP_LINK_LOCAL)
		return 0;
	if (c->cc_ops != NULL)
		return c->cc_ops->interval(c->cc, now, &c->rtt);
	return ssp_cc_interval(&c->rtt);
}

void
sender_fill(struct ssp_sender *s, mono_ms now)
{
	mono_ms iv = sender_interval(s, now), gap = now - s->filled;

	if (iv == 0 || gap > 60000)
		s->tokens = SSP_FRAME_BURST * 1000;
	else
		s->tokens = MIN_OF(s->tokens + gap * 1000 / iv,
		    (uint64_t)SSP_FRAME_BURST * 1000);
	s->filled = now;
}

/* Returns whether the live object differs from the newest sent state. */
bool
sender_changed(struct ssp_sender *s, mono_ms now)
{
	if (s->dirty) {
		s->dirty = false;
		s->changed =
		    !s->coder.ops->equal(s->current, sender_newest(s)->obj);
	}
	if (s->changed && !s->collecting) {
		sender_fill(s, now);
		s->collecting = true;
		s->changed_at = now;
		s->resting = s->tokens + 500 >= SSP_FRAME_BURST * 1000;
	}
	if (!s->changed)
		s->collecting = false;
	return s->changed && !s->too_big;
}

mono_ms
ssp_sender_hold(struct ssp_sender *s, mono_ms now, mono_ms until)
{
	if (!sender_changed(s, now))
		return until;
	return s->hold == 0 ? 0 : mono_min(s->hold, until);
}

/* Returns MS, or 0 on a LAN: collection time. */
static mono_ms
sender_collect(const struct ssp_sender *s, mono_ms ms)
{
	return ssp_rtt_srtt(&s->core->rtt) < SENDER_LAN_RTT ? 0 : ms;
}

/*
 * Returns the collection time after a pause.  If the peer has sent nothing for
 * long, nobody waits for the change, and a program that repaints by itself
 * often does so in several pieces.  A state that asks for an answer is a key.
 */
static mono_ms
sender_still(const struct ssp_sender *s, mono_ms now)
{
	const struct ssp_core *c = s->core;

	if (sender_awaited(s, now))
		return c->collect_first;
	return CLAMP(ssp_rtt_srtt(&c->rtt) * 2 / 5, c->collect_first,
	    MAX_OF(c->collect_still, c->collect_first));
}

/* Returns when a frame with the newest state may be sent. */
mono_ms
sender_frame_time(struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;
	mono_ms ready, iv;

	if (!sender_changed(s, now))
		return MONO_NEVER;
	/* The next part starts from the previous one: wait for its ack. */
	if (s->parting && sender_pending(s) &&
	    s->core->link == SSP_LINK_DATAGRAM && !sender_stale(s, now))
		return MONO_NEVER;
	sender_fill(s, now);
	iv = sender_interval(s, now);
	if (s->boost > 0)
		ready = s->changed_at + sender_collect(s, c->collect_first);
	else if (s->resting)
		ready = s->changed_at + sender_collect(s, sender_still(s, now));
	else
		ready = s->changed_at + mono_min(c->collect_more, iv);
	ready = MAX_OF(ready, s->hold);
	ready = MAX_OF(ready, s->postponed);
	if (s->tokens < 1000 && s->boost == 0)
		ready =
		    MAX_OF(ready, now + ((1000 - s->tokens) * iv + 999) / 1000);
	return ready;
}

const struct ssp_schedule *
sender_schedule(const struct ssp_sender *s)
{
	enum ssp_pace pace = SSP_PACE_ALONE;

	if (ssp_sender_busy(s))
		pace = s->gap < SSP_RUN_FAST ? SSP_PACE_FAST : SSP_PACE_RUN;
	return ssp_redundancy_schedule(
	    pace, ssp_loss_bunched(&s->core->loss), s->round > 0);
}

mono_ms
sender_copy_time(const struct ssp_sender *s)
{
	if (!sender_pending(s) || s->copied >= s->copies)
		return MONO_NEVER;
	return s->copy_base +
	       ssp_redundancy_at(sender_schedule(s), s->copied + 1);
}

mono_ms
sender_rto(const struct ssp_sender *s)
{
	mono_ms rto = s->nbulk == 0 ? ssp_rtt_early(&s->core->rtt)
				    : ssp_rtt_rto(&s->core->rtt);

	rto += s->nbulk == 0 ? sender_ack_wait(s, s->nsent - 1)
			     : ssp_core_ack_delay(s->core);

	/* Before any sample there is little to send: repeat it early. */
	if (!s->core->rtt.have && s->nbulk == 0)
		rto = SENDER_RTO_FIRST;
	if (s->core->link != SSP_LINK_DATAGRAM)
		rto = MAX_OF(rto, (mono_ms)10000); /* no loss there */
	return mono_min(
	    rto << (s->backoff > 0 ? s->backoff - 1 : 0), SSP_RTO_MAX);
}

mono_ms
sender_retry_time(const struct ssp_sender *s)
{
	return sender_pending(s) ? s->retry : MONO_NEVER;
}

/* Returns the bytes of parity in flight. */
static size_t
sender_parity_flying(const struct ssp_sender *s)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		n += (size_t)s->bulk[i]->spare_flying *
		     (s->bulk[i]->symbol * SSP_BLOCK + s->core->overhead);
	return n;
}

mono_ms
ssp_sender_room(const struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;
	size_t fly = c->loss.in_flight, parity = sender_parity_flying(s);
	mono_ms t;

	/* Parity is paced, but like copies not counted as in flight. */
	fly -= MIN_OF(fly, parity);
	if (c->cc_ops == NULL ||
	    c->cc_ops->budget(c->cc, now, fly) >= (c->mtu + c->overhead) / 2)
		return now;
	t = c->cc_ops->next_send(c->cc, now, fly);
	return MAX_OF(t, now + 1);
}

mono_ms
sender_bulk_time(const struct ssp_sender *s, mono_ms now)
{
	mono_ms t = MONO_NEVER;
	unsigned i;

	for (i = 0; i < s->nbulk; i++) {
		ssp_bulk_balance(s->bulk[i], ssp_loss_rate(&s->core->loss));
		t = mono_min(t, ssp_bulk_ready(s->bulk[i], now));
	}
	if (t == MONO_NEVER)
		return t;
	return MAX_OF(t, ssp_sender_room(s, now));
}

bool
ssp_sender_more(const struct ssp_sender *s)
{
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		if (ssp_bulk_more(s->bulk[i]))
			return true;
	return false;
}

/* Returns when to ping after the last fragment, so that its loss shows. */
mono_ms
sender_tail_time(const struct ssp_sender *s)
{
	if (s->nbulk == 0 || s->tail_sent >= s->tail || ssp_sender_more(s))
		return MONO_NEVER;
	return s->tail_base +
	       ssp_redundancy_at(ssp_redundancy_spread(), s->tail_sent + 1);
}

mono_ms
ssp_sender_deadline(struct ssp_sender *s, mono_ms now)
{
	mono_ms t = sender_frame_time(s, now);

	t = mono_min(t, sender_copy_time(s));
	t = mono_min(t, sender_retry_time(s));
	t = mono_min(t, sender_tail_time(s));
	t = mono_min(t, sender_bulk_time(s, now));
	return MAX_OF(t, now);
}
