/*
 * ssp/io/tube.h - a socket, or a pair of descriptors, joined to a stream.
 *
 * Purpose:   what is read goes into the stream, what the stream brings is
 *            written; each end of a direction is passed on, and the slower side
 *            sets the pace.
 * Ownership: tube_new takes over the descriptors and the stream; the tube frees
 *            itself when both directions have ended, after ops.ended.
 * Units:     bytes.
 * Errors:    a descriptor that breaks resets the stream (SSP_REASON_BROKEN); a
 *            stream that is reset closes the descriptors.
 * Source:    RFC 4254 section 5.3 for the two ends.
 * Tests:     regress/e2e/forward.sh, exec.sh
 */
#ifndef SSP_IO_TUBE_H
#define SSP_IO_TUBE_H

#include "base/io/loop.h"
#include "ssp/streams.h"

struct tube;

struct tube_ops {
	/* The stream has changed: send what is due. */
	void (*changed)(void *arg);
	/*
	 * The tube is about to free itself.  It has not released its stream if
	 * the peer reset that: the reason can still be read.
	 */
	void (*ended)(void *arg, struct tube *t);
	/*
	 * Looks through N bytes that were read, in place; returns how many there
	 * are then, at most N + 1.  May be NULL.
	 */
	size_t (*filter)(void *arg, uint8_t *p, size_t n);
};

/*
 * Where a tube reads and writes: both may be one socket, or pipes, terminals and
 * files, which may belong to others, too: those are not made non-blocking.
 */
struct tube_fds {
	int in;  /* -1: the tube ends its direction at once */
	int out; /* -1: what comes is dropped */
	/* If OUT breaks, what comes is dropped, and IN goes on. */
	bool half;
};

struct tube *tube_new(struct loop *loop, struct ssp_streams *ss, uint64_t id,
    const struct tube_fds *fds, const struct tube_ops *ops, void *arg);

/* Resets the stream, closes the descriptors; calls nothing. */
void tube_free(struct tube *t);

uint64_t tube_id(const struct tube *t);

/* Returns the bytes that the stream has brought, and that went into it. */
void tube_bytes(const struct tube *t, uint64_t *in, uint64_t *out);

/* Returns whether all that the stream brings has been written. */
bool tube_written(const struct tube *t);

/*
 * Tells the tube that its stream has changed.  The tube acts at the end of the
 * loop's turn, so that it writes the bytes of many datagrams at once.
 */
void tube_news(struct tube *t);

/*
 * Nothing more will be written to IN: it ends when it is empty.  The tube may be
 * gone afterwards.
 */
void tube_finish(struct tube *t);

#endif
