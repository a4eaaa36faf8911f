#include <string.h>

#include "base/pen.h"
#include "regress/unit/unit.h"

#define IDX(n) ((colour)1 << 24 | (n))
#define RGB(n) ((colour)2 << 24 | (n))
#define UL(n) ((uint32_t)(n) << PEN_UL_SHIFT)

START_TEST(sgr_says_what_changes)
{
	static const struct {
		struct pen from, to;
		const char *out;
	} rows[] = {
		{ { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, "" },
		{ { 0, 0, 0, PEN_BOLD }, { 0, 0, 0, 0 }, "\033[m" },
		{ { 0, 0, 0, 0 }, { 0, 0, 0, PEN_BOLD | PEN_ITALIC },
		    "\033[1;3m" },
		{ { 0, 0, 0, PEN_BOLD | PEN_DIM }, { 0, 0, 0, PEN_DIM },
		    "\033[0;2m" },
		{ { IDX(1), 0, 0, PEN_BOLD | PEN_DIM },
		    { IDX(1), 0, 0, PEN_DIM }, "\033[22;2m" },
		{ { IDX(1), 0, 0, PEN_DIM },
		    { IDX(1), 0, 0, PEN_DIM | PEN_BOLD }, "\033[1m" },
		{ { IDX(1), 0, 0, PEN_BOLD }, { IDX(1), 0, 0, PEN_DIM },
		    "\033[22;2m" },
		{ { IDX(1), 0, 0, UL(3) }, { IDX(1), 0, 0, UL(1) }, "\033[4m" },
		{ { IDX(1), 0, 0, UL(1) }, { IDX(1), 0, 0, UL(3) },
		    "\033[4:3m" },
		{ { IDX(1), 0, 0, UL(5) }, { IDX(1), 0, 0, 0 }, "\033[24m" },
		{ { 0, 0, 0, 0 }, { IDX(7), IDX(8), 0, 0 }, "\033[37;100m" },
		{ { 0, 0, 0, 0 }, { IDX(15), IDX(16), IDX(3), 0 },
		    "\033[97;48;5;16;58:5:3m" },
		{ { 0, 0, 0, 0 },
		    { RGB(0x010203), RGB(0xfffefd), RGB(0x0a0064), 0 },
		    "\033[38;2;1;2;3;48;2;255;254;253;58:2::10:0:100m" },
		{ { IDX(1), IDX(2), IDX(3), 0 }, { 0, IDX(2), IDX(3), 0 },
		    "\033[39m" },
		{ { IDX(1), IDX(2), IDX(3), 0 }, { IDX(1), 0, 0, 0 },
		    "\033[0;31m" },
		{ { IDX(1), RGB(5), IDX(3), 0 }, { IDX(1), RGB(5), 0, 0 },
		    "\033[59m" },
		{ { RGB(1), 0, 0,
		      PEN_BLINK | PEN_REVERSE | PEN_CONCEAL | PEN_STRIKE },
		    { RGB(1), 0, 0, PEN_OVERLINE }, "\033[25;27;28;29;53m" },
		{ { RGB(1), 0, 0, PEN_REVERSE }, { RGB(1), 0, 0, PEN_OVERLINE },
		    "\033[27;53m" },
		/* Attributes outside SGR make no difference. */
		{ { COLOUR_NONE, 0, 0, PEN_ACS },
		    { COLOUR_TERMINAL, 0, 0, PEN_PROTECTED }, "" },
	};
	char out[PEN_SGR_MAX + 1];
	size_t i, n;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		n = pen_sgr(&rows[i].from, &rows[i].to, out);
		out[n] = '\0';
		ck_assert_msg(strcmp(out, rows[i].out) == 0, "row %zu: %s", i,
		    n > 0 ? out + 1 : "");
	}
}
END_TEST

/* Parses the next number at *P; skips its separator. */
static unsigned
number(const char **p)
{
	unsigned n = 0;

	while (**p >= '0' && **p <= '9')
		n = n * 10 + (unsigned)(*(*p)++ - '0');
	return n;
}

static colour
extended(const char **p, bool colons)
{
	unsigned kind, r, g;

	(*p)++;
	kind = number(p);
	(*p)++;
	if (kind == 5)
		return IDX(number(p));
	if (colons)
		(*p)++;
	r = number(p);
	(*p)++;
	g = number(p);
	(*p)++;
	return colour_rgb(r, g, number(p));
}

/* Applies the sequence like a terminal. */
static void
apply(struct pen *pen, const char *p)
{
	static const struct {
		unsigned n;
		uint32_t clear, set;
	} rows[] = { { 1, 0, PEN_BOLD }, { 2, 0, PEN_DIM },
		{ 3, 0, PEN_ITALIC }, { 5, 0, PEN_BLINK },
		{ 7, 0, PEN_REVERSE }, { 8, 0, PEN_CONCEAL },
		{ 9, 0, PEN_STRIKE }, { 22, PEN_BOLD | PEN_DIM, 0 },
		{ 23, PEN_ITALIC, 0 }, { 24, PEN_UL_MASK, 0 },
		{ 25, PEN_BLINK, 0 }, { 27, PEN_REVERSE, 0 },
		{ 28, PEN_CONCEAL, 0 }, { 29, PEN_STRIKE, 0 },
		{ 53, 0, PEN_OVERLINE }, { 55, PEN_OVERLINE, 0 } };
	unsigned n, u;
	size_t i;

	ck_assert(p[0] == '\033' && p[1] == '[');
	for (p++; *p != 'm';) {
		p++;
		n = number(&p);
		for (i = 0; i < ARRAY_LEN(rows); i++)
			if (rows[i].n == n)
				pen->attrs =
				    (pen->attrs & ~rows[i].clear) | rows[i].set;
		if (n == 0) {
			memset(pen, 0, sizeof(*pen));
		} else if (n == 4) {
			u = 1;
			if (*p == ':') {
				p++;
				u = number(&p);
			}
			pen_set_underline(pen, (enum pen_underline)u);
		} else if (n >= 30 && n < 38) {
			pen->fg = IDX(n - 30);
		} else if (n >= 40 && n < 48) {
			pen->bg = IDX(n - 40);
		} else if (n >= 90 && n < 98) {
			pen->fg = IDX(n - 90 + 8);
		} else if (n >= 100 && n < 108) {
			pen->bg = IDX(n - 100 + 8);
		} else if (n == 38) {
			pen->fg = extended(&p, false);
		} else if (n == 48) {
			pen->bg = extended(&p, false);
		} else if (n == 58) {
			pen->ul = extended(&p, true);
		} else if (n == 39) {
			pen->fg = 0;
		} else if (n == 49) {
			pen->bg = 0;
		} else if (n == 59) {
			pen->ul = 0;
		} else {
			ck_assert(i == ARRAY_LEN(rows));
		}
		ck_assert(*p == ';' || *p == 'm');
	}
}

static uint32_t rand_state;

static uint32_t
next_random(void)
{
	rand_state = rand_state * 1664525 + 1013904223;
	return rand_state >> 8;
}

static colour
random_colour(void)
{
	switch (next_random() % 4) {
	case 0:
		return 0;
	case 1:
		return IDX(next_random() % 20);
	case 2:
		return IDX(next_random() % 256);
	default:
		return RGB(next_random() & 0xffffff);
	}
}

START_TEST(a_terminal_ends_with_the_wanted_pen)
{
	struct pen from = { 0, 0, 0, 0 }, to, got;
	unsigned long seed = unit_seed(2);
	char out[PEN_SGR_MAX + 1];
	size_t n, max = 0;
	int i;

	rand_state = (uint32_t)seed;
	for (i = 0; i < (int)unit_rounds(200000); i++) {
		to.fg = random_colour();
		to.bg = random_colour();
		to.ul = random_colour();
		to.attrs = next_random() & next_random() & 0xff;
		pen_set_underline(&to, next_random() % 6);
		n = pen_sgr(&from, &to, out);
		max = MAX_OF(max, n);
		ck_assert_uint_lt(n, PEN_SGR_MAX);
		out[n] = '\0';
		got = from;
		if (n > 0)
			apply(&got, out);
		ck_assert_msg(pen_equal(&got, &to), "seed %lu step %d: %s",
		    seed, i, out + 1);
		from = to;
	}
	ck_assert_uint_gt(max, 60);
}
END_TEST

UNIT_SUITE(pen)
{
	Suite *s = suite_create("pen");
	TCase *tc = tcase_create("pen");

	tcase_add_test(tc, sgr_says_what_changes);
	tcase_add_test(tc, a_terminal_ends_with_the_wanted_pen);
	suite_add_tcase(s, tc);
	return s;
}
