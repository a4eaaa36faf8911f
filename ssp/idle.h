/*
 * ssp/idle.h - how long an idle link may stay silent.
 *
 * Purpose:   a NAT on the path forgets a client that is silent for too long,
 *            and then nothing reaches it.  The server's end leads: it ends each
 *            silence with a ping that also says how long the next one will be.
 *            Each ping that the client answers proves that the NAT still knew
 *            it after that silence, so the next silence is longer.
 * Ownership: embedded in struct ssp_transport; nothing to free.
 * Units:     milliseconds.
 * Source:    our own.
 * Tests:     regress/unit/check_ssp_idle.c, regress/sim/check_nat.c
 */
#ifndef SSP_IDLE_H
#define SSP_IDLE_H

#include <stdbool.h>

#include "base/types.h"

#define SSP_IDLE_FIRST 7000  /* the silence that every NAT survives */
#define SSP_IDLE_MAX 110000  /* less than the usual two minutes of a NAT */
#define SSP_IDLE_NEAR 60000  /* the second one, if no network lies between */
#define SSP_IDLE_YIELD 2000  /* longer silence before the other end pings */
#define SSP_IDLE_OUTAGE 5000 /* without an answer: not the NAT, an outage */
#define SSP_IDLE_TRUST 60    /* pings after which a failure is tried again */

struct ssp_idle {
	mono_ms gap;      /* the silence after which to ping */
	mono_ms good;     /* the longest silence that was survived; 0: none */
	mono_ms bad;      /* the shortest one that was not; 0: none */
	bool near;        /* both ends are on one machine */
	mono_ms most;     /* never longer */
	bool asking;      /* a ping after GAP has no answer */
	mono_ms asked_at; /* the first of those */
	unsigned kept;    /* pings answered since the failure */
};

void ssp_idle_init(struct ssp_idle *i);

/* The path leads elsewhere: nothing is known. */
void ssp_idle_reset(struct ssp_idle *i);

/*
 * Somebody types or looks on: the next silence is short, so that its end shows a
 * dead link; what was learnt stays.
 */
void ssp_idle_busy(struct ssp_idle *i);

/* Somebody watches the silence: none longer than MS, if that is allowed. */
void ssp_idle_limit(struct ssp_idle *i, mono_ms ms);

/* A ping goes after SILENT ms of silence. */
void ssp_idle_asked(struct ssp_idle *i, mono_ms now, mono_ms silent);

/* Returns the silence that a ping announces: the one if it is answered. */
mono_ms ssp_idle_next(const struct ssp_idle *i);

/* The peer confirmed a ping. */
void ssp_idle_answered(struct ssp_idle *i, mono_ms now);

/*
 * The peer came by itself after SILENT ms.
 * In:      moved  from another port: the NAT had forgotten it
 */
void ssp_idle_came(struct ssp_idle *i, mono_ms now, mono_ms silent, bool moved);

/* The other end pinged after SILENT ms: it does not know of longer ones. */
void ssp_idle_pinged(struct ssp_idle *i, mono_ms silent);

/* The end that follows: the leader announced MS. */
void ssp_idle_told(struct ssp_idle *i, mono_ms ms);

#endif
