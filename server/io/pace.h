/*
 * server/io/pace.h - a flood leaves the processor to who types elsewhere.
 *
 * Purpose:   a program that floods, and whatever feeds it, take every core they
 *            get; a key into another pane then waits at each step of its way.
 *            So while somebody types, a flood is read in bursts: between two
 *            of them its pty is full and the program waits.  Nothing is lost.
 * Ownership: plain values, one a pane and one of the server.
 * Units:     microseconds, milliseconds, bytes of a program's output.
 * Errors:    none.
 * Source:    our own; a pty of Linux holds 12 KiB.
 * Tests:     regress/unit/check_pace.c; regress/bench/live.py flood-pane
 */
#ifndef SERVER_IO_PACE_H
#define SERVER_IO_PACE_H

#include <stdbool.h>

#include "base/types.h"

#define PACE_TYPING_MS 1000 /* from a key on, somebody types */
#define PACE_BURST_US 1000  /* a flood is read so long ... */
#define PACE_REST_MS 5      /* ... and then rests */
#define PACE_BYTES 4096     /* in a burst; less is no flood */

/* Who types, and into which pane. */
struct pace_typing {
	uint32_t pane;
	mono_ms at; /* 0: nobody has yet */
};

struct pace {
	uint64_t until; /* of this burst; 0: none has begun */
	uint64_t said;  /* by the pane, ever, when it began */
};

/* Does somebody type into another pane than ID? */
bool pace_gives_way(const struct pace_typing *t, uint32_t id, mono_ms now);

/*
 * Output waits of a pane that gives way: shall it rest instead of being read?
 * In:      now_us  the time
 *          said    bytes that the pane has written, ever
 */
bool pace_rests(struct pace *p, uint64_t now_us, uint64_t said);

#endif
