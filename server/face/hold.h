/*
 * server/face/hold.h - what a remote client need not be shown at once.
 *
 * Purpose:   a client that has shown what was typed before it was sent learns
 *            nothing from a view in which just that text stands where it was
 *            typed.  Such a view may wait for the next, so that one datagram
 *            confirms several keys.  And what follows Enter is seldom just a
 *            new line: it goes with what is printed there, if that comes soon.
 * Ownership: plain functions of two views.
 * Units:     cells; milliseconds.
 * Errors:    none.
 * Source:    our own.
 * Tests:     regress/unit/check_hold.c, regress/bench/wire_bytes.py
 */
#ifndef SERVER_FACE_HOLD_H
#define SERVER_FACE_HOLD_H

#include <stdbool.h>

#include "base/types.h"
#include "mux/sync/view.h"

/* A key is confirmed within this, the round trip included, if it can be. */
#define HOLD_CONFIRM 230
#define HOLD_MOST 180     /* ms that a view waits at most */
#define HOLD_DRAW 8       /* ms that a screen half drawn waits */
#define HOLD_LINE_MOST 20 /* ms that a new line does */
#define HOLD_RTT 5        /* ms; below, frames cost nothing */

enum hold {
	HOLD_NOT,   /* somebody waits for it */
	HOLD_SAID,  /* nothing but the number of inputs that were answered */
	HOLD_TEXT,  /* text behind the cursor, and perhaps a ruler's numbers */
	HOLD_LINE,  /* the cursor at the beginning of a new line */
	HOLD_DRAWN, /* half a screen, see hold_draws */
};

/* What NEW says that OLD did not; OLD may be NULL. Never HOLD_DRAWN. */
enum hold hold_what(const struct sync_view *old, const struct sync_view *new);

/*
 * Whether a program of full screens has hidden the cursor between two views, or
 * cleared its row and done nothing else, as it does to draw: the rest follows.
 */
bool hold_draws(const struct sync_view *old, const struct sync_view *new);

/* How long such a view may wait on a link with this round trip. */
mono_ms hold_time(enum hold what, mono_ms rtt);

#endif
