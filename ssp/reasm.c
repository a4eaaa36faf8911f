#include "ssp/reasm.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "ssp/frame.h"
#include "ssp/parity.h"

#define REASM_RANGES 24 /* missing runs in one report */
#define REASM_REPORTS 4 /* reports in one datagram */

void
ssp_reasm_init(struct ssp_reasm *r)
{
	memset(r, 0, sizeof *r);
	r->max = SSP_REASM_MAX;
}

void
ssp_reasm_drop(struct ssp_reasm *r, struct ssp_reasm_slot *s)
{
	if (s->data == NULL)
		return;
	r->bytes -= ssp_reasm_size(s);
	mem_free(s->data);
	mem_free(s->spare);
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

	for (i = 0; i < SSP_REASM_SLOTS && r->bytes > 0; i++)
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

/* Returns the slot unchanged for longest; NULL if none is in use. */
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

/* Makes a slot of LEN bytes; drops others to make room. */
static struct ssp_reasm_slot *
reasm_new(struct ssp_reasm *r, mono_ms now, uint64_t name, size_t len)
{
	struct ssp_reasm_slot *s = NULL;
	unsigned i;

	while (r->bytes + len > r->max)
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

/* Finds or makes the slot of NAME with TOTAL bytes. */
static int
reasm_slot(struct ssp_reasm *r, mono_ms now, uint64_t name, uint64_t total,
    struct ssp_reasm_slot **slot)
{
	struct ssp_reasm_slot *s;

	peer_check(total > 0 && total <= SSP_INS_MAX);
	s = reasm_find(r, name);
	peer_check(s == NULL || s->len == total);
	if (s == NULL)
		s = reasm_new(r, now, name, (size_t)total);
	s->time = now;
	s->tell = true;
	*slot = s;
	return 0;
}

static void
reasm_mark(struct ssp_reasm_slot *s, unsigned i)
{
	if (reasm_has(s, i))
		return;
	s->map[i / 8] |= (uint8_t)(1 << i % 8);
	s->held++;
}

static unsigned
reasm_symbols(const struct ssp_reasm_slot *s)
{
	return (unsigned)((s->len + s->symbol - 1) / s->symbol);
}

/* Lists the incomplete symbols in LOST; returns their number. */
static unsigned
reasm_lost(const struct ssp_reasm_slot *s, uint8_t *lost)
{
	unsigned i, j, m = 0, end, per = (unsigned)(s->symbol / SSP_BLOCK);

	for (i = 0; i < reasm_symbols(s); i++) {
		end = MIN_OF((i + 1) * per, s->nblocks);
		for (j = i * per; j < end && reasm_has(s, j); j++)
			;
		if (j < end)
			lost[m++] = (uint8_t)i;
	}
	return m;
}

/* Restores the missing symbols if there is enough parity. */
static void
reasm_restore(struct ssp_reasm_slot *s)
{
	uint8_t lost[SSP_PARITY_DATA];
	unsigned i, m;

	if (s->spares == 0 || s->held == s->nblocks)
		return;
	m = reasm_lost(s, lost);
	if (m > s->spares)
		return;
	ssp_parity_solve(
	    s->data, s->len, s->symbol, lost, m, s->index, s->spare);
	for (i = 0; i < s->nblocks; i++)
		reasm_mark(s, i);
}

int
ssp_reasm_add(struct ssp_reasm *r, mono_ms now, const uint8_t *body, size_t len,
    struct ssp_reasm_slot **slot)
{
	struct ssp_reasm_slot *s;
	struct rd rd;
	uint64_t name, total, first, off;
	unsigned i, n, before;
	size_t bytes;
	int e;

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
	if ((e = reasm_slot(r, now, name, total, &s)) != 0)
		return e;
	n = (unsigned)((bytes + SSP_BLOCK - 1) / SSP_BLOCK);
	before = s->held;
	for (i = (unsigned)first; i < (unsigned)first + n; i++)
		reasm_mark(s, i);
	s->high = MAX_OF(s->high, (unsigned)first + n);
	*slot = s;
	if (s->held == before)
		return 0;
	/* blocks of a name never change: copying again is harmless */
	rd_copy(&rd, s->data + off, bytes);
	reasm_restore(s);
	return 1;
}

/* Stores the parity symbol in RD; false if it is useless or too large. */
static bool
reasm_spare(struct ssp_reasm *r, struct ssp_reasm_slot *s, unsigned which,
    struct rd *rd)
{
	uint8_t lost[SSP_PARITY_DATA];

	if (s->held == s->nblocks || s->spares >= reasm_lost(s, lost) ||
	    memchr(s->index, (int)which, s->spares) != NULL ||
	    r->bytes + s->symbol > r->max)
		return false;
	s->spare = mem_resize(s->spare, s->spares + 1, s->symbol);
	rd_copy(rd, s->spare + s->spares * s->symbol, s->symbol);
	s->index[s->spares++] = (uint8_t)which;
	r->bytes += s->symbol;
	return true;
}

int
ssp_reasm_parity(struct ssp_reasm *r, mono_ms now, const uint8_t *body,
    size_t len, struct ssp_reasm_slot **slot)
{
	struct ssp_reasm_slot *s;
	struct rd rd;
	uint64_t name, total, blocks, which;
	size_t symbol;
	int e;

	*slot = NULL;
	rd_init(&rd, body, len);
	name = rd_varint(&rd);
	total = rd_varint(&rd);
	blocks = rd_varint(&rd);
	which = rd_varint(&rd);
	peer_check(rd.err == 0 && which < SSP_PARITY_SPARE);
	peer_check(blocks > 0 && blocks < SSP_BLOCKS_MAX);
	symbol = (size_t)blocks * SSP_BLOCK;
	peer_check(rd_left(&rd) == symbol);
	peer_check(total <= symbol * SSP_PARITY_DATA);
	if ((e = reasm_slot(r, now, name, total, &s)) != 0)
		return e;
	peer_check(s->symbol == 0 || s->symbol == symbol);
	s->symbol = symbol;
	/* Parity is sent after the last block: the missing blocks are lost. */
	s->high = s->nblocks;
	*slot = s;
	if (!reasm_spare(r, s, (unsigned)which, &rd))
		return 0;
	reasm_restore(s);
	return 1;
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

/* Writes one report; ranges that do not fit wait for the next. */
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

	if (r->bytes == 0)
		return;
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
	/* A used slot has bytes. */
	return r->bytes > 0;
}

void
ssp_reasm_tell_all(struct ssp_reasm *r)
{
	unsigned i;

	for (i = 0; i < SSP_REASM_SLOTS && r->bytes > 0; i++)
		if (r->slot[i].data != NULL)
			r->slot[i].tell = true;
}
