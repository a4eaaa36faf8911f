/* Frames of panes with colours and cursors set by options. */
#include "mux/view/pane.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static const struct vt_frame_state *
state(struct view_util *u, const struct pane *p)
{
	(void)view_util_build(u);
	return &view_util_frame(u, VIEW_SURFACE_PANE(p->id))->state;
}

static uint32_t
entry(struct view_util *u, const struct pane *p, unsigned n)
{
	return vt_palette_get(state(u, p)->palette, n);
}

START_TEST(styles_of_windows_are_palettes)
{
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 21, 3);
	q = mux_util_split(u.p, LAYOUT_ROW);
	ck_assert_uint_eq(entry(&u, q, VT_DYN_BG), VT_PALETTE_UNSET);
	view_util_set(&u, "window-style", "bg=colour235,fg=#010203");
	ck_assert_uint_eq(
	    entry(&u, q, VT_DYN_BG), VT_PALETTE_INDEX | UINT32_C(235));
	ck_assert_uint_eq(entry(&u, u.p, VT_DYN_FG), 0x010203);
	/* window-active-style overrides it. */
	view_util_set(&u, "window-active-style", "bg=black");
	ck_assert_uint_eq(entry(&u, q, VT_DYN_BG), VT_PALETTE_INDEX);
	ck_assert_uint_eq(
	    entry(&u, u.p, VT_DYN_BG), VT_PALETTE_INDEX | UINT32_C(235));
	/* The program's own colour overrides both. */
	view_util_write(q, "\033]11;#0a0b0c\033\\");
	ck_assert_uint_eq(entry(&u, q, VT_DYN_BG), 0x0a0b0c);
	view_util_fini(&u);
}
END_TEST

START_TEST(pane_colours_are_entries)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "pane-colours[3]", "#112233");
	ck_assert_uint_eq(entry(&u, u.p, 3), 0x112233);
	ck_assert_uint_eq(entry(&u, u.p, 4), VT_PALETTE_UNSET);
	/* A frame with a private palette is not shared. */
	ck_assert_ptr_null(u.slots[u.p->id][0]);
	view_util_fini(&u);
}
END_TEST

START_TEST(shapes_of_cursors)
{
	static const struct {
		const char *style;
		enum vt_cursor_shape shape;
		bool blink;
	} rows[] = {
		{ "blinking-block", VT_CURSOR_BLOCK, true },
		{ "block", VT_CURSOR_BLOCK, false },
		{ "blinking-underline", VT_CURSOR_UNDERLINE, true },
		{ "underline", VT_CURSOR_UNDERLINE, false },
		{ "blinking-bar", VT_CURSOR_BAR, true },
		{ "bar", VT_CURSOR_BAR, false },
	};
	const struct vt_frame_state *st;
	struct view_util u;
	size_t i;

	view_util_init(&u, 20, 3);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		view_util_set(&u, "cursor-style", rows[i].style);
		st = state(&u, u.p);
		ck_assert_uint_eq(st->cursor_shape, rows[i].shape);
		ck_assert_int_eq(
		    (st->modes & VT_FRAME_CURSOR_BLINK) != 0, rows[i].blink);
	}
	/* DECSCUSR of the program. */
	view_util_write(u.p, "\033[4 q");
	ck_assert_uint_eq(state(&u, u.p)->cursor_shape, VT_CURSOR_UNDERLINE);
	view_util_fini(&u);
}
END_TEST

START_TEST(colours_of_cursors_are_rgb)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "cursor-colour", "#aabbcc");
	ck_assert_uint_eq(entry(&u, u.p, VT_DYN_CURSOR), 0xaabbcc);
	view_util_set(&u, "cursor-colour", "colour196");
	ck_assert_uint_eq(
	    entry(&u, u.p, VT_DYN_CURSOR), colour_palette_rgb(196));
	view_util_write(u.p, "\033]12;#010203\033\\");
	ck_assert_uint_eq(entry(&u, u.p, VT_DYN_CURSOR), 0x010203);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_pane)
{
	Suite *s = suite_create("view_pane");
	TCase *tc = tcase_create("view_pane");

	tcase_add_test(tc, styles_of_windows_are_palettes);
	tcase_add_test(tc, pane_colours_are_entries);
	tcase_add_test(tc, shapes_of_cursors);
	tcase_add_test(tc, colours_of_cursors_are_rgb);
	suite_add_tcase(s, tc);
	return s;
}
