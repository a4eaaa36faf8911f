/* The slider of a scrollbar. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "mux/mode/slider.h"
#include "regress/chance.h"
#include "regress/unit/unit.h"

static uint64_t state = 1;

static unsigned
dice(unsigned n)
{
	return chance_below(&state, n);
}

START_TEST(the_slider_stays_on_the_bar)
{
	uint64_t history, above;
	struct slider s;
	unsigned rows, i;

	for (i = 0; i < unit_rounds(20000); i++) {
		rows = dice(60);
		history = dice(2) == 0 ? dice(2000) : dice(20);
		above = dice((unsigned)history + 3);
		s = dice(3) == 0 ? slider_end(rows, history)
				 : slider_within(rows, history, above);
		if (rows == 0) {
			ck_assert_uint_eq(s.size, 0);
			continue;
		}
		ck_assert_uint_ge(s.size, 1);
		ck_assert_uint_le(s.at + s.size, rows);
	}
	s = slider_within(UINT16_MAX, UINT32_MAX, UINT32_MAX);
	ck_assert_uint_eq(s.at + s.size, UINT16_MAX);
}
END_TEST

START_TEST(dragging_reaches_both_ends)
{
	unsigned rows, i;
	uint64_t history;
	int at;

	for (i = 0; i < unit_rounds(5000); i++) {
		rows = 1 + dice(60);
		history = dice(3000);
		ck_assert_uint_eq(slider_above(rows, history, -5), 0);
		for (at = 0; at < (int)rows; at++)
			ck_assert_uint_le(slider_above(rows, history, at),
			    slider_above(rows, history, at + 1));
		ck_assert_uint_eq(
		    slider_above(rows, history, (int)rows), history);
	}
}
END_TEST

/* regress/unit/slider.list: ROWS HISTORY POSITION AT SIZE; POSITION may be -. */
START_TEST(sliders_are_where_tmux_puts_them)
{
	const char *top = getenv("top_srcdir");
	char *path =
	    mem_printf("%s/regress/unit/slider.list", top == NULL ? ".." : top);
	char line[128], place[32];
	unsigned rows, history, at, size, count = 0;
	struct slider s;
	FILE *f = fopen(path, "r");

	ck_assert_msg(f != NULL, "cannot open %s", path);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (*line == '#')
			continue;
		ck_assert_int_eq(sscanf(line, "%u %u %31s %u %u", &rows,
				     &history, place, &at, &size),
		    5);
		s = strcmp(place, "-") == 0
			? slider_end(rows, history)
			: slider_within(rows, history,
			      history - strtoul(place, NULL, 10));
		/* tmux's slider may end below the bar. */
		size = MIN_OF(size, rows - at);
		ck_assert_msg(s.at == at && s.size == size,
		    "%sbut %u rows from %u", line, s.size, s.at);
		count++;
	}
	ck_assert_uint_gt(count, 200);
	fclose(f);
	mem_free(path);
}
END_TEST

UNIT_SUITE(slider)
{
	Suite *s = suite_create("slider");
	TCase *tc = tcase_create("slider");

	tcase_add_test(tc, the_slider_stays_on_the_bar);
	tcase_add_test(tc, sliders_are_where_tmux_puts_them);
	tcase_add_test(tc, dragging_reaches_both_ends);
	suite_add_tcase(s, tc);
	return s;
}
