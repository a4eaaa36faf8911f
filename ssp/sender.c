/*
 * sent[0] is the newest state that the peer has acknowledged, sent[nsent - 1]
 * the newest one sent.  When the live object differs from the latter and a
 * frame may be sent (collection time over, a token left), the sender makes an
 * instruction:
 *
 *  - Small, if it fits a datagram: sent at once.  Its old state is the
 *    acknowledged one, unless a diff from the assumed state is much shorter, or
 *    nobody asked for the state and the link loses nothing.
 *    It is repeated as the measured loss requires, and after a timeout.  It
 *    replaces every larger instruction still in flight.
 *  - Large otherwise: cut into blocks (struct ssp_bulk), which the congestion
 *    personality paces and which are repaired one by one.  No further large
 *    instruction starts while one has blocks that were never sent; states in
 *    between are skipped.
 *
 * If the difference is too long for one instruction, the sender sends a state
 * in between (object.h: part), and the next part when the peer has that.
 *
 * Each frame interval adds a token and a few accumulate, so that an isolated
 * change never waits.  Output that follows the peer's input (its echo) has
 * tokens of its own.
 */
#include "ssp/sender.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"
#include "ssp/sender_int.h"

#define SENDER_BACKOFF_MAX 10

static void
sent_fini(struct ssp_sender *s, struct ssp_sent *e)
{
	s->coder.ops->free(e->obj);
	buf_fini(&e->ser);
	ssp_past_fini(&e->past);
}

void
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

/* Cancels all large instructions: something newer replaces them. */
void
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

struct ssp_sent *
sender_find(struct ssp_sender *s, uint64_t num)
{
	unsigned i;

	for (i = 0; i < s->nsent; i++)
		if (s->sent[i].num == num)
			return &s->sent[i];
	return NULL;
}

/* Drops the oldest N states; the one after them takes their place. */
static void
sender_forget(struct ssp_sender *s, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		sent_fini(s, &s->sent[i]);
	s->nsent -= n;
	memmove(s->sent, s->sent + n, s->nsent * sizeof s->sent[0]);
}

void
sender_settle(struct ssp_sender *s)
{
	if (s->core->link == SSP_LINK_LOCAL && !s->full && s->nbulk == 0)
		sender_forget(s, s->nsent - 1);
}

/* Drops a state from the middle if the array is full. */
void
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

/*
 * Returns whether the cached instruction still makes the newest state.  It does
 * so from an older state than the newest acknowledged one, too, if the peer had
 * that: no later instruction allows the peer to forget it.
 */
static bool
sender_cache_ok(const struct ssp_sender *s, const struct wr *w)
{
	return s->cache_new == ssp_sender_newest(s) && s->cache.len > 0 &&
	       (s->cache_known || s->cache_old >= s->sent[0].num) &&
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

/* Probes the oldest large instruction after a timeout. */
static void
sender_probe_bulk(struct ssp_sender *s, mono_ms now)
{
	struct ssp_bulk *b = s->bulk[0];

	s->retry = now + sender_rto(s);
	if (ssp_sender_more(s))
		return; /* it waits for budget, not for an ack */
	if (b->held < b->nblocks) {
		ssp_bulk_probe(b, 1 + ssp_core_copies(s->core));
		return;
	}
	/* All blocks arrived: the ack is lost, or the peer cannot apply it. */
	s->ping = true;
	if (++b->stuck >= 3)
		sender_cancel_bulks(s, now);
}

/* Handles the timeout of the newest state. */
static bool
sender_retry(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w)
{
	struct ssp_core *c = s->core;

	c->st.timeouts++;
	if (c->last_heard <= s->retried && s->backoff < SENDER_BACKOFF_MAX)
		s->backoff++;
	s->retried = now;
	s->round++;
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
	    (copy && s->changed && !s->too_big && !s->parting && s->nbulk == 0))
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
ssp_sender_copying(const struct ssp_sender *s, mono_ms now)
{
	return s->round == 0 && s->copied > 0 && !s->changed && !s->dirty &&
	       !ssp_loss_bunched(&s->core->loss) && sender_copy_time(s) <= now;
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

/* Removes from all states the prefix that the peer has. */
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
	/* More of the object may be visible (object.h: subtract). */
	s->dirty = true;
}

void
ssp_sender_ack(struct ssp_sender *s, mono_ms now, uint64_t num)
{
	unsigned i, n = 0;

	if (num <= ssp_sender_newest(s))
		s->acked = MAX_OF(s->acked, num);
	while (n < s->nsent && s->sent[n].num != num)
		n++;
	if (n == 0 || n == s->nsent)
		return;
	ssp_trace(&s->core->trace, SSP_TRACE_STATE_ACKED, now, num,
	    now - s->sent[n].first, 0);
	s->core->st.last_proven = s->sent[n].last;
	for (i = 1; i <= n; i++)
		sender_proved(s, &s->sent[i]);
	sender_forget(s, n);
	s->cache_known |= s->cache_old == num;
	while (s->nbulk > 0 && s->bulk[0]->name <= num)
		sender_drop_bulk(s, 0);
	s->backoff = 0;
	s->full = false;
	s->too_big = false;
	if (s->nsent == 1) {
		s->copies = s->copied = 0;
		s->retry = MONO_NEVER;
	}
	sender_subtract(s);
}

void
ssp_sender_packet(struct ssp_sender *s, mono_ms now, uint64_t pn, bool acked)
{
	unsigned i;

	for (i = 1; i < s->nsent; i++)
		if (!acked && !s->sent[i].bulk && s->sent[i].pn == pn)
			s->sent[i].lost = true;
	for (i = 0; i < s->nbulk; i++)
		if (acked)
			ssp_bulk_acked(s->bulk[i], now, pn);
		else
			ssp_bulk_lost(s->bulk[i], pn, ssp_core_copies(s->core));
	/* The peer cannot have the newest state: retry now. */
	if (!acked && sender_pending(s) && !sender_newest(s)->bulk &&
	    sender_broken(s) && s->copied >= s->copies &&
	    s->retry != MONO_NEVER)
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
	s->too_big = false;
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

void
ssp_sender_again(struct ssp_sender *s, mono_ms now)
{
	mono_ms srtt = ssp_rtt_srtt(&s->core->rtt);

	/* A state that asked for a prompt ack has its own timer. */
	if (!sender_pending(s) || s->nbulk > 0 ||
	    sender_newest(s)->haste < SSP_HASTE_LAZY ||
	    now - sender_newest(s)->last < srtt + srtt / 8)
		return;
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
