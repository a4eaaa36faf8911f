/*
 * server/face/client_sink.h - shows command output to an attached client.
 *
 * Purpose:   shows the output of commands of keys and prompts in view mode, and
 *            errors as messages.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_CLIENT_SINK_H
#define SERVER_FACE_CLIENT_SINK_H

#include "server/run/sink.h"

struct viewer;

struct sink client_sink(struct viewer *vw);

#endif
