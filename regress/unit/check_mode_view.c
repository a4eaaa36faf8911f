/* View mode: copy mode over lines of its own. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "mux/mode/copy.h"
#include "mux/mode/copy_int.h"
#include "mux/mode/copy_view.h"
#include "mux/mode/list.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

static struct mux *m;
static struct mode_requests requests;
static struct mode_host host = { .requests = &requests };

static struct pane *
pane(int w, int h)
{
	struct pane *p;

	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	pane_place(p, &(struct cell_rect){ .w = w, .h = h });
	mode_requests_init(&requests);
	return p;
}

static void
done(void)
{
	mode_requests_fini(&requests);
	mux_util_free(m);
}

static void
say(struct pane *p, const char *text)
{
	ck_assert_int_eq(copy_view_say(p, &host, text, strlen(text)), 0);
	ck_assert_str_eq(pane_mode(p)->name, "view-mode");
}

static struct copy *
view(const struct pane *p)
{
	return copy_of(mode_top(p));
}

/* Row Y that the mode shows. */
static const char *
row(const struct pane *p, unsigned y)
{
	static char out[256];
	struct copy *c = view(p);
	const struct vt_line *l = text_row(&c->text.text, c->top + y);
	char cell[VT_CLUSTER_MAX + 1];
	struct buf b;
	unsigned x;

	buf_init(&b, sizeof(out) - 1);
	for (x = 0; l != NULL && x < l->len; x++)
		(void)buf_add(&b, cell,
		    copy_cell(c, (struct vt_pos){ c->top + y, x }, cell));
	(void)snprintf(out, sizeof(out), "%s", buf_cstr(&b));
	buf_fini(&b);
	return out;
}

static const char *
value(const struct pane *p, const char *name)
{
	static char out[256];
	struct buf b;

	buf_init(&b, sizeof(out) - 1);
	ck_assert(copy_format(mode_top(p), name, &b));
	(void)snprintf(out, sizeof(out), "%s", buf_cstr(&b));
	buf_fini(&b);
	return out;
}

static void
type(struct pane *p, key_code key)
{
	const struct key_event ev = { .key = key };

	ck_assert(mode_key(p, &ev));
}

static void
command(struct pane *p, const char *word)
{
	struct mode_command cmd = { .words = &word, .count = 1, .repeat = 1 };
	struct cause why = { NULL };

	ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
}

/* Says the numbers FROM..TO, a line each. */
static void
count(struct pane *p, int from, int to)
{
	struct buf b;

	buf_init(&b, 1 << 24);
	for (; from <= to; from++)
		(void)buf_addf(&b, "%d\n", from);
	say(p, buf_cstr(&b));
	buf_fini(&b);
}

START_TEST(lines_are_shown_from_the_first_one)
{
	struct pane *p = pane(20, 5);

	say(p, "one line");
	ck_assert_str_eq(row(p, 0), "one line");
	ck_assert_str_eq(row(p, 1), "");
	ck_assert_str_eq(value(p, "scroll_position"), "0");
	/* Later output goes below; what is shown stays. */
	count(p, 1, 30);
	ck_assert_str_eq(row(p, 0), "one line");
	ck_assert_str_eq(row(p, 4), "4");
	ck_assert_str_eq(value(p, "copy_position"), "26");
	ck_assert_str_eq(value(p, "copy_position_limit"), "26");
	ck_assert_str_eq(value(p, "copy_cursor_x"), "0");
	ck_assert_str_eq(value(p, "copy_cursor_y"), "0");
	say(p, "\nlast\n");
	ck_assert_str_eq(value(p, "copy_position"), "28");
	ck_assert_str_eq(row(p, 4), "4");
	ck_assert_uint_eq(p->modes.count, 1);
	ck_assert(!pane_pop_mode(p) || p->modes.count == 0);
	done();
}
END_TEST

START_TEST(commands_and_keys_of_copy_mode_work)
{
	static const char *const down[] = { "search-forward", "17" };
	struct mode_command cmd = { .words = down, .count = 2, .repeat = 1 };
	struct cause why = { NULL };
	struct pane *p = pane(20, 5);
	struct mode_request *r;

	count(p, 1, 30);
	ck_assert_str_eq(mode_table(p), "copy-mode");
	ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
	ck_assert_str_eq(value(p, "copy_cursor_line"), "17");
	type(p, 'j');
	ck_assert_str_eq(value(p, "copy_cursor_line"), "18");
	type(p, 'k');
	ck_assert_str_eq(value(p, "copy_cursor_line"), "17");
	type(p, 'G');
	ck_assert_str_eq(value(p, "scroll_position"), "0");
	ck_assert_str_eq(value(p, "copy_cursor_line"), "30");
	type(p, 'b');
	ck_assert_str_eq(value(p, "scroll_position"), "3");
	type(p, '/');
	type(p, '?');
	type(p, 'x');
	ck_assert_ptr_nonnull(r = mode_requests_take(&requests));
	ck_assert_int_eq(r->kind, MODE_REQUEST_RUN);
	ck_assert_ptr_nonnull(strstr(r->text, "search-forward"));
	mode_request_free(r);
	ck_assert_ptr_nonnull(r = mode_requests_take(&requests));
	ck_assert_ptr_nonnull(strstr(r->text, "search-backward"));
	mode_request_free(r);
	ck_assert_ptr_null(mode_requests_take(&requests));
	done();
}
END_TEST

START_TEST(it_stands_over_other_modes)
{
	struct pane *p = pane(20, 5);

	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	say(p, "a");
	ck_assert_uint_eq(p->modes.count, 2);
	ck_assert_ptr_null(copy_mode_top(p));
	/* Each comes to the top again with what it had. */
	ck_assert_int_eq(copy_mode_open(p, p, 0), 0);
	ck_assert_uint_eq(p->modes.count, 2);
	ck_assert_ptr_nonnull(copy_mode_top(p));
	say(p, "b");
	ck_assert_uint_eq(p->modes.count, 2);
	ck_assert_str_eq(row(p, 0), "a");
	ck_assert_str_eq(row(p, 1), "b");
	pane_pop_modes(p);
	ck_assert_uint_eq(p->modes.count, 0);
	done();
}
END_TEST

START_TEST(another_width_wraps_the_lines_again)
{
	struct pane *p = pane(10, 4);

	say(p, "0123456789abcdef\nsecond\nthird\nfourth\nfifth");
	ck_assert_str_eq(row(p, 0), "0123456789");
	ck_assert_str_eq(row(p, 1), "abcdef");
	pane_place(p, &(struct cell_rect){ .w = 20, .h = 4 });
	mode_resize(p);
	ck_assert_str_eq(row(p, 0), "0123456789abcdef");
	ck_assert_str_eq(row(p, 3), "fourth");
	pane_place(p, &(struct cell_rect){ .w = 5, .h = 3 });
	mode_resize(p);
	ck_assert_str_eq(row(p, 0), "01234");
	ck_assert_str_eq(row(p, 2), "abcde");
	count(p, 1, 5);
	ck_assert_str_eq(row(p, 0), "01234");
	done();
}
END_TEST

START_TEST(a_lower_screen_keeps_the_empty_rows)
{
	struct pane *p = pane(20, 10);
	struct copy *c;

	say(p, "1\n2\n3");
	pane_place(p, &(struct cell_rect){ .w = 20, .h = 4 });
	mode_resize(p);
	c = view(p);
	ck_assert_uint_eq(copy_base(c) - copy_first(c), 6);
	ck_assert_uint_eq(c->top, copy_first(c));
	ck_assert_str_eq(row(p, 2), "3");
	pane_place(p, &(struct cell_rect){ .w = 20, .h = 10 });
	mode_resize(p);
	ck_assert_uint_eq(copy_base(c), copy_first(c));
	ck_assert_str_eq(row(p, 0), "1");
	done();
}
END_TEST

START_TEST(output_is_bounded_and_only_text)
{
	struct pane *p = pane(20, 5);
	struct copy *c;

	/* Neither title nor clipboard, nor another screen. */
	say(p, "\033]0;title\007\033]52;c;aGk=\007\033[?1049hred \033[31mx");
	ck_assert_str_eq(row(p, 0), "red x");
	ck_assert_str_ne(p->title, "title");
	count(p, 1, COPY_VIEW_ROWS_MAX + 1000);
	c = view(p);
	ck_assert_uint_le(copy_last(c) - copy_first(c), COPY_VIEW_ROWS_MAX + 5);
	ck_assert_uint_ge(c->top, copy_first(c));
	ck_assert_str_ne(row(p, 0), "red x");
	ck_assert_int_eq(copy_view_say(p, &host, "", 0), 0);
	done();
}
END_TEST

/* As tmux 3.8 does; regress/ref/copy_random.py -V compares more. */
START_TEST(what_copy_mode_has_of_its_own_pane)
{
	struct pane *p = pane(20, 5);
	struct cause why = { NULL };

	ck_assert_int_eq(options_set_text(&p->window->options,
			     "copy-mode-line-numbers", "absolute", &why),
	    0);
	count(p, 1, 20);
	/* The option numbers no lines here, the command does. */
	ck_assert_str_eq(value(p, "copy_line_numbers"), "0");
	ck_assert_str_eq(value(p, "copy_position_limit"), "15");
	/* No search has run yet. */
	ck_assert_str_eq(value(p, "search_count"), "0");
	ck_assert_str_eq(value(p, "search_count_partial"), "0");
	command(p, "line-numbers-on");
	ck_assert_str_eq(value(p, "copy_line_numbers"), "1");
	ck_assert_str_eq(value(p, "copy_position_limit"), "20");
	/* There is no pane to take the text from. */
	command(p, "begin-selection");
	command(p, "cursor-down");
	command(p, "refresh-now");
	command(p, "refresh-from-pane");
	ck_assert_str_eq(value(p, "selection_present"), "1");
	command(p, "refresh-on");
	ck_assert_str_eq(value(p, "refresh_active"), "0");
	command(p, "refresh-toggle");
	ck_assert_str_eq(value(p, "refresh_active"), "0");
	done();
}
END_TEST

UNIT_SUITE(mode_view)
{
	Suite *s = suite_create("mode_view");
	TCase *tc = tcase_create("mode_view");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, lines_are_shown_from_the_first_one);
	tcase_add_test(tc, commands_and_keys_of_copy_mode_work);
	tcase_add_test(tc, it_stands_over_other_modes);
	tcase_add_test(tc, another_width_wraps_the_lines_again);
	tcase_add_test(tc, a_lower_screen_keeps_the_empty_rows);
	tcase_add_test(tc, output_is_bounded_and_only_text);
	tcase_add_test(tc, what_copy_mode_has_of_its_own_pane);
	suite_add_tcase(s, tc);
	return s;
}
