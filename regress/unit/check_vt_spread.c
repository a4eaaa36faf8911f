#include "base/utf8.h"
#include "mux/vt/spread.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

#define COLS 90
#define TEXT 1024

static uint64_t rng;

static unsigned
rnd(unsigned n)
{
	return chance_below(&rng, n);
}

/* Ranges of characters; marks, jamo and flags are not simple. */
static const struct {
	uint32_t first;
	uint32_t count;
} ranges[] = {
	{ 0x4e00, 5000 },                /* ideographs */
	{ 0xac00, 11172 },               /* Hangul */
	{ 0x3041, 80 },                  /* kana */
	{ 0x400, 0x80 },                 /* Cyrillic */
	{ 0xa0, 0x60 },                  /* Latin-1 */
	{ 0x20, 0x5f },                  /* ASCII */
	{ 0x20, 0x5f }, { 0x2500, 256 }, /* boxes, ambiguous */
	{ 0x1f600, 60 },                 /* emoji */
	{ 0x20000, 256 },                /* plane 2 */
	{ 0, 0xa0 },                     /* controls of all kinds */
	{ 0x300, 0x70 },                 /* marks */
	{ 0x580, 0x100 },                /* Hebrew and Arabic with marks */
	{ 0x900, 0x80 },                 /* Devanagari */
	{ 0x1100, 0x100 },               /* jamo */
	{ 0x1f1e6, 26 },                 /* flags */
	{ 0x800, 0xd000 },               /* anything of three bytes */
	{ 0x10000, 0x100000 },           /* anything of four */
};

/* Fills S with runs of characters; spoils some of the bytes. */
static void
fill(uint8_t *s, size_t n)
{
	size_t at = 0, k;
	unsigned i, r;

	memset(s, 0, n);
	while (at + 80 < n) {
		r = rnd(ARRAY_LEN(ranges));
		/* Make ranges that end a run rare. */
		if (r >= 10 && rnd(4) != 0)
			r = rnd(10);
		for (i = 1 + rnd(12); i > 0; i--) {
			k = utf8_put(
			    ranges[r].first + rnd(ranges[r].count), s + at);
			at += k;
		}
		if (rnd(20) == 0)
			s[rnd((unsigned)at)] = (uint8_t)rnd(256);
		if (rnd(2) == 0)
			s[at++] = ' ';
	}
}

/* Does what spread.h specifies for vt_spread, with utf8_decode. */
static unsigned
reference(const struct grapheme_table *g, const uint8_t **sp,
    const uint8_t *end, struct vt_cell *dst, unsigned cols, unsigned style)
{
	const uint8_t *s = *sp;
	unsigned done = 0, w;
	uint32_t cp;
	size_t k;

	while (s < end) {
		k = utf8_decode_final(s, (size_t)(end - s), &cp);
		/* Ill-formed input decodes to the same code point. */
		w = cp == UTF8_REPLACEMENT && memcmp(s, "\xef\xbf\xbd", 3) != 0
			? 0
			: grapheme_simple(g, cp);
		if (w == 0 || done + w > cols ||
		    utf8_ascii_run(s, (size_t)(end - s)) >= VT_SPREAD_LOOK)
			break;
		vt_cell_set(&dst[done], vt_cell_bits(cp, style, w - 1));
		if (w == 2)
			vt_cell_set(
			    &dst[done + 1], vt_cell_bits(0, style, VT_TAIL));
		done += w;
		s += k;
	}
	*sp = s;
	return done;
}

struct out {
	struct vt_cell cells[COLS + VT_SPREAD_SLACK + 1];
	unsigned done;
	const uint8_t *s;
};

typedef unsigned (*spread_fn)(const struct grapheme_table *g,
    const uint8_t **sp, const uint8_t *end, struct vt_cell *dst, unsigned cols,
    unsigned style);

static void
run(struct out *o, spread_fn fn, const struct grapheme_table *g,
    const uint8_t *s, const uint8_t *end, unsigned cols)
{
	memset(o, 0x55, sizeof(*o));
	o->s = s;
	o->done = fn(g, &o->s, end, o->cells, cols, 0xabcd);
	ck_assert_uint_le(o->done, cols);
	/* Nothing was written beyond the slack. */
	ck_assert_uint_eq(o->cells[cols + VT_SPREAD_SLACK].ch, 0x55555555);
}

/* Compares both functions from every place where a text may continue. */
static void
compare(const struct grapheme_table *g, const uint8_t *s, size_t n)
{
	const uint8_t *at, *end = s + n;
	struct out a, b;
	unsigned cols;

	for (at = s; end - at >= VT_SPREAD_LOOK;) {
		cols = rnd(4) == 0 ? rnd(12) : rnd(COLS);
		run(&a, vt_spread, g, at, end, cols);
		run(&b, reference, g, at, end, cols);
		ck_assert_uint_le(a.done, b.done);
		ck_assert(a.s <= b.s);
		ck_assert_mem_eq(a.cells, b.cells, a.done * sizeof(a.cells[0]));
		/* It may stop earlier only near the end. */
		if (end - at >= (COLS + 16) * UTF8_MAX) {
			ck_assert_ptr_eq(a.s, b.s);
			ck_assert_uint_eq(a.done, b.done);
		}
		at = a.s == at ? at + 1 : a.s;
	}
}

START_TEST(runs_are_as_one_at_a_time)
{
	static const struct grapheme_override wide[] = { { 0xc0, 0x17f, 2 },
		{ 0x410, 0x42f, 2 }, { 0x4e10, 0x4e20, 1 } };
	const struct grapheme_options options[] = {
		{ false, NULL, 0, false },
		{ true, NULL, 0, false },
		{ false, wide, ARRAY_LEN(wide), false },
	};
	struct grapheme_table *g;
	uint8_t text[TEXT];
	unsigned i, k;

	rng = 20261121;
	for (k = 0; k < ARRAY_LEN(options); k++) {
		g = grapheme_table_new(&options[k]);
		for (i = 0; i < 2000; i++) {
			fill(text, sizeof text);
			compare(g, text, sizeof text);
		}
		grapheme_table_free(g);
	}
}
END_TEST

/* Stops at ill-formed text, controls and long runs of ASCII. */
START_TEST(what_others_have_to_see_is_left)
{
	static const struct {
		const char *text;
		unsigned cols;
		unsigned used;
	} rows[] = {
		{ "\xc0\x80xxxxxxxxxxxxxx", 0, 0 }, /* overlong */
		{ "\xc1\xbfxxxxxxxxxxxxxx", 0, 0 },
		{ "\xe0\x9f\xbfxxxxxxxxxxxxx", 0, 0 },
		{ "\xf0\x8f\xbf\xbfxxxxxxxxxxxx", 0, 0 },
		{ "\xed\xa0\x80xxxxxxxxxxxxx", 0, 0 },    /* a surrogate */
		{ "\xf4\x90\x80\x80xxxxxxxxxxxx", 0, 0 }, /* too large */
		{ "\xf8\x88\x80\x80\x80xxxxxxxxxxx", 0, 0 },
		{ "\x80xxxxxxxxxxxxxxx", 0, 0 },    /* a continuation byte */
		{ "\xc2\x9bxxxxxxxxxxxxxx", 0, 0 }, /* C1 */
		{ "\xc2\xa0\xc2\x9bxxxxxxxxxxxx", 1, 2 },
		{ "\xc3\xa4\xc3(xxxxxxxxxxxxx", 1, 2 },
		{ "\x1b[mxxxxxxxxxxxxx", 0, 0 },
		{ "x\x7fxxxxxxxxxxxxxxxxxx", 1, 1 },
		{ "xxxxxxxxxxxxxxxxxxxx", 0, 0 },
		{ "\xe4\xb8\x80\xcc\x81xxxxxxxxxxx", 2, 3 }, /* a mark */
		{ "\xe4\xb8\x80\xe4\xb8\xc3\xa4xxxxxxxxxxx", 2, 3 },
		{ "\xf0\x9f\x98\x80\xe4\xb8\x80\x1bxxxxxxxxxxxx", 4, 7 },
	};
	struct grapheme_table *g = grapheme_table_new(NULL);
	const spread_fn ways[] = { vt_spread, reference };
	uint8_t text[512];
	struct out o;
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(rows); i++)
		for (k = 0; k < ARRAY_LEN(ways); k++) {
			memset(text, 0, sizeof text);
			memcpy(text, rows[i].text, strlen(rows[i].text));
			run(&o, ways[k], g, text, text + sizeof text, COLS);
			ck_assert_msg(o.done == rows[i].cols &&
					  o.s == text + rows[i].used,
			    "row %zu, way %zu: %u columns, %td bytes", i, k,
			    o.done, o.s - text);
		}
	grapheme_table_free(g);
}
END_TEST

UNIT_SUITE(vt_spread)
{
	Suite *s = suite_create("vt_spread");
	TCase *tc = tcase_create("spread");

	tcase_add_test(tc, runs_are_as_one_at_a_time);
	tcase_add_test(tc, what_others_have_to_see_is_left);
	suite_add_tcase(s, tc);
	return s;
}
