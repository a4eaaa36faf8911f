/*
 * server/face/opening.h - sends openings of copy mode to remote clients.
 *
 * Purpose:   sends the opening (mux/sync/opening.h) of the pane in focus once
 *            the pane has been still for a while, after the history and while
 *            the link is idle.
 * Ownership: struct opening is a member of the viewer.
 * Units:     mono_ms.
 * Errors:    none; a client that has no opening waits for the server.
 * Source:    doc/PROTOCOL.md, B.11 and C.5.
 * Tests:     regress/e2e/replay.sh
 */
#ifndef SERVER_FACE_OPENING_H
#define SERVER_FACE_OPENING_H

#include "base/types.h"

struct viewer;
struct vt_frame;

struct opening {
	struct vt_frame *frame; /* of the pane, as last seen; a reference */
	uint64_t stamp;         /* of what else an opening depends on */
	mono_ms still_at;       /* since when both have not changed */
	mono_ms sent_at;
	bool done;       /* the client has it, or there is none */
	uint64_t had;    /* hash of what the client has; 0: nothing */
	uint64_t setups; /* hash of the setup that the client has; 0: none */
};

void opening_fini(struct opening *o);

/* Sends what is due.  Returns the time of the next call. */
mono_ms opening_pump(struct viewer *vw, mono_ms now);

#endif
