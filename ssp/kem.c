#include "config.h"

#include <stddef.h>

#include "ssp/kem.h"

#ifdef WITH_MLKEM_OPENSSL
# include <openssl/core_names.h>
# include <openssl/evp.h>
# include <openssl/opensslv.h>
# include <openssl/params.h>

# define KEM_NAME "ML-KEM-768"

static OSSL_PARAM
kem_bytes(const char *name, const uint8_t *p, size_t n)
{
	union {
		const uint8_t *in;
		void *out; /* OpenSSL only reads it */
	} u = { .in = p };

	return OSSL_PARAM_construct_octet_string(name, u.out, n);
}

/* Makes a key from its SEED, or from the encapsulation key; NULL on failure. */
static EVP_PKEY *
kem_key(const char *what, const uint8_t *p, size_t n, int selection)
{
	OSSL_PARAM params[2] = { kem_bytes(what, p, n),
		OSSL_PARAM_construct_end() };
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, KEM_NAME, NULL);
	EVP_PKEY *key = NULL;

	if (ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1)
		(void)EVP_PKEY_fromdata(ctx, &key, selection, params);
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static int
kem_make(const uint8_t seed[static SSP_KEM_SEED], uint8_t out[SSP_KEM_KEY])
{
	EVP_PKEY *key = kem_key(
	    OSSL_PKEY_PARAM_ML_KEM_SEED, seed, SSP_KEM_SEED, EVP_PKEY_KEYPAIR);
	size_t n = 0;
	int ok;

	ok = key != NULL &&
	     EVP_PKEY_get_octet_string_param(
		 key, OSSL_PKEY_PARAM_PUB_KEY, out, SSP_KEM_KEY, &n) == 1;
	EVP_PKEY_free(key);
	return ok && n == SSP_KEM_KEY ? 0 : SSP_KEM_FAILED;
}

static int
kem_wrap(const uint8_t pub[static SSP_KEM_KEY],
    const uint8_t random[static SSP_KEM_RANDOM], uint8_t text[SSP_KEM_TEXT],
    uint8_t shared[SSP_KEM_SHARED])
{
	OSSL_PARAM params[2] = { kem_bytes(OSSL_KEM_PARAM_IKME, random,
				     SSP_KEM_RANDOM),
		OSSL_PARAM_construct_end() };
	size_t text_len = SSP_KEM_TEXT, shared_len = SSP_KEM_SHARED;
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *key;
	int ok;

	/* FIPS 203, 7.2: the import checks the encapsulation key. */
	key = kem_key(
	    OSSL_PKEY_PARAM_PUB_KEY, pub, SSP_KEM_KEY, EVP_PKEY_PUBLIC_KEY);
	if (key == NULL)
		return SSP_KEM_INVALID;
	ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	ok = ctx != NULL && EVP_PKEY_encapsulate_init(ctx, params) == 1 &&
	     EVP_PKEY_encapsulate(ctx, text, &text_len, shared, &shared_len) ==
		 1;
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
	return ok && text_len == SSP_KEM_TEXT && shared_len == SSP_KEM_SHARED
		   ? 0
		   : SSP_KEM_FAILED;
}

static int
kem_open(const uint8_t seed[static SSP_KEM_SEED],
    const uint8_t text[static SSP_KEM_TEXT], uint8_t shared[SSP_KEM_SHARED])
{
	EVP_PKEY *key = kem_key(
	    OSSL_PKEY_PARAM_ML_KEM_SEED, seed, SSP_KEM_SEED, EVP_PKEY_KEYPAIR);
	EVP_PKEY_CTX *ctx = NULL;
	size_t n = SSP_KEM_SHARED;
	int ok;

	if (key != NULL)
		ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	ok = ctx != NULL && EVP_PKEY_decapsulate_init(ctx, NULL) == 1 &&
	     EVP_PKEY_decapsulate(ctx, shared, &n, text, SSP_KEM_TEXT) == 1;
	EVP_PKEY_CTX_free(ctx);
	EVP_PKEY_free(key);
	return ok && n == SSP_KEM_SHARED ? 0 : SSP_KEM_FAILED;
}

const struct ssp_kem *
ssp_kem_system(void)
{
	static const struct ssp_kem kem = {
		.name = KEM_NAME " (" OPENSSL_VERSION_TEXT ")",
		.make = kem_make,
		.wrap = kem_wrap,
		.open = kem_open,
	};

	return &kem;
}
#else
const struct ssp_kem *
ssp_kem_system(void)
{
	return NULL;
}
#endif
