/*
 * ssp/crypto.h - the cryptography of SSP, all of it from libsodium.
 *
 * Purpose:   sealing in place, hashes, key derivation, the text form of a key,
 *            and locked memory for all secrets of a process.
 * Ownership: a keyring owns guarded, locked slabs; a slot is wiped when it is
 *            taken and when it is returned.
 * Units:     bytes.
 * Errors:    -ERR_AUTH for a wrong tag (the buffer is then zeroed), -ERR_SYNTAX
 *            for text that is no key, -ERR_LIMIT for a full keyring.  It is no
 *            error if the system refuses to lock memory.
 * Source:    RFC 8439 (ChaCha20-Poly1305), RFC 7693 (BLAKE2b), RFC 2104 (HMAC,
 *            block of 128 bytes), Noise revision 34 for HKDF and the nonce.
 * Tests:     regress/unit/check_ssp_crypto.c
 */
#ifndef SSP_CRYPTO_H
#define SSP_CRYPTO_H

#include <stdint.h>

#include "base/compiler.h"

#define SSP_KEY_LEN 32
#define SSP_TAG_LEN 16
#define SSP_HASH_LEN 64
#define SSP_MAC_LEN 16

/* Without NUL: base64url of the key and 4 bytes of checksum. */
#define SSP_KEY_TEXT_LEN 48

/* Initialises libsodium; call it first.  Returns 0 or -ERR_SYS. */
int ssp_crypto_init(void);

/*
 * Seals LEN bytes at P in place and writes the tag after them.
 * In:      n  counter of the nonce; use each value once with a key
 */
void ssp_seal(const uint8_t key[static SSP_KEY_LEN], uint64_t n,
    const uint8_t *ad, size_t ad_len, uint8_t *p, size_t len);

/*
 * Opens LEN bytes (with the tag) at P in place.
 * Returns: 0 and the plaintext in the first LEN - 16 bytes, or -ERR_AUTH.
 */
int ssp_open(const uint8_t key[static SSP_KEY_LEN], uint64_t n,
    const uint8_t *ad, size_t ad_len, uint8_t *p, size_t len) WARN_UNUSED;

/* BLAKE2b-512 of A followed by B. */
void ssp_hash(uint8_t out[static SSP_HASH_LEN], const uint8_t *a, size_t a_len,
    const uint8_t *b, size_t b_len);

/* SHA-256 of N bytes: only for what other programs check (client/deploy_file.h).
 */
#define SSP_SHA256_LEN 32
void ssp_sha256(uint8_t out[static SSP_SHA256_LEN], const void *p, size_t n);

/* Noise's HKDF over HMAC-BLAKE2b; OUT3 may be NULL. */
void ssp_hkdf(const uint8_t ck[static SSP_HASH_LEN], const uint8_t *ikm,
    size_t len, uint8_t out1[static SSP_HASH_LEN],
    uint8_t out2[static SSP_HASH_LEN], uint8_t *out3);

/*
 * Derives a 32-byte key for LABEL from KEY (at most 64 bytes) by keyed BLAKE2b.
 */
void ssp_derive(uint8_t out[static SSP_KEY_LEN], const uint8_t *key,
    size_t key_len, const char *label);

/* Keyed BLAKE2b-256 of LEN bytes; KEY_LEN is at most 64. */
void ssp_keyed_hash(uint8_t out[static SSP_KEY_LEN], const uint8_t *key,
    size_t key_len, const uint8_t *p, size_t len);

/* Keyed BLAKE2b-128 of LEN bytes. */
void ssp_mac(uint8_t out[static SSP_MAC_LEN],
    const uint8_t key[static SSP_KEY_LEN], const uint8_t *p, size_t len);

/* Compares in constant time; returns whether A equals B. */
int ssp_equal(const void *a, const void *b, size_t n);

void ssp_wipe(void *p, size_t n);

/*
 * Wipes the stack below the caller, where the cryptography that it called has
 * left pieces of keys.
 */
void ssp_wipe_stack(void);

/* Computes the public key of SECRET. */
void ssp_x25519_public(
    uint8_t pub[static SSP_KEY_LEN], const uint8_t secret[static SSP_KEY_LEN]);

/* Computes the shared secret; -ERR_AUTH if PUB is of low order. */
int ssp_x25519(uint8_t out[static SSP_KEY_LEN],
    const uint8_t secret[static SSP_KEY_LEN],
    const uint8_t pub[static SSP_KEY_LEN]) WARN_UNUSED;

/*
 * Decodes unpadded base64url strictly (libsodium accepts some bytes above 127
 * as letters).
 * Returns: -ERR_SYNTAX if TEXT is not base64url or longer than CAP bytes.
 */
int ssp_text_parse(const char *text, size_t len, uint8_t *out, size_t cap,
    size_t *n) WARN_UNUSED;

/* Text form of a key, as the ssh bootstrap carries it. */
void ssp_key_format(const uint8_t key[static SSP_KEY_LEN],
    char text[static SSP_KEY_TEXT_LEN + 1]);
int ssp_key_parse(
    const char *text, uint8_t key[static SSP_KEY_LEN]) WARN_UNUSED;

/* Locked memory in slots of one size. */
struct ssp_keyring;

/*
 * In:      slot   bytes of a slot
 *          count  slots of the first slab
 *          max    maximum number of slots over all slabs
 * Returns: NULL if the system has no memory.
 */
struct ssp_keyring *ssp_keyring_new(size_t slot, size_t count, size_t max);

/* Wipes and frees all; no slot may be in use. */
void ssp_keyring_free(struct ssp_keyring *k);

/* Takes a zeroed slot; NULL if MAX are in use. */
void *ssp_keyring_take(struct ssp_keyring *k);

/* Wipes and returns SLOT (may be NULL). */
void ssp_keyring_give(struct ssp_keyring *k, void *slot);

#endif
