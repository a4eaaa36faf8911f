/* Theme colours, pens of styles, formats drawn into rows. */
#include "conf/theme.h"
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
	ck_assert_uint_eq(theme_red(&u), colour_index(1));
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
brightness(const struct view_util *u, enum style_theme which)
{
	const colour c = view_text_colour(
	    &u->b.cx, (colour)COLOUR_KIND_THEME << 24 | (colour)which);
	const uint32_t rgb = colour_kind(c) == COLOUR_KIND_RGB
				 ? c & 0xffffff
				 : colour_palette_rgb(c & 255);

	return (rgb >> 16 & 255) * 3 + (rgb >> 8 & 255) * 6 + (rgb & 255);
}

/* Texts of menus and borders can be read, black on the colours, too. */
static void
assert_readable(const struct view_util *u)
{
	static const enum style_theme texts[] = { STYLE_THEME_WHITE,
		STYLE_THEME_LIGHTGREY };
	static const enum style_theme grounds[] = { STYLE_THEME_GREEN,
		STYLE_THEME_YELLOW, STYLE_THEME_CYAN };
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		ck_assert_uint_gt(brightness(u, texts[i]),
		    brightness(u, STYLE_THEME_DARKGREY) + 500);
	for (i = 0; i < ARRAY_LEN(grounds); i++)
		ck_assert_uint_gt(brightness(u, grounds[i]),
		    brightness(u, STYLE_THEME_BLACK) + 500);
}

START_TEST(theme_colours_can_be_read)
{
	static const unsigned colours[] = { 8, 16, 256, 1 << 24 };
	struct view_util u;
	size_t i;

	view_util_init(&u, 20, 3);
	for (i = 0; i < ARRAY_LEN(colours); i++) {
		u.c->colours = colours[i];
		view_util_set(&u, "theme", "dark");
		assert_readable(&u);
		view_util_set(&u, "theme", "light");
		assert_readable(&u);
		view_util_set(&u, "theme", "terminal");
		assert_readable(&u);
	}
	view_util_fini(&u);
}
END_TEST

START_TEST(themes_have_names)
{
	struct view_util u;

	view_util_init(&u, 20, 3);
	u.c->colours = 256;
	ck_assert_uint_eq(theme_red(&u), colour_index(1));
	client_set_theme(u.c, CLIENT_THEME_DARK);
	ck_assert_uint_eq(theme_red(&u), colour_rgb(0xcd, 0x5c, 0x5c));
	view_util_set(&u, "theme-name", "tokyo-night");
	ck_assert_uint_eq(theme_red(&u), colour_rgb(0xf7, 0x76, 0x8e));
	client_set_theme(u.c, CLIENT_THEME_LIGHT);
	ck_assert_uint_eq(theme_red(&u),
	    theme_colour(THEME_NAME_TOKYO_NIGHT, true, STYLE_THEME_RED));
	/* A colour that the user has set stays. */
	view_util_set(&u, "light-theme-red", "#010203");
	ck_assert_uint_eq(theme_red(&u), colour_rgb(1, 2, 3));
	view_util_set(&u, "theme", "dark");
	ck_assert_uint_eq(theme_red(&u), colour_rgb(0xf7, 0x76, 0x8e));
	/* A terminal of few colours shows its own. */
	u.c->colours = 16;
	ck_assert_uint_eq(theme_red(&u), colour_index(1));
	u.c->colours = 256;
	view_util_set(&u, "theme", "terminal");
	ck_assert_uint_eq(theme_red(&u), colour_index(1));
	view_util_fini(&u);
}
END_TEST

/* Draws the line set of styles, and finds the fill of an area. */
START_TEST(lines_and_fill)
{
	struct view_util u;
	struct pen pen = { 0 };

	view_util_init(&u, 20, 3);
	ck_assert_uint_eq(
	    view_text_fill(&u.b.cx, NULL, "#[acs]~", false, &pen), 0xb7);
	ck_assert_uint_eq(
	    view_text_fill(&u.b.cx, NULL, "#[fg=red]xy", false, &pen), 'x');
	ck_assert_uint_eq(pen.fg, colour_index(1));
	ck_assert_uint_eq(view_text_fill(&u.b.cx, NULL, "", false, &pen), 0);
	ck_assert_uint_eq(
	    view_text_fill(&u.b.cx, NULL, "漢", false, &pen), 0x6f22);
	view_util_set(&u, "status-format[0]", "a#[acs]lqk#[noacs]q");
	VIEW_UTIL_EXPECT(&u, "", "", "a┌─┐q");
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
	tcase_add_test(tc, themes_have_names);
	tcase_add_test(tc, lines_and_fill);
	tcase_add_test(tc, texts_are_fitted_by_words);
	tcase_add_test(tc, styles_are_expanded_over_a_base);
	tcase_add_test(tc, a_row_of_text_with_ranges);
	tcase_add_test(tc, a_panes_text_leaves_what_is_free);
	suite_add_tcase(s, tc);
	return s;
}
