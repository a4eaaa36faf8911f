#include <string.h>

#include "base/log.h"
#include "regress/unit/unit.h"

struct seen {
	char text[LOG_LINE_MAX + 1];
	enum log_level level;
	enum log_area area;
	int count;
};

static void
sink(void *arg, enum log_level level, enum log_area area, const char *text)
{
	struct seen *s = arg;

	ck_assert_uint_lt(strlen(text), LOG_LINE_MAX);
	strcpy(s->text, text);
	s->level = level;
	s->area = area;
	s->count++;
}

START_TEST(lines_are_escaped_filtered_and_cut)
{
	static struct seen seen;
	struct log l = { sink, &seen, LOG_INFO };
	char big[2 * LOG_LINE_MAX];
	size_t n;

	log_write(&l, LOG_INFO, LOG_SSP, "a\nb %d\033[0m \303\251", 3);
	ck_assert_str_eq(seen.text, "a\\nb 3\\033[0m \303\251");
	ck_assert_int_eq(seen.area, LOG_SSP);
	ck_assert_int_eq(seen.level, LOG_INFO);
	log_write(&l, LOG_DEBUG, LOG_SSP, "no");
	ck_assert_int_eq(seen.count, 1);
	log_write(NULL, LOG_ERROR, LOG_SSP, "nowhere");
	for (n = LOG_LINE_MAX - 20; n < sizeof(big); n++) {
		memset(big, 'x', sizeof(big));
		big[n] = '\0';
		log_write(&l, LOG_ERROR, LOG_VT, "%s", big);
		ck_assert_int_eq(n > LOG_LINE_MAX - 4 ? '.' : 'x',
		    seen.text[strlen(seen.text) - 1]);
	}
	ck_assert_str_eq(log_level_name(LOG_WARN), "warn");
	ck_assert_str_eq(log_area_name(LOG_CLIENT), "client");
	ck_assert_str_eq(log_area_name(LOG_AREA_COUNT), "?");
}
END_TEST

UNIT_SUITE(log)
{
	Suite *s = suite_create("log");
	TCase *tc = tcase_create("log");

	tcase_add_test(tc, lines_are_escaped_filtered_and_cut);
	suite_add_tcase(s, tc);
	return s;
}
