/*
 * ssp/parity.h - parity symbols that replace any lost part of an instruction.
 *
 * Purpose:   an instruction cut into K symbols of equal size gets parity
 *            symbols; any K of all symbols restore the instruction.  A large
 *            frame thus survives loss without a round trip.
 * Units:     bytes; the size of a symbol; numbers of symbols.  The last data
 *            symbol may be short; zeros fill it up.
 * Errors:    ssp_parity_solve needs distinct, bounded indices.
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

#define SSP_PARITY_DATA 128  /* maximum number of data symbols */
#define SSP_PARITY_SPARE 128 /* maximum number of parity symbols */

/* Computes parity symbol J (SIZE bytes) of the LEN bytes of DATA. */
void ssp_parity_make(
    const uint8_t *data, size_t len, size_t size, unsigned j, uint8_t *out);

/*
 * Restores M symbols of DATA.
 * In:      lost    their M indices
 *          index   indices of M distinct parity symbols
 *          spare   those symbols, contiguous; overwritten
 */
void ssp_parity_solve(uint8_t *data, size_t len, size_t size,
    const uint8_t *lost, unsigned m, const uint8_t *index, uint8_t *spare);

/*
 * Returns how many datagrams to send so that NEED of them arrive with
 * probability SURE, if each is lost with probability LOSS.
 */
unsigned ssp_parity_total(unsigned need, double loss, double sure);

#endif
