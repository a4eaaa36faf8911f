#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/grapheme.h"
#include "base/utf8.h"
#include "regress/unit/unit.h"

static const struct newer {
	uint32_t first;
	uint32_t last;
} newer[] = {
#define X(first, last, gc, width) { first, last },
#include "base/unicode_new.def"
#undef X
};

static struct grapheme_table *table;

static void
setup(void)
{
	table = grapheme_table_new(NULL);
}

static void
teardown(void)
{
	grapheme_table_free(table);
}

static int
text_width(const char *s)
{
	return (int)grapheme_text_width(table, s, strlen(s));
}

/*
 * Opens a Unicode data file of the version that the tables are of, where
 * regress/ref/peer.sh has put it or the system has it.
 */
static FILE *
unicode_open(const char *name)
{
	const char *home = getenv("HOME"), *peers = getenv("RMUX_PEERS");
	char path[4096], line[256];
	FILE *f;
	int i, from;

	for (from = 0; from < 2; from++) {
		if (from == 1)
			snprintf(
			    path, sizeof(path), "/usr/share/unicode/%s", name);
		else if (peers != NULL)
			snprintf(path, sizeof(path),
			    "%s/sid-unicode-data/root/usr/share/unicode/%s",
			    peers, name);
		else
			snprintf(path, sizeof(path),
			    "%s/.cache/rmux-peers/sid-unicode-data/root/usr/"
			    "share/unicode/%s",
			    home == NULL ? "" : home, name);
		if ((f = fopen(path, "r")) == NULL)
			continue;
		for (i = 0; i < 12 && fgets(line, sizeof(line), f) != NULL; i++)
			if (strstr(line, "17.0") != NULL)
				return f;
		fclose(f);
	}
	fprintf(stderr, "%s of Unicode 17 is not here: skipped\n", name);
	return NULL;
}

/* GB9c came with Unicode 15.1. */
static bool
has_gb9c(void)
{
	return strtod(utf8proc_unicode_version(), NULL) > 15.05;
}

/* Lines of "boundary mark, code point, boundary mark, ..., # comment". */
START_TEST(boundaries_are_those_of_the_unicode_test)
{
	struct grapheme_state st;
	char line[1024], *p, *end;
	bool want, got;
	int tests = 0, boundaries = 0;
	uint32_t cp;
	FILE *f;

	if ((f = unicode_open("auxiliary/GraphemeBreakTest.txt")) == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		/* Rule 9.3 is GB9c. */
		if (!has_gb9c() && strstr(line, "[9.3]") != NULL)
			continue;
		if ((p = strchr(line, '#')) != NULL)
			*p = '\0';
		if (strncmp(line, "\303\267", 2) != 0)
			continue;
		tests++;
		memset(&st, 0, sizeof(st));
		for (p = line; strlen(p) > 4; p = end) {
			want = strncmp(p, "\303\267", 2) == 0;
			cp = (uint32_t)strtoul(p + 3, &end, 16);
			if (*end == ' ')
				end++;
			got = grapheme_break(table, &st, cp);
			ck_assert_msg(got == want, "%s at %s", line, p);
			boundaries++;
		}
	}
	fclose(f);
	ck_assert_int_gt(tests, 500);
	ck_assert_int_gt(boundaries, tests);
}
END_TEST

struct mix {
	uint32_t first;
	uint32_t last;
};

/* Random sources at the borders of the rules, one in each row. */
static const struct mix mixes[][8] = {
	{ { 0, 0x10ffff } },
	{ { 0, 0x2ff }, { 0x300, 0x36f }, { 0x200c, 0x200d }, { 10, 13 } },
	{ { 0x1f1e6, 0x1f1ff }, { 0x1f468, 0x1f469 }, { 0x200d, 0x200d },
	    { 0xfe0f, 0xfe0f }, { 0x1f3fb, 0x1f3ff }, { 0x2764, 0x2764 },
	    { 'a', 'b' }, { 0x600, 0x605 } },
	{ { 0x1100, 0x11ff }, { 0xac00, 0xac40 }, { 0xd7b0, 0xd7fb },
	    { 0xa960, 0xa97c }, { 0x302e, 0x302f } },
	{ { 0x900, 0xdff }, { 0x200c, 0x200d }, { 0x94d, 0x94d },
	    { 0x915, 0x939 }, { 0x93c, 0x93c }, { 0x1f600, 0x1f610 } },
	{ { 0xe00, 0xfff }, { 0x1000, 0x109f }, { 0x1780, 0x17ff },
	    { 0x11000, 0x11fff } },
	{ { 0x2000, 0x2fff }, { 0xfe00, 0xfe0f }, { 0x20d0, 0x20f0 },
	    { 0xe0000, 0xe01ef }, { 0x1f000, 0x1fbff } },
};

/* Whether the library may break otherwise around CP. */
static bool
library_differs(uint32_t cp)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(newer); i++)
		if (cp >= newer[i].first && cp <= newer[i].last)
			return true;
	return false;
}

START_TEST(boundaries_equal_utf8proc_on_random_mixes)
{
	unsigned long seed = unit_seed(11);
	uint32_t x = (uint32_t)seed, cp, prev;
	const struct mix *m;
	struct grapheme_state st;
	utf8proc_int32_t state;
	size_t i, count;
	int step;
	bool got, want, first;

	for (i = 0; i < ARRAY_LEN(mixes); i++) {
		first = true;
		count = 0;
		while (count < 8 && mixes[i][count].last != 0)
			count++;
		memset(&st, 0, sizeof(st));
		state = 0;
		prev = 0;
		for (step = 0; step < (int)unit_rounds(200000); step++) {
			x = x * 1664525 + 1013904223;
			m = &mixes[i][(x >> 24) % count];
			x = x * 1664525 + 1013904223;
			cp = m->first +
			     (uint32_t)(((uint64_t)x *
					    (m->last - m->first + 1)) >>
					32);
			if (library_differs(cp))
				continue;
			got = grapheme_break(table, &st, cp);
			want = first || utf8proc_grapheme_break_stateful(
					    (utf8proc_int32_t)prev,
					    (utf8proc_int32_t)cp, &state);
			ck_assert_msg(got == want,
			    "mix %zu step %d U+%04X U+%04X seed %lu", i, step,
			    prev, cp, seed);
			prev = cp;
			first = false;
		}
	}
}
END_TEST

START_TEST(conjuncts_follow_the_library)
{
	struct grapheme_state st = { 0, 0 };

	ck_assert(grapheme_break(table, &st, 0x915));
	ck_assert(!grapheme_break(table, &st, 0x94d));
	ck_assert(grapheme_break(table, &st, 0x924) != has_gb9c());
}
END_TEST

/* Converts the code points of a line's first field to UTF-8; 0 if none. */
static size_t
line_text(const char *line, uint8_t *out)
{
	size_t n = 0;
	char *end;
	unsigned long cp;

	while ((cp = strtoul(line, &end, 16)) != 0 && end != line) {
		n += utf8_encode((uint32_t)cp, out + n);
		line = end;
	}
	return n;
}

START_TEST(emoji_sequences_are_one_cluster_of_two_cells)
{
	char line[1024];
	uint8_t text[128];
	int count = 0, width;
	size_t n;
	FILE *f;

	if ((f = unicode_open("emoji/emoji-test.txt")) == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#' || (n = line_text(line, text)) == 0)
			continue;
		ck_assert_uint_eq(grapheme_next(table, text, n, &width), n);
		if (strstr(line, "; fully-qualified") == NULL &&
		    strstr(line, "; component") == NULL)
			continue;
		ck_assert_msg(width == 2, "%d: %s", width, line);
		count++;
	}
	fclose(f);
	ck_assert_int_gt(count, 3000);
}
END_TEST

START_TEST(widths_of_single_code_points)
{
	static const struct {
		uint32_t first, last;
		int width;
	} rows[] = {
		{ 0, 0x1f, 0 },
		{ ' ', '~', 1 },
		{ 0x7f, 0x9f, 0 },
		{ 0xa0, 0x2ff, 1 },
		{ 0x300, 0x36f, 0 },
		{ 0x600, 0x605, 1 },
		{ 0x6dd, 0x6dd, 1 },
		{ 0x903, 0x903, 0 },
		{ 0xe33, 0xe33, 1 },
		{ 0x1100, 0x115f, 2 },
		{ 0x1160, 0x11ff, 1 },
		{ 0x200b, 0x200f, 0 },
		{ 0x2028, 0x2029, 0 },
		{ 0x2065, 0x2065, 0 },
		{ 0x2500, 0x257f, 1 },
		{ 0x263a, 0x263a, 1 },
		{ 0x3000, 0x3029, 2 },
		{ 0x302a, 0x302d, 0 },
		{ 0x3041, 0x3096, 2 },
		{ 0x3164, 0x3164, 2 },
		{ 0x3400, 0x4dbf, 2 },
		{ 0x4e00, 0x9fff, 2 },
		{ 0xac00, 0xd7a3, 2 },
		{ 0xe000, 0xf8ff, 1 },
		{ 0xf900, 0xfaff, 2 },
		{ 0xfe00, 0xfe0f, 0 },
		{ 0xff01, 0xff60, 2 },
		{ 0xff61, 0xff9f, 1 },
		{ 0xfffd, 0xfffd, 1 },
		{ 0x1f1e6, 0x1f1ff, 1 },
		{ 0x1f3fb, 0x1f3ff, 2 },
		{ 0x1f600, 0x1f64f, 2 },
		{ 0x20000, 0x2fffd, 2 },
		{ 0x30000, 0x3fffd, 2 },
		{ 0xe0100, 0xe01ef, 0 },
		{ 0xe01f0, 0xe0fff, 0 },
		{ 0x110000, 0x110010, 1 },
		{ 0xffffffff, 0xffffffff, 1 },
	};
	uint32_t cp;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		cp = rows[i].first;
		do {
			ck_assert_msg(
			    grapheme_cp_width(table, cp) == rows[i].width,
			    "U+%04X: %d", cp, grapheme_cp_width(table, cp));
		} while (cp++ != rows[i].last);
	}
}
END_TEST

/* The table uses the first code point of such a plane for all. */
START_TEST(planes_without_characters_are_even)
{
	struct grapheme_state first, st;
	uint32_t cp, plane;
	int width;

	for (plane = 4; plane < 17; plane++) {
		if (plane == 14)
			continue;
		width = grapheme_cp_width(table, plane << 16);
		memset(&first, 0, sizeof(first));
		grapheme_break(table, &first, plane << 16);
		for (cp = plane << 16; cp < (plane + 1) << 16;
		     cp += unit_stride(61)) {
			ck_assert_int_eq(
			    utf8proc_charwidth((utf8proc_int32_t)cp), width);
			ck_assert_uint_eq(
			    utf8proc_get_property((utf8proc_int32_t)cp)
				->boundclass,
			    UTF8PROC_BOUNDCLASS_OTHER);
			memset(&st, 0, sizeof(st));
			grapheme_break(table, &st, cp);
			ck_assert_uint_eq(st.prev, first.prev);
		}
	}
}
END_TEST

START_TEST(widths_of_clusters)
{
	static const struct {
		const char *text;
		int width;
	} rows[] = {
		{ "", 0 },
		{ "hello", 5 },
		{ "e\u0301", 1 },
		{ "\u0301", 0 },
		{ "x\u0301y", 2 },
		{ "\u65e5\u672c", 4 },
		{ "\u1112\u1161\u11ab", 2 },
		{ "\ud55c\u11ab", 2 },
		{ "\U0001f1e9\U0001f1ea", 2 },
		{ "\U0001f1e9", 1 },
		{ "\U0001f1e9\U0001f1ea\U0001f1eb", 3 },
		{ "1\ufe0f\u20e3", 2 },
		{ "1\u20e3", 1 },
		{ "\u2764\ufe0f", 2 },
		{ "\u2764", 1 },
		{ "\u2764\ufe0e", 1 },
		{ "\U0001f600\ufe0e", 2 },
		{ "x\ufe0f", 1 },
		{ "\u261d\U0001f3fd", 2 },
		{ "\U0001f468\u200d\U0001f469\u200d\U0001f467", 2 },
		{ "\u0e01\u0e33", 2 },
		{ "\uff76\uff9e", 2 },
		{ "\uff9e", 1 },
		{ "\u304b\uff9e", 2 },
		{ "\u0915\u094d\u0937", -1 },
		{ "\u0600a", 1 },
		{ "a\xff\xfe", 3 },
		{ "\xe2\x82", 1 },
		{ "a\r\nb\tc", 3 },
	};
	size_t i;
	int want;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		want = rows[i].width;
		if (want < 0) /* two clusters, or one since GB9c */
			want = strtod(utf8proc_unicode_version(), NULL) > 15.05
				   ? 1
				   : 2;
		ck_assert_msg(text_width(rows[i].text) == want, "row %zu: %d",
		    i, text_width(rows[i].text));
	}
}
END_TEST

START_TEST(simple_runs_never_join)
{
	static const uint32_t cp[] = { 0x61, 0xe9, 0x2500, 0x4e00, 0xac00,
		0xac01, 0x1f600, 0x915, 0x301, 0x1f1e9, 0x600, 0x200b, 0x1100 };
	static const uint8_t want[] = { 1, 1, 1, 2, 2, 2, 2, 1 };
	struct grapheme_table *t = grapheme_table_new(NULL);
	uint32_t x = (uint32_t)unit_seed(7), prev = 0, c;
	struct grapheme_state st = { 0, 0 };
	unsigned round, joined = 0;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cp); i++)
		ck_assert_uint_eq(grapheme_simple(t, cp[i]),
		    i < ARRAY_LEN(want) ? want[i] : 0u);
	/* Between two simple code points there is always a break. */
	for (round = 0; round < 1000000; round++) {
		x = x * 1664525 + 1013904223;
		c = x >> 28 < 8 ? cp[(x >> 8) % ARRAY_LEN(cp)]
				: (x >> 4) % 0x20000;
		if (grapheme_break(t, &st, c) || prev == 0 ||
		    grapheme_simple(t, c) == 0) {
			prev = c;
			continue;
		}
		joined++;
		ck_assert_uint_eq(grapheme_simple(t, prev), 0);
		prev = c;
	}
	ck_assert_uint_gt(joined, 0);
	grapheme_table_free(t);
}
END_TEST

START_TEST(options_change_widths)
{
	static const struct grapheme_override overrides[] = {
		{ 0xe000, 0xf8ff, 2 },
		{ 0xe100, 0xe1ff, 1 },
		{ 0, 0x7f, 2 },
		{ 0x10fff0, 0xffffffff, 0 },
		{ 0x263a, 0x2630, 2 },
	};
	struct grapheme_options opt = {
		.ambiguous_wide = true,
		.overrides = overrides,
		.override_count = ARRAY_LEN(overrides),
	};
	struct grapheme_table *t = grapheme_table_new(&opt);

	ck_assert_int_eq(grapheme_cp_width(t, 0x2500), 2);
	ck_assert_int_eq(grapheme_cp_width(t, 0xa1), 2);
	ck_assert_int_eq(grapheme_cp_width(t, 0x300), 0);
	ck_assert_int_eq(grapheme_cp_width(t, 0xe000), 2);
	ck_assert_int_eq(grapheme_cp_width(t, 0xe100), 1);
	ck_assert_int_eq(grapheme_cp_width(t, 0xe200), 2);
	ck_assert_int_eq(grapheme_cp_width(t, 'a'), 1);
	ck_assert_int_eq(grapheme_cp_width(t, 0x10ffff), 0);
	ck_assert_int_eq(grapheme_cp_width(t, 0x263a), 1);
	/* Rebuild in place; the second time as at first. */
	opt = (struct grapheme_options){ .vs16_narrow = true };
	grapheme_table_set(t, &opt);
	ck_assert_int_eq(grapheme_cp_width(t, 0xe000), 1);
	ck_assert_uint_eq(
	    grapheme_text_width(t, "\xe2\x9d\xa4\xef\xb8\x8f", 6), 1);
	grapheme_table_set(t, NULL);
	ck_assert_uint_eq(
	    grapheme_text_width(t, "\xe2\x9d\xa4\xef\xb8\x8f", 6), 2);
	grapheme_table_free(t);
	grapheme_table_free(NULL);
}
END_TEST

START_TEST(text_width_is_the_sum_of_its_clusters)
{
	unsigned long seed = unit_seed(5);
	uint32_t x = (uint32_t)seed;
	uint8_t text[256];
	size_t n, at, sum, round;
	int w;

	for (round = 0; round < unit_rounds(20000); round++) {
		for (n = 0; n < 200; n++) {
			x = x * 1664525 + 1013904223;
			if (x >> 30 == 0) {
				n += utf8_encode(
				    (x >> 8 & 0x1ffff) % 0x2ffff, text + n);
				n--;
			} else {
				text[n] = (uint8_t)(x >> 24 | 0x20) & 0x7f;
			}
		}
		sum = 0;
		for (at = 0; at < n; sum += (size_t)w)
			at += grapheme_next(table, text + at, n - at, &w);
		ck_assert_uint_eq(at, n);
		ck_assert_msg(
		    grapheme_text_width(table, (const char *)text, n) == sum,
		    "seed %lu", seed);
	}
}
END_TEST

/* Covers every class and flag, some twice. */
static const uint32_t steps[] = { 'a', 0x6f22, 0xac00, 0xac01, 0x1100, 0x1161,
	0x11a8, 0x1f44d, 0x1f469, 0x2764, 0x1f1e9, 0x301, 0x200d, 0xfe0f,
	0x1f3fd, 0x600, 0x915, 0x94d, 0x937, 0x903, 0x0e33, 0x1f1ea };

/* Tries three code points from ST: after a closed state nothing joins. */
static void
steps_from(struct grapheme_state st, unsigned depth)
{
	struct grapheme_state one, two;
	bool boundary;
	size_t i;
	int w;

	for (i = 0; i < ARRAY_LEN(steps); i++) {
		one = two = st;
		boundary = grapheme_break(table, &one, steps[i]);
		ck_assert(grapheme_step(table, &two, steps[i], &w) == boundary);
		ck_assert_int_eq(w, grapheme_cp_width(table, steps[i]));
		ck_assert_uint_eq(one.prev, two.prev);
		ck_assert_uint_eq(one.flags, two.flags);
		if (grapheme_closed(&st) && grapheme_simple(table, steps[i]))
			ck_assert(boundary);
		if (depth > 1)
			steps_from(one, depth - 1);
	}
}

START_TEST(nothing_simple_joins_what_is_closed)
{
	struct grapheme_state st = { 0, 0 }, end = { 0, 0 };
	uint32_t cp;

	steps_from(st, unit_stride(4) == 1 ? 4 : 2);
	/* Closed after a simple code point, open after an emoji with ZWJ. */
	for (cp = 0x20; cp < 0x10000; cp += unit_stride(7)) {
		end = st;
		if (grapheme_simple(table, cp) == 0)
			continue;
		ck_assert_int_eq((int)grapheme_simple(table, cp),
		    grapheme_cp_width(table, cp));
		(void)grapheme_break(table, &end, cp);
		ck_assert(grapheme_closed(&end));
	}
	(void)grapheme_break(table, &st, 0x1f469);
	(void)grapheme_break(table, &st, 0x200d);
	ck_assert(!grapheme_closed(&st));
}
END_TEST

UNIT_SUITE(grapheme)
{
	Suite *s = suite_create("grapheme");
	TCase *tc = tcase_create("grapheme");

	tcase_set_timeout(tc, 60);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, boundaries_are_those_of_the_unicode_test);
	tcase_add_test(tc, boundaries_equal_utf8proc_on_random_mixes);
	tcase_add_test(tc, conjuncts_follow_the_library);
	tcase_add_test(tc, emoji_sequences_are_one_cluster_of_two_cells);
	tcase_add_test(tc, widths_of_single_code_points);
	tcase_add_test(tc, planes_without_characters_are_even);
	tcase_add_test(tc, widths_of_clusters);
	tcase_add_test(tc, simple_runs_never_join);
	tcase_add_test(tc, nothing_simple_joins_what_is_closed);
	tcase_add_test(tc, options_change_widths);
	tcase_add_test(tc, text_width_is_the_sum_of_its_clusters);
	suite_add_tcase(s, tc);
	return s;
}
