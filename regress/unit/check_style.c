#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "conf/style.h"
#include "regress/unit/unit.h"

/* A style and its printed form (NULL: unchanged). */
static const struct {
	const char *in;
	const char *out;
} rows[] = {
	/* clang-format off */
	{ "", "default" },
	{ "default", NULL },
	{ " , \n,", "default" },
	{ "fg=red", NULL },
	{ "fg=red,bg=blue", NULL },
	{ "bg=blue fg=red", "fg=red,bg=blue" },
	{ "fg=brightred", NULL },
	{ "fg=colour123", NULL },
	{ "fg=#ff8700", NULL },
	{ "fg=default", "default" },
	{ "fg=terminal", NULL },
	{ "us=green", NULL },
	{ "fg=red us=green underscore", "fg=red,us=green,underscore" },
	{ "fg=themeblack", NULL },
	{ "bg=themewhite", NULL },
	{ "fg=themelightgrey,bg=themedarkgrey", NULL },
	{ "fg=themegreen", NULL },
	{ "fg=themeyellow", NULL },
	{ "fg=themered", NULL },
	{ "fg=themeblue", NULL },
	{ "fg=themecyan", NULL },
	{ "fg=ThemeMagenta", "fg=thememagenta" },
	{ "acs", NULL },
	{ "bold", NULL },
	{ "bright", "bold" },
	{ "dim", NULL },
	{ "underscore", NULL },
	{ "blink", NULL },
	{ "reverse", NULL },
	{ "hidden", NULL },
	{ "italics", NULL },
	{ "overline", NULL },
	{ "strikethrough", NULL },
	{ "double-underscore", NULL },
	{ "curly-underscore", NULL },
	{ "dotted-underscore", NULL },
	{ "dashed-underscore", NULL },
	{ "bold|dim|reverse", "bold,dim,reverse" },
	{ "bold,nobold", "default" },
	{ "bold,dim,nobold", "dim" },
	{ "underscore,nounderscore", "default" },
	{ "curly-underscore,nounderscore", "curly-underscore" },
	{ "bold,reverse,none", "default" },
	{ "fg=red,bold,default", "default" },
	{ "noattr,bg=yellow,fg=black", "noattr,fg=black,bg=yellow" },
	{ "align=left", NULL },
	{ "align=centre", NULL },
	{ "align=right", NULL },
	{ "align=absolute-centre", NULL },
	{ "align=right,noalign", "default" },
	{ "fill=blue", NULL },
	{ "fill=default", NULL },
	{ "list=on", NULL },
	{ "list=focus", NULL },
	{ "list=left-marker", NULL },
	{ "list=right-marker", NULL },
	{ "list=on,nolist", "default" },
	{ "range=left", NULL },
	{ "range=right", NULL },
	{ "range=window|3", NULL },
	{ "range=pane|%12", NULL },
	{ "range=session|$4", NULL },
	{ "range=user|name", NULL },
	{ "range=user|a-very-long-user-name", "range=user|a-very-long-use" },
	{ "range=control|9", NULL },
	{ "range=window|3,norange", "default" },
	{ "range=none", "default" },
	{ "push-default", NULL },
	{ "pop-default", NULL },
	{ "set-default", NULL },
	{ "ignore", NULL },
	{ "ignore,noignore", "default" },
	{ "width=10", NULL },
	{ "width=50%", NULL },
	{ "pad=2", NULL },
	{ "dim=40%", "dim=40" },
	{ "link=https://example.org/", NULL },
	{ "link=x nolink", "default" },
	{ "list=focus align=right fg=red,bold range=window|1 fill=green",
	    "list=focus,range=window|1,align=right,fill=green,fg=red,bold" },
	{ "bg=black,fg=white,width=1,pad=0",
	    "fg=white,bg=black,width=1,pad=0" },
	/* clang-format on */
};

static const char *const bad[] = { "nosuch", "fg", "fg=", "fg=nosuch",
	"bg=colour256", "us=#12", "fill=", "align=", "align=middle",
	"list=", "list=off-marker", "range=", "range=window", "range=window|",
	"range=window|x", "range=window|-1", "range=left|1", "range=pane|1",
	"range=pane|%", "range=session|1", "range=session|%1", "range=user|",
	"range=control|10", "range=what|1", "range=averyveryverylongkind|1",
	"width=", "width=x", "width=101%", "width=-1", "pad=", "pad=x",
	"dim=101", "dim=", "nofoo", "no", "bold|", "|bold", "bold|foo",
	"fg=red;bold", "default=1", "pushdefault", "fg=none" };

static void
expect_equal(const struct style *a, const struct style *b)
{
	char x[STYLE_TEXT_MAX], y[STYLE_TEXT_MAX];

	ck_assert_str_eq(
	    style_format(a, x, sizeof(x)), style_format(b, y, sizeof(y)));
}

START_TEST(words_are_read_and_printed)
{
	struct style sy, again;
	char text[STYLE_TEXT_MAX];
	const char *want;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		style_init(&sy);
		ck_assert_msg(
		    style_parse(&sy, NULL, rows[i].in, strlen(rows[i].in)) == 0,
		    "%s", rows[i].in);
		want = rows[i].out != NULL ? rows[i].out : rows[i].in;
		ck_assert_str_eq(style_format(&sy, text, sizeof(text)), want);
		style_init(&again);
		ck_assert_int_eq(
		    style_parse(&again, NULL, text, strlen(text)), 0);
		expect_equal(&again, &sy);
	}
}
END_TEST

START_TEST(bad_words_leave_the_style_alone)
{
	struct style sy, before;
	char line[600];
	size_t i;

	style_init(&sy);
	ck_assert_int_eq(style_parse(&sy, NULL, "fg=red,bold", 11), 0);
	before = sy;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(line, sizeof(line), "bg=blue,%s,dim", bad[i]);
		ck_assert_msg(
		    style_parse(&sy, NULL, line, strlen(line)) == -ERR_SYNTAX,
		    "%s", bad[i]);
		expect_equal(&sy, &before);
	}
	memset(line, 'x', sizeof(line));
	ck_assert_int_eq(
	    style_parse(&sy, NULL, line, sizeof(line)), -ERR_SYNTAX);
	ck_assert_int_eq(style_parse(&sy, NULL, "bold\0dim", 8), -ERR_SYNTAX);
}
END_TEST

START_TEST(default_means_the_base_pen)
{
	struct pen base = { colour_index(2), colour_index(4), 0, PEN_DIM };
	struct style sy;

	style_init(&sy);
	ck_assert_int_eq(style_parse(&sy, &base, "fg=red,bold", 11), 0);
	ck_assert_int_eq(style_parse(&sy, &base, "fg=default", 10), 0);
	ck_assert_uint_eq(sy.pen.fg, colour_index(2));
	ck_assert_uint_eq(sy.pen.attrs, PEN_BOLD);
	ck_assert_int_eq(style_parse(&sy, &base, "default", 7), 0);
	ck_assert(pen_equal(&sy.pen, &base));
}
END_TEST

START_TEST(styles_lie_over_pens)
{
	struct pen pen = { colour_index(2), colour_index(4), 0,
		PEN_DIM | PEN_UL_SINGLE << PEN_UL_SHIFT };
	struct style sy;

	style_init(&sy);
	style_apply(&sy, &pen);
	ck_assert_uint_eq(pen.fg, colour_index(2));
	ck_assert_int_eq(style_parse(&sy, NULL, "fg=red,us=blue,bold", 19), 0);
	style_apply(&sy, &pen);
	ck_assert_uint_eq(pen.fg, colour_index(1));
	ck_assert_uint_eq(pen.bg, colour_index(4));
	ck_assert_uint_eq(pen.ul, colour_index(4));
	ck_assert_int_eq(pen_underline(&pen), PEN_UL_SINGLE);
	ck_assert_uint_eq(pen.attrs & (PEN_BOLD | PEN_DIM), PEN_BOLD | PEN_DIM);
	style_init(&sy);
	ck_assert_int_eq(
	    style_parse(&sy, NULL, "noattr,curly-underscore", 23), 0);
	style_apply(&sy, &pen);
	ck_assert_uint_eq(pen.attrs, (unsigned)PEN_UL_CURLY << PEN_UL_SHIFT);
}
END_TEST

START_TEST(themes_have_names)
{
	colour theme, c;
	char name[32];
	unsigned i;

	for (i = 0; i < STYLE_THEME_COUNT; i++) {
		theme = (colour)COLOUR_KIND_THEME << 24 | i;
		(void)style_colour_format(theme, name, sizeof(name));
		ck_assert_int_eq(strncmp(name, "theme", 5), 0);
		ck_assert_int_eq(style_colour_parse(name, &c), 0);
		ck_assert_uint_eq(c, theme);
	}
}
END_TEST

UNIT_SUITE(style)
{
	Suite *s = suite_create("style");
	TCase *tc = tcase_create("style");

	tcase_add_test(tc, words_are_read_and_printed);
	tcase_add_test(tc, bad_words_leave_the_style_alone);
	tcase_add_test(tc, default_means_the_base_pen);
	tcase_add_test(tc, styles_lie_over_pens);
	tcase_add_test(tc, themes_have_names);
	suite_add_tcase(s, tc);
	return s;
}
