/*
 * ssp/noise.h - the handshake Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b.
 *
 * Purpose:   turns a pre-shared key and two ephemeral X25519 keys into one key
 *            for each direction, a chain key and the handshake hash.
 * Ownership: struct ssp_noise is a plain value that contains secrets: keep it
 *            in a keyring slot, wipe it with ssp_noise_fini.
 * Units:     bytes.
 * Errors:    -ERR_AUTH (wrong key, altered bytes, point of low order),
 *            -ERR_TRUNCATED.  The state is then unusable: call fini and init.
 * Source:    noiseprotocol.org, revision 34, sections 5, 7.5 and 9.
 * Tests:     regress/unit/check_ssp_noise.c (public vector of cacophony)
 */
#ifndef SSP_NOISE_H
#define SSP_NOISE_H

#include <stdbool.h>

#include "ssp/crypto.h"

/* Bytes that a message adds to its payload: a public key and a tag. */
#define SSP_NOISE_OVERHEAD (SSP_KEY_LEN + SSP_TAG_LEN)

struct ssp_noise {
	uint8_t ck[SSP_HASH_LEN];
	uint8_t h[SSP_HASH_LEN];
	uint8_t k[SSP_KEY_LEN];
	uint8_t psk[SSP_KEY_LEN];
	uint8_t e[SSP_KEY_LEN];  /* our ephemeral secret */
	uint8_t re[SSP_KEY_LEN]; /* the peer's ephemeral public key */
	uint64_t n;
};

/* Initialises either side; both need the same prologue. */
void ssp_noise_init(struct ssp_noise *ns, const void *prologue, size_t len,
    const uint8_t psk[static SSP_KEY_LEN]);
void ssp_noise_fini(struct ssp_noise *ns);

/*
 * Writes message 1 (initiator).
 * In:      secret  32 fresh random bytes
 *          p       LEN bytes of payload at p + 32, then 16 free bytes
 * Out:     the message at P, LEN + SSP_NOISE_OVERHEAD bytes
 */
void ssp_noise_write1(struct ssp_noise *ns,
    const uint8_t secret[static SSP_KEY_LEN], uint8_t *p, size_t len);

/* Reads message 1 (responder), LEN bytes at P; the payload is at P + 32. */
int ssp_noise_read1(struct ssp_noise *ns, uint8_t *p, size_t len) WARN_UNUSED;

/* Writes message 2 (responder); see write1. */
int ssp_noise_write2(struct ssp_noise *ns,
    const uint8_t secret[static SSP_KEY_LEN], uint8_t *p,
    size_t len) WARN_UNUSED;

/* Reads message 2 (initiator); see read1. */
int ssp_noise_read2(struct ssp_noise *ns, uint8_t *p, size_t len) WARN_UNUSED;

/*
 * Derives the final keys, on either side.
 * Out:     to_responder, to_initiator  keys of the two directions
 *          chain  pre-shared key of the next handshake
 */
void ssp_noise_split(const struct ssp_noise *ns,
    uint8_t to_responder[static SSP_KEY_LEN],
    uint8_t to_initiator[static SSP_KEY_LEN],
    uint8_t chain[static SSP_KEY_LEN]);

#endif
