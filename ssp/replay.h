/*
 * ssp/replay.h - window of packet numbers received, against replay.
 *
 * Purpose:   decides whether a packet number can be new, and records it.
 * Ownership: struct ssp_replay is a plain value; zero-initialise or init.
 * Units:     packet numbers.
 * Errors:    -ERR_REPLAY for a known number, or one too old to know.
 * Source:    RFC 6479 (a ring of words, no shifting), as in WireGuard.
 * Tests:     regress/unit/check_ssp_replay.c
 *
 * security: ssp_replay_check before decryption only saves work;
 * ssp_replay_accept must follow authentication, never precede it.
 */
#ifndef SSP_REPLAY_H
#define SSP_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

#define SSP_REPLAY_BITS 2048 /* a power of two; one word is slack */
#define SSP_REPLAY_WINDOW (SSP_REPLAY_BITS - 64)

struct ssp_replay {
	uint64_t next; /* highest accepted number + 1; 0: none */
	uint64_t ring[SSP_REPLAY_BITS / 64];
};

void ssp_replay_init(struct ssp_replay *w);

/* Returns 0 if N is neither accepted yet nor below the window. */
int ssp_replay_check(const struct ssp_replay *w, uint64_t n) WARN_UNUSED;

/* As check; records N if it returns 0. */
int ssp_replay_accept(struct ssp_replay *w, uint64_t n) WARN_UNUSED;

#endif
