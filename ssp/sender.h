/*
 * ssp/sender.h - the sending half of SSP: brings the peer to our newest state.
 *
 * Purpose:   decides when to send a state, from which older state to make its
 *            diff, how often to repeat it, and which parts of a large one to
 *            repair.
 * Ownership: owns the local object and its sent states.
 * Units:     milliseconds, bytes, state and packet numbers.
 * Errors:    -ERR_PEER for reports that do not parse.
 * Source:    mosh's TransportSender for sent states, assumed receiver state,
 *            throwaway and pretransmission; the timing is our own.
 * Tests:     regress/sim/check_sim.c, check_link.c
 */
#ifndef SSP_SENDER_H
#define SSP_SENDER_H

#include "ssp/core.h"
#include "ssp/fragment.h"
#include "ssp/instruction.h"

#define SSP_SENT_MAX 32           /* states kept, with the acknowledged one */
#define SSP_BULKS 6               /* large instructions in flight at once */
#define SSP_BULK_BYTES (2u << 20) /* bytes of those */
#define SSP_FRAME_BURST 3         /* frames accumulated while idle */
#define SSP_INPUT_BOOST 2         /* frames sent at once after input */
#define SSP_RUN_GAP 400           /* maximum ms between states of a run */
#define SSP_RUN_FAST 90           /* ms; the next state replaces a timeout */
#define SSP_RUN_BUSY 1            /* states after the first that mean a run */
#define SSP_COPY_SIZE 1000        /* bytes; larger ones are not copied */
#define SSP_PRETRANSMIT 100       /* bytes that the safer diff may be longer */

struct ssp_sent {
	uint64_t num;
	void *obj;
	struct buf ser; /* serialisation, empty until needed */
	struct ssp_past past;
	mono_ms first; /* first and last transmission */
	mono_ms last;
	uint64_t pn;          /* of the last transmission */
	uint64_t base;        /* number of its old state */
	bool bulk;            /* sent in fragments */
	size_t size;          /* bytes of its instruction; 0: fragments */
	enum ssp_haste haste; /* of its last transmission */
	bool lost;            /* its last transmission is lost */
};

struct ssp_sender {
	struct ssp_core *core;
	struct ssp_coder coder;

	void *current;
	bool dirty;         /* current may differ from the newest sent state */
	bool changed;       /* current differs, if !dirty */
	mono_ms changed_at; /* time of the change */
	bool collecting;    /* changed_at is valid */
	bool resting;       /* the change came after a pause */
	bool too_big;       /* no instruction can carry current */
	bool big_told;      /* too_big was traced */
	bool parting;       /* the newest sent state is a part */
	mono_ms hold;       /* the change may wait until then; 0: no */

	/* [0]: acknowledged, or certain to arrive (sender_settle) */
	struct ssp_sent sent[SSP_SENT_MAX + 1];
	unsigned nsent;
	uint64_t acked; /* the newest state that the peer acknowledged */

	uint64_t tokens; /* frames * 1000 */
	mono_ms filled;
	unsigned boost;
	mono_ms input_at;  /* arrival of the peer's newest state */
	mono_ms postponed; /* no new large frame before this */
	mono_ms abandoned; /* last cancel of a large frame */

	unsigned run;     /* states in close succession */
	mono_ms made;     /* creation of the newest state */
	mono_ms gap;      /* between that and the state before */
	unsigned unasked; /* states in a row without input before */

	unsigned copies; /* copies due of the newest state */
	unsigned copied;
	unsigned round; /* timeouts of the newest state */
	mono_ms copy_base;
	mono_ms retry;    /* next retry; MONO_NEVER: none */
	mono_ms retried;  /* last retry */
	unsigned backoff; /* retries in a row without datagram received */
	bool full;        /* the peer requested a form without old state */
	bool ping;        /* a PING is due */

	struct ssp_bulk *bulk[SSP_BULKS];
	unsigned nbulk;
	unsigned tail; /* pings due after the last fragment */
	unsigned tail_sent;
	mono_ms tail_base;

	mono_ms proof_at;  /* last proof of size requested ... */
	size_t proof_size; /* ... with so many bytes */

	struct buf cache; /* the newest small instruction */
	uint64_t cache_new, cache_old;
	bool cache_known; /* the peer is known to have cache_old */
};

/* What ssp_sender_put wrote. */
enum ssp_put {
	SSP_PUT_NONE,
	SSP_PUT_STATE,
	SSP_PUT_BULK
};

void ssp_sender_init(struct ssp_sender *s, struct ssp_core *core,
    const struct ssp_coder *coder, void *initial, mono_ms now);
void ssp_sender_fini(struct ssp_sender *s);

/* The live object may have changed. */
void ssp_sender_changed(struct ssp_sender *s, mono_ms now);

/*
 * Returns the latest time to send a change made now that may itself wait until
 * UNTIL; 0 if a pending change must not wait.
 */
mono_ms ssp_sender_hold(struct ssp_sender *s, mono_ms now, mono_ms until);

/* A new state of the peer arrived: its effects must not wait. */
void ssp_sender_input(struct ssp_sender *s, mono_ms now);

/* Returns when ssp_sender_put has something to do. */
mono_ms ssp_sender_deadline(struct ssp_sender *s, mono_ms now);

/* Returns when the link takes a datagram of bulk. */
mono_ms ssp_sender_room(const struct ssp_sender *s, mono_ms now);

/* Writes at most one frame for datagram PN. */
enum ssp_put ssp_sender_put(
    struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

/*
 * Returns whether what is due is the third or a later transmission of a state
 * within a few milliseconds.
 */
bool ssp_sender_copying(const struct ssp_sender *s, mono_ms now);

/* Returns whether a PING is due, and clears that. */
bool ssp_sender_ping(struct ssp_sender *s);

/* Returns whether bulk is left to send. */
bool ssp_sender_more(const struct ssp_sender *s);

/* The peer has state NUM. */
void ssp_sender_ack(struct ssp_sender *s, mono_ms now, uint64_t num);

/* The peer repeated a state that we have: it did not receive our answer. */
void ssp_sender_again(struct ssp_sender *s, mono_ms now);

/* The fate of a datagram. */
void ssp_sender_packet(
    struct ssp_sender *s, mono_ms now, uint64_t pn, bool acked);

/* Processes a MISSING frame of datagram PN. */
int ssp_sender_missing(struct ssp_sender *s, mono_ms now, uint64_t pn,
    const uint8_t *body, size_t len) WARN_UNUSED;

/* The peer cannot apply our diffs. */
void ssp_sender_resync(struct ssp_sender *s, mono_ms now);

/* The peer is heard again, or the path is new: end the back-off. */
void ssp_sender_wake(struct ssp_sender *s, mono_ms now);

/* Returns whether the peer may lack the current state. */
bool ssp_sender_unacked(struct ssp_sender *s, mono_ms now);

/* Returns whether everything was sent (it may not have arrived). */
bool ssp_sender_flushed(struct ssp_sender *s, mono_ms now);

static inline uint64_t
ssp_sender_newest(const struct ssp_sender *s)
{
	return s->sent[s->nsent - 1].num;
}

/*
 * Returns whether states follow each other closely: the next one soon repeats
 * the content of this one, and its acks.
 */
static inline bool
ssp_sender_busy(const struct ssp_sender *s)
{
	return s->run >= SSP_RUN_BUSY;
}

bool ssp_sender_check(const struct ssp_sender *s);

#endif
