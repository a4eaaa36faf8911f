/*
 * ssp/fragment.h - sends instructions larger than a datagram.
 *
 * Purpose:   cuts an instruction into 64-byte blocks and sends runs of them;
 *            repeats blocks reported missing; on a link with known loss sends
 *            parity instead, so that repair needs no round trip.
 * Ownership: struct ssp_bulk is one instruction being sent (new/free).
 * Units:     blocks of SSP_BLOCK bytes; the last may be short.
 * Errors:    -ERR_PEER for fragments that contradict each other.
 * Source:    our own.  Runs of blocks instead of numbered fragments allow a
 *            repair with smaller datagrams after the path MTU has shrunk.
 * Tests:     regress/unit/check_ssp_instruction.c, check_ssp_parity.c,
 *            regress/sim/check_large.c
 *
 * The name of a fragmented instruction is the number of the state that it
 * makes; the bytes of a name never change.
 *
 * FRAG:    varint name, varint total bytes, varint first block, bytes
 * PARITY:  varint name, varint total bytes, varint blocks of a symbol, varint
 *          index, the parity symbol (ssp/parity.h)
 * MISSING: varint name, varint blocks covered, then pairs: varint blocks
 *          received, varint blocks missing (in order, from block 0)
 */
#ifndef SSP_FRAGMENT_H
#define SSP_FRAGMENT_H

#include <stdbool.h>

#include "base/types.h"
#include "base/wire.h"
#include "ssp/instruction.h"
#include "ssp/loss.h"

#define SSP_BLOCK 64
#define SSP_BLOCKS_MAX (SSP_INS_MAX / SSP_BLOCK)
#define SSP_FRAG_HEAD_MAX 22 /* bytes of name, total and first block */

#define SSP_COPY_GAP 4 /* ms between two transmissions of one block */

struct ssp_bulk_block {
	uint64_t pn;   /* of the last transmission */
	uint32_t time; /* of the last transmission, low bits */
	uint8_t want;  /* transmissions still due */
	uint8_t tries; /* transmissions so far */
	bool held;     /* the peer has received it */
	bool flying;   /* pn is neither acked nor lost */
};

enum ssp_spare_state {
	SSP_SPARE_NONE, /* never sent, or lost */
	SSP_SPARE_FLYING,
	SSP_SPARE_HELD
};

/* One parity symbol. */
struct ssp_bulk_spare {
	uint64_t pn;
	uint8_t state; /* enum ssp_spare_state */
};

struct ssp_bulk {
	uint64_t name; /* number of the state that it makes */
	uint64_t base; /* number of the state that it needs */
	uint8_t *data;
	size_t len;
	unsigned nblocks;
	struct ssp_bulk_block *block;
	unsigned cursor; /* start of the search for the next run */
	unsigned wanted; /* blocks with want > 0 */
	unsigned held;
	unsigned fresh;    /* blocks not sent yet */
	mono_ms made;      /* time of creation */
	mono_ms sent;      /* last transmission of any block */
	mono_ms progress;  /* last time a block was confirmed */
	uint64_t reported; /* packet number of the newest report */
	bool any_report;
	unsigned stuck; /* timeouts since the peer had it all */

	/* Parity; symbol is 0 without parity. */
	unsigned symbol; /* blocks of a symbol */
	struct ssp_bulk_spare *spare;
	unsigned spare_next;
	unsigned spare_want;
	unsigned spare_flying;
	unsigned timeouts; /* since the last confirmation */
	bool stale;        /* spare_want must be recomputed */
};

/* Copies and cuts the bytes; each block is to be sent WANT times. */
struct ssp_bulk *ssp_bulk_new(uint64_t name, uint64_t base, const uint8_t *data,
    size_t len, unsigned want, mono_ms now);
void ssp_bulk_free(struct ssp_bulk *b);

/*
 * Uses parity over symbols of SYMBOL blocks instead of repetitions; call it
 * before anything is sent.  Does nothing if there would be too many symbols.
 */
void ssp_bulk_parity(struct ssp_bulk *b, unsigned symbol);

/* Computes how much parity to send at loss rate LOSS. */
void ssp_bulk_balance(struct ssp_bulk *b, double loss);

/* Returns whether anything is left to send, now or later. */
static inline bool
ssp_bulk_more(const struct ssp_bulk *b)
{
	return b->wanted > 0 || b->spare_want > 0;
}

/* Returns when the next block may be sent; MONO_NEVER if none is due. */
mono_ms ssp_bulk_ready(const struct ssp_bulk *b, mono_ms now);

/*
 * Writes one FRAG or PARITY frame that fits W, for datagram PN.
 * Returns: blocks written; 0 if none may be sent or none fits.
 * Out:     *repair  number of these blocks that were sent before
 */
unsigned ssp_bulk_put(struct ssp_bulk *b, mono_ms now, uint64_t pn,
    struct wr *w, unsigned *repair);

/* Datagram PN arrived: marks its blocks received. */
void ssp_bulk_acked(struct ssp_bulk *b, mono_ms now, uint64_t pn);

/* Datagram PN is lost: schedules the blocks last sent in it again. */
void ssp_bulk_lost(struct ssp_bulk *b, uint64_t pn, unsigned copies);

/*
 * Processes the body of a MISSING frame (after its name) of datagram PN.
 * In:      l  tells which missing blocks may still be in flight
 */
int ssp_bulk_report(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct rd *r,
    const struct ssp_loss *l, unsigned copies) WARN_UNUSED;

/*
 * A timeout passed without confirmation: schedules WANT transmissions of some
 * unconfirmed blocks or of parity.
 */
void ssp_bulk_probe(struct ssp_bulk *b, unsigned want);

#endif
