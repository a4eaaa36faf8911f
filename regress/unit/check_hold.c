#include "regress/unit/frame_util.h"
#include "regress/unit/unit.h"
#include "server/face/hold.h"

#define PANE 7
#define STATUS 9

/*
 * A pane of 20x4 with TEXT in row Y, the cursor behind it or at a ^ in it,
 * RULER in the last.  A leading ! selects the alternate screen.
 */
static struct vt_frame *
pane(unsigned y, const char *text, const char *ruler)
{
	struct vt_frame *f = vt_frame_new(20, 4);
	unsigned x = 0, at = 0;
	bool cursor = false;

	f->state.modes |= *text == '!' ? VT_FRAME_ALTERNATE : 0;
	(void)frame_with(f, 3, ruler);
	for (; *text != 0; text++) {
		if (*text == '^') {
			cursor = true;
			at = x;
			continue;
		}
		vt_line_put(
		    vt_frame_own(f, y), x++, (uint32_t)*text, VT_NARROW, 0);
	}
	f->state.x = (uint16_t)(cursor ? at : x);
	f->state.y = (uint16_t)y;
	return f;
}

/* A view of F (takes its reference) over a status line of one letter. */
static struct sync_view *
view(struct vt_frame *f, char status)
{
	struct sync_view *v = sync_view_new(20, 5);
	struct vt_frame *line = vt_frame_new(20, 1);

	vt_line_put(vt_frame_own(line, 0), 0, (uint32_t)status, VT_NARROW, 0);
	sync_view_add(v, PANE, SYNC_SURFACE_PANE, 0, 0, f);
	sync_view_add(v, STATUS, SYNC_SURFACE_CHROME, 0, 4, line);
	v->focus = PANE;
	vt_frame_unref(f);
	vt_frame_unref(line);
	return v;
}

static enum hold
what(struct sync_view *a, struct sync_view *b)
{
	enum hold got = hold_what(a, b);

	sync_view_free(a);
	sync_view_free(b);
	return got;
}

/* Predicted text and numbers of rulers are held, other changes are not. */
START_TEST(text_that_was_shown_may_wait)
{
	static const struct {
		unsigned y[2];
		const char *text[2];
		const char *ruler[2];
		char status[2];
		enum hold want;
	} rows[] = {
		{ { 1, 1 }, { "$ l", "$ l" }, { "", "" }, "ss", HOLD_ACK },
		{ { 1, 1 }, { "$ l", "$ ls" }, { "", "" }, "ss", HOLD_TEXT },
		{ { 1, 1 }, { "$ ", "$ ls " }, { "", "" }, "ss", HOLD_TEXT },
		{ { 1, 1 }, { "", "l" }, { "", "" }, "ss", HOLD_TEXT },
		{ { 1, 1 }, { "ab", "abc" }, { "1,3  9%", "1,4 10%" }, "ss",
		    HOLD_TEXT },
		/* shifted text behind the cursor: only on the alternate screen */
		{ { 1, 1 }, { "ab^ef  |xy", "abc^ef |xy" }, { "", "" }, "ss",
		    HOLD_NOT },
		{ { 1, 1 }, { "!ab^ef  |xy", "!abc^ef |xy" }, { "", "" }, "ss",
		    HOLD_TEXT },
		{ { 1, 1 }, { "!ab^ef  |xy", "!abc^eg |xy" }, { "", "" }, "ss",
		    HOLD_NOT },
		/* cells pushed out of the row wrap into the next rows */
		{ { 2, 2 }, { "!ab^efghijklmnopqrst", "!abc^efghijklmnopqrs" },
		    { "uvw |xy", "tuvw|xy" }, "ss", HOLD_TEXT },
		{ { 2, 2 }, { "!ab^efghijklmnopqrst", "!abc^efghijklmnopqrs" },
		    { "uvw |xy", "tuvw|xz" }, "ss", HOLD_NOT },
		{ { 2, 2 }, { "ab^             |xy", "abc^            |xy" },
		    { "uvw |xy", "tuvw|xy" }, "ss", HOLD_NOT },
		/* the same in a window with another window at its right */
		{ { 2, 2 }, { "!ab^efghijklm|stuvwx", "!abc^efghijkl|stuvwx" },
		    { "nop        |stuvwx", "mnop       |stuvwx" }, "ss",
		    HOLD_TEXT },
		{ { 2, 2 }, { "!ab^efghijklm|stuvwx", "!abc^efghijkl|stuvwx" },
		    { "nopqrstuvwx|stuvwx", "mnopqrstuvw|stuvwx" }, "ss",
		    HOLD_TEXT },
		{ { 2, 2 }, { "!ab^efghijklm|stuvwx", "!abc^efghijkl|stuvwx" },
		    { "nopqrstuvwx|stuvwx", "mnopqrstuvw|stuvwy" }, "ss",
		    HOLD_NOT },
		{ { 2, 2 }, { "!ab^efghijklm|stuvwx", "!abc^efghijkl|stuvwy" },
		    { "nop        |stuvwx", "mnop       |stuvwx" }, "ss",
		    HOLD_NOT },
		/* changes elsewhere in the row or in other rows */
		{ { 1, 1 }, { "$ l", "# ls" }, { "", "" }, "ss", HOLD_NOT },
		{ { 1, 1 }, { "$ l", "$ " }, { "", "" }, "ss", HOLD_NOT },
		{ { 1, 2 }, { "$ l", "$ ls" }, { "", "" }, "ss", HOLD_NOT },
		{ { 1, 1 }, { "ab", "abc" }, { "1,3 ", "1,4 [+]" }, "ss",
		    HOLD_NOT },
		{ { 1, 1 }, { "$ l", "$ ls" }, { "", "" }, "st", HOLD_NOT },
	};
	struct sync_view *v[2];
	unsigned i, k;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (k = 0; k < 2; k++)
			v[k] = view(pane(rows[i].y[k], rows[i].text[k],
					rows[i].ruler[k]),
			    rows[i].status[k]);
		ck_assert_msg(what(v[0], v[1]) == rows[i].want, "row %u", i);
	}
	ck_assert_int_eq(what(NULL, view(pane(1, "$ ", ""), 's')), HOLD_NOT);
}
END_TEST

/* The view after Enter, before the program prints. */
START_TEST(a_new_line_alone_may_wait_a_little)
{
	struct vt_frame *f = frame_with(pane(1, "$ cat", ""), 2, "");

	ck_assert_int_eq(
	    what(view(pane(1, "$ cat", ""), 's'), view(f, 's')), HOLD_LINE);
	f = frame_with(pane(1, "$ cat", ""), 2, "x");
	ck_assert_int_eq(
	    what(view(pane(1, "$ cat", ""), 's'), view(f, 's')), HOLD_NOT);
	f = frame_with(pane(1, "$ cat", ""), 3, "");
	ck_assert_int_eq(
	    what(view(pane(1, "$ cat", ""), 's'), view(f, 's')), HOLD_NOT);
	/* at the bottom the screen scrolls */
	f = frame_with(pane(0, "one", ""), 3, "$ cat");
	ck_assert_int_eq(
	    what(view(f, 's'),
		view(frame_with(pane(2, "$ cat", ""), 3, ""), 's')),
	    HOLD_LINE);
	f = frame_with(pane(1, "one", ""), 3, "$ cat");
	ck_assert_int_eq(
	    what(view(f, 's'),
		view(frame_with(pane(2, "$ cat", ""), 3, ""), 's')),
	    HOLD_NOT);
	/* a program that does not echo */
	f = frame_with(pane(1, "$ cat", ""), 2, "");
	f->state.modes |= VT_FRAME_CANONICAL;
	f->state.modes &= ~(uint32_t)VT_FRAME_ECHO;
	ck_assert_int_eq(
	    what(view(pane(1, "$ cat", ""), 's'), view(f, 's')), HOLD_NOT);
	f = frame_with(pane(1, "$ cat", ""), 2, "");
	f->state.modes |= VT_FRAME_CANONICAL | VT_FRAME_ECHO;
	ck_assert_int_eq(
	    what(view(pane(1, "$ cat", ""), 's'), view(f, 's')), HOLD_LINE);
	ck_assert_uint_eq(hold_time(HOLD_LINE, 0), 0);
	ck_assert_uint_le(hold_time(HOLD_LINE, 1000), 20);
}
END_TEST

/* A full-screen program hides the cursor, draws, and shows it again. */
START_TEST(a_screen_half_drawn_may_wait_a_little)
{
	static const struct {
		const char *text;
		bool visible[2], want;
	} rows[] = {
		{ "!a", { true, false }, true },
		{ "!a", { false, false }, false },
		{ "!a", { false, true }, false },
		{ "a", { true, false }, false },
	};
	const uint32_t bit = VT_FRAME_CURSOR_VISIBLE;
	struct sync_view *v[2];
	struct vt_frame *f;
	unsigned i, k;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (k = 0; k < 2; k++) {
			f = pane(1, rows[i].text, "");
			f->state.modes &= ~bit;
			f->state.modes |= rows[i].visible[k] ? bit : 0;
			v[k] = view(f, 's');
		}
		ck_assert_msg(
		    hold_draws(v[0], v[1]) == rows[i].want, "row %u", i);
		ck_assert(!hold_draws(NULL, v[1]));
		sync_view_free(v[0]);
		sync_view_free(v[1]);
	}
	/* a pager clears its prompt */
	for (i = 0; i < 3; i++) {
		f = pane(3, i == 2 ? ":" : "!:", "");
		v[0] = view(f, 's');
		f = pane(3, i == 2 ? ":" : "!:", "");
		vt_line_erase(vt_frame_own(f, 3), 0, 20, 0);
		f->state.x = i == 1;
		v[1] = view(f, 's');
		ck_assert(hold_draws(v[0], v[1]) == (i == 0));
		sync_view_free(v[0]);
		sync_view_free(v[1]);
	}
	ck_assert_uint_le(hold_time(HOLD_DRAWN, 1000), 10);
}
END_TEST

/* A new colour is not held: predictions copy the pen of the text before. */
START_TEST(what_looks_otherwise_is_shown)
{
	struct vt_frame *f = pane(1, "$ l", ""), *g = pane(1, "$ ls", "");
	struct pen red = { 0 };
	struct vt_line *l;

	red.fg = colour_index(1);
	l = vt_frame_own(g, 1);
	vt_line_put(l, 3, 's', VT_NARROW, vt_line_style(NULL, l, &red, NULL));
	ck_assert_int_eq(what(view(f, 's'), view(g, 's')), HOLD_NOT);
	/* modes, effects */
	f = pane(1, "$ l", "");
	g = pane(1, "$ ls", "");
	g->state.modes ^= VT_FRAME_ECHO;
	ck_assert_int_eq(what(view(f, 's'), view(g, 's')), HOLD_NOT);
}
END_TEST

/* The hold time and the SRTT stay within HOLD_CONFIRM. */
START_TEST(it_waits_for_no_more_than_there_is)
{
	mono_ms rtt;

	for (rtt = 0; rtt < 1000; rtt++) {
		ck_assert_uint_le(hold_time(HOLD_TEXT, rtt), HOLD_MOST);
		if (hold_time(HOLD_TEXT, rtt) > 0)
			ck_assert_uint_le(
			    rtt + hold_time(HOLD_TEXT, rtt), HOLD_CONFIRM);
	}
	ck_assert_uint_eq(hold_time(HOLD_TEXT, 50), HOLD_CONFIRM - 50);
	ck_assert_uint_eq(hold_time(HOLD_TEXT, 300), 0);
}
END_TEST

UNIT_SUITE(hold)
{
	Suite *s = suite_create("hold");
	TCase *t = tcase_create("hold");

	tcase_add_test(t, text_that_was_shown_may_wait);
	tcase_add_test(t, a_new_line_alone_may_wait_a_little);
	tcase_add_test(t, a_screen_half_drawn_may_wait_a_little);
	tcase_add_test(t, what_looks_otherwise_is_shown);
	tcase_add_test(t, it_waits_for_no_more_than_there_is);
	suite_add_tcase(s, t);
	return s;
}
