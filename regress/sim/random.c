#include "regress/sim/random.h"

#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "regress/sim/pair.h"
#include "ssp/cc.h"
#include "ssp/fragment.h"
#include "ssp/receiver.h"
#include "ssp/sender.h"

#define RANDOM_SETTLE 300 /* virtual seconds until equal after healing */

struct random {
	struct pair p;
	uint64_t rng; /* for the work; the network has its own */
	sim_us work_end;
	unsigned work_gap; /* mean, ms */
	unsigned screens;  /* share of large changes, percent */
	uint64_t typed;
};

static bool
chance(struct random *r, unsigned percent)
{
	return sim_below(&r->rng, 100) < percent;
}

static uint64_t
between(struct random *r, uint64_t lo, uint64_t hi)
{
	return lo + sim_below(&r->rng, hi - lo + 1);
}

/* The server echoes what it reads, as a shell would. */
static void
random_news(void *arg, struct pair_end *e, UNUSED sim_us now)
{
	struct random *r = arg;
	struct toy_screen *s;
	const struct toy_log *l;

	ssp_transport_remote_seen(e->tp);
	if (e->i == 0 || ssp_transport_closing(e->tp) != SSP_CLOSE_OPEN)
		return;
	s = pair_screen(&r->p);
	l = pair_remote_log(&r->p);
	s->cell[l->end % (s->cols * s->rows)] = (uint8_t)l->end;
	s->echo = l->end;
	ssp_transport_changed(e->tp, pair_now(e));
}

static void
random_type(struct random *r)
{
	uint8_t text[3000];
	size_t n = chance(r, 5) ? between(r, 1, sizeof text) : between(r, 1, 4);
	size_t i;

	for (i = 0; i < n; i++)
		text[i] = (uint8_t)sim_rand(&r->rng);
	toy_log_add(pair_log(&r->p), text, n);
	r->typed += n;
	pair_kick(&r->p, 0);
}

static void
random_output(struct random *r)
{
	struct toy_screen *s = pair_screen(&r->p);
	size_t n = (size_t)s->cols * s->rows;

	if (chance(r, r->screens))
		toy_screen_fill(s, &r->rng);
	else if (chance(r, 40))
		toy_screen_scroll(s, &r->rng);
	else
		s->cell[sim_below(&r->rng, n)] = (uint8_t)sim_rand(&r->rng);
	pair_kick(&r->p, 1);
}

static void
random_work(void *arg, sim_us now)
{
	struct random *r = arg;

	if (now >= r->work_end)
		return;
	if (chance(r, 50))
		random_type(r);
	else
		random_output(r);
	sim_at(&r->p.sim,
	    now + 1 + (sim_us)sim_exp(&r->rng, r->work_gap * 1000.0),
	    random_work, r);
}

static void
random_link(struct random *r, struct sim_link_cfg *c)
{
	unsigned i;

	memset(c, 0, sizeof *c);
	c->delay = between(r, 0, chance(r, 10) ? 1500000 : 200000);
	if (chance(r, 40))
		c->jitter = between(r, 0, 60000);
	c->reorder = chance(r, 50);
	if (chance(r, 50))
		c->loss = (double)between(r, 0, 50) / 100;
	if (chance(r, 15)) {
		c->burst = (double)between(r, 1, 40) / 100;
		c->burst_len = between(r, 1000, 200000);
	}
	if (chance(r, 20))
		c->duplicate = 0.2;
	if (chance(r, 30)) {
		c->rate = between(r, 4000, 500000);
		c->queue = between(r, 4000, chance(r, 30) ? 1000000 : 60000);
	}
	if (chance(r, 10))
		c->ce = 0.5;
	c->ncut = chance(r, 30) ? (unsigned)between(r, 1, 3) : 0;
	for (i = 0; i < c->ncut; i++) {
		c->cut[i].from = between(r, 0, 6000000);
		c->cut[i].to = c->cut[i].from + between(r, 10000, 6000000);
	}
}

static void
random_clock(struct random *r, struct pair_end *e)
{
	e->offset = (int64_t)between(r, 0, 200) * 1000000;
	if (chance(r, 10)) /* just before 32-bit milliseconds wrap */
		e->offset = INT64_C(4294967000) * 1000;
	e->drift = (int64_t)between(r, 0, 400) - 200;
}

static void
random_setup(struct random *r, uint64_t seed, struct ssp_zip *zip,
    const struct ssp_sprout_tab *sprout)
{
	static const struct ssp_cc_ops *const cc[] = { &ssp_cc_window,
		&ssp_cc_window, &ssp_cc_mosh, &ssp_cc_plain, &ssp_cc_sprout };
	struct sim_link_cfg up, down;
	struct pair_cfg cfg;

	memset(r, 0, sizeof *r);
	memset(&cfg, 0, sizeof cfg);
	r->rng = seed * 2 + 1;
	cfg.screen_ops = chance(r, 25) ? &toy_bare_ops : &toy_screen_ops;
	cfg.zip = chance(r, 80) ? zip : NULL;
	cfg.cc = cc[sim_below(&r->rng, ARRAY_LEN(cc))];
	cfg.sprout = sprout;
	cfg.mtu = chance(r, 70) ? 0 : between(r, 420, 1400);
	cfg.verify = chance(r, 50);
	cfg.cols = (uint32_t)between(r, 5, 40);
	cfg.rows = (uint32_t)between(r, 2, 10);
	if (chance(r, 15)) {
		cfg.cols = (uint32_t)between(r, 40, 200);
		cfg.rows = (uint32_t)between(r, 10, 50);
	}
	cfg.news = random_news;
	cfg.news_arg = r;
	random_link(r, &up);
	random_link(r, &down);
	pair_init(&r->p, &cfg, seed);
	random_clock(r, &r->p.end[0]);
	random_clock(r, &r->p.end[1]);
	r->p.sim.link[0].cfg = up;
	r->p.sim.link[1].cfg = down;
	r->work_end = between(r, 500000, 8000000);
	r->work_gap = (unsigned)between(r, 5, 400);
	r->screens = chance(r, 30) ? (unsigned)between(r, 1, 60) : 2;
	sim_at(&r->p.sim, 0, random_work, r);
}

static const char *
random_check(struct random *r)
{
	struct ssp_transport_stats st;
	unsigned i;

	if (r->p.broken > 0)
		return r->p.why;
	for (i = 0; i < 2; i++) {
		struct pair_end *e = &r->p.end[i];

		ssp_transport_stats(e->tp, pair_now(e), &st);
		if (st.sent_states > SSP_SENT_MAX)
			return "too many sent states";
		if (st.received_states > SSP_RECEIVED_MAX)
			return "too many received states";
		if (st.reassembly > SSP_REASM_MAX)
			return "too much in reassembly";
		if (st.mismatches > 0)
			return "hash mismatch";
		if (e->spins > 50)
			return "woken for nothing";
	}
	return NULL;
}

static const char *
random_until(struct random *r, sim_us end)
{
	const char *why;

	while (sim_step(&r->p.sim, end))
		if ((why = random_check(r)) != NULL)
			return why;
	r->p.sim.now = MAX_OF(r->p.sim.now, end);
	return NULL;
}

/* Heals the network; both ends are notified, as on a link event. */
static void
random_heal(struct random *r)
{
	struct sim_link_cfg *c;
	unsigned i;

	for (i = 0; i < 2; i++) {
		c = &r->p.sim.link[i].cfg;
		c->ncut = 0;
		c->loss = c->loss > 0.3 ? 0.3 : c->loss;
		c->burst = 0;
		c->hole = 0;
		ssp_transport_poke(
		    r->p.end[i].tp, pair_now(&r->p.end[i]), chance(r, 50));
		pair_pump(&r->p.end[i]);
	}
}

static void
random_sleep(struct random *r)
{
	unsigned i = (unsigned)sim_below(&r->rng, 2);
	sim_us until = r->p.sim.now + UINT64_C(48) * 3600 * SIM_S;

	/* The other end sees silence too: its peer is suspended. */
	r->p.end[0].asleep_until = r->p.end[1].asleep_until = until;
	r->p.end[0].wake = r->p.end[1].wake = SIM_NEVER;
	sim_run(&r->p.sim, until);
	pair_pump(&r->p.end[i]);
	pair_pump(&r->p.end[!i]);
}

/* Checks that an idle link becomes quiet. */
static const char *
random_idle(struct random *r)
{
	uint64_t before = r->p.end[0].datagrams + r->p.end[1].datagrams, n;
	const char *why;

	if ((why = random_until(r, r->p.sim.now + 10 * SIM_S)) != NULL)
		return why;
	before = r->p.end[0].datagrams + r->p.end[1].datagrams;
	if ((why = random_until(r, r->p.sim.now + 30 * SIM_S)) != NULL)
		return why;
	n = r->p.end[0].datagrams + r->p.end[1].datagrams - before;
	/* heartbeats every 3 s each way, acks of them with their copies */
	return n > 110 ? "not quiet when idle" : NULL;
}

static const char *
random_shutdown(struct random *r)
{
	unsigned i = (unsigned)sim_below(&r->rng, 2);
	enum ssp_close_state a, b;
	const char *why;

	ssp_transport_shutdown(r->p.end[i].tp, pair_now(&r->p.end[i]));
	pair_pump(&r->p.end[i]);
	if ((why = random_until(r, r->p.sim.now + 30 * SIM_S)) != NULL)
		return why;
	a = ssp_transport_closing(r->p.end[i].tp);
	b = ssp_transport_closing(r->p.end[!i].tp);
	if (a != SSP_CLOSE_DONE && a != SSP_CLOSE_GAVE_UP)
		return "shutdown hangs";
	if (a == SSP_CLOSE_DONE && b != SSP_CLOSE_DONE)
		return "shutdown confirmed but not done";
	return NULL;
}

static void
random_sum(struct random *r, struct random_totals *sum)
{
	struct ssp_transport_stats st;
	unsigned i;

	for (i = 0; i < 2; i++) {
		ssp_transport_stats(
		    r->p.end[i].tp, pair_now(&r->p.end[i]), &st);
		sum->datagrams += st.packets_sent;
		sum->states += st.states_applied;
		sum->repairs += st.frags_repaired;
		sum->copies += st.copies_sent;
		sum->mismatches += st.mismatches;
	}
	sum->seconds += (double)r->p.sim.now / SIM_S;
}

static void
random_say(const struct random *r, uint64_t seed)
{
	const struct sim_link_cfg *c;
	unsigned i;

	printf("seed %llu: cc %s, %ux%u, mtu %zu, work %llu ms every %u ms, "
	       "screens %u%%\n",
	    (unsigned long long)seed, r->p.cfg.cc->name, r->p.cfg.cols,
	    r->p.cfg.rows, r->p.end[0].mtu,
	    (unsigned long long)r->work_end / SIM_MS, r->work_gap, r->screens);
	for (i = 0; i < 2; i++) {
		c = &r->p.sim.link[i].cfg;
		printf("  %s: delay %llu us jitter %llu reorder %d loss %.2f "
		       "burst %.2f/%llu dup %.1f rate %llu queue %zu cuts "
		       "%u\n",
		    i == 0 ? "up" : "down", (unsigned long long)c->delay,
		    (unsigned long long)c->jitter, c->reorder, c->loss,
		    c->burst, (unsigned long long)c->burst_len, c->duplicate,
		    (unsigned long long)c->rate, c->queue, c->ncut);
	}
}

const char *
random_run(uint64_t seed, struct ssp_zip *zip,
    const struct ssp_sprout_tab *sprout, bool verbose,
    struct random_totals *sum)
{
	static struct random r;
	const char *why;

	random_setup(&r, seed, zip, sprout);
	if (verbose)
		random_say(&r, seed);
	why = random_until(&r, r.work_end);
	if (why == NULL && chance(&r, 3))
		random_sleep(&r);
	random_heal(&r);
	if (why == NULL &&
	    !pair_settle(&r.p, r.p.sim.now + (sim_us)RANDOM_SETTLE * SIM_S))
		why = r.p.broken > 0 ? r.p.why : "not equal in time";
	if (why == NULL)
		why = random_check(&r);
	if (why == NULL && pair_remote_log(&r.p)->end != r.typed)
		why = "input lost";
	if (why == NULL && chance(&r, 20))
		why = random_idle(&r);
	if (why == NULL && chance(&r, 20))
		why = random_shutdown(&r);
	random_sum(&r, sum);
	pair_fini(&r.p);
	return why;
}
