/*
 * ssp/compress.h - zstd with a prefix, one shot, without frame headers.
 *
 * Purpose:   packs diffs and serialised states.  A packed block is the zstd
 *            block alone: the nine bytes of frame and block header are always
 *            the same and are restored before decoding.
 * Ownership: one struct ssp_zip a process, shared by all transports of a
 *            thread.  It caches its last results, so that many peers with the
 *            same change of the same screen need one compression; a result
 *            never depends on earlier calls.
 * Units:     bytes.
 * Errors:    -ERR_UNSUPPORTED: not worth packing; -ERR_PEER: does not unpack.
 *            A wrong prefix is NOT detected here: callers check a hash.
 * Source:    RFC 8878 sections 3.1.1.1 and 3.1.1.2 (the headers).
 * Tests:     regress/unit/check_ssp_instruction.c, regress/fuzz/fuzz_ssp_zip.c
 */
#ifndef SSP_COMPRESS_H
#define SSP_COMPRESS_H

#include <stdbool.h>

#include "base/buf.h"

struct ssp_zip;

/* Shorter inputs are never packed: they would grow. */
#define SSP_ZIP_MIN 20

struct ssp_zip *ssp_zip_new(void);
void ssp_zip_free(struct ssp_zip *zip);

/*
 * Packs LEN bytes at SRC and appends them to OUT if that is smaller.
 * In:      prefix  bytes that the peer has as well; NULL if plen is 0
 * Out:     *whole  OUT got a complete zstd frame (too large for one block)
 * Returns: 0, or -ERR_UNSUPPORTED with OUT unchanged.
 */
int ssp_zip_pack(struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len, struct buf *out, bool *whole) WARN_UNUSED;

/* Returns the number of cache hits. */
uint64_t ssp_zip_again(const struct ssp_zip *zip);

/*
 * Unpacks into exactly DSTLEN bytes, never more.
 * security: SRC comes from the peer; the caller has bounded DSTLEN.
 */
int ssp_zip_unpack(struct ssp_zip *zip, const uint8_t *prefix, size_t plen,
    const uint8_t *src, size_t len, bool whole, uint8_t *dst,
    size_t dstlen) WARN_UNUSED;

#endif
