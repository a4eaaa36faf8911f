/*
 * regress/sim/stack.h - the whole of ssp/ at both ends of a simulated network.
 *
 * Purpose:   a client (end 0, its object a log) and a server (end 1, a screen)
 *            of connection and transport: handshake, sealing, paths, datagram
 *            size.  The client's address changes as behind a NAT; random lives
 *            from seeds.
 * Ownership: stack_init/stack_fini.
 * Units:     microseconds of true time; each end has a clock of its own.
 * Errors:    an invariant that breaks is said in `why'.
 * Tests:     regress/sim/check_stack.c
 */
#ifndef REGRESS_STACK_H
#define REGRESS_STACK_H

#include "regress/sim/sim.h"
#include "regress/sim/toy.h"
#include "ssp/bind.h"

#define STACK_SOCKETS 64 /* of the client, of all its life */

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
};

struct stack {
	struct sim sim;
	struct stack_end end[2];
	struct ssp_keyring *keyring;
	struct ssp_zip *zip;
	uint64_t rng;
	unsigned place; /* where the client's datagrams seem to come from */
	unsigned sockets;
	bool open[STACK_SOCKETS];
	const char *why;
};

struct stack_cfg {
	uint32_t cols, rows;
	uint64_t rekey_packets; /* 0: the default */
};

void stack_init(struct stack *s, const struct stack_cfg *cfg, uint64_t seed);
void stack_fini(struct stack *s);

/* The end's clock. */
mono_ms stack_now(const struct stack_end *e);

/* Lets the end send what is due and sets its timer. */
void stack_pump(struct stack_end *e);

/* The local objects; say stack_kick after changing one. */
struct toy_log *stack_log(struct stack *s);
struct toy_screen *stack_screen(struct stack *s);
void stack_kick(struct stack *s, unsigned end);

/* Both objects are equal at both ends. */
bool stack_equal(const struct stack *s);

/* Runs until END; the invariant that broke, or NULL. */
const char *stack_run(struct stack *s, sim_us end);

/* Runs until both are equal, at most until END; false if they are not. */
bool stack_settle(struct stack *s, sim_us end);

/* The random life of SEED; what broke, or NULL. */
const char *stack_life(uint64_t seed);

#endif
