/*
 * A flow is a list of times at which one end has something new to say.  The
 * newest thing includes all before it, as states do, so it replaces their
 * copies.  The keys are the flow up; what arrives of it is the flow down.
 */
#include "regress/sim/tail.h"

#include "base/compiler.h"
#include "base/mem.h"

#define TAIL_ROUNDS 50

/* Good and bad periods, asked at ascending times. */
struct tail_link {
	const struct tail_cfg *cfg;
	uint64_t rng;
	bool bad;
	double until;
	double sent;
};

static bool
link_loses(struct tail_link *l, double t)
{
	const struct tail_cfg *c = l->cfg;
	double mean;

	l->sent++;
	if (c->burst <= 0)
		return sim_real(&l->rng) < c->loss;
	while (l->until <= t) {
		l->bad = !l->bad;
		mean = l->bad ? c->burst : c->burst * (1 - c->loss) / c->loss;
		l->until += sim_exp(&l->rng, mean);
	}
	return l->bad;
}

/* Returns when transmission I of a round that began at T is due; 0: the first. */
static double
flow_time(const struct tail_cfg *c, double t, unsigned i)
{
	return i == 0 ? t : t + c->at[i - 1];
}

/*
 * Sends what is new at T until it has an ack, or until END, when newer things
 * replace it.  Returns when it arrives; a negative number: it does not.
 */
static double
flow_send(struct tail_link *l, double t, double end)
{
	const struct tail_cfg *c = l->cfg;
	double arrived = -1, when;
	unsigned round, i;

	for (round = 0; round < TAIL_ROUNDS; round++)
		for (i = 0; i <= c->copies; i++) {
			when = flow_time(c, t + round * c->again, i);
			if (when >= end ||
			    (arrived >= 0 && when >= arrived + c->rtt / 2))
				return arrived;
			if (!link_loses(l, when) && arrived < 0)
				arrived = when + c->rtt / 2;
		}
	return arrived;
}

/* Carries N things, new at AT; OUT is when each arrives, or a newer one. */
static void
flow_run(struct tail_link *l, const double *at, unsigned n, double *out)
{
	double first = 1e18;
	unsigned i;

	for (i = 0; i < n; i++)
		out[i] = flow_send(l, at[i], i + 1 < n ? at[i + 1] : 1e18);
	for (i = n; i-- > 0;) {
		if (out[i] >= 0)
			first = MIN_OF(first, out[i]);
		out[i] = first;
	}
}

/* Removes equal times, which one echo answers; PART says where each went. */
static unsigned
flow_merge(double *at, unsigned n, unsigned *part)
{
	unsigned i, k = 0;

	for (i = 0; i < n; i++) {
		if (k == 0 || at[i] > at[k - 1])
			at[k++] = at[i];
		part[i] = k - 1;
	}
	return k;
}

void
tail_run(const struct tail_cfg *cfg, struct tail_result *res)
{
	double *at = mem_calloc(cfg->n, sizeof(*at));
	double *up = mem_calloc(cfg->n, sizeof(*up));
	double *down = mem_calloc(cfg->n, sizeof(*down));
	unsigned *part = mem_calloc(cfg->n, sizeof(*part)), i, k;
	struct tail_link a = { .cfg = cfg, .rng = cfg->seed * 2 + 1 };
	struct tail_link b = { .cfg = cfg, .rng = cfg->seed * 2 + 2 };
	uint64_t rng = cfg->seed;
	struct keys_result r;
	double t = 0;

	for (i = 0; i < cfg->n; i++) {
		t += (double)keys_gap(cfg->gap, &rng) / SIM_MS;
		at[i] = t;
	}
	flow_run(&a, at, cfg->n, up);
	k = flow_merge(up, cfg->n, part);
	flow_run(&b, up, k, down);
	for (i = 0; i < cfg->n; i++)
		up[i] = down[part[i]] - at[i];
	keys_stats(up, cfg->n, &r);
	*res = (struct tail_result){ .median = r.median,
		.mean = r.mean,
		.p95 = r.p95,
		.p99 = r.p99,
		.datagrams = (a.sent + b.sent) / cfg->n };
	mem_free(part);
	mem_free(down);
	mem_free(up);
	mem_free(at);
}
