/*
 * The transport in situations that broke other programs; each test names its
 * situation.
 */
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/chance.h"
#include "regress/sim/keys.h"
#include "regress/sim/pair.h"
#include "regress/unit/unit.h"
#include "ssp/cc.h"
#include "ssp/compress.h"

struct world {
	struct pair p;
	struct ssp_zip *zip;
	uint64_t rng;
	sim_us gap;   /* between changes of the output; 0: none */
	bool screens; /* each change is a whole screen */
	bool stop;    /* the program ended and showed its last screen */
};

static void
world_news(void *arg, struct pair_end *e, UNUSED sim_us now)
{
	struct world *w = arg;
	struct toy_screen *s;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 0)
		return;
	s = pair_screen(&w->p);
	s->echo = pair_remote_log(&w->p)->end;
	if (w->gap > 0) {
		/* Control-C: the output stops and a prompt appears. */
		w->stop = true;
		memset(s->cell, '$', s->cols);
	}
	ssp_transport_changed(e->tp, pair_now(e));
}

static void
world_output(void *arg, sim_us now)
{
	struct world *w = arg;

	if (w->stop)
		return;
	if (w->screens)
		toy_screen_fill(pair_screen(&w->p), &w->rng);
	else
		toy_screen_scroll(pair_screen(&w->p), &w->rng);
	pair_kick(&w->p, 1);
	sim_at(&w->p.sim, now + w->gap, world_output, w);
}

static void
world_init(struct world *w, uint32_t cols, uint32_t rows,
    const struct sim_link_cfg *link, uint64_t seed)
{
	struct pair_cfg cfg = { .cols = cols, .rows = rows };

	memset(w, 0, sizeof *w);
	w->rng = seed;
	cfg.zip = w->zip = ssp_zip_new();
	cfg.news = world_news;
	cfg.news_arg = w;
	pair_init(&w->p, &cfg, seed);
	sim_links(&w->p.sim, link);
}

static void
world_fini(struct world *w)
{
	ck_assert_msg(w->p.broken == 0, "%s", w->p.why);
	pair_fini(&w->p);
	ssp_zip_free(w->zip);
}

static void
world_run(struct world *w, sim_us time)
{
	sim_run(&w->p.sim, w->p.sim.now + time);
}

static void
world_type(struct world *w)
{
	toy_log_add(pair_log(&w->p), "x", 1);
	pair_kick(&w->p, 0);
}

/* Types for a while, so that round trip and loss are measured. */
static void
world_warm(struct world *w, unsigned keys)
{
	while (keys-- > 0) {
		world_type(w);
		world_run(w, 150 * SIM_MS);
	}
	world_run(w, 2 * SIM_S);
}

/* Returns the ms until both ends are equal; waits LIMIT seconds at most. */
static double
world_settle(struct world *w, sim_us limit)
{
	sim_us start = w->p.sim.now;

	while (!pair_equal(&w->p))
		if (!sim_step(&w->p.sim, start + limit * SIM_S))
			return 1e9;
	return (double)(w->p.sim.now - start) / SIM_MS;
}

static const struct {
	const char *name;
	uint64_t rate;
	bool screens;
	double limit; /* ms for the effect of Control-C */
} flood[] = {
	{ "fast link, lines", 0, false, 110 },
	{ "fast link, screens", 0, true, 110 },
	{ "1 MB/s, screens", 1000000, true, 200 },
	{ "100 kB/s, lines", 100000, false, 200 },
	{ "100 kB/s, screens", 100000, true, 400 },
	{ "20 kB/s, lines", 20000, false, 400 },
};

/* Control-C and its effect pass a flood of output. */
START_TEST(control_c_passes_any_flood)
{
	struct sim_link_cfg link = {
		.delay = 50 * SIM_MS, .rate = flood[_i].rate, .queue = 1000000
	};
	struct world w;
	double ms, max = 0;
	unsigned i;

	for (i = 0; i < 8; i++) {
		world_init(&w, 120, 40, &link, i + 1);
		world_warm(&w, 10);
		w.gap = 2 * SIM_MS;
		w.screens = flood[_i].screens;
		sim_at(&w.p.sim, w.p.sim.now, world_output, &w);
		world_run(&w, 5 * SIM_S + i * 17 * SIM_MS);
		world_type(&w);
		ms = world_settle(&w, 60);
		max = MAX_OF(max, ms);
		world_fini(&w);
	}
	printf("# control-C, %s: max %.0f ms\n", flood[_i].name, max);
	ck_assert_double_le(max, flood[_i].limit);
}
END_TEST

static const unsigned cut_s[] = { 1, 5, 60, 3600 };

/* After any cut the driver reports the link as back: frames resume. */
START_TEST(frames_resume_one_round_trip_after_a_cut)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	struct world w;
	unsigned i;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 20);
	for (i = 0; i < 2; i++) {
		w.p.sim.link[i].cfg.ncut = 1;
		w.p.sim.link[i].cfg.cut[0].from = w.p.sim.now;
		w.p.sim.link[i].cfg.cut[0].to =
		    w.p.sim.now + (sim_us)cut_s[_i] * SIM_S;
	}
	world_run(&w, 100 * SIM_MS);
	world_type(&w);
	toy_screen_scroll(pair_screen(&w.p), &w.rng);
	pair_kick(&w.p, 1);
	world_run(&w, (sim_us)cut_s[_i] * SIM_S - 100 * SIM_MS);
	ssp_transport_poke(w.p.end[0].tp, pair_now(&w.p.end[0]), false);
	pair_pump(&w.p.end[0]);
	ms = world_settle(&w, 60);
	printf("# cut of %u s: resumed after %.1f ms\n", cut_s[_i], ms);
	ck_assert_double_le(ms, 120);
	world_fini(&w);
}
END_TEST

/* Without that report, the search for the peer finds it soon. */
START_TEST(an_unannounced_return_is_found)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	struct world w;
	unsigned i;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 20);
	for (i = 0; i < 2; i++) {
		w.p.sim.link[i].cfg.ncut = 1;
		w.p.sim.link[i].cfg.cut[0].from = w.p.sim.now;
		w.p.sim.link[i].cfg.cut[0].to = w.p.sim.now + 20 * SIM_S;
	}
	toy_screen_scroll(pair_screen(&w.p), &w.rng);
	pair_kick(&w.p, 1);
	world_run(&w, 20 * SIM_S);
	ms = world_settle(&w, 60);
	printf("# unannounced return: found after %.0f ms\n", ms);
	ck_assert_double_le(ms, 1200);
	world_fini(&w);
}
END_TEST

/* mosh #747: 1 Mbit/s towards a client that cannot answer. */
START_TEST(a_peer_that_is_not_heard_is_not_flooded)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	uint64_t before;
	struct world w;

	world_init(&w, 200, 60, &link, 1);
	world_warm(&w, 10);
	w.gap = 5 * SIM_MS;
	w.screens = true;
	sim_at(&w.p.sim, w.p.sim.now, world_output, &w);
	world_run(&w, SIM_S);
	w.p.sim.link[0].cfg.loss = 1;
	world_run(&w, 10 * SIM_S);
	before = w.p.end[1].bytes;
	world_run(&w, 60 * SIM_S);
	printf("# to a dead peer: %.0f bytes/s\n",
	    (double)(w.p.end[1].bytes - before) / 60);
	ck_assert_uint_le(w.p.end[1].bytes - before, 60 * 2000);
	w.stop = true;
	w.p.sim.link[0].cfg.loss = 0;
	ck_assert_double_le(world_settle(&w, 60), 5000);
	world_fini(&w);
}
END_TEST

/* mosh #957: a policer of 64 kbit/s that drops bursts. */
START_TEST(a_policer_is_survived)
{
	struct sim_link_cfg link = {
		.delay = 30 * SIM_MS, .rate = 8000, .queue = 4000
	};
	struct world w;
	uint64_t before;
	unsigned i;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 20);
	before = w.p.end[1].bytes;
	for (i = 0; i < 10; i++) {
		toy_screen_fill(pair_screen(&w.p), &w.rng);
		pair_kick(&w.p, 1);
		world_run(&w, SIM_S);
	}
	ms = world_settle(&w, 60);
	printf("# policer: settled %.0f ms after the last of ten screens, "
	       "%llu bytes\n",
	    ms, (unsigned long long)(w.p.end[1].bytes - before));
	ck_assert_double_le(ms, 3000);
	ck_assert_uint_le(w.p.end[1].bytes - before, 60000);
	world_fini(&w);
}
END_TEST

/* mosh #871: links slower than the maximum RTO. */
START_TEST(a_slow_round_trip_is_not_resent_to)
{
	struct sim_link_cfg link = { .delay = 1500 * SIM_MS };
	struct ssp_transport_stats st;
	struct world w;
	unsigned i;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 10);
	world_run(&w, 20 * SIM_S);
	ssp_transport_stats(w.p.end[0].tp, pair_now(&w.p.end[0]), &st);
	i = (unsigned)st.timeouts;
	for (unsigned k = 0; k < 20; k++) {
		world_type(&w);
		world_run(&w, SIM_S);
	}
	world_run(&w, 10 * SIM_S);
	ssp_transport_stats(w.p.end[0].tp, pair_now(&w.p.end[0]), &st);
	ck_assert_uint_eq(st.timeouts, i);
	world_fini(&w);
}
END_TEST

/* A path that drops datagrams above 700 bytes. */
START_TEST(a_smaller_path_stalls_nothing)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	struct world w;
	double ms;

	world_init(&w, 160, 50, &link, 1);
	world_warm(&w, 10);
	w.p.sim.link[0].cfg.hole = w.p.sim.link[1].cfg.hole = 700;
	toy_screen_fill(pair_screen(&w.p), &w.rng);
	pair_kick(&w.p, 1);
	world_run(&w, SIM_S);
	ck_assert(!pair_equal(&w.p));
	w.p.end[1].mtu = 600;
	ssp_transport_set_mtu(w.p.end[1].tp, 600);
	ssp_transport_poke(w.p.end[1].tp, pair_now(&w.p.end[1]), false);
	pair_pump(&w.p.end[1]);
	ms = world_settle(&w, 60);
	printf("# smaller path: %.0f ms after it was known\n", ms);
	ck_assert_double_le(ms, 1000);
	world_fini(&w);
}
END_TEST

/* mosh #482: a large paste made the client grow by gigabytes. */
START_TEST(a_paste_of_ten_megabytes_stays_small)
{
	struct sim_link_cfg link = { .delay = 20 * SIM_MS,
		.loss = .02,
		.rate = 4000000,
		.queue = 200000 };
	enum {
		PASTE = 10 << 20,
		PIECE = 65536
	};
	struct ssp_transport_stats st;
	uint8_t *piece = mem_zalloc(PIECE);
	size_t held = 0;
	uint64_t fed = 0;
	struct world w;
	sim_us start;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 10);
	start = w.p.sim.now;
	while (pair_remote_log(&w.p)->end < PASTE &&
	       w.p.sim.now < start + 600 * (sim_us)SIM_S) {
		struct toy_log *l = pair_log(&w.p);

		if (fed < PASTE && l->bytes.len < 4 * PIECE) {
			toy_log_add(l, piece, PIECE);
			fed += PIECE;
			pair_kick(&w.p, 0);
		}
		ck_assert(sim_step(&w.p.sim, SIM_NEVER));
		ssp_transport_stats(w.p.end[0].tp, 0, &st);
		held = MAX_OF(held, st.bulk + l->bytes.len * st.sent_states);
	}
	printf("# paste of 10 MB: %.1f s, %zu bytes held at most\n",
	    (double)(w.p.sim.now - start) / SIM_S, held);
	ck_assert_uint_ge(pair_remote_log(&w.p)->end, PASTE);
	ck_assert_uint_le(held, 8u << 20);
	mem_free(piece);
	world_fini(&w);
}
END_TEST

/* The two ends differ (a bug, or bad memory): a full state repairs it. */
START_TEST(a_state_that_differs_is_replaced)
{
	struct sim_link_cfg link = { .delay = 20 * SIM_MS };
	struct ssp_transport_stats st;
	struct toy_screen *copy;
	struct world w;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 10);
	toy_screen_fill(pair_screen(&w.p), &w.rng);
	pair_kick(&w.p, 1);
	world_run(&w, SIM_S);
	copy = (struct toy_screen *)(uintptr_t)pair_remote_screen(&w.p);
	memset(copy->cell, 'Z', 500);
	toy_screen_scroll(pair_screen(&w.p), &w.rng);
	pair_kick(&w.p, 1);
	world_run(&w, SIM_S);
	ssp_transport_stats(w.p.end[0].tp, 0, &st);
	ck_assert_uint_ge(st.mismatches, 1);
	ck_assert(pair_equal(&w.p));
	world_fini(&w);
}
END_TEST

/* Changes one cell of the screen. */
static void
world_paint(struct world *w, unsigned n)
{
	struct toy_screen *s = pair_screen(&w->p);

	s->cell[n % (s->cols * s->rows)] ^= 1;
	pair_kick(&w->p, 1);
}

/* One direction loses everything for a while. */
static void
world_lose(struct world *w, unsigned way, sim_us time)
{
	w->p.sim.link[way].cfg.loss = 1;
	world_run(w, time);
	w->p.sim.link[way].cfg.loss = 0;
}

/*
 * Without loss, acks wait for the next datagram.  Then a datagram is lost that
 * nothing follows: a key, the answer to one, or an unrequested change.  It is
 * repeated after one timeout: a few tens of milliseconds and the round trip.
 */
START_TEST(what_is_lost_alone_is_back_after_one_timeout)
{
	struct sim_link_cfg link = { .delay = 25 * SIM_MS };
	static const double most[] = { 220, 260, 180 };
	static const char *const name[] = { "key", "answer", "change" };
	struct world w;
	unsigned i;
	double ms;

	for (i = 0; i < 3; i++) {
		world_init(&w, 80, 24, &link, 1);
		world_warm(&w, 60);
		world_run(&w, 4 * SIM_S);
		if (i < 2)
			world_type(&w);
		else
			world_paint(&w, 40);
		world_lose(&w, i > 0, i == 0 ? 10 * SIM_MS : 45 * SIM_MS);
		ms = world_settle(&w, 5) + (i == 0 ? 10 : 45);
		printf("# a lone %s lost: there after %.0f ms\n", name[i], ms);
		ck_assert_double_le(ms, most[i]);
		world_fini(&w);
	}
}
END_TEST

/*
 * Changes one cell of the server's screen; nobody waits for it until MS have
 * passed (ssp_transport_set_later), or more follows by then (set_soon).
 */
static void
world_change(struct world *w, unsigned n,
    void (*set)(struct ssp_transport *, mono_ms, void *, mono_ms), mono_ms ms)
{
	struct pair_end *e = &w->p.end[1];
	struct toy_screen *s = toy_screen_ops.clone(pair_screen(&w->p));

	s->cell[n] ^= 1;
	set(e->tp, pair_now(e), s, pair_now(e) + ms);
	pair_pump(e);
}

static void
world_later(struct world *w, unsigned n)
{
	world_change(w, n, ssp_transport_set_later, 150);
}

static void
world_soon(struct world *w, unsigned n)
{
	world_change(w, n, ssp_transport_set_soon, 20);
}

/*
 * A change that nobody waits for is sent when its time comes, with a change
 * that cannot wait, or with a due ack; never on a lossy link.
 */
START_TEST(what_nobody_waits_for_rides_along)
{
	struct sim_link_cfg link = { .delay = 25 * SIM_MS };
	struct world w;
	uint64_t down;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 60);
	down = w.p.end[1].datagrams;
	world_later(&w, 1);
	world_run(&w, 50 * SIM_MS);
	world_later(&w, 2);
	ms = world_settle(&w, 5);
	printf("# two changes that may wait 150 ms: there after %.0f ms\n",
	    ms + 50);
	ck_assert_uint_eq(w.p.end[1].datagrams - down, 1);
	ck_assert_double_ge(ms + 50, 170);
	ck_assert_double_le(ms + 50, 182);
	world_run(&w, 3 * SIM_S);
	/* a change that cannot wait takes it along */
	down = w.p.end[1].datagrams;
	world_later(&w, 3);
	world_paint(&w, 4);
	ms = world_settle(&w, 5);
	ck_assert_uint_eq(w.p.end[1].datagrams - down, 1);
	ck_assert_double_le(ms, 60);
	world_run(&w, 3 * SIM_S);
	/* and a later change that can wait does not delay that one */
	down = w.p.end[1].datagrams;
	world_paint(&w, 5);
	world_later(&w, 6);
	ms = world_settle(&w, 5);
	ck_assert_uint_eq(w.p.end[1].datagrams - down, 1);
	ck_assert_double_le(ms, 60);
	world_fini(&w);
	/* few samples of this link yet */
	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 1);
	world_later(&w, 1);
	ck_assert_double_le(world_settle(&w, 5), 60);
	world_fini(&w);
}
END_TEST

/*
 * An incomplete answer to a key waits for the rest, and so does the ack of the
 * key: shortly by default, longer if more is known to follow.
 */
START_TEST(what_is_not_all_waits_for_the_rest)
{
	struct sim_link_cfg link = { .delay = 25 * SIM_MS };
	struct world w;
	uint64_t down;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 60);
	down = w.p.end[1].datagrams;
	world_soon(&w, 1);
	world_run(&w, 10 * SIM_MS);
	world_paint(&w, 2);
	ms = world_settle(&w, 5);
	ck_assert_double_le(ms, 60);
	world_soon(&w, 3);
	ms = world_settle(&w, 5);
	ck_assert_double_ge(ms, 40);
	ck_assert_double_le(ms, 75);
	world_soon(&w, 4);
	ssp_transport_put_off(
	    w.p.end[1].tp, pair_now(&w.p.end[1]), pair_now(&w.p.end[1]) + 100);
	world_run(&w, 80 * SIM_MS);
	world_paint(&w, 5);
	ms = world_settle(&w, 5);
	ck_assert_double_le(ms, 60);
	ck_assert_uint_eq(w.p.end[1].datagrams - down, 3);
	/* only a waiting change can be delayed */
	world_paint(&w, 6);
	ssp_transport_put_off(
	    w.p.end[1].tp, pair_now(&w.p.end[1]), pair_now(&w.p.end[1]) + 100);
	ck_assert_double_le(world_settle(&w, 5), 60);
	world_fini(&w);
}
END_TEST

/*
 * A screen that repaints itself ten times a second, each time in two pieces:
 * one datagram each, and one ack for many.  The next ack reveals a loss.
 */
START_TEST(a_screen_that_repaints_itself_costs_few_acks)
{
	struct sim_link_cfg link = { .delay = 25 * SIM_MS };
	uint64_t up, down;
	struct world w;
	unsigned i;
	double ms;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 60);
	up = w.p.end[0].datagrams;
	down = w.p.end[1].datagrams;
	for (i = 0; i < 100; i++) {
		world_paint(&w, 2 * i);
		world_run(&w, 15 * SIM_MS);
		world_paint(&w, 2 * i + 1);
		world_run(&w, 85 * SIM_MS);
	}
	up = w.p.end[0].datagrams - up;
	down = w.p.end[1].datagrams - down;
	printf("# 100 repaints: %llu datagrams, %llu acks\n",
	    (unsigned long long)down, (unsigned long long)up);
	ck_assert_uint_le(down, 105);
	ck_assert_uint_le(up, 15);

	/* The first of three is lost. */
	w.p.sim.link[1].cfg.loss = 1;
	world_paint(&w, 500);
	world_run(&w, 60 * SIM_MS);
	w.p.sim.link[1].cfg.loss = 0;
	world_run(&w, 40 * SIM_MS);
	world_paint(&w, 501);
	ms = world_settle(&w, 5);
	printf("# one lost: equal %.0f ms after the next\n", ms);
	ck_assert_double_le(ms, 150);
	world_fini(&w);
}
END_TEST

/*
 * Ten times a second a few letters change in another place.  Each state is made
 * from the one sent last, though its ack may come a second later: so each
 * datagram carries one change, not all since that ack.
 */
START_TEST(a_flow_builds_on_what_was_sent)
{
	struct sim_link_cfg link = { .delay = 25 * SIM_MS };
	uint64_t bytes, n;
	struct world w;
	unsigned i, k;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 60);
	bytes = w.p.end[1].bytes;
	n = w.p.end[1].datagrams;
	for (i = 0; i < 100; i++) {
		for (k = 0; k < 12; k++)
			pair_screen(&w.p)->cell[(i * 97 + k) % 1900] =
			    (uint8_t)('a' + chance_below(&w.rng, 26));
		pair_kick(&w.p, 1);
		world_run(&w, 100 * SIM_MS);
	}
	bytes = w.p.end[1].bytes - bytes;
	n = w.p.end[1].datagrams - n;
	printf("# a flow: %llu bytes, %llu datagrams\n",
	    (unsigned long long)bytes, (unsigned long long)n);
	ck_assert_uint_le(bytes / n, 105);
	ck_assert_double_le(world_settle(&w, 1), 0);
	world_fini(&w);
}
END_TEST

/* Idle: one exchange after seven seconds, then after longer and longer ones. */
START_TEST(an_idle_session_is_quiet)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS };
	uint64_t before;
	struct world w;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 10);
	before = w.p.end[0].datagrams + w.p.end[1].datagrams;
	world_run(&w, 600 * SIM_S);
	before = w.p.end[0].datagrams + w.p.end[1].datagrams - before;
	printf("# idle: %llu datagrams in ten minutes\n",
	    (unsigned long long)before);
	ck_assert_uint_le(before, 30);
	ck_assert_uint_ge(before, 10);
	world_fini(&w);
}
END_TEST

/*
 * A lost heartbeat is asked for again before the client shows that it hears
 * nothing (BANNER_LATE_MS of client/banner.h beyond the announced silence).
 */
START_TEST(a_lost_heartbeat_is_no_silence)
{
	static const struct {
		unsigned delay;
		double loss;
		unsigned most; /* silences in ten hours */
	} links[] = { { 250, .1, 15 }, { 50, .29, 2 }, { 50, .05, 0 } };
	mono_ms now, idle;
	struct ssp_transport_stats st;
	struct sim_link_cfg link;
	unsigned i, n, t;
	struct world w;
	bool silent;

	for (i = 0; i < ARRAY_LEN(links); i++) {
		link = (struct sim_link_cfg){ .delay = links[i].delay * SIM_MS,
			.loss = links[i].loss };
		world_init(&w, 80, 24, &link, 1);
		world_warm(&w, 60);
		for (n = t = 0, silent = false; t < 360000; t++) {
			world_run(&w, 100 * SIM_MS);
			ssp_transport_stats(
			    w.p.end[0].tp, pair_now(&w.p.end[0]), &st);
			now = pair_now(&w.p.end[0]);
			idle = ssp_transport_idle(w.p.end[0].tp) + 1500;
			n += !silent && now - st.last_heard > idle;
			silent = now - st.last_heard > idle;
		}
		printf("# %u ms, %.0f %% lost: %u silences in ten hours\n",
		    2 * links[i].delay, 100 * links[i].loss, n);
		ck_assert_uint_le(n, links[i].most);
		world_fini(&w);
	}
}
END_TEST

/* A link without loss gets copies only until it is known. */
START_TEST(a_clean_link_gets_no_copies)
{
	struct sim_link_cfg link = {
		.delay = 50 * SIM_MS, .jitter = 20 * SIM_MS, .reorder = true
	};
	struct ssp_transport_stats st;
	uint64_t first[2];
	struct world w;
	unsigned i;

	world_init(&w, 80, 24, &link, 1);
	world_warm(&w, 25);
	for (i = 0; i < 2; i++) {
		ssp_transport_stats(w.p.end[i].tp, 0, &st);
		first[i] = st.copies_sent;
		ck_assert_uint_le(first[i], 24);
	}
	world_warm(&w, 300);
	for (i = 0; i < 2; i++) {
		ssp_transport_stats(w.p.end[i].tp, 0, &st);
		/* a reordered ack may count as lost until it arrives */
		ck_assert_uint_le(st.copies_sent, first[i] + 2);
	}
	world_fini(&w);
}
END_TEST

/* clang-format off */
static const struct {
	const char *name;
	double loss;
	uint64_t rate;
	bool large;  /* the last state is sent in fragments */
	bool dead;   /* the peer is gone */
	unsigned most; /* datagrams of the closing end */
} ends[] = {
	{ "clean, a line",         0,   0,     false, false, 12  },
	{ "clean, a screen",       0,   0,     true,  false, 80  },
	{ "29 %, a line",          .29, 0,     false, false, 60  },
	{ "29 %, a screen",        .29, 0,     true,  false, 250 },
	{ "20 kB/s, a screen",     0,   20000, true,  false, 120 },
	{ "nobody there, a line",  0,   0,     false, true,  60  },
	{ "nobody there, a screen", 0,  0,     true,  true,  120 },
};
/* clang-format on */

/*
 * Shutdown starts while the last state awaits a token, which once caused
 * endless datagrams.  The last state arrives, and both ends learn of the end.
 */
START_TEST(the_last_state_goes_before_the_end)
{
	struct sim_link_cfg link = { .delay = 50 * SIM_MS,
		.loss = ends[_i].loss,
		.rate = ends[_i].rate,
		.queue = 100000 };
	enum ssp_close_state want =
	    ends[_i].dead ? SSP_CLOSE_GAVE_UP : SSP_CLOSE_DONE;
	uint64_t seed, before, max = 0;
	struct pair_end *e;
	struct world w;
	unsigned i;

	for (seed = 1; seed <= 20; seed++) {
		world_init(&w, 200, 60, &link, seed);
		world_warm(&w, 20);
		e = &w.p.end[1];
		/* no token is left */
		for (i = 0; i < 6; i++) {
			toy_screen_scroll(pair_screen(&w.p), &w.rng);
			pair_kick(&w.p, 1);
			world_run(&w, 10 * SIM_MS);
		}
		if (ends[_i].dead)
			w.p.sim.link[0].cfg.loss = 1;
		before = e->datagrams;
		if (ends[_i].large)
			toy_screen_fill(pair_screen(&w.p), &w.rng);
		else
			toy_screen_scroll(pair_screen(&w.p), &w.rng);
		ssp_transport_changed(e->tp, pair_now(e));
		ssp_transport_shutdown(e->tp, pair_now(e));
		pair_pump(e);
		world_run(&w, 20 * SIM_S);
		ck_assert_msg(ssp_transport_closing(e->tp) == want,
		    "%s, seed %u: %u", ends[_i].name, (unsigned)seed,
		    ssp_transport_closing(e->tp));
		ck_assert(ends[_i].dead || pair_equal(&w.p));
		max = MAX_OF(max, e->datagrams - before);
		world_fini(&w);
	}
	printf(
	    "# end, %s: at most %u datagrams\n", ends[_i].name, (unsigned)max);
	ck_assert_uint_le(max, ends[_i].most);
}
END_TEST

/* clang-format off */
static const struct {
	const char *name;
	sim_us delay;
	double loss;
	unsigned lost;  /* of 200 ends, those that are not confirmed */
	mono_ms most;   /* ms until the closing end knows, or gives up: ten RTT */
} leaves[] = {
	{ "10 ms",         5 * SIM_MS,   0,   0,  15 },
	{ "100 ms",        50 * SIM_MS,  0,   0,  110 },
	{ "100 ms, 5 %",   50 * SIM_MS,  .05, 20, 1000 },
	{ "100 ms, 29 %",  50 * SIM_MS,  .29, 80, 1000 },
	{ "500 ms, 10 %",  250 * SIM_MS, .10, 40, 5000 },
};
/* clang-format on */

/*
 * A client ends as soon as it has confirmed the end; it repeats nothing.  The
 * server must not hold the keys for long, whether the confirmation came or not.
 */
START_TEST(keys_go_soon_after_the_end)
{
	struct sim_link_cfg link = { .delay = leaves[_i].delay,
		.loss = leaves[_i].loss };
	mono_ms begin, took, worst = 0, sum = 0;
	unsigned seed, lost = 0;
	struct pair_end *e;
	struct world w;

	for (seed = 1; seed <= 200; seed++) {
		world_init(&w, 80, 24, &link, seed);
		world_warm(&w, 50);
		e = &w.p.end[1];
		ssp_transport_shutdown(e->tp, pair_now(e));
		pair_pump(e);
		begin = pair_now(e);
		while (ssp_transport_closing(w.p.end[0].tp) == SSP_CLOSE_OPEN)
			world_run(&w, SIM_MS);
		w.p.sim.link[0].cfg.loss = 1;
		w.p.sim.link[1].cfg.loss = 1;
		while (ssp_transport_closing(e->tp) == SSP_CLOSE_ASKED)
			world_run(&w, SIM_MS);
		took = pair_now(e) - begin;
		worst = MAX_OF(worst, took);
		sum += took;
		lost += ssp_transport_closing(e->tp) == SSP_CLOSE_GAVE_UP;
		world_fini(&w);
	}
	printf(
	    "# end, the peer goes, %s: %u of 200 unconfirmed, mean %u, worst "
	    "%u ms\n",
	    leaves[_i].name, lost, (unsigned)(sum / 200), (unsigned)worst);
	ck_assert_uint_le(lost, leaves[_i].lost);
	ck_assert_uint_le(worst, leaves[_i].most);
}
END_TEST

UNIT_SUITE(link)
{
	Suite *s = suite_create("link");
	TCase *tc = tcase_create("situations");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, a_clean_link_gets_no_copies);
	tcase_add_test(tc, a_paste_of_ten_megabytes_stays_small);
	tcase_add_test(tc, a_peer_that_is_not_heard_is_not_flooded);
	tcase_add_test(tc, a_policer_is_survived);
	tcase_add_test(tc, a_slow_round_trip_is_not_resent_to);
	tcase_add_test(tc, a_smaller_path_stalls_nothing);
	tcase_add_test(tc, a_state_that_differs_is_replaced);
	tcase_add_test(tc, an_idle_session_is_quiet);
	tcase_add_test(tc, a_lost_heartbeat_is_no_silence);
	tcase_add_test(tc, what_is_lost_alone_is_back_after_one_timeout);
	tcase_add_test(tc, what_nobody_waits_for_rides_along);
	tcase_add_test(tc, what_is_not_all_waits_for_the_rest);
	tcase_add_test(tc, a_screen_that_repaints_itself_costs_few_acks);
	tcase_add_test(tc, a_flow_builds_on_what_was_sent);
	tcase_add_test(tc, an_unannounced_return_is_found);
	tcase_add_loop_test(
	    tc, the_last_state_goes_before_the_end, 0, (int)ARRAY_LEN(ends));
	tcase_add_loop_test(
	    tc, keys_go_soon_after_the_end, 0, (int)ARRAY_LEN(leaves));
	tcase_add_loop_test(
	    tc, control_c_passes_any_flood, 0, (int)ARRAY_LEN(flood));
	tcase_add_loop_test(tc, frames_resume_one_round_trip_after_a_cut, 0,
	    (int)ARRAY_LEN(cut_s));
	suite_add_tcase(s, tc);
	return s;
}
