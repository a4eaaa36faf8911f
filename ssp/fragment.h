/*
 * ssp/fragment.h - sends instructions larger than a datagram.
 *
 * Purpose:   cuts an instruction into 64-byte blocks and sends runs of them;
 *            repairs what is named as missing; where loss is known, keeps so
 *            much parity on its way that no question is needed.
 * Ownership: struct ssp_bulk is one instruction being sent (new/free).
 * Units:     blocks of SSP_BLOCK bytes; the last may be short.
 * Errors:    -ERR_PEER for fragments that contradict each other.
 * Source:    our own.  Runs of blocks instead of numbered fragments let a
 *            repair be cut differently when the path's size has shrunk.
 * Tests:     regress/unit/check_ssp_instruction.c, check_ssp_parity.c,
 *            regress/sim/check_large.c
 *
 * An instruction in fragments is named by the state it makes; the bytes of
 * that name never change.
 *
 * FRAG:    varint name, varint bytes in all, varint first block, bytes
 * PARITY:  varint name, varint bytes in all, varint blocks a symbol, varint
 *          which, the parity symbol (ssp/parity.h)
 * MISSING: varint name, varint blocks spoken of, then pairs: varint blocks
 *          held, varint blocks missing (in order, from block 0 on)
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
#define SSP_FRAG_HEAD_MAX 22 /* name, total and first block, at most */

#define SSP_COPY_GAP 4 /* ms between two transmissions of one block */

struct ssp_bulk_block {
	uint64_t pn;   /* of the last transmission */
	uint32_t time; /* of the last transmission, low bits */
	uint8_t want;  /* transmissions still wanted */
	uint8_t tries; /* transmissions so far */
	bool held;     /* the peer has it */
	bool flying;   /* the fate of pn is not known */
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
	uint64_t name; /* the state it makes */
	uint64_t base; /* the state it needs */
	uint8_t *data;
	size_t len;
	unsigned nblocks;
	struct ssp_bulk_block *block;
	unsigned cursor; /* where the next run is looked for */
	unsigned wanted; /* blocks with want > 0 */
	unsigned held;
	unsigned fresh;    /* blocks never sent */
	mono_ms made;      /* when it was cut */
	mono_ms sent;      /* last transmission of any block */
	mono_ms progress;  /* last time a block was confirmed */
	uint64_t reported; /* packet number of the newest report */
	bool any_report;
	unsigned stuck; /* timeouts since the peer held it all */

	/* Parity; symbol is 0 where there is none. */
	unsigned symbol; /* blocks a symbol */
	struct ssp_bulk_spare *spare;
	unsigned spare_next;
	unsigned spare_want;
	unsigned spare_flying;
	unsigned timeouts; /* since anything was confirmed */
	bool stale;        /* spare_want must be found anew */
};

/* Cuts a copy of the bytes; every block is to be sent WANT times. */
struct ssp_bulk *ssp_bulk_new(uint64_t name, uint64_t base, const uint8_t *data,
    size_t len, unsigned want, mono_ms now);
void ssp_bulk_free(struct ssp_bulk *b);

/*
 * Parity over symbols of SYMBOL blocks, from now on instead of repetitions;
 * before anything was sent.  Does nothing where there are too many symbols.
 */
void ssp_bulk_parity(struct ssp_bulk *b, unsigned symbol);

/* Finds how much parity is wanted now where LOSS of the datagrams is lost. */
void ssp_bulk_balance(struct ssp_bulk *b, double loss);

/* Something is to be sent, now or later. */
static inline bool
ssp_bulk_more(const struct ssp_bulk *b)
{
	return b->wanted > 0 || b->spare_want > 0;
}

/* When a wanted block may go: NOW, later, or MONO_NEVER if none is wanted. */
mono_ms ssp_bulk_ready(const struct ssp_bulk *b, mono_ms now);

/*
 * Writes one FRAG or PARITY frame for the datagram PN, what fits into W.
 * Returns: blocks written; 0 if none may go or not even one block fits.
 * Out:     *repair  blocks of these that were sent before
 */
unsigned ssp_bulk_put(struct ssp_bulk *b, mono_ms now, uint64_t pn,
    struct wr *w, unsigned *repair);

/* Datagram PN arrived: its blocks need no repair. */
void ssp_bulk_acked(struct ssp_bulk *b, mono_ms now, uint64_t pn);

/* Datagram PN is lost: what was last sent in it is wanted again. */
void ssp_bulk_lost(struct ssp_bulk *b, uint64_t pn, unsigned copies);

/*
 * Uses a MISSING frame's body (after its name) that came in datagram PN.
 * In:      l  tells what of the missing may still be on its way
 */
int ssp_bulk_report(struct ssp_bulk *b, mono_ms now, uint64_t pn, struct rd *r,
    const struct ssp_loss *l, unsigned copies) WARN_UNUSED;

/* Nothing was heard of the end: WANT more transmissions of something. */
void ssp_bulk_probe(struct ssp_bulk *b, unsigned want);

#endif
