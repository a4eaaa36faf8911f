/*
 * ssp/streams.h - the reliable streams of a connection, for their users.
 *
 * Purpose:   bytes in order, each once, both ways, beside the objects.  Either
 *            end opens streams, ends its direction, or gives one up with a
 *            reason.  They live as long as the connection: through new
 *            addresses, silence, sleep and changes between UDP and ssh.
 * Ownership: struct ssp_streams belongs to its transport
 *            (ssp_transport_streams).  A stream belongs to its user until it is
 *            released.
 * Units:     bytes; ids are even for the client's streams, odd for the server's.
 * Errors:    calls for a stream that has gone do nothing.
 * Source:    our own; RFC 9000 sections 2 and 3 for ids, ends and resets.
 * Tests:     regress/unit/check_ssp_streams.c, regress/sim/check_streams.c
 *
 * After a change call the driver (ssp_bind, or ssp_transport_send).  After each
 * received datagram take ssp_streams_news until there is none.
 */
#ifndef SSP_STREAMS_H
#define SSP_STREAMS_H

#include <stdbool.h>

#include "base/types.h"

#define SSP_STREAM_NONE UINT64_MAX /* no stream */
#define SSP_STREAM_WHAT_MAX 2048   /* bytes that say what a stream is for */
#define SSP_STREAM_TEXT_MAX 256    /* bytes of a reset's text */
#define SSP_STREAMS_MAX 1024       /* streams of a connection at a time */

/* Streams that both ends have without OPEN. */
enum ssp_stream_id {
	SSP_STREAM_CONTROL =
	    0, /* control messages of a client in control mode */
};

/* Which frames of streams the peer reads. */
enum ssp_streams_allow {
	SSP_STREAMS_NONE,
	SSP_STREAMS_OLD, /* STREAM and CREDIT */
	SSP_STREAMS_ALL
};

/* What goes first, always behind keys and screens. */
enum ssp_prio {
	SSP_PRIO_TALK, /* a person waits for each byte: exec -t */
	SSP_PRIO_FLOW, /* forwarded connections, exec */
	SSP_PRIO_BULK, /* copies of files */
	SSP_PRIOS
};

/* The incoming direction of a stream. */
enum ssp_stream_state {
	SSP_STREAM_GONE,  /* there is no such stream */
	SSP_STREAM_OPEN,  /* bytes have come or may come */
	SSP_STREAM_ENDED, /* all bytes have come and are taken */
	SSP_STREAM_RESET  /* the peer gave it up, both ways */
};

/* Why a stream was given up. */
enum ssp_stream_reason {
	SSP_REASON_GONE = 0,    /* its user has gone */
	SSP_REASON_LIMIT = 1,   /* too many streams */
	SSP_REASON_DENIED = 2,  /* not allowed here */
	SSP_REASON_UNKNOWN = 3, /* the peer does not know such a stream */
	SSP_REASON_FAILED = 4,  /* what it was for failed; the text says why */
	SSP_REASON_BROKEN = 5   /* the connection behind it broke */
};

struct ssp_streams;

/*
 * Opens stream ID, which the peer opens too; no frame tells it.  Returns false
 * if it is open or too many are.
 */
bool ssp_streams_fixed(struct ssp_streams *ss, uint64_t id);

/*
 * Opens a stream for N bytes of WHAT (at most SSP_STREAM_WHAT_MAX).  Returns its
 * id, or SSP_STREAM_NONE: too many are open, or the peer knows no such streams.
 */
uint64_t ssp_streams_open(
    struct ssp_streams *ss, enum ssp_prio prio, const void *what, size_t n);

/* The peer may open streams; false at first: its OPEN is dropped. */
void ssp_streams_accept(struct ssp_streams *ss, bool yes);

/*
 * Returns the id of a stream that the peer has opened, or where more bytes,
 * room (see _worth), the end or a reset came; SSP_STREAM_NONE: no more.
 */
uint64_t ssp_streams_news(struct ssp_streams *ss);

/* Returns what a stream was opened for. */
const uint8_t *ssp_streams_what(
    const struct ssp_streams *ss, uint64_t id, size_t *n);

/* Returns how many bytes _put takes now; copies as many of N as fit. */
size_t ssp_streams_room(const struct ssp_streams *ss, uint64_t id);
size_t ssp_streams_put(
    struct ssp_streams *ss, uint64_t id, const void *p, size_t n);

/*
 * Returns whether the room is an eighth of the most that the stream keeps, or 32
 * KiB; less is enough for a stream that has little to send.  _news tells when the
 * peer has confirmed enough bytes for that.
 */
bool ssp_streams_worth(const struct ssp_streams *ss, uint64_t id);

/* Returns the bytes put that the peer has not confirmed. */
size_t ssp_streams_kept(const struct ssp_streams *ss, uint64_t id);

/*
 * Returns the next bytes received (their number in N), or NULL; valid until the
 * next datagram.  Then say how many of them are used.
 */
const uint8_t *ssp_streams_peek(
    const struct ssp_streams *ss, uint64_t id, size_t *n);
void ssp_streams_taken(
    struct ssp_streams *ss, mono_ms now, uint64_t id, size_t n);

/* No more bytes will be put; those put still go. */
void ssp_streams_end(struct ssp_streams *ss, uint64_t id);

enum ssp_stream_state ssp_streams_state(
    const struct ssp_streams *ss, uint64_t id);

/* Returns why the peer reset a stream (enum ssp_stream_reason), and its words. */
uint64_t ssp_streams_reason(
    const struct ssp_streams *ss, uint64_t id, const char **text);

/*
 * Gives up a stream, and releases it; TEXT (at most SSP_STREAM_TEXT_MAX bytes,
 * or NULL) is for the peer's user.
 */
void ssp_streams_reset(
    struct ssp_streams *ss, uint64_t id, uint64_t reason, const char *text);

/*
 * The user is done with the stream: what was put still goes if both directions
 * have ended; otherwise it is reset.
 */
void ssp_streams_release(struct ssp_streams *ss, uint64_t id);

/* Sets what this end sends first; before the first byte. */
void ssp_streams_rank(struct ssp_streams *ss, uint64_t id, enum ssp_prio prio);

/* Returns how many streams there are, with those that end. */
size_t ssp_streams_count(const struct ssp_streams *ss);

#endif
