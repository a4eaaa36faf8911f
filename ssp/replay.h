/*
 * ssp/replay.h - window of packet numbers seen, against replay.
 *
 * Purpose:   says whether a packet number may be new, and remembers it.
 * Ownership: struct ssp_replay is a plain value; zero-initialise or init.
 * Units:     packet numbers.
 * Errors:    -ERR_REPLAY for a number seen before or too old to know.
 * Source:    RFC 6479 (a ring of words, no shifting), as WireGuard uses it.
 *            Check before decryption is only a hint that saves work; accept
 *            comes after authentication: security: never the other way round.
 * Tests:     regress/unit/check_ssp_replay.c
 */
#ifndef SSP_REPLAY_H
#define SSP_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

#define SSP_REPLAY_BITS 2048 /* a power of two; one word of it is slack */
#define SSP_REPLAY_WINDOW (SSP_REPLAY_BITS - 64)

struct ssp_replay {
	uint64_t next; /* one above the highest number accepted; 0 = none */
	uint64_t ring[SSP_REPLAY_BITS / 64];
};

void ssp_replay_init(struct ssp_replay *w);

/* 0 if N has not been accepted and is not below the window. */
int ssp_replay_check(const struct ssp_replay *w, uint64_t n) WARN_UNUSED;

/* As check, and takes N as seen if it returns 0. */
int ssp_replay_accept(struct ssp_replay *w, uint64_t n) WARN_UNUSED;

#endif
