/*
 * regress/sim/stack.h - all of ssp/ at both ends of a simulated network.
 *
 * Purpose:   a client (end 0, its object a log) and a server (end 1, a screen)
 *            with connection and transport: handshake, sealing, paths, path
 *            MTU.  The client's address changes as behind a NAT; seeds give
 *            random lives.
 * Ownership: stack_init/stack_fini.
 * Units:     microseconds of true time; each end has a clock of its own.
 * Errors:    a broken invariant is described in `why'.
 * Tests:     regress/sim/check_stack.c
 */
#ifndef REGRESS_STACK_H
#define REGRESS_STACK_H

#include "regress/sim/sim.h"
#include "regress/sim/toy.h"
#include "ssp/bind.h"

#define STACK_SOCKETS 64 /* of the client, over its whole life */

struct stack;

struct stack_end {
	struct stack *s;
	unsigned i; /* 0: client, 1: server */
	struct ssp_bind bind;
	struct ssp_conn *conn;
	sim_us wake;
	int64_t offset; /* of the end's clock */
	int64_t drift;  /* parts per million */
	sim_us asleep_until;
	uint64_t datagrams, bytes;
	bool silent; /* client: it has noticed that nothing comes */
	/* The users of streams, before each output; may be NULL. */
	void (*turn)(void *arg, struct stack_end *e);
	void *turn_arg;
};

struct stack {
	struct sim sim;
	struct stack_end end[2];
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	uint64_t rng;
	unsigned place; /* index of the visible client address */
	sim_us nat;    /* silence of the client that its NAT survives; 0: any */
	sim_us nat_at; /* the client's last datagram */
	unsigned nat_port;
	bool nat_same; /* the NAT gives the same port again */
	unsigned sockets;
	bool open[STACK_SOCKETS];
	const char *why;
	/* a state of the peer arrived at END; may be NULL */
	void (*news)(void *arg, unsigned end, sim_us now);
	void *news_arg;
};

struct stack_cfg {
	uint32_t cols, rows;
	uint64_t rekey_packets;      /* 0: the default */
	bool streams;                /* both ends may open streams */
	const struct ssp_cc_ops *cc; /* NULL: as chosen */
	enum ssp_pacing pace[2];     /* chosen by each end, if paces is set */
	bool paces;
	const struct ssp_sprout_tab *sprout;
};

void stack_init(struct stack *s, const struct stack_cfg *cfg, uint64_t seed);
void stack_fini(struct stack *s);

/* The end's clock. */
mono_ms stack_now(const struct stack_end *e);

/* Sends what is due and sets the timer of the end. */
void stack_pump(struct stack_end *e);

/* The local objects; call stack_kick after a change. */
struct toy_log *stack_log(struct stack *s);
struct toy_screen *stack_screen(struct stack *s);
void stack_kick(struct stack *s, unsigned end);

/* The newest log at the server, and screen at the client. */
const struct toy_log *stack_remote_log(const struct stack *s);
const struct toy_screen *stack_remote_screen(const struct stack *s);

/* Returns whether both objects are equal at both ends. */
bool stack_equal(const struct stack *s);

/* Runs until END; returns the broken invariant, or NULL. */
const char *stack_run(struct stack *s, sim_us end);

/* Runs until both are equal, at most until END; false if they are not. */
bool stack_settle(struct stack *s, sim_us end);

/* Runs the random life of SEED; returns the failure, or NULL. */
const char *stack_life(uint64_t seed);

#endif
