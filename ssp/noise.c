#include "ssp/noise.h"

#include <string.h>

#include "base/err.h"

static const char noise_name[] = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2b";

static void
noise_mix_hash(struct ssp_noise *ns, const uint8_t *p, size_t len)
{
	ssp_hash(ns->h, ns->h, sizeof(ns->h), p, len);
}

static void
noise_mix_key(struct ssp_noise *ns, const uint8_t *p, size_t len)
{
	uint8_t temp[SSP_HASH_LEN];

	ssp_hkdf(ns->ck, p, len, ns->ck, temp, NULL);
	memcpy(ns->k, temp, sizeof(ns->k));
	ns->n = 0;
	ssp_wipe(temp, sizeof(temp));
}

static void
noise_mix_key_and_hash(struct ssp_noise *ns, const uint8_t *p, size_t len)
{
	uint8_t temp_h[SSP_HASH_LEN], temp_k[SSP_HASH_LEN];

	ssp_hkdf(ns->ck, p, len, ns->ck, temp_h, temp_k);
	noise_mix_hash(ns, temp_h, sizeof(temp_h));
	memcpy(ns->k, temp_k, sizeof(ns->k));
	ns->n = 0;
	ssp_wipe(temp_h, sizeof(temp_h));
	ssp_wipe(temp_k, sizeof(temp_k));
}

static void
noise_seal(struct ssp_noise *ns, uint8_t *p, size_t len)
{
	ssp_seal(ns->k, ns->n++, ns->h, sizeof(ns->h), p, len);
	noise_mix_hash(ns, p, len + SSP_TAG_LEN);
}

/* LEN includes the tag. */
static int
noise_open(struct ssp_noise *ns, uint8_t *p, size_t len)
{
	uint8_t h[SSP_HASH_LEN];

	memcpy(h, ns->h, sizeof(h));
	noise_mix_hash(ns, p, len); /* opening overwrites the ciphertext */
	return ssp_open(ns->k, ns->n++, h, sizeof(h), p, len);
}

void
ssp_noise_init(struct ssp_noise *ns, const void *prologue, size_t len,
    const uint8_t psk[static SSP_KEY_LEN])
{
	_Static_assert(sizeof(noise_name) - 1 <= SSP_HASH_LEN, "no hash");

	memset(ns, 0, sizeof(*ns));
	memcpy(ns->h, noise_name, sizeof(noise_name) - 1);
	memcpy(ns->ck, ns->h, sizeof(ns->ck));
	memcpy(ns->psk, psk, sizeof(ns->psk));
	noise_mix_hash(ns, prologue, len);
}

void
ssp_noise_fini(struct ssp_noise *ns)
{
	ssp_wipe(ns, sizeof(*ns));
}

/* Token e in a pattern with psk: mixed into hash and key. */
static void
noise_mix_ephemeral(struct ssp_noise *ns, const uint8_t *pub)
{
	noise_mix_hash(ns, pub, SSP_KEY_LEN);
	noise_mix_key(ns, pub, SSP_KEY_LEN);
}

static int
noise_mix_dh(struct ssp_noise *ns)
{
	uint8_t shared[SSP_KEY_LEN];
	int r;

	r = ssp_x25519(shared, ns->e, ns->re);
	if (r == 0)
		noise_mix_key(ns, shared, sizeof(shared));
	ssp_wipe(shared, sizeof(shared));
	return r;
}

void
ssp_noise_write1(struct ssp_noise *ns, const uint8_t secret[static SSP_KEY_LEN],
    uint8_t *p, size_t len)
{
	noise_mix_key_and_hash(ns, ns->psk, sizeof(ns->psk));
	memcpy(ns->e, secret, sizeof(ns->e));
	ssp_x25519_public(p, ns->e);
	noise_mix_ephemeral(ns, p);
	noise_seal(ns, p + SSP_KEY_LEN, len);
}

int
ssp_noise_read1(struct ssp_noise *ns, uint8_t *p, size_t len)
{
	if (len < SSP_NOISE_OVERHEAD)
		return -ERR_TRUNCATED;
	noise_mix_key_and_hash(ns, ns->psk, sizeof(ns->psk));
	memcpy(ns->re, p, sizeof(ns->re));
	noise_mix_ephemeral(ns, p);
	return noise_open(ns, p + SSP_KEY_LEN, len - SSP_KEY_LEN);
}

int
ssp_noise_write2(struct ssp_noise *ns, const uint8_t secret[static SSP_KEY_LEN],
    uint8_t *p, size_t len)
{
	int r;

	memcpy(ns->e, secret, sizeof(ns->e));
	ssp_x25519_public(p, ns->e);
	noise_mix_ephemeral(ns, p);
	if ((r = noise_mix_dh(ns)) != 0)
		return r;
	noise_seal(ns, p + SSP_KEY_LEN, len);
	return 0;
}

int
ssp_noise_read2(struct ssp_noise *ns, uint8_t *p, size_t len)
{
	int r;

	if (len < SSP_NOISE_OVERHEAD)
		return -ERR_TRUNCATED;
	memcpy(ns->re, p, sizeof(ns->re));
	noise_mix_ephemeral(ns, p);
	if ((r = noise_mix_dh(ns)) != 0)
		return r;
	return noise_open(ns, p + SSP_KEY_LEN, len - SSP_KEY_LEN);
}

void
ssp_noise_split(const struct ssp_noise *ns,
    uint8_t to_responder[static SSP_KEY_LEN],
    uint8_t to_initiator[static SSP_KEY_LEN], uint8_t chain[static SSP_KEY_LEN])
{
	uint8_t k1[SSP_HASH_LEN], k2[SSP_HASH_LEN];

	ssp_hkdf(ns->ck, NULL, 0, k1, k2, NULL);
	memcpy(to_responder, k1, SSP_KEY_LEN);
	memcpy(to_initiator, k2, SSP_KEY_LEN);
	ssp_derive(chain, ns->ck, sizeof(ns->ck), "rmux chain");
	ssp_wipe(k1, sizeof(k1));
	ssp_wipe(k2, sizeof(k2));
}
