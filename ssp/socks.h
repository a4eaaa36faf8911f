/*
 * ssp/socks.h - the server's side of SOCKS 4, 4a and 5, without I/O.
 *
 * Purpose:   reads a program's request to connect somewhere, and writes the
 *            answers.
 * Ownership: plain values.
 * Errors:    -ERR_PEER for bytes that are no SOCKS; -ERR_UNSUPPORTED for a
 *            request other than CONNECT.  An answer is written for both where
 *            the version has one.
 * Source:    RFC 1928; SOCKS 4 and 4a as commonly described.
 * Tests:     regress/unit/check_ssp_purpose.c, regress/fuzz/fuzz_ssp_purpose.c
 */
#ifndef SSP_SOCKS_H
#define SSP_SOCKS_H

#include "base/buf.h"
#include "ssp/purpose.h"

#define SOCKS_REQUEST_MAX 600 /* bytes of the longest request */

struct socks {
	unsigned version; /* 0: not known yet */
	bool greeted;     /* version 5: methods were answered */
};

/*
 * Reads what a program has sent so far (all of it, N bytes), and appends answers
 * to OUT.
 * Out:     *used  bytes read
 * Returns: 1 and the place; 0: more bytes are needed; or an error.
 */
int socks_read(struct socks *s, const uint8_t *data, size_t n, size_t *used,
    struct ssp_place *place, struct buf *out) WARN_UNUSED;

/* Appends the answer to a request: the connection stands, or does not. */
void socks_answer(const struct socks *s, bool ok, struct buf *out);

#endif
