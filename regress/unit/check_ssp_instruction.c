/*
 * Compression, instructions, fragments and frames.
 */
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "base/err.h"
#include "base/mem.h"
#include "regress/sim/sim.h"
#include "regress/sim/toy.h"
#include "regress/unit/unit.h"
#include "ssp/frame.h"
#include "ssp/instruction.h"
#include "ssp/reasm.h"

START_TEST(frames_are_skipped_when_unknown)
{
	uint8_t b[64];
	struct ssp_frame f;
	struct wr w;
	struct rd r;

	wr_init(&w, b, sizeof b);
	ssp_frame_put(&w, 0x3f00, "xyz", 3);
	ssp_frame_put(&w, SSP_FRAME_PING, NULL, 0);
	wr_u8(&w, 0);
	wr_u8(&w, 0xff);
	ck_assert_int_eq(w.err, 0);
	rd_init(&r, b, wr_len(&w));
	ck_assert_int_eq(ssp_frame_next(&r, &f), 1);
	ck_assert_uint_eq(f.type, 0x3f00);
	ck_assert_uint_eq(f.len, 3);
	ck_assert_int_eq(ssp_frame_next(&r, &f), 1);
	ck_assert_uint_eq(f.type, SSP_FRAME_PING);
	ck_assert_int_eq(ssp_frame_next(&r, &f), 0);
	rd_init(&r, "\x01\x05xx", 4);
	ck_assert_int_eq(ssp_frame_next(&r, &f), -ERR_PEER);
}
END_TEST

START_TEST(packed_blocks_come_back)
{
	struct ssp_zip *zip = ssp_zip_new();
	uint8_t *a = mem_alloc(300000), *b = mem_alloc(300000);
	static const size_t sizes[] = { 20, 100, 1500, 60000, 200000 };
	uint64_t rng = 1;
	struct buf out;
	size_t i, k;
	bool whole;

	buf_init(&out, 400000);
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		for (k = 0; k < sizes[i]; k++)
			a[k] = (uint8_t)(k % 97 + sim_below(&rng, 2));
		buf_clear(&out);
		if (ssp_zip_pack(zip, a, sizes[i], a, sizes[i], &out, &whole) !=
		    0)
			continue;
		ck_assert_uint_lt(out.len, sizes[i]);
		ck_assert_int_eq(ssp_zip_unpack(zip, a, sizes[i], out.data,
				     out.len, whole, b, sizes[i]),
		    0);
		ck_assert_mem_eq(a, b, sizes[i]);
		/* one byte more or less than stated: rejected */
		ck_assert_int_ne(ssp_zip_unpack(zip, a, sizes[i], out.data,
				     out.len, whole, b, sizes[i] - 1),
		    0);
		ck_assert_int_ne(ssp_zip_unpack(zip, a, sizes[i], out.data,
				     out.len, whole, b, sizes[i] + 1),
		    0);
	}
	ck_assert_int_ne(ssp_zip_pack(zip, NULL, 0, a, 19, &out, &whole), 0);
	buf_fini(&out);
	mem_free(a);
	mem_free(b);
	ssp_zip_free(zip);
}
END_TEST

/*
 * Many peers get the same change: it is packed once, and the cached result is
 * that of a packer without cache.
 */
START_TEST(the_same_is_packed_once)
{
	struct ssp_zip *zip = ssp_zip_new(), *fresh;
	uint8_t old[2000], new[2000];
	struct buf a, b;
	static const size_t split[] = { 1000, 999, 0 };
	uint64_t rng = 7, before;
	bool wa, wb;
	size_t i, k, plen, len;
	int r;

	buf_init(&a, 4000);
	buf_init(&b, 4000);
	for (i = 0; i < 200; i++) {
		/* A few repeated inputs, some of them unpackable. */
		rng = i % 12;
		plen = i % 3 == 0 ? 0 : 1000 + i % 4;
		len = 1500 + i % 4;
		for (k = 0; k < sizeof(old); k++) {
			old[k] = (uint8_t)(k % 50 + sim_below(&rng, 2));
			new[k] = i % 4 == 3 ? (uint8_t)sim_below(&rng, 256)
					    : (uint8_t)(old[k] + (k % 90 == 0));
		}
		fresh = ssp_zip_new();
		buf_clear(&a);
		buf_clear(&b);
		wa = wb = false;
		r = ssp_zip_pack(fresh, old, plen, new, len, &a, &wa);
		for (k = 0; k < 3; k++) {
			before = ssp_zip_again(zip);
			buf_clear(&b);
			ck_assert_int_eq(
			    ssp_zip_pack(zip, old, plen, new, len, &b, &wb), r);
			ck_assert_uint_eq(a.len, b.len);
			if (r == 0) {
				ck_assert_mem_eq(a.data, b.data, a.len);
				ck_assert(wa == wb);
			}
			ck_assert(k == 0 || ssp_zip_again(zip) == before + 1);
		}
		ssp_zip_free(fresh);
	}
	/* Other splits of the same bytes into prefix and input are no hits. */
	ssp_zip_free(zip);
	zip = ssp_zip_new();
	buf_clear(&b);
	for (i = 0; i < ARRAY_LEN(split); i++)
		if (ssp_zip_pack(zip, old, split[i], old + split[i],
			2000 - split[i], &b, &wb) != 0)
			buf_clear(&b);
	ck_assert_uint_eq(ssp_zip_again(zip), 0);
	buf_fini(&a);
	buf_fini(&b);
	ssp_zip_free(zip);
}
END_TEST

/* security: 3 KB that expand to 100 MB write no byte beyond the limit. */
START_TEST(a_bomb_does_not_go_off)
{
	struct ssp_zip *zip = ssp_zip_new();
	size_t n = 100u << 20, cap = ZSTD_compressBound(n), len;
	uint8_t *zeros = mem_zalloc(n), *bomb = mem_alloc(cap);
	uint8_t out[4096 + 1];

	len = ZSTD_compress(bomb, cap, zeros, n, 3);
	ck_assert(!ZSTD_isError(len));
	out[4096] = 0xaa;
	ck_assert_int_eq(
	    ssp_zip_unpack(zip, NULL, 0, bomb, len, true, out, 4096),
	    -ERR_PEER);
	ck_assert_uint_eq(out[4096], 0xaa);
	mem_free(zeros);
	mem_free(bomb);
	ssp_zip_free(zip);
}
END_TEST

static struct ssp_past past;

static void
code(const struct ssp_coder *c, enum ssp_code_how how, const void *old,
    const void *new, struct buf *out)
{
	struct buf s1, s2;
	struct ssp_coded from = { .obj = old, &s1, &past },
			 to = { .obj = new, &s2, NULL };
	struct ssp_ins ins;
	size_t raw;

	memset(&ins, 0, sizeof ins);
	ins.new_num = 9;
	ins.old_num = 7;
	ins.throwaway = 5;
	buf_init(&s1, MAX_OF(c->ops->save_max, (size_t)1));
	buf_init(&s2, MAX_OF(c->ops->save_max, (size_t)1));
	buf_clear(out);
	ck_assert_int_eq(
	    ssp_ins_encode(c, how, &from, &to, &ins, out, &raw), 0);
	buf_fini(&s1);
	buf_fini(&s2);
}

/* Each kind of change takes its smallest form. */
START_TEST(the_smallest_form_is_chosen_and_applies)
{
	struct ssp_coder c = { .ops = &toy_screen_ops, .zip = ssp_zip_new() };
	struct toy_screen *a = toy_screen_new(80, 24), *b;
	enum ssp_ins_kind seen[4];
	uint64_t rng = 5;
	struct ssp_ins ins;
	struct buf out;
	void *r;
	int i;

	buf_init(&out, SSP_INS_MAX);
	for (i = 0; i < 24; i++)
		toy_screen_scroll(a, &rng);
	for (i = 0; i < 4; i++) {
		b = c.ops->clone(a);
		if (i == 0)
			b->cell[77] = 'x'; /* a key */
		if (i == 1)
			toy_screen_scroll(b, &rng);
		if (i == 2)
			toy_screen_fill(b, &rng);
		/* i == 3: nothing changes */
		code(&c, SSP_CODE_BEST, a, b, &out);
		ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
		seen[i] = ins.kind;
		ck_assert_uint_eq(ins.new_num, 9);
		ck_assert_uint_eq(ins.old_num, 7);
		ck_assert_uint_eq(ins.throwaway, 5);
		ck_assert_int_eq(
		    ssp_ins_apply(&c, &ins, a, &past, NULL, &r), 0);
		ck_assert(c.ops->equal(r, b));
		c.ops->free(r);
		code(&c, SSP_CODE_FULL, a, b, &out);
		ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
		ck_assert_uint_eq(ins.old_num, 9);
		ck_assert_int_eq(
		    ssp_ins_apply(&c, &ins, a, &past, NULL, &r), 0);
		ck_assert(c.ops->equal(r, b));
		c.ops->free(r);
		c.ops->free(b);
	}
	ck_assert_int_eq(seen[0], SSP_INS_DIFF);
	ck_assert_int_eq(seen[1], SSP_INS_ZNEW);
	ck_assert_int_eq(seen[3], SSP_INS_DIFF);
	c.ops->free(a);
	buf_fini(&out);
	ssp_zip_free(c.zip);
}
END_TEST

static unsigned saves;

static int
counted_save(const void *obj, struct buf *out)
{
	saves++;
	return toy_screen_ops.save(obj, out);
}

/* A local link has no compressor, so only differences are made. */
START_TEST(without_compression_nothing_is_saved)
{
	struct ssp_object_ops ops = toy_screen_ops;
	struct ssp_coder c = { .ops = &ops };
	struct toy_screen *a = toy_screen_new(80, 24), *b;
	struct ssp_ins ins;
	uint64_t rng = 5;
	struct buf out;
	void *r;

	ops.save = counted_save;
	buf_init(&out, SSP_INS_MAX);
	b = ops.clone(a);
	toy_screen_fill(b, &rng);
	saves = 0;
	code(&c, SSP_CODE_BEST, a, b, &out);
	ck_assert_uint_eq(saves, 0);
	ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
	ck_assert_int_eq(ins.kind, SSP_INS_DIFF);
	ck_assert_int_eq(ssp_ins_apply(&c, &ins, a, &past, NULL, &r), 0);
	ck_assert(ops.equal(r, b));
	ops.free(r);
	ops.free(b);
	ops.free(a);
	buf_fini(&out);
}
END_TEST

/* One end of a connection: its newest value, and what led to it. */
struct trail_end {
	struct toy_screen *now;
	struct ssp_past past;
};

static void
trail_took(const struct ssp_coder *c, struct trail_end *e,
    struct toy_screen *to, const struct buf *ins, const struct buf *diff)
{
	struct ssp_past p;
	struct buf ser;
	struct ssp_coded from = { .obj = e->now, &ser, &e->past };

	buf_init(&ser, c->ops->save_max);
	ssp_ins_past(c, ins->data, ins->len, diff, &from, &p);
	buf_fini(&ser);
	ssp_past_fini(&e->past);
	e->past = p;
	c->ops->free(e->now);
	e->now = to;
}

/* Numbers in the same columns go up, as in a table of processes. */
static struct toy_screen *
trail_next(const struct ssp_coder *c, const struct toy_screen *was)
{
	struct toy_screen *s = c->ops->clone(was);
	unsigned row, n, digit;
	char text[8];

	for (row = 0; row < 24; row++) {
		n = s->cell[row * 80] =
		    (uint8_t)(s->cell[row * 80] + 1 + row % 3);
		(void)snprintf(text, sizeof(text), "%u.%u%u", n % 10,
		    n / 10 % 10, n * row % 10);
		for (digit = 0; digit < 4; digit++)
			s->cell[row * 80 + 30 + digit] = (uint8_t)text[digit];
	}
	return s;
}

/* Asserts that both ends know the same; returns its bytes. */
static size_t
trails_alike(const struct ssp_chunks *a, const struct ssp_chunks *b)
{
	size_t bytes = 0;
	unsigned k;

	ck_assert((a == NULL) == (b == NULL));
	if (a == NULL)
		return 0;
	ck_assert_uint_eq(a->n, b->n);
	for (k = 0; k < a->n; k++) {
		bytes += a->chunk[k]->len;
		ck_assert_uint_eq(a->chunk[k]->len, b->chunk[k]->len);
		ck_assert_mem_eq(
		    a->chunk[k]->data, b->chunk[k]->data, a->chunk[k]->len);
	}
	return bytes;
}

/* Sends 40 changes; returns the bytes of their instructions. */
static size_t
trail_run(bool trail)
{
	struct ssp_coder c = {
		.ops = &toy_screen_ops, .zip = ssp_zip_new(), .trail = trail
	};
	struct trail_end tx = { .now = toy_screen_new(80, 24) };
	struct trail_end rx = { .now = toy_screen_new(80, 24) };
	struct ssp_past other = { 0 };
	struct buf s1, s2, d1, d2, out;
	struct toy_screen *to;
	size_t bytes = 0, kept, raw;
	struct ssp_ins ins;
	unsigned i, trails = 0;
	void *r;

	buf_init(&s1, c.ops->save_max);
	buf_init(&s2, c.ops->save_max);
	buf_init(&d1, SSP_INS_DIFF_MAX);
	buf_init(&d2, SSP_INS_DIFF_MAX);
	buf_init(&out, SSP_INS_MAX);
	for (i = 1; i <= 40; i++) {
		to = trail_next(&c, tx.now);
		struct ssp_coded from = { .obj = tx.now, &s1, &tx.past };
		struct ssp_coded new = { .obj = to, &s2, .diff = &d1 };
		memset(&ins, 0, sizeof ins);
		ins.new_num = i;
		ins.old_num = ins.throwaway = i - 1;
		buf_clear(&s1);
		buf_clear(&s2);
		buf_clear(&out);
		buf_clear(&d2);
		ck_assert_int_eq(ssp_ins_encode(&c, SSP_CODE_BEST, &from, &new,
				     &ins, &out, &raw),
		    0);
		bytes += out.len;
		ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
		trails += ins.kind == SSP_INS_ZTRAIL;
		if (ins.kind == SSP_INS_ZTRAIL)
			ck_assert_int_eq(
			    ssp_ins_apply(&c, &ins, rx.now, &other, NULL, &r),
			    -ERR_STATE);
		ck_assert_int_eq(
		    ssp_ins_apply(&c, &ins, rx.now, &rx.past, &d2, &r), 0);
		ck_assert(c.ops->equal(r, to));
		trail_took(&c, &tx, to, &out, &d1);
		trail_took(&c, &rx, r, &out, &d2);
		kept = trails_alike(tx.past.trail, rx.past.trail);
		ck_assert_uint_le(kept, SSP_TRAIL_BYTES);
	}
	ck_assert_uint_ge(tx.past.trail->n, 8);
	ck_assert(trail == (trails > 20));
	ssp_past_fini(&tx.past);
	ssp_past_fini(&rx.past);
	c.ops->free(tx.now);
	c.ops->free(rx.now);
	buf_fini(&s1);
	buf_fini(&s2);
	buf_fini(&d1);
	buf_fini(&d2);
	buf_fini(&out);
	ssp_zip_free(c.zip);
	return bytes;
}

START_TEST(the_trail_makes_changes_of_the_same_cells_small)
{
	size_t with = trail_run(true), without = trail_run(false);

	ck_assert_msg(with * 10 < without * 9, "%zu, %zu", with, without);
}
END_TEST

/* The instruction just coded becomes part of the past. */
static void
remember(const struct ssp_coder *c, const void *old, const struct buf *ins)
{
	static const struct buf none;
	struct ssp_past p;
	struct buf ser;
	struct ssp_coded from = { .obj = old, &ser, &past };

	buf_init(&ser, c->ops->save_max);
	ssp_ins_past(c, ins->data, ins->len, &none, &from, &p);
	ssp_past_fini(&past);
	past = p;
	buf_fini(&ser);
}

/* Pages shown before are small, equally at both ends; limits hold. */
START_TEST(the_past_makes_pages_small)
{
	struct ssp_coder c = { .ops = &toy_screen_ops, .zip = ssp_zip_new() };
	struct toy_screen *page[24];
	struct ssp_past other;
	uint64_t rng = 5;
	struct ssp_ins ins;
	size_t bytes, first;
	struct buf out;
	unsigned i, k;
	void *r;

	buf_init(&out, SSP_INS_MAX);
	for (i = 0; i < ARRAY_LEN(page); i++) {
		page[i] = toy_screen_new(80, 24);
		for (k = 0; k < 24; k++)
			toy_screen_scroll(page[i], &rng);
	}
	for (i = 1, first = 0; i < ARRAY_LEN(page); i++) {
		code(&c, SSP_CODE_BEST, page[i - 1], page[i], &out);
		ck_assert_uint_ge(out.len, SSP_PAST_FROM);
		first = MAX_OF(first, out.len);
		remember(&c, page[i - 1], &out);
		for (k = 0, bytes = 0; k < past.pages->n; k++)
			bytes += past.pages->chunk[k]->len;
		ck_assert_uint_le(bytes, SSP_PAST_BYTES);
		ck_assert_uint_le(past.pages->n, SSP_PAST_MAX);
		ck_assert_uint_ge(past.pages->n, MIN_OF(i, 8u));
	}
	/* a former page */
	code(&c, SSP_CODE_BEST, page[23], page[20], &out);
	ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
	ck_assert(ins.past);
	ck_assert_uint_lt(out.len, first / 4);
	ck_assert_int_eq(ssp_ins_apply(&c, &ins, page[23], &past, NULL, &r), 0);
	ck_assert(c.ops->equal(r, page[20]));
	c.ops->free(r);
	/* security: a wrong past gives rubbish; the hash detects it */
	memset(&other, 0, sizeof other);
	ck_assert_int_eq(
	    ssp_ins_apply(&c, &ins, page[23], &other, NULL, &r), -ERR_STATE);
	ck_assert_ptr_null(r);
	/* a small change keeps the past, a full state drops it */
	k = past.pages->n;
	page[20]->cell[7] ^= 1;
	code(&c, SSP_CODE_BEST, page[20], page[20], &out);
	remember(&c, page[20], &out);
	ck_assert_uint_eq(past.pages->n, k);
	code(&c, SSP_CODE_FULL, page[20], page[21], &out);
	remember(&c, page[20], &out);
	ck_assert_ptr_null(past.pages);
	for (i = 0; i < ARRAY_LEN(page); i++)
		c.ops->free(page[i]);
	buf_fini(&out);
	ssp_zip_free(c.zip);
}
END_TEST

/*
 * Sends 48 pages and then the first ones again, from the last back; returns the
 * bytes of those.  PAGES: the peer reads SSP_INS_ZPAGES.
 */
static size_t
pages_run(bool pages)
{
	struct ssp_coder c = {
		.ops = &toy_screen_ops, .zip = ssp_zip_new(), .pages = pages
	};
	struct toy_screen *page[48];
	struct ssp_past none = { 0 };
	unsigned i, k, was, kinds[SSP_INS_KINDS] = { 0 };
	uint64_t rng = 9;
	size_t bytes = 0, had = 0;
	struct ssp_ins ins;
	struct buf out;
	void *r;

	buf_init(&out, SSP_INS_MAX);
	for (i = 0; i < ARRAY_LEN(page); i++) {
		page[i] = toy_screen_new(80, 24);
		for (k = 0; k < 24; k++)
			toy_screen_scroll(page[i], &rng);
	}
	for (i = 1; i < 2 * ARRAY_LEN(page) - 1; i++) {
		k = i < ARRAY_LEN(page) ? i : 2 * ARRAY_LEN(page) - 2 - i;
		was = i <= ARRAY_LEN(page) ? i - 1 : k + 1;
		code(&c, SSP_CODE_BEST, page[was], page[k], &out);
		ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
		kinds[ins.kind]++;
		if (ins.kind == SSP_INS_ZPAGES)
			ck_assert_int_eq(
			    ssp_ins_apply(&c, &ins, page[was], &none, NULL, &r),
			    -ERR_STATE);
		ck_assert_int_eq(
		    ssp_ins_apply(&c, &ins, page[was], &past, NULL, &r), 0);
		ck_assert(c.ops->equal(r, page[k]));
		c.ops->free(r);
		bytes += i < ARRAY_LEN(page) ? 0 : out.len;
		remember(&c, page[was], &out);
	}
	for (i = 0; i < past.pages->n; i++)
		had += past.pages->chunk[i]->len;
	ck_assert_uint_le(had, SSP_PAST_BYTES);
	ck_assert_uint_gt(had, SSP_PAST_SHORT_BYTES);
	/* An old peer gets no kind that it does not know. */
	ck_assert(pages == (kinds[SSP_INS_ZPAGES] > 40));
	ck_assert(pages || kinds[SSP_INS_ZPAGES] == 0);
	ssp_past_fini(&past);
	for (i = 0; i < ARRAY_LEN(page); i++)
		c.ops->free(page[i]);
	buf_fini(&out);
	ssp_zip_free(c.zip);
	return bytes;
}

START_TEST(the_whole_past_reaches_far_back)
{
	size_t with = pages_run(true), without = pages_run(false);

	ck_assert_msg(with * 3 < without, "%zu, %zu", with, without);
}
END_TEST

/*
 * A peer without SSP_CAP_PAGES keeps the short past: the newest 16 states of
 * at most 48 kB.
 */
START_TEST(the_short_past_is_the_end_of_the_whole)
{
	uint8_t *page = mem_alloc(20000);
	struct buf kept[100], want, got, ser, none;
	struct ssp_past p = { 0 }, next;
	unsigned i, k, n, from = 0;
	uint64_t rng = 3;
	size_t bytes = 0;

	buf_init(&want, 200000);
	buf_init(&got, 200000);
	buf_init(&none, 1);
	for (i = 0; i < ARRAY_LEN(kept); i++) {
		n = 1 + (unsigned)sim_below(&rng, i % 20 == 0 ? 20000 : 4000);
		for (k = 0; k < n; k++)
			page[k] = (uint8_t)sim_below(&rng, 256);
		buf_init(&ser, 20000);
		ck_assert_int_eq(buf_add(&ser, page, n), 0);
		ssp_past_after(&next, &p, &ser);
		ssp_past_fini(&p);
		p = next;
		kept[i] = ser;
		for (bytes += n; i - from == 16 || bytes > 49152; from++)
			bytes -= kept[from].len;
		buf_clear(&want);
		buf_clear(&got);
		for (k = from; k <= i; k++)
			ck_assert_int_eq(
			    buf_add(&want, kept[k].data, kept[k].len), 0);
		ck_assert_int_eq(
		    ssp_past_prefix(&p, SSP_PAST_SHORT, false, &none, &got), 0);
		ck_assert_uint_eq(got.len, want.len);
		ck_assert_mem_eq(got.data, want.data, want.len);
	}
	ssp_past_fini(&p);
	for (i = 0; i < ARRAY_LEN(kept); i++)
		buf_fini(&kept[i]);
	buf_fini(&want);
	buf_fini(&got);
	mem_free(page);
}
END_TEST

/* security: a wrong old state gives rubbish; the hash must detect it. */
START_TEST(a_wrong_old_state_is_noticed)
{
	struct ssp_coder c = {
		.ops = &toy_screen_ops, .zip = ssp_zip_new(), .verify = true
	};
	struct toy_screen *a = toy_screen_new(80, 24), *b, *wrong;
	uint64_t rng = 5;
	struct ssp_ins ins;
	struct buf out;
	void *r;
	int i;

	buf_init(&out, SSP_INS_MAX);
	for (i = 0; i < 24; i++)
		toy_screen_scroll(a, &rng);
	wrong = c.ops->clone(a);
	memset(wrong->cell + 300, 'Z', 400);
	for (i = 0; i < 2; i++) {
		b = c.ops->clone(a);
		if (i == 0)
			b->cell[5] = 'x';
		else
			toy_screen_scroll(b, &rng);
		code(&c, SSP_CODE_BEST, a, b, &out);
		ck_assert_int_eq(ssp_ins_get(&ins, out.data, out.len), 0);
		ck_assert_int_eq(
		    ssp_ins_apply(&c, &ins, wrong, &past, NULL, &r),
		    -ERR_STATE);
		ck_assert_ptr_null(r);
		c.ops->free(b);
	}
	c.ops->free(a);
	c.ops->free(wrong);
	buf_fini(&out);
	ssp_zip_free(c.zip);
}
END_TEST

START_TEST(fragments_of_any_size_and_order_make_the_whole)
{
	enum {
		LEN = 10007
	};
	uint8_t data[LEN], frame[1500];
	uint64_t rng = 3, pn = 0;
	struct ssp_reasm_slot *s = NULL;
	struct ssp_bulk *b;
	struct ssp_reasm r;
	struct ssp_frame f;
	unsigned repair, n = 0;
	mono_ms now = 0;
	struct wr w;
	struct rd rd;
	size_t i;

	for (i = 0; i < LEN; i++)
		data[i] = (uint8_t)sim_rand(&rng);
	b = ssp_bulk_new(42, 40, data, LEN, 3, now);
	ssp_reasm_init(&r);
	while (ssp_bulk_ready(b, now) != MONO_NEVER && ++n < 2000) {
		now = ssp_bulk_ready(b, now);
		wr_init(&w, frame, 100 + sim_below(&rng, 1400));
		ck_assert_uint_gt(ssp_bulk_put(b, now, pn++, &w, &repair), 0);
		if (sim_below(&rng, 3) == 0)
			continue; /* lost */
		rd_init(&rd, frame, wr_len(&w));
		ck_assert_int_eq(ssp_frame_next(&rd, &f), 1);
		ck_assert_uint_eq(f.type, SSP_FRAME_FRAG);
		ck_assert_int_ge(ssp_reasm_add(&r, now, f.body, f.len, &s), 0);
	}
	ck_assert_uint_le(r.bytes, LEN);
	ck_assert_uint_gt(s->held, s->nblocks / 2);
	/* the report names exactly the missing blocks */
	while (s->held < s->nblocks) {
		struct ssp_loss l;
		static const struct ssp_loss_ops none;

		ssp_loss_init(&l, &none, NULL); /* all old numbers: settled */
		wr_init(&w, frame, sizeof frame);
		ssp_reasm_tell_all(&r);
		ssp_reasm_put(&r, &w);
		rd_init(&rd, frame, wr_len(&w));
		ck_assert_int_eq(ssp_frame_next(&rd, &f), 1);
		rd_init(&rd, f.body, f.len);
		ck_assert_uint_eq(rd_varint(&rd), 42);
		ck_assert_int_eq(ssp_bulk_report(b, now, pn++, &rd, &l, 0), 0);
		ssp_loss_fini(&l);
		if (b->wanted == 0)
			ssp_bulk_probe(b, 1);
		now += 10;
		wr_init(&w, frame, 700);
		ck_assert_uint_gt(ssp_bulk_put(b, now, pn++, &w, &repair), 0);
		rd_init(&rd, frame, wr_len(&w));
		ck_assert_int_eq(ssp_frame_next(&rd, &f), 1);
		ck_assert_int_ge(ssp_reasm_add(&r, now, f.body, f.len, &s), 0);
		ck_assert_uint_lt(++n, 4000);
	}
	ck_assert_mem_eq(s->data, data, LEN);
	ssp_bulk_free(b);
	ssp_reasm_fini(&r);
}
END_TEST

/* security: contradictory fragments of a hostile peer. */
START_TEST(contradicting_fragments_are_refused)
{
	struct ssp_reasm_slot *s;
	struct ssp_reasm r;
	uint8_t body[200];
	struct wr w;
	size_t i;
	static const struct {
		uint64_t total, first;
		size_t len;
		int want;
	} row[] = {
		{ 128, 0, 64, 1 },         /* fine */
		{ 129, 0, 64, -ERR_PEER }, /* another total */
		{ 128, 0, 63, -ERR_PEER }, /* half a block */
		{ 128, 2, 64, -ERR_PEER }, /* beyond the end */
		{ 128, 1, 65, -ERR_PEER }, /* over the end */
		{ 128, UINT64_C(1) << 60, 64, -ERR_PEER },
		{ SSP_INS_MAX + 1, 0, 64, -ERR_PEER },
		{ 0, 0, 64, -ERR_PEER },
		{ 128, 1, 0, -ERR_PEER },
		{ 128, 0, 64, 0 }, /* known */
		{ 128, 1, 64, 1 },
	};

	ssp_reasm_init(&r);
	memset(body, 7, sizeof body);
	for (i = 0; i < ARRAY_LEN(row); i++) {
		wr_init(&w, body, sizeof body);
		wr_varint(&w, 5);
		wr_varint(&w, row[i].total);
		wr_varint(&w, row[i].first);
		ck_assert_int_eq(
		    ssp_reasm_add(&r, i, body, wr_len(&w) + row[i].len, &s),
		    row[i].want);
	}
	/* many large instructions: memory stays bounded */
	for (i = 0; i < 1000; i++) {
		wr_init(&w, body, sizeof body);
		wr_varint(&w, 100 + i);
		wr_varint(&w, SSP_INS_MAX);
		wr_varint(&w, 0);
		ck_assert_int_eq(
		    ssp_reasm_add(&r, i, body, wr_len(&w) + 64, &s), 1);
		ck_assert_uint_le(r.bytes, SSP_REASM_MAX);
	}
	ssp_reasm_fini(&r);
}
END_TEST

/* An object that is its text: every form of it is the text. */
static int
text_save(const void *obj, struct buf *out)
{
	return buf_add(out, obj, strlen(obj));
}

static int
text_diff(UNUSED const void *old, const void *new, struct buf *out)
{
	return text_save(new, out);
}

static int
text_load(UNUSED void *obj, UNUSED const uint8_t *data, UNUSED size_t len)
{
	return 0;
}

static const struct ssp_object_ops text_ops = {
	.diff = text_diff, .save = text_save, .load = text_load, .save_max = 100
};

/* Encodes TEXT into OUT. */
static void
encode_text(const char *text, enum ssp_code_how how, struct ssp_ins *ins,
    struct buf *out)
{
	struct ssp_coder c = { .ops = &text_ops };
	struct ssp_coded old = { .obj = "" }, new = { .obj = text };
	struct buf ser[2];
	size_t raw;

	buf_init(&ser[0], 100);
	buf_init(&ser[1], 100);
	old.ser = &ser[0];
	new.ser = &ser[1];
	ck_assert_int_eq(
	    ssp_ins_encode(&c, how, &old, &new, ins, out, &raw), 0);
	buf_fini(&ser[0]);
	buf_fini(&ser[1]);
}

/* The vectors of doc/PROTOCOL.md, B.13. */
START_TEST(bytes_are_those_of_the_document)
{
	static const uint8_t state[] = { 2, 6, 0, 9, 2, 2, 'l', 's' };
	struct ssp_ins ins = { .new_num = 9, .old_num = 7, .throwaway = 5 };
	static const uint8_t missing[] = { 4, 4, 0x2a, 3, 1, 1 };
	static const uint8_t frag0[] = { 3, 68, 0x2a, 0x40, 0xc8, 0, 0, 1 };
	struct ssp_reasm_slot *slot;
	struct ssp_reasm r;
	struct ssp_bulk *b;
	struct ssp_frame f;
	uint8_t data[200], out[3][90];
	unsigned i, repair;
	struct buf buf;
	struct wr w;
	struct rd rd;

	buf_init(&buf, 100);
	encode_text("ls", SSP_CODE_PLAIN, &ins, &buf);
	wr_init(&w, out[0], sizeof out[0]);
	ssp_frame_put(&w, SSP_FRAME_STATE, buf.data, buf.len);
	ck_assert_uint_eq(wr_len(&w), sizeof state);
	ck_assert_mem_eq(out[0], state, sizeof state);
	encode_text("", SSP_CODE_FULL, &ins, &buf);
	ck_assert_uint_eq(ins.hash, 0x737700d7);
	encode_text("abc", SSP_CODE_FULL, &ins, &buf);
	ck_assert_uint_eq(ins.hash, 0x4770eede);
	buf_fini(&buf);
	for (i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)i;
	b = ssp_bulk_new(42, 40, data, sizeof data, 1, 0);
	ssp_reasm_init(&r);
	for (i = 0; i < 3; i++) {
		wr_init(&w, out[i], sizeof out[i]);
		ck_assert_uint_eq(ssp_bulk_put(b, 0, i, &w, &repair), 1);
		rd_init(&rd, out[i], wr_len(&w));
		ck_assert_int_eq(ssp_frame_next(&rd, &f), 1);
		if (i != 1)
			ck_assert_int_eq(
			    ssp_reasm_add(&r, 0, f.body, f.len, &slot), 1);
	}
	/* the length is written in two bytes from 64 on */
	ck_assert_uint_eq(out[0][0], frag0[0]);
	ck_assert_mem_eq(out[0] + 3, frag0 + 2, sizeof frag0 - 2);
	wr_init(&w, out[0], sizeof out[0]);
	ssp_reasm_put(&r, &w);
	ck_assert_uint_eq(wr_len(&w), sizeof missing);
	ck_assert_mem_eq(out[0], missing, sizeof missing);
	ssp_bulk_free(b);
	ssp_reasm_fini(&r);
}
END_TEST

UNIT_SUITE(ssp_instruction)
{
	Suite *s = suite_create("ssp_instruction");
	TCase *tc = tcase_create("bytes");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, bytes_are_those_of_the_document);
	tcase_add_test(tc, frames_are_skipped_when_unknown);
	tcase_add_test(tc, packed_blocks_come_back);
	tcase_add_test(tc, the_same_is_packed_once);
	tcase_add_test(tc, a_bomb_does_not_go_off);
	tcase_add_test(tc, the_smallest_form_is_chosen_and_applies);
	tcase_add_test(tc, without_compression_nothing_is_saved);
	tcase_add_test(tc, the_whole_past_reaches_far_back);
	tcase_add_test(tc, the_short_past_is_the_end_of_the_whole);
	tcase_add_test(tc, the_trail_makes_changes_of_the_same_cells_small);
	tcase_add_test(tc, the_past_makes_pages_small);
	tcase_add_test(tc, a_wrong_old_state_is_noticed);
	tcase_add_test(tc, fragments_of_any_size_and_order_make_the_whole);
	tcase_add_test(tc, contradicting_fragments_are_refused);
	suite_add_tcase(s, tc);
	return s;
}
