/* Painting rows of double size. */
#include <string.h>

#include "base/grapheme.h"
#include "client/term/out.h"
#include "mux/vt/show.h"
#include "regress/unit/block_util.h"
#include "regress/unit/unit.h"

static struct grapheme_table *table;

/* What the terminal shows of a row of double width when it has them. */
START_TEST(rows_of_double_size_are_painted_as_such)
{
	static const struct {
		term_caps caps;
		const char *has;
		const char *lacks;
	} rows[] = {
		{ ~UINT64_C(0), "\033#6", "a b" },
		{ ~TERM_CAP(DOUBLESIZE), "a b c", "\033#" },
	};
	struct vt_frame *f, *g;
	struct vt_line *line;
	struct term_out *o;
	struct buf *out;
	size_t i;

	table = grapheme_table_new(NULL);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		f = vt_frame_new(20, 3);
		vt_frame_text(f, table, 0, 1, 20, "abc", 3, NULL);
		vt_frame_own(f, 1)->flags = VT_LINE_DOUBLE_WIDTH;
		line = f->lines[1];
		f->lines[1] = vt_show_pairs(line, 20, true);
		vt_line_unref(NULL, line);
		o = term_out_new(rows[i].caps, 20, 3);
		out = term_out_pending(o);
		term_out_start(o);
		term_out_paint(o, f);
		ck_assert_ptr_nonnull(memmem(
		    out->data, out->len, rows[i].has, strlen(rows[i].has)));
		ck_assert_ptr_null(memmem(
		    out->data, out->len, rows[i].lacks, strlen(rows[i].lacks)));
		/* Something lies over it. */
		buf_clear(out);
		g = vt_frame_clone(f);
		vt_frame_text(g, table, 3, 1, 20, "OVER", 4, NULL);
		term_out_paint(o, g);
		ck_assert_ptr_nonnull(memmem(out->data, out->len, "OVER", 4));
		/* When it goes, the row is double again, and at the end not. */
		term_out_paint(o, f);
		buf_clear(out);
		term_out_stop(o);
		ck_assert((memmem(out->data, out->len, "\033#5", 3) != NULL) ==
			  (i == 0));
		term_out_free(o);
		vt_frame_unref(f);
		vt_frame_unref(g);
	}
	grapheme_table_free(table);
}
END_TEST

START_TEST(blocks_are_painted_as_such)
{
	static const struct vt_block b = { .scale = 2, .width = 3 };
	struct vt_frame *f = vt_frame_new(20, 4), *g;
	struct pen pen = { .attrs = PEN_BOLD };
	struct term_out *o;
	struct buf *out;

	table = grapheme_table_new(NULL);
	block_util_put(f, 2, 1, &b, "Text", &pen, NULL);
	o = term_out_new(~TERM_CAP(TEXTSIZE), 20, 4);
	out = term_out_pending(o);
	term_out_paint(o, f);
	ck_assert_ptr_null(memmem(out->data, out->len, "\033]66", 4));
	ck_assert_ptr_nonnull(memmem(out->data, out->len, "T", 1));
	term_out_free(o);
	o = term_out_new(~UINT64_C(0), 20, 4);
	out = term_out_pending(o);
	term_out_paint(o, f);
	ck_assert_ptr_nonnull(
	    memmem(out->data, out->len, "\033]66;s=2:w=3;Text\033\\", 19));
	/* Text beside it does not draw it again. */
	buf_clear(out);
	g = vt_frame_clone(f);
	vt_frame_text(g, table, 10, 2, 20, "beside", 6, NULL);
	term_out_paint(o, g);
	ck_assert_ptr_null(memmem(out->data, out->len, "66;", 3));
	ck_assert_ptr_nonnull(memmem(out->data, out->len, "beside", 6));
	/* Text over the row erases it first; then the row comes back. */
	buf_clear(out);
	vt_frame_text(g, table, 3, 2, 20, "OVER", 4, NULL);
	term_out_paint(o, g);
	ck_assert_ptr_nonnull(memmem(out->data, out->len, "\033[6X", 4));
	ck_assert_ptr_nonnull(memmem(out->data, out->len, "OVER", 4));
	buf_clear(out);
	term_out_paint(o, f);
	ck_assert_ptr_nonnull(memmem(out->data, out->len, "s=2:w=3;Text", 12));
	term_out_free(o);
	vt_frame_unref(f);
	vt_frame_unref(g);
	grapheme_table_free(table);
}
END_TEST

UNIT_SUITE(term_sized)
{
	Suite *s = suite_create("term_sized");
	TCase *tc = tcase_create("sized");

	tcase_add_test(tc, rows_of_double_size_are_painted_as_such);
	tcase_add_test(tc, blocks_are_painted_as_such);
	suite_add_tcase(s, tc);
	return s;
}
