#include "ssp/fragment.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"
#include "ssp/parity.h"

#define BULK_PROBE 8 /* blocks sent after a timeout */
#define BULK_WANT_MAX 8
#define BULK_SURE_FIRST .995 /* probability that the first flight suffices */
#define BULK_SURE .999       /* the same for later flights */

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
	mem_free(b->spare);
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
	k->flying = false;
	b->stale = true;
	b->held++;
	b->timeouts = 0;
	b->progress = now;
	bulk_want(b, k, 0);
}

/* Returns when block K may be sent; only repetitions wait. */
static mono_ms
bulk_block_time(const struct ssp_bulk_block *k, mono_ms now)
{
	uint32_t ago = (uint32_t)now - k->time;

	if (k->tries == 0 || ago >= SSP_COPY_GAP)
		return now;
	return now + (SSP_COPY_GAP - ago);
}

/* Finds the first due block from the cursor on; nblocks if none. */
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
	return b->spare_want > 0 ? now : when;
}

/* Returns the first block of the symbol after that of block I. */
static unsigned
bulk_symbol_end(const struct ssp_bulk *b, unsigned i)
{
	if (b->symbol == 0)
		return b->nblocks;
	return MIN_OF(i - i % b->symbol + b->symbol, b->nblocks);
}

/* Takes up to MAX due blocks from FIRST on and marks them sent. */
static unsigned
bulk_take(struct ssp_bulk *b, mono_ms now, uint64_t pn, unsigned first,
    unsigned max, unsigned *repair)
{
	unsigned n = 0, end = bulk_symbol_end(b, first);
	struct ssp_bulk_block *k;

	while (n < max && first + n < end) {
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
		k->flying = true;
		n++;
	}
	b->stale = true;
	return n;
}

/*
 * Returns the space for data in W after type, length and a head of LEN bytes.
 */
static size_t
bulk_room(const struct wr *w, size_t len)
{
	size_t room = 1 + (wr_left(w) > 16000 ? 4u : 2u) + len;

	return wr_left(w) > room ? wr_left(w) - room : 0;
}

static unsigned
bulk_put_blocks(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct wr *w,
    unsigned *repair)
{
	uint8_t head[SSP_FRAG_HEAD_MAX + 2];
	mono_ms when;
	unsigned first = bulk_find(b, now, &when), n, max;
	size_t bytes, room, off = (size_t)first * SSP_BLOCK;
	struct wr h;

	if (first == b->nblocks)
		return 0;
	wr_init(&h, head, sizeof head);
	wr_varint(&h, b->name);
	wr_varint(&h, b->len);
	wr_varint(&h, first);
	room = bulk_room(w, wr_len(&h));
	max = (unsigned)(room / SSP_BLOCK);
	if (first + 1 == b->nblocks && room >= b->len - off)
		max = MAX_OF(max, 1u);
	n = bulk_take(b, now, pn, first, max, repair);
	if (n == 0)
		return 0;
	bytes = MIN_OF((size_t)n * SSP_BLOCK, b->len - off);
	wr_varint(w, SSP_FRAME_FRAG);
	wr_varint(w, wr_len(&h) + bytes);
	wr_bytes(w, head, wr_len(&h));
	wr_bytes(w, b->data + off, bytes);
	bug_assert(w->err == 0);
	b->cursor = first + n < b->nblocks ? first + n : 0;
	b->sent = now;
	return n;
}

/* Returns the number of transmissions for a lost block. */
static unsigned
bulk_round(const struct ssp_bulk_block *k, unsigned copies)
{
	if (k->tries <= 1)
		return 1 + MIN_OF(copies, 2u);
	return copies > 0 ? 2 + copies : 1;
}

void
ssp_bulk_parity(struct ssp_bulk *b, unsigned symbol)
{
	bug_assert(b->fresh == b->nblocks);
	if (symbol == 0 || b->nblocks <= symbol ||
	    b->nblocks > symbol * SSP_PARITY_DATA)
		return;
	b->symbol = symbol;
	b->spare = mem_calloc(SSP_PARITY_SPARE, sizeof *b->spare);
}

/* Abandons parity; missing blocks are sent again one by one. */
static void
bulk_no_parity(struct ssp_bulk *b, unsigned copies)
{
	struct ssp_bulk_block *k;
	unsigned i;

	b->symbol = b->spare_want = b->spare_flying = 0;
	for (i = 0; i < b->nblocks; i++) {
		k = &b->block[i];
		if (!k->held && !k->flying && k->want == 0)
			bulk_want(b, k, bulk_round(k, copies));
	}
}

void
ssp_bulk_balance(struct ssp_bulk *b, double loss)
{
	unsigned i, end, need = 0, flying = 0, held = 0, total;
	bool have, fly;

	if (b->symbol == 0 || !b->stale || b->fresh > 0)
		return;
	b->stale = false;
	for (i = 0; i < b->nblocks; i = end) {
		end = bulk_symbol_end(b, i);
		for (have = fly = true; i < end; i++) {
			have &= b->block[i].held;
			fly &= b->block[i].held || b->block[i].flying ||
			       b->block[i].want > 0;
		}
		need += !have;
		flying += !have && fly;
	}
	for (i = 0; i < SSP_PARITY_SPARE; i++)
		held += b->spare[i].state == SSP_SPARE_HELD;
	b->spare_want = 0;
	if (need <= held)
		return;
	flying += b->spare_flying;
	total = ssp_parity_total(need - held, loss,
	    b->spare_next == 0 ? BULK_SURE_FIRST : BULK_SURE);
	b->spare_want = total > flying ? total - flying : 0;
}

/* Finds the next parity symbol that is neither in flight nor received. */
static bool
bulk_next_spare(struct ssp_bulk *b)
{
	unsigned i;

	for (i = 0; i < SSP_PARITY_SPARE; i++, b->spare_next++)
		if (b->spare[b->spare_next % SSP_PARITY_SPARE].state ==
		    SSP_SPARE_NONE)
			return true;
	return false;
}

/*
 * Writes a parity symbol.  Returns its blocks, or 0 after abandoning parity
 * because no symbol is left or none fits.
 */
static unsigned
bulk_put_spare(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct wr *w)
{
	uint8_t head[SSP_FRAG_HEAD_MAX + 2], *symbol;
	size_t bytes = (size_t)b->symbol * SSP_BLOCK;
	unsigned which;
	struct wr h;

	if (!bulk_next_spare(b)) {
		bulk_no_parity(b, 1);
		return 0;
	}
	which = b->spare_next % SSP_PARITY_SPARE;
	wr_init(&h, head, sizeof head);
	wr_varint(&h, b->name);
	wr_varint(&h, b->len);
	wr_varint(&h, b->symbol);
	wr_varint(&h, which);
	if (bulk_room(w, wr_len(&h)) < bytes) {
		bulk_no_parity(b, 1);
		return 0;
	}
	symbol = mem_alloc(bytes);
	ssp_parity_make(b->data, b->len, bytes, which, symbol);
	wr_varint(w, SSP_FRAME_PARITY);
	wr_varint(w, wr_len(&h) + bytes);
	wr_bytes(w, head, wr_len(&h));
	wr_bytes(w, symbol, bytes);
	mem_free(symbol);
	b->spare[which].pn = pn;
	b->spare[which].state = SSP_SPARE_FLYING;
	b->spare_next++;
	b->spare_flying++;
	b->spare_want--;
	b->sent = now;
	return b->symbol;
}

/* Records the fate of the parity symbol in datagram PN. */
static void
bulk_spare_fate(struct ssp_bulk *b, uint64_t pn, enum ssp_spare_state fate)
{
	struct ssp_bulk_spare *p;
	unsigned i;

	for (i = 0; b->symbol > 0 && i < SSP_PARITY_SPARE; i++) {
		p = &b->spare[i];
		if (p->pn != pn || p->state != SSP_SPARE_FLYING)
			continue;
		p->state = (uint8_t)fate;
		b->spare_flying--;
		b->stale = true;
		if (fate == SSP_SPARE_HELD)
			b->timeouts = 0;
	}
}

unsigned
ssp_bulk_put(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct wr *w,
    unsigned *repair)
{
	unsigned n;

	*repair = 0;
	n = bulk_put_blocks(b, now, pn, w, repair);
	if (n == 0 && b->spare_want > 0) {
		n = bulk_put_spare(b, now, pn, w);
		if (n == 0) /* no symbol fits, but a block may */
			n = bulk_put_blocks(b, now, pn, w, repair);
	}
	return n;
}

void
ssp_bulk_acked(struct ssp_bulk *b, mono_ms now, uint64_t pn)
{
	unsigned i;

	for (i = 0; i < b->nblocks; i++)
		if (b->block[i].tries > 0 && b->block[i].pn == pn)
			bulk_held(b, &b->block[i], now);
	bulk_spare_fate(b, pn, SSP_SPARE_HELD);
}

void
ssp_bulk_lost(struct ssp_bulk *b, uint64_t pn, unsigned copies)
{
	struct ssp_bulk_block *k;
	unsigned i;

	for (i = 0; i < b->nblocks; i++) {
		k = &b->block[i];
		if (k->tries == 0 || k->pn != pn || k->held)
			continue;
		k->flying = false;
		b->stale = true;
		if (k->want == 0 && b->symbol == 0)
			bulk_want(b, k, bulk_round(k, copies));
	}
	bulk_spare_fate(b, pn, SSP_SPARE_NONE);
}

static void
bulk_missing(struct ssp_bulk *b, struct ssp_bulk_block *k,
    const struct ssp_loss *l, unsigned copies)
{
	const struct ssp_pkt *p;

	if (k->tries == 0)
		return;
	if (k->held) {
		/* The peer received it and dropped it to make room. */
		k->held = false;
		b->held--;
	}
	p = ssp_loss_find(l, k->pn);
	if (p != NULL && p->state == SSP_PKT_FLYING)
		return;
	k->flying = false;
	b->stale = true;
	if (k->want == 0 && b->symbol == 0)
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

	if (b->symbol > 0 && b->timeouts++ == 0 && b->spare_next > 0) {
		b->spare_want = MAX_OF(b->spare_want, want);
		return;
	}
	/* The peer may have dropped the parity that it acknowledged. */
	if (b->symbol > 0)
		bulk_no_parity(b, want - 1);
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
