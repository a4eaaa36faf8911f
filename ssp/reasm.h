/*
 * ssp/reasm.h - puts instructions together from their fragments.
 *
 * Purpose:   several instructions at once; fragments and parity in any order,
 *            as often as they like; says what is missing.
 * Ownership: struct ssp_reasm owns its slots (init/fini).
 * Units:     blocks of SSP_BLOCK bytes; the last may be short; symbols of
 *            whole blocks where there is parity.
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

#define SSP_REASM_SLOTS 12       /* instructions put together at once */
#define SSP_REASM_MAX (4u << 20) /* bytes they may hold together */

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

	size_t symbol;   /* bytes a symbol; 0: no parity came */
	uint8_t *spare;  /* parity symbols held */
	unsigned spares; /* how many */
	uint8_t index[SSP_PARITY_DATA];
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

/* The same for a PARITY frame's body. */
int ssp_reasm_parity(struct ssp_reasm *r, mono_ms now, const uint8_t *body,
    size_t len, struct ssp_reasm_slot **slot) WARN_UNUSED;

/* Bytes that a slot holds. */
static inline size_t
ssp_reasm_size(const struct ssp_reasm_slot *s)
{
	return s->len + s->spares * s->symbol;
}

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
