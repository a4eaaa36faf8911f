/* Events: every row, order, limits. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mux/event.h"
#include "regress/unit/unit.h"

START_TEST(every_row_is_whole)
{
	size_t i;
	const struct mux_event_row *row;

	for (i = 0; i < MUX_EVENT_COUNT; i++) {
		row = mux_event_row((enum mux_event_type)i);
		ck_assert_ptr_nonnull(row->name);
		ck_assert_ptr_nonnull(row->help);
		ck_assert(row->control == NULL || row->control[0] == '%');
		ck_assert(row->other == NULL || row->control != NULL);
	}
}
END_TEST

START_TEST(events_come_in_order_with_their_text)
{
	struct mux_events q;
	struct mux_event e;
	char text[16];
	int i;

	mux_events_init(&q);
	ck_assert(!mux_events_next(&q, &e));
	for (i = 0; i < 1000; i++) {
		e = mux_event_make(MUX_EVENT_SESSION_CREATED);
		ck_assert_uint_eq(e.session, MUX_NONE);
		e.session = (uint32_t)i;
		snprintf(text, sizeof(text), "%d", i);
		e.text = text;
		mux_events_add(&q, &e);
		if (i % 3 == 0) {
			ck_assert(mux_events_next(&q, &e));
			ck_assert_uint_eq(e.session, (uint32_t)i / 3);
			ck_assert_int_eq(atoi(e.text), i / 3);
			mux_event_fini(&e);
		}
	}
	mux_events_fini(&q);
}
END_TEST

UNIT_SUITE(event)
{
	Suite *s = suite_create("event");
	TCase *tc = tcase_create("event");

	tcase_add_test(tc, every_row_is_whole);
	tcase_add_test(tc, events_come_in_order_with_their_text);
	suite_add_tcase(s, tc);
	return s;
}
