/*
 * server/io/pace.h - pauses floods: of output while a user types elsewhere, and
 * of datagrams that prove nothing.
 *
 * Purpose:   a program that floods uses every core it gets, and so do the
 *            programs that feed it; a key for another pane then waits at each
 *            step of its way.  While a user types, a flood is read in bursts:
 *            between two bursts its pty is full and the program waits.  No
 *            output is lost.  A flood of junk from the network would wake the
 *            server for every few datagrams, which costs more than to drop
 *            them; so they gather for a millisecond.
 * Ownership: plain values, one for each pane, one for the server, and one for
 *            each socket of the port.
 * Units:     microseconds, milliseconds, bytes of a program's output.
 * Source:    a pty of Linux buffers 12 KiB, a UDP socket at least 250 small
 *            datagrams.
 * Tests:     regress/unit/check_pace.c; regress/bench/live.py flood-pane
 */
#ifndef SERVER_IO_PACE_H
#define SERVER_IO_PACE_H

#include <stdbool.h>

#include "base/types.h"

#define PACE_TYPING_MS 1000 /* a user types until this long after a key */
#define PACE_BURST_US 1000  /* time of a burst ... */
#define PACE_REST_MS 5      /* ... and of the rest after it */
#define PACE_BYTES 4096     /* in a burst; less output is no flood */

/* The last key, and its pane. */
struct pace_typing {
	uint32_t pane;
	mono_ms at; /* 0: no key yet */
};

struct pace {
	uint64_t until; /* of this burst; 0: none has begun */
	uint64_t said;  /* bytes that the pane had written when it began */
};

/* Returns whether a user types into another pane than ID. */
static inline bool
pace_gives_way(const struct pace_typing *t, uint32_t id, mono_ms now)
{
	return t->at != 0 && t->pane != id && now < t->at + PACE_TYPING_MS;
}

/*
 * Returns whether a pane that gives way must rest now instead of being read.
 * In:      now_us  the time
 *          said    bytes that the pane has written, ever
 */
bool pace_rests(struct pace *p, uint64_t now_us, uint64_t said);

#define PACE_JUNK 64        /* datagrams of junk that are no flood */
#define PACE_JUNK_REST_MS 1 /* until a socket under a flood is read again */

/* Junk that came lately; one is forgotten each millisecond. */
struct pace_junk {
	unsigned count;
	mono_ms at;
};

/* Counts one more. */
void pace_junk_came(struct pace_junk *j, mono_ms now);

/* Returns whether junk floods the socket. */
bool pace_junk_floods(struct pace_junk *j, mono_ms now);

#endif
