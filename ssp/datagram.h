/*
 * ssp/datagram.h - the outside of a datagram: header, sealing, padding.
 *
 * Purpose:   writes and reads the header in front of every datagram, turns
 *            packet numbers into nonces and back, and hides lengths.
 * Ownership: works in the caller's buffer, in place.
 * Units:     bytes; packet numbers are 63 bits, 32 or 16 of them on the wire.
 * Errors:    -ERR_VERSION (not our wire version), -ERR_TRUNCATED,
 *            -ERR_AUTH.  security: parse looks only at the header and costs
 *            nothing; no other field is used before the tag was checked.
 * Source:    doc/PROTOCOL.md; number truncation as in RFC 9000 appendix A.
 * Tests:     regress/unit/check_ssp_datagram.c
 */
#ifndef SSP_DATAGRAM_H
#define SSP_DATAGRAM_H

#include "base/types.h"
#include "ssp/crypto.h"

#define SSP_WIRE_VERSION 1 /* of what this header describes */

enum ssp_dgram_type {
	SSP_DGRAM_INIT = 0,  /* handshake, client */
	SSP_DGRAM_RESP = 1,  /* handshake, server */
	SSP_DGRAM_DATA = 2,  /* a payload for the transport */
	SSP_DGRAM_PROBE = 3, /* the connection's own frames only */
};

/* The first four bits of a datagram. */
enum ssp_dgram_form {
	SSP_DGRAM_LONG = SSP_WIRE_VERSION, /* all types */
	SSP_DGRAM_SHORT = 2, /* DATA: connection id, 16 bits of the number */
	SSP_DGRAM_BARE = 3,  /* DATA to a client: the 16 bits only */
};

enum {
	SSP_DGRAM_HEAD = 13, /* long: type, connection id, four bytes more */
	SSP_DGRAM_HEAD_SHORT = 11,
	SSP_DGRAM_HEAD_BARE = 3,
	SSP_DGRAM_STAMPS = 4, /* timestamp and reply, inside the seal */
	SSP_DGRAM_OVERHEAD = SSP_DGRAM_HEAD + SSP_DGRAM_STAMPS + SSP_TAG_LEN,
	/* header, public key, stamps, tag of Noise, keyed hash */
	SSP_DGRAM_HANDSHAKE_OVERHEAD = SSP_DGRAM_HEAD + SSP_KEY_LEN +
				       SSP_DGRAM_STAMPS + SSP_TAG_LEN +
				       SSP_MAC_LEN,
	SSP_DGRAM_FLOOR = 512, /* every path is expected to carry this much */
	SSP_DGRAM_BASE = 1200, /* UDP payload that paths start with */
	SSP_DGRAM_STREAM_MAX = 16384, /* sealed, over a stream */
};

struct ssp_dgram {
	enum ssp_dgram_type type;
	enum ssp_dgram_form form; /* as parsed */
	unsigned head;            /* bytes of header, as parsed */
	unsigned bits;            /* in low, as parsed */
	unsigned phase;           /* epoch of its key, modulo 4 */
	uint64_t cid;             /* connection id; 0 in the bare form */
	uint32_t low; /* DATA, PROBE: low bits of the packet number */
	uint8_t lo;   /* INIT, RESP: protocol versions of the sender */
	uint8_t hi;
	uint16_t noise_len; /* INIT, RESP: bytes of the Noise message */
};

/* Reads the header of LEN bytes at P. */
int ssp_dgram_parse(
    const uint8_t *p, size_t len, struct ssp_dgram *d) WARN_UNUSED;

/* Writes the header D in the long form to P (SSP_DGRAM_HEAD bytes). */
void ssp_dgram_head(uint8_t *p, const struct ssp_dgram *d);

/* The number nearest to NEXT (the one expected) whose low BITS are LOW. */
uint64_t ssp_dgram_number(uint64_t next, uint32_t low, unsigned bits);

/*
 * Seals a DATA or PROBE datagram with packet number N.
 * In:      LEN bytes of plaintext at p + SSP_DGRAM_HEAD
 * Returns: the datagram's length, LEN + 29.
 */
size_t ssp_dgram_seal(uint8_t *p, enum ssp_dgram_type type, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t len);

/*
 * Seals DATA in any form.  The plaintext is at p + SSP_DGRAM_HEAD and moves
 * down to where the header ends.
 * Returns: the datagram's length.
 */
size_t ssp_dgram_seal_data(uint8_t *p, enum ssp_dgram_form form, unsigned phase,
    uint64_t cid, uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t len);

/*
 * Opens a DATA or PROBE datagram of LEN bytes, parsed as D, whose number the
 * caller has completed to N.  The plaintext is at p + d->head.
 * Out:     *plain_len  at least SSP_DGRAM_STAMPS
 */
int ssp_dgram_open(uint8_t *p, size_t len, const struct ssp_dgram *d,
    uint64_t n, const uint8_t key[static SSP_KEY_LEN],
    size_t *plain_len) WARN_UNUSED;

/*
 * LEN rounded up to a length that datagrams have, at most MAX: STEP, or an odd
 * multiple of half of it above (16: 16, 24, 40, 56...); 0 or 1: as it is.
 */
size_t ssp_dgram_padded(size_t len, size_t step, size_t max);

#endif
