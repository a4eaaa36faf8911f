/*
 * server/face/flood.h - delays views of a remote client during floods.
 *
 * Purpose:   a flood is output too fast to read; each screen of it costs at
 *            least one datagram.  During a flood the view is built when the
 *            output pauses, or after FLOOD_HOLD at the latest.
 * Ownership: plain value, one per viewer.
 * Units:     milliseconds, bytes of programs' output.
 * Source:    FLOOD_HOLD is the longest frame interval of mosh.
 * Tests:     regress/unit/check_flood.c, regress/bench/wire_bytes.py
 */
#ifndef SERVER_FACE_FLOOD_H
#define SERVER_FACE_FLOOD_H

#include <stdbool.h>

#include "base/types.h"

#define FLOOD_BYTES 2048u /* since the last view; less is no flood */
#define FLOOD_HOLD 250    /* ms: longest delay of a view */
#define FLOOD_FIRST 100   /* ms: the same after an urgent view */
#define FLOOD_RTT 5       /* ms; on faster links frames are never delayed */

struct flood {
	bool urgent;      /* a user waits for the next view */
	bool first;       /* the last view was urgent */
	bool dirty;       /* a view is pending */
	mono_ms since;    /* when it became pending */
	uint64_t written; /* bytes of the visible panes at the last view */
};

/*
 * Returns the earliest time to build the pending view; 0 or a time before NOW
 * means at once.
 * In:      rtt         smoothed round-trip time
 *          written     total bytes written by the visible panes
 *          written_at  time of the last write
 */
mono_ms flood_until(struct flood *f, mono_ms now, mono_ms rtt, uint64_t written,
    mono_ms written_at);

/* Records that a view is built. */
void flood_shown(struct flood *f, uint64_t written);

#endif
