/*
 * regress/unit/ssp_world.h - two connections, a clock and a network, simulated.
 *
 * Purpose:   runs a client and a server against each other in virtual time over
 *            links with delay, loss, size limits and changing addresses.  The
 *            payload is a toy: each side has a number that the other learns,
 *            and bulk to fill datagrams.
 * Ownership: world_init and world_fini pair; the world owns both connections.
 * Units:     milliseconds of virtual time, starting at 1000.
 * Errors:    assertions of Check.
 */
#ifndef REGRESS_SSP_WORLD_H
#define REGRESS_SSP_WORLD_H

#include <stdbool.h>

#include "ssp/conn.h"

enum {
	CLIENT,
	SERVER,
	SIDES
};

/* The payload: the newest number and filler bytes. */
struct toy {
	struct world *w;
	int side;
	uint64_t value;    /* our number; the peer knows 0 from the start */
	uint64_t told;     /* newest that the peer has confirmed */
	uint64_t remote;   /* newest of the peer */
	mono_ms remote_at; /* its arrival */
	mono_ms send_at;   /* next repetition */
	bool ack_due;
	size_t bulk; /* bytes of filler still to be sent */
	size_t mtu;
	bool stream;
	unsigned recvs, pokes, resets, ces, rtts;
	mono_ms rtt;
	uint64_t last_pn;
	bool pn_fell;
};

struct packet {
	mono_ms at;
	uint64_t order;
	int to;                    /* side */
	struct ssp_path_addr from; /* as the receiver sees it */
	size_t len;
	uint8_t *data;
};

/* Filters a datagram; true lets it pass. */
typedef bool (*world_filter_fn)(struct world *w, int from_side,
    const struct ssp_path_addr *path, uint8_t *p, size_t len);

#define WORLD_PACKETS 2048

struct world {
	mono_ms now;
	uint64_t seed;
	struct ssp_keyring *keyring;
	struct ssp_conn *conn[SIDES];
	struct toy toy[SIDES];
	struct ssp_conn_cfg cfg[SIDES];
	uint8_t psk[SSP_KEY_LEN];

	mono_ms skew[SIDES]; /* ms that their clocks are ahead */
	mono_ms delay;       /* one way */
	mono_ms jitter;      /* random, reorders */
	mono_ms held;        /* how long an end thinks that acks may wait */
	unsigned loss;       /* per 1000, each way */
	size_t mtu;          /* larger datagrams vanish; 0: none */
	unsigned ecn;
	world_filter_fn filter;
	void *arg;
	/* A NAT may rewrite the client's addresses for the server. */
	bool nat;
	struct ssp_addr nat_addr;

	struct packet queue[WORLD_PACKETS];
	size_t queued;
	uint64_t order;
	uint64_t sent[SIDES], sent_bytes[SIDES];
	uint64_t events[SIDES][16];
	struct ssp_conn_event last_hop;
	bool auto_hop; /* answer NEW_SOCKET with a new address */
	unsigned hops;
};

/* Prepares the world; change cfg, then call world_open. */
void world_init(struct world *w, uint64_t seed);
void world_open(struct world *w);
void world_fini(struct world *w);

uint64_t world_random(struct world *w);

/* Makes an address of HOST; PORT distinguishes addresses of a host. */
struct ssp_addr world_addr(unsigned host, unsigned port);
struct ssp_path_addr world_path(unsigned local, unsigned remote);

/* Runs until that time. */
void world_run(struct world *w, mono_ms until);

/* Lets both sides write, and delivers nothing. */
void world_flush(struct world *w);

/* The clock of a side. */
mono_ms world_clock(const struct world *w, int side);

/* Passes a datagram to a side as if from FROM; returns the result of input. */
int world_inject(struct world *w, int side, const struct ssp_path_addr *from,
    const uint8_t *p, size_t len);

/* The byte at offset AT of what SIDE sends in a stream. */
uint8_t world_byte(int side, uint64_t at);

/* Writes the N bytes from AT on; returns how many of those at P are right. */
void world_fill(int side, uint64_t at, uint8_t *p, size_t n);
size_t world_right(int side, uint64_t at, const uint8_t *p, size_t n);

/* Runs until both have the other's newest number; false after LIMIT ms. */
bool world_settle(struct world *w, mono_ms limit);

/* Returns the statistics of SIDE's connection. */
struct ssp_conn_stats world_stats(struct world *w, int side);

/* Returns whether payloads of SIDE go to the remote address A. */
bool world_sends_to(struct world *w, int side, const struct ssp_addr *a);

/* Presses a key: raises SIDE's number. */
void world_bump(struct world *w, int side);

#endif
