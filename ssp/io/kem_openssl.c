/*
 * ML-KEM-768 of OpenSSL 3.5 or newer. The library is loaded when the first
 * connection needs it: linking it would make each rmux start 3 ms later.
 */
#include "config.h"

#include <stdbool.h>
#include <stddef.h>

#include "ssp/kem.h"

#ifdef WITH_MLKEM_OPENSSL
# include <dlfcn.h>
# include <openssl/crypto.h>
# include <openssl/evp.h>
# include <openssl/params.h>
# include <stdio.h>
# include <string.h>

# define KEM_NAME "ML-KEM-768"
# define KEM_LIBRARY "libcrypto.so.3"

/* Names of parameters, which older headers lack. */
# define KEM_SEED "seed"
# define KEM_PUBLIC "pub"
# define KEM_IKME "ikme"

/* Functions of the library. */
# define KEM_FUNCTIONS(X)              \
  X(EVP_PKEY_CTX_new_from_name)        \
  X(EVP_PKEY_CTX_new_from_pkey)        \
  X(EVP_PKEY_CTX_free)                 \
  X(EVP_PKEY_fromdata_init)            \
  X(EVP_PKEY_fromdata)                 \
  X(EVP_PKEY_get_octet_string_param)   \
  X(EVP_PKEY_free)                     \
  X(EVP_PKEY_encapsulate_init)         \
  X(EVP_PKEY_encapsulate)              \
  X(EVP_PKEY_decapsulate_init)         \
  X(EVP_PKEY_decapsulate)              \
  X(OSSL_PARAM_construct_octet_string) \
  X(OSSL_PARAM_construct_end)          \
  X(OpenSSL_version)

static struct {
# define X(name) __typeof__(&(name)) name;
	KEM_FUNCTIONS(X)
# undef X
} lib;

static OSSL_PARAM
kem_bytes(const char *name, const uint8_t *p, size_t n)
{
	union {
		const uint8_t *in;
		void *out; /* OpenSSL only reads it */
	} u = { .in = p };

	return lib.OSSL_PARAM_construct_octet_string(name, u.out, n);
}

/* Makes a key from its SEED, or from the encapsulation key; NULL on failure. */
static EVP_PKEY *
kem_key(const char *what, const uint8_t *p, size_t n, int selection)
{
	OSSL_PARAM params[2] = { kem_bytes(what, p, n),
		lib.OSSL_PARAM_construct_end() };
	EVP_PKEY_CTX *ctx =
	    lib.EVP_PKEY_CTX_new_from_name(NULL, KEM_NAME, NULL);
	EVP_PKEY *key = NULL;

	if (ctx != NULL && lib.EVP_PKEY_fromdata_init(ctx) == 1)
		(void)lib.EVP_PKEY_fromdata(ctx, &key, selection, params);
	lib.EVP_PKEY_CTX_free(ctx);
	return key;
}

static int
kem_make(const uint8_t seed[static SSP_KEM_SEED], uint8_t out[SSP_KEM_KEY])
{
	EVP_PKEY *key = kem_key(KEM_SEED, seed, SSP_KEM_SEED, EVP_PKEY_KEYPAIR);
	size_t n = 0;
	int ok;

	ok = key != NULL && lib.EVP_PKEY_get_octet_string_param(
				key, KEM_PUBLIC, out, SSP_KEM_KEY, &n) == 1;
	lib.EVP_PKEY_free(key);
	return ok && n == SSP_KEM_KEY ? 0 : SSP_KEM_FAILED;
}

static int
kem_wrap(const uint8_t pub[static SSP_KEM_KEY],
    const uint8_t random[static SSP_KEM_RANDOM], uint8_t text[SSP_KEM_TEXT],
    uint8_t shared[SSP_KEM_SHARED])
{
	OSSL_PARAM params[2] = { kem_bytes(KEM_IKME, random, SSP_KEM_RANDOM),
		lib.OSSL_PARAM_construct_end() };
	size_t text_len = SSP_KEM_TEXT, shared_len = SSP_KEM_SHARED;
	EVP_PKEY_CTX *ctx;
	EVP_PKEY *key;
	int ok;

	/* FIPS 203, 7.2: the import checks the encapsulation key. */
	key = kem_key(KEM_PUBLIC, pub, SSP_KEM_KEY, EVP_PKEY_PUBLIC_KEY);
	if (key == NULL)
		return SSP_KEM_INVALID;
	ctx = lib.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	ok = ctx != NULL && lib.EVP_PKEY_encapsulate_init(ctx, params) == 1 &&
	     lib.EVP_PKEY_encapsulate(
		 ctx, text, &text_len, shared, &shared_len) == 1;
	lib.EVP_PKEY_CTX_free(ctx);
	lib.EVP_PKEY_free(key);
	return ok && text_len == SSP_KEM_TEXT && shared_len == SSP_KEM_SHARED
		   ? 0
		   : SSP_KEM_FAILED;
}

static int
kem_open(const uint8_t seed[static SSP_KEM_SEED],
    const uint8_t text[static SSP_KEM_TEXT], uint8_t shared[SSP_KEM_SHARED])
{
	EVP_PKEY *key = kem_key(KEM_SEED, seed, SSP_KEM_SEED, EVP_PKEY_KEYPAIR);
	EVP_PKEY_CTX *ctx = NULL;
	size_t n = SSP_KEM_SHARED;
	int ok;

	if (key != NULL)
		ctx = lib.EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
	ok = ctx != NULL && lib.EVP_PKEY_decapsulate_init(ctx, NULL) == 1 &&
	     lib.EVP_PKEY_decapsulate(ctx, shared, &n, text, SSP_KEM_TEXT) == 1;
	lib.EVP_PKEY_CTX_free(ctx);
	lib.EVP_PKEY_free(key);
	return ok && n == SSP_KEM_SHARED ? 0 : SSP_KEM_FAILED;
}

/* Loads the library; false if it is missing or has no ML-KEM. */
static bool
kem_load(void)
{
	void *so = dlopen(KEM_LIBRARY, RTLD_NOW | RTLD_LOCAL), *p;
	EVP_PKEY_CTX *ctx;

	if (so == NULL)
		return false;
# define X(name)                      \
  if ((p = dlsym(so, #name)) == NULL) \
   return false;                      \
  memcpy(&lib.name, &p, sizeof(lib.name));
	KEM_FUNCTIONS(X)
# undef X
	ctx = lib.EVP_PKEY_CTX_new_from_name(NULL, KEM_NAME, NULL);
	lib.EVP_PKEY_CTX_free(ctx);
	return ctx != NULL;
}

const struct ssp_kem *
ssp_kem_system(void)
{
	static char name[96];
	static const struct ssp_kem kem = {
		.name = name,
		.make = kem_make,
		.wrap = kem_wrap,
		.open = kem_open,
	};
	static bool tried, loaded;

	if (!tried) {
		tried = true;
		loaded = kem_load();
		if (loaded)
			snprintf(name, sizeof(name), KEM_NAME " (%.64s)",
			    lib.OpenSSL_version(OPENSSL_VERSION));
	}
	return loaded ? &kem : NULL;
}
#else
const struct ssp_kem *
ssp_kem_system(void)
{
	return NULL;
}
#endif
