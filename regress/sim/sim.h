/*
 * regress/sim/sim.h - a network of two ends under virtual time.
 *
 * Purpose:   carries datagrams between two ends over a link with delay, jitter,
 *            loss, reordering, duplication, a rate and a queue, cuts and holes;
 *            a seed determines everything.
 * Ownership: sim_init/sim_fini; datagrams are copied.
 * Units:     microseconds of virtual time; bytes on the network.
 * Source:    our own; trace-driven links as in cellular emulators: each line is
 *            the millisecond of one chance to deliver 1500 bytes.
 * Tests:     regress/sim/check_sim.c
 */
#ifndef REGRESS_SIM_H
#define REGRESS_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t sim_us;

#define SIM_NEVER UINT64_MAX
#define SIM_CUTS 8
#define SIM_MS 1000u
#define SIM_S 1000000u

/* Splitmix64: the same numbers on every machine. */
uint64_t sim_rand(uint64_t *state);
double sim_real(uint64_t *state); /* 0 <= x < 1 */
uint64_t sim_below(uint64_t *state, uint64_t n);
double sim_exp(uint64_t *state, double mean);

struct sim_cut {
	sim_us from;
	sim_us to;
};

/* One direction of a link; all zero is a perfect link. */
struct sim_link_cfg {
	sim_us delay;
	sim_us jitter;    /* uniform; reorders only with `reorder` */
	bool reorder;     /* jitter may change the order */
	double loss;      /* probability, independent */
	double burst;     /* share of time spent in bad periods */
	sim_us burst_len; /* their mean length */
	double duplicate;
	uint64_t rate;         /* bytes a second; 0: no limit */
	size_t queue;          /* bytes; 0: no limit */
	size_t hole;           /* larger datagrams vanish; 0: none */
	const uint32_t *trace; /* chances to deliver 1500 bytes, ms */
	size_t ntrace;
	double ce; /* share of queued datagrams marked CE */
	struct sim_cut cut[SIM_CUTS];
	unsigned ncut;
};

struct sim_link {
	struct sim_link_cfg cfg;
	sim_us busy;     /* when the last byte queued leaves */
	sim_us last_out; /* arrival of the last datagram, for order */
	bool bad;
	sim_us bad_until;
	size_t chance; /* trace: the next chance */
	sim_us offset; /* trace: repeats so far */
	size_t left;   /* trace: bytes left in the last chance */
	sim_us left_at;

	uint64_t sent, bytes, lost, delivered, delivered_bytes, swallowed;
};

struct sim;

/* A datagram arrives. */
typedef void (*sim_recv_fn)(void *arg, sim_us now, const uint8_t *data,
    size_t len, bool ce, sim_us sent);
/* A timer fires. */
typedef void (*sim_timer_fn)(void *arg, sim_us now);

struct sim_event {
	sim_us time;
	uint64_t order;
	sim_timer_fn timer;
	void *arg;
	unsigned link; /* 0 or 1, for datagrams */
	uint8_t *data; /* NULL: a timer */
	size_t len;
	bool ce;
	sim_us sent;
};

struct sim {
	uint64_t rng;
	sim_us now;
	struct sim_event *heap;
	size_t nheap, cap;
	uint64_t order;
	struct sim_link link[2]; /* 0: from end 0 to end 1 */
	sim_recv_fn recv[2];
	void *recv_arg[2];
	/* observes every delivered datagram; may be NULL */
	void (*watch)(
	    void *arg, unsigned link, sim_us sent, sim_us now, size_t len);
	void *watch_arg;
};

void sim_init(struct sim *s, uint64_t seed);
void sim_fini(struct sim *s);

/* Sets both directions. */
void sim_links(struct sim *s, const struct sim_link_cfg *cfg);

/* Sends LEN bytes of payload and HEAD bytes of headers from end FROM. */
void sim_send(
    struct sim *s, unsigned from, const uint8_t *data, size_t len, size_t head);

void sim_at(struct sim *s, sim_us when, sim_timer_fn fn, void *arg);

/* Runs the next event up to END; false if there is none. */
bool sim_step(struct sim *s, sim_us end);

void sim_run(struct sim *s, sim_us end);

#endif
