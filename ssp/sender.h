/*
 * ssp/sender.h - the sending half of SSP: brings the peer to our newest state.
 *
 * Purpose:   decides when a state is sent, from which older one its diff is
 *            made, how often it is repeated, and what of a large one is
 *            repaired.
 * Ownership: owns the local object and its sent states.
 * Units:     milliseconds, bytes, state and packet numbers.
 * Errors:    -ERR_PEER for reports that do not parse.
 * Source:    mosh's TransportSender for sent states, assumed receiver state,
 *            throwaway and pretransmission; the timing is ours.
 * Tests:     regress/sim/check_sim.c, check_link.c
 */
#ifndef SSP_SENDER_H
#define SSP_SENDER_H

#include "ssp/core.h"
#include "ssp/fragment.h"
#include "ssp/instruction.h"

#define SSP_SENT_MAX 32 /* states held, the acknowledged one included */
#define SSP_BULKS 6     /* large instructions on their way at once */
#define SSP_BULK_BYTES (2u << 20) /* and their bytes */
#define SSP_FRAME_BURST 3         /* frames saved up while nothing changes */
#define SSP_INPUT_BOOST 2         /* frames that may follow input at once */
#define SSP_RUN_GAP 400           /* ms between states of one run, at most */
#define SSP_RUN_BUSY 1            /* states after the first that make a run */
#define SSP_COPY_SIZE 1000        /* bytes; larger instructions get no copies */
#define SSP_PRETRANSMIT 100 /* bytes by which the safer diff may be longer */

struct ssp_sent {
	uint64_t num;
	void *obj;
	struct buf ser; /* serialisation, once it was needed */
	struct ssp_past past;
	mono_ms first; /* first and last transmission */
	mono_ms last;
	uint64_t pn;          /* of the last transmission */
	uint64_t base;        /* the state it is made from */
	bool bulk;            /* went in fragments */
	size_t size;          /* bytes of its instruction; 0: in fragments */
	enum ssp_haste haste; /* of its last transmission */
	bool lost;            /* its last transmission is */
};

struct ssp_sender {
	struct ssp_core *core;
	struct ssp_coder coder;

	void *current;
	bool dirty;         /* current may differ from the newest sent state */
	bool changed;       /* it does, if !dirty */
	mono_ms changed_at; /* since when */
	bool collecting;    /* changed_at is valid */
	bool resting;       /* the change came after a pause */
	bool too_big;       /* current cannot be sent, as things stand */
	bool big_told;      /* that was traced */
	bool parting;       /* the newest sent state is on the way to current */
	mono_ms hold;       /* nobody waits for the change before; 0: now */

	struct ssp_sent sent[SSP_SENT_MAX + 1]; /* [0] is what the peer has */
	unsigned nsent;

	uint64_t tokens; /* frames * 1000 */
	mono_ms filled;
	unsigned boost;
	mono_ms input_at;  /* when the peer's newest state came */
	mono_ms postponed; /* no new large frame before this */
	mono_ms abandoned; /* when a large frame was last given up */

	unsigned run;     /* states that followed each other closely */
	mono_ms made;     /* when the newest state was */
	unsigned unasked; /* states in a row that answered nothing */

	unsigned copies; /* of the newest state, in all */
	unsigned copied;
	mono_ms copy_base;
	mono_ms retry;    /* when to send again; MONO_NEVER: nothing to */
	mono_ms retried;  /* when that last happened */
	unsigned backoff; /* retries in a row with nothing heard between */
	bool full; /* the peer asked for a form that needs no old state */
	bool ping; /* an ack is wanted, though there is nothing to send */

	struct ssp_bulk *bulk[SSP_BULKS];
	unsigned nbulk;
	unsigned tail; /* pings behind the last fragment, in all */
	unsigned tail_sent;
	mono_ms tail_base;

	mono_ms proof_at;  /* a long instruction was to be acked at once ... */
	size_t proof_size; /* ... of so many bytes */

	unsigned past_skip; /* large ones to code without the past */
	unsigned past_miss; /* times in a row that it did not help */

	struct buf cache; /* the newest small instruction */
	uint64_t cache_new, cache_old;
};

/* What a call of ssp_sender_put wrote. */
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
 * Until when a change made now may wait that could wait until then: not where
 * one that cannot is to go (0).
 */
mono_ms ssp_sender_hold(struct ssp_sender *s, mono_ms now, mono_ms until);

/* A new state came from the peer: what it causes shall not wait. */
void ssp_sender_input(struct ssp_sender *s, mono_ms now);

/* When ssp_sender_put has something to do. */
mono_ms ssp_sender_deadline(struct ssp_sender *s, mono_ms now);

/* Writes at most one frame for the datagram PN. */
enum ssp_put ssp_sender_put(
    struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

/* A PING is wanted; forgets it. */
bool ssp_sender_ping(struct ssp_sender *s);

/* Bulk waits for room on the link. */
bool ssp_sender_more(const struct ssp_sender *s);

/* The peer holds state NUM. */
void ssp_sender_ack(struct ssp_sender *s, mono_ms now, uint64_t num);

/*
 * The peer has repeated what we have: it did not hear what we sent in answer.
 */
void ssp_sender_again(struct ssp_sender *s, mono_ms now);

/* The fate of a datagram. */
void ssp_sender_packet(
    struct ssp_sender *s, mono_ms now, uint64_t pn, bool acked);

/* A MISSING frame that came in datagram PN. */
int ssp_sender_missing(struct ssp_sender *s, mono_ms now, uint64_t pn,
    const uint8_t *body, size_t len) WARN_UNUSED;

/* The peer cannot use our diffs. */
void ssp_sender_resync(struct ssp_sender *s, mono_ms now);

/* The peer is heard again, or the path is new: no more backing off. */
void ssp_sender_wake(struct ssp_sender *s, mono_ms now);

/* Current differs from what the peer is known to have. */
bool ssp_sender_unacked(struct ssp_sender *s, mono_ms now);

/* The peer was sent all there is (it may not have arrived). */
bool ssp_sender_flushed(struct ssp_sender *s, mono_ms now);

static inline uint64_t
ssp_sender_newest(const struct ssp_sender *s)
{
	return s->sent[s->nsent - 1].num;
}

/*
 * States follow each other: the next one will soon carry what this one does,
 * and acks too.
 */
static inline bool
ssp_sender_busy(const struct ssp_sender *s)
{
	return s->run >= SSP_RUN_BUSY;
}

bool ssp_sender_check(const struct ssp_sender *s);

#endif
