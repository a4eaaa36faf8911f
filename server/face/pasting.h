/*
 * server/face/pasting.h - pastes of a client, whole or in pieces.
 *
 * Purpose:   a whole paste waits until all of it is there. A paste in pieces
 *            (SYNC_PASTE_STREAM) goes to the program of the pane that was
 *            active at its beginning while later pieces are still on their
 *            way; VIEW_PASTED asks the client for more as the program reads.
 * Ownership: the viewer owns its paste; private to pasting.c.
 * Units:     bytes.
 * Tests:     regress/e2e/paste.sh, paste_large.sh
 */
#ifndef SERVER_FACE_PASTING_H
#define SERVER_FACE_PASTING_H

#include "base/buf.h"
#include "mux/sync/input.h"

struct pane_feed;
struct viewer;

struct viewer_paste {
	struct buf whole;       /* pieces of a paste that waits for its end */
	struct pane_feed *feed; /* of a paste in pieces, or NULL */
	uint32_t pane;          /* that gets it */
	bool streams;           /* its end has not come */
	bool cut;               /* its program is gone: drop the rest */
	uint64_t bytes;         /* of it, so far */
	uint64_t newest;        /* index of its newest piece */
	uint64_t done;          /* of the newest one handed on */
};

/* A SYNC_PASTE of a client that may paste. */
void pasting_event(struct viewer *vw, const struct sync_event *ev);

/* Drops the paste that is under way, and what will still come of it. */
void pasting_drop(struct viewer *vw);

/* VIEW_PASTED for the next view. */
uint64_t pasting_done(const struct viewer *vw);

#endif
