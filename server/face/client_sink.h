/*
 * server/face/client_sink.h - an attached client as a sink.
 *
 * Purpose:   shows one line as a message and more lines over the window, for
 *            commands of keys and prompts.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_CLIENT_SINK_H
#define SERVER_FACE_CLIENT_SINK_H

#include "server/run/sink.h"

struct viewer;

struct sink client_sink(struct viewer *vw);

#endif
