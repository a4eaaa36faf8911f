/*
 * ssp/frame.h - the payload of a datagram as a list of typed frames.
 *
 * Purpose:   reads and writes frames: varint type, varint length, body.  A
 *            reader skips unknown types, so that new ones need no new protocol
 *            version.
 * Ownership: a struct ssp_frame points into the payload.
 * Units:     bytes; varints are those of base/wire.h.
 * Errors:    -ERR_PEER for a payload that does not parse.
 * Source:    RFC 9000 section 12.4 (QUIC) for the idea.
 * Tests:     regress/unit/check_ssp_frame.c
 */
#ifndef SSP_FRAME_H
#define SSP_FRAME_H

#include <stdbool.h>

#include "base/wire.h"

/*
 * Types below SSP_FRAME_CONN belong to the transport, those below
 * SSP_FRAME_STREAM to the connection (paths, probes, rekeying), the rest to the
 * reliable streams of the transport.  Each layer skips the types of the other.
 */
enum ssp_frame_type {
	SSP_FRAME_PAD = 0,     /* ends the list: the rest is padding */
	SSP_FRAME_ACK = 1,     /* state and packet numbers received */
	SSP_FRAME_STATE = 2,   /* a whole instruction */
	SSP_FRAME_FRAG = 3,    /* a part of an instruction */
	SSP_FRAME_MISSING = 4, /* parts of an instruction still missing */
	SSP_FRAME_PING = 5,    /* asks for an ack */
	SSP_FRAME_CC = 6,      /* data of congestion personalities */
	SSP_FRAME_CLOSE = 7,   /* orderly shutdown */
	SSP_FRAME_RESYNC = 8,  /* asks for a full state */
	SSP_FRAME_ECN = 9,     /* ECN marks received */
	SSP_FRAME_PARITY = 10, /* a parity symbol of an instruction */
	SSP_FRAME_SIDE = 11,   /* a part of a low-priority message */
	SSP_FRAME_PACE = 12,   /* how the sender's user wants bulk to go */
	SSP_FRAME_CONN = 0x20,
	SSP_FRAME_HELLO = 0x20,     /* versions and capabilities */
	SSP_FRAME_CHALLENGE = 0x21, /* 8 bytes to return on the same path */
	SSP_FRAME_RESPONSE = 0x22,  /* the 8 bytes of a challenge */
	SSP_FRAME_ABORT = 0x23,     /* ends the connection at once */
	SSP_FRAME_REKEY = 0x24,     /* the server requests new keys */
	SSP_FRAME_KEM = 0x25,       /* a piece of the second key exchange */
	SSP_FRAME_ROLE = 0x26,      /* what the client uses this path for */
	SSP_FRAME_STREAM = 0x40,    /* bytes of a reliable stream */
	SSP_FRAME_CREDIT = 0x41,    /* how far a stream may go */
	SSP_FRAME_OPEN = 0x42,      /* a new stream, and what it is for */
	SSP_FRAME_END = 0x43,       /* where a stream ends */
	SSP_FRAME_RESET = 0x44,     /* a stream is given up */
};

struct ssp_frame {
	uint64_t type;
	const uint8_t *body;
	size_t len;
};

/*
 * Reads the next frame from R into F.
 * Returns: 1, 0 at the end of the list (or at padding), or -ERR_PEER.
 */
int ssp_frame_next(struct rd *r, struct ssp_frame *f);

/* Writes one frame; sets W's sticky error if it does not fit. */
void ssp_frame_put(struct wr *w, uint64_t type, const void *body, size_t len);

/* Returns the size of a frame of TYPE with a body of LEN bytes. */
size_t ssp_frame_size(uint64_t type, size_t len);

#endif
