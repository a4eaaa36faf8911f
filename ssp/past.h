/*
 * ssp/past.h - what led to a state, as a prefix for compression.
 *
 * Purpose:   the past of a state: serialisations of earlier states that large
 *            instructions led from, and the last differences.  Both ends derive
 *            it from the past of the old state.  So it can stand beside the old
 *            serialisation as a zstd prefix: text shown before is cheap to show
 *            again, and so is a change of the same cells.
 * Ownership: chunks are reference-counted and shared by all states of a
 *            transport; ssp_past_fini releases them.
 * Units:     bytes.
 * Source:    our own; ssh -C also compresses with the data sent before.
 * Tests:     regress/unit/check_ssp_instruction.c, regress/sim/check_sim.c
 */
#ifndef SSP_PAST_H
#define SSP_PAST_H

#include <stdbool.h>

#include "base/buf.h"

#define SSP_PAST_MAX 64             /* states */
#define SSP_PAST_BYTES (128u << 10) /* bytes in all */
#define SSP_PAST_ONE (48u << 10)    /* maximum bytes of one */
#define SSP_PAST_FROM 256 /* minimum bytes of an instruction that adds one */

/* The newest states of the past, which every peer keeps. */
#define SSP_PAST_SHORT_MAX 16
#define SSP_PAST_SHORT_BYTES (48u << 10)

#define SSP_TRAIL_MAX 24     /* differences */
#define SSP_TRAIL_BYTES 8192 /* bytes of them in all */
#define SSP_TRAIL_FROM 40    /* minimum bytes of a difference that counts */

/* Which short pieces of text occur: a bit for each, by its hash. */
#define SSP_MARKS_BITS 2048

struct ssp_marks {
	uint64_t bits[SSP_MARKS_BITS / 64];
};

struct ssp_chunk {
	uint32_t refs;
	size_t len;
	struct ssp_marks marks; /* of a serialisation */
	uint8_t data[];
};

/* Chunks, oldest first; shared by states, and never changed. */
struct ssp_chunks {
	uint32_t refs;
	unsigned n;
	struct ssp_chunk *chunk[SSP_PAST_MAX];
};

/* Zero-initialised: the empty past. */
struct ssp_past {
	struct ssp_chunks *pages; /* serialisations; NULL: none */
	struct ssp_chunks *trail; /* differences; NULL: none */
};

/* How much of the serialisations stands in a prefix. */
enum ssp_past_use {
	SSP_PAST_NONE,
	SSP_PAST_SHORT,
	SSP_PAST_LONG,
};

void ssp_past_fini(struct ssp_past *p);

/*
 * Makes the past of a state whose old state has past OLD and serialisation SER.
 * Drops the oldest beyond the limits; leaves out a SER that is too long.
 */
void ssp_past_after(
    struct ssp_past *p, const struct ssp_past *old, const struct buf *ser);

/* Copies OLD: the past after a small instruction. */
void ssp_past_same(struct ssp_past *p, const struct ssp_past *old);

/* Adds the difference that led to P's state, unless it is short or too long. */
void ssp_past_trail(struct ssp_past *p, const uint8_t *diff, size_t len);

/*
 * Returns whether a state of the past, as far as USE goes, shows much that NEW
 * (a serialisation) shows and OLD does not.
 */
bool ssp_past_shows(const struct ssp_past *p, enum ssp_past_use use,
    const struct buf *old, const struct buf *new);

/*
 * Appends, as far as USE goes, the serialisations of the past, oldest first;
 * SER; if asked for, the trail.
 */
int ssp_past_prefix(const struct ssp_past *p, enum ssp_past_use use, bool trail,
    const struct buf *ser, struct buf *out);

#endif
