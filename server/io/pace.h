/*
 * server/io/pace.h - pauses a flood of output while a user types elsewhere.
 *
 * Purpose:   a program that floods uses every core it gets, and so do the
 *            programs that feed it; a key for another pane then waits at each
 *            step of its way.  While a user types, a flood is read in bursts:
 *            between two bursts its pty is full and the program waits.  No
 *            output is lost.
 * Ownership: plain values, one for each pane and one for the server.
 * Units:     microseconds, milliseconds, bytes of a program's output.
 * Source:    a pty of Linux buffers 12 KiB.
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

#endif
