/*
 * Idle sessions behind NATs that forget a silent client: few datagrams, and
 * what the server shows still arrives.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "regress/sim/stack.h"
#include "regress/unit/unit.h"
#include "ssp/idle.h"

#define HOUR (3600 * (sim_us)SIM_S)

static void
start(struct stack *s, sim_us nat, double loss, uint64_t seed)
{
	struct stack_cfg cfg = { .cols = 80, .rows = 24 };
	struct sim_link_cfg link = { .delay = 50 * SIM_MS, .loss = loss };

	memset(s, 0, sizeof(*s));
	stack_init(s, &cfg, seed);
	s->nat = nat;
	sim_links(&s->sim, &link);
	stack_pump(&s->end[0]);
	stack_pump(&s->end[1]);
	stack_run(s, 2 * SIM_S);
	toy_log_add(stack_log(s), "k", 1);
	stack_kick(s, 0);
	stack_run(s, 10 * SIM_S);
	ck_assert(stack_equal(s));
}

static uint64_t
datagrams(const struct stack *s)
{
	return s->end[0].datagrams + s->end[1].datagrams;
}

/* Types a key; returns the ms until its echo is there. */
static double
key(struct stack *s)
{
	sim_us t = s->sim.now;

	toy_log_add(stack_log(s), "k", 1);
	stack_kick(s, 0);
	ck_assert(stack_settle(s, t + 60 * SIM_S));
	return (double)(s->sim.now - t) / SIM_MS;
}

static const unsigned nats[] = { 0, 15, 30, 60, 90, 120, 180, 300, 600 };

/* An hour in which nothing happens. */
START_TEST(an_idle_hour_costs_little)
{
	unsigned n = nats[_i / 2];
	uint64_t before, bytes;
	struct stack s;

	start(&s, n * (sim_us)SIM_S, 0, 1);
	s.nat_same = _i % 2 == 1;
	before = datagrams(&s);
	bytes = s.end[0].bytes + s.end[1].bytes;
	stack_run(&s, s.sim.now + HOUR);
	before = datagrams(&s) - before;
	bytes = s.end[0].bytes + s.end[1].bytes - bytes;
	printf("# NAT %u s%s: %llu datagrams, %llu bytes in an idle hour; a "
	       "key then takes %.0f ms\n",
	    n, s.nat_same ? " (same port)" : "", (unsigned long long)before,
	    (unsigned long long)bytes, key(&s));
	ck_assert_ptr_null(s.why);
	/* before: 1029 datagrams */
	ck_assert_uint_le(before, n == 0 || n > 60 ? 130 : n > 15 ? 400 : 850);
	stack_fini(&s);
}
END_TEST

/* Counts what the server shows in three hours and the client sees late. */
static void
output(sim_us nat, double loss, unsigned *late, double *worst)
{
	struct stack s;
	uint64_t rng = 5;
	unsigned i;
	sim_us t;
	double ms;

	*late = 0;
	*worst = 0;
	start(&s, nat, loss, 2);
	for (i = 0; i < 150; i++) {
		stack_run(&s, s.sim.now + (sim_us)sim_exp(&rng, 72 * SIM_S));
		t = s.sim.now;
		toy_screen_scroll(stack_screen(&s), &rng);
		stack_kick(&s, 1);
		ck_assert(stack_settle(&s, t + 300 * (sim_us)SIM_S));
		ms = (double)(s.sim.now - t) / SIM_MS;
		*late += ms > 1000;
		*worst = MAX_OF(*worst, ms);
	}
	ck_assert_ptr_null(s.why);
	stack_fini(&s);
}

/* Learning a NAT's patience costs a late screen or two, not more. */
START_TEST(output_reaches_an_idle_client)
{
	unsigned late;
	double worst;

	output(nats[_i] * (sim_us)SIM_S, 0, &late, &worst);
	printf(
	    "# NAT %u s: %u of 150 screens came more than a second late, the "
	    "last after %.1f s\n",
	    nats[_i], late, worst / 1000);
	ck_assert_uint_le(late, 3);
	ck_assert_double_le(worst, 45000);
}
END_TEST

/* While the user types, silence shows as before. */
START_TEST(a_dead_link_shows_when_the_user_types)
{
	struct stack s;
	sim_us t;

	start(&s, 0, 0, 3);
	stack_run(&s, s.sim.now + HOUR);
	ck_assert_uint_ge(ssp_transport_idle(s.end[0].bind.tp), SSP_IDLE_MAX);
	stack_run(&s, s.sim.now + 50 * SIM_S);
	ck_assert(!s.end[0].silent);
	s.sim.link[0].cfg.loss = s.sim.link[1].cfg.loss = 1;
	t = s.sim.now;
	toy_log_add(stack_log(&s), "k", 1);
	stack_kick(&s, 0);
	while (!s.end[0].silent && s.sim.now < t + 60 * SIM_S)
		stack_run(&s, s.sim.now + 100 * SIM_MS);
	printf("# a key on a dead link: silence after %.1f s\n",
	    (double)(s.sim.now - t) / SIM_S);
	ck_assert_uint_le(s.sim.now - t, 2 * SIM_S);
	/* and when the link is back, so is the session */
	stack_run(&s, s.sim.now + 30 * SIM_S);
	s.sim.link[0].cfg.loss = s.sim.link[1].cfg.loss = 0;
	ck_assert(stack_settle(&s, s.sim.now + 3 * SIM_S));
	/* a dead link that nobody uses shows after the announced silence */
	stack_run(&s, s.sim.now + HOUR);
	s.sim.link[0].cfg.loss = s.sim.link[1].cfg.loss = 1;
	t = s.sim.now;
	stack_run(&s, t + SSP_IDLE_MAX * SIM_MS + 4 * SIM_S);
	ck_assert(s.end[0].silent);
	stack_fini(&s);
}
END_TEST

/* Who looks on at output sees soon that it has stopped coming. */
START_TEST(a_dead_link_shows_behind_output)
{
	uint64_t rng = 5;
	struct stack s;
	unsigned i;
	sim_us t;

	start(&s, 0, _i == 0 ? 0 : 0.1, 7);
	stack_run(&s, s.sim.now + HOUR);
	ck_assert_uint_ge(ssp_transport_idle(s.end[0].bind.tp), SSP_IDLE_MAX);
	for (i = 0; i < 4; i++) {
		toy_screen_scroll(stack_screen(&s), &rng);
		stack_kick(&s, 1);
		stack_run(&s, s.sim.now + 3 * SIM_S);
	}
	ck_assert_uint_eq(ssp_transport_idle(s.end[0].bind.tp), SSP_IDLE_FIRST);
	s.sim.link[0].cfg.loss = s.sim.link[1].cfg.loss = 1;
	t = s.sim.now;
	while (!s.end[0].silent && s.sim.now < t + 60 * SIM_S)
		stack_run(&s, s.sim.now + 100 * SIM_MS);
	printf("# output on a dead link: silence after %.1f s\n",
	    (double)(s.sim.now - t) / SIM_S);
	ck_assert_uint_le(s.sim.now - t, 12 * SIM_S);
	stack_fini(&s);
}
END_TEST

/* A new network begins with short silences, whoever sees it. */
START_TEST(a_new_place_begins_anew)
{
	struct stack s;
	unsigned i;

	for (i = 0; i < 2; i++) {
		start(&s, 0, 0, 4);
		stack_run(&s, s.sim.now + HOUR);
		s.place++;
		if (i == 1) {
			ssp_conn_network_changed(
			    s.end[0].conn, stack_now(&s.end[0]));
			stack_pump(&s.end[0]);
		}
		ck_assert_double_le(key(&s), 500);
		stack_run(&s, s.sim.now + SIM_S);
		ck_assert_uint_eq(
		    ssp_transport_idle(s.end[1].bind.tp), SSP_IDLE_FIRST);
		/* the NAT there has less patience */
		s.nat = 30 * SIM_S;
		stack_run(&s, s.sim.now + HOUR);
		ck_assert_double_le(key(&s), 500);
		ck_assert_uint_lt(ssp_transport_idle(s.end[1].bind.tp), 30000);
		ck_assert_ptr_null(s.why);
		stack_fini(&s);
	}
}
END_TEST

/* With loss, too, the silences grow and nothing is taken for an outage. */
START_TEST(losses_are_no_nat)
{
	static const double loss[] = { .05, .29 };
	unsigned i, n, silent;
	struct stack s;
	uint64_t before;

	for (i = 0; i < 2; i++) {
		start(&s, 0, loss[i], 6);
		before = datagrams(&s);
		for (n = silent = 0; n < 36000; n++) {
			stack_run(&s, s.sim.now + 100 * SIM_MS);
			silent += s.end[0].silent;
		}
		printf("# %.0f %% lost: %llu datagrams in an idle hour, silent "
		       "for %.1f s\n",
		    loss[i] * 100, (unsigned long long)(datagrams(&s) - before),
		    silent / 10.0);
		ck_assert_uint_le(datagrams(&s) - before, 900);
		ck_assert_uint_le(silent, 100);
		ck_assert_ptr_null(s.why);
		stack_fini(&s);
	}
}
END_TEST

UNIT_SUITE(nat)
{
	Suite *s = suite_create("sim/nat");
	TCase *tc = tcase_create("nat");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, an_idle_hour_costs_little, 0, 2 * (int)ARRAY_LEN(nats));
	tcase_add_loop_test(
	    tc, output_reaches_an_idle_client, 0, (int)ARRAY_LEN(nats));
	tcase_add_test(tc, a_dead_link_shows_when_the_user_types);
	tcase_add_loop_test(tc, a_dead_link_shows_behind_output, 0, 2);
	tcase_add_test(tc, a_new_place_begins_anew);
	tcase_add_test(tc, losses_are_no_nat);
	suite_add_tcase(s, tc);
	return s;
}
