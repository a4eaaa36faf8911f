#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/colour.h"
#include "base/err.h"
#include "regress/unit/unit.h"

START_TEST(names_are_parsed_and_printed)
{
	static const struct {
		const char *in;
		colour c;
		const char *out; /* as formatted; NULL: the same */
	} rows[] = {
		{ "default", 0, NULL },
		{ "terminal", 3u << 24, NULL },
		{ "none", 4u << 24, NULL },
		{ "theme7", 5u << 24 | 7, NULL },
		{ "black", 1u << 24, NULL },
		{ "red", 1u << 24 | 1, NULL },
		{ "BrightWhite", 1u << 24 | 15, "brightwhite" },
		{ "7", 1u << 24 | 7, "white" },
		{ "90", 1u << 24 | 8, "brightblack" },
		{ "97", 1u << 24 | 15, "brightwhite" },
		{ "colour255", 1u << 24 | 255, NULL },
		{ "color12", 1u << 24 | 12, "brightblue" },
		{ "COLOUR016", 1u << 24 | 16, "colour16" },
		{ "#AbCdEf", 2u << 24 | 0xabcdef, "#abcdef" },
		{ "#abc", 2u << 24 | 0xaabbcc, "#aabbcc" },
		{ "LightSteelBlue1", 2u << 24 | 0xcae1ff, "#cae1ff" },
		{ "alice blue", 2u << 24 | 0xf0f8ff, "#f0f8ff" },
		{ "grey0", 2u << 24, "#000000" },
		{ "gray50", 2u << 24 | 0x7f7f7f, "#7f7f7f" },
		{ "grey100", 2u << 24 | 0xffffff, "#ffffff" },
		{ "rebeccapurple", 2u << 24 | 0x663399, "#663399" },
	};
	static const char *const bad[] = { "", "8", "89", "98", "123", "007",
		"-1", "+1", "colour256", "colour", "colour-1", "colour 1x",
		"#12345", "#1234567", "#12345g", "#", "grey101", "brightgrey",
		"bright", "nosuchcolour", "theme", "theme256",
		"averyveryveryverylongnameofacolour", "#aaabbbccc" };
	colour c, again;
	char text[32];
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_msg(
		    colour_parse(rows[i].in, &c) == 0, "%s", rows[i].in);
		ck_assert_msg(c == rows[i].c, "%s: %x", rows[i].in, c);
		colour_format(c, text, sizeof(text));
		ck_assert_str_eq(
		    text, rows[i].out == NULL ? rows[i].in : rows[i].out);
		ck_assert_int_eq(colour_parse(text, &again), 0);
		ck_assert_uint_eq(again, c);
	}
	c = 77;
	for (i = 0; i < ARRAY_LEN(bad); i++)
		ck_assert_msg(
		    colour_parse(bad[i], &c) == -ERR_SYNTAX, "%s", bad[i]);
	ck_assert_uint_eq(c, 77);
}
END_TEST

START_TEST(x11_specifications)
{
	static const struct {
		const char *in;
		int r;
		uint32_t rgb;
	} rows[] = {
		{ "rgb:ff/80/00", 0, 0xff8000 },
		{ "rgb:ffff/8080/0000", 0, 0xff8000 },
		{ "rgb:f/8/0", 0, 0xff8800 },
		{ "rgb:fff/800/123", 0, 0xff8012 },
		{ "rgb:1/22/3333", 0, 0x112233 },
		{ "#f80", 0, 0xf08000 },
		{ "#ff8000", 0, 0xff8000 },
		{ "#fff888000", 0, 0xff8800 },
		{ "#ffff88880000", 0, 0xff8800 },
		{ "Light Grey", 0, 0xd3d3d3 },
		{ "red", 0, 0xff0000 },
		{ "green", 0, 0x00ff00 },
		{ "RGB:FF/80/00", 0, 0xff8000 },
		{ "LightSlateGray", 0, 0x778899 },
		/* The rest is what Xlib's XParseColor says, but for cielab. */
		{ "rgbi:0/0/0", 0, 0x000000 },
		{ "rgbi:1/1.0/+1e0", 0, 0xffffff },
		{ "rgbi:.5/.5/.5", 0, 0xc1bbbb },
		{ "RGBi:0.25/0.1/0.05", 0, 0x93634d },
		{ "rgbi:20e-3/.01/.005", 0, 0x362a1f },
		{ "rgbi:2/-1/-0", 0, 0xff0000 },
		{ "CIEXYZ:0.3/0.3/0.3", 0, 0xb49382 },
		{ "CIEXYZ:0.94966/1/1.40604", 0, 0xffffff },
		{ "CIExyY:0.3/0.3/0.25", 0, 0x9f8a8b },
		{ "CIExyY:0.3/0/0.25", 0, 0x000000 },
		{ "CIEuvY:0.1978/0.4683/0.5", 0, 0xcebaa6 },
		{ "TekHVC:0/50/0", 0, 0x837d7e },
		{ "TekHVC:120/60/30", 0, 0x6ca36e },
		{ "tekhvc:240/50/10", 0, 0x767e8c },
		{ "TekHVC:360/100/0", 0, 0xffffff },
		{ "TekHVC:10/0/0", 0, 0x000000 },
		{ "CIELab:50/0/0", 0, 0x837d7e },
		{ "CIELab:100/0/0", 0, 0xffffff },
		{ "CIELab:50/20/-30", 0, 0x8074ab },
		{ "CIELuv:50/0/0", 0, 0x837d7e },
		{ "CIELuv:0/9/9", 0, 0x000000 },
		{ "rgbi:1/1", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/1/1", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/1x", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/1e", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/1e999", -ERR_SYNTAX, 0 },
		{ "rgbi:1/1/1e99", -ERR_SYNTAX, 0 },
		{ "rgbi:./1/1", -ERR_SYNTAX, 0 },
		{ "rgbi:1,5/1/1", -ERR_SYNTAX, 0 },
		{ "rgbi:nan/0/inf", -ERR_SYNTAX, 0 },
		{ "rgbi:0x1/0/0", -ERR_SYNTAX, 0 },
		{ "CIEXYZ:0.000000000000000000000000000000001/0/0", -ERR_SYNTAX,
		    0 },
		{ "CIEXYZ", -ERR_SYNTAX, 0 },
		{ "CIEABC:0/0/0", -ERR_SYNTAX, 0 },
		{ "rgb:ff/80", -ERR_SYNTAX, 0 },
		{ "rgb:ff/80/00/00", -ERR_SYNTAX, 0 },
		{ "rgb:ff/80/", -ERR_SYNTAX, 0 },
		{ "rgb:fffff/8/0", -ERR_SYNTAX, 0 },
		{ "rgb:", -ERR_SYNTAX, 0 },
		{ "rgb:///", -ERR_SYNTAX, 0 },
		{ "#ffff", -ERR_SYNTAX, 0 },
		{ "#fffffffffffffff", -ERR_SYNTAX, 0 },
		{ "?", -ERR_SYNTAX, 0 },
		{ "", -ERR_SYNTAX, 0 },
		{ "default", -ERR_SYNTAX, 0 },
	};
	uint32_t rgb;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		rgb = 0;
		ck_assert_msg(colour_parse_x11(rows[i].in, strlen(rows[i].in),
				  &rgb) == rows[i].r,
		    "%s", rows[i].in);
		ck_assert_msg(rgb == rows[i].rgb, "%s: %06x", rows[i].in, rgb);
	}
	ck_assert_int_eq(colour_parse_x11("red\0x", 5, &rgb), -ERR_SYNTAX);
	ck_assert_int_eq(colour_parse_x11("redx", 3, &rgb), 0);
}
END_TEST

START_TEST(every_name_of_rgb_txt_is_known)
{
	char line[256], *name;
	unsigned r, g, b;
	uint32_t rgb;
	int at;
	FILE *f = fopen("/usr/share/X11/rgb.txt", "r");

	if (f == NULL) {
		fprintf(stderr, "rgb.txt is not installed: skipped\n");
		return;
	}
	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%u %u %u %n", &r, &g, &b, &at) != 3)
			continue;
		name = line + at;
		name[strcspn(name, "\n")] = '\0';
		ck_assert_msg(colour_parse_x11(name, strlen(name), &rgb) == 0 &&
				  rgb == (r << 16 | g << 8 | b),
		    "%s", name);
	}
	fclose(f);
}
END_TEST

START_TEST(the_nearest_of_256_is_the_nearest)
{
	unsigned r, g, b, i, best, d, got;
	uint32_t rgb;

	ck_assert_uint_eq(colour_palette_rgb(16), 0);
	ck_assert_uint_eq(colour_palette_rgb(231), 0xffffff);
	ck_assert_uint_eq(colour_palette_rgb(232), 0x080808);
	ck_assert_uint_eq(colour_palette_rgb(255), 0xeeeeee);
	ck_assert_uint_eq(colour_palette_rgb(208), 0xff8700);
	for (i = 16; i < 256; i++) {
		rgb = colour_palette_rgb(i);
		got = colour_rgb_to_256(rgb >> 16, rgb >> 8, rgb);
		ck_assert_uint_eq(colour_palette_rgb(got), rgb);
	}
	for (r = 0; r < 256; r += 15) {
		for (g = 0; g < 256; g += 7) {
			for (b = 0; b < 256; b += 17) {
				best = UINT32_MAX;
				for (i = 16; i < 256; i++) {
					rgb = colour_palette_rgb(i);
#define SQUARE(x, y) (((x) - (y)) * ((x) - (y)))
					d = SQUARE(r, rgb >> 16) +
					    SQUARE(g, (rgb >> 8 & 0xff)) +
					    SQUARE(b, (rgb & 0xff));
					best = MIN_OF(best, d);
				}
				rgb = colour_palette_rgb(
				    colour_rgb_to_256(r, g, b));
				d = SQUARE(r, rgb >> 16) +
				    SQUARE(g, (rgb >> 8 & 0xff)) +
				    SQUARE(b, (rgb & 0xff));
				ck_assert_msg(
				    d == best, "%u %u %u: %06x", r, g, b, rgb);
			}
		}
	}
}
END_TEST

START_TEST(the_16_keep_hue)
{
	static const uint8_t rows[][2] = { { 0, 0 }, { 9, 9 }, { 15, 15 },
		{ 16, 0 }, { 17, 4 }, { 18, 4 }, { 21, 12 }, { 22, 2 },
		{ 23, 6 }, { 46, 10 }, { 51, 14 }, { 52, 1 }, { 88, 1 },
		{ 90, 5 }, { 196, 9 }, { 201, 13 }, { 208, 9 }, { 226, 11 },
		{ 231, 15 }, { 232, 0 }, { 240, 8 }, { 250, 7 }, { 255, 7 } };
	unsigned i;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(colour_256_to_16(rows[i][0]) == rows[i][1],
		    "%u: %u", rows[i][0], colour_256_to_16(rows[i][0]));
	for (i = 0; i < 256; i++)
		ck_assert_uint_lt(colour_256_to_16(i), 16);
}
END_TEST

UNIT_SUITE(colour)
{
	Suite *s = suite_create("colour");
	TCase *tc = tcase_create("colour");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, names_are_parsed_and_printed);
	tcase_add_test(tc, x11_specifications);
	tcase_add_test(tc, every_name_of_rgb_txt_is_known);
	tcase_add_test(tc, the_nearest_of_256_is_the_nearest);
	tcase_add_test(tc, the_16_keep_hue);
	suite_add_tcase(s, tc);
	return s;
}
