/*
 * ssp/reasm.h - reassembles instructions from fragments and parity.
 *
 * Purpose:   reassembles several instructions at once from fragments and parity
 *            symbols, in any order and repeated; reports missing blocks.
 * Ownership: struct ssp_reasm owns its slots (init/fini).
 * Units:     blocks of SSP_BLOCK bytes; the last may be short; parity symbols
 *            of whole blocks.
 * Errors:    -ERR_PEER for fragments that contradict each other.
 * Tests:     regress/unit/check_ssp_instruction.c, check_ssp_parity.c,
 *            regress/fuzz/fuzz_ssp_payload.c
 */
#ifndef SSP_REASM_H
#define SSP_REASM_H

#include <stdbool.h>

#include "base/types.h"
#include "base/wire.h"
#include "ssp/fragment.h"
#include "ssp/parity.h"

#define SSP_REASM_SLOTS 12       /* instructions reassembled at once */
#define SSP_REASM_MAX (4u << 20) /* maximum bytes of all slots */

struct ssp_reasm_slot {
	uint64_t name;
	uint8_t *data; /* NULL: the slot is free */
	size_t len;
	uint8_t *map; /* one bit for each block */
	unsigned nblocks;
	unsigned held;
	unsigned high; /* highest block received, plus one */
	mono_ms time;  /* last change */
	bool tell;     /* a report is due */

	size_t symbol;   /* bytes of a symbol; 0: no parity yet */
	uint8_t *spare;  /* parity symbols received */
	unsigned spares; /* number of parity symbols */
	uint8_t index[SSP_PARITY_DATA];
};

struct ssp_reasm {
	struct ssp_reasm_slot slot[SSP_REASM_SLOTS];
	size_t bytes;
	size_t max; /* of them; SSP_REASM_MAX after init */
};

void ssp_reasm_init(struct ssp_reasm *r);
void ssp_reasm_fini(struct ssp_reasm *r);

/*
 * Adds the body of a FRAG frame.
 * Out:     *slot  its slot; complete if held == nblocks
 * Returns: 1 if it contained something new, 0 if not, or -ERR_PEER.
 */
int ssp_reasm_add(struct ssp_reasm *r, mono_ms now, const uint8_t *body,
    size_t len, struct ssp_reasm_slot **slot) WARN_UNUSED;

/* The same for the body of a PARITY frame. */
int ssp_reasm_parity(struct ssp_reasm *r, mono_ms now, const uint8_t *body,
    size_t len, struct ssp_reasm_slot **slot) WARN_UNUSED;

/* Returns the bytes of a slot. */
static inline size_t
ssp_reasm_size(const struct ssp_reasm_slot *s)
{
	return s->len + s->spares * s->symbol;
}

/*
 * Stores a whole instruction that arrived before its old state; NULL if there
 * is one of that name.
 */
struct ssp_reasm_slot *ssp_reasm_keep(struct ssp_reasm *r, mono_ms now,
    uint64_t name, const uint8_t *data, size_t len);

/* Frees a slot. */
void ssp_reasm_drop(struct ssp_reasm *r, struct ssp_reasm_slot *s);

/* Frees all slots with names up to NUM. */
void ssp_reasm_drop_upto(struct ssp_reasm *r, uint64_t num);

/* Writes MISSING frames for slots with a due report, as far as they fit. */
void ssp_reasm_put(struct ssp_reasm *r, struct wr *w);

/* Returns whether a slot is in use. */
bool ssp_reasm_pending(const struct ssp_reasm *r);

/* Makes a report due for every slot. */
void ssp_reasm_tell_all(struct ssp_reasm *r);

#endif
