/*
 * ssp/fragment.h - instructions larger than a datagram.
 *
 * Purpose:   cuts an instruction into 64-byte blocks and sends runs of them;
 *            puts them together at the other end, several instructions at
 *            once; names what is missing and repairs just that.
 * Ownership: struct ssp_bulk is one instruction being sent (new/free); struct
 *            ssp_reasm holds those being received (init/fini).
 * Units:     blocks of SSP_BLOCK bytes; the last may be short.
 * Errors:    -ERR_PEER for fragments that contradict each other.
 * Source:    our own.  Runs of blocks instead of numbered fragments let a
 *            repair be cut differently when the path's size has shrunk.
 * Tests:     regress/unit/check_ssp_instruction.c,
 *            regress/fuzz/fuzz_ssp_payload.c
 *
 * An instruction in fragments is named by the state it makes; the bytes of
 * that name never change.
 *
 * FRAG:    varint name, varint bytes in all, varint first block, bytes
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
#define SSP_FRAG_HEAD_MAX 22     /* name, total and first block, at most */
#define SSP_REASM_SLOTS 12       /* instructions put together at once */
#define SSP_REASM_MAX (4u << 20) /* bytes they may hold together */
#define SSP_COPY_GAP 4           /* ms between two transmissions of one block */

/* The sending side. */

struct ssp_bulk_block {
	uint64_t pn;   /* of the last transmission */
	uint32_t time; /* of the last transmission, low bits */
	uint8_t want;  /* transmissions still wanted */
	uint8_t tries; /* transmissions so far */
	bool held;     /* the peer has it */
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
};

/* Cuts a copy of the bytes; every block is to be sent WANT times. */
struct ssp_bulk *ssp_bulk_new(uint64_t name, uint64_t base, const uint8_t *data,
    size_t len, unsigned want, mono_ms now);
void ssp_bulk_free(struct ssp_bulk *b);

/* When a wanted block may go: NOW, later, or MONO_NEVER if none is wanted. */
mono_ms ssp_bulk_ready(const struct ssp_bulk *b, mono_ms now);

/*
 * Writes one FRAG frame for the datagram PN, as much as fits into W.
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

/* Nothing was heard of the last blocks: WANT more transmissions of a few. */
void ssp_bulk_probe(struct ssp_bulk *b, unsigned want);

/* The receiving side. */

struct ssp_reasm_slot {
	uint64_t name;
	uint8_t *data; /* NULL: the slot is free */
	size_t len;
	uint8_t *map; /* one bit a block */
	unsigned nblocks;
	unsigned held;
	unsigned high; /* highest block held, plus one */
	mono_ms time;  /* last change */
	bool tell;     /* a report is due */
};

struct ssp_reasm {
	struct ssp_reasm_slot slot[SSP_REASM_SLOTS];
	size_t bytes;
};

void ssp_reasm_init(struct ssp_reasm *r);
void ssp_reasm_fini(struct ssp_reasm *r);

/*
 * Takes a FRAG frame's body.
 * Out:     *slot  where it went; complete if held == nblocks
 * Returns: 1 if it brought something new, 0 if not, -ERR_PEER.
 */
int ssp_reasm_add(struct ssp_reasm *r, mono_ms now, const uint8_t *body,
    size_t len, struct ssp_reasm_slot **slot) WARN_UNUSED;

/* Keeps a whole instruction that came too early; NULL if there is one. */
struct ssp_reasm_slot *ssp_reasm_keep(struct ssp_reasm *r, mono_ms now,
    uint64_t name, const uint8_t *data, size_t len);

/* Frees a slot. */
void ssp_reasm_drop(struct ssp_reasm *r, struct ssp_reasm_slot *s);

/* Frees all slots named NUM or less. */
void ssp_reasm_drop_upto(struct ssp_reasm *r, uint64_t num);

/* Writes MISSING frames for slots with news, as far as they fit. */
void ssp_reasm_put(struct ssp_reasm *r, struct wr *w);

/* Some slot is unfinished. */
bool ssp_reasm_pending(const struct ssp_reasm *r);

/* Makes every unfinished slot due for a report. */
void ssp_reasm_tell_all(struct ssp_reasm *r);

#endif
