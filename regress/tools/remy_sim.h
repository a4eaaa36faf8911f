/*
 * regress/tools/remy_sim.h - a small fast network for searching rules.
 *
 * Purpose:   senders that come and go share one link without loss; how well a
 *            table of rules (ssp/remy.h) shares and fills it.
 * Ownership: remy_net_make allocates the link's chances, remy_net_free frees.
 * Units:     milliseconds, datagrams.
 * Source:    the model of "TCP ex Machina", with acks as SSP sends them: after
 *            eight datagrams or 20 ms.
 * Tests:     regress/unit/check_ssp_remy.c
 */
#ifndef REGRESS_REMY_SIM_H
#define REGRESS_REMY_SIM_H

#include <stdint.h>

#include "ssp/remy.h"

#define REMY_SENDERS 8
#define REMY_RULES 256
#define REMY_SAMPLES 4096

struct remy_range {
	double lo, hi;
};

/* What networks and users to expect. */
struct remy_model {
	struct remy_range rate;    /* Mbit/s, logarithmically even */
	struct remy_range rtt;     /* ms without a queue */
	struct remy_range senders; /* at the most */
	double on, off; /* mean ms of sending and of silence; 0: none */
	double cell;    /* not 0: the rate wanders, and stops */
};

/* One network, drawn from a model. */
struct remy_net {
	double rate; /* datagrams a ms */
	double rtt;
	unsigned senders;
	double on, off;
	float
	    *chance; /* ms when the link takes a datagram; NULL: at its rate */
	size_t nchance;
	uint64_t seed; /* of the senders' times */
};

/* How the rules fared. */
struct remy_score {
	double sum;        /* of log2 throughput/share - delta log2 delay/rtt */
	double throughput; /* mean of the shares */
	double delay;      /* mean of delay/rtt */
	unsigned count;    /* senders */
};

/* Which rules were used; at[] are samples of what was remembered. */
struct remy_use {
	uint64_t used[REMY_RULES];
	double at[REMY_SAMPLES][SSP_REMY_AXES];
	unsigned n;
	size_t rule; /* sampled */
};

/* Reads "rate=1-30,rtt=20-200,senders=1-2,on=5000,off=2000,cell=1". */
bool remy_model_parse(struct remy_model *m, const char *text);

void remy_net_make(
    struct remy_net *n, const struct remy_model *m, uint64_t seed, double ms);
void remy_net_free(struct remy_net *n);

/* Runs for MS; adds to SCORE, and to USE unless it is NULL. */
void remy_sim(const struct remy_net *n, double ms,
    const struct ssp_remy_table *table, double delta, struct remy_score *score,
    struct remy_use *use);

#endif
