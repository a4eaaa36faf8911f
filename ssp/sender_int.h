/*
 * ssp/sender_int.h - the inside of the sender, for ssp/sender*.c only.
 *
 * Purpose:   sender.c keeps states and acts on the clock and on the peer,
 *            sender_time.c says when, sender_frame.c makes instructions.
 * Ownership: see ssp/sender.h.
 * Units:     see ssp/sender.h.
 * Errors:    see ssp/sender.h.
 * Tests:     those of ssp/sender.h
 */
#ifndef SSP_SENDER_INT_H
#define SSP_SENDER_INT_H

#include "ssp/sender.h"

static inline struct ssp_sent *
sender_newest(struct ssp_sender *s)
{
	return &s->sent[s->nsent - 1];
}

/* Something the peer is not known to have was sent. */
static inline bool
sender_pending(const struct ssp_sender *s)
{
	return s->nsent > 1;
}

/* Adds OBJ, which is taken over, as the newest sent state. */
void sender_push(struct ssp_sender *s, uint64_t num, void *obj, mono_ms now);

/* The sent state NUM, or NULL. */
struct ssp_sent *sender_find(struct ssp_sender *s, uint64_t num);

/* Makes room for one more state by dropping one of the middle. */
void sender_make_room(struct ssp_sender *s);

/* Gives up all large instructions: something newer takes their place. */
void sender_cancel_bulks(struct ssp_sender *s, mono_ms now);

/* The user did something: what is on its way is stale, if most of it waits. */
bool sender_stale(const struct ssp_sender *s, mono_ms now);

/* Milliseconds between frames that go on and on; 0: none. */
mono_ms sender_interval(const struct ssp_sender *s, mono_ms now);

/* Adds the tokens that came since the last call. */
void sender_fill(struct ssp_sender *s, mono_ms now);

/* Is there anything the newest sent state does not have? */
bool sender_changed(struct ssp_sender *s, mono_ms now);

/* When a frame with the newest state may go. */
mono_ms sender_frame_time(struct ssp_sender *s, mono_ms now);

/* When the next copy of the newest state goes. */
mono_ms sender_copy_time(const struct ssp_sender *s);

/* How long an answer is waited for. */
mono_ms sender_rto(const struct ssp_sender *s);

/* When the newest state goes again. */
mono_ms sender_retry_time(const struct ssp_sender *s);

/* When blocks or parity of large instructions may go. */
mono_ms sender_bulk_time(const struct ssp_sender *s, mono_ms now);

/* What follows the end of a flight of fragments, so that its loss shows. */
mono_ms sender_tail_time(const struct ssp_sender *s);

/* Does an instruction of LEN bytes fit a datagram? */
bool sender_is_small(const struct ssp_sender *s, size_t len);

/* E has arrived: so do datagrams of its size. */
void sender_proved(struct ssp_sender *s, const struct ssp_sent *e);

/* How long the ack of sent state I may be held back. */
mono_ms sender_ack_wait(const struct ssp_sender *s, unsigned i);

/* The newest state is lost, or cannot be made where one before it is. */
bool sender_broken(const struct ssp_sender *s);

/* Writes the cached instruction as a STATE frame and arms the timers. */
void sender_put_state(
    struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

/* Copies of the newest state, from now on. */
void sender_arm_copies(struct ssp_sender *s, mono_ms now);

/* Bytes of the large instructions on their way. */
size_t sender_bulk_bytes(const struct ssp_sender *s);

/* Gets the live object on its way as a new state; true if a STATE frame was
 * written. */
bool sender_frame(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

#endif
