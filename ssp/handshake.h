/*
 * ssp/handshake.h - the two handshake datagrams and their keys.
 *
 * Purpose:   builds and reads INIT and RESP.  Each handshake makes the keys of
 *            one epoch and, from its chain key, the pre-shared key of the next
 *            handshake: a later compromise does not decrypt recorded traffic.
 * Ownership: the connection embeds struct ssp_hs and owns the keyring slot with
 *            its secrets.
 * Units:     bytes; epochs count from 0.
 * Errors:    -ERR_AUTH, -ERR_STATE (unexpected), -ERR_TRUNCATED.  Input that
 *            fails changes nothing.
 * Source:    Noise NNpsk0; the keyed hash around it is WireGuard's mac1, one
 *            cheap check before any other work.
 * Tests:     regress/unit/check_ssp_noise.c
 */
#ifndef SSP_HANDSHAKE_H
#define SSP_HANDSHAKE_H

#include <stdbool.h>

#include "ssp/datagram.h"
#include "ssp/kem.h"
#include "ssp/noise.h"
#include "ssp/words.h"

enum {
	SSP_EPOCH_SLOTS = 4, /* values of the key phase */
	/* The largest payload with which a handshake fits SSP_DGRAM_FLOOR. */
	SSP_HS_PLAIN_MAX =
	    SSP_DGRAM_FLOOR - SSP_DGRAM_HANDSHAKE_OVERHEAD + SSP_DGRAM_STAMPS,
	SSP_HS_SEEN = SSP_KEY_LEN + SSP_MAC_LEN,
};

/* For the trace event SSP_TRACE_HANDSHAKE. */
enum ssp_hs_step {
	SSP_HS_INIT_SENT = 1,
	SSP_HS_INIT_READ,
	SSP_HS_INIT_REPEATED,
	SSP_HS_RESP_SENT,
	SSP_HS_RESP_READ,
	SSP_HS_CONFIRMED,
};

/* All secrets of one connection. */
struct ssp_secrets {
	struct ssp_noise noise;   /* of the running handshake */
	struct ssp_noise work;    /* copy for reading unverified input */
	uint8_t psk[SSP_KEY_LEN]; /* of the running or next handshake */
	uint8_t mac[SSP_KEY_LEN]; /* key of the hash around that handshake */
	uint8_t e[SSP_KEY_LEN];   /* random bytes for the ephemeral key */
	uint8_t kem_seed[SSP_KEM_SEED]; /* of the key pair; server: random */
	uint8_t kem_shared[SSP_KEM_SHARED];
	struct {
		uint8_t send[SSP_KEY_LEN];
		uint8_t recv[SSP_KEY_LEN];
	} epoch[SSP_EPOCH_SLOTS]; /* index: epoch modulo 4 */
};

struct ssp_hs {
	struct ssp_secrets *sec;
	uint64_t cid;
	uint64_t epoch; /* epoch of the running or next handshake */
	bool initiator;
	bool running; /* between INIT and RESP */
	uint8_t lo;   /* our protocol versions */
	uint8_t hi;
	uint8_t peer_lo; /* from the last INIT or RESP */
	uint8_t peer_hi;
	bool have_seen;
	uint8_t seen[SSP_HS_SEEN];    /* key, hash of the answered INIT */
	uint8_t words[SSP_WORDS_LEN]; /* of epoch 0; 0: none yet */
	size_t len;                   /* of MSG; 0: unset */
	uint8_t msg[SSP_DGRAM_FLOOR]; /* our last INIT or RESP */
};

void ssp_hs_init(struct ssp_hs *hs, bool initiator, uint64_t cid, uint8_t lo,
    uint8_t hi, struct ssp_secrets *sec, const uint8_t psk[static SSP_KEY_LEN]);

/*
 * Returns the place for the plaintext of INIT or RESP, SSP_HS_PLAIN_MAX bytes.
 */
uint8_t *ssp_hs_plain(struct ssp_hs *hs);

/*
 * Builds INIT (initiator, none running) or RESP (responder, after reading INIT)
 * in hs->msg from LEN bytes of plaintext and 32 random bytes in sec->e.  RESP
 * also makes the keys of the epoch and ends the handshake.
 */
int ssp_hs_write(struct ssp_hs *hs, size_t len) WARN_UNUSED;

/*
 * Replaces the psk of the next handshake by one that also needs SHARED, the
 * secret of another key exchange.  SAID, at most 128 bytes, is what both ends
 * have agreed on with it.  No handshake may be running.
 */
void ssp_hs_mix(struct ssp_hs *hs, const uint8_t shared[static SSP_KEM_SHARED],
    const uint8_t *said, size_t len);

/* Tells whether P, parsed as D, is the INIT that was answered last. */
bool ssp_hs_repeated(
    const struct ssp_hs *hs, const struct ssp_dgram *d, const uint8_t *p);

/*
 * Returns whether the INIT at P, parsed as D, was made with PSK: the cheap check
 * alone, for a server that has no connection yet.
 */
bool ssp_hs_opens(const uint8_t psk[static SSP_KEY_LEN],
    const struct ssp_dgram *d, const uint8_t *p, size_t len);

/*
 * Reads a datagram parsed as D (INIT as responder, RESP as initiator).  RESP
 * makes the keys of the epoch.
 * Out:     *plain, *plain_len  the payload, in place
 * Returns: 0; 1 for the INIT answered last (send the answer again); or an
 *          error.
 */
int ssp_hs_read(struct ssp_hs *hs, const struct ssp_dgram *d, uint8_t *p,
    size_t len, uint8_t **plain, size_t *plain_len) WARN_UNUSED;

#endif
