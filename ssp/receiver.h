/*
 * ssp/receiver.h - the receiving half of SSP: the peer's numbered states.
 *
 * Purpose:   applies instructions to the states that they name, keeps the
 *            states that later instructions may need, and knows what to report
 *            to the peer.
 * Ownership: owns all received states.
 * Units:     milliseconds, state numbers.
 * Errors:    -ERR_PEER for instructions that do not parse or apply.
 * Source:    mosh's receiver: idempotent, tolerates any order, bounded.
 * Tests:     regress/sim/check_sim.c, check_link.c
 */
#ifndef SSP_RECEIVER_H
#define SSP_RECEIVER_H

#include "ssp/core.h"
#include "ssp/instruction.h"
#include "ssp/reasm.h"

#define SSP_RECEIVED_MAX 1024     /* states kept */
#define SSP_RECEIVED_QUENCH 15000 /* ms between states above the limit */

struct ssp_received {
	uint64_t num;
	void *obj;
	struct ssp_past past;
	size_t own; /* bytes that the state does not share with older ones */
};

struct ssp_receiver {
	struct ssp_core *core;
	struct ssp_coder coder;
	struct ssp_received *state; /* ascending; the last is the newest */
	unsigned nstate;
	unsigned cap;
	size_t own;     /* bytes of all states */
	size_t own_max; /* 0: no limit */
	void *seen;     /* the state that the application saw last */
	mono_ms quench;
	struct ssp_reasm reasm;
	bool resync; /* a diff failed: request a full state */
	mono_ms resync_at;
};

/* Effect of an instruction or fragment. */
enum ssp_news {
	SSP_NEWS_NONE,  /* none: a duplicate, too old, or too early */
	SSP_NEWS_PART,  /* a part of an instruction, or an older state */
	SSP_NEWS_STATE, /* the newest state has changed */
};

void ssp_receiver_init(struct ssp_receiver *r, struct ssp_core *core,
    const struct ssp_coder *coder, void *initial);
void ssp_receiver_fini(struct ssp_receiver *r);

/*
 * Process STATE, FRAG and PARITY frames.  Return enum ssp_news or -ERR_PEER.
 * security: the bytes come from the peer.
 */
int ssp_receiver_state(struct ssp_receiver *r, mono_ms now, const uint8_t *body,
    size_t len) WARN_UNUSED;
int ssp_receiver_frag(struct ssp_receiver *r, mono_ms now, const uint8_t *body,
    size_t len) WARN_UNUSED;
int ssp_receiver_parity(struct ssp_receiver *r, mono_ms now,
    const uint8_t *body, size_t len) WARN_UNUSED;

static inline uint64_t
ssp_receiver_newest(const struct ssp_receiver *r)
{
	return r->state[r->nstate - 1].num;
}

/* See ssp_transport_remote_seen. */
uint64_t ssp_receiver_seen(struct ssp_receiver *r);

bool ssp_receiver_check(const struct ssp_receiver *r);

#endif
