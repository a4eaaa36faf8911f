/*
 * The tail of keys on lossy links: bursts are told from independent losses, and
 * copies stay within their budget.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/wire.h"
#include "regress/sim/fresh.h"
#include "regress/sim/keys.h"
#include "regress/sim/pair.h"
#include "regress/sim/tail.h"
#include "regress/unit/unit.h"
#include "ssp/acktr.h"
#include "ssp/compress.h"
#include "ssp/loss.h"
#include "ssp/transport.h"

static void
fate(UNUSED void *arg, UNUSED mono_ms now, UNUSED const struct ssp_pkt *p)
{
}

/* Sends pairs of datagrams 4 ms apart; a burst takes both of a pair. */
static bool
bunched(double loss, bool bursts, unsigned pairs, uint64_t seed)
{
	static const struct ssp_loss_ops ops = { fate, fate };
	struct ssp_acktr t;
	struct ssp_loss l;
	struct ssp_ack a;
	uint8_t body[200];
	uint64_t pn = 1;
	mono_ms now = 0;
	struct wr w;
	struct rd r;
	bool bad = false;
	unsigned i;

	ssp_loss_init(&l, &ops, NULL);
	ssp_acktr_init(&t);
	for (i = 0; i < pairs * 2; i++, pn++) {
		now += i % 2 == 0 ? 200 : 4;
		if (i % 2 == 0 || !bursts)
			bad = sim_real(&seed) < loss;
		ssp_loss_sent(&l, now, pn, 80, true, false);
		if (bad || !ssp_acktr_add(&t, pn))
			continue;
		wr_init(&w, body, sizeof(body));
		ssp_acktr_put(&t, &w, SSP_ACKTR_BITMAP_MAX);
		rd_init(&r, body, wr_len(&w));
		ck_assert_int_eq(ssp_ack_get(&a, &r), 0);
		ssp_loss_ack(&l, now + 100, &a, 100);
	}
	bad = ssp_loss_bunched(&l);
	ssp_loss_fini(&l);
	return bad;
}

START_TEST(bursts_are_told_from_single_losses)
{
	unsigned i, right[2] = { 0, 0 };

	for (i = 1; i <= 200; i++) {
		right[0] += !bunched(.29, false, 200, i);
		right[1] += bunched(.29, true, 200, i);
	}
	printf("# of 200 links: %u without and %u with bursts are told\n",
	    right[0], right[1]);
	ck_assert_uint_ge(right[0], 190);
	ck_assert_uint_ge(right[1], 198);
	/* nothing known, nothing lost */
	ck_assert(bunched(.29, false, 0, 1));
	ck_assert(bunched(0, false, 100, 1));
}
END_TEST

/* Acks LARGEST and ten numbers below but that at distance LOST. */
static void
ack_but(struct ssp_loss *l, mono_ms now, uint64_t largest, unsigned lost)
{
	uint8_t map[1] = { 0xff };
	struct ssp_ack a = {
		.largest = largest, .run = lost - 1, .bitmap = map, .len = 1
	};

	ssp_loss_ack(l, now, &a, 20);
}

/* A datagram that is only given up may have arrived: acks were lost. */
START_TEST(lost_acks_are_no_burst)
{
	static const struct ssp_loss_ops ops = { fate, fate };
	struct ssp_loss l;
	uint64_t pn;

	ssp_loss_init(&l, &ops, NULL);
	for (pn = 1; pn <= 100; pn++)
		ssp_loss_sent(&l, (mono_ms)pn, pn, 80, true, false);
	for (pn = 12; pn <= 100; pn += 12)
		ack_but(&l, 1000, pn, 1 + pn % 2);
	/* The acks say that eight are missing, and tell nothing of 16 others. */
	ck_assert_uint_eq(l.lost, 8 + 8 * 2);
	ck_assert(!ssp_loss_bunched(&l));
	for (pn = 101; pn <= 140; pn++)
		ssp_loss_sent(&l, 900 + (mono_ms)pn, pn, 80, true, false);
	ssp_loss_expire(&l, 3000, 200, false);
	ck_assert_uint_gt(l.lost, 50);
	ck_assert(!ssp_loss_bunched(&l));
	ssp_loss_fini(&l);
}
END_TEST

static const struct {
	const char *name;
	double loss, burst;
	enum keys_gap gap;
	double p99; /* of ssp/ beside the best of the same copies */
} best[] = {
	{ "29 %", .29, 0, KEYS_ISOLATED, 1.1 },
	{ "29 % in bursts", .29, 60, KEYS_ISOLATED, 1.25 },
	{ "29 %, typing", .29, 0, KEYS_TYPING, 1.1 },
	{ "5 %", .05, 0, KEYS_ISOLATED, 1.05 },
};

/* ssp/ loses little to ideal acks. */
START_TEST(the_tail_is_near_the_best)
{
	struct tail_cfg t = { .n = 10000,
		.rtt = 100,
		.loss = best[_i].loss,
		.burst = best[_i].burst,
		.again = 115,
		.gap = best[_i].gap,
		.seed = unit_seed(1) };
	struct keys_cfg k = {
		.n = t.n, .gap = t.gap, .late = 50, .seed = t.seed
	};
	struct tail_result bound;
	struct keys_result r;
	static const double near[] = { 1, 4, 9, 16 }, far[] = { 5, 20, 45, 80 };

	t.copies = t.gap == KEYS_TYPING ? 3 : t.loss < .1 ? 2 : 4;
	memcpy(t.at, t.burst > 0 ? far : near, sizeof(near));
	k.link.delay = 50 * SIM_MS;
	k.link.loss = t.burst > 0 ? 0 : t.loss;
	k.link.burst = t.burst > 0 ? t.loss : 0;
	k.link.burst_len = (sim_us)(t.burst * SIM_MS);
	tail_run(&t, &bound);
	keys_run(&k, &r);
	printf("# %s: p99 %.1f ms, at best %.1f; mean %.1f, at best %.1f\n",
	    best[_i].name, r.p99, bound.p99, r.mean, bound.mean);
	ck_assert_ptr_null(r.why);
	ck_assert_double_le(r.p99, bound.p99 * best[_i].p99);
	ck_assert_double_le(r.mean, bound.mean * 1.08);
}
END_TEST

/* Returns the bytes that the client sends in 20 s of keys 20 ms apart. */
static uint64_t
held_key(double loss, uint64_t rate)
{
	struct pair_cfg cfg = { .cols = 80, .rows = 24 };
	struct sim_link_cfg link = {
		.delay = 50 * SIM_MS, .loss = loss, .rate = rate, .queue = 40000
	};
	struct pair p;
	uint64_t before = 0;
	unsigned i;

	cfg.zip = ssp_zip_new();
	pair_init(&p, &cfg, 1);
	sim_links(&p.sim, &link);
	for (i = 0; i < 1200; i++) {
		if (i == 200)
			before = p.end[0].bytes;
		toy_log_add(pair_log(&p), "x", 1);
		pair_kick(&p, 0);
		sim_run(&p.sim, p.sim.now + 20 * SIM_MS);
	}
	before = p.end[0].bytes - before;
	ck_assert_uint_eq(p.broken, 0);
	pair_fini(&p);
	ssp_zip_free(cfg.zip);
	return before;
}

/* What a key held down costs others on the link. */
START_TEST(copies_of_a_held_key_are_bounded)
{
	uint64_t clean = held_key(0, 0), lossy = held_key(.29, 0);

	printf("# a held key: %llu bytes/s, with 29 %% lost %llu\n",
	    (unsigned long long)clean / 20, (unsigned long long)lossy / 20);
	ck_assert_uint_le(lossy, clean + 20 * (4000 + 1500));
}
END_TEST

#define FRESH_SESSIONS 100
#define FRESH_KEYS 120

static const struct {
	const char *name;
	double loss, burst;
	enum keys_gap gap;
	double p99, first; /* of all keys, and of the first ten, ms */
} fresh[] = {
	{ "2 %", .02, 0, KEYS_ISOLATED, 121, 280 },
	{ "5 %", .05, 0, KEYS_ISOLATED, 121, 290 },
	{ "10 %", .10, 0, KEYS_ISOLATED, 125, 220 },
	{ "29 %", .29, 0, KEYS_ISOLATED, 170, 280 },
	{ "29 %, typing", .29, 0, KEYS_TYPING, 240, 320 },
	{ "29 % in bursts", .29, 60, KEYS_ISOLATED, 480, 650 },
};

static void
fresh_get(double loss, double burst, enum keys_gap gap, unsigned keys,
    struct fresh_result *r)
{
	struct fresh_cfg c = { .sessions = FRESH_SESSIONS,
		.keys = keys,
		.gap = gap,
		.rest = 3 * SIM_S,
		.seed = unit_seed(1) };

	c.link.delay = 50 * SIM_MS;
	c.link.loss = burst > 0 ? 0 : loss;
	c.link.burst = burst > 0 ? loss : 0;
	c.link.burst_len = (sim_us)(burst * SIM_MS);
	fresh_run(&c, r);
	ck_assert_ptr_null(r->why);
}

/* A session that has just begun does not know its link yet. */
START_TEST(first_keys_are_not_late)
{
	struct fresh_result r;
	const struct keys_result *all = &r.group[FRESH_ALL].all,
				 *first = &r.group[FRESH_10].all;

	fresh_get(
	    fresh[_i].loss, fresh[_i].burst, fresh[_i].gap, FRESH_KEYS, &r);
	printf("# short sessions, %s: mean %.1f, p99 %.1f ms, of the first ten "
	       "%.1f (up %.0f, down %.0f)\n",
	    fresh[_i].name, all->mean, all->p99, first->p99,
	    r.group[FRESH_10].up, r.group[FRESH_10].down);
	ck_assert_double_le(all->p99, fresh[_i].p99);
	ck_assert_double_le(first->p99, fresh[_i].first);
}
END_TEST

/* What a session on a clean link pays for that, once. */
START_TEST(first_keys_cost_little_on_a_clean_link)
{
	struct fresh_result r, half;

	fresh_get(0, 0, KEYS_ISOLATED, FRESH_KEYS, &r);
	fresh_get(0, 0, KEYS_ISOLATED, FRESH_KEYS / 2, &half);
	printf("# short sessions, clean: %.0f copies\n", r.copies);
	/* one has fewer than 80 bytes */
	ck_assert_double_le(r.copies * 80, 1300);
	ck_assert_double_le(r.copies, half.copies);
	ck_assert_double_le(r.group[FRESH_ALL].all.max, 105);
}
END_TEST

/* Types N keys, one each GAP; returns the copies that both ends have sent. */
static uint64_t
clean_type(struct pair *p, unsigned n, sim_us gap)
{
	struct ssp_transport_stats st;
	uint64_t copies = 0;
	unsigned i;

	for (i = 0; i < n; i++) {
		toy_log_add(pair_log(p), "x", 1);
		pair_kick(p, 0);
		sim_run(&p->sim, p->sim.now + gap);
	}
	for (i = 0; i < 2; i++) {
		ssp_transport_stats(p->end[i].tp, 0, &st);
		copies += st.copies_sent;
	}
	return copies;
}

static void
clean_news(void *arg, struct pair_end *e, UNUSED sim_us now)
{
	struct pair *p = arg;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 0)
		return;
	pair_screen(p)->echo = pair_remote_log(p)->end;
	ssp_transport_changed(e->tp, pair_now(e));
}

/* However keys follow each other, copies on a clean link end. */
START_TEST(copies_end_at_any_pace)
{
	static const unsigned rtt[] = { 10, 20, 40, 100, 250, 600 };
	struct pair_cfg cfg = { .cols = 80, .rows = 24, .news = clean_news };
	struct sim_link_cfg link = { 0 };
	uint64_t begun, more, most = 0;
	struct pair p;
	unsigned i, gap;

	cfg.zip = ssp_zip_new();
	cfg.news_arg = &p;
	for (i = 0; i < ARRAY_LEN(rtt); i++)
		for (gap = 30; gap <= 1500; gap += MAX_OF(gap / 6, 10u)) {
			link.delay = rtt[i] * SIM_MS / 2;
			pair_init(&p, &cfg, unit_seed(1));
			sim_links(&p.sim, &link);
			sim_run(&p.sim, SIM_S);
			begun = clean_type(&p, 70, gap * SIM_MS);
			more = clean_type(&p, 200, gap * SIM_MS) - begun;
			most = MAX_OF(most, begun);
			if (more > 0)
				printf("# %u ms, a key each %u ms: %u copies "
				       "at first, then %u\n",
				    rtt[i], gap, (unsigned)begun,
				    (unsigned)more);
			ck_assert_uint_eq(more, 0);
			pair_fini(&p);
		}
	ssp_zip_free(cfg.zip);
	printf("# a clean link, keys at any pace: at most %u copies\n",
	    (unsigned)most);
	ck_assert_uint_le(most, 60);
}
END_TEST

UNIT_SUITE(tail)
{
	Suite *s = suite_create("sim/tail");
	TCase *tc = tcase_create("tail");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, bursts_are_told_from_single_losses);
	tcase_add_test(tc, lost_acks_are_no_burst);
	tcase_add_loop_test(
	    tc, the_tail_is_near_the_best, 0, (int)ARRAY_LEN(best));
	tcase_add_loop_test(
	    tc, first_keys_are_not_late, 0, (int)ARRAY_LEN(fresh));
	tcase_add_test(tc, first_keys_cost_little_on_a_clean_link);
	tcase_add_test(tc, copies_end_at_any_pace);
	tcase_add_test(tc, copies_of_a_held_key_are_bounded);
	suite_add_tcase(s, tc);
	return s;
}
