/* Side messages (ssp/side.h): they arrive and do not disturb. */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/keys.h"
#include "regress/sim/pair.h"
#include "regress/unit/unit.h"
#include "ssp/compress.h"
#include "ssp/side.h"

/* --- what is carried --- */

#define SIDE_MESSAGES 40

struct side_world {
	struct pair p;
	struct ssp_zip *zip;
	uint64_t rng;
	unsigned put[2], got[2]; /* by sender */
};

/* Length and bytes of message I of END. */
static size_t
message(unsigned end, unsigned i, uint8_t *out)
{
	uint64_t rng = end * 1000003u + i;
	size_t n = 1 + sim_below(&rng, i % 7 == 0 ? SSP_SIDE_MAX : 3000), k;

	for (k = 0; k < n; k++)
		out[k] = (uint8_t)sim_rand(&rng);
	return n;
}

static void
exchange(struct side_world *w, unsigned end)
{
	static uint8_t bytes[SSP_SIDE_MAX];
	struct pair_end *from = &w->p.end[end], *to = &w->p.end[!end];
	const uint8_t *got;
	size_t n, len;

	while ((got = ssp_transport_side_take(to->tp, &n)) != NULL) {
		len = message(end, w->got[end]++, bytes);
		ck_assert_uint_eq(n, len);
		ck_assert_mem_eq(got, bytes, n);
	}
	if (w->put[end] >= SIDE_MESSAGES ||
	    ssp_transport_side_ready(from->tp, pair_now(from)) == MONO_NEVER)
		return;
	n = message(end, w->put[end], bytes);
	if (ssp_transport_side_put(from->tp, pair_now(from), bytes, n)) {
		w->put[end]++;
		pair_pump(from);
	}
}

static void
side_world_init(
    struct side_world *w, const struct sim_link_cfg *link, uint64_t seed)
{
	struct pair_cfg cfg = { .cols = 80, .rows = 24 };

	memset(w, 0, sizeof(*w));
	w->rng = seed;
	cfg.zip = w->zip = ssp_zip_new();
	pair_init(&w->p, &cfg, seed);
	sim_links(&w->p.sim, link);
}

static void
side_world_fini(struct side_world *w)
{
	ck_assert_msg(w->p.broken == 0, "%s", w->p.why);
	pair_fini(&w->p);
	ssp_zip_free(w->zip);
}

static const struct {
	const char *name;
	struct sim_link_cfg link;
	sim_us talk; /* mean gap between changes of the screen; 0: none */
} carried[] = {
	{ "clean", { .delay = 20 * SIM_MS }, 0 },
	{ "clean, talking", { .delay = 20 * SIM_MS }, 100 * SIM_MS },
	{ "29 % loss", { .delay = 50 * SIM_MS, .loss = 0.29 }, 700 * SIM_MS },
	{ "disorder",
	    { .delay = 30 * SIM_MS,
		.jitter = 60 * SIM_MS,
		.reorder = true,
		.duplicate = 0.3,
		.loss = 0.1 },
	    300 * SIM_MS },
	{ "outages",
	    { .delay = 50 * SIM_MS,
		.cut = { { 3 * SIM_S, 40 * SIM_S },
		    { 60 * SIM_S, 75 * SIM_S } },
		.ncut = 2 },
	    500 * SIM_MS },
};

/* Messages arrive whole, in order, once, both ways. */
START_TEST(messages_arrive_in_order)
{
	struct side_world *w = mem_alloc(sizeof(*w));
	sim_us talk;

	side_world_init(w, &carried[_i].link, (uint64_t)_i + 1);
	toy_screen_fill(pair_screen(&w->p), &w->rng);
	pair_kick(&w->p, 1);
	talk = 0;
	while (w->got[0] < SIDE_MESSAGES || w->got[1] < SIDE_MESSAGES) {
		ck_assert_msg(sim_step(&w->p.sim, 7200ull * SIM_S), "%s: %u %u",
		    carried[_i].name, w->got[0], w->got[1]);
		exchange(w, 0);
		exchange(w, 1);
		if (carried[_i].talk > 0 && w->p.sim.now > talk) {
			talk = w->p.sim.now + (sim_us)sim_exp(&w->rng,
						  (double)carried[_i].talk);
			toy_screen_scroll(pair_screen(&w->p), &w->rng);
			pair_kick(&w->p, 1);
		}
	}
	printf("# side messages, %s: %.0f s\n", carried[_i].name,
	    (double)w->p.sim.now / SIM_S);
	side_world_fini(w);
	mem_free(w);
}
END_TEST

/* An acknowledged message leaves no timer. */
START_TEST(an_idle_link_stays_idle)
{
	struct sim_link_cfg link = { .delay = 40 * SIM_MS };
	struct side_world *w = mem_alloc(sizeof(*w));
	uint64_t bytes[2];
	unsigned i, k;

	for (i = 0; i < 2; i++) {
		side_world_init(w, &link, 7);
		toy_screen_fill(pair_screen(&w->p), &w->rng);
		pair_kick(&w->p, 1);
		while (i == 1 && (w->got[0] < SIDE_MESSAGES ||
				     w->got[1] < SIDE_MESSAGES)) {
			ck_assert(sim_step(&w->p.sim, 7200ull * SIM_S));
			exchange(w, 0);
			exchange(w, 1);
		}
		sim_run(&w->p.sim, w->p.sim.now + 20 * SIM_S);
		bytes[i] = 0;
		for (k = 0; k < 2; k++)
			bytes[i] -= w->p.end[k].bytes;
		sim_run(&w->p.sim, w->p.sim.now + 600 * SIM_S);
		for (k = 0; k < 2; k++)
			bytes[i] += w->p.end[k].bytes;
		side_world_fini(w);
	}
	printf("# idle for 600 s: %llu bytes, after side messages %llu\n",
	    (unsigned long long)bytes[0], (unsigned long long)bytes[1]);
	ck_assert_uint_le(bytes[1], bytes[0] + bytes[0] / 50);
	mem_free(w);
}
END_TEST

/* The vector of doc/PROTOCOL.md. */
START_TEST(bytes_of_a_part)
{
	static const uint8_t frame[] = { 0x0b, 0x08, 0x03, 0x05, 0x00, 0x68,
		0x65, 0x6c, 0x6c, 0x6f };
	uint8_t out[200];
	struct ssp_side s;
	struct wr w;
	size_t n;

	ssp_side_init(&s);
	s.num = s.in_num = 3;
	ck_assert(ssp_side_put(&s, 0, "hello", 5));
	ck_assert(!ssp_side_put(&s, 0, "hello", 5));
	wr_init(&w, out, sizeof(out));
	ck_assert(ssp_side_write(&s, 0, 1, &w));
	ck_assert_uint_eq(wr_len(&w), sizeof(frame));
	ck_assert_mem_eq(out, frame, sizeof(frame));
	ck_assert_int_eq(ssp_side_read(&s, frame + 2, sizeof(frame) - 2), 0);
	ck_assert_mem_eq(ssp_side_take(&s, &n), "hello", 5);
	ck_assert_uint_eq(n, 5);
	ck_assert_ptr_null(ssp_side_take(&s, &n));
	/* A repetition adds nothing. */
	ck_assert_int_eq(ssp_side_read(&s, frame + 2, sizeof(frame) - 2), 0);
	ck_assert_ptr_null(ssp_side_take(&s, &n));
	for (n = 2; n < 6; n++)
		ck_assert_int_ne(ssp_side_read(&s, frame + 2, n - 2), 0);
	ssp_side_fini(&s);
}
END_TEST

/* --- any order, size and fate of parts --- */

#define PARTS 64
#define PART_MESSAGES 6

struct parts {
	struct ssp_side a, b;
	uint64_t rng, pn;
	mono_ms now;
	unsigned put, got, n;
	struct part {
		uint64_t pn;
		uint8_t bytes[1400];
		size_t len;
	} fly[PARTS];
};

static void
part_send(struct parts *p)
{
	static uint8_t bytes[SSP_SIDE_MAX];
	struct part *f = &p->fly[p->n];
	struct wr w;

	if (p->put < PART_MESSAGES &&
	    ssp_side_put(&p->a, p->now, bytes, message(0, p->put, bytes)))
		p->put++;
	if (ssp_side_time(&p->a, 0, 100) > p->now || p->n == PARTS)
		return;
	wr_init(&w, f->bytes, 100 + sim_below(&p->rng, 1200));
	if (!ssp_side_write(&p->a, p->now, ++p->pn, &w))
		return;
	f->pn = p->pn;
	f->len = wr_len(&w);
	p->n++;
}

static void
part_read(struct parts *p, const struct part *f)
{
	struct rd r;
	uint64_t len;

	rd_init(&r, f->bytes, f->len);
	(void)rd_varint(&r);
	len = rd_varint(&r);
	ck_assert_uint_eq(len, rd_left(&r));
	ck_assert_int_eq(ssp_side_read(&p->b, r.p, rd_left(&r)), 0);
}

/* One part arrives, perhaps twice, or is lost; or only its ack is. */
static void
part_ends(struct parts *p)
{
	const unsigned i = (unsigned)sim_below(&p->rng, p->n);
	const unsigned fate = (unsigned)sim_below(&p->rng, 10);
	struct part *f = &p->fly[i];

	if (fate > 2)
		part_read(p, f);
	if (fate > 8)
		part_read(p, f);
	if (fate > 3)
		ssp_side_acked(&p->a, p->now, f->pn, 50);
	else
		ssp_side_lost(&p->a, p->now, f->pn);
	*f = p->fly[--p->n];
}

static void
parts_check(struct parts *p)
{
	static uint8_t bytes[SSP_SIDE_MAX];
	unsigned i, flying = 0;
	const uint8_t *got;
	size_t n;

	for (i = 0; i < p->a.npieces; i++)
		flying += !p->a.pieces[i].lost;
	ck_assert_uint_eq(flying, p->a.flying);
	while ((got = ssp_side_take(&p->b, &n)) != NULL) {
		ck_assert_uint_eq(n, message(0, p->got++, bytes));
		ck_assert_mem_eq(got, bytes, n);
	}
}

START_TEST(parts_of_any_order_and_fate_make_the_messages)
{
	const unsigned rounds = unit_rounds(200);
	const uint64_t seed = unit_seed(1);
	struct parts *p = mem_alloc(sizeof(*p));
	unsigned i, steps;

	for (i = 0; i < rounds; i++) {
		memset(p, 0, sizeof(*p));
		ssp_side_init(&p->a);
		ssp_side_init(&p->b);
		p->rng = seed + i;
		for (steps = 0; p->got < PART_MESSAGES; steps++) {
			ck_assert_msg(steps < 1000000, "seed %llu: %u messages",
			    (unsigned long long)(seed + i), p->got);
			p->now += 1 + sim_below(&p->rng, 20);
			part_send(p);
			if (p->n > 0 && sim_below(&p->rng, 4) == 0)
				part_ends(p);
			parts_check(p);
		}
		ssp_side_fini(&p->a);
		ssp_side_fini(&p->b);
	}
	mem_free(p);
}
END_TEST

/* --- what it costs the others --- */

static const struct {
	const char *name;
	struct sim_link_cfg link;
	bool flood;
	double most; /* ms that mean and median may grow by */
} cost[] = {
	{ "clean, 100 ms", { .delay = 50 * SIM_MS }, false, 1 },
	{ "29 % loss", { .delay = 50 * SIM_MS, .loss = 0.29 }, false, 6 },
	{ "500 ms, 10 % loss", { .delay = 250 * SIM_MS, .loss = 0.1 }, false,
	    6 },
	{ "64 kbit/s", { .delay = 50 * SIM_MS, .rate = 8000, .queue = 32000 },
	    false, 4 },
	{ "600 kbit/s, jitter, loss",
	    { .delay = 150 * SIM_MS,
		.jitter = 200 * SIM_MS,
		.loss = 0.02,
		.rate = 75000,
		.queue = 200000 },
	    false, 5 },
	{ "1 Mbit/s, flood",
	    { .delay = 40 * SIM_MS, .rate = 125000, .queue = 100000 }, true,
	    4 },
};

/* Latencies equal those of a link without side messages. */
START_TEST(keys_do_not_notice)
{
	struct keys_cfg cfg = { .n = 1500,
		.link = cost[_i].link,
		.gap = KEYS_TYPING,
		.app = 2 * SIM_MS,
		.flood = cost[_i].flood };
	struct keys_result r[2];
	double mean[2] = { 0, 0 }, median[2] = { 0, 0 }, p99[2] = { 0, 0 };
	double side = 0;
	unsigned i, k;

	for (k = 0; k < 2; k++)
		for (i = 0; i < 2; i++) {
			cfg.side = i == 1;
			cfg.seed = 11 + k;
			keys_run(&cfg, &r[i]);
			ck_assert_msg(r[i].why == NULL, "%s", r[i].why);
			mean[i] += r[i].mean / 2;
			median[i] += r[i].median / 2;
			p99[i] += r[i].p99 / 2;
			side += r[i].side / 2;
		}
	printf("# keys, %s: mean %.1f ms, with side messages (%.0f bytes/s) "
	       "%.1f; median %.1f, %.1f; p99 %.0f, %.0f\n",
	    cost[_i].name, mean[0], side, mean[1], median[0], median[1], p99[0],
	    p99[1]);
	ck_assert_msg(mean[1] < mean[0] + cost[_i].most, "mean %.2f %.2f",
	    mean[0], mean[1]);
	ck_assert_msg(median[1] < median[0] + cost[_i].most, "median %.2f %.2f",
	    median[0], median[1]);
	/* One part may precede a key. */
	ck_assert_msg(p99[1] < p99[0] + 25 + cost[_i].most * 8, "p99 %.0f %.0f",
	    p99[0], p99[1]);
}
END_TEST

/* Alone on a link they use a share of it, not all. */
START_TEST(a_share_of_the_link)
{
	struct sim_link_cfg link = {
		.delay = 50 * SIM_MS, .rate = 8000, .queue = 64000
	};
	struct side_world *w = mem_alloc(sizeof(*w));
	struct pair_end *e = &w->p.end[1];
	uint8_t bytes[4000];
	uint64_t before;
	double share;
	size_t n;

	memset(bytes, 'h', sizeof(bytes));
	side_world_init(w, &link, 3);
	toy_screen_scroll(pair_screen(&w->p), &w->rng);
	pair_kick(&w->p, 1);
	sim_run(&w->p.sim, 3 * SIM_S);
	before = e->bytes;
	while (w->p.sim.now < 63 * SIM_S) {
		while (ssp_transport_side_take(w->p.end[0].tp, &n) != NULL)
			;
		if (ssp_transport_side_put(
			e->tp, pair_now(e), bytes, sizeof(bytes)))
			pair_pump(e);
		if (!sim_step(&w->p.sim, 63 * SIM_S))
			break;
	}
	share = (double)(e->bytes - before) / (60.0 * 8000);
	printf(
	    "# side messages alone on 64 kbit/s: %.0f %% of it\n", share * 100);
	ck_assert(share > 0.05 && share < 0.3);
	side_world_fini(w);
	mem_free(w);
}
END_TEST

UNIT_SUITE(side)
{
	Suite *s = suite_create("side");
	TCase *tc = tcase_create("messages");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(
	    tc, messages_arrive_in_order, 0, (int)ARRAY_LEN(carried));
	tcase_add_test(tc, an_idle_link_stays_idle);
	tcase_add_test(tc, bytes_of_a_part);
	tcase_add_test(tc, parts_of_any_order_and_fate_make_the_messages);
	tcase_add_loop_test(tc, keys_do_not_notice, 0, (int)ARRAY_LEN(cost));
	tcase_add_test(tc, a_share_of_the_link);
	suite_add_tcase(s, tc);
	return s;
}
