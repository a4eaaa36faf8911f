#include "regress/unit/kem_stub.h"

#include <string.h>

#include "ssp/crypto.h"

/* Fills N bytes from SEED. */
static void
stub_fill(const uint8_t *seed, size_t len, uint8_t *out, size_t n)
{
	uint8_t block[SSP_HASH_LEN], count;
	size_t i;

	for (i = 0; i < n; i += sizeof(block)) {
		count = (uint8_t)(i / sizeof(block));
		ssp_hash(block, seed, len, &count, 1);
		memcpy(out + i, block, n - i < 64 ? n - i : 64);
	}
}

static void
stub_share(const uint8_t *key, const uint8_t *text, uint8_t *shared)
{
	uint8_t hash[SSP_HASH_LEN];

	ssp_hash(hash, key, SSP_KEM_KEY, text, SSP_KEM_TEXT);
	memcpy(shared, hash, SSP_KEM_SHARED);
}

static int
stub_make(const uint8_t seed[static SSP_KEM_SEED], uint8_t key[SSP_KEM_KEY])
{
	stub_fill(seed, SSP_KEM_SEED, key, SSP_KEM_KEY);
	return 0;
}

static int
stub_wrap(const uint8_t key[static SSP_KEM_KEY],
    const uint8_t random[static SSP_KEM_RANDOM], uint8_t text[SSP_KEM_TEXT],
    uint8_t shared[SSP_KEM_SHARED])
{
	static const uint8_t invalid[16];

	if (memcmp(key, invalid, sizeof(invalid)) == 0)
		return SSP_KEM_INVALID;
	stub_fill(random, SSP_KEM_RANDOM, text, SSP_KEM_TEXT);
	stub_share(key, text, shared);
	return 0;
}

static int
stub_open(const uint8_t seed[static SSP_KEM_SEED],
    const uint8_t text[static SSP_KEM_TEXT], uint8_t shared[SSP_KEM_SHARED])
{
	uint8_t key[SSP_KEM_KEY];

	(void)stub_make(seed, key);
	stub_share(key, text, shared);
	return 0;
}

const struct ssp_kem kem_stub = {
	.name = "stub",
	.make = stub_make,
	.wrap = stub_wrap,
	.open = stub_open,
};
