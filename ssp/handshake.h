/*
 * ssp/handshake.h - the two handshake datagrams, and what follows from them.
 *
 * Purpose:   builds and reads INIT and RESP.  Each handshake makes the keys of
 *            one epoch; its chain key is the pre-shared key of the next, so a
 *            key that is gone opens nothing recorded before.
 * Ownership: struct ssp_hs is embedded by its user; the secrets live in a
 *            keyring slot that the user owns.
 * Units:     bytes; epochs count from 0.
 * Errors:    -ERR_AUTH, -ERR_STATE (not expected now), -ERR_TRUNCATED.
 *            An input that fails changes nothing.
 * Source:    Noise NNpsk0 inside; the keyed hash in front of it is WireGuard's
 *            mac1: one cheap check before any other work.
 * Tests:     regress/unit/check_ssp_noise.c
 */
#ifndef SSP_HANDSHAKE_H
#define SSP_HANDSHAKE_H

#include <stdbool.h>

#include "ssp/datagram.h"
#include "ssp/noise.h"

enum {
	SSP_EPOCH_SLOTS = 4, /* key phases on the wire */
	/* Largest payload, so that a handshake fits SSP_DGRAM_FLOOR. */
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
	struct ssp_noise noise;   /* of the handshake under way */
	struct ssp_noise work;    /* copy that an input is tried on */
	uint8_t psk[SSP_KEY_LEN]; /* of the handshake under way or next */
	uint8_t mac[SSP_KEY_LEN]; /* keys the hash around that handshake */
	uint8_t e[SSP_KEY_LEN];   /* random bytes on their way into noise */
	struct {
		uint8_t send[SSP_KEY_LEN];
		uint8_t recv[SSP_KEY_LEN];
	} epoch[SSP_EPOCH_SLOTS]; /* by epoch modulo 4 */
};

struct ssp_hs {
	struct ssp_secrets *sec;
	uint64_t cid;
	uint64_t epoch; /* made by the handshake under way or next */
	bool initiator;
	bool running; /* INIT sent, or INIT read and RESP not yet built */
	uint8_t lo;   /* protocol versions we speak */
	uint8_t hi;
	uint8_t peer_lo; /* as the last INIT or RESP said */
	uint8_t peer_hi;
	bool have_seen;
	uint8_t seen[SSP_HS_SEEN]; /* key and hash of the INIT answered last */
	size_t len;                /* of MSG; 0: none */
	uint8_t msg[SSP_DGRAM_FLOOR]; /* our last INIT or RESP, to repeat */
};

void ssp_hs_init(struct ssp_hs *hs, bool initiator, uint64_t cid, uint8_t lo,
    uint8_t hi, struct ssp_secrets *sec, const uint8_t psk[static SSP_KEY_LEN]);

/* Where to put the plaintext of INIT or RESP, SSP_HS_PLAIN_MAX bytes. */
uint8_t *ssp_hs_plain(struct ssp_hs *hs);

/*
 * Builds INIT (initiator, none running) or RESP (responder, after read_init)
 * from LEN bytes of plaintext and 32 random bytes in sec->e; it is then in
 * hs->msg.  RESP also makes the keys of the epoch, and ends the handshake.
 */
int ssp_hs_write(struct ssp_hs *hs, size_t len) WARN_UNUSED;

/*
 * Reads a datagram parsed as D (INIT as responder, RESP as initiator).
 * Out:     *plain, *plain_len  the payload, in place
 * Returns: 0; 1 if it is the INIT that was answered last (send the answer
 *          again); or an error.  After RESP the keys of the epoch are made.
 */
int ssp_hs_read(struct ssp_hs *hs, const struct ssp_dgram *d, uint8_t *p,
    size_t len, uint8_t **plain, size_t *plain_len) WARN_UNUSED;

#endif
