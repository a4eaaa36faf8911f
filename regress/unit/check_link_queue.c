/* The queue of the simulated link: rate, traces, room, CoDel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/compiler.h"
#include "regress/tools/link_heap.h"
#include "regress/tools/udp_link.h"
#include "regress/unit/unit.h"

#define MS 1e6

static char one, two, three;

/* Takes a packet that leaves at MS. */
static void
leaves(struct link_queue *q, double now, const void *data, double ms)
{
	struct link_entry e;
	double t;

	ck_assert_int_eq(link_queue_take(q, now * MS, &e, &t), LINK_OUT);
	ck_assert_ptr_eq(e.data, data);
	ck_assert_double_eq_tol(t / MS, ms, 1e-6);
}

static void
nothing(struct link_queue *q, double now)
{
	struct link_entry e;
	double t;

	ck_assert_int_eq(link_queue_take(q, now * MS, &e, &t), LINK_NONE);
}

START_TEST(a_rate_takes_its_time)
{
	struct link_queue q = { .rate = 100000 }; /* 100 bytes a ms */

	nothing(&q, 0);
	ck_assert(link_queue_due(&q) >= LINK_NEVER);
	ck_assert(link_queue_put(&q, 1 * MS, 1000, &one));
	ck_assert(link_queue_put(&q, 2 * MS, 500, &two));
	ck_assert_double_eq_tol(link_queue_due(&q) / MS, 11, 1e-6);
	nothing(&q, 10.9);
	leaves(&q, 20, &one, 11);
	leaves(&q, 20, &two, 16);
	nothing(&q, 20);
	link_queue_fini(&q);
}
END_TEST

static void
trace_of(struct link_queue *q, const char *text)
{
	char path[] = "/tmp/rmux-trace.XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	ck_assert(link_queue_trace(q, path));
	unlink(path);
}

START_TEST(a_trace_gives_chances)
{
	struct link_queue q = { .rate = 0 };
	struct link_entry e;
	double t;

	trace_of(&q, "5\n10\n10\n30\n");
	/* Too late for the chance at 5: both go at 10, and the third, too. */
	ck_assert(link_queue_put(&q, 6 * MS, 1000, &one));
	ck_assert(link_queue_put(&q, 6 * MS, 1000, &two));
	ck_assert(link_queue_put(&q, 6 * MS, 1000, &three));
	ck_assert_double_eq_tol(link_queue_due(&q) / MS, 10, 1e-6);
	leaves(&q, 10, &one, 10);
	leaves(&q, 10, &two, 10);
	leaves(&q, 10, &three, 10);
	nothing(&q, 29);
	/* What is left of a chance is wasted when the queue is empty. */
	ck_assert(link_queue_put(&q, 12 * MS, 100, &one));
	leaves(&q, 31, &one, 30);
	/* It begins again. */
	ck_assert(link_queue_put(&q, 31 * MS, 100, &one));
	leaves(&q, 36, &one, 35);
	/* Far later, at once. */
	ck_assert(link_queue_put(&q, 3e9 * MS, 100, &one));
	t = link_queue_due(&q) / MS;
	ck_assert_double_ge(t, 3e9);
	ck_assert_double_le(t, 3e9 + 30);
	ck_assert_int_eq(
	    link_queue_take(&q, (3e9 + 30) * MS, &e, &t), LINK_OUT);
	link_queue_fini(&q);
}
END_TEST

START_TEST(a_queue_has_room)
{
	struct link_queue q = { .rate = 1000, .bytes = 2500 };
	struct link_queue p = { .rate = 1000, .packets = 2 };

	ck_assert(link_queue_put(&q, 0, 1500, &one));
	ck_assert(link_queue_put(&q, 0, 1000, &two));
	ck_assert(!link_queue_put(&q, 0, 1, &three));
	ck_assert(link_queue_put(&p, 0, 1, &one));
	ck_assert(link_queue_put(&p, 0, 100000, &two));
	ck_assert(!link_queue_put(&p, 0, 1, &three));
	link_queue_fini(&q);
	link_queue_fini(&p);
}
END_TEST

/* A tenth more than the link takes comes, for ten seconds: the longest wait. */
static double
flooded(double target, unsigned *dropped)
{
	struct link_queue q = { .rate = 1250000, .target = target };
	struct link_entry e;
	enum link_fate fate;
	double t, longest = 0;
	unsigned ms;

	*dropped = 0;
	for (ms = 0; ms < 10000; ms++) {
		ck_assert(link_queue_put(&q, ms * MS, 1250, &one));
		if (ms % 10 == 0)
			ck_assert(link_queue_put(&q, ms * MS, 1250, &two));
		while ((fate = link_queue_take(&q, ms * MS, &e, &t)) !=
		       LINK_NONE) {
			*dropped += fate == LINK_DROPPED;
			if (ms > 5000 && t - e.in > longest)
				longest = t - e.in;
		}
	}
	link_queue_fini(&q);
	return longest / MS;
}

START_TEST(codel_drops_while_a_queue_stands)
{
	unsigned none, some;
	double without = flooded(0, &none), with = flooded(5, &some);

	printf("# without CoDel %.0f ms at the worst, with it %.0f ms and %u "
	       "dropped\n",
	    without, with, some);
	ck_assert_uint_eq(none, 0);
	ck_assert_uint_gt(some, 100);
	ck_assert_uint_lt(some, 2500);
	ck_assert_double_lt(with, without * .7);
}
END_TEST

START_TEST(links_are_read)
{
	struct link l;

	memset(&l, 0, sizeof(l));
	ck_assert(link_set(&l, "delay=5,codel=5,interval=50,packets=100"));
	ck_assert(link_queues(&l));
	ck_assert_double_eq_tol(l.q.interval, 50, 1e-9);
	ck_assert(!link_set(&l, "trace=/nonexistent"));
	ck_assert(!link_set(&l, "codel=x"));
	memset(&l, 0, sizeof(l));
	ck_assert(link_set(&l, "rate=1000,queue=100"));
	ck_assert(!link_queues(&l));
}
END_TEST

START_TEST(packets_come_in_order)
{
	struct link_heap h = { .heap = NULL };
	struct packet p = { .time = 0 };
	double last = -1;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		p.time = i * 7919 % 1000 / 4;
		p.flow = i;
		link_heap_push(&h, &p);
	}
	for (i = 0; i < 900; i++) {
		p = link_heap_pop(&h);
		ck_assert_double_ge(p.time, last);
		last = p.time;
	}
	link_heap_fini(&h);
}
END_TEST

UNIT_SUITE(link_queue)
{
	Suite *s = suite_create("link_queue");
	TCase *tc = tcase_create("queue");

	tcase_add_test(tc, a_rate_takes_its_time);
	tcase_add_test(tc, a_trace_gives_chances);
	tcase_add_test(tc, a_queue_has_room);
	tcase_add_test(tc, codel_drops_while_a_queue_stands);
	tcase_add_test(tc, links_are_read);
	tcase_add_test(tc, packets_come_in_order);
	suite_add_tcase(s, tc);
	return s;
}
