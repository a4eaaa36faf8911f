/*
 * server/face/client_sink.h - shows command output to an attached client.
 *
 * Purpose:   for commands of keys and prompts, shows one line as a message and
 *            several lines in the pager.
 * Tests:     regress/e2e/output.sh
 */
#ifndef SERVER_FACE_CLIENT_SINK_H
#define SERVER_FACE_CLIENT_SINK_H

#include "server/run/sink.h"

struct viewer;

struct sink client_sink(struct viewer *vw);

#endif
