#include <string.h>

#include "client/local_echo.h"
#include "mux/sync/prompt_edit.h"
#include "regress/unit/unit.h"

#define LEFT 1
#define RIGHT 2
#define LINE 3

static struct grapheme_table *gt;

static void
open_world(void)
{
	gt = grapheme_table_new(NULL);
}

static void
close_world(void)
{
	grapheme_table_free(gt);
}

/* A pane of 20x3 whose first row is TEXT, with the cursor after it. */
static struct vt_frame *
pane(const char *text, uint32_t modes)
{
	static const struct pen plain;
	struct vt_frame *f = vt_frame_new(20, 3);

	f->state.x = (uint16_t)vt_frame_text(
	    f, gt, 0, 0, 20, text, strlen(text), &plain);
	f->state.modes |= modes;
	return f;
}

static struct sync_view *
view(const char *left, const char *right, uint64_t focus, uint64_t ack)
{
	struct sync_view *v = sync_view_new(41, 3);
	struct vt_frame *f;

	f = pane(left, VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	sync_view_add(v, LEFT, SYNC_SURFACE_PANE, 0, 0, f);
	vt_frame_unref(f);
	f = pane(right, VT_FRAME_ECHO | VT_FRAME_CANONICAL);
	sync_view_add(v, RIGHT, SYNC_SURFACE_PANE, 21, 0, f);
	vt_frame_unref(f);
	v->focus = focus;
	v->echo_ack = ack;
	return v;
}

/* Returns the first row of surface ID with predictions drawn. */
static const char *
shown(struct local_echo *e, mono_ms now, const struct sync_view *v, uint64_t id)
{
	static char text[256];
	struct sync_view *lent = local_echo_lend(e, now, v);
	const struct vt_line *l = sync_view_find(lent, id)->frame->lines[0];
	unsigned x;
	size_t n = 0;

	for (x = 0; x < 20; x++)
		n += vt_line_text(l, x, text + n);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	sync_view_free(lent);
	return text;
}

static uint64_t
type(struct local_echo *e, mono_ms now, const char *s, uint64_t index)
{
	for (; *s != '\0'; s++)
		local_echo_text(e, now, (uint32_t)*s, ++index);
	return index;
}

START_TEST(guesses_stay_in_the_pane_that_has_the_focus)
{
	struct local_echo *e = local_echo_new(gt, PREDICT_ALWAYS);
	struct sync_view *v = view("left", "right", LEFT, 0);
	uint64_t n = 0;

	ck_assert(!local_echo_stale(e));
	local_echo_view(e, 1, v, 0);
	n = type(e, 2, "abc", n);
	ck_assert(local_echo_stale(e));
	ck_assert_str_eq(shown(e, 2, v, LEFT), "leftabc");
	ck_assert(!local_echo_stale(e));
	ck_assert_str_eq(shown(e, 2, v, RIGHT), "right");
	/*
	 * Text longer than the row continues on the next one, not in the
	 * neighbour.
	 */
	n = type(e, 3, "defghijklmnopqrstuvwxyz", n);
	ck_assert_str_eq(shown(e, 3, v, LEFT), "leftabcdefghijklmnop");
	ck_assert_str_eq(shown(e, 3, v, RIGHT), "right");
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

START_TEST(unanswered_inputs_are_counted)
{
	struct local_echo *e = local_echo_new(gt, PREDICT_NEVER);
	struct sync_view *v = view("left", "right", LEFT, 0);
	uint64_t n;

	local_echo_view(e, 1, v, 0);
	ck_assert_uint_eq(local_echo_unanswered(e), 0);
	n = type(e, 2, "abc", 0);
	ck_assert_uint_eq(local_echo_unanswered(e), 3);
	v->echo_ack = n - 1;
	local_echo_view(e, 3, v, n);
	ck_assert_uint_eq(local_echo_unanswered(e), 1);
	v->echo_ack = n;
	local_echo_view(e, 4, v, n);
	ck_assert_uint_eq(local_echo_unanswered(e), 0);
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

START_TEST(what_is_on_its_way_when_the_focus_moves_is_nobodys)
{
	struct local_echo *e = local_echo_new(gt, PREDICT_ALWAYS);
	struct sync_view *v = view("left", "right", LEFT, 0);
	const key_code prefix = KEY_CTRL | 'b';
	struct key_event ev = { .key = prefix };
	uint64_t n = 0;

	v->keys[v->nkeys++] = prefix;
	local_echo_view(e, 1, v, 0);
	/* The prefix, o, and text for the other pane. */
	local_echo_key(e, 2, &ev, ++n);
	n = type(e, 2, "oxy", n);
	ck_assert_str_eq(shown(e, 2, v, LEFT), "left");
	ck_assert_str_eq(shown(e, 2, v, RIGHT), "right");
	sync_view_free(v);
	v = view("left", "right", RIGHT, 0);
	local_echo_view(e, 100, v, n);
	n = type(e, 101, "z", n);
	/* "xy" has not arrived: the place of z is unknown. */
	ck_assert_str_eq(shown(e, 101, v, RIGHT), "right");
	sync_view_free(v);
	v = view("left", "rightxy", RIGHT, n - 1);
	local_echo_view(e, 200, v, n);
	ck_assert_str_eq(shown(e, 300, v, RIGHT), "rightxyz");
	ck_assert_str_eq(shown(e, 300, v, LEFT), "left");
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

START_TEST(the_view_may_forbid_it)
{
	static const struct {
		int mode;
		uint8_t predict;
		uint32_t flags;
		const char *left;
	} rows[] = {
		{ LOCAL_ECHO_SERVER, PREDICT_ALWAYS, 0, "leftab" },
		{ LOCAL_ECHO_SERVER, PREDICT_NEVER, 0, "left" },
		{ LOCAL_ECHO_SERVER, PREDICT_ADAPTIVE, 0, "left" },
		{ LOCAL_ECHO_SERVER, 200, 0, "leftab" },
		{ PREDICT_ALWAYS, PREDICT_NEVER, 0, "leftab" },
		{ PREDICT_NEVER, PREDICT_ALWAYS, 0, "left" },
		{ PREDICT_ALWAYS, 0, SYNC_TTY_PREDICT_OFF, "left" },
		{ PREDICT_ALWAYS, 0, SYNC_TTY_READONLY, "left" },
		{ PREDICT_ALWAYS, 0, SYNC_TTY_LOCKED, "left" },
	};
	struct local_echo *e;
	struct sync_view *v;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		e = local_echo_new(gt, rows[i].mode);
		v = view("left", "right", LEFT, 0);
		v->tty.predict = rows[i].predict;
		local_echo_link(e, 5);
		v->tty.flags = rows[i].flags;
		local_echo_view(e, 1, v, 0);
		(void)type(e, 2, "ab", 0);
		ck_assert_msg(strcmp(shown(e, 2, v, LEFT), rows[i].left) == 0,
		    "row %zu: %s", i, shown(e, 2, v, LEFT));
		sync_view_free(v);
		local_echo_free(e);
	}
}
END_TEST

START_TEST(adaptive_follows_the_link)
{
	struct local_echo *e = local_echo_new(gt, PREDICT_ADAPTIVE);
	struct sync_view *v = view("left", "right", LEFT, 0);

	local_echo_link(e, 5);
	local_echo_view(e, 1, v, 0);
	ck_assert(local_echo_deadline(e, 1) == MONO_NEVER);
	(void)type(e, 2, "a", 0);
	ck_assert_str_eq(shown(e, 2, v, LEFT), "left");
	/* A late echo shows predictions. */
	ck_assert(local_echo_deadline(e, 2) == 2 + 250);
	ck_assert_str_eq(shown(e, 252, v, LEFT), "lefta");
	local_echo_free(e);
	e = local_echo_new(gt, PREDICT_ADAPTIVE);
	local_echo_link(e, 200);
	local_echo_view(e, 1, v, 0);
	(void)type(e, 2, "a", 0);
	ck_assert_str_eq(shown(e, 2, v, LEFT), "lefta");
	local_echo_resize(e, 3, 2);
	ck_assert_str_eq(shown(e, 3, v, LEFT), "left");
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

/* The server's prompt is certain from the first key, whatever its text. */
START_TEST(the_prompt_is_exact)
{
	struct local_echo *e = local_echo_new(gt, PREDICT_ALWAYS);
	struct sync_view *v = view("left", "right", LEFT, 0);
	struct key_event bs = { .key = KEY_BSPACE };
	struct vt_frame *f = pane("(rename) old", 0);
	uint64_t n = 0;

	local_echo_view(e, 1, v, 0);
	sync_view_add(v, LINE, SYNC_SURFACE_OVERLAY, 0, 0, f);
	v->focus = LINE;
	local_echo_view(e, 2, v, 0);
	n = type(e, 3, "er", n);
	ck_assert_str_eq(shown(e, 3, v, LINE), "(rename) older");
	ck_assert_str_eq(shown(e, 3, v, LEFT), "left");
	local_echo_key(e, 4, &bs, ++n);
	ck_assert_str_eq(shown(e, 4, v, LINE), "(rename) olde");
	vt_frame_unref(f);
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

START_TEST(names_of_modes)
{
	ck_assert_int_eq(local_echo_mode("adaptive"), PREDICT_ADAPTIVE);
	ck_assert_int_eq(local_echo_mode("experimental"), PREDICT_EXPERIMENTAL);
	ck_assert_int_eq(local_echo_mode("sometimes"), -1);
	ck_assert_int_eq(local_echo_mode(""), -1);
}
END_TEST

/* The server's prompt after SEEN inputs. */
static struct sync_view *
prompt_view(const struct prompt_edit *ed, uint64_t seen, uint64_t ack)
{
	static const struct pen pen = { 0 };
	struct sync_view *v = sync_view_new(30, 1);
	struct vt_frame *f = vt_frame_new(30, 1);

	(void)vt_frame_text(f, gt, 0, 0, 30, "(x) ", 4, &pen);
	prompt_edit_draw(ed, gt, f, 4, &pen);
	sync_view_add(v, LINE, SYNC_SURFACE_OVERLAY, 0, 0, f);
	vt_frame_unref(f);
	v->focus = LINE;
	v->echo_ack = ack;
	v->prompt = sync_prompt_new(&(struct sync_prompt){
	    .surface = LINE,
	    .seen = seen,
	    .x = 4,
	    .at = (uint32_t)ed->at,
	    .text = vt_str_new((const char *)ed->text.data, ed->text.len),
	    .separators = vt_str_new(ed->separators, strlen(ed->separators)),
	});
	return v;
}

/* The screen for V equals the server's future prompt. */
static void
same_prompt(struct local_echo *e, mono_ms now, const struct sync_view *v,
    const struct prompt_edit *ed)
{
	struct sync_view *lent = local_echo_lend(e, now, v);
	struct sync_view *want = prompt_view(ed, 0, 0);
	const struct vt_frame *a = lent->surfaces[0].frame;
	const struct vt_frame *b = want->surfaces[0].frame;
	unsigned x;

	ck_assert_uint_eq(a->state.x, b->state.x);
	for (x = 0; x < 30; x++)
		ck_assert(vt_line_cell_equal(a->lines[0], x, b->lines[0], x));
	sync_view_free(lent);
	sync_view_free(want);
}

#define KEYS 4000

/* For any keys and any arrival of views, the prediction equals the future. */
START_TEST(the_servers_prompt_is_edited_exactly)
{
	static const key_code keys[] = { 'a', 'b', ' ', ' ', '-', '/', 0xe9,
		0x4e2d, 'z', KEY_BSPACE, KEY_DC, KEY_LEFT, KEY_RIGHT, KEY_HOME,
		KEY_END, 'a' | KEY_CTRL, 'e' | KEY_CTRL, 'w' | KEY_CTRL,
		'u' | KEY_CTRL, 'k' | KEY_CTRL, 't' | KEY_CTRL, 'b' | KEY_META,
		'f' | KEY_META, KEY_LEFT | KEY_CTRL, 'q', 'r', 's' };
	struct local_echo *e = local_echo_new(gt, PREDICT_ADAPTIVE);
	static key_code typed[KEYS + 1];
	struct prompt_edit there, here;
	struct sync_view *v;
	struct key_event ev = { 0 };
	uint64_t n = 0, seen = 0;
	uint32_t seed = 7;

	prompt_edit_init(&there, " -_@/");
	prompt_edit_init(&here, " -_@/");
	v = prompt_view(&there, 0, 0);
	local_echo_view(e, 0, v, 0);
	while (n < KEYS) {
		seed = seed * 1103515245 + 12345;
		if ((seed >> 16) % 8 == 0 || n - seen > 200) {
			while (seen < n && (seed >> 20) % 16 != 1) {
				seed = seed * 1103515245 + 12345;
				(void)prompt_edit_key(&there, typed[++seen]);
			}
			sync_view_free(v);
			v = prompt_view(
			    &there, seen, seen - MIN_OF(seen, seed >> 30));
			local_echo_view(e, n, v, n);
		} else {
			ev.key = keys[(seed >> 16) % ARRAY_LEN(keys)];
			typed[++n] = ev.key;
			(void)prompt_edit_key(&here, ev.key);
			if (ev.key < KEY_SPECIAL && (ev.key & KEY_MODS) == 0)
				local_echo_text(e, n, (uint32_t)ev.key, n);
			else
				local_echo_key(e, n, &ev, n);
		}
		same_prompt(e, n, v, &here);
	}
	prompt_edit_fini(&there);
	prompt_edit_fini(&here);
	sync_view_free(v);
	local_echo_free(e);
}
END_TEST

/* History, completion, Enter: no prediction for later keys until the answer. */
START_TEST(what_a_prompt_does_with_other_keys_is_waited_for)
{
	static const key_code others[] = { KEY_UP, KEY_TAB, KEY_ENTER,
		KEY_ESCAPE, 'y' | KEY_CTRL, 'v' | KEY_CTRL, 'c' | KEY_CTRL };
	struct prompt_edit ed;
	struct local_echo *e;
	struct key_event ev;
	struct sync_view *v;
	size_t i;

	for (i = 0; i < ARRAY_LEN(others); i++) {
		e = local_echo_new(gt, PREDICT_ADAPTIVE);
		prompt_edit_init(&ed, " ");
		/* typed before the prompt was seen, and after */
		local_echo_text(e, 1, 'a', 5);
		v = prompt_view(&ed, 4, 3);
		local_echo_view(e, 1, v, 5);
		prompt_edit_insert(&ed, "a", 1);
		same_prompt(e, 1, v, &ed);
		ev = (struct key_event){ .key = others[i] };
		local_echo_key(e, 2, &ev, 6);
		local_echo_text(e, 3, 'b', 7);
		same_prompt(e, 3, v, &ed);
		sync_view_free(v);
		v = prompt_view(&ed, 6, 4);
		local_echo_view(e, 4, v, 7);
		prompt_edit_insert(&ed, "b", 1);
		same_prompt(e, 4, v, &ed);
		/* the option that turns predictions off is obeyed */
		v->tty.flags |= SYNC_TTY_PREDICT_OFF;
		local_echo_view(e, 5, v, 7);
		prompt_edit_backspace(&ed);
		same_prompt(e, 5, v, &ed);
		sync_view_free(v);
		prompt_edit_fini(&ed);
		local_echo_free(e);
	}
}
END_TEST

UNIT_SUITE(client_local_echo)
{
	Suite *s = suite_create("client_local_echo");
	TCase *t = tcase_create("views");

	tcase_add_checked_fixture(t, open_world, close_world);
	tcase_add_test(t, the_servers_prompt_is_edited_exactly);
	tcase_add_test(t, what_a_prompt_does_with_other_keys_is_waited_for);
	tcase_add_test(t, guesses_stay_in_the_pane_that_has_the_focus);
	tcase_add_test(t, what_is_on_its_way_when_the_focus_moves_is_nobodys);
	tcase_add_test(t, the_view_may_forbid_it);
	tcase_add_test(t, adaptive_follows_the_link);
	tcase_add_test(t, the_prompt_is_exact);
	tcase_add_test(t, unanswered_inputs_are_counted);
	tcase_add_test(t, names_of_modes);
	suite_add_tcase(s, t);
	return s;
}
