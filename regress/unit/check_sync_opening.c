/* Openings of copy mode: their bytes, and the client's store of them. */
#include <string.h>

#include "base/err.h"
#include "base/grapheme.h"
#include "base/mem.h"
#include "client/history_copy.h"
#include "mux/sync/copy.h"
#include "mux/sync/opening.h"
#include "regress/unit/unit.h"
#include "ssp/compress.h"

static struct sync_opening
opening(uint32_t pane, uint64_t screen, const char *state, const char *setup)
{
	return (struct sync_opening){ .pane = pane,
		.screen = screen,
		.state = vt_str_new(state, strlen(state)),
		.setup =
		    setup == NULL ? NULL : vt_str_new(setup, strlen(setup)),
		.asks = setup == NULL ? NULL : vt_str_new("asks", 4) };
}

static struct vt_frame *
screen(const char *text, unsigned x)
{
	static const struct pen plain;
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_frame *f = vt_frame_new(20, 3);

	(void)vt_frame_text(f, gt, 0, 1, 20, text, strlen(text), &plain);
	f->state.x = (uint16_t)x;
	grapheme_table_free(gt);
	return f;
}

START_TEST(a_body_comes_back_and_its_parts_are_refused)
{
	struct sync_opening o = opening(7, 0x1122334455667788, "st", "setup");
	struct sync_opening got = { 0 };
	struct buf b;
	size_t n;

	buf_init(&b, BUF_MAX);
	ck_assert(sync_opening_put(&b, &o));
	ck_assert_int_eq(sync_opening_get(b.data, b.len, &got), 0);
	ck_assert_uint_eq(got.pane, 7);
	ck_assert_uint_eq(got.screen, o.screen);
	ck_assert(vt_str_equal(got.state, o.state));
	ck_assert(vt_str_equal(got.setup, o.setup));
	ck_assert(vt_str_equal(got.asks, o.asks));
	sync_opening_fini(&got);
	for (n = 0; n < b.len; n++)
		ck_assert_int_eq(sync_opening_get(b.data, n, &got), -ERR_PEER);
	ck_assert_ptr_null(got.state);
	sync_opening_fini(&o);

	/* A body without a setup has no prompts; one without a state is refused. */
	o = opening(7, 1, "st", NULL);
	buf_clear(&b);
	ck_assert(sync_opening_put(&b, &o));
	ck_assert_int_eq(sync_opening_get(b.data, b.len, &got), 0);
	ck_assert_ptr_null(got.setup);
	sync_opening_fini(&got);
	vt_str_unref(o.state);
	o.state = NULL;
	buf_clear(&b);
	ck_assert(sync_opening_put(&b, &o));
	ck_assert_int_eq(sync_opening_get(b.data, b.len, &got), -ERR_PEER);
	buf_fini(&b);
}
END_TEST

START_TEST(the_hash_is_that_of_what_is_seen)
{
	struct vt_frame *a = screen("text", 3), *b = screen("text", 3);

	ck_assert_uint_eq(sync_opening_screen(a), sync_opening_screen(b));
	b->state.x = 4;
	ck_assert_uint_ne(sync_opening_screen(a), sync_opening_screen(b));
	ck_assert(sync_opening_same(a, b));
	vt_frame_unref(b);
	b = screen("test", 3);
	ck_assert_uint_ne(sync_opening_screen(a), sync_opening_screen(b));
	ck_assert(!sync_opening_same(a, b));
	vt_frame_unref(a);
	vt_frame_unref(b);
}
END_TEST

/* Sends an opening to H, packed or plain; SPOIL: with a wrong byte. */
static int
tell(struct history_copy *h, struct ssp_zip *zip, struct sync_opening o,
    bool pack, bool spoil)
{
	struct sync_opening_message m = { 0 };
	struct buf raw, packed, out;
	bool whole;
	int e;

	buf_init(&raw, BUF_MAX);
	buf_init(&packed, BUF_MAX);
	buf_init(&out, BUF_MAX);
	ck_assert(sync_opening_put(&raw, &o));
	sync_opening_fini(&o);
	m.raw = (uint32_t)raw.len;
	m.body = raw.data;
	m.len = raw.len;
	if (pack && ssp_zip_pack(zip, NULL, 0, raw.data, raw.len, &packed,
			&whole) == 0) {
		m.form = whole ? 2 : 1;
		m.body = packed.data;
		m.len = packed.len;
	}
	sync_opening_put_message(&out, &m);
	if (spoil)
		out.data[2] ^= 1; /* the length */
	e = history_copy_message(h, out.data, out.len);
	buf_fini(&raw);
	buf_fini(&packed);
	buf_fini(&out);
	return e;
}

/* A client keeps the last ones, each with the newest setup. */
START_TEST(a_client_keeps_them_by_pane_and_screen)
{
	struct ssp_zip *zip = ssp_zip_new();
	struct history_copy *h = history_copy_new(zip);
	struct vt_frame *a = screen("one", 0), *b = screen("two", 0);
	const uint64_t ha = sync_opening_screen(a), hb = sync_opening_screen(b);
	char setup[300];
	const struct sync_opening *o;
	unsigned i;

	memset(setup, 'x', sizeof(setup) - 1);
	setup[sizeof(setup) - 1] = '\0';
	/* The client drops an opening while it has no setup. */
	ck_assert_int_eq(
	    tell(h, zip, opening(1, ha, "s1", NULL), true, false), 0);
	ck_assert_ptr_null(history_copy_opening(h, 1, a));
	ck_assert_int_eq(
	    tell(h, zip, opening(1, ha, "s1", setup), true, false), 0);
	ck_assert_int_eq(
	    tell(h, zip, opening(2, hb, "s2", NULL), false, false), 0);
	o = history_copy_opening(h, 1, a);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(vt_str_text(o->state), "s1");
	o = history_copy_opening(h, 2, b);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(vt_str_text(o->setup), setup);
	ck_assert_ptr_null(history_copy_opening(h, 2, a));
	ck_assert_ptr_null(history_copy_opening(h, 1, b));
	/* Another setup ends those that were made with the one before. */
	ck_assert_int_eq(
	    tell(h, zip, opening(2, hb, "s3", "new"), true, false), 0);
	ck_assert_ptr_null(history_copy_opening(h, 1, a));
	o = history_copy_opening(h, 2, b);
	ck_assert_ptr_nonnull(o);
	ck_assert_str_eq(vt_str_text(o->state), "s3");
	/* Bytes that do not fit change nothing; many panes do not grow it. */
	ck_assert_int_eq(
	    tell(h, zip, opening(2, hb, "s4", setup), true, true), -ERR_PEER);
	ck_assert_ptr_nonnull(history_copy_opening(h, 2, b));
	for (i = 10; i < 100; i++)
		ck_assert_int_eq(
		    tell(h, zip, opening(i, ha, "s", NULL), false, false), 0);
	ck_assert_ptr_null(history_copy_opening(h, 10, a));
	ck_assert_ptr_nonnull(history_copy_opening(h, 99, a));
	vt_frame_unref(a);
	vt_frame_unref(b);
	history_copy_free(h);
	ssp_zip_free(zip);
}
END_TEST

UNIT_SUITE(sync_opening)
{
	Suite *s = suite_create("sync_opening");
	TCase *tc = tcase_create("sync_opening");

	tcase_add_test(tc, a_body_comes_back_and_its_parts_are_refused);
	tcase_add_test(tc, the_hash_is_that_of_what_is_seen);
	tcase_add_test(tc, a_client_keeps_them_by_pane_and_screen);
	suite_add_tcase(s, tc);
	return s;
}
