/*
 * ssp/io/tube.h - a socket joined to a stream.
 *
 * Purpose:   what is read from the socket goes into the stream and the other
 *            way round; each end of a direction is passed on, and the slower
 *            side sets the pace.
 * Ownership: tube_new takes over the descriptor and the stream; the tube frees
 *            itself when both have ended, after ops.ended.
 * Units:     bytes.
 * Errors:    a socket that breaks resets the stream (SSP_REASON_BROKEN); a
 *            stream that is reset closes the socket.
 * Source:    RFC 4254 section 5.3 for the two ends.
 * Tests:     regress/e2e/forward.sh
 */
#ifndef SSP_IO_TUBE_H
#define SSP_IO_TUBE_H

#include "base/io/loop.h"
#include "ssp/streams.h"

struct tube;

struct tube_ops {
	/* The stream has changed: send what is due. */
	void (*changed)(void *arg);
	/* The tube is about to free itself. */
	void (*ended)(void *arg, struct tube *t);
};

struct tube *tube_new(struct loop *loop, struct ssp_streams *ss, uint64_t id,
    int fd, const struct tube_ops *ops, void *arg);

/* Resets the stream, closes the socket; calls nothing. */
void tube_free(struct tube *t);

uint64_t tube_id(const struct tube *t);

/* There is news of the stream; the tube may be gone afterwards. */
void tube_news(struct tube *t);

#endif
