/*
 * regress/hostile/evil_end.h - an end of a connection that has the key and
 * does harm with it.
 *
 * Purpose:   a connection over a real socket; its payload is that of a
 *            transport, or random frames; its object is an honest one, or any
 *            bytes.
 * Ownership: the caller owns struct evil_end, which must not move.
 * Units:     milliseconds, bytes.
 * Tests:     regress/hostile/guest.sh, regress/hostile/host.sh
 */
#ifndef REGRESS_HOSTILE_EVIL_END_H
#define REGRESS_HOSTILE_EVIL_END_H

#include "regress/ssp/udp_end.h"
#include "ssp/bind.h"
#include "ssp/transport.h"

/* An object whose diff and serialisation are BYTES, whatever it was. */
struct evil_bytes {
	uint64_t version;
	struct buf bytes;
};

extern const struct ssp_object_ops evil_bytes_ops;

struct evil_bytes *evil_bytes_new(void);

struct evil_end {
	struct udp_end at;
	struct ssp_bind bind; /* tp is NULL: sends random frames */
	struct ssp_addr peer; /* of a client */
	bool deaf;            /* never reads */
	unsigned burst;       /* datagrams of random frames to send */
	uint64_t chance;
};

/*
 * Makes the end of a client that sends to PEER, or of a server (PEER is NULL).
 * U is its socket, taken over; TC has the objects, or is NULL for random
 * frames.  Returns 0 or -ERR_*.
 */
int evil_end_open(struct evil_end *e, struct udp *u,
    struct ssp_keyring *keyring, uint64_t cid, const uint8_t *psk,
    const struct udp_addr *peer, struct ssp_transport_cfg *tc);

void evil_end_close(struct evil_end *e);

/* Sends and receives what is due at N ends; waits at most MS. */
void evil_turn(struct evil_end *e, unsigned n, int ms);

/* Sets *OUT to nonsense with the shape of msgpack. */
void evil_nonsense(uint64_t *chance, struct buf *out);

#endif
