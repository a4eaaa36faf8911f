/*
 * ssp/past.h - what earlier states looked like, to pack new ones with.
 *
 * Purpose:   serialisations of the states that a state came from by large
 *            instructions.  Both ends derive the same past of a state from
 *            that of the state it was made from, so it may stand before the
 *            old serialisation as a prefix for zstd: text that was shown
 *            before costs little to show again.
 * Ownership: chunks are counted by reference and shared by all states of a
 *            transport; ssp_past_fini lets go of them.
 * Units:     bytes.
 * Source:    our own; ssh -C remembers in the same way what it sent.
 * Tests:     regress/unit/check_ssp_instruction.c, regress/sim/check_sim.c
 */
#ifndef SSP_PAST_H
#define SSP_PAST_H

#include "base/buf.h"

#define SSP_PAST_MAX 16            /* states */
#define SSP_PAST_BYTES (48u << 10) /* and their bytes */
#define SSP_PAST_FROM 256 /* bytes of an instruction that makes an entry */

struct ssp_chunk {
	uint32_t refs;
	size_t len;
	uint8_t data[];
};

/* All zeros is the empty past. */
struct ssp_past {
	unsigned n;
	struct ssp_chunk *chunk[SSP_PAST_MAX]; /* oldest first */
};

void ssp_past_fini(struct ssp_past *p);

/*
 * The past of a state made from one with past OLD and serialisation SER.  The
 * oldest go when there are too many; a SER that is too long is left out.
 */
void ssp_past_after(
    struct ssp_past *p, const struct ssp_past *old, const struct buf *ser);

/* The same where the instruction was small: that of the old state. */
void ssp_past_same(struct ssp_past *p, const struct ssp_past *old);

/* Appends all of it, oldest first, and then SER. */
int ssp_past_prefix(
    const struct ssp_past *p, const struct buf *ser, struct buf *out);

#endif
