/* The stack of a pane's modes, and the clock. */
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "conf/style.h"
#include "mux/fmt/vars.h"
#include "mux/mode/clock.h"
#include "mux/mode/mode.h"
#include "regress/unit/mux_util.h"
#include "regress/unit/unit.h"

/* --- the stack ------------------------------------------------------------------ */

struct fake {
	struct mode mode;
	enum mode_did answer;
	char last[64]; /* the last event */
};

static unsigned freed;

static struct fake *
fake(struct mode *m)
{
	return container_of(m, struct fake, mode);
}

static void
did(struct mode *m, const char *what)
{
	(void)str_copy(fake(m)->last, what, sizeof(fake(m)->last));
}

static void
fake_init(struct mode *m)
{
	ck_assert_ptr_eq(mode_top(m->pane), m);
	did(m, "init");
}

static void
fake_draw(struct mode *m, struct vt_frame *f, const struct mode_paint *paint)
{
	m->due = paint->now + 10;
	(void)vt_frame_text(
	    f, paint->graphemes, 0, 0, f->cols, "fake", 4, NULL);
}

static enum mode_did
fake_key(struct mode *m, const struct key_event *key)
{
	(void)key;
	did(m, "key");
	return fake(m)->answer;
}

static enum mode_did
fake_mouse(struct mode *m, const struct mouse_event *ev)
{
	ck_assert_int_eq(ev->x, 3);
	did(m, "mouse");
	return fake(m)->answer;
}

static enum mode_did
fake_command(struct mode *m, const struct mode_command *cmd, struct cause *why)
{
	did(m, cmd->words[cmd->count - 1]);
	if (strcmp(cmd->words[0], "fail") == 0)
		(void)cause_set(why, ERR_STATE, "no such thing");
	return fake(m)->answer;
}

static void
fake_resize(struct mode *m)
{
	did(m, "resize");
}

static void
fake_event(struct mode *m, enum mode_event event)
{
	did(m, event == MODE_EVENT_TITLE ? "title" : "output");
}

static enum mode_did
fake_expire(struct mode *m, mono_ms now)
{
	(void)now;
	did(m, "expire");
	return MODE_TAKEN;
}

static bool
fake_format(const struct mode *m, const char *name, struct buf *out)
{
	(void)m;
	return strcmp(name, "fake_name") == 0 && buf_add_str(out, "x") == 0;
}

static const char *
fake_table(const struct mode *m)
{
	(void)m;
	return "copy-mode";
}

static void
fake_free(struct mode *m)
{
	freed++;
	mem_free(fake(m));
}

static const struct mode_ops fake_ops = {
	.name = "fake-mode",
	.init = fake_init,
	.draw = fake_draw,
	.key = fake_key,
	.mouse = fake_mouse,
	.command = fake_command,
	.resize = fake_resize,
	.event = fake_event,
	.expire = fake_expire,
	.format = fake_format,
	.table = fake_table,
	.free = fake_free,
};

static const struct mode_ops bare_ops = {
	.name = "bare-mode",
	.free = fake_free,
};

static struct mux *m;
static struct pane *p;

static void
begin(void)
{
	m = mux_util_new();
	p = mux_util_session(m, "s")->current->window->active;
	freed = 0;
}

static void
end(void)
{
	mux_util_free(m);
}

static struct fake *
push(const struct mode_ops *ops)
{
	struct fake *f = mem_zalloc(sizeof(*f));

	f->answer = MODE_TAKEN;
	ck_assert_int_eq(mode_push(p, &f->mode, ops), 0);
	return f;
}

static char *
expand(const char *format)
{
	struct target t = { .session = mux_session(m, 0) };
	struct vars v;
	struct format_args a = { .widths = m->setup.graphemes };

	t.link = t.session->current;
	t.window = t.link->window;
	t.pane = p;
	vars_init(&v, m, NULL, NULL, &t);
	a.scope = vars_scope(&v);
	return format_expand_new(&a, format);
}

START_TEST(without_a_mode_all_is_for_the_program)
{
	const struct mode_command cmd = {
		.words = (const char *const[]){ "x" }, .count = 1, .repeat = 1
	};
	struct cause why = { NULL };

	ck_assert_ptr_null(mode_top(p));
	ck_assert(!mode_key(p, &(struct key_event){ .key = 'a' }));
	ck_assert(!mode_mouse(p, &(struct mouse_event){ .x = 3 }));
	ck_assert_int_eq(mode_command(p, &cmd, &why), -ERR_NOTFOUND);
	ck_assert_ptr_null(mode_table(p));
	ck_assert(!mode_expire(p, 1));
	mode_resize(p);
	mode_event(p, MODE_EVENT_OUTPUT);
}
END_TEST

START_TEST(the_top_mode_gets_the_input)
{
	struct mode_command cmd = {
		.words = (const char *const[]){ "go", "left" },
		.count = 2,
		.repeat = 1,
	};
	struct fake *f = push(&fake_ops), *b;
	struct cause why = { NULL };
	char *text;

	ck_assert_str_eq(f->last, "init");
	ck_assert_str_eq(mode_table(p), "copy-mode");
	ck_assert(mode_key(p, &(struct key_event){ .key = 'a' }));
	ck_assert_str_eq(f->last, "key");
	ck_assert(mode_mouse(p, &(struct mouse_event){ .x = 3 }));
	ck_assert_str_eq(f->last, "mouse");
	ck_assert(mode_key(
	    p, &(struct key_event){ .key = 'a', .type = KEY_RELEASE }));
	ck_assert_str_eq(f->last, "mouse");
	ck_assert_int_eq(mode_command(p, &cmd, &why), 0);
	ck_assert_str_eq(f->last, "left");
	cmd.words = (const char *const[]){ "fail", "so" };
	ck_assert_int_eq(mode_command(p, &cmd, &why), -ERR_STATE);
	ck_assert_str_eq(cause_text(&why), "no such thing");
	cause_fini(&why);
	text = expand("#{pane_in_mode} #{pane_mode} #{fake_name}");
	ck_assert_str_eq(text, "1 fake-mode x");
	mem_free(text);

	b = push(&bare_ops);
	ck_assert_ptr_eq(mode_top(p), &b->mode);
	/* A mode without calls takes all input. */
	f->last[0] = '\0';
	ck_assert(mode_key(p, &(struct key_event){ .key = 'a' }));
	ck_assert(mode_mouse(p, &(struct mouse_event){ .x = 3 }));
	ck_assert_int_eq(mode_command(p, &cmd, &why), -ERR_NOTFOUND);
	ck_assert_ptr_null(mode_table(p));
	ck_assert_str_eq(f->last, "");
	text = expand("#{pane_in_mode} #{pane_mode} #{fake_name}");
	ck_assert_str_eq(text, "2 bare-mode ");
	mem_free(text);
	/* The modes below get events of the pane. */
	mode_event(p, MODE_EVENT_TITLE);
	ck_assert_str_eq(f->last, "title");
	mode_resize(p);
	ck_assert_str_eq(f->last, "resize");
	ck_assert_uint_eq(freed, 0);
	ck_assert(pane_pop_mode(p));
	ck_assert_uint_eq(freed, 1);
	f->answer = MODE_LEFT;
	ck_assert(mode_key(p, &(struct key_event){ .key = 'q' }));
	ck_assert_ptr_null(mode_top(p));
	ck_assert_uint_eq(freed, 2);
}
END_TEST

START_TEST(events_follow_the_stack)
{
	struct fake *f, again;
	char *text;

	mem_free(mux_util_events(m, NULL));
	f = push(&fake_ops);
	ck_assert_int_eq(mode_push(p, &again.mode, &fake_ops), -ERR_EXISTS);
	f->answer = MODE_LEFT;
	ck_assert(mode_mouse(p, &(struct mouse_event){ .x = 3 }));
	text = mux_util_events(m, "PANE_MODE");
	ck_assert_str_eq(text,
	    "PANE_MODE @0 %0|PANE_MODE_ENTERED @0 %0 'fake-mode'|"
	    "PANE_MODE @0 %0|PANE_MODE_EXITED @0 %0 'fake-mode'|");
	mem_free(text);
}
END_TEST

START_TEST(a_picture_has_a_version)
{
	const struct mode_paint paint = { .now = 100,
		.graphemes = m->setup.graphemes };
	struct fake *f = push(&fake_ops);
	struct vt_frame *a = mode_frame(&f->mode, &paint);
	uint64_t version = f->mode.version;

	ck_assert_uint_eq(a->cols, 80);
	ck_assert_uint_eq(a->state.modes & VT_FRAME_CURSOR_VISIBLE, 0);
	ck_assert_uint_eq(a->version, version);
	ck_assert_uint_ne(a->version, vt_term_version(p->term));
	vt_frame_unref(a);
	ck_assert_uint_eq(f->mode.due, 110);
	ck_assert(!mode_expire(p, 109));
	ck_assert(mode_expire(p, 110));
	ck_assert_str_eq(f->last, "expire");
	ck_assert_uint_eq(f->mode.due, MONO_NEVER);
	ck_assert_uint_ne(f->mode.version, version);
}
END_TEST

START_TEST(a_pane_frees_its_modes)
{
	(void)push(&fake_ops);
	(void)push(&bare_ops);
	pane_pop_modes(p);
	ck_assert_uint_eq(freed, 2);
	(void)push(&fake_ops);
}
END_TEST

/* --- the clock ------------------------------------------------------------------ */

static colour
window_colour(void *arg, struct pane *of, enum option_id id)
{
	(void)arg;
	return options_colour(&of->window->options, id);
}

/* The clock's frame at HOUR:04:05, with "#" for blocks. */
static struct vt_frame *
clock_at(const char *style, int cols, int rows, int hour)
{
	struct mode_paint paint = { .now = 1000,
		.wall = INT64_C(1700000000000) + 5250,
		.graphemes = m->setup.graphemes,
		.window_colour = window_colour };
	const struct cell_rect r = { 0, 0, cols, rows };
	struct vt_frame *f;
	unsigned x, y;

	paint.local.tm_hour = hour;
	paint.local.tm_min = 4;
	paint.local.tm_sec = 5;
	ck_assert_int_eq(options_set_text(&m->window_options,
			     "clock-mode-style", style, NULL),
	    0);
	pane_place(p, &r);
	ck_assert_int_eq(mode_clock_open(p), 0);
	f = mode_frame(mode_top(p), &paint);
	for (y = 0; y < f->rows; y++)
		for (x = 0; x < f->cols; x++)
			if (vt_line_pen(f->lines[y], x)->bg == colour_index(4))
				vt_frame_repeat(f, x, y, 1, '#', NULL);
	return f;
}

static const char *
row(const struct vt_frame *f, unsigned y)
{
	static char text[512];
	size_t n = 0;
	unsigned x;

	for (x = 0; x < f->cols; x++)
		n += vt_line_text(f->lines[y], x, text + n);
	while (n > 0 && text[n - 1] == ' ')
		n--;
	text[n] = '\0';
	return text;
}

START_TEST(the_clock_is_big)
{
	static const char *const want[] = { "",
		"      # #####       ##### #   #",
		"      # #       #   #   # #   #",
		"      # #####       #   # #####",
		"      #     #   #   #   #     #",
		"      # #####       #####     #", "", "" };
	struct vt_frame *f = clock_at("24", 34, 8, 15);
	unsigned y;

	for (y = 0; y < 8; y++)
		ck_assert_str_eq(row(f, y), want[y]);
	vt_frame_unref(f);
	/* The clock shows a time 25.25 s after the full minute. */
	ck_assert_uint_eq(mode_top(p)->due, 1000 + 60000 - 25250);
	ck_assert(mode_key(p, &(struct key_event){ .key = 'x' }));
	ck_assert_ptr_null(mode_top(p));
	f = clock_at("24-with-seconds", 48, 8, 15);
	ck_assert_uint_eq(mode_top(p)->due, 1000 + 750);
	ck_assert_str_eq(
	    row(f, 5), "    # #####       #####     #       ##### #####");
	vt_frame_unref(f);
}
END_TEST

START_TEST(a_small_pane_has_a_small_clock)
{
	static const struct {
		const char *style;
		int hour;
		const char *want;
	} rows[] = {
		{ "24", 15, "        15:04" },
		{ "24-with-seconds", 9, "      09:04:05" },
		{ "12", 15, "       3:04 PM" },
		{ "12", 0, "      12:04 AM" },
		{ "12-with-seconds", 12, "     12:04:05 PM" },
	};
	struct vt_frame *f;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		f = clock_at(rows[i].style, 20, 5, rows[i].hour);
		ck_assert_str_eq(row(f, 2), rows[i].want);
		ck_assert_uint_eq(vt_line_pen(f->lines[2], 8)->fg,
		    (colour)COLOUR_KIND_THEME << 24 | STYLE_THEME_BLUE);
		vt_frame_unref(f);
	}
	f = clock_at("24", 4, 5, 15);
	ck_assert_str_eq(row(f, 2), "");
	vt_frame_unref(f);
	/* Opening a second clock does nothing. */
	ck_assert_uint_eq(p->modes.count, 1);
}
END_TEST

UNIT_SUITE(mode)
{
	Suite *s = suite_create("mode");
	TCase *tc = tcase_create("mode");

	tcase_add_checked_fixture(tc, begin, end);
	tcase_add_test(tc, without_a_mode_all_is_for_the_program);
	tcase_add_test(tc, the_top_mode_gets_the_input);
	tcase_add_test(tc, events_follow_the_stack);
	tcase_add_test(tc, a_picture_has_a_version);
	tcase_add_test(tc, a_pane_frees_its_modes);
	tcase_add_test(tc, the_clock_is_big);
	tcase_add_test(tc, a_small_pane_has_a_small_clock);
	suite_add_tcase(s, tc);
	return s;
}
