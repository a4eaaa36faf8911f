#include "ssp/crypto.h"

#include <sodium.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

#define HMAC_BLOCK 128 /* block of BLAKE2b, not 64 */

/* Bytes of stack that the deepest of these functions may use. */
#define CRYPTO_STACK 16384

#define CRYPTO_LENGTH(theirs, ours) _Static_assert((theirs) == (ours), #ours)

CRYPTO_LENGTH(crypto_aead_chacha20poly1305_ietf_KEYBYTES, SSP_KEY_LEN);
CRYPTO_LENGTH(crypto_aead_chacha20poly1305_ietf_ABYTES, SSP_TAG_LEN);
CRYPTO_LENGTH(crypto_generichash_BYTES_MAX, SSP_HASH_LEN);
CRYPTO_LENGTH(crypto_scalarmult_BYTES, SSP_KEY_LEN);

int
ssp_crypto_init(void)
{
	return sodium_init() < 0 ? -ERR_SYS : 0;
}

/* The nonce of Noise: four zero bytes, then the counter, little-endian. */
static void
crypto_nonce(uint8_t out[static 12], uint64_t n)
{
	size_t i;

	memset(out, 0, 4);
	for (i = 0; i < 8; i++)
		out[4 + i] = (uint8_t)(n >> (8 * i));
}

void
ssp_seal(const uint8_t key[static SSP_KEY_LEN], uint64_t n, const uint8_t *ad,
    size_t ad_len, uint8_t *p, size_t len)
{
	uint8_t nonce[12];

	crypto_nonce(nonce, n);
	crypto_aead_chacha20poly1305_ietf_encrypt(
	    p, NULL, p, len, ad, ad_len, NULL, nonce, key);
}

int
ssp_open(const uint8_t key[static SSP_KEY_LEN], uint64_t n, const uint8_t *ad,
    size_t ad_len, uint8_t *p, size_t len)
{
	uint8_t nonce[12];

	if (len < SSP_TAG_LEN)
		return -ERR_AUTH;
	crypto_nonce(nonce, n);
	if (crypto_aead_chacha20poly1305_ietf_decrypt(
		p, NULL, NULL, p, len, ad, ad_len, nonce, key) != 0)
		return -ERR_AUTH;
	return 0;
}

void
ssp_sha256(uint8_t out[static SSP_SHA256_LEN], const void *p, size_t n)
{
	(void)crypto_hash_sha256(out, p, n);
}

void
ssp_hash(uint8_t out[static SSP_HASH_LEN], const uint8_t *a, size_t a_len,
    const uint8_t *b, size_t b_len)
{
	crypto_generichash_state st;

	crypto_generichash_init(&st, NULL, 0, SSP_HASH_LEN);
	if (a_len > 0)
		crypto_generichash_update(&st, a, a_len);
	if (b_len > 0)
		crypto_generichash_update(&st, b, b_len);
	crypto_generichash_final(&st, out, SSP_HASH_LEN);
	sodium_memzero(&st, sizeof(st));
}

/* HMAC of A followed by B; no key here is longer than the block. */
static void
crypto_hmac(uint8_t out[static SSP_HASH_LEN],
    const uint8_t key[static SSP_HASH_LEN], const uint8_t *a, size_t a_len,
    const uint8_t *b, size_t b_len)
{
	uint8_t pad[HMAC_BLOCK], inner[SSP_HASH_LEN];
	crypto_generichash_state st;
	size_t i;

	memset(pad, 0x36, sizeof(pad));
	for (i = 0; i < SSP_HASH_LEN; i++)
		pad[i] ^= key[i];
	crypto_generichash_init(&st, NULL, 0, SSP_HASH_LEN);
	crypto_generichash_update(&st, pad, sizeof(pad));
	if (a_len > 0)
		crypto_generichash_update(&st, a, a_len);
	if (b_len > 0)
		crypto_generichash_update(&st, b, b_len);
	crypto_generichash_final(&st, inner, sizeof(inner));
	for (i = 0; i < HMAC_BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	ssp_hash(out, pad, sizeof(pad), inner, sizeof(inner));
	sodium_memzero(pad, sizeof(pad));
	sodium_memzero(inner, sizeof(inner));
	sodium_memzero(&st, sizeof(st));
}

void
ssp_hkdf(const uint8_t ck[static SSP_HASH_LEN], const uint8_t *ikm, size_t len,
    uint8_t out1[static SSP_HASH_LEN], uint8_t out2[static SSP_HASH_LEN],
    uint8_t *out3)
{
	static const uint8_t count[] = { 1, 2, 3 };
	uint8_t temp[SSP_HASH_LEN];

	/* CK may be OUT1: it is not read after this call. */
	crypto_hmac(temp, ck, ikm, len, NULL, 0);
	crypto_hmac(out1, temp, count, 1, NULL, 0);
	crypto_hmac(out2, temp, out1, SSP_HASH_LEN, count + 1, 1);
	if (out3 != NULL)
		crypto_hmac(out3, temp, out2, SSP_HASH_LEN, count + 2, 1);
	sodium_memzero(temp, sizeof(temp));
}

void
ssp_derive(uint8_t out[static SSP_KEY_LEN], const uint8_t *key, size_t key_len,
    const char *label)
{
	ssp_keyed_hash(
	    out, key, key_len, (const uint8_t *)label, strlen(label));
}

void
ssp_keyed_hash(uint8_t out[static SSP_KEY_LEN], const uint8_t *key,
    size_t key_len, const uint8_t *p, size_t len)
{
	crypto_generichash(out, SSP_KEY_LEN, p, len, key, key_len);
}

void
ssp_mac(uint8_t out[static SSP_MAC_LEN], const uint8_t key[static SSP_KEY_LEN],
    const uint8_t *p, size_t len)
{
	crypto_generichash(out, SSP_MAC_LEN, p, len, key, SSP_KEY_LEN);
}

int
ssp_equal(const void *a, const void *b, size_t n)
{
	return sodium_memcmp(a, b, n) == 0;
}

void
ssp_wipe(void *p, size_t n)
{
	sodium_memzero(p, n);
}

void
ssp_wipe_stack(void)
{
	sodium_stackzero(CRYPTO_STACK);
}

void
ssp_x25519_public(
    uint8_t pub[static SSP_KEY_LEN], const uint8_t secret[static SSP_KEY_LEN])
{
	crypto_scalarmult_base(pub, secret);
}

int
ssp_x25519(uint8_t out[static SSP_KEY_LEN],
    const uint8_t secret[static SSP_KEY_LEN],
    const uint8_t pub[static SSP_KEY_LEN])
{
	/* libsodium rejects points that make the result zero. */
	return crypto_scalarmult(out, secret, pub) == 0 ? 0 : -ERR_AUTH;
}

static void
key_checksum(uint8_t out[static 4], const uint8_t *key)
{
	uint8_t sum[SSP_KEY_LEN];

	ssp_derive(sum, key, SSP_KEY_LEN, "rmux key text");
	memcpy(out, sum, 4);
	sodium_memzero(sum, sizeof(sum));
}

void
ssp_key_format(const uint8_t key[static SSP_KEY_LEN],
    char text[static SSP_KEY_TEXT_LEN + 1])
{
	uint8_t raw[SSP_KEY_LEN + 4];

	memcpy(raw, key, SSP_KEY_LEN);
	key_checksum(raw + SSP_KEY_LEN, key);
	sodium_bin2base64(text, SSP_KEY_TEXT_LEN + 1, raw, sizeof(raw),
	    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	sodium_memzero(raw, sizeof(raw));
	ssp_wipe_stack();
}

int
ssp_text_parse(
    const char *text, size_t len, uint8_t *out, size_t cap, size_t *n)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!((text[i] >= 'a' && text[i] <= 'z') ||
			(text[i] >= 'A' && text[i] <= 'Z') ||
			(text[i] >= '0' && text[i] <= '9') || text[i] == '-' ||
			text[i] == '_'))
			return -ERR_SYNTAX;
	return sodium_base642bin(out, cap, text, len, NULL, n, NULL,
		   sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0
		   ? 0
		   : -ERR_SYNTAX;
}

int
ssp_key_parse(const char *text, uint8_t key[static SSP_KEY_LEN])
{
	uint8_t raw[SSP_KEY_LEN + 4], sum[4];
	size_t n;
	int r = -ERR_SYNTAX;

	memset(key, 0, SSP_KEY_LEN);
	if (strnlen(text, SSP_KEY_TEXT_LEN + 1) == SSP_KEY_TEXT_LEN &&
	    ssp_text_parse(text, SSP_KEY_TEXT_LEN, raw, sizeof(raw), &n) == 0 &&
	    n == sizeof(raw)) {
		key_checksum(sum, raw);
		if (sodium_memcmp(sum, raw + SSP_KEY_LEN, 4) == 0) {
			memcpy(key, raw, SSP_KEY_LEN);
			r = 0;
		}
	}
	sodium_memzero(raw, sizeof(raw));
	ssp_wipe_stack();
	return r;
}

/* A slab is one guarded allocation; `used` has a byte for each slot. */
struct keyring_slab {
	struct keyring_slab *next;
	uint8_t *slots; /* sodium_allocarray */
	uint8_t *used;
	size_t count;
};

struct ssp_keyring {
	struct keyring_slab *slabs;
	size_t slot; /* bytes, a multiple of 64 */
	size_t step; /* slots of the next slab */
	size_t max;
	size_t used;
};

static struct keyring_slab *
keyring_grow(struct ssp_keyring *k, size_t count)
{
	struct keyring_slab *s;
	uint8_t *slots;

	/*
	 * Guarded and excluded from core dumps; locked if the system permits.
	 */
	slots = sodium_allocarray(count, k->slot);
	if (slots == NULL)
		return NULL;
	s = mem_zalloc(sizeof(*s));
	s->slots = slots;
	s->used = mem_zalloc(count);
	s->count = count;
	s->next = k->slabs;
	k->slabs = s;
	return s;
}

struct ssp_keyring *
ssp_keyring_new(size_t slot, size_t count, size_t max)
{
	struct ssp_keyring *k;

	if (ssp_crypto_init() != 0)
		return NULL;
	k = mem_zalloc(sizeof(*k));
	k->slot = (slot + 63) & ~(size_t)63;
	k->step = count;
	k->max = max;
	if (keyring_grow(k, count) == NULL) {
		mem_free(k);
		return NULL;
	}
	return k;
}

void
ssp_keyring_free(struct ssp_keyring *k)
{
	struct keyring_slab *s;

	if (k == NULL)
		return;
	bug_assert(k->used == 0);
	while ((s = k->slabs) != NULL) {
		k->slabs = s->next;
		sodium_free(s->slots); /* wipes */
		mem_free(s->used);
		mem_free(s);
	}
	mem_free(k);
}

void *
ssp_keyring_take(struct ssp_keyring *k)
{
	struct keyring_slab *s;
	size_t i;
	uint8_t *p;

	if (k->used == k->max)
		return NULL;
	for (s = k->slabs; s != NULL; s = s->next)
		if (memchr(s->used, 0, s->count) != NULL)
			break;
	if (s == NULL && (s = keyring_grow(k, k->step)) == NULL)
		return NULL;
	i = (size_t)((uint8_t *)memchr(s->used, 0, s->count) - s->used);
	s->used[i] = 1;
	k->used++;
	p = s->slots + i * k->slot;
	sodium_memzero(p, k->slot);
	return p;
}

void
ssp_keyring_give(struct ssp_keyring *k, void *slot)
{
	struct keyring_slab *s;
	uint8_t *p = slot;

	if (slot == NULL)
		return;
	for (s = k->slabs; s != NULL; s = s->next)
		if (p >= s->slots && p < s->slots + s->count * k->slot)
			break;
	bug_assert(s != NULL);
	sodium_memzero(p, k->slot);
	s->used[(size_t)(p - s->slots) / k->slot] = 0;
	k->used--;
}
