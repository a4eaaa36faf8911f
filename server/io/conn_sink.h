/*
 * server/io/conn_sink.h - a process on the control socket as a sink.
 *
 * Purpose:   standard output, standard error, exit code and files of a caller
 *            that is not attached.
 * Tests:     regress/unit/check_sink.c
 */
#ifndef SERVER_IO_CONN_SINK_H
#define SERVER_IO_CONN_SINK_H

#include "server/run/sink.h"

struct conn;
struct run;

struct sink conn_sink(struct run *run, struct conn *cn);

#endif
