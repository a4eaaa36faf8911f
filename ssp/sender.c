/*
 * The idea.  sent[0] is the newest state the peer has acknowledged, sent[last]
 * the newest one sent.  When the live object differs from it and a frame may go
 * (collection over, a token left), an instruction is made:
 *
 *  - small, if it fits a datagram: sent at once, from the acknowledged state
 *    unless a diff from the assumed state is much shorter; repeated as the
 *    measured loss asks, and again after a timeout.  It takes the place of
 *    every larger instruction that is still on its way.
 *  - large otherwise: cut into blocks (struct ssp_bulk) which go as the
 *    congestion personality allows and are repaired one by one.  While blocks
 *    of one have never been sent no further one is begun; states in between
 *    are skipped.
 *
 * A token comes every frame interval and a few are saved up, so that an
 * isolated change never waits.  What follows the peer's input (its echo) has
 * tokens of its own.
 */
#include "ssp/sender.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"

#define SENDER_ABANDON_GAP 1000 /* ms between two abandoned large frames */
#define SENDER_LAN_RTT 5        /* ms; below it nothing is collected first */
#define SENDER_BACKOFF_MAX 10
#define SENDER_RTO_FIRST 300  /* ms; while no round trip is known */
#define SENDER_LOSSY 0.01     /* from here on: safe diffs, and parity */
#define SENDER_SYMBOL_ROOM 96 /* bytes of a datagram beside a symbol */

static struct ssp_sent *
sender_newest(struct ssp_sender *s)
{
	return &s->sent[s->nsent - 1];
}

static void
sent_fini(struct ssp_sender *s, struct ssp_sent *e)
{
	s->coder.ops->free(e->obj);
	buf_fini(&e->ser);
}

static void
sender_push(struct ssp_sender *s, uint64_t num, void *obj, mono_ms now)
{
	struct ssp_sent *e = &s->sent[s->nsent++];

	memset(e, 0, sizeof *e);
	e->num = num;
	e->obj = obj;
	e->first = e->last = now;
	buf_init(&e->ser, MAX_OF(s->coder.ops->save_max, (size_t)1));
}

void
ssp_sender_init(struct ssp_sender *s, struct ssp_core *core,
    const struct ssp_coder *coder, void *initial, mono_ms now)
{
	memset(s, 0, sizeof *s);
	s->core = core;
	s->coder = *coder;
	s->current = initial;
	sender_push(s, 0, coder->ops->clone(initial), now);
	s->tokens = SSP_FRAME_BURST * 1000;
	s->filled = now;
	s->retry = MONO_NEVER;
	buf_init(&s->cache, SSP_INS_MAX);
}

static void
sender_drop_bulk(struct ssp_sender *s, unsigned i)
{
	ssp_bulk_free(s->bulk[i]);
	s->nbulk--;
	memmove(
	    s->bulk + i, s->bulk + i + 1, (s->nbulk - i) * sizeof s->bulk[0]);
}

void
ssp_sender_fini(struct ssp_sender *s)
{
	unsigned i;

	while (s->nbulk > 0)
		sender_drop_bulk(s, 0);
	for (i = 0; i < s->nsent; i++)
		sent_fini(s, &s->sent[i]);
	s->coder.ops->free(s->current);
	buf_fini(&s->cache);
}

/* Gives up all large instructions: something newer takes their place. */
static void
sender_cancel_bulks(struct ssp_sender *s, mono_ms now)
{
	struct ssp_bulk *b;

	while (s->nbulk > 0) {
		b = s->bulk[0];
		ssp_trace(&s->core->trace, SSP_TRACE_BULK_DROPPED, now, b->name,
		    b->wanted, b->name);
		s->core->st.bulk_dropped++;
		sender_drop_bulk(s, 0);
	}
}

void
ssp_sender_changed(struct ssp_sender *s, UNUSED mono_ms now)
{
	s->dirty = true;
	s->too_big = false;
}

static mono_ms
sender_interval(const struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;

	if (c->link == SSP_LINK_LOCAL)
		return 0;
	if (c->cc_ops != NULL)
		return c->cc_ops->interval(c->cc, now, &c->rtt);
	return ssp_cc_interval(&c->rtt);
}

static void
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

/* Is there anything the newest sent state does not have? */
static bool
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

/* When a frame with the newest state may go. */
static mono_ms
sender_frame_time(struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;
	mono_ms ready, iv;

	if (!sender_changed(s, now))
		return MONO_NEVER;
	sender_fill(s, now);
	iv = sender_interval(s, now);
	if (s->resting || s->boost > 0)
		ready = s->changed_at + (ssp_rtt_srtt(&c->rtt) < SENDER_LAN_RTT
						? 0
						: c->collect_first);
	else
		ready = s->changed_at + mono_min(c->collect_more, iv);
	ready = MAX_OF(ready, s->postponed);
	if (s->tokens < 1000 && s->boost == 0)
		ready =
		    MAX_OF(ready, now + ((1000 - s->tokens) * iv + 999) / 1000);
	return ready;
}

static bool
sender_pending(const struct ssp_sender *s)
{
	return s->nsent > 1;
}

static mono_ms
sender_copy_time(const struct ssp_sender *s)
{
	if (!sender_pending(s) || s->copied >= s->copies)
		return MONO_NEVER;
	return s->copy_base + ssp_redundancy_at(s->copied + 1);
}

static mono_ms
sender_rto(const struct ssp_sender *s)
{
	mono_ms rto = ssp_rtt_rto(&s->core->rtt) + ssp_core_ack_delay(s->core);

	/* What little there is at first may go again before anything is known. */
	if (!s->core->rtt.have && s->nbulk == 0)
		rto = SENDER_RTO_FIRST;
	if (s->core->link != SSP_LINK_DATAGRAM)
		rto = MAX_OF(rto, (mono_ms)10000); /* nothing gets lost */
	return mono_min(
	    rto << (s->backoff > 0 ? s->backoff - 1 : 0), SSP_RTO_MAX);
}

static mono_ms
sender_retry_time(const struct ssp_sender *s)
{
	return sender_pending(s) ? s->retry : MONO_NEVER;
}

/* Bytes of parity on their way. */
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

/* Is there room on the link for a datagram of bulk?  When, if not? */
static mono_ms
sender_room_time(const struct ssp_sender *s, mono_ms now)
{
	struct ssp_core *c = s->core;
	size_t fly = c->loss.in_flight, parity = sender_parity_flying(s);
	mono_ms t;

	/* Like copies, parity is paced but not counted. */
	fly -= MIN_OF(fly, parity);
	if (c->cc_ops == NULL ||
	    c->cc_ops->budget(c->cc, now, fly) >= (c->mtu + c->overhead) / 2)
		return now;
	t = c->cc_ops->next_send(c->cc, now, fly);
	return MAX_OF(t, now + 1);
}

static mono_ms
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
	return MAX_OF(t, sender_room_time(s, now));
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

/* What follows the end of a flight of fragments, so that its loss shows. */
static mono_ms
sender_tail_time(const struct ssp_sender *s)
{
	if (s->nbulk == 0 || s->tail_sent >= s->tail || ssp_sender_more(s))
		return MONO_NEVER;
	return s->tail_base + ssp_redundancy_at(s->tail_sent + 1);
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

/* The receiver must keep what anything on its way is based on. */
static uint64_t
sender_throwaway(const struct ssp_sender *s)
{
	uint64_t t = s->sent[0].num;
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		t = MIN_OF(t, s->bulk[i]->base);
	return t;
}

static struct ssp_sent *
sender_find(struct ssp_sender *s, uint64_t num)
{
	unsigned i;

	for (i = 0; i < s->nsent; i++)
		if (s->sent[i].num == num)
			return &s->sent[i];
	return NULL;
}

/*
 * The state the peer probably has: the newest large one on its way, or else
 * the last of the run of states sent so recently that an ack cannot be here.
 */
static struct ssp_sent *
sender_assumed(struct ssp_sender *s, mono_ms now)
{
	mono_ms age = ssp_rtt_rto(&s->core->rtt) + ssp_core_ack_delay(s->core);
	struct ssp_sent *e = &s->sent[0];
	unsigned i;

	if (s->core->link != SSP_LINK_DATAGRAM)
		return sender_newest(s);
	if (s->nbulk > 0) {
		e = sender_find(s, s->bulk[s->nbulk - 1]->name);
		return e != NULL ? e : &s->sent[0];
	}
	for (i = 1; i < s->nsent; i++) {
		if (s->sent[i].last + age <= now)
			break;
		e = &s->sent[i];
	}
	return e;
}

/* Codes OLD -> obj (whose serialisation is in SER) as state NUM. */
static int
sender_encode(struct ssp_sender *s, struct ssp_sent *old, const void *obj,
    struct buf *ser, uint64_t num, struct buf *out)
{
	enum ssp_code_how how = SSP_CODE_BEST;
	struct ssp_coded from = { old->obj, &old->ser };
	struct ssp_coded to = { obj, ser };
	struct ssp_ins ins;
	size_t raw = 0;
	int r;

	if (s->full)
		how = ssp_ins_has_save(s->coder.ops) ? SSP_CODE_FULL
						     : SSP_CODE_PLAIN;
	memset(&ins, 0, sizeof ins);
	ins.new_num = num;
	ins.old_num = old->num;
	ins.throwaway = MIN_OF(sender_throwaway(s), old->num);
	r = ssp_ins_encode(&s->coder, how, &from, &to, &ins, out, &raw);
	s->core->st.raw_bytes += raw;
	s->core->st.coded_bytes += out->len;
	return r;
}

static bool
sender_is_small(const struct ssp_sender *s, size_t len)
{
	return len + 4 + SSP_ACK_ROOM <= s->core->mtu;
}

/* Makes room for one more state by dropping one of the middle. */
static void
sender_make_room(struct ssp_sender *s)
{
	unsigned i = SSP_SENT_MAX / 2, j, k;
	bool used;

	if (s->nsent < SSP_SENT_MAX)
		return;
	for (k = 0; k < SSP_SENT_MAX - 2; k++, i++) {
		if (i >= SSP_SENT_MAX - 1)
			i = 1;
		for (used = false, j = 0; j < s->nbulk; j++)
			used |= s->bulk[j]->name == s->sent[i].num;
		if (!used)
			break;
	}
	sent_fini(s, &s->sent[i]);
	s->nsent--;
	memmove(
	    s->sent + i, s->sent + i + 1, (s->nsent - i) * sizeof s->sent[0]);
}

/* Current becomes state NUM; its serialisation SER moves along. */
static struct ssp_sent *
sender_commit(struct ssp_sender *s, mono_ms now, uint64_t num, struct buf *ser)
{
	struct ssp_sent *e;

	sender_make_room(s);
	sender_push(s, num, s->coder.ops->clone(s->current), now);
	e = sender_newest(s);
	buf_fini(&e->ser);
	e->ser = *ser;
	buf_init(ser, ser->max);
	s->changed = s->collecting = false;
	s->core->st.states_sent++;
	return e;
}

static void
sender_take_token(struct ssp_sender *s, mono_ms now)
{
	sender_fill(s, now);
	s->tokens -= MIN_OF(s->tokens, (uint64_t)1000);
	if (s->boost > 0)
		s->boost--;
}

/* Writes the cached instruction as a STATE frame and arms the timers. */
static void
sender_put_state(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_sent *e = sender_newest(s);

	ssp_frame_put(w, SSP_FRAME_STATE, s->cache.data, s->cache.len);
	bug_assert(w->err == 0);
	e->last = now;
	e->pn = pn;
	/* Copies do not put off the retry of the round they belong to. */
	if (s->copied == 0)
		s->retry = now + sender_rto(s);
}

/* Copies of the newest state, from now on. */
static void
sender_arm_copies(struct ssp_sender *s, mono_ms now)
{
	s->copies = s->copied = 0;
	s->copy_base = now;
	if (s->cache.len <= SSP_COPY_SIZE && s->backoff <= 1)
		s->copies = ssp_core_copies(s->core);
}

/* Is loss known that is not a full queue's? */
static bool
sender_lossy(const struct ssp_sender *s)
{
	const struct ssp_core *c = s->core;

	return c->link == SSP_LINK_DATAGRAM &&
	       ssp_loss_rate(&c->loss) >= SENDER_LOSSY &&
	       !ssp_redundancy_queue(
		   ssp_rtt_srtt(&c->rtt), ssp_rtt_min(&c->rtt));
}

/* Begins a large instruction; ENC is its coded form. */
static void
sender_start_bulk(struct ssp_sender *s, mono_ms now, uint64_t num,
    uint64_t base, const struct buf *enc)
{
	struct ssp_bulk *b;

	b = ssp_bulk_new(num, base, enc->data, enc->len, 1, now);
	if (sender_lossy(s))
		ssp_bulk_parity(
		    b, (unsigned)((s->core->mtu - SENDER_SYMBOL_ROOM) /
				  SSP_BLOCK));
	s->bulk[s->nbulk++] = b;
	s->copies = s->copied = 0;
	s->retry = now + sender_rto(s);
	ssp_trace(
	    &s->core->trace, SSP_TRACE_BULK_STARTED, now, num, enc->len, num);
}

static size_t
sender_bulk_bytes(const struct ssp_sender *s)
{
	size_t n = 0;
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		n += s->bulk[i]->len;
	return n;
}

enum sender_start {
	START_NO,
	START_YES,
	START_ABANDONED
};

/* May a further large instruction of LEN bytes be begun? */
static enum sender_start
sender_may_start(struct ssp_sender *s, mono_ms now, size_t len)
{
	struct ssp_bulk *b;
	unsigned i;

	if (s->nbulk == 0)
		return START_YES;
	b = s->bulk[s->nbulk - 1];
	if (b->fresh > b->nblocks / 2 && s->input_at > b->made &&
	    now - s->abandoned >= SENDER_ABANDON_GAP) {
		/* The user did something: what was on its way is stale. */
		s->abandoned = now;
		sender_cancel_bulks(s, now);
		return START_ABANDONED;
	}
	for (i = 0; i < s->nbulk; i++)
		if (s->bulk[i]->fresh > 0)
			return START_NO;
	if (s->nbulk >= SSP_BULKS ||
	    sender_bulk_bytes(s) + len > SSP_BULK_BYTES)
		return START_NO;
	return START_YES;
}

/* The two ways to code the live object as the next state. */
struct sender_try {
	struct buf ser;
	struct buf enc[2]; /* from the acknowledged state; from the assumed */
	uint64_t base[2];
	bool have[2];
};

static void
try_init(struct sender_try *t, const struct ssp_object_ops *ops)
{
	memset(t, 0, sizeof *t);
	buf_init(&t->ser, MAX_OF(ops->save_max, (size_t)1));
	buf_init(&t->enc[0], SSP_INS_MAX);
	buf_init(&t->enc[1], SSP_INS_MAX);
}

static void
try_fini(struct sender_try *t)
{
	buf_fini(&t->ser);
	buf_fini(&t->enc[0]);
	buf_fini(&t->enc[1]);
}

/* False if the object is beyond all limits. */
static bool
sender_try_both(
    struct ssp_sender *s, mono_ms now, uint64_t num, struct sender_try *t)
{
	struct ssp_sent *front = &s->sent[0], *a = sender_assumed(s, now);

	t->base[0] = front->num;
	t->base[1] = a->num;
	t->have[0] =
	    sender_encode(s, front, s->current, &t->ser, num, &t->enc[0]) == 0;
	if (a == front || s->full ||
	    (t->have[0] && t->enc[0].len <= SSP_PRETRANSMIT))
		return t->have[0];
	t->have[1] =
	    sender_encode(s, a, s->current, &t->ser, num, &t->enc[1]) == 0;
	return t->have[0] || t->have[1];
}

/* Which of the two to use: the safe one, unless it is much longer. */
static unsigned
sender_choose(const struct ssp_sender *s, const struct sender_try *t)
{
	size_t safe = t->enc[0].len, quick = t->enc[1].len;
	size_t slack = SSP_PRETRANSMIT;

	if (!t->have[1])
		return 0;
	if (!t->have[0])
		return 1;
	if (sender_is_small(s, safe) &&
	    ssp_loss_rate(&s->core->loss) >= SENDER_LOSSY)
		slack = MAX_OF(slack, quick);
	return safe <= quick + slack ? 0 : 1;
}

/* Sends the small instruction T->enc[i] as the new newest state. */
static void
sender_send_small(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w,
    struct sender_try *t, unsigned i, uint64_t num)
{
	struct buf swap = s->cache;

	if (i == 0)
		sender_cancel_bulks(s, now);
	sender_commit(s, now, num, &t->ser);
	s->cache = t->enc[i];
	t->enc[i] = swap;
	s->cache_new = num;
	s->cache_old = t->base[i];
	sender_arm_copies(s, now);
	sender_put_state(s, now, pn, w);
	ssp_trace(&s->core->trace, SSP_TRACE_STATE_SENT, now, num, t->base[i],
	    s->cache.len);
}

/*
 * Gets the live object on its way as a new state.
 * Returns: true if a STATE frame was written.
 */
static bool
sender_frame(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	uint64_t num = ssp_sender_newest(s) + 1;
	enum sender_start start;
	struct sender_try t;
	bool small = false;
	unsigned i;

	try_init(&t, s->coder.ops);
	if (!sender_try_both(s, now, num, &t)) {
		s->too_big = true;
		s->retry = MONO_NEVER;
		goto out;
	}
	i = sender_choose(s, &t);
	small = sender_is_small(s, t.enc[i].len) &&
		ssp_frame_size(SSP_FRAME_STATE, t.enc[i].len) <= wr_left(w);
	if (small) {
		sender_take_token(s, now);
		sender_send_small(s, now, pn, w, &t, i, num);
		goto out;
	}
	start = sender_may_start(s, now, t.enc[i].len);
	if (start == START_ABANDONED && !t.have[0])
		start = START_NO;
	if (start == START_NO) {
		s->postponed = now + MAX_OF(sender_interval(s, now), 1u);
		goto out;
	}
	if (start == START_ABANDONED)
		i = 0; /* the assumed state was just given up */
	sender_take_token(s, now);
	sender_commit(s, now, num, &t.ser)->bulk = true;
	sender_start_bulk(s, now, num, t.base[i], &t.enc[i]);
out:
	try_fini(&t);
	return small;
}

/* Is the cached instruction still what the newest state needs? */
static bool
sender_cache_ok(const struct ssp_sender *s, const struct wr *w)
{
	return s->cache_new == ssp_sender_newest(s) && s->cache.len > 0 &&
	       s->cache_old >= s->sent[0].num &&
	       sender_is_small(s, s->cache.len) &&
	       ssp_frame_size(SSP_FRAME_STATE, s->cache.len) <= wr_left(w);
}

static bool
sender_copy(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_core *c = s->core;

	s->copied++;
	if (!sender_cache_ok(s, w) || !ssp_redundancy_spend(&c->redundancy, now,
					  s->cache.len + c->overhead)) {
		s->copied = s->copies;
		return false;
	}
	sender_put_state(s, now, pn, w);
	c->st.copies_sent++;
	ssp_trace(&c->trace, SSP_TRACE_COPY_SENT, now, s->cache_new, s->copied,
	    s->cache.len);
	return true;
}

/* Large instructions: asks about the end of the oldest one. */
static void
sender_probe_bulk(struct ssp_sender *s, mono_ms now)
{
	struct ssp_bulk *b = s->bulk[0];

	s->retry = now + sender_rto(s);
	if (ssp_sender_more(s))
		return; /* it waits for room, not for an answer */
	if (b->held < b->nblocks) {
		ssp_bulk_probe(b, 1 + ssp_core_copies(s->core));
		return;
	}
	/* All of it arrived: either the ack is lost or it cannot be used. */
	s->ping = true;
	if (++b->stuck >= 3)
		sender_cancel_bulks(s, now);
}

/* Nothing was heard of the newest state in time. */
static bool
sender_retry(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_core *c = s->core;

	c->st.timeouts++;
	if (c->last_heard <= s->retried && s->backoff < SENDER_BACKOFF_MAX)
		s->backoff++;
	s->retried = now;
	s->retry = now + sender_rto(s);
	ssp_trace(&c->trace, SSP_TRACE_TIMEOUT, now, s->backoff,
	    ssp_rtt_rto(&c->rtt), 0);
	if (s->nbulk > 0)
		sender_probe_bulk(s, now);
	if (s->nbulk > 0 && sender_newest(s)->bulk)
		return false;
	if (sender_cache_ok(s, w) &&
	    (s->cache_old == s->sent[0].num || s->nbulk > 0)) {
		sender_arm_copies(s, now);
		sender_put_state(s, now, pn, w);
		return true;
	}
	return sender_frame(s, now, pn, w);
}

static bool
sender_put_bulk(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_core *c = s->core;
	struct ssp_sent *e;
	unsigned i, n, repair, spares;

	for (i = 0; i < s->nbulk; i++) {
		spares = s->bulk[i]->spare_flying;
		n = ssp_bulk_put(s->bulk[i], now, pn, w, &repair);
		if (n == 0)
			continue;
		c->st.frags_sent++;
		c->st.parity_sent += s->bulk[i]->spare_flying > spares;
		if (repair > 0) {
			c->st.frags_repaired++;
			ssp_trace(&c->trace, SSP_TRACE_REPAIR, now,
			    s->bulk[i]->name, s->bulk[i]->cursor, repair);
		}
		if ((e = sender_find(s, s->bulk[i]->name)) != NULL)
			e->last = now;
		s->retry = now + sender_rto(s);
		s->tail = ssp_core_copies(c);
		s->tail_sent = 0;
		s->tail_base = now;
		return true;
	}
	return false;
}

enum ssp_put
ssp_sender_put(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	bool copy = sender_copy_time(s) <= now;

	if (sender_frame_time(s, now) <= now ||
	    (copy && s->changed && !s->too_big && s->nbulk == 0))
		if (sender_frame(s, now, pn, w))
			return SSP_PUT_STATE;
	if (sender_copy_time(s) <= now && sender_copy(s, now, pn, w))
		return SSP_PUT_STATE;
	if (sender_retry_time(s) <= now && sender_retry(s, now, pn, w))
		return SSP_PUT_STATE;
	if (sender_bulk_time(s, now) <= now && sender_put_bulk(s, now, pn, w))
		return SSP_PUT_BULK;
	if (sender_tail_time(s) <= now) {
		s->tail_sent++;
		s->ping = true;
	}
	return SSP_PUT_NONE;
}

bool
ssp_sender_ping(struct ssp_sender *s)
{
	bool p = s->ping;

	s->ping = false;
	return p;
}

void
ssp_sender_input(struct ssp_sender *s, mono_ms now)
{
	s->boost = SSP_INPUT_BOOST;
	s->input_at = now;
	s->postponed = 0;
}

/* What the peer has need not be held, nor said, any more. */
static void
sender_subtract(struct ssp_sender *s)
{
	const struct ssp_object_ops *ops = s->coder.ops;
	void *known;
	unsigned i;

	if (ops->subtract == NULL)
		return;
	known = ops->clone(s->sent[0].obj);
	for (i = 0; i < s->nsent; i++)
		ops->subtract(s->sent[i].obj, known);
	ops->subtract(s->current, known);
	ops->free(known);
}

void
ssp_sender_ack(struct ssp_sender *s, mono_ms now, uint64_t num)
{
	unsigned i, n = 0;

	while (n < s->nsent && s->sent[n].num != num)
		n++;
	if (n == 0 || n == s->nsent)
		return;
	ssp_trace(&s->core->trace, SSP_TRACE_STATE_ACKED, now, num,
	    now - s->sent[n].first, 0);
	s->core->st.last_proven = s->sent[n].last;
	for (i = 0; i < n; i++)
		sent_fini(s, &s->sent[i]);
	s->nsent -= n;
	memmove(s->sent, s->sent + n, s->nsent * sizeof s->sent[0]);
	while (s->nbulk > 0 && s->bulk[0]->name <= num)
		sender_drop_bulk(s, 0);
	s->backoff = 0;
	s->full = false;
	if (s->nsent == 1) {
		s->copies = s->copied = 0;
		s->retry = MONO_NEVER;
	}
	sender_subtract(s);
}

void
ssp_sender_packet(struct ssp_sender *s, mono_ms now, uint64_t pn, bool acked)
{
	struct ssp_sent *e = sender_newest(s);
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		if (acked)
			ssp_bulk_acked(s->bulk[i], now, pn);
		else
			ssp_bulk_lost(s->bulk[i], pn, ssp_core_copies(s->core));
	/* The last transmission of the newest state is known to be lost. */
	if (!acked && sender_pending(s) && !e->bulk && e->pn == pn &&
	    s->copied >= s->copies && s->retry != MONO_NEVER)
		s->retry = mono_min(s->retry, now);
}

int
ssp_sender_missing(struct ssp_sender *s, mono_ms now, uint64_t pn,
    const uint8_t *body, size_t len)
{
	struct rd r;
	uint64_t name;
	unsigned i;

	rd_init(&r, body, len);
	name = rd_varint(&r);
	peer_check(r.err == 0);
	for (i = 0; i < s->nbulk; i++)
		if (s->bulk[i]->name == name)
			return ssp_bulk_report(s->bulk[i], now, pn, &r,
			    &s->core->loss, ssp_core_copies(s->core));
	return 0;
}

void
ssp_sender_resync(struct ssp_sender *s, mono_ms now)
{
	if (s->full)
		return;
	s->full = true;
	sender_cancel_bulks(s, now);
	s->cache_new = 0;
	if (sender_pending(s))
		s->retry = now;
}

void
ssp_sender_wake(struct ssp_sender *s, mono_ms now)
{
	s->backoff = 0;
	if (sender_pending(s) && s->retry != MONO_NEVER)
		s->retry = mono_min(s->retry, now);
}

bool
ssp_sender_unacked(struct ssp_sender *s, mono_ms now)
{
	return sender_changed(s, now) || sender_pending(s);
}

bool
ssp_sender_flushed(struct ssp_sender *s, mono_ms now)
{
	return !sender_changed(s, now) && !ssp_sender_more(s);
}

bool
ssp_sender_check(const struct ssp_sender *s)
{
	unsigned i;

	if (s->nsent < 1 || s->nsent > SSP_SENT_MAX || s->nbulk > SSP_BULKS)
		return false;
	for (i = 1; i < s->nsent; i++)
		if (s->sent[i].num <= s->sent[i - 1].num)
			return false;
	for (i = 1; i < s->nbulk; i++)
		if (s->bulk[i]->name <= s->bulk[i - 1]->name)
			return false;
	return sender_bulk_bytes(s) <= SSP_BULK_BYTES + SSP_INS_MAX;
}
