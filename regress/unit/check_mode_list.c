/* Lists of items: choose-tree, choose-buffer, choose-client. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "conf/format.h"
#include "mux/fmt/vars.h"
#include "mux/mode/buffers.h"
#include "mux/mode/clients.h"
#include "mux/mode/customize.h"
#include "mux/mode/switch.h"
#include "mux/mode/tree.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static struct mux *m;
static struct session *first;
static struct pane *p;
static struct mode_requests requests;
static struct mode_host host;

/* --- what the server does ---------------------------------------------------------- */

static char *
expand(void *arg, const struct mode_where *at, const struct format_var *vars,
    size_t count, const char *format)
{
	struct target t = {
		.session = at->session, .link = at->link, .pane = at->pane
	};
	struct format_args a = { .vars = vars, .var_count = count };
	struct vars v;

	(void)arg;
	if (t.session != NULL && t.link == NULL)
		t.link = t.session->current;
	if (t.link != NULL) {
		t.window = t.link->window;
		if (t.pane == NULL)
			t.pane = t.window->active;
	}
	vars_init(&v, m, NULL, at->client, &t);
	a.scope = vars_scope(&v);
	a.widths = m->setup.graphemes;
	return format_expand_new(&a, format);
}

static colour
same(void *arg, colour c)
{
	(void)arg;
	return colour_kind(c) == COLOUR_KIND_THEME ? COLOUR_DEFAULT : c;
}

/* The selection is red, all else plain. */
static struct pen
style(void *arg, enum option_id id, const struct pen *base)
{
	struct pen pen = *base;

	(void)arg;
	if (id == OPTION_TREE_MODE_SELECTION_STYLE)
		pen.bg = colour_index(1);
	return pen;
}

static void
begin(void)
{
	m = mux_util_new();
	mux_set_now(m, 1000, INT64_C(1700000000000));
	mode_requests_init(&requests);
	host = (struct mode_host){ expand, NULL, &requests, NULL };
	first = mux_util_session(m, "alpha");
	p = first->current->window->active;
	window_set_name(p->window, "one");
	vt_term_write(p->term, "hello", 5);
}

static void
end(void)
{
	mode_requests_fini(&requests);
	mux_util_free(m);
}

/* --- pictures ---------------------------------------------------------------------- */

static struct vt_frame *
picture(void)
{
	const struct mode_paint paint = { .now = 1000,
		.wall = m->wall,
		.graphemes = m->setup.graphemes,
		.colour = same,
		.style = style };
	struct vt_frame *f = mode_frame(mode_top(p), &paint);

	ck_assert_ptr_null(vt_frame_check(f));
	return f;
}

/* Row Y without trailing blanks; "*" at its end if it is selected. */
static const char *
row(const struct vt_frame *f, unsigned y)
{
	static char text[4096];
	size_t n = 0;
	unsigned x;

	for (x = 0; x < f->cols && n + 64 < sizeof(text); x++)
		n += vt_line_text(f->lines[y], x, text + n);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	if (vt_line_pen(f->lines[y], 0)->bg == colour_index(1))
		text[n++] = '*';
	text[n] = '\0';
	return text;
}

/* The rows must be those of WANT, which ends with NULL. */
static void
shows(const char *const *want)
{
	struct vt_frame *f = picture();
	unsigned y;

	for (y = 0; want[y] != NULL; y++)
		ck_assert_str_eq(row(f, y), want[y]);
	vt_frame_unref(f);
}

static void
resize(int cols, int rows)
{
	const struct cell_rect r = { 0, 0, cols, rows };

	pane_place(p, &r);
	mode_resize(p);
}

static bool
key(key_code k)
{
	const struct key_event ev = { .key = k };

	return mode_key(p, &ev);
}

static void
open_tree(enum mode_tree_depth depth, const char *filter, const char *keys)
{
	const struct mode_tree_start st = {
		.list = { .host = &host,
		    .template = "switch-client -t '%%'",
		    .filter = filter,
		    .key_format = keys },
		.depth = depth,
	};

	ck_assert_int_eq(mode_tree_open(p, first, &st), 0);
}

/* alpha with two windows, the second of three panes; beta. */
static void
world(void)
{
	struct winlink *wl = mux_util_window(first, 1, "two");

	(void)mux_util_split(wl->window->active, LAYOUT_COLUMN);
	(void)mux_util_split(wl->window->active, LAYOUT_ROW);
	window_set_name(mux_util_session(m, "beta")->current->window, "bone");
}

static const char *const kinds[] = {
	[MODE_REQUEST_RUN] = "run",
	[MODE_REQUEST_PROMPT] = "prompt",
	[MODE_REQUEST_FIND] = "find",
	[MODE_REQUEST_CONFIRM] = "confirm",
	[MODE_REQUEST_NARROW] = "narrow",
	[MODE_REQUEST_MENU] = "menu",
	[MODE_REQUEST_EDIT] = "edit",
};

/* The next request, or NULL. */
static const char *
asked(void)
{
	static char text[256];
	struct mode_request *r = mode_requests_take(&requests);

	if (r == NULL)
		return NULL;
	(void)snprintf(text, sizeof(text), "%s %s%s%s", kinds[r->kind], r->text,
	    r->input == NULL ? "" : r->input,
	    r->buffer == NULL ? "" : r->buffer);
	if (r->kind != MODE_REQUEST_RUN)
		ck_assert_uint_eq(r->serial, mode_top(p)->serial);
	mode_request_free(r);
	return text;
}

/* Answers the question that comes next. */
static void
answer(const char *text)
{
	struct mode_request *r = mode_requests_take(&requests);

	ck_assert_ptr_nonnull(r);
	ck_assert(mode_answer(m, r->pane, r->serial, r->what, text));
	mode_request_free(r);
}

/* --- tests ------------------------------------------------------------------------- */

START_TEST(a_tree_at_80_by_24)
{
	static const char *const want[] = {
		"(0) - alpha: 2 windows",
		"(1) ├─→ + 0: one*",
		"(2) └─→ + 1: two*",
		"(3) - beta: 1 windows",
		"(4) └─→ + 0: bone*",
		"",
		"",
		"",
		"",
		"",
		"",
		"",
		NULL,
	};
	static const char *const info = "┌ 0 (sort: index) (view: preview) ";
	struct vt_frame *f;

	world();
	(void)session_select(session_link_at(first, 0));
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	f = picture();
	ck_assert_str_eq(row(f, 0), want[0]);
	ck_assert_str_eq(row(f, 1), "(1) ├─→ + 0: one**");
	ck_assert_str_eq(row(f, 3), want[3]);
	ck_assert_str_eq(row(f, 4), want[4]);
	ck_assert_str_eq(row(f, 5), "");
	ck_assert(strncmp(row(f, 12), info, strlen(info)) == 0);
	ck_assert(strncmp(row(f, 13), "│ hello ", 9) == 0);
	vt_frame_unref(f);
}
END_TEST

START_TEST(smaller_panes_show_the_list_alone)
{
	static const char *const small[] = {
		"(0) - alpha: 2 windows",
		"(1) ├─→ + 0: one**",
		"(2) └─→ + 1: two",
		NULL,
	};
	static const char *const tiny[] = {
		"(0) - alph",
		"(1) ├─→ +*",
		"(2) └─→ +",
		"(3) - beta",
		NULL,
	};
	static const char *const one[] = { "(*", NULL };

	world();
	(void)session_select(session_link_at(first, 0));
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	resize(40, 12);
	shows(small);
	resize(10, 4);
	shows(tiny);
	resize(1, 1);
	shows(one);
	(void)key(KEY_DOWN);
	(void)key('v');
	(void)key('v');
	shows(one);
	(void)key(KEY_F1);
	vt_frame_unref(picture());
}
END_TEST

/* Row Y of the picture without its side of the box. */
static void
expect_row(unsigned y, const char *want)
{
	struct vt_frame *f = picture();

	ck_assert_msg(strstr(row(f, y), want) != NULL, "%u: %s", y, row(f, y));
	vt_frame_unref(f);
}

START_TEST(long_help_scrolls)
{
	const struct mouse_event wheel = { .action = MOUSE_PRESS,
		.button = MOUSE_WHEEL_DOWN };
	unsigned i;

	world();
	(void)session_select(session_link_at(first, 0));
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	resize(40, 6);
	(void)key(KEY_F1);
	/* A word is not cut in the middle. */
	expect_row(0, "──┐");
	expect_row(2, "S-Up │ Swap current and…");
	expect_row(5, " 31 more ─┘");
	(void)key(KEY_DOWN);
	(void)mode_mouse(p, &wheel);
	expect_row(0, " 2 more ─┐");
	expect_row(1, "S-Down │ Swap current and next…");
	expect_row(5, " 29 more ─┘");
	(void)key('k');
	expect_row(0, " 1 more ─┐");
	for (i = 0; i < 20; i++)
		(void)key(KEY_NPAGE);
	expect_row(0, " 31 more ─┐");
	expect_row(4, "v │ Toggle preview");
	expect_row(5, "───┘");
	(void)key(KEY_PPAGE);
	expect_row(0, " 27 more ─┐");
	/* Every other key ends it; the next one begins at the top. */
	(void)key('x');
	expect_row(1, "0: one");
	(void)key(KEY_F1);
	expect_row(1, "Enter │ Choose selected item");
	/* Where all of it is in sight, every key does. */
	resize(80, 50);
	expect_row(8, "Down, j │ Move cursor down");
	(void)key(KEY_DOWN);
	expect_row(1, "0: one");
}
END_TEST

START_TEST(items_expand_and_collapse)
{
	static const char *const open[] = {
		"(0) - alpha: 2 windows",
		"(1) ├─→ + 0: one",
		"(2) └─→ - 1: two**",
		"(3)     ├─→ 0: ",
		NULL,
	};
	static const char *const shut[] = {
		"(0) + alpha: 2 windows*",
		"(1) - beta: 1 windows",
		NULL,
	};
	struct vt_frame *f;

	world();
	(void)session_select(session_link_at(first, 0));
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	(void)key(KEY_DOWN);
	(void)key(KEY_RIGHT);
	f = picture();
	ck_assert(strncmp(row(f, 2), open[2], 19) == 0);
	ck_assert(strncmp(row(f, 3), open[3], 20) == 0);
	vt_frame_unref(f);
	(void)key(KEY_LEFT);
	(void)key(KEY_LEFT);
	shows(shut);
}
END_TEST

START_TEST(tags_stand_for_what_is_below)
{
	world();
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	(void)key('g');
	(void)key('t');
	(void)key('t');
	(void)key('X');
	ck_assert_str_eq(asked(), "confirm Kill 1 tagged? ");
	(void)key(KEY_CTRL | 't');
	(void)key('X');
	answer("y");
	ck_assert_str_eq(asked(), "run kill-session -t '$0'");
	ck_assert_str_eq(asked(), "run kill-session -t '$1'");
	(void)key('T');
	(void)key('X');
	ck_assert_ptr_null(asked());
}
END_TEST

START_TEST(a_question_can_be_refused)
{
	struct mode_request *r;

	world();
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	(void)key('x');
	answer("n");
	ck_assert_ptr_null(asked());
	(void)key('x');
	/* The answer comes when the mode has gone. */
	r = mode_requests_take(&requests);
	(void)key('q');
	ck_assert(!mode_answer(m, r->pane, r->serial, r->what, "y"));
	mode_request_free(r);
	ck_assert_ptr_null(mode_top(p));
}
END_TEST

START_TEST(keys_for_what_has_gone_are_refused)
{
	const struct mode_list_start st = { .host = &host, .template = "x" };
	struct mode_request *r;

	world();
	ck_assert_int_eq(paste_set(m->paste, "a", "1", 1, NULL), 0);
	ck_assert_int_eq(paste_set(m->paste, "b", "2", 1, NULL), 0);
	ck_assert_int_eq(paste_set(m->paste, "#{c", "3", 1, NULL), 0);
	ck_assert_int_eq(mode_buffers_open(p, &st), 0);
	paste_remove(m->paste, paste_find(m->paste, "#{c"));
	mode_event(p, MODE_EVENT_MODEL);
	(void)key('d');
	ck_assert_str_eq(asked(), "run display-message -l -- "
				  "\"buffer #{c is gone: press d again\"");
	ck_assert_ptr_null(asked());
	(void)key('d');
	ck_assert_str_eq(asked(), "run delete-buffer -b \"b\"");
	/* What the user has ended is no surprise. */
	paste_remove(m->paste, paste_find(m->paste, "b"));
	mode_event(p, MODE_EVENT_MODEL);
	(void)key('t');
	(void)key('D');
	ck_assert_str_eq(asked(), "run delete-buffer -b \"a\"");
	if (mode_top(p) != NULL)
		(void)key('q');
	/* A narrowing of the user is none, either. */
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	(void)key('f');
	answer("#{==:#{session_name},beta}");
	(void)key('x');
	ck_assert_str_eq(asked(), "confirm Kill session beta? ");
	/* An answer counts once, and only while it is asked for. */
	(void)key('x');
	r = mode_requests_take(&requests);
	(void)key(KEY_DOWN);
	(void)mode_answer(m, r->pane, r->serial, r->what, "y");
	ck_assert_ptr_null(asked());
	mode_request_free(r);
}
END_TEST

START_TEST(clients_that_have_gone_are_not_others)
{
	const struct mode_list_start st = { .host = &host,
		.template = "detach-client -t '%%'" };
	struct client *a, *b;

	a = mux_util_client(first, "/dev/a", 80, 24);
	b = mux_util_client(first, "/dev/b", 80, 24);
	ck_assert_int_eq(mode_clients_open(p, &st), 0);
	client_free(a);
	mode_event(p, MODE_EVENT_MODEL);
	vt_frame_unref(picture());
	(void)key(KEY_ENTER);
	ck_assert_str_eq(asked(),
	    "run display-message -l -- "
	    "\"client /dev/a is gone: press Enter again\"");
	ck_assert_ptr_null(asked());
	(void)key(KEY_ENTER);
	ck_assert_str_eq(asked(), "run detach-client -t '/dev/b'");
	ck_assert_ptr_null(mode_top(p));
	client_free(b);
}
END_TEST

START_TEST(a_line_is_chosen_by_its_key)
{
	world();
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	(void)key('1');
	ck_assert_str_eq(asked(), "run switch-client -t '=beta:'");
	ck_assert_ptr_null(mode_top(p));
	open_tree(MODE_TREE_WINDOWS, NULL, "#{?#{==:#{line},2},z,}");
	(void)key('0');
	ck_assert_ptr_nonnull(mode_top(p));
	(void)key('z');
	ck_assert_str_eq(asked(), "run switch-client -t '=alpha:1.'");
}
END_TEST

START_TEST(filters_and_searches)
{
	static const char *const some[] = {
		"(0) - beta: 1 windows*",
		"(1) └─→ + 0: bone*",
		"",
		NULL,
	};
	static const char *const found[] = {
		"(0) - alpha: 2 windows",
		"(1) ├─→ + 0: one-",
		"(2) └─→ + 1: two*",
		"(3) - beta: 1 windows",
		"(4) └─→ + 0: bone**",
		NULL,
	};
	struct vt_frame *f;

	world();
	open_tree(MODE_TREE_WINDOWS, "#{m:bo*,#{window_name}}", NULL);
	(void)key('g');
	f = picture();
	ck_assert_str_eq(row(f, 0), some[0]);
	ck_assert_str_eq(row(f, 2), some[2]);
	vt_frame_unref(f);
	(void)key('c');
	(void)key('g');
	(void)key('/');
	answer("BO");
	(void)key('/');
	answer("bO");
	(void)key('/');
	answer("bon");
	f = picture();
	ck_assert_str_eq(row(f, 4), found[4]);
	vt_frame_unref(f);
	/* A filter that lets nothing pass is ignored. */
	(void)key('f');
	answer("0");
	f = picture();
	ck_assert_str_eq(row(f, 4), found[4]);
	vt_frame_unref(f);
}
END_TEST

START_TEST(the_mouse_selects_and_chooses)
{
	struct mouse_event ev = {
		.action = MOUSE_PRESS, .button = MOUSE_LEFT, .y = 1
	};

	world();
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	ck_assert(mode_mouse(p, &ev));
	ck_assert_ptr_null(asked());
	ck_assert(mode_mouse(p, &ev));
	ck_assert_str_eq(asked(), "run switch-client -t '=beta:'");
	ck_assert_ptr_null(mode_top(p));
}
END_TEST

START_TEST(the_right_button_opens_a_menu)
{
	struct mouse_event ev = {
		.action = MOUSE_PRESS, .button = MOUSE_RIGHT, .y = 1
	};
	struct mode_request *r;

	world();
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	ck_assert(mode_mouse(p, &ev));
	r = mode_requests_take(&requests);
	ck_assert_int_eq(r->kind, MODE_REQUEST_MENU);
	ck_assert_str_eq(r->text, "#[align=centre]beta");
	ck_assert_str_eq(r->rows[0].name, "Select");
	ck_assert_int_eq(r->y, 1);
	ck_assert(!mode_answer(m, r->pane, r->serial + 1, r->what, "0"));
	/* No row has this number. */
	ck_assert(mode_answer(m, r->pane, r->serial, r->what, "99"));
	ck_assert_ptr_null(asked());
	/* Kill, though another item is the current one by now. */
	(void)key('g');
	ck_assert(mode_answer(m, r->pane, r->serial, r->what, "8"));
	mode_request_free(r);
	ck_assert_str_eq(asked(), "confirm Kill session beta? ");
	ev.y = 23;
	ck_assert(mode_mouse(p, &ev));
	ck_assert_str_eq(asked(), "menu ");
}
END_TEST

START_TEST(letters_narrow_a_list)
{
	struct vt_frame *f;

	world();
	open_tree(MODE_TREE_WINDOWS, NULL, NULL);
	(void)key('g');
	(void)key('t');
	(void)key('F');
	answer("bo");
	f = picture();
	ck_assert_str_eq(row(f, 0), "(0) - beta: 1 windows");
	ck_assert(strncmp(row(f, 1), "(1) └─→ - 0: bone", 17) == 0);
	ck_assert_str_eq(row(f, 5), "");
	vt_frame_unref(f);
	/* The best match is the current item. */
	(void)key('x');
	ck_assert_str_eq(asked(), "confirm Kill window 0? ");
	/* The tag of an item that was left out has come back. */
	(void)key('c');
	(void)key('X');
	ck_assert_str_eq(asked(), "confirm Kill 1 tagged? ");
	(void)key('F');
	answer("zzz");
	f = picture();
	ck_assert_str_eq(row(f, 0), "");
	vt_frame_unref(f);
	ck_assert(key(KEY_ENTER));
	ck_assert(key(KEY_DOWN));
	ck_assert(key('x'));
	ck_assert_ptr_null(asked());
	(void)key('c');
	f = picture();
	ck_assert_str_eq(row(f, 0), "(0) - alpha*: 2 windows*");
	vt_frame_unref(f);
}
END_TEST

START_TEST(a_click_chooses_a_preview)
{
	const struct mouse_event ev = {
		.action = MOUSE_PRESS, .button = MOUSE_LEFT, .x = 60, .y = 20
	};

	world();
	open_tree(MODE_TREE_SESSIONS, NULL, NULL);
	(void)key('g');
	vt_frame_unref(picture());
	ck_assert(mode_mouse(p, &ev));
	ck_assert_str_eq(asked(), "run switch-client -t '=alpha:1.'");
	ck_assert_ptr_null(mode_top(p));
}
END_TEST

START_TEST(letters_find_a_window)
{
	const struct mode_list_start st = { .host = &host,
		.template = "switch-client -t '%%'" };
	static const key_code edits[] = { 'b', 'o', KEY_BSPACE, 'z', KEY_DOWN,
		'w' | KEY_CTRL, 'x', 'u' | KEY_CTRL, 0x65e5, KEY_BSPACE, KEY_UP,
		KEY_NPAGE, KEY_PPAGE };
	struct vt_frame *f;
	size_t i;

	world();
	ck_assert_int_eq(mode_switch_open(p, true, &st), 0);
	f = picture();
	ck_assert(strncmp(row(f, 0), "bone beta:0*", 12) == 0);
	ck_assert(strncmp(row(f, 1), "one alpha:0", 11) == 0);
	ck_assert(strncmp(row(f, 2), "two alpha:1", 11) == 0);
	ck_assert_str_eq(row(f, 23), "(search)");
	vt_frame_unref(f);
	(void)key('o');
	(void)key('n');
	f = picture();
	ck_assert(strncmp(row(f, 0), "one alpha:0", 11) == 0);
	ck_assert(strncmp(row(f, 1), "bone beta:0*", 12) == 0);
	ck_assert_str_eq(row(f, 2), "");
	vt_frame_unref(f);
	/* Upper case is compared with case. */
	(void)key('N');
	f = picture();
	ck_assert_str_eq(row(f, 0), "");
	vt_frame_unref(f);
	for (i = 0; i < ARRAY_LEN(edits); i++) {
		ck_assert(key(edits[i]));
		vt_frame_unref(picture());
	}
	for (i = 0; i < 1000; i++)
		(void)key('b');
	vt_frame_unref(picture());
	(void)key('u' | KEY_CTRL);
	(void)key('t');
	(void)key(KEY_ENTER);
	ck_assert_str_eq(asked(), "run switch-client -t '=alpha:1.'");
	ck_assert_ptr_null(mode_top(p));
}
END_TEST

START_TEST(values_go_to_an_editor)
{
	const struct mode_list_start st = { .host = &host, .template = "x" };
	struct mode_request *r;

	ck_assert_int_eq(paste_set(m->paste, "a", "xx", 2, NULL), 0);
	ck_assert_int_eq(mode_buffers_open(p, &st), 0);
	(void)key('e');
	ck_assert_str_eq(asked(), "edit a");
	(void)key('q');
	ck_assert_int_eq(mode_customize_open(p, first, &st), 0);
	(void)key('e');
	ck_assert_ptr_null(asked());
	(void)key('f');
	answer("#{==:#{option_name},buffer-limit}");
	(void)key('g');
	(void)key(KEY_RIGHT);
	(void)key(KEY_DOWN);
	(void)key('e');
	r = mode_requests_take(&requests);
	ck_assert_int_eq(r->kind, MODE_REQUEST_EDIT);
	ck_assert_str_eq(r->input, "50");
	ck_assert(mode_answer(m, r->pane, r->serial, r->what, "51"));
	mode_request_free(r);
	ck_assert_str_eq(
	    asked(), "run set-option -s -- \"buffer-limit\" \"51\"");
}
END_TEST

START_TEST(buffers_and_clients_are_listed)
{
	const struct mode_list_start st = { .host = &host,
		.template = "x \"%%%\"",
		.format = "#{buffer_size}#{client_width}" };
	static const char *const buffers[] = {
		"(0) b\": 3*",
		"(1) a: 2",
		NULL,
	};

	ck_assert_int_eq(paste_set(m->paste, "a", "xx", 2, NULL), 0);
	ck_assert_int_eq(paste_set(m->paste, "b\"", "x\ny", 3, NULL), 0);
	(void)mux_util_client(first, "/dev/x", 80, 24);
	ck_assert_int_eq(mode_buffers_open(p, &st), 0);
	shows(buffers);
	paste_remove(m->paste, paste_find(m->paste, "a"));
	(void)key(KEY_ENTER);
	ck_assert_str_eq(asked(), "run x \"b\\\"\"");
	ck_assert_int_eq(mode_clients_open(p, &st), 0);
	vt_frame_unref(picture());
	(void)key('D');
	ck_assert_ptr_null(asked());
	(void)key('d');
	ck_assert_str_eq(asked(), "run detach-client -t \"/dev/x\"");
}
END_TEST

/* The newest buffer, or NULL. */
static struct paste_buffer *
newest(const struct paste *ps)
{
	struct paste_buffer **all, *b;
	size_t n;

	all = paste_sorted_new(ps, PASTE_NEWEST, false, &n);
	b = n == 0 ? NULL : all[0];
	mem_free(all);
	return b;
}

/* --- chance -------------------------------------------------------------------------- */

static unsigned long chance;

static unsigned
pick(unsigned n)
{
	chance = chance * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned)(chance >> 33) % n;
}

/* Changes the model, but never the pane of the mode. */
static void
change(unsigned n)
{
	struct session *s = NULL;
	struct winlink *wl;
	struct map_entry *e;
	char name[32];
	unsigned skip;

	skip = pick((unsigned)m->sessions.count);
	MAP_FOREACH(e, &m->sessions) {
		s = e->value;
		if (skip-- == 0)
			break;
	}
	(void)snprintf(name, sizeof(name), "n%u", n);
	switch (pick(8)) {
	case 0:
		if (m->sessions.count < 8)
			(void)mux_util_session(m, name);
		break;
	case 1:
		if (s->links.count < 8)
			(void)mux_util_window(s, -1, name);
		break;
	case 2:
		if (s != first)
			session_destroy(s);
		break;
	case 3:
		wl = session_final_link(s);
		if (wl->window != p->window && wl->window->panes.count < 4)
			(void)mux_util_split(wl->window->active, LAYOUT_COLUMN);
		break;
	case 4:
		wl = session_final_link(s);
		if (wl->window != p->window)
			(void)window_close_pane(wl->window->active);
		break;
	case 5:
		(void)paste_add(m->paste, "b", name, strlen(name));
		break;
	case 6:
		if (newest(m->paste) != NULL)
			paste_remove(m->paste, newest(m->paste));
		break;
	default:
		resize((int)pick(100) + 1, (int)pick(40) + 1);
		return;
	}
	mode_event(p, MODE_EVENT_MODEL);
}

static void
open_any(void)
{
	const struct mode_tree_start st = {
		.list = { .host = &host,
		    .template = "x '%%'",
		    .zoom = pick(2) == 0,
		    .yes = pick(2) == 0,
		    .hides = pick(4) == 0,
		    .no_preview = pick(3),
		    .reversed = pick(2) == 0 },
		.depth = (enum mode_tree_depth)pick(3),
		.groups = pick(2) == 0,
	};
	int r;

	if (mode_top(p) != NULL)
		return;
	switch (pick(7)) {
	case 0:
		r = mode_customize_open(p, first, &st.list);
		break;
	case 1:
		r = mode_buffers_open(p, &st.list);
		break;
	case 2:
		r = mode_clients_open(p, &st.list);
		break;
	case 3:
		r = mode_switch_open(p, pick(2) == 0, &st.list);
		break;
	default:
		r = mode_tree_open(p, first, &st);
		break;
	}
	ck_assert_int_eq(r, 0);
}

static void
press(void)
{
	static const key_code keys[] = { KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT,
		KEY_PPAGE, KEY_NPAGE, KEY_HOME, KEY_END, 'g', 'G', 't', 'T',
		't' | KEY_CTRL, 'x', 'X', 'd', 'D', 'O', 'r', 'v', 'i', 'f',
		'/', '?', 'n', 'N', 'c', ':', '<', '>', 'H', 'm', 'M', 'P', '+',
		'-', '+' | KEY_META, '-' | KEY_META, KEY_F1, KEY_ENTER,
		KEY_UP | KEY_SHIFT, KEY_DOWN | KEY_SHIFT, '5', 'q', 's', 'w',
		'u', 'U', 'b' | KEY_META, 'F', 'F', 'e', 'C' };
	static const char *const words[] = { "y", "n", "", "a", "1", "7",
		"#{m:*1*,#{window_name}}" };
	const struct mouse_event ev = { .action = MOUSE_PRESS,
		.button = (enum mouse_button)(1 + pick(5)),
		.x = (int)pick(80),
		.y = (int)pick(30) };
	struct mode_request *r;

	if (pick(10) == 0)
		(void)mode_mouse(p, &ev);
	else
		(void)key(keys[pick(ARRAY_LEN(keys))]);
	while ((r = mode_requests_take(&requests)) != NULL) {
		if (r->kind != MODE_REQUEST_RUN)
			(void)mode_answer(m, r->pane, r->serial, r->what,
			    words[pick(ARRAY_LEN(words))]);
		mode_request_free(r);
	}
}

START_TEST(keys_while_the_model_changes)
{
	const unsigned long seed = unit_seed(20261123);
	const unsigned rounds = unit_rounds(20000);
	unsigned i;

	printf("# seed %lu\n", seed);
	chance = seed;
	world();
	(void)mux_util_client(first, "/dev/x", 80, 24);
	for (i = 0; i < rounds; i++) {
		open_any();
		if (pick(4) == 0)
			change(i);
		else
			press();
		if (mode_top(p) != NULL)
			vt_frame_unref(picture());
		mem_free(mux_util_events(m, NULL));
	}
}
END_TEST

START_TEST(a_thousand_windows)
{
	struct timespec a, b;
	char name[16];
	unsigned i;

	for (i = 1; i < 1000; i++) {
		(void)snprintf(name, sizeof(name), "w%u", i);
		(void)mux_util_window(first, (int)i, name);
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &a);
	open_tree(MODE_TREE_PANES, NULL, NULL);
	vt_frame_unref(picture());
	(void)clock_gettime(CLOCK_MONOTONIC, &b);
	printf("# choose-tree with 1,000 windows: %ld us\n",
	    (long)(b.tv_sec - a.tv_sec) * 1000000 +
		(b.tv_nsec - a.tv_nsec) / 1000);
	(void)key('G');
	vt_frame_unref(picture());
}
END_TEST

UNIT_SUITE(mode_list)
{
	Suite *s = suite_create("mode_list");
	TCase *tc = tcase_create("mode_list");

	tcase_add_checked_fixture(tc, begin, end);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_tree_at_80_by_24);
	tcase_add_test(tc, smaller_panes_show_the_list_alone);
	tcase_add_test(tc, long_help_scrolls);
	tcase_add_test(tc, items_expand_and_collapse);
	tcase_add_test(tc, tags_stand_for_what_is_below);
	tcase_add_test(tc, a_question_can_be_refused);
	tcase_add_test(tc, keys_for_what_has_gone_are_refused);
	tcase_add_test(tc, clients_that_have_gone_are_not_others);
	tcase_add_test(tc, a_line_is_chosen_by_its_key);
	tcase_add_test(tc, filters_and_searches);
	tcase_add_test(tc, the_mouse_selects_and_chooses);
	tcase_add_test(tc, the_right_button_opens_a_menu);
	tcase_add_test(tc, letters_narrow_a_list);
	tcase_add_test(tc, a_click_chooses_a_preview);
	tcase_add_test(tc, letters_find_a_window);
	tcase_add_test(tc, values_go_to_an_editor);
	tcase_add_test(tc, buffers_and_clients_are_listed);
	tcase_add_test(tc, keys_while_the_model_changes);
	tcase_add_test(tc, a_thousand_windows);
	suite_add_tcase(s, tc);
	return s;
}
