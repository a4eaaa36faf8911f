/*
 * server/face/controller_sink.h - the output of a control client's commands.
 *
 * Purpose:   output and errors become lines, inside the command's block while it
 *            is open. The server opens files itself.
 * Tests:     regress/e2e/control.sh
 */
#ifndef SERVER_FACE_CONTROLLER_SINK_H
#define SERVER_FACE_CONTROLLER_SINK_H

#include "server/run/sink.h"

struct controller;

struct sink controller_sink(struct controller *ct);

#endif
