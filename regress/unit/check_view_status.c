/* Status lines, messages and prompts. */
#include <string.h>

#include "mux/view/status.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static struct view_line line;
static unsigned text_x;

static void
add_line(struct view_util *u, struct sync_view *v)
{
	text_x = view_status_line_add(&u->b, v, &line);
}

static void
init(struct view_util *u, int cols, int rows, const char *message)
{
	view_util_init(u, cols, rows);
	view_util_set(
	    u, "message-format", "#{?#{command_prompt},C,M}#{message}");
	u->overlay = add_line;
	u->layer = VIEW_LAYER_TOP;
	line = (struct view_line){ .message = message };
}

START_TEST(ranges_of_status_lines)
{
	struct view_util u;

	view_util_init(&u, 20, 4);
	view_util_set(&u, "status", "2");
	view_util_set(&u, "status-format[0]", "#[range=left]ab#[norange]c");
	view_util_set(&u, "status-format[1]", "xy#[range=right]z#[norange]");
	VIEW_UTIL_EXPECT(&u, "", "", "abc", "xyz");
	ck_assert_uint_eq(u.b.ranges[0].range_count, 1);
	ck_assert_int_eq(u.b.ranges[0].ranges[0].end, 2);
	ck_assert_int_eq(u.b.ranges[1].ranges[0].start, 2);
	/* Removed rows have no ranges. */
	view_util_set(&u, "status", "on");
	VIEW_UTIL_EXPECT(&u, "", "", "", "abc");
	ck_assert_uint_eq(u.b.range_count, 1);
	view_util_fini(&u);
}
END_TEST

START_TEST(colours_of_status_lines)
{
	const struct pen *pen;
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "status-style", "fg=red,bg=blue");
	(void)view_util_build(&u);
	pen =
	    vt_line_pen(view_util_frame(&u, VIEW_SURFACE_STATUS)->lines[0], 0);
	ck_assert_uint_eq(pen->fg, colour_index(1));
	ck_assert_uint_eq(pen->bg, colour_index(4));
	view_util_set(&u, "status-bg", "green");
	(void)view_util_build(&u);
	pen =
	    vt_line_pen(view_util_frame(&u, VIEW_SURFACE_STATUS)->lines[0], 0);
	ck_assert_uint_eq(pen->fg, colour_index(1));
	ck_assert_uint_eq(pen->bg, colour_index(2));
	view_util_fini(&u);
}
END_TEST

START_TEST(a_message_over_a_status_line)
{
	struct view_util u;

	init(&u, 20, 5, "hello");
	view_util_set(&u, "status", "3");
	view_util_set(&u, "status-format[1]", "second");
	view_util_set(&u, "status-format[2]", "third");
	VIEW_UTIL_EXPECT(&u, "", "", "Mhello", "second", "third");
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_PANE(u.p->id));
	view_util_set(&u, "message-line", "1");
	VIEW_UTIL_EXPECT(&u, "", "", "[s] first", "Mhello", "third");
	view_util_set(&u, "message-line", "4");
	VIEW_UTIL_EXPECT(&u, "", "", "[s] first", "second", "Mhello");
	view_util_set(&u, "status-position", "top");
	view_util_set(&u, "message-line", "0");
	VIEW_UTIL_EXPECT(&u, "Mhello", "second", "third", "", "");
	/* Without status lines it covers a row of the window. */
	view_util_set(&u, "status", "off");
	view_util_write(u.p, "text");
	VIEW_UTIL_EXPECT(&u, "Mhello", "", "", "", "");
	view_util_set(&u, "status-position", "bottom");
	VIEW_UTIL_EXPECT(&u, "text", "", "", "", "Mhello");
	view_util_fini(&u);
}
END_TEST

START_TEST(a_prompt_has_the_cursor)
{
	struct prompt_edit edit;
	struct view_util u;
	struct vt_frame *f;

	init(&u, 20, 3, "ask: ");
	prompt_edit_init(&edit, " ");
	prompt_edit_set(&edit, "answer");
	prompt_edit_left(&edit);
	line.edit = &edit;
	VIEW_UTIL_EXPECT(&u, "", "", "Mask: answer");
	f = view_util_frame(&u, VIEW_SURFACE_LINE);
	ck_assert_uint_eq(text_x, 6);
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_LINE);
	ck_assert_uint_eq(f->state.x, 11);
	ck_assert_uint_ne(f->state.modes & VT_FRAME_CURSOR_VISIBLE, 0);
	/* A text longer than the row scrolls. */
	prompt_edit_set(&edit, "abcdefghijklmnopqrstuvwxyz");
	VIEW_UTIL_EXPECT(&u, "", "", "Mask: nopqrstuvwxyz");
	ck_assert_uint_eq(view_util_frame(&u, VIEW_SURFACE_LINE)->state.x, 19);
	prompt_edit_fini(&edit);
	view_util_fini(&u);
}
END_TEST

START_TEST(looks_of_a_prompt)
{
	const struct vt_frame_state *st;
	struct prompt_edit edit;
	struct view_util u;
	struct vt_frame *f;

	init(&u, 20, 3, "?");
	view_util_set(&u, "message-format",
	    "#[bg=red,fill=red]#{?#{command_prompt},C,M}#{message}");
	view_util_set(&u, "message-style", "bg=green");
	view_util_set(&u, "prompt-cursor-style", "bar");
	view_util_set(&u, "prompt-cursor-colour", "#010203");
	view_util_set(&u, "prompt-command-cursor-style", "underline");
	prompt_edit_init(&edit, " ");
	prompt_edit_set(&edit, "x");
	line.edit = &edit;
	VIEW_UTIL_EXPECT(&u, "", "", "M?x");
	f = view_util_frame(&u, VIEW_SURFACE_LINE);
	st = &f->state;
	ck_assert_uint_eq(st->cursor_shape, VT_CURSOR_BAR);
	ck_assert_uint_eq(vt_palette_get(st->palette, VT_DYN_CURSOR), 0x010203);
	/* As in tmux, typed text has message-style, whatever the format is. */
	ck_assert_uint_eq(vt_line_pen(f->lines[0], 2)->bg, colour_index(2));
	line.command = true;
	VIEW_UTIL_EXPECT(&u, "", "", "C?x");
	st = &view_util_frame(&u, VIEW_SURFACE_LINE)->state;
	ck_assert_uint_eq(st->cursor_shape, VT_CURSOR_UNDERLINE);
	prompt_edit_fini(&edit);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_status)
{
	Suite *s = suite_create("view_status");
	TCase *tc = tcase_create("view_status");

	tcase_add_test(tc, ranges_of_status_lines);
	tcase_add_test(tc, colours_of_status_lines);
	tcase_add_test(tc, a_message_over_a_status_line);
	tcase_add_test(tc, a_prompt_has_the_cursor);
	tcase_add_test(tc, looks_of_a_prompt);
	suite_add_tcase(s, tc);
	return s;
}
