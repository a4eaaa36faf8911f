#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "client/compose.h"
#include "client/term/out.h"
#include "mux/vt/pointer.h"
#include "mux/vt/pool.h"
#include "mux/vt/show.h"
#include "mux/vt/term.h"
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

static const char *const words[] = {
	"hello",
	"the quick brown fox jumps",
	"\xe4\xb8\x80\xe4\xba\x8c\xe4\xb8\x89",
	"e\xcc\x81x",
	"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7",
	"==========================",
	"                    ",
};

/* Gives row Y of F double size, with pairs of columns, or takes it away. */
static void
change_double(struct vt_frame *f, unsigned y)
{
	static const uint16_t kinds[] = { VT_LINE_DOUBLE_WIDTH,
		VT_LINE_DOUBLE_WIDTH | VT_LINE_DOUBLE_TOP,
		VT_LINE_DOUBLE_WIDTH | VT_LINE_DOUBLE_BOTTOM, 0 };
	struct vt_line *line = vt_frame_own(f, y);

	line->flags = kinds[roll(ARRAY_LEN(kinds))];
	if (line->flags == 0)
		return;
	f->lines[y] = vt_show_pairs(line, f->cols, true);
	vt_line_unref(NULL, line);
}

static void
change_block(struct vt_frame *f, unsigned y, const struct pen *pen)
{
	const bool part = roll(2) != 0;
	const struct vt_block b = { .scale = (uint8_t)(1 + roll(3)),
		.width = (uint8_t)(1 + roll(2)),
		.num = part,
		.den = part ? 3 : 0,
		.halign = part ? 2 : 0 };
	const unsigned x = roll(f->cols);
	/* One letter in one cell needs no block. */
	const char *text = roll(2) || b.scale * b.width == 1 ? "ab" : "c";
	struct vt_link *over = vt_link_new("u", 1, "", 0);

	if (block_util_fits(f, x, y, &b))
		block_util_put(f, x, y, &b, text, pen, roll(3) ? NULL : over);
	vt_link_unref(over);
}

static void
change(struct vt_frame *f, bool colours)
{
	struct pen pen = { 0 };
	struct vt_rect r;
	const char *w = words[roll(ARRAY_LEN(words))];
	unsigned y = roll(f->rows), n, x;

	if (roll(2) == 0)
		pen.fg = colour_index(roll(colours ? 256 : 8));
	if (roll(3) == 0)
		pen.bg = colours ? colour_rgb(roll(256), 7, 9)
				 : colour_index(roll(8));
	if (roll(3) == 0)
		pen.attrs = roll(8) | (roll(3) << PEN_UL_SHIFT);
	switch (roll(10)) {
	case 7:
		if ((f->lines[y]->flags & VT_LINE_BLOCKS) == 0)
			change_double(f, y);
		break;
	case 8:
	case 9:
		change_block(f, y, &pen);
		break;
	case 0:
		n = 1 + roll(f->rows);
		for (; y + n < f->rows; y++) {
			vt_line_unref(NULL, f->lines[y]);
			f->lines[y] = vt_line_ref(f->lines[y + n]);
		}
		break;
	case 1:
		n = 1 + roll(4);
		for (y = f->rows - 1; y >= n; y--) {
			vt_line_unref(NULL, f->lines[y]);
			f->lines[y] = vt_line_ref(f->lines[y - n]);
		}
		break;
	case 2:
		x = roll(f->cols);
		r = (struct vt_rect){ x, y, x + 1 + roll(f->cols - x),
			y + 1 + roll(f->rows - y) };
		vt_frame_fill(f, &r, roll(2) ? &pen : NULL);
		break;
	default:
		vt_frame_text(
		    f, table, roll(f->cols), y, f->cols, w, strlen(w), &pen);
	}
	f->state.x = (uint16_t)roll(f->cols);
	f->state.y = (uint16_t)roll(f->rows);
	f->state.cursor_shape = (uint8_t)roll(4);
	f->state.modes ^= roll(4);
}

/* Compares what the user sees: text and pens, blanks as spaces. */
static void
assert_shows(const struct vt_frame *want, const struct vt_frame *got, int step)
{
	char a[VT_CLUSTER_MAX + 1], b[VT_CLUSTER_MAX + 1];
	unsigned x, y;
	struct vt_cell c;

	for (y = 0; y < want->rows; y++)
		for (x = 0; x < want->cols; x++) {
			c = vt_line_cell(want->lines[y], x);
			if (c.width == VT_TAIL || c.width == VT_PAD)
				continue;
			vt_line_text(want->lines[y], x, a);
			vt_line_text(got->lines[y], x, b);
			ck_assert_msg(strcmp(a, b) == 0,
			    "step %d row %u col %u: [%s] is shown as [%s]",
			    step, y, x, a, b);
			if (c.ch != 0 && c.ch != ' ')
				ck_assert_msg(
				    pen_equal(vt_line_pen(want->lines[y], x),
					vt_line_pen(got->lines[y], x)),
				    "step %d row %u col %u: pen", step, y, x);
			else
				ck_assert_msg(
				    vt_line_pen(want->lines[y], x)->bg ==
					vt_line_pen(got->lines[y], x)->bg,
				    "step %d row %u col %u: background", step,
				    y, x);
		}
	ck_assert_uint_eq(want->state.x, got->state.x);
	ck_assert_uint_eq(want->state.y, got->state.y);
	ck_assert_uint_eq(
	    (want->state.modes ^ got->state.modes) & VT_FRAME_CURSOR_VISIBLE,
	    0);
}

/* Compares the blocks; a terminal without them shows plain text. */
static void
assert_blocks(const struct vt_frame *want, const struct vt_frame *got, int step)
{
	const struct vt_link *a, *b;
	unsigned x, y;

	for (y = 0; y < want->rows; y++)
		for (x = 0; x < want->cols; x++) {
			a = vt_line_block(want->lines[y], x);
			b = vt_line_block(got->lines[y], x);
			ck_assert_msg((a == NULL) == (b == NULL) &&
					  (a == NULL || vt_link_equal(a, b)),
			    "step %d row %u col %u: block [%s] is shown as "
			    "[%s]",
			    step, y, x, a == NULL ? "" : vt_link_uri(a),
			    b == NULL ? "" : vt_link_uri(b));
		}
}

/* Shows rows of double size as pairs; their cursor has an even column. */
static void
pair_rows(struct vt_frame *want, struct vt_frame *got)
{
	struct vt_line *line;
	unsigned y;

	for (y = 0; y < got->rows; y++) {
		line = got->lines[y];
		if ((line->flags & VT_LINE_DOUBLE_WIDTH) == 0)
			continue;
		ck_assert_uint_eq(
		    want->lines[y]->flags & VT_LINE_DOUBLE, line->flags);
		got->lines[y] = vt_show_pairs(line, got->cols, true);
		vt_line_unref(NULL, line);
		if (got->state.y != y)
			continue;
		got->state.x *= 2;
		want->state.x &= (uint16_t)~1;
	}
}

static void
paint_random(term_caps caps, unsigned long seed, bool colours)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_term_options opt = {
		.pool = pool,
		.graphemes = table,
		.cols = 60,
		.rows = 14,
	};
	struct vt_term *t = vt_term_new(&opt);
	struct term_out *o = term_out_new(caps, 60, 14);
	struct vt_frame *f = vt_frame_new(60, 14), *next, *got, *want;
	struct buf *out = term_out_pending(o);
	int i, n;

	rng = seed;
	term_out_start(o);
	for (i = 0; i < (int)unit_rounds(1500); i++) {
		next = vt_frame_clone(f);
		for (n = (int)roll(4); n >= 0; n--)
			change(next, colours);
		vt_frame_unref(f);
		f = next;
		if (roll(50) == 0)
			term_out_forget(o);
		term_out_paint(o, f);
		vt_term_write(t, out->data, out->len);
		buf_clear(out);
		got = vt_term_frame(t, 0);
		want = vt_frame_clone(f);
		(void)vt_block_settle(NULL, want->lines, want->rows,
		    (caps & TERM_CAP(TEXTSIZE)) != 0, false);
		pair_rows(want, got);
		assert_shows(want, got, i);
		assert_blocks(want, got, i);
		vt_frame_unref(want);
		vt_frame_unref(got);
		/* Painting the same frame again writes no bytes. */
		term_out_paint(o, f);
		ck_assert_uint_eq(out->len, 0);
	}
	term_out_stop(o);
	vt_term_write(t, out->data, out->len);
	ck_assert(!vt_term_alternate(t));
	ck_assert(vt_term_cursor(t).visible);
	ck_assert_int_eq(vt_term_cursor(t).shape, VT_CURSOR_DEFAULT);
	term_out_free(o);
	vt_frame_unref(f);
	vt_term_free(t);
	vt_pool_free(pool);
}

START_TEST(what_is_painted_is_shown)
{
	term_caps all = ~UINT64_C(0);

	table = grapheme_table_new(NULL);
	paint_random(all, unit_seed(3), true);
	paint_random(all & ~(TERM_CAP(BCE) | TERM_CAP(SYNC)), 4, true);
	paint_random(all & ~TERM_CAP(SCROLL), 5, true);
	paint_random(all & ~TERM_CAP(TEXTSIZE), 7, true);
	paint_random(TERM_CAP(UTF8) | TERM_CAP(ALTSCREEN) | TERM_CAP(SCROLL) |
			 TERM_CAP(ITALICS) | TERM_CAP(DIM) | TERM_CAP(CSTYLE) |
			 TERM_CAP(USSTYLE) | TERM_CAP(STRIKETHROUGH) |
			 TERM_CAP(8COLOURS) | TERM_CAP(16COLOURS),
	    6, false);
	grapheme_table_free(table);
}
END_TEST

START_TEST(an_echo_a_scroll_and_a_clear_are_cheap)
{
	struct term_out *o = term_out_new(~UINT64_C(0), 80, 24);
	struct vt_frame *f = vt_frame_new(80, 24), *g;
	struct buf *out = term_out_pending(o);
	struct pen pen = { 0 };
	char text[32];
	unsigned y;

	table = grapheme_table_new(NULL);
	for (y = 0; y < 24; y++) {
		snprintf(text, sizeof(text), "this is line %u of it", y);
		vt_frame_text(f, table, 0, y, 80, text, strlen(text), &pen);
	}
	f->state.y = 23;
	f->state.x = 22;
	term_out_paint(o, f);
	buf_clear(out);
	g = vt_frame_clone(f);
	vt_frame_text(g, table, 22, 23, 80, "x", 1, &pen);
	g->state.x = 23;
	term_out_paint(o, g);
	ck_assert_uint_eq(out->len, 1);
	buf_clear(out);
	vt_frame_unref(f);
	f = vt_frame_clone(g);
	for (y = 0; y < 23; y++) {
		vt_line_unref(NULL, f->lines[y]);
		f->lines[y] = vt_line_ref(g->lines[y + 1]);
	}
	vt_frame_fill(f, &(struct vt_rect){ 0, 23, 80, 24 }, NULL);
	f->state.x = 0;
	term_out_paint(o, f);
	ck_assert_uint_le(out->len, 40);
	vt_frame_unref(f);
	vt_frame_unref(g);
	term_out_free(o);
	grapheme_table_free(table);
}
END_TEST

START_TEST(surfaces_are_composed_clipped_and_in_order)
{
	struct sync_view *v = sync_view_new(20, 5);
	struct vt_frame *a = vt_frame_new(20, 4), *b = vt_frame_new(6, 2), *f;
	struct pen pen = { 0 };
	char text[VT_CLUSTER_MAX + 1];

	table = grapheme_table_new(NULL);
	vt_frame_text(a, table, 0, 0, 20, "aaaaaaaaaaaaaaaaaaaa", 20, &pen);
	vt_frame_text(b, table, 0, 0, 6, "bbbbbb", 6, &pen);
	b->state.x = 2;
	sync_view_add(v, 1, SYNC_SURFACE_PANE, 0, 0, a);
	sync_view_add(v, 2, SYNC_SURFACE_OVERLAY, 17, 0, b);
	sync_view_add(v, 3, SYNC_SURFACE_OVERLAY, -4, -1, b);
	v->focus = 2;
	f = compose_view(v, 20, 5, NULL);
	ck_assert_ptr_null(vt_frame_check(f));
	vt_line_text(f->lines[0], 16, text);
	ck_assert_str_eq(text, "a");
	vt_line_text(f->lines[0], 17, text);
	ck_assert_str_eq(text, "b");
	vt_line_text(f->lines[0], 0, text);
	ck_assert_str_eq(text, " ");
	ck_assert_uint_eq(f->state.x, 19);
	ck_assert(f->state.modes & VT_FRAME_CURSOR_VISIBLE);
	v->focus = 3;
	vt_frame_unref(f);
	f = compose_view(v, 20, 5, NULL);
	ck_assert(!(f->state.modes & VT_FRAME_CURSOR_VISIBLE));
	vt_frame_unref(f);
	vt_frame_unref(a);
	vt_frame_unref(b);
	sync_view_free(v);
	grapheme_table_free(table);
}
END_TEST

START_TEST(a_cursor_under_another_pane_is_hidden)
{
	struct sync_view *v = sync_view_new(20, 5);
	struct vt_frame *a = vt_frame_new(20, 5), *b = vt_frame_new(6, 2), *f;

	a->state.x = 5;
	a->state.y = 1;
	sync_view_add(v, 1, SYNC_SURFACE_PANE, 0, 0, a);
	sync_view_add(v, 2, SYNC_SURFACE_PANE, 4, 1, b);
	v->focus = 1;
	f = compose_view(v, 20, 5, NULL);
	ck_assert(!(f->state.modes & VT_FRAME_CURSOR_VISIBLE));
	vt_frame_unref(f);
	v->surfaces[1].x = 6;
	f = compose_view(v, 20, 5, NULL);
	ck_assert(f->state.modes & VT_FRAME_CURSOR_VISIBLE);
	ck_assert_uint_eq(f->state.x, 5);
	vt_frame_unref(f);
	/* A prompt or menu does not hide it. */
	v->surfaces[1].x = 4;
	v->surfaces[1].kind = SYNC_SURFACE_OVERLAY;
	f = compose_view(v, 20, 5, NULL);
	ck_assert(f->state.modes & VT_FRAME_CURSOR_VISIBLE);
	vt_frame_unref(f);
	vt_frame_unref(a);
	vt_frame_unref(b);
	sync_view_free(v);
}
END_TEST

/*
 * How a pen (red is 0x2ff0000) and a text are written for a terminal with few
 * features.
 */
START_TEST(what_a_terminal_cannot_show_is_told_otherwise)
{
	static const struct {
		term_caps caps;
		struct pen pen;
		const char *text;
		const char *out;
	} rows[] = {
		{ TERM_CAP(UTF8) | TERM_CAP(RGB) | TERM_CAP(256),
		    { .fg = 0x2ff0000 }, "a", "\033[38;2;255;0;0ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(256), { .fg = 0x2ff0000 }, "a",
		    "\033[38;5;196ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(16COLOURS), { .fg = 0x2ff0000 },
		    "a", "\033[91ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(8COLOURS), { .fg = 0x2ff0000 }, "a",
		    "\033[1;31ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(8COLOURS), { .bg = 0x2ff0000 }, "a",
		    "\033[41ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL), { .fg = 0x2ff0000 }, "a",
		    "a" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL), { .bg = 0x2ff0000 }, "a",
		    "\033[7ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL), { .bg = 0x2000000 }, "a",
		    "a" },
		{ 0, { .fg = 0x2ff0000 }, "a", "a" },
		{ TERM_CAP(UTF8) | TERM_CAP(USSTYLE),
		    { .attrs = PEN_UL_CURLY << PEN_UL_SHIFT }, "a",
		    "\033[4:3ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL),
		    { .attrs = PEN_UL_CURLY << PEN_UL_SHIFT }, "a",
		    "\033[4ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL), { .attrs = PEN_ITALIC },
		    "a", "\033[7ma" },
		{ TERM_CAP(UTF8) | TERM_CAP(SCROLL),
		    { .attrs = PEN_DIM | PEN_STRIKE | PEN_OVERLINE }, "a",
		    "a" },
		{ TERM_CAP(SCROLL), { 0 }, "\xe2\x94\x80\xe2\x94\x82z",
		    "\033(0qx\033(Bz" },
		{ 0, { 0 }, "\xe2\x94\x80\xe2\x94\x82z", "-|z" },
		{ TERM_CAP(SCROLL), { 0 }, "\xc3\xa9\xe2\x80\x9c\xe6\x97\xa5",
		    "?\"??" },
	};
	struct term_out *o;
	struct vt_frame *f;
	struct buf *b;
	size_t i;

	table = grapheme_table_new(NULL);
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		o = term_out_new(rows[i].caps, 20, 2);
		f = vt_frame_new(20, 2);
		term_out_paint(o, f);
		b = term_out_pending(o);
		buf_clear(b);
		vt_frame_unref(f);
		f = vt_frame_new(20, 2);
		(void)vt_frame_text(f, table, 0, 0, 20, rows[i].text,
		    strlen(rows[i].text), &rows[i].pen);
		term_out_paint(o, f);
		ck_assert_msg(strstr(buf_cstr(b), rows[i].out) != NULL,
		    "row %zu: \"%s\"", i, buf_cstr(b) + 1);
		vt_frame_unref(f);
		term_out_free(o);
	}
	grapheme_table_free(table);
}
END_TEST

/* The pointer's shape: names by terminal, and the terminal's own at the end. */
START_TEST(pointer_is_set_and_reset)
{
	struct term_out *o = term_out_new(TERM_CAP(POINTER), 20, 2);
	struct term_out_modes m = { .pointer = VT_POINTER_POINTER };
	struct buf *b = term_out_pending(o);

	term_out_start(o);
	buf_clear(b);
	term_out_set_modes(o, &m);
	ck_assert_str_eq(buf_cstr(b), "\033]22;pointer\033\\");
	buf_clear(b);
	term_out_set_modes(o, &m);
	ck_assert_uint_eq(b->len, 0);
	m.pointer = VT_POINTER_WAIT;
	term_out_set_caps(o, TERM_CAP(POINTERX11));
	term_out_set_modes(o, &m);
	ck_assert_str_eq(buf_cstr(b), "\033]22;watch\033\\");
	buf_clear(b);
	/* A number of a newer server is the terminal's own shape. */
	m.pointer = 255;
	term_out_set_modes(o, &m);
	ck_assert_str_eq(buf_cstr(b), "\033]22;xterm\033\\\033]22;\033\\");
	m.pointer = VT_POINTER_HELP;
	term_out_set_modes(o, &m);
	buf_clear(b);
	term_out_stop(o);
	ck_assert_ptr_nonnull(strstr(buf_cstr(b), "\033]22;\033\\"));
	buf_clear(b);
	term_out_set_caps(o, 0);
	term_out_set_modes(o, &m);
	ck_assert_uint_eq(b->len, 0);
	term_out_free(o);
}
END_TEST

/* A hostile server's text stays inside its control string. */
START_TEST(text_of_a_server_has_no_controls)
{
	static const char evil[] = "a\033]52;c;eA==\ab\302\233c"
				   "\342\200\256\342\201\251\234\177d\n";
	struct term_out *o =
	    term_out_new(TERM_CAP(UTF8) | TERM_CAP(TITLE) | TERM_CAP(OSC7) |
			     TERM_CAP(HYPERLINKS),
		20, 2);
	struct term_out_modes m = { .title = evil, .path = evil };
	struct vt_frame *f = vt_frame_new(20, 2);
	struct vt_link *link;
	struct vt_line *line;
	struct buf *b = term_out_pending(o);

	term_out_set_modes(o, &m);
	ck_assert_str_eq(buf_cstr(b),
	    "\033]2;a]52;c;eA==bcd\033\\\033]7;a]52;c;eA==bcd\033\\");
	buf_clear(b);
	term_out_osc(o, "9;", evil, sizeof(evil) - 1, "");
	ck_assert_str_eq(buf_cstr(b), "\033]9;a]52;c;eA==bcd\033\\");
	term_out_paint(o, f);
	buf_clear(b);
	vt_frame_unref(f);
	f = vt_frame_new(20, 2);
	link = vt_link_new(evil, sizeof(evil) - 1, "i\033d", 3);
	line = vt_frame_own(f, 0);
	vt_line_put(line, 0, 'x', VT_NARROW,
	    vt_line_style(NULL, line, &(struct pen){ 0 }, link));
	vt_link_unref(link);
	term_out_paint(o, f);
	ck_assert_ptr_nonnull(
	    strstr(buf_cstr(b), "\033]8;id=id;a]52;c;eA==bcd\033\\x"));
	vt_frame_unref(f);
	term_out_free(o);
}
END_TEST

START_TEST(names_and_answers_give_features)
{
	struct term_event ev = {
		.kind = TERM_REPLY,
		.reply = TERM_REPLY_MODE,
		.nparams = 2,
		.params = { 2026, 2 },
	};
	size_t unknown;
	char *names;

	ck_assert(term_caps_from_name("dumb", NULL) == 0);
	ck_assert(term_caps_from_name(NULL, NULL) == 0);
	ck_assert(term_caps_from_name("xterm-256color", NULL) & TERM_CAP(256));
	ck_assert(
	    !(term_caps_from_name("xterm-256color", NULL) & TERM_CAP(RGB)));
	ck_assert(term_caps_from_name("xterm", "truecolor") & TERM_CAP(RGB));
	ck_assert(term_caps_from_name("never-heard-of", NULL) != 0);
	ck_assert(!(term_caps_from_name("vt100", NULL) & TERM_CAP(8COLOURS)));
	ck_assert(!(term_caps_from_name("xterm-mono", NULL) & TERM_CAP(256)));
	ck_assert(!(term_caps_from_name("xterm", NULL) & TERM_CAP(EXTKEYS)));
	ck_assert(term_caps_from_reply(0, &ev) == TERM_CAP(SYNC));
	ev.params[1] = 4;
	ck_assert(term_caps_from_reply(0, &ev) == 0);
	names = term_caps_names_new(term_caps_change(
	    TERM_CAP(256), "RGB,-256,nonsense,,title", 24, &unknown));
	ck_assert_str_eq(names, "RGB,title,8colours,16colours");
	ck_assert_uint_eq(unknown, 1);
	mem_free(names);
}
END_TEST

static term_caps
answers(term_caps caps, const char *version)
{
	const struct term_event ev = { .kind = TERM_REPLY,
		.reply = TERM_REPLY_XTVERSION,
		.data = (const uint8_t *)version,
		.len = strlen(version) };

	return term_caps_from_reply(caps, &ev);
}

static bool
answers_rgb(term_caps caps, const char *version)
{
	return (answers(caps, version) & TERM_CAP(RGB)) != 0;
}

/* Each version has the feature, and the one before it has not. */
START_TEST(versions_bring_features)
{
	static const struct {
		const char *with;
		const char *without;
		term_caps cap;
	} rows[] = {
		{ "kitty(0.40.0)", "kitty(0.39.1)", TERM_CAP(TEXTSIZE) },
		{ "kitty(1.2)", "kitty", TERM_CAP(TEXTSIZE) },
		{ "iTerm2 3.6.6", "iTerm2 3.6.5", TERM_CAP(PROGRESSBAR) },
		{ "iTerm2 4", "iTerm2 3.6", TERM_CAP(PROGRESSBAR) },
		{ "iTerm2 3.10.0", "iTerm2 3.5.20", TERM_CAP(PROGRESSBAR) },
		{ "kitty(0.39.0)", "kitty(0.38.1)", TERM_CAP(PROGRESSBAR) },
		{ "VTE(7900)", "VTE(7802)", TERM_CAP(PROGRESSBAR) },
		{ "Konsole 26.04.0", "Konsole 25.12.3", TERM_CAP(PROGRESSBAR) },
		{ "WezTerm 20250301-1-a", "WezTerm 20240203-110809-5046fc22",
		    TERM_CAP(PROGRESSBAR) },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_uint_ne(answers(0, rows[i].with) & rows[i].cap, 0);
		ck_assert_uint_eq(answers(0, rows[i].without) & rows[i].cap, 0);
	}
}
END_TEST

START_TEST(an_xterm_of_256_colours_has_all)
{
	ck_assert(answers_rgb(TERM_CAP(256), "XTerm(379)"));
	ck_assert(answers_rgb(TERM_CAP(256), "XTerm(331)"));
	ck_assert(!answers_rgb(TERM_CAP(256), "XTerm(330)"));
	ck_assert(!answers_rgb(TERM_CAP(256), "XTerm("));
	ck_assert(!answers_rgb(TERM_CAP(256), "XTermX(379)"));
	/* TERM says that it was given 16. */
	ck_assert(!answers_rgb(TERM_CAP(16COLOURS), "XTerm(379)"));
}
END_TEST

START_TEST(a_16_colour_terminal_gets_16_colours)
{
	static const char *const names[] = { "linux", "xterm-16color" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		ck_assert(
		    !(term_caps_from_name(names[i], NULL) & TERM_CAP(256)));
}
END_TEST

START_TEST(a_background_is_light_or_dark)
{
	static const struct {
		const char *answer;
		int r;
		bool light;
	} rows[] = {
		{ "rgb:ffff/ffff/ffff", 0, true },
		{ "rgb:fdfd/f6f6/e3e3", 0, true }, /* a light yellow */
		{ "rgb:00/ff/00", 0, true },
		{ "rgb:0000/0000/0000", 0, false },
		{ "rgb:0000/2b2b/3636", 0, false },
		{ "rgb:0000/0000/ffff", 0, false },
		{ "#ffffff", 0, true },
		{ "?", -ERR_SYNTAX, false },
		{ "", -ERR_SYNTAX, false },
	};
	bool light;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		light = false;
		ck_assert_int_eq(
		    term_background_light((const uint8_t *)rows[i].answer,
			strlen(rows[i].answer), &light),
		    rows[i].r);
		ck_assert(light == rows[i].light);
	}
}
END_TEST

UNIT_SUITE(term_out)
{
	Suite *s = suite_create("term_out");
	TCase *tc = tcase_create("out");

	tcase_set_timeout(tc, 300);
	tcase_add_test(tc, what_is_painted_is_shown);
	tcase_add_test(tc, an_echo_a_scroll_and_a_clear_are_cheap);
	tcase_add_test(tc, surfaces_are_composed_clipped_and_in_order);
	tcase_add_test(tc, a_cursor_under_another_pane_is_hidden);
	tcase_add_test(tc, what_a_terminal_cannot_show_is_told_otherwise);
	tcase_add_test(tc, pointer_is_set_and_reset);
	tcase_add_test(tc, text_of_a_server_has_no_controls);
	tcase_add_test(tc, names_and_answers_give_features);
	tcase_add_test(tc, an_xterm_of_256_colours_has_all);
	tcase_add_test(tc, versions_bring_features);
	tcase_add_test(tc, a_16_colour_terminal_gets_16_colours);
	tcase_add_test(tc, a_background_is_light_or_dark);
	suite_add_tcase(s, tc);
	return s;
}
