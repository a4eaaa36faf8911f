/*
 * Makes instructions of the live object: chooses the old state and small or
 * large, and starts sending.
 */
#include <string.h>

#include "base/mem.h"
#include "ssp/frame.h"
#include "ssp/sender_int.h"

#define SENDER_ABANDON_GAP 1000 /* ms between cancels of large frames */
#define SENDER_GUESS_SIZE 300   /* bytes; larger gets no copy before a loss */
#define SENDER_PROOF_FROM 400   /* bytes; smaller datagrams pass every path */
#define SENDER_PROOF_LASTS 4500 /* ms; a little less than in ssp/pmtu.c */
#define SENDER_PROOF_NEAR 150   /* bytes */
#define SENDER_FLOW_GAP 1000    /* maximum ms between states of a flow */
#define SENDER_FLOW 3u          /* unrequested states that make a flow */
#define SENDER_LOSSY 0.01       /* loss rate for safe diffs and parity */
#define SENDER_SYMBOL_ROOM 96   /* bytes of a datagram besides a symbol */

/* The receiver must keep the old states of everything in flight. */
static uint64_t
sender_throwaway(const struct ssp_sender *s)
{
	uint64_t t = s->sent[0].num;
	unsigned i;

	for (i = 0; i < s->nbulk; i++)
		t = MIN_OF(t, s->bulk[i]->base);
	return t;
}

mono_ms
sender_ack_wait(const struct ssp_sender *s, unsigned i)
{
	switch (s->sent[i].haste) {
	case SSP_HASTE_ANSWER:
		return SSP_ACK_ANSWER;
	case SSP_HASTE_LAZY:
		/* A later state may delay its ack further. */
		return i + 1 < s->nsent ? s->core->flow_tx : SSP_ACK_LAZY;
	case SSP_HASTE_COVERED:
		return SSP_ACK_COVERED;
	case SSP_HASTE_SOON:
		break;
	}
	return ssp_core_ack_delay(s->core);
}

static bool
sender_among(uint64_t num, const uint64_t *set, unsigned n)
{
	while (n > 0)
		if (set[--n] == num)
			return true;
	return false;
}

bool
sender_broken(const struct ssp_sender *s)
{
	uint64_t bad[SSP_SENT_MAX];
	unsigned i, n = 0;

	for (i = 1; i < s->nsent; i++)
		if (s->sent[i].lost || sender_among(s->sent[i].base, bad, n))
			bad[n++] = s->sent[i].num;
	return n > 0 && bad[n - 1] == ssp_sender_newest(s);
}

/*
 * Returns the state that the peer probably has: the newest large one in flight,
 * else the last of the recent states whose ack is not overdue.
 */
static struct ssp_sent *
sender_assumed(struct ssp_sender *s, mono_ms now)
{
	mono_ms rto = ssp_rtt_rto(&s->core->rtt), age;
	struct ssp_sent *e = &s->sent[0];
	uint64_t bad[SSP_SENT_MAX];
	unsigned i, nbad = 0;

	if (s->core->link != SSP_LINK_DATAGRAM)
		return sender_newest(s);
	if (s->nbulk > 0) {
		e = sender_find(s, s->bulk[s->nbulk - 1]->name);
		return e != NULL ? e : &s->sent[0];
	}
	for (i = 1; i < s->nsent; i++) {
		age = rto + sender_ack_wait(s, i);
		if (s->sent[i].last + age <= now)
			break;
		if (s->sent[i].lost || sender_among(s->sent[i].base, bad, nbad))
			bad[nbad++] = s->sent[i].num;
		else
			e = &s->sent[i];
	}
	return e;
}

/* Codes OBJ (serialisation in SER) from OLD as state NUM; DIFF gets the diff. */
static int
sender_encode(struct ssp_sender *s, struct ssp_sent *old, const void *obj,
    struct buf *ser, uint64_t num, struct buf *diff, struct buf *out)
{
	enum ssp_code_how how = SSP_CODE_BEST;
	struct ssp_coded from = { .obj = old->obj, &old->ser, &old->past };
	struct ssp_coded to = { .obj = obj, ser, .diff = diff };
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

bool
sender_is_small(const struct ssp_sender *s, size_t len)
{
	return len + 4 + SSP_ACK_ROOM <= s->core->mtu;
}

/* Two codings of the live object as the next state. */
struct sender_try {
	struct buf ser;
	struct buf enc[2]; /* from the acknowledged, from the assumed state */
	struct buf diff[2];
	uint64_t base[2];
	bool have[2];
	void *part; /* a part, sent instead of it, or NULL */
};

/*
 * Records current, or T's part, as state NUM; takes its serialisation from T.
 */
static struct ssp_sent *
sender_commit(struct ssp_sender *s, mono_ms now, uint64_t num,
    struct sender_try *t, unsigned i)
{
	struct ssp_sent *e = sender_find(s, t->base[i]);
	struct ssp_coded old = { .obj = e->obj, &e->ser, &e->past };
	struct buf *ser = &t->ser;
	struct ssp_past past;

	ssp_ins_past(
	    &s->coder, t->enc[i].data, t->enc[i].len, &t->diff[i], &old, &past);
	sender_make_room(s);
	s->parting = false;
	if (t->part != NULL)
		s->parting = !s->coder.ops->equal(t->part, s->current);
	s->dirty |= s->parting;
	sender_push(s, num,
	    s->coder.ops->clone(t->part != NULL ? t->part : s->current), now);
	e = sender_newest(s);
	e->base = t->base[i];
	e->past = past;
	buf_fini(&e->ser);
	e->ser = *ser;
	buf_init(ser, ser->max);
	s->changed = s->collecting = false;
	s->hold = 0;
	s->run = now - s->made < SSP_RUN_GAP ? s->run + 1 : 0;
	if (s->core->answering || now - s->made > SENDER_FLOW_GAP)
		s->unasked = 0;
	s->unasked += !s->core->answering;
	s->gap = now - s->made;
	s->made = now;
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

/*
 * Returns whether the ack of LEN bytes should come soon, as a proof that large
 * datagrams arrive: else the connection suspects the path and probes it, which
 * costs more than an ack.
 */
static bool
sender_proof(struct ssp_sender *s, mono_ms now, size_t len)
{
	if (len <= SENDER_PROOF_FROM ||
	    (s->proof_size > 0 && now - s->proof_at < SENDER_PROOF_LASTS &&
		len <= s->proof_size + SENDER_PROOF_NEAR))
		return false;
	s->proof_at = now;
	s->proof_size = len;
	return true;
}

void
sender_proved(struct ssp_sender *s, const struct ssp_sent *e)
{
	if (e->size <= SENDER_PROOF_FROM || e->last < s->proof_at ||
	    (e->size + SENDER_PROOF_NEAR < s->proof_size &&
		e->last - s->proof_at < SENDER_PROOF_LASTS))
		return;
	s->proof_at = e->last;
	s->proof_size = e->size;
}

/*
 * Chooses how soon the ack of the newest state is needed.  On a link without
 * loss a first transmission needs no prompt ack: the end that asks repeats its
 * question if no answer arrives, and later states of a flow cover earlier ones.
 * A repetition needs one.
 */
static enum ssp_haste
sender_haste(struct ssp_sender *s, mono_ms now, const struct ssp_sent *e)
{
	const struct ssp_core *c = s->core;

	if (e->pn != 0 || s->retried == now || s->backoff > 0 || s->nbulk > 0 ||
	    !ssp_core_lazy(c) || sender_proof(s, now, s->cache.len))
		return SSP_HASTE_SOON;
	if (c->asks)
		return c->patient ? SSP_HASTE_LAZY : SSP_HASTE_ANSWER;
	if (c->answering || c->patient)
		return SSP_HASTE_COVERED;
	return s->unasked >= SENDER_FLOW ? SSP_HASTE_LAZY : SSP_HASTE_SOON;
}

/*
 * Returns whether the newest state's ack, on a lossy link, may wait for a key
 * of the user, who types: the next echo repeats this one before a timeout.
 */
static bool
sender_in_run(const struct ssp_sender *s)
{
	const struct ssp_core *c = s->core;

	return !c->asks && c->rtt.have && s->round == 0 && s->nbulk == 0 &&
	       ssp_sender_busy(s) && ssp_core_copies(c) > 0 &&
	       s->cache.len <= SENDER_PROOF_FROM;
}

/* Writes the cached instruction as a STATE frame and starts the timers. */
void
sender_put_state(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	static const uint8_t bits[] = {
		[SSP_HASTE_SOON] = 0,
		[SSP_HASTE_ANSWER] = SSP_INS_ANSWER,
		[SSP_HASTE_LAZY] = SSP_INS_LAZY,
		[SSP_HASTE_COVERED] = SSP_INS_HASTE,
	};
	struct ssp_sent *e = sender_newest(s);

	e->haste =
	    sender_in_run(s) ? SSP_HASTE_ANSWER : sender_haste(s, now, e);
	e->size = s->cache.len;
	s->cache.data[0] &= (uint8_t)~SSP_INS_HASTE;
	s->cache.data[0] |= bits[e->haste];
	if (e->haste >= SSP_HASTE_LAZY)
		s->core->lazy_at = now;
	else if (e->haste == SSP_HASTE_ANSWER || e->pn != 0)
		s->core->answer_at = now;
	ssp_frame_put(w, SSP_FRAME_STATE, s->cache.data, s->cache.len);
	bug_assert(w->err == 0);
	e->last = now;
	e->pn = pn;
	e->lost = false;
	/* Copies do not delay the retry of their round. */
	if (s->copied == 0)
		s->retry = now + sender_rto(s);
}

/*
 * Returns the copies of the newest state.  A new link may lose what has not
 * been seen to get lost: keys and their echoes get copies until enough of them
 * have arrived.
 */
static unsigned
sender_copies(const struct ssp_sender *s, mono_ms now)
{
	const struct ssp_core *c = s->core;
	unsigned n = ssp_core_copies(c);

	if (n > 0 || s->cache.len > SENDER_GUESS_SIZE || c->patient ||
	    (c->rtt.have && ssp_rtt_srtt(&c->rtt) < SENDER_LAN_RTT) ||
	    !sender_awaited(s, now))
		return n;
	return ssp_core_copies_at(c, ssp_loss_expect(&c->loss));
}

/* Schedules the copies of the newest state. */
void
sender_arm_copies(struct ssp_sender *s, mono_ms now)
{
	s->copies = s->copied = 0;
	s->copy_base = now;
	if (s->cache.len <= SSP_COPY_SIZE && s->backoff <= 1)
		s->copies = sender_copies(s, now);
	s->copies = MIN_OF(s->copies, sender_schedule(s)->n);
}

/* Returns whether there is loss that a full queue does not explain. */
static bool
sender_lossy(const struct ssp_sender *s)
{
	const struct ssp_core *c = s->core;

	return c->link == SSP_LINK_DATAGRAM &&
	       ssp_loss_rate(&c->loss) >= SENDER_LOSSY &&
	       !ssp_redundancy_queue(
		   ssp_rtt_srtt(&c->rtt), ssp_rtt_min(&c->rtt));
}

/* Starts the large instruction ENC. */
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

size_t
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

bool
sender_stale(const struct ssp_sender *s, mono_ms now)
{
	const struct ssp_bulk *b;

	if (s->nbulk == 0)
		return false;
	b = s->bulk[s->nbulk - 1];
	return b->fresh > b->nblocks / 2 && s->input_at > b->made &&
	       now - s->abandoned >= SENDER_ABANDON_GAP;
}

/* Decides whether another large instruction of LEN bytes may start. */
static enum sender_start
sender_may_start(struct ssp_sender *s, mono_ms now, size_t len)
{
	unsigned i;

	if (s->nbulk == 0)
		return START_YES;
	if (sender_stale(s, now)) {
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

static void
try_init(struct sender_try *t, const struct ssp_object_ops *ops)
{
	memset(t, 0, sizeof *t);
	buf_init(&t->ser, MAX_OF(ops->save_max, (size_t)1));
	buf_init(&t->enc[0], SSP_INS_MAX);
	buf_init(&t->enc[1], SSP_INS_MAX);
	buf_init(&t->diff[0], SSP_INS_DIFF_MAX);
	buf_init(&t->diff[1], SSP_INS_DIFF_MAX);
}

static void
try_fini(struct sender_try *t, const struct ssp_object_ops *ops)
{
	if (t->part != NULL)
		ops->free(t->part);
	buf_fini(&t->ser);
	buf_fini(&t->enc[0]);
	buf_fini(&t->enc[1]);
	buf_fini(&t->diff[0]);
	buf_fini(&t->diff[1]);
}

/*
 * Returns whether the next state follows unrequested ones on a link without
 * loss.  Their acks may wait for a second, so the acknowledged state is old and
 * differs much.  If one is lost after all, the peer acks as soon as it gets the
 * next one.
 */
static bool
sender_in_flow(const struct ssp_sender *s)
{
	return ssp_core_lazy(s->core) && !s->core->answering &&
	       s->unasked >= SENDER_FLOW &&
	       ssp_loss_rate(&s->core->loss) < SENDER_LOSSY;
}

/* Codes the live object from OLD as coding I; false if none can carry it. */
static bool
sender_try(struct ssp_sender *s, struct ssp_sent *old, uint64_t num,
    struct sender_try *t, unsigned i)
{
	t->base[i] = old->num;
	t->have[i] = sender_encode(s, old, s->current, &t->ser, num,
			 &t->diff[i], &t->enc[i]) == 0;
	return t->have[i];
}

/* Tries both codings; false if no instruction can carry the object. */
static bool
sender_try_both(
    struct ssp_sender *s, mono_ms now, uint64_t num, struct sender_try *t)
{
	struct ssp_sent *front = &s->sent[0], *a = sender_assumed(s, now);
	const bool two = a != front && !s->full;
	const bool flow = two && sender_in_flow(s);

	/* A large one must not depend on a state that may be lost. */
	if (flow && sender_try(s, a, num, t, 1) &&
	    sender_is_small(s, t->enc[1].len))
		return true;
	if (!sender_try(s, front, num, t, 0) || t->enc[0].len > SSP_PRETRANSMIT)
		if (two && !flow)
			(void)sender_try(s, a, num, t, 1);
	return t->have[0] || t->have[1];
}

/*
 * Returns the old state of a part: one that the peer has, or will have before
 * anything sent now.
 */
static struct ssp_sent *
sender_part_base(struct ssp_sender *s)
{
	struct ssp_sent *e = sender_newest(s);

	if (s->full || s->core->link == SSP_LINK_DATAGRAM ||
	    (e->bulk &&
		(s->nbulk == 0 || s->bulk[s->nbulk - 1]->name != e->num)))
		return &s->sent[0];
	return e;
}

/* Makes T the next part on the way to current; false if there is none. */
static bool
sender_part(struct ssp_sender *s, uint64_t num, struct sender_try *t)
{
	struct ssp_sent *base = sender_part_base(s);
	unsigned i = base == &s->sent[0] ? 0 : 1;

	if (s->coder.ops->part == NULL)
		return false;
	buf_clear(&t->ser);
	buf_clear(&t->enc[i]);
	t->part = s->coder.ops->part(
	    s->full ? NULL : base->obj, s->current, s->parting ? num : 0);
	t->base[i] = base->num;
	t->have[!i] = false;
	t->have[i] = sender_encode(s, base, t->part, &t->ser, num, &t->diff[i],
			 &t->enc[i]) == 0;
	return t->have[i];
}

/* Stops sending until the object, or the state of the peer, changes. */
static void
sender_too_big(struct ssp_sender *s, mono_ms now, uint64_t num)
{
	s->too_big = true;
	s->core->st.too_big++;
	if (!s->big_told)
		ssp_trace(&s->core->trace, SSP_TRACE_TOO_BIG, now, num,
		    s->sent[0].num, 0);
	s->big_told = true;
	if (!sender_pending(s))
		s->retry = MONO_NEVER;
}

/* Codes the next state into T; START_NO: not now. */
static enum sender_start
sender_prepare(
    struct ssp_sender *s, mono_ms now, uint64_t num, struct sender_try *t)
{
	if (!s->parting && sender_try_both(s, now, num, t))
		return START_YES;
	if (sender_may_start(s, now, SSP_PART_MAX) == START_NO) {
		s->postponed = now + MAX_OF(sender_interval(s, now), 1u);
		return START_NO;
	}
	if (sender_part(s, num, t))
		return START_YES;
	sender_too_big(s, now, num);
	return START_NO;
}

/* Chooses a coding: the safe one, unless it is much longer. */
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

/* Sends the small instruction T->enc[i] as the newest state. */
static void
sender_send_small(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w,
    struct sender_try *t, unsigned i, uint64_t num)
{
	struct buf swap = s->cache;

	if (i == 0)
		sender_cancel_bulks(s, now);
	sender_commit(s, now, num, t, i);
	s->cache = t->enc[i];
	t->enc[i] = swap;
	s->cache_new = num;
	s->cache_old = t->base[i];
	s->cache_known = i == 0;
	if (s->retried != now)
		s->round = 0;
	sender_arm_copies(s, now);
	sender_put_state(s, now, pn, w);
	ssp_trace(&s->core->trace, SSP_TRACE_STATE_SENT, now, num, t->base[i],
	    s->cache.len);
}

/*
 * Starts sending the live object as a new state.
 * Returns: true if a STATE frame was written.
 */
bool
sender_frame(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	uint64_t num = ssp_sender_newest(s) + 1;
	enum sender_start start;
	struct sender_try t;
	bool small = false;
	unsigned i;

	sender_settle(s);
	try_init(&t, s->coder.ops);
	if (sender_prepare(s, now, num, &t) == START_NO)
		goto out;
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
		i = 0; /* the assumed state was just cancelled */
	sender_take_token(s, now);
	sender_commit(s, now, num, &t, i)->bulk = true;
	sender_start_bulk(s, now, num, t.base[i], &t.enc[i]);
out:
	try_fini(&t, s->coder.ops);
	return small;
}
