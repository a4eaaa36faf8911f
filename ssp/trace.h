/*
 * ssp/trace.h - typed events for tests and for the user's link report.
 *
 * Purpose:   says what the protocol did and why, as numbers, never as text.
 * Ownership: an event is only valid during the call of the sink.
 * Units:     milliseconds, bytes, state and packet numbers.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_ssp_transport.c
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
	SSP_TRACE_REPAIR,          /* instruction,   first block,   blocks   */
	SSP_TRACE_PACKET_ACKED,    /* packet number, bytes,         0        */
	SSP_TRACE_PACKET_LOST,     /* packet number, bytes,         0        */
	SSP_TRACE_RTT,             /* sample,        srtt,          rto      */
	SSP_TRACE_LOSS,            /* loss per 10,000, copies,      0        */
	SSP_TRACE_BUDGET,          /* budget bytes,  in flight,     0        */
	SSP_TRACE_TIMEOUT,         /* backoff,       rto,           0        */
	SSP_TRACE_CLOSE,           /* enum ssp_close_state, 0,      0        */
	SSP_TRACE_PATH,            /* connection: path, what, value          */
	SSP_TRACE_KEYS,            /* connection: epoch, what, value         */
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
