/*
 * Fragments and parity over a link that the input controls: loss, delay,
 * duplicates, datagram sizes, reports.  An instruction that the receiver has
 * completed always equals the one sent.  The rest of the input are bodies of a
 * hostile peer.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/wire.h"
#include "ssp/frame.h"
#include "ssp/reasm.h"

#define LEN_MAX 20000
#define NAME 9

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct world {
	struct ssp_bulk *b;
	struct ssp_reasm r;
	struct ssp_loss l;
	uint8_t *data;
	size_t len;
	uint64_t pn;
	mono_ms now;
	bool whole;
	uint8_t late[1500]; /* a datagram to deliver again */
	size_t nlate;
};

static void
acked(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	ssp_bulk_acked(((struct world *)arg)->b, now, p->pn);
}

static void
lost(void *arg, mono_ms now, const struct ssp_pkt *p)
{
	(void)now;
	ssp_bulk_lost(((struct world *)arg)->b, p->pn, 3);
}

static const struct ssp_loss_ops fates = { acked, lost };

static void
arrive(struct world *w, const uint8_t *p, size_t n)
{
	struct ssp_reasm_slot *s;
	struct ssp_frame f;
	struct rd r;
	int e;

	rd_init(&r, p, n);
	if (w->whole || ssp_frame_next(&r, &f) != 1)
		return;
	e = f.type == SSP_FRAME_PARITY
		? ssp_reasm_parity(&w->r, w->now, f.body, f.len, &s)
		: ssp_reasm_add(&w->r, w->now, f.body, f.len, &s);
	bug_assert(e >= 0);
	if (s->held < s->nblocks)
		return;
	bug_assert(s->len == w->len && memcmp(s->data, w->data, s->len) == 0);
	w->whole = true;
}

/* Delivers the receiver's report. */
static void
report(struct world *w)
{
	uint8_t out[400];
	struct ssp_frame f;
	struct wr wr;
	struct rd r, b;

	ssp_reasm_tell_all(&w->r);
	wr_init(&wr, out, sizeof out);
	ssp_reasm_put(&w->r, &wr);
	rd_init(&r, out, wr_len(&wr));
	while (ssp_frame_next(&r, &f) == 1) {
		rd_init(&b, f.body, f.len);
		if (rd_varint(&b) == NAME)
			bug_assert(ssp_bulk_report(
				       w->b, w->now, w->pn, &b, &w->l, 3) == 0);
	}
}

static void
step(struct world *w, uint8_t op, uint8_t arg)
{
	struct ssp_ack a = { .largest = w->pn > 0 ? w->pn - 1 : 0 };
	uint8_t out[1500];
	unsigned repair;
	struct wr wr;
	size_t n;

	w->now += op >> 5;
	ssp_bulk_balance(w->b, (double)arg / 256);
	switch (op & 7) {
	case 0:
		report(w);
		return;
	case 1:
		arrive(w, w->late, w->nlate);
		return;
	case 2:
		ssp_bulk_probe(w->b, 1 + arg % 4);
		return;
	case 3: /* the newest arrived, and ARG of those before */
		if (w->pn > 0)
			a.run = arg % w->pn;
		ssp_loss_ack(&w->l, w->now, &a, 100);
		return;
	default:
		break;
	}
	wr_init(&wr, out, (op & 8) != 0 ? 100 + (size_t)arg * 5 : 1200);
	if (ssp_bulk_put(w->b, w->now, w->pn, &wr, &repair) == 0)
		return;
	n = wr_len(&wr);
	ssp_loss_sent(&w->l, w->now, w->pn++, n, true, false);
	memcpy(w->late, out, n);
	w->nlate = n;
	if ((op & 16) == 0)
		arrive(w, out, n);
}

/* Bodies from a hostile peer. */
static void
hostile(struct ssp_reasm *r, struct rd *in)
{
	struct ssp_reasm_slot *s;
	const uint8_t *p;
	mono_ms now = 0;
	size_t n;
	int e;

	while (rd_left(in) > 2) {
		e = rd_u8(in);
		n = (size_t)rd_u8(in) * 2;
		n = MIN_OF(n, rd_left(in));
		p = rd_bytes(in, n);
		e = e & 1 ? ssp_reasm_parity(r, now++, p, n, &s)
			  : ssp_reasm_add(r, now++, p, n, &s);
		bug_assert(e <= 1 && r->bytes <= SSP_REASM_MAX);
		if (e >= 0 && s->held == s->nblocks)
			ssp_reasm_drop(r, s);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world w = { 0 };
	unsigned steps;
	uint8_t op;
	struct rd r;
	size_t i;

	rd_init(&r, data, size);
	w.len = 1 + rd_u16(&r) % LEN_MAX;
	op = rd_u8(&r);
	w.data = mem_alloc(w.len);
	for (i = 0; i < w.len; i++)
		w.data[i] = (uint8_t)(i * 31 + i / 251);
	w.b = ssp_bulk_new(NAME, NAME - 1, w.data, w.len, 1 + op % 3, 0);
	ssp_bulk_parity(w.b, op / 8 % 18);
	ssp_reasm_init(&w.r);
	ssp_loss_init(&w.l, &fates, &w);
	for (steps = 2u * rd_u8(&r); steps > 0 && rd_left(&r) > 1; steps--) {
		op = rd_u8(&r);
		step(&w, op, rd_u8(&r));
	}
	hostile(&w.r, &r);
	ssp_loss_fini(&w.l);
	ssp_reasm_fini(&w.r);
	ssp_bulk_free(w.b);
	mem_free(w.data);
	return 0;
}
