#include <string.h>

#include "regress/unit/unit.h"
#include "server/run/lane.h"

static uint64_t now_us;

static uint64_t
clock_us(void)
{
	return now_us;
}

/* A job of COUNT steps, each of which takes US. */
struct work {
	struct lane_job job;
	struct lane *lane;
	unsigned count;
	uint64_t us;
	uint64_t had;     /* time */
	unsigned done;    /* steps */
	struct work *end; /* dropped by the next step */
};

static bool
work_step(struct lane_job *job)
{
	struct work *w = container_of(job, struct work, job);

	now_us += w->us;
	w->had += w->us;
	w->done++;
	if (w->end != NULL)
		lane_drop(w->lane, &w->end->job);
	return w->done < w->count;
}

static void
work_add(struct work *w, struct lane *l, unsigned count, uint64_t us)
{
	memset(w, 0, sizeof(*w));
	w->job.fn = work_step;
	w->lane = l;
	w->count = count;
	w->us = us;
	lane_add(l, &w->job);
}

/* The turn that the lane's rest ends, and the one after it. */
static void
next_turn(struct loop *loop, struct lane *l)
{
	const uint64_t turns = l->st.turns;

	while (l->st.turns == turns)
		loop_turn(loop, true);
}

static void
at_end(void *arg)
{
	struct work *w = arg;

	/* What the owner causes comes before the work of guests. */
	ck_assert_uint_eq(w->done, 0);
}

START_TEST(a_turn_has_an_end)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct work w;

	now_us = 1000000;
	work_add(&w, l, 100, 90);
	loop_defer(loop, at_end, &w);
	loop_turn(loop, true);
	/* The step that passes the end is the last. */
	ck_assert_uint_eq(w.done, LANE_TURN_US / 90 + 1);
	ck_assert_uint_le(l->st.longest, LANE_TURN_US + 90);
	/* Then it rests, whatever comes: a timer ends that. */
	ck_assert(l->resting);
	lane_add(l, &w.job);
	ck_assert(l->resting);
	ck_assert_uint_eq(w.done, LANE_TURN_US / 90 + 1);
	while (w.done < w.count)
		next_turn(loop, l);
	ck_assert_uint_le(l->st.longest, LANE_TURN_US + 90);
	lane_free(l);
	loop_free(loop);
}
END_TEST

START_TEST(no_job_waits_for_ever)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct work heavy[4], light;
	unsigned i, turns;

	now_us = 1000000;
	for (i = 0; i < ARRAY_LEN(heavy); i++)
		work_add(&heavy[i], l, 1000000, 5000);
	work_add(&light, l, 1000, 10);
	for (turns = 0; turns < 40; turns++)
		next_turn(loop, l);
	/* Each has the same time, but for a step. */
	for (i = 0; i < ARRAY_LEN(heavy); i++)
		ck_assert_uint_ge(heavy[i].had + 5000, light.had);
	ck_assert_uint_gt(light.done, 40);
	ck_assert_uint_gt(heavy[0].done, 1);
	ck_assert_uint_le(l->st.longest, LANE_TURN_US + 5000);
	for (i = 0; i < ARRAY_LEN(heavy); i++)
		lane_drop(l, &heavy[i].job);
	lane_drop(l, &light.job);
	lane_free(l);
	loop_free(loop);
}
END_TEST

START_TEST(a_step_may_drop_jobs)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct work a, b;

	now_us = 1000000;
	work_add(&a, l, 10, 1);
	work_add(&b, l, 10, 1);
	a.end = &b;
	loop_turn(loop, true);
	ck_assert_uint_eq(a.done, 10);
	ck_assert_uint_eq(b.done, 0);
	work_add(&a, l, 10, 1);
	a.end = &a;
	loop_turn(loop, true);
	ck_assert_uint_eq(a.done, 1);
	/* Without work a turn waits as ever. */
	ck_assert(list_empty(&l->jobs));
	loop_turn(loop, false);
	lane_free(l);
	loop_free(loop);
}
END_TEST

UNIT_SUITE(lane)
{
	Suite *s = suite_create("lane");
	TCase *tc = tcase_create("lane");

	tcase_add_test(tc, a_turn_has_an_end);
	tcase_add_test(tc, no_job_waits_for_ever);
	tcase_add_test(tc, a_step_may_drop_jobs);
	suite_add_tcase(s, tc);
	return s;
}
