/*
 * server/face/flood.h - when a remote client is shown a pane that floods.
 *
 * Purpose:   between two screens of a flood nobody can read anything; each of
 *            them costs a datagram or more.  So while output floods in, a view
 *            waits until it pauses, or for a quarter of a second.
 * Ownership: plain value, one a viewer.
 * Units:     milliseconds, bytes of programs' output.
 * Errors:    none.
 * Source:    the longest frame interval of mosh, for the quarter.
 * Tests:     regress/unit/check_flood.c, regress/bench/wire_bytes.py
 */
#ifndef SERVER_FACE_FLOOD_H
#define SERVER_FACE_FLOOD_H

#include <stdbool.h>

#include "base/types.h"

#define FLOOD_BYTES 2048u /* since the last view; less is shown at once */
#define FLOOD_HOLD 250    /* ms that a view waits at most */
#define FLOOD_FIRST 100   /* the same of the first that follows an answer */
#define FLOOD_RTT 5       /* ms; below, frames cost nothing */

struct flood {
	bool urgent;   /* the next view answers somebody */
	bool first;    /* the last one did */
	bool dirty;    /* something came since the last view, first at ... */
	mono_ms since; /* ... this time */
	uint64_t said; /* by the panes in sight, at the last view */
};

/*
 * When the view may be built: some time from NOW on, or in the past.
 * In:      rtt      the round trip
 *          said     bytes that the panes in sight have written, ever
 *          said_at  when they last did
 */
mono_ms flood_until(
    struct flood *f, mono_ms now, mono_ms rtt, uint64_t said, mono_ms said_at);

/* A view is built now. */
void flood_shown(struct flood *f, uint64_t said);

#endif
