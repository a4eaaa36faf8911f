/*
 * ssp/parity.h - spare symbols that stand in for any lost part of a whole.
 *
 * Purpose:   an instruction cut into K symbols of equal size gets parity
 *            symbols; any K of all of them give the instruction back.  So a
 *            large frame survives loss without a question and an answer.
 * Ownership: none: works on the caller's memory.
 * Units:     bytes; a symbol's size; numbers of symbols.  The last symbol of
 *            the data may be short and counts as filled up with zeros.
 * Errors:    none; ssp_parity_solve needs distinct, bounded indices.
 * Source:    Cauchy matrices over GF(256) (Bloemer et al., ICSI TR-95-048),
 *            polynomial x^8 + x^4 + x^3 + x^2 + 1.
 * Tests:     regress/unit/check_ssp_parity.c, regress/sim/check_large.c
 *
 * Parity symbol j is the sum over i of 1 / ((128 + j) xor i) times symbol i.
 */
#ifndef SSP_PARITY_H
#define SSP_PARITY_H

#include <stddef.h>
#include <stdint.h>

#define SSP_PARITY_DATA 128  /* symbols of data at most */
#define SSP_PARITY_SPARE 128 /* parity symbols at most */

/* Parity symbol J, of SIZE bytes, of the LEN bytes of DATA. */
void ssp_parity_make(
    const uint8_t *data, size_t len, size_t size, unsigned j, uint8_t *out);

/*
 * Restores M symbols of DATA.
 * In:      lost    their M indices
 *          index   of M parity symbols, all different
 *          spare   those symbols, one behind the other; overwritten
 */
void ssp_parity_solve(uint8_t *data, size_t len, size_t size,
    const uint8_t *lost, unsigned m, const uint8_t *index, uint8_t *spare);

/*
 * How many datagrams must be on their way so that NEED of them arrive with
 * probability SURE, where each is lost with probability LOSS.
 */
unsigned ssp_parity_total(unsigned need, double loss, double sure);

#endif
