/*
 * ssp/noise.h - the handshake Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b.
 *
 * Purpose:   from a pre-shared key and two fresh X25519 keys to one key a
 *            direction, a chain key and a hash that names the session.
 * Ownership: struct ssp_noise is a plain value full of secrets: keep it in a
 *            keyring slot, wipe it with ssp_noise_fini.
 * Units:     bytes.
 * Errors:    -ERR_AUTH (wrong key, changed bytes, point of low order),
 *            -ERR_TRUNCATED; the state is then spent: fini and init again.
 * Source:    noiseprotocol.org, revision 34, sections 5, 7.5 and 9.
 * Tests:     regress/unit/check_ssp_noise.c (public vector of cacophony)
 */
#ifndef SSP_NOISE_H
#define SSP_NOISE_H

#include <stdbool.h>

#include "ssp/crypto.h"

/* What a message is longer than its payload: a public key and a tag. */
#define SSP_NOISE_OVERHEAD (SSP_KEY_LEN + SSP_TAG_LEN)

struct ssp_noise {
	uint8_t ck[SSP_HASH_LEN];
	uint8_t h[SSP_HASH_LEN];
	uint8_t k[SSP_KEY_LEN];
	uint8_t psk[SSP_KEY_LEN];
	uint8_t e[SSP_KEY_LEN];  /* our ephemeral secret */
	uint8_t re[SSP_KEY_LEN]; /* the peer's public one */
	uint64_t n;
};

/* Starts either side; the prologue must be equal at both. */
void ssp_noise_init(struct ssp_noise *ns, const void *prologue, size_t len,
    const uint8_t psk[static SSP_KEY_LEN]);
void ssp_noise_fini(struct ssp_noise *ns);

/*
 * Message 1, initiator.
 * In:      secret  32 fresh random bytes
 *          p       LEN bytes of payload at p + 32, room for 16 behind them
 * Out:     the message at P, LEN + SSP_NOISE_OVERHEAD bytes
 */
void ssp_noise_write1(struct ssp_noise *ns,
    const uint8_t secret[static SSP_KEY_LEN], uint8_t *p, size_t len);

/* Message 1, responder: LEN bytes at P; the payload is then at P + 32. */
int ssp_noise_read1(struct ssp_noise *ns, uint8_t *p, size_t len) WARN_UNUSED;

/* Message 2, responder; as write1. */
int ssp_noise_write2(struct ssp_noise *ns,
    const uint8_t secret[static SSP_KEY_LEN], uint8_t *p,
    size_t len) WARN_UNUSED;

/* Message 2, initiator; as read1. */
int ssp_noise_read2(struct ssp_noise *ns, uint8_t *p, size_t len) WARN_UNUSED;

/*
 * The end of either side.
 * Out:     to_responder, to_initiator  the keys of the two directions
 *          chain  the pre-shared key of the next handshake
 */
void ssp_noise_split(const struct ssp_noise *ns,
    uint8_t to_responder[static SSP_KEY_LEN],
    uint8_t to_initiator[static SSP_KEY_LEN],
    uint8_t chain[static SSP_KEY_LEN]);

#endif
