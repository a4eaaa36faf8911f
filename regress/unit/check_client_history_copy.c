/*
 * The client's copy of histories: messages compressed with the text before
 * them.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "client/history_copy.h"
#include "regress/unit/unit.h"
#include "ssp/compress.h"

/* Writes lines "AT: text", each after its length. */
static void
raw_lines(struct buf *raw, unsigned at, unsigned n)
{
	char text[80];
	unsigned i, len;

	for (i = 0; i < n; i++) {
		len = (unsigned)snprintf(text, sizeof(text),
		    "%c%u: the quick brown fox\t", 0, at + i);
		text[len - 1] = 9; /* the end of the row */
		(void)buf_add_u8(raw, (uint8_t)len);
		(void)buf_add(raw, text, len);
	}
}

/* Sends N lines from AT on, after or before KNOWN lines of the copy. */
static int
tell(struct history_copy *h, struct ssp_zip *zip, uint64_t first, uint64_t end,
    unsigned at, unsigned n, unsigned known, bool spoil)
{
	struct sync_tail_lines m = { .pane = 3,
		.keep_first = first,
		.keep_end = end,
		.at = at,
		.count = n,
		.known = known };
	struct buf raw, prefix, packed, wire;
	bool whole;
	int e;

	buf_init(&raw, SYNC_TAIL_RAW_MAX);
	buf_init(&prefix, SYNC_TAIL_PREFIX);
	buf_init(&packed, SYNC_TAIL_RAW_MAX);
	buf_init(&wire, SYNC_TAIL_RAW_MAX);
	raw_lines(&raw, at, n);
	if (known > 0)
		raw_lines(&prefix, at < end ? at + n : at - known, known);
	m.raw = (uint32_t)raw.len;
	m.hash = sync_tail_raw_hash(raw.data, raw.len);
	ck_assert_int_eq(ssp_zip_pack(zip, prefix.data, prefix.len, raw.data,
			     raw.len, &packed, &whole),
	    0);
	m.form = whole ? 2 : 1;
	m.body = packed.data;
	m.len = packed.len;
	sync_tail_put_lines(&wire, &m);
	if (spoil)
		wire.data[wire.len / 2] ^= 0x10;
	e = history_copy_message(h, wire.data, wire.len);
	buf_fini(&raw);
	buf_fini(&prefix);
	buf_fini(&packed);
	buf_fini(&wire);
	return e;
}

START_TEST(lines_are_unpacked_with_their_neighbours)
{
	struct ssp_zip *zip = ssp_zip_new();
	struct history_copy *h = history_copy_new(zip);
	const uint32_t pane = 3;
	const struct sync_tail *t;
	struct sync_tail_want w;
	unsigned panes, i;
	struct buf b;
	struct rd r;

	ck_assert_uint_eq(history_copy_lines(h, &panes), 0);
	ck_assert_int_eq(tell(h, zip, 100, 100, 100, 20, 0, false), 0);
	ck_assert_int_eq(tell(h, zip, 100, 120, 120, 5, 10, false), 0);
	ck_assert_int_eq(tell(h, zip, 100, 125, 60, 40, 15, false), 0);
	ck_assert_uint_eq(history_copy_lines(h, &panes), 65);
	ck_assert_uint_eq(panes, 1);
	t = history_copy_tail(h, pane);
	ck_assert_uint_eq(t->first, 60);
	/*
	 * More known lines than the copy has, and a body that does not
	 * decompress.
	 */
	ck_assert_int_eq(tell(h, zip, 60, 125, 125, 5, 66, false), -ERR_PEER);
	for (i = 0; i < 3; i++)
		ck_assert_int_eq(
		    tell(h, zip, 60, 125, 125, 30, i, true), -ERR_PEER);
	ck_assert_uint_eq(history_copy_lines(h, &panes), 65);

	buf_init(&b, 4096);
	history_copy_want(h, 500, &b);
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_tail_get_want(&r, &w), 0);
	ck_assert_uint_eq(w.lines, 500);
	ck_assert_uint_eq(w.nhave, 1);
	ck_assert_uint_eq(w.have[0].count, 65);
	ck_assert_uint_eq(w.have[0].hash, sync_tail_hash_all(t));
	buf_clear(&b);
	sync_tail_put_forget(&b, &pane, 1);
	ck_assert_int_eq(history_copy_message(h, b.data, b.len), 0);
	ck_assert_ptr_null(history_copy_tail(h, pane));
	ck_assert_int_eq(history_copy_message(h, b.data, 0), -ERR_PEER);
	buf_fini(&b);
	history_copy_free(h);
	ssp_zip_free(zip);
}
END_TEST

UNIT_SUITE(client_held)
{
	Suite *s = suite_create("client_held");
	TCase *tc = tcase_create("held");

	tcase_add_test(tc, lines_are_unpacked_with_their_neighbours);
	suite_add_tcase(s, tc);
	return s;
}
