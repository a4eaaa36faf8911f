/*
 * server/face/pick.h - gives a remote client what it needs to replay choosers,
 * menus and the palette.
 *
 * Purpose:   adds to a view the rows and the state of what takes the next key.
 * Source:    doc/PROTOCOL.md, C.7.
 * Tests:     regress/e2e/pick.sh
 */
#ifndef SERVER_FACE_PICK_H
#define SERVER_FACE_PICK_H

#include "base/types.h"

struct sync_view;
struct viewer;

/* The long list that a client picks from. */
struct viewer_pick {
	uint64_t surface; /* 0: none */
	mono_ms whole_at; /* it goes whole from then on */
};

/* V is the new view of VW; its pick is that of the last one. */
void pick_add(struct viewer *vw, struct sync_view *v);

/* Function for VIEWER_DUE_PICK. */
void pick_due(struct viewer *vw, mono_ms now);

#endif
