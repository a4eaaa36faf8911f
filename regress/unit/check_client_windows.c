/* The client's pictures of other windows, and which of them it shows. */
#include <string.h>

#include "base/grapheme.h"
#include "base/mem.h"
#include "client/copy_echo.h"
#include "client/history_copy.h"
#include "client/local_echo.h"
#include "client/window_copy.h"
#include "client/window_echo.h"
#include "mux/sync/view.h"
#include "mux/sync/window.h"
#include "mux/view/ask_replay.h"
#include "mux/vt/dump.h"
#include "regress/unit/unit.h"

#define PREFIX (KEY_CTRL | (key_code)'b')
#define WHEEL key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_PANE)

static struct vt_str *
text_of(const struct buf *b)
{
	return vt_str_new((const char *)b->data, b->len);
}

/* A view with one pane, WINDOW, and a status line that names windows 0 to 3. */
static struct sync_view *
view(uint32_t window, const char *text, unsigned cols)
{
	static const struct pen plain;
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct sync_view *v = sync_view_new(cols, 6);
	struct vt_frame *f = vt_frame_new(cols, 5);
	struct sync_switch_bar bar = { 0, 5, (int)cols, 1, 0, { { 0 } } };
	struct buf b;
	unsigned i;

	(void)vt_frame_text(f, gt, 0, 1, cols, text, strlen(text), &plain);
	sync_view_add(v, window, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
	f = vt_frame_new(cols, 1);
	(void)vt_frame_text(f, gt, 0, 0, cols, "zero one two ", 13, &plain);
	sync_view_add(v, 1, SYNC_SURFACE_CHROME, 0, 5, f);
	vt_frame_unref(f);
	v->focus = window;
	for (i = 0; i < 3; i++)
		bar.ranges[bar.n++] = (struct sync_switch_range){ 0, (int)i * 4,
			(int)i * 4 + 3, i };
	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_bar(&b, &bar));
	v->bar = text_of(&b);
	buf_fini(&b);
	grapheme_table_free(gt);
	return v;
}

/* Adds what switching needs: windows 100 to 102 of session 7, N is next. */
static void
add_switches(struct sync_view *v, uint32_t current, uint64_t seen)
{
	struct sync_switch_state state = { .session = 7,
		.last_session = SYNC_SWITCH_NONE,
		.current = current };
	struct sync_switch_setup setup = { .prefixes = { PREFIX, KEY_NONE },
		.nbinds = 3,
		.binds = { { true, false, SYNC_SWITCH_NEXT, 0, 'n' },
		    { true, false, SYNC_SWITCH_COPIES, 0, '[' },
		    { false, false, SYNC_SWITCH_COPIES,
			SYNC_SWITCH_COPIES_EXITS, WHEEL } },
		.nlinks = 3,
		.links = { { 0, 100 }, { 1, 101 }, { 2, 102 } } };
	struct buf b;

	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_state(&b, &state));
	v->switches = sync_switch_new(seen, text_of(&b));
	buf_clear(&b);
	ck_assert(sync_switch_put_setup(&b, &setup));
	v->switch_setup = text_of(&b);
	buf_fini(&b);
}

/* Sends picture NEW of a window; returns the result of the client. */
static int
send(struct window_copy *w, mono_ms now, uint32_t window, uint8_t flags,
    const struct sync_view *new)
{
	struct sync_window_item it = {
		.session = 7, .window = window, .flags = flags
	};
	struct sync_view *empty = sync_view_new(0, 0);
	struct buf diff, whole, out;
	int r;

	buf_init(&diff, BUF_MAX);
	buf_init(&whole, BUF_MAX);
	buf_init(&out, BUF_MAX);
	ck_assert_int_eq(sync_view_ops.diff(empty, new, &diff), 0);
	ck_assert_int_eq(sync_view_ops.save(new, &whole), 0);
	it.hash = sync_window_hash(&whole);
	it.diff = diff.data;
	it.len = diff.len;
	buf_clear(&whole);
	sync_window_put_item(&whole, &it);
	sync_window_put_head(&out, 0, (uint32_t)whole.len);
	(void)buf_add(&out, whole.data, whole.len);
	ck_assert(window_copy_wants(out.data, out.len));
	r = window_copy_message(w, now, out.data, out.len);
	sync_view_free(empty);
	buf_fini(&diff);
	buf_fini(&whole);
	buf_fini(&out);
	return r;
}

START_TEST(the_server_cannot_fill_the_client)
{
	struct window_copy *w = window_copy_new(NULL);
	struct sync_view *v = view(100, "text", 80), *big;
	struct vt_frame *f;
	struct buf many;
	uint32_t i;

	/* Nothing was asked for. */
	ck_assert_int_ne(send(w, 1, 100, SYNC_WINDOW_NEW, v), 0);
	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	ck_assert_int_ne(send(w, 1, 100, 0, v), 0);
	for (i = 0; i < SYNC_WINDOWS_MAX; i++)
		ck_assert_int_eq(send(w, 1, i, SYNC_WINDOW_NEW, v), 0);
	ck_assert_int_ne(send(w, 1, i, SYNC_WINDOW_NEW, v), 0);
	ck_assert_uint_eq(window_copy_count(w), SYNC_WINDOWS_MAX);
	ck_assert_int_eq(send(w, 1, 3, SYNC_WINDOW_FORGET, v), 0);
	ck_assert_uint_eq(window_copy_count(w), SYNC_WINDOWS_MAX - 1);
	big = sync_view_clone(v);
	f = vt_frame_new(1000, 1000);
	sync_view_add(big, 9, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
	ck_assert_int_ne(send(w, 1, 3, SYNC_WINDOW_NEW, big), 0);
	ck_assert_int_ne(
	    window_copy_message(w, 1, (const uint8_t *)"\x06", 1), 0);
	/* A message has not more items than the server ever sends. */
	buf_init(&many, BUF_MAX);
	sync_window_put_head(&many, 0, 3 * (SYNC_WINDOW_ITEMS_MAX + 1));
	for (i = 0; i <= SYNC_WINDOW_ITEMS_MAX; i++)
		sync_window_put_item(
		    &many, &(struct sync_window_item){ .session = 1,
			       .window = 1,
			       .flags = SYNC_WINDOW_FORGET });
	ck_assert_int_ne(window_copy_message(w, 1, many.data, many.len), 0);
	buf_fini(&many);
	/* As many bytes as were asked for. */
	window_copy_asked(w, 150);
	ck_assert_uint_eq(window_copy_count(w), 0);
	ck_assert_int_eq(send(w, 1, 1, SYNC_WINDOW_NEW, v), 0);
	ck_assert_int_ne(send(w, 1, 2, SYNC_WINDOW_NEW, v), 0);
	sync_view_free(big);
	sync_view_free(v);
	window_copy_free(w);
}
END_TEST

START_TEST(the_newer_picture_counts)
{
	struct window_copy *w = window_copy_new(NULL);
	struct sync_view *a = view(100, "sent", 80),
			 *b = view(100, "shown", 80);
	struct sync_view *v;
	mono_ms at;
	uint32_t i;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	ck_assert_ptr_null(window_copy_view(w, 7, 100, &at));
	ck_assert_int_eq(send(w, 10, 100, SYNC_WINDOW_NEW, a), 0);
	window_copy_keep(w, 20, 7, 100, b);
	v = window_copy_view(w, 7, 100, &at);
	ck_assert_uint_eq(at, 20);
	ck_assert(vt_frame_equal(v->surfaces[0].frame, b->surfaces[0].frame));
	sync_view_free(v);
	ck_assert_int_eq(send(w, 30, 100, SYNC_WINDOW_NEW, a), 0);
	v = window_copy_view(w, 7, 100, &at);
	ck_assert_uint_eq(at, 30);
	ck_assert(vt_frame_equal(v->surfaces[0].frame, a->surfaces[0].frame));
	sync_view_free(v);
	/* Its own are as many as the server's. */
	for (i = 0; i < 100; i++)
		window_copy_keep(w, 40 + i, 7, 200 + i, b);
	ck_assert_uint_eq(window_copy_count(w), SYNC_WINDOWS_MAX + 1);
	ck_assert_ptr_null(window_copy_view(w, 7, 200, &at));
	v = window_copy_view(w, 7, 299, &at);
	ck_assert_ptr_nonnull(v);
	sync_view_free(v);
	window_copy_clear(w);
	ck_assert_uint_eq(window_copy_count(w), 0);
	sync_view_free(a);
	sync_view_free(b);
	window_copy_free(w);
}
END_TEST

/* --- showing them --------------------------------------------------------------- */

static const struct echo_typed typed[] = {
	{ .index = 1, .key = PREFIX },
	{ .index = 2, .key = 'n' },
	{ .index = 3, .key = PREFIX },
	{ .index = 4, .key = 'n' },
};

static bool
is_underlined(const struct sync_view *v, unsigned x)
{
	return pen_underline(vt_line_pen(v->surfaces[1].frame->lines[0], x)) ==
	       PEN_UL_SINGLE;
}

START_TEST(a_key_shows_a_picture_until_the_server_answers)
{
	struct window_copy *w = window_copy_new(NULL);
	struct window_echo *e = window_echo_new();
	struct sync_view *zero = view(100, "zero", 80),
			 *one = view(101, "one", 80);
	struct sync_view *two = view(102, "two", 60);
	const struct sync_view *v;
	struct window_echo_stats st;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	ck_assert_int_eq(send(w, 10, 101, SYNC_WINDOW_NEW, one), 0);
	ck_assert_int_eq(send(w, 10, 102, SYNC_WINDOW_NEW, two), 0);
	window_echo_copies(e, w);
	add_switches(zero, 0, 0);
	ck_assert_ptr_eq(window_echo_view(e, 100, zero, NULL, 0, true), zero);
	ck_assert_ptr_null(window_echo_typed(e, 100, typed, 1));
	v = window_echo_typed(e, 100, typed, 2);
	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(v->focus, 101);
	ck_assert(!is_underlined(v, 4));
	ck_assert_ptr_eq(window_echo_shown(e, zero), v);
	/* An old picture is marked: the name of its window. */
	v = window_echo_view(e, 6000, zero, typed, 2, true);
	ck_assert(is_underlined(v, 4) && !is_underlined(v, 3) &&
		  !is_underlined(v, 7));
	/* A picture for another size is of no use. */
	v = window_echo_typed(e, 6000, typed, 4);
	ck_assert_ptr_nonnull(v);
	ck_assert_uint_eq(v->focus, 100);
	/* Nor are keys that must not be predicted. */
	ck_assert_ptr_eq(
	    window_echo_view(e, 6000, zero, typed, 2, false), zero);
	(void)window_echo_view(e, 6000, zero, typed, 2, true);
	/* The server answers: the same, then another window. */
	add_switches(one, 1, 2);
	ck_assert_ptr_eq(window_echo_view(e, 6100, one, NULL, 0, true), one);
	window_echo_stats(e, &st);
	ck_assert_uint_eq(st.shown, 1);
	ck_assert_uint_eq(st.wrong, 0);
	/* What was shown before is held. */
	ck_assert_uint_eq(window_copy_count(w), 3);
	window_echo_free(e);
	sync_view_free(zero);
	sync_view_free(one);
	sync_view_free(two);
	window_copy_free(w);
}
END_TEST

START_TEST(a_wrong_window_goes_with_the_answer)
{
	struct window_copy *w = window_copy_new(NULL);
	struct window_echo *e = window_echo_new();
	struct sync_view *zero = view(100, "zero", 80),
			 *one = view(101, "one", 80);
	struct sync_view *same;
	struct window_echo_stats st;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	ck_assert_int_eq(send(w, 10, 101, SYNC_WINDOW_NEW, one), 0);
	window_echo_copies(e, w);
	add_switches(zero, 0, 0);
	(void)window_echo_view(e, 100, zero, NULL, 0, true);
	ck_assert_ptr_nonnull(window_echo_typed(e, 100, typed, 2));
	/* The key was bound to something else meanwhile. */
	same = view(100, "zero", 80);
	add_switches(same, 0, 2);
	ck_assert_ptr_eq(window_echo_view(e, 200, same, NULL, 0, true), same);
	window_echo_stats(e, &st);
	ck_assert_uint_eq(st.wrong, 1);
	/* A prompt has opened: the keys are not for the tables. */
	(void)window_echo_view(e, 200, zero, typed, 2, true);
	sync_switch_unref(same->switches);
	same->switches = NULL;
	ck_assert_ptr_eq(window_echo_view(e, 300, same, typed, 2, true), same);
	window_echo_free(e);
	sync_view_free(zero);
	sync_view_free(one);
	sync_view_free(same);
	window_copy_free(w);
}
END_TEST

/* Returns whether the first row of the pane that is shown has text. */
static bool
has_text(struct local_echo *e, const struct sync_view *v)
{
	struct sync_view *lent = local_echo_lend(e, 300, v);
	const bool has = vt_line_used(lent->surfaces[0].frame->lines[0]) > 0;

	sync_view_free(lent);
	return has;
}

/* security: the program behind a picture may ask for a password by now. */
START_TEST(text_is_not_drawn_on_a_picture)
{
	const struct key_event prefix = { .key = PREFIX };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct local_echo *e = local_echo_new(gt, LOCAL_ECHO_SERVER);
	struct window_copy *w = window_copy_new(NULL);
	struct sync_view *zero = view(100, "zero", 80);
	struct sync_view *one = view(101, "one", 80);
	struct sync_view *lent;

	zero->tty.predict = one->tty.predict = 1;
	zero->keys[zero->nkeys++] = PREFIX;
	one->keys[one->nkeys++] = PREFIX;
	zero->surfaces[0].frame->state.modes |=
	    VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	one->surfaces[0].frame->state.modes |=
	    VT_FRAME_ECHO | VT_FRAME_CANONICAL;
	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	ck_assert_int_eq(send(w, 10, 101, SYNC_WINDOW_NEW, one), 0);
	local_echo_windows(e, w);
	add_switches(zero, 0, 0);
	local_echo_view(e, 100, zero, 0);
	local_echo_key(e, 200, &prefix, 1);
	local_echo_text(e, 200, 'n', 2);
	local_echo_text(e, 200, 'x', 3);
	lent = local_echo_lend(e, 200, zero);
	ck_assert_uint_eq(lent->focus, 101);
	sync_view_free(lent);
	ck_assert(!has_text(e, zero));
	/* On the server's view it is. */
	add_switches(one, 1, 2);
	one->echo_ack = 2;
	local_echo_view(e, 300, one, 3);
	ck_assert(has_text(e, one));
	local_echo_free(e);
	window_copy_free(w);
	sync_view_free(zero);
	sync_view_free(one);
	grapheme_table_free(gt);
}
END_TEST

/* Adds the prompt "name: ab" as that of the key N. */
static void
add_prompt(struct sync_view *v, const struct grapheme_table *gt)
{
	const struct sync_switch_ask a = { .x = 0, .y = 23, .col = 6 };
	struct vt_frame *line = vt_frame_new(80, 1);
	static const struct pen plain;
	struct sync_switch_setup setup;
	struct buf b;

	ck_assert_int_eq(sync_switch_get_setup(v->switch_setup->text,
			     v->switch_setup->len, &setup),
	    0);
	(void)vt_frame_text(line, gt, 0, 0, 80, "name: ab", 8, &plain);
	setup.binds[0].act = SYNC_SWITCH_ASKS;
	memcpy(setup.ask_bytes, " -", 2);
	setup.separators = 2;
	setup.ask_len = 2;
	sync_switch_add_ask(&setup, &a, "ab", line);
	buf_init(&b, BUF_MAX);
	ck_assert(sync_switch_put_setup(&b, &setup));
	vt_str_unref(v->switch_setup);
	v->switch_setup = text_of(&b);
	buf_fini(&b);
	vt_frame_unref(line);
}

START_TEST(a_prompt_opens_and_takes_text)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct local_echo *e = local_echo_new(gt, PREDICT_ALWAYS);
	struct window_copy *w = window_copy_new(NULL);
	struct sync_view *zero = view(100, "zero", 80), *lent;
	const struct sync_surface *s;
	struct key_event key = { .key = PREFIX };
	struct buf b;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	local_echo_windows(e, w);
	add_switches(zero, 0, 0);
	add_prompt(zero, gt);
	local_echo_view(e, 100, zero, 0);
	local_echo_key(e, 110, &key, 1);
	local_echo_text(e, 120, 'n', 2);
	local_echo_text(e, 130, 'c', 3);
	key.key = KEY_BSPACE;
	local_echo_key(e, 140, &key, 4);
	local_echo_text(e, 150, 'd', 5);
	lent = local_echo_lend(e, 200, local_echo_window(e, zero));
	ck_assert_uint_eq(lent->focus, ask_surface);
	s = sync_view_find(lent, ask_surface);
	ck_assert_ptr_nonnull(s);
	ck_assert_int_eq(s->y, 23);
	buf_init(&b, BUF_MAX);
	ck_assert_int_eq(
	    vt_dump_line(&b, s->frame->lines[0], 0, s->frame->cols, 0), 0);
	ck_assert_str_eq(buf_cstr(&b), "name: abd");
	buf_fini(&b);
	sync_view_free(lent);
	local_echo_free(e);
	window_copy_free(w);
	sync_view_free(zero);
	grapheme_table_free(gt);
}
END_TEST

/* Tells H what copy mode of pane 100 begins with over F. */
static void
tell_opening(struct history_copy *h, const struct vt_frame *f)
{
	struct sync_opening o = { .pane = 100,
		.screen = sync_opening_screen(f),
		.state = vt_str_new("state", 5),
		.setup = vt_str_new("setup", 5) };
	struct sync_opening_message m = { 0 };
	struct buf body, out;

	buf_init(&body, BUF_MAX);
	buf_init(&out, BUF_MAX);
	ck_assert(sync_opening_put(&body, &o));
	m.raw = (uint32_t)body.len;
	m.body = body.data;
	m.len = body.len;
	sync_opening_put_message(&out, &m);
	ck_assert_int_eq(history_copy_message(h, out.data, out.len), 0);
	sync_opening_fini(&o);
	buf_fini(&body);
	buf_fini(&out);
}

/* The key opens copy mode over the screen that it is known for, and no other. */
START_TEST(a_key_opens_copy_mode_over_its_screen)
{
	struct window_copy *w = window_copy_new(NULL);
	struct history_copy *h = history_copy_new(NULL);
	struct window_echo *e = window_echo_new();
	struct sync_view *zero = view(100, "zero", 80);
	struct sync_view *other = view(100, "other", 80);
	const struct echo_typed keys[] = { { .index = 1, .key = PREFIX },
		{ .index = 2, .key = '[' } };
	const struct sync_view *lent;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	window_echo_copies(e, w);
	add_switches(zero, 0, 0);
	add_switches(other, 0, 0);
	/* Nothing is known. */
	lent = window_echo_view(e, 100, zero, keys, 2, true);
	ck_assert_ptr_null(lent->copy);
	window_echo_history(e, h);
	tell_opening(h, zero->surfaces[0].frame);
	lent = window_echo_view(e, 100, zero, keys, 1, true);
	ck_assert_ptr_null(lent->copy);
	lent = window_echo_view(e, 100, zero, keys, 2, true);
	ck_assert_ptr_nonnull(lent->copy);
	ck_assert_uint_eq(lent->copy->seen, 2);
	ck_assert_uint_eq(lent->copy->surface, 100);
	ck_assert_int_eq(lent->copy->opened, SYNC_COPY_OPENED);
	ck_assert_str_eq(vt_str_text(lent->copy->state), "state");
	ck_assert_str_eq(vt_str_text(lent->setup), "setup");
	ck_assert_uint_eq(lent->focus, 100);
	lent = window_echo_view(e, 100, other, keys, 2, true);
	ck_assert_ptr_null(lent->copy);
	/* Nor may the client predict at all. */
	lent = window_echo_view(e, 100, zero, keys, 2, false);
	ck_assert_ptr_null(lent->copy);
	window_echo_free(e);
	history_copy_free(h);
	window_copy_free(w);
	sync_view_free(zero);
	sync_view_free(other);
}
END_TEST

/* The wheel opens it where the program wants no mouse and has got nothing. */
START_TEST(the_wheel_opens_copy_mode_over_its_screen)
{
	struct window_copy *w = window_copy_new(NULL);
	struct history_copy *h = history_copy_new(NULL);
	struct window_echo *e = window_echo_new();
	struct sync_view *zero = view(100, "zero", 80);
	const struct echo_typed inputs[] = {
		{ .index = 1, .key = 'x' },
		{ .index = 2, .key = WHEEL, .is_mouse = true },
	};
	const struct sync_view *lent;

	window_copy_asked(w, SYNC_WINDOWS_BYTES_MAX);
	window_echo_copies(e, w);
	add_switches(zero, 0, 0);
	window_echo_history(e, h);
	tell_opening(h, zero->surfaces[0].frame);
	lent = window_echo_view(e, 100, zero, inputs + 1, 1, true);
	ck_assert_ptr_nonnull(lent->copy);
	ck_assert_uint_eq(lent->copy->seen, 2);
	ck_assert_uint_eq(
	    lent->copy->opened, SYNC_COPY_OPENED | SYNC_COPY_OPENED_EXITS);
	lent = window_echo_view(e, 100, zero, inputs, 2, true);
	ck_assert_ptr_null(lent->copy);
	zero->surfaces[0].frame->state.mouse_mode = VT_MOUSE_NORMAL;
	lent = window_echo_view(e, 100, zero, inputs + 1, 1, true);
	ck_assert_ptr_null(lent->copy);
	zero->surfaces[0].frame->state.mouse_mode = VT_MOUSE_OFF;
	zero->surfaces[0].frame->state.modes |= VT_FRAME_ALTERNATE;
	lent = window_echo_view(e, 100, zero, inputs + 1, 1, true);
	ck_assert_ptr_null(lent->copy);
	window_echo_free(e);
	history_copy_free(h);
	window_copy_free(w);
	sync_view_free(zero);
}
END_TEST

UNIT_SUITE(client_windows)
{
	Suite *s = suite_create("client_windows");
	TCase *tc = tcase_create("windows");

	tcase_add_test(tc, the_server_cannot_fill_the_client);
	tcase_add_test(tc, the_newer_picture_counts);
	tcase_add_test(tc, a_key_shows_a_picture_until_the_server_answers);
	tcase_add_test(tc, a_wrong_window_goes_with_the_answer);
	tcase_add_test(tc, text_is_not_drawn_on_a_picture);
	tcase_add_test(tc, a_prompt_opens_and_takes_text);
	tcase_add_test(tc, a_key_opens_copy_mode_over_its_screen);
	tcase_add_test(tc, the_wheel_opens_copy_mode_over_its_screen);
	suite_add_tcase(s, tc);
	return s;
}
