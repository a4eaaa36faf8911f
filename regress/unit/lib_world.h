/*
 * regress/unit/lib_world.h - two ends of the library, a clock and a network.
 *
 * Purpose:   runs a client and a server of ssp/lib/ssp.h in virtual time, over a
 *            link with delay, jitter and loss, as a program would: by the
 *            public functions alone.
 * Ownership: lib_world_init and lib_world_fini pair.
 * Units:     milliseconds of virtual time.
 * Errors:    assertions of Check.
 */
#ifndef REGRESS_LIB_WORLD_H
#define REGRESS_LIB_WORLD_H

#include "ssp/lib/ssp.h"

enum {
	LW_CLIENT,
	LW_SERVER,
	LW_SIDES
};

#define LW_CELLS 64
#define LW_PACKETS 4096

/* A value of numbers, of which a difference names those that changed. */
struct board {
	uint32_t cell[LW_CELLS];
};

struct lw_packet {
	uint64_t at;
	int to;
	struct ssp_route from;
	size_t n;
	uint8_t bytes[SSP_DATAGRAM_MAX];
};

struct lib_world {
	uint64_t now;
	uint64_t seed;
	uint64_t delay, jitter;
	unsigned loss; /* per 1000, each way */
	uint8_t secret[SSP_SECRET_SIZE];
	struct ssp_config cfg[LW_SIDES];
	struct ssp *end[LW_SIDES];
	struct ssp_route way; /* of the client */
	struct lw_packet *queue;
	size_t queued;
	uint64_t sent;
	int last_error; /* of ssp_receive; 0: none */
	unsigned events[LW_SIDES][16];
	uint64_t code[LW_SIDES]; /* of the last ending event */
	/* Called for each event of a stream; may be NULL. */
	void (*stream)(struct lib_world *w, int side, uint64_t id);
	void *arg;
};

extern const struct ssp_object board_object;
struct board *board_new(void);

uint64_t lw_random(struct lib_world *w);

/* Prepares; change cfg, then call lib_world_open. */
void lib_world_init(struct lib_world *w, uint64_t seed);
void lib_world_open(struct lib_world *w);
void lib_world_fini(struct lib_world *w);

/* Runs for MS. */
void lib_world_run(struct lib_world *w, uint64_t ms);

/* Runs until both are up and have the other's value; false after MS. */
bool lib_world_settle(struct lib_world *w, uint64_t ms);

struct board *lw_local(struct lib_world *w, int side);
const struct board *lw_remote(struct lib_world *w, int side);
void lw_set(struct lib_world *w, int side, unsigned cell, uint32_t v);

#endif
