/* The history view: the effects of its keys. */
#include <stdio.h>
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "client/history_view.h"
#include "regress/unit/unit.h"

#define LINES 100
#define ROWS 11

/* Fills the tail with lines "l0" to "l99". */
static void
fill(struct sync_tail *t)
{
	struct sync_tail_lines m = {
		.at = 500, .keep_first = 500, .keep_end = 500, .count = LINES
	};
	char text[16];
	struct buf b;
	unsigned i;
	int n;

	sync_tail_init(t);
	buf_init(&b, 65536);
	for (i = 0; i < LINES; i++) {
		n = snprintf(text, sizeof(text), "%cl%u\t", 0, i);
		text[n - 1] = 9;
		(void)buf_add_u8(&b, (uint8_t)n);
		(void)buf_add(&b, text, (size_t)n);
	}
	m.raw = (uint32_t)b.len;
	m.hash = sync_tail_raw_hash(b.data, b.len);
	ck_assert_int_eq(sync_tail_add(t, &m, b.data), 0);
	buf_fini(&b);
}

static void
row_text(const struct vt_frame *f, unsigned y, char *out)
{
	char text[VT_CLUSTER_MAX + 1];
	unsigned x;

	*out = '\0';
	for (x = 0; x < vt_line_used(f->lines[y]) && x < 20; x++) {
		(void)vt_line_text(f->lines[y], x, text);
		strcat(out, text);
	}
	/* The position stands at the right. */
	for (x = (unsigned)strlen(out); x > 0 && out[x - 1] == ' '; x--)
		out[x - 1] = '\0';
}

static const struct {
	key_code key;
	bool goes_on;
	const char *top;
} steps[] = {
	{ 'k', true, "l93" },
	{ KEY_PPAGE, true, "l85" },
	{ KEY_NPAGE, true, "l93" },
	{ 'x', true, "l93" },
	{ 'g', true, "l0" },
	{ KEY_CTRL | 'b', true, "l0" },
	{ KEY_CTRL | 'e', true, "l1" },
	{ 'G', true, "l93" },
	/* A search upwards: the cursor stands on its match. */
	{ '?', true, "l93" },
	{ 'l', true, "l93" },
	{ '3', true, "l93" },
	{ '7', true, "l93" },
	{ KEY_ENTER, true, "l29" },
	{ 'V', true, "l29" },
	{ 'q', false, "l29" },
};

START_TEST(keys_move)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct vt_frame *screen = vt_frame_new(40, 5), *f;
	struct sync_tail t;
	struct history_view *p;
	struct buf copied;
	char text[256];
	size_t i;

	buf_init(&copied, BUF_MAX);
	fill(&t);
	ck_assert_ptr_null(history_view_new(NULL, screen, NULL));
	/* Two of the screen's rows have text, up to the third. */
	vt_frame_text(screen, gt, 0, 0, 40, "s0", 2, NULL);
	vt_frame_text(screen, gt, 0, 2, 40, "s2", 2, NULL);
	p = history_view_new(&t, screen, NULL);
	ck_assert_ptr_nonnull(p);
	sync_tail_fini(&t);
	f = history_view_draw(p, gt, 40, ROWS);
	row_text(f, 9, text);
	ck_assert_str_eq(text, "s2");
	vt_frame_unref(f);
	for (i = 0; i < ARRAY_LEN(steps); i++) {
		ck_assert(history_view_key(p, gt, steps[i].key, ROWS,
			      &copied) == steps[i].goes_on);
		f = history_view_draw(p, gt, 40, ROWS);
		ck_assert_ptr_null(vt_frame_check(f));
		row_text(f, 0, text);
		ck_assert_msg(
		    strcmp(text, steps[i].top) == 0, "%zu: %s", i, text);
		vt_frame_unref(f);
	}
	/* The line of the match is selected. */
	ck_assert_uint_eq(copied.len, 0);
	ck_assert(!history_view_key(p, gt, 'y', ROWS, &copied));
	ck_assert_uint_eq(copied.len, 4);
	ck_assert_mem_eq(copied.data, "l37\n", 4);
	buf_fini(&copied);
	/* The view fits any size. */
	for (i = 1; i < 200; i += 13) {
		f = history_view_draw(p, gt, (unsigned)i, (unsigned)(200 - i));
		ck_assert_ptr_null(vt_frame_check(f));
		ck_assert_uint_eq(f->cols, i);
		vt_frame_unref(f);
	}
	history_view_free(p);
	vt_frame_unref(screen);
	sync_tail_fini(&t);
	grapheme_table_free(gt);
}
END_TEST

UNIT_SUITE(client_past)
{
	Suite *s = suite_create("client_past");
	TCase *tc = tcase_create("past");

	tcase_add_test(tc, keys_move);
	suite_add_tcase(s, tc);
	return s;
}
