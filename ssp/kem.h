/*
 * ssp/kem.h - ML-KEM-768, from a library of the system.
 *
 * Purpose:   a key encapsulation that quantum computers do not break, beside
 *            X25519; a table of functions, so that tests can use another one.
 * Ownership: plain bytes.  The caller keeps the seed and the shared secret in a
 *            keyring.  The library allocates memory for the time of a call and
 *            wipes it.
 * Units:     bytes.
 * Errors:    enum ssp_kem_error (OpenSSL has other uses for names of
 *            base/err.h).
 * Source:    FIPS 203.
 * Tests:     regress/unit/check_ssp_kem.c
 */
#ifndef SSP_KEM_H
#define SSP_KEM_H

#include <stdint.h>

#include "base/compiler.h"

#define SSP_KEM_SEED 64   /* d and z */
#define SSP_KEM_KEY 1184  /* encapsulation key */
#define SSP_KEM_TEXT 1088 /* ciphertext */
#define SSP_KEM_RANDOM 32 /* randomness of an encapsulation */
#define SSP_KEM_SHARED 32 /* shared secret */

enum ssp_kem_error {
	SSP_KEM_INVALID = -1, /* not an encapsulation key */
	SSP_KEM_FAILED = -2,  /* the library did */
};

struct ssp_kem {
	const char *name; /* "ML-KEM-768 (OpenSSL 3.5.9)" */

	/* All return 0 or an error.  Computes the encapsulation key of the pair that SEED determines. */
	int (*make)(
	    const uint8_t seed[static SSP_KEM_SEED], uint8_t key[SSP_KEM_KEY]);

	/* Makes a shared secret and its ciphertext for KEY. */
	int (*wrap)(const uint8_t key[static SSP_KEM_KEY],
	    const uint8_t random[static SSP_KEM_RANDOM],
	    uint8_t text[SSP_KEM_TEXT], uint8_t shared[SSP_KEM_SHARED]);

	/*
	 * Finds the shared secret of TEXT; a changed TEXT gives another one
	 * (implicit rejection).
	 */
	int (*open)(const uint8_t seed[static SSP_KEM_SEED],
	    const uint8_t text[static SSP_KEM_TEXT],
	    uint8_t shared[SSP_KEM_SHARED]);
};

/* Returns that of the library that configure found; NULL: none. */
const struct ssp_kem *ssp_kem_system(void);

#endif
