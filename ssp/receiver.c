#include "ssp/receiver.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define RECEIVER_RESYNC_GAP 200 /* ms between two requests for a full state */

void
ssp_receiver_init(struct ssp_receiver *r, struct ssp_core *core,
    const struct ssp_coder *coder, void *initial)
{
	memset(r, 0, sizeof *r);
	r->core = core;
	r->coder = *coder;
	r->cap = 8;
	r->state = mem_calloc(r->cap, sizeof *r->state);
	r->state[0].obj = initial;
	r->nstate = 1;
	r->seen = coder->ops->clone(initial);
	ssp_reasm_init(&r->reasm);
}

static void
received_fini(struct ssp_receiver *r, struct ssp_received *s)
{
	r->own -= s->own;
	r->coder.ops->free(s->obj);
	ssp_past_fini(&s->past);
}

void
ssp_receiver_fini(struct ssp_receiver *r)
{
	unsigned i;

	for (i = 0; i < r->nstate; i++)
		received_fini(r, &r->state[i]);
	mem_free(r->state);
	r->coder.ops->free(r->seen);
	ssp_reasm_fini(&r->reasm);
}

/* Returns the index of the first state with a number >= NUM. */
static unsigned
receiver_index(const struct ssp_receiver *r, uint64_t num)
{
	unsigned lo = 0, hi = r->nstate, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (r->state[mid].num < num)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct ssp_received *
receiver_find(const struct ssp_receiver *r, uint64_t num)
{
	unsigned i = receiver_index(r, num);

	return i < r->nstate && r->state[i].num == num ? &r->state[i] : NULL;
}

/* Drops states below NUM, which the peer will not use as old states. */
static void
receiver_throwaway(struct ssp_receiver *r, uint64_t num)
{
	unsigned i, n = receiver_index(r, num);

	n = MIN_OF(n, r->nstate - 1); /* always keep the newest */
	if (n == 0)
		return;
	for (i = 0; i < n; i++)
		received_fini(r, &r->state[i]);
	r->nstate -= n;
	memmove(r->state, r->state + n, r->nstate * sizeof *r->state);
}

static void
receiver_insert(struct ssp_receiver *r, uint64_t num, void *obj,
    const struct ssp_past *past, size_t own)
{
	unsigned i = receiver_index(r, num);

	if (r->nstate == r->cap) {
		r->cap *= 2;
		r->state = mem_resize(r->state, r->cap, sizeof *r->state);
	}
	memmove(
	    r->state + i + 1, r->state + i, (r->nstate - i) * sizeof *r->state);
	r->state[i] = (struct ssp_received){ num, obj, *past, own };
	r->own += own;
	r->nstate++;
}

/*
 * At the limit, accepts one state now and then, so that the peer can recover;
 * true if this one must be dropped.
 */
static bool
receiver_quench(struct ssp_receiver *r, mono_ms now, size_t own)
{
	/* security: else one peer fills the memory with states. */
	if (r->own_max > 0 && r->own > 0 && r->own + own > r->own_max) {
		r->core->st.quenched++;
		return true;
	}
	if (r->nstate < SSP_RECEIVED_MAX)
		return false;
	if (now < r->quench) {
		r->core->st.quenched++;
		return true;
	}
	r->quench = now + SSP_RECEIVED_QUENCH;
	received_fini(r, &r->state[0]);
	r->nstate--;
	memmove(r->state, r->state + 1, r->nstate * sizeof *r->state);
	return false;
}

static void
receiver_mismatch(
    struct ssp_receiver *r, mono_ms now, const struct ssp_ins *ins)
{
	r->core->st.mismatches++;
	ssp_trace(&r->core->trace, SSP_TRACE_STATE_MISMATCH, now, ins->new_num,
	    ins->old_num, 0);
	if (now - r->resync_at >= RECEIVER_RESYNC_GAP || r->resync_at == 0) {
		r->resync = true;
		r->resync_at = now;
	}
}

static void
receiver_past(struct ssp_receiver *r, const struct ssp_received *base,
    const uint8_t *data, size_t len, const struct buf *diff,
    struct ssp_past *past)
{
	struct buf ser;
	struct ssp_coded old = { .obj = base->obj, &ser, &base->past };

	buf_init(&ser, MAX_OF(r->coder.ops->save_max, (size_t)1));
	ssp_ins_past(&r->coder, data, len, diff, &old, past);
	buf_fini(&ser);
}

/* Makes the new state of an instruction from its old state BASE. */
static int
receiver_make(struct ssp_receiver *r, mono_ms now, const struct ssp_ins *ins,
    const struct ssp_received *base, const uint8_t *data, size_t len)
{
	bool newest = ins->new_num > ssp_receiver_newest(r);
	struct ssp_past past;
	struct buf diff;
	size_t own = 0;
	void *obj;
	int e;

	buf_init(&diff, SSP_INS_DIFF_MAX);
	e = ssp_ins_apply(&r->coder, ins, base->obj, &base->past, &diff, &obj);
	if (e == -ERR_STATE)
		receiver_mismatch(r, now, ins);
	if (e != 0) {
		buf_fini(&diff);
		return e == -ERR_STATE ? SSP_NEWS_NONE : e;
	}
	receiver_past(r, base, data, len, &diff, &past);
	buf_fini(&diff);
	if (r->coder.ops->own != NULL)
		own = r->coder.ops->own(obj, base->obj);
	receiver_throwaway(r, ins->throwaway);
	if (receiver_quench(r, now, own)) {
		r->coder.ops->free(obj);
		ssp_past_fini(&past);
		return SSP_NEWS_NONE;
	}
	receiver_insert(r, ins->new_num, obj, &past, own);
	r->core->st.states_applied++;
	ssp_trace(&r->core->trace, SSP_TRACE_STATE_APPLIED, now, ins->new_num,
	    ins->old_num, len);
	return newest ? SSP_NEWS_STATE : SSP_NEWS_PART;
}

/*
 * Processes one whole instruction.  Returns enum ssp_news, an error, or
 * -ERR_AGAIN if its old state has not arrived.
 */
static int
receiver_use(
    struct ssp_receiver *r, mono_ms now, const uint8_t *data, size_t len)
{
	const struct ssp_received *base;
	struct ssp_ins ins;
	int e;

	if ((e = ssp_ins_get(&ins, data, len)) != 0)
		return e;
	if (receiver_find(r, ins.new_num) != NULL) {
		r->core->st.duplicates++;
		return SSP_NEWS_NONE;
	}
	if (ins.new_num < r->state[0].num) {
		r->core->st.too_old++;
		return SSP_NEWS_NONE;
	}
	if (ins.old_num == ins.new_num)
		base = &r->state[r->nstate - 1];
	else
		base = receiver_find(r, ins.old_num);
	if (base == NULL) {
		if (ins.old_num < r->state[0].num) {
			r->core->st.too_old++;
			return SSP_NEWS_NONE;
		}
		return -ERR_AGAIN;
	}
	return receiver_make(r, now, &ins, base, data, len);
}

/* Processes instructions that waited for a state that has arrived. */
static int
receiver_orphans(struct ssp_receiver *r, mono_ms now)
{
	struct ssp_reasm_slot *s;
	int e, best = SSP_NEWS_NONE;
	bool again = ssp_reasm_pending(&r->reasm);
	unsigned i;

	while (again) {
		again = false;
		for (i = 0; i < SSP_REASM_SLOTS; i++) {
			s = &r->reasm.slot[i];
			if (s->data == NULL || s->held < s->nblocks)
				continue;
			e = receiver_use(r, now, s->data, s->len);
			if (e == -ERR_AGAIN)
				continue;
			ssp_reasm_drop(&r->reasm, s);
			if (e > SSP_NEWS_NONE) {
				best = MAX_OF(best, e);
				again = true;
			}
		}
	}
	return best;
}

/* After a new state: drops slots that only make older states. */
static int
receiver_settle(struct ssp_receiver *r, mono_ms now, int news)
{
	int e;

	if (news <= SSP_NEWS_NONE)
		return news;
	e = receiver_orphans(r, now);
	ssp_reasm_drop_upto(&r->reasm, ssp_receiver_newest(r));
	return MAX_OF(news, e);
}

int
ssp_receiver_state(
    struct ssp_receiver *r, mono_ms now, const uint8_t *body, size_t len)
{
	struct ssp_ins ins;
	int e = receiver_use(r, now, body, len);

	if (e == -ERR_AGAIN) {
		r->core->st.orphans++;
		if (ssp_ins_get(&ins, body, len) == 0)
			ssp_reasm_keep(&r->reasm, now, ins.new_num, body, len);
		return SSP_NEWS_NONE;
	}
	return receiver_settle(r, now, e);
}

typedef int (*receiver_add_fn)(struct ssp_reasm *r, mono_ms now,
    const uint8_t *body, size_t len, struct ssp_reasm_slot **slot);

/* Processes a part of an instruction with ADD. */
static int
receiver_part(struct ssp_receiver *r, mono_ms now, const uint8_t *body,
    size_t len, receiver_add_fn add)
{
	struct ssp_reasm_slot *s;
	struct ssp_ins ins;
	struct rd rd;
	uint64_t name;
	int e;

	rd_init(&rd, body, len);
	name = rd_varint(&rd);
	peer_check(rd.err == 0);
	if (name <= ssp_receiver_newest(r)) {
		r->core->st.duplicates++;
		return SSP_NEWS_NONE;
	}
	e = add(&r->reasm, now, body, len, &s);
	if (e <= 0)
		return e;
	if (s->held < s->nblocks)
		return SSP_NEWS_PART;
	/* A name other than the number inside would never be dropped. */
	if (ssp_ins_get(&ins, s->data, s->len) != 0 || ins.new_num != name) {
		ssp_reasm_drop(&r->reasm, s);
		return -ERR_PEER;
	}
	e = receiver_use(r, now, s->data, s->len);
	if (e == -ERR_AGAIN) {
		r->core->st.orphans++;
		return SSP_NEWS_PART;
	}
	ssp_reasm_drop(&r->reasm, s);
	return receiver_settle(r, now, e);
}

int
ssp_receiver_frag(
    struct ssp_receiver *r, mono_ms now, const uint8_t *body, size_t len)
{
	return receiver_part(r, now, body, len, ssp_reasm_add);
}

int
ssp_receiver_parity(
    struct ssp_receiver *r, mono_ms now, const uint8_t *body, size_t len)
{
	return receiver_part(r, now, body, len, ssp_reasm_parity);
}

uint64_t
ssp_receiver_seen(struct ssp_receiver *r)
{
	const struct ssp_object_ops *ops = r->coder.ops;
	void *old;
	unsigned i;

	ops->free(r->seen);
	r->seen = ops->clone(r->state[r->nstate - 1].obj);
	if (ops->subtract != NULL) {
		old = ops->clone(r->state[0].obj);
		for (i = 0; i < r->nstate; i++)
			ops->subtract(r->state[i].obj, old);
		ops->subtract(r->seen, old);
		ops->free(old);
	}
	return ssp_receiver_newest(r);
}

bool
ssp_receiver_check(const struct ssp_receiver *r)
{
	size_t bytes = 0;
	unsigned i;

	if (r->nstate < 1 || r->nstate > SSP_RECEIVED_MAX)
		return false;
	for (i = 1; i < r->nstate; i++)
		if (r->state[i].num <= r->state[i - 1].num)
			return false;
	for (i = 0; i < SSP_REASM_SLOTS; i++)
		bytes += ssp_reasm_size(&r->reasm.slot[i]);
	return bytes == r->reasm.bytes && bytes <= SSP_REASM_MAX;
}
