/*
 * ssp/datagram.h - the outer layer of a datagram: header, sealing, padding.
 *
 * Purpose:   writes and parses the header of every datagram, derives nonces
 *            from packet numbers, expands truncated numbers, and pads lengths.
 * Ownership: works in place in the caller's buffer.
 * Units:     bytes; packet numbers are 63 bits, 32 or 16 of them on the wire.
 * Errors:    -ERR_VERSION (another wire version), -ERR_TRUNCATED, -ERR_AUTH.
 * Source:    doc/PROTOCOL.md; number truncation as in RFC 9000 appendix A.
 * Tests:     regress/unit/check_ssp_datagram.c
 *
 * security: ssp_dgram_parse reads only the header and costs little; no other
 * field is used before the tag is verified.
 */
#ifndef SSP_DATAGRAM_H
#define SSP_DATAGRAM_H

#include "base/types.h"
#include "ssp/crypto.h"

#define SSP_WIRE_VERSION 1 /* of the format below */

enum ssp_dgram_type {
	SSP_DGRAM_INIT = 0,  /* handshake message of the client */
	SSP_DGRAM_RESP = 1,  /* handshake message of the server */
	SSP_DGRAM_DATA = 2,  /* a payload for the transport */
	SSP_DGRAM_PROBE = 3, /* only frames of the connection */
};

/* The first four bits of a datagram. */
enum ssp_dgram_form {
	SSP_DGRAM_LONG = SSP_WIRE_VERSION, /* all types */
	SSP_DGRAM_SHORT = 2, /* DATA: connection id, 16 bits of the number */
	SSP_DGRAM_BARE = 3,  /* DATA to a client: the 16 bits only */
};

enum {
	SSP_DGRAM_HEAD = 13, /* long: type, connection id, 4 bytes */
	SSP_DGRAM_HEAD_SHORT = 11,
	SSP_DGRAM_HEAD_BARE = 3,
	SSP_DGRAM_STAMPS = 4, /* timestamp and reply, inside the seal */
	SSP_DGRAM_OVERHEAD = SSP_DGRAM_HEAD + SSP_DGRAM_STAMPS + SSP_TAG_LEN,
	/* header, public key, stamps, tag of Noise, keyed hash */
	SSP_DGRAM_HANDSHAKE_OVERHEAD = SSP_DGRAM_HEAD + SSP_KEY_LEN +
				       SSP_DGRAM_STAMPS + SSP_TAG_LEN +
				       SSP_MAC_LEN,
	SSP_DGRAM_FLOOR = 512,        /* every path must carry this much */
	SSP_DGRAM_BASE = 1200,        /* UDP payload that a path starts with */
	SSP_DGRAM_ETHERNET = 1472,    /* the most that Ethernet carries */
	SSP_DGRAM_JUMBO = 16356,      /* the most ever tried: one machine */
	SSP_DGRAM_STREAM_MAX = 16384, /* sealed, over a stream */
};

struct ssp_dgram {
	enum ssp_dgram_type type;
	enum ssp_dgram_form form; /* as parsed */
	unsigned head;            /* header length, as parsed */
	unsigned bits;            /* valid bits of `low`, as parsed */
	unsigned phase;           /* key epoch modulo 4 */
	uint64_t cid;             /* connection id; 0 in the bare form */
	uint32_t low; /* DATA, PROBE: low bits of the packet number */
	uint8_t lo;   /* INIT, RESP: protocol versions of the sender */
	uint8_t hi;
	uint16_t noise_len; /* INIT, RESP: bytes of the Noise message */
};

/* Parses the header of the LEN bytes at P. */
int ssp_dgram_parse(
    const uint8_t *p, size_t len, struct ssp_dgram *d) WARN_UNUSED;

/* Writes D in the long form to P (SSP_DGRAM_HEAD bytes). */
void ssp_dgram_head(uint8_t *p, const struct ssp_dgram *d);

/*
 * Returns the number nearest to NEXT (the expected one) whose low BITS bits are
 * LOW.
 */
uint64_t ssp_dgram_number(uint64_t next, uint32_t low, unsigned bits);

/*
 * Seals a DATA or PROBE datagram with packet number N.
 * In:      LEN bytes of plaintext at p + SSP_DGRAM_HEAD
 * Returns: the length of the datagram, LEN + 29.
 */
size_t ssp_dgram_seal(uint8_t *p, enum ssp_dgram_type type, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t len);

/*
 * Seals DATA in any form.  The plaintext is at p + SSP_DGRAM_HEAD; it moves
 * down to the end of a shorter header.
 * Returns: the length of the datagram.
 */
size_t ssp_dgram_seal_data(uint8_t *p, enum ssp_dgram_form form, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t len);

/*
 * Opens a DATA or PROBE datagram of LEN bytes, parsed as D, with the expanded
 * packet number N.  The plaintext is at p + d->head.
 * Out:     *plain_len  at least SSP_DGRAM_STAMPS
 */
int ssp_dgram_open(uint8_t *p, size_t len, const struct ssp_dgram *d,
    uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t *plain_len) WARN_UNUSED;

/*
 * Returns LEN rounded up to a padded length, at most MAX: STEP, or above it an
 * odd multiple of STEP / 2 (16: 16, 24, 40, 56...).  STEP 0 or 1: no padding.
 */
size_t ssp_dgram_padded(size_t len, size_t step, size_t max);

#endif
