/* Overlays: pane numbers, marks of other users, the pager. */
#include <stdio.h>
#include <string.h>

#include "mux/mode/panes.h"
#include "mux/view/pager.h"
#include "mux/view/people.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

/* --- numbers -------------------------------------------------------------------- */

/* Replaces each cell of F with background SHADE by "#". */
static void
show_blocks(struct vt_frame *f, colour shade)
{
	unsigned x, y;

	for (y = 0; y < f->rows; y++)
		for (x = 0; x < f->cols; x++)
			if (vt_line_pen(f->lines[y], x)->bg == shade)
				vt_frame_repeat(f, x, y, 1, '#', NULL);
}

static struct mode_requests requests;
static struct mode_host host = { .requests = &requests };

static struct mode_panes_start
panes_start(const struct pane *p)
{
	return (struct mode_panes_start){ .host = &host,
		.window = p->window,
		.template = "choose %%",
		.keys = true,
		.zoom = true };
}

/* The picture of panes-mode over U's pane, of COLS by ROWS. */
static struct vt_frame *
numbered(struct view_util *u, int cols, int rows, const char *index)
{
	const struct mode_panes_start start = panes_start(u->p);

	client_set_size(u->c, cols, rows, 0, 0);
	view_util_set(u, "pane-base-index", index);
	if (mode_top(u->p) == NULL)
		ck_assert_int_eq(mode_panes_open(u->p, &start), 0);
	mode_dirty(mode_top(u->p));
	(void)view_util_build(u);
	return view_util_frame(u, VIEW_SURFACE_PANE(u->p->id));
}

START_TEST(big_digits)
{
	const colour shade = colour_index(1);
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "status", "off");
	view_util_set(&u, "display-panes-active-colour", "red");
	view_util_set(&u, "display-panes-format", "text");
	f = numbered(&u, 14, 8, "12");
	show_blocks(f, shade);
	VIEW_UTIL_SAME(f, "text", "     # #####", "     #     #",
	    "     # #####", "     # #", "     # #####", "           c", "");
	f = numbered(&u, 9, 3, "40");
	VIEW_UTIL_SAME(f, "text", "   40", "");
	ck_assert_uint_eq(vt_line_pen(f->lines[1], 3)->fg, shade);
	f = numbered(&u, 9, 3, "10");
	VIEW_UTIL_SAME(f, "text", "  10 a", "");
	f = numbered(&u, 2, 1, "40");
	VIEW_UTIL_SAME(f, "40");
	f = numbered(&u, 1, 1, "40");
	VIEW_UTIL_SAME(f, "");
	view_util_fini(&u);
}
END_TEST

START_TEST(every_pane_has_its_number)
{
	struct mode_panes_start start;
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 41, 10);
	view_util_write(u.p, "shown");
	q = mux_util_split(u.p, LAYOUT_ROW);
	(void)mux_util_split(q, LAYOUT_COLUMN);
	view_util_set(&u, "display-panes-format", "#[align=right]#{pane_id}");
	view_util_set(&u, "display-panes-border-style", "fg=blue");
	start = panes_start(u.p);
	ck_assert_int_eq(mode_panes_open(q, &start), 0);
	ck_assert(q->window->zoomed);
	ck_assert_ptr_eq(q->window->active, q);
	VIEW_UTIL_EXPECT(&u, "shown             %0│                  %1",
	    "                    │", "                    │         1",
	    "                    │",
	    "                    ├───────────────────"
	    "─",
	    "                    │                  %2",
	    "                    │", "                    │         2",
	    "                    │", "[s] first");
	ck_assert_uint_eq(
	    vt_line_pen(
		view_util_frame(&u, VIEW_SURFACE_PANE(q->id))->lines[0], 20)
		->fg,
	    colour_index(4));
	view_util_fini(&u);
}
END_TEST

START_TEST(the_window_is_shown_smaller)
{
	struct mode_panes_start start;
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 41, 6);
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_set(&u, "display-panes-format", "#{pane_id}");
	start = panes_start(u.p);
	start.zoom = false;
	ck_assert_int_eq(mode_panes_open(q, &start), 0);
	ck_assert(!q->window->zoomed);
	VIEW_UTIL_EXPECT(&u, "                    │%0       │%1",
	    "                    │         │",
	    "                    │    0    │    1",
	    "                    │         │",
	    "                    │         │", "[s] first");
	view_util_fini(&u);
}
END_TEST

START_TEST(numbers_cover_the_title_of_a_zoomed_pane)
{
	struct mode_panes_start start;
	struct view_util u;
	struct pane *q;

	view_util_init(&u, 20, 9);
	view_util_set(&u, "pane-border-status", "top");
	view_util_set(&u, "pane-border-format", "#{pane_id}");
	q = mux_util_split(u.p, LAYOUT_COLUMN);
	ck_assert_int_eq(window_zoom(q), 0);
	ck_assert_int_eq(q->y, 1);
	start = panes_start(u.p);
	ck_assert_int_eq(mode_panes_open(q, &start), 0);
	ck_assert_int_eq(q->y, 0);
	ck_assert_int_eq(q->h, q->window->h);
	(void)mode_key(q, &(struct key_event){ .key = 'x' });
	ck_assert_ptr_null(mode_top(q));
	ck_assert_int_eq(q->y, 1);
	ck_assert_int_eq(q->h, q->window->h - 1);
	view_util_fini(&u);
}
END_TEST

/* What panes-mode over Q does at a key or press; "-": it stays, "": it ends. */
static const char *
panes_did(struct pane *q, key_code key, int x, int y)
{
	static char text[64];
	const struct mouse_event ev = {
		.action = MOUSE_PRESS, .button = MOUSE_LEFT, .x = x, .y = y
	};
	struct mode_request *r;

	if (key != KEY_NONE)
		ck_assert(mode_key(q, &(struct key_event){ .key = key }));
	else
		ck_assert(mode_mouse(q, &ev));
	(void)snprintf(
	    text, sizeof(text), "%s", mode_top(q) == NULL ? "" : "-");
	while ((r = mode_requests_take(&requests)) != NULL) {
		(void)snprintf(text, sizeof(text), "%s", r->text);
		mode_request_free(r);
	}
	return text;
}

START_TEST(a_key_or_a_click_chooses_a_pane)
{
	struct mode_panes_start start;
	struct view_util u;
	struct pane *q;

	mode_requests_init(&requests);
	view_util_init(&u, 41, 6);
	q = mux_util_split(u.p, LAYOUT_ROW);
	start = panes_start(u.p);
#define DOES(key, x, y, what)                                    \
 do {                                                            \
  if (mode_top(q) == NULL)                                       \
   ck_assert_int_eq(mode_panes_open(q, &start), 0);              \
  ck_assert_str_eq(panes_did(q, key, x, y), what);               \
  ck_assert_int_eq(mode_top(q) == NULL, strcmp(what, "-") != 0); \
 } while (0)
	DOES('1', 0, 0, "choose '%1'");
	ck_assert(!q->window->zoomed);
	DOES('0', 0, 0, "choose '%0'");
	DOES('7', 0, 0, "");
	DOES('x', 0, 0, "");
	DOES(KEY_ESCAPE, 0, 0, "");
	DOES(KEY_NONE, 3, 2, "choose '%0'");
	DOES(KEY_NONE, 20, 2, "-");
	DOES(KEY_NONE, 21, 2, "choose '%1'");
	/* -N */
	start.keys = false;
	DOES('1', 0, 0, "-");
	DOES(KEY_NONE, 3, 2, "-");
	DOES('q', 0, 0, "");
	DOES(KEY_ESCAPE, 0, 0, "");
	/* Its time ends it. */
	start.ms = 5;
	start.kills = true;
	ck_assert_int_eq(mode_panes_open(q, &start), 0);
	(void)view_util_build(&u);
	ck_assert(mode_expire(q, mono_add(u.m->now, 5)));
	ck_assert_ptr_null(mode_top(q));
	ck_assert_uint_eq(requests.list.count, 1);
	mode_requests_fini(&requests);
	view_util_fini(&u);
}
END_TEST

/* --- people --------------------------------------------------------------------- */

START_TEST(others_are_marked_where_they_are)
{
	struct view_util u;
	struct client *c;
	struct pane *q;

	view_util_init(&u, 21, 5);
	view_util_set(&u, "own-panes", "on");
	view_util_set(&u, "other-cursors", "on");
	q = mux_util_split(u.p, LAYOUT_ROW);
	c = mux_util_client(u.s, "zoe", 21, 5);
	view_util_write(u.p, "\r\nab");
	client_set_pane(u.c, q);
	client_set_pane(c, u.p);
	VIEW_UTIL_EXPECT(&u, "          │", "abz       │", "          │",
	    "          │", "[s] first");
	ck_assert_uint_eq(view_deadline(&u.b), u.b.status_at);
	/* The name is above the cursor while its user types. */
	client_typed(c, VIEW_UTIL_NOW);
	VIEW_UTIL_EXPECT(&u, "  zoe     │", "abz       │", "          │",
	    "          │", "[s] first");
	ck_assert_uint_eq(view_deadline(&u.b), VIEW_UTIL_NOW + 2500);
	/* In the first row the name is below; it stays in its pane. */
	view_util_write(u.p, "\033[1;10H");
	VIEW_UTIL_EXPECT(&u, "         z│", "ab     zoe│", "          │",
	    "          │", "[s] first");
	ck_assert(view_expire(&u.b, VIEW_UTIL_NOW + 2500));
	ck_assert_ptr_nonnull(view_build(&u.b, VIEW_UTIL_NOW + 2500));
	ck_assert_uint_eq(u.b.people_at, MONO_NEVER);
	view_util_fini(&u);
}
END_TEST

/* A terminal's name is short, and can be read on its colour. */
START_TEST(terminals_have_short_names)
{
	static const struct {
		const char *name;
		const char *first;
		const char *second;
	} rows[] = {
		{ "/dev/pts/37", "    pts/37│", "abcde3    │" },
		{ "/dev/tty1", "     tty1 │", "abcdet    │" },
		{ "a/dev/x", "   a/dev/x│", "abcdea    │" },
	};
	const struct vt_frame *f;
	struct view_util u;
	struct client *c;
	struct pane *q;
	uint32_t bg, fg;
	size_t i;

	view_util_init(&u, 21, 5);
	view_util_set(&u, "own-panes", "on");
	view_util_set(&u, "other-cursors", "on");
	q = mux_util_split(u.p, LAYOUT_ROW);
	view_util_write(u.p, "\r\nabcde");
	client_set_pane(u.c, q);
	for (i = 0; i < 8 + ARRAY_LEN(rows); i++) {
		c = mux_util_client(u.s, rows[i % ARRAY_LEN(rows)].name, 21, 5);
		client_set_pane(c, u.p);
		client_typed(c, VIEW_UTIL_NOW);
		VIEW_UTIL_EXPECT(&u, rows[i % ARRAY_LEN(rows)].first,
		    rows[i % ARRAY_LEN(rows)].second, "          │",
		    "          │", "[s] first");
		f = view_util_frame(&u, VIEW_SURFACE_PEOPLE);
		bg = colour_palette_rgb(vt_line_pen(f->lines[0], 0)->bg & 255);
		fg = colour_palette_rgb(vt_line_pen(f->lines[0], 0)->fg & 255);
		ck_assert((bg >> 8 & 255) > 140 ? fg == 0 : fg == 0xffffff);
		client_free(c);
	}
	view_util_fini(&u);
}
END_TEST

START_TEST(clients_without_marks)
{
	struct view_util u;
	struct client *c;

	view_util_init(&u, 20, 4);
	c = mux_util_client(u.s, "zoe", 20, 4);
	client_typed(c, VIEW_UTIL_NOW);
	(void)view_util_build(&u);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PEOPLE));
	view_util_set(&u, "other-cursors", "on");
	/* In the client's own pane: only the name. */
	VIEW_UTIL_EXPECT(&u, "", "zoe", "", "[s] first");
	client_set_role(c, CLIENT_VIEW);
	(void)view_util_build(&u);
	ck_assert_ptr_null(view_util_frame(&u, VIEW_SURFACE_PEOPLE));
	view_util_fini(&u);
}
END_TEST

/* --- pager ---------------------------------------------------------------------- */

static size_t scroll;

static void
add_pager(struct view_util *u, struct sync_view *v)
{
	struct vt_frame *f =
	    vt_frame_new((unsigned)u->c->w, (unsigned)u->b.area.h);

	vt_frame_text(f, u->m->setup.graphemes, 0, 0, 10, "output", 6, NULL);
	view_pager_add(&u->b, v, f, scroll, 1234);
	vt_frame_unref(f);
}

START_TEST(a_pager_shows_its_place)
{
	struct view_util u;
	struct vt_frame *f;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "mode-style", "bg=yellow");
	u.overlay = add_pager;
	u.layer = VIEW_LAYER_TOP;
	scroll = 56;
	VIEW_UTIL_EXPECT(&u, "output     [56/1234]", "", "[s] first");
	f = view_util_frame(&u, VIEW_SURFACE_PAGER);
	ck_assert_uint_eq(vt_line_pen(f->lines[0], 12)->bg, colour_index(3));
	ck_assert_uint_eq(u.b.view->focus, VIEW_SURFACE_PAGER);
	view_util_set(&u, "status-position", "top");
	VIEW_UTIL_EXPECT(&u, "[s] first", "output     [56/1234]", "");
	/* No room for the scroll position. */
	client_set_size(u.c, 9, 3, 0, 0);
	VIEW_UTIL_EXPECT(&u, "[s] first", "output", "");
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_overlay)
{
	Suite *s = suite_create("view_overlay");
	TCase *tc = tcase_create("view_overlay");

	tcase_add_test(tc, big_digits);
	tcase_add_test(tc, every_pane_has_its_number);
	tcase_add_test(tc, the_window_is_shown_smaller);
	tcase_add_test(tc, numbers_cover_the_title_of_a_zoomed_pane);
	tcase_add_test(tc, a_key_or_a_click_chooses_a_pane);
	tcase_add_test(tc, others_are_marked_where_they_are);
	tcase_add_test(tc, clients_without_marks);
	tcase_add_test(tc, terminals_have_short_names);
	tcase_add_test(tc, a_pager_shows_its_place);
	suite_add_tcase(s, tc);
	return s;
}
