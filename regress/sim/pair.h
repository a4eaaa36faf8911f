/*
 * regress/sim/pair.h - two transports joined by a simulated network.
 *
 * Purpose:   a client (end 0, its object a log) and a server (end 1, its object
 *            a screen): drives both like a program and checks the invariants at
 *            every step.
 * Ownership: pair_init/pair_fini.
 * Units:     microseconds of true time; each end has a clock of its own.
 * Errors:    a broken invariant is counted in `broken' and described in `why'.
 * Tests:     regress/sim/check_sim.c
 *
 * The datagram of the simulation: packet number, timestamp and reply as in
 * doc/PROTOCOL.md, payload; PAIR_HEAD bytes stand for the rest.
 */
#ifndef REGRESS_PAIR_H
#define REGRESS_PAIR_H

#include "regress/sim/sim.h"
#include "regress/sim/toy.h"
#include "ssp/transport.h"

#define PAIR_HEAD 66 /* IP, UDP, header, timestamps, tag */

struct pair;

struct pair_end {
	struct pair *p;
	unsigned i; /* 0: client, 1: server */
	struct ssp_transport *tp;
	uint64_t pn;
	size_t mtu;
	sim_us wake;
	/* the end's clock */
	int64_t offset; /* microseconds */
	int64_t drift;  /* parts per million */
	sim_us asleep_until;
	/* timestamps */
	bool have_stamp;
	uint16_t stamp;
	mono_ms stamp_at;
	uint64_t seen_pn;
	bool any;
	uint64_t largest_payload;
	uint64_t spins; /* wakeups without work */
	uint64_t datagrams, bytes;
};

struct pair_cfg {
	const struct ssp_object_ops *screen_ops; /* NULL: toy_screen_ops */
	uint32_t cols, rows;
	struct ssp_zip *zip;
	const struct ssp_cc_ops *cc;
	const struct ssp_sprout_tab *sprout;
	enum ssp_link_kind link;
	size_t mtu; /* 0: 1,100 */
	bool verify;
	bool collect_set; /* use `collect' instead of the default */
	mono_ms collect;
	struct ssp_trace trace[2];
	/* a new state of the peer arrived at END; may be NULL */
	void (*news)(void *arg, struct pair_end *end, sim_us now);
	void *news_arg;
};

struct pair {
	struct sim sim;
	struct pair_end end[2];
	struct pair_cfg cfg;
	unsigned broken;
	const char *why;
	sim_us mtu_fix; /* when both ends learn of a smaller path */
};

void pair_init(struct pair *p, const struct pair_cfg *cfg, uint64_t seed);
void pair_fini(struct pair *p);

/* The end's clock. */
mono_ms pair_now(const struct pair_end *e);

/* The local objects; call pair_kick after a change. */
struct toy_log *pair_log(struct pair *p);
struct toy_screen *pair_screen(struct pair *p);
void pair_kick(struct pair *p, unsigned end);

/* Lets END send what is due and sets its timer. */
void pair_pump(struct pair_end *e);

/* The copies at the other end. */
const struct toy_log *pair_remote_log(const struct pair *p);
const struct toy_screen *pair_remote_screen(const struct pair *p);

/* Returns whether both objects are equal at both ends. */
bool pair_equal(const struct pair *p);

/*
 * Runs until both are equal and quiet, at most until END; false if they are
 * not.
 */
bool pair_settle(struct pair *p, sim_us end);

#endif
