/*
 * ssp/crypto.h - all that SSP asks of libsodium.
 *
 * Purpose:   sealing in place, hashes and key derivation, the text form of a
 *            key, and locked memory for every secret of a process.
 * Ownership: a keyring owns one guarded, locked slab (and more of them when
 *            it is full); slots are taken and given back, wiped both times.
 * Units:     bytes.
 * Errors:    -ERR_AUTH when a tag is wrong (the buffer is then zeroed),
 *            -ERR_SYNTAX for text that is no key, -ERR_LIMIT when a keyring is
 *            full.  That the system refuses to lock memory is no error.
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

/* "48 characters" and a NUL: base64url of the key and 4 bytes of checksum. */
#define SSP_KEY_TEXT_LEN 48

/* Prepares libsodium; call once before anything else.  0 or -ERR_SYS. */
int ssp_crypto_init(void);

/*
 * Seals LEN bytes at P in place and writes the tag behind them.
 * In:      n  the nonce's counter; never twice with one key
 */
void ssp_seal(const uint8_t key[static SSP_KEY_LEN], uint64_t n,
    const uint8_t *ad, size_t ad_len, uint8_t *p, size_t len);

/*
 * Opens LEN bytes (tag included) at P in place.
 * Returns: 0 and the plaintext in the first LEN - 16 bytes, or -ERR_AUTH.
 */
int ssp_open(const uint8_t key[static SSP_KEY_LEN], uint64_t n,
    const uint8_t *ad, size_t ad_len, uint8_t *p, size_t len) WARN_UNUSED;

/* BLAKE2b-512 of A followed by B. */
void ssp_hash(uint8_t out[static SSP_HASH_LEN], const uint8_t *a, size_t a_len,
    const uint8_t *b, size_t b_len);

/* Noise's HKDF over HMAC-BLAKE2b; OUT3 may be NULL. */
void ssp_hkdf(const uint8_t ck[static SSP_HASH_LEN], const uint8_t *ikm,
    size_t len, uint8_t out1[static SSP_HASH_LEN],
    uint8_t out2[static SSP_HASH_LEN], uint8_t *out3);

/* A 32-byte key named LABEL from KEY (at most 64 bytes): keyed BLAKE2b. */
void ssp_derive(uint8_t out[static SSP_KEY_LEN], const uint8_t *key,
    size_t key_len, const char *label);

/* Keyed BLAKE2b-128 of LEN bytes. */
void ssp_mac(uint8_t out[static SSP_MAC_LEN],
    const uint8_t key[static SSP_KEY_LEN], const uint8_t *p, size_t len);

/* Equality in constant time. */
int ssp_equal(const void *a, const void *b, size_t n);

void ssp_wipe(void *p, size_t n);

/* Public key of a secret one. */
void ssp_x25519_public(
    uint8_t pub[static SSP_KEY_LEN], const uint8_t secret[static SSP_KEY_LEN]);

/* The shared secret; -ERR_AUTH if PUB is of low order. */
int ssp_x25519(uint8_t out[static SSP_KEY_LEN],
    const uint8_t secret[static SSP_KEY_LEN],
    const uint8_t pub[static SSP_KEY_LEN]) WARN_UNUSED;

/*
 * The bytes of base64url without padding, and of nothing else (libsodium takes
 * some bytes above 127 for letters).
 * Returns: -ERR_SYNTAX if TEXT is no such text or more than CAP bytes.
 */
int ssp_text_parse(const char *text, size_t len, uint8_t *out, size_t cap,
    size_t *n) WARN_UNUSED;

/* Text form of a key, as ssh carries it. */
void ssp_key_format(const uint8_t key[static SSP_KEY_LEN],
    char text[static SSP_KEY_TEXT_LEN + 1]);
int ssp_key_parse(
    const char *text, uint8_t key[static SSP_KEY_LEN]) WARN_UNUSED;

/* Locked memory: slots of one size, of which a process needs many. */
struct ssp_keyring;

/*
 * In:      slot   bytes a slot
 *          count  slots in the first slab
 *          max    slots at most, over all slabs
 * Returns: NULL when the system has no memory for it.
 */
struct ssp_keyring *ssp_keyring_new(size_t slot, size_t count, size_t max);

/* Wipes all; no slot may be in use. */
void ssp_keyring_free(struct ssp_keyring *k);

/* A zeroed slot, or NULL when MAX are in use. */
void *ssp_keyring_take(struct ssp_keyring *k);

/* Wipes SLOT (may be NULL) and gives it back. */
void ssp_keyring_give(struct ssp_keyring *k, void *slot);

#endif
