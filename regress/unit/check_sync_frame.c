#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/grapheme.h"
#include "base/mem.h"
#include "mux/sync/cells.h"
#include "mux/sync/frame.h"
#include "mux/sync/view.h"
#include "regress/chance.h"
#include "regress/unit/block_util.h"
#include "regress/unit/unit.h"

static uint64_t rng;
static struct grapheme_table *table;

static unsigned
roll(unsigned n)
{
	return chance_below(&rng, n);
}

static struct pen
random_pen(void)
{
	struct pen pen = { 0 };

	if (roll(3) == 0)
		pen.fg = colour_index(roll(256));
	if (roll(4) == 0)
		pen.bg = colour_rgb(roll(256), roll(256), roll(256));
	if (roll(6) == 0)
		pen.ul = colour_index(3);
	if (roll(3) == 0)
		pen.attrs = roll(0x1fff);
	return pen;
}

static const char *const words[] = {
	"hello",
	"the quick brown fox",
	"\xe4\xb8\x80\xe4\xba\x8c",
	"e\xcc\x81x",
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
	"======================",
	"~/src $ ",
};

static void
random_block(
    struct vt_frame *f, unsigned y, const char *text, const struct pen *pen)
{
	const struct vt_block b = { .scale = (uint8_t)(1 + roll(3)),
		.width = (uint8_t)(1 + roll(3)),
		.num = (uint8_t)roll(2),
		.den = 2,
		.valign = (uint8_t)roll(3) };
	struct vt_link *over = vt_link_new(text, strlen(text), "", 0);
	const unsigned x = roll(f->cols);

	if (block_util_fits(f, x, y, &b))
		block_util_put(f, x, y, &b, text, pen, roll(4) ? NULL : over);
	vt_link_unref(over);
}

/* Moves the columns LEFT..RIGHT-1 of F up by N rows. */
static void
scroll_part(struct vt_frame *f, unsigned left, unsigned right, unsigned n)
{
	struct vt_frame *was = vt_frame_clone(f);
	struct vt_rect r = { left, n, right, f->rows };

	vt_frame_blit(f, left, 0, was, &r);
	vt_frame_unref(was);
}

/* Applies one random change, of the kinds that programs make. */
static void
change_frame(struct vt_frame *f)
{
	struct vt_rect r;
	struct pen pen = random_pen();
	const char *w = words[roll(ARRAY_LEN(words))];
	struct vt_line *line;
	unsigned y, n;

	y = roll(f->rows);
	switch (roll(12)) {
	case 0: /* scroll up */
		n = 1 + roll(f->rows);
		for (y = 0; y + n < f->rows; y++) {
			vt_line_unref(NULL, f->lines[y]);
			f->lines[y] = vt_line_ref(f->lines[y + n]);
		}
		break;
	case 1:
		r = (struct vt_rect){ roll(f->cols), y, f->cols, f->rows };
		vt_frame_fill(f, &r, roll(2) ? &pen : NULL);
		break;
	case 2:
		vt_frame_repeat(
		    f, roll(f->cols), y, roll(f->cols), 0x2500, &pen);
		break;
	case 3:
		line = vt_frame_own(f, y);
		line->flags &= VT_LINE_BLOCKS | VT_LINE_SIZED;
		line->flags |= (uint16_t)roll(256);
		break;
	case 4:
		f->state.bells++;
		f->state.mouse_mode = (uint8_t)roll(5);
		f->state.modes = roll(1 << 20);
		vt_str_unref(f->state.title);
		f->state.title = vt_str_new(w, strlen(w));
		break;
	case 5:
		if (roll(4) == 0)
			vt_frame_resize(f, 1 + roll(120), 1 + roll(50));
		break;
	case 6:
		vt_palette_own(&f->state.palette)->rgb[roll(256)] =
		    roll(0xffffff);
		break;
	case 7:
		n = roll(f->cols);
		vt_line_put_tab(vt_frame_own(f, y), n,
		    1 + roll(MIN_OF(f->cols - n, 9U)), 0);
		break;
	case 8:
		random_block(f, y, w, &pen);
		break;
	case 9:
		n = roll(f->cols);
		scroll_part(f, n, n + 1 + roll(f->cols - n), roll(f->rows));
		break;
	default:
		vt_frame_text(
		    f, table, roll(f->cols), y, f->cols, w, strlen(w), &pen);
	}
	block_util_sized(f);
	f->state.x = (uint16_t)roll(f->cols);
	f->state.y = (uint16_t)roll(f->rows);
}

static void
assert_saves_alike(const struct vt_frame *a, const struct vt_frame *b)
{
	struct buf x, y;
	struct vt_frame *back;
	struct rd r;

	buf_init(&x, 1 << 22);
	buf_init(&y, 1 << 22);
	ck_assert_int_eq(sync_frame_diff(NULL, a, &x), 0);
	ck_assert_int_eq(sync_frame_diff(NULL, b, &y), 0);
	ck_assert_uint_eq(x.len, y.len);
	ck_assert_mem_eq(x.data, y.data, x.len);
	rd_init(&r, x.data, x.len);
	ck_assert_int_eq(sync_frame_apply(NULL, &r, &back), 0);
	ck_assert(vt_frame_equal(back, a));
	vt_frame_unref(back);
	buf_fini(&x);
	buf_fini(&y);
}

/* A difference with moves, too, makes NEW of OLD. */
static void
assert_moves_carry(const struct vt_frame *old, const struct vt_frame *new)
{
	struct vt_frame *got;
	struct buf b;
	struct rd r;

	buf_init(&b, 1 << 22);
	ck_assert_int_eq(sync_frame_diff_for(old, new, true, &b), 0);
	rd_init(&r, b.data, b.len);
	ck_assert_int_eq(sync_frame_apply(old, &r, &got), 0);
	ck_assert(vt_frame_check(got) == NULL);
	ck_assert(vt_frame_equal(got, new));
	assert_saves_alike(new, got);
	vt_frame_unref(got);
	buf_fini(&b);
}

START_TEST(any_change_is_carried_and_saved_alike)
{
	struct vt_frame *old, *new, *got;
	struct buf b;
	struct rd r;
	int i, n;

	rng = unit_seed(7);
	table = grapheme_table_new(NULL);
	buf_init(&b, 1 << 22);
	old = vt_frame_new(80, 24);
	for (i = 0; i < (int)unit_rounds(4000); i++) {
		new = vt_frame_clone(old);
		for (n = (int)roll(4); n >= 0; n--)
			change_frame(new);
		ck_assert_msg(
		    vt_frame_check(new) == NULL, "%s", vt_frame_check(new));
		buf_clear(&b);
		ck_assert_int_eq(sync_frame_diff(old, new, &b), 0);
		if (b.len == 0) {
			ck_assert(vt_frame_equal(old, new));
			vt_frame_unref(new);
			continue;
		}
		rd_init(&r, b.data, b.len);
		ck_assert_int_eq(sync_frame_apply(old, &r, &got), 0);
		ck_assert_msg(
		    vt_frame_check(got) == NULL, "%s", vt_frame_check(got));
		ck_assert_msg(vt_frame_equal(got, new), "step %d", i);
		assert_moves_carry(old, new);
		if (i % 8 == 0)
			assert_saves_alike(new, got);
		vt_frame_unref(old);
		/* Continue from the other side's result. */
		old = got;
		vt_frame_unref(new);
	}
	vt_frame_unref(old);
	buf_fini(&b);
	grapheme_table_free(table);
}
END_TEST

/* A line that has one style twice is encoded like one that does not. */
START_TEST(a_style_held_twice_is_one_style)
{
	struct vt_frame *f = vt_frame_new(30, 2), *back;
	struct vt_line *l = vt_frame_own(f, 0);
	struct pen pen = { .fg = colour_index(2) };
	struct buf x, y;
	struct rd r;
	unsigned i, style, twin;

	style = vt_line_style(NULL, l, &pen, NULL);
	vt_line_put(l, 29, 'x', VT_NARROW, 0);
	for (i = 0; i < 20; i++)
		vt_line_put(l, i, '|', VT_NARROW, style);
	pen.fg = colour_index(3);
	twin = vt_line_style(NULL, l, &pen, NULL);
	ck_assert_uint_ne(style, twin);
	l->styles[twin] = l->styles[style];
	for (i = 7; i < 15; i++)
		l->cells[i].style = (uint16_t)twin;
	buf_init(&x, 4096);
	buf_init(&y, 4096);
	ck_assert_int_eq(sync_frame_diff(NULL, f, &x), 0);
	rd_init(&r, x.data, x.len);
	ck_assert_int_eq(sync_frame_apply(NULL, &r, &back), 0);
	ck_assert(vt_frame_equal(f, back));
	ck_assert_int_eq(sync_frame_diff(NULL, back, &y), 0);
	ck_assert_uint_eq(x.len, y.len);
	ck_assert_int_eq(memcmp(x.data, y.data, x.len), 0);
	buf_fini(&x);
	buf_fini(&y);
	vt_frame_unref(f);
	vt_frame_unref(back);
}
END_TEST

/* Codes shorten more than four equal cells, whatever table rows they have. */
START_TEST(runs_of_ascii_are_encoded_as_cell_by_cell)
{
	static const struct {
		const char *text; /* '^': an equal style follows, '~': red */
		const char *bytes;
	} rows[] = {
		{ "", "\t" },
		{ "abc", "abc\t" },
		{ "aaaa", "aaaa\t" },
		{ "aaaaa", "a\a\4\t" },
		{ "xaaaaaa", "xa\a\5\t" },
		{ "aaaaaab", "a\a\5b\t" },
		{ "ab  cc     d", "ab  cc \a\4d\t" },
		{ "aa^aaab", "a\a\4b\t" },
		{ "aa~aaab", "aa\4\1\1\1aaab\t" },
		{ "ab^cd~ef", "abcd\4\1\1\1ef\t" },
		{ "a\377\377\377\377\377b", "a\303\277\a\4b\t" },
	};
	const struct pen red = { .fg = colour_index(1) };
	struct vt_line *l;
	struct buf b;
	unsigned style, twin, tone, col;
	const char *c;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		l = vt_line_new(NULL);
		tone = vt_line_style(NULL, l, &red, NULL);
		for (c = rows[i].text, col = 0; *c != '\0'; c++)
			if (*c != '~' && *c != '^')
				vt_line_put(
				    l, col++, (uint8_t)*c, VT_NARROW, 0);
		twin = vt_line_style(
		    NULL, l, &(struct pen){ .fg = colour_index(2) }, NULL);
		l->styles[twin] = l->styles[0];
		style = 0;
		for (c = rows[i].text, col = 0; *c != '\0'; c++)
			if (*c == '~')
				style = tone;
			else if (*c == '^')
				style = twin;
			else
				l->cells[col++].style = (uint16_t)style;
		buf_init(&b, 64);
		sync_cells_put(&b, l, 0, col, true);
		ck_assert_msg(strcmp(buf_cstr(&b), rows[i].bytes) == 0,
		    "row %zu: %s", i, buf_cstr(&b));
		buf_fini(&b);
		vt_line_unref(NULL, l);
	}
}
END_TEST

START_TEST(an_echo_and_a_scroll_cost_few_bytes)
{
	struct vt_frame *a, *c;
	struct pen pen = { 0 };
	struct buf b;
	unsigned y;
	char text[64];

	table = grapheme_table_new(NULL);
	buf_init(&b, 65536);
	a = vt_frame_new(80, 24);
	for (y = 0; y < 24; y++) {
		snprintf(text, sizeof(text), "line %u of a page of text", y);
		vt_frame_text(a, table, 0, y, 80, text, strlen(text), &pen);
	}
	c = vt_frame_clone(a);
	vt_frame_text(c, table, 40, 5, 80, "x", 1, &pen);
	c->state.x = 41;
	c->state.y = 5;
	ck_assert_int_eq(sync_frame_diff(a, c, &b), 0);
	ck_assert_uint_le(b.len, 10);
	vt_frame_unref(c);
	c = vt_frame_clone(a);
	for (y = 0; y + 1 < 24; y++) {
		vt_line_unref(NULL, c->lines[y]);
		c->lines[y] = vt_line_ref(c->lines[y + 1]);
	}
	buf_clear(&b);
	ck_assert_int_eq(sync_frame_diff(a, c, &b), 0);
	ck_assert_uint_le(b.len, 10);
	vt_frame_unref(c);
	vt_frame_unref(a);
	buf_fini(&b);
	grapheme_table_free(table);
}
END_TEST

/* A hostile server cannot put a control character into a cell. */
/* Returns a frame like two windows of an editor, side by side with a bar between. */
static struct vt_frame *
two_windows(unsigned cols, unsigned rows)
{
	struct vt_frame *f = vt_frame_new(cols, rows);
	struct pen pen = { .fg = COLOUR_DEFAULT };
	unsigned x, y;
	char c[2] = "";

	for (y = 0; y < rows; y++)
		for (x = 0; x < cols; x++) {
			c[0] = x == cols / 2  ? '|'
			       : roll(6) == 0 ? ' '
					      : (char)('a' + roll(26));
			pen.fg =
			    x % 16 < 4 ? colour_index(roll(3)) : COLOUR_DEFAULT;
			vt_frame_text(f, table, x, y, cols, c, 1, &pen);
		}
	return f;
}

START_TEST(a_part_that_scrolls_costs_few_bytes)
{
	struct vt_frame *old, *new;
	unsigned n, up;
	struct buf b;

	rng = unit_seed(71);
	table = grapheme_table_new(NULL);
	buf_init(&b, 1 << 20);
	old = two_windows(120, 40);
	for (n = 1; n < 36; n++)
		for (up = 0; up < 2; up++) {
			new = vt_frame_clone(old);
			scroll_part(new, 0, 60, n);
			buf_clear(&b);
			ck_assert_int_eq(
			    up ? sync_frame_diff_for(old, new, true, &b)
			       : sync_frame_diff_for(new, old, true, &b),
			    0);
			/* Back, N rows are new: 60 columns with colours. */
			ck_assert_uint_le(b.len, up ? 8 : 12 + n * 150);
			assert_moves_carry(old, new);
			assert_moves_carry(new, old);
			vt_frame_unref(new);
		}
	/* Both windows, by different numbers of rows. */
	new = vt_frame_clone(old);
	scroll_part(new, 0, 60, 3);
	scroll_part(new, 61, 120, 5);
	buf_clear(&b);
	ck_assert_int_eq(sync_frame_diff_for(old, new, true, &b), 0);
	assert_moves_carry(old, new);
	vt_frame_unref(new);
	vt_frame_unref(old);
	buf_fini(&b);
	grapheme_table_free(table);
}
END_TEST

/* Returns what the difference with N moves of these five numbers gives. */
static int
apply_moves(const uint8_t *five, unsigned n)
{
	struct vt_frame *old = vt_frame_new(80, 24), *got = NULL;
	struct buf b;
	struct rd r;
	size_t i;
	int err;

	buf_init(&b, 1 << 20);
	(void)buf_add_u8(&b, 0);
	for (; n > 0; n--) {
		(void)buf_add_u8(&b, 4);
		for (i = 0; i < 5; i++)
			sync_put_varint(&b, five[i]);
	}
	rd_init(&r, b.data, b.len);
	err = sync_frame_apply(old, &r, &got);
	vt_frame_unref(got);
	vt_frame_unref(old);
	buf_fini(&b);
	return err;
}

START_TEST(bad_moves_are_refused)
{
	static const uint8_t good[] = { 1, 0, 23, 0, 80 };
	static const uint8_t bad[][5] = { { 24, 0, 1, 0, 80 },
		{ 0, 24, 1, 0, 80 }, { 2, 0, 23, 0, 80 }, { 0, 2, 23, 0, 80 },
		{ 0, 0, 24, 80, 1 }, { 0, 0, 24, 1, 80 } };
	size_t i;

	ck_assert_int_eq(apply_moves(good, 1), 0);
	ck_assert_int_eq(apply_moves(good, 4), 0);
	/* More than four times the screen. */
	ck_assert_int_eq(apply_moves(good, 5), -ERR_PEER);
	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_int_eq(apply_moves(bad[i], 1), -ERR_PEER);
}
END_TEST

START_TEST(cells_have_no_control_characters)
{
	static const struct {
		const char *bytes;
		size_t len;
		bool good;
	} rows[] = {
		{ "a\0", 2, true },
		{ "\x7f\0", 2, false },
		{ "\xc2\x80\0", 3, false },
		{ "\xc2\x9b\0", 3, false },
		{ "\xc2\xa0\0", 3, true },
		{ "\x0a\x1b\0", 3, false },
		{ "\x03\x03"
		  "e\xcc\x81\0",
		    6, true },
		{ "\x03\x02"
		  "e\x1b\0",
		    5, false },
		{ "\x03\x03"
		  "e\xc2\x9d\0",
		    6, false },
		{ "\x03\x02"
		  "e\x7f\0",
		    5, false },
		{ "\x03\x02"
		  "e\0\0",
		    5, false },
	};
	struct vt_line *line;
	struct rd r;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		line = vt_line_new(NULL);
		rd_init(&r, rows[i].bytes, rows[i].len);
		err = sync_cells_get(&r, line, 0, 10);
		ck_assert_msg((err == 0) == rows[i].good, "row %zu", i);
		vt_line_unref(NULL, line);
	}
}
END_TEST

/* The example of doc/PROTOCOL.md. */
static const uint8_t block_bytes[] = { 0x04, 0x24, 0x01, 0x04, 0x02, 0x01, 0x12,
	0x20, 0x00, 0x00, 0x01, 'A', 'A', 0x06, 0x01, 0x05, 'x', 0x00 };

START_TEST(blocks_have_their_bytes)
{
	const struct vt_block b = {
		.scale = 2, .width = 1, .num = 1, .den = 2, .valign = 2
	};
	struct vt_frame *f = vt_frame_new(10, 2);
	struct pen pen = { .ul = colour_index(4) };
	struct vt_line *got = vt_line_new(NULL);
	struct buf out;
	struct rd r;
	size_t i;

	block_util_put(f, 0, 0, &b, "A", &pen, NULL);
	vt_line_put(f->lines[0], 2, 'x', VT_NARROW, 0);
	buf_init(&out, 4096);
	sync_cells_put(&out, f->lines[0], 0, 3, false);
	ck_assert_uint_eq(out.len, sizeof(block_bytes));
	ck_assert_mem_eq(out.data, block_bytes, out.len);
	rd_init(&r, out.data, out.len);
	ck_assert_int_eq(sync_cells_get(&r, got, 0, 10), 0);
	got->flags |= VT_LINE_SIZED;
	ck_assert(vt_line_equal(got, f->lines[0]));
	/* A part of it says where it begins. */
	buf_clear(&out);
	sync_cells_put(&out, f->lines[1], 1, 2, false);
	vt_line_reset(NULL, got);
	rd_init(&r, out.data, out.len);
	ck_assert_int_eq(sync_cells_get(&r, got, 1, 10), 0);
	ck_assert_uint_eq(got->cells[1].flags, 2);
	ck_assert_uint_eq(vt_line_block(got, 1)->block.row, 1);
	/* A reader that does not know blocks gets none. */
	f->lines[0]->flags &= (uint16_t)~VT_LINE_SIZED;
	buf_clear(&out);
	sync_cells_put(&out, f->lines[0], 0, 3, false);
	for (i = 0; i + 1 < out.len; i++)
		ck_assert(out.data[i] != 0x04 || (out.data[i + 1] & 0x20) == 0);
	vt_line_reset(NULL, got);
	rd_init(&r, out.data, out.len);
	ck_assert_int_eq(sync_cells_get(&r, got, 0, 10), 0);
	ck_assert_uint_eq(got->flags, 0);
	buf_fini(&out);
	vt_line_unref(NULL, got);
	vt_frame_unref(f);
}
END_TEST

START_TEST(bad_blocks_are_refused)
{
	static const struct {
		uint8_t at;
		uint8_t value;
	} bad[] = {
		{ 1, 0x64 },  /* a bit that is not known */
		{ 4, 0 },     /* no rows */
		{ 4, 8 },     /* too many */
		{ 5, 0 },     /* no columns */
		{ 5, 8 },     /* too many */
		{ 7, 0x30 },  /* alignment */
		{ 7, 0x03 },  /* alignment */
		{ 8, 2 },     /* a row below it */
		{ 9, 2 },     /* a column beside it */
		{ 10, 0 },    /* no text */
		{ 10, 0x3f }, /* more than there is */
		{ 11, 0x1b }, /* a control character */
		{ 11, 0xff }, /* no UTF-8 */
	};
	uint8_t bytes[sizeof(block_bytes)];
	struct vt_line *line;
	struct rd r;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		memcpy(bytes, block_bytes, sizeof(bytes));
		bytes[bad[i].at] = bad[i].value;
		line = vt_line_new(NULL);
		rd_init(&r, bytes, sizeof(bytes));
		ck_assert_msg(
		    sync_cells_get(&r, line, 0, 10) != 0, "row %zu", i);
		ck_assert_ptr_null(vt_line_check(line));
		vt_line_unref(NULL, line);
	}
}
END_TEST

START_TEST(flipped_bytes_give_a_sound_frame_or_an_error)
{
	struct vt_frame *a, *c, *got;
	struct buf b;
	struct rd r;
	size_t i;
	int bit, n;

	rng = unit_seed(9);
	table = grapheme_table_new(NULL);
	buf_init(&b, 1 << 20);
	a = vt_frame_new(40, 8);
	for (n = 0; n < 20; n++)
		change_frame(a);
	c = vt_frame_clone(a);
	for (n = 0; n < 6; n++)
		change_frame(c);
	ck_assert_int_eq(sync_frame_diff(a, c, &b), 0);
	for (i = 0; i < b.len; i++)
		for (bit = 0; bit < 8; bit++) {
			b.data[i] ^= (uint8_t)(1 << bit);
			rd_init(&r, b.data, b.len);
			if (sync_frame_apply(a, &r, &got) == 0) {
				ck_assert_msg(vt_frame_check(got) == NULL, "%s",
				    vt_frame_check(got));
				vt_frame_unref(got);
			} else
				ck_assert_ptr_null(got);
			b.data[i] ^= (uint8_t)(1 << bit);
		}
	vt_frame_unref(a);
	vt_frame_unref(c);
	buf_fini(&b);
	grapheme_table_free(table);
}
END_TEST

/* --- views ------------------------------------------------------------------ */

static void
change_view(struct sync_view *v)
{
	struct vt_frame *f;
	char data[64];
	size_t i;

	memset(data, 'd', sizeof(data));
	switch (roll(9)) {
	case 0:
		f = vt_frame_new(1 + roll(80), 1 + roll(24));
		change_frame(f);
		if (v->nsurfaces < 9)
			sync_view_add(v, roll(1000000),
			    (enum sync_surface_kind)roll(3), (int)roll(80) - 9,
			    (int)roll(24), f);
		vt_frame_unref(f);
		break;
	case 1:
		if (roll(5) == 0)
			sync_view_clear(v);
		break;
	case 2:
		ck_assert_int_eq(
		    sync_view_effect(v, (enum sync_effect_kind)(1 + roll(6)),
			data, roll(64)),
		    0);
		break;
	case 3:
		v->tty.mouse = (uint8_t)roll(5);
		v->tty.flags = roll(16);
		v->tty.escape_ms = roll(20);
		vt_str_unref(v->tty.caps);
		v->tty.caps = vt_str_new(data, roll(2) * roll(64));
		vt_str_unref(v->tty.keys);
		v->tty.keys = vt_str_new(data, roll(2) * roll(64));
		vt_str_unref(v->tty.title);
		v->tty.title = vt_str_new(data, roll(64));
		break;
	case 4:
		v->cols = (uint16_t)(1 + roll(200));
		v->focus = roll(10);
		v->echo_ack += roll(10);
		v->pasted += roll(10);
		break;
	case 5:
		v->nkeys = roll(4);
		for (i = 0; i < v->nkeys; i++)
			v->keys[i] = 'a' + i;
		break;
	case 6:
		sync_prompt_unref(v->prompt);
		v->prompt = NULL;
		if (roll(4) == 0)
			break;
		i = roll(64);
		v->prompt = sync_prompt_new(&(struct sync_prompt){
		    .surface = roll(100),
		    .seen = roll(1000),
		    .x = (uint16_t)roll(300),
		    .at = roll((unsigned)i + 1),
		    .text = vt_str_new(data, i),
		    .separators = vt_str_new(data, roll(3)),
		});
		break;
	case 7:
		vt_str_unref(v->setup);
		v->setup = vt_str_new(data, roll(64));
		sync_copy_unref(v->copy);
		v->copy = NULL;
		if (roll(4) == 0)
			break;
		/* Mostly the pane's picture with changes, as at the start. */
		i = roll((unsigned)v->nsurfaces + 1);
		f = i < v->nsurfaces ? vt_frame_clone(v->surfaces[i].frame)
				     : vt_frame_new(1 + roll(80), 1 + roll(24));
		if (roll(2) == 0)
			change_frame(f);
		v->copy = sync_copy_new(&(struct sync_copy){
		    .surface = i < v->nsurfaces ? v->surfaces[i].id : 7,
		    .seen = roll(1000),
		    .state = vt_str_new(data, roll(64)),
		    .screen = f,
		});
		break;
	default:
		if (v->nsurfaces == 0)
			break;
		i = roll((unsigned)v->nsurfaces);
		f = vt_frame_clone(v->surfaces[i].frame);
		change_frame(f);
		vt_frame_unref(v->surfaces[i].frame);
		v->surfaces[i].frame = f;
		v->surfaces[i].x += roll(20) == 0;
	}
}

START_TEST(views_are_carried_whole_and_by_difference)
{
	const struct ssp_object_ops *ops = &sync_view_ops;
	struct sync_view *a = sync_view_new(80, 24), *peer, *c, *whole;
	struct buf b, s1, s2;
	int i, n;

	rng = unit_seed(11);
	table = grapheme_table_new(NULL);
	buf_init(&b, 1 << 22);
	buf_init(&s1, 1 << 22);
	buf_init(&s2, 1 << 22);
	peer = ops->clone(a);
	for (i = 0; i < (int)unit_rounds(3000); i++) {
		c = ops->clone(a);
		for (n = (int)roll(5); n >= 0; n--)
			change_view(c);
		buf_clear(&b);
		ck_assert_int_eq(ops->diff(a, c, &b), 0);
		ck_assert(ops->equal(a, c) == (b.len == 0));
		ck_assert_int_eq(ops->apply(peer, b.data, b.len), 0);
		ck_assert_msg(ops->equal(peer, c), "step %d", i);
		buf_clear(&s1);
		buf_clear(&s2);
		ck_assert_int_eq(ops->save(c, &s1), 0);
		ck_assert_int_eq(ops->save(peer, &s2), 0);
		ck_assert_uint_eq(s1.len, s2.len);
		ck_assert_mem_eq(s1.data, s2.data, s1.len);
		whole = sync_view_new(3, 3);
		ck_assert_int_eq(ops->load(whole, s1.data, s1.len), 0);
		ck_assert(ops->equal(whole, c));
		ops->free(whole);
		ops->free(a);
		a = c;
	}
	ops->free(a);
	ops->free(peer);
	buf_fini(&b);
	buf_fini(&s1);
	buf_fini(&s2);
	grapheme_table_free(table);
}
END_TEST

/*
 * A pane larger than a peer accepts: its upper rows are sent, and it is
 * counted.
 */
START_TEST(what_is_too_large_for_a_peer_is_clipped)
{
	const struct ssp_object_ops *ops = &sync_view_ops;
	struct sync_view *v = sync_view_new(80, 24), *peer, *empty;
	struct vt_frame *f = vt_frame_new(10000, 1000);
	struct buf b;

	buf_init(&b, 1 << 22);
	f->state.y = 900;
	vt_line_put(vt_frame_own(f, 3), 7, 'x', VT_NARROW, 0);
	sync_view_add(v, 1, SYNC_SURFACE_PANE, 0, 0, f);
	ck_assert_uint_eq(v->clipped, 1);
	vt_frame_unref(f);
	f = v->surfaces[0].frame;
	ck_assert_uint_le(f->cols * f->rows, SYNC_FRAME_CELLS_MAX);
	ck_assert_uint_eq(f->cols, 10000);
	ck_assert_uint_ge(f->rows, 400);
	ck_assert((f->state.modes & VT_FRAME_CURSOR_VISIBLE) == 0);
	empty = sync_view_new(80, 24);
	peer = sync_view_new(80, 24);
	ck_assert_int_eq(ops->diff(empty, v, &b), 0);
	ck_assert_int_eq(ops->apply(peer, b.data, b.len), 0);
	ck_assert(ops->equal(peer, v));
	sync_view_clear(v);
	ck_assert_uint_eq(v->clipped, 0);
	ops->free(v);
	ops->free(peer);
	ops->free(empty);
	buf_fini(&b);
}
END_TEST

START_TEST(a_bad_view_difference_changes_nothing)
{
	const struct ssp_object_ops *ops = &sync_view_ops;
	struct sync_view *a = sync_view_new(80, 24), *c, *before;
	struct buf b;
	size_t i;
	int n, bit;

	rng = unit_seed(12);
	table = grapheme_table_new(NULL);
	buf_init(&b, 1 << 22);
	for (n = 0; n < 30; n++)
		change_view(a);
	c = ops->clone(a);
	for (n = 0; n < 10; n++)
		change_view(c);
	ck_assert_int_eq(ops->diff(a, c, &b), 0);
	before = ops->clone(a);
	for (i = 0; i < b.len; i++)
		for (bit = 0; bit < 8; bit += 3) {
			struct sync_view *t = ops->clone(a);

			b.data[i] ^= (uint8_t)(1 << bit);
			if (ops->apply(t, b.data, b.len) != 0)
				ck_assert(ops->equal(t, before));
			b.data[i] ^= (uint8_t)(1 << bit);
			ops->free(t);
		}
	ck_assert(ops->equal(a, before));
	ops->free(a);
	ops->free(c);
	ops->free(before);
	buf_fini(&b);
	grapheme_table_free(table);
}
END_TEST

/* The cached bytes of shared frames equal computed ones, for every pair. */
START_TEST(shared_frames_give_the_same_bytes)
{
	struct vt_frame *f[8], *plain[8];
	struct buf a, b;
	size_t i, j, k, n = ARRAY_LEN(f);

	rng = 4711;
	table = grapheme_table_new(NULL);
	buf_init(&a, 1 << 20);
	buf_init(&b, 1 << 20);
	f[0] = vt_frame_new(40, 12);
	for (i = 0; i < n; i++) {
		if (i > 0)
			f[i] = vt_frame_clone(f[i - 1]);
		for (j = 0; i > 0 && i != 5 && j < 3; j++)
			change_frame(f[i]);
		plain[i] = vt_frame_clone(f[i]);
		vt_frame_share(f[i]);
	}
	for (k = 0; k < 2000; k++) {
		i = roll((unsigned)n);
		j = roll((unsigned)n);
		buf_clear(&a);
		buf_clear(&b);
		if (roll(4) == 0) {
			ck_assert_int_eq(sync_frame_diff(NULL, f[i], &a), 0);
			ck_assert_int_eq(
			    sync_frame_diff(NULL, plain[i], &b), 0);
		} else {
			ck_assert_int_eq(sync_frame_diff(f[j], f[i], &a), 0);
			ck_assert_int_eq(
			    sync_frame_diff(plain[j], plain[i], &b), 0);
		}
		ck_assert_uint_eq(a.len, b.len);
		if (a.len > 0)
			ck_assert_mem_eq(a.data, b.data, a.len);
	}
	/* The caches keep no frame alive once the other references are gone. */
	for (i = 0; i < n; i++) {
		vt_frame_unref(f[i]);
		vt_frame_unref(plain[i]);
	}
	grapheme_table_free(table);
	buf_fini(&a);
	buf_fini(&b);
}
END_TEST

UNIT_SUITE(sync_frame)
{
	Suite *s = suite_create("sync_frame");
	TCase *tc = tcase_create("frame");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, shared_frames_give_the_same_bytes);
	tcase_add_test(tc, any_change_is_carried_and_saved_alike);
	tcase_add_test(tc, a_style_held_twice_is_one_style);
	tcase_add_test(tc, runs_of_ascii_are_encoded_as_cell_by_cell);
	tcase_add_test(tc, an_echo_and_a_scroll_cost_few_bytes);
	tcase_add_test(tc, a_part_that_scrolls_costs_few_bytes);
	tcase_add_test(tc, bad_moves_are_refused);
	tcase_add_test(tc, cells_have_no_control_characters);
	tcase_add_test(tc, blocks_have_their_bytes);
	tcase_add_test(tc, bad_blocks_are_refused);
	tcase_add_test(tc, flipped_bytes_give_a_sound_frame_or_an_error);
	tcase_add_test(tc, views_are_carried_whole_and_by_difference);
	tcase_add_test(tc, a_bad_view_difference_changes_nothing);
	tcase_add_test(tc, what_is_too_large_for_a_peer_is_clipped);
	suite_add_tcase(s, tc);
	return s;
}
