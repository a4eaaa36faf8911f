#include "regress/sim/fresh.h"

#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "regress/sim/stack.h"

#define FRESH_PATIENCE (200 * (sim_us)SIM_S)

/* Times of keys by session, then by place. */
struct fresh {
	const struct fresh_cfg *cfg;
	struct fresh_result *res;
	double *total, *up, *down; /* ms */

	/* the running session */
	struct stack s;
	uint64_t rng;
	unsigned first; /* its first key in the arrays */
	sim_us *sent, *had;
	unsigned typed, got, done;
};

/* A state arrived at END. */
static void
fresh_news(void *arg, unsigned end, sim_us now)
{
	struct fresh *f = arg;
	uint64_t n;
	unsigned i;

	if (end == 1) {
		n = stack_remote_log(&f->s)->end;
		for (; f->got < n && f->got < f->typed; f->got++)
			f->had[f->got] = now;
		return;
	}
	n = stack_remote_screen(&f->s)->echo;
	for (; f->done < n && f->done < f->typed; f->done++) {
		i = f->first + f->done;
		f->total[i] = (double)(now - f->sent[f->done]) / SIM_MS;
		f->up[i] =
		    (double)(f->had[f->done] - f->sent[f->done]) / SIM_MS;
		f->down[i] = (double)(now - f->had[f->done]) / SIM_MS;
	}
}

static void
fresh_count(const struct fresh *f, double *bytes, double *dgrams)
{
	const struct stack_end *e = f->s.end;

	*bytes = (double)(e[0].bytes + e[1].bytes);
	*dgrams = (double)(e[0].datagrams + e[1].datagrams);
}

/* Returns the copies that both ends have sent. */
static double
fresh_copies(const struct fresh *f)
{
	struct ssp_transport_stats st;
	uint64_t n = 0;
	unsigned i;

	for (i = 0; i < 2; i++) {
		ssp_transport_stats(f->s.end[i].bind.tp, 0, &st);
		n += st.copies_sent;
	}
	return (double)n;
}

static void
fresh_type(struct fresh *f)
{
	const struct fresh_cfg *c = f->cfg;
	struct sim *s = &f->s.sim;
	unsigned i;

	for (i = 0; i < c->keys && f->s.why == NULL; i++) {
		f->sent[i] = s->now;
		f->typed = i + 1;
		toy_log_add(stack_log(&f->s), "x", 1);
		stack_kick(&f->s, 0);
		while (c->gap == KEYS_ISOLATED && f->done < f->typed &&
		       f->s.why == NULL &&
		       sim_step(s, f->sent[i] + FRESH_PATIENCE))
			;
		stack_run(&f->s,
		    MAX_OF(s->now, f->sent[i] + keys_gap(c->gap, &f->rng)));
	}
	while (f->done < f->typed && f->s.why == NULL &&
	       sim_step(s, f->sent[f->typed - 1] + FRESH_PATIENCE))
		;
	if (f->s.why == NULL && f->done < c->keys)
		f->s.why = "keys without echo";
}

static void
fresh_session(struct fresh *f, unsigned n)
{
	const struct stack_cfg sc = { .cols = 80, .rows = 24 };
	double bytes[2], dgrams[2];

	memset(&f->s, 0, sizeof(f->s));
	f->rng = f->cfg->seed + n;
	f->first = n * f->cfg->keys;
	f->typed = f->got = f->done = 0;
	stack_init(&f->s, &sc, f->cfg->seed * 1000 + n);
	f->s.news = fresh_news;
	f->s.news_arg = f;
	sim_links(&f->s.sim, &f->cfg->link);
	stack_pump(&f->s.end[0]);
	stack_pump(&f->s.end[1]);
	stack_run(&f->s, f->cfg->rest);
	fresh_count(f, &bytes[0], &dgrams[0]);
	fresh_type(f);
	fresh_count(f, &bytes[1], &dgrams[1]);
	f->res->start += bytes[0];
	f->res->bytes += bytes[1] - bytes[0];
	f->res->dgrams += dgrams[1] - dgrams[0];
	f->res->copies += fresh_copies(f);
	if (f->s.why != NULL)
		f->res->why = f->s.why;
	stack_fini(&f->s);
}

/* Returns the p99 of keys FROM..TO-1 of all sessions. */
static double
fresh_stats(const struct fresh *f, const double *ms, unsigned from, unsigned to,
    struct keys_result *r)
{
	const struct fresh_cfg *c = f->cfg;
	double *some = mem_calloc((size_t)c->sessions * c->keys, sizeof(*some));
	unsigned i, k, n = 0;

	memset(r, 0, sizeof(*r));
	for (i = 0; i < c->sessions; i++)
		for (k = from; k < MIN_OF(to, c->keys); k++)
			some[n++] = ms[i * c->keys + k];
	if (n > 0)
		keys_stats(some, n, r);
	mem_free(some);
	return r->p99;
}

void
fresh_run(const struct fresh_cfg *cfg, struct fresh_result *res)
{
	static const unsigned from[] = { 0, 10, 20, 50, 0 },
			      to[] = { 10, 20, 50, ~0u, ~0u };
	struct fresh *f = mem_zalloc(sizeof(*f));
	size_t all = (size_t)cfg->sessions * cfg->keys;
	struct fresh_times *t;
	struct keys_result r;
	unsigned i;

	memset(res, 0, sizeof(*res));
	f->cfg = cfg;
	f->res = res;
	f->total = mem_calloc(all, sizeof(*f->total));
	f->up = mem_calloc(all, sizeof(*f->up));
	f->down = mem_calloc(all, sizeof(*f->down));
	f->sent = mem_calloc(cfg->keys, sizeof(*f->sent));
	f->had = mem_calloc(cfg->keys, sizeof(*f->had));
	for (i = 0; i < cfg->sessions; i++)
		fresh_session(f, i);
	for (i = 0; i < FRESH_GROUPS; i++) {
		t = &res->group[i];
		fresh_stats(f, f->total, from[i], to[i], &t->all);
		t->up = fresh_stats(f, f->up, from[i], to[i], &r);
		t->down = fresh_stats(f, f->down, from[i], to[i], &r);
	}
	res->start /= cfg->sessions;
	res->copies /= cfg->sessions;
	res->bytes /= (double)all;
	res->dgrams /= (double)all;
	mem_free(f->total);
	mem_free(f->up);
	mem_free(f->down);
	mem_free(f->sent);
	mem_free(f->had);
	mem_free(f);
}
