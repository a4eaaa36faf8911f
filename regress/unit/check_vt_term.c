#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "mux/vt/dump.h"
#include "mux/vt/term.h"
#include "regress/unit/unit.h"

/* A terminal, its pool and its grapheme table. */
struct rig {
	struct vt_pool *pool;
	struct grapheme_table *gt;
	struct vt_term *t;
};

/* Opens a terminal with a shared table. */
static void
rig_open_with(
    struct rig *r, unsigned cols, unsigned rows, struct grapheme_table *gt)
{
	struct vt_term_options opt = { 0 };

	r->pool = vt_pool_new();
	r->gt = gt;
	opt.pool = r->pool;
	opt.graphemes = r->gt;
	opt.cols = cols;
	opt.rows = rows;
	opt.history_rows = 1000;
	opt.history_bytes = 1 << 20;
	r->t = vt_term_new(&opt);
}

static void
rig_open(struct rig *r, unsigned cols, unsigned rows)
{
	rig_open_with(r, cols, rows, grapheme_table_new(NULL));
}

/* Closes the terminal but keeps the table. */
static void
rig_leave(struct rig *r)
{
	ck_assert_pstr_eq(vt_term_check(r->t), NULL);
	vt_term_free(r->t);
	vt_pool_free(r->pool);
}

static void
rig_close(struct rig *r)
{
	rig_leave(r);
	grapheme_table_free(r->gt);
}

static void
say(struct rig *r, const char *s)
{
	vt_term_write(r->t, s, strlen(s));
	ck_assert_pstr_eq(vt_term_check(r->t), NULL);
}

/* Returns row Y as text, without blanks at its end. */
static const char *
row(struct rig *r, unsigned y, char out[4096])
{
	const struct vt_line *line = vt_grid_line(vt_term_grid(r->t), y);
	unsigned x;
	size_t n = 0;

	for (x = 0; x < line->len && n < 3900; x++)
		n += vt_line_text(line, x, out + n);
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return out;
}

static void
expect_row(struct rig *r, unsigned y, const char *want)
{
	char out[4096];

	ck_assert_str_eq(row(r, y, out), want);
}

static void
expect_cursor(struct rig *r, unsigned y, unsigned x, bool pending)
{
	struct vt_term_cursor c = vt_term_cursor(r->t);

	ck_assert_uint_eq(c.y, y);
	ck_assert_uint_eq(c.x, x);
	ck_assert_int_eq(c.pending, pending);
}

/* Compares the waiting reply, "" for none. */
static void
expect_reply(struct rig *r, const char *want)
{
	struct vt_effect e;
	struct buf b;

	buf_init(&b, 1 << 20);
	while (vt_term_next_effect(r->t, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			(void)buf_add(&b, e.data, e.len);
		vt_effect_fini(&e);
	}
	ck_assert_str_eq(buf_cstr(&b), want);
	buf_fini(&b);
}

START_TEST(text_wraps_late_and_scrolls)
{
	struct rig r;

	rig_open(&r, 5, 3);
	say(&r, "ABCDE");
	expect_cursor(&r, 0, 4, true);
	say(&r, "Z");
	expect_row(&r, 0, "ABCDE");
	expect_row(&r, 1, "Z");
	expect_cursor(&r, 1, 1, false);
	ck_assert(
	    (vt_grid_line(vt_term_grid(r.t), 0)->flags & VT_LINE_WRAPPED) != 0);
	say(&r, "\r\n2\r\n3\r\n4");
	expect_row(&r, 0, "2");
	expect_row(&r, 2, "4");
	ck_assert_uint_eq(vt_grid_screen(vt_term_grid(r.t)), 2);
	rig_close(&r);
}
END_TEST

START_TEST(clusters_share_a_cell)
{
	struct rig r;

	rig_open(&r, 10, 4);
	/* e + acute, family, flag, thumbs up with skin tone */
	say(&r, "e\314\201x");
	expect_row(&r, 0, "e\314\201x");
	expect_cursor(&r, 0, 2, false);
	say(&r, "\r\n\360\237\221\250\342\200\215\360\237\221\251\342\200\215"
		"\360\237\221\247|");
	expect_cursor(&r, 1, 3, false);
	say(&r, "\r\n\360\237\207\251\360\237\207\252|");
	expect_cursor(&r, 2, 3, false);
	/* VS16 widens the preceding heart */
	say(&r, "\r\n\342\235\244\357\270\217|");
	expect_cursor(&r, 3, 3, false);
	expect_row(&r, 3, "\342\235\244\357\270\217|");
	rig_close(&r);
}
END_TEST

START_TEST(vs16_in_the_last_column_moves_down)
{
	struct rig r;

	rig_open(&r, 4, 3);
	say(&r, "abc\342\235\244\357\270\217d");
	expect_row(&r, 0, "abc");
	expect_row(&r, 1, "\342\235\244\357\270\217d");
	expect_cursor(&r, 1, 3, false);
	rig_close(&r);
}
END_TEST

START_TEST(a_mark_after_a_move_never_bricks_the_line)
{
	struct rig r;

	rig_open(&r, 20, 4);
	say(&r, "xyz\033[2;2H\314\202\r\nhello");
	expect_row(&r, 0, "xyz");
	expect_row(&r, 2, "hello");
	expect_cursor(&r, 2, 5, false);
	rig_close(&r);
}
END_TEST

START_TEST(wide_in_the_last_column_wraps)
{
	struct rig r;

	rig_open(&r, 5, 2);
	say(&r, "abcd\344\270\200");
	expect_row(&r, 0, "abcd");
	expect_row(&r, 1, "\344\270\200");
	ck_assert_int_eq(
	    vt_line_cell(vt_grid_line(vt_term_grid(r.t), 0), 4).width, VT_PAD);
	rig_close(&r);
}
END_TEST

START_TEST(replies_are_correct_and_immediate)
{
	static const struct {
		const char *in;
		const char *reply;
	} rows[] = {
		{ "\033[2;3H\033[6n", "\033[2;3R" },
		{ "\033[5n", "\033[0n" },
		{ "\033[?6n", "\033[?2;3;1R" },
		{ "\033[c", "\033[?64;6;21;22;28;52c" },
		{ "\033[=c", "\033P!|726D7578\033\\" },
		{ "\033[>q", "\033P>|rmux 0.1.0\033\\" },
		{ "\033[?7$p", "\033[?7;1$y" },
		{ "\033[?2027$p", "\033[?2027;1$y" },
		{ "\033[?9999$p", "\033[?9999;0$y" },
		{ "\033[?500$p", "\033[?500;0$y" },
		{ "\033[4$p", "\033[4;2$y" },
		{ "\033[1$p", "\033[1;4$y" },
		{ "\033P$qr\033\\", "\033P1$r1;24r\033\\" },
		{ "\033[1;3;4:3;38:2::1:2:3;48;5;200m\033P$qm\033\\",
		    "\033P1$r0;1;3;4:3;38:2::1:2:3;48:5:200m\033\\" },
		{ "\033P$qzz\033\\", "\033P0$r\033\\" },
		{ "\033P+q436f;5858\033\\",
		    "\033P1+r436F=323536\033\\\033P0+r5858\033\\" },
		{ "\033[18t\033[14t", "\033[8;24;80t\033[4;0;0t" },
		{ "\033[21t", "\033]l\033\\" },
		{ "\033[>5u\033[?u\033[<u\033[?u", "\033[?5u\033[?0u" },
		{ "\033[>4;2m\033[?4m", "\033[>4;2m" },
		{ "\033]4;1;?\007", "\033]4;1;rgb:cdcd/0000/0000\007" },
		{ "\033]11;#112233\033\\\033]11;?\033\\",
		    "\033]11;rgb:1111/2222/3333\033\\" },
		{ "\033[?996n", "\033[?997;1n" },
		{ "\033[H\033[2J\033[1;1;1;1;1;1*y", "\033P1!~FFE0\033\\" },
	};
	struct vt_theme theme = { VT_PALETTE_UNSET, VT_PALETTE_UNSET,
		VT_PALETTE_UNSET, false };
	struct rig r;
	size_t i;

	rig_open(&r, 80, 24);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		say(&r, rows[i].in);
		expect_reply(&r, rows[i].reply);
	}
	/* A theme of unknown colours: black on white, or white on black. */
	say(&r, "\033]111\033\\");
	for (i = 0; i < 2; i++) {
		theme.dark = i != 0;
		vt_term_set_theme(r.t, &theme);
		say(&r, "\033]10;?\033\\\033]11;?\033\\\033[?996n");
		expect_reply(&r,
		    i == 0 ? "\033]10;rgb:0000/0000/0000\033\\"
			     "\033]11;rgb:ffff/ffff/ffff\033\\\033[?997;2n"
			   : "\033]10;rgb:ffff/ffff/ffff\033\\"
			     "\033]11;rgb:0000/0000/0000\033\\\033[?997;1n");
	}
	rig_close(&r);
}
END_TEST

START_TEST(effects_wait_in_order)
{
	struct rig r;
	struct vt_effect e;

	rig_open(&r, 80, 24);
	say(&r, "\007\033]2;title\007\033]52;c;aGVsbG8=\007"
		"\033Ptmux;\033\033[c\033\\\033]9;4;1;50\007\033]9;hi\007");
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_BELL);
	vt_effect_fini(&e);
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_TITLE);
	ck_assert_str_eq(e.data, "title");
	vt_effect_fini(&e);
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_CLIPBOARD_SET);
	ck_assert_str_eq(e.data, "hello");
	ck_assert_str_eq(e.data2, "c");
	vt_effect_fini(&e);
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_PASSTHROUGH);
	ck_assert_str_eq(e.data, "\033[c");
	vt_effect_fini(&e);
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_PROGRESS);
	ck_assert_int_eq(e.b, 50);
	vt_effect_fini(&e);
	ck_assert(vt_term_next_effect(r.t, &e));
	ck_assert_int_eq(e.kind, VT_EFFECT_NOTIFY);
	vt_effect_fini(&e);
	ck_assert(!vt_term_next_effect(r.t, &e));
	rig_close(&r);
}
END_TEST

/* A program gets its replies even if the queue is full. */
START_TEST(replies_always_have_room)
{
	unsigned i, replies = 0, bells = 0, notes = 0;
	char reply[64];
	struct vt_effect e;
	struct rig r;

	rig_open(&r, 80, 24);
	for (i = 0; i < 1000; i++)
		say(&r, "\007");
	for (i = 0; i < 1000; i++) {
		snprintf(reply, sizeof(reply), "\033]9;%u\007\033[5n", i);
		say(&r, reply);
	}
	while (vt_term_next_effect(r.t, &e)) {
		if (e.kind == VT_EFFECT_REPLY)
			replies += (unsigned)e.len;
		else if (e.kind == VT_EFFECT_BELL)
			bells += (unsigned)e.a;
		else
			notes++;
		vt_effect_fini(&e);
	}
	ck_assert_uint_eq(replies, 4000);
	ck_assert_uint_eq(bells, 1000);
	ck_assert_uint_lt(notes, VT_EFFECTS_MAX);
	rig_close(&r);
}
END_TEST

START_TEST(hostile_numbers_take_bounded_time)
{
	static const char *const in[] = { "x\033[2147483648b",
		"\033[4294967295X", "\033[99999999I", "\033[2147483647S",
		"\033[2147483647T", "\033[2147483647L", "\033[2147483647M",
		"\033[2147483647@", "\033[2147483647P",
		"\033[?45h\033[?1045h\033[2147483647D", "\033[65535A",
		"\033[99999;99999H", "\033[1;1;99999;99999$z",
		"\033[65;1;1;99999;99999$x", "\033[1;1;99999;99999;1;5;5;1$v",
		"\033[65535'}", "\033[65535'~", "\033[1;99999r",
		"\033[2147483647Z" };
	struct rig r;
	size_t i;
	int k;

	rig_open(&r, 80, 24);
	for (i = 0; i < ARRAY_LEN(in); i++)
		say(&r, in[i]);
	for (k = 0; k < 65535; k++)
		vt_term_write(r.t, k == 0 ? "\033[1" : ";1", k == 0 ? 3 : 2);
	say(&r, "m");
	say(&r, "e");
	for (k = 0; k < 1000000; k++)
		vt_term_write(r.t, "\314\201", 2);
	say(&r, "x");
	rig_close(&r);
}
END_TEST

START_TEST(resize_between_any_bytes_keeps_the_screen_sound)
{
	static const char in[] =
	    "hello \344\270\200\344\272\214 \033[31mred\033[0m\r\n"
	    "\033[2;4r\033[?69h\033[3;7s\033[?6habcdefghij"
	    "\033[?1049h\033[2J\033[5;5Halt\033[?1049l"
	    "e\314\201\033]8;;http://x\033\\link\033]8;;\033\\\033[99b";
	static const unsigned sizes[][2] = { { 1, 1 }, { 200, 100 }, { 2, 5 },
		{ 80, 24 }, { 5, 2 }, { 10000, 1 }, { 3, 3 } };
	struct rig r;
	size_t i;

	rig_open(&r, 20, 6);
	for (i = 0; i < sizeof in - 1; i++) {
		vt_term_write(r.t, in + i, 1);
		vt_term_resize(r.t, sizes[i % ARRAY_LEN(sizes)][0],
		    sizes[i % ARRAY_LEN(sizes)][1]);
		ck_assert_pstr_eq(vt_term_check(r.t), NULL);
	}
	rig_close(&r);
}
END_TEST

START_TEST(the_largest_screen_costs_its_rows)
{
	struct rig r;

	rig_open(&r, VT_COLS_MAX, VT_ROWS_MAX);
	say(&r, "\033#8\033[?1049h\033#8\033[?1049l\033[2J");
	say(&r, "\033#8");
	ck_assert_ptr_eq(vt_grid_line(vt_term_grid(r.t), 0),
	    vt_grid_line(vt_term_grid(r.t), VT_ROWS_MAX - 1));
	rig_close(&r);
}
END_TEST

START_TEST(an_idle_terminal_is_small)
{
	struct rig r;

	rig_open(&r, 80, 24);
	say(&r, "\033]2;title\007\033[?1049h\033[?1049l\033[H\033[2J");
	ck_assert_uint_lt(vt_term_bytes(r.t), 8192);
	rig_close(&r);
}
END_TEST

/* Writes all visible and stored state of a terminal as text. */
static void
picture(struct rig *r, struct buf *out)
{
	struct vt_grid *g = vt_term_grid(r->t);
	const struct vt_frame_state *st = vt_term_state(r->t);
	unsigned y;

	buf_clear(out);
	for (y = 0; y < 4; y++)
		ck_assert_int_eq(vt_dump_raw(out, vt_grid_line(g, y)), 0);
	ck_assert_int_eq(vt_dump_rows(out, g, vt_grid_first(g), vt_grid_end(g),
			     VT_DUMP_JOIN | VT_DUMP_ANSI, NULL),
	    0);
	ck_assert_int_eq(buf_addf(out, "at %d %d", (int)st->x, (int)st->y), 0);
}

/* Returns a random number below N. */
static unsigned
draw(uint32_t *seed, unsigned n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

/* Pieces of random texts. */
static const char *const parts[] = { "\xc3\xa9t\xc3\xa9",
	"\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82",
	"\xe4\xbd\xa0\xe5\xa5\xbd\xe4\xb8\x96", "\xf0\x9f\x98\x80", "e\xcc\x81",
	"\xcc\x81", "\xe2\x94\x80\xe2\x94\x80\xe2\x94\xbc",
	"\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", "\xe2\x80\x8d",
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x9a\x80", "\xef\xb8\x8f",
	"\xd8\x80", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "\xed\x95\x9c", " ",
	"a", "logs of ASCII", "\r\n", "\b", "\t", "\x85", "\xc2\x85",
	"\xe4\xbd", "\xed\xa0\x80", "\xc0\x80", "\xe0\x80\x80",
	"\xf0\x80\x80\x80", "\xf5\x80\x80\x80", "\x7f", "\033[31m", "\033[44m",
	"\033[m", "\033[%uG", "\033[%u;%uH", "\033[?7l", "\033[?7h", "\033[4h",
	"\033[4l", "\033(0", "\033(B", "\033[?69h\033[3;%us", "\033[?69l",
	"\033[5b", "\033[2K", "\033[?2027l", "\033[?2027h", "\033[3X" };

/* TEXT has the same effect whole and byte by byte. */
static void
same_by_bytes(struct grapheme_table *gt, const struct buf *text, unsigned cols,
    struct buf *a, struct buf *b)
{
	struct rig whole, split;
	size_t k;

	rig_open_with(&whole, cols, 4, gt);
	rig_open_with(&split, cols, 4, gt);
	vt_term_write(whole.t, text->data, text->len);
	for (k = 0; k < text->len; k++)
		vt_term_write(split.t, text->data + k, 1);
	picture(&whole, a);
	picture(&split, b);
	ck_assert_str_eq(buf_cstr(a), buf_cstr(b));
	rig_leave(&whole);
	rig_leave(&split);
}

/*
 * Long text of many scripts takes a fast path, with the same effect as byte by
 * byte.
 */
START_TEST(quick_text_is_as_slow_text)
{
	struct grapheme_table *gt = grapheme_table_new(NULL);
	struct buf text, a, b;
	uint32_t seed = 20261121;
	unsigned round, i, cols;
	size_t k;

	buf_init(&text, 1 << 20);
	buf_init(&a, 8 << 20);
	buf_init(&b, 8 << 20);
	for (round = 0; round < unit_rounds(60); round++) {
		cols = 2 + draw(&seed, 40);
		buf_clear(&text);
		for (i = 0; i < 400; i++) {
			/* Text three times as often as anything else. */
			k = draw(&seed, 2) == 0 ? draw(&seed, 16)
						: draw(&seed, ARRAY_LEN(parts));
			if (strchr(parts[k], '%') == NULL)
				buf_add_str(&text, parts[k]);
			else if (strstr(parts[k], "%u;") != NULL)
				buf_addf(&text, "\033[%u;%uH", round % 5,
				    draw(&seed, 50));
			else if (parts[k][2] == '?')
				buf_addf(&text, "\033[?69h\033[3;%us",
				    draw(&seed, 50));
			else
				buf_addf(&text, "\033[%uG", draw(&seed, 50));
		}
		same_by_bytes(gt, &text, cols, &a, &b);
	}
	buf_fini(&text);
	buf_fini(&a);
	buf_fini(&b);
	grapheme_table_free(gt);
}
END_TEST

/*
 * Each piece has the same effect after a row that is full or nearly full.  A
 * full row has a pending wrap, which the next piece must treat correctly.
 */
START_TEST(what_follows_a_row_is_the_same)
{
	static const char *const fills[] = { "x", "\xc3\xa9", "\xe4\xbd\xa0",
		"\xf0\x9f\x98\x80" };
	struct grapheme_table *gt = grapheme_table_new(NULL);
	const unsigned cols = 6;
	struct buf text, a, b;
	unsigned i, f, n, k;

	buf_init(&text, 1 << 20);
	buf_init(&a, 8 << 20);
	buf_init(&b, 8 << 20);
	for (f = 0; f < ARRAY_LEN(fills); f++)
		for (n = cols - 2; n <= cols + 1; n++)
			for (i = 0; i < ARRAY_LEN(parts); i++) {
				if (strchr(parts[i], '%') != NULL)
					continue;
				buf_clear(&text);
				for (k = 0; k < n; k++)
					buf_add_str(&text, fills[f]);
				buf_add_str(&text, parts[i]);
				/* Long enough for the fast path. */
				for (k = 0; k < 10; k++)
					buf_add_str(&text, "\xc3\xa9 ");
				same_by_bytes(gt, &text, cols, &a, &b);
			}
	buf_fini(&text);
	buf_fini(&a);
	buf_fini(&b);
	grapheme_table_free(gt);
}
END_TEST

/* What the manual says is refused leaves the screen alone, and has no answer. */
START_TEST(what_is_refused_changes_nothing)
{
	static const struct {
		const char *seq;
		const char *example;
	} rows[] = {
#define X(seq, example, why) { seq, example },
#include "mux/vt/refused.def"
#undef X
	};
	static const char text[] = "one\r\n\033[31mtwo\033[5;20r\033[3;3H";
	struct vt_frame *before, *after;
	struct rig r;
	struct vt_effect e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		rig_open(&r, 80, 24);
		vt_term_write(r.t, text, sizeof text - 1);
		before = vt_term_frame(r.t, 0);
		vt_term_write(r.t, rows[i].example, strlen(rows[i].example));
		after = vt_term_frame(r.t, 0);
		ck_assert_msg(vt_frame_equal(before, after), "%s", rows[i].seq);
		ck_assert_msg(!vt_term_next_effect(r.t, &e), "%s: effect %d",
		    rows[i].seq, (int)e.kind);
		/* Nothing of it waits, either: text behind it is text. */
		vt_term_write(r.t, "\033[1;1Hx", 7);
		vt_frame_unref(after);
		after = vt_term_frame(r.t, 0);
		ck_assert_msg(vt_line_cell(after->lines[0], 0).ch == 'x' &&
				  after->state.x == 1,
		    "%s: unfinished", rows[i].seq);
		vt_frame_unref(before);
		vt_frame_unref(after);
		rig_close(&r);
	}
}
END_TEST

static void
count_row(void *arg, const char *family, const char *mnemonic,
    const char *sequence, const char *help)
{
	int *n = arg;

	ck_assert_str_ne(family, "");
	ck_assert_str_ne(mnemonic, "");
	ck_assert_str_ne(sequence, "");
	ck_assert_str_ne(help, "");
	(*n)++;
}

START_TEST(rows_have_names_and_help)
{
	int n = 0;

	vt_term_each_row(count_row, &n);
	ck_assert_int_gt(n, 200);
}
END_TEST

UNIT_SUITE(vt_term)
{
	Suite *s = suite_create("vt_term");
	TCase *tc = tcase_create("term");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, text_wraps_late_and_scrolls);
	tcase_add_test(tc, clusters_share_a_cell);
	tcase_add_test(tc, vs16_in_the_last_column_moves_down);
	tcase_add_test(tc, a_mark_after_a_move_never_bricks_the_line);
	tcase_add_test(tc, wide_in_the_last_column_wraps);
	tcase_add_test(tc, replies_are_correct_and_immediate);
	tcase_add_test(tc, effects_wait_in_order);
	tcase_add_test(tc, replies_always_have_room);
	tcase_add_test(tc, hostile_numbers_take_bounded_time);
	tcase_add_test(tc, resize_between_any_bytes_keeps_the_screen_sound);
	tcase_add_test(tc, the_largest_screen_costs_its_rows);
	tcase_add_test(tc, an_idle_terminal_is_small);
	tcase_add_test(tc, quick_text_is_as_slow_text);
	tcase_add_test(tc, what_follows_a_row_is_the_same);
	tcase_add_test(tc, what_is_refused_changes_nothing);
	tcase_add_test(tc, rows_have_names_and_help);
	suite_add_tcase(s, tc);
	return s;
}
