/* Which keys show which window, and the pictures of windows, as bytes. */
#include <string.h>

#include "base/grapheme.h"
#include "mux/sync/view.h"
#include "mux/sync/window.h"
#include "regress/unit/unit.h"

#define PREFIX (KEY_CTRL | (key_code)'b')

static struct vt_str *
text_of(const struct buf *b)
{
	return vt_str_new((const char *)b->data, b->len);
}

static void
add(struct sync_switch_setup *s, bool prefix, key_code key,
    enum sync_switch_act act, uint32_t arg)
{
	s->binds[s->nbinds++] =
	    (struct sync_switch_bind){ prefix, false, act, arg, key };
}

/* Windows 0, 1, 2 and 5; sessions 3 (this one) and 4. */
static void
setup_init(struct sync_switch_setup *s)
{
	static const struct sync_switch_link links[] = { { 0, 10 }, { 1, 11 },
		{ 2, 12 }, { 5, 15 } };

	memset(s, 0, sizeof(*s));
	s->prefixes[0] = PREFIX;
	s->prefixes[1] = KEY_NONE;
	add(s, true, 'n', SYNC_SWITCH_NEXT, 0);
	add(s, true, 'p', SYNC_SWITCH_PREVIOUS, 0);
	add(s, true, 'l', SYNC_SWITCH_LAST, 0);
	add(s, true, '2', SYNC_SWITCH_SELECT, 2);
	add(s, true, '7', SYNC_SWITCH_SELECT, 7);
	add(s, true, ')', SYNC_SWITCH_NEXT_SESSION, 0);
	add(s, true, 'L', SYNC_SWITCH_LAST_SESSION, 0);
	add(s, true, 'r', SYNC_SWITCH_NEXT, 0);
	s->binds[s->nbinds - 1].repeat = true;
	add(s, false, KEY_META | 'x', SYNC_SWITCH_UNKNOWN, 0);
	add(s, false, KEY_META | 'n', SYNC_SWITCH_NEXT, 0);
	add(s, false, key_mouse(KEY_MOUSE_DOWN, 1, KEY_MOUSE_AT_STATUS),
	    SYNC_SWITCH_CLICKED, 0);
	add(s, false, key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_STATUS),
	    SYNC_SWITCH_PREVIOUS, 0);
	memcpy(s->links, links, sizeof(links));
	s->nlinks = ARRAY_LEN(links);
	s->sessions[s->nsessions++] = (struct sync_switch_session){ 3, 10 };
	s->sessions[s->nsessions++] = (struct sync_switch_session){ 4, 20 };
}

static void
begin(struct sync_switch_replay *r)
{
	const struct sync_switch_state state = {
		.session = 3, .last_session = SYNC_SWITCH_NONE, .current = 0
	};
	struct sync_switch_setup setup;
	struct vt_str *a, *b;
	struct buf out;

	setup_init(&setup);
	buf_init(&out, BUF_MAX);
	ck_assert(sync_switch_put_state(&out, &state));
	a = text_of(&out);
	buf_clear(&out);
	ck_assert(sync_switch_put_setup(&out, &setup));
	b = text_of(&out);
	ck_assert_int_eq(sync_switch_begin(r, a, b, NULL), 0);
	ck_assert_uint_eq(r->window, 10);
	vt_str_unref(a);
	vt_str_unref(b);
	buf_fini(&out);
}

/* Presses the prefix and KEY. */
static enum sync_switch_did
press(struct sync_switch_replay *r, key_code key)
{
	ck_assert_int_eq(sync_switch_key(r, PREFIX), SYNC_SWITCH_TAKEN);
	return sync_switch_key(r, key);
}

START_TEST(keys_select_windows)
{
	struct sync_switch_replay r;

	begin(&r);
	ck_assert_int_eq(sync_switch_key(&r, 'n'), SYNC_SWITCH_PASSED);
	ck_assert_int_eq(press(&r, 'n'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 11);
	ck_assert_int_eq(press(&r, '2'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 12);
	ck_assert_int_eq(press(&r, '2'), SYNC_SWITCH_TAKEN);
	ck_assert_int_eq(press(&r, 'l'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 11);
	ck_assert_int_eq(press(&r, 'p'), SYNC_SWITCH_SHOWS);
	ck_assert_int_eq(press(&r, 'p'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 15);
	ck_assert_int_eq(
	    sync_switch_key(&r, KEY_META | 'n' | KEY_CAPS), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 10);
	/* 10 was before 15, 15 before 11 ... */
	ck_assert_int_eq(press(&r, 'l'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 15);
}
END_TEST

/* A prompt opens, but not after a key that changes what it shows. */
START_TEST(keys_open_prompts)
{
	const struct sync_switch_ask a = { .x = 2, .y = 23, .col = 4 };
	struct vt_frame *line = vt_frame_new(20, 1), *back;
	struct sync_switch_setup setup, got;
	struct sync_switch_replay r;
	struct buf out;

	setup_init(&setup);
	memcpy(setup.ask_bytes, "-_", 2);
	setup.separators = 2;
	setup.ask_len = 2;
	sync_switch_add_ask(&setup, &a, "first", line);
	add(&setup, true, ',', SYNC_SWITCH_ASKS, 0);
	add(&setup, true, '.', SYNC_SWITCH_ASKS, 1);
	add(&setup, true, 'z', SYNC_SWITCH_STAYS, 0);
	buf_init(&out, BUF_MAX);
	ck_assert(sync_switch_put_setup(&out, &setup));
	ck_assert_int_eq(sync_switch_get_setup(out.data, out.len, &got), 0);
	ck_assert_uint_eq(got.nasks, 1);
	ck_assert_int_eq(got.asks[0].x, 2);
	ck_assert_int_eq(got.asks[0].y, 23);
	ck_assert_uint_eq(got.asks[0].col, 4);
	ck_assert_uint_eq(got.separators, 2);
	ck_assert_uint_eq(got.asks[0].text, 5);
	ck_assert_int_eq(memcmp(got.ask_bytes + got.asks[0].at, "first", 5), 0);
	back = sync_switch_ask_line(&got, &got.asks[0]);
	ck_assert_ptr_nonnull(back);
	ck_assert(vt_frame_equal(back, line));
	begin(&r);
	r.setup = got;
	ck_assert_int_eq(press(&r, ','), SYNC_SWITCH_ASKED);
	ck_assert_uint_eq(r.ask, 0);
	begin(&r);
	r.setup = got;
	ck_assert_int_eq(press(&r, '.'), SYNC_SWITCH_STOPPED); /* no such one */
	begin(&r);
	r.setup = got;
	ck_assert_int_eq(press(&r, 'z'), SYNC_SWITCH_TAKEN);
	ck_assert_int_eq(press(&r, ','), SYNC_SWITCH_STOPPED);
	begin(&r);
	r.setup = got;
	ck_assert_int_eq(press(&r, 'n'), SYNC_SWITCH_SHOWS);
	ck_assert_int_eq(press(&r, ','), SYNC_SWITCH_STOPPED);
	vt_frame_unref(line);
	vt_frame_unref(back);
	buf_fini(&out);
}
END_TEST

/* Copy mode opens, but not after a key that may change the pane. */
START_TEST(a_key_opens_copy_mode)
{
	struct sync_switch_setup setup;
	struct sync_switch_replay r;

	setup_init(&setup);
	add(&setup, true, '[', SYNC_SWITCH_COPIES, 0);
	add(&setup, true, KEY_PPAGE, SYNC_SWITCH_COPIES, 1);
	add(&setup, true, 'z', SYNC_SWITCH_STAYS, 0);
	begin(&r);
	r.setup = setup;
	ck_assert_int_eq(press(&r, '['), SYNC_SWITCH_COPIED);
	ck_assert_uint_eq(r.copies, 0);
	begin(&r);
	r.setup = setup;
	ck_assert_int_eq(press(&r, KEY_PPAGE), SYNC_SWITCH_COPIED);
	ck_assert_uint_eq(r.copies, SYNC_SWITCH_COPIES_UP);
	begin(&r);
	r.setup = setup;
	ck_assert_int_eq(press(&r, 'z'), SYNC_SWITCH_TAKEN);
	ck_assert_int_eq(press(&r, '['), SYNC_SWITCH_STOPPED);
}
END_TEST

/* The wheel opens it, but not after the prefix, which the mouse ends. */
START_TEST(the_wheel_opens_copy_mode)
{
	const key_code up = key_mouse(KEY_MOUSE_WHEEL_UP, 0, KEY_MOUSE_AT_PANE);
	struct sync_switch_setup setup;
	struct sync_switch_replay r;

	setup_init(&setup);
	add(&setup, true, 'z', SYNC_SWITCH_STAYS, 0);
	begin(&r);
	r.setup = setup;
	ck_assert_int_eq(sync_switch_wheel(&r, up), SYNC_SWITCH_PASSED);
	add(&setup, false, up, SYNC_SWITCH_COPIES, SYNC_SWITCH_COPIES_EXITS);
	r.setup = setup;
	ck_assert_int_eq(sync_switch_wheel(&r, up), SYNC_SWITCH_COPIED);
	ck_assert_uint_eq(r.copies, SYNC_SWITCH_COPIES_EXITS);
	ck_assert_int_eq(press(&r, 'z'), SYNC_SWITCH_TAKEN);
	ck_assert_int_eq(sync_switch_wheel(&r, up), SYNC_SWITCH_STOPPED);
	begin(&r);
	r.setup = setup;
	r.at.prefix = true;
	ck_assert_int_eq(sync_switch_wheel(&r, up), SYNC_SWITCH_STOPPED);
}
END_TEST

START_TEST(an_unknown_effect_stops_the_replay)
{
	struct sync_switch_replay r;

	begin(&r);
	ck_assert_int_eq(press(&r, 'l'), SYNC_SWITCH_STOPPED); /* none */
	begin(&r);
	ck_assert_int_eq(press(&r, '7'), SYNC_SWITCH_STOPPED);
	begin(&r);
	ck_assert_int_eq(press(&r, 'c'), SYNC_SWITCH_STOPPED);
	begin(&r);
	ck_assert_int_eq(
	    sync_switch_key(&r, KEY_META | 'x'), SYNC_SWITCH_STOPPED);
	/* The time decides whether the next key finds the same table. */
	begin(&r);
	ck_assert_int_eq(press(&r, 'r'), SYNC_SWITCH_SHOWS);
	ck_assert_int_eq(sync_switch_key(&r, 'x'), SYNC_SWITCH_STOPPED);
}
END_TEST

START_TEST(sessions_show_their_window)
{
	struct sync_switch_replay r;

	begin(&r);
	ck_assert_int_eq(press(&r, '2'), SYNC_SWITCH_SHOWS);
	ck_assert_int_eq(press(&r, ')'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 20);
	ck_assert_uint_eq(r.at.session, 4);
	/* The windows there are not known. */
	ck_assert_int_eq(press(&r, 'n'), SYNC_SWITCH_STOPPED);
	r.at.prefix = false;
	ck_assert_int_eq(press(&r, 'L'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 12);
	ck_assert_int_eq(press(&r, 'n'), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 15);
}
END_TEST

START_TEST(the_mouse_selects_what_is_named)
{
	const struct sync_switch_bar bar = { .x = 0,
		.y = 23,
		.w = 80,
		.h = 1,
		.n = 2,
		.ranges = { { 0, 4, 8, 1 }, { 0, 9, 13, 2 } } };
	struct mouse_event ev = {
		.button = MOUSE_LEFT, .action = MOUSE_PRESS, .x = 9, .y = 23
	};
	struct sync_switch_replay r;

	begin(&r);
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 12);
	ev.action = MOUSE_RELEASE;
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_PASSED);
	ev.action = MOUSE_PRESS;
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, true), SYNC_SWITCH_STOPPED);
	ev.button = MOUSE_RIGHT;
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_STOPPED);
	ev.button = MOUSE_WHEEL_UP;
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_SHOWS);
	ck_assert_uint_eq(r.window, 11);
	ev.y = 3;
	ev.button = MOUSE_LEFT;
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_PASSED);
	ck_assert_int_eq(sync_switch_key(&r, PREFIX), SYNC_SWITCH_TAKEN);
	ck_assert_int_eq(
	    sync_switch_mouse(&r, &bar, &ev, false), SYNC_SWITCH_STOPPED);
}
END_TEST

START_TEST(bytes_that_do_not_fit_are_refused)
{
	struct sync_switch_setup setup;
	struct sync_switch_state state = { .current = 9 };
	struct sync_switch_replay r;
	struct sync_switch_bar bar;
	struct vt_str *a, *b;
	struct buf out;
	size_t n;

	setup_init(&setup);
	buf_init(&out, BUF_MAX);
	(void)sync_switch_put_setup(&out, &setup);
	for (n = 0; n < out.len; n++)
		ck_assert_int_ne(sync_switch_get_setup(out.data, n, &setup), 0);
	b = text_of(&out);
	buf_clear(&out);
	(void)sync_switch_put_state(&out, &state);
	for (n = 0; n < out.len; n++)
		ck_assert_int_ne(sync_switch_get_state(out.data, n, &state), 0);
	a = text_of(&out);
	/* The current window is none of the windows. */
	ck_assert_int_ne(sync_switch_begin(&r, a, b, NULL), 0);
	ck_assert_int_ne(sync_switch_begin(&r, NULL, NULL, NULL), 0);
	ck_assert_int_ne(sync_switch_get_bar("\x93\x01\x02\x03", 4, &bar), 0);
	vt_str_unref(a);
	vt_str_unref(b);
	buf_fini(&out);
}
END_TEST

/* A setup with the same bytes is copied; one with other bytes is decoded. */
START_TEST(the_last_setup_is_kept)
{
	struct sync_switch_state state = { .session = 3,
		.last_session = SYNC_SWITCH_NONE };
	struct sync_switch_setup setup, got;
	static struct sync_switch_kept kept;
	static struct sync_switch_replay r;
	struct vt_str *a, *b[2], *broken;
	struct buf out;
	unsigned i;

	buf_init(&out, BUF_MAX);
	ck_assert(sync_switch_put_state(&out, &state));
	a = text_of(&out);
	for (i = 0; i < ARRAY_LEN(b); i++) {
		setup_init(&setup);
		setup.links[0].window = 10 + i;
		buf_clear(&out);
		ck_assert(sync_switch_put_setup(&out, &setup));
		b[i] = text_of(&out);
	}
	broken = vt_str_new(b[0]->text, b[0]->len - 1);
	for (i = 0; i < 8; i++) {
		ck_assert_int_eq(
		    sync_switch_begin(&r, a, b[i / 2 % 2], &kept), 0);
		ck_assert_ptr_eq(kept.bytes, b[i / 2 % 2]);
		ck_assert_uint_eq(r.window, 10 + i / 2 % 2);
		ck_assert_int_eq(sync_switch_get_setup(b[i / 2 % 2]->text,
				     b[i / 2 % 2]->len, &got),
		    0);
		ck_assert_mem_eq(&r.setup, &got, sizeof(got));
		ck_assert_int_ne(sync_switch_begin(&r, a, broken, &kept), 0);
		ck_assert_int_ne(sync_switch_begin(&r, a, NULL, &kept), 0);
	}
	/* The kept setup, changed here, is copied: the bytes are not decoded. */
	kept.setup.links[0].window = 99;
	ck_assert_int_eq(sync_switch_begin(&r, a, b[1], &kept), 0);
	ck_assert_uint_eq(r.window, 99);
	sync_switch_kept_fini(&kept);
	vt_str_unref(a);
	vt_str_unref(b[0]);
	vt_str_unref(b[1]);
	vt_str_unref(broken);
	buf_fini(&out);
}
END_TEST

/* --- in views ------------------------------------------------------------------ */

static struct sync_view *
view(const char *text, unsigned cols)
{
	static const struct pen plain;
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct sync_view *v = sync_view_new(cols, 5);
	struct vt_frame *f = vt_frame_new(cols, 5);

	(void)vt_frame_text(f, gt, 0, 1, cols, text, strlen(text), &plain);
	sync_view_add(v, 77, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
	v->focus = 77;
	grapheme_table_free(gt);
	return v;
}

START_TEST(views_carry_them)
{
	struct sync_view *old = view("a", 20), *new = sync_view_clone(old);
	struct sync_view *far = sync_view_clone(old);
	struct buf b;

	buf_init(&b, BUF_MAX);
	new->switches = sync_switch_new(5, vt_str_new("state", 5));
	new->switch_setup = vt_str_new("setup", 5);
	new->bar = vt_str_new("bar", 3);
	ck_assert(!sync_view_equal(old, new));
	ck_assert_int_eq(sync_view_ops.diff(old, new, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert(sync_view_equal(far, new));
	ck_assert_uint_eq(far->switches->seen, 5);
	buf_clear(&b);
	ck_assert_int_eq(sync_view_ops.diff(new, old, &b), 0);
	ck_assert_int_eq(sync_view_ops.apply(far, b.data, b.len), 0);
	ck_assert_ptr_null(far->switches);
	sync_view_free(old);
	sync_view_free(new);
	sync_view_free(far);
	buf_fini(&b);
}
END_TEST

/* --- pictures -------------------------------------------------------------------- */

/* Makes the item that turns OLD (or NULL) into NEW, in DIFF. */
static struct sync_window_item
item(const struct sync_view *old, const struct sync_view *new, struct buf *diff)
{
	struct sync_window_item it = { .session = 1, .window = 2 };
	struct sync_view *empty = sync_view_new(0, 0);
	struct buf whole;

	buf_init(&whole, BUF_MAX);
	buf_clear(diff);
	it.flags = old == NULL ? SYNC_WINDOW_NEW : 0;
	ck_assert_int_eq(
	    sync_view_ops.diff(old == NULL ? empty : old, new, diff), 0);
	ck_assert_int_eq(sync_view_ops.save(new, &whole), 0);
	it.hash = sync_window_hash(&whole);
	it.diff = diff->data;
	it.len = diff->len;
	sync_view_free(empty);
	buf_fini(&whole);
	return it;
}

START_TEST(a_picture_follows_its_window)
{
	struct sync_view *a = view("first", 20), *b = view("second", 20), *v;
	struct sync_window_item it, back;
	struct sync_window w;
	struct buf diff, out;
	struct rd r;

	buf_init(&diff, BUF_MAX);
	buf_init(&out, BUF_MAX);
	sync_window_init(&w, 1, 2);
	/* A difference to nothing is none. */
	it = item(a, b, &diff);
	ck_assert_int_ne(sync_window_apply(&w, &it), 0);
	it = item(NULL, a, &diff);
	ck_assert_int_eq(sync_window_apply(&w, &it), 0);
	it = item(a, b, &diff);
	sync_window_put_item(&out, &it);
	rd_init(&r, out.data, out.len);
	ck_assert_int_eq(sync_window_get_item(&r, &back), 0);
	ck_assert_uint_eq(rd_left(&r), 0);
	ck_assert_int_eq(sync_window_apply(&w, &back), 0);
	v = sync_window_view(&w);
	ck_assert(sync_view_equal(v, b));
	sync_view_free(v);
	/* Another result than the server's is dropped. */
	back.hash++;
	ck_assert_int_ne(sync_window_apply(&w, &back), 0);
	v = sync_window_view(&w);
	ck_assert(sync_view_equal(v, b));
	sync_view_free(v);
	sync_window_fini(&w);
	sync_view_free(a);
	sync_view_free(b);
	buf_fini(&diff);
	buf_fini(&out);
}
END_TEST

START_TEST(large_pictures_are_refused)
{
	struct sync_view *v = view("wide", 10000);
	struct sync_window_item it;
	struct vt_frame *f = vt_frame_new(10000, 400);
	struct sync_window w;
	struct buf diff;

	buf_init(&diff, BUF_MAX);
	sync_window_init(&w, 1, 2);
	it = item(NULL, v, &diff);
	ck_assert_int_eq(sync_window_apply(&w, &it), 0);
	sync_view_add(v, 78, SYNC_SURFACE_PANE, 0, 0, f);
	ck_assert(!sync_window_fits(v));
	it = item(NULL, v, &diff);
	ck_assert_int_ne(sync_window_apply(&w, &it), 0);
	sync_view_clear(v);
	ck_assert(!sync_window_fits(v));
	vt_frame_unref(f);
	sync_window_fini(&w);
	sync_view_free(v);
	buf_fini(&diff);
}
END_TEST

START_TEST(heads_and_wishes_are_checked)
{
	uint32_t bytes, raw;
	uint8_t form;
	struct buf b;
	struct rd r;

	buf_init(&b, BUF_MAX);
	sync_window_put_want(&b, 100);
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_window_get_want(&r, &bytes), 0);
	ck_assert_uint_eq(bytes, 100);
	buf_clear(&b);
	sync_window_put_want(&b, UINT32_MAX);
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_window_get_want(&r, &bytes), 0);
	ck_assert_uint_eq(bytes, SYNC_WINDOWS_BYTES_MAX);
	buf_clear(&b);
	sync_window_put_head(&b, 1, SYNC_WINDOW_RAW_MAX + 1);
	rd_init(&r, b.data, b.len);
	ck_assert_int_ne(sync_window_get_head(&r, &form, &raw), 0);
	buf_clear(&b);
	sync_window_put_head(&b, 0, 5);
	rd_init(&r, b.data, b.len);
	ck_assert_int_ne(sync_window_get_head(&r, &form, &raw), 0);
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(sync_switch)
{
	Suite *s = suite_create("sync_switch");
	TCase *tc = tcase_create("switch");

	tcase_add_test(tc, keys_select_windows);
	tcase_add_test(tc, keys_open_prompts);
	tcase_add_test(tc, a_key_opens_copy_mode);
	tcase_add_test(tc, the_wheel_opens_copy_mode);
	tcase_add_test(tc, an_unknown_effect_stops_the_replay);
	tcase_add_test(tc, sessions_show_their_window);
	tcase_add_test(tc, the_mouse_selects_what_is_named);
	tcase_add_test(tc, bytes_that_do_not_fit_are_refused);
	tcase_add_test(tc, the_last_setup_is_kept);
	tcase_add_test(tc, views_carry_them);
	tcase_add_test(tc, a_picture_follows_its_window);
	tcase_add_test(tc, large_pictures_are_refused);
	tcase_add_test(tc, heads_and_wishes_are_checked);
	suite_add_tcase(s, tc);
	return s;
}
