/*
 * ssp/transport.h - synchronises one object each way over lossy payloads.
 *
 * Purpose:   the two state machines of SSP (sender of the local object,
 *            receiver of the remote one) behind one facade.  It works on
 *            payloads; ssp/conn seals them into datagrams.
 * Ownership: the transport owns both objects and all their states; results of
 *            getters are borrowed until the next call.
 * Units:     milliseconds; payload bytes; 64-bit state and packet numbers.
 *            State 0 is the initial value, the same at both ends.
 * Errors:    -ERR_PEER for payloads that do not parse (frames before the bad
 *            one were used; the rest is dropped and counted).
 * Source:    mosh's SSP (USENIX ATC 2012) with explicit acks, named fragments
 *            and deliberate redundancy; see doc/PROTOCOL.md.
 * Tests:     regress/sim/check_sim.c, check_link.c
 *
 * A driver repeats: pass every opened datagram to ssp_transport_recv in order
 * of arrival; update the local object; call ssp_transport_send until it returns
 * 0; sleep until ssp_transport_deadline.  Extra calls are harmless.
 */
#ifndef SSP_TRANSPORT_H
#define SSP_TRANSPORT_H

#include <stdbool.h>

#include "base/types.h"
#include "ssp/object.h"
#include "ssp/pacing.h"
#include "ssp/streams.h"
#include "ssp/trace.h"

/* Value of flow_tx and flow_rx for a screen that repaints itself. */
#define SSP_FLOW_SCREEN 1000

struct ssp_transport;
struct ssp_zip;        /* compression contexts of the process */
struct ssp_cc_ops;     /* ssp/cc.h: a congestion personality */
struct ssp_sprout_tab; /* ssp/sprout.h: Sprout's tables, one a process */

enum ssp_link_kind {
	SSP_LINK_DATAGRAM, /* lossy, slow: all mechanisms apply */
	SSP_LINK_LOCAL, /* reliable, fast (Unix socket): no pacing, no copies */
	SSP_LINK_STREAM, /* reliable, perhaps slow (ssh stdio): no copies */
};

enum ssp_close_state {
	SSP_CLOSE_OPEN,
	SSP_CLOSE_ASKED,   /* we closed; no confirmation yet */
	SSP_CLOSE_PEER,    /* the peer closed; we confirm */
	SSP_CLOSE_DONE,    /* both sides know: finished */
	SSP_CLOSE_GAVE_UP, /* we closed; no confirmation in time */
};

struct ssp_transport_cfg {
	const struct ssp_object_ops *local_ops;
	void *local; /* initial value; taken over */
	const struct ssp_object_ops *remote_ops;
	void *remote; /* initial value of the peer's object; taken over */

	enum ssp_link_kind link;
	/*
	 * Congestion personality for bulk, whatever anybody chooses; NULL: as
	 * chosen (ssp_transport_pace), else that of the link kind.  Sprout needs its tables (borrowed; they must outlive the
	 * transport).
	 */
	const struct ssp_cc_ops *cc;
	const struct ssp_sprout_tab *sprout;
	/* Makes the tables when they are needed; NULL: not for this peer. */
	const struct ssp_sprout_tab *(*sprout_get)(void *arg);
	void *sprout_arg;

	/* Compression contexts, shared by all transports; NULL: none. */
	struct ssp_zip *zip;

	size_t mtu;      /* initial maximum payload; 0: 1,100 */
	size_t overhead; /* bytes that a datagram adds; 0: 66 */

	/* Milliseconds to collect output before a frame; see sender.c. */
	mono_ms collect_first; /* after a pause */
	mono_ms collect_more;  /* while output continues */
	mono_ms collect_still; /* output without recent input */

	/*
	 * Maximum delay of the ack of a small state while more follow.  The tx
	 * value of one end must equal the rx value of the other.
	 */
	mono_ms flow_tx;
	mono_ms flow_rx;

	/*
	 * Our states are questions: the states that answer them carry their
	 * acks, and this end repeats an unanswered question.  At most one end
	 * sets it.
	 */
	bool asks;

	/*
	 * Bytes of unfinished instructions that this end keeps; 0:
	 * SSP_REASM_MAX.  One instruction has SSP_INS_MAX.
	 */
	size_t held_max;

	/*
	 * Bytes of received states that this end keeps (ssp_object_ops.own); 0:
	 * no limit.  A state beyond it is dropped like one that was lost.
	 */
	size_t states_max;

	/* Adds the hash of the new state to plain diffs (tests, debugging). */
	bool verify;

	struct ssp_trace trace;
	/*
	 * Reports the fate of every packet number once: acked, or declared
	 * lost.  May be NULL.  Must not call the transport.
	 */
	void (*on_packet)(void *arg, mono_ms now, uint64_t pn, bool acked);
	void *on_packet_arg;
};

/* Sets defaults for LINK; the caller sets objects, zip and personality. */
void ssp_transport_cfg_init(
    struct ssp_transport_cfg *cfg, enum ssp_link_kind link);

struct ssp_transport *ssp_transport_new(
    const struct ssp_transport_cfg *cfg, mono_ms now);
void ssp_transport_free(struct ssp_transport *tp);

/* The payload and the clock. */

/*
 * Processes the payload of an authentic datagram that is no replay.
 * In:      pn   its packet number
 * Returns: 0, or -ERR_PEER if a frame was malformed.
 */
int ssp_transport_recv(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    const uint8_t *payload, size_t len);

/*
 * Writes the payload of datagram PN.  Packet numbers rise from call to call
 * (gaps are allowed).
 * Returns: bytes written, at most CAP; 0 if there is nothing to send now, and
 *          PN is then unused.
 */
size_t ssp_transport_send(struct ssp_transport *tp, mono_ms now, uint64_t pn,
    uint8_t *out, size_t cap);

/* Returns when to call ssp_transport_send next: NOW, later, or MONO_NEVER. */
mono_ms ssp_transport_deadline(struct ssp_transport *tp, mono_ms now);

/* Sets the maximum payload; unsent fragments adapt to it. */
void ssp_transport_set_mtu(struct ssp_transport *tp, size_t mtu);

/* Adds a round-trip sample from timestamps, without hold time. */
void ssp_transport_rtt(struct ssp_transport *tp, mono_ms now, mono_ms sample);

/* The datagram just received carried the ECN mark CE. */
void ssp_transport_ecn(struct ssp_transport *tp, mono_ms now);

/*
 * The path changed (new address, new interface, wake from sleep): RESET
 * restarts the estimates, timeouts lose their back-off, and a datagram is sent
 * at once so that the peer learns of it.
 */
void ssp_transport_poke(struct ssp_transport *tp, mono_ms now, bool reset);

/* Both ends of the path are on one machine (NEAR), or are not. */
void ssp_transport_near(struct ssp_transport *tp, bool near);

/* An end that counts on hearing the peer every MS keeps silences shorter. */
void ssp_transport_idle_limit(struct ssp_transport *tp, mono_ms ms);

/* Returns the silence of the peer that is normal on an idle link. */
mono_ms ssp_transport_idle(const struct ssp_transport *tp);

/* Changes the link kind of a running session. */
void ssp_transport_set_link(
    struct ssp_transport *tp, mono_ms now, enum ssp_link_kind link);

/* The local object. */

/* Returns the live value, to change in place; then call _changed. */
void *ssp_transport_current(struct ssp_transport *tp);
void ssp_transport_changed(struct ssp_transport *tp, mono_ms now);

/* Replaces the live value by OBJ (taken over). */
void ssp_transport_set_current(
    struct ssp_transport *tp, mono_ms now, void *obj);

/* PATIENT: nobody waits for the effect of the next state. */
void ssp_transport_patient(struct ssp_transport *tp, bool patient);

/*
 * As _set_current, for a change that nobody waits for: it is sent at UNTIL, or
 * earlier together with anything else.
 */
void ssp_transport_set_later(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until);

/*
 * The same for a change that somebody waits for, if more changes will follow
 * soon.  Has no effect on a lossy link.
 */
void ssp_transport_set_soon(
    struct ssp_transport *tp, mono_ms now, void *obj, mono_ms until);

/* Extends the wait of a change that waits already. */
void ssp_transport_put_off(
    struct ssp_transport *tp, mono_ms now, mono_ms until);

/*
 * Returns the number of the newest state sent; later changes get higher ones.
 */
uint64_t ssp_transport_sent_num(const struct ssp_transport *tp);

/* Returns how often no instruction could carry the live value. */
uint64_t ssp_transport_too_big(const struct ssp_transport *tp);

/* Returns the number of the newest state that the peer has acknowledged. */
uint64_t ssp_transport_acked_num(const struct ssp_transport *tp);

/* Returns whether the peer may lack the live value, or bytes of a stream. */
bool ssp_transport_unacked(struct ssp_transport *tp, mono_ms now);

/* Returns the smoothed round-trip time. */
mono_ms ssp_transport_srtt(const struct ssp_transport *tp);

/* Returns how long the peer may delay the ack of the newest state sent. */
mono_ms ssp_transport_ack_wait(const struct ssp_transport *tp);

/* The remote object. */

/* Returns the newest value received, and its number. */
const void *ssp_transport_remote(const struct ssp_transport *tp, uint64_t *num);

/*
 * Marks the newest remote value as seen and drops from the kept values what is
 * no longer needed (ops->subtract).
 * Returns: its number, which the application echoes to the peer.
 */
uint64_t ssp_transport_remote_seen(struct ssp_transport *tp);

/*
 * Messages beside the object that may wait, and never delay other traffic.
 * They arrive whole, in order and once, unless the connection ends.  A local
 * link carries none.
 */

/* Queues a message; false if one waits, or too many fly, or N is too long. */
bool ssp_transport_side_put(
    struct ssp_transport *tp, mono_ms now, const void *p, size_t n);

/*
 * Says whether somebody waits for the messages: then a part goes as soon as all
 * states are acknowledged, without a time of quiet.
 */
void ssp_transport_side_wanted(struct ssp_transport *tp, bool wanted);

/*
 * Returns when to queue a message; later than NOW while one waits, MONO_NEVER:
 * not before the peer sends something.
 */
mono_ms ssp_transport_side_ready(struct ssp_transport *tp, mono_ms now);

/*
 * Returns the next received message, or NULL.  Take all before the next _recv,
 * which invalidates them.
 */
const uint8_t *ssp_transport_side_take(struct ssp_transport *tp, size_t *len);

/* Returns the reliable streams of bytes beside the objects. */
struct ssp_streams *ssp_transport_streams(struct ssp_transport *tp);

/* Says which of their frames the peer reads; none at first. */
void ssp_transport_streams_allow(
    struct ssp_transport *tp, enum ssp_streams_allow allow);

/*
 * Says whether the peer reads SSP_INS_ZTRAIL (SSP_CAP_TRAIL) and SSP_INS_ZPAGES
 * (SSP_CAP_PAGES), so that they are sent; neither at first.
 */
void ssp_transport_past_allow(struct ssp_transport *tp, bool trail, bool pages);

/* How bulk is paced. */

/*
 * The user of this end wants bulk to go by P both ways; SSP_PACING_NONE: as the
 * peer's user wants, else auto.  A client's choice goes before a server's.
 */
void ssp_transport_pace(
    struct ssp_transport *tp, mono_ms now, enum ssp_pacing p);

/* The peer reads PACE (SSP_CAP_PACE); false at first. */
void ssp_transport_pace_allow(
    struct ssp_transport *tp, mono_ms now, bool allow);

/* Says how this end sends bulk, and why, as "auto: window". */
void ssp_transport_pace_tell(
    const struct ssp_transport *tp, char *out, size_t size);

/*
 * A second path for bytes of streams, with its own congestion control.  Both ends
 * have it at about the same time: acks reach further while it is there.
 */

/* RTT: its round trip as far as known, or 0. */
void ssp_transport_lane_open(
    struct ssp_transport *tp, mono_ms now, mono_ms rtt);

/* It has gone: what flies there is lost, and goes again. */
void ssp_transport_lane_shut(struct ssp_transport *tp, mono_ms now);

/* Datagrams of _send go by it now, and it is the path that they went by. */
void ssp_transport_lane_swap(struct ssp_transport *tp, mono_ms now);

/* As _send, by the second path; call it when _send has returned 0. */
size_t ssp_transport_lane_send(struct ssp_transport *tp, mono_ms now,
    uint64_t pn, uint8_t *out, size_t cap);

/* The end. */

/*
 * Starts the orderly shutdown; delivers the last local state and the bytes of
 * streams first.
 */
void ssp_transport_shutdown(struct ssp_transport *tp, mono_ms now);
enum ssp_close_state ssp_transport_closing(const struct ssp_transport *tp);

/* Estimates and counters of the link. */

struct ssp_transport_stats {
	mono_ms srtt; /* milliseconds */
	mono_ms rttvar;
	mono_ms rto; /* without backoff */
	mono_ms rtt_min;
	bool have_rtt;
	unsigned loss;        /* loss rate of our datagrams, per 10,000 */
	unsigned copies;      /* copies of a small instruction now */
	mono_ms interval;     /* frame interval */
	mono_ms last_heard;   /* arrival of the last payload; 0: never */
	mono_ms last_proven;  /* send time of the newest state acked */
	mono_ms asked;        /* send time of the oldest not acked; or now */
	size_t in_flight;     /* bytes sent, neither acked nor lost */
	size_t budget;        /* bytes of bulk that may be sent now */
	unsigned sent_states; /* kept */
	unsigned received_states;
	size_t reassembly; /* bytes */
	size_t bulk;       /* bytes of unfinished instructions */

	uint64_t packets_sent, packets_received;
	uint64_t bytes_sent, bytes_received; /* payload */
	uint64_t packets_acked, packets_lost;
	uint64_t states_sent, states_applied;
	uint64_t copies_sent, acks_only_sent;
	uint64_t too_big; /* changes that no instruction could carry */
	uint64_t frags_sent, frags_repaired, parity_sent, bulk_dropped;
	uint64_t side_parts, side_bytes;
	uint64_t stream_parts; /* datagrams with bytes of streams */
	uint64_t lane_parts;   /* of those, by a second path */
	uint64_t duplicates, orphans, too_old;
	uint64_t bad_payloads, mismatches, resyncs, quenched;
	uint64_t timeouts, ce_seen, ce_told;
	uint64_t raw_bytes, coded_bytes; /* diffs before and after coding */
};

void ssp_transport_stats(
    struct ssp_transport *tp, mono_ms now, struct ssp_transport_stats *st);

/* Checks the invariants (limits, order of numbers); false is a bug. */
bool ssp_transport_check(const struct ssp_transport *tp);

#endif
