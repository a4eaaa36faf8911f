/*
 * regress/unit/ssp_world.h - two connections, a clock and a network, faked.
 *
 * Purpose:   runs a client and a server against each other in virtual time
 *            over links with delay, loss, size limits and changing addresses;
 *            what travels is a toy: each side has a number that the other
 *            learns, and bulk to fill datagrams with.
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

/* The payload: newest number and how much filler goes with each frame. */
struct toy {
	struct world *w;
	int side;
	uint64_t value;    /* ours; 0 is known to the peer from the start */
	uint64_t told;     /* newest the peer has confirmed */
	uint64_t remote;   /* newest of the peer */
	mono_ms remote_at; /* when it came */
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

/* What the network does with a datagram; true lets it pass. */
typedef bool (*world_filter_fn)(struct world *w, int from_side,
    const struct ssp_path_addr *path, uint8_t *p, size_t len);

#define WORLD_PACKETS 512

struct world {
	mono_ms now;
	uint64_t seed;
	struct ssp_keyring *keyring;
	struct ssp_conn *conn[SIDES];
	struct toy toy[SIDES];
	struct ssp_conn_cfg cfg[SIDES];
	uint8_t psk[SSP_KEY_LEN];

	mono_ms skew[SIDES]; /* what their clocks are ahead */
	mono_ms delay;       /* one way */
	mono_ms jitter;      /* added at random, so that they overtake */
	unsigned loss;       /* per 1000, each way */
	size_t mtu;          /* larger ones vanish; 0: all pass */
	unsigned ecn;
	world_filter_fn filter;
	void *arg;
	/* The client's addresses as the server sees them may be rewritten. */
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

/* Prepares; change cfg then, and call world_open. */
void world_init(struct world *w, uint64_t seed);
void world_open(struct world *w);
void world_fini(struct world *w);

uint64_t world_random(struct world *w);

/* Address number N of a kind; PORT tells addresses of a host apart. */
struct ssp_addr world_addr(unsigned host, unsigned port);
struct ssp_path_addr world_path(unsigned local, unsigned remote);

/* Runs until that time. */
void world_run(struct world *w, mono_ms until);

/* Lets both sides write what they want now, and deliver nothing. */
void world_flush(struct world *w);

/* The clock of a side. */
mono_ms world_clock(const struct world *w, int side);

/* Hands a datagram to a side as if it came from FROM; returns input's word. */
int world_inject(struct world *w, int side, const struct ssp_path_addr *from,
    const uint8_t *p, size_t len);

/* Runs until both have each other's newest number; false after LIMIT ms. */
bool world_settle(struct world *w, mono_ms limit);

/* What SIDE's connection counts. */
struct ssp_conn_stats world_stats(struct world *w, int side);

/* Whether payloads of SIDE go to the remote address A. */
bool world_sends_to(struct world *w, int side, const struct ssp_addr *a);

/* A key pressed: SIDE's number rises. */
void world_bump(struct world *w, int side);

#endif
