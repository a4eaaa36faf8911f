#include <string.h>

#include "base/mem.h"
#include "regress/unit/unit.h"
#include "server/io/guest_in.h"
#include "ssp/datagram.h"

static uint64_t now_us;

static uint64_t
clock_us(void)
{
	return now_us;
}

/* A guest whose datagrams bring EACH events, each of which takes 400 us. */
struct guest {
	struct guest_in *in;
	struct lane *lane;
	unsigned each;
	unsigned taken;
	unsigned left; /* events */
	unsigned done; /* events */
	uint8_t last;
	bool ends; /* frees its queue when it takes a datagram */
};

static void
take(void *arg, struct guest_datagram *d)
{
	struct guest *g = arg;

	ck_assert_uint_eq(g->left, 0);
	ck_assert_uint_eq(d->len, 3);
	g->last = d->data[2];
	g->taken++;
	g->left = g->each;
	if (g->ends)
		guest_in_free(g->in);
}

static bool
events(void *arg)
{
	struct guest *g = arg;

	while (g->left > 0) {
		now_us += 400;
		g->left--;
		g->done++;
		if (lane_spent(g->lane))
			break;
	}
	return g->left > 0;
}

static const struct guest_in_ops ops = { take, events };

static void
guest_init(struct guest *g, struct lane *l, unsigned each)
{
	memset(g, 0, sizeof(*g));
	g->lane = l;
	g->each = each;
	g->in = guest_in_new(l, &ops, g);
}

static bool
guest_sends(struct guest *g, uint8_t number)
{
	uint8_t bytes[3] = { 0, 0, number };
	struct udp_msg m = { .data = bytes, .len = sizeof(bytes) };

	return guest_in_add(g->in, NULL, &m);
}

static void
next_turn(struct loop *loop, struct lane *l)
{
	const uint64_t turns = l->st.turns;

	while (l->st.turns == turns)
		loop_turn(loop, true);
}

/* The events of one datagram take several turns; the next one waits. */
START_TEST(a_turn_handles_a_few_events)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct guest g;
	unsigned turns;

	guest_init(&g, l, 100);
	ck_assert(guest_sends(&g, 1));
	ck_assert(guest_sends(&g, 2));
	ck_assert_uint_eq(g.taken, 0);
	loop_turn(loop, true);
	ck_assert_uint_eq(g.done, 3);
	for (turns = 1; g.done < 100; turns++) {
		ck_assert_uint_eq(g.taken, 1);
		next_turn(loop, l);
	}
	ck_assert_uint_ge(turns, 100 / 3);
	while (g.done < 200)
		next_turn(loop, l);
	ck_assert_uint_eq(g.last, 2);
	ck_assert_uint_le(l->st.longest, LANE_TURN_US + 400);
	guest_in_free(g.in);
	lane_free(l);
	loop_free(loop);
}
END_TEST

/* A guest that floods loses its own datagrams only. */
START_TEST(a_queue_is_bounded)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	static uint8_t bytes[SSP_DGRAM_ETHERNET + 1];
	struct udp_msg large = { .data = bytes, .len = sizeof(bytes) };
	struct guest loud, quiet;
	unsigned i;

	guest_init(&loud, l, 1);
	guest_init(&quiet, l, 1);
	ck_assert(!guest_in_add(loud.in, NULL, &large));
	for (i = 0; i < 1000; i++)
		ck_assert_int_eq(
		    guest_sends(&loud, (uint8_t)i), i < GUEST_IN_MAX);
	ck_assert(guest_sends(&quiet, 7));
	loop_turn(loop, true);
	ck_assert_uint_eq(quiet.last, 7);
	ck_assert_uint_lt(loud.taken, GUEST_IN_MAX);
	ck_assert(guest_sends(&loud, 99));
	while (loud.taken < GUEST_IN_MAX + 1)
		next_turn(loop, l);
	ck_assert_uint_eq(loud.last, 99);
	guest_in_free(quiet.in);
	/* What waits is freed with its guest. */
	ck_assert(guest_sends(&loud, 1));
	guest_in_free(loud.in);
	loop_turn(loop, false);
	lane_free(l);
	loop_free(loop);
}
END_TEST

/* A hook of a step may end the guest, or the invitation that waits. */
START_TEST(a_queue_may_be_freed_by_its_step)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct guest g;

	guest_init(&g, l, 1);
	g.ends = true;
	ck_assert(guest_sends(&g, 1));
	ck_assert(guest_sends(&g, 2));
	next_turn(loop, l);
	ck_assert_uint_eq(g.taken, 1);
	ck_assert_uint_eq(g.done, 0);
	ck_assert(list_empty(&l->jobs));
	lane_free(l);
	loop_free(loop);
}
END_TEST

/* What went from one queue to another is the same datagram. */
START_TEST(a_datagram_moves_on)
{
	struct loop *loop = loop_new();
	struct lane *l = lane_new(loop, clock_us);
	struct guest_datagram *d = mem_zalloc(sizeof(*d) + 3);
	struct guest g;
	unsigned i;

	guest_init(&g, l, 0);
	d->len = 3;
	d->data[2] = 5;
	for (i = 0; i < GUEST_IN_MAX + 1; i++)
		ck_assert_int_eq(guest_in_move(g.in, d), i < GUEST_IN_MAX);
	while (g.taken < GUEST_IN_MAX)
		loop_turn(loop, true);
	ck_assert_uint_eq(g.last, 5);
	mem_free(d);
	guest_in_free(g.in);
	lane_free(l);
	loop_free(loop);
}
END_TEST

UNIT_SUITE(guest_in)
{
	Suite *s = suite_create("guest_in");
	TCase *tc = tcase_create("guest_in");

	tcase_add_test(tc, a_turn_handles_a_few_events);
	tcase_add_test(tc, a_queue_is_bounded);
	tcase_add_test(tc, a_queue_may_be_freed_by_its_step);
	tcase_add_test(tc, a_datagram_moves_on);
	suite_add_tcase(s, tc);
	return s;
}
