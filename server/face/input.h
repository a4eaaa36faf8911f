/*
 * server/face/input.h - events of a client's input log.
 *
 * Purpose:   checks the client's role, then handles each kind of event.
 * Tests:     regress/e2e
 */
#ifndef SERVER_FACE_INPUT_H
#define SERVER_FACE_INPUT_H

#include "mux/sync/input.h"

struct viewer;

void input_event(struct viewer *vw, const struct sync_event *ev);

#endif
