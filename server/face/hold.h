/*
 * server/face/hold.h - which views of a remote client may be sent later.
 *
 * Purpose:   to hold a view is to delay its transmission so that one datagram
 *            carries several changes.  A view that only confirms predicted
 *            text tells the client nothing new: it is held, and one datagram
 *            confirms several keys.  After Enter, output usually follows the
 *            new line: a view with only the new line is held for that output.
 * Units:     cells; milliseconds.
 * Tests:     regress/unit/check_hold.c, regress/bench/wire_bytes.py
 */
#ifndef SERVER_FACE_HOLD_H
#define SERVER_FACE_HOLD_H

#include <stdbool.h>

#include "base/types.h"
#include "mux/sync/view.h"

/* ms: target for confirming a key, the round trip included. */
#define HOLD_CONFIRM 230
#define HOLD_MOST 180     /* ms: longest delay of predicted text */
#define HOLD_DRAW 8       /* ms: delay of a half-drawn screen */
#define HOLD_LINE_MOST 20 /* ms: longest delay of a new line */
#define HOLD_RTT 5        /* ms; on faster links only text is held */

enum hold {
	HOLD_NOT,   /* any other change: sent at once */
	HOLD_ACK,   /* no visible change; at most a new echo ack */
	HOLD_TEXT,  /* typed text at the cursor, and numbers of a ruler */
	HOLD_LINE,  /* only the cursor moved to a new line */
	HOLD_DRAWN, /* half a screen, see hold_draws */
};

/* Classifies the change from OLD (may be NULL) to NEW; never HOLD_DRAWN. */
enum hold hold_what(const struct sync_view *old, const struct sync_view *new);

/*
 * Whether a full-screen program has begun to draw between two views: it has
 * hidden the cursor, or only cleared the cursor's row.  More output follows.
 */
bool hold_draws(const struct sync_view *old, const struct sync_view *new);

/* How long a view of this kind may be held on a link with this SRTT. */
mono_ms hold_time(enum hold what, mono_ms rtt);

#endif
