/*
 * ssp/trace.h - typed events for tests and for the user's link report.
 *
 * Purpose:   reports the actions of the protocol and their reasons as numbers,
 *            never as text.
 * Ownership: an event is valid only during the call of the sink.
 * Units:     milliseconds, bytes, state and packet numbers.
 * Tests:     regress/sim/check_sim.c
 */
#ifndef SSP_TRACE_H
#define SSP_TRACE_H

#include "base/types.h"

/* clang-format off */
enum ssp_trace_kind {
	/* kind                       a              b             c        */
	SSP_TRACE_SENT,            /* packet number, payload bytes, eliciting */
	SSP_TRACE_RECEIVED,        /* packet number, payload bytes, frames   */
	SSP_TRACE_DROPPED,         /* packet number, error code,    frame type */
	SSP_TRACE_STATE_SENT,      /* new number,    old number,    bytes    */
	SSP_TRACE_COPY_SENT,       /* new number,    which copy,    bytes    */
	SSP_TRACE_STATE_APPLIED,   /* new number,    old number,    bytes    */
	SSP_TRACE_STATE_ACKED,     /* number,        ms since sent, 0        */
	SSP_TRACE_STATE_MISMATCH,  /* new number,    old number,    0        */
	SSP_TRACE_BULK_STARTED,    /* instruction,   bytes,         new number */
	SSP_TRACE_BULK_DROPPED,    /* instruction,   blocks unsent, new number */
	SSP_TRACE_TOO_BIG,         /* next number,   acked number,  0; once  */
	SSP_TRACE_REPAIR,          /* instruction,   first block,   blocks   */
	SSP_TRACE_PACKET_ACKED,    /* packet number, bytes,         0        */
	SSP_TRACE_PACKET_LOST,     /* packet number, bytes,         0        */
	SSP_TRACE_RTT,             /* sample,        srtt,          rto      */
	SSP_TRACE_LOSS,            /* loss per 10,000, copies,      0        */
	SSP_TRACE_BUDGET,          /* budget bytes,  in flight,     0        */
	SSP_TRACE_TIMEOUT,         /* backoff,       rto,           0        */
	SSP_TRACE_CLOSE,           /* enum ssp_close_state, 0,      0        */
	/* The connection's. */
	SSP_TRACE_DGRAM_OUT,       /* bytes, packet number, path             */
	SSP_TRACE_DGRAM_IN,        /* bytes, packet number, path             */
	SSP_TRACE_DGRAM_BAD,       /* enum ssp_drop, bytes,         0        */
	SSP_TRACE_HANDSHAKE,       /* epoch, enum ssp_hs_step,      attempt  */
	SSP_TRACE_VERSION,         /* agreed (0: none), peer's lowest, highest */
	SSP_TRACE_KEYS,            /* epoch to send with, packets before, 0  */
	SSP_TRACE_PATH_NEW,        /* path, known paths,            0        */
	SSP_TRACE_PATH_VALID,      /* path, round trip,             0        */
	SSP_TRACE_PATH_ACTIVE,     /* path, previous path,     packet number */
	SSP_TRACE_PATH_DROPPED,    /* path, ms silent,    known paths left   */
	SSP_TRACE_PATH_BLOCKED,    /* path, bytes allowed until validated, 0 */
	SSP_TRACE_PATH_MTU,        /* path, UDP payload bytes,      before   */
	SSP_TRACE_PORT_HOP,        /* ms silent,     hops,          0        */
	SSP_TRACE_ABORT,           /* code,          1 by the peer, 0        */
	SSP_TRACE_COUNT
};
/* clang-format on */

struct ssp_trace_event {
	enum ssp_trace_kind kind;
	mono_ms now;
	uint64_t a;
	uint64_t b;
	uint64_t c;
};

typedef void (*ssp_trace_fn)(void *arg, const struct ssp_trace_event *ev);

/* A sink; fn may be NULL. */
struct ssp_trace {
	ssp_trace_fn fn;
	void *arg;
};

static inline void
ssp_trace(const struct ssp_trace *t, enum ssp_trace_kind kind, mono_ms now,
    uint64_t a, uint64_t b, uint64_t c)
{
	if (t->fn != NULL) {
		struct ssp_trace_event ev = { kind, now, a, b, c };

		t->fn(t->arg, &ev);
	}
}

#endif
