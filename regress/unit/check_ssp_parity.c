/*
 * Parity symbols: any K of K + N restore the data, and symbols of a hostile
 * peer are harmless.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/err.h"
#include "base/mem.h"
#include "regress/sim/sim.h"
#include "regress/unit/unit.h"
#include "ssp/fragment.h"
#include "ssp/frame.h"
#include "ssp/parity.h"
#include "ssp/reasm.h"

/* N different numbers below MAX, ascending. */
static void
pick(uint64_t *rng, uint8_t *out, unsigned n, unsigned max)
{
	unsigned i, left = n;

	for (i = 0; left > 0; i++)
		if (sim_below(rng, max - i) < left) {
			*out++ = (uint8_t)i;
			left--;
		}
}

START_TEST(any_symbols_restore_the_data)
{
	enum {
		LEN = 9000
	};
	static uint8_t data[LEN], copy[LEN];
	uint8_t lost[SSP_PARITY_DATA], index[SSP_PARITY_DATA], *spare;
	uint64_t rng = 5;
	unsigned round, k, m, i;
	size_t len, size;

	for (round = 0; round < unit_rounds(400); round++) {
		len = 1 + sim_below(&rng, LEN);
		size = 64 * (1 + sim_below(&rng, 6));
		if (round < 20) /* the maximum number */
			len = (size = 64) * SSP_PARITY_DATA - round;
		k = (unsigned)((len + size - 1) / size);
		if (k > SSP_PARITY_DATA)
			continue;
		m = round < 20 ? k : 1 + (unsigned)sim_below(&rng, k);
		for (i = 0; i < len; i++)
			data[i] = (uint8_t)sim_rand(&rng);
		pick(&rng, lost, m, k);
		pick(&rng, index, m, SSP_PARITY_SPARE);
		spare = mem_calloc(m, size);
		memcpy(copy, data, len);
		for (i = 0; i < m; i++) {
			ssp_parity_make(
			    data, len, size, index[i], spare + i * size);
			memset(copy + lost[i] * size, 0xee,
			    MIN_OF(size, len - lost[i] * size));
		}
		ssp_parity_solve(copy, len, size, lost, m, index, spare);
		ck_assert_mem_eq(copy, data, len);
		mem_free(spare);
	}
}
END_TEST

/* Compares the calculation with random trials. */
START_TEST(the_number_on_the_way_is_enough)
{
	static const struct {
		unsigned need;
		double loss, sure;
		unsigned total;
	} row[] = {
		{ 1, 0, .99, 1 },
		{ 45, 0, .999, 45 },
		{ 1, .29, .99, 4 }, /* .29^4 = .007 */
		{ 1, .29, .999, 6 },
		{ 1, .05, .99, 2 },
		{ 2, .29, .95, 5 },
		{ 10, .29, .95, 18 }, /* 8 spare, as designed */
		{ 10, .05, .98, 12 },
	};
	unsigned i, t, n, hits, got;
	uint64_t rng = 9;

	for (i = 0; i < ARRAY_LEN(row); i++) {
		t = ssp_parity_total(row[i].need, row[i].loss, row[i].sure);
		ck_assert_uint_eq(t, row[i].total);
		for (n = hits = 0; n < 20000; n++) {
			unsigned k;

			for (k = got = 0; k < t; k++)
				got += sim_real(&rng) >= row[i].loss;
			hits += got >= row[i].need;
		}
		ck_assert_double_ge((double)hits / 20000, row[i].sure - .003);
	}
	/* always bounded */
	ck_assert_uint_le(ssp_parity_total(128, 1, 1), 128 * 5 + 16);
}
END_TEST

/* Passes the next frame of B as PN to R unless LOST; returns its type. */
static uint64_t
step(struct ssp_bulk *b, struct ssp_reasm *r, mono_ms now, uint64_t pn,
    bool lost, struct ssp_reasm_slot **slot)
{
	uint8_t out[1100];
	struct ssp_frame f;
	unsigned repair;
	struct wr w;
	struct rd rd;
	int e;

	wr_init(&w, out, sizeof out);
	ck_assert_uint_gt(ssp_bulk_put(b, now, pn, &w, &repair), 0);
	rd_init(&rd, out, wr_len(&w));
	ck_assert_int_eq(ssp_frame_next(&rd, &f), 1);
	if (lost)
		return f.type;
	e = f.type == SSP_FRAME_PARITY
		? ssp_reasm_parity(r, now, f.body, f.len, slot)
		: ssp_reasm_add(r, now, f.body, f.len, slot);
	ck_assert_int_ge(e, 0);
	return f.type;
}

/* After losses, the requested parity restores the rest. */
START_TEST(parity_is_wanted_as_losses_are_known)
{
	enum {
		LEN = 20 * 960 - 100
	};
	struct ssp_reasm_slot *s = NULL;
	struct ssp_reasm r;
	struct ssp_bulk *b;
	uint8_t *data = mem_alloc(LEN);
	uint64_t rng = 2, pn = 0;
	unsigned i;

	for (i = 0; i < LEN; i++)
		data[i] = (uint8_t)sim_rand(&rng);
	b = ssp_bulk_new(7, 6, data, LEN, 1, 0);
	ssp_bulk_parity(b, 15);
	ck_assert_uint_eq(b->symbol, 15);
	ssp_reasm_init(&r);
	while (b->fresh > 0) {
		ck_assert_uint_eq(
		    step(b, &r, 0, pn, pn % 5 == 0, &s), SSP_FRAME_FRAG);
		pn++;
	}
	ck_assert_uint_eq(pn, 20);
	ssp_bulk_balance(b, .2);
	ck_assert_uint_eq(b->spare_want, ssp_parity_total(20, .2, .995) - 20);
	/* every datagram has a fate: four are missing */
	for (i = 0; i < 20; i++)
		if (i % 5 == 0)
			ssp_bulk_lost(b, i, 2);
		else
			ssp_bulk_acked(b, 1, i);
	ck_assert_uint_eq(b->wanted, 0);
	ssp_bulk_balance(b, .2);
	ck_assert_uint_eq(b->spare_want, ssp_parity_total(4, .2, .995));
	for (i = 0; i < 4; i++)
		ck_assert_uint_eq(
		    step(b, &r, 2, pn++, false, &s), SSP_FRAME_PARITY);
	ck_assert_uint_eq(s->held, s->nblocks);
	ck_assert_mem_eq(s->data, data, LEN);
	/* they are acknowledged: nothing is due */
	for (i = 20; i < 24; i++)
		ssp_bulk_acked(b, 3, i);
	ssp_bulk_balance(b, .2);
	ck_assert(!ssp_bulk_more(b));
	/* the peer dropped it all: a second timeout shows it */
	ssp_bulk_probe(b, 3);
	ssp_bulk_probe(b, 3);
	ck_assert_uint_eq(b->symbol, 0);
	ck_assert_uint_gt(b->wanted, 0);
	ssp_bulk_free(b);
	ssp_reasm_fini(&r);
	mem_free(data);
}
END_TEST

/* The vector of doc/PROTOCOL.md, B.13 (its beginning). */
START_TEST(bytes_are_those_of_the_document)
{
	static const uint8_t want[] = { 0x0a, 0x40, 0x45, 0x2a, 0x40, 0xc8,
		0x01, 0x01, 0xd9, 0x2a, 0x22, 0xd1, 0x32, 0xc1, 0xc9, 0x3a,
		0x02, 0x50, 0xa6, 0xf4, 0x57, 0x05, 0xf3, 0xa1 };
	uint8_t data[200], out[90];
	struct ssp_bulk *b;
	unsigned i, repair;
	struct wr w;

	for (i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)i;
	b = ssp_bulk_new(42, 40, data, sizeof data, 1, 0);
	ssp_bulk_parity(b, 1);
	for (i = 0; i < 6; i++) {
		if (i == 4)
			ssp_bulk_balance(b, .5);
		wr_init(&w, out, sizeof out);
		ck_assert_uint_eq(ssp_bulk_put(b, 0, i, &w, &repair), 1);
	}
	ck_assert_mem_eq(out, want, sizeof want);
	ck_assert_uint_eq(out[wr_len(&w) - 1], 0x7a);
	ssp_bulk_free(b);
}
END_TEST

/* A datagram too short for a symbol carries blocks. */
START_TEST(a_smaller_datagram_ends_parity)
{
	static uint8_t data[8000];
	uint8_t out[400];
	struct ssp_bulk *b = ssp_bulk_new(7, 6, data, sizeof data, 1, 0);
	unsigned repair;
	uint64_t pn = 0;
	struct wr w;

	ssp_bulk_parity(b, 15);
	while (b->fresh > 0) {
		wr_init(&w, out, sizeof out);
		ck_assert_uint_gt(ssp_bulk_put(b, 0, pn++, &w, &repair), 0);
	}
	ssp_bulk_lost(b, 3, 2);
	ssp_bulk_balance(b, .3);
	ck_assert_uint_gt(b->spare_want, 0);
	wr_init(&w, out, sizeof out);
	ck_assert_uint_gt(ssp_bulk_put(b, 10, pn++, &w, &repair), 0);
	ck_assert_uint_gt(repair, 0);
	ck_assert_uint_eq(out[0], SSP_FRAME_FRAG);
	ck_assert_uint_eq(b->symbol, 0);
	ssp_bulk_free(b);
}
END_TEST

/* security: invalid parity of a hostile peer. */
START_TEST(wrong_parity_is_refused_or_bounded)
{
	static const struct {
		uint64_t total, blocks, which;
		size_t len;
		int want;
	} row[] = {
		{ 256, 1, 0, 64, 1 },   /* fine */
		{ 256, 1, 0, 64, 0 },   /* known */
		{ 256, 1, 127, 64, 1 }, /* the last one */
		{ 256, 1, 128, 64, -ERR_PEER },
		{ 256, 2, 1, 128, -ERR_PEER }, /* another size */
		{ 256, 1, 1, 63, -ERR_PEER },
		{ 256, 0, 1, 0, -ERR_PEER },
		{ 257, 1, 1, 64, -ERR_PEER }, /* another total */
		{ UINT64_C(1) << 61, 1, 1, 64, -ERR_PEER },
		{ 256, UINT64_C(1) << 61, 1, 64, -ERR_PEER },
	};
	struct ssp_reasm_slot *s;
	uint8_t body[300];
	struct ssp_reasm r;
	struct wr w;
	unsigned i;

	ssp_reasm_init(&r);
	memset(body, 9, sizeof body);
	for (i = 0; i < ARRAY_LEN(row); i++) {
		wr_init(&w, body, sizeof body);
		wr_varint(&w, 5);
		wr_varint(&w, row[i].total);
		wr_varint(&w, row[i].blocks);
		wr_varint(&w, row[i].which);
		ck_assert_int_eq(
		    ssp_reasm_parity(&r, i, body, wr_len(&w) + row[i].len, &s),
		    row[i].want);
	}
	/* too many symbols for their size */
	wr_init(&w, body, sizeof body);
	wr_varint(&w, 6);
	wr_varint(&w, SSP_PARITY_DATA * 64 + 1);
	wr_varint(&w, 1);
	wr_varint(&w, 0);
	ck_assert_int_eq(
	    ssp_reasm_parity(&r, 1, body, wr_len(&w) + 64, &s), -ERR_PEER);
	/* endless parity: memory stays bounded */
	for (i = 0; i < 4000; i++) {
		wr_init(&w, body, sizeof body);
		wr_varint(&w, 100 + i / 128);
		wr_varint(&w, SSP_PARITY_DATA * 64);
		wr_varint(&w, 1);
		wr_varint(&w, i % 128);
		ck_assert_int_ge(
		    ssp_reasm_parity(&r, i, body, wr_len(&w) + 64, &s), 0);
		ck_assert_uint_le(
		    r.bytes, SSP_REASM_SLOTS * 2 * SSP_PARITY_DATA * 64);
	}
	ssp_reasm_fini(&r);
	ck_assert_uint_eq(r.bytes, 0);
}
END_TEST

UNIT_SUITE(ssp_parity)
{
	Suite *s = suite_create("ssp_parity");
	TCase *tc = tcase_create("code");

	tcase_add_test(tc, a_smaller_datagram_ends_parity);
	tcase_add_test(tc, any_symbols_restore_the_data);
	tcase_add_test(tc, bytes_are_those_of_the_document);
	tcase_add_test(tc, parity_is_wanted_as_losses_are_known);
	tcase_add_test(tc, the_number_on_the_way_is_enough);
	tcase_add_test(tc, wrong_parity_is_refused_or_bounded);
	suite_add_tcase(s, tc);
	return s;
}
