#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "conf/format_draw.h"
#include "conf/format_text.h"
#include "regress/unit/unit.h"

static struct grapheme_table *widths;
static const struct pen base = { (colour)COLOUR_KIND_INDEX << 24 | 7, 0, 0, 0 };

/* Runs cover the line; ranges lie in it and do not overlap. */
static void
check_drawn(const struct format_drawn *d)
{
	size_t i;
	int x = 0;

	for (i = 0; i < d->run_count; i++) {
		ck_assert_int_eq(d->runs[i].x, x);
		ck_assert_int_gt(d->runs[i].width, 0);
		ck_assert_uint_eq(format_text_plain_width(
				      widths, d->runs[i].text, d->runs[i].len),
		    (size_t)d->runs[i].width);
		x += d->runs[i].width;
	}
	ck_assert_int_eq(x, d->width);
	for (i = 0; i < d->range_count; i++) {
		ck_assert_int_lt(d->ranges[i].start, d->ranges[i].end);
		ck_assert_int_le(d->ranges[i].end, d->width);
		ck_assert_int_ge(d->ranges[i].start, 0);
	}
}

/*
 * Prints "[text] x+width:style ... {start-end:range} ..." of non-plain parts.
 */
static char *
describe(const char *text, int width)
{
	struct format_drawn d;
	struct style sy;
	char name[STYLE_TEXT_MAX];
	struct buf out;
	size_t i;

	buf_init(&out, 1 << 16);
	format_draw(&d, widths, &base, text, strlen(text), width);
	check_drawn(&d);
	buf_add_u8(&out, '[');
	for (i = 0; i < d.run_count; i++)
		buf_add(&out, d.runs[i].text, d.runs[i].len);
	buf_add_u8(&out, ']');
	for (i = 0; i < d.run_count; i++) {
		if (pen_equal(&d.runs[i].pen, &base) &&
		    d.runs[i].link[0] == '\0')
			continue;
		style_init(&sy);
		sy.pen = d.runs[i].pen;
		if (sy.pen.fg == base.fg)
			sy.pen.fg = COLOUR_DEFAULT;
		snprintf(sy.link, sizeof(sy.link), "%s", d.runs[i].link);
		buf_addf(&out, " %d+%d:%s", d.runs[i].x, d.runs[i].width,
		    style_format(&sy, name, sizeof(name)));
	}
	for (i = 0; i < d.range_count; i++) {
		style_init(&sy);
		sy.range = d.ranges[i].range;
		buf_addf(&out, " {%d-%d:%s}", d.ranges[i].start,
		    d.ranges[i].end, style_format(&sy, name, sizeof(name)) + 6);
		ck_assert_ptr_eq(
		    format_drawn_at(&d, d.ranges[i].start), &d.ranges[i]);
		ck_assert_ptr_eq(
		    format_drawn_at(&d, d.ranges[i].end - 1), &d.ranges[i]);
	}
	ck_assert_ptr_null(format_drawn_at(&d, width));
	ck_assert_ptr_null(format_drawn_at(&d, -1));
	format_drawn_fini(&d);
	return buf_steal(&out, NULL);
}

START_TEST(lines_are_laid_out)
{
	static const struct {
		const char *text;
		int width;
		const char *want;
	} rows[] = {
		/* clang-format off */
		{ "", 3, "[   ]" },
		{ "abc", 0, "[]" },
		{ "abc", 5, "[abc  ]" },
		{ "abcdef", 3, "[abc]" },
		{ "a#[align=centre]b#[align=right]c", 7, "[a  b  c]" },
		{ "#[bold]a#[default]b", 4, "[ab  ] 0+1:bold" },
		{ "#[bg=red]a#[bg=default]b", 4, "[ab  ] 0+1:bg=red" },
		{ "#[bg=red]ab#[bg=red]c", 4, "[abc ] 0+3:bg=red" },
		{ "#[bold]a#[nonsense]b", 3, "[ab ] 0+2:bold" },
		{ "##[x]", 4, "[#[x]]" },
		{ "#[fill=blue]a", 3, "[a  ] 1+2:bg=blue" },
		{ "#[ignore]x#[noignore]y", 5, "[x#[no]" },
		{ "#[link=http://x/]a#[nolink]b", 3, "[ab ] 0+1:link=http://x/" },
		{ "#[bg=red]#[push-default]a#[bold]b#[default]c#[pop-default]#[default]d",
		    5, "[abcd ] 0+1:bg=red 1+1:bg=red,bold 2+1:bg=red" },
		{ "#[bg=red]#[set-default]a#[bold]b#[pop-default]#[default]c",
		    4, "[abc ] 0+1:bg=red 1+1:bg=red,bold 2+1:bg=red" },
		{ "#[range=left]ab#[norange]c#[range=window|3]de", 8,
		    "[abcde   ] {0-2:left}" },
		{ "#[range=left]ab#[norange]c#[range=window|3]de#[norange]f", 8,
		    "[abcdef  ] {0-2:left} {3-5:window|3}" },
		{ "#[range=window|1]ab#[range=window|2]cd#[range=window|2]ef#[norange]", 8,
		    "[abcdef  ] {0-2:window|1} {2-6:window|2}" },
		{ "#[range=user|x]#[norange]a#[range=pane|%3]b#[norange]#[range=session|$4]c#[range=control|5]d#[norange]",
		    5, "[abcd ] {1-2:pane|%3} {2-3:session|$4} {3-4:control|5}" },
		{ "#[align=right range=right]abcdef#[norange]", 4, "[cdef] {0-4:right}" },
		{ "#[range=left]ab#[align=right]cd#[norange]", 6, "[ab  cd] {0-2:left} {4-6:left}" },
		{ "#[list=on align=left]#[list=left-marker]<#[list=right-marker]>#[list=on]"
		  "#[range=window|0]0000#[norange] #[range=window|1 list=focus]1111#[norange list=on] #[range=window|2]2222#[norange]#[nolist]",
		    8, "[< 1111 >] {2-6:window|1}" },
		{ "L#[list=on align=left]ab#[nolist]c", 6, "[Labc  ]" },
		{ "L#[list=on align=right]ab#[nolist]c", 6, "[L  abc]" },
		{ "L#[list=on align=right]ab#[nolist align=right]c", 6, "[L  abc]" },
		{ "\xe6\x97\xa5\xe6\x9c\xac", 3, "[\xe6\x97\xa5 ]" },
		{ "#[align=right]\xe6\x97\xa5\xe6\x9c\xac", 3, "[ \xe6\x9c\xac]" },
		{ "e\xcc\x81" "a\xff\tb", 4, "[e\xcc\x81" "ab ]" },
		/* clang-format on */
	};
	size_t i;
	char *s;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		s = describe(rows[i].text, rows[i].width);
		ck_assert_msg(strcmp(s, rows[i].want) == 0,
		    "%s in %d: %s not %s", rows[i].text, rows[i].width, s,
		    rows[i].want);
		mem_free(s);
	}
}
END_TEST

/* Any sequence of pieces at any width keeps the invariants. */
START_TEST(any_line_is_covered)
{
	static const char *const pieces[] = { "a", "word ", "\xe6\x97\xa5",
		"#[list=on]", "#[nolist]", "#[list=focus]",
		"#[list=left-marker]", "#[list=right-marker]", "#[align=left]",
		"#[align=centre]", "#[align=right]", "#[align=absolute-centre]",
		"#[noalign]", "#[range=left]", "#[range=window|1]",
		"#[norange]", "#[fill=red]", "#[list=on align=centre]",
		"#[list=on align=right]", "#[list=on align=absolute-centre]",
		"#[list=on align=left]", "#[push-default]", "#[pop-default]",
		"#[bg=green]", "#[ignore]", "#[noignore]", "##", "#[", "<",
		">" };
	unsigned long seed = unit_seed(20151025);
	uint64_t r = seed;
	char text[1024];
	char *s;
	int i, k;

	for (i = 0; i < (int)unit_rounds(20000); i++) {
		text[0] = '\0';
		for (k = 0; k < 24; k++) {
			r = r * 6364136223846793005u + 1442695040888963407u;
			strcat(text, pieces[(r >> 33) % ARRAY_LEN(pieces)]);
		}
		s = describe(text, (int)(r >> 40) % 40);
		mem_free(s);
	}
}
END_TEST

START_TEST(big_lines_are_bounded)
{
	struct format_drawn d;
	char *text = mem_alloc(1 << 20);
	size_t i;

	memset(text, 'x', 1 << 20);
	format_draw(&d, NULL, &base, text, 1 << 20, 1 << 30);
	ck_assert_int_eq(d.width, FORMAT_DRAW_WIDTH_MAX);
	format_drawn_fini(&d);
	format_draw(&d, NULL, &base, text, 1 << 20, -5);
	ck_assert_int_eq(d.width, 0);
	format_drawn_fini(&d);
	for (i = 0; i + 16 < 1 << 20; i += 16)
		memcpy(text + i,
		    i % 32 == 0 ? "#[fg=red]xxxxxxx" : "#[fg=blue]xxxxxx", 16);
	format_draw(&d, NULL, &base, text, 1 << 20, 1000);
	format_drawn_fini(&d);
	mem_free(text);
}
END_TEST

static void
setup(void)
{
	widths = grapheme_table_new(NULL);
}

static void
teardown(void)
{
	grapheme_table_free(widths);
}

UNIT_SUITE(format_draw)
{
	Suite *s = suite_create("format_draw");
	TCase *tc = tcase_create("format_draw");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, lines_are_laid_out);
	tcase_add_test(tc, any_line_is_covered);
	tcase_add_test(tc, big_lines_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
