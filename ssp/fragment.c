#include "ssp/fragment.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"

#define REASM_RANGES 24 /* missing runs named in one report */
#define REASM_REPORTS 4 /* reports in one datagram */
#define BULK_PROBE 8    /* blocks of a probe */
#define BULK_WANT_MAX 8

struct ssp_bulk *
ssp_bulk_new(uint64_t name, uint64_t base, const uint8_t *data, size_t len,
    unsigned want, mono_ms now)
{
	struct ssp_bulk *b = mem_zalloc(sizeof *b);
	unsigned i;

	bug_assert(len > 0 && len <= SSP_INS_MAX);
	b->name = name;
	b->base = base;
	b->data = mem_dup(data, len);
	b->len = len;
	b->nblocks = (unsigned)((len + SSP_BLOCK - 1) / SSP_BLOCK);
	b->block = mem_calloc(b->nblocks, sizeof *b->block);
	for (i = 0; i < b->nblocks; i++)
		b->block[i].want = (uint8_t)CLAMP(want, 1u, BULK_WANT_MAX);
	b->wanted = b->fresh = b->nblocks;
	b->made = b->sent = b->progress = now;
	return b;
}

void
ssp_bulk_free(struct ssp_bulk *b)
{
	if (b == NULL)
		return;
	mem_free(b->data);
	mem_free(b->block);
	mem_free(b);
}

static void
bulk_want(struct ssp_bulk *b, struct ssp_bulk_block *k, unsigned want)
{
	if (k->want == 0 && want > 0)
		b->wanted++;
	if (k->want > 0 && want == 0)
		b->wanted--;
	k->want = (uint8_t)MIN_OF(want, BULK_WANT_MAX);
}

static void
bulk_held(struct ssp_bulk *b, struct ssp_bulk_block *k, mono_ms now)
{
	if (k->held)
		return;
	k->held = true;
	b->held++;
	b->progress = now;
	bulk_want(b, k, 0);
}

/* When block K may go; only what was never sent goes without a gap. */
static mono_ms
bulk_block_time(const struct ssp_bulk_block *k, mono_ms now)
{
	uint32_t ago = (uint32_t)now - k->time;

	if (k->tries == 0 || ago >= SSP_COPY_GAP)
		return now;
	return now + (SSP_COPY_GAP - ago);
}

/* First wanted block that may go now, from the cursor on; nblocks if none. */
static unsigned
bulk_find(const struct ssp_bulk *b, mono_ms now, mono_ms *when)
{
	unsigned i, n;
	mono_ms t;

	*when = MONO_NEVER;
	if (b->wanted == 0)
		return b->nblocks;
	for (n = 0, i = b->cursor; n < b->nblocks; n++, i++) {
		if (i >= b->nblocks)
			i = 0;
		if (b->block[i].want == 0)
			continue;
		t = bulk_block_time(&b->block[i], now);
		*when = mono_min(*when, t);
		if (t == now)
			return i;
	}
	return b->nblocks;
}

mono_ms
ssp_bulk_ready(const struct ssp_bulk *b, mono_ms now)
{
	mono_ms when;

	bulk_find(b, now, &when);
	return when;
}

unsigned
ssp_bulk_put(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct wr *w,
    unsigned *repair)
{
	uint8_t head[SSP_FRAG_HEAD_MAX + 2];
	struct ssp_bulk_block *k;
	mono_ms when;
	unsigned first = bulk_find(b, now, &when), n = 0, max;
	size_t bytes, room;
	struct wr h;

	*repair = 0;
	if (first == b->nblocks)
		return 0;
	wr_init(&h, head, sizeof head);
	wr_varint(&h, b->name);
	wr_varint(&h, b->len);
	wr_varint(&h, first);
	/* type, a length of two or four bytes, the head */
	room = 1 + (wr_left(w) > 16000 ? 4u : 2u) + wr_len(&h);
	if (wr_left(w) <= room)
		return 0;
	max = (unsigned)((wr_left(w) - room) / SSP_BLOCK);
	if (first + 1 == b->nblocks &&
	    wr_left(w) - room >= b->len - (size_t)first * SSP_BLOCK)
		max = MAX_OF(max, 1u);
	while (n < max && first + n < b->nblocks) {
		k = &b->block[first + n];
		if (k->want == 0 || bulk_block_time(k, now) != now)
			break;
		if (k->tries > 0)
			++*repair;
		else
			b->fresh--;
		bulk_want(b, k, k->want - 1u);
		k->tries = (uint8_t)MIN_OF(k->tries + 1u, 255u);
		k->pn = pn;
		k->time = (uint32_t)now;
		n++;
	}
	if (n == 0)
		return 0;
	bytes =
	    MIN_OF((size_t)n * SSP_BLOCK, b->len - (size_t)first * SSP_BLOCK);
	wr_varint(w, SSP_FRAME_FRAG);
	wr_varint(w, wr_len(&h) + bytes);
	wr_bytes(w, head, wr_len(&h));
	wr_bytes(w, b->data + (size_t)first * SSP_BLOCK, bytes);
	bug_assert(w->err == 0);
	b->cursor = first + n < b->nblocks ? first + n : 0;
	b->sent = now;
	return n;
}

void
ssp_bulk_acked(struct ssp_bulk *b, mono_ms now, uint64_t pn)
{
	unsigned i;

	for (i = 0; i < b->nblocks; i++)
		if (b->block[i].tries > 0 && b->block[i].pn == pn)
			bulk_held(b, &b->block[i], now);
}

/* Transmissions for the next round of a block that got lost. */
static unsigned
bulk_round(const struct ssp_bulk_block *k, unsigned copies)
{
	if (k->tries <= 1)
		return 1 + MIN_OF(copies, 2u);
	return copies > 0 ? 2 + copies : 1;
}

void
ssp_bulk_lost(struct ssp_bulk *b, uint64_t pn, unsigned copies)
{
	struct ssp_bulk_block *k;
	unsigned i;

	for (i = 0; i < b->nblocks; i++) {
		k = &b->block[i];
		if (k->tries > 0 && k->pn == pn && !k->held && k->want == 0)
			bulk_want(b, k, bulk_round(k, copies));
	}
}

static void
bulk_missing(struct ssp_bulk *b, struct ssp_bulk_block *k,
    const struct ssp_loss *l, unsigned copies)
{
	const struct ssp_pkt *p;

	if (k->tries == 0)
		return;
	if (k->held) {
		/* The peer had it and dropped it to make room. */
		k->held = false;
		b->held--;
	}
	p = ssp_loss_find(l, k->pn);
	if (k->want == 0 && (p == NULL || p->state != SSP_PKT_FLYING))
		bulk_want(b, k, bulk_round(k, copies));
}

int
ssp_bulk_report(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct rd *r,
    const struct ssp_loss *l, unsigned copies)
{
	uint64_t end = rd_varint(r), have, gap, at = 0, i;

	peer_check(r->err == 0 && end <= b->nblocks);
	if (b->any_report && pn <= b->reported)
		return 0;
	b->any_report = true;
	b->reported = pn;
	while (rd_left(r) > 0) {
		have = rd_varint(r);
		gap = rd_varint(r);
		peer_check(r->err == 0 && have <= end - at);
		for (i = 0; i < have; i++)
			bulk_held(b, &b->block[at + i], now);
		at += have;
		peer_check(gap <= end - at);
		for (i = 0; i < gap; i++)
			bulk_missing(b, &b->block[at + i], l, copies);
		at += gap;
	}
	for (; at < end; at++)
		bulk_held(b, &b->block[at], now);
	return 0;
}

void
ssp_bulk_probe(struct ssp_bulk *b, unsigned want)
{
	unsigned i, n = 0;

	for (i = b->nblocks; i > 0 && n < BULK_PROBE; i--) {
		if (b->block[i - 1].held) {
			if (n > 0)
				break;
			continue;
		}
		if (b->block[i - 1].want < want)
			bulk_want(b, &b->block[i - 1], want);
		b->cursor = i - 1;
		n++;
	}
}

void
ssp_reasm_init(struct ssp_reasm *r)
{
	memset(r, 0, sizeof *r);
}

void
ssp_reasm_drop(struct ssp_reasm *r, struct ssp_reasm_slot *s)
{
	if (s->data == NULL)
		return;
	r->bytes -= s->len;
	mem_free(s->data);
	mem_free(s->map);
	memset(s, 0, sizeof *s);
}

void
ssp_reasm_fini(struct ssp_reasm *r)
{
	ssp_reasm_drop_upto(r, UINT64_MAX);
}

void
ssp_reasm_drop_upto(struct ssp_reasm *r, uint64_t num)
{
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS; i++)
		if (r->slot[i].data != NULL && r->slot[i].name <= num)
			ssp_reasm_drop(r, &r->slot[i]);
}

static struct ssp_reasm_slot *
reasm_find(struct ssp_reasm *r, uint64_t name)
{
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS; i++)
		if (r->slot[i].data != NULL && r->slot[i].name == name)
			return &r->slot[i];
	return NULL;
}

/* The slot that has waited longest; NULL if none is in use. */
static struct ssp_reasm_slot *
reasm_stalest(struct ssp_reasm *r)
{
	struct ssp_reasm_slot *old = NULL, *s;
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS; i++) {
		s = &r->slot[i];
		if (s->data != NULL && (old == NULL || s->time < old->time))
			old = s;
	}
	return old;
}

/* A new slot of LEN bytes, others dropped to make room. */
static struct ssp_reasm_slot *
reasm_new(struct ssp_reasm *r, mono_ms now, uint64_t name, size_t len)
{
	struct ssp_reasm_slot *s = NULL;
	unsigned i;

	while (r->bytes + len > SSP_REASM_MAX)
		ssp_reasm_drop(r, reasm_stalest(r));
	for (i = 0; i < SSP_REASM_SLOTS && s == NULL; i++)
		if (r->slot[i].data == NULL)
			s = &r->slot[i];
	if (s == NULL) {
		s = reasm_stalest(r);
		ssp_reasm_drop(r, s);
	}
	s->name = name;
	s->len = len;
	s->data = mem_alloc(len);
	s->nblocks = (unsigned)((len + SSP_BLOCK - 1) / SSP_BLOCK);
	s->map = mem_zalloc((s->nblocks + 7) / 8);
	s->time = now;
	r->bytes += len;
	return s;
}

static bool
reasm_has(const struct ssp_reasm_slot *s, unsigned i)
{
	return (s->map[i / 8] >> (i % 8) & 1) != 0;
}

int
ssp_reasm_add(struct ssp_reasm *r, mono_ms now, const uint8_t *body, size_t len,
    struct ssp_reasm_slot **slot)
{
	struct ssp_reasm_slot *s;
	struct rd rd;
	uint64_t name, total, first, off;
	unsigned i, n, news = 0;
	size_t bytes;

	*slot = NULL;
	rd_init(&rd, body, len);
	name = rd_varint(&rd);
	total = rd_varint(&rd);
	first = rd_varint(&rd);
	bytes = rd_left(&rd);
	peer_check(rd.err == 0 && bytes > 0);
	peer_check(total > 0 && total <= SSP_INS_MAX);
	peer_check(first < SSP_BLOCKS_MAX);
	off = first * SSP_BLOCK;
	peer_check(off < total && bytes <= total - off);
	peer_check(bytes % SSP_BLOCK == 0 || off + bytes == total);
	s = reasm_find(r, name);
	peer_check(s == NULL || s->len == total);
	if (s == NULL)
		s = reasm_new(r, now, name, (size_t)total);
	n = (unsigned)((bytes + SSP_BLOCK - 1) / SSP_BLOCK);
	for (i = (unsigned)first; i < (unsigned)first + n; i++) {
		if (reasm_has(s, i))
			continue;
		s->map[i / 8] |= (uint8_t)(1 << i % 8);
		s->held++;
		news++;
	}
	if (news > 0) /* what is held never changes: the bytes are equal */
		rd_copy(&rd, s->data + off, bytes);
	s->high = MAX_OF(s->high, (unsigned)first + n);
	s->time = now;
	s->tell = true;
	*slot = s;
	return news > 0;
}

struct ssp_reasm_slot *
ssp_reasm_keep(struct ssp_reasm *r, mono_ms now, uint64_t name,
    const uint8_t *data, size_t len)
{
	struct ssp_reasm_slot *s;

	if (len == 0 || len > SSP_INS_MAX || reasm_find(r, name) != NULL)
		return NULL;
	s = reasm_new(r, now, name, len);
	memcpy(s->data, data, len);
	memset(s->map, 0xff, (s->nblocks + 7) / 8);
	s->held = s->high = s->nblocks;
	return s;
}

/* One report into BODY; ranges that do not fit are left for later. */
static void
reasm_report(const struct ssp_reasm_slot *s, struct wr *w)
{
	unsigned i = 0, have, gap, n = 0, end = s->high;
	uint8_t tmp[REASM_RANGES * 8];
	struct wr t;

	wr_init(&t, tmp, sizeof tmp);
	while (i < s->high && n < REASM_RANGES) {
		for (have = 0; i < s->high && reasm_has(s, i); i++)
			have++;
		for (gap = 0; i < s->high && !reasm_has(s, i); i++)
			gap++;
		if (gap == 0)
			break;
		if (wr_left(&t) < 8 || wr_len(&t) + 24 > wr_left(w)) {
			i -= have + gap;
			break;
		}
		wr_varint(&t, have);
		wr_varint(&t, gap);
		n++;
		end = i;
	}
	if (i >= s->high)
		end = s->high;
	wr_varint(w, s->name);
	wr_varint(w, end);
	wr_bytes(w, tmp, wr_len(&t));
}

void
ssp_reasm_put(struct ssp_reasm *r, struct wr *w)
{
	uint8_t body[REASM_RANGES * 8 + 16];
	struct ssp_reasm_slot *s;
	unsigned i, n = 0;
	struct wr b;

	for (i = 0; i < SSP_REASM_SLOTS && n < REASM_REPORTS; i++) {
		s = &r->slot[i];
		if (s->data == NULL || !s->tell)
			continue;
		if (wr_left(w) < 32)
			return;
		wr_init(&b, body, MIN_OF(sizeof body, wr_left(w) - 3));
		reasm_report(s, &b);
		if (b.err == 0)
			ssp_frame_put(w, SSP_FRAME_MISSING, body, wr_len(&b));
		s->tell = false;
		n++;
	}
}

bool
ssp_reasm_pending(const struct ssp_reasm *r)
{
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS; i++)
		if (r->slot[i].data != NULL)
			return true;
	return false;
}

void
ssp_reasm_tell_all(struct ssp_reasm *r)
{
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS; i++)
		if (r->slot[i].data != NULL)
			r->slot[i].tell = true;
}
