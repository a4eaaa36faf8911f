/* Contrasts of the named themes, in 24 bits and in the 256 colours. */
#include <math.h>

#include "conf/option.h"
#include "conf/theme.h"
#include "regress/unit/unit.h"

#define THEMES (THEME_NAME_TOKYO_NIGHT + 1)

static double
linear(unsigned byte)
{
	const double c = byte / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Relative luminance of WCAG 2.2. */
static double
luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb >> 16 & 0xff) +
	       0.7152 * linear(rgb >> 8 & 0xff) + 0.0722 * linear(rgb & 0xff);
}

static double
contrast(uint32_t a, uint32_t b)
{
	const double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static uint32_t
in_256(uint32_t rgb)
{
	return colour_palette_rgb(
	    colour_rgb_to_256(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff));
}

static const struct theme_pair {
	enum style_theme a;
	enum style_theme b;
	double least;
} pairs[] = {
	{ STYLE_THEME_BLACK, STYLE_THEME_WHITE, 7 },
	{ STYLE_THEME_BLACK, STYLE_THEME_LIGHTGREY, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_GREEN, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_YELLOW, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_RED, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_BLUE, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_CYAN, 4.5 },
	{ STYLE_THEME_BLACK, STYLE_THEME_MAGENTA, 4.5 },
	{ STYLE_THEME_DARKGREY, STYLE_THEME_WHITE, 4.5 },
	{ STYLE_THEME_DARKGREY, STYLE_THEME_LIGHTGREY, 3 },
};

START_TEST(contrasts)
{
	const struct theme_pair *p;
	uint32_t a, b;
	size_t i;

	for (i = 0; i < ARRAY_LEN(pairs); i++) {
		p = &pairs[i];
		a = theme_colour((unsigned)_i / 2, _i % 2, p->a) & 0xffffff;
		b = theme_colour((unsigned)_i / 2, _i % 2, p->b) & 0xffffff;
		ck_assert_msg(contrast(a, b) >= p->least,
		    "theme %d: %06x on %06x", _i, b, a);
		ck_assert_msg(contrast(in_256(a), in_256(b)) >= p->least,
		    "theme %d: %06x on %06x in 256 colours", _i, b, a);
	}
	/* The background is dark in dark themes. */
	a = theme_colour((unsigned)_i / 2, _i % 2, STYLE_THEME_BLACK);
	ck_assert((luminance(a & 0xffffff) < 0.18) == (_i % 2 == 0));
}
END_TEST

START_TEST(others_are_none)
{
	ck_assert_uint_eq(
	    theme_colour(THEME_NAME_DEFAULT, false, STYLE_THEME_RED),
	    COLOUR_NONE);
	ck_assert_uint_eq(
	    theme_colour(THEMES, false, STYLE_THEME_RED), COLOUR_NONE);
	ck_assert_uint_eq(
	    theme_colour(THEME_NAME_NORD, false, STYLE_THEME_COUNT),
	    COLOUR_NONE);
	ck_assert_uint_eq(
	    theme_terminal_colour(STYLE_THEME_RED), colour_index(1));
	ck_assert_uint_eq(
	    theme_terminal_colour(STYLE_THEME_COUNT), COLOUR_DEFAULT);
}
END_TEST

UNIT_SUITE(theme)
{
	Suite *s = suite_create("theme");
	TCase *tc = tcase_create("theme");

	tcase_add_loop_test(tc, contrasts, 2, 2 * THEMES);
	tcase_add_test(tc, others_are_none);
	suite_add_tcase(s, tc);
	return s;
}
