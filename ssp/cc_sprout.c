/*
 * Sprout: the receiver forecasts how much the link will deliver; the sender
 * keeps as many bytes in flight as will leave the queue in time by that
 * forecast.
 *
 * Each endpoint sends and receives, so this file has both directions.  A CC
 * frame carries: the bytes sent before this datagram; how many of the newest of
 * them may still be overtaken; and for how long nothing will follow (so that
 * silence is not taken for an outage).  While bulk arrives it also carries a
 * forecast.
 *
 * CC body: varint bytes, varint window, varint silence, u16 time; then nothing,
 * or: varint bytes received or lost, varint tick, eight varints (each the
 * additional packets of one tick).
 *
 * Differences to the published code: the queue estimate falls by the packets of
 * one tick each tick (as in the paper); the window begins with the present
 * tick; the look-ahead grows with the propagation delay, which is not queue
 * (equal to the paper's 100 ms at 40 ms).  If the timestamp of a datagram shows
 * that it met no queue, the arrivals of its tick are a lower bound of what the
 * link can deliver: otherwise thin traffic looks like a slow link, and the
 * sender keeps it thin.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/cc.h"
#include "ssp/sprout.h"

#define SPROUT_SEND_UNIT 1440 /* bytes of a forecast packet */
#define SPROUT_LOOK 5         /* ticks: the target delay */
#define SPROUT_RTT 40         /* ms of propagation of the paper's links */
#define SPROUT_REORDER 10     /* ms; the longest reordering */
#define SPROUT_FALLBACK 50    /* ms between datagrams without window */
#define SPROUT_STALE 400      /* ms; older forecasts are useless */
#define SPROUT_QUIET 3000     /* ms of silence announced at most */
#define SPROUT_SENT 128       /* datagrams sent, remembered */
#define SPROUT_HELD 512       /* datagrams received beyond `thrown` */
#define SPROUT_IDLE 50        /* ticks without datagrams until a reset */
#define SPROUT_LARGE 400      /* minimum bytes of a bulk datagram */
#define SPROUT_BULK 2800      /* bytes of those a second that mean bulk */
#define SPROUT_WINDOW_MAX 65535
#define SPROUT_DEAF 4000      /* ms without CC frames: the peer sends no bulk */
#define SPROUT_STANDING 8     /* ms of queueing of a busy link */
#define SPROUT_WAY_SPAN 60000 /* ms that a minimal one-way time counts */

struct sprout_span {
	uint64_t seq;
	uint64_t len;
	mono_ms time;
};

struct cc_sprout {
	const struct ssp_sprout_tab *tab;
	size_t mtu;

	/* sending */
	uint64_t seq; /* bytes sent */
	struct sprout_span sent[SPROUT_SENT];
	unsigned nsent;
	bool have; /* a forecast arrived */
	unsigned forecast[SSP_SPROUT_AHEAD];
	unsigned cur; /* ticks since its arrival */
	mono_ms cur_time;
	uint64_t queue; /* estimated bytes in flight */
	uint64_t forecast_tick;
	mono_ms forecast_time;
	mono_ms last_bulk;
	mono_ms rtt_min;

	/* receiving */
	struct ssp_sprout_belief belief;
	mono_ms tick; /* start of the present tick */
	uint64_t tick_num;
	uint64_t told_tick; /* tick of the newest forecast sent */
	size_t bytes;       /* in this tick */
	bool arrived;
	mono_ms score;   /* silence until then is no evidence */
	uint64_t thrown; /* bytes before it are received or lost */
	struct sprout_span held[SPROUT_HELD];
	unsigned nheld;
	/* one-way times, relative to the difference of the two clocks */
	bool have_way;
	uint16_t way_min, way_next;
	mono_ms way_since;
	mono_ms queueing; /* ms, of the newest datagram */
	uint64_t recent;  /* bytes received, decayed each second */
	mono_ms recent_time;
	mono_ms recv_time;
	mono_ms heard; /* newest CC frame; 0: none */
};

static void *
sprout_new(const struct ssp_cc_cfg *cfg)
{
	struct cc_sprout *s;

	bug_assert(cfg->tab != NULL);
	s = mem_zalloc(sizeof *s);
	s->tab = cfg->tab;
	s->mtu = cfg->mtu;
	s->cur_time = s->tick = s->recent_time = cfg->now;
	s->forecast_time = cfg->now;
	s->rtt_min = SPROUT_RTT;
	/* Both go on where an earlier personality of the connection ended. */
	s->tick_num = cfg->now / SSP_SPROUT_TICK + 1;
	s->seq = cfg->counted;
	ssp_sprout_prior(&s->belief);
	/* Until the first forecast, use that of the prior. */
	ssp_sprout_forecast(s->tab, &s->belief, s->forecast);
	return s;
}

/* The sender's clock: each tick removes its packets from the queue. */
static void
sprout_drain(struct cc_sprout *s, mono_ms now)
{
	unsigned got;
	uint64_t bytes;

	while (now - s->cur_time >= SSP_SPROUT_TICK) {
		if (s->cur >= SSP_SPROUT_AHEAD) {
			s->cur_time = now;
			return;
		}
		got = s->forecast[s->cur] -
		      (s->cur > 0 ? s->forecast[s->cur - 1] : 0);
		bytes = (uint64_t)got * SPROUT_SEND_UNIT;
		s->queue -= MIN_OF(bytes, s->queue);
		s->cur++;
		s->cur_time += SSP_SPROUT_TICK;
	}
}

/* Packets that the forecast predicts within N ticks of its arrival. */
static unsigned
sprout_within(const struct cc_sprout *s, unsigned n)
{
	n = MIN_OF(n, (unsigned)SSP_SPROUT_AHEAD);
	return n == 0 ? 0 : s->forecast[n - 1];
}

static size_t
sprout_window(struct cc_sprout *s, mono_ms now)
{
	unsigned look = SPROUT_LOOK;
	uint64_t bytes;

	sprout_drain(s, now);
	if (s->rtt_min > SPROUT_RTT)
		look += (unsigned)((s->rtt_min - SPROUT_RTT) / SSP_SPROUT_TICK);
	bytes = (uint64_t)SPROUT_SEND_UNIT *
		(sprout_within(s, s->cur + look) - sprout_within(s, s->cur));
	return bytes > s->queue ? (size_t)(bytes - s->queue) : 0;
}

static void
sprout_on_sent(void *cc, mono_ms now, size_t bytes, bool bulk)
{
	struct cc_sprout *s = cc;

	sprout_drain(s, now);
	s->queue += bytes;
	if (s->nsent == SPROUT_SENT) {
		memmove(s->sent, s->sent + 1,
		    (SPROUT_SENT - 1) * sizeof s->sent[0]);
		s->nsent--;
	}
	s->sent[s->nsent++] = (struct sprout_span){ s->seq, bytes, now };
	s->seq += bytes;
	if (bulk)
		s->last_bulk = now;
}

static void
sprout_on_ack(void *cc, UNUSED mono_ms now, const struct ssp_cc_ack *a)
{
	struct cc_sprout *s = cc;

	s->rtt_min = ssp_rtt_min(a->rtt);
}

static void
sprout_on_loss(UNUSED void *cc, UNUSED mono_ms now, UNUSED mono_ms sent,
    UNUSED size_t bytes)
{
}

static void
sprout_on_ce(void *cc, UNUSED mono_ms now)
{
	struct cc_sprout *s = cc;

	/* An ECN mark means a queue: count one datagram more. */
	s->queue += s->mtu;
}

/*
 * Returns when one datagram may be sent without window.  With fresh forecasts:
 * when nothing is in flight.  Without: either the forward link is out, where
 * each datagram adds delay, or the return link is, where ours still arrive; so
 * send, at growing intervals.
 */
static mono_ms
sprout_fallback(const struct cc_sprout *s, mono_ms now, size_t in_flight)
{
	mono_ms age = now - s->forecast_time;

	if (in_flight < s->mtu)
		return s->last_bulk + SPROUT_FALLBACK;
	if (age < SPROUT_STALE)
		return s->forecast_time + SPROUT_STALE;
	return s->last_bulk + MAX_OF(age / 4, (mono_ms)SPROUT_FALLBACK);
}

static size_t
sprout_budget(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_sprout *s = cc;
	size_t w = sprout_window(s, now);

	if (w < s->mtu && now >= sprout_fallback(s, now, in_flight))
		return s->mtu;
	return w;
}

static mono_ms
sprout_next_send(void *cc, mono_ms now, size_t in_flight)
{
	struct cc_sprout *s = cc;
	mono_ms t;

	if (sprout_budget(cc, now, in_flight) >= s->mtu)
		return now;
	t = sprout_fallback(s, now, in_flight);
	if (s->cur < SSP_SPROUT_AHEAD)
		t = mono_min(t, s->cur_time + SSP_SPROUT_TICK);
	return MAX_OF(t, now + 1);
}

static mono_ms
sprout_interval(UNUSED void *cc, UNUSED mono_ms now, const struct ssp_rtt *rtt)
{
	return ssp_cc_interval(rtt);
}

/* The receiver's clock: updates the belief for each finished tick. */
static void
sprout_ticks(struct cc_sprout *s, mono_ms now)
{
	unsigned k;

	if (now - s->tick > SPROUT_IDLE * SSP_SPROUT_TICK) {
		/* No traffic: start again from the prior. */
		s->tick_num += (now - s->tick) / SSP_SPROUT_TICK;
		s->tick = now;
		s->score = now;
		s->bytes = 0;
		s->arrived = false;
		ssp_sprout_prior(&s->belief);
		return;
	}
	while (s->tick + SSP_SPROUT_TICK < now) {
		ssp_sprout_evolve(s->tab, &s->belief);
		if (s->arrived || s->tick >= s->score) {
			k = (unsigned)((s->bytes + SSP_SPROUT_UNIT / 2) /
				       SSP_SPROUT_UNIT);
			k = MAX_OF(k, s->arrived ? 1u : 0u);
			if (s->arrived && s->queueing < SPROUT_STANDING)
				ssp_sprout_observe_least(s->tab, &s->belief, k);
			else
				ssp_sprout_observe(s->tab, &s->belief, k);
		} else {
			ssp_sprout_normalise(&s->belief);
		}
		s->bytes = 0;
		s->arrived = false;
		s->tick += SSP_SPROUT_TICK;
		s->tick_num++;
	}
}

static void
sprout_on_recv(void *cc, mono_ms now, size_t bytes)
{
	struct cc_sprout *s = cc;

	/* Nothing of a peer that sends no CC frames is scored. */
	if (s->heard == 0 || now - s->heard >= SPROUT_DEAF)
		return;
	sprout_ticks(s, now);
	s->bytes += bytes;
	s->arrived = true;
	if (now - s->recent_time >= 1000) {
		s->recent /= now - s->recent_time >= 4000 ? 16 : 2;
		s->recent_time = now;
	}
	if (bytes < SPROUT_LARGE)
		return;
	s->recent += bytes;
	s->recv_time = now;
}

/* Bulk arrives: its sender needs forecasts. */
static bool
sprout_bulk_in(const struct cc_sprout *s, mono_ms now)
{
	return s->recent >= SPROUT_BULK &&
	       now - s->recv_time < SPROUT_IDLE * SSP_SPROUT_TICK / 2;
}

static mono_ms
sprout_feedback(void *cc, mono_ms now)
{
	struct cc_sprout *s = cc;
	uint64_t ticks;

	if (!sprout_bulk_in(s, now))
		return MONO_NEVER;
	if (s->tick_num != s->told_tick)
		return now;
	/* a tick is over after its end */
	ticks = now > s->tick ? (now - s->tick - 1) / SSP_SPROUT_TICK : 0;
	return ticks > 0 ? now : s->tick + SSP_SPROUT_TICK + 1;
}

static uint64_t
sprout_received(const struct cc_sprout *s)
{
	uint64_t n = s->thrown;
	unsigned i;

	for (i = 0; i < s->nheld; i++)
		n += s->held[i].len;
	return n;
}

/*
 * Records that [seq, seq+len) arrived and that everything before SEQ-WINDOW is
 * received or lost.
 */
static void
sprout_account(struct cc_sprout *s, uint64_t seq, uint64_t window, uint64_t len)
{
	uint64_t mark = seq > window ? seq - window : 0;
	unsigned i, n = 0;

	s->thrown = MAX_OF(s->thrown, mark);
	if (seq >= s->thrown) {
		if (s->nheld == SPROUT_HELD) {
			s->thrown = s->held[0].seq + s->held[0].len;
			s->nheld--;
			memmove(
			    s->held, s->held + 1, s->nheld * sizeof s->held[0]);
		}
		s->held[s->nheld++] = (struct sprout_span){ seq, len, 0 };
	}
	for (i = 0; i < s->nheld; i++)
		if (s->held[i].seq >= s->thrown)
			s->held[n++] = s->held[i];
	s->nheld = n;
}

/* Estimates the queueing time of the newest datagram from its timestamp. */
static void
sprout_delay(struct cc_sprout *s, mono_ms now, uint16_t stamp)
{
	uint16_t way = (uint16_t)((uint16_t)now - stamp);
	int16_t more = (int16_t)(uint16_t)(way - s->way_min);

	if (!s->have_way || more < 0 || now - s->way_since >= SPROUT_WAY_SPAN) {
		/* clocks drift: find the minimum again */
		s->way_min = s->have_way && more >= 0 ? s->way_next : way;
		s->way_next = way;
		s->have_way = true;
		s->way_since = now;
	}
	if ((int16_t)(uint16_t)(way - s->way_next) < 0)
		s->way_next = way;
	more = (int16_t)(uint16_t)(way - s->way_min);
	s->queueing = (mono_ms)MAX_OF(more, 0);
}

static bool
sprout_put(void *cc, mono_ms now, const struct ssp_cc_flight *f, struct wr *w)
{
	struct cc_sprout *s = cc;
	unsigned out[SSP_SPROUT_AHEAD], i = 0;
	uint64_t from = s->seq;
	mono_ms quiet;
	bool forecast;

	sprout_ticks(s, now);
	forecast = s->tick_num != s->told_tick && sprout_bulk_in(s, now);
	/* Who sends no bulk needs no forecasts. */
	if (!forecast && !f->waiting && now - s->last_bulk >= SPROUT_QUIET)
		return false;
	while (i < s->nsent && s->sent[i].time + SPROUT_REORDER < now)
		i++;
	if (i > 0) {
		s->nsent -= i;
		memmove(s->sent, s->sent + i, s->nsent * sizeof s->sent[0]);
	}
	if (s->nsent > 0)
		from = s->sent[0].seq;
	wr_varint(w, s->seq);
	wr_varint(w, MIN_OF(s->seq - from, (uint64_t)SPROUT_WINDOW_MAX));
	if (f->more)
		quiet = 0;
	else if (f->waiting)
		quiet = SPROUT_FALLBACK;
	else
		quiet = mono_min(mono_until(now, f->next), SPROUT_QUIET);
	wr_varint(w, quiet);
	wr_u16(w, (uint16_t)now);
	if (!forecast)
		return true;
	s->told_tick = s->tick_num;
	ssp_sprout_forecast(s->tab, &s->belief, out);
	wr_varint(w, sprout_received(s));
	wr_varint(w, s->tick_num);
	for (i = 0; i < SSP_SPROUT_AHEAD; i++)
		wr_varint(w, out[i] - (i > 0 ? out[i - 1] : 0));
	return true;
}

static int
sprout_take(void *cc, mono_ms now, size_t bytes, struct rd *r)
{
	struct cc_sprout *s = cc;
	uint64_t seq = rd_varint(r), window = rd_varint(r), quiet, got, tick;
	uint16_t stamp;
	unsigned f[SSP_SPROUT_AHEAD], i;
	uint64_t step, sum = 0;

	quiet = rd_varint(r);
	stamp = rd_u16(r);
	peer_check(r->err == 0 && quiet < 65536);
	s->heard = MAX_OF(now, (mono_ms)1);
	sprout_account(s, seq, window, bytes);
	sprout_delay(s, now, stamp);
	s->score = MAX_OF(s->score, s->tick + quiet);
	if (rd_left(r) == 0)
		return 0;
	got = rd_varint(r);
	tick = rd_varint(r);
	for (i = 0; i < SSP_SPROUT_AHEAD; i++) {
		step = rd_varint(r);
		peer_check(step <= 1000000);
		sum += step;
		f[i] = (unsigned)sum;
	}
	peer_check(r->err == 0 && got <= s->seq);
	if (tick <= s->forecast_tick)
		return 0;
	s->forecast_tick = tick;
	s->forecast_time = now;
	memcpy(s->forecast, f, sizeof f);
	s->have = true;
	s->cur = 0;
	s->cur_time = now;
	s->queue = s->seq - got;
	return 0;
}

static void
sprout_reset(void *cc, mono_ms now)
{
	struct cc_sprout *s = cc;

	ssp_sprout_prior(&s->belief);
	ssp_sprout_forecast(s->tab, &s->belief, s->forecast);
	s->cur = 0;
	s->cur_time = now;
	s->forecast_time = now;
	s->queue = 0;
	s->score = now;
	s->rtt_min = SPROUT_RTT;
}

const struct ssp_cc_ops ssp_cc_sprout = {
	.name = "sprout",
	.id = 1,
	.new = sprout_new,
	.free = mem_free,
	.on_sent = sprout_on_sent,
	.on_ack = sprout_on_ack,
	.on_loss = sprout_on_loss,
	.on_ce = sprout_on_ce,
	.budget = sprout_budget,
	.next_send = sprout_next_send,
	.interval = sprout_interval,
	.on_recv = sprout_on_recv,
	.put = sprout_put,
	.take = sprout_take,
	.feedback = sprout_feedback,
	.reset = sprout_reset,
};
