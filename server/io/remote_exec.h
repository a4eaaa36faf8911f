/*
 * server/io/remote_exec.h - commands that a remote client runs (rmux exec).
 *
 * Purpose:   starts a command for each EXEC stream, joins its standard streams
 *            to streams of the connection, passes signals on and reports how it
 *            ended.
 * Ownership: struct execs belongs to a remote client; execs_free hangs up on
 *            what still runs (SIGHUP to its process group).
 * Errors:    a command that cannot start: a message for the client, and the exit
 *            code 127 or 255.  A message that is malformed resets the stream.
 * Source:    RFC 4254 section 6; doc/PROTOCOL.md C.9.
 * Tests:     regress/e2e/exec.sh
 */
#ifndef SERVER_IO_REMOTE_EXEC_H
#define SERVER_IO_REMOTE_EXEC_H

#include <sys/types.h>

#include "ssp/purpose.h"
#include "ssp/streams.h"

struct execs;
struct run;

/* CHANGED: streams have changed, send what is due. */
struct execs *execs_new(struct run *run, struct ssp_streams *ss,
    void (*changed)(void *arg), void *arg);
void execs_free(struct execs *xs); /* NULL is fine */

/* The client has opened STREAM, an EXEC or a PART. */
void execs_opened(
    struct execs *xs, uint64_t stream, const struct ssp_purpose *p);

/* There is news of STREAM; false: it is none of ours. */
bool execs_news(struct execs *xs, uint64_t stream);

/* Handles the end of child PID; returns whether it was one of ours. */
bool execs_reaped(struct execs *xs, pid_t pid, int status);

#endif
