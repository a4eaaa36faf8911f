/*
 * ssp/transport.h - synchronises one object each way over lossy payloads.
 *
 * Purpose:   the two state machines of SSP (sender of the local object,
 *            receiver of the remote one) behind one facade.  It deals in
 *            payloads; ssp/conn seals them into datagrams.
 * Ownership: the transport owns both objects and every state of them; what
 *            the getters return is borrowed until the next call.
 * Units:     milliseconds; payload bytes; 64-bit state and packet numbers.
 *            State 0 is the initial value, the same at both ends.
 * Errors:    -ERR_PEER for payloads that do not parse (what came before the
 *            bad frame was used; the rest is dropped and counted).
 * Source:    the SSP of mosh (USENIX ATC 2012) with explicit acks, named
 *            fragments and deliberate redundancy; see doc/PROTOCOL.md.
 * Tests:     regress/sim/check_sim.c, check_link.c
 *
 * A driver does, for ever: feed every opened datagram to ssp_transport_recv in
 * order of arrival, change the local object when it has news, then call
 * ssp_transport_send until it returns 0, then sleep until
 * ssp_transport_deadline.  Calling any of them too often is harmless.
 */
#ifndef SSP_TRANSPORT_H
#define SSP_TRANSPORT_H

#include <stdbool.h>

#include "base/types.h"
#include "ssp/object.h"
#include "ssp/trace.h"

/* For flow_tx and flow_rx: that of a screen which repaints itself. */
#define SSP_FLOW_SCREEN 1000

struct ssp_transport;
struct ssp_zip;        /* ssp/compress.h: the process's compression contexts */
struct ssp_cc_ops;     /* ssp/cc.h: a congestion personality */
struct ssp_sprout_tab; /* ssp/sprout.h: Sprout's tables, one a process */

enum ssp_link_kind {
	SSP_LINK_DATAGRAM, /* lossy, slow: everything below applies */
	SSP_LINK_LOCAL, /* reliable, fast (Unix socket): no pacing, no copies */
	SSP_LINK_STREAM, /* reliable, perhaps slow (ssh stdio): no copies */
};

enum ssp_close_state {
	SSP_CLOSE_OPEN,
	SSP_CLOSE_ASKED,   /* we closed; the peer has not confirmed yet */
	SSP_CLOSE_PEER,    /* the peer closed and will get our confirmation */
	SSP_CLOSE_DONE,    /* both know; nothing more will be sent or needed */
	SSP_CLOSE_GAVE_UP, /* we closed and heard nothing for too long */
};

struct ssp_transport_cfg {
	const struct ssp_object_ops *local_ops;
	void *local; /* initial value; taken over */
	const struct ssp_object_ops *remote_ops;
	void *remote; /* initial value of the peer's object; taken over */

	enum ssp_link_kind link;
	/*
	 * Personality for bulk; NULL is the default of the link kind.  Sprout
	 * needs its tables (borrowed, must outlive the transport).
	 */
	const struct ssp_cc_ops *cc;
	const struct ssp_sprout_tab *sprout;

	/* Compression contexts, shared by all transports; NULL: none used. */
	struct ssp_zip *zip;

	size_t mtu;      /* largest payload to write at first; 0: 1,100 */
	size_t overhead; /* bytes a datagram adds on the path; 0: 66 */

	/* Milliseconds that output may gather before a frame; see sender.h. */
	mono_ms collect_first; /* after a pause */
	mono_ms collect_more;  /* while output goes on */
	mono_ms collect_still; /* that no input has asked for */

	/*
	 * How long the ack of a small state may wait at most while further
	 * ones follow; what one end says of its own (tx) the other must say
	 * of its peer's (rx).
	 */
	mono_ms flow_tx;
	mono_ms flow_rx;

	/*
	 * Our states are questions: what the peer says in answer carries their
	 * acks, and who hears none asks again.  At most one end says so.
	 */
	bool asks;

	/* Adds the result's hash to plain diffs too (tests, debugging). */
	bool verify;

	struct ssp_trace trace;
	/*
	 * Told of the fate of every packet number once: acked or given up as
	 * lost.  May be NULL.  Must not call back into the transport.
	 */
	void (*on_packet)(void *arg, mono_ms now, uint64_t pn, bool acked);
	void *on_packet_arg;
};

/* Sensible defaults for LINK; objects, zip and personality are the caller's. */
void ssp_transport_cfg_init(
    struct ssp_transport_cfg *cfg, enum ssp_link_kind link);

struct ssp_transport *ssp_transport_new(
    const struct ssp_transport_cfg *cfg, mono_ms now);
void ssp_transport_free(struct ssp_transport *tp);

/* The payload and the clock. */

/*
 * Uses the payload of an authentic datagram not seen before.
 * In:      pn   its packet number
 * Returns: 0, or -ERR_PEER if a frame was malformed.
 */
int ssp_transport_recv(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const uint8_t *payload, size_t len);

/*
 * Writes what should go out now for the datagram with number PN.  Packet
 * numbers rise from call to call (gaps are fine).
 * Returns: bytes written, at most CAP; 0 if there is nothing to send yet, and
 *          PN is then unused.
 */
size_t ssp_transport_send(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    uint8_t *out, size_t cap);

/* When to call ssp_transport_send next; NOW if at once, or MONO_NEVER. */
mono_ms ssp_transport_deadline(struct ssp_transport *tp, mono_ms now);

/* Largest payload from now on; fragments in flight are cut anew. */
void ssp_transport_set_mtu(struct ssp_transport *tp, size_t mtu);

/* A round-trip sample from the datagrams' timestamps, hold time taken out. */
void ssp_transport_rtt(struct ssp_transport *tp, mono_ms now, mono_ms sample);

/* The datagram just received carried the congestion mark (CE). */
void ssp_transport_ecn(struct ssp_transport *tp, mono_ms now);

/*
 * The path changed (new address, new interface, wake from sleep): estimates
 * start anew if RESET, timeouts lose their backoff, and something is sent at
 * once so that the peer learns of it.
 */
void ssp_transport_poke(struct ssp_transport *tp, mono_ms now, bool reset);

/* Changes the link under the running session. */
void ssp_transport_set_link(
    struct ssp_transport *tp, mono_ms now, enum ssp_link_kind link);

/* The local object. */

/* The live value, to be changed in place; say so with _changed. */
void *ssp_transport_current(struct ssp_transport *tp);
void ssp_transport_changed(struct ssp_transport *tp, mono_ms now);

/* Replaces the live value by OBJ, which is taken over. */
void ssp_transport_set_current(
    struct ssp_transport *tp, mono_ms now, void *obj);

/* Whether nobody waits for what the next state brings about. */
void ssp_transport_patient(struct ssp_transport *tp, bool patient);

/*
 * As _set_current, for what nobody waits for: unless something else is said
 * before, or something that cannot wait was to go, it goes at UNTIL.
 */
void ssp_transport_set_later(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until);

/*
 * The same for what more will follow soon: it is waited for, but somebody does
 * wait.  Not where things get lost.
 */
void ssp_transport_set_soon(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until);

/* What is put off now may wait until then. */
void ssp_transport_put_off(
    struct ssp_transport *tp, mono_ms now, mono_ms until);

/* Number of the newest state sent; a change made now gets a higher one. */
uint64_t ssp_transport_sent_num(const struct ssp_transport *tp);

/* Number of the newest state the peer has said it holds. */
/* How often what is to be sent was too large for any message. */
uint64_t ssp_transport_too_big(const struct ssp_transport *tp);

uint64_t ssp_transport_acked_num(const struct ssp_transport *tp);

/* The live value differs from what the peer is known to hold. */
bool ssp_transport_unacked(struct ssp_transport *tp, mono_ms now);

/* The smoothed round trip. */
mono_ms ssp_transport_srtt(const struct ssp_transport *tp);

/* How long the peer may hold back the ack of what was sent last. */
mono_ms ssp_transport_ack_wait(const struct ssp_transport *tp);

/* The remote object. */

/* The newest value received, and its number. */
const void *ssp_transport_remote(const struct ssp_transport *tp, uint64_t *num);

/*
 * Takes the newest remote value as seen and drops from the held values what can
 * no longer matter (ops->subtract).
 * Returns: its number, which the application echoes to the peer.
 */
uint64_t ssp_transport_remote_seen(struct ssp_transport *tp);

/*
 * Messages beside the object: what the peer shall have some time, but never at
 * the cost of anything else.  They come whole, in order and once, unless the
 * connection ends.  None go over a local link.
 */

/* Gives one; false if the one before is still on its way, or it is too long. */
bool ssp_transport_side_put(
    struct ssp_transport *tp, mono_ms now, const void *p, size_t n);

/*
 * When a message given then would go at once; MONO_NEVER: not until something
 * comes from the peer.
 */
mono_ms ssp_transport_side_ready(struct ssp_transport *tp, mono_ms now);

/*
 * One that has come, or NULL.  Good until the next _recv, before which it must
 * be taken.
 */
const uint8_t *ssp_transport_side_take(struct ssp_transport *tp, size_t *len);

/* The end. */

/* Starts the orderly shutdown: the last local state is delivered first. */
void ssp_transport_shutdown(struct ssp_transport *tp, mono_ms now);
enum ssp_close_state ssp_transport_closing(const struct ssp_transport *tp);

/* What is known of the link. */

struct ssp_transport_stats {
	mono_ms srtt; /* milliseconds */
	mono_ms rttvar;
	mono_ms rto; /* without backoff */
	mono_ms rtt_min;
	bool have_rtt;
	unsigned loss;        /* measured loss of our datagrams, per 10,000 */
	unsigned copies;      /* copies a small instruction gets now */
	mono_ms interval;     /* frame interval */
	mono_ms last_heard;   /* when the last payload came; 0: never */
	mono_ms last_proven;  /* send time of the newest state acked */
	mono_ms asked;        /* that of the oldest one not acked; else now */
	size_t in_flight;     /* bytes sent, neither acked nor lost */
	size_t budget;        /* bytes of bulk that might go now */
	unsigned sent_states; /* held */
	unsigned received_states;
	size_t reassembly; /* bytes */
	size_t bulk;       /* bytes of unfinished instructions */

	uint64_t packets_sent, packets_received;
	uint64_t bytes_sent, bytes_received; /* payload */
	uint64_t packets_acked, packets_lost;
	uint64_t states_sent, states_applied;
	uint64_t copies_sent, acks_only_sent;
	uint64_t too_big; /* times that there was no way to send it */
	uint64_t frags_sent, frags_repaired, parity_sent, bulk_dropped;
	uint64_t side_parts, side_bytes;
	uint64_t duplicates, orphans, too_old;
	uint64_t bad_payloads, mismatches, resyncs, quenched;
	uint64_t timeouts, ce_seen, ce_told;
	uint64_t raw_bytes, coded_bytes; /* diffs before and after coding */
};

void ssp_transport_stats(
    struct ssp_transport *tp, mono_ms now, struct ssp_transport_stats *st);

/* Verifies the invariants (limits, order of numbers); false is a bug. */
bool ssp_transport_check(const struct ssp_transport *tp);

#endif
