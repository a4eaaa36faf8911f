/* Painting rows of double size. */
#include <string.h>

#include "base/grapheme.h"
#include "client/term/out.h"
#include "mux/vt/show.h"
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

UNIT_SUITE(term_sized)
{
	Suite *s = suite_create("term_sized");
	TCase *tc = tcase_create("sized");

	tcase_add_test(tc, rows_of_double_size_are_painted_as_such);
	suite_add_tcase(s, tc);
	return s;
}
