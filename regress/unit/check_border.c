#include <string.h>

#include "mux/view/border.h"
#include "regress/unit/unit.h"

#define GREEN colour_index(2)

static const struct border_style plain = {
	.lines = BORDER_SINGLE,
	.indicators = BORDER_IND_COLOUR,
	.active_pane = LAYOUT_NO_PANE,
	.marked_pane = LAYOUT_NO_PANE,
};

static const char *
text_at(const struct vt_frame *f, unsigned x, unsigned y)
{
	static char text[VT_CLUSTER_MAX + 1];

	vt_line_text(f->lines[y], x, text);
	return text;
}

/* One pane at the left, two stacked at the right, in 11 x 7 cells. */
static void
three_panes(struct layout *l)
{
	struct layout_split row = { .kind = LAYOUT_ROW, .size = -1 };
	struct layout_split col = { .kind = LAYOUT_COLUMN, .size = -1 };

	layout_init(l, 1, 11, 7);
	ck_assert_int_eq(layout_split(l, 1, 2, &row), 0);
	ck_assert_int_eq(layout_split(l, 2, 3, &col), 0);
}

START_TEST(lines_meet_where_borders_do)
{
	struct vt_frame *f = vt_frame_new(11, 7);
	struct layout l;
	struct cell_rect r;
	int x, y;

	three_panes(&l);
	r = layout_pane_rect(&l, layout_find(&l, 3));
	x = r.x - 1;
	y = r.y - 1;
	view_borders(f, 0, 0, &l, &plain);
	ck_assert_str_eq(text_at(f, (unsigned)x, 0), "\xe2\x94\x82");
	ck_assert_str_eq(text_at(f, (unsigned)x, (unsigned)y), "\xe2\x94\x9c");
	ck_assert_str_eq(
	    text_at(f, (unsigned)x + 1, (unsigned)y), "\xe2\x94\x80");
	/* Cells of panes are not drawn. */
	ck_assert_uint_eq(vt_line_cell(f->lines[0], 0).ch, 0);
	ck_assert_ptr_null(vt_frame_check(f));
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(a_smaller_window_has_lines_around_it)
{
	struct vt_frame *f = vt_frame_new(12, 8);
	struct border_style st = plain;
	struct layout l;
	struct cell_rect r;

	st.right = st.below = true;
	st.active_pane = 3;
	st.active.fg = GREEN;
	three_panes(&l);
	r = layout_pane_rect(&l, layout_find(&l, 3));
	view_borders(f, 0, 0, &l, &st);
	ck_assert_str_eq(text_at(f, 11, 0), "\xe2\x94\x82");
	ck_assert_str_eq(text_at(f, 0, 7), "\xe2\x94\x80");
	ck_assert_str_eq(text_at(f, 11, 7), "\xe2\x94\x98");
	ck_assert_str_eq(text_at(f, (unsigned)r.x - 1, 7), "\xe2\x94\xb4");
	ck_assert_str_eq(text_at(f, 11, (unsigned)r.y - 1), "\xe2\x94\xa4");
	/* They are those of the active pane beside it. */
	ck_assert(vt_line_pen(f->lines[7], (unsigned)r.x)->fg == GREEN);
	ck_assert(vt_line_pen(f->lines[r.y], 11)->fg == GREEN);
	ck_assert(vt_line_pen(f->lines[7], 0)->fg == COLOUR_DEFAULT);
	ck_assert(vt_line_pen(f->lines[0], 11)->fg == COLOUR_DEFAULT);
	vt_frame_unref(f);
	/* A zoomed pane: only the lines around it. */
	f = vt_frame_new(12, 8);
	st.alone = true;
	st.alone_h = 7;
	view_borders(f, 0, 0, &l, &st);
	ck_assert(vt_line_pen(f->lines[7], 0)->fg == GREEN);
	ck_assert(vt_line_pen(f->lines[0], 11)->fg == GREEN);
	ck_assert_str_eq(text_at(f, (unsigned)r.x - 1, 7), "\xe2\x94\x80");
	ck_assert_uint_eq(vt_line_cell(f->lines[0], (unsigned)r.x - 1).ch, 0);
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(only_the_active_panes_border_has_its_colour)
{
	struct vt_frame *f = vt_frame_new(11, 7);
	struct border_style st = plain;
	struct layout l;
	struct cell_rect r;

	three_panes(&l);
	st.active_pane = 3;
	st.active.fg = colour_index(2);
	view_borders(f, 0, 0, &l, &st);
	r = layout_pane_rect(&l, layout_find(&l, 3));
	ck_assert(vt_line_pen(f->lines[r.y - 1], (unsigned)r.x)->fg ==
		  colour_index(2));
	ck_assert(
	    vt_line_pen(f->lines[6], (unsigned)r.x - 1)->fg == colour_index(2));
	ck_assert(
	    vt_line_pen(f->lines[0], (unsigned)r.x - 1)->fg == COLOUR_DEFAULT);
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(the_marked_panes_border_is_reversed)
{
	struct vt_frame *f = vt_frame_new(11, 7);
	struct border_style st = plain;
	struct layout l;
	struct cell_rect r;

	three_panes(&l);
	st.marked_pane = 3;
	view_borders(f, 0, 0, &l, &st);
	r = layout_pane_rect(&l, layout_find(&l, 3));
	ck_assert_uint_eq(
	    vt_line_pen(f->lines[r.y - 1], (unsigned)r.x)->attrs, PEN_REVERSE);
	ck_assert_uint_eq(
	    vt_line_pen(f->lines[6], (unsigned)r.x - 1)->attrs, PEN_REVERSE);
	ck_assert_uint_eq(
	    vt_line_pen(f->lines[0], (unsigned)r.x - 1)->attrs, 0);
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(a_row_of_titles_belongs_to_one_pane)
{
	struct layout_split col = { .kind = LAYOUT_COLUMN, .size = -1 };
	struct vt_frame *f = vt_frame_new(11, 7);
	struct border_style st = plain;
	struct layout l;
	struct cell_rect r;

	layout_init(&l, 1, 11, 7);
	l.edge = LAYOUT_EDGE_TOP;
	ck_assert_int_eq(layout_split(&l, 1, 2, &col), 0);
	st.active_pane = 2;
	st.active.fg = colour_index(2);
	view_borders(f, 0, 0, &l, &st);
	r = layout_pane_rect(&l, layout_find(&l, 2));
	ck_assert(vt_line_pen(f->lines[r.y - 1], 0)->fg == colour_index(2));
	ck_assert(vt_line_pen(f->lines[r.y - 1], 10)->fg == colour_index(2));
	ck_assert(vt_line_pen(f->lines[0], 0)->fg == COLOUR_DEFAULT);
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(two_panes_share_their_border_half_and_half)
{
	struct vt_frame *f = vt_frame_new(11, 8);
	struct layout_split row = { .kind = LAYOUT_ROW, .size = -1 };
	struct border_style st = plain;
	struct layout l;
	unsigned x;

	layout_init(&l, 1, 11, 8);
	ck_assert_int_eq(layout_split(&l, 1, 2, &row), 0);
	x = (unsigned)layout_pane_rect(&l, layout_find(&l, 2)).x - 1;
	st.active_pane = 1;
	st.active.fg = colour_index(2);
	view_borders(f, 0, 0, &l, &st);
	ck_assert(vt_line_pen(f->lines[0], x)->fg == colour_index(2));
	ck_assert(vt_line_pen(f->lines[7], x)->fg == COLOUR_DEFAULT);
	st.active_pane = 2;
	view_borders(f, 0, 0, &l, &st);
	ck_assert(vt_line_pen(f->lines[0], x)->fg == COLOUR_DEFAULT);
	ck_assert(vt_line_pen(f->lines[7], x)->fg == colour_index(2));
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

/* Two panes side by side over a third one with a title: the joint is its own. */
START_TEST(a_joint_in_a_title_is_that_panes)
{
	struct vt_frame *f = vt_frame_new(11, 8);
	struct layout_split row = { .kind = LAYOUT_ROW, .size = -1 };
	struct layout_split col = { .kind = LAYOUT_COLUMN, .size = -1 };
	struct border_style st = plain;
	struct layout l;
	unsigned x, y;

	layout_init(&l, 1, 11, 8);
	ck_assert_int_eq(layout_split(&l, 1, 3, &col), 0);
	ck_assert_int_eq(layout_split(&l, 1, 2, &row), 0);
	l.edge = LAYOUT_EDGE_TOP;
	x = (unsigned)layout_pane_rect(&l, layout_find(&l, 2)).x - 1;
	y = (unsigned)layout_pane_rect(&l, layout_find(&l, 3)).y - 1;
	st.active.fg = GREEN;
	for (st.active_pane = 1; st.active_pane <= 3; st.active_pane++) {
		view_borders(f, 0, 0, &l, &st);
		ck_assert((vt_line_pen(f->lines[y], x)->fg == GREEN) ==
			  (st.active_pane == 3));
	}
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

START_TEST(clipped_and_simple_lines)
{
	struct vt_frame *f = vt_frame_new(6, 3);
	struct border_style st = plain;
	struct layout l;

	three_panes(&l);
	st.lines = BORDER_SIMPLE;
	st.indicators = BORDER_IND_ARROWS;
	st.active_pane = 1;
	view_borders(f, -2, -1, &l, &st);
	ck_assert_ptr_null(vt_frame_check(f));
	st.lines = BORDER_NUMBER;
	view_borders(f, 3, 2, &l, &st);
	ck_assert_ptr_null(vt_frame_check(f));
	vt_frame_unref(f);
	layout_fini(&l);
}
END_TEST

UNIT_SUITE(border)
{
	Suite *s = suite_create("border");
	TCase *tc = tcase_create("border");

	tcase_add_test(tc, lines_meet_where_borders_do);
	tcase_add_test(tc, a_smaller_window_has_lines_around_it);
	tcase_add_test(tc, only_the_active_panes_border_has_its_colour);
	tcase_add_test(tc, the_marked_panes_border_is_reversed);
	tcase_add_test(tc, a_row_of_titles_belongs_to_one_pane);
	tcase_add_test(tc, two_panes_share_their_border_half_and_half);
	tcase_add_test(tc, a_joint_in_a_title_is_that_panes);
	tcase_add_test(tc, clipped_and_simple_lines);
	suite_add_tcase(s, tc);
	return s;
}
