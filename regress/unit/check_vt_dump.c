#include <string.h>

#include "base/err.h"
#include "mux/vt/dump.h"
#include "mux/vt/dump_sgr.h"
#include "regress/unit/unit.h"

static const struct pen pen_default;

static void
put(struct vt_grid *g, unsigned y, unsigned x, const char *s,
    const struct pen *pen, struct vt_link *link)
{
	struct vt_line *line = vt_grid_own(g, y);
	unsigned style = vt_line_style(g->pool, line, pen, link);

	vt_line_put_ascii(
	    line, x, (const uint8_t *)s, (unsigned)strlen(s), style);
}

START_TEST(dumps_take_what_is_asked)
{
	static const struct {
		unsigned flags;
		const char *want;
	} rows[] = {
		{ 0, "one  \nabcdefgh\nij k\n" },
		{ VT_DUMP_TRIM, "one\nabcdefgh\nij k\n" },
		{ VT_DUMP_JOIN, "one  \nabcdefghij k\n" },
		{ VT_DUMP_FULL, "one     \nabcdefgh\nij k    \n" },
		{ VT_DUMP_ANSI, "o\033[1;31mne\033[m  \n"
				"abcdefgh\nij \033]8;id=q;http://x\033\\k"
				"\033]8;;\033\\\033[44m  \033[m\n" },
		{ VT_DUMP_ANSI | VT_DUMP_ESCAPE,
		    "o\\033[1;31mne\\033[m  \n"
		    "abcdefgh\nij \\033]8;id=q;http://x\\033\\\\k"
		    "\\033]8;;\\033\\\\\\033[44m  \\033[m\n" },
		{ VT_DUMP_ANSI | VT_DUMP_WRITTEN,
		    "o\033[1;31mne\033[m  \n"
		    "abcdefgh\nij \033]8;id=q;http://x\033\\k"
		    "\033]8;;\033\\\n" },
		{ VT_DUMP_ANSI | VT_DUMP_CARRY,
		    "o\033[1m\033[31mne\033[0m  \n"
		    "abcdefgh\nij \033]8;id=q;http://x\033\\k"
		    "\033[44m\033]8;;\033\\  \n" },
		{ VT_DUMP_ANSI | VT_DUMP_CARRY | VT_DUMP_TRIM,
		    "o\033[1m\033[31mne\033[0m\n"
		    "abcdefgh\nij \033]8;id=q;http://x\033\\k"
		    "\033[44m\033]8;;\033\\\n" },
		{ VT_DUMP_ROOM, "one     \nabcdefgh\nij k    \n" },
		{ VT_DUMP_NUMBER | VT_DUMP_TRIM,
		    "0 one\n1 abcdefgh\n2 ij k\n" },
		{ VT_DUMP_FLAGS, "OP one  \nW abcdefgh\nHX ij k\n" },
		{ VT_DUMP_NUMBER | VT_DUMP_FLAGS | VT_DUMP_JOIN,
		    "0 OP one  \n1 W abcdefgh2 HX ij k\n" },
	};
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 8, 3, 0, 0);
	struct pen red = { colour_index(1), 0, 0, PEN_BOLD };
	struct pen blue = { 0, colour_index(4), 0, 0 };
	struct vt_link *k = vt_link_new("http://x", 8, "q", 1);
	struct vt_line *line;
	struct buf b;
	unsigned i;

	put(g, 0, 0, "o", &pen_default, NULL);
	put(g, 0, 1, "ne", &red, NULL);
	put(g, 0, 3, "  ", &pen_default, NULL);
	put(g, 1, 0, "abcdefgh", &pen_default, NULL);
	vt_grid_own(g, 0)->flags |= VT_LINE_PROMPT | VT_LINE_OUTPUT;
	vt_grid_own(g, 1)->flags |= VT_LINE_WRAPPED;
	put(g, 2, 0, "ij ", &pen_default, NULL);
	put(g, 2, 3, "k", &pen_default, k);
	line = vt_grid_own(g, 2);
	vt_line_erase(line, 4, 6, vt_line_style(pool, line, &blue, NULL));
	for (i = 0; i < ARRAY_LEN(rows); i++) {
		buf_init(&b, 4096);
		ck_assert_int_eq(vt_dump_rows(&b, g, vt_grid_first(g),
				     vt_grid_end(g), rows[i].flags, NULL),
		    0);
		ck_assert_str_eq(buf_cstr(&b), rows[i].want);
		buf_fini(&b);
	}
	buf_init(&b, 10);
	ck_assert_int_eq(
	    vt_dump_rows(&b, g, 0, vt_grid_end(g), 0, NULL), -ERR_LIMIT);
	buf_fini(&b);
	vt_link_unref(k);
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

/* A row beside its text: the end of a link before its room, its X. */
START_TEST(rows_end_and_begin_as_in_tmux)
{
	struct pen rgb = { colour_rgb(1, 2, 3), 0, 0, 0 },
		   over = { 0, 0, 0, PEN_OVERLINE },
		   ul = { 0, 0, 0, PEN_UL_SINGLE << PEN_UL_SHIFT },
		   curly = { 0, 0, 0, PEN_UL_CURLY << PEN_UL_SHIFT };
	const struct {
		const struct pen *pen;
		const char *want;
	} rows[] = { { &pen_default, "- ij\n" }, { &ul, "- ij\n" },
		{ &rgb, "X ij\n" }, { &over, "X ij\n" }, { &curly, "X ij\n" } };
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 8, ARRAY_LEN(rows) + 1, 0, 0);
	struct vt_link *k = vt_link_new("http://x", 8, "", 0);
	struct buf b;
	unsigned i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		put(g, i, 0, "ij", rows[i].pen, NULL);
		buf_init(&b, 4096);
		ck_assert_int_eq(
		    vt_dump_rows(&b, g, i, i + 1, VT_DUMP_FLAGS, NULL), 0);
		ck_assert_str_eq(buf_cstr(&b), rows[i].want);
		buf_fini(&b);
	}
	put(g, i, 0, "ij", &pen_default, k);
	buf_init(&b, 4096);
	ck_assert_int_eq(
	    vt_dump_rows(&b, g, i, i + 1,
		VT_DUMP_ANSI | VT_DUMP_CARRY | VT_DUMP_ROOM | VT_DUMP_TRIM,
		NULL),
	    0);
	ck_assert_str_eq(
	    buf_cstr(&b), "\033]8;;http://x\033\\ij\033]8;;\033\\\n");
	buf_fini(&b);
	vt_link_unref(k);
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

/* The SGR from one pen to the next, as tmux 3.8 writes it. */
START_TEST(pens_change_as_in_tmux)
{
	const colour red = colour_index(1), pale = colour_index(12),
		     cube = colour_index(200), rgb = colour_rgb(1, 2, 3);
	const uint32_t ul = PEN_UL_SINGLE << PEN_UL_SHIFT,
		       curly = PEN_UL_CURLY << PEN_UL_SHIFT;
	const struct {
		struct pen old;
		struct pen new;
		const char *want;
	} rows[] = {
		{ { 0 }, { red, pale, 0, PEN_BOLD | ul },
		    "\033[1;4m\033[31m\033[104m" },
		{ { red, pale, 0, PEN_BOLD | ul }, { red, 0, 0, ul },
		    "\033[0;4m\033[31m" },
		{ { red, cube, 0, 0 }, { 0, rgb, 0, 0 },
		    "\033[39m\033[48;2;1;2;3m" },
		{ { 0, 0, red, curly }, { 0, 0, 0, curly }, "\033[0;4:3m" },
		{ { 0 }, { cube, 0, rgb, curly | PEN_OVERLINE },
		    "\033[4:3;53m\033[38;5;200m\033[58;2;1;2;3m" },
		{ { 0, 0, 0, ul }, { 0, 0, 0, curly }, "\033[0;4:3m" },
		{ { 0, 0, 0, PEN_DIM | PEN_STRIKE },
		    { 0, 0, 0, PEN_DIM | PEN_STRIKE | PEN_BLINK }, "\033[5m" },
	};
	char text[DUMP_SGR_MAX + 1];
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		text[vt_dump_sgr(&rows[i].old, &rows[i].new, text)] = '\0';
		ck_assert_str_eq(text, rows[i].want);
	}
}
END_TEST

START_TEST(links_are_named_once)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_grid *g = vt_grid_new(pool, 8, 4, 0, 0);
	struct vt_link *k[] = { vt_link_new("http://x", 8, "q", 1),
		vt_link_new("http://y", 8, "", 0),
		vt_link_new("http://x", 8, "q", 1),
		vt_link_new("http://x", 8, "r", 1) };
	struct map seen;
	struct buf b;
	size_t i;

	put(g, 0, 0, "a", &pen_default, k[0]);
	put(g, 0, 2, "b", &pen_default, k[1]);
	put(g, 1, 0, "c", &pen_default, k[2]);
	put(g, 2, 0, "d", &pen_default, NULL);
	put(g, 3, 0, "e", &pen_default, k[1]);
	put(g, 3, 1, "f", &pen_default, k[3]);
	map_init_names(&seen);
	buf_init(&b, 4096);
	ck_assert_int_eq(vt_dump_links(&b, &seen, g, 0, vt_grid_end(g),
			     VT_DUMP_NUMBER, NULL),
	    0);
	ck_assert_str_eq(buf_cstr(&b), "0 http://x http://y\n3 http://x\n");
	ck_assert_uint_eq(seen.count, 3);
	/* All links are in SEEN already; then the buffer is too small. */
	ck_assert_int_eq(
	    vt_dump_links(&b, &seen, g, 0, vt_grid_end(g), VT_DUMP_FLAGS, NULL),
	    0);
	ck_assert_str_eq(buf_cstr(&b), "0 http://x http://y\n3 http://x\n");
	buf_fini(&b);
	map_fini(&seen);
	buf_init(&b, 10);
	ck_assert_int_eq(
	    vt_dump_links(&b, &seen, g, 0, vt_grid_end(g), 0, NULL),
	    -ERR_LIMIT);
	buf_fini(&b);
	map_fini(&seen);
	for (i = 0; i < ARRAY_LEN(k); i++)
		vt_link_unref(k[i]);
	vt_grid_free(g);
	vt_pool_free(pool);
}
END_TEST

START_TEST(raw_dump_shows_everything)
{
	struct vt_pool *pool = vt_pool_new();
	struct vt_line *line = vt_line_new(pool);
	struct pen p = { colour_index(1), colour_rgb(1, 2, 3), 0, PEN_DIM };
	struct vt_link *k = vt_link_new("u:", 2, "", 0);
	struct buf b;

	vt_line_put_ascii(line, 1, (const uint8_t *)"ab", 2, 0);
	vt_line_put(line, 3, 0x4e2d, VT_WIDE, vt_line_style(pool, line, &p, k));
	vt_line_put_pad(line, 5, 0);
	line->flags = VT_LINE_WRAPPED | VT_LINE_PROMPT;
	buf_init(&b, 4096);
	vt_dump_raw(&b, line);
	ck_assert_str_eq(buf_cstr(&b),
	    "|.ab中>#| wrapped prompt 3-5 fg=1000001 bg=2010203 attrs=2"
	    " link=;u:\n");
	buf_fini(&b);
	vt_link_unref(k);
	vt_line_unref(pool, line);
	vt_pool_free(pool);
}
END_TEST

UNIT_SUITE(vt_dump)
{
	Suite *s = suite_create("vt_dump");
	TCase *tc = tcase_create("vt_dump");

	tcase_add_test(tc, dumps_take_what_is_asked);
	tcase_add_test(tc, rows_end_and_begin_as_in_tmux);
	tcase_add_test(tc, pens_change_as_in_tmux);
	tcase_add_test(tc, links_are_named_once);
	tcase_add_test(tc, raw_dump_shows_everything);
	suite_add_tcase(s, tc);
	return s;
}
