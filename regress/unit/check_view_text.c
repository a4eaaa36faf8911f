/* Theme colours, pens of styles, formats drawn into rows. */
#include "mux/view/text.h"
#include "regress/unit/unit.h"
#include "regress/unit/view_util.h"

static const struct pen plain;

static colour
theme_red(struct view_util *u)
{
	struct pen pen = view_text_pen(&u->b.cx, NULL, "fg=themered", &plain);

	return pen.fg;
}

START_TEST(themes_have_colours_of_their_own)
{
	struct view_util u;
	colour dark = colour_rgb(1, 2, 3), light = colour_rgb(4, 5, 6);

	view_util_init(&u, 20, 3);
	view_util_set(&u, "dark-theme-red", "#010203");
	view_util_set(&u, "light-theme-red", "#040506");
	ck_assert(!client_light(u.b.cx.client));
	ck_assert_uint_eq(theme_red(&u), dark);
	client_set_theme(u.c, CLIENT_THEME_LIGHT);
	ck_assert(client_light(u.b.cx.client));
	ck_assert_uint_eq(theme_red(&u), light);
	view_util_set(&u, "theme", "dark");
	ck_assert_uint_eq(theme_red(&u), dark);
	client_set_theme(u.c, CLIENT_THEME_DARK);
	view_util_set(&u, "theme", "light");
	ck_assert_uint_eq(theme_red(&u), light);
	view_util_set(&u, "theme", "terminal");
	ck_assert_uint_eq(theme_red(&u), dark);
	/* Other colours are unchanged; unknown theme colours are default. */
	ck_assert_uint_eq(
	    view_text_colour(&u.b.cx, colour_index(9)), colour_index(9));
	ck_assert_uint_eq(
	    view_text_colour(&u.b.cx, (colour)COLOUR_KIND_THEME << 24 | 200),
	    COLOUR_DEFAULT);
	view_util_fini(&u);
}
END_TEST

/* A format gives a colour when it is drawn; one that gives none is no colour. */
START_TEST(colours_of_options_may_be_formats)
{
	struct view_util u;
	struct options *o;

	view_util_init(&u, 20, 3);
	o = &u.c->session->options;
	view_util_set(&u, "prompt-cursor-colour", "#{l:themered}");
	view_util_set(&u, "dark-theme-red", "#{l:#010203}");
	ck_assert_uint_eq(
	    options_colour(o, OPTION_PROMPT_CURSOR_COLOUR), COLOUR_NONE);
	ck_assert_str_eq(options_colour_format(o, OPTION_PROMPT_CURSOR_COLOUR),
	    "#{l:themered}");
	ck_assert_uint_eq(view_text_option_colour(
			      &u.b.cx, NULL, o, OPTION_PROMPT_CURSOR_COLOUR),
	    colour_rgb(1, 2, 3));
	view_util_set(&u, "prompt-cursor-colour", "#{l:nope}");
	ck_assert_uint_eq(view_text_option_colour(
			      &u.b.cx, NULL, o, OPTION_PROMPT_CURSOR_COLOUR),
	    COLOUR_NONE);
	view_util_set(&u, "prompt-cursor-colour", "blue");
	ck_assert_ptr_null(
	    options_colour_format(o, OPTION_PROMPT_CURSOR_COLOUR));
	ck_assert_uint_eq(view_text_option_colour(
			      &u.b.cx, NULL, o, OPTION_PROMPT_CURSOR_COLOUR),
	    colour_index(4));
	view_util_set(&u, "prompt-cursor-colour", "");
	ck_assert_ptr_null(
	    options_colour_format(o, OPTION_PROMPT_CURSOR_COLOUR));
	view_util_fini(&u);
}
END_TEST

static unsigned
brightness(const struct view_util *u, enum option_id id)
{
	const struct options *o = &u->c->mux->server_options;
	const uint32_t rgb = colour_palette_rgb(options_colour(o, id) & 255);

	return (rgb >> 16 & 255) * 3 + (rgb >> 8 & 255) * 6 + (rgb & 255);
}

/* Texts in theme colours can be read on the terminal and on menus and popups. */
START_TEST(theme_colours_can_be_read)
{
	static const enum option_id on_light[] = { OPTION_LIGHT_THEME_WHITE,
		OPTION_LIGHT_THEME_LIGHT_GREY, OPTION_LIGHT_THEME_GREEN,
		OPTION_LIGHT_THEME_RED, OPTION_LIGHT_THEME_BLUE,
		OPTION_LIGHT_THEME_CYAN, OPTION_LIGHT_THEME_MAGENTA };
	static const enum option_id on_dark[] = { OPTION_DARK_THEME_WHITE,
		OPTION_DARK_THEME_LIGHT_GREY, OPTION_DARK_THEME_GREEN,
		OPTION_DARK_THEME_RED, OPTION_DARK_THEME_YELLOW,
		OPTION_DARK_THEME_CYAN, OPTION_DARK_THEME_MAGENTA };
	struct view_util u;
	size_t i;

	view_util_init(&u, 20, 3);
	for (i = 0; i < ARRAY_LEN(on_light); i++)
		ck_assert_uint_lt(brightness(&u, on_light[i]) + 600,
		    brightness(&u, OPTION_LIGHT_THEME_DARK_GREY));
	for (i = 0; i < ARRAY_LEN(on_dark); i++)
		ck_assert_uint_gt(brightness(&u, on_dark[i]),
		    brightness(&u, OPTION_DARK_THEME_DARK_GREY) + 200);
	/* With 16 colours menus stand on black. */
	ck_assert_uint_eq(
	    colour_256_to_16(options_colour(&u.c->mux->server_options,
				 OPTION_DARK_THEME_DARK_GREY) &
			     255),
	    0);
	view_util_fini(&u);
}
END_TEST

START_TEST(texts_are_fitted_by_words)
{
	static const struct {
		const char *text;
		unsigned width;
		size_t bytes;
	} rows[] = {
		{ "", 5, 0 },
		{ "one two", 7, 7 },
		{ "one two", 6, 3 },
		{ "one two", 2, 0 },
		{ "one", 0, 0 },
		{ "main-vertical-mirrored layout", 28, 22 },
		{ "main-vertical-mirrored layout", 21, 14 },
		{ "main-vertical-mirrored layout", 5, 5 },
		{ "main-vertical-mirrored layout", 4, 0 },
		/* The hyphen of a flag is none within a word. */
		{ "run -T window", 7, 6 },
		{ "run -T window", 5, 3 },
		/* Two columns each. */
		{ "\xe6\x97\xa5\xe6\x9c\xac \xe8\xaa\x9e", 6, 6 },
		{ "\xe6\x97\xa5\xe6\x9c\xac \xe8\xaa\x9e", 7, 10 },
	};
	struct view_util u;
	size_t i;

	view_util_init(&u, 20, 3);
	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(view_text_fit(u.c->mux->setup.graphemes,
				  rows[i].text, rows[i].width) == rows[i].bytes,
		    "%s in %u", rows[i].text, rows[i].width);
	view_util_fini(&u);
}
END_TEST

START_TEST(styles_are_expanded_over_a_base)
{
	struct view_util u;
	struct pen base = { .fg = colour_index(3), .attrs = PEN_DIM }, pen;

	view_util_init(&u, 20, 3);
	pen = view_text_pen(
	    &u.b.cx, u.p, "bg=#{?#{==:#{pane_id},%0},red,blue}", &base);
	ck_assert_uint_eq(pen.bg, colour_index(1));
	ck_assert_uint_eq(pen.fg, colour_index(3));
	/* An invalid style changes nothing. */
	pen = view_text_pen(&u.b.cx, NULL, "nonsense", &base);
	ck_assert(pen_equal(&pen, &base));
	view_util_set(&u, "message-style", "fg=green");
	view_util_set(&u, "mode-style", "fg=blue");
	pen = view_text_message_pen(&u.b.cx);
	ck_assert_uint_eq(pen.fg, colour_index(2));
	pen = view_text_mode_pen(&u.b.cx);
	ck_assert_uint_eq(pen.fg, colour_index(4));
	client_set_session(u.c, NULL);
	pen = view_text_mode_pen(&u.b.cx);
	ck_assert(pen_equal(&pen, &plain));
	view_util_fini(&u);
}
END_TEST

START_TEST(a_row_of_text_with_ranges)
{
	struct vt_frame *f = vt_frame_new(12, 2);
	struct format_drawn drawn;
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_text_draw(&u.b.cx, f, 1,
	    "ab#[range=left]cd#[norange]#[link=http://l/"
	    "]ef#[link=\t]g#[default]h"
	    "#[align=right fg=themered]z",
	    &plain, &drawn);
	VIEW_UTIL_SAME(f, "", "abcdefgh   z");
	/* Links are links, but for those with control bytes. */
	ck_assert_ptr_null(vt_line_link(f->lines[1], 3));
	ck_assert_str_eq(
	    vt_link_uri(vt_line_link(f->lines[1], 5)), "http://l/");
	ck_assert_ptr_null(vt_line_link(f->lines[1], 6));
	ck_assert_ptr_null(vt_line_link(f->lines[1], 7));
	ck_assert_ptr_nonnull(format_drawn_at(&drawn, 2));
	ck_assert_ptr_null(format_drawn_at(&drawn, 4));
	/* Frames contain no theme colours. */
	ck_assert_int_ne((int)colour_kind(vt_line_pen(f->lines[1], 11)->fg),
	    COLOUR_KIND_THEME);
	format_drawn_fini(&drawn);
	vt_frame_unref(f);
	view_util_fini(&u);
}
END_TEST

START_TEST(a_panes_text_leaves_what_is_free)
{
	struct vt_frame *f = vt_frame_new(12, 1);
	struct view_util u;

	view_util_init(&u, 20, 3);
	view_util_set(&u, "pane-border-format", "#{pane_id}#[align=right]r");
	vt_frame_repeat(f, 0, 0, 12, '-', NULL);
	view_text_pane(
	    &u.b.cx, f, 2, 0, 8, u.p, OPTION_PANE_BORDER_FORMAT, &plain);
	VIEW_UTIL_SAME(f, "--%0-----r--");
	vt_frame_unref(f);
	view_util_fini(&u);
}
END_TEST

UNIT_SUITE(view_text)
{
	Suite *s = suite_create("view_text");
	TCase *tc = tcase_create("view_text");

	tcase_add_test(tc, themes_have_colours_of_their_own);
	tcase_add_test(tc, colours_of_options_may_be_formats);
	tcase_add_test(tc, theme_colours_can_be_read);
	tcase_add_test(tc, texts_are_fitted_by_words);
	tcase_add_test(tc, styles_are_expanded_over_a_base);
	tcase_add_test(tc, a_row_of_text_with_ranges);
	tcase_add_test(tc, a_panes_text_leaves_what_is_free);
	suite_add_tcase(s, tc);
	return s;
}
