/*
 * ssp/sender_int.h - internals of the sender, for ssp/sender*.c.
 *
 * Purpose:   sender.c keeps states and reacts to time and peer, sender_time.c
 *            computes deadlines, sender_frame.c makes instructions.
 * Tests:     see ssp/sender.h
 */
#ifndef SSP_SENDER_INT_H
#define SSP_SENDER_INT_H

#include "ssp/sender.h"

static inline struct ssp_sent *
sender_newest(struct ssp_sender *s)
{
	return &s->sent[s->nsent - 1];
}

/* Returns whether a sent state awaits its ack. */
static inline bool
sender_pending(const struct ssp_sender *s)
{
	return s->nsent > 1;
}

#define SENDER_LAN_RTT 5  /* ms; a LAN collects no output first */
#define SENDER_STILL 1000 /* ms without input: output is no echo */

/* Returns whether somebody waits for our next state: it is a key or an echo. */
static inline bool
sender_awaited(const struct ssp_sender *s, mono_ms now)
{
	return s->core->asks || now - s->input_at < SENDER_STILL;
}

/* Adds OBJ (taken over) as the newest sent state. */
void sender_push(struct ssp_sender *s, uint64_t num, void *obj, mono_ms now);

/* Returns the sent state NUM, or NULL. */
struct ssp_sent *sender_find(struct ssp_sender *s, uint64_t num);

/*
 * Forgets all states but the newest on a link that loses nothing: the peer has,
 * or will have, the newest before anything sent now.
 */
void sender_settle(struct ssp_sender *s);

/* Drops a state from the middle if the array is full. */
void sender_make_room(struct ssp_sender *s);

/* Cancels all large instructions: something newer replaces them. */
void sender_cancel_bulks(struct ssp_sender *s, mono_ms now);

/*
 * Returns whether the newest large instruction is outdated by input and most of
 * it is unsent.
 */
bool sender_stale(const struct ssp_sender *s, mono_ms now);

/* Returns the interval of continuous frames in ms; 0: none. */
mono_ms sender_interval(const struct ssp_sender *s, mono_ms now);

/* Adds the tokens accrued since the last call. */
void sender_fill(struct ssp_sender *s, mono_ms now);

/* Returns whether the live object differs from the newest sent state. */
bool sender_changed(struct ssp_sender *s, mono_ms now);

/* Returns when a frame with the newest state may be sent. */
mono_ms sender_frame_time(struct ssp_sender *s, mono_ms now);

/* Returns when to repeat the newest state. */
const struct ssp_schedule *sender_schedule(const struct ssp_sender *s);

/* Returns when the next copy of the newest state is due. */
mono_ms sender_copy_time(const struct ssp_sender *s);

/* Returns the timeout for an ack. */
mono_ms sender_rto(const struct ssp_sender *s);

/* Returns when the newest state is to be repeated. */
mono_ms sender_retry_time(const struct ssp_sender *s);

/* Returns when blocks or parity of large instructions may be sent. */
mono_ms sender_bulk_time(const struct ssp_sender *s, mono_ms now);

/* Returns when to ping after the last fragment, so that its loss shows. */
mono_ms sender_tail_time(const struct ssp_sender *s);

/* Returns whether an instruction of LEN bytes fits a datagram. */
bool sender_is_small(const struct ssp_sender *s, size_t len);

/* E arrived, which proves datagrams of its size. */
void sender_proved(struct ssp_sender *s, const struct ssp_sent *e);

/* Returns how long the ack of sent state I may be delayed. */
mono_ms sender_ack_wait(const struct ssp_sender *s, unsigned i);

/* Returns whether the newest state, or one that it depends on, is lost. */
bool sender_broken(const struct ssp_sender *s);

/* Writes the cached instruction as a STATE frame and starts the timers. */
void sender_put_state(
    struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

/* Schedules the copies of the newest state. */
void sender_arm_copies(struct ssp_sender *s, mono_ms now);

/* Returns the bytes of the large instructions in flight. */
size_t sender_bulk_bytes(const struct ssp_sender *s);

/*
 * Starts sending the live object as a new state; true if a STATE frame was
 * written.
 */
bool sender_frame(struct ssp_sender *s, mono_ms now, uint64_t pn, struct wr *w);

#endif
